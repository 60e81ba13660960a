"""The exact loss of a ladder query over all graphs on a few nodes, computed from its law and not from draws."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from every_small_graph import every_graph
from numpy.typing import NDArray

from graphveil.graph.core import Graph
from graphveil.mechanisms.ladder_sampler import Rungs, rung_sizes
from graphveil.statistics.ladder.ladder import Ladder

Array = NDArray[np.float64]


def all_graphs(n_nodes: int) -> list[Graph]:
    """Entry `mask` has pair i as an edge where bit i is set."""
    return [Graph.from_edges(edges, n_nodes=n_nodes) for edges in every_graph(n_nodes)]


def flips(n_nodes: int) -> list[int]:
    """The masks that turn a graph into its neighbours."""
    return [1 << bit for bit in range(n_nodes * (n_nodes - 1) // 2)]


def log_law(rungs: Rungs, middle: int, outcomes: NDArray[np.int64]) -> Array:
    """ln P of every outcome; enough rungs are summed that the rest is below 1e-17 of the total."""
    count = int(60 / float(rungs.rate)) + 200
    reach = rungs.reach(count)
    weights = np.array(rung_sizes(reach.tolist()), dtype=np.float64) * np.exp(-float(rungs.rate) * np.arange(count))
    rung = np.searchsorted(reach, np.abs(outcomes - middle))
    return -float(rungs.rate) * rung - np.log(weights.sum())


def largest_loss(values: list[int], laws: list[Rungs], n_nodes: int, margin: int) -> float:
    """The largest |ln P_G(x) - ln P_G'(x)| over neighbours G, G' and outcomes x."""
    outcomes = np.arange(min(values) - margin, max(values) + margin + 1)
    table = np.array([log_law(law, value, outcomes) for value, law in zip(values, laws, strict=True)])
    masks = np.arange(len(values))
    return max(float(np.abs(table - table[masks ^ flip]).max()) for flip in flips(n_nodes))


def brute_local_sensitivity(values: list[int], n_nodes: int, count: int) -> NDArray[np.int64]:
    """LS_t by searching all graphs within t edges: row t, column mask."""
    exact, masks = np.array(values), np.arange(len(values))
    current = np.max([np.abs(exact - exact[masks ^ flip]) for flip in flips(n_nodes)], axis=0)
    rows = [current]
    for _ in range(count - 1):
        current = np.max([current] + [current[masks ^ flip] for flip in flips(n_nodes)], axis=0)
        rows.append(current)
    return np.array(rows)


def assert_ladder_function(values: list[int], ladders: list[Ladder], n_nodes: int, count: int = 40) -> None:
    """(a) I_0 bounds every change and (b) I_t(G') <= I_{t+1}(G), for all neighbours and steps."""
    exact, masks = np.array(values), np.arange(len(values))
    steps = np.array([ladder.first(count) for ladder in ladders])
    for flip in flips(n_nodes):
        other = masks ^ flip
        assert np.all(np.abs(exact - exact[other]) <= steps[:, 0])
        assert np.all(steps[other, :-1] <= steps[:, 1:])


def values_of(graphs: list[Graph], statistic: Callable[[Graph], int]) -> list[int]:
    """The statistic of every graph."""
    return [statistic(graph) for graph in graphs]
