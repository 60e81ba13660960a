"""Numbers in reports about triangles: honest ones pass, those that chance does not bring about are refused."""

from __future__ import annotations

import numpy as np
import pytest

from graphveil.errors import ReportRefused
from graphveil.graph.generate.random import power_law_cluster
from graphveil.local.lists import Lists
from graphveil.local.protocol import RoundContext
from graphveil.local.simulate import seeded, transcript_of
from graphveil.local.triangles.protocol import TriangleProtocol
from graphveil.local.triangles.ranges import FARTHEST, range_of
from graphveil.registry import PROTOCOLS, Row

NETWORK = power_law_cluster(60, 5, 0.6, seed=9)
EVERYBODY = np.arange(60)


def counting(entry: Row) -> bool:
    return issubclass(entry.cls, TriangleProtocol)


over_pages = pytest.mark.parametrize(
    "entry",
    [pytest.param(entry, id=f"{entry.query}-{entry.name}-{entry.unit}") for entry in PROTOCOLS if counting(entry)],
)


@over_pages
def test_honest_numbers_pass_and_impossible_ones_are_refused(entry: Row) -> None:
    protocol = entry.cls(epsilon=2, n_people=60)
    assert isinstance(protocol, TriangleProtocol)
    transcript = transcript_of(protocol, Lists.of_graph(NETWORK), seeded(1))
    for number, received in enumerate(transcript.received, 1):
        context = RoundContext(number, transcript.published)
        payloads = protocol.pack(context, EVERYBODY, received.batch)
        names = [part for part in protocol.schedule[number - 1] if part != "pairs"]
        read = protocol.unpack(context, EVERYBODY, payloads)
        assert all(np.array_equal(read[name], received.batch[name]) for name in names)
        for place, name in enumerate(names):
            low, high = range_of(protocol, name, context)
            for beyond in (low - 1 - 1e-9 * abs(low), high + 1 + 1e-9 * abs(high)):
                wrong = np.array([round(beyond)], dtype=">i8").tobytes()
                payload = payloads[0][: 8 * place] + wrong + payloads[0][8 * place + 8 :]
                with pytest.raises(ReportRefused, match=name):
                    protocol.unpack(context, EVERYBODY[:1], [payload])


def test_noise_passes_the_farthest_once_in_a_million_millions() -> None:
    """Of discrete Laplace noise of rate epsilon, 2 r^k / (1 + r) lies at or beyond k."""
    for epsilon in (0.01, 1.0, 8.0):
        r, k = np.exp(-epsilon), np.ceil(FARTHEST / epsilon)
        assert 2 * r**k / (1 + r) < 2.0**-40
