"""People in the order of their names, whatever order a file or another library has them in.

That order may follow from the edges: networkx lists people as edges name them, and writes them so. Answers that name
people (published edges, the most connected, synthetic graphs) are given in the order of people, or break ties by it,
and would tell of an edge that nobody paid for. The order of names follows from the set of people, which is public
wherever people are named.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from graphveil.errors import ParameterError
from graphveil.graph.core import Graph
from graphveil.graph.edge_table import EdgeTable
from graphveil.graph.labels import integer_labels, is_text
from graphveil.release.job import Request


@dataclass(frozen=True, slots=True)
class OrderedPeople:
    """The graph in the order of names, and where each person was before; None if nobody had to move."""

    graph: Graph
    places: NDArray[np.int64] | None

    @classmethod
    def of(cls, graph: Graph) -> OrderedPeople:
        """Sort the people.

        >>> mixed = Graph.from_edges([(0, 1), (1, 2)], labels=np.array(["cem", "ann", "bob"]))
        >>> ordered = OrderedPeople.of(mixed)
        >>> ordered.graph.labels.tolist(), ordered.graph.edges().tolist()
        (['ann', 'bob', 'cem'], [[0, 1], [0, 2]])
        """
        labels = graph.labels
        if labels is None or bool(np.all(labels[1:] > labels[:-1])):
            return cls(graph, None)
        if isinstance(graph, EdgeTable):
            raise ParameterError(f"the {graph.engine} engine gave people out of the order of their names")
        places = np.argsort(labels)
        number = np.empty_like(places)
        number[places] = np.arange(len(places))
        names = labels[places] if is_text(labels) else integer_labels(labels[places])
        ordered = Graph.from_edges(
            number[graph.edges()], n_nodes=graph.n_nodes, labels=names, roster_declared=graph.roster_declared
        )
        return cls(ordered, places)

    def request(self, request: Request) -> Request:
        """The same request: candidate partitions list people as the given graph does."""
        if self.places is None or "partitions" not in request.options:
            return request
        try:
            candidates = [tuple(groups) for groups in request.options["partitions"]]
        except TypeError:
            return request  # refused later, in words
        places = self.places.tolist()
        if any(len(groups) != len(places) for groups in candidates):
            return request  # refused later, with the numbers
        moved = tuple(tuple(groups[place] for place in places) for groups in candidates)
        return replace(request, options={**request.options, "partitions": moved})
