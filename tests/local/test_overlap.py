"""What answers about pairs do to a total: estimated without bias from the answers themselves."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.stats import norm

from graphveil.graph.generate.random import power_law_cluster
from graphveil.local.estimation.overlap import measure_overlap, pairs_variance, unbiased_pairs
from graphveil.local.lists import Lists
from graphveil.local.pairs.noisy_graph import join_replies
from graphveil.local.pairs.pair_owners import PairOwners
from graphveil.local.pairs.replies import reply, unpack_replies
from graphveil.local.pairs.response import PairResponse
from graphveil.local.protocol import Received
from graphveil.local.simulate import seeded
from graphveil.mechanisms.noise.person_noise import add_personal_laplace

ALPHA = 1e-6
CRITICAL = -norm.ppf(ALPHA / 2)
PEOPLE = 70  # more than a word of 64 bits
NETWORK = power_law_cluster(PEOPLE, 8, 0.6, seed=3)


def friends() -> NDArray[np.bool_]:
    table = np.zeros((PEOPLE, PEOPLE), dtype=np.bool_)
    for person in range(PEOPLE):
        table[person, NETWORK.neighbors(person)] = True
    return table


def exact_sums(table: NDArray[np.bool_], *, whole: bool) -> tuple[int, int]:
    counted = (table if whole else np.triu(table, 1)).astype(np.int64)
    low, high = np.triu_indices(PEOPLE, 1)
    c = (counted.T @ counted)[low, high]
    return int(c.sum()), int((c**2).sum())


@pytest.mark.parametrize("whole", [False, True])
def test_counted_pairs_and_their_squares_are_right_on_average(whole: bool) -> None:
    """And would not be, were the answers' own probability taken 30 % too large."""
    table, rng, draws = friends(), np.random.default_rng(5), 300
    response, wrong = PairResponse(Fraction(2)), PairResponse(Fraction(17, 10))
    found, off = [], []
    for _ in range(draws):
        words = np.triu(rng.random((PEOPLE, PEOPLE)), 1)
        likely = np.where(table, float(response.friend_probability), float(response.flip_probability))
        upper = np.triu(words < likely, 1)
        bits = upper | upper.T
        found.append(measure_overlap(bits, response, whole=whole))
        off.append(measure_overlap(bits, wrong, whole=whole))
    for name, truth in zip(("counted", "squares"), exact_sums(table, whole=whole), strict=True):
        right, twin = (np.array([getattr(one, name) for one in each]) for each in (found, off))
        allowed = CRITICAL * right.std(ddof=1) / np.sqrt(draws)
        assert abs(right.mean() - truth) < allowed
        assert abs(twin.mean() - truth) > allowed


def test_chance_among_strangers_is_as_large_as_stated() -> None:
    response, rng = PairResponse(Fraction(1)), np.random.default_rng(6)
    found = []
    for _ in range(300):
        upper = np.triu(rng.random((PEOPLE, PEOPLE)) < float(response.flip_probability), 1)
        found.append(measure_overlap(upper | upper.T, response))
    for name in ("counted", "squares"):
        spread = np.std([getattr(one, name) for one in found], ddof=1)
        assert 0.75 < spread / getattr(found[0], f"{name}_std") < 1.25


@pytest.mark.parametrize("ranked", [False, True])
def test_an_excerpt_is_the_same_on_demand_and_written_out(ranked: bool) -> None:
    everybody = np.arange(PEOPLE)
    ranks = np.random.default_rng(2).permutation(PEOPLE) if ranked else np.empty(0, dtype=np.int64)
    owners, response, lists = (
        PairOwners(PEOPLE, Fraction(1), ranks=ranks),
        PairResponse(Fraction(1)),
        Lists.of_graph(NETWORK),
    )
    lazy = reply(lists, owners, response, seeded(4)(1, everybody))
    written = unpack_replies(lazy.pack(), everybody, owners)
    some = np.random.default_rng(8).permutation(PEOPLE)[:40]
    on_demand, in_bits = (
        join_replies(Received(everybody, batch), owners, response).among(some) for batch in (lazy, written)
    )
    assert np.array_equal(on_demand, in_bits)
    assert np.array_equal(on_demand, on_demand.T)
    assert not on_demand.diagonal().any()
    assert 0.2 < on_demand.mean() < 0.6


def test_pairs_of_noisy_lengths_have_the_stated_mean_and_variance() -> None:
    lengths, epsilon = np.repeat([0, 1, 3, 12], 50), Fraction(1, 2)
    noise = seeded(7)
    drawn = [add_personal_laplace(noise(i, np.arange(200)), lengths, epsilon) for i in range(1, 255)]
    totals = np.array([unbiased_pairs(noisy, epsilon) for noisy in drawn])
    stated = np.mean([pairs_variance(noisy, epsilon) for noisy in drawn])
    truth = (lengths * (lengths - 1) // 2).sum()
    assert abs(totals.mean() - truth) < CRITICAL * np.sqrt(stated / len(totals))
    assert 0.7 < totals.var(ddof=1) / stated < 1.4
