"""What a person sends to one server: their share, in a campaign with noisy degrees behind the hash of the page.

Where hubs are asked about each other, randomised answers stand behind the share, as many bits for everybody. Both
servers get the same page and answers; what differs is left out.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from graphveil.arrays import Integers
from graphveil.local.attributes.shares import place_of_answer
from graphveil.mechanisms.noise.source import Noise
from graphveil.two_servers.guarantee import QUESTION
from graphveil.two_servers.parties.campaign import TwoServerCampaign
from graphveil.two_servers.parties.names import HELPER, LEADER
from graphveil.two_servers.parties.page import HASH_BYTES, Page
from graphveil.two_servers.sums import SumTerms, split_vector
from graphveil.two_servers.triangle_server import split_row
from graphveil.two_servers.triangle_terms import ANSWER_BYTES, MOST_HUBS, Answers, TriangleTerms
from graphveil.two_servers.triangles import answer_pairs


def extra_bytes(campaign: TwoServerCampaign) -> int:
    """How many bytes stand around a share."""
    return HASH_BYTES * campaign.asks_degrees + ANSWER_BYTES * campaign.asks_hubs


def split_answer(
    campaign: TwoServerCampaign,
    page: Page | None,
    person: int,
    friends: Integers,
    noise: Noise,
    answer: str | None = None,
) -> dict[str, bytes]:
    """What a person sends to each server, from their friends or their answer to a question."""
    terms = campaign.terms(page)
    if isinstance(terms, SumTerms):
        held = place_of_answer(campaign.values, answer) if campaign.statistic == QUESTION else len(friends)
        shares = split_vector(terms, person, campaign.summed(page).vectors(np.array([held]))[0])
    else:
        shares = split_row(terms, person, friends)
        if (beside := campaign.terms_beside(page)) is not None:  # under the same key, by a mask of its own label
            stars = campaign.stars_beside(page).vectors(np.array([len(friends)]))[0]
            shares = shares[0] + split_vector(beside, person, stars, shares[1])[0], shares[1]
    before, after = b"" if page is None else page.hash, b""
    if campaign.asks_hubs:
        assert isinstance(terms, TriangleTerms)
        after = write_answers(terms, answer_pairs(terms, person, friends, noise))
    return {role: before + share + after for role, share in zip((LEADER, HELPER), shares, strict=True)}


def share_of(campaign: TwoServerCampaign, payload: bytes) -> bytes:
    """The share in what a person sent."""
    end = len(payload) - ANSWER_BYTES * campaign.asks_hubs
    return payload[HASH_BYTES * campaign.asks_degrees : end]


def belongs_to(payload: bytes, page: Page | None) -> bool:
    """Whether a person answered this page."""
    return page is None or payload[:HASH_BYTES] == page.hash


def write_answers(terms: TriangleTerms, answers: Answers) -> bytes:
    """One hub's answers: a bit for each hub, in the order of the page."""
    bits = np.zeros(8 * ANSWER_BYTES, dtype=np.uint8)
    places = {hub: place for place, hub in enumerate(terms.hubs)}
    for (_, other), answer in answers.items():
        bits[places[other]] = answer
    return np.packbits(bits).tobytes()


def write_hub_rows(terms: TriangleTerms, payloads: Mapping[int, bytes]) -> bytes:
    """What hubs told a server, a row for each; empty for who told nothing."""
    rows = [payloads[hub][-ANSWER_BYTES:] if hub in payloads else bytes(ANSWER_BYTES) for hub in terms.hubs]
    return b"".join(rows).ljust(MOST_HUBS * ANSWER_BYTES, b"\0")


def agreed_answers(terms: TriangleTerms, people: list[int], mine: bytes, theirs: bytes) -> Answers:
    """The answers that a hub gave to both servers alike, about pairs of which both hubs take part."""
    counted, answers = set(people), dict[tuple[int, int], int]()
    for place, hub in enumerate(terms.hubs):
        here = slice(place * ANSWER_BYTES, (place + 1) * ANSWER_BYTES)
        if hub in counted and mine[here] == theirs[here]:
            bits = np.unpackbits(np.frombuffer(mine[here], dtype=np.uint8))
            answers |= {
                (hub, other): int(bits[later])
                for later, other in enumerate(terms.hubs)
                if other in counted and other != hub
            }
    return answers
