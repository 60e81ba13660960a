"""What each party sees while triangles are counted, and programs that make up the same without any list.

A party learns no more than the result if a program that is given the result alone makes up a view with the same law.
`imagine_view` is this program for a server: all that it receives is drawn uniformly at random, but for the last
message, which is the published count less its own part. For the other parties it is shorter. The dealer sees two keys.
A server of a sum sees uniform shares, and the published sum less its own part.

Why the laws are equal. Take the leader. Every message that it receives has a mask of the helper's key that is in no
message before it: z, R, w and the cube mask the four corrections, u and v message 1, rho message 2, x message 3. So for
any lists, and any view, there is exactly one choice of the helper's masks that gives this view: all views are equally
likely. Message 4 follows from the published count. The helper receives keys, which are uniform, and messages 1 to 3
under u, v, rho and x of the leader's key. `tests/two_servers/test_views.py` computes that one choice.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

import numpy as np

from graphveil.arrays import Bytes, Words
from graphveil.mechanisms.noise.source import Noise
from graphveil.two_servers.dealer import Corrections, KeyDeal, LeaderDeal, deal
from graphveil.two_servers.pairs import all_pairs, count_pairs
from graphveil.two_servers.streams import KEY_BYTES
from graphveil.two_servers.sums import draw_noise
from graphveil.two_servers.triangle_server import CountingServer, open_count, row_bits
from graphveil.two_servers.triangle_terms import Answers, TriangleTerms

Shares = Mapping[int, bytes]
RandomBytes = Callable[[int], bytes]


@dataclass(frozen=True, slots=True, eq=False)
class ServerView:
    """All that one server knows: what it drew, and what it received. The leader alone is told corrections."""

    key: bytes
    noise: int
    shares: Shares
    corrections: Corrections | None
    bits: Bytes
    both: Bytes
    numbers: Words
    total: int

    def server(self, terms: TriangleTerms) -> CountingServer:
        """The server that counts with what it knows."""
        return counting_server(terms, self.shares, self.key, self.corrections)

    def count(self, terms: TriangleTerms, answers: Answers) -> int:
        """The server's share of the count, without noise, from what it received."""
        server, whole = self.server(terms), all_pairs(terms.n_people)
        mine = server.open_numbers(whole, server.open_both(whole, self.bits), self.both)
        return server.count((mine + self.numbers).__getitem__, answers)


def counting_server(
    terms: TriangleTerms, shares: Shares, key: bytes, corrections: Corrections | None
) -> CountingServer:
    """The leader if there are corrections, else the helper."""
    own, is_leader = KeyDeal(key, terms.n_people), corrections is not None
    numbers = own if corrections is None else LeaderDeal(own, corrections)
    return CountingServer(terms, is_leader, row_bits(terms, shares, is_leader=is_leader), numbers)


def run_count(
    terms: TriangleTerms,
    shares: tuple[Shares, Shares],
    answers: Answers,
    noises: tuple[Noise, Noise],
    keys: tuple[bytes, bytes] | None = None,
) -> tuple[int, ServerView, ServerView]:
    """Let a leader, a helper and a dealer count what people sent; the noisy count, and both servers' views."""
    both_hold = shares[0].keys() & shares[1].keys()
    held = [{person: each[person] for person in both_hold} for each in shares]
    own, other = (secrets.token_bytes(KEY_BYTES), secrets.token_bytes(KEY_BYTES)) if keys is None else keys
    told = deal(own, other, terms.n_people)
    a, b = counting_server(terms, held[0], own, told), counting_server(terms, held[1], other, None)
    whole = all_pairs(terms.n_people)
    bits = a.open_bits(whole), b.open_bits(whole)
    both = a.open_both(whole, bits[1]), b.open_both(whole, bits[0])
    numbers = a.open_numbers(whole, both[0], both[1]), b.open_numbers(whole, both[1], both[0])
    drawn = [int(draw_noise(1, terms.rate, noise)[0]) for noise in noises]
    opened = (numbers[0] + numbers[1]).__getitem__
    counts = a.count(opened, answers), b.count(opened, answers)
    totals = [(count + 3 * noise) % 2**64 for count, noise in zip(counts, drawn, strict=True)]
    leader = ServerView(own, drawn[0], held[0], told, bits[1], both[1], numbers[1], totals[1])
    helper = ServerView(other, drawn[1], held[1], None, bits[0], both[0], numbers[0], totals[0])
    return open_count(*totals), leader, helper


def imagine_view(
    terms: TriangleTerms,
    people: list[int],
    opened: int,
    answers: Answers,
    noise: int,
    *,
    is_leader: bool,
    draw: RandomBytes = secrets.token_bytes,
) -> ServerView:
    """A view that nobody's list went into: only the published count, the set of people and the server's own noise."""
    n = terms.n_people
    pairs, share_bytes = count_pairs(n), -(-n // 8) if is_leader else KEY_BYTES
    key = draw(KEY_BYTES)
    shares = {person: draw(share_bytes) for person in people}
    corrections = None
    if is_leader:
        cube = int.from_bytes(draw(8), "little")
        corrections = Corrections(_bits(draw, pairs), _words(draw, pairs), _words(draw, pairs), cube)
    bits, both, numbers = _bits(draw, 2 * pairs).reshape(2, -1), _bits(draw, pairs), _words(draw, pairs)
    view = ServerView(key, noise, shares, corrections, bits, both, numbers, total=0)
    return replace(view, total=(3 * opened - view.count(terms, answers) - 3 * noise) % 2**64)


def _bits(draw: RandomBytes, count: int) -> Bytes:
    return np.unpackbits(np.frombuffer(draw(-(-count // 8)), dtype=np.uint8), count=count)


def _words(draw: RandomBytes, count: int) -> Words:
    return np.frombuffer(draw(8 * count), dtype="<u8").astype(np.uint64)
