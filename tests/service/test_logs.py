from __future__ import annotations

import json
import logging

import pytest

from graphveil.errors import ParameterError
from graphveil.service.server.logs import JsonLines, OncePerMinute, log_config
from graphveil.service.settings import Settings


def record(message: str, *values: object, level: int = logging.WARNING) -> logging.LogRecord:
    return logging.LogRecord("asyncio", level, "x.py", 1, message, values, None)


def test_what_repeats_is_written_once_a_minute_and_counted() -> None:
    now = [0.0]
    once = OncePerMinute(lambda: now[0])
    written = []
    for second in range(150):
        now[0] = float(second)
        event = record("cannot accept from %s", second)
        if once.filter(event):
            written.append(event.getMessage())
    assert written == [
        "cannot accept from 0",
        "cannot accept from 60 (and 59 times more since)",
        "cannot accept from 120 (and 59 times more since)",
    ]
    assert once.filter(record("another"))
    assert all(once.filter(record("started", level=logging.INFO)) for _ in range(3))


def test_a_line_of_json_for_each_event() -> None:
    line = JsonLines().format(record("two\nlines of %s", "text"))
    event = json.loads(line)
    assert "\n" not in line
    assert (event["level"], event["logger"], event["message"]) == ("warning", "asyncio", "two\nlines of text")
    assert log_config("json")["formatters"]["chosen"] == {"()": JsonLines}
    with pytest.raises(ParameterError, match="text or json"):
        Settings(log_format="xml")


def test_an_invitation_never_names_an_address_that_is_none() -> None:
    for host in ("0.0.0.0", "::"):
        assert host not in Settings(host=host).url
    assert Settings(host="::1").url == "http://[::1]:8137"
