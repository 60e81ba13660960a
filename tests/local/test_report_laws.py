"""Reports drawn with discrete Laplace noise have the law that their guarantee is computed from."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from scipy.stats import chi2

from graphveil.local.degrees.noisy import NoisyDegrees
from graphveil.local.lists import Lists
from graphveil.local.protocol import RoundContext
from graphveil.local.simulate import seeded
from graphveil.papers.gs_ldp.projected_degrees import EdgeProjected, NodeProjected
from graphveil.papers.gs_ldp.random_jump import RandomJump

ALPHA = 1e-6
N, DEGREE, BOUND = 40_000, 7, 16
CASES = {
    "noisy degree": (lambda e: NoisyDegrees(epsilon=e, n_people=N), RoundContext(), DEGREE, lambda e: float(e)),
    "jump nearby": (lambda e: RandomJump(epsilon=e, n_people=N), RoundContext(), DEGREE, lambda e: float(e)),
    "edge-proj": (
        lambda e: EdgeProjected(epsilon=e, n_people=N),
        RoundContext(2, (BOUND,)),
        DEGREE,
        lambda e: float(e) / (2 * BOUND),
    ),
    "node-proj": (
        lambda e: NodeProjected(epsilon=e, n_people=N),
        RoundContext(2, (4,)),
        0,  # above a bound of 4 a person is dropped
        lambda e: float(e) / 8,
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_reports_have_the_stated_rate(name: str) -> None:
    build, context, centre, rate = CASES[name]
    protocol = build(Fraction(1))
    lists = Lists.of_degrees(np.full(N, DEGREE))
    reports = protocol.perturb(context, lists, seeded(2)(context.round, lists.people))
    top = context.published[0] if context.published else 3 * DEGREE
    critical = chi2.ppf(1 - ALPHA, top)
    assert _statistic(reports, centre, rate(1), top) < critical
    assert _statistic(reports, centre, rate(1) * 1.3, top) > critical
    assert _statistic(reports, centre, rate(1) / 1.3, top) > critical


def _statistic(reports: np.ndarray, centre: int, rate: float, top: int) -> float:
    """Chi-square over 0..top, with all that lies below or above collected at the ends."""
    r, far = np.exp(-rate), 4000
    law = (1 - r) / (1 + r) * r ** np.abs(np.arange(-far, far + 1.0))
    places = np.clip(np.arange(-far, far + 1) + centre, 0, top)
    expected = np.bincount(places, law, minlength=top + 1) * len(reports)
    observed = np.bincount(np.minimum(reports, top), minlength=top + 1)
    common = expected > 5
    return float(((observed - expected)[common] ** 2 / expected[common]).sum())
