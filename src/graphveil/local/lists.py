"""Friend lists of some people of a campaign: of everybody in a simulation, of one person on that person's device."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from graphveil.arrays import Integers
from graphveil.errors import ParameterError
from graphveil.graph.core import Graph
from graphveil.graph.directed import DirectedGraph


@dataclass(frozen=True, slots=True, eq=False)
class Lists:
    """Row r lists the friends of person `people[r]`, rising; everybody has a number in 0..n_people-1.

    `choices` holds what each of them picked among the strengths a campaign offers (0 where there is nothing to pick).
    Protocols treat one person and a million alike: a client is a crowd of one.

    >>> lists = Lists.of_person(5, 3, [4, 0, 4])
    >>> lists.people.tolist(), lists.indices.tolist(), lists.degrees.tolist()
    ([3], [0, 4], [2])
    """

    n_people: int
    people: Integers
    indptr: Integers
    indices: NDArray[np.signedinteger]
    choices: Integers

    @classmethod
    def of_graph(cls, graph: Graph, choices: ArrayLike | None = None) -> Lists:
        """The lists of all people of a graph, with the strengths they picked."""
        people, picked = np.arange(graph.n_nodes), _picked(graph.n_nodes, choices)
        return cls(graph.n_nodes, people, np.asarray(graph.indptr), graph.indices, picked)

    @classmethod
    def of_arcs(cls, graph: DirectedGraph, choices: ArrayLike | None = None) -> Lists:
        """Whom each person of a directed graph points at.

        >>> Lists.of_arcs(DirectedGraph.from_arcs([(0, 1), (1, 0), (1, 2)])).degrees.tolist()
        [1, 2, 0]
        """
        people, picked = np.arange(graph.n_nodes), _picked(graph.n_nodes, choices)
        indptr = np.concatenate(([0], np.cumsum(graph.out_degrees)))
        return cls(graph.n_nodes, people, indptr, graph.arcs[:, 1], picked)

    @classmethod
    def of_person(cls, n_people: int, person: int, friends: ArrayLike, choice: int = 0) -> Lists:
        """One person's list; repeats are dropped, and nobody is their own friend."""
        row = np.unique(np.asarray(friends, dtype=np.int64)) if np.size(friends) else np.empty(0, dtype=np.int64)
        if not 0 <= person < n_people:
            raise ParameterError(f"a campaign of {n_people} people has no person {person}")
        if len(row) and not (row[0] >= 0 and row[-1] < n_people):
            raise ParameterError(f"a friend list names somebody outside 0..{n_people - 1}")
        row = row[row != person]
        return cls(n_people, np.array([person]), np.array([0, len(row)]), row, np.array([choice]))

    @classmethod
    def of_degrees(cls, degrees: Integers) -> Lists:
        """Lists of these lengths with nobody in particular in them, for protocols that only look at the length."""
        indptr = np.concatenate(([0], np.cumsum(degrees)))
        nobody = np.zeros(int(indptr[-1]), dtype=np.int32)
        return cls(len(degrees), np.arange(len(degrees)), indptr, nobody, np.zeros(len(degrees), dtype=np.int64))

    def among(self, part: NDArray[np.bool_]) -> Lists:
        """The lists of a part of these people."""
        lengths = self.degrees
        indptr = np.concatenate(([0], np.cumsum(lengths[part])))
        entries = self.indices[np.repeat(part, lengths)]
        return Lists(self.n_people, self.people[part], indptr, entries, self.choices[part])

    def entries(self, kept: NDArray[np.bool_]) -> Lists:
        """The same people's lists with some of their entries only."""
        rows = np.repeat(np.arange(len(self)), self.degrees)
        lengths = np.bincount(rows[kept], minlength=len(self))
        indptr = np.concatenate(([0], np.cumsum(lengths)))
        return Lists(self.n_people, self.people, indptr, self.indices[kept], self.choices)

    def cleared(self, people: NDArray[np.bool_]) -> Lists:
        """The same lists, of these people empty."""
        return self.entries(~np.repeat(people, self.degrees)) if people.any() else self

    @property
    def degrees(self) -> Integers:
        """How many friends each of them has."""
        return np.diff(self.indptr)

    def __len__(self) -> int:
        return len(self.people)

    def __repr__(self) -> str:
        return f"Lists({len(self)} of {self.n_people} people)"


def _picked(n_people: int, choices: ArrayLike | None) -> Integers:
    """Everybody's choice among the strengths, the first unless given."""
    picked = np.zeros(n_people, dtype=np.int64) if choices is None else np.asarray(choices, dtype=np.int64)
    if picked.shape != (n_people,):
        raise ParameterError(f"{len(picked)} choices were given for {n_people} people")
    return picked
