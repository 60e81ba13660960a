"""`collect plan` names answers about pairs alone where they are forecast closer than counts with noise."""

from __future__ import annotations

import pytest

from graphveil.evaluation.alternatives import MOST_PEOPLE, closer_alternative
from graphveil.evaluation.contenders import friendship_epsilon
from graphveil.registry import build_protocol

GUESSES = {"mean_degree": 8, "clustering": 0.5}


def veil(statistic: str, *, epsilon: str, n_people: int = 200):
    return build_protocol(statistic, "veil", unit="edge", epsilon=epsilon, n_people=n_people)


@pytest.mark.parametrize("statistic", ["triangles", "triangle-sequence"])
def test_few_people_at_a_large_epsilon_are_told_of_answers_alone_at_the_same_loss_of_a_friendship(
    statistic: str,
) -> None:
    protocol = veil(statistic, epsilon="5/2")
    found = closer_alternative(protocol, **GUESSES)
    assert found is not None
    assert (found.protocol, found.epsilon) == ("rnl", friendship_epsilon(protocol))
    assert found.ratio < 0.6
    assert f"--epsilon {float(found.epsilon):g} --option estimate=unbiased" in found.advice


@pytest.mark.parametrize(
    ("statistic", "epsilon", "n_people"),
    [
        ("triangles", "1/2", 200),
        ("triangles", "1", 1000),
        ("clustering", "4", 200),
        ("triangles", "4", MOST_PEOPLE + 1),
    ],
)
def test_nothing_is_said_where_it_is_worthless_or_farther_off(statistic: str, epsilon: str, n_people: int) -> None:
    assert closer_alternative(veil(statistic, epsilon=epsilon, n_people=n_people), **GUESSES) is None
