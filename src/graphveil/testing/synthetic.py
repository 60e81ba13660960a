"""What a session and a reader may rely on for every synthesizer."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import FrozenInstanceError
from fractions import Fraction

import numpy as np

from graphveil.errors import ParameterError
from graphveil.graph.core import Graph
from graphveil.graph.generate.random import power_law_cluster
from graphveil.mechanisms.noise.source import SeededNoise, SystemNoise
from graphveil.privacy.guarantee import Status
from graphveil.registry import Row
from graphveil.release.draw import run
from graphveil.release.plugin_check import check_algorithm
from graphveil.testing.assertions import assert_within_sensitivity, complete_header, refused

PEOPLE = 120
ODD_GRAPHS: Mapping[str, Callable[[], Graph]] = {
    "nobody": lambda: Graph.from_edges([], n_nodes=0),
    "one person": lambda: Graph.from_edges([], n_nodes=1),
    "two strangers": lambda: Graph.from_edges([], n_nodes=2),
    "two friends": lambda: Graph.from_edges([(0, 1)]),
    "a star": lambda: Graph.from_edges([(0, i) for i in range(1, 9)]),
    "everybody knows everybody": lambda: Graph.from_edges([(i, j) for i in range(9) for j in range(i)]),
}


def network() -> Graph:
    """The graph the checks run on."""
    return power_law_cluster(PEOPLE, 4, 0.5, seed=5)


def the_head_of_the_module_is_complete(method: Row) -> None:
    """The head of the module has all keys."""
    complete_header(method, unit="edge", trust="central")


def parameters_are_public_frozen_and_checked(method: Row) -> None:
    """A synthesizer cannot be changed; what it does not know is refused; epsilon goes by name."""
    synthesizer = method.build(Fraction(1))
    with refused(FrozenInstanceError):
        synthesizer.epsilon = Fraction(2)
    with refused(ParameterError, "epsilon"):
        method.build(Fraction(0))
    with refused(ParameterError, "nonsense"):
        method.build(Fraction(1), {"nonsense": 3})
    with refused(TypeError):
        method.cls(Fraction(1))


def the_guarantee_says_what_was_asked(method: Row) -> None:
    """Or that it is refuted; a plug-in's is marked."""
    guarantee = method.build(Fraction(3, 7)).guarantee
    assert (guarantee.epsilon, str(guarantee.unit)) == (Fraction(3, 7), "edge")
    assert guarantee.delta == 0
    sound = Status.UNREVIEWED if method.package else Status.PROVED
    assert guarantee.status is (Status.CLAIM_REFUTED if method.refuted else sound)


def the_guarantee_is_what_is_drawn(method: Row) -> None:
    """Measurements compose to the claimed epsilon, and `conclude` does not reach the graph."""
    if not method.refuted:
        check_algorithm(method.build(Fraction(1)))


def no_neighbour_changes_a_measurement_by_more_than_its_sensitivity(method: Row) -> None:
    """Tried on all small changes of small graphs, for numbers and vectors with Laplace noise."""
    if not method.refuted:
        assert_within_sensitivity(method.build(Fraction(1)))


def graphs_repeat_under_a_seed(method: Row) -> None:
    """They are drawn from released numbers, which fit into JSON, and say how close they came."""
    if method.refuted:
        return
    synthesizer = method.build(Fraction(30))
    fit = run(synthesizer, network(), SeededNoise(1))
    json.dumps(fit.targets, allow_nan=False)
    first = synthesizer.sample(fit, seed=5)
    assert first == synthesizer.sample(fit, seed=5)
    report = synthesizer.report(fit, first)
    json.dumps(report, allow_nan=False)
    assert all(set(row) == {"target", "reached"} for row in report.values())
    again = run(synthesizer, network(), SeededNoise(1))
    assert json.dumps(again.targets) == json.dumps(fit.targets)


def the_set_of_people_is_kept_under_production_noise(method: Row) -> None:
    """A drawn graph has as many people as the private one."""
    if method.refuted:
        return
    synthesizer = method.build(Fraction(1))
    drawn = synthesizer.sample(run(synthesizer, network(), SystemNoise()), seed=1)
    assert drawn.n_nodes == PEOPLE
    assert (drawn.degrees < drawn.n_nodes).all()


def names_are_kept_exactly_where_people_are_followed(method: Row) -> None:
    """A node that is nobody in particular has no name."""
    if method.refuted:
        return
    names = np.array([f"person {i}" for i in range(PEOPLE)])
    named = Graph.from_edges(network().edges(), n_nodes=PEOPLE, labels=names)
    synthesizer = method.build(Fraction(1))
    fit = run(synthesizer, named, SeededNoise(1))
    assert (synthesizer.sample(fit, seed=1).labels is not None) == fit.follows_people


def odd_graphs_get_a_graph(method: Row) -> None:
    """Tiny graphs get a graph of at least their size, at a small and at a large epsilon."""
    if method.refuted:
        return
    for epsilon in (Fraction(1, 10), Fraction(20)):
        synthesizer = method.build(epsilon)
        for name, make in ODD_GRAPHS.items():
            odd = make()
            assert synthesizer.sample(run(synthesizer, odd, SeededNoise(2)), seed=3).n_nodes >= odd.n_nodes, name


def much_epsilon_gives_the_number_of_edges(method: Row) -> None:
    """At a very large epsilon it is right within 3 per cent."""
    if method.refuted:
        return
    synthesizer = method.build(Fraction(2000))
    drawn = synthesizer.sample(run(synthesizer, network(), SeededNoise(1)), seed=1)
    assert abs(drawn.n_edges - network().n_edges) <= 0.03 * network().n_edges


CHECKS: tuple[Callable[[Row], None], ...] = (
    the_head_of_the_module_is_complete,
    parameters_are_public_frozen_and_checked,
    the_guarantee_says_what_was_asked,
    the_guarantee_is_what_is_drawn,
    no_neighbour_changes_a_measurement_by_more_than_its_sensitivity,
    graphs_repeat_under_a_seed,
    the_set_of_people_is_kept_under_production_noise,
    names_are_kept_exactly_where_people_are_followed,
    odd_graphs_get_a_graph,
    much_epsilon_gives_the_number_of_edges,
)
