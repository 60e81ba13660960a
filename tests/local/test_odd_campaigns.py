"""Tiny networks, lonely people, far-off epsilons, odd offers: a sound answer, or one clear line."""

from __future__ import annotations

import json

import numpy as np
import pytest

from graphveil.errors import GraphveilError, ParameterError
from graphveil.graph.core import Graph
from graphveil.graph.directed import oriented
from graphveil.graph.generate.random import power_law_cluster
from graphveil.local.experiment import run_experiment
from graphveil.local.forecast import forecast_errors
from graphveil.local.simulate import even_choices, simulate
from graphveil.privacy.guarantee import Verdict
from graphveil.registry import PROTOCOLS, build_protocol

GRAPHS = {
    "two strangers": Graph.from_edges([], n_nodes=2),
    "two friends": Graph.from_edges([(0, 1)]),
    "a triangle": Graph.from_edges([(0, 1), (1, 2), (0, 2)]),
    "mostly lonely": Graph.from_edges([(0, 1)], n_nodes=12),
}
over_protocols = pytest.mark.parametrize(
    "entry", PROTOCOLS, ids=lambda entry: f"{entry.query}-{entry.name}-{entry.unit}"
)


@over_protocols
@pytest.mark.parametrize("epsilon", ["1/100", "1", "10000"])
def test_tiny_networks_give_numbers_or_one_clear_line(entry, epsilon: str) -> None:
    for graph in GRAPHS.values():
        asked = {"statistic": entry.query, "protocol": entry.name, "unit": entry.unit, "epsilon": epsilon}
        told = ""
        try:
            json.dumps(run_experiment(graph, seed=1, **asked), allow_nan=False)
        except GraphveilError as refusal:
            told = str(refusal)
        assert len(told.splitlines()) <= 1


@over_protocols
def test_an_epsilon_too_small_for_a_message_is_refused_before_anybody_is_asked(entry) -> None:
    claim = entry.cls(epsilon=1, n_people=60).claim
    if claim is not None and claim.verdict is Verdict.REFUTED:
        return  # no campaign of these can be opened
    network = oriented(power_law_cluster(60, 3, 0.5, seed=1))
    for epsilon in ("1e-12", "1e-9", "1e-6", "1e-4"):
        try:
            protocol = build_protocol(entry.query, entry.name, unit=entry.unit, epsilon=epsilon, n_people=60)
        except ParameterError:
            continue
        simulate(protocol, network, seed=1)  # a campaign that opens can be brought to its end


@pytest.mark.parametrize("statistic", ["degree-distribution", "triangles", "triangle-sequence", "clustering"])
def test_strengths_that_nobody_picks_do_no_harm(statistic: str) -> None:
    network = power_law_cluster(60, 4, 0.5, seed=1)
    offer = "node:1/2, edge:1,node:2" if statistic == "degree-distribution" else "1/2, 1,2"
    protocol = build_protocol(
        statistic, "preference", unit="edge", epsilon=2, n_people=60, parameters={"strengths": offer}
    )
    assert len(protocol.guarantees) == len(protocol.strengths) == 3
    for pick in range(3):
        outcome = simulate(protocol, network, seed=1, choices=np.full(60, pick))
        assert outcome.estimate.facts["mix"][protocol.strengths[pick]] == 60
        assert np.isfinite(np.asarray(outcome.value)).all()


@pytest.mark.parametrize("offer", ["", "1,,2", ["1", 2], {"1": "2"}, 7.5])
def test_offers_that_are_no_lists_of_strengths_are_refused(offer) -> None:
    with pytest.raises(ParameterError) as refusal:
        build_protocol("triangles", "preference", unit="edge", epsilon=2, n_people=9, parameters={"strengths": offer})
    assert len(str(refusal.value).splitlines()) == 1


def test_a_forecast_is_of_people_who_pick_differently() -> None:
    protocol = build_protocol(
        "triangles", "preference", unit="edge", epsilon=4, n_people=200, parameters={"strengths": "1/4,4"}
    )
    assert sorted(np.bincount(even_choices(protocol))) != [0, 200]
    weak = build_protocol(
        "triangles", "preference", unit="edge", epsilon="1/4", n_people=200, parameters={"strengths": "1/4"}
    )
    mixed, alone = (forecast_errors(each, mean_degree=10, clustering=0.5) for each in (protocol, weak))
    assert mixed.std is not None
    assert alone.std is not None
    assert mixed.std < alone.std
