"""The degree histogram of a stream, from noisy sums over bands of degrees."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

import numpy as np

from graphveil.arrays import Floats, Integers
from graphveil.mechanisms.accuracy import LEVELS, Accuracy, Band
from graphveil.release.over_time.sums import Estimate
from graphveil.statistics.degrees.histogram_bounds import drops_within
from graphveil.statistics.degrees.monotone_tiles import FallingTiles, distances


def read_bands(cuts: Integers, parts: Sequence[Estimate], people: int) -> Accuracy:
    """How many of so many people have each degree, and how far off that is; the last entry holds all beyond.

    A band over its width is the mean of how many have at least d friends, over the d in it. Means are made to fall,
    weighted by their precision, and their logarithms interpolated between the middles of the bands.
    """
    from scipy.optimize import isotonic_regression

    widths = np.diff(cuts)
    means = np.clip(np.array([part.value for part in parts]) / widths, 0, people)
    precision = (widths / np.array([part.std for part in parts])) ** 2
    falling = np.clip(isotonic_regression(means, weights=precision, increasing=False).x, 0, people)
    heights = _interpolate(cuts, falling, people)
    value = heights - np.append(heights[1:], 0.0)
    near = FallingTiles(people, int(cuts[-1]), Fraction(1), cuts[:-1], widths, _whole(parts))
    shared = [1 - (1 - level) / len(parts) for level in LEVELS]
    reaches = np.ceil(np.array([part.reach(shared) for part in parts]) + 1).astype(np.int64).T  # 1 for rounded sums
    bands = (
        Band(level, *distances(value, *drops_within(near, slack))) for level, slack in zip(LEVELS, reaches, strict=True)
    )
    std = float(np.sqrt(2) * parts[0].std)
    return Accuracy(tuple(value.tolist()), std, tuple(bands), bias="smoothed over bands", support=(0, people))


def _interpolate(cuts: Integers, means: Floats, people: int) -> Floats:
    """How many have at least 0, 1, ..., last friends."""
    centres = (cuts[:-1] + 1 + cuts[1:]) / 2
    degrees = np.arange(1, cuts[-1] + 1)
    logs = np.interp(degrees, centres, np.log(np.maximum(means, 0.5)))
    heights = np.minimum(np.exp(logs), people)
    heights[degrees > cuts[int(np.count_nonzero(means > 0))]] = 0.0
    return np.concatenate(([float(people)], heights))


def _whole(parts: Sequence[Estimate]) -> Integers:
    return np.array([round(part.value) for part in parts], dtype=np.int64)
