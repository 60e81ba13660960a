from __future__ import annotations

from fractions import Fraction
from itertools import combinations
from math import comb

import numpy as np
import pytest
from scipy.stats import chi2

from graphveil.errors import ParameterError
from graphveil.mechanisms.noise.source import SeededNoise
from graphveil.mechanisms.subset import SubsetSelection, best_size
from graphveil.privacy.rounding import exp_bounds

ALPHA = 1e-6


def law(selection: SubsetSelection, value: int) -> dict[tuple[int, ...], Fraction]:
    """Exact probability of every set."""
    n, size, p = selection.n_values, selection.size, selection.keep_probability
    return {
        chosen: p / comb(n - 1, size - 1) if value in chosen else (1 - p) / comb(n - 1, size)
        for chosen in combinations(range(n), size)
    }


@pytest.mark.parametrize(("epsilon", "n_values", "size"), [(1, 6, 0), (Fraction(1, 3), 5, 2), (3, 4, 1), (2, 5, 4)])
def test_the_loss_of_every_report_is_at_most_epsilon_and_all_of_it_is_used(epsilon, n_values, size) -> None:
    selection = SubsetSelection(epsilon=epsilon, n_values=n_values, size=size)
    laws = [law(selection, value) for value in range(n_values)]
    assert all(sum(one.values()) == 1 for one in laws)
    worst = max(a[report] / b[report] for a in laws for b in laws for report in a)
    assert worst == selection.worst_ratio
    low, _ = exp_bounds(Fraction(epsilon), bits=80)
    assert worst <= low
    assert float(worst) == pytest.approx(float(low), rel=1e-12)


def test_a_report_has_the_stated_law() -> None:
    selection = SubsetSelection(epsilon=1, n_values=6, size=2)
    reports = selection.perturb(np.full(60_000, 2), SeededNoise(4))
    seen = np.bincount(reports @ [6, 1], minlength=36)
    codes = [6 * a + b for a, b in combinations(range(6), 2)]
    assert seen.sum() == seen[codes].sum()

    def statistic(truth: SubsetSelection) -> float:
        expected = np.array([float(share) for share in law(truth, 2).values()]) * 60_000
        return float(((seen[codes] - expected) ** 2 / expected).sum())

    critical = chi2.ppf(1 - ALPHA, len(codes) - 1)
    assert statistic(selection) < critical
    assert statistic(SubsetSelection(epsilon=0.7, n_values=6, size=2)) > critical
    assert statistic(SubsetSelection(epsilon=1.3, n_values=6, size=2)) > critical


def test_the_estimate_is_unbiased_and_has_the_stated_variance() -> None:
    selection = SubsetSelection(epsilon=1, n_values=8)
    values = np.repeat(np.arange(4), 500)
    estimates = np.array(
        [selection.estimate(selection.count(selection.perturb(values, SeededNoise(s))), 2000) for s in range(200)]
    )
    truth = np.bincount(values, minlength=8)
    for k in range(8):
        std = selection.variance(2000, int(truth[k])) ** 0.5
        assert abs(estimates[:, k].mean() - truth[k]) < 5 * std / 200**0.5
        assert 0.75 < estimates[:, k].std() / std < 1.25


def test_the_size_follows_epsilon_and_impossible_sizes_are_refused() -> None:
    assert [best_size(epsilon, 40) for epsilon in (0.001, 1, 3, 50)] == [20, 11, 2, 1]
    for size in (-1, 5, 9):
        with pytest.raises(ParameterError, match="1 to 4"):
            SubsetSelection(epsilon=1, n_values=5, size=size)
