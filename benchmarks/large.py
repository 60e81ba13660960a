"""A hundred million edges in one process: time and memory of commands, `python -m benchmarks.large --edges 1e8`.

Every command runs as a user would run it, in a process of its own, on a network with hubs and triangles that is written
first (`--folder` keeps it). Time is that of the processor; memory is the peak. Without options: a million edges.

With `--master 'local[2]'` each runs on Spark too: time and memory of Java and of all Python processes together.
"""

from __future__ import annotations

import argparse
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

from benchmarks._networks import EDGES_EACH, write_network
from benchmarks._tree import watch

COMMANDS = {
    "release edges": "release {} --query edges --unit edge --epsilon 1",
    "release degree-histogram": "release {} --query degree-histogram --unit edge --epsilon 1",
    "release triangles": "release {} --query triangles --unit edge --epsilon 1",
    "collect simulate triangles": "collect simulate {} --protocol veil --statistic triangles --unit edge --epsilon 1",
}
GB = 10**9


class Run(NamedTuple):
    """What a command took."""

    seconds: float
    wall: float
    bytes: int
    kinds: dict[str, float]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--edges", type=float, default=1e6)
    parser.add_argument("--each", type=int, default=EDGES_EACH, help="edges a person; campaigns take 8 million people")
    parser.add_argument("--format", default="parquet", choices=("parquet", "txt"))
    parser.add_argument("--commands", nargs="+", default=list(COMMANDS), choices=COMMANDS)
    parser.add_argument("--memory", type=float, default=16, help="GB; a command that needs more fails")
    parser.add_argument("--master", help="of Spark, which runs every command too, without a limit of memory")
    parser.add_argument("--folder", type=Path, help="where the network is kept, or is already")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        folder = options.folder or Path(scratch)
        file = folder / f"network{int(options.edges)}-{options.each}.{options.format}"
        if not file.exists():
            write_network(file, int(options.edges), each=options.each)
        print(f"{file.name}: {file.stat().st_size / GB:.2f} GB, {options.edges:,.0f} edges listed", flush=True)
        for name in options.commands:
            command = COMMANDS[name].replace("{}", str(file))
            report(name, run(command, int(options.memory * GB)), options.edges)
            if options.master:
                report(f"{name}, Spark", run(f"{command} --engine spark --master {options.master}"), options.edges)


def report(name: str, found: Run, n_edges: float) -> None:
    print(
        f"{name:34}{found.seconds:8.1f} s of processor{found.wall:8.1f} s of wall"
        f"{found.bytes / GB:8.2f} GB{found.bytes / n_edges:7.1f} bytes an edge",
        *(f"{kind} {seconds:.1f} s" for kind, seconds in found.kinds.items() if seconds >= 0.1),
        flush=True,
    )


def run(command: str, memory: int | None = None) -> Run:
    """One command, in so much memory of its own if it is a single process."""
    most = memory or resource.RLIM_INFINITY
    words = [sys.executable, "-m", "graphveil", *command.split()]
    begin = time.perf_counter()
    with tempfile.TemporaryFile("w+") as said:
        process = subprocess.Popen(
            words,
            stdout=subprocess.DEVNULL,
            stderr=said,
            preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_DATA, (most, most)),
        )
        kinds, peak = watch(process)
        if process.returncode:
            said.seek(0)
            sys.exit(f"graphveil {command} failed:\n{said.read()}")
    return Run(sum(kinds.values()), time.perf_counter() - begin, peak, kinds if len(kinds) > 1 else {})


if __name__ == "__main__":
    main()
