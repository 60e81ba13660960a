"""Every collection protocol: what one person sends, when that person has so many friends or so many."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from graphveil.audit.engine.pairs import Pair
from graphveil.audit.engine.result import AuditVerdict
from graphveil.audit.engine.sampling import Mechanism
from graphveil.audit.subject import Subject, SubjectKind
from graphveil.graph.generate.random import power_law_cluster
from graphveil.local.lists import Lists
from graphveil.local.protocol import LocalProtocol, RoundContext
from graphveil.local.simulate import even_choices, seeded, transcript_of
from graphveil.mechanisms.noise.source import Noise
from graphveil.privacy.guarantee import Verdict
from graphveil.registry import Row

N_PEOPLE = 60
USER = 30
SIZES = {"edge": ((3, 4), (8, 9)), "node": ((3, 4), (9, 10), (0, 9), (0, 40))}
ENTRIES = (2, 19, 33, 58)  # people who stand on one of two lists only
NUMBER_BYTES = 8


def local_subject(entry: Row, role: str = "") -> Subject:
    """The subject of one protocol: the transcript of a person who has this role in it."""
    user = _person_of(entry, role)

    def build(epsilon: Fraction) -> Mechanism:
        page = entry.cls(epsilon=epsilon, n_people=N_PEOPLE)
        return lambda given, count, noise: _transcripts(page, user, given, count, noise)

    def pairs() -> list[Pair]:
        return list(_lists(entry.unit, user))

    claim = entry.cls(epsilon=Fraction(1), n_people=N_PEOPLE).claim
    refuted = claim is not None and claim.verdict is Verdict.REFUTED
    return Subject(
        f"{entry.query}-{entry.name}-{entry.unit}{role}",
        SubjectKind.ALGORITHM if claim is None else SubjectKind.PUBLISHED,
        f"{entry.query} collected by {entry.name} under {entry.unit} privacy",
        build,
        pairs,
        AuditVerdict.REFUTED if refuted else AuditVerdict.CONSISTENT,
        package=entry.package,
    )


def _person_of(entry: Row, role: str) -> int:
    """Somebody who answers the question of this role; a public coin decides in the default degree protocol."""
    if not role:
        return USER
    page: Any = entry.cls(epsilon=Fraction(1), n_people=N_PEOPLE)
    in_sets = page.in_sets(np.arange(N_PEOPLE))
    return int(np.argmax(in_sets) if role == "-sets" else np.argmin(in_sets))


def _lists(unit: str, user: int) -> Iterator[Pair]:
    """Lists of different lengths, and under edge privacy lists with and without one entry, whatever role it has."""
    others = np.delete(np.arange(N_PEOPLE), user)
    for one, other in SIZES[unit]:
        yield Pair(tuple(others[:one]), tuple(others[:other]), f"{one} friends or {other}")
    if unit == "edge":
        friends = set(others[::5].tolist())
        for entry in ENTRIES:
            yield Pair(tuple(friends - {entry}), tuple(friends | {entry}), f"with or without friend {entry}")


def _transcripts(
    page: LocalProtocol, user: int, friends: tuple[int, ...], count: int, noise: Noise
) -> NDArray[np.int64]:
    """All that one person sends in all rounds, many times over."""
    people = np.full(count, user)
    row = np.sort(np.array(friends, dtype=np.int64))
    picked = np.full(count, _picks(page, user)[user])
    lists = Lists(N_PEOPLE, people, np.arange(count + 1) * len(row), np.tile(row, count), picked)
    published = _publications(page, user)
    sent: list[Any] = []
    columns = []
    for number in range(1, page.rounds + 1):
        context = RoundContext(number, published[: number - 1], tuple(sent))
        sent.append(page.perturb(context, lists, noise))
        columns.append(_columns(page, context, people, sent[-1]))
    return np.hstack(columns)


@lru_cache(maxsize=64)
def _publications(page: LocalProtocol, user: int) -> tuple[Any, ...]:
    """What is published when everybody else answers, once and for all; as a client reads it, where it is written."""
    network = Lists.of_graph(power_law_cluster(N_PEOPLE, 4, 0.5, seed=2))
    published = transcript_of(page, replace(network, choices=_picks(page, user)), seeded(1)).published
    if page.claim is not None and page.claim.verdict is Verdict.REFUTED:
        return published
    return tuple(page.read_publication(i + 1, page.write_publication(i + 1, p)) for i, p in enumerate(published))


def _picks(page: LocalProtocol, user: int) -> NDArray[np.int64]:
    """The person asked picks the most that is on offer, which is what the page promises; all others pick evenly."""
    picks = even_choices(page)
    if len(page.guarantees) > 1:
        picks[user] = np.argmax([float(offer.epsilon) for offer in page.guarantees])
    return picks


def _columns(page: LocalProtocol, context: RoundContext, people: NDArray[np.int64], batch: Any) -> NDArray[np.int64]:
    """Payloads as numbers, where they are short, and as bits; a page without messages shows its reports."""
    if page.claim is not None and page.claim.verdict is Verdict.REFUTED:
        shown: NDArray[np.int64] = batch if isinstance(batch, np.ndarray) else batch.marks()
        return shown.reshape(len(people), -1).astype(np.int64)
    rows = np.frombuffer(b"".join(page.pack(context, people, batch)), dtype=np.uint8).reshape(len(people), -1)
    head = rows[:, :NUMBER_BYTES]
    padded = np.pad(head, ((0, 0), (NUMBER_BYTES - head.shape[1], 0)))
    number = np.ascontiguousarray(padded).view(">i8").astype(np.int64)
    return np.hstack((number, np.unpackbits(rows, axis=1)))
