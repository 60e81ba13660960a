"""Try a campaign with two servers on a graph one holds: the document of `collect simulate --trust two-servers`."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial
from typing import Any

import numpy as np

from graphveil.arrays import Integers
from graphveil.errors import ParameterError
from graphveil.graph.core import Graph
from graphveil.graph.statistics.degrees import exact_k_stars
from graphveil.local.statistics import Statistic, distribution_metrics, entry_metrics, find_statistic
from graphveil.privacy.guarantee import Guarantee
from graphveil.privacy.loss import Number, exact_epsilon
from graphveil.privacy.rounding import round_up
from graphveil.privacy.unit import Unit
from graphveil.two_servers.cost import sum_cost, triangle_cost
from graphveil.two_servers.guarantee import WITH_DEALER, epsilon_of_unit, promise_of
from graphveil.two_servers.simulate import (
    Simulated,
    Sources,
    simulate_stars,
    simulate_sum,
    simulate_transitivity,
    simulate_triangles,
)
from graphveil.two_servers.sum_statistics import OF_DEGREES, AttributeShares, SumStatistic, parse_values
from graphveil.two_servers.transitivity import Transitivity
from graphveil.two_servers.triangle_terms import parse_hubs
from graphveil.two_servers.triangles import Triangles

OPTIONS = {
    "attribute-shares": ("values",),
    "degree-distribution": (),
    "degree-histogram": (),
    "edges": (),
    "k-stars": ("k", "max_degree"),
    "transitivity": ("hubs", "max_degree"),
    "triangles": ("hubs", "max_degree"),
}  # what can be asked, with the options of each
WITHOUT_LOCAL = ("degree-histogram", "edges", "k-stars")  # no protocol that trusts nobody collects these
MOST_SHARED_BY_DEFAULT = 500  # people up to whom a simulation makes real shares
MOST_SHARED = 10_000  # for triangles: a simulation holds the numbers of all pairs in memory, some 40 bytes each


@dataclass(frozen=True, slots=True)
class Setup:
    """A campaign that can be run on a graph: how, what it promises and what it costs each party."""

    run: Callable[[Sources], Simulated]
    guarantee: Guarantee
    cost: dict[str, Any]
    parameters: dict[str, Any]


def run_two_servers(
    graph: Graph,
    *,
    statistic: str,
    unit: str,
    epsilon: Number,
    runs: int = 1,
    seed: int | None = None,
    hubs: str | int = "auto",
    max_degree: int | None = None,
    k: int = 2,
    values: str | Sequence[str] = ("no", "yes"),
    answers: Integers | None = None,
    shares: bool | None = None,
) -> dict[str, Any]:
    """Simulate a campaign `runs` times; `shares` makes real shares for servers (default: up to 500 people).

    With or without shares the numbers are the same: shares cancel exactly. `answers` holds for each person the place
    of their answer among `values`; without it, people answer whether they have a friend.
    """
    if runs < 1:
        raise ParameterError(f"at least one run is needed, not {runs}")
    if graph.n_nodes < 2:
        raise ParameterError(f"two servers need at least 2 people, not {graph.n_nodes}")
    if shares not in (None, 0, 1):
        raise ParameterError(f"shares must be 0 or 1, not {shares!r}")
    split = graph.n_nodes <= MOST_SHARED_BY_DEFAULT if shares is None else bool(shares)
    asked = two_server_statistic(statistic, k)
    options: dict[str, Any] = {"hubs": hubs, "max_degree": max_degree, "k": k, "values": parse_values(values)}
    request = Request(graph, statistic, Unit.parse(unit), exact_epsilon(epsilon), options, answers, split)
    setup = request.set_up()
    truth = asked.exact(graph) if answers is None else exact_shares(answers, len(options["values"]))
    start = time.perf_counter()
    done = [setup.run(Sources(None if seed is None else seed + i)) for i in range(runs)]
    seconds = time.perf_counter() - start
    metrics = [asked.metrics(each.estimated.value, truth) for each in done]
    held = [_share_held(each, truth) for each in done]
    guarantee = setup.guarantee if seed is None else setup.guarantee.seeded()
    document: dict[str, Any] = {
        "protocol": "two-servers",
        "statistic": statistic,
        "unit": unit,
        "epsilon": round_up(guarantee.epsilon),
        "parameters": setup.parameters,
        "guarantee": guarantee.to_json(),
        "strengths": [guarantee.to_json()],
        "claim": None,
        "metrics": {name: float(np.mean([each[name] for each in metrics])) for name in metrics[0]},
        "spread": {name: float(np.std([each[name] for each in metrics], ddof=min(1, runs - 1))) for name in metrics[0]},
        "cost": setup.cost,
        "memory_bytes": setup.cost["leader"]["memory_bytes"],
        "coverage95": float(np.mean(held)),
        "coverage95_of_people": None,
        "why_no_interval": None,
        "facts": done[0].facts,
        "shares_made": split,
        "seconds": seconds,
        "runs": runs,
    }
    first = done[0].estimated
    if not isinstance(first.value, list):
        document["estimate"] = {"value": first.value, "std": first.std, "interval95": [first.low, first.high]}
    return document


def check_request(statistic: str, unit: str, options: Mapping[str, Any]) -> None:
    """Refuse what two servers do not answer, before a graph is read."""
    two_server_statistic(statistic)
    epsilon_of_unit(statistic, Fraction(1), Unit.parse(unit))
    allowed = (*OPTIONS[statistic], "shares")
    for name in options:
        if name not in allowed:
            raise ParameterError(f"unknown option {name}; {statistic} with two servers takes {', '.join(allowed)}")


def two_server_statistic(name: str, k: int = 2) -> Statistic:
    """The statistic of that name, of those that two servers answer."""
    if name not in OPTIONS:
        raise ParameterError(f"two servers answer {', '.join(OPTIONS)}, not {name}; see --trust local for others")
    if name == "edges":
        return Statistic("edges", lambda graph: graph.n_edges, entry_metrics)
    if name == "k-stars":
        return Statistic("k-stars", lambda graph: exact_k_stars(graph, k), entry_metrics)
    if name == "degree-histogram":
        return Statistic(name, lambda graph: np.bincount(graph.degrees), distribution_metrics)
    return find_statistic(name)


def exact_shares(answers: Integers, n_values: int) -> Any:
    """The share of people that gives each answer."""
    return np.bincount(answers, minlength=n_values) / max(1, len(answers))


@dataclass(frozen=True, slots=True)
class Request:
    """What is asked of a graph, and how."""

    graph: Graph
    statistic: str
    unit: Unit
    epsilon: Fraction
    options: Mapping[str, Any]
    answers: Integers | None
    split: bool

    def set_up(self) -> Setup:
        """The campaign; what cannot be asked is refused."""
        self._check_options()
        if self.split and self.statistic in WITH_DEALER and self.graph.n_nodes > MOST_SHARED:
            raise ParameterError(
                f"a simulation shares triangles of at most {MOST_SHARED:,} people, not {self.graph.n_nodes:,}: "
                "it would take too much memory; leave out --option shares=1, which gives the same numbers"
            )
        entry, n = epsilon_of_unit(self.statistic, self.epsilon, self.unit), self.graph.n_nodes
        parameters = {name: self.options[name] for name in OPTIONS[self.statistic]}
        max_degree, hubs = self.options["max_degree"], parse_hubs(self.options["hubs"], self.options["max_degree"])
        plan = Triangles("simulation", n, entry, max_degree, hubs)
        promised = promise_of(self.statistic, self.epsilon, self.unit, has_hubs=hubs != 0)
        if self.statistic == "triangles":
            counted = partial(simulate_triangles, plan, self.graph, split=self.split)
            return Setup(counted, promised, self._cost_of_triangles(), parameters)
        if self.statistic == "transitivity":
            divided = partial(simulate_transitivity, Transitivity(plan), self.graph, split=self.split)
            return Setup(divided, promised, self._cost_of_triangles(), parameters)
        if self.statistic == "k-stars":
            starred = partial(simulate_stars, replace(plan, hubs=0), self.options["k"], self.graph, split=self.split)
            return Setup(starred, promised, sum_cost(n, 1, has_degree_round=max_degree is None), parameters)
        summed = self._sum_statistic()
        added = partial(simulate_sum, summed, self._held(), entry, split=self.split)
        return Setup(added, promised, sum_cost(n, summed.length), parameters)

    def _check_options(self) -> None:
        plain = {"hubs": "auto", "max_degree": None, "k": 2, "values": ("no", "yes")}
        given = {name: value for name, value in self.options.items() if value != plain[name]}
        check_request(self.statistic, str(self.unit), given)
        for name in ("k", "max_degree"):
            if name in given and type(given[name]) is not int:
                raise ParameterError(f"{name} must be a whole number, not {given[name]!r}")

    def _sum_statistic(self) -> SumStatistic:
        if self.statistic == "attribute-shares":
            return AttributeShares(self.graph.n_nodes, self.options["values"])
        return OF_DEGREES[self.statistic](self.graph.n_nodes)

    def _held(self) -> Integers:
        """What people hold: their degree, or the place of their answer."""
        degrees = self.graph.degrees.astype(np.int64)
        if self.statistic != "attribute-shares":
            return degrees
        return np.asarray(self.answers if self.answers is not None else degrees > 0, dtype=np.int64)

    def _cost_of_triangles(self) -> dict[str, Any]:
        more_words = int(self.statistic == "transitivity")  # the count of stars
        has_degree_round = self.options["max_degree"] is None
        return triangle_cost(self.graph.n_nodes, has_degree_round=has_degree_round, more_words=more_words)


def _share_held(done: Simulated, truth: Any) -> float:
    """In which share of the entries the interval holds the truth."""
    low, high = (np.atleast_1d(np.asarray(end, dtype=np.float64)) for end in (done.estimated.low, done.estimated.high))
    true = np.atleast_1d(np.asarray(truth, dtype=np.float64))
    true = np.pad(true, (0, max(0, len(low) - len(true))))[: len(low)]
    return float(np.mean((low - 1e-12 <= true) & (true <= high + 1e-12)))
