"""What a participant's page does and says: one answer from two tabs, lists as they are, nothing kept, two languages."""

from __future__ import annotations

import re

import pytest
from test_browser import NAMES, STATED, ann, create, draw_and_send, log_in, stored  # noqa: F401 - a fixture among them

from graphveil.local.campaign import Campaign
from graphveil.local.client import Client
from graphveil.service.pages.join import LANGUAGES, messages
from graphveil.service.pages.render import FOLDER

CHECKING = "!document.querySelector('#check').hidden && !document.querySelector('#confirm').disabled"
OFFERED = "!document.querySelector('#answer').hidden && !document.querySelector('#send').disabled"
LISTING = "!document.querySelector('#list').hidden && !document.querySelector('#draw').disabled"
NO_LOCKS = "Object.defineProperty(Navigator.prototype, 'locks', { get: () => undefined })"  # as under plain http


def place(link: str) -> str:
    return f"/api/v1/campaigns/{link.partition('#')[0][-64:]}"


@pytest.mark.parametrize("locks", [True, False], ids=["web-locks", "without-web-locks"])
def test_two_tabs_send_one_answer_and_the_next_round_goes_on(start, sqlite, browser, tmp_path, locks: bool) -> None:
    server = start(sqlite)
    operator = browser.open()
    log_in(operator, server)
    links = create(operator, tmp_path, "triangles|veil-two-rounds|edge", epsilon="2")
    path, tokens = place(links[0]), [link.rpartition(":")[2] for link in links]
    campaign = Campaign.from_json(server.ask("GET", path).content)
    tabs = [browser.open() for _ in range(2)]
    for tab in tabs:
        if not locks:
            tab.call("Page.addScriptToEvaluateOnNewDocument", source=NO_LOCKS)
        tab.go(links[0])
        tab.wait(LISTING)
        tab.fill("#friends", "bob\ndan")
    assert "publishes what it has made of everybody's perturbed answers" in tabs[0].text()
    for tab in tabs:
        tab.click("#draw")
    for tab in tabs:
        tab.wait(OFFERED)
    first, second = (tab.run("document.querySelector('#bytes').textContent") for tab in tabs)
    assert first == second
    for tab in tabs:
        tab.click("#send")
    for tab in tabs:
        tab.wait_for_text("Round 1: sent and counted")
    assert len(stored(tabs[0])["counted"]) == 1
    told = server.ask("GET", f"{path}/progress", server.operator).json()
    assert (told["reports"], told["refusals"]) == ([1], {})  # the second tab had nothing left to send
    tabs[1].call("Page.reload")
    tabs[1].wait_for_text("Round 1: sent and counted")
    tabs[1].wait_for_text("Round 2: begins when round 1 is closed; due by")
    others = [Client(campaign, i, [j for j in range(6) if j != i]) for i in range(1, 6)]
    for client in others:
        server.ask("PUT", f"{path}/enrolment", tokens[client.user])
        report = client.answer(1).encode()
        assert server.ask("POST", f"{path}/reports", tokens[client.user], content=report).status_code == 201
    tabs[0].wait(LISTING)
    draw_and_send(tabs[0])
    for tab in tabs:
        tab.wait_for_text("you have answered everything")
    assert server.ask("GET", f"{path}/progress", server.operator).json()["reports"][1] == 1
    assert all(stored(tabs[1])["counted"])
    tabs[0].run("localStorage.clear()")


def test_two_devices_of_one_person_send_one_answer(ann, browser) -> None:  # noqa: F811
    first, server, link = ann
    second = browser.open(link, on_another_device=True)
    for tab in (first, second):
        tab.wait(LISTING)
        tab.fill("#friends", "bob\ndan")
    for tab in (first, second):
        tab.run("setTimeout(() => document.querySelector('#draw').click())")
    for tab in (first, second):
        tab.wait("document.querySelector('#answer:not([hidden]), #elsewhere:not([hidden])') && !busy")
    refused = next(tab for tab in (first, second) if tab.run("document.querySelector('#answer').hidden"))
    chosen = first if refused is second else second
    assert "Another device of yours is answering this campaign. Nothing was sent from here." in refused.text()
    refused.click("#take-over")  # the other one is lost, or so we say
    refused.wait(LISTING)
    chosen.click("#send")
    chosen.wait_for_text("Another device of yours is answering")
    assert server.ask("GET", f"{place(link)}/progress", server.operator).json()["reports"] == [0]
    draw_and_send(refused)
    refused.wait_for_text("you have answered everything")
    chosen.click("#take-over")
    chosen.wait_for_text("joined this campaign elsewhere and may have answered")
    told = server.ask("GET", f"{place(link)}/progress", server.operator).json()
    assert (told["reports"], told["refusals"]) == ([1], {})


def test_a_tab_that_missed_what_the_other_wrote_draws_no_second_answer(ann, browser) -> None:  # noqa: F811
    """A tab may read storage as it was before another tab changed it, and turns may fail: still one answer leaves."""
    tab, server, link = ann
    late = browser.open(link)
    late.wait(LISTING)
    late.fill("#friends", "bob\ncat é")
    late.run("""(() => {
      const read = Diary.prototype.read;
      Diary.prototype.read = function () { return { ...read.call(this), enrols: false, answers: [], counted: [] }; };
      Diary.prototype.alone = (step) => step();
      visit.campaign.protocol.perturb = () => Uint8Array.of(77);
    })()""")
    tab.wait(LISTING)
    tab.fill("#friends", "bob")
    tab.click("#draw")
    tab.wait(OFFERED)
    late.wait(LISTING)
    late.click("#draw")
    late.wait(OFFERED)
    assert late.run("document.querySelector('#bytes').textContent") == stored(tab)["answers"][0] != "4d"
    tab.wait(f"!busy && {OFFERED}")  # it looks again at what the other tab wrote
    tab.click("#send")
    tab.wait_for_text("you have answered everything")
    late.wait(f"{LISTING} || {OFFERED}")
    late.run("(visit.offered = 1, visit.send())")
    told = server.ask("GET", f"{place(link)}/progress", server.operator).json()
    assert (told["reports"], told["refusals"]) == ([1], {})


def test_an_answer_that_was_not_confirmed_is_said_to_be_so_and_sent_again(ann) -> None:  # noqa: F811
    tab, server, link = ann
    tab.wait(LISTING)
    tab.fill("#friends", "bob")
    tab.click("#draw")
    tab.wait(OFFERED)
    tab.run(  # sent, and never heard of again
        "const asks = window.fetch;"
        "window.fetch = (url, how) => how.method === 'POST' ? new Promise(() => {}) : asks(url, how); 0"
    )
    tab.click("#send")
    tab.wait("Object.values(localStorage).some((text) => (JSON.parse(text).tried || []).length)")
    assert stored(tab)["counted"] == []
    tab.call("Page.reload")
    tab.wait_for_text("the collector has not confirmed it")
    assert "it has not been sent yet" not in tab.text()
    tab.wait(OFFERED)
    tab.click("#send")
    tab.wait_for_text("you have answered everything")
    assert server.ask("GET", f"{place(link)}/progress", server.operator).json()["reports"] == [1]


def test_who_has_no_friends_answers_after_one_question(ann) -> None:  # noqa: F811
    tab, server, link = ann
    tab.wait(LISTING)
    tab.click("#draw")
    tab.wait(CHECKING)
    assert "none of the other 5 people" in tab.text()
    assert server.ask("GET", f"{place(link)}/progress", server.operator).json()["enrolled"] == 0
    tab.click("#confirm")
    tab.wait(OFFERED)
    tab.click("#send")
    tab.wait_for_text("you have answered everything")
    assert server.ask("GET", f"{place(link)}/progress", server.operator).json()["reports"] == [1]


def test_names_that_are_not_on_the_roster_are_shown_before_anything_is_drawn(ann) -> None:  # noqa: F811
    tab, _, _ = ann
    tab.wait(LISTING)
    tab.fill("#friends", "Bob\nDAN  \nsomebody else")
    tab.click("#draw")
    tab.wait(CHECKING)
    assert "None of the 3 names that you gave is on the roster" in tab.text()
    assert tab.run("Array.from(document.querySelectorAll('#check-unknown li'), (each) => each.textContent)") == [
        "Bob",
        "DAN",
        "somebody else",
    ]
    assert tab.run("localStorage.length") == 0
    tab.click("#back")
    tab.wait(LISTING)
    tab.click("#unknown button")  # did you mean bob?
    assert tab.run("document.querySelector('#friends').value.split('\\n').sort().join()") == "DAN  ,bob,somebody else"
    tab.click("#draw")
    tab.wait(CHECKING)
    assert tab.run("document.querySelector('#check-matched').textContent") == "bob"


def test_friends_are_chosen_from_a_roster_of_thousands(ann) -> None:  # noqa: F811
    tab, _, _ = ann
    tab.wait(LISTING)
    tab.run("""(() => { for (let i = 0; i < 5000; i++) visit.list.roster.set(`person ${i}`, 6 + i); })()""")
    tab.run("document.querySelector('#picker').open = true")
    tab.wait("document.querySelectorAll('#names input').length === 100")
    assert "100 of 5,005 names" in tab.text()  # everybody but oneself
    tab.fill("#search", "PERSON 4711")
    tab.wait("document.querySelectorAll('#names input').length === 1")
    tab.click("#names input")
    assert tab.run("document.querySelector('#friends').value") == "person 4711"
    tab.fill("#search", "ann")
    tab.wait("document.querySelectorAll('#names input').length === 0")  # nobody is their own friend
    tab.fill("#search", "4711")
    tab.wait("document.querySelector('#names input')?.checked")
    tab.click("#names input")
    assert tab.run("document.querySelector('#friends').value") == ""


def test_the_list_is_not_stored_unless_asked_and_then_for_the_tab_only(ann) -> None:  # noqa: F811
    tab, _, _ = ann
    tab.wait(LISTING)
    everything = "JSON.stringify([localStorage, sessionStorage])"
    tab.run("localStorage.setItem('graphveil:old:ann', JSON.stringify({list: 'secret friend', answers: [], sent: 2}))")
    tab.call("Page.reload")
    tab.wait(LISTING)
    assert "secret friend" not in tab.run(everything)  # left there by version 0.1
    tab.fill("#friends", "bob\ndan")
    tab.click("#draw")
    tab.wait(OFFERED)
    assert "bob" not in tab.run(everything)
    tab.run("document.querySelector('#keep-list').click()")
    assert "bob" in tab.run("JSON.stringify(sessionStorage)")
    assert "bob" not in tab.run("JSON.stringify(localStorage)")
    tab.click("#send")
    tab.wait_for_text("you have answered everything")
    assert "bob" not in tab.run(everything)


def test_to_decline_sends_nothing_and_says_what_was_charged(ann, browser) -> None:  # noqa: F811
    tab, server, link = ann
    tab.wait(LISTING)
    tab.click("#decline-list")
    tab.wait_for_text("nothing was charged")
    told = server.ask("GET", f"{place(link)}/progress", server.operator).json()
    assert (told["enrolled"], told["reports"]) == (0, [0])
    tab.call("Page.reload")
    tab.wait_for_text("You do not take part")
    tab.wait("!document.querySelector('#reconsider').disabled")
    tab.click("#reconsider")
    tab.wait(LISTING)
    tab.fill("#friends", "bob")
    tab.click("#draw")
    tab.wait(OFFERED)
    assert "What was sent: that you take part. For that epsilon 1 was charged to your budget, 9 is left." in tab.text()
    tab.click("#decline-answer")
    tab.wait_for_text("epsilon 1 stays charged")
    assert server.ask("GET", f"{place(link)}/progress", server.operator).json()["reports"] == [0]


def test_people_are_told_who_asks_why_and_what_epsilon_means(ann) -> None:  # noqa: F811
    tab, _, _ = ann
    tab.wait(LISTING)
    told = tab.run("document.querySelector('#facts').textContent")
    for words in [
        *STATED.values(),
        "names of all 6 people who are asked, is shown to each of them",
        "whether one particular person is on your list",  # the unit is an edge
        "73.2 % sure at most",
        "88.1 % sure at most after the answers of both",
        "cannot be taken out again",
        "epsilon 1 is charged to your budget",
        "You send about 1 B and",
    ]:
        assert words in told, words
    assert "two lists that you might have" not in told
    assert tab.run("document.querySelector('#unsaid').hidden && document.querySelector('#weak').hidden")


def test_words_follow_from_the_unit_and_what_is_not_said_is_pointed_out(start, sqlite, browser) -> None:
    server = start(sqlite)
    asked = {"statistic": "degree-distribution", "protocol": "veil", "unit": "node", "epsilon": "6", "title": "x"}
    asked |= {"people": NAMES, "closes": ["2099-01-01T00:00:00Z"]}
    created = server.ask("POST", "/api/v1/campaigns", server.operator, json=asked).json()
    tab = browser.open(f"{server.url}/join/{created['id']}#ann:{created['tokens']['ann']}")
    tab.wait(LISTING)
    told = tab.text()
    assert "undecided between two lists that you might have" in told
    assert "99.8 % sure of one of them" in told
    assert "whether one particular person" not in told
    assert "The operator has not said who asks" in told
    assert "Epsilon 6 is a weak promise" in told
    tab.run("localStorage.clear()")


def test_people_are_asked_whom_they_follow_in_either_language(start, sqlite, browser) -> None:
    server = start(sqlite)
    asked = {"statistic": "out-degree-distribution", "protocol": "veil", "unit": "edge", "epsilon": "1", "title": "x"}
    asked |= {"people": NAMES, "closes": ["2099-01-01T00:00:00Z"]}
    created = server.ask("POST", "/api/v1/campaigns", server.operator, json=asked).json()
    tab = browser.open(f"{server.url}/join/{created['id']}#ann:{created['tokens']['ann']}")
    tab.wait(LISTING)
    told = tab.text()
    for words in ("The people you follow", "the share of people who follow 0, 1, 2", "is in your list alone"):
        assert words in told, words
    assert "friend" not in told.lower()
    tab.click("[data-language=zh]")
    assert "您关注的人" in tab.text()
    assert "好友" not in tab.text()
    tab.click("[data-language=en]")
    tab.click("#draw")
    tab.wait(CHECKING)
    assert "Do you follow none of the other 5 people on the roster?" in tab.text()
    tab.click("#confirm")
    tab.wait(OFFERED)
    tab.click("#send")
    tab.wait_for_text("you have answered everything")
    tab.run("localStorage.clear()")


def test_every_language_has_every_text_with_the_same_places() -> None:
    texts = messages()
    assert set(texts) == set(LANGUAGES) >= {"en", "zh"}
    for name in LANGUAGES:
        assert list(texts[name]) == list(texts["en"]), name
        for key, text in texts[name].items():
            assert text.strip(), key
            assert places(text) == places(texts["en"][key]), (name, key)
    assert all(re.search(r"[\u4e00-\u9fff]", text) for key, text in texts["zh"].items() if "size." not in key)


def test_the_page_asks_for_no_text_that_there_is_not_and_has_none_too_many() -> None:
    sources = [*(FOLDER / "browser").rglob("*.js"), FOLDER / "browser" / "join.html"]
    code = "\n".join(path.read_text(encoding="utf-8") for path in sources)
    texts = set(messages()["en"])
    assert set(re.findall(r'(?:\bt\(|\bsay\(|data-text=)"([\w-]+\.[\w.-]+)"', code)) <= texts
    built = re.compile(r"(state|problem|statistic|same|followed)\.|two\.(leader|helper|dealer)$")  # keys put together
    assert not [key for key in texts if f'"{key}"' not in code and not built.match(key)]
    assert not [key for key in texts if key.startswith("followed.") and key.removeprefix("followed.") not in texts]


def places(text: str) -> set[str]:
    return set(re.findall(r"\{(\w+)\}", text))


def test_the_page_speaks_the_language_of_the_browser_and_can_be_told_another(ann) -> None:  # noqa: F811
    tab, _, link = ann
    tab.wait(LISTING)
    assert tab.run("document.documentElement.lang") == "en"
    tab.call("Emulation.setUserAgentOverride", userAgent="test", acceptLanguage="zh-CN,zh,en")
    tab.call("Page.reload")
    tab.wait("document.documentElement.lang === 'zh-Hans'")
    tab.wait(LISTING)
    tab.wait_for_text("您的好友")
    written = "|".join(map(re.escape, STATED.values()))  # by the operator, in whatever language
    own = re.compile(rf"{written}|English|graphveil|Friends in May|ann|veil|kB|MB")
    assert not re.findall(r"[A-Za-z]{3,}", own.sub("", tab.text()))
    tab.fill("#friends", "bob")
    tab.click("#draw")
    tab.wait(OFFERED)
    assert not re.findall(r"[A-Za-z]{3,}", own.sub("", tab.text()))
    tab.click("[data-language=en]")
    tab.wait_for_text("What will leave this page")
    tab.wait_for_text("it has not been sent yet")
    tab.go(link)
    tab.wait(OFFERED)
    assert tab.run("document.documentElement.lang") == "en"  # remembered


def test_the_page_can_be_read_and_printed(ann) -> None:  # noqa: F811
    """Texts have the contrast that WCAG 2.2 asks for at level AA, 4.5 to 1; on paper there are no buttons."""
    tab, _, _ = ann
    tab.wait(LISTING)
    tab.fill("#friends", "Bob")
    tab.run("document.querySelector('#weak').hidden = false")
    ratios = tab.run(CONTRASTS)
    assert len(ratios) > 20
    assert [text for ratio, text in ratios if ratio < 4.5] == []
    tab.call("Emulation.setEmulatedMedia", media="print")
    assert tab.run("Array.from(document.querySelectorAll('button'), (each) => each.offsetHeight).every((h) => !h)")
    assert "Institute of Networks" in tab.text()
    tab.call("Emulation.setEmulatedMedia", media="")


CONTRASTS = """(() => {
  const light = (color) => color.map((c) => c / 255)
    .map((c) => (c <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4))
    .reduce((sum, c, i) => sum + c * [0.2126, 0.7152, 0.0722][i], 0);
  const numbers = (text) => text.match(/[\\d.]+/g).map(Number);
  const behind = (each) => {
    for (let place = each; place; place = place.parentElement) {
      const [r, g, b, a = 1] = numbers(getComputedStyle(place).backgroundColor);
      if (a === 1) return [r, g, b];
    }
    return [255, 255, 255];
  };
  return Array.from(document.querySelectorAll('body *')).filter((each) => each.offsetHeight &&
    Array.from(each.childNodes).some((node) => node.nodeType === 3 && node.textContent.trim())).map((each) => {
    const [a, b] = [numbers(getComputedStyle(each).color).slice(0, 3), behind(each)].map(light);
    return [(Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05), each.textContent];
  });
})()"""


@pytest.mark.parametrize("width", [390, 1200])
def test_the_page_fits_a_phone_and_has_names_for_everything(ann, width: int) -> None:  # noqa: F811
    tab, _, _ = ann
    tab.resize(width, 800)
    for language in LANGUAGES:
        tab.click(f"[data-language={language}]")
        tab.wait(LISTING)
        tab.run("document.querySelector('#picker').open = true")
        tab.fill("#friends", "Bob\n" + "a very long name " * 30)
        assert tab.run("document.documentElement.scrollWidth") <= width
        unnamed = """Array.from(document.querySelectorAll('input, textarea, button')).filter((each) =>
          !(each.labels?.length || each.textContent.trim())).map((each) => each.outerHTML)"""
        assert tab.run(unnamed) == ['<button id="confirm" type="button"></button>']  # named when it is shown
