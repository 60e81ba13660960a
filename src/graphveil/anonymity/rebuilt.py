"""k-degree anonymity by a new graph: the degrees are anonymised and everything else is drawn afresh.

Paper: Liu and Terzi 2008, degree anonymisation followed by the construction of a graph with these degrees.

No old edge is kept on purpose, so this is the least useful and the least telling of the k-degree methods. Degrees that
no graph can have are raised at people with few friends and anonymised again, as in `supergraph`.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from graphveil.anonymity.degree_sequence import anonymous_degrees
from graphveil.graph.core import Graph
from graphveil.graph.generate_degrees import configuration, is_graphical


def k_degree_rebuilt(graph: Graph, k: int, rng: np.random.Generator) -> NDArray[np.int64]:
    """The edges of a random graph with k-anonymous degrees near the given ones."""
    raised = graph.degrees.astype(np.int64)
    targets = anonymous_degrees(raised, k, only_rise=False)
    while not is_graphical(targets):
        by_degree = np.lexsort((rng.random(graph.n_nodes), raised))
        raised[by_degree[0]] += 1
        targets = anonymous_degrees(raised, k, only_rise=True)
    return configuration(targets, seed=int(rng.integers(2**62))).edges()
