"""Every synthesizer of the registry passes the suite that plug-ins have to pass."""

from fractions import Fraction

import pytest

from graphveil.mechanisms.noise.source import SeededNoise
from graphveil.registry import SYNTHESIZERS, find_synthesizer
from graphveil.release.draw import run
from graphveil.testing.synthetic import CHECKS, network


@pytest.mark.parametrize("method", SYNTHESIZERS, ids=lambda method: method.name)
@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
def test_synthesizer(check, method):
    check(method)


@pytest.mark.parametrize("name", [method.name for method in SYNTHESIZERS if not method.refuted])
def test_three_methods_follow_people(name):
    fit = run(find_synthesizer(name).build(Fraction(1)), network(), SeededNoise(1))
    assert fit.follows_people == (name in ("tmf", "dgg", "privgraph"))
