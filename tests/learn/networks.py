"""A block model with classes and weak features, small enough for tests."""

from __future__ import annotations

import numpy as np

from graphveil.graph.core import Graph


def block_model(n_people: int = 240, n_classes: int = 3, seed: int = 0) -> tuple[Graph, dict[str, list[str]]]:
    """A graph in which people of one class know each other more often, and a table with everybody's class."""
    rng = np.random.default_rng(seed)
    classes = rng.integers(0, n_classes, n_people)
    chance = np.where(classes[:, None] == classes[None, :], 0.16, 0.02)
    edges = np.argwhere(np.triu(rng.random((n_people, n_people)) < chance, 1))
    words = rng.random((n_people, 12)) < 0.15 + 0.2 * (np.arange(12) % n_classes == classes[:, None])
    table = {
        "person": [str(place) for place in range(n_people)],
        "kind": [f"k{each}" for each in classes],
        "words": [" ".join(f"w{word}" for word in np.flatnonzero(row)) for row in words],
    }
    return Graph.from_edges(edges, n_nodes=n_people), table


def hide(table: dict[str, list[str]], share: float, seed: int = 0) -> tuple[dict[str, list[str]], list[str]]:
    """The table with that share of labels, and the names of the others."""
    rng = np.random.default_rng(seed)
    kept = rng.permutation(len(table["kind"])) < share * len(table["kind"])
    cells = [cell if keep else "" for cell, keep in zip(table["kind"], kept, strict=True)]
    return table | {"kind": cells}, [name for name, keep in zip(table["person"], kept, strict=True) if not keep]
