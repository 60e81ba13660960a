"""Many reports in their compact form, read at once: the fields as columns, and what is wrong with each report.

Says of every report what `Report.decode` and the first checks of a collector say, without an object for each.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from graphveil.local.messages import MARK, MAX_PAYLOAD, VERSION, Reason

HEAD = np.dtype(
    [("mark", "V2"), ("version", "u1"), ("campaign", "V32"), ("round", "u1"), ("user", ">u8"), ("length", ">u4")]
)


_REASONS = np.array(
    [None, Reason.MALFORMED, Reason.UNKNOWN_VERSION, Reason.MALFORMED, Reason.WRONG_CAMPAIGN], dtype=object
)


@dataclass(frozen=True, slots=True, eq=False)
class ReportColumns:
    """Row i speaks of report i; `refusals[i]` is None where its form is right and it belongs to the campaign."""

    rounds: NDArray[np.int64]
    users: NDArray[np.int64]
    payloads: list[bytes]
    refusals: NDArray[Any]


def read_columns(reports: Sequence[bytes], campaign_id: str) -> ReportColumns:
    """Take reports apart and check everything that needs no knowledge of the campaign but its id.

    >>> from graphveil.local.messages import Report
    >>> columns = read_columns([Report("ab" * 32, 1, 7, b"hi").encode(), b"rubbish"], "ab" * 32)
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
    own = heads["campaign"] == np.void(bytes.fromhex(campaign_id))
    verdicts = np.select([~sound, ~known, ~ranged, ~own], [1, 2, 3, 4], default=0)
    return ReportColumns(
        heads["round"].astype(np.int64),
        heads["user"].astype(np.int64),
        [report[size:] for report in reports],
        _REASONS[verdicts],
    )
