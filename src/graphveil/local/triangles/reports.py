"""Reports and publications of triangle protocols as bytes.

A report is a few numbers of eight bytes, in the order of the schedule, and one bit for each pair that the person
answers for. Numbers that an honest client sends with a probability below 2^-40 only are refused: a single report cannot
be made to say anything at all. Where a number may lie follows from public values, never from other people's reports.
A client reads publications in the same way: a collector may be hostile, so every number must be one that the campaign
allows.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np

from graphveil.arrays import Integers
from graphveil.errors import ParameterError, ReportRefused
from graphveil.local.messages import Reason
from graphveil.local.pairs.noisy_graph import LazyGraph, PairBits
from graphveil.local.protocol import Received, Transcript

NUMBER_BYTES = 8
HEAD_BYTES = 16
Batch: TypeAlias = dict[str, Any]


@dataclass(frozen=True, slots=True, eq=False)
class Publication:
    """What is published for the last round: the noisy graph, the key of public choices, and an announced number."""

    graph: PairBits | LazyGraph
    key: np.uint64
    notice: int = 0

    def head(self) -> bytes:
        """Key and notice as bytes."""
        return np.array([self.key, self.notice], dtype=">u8").tobytes()


def read_head(data: bytes, notices: range) -> tuple[np.uint64, int]:
    """Key and notice from the first bytes of a publication; any key will do, a notice is one of `notices`."""
    if len(data) < HEAD_BYTES:
        raise ParameterError(f"the published graph has {len(data)} bytes; key and notice alone have {HEAD_BYTES}")
    key, notice = (int.from_bytes(data[place : place + 8], "big") for place in (0, 8))
    if notice not in notices:
        allowed = f"{notices[0]}..{notices[-1]}"
        raise ParameterError(f"the published notice is {notice}; this campaign's lies in {allowed}: nothing was sent")
    return np.uint64(key), notice


def pack_batch(parts: Sequence[str], batch: Batch, people: int) -> list[bytes]:
    """A report for each person: numbers of eight bytes, then the answers about pairs."""
    numbers = [batch[part] for part in parts if part != "pairs"]
    heads = [row.tobytes() for row in np.array(numbers, dtype=">i8").T] if numbers else [b""] * people
    tails = batch["pairs"].pack() if "pairs" in batch else [b""] * people
    return [head + tail for head, tail in zip(heads, tails, strict=True)]


def unpack_numbers(
    parts: Sequence[str], payloads: Sequence[bytes], range_of: Callable[[str], tuple[float, float]]
) -> tuple[Batch, list[bytes]]:
    """The numbers of reports, each within its range, and what follows them, which is answers about pairs or nothing."""
    names = [part for part in parts if part != "pairs"]
    head = NUMBER_BYTES * len(names)
    if any(len(payload) < head or (len(payload) > head and "pairs" not in parts) for payload in payloads):
        raise ReportRefused(Reason.MALFORMED, f"a payload of this round starts with {len(names)} numbers")
    table = np.frombuffer(b"".join(payload[:head] for payload in payloads), dtype=">i8")
    columns = table.astype(np.int64).reshape(len(payloads), len(names)).T
    for name, column in zip(names, columns, strict=True):
        low, high = range_of(name)
        if ((column < low) | (column > high)).any():
            raise ReportRefused(Reason.MALFORMED, f"a {name} of this round lies in {low:.3g}..{high:.3g}")
    return dict(zip(names, columns, strict=True)), [payload[head:] for payload in payloads]


def public_key(*columns: Integers) -> np.uint64:
    """A number that anybody can compute from what was released."""
    text = b"".join(np.ascontiguousarray(column, dtype=">i8").tobytes() for column in columns)
    return np.uint64(int.from_bytes(hashlib.sha256(text).digest()[:8], "big"))


def merge_numbers(batches: Sequence[Batch]) -> Batch:
    """All numbers of several rounds, of the same people."""
    return {part: numbers for batch in batches for part, numbers in batch.items() if part != "pairs"}


def numbers_of(people: Integers, *rounds: Received) -> Batch:
    """The numbers of earlier rounds that these people sent."""
    merged: Batch = {}
    for received in rounds:
        rows: Integers = np.searchsorted(received.people, people)
        merged |= {part: numbers[rows] for part, numbers in received.batch.items() if part != "pairs"}
    return merged


def merge_strengths(choices: Integers, drawn: Any) -> Any:
    """The numbers of everybody in one column, where the people of each strength were drawn by themselves."""
    if not isinstance(drawn, tuple):
        return drawn
    numbers = np.zeros(len(choices), dtype=np.int64)
    for choice, part in enumerate(drawn):
        numbers[choices == choice] = part
    return numbers


def count_choices(names: Sequence[str], transcript: Transcript) -> dict[str, Any]:
    """How many people chose each of these strengths, as a fact of an estimate; nothing where there is no choice."""
    if not names:
        return {}
    counts = np.bincount(transcript.received[0].batch["choice"], minlength=len(names)).tolist()
    return {"mix": dict(zip(names, counts, strict=True))}
