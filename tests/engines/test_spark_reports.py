"""Reports in a table: what a collector makes of them, added up here or by Spark."""

from __future__ import annotations

import json

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from graphveil.engines.engine import InProcess
from graphveil.engines.spark.arrow import collect
from graphveil.engines.spark.engine import SparkEngine
from graphveil.engines.spark.fold import edges_of
from graphveil.engines.spark.noisy_edges import noisy_graph
from graphveil.errors import GraphFormatError, ParameterError
from graphveil.graph.generate.random import power_law_cluster
from graphveil.local.campaign import Campaign
from graphveil.local.collector import Collector, CollectorState
from graphveil.local.lists import Lists
from graphveil.local.mergeable import Mergeable
from graphveil.local.pairs.noisy_graph import join_replies
from graphveil.local.protocol import Received, RoundContext
from graphveil.local.result import result_document
from graphveil.mechanisms.noise.person_streams import CrowdNoise

GRAPH = power_law_cluster(90, 4, 0.4, seed=3)


def answers(campaign, people=range(80)):
    """Everybody's payloads, round by round, and the standing after the last."""
    users = np.array(people)
    collector, state, rounds, sent = Collector(campaign), CollectorState(), [], []
    lists = Lists.of_graph(GRAPH).among(np.isin(np.arange(90), users))
    for number in range(1, campaign.rounds + 1):
        published = tuple(campaign.protocol.read_publication(i + 1, p) for i, p in enumerate(state.publications))
        context = RoundContext(number, published, tuple(sent))
        sent.append(campaign.protocol.perturb(context, lists, CrowdNoise(number, users)))
        payloads = dict(zip(users.tolist(), campaign.protocol.pack(context, users, sent[-1]), strict=True))
        rounds.append(payloads)
        state = collector.close_round(CollectorState((*state.reports[:-1], payloads), state.publications))
    return rounds, collector.outcome(state)


def write(path, rounds, extra=()):
    rows = [(number, user, payload) for number, payloads in enumerate(rounds, 1) for user, payload in payloads.items()]
    rows = [*rows, *rows[:3], *extra]  # what arrived twice counts once
    columns = dict(zip(("round", "user", "payload"), zip(*rows, strict=True), strict=True))
    pq.write_table(pa.table({name: list(values) for name, values in columns.items()}), path)
    return path


@pytest.fixture(params=["memory", "spark"])
def engine(request):
    return InProcess() if request.param == "memory" else SparkEngine(request.getfixturevalue("spark"))


def campaign_of(statistic, protocol, unit):
    return Campaign.create(statistic, protocol, unit=unit, epsilon=1, n_people=90, title="May", minimum_reports=50)


@pytest.mark.parametrize(
    ("protocol", "unit", "adds_up"), [("grr", "node", True), ("veil", "edge", True), ("veil", "node", False)]
)
def test_degrees(engine, tmp_path, protocol, unit, adds_up):
    campaign = campaign_of("degree-distribution", protocol, unit)
    assert isinstance(campaign.protocol, Mergeable) == adds_up
    rounds, wanted = answers(campaign)
    outcome = engine.outcome(campaign, write(tmp_path / "reports.parquet", rounds))
    assert result_document(outcome) == result_document(wanted)


@pytest.mark.parametrize("protocol", ["oue", "sue", "sw-ems"])
def test_parts_of_a_tally_add_up(protocol):
    campaign = campaign_of("degree-distribution", protocol, "node")
    (payloads,), wanted = answers(campaign)
    built, total = campaign.protocol, 0
    for part in (range(30), range(30, 80)):
        people = np.array(part)
        total = total + built.report_counts(
            Received(people, built.unpack(RoundContext(), people, [payloads[i] for i in part]))
        )
    assert built.conclude(total, 80).value.tolist() == wanted.value.tolist()


def test_counts_of_every_person_over_several_rounds(engine, tmp_path):
    campaign = campaign_of("triangles", "veil-two-rounds", "edge")
    rounds, wanted = answers(campaign)
    assert len(rounds) > 1
    outcome = engine.outcome(campaign, write(tmp_path / "reports.parquet", rounds))
    assert result_document(outcome) == result_document(wanted)


def test_the_noisy_graph_of_answers_about_pairs(spark):
    campaign = campaign_of("triangles", "veil-two-rounds", "edge")
    protocol, users = campaign.protocol, np.arange(5, 90)
    (first, *_), _ = answers(campaign, users)
    frame = spark.createDataFrame(pa.table({"user": list(first), "payload": list(first.values())}))
    table = noisy_graph(frame, protocol, RoundContext())
    batch = protocol.unpack(RoundContext(), users, list(first.values()))
    bits = join_replies(
        Received(users, batch["pairs"]), protocol.pair_owners(RoundContext()), protocol.response(RoundContext())
    ).matrix
    joined = np.unpackbits(bits, axis=1, bitorder="little")[:, :90]
    assert table.degrees.tolist() == (joined + joined.T).sum(axis=0).tolist()
    u, v, _, _ = collect(edges_of(table.table))
    assert joined[u, v].all()
    assert len(u) == joined.sum()


@pytest.mark.parametrize(
    ("extra", "message"),
    [
        ([(1, 90, b"\0")], "nobody on the roster"),
        ([(2, 4, b"\0")], "round"),
        ([(1, 4, b"\1\1")], "two different reports"),
        ([(1, 85, b"\1\1\1")], "refused: malformed"),
    ],
)
def test_reports_that_no_collector_takes_are_refused(engine, tmp_path, extra, message):
    campaign = campaign_of("degree-distribution", "grr", "node")
    with pytest.raises(GraphFormatError, match=message):
        engine.outcome(campaign, write(tmp_path / "reports.parquet", answers(campaign)[0], extra))


def test_too_few_reports_and_other_tables_are_refused(engine, tmp_path):
    campaign = campaign_of("degree-distribution", "grr", "node")
    few = [{user: payload for user, payload in answers(campaign)[0][0].items() if user < 20}]
    with pytest.raises(ParameterError, match="round 1 has 20 reports; it closes with at least 50"):
        engine.outcome(campaign, write(tmp_path / "few.parquet", few))
    pq.write_table(pa.table({"a": [1]}), tmp_path / "other.parquet")
    with pytest.raises(GraphFormatError, match="the columns round, user, payload"):
        engine.outcome(campaign, tmp_path / "other.parquet")


def test_the_command_prints_the_result(tmp_path):
    from typer.testing import CliRunner

    from graphveil.cli.app import app

    campaign = campaign_of("degree-distribution", "grr", "node")
    rounds, wanted = answers(campaign)
    write(tmp_path / "reports.parquet", rounds)
    (tmp_path / "terms.json").write_text(campaign.to_json(), encoding="utf-8")
    words = [
        "collect",
        "result",
        "--reports",
        str(tmp_path / "reports.parquet"),
        "--terms",
        str(tmp_path / "terms.json"),
    ]
    told = json.loads(CliRunner().invoke(app, [*words, "--json"], catch_exceptions=False).stdout)
    assert told == {"campaign": campaign.id} | json.loads(json.dumps(result_document(wanted)))
