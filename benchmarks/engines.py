"""Do all engines give the same answers: one thread, all threads, `local-cluster` and a standalone cluster of Spark.

`python -m benchmarks.engines FILE…` reads every file with every engine, compares all exact statistics and releases from
one seed to the last digit, and prints how long each took. Spark's processes are started and stopped here. Without
files: a generated network of 20,000 edges.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from benchmarks._networks import write_network
from tools.engine_answers import STATISTICS
from tools.spark_cluster import environment, standalone

PROGRAM = str(Path(__file__).parents[1] / "tools" / "engine_answers.py")
ENGINES = ("one thread", "all threads", "local-cluster", "standalone")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("files", nargs="*", metavar="FILE")
    parser.add_argument("--engines", nargs="+", default=ENGINES, choices=ENGINES)
    parser.add_argument("--memory", default="1g", help="heap of each of two executors")
    parser.add_argument("--statistics", nargs="+", default=list(STATISTICS), choices=STATISTICS)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        if not options.files:
            options.files = [str(folder / "network.parquet")]
            write_network(folder / "network.parquet", 20_000)
        with standalone(folder / "cluster", memory="4g", settings={"spark.executor.memory": options.memory}) as cluster:
            words = {
                "one thread": ["--threads", "1"],
                "all threads": [],
                "local-cluster": ["--master", f"local-cluster[2,1,{_megabytes(options.memory)}]"],
                "standalone": ["--master", cluster.master],
            }
            told = {
                name: answers(cluster.folder, *options.files, *words[name], "--statistics", *options.statistics)
                for name in options.engines
            }
    report(options.files, told)


def answers(folder: Path, *words: str) -> list[dict[str, Any]]:
    """What an engine answers about each file."""
    command = [sys.executable, PROGRAM, *words]
    done = subprocess.run(command, env=environment(folder), capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(f"{' '.join(command)} failed:\n{done.stderr}")
    return list(json.loads(done.stdout))


def report(files: list[str], told: dict[str, list[dict[str, Any]]]) -> None:
    first, *others = told
    for place, file in enumerate(files):
        wanted = told[first][place]["answers"]
        print(f"\n{Path(file).name}: {len(wanted)} answers")
        for name in told:
            found, seconds = told[name][place]["answers"], told[name][place]["seconds"]
            differs = [answer for answer in wanted if found[answer] != wanted[answer]]
            verdict = f"differs in {', '.join(differs)}" if differs else "the same" if name in others else ""
            print(f"  {name:15}{sum(seconds.values()):9.1f} s  {verdict}")
        print("  seconds by statistic:", json.dumps({name: told[name][place]["seconds"] for name in told}))


def _megabytes(memory: str) -> int:
    return int(memory[:-1]) * {"m": 1, "g": 1024}[memory[-1]]


if __name__ == "__main__":
    main()
