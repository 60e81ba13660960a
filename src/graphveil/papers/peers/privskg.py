"""A stochastic Kronecker graph fitted to noisy counts (PrivSKG).

Paper      Mir and Wright 2012; moments of stochastic Kronecker graphs by Gleich and Owen 2012
Unit       edge; the set of people is public
Trust      central
Guarantee  pure epsilon
Estimator  a graph with about the measured edges, 2-stars and triangles, as far as three parameters can have them
Cost       measuring: one pass over triangles; drawing: O(m log n)
Differs    degrees from tiles of the Young diagram and triangles from a smoothed ladder, instead of (epsilon, delta);
           noise is drawn once and paid for once; the people of largest expected degree are kept, so that there are n

Sensitivity: 2 for the tiles (`statistics.degrees.edge_tiles`), from which edges and 2-stars follow; the ladder on the
local sensitivity of triangles (`statistics.ladder.functions`). Half of epsilon each.

A pair of people u, v out of 2^r is joined with probability the product over the r binary digits of u and v of the
entry of ((a, b), (b, c)) that the two digits name.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from graphveil.arrays import Floats, Integers
from graphveil.graph.core import Graph
from graphveil.graph.statistics.pareto_pairs import neighbour_front
from graphveil.graph.statistics.triangles import exact_triangles
from graphveil.mechanisms.algorithm import PublicFacts
from graphveil.mechanisms.ladder_sampler import LadderInteger
from graphveil.mechanisms.measurement import Outcomes
from graphveil.statistics.degrees.edge_tiles import SENSITIVITY, DiagramTiles, fit_degrees, read_diagram
from graphveil.statistics.ladder.functions import triangle_ladder
from graphveil.statistics.ladder.ladder import SmoothedLadder, check_rungs
from graphveil.synthetic.synthesizer import Fit, Synthesizer

LADDER_GROWTH = Fraction(1, 20)  # the share of epsilon by which rungs may grow
STARTS = ((0.9, 0.5, 0.1), (0.99, 0.6, 0.3), (0.7, 0.4, 0.3))
DRAWS = 20  # rounds of drawing, each for the edges still missing


@dataclass(frozen=True, slots=True, kw_only=True)
class PrivSkg(Synthesizer):
    """Three parameters from three counts.

    >>> from graphveil.graph.generate.random import barabasi_albert
    >>> graph = barabasi_albert(500, 4, seed=1)
    >>> method = PrivSkg(epsilon=Fraction(20))
    >>> drawn = method.sample(run(method, graph, SeededNoise(1)), seed=1)
    >>> drawn.n_nodes, abs(drawn.n_edges / graph.n_edges - 1) < 0.05
    (500, True)
    """

    def __post_init__(self) -> None:
        Synthesizer.__post_init__(self)
        check_rungs(self.epsilon, self.epsilon / 2)

    def measure(self, graph: Graph) -> tuple[DiagramTiles, LadderInteger]:
        """All degrees, and the number of triangles."""
        half = self.epsilon / 2
        rungs = SmoothedLadder(triangle_ladder(neighbour_front(graph), graph.n_nodes), half, LADDER_GROWTH)
        triangles = LadderInteger(what="number of triangles", exact=exact_triangles(graph), rungs=rungs)
        return DiagramTiles(degrees=graph.degrees, epsilon=half), triangles

    def conclude(self, outcomes: Outcomes, facts: PublicFacts) -> Fit:
        """Noisy edges, 2-stars and triangles, and the parameters that expect them."""
        tiles, drawn = outcomes
        diagram = read_diagram(tiles, facts.n_nodes, self.epsilon / 2 / SENSITIVITY)
        degrees = fit_degrees(diagram).astype(np.float64)
        counts = (float(degrees.sum() / 2), float((degrees * (degrees - 1)).sum() / 2), float(max(0, int(drawn))))
        power = max(1, (facts.n_nodes - 1).bit_length())
        names = ("edges", "two_stars", "triangles")
        parameters = fit_initiator(counts, power)
        targets = {**dict(zip(names, counts, strict=True)), "initiator": list(parameters)}
        return Fit(facts.n_nodes, targets, {"initiator": parameters, "power": power})

    def generate(self, fit: Fit, *, seed: int) -> Graph:
        """That many different pairs by probability, among the people of largest expected degree."""
        a, b, c = fit.parameters["initiator"]
        power, n = fit.parameters["power"], fit.n_nodes
        wanted = min(round(fit.targets["edges"]), n * (n - 1) // 2)
        rng = np.random.default_rng(seed)
        ones = np.bitwise_count(np.arange(1 << power)).astype(np.int64)
        number = np.full(1 << power, -1, dtype=np.int64)
        number[np.argsort(ones if a >= c else -ones, kind="stable")[:n]] = np.arange(n)
        keys = np.empty(0, dtype=np.int64)
        for _ in range(DRAWS):
            missing = wanted - len(keys)
            if missing <= 0:
                break
            pairs = number[draw_kronecker((a, b, c), power, 2 * missing + 16, rng)]
            pairs = np.sort(pairs[(pairs[:, 0] != pairs[:, 1]) & (pairs >= 0).all(axis=1)], axis=1)
            fresh = rng.permutation(np.setdiff1d(pairs[:, 0] * n + pairs[:, 1], keys))
            keys = np.concatenate((keys, fresh[:missing]))
        return Graph.from_edges(np.stack(np.divmod(keys, max(1, n)), axis=1), n_nodes=n)


def draw_kronecker(initiator: tuple[float, float, float], power: int, count: int, rng: np.random.Generator) -> Integers:
    """That many pairs, digit by digit; loops and repeats are the caller's business."""
    a, b, c = initiator
    chances = np.cumsum([a, b, b, c]) / max(1e-12, a + 2 * b + c)
    pairs = np.zeros((count, 2), dtype=np.int64)
    for _ in range(power):
        quadrant = np.minimum(np.searchsorted(chances, rng.random(count)), 3)
        pairs = 2 * pairs + np.stack((quadrant // 2, quadrant % 2), axis=1)
    return pairs


def expected_counts(a: float, b: float, c: float, power: int) -> tuple[float, float, float]:
    """Expected edges, 2-stars and triangles of the graph of 2^power people (Gleich and Owen 2012).

    >>> [round(count, 6) for count in expected_counts(0.5, 0.5, 0.5, 2)]  # four people, each pair with chance 1/4
    [1.5, 0.75, 0.0625]
    """
    r = power
    edges = ((a + 2 * b + c) ** r - (a + c) ** r) / 2
    paths = ((a + b) ** 2 + (b + c) ** 2) ** r - 2 * (a * (a + b) + c * (c + b)) ** r
    stars = (paths - (a**2 + 2 * b**2 + c**2) ** r + 2 * (a**2 + c**2) ** r) / 2
    cycles = (a**3 + 3 * b**2 * (a + c) + c**3) ** r - 3 * (a * (a**2 + b**2) + c * (b**2 + c**2)) ** r
    return edges, stars, (cycles + 2 * (a**3 + c**3) ** r) / 6


def fit_initiator(counts: tuple[float, float, float], power: int) -> tuple[float, float, float]:
    """The parameters within 0 and 1 whose expected counts are nearest, on a logarithmic scale."""
    from scipy.optimize import minimize

    wanted = np.log1p(np.array(counts))

    def distance(point: Floats) -> float:
        a, b, c = np.clip(point, 0, 1).tolist()
        expected = np.maximum(expected_counts(a, b, c, power), 0)
        return float(((np.log1p(expected) - wanted) ** 2).sum() + ((point - np.clip(point, 0, 1)) ** 2).sum())

    runs = [minimize(distance, start, method="Nelder-Mead", options={"maxiter": 600}) for start in STARTS]
    a, b, c = np.clip(min(runs, key=lambda run: float(run.fun)).x, 0, 1).tolist()
    return float(a), float(b), float(c)
