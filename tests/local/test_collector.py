from __future__ import annotations

from collections import Counter
from dataclasses import replace

import numpy as np
import pytest
from deployments import NETWORK, make_campaign
from hypothesis import given, settings
from hypothesis import strategies as st

from graphveil.errors import ParameterError, ReportRefused
from graphveil.local.client import Client
from graphveil.local.collector import Collector, CollectorState
from graphveil.local.messages import Reason, Report
from graphveil.local.protocol import RoundContext
from graphveil.registry import find_protocol

CAMPAIGN = make_campaign(find_protocol("degree-distribution", "edge-proj", "node"), minimum_reports=3)
OTHER = make_campaign(find_protocol("degree-distribution", "edge-proj", "node"), minimum_reports=4)
COLLECTOR = Collector(CAMPAIGN)


def answers(users, number=1, publications=()) -> list[Report]:
    made = []
    for user in users:
        client = Client(CAMPAIGN, user, NETWORK.neighbors(user))
        first = client.answer(1)
        made.append(first if number == 1 else client.answer(2, publications))
    return made


def after_round_one(users=(0, 1, 2, 3)) -> tuple[CollectorState, list[Report]]:
    sent = answers(users)
    state, _ = COLLECTOR.take(CollectorState(), sent)
    return COLLECTOR.close_round(state), sent


def test_every_refusal_has_its_own_reason_and_is_counted() -> None:
    state, first = after_round_one()
    second = answers([0], 2, state.publications)[0]
    state, _ = COLLECTOR.take(state, [second])
    stranger = Client(OTHER, 1, []).answer(1)
    late = answers([9])[0]
    cases = {
        Reason.WRONG_CAMPAIGN: stranger,
        Reason.UNKNOWN_USER: replace(second, user=80),
        Reason.WRONG_ROUND: replace(second, user=1, round=3),
        Reason.DUPLICATE: first[0],
        Reason.CONFLICT: replace(second, payload=bytes([second.payload[0] ^ 1])),
        Reason.LATE: late,
        Reason.MISSED_ROUND: replace(second, user=9),
        Reason.MALFORMED: replace(second, user=1, payload=b"too long"),
    }
    for reason, report in cases.items():
        assert COLLECTOR.judge(state, [report]) == ({}, [reason])
    newer = bytearray(second.encode())
    newer[2] = 7
    state, verdicts = COLLECTOR.take(state, [*cases.values(), b"rubbish", bytes(newer)])
    assert verdicts == (*cases, Reason.MALFORMED, Reason.UNKNOWN_VERSION)
    assert state.refusals == {**dict.fromkeys(cases, 1), Reason.MALFORMED: 2, Reason.UNKNOWN_VERSION: 1}
    assert set(cases) | {Reason.UNKNOWN_VERSION} == set(Reason)


def test_rounds_close_only_with_enough_reports_and_only_once() -> None:
    state, _ = COLLECTOR.take(CollectorState(), answers([0, 1]))
    with pytest.raises(ParameterError, match="2 reports; it closes with at least 3"):
        COLLECTOR.close_round(state)
    with pytest.raises(ParameterError, match="still open"):
        COLLECTOR.outcome(state)
    state, _ = after_round_one()
    state, _ = COLLECTOR.take(state, answers([0, 1, 2], 2, state.publications))
    state = COLLECTOR.close_round(state)
    with pytest.raises(ParameterError, match="2 rounds are closed"):
        COLLECTOR.close_round(state)
    outcome = COLLECTOR.outcome(state)
    assert outcome.reports == (4, 3)  # one person dropped out between the rounds
    assert outcome.to_json()["participation"] == {"people": 80, "reports": [4, 3]}


def test_after_the_end_every_report_is_late_or_a_repetition() -> None:
    state, first = after_round_one()
    second = answers([0, 1, 2], 2, state.publications)
    state, _ = COLLECTOR.take(state, second)
    state = COLLECTOR.close_round(state)
    _, verdicts = COLLECTOR.judge(state, [replace(second[0], user=3), second[0], first[3]])
    assert verdicts == [Reason.LATE, Reason.DUPLICATE, Reason.DUPLICATE]


def test_a_state_is_a_value_that_nothing_changes() -> None:
    empty = CollectorState()
    COLLECTOR.take(empty, answers([0, 1, 2]))
    assert empty == CollectorState()
    filled, _ = COLLECTOR.take(empty, answers([0, 1, 2]))
    kept = [dict(reports) for reports in filled.reports]
    COLLECTOR.take(filled, answers([3, 4]))
    COLLECTOR.close_round(filled)
    assert [dict(reports) for reports in filled.reports] == kept


ROUND_ONE = answers(range(8))
STRAY = [
    Client(OTHER, 1, []).answer(1),
    replace(ROUND_ONE[2], user=99),
    replace(ROUND_ONE[3], payload=b""),
    replace(ROUND_ONE[4], round=2),
    b"GV but not a report",
    ROUND_ONE[5].encode()[:-1],
]


@settings(max_examples=60, deadline=None)
@given(st.lists(st.sampled_from([*ROUND_ONE, *(r.encode() for r in ROUND_ONE), *STRAY]), max_size=40), st.data())
def test_whatever_arrives_in_whatever_parts_every_person_counts_once(history, data) -> None:
    """Uploads, replays and rubbish, in one batch or many: the same state, and nobody lost or counted twice."""
    whole, verdicts = COLLECTOR.take(CollectorState(), history)
    state, place = CollectorState(), 0
    while place < len(history):
        size = data.draw(st.integers(1, len(history) - place))
        state, _ = COLLECTOR.take(state, history[place : place + size])
        place += size
    assert state == whole
    honest = {report.user: report.payload for report in ROUND_ONE}
    asked = {r.user for r in history if isinstance(r, Report) and r in ROUND_ONE}
    asked |= {r.user for r in ROUND_ONE if r.encode() in history}
    assert dict(whole.reports[0]) == {user: honest[user] for user in asked}
    assert Counter(v for v in verdicts if v) == Counter(whole.refusals)
    assert verdicts.count(None) == len(asked)


def judged_alone(state: CollectorState, report: Report) -> Reason | None:
    """The verdict on one report, by the rules one after the other: what batches are held against."""
    if report.campaign_id != CAMPAIGN.id:
        return Reason.WRONG_CAMPAIGN
    if report.user >= CAMPAIGN.n_people:
        return Reason.UNKNOWN_USER
    if report.round > state.round:
        return Reason.WRONG_ROUND
    stored = state.reports[report.round - 1].get(report.user)
    if stored is not None:
        return Reason.DUPLICATE if stored == report.payload else Reason.CONFLICT
    if state.closed or report.round < state.round:
        return Reason.LATE
    if any(report.user not in earlier for earlier in state.reports[:-1]):
        return Reason.MISSED_ROUND
    protocol = CAMPAIGN.protocol
    published = tuple(protocol.read_publication(i + 1, data) for i, data in enumerate(state.publications))
    try:
        protocol.unpack(RoundContext(report.round, published), np.array([report.user]), [report.payload])
    except ReportRefused as refusal:
        return Reason(refusal.reason)
    return None


SECOND_STATE, _ = after_round_one()
CLOSED = COLLECTOR.close_round(COLLECTOR.take(SECOND_STATE, answers([0, 1, 2], 2, SECOND_STATE.publications))[0])


@settings(max_examples=150, deadline=None)
@given(st.sampled_from([CollectorState(), SECOND_STATE, CLOSED]), st.data())
def test_a_batch_is_judged_as_its_reports_are_one_after_the_other(state: CollectorState, data) -> None:
    width = len(ROUND_ONE[0].payload)
    payloads = st.sampled_from([bytes(width), b"\1" * width, b"\1", b"\0", b"too long for anything", b""])
    ids = st.sampled_from([CAMPAIGN.id] * 5 + [OTHER.id])
    users = st.sampled_from([0, 1, 2, 3, 4, 79, 80])
    one = st.builds(Report, ids, st.integers(1, 3), users, payloads) | st.sampled_from(ROUND_ONE[:5])
    batch = data.draw(st.lists(one, max_size=25))
    alone, expected = state, []
    for report in batch:
        verdict = judged_alone(alone, report)
        if verdict is None:
            counted = {**alone.reports[-1], report.user: report.payload}
            alone = replace(alone, reports=(*alone.reports[:-1], counted))
        expected.append(verdict)
    after, verdicts = COLLECTOR.take(state, batch)
    assert list(verdicts) == expected
    assert after.reports == alone.reports
