"""Triangles of every person collected locally, over 20 seeds.

Others: `python -m benchmarks.local.sequence --epsilon 6 --seeds 5 --protocols veil rnl --graphs email-Enron`. Every
protocol runs as it does for real clients, under seeded noise. Shown are mean and standard deviation over the seeds of
the mean squared and the mean absolute error over people, and the bits a person sends and fetches. Targets are for
`veil` on Facebook. Rows marked ! have no guarantee: they run as published and leak. `gs-ldp given` is Algorithm 4 with
the true .98 quantile of the degrees as its threshold, for which it would have to pay. `zero` prints 0 for everybody.
"""

from __future__ import annotations

import argparse

import numpy as np

from graphveil.graph.core import Graph
from graphveil.graph.datasets import load_dataset
from graphveil.graph.statistics.triangles import exact_triangles_per_node
from graphveil.local.experiment import experiment_runs
from graphveil.local.statistics import entry_metrics
from graphveil.privacy.guarantee import Verdict
from graphveil.registry import build_protocol

GRAPHS = ("ego-Facebook", "ca-AstroPh", "email-Enron", "wiki-Vote", "ego-Twitter")
TARGETS = {("ego-Facebook", "1"): 1.5e5, ("ego-Facebook", "2"): 3.0e4, ("ego-Facebook", "4"): 4.5e3}
NAMES = ("veil", "plain", "rnl", "local2rounds", "gs-ldp given", "gs-ldp", "zero")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--epsilon", nargs="+", default=["1", "2", "4"])
    parser.add_argument("--seeds", type=int, default=20)
    parser.add_argument("--protocols", nargs="+", default=NAMES, choices=NAMES)
    parser.add_argument("--graphs", nargs="+", default=GRAPHS[:1], choices=GRAPHS)
    options = parser.parse_args()
    print(
        f"{'protocol':15} {'graph':13} {'eps':>4} {'MSE':>18} {'MAE':>16} {'bits up':>8} {'down':>8} {'s':>6}  target"
    )
    for name in options.graphs:
        graph = load_dataset(name)
        for epsilon in options.epsilon:
            for protocol in options.protocols:
                print(row(graph, name, epsilon, protocol, options.seeds), flush=True)


def row(graph: Graph, name: str, epsilon: str, protocol: str, seeds: int) -> str:
    if protocol == "zero":
        metrics = entry_metrics(np.zeros(graph.n_nodes), exact_triangles_per_node(graph))
        return f"{'zero':15} {name:13} {epsilon:>4} {metrics['mse']:18.2e} {metrics['mae']:16.4g}"
    given = {"threshold": int(np.quantile(graph.degrees, 0.98))} if protocol.endswith("given") else {}
    plain = protocol.removesuffix(" given")
    page = build_protocol(
        "triangle-sequence", plain, unit="edge", epsilon=epsilon, n_people=graph.n_nodes, parameters=given
    )
    runs = list(experiment_runs(page, graph, runs=seeds, seed=2026))
    mark = " !" if page.claim and page.claim.verdict is Verdict.REFUTED else ""
    mse, mae = ([run.metrics[key] for run in runs] for key in ("mse", "mae"))
    cost, seconds = page.cost(), np.mean([run.seconds for run in runs])
    target = ""
    if plain == "veil" and (name, epsilon) in TARGETS:
        most = TARGETS[name, epsilon]
        target = f"{'met' if np.mean(mse) <= most else 'MISSED'}: MSE <= {most:.1e}"
    return (
        f"{protocol + mark:15} {name:13} {epsilon:>4} {spread(mse, '.2e'):>18} {spread(mae, '.4g'):>16} "
        f"{cost.upload_bits_per_user:8.3g} {cost.download_bits_per_user:8.3g} {seconds:6.2f}  {target}"
    )


def spread(values: list[float], form: str) -> str:
    return f"{np.mean(values):{form}}±{np.std(values, ddof=1) if len(values) > 1 else 0.0:{form}}"


if __name__ == "__main__":
    main()
