"""Class rows: what a pair pays over whole transcripts, and that nothing but noisy answers reaches the next step."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations

import numpy as np
import pytest

from graphveil.arrays import Integers
from graphveil.central.edge import class_rows
from graphveil.central.edge.class_rows import ClassRows
from graphveil.errors import ParameterError
from graphveil.graph.core import Graph
from graphveil.learn.people import LabelledPeople
from graphveil.learn.roles import roles_of
from graphveil.mechanisms.measurement import Adaptive, total_loss
from graphveil.mechanisms.noise.source import SeededNoise
from graphveil.mechanisms.readings import OrderedReadings
from graphveil.release.draw import run
from graphveil.release.session import Session

N = 60
EPSILON = Fraction(3)


def people(share: float) -> LabelledPeople:
    rng = np.random.default_rng(3)
    kinds = rng.integers(0, 3, N)
    shown = rng.permutation(N) < share * N
    labels = [f"k{kind}" if show else "" for kind, show in zip(kinds, shown, strict=True)]
    words = [f"w{kind} x{place % 4}" for place, kind in enumerate(kinds)]
    return LabelledPeople.from_columns({"person": range(N), "kind": labels, "words": words}, label="kind")


def graph(seed: int = 1) -> Graph:
    rng = np.random.default_rng(seed)
    return Graph.from_edges(np.argwhere(np.triu(rng.random((N, N)) < 0.15, 1)), n_nodes=N)


def flipped(given: Graph, pair: tuple[int, int]) -> Graph:
    edges = {tuple(edge) for edge in given.edges().tolist()}
    return Graph.from_edges(sorted(edges ^ {pair}), n_nodes=N)


@dataclass
class Recorded:
    """The classes of each step of a run, for answers that are forced."""

    classes: list[Integers]
    exact: list[Integers]


def replay(readings: OrderedReadings, answers: tuple[Integers, ...]) -> Recorded:
    """Drive a measurement with given answers: all that may differ between neighbours is `exact`."""
    program, record = readings.program(), Recorded([], [])
    classes = next(program)
    for place, step in enumerate(readings.plan):
        record.classes.append(classes.copy())
        record.exact.append(readings._exact(step, classes))
        if place + 1 < len(readings.plan):
            classes = program.send(answers[place])
    return record


def readings_of(query: ClassRows, given: Graph, passes: int) -> OrderedReadings:
    (measurement,) = query.measure(given)
    if not isinstance(measurement, Adaptive):
        assert isinstance(measurement, OrderedReadings)
        return measurement
    (following,) = measurement.following(passes)
    assert isinstance(following, OrderedReadings)
    return following


@pytest.mark.parametrize(("share", "passes"), [(0.75, 1), (0.3, 1), (0.3, 2)])
def test_with_equal_answers_neighbours_run_alike_and_no_pair_pays_more_than_epsilon(share: float, passes: int) -> None:
    """All classes that are read are the same bit for bit; the loss of each pair is the rate times its changes."""
    query, given = ClassRows(epsilon=EPSILON, people=people(share)), graph()
    first = readings_of(query, given, passes)
    answers = first.draws(SeededNoise(1), 1)[0]
    before = replay(first, answers)
    roles = roles_of(query.people).of
    chosen: dict[tuple[int, int], tuple[int, int]] = {}
    for u, v in combinations(range(N), 2):
        chosen.setdefault(tuple(sorted((int(roles[u]), int(roles[v])))), (u, v))  # type: ignore[arg-type]
    worst = Fraction(0)
    for pair in chosen.values():
        second = readings_of(query, flipped(given, pair), passes)
        after = replay(second, answers)
        assert all(map(np.array_equal, before.classes, after.classes))
        changes = [int(np.abs(a - b).sum()) for a, b in zip(before.exact, after.exact, strict=True)]
        loss = sum((step.rate * change for step, change in zip(first.plan, changes, strict=True)), Fraction(0))
        worst = max(worst, loss)
    choice = query.epsilon * class_rows.CHOICE_SHARE if query.chooses() else 0
    assert worst + choice == EPSILON == query.guarantee.epsilon


@pytest.mark.parametrize("share", [0.75, 0.3])
def test_both_choices_of_passes_cost_the_same_and_add_up_exactly(share: float) -> None:
    query = ClassRows(epsilon=Fraction(7, 10), people=people(share))
    measurements = query.measure(graph())
    assert total_loss(measurements).epsilon == Fraction(7, 10)
    if query.chooses():
        assert {readings_of(query, graph(), passes).loss.epsilon for passes in (1, 2)} == {query.rate()}


def test_one_edge_moves_the_number_that_chooses_by_two_at_most() -> None:
    """At the threshold both ends of an edge cross it at once, so that 2 is reached."""
    query = ClassRows(epsilon=Fraction(class_rows.MANY), people=people(0.3))  # MANY / epsilon is one neighbour
    changes = set()
    for given in (Graph.from_edges([], n_nodes=N), Graph.from_edges([(0, 1)], n_nodes=N)):
        for pair in ((0, 1), (1, 2), (3, 4)):
            counts = []
            for each in (given, flipped(given, pair)):
                (measurement,) = query.measure(each)
                assert isinstance(measurement, Adaptive)
                counts.append(measurement.first.exact)  # type: ignore[attr-defined]
            changes.add(abs(counts[0] - counts[1]))
            assert measurement.first.sensitivity == 2  # type: ignore[attr-defined]
    assert max(changes) == 2


def test_without_noise_worth_mentioning_rows_are_the_exact_counts() -> None:
    given, table = graph(), people(0.75)
    answer = run(ClassRows(epsilon=Fraction(60), people=table), given, SeededNoise(1))
    roles = roles_of(table).of
    anchors = np.flatnonzero(roles == 0)
    expected = [
        sum(int(given.has_edge(reader, other)) for other in anchors if table.labels[other] == kind)
        for reader in np.flatnonzero(roles == 1)
        for kind in range(3)
    ]
    assert list(answer.value[6 : 6 + len(expected)]) == expected


def test_people_in_another_order_are_found_by_name() -> None:
    given, table = graph(), people(0.75)
    order = np.random.default_rng(1).permutation(N)
    place = np.argsort(order)
    mixed = Graph.from_edges(place[given.edges()], n_nodes=N, labels=order)
    query = ClassRows(epsilon=Fraction(60), people=table)
    assert run(query, mixed, SeededNoise(1)).value == run(query, given, SeededNoise(1)).value


def test_tables_of_others_and_of_people_who_all_have_labels_are_refused() -> None:
    query = ClassRows(epsilon=EPSILON, people=people(0.75))
    with pytest.raises(ParameterError, match="lists 60 people; the graph has 5"):
        query.measure(Graph.from_edges([], n_nodes=5))
    with pytest.raises(ParameterError, match="everybody has a label"):
        ClassRows(epsilon=EPSILON, people=people(1))
    with pytest.raises(ParameterError, match="must be a table of labelled people"):
        ClassRows(epsilon=EPSILON, people={"a": 1})  # type: ignore[arg-type]


def test_a_query_without_a_table_says_which_command_reads_one() -> None:
    with pytest.raises(ParameterError, match="graphveil learn"):
        Session(graph(), unit="edge", budget=1).release("class-rows", epsilon=1)


def test_skewed_degrees_get_one_pass_and_even_ones_two() -> None:
    """A few hubs make the mean degree large; most people have few neighbours, for whom half the rate says nothing."""
    table = people(0.3)
    hubs = Graph.from_edges([(hub, other) for hub in range(12) for other in range(12, N)], n_nodes=N)
    even = Graph.from_edges([(u, (u + step) % N) for u in range(N) for step in range(1, 11)], n_nodes=N)
    assert abs(hubs.degrees.mean() - even.degrees.mean()) < 1
    epsilon = Fraction(class_rows.MANY, 15)  # a choice at 15 neighbours
    for given, passes in ((hubs, 1), (even, 2)):
        (measurement,) = ClassRows(epsilon=epsilon, people=table).measure(given)
        assert isinstance(measurement, Adaptive)
        assert measurement.key(measurement.first.exact) == passes  # type: ignore[attr-defined]
