"""Triangles and clustering of every person, from counts in a noisy graph; two designs, of which epsilon decides.

Paper      our own; begins where Fu et al. 2024, Algorithms 4 and 6, and Imola, Murakami and Chaudhuri 2021 leave off
Unit       edge; one entry of one person's friend list
Trust      local
Guarantee  pure epsilon for an entry; for a friendship 2 epsilon (split) or 1.56 epsilon (whole)
Estimator  unbiased where no cap binds, then moved towards what others of that degree have (`clustering.sequence`)
Cost       two numbers and a bit for each pair a person answers for up; a bit for each pair that has an owner down

Everybody sends the noisy length of the list that will be counted, and answers for the pairs that they own; the noisy
graph is published; everybody counts in it (`triangles.counts` has the count and its sensitivity). Who owns which pair
follows from numbers on the roster and from a public hash, so both ends of a friendship have the roles that the campaign
gives them, whatever the collector does.

whole: all pairs have an owner, every entry is counted; .12, .44 and .44 of epsilon for the length, an answer and the
count. An entry goes into all three: their sum. Of a friendship, one entry is answered for.
split (below epsilon 1.5): a fifth of the pairs has an owner. An entry that its person answers for is not counted and
gets all of epsilon in round 1; any other is only counted and gets .2 of epsilon in the length and .8 in the count. No
entry pays twice, which outweighs the tenth of each list that is not counted as long as noise is what hurts.

Bounds are the noisy lengths and a margin. Caps leave room for lists of which .7 of the pairs are friends, or more the
longer the list is (`SizeLimits`: in a long list a cap that binds hurts more than noise), and two deviations of flipped
answers. All of these follow from released lengths. What caps may still hide widens the interval of that person.

Clustering is made of the same reports, so nothing is paid for it, and no noisy degree is divided by. Its default is the
whole design: a public choice of some pairs is the same for everybody, and what it misses would not average out.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

from graphveil.errors import ParameterError
from graphveil.local.clustering.sequence import estimate_clustering, estimate_sequence
from graphveil.local.protocol import LAPLACE95, LocalProtocol
from graphveil.local.triangles.counts import Budget, Counted, Schedule, SizeLimits
from graphveil.local.triangles.design import Design, Strength, Target
from graphveil.local.triangles.order import NumberParity
from graphveil.local.triangles.protocol import TriangleProtocol
from graphveil.local.triangles.veil import TWO_ROUNDS
from graphveil.mechanisms.staircase import staircase_reach

SPLIT_BELOW = Fraction(3, 2)
ONE_PAIR_IN = 5  # of the split design
CLOSURE = 0.7  # share of the pairs of friends that the cap of a short list has room for


@dataclass(frozen=True, slots=True, kw_only=True)
class VeilSequence(TriangleProtocol):
    """Public parameters: `salt`, another choice of pairs with an owner, and the design, by default what epsilon needs.

    >>> protocol = VeilSequence(epsilon=1, n_people=1000)
    >>> protocol.method, float(protocol.guarantee.relationship_epsilon)
    ('split', 2.0)
    """

    statistic: ClassVar[str] = "triangle-sequence"
    name: ClassVar[str] = "veil"
    schedule: ClassVar[Schedule] = TWO_ROUNDS

    salt: int = 0
    method: str = ""

    @property
    def reach95(self) -> float:  # type: ignore[override]
        """Deviations to either side of a 95 % interval, for the noise of counts at this epsilon."""
        return count_reach(self.design)

    def __post_init__(self) -> None:
        LocalProtocol.__post_init__(self)
        object.__setattr__(self, "method", check_method(self.method, self.epsilon, SPLIT_BELOW))

    def make_design(self) -> Design:
        """Split or whole, moved towards a curve."""
        return one_strength(self.method, self.epsilon, self.salt, estimate_sequence)


@dataclass(frozen=True, slots=True, kw_only=True)
class VeilClustering(TriangleProtocol):
    """Public parameters: those of the triangle sequence."""

    statistic: ClassVar[str] = "clustering"
    name: ClassVar[str] = "veil"
    schedule: ClassVar[Schedule] = TWO_ROUNDS

    salt: int = 0
    method: str = ""

    @property
    def reach95(self) -> float:  # type: ignore[override]
        """Deviations to either side of a 95 % interval, for the noise of counts at this epsilon."""
        return count_reach(self.design)

    def __post_init__(self) -> None:
        LocalProtocol.__post_init__(self)
        object.__setattr__(self, "method", check_method(self.method, self.epsilon, Fraction(0)))

    def make_design(self) -> Design:
        """Split or whole, as clustering."""
        return one_strength(self.method, self.epsilon, self.salt, estimate_clustering)


def count_reach(design: Design) -> float:
    """Deviations that 95 % of the noise of counts stays within at each strength, and Laplace noise as well."""
    return max(LAPLACE95, *(staircase_reach(strength.budget.count) for strength in design.strengths))


def check_method(method: str, epsilon: Fraction, split_below: Fraction) -> str:
    """The given design, or the better one at this epsilon."""
    chosen = method or ("split" if epsilon < split_below else "whole")
    if chosen not in ("split", "whole"):
        raise ParameterError(f"the method is split or whole, not {chosen!r}")
    return chosen


def split_design(epsilons: tuple[Fraction, ...], salt: int, target: Target, names: tuple[str, ...] = ("",)) -> Design:
    """A fifth of the pairs has an owner; each entry is answered for, at the smallest epsilon, or counted."""

    def strength(name: str, epsilon: Fraction) -> Strength:
        budget = Budget(size=epsilon / 5, pairs=min(epsilons), count=epsilon * 4 / 5)
        return Strength(budget, SizeLimits(CLOSURE, widens=budget.count), name)

    strengths = tuple(map(strength, names, epsilons))
    return Design(order=NumberParity(), strengths=strengths, target=target, owned_one_in=ONE_PAIR_IN, salt=salt)


def one_strength(method: str, epsilon: Fraction, salt: int, target: Target) -> Design:
    """The split design, or the whole one, in which all pairs have an owner and every entry is counted."""
    if method == "split":
        return split_design((epsilon,), salt, target)
    budget = Budget(size=epsilon * 3 / 25, pairs=epsilon * 11 / 25, count=epsilon * 11 / 25)
    strengths = (Strength(budget, SizeLimits(CLOSURE, widens=budget.count)),)
    return Design(order=NumberParity(), strengths=strengths, target=target, counted=Counted.ALL, salt=salt)
