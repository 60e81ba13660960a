"""What a command and all processes that it starts take: Java and Python workers of Spark, say. Linux only."""

from __future__ import annotations

import os
import subprocess
import time
from pathlib import Path
from typing import NamedTuple

LOOK = 0.1  # seconds between two looks; what a process takes after the last is missed
TICK, PAGE = os.sysconf("SC_CLK_TCK"), os.sysconf("SC_PAGE_SIZE")


class Process(NamedTuple):
    """A process as /proc shows it."""

    parent: int
    name: str
    seconds: float
    bytes: int


def watch(command: subprocess.Popen[bytes]) -> tuple[dict[str, float], int]:
    """Seconds of processor time by name of process, and the peak memory of all together, pages shared counted twice."""
    seen: dict[int, Process] = {}
    peak = 0
    while command.poll() is None:
        now = descendants(command.pid)
        seen |= now
        peak = max(peak, sum(process.bytes for process in now.values()))
        time.sleep(LOOK)
    seconds: dict[str, float] = {}
    for process in seen.values():
        seconds[process.name] = seconds.get(process.name, 0) + process.seconds
    return seconds, peak


def descendants(root: int) -> dict[int, Process]:
    """The process of this number, and those that it started or that they did."""
    everybody = {int(path.name): found for path in Path("/proc").glob("[0-9]*") if (found := look(path))}
    ours = {root}
    while more := {number for number, process in everybody.items() if process.parent in ours} - ours:
        ours |= more
    return {number: everybody[number] for number in ours if number in everybody}


def look(path: Path) -> Process | None:
    """None if it has ended."""
    try:
        name, _, rest = (path / "stat").read_text().partition("(")[2].rpartition(")")
    except OSError:
        return None
    values = rest.split()
    return Process(int(values[1]), name, (int(values[11]) + int(values[12])) / TICK, int(values[21]) * PAGE)
