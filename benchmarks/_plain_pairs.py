"""Protocols for triangles and clustering in numpy, as one would first write them: all pairs in one matrix."""

from __future__ import annotations

from typing import Any

import numpy as np


def adjacency(edges: Any, n_people: int) -> Any:
    """A row of answers a person."""
    matrix = np.zeros((n_people, n_people), dtype=bool)
    matrix[tuple(edges.T)] = True
    return matrix | matrix.T


def responses(matrix: Any, epsilon: float, rng: np.random.Generator) -> Any:
    """Every pair answered for once, by randomised response."""
    flips = rng.random(matrix.shape, dtype=np.float32) < 1 / (1 + np.exp(epsilon))
    noisy = np.triu(matrix ^ flips, 1)
    return noisy | noisy.T


def counts(matrix: Any, noisy: Any, epsilon: float, *, below: bool) -> Any:
    """Everybody's triangles seen in the noisy graph, unbiased; `below`: among friends of a lower number only."""
    keep = 1 / (1 + np.exp(-epsilon))
    found = np.empty(len(matrix))
    for person, row in enumerate(matrix):
        friends = np.flatnonzero(row[:person] if below else row)
        seen = np.count_nonzero(noisy[np.ix_(friends, friends)]) / 2
        found[person] = (seen - (1 - keep) * len(friends) * (len(friends) - 1) / 2) / (2 * keep - 1)
    return found


def noisy_lengths(matrix: Any, epsilon: float, rng: np.random.Generator) -> Any:
    """Degrees with noise."""
    return matrix.sum(axis=1) + rng.laplace(0, 1 / epsilon, len(matrix))


def own_bounds(matrix: Any, rng: np.random.Generator, shares: tuple[float, float, float], *, below: bool) -> Any:
    """Lengths, answers, counts with noise for everybody's own length; each gets its share of epsilon."""
    of_length, of_answers, of_count = shares
    lengths = np.maximum(noisy_lengths(matrix, of_length, rng) + 10, 1)
    found = counts(matrix, responses(matrix, of_answers, rng), of_answers, below=below)
    return found + rng.laplace(0, lengths / np.tanh(of_answers / 2) / of_count)


def largest_bound(matrix: Any, rng: np.random.Generator, *, below: bool) -> Any:
    """The same with noise for the largest noisy degree (Local2Rounds; Imola et al. 2021)."""
    most = noisy_lengths(matrix, 0.1, rng).max()
    found = counts(matrix, responses(matrix, 0.45, rng), 0.45, below=below)
    return found + rng.laplace(0, most / np.tanh(0.225) / 0.45, len(matrix))


def in_order(matrix: Any, rng: np.random.Generator) -> float:
    """Triangles, each counted by the person of the highest number; numbers fall with the noisy degree."""
    order = np.argsort(-noisy_lengths(matrix, 0.03, rng))
    return float(own_bounds(matrix[np.ix_(order, order)], rng, (0.1, 0.97, 0.87), below=True).sum())


def transitivity(matrix: Any, rng: np.random.Generator) -> float:
    """Three times the triangles over the pairs of friends, both unbiased."""
    lengths = noisy_lengths(matrix, 0.1, rng)
    pairs = (lengths * (lengths - 1) - 200).sum() / 2
    return 3 * float(own_bounds(matrix, rng, (0.1, 0.9, 0.8), below=True).sum()) / pairs


def corrected(matrix: Any, rng: np.random.Generator) -> Any:
    """Everybody's triangles from unbiased answers alone (RNL)."""
    keep = np.e / (1 + np.e)
    clean = (responses(matrix, 1, rng) - (1 - keep)).astype(np.float32) / (2 * keep - 1)
    np.fill_diagonal(clean, 0)
    return ((clean @ clean) * clean).sum(axis=1) / 2, clean.sum(axis=1)


def clustering(triangles: Any, degrees: Any) -> Any:
    """Coefficients between 0 and 1."""
    return np.clip(triangles / np.maximum(degrees * (degrees - 1) / 2, 1), 0, 1)


def refined(matrix: Any, rng: np.random.Generator) -> Any:
    """Clustering from a noisy graph and noisy degrees (LF-GDPR; Ye et al. 2020)."""
    n, keep = len(matrix), 1 / (1 + np.exp(-0.9))
    noisy, flip = responses(matrix, 0.9, rng).astype(np.float32), 1 - keep
    seen, density = noisy.sum(axis=1), noisy.sum() / (n * (n - 1))
    of_answers, of_degrees = n * keep * flip / (keep - flip) ** 2, 200.0
    sent, answered = noisy_lengths(matrix, 0.1, rng), (seen - flip * (n - 1)) / (keep - flip)
    degrees = np.clip((sent * of_answers + answered * of_degrees) / (of_answers + of_degrees), 0, n - 1)
    strangers = n - 1 - degrees
    by_chance = degrees * (degrees - 1) / 2 * keep**2 * flip + degrees * strangers * keep * flip * density
    by_chance += strangers**2 / 2 * flip**2 * density
    corners = ((noisy @ noisy) * noisy).sum(axis=1) / 2
    return clustering((corners - by_chance) / (keep**2 * (keep - flip)), degrees)
