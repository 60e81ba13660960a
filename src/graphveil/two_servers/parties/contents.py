"""What a party says in each step: bytes that follow from what it holds, so that they can be made again.

Noise too: a server draws it from a secret key of the campaign and the bind of both servers' input. The same input gets
the same noise, however often a server is killed or set back; another input would get other noise, and another bind.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

import numpy as np

from graphveil.arrays import AnyArray, Integers, Words
from graphveil.errors import ParameterError
from graphveil.mechanisms.noise.additive import add_discrete_laplace
from graphveil.mechanisms.noise.source import KeyedNoise, Noise
from graphveil.two_servers.dealer import Corrections, deal, expand_key, leader_numbers
from graphveil.two_servers.pairs import count_pairs
from graphveil.two_servers.parties.campaign import LEADER, TwoServerCampaign
from graphveil.two_servers.parties.page import DEGREE_BYTES, HASH_BYTES, Page
from graphveil.two_servers.streams import KEY_BYTES, label_bytes
from graphveil.two_servers.sum_statistics import Estimated
from graphveil.two_servers.sums import SumTerms, add_shares, open_sum
from graphveil.two_servers.triangle_server import Answers, CountingServer, open_count, row_bits
from graphveil.two_servers.triangle_terms import ANSWER_BYTES, MOST_HUBS, TriangleTerms

WORD = 8


def share_bytes(campaign: TwoServerCampaign, role: str) -> int:
    """How long a person's share for a server is, without what `payload` puts around it."""
    if role != LEADER:
        return KEY_BYTES
    return -(-campaign.people // 8) if campaign.has_dealer else WORD * numbers(campaign)


def numbers(campaign: TwoServerCampaign) -> int:
    """How many numbers are opened."""
    if campaign.has_dealer or campaign.statistic == "k-stars":
        return 1
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


def server_noise(campaign: TwoServerCampaign, rate: Fraction, key: bytes, bind: bytes) -> Noise:
    """The one source of noise that a server has for an input."""
    label = label_bytes(("noise", campaign.id, bind.hex(), campaign.statistic, rate.numerator, rate.denominator))
    return KeyedNoise(hashlib.blake2b(label, key=key, digest_size=32, person=b"two-servers").digest())


def draw_noise(campaign: TwoServerCampaign, page: Page | None, key: bytes, bind: bytes) -> Integers:
    """The whole noise of one server, for each number of the result."""
    rate = campaign.terms(page).rate
    noise = server_noise(campaign, rate, key, bind)
    return add_discrete_laplace(noise, np.zeros(numbers(campaign), dtype=np.int64), rate)


def write_words(words: AnyArray) -> bytes:
    """Words of 64 bits as bytes."""
    return words.astype("<u8").tobytes()


def read_words(content: bytes) -> Words:
    """Bytes as words of 64 bits."""
    return np.frombuffer(content, dtype="<u8").astype(np.uint64)


def deal_corrections(campaign: TwoServerCampaign, leader_key: bytes, helper_key: bytes) -> bytes:
    """What the dealer tells the leader."""
    if leader_key == helper_key:
        raise ParameterError("both servers sent the same key")
    told = deal(leader_key, helper_key, campaign.people)
    cube = (told.cube % 2**64).to_bytes(WORD, "little")
    return b"".join((np.packbits(told.z).tobytes(), write_words(told.rho_number), write_words(told.w), cube))


@dataclass(frozen=True, slots=True, eq=False)
class Input:
    """What one server computes from: the shares of those who count, its key of the deal, and what both servers said."""

    campaign: TwoServerCampaign
    role: str
    agreed: Agreed
    shares: Mapping[int, bytes]
    deal_key: bytes
    told: Mapping[str, bytes]
    said: Mapping[str, bytes]

    @property
    def _is_leader(self) -> bool:
        return self.role == LEADER

    def bits(self) -> bytes:
        """Both bits of every pair, masked."""
        return np.packbits(self._server().open_bits()).tobytes()

    def both(self) -> bytes:
        """Whether both ends of a pair list each other, masked."""
        theirs = self._bits(self.told["bits"], 2 * self._pairs)
        return np.packbits(self._server().open_both(theirs)).tobytes()

    def numbers(self) -> bytes:
        """The same as numbers, masked."""
        mine, theirs = (self._bits(each["both"], self._pairs) for each in (self.said, self.told))
        return write_words(self._server().open_numbers(mine, theirs))

    def total(self, noise: Integers) -> bytes:
        """The part of this server in the result, with its noise: never made without."""
        if self.campaign.has_dealer:
            mine, theirs = read_words(self.said["numbers"]), read_words(self.told["numbers"])
            count = self._server().count(mine, theirs, self.agreed.answers) + 3 * int(noise[0])
            return (count % 2**64).to_bytes(WORD, "little")
        terms = self.campaign.terms(self.agreed.page)
        assert isinstance(terms, SumTerms)
        total = add_shares(terms, self.shares.items(), is_leader=self._is_leader)
        return write_words(total + noise.view(np.uint64))

    def _server(self) -> CountingServer:
        terms, n = self.campaign.triangle_terms(self.agreed.page), self.campaign.people
        bits = row_bits(terms, self.shares, is_leader=self._is_leader)
        if not self._is_leader:
            return CountingServer(terms, is_leader=False, bits=bits, dealt=expand_key(self.deal_key, n))
        dealt = leader_numbers(self.deal_key, n, self._corrections())
        return CountingServer(terms, is_leader=True, bits=bits, dealt=dealt)

    def _corrections(self) -> Corrections:
        content, start = self.told["corrections"], -(-self._pairs // 8)
        words = read_words(content[start:])
        rho_number, w = words[: self._pairs], words[self._pairs : -1]
        return Corrections(self._bits(content[:start], self._pairs), rho_number, w, int(words[-1]))

    @property
    def _pairs(self) -> int:
        return count_pairs(self.campaign.people)

    @staticmethod
    def _bits(content: bytes, count: int) -> Any:
        return np.unpackbits(np.frombuffer(content, dtype=np.uint8), count=count)


def open_result(campaign: TwoServerCampaign, mine: bytes, theirs: bytes) -> Integers:
    """The noisy numbers that both servers' parts stand for."""
    if campaign.has_dealer:
        return np.array([open_count(int.from_bytes(mine, "little"), int.from_bytes(theirs, "little"))])
    return open_sum(read_words(mine), read_words(theirs))


def conclude(campaign: TwoServerCampaign, agreed: Agreed, degrees: Integers | None, opened: Integers) -> Estimated:
    """The estimate, from public numbers alone."""
    terms = campaign.terms(agreed.page)
    if isinstance(terms, TriangleTerms):
        return campaign.plan.conclude(terms, int(opened[0]), agreed.answers, degrees)
    return campaign.summed(agreed.page).conclude(opened, terms.rate)
