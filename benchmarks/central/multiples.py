"""How a degree bound should follow from the h-index, chosen without the graph it is judged on.

`python -m benchmarks.central.multiples` prints, for edges, 2-stars and triangles under node privacy: how far from the
best of the grid each bound a h (epsilon h)^p, at most 5 h epsilon^0.3, is on average over graphs and epsilons
(geometric mean) and at worst, the best ones first and that of the default; and which is best with each graph left out
in turn, and how far it is from the best on the graph left out. The error is the expected one, bias and Laplace noise,
at the exact h-index. Where a linear program has many rows its optimum is replaced by what it cannot pass.
"""

from __future__ import annotations

import argparse
import math
from collections import Counter

import numpy as np
from benchmarks.central.node_patterns import Known
from benchmarks.families.defaults import named

from graphveil.central.node.patterns.count import H_INDEX_SHARE, Choice, steepest
from graphveil.central.node.patterns.optimum import ETA
from graphveil.central.node.patterns.programs import count_patterns
from graphveil.central.node.patterns.queries import BoundedCount, BoundedEdges, BoundedTriangles, BoundedTwoStars
from graphveil.graph.generate.families import FAMILIES
from graphveil.graph.statistics.degrees import exact_h_index

GRID = {  # multiples by power
    0: (0.5, 0.7, 1, 1.5, 2, 3, 4, 5),
    1 / 16: (0.7, 0.75, 0.8, 0.9, 1),
    1 / 4: (0.35, 0.5, 0.7, 1, 1.3, 1.6, 2),
    1 / 2: (0.1, 0.15, 0.2, 0.3, 0.4, 0.5, 0.6),
}
EPSILONS = (0.25, 0.5, 1, 2, 4)
QUERIES: tuple[type[BoundedCount], ...] = (BoundedEdges, BoundedTwoStars, BoundedTriangles)
PUBLIC = (
    *("ca-GrQc", "feather-lastfm-asia", "ego-Facebook", "wiki-Vote", "musae-twitch-DE", "ca-AstroPh", "email-Enron"),
)
SHOWN = 5


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--graphs", nargs="*", default=[*PUBLIC, *sorted(set(FAMILIES) - {"tiny"})])
    parser.add_argument("--people", nargs="*", type=int, default=[200, 1000], help="in graphs of families")
    parser.add_argument("--queries", nargs="*", default=[query.query for query in QUERIES])
    options = parser.parse_args()
    for query in QUERIES:
        if query.query not in options.queries:
            continue
        choices = list(dict.fromkeys(choices_for(query)))
        ratios = []
        for name in options.graphs:
            for people in options.people if name in FAMILIES else [0]:
                errors = expected_errors(query, choices, name, people)
                if errors is not None:
                    ratios.append(np.log(errors / errors.min(axis=1, keepdims=True)))
                    if name not in FAMILIES:
                        compare(name, ratios[-1])
        report(query, choices, np.stack(ratios))


def compare(name: str, apart: np.ndarray) -> None:
    """How far the default is from the best of the grid on one graph, at each epsilon."""
    print(f"  {name:<24}" + "".join(f"{math.exp(row[0]):6.2f}" for row in apart), flush=True)


def choices_for(query: type[BoundedCount]) -> list[Choice]:
    """The grid, and the default, which comes first."""
    default = query.counted.choice
    return [default, *(Choice(a, power, default.least) for power, multiples in GRID.items() for a in multiples)]


def report(query: type[BoundedCount], choices: list[Choice], apart: np.ndarray) -> None:
    """`apart` has a logarithm of the ratio to the best for each graph, epsilon and choice."""
    means = apart.mean(axis=(0, 1))
    print(f"\n{query.query}, {len(apart)} graphs; the first line is the default")
    for place in [0, *np.argsort(means)[:SHOWN]]:
        mean, worst = np.exp(means[place]), np.exp(apart[:, :, place].max())
        print(f"  {words(choices[place]):<24}{mean:6.2f} on average {worst:7.1f} worst")
    best = [int(np.delete(apart, left, axis=0).mean(axis=(0, 1)).argmin()) for left in range(len(apart))]
    there = [math.exp(apart[left, :, place].mean()) for left, place in enumerate(best)]
    chosen = Counter(words(choices[place]) for place in best)
    print(f"  one left out: {dict(chosen)} chosen; there {min(there):.2f} to {max(there):.2f} of the best", flush=True)


def words(choice: Choice) -> str:
    return f"{choice.multiple:g} h (epsilon h)^{choice.power:g}"


def expected_errors(query: type[BoundedCount], choices: list[Choice], name: str, people: int) -> np.ndarray | None:
    """A row for each epsilon, a column for each choice; None where there is nothing to count."""
    graph, counted = named(name, people), query.counted
    loads = counted.pattern.loads(graph)
    truth, known, h_index = (
        count_patterns(counted.pattern, loads),
        Known(graph, counted.pattern),
        exact_h_index(graph.degrees),
    )
    if not truth:
        return None
    table = np.empty((len(EPSILONS), len(choices)))
    for row, epsilon in enumerate(EPSILONS):
        least = max(counted.choice.least, math.ceil(1 / (epsilon * float(H_INDEX_SHARE))))
        for place, choice in enumerate(choices):
            times = min(choice.multiple * (epsilon * h_index) ** choice.power, steepest(epsilon))
            bound = max(least, round(times * h_index))
            tau = max(1, counted.load(bound))
            bias = truth - float(known.value(tau))
            scale = math.ceil((1 + ETA) * tau) / (epsilon * (1 - float(H_INDEX_SHARE)))
            table[row, place] = bias + scale * math.exp(-bias / scale)
    return table


if __name__ == "__main__":
    main()
