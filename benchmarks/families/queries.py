"""PGB's fifteen queries on all public graphs: `veil` against the best of PGB's methods that are here.

`python -m benchmarks.families.queries` prints wins, ties and losses for each graph and epsilon, then each query's. A
stopped run continues where it was (`--journal FILE`). PrivHRG, the sixth of PGB's methods, has no honest guarantee and
is not here; on Facebook and wiki-Vote the figures that PGB published for all six are compared as well.
"""

from __future__ import annotations

import argparse
import math
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from graphveil.evaluation.experiment import Grid, Journal, Point, run, summarise
from graphveil.papers.peers.pgb import EXPERIMENT, QUERIES, best_of_six, is_known, measure, verdict

GRAPHS = (
    "ca-GrQc",
    "feather-lastfm-asia",
    "ego-Facebook",
    "wiki-Vote",
    "musae-twitch-DE",
    "ca-AstroPh",
    "email-Enron",
    "ego-Twitter",
)
PEERS = ("tmf", "dp-1k", "dp-2k", "dgg", "privgraph", "privskg")  # DP-dK is the two in the middle
EPSILONS = (0.5, 1.0, 5.0)
FIRST_SEED = 100  # no constant was chosen with these seeds


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--graphs", nargs="*", default=list(GRAPHS))
    parser.add_argument("--methods", nargs="*", default=["veil", *PEERS])
    parser.add_argument("--epsilons", nargs="*", type=float, default=list(EPSILONS))
    parser.add_argument("--seeds", type=int, default=2)
    parser.add_argument("--journal", type=Path, default=Path("figures/.queries.journal"))
    options = parser.parse_args()
    options.journal.parent.mkdir(parents=True, exist_ok=True)
    journal = Journal(options.journal)
    grid = Grid(options.graphs, options.methods, options.epsilons, options.seeds)
    experiment = replace(EXPERIMENT, measure=lambda cell: measure(replace(cell, seed=FIRST_SEED + cell.seed)))
    points = summarise(run(experiment, grid, journal.read(), journal.keep, lambda *_: None))
    print("\n".join(compare(points, options.graphs, options.epsilons)))


def compare(points: Sequence[Point], graphs: Sequence[str], epsilons: Sequence[float]) -> Iterator[str]:
    """Wins, ties and losses of veil against the least mean error of all other methods, query by query."""
    errors = {(p.graph, p.x, p.series, p.metric): p.mean for p in points}
    won: Counter[tuple[str, int]] = Counter()
    yield f"{'graph':<22}{'epsilon':>8}   {'won / tied / lost':<20}against PGB's published best"
    for graph in graphs:
        for epsilon in epsilons:
            outcomes = {q: verdict(errors[graph, epsilon, "veil", q], _least(errors, graph, epsilon, q))
                        for q in QUERIES if (graph, epsilon, "veil", q) in errors}  # fmt: skip
            won.update((query, outcome) for query, outcome in outcomes.items())
            published = ""
            if is_known(graph, epsilon):
                best = best_of_six(graph, epsilon)
                published = _count([verdict(errors[graph, epsilon, "veil", q], best[q]) for q in outcomes])
            yield f"{graph:<22}{epsilon:>8g}   {_count(list(outcomes.values())):<20}{published}"
    yield f"\n{'query':<22}won / tied / lost"
    for query in QUERIES:
        yield f"{query:<22}{' / '.join(str(won[query, outcome]) for outcome in (1, 0, -1))}"
    yield "\nmean errors: veil, and the best of the others with its name"
    for graph in graphs:
        for query in QUERIES:
            cells = []
            for epsilon in epsilons:
                own = errors.get((graph, epsilon, "veil", query), math.nan)
                least = _least(errors, graph, epsilon, query)
                names = [m for m in PEERS if errors.get((graph, epsilon, m, query)) == least]
                cells.append(f"{own:>10.2g}{least:>10.2g} {names[0] if names else '':<10}")
            yield f"{graph:<20}{query:<20}" + "".join(cells)


def _least(errors: dict[tuple[str, float, str, str], float], graph: str, epsilon: float, query: str) -> float:
    return min((errors.get((graph, epsilon, method, query), math.inf) for method in PEERS), default=math.inf)


def _count(outcomes: Sequence[int]) -> str:
    return " / ".join(str(outcomes.count(outcome)) for outcome in (1, 0, -1))


if __name__ == "__main__":
    main()
