"""Every job beside what a user would pick instead: `python -m benchmarks speed`.

Times are medians of the turns, in seconds of the processor for the whole work, of all threads together; "x slower" is
how many times as long as ours the other took in the same turn, with its range over the turns. There are 5 turns, and up
to 25 of short work; whoever needs over ten seconds has one. Where answers have errors, those of both are shown, ours
first. `OPENBLAS_NUM_THREADS=1` keeps the threads of numpy from spinning beside the work. Ratios are kept by commit
(`benchmarks._record`) and compared with the last; `bench-out/speed.json` has all details, with a picture beside it.
Some jobs only: `python -m benchmarks.speed --jobs components "degree-distribution, veil"`, by how their names begin.
"""

from __future__ import annotations

import argparse
import os
import tempfile
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from statistics import median

from benchmarks import _jobs_graph, _jobs_local, _jobs_private
from benchmarks._record import picture, report, save
from benchmarks._timing import Job, Timing, measure, spread

from graphveil.evaluation.plots import RELEASED, TRUTH
from graphveil.graph.datasets import load_dataset

DATA = Path(os.environ.get("GRAPHVEIL_DATA") or Path(__file__).parents[2] / "shared" / "data")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--jobs", nargs="+", default=[""])
    wanted = tuple(parser.parse_args().jobs)
    print(f"{'job':34}{'work':18}{'ours, s':>9}  {'other':20}{'other, s':>10}  x slower")
    timings = []
    with tempfile.TemporaryDirectory() as folder:
        for job in jobs(Path(folder)):
            if not job.name.startswith(wanted):
                continue
            timings.append(measure(job))
            show(timings[-1])
    rows = {row: median(ratios) for row, ratios in all_ratios(timings).items()}
    changes = save("speed", rows, [asdict(timing) for timing in timings])
    draw(timings)
    report("speed", changes)


def jobs(folder: Path) -> Iterator[Job]:
    facebook, twitter, wiki = (load_dataset(name, folder=DATA) for name in ("ego-Facebook", "ego-Twitter", "wiki-Vote"))
    for name in ("ego-Facebook", "ego-Twitter"):
        yield _jobs_graph.reading(name, DATA / f"{name}.txt.gz", folder)
    yield from _jobs_graph.statistics("ego-Facebook", facebook, with_networkx=True)
    yield from _jobs_graph.statistics("ego-Twitter", twitter, with_networkx=False)
    yield from _jobs_graph.shortest_paths("wiki-Vote", wiki)
    yield from _jobs_graph.generators("ego-Facebook", facebook)
    yield from _jobs_private.noise()
    yield from _jobs_private.releases("ego-Twitter", twitter)
    yield from _jobs_local.protocols("ego-Facebook", facebook)


def show(timing: Timing) -> None:
    head = f"{timing.job:34}{timing.work:18}{median(timing.ours):9.4f}"
    for tool, seconds in timing.others.items():
        errors = f"; errors {timing.errors['']:.3g}, {timing.errors[tool]:.3g}" if timing.errors else ""
        print(f"{head}  {tool:20}{median(seconds):10.4f}  {spread(timing.ratios(tool))}{errors}", flush=True)
        head = " " * len(head)


def all_ratios(timings: list[Timing]) -> dict[str, list[float]]:
    return {f"{timing.job}, {timing.work}, {tool}": timing.ratios(tool) for timing in timings for tool in timing.others}


def draw(timings: list[Timing]) -> None:
    """Ratios as dots with their range, on a logarithmic axis; right of 1, ours is faster."""
    rows = all_ratios(timings)
    with picture("speed", (8, 0.8 + 0.26 * len(rows))) as figure:
        axes = figure.subplots()
        axes.axvline(1, color=TRUTH, linewidth=1)
        for place, ratios in enumerate(rows.values()):
            axes.plot([ratios[0], ratios[-1]], [place, place], color=RELEASED, linewidth=2)
            axes.plot(median(ratios), place, "o", color=RELEASED, markersize=5)
        axes.set(xscale="log", xlabel="times as long as graphveil", yticks=range(len(rows)), yticklabels=rows)
        axes.invert_yaxis()


if __name__ == "__main__":
    main()
