"""Every collection protocol, audited twice: for one person's list, and for one relationship.

For a list, the transcript of one person is drawn with two lists that differ in what the unit protects. For a
relationship, the transcripts of both ends are drawn together: a friendship stands in both lists or in neither, and that
one person follows another stands in one list or in none. The claim is the epsilon that the guarantee states for a
relationship. Publications are made once, by other people of a simulated network; clients are protected whatever is
published, so the two ends are also shown different ones.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache
from typing import Any

import numpy as np

from graphveil.arrays import Integers
from graphveil.audit.engine.pairs import Pair
from graphveil.audit.engine.result import AuditVerdict
from graphveil.audit.engine.sampling import Mechanism
from graphveil.audit.subject import Build, Subject, SubjectKind
from graphveil.graph.generate.random import power_law_cluster
from graphveil.local.lists import Lists
from graphveil.local.protocol import LocalProtocol, RoundContext
from graphveil.local.simulate import even_choices, seeded, transcript_of
from graphveil.mechanisms.noise.source import Noise
from graphveil.registry import Row

N_PEOPLE = 60
USER = 30
SIZES = {"edge": ((3, 4), (8, 9)), "node": ((3, 4), (9, 10), (0, 9), (0, 40))}
ENTRIES = (2, 19, 33, 58)  # people who stand on one of two lists only
NUMBER_BYTES = 8
NETWORKS = (2, 3)  # seeds of the people whose answers are published
ENDS = ((30, 31), (7, 30), (12, 45), (3, 58))
SCALING_STEPS = 4
WHOLE_LIST = "-whole-list"  # of a person who picks a node strength where others protect single entries
REFUTED_FOR_LISTS_ONLY = {"degree-distribution-rj-node"}  # noise that covers a change by one friend, not by many


@dataclass(frozen=True, slots=True)
class View:
    """What a person is shown: the publications of a network in which the `audited` choose the strongest answers."""

    audited: tuple[int, ...]
    network: int


@dataclass(frozen=True, slots=True)
class Relationship:
    """Two people with their lists, and the networks whose publications each of them is shown."""

    ends: tuple[int, int]
    lists: tuple[tuple[int, ...], tuple[int, ...]]
    networks: tuple[int, ...]


def local_subject(entry: Row, role: str = "") -> Subject:
    """The subject of one protocol: the transcript of a person who has this role in it."""
    user, whole = _person_of(entry, role), role == WHOLE_LIST

    def build(epsilon: Fraction) -> Mechanism:
        protocol = _protocol(entry, epsilon, strengths=(str(epsilon / 2), f"node:{epsilon}") if whole else ())
        view = View((user,), NETWORKS[0])
        return lambda given, count, noise: _transcripts(protocol, user, given, view, count, noise)

    return _subject(
        entry,
        f"{entry.query}-{entry.name}-{entry.unit}{role}",
        f"{entry.query} collected by {entry.name} under {entry.unit} privacy"
        + (": somebody who protects the whole list" if whole else ""),
        build,
        lambda: list(_lists("node" if whole else entry.unit, user)),
    )


def relationship_subject(entry: Row) -> Subject:
    """The subject of one protocol's claim for a relationship: the transcripts of both ends, in one row."""

    def build(epsilon: Fraction) -> Mechanism:
        return both_ends(_protocol_at(entry, epsilon))

    name, directed = f"{entry.query}-{entry.name}-{entry.unit}", entry.cls.directed
    where = "a friendship in both lists or in neither" if not directed else "a relationship in one list or in none"
    subject = _subject(
        entry,
        f"{name}-relationship",
        f"{entry.query} collected by {entry.name} under {entry.unit} privacy: {where}",
        build,
        lambda: relationships(directed=directed),
    )
    return replace(subject, expected=AuditVerdict.CONSISTENT) if name in REFUTED_FOR_LISTS_ONLY else subject


def both_ends(protocol: LocalProtocol) -> Mechanism:
    """The mechanism that draws all that both ends of a relationship send."""

    def run(given: Relationship, count: int, noise: Noise) -> Integers:
        sides = zip(given.ends, given.lists, given.networks, strict=True)
        return np.hstack(
            [
                _transcripts(protocol, person, friends, View(given.ends, network), count, noise)
                for person, friends, network in sides
            ]
        )

    return run


def relationships(*, directed: bool = False) -> list[Pair]:
    """Two people who are friends or strangers: without other friends, with some, and shown different publications.

    Where lists are directed, the first of them follows the second or does not, in either case unanswered.

    Any four that lie evenly apart in the list, as a small audit takes them, show all of these.
    """
    same = NETWORKS[:1] * 2
    cases = ((0, same, ""), (9, same, ""), (9, NETWORKS, ", shown different publications"))
    return [
        _friends_or_strangers(u, v, *cases[(i + j) % len(cases)], directed=directed)
        for i, (u, v) in enumerate(ENDS)
        for j in range(len(cases))
    ]


def _friends_or_strangers(
    u: int, v: int, others: int, networks: tuple[int, ...], shown: str, *, directed: bool
) -> Pair:
    rest = [person for person in range(N_PEOPLE) if person not in (u, v)]
    mine, theirs = tuple(rest[::6][:others]), tuple(rest[1::6][:others])
    strangers = Relationship((u, v), (mine, theirs), networks)
    friends = Relationship((u, v), ((*mine, v), theirs if directed else (*theirs, u)), networks)
    return Pair(strangers, friends, f"{u} and {v} strangers or friends, {others} other friends each{shown}")


def _subject(entry: Row, name: str, summary: str, build: Build, pairs: Callable[[], list[Pair]]) -> Subject:
    protocol = _protocol(entry, Fraction(1))
    return Subject(
        name,
        SubjectKind.ALGORITHM if protocol.claim is None else SubjectKind.PUBLISHED,
        summary,
        build,
        pairs,
        AuditVerdict.REFUTED if protocol.refuted else AuditVerdict.CONSISTENT,
        package=entry.package,
    )


def _protocol(entry: Row, epsilon: Fraction, strengths: tuple[str, ...] = ()) -> LocalProtocol:
    offered = {"strengths": strengths} if strengths else {}
    protocol: LocalProtocol = entry.cls(epsilon=epsilon, n_people=N_PEOPLE, **offered)
    return protocol


def _protocol_at(entry: Row, relationship_epsilon: Fraction) -> LocalProtocol:
    """The protocol with the largest epsilon found at which a relationship costs no more than this."""
    epsilon = relationship_epsilon
    for _ in range(SCALING_STEPS):  # how much more a relationship costs may depend on epsilon
        cost = _relationship_cost(_protocol(entry, epsilon))
        if cost == relationship_epsilon:
            return _protocol(entry, epsilon)
        epsilon *= relationship_epsilon / cost
    return _protocol(entry, relationship_epsilon / 2)  # two lists never cost more than twice one


def _relationship_cost(protocol: LocalProtocol) -> Fraction:
    """What a relationship costs those who choose the most that is on offer."""
    return max(offer.relationship_epsilon or offer.epsilon for offer in protocol.guarantees)


def _person_of(entry: Row, role: str) -> int:
    """Somebody who answers the question of this role; a public coin decides in the default degree protocol."""
    if role in ("", WHOLE_LIST):
        return USER
    protocol: Any = _protocol(entry, Fraction(1))
    in_sets = protocol.in_sets(np.arange(N_PEOPLE))
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
    protocol: LocalProtocol, person: int, friends: tuple[int, ...], view: View, count: int, noise: Noise
) -> Integers:
    """All that one person sends in all rounds, many times over."""
    people = np.full(count, person)
    row = np.sort(np.array(friends, dtype=np.int64))
    picked = np.full(count, _choices(protocol, view.audited)[person])
    lists = Lists(N_PEOPLE, people, np.arange(count + 1) * len(row), np.tile(row, count), picked)
    published = _publications(protocol, view)
    sent: list[Any] = []
    columns = []
    for number in range(1, protocol.rounds + 1):
        context = RoundContext(number, published[: number - 1], tuple(sent))
        sent.append(protocol.perturb(context, lists, noise))
        columns.append(_columns(protocol, context, people, sent[-1]))
    return np.hstack(columns)


@lru_cache(maxsize=64)
def _publications(protocol: LocalProtocol, view: View) -> tuple[Any, ...]:
    """What is published when everybody of a network answers, once; as a client reads it, where it is written."""
    network = Lists.of_graph(power_law_cluster(N_PEOPLE, 4, 0.5, seed=view.network))
    chosen = replace(network, choices=_choices(protocol, view.audited))
    published = transcript_of(protocol, chosen, seeded(view.network)).published
    if protocol.refuted:
        return published
    written = (protocol.write_publication(i + 1, publication) for i, publication in enumerate(published))
    return tuple(protocol.read_publication(i + 1, data) for i, data in enumerate(written))


def _choices(protocol: LocalProtocol, audited: tuple[int, ...]) -> Integers:
    """Those who are audited choose the most that is on offer, which the guarantee is for; all others choose evenly."""
    choices = even_choices(protocol)
    if len(protocol.guarantees) > 1:
        choices[list(audited)] = np.argmax([float(offer.epsilon) for offer in protocol.guarantees])
    return choices


def _columns(protocol: LocalProtocol, context: RoundContext, people: Integers, batch: Any) -> Integers:
    """Payloads as numbers, where they are short, and as bits; a protocol without messages shows its reports."""
    if protocol.refuted:
        shown: Integers = batch if isinstance(batch, np.ndarray) else batch.marks()
        return shown.reshape(len(people), -1).astype(np.int64)
    rows = np.frombuffer(b"".join(protocol.pack(context, people, batch)), dtype=np.uint8).reshape(len(people), -1)
    head = rows[:, :NUMBER_BYTES]
    padded = np.pad(head, ((0, 0), (NUMBER_BYTES - head.shape[1], 0)))
    number = np.ascontiguousarray(padded).view(">i8").astype(np.int64)
    return np.hstack((number, np.unpackbits(rows, axis=1)))
