"""GS-LDP's privacy-critical steps: they do what the paper says, and its claims fail in the way the protocols say."""

import itertools
import math
from fractions import Fraction

import numpy as np
import pytest

from graphveil.errors import ParameterError
from graphveil.mechanisms.noise.source import SeededNoise
from graphveil.papers.gs_ldp.grouped_degrees import GroupedDegrees
from graphveil.papers.gs_ldp.noisy_triangles import NoisyTriangles
from graphveil.papers.gs_ldp.pruned_lists import PrunedLists, Travel
from graphveil.privacy.guarantee import Verdict
from graphveil.privacy.unit import Kind

ONE = Fraction(1)


def pruned(travel, unit=Kind.EDGE, threshold=3, epsilon=ONE):
    return PrunedLists(epsilon=epsilon, threshold=threshold, unit=unit, travel=travel)


def test_the_group_number_is_never_noisy():
    protocol = GroupedDegrees(epsilon=ONE, group_width=10)
    reports = protocol.perturb([9] * 500 + [10] * 500, SeededNoise(1))
    assert reports.shape == (1000, 11)
    assert (reports[:500, 0] == 0).all()
    assert (reports[500:, 0] == 1).all()
    assert protocol.claim.verdict is Verdict.REFUTED
    assert protocol.claim.true_epsilon is None


def test_the_degree_distribution_is_estimated_without_bias():
    degrees = np.repeat([0, 3, 12, 19], [100, 700, 400, 800])
    protocol = GroupedDegrees(epsilon=Fraction(2), group_width=10)
    runs = [protocol.estimate(protocol.perturb(degrees, SeededNoise(seed))) for seed in range(200)]
    error = np.mean(runs, axis=0) - np.bincount(degrees, minlength=20) / len(degrees)
    spread = [math.sqrt(protocol.variance(len(degrees), size) / len(runs)) for size in (800, 1200)]
    assert (np.abs(error) < 6 * np.repeat(spread, 10)).all()
    assert np.std(runs, axis=0)[5] == pytest.approx(math.sqrt(protocol.variance(len(degrees), 800)), rel=0.3)


def test_pruning_lists_every_friend_or_only_friends():
    protocol = pruned(Travel.IDS_AND_BITS)
    few, many = np.eye(8)[0] + np.eye(8)[5], np.array([1, 1, 0, 1, 1, 1, 0, 0])
    listed, bits = protocol.prune(np.tile(few, (300, 1)), SeededNoise(1))
    assert all({0, 5} < set(row) and len(set(row)) == 3 for row in listed.tolist())
    assert bits.sum(axis=1).tolist() == [2] * 300
    listed, bits = protocol.prune(np.tile(many, (300, 1)), SeededNoise(1))
    assert bits.all()
    assert set(listed.ravel().tolist()) == {0, 1, 3, 4, 5}


def test_a_stranger_is_left_out_as_often_as_the_counterexample_says():
    n_others, friends = 20, 4
    protocol = pruned(Travel.IDS_AND_BITS, threshold=8)
    row = np.arange(n_others) < friends
    reports = protocol.perturb(np.tile(row, (20_000, 1)), SeededNoise(3))
    assert (reports[:, :friends] > 0).all()  # a friend is always listed
    left_out = (reports[:, -1] == 0).mean()
    assert left_out == pytest.approx((n_others - 8) / (n_others - friends), abs=0.02)


@pytest.mark.parametrize("unit", list(Kind))
def test_bits_are_flipped_as_often_as_the_paper_says(unit):
    protocol = pruned(Travel.BITS_ONLY, unit, threshold=4)
    bits = protocol.perturb(np.ones((20_000, 4)), SeededNoise(2))
    epsilon = 1 if unit is Kind.EDGE else 1 / 4
    assert bits.mean() == pytest.approx(1 / (1 + math.exp(-epsilon)), abs=0.01)


def test_only_ids_of_ones_travel_in_the_second_reading():
    protocol = pruned(Travel.IDS_OF_ONES, threshold=2)
    reports = protocol.perturb(np.tile([1, 1, 1, 0, 0], (2000, 1)), SeededNoise(2))
    assert set(np.unique(reports)) == {0, 2}
    assert (reports[:, 3:] == 0).all()  # above the threshold a stranger never shows


@pytest.mark.parametrize(
    ("travel", "verdict"),
    [
        (Travel.IDS_AND_BITS, Verdict.REFUTED),
        (Travel.IDS_OF_ONES, Verdict.REFUTED),
        (Travel.BITS_ONLY, Verdict.HOLDS),
    ],
)
def test_the_claim_depends_on_how_ids_travel(travel, verdict):
    assert pruned(travel).claim.verdict is verdict


@pytest.mark.parametrize("unit", [Kind.EDGE, Kind.NODE])
def test_the_second_round_changes_by_no_more_than_its_sensitivity(unit):
    """Brute force: every graph of 4 people, every list and every neighbouring list, at and below the threshold."""
    protocol = NoisyTriangles(epsilon=ONE, threshold=3, unit=unit, flip_probability=Fraction(1, 4))
    a, b = protocol.flip_probability.as_integer_ratio()
    lists = [np.array(row) for row in itertools.product((0, 1), repeat=4) if sum(row) <= 3]
    worst = 0
    for present in itertools.product((0, 1), repeat=6):
        graph = np.zeros((4, 4))
        graph[np.triu_indices(4, 1)] = present
        graph += graph.T
        values = []
        for row in lists:
            pairs = math.comb(int(row.sum()), 2)
            values.append(b * (row @ graph @ row) / 2 - a * pairs)
        for (i, one), (j, other) in itertools.combinations(enumerate(lists), 2):
            if unit is Kind.NODE or np.abs(one - other).sum() == 1 or (one.sum() == other.sum() == 3):
                worst = max(worst, abs(values[i] - values[j]))
    assert worst <= b * protocol.sensitivity
    assert worst == (2 * b if unit is Kind.EDGE else 10)  # edge: threshold - 1 is reached; node: two triples overlap


def test_the_second_round_counts_joined_pairs_of_friends():
    protocol = NoisyTriangles(epsilon=Fraction(4000), threshold=3, unit=Kind.EDGE, flip_probability=Fraction(1, 4))
    path = np.zeros((4, 4))
    path[[0, 1, 1, 2], [1, 0, 2, 1]] = 1
    reports = protocol.perturb([[1, 1, 1, 0], [1, 0, 1, 0], [0, 0, 0, 0]], path, SeededNoise(1))
    assert reports.tolist() == [4 * 2 - 3, 0 - 1, 0]
    assert protocol.claim.verdict is Verdict.HOLDS


@pytest.mark.parametrize(
    "make",
    [
        lambda: GroupedDegrees(epsilon=ONE, group_width=1),
        lambda: GroupedDegrees(epsilon=Fraction(0), group_width=3),
        lambda: pruned(Travel.BITS_ONLY, threshold=0),
        lambda: pruned(Travel.BITS_ONLY).perturb([[1, 0]], SeededNoise(1)),
        lambda: NoisyTriangles(epsilon=ONE, threshold=1, unit=Kind.EDGE, flip_probability=Fraction(1, 4)),
        lambda: NoisyTriangles(epsilon=ONE, threshold=3, unit=Kind.EDGE, flip_probability=Fraction(1, 2)),
    ],
)
def test_parameters_out_of_range_are_refused(make):
    with pytest.raises(ParameterError):
        make()
