"""Everything an answer says about a graph must come through its noise.

`conclude` sees noisy outcomes and public facts, so what it says is post-processing by its type. Two ways round remain,
and both are tested for every algorithm of the registry on graphs that differ as much as they may. The words and the
price of a measurement could depend on the graph. And something that `measure` kept outside of its outcomes (in a
module, in a cache) could reach `conclude`.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

import pytest
from every_small_graph import skewed_graph

from graphveil.central.attributes.toy import toy_column
from graphveil.central.edge.edges import EdgeCount
from graphveil.central.node.degree_histogram import NodeDegreeHistogram
from graphveil.central.node.triangles import NodeTriangles
from graphveil.central.query import Answer, PublicFacts, Query
from graphveil.graph.core import Graph
from graphveil.learn.toy import toy_people
from graphveil.mechanisms.laplace import NoisyInteger
from graphveil.mechanisms.measurement import Outcomes, draw
from graphveil.mechanisms.noise.source import SeededNoise
from graphveil.registry import QUERIES, Row

ONE = Fraction(1)
PEOPLE = 60
OPTIONS = {"partitions": ((0,) * PEOPLE, tuple(range(PEOPLE))), "people": toy_people(PEOPLE), "lower": 0, "upper": 5}
COLUMNS = {unit: toy_column(PEOPLE, public=unit == "edge") for unit in ("edge", "node")}
GRAPHS = {
    "edge": [
        Graph.from_edges([], n_nodes=PEOPLE),
        skewed_graph(PEOPLE, 100, seed=1),
        skewed_graph(PEOPLE, 900, seed=2),
    ],
    "node": [Graph.from_edges([], n_nodes=0), skewed_graph(60, 100, seed=1), skewed_graph(300, 4000, seed=2)],
}


def needed(algorithm: Row) -> dict[str, Any]:
    options = OPTIONS | {"column": COLUMNS[algorithm.unit]}
    return {name: options[name] for name in algorithm.needs}


ALGORITHMS: dict[str, Any] = {algorithm.name: algorithm.build(ONE, needed(algorithm)) for algorithm in QUERIES}
ALGORITHMS |= {
    "node-degree-histogram, small epsilon": NodeDegreeHistogram(epsilon=Fraction(1, 10)),
    "node-degree-histogram, public bound": NodeDegreeHistogram(epsilon=ONE, max_degree=20),
    "node-triangles, public bound": NodeTriangles(epsilon=ONE, max_degree=20),
}
ALGORITHMS = {name: query for name, query in ALGORITHMS.items() if isinstance(query, Query)}


def conclusions(query: Query) -> list[Answer]:
    """Answers from the same outcomes, each right after another graph was measured."""
    graphs = GRAPHS[query.unit]
    outcomes = draw(query.measure(graphs[1]), SeededNoise(1))
    answers = []
    for graph in graphs:
        query.measure(graph)
        answers.append(query.conclude(outcomes, PublicFacts.of(graph, query.unit)))
    return answers


@pytest.mark.parametrize("name", ALGORITHMS)
def test_equal_outcomes_give_equal_answers_whatever_graph_was_measured(name: str) -> None:
    first, *others = conclusions(ALGORITHMS[name])
    assert all(other == first for other in others)


@pytest.mark.parametrize("name", ALGORITHMS)
def test_words_and_prices_of_measurements_do_not_depend_on_the_graph(name: str) -> None:
    query = ALGORITHMS[name]
    listed = [[(part.text, part.loss) for part in query.measure(graph)] for graph in GRAPHS[query.unit]]
    assert listed[0] == listed[1] == listed[2]


KEPT: list[int] = []


@dataclass(frozen=True, slots=True)
class Leaky(EdgeCount):
    """Keeps the largest degree outside of what it measures, and says it."""

    leak: str = ""

    def measure(self, graph: Graph) -> tuple[NoisyInteger]:
        KEPT.append(int(graph.degrees.max(initial=0)))
        return EdgeCount.measure(self, graph)

    def conclude(self, outcomes: Outcomes, facts: PublicFacts) -> Answer:
        answer, largest = EdgeCount.conclude(self, outcomes, facts), KEPT[-1]
        if self.leak == "value":
            return replace(answer, value=largest)
        if self.leak == "stage":
            return replace(answer, stages=(replace(answer.stages[0], text=f"used degree {largest}"),))
        if self.leak == "derived":
            return replace(answer, derived={"max_degree": largest})
        return replace(answer, accuracy=replace(answer.accuracy, support=(0, largest)))


@pytest.mark.parametrize("leak", ["value", "stage", "derived", "support"])
def test_a_private_fact_that_goes_round_the_noise_is_seen(leak: str) -> None:
    first, *others = conclusions(Leaky(epsilon=ONE, leak=leak))
    assert any(other != first for other in others)
