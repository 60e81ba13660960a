"""How far one entry, or one answer, moves what two servers add up; and what a campaign of two counts costs."""

from fractions import Fraction

import numpy as np
import pytest

from graphveil.two_servers.experiment import OPTIONS
from graphveil.two_servers.sum_statistics import AttributeShares, DegreeDistribution, DegreeHistogram, Edges, Stars
from graphveil.two_servers.transitivity import Transitivity
from graphveil.two_servers.triangles import Triangles

SUMS = (
    Edges(4),
    DegreeDistribution(4),
    DegreeHistogram(4),
    *(Stars(4, limit, leaves) for limit in (1, 2, 3) for leaves in (2, 3)),
)
LARGER = (Edges(12), DegreeDistribution(60), *(Stars(12, limit, leaves) for limit in (5, 11) for leaves in (2, 4)))
SYSTEMS = np.arange(2**12)
CELLS = [(i, j) for i in range(4) for j in range(4) if i != j]


@pytest.mark.parametrize("statistic", SUMS, ids=str)
def test_entries_and_relationships_in_all_systems_of_four_lists(statistic):
    """All 4,096 systems, whatever the others list: the bound of an entry is attained, a relationship moves twice that.

    `triangles` has its own test over all systems, and `transitivity` is triangles and stars.
    """
    degrees = [sum(SYSTEMS >> place & 1 for place, cell in enumerate(CELLS) if cell[0] == i) for i in range(4)]
    sums = sum(statistic.vectors(each) for each in degrees)
    most = 0
    for place, (i, j) in enumerate(CELLS):
        entry = 1 << place
        moved = np.abs(sums - sums[SYSTEMS ^ entry]).sum(axis=1)
        most = max(most, int(moved.max()))
        other = 1 << CELLS.index((j, i))
        strangers = SYSTEMS[SYSTEMS & (entry | other) == 0]
        both = np.abs(sums[strangers] - sums[strangers | entry | other]).sum(axis=1)
        assert both.max() <= 2 * statistic.sensitivity
    assert most == statistic.sensitivity or (most < statistic.sensitivity and statistic.max_degree < statistic.leaves)


def test_every_statistic_has_its_sensitivity_checked():
    assert {each.name for each in SUMS} | {"attribute-shares", "triangles", "transitivity"} == set(OPTIONS)


@pytest.mark.parametrize("statistic", LARGER, ids=str)
def test_one_more_friend_moves_a_larger_sum_by_the_sensitivity(statistic):
    """All degrees are tried."""
    moved = np.abs(np.diff(statistic.vectors(np.arange(statistic.n_people)), axis=0)).sum(axis=1)
    assert moved.max() == statistic.sensitivity


def test_one_answer_moves_the_sum_by_two():
    vectors = AttributeShares(5, ("a", "b", "c")).vectors(np.arange(3))
    moved = [int(np.abs(one - other).sum()) for one in vectors for other in vectors]
    assert max(moved) == AttributeShares.sensitivity == 2


@pytest.mark.parametrize("max_degree", [None, 7])
def test_degrees_triangles_and_stars_cost_epsilon_together(max_degree):
    plan = Transitivity(Triangles("c", 30, Fraction(1), max_degree))
    noisy = None if max_degree else np.arange(30)
    stars, terms = plan.stars(noisy), plan.triangles.terms(noisy)
    spent = plan.triangles.degree_epsilon + terms.loss + plan.star_rate(stars) * stars.sensitivity
    assert spent <= 1
    assert spent > Fraction(99, 100)


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("statistic", [*SUMS[:3], Stars(4, 3, 2), AttributeShares(4, ("a", "b", "c"))], ids=str)
def test_a_liar_can_spoil_a_sum_but_not_stop_its_result(statistic):
    rng = np.random.default_rng(1)
    for total in (rng.integers(-(2**63), 2**63, statistic.length), -(2**63), 2**63 - 1, -40):
        found = statistic.conclude(np.full(statistic.length, total, dtype=np.int64), Fraction(1, 2))
        assert np.isfinite(found.value).all()
        assert (np.array(found.low) <= np.array(found.high)).all()
