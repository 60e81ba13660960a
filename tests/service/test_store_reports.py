"""What is asked about many people at once is answered alike by both databases, close together or scattered."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest
from crowds import FAR
from sqlalchemy import Connection

from graphveil.service import campaigns, enrolment
from graphveil.service.auth import Token
from graphveil.service.service import Service, to_text
from graphveil.service.settings import Settings
from graphveil.service.store import campaigns as rows
from graphveil.service.store import people, reports

PEOPLE = 300
CLOSE, SCATTERED = range(100, 140), range(0, PEOPLE, 7)


@pytest.fixture
def stored(database: str) -> Iterator[tuple[Connection, int, campaigns.Created]]:
    service = Service.open(Settings(database=database))
    plan = campaigns.Plan(
        statistic="degree-distribution",
        protocol="grr",
        unit="node",
        epsilon="1",
        title="stored",
        people=[f"p{i}" for i in range(PEOPLE)],
        closes=[to_text(FAR)],
    )
    created = campaigns.create(service, plan, actor="test")
    tokens = [Token.parse(created.tokens[f"p{i}"]) for i in range(0, PEOPLE, 2)]
    enrolment.enrol(service, created.campaign.id, tokens)
    with service.database.write() as connection:
        yield connection, rows.find(connection, created.campaign.id).key, created
    service.database.close()


@pytest.mark.parametrize("asked", [CLOSE, SCATTERED], ids=["close", "scattered"])
def test_answers_are_found_whole(stored, asked) -> None:
    connection, key, _ = stored
    sent = {number: bytes([number % 256]) * (number % 5) for number in range(0, PEOPLE, 3)}
    reports.append(connection, key, 1, sent, now=1.0)
    reports.append(connection, key, 2, {3: b"later"}, now=1.0)
    there = {number: sent[number] for number in asked if number in sent}
    assert there.items() <= reports.stored(connection, key, 1, list(asked)).items() <= sent.items()
    assert set(there) <= reports.senders(connection, key, 1, list(asked)) <= set(sent)
    assert reports.stored(connection, key + 1, 1, list(asked)) == {}
    assert reports.all_of_round(connection, key, 1) == sent
    assert rows.find(connection, rows.in_state(connection)[0].id).arrived == len(sent) + 1


@pytest.mark.parametrize("asked", [CLOSE, SCATTERED], ids=["close", "scattered"])
def test_senders_are_known_by_their_tokens(stored, asked) -> None:
    connection, key, created = stored
    tokens = [Token.parse(created.tokens[f"p{i}"]) for i in asked]
    holders = [token.holder for token in tokens]
    for campaign, numbers in ((key, list(asked)), (key + 1, [-1] * len(asked))):
        found = people.find_senders(connection, campaign, holders)
        places, theirs = found.identify(holders, [token.hash for token in tokens])
        assert theirs.all()
        assert found.numbers[places].tolist() == numbers
        enrolled = [campaign == key and number % 2 == 0 for number in asked]
        assert found.enrolled[places].tolist() == enrolled
    _, theirs = found.identify(holders, [tokens[0].hash] * len(tokens))
    assert np.flatnonzero(theirs).tolist() == [0]
    _, theirs = found.identify([-1, 10**9], [bytes(32)] * 2)
    assert not theirs.any()
