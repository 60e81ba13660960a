"""The queries of a session by name: `degree-histogram` on the command line is `degree_histogram` here.

Every query takes `epsilon`, the `method` to use instead of the default, and a `request_id` under which the stored
answer comes back without spending again; `accept_noise` answers even where the forecast says that it is mostly noise.
Queries under node privacy also take a public degree bound, `max_degree`, and a public number of people,
`declared_people`, for their forecast.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any

from graphveil.learn.people import LabelledPeople
from graphveil.mechanisms.release import Release
from graphveil.privacy.loss import Number


class Queries(ABC):
    """One method for each query; each is `release` under its name."""

    @abstractmethod
    def release(
        self,
        query: str,
        *,
        epsilon: Number,
        method: str | None = None,
        request_id: str | None = None,
        accept_noise: bool = False,
        options: Mapping[str, Any] | None = None,
    ) -> Release:
        """Answer a query by its name, as `Session.release` does."""

    def _release(
        self,
        query: str,
        epsilon: Number,
        method: str | None,
        request_id: str | None,
        accept_noise: bool,  # noqa: FBT001
        **options: Any,
    ) -> Release:
        """Answer a query with its options; None stands for one that was not given."""
        return self.release(
            query, epsilon=epsilon, method=method, request_id=request_id, accept_noise=accept_noise, options=options
        )

    def edges(
        self,
        *,
        epsilon: Number,
        max_degree: int | None = None,
        declared_people: int | None = None,
        method: str | None = None,
        request_id: str | None = None,
        accept_noise: bool = False,
    ) -> Release:
        """Number of edges; under node privacy, of the graph truncated at a degree bound."""
        return self._release(
            "edges", epsilon, method, request_id, accept_noise, max_degree=max_degree, declared_people=declared_people
        )

    def nodes(
        self, *, epsilon: Number, method: str | None = None, request_id: str | None = None, accept_noise: bool = False
    ) -> Release:
        """Number of people (node privacy; under edge privacy it is public)."""
        return self._release("nodes", epsilon, method, request_id, accept_noise)

    def max_degree(
        self, *, epsilon: Number, method: str | None = None, request_id: str | None = None, accept_noise: bool = False
    ) -> Release:
        """Largest degree (edge privacy only)."""
        return self._release("max-degree", epsilon, method, request_id, accept_noise)

    def degree_histogram(
        self,
        *,
        epsilon: Number,
        max_degree: int | None = None,
        declared_people: int | None = None,
        method: str | None = None,
        request_id: str | None = None,
        accept_noise: bool = False,
    ) -> Release:
        """How many people have each degree, from 0 up."""
        return self._release(
            "degree-histogram",
            epsilon,
            method,
            request_id,
            accept_noise,
            max_degree=max_degree,
            declared_people=declared_people,
        )

    def degree_distribution(
        self,
        *,
        epsilon: Number,
        max_degree: int | None = None,
        declared_people: int | None = None,
        method: str | None = None,
        request_id: str | None = None,
        accept_noise: bool = False,
    ) -> Release:
        """The share of people that have each degree, from 0 up."""
        return self._release(
            "degree-distribution",
            epsilon,
            method,
            request_id,
            accept_noise,
            max_degree=max_degree,
            declared_people=declared_people,
        )

    def degree_sequence(
        self, *, epsilon: Number, method: str | None = None, request_id: str | None = None, accept_noise: bool = False
    ) -> Release:
        """All degrees in falling order, without names (edge privacy only)."""
        return self._release("degree-sequence", epsilon, method, request_id, accept_noise)

    def joint_degrees(
        self, *, epsilon: Number, method: str | None = None, request_id: str | None = None, accept_noise: bool = False
    ) -> Release:
        """How many edges join people of which degrees (edge privacy only)."""
        return self._release("joint-degrees", epsilon, method, request_id, accept_noise)

    def triangles(
        self,
        *,
        epsilon: Number,
        max_degree: int | None = None,
        declared_people: int | None = None,
        method: str | None = None,
        request_id: str | None = None,
        accept_noise: bool = False,
    ) -> Release:
        """Number of triangles, three people who are all connected."""
        return self._release(
            "triangles",
            epsilon,
            method,
            request_id,
            accept_noise,
            max_degree=max_degree,
            declared_people=declared_people,
        )

    def two_stars(
        self,
        *,
        epsilon: Number,
        max_degree: int | None = None,
        declared_people: int | None = None,
        method: str | None = None,
        request_id: str | None = None,
        accept_noise: bool = False,
    ) -> Release:
        """Number of 2-stars: people with a pair of their friends."""
        return self._release(
            "2-stars", epsilon, method, request_id, accept_noise, max_degree=max_degree, declared_people=declared_people
        )

    def three_stars(
        self,
        *,
        epsilon: Number,
        max_degree: int | None = None,
        declared_people: int | None = None,
        method: str | None = None,
        request_id: str | None = None,
        accept_noise: bool = False,
    ) -> Release:
        """Number of 3-stars: people with three of their friends."""
        return self._release(
            "3-stars", epsilon, method, request_id, accept_noise, max_degree=max_degree, declared_people=declared_people
        )

    def transitivity(
        self,
        *,
        epsilon: Number,
        max_degree: int | None = None,
        declared_people: int | None = None,
        method: str | None = None,
        request_id: str | None = None,
        accept_noise: bool = False,
    ) -> Release:
        """Share of all 2-stars that are closed to a triangle."""
        return self._release(
            "transitivity",
            epsilon,
            method,
            request_id,
            accept_noise,
            max_degree=max_degree,
            declared_people=declared_people,
        )

    def average_clustering(
        self, *, epsilon: Number, method: str | None = None, request_id: str | None = None, accept_noise: bool = False
    ) -> Release:
        """Average of everybody's local clustering coefficient (edge privacy only)."""
        return self._release("average-clustering", epsilon, method, request_id, accept_noise)

    def clustering_by_degree(
        self, *, epsilon: Number, method: str | None = None, request_id: str | None = None, accept_noise: bool = False
    ) -> Release:
        """Clustering of people by degree class (edge privacy only)."""
        return self._release("clustering-by-degree", epsilon, method, request_id, accept_noise)

    def assortativity(
        self, *, epsilon: Number, method: str | None = None, request_id: str | None = None, accept_noise: bool = False
    ) -> Release:
        """Whether the well connected know each other (edge privacy only)."""
        return self._release("assortativity", epsilon, method, request_id, accept_noise)

    def components(
        self, *, epsilon: Number, method: str | None = None, request_id: str | None = None, accept_noise: bool = False
    ) -> Release:
        """Number of connected components (edge privacy only)."""
        return self._release("components", epsilon, method, request_id, accept_noise)

    def degeneracy(
        self, *, epsilon: Number, method: str | None = None, request_id: str | None = None, accept_noise: bool = False
    ) -> Release:
        """The largest k for which a k-core exists."""
        return self._release("degeneracy", epsilon, method, request_id, accept_noise)

    def h_index(
        self,
        *,
        epsilon: Number,
        weight: Number | None = None,
        method: str | None = None,
        request_id: str | None = None,
        accept_noise: bool = False,
    ) -> Release:
        """The largest h for which h people (`weight` times h) have at least h friends (node privacy)."""
        return self._release("h-index", epsilon, method, request_id, accept_noise, weight=weight)

    def most_connected(
        self, *, epsilon: Number, method: str | None = None, request_id: str | None = None, accept_noise: bool = False
    ) -> Release:
        """One of the best connected people, by name (edge privacy only)."""
        return self._release("most-connected", epsilon, method, request_id, accept_noise)

    def top_people(
        self,
        *,
        epsilon: Number,
        k: int = 10,
        method: str | None = None,
        request_id: str | None = None,
        accept_noise: bool = False,
    ) -> Release:
        """The `k` best connected people, by name (edge privacy only)."""
        return self._release("top-people", epsilon, method, request_id, accept_noise, k=k)

    def best_partition(
        self,
        *,
        epsilon: Number,
        partitions: Sequence[Sequence[int | str]],
        method: str | None = None,
        request_id: str | None = None,
        accept_noise: bool = False,
    ) -> Release:
        """Which of several candidate `partitions` fits best, by modularity (edge privacy only)."""
        return self._release("best-partition", epsilon, method, request_id, accept_noise, partitions=partitions)

    def adjacency(
        self,
        *,
        epsilon: Number,
        count_share: Number | None = None,
        projection: str | None = None,
        method: str | None = None,
        request_id: str | None = None,
        accept_noise: bool = False,
    ) -> Release:
        """A graph to hand out, as pairs of labels, of which only a share is true (edge privacy only)."""
        return self._release(
            "adjacency", epsilon, method, request_id, accept_noise, count_share=count_share, projection=projection
        )

    def class_rows(
        self,
        *,
        epsilon: Number,
        people: LabelledPeople,
        method: str | None = None,
        request_id: str | None = None,
        accept_noise: bool = False,
    ) -> Release:
        """Noisy classes among everybody's neighbours, of which `learn` makes predictions (edge privacy only)."""
        return self._release("class-rows", epsilon, method, request_id, accept_noise, people=people)
