from __future__ import annotations

import numpy as np
import pytest

from graphveil.errors import ParameterError
from graphveil.local.protocols.frequency import OptimalUnaryDegrees
from graphveil.local.protocols.veil_degrees import VeilDegrees
from graphveil.local.rehearsal import invented_degrees, rehearse_degrees


def test_the_invented_people_have_the_guessed_mean() -> None:
    for mean in (3, 20, 80):
        assert invented_degrees(20_000, mean).mean() == pytest.approx(mean, rel=0.05)


def test_a_budget_too_small_to_beat_a_guess_is_called_so() -> None:
    weak = rehearse_degrees(VeilDegrees(epsilon="1/20", n_people=300), mean_degree=10, runs=3)
    strong = rehearse_degrees(VeilDegrees(epsilon=3, n_people=3000), mean_degree=10, runs=2)
    useless = rehearse_degrees(OptimalUnaryDegrees(epsilon=1, n_people=3000), mean_degree=10, runs=2)
    assert strong.advice.startswith("worth asking")
    assert strong.metrics["wasserstein"] < strong.guess["wasserstein"] / 2
    assert useless.advice.startswith("do not ask 3,000 people at epsilon 1")
    assert weak.metrics["wasserstein"] > strong.metrics["wasserstein"]
    assert np.isfinite(list(weak.metrics.values())).all()


def test_impossible_guesses_are_refused() -> None:
    for mean in (0, 300, -1):
        with pytest.raises(ParameterError):
            rehearse_degrees(VeilDegrees(epsilon=1, n_people=300), mean_degree=mean)
