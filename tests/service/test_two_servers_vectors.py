"""The browser's pieces of an answer for two servers against the Python client's: same key in, same bytes out."""

from __future__ import annotations

import hashlib
import json
import secrets

import numpy as np
import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey
from test_browser_vectors import Recorded

from graphveil.errors import ParameterError
from graphveil.service.client.invitation import new_pair, token_of_pair
from graphveil.service.parties.keys import accepted_label, message_label
from graphveil.service.parties.seal import share_seal, unseal
from graphveil.service.parties.wire import PEER
from graphveil.two_servers.parties.campaign import TwoServerCampaign
from graphveil.two_servers.parties.names import HELPER, LEADER, ROLES, PartyName
from graphveil.two_servers.parties.page import Page
from graphveil.two_servers.parties.payload import split_answer
from graphveil.two_servers.streams import label_bytes

SIGNING = {role: Ed25519PrivateKey.generate() for role in ROLES}
OPENING = {role: X25519PrivateKey.generate() for role in ROLES}
VALUES = ("no", "yes", "perhaps")
SUMS = [
    ("edges", {}),
    ("degree-distribution", {}),
    ("degree-histogram", {"unit": "3-edge"}),
    ("attribute-shares", {"unit": "node", "values": VALUES}),
    ("k-stars", {"k": 3, "max_degree": 6}),
    ("triangles", {"max_degree": 6}),
    ("transitivity", {"max_degree": 6, "epsilon": "1/3"}),
]
PAGES = [
    ("k-stars", {"k": 2}, ()),
    ("triangles", {"hubs": 0}, ()),
    ("triangles", {"hubs": None, "epsilon": "2"}, (0, 3, 11)),
    ("triangles", {"hubs": 5, "epsilon": "1/7", "unit": "2-edge"}, (2, 3)),
    ("transitivity", {"hubs": None, "epsilon": "4"}, (0, 3, 4, 39)),
]


def hexadecimal(key) -> str:
    return key.public_key().public_bytes_raw().hex()


def parties(roles) -> tuple[PartyName, ...]:
    return tuple(
        PartyName(
            role, f"Büro {role}", f"https://{role}.example", hexadecimal(SIGNING[role]), hexadecimal(OPENING[role])
        )
        for role in roles
    )


def make(statistic: str, n: int = 41, **options) -> TwoServerCampaign:
    counted = statistic in ("triangles", "transitivity")
    asks = statistic in ("triangles", "transitivity", "k-stars") and "max_degree" not in options
    if asks:
        options["degrees_close"] = "2098-01-01T00:00:00Z"
    given = {"title": "Mai ä", "unit": "edge", "epsilon": "1", "closes": "2099-01-01T00:00:00Z", **options}
    named = parties(ROLES if counted else ROLES[:2])
    return TwoServerCampaign(statistic=statistic, people=n, minimum_reports=2, roster="ab" * 32, parties=named, **given)


def signed(campaign: TwoServerCampaign, page: Page, **changes) -> dict:
    """What a server answers to the question for the page."""
    digest = hashlib.sha256(page.hash).digest()
    signatures = {
        role: SIGNING[role].sign(label_bytes(message_label(campaign.id, role, PEER[role], "page", 0, digest))).hex()
        for role in (LEADER, HELPER)
    }
    return {"page": page.to_json(), "signatures": signatures} | changes


class Coins(Recorded):
    """Uniform numbers below a power of two, each the low bits of a word that is remembered."""

    def below(self, bound: int) -> int:
        return int(self.words(1)[0]) % bound


SPLIT = """async ({text, told, person, friends, key, words}) => {
  let place = 0;
  const noise = (count) => BigUint64Array.from(words.slice(place, place += count), BigInt);
  const campaign = readCampaign(utf8(text), hex(sha256(utf8(text))));
  const page = told && await readPage(campaign, told);
  const pieces = await splitAnswer(campaign, page, person, friends, noise, fromHex(key));
  if (place !== words.length) throw new Error(`read ${place} words of ${words.length}`);
  return [hex(pieces.leader), hex(pieces.helper)];
}"""


def check(calculate, monkeypatch, campaign: TwoServerCampaign, page: Page | None) -> None:
    n, rng, cases, wanted = campaign.people, np.random.default_rng(1), [], []
    for person in [0, 1, 2, 3, 4, 11, n - 2, n - 1]:
        held = [0, 1, n - 1, 9, 5, n // 2, 7, 3][person % 8]
        friends = sorted(rng.permutation([j for j in range(n) if j != person])[:held].tolist())
        answer = VALUES[person % 3] if campaign.values else None
        key, coins = rng.bytes(32), Coins(person)
        monkeypatch.setattr(secrets, "token_bytes", lambda size, key=key: key[:size])
        pieces = split_answer(campaign, page, person, np.array(friends, dtype=np.int64), coins, answer)
        wanted.append([pieces[LEADER].hex(), pieces[HELPER].hex()])
        given = {
            "text": campaign.to_json(),
            "told": page and signed(campaign, page),
            "person": person,
            "key": key.hex(),
        }
        given |= {"friends": list(range(person % 3)) if campaign.values else friends}
        cases.append(given | {"words": [str(word) for word in coins.given]})
    monkeypatch.undo()
    assert calculate(SPLIT, cases) == wanted


@pytest.mark.parametrize(("statistic", "options"), SUMS)
def test_pieces_are_the_same(calculate, monkeypatch, statistic, options) -> None:
    for n in (41, 400):
        check(calculate, monkeypatch, make(statistic, n, **options), None)


@pytest.mark.parametrize(("statistic", "options", "hubs"), PAGES)
def test_pieces_that_belong_to_a_page_of_noisy_degrees_are_the_same(
    calculate,
    monkeypatch,
    statistic,
    options,
    hubs,
) -> None:
    campaign = make(statistic, **options)
    check(calculate, monkeypatch, campaign, Page(campaign.id, "cd" * 32, 4, hubs, 17))


def test_probabilities_of_answers_about_hubs_are_the_same(calculate) -> None:
    """The smallest number for which an answer is turned around, and the largest for which it is not."""
    function = """async ([text, word]) => {
      const campaign = readCampaign(utf8(text), hex(sha256(utf8(text))));
      return hex(hubAnswers(campaign, [0, 1], 0, [], () => BigUint64Array.of(BigInt(word))).slice(0, 1));
    }"""
    campaigns = [make("triangles", hubs=2, epsilon=e) for e in ("1/10", "1/2", "1", "7/3", "5", "9", "123/1000")]
    flips = [campaign.triangle_terms(Page(campaign.id, "", 3, (0, 1), 5)).flip for campaign in campaigns]
    asked = [[c.to_json(), str(word)] for c, flip in zip(campaigns, flips, strict=True) for word in (flip - 1, flip)]
    assert calculate(function, asked) == ["40", "00"] * len(campaigns)


def test_what_the_browser_seals_is_opened_by_its_receiver_only(calculate) -> None:
    label, content = share_seal("c" * 64, HELPER, 17), bytes(range(200))
    asked = {"key": hexadecimal(OPENING[HELPER]), "label": list(label), "content": content.hex()}
    function = "async ({key, label, content}) => hex(await seal(key, label, fromHex(content)))"
    first, again = (bytes.fromhex(each) for each in calculate(function, [asked, asked]))
    assert first != again
    assert [unseal(OPENING[HELPER], label, each) for each in (first, again)] == [content, content]
    for key, place, sealed in (
        (OPENING[LEADER], label, first),
        (OPENING[HELPER], share_seal("c" * 64, HELPER, 18), first),
        (OPENING[HELPER], label, first[:-1] + bytes([first[-1] ^ 1])),
    ):
        with pytest.raises(ParameterError, match="not sealed"):
            unseal(key, place, sealed)


def test_tokens_and_signatures_are_those_of_the_python_client(calculate) -> None:
    pairs = [new_pair(number) for number in (0, 17, 123_456)]
    asked = [[pair, role, int(pair.split(".")[1])] for pair in pairs for role in (LEADER, HELPER)]
    tokens = calculate("([pair, role, number]) => tokenFor(pair, role, number)", asked)
    assert tokens == [token_of_pair(*each) for each in asked]
    label = accepted_label("é" * 64, LEADER)
    good = SIGNING[LEADER].sign(label_bytes(label)).hex()
    others = [
        f"{int(good[:2], 16) ^ 1:02x}{good[2:]}",
        good.upper() + "x",
        "",
        SIGNING[HELPER].sign(label_bytes(label)).hex(),
    ]
    key = hexadecimal(SIGNING[LEADER])
    checked = calculate("(given) => isSigned(...given)", [[key, label, each] for each in (good, *others)])
    assert checked == [True, False, False, False, False]


REFUSED = """async ([text, told]) => {
  try {
    const campaign = readCampaign(utf8(text), hex(sha256(utf8(text))));
    if (told) await readPage(campaign, told);
    return "";
  } catch (error) { return error.message }
}"""


def test_what_no_honest_campaign_says_is_refused(calculate) -> None:
    """One operator, host or key for two roles, and texts that could pass for lines of the page."""
    campaign = make("edges")
    text, (leader, helper) = campaign.to_json(), campaign.parties

    def forged(**changes) -> str:
        return json.dumps(json.loads(text) | changes, sort_keys=True, separators=(",", ":"))

    told = calculate(
        REFUSED,
        [
            [text, None],
            [text.replace("B\\u00fcro helper", "b\\u00dcro   LEADER"), None],
            [text.replace("https://helper.example", "https://leader.example:8443"), None],
            [text.replace("https://helper.example", "https://leader.example."), None],
            [text.replace(helper.ed25519, leader.ed25519), None],
            [text.replace(helper.x25519, leader.x25519), None],
            [text.replace("https://helper", "http://helper"), None],
            [text.replace('"role":"helper"', '"role":"leader"'), None],
            [forged(title="a\nb"), None],
            [forged(statements={"purpose": "a\u202eb"}), None],
            [forged(statistic="clustering"), None],
            [forged(people="41"), None],
            [forged(epsilon="0"), None],
            [forged(more=1), None],
        ],
    )
    wanted = [
        "",
        "same operator",
        "same address",
        "same address",
        "same key",
        "same sealing key",
        "over https",
        "command-line client",
    ]
    wanted += ["readable line", "readable line", "command-line client", "out of range", "out of range"]
    wanted += ["command-line client"]
    assert [w in said if w else not said for said, w in zip(told, wanted, strict=True)] == [True] * len(wanted), told


def test_a_page_that_not_both_servers_signed_is_refused(calculate) -> None:
    campaign = make("triangles", hubs=2)
    page = Page(campaign.id, "cd" * 32, 4, (0, 3), 17)
    fine, digest = signed(campaign, page), hashlib.sha256(page.hash).digest()
    larger = Page(campaign.id, "cd" * 32, 5, (0, 3), 17)
    both = dict.fromkeys((LEADER, HELPER), fine["signatures"][LEADER])
    other_way = SIGNING[HELPER].sign(label_bytes(message_label(campaign.id, HELPER, HELPER, "page", 0, digest))).hex()
    hostile = [
        fine | {"page": larger.to_json()},
        fine | {"signatures": both},
        fine | {"signatures": fine["signatures"] | {HELPER: other_way}},
        fine | {"page": fine["page"] + " "},
        *(
            signed(campaign, Page(campaign.id, "", 4, hubs, 17))
            for hubs in ((3, 0), (0, 0), (0, 41), (-1, 0), (0, 1, 2))
        ),
        *(signed(campaign, Page(campaign.id, "", limit, (), without)) for limit, without in ((0, 4), (5, 4), (4, 41))),
        signed(campaign, Page("0" * 64, "", 4, (), 17)),
    ]
    told = calculate(REFUSED, [[campaign.to_json(), each] for each in (fine, *hostile)])
    assert told[0] == ""
    assert all("Not both servers signed" in said for said in told[1:]), told
