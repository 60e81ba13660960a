"""Sound counterparts of refuted steps, small enough to be checked by eye and drawn many times at once.

They show that the auditor passes what is right, next to what is wrong. Inputs are a degree, one person's friend list
as bits, or a graph. Where a list is counted against a noisy graph, `round_one_graph` is a fixed one. At the end stand
the audit subjects made of them, and two with too little noise on purpose.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from typing import Any

import numpy as np

from graphveil.arrays import Bits, Integers
from graphveil.audit.engine.pairs import Pair, friend_list
from graphveil.audit.engine.result import AuditVerdict
from graphveil.audit.engine.sampling import Mechanism
from graphveil.audit.subject import Subject, SubjectKind
from graphveil.graph.core import Graph
from graphveil.mechanisms.noise.bernoulli import GRID, flip_coins
from graphveil.mechanisms.noise.bulk import bulk_discrete_laplace
from graphveil.mechanisms.noise.source import Noise
from graphveil.mechanisms.response import BinaryResponse, KaryResponse
from graphveil.mechanisms.unary import OptimalUnary
from graphveil.papers.gs_ldp.noisy_triangles import NoisyTriangles
from graphveil.papers.neighbours import N_OTHERS, THRESHOLD, degrees, graphs, lists
from graphveil.privacy.rounding import exp_bounds
from graphveil.privacy.unit import Kind
from graphveil.statistics.joint_degrees.tuple_noise import count_pairs

CIRCLE = 12
GROUP_WIDTH, N_GROUPS = 10, 5
FLIP = Fraction(27, 100)  # of round one; a rational, so that counts corrected by it lie on a public grid
KEEP_ONE = Fraction(3, 10)


@cache
def round_one_graph() -> Bits:
    """A noisy graph in which the persons of a first circle all know each other and nobody else does."""
    known = np.zeros((N_OTHERS, N_OTHERS), dtype=np.bool_)
    known[:CIRCLE, :CIRCLE] = ~np.eye(CIRCLE, dtype=np.bool_)
    return known


def two_stage_degrees(epsilon: Fraction) -> Mechanism:
    """The group by k-ary response, the place in it by unary encoding, or all zero where the noisy group is wrong.

    Both get x with x + ln((1 + e^x) / 2) <= epsilon, the exact loss of the two together, which is below 2 x.
    """
    x = _two_stage_share(float(epsilon))
    group_response = KaryResponse(epsilon=x, n_values=N_GROUPS)
    place_response = OptimalUnary(epsilon=x, n_values=GROUP_WIDTH)
    zero_threshold = int(place_response.flip_probability * GRID)

    def run(given: int, count: int, noise: Noise) -> Integers:
        group, place = divmod(given, GROUP_WIDTH)
        groups = group_response.perturb(np.full(count, group), noise)
        truthful = place_response.perturb(np.full(count, place), noise)
        empty = flip_coins(noise, zero_threshold, truthful.size).reshape(truthful.shape)
        return np.column_stack((groups, np.where((groups == group)[:, None], truthful, empty)))

    return run


def _two_stage_share(epsilon: float) -> Fraction:
    low, high = 0.0, epsilon
    for _ in range(50):
        middle = (low + high) / 2
        low, high = (middle, high) if middle + math.log((1 + math.exp(middle)) / 2) <= epsilon else (low, middle)
    return Fraction(math.floor(low * 10**9), 10**9)


def public_pairs_response(epsilon: Fraction) -> Mechanism:
    """Randomised response on a public half of the list's places: which pairs are asked does not depend on the list."""
    asked = np.arange(0, N_OTHERS, 2)
    response = BinaryResponse(epsilon=epsilon)

    def run(given: Bits, count: int, noise: Noise) -> Bits:
        bits: Bits = response.perturb(np.tile(given[asked], count), noise)
        return bits.reshape(count, len(asked))

    return run


def asymmetric_response(epsilon: Fraction) -> Mechanism:
    """A friend is reported with probability 3/10, a stranger with e^-epsilon times that, rounded up."""
    _, inverse = exp_bounds(-epsilon, bits=80)
    friend, stranger = int(KEEP_ONE * GRID), math.ceil(KEEP_ONE * inverse * GRID)

    def run(given: Bits, count: int, noise: Noise) -> Bits:
        reports = np.empty((count, len(given)), dtype=np.bool_)
        for j, is_friend in enumerate(given):
            reports[:, j] = flip_coins(noise, friend if is_friend else stranger, count)
        return reports

    return run


@dataclass(frozen=True, slots=True, kw_only=True)
class SecondRound(NoisyTriangles):
    """Triangle counts whose noise has the scale that one friend needs, (threshold - 1) / epsilon."""

    unit: Kind = Kind.EDGE
    flip_probability: Fraction = FLIP

    @property
    def sensitivity(self) -> int:
        """One friend changes the count by at most threshold - 1."""
        return self.threshold - 1

    def runs(self, friends: Bits, count: int, noise: Noise) -> Integers:
        """That many noisy counts of one list, cut to its first friends in public order."""
        first_friends = friends & (np.cumsum(friends) <= self.threshold)
        return self.perturb(np.tile(first_friends, (count, 1)), round_one_graph(), noise)


def second_round(epsilon: Fraction) -> Mechanism:
    """The triangle count of a list cut to 8 friends."""
    return SecondRound(epsilon=epsilon, threshold=THRESHOLD).runs


def triangle_transcript(epsilon: Fraction) -> Mechanism:
    """All that one person sends for a triangle count: a noisy degree, randomised bits, a noisy count (.2, .4, .4).

    The noisy degree sets how many friends are counted, the first so many in public order, and so the count's noise.
    """
    e0, e1 = epsilon / 5, 2 * epsilon / 5
    _, inverse = exp_bounds(-e1, bits=80)
    flip = Fraction(math.ceil(1000 * inverse / (1 + inverse)), 1000)

    def run(given: Bits, count: int, noise: Noise) -> Integers:
        degrees = int(given.sum()) + bulk_discrete_laplace(noise, e0, count)
        thresholds = np.clip(degrees + math.ceil(math.log(25) / e0), 2, N_OTHERS - 1)
        bits = given ^ flip_coins(noise, int(flip * GRID), count * N_OTHERS).reshape(count, N_OTHERS)
        counts = np.empty(count, dtype=np.int64)
        for threshold in np.unique(thresholds).tolist():
            step = SecondRound(epsilon=e1, threshold=threshold, flip_probability=flip)
            mine = np.flatnonzero(thresholds == threshold)
            counts[mine] = step.runs(given, len(mine), noise)
        return np.column_stack((degrees, bits, counts))

    return run


def per_tuple_noise(epsilon: Fraction) -> Mechanism:
    """Laplace noise of scale (4 l + 1) / epsilon on every pair of degrees k <= l up to a public bound."""

    def run(given: Graph, count: int, noise: Noise) -> Integers:
        return count_pairs(given, given.n_nodes - 1) + tuple_noise(given.n_nodes, count, epsilon, noise)

    return run


def tuple_noise(n_nodes: int, count: int, epsilon: Fraction, noise: Noise) -> Integers:
    """Noise for every pair of degrees up to n - 1 (`all_pairs`), in that many runs."""
    columns = [
        bulk_discrete_laplace(noise, epsilon / (4 * large + 1), count * large).reshape(count, large)
        for large in range(1, n_nodes)
    ]
    return np.hstack(columns)


def _repair(name: str, summary: str, build: Any, pairs: Any) -> Subject:
    return Subject(name, SubjectKind.REPAIR, summary, build, pairs)


REPAIR_SUBJECTS = (
    _repair("two-stage-degrees", "noisy group, then place", two_stage_degrees, degrees),
    _repair("public-pairs-response", "response on a public half of the list", public_pairs_response, lists),
    _repair("asymmetric-response", "fewer reports of strangers", asymmetric_response, lists),
    _repair("second-round-count", "triangles with noise (threshold - 1) / epsilon", second_round, lists),
    _repair("triangle-transcript", "all messages of one person", triangle_transcript, lists),
    _repair("per-tuple-noise", "noise on all pairs of degrees", per_tuple_noise, graphs),
)


def quarter_scale_count(epsilon: Fraction) -> Mechanism:
    """A second-round triangle count with a quarter of the noise it needs."""
    return SecondRound(epsilon=4 * epsilon, threshold=THRESHOLD).runs


def third_scale_tuples(epsilon: Fraction) -> Mechanism:
    """Counts of all pairs of degrees with a third of the noise they need."""
    return per_tuple_noise(3 * epsilon)


def _lists_at_the_cap() -> list[Pair]:
    without = friend_list(N_OTHERS, [*range(1, THRESHOLD), N_OTHERS - 1])
    instead = friend_list(N_OTHERS, [*range(THRESHOLD), N_OTHERS - 1])
    return [Pair(without, instead, "at the cap, a friend of all others takes the place of a friend of none")]


def _control(name: str, summary: str, build: Any, pairs: Any) -> Subject:
    return Subject(f"control-{name}", SubjectKind.CONTROL, summary, build, pairs, AuditVerdict.REFUTED)


PUBLISHED_CONTROLS = (
    _control(
        "quarter-scale-count", "a quarter of the noise a triangle count needs", quarter_scale_count, _lists_at_the_cap
    ),
    _control("third-scale-tuples", "a third of the noise that pairs of degrees need", third_scale_tuples, graphs),
)
