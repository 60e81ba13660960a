"""What a count of triangles by two servers costs each party: time, memory and traffic, at 1,000 and 4,039 people.

Real shares, masks and messages in one process, one party at a time; each server is run again from what it received.
Times are processor seconds, so that they say little about a busy machine; memory is the most that a party's arrays
take at once. Others: `python -m benchmarks.two_server_cost 2000`. Memory grows with the square of the number of people
and time with its cube; the last rows continue this from the largest number that was run.
"""

from __future__ import annotations

import sys
import time
import tracemalloc
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np

from graphveil.graph.generate.random import power_law_cluster
from graphveil.local.lists import Lists
from graphveil.mechanisms.noise.source import SeededNoise
from graphveil.two_servers.cost import triangle_cost
from graphveil.two_servers.dealer import deal
from graphveil.two_servers.ideal import weighted_count
from graphveil.two_servers.triangle_server import split_row
from graphveil.two_servers.triangle_terms import TriangleTerms
from graphveil.two_servers.views import ServerView, run_count

PEOPLE = (1000, 4039)
FURTHER = 18_771
DEGREE = 20


def measured(work: Callable[[], Any]) -> tuple[Any, float, int]:
    """What the work gives, its processor seconds, and the most bytes it took."""
    tracemalloc.start()
    start = time.process_time()
    done = work()
    seconds, most = time.process_time() - start, tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return done, seconds, most


def replay(terms: TriangleTerms, view: ServerView) -> int:
    """All that one server computes, from what it received."""
    return view.count(terms, {})


def rows(n: int) -> dict[str, tuple[float, int]]:
    graph = power_law_cluster(n, DEGREE, 0.5, seed=1)
    terms = TriangleTerms("c", n, Fraction(1), n - 1)
    lists = Lists.of_graph(graph)
    friends = [lists.indices[lists.indptr[i] : lists.indptr[i + 1]].astype(np.int64) for i in range(n)]
    pairs, client, held = measured(lambda: [split_row(terms, i, each) for i, each in enumerate(friends)])
    shares = tuple({i: pair[role] for i, pair in enumerate(pairs)} for role in (0, 1))
    opened, *views = run_count(terms, (shares[0], shares[1]), {}, (SeededNoise(1), SeededNoise(2)))
    assert opened - sum(view.noise for view in views) == weighted_count(terms, lists, {}), "the count is not exact"
    found = {"person": (client / n, held // n)}
    found["dealer"] = measured(lambda: deal(views[0].key, views[1].key, n))[1:]
    for role, view in zip(("leader", "helper"), views, strict=True):
        found[role] = measured(lambda view=view: replay(terms, view))[1:]
    return found


def main() -> None:
    people = tuple(map(int, sys.argv[1:])) or PEOPLE
    print(f"{'people':>7} {'party':8} {'seconds':>10} {'memory':>12} {'received':>14} {'sent':>14}   bytes")
    run_count(TriangleTerms("c", 3, Fraction(1), 2), ({}, {}), {}, (SeededNoise(1), SeededNoise(2)))  # compiles
    for n in people:
        found = rows(n)
        show(n, found)
    scale = FURTHER / n
    grown = {party: (seconds * scale**3, int(memory * scale**2)) for party, (seconds, memory) in found.items()}
    grown["person"] = found["person"][0] * scale, int(found["person"][1] * scale)
    print("continued, not run:")
    show(FURTHER, grown)


def show(n: int, found: dict[str, tuple[float, int]]) -> None:
    cost = triangle_cost(n, has_degree_round=True)
    traffic = {party: (cost[party]["received_bytes"], cost[party]["sent_bytes"]) for party in cost if party in found}
    traffic["person"] = 0, cost["upload_bits_per_user"] // 8
    for party, (seconds, memory) in found.items():
        received, sent = traffic[party]
        print(f"{n:7,} {party:8} {seconds:10.4g} {memory:12,} {received:14,} {sent:14,}", flush=True)


if __name__ == "__main__":
    main()
