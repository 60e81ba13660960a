"""What is kept as published and refuted runs in simulations and audits, never for real: it has no messages."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar, NoReturn

from graphveil.arrays import Integers
from graphveil.errors import ClaimRefuted
from graphveil.local.protocol import RoundContext


class NeverSent:
    """The part of a protocol that refuses to make or to read reports."""

    __slots__ = ()

    why_no_interval: ClassVar[str] = "kept as published, for study: it states no error, and its bias is not known"

    def pack(self: Any, context: RoundContext, people: Integers, batch: Any) -> NoReturn:
        """Refused: nothing of it is ever sent."""
        raise ClaimRefuted(f"{self.name} is kept for study only and has no messages")

    def unpack(self: Any, context: RoundContext, people: Integers, payloads: Sequence[bytes]) -> NoReturn:
        """Refused: nothing of it is ever received."""
        raise ClaimRefuted(f"{self.name} is kept for study only and has no messages")
