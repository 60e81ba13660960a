"""The nearest joint degree table that some simple graph has, for one that none has, such as a noisy one.

Three things can be wrong (`generate_joint_degree`): counts that are negative or not whole; edge ends of a degree that
do not make whole people; more edges between two degrees than pairs of people. Counts are rounded, each degree gets the
nearest whole number of people, and counts are cut to the number of pairs. Then the ends are balanced by single edges,
those first that mend two degrees at once: add an edge between two that lack ends, take one between two that have too
many, move one from such a degree to such another. What no pair mends goes to people of degree 1, of whom any number
fits. Every step changes one or two edges of the table, and at least half of the ends it touches are mended, so the
result differs from the rounded and cut table by at most two edges for each end out of balance. A table that is
realisable is left as it is. (The very nearest table would be an integer program.)
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from graphveil.errors import ParameterError
from graphveil.graph.degree_table import DegreeTable
from graphveil.kernels import kernel


def nearest_realisable(degrees: NDArray[np.int64], counts: NDArray[Any]) -> DegreeTable:
    """A realisable table close to the given one: rows of two degrees of at least 1 and any counts, even negative.

    >>> nearest_realisable(np.array([[1, 3], [2, 2], [2, 3]]), np.array([1.2, 0.7, 1.9])).to_dict()
    {(1, 3): 1, (2, 2): 1, (2, 3): 2}
    >>> nearest_realisable(np.array([[2, 2]]), np.array([4.0])).to_dict()
    {(2, 2): 4}
    >>> nearest_realisable(np.array([[1, 4], [3, 4]]), np.array([3.0, 2.0])).to_dict()
    {(1, 4): 4}
    """
    rows = np.sort(np.asarray(degrees, dtype=np.int64).reshape(-1, 2), axis=1)
    if len(rows) != len(counts) or (rows < 1).any():
        raise ParameterError("a joint degree table has one count for each row of two degrees of at least 1")
    known = np.union1d(rows, [1])
    whole = np.maximum(np.rint(counts), 0).astype(np.int64)
    table = np.zeros((len(known), len(known)), dtype=np.int64)
    np.add.at(table, tuple(np.searchsorted(known, rows).T), whole)
    table += np.triu(table, 1).T
    people = _cut_to_pairs(table, known)
    missing = people * known - _ends(table)
    missing[0] = 0  # degree 1: as many people as it has ends
    _balance(table, people, missing)
    low, high = np.nonzero(np.triu(table))
    return DegreeTable(np.stack((known[low], known[high]), axis=1), table[low, high])


def _ends(table: NDArray[np.int64]) -> NDArray[np.int64]:
    """Edge ends at each degree; an edge within a degree has two."""
    ends: NDArray[np.int64] = table.sum(axis=1) + table.diagonal()
    return ends


def _cut_to_pairs(table: NDArray[np.int64], known: NDArray[np.int64]) -> NDArray[np.int64]:
    """Cut counts to the number of pairs of people; returns the people of each degree. Counts only fall, so it ends."""
    while True:
        ends = _ends(table)
        people = (2 * ends + known) // (2 * known)
        pairs = np.outer(people, people)
        np.fill_diagonal(pairs, people * (people - 1) // 2)
        if (table <= pairs).all():
            return people
        np.minimum(table, pairs, out=table)


@kernel
def _balance(table: Any, people: Any, missing: Any) -> None:
    """Make the ends of every degree those of whole people; place 0 is degree 1, where everything fits."""
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
def _room(table: Any, people: Any, i: Any, j: Any) -> Any:
    """How many more edges fit between two degrees; no bound at degree 1."""
    if i == 0 or j == 0:
        return np.int64(2**62)
    pairs = people[i] * (people[i] - 1) // 2 if i == j else people[i] * people[j]
    return pairs - table[i, j]


@kernel
def _add_between(table: Any, people: Any, missing: Any, i: Any, j: Any) -> None:
    if missing[i] > 0 and missing[j] > 0:
        wanted = missing[i] // 2 if i == j else min(missing[i], missing[j])
        amount = min(wanted, _room(table, people, i, j))
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
            amount = min(min(missing[i], -missing[j]), min(table[j, x], _room(table, people, i, x)))
            if amount > 0:
                _change(table, j, x, -amount)
                _change(table, i, x, amount)
                missing[i] -= amount
                missing[j] += amount
