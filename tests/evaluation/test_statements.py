"""What a paper states about a figure is held against the points of the run, under every reading that was measured."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from graphveil.errors import GraphFormatError, ParameterError
from graphveil.evaluation import reproduce as module
from graphveil.evaluation.checks import gains, higher, increased, lower, lowest_at, nearer, reduced, rises, within
from graphveil.evaluation.experiment import Cell, Experiment, Grid, Metric, Point, experiment_graph
from graphveil.evaluation.figures import FIGURES, find_figure
from graphveil.evaluation.readings import Reading, fix_readings, split_series, with_readings
from graphveil.evaluation.reproduce import reproduce
from graphveil.evaluation.statements import Claim, View, judge

OF_PAPERS = [name for name in FIGURES if name.startswith(("gs-ldp-", "bcpa-"))]
RULE = Reading("rule", "ours", ("raw", "best"), default="fine")


def points(lines: Mapping[str, Mapping[float, float]], graph: str = "ego-Facebook") -> list[Point]:
    return [Point(graph, series, x, "mse", y, 0.0, 1) for series, line in lines.items() for x, y in line.items()]


def view(lines: Mapping[str, Mapping[float, float]]) -> View:
    table = {(p.graph, p.series, p.x, p.metric): p.mean for p in points(lines)}
    return View(table, "ego-Facebook", lambda series: series)


@pytest.mark.parametrize(
    ("ours", "raw", "verdict"),
    [(1.0, 2.0, "reproduced"), (4.0, 5.0, "not reproduced"), (1.0, 5.0, "depends on a reading"),
     (5.0, 1.0, "depends on a reading")],
)  # fmt: skip
def test_a_verdict_follows_from_every_reading_of_the_run(ours: float, raw: float, verdict: str) -> None:
    claim = Claim("Section 1: ours is lower", lower("ours", ("theirs",), ("mse",)), ("ego-Facebook",))
    measured = points({"ours": {1.0: ours}, "theirs": {1.0: 3.0}, "ours, rule=raw": {1.0: raw}})
    (statement,) = judge([claim], measured, [RULE])
    assert statement.to_json().keys() == {"paper", "ours", "verdict"}
    assert statement.verdict == verdict
    fixed = fix_readings((RULE,), {"rule": "raw"})
    (alone,) = judge([claim], measured, fixed)
    assert alone.verdict == ("reproduced" if raw < 3 else "not reproduced")


def test_a_claim_about_a_graph_is_tried_on_it_or_on_a_generated_one_and_says_so() -> None:
    claim = Claim("on Facebook", lower("ours", ("theirs",), ("mse",)), ("ego-Facebook",))
    lines = {"ours": {1.0: 1.0}, "theirs": {1.0: 3.0}}
    (statement,) = judge([claim], [*points(lines), *points({"ours": {1.0: 9.0}, "theirs": {1.0: 3.0}}, "toy")], [])
    assert statement.verdict == "reproduced"
    (elsewhere,) = judge([claim], points(lines, "clustered-1k"), [])
    assert elsewhere.ours.startswith("not a graph of the paper, clustered-1k")
    (unlike,) = judge([claim], points({"ours": {1.0: 9.0}, "theirs": {1.0: 3.0}}, "clustered-1k"), [])
    assert (elsewhere.verdict, unlike.verdict) == ("reproduced", "not tested here")
    assert judge([claim], points(lines, "wiki-Vote"), []) == []  # another paper's graph tells nothing
    assert judge([claim], points({"ours": {1.0: 1.0}}), []) == []  # nor does a line that is missing


def test_a_claim_that_was_tried_on_some_of_its_graphs_says_on_which() -> None:
    claim = Claim("on both", lower("ours", ("theirs",), ("mse",)), ("ego-Facebook", "email-Enron"))
    lines = {"ours": {1.0: 1.0}, "theirs": {1.0: 3.0}}
    (in_part,) = judge([claim], points(lines), [])
    assert in_part.ours.startswith("on 1 of 2 graphs, ego-Facebook: lower in 1 of 1")
    (whole,) = judge([claim], [*points(lines), *points(lines, "email-Enron")], [])
    assert whole.ours.startswith("ego-Facebook: lower")


def test_checks_read_curves_as_papers_do() -> None:
    lines = {"a": {1.0: 2.0, 2.0: 1.0}, "b": {1.0: 4.0, 2.0: 4.0}, "goal": {1.0: 2.2, 2.0: 2.2}}
    shown = view(lines)
    held = {
        "lower": lower("a", ("b",), ("mse",)),
        "higher": higher("b", ("a",), ("mse",), (1.0,)),
        "reduced": reduced("a", ("b",), "mse", 0.45, 0.80),
        "increased of theirs": increased("b", ("a",), "mse", 1.0, 3.0),
        "increased of its own": increased("b", ("a",), "mse", 0.5, 0.75),
        "falls": rises(("a",), "mse", falls=True),
        "lowest": lowest_at(("a",), "mse", 2.0),
        "within": within("a", "goal", "mse", 0.1, (1.0,)),
        "nearer": nearer("a", ("b",), "goal", "mse"),
        "gains": gains("a", ("b",), ("mse",)),
        "loses": gains("b", ("a",), ("mse",), loses=True),
    }
    failed = {
        "lower": lower("b", ("a",), ("mse",)),
        "most": lower("b", ("a", "goal"), ("mse",), most=True),
        "higher": higher("a", ("b",), ("mse",)),
        "reduced": reduced("a", ("b",), "mse", 0.30, 0.75),
        "increased": increased("b", ("a",), "mse", 0.1, 0.2),
        "rises": rises(("a", "b"), "mse"),
        "lowest": lowest_at(("a",), "mse", 1.0),
        "within": within("a", "goal", "mse", 0.1),
        "nearer": nearer("b", ("a",), "goal", "mse"),
        "gains": gains("b", ("a", "goal"), ("mse",)),
    }
    assert {name for name, check in held.items() if not check(shown).holds} == set()
    assert {name for name, check in failed.items() if check(shown).holds} == set()


def test_other_readings_are_measured_unless_one_is_held_fixed() -> None:
    grid = Grid(("g",), ("ours, x 1", "theirs"), (1.0,), seeds=2, has_cell=lambda cell: cell.series != "theirs")
    series = [cell.series for cell in with_readings(grid, (RULE,)).cells()]
    assert series == ["ours, x 1", "ours, x 1, rule=raw", "ours, x 1, rule=best"] * 2
    fixed = with_readings(grid, fix_readings((RULE,), {"rule": "best"}))
    assert {cell.series for cell in fixed.cells()} == {"ours, x 1, rule=best"}
    assert split_series("ours, x 1, rule=raw") == ("ours, x 1", {"rule": "raw"})
    with pytest.raises(ParameterError, match="rule"):
        fix_readings((RULE,), {"rul": "raw"})
    with pytest.raises(ParameterError, match="fine or raw or best"):
        fix_readings((RULE,), {"rule": "worst"})
    clustering = find_figure("gs-ldp-fig6").readings
    with pytest.raises(ParameterError, match="shares are 4"):
        fix_readings(clustering, {"shares": "1/3,1/3,1/3"})
    assert fix_readings(clustering, {"shares": ".25,.25,.25,.25"})
    with pytest.raises(ParameterError, match="no option"):
        fix_readings((), {"rule": "raw"})


def test_all_graphs_that_are_missing_are_named_before_the_first_cell(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    measured: list[Cell] = []

    def measure(cell: Cell) -> Mapping[str, float]:
        measured.append(cell)
        return {"mse": 1.0}

    grid = Grid(("clustered-1k", "ego-Facebook, edge", "email-Enron"), ("ours",), (1.0,), seeds=1)
    toy = Experiment("toy", "Toy", "epsilon", (Metric("mse", "error"),), grid, grid, measure)
    monkeypatch.setattr(module, "find_figure", lambda _name: toy)
    monkeypatch.setenv("GRAPHVEIL_DATA", str(tmp_path))
    with pytest.raises(ParameterError, match=r"not here: ego-Facebook, email-Enron; put them into .*--fetch"):
        reproduce("toy", folder=tmp_path / "out")
    assert not measured
    assert not (tmp_path / "out").exists()


def test_a_graph_that_is_not_whole_is_refused_before_the_first_cell(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    measured: list[Cell] = []

    def measure(cell: Cell) -> Mapping[str, float]:
        measured.append(cell)
        return {"mse": 1.0}

    grid = Grid(("clustered-1k", "ca-GrQc"), ("ours",), (1.0,), seeds=1)
    toy = Experiment("toy", "Toy", "epsilon", (Metric("mse", "error"),), grid, grid, measure)
    monkeypatch.setattr(module, "find_figure", lambda _name: toy)
    monkeypatch.setenv("GRAPHVEIL_DATA", str(tmp_path))
    (tmp_path / "ca-GrQc.txt").write_text("1 2\n2 3\n")
    experiment_graph.cache_clear()
    with pytest.raises(GraphFormatError, match=r"ca-GrQc.*not whole"):
        reproduce("toy", folder=tmp_path / "out")
    assert not measured
    assert not (tmp_path / "out").exists()


def test_a_graph_named_twice_is_measured_once() -> None:
    grid = Grid(("ego-Facebook",), ("ours",), (1.0,), seeds=1)
    assert module._panels_on(grid, ("ca-GrQc", "ca-GrQc")) == ("ca-GrQc",)


def test_a_quick_figure_takes_the_papers_graph_where_it_is(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    grid = Grid(("clustered-1k, edge",), ("ours",), (1.0,), seeds=1)
    swapped = module._on_paper_graph(grid, {"clustered-1k": "ego-Facebook"})
    monkeypatch.setenv("GRAPHVEIL_DATA", str(tmp_path))
    assert module._on_paper_graph(grid, {"clustered-1k": "ego-Facebook"}).graphs == grid.graphs
    (tmp_path / "facebook_combined.txt.gz").touch()
    swapped = module._on_paper_graph(grid, {"clustered-1k": "ego-Facebook"})
    assert swapped.graphs == ("ego-Facebook, edge",)


@pytest.mark.parametrize("name", OF_PAPERS)
def test_every_figure_of_the_papers_is_held_against_its_text(name: str) -> None:
    found = find_figure(name)
    assert found.claims
    assert all(claim.paper.startswith(("Section ", "Table ", "Figure ")) for claim in found.claims)
    assert len({claim.paper for claim in found.claims}) == len(found.claims)
    for reading in found.readings:
        assert any(reading.is_of(series) for series in found.full.series)


def test_statements_stand_beside_the_picture(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("GRAPHVEIL_DATA", raising=False)
    done = reproduce("gs-ldp-fig1", folder=tmp_path, quick=True)
    assert [statement.verdict for statement in done.statements] == ["reproduced", "reproduced"]
    page = (tmp_path / "gs-ldp-fig1-quick.html").read_text()
    assert page.count("<td") == 3 * len(done.statements)
    assert "data:image/png;base64," in page


def test_other_graphs_stand_in_every_panel_that_has_a_graph() -> None:
    grid = Grid(("ego-Facebook: degrees", "ego-Facebook: triangles", "generated: degrees"), ("ours",), (1.0,), seeds=1)
    assert module._panels_on(grid, ("ca-GrQc",)) == ("ca-GrQc: degrees", "ca-GrQc: triangles")
    assert module._panels_on(grid, ()) == grid.graphs
    with pytest.raises(ParameterError, match="epsilon 5"):
        module._panels_on(Grid(("epsilon 5",), ("ours",), (1.0,), seeds=1), ("ca-GrQc",))
