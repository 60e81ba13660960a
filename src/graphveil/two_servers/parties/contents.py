"""What a party says in each step: bytes that follow from what it holds, so that they can be made again.

Noise too: a server draws it from a secret key of the campaign and the bind of both servers' input. The same input gets
the same noise, however often a server is killed or set back; another input would get other noise, and another bind.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction

import numpy as np

from graphveil.arrays import AnyArray, Bytes, Integers, Words
from graphveil.errors import ParameterError
from graphveil.mechanisms.noise.source import KeyedNoise, Noise
from graphveil.two_servers import sums
from graphveil.two_servers.dealer import (
    Corrections,
    KeyDeal,
    LeaderDeal,
    correct_bits,
    correct_numbers,
    correct_squares,
)
from graphveil.two_servers.pairs import count_pairs, parts
from graphveil.two_servers.parties.campaign import TwoServerCampaign
from graphveil.two_servers.parties.names import LEADER
from graphveil.two_servers.parties.page import DEGREE_BYTES, HASH_BYTES, Page
from graphveil.two_servers.streams import KEY_BYTES, derive, label_bytes
from graphveil.two_servers.sum_statistics import Estimated
from graphveil.two_servers.sums import SumTerms, add_shares, open_sum
from graphveil.two_servers.triangle_server import CountingServer, open_count, row_bits
from graphveil.two_servers.triangle_terms import ANSWER_BYTES, MOST_HUBS, Answers, TriangleTerms

WORD = 8

# The bytes of a message from one place to another.
Read = Callable[[int, int], bytes]


def share_bytes(campaign: TwoServerCampaign, role: str) -> int:
    """How long a person's share for a server is, without what `payload` puts around it."""
    if role != LEADER:
        return KEY_BYTES
    return row_bytes(campaign) + WORD * (numbers(campaign) - 1) if campaign.has_dealer else WORD * numbers(campaign)


def row_bytes(campaign: TwoServerCampaign) -> int:
    """How long a row of friends is; a sum beside it follows."""
    return -(-campaign.people // 8)


def numbers(campaign: TwoServerCampaign) -> int:
    """How many numbers are opened."""
    if campaign.has_dealer or campaign.statistic == "k-stars":
        return 1 + (campaign.statistic == "transitivity")
    return campaign.summed(None).length


def step_bytes(campaign: TwoServerCampaign, step: str) -> int:
    """How long the message of a step is; it follows from the campaign, so nothing else is read."""
    pairs = count_pairs(campaign.people)
    total = WORD * numbers(campaign)
    return {
        "degrees": DEGREE_BYTES * campaign.people,
        "page": HASH_BYTES,
        "set": -(-campaign.people // 8),
        "answers": MOST_HUBS * ANSWER_BYTES,
        "root": HASH_BYTES,
        "bind": HASH_BYTES,
        "deal-key": KEY_BYTES,
        "corrections": -(-pairs // 8) + WORD * (2 * pairs + 1),
        "bits": -(-2 * pairs // 8),
        "both": -(-pairs // 8),
        "numbers": WORD * pairs,
        "total": total,
        "result": total,
    }[step]


def write_set(people: Iterable[int], n_people: int) -> bytes:
    """People as bits in the order of the roster: the order of arrival is not in it."""
    bits = np.zeros(n_people, dtype=np.uint8)
    bits[list(people)] = 1
    return np.packbits(bits).tobytes()


def common_people(mine: bytes, theirs: bytes, n_people: int) -> list[int]:
    """Who is in both sets."""
    both = np.frombuffer(mine, np.uint8) & np.frombuffer(theirs, np.uint8)
    return np.flatnonzero(np.unpackbits(both, count=n_people)).tolist()


@dataclass(frozen=True, slots=True)
class Agreed:
    """What both servers know before they open anything: the page, whose answers count, and what hubs told."""

    page: Page | None
    people: list[int]
    answers: Answers = field(default_factory=dict)

    def bind(self, campaign: TwoServerCampaign, leader_root: bytes, helper_root: bytes) -> bytes:
        """The hash of all that a result is computed from; the campaign's text holds every other parameter."""
        page = "" if self.page is None else self.page.hash.hex()
        ids = hashlib.sha256(write_set(self.people, campaign.people)).hexdigest()
        answers = hashlib.sha256(json.dumps(sorted(self.answers.items())).encode()).hexdigest()
        label = ("bind", campaign.id, page, ids, answers, leader_root.hex(), helper_root.hex())
        return hashlib.sha256(label_bytes(label)).digest()


def payload_root(shares: Mapping[int, bytes], people: Iterable[int]) -> bytes:
    """One hash of what these people sent to a server."""
    root = hashlib.sha256()
    for person in people:
        root.update(person.to_bytes(8, "big") + hashlib.sha256(shares[person]).digest())
    return root.digest()


def server_noise(campaign: TwoServerCampaign, use: str, rate: Fraction, key: bytes, bind: bytes) -> Noise:
    """The one source of noise that a server has for an input and a use of it."""
    return KeyedNoise(derive(key, ("noise", campaign.id, bind.hex(), use, rate.numerator, rate.denominator)))


def draw_noise(campaign: TwoServerCampaign, page: Page | None, key: bytes, bind: bytes) -> Integers:
    """The whole noise of one server, for each number of the result."""
    terms, beside = campaign.terms(page), campaign.terms_beside(page)
    length = 1 if isinstance(terms, TriangleTerms) else terms.length
    uses = [(campaign.statistic, length, terms.rate)]
    if beside is not None:
        uses.append((beside.statistic, beside.length, beside.rate))
    return np.concatenate(
        [sums.draw_noise(length, rate, server_noise(campaign, use, rate, key, bind)) for use, length, rate in uses]
    )


def write_words(words: AnyArray) -> bytes:
    """Words of 64 bits as bytes."""
    return words.astype("<u8").tobytes()


def read_words(content: bytes) -> Words:
    """Bytes as words of 64 bits."""
    return np.frombuffer(content, dtype="<u8").astype(np.uint64)


def deal_corrections(campaign: TwoServerCampaign, leader_key: bytes, helper_key: bytes) -> Iterator[bytes]:
    """What the dealer tells the leader, a part at a time."""
    if leader_key == helper_key:
        raise ParameterError("both servers sent the same key")
    n, leader, helper = campaign.people, KeyDeal(leader_key, campaign.people), KeyDeal(helper_key, campaign.people)
    for here in parts(n):
        yield np.packbits(correct_bits(leader.part(here), helper.part(here))).tobytes()
    for here in parts(n):
        yield write_words(correct_numbers(leader.part(here), helper.part(here)))
    cube = -helper.part(slice(0, 0)).cube
    for squares, added in correct_squares(leader, helper, n):
        cube += added
        yield write_words(squares)
    yield (cube % 2**64).to_bytes(WORD, "little")


@dataclass(frozen=True, slots=True)
class ReadCorrections:
    """What the dealer told, read where it is needed."""

    read: Read
    n_people: int

    def part(self, here: slice) -> Corrections:
        """The corrections of a part of the pairs."""
        pairs = count_pairs(self.n_people)
        first, second, end = (-(-pairs // 8) + WORD * pairs * times for times in (0, 1, 2))
        number, w = (read_words(self.read(at + WORD * here.start, at + WORD * here.stop)) for at in (first, second))
        cube = int.from_bytes(self.read(end, end + WORD), "little")
        return Corrections(read_bits(self.read, here.start, here.stop), number, w, cube)


def read_bits(read: Read, start: int, stop: int) -> Bytes:
    """Some of the bits of a message, one in each byte."""
    first = start // 8
    content = np.frombuffer(read(first, -(-stop // 8)), dtype=np.uint8)
    return np.unpackbits(content, count=stop - 8 * first)[start - 8 * first :]


@dataclass(frozen=True, slots=True, eq=False)
class Input:
    """What one server computes from: the shares of those who count, its key of the deal, and what both servers said."""

    campaign: TwoServerCampaign
    role: str
    agreed: Agreed
    shares: Mapping[int, bytes]
    deal_key: bytes
    told: Mapping[str, Read]
    said: Mapping[str, Read]

    @property
    def _is_leader(self) -> bool:
        return self.role == LEADER

    def bits(self) -> Iterator[bytes]:
        """Both bits of every pair, masked; part after part."""
        server = self._server()
        for here in parts(self.campaign.people):
            yield np.packbits(server.open_bits(here)).tobytes()

    def both(self) -> Iterator[bytes]:
        """Whether both ends of a pair list each other, masked."""
        server = self._server()
        for here in parts(self.campaign.people):
            theirs = read_bits(self.told["bits"], 2 * here.start, 2 * here.stop).reshape(2, -1)
            yield np.packbits(server.open_both(here, theirs)).tobytes()

    def numbers(self) -> Iterator[bytes]:
        """The same as numbers, masked."""
        server = self._server()
        for here in parts(self.campaign.people):
            mine, theirs = (read_bits(each["both"], here.start, here.stop) for each in (self.said, self.told))
            yield write_words(server.open_numbers(here, mine, theirs))

    def total(self, noise: Integers) -> Iterator[bytes]:
        """The part of this server in the result, with its noise: never made without."""
        terms, page = self.campaign.terms(self.agreed.page), self.agreed.page
        if isinstance(terms, SumTerms):
            yield self._sum(terms, self.shares, noise)
            return
        count = self._server().count(self._opened, self.agreed.answers) + 3 * int(noise[0])
        yield (count % 2**64).to_bytes(WORD, "little")
        if (beside := self.campaign.terms_beside(page)) is not None:
            start = row_bytes(self.campaign) if self._is_leader else 0  # the helper's key is for both
            yield self._sum(beside, {person: share[start:] for person, share in self.shares.items()}, noise[1:])

    def _sum(self, terms: SumTerms, shares: Mapping[int, bytes], noise: Integers) -> bytes:
        total = add_shares(terms, shares.items(), is_leader=self._is_leader)
        return write_words(total + noise.view(np.uint64))

    def _opened(self, here: slice) -> Words:
        mine, theirs = (
            read_words(each["numbers"](WORD * here.start, WORD * here.stop)) for each in (self.said, self.told)
        )
        return mine + theirs

    def _server(self) -> CountingServer:
        terms, n = self.campaign.triangle_terms(self.agreed.page), self.campaign.people
        bits, own = row_bits(terms, self.shares, is_leader=self._is_leader), KeyDeal(self.deal_key, n)
        deal = LeaderDeal(own, ReadCorrections(self.told["corrections"], n)) if self._is_leader else own
        return CountingServer(terms, self._is_leader, bits, deal)


def open_result(campaign: TwoServerCampaign, mine: bytes, theirs: bytes) -> Integers:
    """The noisy numbers that both servers' parts stand for."""
    opened = open_sum(read_words(mine), read_words(theirs))
    if campaign.has_dealer:
        opened[0] = open_count(*(int.from_bytes(each[:WORD], "little") for each in (mine, theirs)))
    return opened


def conclude(campaign: TwoServerCampaign, agreed: Agreed, degrees: Integers | None, opened: Integers) -> Estimated:
    """The estimate, from public numbers alone."""
    terms = campaign.terms(agreed.page)
    if campaign.statistic == "transitivity":
        assert isinstance(terms, TriangleTerms)
        stars = campaign.stars_beside(agreed.page)
        return campaign.transitivity.conclude(terms, int(opened[0]), agreed.answers, degrees, stars, opened[1:])
    if isinstance(terms, TriangleTerms):
        return campaign.plan.conclude(terms, int(opened[0]), agreed.answers, degrees)
    return campaign.summed(agreed.page).conclude(opened, terms.rate)
