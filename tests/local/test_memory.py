"""Closing a campaign takes what `memory_bytes` says; a campaign that would need more than there is, is refused."""

from __future__ import annotations

import tracemalloc

import pytest

from graphveil.errors import ParameterError
from graphveil.graph.generate.random import power_law_cluster
from graphveil.local import memory
from graphveil.local.campaign import Campaign
from graphveil.local.collector import Collector, CollectorState
from graphveil.local.lists import Lists
from graphveil.local.memory import check_memory, largest_campaign
from graphveil.local.protocol import RoundContext
from graphveil.local.simulate import seeded
from graphveil.registry import build_protocol

MEASURED = [
    ("degree-distribution", "veil", "node", (5_000, 20_000)),
    ("degree-distribution", "oue", "node", (8_000, 20_000)),
    ("triangles", "veil", "edge", (1_000, 3_000)),
    ("triangles", "veil-low-download", "edge", (1_000, 3_000)),
    ("clustering", "veil", "edge", (1_000, 3_000)),
]


def closing_peak(campaign: Campaign) -> int:
    """The most that is allocated at a time while every round is closed, from copies of all reports on."""
    protocol, collector = campaign.protocol, Collector(campaign)
    lists = Lists.of_graph(power_law_cluster(campaign.n_people, 4, 0.5, seed=1))
    stored: list[dict[int, bytes]] = []
    publications: tuple[bytes, ...] = ()
    sent: list[object] = []
    peaks = []
    for number in range(1, protocol.rounds + 1):
        published = tuple(protocol.read_publication(i, data) for i, data in enumerate(publications, 1))
        context = RoundContext(number, published, tuple(sent))
        batch = protocol.perturb(context, lists, seeded(1)(number, lists.people))
        stored.append(dict(enumerate(protocol.pack(context, lists.people, batch))))
        sent.append({part: made for part, made in batch.items() if part != "pairs"} if isinstance(batch, dict) else ())
        tracemalloc.start()
        reports = tuple({user: bytes(bytearray(own)) for user, own in each.items()} for each in stored)
        after = collector.close_round(CollectorState(reports, publications))
        if after.closed:
            collector.outcome(after)
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
        publications = after.publications
    return max(peaks)


@pytest.mark.parametrize(("statistic", "name", "unit", "sizes"), MEASURED, ids=[f"{s}-{n}" for s, n, _, _ in MEASURED])
def test_the_stated_memory_is_what_closing_takes(statistic: str, name: str, unit: str, sizes: tuple[int, int]) -> None:
    def campaign(n: int) -> Campaign:
        return Campaign.create(statistic, name, unit=unit, epsilon=1, n_people=n, title="size")

    closing_peak(campaign(100))  # compiles what is not compiled yet
    for n in sizes:
        asked = campaign(n)
        assert 1 / 1.5 <= asked.protocol.memory_bytes / closing_peak(asked) <= 1.5


def test_large_campaigns_fit_a_small_machine() -> None:
    """In 0.1 triangles of 20,000 people took 2.4 GB, nearly six bytes for each pair in order."""
    triangles = build_protocol("triangles", "veil", unit="edge", epsilon=1, n_people=20_000)
    degrees = build_protocol("degree-distribution", "veil", unit="node", epsilon=1, n_people=50_000)
    assert triangles.memory_bytes < 250e6
    assert degrees.memory_bytes < 20e6


def test_a_campaign_that_cannot_be_closed_is_refused_with_the_size_that_fits() -> None:
    asked = build_protocol("triangles", "veil", unit="edge", epsilon=1, n_people=400_000)
    with pytest.raises(
        ParameterError, match=r"400,000 people takes about .* MB, of 1,074 MB .* enough for about 4\d,\d\d\d people"
    ):
        check_memory(asked, 2**30)
    fits = largest_campaign(asked, 2**30)
    check_memory(build_protocol("triangles", "veil", unit="edge", epsilon=1, n_people=fits), 2**30)
    bounded = build_protocol("degree-distribution", "veil", unit="node", epsilon=1, n_people=9_000)
    assert 1_000 < largest_campaign(bounded, 2 * 2**20) < 9_000


def test_what_the_machine_has_counts_too(monkeypatch) -> None:
    monkeypatch.setattr(memory, "machine_bytes", lambda: 10**6)
    with pytest.raises(ParameterError, match="of 1 MB that may be used"):
        check_memory(build_protocol("triangles", "veil", unit="edge", epsilon=1, n_people=5_000), 2**40)
