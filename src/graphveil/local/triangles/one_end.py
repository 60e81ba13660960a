"""Number of triangles, one end of every pair doing everything: the comparison that shows what splitting roles buys.

Paper      our own, on the roles of Imola, Murakami and Chaudhuri 2021
Unit       edge; one entry of one person's friend list
Trust      local
Guarantee  pure epsilon for an entry, 2 epsilon for a friendship (1.015 epsilon if all are shown one order)
Estimator  unbiased while no list passes its cap or bound
Cost       as `veil`
Differs    the end that answers for a pair also counts it; the other end never uses it

The order falls with the noisy degree class, and everybody answers for, and counts among, the friends lower in it. Both
then have to share epsilon, so that an entry costs twice what it costs with split roles. While everybody is shown the
same order, a friendship is used at one end only. Nothing makes a collector show one order, though: where both ends of
a friendship are told that they are the higher one, both use it. So at equal guarantees `veil` has the smaller error.

Sensitivity. An entry that a person answers for costs degree + pairs + size + count (as in `veil`: the count is taken in
noisy pairs that the person has no part in, since the higher of two people lower than the person answers for them), any
other entry the degree alone. One friendship: the first at both ends, if these were shown different orders.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

from graphveil.local.protocol import LocalProtocol
from graphveil.local.triangles.counts import Budget, Counted, Schedule, size_epsilon
from graphveil.local.triangles.design import Design, Strength
from graphveil.local.triangles.order import DegreeOrder
from graphveil.local.triangles.protocol import TriangleProtocol
from graphveil.local.triangles.total import estimate_total
from graphveil.local.triangles.veil import ORDER_FIRST, check_degree_share


@dataclass(frozen=True, slots=True, kw_only=True)
class OneEndTriangles(TriangleProtocol):
    """Public parameter: the share of epsilon that the order costs.

    >>> OneEndTriangles(epsilon=2, n_people=100).guarantee.relationship_epsilon
    Fraction(4, 1)
    """

    name: ClassVar[str] = "one-end"
    schedule: ClassVar[Schedule] = ORDER_FIRST

    degree_share: Fraction = Fraction(3, 200)

    def __post_init__(self) -> None:
        LocalProtocol.__post_init__(self)
        check_degree_share(self.degree_share)

    def make_design(self) -> Design:
        """Half of what the degree leaves for answers, half for size and count, in a falling order of degrees."""
        degree, size = self.epsilon * self.degree_share, size_epsilon(self.epsilon / 2)
        half = (self.epsilon - degree) / 2
        return Design(
            order=DegreeOrder(falling=True),
            strengths=(Strength(Budget(degree, size, half, half - size)),),
            target=estimate_total,
            counted=Counted.OWNED,
            in_parts=True,
        )
