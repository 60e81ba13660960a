"""What the two servers compute, in the clear: for simulations of large graphs, and as the reference of the tests."""

from __future__ import annotations

import numpy as np

from graphveil.arrays import Integers
from graphveil.graph.core import Graph
from graphveil.graph.statistics.triangles import exact_triangles
from graphveil.local.lists import Lists
from graphveil.two_servers.triangle_terms import Answers, TriangleTerms


def agreed_graph(terms: TriangleTerms, lists: Lists) -> Graph:
    """The friendships that count: both ends keep each other, and not both are hubs. Absent people have none."""
    n = terms.n_people
    sources = np.repeat(lists.people, lists.degrees)
    targets = lists.indices.astype(np.int64)
    hub = np.isin(np.arange(n), terms.hubs)
    kept = ~(hub[sources] & hub[targets])
    for place in np.flatnonzero((lists.degrees > terms.max_degree) & ~hub[lists.people]):
        here = slice(lists.indptr[place], lists.indptr[place + 1])
        kept[here] = np.isin(targets[here], terms.kept_friends(int(lists.people[place]), targets[here]))
    forward = sources[kept] * n + targets[kept]
    both: Integers = np.intersect1d(forward, targets[kept] * n + sources[kept])
    return Graph.from_edges(np.column_stack((both // n, both % n)), n_nodes=n)


def weighted_count(terms: TriangleTerms, lists: Lists, answers: Answers) -> int:
    """The weighted count of people's lists, before noise."""
    graph = agreed_graph(terms, lists)
    total = terms.weight * int(exact_triangles(graph))
    friends = {each: graph.indices[graph.indptr[each] : graph.indptr[each + 1]] for each in terms.hubs}
    for (first, second), weight in terms.pair_weights(answers).items():
        total += weight * len(np.intersect1d(friends[first], friends[second], assume_unique=True))
    return total
