"""Answers as tables and charts: every entry with its label, nothing invented where nothing is known."""

import matplotlib as mpl
import matplotlib.pyplot as plt
import pytest

import graphveil as gv
from graphveil.mechanisms.entries import long_columns

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
    histogram = answers["degree-histogram"].to_pandas()
    assert histogram.degree.tolist() == list(range(60))
    assert histogram.value.tolist() == pytest.approx(list(answers["degree-histogram"].value))
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
