"""Class counts among people's neighbours, read in a public order: each pair of people pays for what reads it.

A plan gives every person a role and lists steps. In a `Reading`, every person of the roles `readers` counts the classes
of those neighbours whose role is in `read`; a `ClassTable` counts the edges within one role by the classes of their
ends. Every count gets discrete Laplace noise of the step's rate. Which class a person counts as may depend on the noisy
answers of earlier steps.

Loss. Fix the answers so far; the next step is then a fixed function of the graph. Adding or removing the edge {u, v}
changes cell (u, class of v) by 1 if u is a reader and v is read, cell (v, class of u) by 1 if v is a reader and u is
read, and nothing else; a table changes in one cell by 1 if both ends have its role. So the probability of the step's
answer changes by a factor of at most e^(rate * number of those cells), whatever the answers before were. Over all steps
the factors multiply: the pair pays the sum of its rates, which depends on the two roles alone. The loss of the plan is
the dearest pair of roles (`pair_cost`), computed in fractions. Steps that read different pairs cost nothing extra.

The classes of people who are not read in a step are not looked at, so a program that gives them cannot break this.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, TypeAlias

import numpy as np

from graphveil.arrays import AnyIntegers, Bits, Integers
from graphveil.errors import GuaranteeMismatch
from graphveil.graph.core import Graph
from graphveil.kernels import kernel
from graphveil.mechanisms.noise.additive import add_discrete_laplace
from graphveil.mechanisms.noise.source import Noise
from graphveil.privacy.loss import Pure


@dataclass(frozen=True, slots=True)
class Reading:
    """People of the roles `readers` count the classes of their neighbours of the roles `read`."""

    readers: tuple[int, ...]
    read: tuple[int, ...]
    rate: Fraction

    def cost(self, one: int, other: int) -> Fraction:
        """What an edge between two people of these roles pays: once for each end that reads the other."""
        times = (one in self.readers and other in self.read) + (other in self.readers and one in self.read)
        return times * self.rate


@dataclass(frozen=True, slots=True)
class ClassTable:
    """The edges within one role, by the classes of their ends."""

    role: int
    rate: Fraction

    def cost(self, one: int, other: int) -> Fraction:
        """An edge within the role is in one cell; any other is in none."""
        return self.rate if one == other == self.role else Fraction(0)


Step: TypeAlias = Reading | ClassTable
Plan: TypeAlias = tuple[Step, ...]
Answers: TypeAlias = tuple[Integers, ...]  # noisy, of all steps
# yields everybody's classes for the next step (-1: not to be counted), and gets that step's noisy answer
Program: TypeAlias = Callable[[], Generator[Integers, Integers, Any]]


def pair_cost(plan: Plan, n_roles: int) -> Fraction:
    """What the dearest pair of people pays over all steps; pairs of roles stand for pairs of people.

    >>> anchors, readers = 0, 1
    >>> one_end = (ClassTable(anchors, Fraction(1)), Reading((readers,), (anchors,), Fraction(1)))
    >>> both_ends = (Reading((anchors, readers), (anchors, readers), Fraction(1)),)
    >>> int(pair_cost(one_end, 2)), int(pair_cost(both_ends, 2))
    (1, 2)
    """
    pairs = ((one, other) for one in range(n_roles) for other in range(one + 1))
    return max((sum((step.cost(*pair) for step in plan), Fraction(0)) for pair in pairs), default=Fraction(0))


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class OrderedReadings:
    """All steps of a plan on a private graph, with noise.

    `roles` gives everybody's role, from 0 to `n_roles` - 1. `program` decides the classes of each step from the noisy
    answers before it, and must not look at the graph.
    """

    what: str
    graph: Graph
    roles: Integers
    n_roles: int
    n_classes: int
    plan: Plan
    program: Program

    def __post_init__(self) -> None:
        if len(self.roles) != self.graph.n_nodes or not _within(self.roles, 0, self.n_roles):
            raise GuaranteeMismatch(f"{self.what}: every person needs a role from 0 to {self.n_roles - 1}")

    @property
    def loss(self) -> Pure:
        """What the dearest pair of roles pays."""
        return Pure(pair_cost(self.plan, self.n_roles))

    @property
    def text(self) -> str:
        """What is counted, in how many steps, and the scale of the noise."""
        scale = max((1 / step.rate for step in self.plan), default=Fraction(0))
        return (
            f"measured the {self.what}, in {len(self.plan)} steps; in each pass every edge is counted at most once, "
            f"with integer Laplace noise of scale {float(scale):.4g} at most on every count"
        )

    def draws(self, noise: Noise, runs: int) -> list[Answers]:
        """The noisy answers of all steps, for each run."""
        return [self._run(noise) for _ in range(runs)]

    def rows(self, noise: Noise, runs: int) -> Integers:
        """The answers of many runs, a row each.

        All runs take the classes that the program gives for answers of zeros, which are public: the loss holds for any
        classes, hence for these.
        """
        exact: list[Integers] = []
        rates: list[Fraction] = []
        program = self.program()
        classes = next(program)
        for place, step in enumerate(self.plan):
            exact.append(self._exact(step, classes))
            rates.append(step.rate)
            if place + 1 < len(self.plan):
                classes = program.send(np.zeros_like(exact[-1]))
        drawn = [
            add_discrete_laplace(noise, np.tile(part.ravel(), (runs, 1)), rate)
            for part, rate in zip(exact, rates, strict=True)
        ]
        return np.hstack([np.zeros((runs, 0), dtype=np.int64), *drawn])

    def _run(self, noise: Noise) -> Answers:
        program = self.program()
        classes = next(program)
        answers: list[Integers] = []
        for place, step in enumerate(self.plan):
            answers.append(add_discrete_laplace(noise, self._exact(step, classes), step.rate))
            if place + 1 < len(self.plan):
                classes = program.send(answers[-1])
        return tuple(answers)

    def _exact(self, step: Step, classes: Integers) -> Integers:
        """The counts of a step without noise: a row for each reader, or the upper half of the table."""
        if len(classes) != len(self.roles) or not _within(classes, -1, self.n_classes):
            raise GuaranteeMismatch(f"{self.what}: every person needs a class from -1 to {self.n_classes - 1}")
        read = step.read if isinstance(step, Reading) else (step.role,)
        shown = np.where(np.isin(self.roles, read), classes, -1)
        readers = np.flatnonzero(np.isin(self.roles, step.readers if isinstance(step, Reading) else (step.role,)))
        counts: Integers = _count(self.graph.indptr, self.graph.indices, readers, shown, self.n_classes)
        return counts if isinstance(step, Reading) else _table(counts, shown[readers], self.n_classes)


def _within(values: Integers, low: int, high: int) -> bool:
    """Whether all values are whole numbers from `low` up to `high` - 1."""
    inside: Bits = (values >= low) & (values < high)
    return np.issubdtype(values.dtype, np.integer) and bool(inside.all())


def _table(counts: Integers, classes: Integers, n_classes: int) -> Integers:
    """Edges by the classes of their ends, a <= b, row by row; both ends have counted each edge."""
    ends = np.zeros((n_classes + 1, n_classes), dtype=np.int64)
    np.add.at(ends, classes, counts)  # class -1 falls into the last row, which is left out
    table = ends[:-1]
    table[np.diag_indices(n_classes)] //= 2
    return table[np.triu_indices(n_classes)]


@kernel
def _count(indptr: AnyIntegers, indices: AnyIntegers, readers: Integers, classes: Integers, n_classes: int) -> Integers:
    counts = np.zeros((len(readers), n_classes), dtype=np.int64)
    for place in range(len(readers)):
        for entry in range(indptr[readers[place]], indptr[readers[place] + 1]):
            found = classes[indices[entry]]
            if found >= 0:
                counts[place, found] += 1
    return counts


def answer_shapes(plan: Sequence[Step], roles: Integers, n_classes: int) -> list[tuple[int, ...]]:
    """The shapes of the answers of all steps, which follow from public facts: what a flat release is cut into."""
    shapes: list[tuple[int, ...]] = []
    for step in plan:
        if isinstance(step, ClassTable):
            shapes.append((n_classes * (n_classes + 1) // 2,))
        else:
            shapes.append((int(np.isin(roles, step.readers).sum()), n_classes))
    return shapes
