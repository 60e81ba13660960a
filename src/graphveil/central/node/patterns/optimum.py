"""The optimum of a collapsed program between two whole numbers: no floating-point number decides.

Any x >= 0 within its sizes and bounds gives a value that the optimum reaches, any z >= 0 one that it does not pass:

    sum x  <=  F_tau  <=  tau sum z + sum of sizes * max(0, 1 - z of the members)

So whatever a solver returns is rounded to multiples of 1 / `unit`, x down and z up, checked and summed in whole
numbers. If the two values differ by at most ETA tau, the upper one, never above the number of all patterns, is A, with
F_tau <= A <= F_tau + ETA tau. A person who joins therefore moves A by an amount in [-ETA tau, (1 + ETA) tau]. This
holds for each solver and each way it may round: A need not be the same number twice, as long as it is
found once for a graph and before any noise is drawn.

Solvers are tried in turn: the interior-point method, HiGHS, and the simplex method in fractions, which is slow and
always right. What a solver raises, or returns that proves nothing, leads to the next one, so that no graph is refused.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import Any

import numpy as np

from graphveil.arrays import AnyArray, Floats, Integers
from graphveil.central.node.patterns.exact_simplex import solve_simplex
from graphveil.central.node.patterns.interior_point import solve_interior
from graphveil.central.node.patterns.programs import Program

ETA = Fraction(1, 256)
LARGEST = 2**62

Solver = Callable[[Program], tuple[AnyArray, AnyArray]]


def find_optimum(program: Program) -> Fraction:
    """A, by the first proof that one of the solvers gives; the last solver always gives one."""
    if not program.n_heavy:
        return Fraction(program.total)
    for solve in SOLVERS:
        for x, z in _attempts(solve, program):
            found = prove(program, x, z)
            if found is not None:
                return found
    raise AssertionError("the simplex method in fractions ended without an optimum")  # pragma: no cover


def _attempts(solve: Solver, program: Program) -> Iterator[tuple[AnyArray, AnyArray]]:
    """What a solver returns, or nothing where it fails; every failure of a solver in floats is one of these."""
    try:
        with np.errstate(all="ignore"):
            yield solve(program)
    except (ArithmeticError, ValueError, TypeError, RuntimeError, np.linalg.LinAlgError):
        return


def prove(program: Program, x: AnyArray, z: AnyArray) -> Fraction | None:
    """A if x and z prove it well enough, else None; they may be anything."""
    if len(x) != len(program.sizes) or len(z) != program.n_heavy:
        return None
    unit = _unit(program, x, z)
    kept, prices = _rounded_down(x, program.sizes, unit), _rounded_up(z, unit)
    if kept is None or prices is None:
        return None
    loads = np.zeros(program.n_heavy + 1, dtype=kept.dtype)
    np.add.at(loads, program.members.ravel(), np.repeat(kept, 3))
    most, lower = Fraction(max(loads[1:].tolist())), Fraction(sum(kept.tolist())) / unit
    if most > program.tau * unit:  # shrink all of x until everybody is within the bound
        lower *= program.tau * unit / most
    paid = np.concatenate((np.zeros(1, dtype=prices.dtype), prices))[program.members].sum(axis=1)
    fixed = Fraction(sum((np.maximum(0, unit - paid) * program.sizes).tolist())) / unit
    upper = fixed + program.tau * Fraction(sum(prices.tolist())) / unit
    if not 0 <= upper - lower <= ETA * program.tau:
        return None
    return min(program.free + upper, Fraction(program.total))


def _unit(program: Program, x: AnyArray, z: AnyArray) -> int:
    """1 for fractions; for floats a power of 2 with which the sums of `prove` stay within 64 bits."""
    if x.dtype == object or z.dtype == object:
        return 1
    return 1 << max(0, min(40, (LARGEST // (3 * int(program.sizes.sum()) + 1)).bit_length() - 1))


def _rounded_down(x: AnyArray, sizes: Integers, unit: int) -> AnyArray | None:
    """X in units, between 0 and the sizes; None where something is not a number."""
    if x.dtype == object:
        exact: AnyArray = np.minimum(np.maximum(x, 0), sizes)
        return exact
    if not np.isfinite(x).all():
        return None
    kept: Integers = np.minimum(np.floor(np.clip(x, 0, sizes) * unit).astype(np.int64), sizes * unit)
    return kept


def _rounded_up(z: AnyArray, unit: int) -> AnyArray | None:
    """Z in units, between 0 and 1, beyond which no price helps; None where something is not a number."""
    if z.dtype == object:
        exact: AnyArray = np.minimum(np.maximum(z, 0), 1)
        return exact
    if not np.isfinite(z).all():
        return None
    prices: Integers = np.minimum(np.ceil(np.clip(z, 0, 1) * unit).astype(np.int64), unit)
    return prices


def _solve_interior(program: Program) -> tuple[Floats, Floats]:
    return solve_interior(program, float(ETA * program.tau) / 4)


def _solve_highs(program: Program) -> tuple[Floats, Floats]:
    from scipy.optimize import linprog
    from scipy.sparse import csr_matrix

    rows = program.members.ravel()
    columns = np.repeat(np.arange(len(program.sizes)), 3)[rows > 0]
    rows = rows[rows > 0] - 1
    matrix: Any = csr_matrix((np.ones(len(rows)), (rows, columns)), shape=(program.n_heavy, len(program.sizes)))
    limits = [(0.0, float(size)) for size in program.sizes.tolist()]
    found: Any = linprog(
        -np.ones(len(limits)), A_ub=matrix, b_ub=np.full(program.n_heavy, float(program.tau)), bounds=limits
    )
    return found.x, -found.ineqlin.marginals


SOLVERS: list[Solver] = [_solve_interior, _solve_highs, solve_simplex]
