"""How many people of each degree suit a joint degree table best.

Each degree gets the number of people that costs least, in turn until nobody changes: edges cut because there are fewer
pairs of people, and ends out of balance after that. Place 0 is degree 1, of whom any number fits.
"""

from __future__ import annotations

from typing import Any

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
