"""One suite over every collection protocol: what campaigns, clients and readers may rely on."""

import dataclasses
from contextlib import suppress
from fractions import Fraction

import numpy as np
import pytest

from graphveil.errors import ClaimRefuted, ParameterError, ReportRefused
from graphveil.graph.core import Graph
from graphveil.graph.generate import power_law_cluster
from graphveil.local.campaign import Campaign
from graphveil.local.client import Client
from graphveil.local.lists import Lists
from graphveil.local.page import Turn
from graphveil.local.registry import PROTOCOLS, Entry
from graphveil.local.simulate import simulate
from graphveil.local.statistics import find_statistic
from graphveil.mechanisms.source import SystemNoise
from graphveil.privacy.guarantee import Status, Verdict
from graphveil.privacy.unit import Trust
from graphveil.release.registry import parse_header

NETWORK = power_law_cluster(60, 4, 0.5, seed=5)
SMALL = {
    "two strangers": Graph.from_edges([], n_nodes=2),
    "two friends": Graph.from_edges([(0, 1)]),
    "a star": Graph.from_edges([(0, i) for i in range(1, 30)]),
    "everybody knows everybody": Graph.from_edges([(i, j) for i in range(20) for j in range(i)]),
}
over_all = pytest.mark.parametrize("entry", PROTOCOLS, ids=lambda entry: f"{entry.statistic}-{entry.name}-{entry.unit}")


def page_of(entry: Entry, epsilon: object = 1, n_people: int = 60):
    return entry.page(epsilon=epsilon, n_people=n_people)


def refuted(entry: Entry) -> bool:
    claim = page_of(entry).claim
    return claim is not None and claim.verdict is Verdict.REFUTED


@over_all
def test_the_page_header_is_complete_and_agrees_with_its_row(entry):
    header = parse_header(entry.document)
    assert {"Paper", "Unit", "Trust", "Guarantee", "Estimator", "Cost"} <= set(header)
    assert entry.unit in header["Unit"].partition(";")[0]
    assert header["Trust"] == "local"
    page = entry.page
    assert (page.statistic, page.name, page.unit) == (entry.statistic, entry.name, entry.unit)
    assert find_statistic(entry.statistic).name == entry.statistic
    assert page.__doc__


@over_all
def test_parameters_are_public_frozen_and_written_down_exactly(entry):
    page = page_of(entry, "1/3")
    with pytest.raises(dataclasses.FrozenInstanceError):
        page.epsilon = Fraction(2)
    again = entry.page(epsilon=str(page.epsilon), n_people=60, **page.parameters())
    assert again == page
    for epsilon in (0, -1, "nan", "inf", None):
        with pytest.raises(ParameterError):
            page_of(entry, epsilon)


@over_all
def test_the_guarantee_is_local_and_says_what_a_relationship_costs(entry):
    for epsilon in (Fraction(1, 7), Fraction(1), Fraction(3)):
        guarantee = page_of(entry, epsilon).guarantee
        assert guarantee.trust is Trust.LOCAL
        assert guarantee.epsilon == epsilon
        assert epsilon <= guarantee.relationship_epsilon <= 2 * epsilon
        assert guarantee.unit.kind == entry.unit
        assert guarantee.status is Status.PROVED


@over_all
def test_a_refuted_page_runs_in_simulations_only(entry):
    page = page_of(entry)
    if not refuted(entry):
        assert Campaign(page, "now", 1).guarantee == page.guarantee
        return
    with pytest.raises(ClaimRefuted):
        Campaign(page, "now", 1)
    with pytest.raises(ClaimRefuted):
        page.pack(Turn(), np.array([0]), None)
    with pytest.raises(ClaimRefuted):
        page.unpack(Turn(), np.array([0]), [b""])


@over_all
def test_the_production_path_runs_and_its_messages_are_as_short_as_stated(entry):
    if refuted(entry):
        assert simulate(page_of(entry), NETWORK).guarantee.status is Status.CLAIM_REFUTED
        return
    campaign = Campaign(page_of(entry), "now", 1)
    report = Client(campaign, 7, NETWORK.neighbors(7)).answer(1)
    assert len(report.payload) <= campaign.protocol.cost().upload_bits_per_user / 8 + 3
    assert campaign.protocol.cost().upload_bits_per_user > 0


@over_all
def test_messages_are_read_back_and_changed_ones_never_crash(entry):
    if refuted(entry):
        return
    page, lists, people = page_of(entry), Lists.of_graph(NETWORK), np.arange(60)
    payloads = page.pack(Turn(), people, page.perturb(Turn(), lists, SystemNoise()))
    assert page.pack(Turn(), people, page.unpack(Turn(), people, payloads)) == payloads
    rng = np.random.default_rng(4)
    for payload in (b"", b"\xff" * 3, rng.bytes(5), payloads[0] + b"\x00", payloads[0][:-1]):
        with suppress(ReportRefused):  # any other error is one too many
            page.unpack(Turn(), people[:1], [payload])


@over_all
@pytest.mark.parametrize("graph", SMALL.values(), ids=SMALL)
def test_small_and_strange_networks_work_or_are_refused_by_their_size_alone(entry, graph):
    try:
        page = page_of(entry, n_people=graph.n_nodes)
    except ParameterError:
        assert graph.n_nodes == 2
        return
    value = np.asarray(simulate(page, graph, seed=1).value)
    assert np.isfinite(value).all()
