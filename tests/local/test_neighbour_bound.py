"""A single false count: cut to what the neighbours' answers allow, while honest counts stay as they are."""

from __future__ import annotations

import numpy as np
import pytest

from graphveil.graph.generate.random import power_law_cluster
from graphveil.local.lists import Lists
from graphveil.local.protocol import LocalProtocol, Received, RoundContext, Transcript
from graphveil.local.simulate import seeded
from graphveil.local.triangles.counts import capped_pairs
from graphveil.local.triangles.neighbour_bound import bound_counts, largest_count, neighbour_bounds
from graphveil.local.triangles.ranges import range_of
from graphveil.registry import build_protocol

NETWORK = power_law_cluster(400, 6, 0.7, seed=2)
PROTOCOLS = ["veil", "veil-two-rounds", "veil-low-download"]


def collect(protocol: LocalProtocol, seed: int, dropouts: int = 0, fake: int | None = None) -> Transcript:
    """All rounds as a collector sees them: through bytes. A fake claims to know everybody and to count the most."""
    received, published, sent = (), (), ()
    for number in range(1, protocol.rounds + 1):
        staying = np.arange(protocol.n_people if number == 1 else protocol.n_people - dropouts)
        lists = Lists.of_graph(NETWORK)
        context = RoundContext(number, published, sent)
        batch = protocol.perturb(context, lists, seeded(seed)(number, lists.people))
        sent = (*sent, batch)
        payloads = protocol.pack(context, lists.people, batch)
        if fake is not None:
            payloads[fake] = largest(protocol, context, payloads[fake])
        received = (*received, Received(staying, protocol.unpack(context, staying, [payloads[i] for i in staying])))
        if number < protocol.rounds:
            publication = protocol.publish(Transcript(received, published))
            published = (*published, protocol.read_publication(number, protocol.write_publication(number, publication)))
    return Transcript(received, published)


def largest(protocol: LocalProtocol, context: RoundContext, payload: bytes) -> bytes:
    """The numbers of a report as large as they pass; a small degree, so that everybody is above."""
    names = [part for part in protocol.schedule[context.round - 1] if part != "pairs"]
    numbers = [int(range_of(protocol, name, context)[name != "degree"]) for name in names]
    return np.array(numbers, dtype=">i8").tobytes() + payload[8 * len(names) :]


@pytest.mark.parametrize("name", PROTOCOLS)
@pytest.mark.parametrize("dropouts", [0, 150])
def test_honest_counts_are_not_touched(name: str, dropouts: int) -> None:
    protocol = build_protocol("triangles", name, unit="edge", epsilon=2, n_people=400)
    for seed in range(3):
        transcript = collect(protocol, seed, dropouts)
        context = RoundContext(protocol.rounds, transcript.published)
        assert np.array_equal(bound_counts(protocol, context, transcript), transcript.received[-1].batch["count"])


@pytest.mark.parametrize("name", PROTOCOLS)
def test_one_fake_moves_the_total_by_little_of_what_it_claims(name: str) -> None:
    protocol = build_protocol("triangles", name, unit="edge", epsilon=4, n_people=400)
    transcript = collect(protocol, 1, fake=7)
    context = RoundContext(protocol.rounds, transcript.published)
    claimed = transcript.received[-1].batch["count"][7] / protocol.gain(context)
    bounded = bound_counts(protocol, context, transcript)[7] / protocol.gain(context)
    assert claimed > 50_000
    assert bounded < claimed / 2


def test_no_honest_list_is_longer_than_its_neighbour_bound() -> None:
    protocol = build_protocol("triangles", "veil-two-rounds", unit="edge", epsilon=1, n_people=400)
    ranks = protocol.pair_owners(RoundContext()).ranks
    true = protocol.counted_lists(RoundContext(), Lists.of_graph(NETWORK)).degrees
    for seed in range(5):
        transcript = collect(protocol, seed)
        answered = transcript.received[0].people
        longest = neighbour_bounds(transcript.published[0].graph, ranks, protocol.response(RoundContext(2)), answered)
        assert (true <= longest).all()
        assert longest.mean() < 250 * 0.9


def test_the_largest_count_is_not_below_any() -> None:
    draw = np.random.default_rng(1)
    for _ in range(300):
        bound, most = int(draw.integers(2, 60)), int(draw.integers(1, 80))
        cap, pair = int(draw.integers(1, bound)), int(draw.integers(1, 65536))
        every = np.arange(most + 1)
        edges = every * np.minimum(cap, np.maximum(every - 1, 0)) // 2
        values = 65536 * edges - pair * capped_pairs(every, np.full(most + 1, bound))
        limit = largest_count(*(np.array([given]) for given in (most, bound, cap)), 65536, pair)
        assert values.max() <= limit[0] <= values.max() + 3 * 65536
