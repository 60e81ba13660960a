"""What `collect join` prints before anything leaves: words that follow from the unit, and the sizes."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from graphveil.cli.collect.join import explain_campaign, say_friends
from graphveil.local.campaign import Campaign


def explained(capsys, statistic: str, protocol: str, unit: str, choice: int = 0, n: int = 4_000, **options) -> str:
    campaign = Campaign.create(statistic, protocol, unit=unit, epsilon=1, n_people=n, title="May", **options)
    explain_campaign(SimpleNamespace(campaign=campaign, guarantee=campaign.protocol.guarantees[choice]))
    return capsys.readouterr().out


def test_one_entry_is_promised_under_the_unit_edge_and_no_more(capsys) -> None:
    text = explained(capsys, "triangles", "veil", "edge")
    assert "any list against any other" not in text
    assert "whether one particular person is on your list: an attacker who knows all the rest" in text
    assert "between 26.8 % and 73.2 %" in text
    assert "several people at once: epsilon 1 for each of them, which add up" in text
    assert "a friendship, from the answers of both ends: epsilon 2, between 11.9 % and 88.1 %" in text


def test_a_whole_list_is_promised_under_the_unit_node(capsys) -> None:
    text = explained(capsys, "degree-distribution", "veil", "node")
    assert "any list against any other: an attacker who knows all the rest" in text
    assert "one particular person" not in text


def test_of_two_strengths_each_has_the_words_of_its_own_unit(capsys) -> None:
    offered = {"strengths": ["node:1/2", "edge:1"]}
    assert "any list against" in explained(capsys, "degree-distribution", "preference", "edge", 0, **offered)
    assert "any list against" not in explained(capsys, "degree-distribution", "preference", "edge", 1, **offered)


def test_the_download_and_the_assumptions_are_shown(capsys) -> None:
    text = explained(capsys, "triangles", "veil", "edge", n=20_000)
    assert "fetched:  about 8.4 MB that others' answers make, and the roster of 20,000 names" in text
    assert "assumes:  the roster and its numbering are public" in text


@pytest.mark.parametrize(
    ("matched", "unmatched", "said"),
    [
        (0, 0, "0 of the 0 names on your list are on the roster: you answer that you have no friends there"),
        (0, 3, "0 of the 3 names on your list are on the roster: you answer that you have no friends there"),
        (2, 3, "2 of the 5 names on your list are on the roster; the others are left out"),
        (2, 0, "2 of the 2 names on your list are on the roster"),
    ],
)
def test_a_list_that_does_not_match_the_roster_is_said_so(capsys, matched, unmatched, said) -> None:
    say_friends(SimpleNamespace(matched=matched, unmatched=unmatched))
    assert capsys.readouterr().err.strip().endswith(said)
