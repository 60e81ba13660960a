"""Pages in which whoever answers for a pair does not count it: roles, bounds, caps, and how sure the total is.

A public order ranks everybody. The higher end of a pair answers for it; everybody counts noisy edges among the friends
above, so each triangle is counted once, by its lowest person. `veil_triangles` has the orders and what an entry costs.
"""

from __future__ import annotations

import math
from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

import numpy as np

from graphveil.local.estimation.cap_loss import ReleasedLists, lost_to_caps
from graphveil.local.estimation.overlap import Overlap, answer_variance, measure_overlap, unbiased_pairs
from graphveil.local.lists import Integers, Lists
from graphveil.local.pairs import own_part
from graphveil.local.pairs.contribution_caps import capped_pairs, clique_caps, longest_lists
from graphveil.local.pairs.count import Looks, one_pair_in
from graphveil.local.pairs.noisy_graph import PairBits
from graphveil.local.pairs.response import PARTS
from graphveil.local.protocol import Received, RoundContext, Transcript
from graphveil.local.triangles.messages import HEAD_BYTES, Batch, Board, numbers_of
from graphveil.local.triangles.protocol import FARTHEST, TrianglePage

MISSED = 0.03  # probability that the size of a list passes its bound


@dataclass(frozen=True, slots=True, kw_only=True)
class SplitRoles(TrianglePage):
    """What the variants share: whoever reports a pair does not count it."""

    others_answer: ClassVar[bool] = True  # about the people whom somebody counts, so that they can be checked

    @property
    def relationship_epsilon(self) -> Fraction:
        """An answer at one end, a count at the other."""
        return 2 * self.epsilon

    def counted(self, context: RoundContext, lists: Lists) -> Lists:
        """Friends higher up."""
        return self.asked(context).without_owned(lists)

    def bounds(self, context: RoundContext, people: Integers, sent: Sequence[Batch]) -> Integers:
        """The noisy size and what noise hides, no more than there are people higher up."""
        above = self.n_people - 1 - self.asked(context).ranks[people]
        return list_bounds(sent[-1]["size"], self.budget(context).size, above)

    def caps(self, context: RoundContext, bounds: Integers) -> Integers:
        """Enough for friends who all know each other, for all but a few of them."""
        return clique_caps(bounds, float(self.response(context).friend_probability) / self.one_in)

    @property
    def in_parts(self) -> bool:
        """Everybody needs the pairs of the people they could count, and no others."""
        return True

    def write_part(self, context: RoundContext, person: int) -> bytes:
        """Key and notice, then the answers about those pairs."""
        board: Board = context.published[-1]
        assert isinstance(board.graph, PairBits)
        return board.head() + own_part.write_part(board.graph, *self._own(context, person, board.key))

    def read_part(self, context: RoundContext, person: int, data: bytes) -> Board:
        """As it was written; all other pairs are empty, and are not looked at."""
        key, notice = Board.read_head(data)
        own = self._own(context, person, key)
        return Board(own_part.read_part(data[HEAD_BYTES:], *own), key, notice)

    def _own(self, context: RoundContext, person: int, key: np.uint64) -> tuple[Lists, Looks]:
        """Everybody whom a person could count, and the numbers that say which pairs are looked at."""
        others = np.delete(np.arange(self.n_people), person)
        counted = self.counted(context, Lists.of_person(self.n_people, person, others))
        return counted, one_pair_in(counted, self.one_in, key)

    def believed(self, context: RoundContext, transcript: Transcript) -> Integers:
        """Counts cut to what a list as long as others vouch for can bring about, but for a chance below 2^-40."""
        received, graph = transcript.received[-1], context.published[-1].graph
        counts: Integers = received.batch["count"]
        if not (self.others_answer and isinstance(graph, PairBits)):
            return counts
        people, sent = received.people, [numbers_of(received.people, earlier) for earlier in transcript.received[:-1]]
        answered = transcript.received[-2].people
        longest = longest_lists(graph, self.asked(context).ranks, self.response(context), answered)[people]
        sizes, far = np.ceil(longest).astype(np.int64), math.ceil(1 + FARTHEST / float(self.budget(context).size))
        announced = [{"size": np.minimum(sent[-1]["size"], sizes + far)}]  # more is not announced by chance
        bounds = self.bounds(context, people, announced)
        noise = (1 + FARTHEST / float(self.budget(context).count)) * self.widths(context, bounds)
        parts, caps = self.response(context).flip_parts, self.caps(context, bounds)
        low = -parts * capped_pairs(sizes, bounds) - noise
        high = largest_count(sizes, bounds, caps, PARTS * self.weight, parts) + noise
        return np.clip(counts, np.floor(low), np.ceil(high)).astype(np.int64)

    @abstractmethod
    def best_connected(self, context: RoundContext, sizes: Received, people: int) -> Integers:
        """So many people with long lists, as far as is known, in an order where all count among those that follow."""

    def counted_pairs(self, context: RoundContext, transcript: Transcript) -> float:
        """How many pairs are counted in all, from noisy sizes."""
        return unbiased_pairs(transcript.received[-2].batch["size"], self.budget(context).size)

    def answer_variance(self, context: RoundContext, transcript: Transcript, total: float, noise: float) -> float:
        """By how many people count the same pair; and what is left to chance where not all pairs are looked at.

        A pair looked at by one in m counters with probability r of being reported adds (m - 1) r for each counter.
        """
        response, graph, received = self.response(context), context.published[-1].graph, transcript.received[-2]
        sizes, pairs = received.batch["size"], self.counted_pairs(context, transcript)

        def measure(people: int) -> Overlap:
            chosen = self.best_connected(context, Received(received.people, sizes), min(people, len(sizes)))
            return measure_overlap(graph.among(chosen), response)

        of_answers = answer_variance(measure, pairs, float(sizes.sum()), response, noise)
        q, gain = float(response.flip_probability), float(response.gain)
        return of_answers + (self.one_in - 1) * max(q * pairs + gain * total, 0.0) / gain**2

    def hidden_by_caps(self, context: RoundContext, transcript: Transcript, total: float) -> float:
        """Were the triangles to lie in lists as they do on the whole."""
        joined = total / max(self.counted_pairs(context, transcript), 1.0)
        return self.lost_on_lists(context, transcript, min(max(joined, 0.0), 1.0))

    def lost_on_lists(self, context: RoundContext, transcript: Transcript, joined: float) -> float:
        """Of everybody who counted, where a share of all counted pairs is joined."""
        people = transcript.received[-1].people
        sizes = numbers_of(people, transcript.received[-2])["size"]
        caps = self.caps(context, self.bounds(context, people, [{"size": sizes}]))
        lists = ReleasedLists(sizes, caps, self.n_people - 1 - self.asked(context).ranks[people])
        return lost_to_caps(lists, self.budget(context).size, joined, self.response(context), self.one_in)

    def download_bits(self) -> float:
        """Mean number of pairs above a person that are looked at."""
        n = self.n_people
        return (n - 1) * (n - 2) / 6 / self.one_in


def largest_count(sizes: Integers, bounds: Integers, caps: Integers, edge: int, pair: int) -> Integers:
    """The most that edge f - pair h (see `triangle_page`) can be for lists up to these sizes.

    f is at most all pairs, and cap s / 2. So the largest value lies where one takes over from the other, at the top of
    edge cap s / 2 - pair s^2 / 2, where h begins to grow evenly, or at the end.
    """
    tops = [caps + 1, np.clip(edge * caps // (2 * pair), caps + 1, bounds), bounds, sizes]
    ends = [np.minimum(sizes, top) for top in tops]
    values = [edge * (end * np.minimum(caps, end - 1) // 2) - pair * capped_pairs(end, bounds) for end in ends]
    return np.asarray(np.maximum(0, np.max(values, axis=0)) + edge + pair, dtype=np.int64)


def size_epsilon(epsilon: Fraction) -> Fraction:
    """What the size of a counted list is worth: 7/25 of the root of epsilon, at most 3/5 of epsilon.

    >>> size_epsilon(Fraction(1)), size_epsilon(Fraction(1, 100))
    (Fraction(7, 25), Fraction(3, 500))
    """
    return min(Fraction(7 * math.isqrt(int(epsilon * 10**12)), 25 * 10**6), epsilon * Fraction(3, 5))


def list_bounds(noisy_sizes: Integers, size: Fraction, most: Integers) -> Integers:
    """Sizes that are passed with probability `MISSED` at most, cut to 2..most."""
    spare = math.ceil(math.log(1 / (2 * MISSED)) / float(size))
    return np.maximum(2, np.minimum(noisy_sizes + spare, most))
