"""Results kept from run to run: JSON in `bench-out/`, and what has changed since the last."""

from __future__ import annotations

import json
import os
import platform
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from matplotlib.figure import Figure

FOLDER = Path("bench-out")
NOTABLE = 1.25  # a smaller change may be the machine's mood


def save(name: str, rows: dict[str, float], details: Any) -> list[str]:
    """Keep a run (`rows`: one figure for each name; more is better) and say what differs notably from the last."""
    FOLDER.mkdir(exist_ok=True)
    file = FOLDER / f"{name}.json"
    last = json.loads(file.read_text())["rows"] if file.is_file() else {}
    machine = {"cores": os.cpu_count(), "processor": platform.machine(), "python": platform.python_version()}
    file.write_text(json.dumps({"rows": rows, "machine": machine, "details": details}, indent=1) + "\n")
    return [
        f"{row}: {last[row]:.3g} in the last run, {figure:.3g} now"
        for row, figure in rows.items()
        if row in last and not 1 / NOTABLE < figure / last[row] < NOTABLE
    ]


@contextmanager
def picture(name: str, size: tuple[float, float]) -> Iterator[Figure]:
    """Draw on the figure inside the block; it is kept beside the results."""
    import matplotlib as mpl
    from matplotlib.figure import Figure

    from graphveil.evaluation.plots import STYLE

    with mpl.rc_context(STYLE):
        figure = Figure(figsize=size)
        yield figure
        figure.savefig(FOLDER / f"{name}.png", dpi=110)


def report(name: str, changes: list[str]) -> None:
    """Where the results are, and what has changed."""
    print(f"\nsaved as {FOLDER / name}.json and .png")
    for change in changes or ["nothing differs from the last run by more than a quarter, or there is none"]:
        print(f"  {change}")
