"""The time that deadlines are held against: that of the machine, unless it has just leapt ahead.

A clock that is set wrong must not end campaigns or erase anything. So a leap ahead is believed only after it has held
for as long as it is wide, at most a day, by the counter that nobody can set. Until then time goes on from what was
believed before: rounds stay open, nothing is erased. Leaps of up to an hour in a day, all together, are believed at
once: clocks are corrected, and servers stopped for a while. A clock that is set back is believed, which only makes
deadlines later. A server that was stopped for longer than `STEP` looks like a leap and is treated as one: people whose
round ended meanwhile get that much more time, and at most a day.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable

Clock = Callable[[], float]  # seconds since 1970
STEP = 3_600.0  # how far the clock may leap within a day and is believed at once
DAY = LONGEST_DOUBT = 86_400.0
_NOTE_EVERY = 60.0
_log = logging.getLogger(__name__)


class Watch:
    """Compares the machine's clock with its steady counter.

    >>> now, steady = [1_000_000.0], [0.0]
    >>> watch = Watch(lambda: now[0], lambda: steady[0])
    >>> now[0] += 31 * 86_400
    >>> steady[0] += 5
    >>> watch.believed(), watch.in_doubt
    (1000005.0, True)
    >>> now[0] -= 31 * 86_400
    >>> watch.believed(), watch.in_doubt
    (1000000.0, False)
    """

    def __init__(self, clock: Clock, timer: Clock = time.monotonic) -> None:
        self._clock, self._timer, self._lock = clock, timer, threading.Lock()
        self._time, self._at = clock(), timer()
        self._leapt = 0.0  # of `STEP`, what leaps have used up; a day restores it
        self._doubted_since: float | None = None
        self._noted_at = float("-inf")

    def begin(self, last_seen: float | None) -> None:
        """Go on from the time that was believed last, before the server stopped."""
        if last_seen is not None:
            with self._lock:
                self._time, self._at = last_seen, self._timer()

    @property
    def in_doubt(self) -> bool:
        """Whether the clock has leapt ahead and is not believed yet."""
        return self._doubted_since is not None

    def believed(self) -> float:
        """The time that deadlines are held against."""
        with self._lock:
            now, at = self._clock(), self._timer()
            expected = self._time + (at - self._at)
            leapt = max(0.0, self._leapt - (at - self._at) * STEP / DAY)
            if now - expected > STEP - leapt:
                if self._doubted_since is None:
                    self._doubted_since = at
                    _log.warning("the clock leapt ahead by %.0f s: deadlines wait until it has held", now - expected)
                if at - self._doubted_since < min(now - expected, LONGEST_DOUBT):
                    return expected
                _log.warning("the clock is believed again: it has held for %.0f s", at - self._doubted_since)
            else:
                leapt += max(0.0, now - expected)
            self._leapt = leapt
            self._time, self._at, self._doubted_since = now, at, None
            return now

    def is_note_due(self) -> bool:
        """Whether a minute has passed since the time was last written down."""
        with self._lock:
            at = self._timer()
            if at - self._noted_at < _NOTE_EVERY:
                return False
            self._noted_at = at
            return True
