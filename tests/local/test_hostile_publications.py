"""Whatever bytes a collector publishes, a client refuses them or draws the noise that its promise needs.

Every protocol of several rounds is shown honest publications, one of which was changed: other bytes, numbers out of
range, too few bytes, too many. Where the client answers all the same, the loss of all rounds together is computed from
the noise it draws, over all lists that its person can have. No sampling: a test here fails always or never.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations

import numpy as np
import pytest
from deployments import deployable
from spied_draws import spy

from graphveil.errors import GraphveilError, ParameterError
from graphveil.graph.generate.random import power_law_cluster
from graphveil.local.campaign import Campaign
from graphveil.local.client import Client
from graphveil.local.lists import Lists
from graphveil.local.pairs.response import PARTS
from graphveil.local.protocol import RoundContext
from graphveil.local.randomizers import Scaled, ScaledLaplace
from graphveil.local.simulate import seeded, transcript_of
from graphveil.local.triangles.counts import Limits
from graphveil.mechanisms.noise.source import SystemNoise
from graphveil.papers.peers.local2rounds import WholeRange
from graphveil.registry import Row, build_protocol

N = 5
NETWORK = power_law_cluster(N, 2, 0.5, seed=1)
SEVERAL_ROUNDS = [entry for entry in deployable() if entry.cls.rounds > 1]
NOT_A_NUMBER, INFINITE = 0x7FF8 << 48, 0x7FF0 << 48  # as bits of a double
EXTREME = (0, 1, N - 1, N, 255, 2**31, 2**47, 2**48 + 1, 2**62 + 1, 2**63 - 1, 2**63, 2**64 - 1, NOT_A_NUMBER, INFINITE)


def changed(honest: bytes, rng: np.random.Generator) -> Iterator[bytes]:
    """The honest bytes, each number replaced by extreme ones, and bytes of the same and of other lengths."""
    yield honest
    width = 8 if len(honest) >= 8 else 4
    for place in range(0, min(len(honest), 16) - width + 1, width):
        for value in EXTREME:
            yield honest[:place] + (value % 2 ** (8 * width)).to_bytes(width, "big") + honest[place + width :]
    for value in (0, 1, 127, 128, 255):
        yield bytes([value]) * len(honest)
    for _ in range(4):
        yield rng.bytes(len(honest))
        flipped = bytearray(honest)
        flipped[rng.integers(len(honest))] ^= 1 << rng.integers(8)
        yield bytes(flipped)
    yield from (b"", honest[:-1], honest + b"\x00", rng.bytes(3), rng.bytes(200))


def honest_publications(protocol, choice: int, person: int) -> tuple[list[bytes], list[bytes]]:
    """What an honest collector publishes, whole and with the last publication as the person's part."""
    lists = Lists.of_graph(NETWORK, np.full(N, choice))
    published = transcript_of(protocol, lists, seeded(1)).published
    whole = [protocol.write_publication(number, made) for number, made in enumerate(published, 1)]
    if not protocol.in_parts:
        return whole, whole
    read = tuple(protocol.read_publication(number, data) for number, data in enumerate(whole, 1))
    return whole, [*whole[:-1], protocol.write_part(RoundContext(protocol.rounds, read), person)]


def every_list(person: int, choice: int) -> tuple[Lists, list[frozenset[int]]]:
    others = [other for other in range(N) if other != person]
    lists = [frozenset(chosen) for size in range(N) for chosen in combinations(others, size)]
    starts = np.concatenate(([0], np.cumsum([len(friends) for friends in lists])))
    entries = np.array([friend for friends in lists for friend in sorted(friends)], dtype=np.int64)
    rows = np.full(len(lists), person)
    return Lists(N, rows, starts, entries, rows * 0 + choice), lists


def loss_of_all_rounds(client: Client, publications: list[bytes], *, in_part: bool) -> float:
    """Between neighbouring lists, given what was published and sent; raises what the client raises."""
    protocol, person = client.campaign.protocol, client.user
    lists, friends = every_list(person, client.choice)
    node = client.guarantee.unit.kind == "node"
    neighbours = [
        (one, other)
        for one, other in combinations(range(len(friends)), 2)
        if node or len(friends[one] ^ friends[other]) == 1
    ]
    losses = dict.fromkeys(neighbours, 0.0)
    for number in range(1, protocol.rounds + 1):
        answered = client.memory
        try:
            client.answer(number, publications[: number - 1], in_part=in_part)
        except GraphveilError:
            assert client.memory == answered  # nothing was drawn, so there is nothing to send
            raise
        context = client._contexts(number, publications[: number - 1], in_part=in_part)[-1]
        rows = tuple(
            {part: np.repeat(values, len(lists)) for part, values in batch.items() if part != "pairs"}
            for batch in context.sent
            if isinstance(batch, dict)
        )
        shown = RoundContext(number, context.published, rows)
        draws = spy(protocol, shown, lists)
        for pair in neighbours:
            losses[pair] += draws.loss(*pair, protocol, shown)
    return max(losses.values())


@pytest.mark.parametrize("entry", SEVERAL_ROUNDS, ids=lambda entry: f"{entry.query}-{entry.name}-{entry.unit}")
def test_no_publication_makes_a_client_lose_more_than_it_was_promised(entry: Row) -> None:
    campaign = Campaign(entry.cls(epsilon=1, n_people=N), "hostile", 1)
    protocol, answered, refused = campaign.protocol, 0, 0
    rng = np.random.default_rng(1)
    for choice in range(protocol.n_strengths):
        for in_part in {False, protocol.in_parts}:
            person = int(rng.integers(N))
            honest = honest_publications(protocol, choice, person)[in_part]
            for attacked in range(len(honest)):
                for made in changed(honest[attacked], rng):
                    shown = [*honest[:attacked], made, *honest[attacked + 1 :]]
                    client = Client(campaign, person, NETWORK.neighbors(person), choice=choice)
                    try:
                        loss = loss_of_all_rounds(client, shown, in_part=in_part)
                    except GraphveilError:
                        refused += 1
                        continue
                    answered += 1
                    assert loss <= client.guarantee.epsilon * (1 + 1e-12), (in_part, attacked, made.hex())
    assert answered > 0
    assert refused > answered / 20


@pytest.mark.parametrize("unit", ["edge", "node"])
def test_a_notice_that_overflows_is_refused(unit: str) -> None:
    """2^16 (2^48 + 1) is 2^16 in 64 bits: the count of a person with one friend left with noise for a change of 1."""
    protocol = build_protocol("triangles", "local2rounds", unit=unit, epsilon=1, n_people=N)
    client = Client(Campaign(protocol, "hostile", 1), 4, [0, 1])
    client.answer(1)
    (honest,), _ = honest_publications(protocol, 0, 4)
    for notice in (0, N, 2**48 + 1, 2**64 - 1):
        hostile = honest[:8] + notice.to_bytes(8, "big") + honest[16:]
        with pytest.raises(ParameterError, match=r"notice is \d+; this campaign's lies in 1\.\.4: nothing was sent"):
            client.answer(2, [hostile])
    assert len(client.memory.answers) == 1
    assert client.answer(2, [honest]).round == 2


def needed_width(limits: Limits, bound: int, cap: int, parts: int, weight: int, n: int) -> int:
    """What the proofs ask for, in numbers without end."""
    if isinstance(limits, WholeRange):  # from the lowest count of any list to the highest
        within, others = min(n - 1, bound), n - 1
        pairs = within * (within - 1) // 2 + (others - within) * (bound - 1)
        return PARTS * min((bound - 1) * others // 2, others * (others - 1) // 2) + parts * pairs
    if type(limits).__name__ == "_ThresholdLimits":
        return PARTS * bound * (bound - 1) // 2
    return max((PARTS * weight - parts) * cap, parts * (bound - 1))


@pytest.mark.parametrize("n", [2, 3, 1_000, 2**20, 2**23, 2**24, 2**28, 2**31 - 1])
@pytest.mark.parametrize("entry", SEVERAL_ROUNDS, ids=lambda entry: f"{entry.query}-{entry.name}-{entry.unit}")
def test_no_width_of_noise_overflows_in_a_campaign_of_any_size(entry: Row, n: int) -> None:
    offered = {"pairs_one_in": 10**6} if entry.name == "veil-low-download" else {}
    try:
        protocol = build_protocol(entry.query, entry.name, unit=entry.unit, epsilon=1, n_people=n, parameters=offered)
    except ParameterError:
        return
    if not hasattr(protocol, "widths"):
        return
    context, design = RoundContext(), protocol.design
    for limits in {strength.limits for strength in design.strengths}:
        for bound in {2, n // 2 + 2, n} if entry.name != "plain" or entry.unit != "node" else {protocol.threshold}:
            bounds, response = np.array([bound]), protocol.response(context)
            (cap,) = limits.caps(bounds, response, design.weight).tolist()
            (width,) = limits.widths(bounds, response, design.weight).tolist()
            assert width >= needed_width(limits, bound, cap, response.flip_parts, design.weight, n)


def test_noise_whose_scale_overflows_is_refused() -> None:
    third = ScaledLaplace(Fraction(1, 3))
    wraps_to_2 = (2**64 + 2) // 3
    for width in (wraps_to_2, 2**49, 0, -5):
        with pytest.raises(ParameterError, match="noise for a change of"):
            third.draw(np.array([0]), Scaled(np.array([0]), np.array([width])), SystemNoise())
