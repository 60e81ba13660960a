"""Number of triangles when everybody picks the strength of their own protection.

Paper      Fu et al. 2024 ask for it (personal privacy preference) and give no protocol; this one is our own
Unit       edge; one entry of one person's friend list
Trust      local
Guarantee  pure epsilon of the strength a person picked; a friendship costs the sum of both ends' epsilons
Estimator  unbiased while no list passes its cap or bound; each triangle is counted where the noise is least
Cost       three numbers and half a bit for each person up; down, one bit for a third of all pairs of people

The roles of `veil` with strengths (`triangles.protocol`). The first round collects the choice alone and publishes it;
it makes the order: whoever picked more stands lower, and among equals a public hash decides.

Weights. A triangle may be counted at any of its corners i, with any weights w_i that add up to 1, and the total stays
unbiased. Noise of a count at i has a variance that falls with the square of the epsilon that i picked, so all of the
weight goes to the corner that picked most, which is the lowest of the three. The other two count nothing of it: a
triangle has one count in the sum, and a weight other than 1 on it would bias the total by that triangle. Counts of the
weak are short in return. Where half of the people pick twice the epsilon of the others, the noise of counts has 6/10 of
the variance that it has in an order by hash alone (Facebook, AstroPh), where they pick four times as much, a half.
Answers are at one epsilon, the weakest, so none is worth more than any; where they make most of the error, as on
Facebook, the total gains little.

Sensitivity: the choice does not depend on the list. An entry that its person answers for costs the smallest epsilon on
offer; a counted one costs a size and a count at what its person picked. A collector that shows different orders can
have both ends of a friendship count it, so a friendship costs up to what both picked.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

from graphveil.errors import ParameterError
from graphveil.local.degrees.preference import check_largest, check_offer
from graphveil.local.protocol import LocalProtocol
from graphveil.local.triangles.counts import Budget, Schedule, size_epsilon
from graphveil.local.triangles.design import Design, Strength
from graphveil.local.triangles.order import StrengthOrder
from graphveil.local.triangles.protocol import TriangleProtocol
from graphveil.local.triangles.total import estimate_total
from graphveil.privacy.loss import exact_epsilon

STRENGTH = "a strength (an epsilon alone, such as 1/2)"


@dataclass(frozen=True, slots=True, kw_only=True)
class PreferredTriangles(TriangleProtocol):
    """Public parameter: the epsilons on offer, of which `epsilon` is the largest; by default half of it too.

    >>> protocol = PreferredTriangles(epsilon=2, n_people=100)
    >>> [(float(g.epsilon), float(g.relationship_epsilon)) for g in protocol.guarantees]
    [(1.0, 3.0), (2.0, 4.0)]
    """

    name: ClassVar[str] = "preference"
    schedule: ClassVar[Schedule] = (("choice",), ("size", "pairs"), ("count",))

    strengths: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        LocalProtocol.__post_init__(self)
        if any(strength.startswith("node:") for strength in self.strengths):
            raise ParameterError(
                f"triangles takes epsilons alone as strengths, not {', '.join(self.strengths)[:100]}; whole lists can "
                "be protected in triangle-sequence and clustering"
            )
        object.__setattr__(self, "strengths", check_strengths(self.strengths, self.epsilon))

    def make_design(self) -> Design:
        """An order by strengths; sizes and counts at each one's own epsilon, answers at the smallest."""
        epsilons = strength_epsilons(self.strengths)

        def strength(name: str, epsilon: Fraction) -> Strength:
            size = size_epsilon(epsilon)
            return Strength(Budget(size=size, pairs=min(epsilons), count=epsilon - size), name=name)

        strengths = tuple(map(strength, self.strengths, epsilons))
        return Design(order=StrengthOrder(epsilons), strengths=strengths, target=estimate_total, in_parts=True)


def check_strengths(
    strengths: tuple[str, ...], epsilon: Fraction, whole_lists: tuple[str, ...] = ()
) -> tuple[str, ...]:
    """The strengths on offer, by default epsilon and half of it; refuses what cannot be offered.

    `whole_lists` are offered as well, with `node:` before them.
    """
    offered = strengths or (str(epsilon / 2), str(epsilon))
    for each in (offered, whole_lists):
        check_offer(each or offered, strength_epsilons(each or offered))
    check_largest(max(strength_epsilons((*offered, *whole_lists))), epsilon)
    return offered


def strength_epsilons(strengths: tuple[str, ...]) -> tuple[Fraction, ...]:
    """The epsilons that strengths stand for."""
    return tuple(exact_epsilon(strength, STRENGTH) for strength in strengths)
