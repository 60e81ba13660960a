"""Everybody picks their own strength; the estimate uses each report as what it is."""

from __future__ import annotations

import numpy as np
import pytest

from graphveil.errors import ParameterError, ReportRefused
from graphveil.graph.generate import power_law_cluster
from graphveil.local.metrics import distribution_metrics
from graphveil.local.page import Turn
from graphveil.local.protocols.preference import PreferredDegrees
from graphveil.local.protocols.veil_degrees import VeilDegrees
from graphveil.local.simulate import simulate
from graphveil.local.statistics import exact_degree_distribution

N = 3000
NETWORK = power_law_cluster(N, 4, 0.5, seed=4)
TRUTH = exact_degree_distribution(NETWORK)
HALVES = np.arange(N) % 2


def distance(page, choices=None) -> float:
    values = [simulate(page, NETWORK, seed=seed, choices=choices).value for seed in range(3)]
    return float(np.mean([distribution_metrics(value, TRUTH)["wasserstein"] for value in values]))


def test_the_result_states_the_mix_and_what_each_group_was_promised() -> None:
    page = PreferredDegrees(epsilon=4, n_people=N, strengths=("node:1/2", "node:4", "edge:1"))
    choices = np.repeat([0, 1, 2], [1000, 1500, 500])
    document = simulate(page, NETWORK, seed=1, choices=choices).to_json()
    assert document["facts"]["mix"] == {"node:1/2": 1000, "node:4": 1500, "edge:1": 500}
    stated = [(s["unit"], s["epsilon"], s["relationship_epsilon"]) for s in document["strengths"]]
    assert stated == [("node", 0.5, 4.5), ("node", 4.0, 8.0), ("edge", 1.0, 5.0)]
    assert (document["guarantee"]["unit"], document["guarantee"]["epsilon"]) == ("edge", 4.0)
    assert any("in the clear" in fact for fact in document["guarantee"]["assumes"])


def test_one_strength_for_all_is_the_plain_protocol() -> None:
    mixed = PreferredDegrees(epsilon=1, n_people=N, strengths=("node:1",))
    plain = VeilDegrees(epsilon=1, n_people=N)
    assert np.array_equal(simulate(mixed, NETWORK, seed=3).value, simulate(plain, NETWORK, seed=3).value)


def test_sharper_reports_count_for_more_and_weak_ones_do_no_harm() -> None:
    mixed = PreferredDegrees(epsilon=4, n_people=N, strengths=("node:1/10", "node:4"))
    ours = distance(mixed, HALVES)
    assert ours < 2 * distance(VeilDegrees(epsilon=4, n_people=N))
    assert ours < distance(VeilDegrees(epsilon="1/10", n_people=N)) / 3


def test_strengths_are_checked() -> None:
    for strengths in (
        ["node:1", "node:1"],
        ["people:1"],
        ["node:0", "node:1"],
        ["node:1/2"],
        ["node:2"],
        ["node"] * 17,
    ):
        with pytest.raises(ParameterError):
            PreferredDegrees(epsilon=1, n_people=N, strengths=strengths)
    assert PreferredDegrees(epsilon=1, n_people=N).strengths == ("node:1/2", "node:1", "edge:1")


def test_payloads_that_fit_no_strength_are_refused() -> None:
    page = PreferredDegrees(epsilon=1, n_people=N)
    for payload in (b"", b"\x03\x00\x00", b"\x02\xff\xff", b"\x02\x00"):
        with pytest.raises(ReportRefused):
            page.unpack(Turn(), np.array([5]), [payload])
