"""Reading outputs that are sets, graphs or anything else that is not numbers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from typing import Any

import numpy as np

from graphveil.arrays import Floats
from graphveil.graph.core import Graph
from graphveil.graph.interop import from_networkx

MAX_ELEMENTS = 256
MANY = 100  # outputs of which at least two should be alike
MAX_PAIR_NODES = 40  # graphs with more nodes are read by their counts alone


def read_sets(outputs: Sequence[AbstractSet[Any]]) -> tuple[list[str], Floats]:
    """One bit for each of the commonest elements, the size, and how many elements were not among those."""
    counts = Counter(element for output in outputs for element in output)
    elements = sorted((element for element, _ in counts.most_common(MAX_ELEMENTS)), key=repr)
    place = {element: j for j, element in enumerate(elements)}
    columns = np.zeros((len(outputs), len(elements) + 2))
    for i, output in enumerate(outputs):
        known = [place[element] for element in output if element in place]
        columns[i, known] = 1
        columns[i, -2:] = len(output), len(output) - len(known)
    names = [f"whether it contains {element!r}" for element in elements]
    return [*names, "the number of elements", "the number of rare elements"], columns


def read_networkx(outputs: Sequence[Any]) -> tuple[list[str], Floats]:
    """Graphs of networkx, ours perhaps among them: what is read of ours, and by name everything they publish."""
    names, columns = read_graphs([one if isinstance(one, Graph) else from_networkx(one) for one in outputs])
    parts, more = read_sets([_published(output) for output in outputs])
    return [*names, *parts], np.hstack((columns, more))


def _published(graph: Any) -> set[str]:
    """People and edges as words, with direction, attributes and how often an edge occurs."""
    if isinstance(graph, Graph):
        return {f"edge {u} {v}, 1 times" for u, v in graph.edges().tolist()}
    edges: Counter[str] = Counter()
    for u, v, data in graph.edges(data=True):
        ends = (u, v) if graph.is_directed() else sorted((u, v), key=repr)
        edges[" ".join(map(repr, (*ends, *sorted(data.items(), key=repr))))] += 1
    people = {" ".join(map(repr, (node, *sorted(data.items(), key=repr)))) for node, data in graph.nodes(data=True)}
    return {f"person {person}" for person in people} | {f"edge {edge}, {count} times" for edge, count in edges.items()}


def read_graphs(outputs: Sequence[Graph]) -> tuple[list[str], Floats]:
    """One bit a pair of nodes (of small graphs), the degrees in falling order, the numbers of nodes and edges."""
    n_nodes = max(graph.n_nodes for graph in outputs)
    pairs = np.triu_indices(n_nodes if n_nodes <= MAX_PAIR_NODES else 0, 1)
    n_pairs = len(pairs[0])
    ranks = min(n_nodes, MAX_ELEMENTS)
    columns = np.zeros((len(outputs), n_pairs + ranks + 2))
    for i, graph in enumerate(outputs):
        if n_pairs:
            u, v = graph.edges().T
            columns[i, u * n_nodes - u * (u + 1) // 2 + v - u - 1] = 1
        degrees = np.sort(graph.degrees)[::-1][:ranks]
        columns[i, n_pairs : n_pairs + len(degrees)] = degrees
        columns[i, -2:] = graph.n_nodes, graph.n_edges
    names = [f"edge {u}-{v}" for u, v in zip(*pairs, strict=True)] + [f"degree of rank {j}" for j in range(ranks)]
    return [*names, "the number of nodes", "the number of edges"], columns


def read_categories(outputs: Sequence[Any]) -> tuple[list[str], Floats]:
    """Outputs that can only be told apart, numbered by how often they came up; nothing where no two are alike."""
    texts = [repr(output) for output in outputs]
    if len(set(texts)) == len(texts) >= MANY:
        return [], np.empty((len(texts), 0))
    place = {text: float(i) for i, (text, _) in enumerate(Counter(texts).most_common())}
    return ["the output"], np.array([place[text] for text in texts])[:, None]
