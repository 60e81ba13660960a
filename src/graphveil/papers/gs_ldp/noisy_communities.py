"""Communities of a noisy graph, and their modularity: LF-GDPR's second metric, in our reading.

All pairs are cut into two halves by a public rule. From the answers about one half communities are found: the leading
eigenvectors of the noisy modularity matrix whose eigenvalues stand out from those that noise alone makes (2 sigma
root n for a symmetric matrix of independent entries), grouped by k-means; that half's
modularity tells how many. From the other half the modularity of the communities

    (edges within communities) / m - sum over communities of (D / 2 m)^2

is estimated, D being the sum of the degrees of a community. Communities were not fitted to that half, so the estimate
is not flattered by its noise. It leans low where noise is small: the halves make up one graph, and edges within
communities are more in the half that they were found in. The modularity of the whole graph lies, on average, between
what the second half shows and the mean of what both halves show, which noise flatters. The 95 % interval reaches from
1.96 deviations below the one to 1.96 above the other. All of it is post-processing of what was sent for clustering.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.cluster.vq import kmeans2
from scipy.sparse.linalg import LinearOperator, eigsh

from graphveil.arrays import Bits, Floats, Integers
from graphveil.local.pairs.dense import BitMatrix
from graphveil.local.pairs.response import PairResponse
from graphveil.local.protocol import NORMAL95
from graphveil.mechanisms.noise.person_streams import public_words

BLOCK = 512
MOST = 20  # eigenvectors
LEAST_MODULARITY = -0.5  # of any communities of any graph
MOST_PEOPLE = 10_000  # four bytes for each pair of them are held


@dataclass(frozen=True, slots=True, eq=False)
class NoisyHalves:
    """Unbiased answers about either half of the pairs, block of people by block; both sum to the graph on average."""

    matrix: BitMatrix
    response: PairResponse

    def bits(self) -> Any:
        """A row of public bits for each person; whether two rows share an odd number of ones tells the half."""
        words = public_words("community-halves", np.arange(self.matrix.n_people))
        return np.unpackbits(words.view(np.uint8).reshape(-1, 8), axis=1).astype(np.float32)

    def block(self, bits: Any, rows: Integers, *, first: bool) -> Any:
        """Twice the unbiased answers of these rows in one half, 0 in the other and for people with themselves."""
        n, q = self.matrix.n_people, float(self.response.flip_probability)
        answers = np.unpackbits(self.matrix.rows[rows].view(np.uint8), axis=1, bitorder="little")[:, :n]
        chosen: Bits = ((bits[rows] @ bits.T).astype(np.int64) % 2 == 1) == first
        made = np.where(chosen, 2 * (answers - q) / float(self.response.gain), 0.0).astype(np.float32)
        made[np.arange(len(rows)), rows] = 0.0
        return made

    def blocks(self, *, first: bool) -> Iterator[tuple[Integers, Any]]:
        """All rows of one half."""
        n, bits = self.matrix.n_people, self.bits()
        cuts = (np.arange(start, min(start + BLOCK, n)) for start in range(0, n, BLOCK))
        return ((rows, self.block(bits, rows, first=first)) for rows in cuts)

    @property
    def variance(self) -> float:
        """Of an entry of one half: twice that of an answer, half of the entries being 0."""
        return 2 * float(self.response.variance)


def find_noisy_communities(halves: NoisyHalves, degrees: Floats) -> Integers:
    """Everybody's community, from the first half; one for all where nothing stands out from noise."""
    n, twice_edges = len(degrees), max(float(degrees.sum()), 1.0)
    blocks = list(halves.blocks(first=True))

    def product(vector: Floats) -> Floats:
        single = vector.astype(np.float32)
        return np.concatenate([block @ single for _, block in blocks]) - degrees * (degrees @ vector) / twice_edges

    wanted = min(MOST, n - 2)
    if wanted < 1:
        return np.zeros(n, dtype=np.int64)
    values, vectors = eigsh(
        LinearOperator((n, n), matvec=product, dtype=np.float64), k=wanted, which="LA", v0=degrees + 1
    )
    seen = values > 2 * math.sqrt(halves.variance * n + twice_edges / n)  # of answers, and of which edges are in it
    if not seen.any():
        return np.zeros(n, dtype=np.int64)
    tried = [_grouped(vectors[:, -number:] * np.sqrt(values[-number:])) for number in range(1, int(seen.sum()) + 1)]
    return max(tried, key=lambda labels: _modularity(blocks, labels, degrees))


def _grouped(places: Floats) -> Integers:
    """As many groups as there are directions, and one more."""
    _, labels = kmeans2(places, places.shape[1] + 1, minit="++", seed=0)
    return np.unique(labels, return_inverse=True)[1].astype(np.int64)


def _modularity(blocks: Iterable[tuple[Integers, Any]], labels: Integers, degrees: Floats) -> float:
    """The modularity that one half shows, before what noise of degrees adds is taken off."""
    edges = max(float(degrees.sum()) / 2, 1.0)
    within = sum(float(block[labels[rows][:, np.newaxis] == labels].sum()) for rows, block in blocks) / 2
    return within / edges - float((np.bincount(labels, degrees) ** 2).sum()) / (4 * edges**2)


def noisy_modularity(
    halves: NoisyHalves, labels: Integers, degrees: Floats, degree_variance: float, *, first: bool = False
) -> tuple[float, float]:
    """The modularity of these communities by the second half, or the first; and its deviation."""
    edges = max(float(degrees.sum()) / 2, 1.0)
    sizes = np.bincount(labels).astype(np.float64)
    sums, noise = np.bincount(labels, degrees), sizes * degree_variance
    value = _modularity(halves.blocks(first=first), labels, degrees) + float(noise.sum()) / (4 * edges**2)
    within = edges * (value + float((sums**2 - noise).sum()) / (4 * edges**2))
    pairs = float((sizes * (sizes - 1) / 2).sum())
    of_edges = halves.variance * pairs + max(within, 0.0)  # answers, and which edges are in this half
    of_degrees = float(((sums / edges) ** 2 * noise).sum()) / (4 * edges**2)
    return value, math.sqrt(of_edges / edges**2 + of_degrees)


def community_facts(
    matrix: BitMatrix, response: PairResponse, degrees: Floats, degree_variance: float
) -> dict[str, Any]:
    """Modularity with its deviation and interval, and the sizes of the communities; nothing for too many people."""
    if matrix.n_people > MOST_PEOPLE:
        return {}
    halves = NoisyHalves(matrix, response)
    labels = find_noisy_communities(halves, degrees)
    value, std = noisy_modularity(halves, labels, degrees, degree_variance)
    flattered, _ = noisy_modularity(halves, labels, degrees, degree_variance, first=True)
    low, high = value - NORMAL95 * std, max(value, (value + flattered) / 2) + NORMAL95 * std
    possible = np.clip([low, value, high], LEAST_MODULARITY, 1.0).tolist()
    return {
        "modularity": possible[1],
        "modularity_std": std,
        "modularity_interval95": [possible[0], possible[2]],
        "communities": sorted(np.bincount(labels).tolist(), reverse=True),
        "community_of": labels.tolist(),
    }
