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

Edges added, taken and moved in a joint degree table until the ends of every degree are those of whole people.

Those steps come first that mend two degrees at once: add an edge between two that lack ends, take one between two that
have too many, move one from such a degree to such another. What no pair mends goes to people of degree 1 (place 0), of
whom any number fits. Every step changes one or two edges of the table, and at least half of the ends it touches are
mended, so the result differs from the table given by at most two edges for each end out of balance.

How many people of each degree suit a joint degree table best.

Each degree gets the number of people that costs least, in turn until nobody changes: edges cut because there are fewer
pairs of people, and ends out of balance after that. Place 0 is degree 1, of whom any number fits.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from graphveil.arrays import AnyArray, Integers
from graphveil.errors import ParameterError
from graphveil.graph.statistics.degree_table import DegreeTable
from graphveil.kernels import kernel

UNBOUNDED = 2**62
SWEEPS = 10


@kernel
def choose_people(table: Any, known: Any, people: Any) -> None:
    """Change the number of people of single degrees for as long as it pays."""
    missing = people * known
    for i in range(len(known)):
        for j in range(len(known)):
            kept = min(table[i, j], edge_limit(people, i, j))
            missing[i] -= 2 * kept if i == j else kept
    for _ in range(SWEEPS):
        settled = True
        for i in range(1, len(known)):
            up, down = 1, 1
            while up > 0 or down > 0:
                up = _gain(table, known, people, missing, i, 1)
                down = _gain(table, known, people, missing, i, -1)
                if up > 0 or down > 0:
                    _set_people(table, known, people, missing, i, 1 if up >= down else -1)
                    settled = False
        if settled:
            return


@kernel
def _gain(table: Any, known: Any, people: Any, missing: Any, i: Any, step: Any) -> Any:
    """What it saves to have so many more people of a degree: edges cut, and half an edge for an end out of balance."""
    if people[i] + step < 0:
        return 0
    saved = 0
    at_i = missing[i] + step * known[i]
    for j in range(len(known)):
        before = min(table[i, j], edge_limit(people, i, j))
        people[i] += step
        more = min(table[i, j], edge_limit(people, i, j)) - before
        people[i] -= step
        saved += 2 * more
        at_i -= 2 * more if i == j else more
        if 0 < j != i:
            saved += abs(missing[j]) - abs(missing[j] - more)
    return saved + abs(missing[i]) - abs(at_i)


@kernel
def _set_people(table: Any, known: Any, people: Any, missing: Any, i: Any, step: Any) -> None:
    missing[i] += step * known[i]
    for j in range(len(known)):
        before = min(table[i, j], edge_limit(people, i, j))
        people[i] += step
        more = min(table[i, j], edge_limit(people, i, j)) - before
        people[i] -= step
        missing[i] -= 2 * more if i == j else more
        if j != i:
            missing[j] -= more
    people[i] += step


@kernel
def edge_limit(people: Any, i: Any, j: Any) -> Any:
    """How many edges fit between two degrees; no bound at degree 1."""
    if i == 0 or j == 0:
        return UNBOUNDED
    return people[i] * (people[i] - 1) // 2 if i == j else people[i] * people[j]


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


SEARCHED = 150  # distinct degrees, up to which other numbers of people are tried


def nearest_realisable(degrees: Integers, counts: AnyArray) -> DegreeTable:
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


def _ends(table: Integers) -> Integers:
    """Edge ends at each degree; an edge within a degree has two."""
    ends: Integers = table.sum(axis=1) + table.diagonal()
    return ends


def _pairs(people: Integers) -> Integers:
    """Pairs of people of each two degrees; no bound at degree 1, of whom there are as many as ends."""
    pairs: Integers = np.outer(people, people)
    np.fill_diagonal(pairs, people * (people - 1) // 2)
    pairs[0] = pairs[:, 0] = UNBOUNDED
    return pairs
