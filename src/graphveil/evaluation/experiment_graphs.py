"""Graphs that experiments name: the public ones, and generated ones that need no download."""

from __future__ import annotations

from functools import lru_cache

from graphveil.errors import unknown_name
from graphveil.graph.core import Graph
from graphveil.graph.datasets import DATASETS, load_dataset
from graphveil.graph.generate import barabasi_albert, erdos_renyi, power_law_cluster

# the three graphs of the papers on local collection, and the two of those on synthetic graphs
COLLECTED = ("ego-Facebook", "ca-AstroPh", "email-Enron")
PUBLISHED_AS_GRAPHS = ("wiki-Vote", "ego-Twitter")
GENERATED = {
    "clustered-1k": lambda: power_law_cluster(1_000, 8, 0.6, seed=11),
    "clustered-4k": lambda: power_law_cluster(4_000, 20, 0.7, seed=12),
    "scale-free-4k": lambda: barabasi_albert(4_000, 20, seed=13),
    "random-4k": lambda: erdos_renyi(4_000, m=80_000, seed=14),
}


def check_graph(name: str) -> None:
    """Refuse a name that no graph has, before anything long starts."""
    if name not in DATASETS and name not in GENERATED:
        raise unknown_name("graph", name, (*DATASETS, *GENERATED))


@lru_cache(maxsize=2)
def experiment_graph(name: str) -> Graph:
    """A graph by name; the last two stay in memory."""
    check_graph(name)
    return GENERATED[name]() if name in GENERATED else load_dataset(name)
