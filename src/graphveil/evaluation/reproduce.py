"""Run the experiment behind a figure and write its rows, its curves and its picture."""

from __future__ import annotations

import base64
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from html import escape
from pathlib import Path

from graphveil.errors import ParameterError
from graphveil.evaluation.experiment import (
    Experiment,
    Grid,
    Journal,
    Point,
    Progress,
    check_graph,
    check_graphs,
    is_graph,
    points_as_csv,
    rows_as_csv,
    run,
    split_panel,
    summarise,
)
from graphveil.evaluation.figures import find_figure
from graphveil.evaluation.pictures import draw_curves
from graphveil.evaluation.readings import fix_readings, with_readings
from graphveil.evaluation.statements import DEPENDS, NOT_REPRODUCED, NOT_TESTED, REPRODUCED, Statement, judge
from graphveil.graph.datasets import is_present
from graphveil.graph.files.streams import place_of, replacing
from graphveil.mechanisms.entries import needed

STYLE = """
body { font-family: sans-serif; margin: 1.5rem auto; max-width: 78rem; padding: 0 1rem; color: #222; }
main { display: flex; flex-wrap: wrap; gap: 1.5rem; align-items: flex-start; }
figure, section { flex: 1 1 26rem; margin: 0; min-width: 0; }
img { max-width: 100%; height: auto; }
table { border-collapse: collapse; width: 100%; font-size: .9rem; }
th, td { border-bottom: 1px solid #ccc; padding: .4rem; text-align: left; vertical-align: top; }
td { overflow-wrap: anywhere; }
.yes { color: #00664b; } .no { color: #a33c00; } .open { color: #00507d; }
td:last-child { font-weight: bold; white-space: nowrap; }
@media print { main { display: block; } }
"""
CLASSES = {REPRODUCED: "yes", NOT_REPRODUCED: "no", DEPENDS: "open", NOT_TESTED: "open"}


@dataclass(frozen=True, slots=True)
class Reproduction:
    """What was measured and where it lies; `continued` counts the cells that an earlier, stopped run had measured."""

    experiment: Experiment
    points: list[Point]
    files: tuple[Path, ...]
    continued: int
    statements: list[Statement] = field(default_factory=list)


def reproduce(
    name: str,
    *,
    folder: Path,
    quick: bool = False,
    graphs: tuple[str, ...] = (),
    runs: int | None = None,
    options: Mapping[str, str] | None = None,
    progress: Progress = lambda _done, _total, _next: None,
) -> Reproduction:
    """Measure the grid of a figure and write NAME.csv, NAME-curves.csv, NAME.png and NAME.html into `folder`.

    The page shows the picture beside what the paper states about it. Where the paper leaves something open, other
    readings are measured too, unless `options` holds one fixed. While it runs, measured cells lie in a journal; a run
    that was stopped continues from it. All graphs that are needed are read before the first cell.
    """
    experiment = find_figure(name)
    needed("matplotlib")  # before hours of measuring
    readings = fix_readings(experiment.readings, options or {})
    grid = _on_paper_graph(experiment.quick, experiment.stand_ins) if quick else experiment.full
    grid = with_readings(_chosen(grid, graphs, runs), readings)
    check_graphs(grid.cells())
    stem = f"{name}-quick" if quick else name
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for ending in (".csv", "-curves.csv", ".png", ".html"):
            place_of(folder / f"{stem}{ending}")  # refused before hours of measuring
        journal = Journal(folder / f".{stem}.journal")
        done = journal.read()
        rows = run(experiment, grid, done, journal.keep, progress)
        points = summarise(rows)
        statements = judge(experiment.claims, points, readings)
        picture = (experiment.draw or draw_curves)(experiment, points)
        contents = {
            f"{stem}.csv": rows_as_csv(rows).encode(),
            f"{stem}-curves.csv": points_as_csv(points).encode(),
            f"{stem}.png": picture,
            f"{stem}.html": figure_page(experiment.title, picture, statements).encode(),
        }
        files = tuple(_write(folder / file, content) for file, content in contents.items())
    except OSError as error:
        raise ParameterError(f"cannot write into {folder}: {error.strerror}") from None
    cells = set(grid.cells())
    if done.keys() <= cells:  # else a longer run, of more graphs or seeds, can still continue
        journal.remove()
    return Reproduction(experiment, points, files, len(cells & done.keys()), statements)


def _on_paper_graph(grid: Grid, stand_ins: Mapping[str, str]) -> Grid:
    """The quick form with the paper's graph in place of a generated one, where it is on this machine."""

    def swapped(panel: str) -> str:
        for generated, public in stand_ins.items():
            if panel.startswith(generated) and is_present(public):
                return panel.replace(generated, public, 1)
        return panel

    return replace(grid, graphs=tuple(map(swapped, grid.graphs)))


def _chosen(grid: Grid, graphs: tuple[str, ...], runs: int | None) -> Grid:
    if runs is not None and runs < 1:
        raise ParameterError(f"at least one run of each cell is needed, not {runs}")
    return replace(grid, graphs=_panels_on(grid, graphs), seeds=runs or grid.seeds)


def _panels_on(grid: Grid, graphs: tuple[str, ...]) -> Sequence[str]:
    """The panels of a figure on these graphs instead of its own; a panel may be more than a graph."""
    for graph in graphs:
        check_graph(graph)
    panels = [split_panel(panel) for panel in grid.graphs]
    behind = dict.fromkeys(rest for name, rest in panels if is_graph(name))
    if graphs and not behind:
        raise ParameterError(f"the panels of this figure are {', '.join(grid.graphs)}, not graphs; leave --graphs out")
    return tuple(graph + rest for graph in dict.fromkeys(graphs) for rest in behind) or grid.graphs


def _write(path: Path, content: bytes) -> Path:
    """Whole or not at all."""
    with replacing(path) as file:
        file.write(content)
    return path


def figure_page(title: str, picture: bytes, statements: Sequence[Statement]) -> str:
    """One HTML file: the picture, and beside it what the paper states and what came out here."""
    image = base64.b64encode(picture).decode("ascii")
    rows = "".join(
        f"<tr><td>{escape(each.paper)}</td><td>{escape(each.ours)}</td>"
        f'<td class="{CLASSES[each.verdict]}">{escape(each.verdict)}</td></tr>'
        for each in statements
    )
    table = (
        f"<section><h2>What the paper states, and what this run gives</h2><table><thead><tr><th>paper</th>"
        f"<th>here</th><th>verdict</th></tr></thead><tbody>{rows}</tbody></table></section>"
    )
    return (
        f'<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" '
        f'content="width=device-width, initial-scale=1"><title>{escape(title)}</title><style>{STYLE}</style></head>'
        f'<body><h1>{escape(title)}</h1><main><figure><img alt="{escape(title)}" src="data:image/png;base64,{image}">'
        f"</figure>{table if statements else ''}</main></body></html>\n"
    )
