"""How far one entry, or one answer, moves what two servers add up; and what a campaign of two counts costs."""

from fractions import Fraction

import numpy as np
import pytest

from graphveil.two_servers.sum_statistics import AttributeShares, DegreeDistribution, DegreeHistogram, Edges, Stars
from graphveil.two_servers.transitivity import Transitivity

SUMS = (
    Edges(12),
    DegreeDistribution(12),
    DegreeHistogram(12),
    *(Stars(12, limit, leaves) for limit in (1, 2, 5, 11) for leaves in (2, 3, 4)),
)


@pytest.mark.parametrize("statistic", SUMS, ids=str)
def test_one_entry_moves_the_sum_by_at_most_the_sensitivity(statistic):
    """One entry moves one degree by 1: all degrees are tried."""
    vectors = statistic.vectors(np.arange(12))
    moved = np.abs(np.diff(vectors, axis=0)).sum(axis=1)
    assert moved.max() <= statistic.sensitivity
    if not isinstance(statistic, Stars) or statistic.max_degree >= statistic.leaves:
        assert moved.max() == statistic.sensitivity


def test_one_answer_moves_the_sum_by_two():
    vectors = AttributeShares(5, ("a", "b", "c")).vectors(np.arange(3))
    moved = [int(np.abs(one - other).sum()) for one in vectors for other in vectors]
    assert max(moved) == AttributeShares.sensitivity == 2


@pytest.mark.parametrize("max_degree", [None, 7])
def test_degrees_triangles_and_stars_cost_epsilon_together(max_degree):
    plan = Transitivity("c", 30, Fraction(1), max_degree)
    noisy = None if max_degree else np.arange(30)
    stars, terms = plan.stars(noisy), plan.triangles.terms(noisy)
    spent = plan.triangles.degree_epsilon + terms.loss + plan.star_rate(stars) * stars.sensitivity
    assert spent <= plan.epsilon
    assert spent > Fraction(99, 100)
