"""Run the experiment behind a figure and write its rows, its curves and its picture."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

from graphveil.errors import ParameterError
from graphveil.evaluation.experiment import (
    Experiment,
    Grid,
    Journal,
    Point,
    Progress,
    check_graph,
    points_as_csv,
    rows_as_csv,
    run,
    summarise,
)
from graphveil.evaluation.figures import find_figure
from graphveil.evaluation.pictures import draw_curves
from graphveil.graph.files.streams import place_of, replacing


@dataclass(frozen=True, slots=True)
class Reproduction:
    """What was measured and where it lies; `continued` counts the cells that an earlier, stopped run had measured."""

    experiment: Experiment
    points: list[Point]
    files: tuple[Path, ...]
    continued: int


def reproduce(
    name: str,
    *,
    folder: Path,
    quick: bool = False,
    graphs: tuple[str, ...] = (),
    runs: int | None = None,
    progress: Progress = lambda _done, _total, _next: None,
) -> Reproduction:
    """Measure the grid of a figure and write NAME.csv, NAME-curves.csv and NAME.png into `folder`.

    While it runs, measured cells lie in a journal beside them; a run that was stopped continues from it.
    """
    experiment = find_figure(name)
    grid = _chosen(experiment.quick if quick else experiment.full, graphs, runs)
    stem = f"{name}-quick" if quick else name
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for ending in (".csv", "-curves.csv", ".png"):
            place_of(folder / f"{stem}{ending}")  # refused before hours of measuring
        journal = Journal(folder / f".{stem}.journal")
        done = journal.read()
        rows = run(experiment, grid, done, journal.keep, progress)
        points = summarise(rows)
        contents = {
            f"{stem}.csv": rows_as_csv(rows).encode(),
            f"{stem}-curves.csv": points_as_csv(points).encode(),
            f"{stem}.png": (experiment.draw or draw_curves)(experiment, points),
        }
        files = tuple(_write(folder / file, content) for file, content in contents.items())
    except OSError as error:
        raise ParameterError(f"cannot write into {folder}: {error.strerror}") from None
    cells = set(grid.cells())
    if done.keys() <= cells:  # else a longer run, of more graphs or seeds, can still continue
        journal.remove()
    return Reproduction(experiment, points, files, len(cells & done.keys()))


def _chosen(grid: Grid, graphs: tuple[str, ...], runs: int | None) -> Grid:
    if runs is not None and runs < 1:
        raise ParameterError(f"at least one run of each cell is needed, not {runs}")
    for graph in graphs:
        check_graph(graph)
    return replace(grid, graphs=graphs or grid.graphs, seeds=runs or grid.seeds)


def _write(path: Path, content: bytes) -> Path:
    """Whole or not at all."""
    with replacing(path) as file:
        file.write(content)
    return path
