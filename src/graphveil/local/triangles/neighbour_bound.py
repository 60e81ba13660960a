"""How many friends a person can count at most, by what those people answered; and what a count can be at most.

Where the higher end of a pair answers for it, the answers about one person come from everybody but that person. Of
`above` such answers, s about friends, a number X says yes with mean q above + gain s, and by Hoeffding's inequality it
stays below its mean by more than sqrt(above ln(2^40) / 2) with a probability below 2^-40 only. So, but for that,
s <= (X - q above + that) / gain, and no more than everybody above who did not answer on top of it. A count that no list
of that length brings about, but for such a chance, is cut: one false report cannot move a total by much.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from graphveil.arrays import Floats, Integers
from graphveil.kernels import kernel
from graphveil.local.pairs.noisy_graph import PairBits
from graphveil.local.pairs.response import PARTS, PairResponse
from graphveil.local.protocol import RoundContext, Transcript
from graphveil.local.triangles.counts import Counted, capped_pairs
from graphveil.local.triangles.protocol import TriangleProtocol
from graphveil.local.triangles.ranges import FARTHEST
from graphveil.local.triangles.reports import numbers_of


def neighbour_bounds(graph: PairBits, ranks: Integers, response: PairResponse, answered: Integers) -> Floats:
    """For everybody, the most friends above, from the answers of those who answered."""
    above = len(ranks) - 1 - ranks
    missing = np.sort(np.delete(ranks, answered))
    silent = len(missing) - np.searchsorted(missing, ranks, side="right")
    excess = _reported_above(graph.matrix, ranks) - float(response.flip_probability) * above
    most = (excess + np.sqrt(above * (20 * math.log(2)))) / float(response.gain) + silent
    return np.asarray(np.clip(most, 0, above), dtype=np.float64)


def bound_counts(protocol: TriangleProtocol, context: RoundContext, transcript: Transcript) -> Integers:
    """Counts cut to what a list within the neighbour bound can bring about, but for a chance below 2^-40."""
    received, graph = transcript.received[-1], context.published[-1].graph
    counts: Integers = received.batch["count"]
    if protocol.design.counted is not Counted.OTHERS or not isinstance(graph, PairBits):
        return counts
    response, answered = protocol.response(context), transcript.received[-2].people
    bounds = neighbour_bounds(graph, protocol.pair_owners(context).ranks, response, answered)
    sizes = np.ceil(bounds).astype(np.int64)
    released = numbers_of(received.people, *transcript.received[:-1])["size"]
    cut = np.empty_like(counts)
    for choice, own in protocol.groups(transcript, received.people):
        people = received.people[own]
        cut[own] = np.clip(counts[own], *_range(protocol, context, people, sizes[people], released[own], choice))
    return cut


def _range(
    protocol: TriangleProtocol,
    context: RoundContext,
    people: Integers,
    sizes: Integers,
    released: Integers,
    choice: int,
) -> tuple[Floats, Floats]:
    """Between what counts lie of lists up to these sizes, whose people released a size."""
    budget, parts = protocol.budget(context, choice), protocol.response(context).flip_parts
    far = math.ceil(1 + FARTHEST / float(budget.size))
    announced = np.minimum(released, sizes + far)  # more is not announced by chance
    bounds = protocol.bounds(context, people, {"size": announced}, choice)
    noise = (1 + FARTHEST / float(budget.count)) * protocol.widths(context, bounds, choice)
    caps = protocol.contribution_caps(context, bounds, choice)
    low = -parts * capped_pairs(sizes, bounds) - noise
    high = largest_count(sizes, bounds, caps, PARTS * protocol.design.weight, parts) + noise
    return np.floor(low), np.ceil(high)


def largest_count(sizes: Integers, bounds: Integers, caps: Integers, edge: int, pair: int) -> Integers:
    """The most that edge f - pair h (see `counts`) can be for lists up to these sizes.

    f is at most all pairs, and cap s / 2. So the largest value lies where one takes over from the other, at the top of
    edge cap s / 2 - pair s^2 / 2, where h begins to grow evenly, or at the end.
    """
    tops = [caps + 1, np.clip(edge * caps // (2 * pair), caps + 1, bounds), bounds, sizes]
    ends = [np.minimum(sizes, top) for top in tops]
    values = [edge * (end * np.minimum(caps, end - 1) // 2) - pair * capped_pairs(end, bounds) for end in ends]
    return np.asarray(np.maximum(0, np.max(values, axis=0)) + edge + pair, dtype=np.int64)


@kernel
def _reported_above(matrix: Any, ranks: Any) -> Any:
    counts = np.zeros(len(ranks), dtype=np.int64)
    for j in range(len(ranks)):
        for k in range(j + 1, len(ranks)):
            if matrix[j, k >> 3] >> (k & 7) & 1:
                counts[j if ranks[j] < ranks[k] else k] += 1
    return counts
