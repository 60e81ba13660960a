"""What protocols share that are kept as published and refuted: they run in simulations and audits, never for real."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar, NoReturn

from graphveil.errors import ClaimRefuted
from graphveil.local.degrees.protocol import DegreeProtocol
from graphveil.local.lists import Integers
from graphveil.local.protocol import LocalProtocol, RoundContext


class StudyProtocol(LocalProtocol):
    """A protocol that sends nothing: refuted ones are never deployed."""

    __slots__ = ()

    why_no_interval: ClassVar[str] = "kept as published, for study: it states no error, and its bias is not known"

    def pack(self, context: RoundContext, people: Integers, batch: Any) -> NoReturn:
        """Refused: nothing of it is ever sent."""
        raise ClaimRefuted(f"{self.name} is kept for study only and has no messages")

    def unpack(self, context: RoundContext, people: Integers, payloads: Sequence[bytes]) -> NoReturn:
        """Refused: nothing of it is ever received."""
        raise ClaimRefuted(f"{self.name} is kept for study only and has no messages")


class StudyDegrees(StudyProtocol, DegreeProtocol):
    """The same for protocols about degrees."""

    __slots__ = ()
