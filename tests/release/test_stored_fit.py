from fractions import Fraction

import numpy as np
import pytest

from graphveil.errors import GuaranteeMismatch, LedgerError, ParameterError
from graphveil.graph.generate.random import power_law_cluster
from graphveil.mechanisms.noise.source import SystemNoise
from graphveil.privacy.ledger.ledger import Ledger
from graphveil.registry import SYNTHESIZERS
from graphveil.release.session import Session
from graphveil.release.stored_fit import from_plain, to_plain
from graphveil.synthetic.attributes import mixing_measurements

GRAPH = power_law_cluster(60, 3, 0.5, seed=4)
METHODS = [row.name for row in SYNTHESIZERS if not row.refuted]


@pytest.mark.parametrize("method", METHODS)
def test_the_same_request_draws_from_what_was_measured_once(method, tmp_path):
    path = tmp_path / "l"
    halves = {person: str(person % 2) for person in range(60)}
    first, again = (
        Session(GRAPH, unit="edge", budget=2, ledger=path).synthesize(method, epsilon=1, attributes=halves)
        for _ in range(2)
    )
    assert (first.repeated, again.repeated) == (False, True)
    assert first.release == again.release
    drawn = first.sample(7)
    assert drawn == again.sample(7)
    assert first.attributes() == again.attributes()
    assert first.statement([({}, drawn)]) == again.statement([({}, drawn)])
    assert Ledger.open(path).spent("graph")[0] == 1


def test_a_crash_after_the_spend_is_not_paid_twice(tmp_path, monkeypatch):
    path = tmp_path / "l"

    def crash(*_):
        raise KeyboardInterrupt

    for options in ({}, {"request_id": "june"}):
        with monkeypatch.context() as patch:
            patch.setattr(Ledger, "settle", crash)
            with pytest.raises(KeyboardInterrupt):
                Session(GRAPH, unit="edge", budget=2, ledger=path).synthesize("dp-1k", epsilon=1, **options)
        made = Session(GRAPH, unit="edge", budget=2, ledger=path).synthesize("dp-1k", epsilon=1, **options)
        assert not made.repeated
    assert Ledger.open(path).spent("graph")[0] == 2


def test_categories_are_part_of_the_request(tmp_path):
    asked = Session(GRAPH, unit="edge", budget=2, ledger=tmp_path / "l")
    for cut in (20, 30):
        asked.synthesize("dp-1k", epsilon=1, attributes={person: str(person < cut) for person in range(60)})
    assert asked.left == (0, 0)


def test_what_was_paid_for_is_found_before_the_graph_could_refuse_it(tmp_path):
    categories = {person: str(person % 2) for person in range(60)}
    fewer = power_law_cluster(50, 3, 0.5, seed=4)  # ten people with a category are not in it

    def ask(graph, request_id):
        asked = Session(graph, unit="edge", budget=2, ledger=tmp_path / "l")
        return asked.synthesize("dp-1k", epsilon=1, attributes=categories, request_id=request_id)

    first = ask(GRAPH, "june")
    assert ask(fewer, "june").release == first.release
    with pytest.raises(ParameterError, match="10 people with a category"):
        ask(fewer, "july")
    assert Ledger.open(tmp_path / "l").spent("graph")[0] == 1


@pytest.mark.parametrize("unit", ["edge", "3-edge"])
def test_nothing_is_drawn_that_costs_another_loss_than_was_paid(unit, monkeypatch):
    categories = {person: str(person % 2) for person in range(60)}
    made = Session(GRAPH, unit=unit, budget=2).synthesize("dp-1k", epsilon=1, attributes=categories)
    assert made.guarantee.epsilon == 1

    def dearer(graph, categories, epsilon):
        return mixing_measurements(graph, categories, 2 * epsilon)

    class Untouched(SystemNoise):
        def __getattribute__(self, name):
            return "system" if name == "kind" else pytest.fail("noise was drawn")

    monkeypatch.setattr("graphveil.release.synthesis.mixing_measurements", dearer)
    asked = Session(GRAPH, unit=unit, budget=2, noise=Untouched())
    with pytest.raises(GuaranteeMismatch, match="nothing was drawn"):
        asked.synthesize("dp-1k", epsilon=1, attributes=categories)


def test_a_number_written_in_another_way_is_the_same_request(tmp_path):
    asked = Session(GRAPH, unit="edge", budget=2, ledger=tmp_path / "l")
    made = [asked.synthesize("tmf", epsilon=1, count_share=share) for share in (0.2, "0.2", Fraction(1, 5))]
    assert [each.repeated for each in made] == [False, True, True]
    assert asked.spent[0] == 1


def test_values_come_back_as_they_were():
    value = {
        "a": (1, Fraction(1, 3), None),
        "b": [np.arange(6.0).reshape(2, 3), np.array(["x"], dtype="T")],
        "g": GRAPH,
    }
    again = from_plain(to_plain(value))
    assert again["a"] == value["a"]
    assert np.array_equal(again["b"][0], value["b"][0])
    assert again["b"][1].tolist() == ["x"]
    assert again["g"] == GRAPH


@pytest.mark.parametrize(
    "stored", [{"record": ["os", "system", {}]}, {"record": ["subprocess", "Popen", {"args": "x"}]}, {"odd": 1}]
)
def test_stored_text_chooses_no_code(stored):
    with pytest.raises(LedgerError):
        from_plain(stored)
