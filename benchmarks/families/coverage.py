"""How often stated 95 % intervals of local collection hold, on every family of graphs and at three epsilons.

`python -m benchmarks.families.coverage` prints a row for each graph and epsilon: the share of runs in which the number
of triangles, transitivity and average clustering lie in their intervals, of entries of the degree distribution, of
people for the triangles and the clustering of each, the same for people in dense cliques, and the mean error of a
person's triangles. A dash means that no interval is stated. Errors must fall with epsilon. `--graphs` takes public
graphs as well as families.
"""

from __future__ import annotations

import argparse

import numpy as np

from graphveil.graph.core import Graph
from graphveil.graph.datasets import DATASETS, load_dataset
from graphveil.graph.generate.families import FAMILIES, family
from graphveil.graph.statistics.clustering import exact_local_clustering
from graphveil.local.experiment import share_held
from graphveil.local.protocol import NORMAL95
from graphveil.local.result import CollectionResult
from graphveil.local.simulate import simulate
from graphveil.local.statistics import find_statistic
from graphveil.registry import build_protocol

PEOPLE, FEW = 1000, 50
STATISTICS = ("triangles", "transitivity", "degree-distribution", "triangle-sequence", "clustering")
OF_PEOPLE = {"triangle-sequence": "in cliques", "clustering": "in cliques "}  # the columns of people in dense cliques
COLUMNS = {
    "triangles": "triangles",
    "transitivity": "transitivity",
    "average": "average",
    "degree-distribution": "degrees",
    "triangle-sequence": "people",
    "in cliques": "in cliques",
    "clustering": "clustering",
    "in cliques ": "in cliques",
}
DENSE, FRIENDS = 0.85, 10  # local clustering and degree from which somebody counts as in a dense clique


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--graphs", nargs="*", default=list(FAMILIES), help=f"of {', '.join((*FAMILIES, *DATASETS))}")
    parser.add_argument("--epsilons", nargs="*", default=["0.5", "1", "4"])
    parser.add_argument("--seeds", type=int, default=30)
    options = parser.parse_args()
    print(f"{'graph':<20}{'epsilon':>8}" + "".join(f"{name:>13}" for name in (*COLUMNS.values(), "error")))
    for name in options.graphs:
        graph = named(name)
        for epsilon in options.epsilons:
            held, error = row(graph, epsilon, options.seeds)
            cells = "".join(f"{held[column]:>13.3f}" if column in held else f"{'-':>13}" for column in COLUMNS)
            print(f"{name:<20}{epsilon:>8}{cells}{error:>13.4g}", flush=True)


def named(name: str) -> Graph:
    if name in DATASETS:
        return load_dataset(name)
    return family(name, FEW if name == "tiny" else PEOPLE, seed=1)


def row(graph: Graph, epsilon: str, seeds: int) -> tuple[dict[str, float], float]:
    """Mean coverage by column, and the mean error of a person's triangles."""
    clustering = exact_local_clustering(graph)
    dense = (clustering > DENSE) & (graph.degrees >= FRIENDS)
    truths = {statistic: find_statistic(statistic).exact(graph) for statistic in STATISTICS}
    found: dict[str, list[float | None]] = {column: [] for column in COLUMNS}
    errors = []
    for seed in range(seeds):
        for statistic, truth in truths.items():
            result = collected(statistic, graph, epsilon, seed)
            found[statistic].append(share_held(result, truth))
            if statistic in OF_PEOPLE:
                found[OF_PEOPLE[statistic]].append(share_held(result, truth, dense))
            if statistic == "clustering" and (average := result.estimate.facts["average"])["withheld"] is None:
                found["average"].append(abs(average["mean"] - clustering.mean()) <= NORMAL95 * average["std"])
            if statistic == "triangle-sequence":
                errors.append(np.abs(result.value - truth).mean())
    known = {column: [share for share in shares if share is not None] for column, shares in found.items()}
    return {column: float(np.mean(shares)) for column, shares in known.items() if shares}, float(np.mean(errors))


def collected(statistic: str, graph: Graph, epsilon: str, seed: int) -> CollectionResult:
    protocol = build_protocol(statistic, "veil", unit="edge", epsilon=epsilon, n_people=graph.n_nodes)
    return simulate(protocol, graph, seed=seed)


if __name__ == "__main__":
    main()
