"""The 95 % interval of every query of the registry holds as often as it says, for vectors in all entries at once.

An interval that holds with probability 0.95 or more falls below the critical number of draws with probability ALPHA, on
each of the graphs. The counterpart draws the same queries with louder noise than their intervals assume, and must fail.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from scipy.stats import binom

from graphveil.central.attributes.mixing import known_cells
from graphveil.central.attributes.toy import toy_column
from graphveil.central.query import Answer, IntegerStatistic
from graphveil.graph.core import Graph
from graphveil.graph.directed import oriented
from graphveil.graph.generate.random import power_law_cluster
from graphveil.graph.project import project_first_edges
from graphveil.graph.statistics.clustering import exact_average_clustering, exact_transitivity
from graphveil.graph.statistics.degrees import exact_assortativity, exact_k_stars
from graphveil.graph.statistics.group_triangles import exact_group_triangles
from graphveil.graph.statistics.small_patterns import exact_cliques, exact_four_cycles
from graphveil.graph.statistics.triads import exact_two_paths
from graphveil.graph.statistics.triangles import exact_triangles
from graphveil.mechanisms.noise.source import SeededNoise
from graphveil.papers.peers import smooth_sensitivity
from graphveil.registry import QUERIES
from graphveil.release.draw import run
from graphveil.statistics.degrees.degree_classes import DegreeClasses, Q, exact_class_sums
from graphveil.statistics.joint_degrees.soft import count_soft_cells
from graphveil.statistics.mixing import homophily, mixing_counts

ALPHA = 1e-6
DRAWS = 400
LEAST = int(binom.ppf(ALPHA, DRAWS, 0.95))
LOUDER = 8
NETWORK = power_law_cluster(400, 5, 0.5, seed=5)
OTHERS = {
    "equal degrees": Graph.from_edges([(i, (i + j) % 300) for i in range(300) for j in range(1, 21)]),
    "one hub": Graph.from_edges([(0, i) for i in range(1, 200)] + [(i, i + 1) for i in range(1, 199, 2)], n_nodes=250),
    "few edges": Graph.from_edges([(2 * i, 2 * i + 1) for i in range(40)], n_nodes=300),
}


COLUMN, PRIVATE = (toy_column(400, public=public) for public in (True, False))


def soft_cells(graph: Graph) -> Any:
    cells, integers = count_soft_cells(graph)
    return integers / 2.0 ** cells.sum(axis=1)


def capped_curve(graph: Graph) -> Any:
    classes = DegreeClasses(graph.n_nodes)
    sums, scaled = exact_class_sums(graph, classes)
    people = scaled / 2.0 ** np.arange(1, classes.count)
    return np.divide(sums / Q, people, out=np.zeros(len(sums)), where=people > 0)


def mean_value(graph: Graph) -> Any:
    of = COLUMN.groups_of(range(graph.n_nodes))
    return 1 + of[of < 2].mean()  # the values are 1 and 2


TRUTHS: Mapping[str, Callable[[Graph], Any]] = {
    "edges": lambda graph: graph.n_edges,
    "degree-histogram": lambda graph: np.bincount(graph.degrees),
    "degree-distribution": lambda graph: np.bincount(graph.degrees) / graph.n_nodes,
    "degree-sequence": lambda graph: np.sort(graph.degrees)[::-1],
    "triangles": exact_triangles,
    "2-stars": lambda graph: exact_k_stars(graph, 2),
    "3-stars": lambda graph: exact_k_stars(graph, 3),
    "k-stars": lambda graph: exact_k_stars(graph, 4),
    "4-cliques": lambda graph: exact_cliques(graph, 4),
    "5-cliques": lambda graph: exact_cliques(graph, 5),
    "4-cycles": exact_four_cycles,
    "transitivity": exact_transitivity,
    "average-clustering": exact_average_clustering,
    "clustering-by-degree": capped_curve,
    "assortativity": exact_assortativity,
    "joint-degrees": soft_cells,
    "mixing": lambda graph: mixing_counts(graph, COLUMN.groups_of(range(graph.n_nodes)), 3),
    "group-triangles": lambda graph: exact_group_triangles(graph, COLUMN.groups_of(range(graph.n_nodes)), 3),
    "attribute-histogram": lambda graph: np.bincount(COLUMN.groups_of(range(graph.n_nodes)), minlength=3),
    "attribute-mean": mean_value,
    "homophily": lambda graph: homophily(TRUTHS["mixing"](graph)[known_cells(COLUMN)], 2),
    "in-degree-histogram": lambda graph: np.bincount(oriented(graph).in_degrees),
    "out-degree-histogram": lambda graph: np.bincount(oriented(graph).out_degrees),
    "dyads": lambda graph: (0, graph.n_edges, math.comb(graph.n_nodes, 2) - graph.n_edges),
    "reciprocity": lambda _: 0.0,
    "transitive-triples": exact_triangles,  # of edges that all point to the later person
    "cyclic-triples": lambda _: 0,
    "mutual-triangles": lambda _: 0,
    "2-paths": lambda graph: exact_two_paths(oriented(graph)),
    "weighted-total": lambda graph: graph.n_edges,
    "strength-histogram": lambda graph: np.bincount(graph.degrees),
}
QUICK = ("edge-count", "degree-histogram", "young-degree-sequence", "ladder-triangles", "node-edge-count")
# among few people, 1 leaves intervals that hold anything
EPSILONS = {"assortativity": 20, "node-transitivity": 12, "node-homophily": 1200}
# their intervals allow for a noisy bound or add up ends of parts, so 8 times is within them too often
MUCH_LOUDER = {"node-transitivity": 40, "homophily": 60, "node-homophily": 60}
OPTIONS = {
    "node-transitivity": {"max_degree": 60},  # and so does a bound near the h-index
    "mixing": {"column": COLUMN},
    "homophily": {"column": COLUMN},
    "group-triangles": {"column": COLUMN},
    "weighted-total": {"max_weight": 1},  # what an edge weighs here
    "strength-histogram": {"max_weight": 1},
    "node-weighted-total": {"max_strength": 400},  # nobody is cut
    "node-mixing": {"column": PRIVATE},
    "node-homophily": {"column": PRIVATE, "max_degree": 400},
    "attribute-histogram": {"column": PRIVATE},
    "attribute-mean": {"column": PRIVATE, "lower": 0, "upper": 2},
}
WITH_INTERVALS = [a for a in QUERIES if a.query in TRUTHS or issubclass(a.cls, IntegerStatistic)]
over_intervals = pytest.mark.parametrize(
    "algorithm",
    [pytest.param(a, id=a.name, marks=() if a.name in QUICK else pytest.mark.laws) for a in WITH_INTERVALS],
)


def held(answer: Answer, truth: Any, *, nobody_beyond: bool) -> bool:
    """Return whether every entry lies in its interval; where nobody is said to be beyond the last, those are 0."""
    low, high = (np.atleast_1d(np.asarray(end, dtype=np.float64)) for end in answer.accuracy.interval(0.95))
    known = np.atleast_1d(np.asarray(truth, dtype=np.float64))
    size = max(len(low), len(known)) if nobody_beyond else len(low)
    low, high, known = (np.pad(entries, (0, max(0, size - len(entries))))[:size] for entries in (low, high, known))
    return bool(np.all((low <= known + 1e-6) & (known <= high + 1e-6)))


def coverage(algorithm: Any, draws: int, graph: Graph = NETWORK) -> int:
    query = algorithm.build(Fraction(EPSILONS.get(algorithm.name, 1)), OPTIONS.get(algorithm.name, {}))
    count, noise = 0, SeededNoise(11)
    truth = (TRUTHS.get(algorithm.query) or algorithm.build(1).exact)(graph)
    for _ in range(draws):
        answer = run(query, graph, noise)
        if algorithm.name == "node-transitivity":  # its interval speaks of the cut graph
            truth = exact_transitivity(project_first_edges(graph, answer.derived["max_degree"]))
        count += held(answer, truth, nobody_beyond="nobody beyond the last" in answer.accuracy.scope)
    return count


def test_every_interval_is_tested() -> None:
    names = {"most-connected", "top-people", "best-partition", "adjacency"}
    without = {*names, "class-rows"}  # counts that only a classifier reads
    covered = set(TRUTHS) | {a.query for a in QUERIES if issubclass(a.cls, IntegerStatistic)}
    assert {a.query for a in QUERIES} == covered | without


@over_intervals
def test_intervals_hold_as_often_as_they_say(algorithm: Any) -> None:
    assert coverage(algorithm, DRAWS) >= LEAST


@pytest.mark.laws
@pytest.mark.parametrize("algorithm", WITH_INTERVALS, ids=lambda algorithm: algorithm.name)
@pytest.mark.parametrize("graph", OTHERS.values(), ids=OTHERS)
def test_intervals_hold_on_other_graphs(algorithm: Any, graph: Graph) -> None:
    draws = DRAWS // 2
    assert coverage(algorithm, draws, graph) >= int(binom.ppf(ALPHA, draws, 0.95))


@over_intervals
def test_louder_noise_than_assumed_is_seen(algorithm: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    times = MUCH_LOUDER.get(algorithm.name, LOUDER)

    def louder(draw: Any) -> Any:
        def scaled(noise: Any, values: Any, law: Any, *sums: Any) -> Any:
            return values + times * (draw(noise, values, law, *sums) - values)

        return scaled

    for name, module in list(sys.modules.items()):
        for drawn in ("add_discrete_laplace", "sample_ladder"):
            if name.startswith("graphveil.") and hasattr(module, drawn):
                monkeypatch.setattr(module, drawn, louder(getattr(module, drawn)))
    heavy_tail = smooth_sensitivity.sample_heavy_tail
    monkeypatch.setattr(smooth_sensitivity, "sample_heavy_tail", lambda *law: times * heavy_tail(*law))
    assert coverage(algorithm, DRAWS) < LEAST
