"""Half widths of heavy-tailed noise: above what is needed, and hardly."""

from fractions import Fraction

import numpy as np
import pytest
from scipy.integrate import quad

from graphveil.papers.peers.smooth_sensitivity import heavy_tail_half_widths


@pytest.mark.parametrize("failure", [0.5, 0.05, 0.001, 1e-6])
def test_half_widths_are_passed_as_often_as_stated(failure):
    """At a large scale sums are integrals: of 1 / (1 + x^4), which is pi / sqrt(2) over the whole line."""
    scale = Fraction(10**6)
    (width,) = heavy_tail_half_widths(scale, scale, np.array([failure]))
    beyond = 2 * quad(lambda x: 1 / (1 + x**4), width / float(scale), np.inf)[0] / (np.pi / np.sqrt(2))
    assert 0.97 * failure < beyond <= failure
