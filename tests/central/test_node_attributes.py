"""Attributes of people under node privacy: what one person can change, tried on all small graphs and all groups."""

from dataclasses import replace
from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from every_small_graph import least_successes, node_neighbours, skewed_graph

from graphveil.central.attributes.column import PeopleColumn
from graphveil.central.attributes.histogram import AttributeHistogram
from graphveil.central.attributes.mean import GRID, AttributeMean
from graphveil.central.attributes.node_mixing import CellBounds, NodeHomophily, NodeMixing
from graphveil.errors import BudgetExceeded, GuaranteeMismatch, ParameterError
from graphveil.graph.core import Graph
from graphveil.graph.project import project_bounded_degree
from graphveil.mechanisms.gaussian import GaussianVector
from graphveil.mechanisms.noise.source import SeededNoise
from graphveil.privacy.convert import concentrated_to_approximate, largest_concentrated
from graphveil.privacy.loss import Approximate, Concentrated, Pure
from graphveil.release.draw import run
from graphveil.release.session import Session
from graphveil.statistics.mixing import cells_of, homophily, mixing_counts

RHO = largest_concentrated(Approximate(Fraction(1), Fraction(1, 10**6))).rho
NAMES = [3, 10, 17, 24]  # as in node_neighbours
TABLE = {"person": NAMES, "team": ["red", "blue", "red", ""], "age": ["30", "x", "50", "400"]}


def column(attribute="team", values=("red", "blue"), table=TABLE) -> PeopleColumn:
    return PeopleColumn.from_columns(table, attribute=attribute, public=False, values=values)


def groups_by_name(groups) -> dict[int, int]:
    return dict(zip(NAMES, groups, strict=True))


@pytest.mark.parametrize("bounds", [CellBounds(1, 1, 3), CellBounds(2, 1, 3), CellBounds(1, 2, 2)], ids=str)
def test_one_person_changes_the_kept_edges_by_at_most_the_sensitivity(bounds):
    weights = np.array([float(weight) for weight in bounds.weights()])
    worst = 0.0
    for groups in product(range(bounds.n_groups), repeat=4):
        if list(dict.fromkeys(groups)) != sorted(set(groups)) or groups[0]:
            continue  # all groups have the same bounds, so their numbers do not matter
        group = groups_by_name(groups)
        counts = {
            id(graph): bounds.kept(graph, np.array([group[name] for name in graph.labels.tolist()], dtype=np.int64))
            for pair in node_neighbours(4)
            for graph in pair
        }
        changes = np.array([counts[id(more)] - counts[id(less)] for less, more in node_neighbours(4)])
        assert changes.min() >= 0
        worst = max(worst, float((changes @ weights).max()))
    assert worst <= float(bounds.sensitivity()) + 1e-12
    assert worst == pytest.approx(min(3, float(bounds.sensitivity())), abs=1.01)  # three others have three edges


def test_somebody_with_full_cells_attains_the_sensitivity():
    bounds = CellBounds(2, 2, 3)
    edges = [(0, other) for other in range(1, 10)]
    of = np.array([0, 0, 0, 0, 1, 1, 1, 2, 2, 2])
    kept = bounds.kept(Graph.from_edges(edges), of)
    assert float(kept @ np.array(bounds.weights())) == bounds.sensitivity() == 6


def test_one_projection_for_the_whole_table_would_not_do():
    path = Graph.from_edges([(i, i + 1) for i in range(60)])
    changes = []
    for order in range(200):
        whole = project_bounded_degree(path, 1, order=order)
        less = project_bounded_degree(Graph.from_edges([(i, i + 1) for i in range(1, 60)], n_nodes=61), 1, order=order)
        kept = {tuple(edge) for edge in whole.edges().tolist()} ^ {tuple(edge) for edge in less.edges().tolist()}
        changes.append(len(kept))
    assert max(changes) > 3  # groups may be chosen so that each changed edge is another cell


def test_the_measurements_cost_epsilon_with_and_without_a_public_bound():
    graph = skewed_graph(80, 300, seed=1)
    table = {"person": list(range(80)), "team": ["red", "blue", ""] * 26 + ["red", "blue"]}
    for given in ({}, {"max_degree": 7}):
        query = NodeMixing(epsilon=Fraction(2), column=column(table=table), **given)
        assert sum(measurement.loss.epsilon for measurement in query.measure(graph)) == 2
        answer = run(query, graph, SeededNoise(1))
        assert len(answer.value) == 6
        assert answer.derived["groups"] == ("red", "blue", "(none)")


def test_lower_ends_hold_at_once_and_louder_noise_is_seen():
    """A right program fails with probability 1e-6; lower ends drawn from noise 4 times louder must fail."""
    graph = skewed_graph(60, 400, seed=3)
    of = np.arange(60) % 3
    table = {"person": list(range(60)), "team": ["red", "blue", ""] * 20}
    query = NodeMixing(epsilon=Fraction(1), column=column(table=table), max_degree=60)
    truth, noise = mixing_counts(graph, of, 3), SeededNoise(5)
    answers = [run(query, graph, noise) for _ in range(300)]
    lows = np.array([answer.accuracy.interval(0.95)[0] for answer in answers])
    assert np.all(lows <= truth, axis=1).sum() >= least_successes(300, 0.95)
    values = np.array([answer.value for answer in answers])
    louder = truth + 4 * (values - truth) - (values - lows)
    assert np.all(louder <= truth, axis=1).sum() < least_successes(300, 0.95)


def test_homophily_without_noise_is_that_of_the_table():
    graph = skewed_graph(60, 400, seed=3)
    table = {"person": list(range(60)), "team": ["red", "blue", ""] * 20}
    query = NodeHomophily(epsilon=Fraction(9000), column=column(table=table), max_degree=60)
    cells = mixing_counts(graph, np.arange(60) % 3, 3)
    known = [place for place, pair in enumerate(cells_of(3)) if max(pair) < 2]
    answer = run(query, graph, SeededNoise(1))
    assert answer.value == pytest.approx(homophily(cells[known], 2), abs=1e-9)


def test_one_person_is_in_one_number_of_a_histogram():
    query = AttributeHistogram(epsilon=Fraction(1), column=column())
    for less, more in node_neighbours(3):
        (before,), (after,) = query.measure(less), query.measure(more)
        assert sorted((after.exact - before.exact).tolist()) == [0, 0, 1]
    assert after.sensitivity == 1


@pytest.mark.filterwarnings("ignore:age")
def test_one_person_moves_the_two_sums_of_a_mean_by_the_grid_or_not_at_all():
    query = AttributeMean(epsilon=Fraction(1), column=column("age"), lower=Fraction(0), upper=Fraction(100))
    changes = set()
    for less, more in node_neighbours(4):
        (before,), (after,) = query.measure(less), query.measure(more)
        change = after.exact - before.exact
        assert change.min() >= 0
        changes.add(int(change.sum()))
    assert changes == {0, GRID}  # "x" is no number
    assert after.sensitivity == GRID


@pytest.mark.filterwarnings("ignore:age")
def test_a_mean_is_that_of_numbers_cut_to_the_range():
    graph = Graph.from_edges([], n_nodes=4, labels=np.array(NAMES))
    query = AttributeMean(epsilon=Fraction(9000), column=column("age"), lower=Fraction(0), upper=Fraction(100))
    answer = run(query, graph, SeededNoise(1))
    assert answer.value == pytest.approx(60, abs=0.05)  # of 30, 50 and 100
    assert answer.derived["people"] == 3
    low, high = answer.accuracy.interval(0.95)
    assert 0 <= low < 60 < high <= 100
    with pytest.raises(ParameterError, match="lower must be below upper"):
        AttributeMean(epsilon=Fraction(1), column=column("age"), lower=Fraction(1), upper=Fraction(1))


def test_the_curator_is_warned_of_cells_that_are_no_numbers():
    commas = column("age", table={"person": NAMES, "age": ["30,5", "", "50", "40"]})
    with pytest.warns(UserWarning, match="write decimals with a point"):
        AttributeMean(epsilon=Fraction(1), column=commas, lower=Fraction(0), upper=Fraction(100))
    points = column("age", table={"person": NAMES, "age": ["30.5", "", "50", "40"]})
    AttributeMean(epsilon=Fraction(1), column=points, lower=Fraction(0), upper=Fraction(100))


def test_a_private_table_leaves_no_trace_but_is_part_of_the_data():
    graph = Graph.from_edges([(0, 1)], n_nodes=4, labels=np.array(NAMES))
    session = Session(graph, unit="node", budget=3)
    ask = {"epsilon": 1, "attribute": "team", "values": ["red", "blue"], "accept_noise": True}
    first = session.attribute_histogram(people=TABLE, **ask)
    told = str(first.provenance.to_json()["parameters"])
    assert "sha256" not in told
    assert "24" not in told
    assert session.attribute_histogram(people=TABLE, **ask) == first  # the same again costs nothing
    assert session.left[0] == 2
    session.attribute_histogram(people=TABLE | {"team": ["blue", "blue", "red", ""]}, **ask)
    assert session.left[0] == 1
    (entry, *_) = session.ledger.entries()
    assert "sha256" not in entry.what


def test_values_must_be_named_where_they_are_private():
    graph = Graph.from_edges([(0, 1)], n_nodes=4, labels=np.array(NAMES))
    session = Session(graph, unit="node", budget=3)
    with pytest.raises(ParameterError, match="which values of team occur is private here"):
        session.mixing(epsilon=1, people=TABLE, attribute="team")
    with pytest.raises(ParameterError, match="needs a public range"):
        session.release("attribute-mean", epsilon=1, column=column("age"))
    public = PeopleColumn.from_columns(TABLE, attribute="team", public=True)
    with pytest.raises(ParameterError, match="declared public"):
        session.release("mixing", epsilon=1, column=public)
    with pytest.raises(ParameterError, match="not offered under edge privacy"):
        Session(graph, unit="edge", budget=1).attribute_histogram(
            epsilon=1, people=TABLE, attribute="team", values=["red"]
        )
    assert session.spent[0] == 0


LIKES = {"person": NAMES, "likes": ["a;b;c", "b", "c; a;x", ""]}
MANY = tuple(f"v{number}" for number in range(40))


def several(epsilon=1, **options) -> AttributeHistogram:
    likes = PeopleColumn("likes", MANY, public=False, cells={"1": "v3;v1"})
    return AttributeHistogram(epsilon=Fraction(epsilon), column=likes, **options)


@pytest.mark.parametrize("most", [1, 2, 3])
def test_one_person_with_several_values_changes_no_more_numbers_than_are_counted(most):
    query = AttributeHistogram(
        epsilon=Fraction(1), column=column("likes", ("a", "b", "c"), LIKES), most_values=most, delta=Fraction(1, 10)
    )
    changes = [np.abs(query.counts([name])) for name in NAMES]
    assert max(change.sum() for change in changes) == most
    assert max((change**2).sum() for change in changes) == most
    (measured,) = query.measure(Graph.from_edges([(3, 10)]))
    assert getattr(measured, "sensitivity", None) == most or measured.squared_sensitivity == most


def test_noise_is_gaussian_where_that_is_smaller_and_keeps_epsilon_and_delta():
    delta = Fraction(1, 10**6)
    for most in (1, 5, 10, 20, 40):
        plain, either = several(most_values=most), several(most_values=most, delta=delta)
        assert either.forecast(None).std == min(plain.forecast(None).std, (most / (2 * RHO)) ** 0.5)
        if either.rho:
            assert (either.guarantee.epsilon, either.guarantee.delta, most >= 20) == (1, delta, True)
            assert concentrated_to_approximate(either.loss, delta).epsilon <= 1
        else:
            assert (either.guarantee, either.loss) == (plain.guarantee, Pure(Fraction(1)))
    assert several(most_values=40, delta=delta).forecast(None).std < 0.6 * several(most_values=40).forecast(None).std


def test_less_gaussian_noise_than_is_claimed_is_refused(monkeypatch):
    query, graph = several(most_values=40, delta=Fraction(1, 10**6)), Graph.from_edges([(1, 2)])
    run(query, graph, SeededNoise(1))
    twice = GaussianVector(what="counts", exact=np.zeros(41), squared_sensitivity=40, rho=2 * query.rho)
    monkeypatch.setattr(AttributeHistogram, "measure", lambda self, graph: (twice,))
    with pytest.raises(GuaranteeMismatch, match="do not keep"):
        run(query, graph, SeededNoise(1))


def test_a_ledger_charges_gaussian_noise_as_zcdp_and_a_budget_without_delta_refuses_it():
    graph = replace(Graph.from_edges([(0, 1), (1, 2)], labels=np.array(["a", "b", "c"])), roster_declared=True)
    asked = {"people": LIKES, "attribute": "likes", "values": MANY, "most_values": 40, "delta": "1e-6"}
    session = Session(graph, unit="node", budget=2, delta="1e-6")
    release = session.attribute_histogram(epsilon=1, accept_noise=True, **asked)
    (entry,) = session.ledger.entries()
    assert release.guarantee.delta == Fraction(1, 10**6)
    assert entry.losses == (Concentrated(RHO),)
    with pytest.raises(BudgetExceeded, match="delta"):
        Session(graph, unit="node", budget=2).attribute_histogram(epsilon=1, accept_noise=True, **asked)


def test_intervals_of_gaussian_counts_hold():
    """All 41 at once, in 40 of 40 runs or all but few: a false alarm has a probability below 1e-6."""
    query, graph = several(most_values=40, delta=Fraction(1, 10**6)), Graph.from_edges([(1, 2)])
    truth = query.counts([1, 2])
    held = 0
    for seed in range(40):
        accuracy = run(query, graph, SeededNoise(seed)).accuracy
        low, high = accuracy.interval(0.95)
        held += bool((np.array(low) <= truth).all() and (truth <= np.array(high)).all())
    assert held >= least_successes(40, 0.95)
