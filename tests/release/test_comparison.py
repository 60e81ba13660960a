"""Choosing epsilon: errors fall as epsilon grows, in percent of a guessed answer, with the odds in words."""

import matplotlib as mpl
import matplotlib.pyplot as plt
import pytest

import graphveil as gv

mpl.use("Agg")


@pytest.fixture(scope="module")
def comparison():
    return gv.plan(["edges", "triangles"], unit="edge", epsilons=[2, 0.1, "1/2"], n_nodes=4000)


def test_errors_fall_as_epsilon_grows(comparison):
    table = comparison.to_pandas()
    assert table.columns.tolist() == ["epsilon", "query", "share", "error", "percent", "expected"]
    for query in ("edges", "triangles"):
        own = table[table["query"] == query]
        assert own.epsilon.tolist() == [0.1, 0.5, 2]
        assert own.error.is_monotonic_decreasing
        assert own.percent.tolist() == pytest.approx((100 * own.error / own.expected).tolist())
    assert (table.share == table.epsilon / 2).all()  # two queries share a total
    assert len(comparison.to_polars()) == 6


def test_it_agrees_with_a_single_forecast(comparison):
    alone = gv.forecast("edges", unit="edge", epsilon=0.25, facts=gv.PublicFacts(n_nodes=4000))
    assert comparison.plans[1][0] == alone


def test_words_bars_and_pictures(comparison):
    text = str(comparison)
    assert "epsilon 0.1" in text
    assert "ends up between 47.5 % and 52.5 % sure" in text
    bars = [line.count("█") for line in comparison.bars() if "█" in line]
    assert len(bars) == 6
    assert bars[:3] == sorted(bars[:3], reverse=True)
    assert comparison._repr_html_().count("<polyline") == 2
    axes = comparison.plot()
    assert len(axes.lines) == 2
    plt.close(axes.figure)


def test_groups_of_people_are_planned_by_the_values_of_their_attribute():
    asked = {"unit": "edge", "epsilons": 1, "n_nodes": 600}
    few, many = (gv.plan(["mixing", "edges"], values=values, **asked).rows() for values in ("fm", range(9)))
    assert few[0]["error"] < many[0]["error"]
    assert few[1] == many[1]
    with pytest.raises(gv.ParameterError, match=r"gv\.plan need only the values"):
        gv.plan("homophily", **asked)


def test_what_cannot_be_guessed_has_no_percent(monkeypatch):
    monkeypatch.setattr("graphveil.release.policy.EXPECTED", {})
    unknown = gv.plan("edges", unit="edge", epsilons=1, n_nodes=50)
    assert unknown.rows()[0]["percent"] is None
    assert unknown.picture() == ""
    with pytest.raises(gv.ParameterError, match="at least one"):
        gv.plan([], unit="edge", epsilons=1, n_nodes=10)


def test_the_error_of_an_entry_is_no_percentage_of_all_people():
    plan = gv.plan(["degree-histogram", "edges"], unit="edge", epsilons=1, n_nodes=1000)
    histogram, edges = plan.rows()
    assert histogram["percent"] is None
    assert edges["percent"] is not None
    assert plan.table()[1][0][1].endswith(" an entry")
    assert "the error of degree-histogram is that of one entry; all its entries together are about 1,000" in str(plan)
    assert not [line for line in plan.bars() if "degree-histogram" in line]
