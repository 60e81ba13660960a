"""A public order of edges in which nobody's joining or leaving moves anybody else.

Projections that bound degrees walk through the edges in some order. Their stability under node privacy only holds when
the order of the edges of everybody else is the same with and without one person. An order by compact node number is
not: removing a node renumbers the others. Here an edge is ordered by a 64-bit key made from the persistent labels of
its two ends alone, symmetric in the two, and equal keys are ordered by the labels themselves, so the order is total and
depends on nothing but the two names.

A label that is a plain integer has the same key as a number and as text; otherwise the departure of the only person
with another name could change the type of all labels, and with it the whole order.
The keys are a public mixing function, not a secret: they make the order arbitrary, not private.
"""

from __future__ import annotations

import re
from hashlib import blake2b

import numpy as np

from graphveil.arrays import AnyArray, Integers, Words
from graphveil.graph.core import Graph
from graphveil.graph.mix import STRIDE, finalise

WHOLE_NUMBER = re.compile("0|-?[1-9][0-9]{0,18}")


def label_keys(graph: Graph) -> Words:
    """A stable 64-bit key of every node's label.

    >>> named = Graph.from_edges([(0, 1)], labels=np.array([7, 12]))
    >>> texts = Graph.from_edges([(0, 1)], labels=np.array(["7", "12"]))
    >>> label_keys(named).tolist() == label_keys(texts).tolist()
    True
    """
    labels = np.arange(graph.n_nodes) if graph.labels is None else graph.labels
    return keys_of_labels(labels)


def keys_of_labels(labels: AnyArray) -> Words:
    """The same for labels that are given as such."""
    if not np.issubdtype(labels.dtype, np.integer):
        return np.fromiter((_key_of_text(str(label)) for label in labels), dtype=np.uint64, count=len(labels))
    return _mix(labels.astype(np.uint64))


def edge_keys(graph: Graph, edges: Integers, order: int = 0) -> Words:
    """A stable key of every edge; `order` numbers one of many unrelated public orders."""
    people = label_keys(graph)
    return keys_between(people[edges[:, 0]], people[edges[:, 1]], order)


def keys_between(first: Words, second: Words, order: int = 0) -> Words:
    """The keys of edges, from the keys of the labels at their two ends."""
    shift = _mix(np.array([order % 2**64], dtype=np.uint64))
    return _mix(_mix(first ^ shift) + _mix(second ^ shift))


def edge_order(graph: Graph, edges: Integers, order: int = 0) -> Integers:
    """The positions of the given edges, first in the public order first."""
    keys = edge_keys(graph, edges, order)
    positions = np.argsort(keys)
    rising = keys[positions]
    if len(rising):
        _order_ties(graph, edges, positions, rising)
    return positions


def _order_ties(graph: Graph, edges: Integers, positions: Integers, rising: Words) -> None:
    """Order runs of equal keys, as good as never met, by the names of their two ends."""
    starts = np.flatnonzero(np.r_[True, rising[1:] != rising[:-1]])
    ends = np.r_[starts[1:], len(rising)]
    for run in np.flatnonzero(ends - starts > 1):
        tied = positions[starts[run] : ends[run]]
        tied[:] = sorted(tied, key=lambda edge: sorted(str(graph.label_of(int(end))) for end in edges[edge]))


def _key_of_text(label: str) -> int:
    if WHOLE_NUMBER.fullmatch(label) and -(2**63) <= int(label) < 2**63:
        return int(_mix(np.array([int(label) % 2**64], dtype=np.uint64))[0])
    return int.from_bytes(blake2b(label.encode(), digest_size=8).digest(), "little")


def _mix(words: AnyArray) -> Words:
    mixed: Words = finalise.python(words + STRIDE)
    return mixed
