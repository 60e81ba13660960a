"""The graphs with attributes of people, as published experiments prepare them, and the labels that are left."""

from __future__ import annotations

import csv
import gzip
import io
import os
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from graphveil.graph.core import Graph

LARGEST_CLASSES = 6  # class years, as in GAP (Sajadmanesh and others 2023): the six largest; everybody else is left out
GRAPHS = {
    "fb100-wisconsin": "year",
    "fb100-amherst": "year",
    "fb100-reed": "year",
    "cora": "topic",
    "citeseer": "topic",
}


@dataclass(frozen=True)
class Attributed:
    """A graph, and a table of its people by columns, the name first."""

    graph: Graph
    table: dict[str, list[str]]
    label: str

    def hidden(self, share: float, seed: int) -> tuple[dict[str, list[str]], list[str]]:
        """The table with that share of labels, the others empty; and the names of a test set of 15 %."""
        order = np.random.default_rng(seed).permutation(len(self.table[self.label]))
        kept = set(order[: int(share * len(order))].tolist())
        cells = [cell if place in kept else "" for place, cell in enumerate(self.table[self.label])]
        names = next(iter(self.table.values()))
        test = [names[place] for place in order[len(order) - int(0.15 * len(order)) :]]
        return self.table | {self.label: cells}, test


def load(name: str) -> Attributed:
    """A graph by name from the folder GRAPHVEIL_DATA."""
    folder = Path(os.environ["GRAPHVEIL_DATA"]) / "attributed"
    with gzip.open(folder / f"{name}.people.csv.gz", "rt", encoding="utf-8") as file:
        rows = list(csv.DictReader(io.StringIO(file.read())))
    label = GRAPHS[name]
    counts: dict[str, int] = {}
    for row in rows:
        counts[row[label]] = counts.get(row[label], 0) + 1
    counts.pop("", None)
    largest = set(sorted(counts, key=lambda each: -counts[each])[: LARGEST_CLASSES if label == "year" else None])
    kept = [row for row in rows if row[label] in largest]
    person = next(iter(rows[0]))
    number = {row[person]: place for place, row in enumerate(kept)}
    with gzip.open(folder / f"{name}.edges.txt.gz", "rt", encoding="utf-8") as file:
        pairs = [line.split() for line in file if not line.startswith("#")]
    edges = [(number[u], number[v]) for u, v in pairs if u in number and v in number]
    labels = np.array([int(row[person]) for row in kept])
    graph = Graph.from_edges(np.array(edges), n_nodes=len(kept), labels=labels)
    return Attributed(graph, {column: [row[column] for row in kept] for column in rows[0]}, label)
