"""Three statistics in one campaign against three campaigns at a third of epsilon each, over seeds.

Others: `python -m benchmarks.local.joint --epsilon 1 2 --seeds 5 --graphs ego-Facebook`. With `--shares .2 .3 .4` one
campaign is also run at these shares of epsilon for the degree, to see what the forecast of the share is worth. Shown
are means over the seeds: of the degree distribution the Wasserstein distance (in friends) and the summed error, of
triangles and clustering the mean absolute error over people; in which share of entries the interval holds; and the bits
that a person sends and fetches. The same seeds are used in every row.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from fractions import Fraction

import numpy as np

from graphveil.graph.core import Graph
from graphveil.graph.datasets import load_dataset
from graphveil.local.experiment import Run, experiment_runs
from graphveil.local.protocol import LocalProtocol
from graphveil.registry import build_protocol

GRAPHS = (
    "ego-Facebook",
    "ca-GrQc",
    "wiki-Vote",
    "feather-lastfm-asia",
    "musae-twitch-DE",
    "ca-AstroPh",
    "email-Enron",
    "ego-Twitter",
)
THREE = ("degree-distribution", "triangle-sequence", "clustering")
COLUMNS = (
    ("degree-distribution", "wasserstein"),
    ("degree-distribution", "relative_error"),
    ("triangle-sequence", "mae"),
    ("clustering", "mae"),
)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--epsilon", nargs="+", default=["1", "2"])
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--shares", nargs="+", default=[])
    parser.add_argument("--graphs", nargs="+", default=GRAPHS)
    options = parser.parse_args()
    print("| graph | ε | campaign | Wasserstein | summed error | triangles | clustering | held | bits up | bits down |")
    print("| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |")
    for name in options.graphs:
        graph = load_dataset(name)
        for epsilon in map(Fraction, options.epsilon):
            for what, protocols in campaigns(graph.n_nodes, epsilon, options.shares):
                print(f"| {name} | {float(epsilon):g} | {what} | {row(graph, protocols, options.seeds)} |", flush=True)


def campaigns(n_people: int, epsilon: Fraction, shares: list[str]) -> Iterator[tuple[str, list[LocalProtocol]]]:
    """One campaign for all, at the share that is forecast and at given ones, and one for each at a third."""

    def build(statistic: str, own: Fraction, **parameters: str) -> LocalProtocol:
        asked = {"unit": "edge", "epsilon": own, "n_people": n_people, "parameters": parameters}
        built: LocalProtocol = build_protocol(statistic, "veil", **asked)
        return built

    together = build(",".join(THREE), epsilon)
    yield f"one ({together.parameters()['degree_share']} for degrees)", [together]
    for share in shares:
        yield f"one, {share} for degrees", [build(",".join(THREE), epsilon, degree_share=share)]
    yield "three", [build(statistic, epsilon / 3) for statistic in THREE]


def row(graph: Graph, protocols: list[LocalProtocol], seeds: int) -> str:
    """Errors, intervals and bits of one or three campaigns."""
    runs: dict[str, list[Run]] = {statistic: [] for statistic in THREE}
    for protocol in protocols:
        for run in experiment_runs(protocol, graph, runs=seeds, seed=2026):
            for statistic, own in {run.outcome.statistic: run, **run.also}.items():
                runs[statistic].append(own)
    errors = [f"{np.mean([run.metrics[error] for run in runs[name]]):.3g}" for name, error in COLUMNS]
    held = [np.mean([run.held for run in runs[name] if run.held is not None] or [np.nan]) for name in THREE]
    costs = [protocol.cost() for protocol in protocols]
    bits = [
        f"{sum(cost.upload_bits_per_user for cost in costs):.3g}",
        f"{sum(cost.download_bits_per_user for cost in costs):.3g}",
    ]
    shown = " ".join("-" if np.isnan(share) else f"{share:.2f}" for share in held)
    return " | ".join([*errors, shown, *bits])


if __name__ == "__main__":
    main()
