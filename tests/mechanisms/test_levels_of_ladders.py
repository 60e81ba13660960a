"""The ends of ladders: few people, the smallest epsilon, and the rate of the published law."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from graphveil.papers.peers.published_ladder import PublishedLadder
from graphveil.statistics.ladder.functions import product_ladder
from graphveil.statistics.ladder.ladder import MIN_EPSILON, Ladder, SmoothedLadder


@pytest.mark.parametrize("people", [0, 1, 2, 3, 9])
def test_a_ladder_of_degree_products_ends_at_the_most_that_an_edge_can_change(people: int) -> None:
    steps = product_ladder((0, 0), (0, 0), people).steps
    most = max(0, people - 1)
    assert steps[-1] == 3 * most**2  # 2 (n - 1)^2 by the friends of both ends, (n - 1)^2 by the edge itself
    assert np.all(np.diff(steps) >= 0)


def test_a_rung_of_the_published_ladder_costs_half_of_epsilon() -> None:
    assert PublishedLadder(Ladder(np.array([3])), Fraction(3)).rate == Fraction(3, 2)


@pytest.mark.parametrize("law", [SmoothedLadder, PublishedLadder])
def test_the_smallest_epsilon_is_taken(law) -> None:
    assert law(Ladder(np.array([3])), MIN_EPSILON).rate > 0
