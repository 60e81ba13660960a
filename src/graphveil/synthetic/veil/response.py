"""The other way to a graph, for a large epsilon: randomised response on every pair, then denoising.

A noisy bit for each pair costs its rate, since one edge changes one bit; the number of edges and the degrees are
measured besides, and the losses add up. Whoever sees the noisy graph knows how many of its edges are false, and can
tell most of them. What is left follows people: node u is person u. All but the three measurements is post-processing.

Which pairs are edges. Of the pairs whose noisy bit is 1, a known number is false: every other pair has odds e^-rate to
get in. True edges join people with many friends and with common friends; false ones join anybody. So pairs are sorted
into cells by the product of their ends' degrees and, within these, by how much their common friends weigh (each the
less the more friends it has; Adamic and Adar 2003). Pairs drawn at random from those whose bit is 0 give the number of
false pairs to expect in a cell; what it holds beyond that are edges. With edges weighted by the chance that they are
true the weights are taken again, a few times.

How many true friends each person has. With randomised response a person of degree d has d friends, all but a negligible
share of them, and about `false` more: nearly a Poisson number. Together with how common each degree is (measured by
itself) that gives the odds of every d for somebody seen with so many friends. Somebody seen with one friend where
nobody has none, say, has that friend.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from graphveil.arrays import Bits, Floats, Integers
from graphveil.graph.core import Graph
from graphveil.kernels import kernel
from graphveil.mechanisms.algorithm import PublicFacts
from graphveil.mechanisms.laplace import NoisyInteger
from graphveil.mechanisms.measurement import Measurements
from graphveil.statistics.degrees.edge_tiles import SENSITIVITY, DiagramTiles, read_diagram
from graphveil.statistics.publication.invented_edges import expected_true_share
from graphveil.statistics.publication.noisy_pairs import NearestGraph
from graphveil.synthetic.degrees import smooth_degrees, whole_degrees
from graphveil.synthetic.synthesizer import Fit
from graphveil.synthetic.veil.measure import Shares, possible_edges

PASSES = 3
DEGREE_CELLS = 12
FRIEND_CELLS = 40
SAMPLE = 1_000_000
LEAST = 1e-3


def edge_chances(noisy: Graph, flip: float, rng: np.random.Generator) -> Floats:
    """For each edge of the noisy graph, in the order of `edges()`, the chance that it is one of the true graph."""
    edges = noisy.edges()
    n = noisy.n_nodes
    pairs = math.comb(n, 2)
    others = _pairs_without_edge(noisy, rng)
    if not len(edges) or not len(others):
        return np.ones(len(edges))
    false_each = (pairs - len(edges)) / len(others) * flip / (1 - flip)  # false edges that each sampled pair stands for
    chance = np.full(len(edges), float(np.clip(1 - flip * pairs / len(edges), 0.01, 1)))
    for _ in range(PASSES):
        here, there = (_features(noisy, edges, chance, some) for some in (edges, others))
        chance = _chances_by_cell(here, there, false_each)
    return chance


def _pairs_without_edge(noisy: Graph, rng: np.random.Generator) -> Integers:
    if noisy.n_nodes < 2:
        return np.empty((0, 2), dtype=np.int64)
    ends = np.sort(rng.integers(0, noisy.n_nodes, (SAMPLE, 2)), axis=1)
    ends = ends[ends[:, 0] != ends[:, 1]]
    joined: Bits = _are_joined(noisy.indptr, noisy.indices, ends)
    apart: Integers = ends[~joined]
    return apart


def _features(noisy: Graph, edges: Integers, chance: Floats, pairs: Integers) -> tuple[Floats, Floats]:
    """Logarithm of the product of expected degrees, and weight of common friends, of every pair."""
    degree = np.bincount(edges.ravel(), np.repeat(chance, 2), noisy.n_nodes)
    position = np.searchsorted(edges[:, 0] * noisy.n_nodes + edges[:, 1], _keys(noisy))
    friends = _common_weight(noisy.indptr, noisy.indices, chance[position], 1 / np.log(2 + degree), pairs)
    return np.log1p(degree[pairs]).sum(axis=1), friends


def _keys(noisy: Graph) -> Integers:
    """For every entry of the rows, the number of its edge's pair in rising order of edges."""
    owner = np.repeat(np.arange(noisy.n_nodes), noisy.degrees)
    other = noisy.indices.astype(np.int64)
    return np.minimum(owner, other) * noisy.n_nodes + np.maximum(owner, other)


def _chances_by_cell(here: tuple[Floats, Floats], there: tuple[Floats, Floats], false_each: float) -> Floats:
    from scipy.optimize import isotonic_regression

    borders = np.quantile(here[0], np.linspace(0, 1, DEGREE_CELLS + 1)[1:-1])
    row, other_row = np.searchsorted(borders, here[0]), np.searchsorted(borders, there[0])
    chance = np.empty(len(here[0]))
    for cell in range(DEGREE_CELLS):
        mine, others = row == cell, other_row == cell
        if not mine.any():
            continue
        steps = np.unique(np.quantile(here[1][mine], np.linspace(0, 1, FRIEND_CELLS + 1)[1:-1]))
        column = np.searchsorted(steps, here[1][mine], side="right")
        found = np.bincount(column, minlength=len(steps) + 1).astype(np.float64)
        false = false_each * np.bincount(
            np.searchsorted(steps, there[1][others], side="right"), minlength=len(steps) + 1
        )
        true = np.clip(1 - (false + 0.5) / np.maximum(found, 1), 0, 1)
        chance[mine] = isotonic_regression(true, weights=np.maximum(found, 1e-9)).x[column]
    return np.clip(chance, LEAST, 1)


@kernel
def _are_joined(indptr: Any, indices: Any, pairs: Any) -> Any:
    joined = np.zeros(len(pairs), dtype=np.bool_)
    for i in range(len(pairs)):
        low, high = indptr[pairs[i, 0]], indptr[pairs[i, 0] + 1]
        end = high
        while low < high:
            middle = (low + high) // 2
            if indices[middle] < pairs[i, 1]:
                low = middle + 1
            else:
                high = middle
        joined[i] = low < end and indices[low] == pairs[i, 1]
    return joined


@kernel
def _common_weight(indptr: Any, indices: Any, weight: Any, discount: Any, pairs: Any) -> Any:
    """Sum over common neighbours of both edges' weights and the node's own, by merging two sorted rows."""
    total = np.zeros(len(pairs))
    for p in range(len(pairs)):
        i, end_i = indptr[pairs[p, 0]], indptr[pairs[p, 0] + 1]
        j, end_j = indptr[pairs[p, 1]], indptr[pairs[p, 1] + 1]
        while i < end_i and j < end_j:
            if indices[i] < indices[j]:
                i += 1
            elif indices[i] > indices[j]:
                j += 1
            else:
                total[p] += weight[i] * weight[j] * discount[indices[i]]
                i += 1
                j += 1
    return total


LEAST_PEOPLE = 0.02  # of any degree, so that none is ruled out
DEGREE_PASSES = 20
STEP = 0.5


def expected_degrees(seen: Integers, common: Floats, false: float) -> Floats:
    """The mean true degree of everybody; `common[d]` people have degree d.

    >>> expected_degrees(np.array([1, 3]), np.array([0.0, 90.0, 10.0, 1.0]), 1.0).round(1).tolist()
    [1.0, 1.2]
    """
    width = int(false + 6 * np.sqrt(false) + 8)
    extra = np.arange(width + 1)
    log_poisson = extra * np.log(max(false, 1e-12)) - np.cumsum(np.log(np.maximum(1, extra)))
    counts, place = np.unique(seen, return_inverse=True)
    mean = np.empty(len(counts))
    for i, count in enumerate(counts):
        possible = extra[extra <= count]
        odds = np.log(np.maximum(common[count - possible], LEAST_PEOPLE)) + log_poisson[: len(possible)]
        weight = np.exp(odds - odds.max())
        mean[i] = weight @ (count - possible) / weight.sum()
    return mean[place]


def balanced_log_odds(edges: Integers, chance: Floats, degrees: Floats) -> Floats:
    """Log odds of the edges, shifted for each person so that the chances of their edges add up to their degree."""
    inside = np.clip(chance, 1e-6, 1 - 1e-6)
    log_odds = np.log(inside / (1 - inside))
    shift = np.zeros(len(degrees))
    for _ in range(DEGREE_PASSES):
        shifted = log_odds + shift[edges].sum(axis=1)
        have = np.bincount(edges.ravel(), np.repeat(1 / (1 + np.exp(-shifted)), 2), len(degrees))
        shift += STEP * np.clip(np.log(np.maximum(degrees, 0.01) / np.maximum(have, 0.01)), -2, 2)
    balanced: Floats = log_odds + shift[edges].sum(axis=1)
    return balanced


def wanted_by(edges: Integers, rank: Floats, degrees: Floats) -> Integers:
    """For every edge, at how many of its ends it is among the best ranked, as many of them as the degree there."""
    ends = edges.ravel()
    order = np.lexsort((-np.repeat(rank, 2), ends))
    first = np.searchsorted(ends[order], np.arange(len(degrees)))
    wanted = np.empty(len(ends), dtype=np.int64)
    wanted[order] = np.arange(len(ends)) - first[ends[order]] < np.rint(degrees)[ends[order]]
    return wanted[::2] + wanted[1::2]


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
    """The number of edges, all degrees, and a noisy bit for every pair of people."""
    return (
        NoisyInteger(what="number of edges", exact=graph.n_edges, sensitivity=1, epsilon=epsilons["edges"]),
        DiagramTiles(degrees=graph.degrees, epsilon=epsilons["degrees"]),
        NearestGraph(graph=graph, epsilon=epsilons["pairs"], size=lambda ones: ones),
    )


def conclude_response(epsilons: Shares, outcomes: Sequence[Any], facts: PublicFacts) -> Fit:
    """How likely each noisy pair is an edge, and everybody's degree; nothing but the outcomes is looked at."""
    noisy_edges, tiles, (noisy, ones) = outcomes
    edges = possible_edges(int(noisy_edges), noisy.n_nodes)
    diagram = read_diagram(tiles, noisy.n_nodes, epsilons["degrees"] / SENSITIVITY)
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
        labels=facts.labels,
        true_share=expected_true_share(edges, math.comb(noisy.n_nodes, 2), epsilons["pairs"]),
    )


def draw_response(fit: Fit, rng: np.random.Generator) -> Graph:
    """As many edges as measured, by preference likely ones, and such as both ends need to have their degrees."""
    noisy: Graph = fit.parameters["noisy"]
    edges = noisy.edges()
    rank = SHARPNESS * fit.parameters["log_odds"] + rng.logistic(size=len(edges))
    rank += WANTED * wanted_by(edges, rank, fit.parameters["degrees"])
    kept = np.argsort(-rank, kind="stable")[: fit.targets["edges"]]
    return Graph.from_edges(edges[kept], n_nodes=noisy.n_nodes)
