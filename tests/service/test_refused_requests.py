"""Whatever is wrong gets a problem document with the right status, and is counted under its reason."""

from __future__ import annotations

import json
import re

import counting_protocol
import pytest
from crowds import FAR, Crowd, plan

from graphveil.graph.generate.random import power_law_cluster
from graphveil.local.messages import Report
from graphveil.registry import find_protocol
from graphveil.service import reports
from graphveil.service.problems import PREFIX, PROBLEMS
from graphveil.service.service import to_text

VEIL = find_protocol("degree-distribution", "veil", "node")
NETWORK = power_law_cluster(6, 2, 0.5, seed=1)
BINARY = {"Content-Type": "application/octet-stream"}


@pytest.fixture
def crowd(start, sqlite, counting) -> Crowd:
    """Six people in a campaign of two rounds; number 5 has not enrolled, the others are in round 2 but for number 4."""
    crowd = Crowd.invite(start(sqlite), counting_protocol.ENTRY, NETWORK, minimum_reports=2)
    body = {"tokens": crowd.tokens[:5]}
    crowd.server.ask("POST", f"{crowd.path}/enrolments", crowd.server.operator, json=body)
    reports, _ = crowd.reports(seed=1)
    assert crowd.send(reports[:4], crowd.tokens[:4])["accepted"] == 4
    crowd.close(1)
    return crowd


def problem(answer) -> tuple[int, str]:
    """Status and code of a problem document of the right shape."""
    document = answer.json()
    assert answer.headers["content-type"] == "application/problem+json"
    assert set(document) <= {"type", "title", "status", "detail"}
    assert document["status"] == answer.status_code
    code = document["type"].removeprefix(PREFIX)
    assert (document["status"], document["title"]) == PROBLEMS[code]
    return answer.status_code, code


def test_each_wrong_report_is_refused_for_its_reason_and_counted(crowd) -> None:
    def report(user: int, number: int = 2, payload: bytes = b"7", **changes) -> bytes:
        return Report(changes.get("campaign", crowd.campaign.id), number, user, payload).encode()

    other_version = bytearray(report(0))
    other_version[2] = 9
    ann, dan, eve = crowd.tokens[0], crowd.tokens[4], crowd.tokens[5]
    wrong = [
        (report(0), "", 401, "unauthorised"),
        (report(0), ann[:-1] + ("A" if ann[-1] != "A" else "B"), 401, "unauthorised"),  # forged
        (report(0), crowd.server.operator, 401, "unauthorised"),
        (report(1), ann, 403, "foreign"),
        (report(5, 1), eve, 403, "not-enrolled"),
        (b"rubbish", ann, 400, "malformed"),
        (b"", ann, 400, "malformed"),
        (report(0) + b"more", ann, 400, "malformed"),
        (report(0, payload=b"seven"), ann, 400, "malformed"),
        (bytes(other_version), ann, 400, "unknown-version"),
        (report(0, campaign="ab" * 32), ann, 409, "wrong-campaign"),
        (report(77), ann, 404, "unknown-user"),
        (report(0, 3), ann, 409, "wrong-round"),
        (report(4, 1), dan, 409, "late"),
        (report(4, 2), dan, 409, "missed-round"),
        (report(0, 1, b"1"), ann, 409, "duplicate"),
        (report(0, 1, b"2"), ann, 409, "conflict"),
    ]
    expected: dict[str, int] = {}
    for body, token, status, reason in wrong:
        answer = crowd.server.ask("POST", f"{crowd.path}/reports", token, content=body, headers=BINARY)
        assert problem(answer) == (status, reason)
        expected[reason] = expected.get(reason, 0) + 1
    assert crowd.progress()["refusals"] == expected
    nowhere = crowd.server.ask("POST", f"/api/v1/campaigns/{'ab' * 32}/reports", ann, content=report(0), headers=BINARY)
    assert problem(nowhere) == (404, "not-found")
    expected["wrong-campaign"] += 1  # by the server; there is no campaign to count it
    scraped = crowd.server.ask("GET", "/metrics").text
    for reason, count in expected.items():
        assert f'graphveil_reports_refused_total{{reason="{reason}"}} {float(count)}' in scraped
    assert crowd.progress()["reports"] == [4, 0]


def test_a_round_may_end_between_looking_at_reports_and_counting_them(start, database, counting, monkeypatch) -> None:
    crowd = Crowd.invite(start(database), counting_protocol.ENTRY, NETWORK, minimum_reports=2)
    crowd.enrol()
    first, _ = crowd.reports(seed=1)
    crowd.send(first[:4], crowd.tokens[:4])
    looked = reports.examine

    def close_in_between(*asked):
        seen = looked(*asked)
        crowd.close(1)
        return seen

    monkeypatch.setattr(reports, "examine", close_in_between)
    second = [Report(crowd.campaign.id, 2, user, answer).encode() for user, answer in ((0, b"7"), (1, b"x"), (4, b"7"))]
    told = crowd.send([first[5], *second], [crowd.tokens[user] for user in (5, 0, 1, 4)])
    assert told["accepted"] == 1
    assert [each["reason"] for each in told["refused"]] == ["late", "malformed", "missed-round"]
    assert crowd.progress()["reports"] == [4, 1]


def test_a_report_may_come_as_json(crowd) -> None:
    path = f"{crowd.path}/reports"
    good = Report(crowd.campaign.id, 2, 0, b"7").to_json()
    headers = {"Content-Type": "application/json; charset=utf-8"}
    for text in ("{", "[]", good.replace('"user":0', '"user":"0"'), good[:-1] + ',"more":1}', "[" * 100_000):
        answer = crowd.server.ask("POST", path, crowd.tokens[0], content=text, headers=headers)
        assert problem(answer) == (400, "malformed")
    assert crowd.server.ask("POST", path, crowd.tokens[0], content=good, headers=headers).status_code == 201
    again = crowd.server.ask("POST", path, crowd.tokens[0], content=good, headers=headers)
    assert problem(again) == (409, "duplicate")


def test_a_batch_is_judged_one_by_one(crowd) -> None:
    rows = [(0, b"x"), (0, b"7"), (0, b"7"), (0, b"8"), (1, b"1"), (2, b"no"), (3, b"2")]
    reports = [Report(crowd.campaign.id, 2, user, payload).encode() for user, payload in rows]
    answer = crowd.send(reports, [crowd.tokens[user] for user, _ in rows])
    refused = {entry["index"]: entry["reason"] for entry in answer["refused"]}
    assert answer["accepted"] == 3
    assert refused == {0: "malformed", 2: "duplicate", 3: "conflict", 5: "malformed"}
    assert crowd.progress()["reports"] == [4, 3]


def test_the_round_closes_when_nobody_is_left_to_wait_for(crowd) -> None:
    from conftest import wait_until

    reports = [Report(crowd.campaign.id, 2, user, b"1").encode() for user in range(4)]
    crowd.send(reports, crowd.tokens[:4])
    wait_until(lambda: crowd.status()["state"] == "done")
    result = crowd.server.ask("GET", f"{crowd.path}/result", crowd.tokens[0]).json()
    assert result["value"] == [2, 2, 2, 2, 0, 0]
    assert result["participation"] == {"people": 6, "reports": [4, 4]}
    late = crowd.server.ask("POST", f"{crowd.path}/reports", crowd.tokens[0], content=reports[0], headers=BINARY)
    assert problem(late) == (409, "duplicate")  # scrubbed, and still known


RUBBISH = [b"", b"{", b"[]", b"null", b"\xff\xfe", b'{"reports":[]}', b'{"reports":[{"token":1}]}', b"[" * 50_000]


def test_rubbish_gets_a_problem_document(start, sqlite) -> None:
    server = start(sqlite)
    crowd = Crowd.invite(server, VEIL, NETWORK)
    headers = {"Content-Type": "application/json"}
    for path in ("/reports/bulk", "/enrolments", "/close"):
        for body in RUBBISH:
            answer = server.ask("POST", crowd.path + path, server.operator, content=body, headers=headers)
            assert problem(answer)[0] in (400, 422), (path, body[:40])


def test_addresses_and_methods_that_do_not_exist(start, sqlite) -> None:
    server = start(sqlite)
    assert problem(server.ask("GET", "/nothing")) == (404, "not-found")
    assert problem(server.ask("DELETE", "/health")) == (405, "method-not-allowed")
    assert problem(server.ask("GET", f"/api/v1/campaigns/{'ab' * 32}")) == (404, "not-found")
    assert problem(server.ask("GET", "/api/v1/campaigns/short")) == (422, "invalid-request")
    body = Report("ab" * 32, 1, 0, b"").encode()
    assert problem(server.ask("POST", f"/api/v1/campaigns/{'ab' * 32}/reports", content=body)) == (404, "not-found")


IMPOSSIBLE = [
    ({"protocol": "gs-ldp"}, 403, "claim-refuted"),
    ({"protocol": "nonsense"}, 422, "wrong-parameters"),
    ({"unit": "edge", "protocol": "oue"}, 422, "wrong-parameters"),
    ({"epsilon": "nan"}, 422, "wrong-parameters"),
    ({"epsilon": 1}, 422, "invalid-request"),
    ({"title": ""}, 422, "invalid-request"),
    ({"title": "May\x1b[2K\rpromise:  everything"}, 422, "wrong-parameters"),  # it is shown on people's terminals
    ({"people": ["ann"]}, 422, "invalid-request"),
    ({"people": ["ann", "ann"]}, 422, "wrong-parameters"),
    ({"people": ["ann", "b\nb"]}, 422, "wrong-parameters"),
    ({"people": ["ann", "b\x00"]}, 422, "wrong-parameters"),
    ({"closes": []}, 422, "invalid-request"),
    ({"closes": ["tomorrow"]}, 422, "wrong-parameters"),
    ({"closes": ["2020-01-01T00:00:00Z"]}, 422, "wrong-parameters"),
    ({"closes": ["9999-12-31T23:59:59-14:00"]}, 422, "wrong-parameters"),  # in UTC it is the year 10000
    ({"closes": ["0001-01-01T00:00:00+14:00"]}, 422, "wrong-parameters"),
    ({"closes": [to_text(FAR), to_text(FAR + 9)]}, 422, "wrong-parameters"),
    ({"minimum_reports": 0}, 422, "invalid-request"),
    ({"minimum_reports": 9}, 422, "wrong-parameters"),
    ({"parameters": {"unit": "node"}}, 422, "wrong-parameters"),
    ({"parameters": {"places": "many"}}, 422, "wrong-parameters"),
    ({"colour": "red"}, 422, "invalid-request"),
]


def test_impossible_campaigns_are_refused(start, sqlite) -> None:
    server = start(sqlite)
    for change, status, code in IMPOSSIBLE:
        answer = server.ask("POST", "/api/v1/campaigns", server.operator, json=plan(VEIL, 4) | change)
        assert problem(answer) == (status, code), change
    assert server.ask("GET", "/api/v1/campaigns", server.operator).json() == []


def test_too_large_and_too_many(start, sqlite) -> None:
    server = start(sqlite, max_body_bytes=10_000, max_report_bytes=100, requests_per_second=0.001, request_burst=5)
    assert problem(server.ask("POST", "/api/v1/campaigns", content=b"x" * 10_001)) == (413, "too-large")
    single = f"/api/v1/campaigns/{'0' * 64}/reports"  # smaller: it is read before anybody is known
    assert problem(server.ask("POST", single, content=b"x" * 101)) == (413, "too-large")
    chunks = (b"x" * 1_000 for _ in range(20))
    unannounced = server.ask("POST", f"/api/v1/campaigns/{'ab' * 32}/reports", content=chunks)
    assert problem(unannounced) == (413, "too-large")
    for _ in range(2):
        server.ask("GET", "/openapi.json")
    refused = server.ask("GET", "/openapi.json")
    assert problem(refused) == (429, "too-many-requests")
    assert int(refused.headers["retry-after"]) > 0
    assert server.ask("GET", "/health").status_code == 200


def test_strangers_send_little_and_operators_much(start, sqlite) -> None:
    server = start(sqlite)
    body = plan(VEIL, 4) | {"people": [f"{number:0100}" for number in range(1_000)]}
    own = {"Origin": server.url, "Cookie": f"graphveil-operator={server.operator}"}
    form = {"protocol": "degree-distribution|veil|node", "epsilon": "1", "hours": "1", "names": "x\n" * 50_000}
    form |= dict.fromkeys(("controller", "contact", "purpose", "retention"), "stated")
    for path, what in (("/api/v1/campaigns", {"json": body}), ("/operator/campaigns", {"data": form})):
        for head in ({}, {"Authorization": "Bearer gvo.1.guess"}, {"Cookie": "graphveil-operator=gvo.1.guess"}):
            assert problem(server.ask("POST", path, headers=head, **what)) == (413, "too-large"), (path, head)
    chunks = iter([json.dumps(body).encode()])  # without a length in the head
    unannounced = server.ask("POST", "/api/v1/campaigns", content=chunks, headers={"Content-Type": "application/json"})
    assert problem(unannounced) == (413, "too-large")
    assert server.ask("POST", "/api/v1/campaigns", server.operator, json=body).status_code == 201
    assert "everybody once" in server.ask("POST", "/operator/campaigns", headers=own, data=form).text


def test_what_needs_no_body_is_answered_whatever_follows(start, sqlite) -> None:
    """A file is on its way before the length of what comes with the request is known."""
    server = start(sqlite)
    for path in ("/static/pages.css", "/health", "/nothing"):
        for chunks in ([b"x" * 70_000], [b"x" * 65_000] * 20):
            answer = server.ask("GET", path, content=iter(chunks))
            assert answer.status_code in (200, 404, 413), (path, len(chunks))
            assert path == "/nothing" or answer.status_code == 413 or answer.content


def test_a_campaign_that_could_not_be_closed_is_refused_when_it_is_made(start, sqlite) -> None:
    server = start(sqlite, memory_mb=5)
    asked = plan(find_protocol("triangles", "veil", "edge"), 4_000)
    answer = server.ask("POST", "/api/v1/campaigns", server.operator, json=asked)
    assert problem(answer)[0] == 422
    told = r"with 4,000 people takes about \d+ MB, of 5 MB that may be used, enough for about"
    assert re.search(told, answer.json()["detail"])
    assert server.ask("GET", "/api/v1/campaigns", server.operator).json() == []
    smaller = plan(find_protocol("triangles", "veil", "edge"), 900)
    assert server.ask("POST", "/api/v1/campaigns", server.operator, json=smaller).status_code == 201
