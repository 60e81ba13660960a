"""What a pair of people pays for ordered readings, from the plan and from what is drawn."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import replace
from fractions import Fraction
from itertools import combinations

import numpy as np
import pytest

from graphveil.arrays import Integers
from graphveil.errors import GuaranteeMismatch
from graphveil.graph.core import Graph
from graphveil.learn.roles import Roles
from graphveil.mechanisms.noise.source import SeededNoise
from graphveil.mechanisms.readings import ClassTable, OrderedReadings, Plan, Reading, pair_cost

ONE = Fraction(1)
N, CLASSES = 14, 3


def fixed(classes: Integers) -> Generator[Integers, Integers, None]:
    while True:
        yield classes


def readings(plan: Plan, roles: Roles, edges: list[tuple[int, int]]) -> OrderedReadings:
    classes = np.arange(N) % CLASSES
    return OrderedReadings(
        what="test",
        graph=Graph.from_edges(edges, n_nodes=N),
        roles=roles.of,
        n_roles=roles.n_roles,
        n_classes=CLASSES,
        plan=plan,
        program=lambda: fixed(classes),
    )


def exact_loss(plan: Plan, roles: Roles, edges: list[tuple[int, int]], pair: tuple[int, int]) -> Fraction:
    """The sum of rate times change over all counts when one edge is added: the exact worst loss of that pair."""
    classes = np.arange(N) % CLASSES
    before, after = readings(plan, roles, edges), readings(plan, roles, [*edges, pair])
    changes = [np.abs(after._exact(step, classes) - before._exact(step, classes)).sum() for step in plan]
    return sum((step.rate * int(change) for step, change in zip(plan, changes, strict=True)), Fraction(0))


@pytest.mark.parametrize("blocks", [1, 2, 3])
@pytest.mark.parametrize("passes", [1, 2])
def test_every_pair_of_people_pays_what_the_plan_says_and_at_most_the_rate(blocks: int, passes: int) -> None:
    roles = Roles(np.arange(N) % (1 + 2 * blocks), blocks)
    plan = roles.plan(ONE, passes)
    edges = [(u, v) for u, v in combinations(range(N), 2) if (u * 7 + v * 3) % 5 == 0]
    losses = {}
    for u, v in combinations(range(N), 2):
        if (u, v) not in edges:
            losses[u, v] = exact_loss(plan, roles, edges, (u, v))
            stated = sum((step.cost(int(roles.of[u]), int(roles.of[v])) for step in plan), Fraction(0))
            assert losses[u, v] == stated <= ONE
    assert max(losses.values()) == pair_cost(plan, roles.n_roles) == ONE


@pytest.mark.parametrize("blocks", [1, 2, 6])
@pytest.mark.parametrize("passes", [1, 2])
def test_no_pair_of_different_roles_pays_less_than_it_could(blocks: int, passes: int) -> None:
    """Also readers with the people to predict of their own block, and anchors with each other."""
    roles = Roles(np.zeros(0, dtype=np.int64), blocks)
    plan = roles.plan(ONE, passes)
    for one, other in combinations(range(roles.n_roles), 2):
        assert sum(step.cost(one, other) for step in plan) == ONE
    assert sum(step.cost(0, 0) for step in plan) == ONE


def test_plans_that_cost_more_are_seen() -> None:
    roles = Roles(np.arange(N) % 5, 2)
    sound = roles.plan(ONE, 1)
    both_ends = tuple(replace(s, read=tuple(range(5))) if isinstance(s, Reading) else s for s in sound)
    own_block = (*sound[:-1], replace(sound[-1], read=(0, 1, 2, 3, 4)))  # type: ignore[call-arg]
    table_again = (*sound, ClassTable(0, Fraction(1, 100)))
    for broken in (both_ends, own_block):
        assert pair_cost(broken, roles.n_roles) == 2
    assert pair_cost(table_again, roles.n_roles) == Fraction(101, 100)
    assert readings(both_ends, roles, []).loss.epsilon == 2
    assert exact_loss(both_ends, roles, [], (1, 2)) == 2


def test_what_a_program_says_of_people_who_are_not_read_is_not_looked_at() -> None:
    roles = Roles(np.arange(N) % 3, 1)
    drawn = readings(roles.plan(Fraction(50), 1), roles, list(combinations(range(N), 2)))
    (first,) = drawn.draws(SeededNoise(1), 1)
    anchors = (roles.of == 0).sum()
    assert (first[1].sum(axis=1) == anchors).all()  # of all 13 neighbours only anchors are counted
    assert first[0].sum() == anchors * (anchors - 1) // 2
    assert (first[2].sum(axis=1) == anchors + (roles.of == 1).sum()).all()


def test_roles_and_classes_out_of_range_are_refused() -> None:
    roles = Roles(np.arange(N) % 3, 1)
    with pytest.raises(GuaranteeMismatch, match="a role from 0 to 2"):
        readings(roles.plan(ONE, 1), Roles(np.arange(N), 1), [])
    wild = replace(readings(roles.plan(ONE, 1), roles, []), program=lambda: fixed(np.full(N, CLASSES)))
    with pytest.raises(GuaranteeMismatch, match="a class from -1 to 2"):
        wild.draws(SeededNoise(1), 1)


def test_rows_for_an_audit_have_the_law_of_a_run() -> None:
    """Means over 4,000 runs against the exact counts; a false alarm has probability below 1e-6 (5.5 deviations)."""
    roles = Roles(np.arange(N) % 3, 1)
    drawn = readings(roles.plan(ONE, 1), roles, [(0, 1), (1, 3), (2, 3), (0, 3), (1, 2)])
    classes = np.arange(N) % CLASSES
    exact = np.concatenate([drawn._exact(step, classes).ravel() for step in drawn.plan])
    rows = drawn.rows(SeededNoise(5), 4000)
    deviation = np.sqrt(2 * np.exp(-1)) / (1 - np.exp(-1)) / np.sqrt(4000)
    assert np.abs(rows.mean(axis=0) - exact).max() < 5.5 * deviation
