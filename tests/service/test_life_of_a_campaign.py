"""Roles, budgets, deadlines, publications and clean-up, over HTTP with a clock of our own."""

from __future__ import annotations

import hashlib
import sqlite3

import counting_protocol
import pytest
from crowds import Crowd, plan
from sqlalchemy import text
from sqlalchemy.exc import SQLAlchemyError

from conftest import wait_until
from graphveil.graph.generate.random import power_law_cluster
from graphveil.local.messages import Report
from graphveil.registry import find_protocol
from graphveil.service import rounds
from graphveil.service.store.database import Database

VEIL = find_protocol("degree-distribution", "veil", "node")
NETWORK = power_law_cluster(6, 2, 0.5, seed=1)
NOBODY = "gvp.1." + "A" * 43


class Clock:
    def __init__(self, now: float = 1_000_000.0) -> None:
        self.now = now

    def __call__(self) -> float:
        return self.now


def code(answer) -> str:
    return answer.json()["type"].rpartition(":")[2]


def test_who_may_do_what(start, sqlite) -> None:
    server = start(sqlite)
    crowd = Crowd.invite(server, VEIL, NETWORK)
    ann = crowd.tokens[0]
    gateway = server.ask("POST", "/api/v1/staff", server.operator, json={"name": "relay", "role": "gateway"})
    gateway = gateway.json()["token"]
    operators_only = [
        ("POST", "/api/v1/campaigns", plan(VEIL, 4)),
        ("GET", "/api/v1/campaigns", None),
        ("GET", f"{crowd.path}/progress", None),
        ("POST", f"{crowd.path}/close", {"round": 1}),
        ("POST", f"{crowd.path}/pause", None),
        ("POST", f"{crowd.path}/resume", None),
        ("POST", f"{crowd.path}/cancel", None),
        ("DELETE", crowd.path, None),
        ("GET", f"{crowd.path}/missing", None),
        ("GET", "/api/v1/staff", None),
        ("POST", "/api/v1/people/token", {"name": "person 0"}),
        ("POST", "/api/v1/staff", {"name": "x", "role": "operator"}),
        ("DELETE", "/api/v1/staff?name=operator", None),
        ("GET", "/api/v1/audit", None),
    ]
    for method, path, body in operators_only:
        for token, status in (("", 401), (NOBODY, 401), ("rubbish", 401), (ann, 403), (gateway, 403)):
            assert server.ask(method, path, token, json=body).status_code == status, (path, token)
    items = {"reports": [{"token": ann, "report": ""}]}
    bulk = [server.ask("POST", f"{crowd.path}/reports/bulk", token, json=items) for token in (ann, NOBODY, gateway)]
    assert [answer.status_code for answer in bulk] == [403, 401, 200]
    assert code(server.ask("GET", "/api/v1/me", server.operator)) == "forbidden"
    for path in ("roster", "result"):
        assert server.ask("GET", f"{crowd.path}/{path}").status_code == 401
    assert server.ask("GET", f"{crowd.path}/roster", ann).status_code == 200


def test_an_operator_removes_others_but_not_themselves(start, database) -> None:
    server = start(database)
    second = server.ask("POST", "/api/v1/staff", server.operator, json={"name": "a/b c", "role": "operator"}).json()
    remove = lambda who, name: server.ask("DELETE", "/api/v1/staff", who, params={"name": name})  # noqa: E731
    assert (remove(server.operator, "operator").status_code, code(remove(server.operator, "x"))) == (403, "not-found")
    assert remove(server.operator, "a/b c").status_code == 204
    assert remove(second["token"], "operator").status_code == 401
    audit = server.ask("GET", "/api/v1/audit", server.operator).json()
    assert (audit[0]["action"], audit[0]["detail"]) == ("remove-staff", {"name": "a/b c"})


def test_no_token_is_stored_and_a_renewed_one_replaces_the_old(start, sqlite) -> None:
    server = start(sqlite)
    crowd = Crowd.invite(server, VEIL, NETWORK)
    old = crowd.tokens[0]
    renewed = server.ask("POST", "/api/v1/people/token", server.operator, json={"name": "person 0"}).json()["token"]
    assert server.ask("GET", "/api/v1/me", old).status_code == 401
    assert server.ask("GET", "/api/v1/me", renewed).json()["name"] == "person 0"
    stored = b"".join(row.encode() for row in sqlite3.connect(sqlite).iterdump())
    for token in (server.operator, renewed, *crowd.tokens):
        assert token.rpartition(".")[2].encode() not in stored
    actions = [entry["action"] for entry in server.ask("GET", "/api/v1/audit", server.operator).json()]
    assert actions == ["renew-token", "create"]


def test_the_ledger_of_people_adds_up_over_campaigns(start, database) -> None:
    server = start(database, person_limit="2.5")
    first = Crowd.invite(server, VEIL, NETWORK, title="first")
    second = server.ask("POST", "/api/v1/campaigns", server.operator, json=plan(VEIL, 6, epsilon="1.5", title="2"))
    third = server.ask("POST", "/api/v1/campaigns", server.operator, json=plan(VEIL, 6, epsilon="1/1000", title="3"))
    assert second.json()["tokens"] == {}  # everybody is known
    ann = first.tokens[0]
    enrolled = [server.ask("PUT", f"{first.path}/enrolment", ann).json() for _ in range(2)]
    assert enrolled == [{"number": 0, "epsilon": 1.0, "left": 1.5}] * 2
    assert server.ask("PUT", f"/api/v1/campaigns/{second.json()['id']}/enrolment", ann).json()["left"] == 0
    refused = server.ask("PUT", f"/api/v1/campaigns/{third.json()['id']}/enrolment", ann)
    assert (refused.status_code, code(refused)) == (403, "budget-exceeded")
    me = server.ask("GET", "/api/v1/me", ann).json()
    assert (me["limit"], me["spent"]) == (2.5, 2.5)
    assert [entry["enrolled"] for entry in me["campaigns"]] == [True, True, False]
    body = {"tokens": [*first.tokens, NOBODY, "rubbish", ann]}
    many = server.ask("POST", f"{first.path}/enrolments", server.operator, json=body).json()
    assert [entry.get("number") for entry in many] == [0, 1, 2, 3, 4, 5, None, None, 0]
    assert server.ask("GET", "/api/v1/me", first.tokens[1]).json()["spent"] == 1


def test_what_is_published_never_changes_and_can_be_fetched_in_parts(start, sqlite, counting) -> None:
    server = start(sqlite)
    crowd = Crowd.invite(server, counting_protocol.ENTRY, NETWORK)
    document = server.ask("GET", crowd.path)
    assert hashlib.sha256(document.content).hexdigest() == crowd.campaign.id
    again = server.ask("POST", "/api/v1/campaigns", server.operator, json=plan(counting_protocol.ENTRY, 6))
    assert (again.status_code, code(again)) == (409, "exists")
    crowd.enrol()
    crowd.send(crowd.reports(seed=1)[0])
    wait_until(lambda: crowd.status()["round"] == 2)
    (name,) = crowd.status()["publications"]
    path = f"{crowd.path}/publications/{name}"
    whole = server.ask("GET", path)
    assert hashlib.sha256(crowd.publications()[0]).hexdigest() == name
    assert (whole.headers["etag"], whole.headers["accept-ranges"]) == (f'"{name}"', "bytes")
    assert "immutable" in whole.headers["cache-control"]
    assert server.ask("GET", path, headers={"If-None-Match": f'"{name}"'}).status_code == 304
    size = len(whole.content)
    parts = [server.ask("GET", path, headers={"Range": text}) for text in ("bytes=0-9", "bytes=10-")]
    assert [part.status_code for part in parts] == [206, 206]
    assert parts[1].headers["content-range"] == f"bytes 10-{size - 1}/{size}"
    assert b"".join(part.content for part in parts) == whole.content
    beyond = server.ask("GET", path, headers={"Range": f"bytes={size}-"})
    assert (beyond.status_code, code(beyond)) == (416, "unsatisfiable-range")
    assert server.ask("GET", path, headers={"Range": "bytes=0-9", "If-Range": '"other"'}).status_code == 200
    assert server.ask("GET", f"{crowd.path}/publications/{'ab' * 32}").status_code == 404


def test_deadlines_close_rounds_and_too_few_reports_end_a_campaign(start, database, counting) -> None:
    clock = Clock()
    server = start(database, clock, keep_days=1)
    deadlines = [clock.now + 100, clock.now + 200]
    crowd = Crowd.invite(server, counting_protocol.ENTRY, NETWORK, closes=deadlines, minimum_reports=3)
    crowd.enrol()
    reports, _ = crowd.reports(seed=1)
    too_early = server.ask("POST", f"{crowd.path}/close", server.operator, json={"round": 1})
    assert code(too_early) == "not-now"
    crowd.send(reports[:4], crowd.tokens[:4])
    clock.now += 100
    assert crowd.send(reports[4:5], crowd.tokens[4:5])["refused"] == [{"index": 0, "reason": "late"}]
    wait_until(lambda: crowd.status()["round"] == 2)
    crowd.send([Report(crowd.campaign.id, 2, user, b"1").encode() for user in range(2)], crowd.tokens[:2])
    clock.now += 100
    wait_until(lambda: crowd.status()["state"] == "expired")
    assert code(server.ask("GET", f"{crowd.path}/result", server.operator)) == "not-now"
    assert crowd.progress()["reports"] == [4, 2]
    clock.now += 1_000 * 86_400
    rounds.tick(server.service)
    assert crowd.status()["state"] == "expired"  # kept until somebody deletes it
    assert server.ask("DELETE", crowd.path, server.operator).status_code == 204
    assert server.ask("GET", crowd.path).status_code == 404
    me = server.ask("GET", "/api/v1/me", crowd.tokens[0]).json()
    assert (me["spent"], me["campaigns"]) == (1, [])
    with server.service.database.read() as connection:
        left = [
            connection.exec_driver_sql(f"SELECT count(*) FROM {t}").scalar() for t in ("blobs", "reports", "members")
        ]
    assert left == [0, 0, 0]


def test_used_reports_are_scrubbed(start, sqlite) -> None:
    crowd = Crowd.invite(start(sqlite), VEIL, NETWORK)
    crowd.run(seed=1)
    stored = sqlite3.connect(sqlite).execute("SELECT count(*), count(payload) FROM reports").fetchone()
    assert stored == (6, 0)


def test_a_server_that_died_while_closing_is_taken_over(start, sqlite, monkeypatch) -> None:
    server = start(sqlite, tick_seconds=1e6)
    crowd = Crowd.invite(server, VEIL, NETWORK)
    crowd.enrol()
    crowd.send(crowd.reports(seed=1)[0])
    with monkeypatch.context() as patch:
        patch.setattr(rounds, "finish", lambda *_: None)  # died after the first step
        crowd.close(1)
    assert crowd.status()["state"] == "closing"
    assert crowd.send(crowd.reports(seed=2)[0])["accepted"] == 0
    rounds.tick(server.service)
    assert crowd.status()["state"] == "done"


def test_an_estimate_that_fails_is_tried_again_when_asked(start, sqlite, monkeypatch) -> None:
    server = start(sqlite, tick_seconds=1e6)
    crowd = Crowd.invite(server, VEIL, NETWORK)
    crowd.enrol()
    crowd.send(crowd.reports(seed=1)[0])
    with monkeypatch.context() as patch:
        patch.setattr(rounds, "result_document", lambda _: 1 / 0)
        rounds.tick(server.service)
    assert crowd.status()["state"] == "failed"
    assert crowd.close(1)["state"] == "done"


@pytest.mark.parametrize("how", ["terminate", "cancel"])
def test_a_database_that_fails_while_a_round_closes_says_nothing_of_the_campaign(
    start, cluster, monkeypatch, how
) -> None:
    server = start(cluster.new_database(), tick_seconds=1e6)
    crowd = Crowd.invite(server, VEIL, NETWORK)
    crowd.enrol()
    crowd.send(crowd.reports(seed=1)[0])
    with monkeypatch.context() as patch:
        cut = f"SELECT pg_{how}_backend(pg_backend_pid()), pg_sleep(5)"
        patch.setattr(rounds.reports, "all_of_round", lambda connection, *_: Database.fetch(connection, cut))
        with pytest.raises(SQLAlchemyError):
            rounds.tick(server.service)
    assert crowd.status()["state"] == "closing"
    rounds.tick(server.service)
    assert crowd.status()["state"] == "done"


def test_a_watcher_sees_life_and_readiness(start, sqlite) -> None:
    server = start(sqlite)
    assert server.ask("GET", "/health").json() == {"status": "alive"}
    assert server.ask("GET", "/ready").json() == {"status": "ready"}
    with server.service.database.write() as connection:
        connection.execute(text("ALTER TABLE campaigns RENAME TO gone"))
    assert server.ask("GET", "/ready").status_code == 503
    document = server.ask("GET", "/openapi.json").json()
    assert "application/problem+json" in str(document["paths"]["/api/v1/me"]["get"]["responses"]["4XX"])
