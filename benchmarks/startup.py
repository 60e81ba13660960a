"""What a command does before its work: `python -m benchmarks startup`.

Processor time of `graphveil --help` and of a release on 300 people (best of five), and the milliseconds that its
imports take, added up by package.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path

from graphveil.graph.files.write import write_graph
from graphveil.graph.generate.random import barabasi_albert

RUNS = 5
LISTED = 8


def main() -> None:
    argparse.ArgumentParser(description=__doc__).parse_args()  # only --help
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "friends.txt"
        write_graph(barabasi_albert(300, 3, seed=1), file)
        release = f"release {file} --unit edge --epsilon 1 --query"
        for name, words in (
            ("--help", "--help"),
            ("release edges", f"{release} edges"),
            ("release triangles", f"{release} triangles"),
            ("release degree-histogram", f"{release} degree-histogram"),
        ):
            seconds = min(processor_seconds(words) for _ in range(RUNS))
            largest = ", ".join(f"{package} {spent:.0f}" for package, spent in imports(words).most_common(LISTED))
            print(f"{name:25} {seconds:5.2f} s; imports in ms: {largest}", flush=True)


def processor_seconds(words: str) -> float:
    command = [sys.executable, "-m", "graphveil", *words.split()]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, status, used = os.wait4(process.pid, 0)
    if status:
        sys.exit(f"graphveil {words} failed")
    return used.ru_utime + used.ru_stime


def imports(words: str) -> Counter[str]:
    """Milliseconds by package, each module counted without what it imports in turn."""
    command = [sys.executable, "-X", "importtime", "-m", "graphveil", *words.split()]
    spent: Counter[str] = Counter()
    for line in subprocess.run(command, capture_output=True, text=True, check=True).stderr.splitlines():
        if line.startswith("import time:") and "imported package" not in line:
            microseconds, _, module = line.removeprefix("import time:").split("|")
            spent[module.strip().partition(".")[0]] += int(microseconds) / 1000
    return spent


if __name__ == "__main__":
    main()
