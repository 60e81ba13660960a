"""BCPA's figures 2 to 5 (Huang et al. 2019) on the paper's two graphs: as published, and repaired.

The published schemes invent so many edges at small epsilon that the graphs get too large to draw; such points are
missing, and the panel of edges says why. Figure 2 shows a distortion score, which the paper takes for privacy.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import lru_cache

import numpy as np

from graphveil.errors import ParameterError
from graphveil.evaluation.experiment import PUBLISHED_AS_GRAPHS, Cell, Experiment, Grid, Metric, experiment_graph
from graphveil.evaluation.metrics.distortion import neighbour_degree_distortion
from graphveil.evaluation.readings import split_series
from graphveil.graph.core import Graph
from graphveil.graph.statistics.clustering import exact_average_clustering
from graphveil.graph.statistics.degree_table import DegreeTable, exact_joint_degrees
from graphveil.graph.statistics.distances import exact_distances
from graphveil.mechanisms.noise.source import SeededNoise
from graphveil.papers.bcpa.betweenness_order import TupleOrder
from graphveil.papers.bcpa.figure_claims import CLAIMS, READINGS
from graphveil.papers.bcpa.noisy_tuples import TuplePerturbation
from graphveil.registry import find_synthesizer
from graphveil.release.draw import run
from graphveil.synthetic.dk2.from_tuples import MAX_EDGES, graph_from_tuples

PUBLISHED = ("dk-pa", "drc", "bcpa")
REPAIRED = ("dk2-soft", "bcpa-private")
ORIGINAL = "original"
DRAWABLE = MAX_EDGES
EPSILONS = (5.0, 10.0, 100.0)
MANY_EPSILONS = (5.0, 10.0, 20.0, 40.0, 60.0, 80.0, 100.0)
DEGREES = tuple(float(2**k) for k in range(13))


@lru_cache(maxsize=2 * len(PUBLISHED))
def _ordered(graph: str, series: str) -> tuple[DegreeTable, TupleOrder]:
    """The tuples in a published scheme's order, which does not depend on epsilon."""
    method, options = split_series(series)
    scheme = find_synthesizer(method).build(Fraction(1), options)
    assert isinstance(scheme, TuplePerturbation)
    table = exact_joint_degrees(experiment_graph(graph))
    return table, scheme.order(experiment_graph(graph), table)


@lru_cache(maxsize=len(EPSILONS))
def drawn(graph: str, series: str, epsilon: float, seed: int) -> tuple[Graph | None, float]:
    """(a synthetic graph, the edges it was to have); no graph where these are too many."""
    original = experiment_graph(graph)
    method, options = split_series(series)
    if method == ORIGINAL:
        return original, original.n_edges
    scheme = find_synthesizer(method).build(Fraction(str(epsilon)), options)
    if not isinstance(scheme, TuplePerturbation):
        fit = run(scheme, original, SeededNoise(seed))
        return scheme.sample(fit, seed=seed), fit.targets["edges"]
    noisy = scheme.add_noise(*_ordered(graph, series), SeededNoise(seed))
    counts = noisy.counts[0]
    wanted = float(np.maximum(counts, 0).sum())
    try:
        made = graph_from_tuples(noisy.degrees, counts, original.n_nodes, seed=seed, max_edges=DRAWABLE)
    except ParameterError:
        return None, wanted
    return made, wanted


def _measure(name: str, value: Callable[[Graph, Graph], float]) -> Callable[[Cell], Mapping[str, float]]:
    def measure(cell: Cell) -> Mapping[str, float]:
        original = experiment_graph(cell.graph)
        made, wanted = drawn(cell.graph, cell.series, cell.x, cell.seed)
        values = {name: math.nan if made is None else value(original, made), "edges": wanted / original.n_edges}
        # of an order by sampled betweenness, how far off it is
        published = split_series(cell.series)[0] in PUBLISHED
        return values | (_ordered(cell.graph, cell.series)[1].to_json() if published else {})

    return measure


def _shares_at_least(cell: Cell) -> Mapping[str, float]:
    """The share of people with at least x friends, at every epsilon."""
    graphs = {epsilon: drawn(cell.graph, cell.series, epsilon, cell.seed)[0] for epsilon in EPSILONS}
    return {
        f"epsilon={epsilon:g}": math.nan if made is None else float((made.degrees >= cell.x).mean())
        for epsilon, made in graphs.items()
    }


def _is_needed(cell: Cell) -> bool:
    """The original is the same whatever the seed."""
    return cell.series != ORIGINAL or cell.seed == 0


def _figure(
    number: int, title: str, key: str, value: Callable[[Graph, Graph], float], epsilons: tuple[float, ...]
) -> Experiment:
    series = (*PUBLISHED, *REPAIRED) if number == 2 else (ORIGINAL, *PUBLISHED, *REPAIRED)
    return Experiment(
        name=f"bcpa-fig{number}",
        title=title,
        x_label="epsilon",
        metrics=(Metric(key, key, log=False), Metric("edges", "edges wanted, over true edges")),
        full=Grid(PUBLISHED_AS_GRAPHS, series, epsilons, seeds=5, has_cell=_is_needed),
        quick=Grid(("clustered-1k",), series, epsilons[::2] if number == 2 else EPSILONS, seeds=1),
        measure=_measure(key, value),
        marks=dict.fromkeys(PUBLISHED, "claim refuted"),
        claims=CLAIMS[number],
        readings=READINGS,
    )


FIGURE_2 = _figure(
    2,
    "Distortion of neighbours' degrees (the paper calls it privacy)",
    "distortion",
    neighbour_degree_distortion,
    MANY_EPSILONS,
)
FIGURE_3 = _figure(
    3, "Average clustering", "average clustering", lambda _original, made: exact_average_clustering(made), EPSILONS
)
FIGURE_4 = _figure(
    4, "Average path length", "average path", lambda _original, made: exact_distances(made).average, EPSILONS
)
FIGURE_5 = Experiment(
    name="bcpa-fig5",
    title="People with at least so many friends",
    x_label="friends",
    metrics=tuple(Metric(f"epsilon={x:g}", f"share of people, epsilon {x:g}") for x in EPSILONS),
    full=Grid(PUBLISHED_AS_GRAPHS, (ORIGINAL, *PUBLISHED, *REPAIRED), DEGREES, seeds=5, has_cell=_is_needed),
    quick=Grid(("clustered-1k",), (ORIGINAL, *PUBLISHED, *REPAIRED), DEGREES[:8], seeds=1),
    measure=_shares_at_least,
    marks=dict.fromkeys(PUBLISHED, "claim refuted"),
    log_x=True,
    claims=CLAIMS[5],
    readings=READINGS,
)
