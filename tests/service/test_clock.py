"""A clock that is set wrong ends no campaign and erases nothing, over HTTP and across restarts."""

from __future__ import annotations

import pytest
from crowds import Crowd

from conftest import wait_until
from graphveil.graph.generate.random import power_law_cluster
from graphveil.registry import find_protocol
from graphveil.service import rounds
from graphveil.service.clock import LONGEST_DOUBT, STEP, Watch
from graphveil.service.service import Service

VEIL = find_protocol("degree-distribution", "veil", "node")
NETWORK = power_law_cluster(6, 2, 0.5, seed=1)
DAY = 86_400.0


class Time:
    """The machine's clock and its steady counter, moved by hand."""

    def __init__(self) -> None:
        self.now, self.steady = 1_000_000.0, 0.0

    def pass_by(self, seconds: float) -> None:
        self.now += seconds
        self.steady += seconds

    def clock(self) -> float:
        return self.now

    def timer(self) -> float:
        return self.steady


@pytest.fixture
def time() -> Time:
    return Time()


def invite(server, time: Time, title: str = "test", **changes) -> Crowd:
    return Crowd.invite(server, VEIL, NETWORK, closes=[time.now + 7 * DAY], title=title, **changes)


def test_many_small_leaps_are_bounded_in_their_sum(time) -> None:
    watch = Watch(time.clock, time.timer)
    for _ in range(60):
        time.pass_by(60)
        time.now += 59 * 60
        watch.believed()
    ahead = watch.believed() - 1_000_000 - time.steady
    assert 0 < ahead <= STEP * (1 + time.steady / DAY) + 1
    assert watch.in_doubt
    time.now = 1_000_000 + time.steady  # set right again
    assert watch.believed() == time.now
    time.pass_by(DAY)  # what may leap is restored
    time.now += 59 * 60
    assert (watch.believed(), watch.in_doubt) == (time.now, False)


def test_a_clock_31_days_ahead_deletes_no_result_and_ends_no_campaign(start, sqlite, time) -> None:
    server = start(sqlite, time.clock, time.timer)
    done = invite(server, time, "done")
    half = invite(server, time, "half", minimum_reports=6, people=[f"other {i}" for i in range(6)])
    result = done.run(seed=1)
    half.enrol()
    reports, _ = half.reports(seed=2)
    half.send(reports[:3], half.tokens[:3])
    time.now += 31 * DAY
    time.pass_by(60)
    rounds.tick(server.service)
    assert half.status()["state"] == "open"
    assert half.send(reports[3:4], half.tokens[3:4])["accepted"] == 1  # people notice nothing
    server.stop()
    again = start(sqlite, time.clock, time.timer)  # a restart does not make the clock right
    half.server = done.server = again
    again.operator = server.operator
    rounds.tick(again.service)
    time.now -= 31 * DAY
    time.pass_by(60)
    rounds.tick(again.service)
    assert half.send(reports[4:], half.tokens[4:])["accepted"] == 2
    wait_until(lambda: half.status()["state"] == "done")
    assert again.ask("GET", f"{done.path}/result", again.operator).json() == result


def test_results_are_kept_however_late_it_is(start, sqlite, time) -> None:
    server = start(sqlite, time.clock, time.timer, keep_days=1)
    crowd = invite(server, time)
    result = crowd.run(seed=1)
    for _ in range(48):
        time.pass_by(30 * DAY / 48)
        rounds.tick(server.service)
    assert server.ask("GET", f"{crowd.path}/result", server.operator).json() == result


def test_a_round_ends_at_its_deadline_where_the_clock_runs_steadily(start, sqlite, time) -> None:
    server = start(sqlite, time.clock, time.timer)
    crowd = invite(server, time)
    time.pass_by(7 * DAY + 1)
    wait_until(lambda: crowd.status()["state"] == "expired")


def test_reports_of_a_failed_campaign_are_erased_after_keep_days_and_the_log_says_so(
    start, sqlite, time, monkeypatch
) -> None:
    server = start(sqlite, time.clock, time.timer, keep_days=2, tick_seconds=1e6)
    crowd = invite(server, time)
    crowd.enrol()
    crowd.send(crowd.reports(seed=1)[0])
    with monkeypatch.context() as patch:
        patch.setattr(rounds, "result_document", lambda _: 1 / 0)
        rounds.tick(server.service)
    assert crowd.status()["state"] == "failed"
    time.pass_by(1.9 * DAY)
    rounds.tick(server.service)
    assert payloads(server.service) == 6
    time.pass_by(0.2 * DAY)
    rounds.tick(server.service)
    assert payloads(server.service) == 0
    assert server.ask("GET", "/api/v1/audit", server.operator).json()[0]["action"] == "erase-reports"
    again = server.ask("POST", f"{crowd.path}/close", server.operator, json={"round": 1})
    assert "erased" in again.json()["detail"]


def payloads(service: Service) -> int:
    with service.database.read() as connection:
        return connection.exec_driver_sql("SELECT count(payload) FROM reports").scalar()


@pytest.mark.parametrize("leap", [STEP + 1, 5 * STEP, 31 * DAY])
def test_a_leap_is_believed_after_it_has_held(time, leap) -> None:
    watch = Watch(time.clock, time.timer)
    before = time.now
    time.now += leap
    assert watch.believed() == before
    held = min(leap, LONGEST_DOUBT)
    time.pass_by(held - 1)
    assert watch.believed() == before + held - 1
    time.pass_by(1)
    assert watch.believed() == time.now
    assert not watch.in_doubt


def test_a_small_step_and_a_clock_set_back_are_believed_at_once(time) -> None:
    watch = Watch(time.clock, time.timer)
    for step in (STEP, -30 * DAY, -1.0):
        time.now += step
        assert watch.believed() == time.now
