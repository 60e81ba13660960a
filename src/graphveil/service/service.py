"""What every part of the collector works with: the database, the clock, the settings, and exact loss."""

from __future__ import annotations

import math
import time
from dataclasses import dataclass, field
from datetime import UTC, datetime
from fractions import Fraction

from alembic.util import CommandError
from sqlalchemy.exc import SQLAlchemyError

from graphveil.errors import ParameterError
from graphveil.service.clock import Clock, Watch
from graphveil.service.settings import Settings
from graphveil.service.store import collector
from graphveil.service.store.database import Database

_TRILLION = 10**12


@dataclass(frozen=True, slots=True)
class Service:
    """A collector without its web pages; tests give it clocks of their own.

    What happened is dated by `clock`; deadlines are held against `watch.believed()`.
    """

    database: Database
    settings: Settings
    clock: Clock = time.time
    timer: Clock = time.monotonic
    watch: Watch = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "watch", Watch(self.clock, self.timer))

    @classmethod
    def open(cls, settings: Settings, clock: Clock = time.time, timer: Clock = time.monotonic) -> Service:
        """Connect, bring the tables up to date, and go on from the time that was believed last."""
        database = Database(settings.database)
        try:
            database.migrate()
        except (SQLAlchemyError, CommandError) as error:
            database.close()
            reason = " ".join(str(getattr(error, "orig", None) or error).split())
            raise ParameterError(f"the database cannot be used: {reason[:200]}") from None
        service = cls(database, settings, clock, timer)
        with database.read() as connection:
            service.watch.begin(collector.last_seen(connection))
        return service


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
