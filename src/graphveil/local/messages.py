"""What travels between a client and a collector, and nothing else: no input, no output, no noise.

A report is bound to its campaign by the hash of the campaign's full text, so it cannot be used for another one. The
form is versioned: fields are never removed or given another meaning, and a version that is not known is refused.

The compact form is read by one decoder, for any number of reports at once (`read_columns`); one report is a batch of
one.
"""

from __future__ import annotations

import base64
import binascii
import json
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

import numpy as np

from graphveil.arrays import AnyArray, Integers
from graphveil.errors import ReportRefused

VERSION = 1
MAX_PAYLOAD = 2**26
MARK = b"GV"
HEAD = np.dtype(
    [("mark", "V2"), ("version", "u1"), ("campaign", "V32"), ("round", "u1"), ("user", ">u8"), ("length", ">u4")]
)
_KEYS = {"version", "campaign", "round", "user", "payload"}


class Reason(StrEnum):
    """Why a report was refused; a collector counts refusals by it."""

    MALFORMED = "malformed"  # not a report, or a payload no honest client sends
    UNKNOWN_VERSION = "unknown-version"
    WRONG_CAMPAIGN = "wrong-campaign"
    UNKNOWN_USER = "unknown-user"
    WRONG_ROUND = "wrong-round"  # a round that has not begun, or does not exist
    LATE = "late"  # a round that is closed
    DUPLICATE = "duplicate"  # the same answer again: a retry, already counted
    CONFLICT = "conflict"  # a second, different answer
    MISSED_ROUND = "missed-round"  # no report from this person in an earlier round


@dataclass(frozen=True, slots=True)
class Report:
    """One person's answer in one round.

    >>> report = Report(campaign_id="ab" * 32, round=1, user=7, payload=b"hi")
    >>> Report.decode(report.encode()) == report == Report.from_json(report.to_json())
    True
    """

    campaign_id: str
    round: int
    user: int
    payload: bytes
    version: int = VERSION

    def __post_init__(self) -> None:
        whole = all(type(value) is int for value in (self.round, self.user, self.version))
        if not whole or not isinstance(self.payload, bytes) or not _is_id(self.campaign_id):
            raise ReportRefused(Reason.MALFORMED, "a field of the report has the wrong form")
        if self.version != VERSION:
            raise ReportRefused(Reason.UNKNOWN_VERSION, f"version {self.version} is not {VERSION}")
        if not (1 <= self.round <= 255 and 0 <= self.user < 2**63 and len(self.payload) <= MAX_PAYLOAD):
            raise ReportRefused(Reason.MALFORMED, "round, user or length of the payload is out of range")

    def encode(self) -> bytes:
        """The report in its compact form: a head of fixed size, then the payload."""
        campaign = bytes.fromhex(self.campaign_id)
        head = np.array((MARK, self.version, campaign, self.round, self.user, len(self.payload)), dtype=HEAD)
        return head.tobytes() + self.payload

    @classmethod
    def decode(cls, data: bytes) -> Report:
        """Read the compact form; exactly one report, nothing after it."""
        columns = read_columns([data])
        if (reason := columns.refusals[0]) is not None:
            raise ReportRefused(reason, "these bytes are not a report that is read here")
        campaign = columns.campaigns[0].tobytes().hex()
        return cls(campaign, int(columns.rounds[0]), int(columns.users[0]), columns.payloads[0])

    def to_json(self) -> str:
        """The readable form; the payload is base64url."""
        payload = base64.urlsafe_b64encode(self.payload).decode()
        own = {"version": self.version, "campaign": self.campaign_id, "round": self.round, "user": self.user}
        return json.dumps({**own, "payload": payload}, separators=(",", ":"))

    @classmethod
    def from_json(cls, text: str | bytes) -> Report:
        """Read the readable form; exactly the known keys."""
        try:
            document: Any = json.loads(text)
        except (ValueError, RecursionError):
            raise ReportRefused(Reason.MALFORMED, "this text is not JSON") from None
        if not isinstance(document, dict) or set(document) != _KEYS or not isinstance(document["payload"], str):
            raise ReportRefused(Reason.MALFORMED, f"a report has exactly the keys {', '.join(sorted(_KEYS))}")
        return cls(
            document["campaign"],
            document["round"],
            document["user"],
            _from_base64(document["payload"]),
            document["version"],
        )


def _is_id(text: Any) -> bool:
    return isinstance(text, str) and len(text) == 64 and set(text) <= set("0123456789abcdef")


def _from_base64(text: str) -> bytes:
    """Strictly: one text for each sequence of bytes."""
    try:
        payload = base64.b64decode(text.encode("ascii"), altchars=b"-_", validate=True)
    except (binascii.Error, ValueError):
        raise ReportRefused(Reason.MALFORMED, "the payload is not base64url") from None
    if base64.urlsafe_b64encode(payload).decode() != text:
        raise ReportRefused(Reason.MALFORMED, "the payload is not canonical base64url")
    return payload


_REASONS = np.array([None, Reason.MALFORMED, Reason.UNKNOWN_VERSION, Reason.MALFORMED], dtype=object)


@dataclass(frozen=True, slots=True, eq=False)
class ReportColumns:
    """The fields of many reports; `refusals[i]` says what is wrong with the form of report i, or None."""

    campaigns: AnyArray
    rounds: Integers
    users: Integers
    payloads: list[bytes]
    refusals: AnyArray


def read_columns(reports: Sequence[bytes]) -> ReportColumns:
    """Take reports in their compact form apart and check all that needs no knowledge of a campaign.

    >>> columns = read_columns([Report("ab" * 32, 1, 7, b"hi").encode(), b"rubbish"])
    >>> int(columns.users[0]), columns.payloads[0], columns.refusals.tolist()
    (7, b'hi', [None, <Reason.MALFORMED: 'malformed'>])
    """
    size = HEAD.itemsize
    lengths = np.array([*map(len, reports)], dtype=np.int64) - size
    beginnings = [report[:size] for report in reports]
    if len(lengths) and lengths.min() < 0:
        beginnings = [beginning.ljust(size, b"\0") for beginning in beginnings]
    heads = np.frombuffer(b"".join(beginnings), dtype=HEAD)
    sound = (heads["mark"] == np.void(MARK)) & (lengths >= 0)
    known = heads["version"] == VERSION
    ranged = (heads["round"] >= 1) & (heads["user"] < 2**63) & (lengths <= MAX_PAYLOAD) & (heads["length"] == lengths)
    verdicts = np.select([~sound, ~known, ~ranged], [1, 2, 3], default=0)
    return ReportColumns(
        heads["campaign"],
        heads["round"].astype(np.int64),
        heads["user"].astype(np.int64),
        [report[size:] for report in reports],
        _REASONS[verdicts],
    )
