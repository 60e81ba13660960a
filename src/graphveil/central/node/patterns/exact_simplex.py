"""The simplex method in fractions, for the collapsed programs that no faster solver could prove.

Every row of the table is an equation between a variable and those that are 0; the variables are x and the room that is
left at every bound, of people first and of columns then. The pivots follow Bland's rule (1977), under which no table
comes twice, so it ends, at the exact optimum. It is slow: minutes where the interior-point method takes a second.
"""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from graphveil.arrays import AnyArray
from graphveil.central.node.patterns.programs import Program


def solve_simplex(program: Program) -> tuple[AnyArray, AnyArray]:
    """The exact x, and the exact price z of every heavy person's bound, as fractions."""
    n_columns, n_rows = len(program.sizes), program.n_heavy + len(program.sizes)
    table = _first_table(program, n_columns, n_rows)
    basis = list(range(n_columns, n_columns + n_rows))
    while True:
        entering = next((j for j in range(n_columns + n_rows) if table[-1, j] < 0), None)
        if entering is None:
            break
        ratios = [(table[i, -1] / table[i, entering], basis[i], i) for i in range(n_rows) if table[i, entering] > 0]
        _, _, row = min(ratios)
        _pivot(table, row, entering)
        basis[row] = entering
    x = np.full(n_columns, Fraction(0), dtype=object)
    for row, variable in enumerate(basis):
        if variable < n_columns:
            x[variable] = table[row, -1]
    return x, table[-1, n_columns : n_columns + program.n_heavy].copy()


def _first_table(program: Program, n_columns: int, n_rows: int) -> AnyArray:
    """X = 0: all room is left. The last row is the objective, the last column the right side."""
    table = np.full((n_rows + 1, n_columns + n_rows + 1), Fraction(0), dtype=object)
    for column, members in enumerate(program.members.tolist()):
        for person in members:
            if person:
                table[person - 1, column] = Fraction(1)
        table[program.n_heavy + column, column] = Fraction(1)
        table[program.n_heavy + column, -1] = Fraction(int(program.sizes[column]))
        table[-1, column] = Fraction(-1)
    for row in range(n_rows):
        table[row, n_columns + row] = Fraction(1)
    table[: program.n_heavy, -1] = Fraction(program.tau)
    return table


def _pivot(table: AnyArray, row: int, column: int) -> None:
    table[row] = table[row] / table[row, column]
    for other in range(len(table)):
        if other != row and table[other, column]:
            table[other] = table[other] - table[other, column] * table[row]
