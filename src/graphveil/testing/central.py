"""What a session and a reader may rely on for every central algorithm."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Mapping
from dataclasses import FrozenInstanceError
from fractions import Fraction
from typing import Any

from graphveil.central.attributes.toy import toy_column
from graphveil.central.query import PublicFacts
from graphveil.errors import ParameterError
from graphveil.graph.core import Graph
from graphveil.graph.directed import oriented
from graphveil.graph.generate.random import power_law_cluster
from graphveil.graph.weighted import with_weights
from graphveil.learn.toy import toy_people
from graphveil.mechanisms.noise.source import SeededNoise, SystemNoise
from graphveil.privacy.guarantee import Status
from graphveil.registry import Row
from graphveil.release.draw import run
from graphveil.release.plugin_check import check_algorithm
from graphveil.release.records import dump_releases, load_releases
from graphveil.release.session import Session
from graphveil.testing.assertions import assert_within_sensitivity, complete_header, refused

PEOPLE = 200
OPTIONS: Mapping[str, Any] = {
    "max_degree": 6,
    "partitions": ((0,) * PEOPLE, tuple(range(PEOPLE))),
    "people": toy_people(PEOPLE),
    "lower": 0,
    "upper": 5,
}
ODD_GRAPHS: Mapping[str, Callable[[], Graph]] = {
    "nobody": lambda: Graph.from_edges([], n_nodes=0),
    "one person": lambda: Graph.from_edges([], n_nodes=1),
    "two strangers": lambda: Graph.from_edges([], n_nodes=2),
    "two friends": lambda: Graph.from_edges([(0, 1)]),
    "a triangle": lambda: Graph.from_edges([(0, 1), (1, 2), (2, 0)]),
    "everybody knows everybody": lambda: Graph.from_edges([(i, j) for i in range(9) for j in range(i)]),
}


def needed(algorithm: Row) -> dict[str, Any]:
    """What the query cannot do without; an attribute of people is public under edge privacy only."""
    options = {**OPTIONS, "column": toy_column(PEOPLE, public=algorithm.unit == "edge")}
    return {name: options[name] for name in algorithm.needs}


def network() -> Graph:
    """The graph the checks run on."""
    return power_law_cluster(PEOPLE, 4, 0.5, seed=5)


def built(algorithm: Row, epsilon: Fraction = Fraction(1)) -> Any:
    """The query with what it needs."""
    return algorithm.build(epsilon, needed(algorithm))


def allowed(algorithm: Row, *epsilons: Fraction) -> list[Fraction]:
    """Those at which the query does not refuse, from public parameters alone, to print mere noise."""
    built(algorithm)
    return [epsilon for epsilon in epsilons if _works(algorithm, epsilon)]


def _works(algorithm: Row, epsilon: Fraction) -> bool:
    try:
        built(algorithm, epsilon)
    except ParameterError as refusal:
        assert "epsilon" in str(refusal), f"the refusal must say what to change: {refusal}"
        return False
    return True


def the_head_of_the_module_is_complete(algorithm: Row) -> None:
    """All keys are there, and agree with the row."""
    complete_header(algorithm, unit=algorithm.unit, trust="central")
    assert (algorithm.cls.query, algorithm.cls.unit) == (algorithm.query, algorithm.unit)


def parameters_are_public_and_frozen(algorithm: Row) -> None:
    """A query cannot be changed once it is built, and an epsilon of 0 is refused."""
    query = built(algorithm)
    with refused(FrozenInstanceError):
        query.epsilon = Fraction(2)
    with refused(ParameterError):
        built(algorithm, Fraction(0))


def the_guarantee_says_what_was_asked(algorithm: Row) -> None:
    """What is paid for is used and not exceeded; a plug-in's is marked."""
    for epsilon in allowed(algorithm, Fraction(1, 7), Fraction(1), Fraction(3)):
        guarantee = built(algorithm, epsilon).guarantee
        assert guarantee.status is (Status.UNREVIEWED if algorithm.package else Status.PROVED)
        assert epsilon * Fraction(9, 10) < guarantee.epsilon <= epsilon
        assert str(guarantee.unit) == algorithm.unit
        assert guarantee.proof


def the_guarantee_is_what_is_drawn(algorithm: Row) -> None:
    """Measurements compose to the claimed epsilon, stages add up to it, and `conclude` does not reach the graph."""
    query = built(algorithm)
    stages = run(query, network(), SeededNoise(1)).stages
    assert sum(stage.epsilon for stage in stages) == query.guarantee.epsilon
    check_algorithm(query, sizes=(PEOPLE,))


def no_neighbour_changes_a_measurement_by_more_than_its_sensitivity(algorithm: Row) -> None:
    """Tried on all small changes of small graphs, for numbers and vectors with Laplace noise."""
    if not {"partitions", "people", "column"} & set(algorithm.needs):  # which are of another number of people
        assert_within_sensitivity(built(algorithm))


def the_production_path_runs_and_stores(algorithm: Row) -> None:
    """A session releases it with secret noise; the release can be written down, read back and explained."""
    graph = network()
    held = {"directions": oriented, "weights": with_weights}.get(algorithm.cls.reads)
    session = Session(held(graph) if held else graph, unit=algorithm.unit, budget=1, noise=SystemNoise())
    options = needed(algorithm)
    release = session.release(algorithm.query, epsilon=1, method=algorithm.name, accept_noise=True, options=options)
    assert load_releases(dump_releases([release])) == [release]
    json.dumps(release.to_json(), allow_nan=False)
    assert release.guarantee.package == algorithm.package
    assert release.explain()


def a_seed_repeats_a_run(algorithm: Row) -> None:
    """All randomness comes from the noise that is given."""
    query = built(algorithm)
    assert run(query, network(), SeededNoise(3)) == run(query, network(), SeededNoise(3))


def odd_graphs_get_an_answer(algorithm: Row) -> None:
    """Under edge privacy n is public, so a question may be refused for it; under node privacy nothing may be."""
    for name, make in ODD_GRAPHS.items():
        try:
            answer = run(built(algorithm), make(), SeededNoise(2))
        except ParameterError as refusal:
            assert algorithm.unit == "edge", f"{name}: a refusal tells how many people there are"
            assert "people" in str(refusal), f"{name}: {refusal}"
        else:
            json.dumps(answer.accuracy.to_json(), allow_nan=False)


def small_and_large_epsilons_work(algorithm: Row) -> None:
    """Where an epsilon of 0.01 or 20 is not refused, it gets an answer with its stages."""
    for epsilon in allowed(algorithm, Fraction(1, 100), Fraction(20)):
        assert run(built(algorithm, epsilon), network(), SeededNoise(2)).stages


def bands_widen_with_confidence(algorithm: Row) -> None:
    """More confidence, wider intervals; no interval ends before it begins."""
    accuracy = run(built(algorithm), network(), SeededNoise(2)).accuracy
    levels = [band.confidence for band in accuracy.bands]
    assert levels == sorted(levels)
    sides = [[_entries(end) for end in accuracy.interval(level)] for level in levels]
    pairs = [list(zip(low, high, strict=True)) for low, high in sides]
    assert all(low <= high for entries in pairs for low, high in entries)
    widths = [math.fsum(high - low for low, high in entries if high < math.inf) for entries in pairs]
    assert widths == sorted(widths)


def forecasts_shrink_as_epsilon_grows(algorithm: Row) -> None:
    """A plan never says that more epsilon buys a worse answer."""
    facts = PublicFacts(n_nodes=PEOPLE, max_degree=40)
    widths = []
    for epsilon in allowed(algorithm, Fraction(1, 10), Fraction(1), Fraction(10)):
        accuracy = built(algorithm, epsilon).forecast(facts)
        if not accuracy.bands:
            return
        ends = [abs(entry) for end in accuracy.interval(0.95) for entry in _entries(end)]
        widths.append(max(end for end in ends if end < math.inf))
    assert widths == sorted(widths, reverse=True)


def _entries(value: Any) -> tuple[float, ...]:
    return value if isinstance(value, tuple) else (value,)


CHECKS: tuple[Callable[[Row], None], ...] = (
    the_head_of_the_module_is_complete,
    parameters_are_public_and_frozen,
    the_guarantee_says_what_was_asked,
    the_guarantee_is_what_is_drawn,
    no_neighbour_changes_a_measurement_by_more_than_its_sensitivity,
    the_production_path_runs_and_stores,
    a_seed_repeats_a_run,
    odd_graphs_get_an_answer,
    small_and_large_epsilons_work,
    bands_widen_with_confidence,
    forecasts_shrink_as_epsilon_grows,
)
