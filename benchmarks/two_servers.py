"""Two servers beside nobody trusted (local) and a trusted curator (central), at one epsilon for a relationship.

Epsilon is 1 for an entry of a list, so 2 for a relationship, in the local protocols and with two servers; the central
queries have 2 for a relationship. VC divides its epsilon otherwise; `benchmarks.local.triangles` prints what a
relationship costs there. Shown are mean errors over the runs with their standard error, and the median: relative for
triangles and edges, the Wasserstein distance in degrees for the degree distribution. The local form of edges is the sum
of noisy degrees. Seeds are 2026, 2027, ... Fewer runs, or one statistic:
`python -m benchmarks.two_servers --runs 50 --slow-runs 5 --statistics edges --graphs ego-Facebook`.
Targets of triangles, without and with hubs: .0015 and .0005 (Facebook), .0008 and .0007 (AstroPh), .004 and .003
(Enron). The share of lists in common that chooses the number of hubs was set on seven graphs, these three among them.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import numpy as np

from graphveil.evaluation.trust_models import central_errors
from graphveil.graph.core import Graph
from graphveil.graph.datasets import load_dataset
from graphveil.local.experiment import experiment_runs
from graphveil.mechanisms.noise.additive import add_discrete_laplace
from graphveil.mechanisms.noise.source import SeededNoise
from graphveil.registry import build_protocol
from graphveil.two_servers.experiment import run_two_servers

GRAPHS = ("ego-Facebook", "ca-AstroPh", "email-Enron")
STATISTICS = {"triangles": "relative_error", "degree-distribution": "wasserstein", "edges": "relative_error"}
TARGETS = {
    "two servers, no hubs": dict(zip(GRAPHS, (0.0015, 0.0008, 0.004), strict=True)),
    "two servers, hubs": dict(zip(GRAPHS, (0.0005, 0.0007, 0.003), strict=True)),
}
SEED = 2026


def errors(graph: Graph, statistic: str, runs: int, slow_runs: int) -> Iterator[tuple[str, list[float]]]:
    """Every way to learn a statistic, with the errors of its runs."""
    if statistic == "triangles":
        for protocol in ("vc", "veil"):
            yield f"local {protocol}", local_errors(graph, statistic, protocol, slow_runs)
        for label, hubs in (("two servers, no hubs", 0), ("two servers, hubs", "auto")):
            yield label, two_server_errors(graph, statistic, runs, hubs=hubs)
    else:
        if statistic == "edges":
            yield "local, noisy degrees", noisy_degree_errors(graph, runs)
        else:
            yield "local veil", local_errors(graph, statistic, "veil", slow_runs)
        yield "two servers", two_server_errors(graph, statistic, runs)
    yield "central", central_errors(graph, statistic, Fraction(2), SEED, runs=slow_runs, metric=STATISTICS[statistic])


def local_errors(graph: Graph, statistic: str, protocol: str, runs: int) -> list[float]:
    page = build_protocol(statistic, protocol, unit="edge", epsilon=Fraction(1), n_people=graph.n_nodes)
    metric = STATISTICS[statistic]
    return [run.metrics[metric] for run in experiment_runs(page, graph, runs=runs, seed=SEED)]


def two_server_errors(graph: Graph, statistic: str, runs: int, **options: Any) -> list[float]:
    metric, asked = STATISTICS[statistic], {"statistic": statistic, "unit": "edge", "epsilon": 1, **options}
    documents = (run_two_servers(graph, **asked, seed=SEED + run, shares=False) for run in range(runs))
    return [document["metrics"][metric] for document in documents]


def noisy_degree_errors(graph: Graph, runs: int) -> list[float]:
    degrees, m = graph.degrees.astype(np.int64), graph.n_edges
    sums = (add_discrete_laplace(SeededNoise(SEED + run), degrees, Fraction(1)).sum() for run in range(runs))
    return [float(abs(total / 2 - m) / m) for total in sums]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=200, help="of two servers")
    parser.add_argument("--slow-runs", type=int, default=20, help="of local protocols and central queries")
    parser.add_argument("--statistics", nargs="+", default=list(STATISTICS), choices=list(STATISTICS))
    parser.add_argument("--graphs", nargs="+", default=GRAPHS, choices=GRAPHS)
    options = parser.parse_args()
    print(f"{'statistic':20} {'graph':13} {'how':22} {'mean':>9} {'± error':>9} {'median':>9} {'runs':>5}")
    for statistic in options.statistics:
        for name in options.graphs:
            for how, found in errors(load_dataset(name), statistic, options.runs, options.slow_runs):
                mean, luck = np.mean(found), np.std(found, ddof=min(1, len(found) - 1)) / len(found) ** 0.5
                target = TARGETS.get(how, {}).get(name)
                verdict = "" if target is None else f"  {'met' if mean <= target else 'MISSED'}: at most {target}"
                row = (
                    f"{statistic:20} {name:13} {how:22} {mean:9.2g} {luck:9.1g} {np.median(found):9.2g} {len(found):5}"
                )
                print(row + verdict, flush=True)


if __name__ == "__main__":
    main()
