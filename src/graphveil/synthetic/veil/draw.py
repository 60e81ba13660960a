"""One graph from goals: calibrate how it starts, start it, and let swaps do the rest. Nothing here is private.

Starting is cheap, so it is tried several times. Blocks get denser or sparser where the clustering of a class of degrees
came out too low or too high. How many people keep to their group is chosen so that about as many pairs are close (at
distance 1 or 2) as measured, but hardly less than clustering suggests: tight circles go along with closed groups.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from graphveil.graph.core import Graph
from graphveil.graph.statistics.distances import count_within_two
from graphveil.synthetic.veil.blocks import Blocks, plan_blocks
from graphveil.synthetic.veil.goals import Goals
from graphveil.synthetic.veil.scores import Scores, scores_of
from graphveil.synthetic.veil.start import wire
from graphveil.synthetic.veil.swaps import improve
from graphveil.synthetic.veil.wiring import Wiring, as_graph

Floats = NDArray[np.float64]

STAYS = (0.1, 0.4, 0.7, 0.9, 0.995)  # tried; what lies between is interpolated
STAYS_OF_MANY = (0.1, 0.7, 0.995)
MANY_EDGES = 2_000_000
STAY_BELOW, STAY_ABOVE = 0.15, 0.3  # how far from what clustering suggests
CLOSE_SPREAD = 0.1  # how far close pairs may be off for other reasons, relatively
REFINEMENTS = 2
SOURCES = 2_000


def draw_graph(goals: Goals, rng: np.random.Generator, rounds: int) -> Graph:
    """A graph with exactly the wanted degrees, and the rest about as wanted; nodes group by group."""
    n = len(goals.degrees)
    if goals.n_edges == 0:
        return Graph.from_edges([], n_nodes=n)
    blocks = plan_blocks(goals.degrees, goals.hats.at(goals.clustering, goals.degrees), rng)
    wiring, scores, stay = _start(goals, blocks, rng)
    improve(wiring, scores, blocks, (1 - stay) ** 2, rounds, rng)
    return as_graph(wiring)


def _start(goals: Goals, blocks: Blocks, rng: np.random.Generator) -> tuple[Wiring, Scores, float]:
    """The calibrated start, and the share of people who stay in their group."""
    density = np.cbrt(goals.clustering)

    def attempt(stay: float) -> tuple[Wiring, Scores]:
        nonlocal density
        wiring = wire(goals, blocks, density, stay, rng)
        scores = scores_of(as_graph(wiring), goals)
        density = _calibrated(density, goals, scores)
        return wiring, scores

    many = goals.n_edges > MANY_EDGES  # chance averages out, and a start takes long
    tried = STAYS_OF_MANY if many else STAYS
    best = _most_plausible(goals, tried, [_close_pairs(attempt(stay)[0], rng) for stay in tried])
    for _ in range(REFINEMENTS - many):
        attempt(best)
    return *attempt(best), best


def _calibrated(density: Floats, goals: Goals, scores: Scores) -> Floats:
    """Clustering grows with the cube of density."""
    wanted = goals.clustering_sums
    factor = np.cbrt(np.maximum(wanted, 1e-3) / np.maximum(wanted + scores.clustering, 1e-3))
    return np.clip(density * factor, 0, 1)


def _most_plausible(goals: Goals, tried: Sequence[float], close_pairs: Sequence[float]) -> float:
    """How many people stay, from the close pairs at each share tried."""
    stay = np.linspace(tried[0], tried[-1], 200)
    falling = np.minimum.accumulate(np.maximum(1.0, close_pairs))
    have = np.exp(np.interp(stay, tried, np.log(falling)))
    off = (have - goals.close_pairs) / np.hypot(CLOSE_SPREAD * have, goals.close_pairs_std)
    usual = 0.25 + 0.75 * goals.average_clustering
    unusual = (stay - usual) / np.where(stay < usual, STAY_BELOW, STAY_ABOVE)
    return float(stay[np.argmin(off**2 + unusual**2)])


def _close_pairs(wiring: Wiring, rng: np.random.Generator) -> float:
    """Estimated from some people."""
    graph = as_graph(wiring)
    sources = rng.permutation(graph.n_nodes)[:SOURCES]
    return float(count_within_two(graph, sources)[0]) * graph.n_nodes / max(1, 2 * len(sources))
