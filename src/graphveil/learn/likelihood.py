"""How likely a row of noisy class counts is for a person of each class, when nobody knows the person's degree.

A person of class a and degree d has about d * share[a, k] counted neighbours in cell k. The count is taken as negative
binomial around that mean (`dispersion` infinite: Poisson), and the noise as the discrete Laplace law that was drawn.
The degree is integrated over a distribution that fits the noisy totals. Because noise and degrees are part of the law,
a row that says little moves a prediction little.
"""

from __future__ import annotations

import math

import numpy as np
import scipy

from graphveil.arrays import Floats, Integers
from graphveil.learn.softmax import log_totals

DISPERSIONS = (math.inf, 8.0, 3.0, 1.0, 0.4)
DEGREES = 20  # points of the distribution of degrees
MEANS = 80  # points between which the law of a cell is interpolated
CHUNK = 20_000  # people at a time, for memory
LEAST = 1e-12  # of a probability: an outlier in one cell must not decide


def fit_degrees(totals: Floats, exposure: Floats, noise_variance: Floats) -> tuple[Floats, Floats]:
    """Degrees and their weights that explain noisy totals; `exposure` is the share of a degree that was counted.

    Weights are found by 30 rounds of expectation and maximisation with a normal law of the total.
    """
    mean = max(float(totals.sum()) / max(float(exposure.sum()), 1e-9), 1.0)
    degrees = np.geomspace(max(mean / 30, 0.3), mean * 12, DEGREES)
    expected = exposure[:, None] * degrees
    deviation = np.sqrt(expected + noise_variance[:, None] + 0.25)
    fit = -0.5 * ((totals[:, None] - expected) / deviation) ** 2 - np.log(deviation)
    law = np.exp(fit - fit.max(axis=1, keepdims=True))
    weights = np.full(DEGREES, 1 / DEGREES)
    for _ in range(30):
        weights = weights * (law / (law @ weights)[:, None]).mean(axis=0) + 1e-4
        weights /= weights.sum()
    return degrees, weights


class CellLaw:
    """The law of one noisy count, tabulated for many means: log P(count + noise = z)."""

    def __init__(self, rate: float, dispersion: float, largest: int, top: float) -> None:
        self.largest = largest
        self.means = np.geomspace(0.02, max(top, 1.0), MEANS)
        counts = np.arange(2 * largest + 1)
        law = np.exp(_log_count_law(counts[None, :], self.means[:, None], dispersion))
        distance = np.abs(np.arange(-largest, largest + 1))
        noise = math.tanh(rate / 2) * np.exp(-distance * rate)
        width = 4 * largest + 1
        spectrum = np.fft.rfft(law, width, axis=1) * np.fft.rfft(noise, width)
        self.table = np.log(np.maximum(np.fft.irfft(spectrum, width, axis=1)[:, : 2 * largest + 1], LEAST))

    def at(self, means: Floats) -> Floats:
        """The tabulated log law at any means: one more axis, for z from -largest to largest."""
        first, step = math.log(self.means[0]), math.log(self.means[1] / self.means[0])
        place = np.clip((np.log(np.maximum(means, 1e-9)) - first) / step, 0, MEANS - 1.001)
        low = place.astype(np.int64)
        part = (place - low)[..., None]
        between: Floats = (1 - part) * self.table[low] + part * self.table[low + 1]
        return between


def _log_count_law(counts: Integers, means: Floats, dispersion: float) -> Floats:
    """Log of the Poisson or negative binomial probability."""
    if math.isinf(dispersion):
        poisson: Floats = counts * np.log(means) - means - scipy.special.gammaln(counts + 1)
        return poisson
    binomial: Floats = (
        scipy.special.gammaln(counts + dispersion)
        - scipy.special.gammaln(counts + 1)
        - scipy.special.gammaln(dispersion)
        + dispersion * np.log(dispersion / (dispersion + means))
        + counts * np.log(means / (dispersion + means))
    )
    return binomial


def row_likelihood(rows: Integers, shares: Floats, degrees: Floats, weights: Floats, law: CellLaw) -> Floats:
    """Log-likelihood of every row for a person of each class; `shares[a, k]` is the expected share of a degree."""
    places = np.clip(rows, -law.largest, law.largest) + law.largest
    likelihood = np.empty((len(rows), len(shares)))
    for a, share in enumerate(shares):
        tables = law.at(share[:, None] * degrees).transpose(0, 2, 1).copy()  # cell, z, degree
        for start in range(0, len(rows), CHUNK):
            part = places[start : start + CHUNK]
            joint = np.tile(np.log(weights), (len(part), 1))
            for cell in range(part.shape[1]):
                joint += tables[cell, part[:, cell]]
            likelihood[start : start + CHUNK, a] = log_totals(joint)[:, 0]
    return likelihood
