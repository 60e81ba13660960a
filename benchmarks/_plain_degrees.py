"""Protocols for degree distributions in numpy, as one would first write them: everybody at once, epsilon 1, floats."""

from __future__ import annotations

from typing import Any

import numpy as np

E = np.e
SMOOTHNESSES = (300, 60, 12, 2.5, 0.5, 0.1, 0.02, 0.004)
STEPS, GAIN = 10_000, E / 1000  # of expectation maximisation; the least gain in log-likelihood (Li et al. 2020)


def wave(degrees: Any, rng: np.random.Generator, places: int = 256) -> Any:
    """Square Wave on the logarithm, with smoothing (Li et al. 2020)."""
    value, size = _limited(degrees)
    middles = (np.arange(places) + 0.5) / places
    fitted = most_likely(*_wave(np.log1p(value) / np.log(size), middles, places, rng), smooth=True)
    return np.bincount(np.expm1(middles * np.log(size)).astype(int), weights=fitted)


def _wave(true: Any, values: Any, places: int, rng: np.random.Generator) -> tuple[Any, Any]:
    """How many reports fell on each place, and the chances of that under each value in 0..1."""
    half = 1 / (2 * E * (E - 2))
    inside = rng.random(len(true)) < 2 * half * E / (2 * half * E + 1)
    near, far = true + half * (2 * rng.random(len(true)) - 1), rng.random(len(true))
    reports = np.where(inside, near, np.where(far < true, far - half, far + half))
    counts, _ = np.histogram(reports, places, (-half, 1 + half))
    middles = -half + (1 + 2 * half) * (np.arange(places) + 0.5) / places
    law = np.where(abs(middles[:, None] - values) < half, E, 1.0)
    return counts, law / law.sum(axis=0)


def noisy_degrees(degrees: Any, rng: np.random.Generator) -> Any:
    """Degrees with two-sided geometric noise."""
    noise = rng.geometric(1 - 1 / E, (2, len(degrees)))
    counts = np.bincount(np.maximum(degrees + noise[0] - noise[1], 0))
    law = np.exp(-abs(np.subtract.outer(np.arange(len(counts)), np.arange(len(counts)))))
    return most_likely(counts, law / law.sum(axis=0), smooth=False)


def two_channels(degrees: Any, rng: np.random.Generator, places: int = 512, *, whole: bool) -> Any:
    """Half of the people send a place on the wave of the logarithm, half a set of bins; one fit of both.

    Where sets are `whole`, each has the likelihood it has; else only how many sets hold a bin is used, which is quick.
    """
    n, widths = len(degrees), [1] * 8
    while sum(widths) < n:
        widths.append(min(int(0.3 * sum(widths)), n - sum(widths)))
    starts, scale = np.cumsum([0, *widths[:-1]]), np.log1p(np.arange(n)) / np.log(n)
    halves, first = [], rng.random(n) < 0.5
    for half in (degrees[first], degrees[~first]):
        asked = rng.random(len(half)) < 0.5
        waves, wave_law = _wave(scale[half[~asked]], scale[starts], places, rng)
        bins = np.searchsorted(starts, half[asked], side="right") - 1
        sets, set_law = (_whole_sets if whole else _sets)(bins, len(starts), rng)
        halves.append((np.concatenate((sets, waves)), np.vstack((set_law, wave_law))))
    (counts, law), (others, other_law) = halves
    both = (np.concatenate((counts, others)), np.vstack((law, other_law))) if whole else (counts + others, law)
    fitted = likely_and_smooth((*halves, both), np.array(widths), starts)
    return np.repeat(fitted / widths, widths)


def likely_and_smooth(reports: Any, widths: Any, starts: Any) -> Any:
    """The smoothness of eight under which either half of the people best predicts the other, and the fit to all."""
    logs = np.log(widths) - 1.5 * np.log1p(starts)
    points, best, chosen = [logs, logs, logs], -np.inf, logs
    (counts, law), (others, other_law), _ = reports
    for smoothness in SMOOTHNESSES:
        smooth, falls = _roughness(starts, starts + widths - 1, widths, smoothness)
        points = [_newton(*seen, start, smooth, falls) for seen, start in zip(reports, points, strict=True)]
        shares = [np.exp(point - point.max()) / np.exp(point - point.max()).sum() for point in points]
        score = counts @ np.log(law @ shares[1]) + others @ np.log(other_law @ shares[0])
        if score > best:
            best, chosen = score, shares[2]
    return chosen


def _roughness(starts: Any, ends: Any, widths: Any, smoothness: float) -> Any:
    """Third divided differences of the log density, and slopes beyond twice the root of n, each with their shift."""
    places = np.log(np.sqrt(np.maximum(starts, 0.5) * np.maximum(ends, 0.5)))[1:]
    rows, falling = np.eye(len(starts))[1:], []
    for _ in range(3):
        rows = np.diff(rows, axis=0) / np.diff(places)[:, None]
        places = (places[1:] + places[:-1]) / 2
        falling.append(rows[places > np.log(2 * np.sqrt(widths.sum()))])
    rows = rows * np.sqrt(smoothness * np.gradient(places))[:, None]
    tail = np.sqrt(10) * falling[0]
    return (rows, -rows @ np.log(widths)), (tail, 3 * np.sqrt(10) - tail @ np.log(widths))


def _newton(counts: Any, law: Any, y: Any, smooth: Any, falls: Any) -> Any:
    """Newton's steps, halved where they lead down, to the top of the log-likelihood less squares of what is rough."""

    def at(y: Any) -> Any:
        shares = np.exp(y - y.max()) / np.exp(y - y.max()).sum()
        rough, steep = smooth[0] @ y + smooth[1], np.maximum(falls[0] @ y + falls[1], 0)
        return counts @ np.log(law @ shares) - (rough @ rough + steep @ steep + 1e-4 * y @ y) / 2, shares, rough, steep

    value, shares, rough, steep = at(y)
    for _ in range(60):
        posterior = law * shares / (law @ shares)[:, None] - shares
        tail = falls[0] * (steep > 0)[:, None]
        slope = counts @ posterior - smooth[0].T @ rough - falls[0].T @ steep - 1e-4 * y
        curve = posterior.T @ (posterior * counts[:, None]) + smooth[0].T @ smooth[0] + tail.T @ tail
        step = np.linalg.solve(curve + 1e-3 * np.eye(len(y)), slope)
        if slope @ step < 2e-3:
            break
        step *= min(1, 3 / abs(step).max())
        while abs(step).max() > 1e-4 and at(y + step)[0] <= value:
            step /= 2
        y = y + step
        value, shares, rough, steep = at(y)
    return y


def _sets(true: Any, size: int, rng: np.random.Generator) -> tuple[Any, Any]:
    """How many sets hold each bin, and how many do not, with the chances of both (subset selection)."""
    inside, count, holds = _drawn_sets(true, size, rng)
    ones = inside.sum(axis=0)
    law = np.where(np.eye(size, dtype=bool), holds, (count - holds) / (size - 1))
    return np.concatenate((ones, len(true) - ones)), np.vstack((law, 1 - law))


def _whole_sets(true: Any, size: int, rng: np.random.Generator) -> tuple[Any, Any]:
    """Every set once, with its chances up to a constant."""
    inside, _, _ = _drawn_sets(true, size, rng)
    return np.ones(len(true)), np.where(inside, E, 1.0)


def _drawn_sets(true: Any, size: int, rng: np.random.Generator) -> tuple[Any, int, float]:
    count = round(size / (1 + E))
    holds = count * E / (count * E + size - count)
    keys = rng.random((len(true), size))
    keys[np.arange(len(true)), true] = np.where(rng.random(len(true)) < holds, -1, 2)  # the first in the set, or out
    inside = np.zeros((len(true), size), dtype=bool)
    np.put_along_axis(inside, np.argsort(keys, axis=1)[:, :count], values=True, axis=1)
    return inside, count, holds


def most_likely(counts: Any, law: Any, *, smooth: bool) -> Any:
    """Expectation maximisation until a step gains little; `law` has the chances of each report (rows) by value."""
    estimate, before = np.full(law.shape[1], 1 / law.shape[1]), -np.inf
    for _ in range(STEPS):
        chances = law @ estimate
        reached = counts @ np.log(chances)
        if reached - before < GAIN:
            break
        before = reached
        estimate = estimate * (law.T @ (counts / chances))
        if smooth:
            estimate = np.convolve(np.pad(estimate, 1, mode="edge"), (0.25, 0.5, 0.25), mode="valid")
        estimate /= estimate.sum()
    return estimate


def kary(degrees: Any, rng: np.random.Generator) -> Any:
    """The degree itself or any other one (GRR)."""
    value, size = _limited(degrees)
    keep = E / (E + size - 1)
    other = (value + rng.integers(1, size, len(value))) % size
    reports = np.where(rng.random(len(value)) < keep, value, other)
    return _shares(np.bincount(reports, minlength=size) / len(value), keep, (1 - keep) / (size - 1))


def unary(degrees: Any, rng: np.random.Generator, keep: float, flip: float) -> Any:
    """A row of bits, one a degree (OUE, SUE)."""
    value, size = _limited(degrees)
    bits = rng.random((len(value), size)) < flip
    bits[np.arange(len(value)), value] = rng.random(len(value)) < keep
    return _shares(bits.mean(axis=0), keep, flip)


def staged(degrees: Any, rng: np.random.Generator, width: int = 10) -> Any:
    """A group by k-ary response, then the place in it by OUE; an empty row where the group came out wrong."""
    value, size = _limited(degrees)
    groups, odds = size // width + 1, 2 * E / (1 + E)
    keep, flip = odds / (odds + groups - 1), 1 / (1 + E)
    true, place = np.divmod(value, width)
    sent = np.where(rng.random(len(value)) < keep, true, (true + rng.integers(1, groups, len(value))) % groups)
    bits = rng.random((len(value), width)) < flip
    right = np.flatnonzero(sent == true)
    bits[right, place[right]] = rng.random(len(right)) < 0.5
    ones = np.zeros((groups, width))
    np.add.at(ones, sent, bits)
    ones -= flip * np.bincount(sent, minlength=groups)[:, None]
    return projected(ones.ravel() / (len(value) * keep * (0.5 - flip)))


def _limited(degrees: Any) -> tuple[Any, int]:
    most = int(20 * np.sqrt(len(degrees)))
    return np.minimum(degrees, most), most + 1


def _shares(seen: Any, keep: float, flip: float) -> Any:
    return projected((seen - flip) / (keep - flip))


def projected(shares: Any) -> Any:
    """The nearest distribution (norm-sub)."""
    falling = np.sort(shares)[::-1]
    excess = (np.cumsum(falling) - 1) / np.arange(1, len(shares) + 1)
    return np.maximum(shares - excess[np.flatnonzero(falling > excess)[-1]], 0)
