"""Clustering collected locally at epsilon 1: transitivity, by degree, on average and of every person.

Transitivity runs with 100 seeds, whose mean has a luck of 7 %, the rest with 20.
Others: `python -m benchmarks.local.clustering --epsilon 2 4 --seeds 5 --graphs wiki-Vote`. Every protocol runs as it
does for real clients, under seeded noise. The first line has the relative error of transitivity; the table, for each
class of degrees, the truth, the mean answer of `veil` where it gives one, the mean error against it and the mean stated
deviation; the last line the mean absolute error over people. What is marked ! has no guarantee: it leaks as published.
`half` says 1/2 for everybody.
"""

from __future__ import annotations

import argparse
from typing import Any

import numpy as np

from graphveil.graph.core import Graph
from graphveil.graph.datasets import load_dataset
from graphveil.graph.statistics.clustering import exact_local_clustering, exact_transitivity
from graphveil.local.experiment import Run, experiment_runs
from graphveil.privacy.guarantee import Verdict
from graphveil.registry import build_protocol

GRAPHS = ("ego-Facebook", "email-Enron", "ca-AstroPh", "wiki-Vote")
TARGETS = {("ego-Facebook", "1"): 0.015, ("email-Enron", "1"): 0.02}
PEERS = ("gs-ldp", "lf-gdpr", "rnl", "local2rounds")
LARGEST_DENSE = 10_000  # people, for protocols that look at all pairs


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--epsilon", nargs="+", default=["1"])
    parser.add_argument("--seeds", type=int, default=0)
    parser.add_argument("--graphs", nargs="+", default=GRAPHS[:2], choices=GRAPHS)
    options = parser.parse_args()
    for name in options.graphs:
        graph = load_dataset(name)
        for epsilon in options.epsilon:
            transitivity(graph, name, epsilon, options.seeds or 100)
            everybody(graph, epsilon, options.seeds or 20)


def trials(graph: Graph, statistic: str, protocol: str, epsilon: str, seeds: int) -> tuple[list[Run], str]:
    page = build_protocol(statistic, protocol, unit="edge", epsilon=epsilon, n_people=graph.n_nodes)
    mark = " !" if page.claim and page.claim.verdict is Verdict.REFUTED else ""
    return list(experiment_runs(page, graph, runs=seeds, seed=2026)), mark


def transitivity(graph: Graph, name: str, epsilon: str, seeds: int) -> None:
    runs, _ = trials(graph, "transitivity", "veil", epsilon, seeds)
    errors = [run.metrics["relative_error"] for run in runs]
    target = ""
    if (name, epsilon) in TARGETS:
        most = TARGETS[name, epsilon]
        target = f"  {'met' if np.mean(errors) <= most else 'MISSED'}: <= {most:.1%}"
    print(
        f"\n{name}, epsilon {epsilon}: transitivity {exact_transitivity(graph):.4f}, "
        f"relative error {np.mean(errors):.2%} ± {np.std(errors) / len(errors) ** 0.5:.2%}, "
        f"spread {np.std(errors):.2%} over {len(errors)} seeds{target}"
    )


def everybody(graph: Graph, epsilon: str, seeds: int) -> None:
    runs, _ = trials(graph, "clustering", "veil", epsilon, seeds)
    exact = exact_local_clustering(graph)
    facts = [run.outcome.estimate.facts for run in runs]
    print(f"{'degree':>10} {'people':>7} {'truth':>7} {'veil':>7} {'error':>7} {'stated':>7} {'given':>6}")
    for i, entry in enumerate(facts[0]["by_degree"]):
        last = graph.n_nodes if entry["to"] is None else entry["to"]
        inside = (graph.degrees >= entry["from"]) & (graph.degrees <= last)
        label = f"{entry['from']}-{entry['to'] or ''}"
        print(class_row(label, int(inside.sum()), float(exact[inside].mean()), [f["by_degree"][i] for f in facts]))
    print(class_row("average", graph.n_nodes, float(exact.mean()), [f["average"] for f in facts]))
    print(f"{'mean absolute error over people':>34}: veil {mae(runs)}", end="")
    for protocol in PEERS:
        if protocol in ("rnl", "lf-gdpr") and graph.n_nodes > LARGEST_DENSE:
            continue
        others, mark = trials(graph, "clustering", protocol, epsilon, seeds)
        print(f", {protocol}{mark} {mae(others)}", end="", flush=True)
    print(f", half {np.abs(exact - 0.5).mean():.3f}")


def class_row(label: str, people: int, truth: float, stated: list[dict[str, Any]]) -> str:
    means = np.array([entry["mean"] for entry in stated if entry["mean"] is not None])
    std, share = np.mean([entry["std"] for entry in stated]), len(means) / len(stated)
    answer = f"{means.mean():7.3f} {np.abs(means - truth).mean():7.3f}" if len(means) else f"{'-':>7} {'-':>7}"
    return f"{label:>10} {people:7} {truth:7.3f} {answer} {std:7.3f} {share:6.0%}"


def mae(runs: list[Run]) -> str:
    return f"{np.mean([run.metrics['mae'] for run in runs]):.3f}"


if __name__ == "__main__":
    main()
