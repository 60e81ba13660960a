"""What a graph shall have, from what was measured: post-processing, with noise smoothed away where it drowns a number.

Joint degrees are drawn towards the table that degrees alone would give, the more the smaller a cell is against its
noise, then balanced so that rows have the ends that the degrees have and no cell more edges than pairs of people. The
sum of degree products is a mean of what that table says and of its own measurement, weighted by their precision.

Local clustering by class of degree comes from noisy sums and the noisy number of triangles. At a small epsilon noise
drowns most classes. What is known of social graphs then fills in: people with many friends see fewer of these know each
other (Ravasz and Barabasi 2003), so that the log odds of clustering fall from a knot of degree to the next, twice the
degree, by about the same step, here 0.2 before anything is measured. Besides, the classes' clustering weighted by their
wedges is the transitivity, which the triangles tell. The likeliest curve is taken.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from graphveil.arrays import Floats, Integers
from graphveil.mechanisms.accuracy import discrete_laplace_std
from graphveil.statistics.degrees.degree_classes import DegreeClasses, Q
from graphveil.statistics.joint_degrees.soft import cell_std
from graphveil.synthetic.degree_scale import DegreeScale
from graphveil.synthetic.degrees import smooth_degrees, whole_degrees
from graphveil.synthetic.veil.measure import Measured

STEP, STEP_SPREAD = 0.2, 0.15  # of log odds from knot to knot
BEND = 0.25  # how far single steps lie from the mean one
TRANSITIVITY_SPREAD = 0.1  # relative
LEAST_PEOPLE = 0.5
LEAST_SPREAD = 1e-6  # of the degrees, squared and relative, for their correlation to mean anything
LOG_ODDS = (-14.0, 4.0)  # clustering stays within 1e-6 and .98


def fit_clustering(measured: Measured, people: Floats, wedges: Floats) -> Floats:
    """Mean local clustering at each knot, where so many people and wedges are."""
    from scipy.optimize import least_squares

    noisy, error = _class_means(measured, people)
    share = wedges / max(1.0, wedges.sum())
    transitivity = min(1.0, 3 * measured.triangles / max(1.0, wedges.sum()))

    def misses(unknown: Floats) -> Floats:
        step, log_odds = unknown[0], unknown[1:]
        clustering = _inverse(log_odds)
        return np.concatenate(
            (
                (clustering - noisy) / error,
                [(share @ clustering - transitivity) / (TRANSITIVITY_SPREAD * max(transitivity, 1e-5))],
                (log_odds[:-1] - log_odds[1:] - step) / BEND,
                [(step - STEP) / STEP_SPREAD],
            )
        )

    about = np.clip(transitivity, 1e-5, 0.97)
    start = np.append(0.0, np.full(len(people), np.log(about / (1 - about))))
    clustering: Floats = _inverse(least_squares(misses, start, bounds=LOG_ODDS).x[1:])
    return clustering


def _inverse(log_odds: Floats) -> Floats:
    return 1 / (1 + np.exp(-log_odds))


def _class_means(measured: Measured, people: Floats) -> tuple[Floats, Floats]:
    """Noisy mean clustering at each knot and its standard deviation, infinite where nothing is known."""
    classes = DegreeClasses(measured.n_nodes)
    rates = classes.clustering_rates(measured.epsilons["clustering"])
    noisy, error = np.zeros(len(people)), np.full(len(people), np.inf)
    measured_here = slice(1, classes.count)
    known = people[measured_here] > LEAST_PEOPLE
    size = np.maximum(people[measured_here], LEAST_PEOPLE)
    std = np.array([discrete_laplace_std(rate) / Q for rate in rates])
    noisy[measured_here] = np.where(known, measured.clustering / size, 0.0)
    error[measured_here] = np.where(known, np.maximum(std / size, 1e-3), np.inf)
    return noisy, error


BALANCE_ROUNDS = 200
CORRELATION_SPREAD = 0.06  # how far the degree correlation is expected from what the table says


@dataclass(frozen=True, slots=True)
class Goals:
    """Degrees to be met exactly, the other numbers as nearly as possible."""

    degrees: Integers  # falling
    scale: DegreeScale
    joint: Floats  # edges at each pair of knots k <= l
    joint_trust: float  # how much of it rests on measurements
    products: float
    triangles: float
    clustering: Floats  # mean local clustering at each knot
    clustering_sums: Floats  # the same times the people there

    @property
    def n_edges(self) -> int:
        """Half of the sum of the degrees."""
        return int(self.degrees.sum()) // 2

    @property
    def average_clustering(self) -> float:
        """The mean of the local clustering of all people, those of degree below 2 counting as 0."""
        return float(self.clustering_sums.sum()) / max(1, len(self.degrees))

    @property
    def assortativity(self) -> float:
        """The correlation of the degrees at the two ends of an edge; 0 where these have all but one degree."""
        if self._spread < LEAST_SPREAD * self._neutral_products:
            return 0.0
        return (self.products - self._neutral_products) / self.products_unit

    @property
    def products_unit(self) -> float:
        """What the sum of products would change by if the degree correlation changed by 1."""
        return max(1.0, self._spread)

    @property
    def _spread(self) -> float:
        cubes = float((self.degrees.astype(np.float64) ** 3).sum())
        return cubes / 2 - self._neutral_products

    @property
    def _neutral_products(self) -> float:
        return float((self.degrees.astype(np.float64) ** 2).sum()) ** 2 / max(1, 4 * self.n_edges)


def goals_from(measured: Measured) -> Goals:
    """The goals that the measurements set."""
    degrees = whole_degrees(smooth_degrees(measured.degrees), measured.edges)
    scale = DegreeScale.of_people(measured.n_nodes)
    table, joint_trust = fit_joint(measured, degrees, scale)
    people = scale.sums(degrees[degrees > 1], np.ones(np.count_nonzero(degrees > 1)))
    clustering = fit_clustering(measured, people, scale.sums(degrees, degrees * (degrees - 1.0) / 2))
    upper = np.triu(table) + np.triu(table.T, 1)
    wedges = float((degrees * (degrees - 1.0)).sum()) / 2
    goals = Goals(
        degrees=degrees,
        scale=scale,
        joint=upper,
        joint_trust=joint_trust,
        products=float(scale.knots @ table @ scale.knots),
        triangles=min(float(measured.triangles), wedges / 3),  # no graph of these degrees has more
        clustering=clustering,
        clustering_sums=clustering * people,
    )
    return _with_products(goals, measured)


def fit_joint(measured: Measured, degrees: Integers, scale: DegreeScale) -> tuple[Floats, float]:
    """The symmetric table of joint degrees, half an edge on either side of its diagonal, and the trust it deserves."""
    ends = scale.sums(degrees, degrees.astype(np.float64)) / 2
    people = scale.sums(degrees[degrees > 0], np.ones(np.count_nonzero(degrees)))
    pairs = np.outer(people, people) / 2
    neutral = _balance(np.outer(ends, ends) / max(1.0, ends.sum()), ends, pairs)
    noisy = np.zeros_like(neutral)
    k, l = measured.joint.cells.T  # noqa: E741 - the two knots of a cell
    noisy[k, l] += measured.joint.counts / 2
    noisy[l, k] += measured.joint.counts / 2
    std = cell_std(measured.joint.epsilon) * np.where(np.eye(len(neutral)) > 0, 1, 0.5)
    spread = (((noisy - neutral) ** 2 - std**2) * neutral).sum() / max(1e-12, (neutral**3).sum())
    expected = max(0.0, float(spread)) * neutral**2 + neutral
    trust = expected / (expected + std**2)
    table = np.maximum(trust * noisy + (1 - trust) * neutral, 1e-3 * neutral)
    balanced = _balance(table, ends, pairs)
    return balanced, float((balanced * trust).sum() / max(1e-9, balanced.sum()))


def _balance(table: Floats, ends: Floats, pairs: Floats) -> Floats:
    """Scale rows and columns to the given sums, with no cell above its pairs of people."""
    for _ in range(BALANCE_ROUNDS):
        rows = np.maximum(table.sum(axis=1), 1e-12)
        factor = np.sqrt(ends / rows)
        table = np.minimum(table * np.outer(factor, factor), pairs)
    return table


def _with_products(goals: Goals, measured: Measured) -> Goals:
    largest, second = (float(degree) for degree in goals.degrees[:2]) if len(goals.degrees) > 1 else (0.0, 0.0)
    neighbour = float((goals.degrees.astype(np.float64) ** 2).sum()) / max(1, 2 * goals.n_edges)
    step = (largest + 1) * (second + 1) + (largest + second) * neighbour  # about the ladder's first
    noise = 1.5 * step / float(measured.epsilons["products"])
    spread = CORRELATION_SPREAD * goals.products_unit
    trust = spread**2 / (spread**2 + noise**2)
    products = trust * measured.products + (1 - trust) * goals.products
    neutral, unit = goals._neutral_products, goals.products_unit
    products = min(max(products, neutral - unit), neutral + unit)  # a correlation lies between -1 and 1
    fields = {name: getattr(goals, name) for name in goals.__slots__}
    return Goals(**{**fields, "products": products})
