from fractions import Fraction

import numpy as np
import pytest
from scipy.stats import binom

from graphveil.errors import ParameterError
from graphveil.mechanisms.noise.additive import add_discrete_laplace
from graphveil.mechanisms.noise.source import SeededNoise
from graphveil.mechanisms.sums.tree import Tree, best_tree, noise_reach

TREES = [Tree(), Tree((2,)), Tree((3, 2)), Tree((2, 2, 2))]


@pytest.mark.parametrize("tree", TREES, ids=str)
def test_a_cover_is_made_of_finished_blocks_and_of_each_step_once(tree):
    finished = set()
    for step in range(1, 40):
        finished |= {(level, step // tree.widths[level] - 1) for level in tree.finished(step)}
        steps = []
        for level, index in tree.cover(step):
            steps += range(index * tree.widths[level], (index + 1) * tree.widths[level])
        assert steps == list(range(step))
        assert set(tree.weights(step)) <= finished


@pytest.mark.parametrize("tree", TREES, ids=str)
def test_weights_give_the_sum_of_any_changes_and_the_least_variance(tree):
    """Least squares on all finished blocks is the best that can be done; the weights are as good."""
    for step in (1, 5, 12, 23):
        weights = tree.weights(step)
        own = {
            (level, i): np.array([width * i <= s < width * (i + 1) for s in range(step)], dtype=float)
            for level, width in enumerate(tree.widths)
            for i in range(step // width)
        }
        np.testing.assert_allclose(sum(float(w) * own[place] for place, w in weights.items()), np.ones(step))
        matrix = np.array(list(own.values()))
        best = np.ones(step) @ np.linalg.inv(matrix.T @ matrix) @ np.ones(step)
        variance = float(sum(weight**2 for weight in weights.values()))
        assert variance == pytest.approx(best)
        assert tree.spread(step)[-1] == pytest.approx(variance)


def test_a_change_lies_in_one_block_of_every_level():
    """The theorem: one change of 1 moves as many blocks as there are levels, whatever the number of steps."""
    tree, steps = Tree((3, 2)), 30
    for changed in range(1, 1 + steps - steps % tree.widths[-1]):
        moved = sum(
            any((end - width) < changed <= end for _ in (0,))
            for width in tree.widths
            for end in range(width, steps + 1, width)
        )
        assert moved == tree.height


def test_a_year_of_days_has_an_error_below_12_and_fresh_noise_one_of_516():
    assert best_tree(365, Fraction(1)).rms(Fraction(1), 365) < 12
    assert best_tree(12, Fraction(1)) == Tree()
    fresh = Tree().rms(Fraction(1, 365), 1)
    assert 515 < fresh < 517


@pytest.mark.parametrize("step", [1, 17, 18, 40])
def test_the_reach_of_noise_is_that_of_draws(step):
    """Too few of 2,000 draws lie within the reach once in 2 million times; half the reach holds too few."""
    tree, rate = Tree((6,)), Fraction(1, 2)
    weights = list(tree.weights(step).values())
    noise = add_discrete_laplace(SeededNoise(step), np.zeros((2000, len(weights)), dtype=np.int64), rate)
    sums = np.abs(noise @ np.array([float(weight) for weight in weights]))
    (reach,) = noise_reach(weights, rate, (0.9,))
    least = binom.ppf(5e-7, 2000, 0.9)
    assert np.count_nonzero(sums <= reach + 1e-9) >= least
    assert np.count_nonzero(sums <= reach / 2) < least


def test_the_reach_of_one_noise_is_its_quantile():
    assert noise_reach([Fraction(1)], Fraction(1), (0.5, 0.95)) == (1.0, 3.0)


def test_a_block_has_parts():
    with pytest.raises(ParameterError, match="at least 2 parts"):
        Tree((1,))
