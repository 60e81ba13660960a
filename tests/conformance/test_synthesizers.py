"""One suite over every synthesizer of the registry: what a session and a reader may rely on."""

import dataclasses
import json
from fractions import Fraction

import numpy as np
import pytest

from graphveil.errors import ParameterError
from graphveil.graph.core import Graph
from graphveil.graph.generate import power_law_cluster
from graphveil.mechanisms.source import SeededNoise, SystemNoise
from graphveil.privacy.guarantee import Status
from graphveil.synthetic.registry import METHODS

NETWORK = power_law_cluster(120, 4, 0.5, seed=5)
ODD_GRAPHS = {
    "nobody": Graph.from_edges([], n_nodes=0),
    "one person": Graph.from_edges([], n_nodes=1),
    "two strangers": Graph.from_edges([], n_nodes=2),
    "two friends": Graph.from_edges([(0, 1)]),
    "a star": Graph.from_edges([(0, i) for i in range(1, 9)]),
    "everybody knows everybody": Graph.from_edges([(i, j) for i in range(9) for j in range(i)]),
}
over_all = pytest.mark.parametrize("method", METHODS, ids=lambda method: method.name)
proved = pytest.mark.parametrize("method", [m for m in METHODS if not m.refuted], ids=lambda method: method.name)


@over_all
def test_the_page_header_is_complete(method):
    header = {line.split(" ")[0] for line in method.document.splitlines()}
    assert {"Paper", "Unit", "Trust", "Guarantee", "Estimator", "Cost"} <= header


@over_all
def test_parameters_are_public_frozen_and_checked(method):
    page = method.build(Fraction(1))
    with pytest.raises(dataclasses.FrozenInstanceError):
        page.epsilon = Fraction(2)
    with pytest.raises(ParameterError, match="epsilon"):
        method.build(Fraction(0))
    with pytest.raises(ParameterError, match="nonsense"):
        method.build(Fraction(1), {"nonsense": 3})
    with pytest.raises(TypeError):
        method.page(Fraction(1))  # epsilon goes by name


@over_all
def test_the_guarantee_is_what_was_asked_or_marked_as_refuted(method):
    guarantee = method.build(Fraction(3, 7)).guarantee
    assert (guarantee.epsilon, str(guarantee.unit), guarantee.delta) == (Fraction(3, 7), "edge", 0)
    assert guarantee.status is (Status.CLAIM_REFUTED if method.refuted else Status.PROVED)


@over_all
def test_graphs_are_drawn_from_released_numbers_alone_and_repeat_under_a_seed(method):
    page = method.build(Fraction(30))
    fit = page.fit(NETWORK, SeededNoise(1))
    json.dumps(fit.targets, allow_nan=False)
    first, again = page.sample(fit, seed=5), page.sample(fit, seed=5)
    assert first == again
    report = page.report(fit, first)
    json.dumps(report, allow_nan=False)
    assert all(set(row) == {"target", "reached"} for row in report.values())
    twin = page.fit(NETWORK, SeededNoise(1))
    assert json.dumps(twin.targets) == json.dumps(fit.targets)


@proved
def test_the_set_of_people_is_kept_and_production_noise_runs(method):
    page = method.build(Fraction(1))
    drawn = page.sample(page.fit(NETWORK, SystemNoise()), seed=1)
    assert drawn.n_nodes == NETWORK.n_nodes
    assert (drawn.degrees < drawn.n_nodes).all()


@proved
def test_names_are_kept_exactly_where_people_are_followed(method):
    names = np.array([f"person {i}" for i in range(120)])
    named = Graph.from_edges(NETWORK.edges(), n_nodes=120, labels=names)
    page = method.build(Fraction(1))
    fit = page.fit(named, SeededNoise(1))
    drawn = page.sample(fit, seed=1)
    assert (drawn.labels is not None) == fit.follows_people == (method.name in ("tmf", "dgg", "privgraph"))


@over_all
@pytest.mark.parametrize("case", ODD_GRAPHS)
@pytest.mark.parametrize("epsilon", [Fraction(1, 10), Fraction(20)])
def test_odd_graphs_get_a_graph(method, case, epsilon):
    page = method.build(epsilon)
    drawn = page.sample(page.fit(ODD_GRAPHS[case], SeededNoise(2)), seed=3)
    assert drawn.n_nodes >= ODD_GRAPHS[case].n_nodes


@proved
def test_much_epsilon_gives_the_number_of_edges(method):
    page = method.build(Fraction(2000))
    drawn = page.sample(page.fit(NETWORK, SeededNoise(1)), seed=1)
    assert drawn.n_edges == pytest.approx(NETWORK.n_edges, rel=0.03)
