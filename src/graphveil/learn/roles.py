"""Who reads whom: roles in a public order, and the plan of readings in which every pair of people pays at most once.

Labelled people are anchors (seven of ten) or readers. Readers and the people to predict are cut into blocks, each of
which reads the anchors and all blocks before it. Readers have labels, so their rows show what rows are worth. Where few
people are labelled there are several blocks: people predicted early are read by later ones. A second pass reads in
the opposite direction, at half the rate each.

Everything here follows from names, labels and features, which are public; no edge is involved.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

import numpy as np

from graphveil.arrays import AnyArray, Floats, Integers, Words
from graphveil.errors import ParameterError
from graphveil.graph.mix import STRIDE, finalise
from graphveil.graph.order import keys_of_labels
from graphveil.learn.features import weighted
from graphveil.learn.people import LabelledPeople
from graphveil.learn.softmax import log_prior
from graphveil.mechanisms.readings import ClassTable, Plan, Reading, Step

ANCHORS = 0
READER_SHARE = 0.3
BLOCKS = 6  # where fewer than half of all people are labelled
TELLING = 0.6  # accuracy of features from which on the most certain people are read first
RIDGE = 2.0
DIGITS = "0123456789abc"  # of the roles, 1 + 2 BLOCKS at most


@dataclass(frozen=True, slots=True)
class Roles:
    """Everybody's role: 0 for anchors, 1 + 2 k for readers and 2 + 2 k for people to predict, of block k."""

    of: Integers
    n_blocks: int

    @property
    def n_roles(self) -> int:
        """How many roles there are, the anchors among them."""
        return 1 + 2 * self.n_blocks

    def plan(self, rate: Fraction, passes: int) -> Plan:
        """The readings of one or two passes, for which every pair of people pays `rate` at most.

        A pair of anchors is in the class table alone. Any other pair of different roles is read once in each pass, by
        the later end and then by the earlier; anchors are read in both. Two people of one block are not read.
        """
        share = rate / passes
        roles = range(1, self.n_roles)
        steps: list[Step] = [ClassTable(ANCHORS, rate)]
        steps += [Reading((role,), (ANCHORS, *range(1, role)), share) for role in roles]
        if passes > 1:
            steps += [Reading((role,), (ANCHORS, *range(role + 1, self.n_roles)), share) for role in roles]
        return tuple(steps)

    def text(self) -> str:
        """A character for each person, in the order of the table: what a release stores of who read whom."""
        return "".join(DIGITS[role] for role in self.of.tolist())

    @classmethod
    def parse(cls, text: str, people: LabelledPeople) -> Roles:
        """The roles that a release stores; refuse what cannot be those of these people.

        Roles follow the order of a fit, which another computer may get different in its last digit. So predictions use
        the roles that the counts were made with.
        """
        of = np.array([DIGITS.find(digit) for digit in text], dtype=np.int64)
        largest = int(of.max(initial=0))
        has_label = (of == ANCHORS) | (of % 2 == 1)
        if len(of) != len(people.names) or of.min(initial=0) < 0 or (has_label != (people.labels >= 0)).any():
            raise ParameterError("the release does not hold a role for everybody in the table: it was cut or changed")
        return cls(of, (largest + 1) // 2)


def public_order(people: LabelledPeople, chosen: Integers, order: int) -> Integers:
    """These people in an order that follows from their names alone and is as good as random."""
    shift = np.full(len(people.names), order, dtype=np.uint64)
    keys: Words = finalise.python(keys_of_labels(_numbers(people.names)) ^ finalise.python(shift + STRIDE))
    return chosen[np.lexsort((chosen, keys[chosen]))]


def _numbers(names: AnyArray) -> AnyArray:
    """Names as integers where all are, which is faster and gives the same keys."""
    try:
        return names.astype(np.int64)
    except (ValueError, OverflowError):
        return names


@lru_cache(maxsize=8)
def prior_of(people: LabelledPeople, ridge: float = RIDGE) -> Floats:
    """What features alone say of everybody, which serves the order and the predictions."""
    prior = prior_from(people, people.labels, ridge)
    prior.setflags(write=False)
    return prior


def prior_from(people: LabelledPeople, labels: Integers, ridge: float) -> Floats:
    """The same, learnt from other labels than those of the table."""
    order = public_order(people, np.flatnonzero(labels >= 0), 0)
    features = weighted(people.features, people.in_set)
    return log_prior(features, labels, len(people.classes), ridge=ridge, order=order)


@lru_cache(maxsize=8)
def roles_of(people: LabelledPeople) -> Roles:
    """The role of everybody, from names, labels and features alone."""
    labelled = public_order(people, np.flatnonzero(people.labels >= 0), 1)
    unknown = public_order(people, np.flatnonzero(people.labels < 0), 2)
    n_readers = int(READER_SHARE * len(labelled))
    readers = labelled[:n_readers]
    few = 2 * len(labelled) < len(people.names)
    n_blocks = max(1, min(BLOCKS if few else 1, n_readers))
    if n_blocks > 1:
        prior = prior_of(people)
        right = (prior[labelled].argmax(axis=1) == people.labels[labelled]).mean()
        if right >= TELLING:
            readers, unknown = (each[np.argsort(_entropy(prior[each]), kind="stable")] for each in (readers, unknown))
    roles = np.full(len(people.names), ANCHORS, dtype=np.int64)
    for block in range(n_blocks):
        roles[np.array_split(readers, n_blocks)[block]] = 1 + 2 * block
        roles[np.array_split(unknown, n_blocks)[block]] = 2 + 2 * block
    roles.setflags(write=False)
    return Roles(roles, n_blocks)


def _entropy(log_probabilities: Floats) -> Floats:
    entropy: Floats = -(np.exp(log_probabilities) * log_probabilities).sum(axis=1)
    return entropy
