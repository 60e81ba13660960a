from __future__ import annotations

import pytest
from deployments import NETWORK, make_campaign

from graphveil.errors import ParameterError
from graphveil.local.client import Client, Memory
from graphveil.local.lists import Lists
from graphveil.registry import find_protocol

VEIL = make_campaign(find_protocol("degree-distribution", "veil", "node"))
TWO_ROUNDS = make_campaign(find_protocol("degree-distribution", "edge-proj", "node"))
CHOICE = make_campaign(find_protocol("degree-distribution", "preference", "edge"), strengths=["node:1/2", "edge:1"])
BOUND = (4).to_bytes(4, "big")


def client(campaign=VEIL, **options) -> Client:
    return Client(campaign, user=5, friends=NETWORK.neighbors(5), **options)


def test_a_question_is_answered_once_however_often_it_is_asked() -> None:
    one = client(TWO_ROUNDS)
    first = one.answer(1)
    second = one.answer(2, [BOUND])
    for _ in range(20):
        assert one.answer(1).encode() == first.encode()
        assert one.answer(2, [(8).to_bytes(4, "big")]).encode() == second.encode()
    others = {client(VEIL).answer(1).payload for _ in range(20)}
    assert len(others) > 1  # a new client of the same person would draw anew: memory is what protects


def test_memory_survives_a_restart() -> None:
    before = client(TWO_ROUNDS)
    answers = [before.answer(1)]
    stored = before.memory.to_json()
    after = client(TWO_ROUNDS, memory=Memory.from_json(stored))
    assert after.answer(1) == answers[0]
    assert after.answer(2, [BOUND]).round == 2
    again = client(TWO_ROUNDS, memory=Memory.from_json(after.memory.to_json()))
    assert again.answer(2, [BOUND]) == after.answer(2, [BOUND])


def test_rounds_come_in_order_and_need_what_was_published() -> None:
    for ask in (lambda c: c.answer(2, [BOUND]), lambda c: c.answer(0), lambda c: c.answer(1, [BOUND])):
        with pytest.raises(ParameterError):
            ask(client(TWO_ROUNDS))
    one = client(TWO_ROUNDS)
    one.answer(1)
    for publications in ([], [b"\x00\x00\x00\x05"], [b""], [BOUND, BOUND]):
        with pytest.raises(ParameterError):
            one.answer(2, publications)
    one.answer(2, [BOUND])
    with pytest.raises(ParameterError, match="2 of 2"):
        one.answer(3, [BOUND, BOUND])


def test_a_publication_that_changes_afterwards_is_noticed() -> None:
    memory = Memory(client(TWO_ROUNDS).memory.answers, ("0" * 64,))
    with pytest.raises(ParameterError, match="has changed"):
        Client(TWO_ROUNDS, 5, [], memory=memory)._check(2, [BOUND])


def test_a_memory_of_somebody_else_is_refused() -> None:
    mine = client(VEIL)
    mine.answer(1)
    with pytest.raises(ParameterError, match="another person"):
        Client(VEIL, user=6, friends=[], memory=mine.memory)
    with pytest.raises(ParameterError, match="another campaign"):
        Client(TWO_ROUNDS, user=5, friends=[], memory=mine.memory)


def test_a_list_is_cleaned_and_wrong_ones_are_refused_without_naming_anybody() -> None:
    assert Lists.of_person(9, 4, [8, 4, 2, 2]).indices.tolist() == [2, 8]
    for friends in ([80], [-1]):
        with pytest.raises(ParameterError, match=r"outside 0\.\.79") as refusal:
            Client(VEIL, user=5, friends=friends)
        assert "-1" not in str(refusal.value)
    with pytest.raises(ParameterError, match="no person 80"):
        Client(VEIL, user=80, friends=[])


def test_a_person_sees_the_promise_of_the_strength_they_pick() -> None:
    gentle, strong = client(CHOICE, choice=1), client(CHOICE, choice=0)
    assert (str(gentle.guarantee.unit), float(gentle.guarantee.epsilon)) == ("edge", 1.0)
    assert (str(strong.guarantee.unit), float(strong.guarantee.epsilon)) == ("node", 0.5)
    assert gentle.answer(1).payload[0] == 1
    with pytest.raises(ParameterError, match=r"strengths 0\.\.1"):
        client(CHOICE, choice=2)
