"""The sound counterparts are sound: exact losses and sensitivities by enumeration."""

import itertools
import math
from fractions import Fraction

import numpy as np
import pytest

from graphveil.audit.engine.pairs import friend_list, toggle_edge
from graphveil.graph.core import Graph
from graphveil.mechanisms.noise.source import SeededNoise
from graphveil.papers.repairs import (
    N_OTHERS,
    SecondRound,
    asymmetric_response,
    per_tuple_noise,
    round_one_graph,
    triangle_transcript,
    two_stage_degrees,
)
from graphveil.statistics.joint_degrees.tuple_noise import count_pairs

E = math.e


def every_pair(graph: Graph) -> np.ndarray:
    return count_pairs(graph, graph.n_nodes - 1)


@pytest.mark.parametrize("share", [0.3, 0.6, 1.5])
def test_the_exact_loss_of_the_two_stages_together(share):
    """max(x, x + ln((1 + e^x) / 2)) by enumeration of 3 groups of 2 places, both stages at x."""
    groups, width = 3, 2
    keep = math.exp(share) / (math.exp(share) + groups - 1)
    flip = 1 / (math.exp(share) + 1)

    def law(group, place):
        chances = {}
        for named in range(groups):
            for bits in itertools.product((0, 1), repeat=width):
                chance = keep if named == group else (1 - keep) / (groups - 1)
                for j, bit in enumerate(bits):
                    one = 0.5 if (named == group and j == place) else flip
                    chance *= one if bit else 1 - one
                chances[named, bits] = chance
        return chances

    laws = [law(group, place) for group in range(groups) for place in range(width)]
    loss = max(math.log(a[key] / b[key]) for a, b in itertools.permutations(laws, 2) for key in a)
    assert loss == pytest.approx(max(share, share + math.log((1 + math.exp(share)) / 2)))


def test_the_two_stages_report_as_often_as_that_calculation_says():
    reports = two_stage_degrees(Fraction(1))(13, count=40_000, noise=SeededNoise(1))
    share = 0.633  # x + ln((1 + e^x) / 2) = 1
    truthful = reports[:, 0] == 1
    assert truthful.mean() == pytest.approx(math.exp(share) / (math.exp(share) + 4), abs=0.01)
    assert reports[truthful, 1 + 3].mean() == pytest.approx(0.5, abs=0.02)
    assert reports[~truthful, 1 + 3].mean() == pytest.approx(1 / (math.exp(share) + 1), abs=0.01)


def test_asymmetric_response_has_the_ratio_it_claims():
    bits = friend_list(N_OTHERS, [3])
    reports = asymmetric_response(Fraction(1))(bits, count=40_000, noise=SeededNoise(1))
    assert reports[:, 3].mean() == pytest.approx(0.3, abs=0.01)
    assert np.delete(reports, 3, axis=1).mean() == pytest.approx(0.3 / E, abs=0.002)


def test_one_friend_changes_a_cut_list_by_at_most_threshold_minus_one():
    """Brute force over all lists of 6 people and their neighbours, on random graphs and the worst one."""
    rng = np.random.default_rng(3)
    graphs = [round_one_graph()[9:15, 9:15], *(np.triu(rng.random((6, 6)) < 0.5, 1) for _ in range(20))]
    step = SecondRound(epsilon=Fraction(1), threshold=4)
    a, b = step.flip_probability.as_integer_ratio()

    def value(row, graph):
        kept = row & (np.cumsum(row) <= step.threshold)
        return b * (kept @ (graph | graph.T).astype(int) @ kept) / 2 - a * math.comb(int(kept.sum()), 2)

    worst = 0
    for graph in graphs:
        for bits in itertools.product((False, True), repeat=6):
            for j in range(6):
                row, other = np.array(bits), np.array(bits)
                other[j] ^= True
                worst = max(worst, abs(value(row, graph) - value(other, graph)))
    assert b * 2 < worst <= b * step.sensitivity


def test_weighted_noise_on_all_tuples_costs_less_than_epsilon():
    """Brute force over all graphs of 5 people and all edges: the sum of changes over scales stays below 1."""
    scale = np.concatenate([np.full(large, 4 * large + 1) for large in range(1, 5)])
    pairs = list(itertools.combinations(range(5), 2))
    worst = 0.0
    for chosen in itertools.product((0, 1), repeat=len(pairs)):
        graph = Graph.from_edges([pair for pair, on in zip(pairs, chosen, strict=True) if on], n_nodes=5)
        for u, v in pairs[:1]:  # by symmetry one pair stands for all
            change = np.abs(every_pair(graph) - every_pair(toggle_edge(graph, u, v)))
            worst = max(worst, (change / scale).sum())
    assert 0.6 < worst < 1


def test_tuples_are_noised_on_their_own_scale():
    star = Graph.from_edges([(0, i) for i in range(1, 5)])
    noisy = per_tuple_noise(Fraction(1))(star, count=4000, noise=SeededNoise(1))
    scale = np.abs(noisy - every_pair(star)).mean(axis=0)
    assert scale == pytest.approx(np.concatenate([np.full(large, 4 * large + 1) for large in range(1, 5)]), rel=0.1)


def test_the_transcript_is_one_row_of_degree_bits_and_count():
    row = triangle_transcript(Fraction(1))(friend_list(N_OTHERS, range(1, 8)), count=300, noise=SeededNoise(1))
    assert row.shape == (300, 1 + N_OTHERS + 1)
    assert set(np.unique(row[:, 1:-1])) == {0, 1}
