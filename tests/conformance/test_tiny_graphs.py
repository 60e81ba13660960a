"""Two or three people, strangers or friends: everything answers, or says in one line what it needs."""

from fractions import Fraction
from itertools import combinations

import pytest

from graphveil.errors import GraphveilError
from graphveil.graph.core import Graph
from graphveil.graph.directed import oriented
from graphveil.local.simulate import simulate
from graphveil.mechanisms.noise.source import SeededNoise
from graphveil.registry import PROTOCOLS, QUERIES
from graphveil.release.draw import run

TINY = [
    oriented(Graph.from_edges(list(combinations(range(n), 2)) if friends else [], n_nodes=n, named=True))
    for n in (2, 3)
    for friends in (False, True)
]
NEEDS_MORE = {"class-rows": "label", "gs-ldp": "too few", "two-stage": "group_width"}  # and the words that say so


@pytest.mark.parametrize("unit", ["edge", "node"])
def test_every_query_answers(unit):
    for row in QUERIES:
        if row.unit == unit and not row.needs and getattr(row.cls, "reads", "edges") == "edges":
            for graph in TINY:
                assert run(row.build(Fraction(2)), graph, SeededNoise(1)).accuracy is not None, row.name


@pytest.mark.parametrize("unit", ["edge", "node"])
def test_every_protocol_answers_or_says_why_not(unit):
    for row in PROTOCOLS:
        for graph in TINY if row.unit == unit and not row.needs else []:
            said = ""
            try:
                simulate(row.cls(epsilon=Fraction(2), n_people=graph.n_nodes), graph, seed=1)
            except GraphveilError as refusal:
                said = str(refusal)
            if said:
                words = NEEDS_MORE.get(row.name) or NEEDS_MORE.get(row.query)
                assert words, row.name
                assert words in said, row.name
                assert "\n" not in said, row.name
