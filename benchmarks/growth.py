"""How time and memory of commands and peers grow from 10^5 to 10^7 edges: `python -m benchmarks growth`.

Every command runs as a user would run it, in a process of its own, on Barabási–Albert networks of 10 edges a person.
Its time is the processor's, beyond that of the same command on 300 people (start, imports, compiled code); so is its
peak memory, in bytes for each edge. The growth is the slope of log time over log edges: 1 is linear. igraph and
networkx do the same without noise, as far as they can (`benchmarks._peer`), and their own start is subtracted.
A network is evaluated and attacked as if it had been published as it is, the most work there is.
Smaller: `python -m benchmarks.growth --most 1e6 --commands release stats`; `--folder` keeps the networks.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import NamedTuple

import numpy as np
import polars as pl
from benchmarks import _peer
from benchmarks._record import FOLDER, picture, report, save

from graphveil.graph.generate.random import barabasi_albert

SIZES = (100_000, 1_000_000, 10_000_000)
RUNS, SHORT = 2, 5.0  # seconds
TICK = 0.01  # seconds: less than the start varies by
COMMANDS = {
    "release": "release {} --query triangles --unit edge --epsilon 1",
    "collect": "collect simulate {} --protocol veil --statistic triangles --unit edge --epsilon 1",
    "anonymize": "anonymize {} --method k-degree --k 10 --out {}.out.txt --force",
    "stats": "stats {}",
    "dk2-soft": "synthesize {} --method dk2-soft --unit edge --epsilon 1 --out {}.out.txt --force",
    "veil": "synthesize {} --method veil --unit edge --epsilon 1 --out {}.out.txt --force",
    "evaluate": "evaluate {} {}",
    "attack": "attack {} {} --attack all",
    "certify": "certify {} --method k-degree --k 1",
}


class Cost(NamedTuple):
    """Of one run of a command."""

    seconds: float
    bytes: int


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--most", type=float, default=SIZES[-1])
    parser.add_argument("--commands", nargs="+", default=list(COMMANDS), choices=COMMANDS)
    parser.add_argument("--folder", type=Path, help="where the networks are kept, or are already")
    options = parser.parse_args()
    sizes = [size for size in SIZES if size <= options.most]
    head = "".join(f"{f'{size:,} edges':>24}" for size in sizes)
    print(f"{'':18}{'start s':>8}{head}")
    costs: dict[str, list[Cost]] = {}
    with tempfile.TemporaryDirectory() as scratch:
        files = [network(options.folder or Path(scratch), size) for size in (3_000, *sizes)]
        for name in options.commands:
            costs[name] = line(name, ("graphveil", *COMMANDS[name].split()), files, sizes)
            for tool in _peer.PEERS.get(name, ()):
                most = [size for size in sizes if size <= _peer.MOST]
                costs[f"{name}, {tool}"] = line(f"{name}, {tool}", ("peer", tool, name, "{}"), files, most)
    rows = {}
    for peer, theirs in costs.items():
        if ", " in peer:
            ours = costs[peer.partition(", ")[0]][len(theirs) - 1]
            rows[f"{peer}, {sizes[len(theirs) - 1]:,} edges"] = max(theirs[-1].seconds, TICK) / max(ours.seconds, TICK)
    drawn = {**earlier(), **costs}
    changes = save("growth", rows, {"edges": SIZES, "costs": {name: list(many) for name, many in drawn.items()}})
    draw(drawn)
    report("growth", changes)


def line(name: str, words: tuple[str, ...], files: list[Path], sizes: list[int]) -> list[Cost]:
    """One line of the table, printed: costs beyond the start at each of these sizes."""
    start, *whole = (best(words, file) for file in files[: len(sizes) + 1])
    costs = [Cost(cost.seconds - start.seconds, cost.bytes - start.bytes) for cost in whole]
    pairs = zip(costs, sizes, strict=True)
    cells = "".join(f"{cost.seconds:9.2f} s {cost.bytes / size:6,.0f} B/edge" for cost, size in pairs)
    print(f"{name:18}{start.seconds:8.2f}{cells}  growth {exponent(costs, sizes):.2f}", flush=True)
    return costs


def network(folder: Path, edges: int) -> Path:
    file = folder / f"network{edges}.txt"
    if not file.exists():
        edge_list = pl.DataFrame(barabasi_albert(edges // 10 + 10, 10, seed=1).edges())
        edge_list.write_csv(file, include_header=False, separator=" ")
    return file


def best(words: tuple[str, ...], file: Path) -> Cost:
    """The least of several runs where they are short: their time is mostly the start, which varies."""
    runs = [run(words, file)]
    while len(runs) < RUNS and runs[0].seconds < SHORT:
        runs.append(run(words, file))
    return Cost(*(min(column) for column in zip(*runs, strict=True)))


def run(words: tuple[str, ...], file: Path) -> Cost:
    """Processor time and peak memory of a command, or of the same work by a peer."""
    module = "benchmarks._peer" if words[0] == "peer" else "benchmarks._peak"
    peak = file.with_suffix(".peak")
    command = [sys.executable, "-m", module, str(peak), *(word.replace("{}", str(file)) for word in words[1:])]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, status, used = os.wait4(process.pid, 0)
    if status:
        sys.exit(f"{' '.join(command)} failed")
    return Cost(used.ru_utime + used.ru_stime, int(peak.read_text()))


def exponent(costs: list[Cost], sizes: list[int]) -> float:
    points = [(size, cost.seconds) for size, cost in zip(sizes, costs, strict=True) if cost.seconds > 0]
    return float(np.polyfit(*np.log(points).T, 1)[0]) if len(points) > 1 else float("nan")


def earlier() -> dict[str, list[Cost]]:
    """Costs of commands that were measured before and kept."""
    kept = FOLDER / "growth.json"
    found = json.loads(kept.read_text())["details"]["costs"] if kept.is_file() else {}
    return {name: [Cost(*cost) for cost in many] for name, many in found.items()}


def draw(costs: dict[str, list[Cost]]) -> None:
    """Peers are dashed, in the colour of the command whose work they do."""
    with picture("growth", (9, 4.2)) as figure:
        time, memory = figure.subplots(1, 2)
        colours: dict[str, str] = {}
        for name, many in costs.items():
            command, _, tool = name.partition(", ")
            style = {"marker": "x" if tool == "networkx" else "o", "markersize": 4, "linestyle": "--" if tool else "-"}
            asked = SIZES[: len(many)]
            seconds = [max(cost.seconds, TICK) for cost in many]
            (drawn,) = time.plot(asked, seconds, label=name, color=colours.get(command), **style)
            colours.setdefault(command, drawn.get_color())
            bytes_each = [max(cost.bytes / size, 1) for cost, size in zip(many, asked, strict=True)]
            memory.plot(asked, bytes_each, color=colours[command], **style)
        time.set(xscale="log", yscale="log", xlabel="edges", ylabel="processor seconds beyond the start")
        memory.set(xscale="log", yscale="log", xlabel="edges", ylabel="bytes an edge beyond the start")
        figure.legend(loc="outside lower center", ncols=4, fontsize="small")


if __name__ == "__main__":
    main()
