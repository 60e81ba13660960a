"""What a count of triangles by two servers costs each party: time, memory and traffic, at 1,000 and 4,039 people.

Each party runs as in a campaign: messages are made part by part, written to files and read from there, one party after
the other. Times are processor seconds, so that they say little about a busy machine; memory is the most that a party's
arrays take at once, without the matrix that lies in a file above 10,000 people.

`python -m benchmarks.two_server_cost 2000 ca-AstroPh.txt.gz` takes so many made-up people, or those of a graph. Above
10,000 people only some rows are squared, evenly spread, and the time for all follows from their share of the work: the
steps before are run as a whole. Below, the count is checked to be exact.
"""

from __future__ import annotations

import os
import sys
import tempfile
import time
import tracemalloc
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from unittest.mock import patch

import numpy as np

from graphveil.graph.core import Graph
from graphveil.graph.files.read import read_graph
from graphveil.graph.generate.random import power_law_cluster
from graphveil.local.lists import Lists
from graphveil.two_servers import dealer, pairs, triangle_server
from graphveil.two_servers.cost import triangle_cost
from graphveil.two_servers.ideal import weighted_count
from graphveil.two_servers.parties import campaign as campaigns
from graphveil.two_servers.parties import contents
from graphveil.two_servers.parties.names import HELPER, LEADER, ROLES, PartyName
from graphveil.two_servers.triangle_server import split_row

PEOPLE = ("1000", "4039")
DEGREE = 20
SAMPLED = 6  # blocks of rows that are squared where there are too many people for all
KEYS = {LEADER: bytes(32), HELPER: bytes(31) + b"1"}


@dataclass
class Squares:
    """Squares a matrix as the parties do, or only some of its rows; remembers the time for these and their share."""

    seconds: float = 0.0
    share: float = 1.0

    def __call__(self, matrix: Any) -> Iterator[tuple[range, Any]]:
        """Rows of the square, with the list of their pairs."""
        start, n = time.process_time(), len(matrix)
        blocks = chosen = list(pairs._row_blocks(n))
        if n > pairs.MOST_IN_MEMORY:
            chosen = [blocks[int(place)] for place in np.linspace(0, len(blocks) - 2, SAMPLED)]
        work, whole = (sum(len(rows) * (n - rows.start) for rows in each) for each in (chosen, blocks))
        self.share = work / whole
        with patch.object(pairs, "_row_blocks", lambda _: iter(chosen)):
            yield from pairs.squared(matrix)
        self.seconds = time.process_time() - start


def measured(work: Callable[[], Any]) -> tuple[Any, float, int]:
    """What the work gives, its processor seconds as if all rows had been squared, and the most bytes it took."""
    squares = Squares()
    dealer.squared = triangle_server.squared = squares
    tracemalloc.start()
    start = time.process_time()
    done = work()
    seconds, most = time.process_time() - start, tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return done, seconds - squares.seconds + squares.seconds / squares.share, most


@dataclass(frozen=True)
class Messages:
    """Messages of the parties, as files."""

    folder: Path

    def write(self, sender: str, step: str, parts: Iterable[bytes]) -> None:
        """Keep a message, made part by part."""
        with (self.folder / f"{sender}-{step}").open("wb") as file:
            for part in parts:
                file.write(part)

    def reader(self, sender: str, step: str) -> contents.Read:
        """Any part of a message, when it is asked for."""

        def read(start: int, stop: int) -> bytes:
            with (self.folder / f"{sender}-{step}").open("rb") as file:
                return os.pread(file.fileno(), stop - start, start)

        return read


def make_campaign(n: int) -> campaigns.TwoServerCampaign:
    campaigns.MOST_PEOPLE = max(n, campaigns.MOST_PEOPLE)  # a real campaign of more is refused
    names = tuple(
        PartyName(role, role, f"https://{role}.example", f"{i:064x}", f"{i:064x}") for i, role in enumerate(ROLES)
    )
    closes, roster = "2099-01-01T00:00:00Z", "0" * 64
    return campaigns.TwoServerCampaign("cost", "triangles", "edge", "1", n, 2, closes, roster, names, max_degree=n - 1)


def costs(graph: Graph, folder: Path) -> dict[str, tuple[float, int]]:
    """Processor seconds and bytes of each party."""
    n, messages = graph.n_nodes, Messages(folder)
    campaign, lists = make_campaign(n), Lists.of_graph(graph)
    terms = campaign.triangle_terms(None)
    friends = [lists.indices[lists.indptr[i] : lists.indptr[i + 1]].astype(np.int64) for i in range(n)]
    both, client, held = measured(lambda: [split_row(terms, i, each) for i, each in enumerate(friends)])
    found = {"person": (client / n, held // n)}
    corrections = lambda: messages.write("dealer", "corrections", contents.deal_corrections(campaign, *KEYS.values()))  # noqa: E731
    found["dealer"] = measured(corrections)[1:]
    whole = contents.step_bytes(campaign, "corrections")
    os.truncate(folder / "dealer-corrections", whole)  # where only some rows were squared, the others are zeros
    spent: dict[str, list[tuple[float, int]]] = {LEADER: [], HELPER: []}
    given = {}
    for role, other in ((LEADER, HELPER), (HELPER, LEADER)):
        shares = {i: each[role == HELPER] for i, each in enumerate(both)}
        told, said = (
            {step: messages.reader(sender, step) for step in ("bits", "both", "numbers")} for sender in (other, role)
        )
        told["corrections"] = messages.reader("dealer", "corrections")
        agreed = contents.Agreed(None, list(range(n)))
        given[role] = contents.Input(campaign, role, agreed, shares, KEYS[role], told, said)
    for step in ("bits", "both", "numbers", "total"):
        for role, each in given.items():
            made = {"bits": each.bits, "both": each.both, "numbers": each.numbers}.get(
                step, lambda each=each: each.total(np.zeros(1, dtype=np.int64))
            )
            spent[role].append(measured(lambda made=made: messages.write(role, step, made()))[1:])  # noqa: B023
            print(f"# {n:,} {role} {step}: {spent[role][-1][0]:.3g} s", file=sys.stderr, flush=True)
    if n <= pairs.MOST_IN_MEMORY:
        totals = [messages.reader(role, "total")(0, 8) for role in KEYS]
        assert contents.open_result(campaign, *totals)[0] == weighted_count(terms, lists, {}), "the count is not exact"
    return found | {role: (sum(s for s, _ in each), max(m for _, m in each)) for role, each in spent.items()}


def main() -> None:
    asked = sys.argv[1:] or PEOPLE
    print(f"{'people':>7} {'party':8} {'seconds':>10} {'memory':>14} {'received':>14} {'sent':>14}   bytes")
    with tempfile.TemporaryDirectory() as folder:
        costs(power_law_cluster(50, 5, 0.5, seed=1), Path(folder))  # compiles
        for each in asked:
            graph = power_law_cluster(int(each), DEGREE, 0.5, seed=1) if each.isdigit() else read_graph(Path(each))
            show(graph.n_nodes, costs(graph, Path(folder)))


def show(n: int, found: dict[str, tuple[float, int]]) -> None:
    cost = triangle_cost(n, has_degree_round=True)
    traffic = {party: (cost[party]["received_bytes"], cost[party]["sent_bytes"]) for party in cost if party in found}
    traffic["person"] = 0, cost["upload_bits_per_user"] // 8
    for party, (seconds, memory) in found.items():
        received, sent = traffic[party]
        assert party == "person" or memory <= cost[party]["memory_bytes"], "it takes more memory than is stated"
        print(f"{n:7,} {party:8} {seconds:10.4g} {memory:14,} {received:14,} {sent:14,}", flush=True)


if __name__ == "__main__":
    main()
