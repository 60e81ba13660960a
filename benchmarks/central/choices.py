"""People, partitions and edges that are named or published, on the five public graphs at epsilon 1, edge privacy.

Others by `python -m benchmarks.central.choices 4 ego-Facebook`. Columns as in `central.degrees`. The error of a choice
is what it falls short by, neighbours fewer than the best, or edges within groups fewer than the best candidate; that of
published edges is how many are invented. Their intervals speak of the same, and that of a choice begins at 0. Candidate
partitions are public: everybody in one group, halves, tenths and random pairs of groups of the people in the order of
their names.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache, partial
from typing import Any

import numpy as np
from benchmarks.central._draws import Statement
from benchmarks.central._table import Line, print_table

from graphveil.central.choices.best_partition import BestPartition, edge_modularity
from graphveil.central.choices.most_connected import MostConnected
from graphveil.central.choices.noisy_adjacency import NoisyAdjacency
from graphveil.central.choices.top_m_filter import TopMFilter
from graphveil.central.choices.top_people import TopPeople
from graphveil.central.query import Answer, Query
from graphveil.graph.core import Graph
from graphveil.graph.pairs import numbers_of_pairs

Missed = Callable[[Any, Graph, Answer], float]  # how wrong an answer of a page is


def candidates(graph: Graph) -> Mapping[str, Any]:
    people, rng = np.arange(graph.n_nodes), np.random.default_rng(1)
    public = [people * 0, people * 2 // len(people), people * 10 // len(people), rng.integers(0, 2, len(people))]
    return {"partitions": tuple(tuple(groups.tolist()) for groups in public)}


@cache
def numbers(graph: Graph) -> Mapping[Any, int]:
    return {graph.label_of(node): node for node in range(graph.n_nodes)}


@cache
def largest_degrees(graph: Graph) -> np.ndarray:
    return np.sort(graph.degrees)[::-1]


@cache
def scores(page: BestPartition, graph: Graph) -> np.ndarray:
    return np.array([float(edge_modularity(graph, np.array(groups))) for groups in page.partitions])


@cache
def true_pairs(graph: Graph) -> np.ndarray:
    return numbers_of_pairs(graph.edges(), graph.n_nodes)


def fewer_neighbours(_: Query, graph: Graph, answer: Answer) -> float:
    """Anybody named, than the person who is truly the k-th."""
    named = answer.value if isinstance(answer.value, tuple) else (answer.value,)
    known = numbers(graph)
    return float(largest_degrees(graph)[len(named) - 1] - min(graph.degrees[known[name]] for name in named))


def less_modular(page: BestPartition, graph: Graph, answer: Answer) -> float:
    return float(scores(page, graph).max() - scores(page, graph)[answer.value])


def invented(_: Query, graph: Graph, answer: Answer) -> float:
    if not answer.value:  # then the interval speaks of the edges that are missing
        return float(graph.n_edges)
    known = numbers(graph)
    pairs = np.array([(known[u], known[v]) for u, v in answer.value], dtype=np.int64)
    return float(len(pairs) - np.isin(numbers_of_pairs(pairs, graph.n_nodes), true_pairs(graph)).sum())


def reading(missed: Missed, page: Query, graph: Graph, answer: Answer, _: np.ndarray) -> Statement:
    figures = (answer.accuracy.center, *answer.accuracy.interval(0.95), missed(page, graph, answer))
    return Statement(*(np.array([float(figure)]) for figure in figures), (True, True), 1)


def line(title: str, page: Callable[..., Query], missed: Missed, **more: Any) -> Line:
    return Line(title, page, lambda _: 0, None, reading=partial(reading, missed), **more)


LINES = [
    line("most connected", MostConnected, fewer_neighbours),
    line("top ten", TopPeople, fewer_neighbours),
    line("best partition", BestPartition, less_modular, options=candidates),
    line("top-m filter", TopMFilter, invented),
    line("most likely edges", partial(NoisyAdjacency, projection="most-likely"), invented),
]


def main() -> None:
    print_table(LINES, lambda _: 1.0)


if __name__ == "__main__":
    main()
