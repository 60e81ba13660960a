"""Reports as they arrive, each with the token it came with: as columns, because thousands come at once."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Self

from graphveil.errors import ReportRefused
from graphveil.local.messages import HEAD, MARK, Reason, Report
from graphveil.service.auth import NOBODY, Role, Token, read_persons

_UNKNOWN_VERSION = MARK.ljust(HEAD.itemsize, b"\0")


@dataclass(frozen=True, slots=True)
class Uploads:
    """Row i: whom a token names (`NOBODY` if it is no person's), its hash, and the report in its compact form."""

    holders: list[int]
    hashes: list[bytes]
    reports: list[bytes]

    @classmethod
    def read(cls, tokens: Sequence[str], reports: Iterable[bytes]) -> Self:
        """From tokens as they were sent."""
        return cls(*read_persons(tokens), list(reports))

    @classmethod
    def single(cls, token: Token | None, report: bytes) -> Self:
        """A batch of one report, with the token it came with."""
        if token is None or token.role is not Role.PERSON:
            return cls([NOBODY], [bytes(32)], [report])
        return cls([token.holder], [token.hash], [report])

    @classmethod
    def join(cls, parts: Sequence[Self]) -> Self:
        """All rows of some, in order."""
        if len(parts) == 1:
            return parts[0]
        return cls(
            [holder for part in parts for holder in part.holders],
            [each for part in parts for each in part.hashes],
            [report for part in parts for report in part.reports],
        )

    def __len__(self) -> int:
        return len(self.reports)


def compact(text: bytes) -> bytes:
    """The compact form of a report's readable form; where there is none, bytes that are refused for the same reason."""
    try:
        return Report.from_json(text).encode()
    except ReportRefused as refusal:
        return _UNKNOWN_VERSION if refusal.reason == Reason.UNKNOWN_VERSION else b""
