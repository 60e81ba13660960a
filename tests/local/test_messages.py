from __future__ import annotations

import json
import struct

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphveil.errors import ReportRefused
from graphveil.local.messages import MAX_PAYLOAD, Reason, Report, read_columns

ids = st.binary(min_size=32, max_size=32).map(bytes.hex)
reports = st.builds(
    Report,
    campaign_id=ids,
    round=st.integers(1, 255),
    user=st.integers(0, 2**63 - 1),
    payload=st.binary(max_size=60),
)
REPORT = Report(campaign_id="0f" * 32, round=2, user=300, payload=b"\x00\xff!")


@given(reports)
def test_both_forms_are_read_back_as_they_were_written(report: Report) -> None:
    assert Report.decode(report.encode()) == report
    assert Report.from_json(report.to_json()) == report


@given(reports, st.data())
def test_any_cut_or_addition_is_refused(report: Report, data) -> None:
    encoded = report.encode()
    cut = data.draw(st.integers(0, len(encoded) - 1))
    for bad in (encoded[:cut], encoded + b"x"):
        with pytest.raises(ReportRefused) as refusal:
            Report.decode(bad)
        assert refusal.value.reason == Reason.MALFORMED


@given(st.binary(max_size=80) | st.text(max_size=80).map(str.encode))
def test_rubbish_is_refused_and_never_crashes(rubbish: bytes) -> None:
    for read in (Report.decode, Report.from_json):
        with pytest.raises(ReportRefused):
            read(rubbish)


def test_the_wire_form_is_pinned() -> None:
    assert REPORT.encode().hex() == "475601" + "0f" * 32 + "02" + "000000000000012c" + "00000003" + "00ff21"
    assert json.loads(REPORT.to_json()) == {
        "version": 1,
        "campaign": "0f" * 32,
        "round": 2,
        "user": 300,
        "payload": "AP8h",
    }


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"version": 2}, Reason.UNKNOWN_VERSION),
        ({"version": True}, Reason.MALFORMED),
        ({"campaign": "0F" * 32}, Reason.MALFORMED),
        ({"campaign": 5}, Reason.MALFORMED),
        ({"round": 0}, Reason.MALFORMED),
        ({"round": 1.0}, Reason.MALFORMED),
        ({"user": -1}, Reason.MALFORMED),
        ({"user": "7"}, Reason.MALFORMED),
        ({"payload": "AP8"}, Reason.MALFORMED),
        ({"payload": "AP8i!"}, Reason.MALFORMED),
        ({"payload": "AP9="}, Reason.MALFORMED),  # not the canonical text of its bytes
        ({"payload": None}, Reason.MALFORMED),
        ({"extra": 1}, Reason.MALFORMED),
    ],
)
def test_a_field_of_another_form_is_refused_with_its_reason(change: dict, reason: Reason) -> None:
    document = {**json.loads(REPORT.to_json()), **change}
    with pytest.raises(ReportRefused) as refusal:
        Report.from_json(json.dumps(document))
    assert refusal.value.reason == reason


def test_a_newer_version_is_told_apart_from_rubbish() -> None:
    encoded = bytearray(REPORT.encode())
    encoded[2] = 9
    with pytest.raises(ReportRefused) as refusal:
        Report.decode(bytes(encoded) + b"fields of a later version")
    assert refusal.value.reason == Reason.UNKNOWN_VERSION


@st.composite
def _damaged(draw: st.DrawFn) -> bytes:
    """A byte changed, or something cut off or added."""
    data = bytearray(draw(reports).encode())
    data[draw(st.integers(0, len(data) - 1))] = draw(st.integers(0, 255))
    return bytes(data[: draw(st.integers(0, len(data)))]) if draw(st.booleans()) else bytes(data) + draw(st.binary())


def _read_alone(data: bytes) -> Report | Reason:
    """One report, field by field: what the decoder of many is held against."""
    head = struct.Struct(">2sB32sBQI")
    if len(data) < head.size or data[:2] != b"GV":
        return Reason.MALFORMED
    _, version, campaign, number, user, length = head.unpack_from(data)
    payload = data[head.size :]
    if version != 1:
        return Reason.UNKNOWN_VERSION
    if len(payload) != length or len(payload) > MAX_PAYLOAD or number < 1 or user >= 2**63:
        return Reason.MALFORMED
    return Report(campaign.hex(), number, user, payload)


@given(st.lists(reports.map(Report.encode) | _damaged() | st.binary(max_size=60), max_size=12))
def test_many_reports_are_read_as_they_are_one_by_one(batch: list[bytes]) -> None:
    columns = read_columns(batch)
    assert len(columns.refusals) == len(columns.payloads) == len(batch)
    for i, data in enumerate(batch):
        expected = _read_alone(data)
        if isinstance(expected, Reason):
            assert columns.refusals[i] is expected
            continue
        assert columns.refusals[i] is None
        found = (columns.campaigns[i].tobytes().hex(), columns.rounds[i], columns.users[i], columns.payloads[i])
        assert found == (expected.campaign_id, expected.round, expected.user, expected.payload)
        assert Report.decode(data) == expected
