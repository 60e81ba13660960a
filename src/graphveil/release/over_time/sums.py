"""Sums over time: what is drawn when a period ends, and the value after it with its error, by blocks or by factor.

The degree histogram is read from its bands of degrees.

What was drawn is kept under a name: `part/level/number` for a block of periods, `part/step` for a row of the factor.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from graphveil.arrays import Floats, Integers
from graphveil.mechanisms.accuracy import LEVELS, Accuracy, Band, discrete_laplace_std
from graphveil.mechanisms.gaussian import GaussianVector
from graphveil.mechanisms.laplace import NoisyVector
from graphveil.mechanisms.measurement import Measurements, draw
from graphveil.mechanisms.noise.source import Noise
from graphveil.mechanisms.sums.factor import gaussian_reach
from graphveil.mechanisms.sums.tree import noise_reach
from graphveil.release.over_time.spec import FACTOR, StreamQuery, StreamSpec
from graphveil.statistics.degrees.histogram_bounds import drops_within
from graphveil.statistics.degrees.monotone_tiles import FallingTiles, distances, nearest_falling

Drawn = dict[str, int]
Values = Sequence[Sequence[int]]  # the exact parts after step 1, 2, ...; private


@dataclass(frozen=True, slots=True)
class Estimate:
    """One part after a period; `reach` tells how far off it is at most, with each probability."""

    value: float
    std: float
    reach: Callable[[Sequence[float]], tuple[float, ...]]


def draw_sums(spec: StreamSpec, query: StreamQuery, values: Values, noise: Noise) -> Drawn:
    """Noise on everything that ends with the last of these steps."""
    step, drawn = len(values), {}
    for part in range(len(spec.parts(query))):
        line = [0, *(int(value[part]) for value in values)]
        if query.method == FACTOR:
            row = spec.factor.row(np.diff(line).tolist())
            drawn[f"{part}/{step}"] = _one(rows_of_factor(spec, query, part, [row]), noise)
            continue
        for level in query.tree.finished(step):
            width = query.tree.widths[level]
            block = blocks_of_level(spec, query, (part, level), [line[step] - line[step - width]])
            drawn[f"{part}/{level}/{step // width - 1}"] = _one(block, noise)
    return drawn


def blocks_of_level(
    spec: StreamSpec, query: StreamQuery, place: tuple[int, int], changes: Sequence[int]
) -> NoisyVector:
    """Blocks of a part on one level, with noise for what one unit moves in all of them: any number costs the same.

    An event lies in one block of the level, so the blocks of a whole stream are one vector, of which every period draws
    the entries that end with it.
    """
    part, level = place
    return NoisyVector(
        what=f"change of {query.name} over {query.tree.widths[level]} periods",
        exact=np.array(changes, dtype=np.int64),
        sensitivity=spec.sensitivities(query)[part],
        epsilon=spec.epsilons(query)[part],
    )


def rows_of_factor(spec: StreamSpec, query: StreamQuery, part: int, rows: Sequence[int]) -> GaussianVector:
    """Rows of the factor for a part: those of the whole horizon are one vector, of which every period draws one."""
    return GaussianVector(
        what=f"weighted sum of the changes of {query.name}",
        exact=np.array(rows, dtype=np.int64),
        squared_sensitivity=spec.squared_sensitivities(query)[part],
        rho=spec.rhos(query)[part],
    )


def whole_stream(spec: StreamSpec, query: StreamQuery, values: Values) -> Measurements:
    """All that is ever drawn for a query, from its exact parts after every step; losses add up to that of the query."""
    found: list[NoisyVector | GaussianVector] = []
    for part in range(len(spec.parts(query))):
        line = [0, *(int(value[part]) for value in values)]
        if query.method == FACTOR:
            changes = np.diff(line).tolist()
            rows = [spec.factor.row(changes[:step]) for step in range(1, len(line))]
            found.append(rows_of_factor(spec, query, part, rows))
            continue
        for level, width in enumerate(query.tree.widths):
            ends = range(width, len(line), width)
            changes = [line[end] - line[end - width] for end in ends]
            found.append(blocks_of_level(spec, query, (part, level), changes))
    return tuple(found)


def estimates(spec: StreamSpec, query: StreamQuery, step: int, drawn: Mapping[str, int]) -> list[Estimate]:
    """Every part after a step, from all that was drawn so far."""
    if query.method == FACTOR:
        return [_from_rows(spec, variance, step, part, drawn) for part, variance in enumerate(spec.variances(query))]
    weights = query.tree.weights(step)
    found = []
    for part, rate in enumerate(spec.rates(query)):
        value = sum(
            (weight * drawn[f"{part}/{level}/{number}"] for (level, number), weight in weights.items()), Fraction(0)
        )
        found.append(_from_blocks(float(value), list(weights.values()), rate))
    return found


def _from_blocks(value: float, weights: list[Fraction], rate: Fraction) -> Estimate:
    std = discrete_laplace_std(rate) * math.sqrt(sum(float(weight) ** 2 for weight in weights))
    return Estimate(value, std, lambda levels: noise_reach(weights, rate, tuple(levels)))


def _from_rows(spec: StreamSpec, variance: Fraction, step: int, part: int, drawn: Mapping[str, int]) -> Estimate:
    std = spec.factor.std(variance, step)
    rows = [drawn[f"{part}/{number}"] for number in range(1, step + 1)]
    return Estimate(spec.factor.value(rows), std, lambda levels: gaussian_reach(std, levels))


def rms_errors(spec: StreamSpec, query: StreamQuery) -> tuple[float, ...]:
    """The root mean square error over the horizon, part by part."""
    if query.method == FACTOR:
        return tuple(spec.factor.rms(variance) for variance in spec.variances(query))
    spread = math.sqrt(float(query.tree.spread(spec.horizon).mean()))
    return tuple(discrete_laplace_std(rate) * spread for rate in spec.rates(query))


def _one(measurement: NoisyVector | GaussianVector, noise: Noise) -> int:
    return int(draw((measurement,), noise)[0][0])


def read_bands(cuts: Integers, parts: Sequence[Estimate], people: int) -> Accuracy:
    """How many of so many people have each degree, and how far off that is; the last entry holds all beyond.

    A band over its width is the mean of how many have at least d friends, over the d in it. Means are made to fall,
    weighted by their precision, and their logarithms interpolated between the middles of the bands.
    """
    widths = np.diff(cuts)
    means = np.clip(np.array([part.value for part in parts]) / widths, 0, people)
    precision = (widths / np.array([part.std for part in parts])) ** 2
    falling = np.clip(nearest_falling(means, precision), 0, people)
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
