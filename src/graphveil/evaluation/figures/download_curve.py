"""Error of the number of triangles against the bits that a person fetches, for every protocol.

The x-axis is a budget of bits. A protocol that can look at fewer pairs is set up to fetch no more than the budget;
one that cannot is shown from where the budget covers it.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from functools import lru_cache

from graphveil.errors import ParameterError
from graphveil.evaluation.experiment import Cell, Experiment, Grid, Metric, experiment_graph
from graphveil.graph.core import Graph
from graphveil.local.experiment import experiment_runs
from graphveil.local.protocol import LocalProtocol
from graphveil.registry import build_protocol

PUBLISHED = ("vc", "local2rounds", "arr-full", "arr-one-ns", "arr-two-ns")
SERIES = ("veil", "veil-two-rounds", "veil-low-download", *PUBLISHED)
SHARES = tuple(Fraction(digit, 10**power) for power in range(8) for digit in ((1,) if power == 0 else (5, 2, 1)))


def measure(cell: Cell) -> Mapping[str, float]:
    """The relative error within a budget of 10^x bits; a panel is a graph and an epsilon."""
    name, _, epsilon = cell.graph.partition(", epsilon ")
    found = protocol_within(cell.series, Fraction(epsilon), experiment_graph(name), 10**cell.x)
    return {} if found is None else {"relative_error": _error(name, found, cell.seed)}


@lru_cache(maxsize=len(SERIES))
def _error(name: str, found: LocalProtocol, seed: int) -> float:
    """Remembered, since a protocol that cannot use a larger budget is the same under it."""
    (each,) = experiment_runs(found, experiment_graph(name), runs=1, seed=seed)
    return each.metrics["relative_error"]


def protocol_within(protocol: str, epsilon: Fraction, graph: Graph, bits: float) -> LocalProtocol | None:
    """The protocol set up to fetch at most so many bits a person, if it can be and its reports still say something.

    >>> people = Graph.from_edges([(0, 1)], n_nodes=4039)
    >>> found = protocol_within("veil-low-download", Fraction(1), people, 80_000)
    >>> found.parameters()
    {'pairs_one_in': 34}
    >>> protocol_within("arr-full", Fraction(1), people, 5_000) is None
    True
    """
    options: list[dict[str, object]] = [{}]
    n_people = graph.n_nodes
    if protocol == "veil-low-download":
        everything = build_protocol("triangles", "veil-two-rounds", unit="edge", epsilon=epsilon, n_people=n_people)
        options = [{"pairs_one_in": max(1, -int(-everything.cost().download_bits_per_user // bits))}]
    elif protocol.startswith("arr"):
        options = [{"share": share} for share in SHARES]
    for parameters in options:
        try:
            found: LocalProtocol = build_protocol(
                "triangles", protocol, unit="edge", epsilon=epsilon, n_people=n_people, parameters=parameters
            )
        except ParameterError:  # so small a share, and all that follow
            return None
        if found.cost_among(graph).download_bits_per_user <= bits:
            return found
    return None


EXPERIMENT = Experiment(
    name="download-curve",
    title="Number of triangles: error against what a person fetches",
    x_label="bits a person fetches, as a power of ten",
    metrics=(Metric("relative_error", "relative error"),),
    full=Grid(
        ("ego-Facebook, epsilon 1", "ego-Facebook, epsilon 2", "email-Enron, epsilon 2"),
        SERIES,
        (3.5, 4.0, 4.5, 4.9, 5.5, 6.0, 6.5, 7.0, 8.0, 9.0),
        seeds=10,
    ),
    quick=Grid(("clustered-1k, epsilon 2",), SERIES, (3.0, 4.0, 5.0, 6.0), seeds=2),
    measure=measure,
    published=frozenset(PUBLISHED),
)
