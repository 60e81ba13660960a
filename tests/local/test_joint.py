"""Several statistics in one campaign: what is sent, what it costs, what comes out, and how epsilon is shared."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from graphveil.errors import ParameterError
from graphveil.graph.core import Graph
from graphveil.graph.generate.random import power_law_cluster
from graphveil.local.campaign import Campaign
from graphveil.local.experiment import run_experiment
from graphveil.local.joint.estimates import degree_reports
from graphveil.local.joint.shares import best_degree_share, forecast_share
from graphveil.local.joint.veil import STATISTICS, JointVeil
from graphveil.local.lists import Lists
from graphveil.local.protocol import RoundContext
from graphveil.local.result import result_document
from graphveil.local.simulate import seeded, simulate, transcript_of
from graphveil.local.statistics import find_statistic
from graphveil.registry import build_protocol, find_protocol

THREE = "degree-distribution,triangle-sequence,clustering"
NETWORK: Graph = power_law_cluster(300, 6, 0.6, seed=3)
EDGE = {"unit": "edge", "epsilon": 1}


def build(statistic: str = THREE, **changes) -> JointVeil:
    return build_protocol(statistic, "veil", n_people=NETWORK.n_nodes, **{**EDGE, **changes})


def test_three_statistics_cost_what_one_does() -> None:
    """One degree, answers and one count are all that is sent; an entry pays for the degree and one of the others."""
    protocol = build()
    sent = [(part.what, part.round) for part in protocol.messages(RoundContext()).parts]
    assert sent == [("degree", 1), ("pairs", 1), ("count", 2)]
    assert (protocol.guarantee.epsilon, protocol.guarantee.relationship_epsilon) == (1, 2)
    whole = build(epsilon=2, parameters={"degree_share": "2/5"})
    assert (whole.method, whole.guarantee.relationship_epsilon / 2) == ("whole", Fraction(17, 10))
    alone = build_protocol("triangle-sequence", "veil", n_people=NETWORK.n_nodes, **EDGE)
    assert protocol.cost() == alone.cost()


def test_the_document_has_an_entry_for_each_statistic_and_one_guarantee_and_cost() -> None:
    asked = {"unit": "edge", "epsilon": 4}
    document = run_experiment(NETWORK, statistic=THREE, protocol="veil", runs=2, seed=1, **asked)
    assert list(document["results"]) == THREE.split(",")
    for name, section in document["results"].items():
        assert set(section["metrics"]) == set(section["spread"])
        assert 0 <= section["interval95_held"] <= 1
        assert ("interval95_held_for_people" in section) == (name == "degree-distribution")
    assert document["guarantee"]["epsilon"] == 4
    assert set(document["cost"]) == {"upload_bits_per_user", "download_bits_per_user"}
    assert not {"metrics", "facts", "coverage95"} & set(document)


def test_a_total_of_triangles_comes_without_an_interval_and_says_why() -> None:
    section = run_experiment(NETWORK, statistic="triangles,clustering", protocol="veil", seed=1, **EDGE)["results"]
    assert "interval95_held" not in section["triangles"]
    assert "chosen once for all" in section["triangles"]["why_no_interval"]
    assert section["triangles"]["estimate"]["interval95"] is None
    whole = {"unit": "edge", "epsilon": 2}
    section = run_experiment(NETWORK, statistic="triangles,clustering", protocol="veil", seed=1, **whole)["results"]
    assert "interval95_held" in section["triangles"]


def test_the_order_of_names_does_not_matter_and_subsets_are_campaigns_of_their_own() -> None:
    assert build("clustering, degree-distribution") == build("degree-distribution,clustering")
    assert build("clustering,degree-distribution").statistic == "degree-distribution,clustering"
    campaign = Campaign.create("triangles,clustering", "veil", n_people=50, title="May", **EDGE)
    assert Campaign.from_json(campaign.to_json()) == campaign
    assert "statistics" not in campaign.protocol.parameters()
    assert campaign.protocol.parameters()["degree_share"] != "0"  # what was forecast stands in the text


@pytest.mark.parametrize(
    ("statistic", "says"),
    [
        ("degree-distribution,diameter", "diameter"),
        ("degree-distribution,transitivity", "transitivity"),
        ("clustering,clustering", "twice"),
        ("clustering,", "''"),
    ],
)
def test_what_is_not_collected_together_is_refused_by_name(statistic: str, says: str) -> None:
    with pytest.raises(ParameterError, match=says):
        build(statistic)


def test_a_single_statistic_and_an_option_for_names_are_refused() -> None:
    with pytest.raises(ParameterError, match="no joint campaign"):
        JointVeil(epsilon=1, n_people=10, statistics=("clustering",))
    with pytest.raises(ParameterError, match="leave the option statistics out"):
        build(parameters={"statistics": "clustering,triangles"})
    with pytest.raises(ParameterError, match="degree_share lies above 0"):
        build(parameters={"degree_share": 1})
    assert find_protocol(THREE, "veil", "edge").cls is JointVeil


@pytest.mark.parametrize("statistic", STATISTICS)
def test_at_a_large_epsilon_every_statistic_is_nearly_exact(statistic: str) -> None:
    """Nothing is left but caps, and what the bins of degrees blur."""
    asked, protocol = find_statistic(statistic), JointVeil(epsilon=400, n_people=NETWORK.n_nodes)
    value = simulate(protocol, NETWORK, seed=1).sections[statistic].value
    truth = asked.exact(NETWORK)
    assert asked.metrics(value, truth)["relative_error"] < 0.1
    if np.ndim(truth) and statistic != "degree-distribution":
        assert np.corrcoef(value, truth)[0, 1] > 0.8


def test_counts_are_unbiased_over_the_public_choice_of_pairs() -> None:
    """The mean over 40 choices of pairs at a large epsilon; off by five deviations with a probability below 1e-6."""
    truth = find_statistic("triangles").exact(NETWORK)
    totals = []
    for salt in range(40):
        protocol = JointVeil(epsilon=60, n_people=NETWORK.n_nodes, salt=salt, method="split")
        transcript = transcript_of(protocol, Lists.of_graph(NETWORK), seeded(salt))
        totals.append(degree_reports(protocol, transcript).counts.sum() / 3)
    assert abs(np.mean(totals) - truth) < 5 * np.std(totals) / np.sqrt(40)
    assert abs(0.9 * np.mean(totals) - truth) > 5 * np.std(totals) / np.sqrt(40)  # a wrong correction is noticed


def test_a_result_has_sections_that_stand_by_themselves() -> None:
    result = simulate(build(), NETWORK, seed=1)
    assert result.statistic == THREE
    assert list(result.sections) == THREE.split(",")
    document = result_document(result)
    for name, section in result.sections.items():
        assert section.guarantee == result.guarantee
        assert (
            section.to_json()["value"]
            == document["results"][name]["value"]
            == result.to_json()["results"][name]["value"]
        )
        shown = document["results"][name]
        assert (shown["interval95"] is None) == (shown["why_no_interval"] is not None)
    assert document["results"]["degree-distribution"]["interval95"] is not None


def test_the_share_for_degrees_follows_from_public_values_and_leaves_degrees_no_worse_off() -> None:
    for epsilon in ("1/10", "1", "2", "5"):
        for names in (STATISTICS, STATISTICS[:3], ("degree-distribution", "clustering")):
            for method in ("split", "whole"):
                share = best_degree_share(names, method, Fraction(epsilon), 4039)
                assert Fraction(1, len(names)) <= share <= Fraction(1, 2)
    assert best_degree_share(("triangle-sequence", "triangles"), "whole", Fraction(2), 4039) < Fraction(1, 4)
    assert best_degree_share(STATISTICS, "split", Fraction(1, 10**6), 4039) == Fraction(2, 5)  # nothing to forecast


def test_a_forecast_of_a_share_says_who_gains() -> None:
    little, much = (forecast_share("whole", Fraction(2), Fraction(share, 20), 4039) for share in (4, 10))
    assert much["degree-distribution"] < little["degree-distribution"]
    assert much["triangle-sequence"] > little["triangle-sequence"]
