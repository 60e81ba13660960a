"""Private work: noise, releases, and whole local protocols beside numpy code as one would first write it."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import networkx as nx
import numpy as np
from benchmarks._timing import Job

from graphveil.central.triangles import LadderTriangles
from graphveil.graph.core import Graph
from graphveil.local.registry import build
from graphveil.local.simulate import simulate
from graphveil.mechanisms.bulk import bulk_discrete_gaussian, bulk_discrete_laplace
from graphveil.mechanisms.source import SystemNoise
from graphveil.mechanisms.vetted import vetted_discrete_gaussian, vetted_discrete_laplace

MILLION, PART = 1_000_000, 20_000


def noise() -> Iterator[Job]:
    """A million exact draws; OpenDP draws a fiftieth."""
    source = SystemNoise()
    for law, ours, theirs, parameter in (
        ("discrete Laplace", bulk_discrete_laplace, vetted_discrete_laplace, Fraction(1, 10)),
        ("discrete Gaussian", bulk_discrete_gaussian, vetted_discrete_gaussian, Fraction(100)),
    ):
        yield Job(
            law,
            "a million draws",
            lambda ours=ours, parameter=parameter: ours(source, parameter, MILLION),
            {"OpenDP": lambda theirs=theirs, parameter=parameter: theirs(parameter, PART)},
            {"OpenDP": PART / MILLION},
        )


def releases(name: str, graph: Graph) -> Iterator[Job]:
    """A private count of triangles beside a count in networkx and one Laplace draw scaled to n."""
    page = LadderTriangles(epsilon=Fraction(1))
    other = nx.from_edgelist(graph.edges().tolist())

    def by_hand() -> float:
        return sum(nx.triangles(other).values()) / 3 + float(vetted_discrete_laplace(Fraction(1, graph.n_nodes), 1)[0])

    yield Job("private triangles", name, lambda: page.run(graph, SystemNoise()), {"networkx + OpenDP": by_hand})


def protocols(name: str, graph: Graph) -> Iterator[Job]:
    """Everybody's part and the collector's, simulated."""
    matrix = np.zeros((graph.n_nodes, graph.n_nodes), dtype=bool)
    matrix[tuple(graph.edges().T)] = True
    matrix |= matrix.T
    rng = np.random.default_rng(0)
    rows = (
        ("degree-distribution", "sw-ems", "node", lambda: _square_wave(graph.degrees, graph.n_nodes, rng)),
        ("triangles", "veil", "edge", lambda: _two_rounds(matrix, rng)),
        ("triangles", "rnl", "edge", lambda: _noisy_lists(matrix, rng)),
    )
    for statistic, protocol, unit, plain in rows:
        page = build(statistic, protocol, unit=unit, epsilon=1, n_people=graph.n_nodes)
        yield Job(
            f"{statistic}, {protocol}", name, lambda page=page: simulate(page, graph, seed=0), {"plain numpy": plain}
        )


def _square_wave(degrees: Any, n_people: int, rng: np.random.Generator, bins: int = 1024, steps: int = 200) -> Any:
    half = 1 / (2 * np.e * (np.e - 2))  # Li et al. 2020 at epsilon 1
    near = np.e / (2 * half * np.e + 1)
    value = degrees / n_people
    inside = rng.random(n_people) < 2 * half * near
    far = rng.random(n_people)
    reports = np.where(
        inside, value + half * (2 * rng.random(n_people) - 1), np.where(far < value, far - half, far + half)
    )
    counts, _ = np.histogram(reports, bins, (-half, 1 + half))
    out = -half + (1 + 2 * half) * (np.arange(bins) + 0.5) / bins
    law = np.where(abs(out[:, None] - (np.arange(bins) + 0.5) / bins) < half, near, near / np.e)
    law /= law.sum(axis=0)
    estimate = np.full(bins, 1 / bins)
    for _ in range(steps):
        estimate *= law.T @ (counts / (law @ estimate))
        estimate = np.convolve(np.pad(estimate, 1, mode="edge"), (0.25, 0.5, 0.25), mode="valid")
        estimate /= estimate.sum()
    return estimate


def _responses(matrix: Any, rng: np.random.Generator) -> Any:
    flips = rng.random(matrix.shape, dtype=np.float32) < 1 / (1 + np.e)
    noisy = np.triu(matrix ^ flips, 1)
    return noisy | noisy.T


def _two_rounds(matrix: Any, rng: np.random.Generator) -> float:
    noisy = _responses(matrix, rng)
    keep = np.e / (1 + np.e)
    total = 0.0
    for person, row in enumerate(matrix):
        friends = np.flatnonzero(row[:person])
        pairs = len(friends) * (len(friends) - 1) / 2
        seen = np.count_nonzero(noisy[np.ix_(friends, friends)]) / 2
        total += (seen - (1 - keep) * pairs) / (2 * keep - 1) + rng.laplace(0, 100)
    return total


def _noisy_lists(matrix: Any, rng: np.random.Generator) -> float:
    keep = np.e / (1 + np.e)
    clean = (_responses(matrix, rng) - (1 - keep)).astype(np.float32) / (2 * keep - 1)
    np.fill_diagonal(clean, 0)
    return float(((clean @ clean) * clean).sum() / 6)
