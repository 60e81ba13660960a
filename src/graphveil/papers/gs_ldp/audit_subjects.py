"""GS-LDP's steps as published, ready to be audited."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np

from graphveil.arrays import Bits, Integers
from graphveil.audit.engine.result import AuditVerdict
from graphveil.audit.engine.sampling import Mechanism
from graphveil.audit.subject import Build, Subject, SubjectKind
from graphveil.mechanisms.noise.source import Noise
from graphveil.papers.gs_ldp.grouped_degrees import GroupedDegrees
from graphveil.papers.gs_ldp.noisy_triangles import NoisyTriangles
from graphveil.papers.gs_ldp.pruned_lists import PrunedLists, Travel
from graphveil.papers.neighbours import N_OTHERS, THRESHOLD, any_two_lists, degrees, degrees_of_a_group, lists
from graphveil.papers.repairs import FLIP, GROUP_WIDTH, round_one_graph
from graphveil.privacy.unit import Kind


def _grouped_degrees(epsilon: Fraction) -> Mechanism:
    made = GroupedDegrees(epsilon=epsilon, group_width=GROUP_WIDTH)
    return lambda given, count, noise: made.perturb(np.full(count, given), noise)


def _pruned_lists(travel: Travel, unit: Kind) -> Build:
    def build(epsilon: Fraction) -> Mechanism:
        made = PrunedLists(epsilon=epsilon, threshold=THRESHOLD, unit=unit, travel=travel)
        return lambda given, count, noise: made.perturb(np.tile(given, (count, 1)), noise)

    return build


def _noisy_triangles(unit: Kind, *, with_list: bool) -> Build:
    """The second round alone at the whole epsilon, or both rounds at half of it each."""

    def build(epsilon: Fraction) -> Mechanism:
        share = epsilon / 2 if with_list else epsilon
        pruned = PrunedLists(epsilon=share, threshold=THRESHOLD, unit=unit, travel=Travel.IDS_AND_BITS)
        counts = NoisyTriangles(epsilon=share, threshold=THRESHOLD, unit=unit, flip_probability=FLIP)

        def run(given: Bits, count: int, noise: Noise) -> Integers:
            listed, bits = pruned.prune(np.tile(given, (count, 1)), noise)
            friends = np.zeros((count, N_OTHERS), dtype=np.bool_)
            np.put_along_axis(friends, listed, bits, axis=1)
            triangles = counts.perturb(friends, round_one_graph(), noise)[:, None]
            return np.hstack((pruned.report(listed, bits, N_OTHERS, noise), triangles)) if with_list else triangles

        return run

    return build


def _published(name: str, summary: str, build: Any, pairs: Any, *, refuted: bool = True) -> Subject:
    expected = AuditVerdict.REFUTED if refuted else AuditVerdict.CONSISTENT
    return Subject(name, SubjectKind.PUBLISHED, summary, build, pairs, expected)


GS_LDP_SUBJECTS = (
    _published("gs-ldp-degrees", "GS-LDP Algorithm 1", _grouped_degrees, degrees),
    _published(
        "gs-ldp-degrees-within-a-group",
        "GS-LDP Algorithm 1, degrees of one group only",
        _grouped_degrees,
        degrees_of_a_group,
        refuted=False,
    ),
    *(
        _published(
            f"gs-ldp-prune-{unit}-{travel}",
            f"GS-LDP Prune and randomised response of Algorithm {4 if unit is Kind.EDGE else 3}, {travel} sent",
            _pruned_lists(travel, unit),
            lists if unit is Kind.EDGE else any_two_lists,
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
            lists if unit is Kind.EDGE else any_two_lists,
            refuted=False,
        )
        for unit in Kind
    ),
    *(
        _published(
            f"gs-ldp-both-rounds-{unit}",
            f"GS-LDP both rounds of Algorithm {4 if unit is Kind.EDGE else 3}",
            _noisy_triangles(unit, with_list=True),
            lists,
        )
        for unit in Kind
    ),
)
