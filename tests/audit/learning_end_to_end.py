"""Learning from end to end: an attacker who sees predictions alone.

The noisy rows themselves are audited as the query `class-rows`. Here each run goes on to predictions as a release does.
The labels of readers are left out of the fit, so that their predictions show their rows as directly as can be.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from itertools import combinations
from typing import Any

import numpy as np

from graphveil.arrays import Floats
from graphveil.audit.engine.pairs import Pair
from graphveil.audit.engine.sampling import Mechanism
from graphveil.central.edge.class_rows import ClassRows
from graphveil.graph.core import Graph
from graphveil.learn.inference import Setting, replay
from graphveil.learn.people import LabelledPeople
from graphveil.learn.roles import ANCHORS, Roles, roles_of
from graphveil.mechanisms.noise.source import Noise
from graphveil.mechanisms.readings import OrderedReadings, Reading, Step

PEOPLE = LabelledPeople.from_columns(
    {"person": list(range(24)), "kind": ["" if place > 20 else "ab"[place % 2] for place in range(24)]}, label="kind"
)
READERS, OTHERS = 1, 2  # roles where there is one block


def predictions(epsilon: Fraction) -> Mechanism:
    """Log-odds of the classes of two readers."""
    return _mechanism(epsilon, both_ends=False)


def both_ends(epsilon: Fraction) -> Mechanism:
    """The same, but readers read each other: an edge between them is counted by both ends, with the noise of one."""
    return _mechanism(epsilon, both_ends=True)


def _mechanism(epsilon: Fraction, *, both_ends: bool) -> Mechanism:
    roles = roles_of(PEOPLE)
    labels = np.where(roles.of == ANCHORS, PEOPLE.labels, -1)
    prior = np.full((len(PEOPLE.names), 2), np.log(0.5))
    setting = Setting(roles, labels, prior, float(epsilon), passes=1)

    def run(given: Graph, count: int, noise: Noise) -> Floats:
        (measurement,) = ClassRows(epsilon=epsilon, people=PEOPLE).measure(given)
        assert isinstance(measurement, OrderedReadings)
        if both_ends:
            plan = tuple(map(_from_both_ends, measurement.plan))
            measurement = replace(measurement, plan=plan, program=lambda: _labels_at_once(roles))
        cells = measurement.rows(noise, count)
        found = [replay(setting, each).log_probabilities for each in cells]
        chances = np.array(found)[:, [*_readers()]]
        odds: Floats = np.round(chances[:, :, 0] - chances[:, :, 1], 6)
        return odds

    return run


def _from_both_ends(step: Step) -> Step:
    return replace(step, read=(ANCHORS, READERS)) if isinstance(step, Reading) else step


def _labels_at_once(roles: Roles) -> Any:
    """Classes of the mistaken program: labels of anchors and readers are readable from the first step on."""
    classes = np.where(roles.of == OTHERS, -1, PEOPLE.labels)
    while True:
        yield classes


def _readers() -> tuple[int, int]:
    """Two readers of different classes."""
    readers = np.flatnonzero(roles_of(PEOPLE).of == READERS)
    labels = PEOPLE.labels[readers]
    return int(readers[labels == 0][0]), int(readers[labels == 1][0])


def learning_pairs() -> list[Pair]:
    """Graphs that differ in an edge between an anchor and a reader, and in one between two readers.

    Anchors of one class all know each other, and others do not, so that predictions follow the rows.
    """
    anchors = np.flatnonzero(roles_of(PEOPLE).of == ANCHORS).tolist()
    edges = [pair for pair in combinations(anchors, 2) if PEOPLE.labels[pair[0]] == PEOPLE.labels[pair[1]]]
    one, other = _readers()
    n_people = len(PEOPLE.names)
    without = Graph.from_edges(edges, n_nodes=n_people)
    return [
        Pair(without, Graph.from_edges([*edges, edge], n_nodes=n_people), f"{words} are connected, or not")
        for edge, words in (((anchors[0], one), "an anchor and a reader"), ((one, other), "two readers"))
    ]
