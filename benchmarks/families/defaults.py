"""Every default beside the best method for its question, and how often its 95 % interval holds, on families of graphs.

`python -m benchmarks.families.defaults` prints a line for each question: the worst ratio of the default's mean error to
that of the best method on any graph at any epsilon, and where; how often its intervals held over all draws, and least
often on one graph at one epsilon; and the largest ratio of its error at one epsilon to that at the epsilon before.
Releases are compared with releases and collections with collections, at one epsilon for a friendship. Methods whose
claim is refuted take no part, nor do graphs on which an answer of 0 would be as good as the best method, or where one
method was exact in all draws: no ratio says much there. `--graphs` takes public graphs and files as well as families.
"""

from __future__ import annotations

import argparse
import math
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import pairwise, product
from pathlib import Path
from unittest.mock import patch

from graphveil.errors import GraphveilError
from graphveil.evaluation import benchmark as comparison
from graphveil.evaluation.benchmark import Score, benchmark
from graphveil.evaluation.contenders import contenders
from graphveil.graph.core import Graph
from graphveil.graph.datasets import DATASETS, load_dataset
from graphveil.graph.files.read import read_graph
from graphveil.graph.generate.families import FAMILIES, family
from graphveil.registry import Job, Row, rows

ERRORS = ("wasserstein", "mae")  # the first that a method reports
FEW = 50  # people of the family `tiny`
EXACT = 1e-9  # errors below it are none
OF_NOTHING = 1.0  # relative error of the best method; 0 would be as good an answer
NO_NUMBERS = {"adjacency", "top-people", "most-connected", "best-partition", "class-rows"}


@dataclass
class Line:
    """What was seen of one default."""

    worst: float = 0.0  # none
    where: str = "no other method"
    held: list[float] = field(default_factory=list)
    errors: dict[str, list[float]] = field(default_factory=dict)  # of the default by graph, one for each epsilon
    refused: set[str] = field(default_factory=set)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--graphs", nargs="*", default=list(FAMILIES), help=f"of {', '.join((*FAMILIES, *DATASETS))}")
    parser.add_argument("--epsilons", nargs="*", default=["0.5", "1", "4"])
    parser.add_argument("--questions", nargs="*", help="of these only, as edges/node")
    parser.add_argument("--jobs", nargs="*", default=["release", "collect"])
    parser.add_argument("--without", nargs="*", default=[], help="methods that take too long")
    parser.add_argument("--people", type=int, default=300)
    parser.add_argument("--seeds", type=int, default=10)
    options = parser.parse_args()

    def wanted(query: str, unit: str, also: tuple[Row, ...]) -> list[Row]:
        found = contenders(query, unit, also)
        return [row for row in found if row.job in options.jobs and not row.refuted and row.name not in options.without]

    with patch.object(comparison, "contenders", wanted):
        print_lines(options)


def print_lines(options: argparse.Namespace) -> None:
    print(f"{'question':<34}{'worst':>8}{'held':>7}{'least':>7}{'rises':>7}   where the worst is")
    for query, unit in questions(options.questions):
        lines: dict[str, Line] = {}
        for name, epsilon in product(options.graphs, options.epsilons):
            graph = named(name, options.people)
            try:
                scores = benchmark(graph, query, unit=unit, epsilon=epsilon, runs=options.seeds)
            except GraphveilError as refusal:
                lines.setdefault("refused", Line()).refused.add(f"{name}: {refusal}")
                continue
            for job in options.jobs:
                compared = [score for score in scores if score.listing.job == job and score.metrics]
                if compared:
                    note(lines.setdefault(job, Line()), compared, name, epsilon)
        for job, line in lines.items():
            print(f"{f'{query}, {unit}, {job}':<34}{figures(line)}", flush=True)


def questions(asked: list[str] | None) -> Iterator[tuple[str, str]]:
    """All questions about the edges of one graph, or those asked for."""
    known = dict.fromkeys((row.query, row.unit) for job in (Job.RELEASE, Job.COLLECT) for row in rows(job)
                          if not row.needs and getattr(row.cls, "reads", "edges") == "edges")  # fmt: skip
    for query, unit in known:
        if f"{query}/{unit}" in asked if asked else query not in NO_NUMBERS:
            yield query, unit


def named(name: str, people: int) -> Graph:
    """A public graph, a file, or a family's graph of so many people; `cliques:50` says how many in the name."""
    if name in DATASETS:
        return load_dataset(name)
    if Path(name).is_file():
        return read_graph(name)
    name, _, own = name.partition(":")
    return family(name, int(own or (FEW if name == "tiny" else people)), seed=1)


def note(line: Line, scores: list[Score], name: str, epsilon: str) -> None:
    default, where = scores[0], f"{name}, epsilon {epsilon}"
    if (held := default.metrics.get("interval95_holds")) is not None:
        line.held.append(held)
    metric = next(name for name in ERRORS if name in default.metrics)
    errors = {score.listing.name: score.metrics[metric] for score in scores if metric in score.metrics}
    line.errors.setdefault(name, []).append(errors[default.listing.name])
    best = min(errors, key=lambda name: errors[name])
    relative = next(score.metrics.get("relative_error", math.inf) for score in scores if score.listing.name == best)
    if len(errors) > 1 and errors[best] > EXACT and relative < OF_NOTHING:
        ratio = errors[default.listing.name] / errors[best]
        if ratio > line.worst:
            line.worst, line.where = ratio, f"{where}: {errors[best]:.3g} by {best}, {errors[default.listing.name]:.3g}"


def figures(line: Line) -> str:
    held = f"{sum(line.held) / len(line.held):>7.3f}{min(line.held):>7.2f}" if line.held else f"{'-':>7}{'-':>7}"
    where = "; ".join(sorted(line.refused)) or line.where
    return f"{line.worst:>8.2f}{held}{rises(line):>7.2f}   {where}"


def rises(line: Line) -> float:
    """The largest ratio of the default's error at one epsilon to that at the one before, on one graph."""
    pairs = (pair for errors in line.errors.values() for pair in pairwise(errors))
    return max((after / before if before else float(after > 0) for before, after in pairs), default=0.0)


if __name__ == "__main__":
    main()
