"""A figure can be stopped, continued and read."""

from __future__ import annotations

import csv
from collections.abc import Mapping
from pathlib import Path

import pytest

from graphveil.errors import ParameterError
from graphveil.evaluation import figures, reproduce
from graphveil.evaluation.experiment import Cell, Experiment, Grid, Journal, Metric, Row, summarise
from graphveil.evaluation.figures import FIGURES, find_figure
from graphveil.evaluation.reproduce import reproduce as draw_anew

GRID = Grid(("clustered-1k",), ("ours", "theirs"), (1.0, 2.0), seeds=3)


def experiment(measured: list[Cell], *, fail_at: int = 10**9) -> Experiment:
    def measure(cell: Cell) -> Mapping[str, float]:
        if len(measured) == fail_at:
            raise KeyboardInterrupt
        measured.append(cell)
        return {"mse": cell.x + cell.seed, "unshown": 1.0}

    return Experiment("toy", "Toy", "epsilon", (Metric("mse", "error"),), GRID, GRID, measure)


def read(path: Path) -> list[dict[str, str]]:
    return list(csv.DictReader(path.read_text().splitlines()))


@pytest.fixture
def toy(monkeypatch: pytest.MonkeyPatch) -> list[Cell]:
    measured: list[Cell] = []
    monkeypatch.setattr(reproduce, "find_figure", lambda _name: experiment(measured))
    return measured


def test_files_hold_every_cell_and_the_means(toy: list[Cell], tmp_path: Path) -> None:
    done = draw_anew("toy", folder=tmp_path)
    rows = read(tmp_path / "toy.csv")
    assert len(rows) == len(toy) == 2 * 2 * 3
    curves = {(r["series"], r["x"], r["metric"]): r for r in read(tmp_path / "toy-curves.csv")}
    point = curves["theirs", "2.0", "mse"]
    assert (float(point["mean"]), float(point["spread"]), point["runs"]) == (3.0, 1.0, "3")
    assert (tmp_path / "toy.png").read_bytes().startswith(b"\x89PNG")
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted(path.name for path in done.files)


def test_a_stopped_run_continues_where_it_was(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    first: list[Cell] = []
    monkeypatch.setattr(reproduce, "find_figure", lambda _name: experiment(first, fail_at=5))
    with pytest.raises(KeyboardInterrupt):
        draw_anew("toy", folder=tmp_path)
    assert not (tmp_path / "toy.csv").exists()

    second: list[Cell] = []
    monkeypatch.setattr(reproduce, "find_figure", lambda _name: experiment(second))
    done = draw_anew("toy", folder=tmp_path)
    assert done.continued == 5
    assert sorted(first + second) == sorted(GRID.cells())
    assert not list(tmp_path.glob(".toy*"))


def test_a_figure_of_fewer_seeds_leaves_the_rest_to_a_longer_run(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    first: list[Cell] = []
    monkeypatch.setattr(reproduce, "find_figure", lambda _name: experiment(first, fail_at=9))
    with pytest.raises(KeyboardInterrupt):
        draw_anew("toy", folder=tmp_path)
    assert draw_anew("toy", folder=tmp_path, runs=2).continued == 8
    assert len(read(tmp_path / "toy.csv")) == 8
    monkeypatch.setattr(reproduce, "find_figure", lambda _name: experiment(first))
    assert draw_anew("toy", folder=tmp_path).continued == 9
    assert len(first) == len(GRID.cells())
    assert not list(tmp_path.glob(".toy*"))


def test_a_line_cut_off_by_a_kill_is_measured_again(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "journal")
    cells = GRID.cells()
    journal.keep(Row(cells[0], {"mse": 1.0}, 0.1))
    with journal.path.open("a") as file:
        file.write('{"graph": "clustered-1k", "ser')
    journal.keep(Row(cells[1], {"mse": 2.0}, 0.1))
    assert {cell: row.values["mse"] for cell, row in journal.read().items()} == {cells[0]: 1.0, cells[1]: 2.0}


def test_missing_values_do_not_spoil_a_mean() -> None:
    cells = [Cell("g", "s", 1.0, seed) for seed in range(3)]
    rows = [Row(cell, {"mse": value}, 0.0) for cell, value in zip(cells, (1.0, float("nan"), 3.0), strict=True)]
    (point,) = summarise(rows)
    assert (point.mean, point.runs) == (2.0, 2)


def test_wrong_requests_name_what_there_is(tmp_path: Path) -> None:
    with pytest.raises(ParameterError, match="gs-ldp-fig3"):
        find_figure("fig99")
    with pytest.raises(ParameterError, match="ego-Facebook"):
        draw_anew("gs-ldp-fig3", folder=tmp_path, graphs=("nowhere",))
    with pytest.raises(ParameterError, match="at least one run"):
        draw_anew("gs-ldp-fig3", folder=tmp_path, runs=0)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("name", FIGURES)
def test_every_figure_says_what_it_draws(name: str) -> None:
    found = find_figure(name)
    assert found.name == name
    assert found.metrics
    assert found.full.seeds >= 5
    assert set(found.dashed) <= set(found.full.series)
    assert len(found.quick.cells()) < len(found.full.cells())


@pytest.mark.parametrize("name", [name for name in FIGURES if name.startswith("gs-ldp")])
def test_every_series_of_a_quick_figure_can_be_measured(name: str) -> None:
    found = find_figure(name)
    first = {}
    for cell in found.quick.cells():
        first.setdefault((cell.graph, cell.series), cell)
    measured = [found.measure(cell) for cell in first.values()]
    keys = {metric.key for metric in found.metrics}
    assert any(keys <= set(values) for values in measured)
    assert all(set(values) >= keys or not values for values in measured)


def test_figures_are_listed_with_words() -> None:
    assert all(words for _, _, words in figures.FIGURES.values())
