"""The parts that a triangle protocol is composed of, and the losses that follow from them.

    order       who ranks above whom, and so who owns which pair              `order`
    counted     which entries of a list its person counts                     `counts.Counted`
    strengths   what is on offer; mostly one. Each has
      budget    the epsilon of each message                                   `counts.Budget`
      limits    bounds of lists, caps on noisy edges, the width of noise      `counts.Limits`
      channel   for people who protect their whole list: how they report its length, and nothing else of it
    noise       the law of the noise of counts                                `counts.CountNoise`
    target      what is estimated from the transcript                         `total`, `clustering.sequence`, ...

Losses. A degree reads every entry of a list, answers read the entries whose pairs the person owns, size and count those
that the person counts. Each message has a randomizer of the epsilon that its budget gives, so the loss of an entry and
of a friendship follow from the budget and from the roles that entries can have (`local.losses`). A person's own role is
taken from one order in all rounds: a client refuses a publication that has changed (`local.client`). Two people may be
shown different orders, unless the order is fixed by the campaign; then any two roles can meet in a friendship.

With several strengths, answers about pairs are given at the smallest epsilon on offer, by everybody alike, so that one
correction fits the whole noisy graph; what a person adds by choosing more goes into the size and the count. The choice
is sent in the clear, so it must not be made to depend on the list. All rounds are answered at the strength of the
first; a client that comes back with another one is refused.

Whoever protects the whole list gives its length only, through a channel whose loss holds for any two lengths. Answers
and count are sent all the same, but as somebody with an empty list would send them: they read no entry and cost
nothing. Their pairs are missing from the noisy graph, which estimates take into account (`clustering.sequence`).
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache
from typing import Any, TypeAlias

import numpy as np

from graphveil.arrays import Bits, Integers
from graphveil.errors import ParameterError
from graphveil.local.degrees.channels import WaveChannel
from graphveil.local.losses import EVERY_ROLE, Messages, Role, RolePairs
from graphveil.local.pairs.response import PARTS
from graphveil.local.protocol import Estimate, Transcript
from graphveil.local.randomizers import ScaledStaircase
from graphveil.local.triangles.counts import CLIQUE_LIMITS, Budget, Counted, CountNoise, Limits
from graphveil.local.triangles.order import Order
from graphveil.privacy.unit import Kind

NO_ROLE: frozenset[Role] = frozenset()
LARGEST_COUNT = 2**61  # a count and its noise stay below 2^63
Target: TypeAlias = Callable[[Any, Transcript], Estimate]  # of a `TriangleProtocol`


@dataclass(frozen=True, slots=True)
class Strength:
    """How people of one strength are protected and counted; it has a name where there are several to choose from."""

    budget: Budget
    limits: Limits = CLIQUE_LIMITS
    name: str = ""
    channel: WaveChannel | None = None

    def messages(self, parts: Messages) -> Messages:
        """These messages, or of a whole list its length alone; the others then read nothing."""
        if self.channel is None:
            return parts
        length = replace(parts["size"], randomizer=self.channel, reads=EVERY_ROLE)
        empty = (length if part.what == "size" else replace(part, reads=NO_ROLE) for part in parts.parts)
        return Messages(Kind.NODE, tuple(empty))


@dataclass(frozen=True, slots=True, kw_only=True)
class Design:
    """The parts that make a protocol.

    One pair in `owned_one_in` has an owner (a public hash with a `salt` decides which); everybody looks at one pair in
    `looks_one_in`, others than anybody else. With `in_parts` a person fetches only the pairs that the role needs.
    """

    order: Order
    strengths: tuple[Strength, ...]
    target: Target
    counted: Counted = Counted.OTHERS
    noise: type[CountNoise] = ScaledStaircase
    owned_one_in: int = 1
    looks_one_in: int = 1
    salt: int = 0
    in_parts: bool = False
    kept: Fraction = Fraction(1)  # the share of reports of friends that are not dropped again
    times_counted: Fraction = Fraction(1)  # how many people count each triangle, on average

    def closed(self, choices: Integers) -> Bits:
        """Who gives the length of the list only, by what they chose."""
        return np.array([strength.channel is not None for strength in self.strengths])[choices]

    @property
    def weight(self) -> int:
        """What one noisy edge counts for: m, where one pair in m has an owner or is looked at."""
        return self.owned_one_in * self.looks_one_in

    @property
    def notices(self) -> range:
        """What can be announced with the noisy graph, at whatever strength."""
        return self.strengths[0].limits.notices

    @property
    def role_pairs(self) -> RolePairs:
        """The roles that both ends of a friendship can have, whatever a collector shows them."""
        return self.counted.role_pairs(one_owner=self.order.fixed, every_pair=self.owned_one_in == 1)


@lru_cache(maxsize=64)
def design_of(protocol: Any) -> Design:
    """The parts of a `TriangleProtocol`, made once for all protocols of equal parameters.

    Refuses more people than counts of 64 bits have room for: noise of a width that overflows would protect nobody.
    """
    made: Design = protocol.make_design()
    largest = PARTS * made.weight * math.comb(protocol.n_people, 2)
    if largest > LARGEST_COUNT:
        most = math.isqrt(2 * LARGEST_COUNT // (PARTS * made.weight))
        raise ParameterError(f"counts of {protocol.n_people} people do not fit 64 bits; at most {most} can be asked")
    return made
