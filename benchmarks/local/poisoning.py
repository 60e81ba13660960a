"""What fake clients do to a degree distribution and to a number of triangles; Facebook, epsilon 1.

A share of the people claims 500 friends.

A liar follows the protocol with a false list and counts like a real person with such a list. A crafter leaves the noise
out and sends what the false list would send most often: the collector cannot tell, and in k-ary response each such
report weighs 1 / (p - q) times as much. Shown is by how much the estimated share of people with 333 to 750 friends
grows, in points of per cent: mean and spread over some seeds.

For triangles the growth of the estimate is shown in per cent of the truth. A liar lists 500 people by lot. A crafter
sends the largest numbers that are taken: a small degree first, so that everybody may be on the list, then the largest
size and the largest count; or a large degree first, so that the crafter answers for everybody, and a yes for each. "as
sent" is what counts alone would be without the check of lists against other people's answers. In a small network at a
large epsilon the estimate rests on answers about pairs, which nobody checks.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Callable
from functools import cache

import numpy as np

from graphveil.graph.core import Graph
from graphveil.graph.datasets import load_dataset
from graphveil.graph.generate.families import family
from graphveil.graph.statistics.triangles import exact_triangles
from graphveil.local.lists import Lists
from graphveil.local.protocol import LocalProtocol, Received, RoundContext, Transcript
from graphveil.local.simulate import run_rounds, seeded
from graphveil.local.triangles.ranges import range_of
from graphveil.registry import build_protocol

SHARES = (0.001, 0.01, 0.05)
SEEDS = range(5)
CLAIMED = 500  # or an eighth of everybody
FEW = 200


def main() -> None:
    argparse.ArgumentParser(description=__doc__).parse_args()  # only --help
    graph = load_dataset("ego-Facebook")
    print(f"{'':26}" + "".join(f"{f'{share:.1%} fake':>14}" for share in SHARES))
    for name in ("veil", "veil-quantiles", "grr"):
        page = protocol(graph, name)
        show(f"{name}, liars", lambda share, seed, page=page: liars(page, graph, share, seed))
    for name in ("veil-quantiles", "grr"):
        page = protocol(graph, name)
        show(f"{name}, crafters", lambda share, seed, page=page: crafters(page, graph, share, seed))

    print(
        f"\n{'triangles, % of truth':36}{'one fake':>14}"
        + "".join(f"{f'{share:.1%} fake':>14}" for share in SHARES[:2])
    )
    triangles("Facebook", graph, 1)
    few = family("communities", FEW, seed=1)
    for epsilon in (1, 2):
        triangles(f"{FEW} people", few, epsilon)


def triangles(name: str, graph: Graph, epsilon: int) -> None:
    """Fakes among honest people, each kind against nobody's lying."""
    page = build_protocol("triangles", "veil", unit="edge", epsilon=epsilon, n_people=graph.n_nodes)
    honest, truth = triangle_total(page, Lists.of_graph(graph)), exact_triangles(graph)
    kinds = {"liars": (False, False), "crafters, counts": (True, False), "crafters, answers": (True, True)}
    for kind, (crafts, answers) in kinds.items():
        totals = []
        for share in (1 / graph.n_nodes, *SHARES[:2]):
            who = fakes(graph, max(share, 1 / graph.n_nodes))
            lists = Lists.of_graph(graph) if crafts else with_lists(graph, who)
            totals.append(triangle_total(page, lists, who if crafts else None, answers=answers))
        for i, what in enumerate(("", ", as sent")[: 1 + (kind == "crafters, counts")]):
            grown = "".join(f"{100 * (total[i] - honest[i]) / truth:>14.3g}" for total in totals)
            print(f"{f'{name}, epsilon {epsilon}, {kind}{what}':36}{grown}", flush=True)


def with_lists(graph: Graph, who: np.ndarray) -> Lists:
    """The people's own lists, but for fakes, who list people by lot."""
    draw = np.random.default_rng(3)
    listed = min(CLAIMED, graph.n_nodes // 8)
    own = {person: draw.choice(graph.n_nodes, listed, replace=False) for person in who.tolist()}
    rows = [
        np.setdiff1d(own.get(i, graph.indices[graph.indptr[i] : graph.indptr[i + 1]]), [i])
        for i in range(graph.n_nodes)
    ]
    starts = np.concatenate(([0], np.cumsum([len(row) for row in rows])))
    everybody = np.arange(graph.n_nodes)
    return Lists(graph.n_nodes, everybody, starts, np.concatenate(rows), np.zeros(graph.n_nodes, dtype=np.int64))


def triangle_total(
    page: LocalProtocol, lists: Lists, crafting: np.ndarray | None = None, *, answers: bool = False
) -> tuple[float, float]:
    """The estimate as a collector makes it, from bytes, and what counts alone would be if each was believed."""
    received, published, sent = (), (), ()
    for number in range(1, page.rounds + 1):
        context = RoundContext(number, published, sent)
        batch = page.perturb(context, lists, seeded(1)(number, lists.people))
        sent, payloads = (*sent, batch), page.pack(context, lists.people, batch)
        for fake in [] if crafting is None else crafting.tolist():
            payloads[fake] = largest_numbers(page, context, payloads[fake], fake, answers=answers)
        received = (*received, Received(lists.people, page.unpack(context, lists.people, payloads)))
        if number < page.rounds:
            publication = page.publish(Transcript(received, published))
            published = (*published, page.read_publication(number, page.write_publication(number, publication)))
    transcript, context = Transcript(received, published), RoundContext(page.rounds, published)
    every_count = float(received[-1].batch["count"].sum() / page.gain(context))
    return float(page.estimate(transcript).value), every_count


def largest_numbers(page: LocalProtocol, context: RoundContext, payload: bytes, fake: int, *, answers: bool) -> bytes:
    """The largest size and count of somebody who may have everybody on the list; or a yes to all pairs."""
    parts = page.schedule[context.round - 1]
    names = [part for part in parts if part != "pairs"]
    numbers = [int(range_of(page, name, context)[answers if name == "degree" else not answers]) for name in names]
    pairs = payload[8 * len(names) :]
    if answers and "pairs" in parts:
        pairs = np.packbits(np.ones(page.pair_owners(context).count(np.array([fake]))[0], dtype=bool)).tobytes()
    return np.array(numbers, dtype=">i8").tobytes() + pairs


def protocol(graph: Graph, name: str) -> LocalProtocol:
    return build_protocol("degree-distribution", name, unit="node", epsilon=1, n_people=graph.n_nodes)


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


def liars(page: LocalProtocol, graph: Graph, share: float, seed: int) -> float:
    degrees = np.array(graph.degrees, dtype=np.int64)
    degrees[fakes(graph, share)] = CLAIMED
    return claimed_share(run_rounds(page, Lists.of_degrees(degrees), seeded(seed)).value)


def crafters(page: LocalProtocol, graph: Graph, share: float, seed: int) -> float:
    sent = payloads(page, Lists.of_graph(graph), seed)
    for fake in fakes(graph, share):
        sent[fake] = most_likely(page)
    people = np.arange(graph.n_nodes)
    received = Received(people, page.unpack(RoundContext(), people, sent))
    return claimed_share(page.estimate(Transcript((received,))).value)


@cache
def most_likely(page: LocalProtocol) -> bytes:
    """What somebody with the claimed list would send most often."""
    crowd = Lists.of_degrees(np.full(page.n_people, CLAIMED))
    counts = Counter(payload for seed in range(20) for payload in payloads(page, crowd, seed))
    return counts.most_common(1)[0][0]


def payloads(page: LocalProtocol, lists: Lists, seed: int) -> list[bytes]:
    return page.pack(RoundContext(), lists.people, page.perturb(RoundContext(), lists, seeded(seed)(1, lists.people)))


if __name__ == "__main__":
    main()
