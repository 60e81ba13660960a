"""A hundred million edges in one process: time and memory of commands, `python -m benchmarks.large --edges 1e8`.

Every command runs as a user would run it, in a process of its own, on a network with hubs and triangles that is written
first (`--folder` keeps it). Time is that of the processor; memory is the peak. Without options: a million edges.
"""

from __future__ import annotations

import argparse
import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

from benchmarks._networks import EDGES_EACH, write_network

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


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--edges", type=float, default=1e6)
    parser.add_argument("--each", type=int, default=EDGES_EACH, help="edges a person; campaigns take 8 million people")
    parser.add_argument("--format", default="parquet", choices=("parquet", "txt"))
    parser.add_argument("--commands", nargs="+", default=list(COMMANDS), choices=COMMANDS)
    parser.add_argument("--memory", type=float, default=16, help="GB; a command that needs more fails")
    parser.add_argument("--folder", type=Path, help="where the network is kept, or is already")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        folder = options.folder or Path(scratch)
        file = folder / f"network{int(options.edges)}-{options.each}.{options.format}"
        if not file.exists():
            write_network(file, int(options.edges), each=options.each)
        print(f"{file.name}: {file.stat().st_size / GB:.2f} GB, {options.edges:,.0f} edges listed", flush=True)
        for name in options.commands:
            found = run(COMMANDS[name].replace("{}", str(file)), int(options.memory * GB))
            print(
                f"{name:28}{found.seconds:8.1f} s of processor{found.wall:8.1f} s of wall"
                f"{found.bytes / GB:8.2f} GB{found.bytes / options.edges:7.1f} bytes an edge",
                flush=True,
            )


def run(command: str, memory: int) -> Run:
    """One command, in so much memory of its own."""
    with tempfile.NamedTemporaryFile() as peak:
        words = [sys.executable, "-m", "benchmarks._peak", peak.name, *command.split()]
        begin = time.perf_counter()
        with tempfile.TemporaryFile("w+") as said:
            limit = (resource.RLIMIT_DATA, (memory, memory))
            process = subprocess.Popen(
                words, stdout=subprocess.DEVNULL, stderr=said, preexec_fn=lambda: resource.setrlimit(*limit)
            )
            _, status, used = os.wait4(process.pid, 0)
            if status:
                said.seek(0)
                sys.exit(f"graphveil {command} failed:\n{said.read()}")
        return Run(used.ru_utime + used.ru_stime, time.perf_counter() - begin, int(Path(peak.name).read_text()))


if __name__ == "__main__":
    main()
