"""One set of people has one budget, whatever the graph is called and however often it is asked the same."""

import warnings
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

from graphveil.errors import BudgetExceeded, ParameterError, RefusedByLedger, WeakGuarantee
from graphveil.graph.core import Graph
from graphveil.graph.files.read import read_graph
from graphveil.graph.generate.random import power_law_cluster
from graphveil.mechanisms.noise.source import SeededNoise
from graphveil.privacy.ledger.fingerprint import key_path
from graphveil.privacy.ledger.ledger import Ledger
from graphveil.release.job import Request
from graphveil.release.session import Session

JANUARY = power_law_cluster(60, 3, 0.5, seed=4)
FEBRUARY = power_law_cluster(60, 3, 0.5, seed=5)


@pytest.fixture
def ledger(tmp_path: Path) -> Path:
    return tmp_path / "net.ledger"


def session(graph: Graph, ledger: Path, **options: object) -> Session:
    return Session(graph, unit="edge", budget=1, ledger=ledger, **options)


def write(graph: Graph, path: Path) -> Graph:
    path.write_text("".join(f"{u},{v}\n" for u, v in graph.edges().tolist()))
    return read_graph(path)


def test_a_second_data_set_must_be_declared_to_be_of_other_people(tmp_path: Path, ledger: Path) -> None:
    january, february = write(JANUARY, tmp_path / "01.csv"), write(FEBRUARY, tmp_path / "02.csv")
    session(january, ledger).edges(epsilon=1)
    with pytest.raises(
        ParameterError, match=r"protects the people of '01\.csv', and '02\.csv' would be a second"
    ) as no:
        session(february, ledger)
    assert "--dataset 01.csv" in str(no.value)
    assert "--separate-people) is only for people of whom nobody is in the other data" in str(no.value)
    assert [(entry.dataset, entry.id) for entry in Ledger.open(ledger).entries()] == [("01.csv", 1)]
    with pytest.raises(BudgetExceeded, match="nothing more would fit"):
        session(february, ledger, dataset="01.csv").edges(epsilon=1)
    session(february, ledger, separate_people=True).edges(epsilon=1)
    assert [(each.name, each.separate) for each in Ledger.open(ledger).datasets()] == [
        ("01.csv", False),
        ("02.csv", True),
    ]


def test_the_ledger_itself_refuses_a_second_data_set(ledger: Path) -> None:
    """Two sessions that were opened before either spent."""
    first, second = (session(graph, ledger, dataset=name) for graph, name in ((JANUARY, "a"), (FEBRUARY, "b")))
    first.edges(epsilon=1)
    with pytest.raises(ParameterError, match="second data set"):
        second.edges(epsilon=1)
    assert [each.name for each in Ledger.open(ledger).datasets()] == ["a"]


def test_the_command_line_and_python_mean_one_data_set(tmp_path: Path, ledger: Path) -> None:
    graph = write(JANUARY, tmp_path / "friends.csv")
    session(graph, ledger, dataset="friends.csv").edges(epsilon=1)  # as the command names it
    with pytest.raises(BudgetExceeded):
        session(graph, ledger).triangles(epsilon=0.5)
    with pytest.raises(BudgetExceeded):
        session(FEBRUARY, ledger, accept_changed_people=True).triangles(epsilon=0.5)  # the only budget there is
    assert Session(JANUARY, unit="edge", budget=1).dataset == "graph"


def test_a_graph_without_a_name_is_asked_for_one_where_there_are_several(ledger: Path) -> None:
    session(JANUARY, ledger, dataset="a").edges(epsilon=1)
    session(FEBRUARY, ledger, dataset="b", separate_people=True).edges(epsilon=1)
    with pytest.raises(ParameterError, match=r"several data sets \(a, b\): say which with dataset="):
        session(FEBRUARY, ledger)


@pytest.mark.parametrize("separate", [False, True])
def test_an_identical_graph_under_another_name_is_refused(ledger: Path, separate: bool) -> None:
    session(JANUARY, ledger, dataset="a").edges(epsilon="1/2")
    session(FEBRUARY, ledger, dataset="b", separate_people=True).edges(epsilon="1/2")
    name = np.random.default_rng(1).permutation(60)
    shuffled = Graph.from_edges(name[JANUARY.edges()], labels=np.argsort(name).astype(str), roster_declared=False)
    for dataset in ("b", "c"):  # also under a name that is known
        with pytest.raises(ParameterError, match=r"released as 'a'|second data set") as no:
            session(shuffled, ledger, dataset=dataset, separate_people=separate).triangles(epsilon="1/2")
        assert "nothing was spent" in str(no.value)
        assert "dataset='a'" in str(no.value)
    assert len(Ledger.open(ledger).entries()) == 2
    assert [each.name for each in Ledger.open(ledger).datasets()] == ["a", "b"]


def test_no_message_advises_another_name(ledger: Path) -> None:
    session(JANUARY, ledger).edges(epsilon=1)
    with pytest.raises(RefusedByLedger) as no:
        Session(JANUARY, unit="node", budget=1, ledger=ledger)
    assert "name" not in str(no.value)


def test_the_same_question_is_answered_once(ledger: Path) -> None:
    answers = [session(JANUARY, ledger).triangles(epsilon="1/2") for _ in range(5)]
    assert all(answer == answers[0] for answer in answers)
    assert Ledger.open(ledger).spent("graph") == (Fraction(1, 2), 0)
    fresh = session(JANUARY, ledger).triangles(epsilon="1/2", fresh=True)
    assert fresh.provenance.entry == 2
    assert session(JANUARY, ledger).triangles(epsilon="1/2") == fresh  # the latest
    assert session(JANUARY, ledger).left == (0, 0)


def test_another_question_or_another_graph_is_paid(ledger: Path) -> None:
    asked = session(JANUARY, ledger)
    asked.edges(epsilon="1/10")
    asked.edges(epsilon="1/5")
    asked.edges(epsilon="1/10", method="edge-count")
    session(FEBRUARY, ledger).edges(epsilon="1/10")
    everybody = Graph.from_edges(JANUARY.edges(), n_nodes=61)  # one more person, without edges
    session(everybody, ledger).edges(epsilon="1/10")
    assert [entry.id for entry in Ledger.open(ledger).entries()] == [1, 2, 3, 4, 5]


def test_a_stored_answer_is_never_refused(ledger: Path) -> None:
    noisy = Request("max-degree", Fraction(1, 50), accept_noise=True)
    (first,) = session(JANUARY, ledger).release_all([noisy])
    with pytest.raises(ParameterError, match="mostly noise"):
        session(JANUARY, ledger).max_degree(epsilon="1/51")
    session(JANUARY, ledger).edges(epsilon="49/50")
    assert session(JANUARY, ledger).max_degree(epsilon="1/50") == first  # neither for noise nor for budget


def test_a_session_in_memory_repeats_itself_too() -> None:
    asked = Session(JANUARY, unit="edge", budget=1, noise=SeededNoise(1))
    assert asked.edges(epsilon="1/10") == asked.edges(epsilon="1/10")
    assert asked.spent[0] == Fraction(1, 10)
    values = {asked.edges(epsilon="1/10", fresh=True, accept_noise=True).value for _ in range(9)}
    assert len(values) > 1
    assert "recorded: nowhere" in repr(asked)
    assert asked.edges(epsilon="1/10").provenance.entry is None


def test_groups_are_part_of_the_question(ledger: Path) -> None:
    halves = {person: str(person % 2) for person in range(60)}
    for groups in (halves, dict(halves), {**halves, 0: "1"}):
        session(JANUARY, ledger).release_by_group("edges", groups=groups, epsilon="1/4")
    assert len(Ledger.open(ledger).entries()) == 2


def test_a_request_id_decides_by_itself(ledger: Path) -> None:
    """What is published in a series must not show that a graph has not changed: nobody paid for that."""
    first = session(JANUARY, ledger).edges(epsilon="1/4", request_id="2026-01")
    second = session(JANUARY, ledger).edges(epsilon="1/4", request_id="2026-02")  # the same graph, and paid
    assert (first.provenance.entry, second.provenance.entry) == (1, 2)
    changed = session(FEBRUARY, ledger)
    released = changed.execute(changed.prepare([Request("edges", Fraction(1, 4))]), request_id="2026-02")
    assert (released.releases, released.repeated, released.other_graph) == ([second], True, True)
    with pytest.raises(ParameterError, match="give one of them"):
        session(JANUARY, ledger).edges(epsilon="1/4", request_id="2026-03", fresh=True)


def test_a_request_without_an_id_never_gets_an_answer_bought_under_an_id(ledger: Path) -> None:
    plain = session(JANUARY, ledger).edges(epsilon="1/4")
    session(JANUARY, ledger).edges(epsilon="1/4", request_id="2026-11")
    assert session(JANUARY, ledger).edges(epsilon="1/4") == plain
    named = session(JANUARY, ledger).triangles(epsilon="1/8", request_id="2026-11 triangles")
    assert session(JANUARY, ledger).triangles(epsilon="1/8").provenance.entry == named.provenance.entry + 1


def test_the_key_is_secret_and_the_ledger_holds_nothing_without_it(tmp_path: Path, ledger: Path) -> None:
    session(JANUARY, ledger).edges(epsilon="1/4")
    key = key_path(ledger)
    assert key.stat().st_mode & 0o777 == 0o600
    assert key.read_bytes().strip() not in ledger.read_bytes()
    marks = {entry.fingerprint for entry in Ledger.open(ledger).entries()}
    other = tmp_path / "other.ledger"
    session(JANUARY, other).edges(epsilon="1/4")
    assert not marks & {entry.fingerprint for entry in Ledger.open(other).entries()}  # another key, another value
    assert all(mark.edges not in repr(Ledger.open(ledger).entries()) for mark in marks)


def test_a_lost_key_is_said_once_and_forgets_no_budget(ledger: Path) -> None:
    session(JANUARY, ledger).edges(epsilon="1/4")
    key_path(ledger).unlink()
    with pytest.warns(
        UserWarning, match=r"net\.ledger\.key was lost and is made anew: earlier graphs are not recognised"
    ):
        session(JANUARY, ledger).edges(epsilon="1/4")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        session(JANUARY, ledger).edges(epsilon="1/4")
    assert Ledger.open(ledger).spent("graph")[0] == Fraction(1, 2)


def test_a_weak_epsilon_is_questioned(ledger: Path) -> None:
    asked = Session(JANUARY, unit="edge", budget=2000, ledger=ledger)
    (warning,) = asked.edges(epsilon=6).warnings
    assert warning.startswith("epsilon 6 is weak: an attacker who knows everything else")
    assert asked.edges(epsilon=5).warnings == ()
    batch = [Request(query, Fraction(15)) for query in ("edges", "max-degree")]
    for ask in (
        lambda: asked.edges(epsilon=1000),
        lambda: asked.release_all(batch),  # 30 together
        lambda: asked.synthesize("dp-1k", epsilon=21),
    ):
        with pytest.raises(WeakGuarantee, match=r"promises next to nothing .* \(--accept-weak\); nothing was spent"):
            ask()
    assert asked.spent[0] == 11
    Session(JANUARY, unit="edge", ledger=ledger, accept_weak=True).edges(epsilon=1000)
    Session(JANUARY, unit="edge", budget=99, noise=SeededNoise(1)).edges(epsilon=50)  # promises nothing anyway
