"""Many reports read at once get the verdicts that they get one by one."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from graphveil.errors import ReportRefused
from graphveil.local.messages import HEAD, Reason, Report, read_columns

OURS, OTHERS = "ab" * 32, "cd" * 32

_honest = st.builds(
    Report, st.sampled_from([OURS, OURS, OTHERS]), st.integers(1, 255), st.integers(0, 2**63 - 1), st.binary(max_size=9)
).map(Report.encode)


@st.composite
def _damaged(draw: st.DrawFn) -> bytes:
    """A byte changed, or something cut off or added."""
    data = bytearray(draw(_honest))
    data[draw(st.integers(0, len(data) - 1))] = draw(st.integers(0, 255))
    return bytes(data[: draw(st.integers(0, len(data)))]) if draw(st.booleans()) else bytes(data) + draw(st.binary())


def _one_by_one(data: bytes) -> Report | Reason:
    try:
        report = Report.decode(data)
    except ReportRefused as refusal:
        return Reason(refusal.reason)
    return report if report.campaign_id == OURS else Reason.WRONG_CAMPAIGN


@given(st.lists(_honest | _damaged() | st.binary(max_size=60), max_size=12))
def test_columns_say_what_single_reports_say(reports: list[bytes]) -> None:
    columns = read_columns(reports, OURS)
    assert len(columns.refusals) == len(reports)
    for i, data in enumerate(reports):
        expected = _one_by_one(data)
        if isinstance(expected, Reason):
            assert columns.refusals[i] is expected
        else:
            assert columns.refusals[i] is None
            found = (columns.rounds[i], columns.users[i], columns.payloads[i])
            assert found == (expected.round, expected.user, expected.payload)


def test_the_head_is_that_of_a_report() -> None:
    assert len(Report(OURS, 1, 0, b"").encode()) == HEAD.itemsize
