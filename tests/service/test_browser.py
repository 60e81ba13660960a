"""People and operators with a real browser: create a campaign, join it, watch it, read the result."""

from __future__ import annotations

import base64
import gzip
import json
import os
from pathlib import Path

import pytest
from chromium import Tab
from crowds import Crowd

from conftest import wait_until
from graphveil.graph.generate.random import power_law_cluster
from graphveil.local.campaign import Campaign
from graphveil.local.client import Client
from graphveil.local.messages import Report
from graphveil.registry import find_protocol
from graphveil.registry_table import TOGETHER

NAMES = ["ann", "bob", "cat é", "dan", "eve", "fay"]
STATED = {
    "controller": "Institute of Networks",
    "contact": "privacy@example.org",
    "purpose": "To plan rooms; the result is published",
    "retention": "Answers until June 2027",
}
PICTURES = os.environ.get("GRAPHVEIL_PICTURES", "")  # a folder, where pictures for the guide are wanted


def picture(tab: Tab, name: str) -> None:
    if PICTURES:
        tab.picture(Path(PICTURES) / f"{name}.png")


def log_in(tab: Tab, server) -> None:
    tab.go(f"{server.url}/operator")
    tab.fill("#token", server.operator)
    tab.press_enter()
    tab.wait_for_text("There is no campaign yet")


def create(tab: Tab, tmp_path: Path, protocol: str, epsilon: str = "1", answers: str = "") -> list[str]:
    """Fill the form; the links."""
    (tmp_path / "people.txt").write_text("\n".join(NAMES), encoding="utf-8")
    tab.click("a.button")
    tab.wait("document.querySelector('#title')")
    tab.fill("#title", "Friends in May")
    for field, words in STATED.items():
        tab.fill(f"#{field}", words)
    tab.run(f"document.querySelector('#protocol').value = '{protocol}'")
    if answers:
        tab.run("document.querySelector('#answers').value = ''")
        tab.fill("#answers", answers)
    tab.fill("#epsilon", epsilon)
    tab.upload("#roster", tmp_path / "people.txt")
    picture(tab, "new")
    tab.click("#publish")
    tab.wait_for_text("Friends in May is open")
    return tab.run("Array.from(document.querySelectorAll('code.link'), (code) => code.textContent)")


def answer(tab: Tab, friends: str) -> str:
    """Draw and send what is asked now; what the page said it would send."""
    tab.wait("!document.querySelector('#list').hidden && !document.querySelector('#draw').disabled")
    tab.fill("#friends", friends)
    return draw_and_send(tab)


def draw_and_send(tab: Tab) -> str:
    """Press the buttons, and say yes if the page asks whether the list is right; what the page said it would send."""
    tab.click("#draw")
    tab.wait("document.querySelector('#check:not([hidden]), #answer:not([hidden])') && !busy")
    if tab.run("!document.querySelector('#check').hidden"):
        tab.click("#confirm")
    tab.wait("!document.querySelector('#answer').hidden && !document.querySelector('#send').disabled")
    shown = tab.run("document.querySelector('#bytes').textContent")
    tab.click("#send")
    return shown


def stored(tab: Tab) -> dict:
    """What the browser keeps of the campaign."""
    return tab.run("JSON.parse(localStorage[Object.keys(localStorage).find(key => key.startsWith('graphveil:'))])")


def complaints(browser) -> list[str]:
    """Errors that pages ran into, such as what their own policy forbids."""
    entries = [event["params"]["entry"] for event in browser.said if event.get("method") == "Log.entryAdded"]
    thrown = [str(event["params"]) for event in browser.said if event.get("method") == "Runtime.exceptionThrown"]
    return [entry["text"] for entry in entries if entry["level"] in ("error", "warning")] + thrown


def requests(browser) -> list[dict]:
    """What pages asked servers for."""
    events = [event for event in browser.said if event.get("method") == "Network.requestWillBeSent"]
    return [event["params"]["request"] for event in events if event["params"]["request"]["url"].startswith("http")]


def test_a_campaign_from_the_form_to_the_result(start, sqlite, browser, tmp_path) -> None:
    server = start(sqlite)
    operator = browser.open()
    log_in(operator, server)
    links = create(operator, tmp_path, "degree-distribution|veil|node")
    operator.click("main p:last-child a")
    operator.wait_for_text("0 of 6 reports")
    for i, link in enumerate(links):
        person = browser.open(link, width=400, height=800)
        person.wait_for_text("your whole list")
        assert person.run("document.documentElement.scrollWidth") <= 400  # a phone
        shown = answer(person, "bob\ncat é\n nobody here\n")
        person.wait_for_text("you have answered everything")
        assert stored(person)["answers"] == [shown]
        assert len(stored(person)["counted"]) == 1
        if i == 2:
            operator.wait_for_text("3 of 6 reports")  # without being loaded again
            picture(operator, "progress")
        person.run("localStorage.clear()")
    operator.wait_for_text("Result")
    operator.wait("document.querySelector('img').complete && document.querySelector('img').naturalWidth > 0")
    operator.wait_for_text("6 of 6 reports")
    assert complaints(browser) == []
    operator.resize(360, 740)
    assert operator.run("document.documentElement.scrollWidth") <= 360
    picture(operator, "phone")


@pytest.mark.parametrize("protocol", ["triangles|veil|edge", f"{TOGETHER}|veil|edge"])
def test_protocols_of_several_rounds_to_the_last(start, sqlite, browser, tmp_path, protocol: str) -> None:
    """One person in the browser, five by the Python client."""
    server = start(sqlite)
    operator = browser.open()
    log_in(operator, server)
    links = create(operator, tmp_path, protocol, epsilon="2")
    tokens = [link.partition("#")[2].partition(":")[2] for link in links]
    path = f"/api/v1/campaigns/{links[0].partition('#')[0][-64:]}"
    campaign = Campaign.from_json(server.ask("GET", path).content)
    others = [Client(campaign, i, [j for j in range(6) if j != i]) for i in range(1, 6)]
    for client in others:
        server.ask("PUT", f"{path}/enrolment", tokens[client.user])
    ann = browser.open(links[0])
    for number in range(1, campaign.rounds + 1):
        shown = answer(ann, "bob\ncat é\ndan") if number == 1 else again(ann)
        contents = [
            _unpacked(server, path, name) for name in server.ask("GET", f"{path}/status").json()["publications"]
        ]
        for client in others:
            report = client.answer(number, contents).encode()
            assert server.ask("POST", f"{path}/reports", tokens[client.user], content=report).status_code == 201
        assert stored(ann)["answers"][number - 1] == shown
    ann.wait_for_text("you have answered everything")
    addresses = ann.run("performance.getEntriesByType('resource').map(each => each.name)")
    *orders, graph = server.ask("GET", f"{path}/status").json()["publications"]
    fetched = {address.partition("/publications/")[2] for address in addresses} - {""}
    assert fetched == {*orders, f"{graph}/parts/0" if campaign.protocol.in_parts else graph}
    assert "bob" not in ann.run("JSON.stringify([localStorage, sessionStorage])")
    wait_until(lambda: server.ask("GET", f"{path}/status").json()["state"] == "done")
    assert server.ask("GET", f"{path}/progress", server.operator).json()["refusals"] == {}
    ann.run("localStorage.clear()")


def again(tab: Tab) -> str:
    """The next round: the list is still in the page."""
    tab.wait("!document.querySelector('#list').hidden && !document.querySelector('#draw').disabled")
    assert tab.run("document.querySelector('#friends').value") == "bob\ncat é\ndan"
    return draw_and_send(tab)


def _unpacked(server, path: str, name: str) -> bytes:
    return gzip.decompress(server.ask("GET", f"{path}/publications/{name}").content)


def test_a_question_is_answered_by_choosing(start, sqlite, browser, tmp_path) -> None:
    """The promise is about the answer, and what was chosen stays in the page."""
    server = start(sqlite)
    operator = browser.open()
    log_in(operator, server)
    link = create(operator, tmp_path, "attribute-shares|veil|node", answers="never, often")[0]
    ann = browser.open(link, width=400, height=800)
    ann.wait("!document.querySelector('#question').hidden && !document.querySelector('#draw-answer').disabled")
    told = ann.run("document.querySelector('#facts').textContent")
    assert "The answers are: never, often" in told
    assert "undecided between two answers" in told
    assert "list" not in told
    assert ann.run("Array.from(document.querySelectorAll('#answers label'), (each) => each.textContent)") == [
        " never",
        " often",
    ]
    picture(ann, "question")
    ann.click("#draw-answer")
    ann.wait_for_text("Choose an answer first")
    ann.click("#answers li:nth-child(2) input")
    ann.click("#draw-answer")
    ann.wait("!document.querySelector('#answer').hidden && !document.querySelector('#send').disabled")
    assert ann.run("document.querySelector('#bytes').textContent") in ("00", "01")
    assert "your own answer is sent" in ann.run("document.querySelector('#means').textContent")
    ann.click("#send")
    ann.wait_for_text("you have answered everything")
    assert ann.run("document.querySelector('#answers input:checked')") is None
    path = f"/api/v1/campaigns/{link.partition('#')[0][-64:]}"
    progress = server.ask("GET", f"{path}/progress", server.operator).json()
    assert (progress["reports"], progress["refusals"]) == ([1], {})
    assert complaints(browser) == []
    ann.run("localStorage.clear()")


@pytest.mark.parametrize(
    ("statistic", "unit", "n"), [("degree-distribution", "node", 2_000), ("triangles", "edge", 100)]
)
def test_results_of_whole_crowds_are_shown(start, sqlite, browser, statistic: str, unit: str, n: int) -> None:
    server = start(sqlite)
    crowd = Crowd.invite(
        server, find_protocol(statistic, "veil", unit), power_law_cluster(n, 4, 0.5, seed=1), epsilon="2"
    )
    result = crowd.run(seed=2)
    tab = browser.open(height=1100)
    tab.go(f"{server.url}/operator")
    tab.fill("#token", server.operator)
    tab.press_enter()
    tab.wait_for_text("Campaigns")
    tab.click("td a")
    tab.wait_for_text("Export")
    tab.wait("document.querySelector('img').naturalWidth > 0")
    if statistic == "triangles":
        assert f"{result['value']:,.5g}" in tab.text()
    assert f"{n:,} of {n:,} reports" in tab.text()
    tab.run("document.querySelector('#progress').scrollIntoView()")
    picture(tab, statistic)


@pytest.fixture
def ann(start, sqlite, browser, tmp_path):
    """The page of a person who is invited, and the server."""
    server = start(sqlite)
    operator = browser.open()
    log_in(operator, server)
    link = create(operator, tmp_path, "degree-distribution|veil|edge")[0]
    browser.said.clear()
    tab = browser.open(link)
    yield tab, server, link
    tab.run("localStorage.clear()")


def test_one_answer_whatever_happens_to_page_and_network(ann, browser) -> None:
    tab, server, link = ann
    tab.wait("!document.querySelector('#list').hidden")
    tab.fill("#friends", "bob\ndan")
    tab.click("#draw")
    tab.wait("!document.querySelector('#answer').hidden")
    picture(tab, "join")
    shown = tab.run("document.querySelector('#bytes').textContent")
    tab.call("Page.reload")
    other = browser.open(link)
    for each in (tab, other):
        each.wait_for_text("it has not been sent yet")
        assert each.run("document.querySelector('#bytes').textContent") == shown
    tab.call("Network.emulateNetworkConditions", offline=True, latency=0, downloadThroughput=-1, uploadThroughput=-1)
    tab.click("#send")
    tab.wait_for_text("trying again")
    tab.call("Network.emulateNetworkConditions", offline=False, latency=0, downloadThroughput=-1, uploadThroughput=-1)
    tab.wait_for_text("you have answered everything")
    other.wait_for_text("you have answered everything")  # told by the first tab
    path = f"/api/v1/campaigns/{link.partition('#')[0][-64:]}"
    told = server.ask("GET", f"{path}/progress", server.operator).json()
    assert (told["reports"], told["refusals"]) == ([1], {})


def test_a_browser_that_forgot_its_answer_draws_no_other(ann) -> None:
    tab, server, link = ann
    answer(tab, "bob")
    tab.wait_for_text("you have answered everything")
    tab.run("localStorage.clear()")
    tab.run("new Promise((done) => { indexedDB.deleteDatabase('graphveil').onsuccess = done; }).then(() => 0)")
    tab.call("Page.reload")
    tab.wait("!document.querySelector('#list').hidden && !document.querySelector('#draw').disabled")
    tab.fill("#friends", "bob")
    tab.click("#draw")
    tab.wait_for_text("joined this campaign elsewhere and may have answered")
    path = f"/api/v1/campaigns/{link.partition('#')[0][-64:]}"
    assert server.ask("GET", f"{path}/progress", server.operator).json()["refusals"] == {}


def test_nothing_but_the_report_leaves_the_page(ann, browser) -> None:
    tab, _, link = ann
    shown = answer(tab, "bob\ndan\nnobody here")
    tab.wait_for_text("you have answered everything")
    asked = requests(browser)
    token = link.rpartition(":")[2]
    assert token.startswith("gvp.")
    assert not [each["url"] for each in asked if token in each["url"]]
    sent = [each for each in asked if each.get("hasPostData")]
    *devices, body = [base64.b64decode(each["postDataEntries"][0]["bytes"]) for each in sent]
    assert Report.decode(body).payload.hex() == shown
    assert {str(sorted(json.loads(each))) for each in devices} == {"['device', 'joined', 'replace']"}
    assert len({json.loads(each)["device"] for each in devices}) == 1  # drawn once, for this campaign
    assert all("nobody" not in str(each) and "dan" not in str(each["url"]) for each in asked)
    assert complaints(browser) == []


def test_other_protocols_are_sent_to_the_command_line(start, sqlite, browser, tmp_path) -> None:
    server = start(sqlite)
    operator = browser.open()
    log_in(operator, server)
    link = create(operator, tmp_path, "degree-distribution|oue|node")[0]
    person = browser.open(link)
    person.wait_for_text("needs the command-line client")
    lost = browser.open(link.replace("ann", "nobody"))
    lost.wait_for_text("needs the command-line client")
    bad = browser.open(f"{server.url}/join/{'0' * 64}#ann:x")
    bad.wait_for_text("There is nothing here")


def test_pages_have_names_for_everything(start, sqlite, browser, tmp_path) -> None:
    server = start(sqlite)
    operator = browser.open()
    log_in(operator, server)
    create(operator, tmp_path, "degree-distribution|veil|node")
    pages = [
        "/operator",
        "/operator/new",
        "/operator/audit",
        operator.run("document.querySelector('main p:last-child a').href"),
    ]
    for place in pages:
        operator.go(place if place.startswith("http") else server.url + place)
        assert operator.run(UNNAMED) == [], place
        assert operator.run("document.querySelectorAll('h1').length") == 1
        assert operator.run("document.documentElement.lang") == "en"
        operator.resize(390, 800)
        assert operator.run("document.documentElement.scrollWidth") <= 390, place
        operator.resize(900, 1000)


UNNAMED = """Array.from(document.querySelectorAll(
  'input:not([type=hidden]), select, textarea, button, progress, img, svg, a'
))
  .filter((each) => !(each.labels?.length || each.alt || each.getAttribute('aria-label') || each.textContent.trim()))
  .map((each) => each.outerHTML)"""
