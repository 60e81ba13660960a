"""A protocol for tests of the machinery: two rounds, one digit a report, and an estimate that counts every report.

Row u of the estimate is how many reports of person u were counted, so that a 3 proves double counting.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from graphveil import registry
from graphveil.errors import ParameterError, ReportRefused
from graphveil.local.losses import Message, Messages
from graphveil.local.messages import Reason
from graphveil.local.protocol import Cost, Estimate, LocalProtocol, Transcript
from graphveil.local.randomizers import AddedLaplace
from graphveil.privacy.unit import Kind
from graphveil.registry import Job, Row

ENTRY = Row(Job.COLLECT, "count", "report-count", "node", "counting_protocol:CountingProtocol", home="")


@dataclass(frozen=True, slots=True, kw_only=True)
class CountingProtocol(LocalProtocol):
    statistic = "report-count"
    name = "count"
    unit = "node"
    rounds = 2

    def messages(self, context, choice=0) -> Messages:
        return Messages(Kind.NODE, (Message("digit", AddedLaplace(self.epsilon)),))

    def exact(self, context, lists):
        return {"digit": np.zeros(len(lists), dtype=np.int64)} if context.round == 1 else {}

    def batch(self, context, people, choices, drawn):
        return [b"%d" % (context.round % 10) for _ in people]

    def pack(self, context, people, batch) -> list[bytes]:
        return list(batch)

    def unpack(self, context, people, payloads):
        if not all(len(payload) == 1 and payload.isdigit() for payload in payloads):
            raise ReportRefused(Reason.MALFORMED, "a payload is a digit")
        return list(payloads)

    def publish(self, transcript: Transcript) -> int:
        return len(transcript.received[0].people)

    def write_publication(self, round_number: int, publication: int) -> bytes:
        return str(publication).encode()

    def read_publication(self, round_number: int, data: bytes) -> int:
        if not data.isdigit():
            raise ParameterError("a publication is a number")
        return int(data)

    def estimate(self, transcript: Transcript) -> Estimate:
        people = np.concatenate([received.people for received in transcript.received])
        return Estimate(np.bincount(people, minlength=self.n_people))

    def cost(self) -> Cost:
        return Cost(16.0)


def install() -> None:
    """Make it known; for tests that run the service in this process."""
    if ENTRY not in registry.PROTOCOLS:
        _set((*registry.PROTOCOLS, ENTRY))


def uninstall() -> None:
    _set(tuple(row for row in registry.PROTOCOLS if row != ENTRY))


def _set(rows: tuple[Row, ...]) -> None:
    registry.PROTOCOLS = registry._OWN[Job.COLLECT] = rows
