"""Every collection protocol: what one person sends, when that person has so many friends or so many."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from graphveil.audit.pairs import Pair
from graphveil.audit.result import AuditVerdict
from graphveil.audit.sampling import Mechanism
from graphveil.audit.subject import Subject, SubjectKind
from graphveil.local.lists import Lists
from graphveil.local.page import LocalPage, Turn
from graphveil.local.protocols.veil_degrees import VeilDegrees
from graphveil.local.registry import PROTOCOLS, Entry
from graphveil.mechanisms.source import Noise
from graphveil.privacy.guarantee import Verdict

N_PEOPLE = 60
BOUND = 8  # published between the rounds of a protocol that has two
DEGREES = {"edge": ((3, 4), (8, 9)), "node": ((3, 4), (9, 10), (0, 9), (0, 40))}


def local_subjects() -> tuple[Subject, ...]:
    """One subject for every protocol and role in it."""
    return tuple(_subject(entry, user, role) for entry in PROTOCOLS for user, role in _roles(entry))


def _roles(entry: Entry) -> Iterator[tuple[int, str]]:
    """People who are asked different questions: a public coin decides in the default protocol."""
    page = entry.page(epsilon=Fraction(1), n_people=N_PEOPLE)
    if not isinstance(page, VeilDegrees) or page.set_share in (0, 1):
        yield 0, ""
        return
    in_sets = page.in_sets(np.arange(N_PEOPLE))
    yield int(np.argmax(in_sets)), "-sets"
    yield int(np.argmin(in_sets)), "-places"


def _subject(entry: Entry, user: int, role: str) -> Subject:
    def build(epsilon: Fraction) -> Mechanism:
        page = entry.page(epsilon=epsilon, n_people=N_PEOPLE)
        return lambda given, count, noise: _transcripts(page, user, given, count, noise)

    def pairs() -> list[Pair]:
        return [Pair(one, other, f"{one} friends or {other}") for one, other in DEGREES[entry.unit]]

    claim = entry.page(epsilon=Fraction(1), n_people=N_PEOPLE).claim
    refuted = claim is not None and claim.verdict is Verdict.REFUTED
    return Subject(
        f"{entry.statistic}-{entry.name}-{entry.unit}{role}",
        SubjectKind.ALGORITHM if claim is None else SubjectKind.PUBLISHED,
        f"{entry.statistic} collected by {entry.name} under {entry.unit} privacy",
        build,
        pairs,
        AuditVerdict.REFUTED if refuted else AuditVerdict.CONSISTENT,
    )


def _transcripts(page: LocalPage, user: int, degree: int, count: int, noise: Noise) -> NDArray[np.int64]:
    """All that one person sends in all rounds, many times over."""
    friends = np.delete(np.arange(N_PEOPLE), user)[:degree]
    people = np.full(count, user)
    lists = Lists(N_PEOPLE, people, np.arange(count + 1) * degree, np.tile(friends, count), np.zeros_like(people))
    published = (BOUND,) * (page.rounds - 1)
    turns = [Turn(number, published[: number - 1]) for number in range(1, page.rounds + 1)]
    sent = [_columns(page, turn, people, page.perturb(turn, lists, noise)) for turn in turns]
    return np.hstack(sent)


def _columns(page: LocalPage, turn: Turn, people: NDArray[np.int64], batch: Any) -> NDArray[np.int64]:
    """Payloads as numbers, where they are short, and as bits; a page without messages shows its reports."""
    if isinstance(batch, np.ndarray) and page.claim is not None and page.claim.verdict is Verdict.REFUTED:
        return batch.reshape(len(people), -1).astype(np.int64)
    rows = np.array([list(payload) for payload in page.pack(turn, people, batch)], dtype=np.int64)
    bits = np.unpackbits(rows.astype(np.uint8), axis=1).astype(np.int64)
    if rows.shape[1] > 6:
        return bits
    return np.hstack((rows @ (256 ** np.arange(rows.shape[1])[::-1, np.newaxis]), bits))
