"""Opening a stream: choosing how each query is answered, by forecast, and spending its whole epsilon in the ledger."""

from __future__ import annotations

import math
import secrets
from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from pathlib import Path
from typing import Any

from graphveil.errors import ParameterError
from graphveil.graph.core import Graph
from graphveil.mechanisms.algorithm import PublicFacts
from graphveil.mechanisms.sums.tree import best_tree
from graphveil.privacy.convert import largest_concentrated
from graphveil.privacy.ledger.rules import SpendRequest
from graphveil.privacy.loss import Approximate, Number, exact, exact_epsilon
from graphveil.privacy.odds import refuse_weak
from graphveil.privacy.parameter import LARGEST
from graphveil.privacy.unit import Kind, Unit
from graphveil.registry import Job, rows
from graphveil.release.account import Account
from graphveil.release.over_time.answers import prepare_fresh
from graphveil.release.over_time.counts import COUNTS, HISTOGRAM, LAST_DEGREE
from graphveil.release.over_time.file import StreamFile
from graphveil.release.over_time.forecast import noise_to_compare, refuse_noise
from graphveil.release.over_time.spec import FACTOR, FRESH, METHODS, NEW, TREE, StreamQuery, StreamSpec
from graphveil.release.over_time.stream import Stream, check_holds
from graphveil.release.policy import ASSUMED_PEOPLE

FRIENDSHIP = "friendship"
COMES_AND_GOES = 4  # changes of one friendship that are counted, unless another number is given


@dataclass(frozen=True, slots=True)
class StreamTerms:
    """What a curator asks of a stream. `shares` are parts of epsilon by query; they add up to 1.

    `people` is a public guess at how many people there will be: forecasts, and with them methods, go by it.
    """

    shares: Mapping[str, Fraction]
    unit: str
    epsilon: Number
    horizon: int
    ever: bool = False
    changes: int | None = None
    max_degree: int | None = None
    methods: Mapping[str, str] | None = None
    people: int = ASSUMED_PEOPLE

    @property
    def facts(self) -> PublicFacts:
        """What a forecast may know."""
        return PublicFacts(self.people, max_degree=self.max_degree)

    @property
    def protected(self) -> Unit:
        """The unit that the budget of the stream is for."""
        return Unit.parse("edge" if self.unit == FRIENDSHIP else self.unit)

    def spec(self, dataset: str, delta: Fraction = Fraction(0)) -> StreamSpec:
        """The terms with a method for each query; what cannot be answered is refused.

        Where the budget has a delta, sums over time may have Gaussian noise; then all queries of the stream do, since a
        budget adds up losses of zCDP or epsilons, not both.
        """
        total = exact_epsilon(self.epsilon)
        unit = self.protected
        if not 1 <= self.people <= LARGEST:
            raise ParameterError(f"nodes (--nodes) must lie from 1 to {LARGEST:,}, not at {self.people}")
        if self.ever and self.changes not in (None, 1):
            raise ParameterError("with ever (--ever) a friendship changes once in what is counted: leave out changes")
        changes = 1 if self.ever or unit.kind is Kind.NODE else COMES_AND_GOES if self.changes is None else self.changes
        bare = StreamSpec(
            secrets.token_hex(8),
            dataset,
            unit,
            self.unit == FRIENDSHIP,
            changes,
            self.horizon,
            queries=(),
            delta=delta,
            people=self.people,
        )
        wanted = self.methods or {}
        if FACTOR in wanted.values():
            return self._gaussian(bare, total)
        laplace = replace(
            bare, queries=tuple(self._query(bare, name, total * part) for name, part in self.shares.items())
        )
        trusting = any(COUNTS[unit.kind, name].trusting for name in self.shares if self._has_sum(bare, name))
        summed = all(self._has_sum(bare, name) for name in self.shares) and not trusting
        if not delta or wanted or not summed or changes > 1:
            return laplace
        gaussian = self._gaussian(bare, total)
        return min((laplace, gaussian), key=self._mean_error)

    def _gaussian(self, bare: StreamSpec, total: Fraction) -> StreamSpec:
        without = [name for name in self.shares if not self._has_sum(bare, name)]
        if without or bare.changes > 1 or not bare.delta or set((self.methods or {}).values()) - {FACTOR}:
            raise ParameterError(
                f"{FACTOR} needs a budget with a delta (--delta) and friendships that stay (ever, --ever), and answers "
                f"all queries of a stream or none{f'; it has no answer to {without[0]}' if without else ''}"
            )
        rho = largest_concentrated(Approximate(total, bare.delta)).rho
        queries = tuple(
            StreamQuery(name, total * share, FACTOR, options=self._sum_options(name), rho=rho * share)
            for name, share in self.shares.items()
        )
        return replace(bare, queries=queries)

    def _query(self, bare: StreamSpec, name: str, epsilon: Fraction) -> StreamQuery:
        answering = [row for row in rows(Job.RELEASE) if (row.query, row.unit) == (name, bare.unit.kind)]
        if answering and all(row.needs for row in answering):
            raise ParameterError(
                f"a stream reads no table of people or of groups, and {name} needs one: release it every period, at a "
                "part of epsilon, with the same ledger and data set"
            )
        fresh = StreamQuery(name, epsilon, FRESH, options=self._fresh_options(name, bare))
        wanted = (self.methods or {}).get(name)
        if wanted not in (None, *METHODS):
            raise ParameterError(f"a query of a stream is answered by {', '.join(METHODS)}, not by {wanted!r}")
        prepared = prepare_fresh(bare, fresh)  # refuses what no query answers under this unit
        if wanted == NEW:
            if bare.unit.kind is Kind.NODE or prepared.query.reads != "edges":
                raise ParameterError(
                    f"{NEW} answers about the edges first seen in a period, under edge privacy: a person has edges in "
                    f"many periods, and directions and weights are not kept; answer {name} by {FRESH}"
                )
            return StreamQuery(name, epsilon, NEW)
        if wanted == FRESH or not self._has_sum(bare, name):
            if wanted == TREE:
                raise ParameterError(
                    f"{name} has no sum over time here: edges have one under edge privacy, the degree histogram where "
                    "friendships stay (ever, --ever), 2-stars, 3-stars and triangles where a public max_degree "
                    "(--max-degree) is given too; under node privacy nodes where people stay (ever, --ever), and edges "
                    "with a max_degree"
                )
            return fresh
        tree = StreamQuery(name, epsilon, TREE, options=self._sum_options(name))
        tree = replace(tree, radix=best_tree(bare.horizon, bare.rates(tree)[0]).radix)
        if wanted is None and COUNTS[bare.unit.kind, name].trusting:
            return fresh
        if wanted is None:  # over few periods fresh answers may have less noise
            return min((tree, fresh), key=lambda query: noise_to_compare(bare, query, self.facts))
        return tree

    def _sum_options(self, name: str) -> dict[str, Any]:
        """The public degree bound of a sum over time."""
        if name == HISTOGRAM:
            return {"max_degree": LAST_DEGREE if self.max_degree is None else self.max_degree}
        return {"max_degree": self.max_degree} if COUNTS[self.protected.kind, name].bounded else {}

    def _fresh_options(self, name: str, bare: StreamSpec) -> dict[str, Any]:
        """A public degree bound, for queries under node privacy."""
        needed = bare.unit.kind is Kind.NODE and self.max_degree is not None and name != "nodes"
        return {"max_degree": self.max_degree} if needed else {}

    def _has_sum(self, bare: StreamSpec, name: str) -> bool:
        """Whether a sum over time answers the query under these terms."""
        count = COUNTS.get((bare.unit.kind, name))
        if count is None or (count.stays and not self.ever):
            return False
        return not count.bounded or (self.max_degree is not None and self.max_degree >= 1)

    def _mean_error(self, spec: StreamSpec) -> float:
        """The mean logarithm of the errors of all queries, by which noise is chosen."""
        return sum(math.log(noise_to_compare(spec, query, self.facts)) for query in spec.queries)


def open_stream(
    path: str | Path,
    terms: StreamTerms,
    *,
    ledger: str | Path,
    budget: Number | None = None,
    delta: Number | None = None,
    dataset: str | None = None,
    separate_people: bool = False,
    accept_weak: bool = False,
    accept_noise: bool = False,
    first: Graph | None = None,
) -> Stream:
    """Make the file of a stream and spend its whole epsilon; nothing is read yet.

    What would be mostly noise is refused, unless it is accepted; and so is a `first` graph that lacks what is asked.

    The file comes first: where it cannot be written nothing is spent, and it publishes nothing before it is paid for.
    """
    place = Path(path)
    if place.exists():
        raise ParameterError(f"{place}: there is a file of this name; a stream is opened once")
    if not place.absolute().parent.is_dir():
        raise ParameterError(f"{place}: there is no such folder; make it first")
    if dataset is None and not Path(ledger).exists():
        dataset = place.stem
    nobody = Graph.from_edges([], n_nodes=0)  # the account's budget is asked for, not its graph
    account = Account(
        nobody,
        terms.protected,
        ledger=ledger,
        dataset=dataset,
        budget=budget,
        delta=delta,
        separate_people=separate_people,
        accept_changed_people=False,
    )
    spec = terms.spec(account.dataset, account.budget.tail_delta)
    if first is not None:
        check_holds(first, spec)
    if not accept_noise:
        refuse_noise(spec, terms.facts)
    refuse_weak(exact_epsilon(terms.epsilon), accepted=accept_weak)
    request = SpendRequest(spec.dataset, spec.losses, spec.what, f"stream {spec.id}")
    StreamFile.create(place, spec, Path(ledger))
    try:
        account.ledger.charge(account.budget, request)
    except Exception:
        place.unlink()
        raise
    return Stream(place)


def parts_of_epsilon(queries: Mapping[str, Number] | list[str] | tuple[str, ...]) -> dict[str, Fraction]:
    """Parts of epsilon by query: in proportion to the given weights, or even."""
    given = queries if isinstance(queries, Mapping) else dict.fromkeys(queries, 1)
    weights = {name: exact(weight, f"the share of {name}") for name, weight in given.items()}
    total = sum(weights.values(), Fraction(0))
    if not weights or min(weights.values()) <= 0:
        raise ParameterError("a stream needs at least one query, and each a share above 0")
    return {name: weight / total for name, weight in weights.items()}
