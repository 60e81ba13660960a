"""The log of a server: as text or as JSON, one line an event, and no event more than once a minute.

A fault that repeats with every request fills a disk within minutes, so a line that says the same as one in the last
minute is counted and left out; the next one says how many there were.
"""

from __future__ import annotations

import json
import logging
import threading
import time
from collections.abc import Callable
from typing import Any

from graphveil.service.service import to_text

_EVERY = 60.0  # seconds
_MOST = 1_000  # different lines that are remembered


class OncePerMinute(logging.Filter):
    """Lets a warning or an error pass once a minute, by the place it comes from and the text before it is filled in."""

    def __init__(self, timer: Callable[[], float] = time.monotonic) -> None:
        super().__init__()
        self._timer, self._lock = timer, threading.Lock()
        self._seen: dict[tuple[str, str], tuple[float, int]] = {}

    def filter(self, record: logging.LogRecord) -> bool:
        """Whether a line is written; adds how often it was left out since the last one."""
        if record.levelno < logging.WARNING:
            return True
        key, now = (record.name, str(record.msg)), self._timer()
        with self._lock:
            last, left_out = self._seen.get(key, (float("-inf"), 0))
            if now - last < _EVERY:
                self._seen[key] = (last, left_out + 1)
                return False
            if len(self._seen) >= _MOST:
                self._seen.clear()
            self._seen[key] = (now, 0)
        if left_out:
            record.msg = f"{record.getMessage()} (and {left_out} times more since)"
            record.args = ()
        return True


class JsonLines(logging.Formatter):
    """A line of JSON for each event: at, level, logger, message, and the error where there is one."""

    def format(self, record: logging.LogRecord) -> str:
        """One event as JSON text without line breaks."""
        event: dict[str, Any] = {
            "at": to_text(record.created),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": record.getMessage(),
        }
        if record.exc_info:
            event["error"] = self.formatException(record.exc_info)
        return json.dumps(event, ensure_ascii=False)


def log_config(log_format: str) -> dict[str, Any]:
    """What `logging.config.dictConfig` takes: everything to standard error, in one form."""
    text = {"format": "%(asctime)s %(levelname)s %(name)s: %(message)s"}
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "filters": {"once": {"()": OncePerMinute}},
        "formatters": {"chosen": {"()": JsonLines} if log_format == "json" else text},
        "handlers": {"stderr": {"class": "logging.StreamHandler", "formatter": "chosen", "filters": ["once"]}},
        "root": {"handlers": ["stderr"], "level": "INFO"},
        "loggers": {"alembic": {"level": "WARNING"}, "httpx": {"level": "WARNING"}},
    }
