"""The other way to a graph, for a large epsilon: randomised response on every pair, then denoising.

A noisy bit for each pair costs its rate, since one edge changes one bit; the number of edges and the degrees are
measured besides, and the losses add up. Whoever sees the noisy graph knows how many of its edges are false, and most
of them can be told (`synthetic.veil.denoise`). What is left follows people: node u is person u.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from graphveil.graph.core import Graph
from graphveil.mechanisms.measurement import Measurements
from graphveil.mechanisms.noisy_numbers import NoisyInteger
from graphveil.mechanisms.noisy_pairs import NearestGraph
from graphveil.mechanisms.tile_runs import diagram_of
from graphveil.mechanisms.young import SENSITIVITY
from graphveil.synthetic.page import Fit
from graphveil.synthetic.veil.degrees import whole_degrees
from graphveil.synthetic.veil.denoise import edge_chances
from graphveil.synthetic.veil.measure import Shares, possible_edges
from graphveil.synthetic.veil.people import balanced_log_odds, expected_degrees, wanted_by
from graphveil.synthetic.veil.smooth import smooth_degrees

SHARPNESS = 3.0  # how little chance has to say in which edges are kept
WANTED = 3.0  # what it adds to the rank of an edge that an end needs to have its degree
FALSE_PER_EDGE = Fraction(1, 2)  # up to so many false pairs for every edge this way is taken


def flip_probability(rate: float) -> float:
    """How likely a noisy bit is the wrong one."""
    return 1 / (1 + math.exp(min(rate, 700.0)))


def is_worth_it(n_nodes: int, noisy_edges: int, rate: Fraction) -> bool:
    """Whether few enough of the noisy pairs will be false; depends on public and released numbers alone."""
    return math.comb(n_nodes, 2) * flip_probability(float(rate)) <= FALSE_PER_EDGE * noisy_edges


def response_measurements(graph: Graph, epsilons: Shares) -> Measurements:
    """Edges, degrees, all pairs."""
    return (
        NoisyInteger(graph.n_edges, epsilons["edges"]),
        diagram_of(graph.degrees, epsilons["degrees"] / SENSITIVITY),
        NearestGraph(graph, epsilons["pairs"], lambda ones: ones),
    )


def conclude_response(epsilons: Shares, outcomes: Sequence[Any]) -> Fit:
    """How likely each noisy pair is an edge, and everybody's degree; nothing but the outcomes is looked at."""
    noisy_edges, diagram, (noisy, ones) = outcomes
    edges = possible_edges(noisy_edges, noisy.n_nodes)
    flip = flip_probability(float(epsilons["pairs"]))
    common = np.bincount(whole_degrees(smooth_degrees(diagram), edges), minlength=noisy.n_nodes).astype(np.float64)
    degrees = expected_degrees(noisy.degrees.astype(np.int64), common, flip * noisy.n_nodes)
    chance = edge_chances(noisy, flip, np.random.default_rng(0))
    return Fit(
        noisy.n_nodes,
        {
            "edges": edges,
            "noisy_pairs": ones,
            "epsilons": {name: float(epsilon) for name, epsilon in epsilons.items()},
        },
        {"noisy": noisy, "log_odds": balanced_log_odds(noisy.edges(), chance, degrees), "degrees": degrees},
        follows_people=True,
        labels=noisy.labels,
    )


def draw_response(fit: Fit, rng: np.random.Generator) -> Graph:
    """As many edges as measured, by preference likely ones, and such as both ends need to have their degrees."""
    noisy: Graph = fit.parameters["noisy"]
    edges = noisy.edges()
    rank = SHARPNESS * fit.parameters["log_odds"] + rng.logistic(size=len(edges))
    rank += WANTED * wanted_by(edges, rank, fit.parameters["degrees"])
    kept = np.argsort(-rank, kind="stable")[: fit.targets["edges"]]
    return Graph.from_edges(edges[kept], n_nodes=noisy.n_nodes)
