"""A disk without room: clients are told to try again, watchers see it, the log has one line, and all recovers."""

from __future__ import annotations

import logging
import sqlite3

import pytest
from crowds import Crowd
from sqlalchemy import event
from sqlalchemy.exc import OperationalError

from conftest import wait_until
from graphveil.graph.generate.random import power_law_cluster
from graphveil.registry import find_protocol
from graphveil.service import rounds
from graphveil.service.problems import PREFIX
from graphveil.service.server.logs import OncePerMinute

VEIL = find_protocol("degree-distribution", "veil", "node")
NETWORK = power_law_cluster(6, 2, 0.5, seed=1)


class Disk:
    """Fails every commit, as SQLite does on a full disk, until there is room."""

    def __init__(self, engine) -> None:
        self.is_full = False
        event.listen(engine, "commit", self.commit)

    def commit(self, connection) -> None:
        if self.is_full and connection.get_execution_options().get("begin"):  # one that writes
            failure = sqlite3.OperationalError("database or disk is full")
            failure.sqlite_errorcode = sqlite3.SQLITE_FULL
            raise OperationalError(None, None, failure)


def test_a_full_disk_is_told_to_clients_and_watchers_and_passes(start, sqlite, caplog) -> None:
    server = start(sqlite, tick_seconds=0.01)
    crowd = Crowd.invite(server, VEIL, NETWORK)
    crowd.enrol()
    reports, _ = crowd.reports(seed=1)
    crowd.send(reports[:2], crowd.tokens[:2])
    disk = Disk(server.service.database.engine)
    disk.is_full = True
    caplog.handler.addFilter(OncePerMinute())
    with caplog.at_level(logging.WARNING):
        for _ in range(3):
            refused = server.ask("POST", f"{crowd.path}/reports", crowd.tokens[2], content=reports[2])
            assert (refused.status_code, refused.json()["type"]) == (503, f"{PREFIX}storage-full")
        wait_until(lambda: server.ask("GET", "/ready").status_code == 503)
        assert "graphveil_disk_full 1.0" in server.ask("GET", "/metrics").text
        wait_until(lambda: [r for r in caplog.records if "disk" in r.getMessage()])
        assert server.ask("GET", crowd.path).status_code == 200  # reading goes on
    disk.is_full = False
    wait_until(lambda: server.ask("GET", "/ready").status_code == 200)
    assert len([record for record in caplog.records if "disk" in record.getMessage()]) == 1
    assert crowd.progress()["reports"] == [2]  # nothing of what was refused was stored
    crowd.send(reports[2:], crowd.tokens[2:])
    wait_until(lambda: crowd.status()["state"] == "done")
    result = server.ask("GET", f"{crowd.path}/result", server.operator).json()
    assert result["participation"]["reports"] == [6]


def test_a_full_disk_is_noticed_without_any_request(start, sqlite) -> None:
    server = start(sqlite, tick_seconds=1e6)
    Disk(server.service.database.engine).is_full = True
    server.service.watch._noted_at = float("-inf")  # a minute passes
    with pytest.raises(Exception, match="full"):
        rounds.tick(server.service)
    assert server.ask("GET", "/ready").status_code == 503


def test_what_the_server_shows_to_watchers(start, sqlite) -> None:
    server = start(sqlite)
    crowd = Crowd.invite(server, VEIL, NETWORK)
    server.ask("POST", f"{crowd.path}/pause", server.operator)
    wait_until(lambda: "graphveil_ticks_total 0.0" not in server.ask("GET", "/metrics").text)
    shown = server.ask("GET", "/metrics").text
    for line in (
        'graphveil_campaigns{state="paused"} 1.0',
        'graphveil_campaigns{state="open"} 0.0',
        "graphveil_queue 0.0",
        "graphveil_clock_in_doubt 0.0",
        "graphveil_disk_full 0.0",
    ):
        assert line in shown
