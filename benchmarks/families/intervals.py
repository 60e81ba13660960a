"""How often stated 95 % intervals hold: releases, campaigns and two servers, on families of graphs at three epsilons.

`python -m benchmarks.families.intervals` prints a line for everything that states an interval: the number of draws, how
often it held over all of them, and least often in one cell, that is on one graph at one epsilon. A right interval holds
less often than `bound` in one cell with a probability below 1/1000. `low` counts the cells below it, and each of
these is drawn again, five times as often with other seeds; `again` is the least of the second looks. A star says that
it is below its bound too, or after `held` that all draws together are. `--graphs` takes public graphs as well as
families, `--questions` words of their names. What is refused on a graph is left out. A cell ends early after
`--seconds` of processor time.
"""

from __future__ import annotations

import argparse
import time
from dataclasses import dataclass, field
from itertools import product

from benchmarks.families._statements import Ask, Shares, questions
from benchmarks.families.defaults import named
from scipy.stats import binom

from graphveil.errors import GraphveilError
from graphveil.graph.core import Graph
from graphveil.graph.generate.families import FAMILIES

RARE = 0.001
AGAIN = 5  # times the draws
FIRST_SEED, NEXT_SEED, SEEDS = 1000, 1_000_000, 2000  # the last: of one cell, so that no two cells share noise
STEP = 10  # draws between two looks at the clock


@dataclass
class Line:
    """What was seen of one question; `again` has the second looks: share, number of draws, and where."""

    cells: dict[str, Shares] = field(default_factory=dict)
    again: list[tuple[float, int, str]] = field(default_factory=list)
    low: int = 0


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--graphs", nargs="*", default=list(FAMILIES), help="families or public graphs")
    parser.add_argument("--epsilons", nargs="*", default=["0.5", "1", "4"])
    parser.add_argument("--jobs", nargs="*", default=["release", "collect", "two servers"])
    parser.add_argument("--questions", nargs="*", default=[""], help="words of which one must be in the name")
    parser.add_argument("--without", nargs="*", default=[], help="words that must not be in the name")
    parser.add_argument("--people", type=int, default=200)
    parser.add_argument("--draws", type=int, default=60)
    parser.add_argument("--seconds", type=float, default=20.0)
    options = parser.parse_args()
    graphs = {name: named(name, options.people) for name in options.graphs}
    print(f"{'question':<52}{'draws':>7}{'held':>7} {'least':>7}{'bound':>7}{'low':>8}{'again':>8}   where")
    for job, name, ask in questions():
        words = f"{job}: {name}"
        wanted = job in options.jobs and any(word in words for word in options.questions)
        if wanted and not any(word in words for word in options.without):
            print_line(words, look(ask, graphs, options))


def look(ask: Ask, graphs: dict[str, Graph], options: argparse.Namespace) -> Line:
    """All cells of one question, and a second look at those that are low."""
    line = Line()
    for cell, ((name, graph), epsilon) in enumerate(product(graphs.items(), options.epsilons)):
        try:
            shares = asked(ask, graph, epsilon, options.draws, FIRST_SEED + cell * SEEDS, options.seconds)
        except GraphveilError:
            continue
        if not shares:
            continue
        where = f"{name}, epsilon {epsilon}"
        line.cells[where] = shares
        if is_low(shares):
            line.low += 1
            more = asked(ask, graph, epsilon, AGAIN * len(shares), NEXT_SEED + cell * SEEDS, AGAIN * options.seconds)
            line.again.append((mean(more), len(more), where))
    return line


def asked(ask: Ask, graph: Graph, epsilon: str, draws: int, seed: int, seconds: float) -> Shares:
    """So many draws, or fewer where they take too long."""
    start, shares = time.process_time(), list[float]()
    first = ask(graph, epsilon, min(2, draws), seed)
    quick = len(first) == min(2, draws) and time.process_time() - start < 1
    if not first or len(first) >= draws:
        return first
    if quick:
        return ask(graph, epsilon, draws, seed)
    while len(shares) < draws and time.process_time() - start < seconds:
        shares += ask(graph, epsilon, min(STEP, draws - len(shares)), seed + len(shares))
    return shares


def is_low(shares: Shares) -> bool:
    """Whether a right interval holds so seldom with a probability below RARE."""
    return sum(shares) < binom.ppf(RARE, len(shares), 0.95)


def mean(shares: Shares) -> float:
    return sum(shares) / len(shares)


def print_line(question: str, line: Line) -> None:
    if not line.cells:
        return
    draws = [share for shares in line.cells.values() for share in shares]
    where = min(line.cells, key=lambda cell: mean(line.cells[cell]))
    least = line.cells[where]
    bound = binom.ppf(RARE, len(least), 0.95) / len(least)
    second = ""
    if line.again:
        share, count, where = min(line.again)
        second = f"{share:.3f}{'*' if share * count < binom.ppf(RARE, count, 0.95) else ''}"
    held = f"{mean(draws):.3f}{'*' if is_low(draws) else ' '}"
    low = f"{line.low}/{len(line.cells)}"
    seen = f"{len(draws):>7}{held:>8}{mean(least):>7.2f}{bound:>7.2f}{low:>8}{second:>8}"
    print(f"{question:<52}{seen}   {where}", flush=True)


if __name__ == "__main__":
    main()
