import inspect
import json
import re
from dataclasses import replace
from fractions import Fraction
from itertools import product

import numpy as np
import pytest

from graphveil.central.edge.edges import EdgeCount
from graphveil.errors import BudgetExceeded, ParameterError, RefusedByLedger
from graphveil.graph.core import Graph
from graphveil.mechanisms.noise.source import SeededNoise
from graphveil.privacy.guarantee import Status
from graphveil.privacy.ledger.ledger import Ledger
from graphveil.privacy.loss import Pure
from graphveil.privacy.unit import Trust
from graphveil.registry import QUERIES, SYNTHESIZERS, Job, Row, rows
from graphveil.release.job import Request
from graphveil.release.records import dump_releases, load_releases
from graphveil.release.session import Session

DEAR_WITH_A_LARGE_BOUND = ["degree-histogram", "degree-distribution", "triangles", "transitivity", "edges", "2-stars"]
STAR = Graph.from_edges([(0, i) for i in range(1, 30)], n_nodes=30, named=True)


def test_a_release_carries_value_guarantee_accuracy_and_provenance():
    release = Session(STAR, unit="edge", budget=1).edges(epsilon=0.25)
    assert isinstance(release.value, int)
    assert release.guarantee.epsilon == Fraction(1, 4)
    assert release.guarantee.status is Status.PROVED
    assert release.guarantee.assumes == ("the set of people is public",)
    low, high = release.accuracy.interval(0.95)
    assert low <= release.value <= high
    assert release.provenance.algorithm == "edge-count"
    assert release.provenance.noise == "system"


def test_the_json_has_the_keys_of_the_contract():
    document = json.loads(json.dumps(Session(STAR, unit="edge", budget=1).edges(epsilon=0.25).to_json()))
    assert {"query", "value", "guarantee", "accuracy", "provenance"} <= set(document)
    assert {"unit", "trust", "epsilon", "delta", "relationship_epsilon", "assumes", "status"} <= set(
        document["guarantee"]
    )
    assert {"std", "interval95"} <= set(document["accuracy"])
    assert document["guarantee"]["epsilon"] == 0.25


def test_spending_adds_up_exactly_and_ends_with_a_refusal():
    session = Session(STAR, unit="edge", budget=0.3)
    for _ in range(3):
        session.edges(epsilon=0.1, fresh=True)
    assert session.left == (0, 0)
    with pytest.raises(BudgetExceeded, match=r"0\.1"):
        session.edges(epsilon=0.1, fresh=True)
    assert session.spent == (Fraction(3, 10), 0)


def test_a_batch_is_paid_together_or_not_at_all():
    session = Session(STAR, unit="edge", budget=1)
    too_much = [Request("edges", Fraction(1, 2)), Request("max-degree", Fraction(3, 4))]
    with pytest.raises(BudgetExceeded):
        session.release_all(too_much)
    assert session.left[0] == 1
    first, second = session.release_all([Request("edges", Fraction(1, 2)), Request("max-degree", Fraction(1, 2))])
    assert (first.query, second.query) == ("edges", "max-degree")
    assert session.left[0] == 0


def test_a_wrong_query_of_a_batch_spends_nothing():
    session = Session(STAR, unit="edge", budget=1)
    with pytest.raises(ParameterError, match="nonsense"):
        session.release_all([Request("edges", Fraction(1, 2)), Request("nonsense", Fraction(1, 2))])
    assert session.left[0] == 1


def test_the_same_request_id_returns_the_stored_answer(tmp_path):
    path = tmp_path / "x.ledger"
    values = set()
    for _ in range(5):  # a new session each time, as after a crash
        session = Session(STAR, unit="edge", budget=1, ledger=path)
        values.add(session.edges(epsilon=0.01, request_id="monday").value)
        assert session.left[0] == Fraction(99, 100)
    assert len(values) == 1
    with pytest.raises(ParameterError, match="monday"):
        Session(STAR, unit="edge", budget=1, ledger=path).edges(epsilon=0.5, request_id="monday")


def test_a_crash_before_storing_loses_no_privacy(tmp_path, monkeypatch):
    path = tmp_path / "x.ledger"
    session = Session(STAR, unit="edge", budget=1, ledger=path)

    def crash(*_):
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(Ledger, "settle", crash)
        with pytest.raises(KeyboardInterrupt):
            session.edges(epsilon=0.25, request_id="r")
    again = Session(STAR, unit="edge", budget=1, ledger=path)
    assert again.left[0] == Fraction(3, 4)  # paid, though nothing was shown
    again.edges(epsilon=0.25, request_id="r")  # the answer nobody saw may be drawn anew, once
    assert again.left[0] == Fraction(3, 4)


def test_the_spend_is_on_record_before_the_graph_is_touched(tmp_path, monkeypatch):
    path = tmp_path / "x.ledger"
    seen = []
    measure = EdgeCount.measure

    def watched(query, graph):
        seen.append(Ledger.open(path).spent("graph")[0])
        return measure(query, graph)

    monkeypatch.setattr(EdgeCount, "measure", watched)
    Session(STAR, unit="edge", budget=1, ledger=path).edges(epsilon=0.5)
    assert seen == [Fraction(1, 2)]


def test_many_small_losses_fit_better_where_delta_is_allowed():
    pure = Session(STAR, unit="edge", budget=1)
    approximate = Session(STAR, unit="edge", budget=1, delta=1e-6)
    for session, most in ((pure, 100), (approximate, 150)):
        for _ in range(most):
            session.edges(epsilon=0.01, fresh=True)
    with pytest.raises(BudgetExceeded):
        pure.edges(epsilon=0.01, fresh=True)


def test_a_batch_costs_what_its_queries_cost_one_by_one():
    batches, singles = (Session(STAR, unit="edge", budget=1, delta=1e-6) for _ in range(2))
    queries = ["edges", "max-degree", "components", "degeneracy"]
    for _ in range(121):  # 484 answers, where a sum of four squared would end at 120
        batches.release_all([Request(query, Fraction(1, 100), accept_noise=True) for query in queries], fresh=True)
    singles.edges(epsilon="1/100")
    singles.ledger.spend_together("graph", [Pure(Fraction(1, 100))] * 483, request_id=None, what="483 alone")
    assert batches.spent == singles.spent < (1, 1)
    with pytest.raises(BudgetExceeded, match=r"asked epsilon 0\.04 for 4 answers"):
        batches.release_all([Request(query, Fraction(1, 100), accept_noise=True) for query in queries], fresh=True)
    assert len(batches.ledger.entries()) == 121


def test_a_stored_batch_is_returned_under_its_request_id(tmp_path):
    requests = [Request("edges", Fraction(1, 100)), Request("max-degree", Fraction(1, 50), accept_noise=True)]
    session = Session(STAR, unit="edge", budget=1, ledger=tmp_path / "new.ledger")
    first = session.release_all(requests, request_id="a")
    again = Session(STAR, unit="edge", budget=1, ledger=tmp_path / "new.ledger").release_all(requests, request_id="a")
    assert first == again
    assert session.left[0] == Fraction(97, 100)


def test_seeded_releases_are_stamped_and_kept_out_of_ledgers(tmp_path):
    release = Session(STAR, unit="edge", budget=1, noise=SeededNoise(3)).edges(epsilon=0.5)
    again = Session(STAR, unit="edge", budget=1, noise=SeededNoise(3)).edges(epsilon=0.5)
    assert release.value == again.value
    assert release.guarantee.status is Status.SEEDED
    assert "NO GUARANTEE" in str(release.guarantee)
    with pytest.raises(ParameterError, match="seed"):
        Session(STAR, unit="edge", budget=1, ledger=tmp_path / "x.ledger", noise=SeededNoise(3))
    assert not (tmp_path / "x.ledger").exists()


def test_k_edges_at_once_cost_k_times_the_noise():
    one = Session(STAR, unit="edge", budget=1).edges(epsilon=1)
    five = Session(STAR, unit="5-edge", budget=1).edges(epsilon=1)
    assert str(five.guarantee.unit) == "5-edge"
    assert five.guarantee.epsilon == 1
    assert five.guarantee.relationship_epsilon == Fraction(1, 5)
    assert five.accuracy.std == pytest.approx(5 * one.accuracy.std, rel=0.1)


def test_node_privacy_wants_the_people():
    read_off = Graph.from_edges([(0, 1)], roster_declared=False, named=True)
    with pytest.raises(ParameterError, match="people"):
        Session(read_off, unit="node", budget=1)
    release = Session(read_off, unit="edge", budget=2).edges(epsilon=2)
    assert release.guarantee.assumes == ("the set of people is public and equals the people named in the edge list",)


def test_node_private_edges_have_a_lower_end_only():
    release = Session(STAR, unit="node", budget=1).edges(epsilon=1, max_degree=5)
    _, high = release.accuracy.interval(0.95)
    assert high == float("inf")
    assert release.to_json()["accuracy"]["interval95"][1] is None
    assert "one-sided" in release.accuracy.scope


def test_one_dataset_keeps_its_unit_and_budget(tmp_path):
    path = tmp_path / "x.ledger"
    Session(STAR, unit="edge", budget=1, ledger=path).edges(epsilon=0.1)
    assert Session(STAR, unit="edge", ledger=path).left[0] == Fraction(9, 10)  # the ledger knows the budget
    with pytest.raises(RefusedByLedger):
        Session(STAR, unit="node", budget=1, ledger=path)
    with pytest.raises(ParameterError):
        Session(STAR, unit="edge", budget=2, ledger=path)


@pytest.mark.parametrize("epsilon", [0, -1, float("nan"), float("inf"), "abc", None, True, 1e9])
def test_a_wrong_epsilon_spends_nothing(epsilon):
    session = Session(STAR, unit="edge", budget=1)
    with pytest.raises(ParameterError, match="epsilon"):
        session.edges(epsilon=epsilon)
    assert session.left[0] == 1


def test_options_are_checked_by_name():
    session = Session(STAR, unit="edge", budget=1)
    with pytest.raises(ParameterError, match="max_degree"):
        session.edges(epsilon=0.5, max_degree=3)
    with pytest.raises(ParameterError, match="not offered under node"):
        Session(STAR, unit="node", budget=1).max_degree(epsilon=0.5)


@pytest.mark.parametrize("max_degree", [2.5, float("nan"), True, "5", -1, 2**31, 10**30])
def test_a_degree_bound_is_a_whole_number_or_nothing_is_spent(max_degree):
    session = Session(STAR, unit="node", budget=5)
    for query in ("edges", "degree-histogram"):
        with pytest.raises(ParameterError, match=r"max_degree must be a whole number from 0 to 2,147,483,647"):
            session.release(query, epsilon=1, max_degree=max_degree)
    assert session.spent == (0, 0)


def test_parameters_may_be_numbers_of_numpy():
    release = Session(STAR, unit="node", budget=1).edges(epsilon=np.int64(1), max_degree=np.int64(5))
    assert type(release.provenance.parameters["max_degree"]) is int


def test_releases_survive_storage():
    session = Session(STAR, unit="7-edge", budget=5)
    releases = [session.edges(epsilon=Fraction(1, 3)), session.degree_sequence(epsilon=Fraction(4))]
    assert load_releases(dump_releases(releases)) == releases


def test_a_session_shows_nothing_private():
    assert str(STAR.n_edges) not in repr(Session(STAR, unit="edge", budget=1))


def test_explain_names_cost_promise_and_limits():
    text = Session(STAR, unit="edge", budget=1).edges(epsilon=0.5).explain()
    assert "[epsilon 0.5]" in text
    assert "protected: whether two given people are connected" in text
    assert "not protected" in text


def test_explain_gives_a_one_sided_interval_one_end():
    text = Session(STAR, unit="node", budget=1).edges(epsilon=0.5, max_degree=30).explain()
    assert "with 95 % confidence the truth is at least" in text
    assert "one-sided" in text
    assert "inf" not in text


@pytest.mark.parametrize("unit", ["edge", "node"])
def test_explain_promises_no_more_than_a_list_where_people_report_themselves(unit):
    release = Session(STAR, unit=unit, budget=1).edges(epsilon=0.5, **({"max_degree": 30} if unit == "node" else {}))
    local = replace(release.guarantee, trust=Trust.LOCAL, relationship_epsilon=Fraction(1))
    text = replace(release, guarantee=local).explain()
    assert "one person's own list" in text
    assert "not protected: what the lists of others say of that person" in text
    assert ("any list against any other" in text) == (unit == "node")
    assert ("one particular person is on a person's list" in text) == (unit == "edge")
    assert "a friendship, from the answers of both ends: epsilon 1, between 26.8 % and 73.2 %" in text
    assert "all their edges" not in text


def test_explain_speaks_of_all_edges_of_the_unit():
    text = Session(STAR, unit="5-edge", budget=1).edges(epsilon=0.5).explain()
    assert "[epsilon 0.5]" in text
    assert "5 such facts together" in text


@pytest.mark.parametrize("query", ["3-stars", *DEAR_WITH_A_LARGE_BOUND])
def test_an_absurd_degree_bound_never_costs_budget_for_nothing(query):
    session = Session(STAR, unit="node", budget=1)
    too_high = f"max_degree must be at most [01,]+ for {query} under node privacy"
    mere_noise = f"{query} would be mostly noise at epsilon 1 for one node"
    with pytest.raises(ParameterError, match=too_high if query in DEAR_WITH_A_LARGE_BOUND else mere_noise):
        session.release(query, epsilon=1, max_degree=2**31 - 1)
    assert session.left[0] == 1


@pytest.mark.parametrize(
    ("n_nodes", "epsilon"),
    [*product([0, 6, 300], ["1e-15", "1e-12", "1e-6", "1"]), *product([40_000], ["1e-15", "1e-12", "1e-9"])],
)
@pytest.mark.parametrize("row", rows(Job.RELEASE), ids=lambda row: row.name)
def test_whatever_is_refused_spends_nothing(row, n_nodes, epsilon):
    graph = Graph.from_edges([(0, 1), (1, 2)] if n_nodes else [], n_nodes=n_nodes, named=True)
    session = Session(graph, unit=row.unit, budget=1)
    options = {"partitions": ((0, 1),)} if row.needs else {}
    try:
        session.release(row.query, epsilon=epsilon, method=row.name, **options)
    except ParameterError:
        assert session.left[0] == 1
    else:
        assert session.left[0] == 1 - Fraction(epsilon)


@pytest.mark.parametrize(
    "partitions",
    [[[None] * 30], [[0.5] * 30], [[0, "0"] * 15], [[[0]] * 30], [[(0, 1)] * 30], [[0] * 29 + [None]], 7, [7]],
)
def test_a_group_that_is_no_number_and_no_text_spends_nothing(partitions):
    session = Session(STAR, unit="edge", budget=1)
    with pytest.raises(ParameterError, match="partition"):
        session.best_partition(epsilon=1, partitions=partitions)
    assert session.left[0] == 1


@pytest.mark.parametrize(
    "groups", [np.arange(30) % 2, [2**70 + place % 2 for place in range(30)], np.array(["a", "b"] * 15), "ab" * 15]
)
def test_groups_of_a_candidate_may_be_any_whole_numbers_or_texts(groups):
    session = Session(STAR, unit="edge", budget=50, accept_weak=True)
    release = session.best_partition(epsilon=50, partitions=[groups, [1] * 30], request_id="once")
    assert release.value == 1  # a star has nothing to gain from a split
    assert set(map(type, release.provenance.parameters["partitions"][0])) <= {int, str}


def keywords(method: object) -> set[str]:
    """The options of a method by name, as an editor shows them; there may be none that it cannot show."""
    parameters = inspect.signature(method).parameters.values()
    assert all(parameter.kind is not parameter.VAR_KEYWORD for parameter in parameters), method
    common = {
        "self",
        "query",
        "method",
        "epsilon",
        "request_id",
        "accept_noise",
        "fresh",
        "groups",
        "attributes",
        "keep_names",
    }
    return {parameter.name for parameter in parameters} - common - {"options"}


def options_of(chosen: list[Row]) -> set[str]:
    return {name for row in chosen for name in row.options}


def without_peers(chosen: list[Row]) -> list[Row]:
    """Queries of our own; options of peers as published are given in `options`."""
    return [row for row in chosen if not row.cls.__module__.startswith("graphveil.papers.peers")]


def test_an_editor_sees_every_option_of_every_query() -> None:
    assert keywords(Session.release) == options_of(without_peers(list(QUERIES)))
    plain = [row for row in QUERIES if row.unit == "edge" and row.cls.reads == "edges"]
    assert keywords(Session.release_by_group) == options_of(plain) - {"partitions", "people", "column"}  # of all
    assert keywords(Session.synthesize) == options_of(list(SYNTHESIZERS))
    for query in {row.query for row in QUERIES}:
        name = query.replace("-", "_")
        for digit, word in (("2_", "two_"), ("3_", "three_"), ("4_", "four_"), ("5_", "five_")):
            name = name.replace(digit, word)
        method = getattr(Session, name)
        shown = keywords(method)
        if "attribute" in shown:  # a column of a table of people, by its parts
            shown = shown - {"people", "attribute", "values"} | {"column"}
        assert shown == options_of(without_peers([row for row in QUERIES if row.query == query])), query


def test_options_by_keyword_and_by_mapping_are_the_same() -> None:
    session = Session(STAR, unit="edge", budget=9)
    by_name = session.release("top-people", epsilon=2, k=2)
    by_mapping = session.release("top-people", epsilon=2, options={"k": 2})
    assert by_name.provenance.parameters == by_mapping.provenance.parameters == {"epsilon": "2", "k": 2}
    with pytest.raises(ParameterError, match="unknown option 'rings'"):
        session.release("edges", epsilon=1, options={"rings": 1})
    with pytest.raises(ParameterError, match="unknown option 'k'"):
        session.release("edges", epsilon=1, k=2)
    made = Session(STAR, unit="edge", budget=9).synthesize("tmf", epsilon=2, count_share="0.2")
    assert made.provenance.parameters["count_share"] == "1/5"


def test_a_name_is_no_request():
    with pytest.raises(ParameterError, match="has no epsilon: give names with epsilon=, which they share"):
        Session([("ann", "bob")], unit="edge", budget=1).release_all(["edges", "triangles"])


def test_queries_by_name_share_epsilon_as_the_command_line_does():
    session = Session(STAR, unit="edge", budget=1, noise=SeededNoise(1))
    edges, degeneracy = session.release_all(["edges", "degeneracy"], epsilon=1)
    assert (edges.query, degeneracy.query) == ("edges", "degeneracy")
    assert edges.guarantee.epsilon == degeneracy.guarantee.epsilon == Fraction(1, 2)
    assert session.left == (0, 0)
    with pytest.raises(ParameterError, match="has its own epsilon"):
        session.release_all([Request("edges", Fraction(1, 2))], epsilon=1)
    with pytest.raises(ParameterError, match=r"give a list of queries: \['edges'\]"):
        session.release_all("edges", epsilon=1)


def test_a_session_shows_no_exact_counts():
    """It stands in a notebook beside noisy answers."""
    shown = Session([("ann", f"friend {n}") for n in range(1234)], unit="edge", budget=1)._repr_html_()
    assert "the people are those with an edge" in shown
    assert not re.search(r"1,?23[45]", shown)
