"""Draws from ladders and heavy tails against their exact laws."""

from fractions import Fraction

import numpy as np
import pytest
from goodness_of_fit import Law, fits

from graphveil.mechanisms.ladder_sampler import rung_sizes, sample_ladder, sample_ladder_vector
from graphveil.mechanisms.noise.source import SeededNoise
from graphveil.papers.peers.published_ladder import PublishedLadder
from graphveil.papers.peers.smooth_sensitivity import heavy_tail_half_widths, sample_heavy_tail
from graphveil.statistics.ladder.ladder import Ladder, SmoothedLadder

FEW, MANY = 3_000, 60_000
STEPS = np.array([3, 4, 5, 6, 7, 8, 8])
LADDERS = {
    "constant tail": SmoothedLadder(Ladder(STEPS), Fraction(9, 10), Fraction(1, 4)),
    "linear tail": SmoothedLadder(Ladder(STEPS, slope=2), Fraction(9, 10), Fraction(1, 4)),
    "steep linear tail": SmoothedLadder(Ladder(np.array([1]), slope=5), Fraction(2), Fraction(1, 2)),
    "published": PublishedLadder(Ladder(STEPS), Fraction(14, 10)),
}


def ladder_law(rungs, rate=None):
    """The exact law, or that of another rate on the same rungs."""
    rate = float(rungs.rate if rate is None else rate)
    reach = rungs.reach(int(60 / rate) + 60)
    weights = np.exp(-rate * np.arange(len(reach)))
    total = (weights * rung_sizes(reach.tolist())).sum()
    far = int(reach[int(40 / rate)])
    return Law(-far, weights[np.searchsorted(reach, np.abs(np.arange(-far, far + 1)))] / total)


def heavy_law(scale):
    far = int(200 * scale)
    beyond = 2 * float(scale) ** 4 / (3 * far**3)  # of the weights s^4 / x^4
    weights = 1 / (1 + (np.arange(-far, far + 1) / float(scale)) ** 4)
    return Law(-far, weights / (weights.sum() + beyond))


@pytest.mark.parametrize("name", LADDERS)
@pytest.mark.parametrize("size", [FEW, pytest.param(MANY, marks=pytest.mark.laws)])
def test_ladder_draws_follow_the_law_and_no_other(name, size):
    rungs = LADDERS[name]
    noise = SeededNoise(5)
    sample = [sample_ladder(noise, 0, rungs) for _ in range(size)]
    assert fits(sample, ladder_law(rungs))
    assert not fits(sample, ladder_law(rungs, rungs.rate * Fraction(13, 10)))
    assert not fits(sample, ladder_law(rungs, rungs.rate * Fraction(7, 10)))


@pytest.mark.parametrize("name", LADDERS)
def test_many_draws_at_once_follow_the_same_law_and_no_other(name):
    rungs = LADDERS[name]
    sample = sample_ladder_vector(SeededNoise(5), 11, rungs, MANY) - 11
    assert fits(sample, ladder_law(rungs))
    assert not fits(sample, ladder_law(rungs, rungs.rate * Fraction(13, 10)))
    assert not fits(sample, ladder_law(rungs, rungs.rate * Fraction(7, 10)))


def test_few_bits_force_refinement_and_leave_the_law_as_it_is(monkeypatch):
    monkeypatch.setattr("graphveil.mechanisms.ladder_sampler.BITS", 3)
    rungs, noise = LADDERS["linear tail"], SeededNoise(6)
    for sample in ([sample_ladder(noise, 0, rungs) for _ in range(FEW)], sample_ladder_vector(noise, 0, rungs, FEW)):
        assert fits(sample, ladder_law(rungs))


@pytest.mark.parametrize("far", [1e-9, 0.2, 2.0], ids=["by floats", "by both", "by fractions"])
@pytest.mark.parametrize("scale", [Fraction(4, 5), Fraction(7, 3), Fraction(40)])
def test_heavy_tailed_draws_follow_the_law_and_no_other(scale, far, monkeypatch):
    monkeypatch.setattr("graphveil.papers.peers.smooth_sensitivity.FAR", far)
    sample = sample_heavy_tail(SeededNoise(8), scale, MANY if far < 1 else FEW)
    assert fits(sample, heavy_law(scale))
    assert not fits(sample, heavy_law(scale * Fraction(13, 10)))
    assert not fits(sample, heavy_law(scale * Fraction(7, 10)))


def test_heavy_tails_too_wide_for_64_bits_are_drawn_one_by_one(monkeypatch):
    monkeypatch.setattr("graphveil.papers.peers.smooth_sensitivity.WIDEST", 8)
    scale = Fraction(7, 3)
    assert fits(sample_heavy_tail(SeededNoise(9), scale, FEW), heavy_law(scale))


@pytest.mark.parametrize("scale", [Fraction(1, 3), Fraction(9, 10), Fraction(3), Fraction(50)])
def test_half_widths_of_heavy_tails_hold(scale):
    law = heavy_law(scale)
    for least in (scale, scale / 3):
        for failure in (0.5, 0.05, 0.001):
            width = int(np.ceil(heavy_tail_half_widths(scale, least, np.array([failure]))[0]))
            inside = law.probabilities[max(0, -law.first - width) : width - law.first + 1].sum()
            assert inside >= 1 - failure - 1e-6
