"""Widths of ladders as levels: sensitivity 1, a close bound, and noise that takes a level below 0."""

from __future__ import annotations

from graphveil.statistics.ladder.ladder import ladder_from_level, level_of

Q = 7


def grown(width: int) -> int:
    """The most that a smoothed width may be one step further, or in a neighbour."""
    return width + width // Q


def test_the_widths_of_neighbours_are_at_most_one_level_apart() -> None:
    for width in range(300):
        assert level_of(grown(width), Q) - level_of(width, Q) in (0, 1)


def test_the_ladder_of_a_level_lies_above_all_that_have_it_and_not_by_much() -> None:
    for width in range(300):
        steps = ladder_from_level(level_of(width, Q), Q, 6).steps.tolist()
        assert len(steps) == 6
        highest = width
        for step in steps:
            assert step >= highest
            highest = grown(highest)
        assert steps[0] <= max(Q, grown(width))


def test_a_noisy_level_below_0_stands_for_level_0() -> None:
    assert ladder_from_level(0, Q, 4).steps.tolist() == [7, 8, 9, 10]
    assert ladder_from_level(-5, Q, 4).steps.tolist() == [7, 8, 9, 10]
