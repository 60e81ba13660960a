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
counted once, by its lowest person, whose own answers take no part in that. With `looks_one_in` = m, a public hash of
the counter and of both people chooses one pair in m for everybody afresh: m times less to fetch, and since everybody
looks at other pairs, the noise of answers still averages over people.

Sensitivity. Fix what all others send. The degree has sensitivity 1, for any entry. Given the order that a person was
shown, an entry of the list is either answered for (its loss is that of one randomised response, and neither the size
nor the count reads it: they read entries above, and noisy pairs that the person has no part in) or counted (the size
has sensitivity 1, the count is treated in `counts`, with bounds and caps made of released values; the answers do not
read it). So an entry costs the larger of degree + pairs and degree + size + count, both epsilon, and a friendship at
most twice that, whatever orders its two ends were shown.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

from graphveil.errors import ParameterError
from graphveil.local.protocol import LocalProtocol
from graphveil.local.triangles.counts import Budget, Schedule, size_epsilon
from graphveil.local.triangles.design import Design, Strength
from graphveil.local.triangles.order import DegreeOrder, HashOrder
from graphveil.local.triangles.protocol import TriangleProtocol
from graphveil.local.triangles.total import estimate_total

ORDER_FIRST: Schedule = (("degree",), ("size", "pairs"), ("count",))
TWO_ROUNDS: Schedule = (("size", "pairs"), ("count",))


@dataclass(frozen=True, slots=True, kw_only=True)
class VeilTriangles(TriangleProtocol):
    """The default: an order by noisy degrees keeps the counted lists short. `degree_share` of epsilon pays for it.

    >>> protocol = VeilTriangles(epsilon=1, n_people=4039)
    >>> protocol.guarantee.relationship_epsilon, round(protocol.cost().download_bits_per_user / 1e6, 2)
    (Fraction(2, 1), 2.75)
    """

    name: ClassVar[str] = "veil"
    schedule: ClassVar[Schedule] = ORDER_FIRST

    degree_share: Fraction = Fraction(3, 100)

    def __post_init__(self) -> None:
        LocalProtocol.__post_init__(self)
        check_degree_share(self.degree_share)

    def make_design(self) -> Design:
        """An order by noisy degrees, at whose higher end pairs are answered for."""
        strength = Strength(split_budget(self.epsilon, self.degree_share))
        return Design(order=DegreeOrder(), strengths=(strength,), target=estimate_total, in_parts=True)


@dataclass(frozen=True, slots=True, kw_only=True)
class TwoRoundTriangles(TriangleProtocol):
    """An order that a public hash gives: a round less, and nothing spent on degrees."""

    name: ClassVar[str] = "veil-two-rounds"
    schedule: ClassVar[Schedule] = TWO_ROUNDS

    def make_design(self) -> Design:
        """An order by a public hash."""
        return hash_design(self.epsilon)


@dataclass(frozen=True, slots=True, kw_only=True)
class LowDownloadTriangles(TriangleProtocol):
    """As `veil-two-rounds`, where everybody looks at one pair in `pairs_one_in` only.

    >>> protocol = LowDownloadTriangles(epsilon=1, n_people=4039)
    >>> round(protocol.cost().download_bits_per_user / 1e3, 1)
    79.9
    """

    name: ClassVar[str] = "veil-low-download"
    schedule: ClassVar[Schedule] = TWO_ROUNDS

    pairs_one_in: int = 34

    def __post_init__(self) -> None:
        LocalProtocol.__post_init__(self)
        if not 1 <= self.pairs_one_in <= 10**6:
            raise ParameterError(f"pairs_one_in must lie in 1..1000000, not at {self.pairs_one_in}")

    def make_design(self) -> Design:
        """An order by a public hash, and a public choice of pairs for everybody afresh."""
        return hash_design(self.epsilon, self.pairs_one_in)


def hash_design(epsilon: Fraction, looks_one_in: int = 1) -> Design:
    """Two rounds, in an order that the campaign fixes."""
    strength = Strength(split_budget(epsilon, Fraction(0)))
    return Design(
        order=HashOrder(), strengths=(strength,), target=estimate_total, looks_one_in=looks_one_in, in_parts=True
    )


def split_budget(epsilon: Fraction, degree_share: Fraction) -> Budget:
    """Answers get all but the degree's share, counts all but that and the size's."""
    degree, size = epsilon * degree_share, size_epsilon(epsilon)
    return Budget(degree, size, epsilon - degree, epsilon - degree - size)


def check_degree_share(share: Fraction) -> None:
    """Refuse a share of epsilon for degrees that leaves too little for counts."""
    if not 0 < share <= Fraction(3, 10):
        raise ParameterError(f"degree_share must lie above 0 and at or below 3/10, not at {share}")
