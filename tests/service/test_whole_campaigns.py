"""Campaigns from the first request to the result, over real sockets."""

from __future__ import annotations

import numpy as np
import pytest
from crowds import Crowd

from graphveil.graph.generate.random import power_law_cluster
from graphveil.local.result import section_documents
from graphveil.local.simulate import simulate
from graphveil.registry import PROTOCOLS, find_protocol

NETWORK = power_law_cluster(60, 3, 0.5, seed=3)
DEGREES = "degree-distribution"


def served() -> list:
    """Our own protocol for each statistic (one to three rounds), and those that let people choose."""
    return [entry for entry in PROTOCOLS if entry.name in ("veil", "preference")]


@pytest.mark.parametrize("entry", served(), ids=lambda entry: f"{entry.query}-{entry.name}-{entry.unit}")
def test_a_campaign_over_http_gives_the_numbers_of_a_simulation(start, sqlite, entry) -> None:
    crowd = Crowd.invite(start(sqlite), entry, NETWORK)
    result = crowd.run(seed=5)
    expected = simulate(crowd.campaign.protocol, NETWORK, seed=5, choices=crowd.choices)
    documents = section_documents(result)
    assert list(documents) == list(expected.sections)
    for statistic, section in expected.sections.items():
        assert np.array_equal(documents[statistic]["value"], np.asarray(section.value, dtype=float))
    assert result["guarantee"]["status"] == "proved"
    assert result["participation"] == {"people": 60, "reports": [60] * crowd.campaign.rounds}
    assert result["campaign"] == crowd.campaign.id
    if entry.query == "triangles":
        assert result["interval95"][0] < result["value"] < result["interval95"][1]


@pytest.mark.needs_data
def test_facebook_over_http_on_both_databases(start, database, real_graph) -> None:
    graph = real_graph("ego-Facebook")
    crowd = Crowd.invite(start(database), find_protocol(DEGREES, "veil", "node"), graph)
    result = crowd.run(seed=1)
    expected = simulate(crowd.campaign.protocol, graph, seed=1)
    assert np.array_equal(result["value"], expected.value)
    assert result["participation"]["reports"] == [4039]
    assert crowd.progress()["refusals"] == {}
