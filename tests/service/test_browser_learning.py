"""Class rows and friend suggestions in a browser: the bytes of the Python client, its suggestions, and whole visits."""

from __future__ import annotations

import json

import numpy as np
import pytest
from test_browser import NAMES, answer, complaints, create, log_in, requests
from test_browser_vectors import EPSILONS, case, check

from conftest import wait_until
from graphveil.graph.core import Graph
from graphveil.graph.generate.random import power_law_cluster
from graphveil.learn.people import LabelledPeople
from graphveil.local.attributes.class_rows import parameters_of
from graphveil.local.campaign import Campaign
from graphveil.local.client import Client
from graphveil.local.collector import Collector, CollectorState
from graphveil.local.lists import Lists
from graphveil.local.pairs.noisy_graph import PairBits
from graphveil.local.protocol import RoundContext
from graphveil.local.simulate import seeded
from graphveil.local.suggestions.protocol import FriendSuggestions
from graphveil.local.suggestions.score import stands_out, suggest

N = 33
READ = """([text, id]) => { try { readCampaign(utf8(text), id); return '' } catch (error) { return error.message } }"""
SUGGEST = """({text, person, friends, board}) => {
  const campaign = readCampaign(utf8(text), hex(sha256(utf8(text))));
  return campaign.protocol.suggest({ person, friends, board: fromHex(board) });
}"""


def labelled(n: int = N) -> LabelledPeople:
    years = ["" if person % 4 == 3 else f"20{person % 3:02}" for person in range(n)]
    return LabelledPeople.from_columns({"person": list(range(n)), "year": years}, label="year")


def rows_campaign(epsilon: str, n: int = N) -> Campaign:
    asked = {"unit": "edge", "epsilon": epsilon, "n_people": n, "title": "x"}
    return Campaign.create("class-rows", "veil", **asked, **parameters_of(labelled(n)))


def suggestions(epsilon: str, n: int = N) -> Campaign:
    return Campaign.create("friend-suggestions", "veil", unit="edge", epsilon=epsilon, n_people=n, title="x")


@pytest.mark.parametrize("make", [rows_campaign, suggestions])
def test_reports_are_the_same(calculate, make) -> None:
    """People of all roles, and lists that are empty, full and in between."""
    cases = []
    for place, epsilon in enumerate(EPSILONS):
        campaign = make(epsilon)
        for person in (0, 3, 4, 17, 32):
            lists = ([j for j in range(0, N, step) if j != person] for step in (N + 1, 3, 1))
            cases += [case(campaign, person, friends, 100 * place + person + len(friends)) for friends in lists]
    check(calculate, cases)


@pytest.mark.parametrize("epsilon", ["1", "6"])
def test_suggestions_are_the_same(calculate, epsilon: str) -> None:
    graph = power_law_cluster(60, 6, 0.9, seed=4)
    campaign = suggestions(epsilon, 60)
    protocol, board = campaign.protocol, published(campaign, graph)
    noisy = PairBits.read(board, protocol.owners)
    people = [0, 7, 31, 59]
    lists = [sorted(graph.neighbors(person).tolist()) for person in people]
    given = [
        {"text": campaign.to_json(), "person": person, "friends": friends, "board": board.hex()}
        for person, friends in zip([*people, 5], [*lists, []], strict=True)
    ]
    *shown, of_nobody = calculate(SUGGEST, given)
    assert of_nobody == []
    for person, friends, found in zip(people, lists, shown, strict=True):
        wanted = suggest(noisy, person, np.array(friends), protocol.response)
        assert [each["person"] for each in found] == [each.person for each in wanted]
        assert [each["inCommon"] for each in found] == pytest.approx([each.in_common for each in wanted])
        assert [each["std"] for each in found] == pytest.approx([each.std for each in wanted])
        assert [each["standsOut"] for each in found] == [stands_out(each, 60) for each in wanted]


def published(campaign: Campaign, graph: Graph) -> bytes:
    """The noisy graph of everybody's reports."""
    collector, n = Collector(campaign), campaign.n_people
    clients = [Client(campaign, person, graph.neighbors(person), source=seeded(3)) for person in range(n)]
    state, _ = collector.take(CollectorState(), [client.answer(1) for client in clients])
    return collector.close_round(state).publications[-1]


def test_noise_alone_makes_somebody_stand_out_in_one_of_twenty_lists_at_most() -> None:
    """400 lists of a graph without edges to them; by chance above 40 of 400 with probability below 1e-5."""
    n, friends = 300, np.arange(40)
    protocol, empty = FriendSuggestions(epsilon=1, n_people=n), Lists.of_graph(Graph.from_edges([], n_nodes=n))
    seen = 0
    for seed in range(40):
        noisy = protocol.publish_batch(
            empty.people, protocol.perturb(RoundContext(), empty, seeded(seed)(1, empty.people))
        )
        for start in range(10):
            best = suggest(noisy, 299, friends + 25 * start, protocol.response)[0]
            seen += stands_out(best, n)
    assert seen <= 40


def test_campaigns_that_no_operator_makes_are_refused(calculate) -> None:
    good = rows_campaign("1")
    text = json.loads(good.to_json())
    hostile = [
        {"classes": ["2000"]},
        {"classes": ["2000", "20\u202e01", "2002"]},
        {"labels": text["parameters"]["labels"] + " 0"},
        {"labels": text["parameters"]["labels"].replace("-", "0")},
        {"roles": "0" * N},
        {"roles": text["parameters"]["roles"].replace("1", "3")},
        {"roles": ["0"] * N},
    ]
    documents = [text | {"parameters": text["parameters"] | changed} for changed in hostile]
    texts = [json.dumps(each, sort_keys=True, separators=(",", ":")) for each in documents]
    told = calculate("text => (" + READ + ")([text, hex(sha256(utf8(text)))])", [good.to_json(), *texts])
    assert told == ["", *["the campaign's parameters are out of range"] * len(texts)]
    campaign = suggestions("1", 12)
    asked = {"text": campaign.to_json(), "person": 1, "friends": [0, 5]}
    wrong = [asked | {"board": board} for board in ("", "00" * 8, "00" * 10, "00" * 8 + "ff")]
    failed = calculate(
        "turn => { try { return (" + SUGGEST + ")(turn) && '' } catch (error) { return error.message } }", wrong
    )
    assert all("the published graph" in said for said in failed)


def test_friends_are_suggested_on_the_page_and_nothing_is_sent_for_it(start, sqlite, browser, tmp_path) -> None:
    """One person in the browser, five by the Python client; all know each other but ann and fay."""
    server = start(sqlite)
    operator = browser.open()
    log_in(operator, server)
    links = create(operator, tmp_path, "friend-suggestions|veil|edge", epsilon="9")
    path = f"/api/v1/campaigns/{links[0].partition('#')[0][-64:]}"
    campaign = Campaign.from_json(server.ask("GET", path).content)
    ann = browser.open(links[0], width=400, height=800)
    ann.wait("!document.querySelector('#list').hidden && !document.querySelector('#draw').disabled")
    told = ann.run("document.querySelector('#facts').textContent")
    assert "Of two friends only one says anything about the other" in told
    assert "both your lists" not in told
    answer(ann, "\n".join(NAMES[1:5]))
    ann.wait_for_text("Suggestions can be made when the campaign is over")
    for person in range(1, 6):
        token = links[person].partition("#")[2].partition(":")[2]
        client = Client(campaign, person, [j for j in range(6) if {j, person} != {0, 5} and j != person])
        server.ask("PUT", f"{path}/enrolment", token)
        assert server.ask("POST", f"{path}/reports", token, content=client.answer(1).encode()).status_code == 201
    wait_until(lambda: server.ask("GET", f"{path}/status").json()["state"] == "done")
    ann.wait("!document.querySelector('#list-suggest').hidden && !document.querySelector('#suggest').disabled")
    assert ann.run("document.querySelector('#draw').offsetParent") is None
    before = len([each for each in requests(browser) if each["method"] != "GET"])
    ann.click("#suggest")
    ann.wait_for_text("Nobody is told")
    shown = ann.run("Array.from(document.querySelectorAll('#suggested li'), (each) => each.textContent)")
    assert [each.partition(":")[0] for each in shown] == ["fay"]
    assert "friends in common (± 0.0)" in shown[0]
    assert len([each for each in requests(browser) if each["method"] != "GET"]) == before
    ann.click("[data-language=zh]")
    ann.wait_for_text("个共同好友")
    assert ann.run("document.documentElement.scrollWidth") <= 400
    ann.click("[data-language=en]")
    assert complaints(browser) == []
    ann.run("localStorage.clear()")


def test_class_rows_from_the_form_to_an_answer(start, sqlite, browser, tmp_path) -> None:
    """The roster is a table with labels; the page tells the classes and sends a noisy count for each."""
    server = start(sqlite)
    operator = browser.open()
    log_in(operator, server)
    operator.click("a.button")
    operator.wait("document.querySelector('#title')")
    operator.fill("#title", "Teams")
    for field in ("controller", "contact", "purpose", "retention"):
        operator.fill(f"#{field}", "x")
    operator.run("document.querySelector('#protocol').value = 'class-rows|veil|edge'")
    people = "person,team,phone\nann,red,1\nbob,blue,2\ncat,,3\ndan,red,4\neve,blue,5\nfay,red,6\n"
    (tmp_path / "people.csv").write_text(people, encoding="utf-8")
    operator.upload("#roster", tmp_path / "people.csv")
    operator.fill("#attribute", "town")
    operator.wait_for_text("unknown label column 'town'")
    operator.run("document.querySelector('#attribute').value = 'team'")
    operator.run("document.querySelector('#attribute').dispatchEvent(new Event('change', { bubbles: true }))")
    operator.wait_for_text("noise moves a count by")
    operator.click("#publish")
    operator.wait_for_text("Teams is open")
    links = operator.run("Array.from(document.querySelectorAll('code.link'), (code) => code.textContent)")
    cat = browser.open(links[2], width=400, height=800)
    cat.wait("!document.querySelector('#list').hidden && !document.querySelector('#draw').disabled")
    told = cat.run("document.querySelector('#facts').textContent")
    assert "in each of these classes: blue, red" in told
    assert "Of two friends only one says anything about the other" in told
    answer(cat, "ann\nbob")
    cat.wait_for_text("you have answered everything")
    path = f"/api/v1/campaigns/{links[0].partition('#')[0][-64:]}"
    progress = server.ask("GET", f"{path}/progress", server.operator).json()
    assert (progress["reports"], progress["refusals"]) == ([1], {})
    assert "phone" not in server.ask("GET", path).text
    assert complaints(browser) == []
    cat.run("localStorage.clear()")
