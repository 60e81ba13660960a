"""Where an experiment's rows lie: a journal while it runs, then tables, then nothing but the finished files."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Sequence
from pathlib import Path

from graphveil.evaluation.experiment import Cell, Point, Row


class Journal:
    """Rows measured so far, a line each; what a stopped run leaves behind for the next one."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def read(self) -> dict[Cell, Row]:
        """Rows of an earlier run; a last line that was cut off is dropped."""
        if not self.path.exists():
            return {}
        rows = {}
        for line in self.path.read_text(encoding="utf-8").splitlines():
            try:
                entry = json.loads(line)
                cell = Cell(entry["graph"], entry["series"], float(entry["x"]), int(entry["seed"]))
                rows[cell] = Row(cell, entry["values"], float(entry["seconds"]))
            except (ValueError, KeyError, TypeError):
                continue
        return rows

    def keep(self, row: Row) -> None:
        """Add one row, at once."""
        cell = row.cell
        entry = {
            "graph": cell.graph,
            "series": cell.series,
            "x": cell.x,
            "seed": cell.seed,
            "values": dict(row.values),
            "seconds": round(row.seconds, 4),
        }
        with self.path.open("a", encoding="utf-8") as file:
            file.write("\n" * self._cut_off() + json.dumps(entry) + "\n")

    def _cut_off(self) -> bool:
        """Whether the last line has no end, because a run was killed while writing it."""
        if not self.path.exists() or self.path.stat().st_size == 0:
            return False
        with self.path.open("rb") as file:
            file.seek(-1, io.SEEK_END)
            return file.read(1) != b"\n"

    def remove(self) -> None:
        """Forget the rows: they are in the tables now."""
        self.path.unlink(missing_ok=True)


def rows_as_csv(rows: Sequence[Row]) -> str:
    """One line a cell."""
    metrics = list(dict.fromkeys(metric for row in rows for metric in row.values))
    text = io.StringIO()
    table = csv.writer(text, lineterminator="\n")
    table.writerow(["graph", "series", "x", "seed", *metrics, "seconds"])
    for row in rows:
        cell = row.cell
        values = [row.values.get(metric, "") for metric in metrics]
        table.writerow([cell.graph, cell.series, cell.x, cell.seed, *values, f"{row.seconds:.4g}"])
    return text.getvalue()


def points_as_csv(points: Sequence[Point]) -> str:
    """One line a point of a curve."""
    text = io.StringIO()
    table = csv.writer(text, lineterminator="\n")
    table.writerow(["graph", "series", "x", "metric", "mean", "spread", "runs"])
    table.writerows((p.graph, p.series, p.x, p.metric, p.mean, p.spread, p.runs) for p in points)
    return text.getvalue()
