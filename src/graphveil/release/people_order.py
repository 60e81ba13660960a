"""People in the order of their names, whatever order a file or another library has them in."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from graphveil.arrays import Integers
from graphveil.errors import ParameterError
from graphveil.graph.core import Graph
from graphveil.graph.directed import DirectedGraph
from graphveil.graph.edge_table import EdgeTable
from graphveil.graph.labels import integer_labels, is_text
from graphveil.graph.weighted import WeightedGraph
from graphveil.release.job import Request


@dataclass(frozen=True, slots=True)
class OrderedPeople:
    """The graph with its people in the order of their names, and where each was before; None if nobody had to move.

    The order in which a file or another library has people may follow from the edges: networkx lists people as edges
    name them. Answers that name people (published edges, the most connected, synthetic graphs) are given in the order
    of people, or break ties by it, and would tell of an edge that nobody paid for. The order of names follows from the
    set of people, which is public wherever people are named.
    """

    graph: Graph
    places: Integers | None

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
        if isinstance(graph, DirectedGraph | WeightedGraph) and names is not None:
            return cls(graph.renumbered(number, names), places)
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


def check_node_names(graph: Graph) -> None:
    """Refuse, under node privacy, people who are known by position or whose list was never declared."""
    if not graph.named:
        raise ParameterError(
            "node privacy needs names that stay with people, and this graph knows them by position: when one "
            "leaves, everybody after them gets another; give people names that stay: in a file, as the vertex "
            "attribute `name` in igraph, as labels= in gv.from_scipy"
        )
    if not graph.roster_declared:
        raise ParameterError(
            "node privacy needs the list of all people, also those without edges: give people= (--people FILE)"
        )
