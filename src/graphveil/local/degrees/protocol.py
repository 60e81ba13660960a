"""What all pages about the degree distribution share."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from graphveil.errors import ParameterError
from graphveil.local.lists import Integers, Lists
from graphveil.local.protocol import PUBLIC_ROSTER, LocalProtocol
from graphveil.privacy.guarantee import Guarantee

WHOLE_LIST = (
    PUBLIC_ROSTER,
    "only a person's own list is meant; with the entries in the lists of d friends it is (1 + d) epsilon",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class DegreeProtocol(LocalProtocol):
    """One report from each person about their degree, under a promise for the whole list.

    Sensitivity: the report is one draw from a channel whose input is the degree cut at `max_degree`. Any two lists give
    two inputs of that channel, so the channel's worst ratio e^epsilon bounds the loss for a whole list. A friendship
    stands in two lists: 2 epsilon. `max_degree` is public; 0 stands for the page's own rule, a function of `n_people`.
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
    def guarantee(self) -> Guarantee:
        """Epsilon for one person's list, twice that for a friendship."""
        return self.promise(2 * self.epsilon, *WHOLE_LIST)

    def clamped_degrees(self, lists: Lists) -> Integers:
        """What the channel is fed."""
        return np.minimum(lists.degrees, self.max_degree)
