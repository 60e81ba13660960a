"""What `collect join` prints before anything leaves: words that follow from the unit, and the sizes."""

from __future__ import annotations

import json
from types import SimpleNamespace

import pytest

from graphveil.cli.collect.consent import confirm_friends, explain_campaign, say_friends
from graphveil.errors import ParameterError
from graphveil.local.campaign import Campaign
from graphveil.service.client.participant import suggest_names


def explained(capsys, statistic: str, protocol: str, unit: str, choice: int = 0, n: int = 4_000, **options) -> str:
    campaign = Campaign.create(statistic, protocol, unit=unit, epsilon=1, n_people=n, title="May", **options)
    explain_campaign(SimpleNamespace(campaign=campaign, guarantee=campaign.protocol.guarantees[choice]))
    return capsys.readouterr().out


def test_a_link_without_a_token_is_told_what_to_do(run, tmp_path) -> None:
    (tmp_path / "friends.txt").write_text("bob\n", encoding="utf-8")
    done = run(
        "collect", "join", f"http://localhost:1/join/{'ab' * 32}#ann:", "--friends", "friends.txt", "--budget", "2"
    )
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert "this link has no token, because you were asked here before" in done.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["friends.txt"]


def test_protocols_are_listed_with_those_for_browsers_first(run) -> None:
    document = json.loads(run("collect", "protocols", "--json").stdout)
    browser = [each["browser"] for each in document["protocols"]]
    assert browser == sorted(browser, reverse=True)
    assert {"statistic": "triangles", "protocol": "veil", "unit": "edge", "rounds": 3, "browser": True} in document[
        "protocols"
    ]
    shown = run("collect", "protocols", "--browser").stdout
    assert "veil-low-download" in shown
    assert "lf-gdpr" not in shown


def test_a_campaign_that_asks_a_question_names_the_answers(capsys, run) -> None:
    text = explained(capsys, "attribute-shares", "veil", "node", values="no,yes,maybe")
    assert "question: the title asks it; the answers are no, yes, maybe" in text
    assert "1-differential privacy for one person's answer to the question" in text
    assert "any answer against any other: an attacker who knows everything else" in text
    assert "list" not in text.partition("learned:")[2]
    link = f"http://localhost:1/join/{'ab' * 32}#ann:gvp"
    for words in ((), ("--friends", "friends.txt", "--answer", "yes")):
        done = run("collect", "join", link, *words)
        assert (done.returncode, done.stderr.count("\n")) == (2, 1)
        assert "--answer VALUE where a campaign asks a question" in done.stderr


def test_one_entry_is_promised_under_the_unit_edge_and_no_more(capsys) -> None:
    text = explained(capsys, "triangles", "veil", "edge")
    assert "any list against any other" not in text
    assert "whether one particular person is on your list: an attacker who knows everything else" in text
    assert "between 26.8 % and 73.2 %" in text
    assert "several people at once: epsilon 1 for each of them, which add up" in text
    assert "a friendship, from the answers of both ends: epsilon 2, between 11.9 % and 88.1 %" in text


def test_a_whole_list_is_promised_under_the_unit_node(capsys) -> None:
    text = explained(capsys, "degree-distribution", "veil", "node")
    assert "any list against any other: an attacker who knows everything else" in text
    assert "one particular person" not in text


def test_of_two_strengths_each_has_the_words_of_its_own_unit(capsys) -> None:
    offered = {"strengths": ["node:1/2", "edge:1"]}
    assert "any list against" in explained(capsys, "degree-distribution", "preference", "edge", 0, **offered)
    assert "any list against" not in explained(capsys, "degree-distribution", "preference", "edge", 1, **offered)


def test_the_download_and_the_assumptions_are_shown(capsys) -> None:
    text = explained(capsys, "triangles", "veil", "edge", n=20_000)
    assert "fetched:  about 8.4 MB that others' answers make, and the roster of 20,000 names" in text
    assert "assumes:  the roster and its numbering are public" in text


def listed(matched: int, *unknown: str, **suggestions: str) -> SimpleNamespace:
    campaign = SimpleNamespace(guarantee=SimpleNamespace(directed=False))
    return SimpleNamespace(
        campaign=campaign, matched=matched, unknown=list(unknown), suggestions=suggestions, answered=0
    )


@pytest.mark.parametrize(
    ("matched", "unknown", "said"),
    [
        (0, [], "0 of the 0 names on your list are on the roster: you answer that you have no friends there"),
        (0, ["x"], "0 of the 1 names on your list are on the roster: you answer that you have no friends there"),
        (2, ["x", "y"], "2 of the 4 names on your list are on the roster; the others are left out"),
        (2, [], "2 of the 2 names on your list are on the roster"),
    ],
)
def test_a_list_that_does_not_match_the_roster_is_said_so(capsys, matched: int, unknown: list[str], said: str) -> None:
    say_friends(listed(matched, *unknown))
    first, *others = capsys.readouterr().err.strip().splitlines()
    assert first.endswith(said)
    assert [line.rpartition(": ")[2] for line in others] == unknown


def test_names_that_differ_only_in_writing_are_suggested(capsys) -> None:
    assert suggest_names(["BOB", "C at", "eve"], ["bob", "c  at", "ann"]) == {"BOB": "bob", "C at": "c  at"}
    assert suggest_names(["Bob"], ["bob", "BOB"]) == {}  # it may be either
    say_friends(listed(0, "Bob", Bob="bob"))
    assert "not on the roster: Bob (did you mean bob?)" in capsys.readouterr().err


def test_no_friends_is_asked_about_once_and_misspelt_names_are_never_sent_as_none(monkeypatch) -> None:
    asked: list[str] = []
    monkeypatch.setattr("typer.confirm", lambda question: asked.append(question) or True)
    confirm_friends(listed(1, "x"), ask=True)
    assert asked == []
    confirm_friends(listed(0), ask=True)
    confirm_friends(listed(0, "x"), ask=True)
    assert asked == ["Is it right that none of your friends is on the roster?"] * 2
    confirm_friends(listed(0), ask=False)  # an empty file says so on purpose
    with pytest.raises(ParameterError, match="none of the 1 names on your list is on the roster"):
        confirm_friends(listed(0, "x"), ask=False)


def test_what_the_operator_states_is_shown_and_what_is_missing_too(capsys) -> None:
    told = explained(capsys, "degree-distribution", "veil", "node", terms={"purpose": "A seating plan"})
    assert "purpose:  A seating plan" in told
    assert "asked by: not stated by the operator" in told
    assert "roster:   shown to everybody who is on it" in told
    assert "withdraw: any time before an answer is sent" in told
