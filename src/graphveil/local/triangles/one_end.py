"""Number of triangles, one end of every pair doing everything: the comparison that shows what splitting roles buys.

Paper      our own, on the roles of Imola, Murakami and Chaudhuri 2021
Unit       edge; one entry of one person's friend list
Trust      local
Guarantee  pure epsilon for an entry, 1.015 epsilon for a friendship
Estimator  unbiased while no list passes its cap or bound
Cost       as `veil`
Differs    the end that answers for a pair also counts it; the other end never uses it

The order falls with the noisy degree class, and everybody answers for, and counts among, the friends lower in it. Both
then have to share epsilon, so that an entry costs twice what it costs with split roles. A friendship is used at one end
only, though: at equal loss for a friendship this protocol and `veil` have nearly the same law of error. Whoever cares
for friendships alone loses nothing here; whoever promises something to each single list gains by splitting.

Sensitivity. An entry that a person answers for costs degree + pairs + size + count (as in `veil_triangles`: the count
is taken in noisy pairs that the person has no part in, since the higher of two people lower than the person answers for
them), any other entry the degree alone. One friendship: the first at one end, the second at the other.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

import numpy as np

from graphveil.local.lists import Integers, Lists
from graphveil.local.pairs.pair_owners import AskedPairs
from graphveil.local.protocol import Received, RoundContext
from graphveil.local.triangles.messages import Batch
from graphveil.local.triangles.protocol import Budget
from graphveil.local.triangles.split_roles import list_bounds, size_epsilon
from graphveil.local.triangles.veil import VeilTriangles, ranks_of


@dataclass(frozen=True, slots=True, kw_only=True)
class OneEndTriangles(VeilTriangles):
    """Public parameter: the share of epsilon that the order costs.

    >>> OneEndTriangles(epsilon=2, n_people=100).guarantee.relationship_epsilon
    Fraction(203, 100)
    """

    name: ClassVar[str] = "one-end"
    others_answer: ClassVar[bool] = False

    degree_share: Fraction = Fraction(3, 200)

    @property
    def relationship_epsilon(self) -> Fraction:
        """Everything at one end, the degree at the other."""
        return self.epsilon * (1 + self.degree_share)

    def budget(self, context: RoundContext) -> Budget:
        """Half of what the degree leaves for answers, half for size and count."""
        degree, size = self.epsilon * self.degree_share, size_epsilon(self.epsilon / 2)
        half = (self.epsilon - degree) / 2
        return Budget(degree, size, half, half - size)

    def asked(self, context: RoundContext) -> AskedPairs:
        """Pairs belong to the end of the lower class."""
        return AskedPairs(self.n_people, Fraction(1), ranks=ranks_of(-context.published[0].astype(np.int64)))

    def counted(self, context: RoundContext, lists: Lists) -> Lists:
        """What the person also answers for."""
        return self.asked(context).only_owned(lists)

    def best_connected(self, context: RoundContext, sizes: Received, people: int) -> Integers:
        """The beginning of the order, from where it is left."""
        return np.argsort(-self.asked(context).ranks)[-people:]

    def bounds(self, context: RoundContext, people: Integers, sent: Sequence[Batch]) -> Integers:
        """The noisy size and what noise hides, no more than there are people lower in the order."""
        return list_bounds(sent[-1]["size"], self.budget(context).size, self.asked(context).ranks[people])
