"""The noisy sums of GAP and LPGNet for what they claim to protect, and for a friendship, ready to be audited."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from graphveil.audit.engine.pairs import Pair
from graphveil.audit.engine.result import AuditVerdict
from graphveil.audit.engine.sampling import Mechanism
from graphveil.audit.subject import Subject, SubjectKind
from graphveil.papers.gap.aggregation import Aggregation

DELTA = Fraction(1, 20)  # large, so that few runs can tell
PEOPLE = 4
CROWD, MOST_ARCS = 30, 2  # of the counterexample to sampled neighbours

Arcs = list[tuple[int, int]]
PATH: Arcs = [(0, 1), (1, 0), (1, 2), (2, 1), (2, 3), (3, 2)]


def one_arc() -> list[Pair]:
    """An arc of a path of four people, there or not; the arc back stays."""
    return [Pair(PATH, PATH[:-1], "arc 3 to 2 there or not")]


def one_friendship() -> list[Pair]:
    """A friendship is both arcs."""
    return [Pair(PATH, PATH[:-2], "friendship of 2 and 3 there or not")]


def crowd(*, with_person: bool) -> Arcs:
    """A crowd of people who all know person 0 and person 1, and person 2 if they are there: both arcs each."""
    known = (0, 1, 2) if with_person else (0, 1)
    friendships = [(hub, 3 + member) for member in range(CROWD) for hub in known]
    return [*friendships, *((b, a) for a, b in friendships)]


def one_person() -> list[Pair]:
    """Person 2 with or without all their friendships."""
    return [Pair(crowd(with_person=True), crowd(with_person=False), "person 2 is blanked or not")]


def _gap(entries: int) -> Callable[[Fraction], Mechanism]:
    return lambda epsilon: Aggregation(epsilon=epsilon, delta=DELTA, classes=(0,) * PEOPLE, entries=entries).runs


def _lpgnet(entries: int) -> Callable[[Fraction], Mechanism]:
    return lambda epsilon: Aggregation(epsilon=epsilon, classes=(0,) * PEOPLE, entries=entries).runs


def _of_others(epsilon: Fraction) -> Mechanism:
    """The rows of person 0 and person 1, who are there in both inputs."""
    hop = Aggregation(epsilon=epsilon, delta=DELTA, classes=(0,) * (3 + CROWD), most_arcs=MOST_ARCS)
    return lambda given, count, noise: hop.runs(given, count, noise)[:, :2]


PUBLISHED, REPAIR = SubjectKind.PUBLISHED, SubjectKind.REPAIR
REFUTED, CONSISTENT = AuditVerdict.REFUTED, AuditVerdict.CONSISTENT
GAP_SUBJECTS = (
    Subject("gap-entry", PUBLISHED, "GAP's noise, claimed for one arc", _gap(1), one_arc, CONSISTENT, DELTA),
    Subject("gap-friendship", PUBLISHED, "GAP's noise, claimed for an edge", _gap(1), one_friendship, REFUTED, DELTA),
    Subject("gap-both-entries", REPAIR, "GAP with noise for both arcs", _gap(2), one_friendship, CONSISTENT, DELTA),
    Subject("lpgnet-entry", PUBLISHED, "LPGNet's noise, claimed for one arc", _lpgnet(1), one_arc),
    Subject("lpgnet-friendship", PUBLISHED, "LPGNet's noise, claimed for an edge", _lpgnet(1), one_friendship, REFUTED),
    Subject("lpgnet-both-entries", REPAIR, "LPGNet with noise for both arcs", _lpgnet(2), one_friendship),
    Subject("gap-node", PUBLISHED, "GAP's sampled neighbours, for a person", _of_others, one_person, REFUTED, DELTA),
)
