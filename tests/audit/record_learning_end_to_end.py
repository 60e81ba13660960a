"""Learning from private records from end to end: an attacker who sees everything but one person's own row.

That person, 0, has a label and a word that nobody else has, and is read by all who read. Blanked, the person has no
edges, no label and no word. The attacker sees all noisy gradients and the rows and predictions of others, and adds up
what the person's record would move.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np
import scipy

from graphveil.arrays import Floats
from graphveil.audit.engine.pairs import Pair
from graphveil.audit.engine.sampling import Mechanism
from graphveil.central.record_reading import RecordReading
from graphveil.graph.core import Graph
from graphveil.learn.descent import GRID
from graphveil.learn.records import PeopleRecords
from graphveil.mechanisms.noise.source import Noise

DELTA = Fraction(1, 20)  # large, so that few runs can tell
LABELLED, UNKNOWN = 6, 20  # as many as the bound D is on average at epsilon 3
PEOPLE = LABELLED + UNKNOWN

Given = tuple[Graph, PeopleRecords]


class EighthOfNoise(RecordReading):
    """The same with an eighth of the noise: 64 times the rho."""

    __slots__ = ()

    @property
    def rho(self) -> Fraction:
        """64 times what epsilon and delta allow."""
        return 64 * super().rho


def records(epsilon: Fraction) -> Mechanism:
    """What the attacker makes of the measurements of a release."""
    return _mechanism(epsilon, RecordReading)


def eighth_of_noise(epsilon: Fraction) -> Mechanism:
    """The same with an eighth of the noise."""
    return _mechanism(epsilon, EighthOfNoise)


def _mechanism(epsilon: Fraction, made: type[RecordReading]) -> Mechanism:
    def run(given: Given, count: int, noise: Noise) -> Floats:
        graph, people = given
        reading = made(people, epsilon, DELTA)
        (measurement,) = reading.measure(graph)
        return np.array([_seen(reading, outcomes) for outcomes in measurement.draws(noise, count)])

    return run


def _seen(reading: RecordReading, outcomes: list[Any]) -> tuple[float, float]:
    """How far the gradients pull the person's word to class a, and how often others count a, in units of the noise."""
    own = list(outcomes[0]).index("a")  # classes come in the order of their noisy counts
    steps = len(outcomes) // 2 - 2  # after the classes and the h-index; then rows, as many steps, right predictions
    pull = sum(float(gradient[1 - own] - gradient[own]) for gradient in outcomes[2 : steps + 2]) / GRID
    counted = outcomes[steps + 2].reshape(PEOPLE, 2)[LABELLED:, own].sum() / GRID
    prior, rows, *_ = reading.shares(reads=True)
    return pull / steps * float(prior) ** 0.5, float(counted) * float(rows) ** 0.5


def record_pairs() -> list[Pair]:
    """Person 0 with the record, or blanked."""
    return [Pair(_given(blanked=False), _given(blanked=True), "the record of person 0 is there or blanked")]


def _given(*, blanked: bool) -> Given:
    readers = range(LABELLED, PEOPLE)
    edges = [(person, reader) for person in range(1 if blanked else 0, 3) for reader in readers]
    labels = ["ab"[person % 2] if person < LABELLED else "" for person in range(PEOPLE)]
    holds_word = np.zeros((PEOPLE, 1), dtype=np.int64)
    if blanked:
        labels[0] = ""
    else:
        holds_word[0] = 1
    table = {"person": range(PEOPLE), "kind": labels}
    made = PeopleRecords.from_columns(table, label="kind", classes=("a", "b"))
    return Graph.from_edges(edges, n_nodes=PEOPLE), replace(made, words=scipy.sparse.csr_array(holds_word))
