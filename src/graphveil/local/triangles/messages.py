"""Messages of pages that count triangles: what people send, what is published between rounds, what goes over the wire.

A report is a few numbers of eight bytes, in the order of the page's schedule, and one bit for each pair that the person
answers for. Numbers that an honest client sends with a probability below 2^-40 only are refused: a single report cannot
be made to say anything at all. Where a number may lie follows from public values, never from other people's reports.
"""

from __future__ import annotations

import hashlib
from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from graphveil.errors import ReportRefused
from graphveil.local.lists import Integers
from graphveil.local.messages import Reason
from graphveil.local.pairs.noisy_graph import LazyGraph, PairBits, join_replies
from graphveil.local.pairs.pair_owners import AskedPairs
from graphveil.local.pairs.replies import unpack_replies
from graphveil.local.pairs.response import PairResponse
from graphveil.local.protocol import Cost, LocalProtocol, Received, RoundContext, Transcript

NUMBER_BYTES = 8
HEAD_BYTES = 16
Batch = dict[str, Any]


@dataclass(frozen=True, slots=True, eq=False)
class Board:
    """What is published for the last round: the noisy graph, what the page itself adds, the key of public choices."""

    graph: PairBits | LazyGraph
    key: np.uint64
    notice: int = 0

    def head(self) -> bytes:
        """Key and notice as bytes."""
        return np.array([self.key, self.notice], dtype=">u8").tobytes()

    @staticmethod
    def read_head(data: bytes) -> tuple[np.uint64, int]:
        """Key and notice."""
        key, notice = np.frombuffer(data[:HEAD_BYTES].ljust(HEAD_BYTES, b"\0"), dtype=">u8").astype(np.uint64)
        return key, int(notice)


@dataclass(frozen=True, slots=True, kw_only=True)
class TriangleMessages(LocalProtocol):
    """Packing, unpacking and publishing; pages say in which round what is sent (`schedule`)."""

    schedule: ClassVar[tuple[tuple[str, ...], ...]]

    @abstractmethod
    def asked(self, context: RoundContext) -> AskedPairs:
        """Who answers for which pair, given what was published."""

    @abstractmethod
    def response(self, context: RoundContext) -> PairResponse:
        """How a pair is reported."""

    @abstractmethod
    def range_of(self, part: str, context: RoundContext) -> tuple[float, float]:
        """Between what a number lies, but for a chance below 2^-40."""

    def pack(self, context: RoundContext, people: Integers, batch: Batch) -> list[bytes]:
        """Numbers of eight bytes, then the answers about pairs."""
        numbers = [batch[part] for part in self.schedule[context.round - 1] if part != "pairs"]
        heads = [row.tobytes() for row in np.array(numbers, dtype=">i8").T] if numbers else [b""] * len(people)
        tails = batch["pairs"].pack() if "pairs" in batch else [b""] * len(people)
        return [head + tail for head, tail in zip(heads, tails, strict=True)]

    def unpack(self, context: RoundContext, people: Integers, payloads: Sequence[bytes]) -> Batch:
        """Numbers that can be, and as many answers as the person was asked for."""
        parts = self.schedule[context.round - 1]
        names = [part for part in parts if part != "pairs"]
        head = NUMBER_BYTES * len(names)
        if any(len(payload) < head or (len(payload) > head and "pairs" not in parts) for payload in payloads):
            raise ReportRefused(Reason.MALFORMED, f"a payload of this round starts with {len(names)} numbers")
        table = np.frombuffer(b"".join(payload[:head] for payload in payloads), dtype=">i8")
        columns = table.astype(np.int64).reshape(len(payloads), len(names)).T
        for name, column in zip(names, columns, strict=True):
            low, high = self.range_of(name, context)
            if ((column < low) | (column > high)).any():
                raise ReportRefused(Reason.MALFORMED, f"a {name} of this round lies in {low:.3g}..{high:.3g}")
        batch: Batch = dict(zip(names, columns, strict=True))
        if "pairs" in parts:
            batch["pairs"] = unpack_replies([payload[head:] for payload in payloads], people, self.asked(context))
        return batch

    def publish(self, transcript: Transcript) -> Any:
        """After the answers about pairs, the noisy graph; before them, whatever the page makes of degrees."""
        people, batch = transcript.received[-1].people, transcript.received[-1].batch
        if "pairs" not in batch:
            return self.publish_degrees(people, batch["degree"])
        context = RoundContext(len(transcript.received), transcript.published)
        graph = join_replies(Received(people, batch["pairs"]), self.asked(context), self.response(context))
        numbers = {part: batch[part] for part in sorted(batch) if part != "pairs"}
        return Board(graph, public_key(*numbers.values()), self.notice(numbers))

    def notice(self, numbers: Batch) -> int:
        """A number that a page publishes with the graph."""
        return 0

    def publish_degrees(self, people: Integers, degrees: Integers) -> Any:
        """What noisy degrees are good for; pages that ask for them alone say it."""
        raise AssertionError(f"{self.name} publishes no degrees")

    def write_publication(self, round_number: int, publication: Board) -> bytes:
        """Key and notice, then the graph."""
        return publication.head() + publication.graph.write(self.everything)

    def read_publication(self, round_number: int, data: bytes) -> Board:
        """As it was written."""
        return Board(PairBits.read(data[HEAD_BYTES:], self.everything), *Board.read_head(data))

    @property
    def everything(self) -> AskedPairs:
        """All pairs, whoever answers for them."""
        return AskedPairs(self.n_people, Fraction(1))

    def cost(self) -> Cost:
        """Numbers and about half of the pairs up; down, what a person needs of all that is published."""
        numbers = sum(part != "pairs" for parts in self.schedule for part in parts)
        return Cost(8 * NUMBER_BYTES * numbers + (self.n_people - 1) / 2, self.download_bits())

    def download_bits(self) -> float:
        """One bit for every pair."""
        return self.n_people * (self.n_people - 1) / 2


def public_key(*columns: Integers) -> np.uint64:
    """A number that anybody can compute from what was released."""
    text = b"".join(np.ascontiguousarray(column, dtype=">i8").tobytes() for column in columns)
    return np.uint64(int.from_bytes(hashlib.sha256(text).digest()[:8], "big"))


def numbers_of(people: Integers, received: Received) -> Batch:
    """The numbers of an earlier round that these people sent."""
    rows: NDArray[np.int64] = np.searchsorted(received.people, people)
    return {part: numbers[rows] for part, numbers in received.batch.items() if part != "pairs"}
