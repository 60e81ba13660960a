"""A smooth degree histogram that explains the noisy counts of `statistics.degrees.node_tiles`; post-processing only.

The number of people of degree d >= 1 is taken as exp(s(log d)) with s piecewise linear between knots, people without
edges as a number of their own. s bends as little as the counts allow: power laws, exponential falls and plateaus all
bend little in log d. Minimised by Gauss-Newton steps:

    sum over counts of huber((predicted - noisy) / std)  +  CURVATURE / 2 * integral of s''^2

Above the degree bound D the counts know only how many people there are; s runs on from its slope below.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from graphveil.arrays import Floats
from graphveil.mechanisms.accuracy import discrete_laplace_std
from graphveil.statistics.degrees.node_tiles import NodeTiles

CURVATURE = 0.6
REACH = 4  # the tail is drawn out to this many times the degree bound
TAIL_GROWTH = 1.35  # ratio of successive knots above the bound
ISOLATED = 0.3  # how firmly people without edges are held near people with one
STEPS = 40
LEAST_STD = 0.01  # the fit is never asked to come nearer to the counts than this


def fit_smooth_histogram(tiles: NodeTiles, people: float, people_std: float) -> Floats:
    """How many people have degree 0, 1, 2, …; sums to `people`."""
    bound = int(tiles.borders[-1])
    size = int(min(REACH * bound, max(bound + 2, people)))
    knots = _knots(tiles, size)
    tile_std, people_std = max(LEAST_STD, discrete_laplace_std(tiles.rate)), max(LEAST_STD, people_std)
    problem = _Problem(
        basis=_basis(knots, size),
        design=_design(tiles, size, tile_std, people_std),
        target=np.append(tiles.counts / tile_std, people / people_std),
        penalty=_penalty(np.log(knots)),
    )
    start = np.concatenate(([0.0], -1.3 * np.log(knots)))
    start += np.log(people / np.exp(problem.basis @ start).sum())
    histogram = problem.histogram(problem.minimise(start))
    scaled: Floats = histogram * (people / histogram.sum())
    return scaled


@dataclass(frozen=True, slots=True)
class _Problem:
    """Counts = design @ exp(basis @ x) up to noise of standard deviation 1; x' penalty x is to be small."""

    basis: Floats
    design: Floats
    target: Floats
    penalty: Floats

    def histogram(self, x: Floats) -> Floats:
        return np.exp(np.minimum(self.basis @ x, 50.0))

    def loss(self, x: Floats) -> float:
        distance = np.abs(self.design @ self.histogram(x) - self.target)
        huber = np.where(distance < 1, distance**2 / 2, distance - 0.5).sum()
        return float(huber + x @ self.penalty @ x / 2)

    def step(self, x: Floats) -> Floats:
        """The Gauss-Newton step, no log-number moved by more than 2."""
        histogram = self.histogram(x)
        residual = self.design @ histogram - self.target
        slope = self.design @ (histogram[:, None] * self.basis)
        weight = 1 / np.maximum(1, np.abs(residual))
        curvature = (slope * weight[:, None]).T @ slope + self.penalty
        ridge = 1e-6 + 1e-12 * curvature.diagonal().max()  # next to little noise the rest would be lost in rounding
        curvature += ridge * np.eye(len(x))
        move = np.linalg.solve(curvature, -slope.T @ (weight * residual) - self.penalty @ x)
        return np.clip(move, -2, 2)

    def minimise(self, x: Floats) -> Floats:
        loss = self.loss(x)
        for _ in range(STEPS):
            move = self.step(x)
            shorter = (move / 2**halvings for halvings in range(12))
            better = next(((y, value) for part in shorter if (value := self.loss(y := x + part)) < loss), None)
            if better is None:
                break
            gain, (x, loss) = loss - better[1], better
            if gain < 1e-4:
                break
        return x


def _knots(tiles: NodeTiles, size: int) -> Floats:
    knots = tiles.borders[1:].tolist()
    while knots[-1] < size:
        knots.append(int(np.ceil(knots[-1] * TAIL_GROWTH)) + 1)
    return np.array(knots, dtype=np.float64)


def _basis(knots: Floats, size: int) -> Floats:
    """Row d: weights of the unknowns (people without edges, then one per knot) in the log-number of degree d."""
    logs, degrees = np.log(knots), np.arange(1, size)
    left = np.clip(np.searchsorted(logs, np.log(degrees), side="right") - 1, 0, len(knots) - 2)
    share = (np.log(degrees) - logs[left]) / (logs[left + 1] - logs[left])
    basis = np.zeros((size, len(knots) + 1))
    basis[0, 0] = 1
    basis[degrees, left + 1] = 1 - share
    basis[degrees, left + 2] += share
    return basis


def _design(tiles: NodeTiles, size: int, tile_std: float, people_std: float) -> Floats:
    """Row k: what a person of each degree adds to count k; last row: to the number of people."""
    added = np.clip(tiles.borders[1:, None] - np.arange(size), 0, tiles.widths[:, None])
    return np.vstack((added / tile_std, np.full(size, 1 / people_std)))


def _penalty(logs: Floats) -> Floats:
    """Integral of the squared second derivative, by divided differences, and the tie of degree 0 to degree 1."""
    gaps = np.diff(logs)
    rows = np.zeros((len(logs) - 1, len(logs) + 1))
    for i in range(1, len(logs) - 1):
        scale = np.sqrt(2 * CURVATURE / (gaps[i - 1] + gaps[i]))
        rows[i - 1, i : i + 3] = scale / gaps[i - 1], -scale / gaps[i - 1] - scale / gaps[i], scale / gaps[i]
    rows[-1, :2] = ISOLATED, -ISOLATED
    penalty: Floats = rows.T @ rows
    return penalty
