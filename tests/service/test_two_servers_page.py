"""The page of a campaign with two servers in a real browser: what it says, refuses, sends, stores and forgets."""

from __future__ import annotations

import hashlib
import json
from contextlib import ExitStack
from pathlib import Path

import httpx
import pytest
import uvicorn
from chromium import Tab
from test_browser import complaints, requests
from three_parties import ThreeParties

from conftest import RoomyLimits, free_port, run_in_thread, wait_until
from graphveil.errors import ParameterError
from graphveil.service.auth import hash_token
from graphveil.service.client.diary import Diary
from graphveil.service.client.invitation import Invitation, new_pair, token_of_pair
from graphveil.service.client.two_servers import TwoServerParticipant
from graphveil.service.parties import store
from graphveil.service.parties.app import create_party_app
from graphveil.service.serve import open_party
from graphveil.service.service import to_text
from graphveil.service.settings import Settings
from graphveil.service.terms import write_roster
from graphveil.two_servers.parties.campaign import TwoServerCampaign
from graphveil.two_servers.parties.names import ROLES, PartyName
from graphveil.two_servers.parties.page import Page
from graphveil.two_servers.parties.payload import share_of
from graphveil.two_servers.sums import add_shares, open_sum

NAMES = ["ann", "bob", "cat é", "dan", "eve", "fay"]
FAR = 4_000_000_000.0
LISTING = "!document.querySelector('#list').hidden && !document.querySelector('#draw').disabled"
OFFERED = "!document.querySelector('#answer').hidden && !document.querySelector('#send').disabled"
EVERYTHING = """new Promise((done) => {
  const opening = indexedDB.open("graphveil");
  opening.onsuccess = () => {
    const all = opening.result.transaction("first").objectStore("first").getAll();
    const here = [{...localStorage}, {...sessionStorage}];
    all.onsuccess = () => (opening.result.close(), done(JSON.stringify([all.result, ...here])));
  };
})"""


class Pair:
    """Leader and helper in threads of this process, each with a campaign for six people."""

    def __init__(self, folder: Path, operators=("Statistics Office", "City Archive"), **changes) -> None:
        self.running, self.parties, ports = ExitStack(), {}, {role: free_port() for role in ROLES[:2]}
        for role, operator in zip(ROLES[:2], operators, strict=True):
            files = {"database": str(folder / f"{role}.db"), "operator_token_file": str(folder / f"{role}.token")}
            settings = Settings(operator=operator, port=ports[role], **files, **RoomyLimits)
            self.parties[role], _ = open_party(settings, role)
            config = uvicorn.Config(create_party_app(self.parties[role]), port=ports[role], log_level="warning")
            self.running.enter_context(run_in_thread(config))
        urls = {role: f"http://127.0.0.1:{port}" for role, port in ports.items()}
        self.names = tuple(
            PartyName(role, operator, urls[role], party.keys.public, party.keys.sealing)
            for (role, party), operator in zip(self.parties.items(), operators, strict=True)
        )
        roster = hashlib.sha256(write_roster(NAMES)).hexdigest()
        given = {"statistic": "edges", "unit": "edge", "epsilon": "1", "closes": to_text(FAR), **changes}
        self.campaign = TwoServerCampaign(
            "May", people=6, minimum_reports=2, roster=roster, parties=self.names, **given
        )
        pairs = [new_pair(number) for number in range(6)]
        for role, party in self.parties.items():
            hashes = [hash_token(token_of_pair(pair, role, number)) for number, pair in enumerate(pairs)]
            party.accept_campaign(self.campaign.to_json(), NAMES, hashes)
        self.links = [
            Invitation(urls["leader"], self.campaign.id, name, pair).link
            for name, pair in zip(NAMES, pairs, strict=True)
        ]

    def shares(self, role: str) -> dict[int, bytes]:
        with self.parties[role].service.database.read() as connection:
            return store.shares(connection, 1)

    def degrees(self, role: str) -> dict[int, int]:
        with self.parties[role].service.database.read() as connection:
            return store.degrees(connection, 1)

    def total(self) -> list[int]:
        """What both servers' shares stand for."""
        sums = [
            add_shares(self.campaign.terms(), self.shares(role).items(), is_leader=role == "leader")
            for role in ROLES[:2]
        ]
        return open_sum(*sums).tolist()


@pytest.fixture
def serve(tmp_path, browser):
    """Start leader and helper; at the end they stop, and the browser forgets."""
    made: list[Pair] = []

    def start(**changes) -> Pair:
        made.append(Pair(tmp_path, **changes))
        browser.said.clear()
        return made[-1]

    yield start
    for pair in made:
        pair.running.close()


def unexpected(browser) -> list[str]:
    """Complaints, but for answers that there is no limit for lists yet."""
    return [each for each in complaints(browser) if "409 (Conflict)" not in each]


def prepare(tab: Tab, friends: str) -> None:
    tab.wait(LISTING)
    tab.fill("#friends", friends)
    tab.click("#draw")
    tab.wait(OFFERED)


def test_an_answer_in_two_pieces(serve, browser) -> None:
    """It says who runs the servers, sends each its own piece and nothing else, and keeps neither."""
    pair = serve(statements=(("controller", "Institute"), ("purpose", "to plan rooms")))
    tab = browser.open(pair.links[0], width=400, height=800, on_another_device=True)
    tab.wait(LISTING)
    assert tab.run("document.documentElement.scrollWidth") <= 400
    said = tab.run("document.querySelector('#facts').textContent")
    for words in ("Statistics Office", "City Archive", pair.names[1].ed25519, "Institute", "two pieces", "73.2 % sure"):
        assert words in said, words
    assert "known to nobody" not in said
    prepare(tab, "bob\ncat é")
    shown = tab.run("document.querySelector('#bytes').textContent")
    stored = json.loads(tab.run(EVERYTHING))[0]
    kept = json.loads(next(each for each in stored if "helper" in each))
    assert pair.shares("leader") == pair.shares("helper") == {}  # stored here before it is sent
    tab.click("#send")
    tab.wait_for_text("you have answered everything")
    assert {role: pair.shares(role)[0].hex() for role in kept} == kept
    assert all(each in shown for each in kept.values())
    assert pair.total() == [2]
    left = tab.run(EVERYTHING)
    assert not [each for each in (*kept.values(), "bob") if each in left]
    secret, sent = pair.links[0].rpartition(":")[2], [each | {"urlFragment": ""} for each in requests(browser)]
    assert not [each for each in sent if "bob" in str(each) or secret in str(each)]
    assert complaints(browser) == []
    tab.call("Page.reload")
    tab.wait_for_text("you have answered everything")


@pytest.mark.parametrize(
    ("statistic", "options", "wanted"),
    [
        ("degree-distribution", {}, [1, 1, 1, 0, 0]),
        ("k-stars", {"k": 2, "max_degree": 2}, [1]),
        ("attribute-shares", {"unit": "node", "values": ("no", "yes", "perhaps")}, [0, 0, 1]),
    ],
)
def test_other_sums(serve, browser, statistic, options, wanted) -> None:
    pair = serve(statistic=statistic, **options)
    tab = browser.open(pair.links[1], on_another_device=True)
    if statistic == "attribute-shares":
        tab.wait("!document.querySelector('#question').hidden && !document.querySelector('#draw-answer').disabled")
        assert "two pieces" in tab.text()
        tab.click("#answers li:nth-child(3) input")
        tab.click("#draw-answer")
        tab.wait(OFFERED)
    else:
        prepare(tab, "ann\ndan\neve")
    tab.click("#send")
    tab.wait_for_text("you have answered everything")
    assert pair.total() == wanted
    assert complaints(browser) == []


def test_a_helper_that_is_away_gets_the_same_bytes_later(serve, browser) -> None:
    """The leader has its piece, the page is closed: what was stored is sent again, and nothing is drawn anew."""
    pair = serve()
    tab = browser.open(pair.links[0], on_another_device=True)
    prepare(tab, "bob")
    shown = tab.run("document.querySelector('#bytes').textContent")
    tab.call("Network.enable")
    tab.call("Network.setBlockedURLs", urls=[f"{pair.names[1].url}/*"])
    tab.click("#send")
    tab.wait_for_text("The server of City Archive does not answer")
    assert list(pair.shares("leader")) == [0]
    tab.call("Network.setBlockedURLs", urls=[])
    tab.call("Page.reload")
    tab.wait_for_text("not both servers have confirmed it")
    assert tab.run("document.querySelector('#bytes').textContent") == shown
    tab.click("#send")
    tab.wait_for_text("you have answered everything")
    assert pair.total() == [1]


def test_a_second_device_draws_nothing(serve, browser, tmp_path) -> None:
    """Neither another browser, or one that has forgotten, nor the command line with another diary."""
    pair = serve()
    first = browser.open(pair.links[0], on_another_device=True)
    prepare(first, "bob\ndan")
    first.click("#send")
    first.wait_for_text("you have answered everything")
    before = pair.shares("leader")
    second = browser.open(pair.links[0], on_another_device=True)
    second.wait(LISTING)
    second.fill("#friends", "bob")
    second.click("#draw")
    second.wait_for_text("joined this campaign elsewhere and may have answered")
    assert "helper" not in second.run(EVERYTHING)
    link = Invitation.parse(pair.links[0])
    with (
        TwoServerParticipant(link, ["bob"], Diary(tmp_path / "other.diary", "2")) as elsewhere,
        pytest.raises(ParameterError, match="another device"),
    ):
        elsewhere.answer()
    assert elsewhere.campaign.id == pair.campaign.id
    assert Diary(tmp_path / "other.diary", "2").left == 2
    assert pair.shares("leader") == before


def test_noisy_degrees_first_then_the_pieces(serve, browser) -> None:
    """The page waits until both servers have signed the limit; a late visitor tells no degree."""
    pair = serve(statistic="k-stars", k=2, degrees_close=to_text(FAR - 1))
    tab = browser.open(pair.links[0], on_another_device=True)
    prepare(tab, "bob\ndan\neve")
    assert "plus noise" in tab.text()
    told = int(tab.run("document.querySelector('#bytes').textContent"))
    assert pair.degrees("leader") == {}
    tab.click("#send")
    tab.wait_for_text("agreed where long lists are cut")
    assert pair.degrees("leader") == pair.degrees("helper") == {0: told}
    for party in pair.parties.values():
        for person in range(1, 5):
            party.accept_degree(pair.campaign.id, person, 3)
        party.close(pair.campaign.id, 1)
    wait_until(lambda: all(party.state(pair.campaign.id).has_page for party in pair.parties.values()))
    tab.wait(LISTING)
    assert tab.run("document.querySelector('#friends').value") == "bob\ndan\neve"
    late = browser.open(pair.links[5], on_another_device=True)
    for each in (tab, late):
        prepare(each, "bob\ndan\neve")
        each.click("#send")
        each.wait_for_text("you have answered everything")
    page = Page.from_json(pair.campaign.plan, pair.parties["helper"].row(pair.campaign.id).page)
    shares = {role: [share_of(pair.campaign, each) for each in pair.shares(role).values()] for role in ROLES[:2]}
    terms = pair.campaign.terms(page)
    sums = [add_shares(terms, zip((0, 5), shares[role], strict=True), is_leader=role == "leader") for role in shares]
    limit = min(3, page.max_degree)
    assert open_sum(*sums).tolist() == [2 * limit * (limit - 1) // 2]
    assert pair.degrees("leader") == {0: told} | dict.fromkeys(range(1, 5), 3)
    assert unexpected(browser) == []


def test_who_comes_too_late_keeps_no_pieces(serve, browser) -> None:
    pair = serve()
    tab = browser.open(pair.links[0], on_another_device=True)
    prepare(tab, "bob")
    pair.parties["helper"].close(pair.campaign.id, 1)
    pair.parties["leader"].close(pair.campaign.id, 1)
    tab.click("#send")
    tab.wait_for_text("was closed before both servers had your answer")
    assert "helper" not in tab.run(EVERYTHING)
    tab.call("Page.reload")
    tab.wait_for_text("was closed before both servers had your answer")


def test_a_server_that_cannot_sign_with_the_key_of_the_campaign_gets_nothing(serve, browser) -> None:
    pair = serve()
    helper = pair.parties["helper"]
    helper.keys, kept = pair.parties["leader"].keys, helper.keys
    tab = browser.open(pair.links[0], on_another_device=True)
    tab.wait_for_text("The server of City Archive does not hold the key that the campaign names; nothing was sent")
    helper.keys = kept
    wrong = browser.open(pair.links[0].replace("#ann:", "#bob:"), on_another_device=True)
    wrong.wait_for_text("belong to two people")


def test_pages_of_others_may_not_talk_to_the_helper(serve) -> None:
    """Only the leader's page may, only for a campaign of theirs, and only where people hand in."""
    pair = serve()
    leader, helper = (each.url for each in pair.names)
    place = f"/api/v1/campaigns/{pair.campaign.id}"
    asks = {"Access-Control-Request-Method": "PUT", "Access-Control-Request-Headers": "authorization,content-type"}

    def allowed(url: str, path: str, origin: str) -> bool:
        answers = [
            httpx.options(url + path, headers=asks | {"Origin": origin}, timeout=60),
            httpx.get(url + path, headers={"Origin": origin}, timeout=60),
        ]
        told = {answer.headers.get("Access-Control-Allow-Origin") for answer in answers}
        assert not [each for each in answers if "Access-Control-Allow-Credentials" in each.headers]
        assert told in ({None}, {origin})
        return told == {origin}

    assert all(allowed(helper, f"{place}/{what}", leader) for what in ("accepted", "answered", "degree", "share"))
    for url, path, origin in (
        (helper, f"{place}/share", "https://evil.example"),
        (helper, f"{place}/share", "null"),
        (helper, f"{place}/share", leader + "0"),
        (helper, f"{place}/close", leader),
        (helper, f"{place}/result", leader),
        (helper, f"{place}/roster", leader),
        (helper, "/api/v1/campaigns", leader),
        (helper, f"{place}/exchange/leader/set/0", leader),
        (helper, f"/api/v1/campaigns/{'0' * 64}/share", leader),
        (leader, f"{place}/share", helper),
    ):
        assert not allowed(url, path, origin), (path, origin)
    page = httpx.get(f"{leader}/join/{pair.campaign.id}", timeout=60)
    assert f"connect-src 'self' {helper};" in page.headers["Content-Security-Policy"]
    moved = httpx.get(f"{helper}/join/{pair.campaign.id}", timeout=60)
    assert (moved.status_code, moved.headers["Location"]) == (307, f"{leader}/join/{pair.campaign.id}")
    assert httpx.get(f"{leader}/join/{'0' * 64}", timeout=60).status_code == 404


@pytest.mark.laws
def test_three_processes_over_https_count_what_a_browser_sent(tmp_path, commands, monkeypatch, browser) -> None:
    """Ann answers in a browser, two others by the Python client, one does not: opened count less noises is exact."""
    monkeypatch.setenv("SSL_CERT_FILE", "")
    parties = ThreeParties(tmp_path, commands)
    lists = [["bob", "cat é", "dan"], ["ann", "cat é"], ["ann", "bob", "fay"], ["ann"]]
    try:
        words = ("--statistic", "triangles", "--epsilon", "1/2", "--option", "hubs=0", "--minimum", "3")
        campaign = parties.create(NAMES, *words)
        tab = browser.open(on_another_device=True)
        tab.call("Security.setIgnoreCertificateErrors", ignore=True)
        tab.go(parties.links[0])
        prepare(tab, "\n".join(lists[0]))
        tab.click("#send")
        tab.wait_for_text("agreed where long lists are cut")
        for i in (1, 2, 3):
            assert parties.answer(parties.links[i], lists[i], tmp_path / f"{i}.diary", wait=False) is None
        parties.ask("POST", "helper", f"/{campaign.id}/close", json={"round": 1})
        tab.wait(LISTING)
        prepare(tab, "\n".join(lists[0]))
        tab.click("#send")
        tab.wait_for_text("you have answered everything")
        for i in (1, 2, 3):
            assert parties.answer(parties.links[i], lists[i], tmp_path / f"{i}.diary")
        parties.ask("POST", "leader", f"/{campaign.id}/close", json={"round": 2})
        noises: dict[str, int] = {}
        while not all("erased" in parties.written(role) for role in ROLES):
            noises |= {role: found for role in ROLES[:2] if (found := parties.noise(role)) is not None}
        result = parties.ask("GET", "leader", f"/{campaign.id}/result")
        terms = campaign.triangle_terms(Page.from_json(campaign.plan, parties.page("leader")))
    finally:
        parties.stop()
    assert terms.max_degree >= 3 or pytest.skip("noise cut the lists")
    assert result["participation"] == {"people": 6, "reports": [4, 4]}
    assert result["opened"][0] - sum(noises.values()) == 1  # ann, bob and cat
    assert unexpected(browser) == []
