"""Steps as papers publish them, next to sound counterparts, ready to be audited."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from graphveil.audit import references
from graphveil.audit.neighbours import edge_toggles, friend_list
from graphveil.audit.pairs import Pair
from graphveil.audit.references import FLIP, GROUP_WIDTH, N_OTHERS, THRESHOLD, round_one_graph
from graphveil.audit.result import AuditVerdict
from graphveil.audit.sampling import Mechanism
from graphveil.audit.subject import Build, Subject, SubjectKind
from graphveil.graph.core import Graph
from graphveil.local.published.grouped_degrees import GroupedDegrees
from graphveil.local.published.noisy_triangles import NoisyTriangles
from graphveil.local.published.pruned_lists import PrunedLists, Travel
from graphveil.mechanisms.additive import sample_discrete_laplace_vector
from graphveil.mechanisms.source import Noise
from graphveil.privacy.unit import Kind
from graphveil.synthetic.published.bcpa import Bcpa
from graphveil.synthetic.published.dk_pa import DkPa
from graphveil.synthetic.published.drc import Drc
from graphveil.synthetic.published.noisy_tuples import TuplePerturbation
from graphveil.synthetic.tuple_noise import pair_places

Bits = NDArray[np.bool_]
Integers = NDArray[np.int64]


def _grouped_degrees(epsilon: Fraction) -> Mechanism:
    page = GroupedDegrees(epsilon=epsilon, group_width=GROUP_WIDTH)
    return lambda given, count, noise: page.perturb(np.full(count, given), noise)


def _pruned_lists(travel: Travel, unit: Kind) -> Build:
    def build(epsilon: Fraction) -> Mechanism:
        page = PrunedLists(epsilon=epsilon, threshold=THRESHOLD, unit=unit, travel=travel)
        return lambda given, count, noise: page.perturb(np.tile(given, (count, 1)), noise)

    return build


def _noisy_triangles(unit: Kind, *, with_list: bool) -> Build:
    """The second round alone at the whole epsilon, or both rounds at half of it each."""

    def build(epsilon: Fraction) -> Mechanism:
        share = epsilon / 2 if with_list else epsilon
        lists = PrunedLists(epsilon=share, threshold=THRESHOLD, unit=unit, travel=Travel.IDS_AND_BITS)
        counts = NoisyTriangles(epsilon=share, threshold=THRESHOLD, unit=unit, flip_probability=FLIP)

        def run(given: Bits, count: int, noise: Noise) -> Integers:
            listed, bits = lists.prune(np.tile(given, (count, 1)), noise)
            friends = np.zeros((count, N_OTHERS), dtype=np.bool_)
            np.put_along_axis(friends, listed, bits, axis=1)
            triangles = counts.perturb(friends, round_one_graph(), noise)[:, None]
            return np.hstack((lists.report(listed, bits, N_OTHERS, noise), triangles)) if with_list else triangles

        return run

    return build


def _published_tuples(make: Callable[[Fraction], TuplePerturbation]) -> Build:
    """The tuples that occur; a missing one is a missing entry."""

    def build(epsilon: Fraction) -> Mechanism:
        scheme = make(epsilon)

        def run(given: Graph, count: int, noise: Noise) -> NDArray[np.float64]:
            published = scheme.perturb(given, noise, runs=count)
            cells = np.full((count, math.comb(given.n_nodes, 2)), np.nan)
            cells[:, pair_places(published.degrees)] = published.counts
            return cells

        return run

    return build


def _padded_tuples(make: Callable[[Fraction], TuplePerturbation]) -> Build:
    """A half repair: noise on the tuples that do not occur, too, of the scale that the largest possible degree needs.

    Where all tuples form one group, those that do not occur belong to it and get its noise.
    """

    def build(epsilon: Fraction) -> Mechanism:
        scheme, published = make(epsilon), _published_tuples(make)(epsilon)

        def run(given: Graph, count: int, noise: Noise) -> NDArray[np.float64]:
            cells: NDArray[np.float64] = published(given, count, noise)
            largest = int(given.degrees.max()) if scheme.n_groups == 1 else given.n_nodes - 1
            missing = np.flatnonzero(np.isnan(cells[0]))  # the same in every run
            padding = sample_discrete_laplace_vector(noise, scheme.rate(largest), count * len(missing))
            cells[:, missing] = padding.reshape(count, len(missing))
            return cells

        return run

    return build


def _degrees() -> list[Pair]:
    pairs = ((3, 4), (9, 10), (0, 9), (0, 40))
    return [Pair(one, other, f"{one} friends or {other}") for one, other in pairs]


def _degrees_of_a_group() -> list[Pair]:
    return [Pair(3, 4, "3 friends or 4"), Pair(0, 9, "0 friends or 9")]


def _lists() -> list[Pair]:
    """One friend more: below the threshold, at it and above it; in the circle of the others, and outside."""
    inside = [(range(1, 1 + d), extra) for d in (4, THRESHOLD - 1, THRESHOLD, THRESHOLD + 1) for extra in (0, 20)]
    swap = ([*range(1, THRESHOLD), 20], 0)  # person 0 takes the place of person 20, whom nobody else knows
    return [
        Pair(
            friend_list(N_OTHERS, friends),
            friend_list(N_OTHERS, [*friends, extra]),
            f"{len(friends)} friends, or person {extra} too" + (" (for person 20)" if 20 in friends else ""),
        )
        for friends, extra in (*inside, swap)
    ]


def _any_two_lists() -> list[Pair]:
    """Besides these, lists that differ everywhere."""
    nobody = friend_list(N_OTHERS, ())
    strangers, circle = (friend_list(N_OTHERS, range(start, start + THRESHOLD)) for start in (20, 0))
    return [
        *_lists(),
        Pair(nobody, circle, f"no friends or {THRESHOLD}"),
        Pair(strangers, circle, f"{THRESHOLD} friends who are strangers, or who know each other"),
    ]


def _graphs() -> list[Pair]:
    star = [(0, i) for i in range(1, 9)]
    path = [(9, 10), (10, 11), (11, 12)]
    stars = [*((0, i) for i in range(2, 8)), *((1, i) for i in range(8, 14))]
    graphs = {
        "a star and a path": Graph.from_edges(star + path, n_nodes=14),
        "a star, a triangle and a path": Graph.from_edges([*star, *path, (12, 13), (1, 2)], n_nodes=14),
        "two stars": Graph.from_edges(stars, n_nodes=14),
    }
    return edge_toggles(graphs)


def _published(name: str, summary: str, build: Any, pairs: Any, *, refuted: bool = True) -> Subject:
    expected = AuditVerdict.REFUTED if refuted else AuditVerdict.CONSISTENT
    return Subject(name, SubjectKind.PUBLISHED, summary, build, pairs, expected)


def _repair(name: str, summary: str, build: Any, pairs: Any) -> Subject:
    return Subject(name, SubjectKind.REPAIR, summary, build, pairs)


_TUPLE_SCHEMES: tuple[tuple[str, str, Callable[[Fraction], TuplePerturbation]], ...] = (
    ("dk-pa", "dK-PA", lambda epsilon: DkPa(epsilon=epsilon)),
    ("drc", "DRC", lambda epsilon: Drc(epsilon=epsilon, n_groups=2)),
    ("bcpa", "BCPA", lambda epsilon: Bcpa(epsilon=epsilon, n_groups=2)),
)

PUBLISHED_SUBJECTS = (
    _published("gs-ldp-degrees", "GS-LDP Algorithm 1", _grouped_degrees, _degrees),
    _published(
        "gs-ldp-degrees-within-a-group",
        "GS-LDP Algorithm 1, degrees of one group only",
        _grouped_degrees,
        _degrees_of_a_group,
        refuted=False,
    ),
    *(
        _published(
            f"gs-ldp-prune-{unit}-{travel}",
            f"GS-LDP Prune and randomised response of Algorithm {4 if unit is Kind.EDGE else 3}, {travel} sent",
            _pruned_lists(travel, unit),
            _lists if unit is Kind.EDGE else _any_two_lists,
            refuted=travel is not Travel.BITS_ONLY,
        )
        for unit in Kind
        for travel in Travel
    ),
    *(
        _published(
            f"gs-ldp-second-round-{unit}",
            f"GS-LDP second round of Algorithm {4 if unit is Kind.EDGE else 3} alone",
            _noisy_triangles(unit, with_list=False),
            _lists if unit is Kind.EDGE else _any_two_lists,
            refuted=False,
        )
        for unit in Kind
    ),
    *(
        _published(
            f"gs-ldp-both-rounds-{unit}",
            f"GS-LDP both rounds of Algorithm {4 if unit is Kind.EDGE else 3}",
            _noisy_triangles(unit, with_list=True),
            _lists,
        )
        for unit in Kind
    ),
    *(
        _published(name, f"{short}'s noise step", _published_tuples(make), _graphs)
        for name, short, make in _TUPLE_SCHEMES
    ),
    *(
        _published(
            f"{name}-padded", f"{short}'s noise step with noise on missing tuples", _padded_tuples(make), _graphs
        )
        for name, short, make in _TUPLE_SCHEMES
    ),
)

REPAIR_SUBJECTS = (
    _repair("two-stage-degrees", "noisy group, then place", references.two_stage_degrees, _degrees),
    _repair("public-pairs-response", "response on a public half of the list", references.public_pairs_response, _lists),
    _repair("asymmetric-response", "fewer reports of strangers", references.asymmetric_response, _lists),
    _repair("second-round-count", "triangles with noise (threshold - 1) / epsilon", references.second_round, _lists),
    _repair("triangle-transcript", "all messages of one person", references.triangle_transcript, _lists),
    _repair("per-tuple-noise", "noise on all pairs of degrees", references.per_tuple_noise, _graphs),
)
