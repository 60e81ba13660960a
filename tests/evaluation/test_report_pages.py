"""One report style: every page says what it is about, needs nothing from outside and escapes others' text."""

import re
from fractions import Fraction

import pytest

import graphveil as gv
from graphveil.audit.attacks.attack import attack_all, case_of
from graphveil.cli.values import print_lists
from graphveil.evaluation.exports import check_suffix, columns_of_rows, write_result
from graphveil.evaluation.reports.releases import release_report
from graphveil.evaluation.reports.results import attack_report, audit_report, collection_report, synthesis_report
from graphveil.local.result import result_document
from graphveil.local.simulate import simulate
from graphveil.mechanisms.entries import long_columns, picture
from graphveil.registry import build_protocol
from graphveil.two_servers.experiment import run_two_servers

GRAPH = gv.power_law_cluster(80, 3, 0.5, seed=1)


def released():
    session = gv.Session(GRAPH, unit="edge", budget=5, dataset="<script>club")
    releases = [session.edges(epsilon=1), session.degree_histogram(epsilon=2), session.top_people(epsilon=1)]
    return release_report(releases, left=Fraction(1), budget=Fraction(5))


def collected():
    protocol = build_protocol("degree-distribution", "veil", unit="node", epsilon=1, n_people=GRAPH.n_nodes)
    return collection_report(result_document(simulate(protocol, GRAPH)))


def collected_by_two_servers():
    document = run_two_servers(GRAPH, statistic="edges", unit="edge", epsilon=1, shares=False)
    people = {"people": GRAPH.n_nodes, "reports": [GRAPH.n_nodes]}
    return collection_report({**document, **document["estimate"], "participation": people})


def synthesized():
    made = gv.Session(GRAPH, unit="edge", budget=2).synthesize("veil", epsilon=2)
    return synthesis_report(made, made.statement([({"file": "public.txt"}, made.sample(1))]))


def attacked():
    return attack_report(attack_all(case_of(GRAPH, GRAPH, None, same_names=True), seed=1), original="a", published="b")


def audited():
    return audit_report(gv.run_audits(["discrete-laplace"], samples=300))


REPORTS = {"release": released, "collect": collected, "synthesize": synthesized, "attack": attacked, "audit": audited}


@pytest.mark.parametrize("kind", REPORTS)
def test_a_page_stands_alone(kind):
    html = REPORTS[kind]().html()
    assert html.startswith("<!doctype html>")
    assert 'lang="en"' in html
    assert "In short" in html
    assert re.search(r"\d{1,2} \w+ 20\d\d, \d\d:\d\d UTC", html)
    assert f"graphveil {gv.__version__}" in html
    assert not re.search(r'(?:src|href)="(?!data:)', html)
    assert "url(" not in html
    assert "@media print" in html
    for svg in re.findall(r"<svg[^>]*>", html):
        assert 'role="img"' in svg
        assert "aria-label=" in svg
    assert html.count("<h1") == 1
    if kind in ("release", "collect", "synthesize"):
        assert "What is promised, and to whom" in html


def test_the_promise_is_that_of_all_answers_together():
    html = released().html()
    assert "<dd>4-differential privacy for one edge, central model</dd>" in html


def test_a_page_does_not_say_of_two_servers_that_only_noise_was_sent():
    """Both servers together hold the lists, so the page says against whom the promise is."""
    assert "only noisy answers" in collected().html()
    html = collected_by_two_servers().html()
    assert "only noisy answers" not in html
    assert "neither server alone can read it" in html
    assert "one of the parties" in html


def test_text_of_others_is_escaped():
    html = released().html()
    assert "<script>club" not in html
    assert "&lt;script&gt;club" in html


def test_results_by_suffix(tmp_path):
    import polars as pl

    rows = [{"name": "a", "value": 1.5, "list": [1, 2]}, {"name": "b", "value": None, "list": []}]
    for name in ("x.csv", "x.parquet", "x.json", "x", "x.html"):
        write_result(
            tmp_path / name,
            tmp_path / name,
            document={"rows": rows},
            columns=lambda: columns_of_rows(rows),
            report=audited,
        )
    assert pl.read_csv(tmp_path / "x.csv")["value"].to_list() == [1.5, None]
    assert pl.read_parquet(tmp_path / "x.parquet")["list"].to_list() == ["[1, 2]", "[]"]
    assert (tmp_path / "x.json").read_bytes() == (tmp_path / "x").read_bytes()
    with pytest.raises(gv.ParameterError, match=r"\.json, \.csv, \.parquet, \.html"):
        check_suffix(tmp_path / "x.xls")


def test_an_entry_that_holds_all_above_it_is_named_so_and_drawn_apart(tmp_path, capsys):
    ties = gv.WeightedGraph.from_ties([(0, 1), (1, 2), (2, 3)], [2, 5, 9])
    session = gv.Session(ties, unit="edge", budget=3000, accept_weak=True)
    cut = session.strength_histogram(epsilon=1000, max_weight=9, max_strength=6)
    whole = session.strength_histogram(epsilon=1000, max_weight=9)
    assert ">6 or more</text>" in picture(cut)
    assert "or more" not in picture(whole)
    print_lists([cut], rest=None)
    assert "  6 or more: 3 [3, 3]" in capsys.readouterr().out
    kinds = long_columns([cut])["label_means"]
    assert kinds == ["strength"] * 6 + ["strength or more"]
    axes = cut.plot()
    assert [text.get_text() for text in axes.get_legend().get_texts()] == ["6 or more"]


def test_nobody_is_near_more_friends_than_there_are_people():
    session = gv.Session(gv.power_law_cluster(300, 4, 0.5, seed=1), unit="edge", budget=4)
    clustering = session.clustering_by_degree(epsilon=4)
    assert long_columns([clustering])["label"] == ["2", "4", "8", "16", "32", "64", "128", "256", "299"]


def test_a_page_of_synthetic_graphs_says_how_much_noise_each_measurement_had():
    """Scales stand in what was measured, not on the finer grid that noise is drawn on: at 0.08, 9 / 0.08 of an edge."""
    page = synthesized().html()
    assert "<h2>What was measured, and with how much noise</h2>" in page
    assert re.search(r"edges by the degrees of their two ends, \d+ numbers, with Laplace noise of scale 112\.5 ", page)
    assert "_l1" not in page
    assert not re.search(r"\de\+", page)
