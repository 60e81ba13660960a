"""Simulating the triangle count on large networks: seconds, time for each pair examined, peak memory.

`python -m benchmarks.local.triangle_scale` runs ego-Twitter (81 thousand people, 1.3 million edges) and a generated
network of a million people and ten million edges. Beside it runs a plain loop over the same pairs that draws one coin
for each and looks up in the sorted lists whether the two are friends, as one would write it down; the time of a pair
must stay within three times of it. A bare loop that draws the coins and looks nothing up is shown, too.
"""

from __future__ import annotations

import argparse
import resource
import time
from typing import Any

import numpy as np

from graphveil.graph.core import Graph
from graphveil.graph.datasets import load_dataset
from graphveil.graph.generate.random import barabasi_albert
from graphveil.kernels import kernel
from graphveil.local.lists import Lists
from graphveil.local.protocol import RoundContext
from graphveil.local.simulate import seeded, transcript_of
from graphveil.local.triangles.reports import merge_numbers
from graphveil.mechanisms.noise.person_streams import mix
from graphveil.registry import build_protocol


@kernel
def bare_loop(indptr: Any, indices: Any, key: Any, below: Any) -> Any:
    total = np.int64(0)
    for i in range(len(indptr) - 1):
        for a in range(indptr[i], indptr[i + 1]):
            row = mix(key ^ np.uint64(indices[a]))
            for b in range(a + 1, indptr[i + 1]):
                total += mix(row ^ np.uint64(indices[b])) < below
    return total


@kernel
def plain_loop(indptr: Any, indices: Any, graph_indptr: Any, graph: Any, key: Any, friend: Any, stranger: Any) -> Any:
    total = np.int64(0)
    for i in range(len(indptr) - 1):
        for a in range(indptr[i], indptr[i + 1]):
            row = mix(key ^ np.uint64(indices[a]))
            friends = graph[graph_indptr[indices[a]] : graph_indptr[indices[a] + 1]]
            for b in range(a + 1, indptr[i + 1]):
                word = mix(row ^ np.uint64(indices[b]))
                place = np.searchsorted(friends, indices[b])
                known = place < len(friends) and friends[place] == indices[b]
                total += word < (friend if known else stranger)
    return total


def main() -> None:
    argparse.ArgumentParser(description=__doc__).parse_args()  # only --help
    print(f"{'network':10} {'people':>9} {'edges':>10} {'pairs':>8} {'run s':>6} {'ns/pair: run':>13}", end=" ")
    print(f"{'count':>6} {'plain':>6} {'bare':>6} {'peak MB':>8}")
    for name, load in (
        ("Twitter", lambda: load_dataset("ego-Twitter")),
        ("million", lambda: barabasi_albert(1_000_000, 10, seed=1)),
    ):
        measure(name, load())


def measure(name: str, graph: Graph) -> None:
    lists = Lists.of_graph(graph)
    page = build_protocol("triangles", "veil", unit="edge", epsilon=1, n_people=graph.n_nodes)
    transcript_of(page, lists, seeded(1))  # compiles
    start = time.process_time()
    transcript = transcript_of(page, lists, seeded(1))
    run = time.process_time() - start
    context = RoundContext(3, transcript.published, tuple(received.batch for received in transcript.received[:-1]))
    counted = page.counted_lists(context, lists)
    caps = page.contribution_caps(context, page.bounds(context, lists.people, merge_numbers(context.sent)))
    pairs = int((counted.degrees * (counted.degrees - 1) // 2).sum())
    rows = (np.asarray(counted.indptr), counted.indices)
    friend, stranger = page.response(context).words
    graph_rows = (np.asarray(graph.indptr), graph.indices)
    count = timed(lambda: context.published[1].graph.count(counted, caps))
    plain = timed(lambda: plain_loop(*rows, *graph_rows, np.uint64(7), friend, stranger))
    bare = timed(lambda: bare_loop(*rows, np.uint64(7), stranger))
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    each = " ".join(f"{seconds / pairs * 1e9:{width}.1f}" for seconds, width in ((count, 6), (plain, 6), (bare, 6)))
    print(f"{name:10} {graph.n_nodes:9,} {graph.n_edges:10,} {pairs / 1e6:7.1f}M {run:6.2f}", end=" ")
    print(f"{run / pairs * 1e9:13.1f} {each} {peak:8.0f}", flush=True)


def timed(work: Any) -> float:
    """Processor seconds of the quicker of two calls, after one to compile."""
    work()
    seconds = []
    for _ in range(2):
        start = time.process_time()
        work()
        seconds.append(time.process_time() - start)
    return min(seconds)


if __name__ == "__main__":
    main()
