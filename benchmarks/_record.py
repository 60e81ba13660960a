"""Results kept from commit to commit: ratios in `benchmarks/record.json`, all details in `bench-out/`."""

from __future__ import annotations

import json
import os
import platform
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from matplotlib.figure import Figure

RECORD = Path(__file__).parent / "record.json"
FOLDER = Path("bench-out")
NOTABLE = 1.25  # a smaller change may be the machine's mood


def save(name: str, rows: dict[str, float], details: Any) -> list[str]:
    """Keep ratios to peers (more is better) under the commit, and say what differs notably from the commit before.

    Rows that were not measured this time are kept from the last time.
    """
    FOLDER.mkdir(exist_ok=True)
    machine = {"cores": os.cpu_count(), "processor": platform.machine(), "python": platform.python_version()}
    (FOLDER / f"{name}.json").write_text(json.dumps({"machine": machine, "details": details}, indent=1) + "\n")
    record = json.loads(RECORD.read_text()) if RECORD.is_file() else {}
    commits = record.setdefault(name, {})
    now = _commit()
    begun = commits.pop(now, {})
    last = next(reversed(commits), None)
    before = commits[last] if last else {}
    commits[now] = {**before, **begun, **{row: float(f"{ratio:.3g}") for row, ratio in rows.items()}}
    RECORD.write_text(json.dumps(record, indent=1) + "\n")
    return [
        f"{row}: {before[row]:.3g} at {last}, {ratio:.3g} now"
        for row, ratio in rows.items()
        if row in before and not 1 / NOTABLE < ratio / before[row] < NOTABLE
    ]


def _commit() -> str:
    told = subprocess.run(["git", "rev-parse", "--short", "HEAD"], capture_output=True, text=True, check=False)
    return told.stdout.strip() or "unknown"


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
    print(f"\nsaved as {FOLDER / name}.json and .png; ratios in {RECORD.name}")
    for change in changes or ["no ratio differs from the last commit's by more than a quarter, or there is none"]:
        print(f"  {change}")
