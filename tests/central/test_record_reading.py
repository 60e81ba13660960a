"""Learning from private records: what one blanked record changes, given the same outcomes, is what was paid for."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from graphveil.central.record_reading import (
    BOUND_SHARE,
    RecordReading,
    _count_readers,
    _h_index,
    squared_sensitivity,
    weighted_rows,
)
from graphveil.errors import GuaranteeMismatch, ParameterError
from graphveil.graph.core import Graph
from graphveil.learn.descent import GRID
from graphveil.learn.records import PeopleRecords
from graphveil.mechanisms.gaussian import Interactive
from graphveil.mechanisms.laplace import NoisyInteger
from graphveil.mechanisms.noise.source import SeededNoise
from graphveil.release.session import Session

N_PEOPLE = 90


def table_of(blanked: int | None = None) -> dict[str, list]:
    rng = np.random.default_rng(5)
    labels = ["" if place % 3 == 2 else "ab"[int(rng.random() < 0.5)] for place in range(N_PEOPLE)]
    words = [f"w{rng.integers(4)} only{place}" for place in range(N_PEOPLE)]
    heights = [f"{height:.3f}" for height in rng.random(N_PEOPLE)]  # deciles of them would depend on everybody
    if blanked is not None:
        labels[blanked], words[blanked], heights[blanked] = "", "", ""
    return {"person": list(range(N_PEOPLE)), "kind": labels, "words": words, "height": heights}


def edges_of(blanked: int | None = None) -> Graph:
    rng = np.random.default_rng(6)
    edges = np.argwhere(np.triu(rng.random((N_PEOPLE, N_PEOPLE)) < 0.15, 1))
    hub = np.array([(0, other) for other in range(1, 60)])  # somebody whom more than D people read
    edges = np.unique(np.vstack((edges, hub)), axis=0)
    kept = edges if blanked is None else edges[(edges != blanked).all(axis=1)]
    return Graph.from_edges(kept, n_nodes=N_PEOPLE)


def reading(blanked: int | None = None, epsilon: int = 8, classes: list[str] | None = None) -> RecordReading:
    records = PeopleRecords.from_columns(table_of(blanked), label="kind", classes=classes or ["a", "b"])
    return RecordReading(records, Fraction(epsilon), Fraction(1, 10**5))


@pytest.mark.parametrize("blanked", [0, 4, 2])  # a hub with a label, somebody with one, somebody without
@pytest.mark.parametrize("read", [True, False])
def test_a_blanked_record_moves_every_measurement_by_its_sensitivity_at_most_and_no_prediction(
    blanked, read, monkeypatch
):
    monkeypatch.setattr(RecordReading, "_edges_help", lambda *_: read)
    (whole,), (less,) = reading().measure(edges_of()), reading(blanked).measure(edges_of(blanked))
    noise, outcomes = SeededNoise(3), []
    one, other = whole.program(), less.program()
    first, second = next(one), next(other)
    moved, rows = 0, 0
    while True:
        outcome = first.draws(noise, 1)[0]
        outcomes.append(outcome)
        if hasattr(first, "squared_sensitivity"):
            shift = first.exact - second.exact
            if first.what.startswith("weighted"):  # the person's own row is theirs
                rows += 1
                shift = np.delete(shift.reshape(N_PEOPLE, -1), blanked, axis=0)
            assert (shift.astype(object) ** 2).sum() <= first.squared_sensitivity == second.squared_sensitivity
            moved += bool(shift.any())
        elif hasattr(first, "exact"):
            assert abs(first.exact - second.exact) <= first.sensitivity
        else:
            assert np.abs(first.counts - second.counts).sum() <= 1
        assert first.loss == second.loss
        try:
            first, second = one.send(outcome), other.send(outcome)
        except StopIteration:
            break
    assert rows == read
    assert moved or blanked == 2  # nobody is read by more than D people, so who only reads moves nothing
    mine, theirs = reading().conclude([outcomes]), reading(blanked).conclude([outcomes])
    others = np.delete(np.arange(N_PEOPLE), blanked)
    assert np.array_equal(mine.log_probabilities[others], theirs.log_probabilities[others])


@pytest.mark.parametrize("blanked", [0, 4, 2])
def test_what_a_blanked_person_wrote_shapes_no_feature_of_others(blanked):
    """Topics of everybody's words, how rare a word is and tenths of numbers are for public features alone."""
    whole, less = reading().records.words, reading(blanked).records.words
    assert whole.shape == less.shape
    others = np.delete(np.arange(N_PEOPLE), blanked)
    assert np.array_equal(whole[others].toarray(), less[others].toarray())
    assert whole[[blanked]].nnz


def test_a_forecast_is_no_better_than_chance_where_features_say_nothing():
    """Readers do not teach the model that they test. A model that they taught too is right for .75 of them here.

    False alarms: with five deviations, about one in a million.
    """
    right = tried = 0
    for seed in range(4):
        rng = np.random.default_rng(seed)
        words = [" ".join(f"w{word}" for word in rng.choice(400, 12)) for _ in range(900)]
        table = {"person": list(range(900)), "kind": rng.choice(["a", "b"], 900).tolist(), "words": words}
        records = PeopleRecords.from_columns(table, label="kind", classes=["a", "b"])
        asked = RecordReading(records, Fraction(64), Fraction(1, 10**5))
        (all_of_it,) = asked.measure(Graph.from_edges(np.array([(0, 1)]), n_nodes=900))
        _, alone, number = asked.conclude([all_of_it.draws(SeededNoise(seed), 1)[0]]).right
        right, tried = right + alone, tried + number
    assert abs(right / tried - 0.5) < 0.13  # five deviations for 360 people


def test_dividing_gradients_by_the_number_of_labelled_people_is_caught(monkeypatch):
    """The power twin: with |T| as divisor the same outcomes make other predictions, so weights tell |T|."""
    (whole,) = reading().measure(edges_of())
    outcomes = whole.draws(SeededNoise(3), 1)
    found = []
    for blanked in (None, 4):
        own = reading(blanked)
        labelled = sum(map(bool, own.records.labels))
        monkeypatch.setattr("graphveil.central.record_reading._people", lambda _, count=labelled: float(count))
        found.append(own.conclude(outcomes).log_probabilities[10])
    assert not np.array_equal(*found)


@pytest.mark.parametrize(("drawn", "people", "read"), [(60, 1000, True), (2, 1000, False), (60, 100, False)])
def test_edges_are_read_only_where_rows_and_readers_say_enough_beside_noise(drawn, people, read):
    """Else all that is left of rho goes to the features."""
    asked = reading(epsilon=8)
    assert asked._edges_help(drawn, people) == read
    assert not reading(epsilon=2)._edges_help(drawn, people)
    left = asked.rho - asked.count_rho - (asked.epsilon * BOUND_SHARE) ** 2 / 2
    assert sum(asked.shares(reads=False)[::3]) == left


def blanked_rows(edges: np.ndarray, labels: np.ndarray, reads: np.ndarray, n: int, v: int | None, bound: int):
    kept = edges if v is None else edges[(edges != v).all(axis=1)]
    graph = Graph.from_edges(kept, n_nodes=n)
    read_by = np.where(labels >= 0, _count_readers(graph, reads), 0)
    return weighted_rows(graph, labels, read_by, reads, int(labels.max()) + 1, bound), _h_index(read_by)


def squared_move(edges, labels, reads, n, v, bound) -> int:
    with_v, without = (blanked_rows(edges, labels, reads, n, each, bound)[0] for each in (None, v))
    return int((np.delete(with_v - without, v, axis=0).astype(object) ** 2).sum())


def test_rows_move_by_the_root_of_twice_the_bound_at_most_on_random_graphs():
    rng = np.random.default_rng(1)
    for _ in range(150):
        n = int(rng.integers(3, 9))
        edges = np.argwhere(np.triu(rng.random((n, n)) < rng.random(), 1))
        labels, reads = rng.integers(-1, 2, n), rng.random(n) < 0.7
        labels[0] = 1
        if not len(edges):
            continue
        h = blanked_rows(edges, labels, reads, n, None, 1)[1]
        for v in range(n):
            assert abs(blanked_rows(edges, labels, reads, n, v, 1)[1] - h) <= 1
            for bound in range(max(h, 1), h + 3):
                assert squared_move(edges, labels, reads, n, v, bound) <= squared_sensitivity(bound, n)


def test_the_bound_is_nearly_reached_and_half_of_it_is_too_little():
    """D labelled people, each read by v and by the same D people; v, of another class, is read by them too."""
    bound = 30
    v, fed, readers = 0, range(1, bound + 1), range(bound + 1, 2 * bound + 1)
    edges = np.array([(v, u) for u in fed] + [(v, r) for r in readers] + [(u, r) for u in fed for r in readers])
    labels = np.array([1] + [0] * bound + [-1] * bound)
    reads = np.array([True] + [False] * bound + [True] * bound)
    moved = squared_move(edges, labels, reads, 2 * bound + 1, v, bound)
    assert moved <= squared_sensitivity(bound, 2 * bound + 1)
    assert moved > 1.9 * bound * GRID**2  # the claim sqrt(D) of neighbour sampling would be broken


def test_a_class_or_a_word_that_one_person_has_does_not_show():
    table = table_of()
    table["kind"][4] = "unique"
    for own in (table, table_of(4)):
        records = PeopleRecords.from_columns(own, label="kind")
        found = RecordReading(records, Fraction(8), Fraction(1, 10**5))
        (noisy, *_) = found.measure(edges_of())[0].draws(SeededNoise(3), 1)[0]
        assert "unique" not in noisy
        assert records.words.shape == (N_PEOPLE, 4096)
        assert "unique" not in str(records) + str(records.to_json())


@pytest.mark.parametrize("epsilon", [1, 8])
def test_a_class_of_one_person_passes_with_a_quarter_of_delta_at_most(epsilon):
    """The exact tail of the discrete Gaussian law."""
    asked = RecordReading(PeopleRecords.from_columns(table_of(), label="kind"), Fraction(epsilon), Fraction(1, 10**5))
    sigma = (1 / (2 * float(asked.count_rho))) ** 0.5
    law = np.exp(-(np.arange(-400, 401) ** 2) / (2 * sigma**2))
    tail = law[400 + asked._threshold() - 1 :].sum() / law.sum()
    assert 1e-8 < tail <= 1e-5 / 4


def test_what_costs_more_than_it_may_is_refused_before_noise():
    def program():
        yield NoisyInteger(what="number", exact=1, sensitivity=1, epsilon=Fraction(2))

    dear = Interactive(what="x", program=program, rho=Fraction(1), tail=Fraction(1, 100), failure=Fraction(0))
    with pytest.raises(GuaranteeMismatch, match="may cost rho 1 and would cost 2"):
        dear.draws(SeededNoise(1), 1)


@pytest.mark.parametrize("epsilon", [1, 3, 8])
def test_the_loss_is_the_one_asked_for(epsilon):
    loss = reading(epsilon=epsilon).measure(edges_of())[0].loss
    assert Fraction(99, 100) * epsilon < loss.epsilon <= epsilon
    assert loss.delta == Fraction(1, 10**5)


def test_a_session_spends_once_and_hides_labels(tmp_path):
    session = Session(edges_of(), unit="record", budget=8, delta="1e-5", ledger=tmp_path / "l.db", dataset="d")
    ask = {"label": "kind", "epsilon": 8, "delta": "1e-5", "classes": ["a", "b"]}
    model = session.learn(table_of(), **ask)
    assert session.left == 0
    assert (session.learn(table_of(), **ask).predict([2]) == model.predict([2])).all()
    assert str(model.release.guarantee).startswith("(8, 1e-05)-differential privacy for one person's edges, label")
    assert model.predict_proba([2]).sum() == pytest.approx(1, abs=1e-3)
    with pytest.raises(ParameterError, match="used up"):
        model.fit([1], ["a"])
    named = Graph.from_edges(edges_of().edges(), n_nodes=N_PEOPLE, labels=np.arange(N_PEOPLE))
    with pytest.raises(ParameterError, match='unit="record"'):
        Session(named, unit="node", budget=8).learn(table_of(), label="kind", epsilon=8)
    with pytest.raises(ParameterError, match="delta above 0"):
        session.learn(table_of(), label="kind", epsilon=8)
