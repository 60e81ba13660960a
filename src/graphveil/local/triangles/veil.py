"""Number of triangles, every pair of people with one reporter and one counter.

Paper      our own; noisy pairs of Warner 1965, two rounds of Imola, Murakami and Chaudhuri 2021
Unit       edge; one entry of one person's friend list
Trust      local
Guarantee  pure epsilon for an entry, 2 epsilon for a friendship
Estimator  unbiased while no list passes its cap or bound, which were chosen so that this is rare
Cost       two or three numbers and half a bit for each person up; down, one bit for a third of all pairs of people
Differs    no bit is used twice, so that reports and counts each get nearly all of epsilon; lists are never cut

A public order ranks everybody, by noisy degree classes (`veil`) or by a public hash (the others, which saves a round).
The higher end of a pair answers for it. Everybody counts noisy edges among the friends above, so each triangle is
counted once, by its lowest person, whose own answers take no part in that. With `one_in` = m, a public hash of the
counter and of both people chooses one pair in m for everybody afresh: m times less to fetch, and since everybody looks
at other pairs, the noise of answers still averages over people.

Sensitivity. Fix what all others send. The degree has sensitivity 1, for any entry. Given the published order, an entry
of a list is either answered for (its loss is that of one randomised response, and neither the size nor the count reads
it: they read entries above, and noisy pairs that the person has no part in) or counted (the size has sensitivity 1, the
count is treated in `triangle_page`, with bounds and caps made of released values; the answers do not read it). So an
entry costs the larger of degree + pairs and degree + size + count, both epsilon. A friendship is answered for at one
end and counted at the other: 2 epsilon. All that holds only while everybody keeps to one order and answers once.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from graphveil.errors import ParameterError
from graphveil.local.lists import Integers
from graphveil.local.pairs.pair_owners import AskedPairs
from graphveil.local.protocol import Received, RoundContext
from graphveil.local.triangles.protocol import Budget, TrianglePage
from graphveil.local.triangles.split_roles import SplitRoles, size_epsilon
from graphveil.mechanisms.noise.person_streams import public_words

CLASSES_PER_DOUBLING = 4
LEAST_SHARE = 0.1  # of people above, for a size to tell how long the whole list is


class ByteForEach(SplitRoles):
    """Three rounds, where what makes the order is a byte for each person, published after the first."""

    __slots__ = ()

    def write_publication(self, round_number: int, publication: Any) -> bytes:
        """A byte for each person, then the graph."""
        return publication.tobytes() if round_number == 1 else TrianglePage.write_publication(self, 2, publication)

    def read_publication(self, round_number: int, data: bytes) -> Any:
        """As they were written."""
        if round_number == 2:
            return TrianglePage.read_publication(self, 2, data)
        if len(data) != self.n_people:
            raise ParameterError(f"the published order has {len(data)} bytes; {self.n_people} people need as many")
        return np.frombuffer(data, dtype=np.uint8)

    def download_bits(self) -> float:
        """A byte for each person, and the pairs."""
        return 8 * self.n_people + SplitRoles.download_bits(self)


@dataclass(frozen=True, slots=True, kw_only=True)
class VeilTriangles(ByteForEach):
    """The default: an order by noisy degrees keeps the counted lists short. `degree_share` of epsilon pays for it.

    >>> page = VeilTriangles(epsilon=1, n_people=4039)
    >>> page.guarantee.relationship_epsilon, round(page.cost().download_bits_per_user / 1e6, 2)
    (Fraction(2, 1), 2.75)
    """

    name: ClassVar[str] = "veil"
    rounds: ClassVar[int] = 3
    schedule: ClassVar[tuple[tuple[str, ...], ...]] = (("degree",), ("size", "pairs"), ("count",))

    degree_share: Fraction = Fraction(3, 100)

    def __post_init__(self) -> None:
        TrianglePage.__post_init__(self)
        if not 0 < self.degree_share <= Fraction(3, 10):
            raise ParameterError(f"degree_share must lie above 0 and at or below 3/10, not at {self.degree_share}")

    def budget(self, context: RoundContext) -> Budget:
        """Answers get all but the degree's share, counts all but that and the size's."""
        degree, size = self.epsilon * self.degree_share, size_epsilon(self.epsilon)
        return Budget(degree, size, self.epsilon - degree, self.epsilon - degree - size)

    def asked(self, context: RoundContext) -> AskedPairs:
        """Pairs belong to the end of the higher class, then of the higher number."""
        return AskedPairs(self.n_people, Fraction(1), ranks=ranks_of(context.published[0]))

    def best_connected(self, context: RoundContext, sizes: Received, people: int) -> Integers:
        """The end of the order."""
        return np.argsort(self.asked(context).ranks)[-people:]

    def publish_degrees(self, people: Integers, degrees: Integers) -> NDArray[np.uint8]:
        """Everybody's class; people who did not answer are in the lowest, where they have nothing to report."""
        classes = np.zeros(self.n_people, dtype=np.uint8)
        classes[people] = degree_classes(degrees)
        return classes


@dataclass(frozen=True, slots=True, kw_only=True)
class TwoRoundTriangles(SplitRoles):
    """An order that a public hash gives: a round less, and nothing spent on degrees."""

    name: ClassVar[str] = "veil-two-rounds"
    rounds: ClassVar[int] = 2
    schedule: ClassVar[tuple[tuple[str, ...], ...]] = (("size", "pairs"), ("count",))

    def budget(self, context: RoundContext) -> Budget:
        """Answers get everything, counts what the size leaves."""
        size = size_epsilon(self.epsilon)
        return Budget(size=size, pairs=self.epsilon, count=self.epsilon - size)

    def asked(self, context: RoundContext) -> AskedPairs:
        """Pairs belong to the end that the hash puts higher."""
        return AskedPairs(self.n_people, Fraction(1), ranks=ranks_of(order_words(self.n_people)))

    def best_connected(self, context: RoundContext, sizes: Received, people: int) -> Integers:
        """By noisy size over the share of people above; near the top of the order that says little."""
        ranks = self.asked(context).ranks[sizes.people]
        above = np.maximum(1 - ranks / self.n_people, LEAST_SHARE)
        chosen = np.argsort(sizes.batch / above)[-people:]
        return sizes.people[chosen[np.argsort(ranks[chosen])]]


@dataclass(frozen=True, slots=True, kw_only=True)
class LowDownloadTriangles(TwoRoundTriangles):
    """Everybody looks at one pair in `pairs_one_in` only.

    >>> page = LowDownloadTriangles(epsilon=1, n_people=4039)
    >>> round(page.cost().download_bits_per_user / 1e3, 1)
    79.9
    """

    name: ClassVar[str] = "veil-low-download"

    pairs_one_in: int = 34

    def __post_init__(self) -> None:
        TrianglePage.__post_init__(self)
        if not 1 <= self.pairs_one_in <= 10**6:
            raise ParameterError(f"pairs_one_in must lie in 1..1000000, not at {self.pairs_one_in}")

    @property
    def one_in(self) -> int:
        """One pair in so many is looked at."""
        return self.pairs_one_in


def degree_classes(noisy_degrees: Integers) -> NDArray[np.uint8]:
    """Four classes for each doubling of a degree: as good an order as the numbers themselves, in a byte.

    >>> degree_classes(np.array([-3, 1, 2, 3, 4, 100])).tolist()
    [0, 1, 5, 7, 9, 27]
    """
    edges = 2 ** (np.arange(31 * CLASSES_PER_DOUBLING) / CLASSES_PER_DOUBLING)
    return np.searchsorted(edges, noisy_degrees, side="right").astype(np.uint8)


def order_words(n_people: int) -> NDArray[np.uint64]:
    """A public hash that orders everybody."""
    return public_words("triangle-order", np.arange(n_people))


def ranks_of(*keys: NDArray[Any]) -> Integers:
    """Everybody's place in the order of the last key, then of those before it, then of numbers.

    >>> ranks_of(np.array([5, 3, 4]), np.array([1, 1, 0])).tolist()
    [2, 1, 0]
    """
    ranks = np.empty(len(keys[0]), dtype=np.int64)
    ranks[np.lexsort(keys)] = np.arange(len(keys[0]))
    return ranks
