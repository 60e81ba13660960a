"""Degree distribution, triangles and clustering of every person at once: everybody answers two rounds for all of them.

Paper      our own; Fu et al. 2024 ask for three statistics at once (Algorithms 5 and 6)
Unit       edge; one entry of one person's friend list
Trust      local
Guarantee  pure epsilon for an entry, for all statistics together; for a friendship 2 epsilon (split) or 1.5 epsilon
           and half of the share for degrees (whole)
Estimator  degrees: that of `degrees.noisy`; triangles and clustering: that of `clustering.sequence`
Cost       two numbers and a bit for each pair a person answers for up; a bit for each pair that has an owner down

Round 1: everybody sends a noisy degree, and answers for the pairs that they own. The noisy graph is published. Round 2:
everybody counts noisy edges within a part of the own list, and sends the noisy count. The noisy degrees give the degree
distribution, set the bound and the cap of each count, and tell how many pairs of friends a count is about. The counts
give triangles, and with the degrees clustering. Of two designs, as in `clustering.veil`, epsilon decides:

split (below epsilon 1.5): one pair in five has an owner; friends whom a person answers for are not counted.
whole: all pairs have an owner, all friends are counted. Five times as much is fetched; the total gets an interval.

Loss. The degree has sensitivity 1 and reads every entry, at a share s of epsilon, `degree_share`. Split: an entry that
its person answers for is read by its answer alone, any other by the count alone (its sensitivity is in
`triangles.counts`; its bound and cap come from the released degree). Each of them gets all of (1 - s) epsilon, so every
entry costs epsilon and a friendship, one entry of each of two lists, 2 epsilon. Whole: answers and counts get half of
(1 - s) epsilon each. An entry that is answered for and counted costs epsilon; the other end's only s and half of the
rest. Who owns a pair follows from numbers on the roster and a public hash, whatever the collector does.

The split design of `clustering.veil` sends the length of the counted part of a list. Here the whole degree is sent: an
entry that is answered for pays for the degree too, and the degree distribution needs no further message.

How much goes to the degree is forecast from public values when the campaign is made (`joint.shares`).
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar

from graphveil.errors import ParameterError
from graphveil.local.clustering.veil import CLOSURE, ONE_PAIR_IN, SPLIT_BELOW, check_method
from graphveil.local.joint.estimates import estimate_joint
from graphveil.local.joint.names import check_names
from graphveil.local.joint.shares import best_degree_share, joint_budget
from graphveil.local.protocol import LAPLACE95, LocalProtocol
from graphveil.local.triangles.counts import Counted, Schedule, SizeLimits
from graphveil.local.triangles.design import Design, Strength
from graphveil.local.triangles.order import NumberParity
from graphveil.local.triangles.protocol import TriangleProtocol

WIDE_CLOSURE = 0.85  # share of a person's pairs of friends that a cap has room for, from this epsilon on
WIDE_CAPS_FROM = 3
STATISTICS = ("degree-distribution", "triangle-sequence", "clustering", "triangles")


@dataclass(frozen=True, slots=True, kw_only=True)
class JointVeil(TriangleProtocol):
    """Public parameters: the statistics, the share of epsilon for degrees (0: by forecast), design and choice of pairs.

    >>> protocol = JointVeil(epsilon=1, n_people=1000, statistics=("degree-distribution", "clustering"))
    >>> protocol.statistic, float(protocol.guarantee.epsilon), float(protocol.guarantee.relationship_epsilon)
    ('degree-distribution,clustering', 1.0, 2.0)
    """

    name: ClassVar[str] = "veil"
    reach95: ClassVar[float] = LAPLACE95
    why_no_interval: ClassVar[str] = (
        "which pairs have an owner is chosen once for all, and how far that moves a total is not known"
    )
    schedule: ClassVar[Schedule] = (("degree", "pairs"), ("count",))

    statistics: tuple[str, ...] = ()
    degree_share: Fraction = Fraction(0)
    method: str = ""
    salt: int = 0

    def __post_init__(self) -> None:
        LocalProtocol.__post_init__(self)
        object.__setattr__(self, "statistics", check_names(self.statistics, STATISTICS))
        object.__setattr__(self, "method", check_method(self.method, self.epsilon, SPLIT_BELOW))
        if self.degree_share == 0:
            share = best_degree_share(self.statistics, self.method, self.epsilon, self.n_people)
            object.__setattr__(self, "degree_share", share)
        if not 0 < self.degree_share < 1:
            raise ParameterError(
                f"degree_share lies above 0 and below 1, or is 0 for a forecast, not {self.degree_share}"
            )

    @property
    def statistic(self) -> str:  # type: ignore[override]
        """All that is asked for, in one text."""
        return ",".join(self.statistics)

    def parameters(self) -> dict[str, Any]:
        """Without the statistics, which a campaign names by themselves."""
        return {name: value for name, value in LocalProtocol.parameters(self).items() if name != "statistics"}

    def make_design(self) -> Design:
        """Split or whole, with bounds from the degree that every entry goes into."""
        budget = joint_budget(self.method, self.epsilon, self.degree_share)
        limits = SizeLimits(WIDE_CLOSURE if self.epsilon >= WIDE_CAPS_FROM else CLOSURE, "degree")
        strengths, order = (Strength(budget, limits),), NumberParity()
        if self.method == "whole":
            return Design(order=order, strengths=strengths, target=estimate_joint, counted=Counted.ALL, salt=self.salt)
        return Design(order=order, strengths=strengths, target=estimate_joint, owned_one_in=ONE_PAIR_IN, salt=self.salt)
