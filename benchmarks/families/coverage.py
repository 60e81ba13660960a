"""How often stated 95 % intervals of local collection hold, on every family of graphs and at three epsilons.

`python -m benchmarks.families.coverage` prints, for triangles in total and for the triangles of every person, the share
of runs or people whose interval holds the truth, the same for people in dense cliques, and the mean error. Errors must
fall with epsilon. `--graphs` takes public graphs as well as families.
"""

from __future__ import annotations

import argparse

import numpy as np

from graphveil.graph.core import Graph
from graphveil.graph.datasets import DATASETS, load_dataset
from graphveil.graph.generate.families import FAMILIES, family
from graphveil.graph.statistics.clustering import exact_local_clustering
from graphveil.graph.statistics.triangles import exact_triangles, exact_triangles_per_node
from graphveil.local.simulate import simulate
from graphveil.registry import build_protocol

PEOPLE, FEW = 1000, 50
DENSE, FRIENDS = 0.85, 10  # local clustering and degree from which somebody counts as in a dense clique


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--graphs", nargs="*", default=list(FAMILIES), help=f"of {', '.join((*FAMILIES, *DATASETS))}")
    parser.add_argument("--epsilons", nargs="*", default=["0.5", "1", "4"])
    parser.add_argument("--seeds", type=int, default=20)
    options = parser.parse_args()
    print(f"{'graph':<20}{'epsilon':>8}{'total holds':>13}{'people hold':>13}{'in cliques':>12}{'mean error':>12}")
    for name in options.graphs:
        graph = named(name)
        for epsilon in options.epsilons:
            total, people, dense, error = row(graph, epsilon, options.seeds)
            print(f"{name:<20}{epsilon:>8}{total:>13.2f}{people:>13.3f}{dense:>12.3f}{error:>12.4g}", flush=True)


def named(name: str) -> Graph:
    if name in DATASETS:
        return load_dataset(name)
    return family(name, FEW if name == "tiny" else PEOPLE, seed=1)


def row(graph: Graph, epsilon: str, seeds: int) -> tuple[float, ...]:
    """Coverage of totals, of everybody, of people in dense cliques, and the mean error of a person's triangles."""
    truth, total = exact_triangles_per_node(graph), exact_triangles(graph)
    dense = (exact_local_clustering(graph) > DENSE) & (graph.degrees >= FRIENDS)
    totals, people, cliques, errors = [], [], [], []
    for seed in range(seeds):
        low, high = collected("triangles", graph, epsilon, seed).interval95
        totals.append(float(low) <= total <= float(high))
        result = collected("triangle-sequence", graph, epsilon, seed)
        low, high = result.interval95
        holds = (low <= truth) & (high >= truth)
        people.append(holds.mean())
        cliques.append(holds[dense].mean() if dense.any() else np.nan)
        errors.append(np.abs(result.value - truth).mean())
    return tuple(float(np.mean(values)) for values in (totals, people, cliques, errors))


def collected(statistic: str, graph: Graph, epsilon: str, seed: int):
    protocol = build_protocol(statistic, "veil", unit="edge", epsilon=epsilon, n_people=graph.n_nodes)
    return simulate(protocol, graph, seed=seed)


if __name__ == "__main__":
    main()
