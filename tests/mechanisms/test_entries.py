"""Answers as tables and charts: every entry with its label, nothing invented where nothing is known."""

import re
from fractions import Fraction

import matplotlib as mpl
import matplotlib.pyplot as plt
import pytest

import graphveil as gv
from graphveil.evaluation.exports import write_releases
from graphveil.evaluation.over_time import plot_over_time
from graphveil.evaluation.reports.releases import release_report
from graphveil.mechanisms.accuracy import Accuracy, Band
from graphveil.mechanisms.entries import end_of_chart, label_columns, left_out, long_columns, picture, series_of
from graphveil.mechanisms.noise.source import SeededNoise
from graphveil.mechanisms.release import Provenance, Release, interval_cell
from graphveil.privacy.guarantee import Guarantee
from graphveil.privacy.unit import EDGE, Trust
from graphveil.release.over_time.published import PeriodAnswers, columns_over_time

mpl.use("Agg")
GRAPH = gv.power_law_cluster(60, 3, 0.5, seed=1)

LABELS = {
    "edges": ["query"],
    "degree-histogram": ["degree"],
    "degree-sequence": ["place"],
    "joint-degrees": ["degree_1", "degree_2"],
    "clustering-by-degree": ["degree"],
    "top-people": ["place"],
}


@pytest.fixture(scope="module")
def answers():
    session = gv.Session(GRAPH, unit="edge", budget=100)
    return {
        query: session.release(query, epsilon=4, accept_noise=True)
        for query in (
            "edges",
            "degree-histogram",
            "degree-sequence",
            "joint-degrees",
            "clustering-by-degree",
            "top-people",
        )
    }


@pytest.mark.parametrize("query", LABELS)
def test_tables_have_a_labelled_row_for_each_entry(answers, query):
    answer = answers[query]
    size = len(answer.value) if isinstance(answer.value, tuple) else 1
    ends = [] if query == "top-people" else ["low95", "high95"]
    for table in (answer.to_pandas(), answer.to_polars()):
        assert list(table.columns) == [*LABELS[query], "value", *ends]
        assert len(table) == size
    if ends:
        table = answer.to_pandas()
        assert ((table.low95.isna()) | (table.low95 <= table.value + 1e-9)).all()
        assert ((table.high95.isna()) | (table.high95 >= table.value - 1e-9)).all()


def test_labels_are_those_of_the_values(answers):
    histogram, value = answers["degree-histogram"].to_pandas(), answers["degree-histogram"].value
    assert histogram.degree.tolist() == list(range(len(value)))  # where it ends depends on the noise
    assert histogram.value.tolist() == pytest.approx(list(value))
    joint = answers["joint-degrees"]
    knots = joint.provenance.derived["knots"]
    assert len(joint.value) == len(knots) * (len(knots) + 1) // 2
    assert set(joint.to_pandas().degree_1) == set(knots)


def test_several_answers_are_one_table(answers):
    table = long_columns(list(answers.values()))
    assert len({len(column) for column in table.values()}) == 1
    assert table["query"].count("joint-degrees") == len(answers["joint-degrees"].value)
    assert "degree_1 and degree_2" in table["label_means"]


@pytest.mark.parametrize("query", LABELS)
def test_short_in_a_terminal_and_a_card_in_a_notebook(answers, query):
    answer = answers[query]
    assert len(repr(answer)) < 260
    html = answer._repr_html_()
    assert ("<svg" in html) == (isinstance(answer.value, tuple) and query != "top-people")
    assert str(answer.guarantee) in html


def test_plots_are_drawn_with_matplotlib(answers):
    for query in ("edges", "degree-histogram", "clustering-by-degree"):
        axes = answers[query].plot()
        assert axes.get_title().startswith(query)
        plt.close(axes.figure)
    with pytest.raises(gv.ParameterError, match="names"):
        answers["top-people"].plot()


def test_everything_a_notebook_shows_is_escaped_and_short():
    graph = gv.as_graph([("<b>ann</b>", "bob"), ("bob", "cem")])
    session = gv.Session(graph, unit="edge", budget=3, dataset="<i>club</i>")
    session.edges(epsilon=1, accept_noise=True)
    plan = gv.forecast("edges", unit="edge", epsilon=1, facts=gv.PublicFacts(n_nodes=50))
    audit = gv.run_audits(["discrete-laplace"], samples=300)[0]
    made = gv.Session(GRAPH, unit="edge", budget=2).synthesize("veil", epsilon=2)
    for shown in (graph, session, plan, audit, made):
        assert len(repr(shown)) < 300
        html = shown._repr_html_()
        assert html.startswith("<div>")
        assert "<b>ann" not in html
        assert "<i>club" not in html
    assert "&lt;i&gt;club" in session._repr_html_()


def test_what_is_left_reads_like_a_number():
    session = gv.Session(GRAPH, unit="edge", budget=2)
    session.edges(epsilon="0.5")
    assert str(session.left) == repr(session.left) == "1.5"
    assert session.left == 1.5
    assert session.left >= 1
    assert f"{session.left:.2f}" == "1.50"
    epsilon, delta = session.left
    assert (epsilon, delta) == session.left == (session.left.epsilon, 0)
    assert session.spent < session.left


def test_entries_that_have_names_keep_them_in_tables():
    people = {"person": list(range(60)), "year": [("a - b", "c")[person % 2] for person in range(60)]}
    session = gv.Session(GRAPH, unit="edge", budget=100)
    mixing = session.mixing(epsilon=4, people=people, attribute="year", accept_noise=True)
    by_name = dict(zip(*people.values(), strict=True))
    assert session.mixing(epsilon=4, people=by_name, attribute="year", accept_noise=True).value == mixing.value
    arcs = gv.DirectedGraph.from_arcs([(person, (person + 1) % 60) for person in range(60)])
    directed = gv.Session(arcs, unit="edge", budget=100)
    dyads = directed.dyads(epsilon=4, accept_noise=True)
    degrees = directed.in_degree_histogram(epsilon=4, accept_noise=True)
    assert mixing.to_pandas()[["group_1", "group_2"]].values.tolist() == [
        ["a - b", "a - b"],
        ["a - b", "c"],
        ["c", "c"],
    ]
    assert dyads.to_pandas().name.tolist() == ["mutual", "one-way", "unconnected"]
    assert degrees.to_polars().columns[0] == "degree"
    table = long_columns([mixing, dyads])
    assert table["label"] == ["a - b", "a - b", "c", "mutual", "one-way", "unconnected"]
    assert table["label_2"] == ["a - b", "c", "c", None, None, None]
    assert mixing.title == "mixing by year"
    for answer, name in ((mixing, "a - b - c"), (dyads, "one-way")):
        assert f">{name}</text>" in answer._repr_html_()
        plt.close(answer.plot().figure)


def test_the_chart_of_a_long_histogram_ends_where_its_sum_is_reached():
    assert end_of_chart([1.0] * 200 + [0.0] * 800) == 200
    assert end_of_chart([9.0] + [0.0] * 999) == 20
    assert end_of_chart([0.0] * 100 + [1.0]) == 101


def test_an_end_that_is_open_is_said_in_words_and_left_empty_in_tables(tmp_path):
    named = gv.as_graph([(f"p{u}", f"p{v}") for u, v in GRAPH.edges()], people=[f"p{u}" for u in range(60)])
    session = gv.Session(named, unit="node", budget=9)
    edges = session.edges(epsilon=4, max_degree=20, accept_noise=True)
    assert interval_cell(edges.accuracy).startswith("at least ")
    assert edges.to_pandas().high95.isna().all()
    published = [PeriodAnswers("a", 1, 1, [edges], repeated=False, left=session.left)]
    assert columns_over_time(published)["high95"] == [None]
    plot_over_time(published, tmp_path / "series.png", "png")
    page = tmp_path / "report.html"
    write_releases(page, page, [edges], {"releases": [edges.to_json()], "left": None}, None)
    assert "inf<" not in page.read_text(encoding="utf-8")
    assert interval_cell(edges.accuracy) in page.read_text(encoding="utf-8")


def test_a_report_has_one_row_for_the_empty_end_of_a_histogram():
    release = gv.Session(GRAPH, unit="edge", budget=9, noise=SeededNoise(1)).degree_histogram(epsilon=5)
    page = release_report([release]).html()
    assert re.search(r"<td[^>]*>\d+ to 59</td>", page), "degrees that nobody has"
    assert "at most 0.1 % of the total of all entries lies beyond" in page


def test_two_degrees_are_named_in_a_chart():
    release = gv.Session(GRAPH, unit="edge", budget=9, noise=SeededNoise(1)).joint_degrees(epsilon=5)
    labels = label_columns(release)
    pairs = zip(labels["degree_1"], labels["degree_2"], strict=True)
    assert any(f">{one} - {other}</text>" in picture(release) for one, other in pairs)


def test_an_entry_of_which_nothing_is_known_is_not_drawn():
    value, below, above = (0.3, 0.2, 1.0), (0.1, 0.1, 1.0), (0.1, 0.1, 0.0)
    accuracy = Accuracy(value, None, (Band(0.95, below, above),), support=(0.0, 1.0))
    guarantee = Guarantee(EDGE, Trust.CENTRAL, Fraction(1))
    provenance = Provenance("test", "0", {}, "friends", None, "system", "", {"knots": (2, 4, 512)})
    release = Release("clustering-by-degree", value, guarantee, accuracy, provenance)
    assert series_of(release)[0] == [2.0, 4.0]
    assert left_out(release) == " Not drawn: 1 of 3 entries, of which nothing is known."
    assert len(release.to_polars()) == 3
