"""The same question put to a curator and to everybody's own devices, at equal epsilon: what trust is worth.

Both protect single entries or edges. A local epsilon speaks of one entry of one list; a friendship stands in two of
them, so the third line runs the local protocol at an epsilon for which a friendship costs what it costs the curator.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

import numpy as np

from graphveil.evaluation.experiment import Cell, Experiment, Grid, Metric, experiment_graph
from graphveil.graph.core import Graph
from graphveil.local.simulate import simulate
from graphveil.local.statistics import distribution_metrics, entry_metrics, find_statistic
from graphveil.mechanisms.noise.additive import add_discrete_laplace
from graphveil.mechanisms.noise.source import SeededNoise
from graphveil.registry import build_protocol
from graphveil.release.session import Session

CENTRAL, LOCAL, FRIENDSHIP = "central", "local, an entry at epsilon", "local, a friendship at epsilon"
QUESTIONS = ("edges", "degree distribution", "triangles", "transitivity")


def measure(cell: Cell) -> Mapping[str, float]:
    """The error of one answer; a panel is a graph and a question."""
    name, _, question = cell.graph.partition(": ")
    graph, epsilon = experiment_graph(name), Fraction(str(cell.x))
    if cell.series == CENTRAL:
        answer = ask_curator(graph, question, epsilon, cell.seed)
    else:
        answer = ask_everybody(graph, question, epsilon / 2 if cell.series == FRIENDSHIP else epsilon, cell.seed)
    return {"error": error_of(graph, question, answer)}


def ask_curator(graph: Graph, question: str, epsilon: Fraction, seed: int) -> Any:
    """The best central answer under edge privacy."""
    query = {"degree distribution": "degree-histogram"}.get(question, question)
    session = Session(graph, unit="edge", budget=epsilon, noise=SeededNoise(seed))
    value = session.release(query, epsilon=epsilon).value
    return np.asarray(value, dtype=np.float64) / graph.n_nodes if question == "degree distribution" else value


def ask_everybody(graph: Graph, question: str, epsilon: Fraction, seed: int) -> Any:
    """The best local answer for an entry at epsilon; edges are half of the sum of noisy degrees."""
    if question == "edges":
        return add_discrete_laplace(SeededNoise(seed), graph.degrees, epsilon).sum() / 2
    statistic = question.replace(" ", "-")
    protocol = build_protocol(statistic, "veil", unit="edge", epsilon=epsilon, n_people=graph.n_nodes)
    return simulate(protocol, graph, seed=seed).value


def error_of(graph: Graph, question: str, answer: Any) -> float:
    """Relative; of a degree distribution the Wasserstein distance over the mean degree."""
    if question == "edges":
        return entry_metrics(answer, graph.n_edges)["relative_error"]
    truth = find_statistic(question.replace(" ", "-")).exact(graph)
    if question == "degree distribution":
        return distribution_metrics(answer, truth)["wasserstein"] / float(graph.degrees.mean())
    return entry_metrics(answer, truth)["relative_error"]


EXPERIMENT = Experiment(
    name="central-vs-local",
    title="A curator and everybody's own devices, edge privacy",
    x_label="epsilon",
    metrics=(Metric("error", "relative error"),),
    full=Grid(
        tuple(f"{graph}: {question}" for graph in ("ego-Facebook", "email-Enron") for question in QUESTIONS),
        (CENTRAL, LOCAL, FRIENDSHIP),
        (0.5, 1.0, 2.0, 4.0),
        seeds=20,
    ),
    quick=Grid(
        tuple(f"clustered-1k: {question}" for question in QUESTIONS), (CENTRAL, LOCAL, FRIENDSHIP), (1.0, 4.0), seeds=2
    ),
    measure=measure,
)
