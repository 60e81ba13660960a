"""A digest of a private graph, by which the same graph is known again. It is as private as the graph.

Two graphs have one digest if they have the same edges between people of the same names, in whatever order, file format
or folder; names count as text, so 7 read as a number is "7". Names become 64-bit words; each edge becomes a word that
is symmetric in its two ends; words are added up, so the order does not matter. Different graphs share a digest by an
accident of about 2^-64, unless somebody builds them on purpose, which gains them nothing.

The digest itself must never be stored: whoever holds it can try out graphs. The ledger stores it under a secret key
(`privacy.ledger.fingerprint`).
"""

from __future__ import annotations

import re
from hashlib import blake2b
from typing import Any, NamedTuple

import numpy as np

from graphveil.arrays import Words
from graphveil.graph.core import Graph
from graphveil.graph.csr import TINY
from graphveil.graph.directed import DirectedGraph
from graphveil.graph.edge_table import EdgeTable
from graphveil.graph.labels import is_text
from graphveil.graph.mix import STRIDE, finalise, mix
from graphveil.graph.weighted import WeightedGraph
from graphveil.kernels import kernel

_PLAIN_NUMBER = re.compile(r"0|[1-9][0-9]{0,17}")  # text that an integer label would be shown as
_OTHER_LANE = np.uint64(0xD6E8FEB86659FD93)


class GraphDigest(NamedTuple):
    """Of the edges alone (of the people where there are none), and of edges, people and whether these were declared.

    `people` is that of the people alone, and None where they were declared; then `listed` is.
    """

    edges: bytes
    graph: bytes
    people: bytes | None
    listed: bytes | None = None


def graph_digest(graph: Graph) -> GraphDigest:
    """The digests of a graph, the same wherever its edges are kept.

    >>> ordered = Graph.from_edges([(0, 1), (1, 2)])
    >>> named = Graph.from_edges([(0, 1), (0, 2)], labels=np.array(["1", "2", "0"]), roster_declared=False)
    >>> graph_digest(ordered) == graph_digest(named)
    True
    """
    names = _name_words(graph)
    people = finalise.python(names)
    sums = [int(np.sum(people, dtype=np.uint64)), int(np.sum(finalise.python(people ^ _OTHER_LANE), dtype=np.uint64))]
    who = _hashed("people", graph.n_nodes, *sums)
    edges = _hashed("edges", graph.n_edges, *_edge_sums(graph, names)) if graph.n_edges else who
    declared = b"declared" if graph.roster_declared else b"read off the edges"
    whole = blake2b(edges + who + declared + _further(graph, names), digest_size=32).digest()
    return GraphDigest(edges, whole, *((None, who) if graph.roster_declared else (who, None)))


def _further(graph: Graph, names: Words) -> bytes:
    """A digest of directions or weights, by which graphs of the same edges are told apart; nothing for a plain graph.

    The ends of an arc or edge and its weight make a word; words are added up.
    """
    if isinstance(graph, DirectedGraph):
        ends, values = graph.arcs, np.zeros(len(graph.arcs), dtype=np.uint64)
    elif isinstance(graph, WeightedGraph):
        ends, values = graph.edges(), graph.weights.astype(np.uint64)
        order = names[ends[:, 0]] > names[ends[:, 1]]
        ends = np.where(order[:, None], ends[:, ::-1], ends)
    else:
        return b""
    with np.errstate(over="ignore"):
        first = finalise.python(names[ends[:, 0]])
        words: Words = finalise.python(first + _OTHER_LANE * names[ends[:, 1]])
        words = finalise.python(words + finalise.python(values + _OTHER_LANE))
        sums = [int(np.sum(part, dtype=np.uint64)) for part in (words, finalise.python(words ^ _OTHER_LANE))]
    return _hashed(type(graph).__name__, len(ends), *sums)


def _name_words(graph: Graph) -> Words:
    """A 64-bit word for each name; one name has one word in every graph."""
    labels = graph.labels
    if labels is None or not is_text(labels):
        numbers = np.arange(graph.n_nodes, dtype=np.int64) if labels is None else labels.astype(np.int64)
        return _number_words(numbers.astype(np.uint64))
    return np.fromiter(map(_text_word, labels.tolist()), dtype=np.uint64, count=graph.n_nodes)


def _number_words(numbers: Words) -> Words:
    with np.errstate(over="ignore"):
        words: Words = finalise.python(numbers + np.uint64(0x9E3779B97F4A7C15))
    return words


def _text_word(name: str) -> int:
    if _PLAIN_NUMBER.fullmatch(name):
        return int(_number_words(np.array([int(name)], dtype=np.uint64))[0])
    return int.from_bytes(blake2b(name.encode("utf-8", "surrogatepass"), digest_size=8).digest(), "little")


def _hashed(kind: str, *numbers: int) -> bytes:
    return blake2b(f"{kind} {numbers}".encode(), digest_size=32).digest()


def _edge_sums(graph: Graph, names: Words) -> tuple[int, int]:
    if isinstance(graph, EdgeTable):
        sums = graph.edge_word_sums(names)
    elif graph.n_edges < TINY:
        ends = graph.edges()
        sums = sum_edge_words(names[ends[:, 0]], names[ends[:, 1]])
    else:
        sums = _add_edges(graph.indptr, graph.indices, names)
    return int(sums[0]), int(sums[1])


def sum_edge_words(first: Words, second: Words) -> Words:
    """The two sums of `_add_edges` over edges between people of these words; sums of parts add up, modulo 2^64."""
    with np.errstate(over="ignore"):
        inner = finalise.python(first + second + STRIDE)
        words = finalise.python((inner ^ (first ^ second)) + STRIDE)
        others = finalise.python((words ^ _OTHER_LANE) + STRIDE)
        return np.array([np.sum(part, dtype=np.uint64) for part in (words, others)], dtype=np.uint64)


@kernel
def _add_edges(indptr: Any, indices: Any, names: Any) -> Any:
    """Two sums, modulo 2^64, over a word for each edge."""
    first, second = np.uint64(0), np.uint64(0)
    for u in range(len(indptr) - 1):
        for k in range(indptr[u], indptr[u + 1]):
            v = indices[k]
            if v > u:
                word = mix(mix(names[u] + names[v]) ^ (names[u] ^ names[v]))
                first += word
                second += mix(word ^ _OTHER_LANE)
    return first, second
