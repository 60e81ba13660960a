"""The exact loss of everything that is sent for triangle sequences, alone or with other statistics, on 4 people.

Both for one entry and for a friendship.

The protocol's own code gives who answers for what, what is counted, bounds, widths and flip probabilities; the laws of
the three kinds of noise are written out here. Every list, every noisy graph and a window of noisy lengths is tried.
"""

from __future__ import annotations

import itertools
import math
from fractions import Fraction
from functools import cache

import numpy as np
import pytest

from graphveil.local.clustering.plain import PlainSequence
from graphveil.local.clustering.veil import VeilSequence
from graphveil.local.joint.veil import JointVeil
from graphveil.local.lists import Lists
from graphveil.local.pairs.noisy_graph import PairBits
from graphveil.local.protocol import RoundContext
from graphveil.local.triangles.protocol import TriangleProtocol
from graphveil.local.triangles.reports import Publication
from graphveil.mechanisms.staircase import best_steps

N = 4
PAIRS = list(itertools.combinations(range(N), 2))
LENGTHS = np.array([-60, -14, -3, 0, 1, 2, 6])  # down to where lists pass their bounds


@cache
def staircase_losses(epsilon: float, width: int, change: int) -> tuple[float, float]:
    """Largest and smallest log P(x) / P(x - change) over all x, from the law itself."""
    step = int(best_steps(Fraction(epsilon), np.array([width]))[0])

    def log_law(x: np.ndarray) -> np.ndarray:
        size = np.abs(x)
        return -epsilon * (size // width + (size % width >= step))

    edges = np.concatenate([[g * width, g * width + step] for g in range(-3, 4)])
    corners = np.unique([x + d for x in edges for d in (-1, 0, 1, change - 1, change, change + 1)])
    corners = np.unique(np.concatenate((corners, -corners)))
    ratios = log_law(corners) - log_law(corners - change)
    return float(ratios.max()), float(ratios.min())


def publications() -> list[tuple[dict[tuple[int, int], bool], Publication]]:
    """All noisy graphs."""
    found = []
    for bits in itertools.product((False, True), repeat=len(PAIRS)):
        matrix = np.zeros((N, 1), dtype=np.uint8)
        for (low, high), bit in zip(PAIRS, bits, strict=True):
            matrix[low, 0] |= np.uint8(bit << high)
        found.append((dict(zip(PAIRS, bits, strict=True)), Publication(PairBits(N, matrix), np.uint64(0))))
    return found


def parts(
    protocol: TriangleProtocol, user: int, without: set[int], entry: int, noisy: dict, publication: Publication
) -> np.ndarray:
    """Largest loss of each message, in either direction, for every length: one list has the entry, one has not."""
    context, budget = RoundContext(2, (publication,)), protocol.budget(RoundContext())
    values, sizes = [], []
    for friends in (without, without | {entry}):
        copies = Lists(
            N,
            np.full(len(LENGTHS), user),
            np.arange(len(LENGTHS) + 1) * len(friends),
            np.tile(np.array(sorted(friends), dtype=np.int64), len(LENGTHS)),
            np.zeros(len(LENGTHS), dtype=np.int64),
        )
        bounds = protocol.bounds(context, copies.people, {"size": LENGTHS, "degree": LENGTHS})
        values.append(protocol.corrected_counts(context, copies, bounds))
        sent = copies if "degree" in protocol.schedule[0] else protocol.counted_lists(context, copies)
        sizes.append(int(sent.degrees[0]))
    widths = protocol.widths(context, bounds)
    length_loss = float(budget.size or budget.degree) * (np.abs(LENGTHS - sizes[1]) - np.abs(LENGTHS - sizes[0]))
    losses = [
        staircase_losses(float(budget.count), int(w), int(change)) if change else (0.0, 0.0)
        for w, change in zip(widths, values[0] - values[1], strict=True)
    ]
    _, partners = protocol.pair_owners(RoundContext()).owned(np.array([user]))
    answer = 0.0
    if entry in partners:
        q = float(protocol.response(RoundContext()).flip_probability)
        reported = noisy[min(user, entry), max(user, entry)]
        answer = math.log(q / (1 - q)) if reported else math.log((1 - q) / q)
    most = length_loss + answer + np.array([high for high, _ in losses])
    least = length_loss + answer + np.array([low for _, low in losses])
    return np.array([most.max(), -least.min()])


def worst_losses(protocol: TriangleProtocol) -> tuple[float, float]:
    """For one entry, and for a friendship that stands in two lists."""
    one, both = 0.0, 0.0
    for noisy, publication in publications():
        for i, j in PAIRS:
            others = [k for k in range(N) if k not in (i, j)]
            subsets = [set(s) for size in range(3) for s in itertools.combinations(others, size)]
            at_i = [parts(protocol, i, without, j, noisy, publication) for without in subsets]
            at_j = [parts(protocol, j, without, i, noisy, publication) for without in subsets]
            one = max(one, np.max(at_i), np.max(at_j))
            both = max(both, float((np.max(at_i, axis=0) + np.max(at_j, axis=0)).max()))
    return float(one), both


@pytest.mark.parametrize(
    "protocol",
    [
        VeilSequence(epsilon=1, n_people=N, salt=3),
        VeilSequence(epsilon=2, n_people=N),
        PlainSequence(epsilon=Fraction(1, 2), n_people=N),
        JointVeil(epsilon=1, n_people=N, salt=3),
        JointVeil(epsilon=2, n_people=N, degree_share=Fraction(1, 3), salt=3),
    ],
    ids=["split", "whole", "plain", "joint, split", "joint, whole"],
)
def test_an_entry_costs_epsilon_and_a_friendship_what_is_stated(protocol):
    entry, friendship = worst_losses(protocol)
    assert entry <= float(protocol.epsilon) + 1e-9
    assert entry == pytest.approx(float(protocol.epsilon), rel=1e-3)  # a flip probability is rounded up
    assert friendship <= float(protocol.guarantee.relationship_epsilon) + 1e-9
    assert friendship == pytest.approx(float(protocol.guarantee.relationship_epsilon), rel=1e-3)


@pytest.mark.parametrize("kind", [PlainSequence, JointVeil])
def test_less_noise_than_needed_is_noticed(kind, monkeypatch):
    protocol = kind(epsilon=1, n_people=N, salt=3)
    right = kind.widths
    monkeypatch.setattr(kind, "widths", lambda self, context, bounds, choice=0: right(self, context, bounds) * 7 // 10)
    assert worst_losses(protocol)[0] > 1.2
