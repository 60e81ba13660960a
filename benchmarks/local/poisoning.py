"""What fake clients do to a degree distribution: a share of the people claims 500 friends; Facebook, epsilon 1.

A liar follows the protocol with a false list and counts like a real person with such a list. A crafter leaves the noise
out and sends what the false list would send most often: the collector cannot tell, and in k-ary response each such
report weighs 1 / (p - q) times as much. Shown is by how much the estimated share of people with 333 to 750 friends
grows, in points of per cent: mean and spread over some seeds.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from functools import cache

import numpy as np

from graphveil.graph.core import Graph
from graphveil.graph.datasets import load_dataset
from graphveil.local.lists import Lists
from graphveil.local.page import LocalPage, Received, Transcript, Turn
from graphveil.local.registry import build
from graphveil.local.simulate import run_rounds
from graphveil.local.sources import seeded

SHARES = (0.001, 0.01, 0.05)
SEEDS = range(5)
CLAIMED = 500


def main() -> None:
    graph = load_dataset("ego-Facebook")
    print(f"{'':26}" + "".join(f"{f'{share:.1%} fake':>14}" for share in SHARES))
    for name in ("veil", "veil-quantiles", "grr"):
        page = protocol(graph, name)
        show(f"{name}, liars", lambda share, seed, page=page: liars(page, graph, share, seed))
    for name in ("veil-quantiles", "grr"):
        page = protocol(graph, name)
        show(f"{name}, crafters", lambda share, seed, page=page: crafters(page, graph, share, seed))


def protocol(graph: Graph, name: str) -> LocalPage:
    return build("degree-distribution", name, unit="node", epsilon=1, n_people=graph.n_nodes)


def show(label: str, run: Callable[[float, int], float]) -> None:
    """Each seed against itself without fakes, so that most of the noise cancels."""
    shifts = [[run(share, seed) - run(0, seed) for seed in SEEDS] for share in SHARES]
    print(f"{label:26}" + "".join(f"{np.mean(row):8.3g} ±{np.std(row):4.2g}" for row in shifts), flush=True)


def claimed_share(distribution: np.ndarray) -> float:
    """Of people with about as many friends as the fakes claim, in per cent."""
    return 100 * float(distribution[CLAIMED * 2 // 3 : CLAIMED * 3 // 2].sum())


def fakes(graph: Graph, share: float) -> np.ndarray:
    """Spread evenly over the roster."""
    return np.linspace(0, graph.n_nodes - 1, round(share * graph.n_nodes)).round().astype(np.int64)


def liars(page: LocalPage, graph: Graph, share: float, seed: int) -> float:
    degrees = np.array(graph.degrees, dtype=np.int64)
    degrees[fakes(graph, share)] = CLAIMED
    return claimed_share(run_rounds(page, Lists.of_degrees(degrees), seeded(seed)).value)


def crafters(page: LocalPage, graph: Graph, share: float, seed: int) -> float:
    sent = payloads(page, Lists.of_graph(graph), seed)
    for fake in fakes(graph, share):
        sent[fake] = most_likely(page)
    people = np.arange(graph.n_nodes)
    received = Received(people, page.unpack(Turn(), people, sent))
    return claimed_share(page.estimate(Transcript((received,))).value)


@cache
def most_likely(page: LocalPage) -> bytes:
    """What somebody with the claimed list would send most often."""
    crowd = Lists.of_degrees(np.full(page.n_people, CLAIMED))
    counts = Counter(payload for seed in range(20) for payload in payloads(page, crowd, seed))
    return counts.most_common(1)[0][0]


def payloads(page: LocalPage, lists: Lists, seed: int) -> list[bytes]:
    return page.pack(Turn(), lists.people, page.perturb(Turn(), lists, seeded(seed)(1, lists.people)))


if __name__ == "__main__":
    main()
