"""Families of graphs that differ in what algorithms trip over: cliques, hubs, degree correlation, few or no triangles.

An algorithm whose constants were set on a few social networks may be wrong on others. Each family here stands for a
property of real graphs, at a size that tests can afford:

    cliques         cliques of heavy-tailed sizes, and as many people of the same degrees without any triangle
    hubs            a few people who know a large part of everybody
    forest          sparse, without a cycle
    bipartite       two sides with edges only between them: no triangle, many wedges
    triads          sparse, most edges in a triangle
    assortative     heavy-tailed degrees, joined by like degree
    disassortative  the same degrees, joined by unlike degree
    near-regular    everybody has almost the same degree
    ring            neighbours on a ring know each other: many triangles, one degree
    lattice         the same without chance: all have eight friends, and everybody looks alike
    communities     five groups, most edges within them
    star            one person knows everybody, nobody else anybody
    tree            who has many friends gets more: heavy-tailed degrees without a cycle
    components      many small components, from pairs to a few dozen people, and people without friends
    tiny            up to 50 people

All take an explicit seed and no other source of chance. They make test inputs, not private outputs.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import pairwise

import numpy as np

from graphveil.arrays import Integers
from graphveil.errors import ParameterError, unknown_name
from graphveil.graph.core import Graph
from graphveil.graph.generate.degrees import configuration, is_graphical
from graphveil.graph.generate.random import barabasi_albert, erdos_renyi, power_law_cluster

LEAST_PEOPLE = 100  # for families other than `tiny` to have their property
REWIRINGS_PER_EDGE = 20


def family(name: str, n: int, *, seed: int) -> Graph:
    """A graph of n people from the family of this name.

    >>> int(family("hubs", 500, seed=1).degrees.max()) > 100
    True
    """
    if name not in FAMILIES:
        raise unknown_name("family", name, FAMILIES)
    least, most = (2, 50) if name == "tiny" else (LEAST_PEOPLE, 1_000_000)
    if not least <= n <= most:
        raise ParameterError(f"n is {n}; the family {name} has {least} to {most:,} people")
    graph = FAMILIES[name](n, seed)
    return Graph.from_edges(graph.edges(), n_nodes=n, named=True)


def join_cliques(n: int, seed: int) -> Graph:
    """Half of the people in cliques of heavy-tailed sizes, the others with the same degrees and hardly a triangle.

    So people of one degree are of two kinds, with a local clustering near 1 and near 0. Some edges join the two halves.
    """
    rng = np.random.default_rng(seed)
    half = n // 2
    starts = [0]
    while starts[-1] < half:
        size = int(min(3 * rng.random() ** (-1 / 1.3), half / 10))
        starts.append(min(half, starts[-1] + max(2, size)))
    within = [_all_pairs(first, last) for first, last in pairwise(starts)]
    degrees = np.repeat(np.diff(starts), np.diff(starts)) - 1
    others = configuration(_made_even(degrees), seed=seed).edges() + half
    across = np.stack((rng.integers(0, half, n // 20), half + rng.integers(0, half, n // 20)), axis=1)
    return Graph.from_edges(np.concatenate((*within, others, across)), n_nodes=n)


def join_hubs(n: int, seed: int) -> Graph:
    """Independent edges, four for everybody, and five hubs who know from 60 % to 10 % of everybody."""
    rng = np.random.default_rng(seed)
    edges = [erdos_renyi(n, m=2 * n, seed=seed).edges()]
    for hub, share in enumerate((0.6, 0.4, 0.3, 0.2, 0.1)):
        known = np.flatnonzero(rng.random(n) < share)
        known = known[known != hub]
        edges.append(np.stack((np.full(len(known), hub), known), axis=1))
    return Graph.from_edges(np.unique(np.sort(np.concatenate(edges), axis=1), axis=0), n_nodes=n)


def join_forest(n: int, seed: int) -> Graph:
    """Most people join one earlier person at random: no cycle, about a tenth of the trees have a single person."""
    rng = np.random.default_rng(seed)
    later = np.arange(1, n)
    earlier = (rng.random(n - 1) * later).astype(np.int64)
    kept = rng.random(n - 1) < 0.9
    return Graph.from_edges(np.stack((earlier, later), axis=1)[kept], n_nodes=n)


def join_two_sides(n: int, seed: int) -> Graph:
    """A fifth of the people on one side, met in proportion to a heavy-tailed liking, by four choices of each other."""
    rng = np.random.default_rng(seed)
    few = n // 5
    liking = rng.random(few) ** (-1 / 1.5)
    met = rng.choice(few, size=4 * (n - few), p=liking / liking.sum())
    edges = np.stack((met, np.repeat(np.arange(few, n), 4)), axis=1)
    return Graph.from_edges(np.unique(edges, axis=0), n_nodes=n)


def join_triads(n: int, seed: int) -> Graph:
    """Everybody in one triangle with two people drawn at random, and some edges between people at random."""
    rng = np.random.default_rng(seed)
    threes = rng.permutation(n)[: 3 * (n // 3)].reshape(-1, 3)
    edges = np.concatenate((threes[:, [0, 1]], threes[:, [1, 2]], threes[:, [0, 2]], rng.integers(0, n, (n // 3, 2))))
    return _simple(edges, n)


def join_by_degree(n: int, seed: int, *, like: bool) -> Graph:
    """Heavy-tailed degrees; edges are rewired two by two so that like degrees meet, or unlike ones.

    After Xulvi-Brunet and Sokolov 2004: of the four ends of two edges the two of largest degree are joined, or each to
    one of the smallest, with a little chance left so that all is not forced.
    """
    rng = np.random.default_rng(seed)
    degrees = np.sort(np.minimum(2 * rng.random(n) ** (-1 / 1.6), np.sqrt(n) * 2).astype(np.int64))[::-1]
    graph = configuration(_made_even(degrees), seed=seed)
    edges = [tuple(edge) for edge in graph.edges().tolist()]
    present, degree = set(edges), graph.degrees.tolist()
    for first, second, chance in zip(*rng.integers(0, len(edges), (2, REWIRINGS_PER_EDGE * len(edges))).tolist(),
                                     rng.random(REWIRINGS_PER_EDGE * len(edges)).tolist(), strict=True):  # fmt: skip
        ends = sorted({*edges[first], *edges[second]}, key=lambda person: degree[person])
        if len(ends) < 4:
            continue
        if chance < 0.05:
            ends = [ends[i] for i in ((0, 2, 1, 3) if like else (0, 1, 2, 3))]
        new = [(ends[0], ends[1]), (ends[2], ends[3])] if like else [(ends[0], ends[3]), (ends[1], ends[2])]
        new = [(min(pair), max(pair)) for pair in new]
        if not any(pair in present for pair in new):
            present -= {edges[first], edges[second]}
            present |= set(new)
            edges[first], edges[second] = new
    return Graph.from_edges(np.array(edges), n_nodes=n)


def join_evenly(n: int, seed: int) -> Graph:
    """Degrees of 9, 10 and 11, joined at random."""
    rng = np.random.default_rng(seed)
    return configuration(_made_even(rng.integers(9, 12, n)), seed=seed)


def join_ring(n: int, seed: int) -> Graph:
    """Everybody knows the five next on a ring in each direction; a tenth of the edges leads anywhere instead.

    After Watts and Strogatz 1998.
    """
    rng = np.random.default_rng(seed)
    ends = np.stack((np.repeat(np.arange(n), 5), (np.arange(n)[:, None] + np.arange(1, 6)).ravel() % n), axis=1)
    moved = rng.random(len(ends)) < 0.1
    ends[moved, 1] = rng.integers(0, n, np.count_nonzero(moved))
    return _simple(ends, n)


def join_lattice(n: int, seed: int) -> Graph:  # noqa: ARG001 - there is one such graph
    """Everybody knows the four next on a ring in each direction."""
    return _simple(np.stack((np.repeat(np.arange(n), 4), (np.arange(n)[:, None] + np.arange(1, 5)).ravel() % n), 1), n)


def join_communities(n: int, seed: int) -> Graph:
    """Five groups of people at random; of ten edges nine join people of one group."""
    rng = np.random.default_rng(seed)
    group, ends = rng.integers(0, 5, n), rng.integers(0, n, (40 * n, 2))
    within = group[ends[:, 0]] == group[ends[:, 1]]
    return _simple(ends[within | (rng.random(len(ends)) < 1 / 36)][: 10 * n], n)


def join_star(n: int, seed: int) -> Graph:  # noqa: ARG001 - there is one such graph
    """One person who knows everybody."""
    return Graph.from_edges(np.stack((np.zeros(n - 1, dtype=np.int64), np.arange(1, n)), axis=1), n_nodes=n)


def join_components(n: int, seed: int) -> Graph:
    """Components of 1, 2, 3, ... up to about 40 people, small ones far more often, each with some density."""
    rng = np.random.default_rng(seed)
    edges, start = [np.empty((0, 2), dtype=np.int64)], 0
    while start < n:
        end = min(n, start + int(min(rng.random() ** (-1 / 1.2), 40)))
        pairs = _all_pairs(start, end)
        path = np.stack((np.arange(start, end - 1), np.arange(start + 1, end)), axis=1)
        edges += [pairs[rng.random(len(pairs)) < rng.random()], path]
        start = end
    return _simple(np.concatenate(edges), n)


def join_few(n: int, seed: int) -> Graph:
    """A handful of people: a growing network with triangles, or a single edge for two."""
    friends = min(3, n - 1)
    return power_law_cluster(n, friends, 0.6, seed=seed)


FAMILIES: Mapping[str, Callable[[int, int], Graph]] = {
    "cliques": join_cliques,
    "hubs": join_hubs,
    "forest": join_forest,
    "bipartite": join_two_sides,
    "triads": join_triads,
    "assortative": lambda n, seed: join_by_degree(n, seed, like=True),
    "disassortative": lambda n, seed: join_by_degree(n, seed, like=False),
    "near-regular": join_evenly,
    "ring": join_ring,
    "lattice": join_lattice,
    "communities": join_communities,
    "star": join_star,
    "tree": lambda n, seed: barabasi_albert(n, 1, seed=seed),
    "components": join_components,
    "tiny": join_few,
}


def _all_pairs(first: int, last: int) -> Integers:
    """All pairs of the people from `first` to before `last`."""
    pairs: Integers = np.stack(np.triu_indices(last - first, 1), axis=1) + first
    return pairs


def _simple(edges: Integers, n: int) -> Graph:
    """The graph of these pairs without loops and repeats."""
    edges = np.sort(edges[edges[:, 0] != edges[:, 1]], axis=1)
    return Graph.from_edges(np.unique(edges, axis=0), n_nodes=n)


def _made_even(degrees: Integers) -> Integers:
    """The same with one friend fewer for the first person, where otherwise no graph would have these degrees."""
    degrees = degrees.copy()
    degrees[0] -= degrees.sum() % 2
    if not is_graphical(degrees):
        raise ParameterError(f"no graph has these {len(degrees)} degrees; take another seed or more people")
    return degrees
