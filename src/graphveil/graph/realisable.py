"""The nearest joint degree table that some simple graph has, for one that none has, such as a noisy one.

Three things can be wrong (`generate_joint_degree`): counts that are negative or not whole; edge ends of a degree that
do not make whole people; more edges between two degrees than pairs of people. Counts are rounded, each degree gets a
number of people (`realisable_people`), edges for which there are too few pairs of people are cut, and the ends are
balanced edge by edge (`realisable_balance`). With few distinct degrees other numbers of people are tried after that. A
table that is realisable is left as it is.

What is promised: a table that some simple graph has, and one near the given table, the distance being edges more or
less. Not the very nearest, which would be an integer program whose bounds are products. Of random tables of three
degrees, all others searched through, 1,192 of 1,200 get the nearest; of four, 32 of 35; the rest one an edge further
off. How far larger tables are from their nearest is not known.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from graphveil.errors import ParameterError
from graphveil.graph.degree_table import DegreeTable
from graphveil.graph.realisable_balance import balance
from graphveil.graph.realisable_people import UNBOUNDED, choose_people

Integers = NDArray[np.int64]

SEARCHED = 150  # distinct degrees, up to which other numbers of people are tried


def nearest_realisable(degrees: NDArray[np.int64], counts: NDArray[Any]) -> DegreeTable:
    """A realisable table close to the given one: rows of two degrees of at least 1 and any counts, even negative.

    >>> nearest_realisable(np.array([[1, 3], [2, 2], [2, 3]]), np.array([1.2, 0.7, 1.9])).to_dict()
    {(1, 3): 1, (2, 2): 1, (2, 3): 2}
    >>> nearest_realisable(np.array([[2, 2]]), np.array([4.0])).to_dict()
    {(2, 2): 4}
    >>> nearest_realisable(np.array([[1, 4], [3, 4]]), np.array([3.0, 2.0])).to_dict()
    {(1, 3): 2, (1, 4): 3, (3, 4): 1}
    """
    rows = np.sort(np.asarray(degrees, dtype=np.int64).reshape(-1, 2), axis=1)
    if len(rows) != len(counts) or (rows < 1).any():
        raise ParameterError("a joint degree table has one count for each row of two degrees of at least 1")
    known = np.union1d(rows, [1])
    whole = np.maximum(np.rint(counts), 0).astype(np.int64)
    table = np.zeros((len(known), len(known)), dtype=np.int64)
    np.add.at(table, tuple(np.searchsorted(known, rows).T), whole)
    table += np.triu(table, 1).T
    people = (2 * _ends(table) + known) // (2 * known)
    choose_people(table, known, people)
    mended = _search(table, known, people) if len(known) <= SEARCHED else _mend(table, known, people)
    low, high = np.nonzero(np.triu(mended))
    return DegreeTable(np.stack((known[low], known[high]), axis=1), mended[low, high])


def _mend(table: Integers, known: Integers, people: Integers) -> Integers:
    """A table for so many people of each degree, with next to no more changes than they make necessary."""
    mended = np.minimum(table, _pairs(people))
    missing = people * known - _ends(mended)
    missing[0] = 0  # degree 1: as many people as it has ends
    balance(mended, people, missing)
    return mended


def _search(table: Integers, known: Integers, people: Integers) -> Integers:
    """The nearest table for one or two people more or less of some degree, again and again while it gets nearer."""
    best = _mend(table, known, people)
    distance = _distance(best, table)
    places = [(i, step) for i in range(1, len(known)) for step in (1, -1, 2, -2)]
    since_nearer = 0
    while distance and since_nearer < len(places):
        i, step = places[0]
        places.append(places.pop(0))
        since_nearer += 1
        people[i] += step
        tried = _mend(table, known, people) if people[i] >= 0 else best
        if (nearer := _distance(tried, table)) < distance:
            best, distance, since_nearer = tried, nearer, 0
        else:
            people[i] -= step
    return best


def _distance(first: Integers, second: Integers) -> int:
    return int(np.abs(np.triu(first - second)).sum())


def _ends(table: NDArray[np.int64]) -> NDArray[np.int64]:
    """Edge ends at each degree; an edge within a degree has two."""
    ends: NDArray[np.int64] = table.sum(axis=1) + table.diagonal()
    return ends


def _pairs(people: NDArray[np.int64]) -> NDArray[np.int64]:
    """Pairs of people of each two degrees; no bound at degree 1, of whom there are as many as ends."""
    pairs: NDArray[np.int64] = np.outer(people, people)
    np.fill_diagonal(pairs, people * (people - 1) // 2)
    pairs[0] = pairs[:, 0] = UNBOUNDED
    return pairs
