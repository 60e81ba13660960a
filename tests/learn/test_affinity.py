"""What rows of a class look like, and what that is worth where a graph says nothing."""

from __future__ import annotations

import numpy as np
import pytest

from graphveil.graph.core import Graph
from graphveil.learn.affinity import class_shares, laplace_variance
from graphveil.mechanisms.noise.source import SeededNoise
from graphveil.release.session import Session


def test_shares_without_noise_are_those_of_the_counts() -> None:
    """Classes that avoid their own: of 1,000 edges of the first class 900 go to the second."""
    table, labels = np.array([50, 900, 50]), np.array([0, 1])
    rows = np.array([[100, 900], [900, 100]])
    shares = class_shares(table, labels, rows, rate=20.0)
    assert shares == pytest.approx(np.array([[0.1, 0.9], [0.9, 0.1]]), abs=0.01)


def test_noise_alone_tells_nothing_about_classes() -> None:
    """Shares of pure noise are nearly alike for all classes; the same with a signal ten times the noise are not."""
    rng = np.random.default_rng(1)
    n_classes, rate = 20, 0.5
    table = rng.laplace(scale=1 / rate, size=n_classes * (n_classes + 1) // 2).round().astype(int)
    labels = np.arange(n_classes)
    noise = rng.laplace(scale=1 / rate, size=(n_classes, n_classes)).round().astype(int)
    signal = (10 * np.sqrt(laplace_variance(rate)) * np.eye(n_classes)).astype(int)
    empty, full = (class_shares(table, labels, rows, rate) for rows in (noise, noise + signal))
    assert np.abs(empty - empty.mean(axis=0)).max() < 0.05
    assert np.diag(full).mean() > 3 * np.diag(empty).mean()


def test_few_edges_of_many_classes_tell_homophily() -> None:
    """Three edges a class, four of five within it: one number for all classes. Without it .39 is found."""
    rng = np.random.default_rng(3)
    n_classes, rate = 8, 4.0
    ends = rng.integers(n_classes, size=24)
    others = np.where(rng.random(24) < 0.8, ends, rng.integers(n_classes, size=24))
    counts = np.zeros((n_classes, n_classes), dtype=np.int64)
    np.add.at(counts, (np.minimum(ends, others), np.maximum(ends, others)), 1)
    shares = class_shares(counts[np.triu_indices(n_classes)], np.zeros(0, dtype=np.int64), counts[:0], rate)
    assert np.diag(shares).mean() > 0.65
    assert shares.sum(axis=1) == pytest.approx(1)


@pytest.mark.parametrize("labelled", [0.75, 0.15])
def test_many_classes_and_a_random_graph_are_predicted_as_by_features_alone(labelled: float) -> None:
    """Rows of so few people a class once seemed to tell the class that they had shaped: 28 points were lost."""
    rng = np.random.default_rng(2)
    people, n_classes = 300, 25
    classes = rng.integers(n_classes, size=people)
    shown = np.where(rng.random(people) < 0.5, classes, rng.integers(n_classes, size=people))
    hidden = rng.random(people) > labelled
    table = {
        "person": list(range(people)),
        "kind": ["" if hide else f"k{each}" for each, hide in zip(classes, hidden, strict=True)],
        "told": [f"t{each}" for each in shown],
    }
    graph = Graph.from_edges(rng.integers(people, size=(3000, 2)), n_nodes=people)
    model = Session(graph, unit="edge", budget=1, noise=SeededNoise(1)).learn(table, label="kind", epsilon=1)
    unknown = np.flatnonzero(hidden)
    reached = model.score(unknown, [f"k{each}" for each in classes[unknown]])
    assert reached > (0.35 if labelled > 0.5 else 0.1)
    assert model.accuracy()[0] < reached + 0.15
