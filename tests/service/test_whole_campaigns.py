"""Campaigns from the first request to the result, over real sockets."""

from __future__ import annotations

import numpy as np
import pytest
from crowds import Crowd

from conftest import wait_until
from graphveil.graph.directed import oriented
from graphveil.graph.generate.random import power_law_cluster
from graphveil.local.client import Client
from graphveil.local.result import section_documents
from graphveil.local.simulate import simulate
from graphveil.local.statistics import find_statistic
from graphveil.registry import PROTOCOLS, find_protocol

NETWORK = oriented(power_law_cluster(60, 3, 0.5, seed=3))
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


@pytest.mark.parametrize("statistic", ["triangle-sequence", "clustering"])
def test_people_who_protect_their_whole_list_take_part_over_http(start, sqlite, statistic: str) -> None:
    """Every other person gives the length of the list alone; the numbers are those of a simulation."""
    asked = {"epsilon": "2", "parameters": {"strengths": "2,node:2"}}
    crowd = Crowd.invite(start(sqlite), find_protocol(statistic, "preference", "edge"), NETWORK, **asked)
    result = crowd.run(seed=5)
    expected = simulate(crowd.campaign.protocol, NETWORK, seed=5, choices=crowd.choices)
    assert result["value"] == expected.value.tolist()
    assert [str(guarantee.unit) for guarantee in crowd.campaign.protocol.guarantees] == ["edge", "node"]


@pytest.mark.needs_data
def test_facebook_over_http_on_both_databases(start, database, real_graph) -> None:
    graph = real_graph("ego-Facebook")
    crowd = Crowd.invite(start(database), find_protocol(DEGREES, "veil", "node"), graph)
    result = crowd.run(seed=1)
    expected = simulate(crowd.campaign.protocol, graph, seed=1)
    assert np.array_equal(result["value"], expected.value)
    assert result["participation"]["reports"] == [4039]
    assert crowd.progress()["refusals"] == {}


def test_clients_with_secret_noise_learn_three_things_at_once(start, sqlite) -> None:
    """Everybody is a client of their own. At epsilon 40 hardly any noise is left: errors are those of bins and caps."""
    asked = "degree-distribution,triangle-sequence,clustering"
    changes = {"statistic": asked, "epsilon": "40", "accept_weak": True}
    roomy = start(sqlite, person_limit="100")
    crowd = Crowd.invite(roomy, find_protocol(asked, "veil", "edge"), NETWORK, **changes)
    clients = [Client(crowd.campaign, user, NETWORK.neighbors(user)) for user in range(NETWORK.n_nodes)]
    crowd.enrol()
    for number in (1, 2):
        wait_until(lambda number=number: crowd.status()["round"] == number)
        published = crowd.publications()
        answers = [client.answer(number, published).encode() for client in clients]
        assert crowd.send(answers) == {"accepted": len(clients), "refused": []}
    wait_until(lambda: crowd.status()["state"] == "done")
    result = crowd.server.ask("GET", f"{crowd.path}/result", crowd.server.operator).json()
    assert result["guarantee"]["epsilon"] == 40
    for statistic, section in result["results"].items():
        truth = find_statistic(statistic)
        assert truth.metrics(section["value"], truth.exact(NETWORK))["relative_error"] < 0.15
    assert list(result["results"]) == asked.split(",")
