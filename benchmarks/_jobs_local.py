"""Whole local protocols beside plain numpy: everybody's part and the collector's, simulated, at epsilon 1.

The numpy code draws floating-point noise, packs no messages and keeps all pairs of people in one matrix; what it
estimates, and from which answers, is the same; for degrees by `veil` there is also one that uses sets of bins as they
are, as ours does. All errors are shown, so that nobody is fast by being wrong.

Left out: protocols that differ from one shown in a public choice only (`veil-quantiles`, `veil-two-rounds`,
`veil-low-download`, `one-end`, thinned answers, strengths that people choose), refuted ones, and node forms that say
nothing.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count
from typing import Any

import numpy as np
from benchmarks import _plain_degrees as degrees_of
from benchmarks import _plain_pairs as pairs_of
from benchmarks._timing import Job, Task

from graphveil.graph.core import Graph
from graphveil.local.simulate import simulate
from graphveil.local.statistics import find_statistic
from graphveil.registry import build_protocol


def protocols(name: str, graph: Graph) -> Iterator[Job]:
    """One job a protocol."""
    rng, seeds = np.random.default_rng(0), count()
    rows = (*_of_degrees(graph.degrees, rng), *_of_pairs(pairs_of.adjacency(graph.edges(), graph.n_nodes), rng))
    for statistic, protocol, unit, plain in rows:
        page = build_protocol(statistic, protocol, unit=unit, epsilon=1, n_people=graph.n_nodes)
        asked = find_statistic(statistic)
        truth = asked.exact(graph)
        metric = "wasserstein" if statistic == "degree-distribution" else "mae"

        def ours(page: Any = page) -> Any:
            return simulate(page, graph, seed=next(seeds)).value

        def error(value: Any, asked: Any = asked, truth: Any = truth, metric: str = metric) -> float:
            return asked.metrics(value, truth)[metric]

        others = {"plain numpy": plain}
        if (statistic, protocol, unit) == ("degree-distribution", "veil", "node"):
            others["numpy, whole sets"] = lambda: degrees_of.two_channels(graph.degrees, rng, whole=True)
        yield Job(f"{statistic}, {protocol} ({unit})", name, ours, others, error=error)


def _of_degrees(degrees: Any, rng: np.random.Generator) -> Iterator[tuple[str, str, str, Task]]:
    root = np.exp(0.5)
    for protocol, unit, plain in (
        ("veil", "node", lambda: degrees_of.two_channels(degrees, rng, whole=False)),
        ("veil", "edge", lambda: degrees_of.noisy_degrees(degrees, rng)),
        ("sw-ems", "node", lambda: degrees_of.wave(degrees, rng)),
        ("oue", "node", lambda: degrees_of.unary(degrees, rng, 0.5, 1 / (1 + np.e))),
        ("sue", "node", lambda: degrees_of.unary(degrees, rng, root / (1 + root), 1 / (1 + root))),
        ("grr", "node", lambda: degrees_of.kary(degrees, rng)),
        ("two-stage", "node", lambda: degrees_of.staged(degrees, rng)),
    ):
        yield "degree-distribution", protocol, unit, plain


def _of_pairs(matrix: Any, rng: np.random.Generator) -> Iterator[tuple[str, str, str, Task]]:
    whole = (0.1, 0.45, 0.45)
    for statistic, protocol, plain in (
        ("triangles", "veil", lambda: pairs_of.in_order(matrix, rng)),
        ("triangles", "vc", lambda: pairs_of.own_bounds(matrix, rng, whole, below=False).sum() / 3),
        ("triangles", "local2rounds", lambda: pairs_of.largest_bound(matrix, rng, below=True).sum()),
        ("triangles", "rnl", lambda: pairs_of.corrected(matrix, rng)[0].sum() / 3),
        ("triangle-sequence", "veil", lambda: pairs_of.own_bounds(matrix, rng, whole, below=False)),
        ("triangle-sequence", "plain", lambda: pairs_of.own_bounds(matrix, rng, whole, below=False)),
        ("triangle-sequence", "local2rounds", lambda: pairs_of.largest_bound(matrix, rng, below=False)),
        ("triangle-sequence", "rnl", lambda: pairs_of.corrected(matrix, rng)[0]),
        ("clustering", "veil", lambda: _own_clustering(matrix, rng)),
        ("clustering", "lf-gdpr", lambda: pairs_of.refined(matrix, rng)),
        ("clustering", "rnl", lambda: pairs_of.clustering(*pairs_of.corrected(matrix, rng))),
        ("transitivity", "veil", lambda: pairs_of.transitivity(matrix, rng)),
    ):
        yield statistic, protocol, "edge", plain


def _own_clustering(matrix: Any, rng: np.random.Generator) -> Any:
    triangles = pairs_of.own_bounds(matrix, rng, (0.12, 0.44, 0.44), below=False)
    return pairs_of.clustering(triangles, pairs_of.noisy_lengths(matrix, 0.12, rng))
