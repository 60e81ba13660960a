"""What directed queries have in common: an edge is one directed relationship, u points at v.

Both directions between two people together are two such edges, so they lose twice: the guarantee says so, and the unit
2-edge protects them as one. Every query here reads `DirectedGraph`; on a plain graph each edge counts as pointing from
the earlier person to the later one, which only tests and audits use: a session refuses it.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import ClassVar

from graphveil.mechanisms.algorithm import stated_guarantee
from graphveil.privacy.guarantee import Guarantee

ONE_DIRECTION = (
    "an edge is one directed relationship, one person pointing at another; both directions between two people together "
    "lose twice epsilon (the unit 2-edge protects them as one)"
)
NODE_REASON = "one person may point at everybody and be pointed at by everybody: noise of 2 n / epsilon"


class DirectedQuery:
    """A query that reads directions; it comes before `Query` among the bases of a class."""

    __slots__ = ()

    epsilon: Fraction
    reads: ClassVar[str] = "directions"
    assumes: ClassVar[tuple[str, ...]] = (ONE_DIRECTION,)

    @property
    def guarantee(self) -> Guarantee:
        """Pure epsilon for one directed relationship, and twice that for whatever is between two people."""
        return replace(stated_guarantee(self), relationship_epsilon=2 * self.epsilon)
