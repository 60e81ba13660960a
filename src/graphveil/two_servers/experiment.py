"""Try a campaign with two servers on a graph one holds: the document of `collect simulate --trust two-servers`."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from graphveil.errors import ParameterError
from graphveil.graph.core import Graph
from graphveil.local.statistics import Statistic, entry_metrics, find_statistic
from graphveil.privacy.guarantee import Guarantee
from graphveil.privacy.loss import Number, exact_epsilon
from graphveil.privacy.rounding import round_up
from graphveil.privacy.unit import Unit
from graphveil.two_servers.cost import sum_cost, triangle_cost
from graphveil.two_servers.guarantee import BOTH_CLIENTS, HUB_ENTRY, SERVER_COULD, entry_epsilon, promise
from graphveil.two_servers.simulate import Simulated, Sources, simulate_sum, simulate_triangles
from graphveil.two_servers.sum_statistics import DegreeDistribution, Edges
from graphveil.two_servers.triangle_terms import MOST_HUBS
from graphveil.two_servers.triangles import Triangles

STATISTICS = ("degree-distribution", "edges", "triangles")
OPTIONS = ("hubs", "max_degree", "shares")
MOST_SHARED_BY_DEFAULT = 500  # people up to whom a simulation makes real shares
SUM_PROOF = "two_servers.sums"
TRIANGLE_PROOF = "two_servers.triangle_terms"
ANYTHING = "one person who lies can move the answer to anything"


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
    shares: bool | None = None,
) -> dict[str, Any]:
    """Simulate a campaign `runs` times; `shares` makes real shares for servers (default: up to 500 people).

    With or without shares the numbers are the same: shares cancel exactly.
    """
    if runs < 1:
        raise ParameterError(f"at least one run is needed, not {runs}")
    if graph.n_nodes < 2:
        raise ParameterError(f"two servers need at least 2 people, not {graph.n_nodes}")
    split = graph.n_nodes <= MOST_SHARED_BY_DEFAULT if shares is None else bool(shares)
    setup = _set_up(graph, statistic, Unit.parse(unit), exact_epsilon(epsilon), hubs, max_degree, split=split)
    asked = two_server_statistic(statistic)
    truth = asked.exact(graph)
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


def check_request(statistic: str, unit: str, options: dict[str, Any]) -> None:
    """Refuse what two servers do not answer, before a graph is read."""
    two_server_statistic(statistic)
    entry_epsilon(Fraction(1), Unit.parse(unit))
    for name in options:
        if name not in OPTIONS:
            raise ParameterError(f"unknown option {name}; two servers take {', '.join(OPTIONS)}")


def two_server_statistic(name: str) -> Statistic:
    """The statistic of that name, of those that two servers answer."""
    if name == "edges":
        return Statistic("edges", lambda graph: graph.n_edges, entry_metrics)
    if name not in STATISTICS:
        raise ParameterError(f"two servers answer {', '.join(STATISTICS)}, not {name}; see --trust local for others")
    return find_statistic(name)


def _set_up(
    graph: Graph,
    statistic: str,
    unit: Unit,
    epsilon: Fraction,
    hubs: str | int,
    max_degree: int | None,
    *,
    split: bool,
) -> Setup:
    two_server_statistic(statistic)
    entry, n = entry_epsilon(epsilon, unit), graph.n_nodes
    if statistic == "triangles":
        plan = Triangles("simulation", n, entry, max_degree, _hub_number(hubs, max_degree))
        more = (BOTH_CLIENTS, *(() if plan.hubs == 0 else (HUB_ENTRY,)), SERVER_COULD)
        return Setup(
            lambda sources: simulate_triangles(plan, graph, sources, split=split),
            promise(epsilon, unit, TRIANGLE_PROOF, has_dealer=True, more=more),
            triangle_cost(n, has_degree_round=max_degree is None),
            {"hubs": hubs, "max_degree": max_degree},
        )
    if hubs not in ("auto", 0, "0") or max_degree is not None:
        raise ParameterError(f"hubs and max_degree are options of triangles; {statistic} has none")
    summed = Edges(n) if statistic == "edges" else DegreeDistribution(n)
    return Setup(
        lambda sources: simulate_sum(summed, graph, entry, sources, split=split),
        promise(epsilon, unit, SUM_PROOF, has_dealer=False, more=(ANYTHING,)),
        sum_cost(n, summed.length),
        {},
    )


def _hub_number(hubs: str | int, max_degree: int | None) -> int | None:
    """0 with a public max_degree, None for auto."""
    if hubs == "auto":
        return None if max_degree is None else 0
    try:
        return int(hubs)
    except ValueError:
        raise ParameterError(f"hubs must be auto or a number from 0 to {MOST_HUBS}, not {hubs!r}") from None


def _share_held(done: Simulated, truth: Any) -> float:
    """In which share of the entries the interval holds the truth."""
    low, high = (np.atleast_1d(np.asarray(end, dtype=np.float64)) for end in (done.estimated.low, done.estimated.high))
    true = np.atleast_1d(np.asarray(truth, dtype=np.float64))
    true = np.pad(true, (0, max(0, len(low) - len(true))))[: len(low)]
    return float(np.mean((low - 1e-12 <= true) & (true <= high + 1e-12)))
