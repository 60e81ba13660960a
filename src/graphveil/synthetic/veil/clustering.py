"""Local clustering by class of degree, from noisy sums and the noisy number of triangles: post-processing.

At a small epsilon noise drowns most classes. What is known of social graphs then fills in: people with many friends see
fewer of these know each other (Ravasz and Barabasi 2003), so that the log odds of clustering fall from a knot of degree
to the next, twice the degree, by about the same step, here 0.2 before anything is measured. Besides, the classes'
clustering weighted by their wedges is the transitivity, which the triangles tell. The likeliest curve is taken.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from graphveil.mechanisms.accuracy import discrete_laplace_std
from graphveil.mechanisms.degree_classes import DegreeClasses, Q
from graphveil.synthetic.veil.measure import Measured

Floats = NDArray[np.float64]

STEP, STEP_SPREAD = 0.2, 0.15  # of log odds from knot to knot
BEND = 0.25  # how far single steps lie from the mean one
TRANSITIVITY_SPREAD = 0.1  # relative
LEAST_PEOPLE = 0.5
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
