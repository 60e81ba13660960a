"""Releases from Spark's graph: the same numbers from the same noise, the same guarantee, the same ledger."""

from __future__ import annotations

import json
from fractions import Fraction

import pytest
from both import MASTER
from typer.testing import CliRunner

from graphveil.cli.app import app
from graphveil.engines.engine import open_engine
from graphveil.errors import GraphFormatError, ParameterError, UnsupportedByEngine
from graphveil.graph.files.read import read_graph
from graphveil.graph.files.write import write_graph
from graphveil.graph.generate.random import power_law_cluster
from graphveil.mechanisms.noise.source import SeededNoise
from graphveil.privacy.ledger.ledger import Ledger
from graphveil.release.job import Request
from graphveil.release.session import Session

EDGE = dict.fromkeys(("degree-histogram", "joint-degrees", "triangles", "assortativity", "average-clustering"))
NODE = {"edges": "node-edge-count", "degree-histogram": None, "triangles": "node-triangles"}  # methods that Spark has


@pytest.fixture
def friends(tmp_path):
    path = tmp_path / "friends.parquet"
    write_graph(power_law_cluster(200, 4, 0.4, seed=9), path)
    return path


def run(*words):
    return CliRunner().invoke(app, [str(word) for word in words], catch_exceptions=False).stdout


@pytest.mark.parametrize(("unit", "queries"), [("edge", EDGE), ("node", NODE)])
def test_one_seed_gives_one_release(spark, friends, unit, queries):
    requests = [Request(query, Fraction(1), method, accept_noise=True) for query, method in queries.items()]
    told = []
    for engine, master in (("memory", None), ("spark", MASTER)):
        with open_engine(engine, master) as chosen:
            session = Session(chosen.read(friends).graph, unit=unit, budget=99, noise=SeededNoise(5))
            told.append([{**item.to_json(), "provenance": None} for item in session.release_all(requests)])
            assert session.spent[0] == len(requests)
    assert told[0] == told[1]


def test_commands_take_an_engine(spark, friends, tmp_path):
    ours, theirs = (
        json.loads(run("stats", friends, "--json", *engine))
        for engine in ((), ("--engine", "spark", "--master", MASTER))
    )
    counted = {name: value for name, value in theirs["statistics"].items() if value not in (None, {})}
    assert counted == {name: ours["statistics"][name] for name in counted}
    assert len(counted) == 14
    assert theirs["read"] == ours["read"]
    ledger, spark_options = tmp_path / "friends.ledger", ("--engine", "spark", "--master", MASTER, "--json")
    paid = ("--accept-weak", "--unit", "edge", "--epsilon", "2000", "--ledger", ledger, "--budget", "5000")
    release = json.loads(run("release", friends, "--query", "edges,triangles", *paid, *spark_options))
    assert release["releases"][0]["value"] == read_graph(friends).n_edges
    assert release["releases"][0]["guarantee"]["assumes"] == ["the set of people is public"]
    assert release["left"]["epsilon"] == 3000
    out = tmp_path / "public.csv"
    run(
        "synthesize",
        friends,
        "--method",
        "dk2-soft",
        "--accept-weak",
        "--epsilon",
        "1000",
        "--out",
        out,
        *spark_options,
    )
    assert read_graph(out).n_nodes == 200


def test_a_graph_that_spark_holds_is_recognised(spark, friends, tmp_path):
    ledger = tmp_path / "friends.ledger"
    asked = ("--query", "edges", "--unit", "edge", "--epsilon", "1", "--ledger", ledger, "--budget", "5")
    words = ("release", friends, *asked, "--engine", "spark", "--master", MASTER, "--json")
    first, again = json.loads(run(*words)), json.loads(run(*words))
    assert [told["repeated"] for told in (first, again)] == [False, True]
    assert first["releases"] == again["releases"]
    copy = ("--dataset", "copy", "--separate-people")
    for same in (words, ("release", friends, *asked)):  # with Spark and without it
        with pytest.raises(ParameterError, match="this is the graph that was released as"):
            run(*same, *copy)
    assert len(Ledger.open(ledger).entries()) == 1


def test_refusals_cost_nothing(spark, friends, tmp_path):
    ledger = tmp_path / "friends.ledger"
    spark_options = ("--engine", "spark", "--master", MASTER)
    asked = ("--unit", "edge", "--epsilon", "1", "--ledger", ledger, "--budget", "5")
    with pytest.raises(UnsupportedByEngine, match="the spark engine answers edges, max-degree, degree-histogram"):
        run("release", friends, "--query", "4-cycles", *asked, *spark_options)
    with pytest.raises(UnsupportedByEngine, match="synthesis by veil, dk2-soft"):
        run(
            "synthesize", friends, "--method", "tmf", "--epsilon", "1", "--out", tmp_path / "public.csv", *spark_options
        )
    assert [path.name for path in tmp_path.iterdir()] == ["friends.parquet"]
    with pytest.raises(ParameterError, match="Spark runs on"):
        run("stats", friends, "--engine", "spark", "--master", "local[1]")
    (tmp_path / "people.txt").write_text("0\n1\n", encoding="utf-8")
    with pytest.raises(GraphFormatError, match="not on the list of people"):
        run("stats", friends, "--people", tmp_path / "people.txt", *spark_options)


@pytest.mark.parametrize(
    ("words", "message"),
    [(("--engine", "dask"), "there are: memory, spark"), (("--master", "local[2]"), "--engine spark")],
)
def test_engines_are_named(friends, words, message):
    with pytest.raises(ParameterError, match=message):
        run("stats", friends, *words)
