"""The metrics of a published graph against the original: the fifteen queries of PGB and a few that say more.

PGB (Liu et al. 2024) compares counts, degrees, distances, clustering, communities, assortativity and centrality. Its
two Kullback-Leibler divergences explode on empty bins, so the Kolmogorov-Smirnov and total variation distances of
degrees stand beside them; NMI is not adjusted for chance, so AMI stands beside it. Added are the spectrum, the joint
degrees in powers of two and clustering by degree.

Communities are compared person by person, by name. Where the two graphs do not name the same people, or names are not
to be believed, the published nodes are put in random order first: generators that list nodes by block or degree
otherwise agree by accident with inputs that list people community by community.

How much two partitions of the same people agree: mutual information, normalised, and adjusted for chance.

Normalised mutual information (NMI) grows with the number of groups even between unrelated partitions; the adjusted one
(AMI; Vinh, Epps, Bailey 2010) subtracts what two random partitions with groups of these sizes share. Both are divided
by the mean of the two entropies. 1 means the same partition.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from graphveil.arrays import AnyArray, Floats, Integers
from graphveil.evaluation.metrics.profile import Profile, profile
from graphveil.graph.convert import as_graph
from graphveil.graph.core import Graph
from graphveil.graph.labels import is_text, label_list


def agreement(first: Integers, second: Integers) -> tuple[float, float]:
    """(NMI, AMI) of two partitions given as labels.

    >>> same = np.array([0, 0, 1, 1])
    >>> agreement(same, np.array([5, 5, 3, 3]))
    (1.0, 1.0)
    >>> [round(score, 3) for score in agreement(same, np.array([0, 1, 0, 1]))]
    [0.0, -0.5]
    """
    size = len(first)
    rows, row_sizes = np.unique(first, return_inverse=True, return_counts=True)[1:]
    columns, column_sizes = np.unique(second, return_inverse=True, return_counts=True)[1:]
    mean_entropy = (_entropy(row_sizes) + _entropy(column_sizes)) / 2
    if mean_entropy == 0:  # one group each: nothing to tell apart, and both agree
        return 1.0, 1.0
    cells, counts = np.unique(rows * len(column_sizes) + columns, return_counts=True)
    expected_counts = row_sizes[cells // len(column_sizes)] * column_sizes[cells % len(column_sizes)] / size
    shared = float(counts @ np.log(counts / expected_counts)) / size
    by_chance = _expected_information(row_sizes, column_sizes, size)
    adjusted = (shared - by_chance) / (mean_entropy - by_chance) if mean_entropy > by_chance else 1.0
    return min(1.0, max(0.0, shared / mean_entropy)), min(1.0, adjusted)


def _entropy(sizes: Integers) -> float:
    shares = sizes / sizes.sum()
    return float(-shares @ np.log(shares))


def _expected_information(row_sizes: Integers, column_sizes: Integers, size: int) -> float:
    """Mean mutual information of random partitions with these group sizes; groups of one size are taken together."""
    from scipy.stats import hypergeom

    total = 0.0
    for a, n_rows in zip(*np.unique(row_sizes, return_counts=True), strict=True):
        for b, n_columns in zip(*np.unique(column_sizes, return_counts=True), strict=True):
            shared = np.arange(max(1, a + b - size), min(a, b) + 1)
            terms = shared / size * np.log(size * shared / (a * b))
            total += int(n_rows * n_columns) * float(terms @ hypergeom.pmf(shared, size, a, b))
    return total


TINY = float(np.finfo(np.float64).eps)  # what PGB adds to empty bins
TOP_SHARE = 100  # centrality is compared over the first of so many parts of the people

DISTANCES = ("degree_kl", "degree_ks", "degree_tv", "distance_kl", "eigenvector_mae", "joint_degree_l1",
             "clustering_by_degree_mae")  # fmt: skip
SCORES = ("community_nmi", "community_ami")


@dataclass(frozen=True, slots=True)
class Evaluation:
    """`metrics[name]` has `original`, `published` and `error`: relative, or a distance, or 1 minus a score."""

    metrics: dict[str, dict[str, Any]]
    same_people: bool
    sampled_sources: int | None

    @property
    def errors(self) -> dict[str, float | None]:
        """The error of each metric by name; None where it is not defined."""
        return {name: row["error"] for name, row in self.metrics.items()}

    def to_json(self) -> dict[str, Any]:
        """The document of the command line's contract."""
        return {"metrics": self.metrics, "people_matched": self.same_people, "sampled_sources": self.sampled_sources}


def evaluate(original: Any, published: Any, *, relabel: bool = False, seed: int = 0) -> Evaluation:
    """Compare two graphs, each in any form that `as_graph` takes; `relabel` forgets who is who in the published one.

    >>> ring = Graph.from_edges([(0, 1), (1, 2), (2, 3), (3, 0)])
    >>> metrics = evaluate(ring, Graph.from_edges([(0, 1), (1, 2), (2, 3)])).metrics
    >>> metrics["edges"], metrics["degree_ks"]["error"]
    ({'original': 4, 'published': 3, 'error': 0.25}, 0.5)
    """
    original, published = as_graph(original), as_graph(published)
    order = None if relabel else match_people(original, published)
    return compare(profile(original, seed=seed), profile(published, seed=seed), order, seed=seed)


def match_people(original: Graph, published: Graph) -> Integers | None:
    """Where each person of the original is in the published graph, or None if they do not name the same people."""
    if original.n_nodes != published.n_nodes:
        return None
    mixed = is_text(original.labels) != is_text(published.labels)
    first, second = (label_list(graph.labels, graph.n_nodes) for graph in (original, published))
    if mixed:
        first, second = list(map(str, first)), list(map(str, second))
    place = {name: node for node, name in enumerate(second)}
    found = np.array([place.get(name, -1) for name in first], dtype=np.int64)
    return None if (found < 0).any() else found


def compare(original: Profile, published: Profile, people: Integers | None, *, seed: int = 0) -> Evaluation:
    """Compare two profiles; `people` says where each person of the original is in the published graph."""
    metrics: dict[str, dict[str, Any]] = {
        name: _row(value, published.numbers[name]) for name, value in original.numbers.items()
    }
    metrics["spectrum"] = _spectrum_row(original, published)
    for name, distance in zip(DISTANCES, _distances(original, published), strict=True):
        metrics[name] = {"original": None, "published": None, "error": distance}
    for name, score in zip(SCORES, _community_scores(original, published, people, seed), strict=True):
        metrics[name] = {"original": 1.0, "published": score, "error": None if score is None else 1 - score}
    sampled = original.distances.sampled or published.distances.sampled
    return Evaluation(metrics, people is not None, original.distances.sources if sampled else None)


def _row(before: float, after: float) -> dict[str, Any]:
    if before == after:
        error: float | None = 0.0
    else:
        error = abs(after - before) / abs(before) if before else None
    return {"original": before, "published": after, "error": error}


def _spectrum_row(original: Profile, published: Profile) -> dict[str, Any]:
    a, b = _padded(original.eigenvalues, published.eigenvalues)
    total = float(np.abs(a).sum())
    error = float(np.abs(a - b).sum()) / total if total else None if b.any() else 0.0
    return {"original": original.eigenvalues.tolist(), "published": published.eigenvalues.tolist(), "error": error}


def _distances(original: Profile, published: Profile) -> tuple[float, ...]:
    """In the order of `DISTANCES`."""
    p, q = (_shares(side) for side in _padded(original.degree_counts, published.degree_counts))
    steps = _padded(np.array(original.distances.histogram), np.array(published.distances.histogram))
    n_top = max(1, original.n_nodes // TOP_SHARE)
    top = _padded(np.sort(original.centrality)[::-1][:n_top], np.sort(published.centrality)[::-1][:n_top])
    return (
        _divergence(p, q),
        float(np.abs(np.cumsum(p - q)).max(initial=0.0)),
        float(np.abs(p - q).sum() / 2),
        _divergence(*(_shares(side) for side in steps)),
        float(np.abs(top[0] - top[1]).mean()) if len(top[0]) else 0.0,
        joint_distance(original.log_joint, published.log_joint) / max(1.0, original.numbers["edges"]),
        _class_distance(original.by_degree, published.by_degree),
    )


def _community_scores(
    original: Profile, published: Profile, people: Integers | None, seed: int
) -> tuple[float | None, float | None]:
    if original.n_nodes != published.n_nodes:
        return None, None
    order = np.random.default_rng(seed).permutation(original.n_nodes) if people is None else people
    return agreement(original.communities, published.communities[order])


def _padded(*vectors: AnyArray) -> list[Floats]:
    """The vectors with zeros behind the shorter ones."""
    size = max(len(vector) for vector in vectors)
    return [np.pad(vector.astype(np.float64), (0, size - len(vector))) for vector in vectors]


def _shares(counts: Floats) -> Floats:
    return counts / max(1.0, float(counts.sum()))


def _divergence(p: Floats, q: Floats) -> float:
    """Kullback-Leibler divergence of p from q, smoothed as PGB does."""
    return max(0.0, float(p @ np.log((p + TINY) / (q + TINY))))


def joint_distance(first: AnyArray, second: AnyArray) -> float:
    """L1 distance of two tables, the smaller one filled up with zeros."""
    size = max(len(first), len(second))
    a, b = (np.pad(table, ((0, size - len(table)),) * 2) for table in (first, second))
    return float(np.abs(a - b).sum())


def _class_distance(first: Floats, second: Floats) -> float:
    """Mean difference over the classes in which either has people; a class nobody is in counts as 0."""
    a, b = (np.nan_to_num(side) for side in _padded(first, second))
    known = (~np.isnan(_padded(first)[0])).sum()
    return float(np.abs(a - b).sum() / max(1, known))
