"""Which share of what a stated 95 % interval speaks of lies in it, draw by draw: releases, campaigns, two servers.

A function for each takes a graph, an epsilon, a number of draws and a first seed. It gives a list of shares, one for
each draw, or nothing where no interval is stated. An interval that speaks of all entries at once holds or does not; one
that speaks of each by itself holds for a share of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import partial
from typing import Any

import numpy as np
from benchmarks.central import choices, degrees, subgraphs
from benchmarks.central._draws import ROUNDING, as_it_stands, few_bands
from benchmarks.central._table import Line

from graphveil.central.attributes.column import PeopleColumn
from graphveil.central.query import PublicFacts, Query
from graphveil.graph.core import Graph
from graphveil.graph.directed import DirectedGraph
from graphveil.graph.statistics.clustering import exact_local_clustering
from graphveil.local.experiment import share_held
from graphveil.local.protocol import NORMAL95
from graphveil.local.result import CollectionResult
from graphveil.local.simulate import simulate
from graphveil.local.statistics import find_statistic
from graphveil.mechanisms.algorithm import measured
from graphveil.mechanisms.measurement import draw
from graphveil.mechanisms.noise.source import SeededNoise
from graphveil.privacy.loss import MAX_EPSILON
from graphveil.registry import PROTOCOLS, QUERIES, Row, build_protocol
from graphveil.release.draw import run
from graphveil.two_servers.experiment import OPTIONS, run_two_servers

Shares = list[float]
Ask = Callable[[Graph, str, int, int], Shares]

KNOWN = (*degrees.LINES, *subgraphs.LINES, *choices.LINES)
SPEAKS_OF: dict[Any, Line] = {line.page.func if isinstance(line.page, partial) else line.page: line for line in KNOWN}
COLLECTED = ("degree-distribution", "triangles", "transitivity", "triangle-sequence", "clustering")
OF_PEOPLE = ("triangle-sequence", "clustering")
DENSE, FRIENDS = 0.85, 10  # local clustering and degree from which somebody counts as in a dense clique


def questions() -> Iterator[tuple[str, str, Ask]]:
    """Job, name and unit of everything that states an interval about one graph, and how to ask for it."""
    for row in QUERIES:
        if "weight" not in row.query and row.needs in ((), ("column",)) and not row.query.startswith("attribute"):
            yield "release", f"{row.name}, {row.unit}", of_release(row)
    for row in PROTOCOLS:
        if row.query in COLLECTED and not row.refuted:
            yield "collect", f"{row.query} by {row.name}, {row.unit}", of_campaign(row)
    for statistic in OF_PEOPLE:
        yield "collect", f"{statistic} of dense cliques, edge", of_dense_cliques(statistic)
    yield "collect", "average clustering, edge", of_average_clustering
    for statistic in OPTIONS:
        yield "two servers", f"{statistic}, edge", of_two_servers(statistic)


def of_release(row: Row) -> Ask:
    """A release is measured once and drawn many times."""
    return lambda graph, epsilon, draws, seed: _release(row, graph, epsilon, draws, SeededNoise(seed))


def _release(row: Row, graph: Graph, epsilon: str, draws: int, noise: SeededNoise) -> Shares:
    options: dict[str, Any] = {}
    if row.needs:
        options = {"column": thirds(graph)}
    if getattr(row.cls, "reads", "edges") == "directions":
        graph = with_directions(graph)
    query: Query = row.build(Fraction(epsilon), options)
    known = SPEAKS_OF.get(type(query))
    first = next(other for other in QUERIES if other.query == row.query)
    truth = known.truth(graph) if known else run(first.build(Fraction(MAX_EPSILON), options), graph, noise).value
    reading = known.reading if known else as_it_stands
    target = np.atleast_1d(np.asarray(truth, dtype=np.float64))
    measurements, facts, shares = measured(query, graph), PublicFacts.of(graph, query.unit), []
    with few_bands():
        for _ in range(draws):
            answer = query.conclude(draw(measurements, noise), facts)
            if not answer.accuracy.bands:
                return []
            said = reading(query, graph, answer, target.ravel())
            held = (said.low.ravel() <= said.truth + ROUNDING) & (said.truth <= said.high.ravel() + ROUNDING)
            shares.append(float(held.all() if answer.accuracy.simultaneous else held.mean()))
    return shares


def with_directions(graph: Graph) -> DirectedGraph:
    """Every edge leads one way, a third of them also back."""
    edges = graph.edges()
    back = np.random.default_rng(1).random(len(edges)) < 1 / 3
    return DirectedGraph.from_arcs(np.concatenate((edges, edges[back, ::-1])), n_nodes=graph.n_nodes, named=True)


def thirds(graph: Graph) -> PeopleColumn:
    """A group for everybody, of three, at random."""
    groups = np.random.default_rng(1).choice(["a", "b", "c"], graph.n_nodes)
    columns = {"name": [str(graph.label_of(person)) for person in range(graph.n_nodes)], "group": groups.tolist()}
    return PeopleColumn.from_columns(columns, attribute="group", public=True, values=["a", "b", "c"])


def of_campaign(row: Row) -> Ask:
    """Simulated campaigns of one protocol."""

    def ask(graph: Graph, epsilon: str, draws: int, seed: int) -> Shares:
        truth = find_statistic(row.query).exact(graph)
        runs = (collected(row.query, row.name, row.unit, graph, epsilon, seed + i) for i in range(draws))
        return _until_none(share_held(result, truth) for result in runs)

    return ask


def of_dense_cliques(statistic: str) -> Ask:
    """Only people whose friends nearly all know each other."""

    def ask(graph: Graph, epsilon: str, draws: int, seed: int) -> Shares:
        dense = (exact_local_clustering(graph) > DENSE) & (graph.degrees >= FRIENDS)
        if not dense.any():
            return []
        truth = find_statistic(statistic).exact(graph)
        runs = (collected(statistic, "veil", "edge", graph, epsilon, seed + i) for i in range(draws))
        return _until_none(share_held(result, truth, dense) for result in runs)

    return ask


def of_average_clustering(graph: Graph, epsilon: str, draws: int, seed: int) -> Shares:
    """The mean that a campaign about clustering states besides; draws that withhold it do not count."""
    truth, shares = exact_local_clustering(graph).mean(), []
    for i in range(draws):
        average = collected("clustering", "veil", "edge", graph, epsilon, seed + i).estimate.facts["average"]
        if average["withheld"] is None:
            shares.append(float(abs(average["mean"] - truth) <= NORMAL95 * average["std"]))
    return shares


def of_two_servers(statistic: str) -> Ask:
    """Campaigns with two servers, whose shares cancel and are not made."""

    def ask(graph: Graph, epsilon: str, draws: int, seed: int) -> Shares:
        asked = {"statistic": statistic, "unit": "edge", "epsilon": epsilon, "shares": False}
        return [run_two_servers(graph, **asked, seed=seed + i)["coverage95"] for i in range(draws)]

    return ask


def collected(statistic: str, name: str, unit: str, graph: Graph, epsilon: str, seed: int) -> CollectionResult:
    """One simulated campaign."""
    protocol = build_protocol(statistic, name, unit=unit, epsilon=epsilon, n_people=graph.n_nodes)
    return simulate(protocol, graph, seed=seed)


def _until_none(shares: Iterator[float | None]) -> Shares:
    found: Shares = []
    for share in shares:
        if share is None:
            break
        found.append(share)
    return found
