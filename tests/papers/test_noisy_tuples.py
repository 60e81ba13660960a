"""dK-PA, DRC and BCPA: their noise step does what the papers say, and gives the graph away as their heads say."""

from fractions import Fraction

import numpy as np
import pytest

from graphveil.graph.core import Graph
from graphveil.graph.generate.random import power_law_cluster
from graphveil.graph.statistics.degree_table import exact_joint_degrees
from graphveil.mechanisms.noise.source import SeededNoise
from graphveil.papers.bcpa.bcpa import Bcpa
from graphveil.papers.bcpa.dk_pa import DkPa
from graphveil.papers.bcpa.drc import Drc
from graphveil.privacy.guarantee import Verdict

ONE = Fraction(1)
SCHEMES = [
    DkPa(epsilon=ONE),
    Drc(epsilon=ONE, n_groups=3),
    Bcpa(epsilon=ONE, n_groups=3),
]


@pytest.mark.parametrize("scheme", SCHEMES, ids=lambda scheme: type(scheme).__name__)
def test_a_new_tuple_is_published_with_certainty(scheme):
    before = Graph.from_edges([(0, 1), (2, 3)], n_nodes=5)
    after = Graph.from_edges([(0, 1), (2, 3), (3, 4)], n_nodes=5)
    assert scheme.perturb(before, SeededNoise(1)).degrees.tolist() == [[1, 1]]
    assert scheme.perturb(after, SeededNoise(1)).degrees.tolist() == [[1, 1], [1, 2]]
    assert scheme.claim.verdict is Verdict.REFUTED


@pytest.mark.parametrize("scheme", SCHEMES, ids=lambda scheme: type(scheme).__name__)
def test_noise_has_the_published_scale_in_every_group(scheme):
    graph = power_law_cluster(40, 2, 0.4, seed=1)
    table = exact_joint_degrees(graph)
    largest = scheme.group_degrees(table, scheme.order(graph, table))
    assert (largest >= table.degrees[:, 1]).all()
    assert len(set(largest.tolist())) <= scheme.n_groups
    noise = scheme.perturb(graph, SeededNoise(3), runs=4000).counts - table.counts
    scale = np.abs(noise).mean(axis=0)  # E|X| is the scale, up to the grid
    assert scale == pytest.approx(4 * largest + 1, rel=0.15)


def test_one_group_uses_the_largest_degree_of_all():
    graph = power_law_cluster(40, 2, 0.4, seed=1)
    table = exact_joint_degrees(graph)
    scheme = DkPa(epsilon=ONE)
    largest = scheme.group_degrees(table, scheme.order(graph, table))
    assert set(largest.tolist()) == {int(graph.degrees.max())}
