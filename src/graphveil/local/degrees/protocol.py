"""What all protocols for the degree distribution under the unit node share."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from graphveil.arrays import Integers
from graphveil.errors import ParameterError
from graphveil.local.lists import Lists
from graphveil.local.losses import Message, Messages
from graphveil.local.protocol import PUBLIC_ROSTER, LocalProtocol, RoundContext
from graphveil.local.randomizers import Randomizer
from graphveil.privacy.unit import Kind

WHOLE_LIST = (
    PUBLIC_ROSTER,
    "only a person's own list is meant; with the entries in the lists of d friends it is (1 + d) epsilon",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class DegreeProtocol(LocalProtocol):
    """One report from each person about their degree, under a guarantee for the whole list.

    Sensitivity: the report is one draw from a channel whose input is the degree cut at `max_degree`. Any two lists give
    two inputs of that channel, so the channel's worst ratio e^epsilon bounds the loss for a whole list. A friendship
    stands in two lists: 2 epsilon. `max_degree` is public; 0 stands for a function of `n_people`.
    """

    statistic: ClassVar[str] = "degree-distribution"
    unit: ClassVar[str] = "node"

    max_degree: int = 0

    def __post_init__(self) -> None:
        LocalProtocol.__post_init__(self)
        if self.max_degree == 0:
            object.__setattr__(self, "max_degree", self._public_bound())
        if not 1 <= self.max_degree < self.n_people:
            raise ParameterError(f"max_degree must lie in 1..{self.n_people - 1}, not at {self.max_degree}")

    def _public_bound(self) -> int:
        """The largest degree there can be."""
        return self.n_people - 1

    @property
    @abstractmethod
    def randomizer(self) -> Randomizer:
        """What draws a report; its epsilon holds for any two degrees."""

    def messages(self, context: RoundContext, choice: int = 0) -> Messages:
        """One report, which depends on every entry of the list."""
        return Messages(Kind.NODE, (Message("degree", self.randomizer),))

    def exact(self, context: RoundContext, lists: Lists) -> dict[str, Any]:
        """The degrees, cut at `max_degree`."""
        return {"degree": self.clamped_degrees(lists)}

    def assumes(self, choice: int = 0) -> tuple[str, ...]:
        """The public roster, and that a whole list means the person's own."""
        return WHOLE_LIST

    def clamped_degrees(self, lists: Lists) -> Integers:
        """The degrees, cut at `max_degree`: the input of the channel."""
        return np.minimum(lists.degrees, self.max_degree)
