"""The queries of a session by name: `degree-histogram` on the command line is `degree_histogram` here."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any

from graphveil.privacy.loss import Number
from graphveil.release.release import Release


class Queries(ABC):
    """One method a query; each is `release` under its name."""

    @abstractmethod
    def release(
        self, query: str, *, epsilon: Number, method: str | None = None, request_id: str | None = None, **options: Any
    ) -> Release:
        """Answer one query."""

    def edges(self, *, epsilon: Number, **options: Any) -> Release:
        """Number of edges. Under node privacy with degrees cut at `max_degree`, or at a bound that is paid for."""
        return self.release("edges", epsilon=epsilon, **options)

    def nodes(self, *, epsilon: Number, **options: Any) -> Release:
        """Number of people (node privacy; under edge privacy it is public)."""
        return self.release("nodes", epsilon=epsilon, **options)

    def max_degree(self, *, epsilon: Number, **options: Any) -> Release:
        """Largest degree (edge privacy only)."""
        return self.release("max-degree", epsilon=epsilon, **options)

    def degree_histogram(self, *, epsilon: Number, **options: Any) -> Release:
        """How many people have each degree, from 0 up."""
        return self.release("degree-histogram", epsilon=epsilon, **options)

    def degree_distribution(self, *, epsilon: Number, **options: Any) -> Release:
        """The share of people that have each degree, from 0 up."""
        return self.release("degree-distribution", epsilon=epsilon, **options)

    def degree_sequence(self, *, epsilon: Number, **options: Any) -> Release:
        """All degrees in falling order, without names (edge privacy only)."""
        return self.release("degree-sequence", epsilon=epsilon, **options)

    def joint_degrees(self, *, epsilon: Number, **options: Any) -> Release:
        """How many edges join people of which degrees (edge privacy only)."""
        return self.release("joint-degrees", epsilon=epsilon, **options)

    def triangles(self, *, epsilon: Number, **options: Any) -> Release:
        """Number of triangles."""
        return self.release("triangles", epsilon=epsilon, **options)

    def two_stars(self, *, epsilon: Number, **options: Any) -> Release:
        """Number of 2-stars: people with a pair of their friends."""
        return self.release("2-stars", epsilon=epsilon, **options)

    def three_stars(self, *, epsilon: Number, **options: Any) -> Release:
        """Number of 3-stars: people with three of their friends."""
        return self.release("3-stars", epsilon=epsilon, **options)

    def transitivity(self, *, epsilon: Number, **options: Any) -> Release:
        """Share of all 2-stars that are closed to a triangle."""
        return self.release("transitivity", epsilon=epsilon, **options)

    def average_clustering(self, *, epsilon: Number, **options: Any) -> Release:
        """Average of everybody's local clustering coefficient (edge privacy only)."""
        return self.release("average-clustering", epsilon=epsilon, **options)

    def clustering_by_degree(self, *, epsilon: Number, **options: Any) -> Release:
        """Clustering of people by degree class (edge privacy only)."""
        return self.release("clustering-by-degree", epsilon=epsilon, **options)

    def assortativity(self, *, epsilon: Number, **options: Any) -> Release:
        """Whether the well connected know each other (edge privacy only)."""
        return self.release("assortativity", epsilon=epsilon, **options)

    def components(self, *, epsilon: Number, **options: Any) -> Release:
        """Number of connected components (edge privacy only)."""
        return self.release("components", epsilon=epsilon, **options)

    def degeneracy(self, *, epsilon: Number, **options: Any) -> Release:
        """The largest k for which a k-core exists."""
        return self.release("degeneracy", epsilon=epsilon, **options)

    def h_index(self, *, epsilon: Number, **options: Any) -> Release:
        """The largest h for which h people have at least h friends (node privacy)."""
        return self.release("h-index", epsilon=epsilon, **options)

    def most_connected(self, *, epsilon: Number, **options: Any) -> Release:
        """One of the best connected people, by name (edge privacy only)."""
        return self.release("most-connected", epsilon=epsilon, **options)

    def top_people(self, *, epsilon: Number, **options: Any) -> Release:
        """The `k` best connected people, by name (edge privacy only)."""
        return self.release("top-people", epsilon=epsilon, **options)

    def best_partition(self, *, epsilon: Number, **options: Any) -> Release:
        """Which of several candidate `partitions` fits best, by modularity (edge privacy only)."""
        return self.release("best-partition", epsilon=epsilon, **options)

    def adjacency(self, *, epsilon: Number, **options: Any) -> Release:
        """A graph to hand out, as pairs of labels, of which only a share is true (edge privacy only)."""
        return self.release("adjacency", epsilon=epsilon, **options)
