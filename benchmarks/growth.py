"""How time and memory of the commands grow from ten thousand to ten million edges: `python -m benchmarks growth`.

Every command runs as a user would run it, in a process of its own, on Barabási–Albert networks of 10 edges a person.
Its time is the processor's, beyond that of the same command on 300 people (start, imports, compiled code); so is its
peak memory, in bytes for each edge. The exponent is the slope of log time over log edges between the last three sizes;
1 is linear. Smaller: `python -m benchmarks.growth --most 1e6 --commands release stats`.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import NamedTuple

import numpy as np
from benchmarks._record import picture, report, save

from graphveil.graph.files.write import write_graph
from graphveil.graph.generate.random import barabasi_albert

SIZES = (10_000, 100_000, 1_000_000, 10_000_000)
RUNS, SHORT = 3, 5.0  # seconds
TICK = 0.01  # seconds: less than the start varies by
COMMANDS = {
    "release": "release {} --query triangles --unit edge --epsilon 1",
    "collect": "collect simulate {} --protocol veil --statistic triangles --unit edge --epsilon 1",
    "anonymize": "anonymize {} --method k-degree --k 10 --out {}.out.txt",
    "stats": "stats {}",
    "dk2-soft": "synthesize {} --method dk2-soft --unit edge --epsilon 1 --out {}.out.txt",
    "veil": "synthesize {} --method veil --unit edge --epsilon 1 --out {}.out.txt",
}
MOST = {"veil": 1_000_000}  # edges, where more would take many minutes


class Cost(NamedTuple):
    """Of one run of a command."""

    seconds: float
    bytes: int


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--most", type=float, default=SIZES[-1])
    parser.add_argument("--commands", nargs="+", default=list(COMMANDS), choices=COMMANDS)
    options = parser.parse_args()
    sizes = [size for size in SIZES if size <= options.most]
    head = "".join(f"{f'{size:,} edges':>24}" for size in sizes)
    print(f"{'':12}{'start s':>8}{head}{'exponent':>10}")
    costs: dict[str, list[Cost]] = {}
    with tempfile.TemporaryDirectory() as folder:
        files = [network(Path(folder), size) for size in (3_000, *sizes)]
        for name in options.commands:
            asked = [size for size in sizes if size <= MOST.get(name, size)]
            start, *whole = (best(name, file) for file in files[: len(asked) + 1])
            costs[name] = [Cost(cost.seconds - start.seconds, cost.bytes - start.bytes) for cost in whole]
            pairs = zip(costs[name], asked, strict=True)
            cells = "".join(f"{cost.seconds:9.2f} s {cost.bytes / size:6,.0f} B/edge" for cost, size in pairs)
            slope = exponent(costs[name], asked)
            print(f"{name:12}{start.seconds:8.2f}{cells:{24 * len(sizes)}}{slope:10.2f}", flush=True)
    rows = {
        f"{name}, {size:,} edges, a second": size / max(many[-1].seconds, TICK)
        for name, many in costs.items()
        for size in [sizes[len(many) - 1]]
    }
    changes = save("growth", rows, {"edges": sizes, "costs": {name: list(many) for name, many in costs.items()}})
    draw(costs, sizes)
    report("growth", changes)


def network(folder: Path, edges: int) -> Path:
    file = folder / f"network{edges}.txt"
    write_graph(barabasi_albert(edges // 10 + 10, 10, seed=1), file)
    return file


def best(name: str, file: Path) -> Cost:
    """The least of several runs where they are short: their time is mostly the start, which varies."""
    runs = [run(name, file)]
    while len(runs) < RUNS and runs[0].seconds < SHORT:
        runs.append(run(name, file))
    return Cost(*(min(column) for column in zip(*runs, strict=True)))


def run(name: str, file: Path) -> Cost:
    """Processor time and peak memory of a command."""
    words = COMMANDS[name].replace("{}", str(file)).split()
    peak = file.with_suffix(".peak")
    command = [sys.executable, "-m", "benchmarks._peak", str(peak), *words]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, status, used = os.wait4(process.pid, 0)
    if status:
        sys.exit(f"graphveil {' '.join(words)} failed")
    return Cost(used.ru_utime + used.ru_stime, int(peak.read_text()))


def exponent(costs: list[Cost], sizes: list[int]) -> float:
    points = [(size, cost.seconds) for size, cost in zip(sizes, costs, strict=True) if cost.seconds > 0][-3:]
    return float(np.polyfit(*np.log(points).T, 1)[0]) if len(points) > 1 else float("nan")


def draw(costs: dict[str, list[Cost]], sizes: list[int]) -> None:
    with picture("growth", (9, 3.6)) as figure:
        time, memory = figure.subplots(1, 2)
        for name, many in costs.items():
            asked = sizes[: len(many)]
            time.plot(asked, [cost.seconds for cost in many], "o-", label=name)
            memory.plot(asked, [cost.bytes / size for cost, size in zip(many, asked, strict=True)], "o-", label=name)
        time.set(xscale="log", yscale="log", xlabel="edges", ylabel="processor seconds beyond the start")
        memory.set(xscale="log", yscale="log", xlabel="edges", ylabel="bytes an edge beyond the start")
        time.legend()


if __name__ == "__main__":
    main()
