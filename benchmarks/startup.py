"""What a command does before its work: `python -m benchmarks startup`.

Processor time of the import, of help and of small commands on 300 people (best of five), and the milliseconds that
their imports take, added up by package.
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
        ask = f"-m graphveil release {file} --unit edge --epsilon 1 --query"
        campaign = "--protocol veil --statistic triangles --unit edge --epsilon 1"
        for name, words in (
            ("import graphveil", "-c import\tgraphveil"),
            ("--help", "-m graphveil --help"),
            ("release --help", "-m graphveil release --help"),
            ("plan", "-m graphveil plan --query triangles --unit edge --epsilon 1 --nodes 300"),
            ("release edges", f"{ask} edges"),
            ("release triangles", f"{ask} triangles"),
            ("release degree-histogram", f"{ask} degree-histogram"),
            ("collect simulate triangles", f"-m graphveil collect simulate {file} {campaign}"),
            ("ledger show", f"-m graphveil ledger show {folder}/ledger.db"),
        ):
            if name == "ledger show":
                processor_seconds(f"{ask} edges --ledger {folder}/ledger.db --budget 9 --dataset friends")
            seconds = min(processor_seconds(words) for _ in range(RUNS))
            largest = ", ".join(f"{package} {spent:.0f}" for package, spent in imports(words).most_common(LISTED))
            print(f"{name:27} {seconds:5.2f} s; imports in ms: {largest}", flush=True)


def processor_seconds(words: str) -> float:
    process = subprocess.Popen(command(words), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, status, used = os.wait4(process.pid, 0)
    if status:
        sys.exit(f"python {words} failed")
    return used.ru_utime + used.ru_stime


def command(words: str, *options: str) -> list[str]:
    return [sys.executable, *options, *words.split(" ")]


def imports(words: str) -> Counter[str]:
    """Milliseconds by package, each module counted without what it imports in turn."""
    spent: Counter[str] = Counter()
    for line in subprocess.run(
        command(words, "-X", "importtime"), capture_output=True, text=True, check=True
    ).stderr.splitlines():
        if line.startswith("import time:") and "imported package" not in line:
            microseconds, _, module = line.removeprefix("import time:").split("|")
            spent[module.strip().partition(".")[0]] += int(microseconds) / 1000
    return spent


if __name__ == "__main__":
    main()
