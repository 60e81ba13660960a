"""The same work done by graphveil and by what a user would pick instead, in one run and in turns.

Seconds are the processor's, of all threads together: a busy machine stretches them less than the clock's.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from statistics import fmean, median
from typing import Any

Task = Callable[[], Any]
TURNS, MOST_TURNS = 5, 25
ENOUGH = 1.0  # seconds: so long turns go on beyond five
PATIENCE = 10.0  # seconds: what takes longer is run once


@dataclass(frozen=True)
class Job:
    """One piece of work and who does it.

    `shares` says who does only a part of it, because all would take too long; `error` how far off an answer is.
    """

    name: str
    work: str
    ours: Task
    others: dict[str, Task]
    shares: dict[str, float] = field(default_factory=dict)
    error: Callable[[Any], float] | None = None


@dataclass(frozen=True)
class Timing:
    """Seconds for the whole work, turn by turn, and mean errors; a tool that is slow has one turn."""

    job: str
    work: str
    ours: list[float]
    others: dict[str, list[float]]
    errors: dict[str, float] = field(default_factory=dict)

    def ratios(self, tool: str) -> list[float]:
        """How many times as long as ours the tool took, each turn with ours in the same turn."""
        return sorted(theirs / ours for theirs, ours in zip(self.others[tool], self.ours, strict=False))


def measure(job: Job) -> Timing:
    """Time everybody in turns, so that a busy moment hits all; ours has run before, which compiles."""
    job.ours()
    tasks = {"": job.ours, **job.others}
    seconds: dict[str, list[float]] = {tool: [] for tool in tasks}
    errors: dict[str, list[float]] = {tool: [] for tool in tasks}
    for turn in range(MOST_TURNS):
        if turn >= TURNS and sum(map(sum, seconds.values())) > ENOUGH:
            break
        for tool, task in tasks.items():
            if turn == 0 or max(seconds[tool]) < PATIENCE:
                answer = None  # or letting go of the last tool's answer would be timed with this one
                start = time.process_time()
                answer = task()
                seconds[tool].append((time.process_time() - start) / job.shares.get(tool, 1.0))
                if job.error is not None:
                    errors[tool].append(job.error(answer))
    means = {tool: fmean(found) for tool, found in errors.items() if found}
    return Timing(job.name, job.work, seconds.pop(""), seconds, means)


def spread(values: Sequence[float]) -> str:
    """Median, least and most."""
    low, high = min(values), max(values)
    middle = f"{median(values):.3g}"
    return middle if len(values) == 1 else f"{middle} ({low:.3g} to {high:.3g})"
