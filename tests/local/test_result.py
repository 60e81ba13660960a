import math
from fractions import Fraction

import numpy as np
import pytest

from graphveil.graph.generate.random import power_law_cluster
from graphveil.local.protocol import LAPLACE95, NORMAL95, Estimate
from graphveil.local.result import CollectionResult, result_document
from graphveil.local.simulate import simulate
from graphveil.mechanisms.release import Release
from graphveil.privacy.guarantee import Status
from graphveil.registry import build_protocol

GRAPH = power_law_cluster(60, 3, 0.5, seed=1)
TRIANGLES = build_protocol("triangles", "veil", unit="edge", epsilon=2, n_people=60)


def test_a_result_holds_a_release_with_its_protocol_and_parameters() -> None:
    result = simulate(TRIANGLES, GRAPH, seed=3)
    release = result.release
    assert isinstance(release, Release)
    assert (release.query, release.value, release.guarantee) == ("triangles", result.value, result.guarantee)
    assert release.guarantee.status is Status.SEEDED
    assert release.provenance.algorithm == "veil"
    assert release.provenance.parameters == {"epsilon": "2"} | TRIANGLES.parameters()
    assert (release.provenance.noise, release.provenance.entry) == ("seeded", None)
    low, high = release.accuracy.interval(0.95)
    assert result.interval95 == (pytest.approx(low), pytest.approx(high))
    assert high - low == pytest.approx(2 * NORMAL95 * result.std)
    assert "3. round 3: 60 of 60 people sent a noisy report" in release.explain()
    assert release.to_json()["value"] == result.to_json()["value"]


def test_the_band_is_the_protocols_own_multiple_of_the_deviation() -> None:
    protocol = build_protocol("triangle-sequence", "plain", unit="edge", epsilon=2, n_people=3)
    result = CollectionResult.of(protocol, Estimate(np.array([1.0, 2.0, 3.0]), 2.0), (3,))
    assert protocol.reach95 == LAPLACE95
    assert result.release.accuracy.interval(0.95)[1] == tuple(value + LAPLACE95 * 2.0 for value in (1.0, 2.0, 3.0))
    assert result.release.accuracy.to_json()["simultaneous"] is False


def test_nothing_is_said_of_an_entry_without_a_deviation() -> None:
    result = CollectionResult.of(TRIANGLES, Estimate(np.array([1.0, 2.0]), np.array([0.5, math.nan])), (2, 2, 2))
    assert result.release.accuracy.interval(0.95)[0][1] == -math.inf
    low, high = result.interval95
    assert np.isnan([low[1], high[1]]).all()
    document = result_document(result)
    assert document["std"] == [0.5, None]
    assert document["interval95"] == [[1 - NORMAL95 / 2, None], [1 + NORMAL95 / 2, None]]
    assert document["why_no_interval"] is None


def test_where_no_deviation_is_known_the_protocol_says_why() -> None:
    protocol = build_protocol("degree-distribution", "oue", unit="node", epsilon=2, n_people=60)
    result = CollectionResult.of(protocol, Estimate(np.array([0.5, 0.5]), None, {"bound": 3}), (60,))
    assert (result.interval95, result.std, result.why_no_interval) == (None, None, protocol.why_no_interval)
    assert result.release.accuracy.bands == ()
    assert result.estimate.facts == result_document(result)["facts"] == {"bound": 3}
    assert result.guarantee.epsilon == Fraction(2)
