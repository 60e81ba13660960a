"""People, partitions and edges that are named or published, on the five public graphs at epsilon 1, edge privacy.

Others by `python -m benchmarks.central.choices 4 ego-Facebook`. Columns as in `central.degrees`. The error of a choice
is what it falls short by, neighbours fewer than the best, or edges within groups fewer than the best candidate; that of
published edges is how many are invented. Their intervals speak of the same, and that of a choice begins at 0.
It holds for the hardest choice there is: where the best stands out and is chosen in every draw, the shortest interval
has no length, and no width is shown. Candidate partitions are public: everybody in one group, halves, tenths and random
pairs of groups of the people in the order of their names.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache, partial
from typing import Any

import numpy as np
from benchmarks.central._draws import Statement
from benchmarks.central._table import Line, print_table

from graphveil.central.best_partition import BestPartition, edge_modularity
from graphveil.central.most_connected import MostConnected
from graphveil.central.noisy_adjacency import NoisyAdjacency
from graphveil.central.page import Answer
from graphveil.central.top_m_filter import TopMFilter
from graphveil.central.top_people import TopPeople
from graphveil.graph.core import Graph
from graphveil.graph.pair_numbers import numbers_of_pairs


def candidates(graph: Graph) -> Mapping[str, Any]:
    people, rng = np.arange(graph.n_nodes), np.random.default_rng(1)
    public = [people * 0, people * 2 // len(people), people * 10 // len(people), rng.integers(0, 2, len(people))]
    return {"partitions": tuple(tuple(groups.tolist()) for groups in public)}


@cache
def numbers(graph: Graph) -> Mapping[Any, int]:
    return {graph.label_of(node): node for node in range(graph.n_nodes)}


def scores(graph: Graph) -> np.ndarray:
    return np.array([float(edge_modularity(graph, np.array(groups))) for groups in candidates(graph)["partitions"]])


def fewer_neighbours(graph: Graph, answer: Answer, truth: np.ndarray) -> float:
    """Than the truth: the degree of the best, or of the k-th."""
    named = answer.value if isinstance(answer.value, tuple) else (answer.value,)
    known = numbers(graph)
    return float(truth[0] - min(graph.degrees[known[name]] for name in named))


def less_modular(_: Graph, answer: Answer, truth: np.ndarray) -> float:
    return float(truth.max() - truth[answer.value])


def invented(graph: Graph, answer: Answer, truth: np.ndarray) -> float:
    """By the numbers of true pairs, in order."""
    if not answer.value:
        return float(len(truth))
    known = numbers(graph)
    pairs = np.array([(known[u], known[v]) for u, v in answer.value], dtype=np.int64)
    return float(len(pairs) - np.isin(numbers_of_pairs(pairs, graph.n_nodes), truth).sum())


def reading(missed: Any, graph: Graph, answer: Answer, truth: np.ndarray) -> Statement:
    low, high = answer.accuracy.interval(0.95)
    ends = (np.array([float(end)]) for end in (low, high))
    sides = (answer.accuracy.center != 0, True)
    return Statement(
        np.array([float(answer.accuracy.center)]), *ends, np.array([missed(graph, answer, truth)]), sides, 1
    )


def true_pairs(graph: Graph) -> np.ndarray:
    return numbers_of_pairs(graph.edges(), graph.n_nodes)


LINES = [
    Line("most connected", MostConnected, lambda graph: graph.degrees.max(), None,
         reading=partial(reading, fewer_neighbours)),
    Line("top ten", TopPeople, lambda graph: np.sort(graph.degrees)[-10], None,
         reading=partial(reading, fewer_neighbours)),
    Line("best partition", BestPartition, scores, None, reading=partial(reading, less_modular), options=candidates),
    Line("top-m filter", TopMFilter, true_pairs, None, reading=partial(reading, invented)),
    Line("most likely edges", partial(NoisyAdjacency, projection="most-likely"), true_pairs, None,
         reading=partial(reading, invented)),
]  # fmt: skip


def main() -> None:
    print_table(LINES, lambda _: 1.0)


if __name__ == "__main__":
    main()
