"""Private work of one who holds the graph: noise and releases."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

import networkx as nx
from benchmarks._opendp import opendp_discrete_gaussian, opendp_discrete_laplace
from benchmarks._timing import Job

from graphveil.central.edge.triangles import LadderTriangles
from graphveil.graph.core import Graph
from graphveil.mechanisms.noise.bulk import bulk_discrete_gaussian, bulk_discrete_laplace
from graphveil.mechanisms.noise.source import SystemNoise
from graphveil.release.draw import run

MILLION, PART = 1_000_000, 20_000


def noise() -> Iterator[Job]:
    """A million exact draws; OpenDP draws a fiftieth."""
    source = SystemNoise()
    for law, ours, theirs, parameter in (
        ("discrete Laplace", bulk_discrete_laplace, opendp_discrete_laplace, Fraction(1, 10)),
        ("discrete Gaussian", bulk_discrete_gaussian, opendp_discrete_gaussian, Fraction(100)),
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
        return sum(nx.triangles(other).values()) / 3 + float(opendp_discrete_laplace(Fraction(1, graph.n_nodes), 1)[0])

    yield Job("private triangles", name, lambda: run(page, graph, SystemNoise()), {"networkx + OpenDP": by_hand})
