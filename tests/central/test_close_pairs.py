"""Pairs at distance 1 or 2: counted right, on a ladder that covers what one edge changes."""

from __future__ import annotations

import networkx as nx
import numpy as np
from exact_loss import all_graphs, assert_ladder_function, values_of

from graphveil.graph.core import Graph
from graphveil.graph.generate.degrees import configuration
from graphveil.graph.statistics.distances import exact_close_pairs
from graphveil.graph.statistics.pareto_pairs import star_front
from graphveil.statistics.ladder.functions import close_pair_ladder

N = 5


def test_close_pairs_are_those_within_two_steps() -> None:
    graph = configuration(np.random.default_rng(1).integers(0, 6, 60) * 2, seed=2)
    other = nx.Graph(graph.edges().tolist())
    within = sum(len(ends) - 1 for _, ends in nx.all_pairs_shortest_path_length(other, cutoff=2))
    assert exact_close_pairs(graph) == within // 2
    assert exact_close_pairs(Graph.from_edges([], n_nodes=3)) == 0


def test_one_edge_more_or_less_stays_on_the_ladder() -> None:
    graphs = all_graphs(N)
    ladders = [close_pair_ladder(star_front(graph), N) for graph in graphs]
    assert_ladder_function(values_of(graphs, exact_close_pairs), ladders, N)
