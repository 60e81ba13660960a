from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphveil.errors import ParameterError
from graphveil.local.degrees.channels import LaplaceChannel, SetChannel, WaveChannel, place_table
from graphveil.local.estimation.bins import DegreeBins, loose_bound
from graphveil.local.estimation.evidence import CountedReports, SubsetReports, add_up
from graphveil.local.estimation.penalised import Likelihood, averaged_fit, fit_logs, initial_logs, softmax
from graphveil.local.estimation.shape import Shape
from graphveil.local.estimation.smoothing import degrees_from_places, smoothed_shares
from graphveil.mechanisms.noise.source import SeededNoise
from graphveil.mechanisms.response import norm_sub
from graphveil.mechanisms.square_wave import SquareWave

NOBODY = np.array([], dtype=np.int64)  # a channel draws alike for everybody
BINS = DegreeBins(max_degree=999, singles=8, ratio=Fraction(13, 10))
shares_of_any_sign = st.lists(st.floats(-2, 2), min_size=1, max_size=30)


@given(shares_of_any_sign)
def test_norm_sub_is_the_nearest_distribution(shares: list[float]) -> None:
    nearest = norm_sub(shares)
    assert nearest.min() >= 0
    assert nearest.sum() == pytest.approx(1)
    kept = nearest > 1e-12
    taken = np.asarray(shares)[kept] - nearest[kept]
    assert np.ptp(taken) < 1e-9  # the same amount off every share that stays
    assert (np.asarray(shares)[~kept] <= taken.max() + 1e-9).all()  # and the others were below it


@given(st.integers(1, 3000), st.integers(0, 12), st.fractions(1, 3, max_denominator=20))
def test_bins_hold_every_degree_once_and_keep_mass(top: int, singles: int, ratio: Fraction) -> None:
    bins = DegreeBins(max_degree=top, singles=singles, ratio=ratio)
    assert bins.widths.sum() == top + 1
    assert np.array_equal(bins.place(np.arange(top + 1)), np.repeat(np.arange(bins.n_bins), bins.widths))
    assert bins.place([top + 5]).tolist() == [bins.n_bins - 1]
    shares = np.arange(1.0, bins.n_bins + 1)
    shares /= shares.sum()
    for spread in (bins.spread(shares), bins.spread_evenly(shares)):
        assert np.add.reduceat(spread, bins.edges[:-1]) == pytest.approx(shares)


def test_a_power_law_is_spread_as_a_power_law() -> None:
    density = np.arange(1, 1000.0) ** -2.0
    truth = np.concatenate(([0.2], 0.8 * density / density.sum()))
    spread = BINS.spread(np.add.reduceat(truth, BINS.edges[:-1]))
    inner = slice(20, 700)
    assert np.abs(spread[inner] / truth[inner] - 1).max() < 0.05


def test_bounds_come_from_the_number_of_people_alone() -> None:
    assert [loose_bound(n) for n in (2, 10, 4039, 36_692, 10**6)] == [1, 9, 1260, 3820, 20_000]
    for wrong in ({"max_degree": 0}, {"singles": -1}, {"ratio": Fraction(1, 2)}):
        with pytest.raises(ParameterError):
            DegreeBins(**{"max_degree": 9, "singles": 2, "ratio": Fraction(2), **wrong})


@pytest.mark.parametrize("epsilon", [Fraction(1, 2), Fraction(3)])
def test_the_likelihood_of_a_wave_is_the_mean_over_the_degrees_of_a_bin(epsilon: Fraction) -> None:
    channel = WaveChannel(epsilon, BINS, 40)
    wave, places = channel.wave, place_table(999, 40)
    steps = np.arange(wave.n_reports)[:, None] - places  # a report is near its place and the 2 half_width after it
    near = (steps >= 0) & (steps <= 2 * wave.half_width)
    by_degree = np.where(near, float(wave.near_probability), float(wave.far_probability))
    assert np.allclose(channel._likelihood(), BINS.average(by_degree))


@pytest.mark.parametrize("epsilon", [Fraction(1, 20), Fraction(1), Fraction(4)])
def test_the_likelihood_of_a_noisy_degree_is_the_mean_over_the_degrees_of_a_bin(epsilon: Fraction) -> None:
    bins = DegreeBins(max_degree=60, singles=3, ratio=Fraction(2))
    r, far = np.exp(-float(epsilon)), 3000
    law = (1 - r) / (1 + r) * r ** np.abs(np.arange(-far, far + 1.0))
    by_degree = np.zeros((61, 61))
    for degree in range(61):
        cut = np.clip(np.arange(-far, far + 1) + degree, 0, 60)
        by_degree[:, degree] = np.bincount(cut, law, minlength=61)
    likelihood = LaplaceChannel(epsilon, bins).likelihood(np.arange(61))
    assert likelihood == pytest.approx(bins.average(by_degree), rel=1e-9)


def test_sums_over_reports_are_what_they_say() -> None:
    rng = np.random.default_rng(1)
    shares = rng.dirichlet(np.ones(BINS.n_bins))
    likelihood = rng.uniform(0.1, 1, (7, BINS.n_bins))
    counts = rng.integers(1, 9, 7).astype(float)
    members = np.array([sorted(rng.choice(BINS.n_bins, 4, replace=False)) for _ in range(30)])
    rows = np.ones((30, BINS.n_bins))
    np.put_along_axis(rows, members, 2.5, axis=1)
    everything = np.vstack((likelihood, rows))
    weights = np.concatenate((counts, np.ones(30)))
    chance = everything @ shares
    sums = add_up([CountedReports(counts, likelihood), SubsetReports(members, 2.5)], shares)
    assert sums.log_likelihood == pytest.approx(weights @ np.log(chance))
    assert sums.first == pytest.approx((weights / chance) @ everything)
    scaled = everything / chance[:, np.newaxis]
    assert sums.second == pytest.approx(scaled.T @ (weights[:, np.newaxis] * scaled))


def test_a_fit_finds_the_top_of_its_objective() -> None:
    rng = np.random.default_rng(2)
    shape = Shape(BINS, 1000)
    wave = WaveChannel(Fraction(1), BINS, 64)
    evidence = [wave.evidence(wave.draw(NOBODY, rng.integers(1, 60, 4000), SeededNoise(1)))]
    likelihood, penalty = Likelihood(evidence), shape.penalty(2.5)
    logs = fit_logs(likelihood, penalty, likelihood(initial_logs(shape))).logs

    def objective(theta: np.ndarray) -> float:
        return add_up(evidence, softmax(theta)).log_likelihood - penalty.value(theta) - 5e-5 * float(theta @ theta)

    best = objective(logs)
    for _ in range(200):
        assert objective(logs + 0.02 * rng.standard_normal(len(logs))) < best + 1e-3


def _log_normal_people(n: int) -> tuple[np.ndarray, np.ndarray]:
    degrees = np.minimum(np.exp(np.random.default_rng(5).normal(2.5, 0.9, n)).astype(int), 999)
    return degrees, np.bincount(degrees, minlength=1000) / n


@pytest.mark.parametrize("channel", [SetChannel(Fraction(2), BINS), WaveChannel(Fraction(2), BINS, 128)], ids=type)
def test_estimates_converge_as_people_join(channel) -> None:
    errors = []
    for n in (300, 30_000):
        degrees, truth = _log_normal_people(n)
        reports = channel.draw(NOBODY, degrees, SeededNoise(3))
        halves = [channel.evidence(reports[side::2]) for side in (0, 1)]
        fit = averaged_fit(Shape(BINS, n), [halves[0]], [halves[1]])
        errors.append(np.abs(np.cumsum(BINS.spread(fit.shares) - truth)).max())
    assert errors[1] < errors[0] / 3
    assert errors[1] < 0.015


def test_a_fit_survives_almost_no_reports() -> None:
    sets = SetChannel(Fraction(1), BINS)
    one = sets.evidence(sets.draw(NOBODY, np.array([5]), SeededNoise(1)))
    none = sets.evidence(sets.draw(NOBODY, np.array([], dtype=np.int64), SeededNoise(1)))
    for first, second in ((one, none), (none, one)):
        fit = averaged_fit(Shape(BINS, 1000), [first], [second])
        assert fit.shares.sum() == pytest.approx(1)
        assert np.isfinite(fit.shares).all()


def test_small_bins_have_no_shape_and_still_a_fit() -> None:
    tiny = DegreeBins(max_degree=2, singles=8, ratio=Fraction(2))
    sets = SetChannel(Fraction(5), tiny)
    reports = sets.draw(NOBODY, np.repeat([0, 1, 2], [100, 200, 700]), SeededNoise(1))
    fit = averaged_fit(Shape(tiny, 3), [sets.evidence(reports[::2])], [sets.evidence(reports[1::2])])
    assert fit.shares == pytest.approx([0.1, 0.2, 0.7], abs=0.04)


def test_smoothing_finds_a_smooth_distribution() -> None:
    wave = SquareWave(epsilon=2, n_values=64)
    line = np.random.default_rng(3).beta(4, 8, 30_000)
    places = np.minimum((line * 64).astype(int), 63)
    shares = smoothed_shares(wave, np.bincount(wave.perturb(places, SeededNoise(2)), minlength=wave.n_reports))
    assert np.abs(np.cumsum(shares - np.bincount(places, minlength=64) / 30_000)).max() < 0.03
    assert shares.sum() == pytest.approx(1)


def test_places_hand_their_mass_to_the_nearest_degrees() -> None:
    spread = degrees_from_places(np.full(512, 1 / 512), 100)
    assert spread.sum() == pytest.approx(1)
    assert spread[0] == pytest.approx(np.log(1.5) / np.log(101))
    assert spread[3] == pytest.approx(np.log(4.5 / 3.5) / np.log(101))
