"""Opening a stream: choosing how each query is answered, by forecast, and spending its whole epsilon in the ledger."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

from graphveil.errors import ParameterError
from graphveil.graph.core import Graph
from graphveil.mechanisms.tree import best_tree
from graphveil.privacy.ledger.rules import SpendRequest
from graphveil.privacy.loss import Number, exact, exact_epsilon
from graphveil.privacy.unit import Kind, Unit
from graphveil.privacy.weak import refuse_weak
from graphveil.release.account import Account
from graphveil.release.over_time.answers import prepare_fresh
from graphveil.release.over_time.counts import COUNTS
from graphveil.release.over_time.file import StreamFile
from graphveil.release.over_time.spec import FRESH, METHODS, NEW, TREE, StreamQuery, StreamSpec
from graphveil.release.over_time.stream import Stream

FRIENDSHIP = "friendship"
COMES_AND_GOES = 4  # changes of one friendship that are counted, unless another number is given


@dataclass(frozen=True, slots=True)
class StreamTerms:
    """What a curator asks of a stream. `shares` are parts of epsilon by query; they add up to 1."""

    shares: Mapping[str, Fraction]
    unit: str
    epsilon: Number
    horizon: int
    ever: bool = False
    changes: int | None = None
    max_degree: int | None = None
    methods: Mapping[str, str] | None = None

    def spec(self, dataset: str) -> StreamSpec:
        """The terms with a method for each query; what cannot be answered is refused."""
        total = exact_epsilon(self.epsilon)
        unit = Unit.parse("edge" if self.unit == FRIENDSHIP else self.unit)
        if self.ever and self.changes not in (None, 1):
            raise ParameterError("with ever (--ever) a friendship changes once in what is counted: leave out changes")
        changes = 1 if self.ever or unit.kind is Kind.NODE else COMES_AND_GOES if self.changes is None else self.changes
        bare = StreamSpec(
            secrets.token_hex(8), dataset, unit, self.unit == FRIENDSHIP, changes, self.horizon, queries=()
        )
        queries = tuple(self._query(bare, name, total * share) for name, share in self.shares.items())
        return StreamSpec(**{**_fields(bare), "queries": queries})

    def _query(self, bare: StreamSpec, name: str, epsilon: Fraction) -> StreamQuery:
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
        if wanted == FRESH or not self._has_tree(bare, name):
            if wanted == TREE:
                raise ParameterError(
                    f"{name} has no answer by blocks here: edges have one under edge privacy, 2-stars and triangles "
                    "where friendships stay (ever, --ever) and a public max_degree (--max-degree) is given, and "
                    "nodes under node privacy where people stay (ever, --ever)"
                )
            return fresh
        options = {"max_degree": self.max_degree} if COUNTS[name].bounded else {}
        tree = StreamQuery(name, epsilon, TREE, options=options)
        rate = bare.rate(tree)
        return StreamQuery(name, epsilon, TREE, best_tree(bare.horizon, rate).radix, options)

    def _fresh_options(self, name: str, bare: StreamSpec) -> dict[str, Any]:
        """A public degree bound, for queries under node privacy."""
        needed = bare.unit.kind is Kind.NODE and self.max_degree is not None and name != "nodes"
        return {"max_degree": self.max_degree} if needed else {}

    def _has_tree(self, bare: StreamSpec, name: str) -> bool:
        if name not in COUNTS or COUNTS[name].unit is not bare.unit.kind:
            return False
        if bare.unit.kind is Kind.NODE:
            return self.ever
        return not COUNTS[name].bounded or (self.ever and self.max_degree is not None and self.max_degree >= 1)


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
) -> Stream:
    """Make the file of a stream and spend its whole epsilon; nothing is read yet.

    The file comes first: where it cannot be written nothing is spent, and it publishes nothing before it is paid for.
    """
    place = Path(path)
    if place.exists():
        raise ParameterError(f"{place}: there is a file of this name; a stream is opened once")
    if not place.absolute().parent.is_dir():
        raise ParameterError(f"{place}: there is no such folder; make it first")
    unit = terms.spec("").unit
    if dataset is None and not Path(ledger).exists():
        dataset = place.stem
    nobody = Graph.from_edges([], n_nodes=0)  # the account's budget is asked for, not its graph
    account = Account(
        nobody, unit, ledger=ledger, dataset=dataset, budget=budget, delta=delta, separate_people=separate_people
    )
    spec = terms.spec(account.dataset)
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


def _fields(spec: StreamSpec) -> dict[str, Any]:
    return {name: getattr(spec, name) for name in ("id", "dataset", "unit", "per_friendship", "changes", "horizon")}
