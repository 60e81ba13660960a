"""One suite over every algorithm of the registry: what a session and a reader may rely on."""

import dataclasses
import json
import math
from fractions import Fraction

import pytest

from graphveil.central.page import PublicFacts
from graphveil.errors import ParameterError
from graphveil.graph.core import Graph
from graphveil.graph.generate import power_law_cluster
from graphveil.mechanisms.source import SeededNoise, SystemNoise
from graphveil.privacy.guarantee import Status
from graphveil.release.registry import ALGORITHMS, Algorithm
from graphveil.release.session import Session
from graphveil.release.storage import dump_releases, load_releases

OPTIONS = {"max_degree": 6, "partitions": ((0,) * 200, tuple(range(200)))}
NETWORK = power_law_cluster(200, 4, 0.5, seed=5)
EDGE_CASES = {
    "nobody": Graph.from_edges([], n_nodes=0),
    "one person": Graph.from_edges([], n_nodes=1),
    "two strangers": Graph.from_edges([], n_nodes=2),
    "two friends": Graph.from_edges([(0, 1)]),
    "a triangle": Graph.from_edges([(0, 1), (1, 2), (2, 0)]),
    "everybody knows everybody": Graph.from_edges([(i, j) for i in range(9) for j in range(i)]),
}

over_all = pytest.mark.parametrize("algorithm", ALGORITHMS, ids=lambda a: a.name)


def build(algorithm: Algorithm, epsilon: Fraction = Fraction(1)):
    return algorithm.build(epsilon, {name: OPTIONS[name] for name in algorithm.needs})


def allowed(algorithm: Algorithm, epsilons: tuple[Fraction, ...]) -> list[Fraction]:
    """Those at which the page does not refuse, from public parameters alone, to print mere noise."""

    def works(epsilon: Fraction) -> bool:
        try:
            build(algorithm, epsilon)
        except ParameterError as refusal:
            assert "epsilon" in str(refusal)  # noqa: PT017 - the refusal must say what to change
            return False
        return True

    assert works(Fraction(1))
    return [epsilon for epsilon in epsilons if works(epsilon)]


@over_all
def test_the_page_header_is_complete(algorithm):
    header = algorithm.header()
    assert {"Paper", "Unit", "Trust", "Guarantee", "Estimator", "Cost"} <= set(header)
    assert algorithm.unit in header["Unit"].partition(";")[0]
    assert header["Trust"] == "central"


@over_all
def test_the_page_agrees_with_its_row(algorithm):
    assert (algorithm.page.query, algorithm.page.unit) == (algorithm.query, algorithm.unit)


@over_all
def test_parameters_are_public_and_frozen(algorithm):
    page = build(algorithm)
    with pytest.raises(dataclasses.FrozenInstanceError):
        page.epsilon = Fraction(2)
    with pytest.raises(ParameterError):
        build(algorithm, Fraction(0))


@over_all
def test_the_guarantee_is_proved_and_says_exactly_what_was_asked(algorithm):
    for epsilon in allowed(algorithm, (Fraction(1, 7), Fraction(1), Fraction(3))):
        guarantee = build(algorithm, epsilon).guarantee
        assert guarantee.status is Status.PROVED
        assert guarantee.epsilon <= epsilon
        assert guarantee.epsilon > epsilon * Fraction(9, 10)  # what is paid for is used
        assert str(guarantee.unit) == algorithm.unit
        assert guarantee.proof


@over_all
def test_the_stages_cost_no_more_than_the_guarantee(algorithm):
    page = build(algorithm)
    stages = page.run(NETWORK, SeededNoise(1)).stages
    assert 0 < sum(stage.epsilon for stage in stages) <= page.guarantee.epsilon


@over_all
def test_the_production_path_runs_and_stores(algorithm):
    session = Session(NETWORK, unit=algorithm.unit, budget=1, noise=SystemNoise())
    options = {name: OPTIONS[name] for name in algorithm.needs}
    release = session.release(algorithm.query, epsilon=1, method=algorithm.name, **options)
    assert load_releases(dump_releases([release])) == [release]
    json.dumps(release.to_json(), allow_nan=False)
    assert release.guarantee.status is Status.PROVED
    assert release.explain()


@over_all
def test_a_seed_repeats_a_run(algorithm):
    page = build(algorithm)
    assert page.run(NETWORK, SeededNoise(3)) == page.run(NETWORK, SeededNoise(3))


@over_all
@pytest.mark.parametrize("case", EDGE_CASES)
def test_odd_graphs_get_an_answer(algorithm, case):
    """Under edge privacy n is public, so a question may be refused for it; under node privacy nothing may be."""
    try:
        answer = build(algorithm).run(EDGE_CASES[case], SeededNoise(2))
    except ParameterError as refusal:
        assert algorithm.unit == "edge"
        assert "people" in str(refusal)  # noqa: PT017
        return
    json.dumps(answer.accuracy.to_json(), allow_nan=False)


@over_all
def test_small_and_large_epsilons_work(algorithm):
    for epsilon in allowed(algorithm, (Fraction(1, 100), Fraction(20))):
        assert build(algorithm, epsilon).run(NETWORK, SeededNoise(2)).stages


@over_all
def test_bands_widen_with_confidence_and_hold_the_value(algorithm):
    accuracy = build(algorithm).run(NETWORK, SeededNoise(2)).accuracy
    levels = [band.confidence for band in accuracy.bands]
    assert levels == sorted(levels)
    widths = [
        math.fsum(high - low for low, high in zip(_tuple(below), _tuple(above), strict=True) if high < math.inf)
        for below, above in (accuracy.interval(level) for level in levels)
    ]
    assert widths == sorted(widths)
    if levels:
        low, high = accuracy.interval(0.95)
        assert all(a <= b for a, b in zip(_tuple(low), _tuple(high), strict=True))


@over_all
def test_forecasts_shrink_as_epsilon_grows(algorithm):
    facts = PublicFacts(n_nodes=NETWORK.n_nodes, max_degree=40)
    widths = []
    for epsilon in allowed(algorithm, (Fraction(1, 10), Fraction(1), Fraction(10))):
        accuracy = build(algorithm, epsilon).forecast(facts)
        if not accuracy.bands:
            return
        low, high = accuracy.interval(0.95)
        finite = [abs(end) for end in (*_tuple(low), *_tuple(high)) if abs(end) < math.inf]
        widths.append(max(finite))
    assert widths == sorted(widths, reverse=True)


def _tuple(value):
    return value if isinstance(value, tuple) else (value,)
