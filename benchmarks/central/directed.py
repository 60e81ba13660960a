"""Directed graphs and groups of people under edge privacy: the mean or median error of each query.

Followers are those of wiki-Vote and ego-Twitter, groups the six largest class years of three colleges of Facebook100
and everybody else. Counts of three people: median relative error; reciprocity and homophily: median distance;
histograms: mean L1 distance over the number of people; the table of groups: mean L1 distance over the number of edges.
`python -m benchmarks.central.directed --draws 100 --graphs wiki-Vote` changes draws and graphs; seeds are 0, 1, 2 ...
A graph is measured once for a query and an epsilon, and its measurements are drawn many times.
"""

from __future__ import annotations

import argparse
import csv
import gzip
import os
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np

from graphveil.central.attributes.column import PeopleColumn
from graphveil.central.query import PublicFacts
from graphveil.graph.core import Graph
from graphveil.graph.directed import DirectedGraph
from graphveil.graph.files.read import read_graph
from graphveil.mechanisms.measurement import draw
from graphveil.mechanisms.noise.source import SeededNoise
from graphveil.registry import QUERIES

FOLLOWERS, COLLEGES = ("wiki-Vote", "ego-Twitter"), ("fb100-reed", "fb100-amherst", "fb100-wisconsin")
EPSILONS = ("0.1", "0.5", "1", "2")


@dataclass(frozen=True)
class Line:
    """A query, and how far a released value is from the true one."""

    query: str
    error: Callable[[Any, Any], float]
    of_mean: bool = False


def relative(released: Any, truth: Any) -> float:
    return abs(released - truth) / max(1, truth)


def apart(released: Any, truth: Any) -> float:
    return abs(released - truth)


def share_apart(released: Any, truth: Any) -> float:
    """L1 distance of two lists over the sum of the true one."""
    size = max(len(released), len(truth))
    given, true = (np.pad(np.asarray(each, dtype=float), (0, size - len(each))) for each in (released, truth))
    return float(np.abs(given - true).sum() / true.sum())


DIRECTED = (
    Line("reciprocity", apart),
    *(Line(query, relative) for query in ("transitive-triples", "cyclic-triples", "mutual-triangles", "2-paths")),
    *(Line(query, share_apart, of_mean=True) for query in ("out-degree-histogram", "in-degree-histogram")),
)
GROUPED = (Line("mixing", share_apart, of_mean=True), Line("homophily", apart))
NO_NOISE = Fraction(1000)  # at which the truth is drawn, but for the sixth digit of the smallest count


def data_file(name: str) -> Path:
    return Path(os.environ["GRAPHVEIL_DATA"]) / name


def followers(name: str) -> DirectedGraph:
    """Who follows or votes for whom."""
    graph = read_graph(data_file(f"{name}.txt.gz"), directed=True)
    assert isinstance(graph, DirectedGraph)
    return graph


def college(name: str) -> tuple[Graph, PeopleColumn]:
    """A college of Facebook100 and everybody's class year."""
    with gzip.open(data_file(f"attributed/{name}.people.csv.gz"), "rt") as file:
        rows = list(csv.DictReader(file))
    columns = {key: [row[key] for row in rows] for key in rows[0]}
    names = next(iter(columns.values()))
    graph = read_graph(data_file(f"attributed/{name}.edges.txt.gz"), people=names)
    years = frequent(columns["year"])
    return graph, PeopleColumn.from_columns(columns, attribute="year", public=True, values=years)


def frequent(years: list[str]) -> list[str]:
    """The six most frequent years, which with everybody else make seven groups."""
    counted = sorted({year for year in years if year not in ("", "0")}, key=lambda year: (-years.count(year), year))
    return sorted(counted[:6])


def print_lines(name: str, graph: Graph, lines: tuple[Line, ...], options: dict[str, Any], draws: int) -> None:
    facts = PublicFacts.of(graph, "edge")
    for line in lines:
        row = next(row for row in QUERIES if (row.query, row.unit) == (line.query, "edge"))
        exact = row.build(NO_NOISE, options)
        truth = exact.conclude(draw(exact.measure(graph), SeededNoise(0)), facts).value
        cells = []
        for epsilon in EPSILONS:
            algorithm = row.build(Fraction(epsilon), options)
            measurements = algorithm.measure(graph)
            errors = [
                line.error(algorithm.conclude(draw(measurements, SeededNoise(seed)), facts).value, truth)
                for seed in range(draws)
            ]
            cells.append(float(np.mean(errors) if line.of_mean else np.median(errors)))
        shown = f"{truth:,.6g}" if np.ndim(truth) == 0 else ""
        print(f"{name:17}{line.query:22}{shown:>14}" + "".join(f"{cell:11.2g}" for cell in cells), flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--draws", type=int, default=100)
    parser.add_argument("--graphs", nargs="*", default=[*FOLLOWERS, *COLLEGES])
    given = parser.parse_args()
    print(f"{'graph':17}{'query':22}{'true value':>14}" + "".join(f"{epsilon:>11}" for epsilon in EPSILONS))
    for name in given.graphs:
        if name in COLLEGES:
            graph, column = college(name)
            print_lines(name, graph, GROUPED, {"column": column}, given.draws)
        else:
            print_lines(name, followers(name), DIRECTED, {}, given.draws)


if __name__ == "__main__":
    main()
