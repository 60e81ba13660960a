"""Exact integer noise: our bulk kernel beside OpenDP's vector samplers, `python -m benchmarks noise`.

Both draw in turns within one process. Speeds are samples per second of processor time (medians); the
ratio is taken within each turn, its median and range over all turns are shown. Both sides are warmed up first.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from fractions import Fraction
from functools import partial
from statistics import median
from typing import Any

from benchmarks._opendp import opendp_discrete_gaussian, opendp_discrete_laplace

from graphveil.mechanisms.noise.bulk import bulk_discrete_gaussian, bulk_discrete_laplace
from graphveil.mechanisms.noise.source import SystemNoise

TURNS = 9
OUR_SIZE, THEIR_SIZE = 1_000_000, 20_000
LAWS: list[tuple[str, Callable[..., Any], Callable[..., Any], Fraction]] = [
    ("Laplace, rate 1", bulk_discrete_laplace, opendp_discrete_laplace, Fraction(1)),
    ("Laplace, rate 1/10", bulk_discrete_laplace, opendp_discrete_laplace, Fraction(1, 10)),
    ("Gaussian, sigma 1", bulk_discrete_gaussian, opendp_discrete_gaussian, Fraction(1)),
    ("Gaussian, sigma 10", bulk_discrete_gaussian, opendp_discrete_gaussian, Fraction(100)),
]


def speed(draw: Callable[[int], Any], size: int) -> float:
    start = time.process_time()
    draw(size)
    return size / (time.process_time() - start)


def main() -> None:
    argparse.ArgumentParser(description=__doc__).parse_args()  # only --help
    noise = SystemNoise()
    print(f"{'law':20} {'bulk M/s':>9} {'OpenDP M/s':>11} {'ratio':>7} {'range':>12}")
    for name, bulk, opendp, parameter in LAWS:
        ours, theirs = partial(bulk, noise, parameter), partial(opendp, parameter)
        ours(1000), theirs(1000)
        turns = [(speed(ours, OUR_SIZE), speed(theirs, THEIR_SIZE)) for _ in range(TURNS)]
        ratios = sorted(a / b for a, b in turns)
        bulk_speed, opendp_speed = (median(column) / 1e6 for column in zip(*turns, strict=True))
        spread = f"{ratios[0]:.0f}–{ratios[-1]:.0f}"
        print(f"{name:20} {bulk_speed:9.2f} {opendp_speed:11.3f} {median(ratios):6.0f}x {spread:>12}")


if __name__ == "__main__":
    main()
