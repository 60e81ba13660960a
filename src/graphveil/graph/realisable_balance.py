"""Edges added, taken and moved in a joint degree table until the ends of every degree are those of whole people.

Those steps come first that mend two degrees at once: add an edge between two that lack ends, take one between two that
have too many, move one from such a degree to such another. What no pair mends goes to people of degree 1 (place 0), of
whom any number fits. Every step changes one or two edges of the table, and at least half of the ends it touches are
mended, so the result differs from the table given by at most two edges for each end out of balance.
"""

from __future__ import annotations

from typing import Any

from graphveil.graph.realisable_people import edge_limit
from graphveil.kernels import kernel


@kernel
def balance(table: Any, people: Any, missing: Any) -> None:
    """Make the ends of every degree those of whole people."""
    size = len(missing)
    for i in range(1, size):
        for j in range(i, size):
            _add_between(table, people, missing, i, j)
            _take_between(table, missing, i, j)
    for i in range(1, size):
        for j in range(1, size):
            if missing[i] > 0 and missing[j] < 0:
                _move(table, people, missing, i, j)
    for i in range(1, size):
        if missing[i] > 0:
            _change(table, 0, i, missing[i])
        for j in range(size):
            if missing[i] < 0 and j != i and table[i, j] > 0:
                amount = min(-missing[i], table[i, j])
                _change(table, i, j, -amount)
                missing[i] += amount
                if j > 0:
                    _change(table, 0, j, amount)
        if missing[i] < 0:  # all that is left are edges within the degree: their other ends stay, at degree 1
            amount = -missing[i]
            _change(table, i, i, -amount)
            _change(table, 0, i, amount)
        missing[i] = 0


@kernel
def _change(table: Any, i: Any, j: Any, amount: Any) -> None:
    table[i, j] += amount
    if i != j:
        table[j, i] += amount


@kernel
def _add_between(table: Any, people: Any, missing: Any, i: Any, j: Any) -> None:
    if missing[i] > 0 and missing[j] > 0:
        wanted = missing[i] // 2 if i == j else min(missing[i], missing[j])
        amount = min(wanted, edge_limit(people, i, j) - table[i, j])
        _change(table, i, j, amount)
        missing[i] -= amount
        missing[j] -= amount


@kernel
def _take_between(table: Any, missing: Any, i: Any, j: Any) -> None:
    if missing[i] < 0 and missing[j] < 0:
        wanted = -missing[i] // 2 if i == j else min(-missing[i], -missing[j])
        amount = min(wanted, table[i, j])
        _change(table, i, j, -amount)
        missing[i] += amount
        missing[j] += amount


@kernel
def _move(table: Any, people: Any, missing: Any, i: Any, j: Any) -> None:
    """Give edges of degree j, which has too many ends, to degree i, which lacks them."""
    for x in range(len(missing)):
        if missing[i] == 0 or missing[j] == 0:
            return
        if x not in (i, j):
            amount = min(min(missing[i], -missing[j]), min(table[j, x], edge_limit(people, i, x) - table[i, x]))
            if amount > 0:
                _change(table, j, x, -amount)
                _change(table, i, x, amount)
                missing[i] -= amount
                missing[j] += amount
