"""A picture of what a stream published: every count over time with its 95 % interval."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from graphveil.evaluation.plots import BAND, RELEASED, STYLE

MOST_NAMES = 8  # periods named under a panel


def plot_series(rows: Sequence[Mapping[str, Any]], path: Path, kind: str) -> None:
    """Draw the rows of `release.over_time.stream.series`, a panel for each query, as png or svg."""
    import matplotlib as mpl
    from matplotlib.figure import Figure

    queries = list(dict.fromkeys(row["query"] for row in rows))
    with mpl.rc_context(STYLE):
        figure = Figure(figsize=(7.0, 2.6 * max(1, len(queries))), layout="constrained")
        panels = figure.subplots(max(1, len(queries)), 1, squeeze=False)[:, 0]
        for panel, query in zip(panels, queries, strict=False):
            own = [row for row in rows if row["query"] == query]
            steps, values = [row["step"] for row in own], [row["value"] for row in own]
            highs = [row["value"] if row["upper"] is None else row["upper"] for row in own]  # an open end is not drawn
            panel.fill_between(steps, [row["lower"] for row in own], highs, color=BAND, alpha=0.4, linewidth=0)
            panel.plot(steps, values, color=RELEASED, marker="." if len(own) < 60 else "", linewidth=1.4)
            named = own[:: 1 + len(own) // MOST_NAMES]
            panel.set_xticks([row["step"] for row in named], [row["period"] for row in named], fontsize="small")
            panel.set(title=query, ylabel="released, with 95 % intervals")
        figure.savefig(path, format=kind)
