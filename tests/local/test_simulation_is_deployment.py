"""What is simulated is what is deployed: single clients and a collector give the same numbers and the same law."""

from __future__ import annotations

import numpy as np
import pytest
from deployments import NETWORK, deployable, make_campaign, run_by_messages
from scipy.stats import chi2

from graphveil.local.lists import Lists
from graphveil.local.protocol import RoundContext
from graphveil.local.simulate import seeded, simulate
from graphveil.mechanisms.noise.source import SeededNoise
from graphveil.privacy.guarantee import Status
from graphveil.registry import find_protocol

ALPHA = 1e-6
PEOPLE = np.arange(NETWORK.n_nodes)
SHORT = 6  # bytes of payloads that repeat often enough to be compared as they are


@pytest.mark.parametrize("entry", deployable(), ids=lambda entry: f"{entry.query}-{entry.name}-{entry.unit}")
def test_the_same_seed_gives_the_same_numbers(entry) -> None:
    campaign = make_campaign(entry)
    choices = PEOPLE % len(campaign.protocol.guarantees)
    simulated = simulate(campaign.protocol, NETWORK, seed=5, choices=choices)
    backwards = list(reversed(range(NETWORK.n_nodes)))
    collector, state = run_by_messages(campaign, NETWORK, seeded(5), choices, backwards)
    collected = collector.outcome(state)
    assert simulated.statistic == collected.statistic == campaign.protocol.statistic
    for statistic, section in simulated.sections.items():
        assert np.array_equal(section.value, collected.sections[statistic].value)
        assert section.estimate.facts == collected.sections[statistic].estimate.facts
    other = simulate(campaign.protocol, NETWORK, seed=6, choices=choices)
    assert not np.array_equal(simulated.value, other.value)
    assert (simulated.guarantee.status, collected.guarantee.status) == (Status.SEEDED, Status.PROVED)


@pytest.mark.parametrize("entry", deployable(), ids=lambda entry: f"{entry.query}-{entry.name}-{entry.unit}")
def test_a_crowd_in_one_call_and_people_one_by_one_have_the_same_law(entry) -> None:
    """One stream for the whole crowd against a stream of each person's own: two unrelated ways to draw."""
    spread = ("plain", "local2rounds", "arr-two-ns")  # an answer gets an 80th of epsilon
    hardly_told = entry.unit == "node" and entry.name in spread
    strong = 500 if hardly_told else 3
    together = _payload_counts(entry, epsilon=strong, one_stream=True)
    alone = _payload_counts(entry, epsilon=strong, one_stream=False)
    compare = _two_sample if max(map(len, together)) <= SHORT else _bit_by_bit
    assert compare(together, alone) < 1
    weaker = _payload_counts(entry, epsilon=0.7 * strong, one_stream=False)
    assert compare(together, weaker) > 1  # reports with 30 % less of epsilon are told apart


def _payload_counts(entry, *, epsilon: float, one_stream: bool) -> dict[bytes, int]:
    """How often each payload is sent by 40,000 copies of two people, one with few friends, one with many."""
    copies = 20_000
    protocol = make_campaign(entry, epsilon=epsilon, **_parameters(entry)).protocol
    source = seeded(17)
    counts: dict[bytes, int] = {}
    for degree in (1, 60):
        people = np.full(copies, 7)
        lists = Lists(80, people, np.arange(copies + 1) * degree, np.tile(np.arange(8, 8 + degree), copies), people * 0)
        noise = SeededNoise(degree) if one_stream else source(1, np.arange(copies))
        context = _first_noisy_turn(protocol)
        batch = protocol.perturb(context, lists, noise)
        for payload in protocol.pack(context, people, batch):
            key = bytes([degree]) + payload
            counts[key] = counts.get(key, 0) + 1
    return counts


def _first_noisy_turn(protocol) -> RoundContext:
    """The first round, or the second where the first asks for a choice only."""
    choice_alone = getattr(protocol, "schedule", ((),))[0] == ("choice",)
    return RoundContext(2, (np.zeros(80, dtype=np.uint8),)) if choice_alone else RoundContext()


def _parameters(entry) -> dict:
    """Small alphabets, so that a frequency of payloads says something."""
    small = {"singles": 2, "ratio": 3, "places": 12, "group_width": 2, "max_degree": 5}
    if entry.name in ("oue", "sue", "grr"):
        small = {"singles": 2, "ratio": 3}
    return {name: value for name, value in small.items() if name in entry.options}


def _two_sample(first: dict[bytes, int], second: dict[bytes, int]) -> float:
    """Chi-square of two samples of equal size over its critical value; rare payloads are taken together."""
    keys = sorted(set(first) | set(second))
    a = np.array([first.get(key, 0) for key in keys])
    b = np.array([second.get(key, 0) for key in keys])
    rare = a + b < 40
    a, b = np.append(a[~rare], a[rare].sum()), np.append(b[~rare], b[rare].sum())
    both = np.maximum(a + b, 1)
    return float(((a - b) ** 2 / both).sum() / chi2.ppf(1 - ALPHA, len(a) - 1))


def _bit_by_bit(first: dict[bytes, int], second: dict[bytes, int]) -> float:
    """Long payloads hardly ever repeat: the largest chi-square of one bit over its critical value among so many."""
    ones = [_ones(counts) for counts in (first, second)]
    size = sum(first.values())
    apart, both = ones[0] - ones[1], ones[0] + ones[1]
    mixed = (both > 0) & (both < 2 * size)
    squares = apart[mixed] ** 2 / (both * (1 - both / (2 * size)))[mixed]
    return float(squares.max() / chi2.ppf(1 - ALPHA / len(both), 1))


def _ones(counts: dict[bytes, int]) -> np.ndarray:
    width = max(map(len, counts))
    rows = np.array([list(key.ljust(width, b"\0")) for key in counts], dtype=np.uint8)
    return (np.unpackbits(rows, axis=1) * np.array(list(counts.values()))[:, np.newaxis]).sum(axis=0).astype(float)


def test_a_simulation_with_secret_noise_never_repeats() -> None:
    protocol = make_campaign(find_protocol("degree-distribution", "oue", "node")).protocol
    first, second = simulate(protocol, NETWORK), simulate(protocol, NETWORK)
    assert not np.array_equal(first.value, second.value)
    assert first.guarantee.status is Status.PROVED
