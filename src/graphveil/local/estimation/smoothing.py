"""Expectation maximisation with smoothing, for Square Wave reports (Li et al. 2020).

A report under shares f of the places has probability far + (near - far) (f summed over a window), so that a step needs
running sums only and no matrix.
"""

from __future__ import annotations

import math

import numpy as np

from graphveil.arrays import Floats, Integers
from graphveil.mechanisms.square_wave import SquareWave

MAX_STEPS = 10_000


def smoothed_shares(wave: SquareWave, came: Integers) -> Floats:
    """Shares of the places, from how often each report came: likelihood steps, then averaging neighbours 1:2:1.

    Stops when a step gains less than e^epsilon / 1000 in log-likelihood, as the paper sets it.
    """
    counts = came.astype(np.float64)
    near, far = float(wave.near_probability), float(wave.far_probability)
    window = 2 * wave.half_width + 1
    enough = 1e-3 * math.exp(min(float(wave.epsilon), 50.0))
    shares = np.full(wave.n_values, 1 / wave.n_values)
    before = -math.inf
    for _ in range(MAX_STEPS):
        chances = far + (near - far) * _window_sums(np.pad(shares, 2 * wave.half_width), window)
        reached = float(counts @ np.log(chances))
        if reached - before < enough:
            break
        before = reached
        pull = counts / chances
        shares = shares * (far * pull.sum() + (near - far) * _window_sums(pull, window))
        shares = _smoothed(shares)
    return shares


def _window_sums(values: Floats, window: int) -> Floats:
    """Sum every run of `window` neighbouring entries."""
    running = np.concatenate(([0.0], np.cumsum(values)))
    return np.asarray(running[window:] - running[:-window])


def _smoothed(shares: Floats) -> Floats:
    padded = np.pad(shares, 1, mode="edge")
    smooth = (padded[:-2] + 2 * padded[1:-1] + padded[2:]) / 4
    return np.asarray(smooth / smooth.sum())


def degrees_from_places(shares: Floats, max_degree: int) -> Floats:
    """From shares of equal stretches of the axis log(1 + degree) to shares of the degrees 0..max_degree."""
    borders = np.log(np.arange(max_degree + 2) + 0.5) / math.log1p(max_degree)  # halfway between degrees
    borders[0], borders[-1] = 0.0, 1.0
    running = np.concatenate(([0.0], np.cumsum(shares)))
    return np.diff(np.interp(borders, np.linspace(0, 1, len(running)), running))
