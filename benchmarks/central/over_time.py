"""A year of a growing graph at epsilon 1, by months and by days: a stream beside fresh noise and one final release.

The edges of a graph arrive in random order, equally many a period; people are counted once they have an edge. `tree`
has Laplace noise on blocks of periods; `factor` has Gaussian noise, at a delta of 1e-6. Fresh noise divides epsilon by
the number of periods; the final release spends all of it at the end. Each query has a stream and an epsilon of its own.
Everything is drawn, with seeds from 0 on; streams run without their files. Root mean square error over all periods,
for fresh noise over four dates; of the degree histogram the mean L1 distance over the number of people, at four dates.
The degree bound of 2-stars and triangles is the largest degree, which a curator would have to know, or a part of it.
`python -m benchmarks.central.over_time --runs 20 --graphs ego-Facebook generated` changes runs and graphs.
"""

from __future__ import annotations

import argparse
import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from graphveil.central.query import PublicFacts
from graphveil.graph.core import Graph
from graphveil.graph.datasets import load_dataset
from graphveil.graph.generate.random import power_law_cluster
from graphveil.graph.statistics.degrees import exact_k_stars
from graphveil.graph.statistics.triangles import exact_triangles
from graphveil.mechanisms.measurement import draw
from graphveil.mechanisms.noise.source import SeededNoise
from graphveil.release.over_time.answers import prepare_fresh
from graphveil.release.over_time.counts import HISTOGRAM, cuts
from graphveil.release.over_time.opening import StreamTerms
from graphveil.release.over_time.pairs import PairTable
from graphveil.release.over_time.spec import FRESH, StreamQuery, StreamSpec
from graphveil.release.over_time.sums import Drawn, draw_sums, estimates, read_bands

GENERATED = "generated"  # 5,000 people, 39,936 edges, many triangles
GRAPHS = ("ego-Facebook", "wiki-Vote", "ca-GrQc", "feather-lastfm-asia", "musae-twitch-DE", GENERATED)
HORIZONS = (12, 365)
DELTA = Fraction(1, 10**6)
TRUTHS: dict[str, Callable[[Graph], Any]] = {
    "edges": lambda graph: graph.n_edges,
    "nodes": lambda graph: int(np.count_nonzero(graph.degrees)),
    "2-stars": lambda graph: exact_k_stars(graph, 2),
    "triangles": exact_triangles,
    HISTOGRAM: lambda graph: np.bincount(graph.degrees),
}


@dataclass(frozen=True)
class Year:
    """A graph that grows for so many periods, and the degree bounds of the queries that need one."""

    name: str
    arrivals: list[Graph]
    bounds: dict[str, int]

    @classmethod
    def of(cls, name: str, horizon: int, part: float = 1) -> Year:
        """The edges in random order, cut into periods; degree bounds are this part of the largest degree."""
        graph = power_law_cluster(5000, 8, 0.5, seed=1) if name == GENERATED else load_dataset(name)
        edges = np.random.default_rng(1).permutation(graph.edges())
        ends = [round(len(edges) * step / horizon) for step in range(1, horizon + 1)]
        bound = round(part * int(graph.degrees.max()))
        return cls(
            name,
            [Graph.from_edges(edges[:end], n_nodes=graph.n_nodes) for end in ends],
            {"2-stars": bound, "triangles": bound},
        )

    @property
    def dates(self) -> list[int]:
        """Four periods, the last among them."""
        return [math.ceil(len(self.arrivals) * part / 4) for part in (1, 2, 3, 4)]

    def spec(self, query: str, method: str, horizon: int | None = None) -> StreamSpec:
        """A stream of one query."""
        unit, periods = "node" if query == "nodes" else "edge", horizon or len(self.arrivals)
        people, bound = self.arrivals[-1].n_nodes, self.bounds.get(query)
        asked = StreamTerms(
            {query: Fraction(1)}, unit, 1, periods, ever=True, max_degree=bound, methods={query: method}, people=people
        )
        return asked.spec("benchmark", DELTA)

    def parts(self, specs: dict[str, StreamSpec]) -> dict[str, list[tuple[int, ...]]]:
        """The exact parts of every query after every period."""
        found: dict[str, list[tuple[int, ...]]] = {name: [] for name in specs}
        pairs, names = PairTable.empty(), np.arange(self.arrivals[0].n_nodes).astype(np.str_)
        for step, graph in enumerate(self.arrivals, start=1):
            pairs = pairs.step(graph.edges(), step, 1)
            for name, spec in specs.items():
                query = spec.queries[0]
                people = names[graph.degrees > 0] if name == "nodes" else names
                found[name].append(spec.count(query).exact(pairs, people.tolist(), query.options))
        return found


def stream_error(
    year: Year, spec: StreamSpec, parts: list[tuple[int, ...]], truths: dict[int, Any], runs: int
) -> float:
    query, errors = spec.queries[0], []
    for seed in range(runs):
        noise = SeededNoise(seed)
        drawn: Drawn = {}
        for step, graph in enumerate(year.arrivals, start=1):
            drawn |= draw_sums(spec, query, parts[:step], noise)
            if step in truths:
                found = estimates(spec, query, step, drawn)
                bands = query.name == HISTOGRAM
                value = read_bands(cuts(query.options), found, graph.n_nodes).value if bands else round(found[0].value)
                errors.append(error(value if bands else max(0, value), truths[step], graph.n_nodes))
    return summary(query.name, errors)


def fresh_error(year: Year, name: str, dates: list[int], periods: int, truths: dict[int, Any], draws: int) -> float:
    unit = "node" if name == "nodes" else "edge"
    query = prepare_fresh(year.spec(name, FRESH, periods), StreamQuery(name, Fraction(1), FRESH)).query
    errors = []
    for place, date in enumerate(dates):
        graph = year.arrivals[date - 1]
        shown = Graph.from_edges(graph.edges(), n_nodes=graph.n_nodes, roster_declared=True)
        if name == "nodes":  # people join with their first edge
            there = np.cumsum(graph.degrees > 0) - 1
            shown = Graph.from_edges(there[graph.edges()], n_nodes=int(there[-1]) + 1, roster_declared=True)
        measurements, facts = query.measure(shown), PublicFacts.of(shown, unit)
        for seed in range(draws):
            value = query.conclude(draw(measurements, SeededNoise(seed * len(dates) + place)), facts).value
            errors.append(error(value, truths[date], graph.n_nodes))
    return summary(name, errors)


def error(released: Any, truth: Any, people: int) -> float:
    if np.ndim(truth) == 0:
        return float(released - truth)
    size = max(len(truth), len(released))
    given, true = (np.pad(np.asarray(each, dtype=float), (0, size - len(each))) for each in (released, truth))
    return float(np.abs(given - true).sum() / people)


def summary(name: str, errors: list[float]) -> float:
    return float(np.mean(errors)) if name == HISTOGRAM else float(np.sqrt(np.mean(np.square(errors))))


def print_year(year: Year, queries: list[str], runs: int) -> None:
    horizon = len(year.arrivals)
    specs = {(name, method): year.spec(name, method) for name in queries for method in ("tree", "factor")}
    parts = year.parts({name: specs[name, "tree"] for name in queries})
    for name in queries:
        looked = year.dates if name == HISTOGRAM else range(1, horizon + 1)
        truths = {step: TRUTHS[name](year.arrivals[step - 1]) for step in looked}
        last = truths[horizon]
        found = [stream_error(year, specs[name, by], parts[name], truths, runs) for by in ("tree", "factor")]
        found.append(fresh_error(year, name, year.dates, horizon, truths, runs))
        found.append(fresh_error(year, name, [horizon], 1, truths, 4 * runs))
        true = f"{last:,}" if np.ndim(last) == 0 else ""
        print(f"{year.name:20}{name:18}{true:>12}{horizon:5}" + "".join(f"{one:12.4g}" for one in found), flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=10, help="of every stream and of every fresh answer")
    parser.add_argument("--graphs", nargs="*", default=list(GRAPHS))
    parser.add_argument("--queries", nargs="*", choices=list(TRUTHS), default=list(TRUTHS))
    parser.add_argument("--horizons", nargs="*", type=int, default=list(HORIZONS))
    parser.add_argument("--bound", type=float, default=1, metavar="PART", help="of the largest degree")
    given = parser.parse_args()
    heads = "".join(f"{head:>12}" for head in ("tree", "factor", "fresh", "final"))
    print(f"{'graph':20}{'query':18}{'at the end':>12}{'T':>5}{heads}   (epsilon 1)")
    for graph in given.graphs:
        for horizon in given.horizons:
            print_year(Year.of(graph, horizon, given.bound), given.queries, given.runs)


if __name__ == "__main__":
    main()
