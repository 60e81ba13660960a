"""A year of a growing graph at epsilon 1, by months and by days: a stream beside fresh noise and one final release.

The edges of ego-Facebook arrive in random order, equally many a period. `tree` has Laplace noise on blocks of periods;
`factor` has Gaussian noise, at a delta of 1e-6. Fresh noise divides epsilon by the number of periods; the final release
spends all of it at the end. Everything is drawn, with seeded noise; streams run without their files. Edges, 2-stars and
triangles: root mean square error; the degree histogram: L1 distance over the number of people, mean of four dates. The
degree bound of 2-stars is 1,045, the largest degree, which a curator would have to know; of triangles 512.
`python -m benchmarks.central.over_time --runs 20 --graph email-Enron` changes runs and graph.
"""

from __future__ import annotations

import argparse
import math
from collections.abc import Callable, Iterator
from dataclasses import replace
from fractions import Fraction

import numpy as np

from graphveil.graph.core import Graph
from graphveil.graph.datasets import load_dataset
from graphveil.mechanisms.noise.source import SeededNoise
from graphveil.privacy.unit import Kind
from graphveil.release.draw import run
from graphveil.release.over_time.answers import prepare_fresh
from graphveil.release.over_time.counts import COUNTS, HISTOGRAM, cuts
from graphveil.release.over_time.opening import StreamTerms
from graphveil.release.over_time.pairs import PairTable
from graphveil.release.over_time.spec import FRESH, StreamQuery, StreamSpec
from graphveil.release.over_time.sums import draw_sums, estimates, read_bands

QUERIES = {"edges": None, "2-stars": 1045, "triangles": 512, HISTOGRAM: None}
HORIZONS = (12, 365)
DELTA = Fraction(1, 10**6)


def prefixes(graph: Graph, horizon: int) -> list[np.ndarray]:
    """The edges after every period."""
    edges = np.random.default_rng(1).permutation(graph.edges())
    return [edges[: round(len(edges) * step / horizon)] for step in range(1, horizon + 1)]


def terms(name: str, horizon: int, method: str) -> StreamSpec:
    shares = {name: Fraction(1)}
    asked = StreamTerms(shares, "edge", 1, horizon, ever=True, max_degree=QUERIES[name], methods={name: method})
    return asked.spec("benchmark", DELTA)


def histories(query: StreamQuery, arrivals: list[np.ndarray]) -> Iterator[tuple[int, ...]]:
    pairs = PairTable.empty()
    names = [str(person) for person in range(1 + int(arrivals[-1].max()))]
    for step, edges in enumerate(arrivals, start=1):
        pairs = pairs.step(edges.astype(np.int64), step, 1)
        yield COUNTS[Kind.EDGE, query.name].exact(pairs, names, query.options)


def dates(horizon: int) -> list[int]:
    return [math.ceil(horizon * part / 4) for part in (1, 2, 3, 4)]


def stream_error(spec: StreamSpec, arrivals: list[np.ndarray], graph: Graph, runs: int) -> float:
    query = spec.queries[0]
    values = list(histories(query, arrivals))
    truths = (
        [true_value(query.name, Graph.from_edges(edges, n_nodes=graph.n_nodes)) for edges in arrivals]
        if (query.name != HISTOGRAM)
        else []
    )
    looked = dates(spec.horizon) if query.name == HISTOGRAM else list(range(1, spec.horizon + 1))
    errors = []
    for seed in range(runs):
        noise, drawn = SeededNoise(seed), {}
        for step in range(1, spec.horizon + 1):
            drawn |= draw_sums(spec, query, values[:step], noise)
            if step in looked:
                parts = estimates(spec, query, step, drawn)
                if query.name == HISTOGRAM:
                    released = np.array(read_bands(cuts(query.options), parts, graph.n_nodes).value)
                    errors.append(distance(released, arrivals[step - 1], graph.n_nodes))
                else:
                    errors.append(max(0, round(parts[0].value)) - truths[step - 1])
    return summary(query.name, errors)


def fresh_error(name: str, arrivals: list[np.ndarray], graph: Graph, periods: int, runs: int) -> float:
    spec = replace(terms("edges", 12, "tree"), horizon=periods)
    query = prepare_fresh(spec, StreamQuery(name, Fraction(1), FRESH)).query
    errors = []
    for date in dates(len(arrivals)) if periods > 1 else [len(arrivals)]:
        now = Graph.from_edges(arrivals[date - 1], n_nodes=graph.n_nodes)
        truth = None if name == HISTOGRAM else true_value(name, now)
        for seed in range(runs):
            value = run(query, now, SeededNoise(seed)).value
            if truth is None:
                errors.append(distance(np.array(value), arrivals[date - 1], graph.n_nodes))
            else:
                errors.append(value - truth)
    return summary(name, errors)


def true_value(name: str, graph: Graph) -> int:
    from graphveil.graph.statistics.degrees import exact_k_stars
    from graphveil.graph.statistics.triangles import exact_triangles

    exact: dict[str, Callable[[], int]] = {
        "edges": lambda: graph.n_edges,
        "2-stars": lambda: exact_k_stars(graph, 2),
        "triangles": lambda: exact_triangles(graph),
    }
    return exact[name]()


def distance(released: np.ndarray, edges: np.ndarray, people: int) -> float:
    truth = np.bincount(np.bincount(edges.ravel(), minlength=people))
    size = max(len(truth), len(released))
    return float(
        np.abs(np.pad(released, (0, size - len(released))) - np.pad(truth, (0, size - len(truth)))).sum() / people
    )


def summary(name: str, errors: list[float]) -> float:
    return float(np.mean(errors)) if name == HISTOGRAM else float(np.sqrt(np.mean(np.square(errors))))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=5, help="of every stream and of every fresh answer")
    parser.add_argument("--graph", default="ego-Facebook")
    parser.add_argument("--query", choices=list(QUERIES), action="append")
    given = parser.parse_args()
    graph = load_dataset(given.graph)
    print(
        f"{'query':18}{'periods':>8}{'tree':>12}{'factor':>12}{'fresh':>12}{'final':>12}   ({given.graph}, epsilon 1)"
    )
    for name in given.query or QUERIES:
        for horizon in HORIZONS:
            arrivals = prefixes(graph, horizon)
            found = [stream_error(terms(name, horizon, by), arrivals, graph, given.runs) for by in ("tree", "factor")]
            found += [fresh_error(name, arrivals, graph, periods, 4 * given.runs) for periods in (horizon, 1)]
            print(f"{name:18}{horizon:8}" + "".join(f"{error:12.4g}" for error in found), flush=True)


if __name__ == "__main__":
    main()
