"""An interior-point method for collapsed programs: floating-point numbers that nothing private rests on.

With A x the load of every heavy person, the program max sum x, 0 <= x <= c, A x <= tau has the dual

    min tau sum z + sum c v    where    v >= 1 - A' z,  z >= 0,  v >= 0.

The iterates stay strictly feasible for both: w = c - x, s = tau - A x and r = v - 1 + A' z stay above 0. Newton's
method aims at x r = w v = z s = mu for a falling mu; every step comes down to a system with one row for each heavy
person. Steps are those of Mehrotra (1992): a first one for mu = 0 tells how far mu may fall and what the second must
correct. `optimum` turns the result into a proof, in whole numbers, or refuses it.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from graphveil.arrays import Floats
from graphveil.central.node.patterns.programs import Program
from graphveil.kernels import kernel

MOST_STEPS = 120
SHRINK = 0.99  # of the way to the border that a step may go


class _Iterate:
    """Strictly feasible x, w, s for the program and z, v, r for its dual."""

    def __init__(self, program: Program) -> None:
        self.members, sizes, n_heavy = program.members, program.sizes.astype(float), program.n_heavy
        loads = _loads(self.members, sizes, n_heavy)
        scale = np.concatenate(([1.0], np.minimum(1.0, program.tau / np.maximum(loads, 1.0))))
        self.x = 0.9 * sizes * scale[self.members].min(axis=1)
        self.w = sizes - self.x
        self.s = program.tau - _loads(self.members, self.x, n_heavy)
        self.z = np.full(n_heavy, 0.4)
        rest = 1 - _sum_members(self.members, self.z)
        self.v = np.maximum(rest, 0.0) + 0.3
        self.r = self.v - rest
        self.terms = n_heavy + 2 * len(sizes)

    def gap(self) -> float:
        """How far the two objectives are apart."""
        return float(self.z @ self.s + self.v @ self.w + self.r @ self.x)

    def factor(self) -> tuple[Floats, Floats]:
        """The weights of columns, and the factor of the system that every step of this iterate solves."""
        weights = 1 / (self.v / self.w + self.r / self.x)
        matrix = _normal_matrix(self.members, weights, len(self.z))
        matrix[np.diag_indices_from(matrix)] += self.s / self.z
        return weights, _cholesky(matrix)

    def direction(self, factor: tuple[Floats, Floats], of_s: Any, of_w: Any, of_x: Any) -> tuple[Floats, ...]:
        """The changes of x, w, s and z, v, r that change z s, w v and x r by these amounts, to first order."""
        weights, upper = factor
        pull = of_x / self.x - of_w / self.w
        dz = _solve(upper, _loads(self.members, weights * pull, len(self.z)) + of_s / self.z)
        dx = weights * (pull - _sum_members(self.members, dz))
        ds = -_loads(self.members, dx, len(self.z))
        return dx, -dx, ds, dz, (of_w + self.v * dx) / self.w, (of_x - self.r * dx) / self.x

    def lengths(self, direction: tuple[Floats, ...]) -> tuple[float, float]:
        """How far x, w, s and z, v, r can go before one of them becomes 0, at most once the direction."""
        dx, dw, ds, dz, dv, dr = direction
        return _longest((self.x, dx), (self.w, dw), (self.s, ds)), _longest((self.z, dz), (self.v, dv), (self.r, dr))

    def gap_after(self, direction: tuple[Floats, ...], primal: float, dual: float) -> float:
        """The gap that steps of these lengths would leave."""
        dx, dw, ds, dz, dv, dr = direction
        return float(
            (self.z + dual * dz) @ (self.s + primal * ds)
            + (self.v + dual * dv) @ (self.w + primal * dw)
            + (self.r + dual * dr) @ (self.x + primal * dx)
        )

    def move(self, direction: tuple[Floats, ...], primal: float, dual: float) -> None:
        """Go these lengths in the direction."""
        for value, change in zip((self.x, self.w, self.s), direction[:3], strict=True):
            value += primal * change
        for value, change in zip((self.z, self.v, self.r), direction[3:], strict=True):
            value += dual * change


def solve_interior(program: Program, gap: float) -> tuple[Floats, Floats]:
    """X and z whose objectives differ by at most `gap`, or where MOST_STEPS steps lead."""
    at = _Iterate(program)
    for _ in range(MOST_STEPS):
        left = at.gap()
        if not left > gap:
            break
        mu, factor = left / at.terms, at.factor()
        first = at.direction(factor, -at.z * at.s, -at.w * at.v, -at.x * at.r)
        primal, dual = at.lengths(first)
        share = (at.gap_after(first, primal, dual) / left) ** 3
        target = max(share, 1e-4 if min(primal, dual) > 0.5 else 0.1) * mu
        dx, dw, ds, dz, dv, dr = first
        most = 10 * mu  # of a correction: larger ones mislead
        second = at.direction(
            factor,
            target - at.z * at.s - np.clip(dz * ds, -most, most),
            target - at.w * at.v - np.clip(dv * dw, -most, most),
            target - at.x * at.r - np.clip(dr * dx, -most, most),
        )
        primal, dual = at.lengths(second)
        at.move(second, min(1.0, SHRINK * primal), min(1.0, SHRINK * dual))
    return at.x, at.z


def _longest(*steps: tuple[Floats, Floats]) -> float:
    """How many times the changes fit before a value becomes 0, at most once."""
    most = max(float(np.max(-change / value)) for value, change in steps)
    return min(1.0, 1 / most) if most > 0 else 1.0


@kernel
def _loads(members: Any, x: Any, n_heavy: int) -> Any:
    """The load of every heavy person: the sum of x over their columns."""
    loads = np.zeros(n_heavy + 1)
    for j in range(len(x)):
        for k in range(3):
            loads[members[j, k]] += x[j]
    return loads[1:].copy()


@kernel
def _sum_members(members: Any, z: Any) -> Any:
    """The sum of z over the members of every column."""
    sums = np.zeros(len(members))
    for j in range(len(members)):
        for k in range(3):
            if members[j, k] > 0:
                sums[j] += z[members[j, k] - 1]
    return sums


@kernel
def _normal_matrix(members: Any, weights: Any, n_heavy: int) -> Any:
    """A W A' on its diagonal and above, W the weights of columns."""
    matrix = np.zeros((n_heavy + 1, n_heavy + 1))
    for j in range(len(weights)):
        for k in range(3):
            for other in range(k, 3):  # members are sorted
                matrix[members[j, k], members[j, other]] += weights[j]
    return matrix[1:, 1:].copy()


@kernel
def _cholesky(matrix: Any) -> Any:
    """The upper factor of a positive definite matrix, in place, four rows at a time.

    A library would be faster on an idle machine; on a busy one its threads wait for each other.
    """
    n = len(matrix)
    for start in range(0, n, 4):
        end = min(n, start + 4)
        for k in range(start, end):
            for above in range(start, k):
                matrix[k, k:] -= matrix[above, k] * matrix[above, k:]
            matrix[k, k:] /= np.sqrt(matrix[k, k])
        if end < start + 4:
            break
        for i in range(end, n):
            a, b, c, d = matrix[start, i], matrix[start + 1, i], matrix[start + 2, i], matrix[start + 3, i]
            for j in range(i, n):
                matrix[i, j] -= (a * matrix[start, j] + b * matrix[start + 1, j]
                                 + c * matrix[start + 2, j] + d * matrix[start + 3, j])  # fmt: skip
    return matrix


@kernel
def _solve(upper: Any, right: Any) -> Any:
    """The solution of U' U y = right."""
    solution = right.copy()
    for k in range(len(right)):
        solution[k] /= upper[k, k]
        for j in range(k + 1, len(right)):
            solution[j] -= upper[k, j] * solution[k]
    for k in range(len(right) - 1, -1, -1):
        for j in range(k + 1, len(right)):
            solution[k] -= upper[k, j] * solution[j]
        solution[k] /= upper[k, k]
    return solution
