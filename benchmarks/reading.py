"""Reading edge lists beside polars, igraph and networkx: `python -m benchmarks reading`.

polars only parses: its time is what the lines cost. Ours has polars parse, numbers the people, folds direction and
repeats and builds the graph. "of polars" is our speed over polars' on the same file (a quarter is what we promise);
"x faster" is the other's time over ours. Best of a few runs in turn, after one that compiles. networkx and igraph are
only asked on real graphs of up to two million lines, as text.
"""

from __future__ import annotations

import argparse
import gzip
import os
import tempfile
import time
from collections.abc import Callable
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from graphveil.graph.files.read import read_graph

DATA = Path(os.environ.get("GRAPHVEIL_DATA") or Path(__file__).parents[2] / "shared" / "data")
REAL = ("ego-Facebook", "ego-Twitter")
RUNS = 3


def main() -> None:
    argparse.ArgumentParser(description=__doc__).parse_args()  # only --help
    with tempfile.TemporaryDirectory() as folder:
        print(f"{'':32}{'lines':>12}{'polars':>9}{'ours':>9}{'of polars':>11}{'igraph':>9}{'networkx':>10}")
        print(f"{'':32}{'':>12}{'s':>9}{'s':>9}{'':>11}{'x faster':>9}{'x faster':>10}")
        for name, file in files(Path(folder)):
            show(name, file)


def files(folder: Path) -> list[tuple[str, Path]]:
    """Real graphs where they are at hand, as text and compressed, and generated ones of 5 and 10 million lines."""
    found = []
    for name in REAL:
        packed = DATA / f"{name}.txt.gz"
        if packed.is_file():
            lines = gzip.decompress(packed.read_bytes()).splitlines(keepends=True)
            plain = folder / f"{name}.txt"
            plain.write_bytes(b"".join(line for line in lines if not line.startswith(b"#")))
            found += [(name, plain), (f"{name}, gzip", packed)]
    rng = np.random.default_rng(1)
    close, far = np.arange(1_000_000), np.unique(rng.integers(0, 10**15, 1_000_000))
    found += [
        ("10 M lines, ids 0 to 10^6", generate(folder / "close.txt", close, 10_000_000, rng)),
        ("10 M lines, ids up to 10^15", generate(folder / "far.txt", far, 10_000_000, rng)),
        ("5 M lines, names", generate(folder / "names.csv", [f"user{i}" for i in far[:500_000]], 5_000_000, rng)),
    ]
    return found


def generate(file: Path, ids: Any, lines: int, rng: np.random.Generator) -> Path:
    """Random edges, half of their ends among a few popular people."""
    names = pl.Series(ids)
    popular = (len(ids) * rng.random(lines) ** 3).astype(np.int64)
    ends = {"source": names.gather(rng.integers(0, len(ids), lines)), "target": names.gather(popular)}
    separator = "," if file.suffix == ".csv" else " "
    pl.DataFrame(ends).write_csv(file, include_header=False, separator=separator)
    return file


def read_with_igraph(file: Path) -> Any:
    import igraph

    return igraph.Graph.Read_Ncol(str(file), directed=False).simplify()


def read_with_networkx(file: Path) -> Any:
    import networkx as nx

    return nx.read_edgelist(file, nodetype=int)


def show(name: str, file: Path) -> None:
    separator = "," if file.suffix == ".csv" else " "
    tasks: dict[str, Callable[[], Any]] = {
        "polars": lambda: pl.read_csv(file, separator=separator, has_header=False, comment_prefix="#"),
        "ours": lambda: read_graph(file),
    }
    lines = len(tasks["polars"]())
    tasks["ours"]()
    seconds = best_of(tasks, RUNS)
    if name in REAL:
        others = {"igraph": read_with_igraph, "networkx": read_with_networkx}
        installed = {tool: partial(read, file) for tool, read in others.items() if find_spec(tool)}
        seconds |= best_of(installed, 1)
    faster = [f"{seconds[tool] / seconds['ours']:.0f}" if tool in seconds else "-" for tool in ("igraph", "networkx")]
    print(f"{name:32}{lines:12,}{seconds['polars']:9.3f}{seconds['ours']:9.3f}", end="")
    print(f"{seconds['polars'] / seconds['ours']:11.2f}{faster[0]:>9}{faster[1]:>10}")


def best_of(tasks: dict[str, Callable[[], Any]], runs: int) -> dict[str, float]:
    """Shortest time of each task; they take turns, so that a busy moment hits all of them."""
    best: dict[str, float] = {}
    for _ in range(runs):
        for name, task in tasks.items():
            start = time.perf_counter()
            task()
            best[name] = min(best.get(name, float("inf")), time.perf_counter() - start)
    return best


if __name__ == "__main__":
    main()
