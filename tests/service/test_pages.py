"""The operator's pages as a browser without scripts sees them."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Callable, Iterator

import httpx
import pytest
from crowds import plan

from conftest import wait_until
from graphveil.registry import find_protocol

STATED = {
    "controller": "Institute <b>",
    "contact": "privacy@example.org",
    "purpose": "A seating plan",
    "retention": "Until June 2027",
}
FORM = {
    "protocol": "degree-distribution|veil|node",
    "title": "May",
    "epsilon": "1",
    "hours": "24",
    "minimum": "2",
    **STATED,
}


class Visitor:
    """An operator with a browser."""

    def __init__(self, server, *, logged_in: bool = True) -> None:
        self.server = server
        self.http = httpx.Client(base_url=server.url, headers={"Origin": server.url}, timeout=60)
        if logged_in:
            assert self.post("/operator/login", token=server.operator).headers["location"] == "/operator"

    def post(self, path: str, headers=None, files=None, **form: str) -> httpx.Response:
        return self.http.post(path, data=form, files=files, headers=headers)

    def create(self, names: str = "ann\nbob\ncat <b>\n", **changes) -> httpx.Response:
        return self.post("/operator/campaigns", files={"roster": ("people.txt", names)}, **{**FORM, **changes})


@pytest.fixture
def visit(start, sqlite) -> Iterator[Callable[..., Visitor]]:
    """Visits to one collector, which end with the test."""
    server, visitors = start(sqlite), []

    def begin(*, logged_in: bool = True) -> Visitor:
        visitors.append(Visitor(server, logged_in=logged_in))
        return visitors[-1]

    yield begin
    for visitor in visitors:
        visitor.http.close()


@pytest.fixture
def visitor(visit) -> Visitor:
    return visit()


def test_only_operators_get_in(visit) -> None:
    stranger = visit(logged_in=False)
    for path in ("/operator", "/operator/new", f"/operator/campaigns/{'0' * 64}", "/operator/audit"):
        answer = stranger.http.get(path)
        assert (answer.status_code, answer.headers["location"]) == (303, "/operator/login")
    assert stranger.create().headers["location"] == "/operator/login"
    person = re.search(r"#ann:(\S+?)<", visit().create().text)[1]
    for token in ("", "nonsense", stranger.server.operator[:-1] + "x", person):
        assert stranger.post("/operator/login", token=token).status_code == 403
        assert not stranger.http.cookies


def test_the_cookie_is_out_of_reach_of_scripts_and_other_sites(visit) -> None:
    visitor = visit(logged_in=False)
    said = visitor.post("/operator/login", token=visitor.server.operator).headers["set-cookie"]
    assert {"HttpOnly", "SameSite=strict", "Path=/operator"} <= set(re.split("; ", said))
    assert visitor.http.get("/operator").status_code == 200
    assert visitor.http.get("/api/v1/campaigns").status_code == 401  # the API takes no cookies
    visitor.post("/operator/logout")
    assert visitor.http.get("/operator").status_code == 303


@pytest.mark.parametrize("origin", ["https://elsewhere.example", "null", ""])
def test_forms_of_other_sites_are_refused(visitor, origin: str) -> None:
    one = f"/operator/campaigns/{'0' * 64}"
    steering = (f"{one}/steer", f"{one}/invitation", "/operator/staff", "/operator/staff/remove", "/operator/forecast")
    for path in ("/operator/campaigns", "/operator/logout", "/operator/login", f"{one}/close", *steering):
        answer = visitor.post(path, headers={"Origin": origin}, **FORM, names="ann\nbob", number="1")
        assert answer.status_code == 403
    assert "There is no campaign yet" in visitor.http.get("/operator").text


def test_pages_cannot_be_framed_or_told_to_run_scripts(visitor) -> None:
    answer = visitor.create(title="<script>alert(1)</script>")
    assert "<script>alert" not in answer.text
    assert "cat &lt;b&gt;" in answer.text
    policy = answer.headers["content-security-policy"]
    assert "default-src 'self'" in policy
    assert "frame-ancestors 'none'" in policy
    assert answer.headers["cache-control"] == "no-store"  # it shows tokens


def test_mistakes_in_the_form_come_back_with_what_is_wrong(visitor) -> None:
    for changes, words in [
        ({"epsilon": "-1"}, "epsilon must be above 0"),
        ({"names": "ann"}, "at least two people"),
        ({"names": "ann\nann"}, "name 2 is name 1 again"),
        ({"minimum": "9"}, "minimum_reports"),
        ({"minimum": "x"}, "whole number"),
        ({"protocol": "nonsense"}, "unknown statistic"),
        ({"protocol": "degree-distribution|gs-ldp|node"}, "may not be deployed"),
        ({"hours": "-3"}, "documented form"),
        ({"purpose": " ", "contact": ""}, "tell people whom people write to and why they are asked"),
        ({"purpose": "x" * 1_001}, "at most 1000 characters"),
        ({"epsilon": "10.5"}, "within the budget of 0 of 3 people"),
    ]:
        answer = visitor.create(**changes)
        assert answer.status_code == 422 or "deployed" in words, changes
        assert words in answer.text, changes
    long = visitor.post("/operator/campaigns", files={"roster": ("", "")}, **FORM, names="ann\n" * 500_000)
    assert (long.status_code, "as a file" in long.text) == (400, True)
    assert visitor.http.get(f"/operator/campaigns/{'0' * 64}").status_code == 404
    assert visitor.http.get("/operator/campaigns/nonsense").status_code == 422
    assert "There is no campaign yet" in visitor.http.get("/operator").text


def test_a_campaign_from_the_form_to_the_exports(visitor) -> None:
    from graphveil.service.client.invitation import Invitation

    assert visitor.http.get("/operator/new").text.count("<option") > 20
    created = visitor.create()
    assert created.status_code == 200, created.text
    links = re.findall(r'<code class="link">(.*?)</code>', created.text)
    invited = [Invitation.parse(link) for link in links]
    assert [each.name for each in invited] == ["ann", "bob", "cat <b>"]
    campaign = invited[0].campaign_id
    place = f"/operator/campaigns/{campaign}"
    assert "hx-trigger" in visitor.http.get(place).text
    assert "disabled" in visitor.http.get(f"{place}/progress").text
    assert visitor.post(f"{place}/close", number="1").status_code == 409
    _answer_all(visitor.server, invited)
    wait_until(lambda: "HX-Refresh" in visitor.http.get(f"{place}/progress").headers)
    shown = visitor.http.get(place).text
    for words in ("3 of 3 reports", "95 %", "unauthorised"):
        assert words in shown
    assert "hx-trigger" not in shown
    result = visitor.http.get(f"{place}/result.json").json()
    assert result["campaign"] == campaign
    rows = list(csv.DictReader(io.StringIO(visitor.http.get(f"{place}/result.csv").text)))
    assert [float(row["value"]) for row in rows] == result["value"]
    assert [float(row["low95"]) for row in rows] == result["interval95"][0]
    picture = visitor.http.get(f"{place}/result.png")
    assert picture.headers["content-type"] == "image/png"
    assert picture.content.startswith(b"\x89PNG")
    assert "<svg" in visitor.http.get(f"{place}/result.svg").text
    arrivals = list(csv.DictReader(io.StringIO(visitor.http.get(f"{place}/participation.csv").text)))
    assert sum(int(row["reports"]) for row in arrivals) == 3
    assert campaign[:12] in visitor.http.get("/operator/audit").text


def test_what_people_are_told_is_part_of_what_they_agree_to(visitor) -> None:
    from graphveil.local.campaign import Campaign
    from graphveil.service.client.invitation import Invitation

    created = visitor.create()
    invited = Invitation.parse(re.findall(r'<code class="link">(.*?)</code>', created.text)[0])
    document = visitor.server.ask("GET", f"/api/v1/campaigns/{invited.campaign_id}").content
    terms = dict(Campaign.from_json(document).terms)
    assert {name: terms[name] for name in STATED} == STATED
    shown = visitor.http.get(f"/operator/campaigns/{invited.campaign_id}").text
    assert "Institute &lt;b&gt;" in shown
    assert "Until June 2027" in shown


def test_the_form_says_which_protocols_work_in_a_browser(visitor) -> None:
    from graphveil.registry import PROTOCOLS
    from graphveil.service.pages.offered import browser_protocols

    known = {f"{entry.query}|{entry.name}|{entry.unit}" for entry in PROTOCOLS}
    assert len(browser_protocols()) >= 6
    assert browser_protocols() <= known
    options = dict(re.findall(r'<option value="(.*?)".*?>\n(.*?)</option>', visitor.http.get("/operator/new").text))
    assert browser_protocols() < set(options) < known
    for value, words in options.items():
        assert ("command only" in words) == (value not in browser_protocols()), value


def test_a_weak_epsilon_is_questioned_in_the_words_of_the_command(start, sqlite) -> None:
    server = start(sqlite, person_limit="1000")
    visitor = Visitor(server)
    refused = visitor.create(epsilon="25")
    assert refused.status_code == 422
    assert "epsilon 25 promises next to nothing" in refused.text
    assert "epsilon 6 is weak: an attacker" in visitor.create(epsilon="6", title="six").text
    accepted = visitor.create(epsilon="25", accept_weak="true", title="25")
    assert (accepted.status_code, "epsilon 25 is weak: an attacker" in accepted.text) == (200, True)
    assert "is weak" not in visitor.create(epsilon="5", title="five").text
    visitor.http.close()
    asked = plan(find_protocol("degree-distribution", "veil", "node"), 3, epsilon="25", title="by the API")
    said = server.ask("POST", "/api/v1/campaigns", server.operator, json=asked)
    assert (said.status_code, said.json()["type"].rpartition(":")[2]) == (403, "weak-guarantee")
    assert "epsilon 25 promises next to nothing" in said.json()["detail"]
    said = server.ask("POST", "/api/v1/campaigns", server.operator, json=asked | {"accept_weak": True})
    (warning,) = said.json()["warnings"]
    assert "epsilon 25 is weak: an attacker" in warning
    said = server.ask("POST", "/api/v1/campaigns", server.operator, json=asked | {"epsilon": "1"})
    assert said.json()["warnings"] == []


def test_the_api_says_which_protocols_work_in_a_browser(visitor) -> None:
    from graphveil.service.pages.offered import browser_protocols

    listed = visitor.http.get("/api/v1/protocols").json()
    assert {"statistic", "protocol", "unit", "rounds", "browser"} == set(listed[0])
    works = {f"{each['statistic']}|{each['protocol']}|{each['unit']}" for each in listed if each["browser"]}
    assert works == browser_protocols()
    assert len(listed) > len(works)


def test_the_form_forecasts_error_and_cost_before_anybody_is_asked(visitor) -> None:
    names = {"roster": ("people.txt", "\n".join(f"person {i}" for i in range(300)))}
    for protocol, words in [
        ("degree-distribution|veil|node", "in a browser, or by command"),
        ("triangles|veil|edge", "kB"),
        ("degree-distribution|oue|node", "by command only"),
    ]:
        asked = {**FORM, "protocol": protocol, "mean_degree": "10"}
        shown = visitor.post("/operator/forecast", files=names, headers={"HX-Request": "true"}, **asked).text
        assert "<form" not in shown
        assert "300 people with 10 friends" in shown
        assert "A guess without data" in shown
        assert words in shown
    asked = {**FORM, "epsilon": "11"}
    assert "Nobody could join" in visitor.post("/operator/forecast", files=names, **asked).text
    whole = visitor.post("/operator/forecast", files=names, **FORM).text  # a browser without scripts
    assert "person 299</textarea>" in whole
    assert "A guess without data" in whole
    assert "There is no campaign yet" in visitor.http.get("/operator").text


def test_a_campaign_that_too_few_people_can_afford_is_refused(visitor) -> None:
    from graphveil.service.client.invitation import Invitation

    links = re.findall(r'<code class="link">(.*?)</code>', visitor.create(epsilon="6").text)
    for each in map(Invitation.parse, links[:2]):  # 6 of 10 are spent
        path = f"/api/v1/campaigns/{each.campaign_id}/enrolment"
        assert visitor.server.ask("PUT", path, each.token).status_code == 200
    assert "3 of these people were asked here before" in visitor.create(epsilon="1", title="May again").text
    answer = visitor.create(epsilon="6", title="June")
    assert (answer.status_code, "budget of 1 of 3 people" in answer.text) == (422, True)
    assert visitor.create(epsilon="6", title="June", minimum="1").status_code == 200


def test_a_round_is_closed_early_with_enough_reports(visitor) -> None:
    from graphveil.service.client.invitation import Invitation

    links = re.findall(r'<code class="link">(.*?)</code>', visitor.create().text)
    invited = [Invitation.parse(link) for link in links]
    place = f"/operator/campaigns/{invited[0].campaign_id}"
    _answer_all(visitor.server, invited[:2])
    assert "disabled" not in visitor.http.get(place).text
    assert visitor.post(f"{place}/close", number="1").headers["location"] == place
    assert "2 of 3 people reported" in visitor.http.get(place).text
    assert visitor.post(f"{place}/close", number="1").status_code == 409
    assert visitor.http.get("/operator/audit").text.count("close") >= 1


def test_a_campaign_is_paused_resumed_and_cancelled_from_its_page(visitor) -> None:
    from graphveil.service.client.invitation import Invitation

    links = re.findall(r'<code class="link">(.*?)</code>', visitor.create().text)
    ann, bob, _ = map(Invitation.parse, links)
    place = f"/operator/campaigns/{ann.campaign_id}"
    enrolment = f"/api/v1/campaigns/{ann.campaign_id}/enrolment"
    assert visitor.post(f"{place}/steer", action="pause").headers["location"] == place
    assert "The campaign is paused" in visitor.http.get(place).text
    assert visitor.server.ask("PUT", enrolment, ann.token).status_code == 503
    assert visitor.post(f"{place}/steer", action="resume").status_code == 303
    assert visitor.server.ask("PUT", enrolment, ann.token).status_code == 200
    waited = visitor.http.get(f"{place}/missing").text
    assert "3 people" in waited
    assert "<td>ann</td><td>yes</td>" in waited
    renewed = visitor.post(f"{place}/invitation", name="bob").text
    fresh = Invitation.parse(re.search(r'<code class="link">(.*?)</code>', renewed)[1])
    assert visitor.server.ask("PUT", enrolment, bob.token).status_code == 401
    assert visitor.server.ask("PUT", enrolment, fresh.token).status_code == 200
    assert visitor.post(f"{place}/invitation", name="nobody").status_code == 404
    assert visitor.post(f"{place}/steer", action="cancel").status_code == 409  # the box was not ticked
    assert visitor.post(f"{place}/steer", action="cancel", sure="yes").status_code == 303
    shown = visitor.http.get(place).text
    assert "cancelled" in shown
    assert "Manage" not in shown
    for action in ("pause", "resume", "cancel", "renew-token"):
        assert f"<td>{action}</td>" in visitor.http.get("/operator/audit").text


def test_staff_is_added_and_removed_on_its_page(visitor) -> None:
    added = visitor.post("/operator/staff", name="eve <i>", role="operator")
    token = re.search(r'<code class="link">(.*?)</code>', added.text)[1]
    assert "eve &lt;i&gt;" in added.text
    assert visitor.server.ask("GET", "/api/v1/campaigns", token).status_code == 200
    assert visitor.post("/operator/staff", name="eve <i>", role="gateway").status_code == 409
    assert visitor.post("/operator/staff/remove", name="operator").status_code == 403  # oneself
    assert visitor.post("/operator/staff/remove", name="eve <i>").status_code == 303
    assert visitor.server.ask("GET", "/api/v1/campaigns", token).status_code == 401
    assert "eve &lt;i&gt;" not in visitor.http.get("/operator/staff").text


def _answer_all(server, invited) -> None:
    """Everybody answers; one report comes without a token."""
    from graphveil.local.campaign import Campaign
    from graphveil.local.client import Client

    path = f"/api/v1/campaigns/{invited[0].campaign_id}"
    campaign = Campaign.from_json(server.ask("GET", path).content)
    for number, each in enumerate(invited):
        report = Client(campaign, number, [0, 1, 2]).answer(1).encode()
        server.ask("PUT", f"{path}/enrolment", each.token)
        assert server.ask("POST", f"{path}/reports", content=report).status_code == 401
        assert server.ask("POST", f"{path}/reports", each.token, content=report).status_code == 201


def test_a_campaign_of_several_statistics_shows_a_section_for_each(visitor) -> None:
    from crowds import Crowd

    from graphveil.graph.generate.random import power_law_cluster
    from graphveil.registry import find_protocol

    asked = "degree-distribution,triangle-sequence,clustering"
    entry = find_protocol(asked, "veil", "edge")
    crowd = Crowd.invite(visitor.server, entry, power_law_cluster(40, 3, 0.5, seed=3), epsilon="2", statistic=asked)
    result = crowd.run(seed=1)
    assert list(result["results"]) == asked.split(",")
    place = f"/operator/campaigns/{crowd.campaign.id}"
    shown = visitor.http.get(place).text
    for statistic in asked.split(","):
        assert f"Result: {statistic}" in shown
        assert "<svg" in visitor.http.get(f"{place}/result.svg?statistic={statistic}").text
    assert visitor.http.get(f"{place}/result.svg?statistic=diameter").status_code == 422
    rows = list(csv.DictReader(io.StringIO(visitor.http.get(f"{place}/result.csv").text)))
    assert {row["statistic"] for row in rows} == set(asked.split(","))
    values = [float(row["value"]) for row in rows if row["statistic"] == "clustering"]
    assert values == result["results"]["clustering"]["value"]
    form = {**FORM, "protocol": f"{entry.query}|veil|edge", "epsilon": "1", "mean_degree": "8"}
    names = {"roster": ("people.txt", "\n".join(f"person {i}" for i in range(60)))}
    told = visitor.post("/operator/forecast", files=names, headers={"HX-Request": "true"}, **form).text
    for statistic in entry.query.split(","):
        assert f"Forecast of {statistic}" in told
