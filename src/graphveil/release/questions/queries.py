"""The queries of a session by name: `degree-histogram` on the command line is `degree_histogram` here.

Every query takes `epsilon`, the `method` to use instead of the default, and a `request_id` under which the stored
answer comes back without spending again. The same question without an id gives the stored answer too, unless it is to
be `fresh`; `accept_noise` answers even where the forecast says that it is mostly noise.
Queries under node privacy also take a public degree bound, `max_degree`, and a public number of people,
`declared_people`, for their forecast.
"""

from __future__ import annotations

from graphveil.mechanisms.release import Release
from graphveil.privacy.loss import Number
from graphveil.release.questions.answers import Answers


class NumberQueries(Answers):
    """One method for each query that is answered by a number."""

    def edges(
        self,
        *,
        epsilon: Number,
        max_degree: int | None = None,
        declared_people: int | None = None,
        method: str | None = None,
        request_id: str | None = None,
        accept_noise: bool = False,
        fresh: bool = False,
    ) -> Release:
        """Number of edges; under node privacy, of the graph truncated at a degree bound."""
        return self._release(
            "edges",
            epsilon,
            method,
            request_id,
            accept_noise,
            fresh,
            max_degree=max_degree,
            declared_people=declared_people,
        )

    def nodes(
        self,
        *,
        epsilon: Number,
        method: str | None = None,
        request_id: str | None = None,
        accept_noise: bool = False,
        fresh: bool = False,
    ) -> Release:
        """Number of people (node privacy; under edge privacy it is public)."""
        return self._release("nodes", epsilon, method, request_id, accept_noise, fresh)

    def max_degree(
        self,
        *,
        epsilon: Number,
        method: str | None = None,
        request_id: str | None = None,
        accept_noise: bool = False,
        fresh: bool = False,
    ) -> Release:
        """Largest degree (edge privacy only)."""
        return self._release("max-degree", epsilon, method, request_id, accept_noise, fresh)

    def triangles(
        self,
        *,
        epsilon: Number,
        max_degree: int | None = None,
        declared_people: int | None = None,
        method: str | None = None,
        request_id: str | None = None,
        accept_noise: bool = False,
        fresh: bool = False,
    ) -> Release:
        """Number of triangles, three people who are all connected."""
        return self._release(
            "triangles",
            epsilon,
            method,
            request_id,
            accept_noise,
            fresh,
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
        fresh: bool = False,
    ) -> Release:
        """Number of 2-stars: people with a pair of their friends."""
        return self._release(
            "2-stars",
            epsilon,
            method,
            request_id,
            accept_noise,
            fresh,
            max_degree=max_degree,
            declared_people=declared_people,
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
        fresh: bool = False,
    ) -> Release:
        """Number of 3-stars: people with three of their friends."""
        return self._release(
            "3-stars",
            epsilon,
            method,
            request_id,
            accept_noise,
            fresh,
            max_degree=max_degree,
            declared_people=declared_people,
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
        fresh: bool = False,
    ) -> Release:
        """Share of all 2-stars that are closed to a triangle."""
        return self._release(
            "transitivity",
            epsilon,
            method,
            request_id,
            accept_noise,
            fresh,
            max_degree=max_degree,
            declared_people=declared_people,
        )

    def average_clustering(
        self,
        *,
        epsilon: Number,
        method: str | None = None,
        request_id: str | None = None,
        accept_noise: bool = False,
        fresh: bool = False,
    ) -> Release:
        """Average of everybody's local clustering coefficient (edge privacy only)."""
        return self._release("average-clustering", epsilon, method, request_id, accept_noise, fresh)

    def assortativity(
        self,
        *,
        epsilon: Number,
        method: str | None = None,
        request_id: str | None = None,
        accept_noise: bool = False,
        fresh: bool = False,
    ) -> Release:
        """Whether the well connected know each other (edge privacy only)."""
        return self._release("assortativity", epsilon, method, request_id, accept_noise, fresh)

    def components(
        self,
        *,
        epsilon: Number,
        method: str | None = None,
        request_id: str | None = None,
        accept_noise: bool = False,
        fresh: bool = False,
    ) -> Release:
        """Number of connected components (edge privacy only)."""
        return self._release("components", epsilon, method, request_id, accept_noise, fresh)

    def degeneracy(
        self,
        *,
        epsilon: Number,
        method: str | None = None,
        request_id: str | None = None,
        accept_noise: bool = False,
        fresh: bool = False,
    ) -> Release:
        """The largest k for which a k-core exists."""
        return self._release("degeneracy", epsilon, method, request_id, accept_noise, fresh)

    def h_index(
        self,
        *,
        epsilon: Number,
        weight: Number | None = None,
        method: str | None = None,
        request_id: str | None = None,
        accept_noise: bool = False,
        fresh: bool = False,
    ) -> Release:
        """The largest h for which h people (`weight` times h) have at least h friends (node privacy)."""
        return self._release("h-index", epsilon, method, request_id, accept_noise, fresh, weight=weight)

    def reciprocity(
        self,
        *,
        epsilon: Number,
        method: str | None = None,
        request_id: str | None = None,
        accept_noise: bool = False,
        fresh: bool = False,
    ) -> Release:
        """Share of directed relationships that are returned (of a directed graph; edge privacy only)."""
        return self._release("reciprocity", epsilon, method, request_id, accept_noise, fresh)

    def weighted_total(
        self,
        *,
        epsilon: Number,
        max_weight: int | None = None,
        max_strength: int | None = None,
        method: str | None = None,
        request_id: str | None = None,
        accept_noise: bool = False,
        fresh: bool = False,
    ) -> Release:
        """Total weight of a weighted graph: edges cut at a weight, or under node privacy people at a strength."""
        return self._release(
            "weighted-total",
            epsilon,
            method,
            request_id,
            accept_noise,
            fresh,
            max_weight=max_weight,
            max_strength=max_strength,
        )
