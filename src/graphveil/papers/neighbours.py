"""Neighbouring inputs for published steps and their repairs: degrees, friend lists and graphs, borders by hand."""

from __future__ import annotations

from graphveil.audit.engine.pairs import Pair, edge_toggles, friend_list, toggle_edge
from graphveil.graph.core import Graph

N_OTHERS = 30
THRESHOLD = 8


def degrees() -> list[Pair]:
    """Within a group of ten, at its border, and far apart."""
    pairs = ((3, 4), (9, 10), (0, 9), (0, 40))
    return [Pair(one, other, f"{one} friends or {other}") for one, other in pairs]


def degrees_of_a_group() -> list[Pair]:
    """Where a group number tells nothing."""
    return [Pair(3, 4, "3 friends or 4"), Pair(0, 9, "0 friends or 9")]


def lists() -> list[Pair]:
    """One friend more: below the threshold, at it and above it; in the circle of the others, and outside."""
    inside = [(range(1, 1 + d), extra) for d in (4, THRESHOLD - 1, THRESHOLD, THRESHOLD + 1) for extra in (0, 20)]
    swap = ([*range(1, THRESHOLD), 20], 0)  # person 0 takes the place of person 20, whom nobody else knows
    return [
        Pair(
            friend_list(N_OTHERS, friends),
            friend_list(N_OTHERS, [*friends, extra]),
            f"{len(friends)} friends, or person {extra} too" + (" (for person 20)" if 20 in friends else ""),
        )
        for friends, extra in (*inside, swap)
    ]


def any_two_lists() -> list[Pair]:
    """Besides these, lists that differ everywhere."""
    nobody = friend_list(N_OTHERS, ())
    strangers, circle = (friend_list(N_OTHERS, range(start, start + THRESHOLD)) for start in (20, 0))
    return [
        *lists(),
        Pair(nobody, circle, f"no friends or {THRESHOLD}"),
        Pair(strangers, circle, f"{THRESHOLD} friends who are strangers, or who know each other"),
    ]


def graphs() -> list[Pair]:
    """An edge more or less in graphs with hubs, leaves and few tuples."""
    star = [(0, i) for i in range(1, 9)]
    path = [(9, 10), (10, 11), (11, 12)]
    stars = [*((0, i) for i in range(2, 8)), *((1, i) for i in range(8, 14))]
    graphs = {
        "a star and a path": Graph.from_edges(star + path, n_nodes=14),
        "a star, a triangle and a path": Graph.from_edges([*star, *path, (12, 13), (1, 2)], n_nodes=14),
        "two stars": Graph.from_edges(stars, n_nodes=14),
    }
    return edge_toggles(graphs)


def paths_cut() -> list[Pair]:
    """The path beside a star with or without an edge: its tuples come and go, and so does the noise they get."""
    star, path = [(0, i) for i in range(1, 9)], [(9, 10), (10, 11), (11, 12)]
    whole = Graph.from_edges(star + path, n_nodes=14)
    return [
        Pair(whole, toggle_edge(whole, u, v), f"a star and a path, edge {u}-{v} there or not")
        for u, v in [*path, star[0]]
    ]
