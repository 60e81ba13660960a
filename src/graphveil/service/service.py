"""What every part of the collector works with: the database, the clock, the settings, and exact loss."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from fractions import Fraction

from alembic.util import CommandError
from sqlalchemy.exc import SQLAlchemyError

from graphveil.errors import ParameterError
from graphveil.service.settings import Settings
from graphveil.service.store.database import Database

Clock = Callable[[], float]  # seconds since 1970
_TRILLION = 10**12


@dataclass(frozen=True, slots=True)
class Service:
    """A collector without its web pages; tests give it a clock of their own."""

    database: Database
    settings: Settings
    clock: Clock = time.time

    @classmethod
    def open(cls, settings: Settings, clock: Clock = time.time) -> Service:
        """Connect, and bring the tables up to date."""
        database = Database(settings.database)
        try:
            database.migrate()
        except (SQLAlchemyError, CommandError) as error:
            database.close()
            reason = " ".join(str(getattr(error, "orig", None) or error).split())
            raise ParameterError(f"the database cannot be used: {reason[:200]}") from None
        return cls(database, settings, clock)


def trillionths(epsilon: Fraction) -> int:
    """A loss as the ledger of people counts it, rounded up."""
    return math.ceil(epsilon * _TRILLION)


def from_trillionths(count: int) -> Fraction:
    """The loss that was counted."""
    return Fraction(count, _TRILLION)


def to_text(seconds: float) -> str:
    """A time as in documents, to the second.

    >>> to_text(0), to_seconds("1970-01-01T00:01:00Z")
    ('1970-01-01T00:00:00Z', 60.0)
    """
    return datetime.fromtimestamp(int(seconds), UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def to_seconds(text: str) -> float:
    """A time from a document; without a zone it is UTC."""
    try:
        moment = datetime.fromisoformat(text)
        return (moment.astimezone(UTC) if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp()
    except (ValueError, OverflowError):
        raise ParameterError(f"a time looks like 2026-05-01T12:00:00Z, not like {text[:40]!r}") from None
