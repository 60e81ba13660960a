"""Seeded graph matching: our attack beside scipy's FAQ with the same knowledge: `python -m benchmarks attacks`.

Each row publishes a graph under new names, as it is or anonymised, and gives both attackers the same ten people and the
same share of the edges. Printed are the shares of all other people who are named rightly, and the seconds. FAQ holds
n x n matrices (`scipy.optimize.quadratic_assignment`, partial_match), so graphs are small.
"""

from __future__ import annotations

import os
import time
from pathlib import Path

import numpy as np
from scipy.optimize import quadratic_assignment

from graphveil.anonymity.anonymize import anonymize
from graphveil.arrays import Integers
from graphveil.audit.attacks.case import Case, case_by_key
from graphveil.audit.attacks.propagate import choose_seeds, seed_and_propagate, share_of_edges
from graphveil.graph.core import Graph
from graphveil.graph.datasets import load_dataset
from graphveil.graph.generate.random import barabasi_albert, power_law_cluster

DATA = os.environ.get("GRAPHVEIL_DATA") or Path(__file__).parents[2] / "shared" / "data"
SEEDS = 10
K = 5
SITUATIONS = (
    ("pseudonyms", 0.7),
    ("pseudonyms", 0.5),
    ("k-degree", 0.7),
    ("k-degree", 0.5),
    ("k-neighbourhood", 1.0),
    ("k-automorphism", 1.0),
    ("k-seed", 1.0),
)


def main() -> None:
    print(f"{'graph':28}{'published':17}{'known':>7}{'ours':>9}{'FAQ':>9}{'guess':>8}{'our s':>8}{'FAQ s':>8}")
    for name, graph in graphs():
        for method, share in SITUATIONS:
            case = published(graph, method)
            start = time.perf_counter()
            ours = seed_and_propagate(case, seeds=SEEDS, known_edges=share)
            middle = time.perf_counter()
            theirs = faq_rate(case, share)
            end = time.perf_counter()
            rates = f"{ours.rate:>9.2%}{theirs:>9.2%}{ours.baseline_rate:>8.2%}"
            print(f"{name:28}{method:17}{share:>7.0%}{rates}{middle - start:>8.1f}{end - middle:>8.1f}", flush=True)


def graphs() -> list[tuple[str, Graph]]:
    facebook = load_dataset("ego-Facebook", folder=DATA)
    return [
        ("power-law cluster, 300", power_law_cluster(300, 4, 0.5, seed=1)),
        ("Barabasi-Albert, 500", barabasi_albert(500, 5, seed=3)),
        ("power-law cluster, 600", power_law_cluster(600, 6, 0.6, seed=3)),
        ("ego-Facebook, 700 of them", part(facebook, 700)),
    ]


def part(graph: Graph, people: int) -> Graph:
    """The graph among the first so many people."""
    edges = graph.edges()
    return Graph.from_edges(edges[(edges < people).all(axis=1)], n_nodes=people)


def published(graph: Graph, method: str) -> Case:
    if method == "pseudonyms":
        key: Integers = np.random.default_rng(1).permutation(graph.n_nodes)
        return case_by_key(graph, Graph.from_edges(np.argsort(key)[graph.edges()], n_nodes=graph.n_nodes), key)
    made = anonymize(graph, method=method, k=K, seed=1)
    return case_by_key(graph, made.graph, made.key)


def faq_rate(case: Case, share: float, seed: int = 0) -> float:
    """The rate of scipy's FAQ, with the seeds and the edges that `seed_and_propagate` draws."""
    rng = np.random.default_rng(seed)
    held = share_of_edges(case.original, share, rng)
    known = choose_seeds(case, SEEDS, rng)
    pairs = np.column_stack((known, case.published_as[known]))
    options = {"maximize": True, "partial_match": pairs, "rng": rng}
    found = quadratic_assignment(matrix(held), matrix(case.published), options=options).col_ind
    others = np.setdiff1d(case.members, known)
    return float((found[others] == case.published_as[others]).mean())


def matrix(graph: Graph) -> np.ndarray:
    dense = np.zeros((graph.n_nodes, graph.n_nodes))
    rows, columns = graph.edges().T
    dense[rows, columns] = dense[columns, rows] = 1
    return dense


if __name__ == "__main__":
    main()
