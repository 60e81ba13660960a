"""The queries of a session by name: `degree-histogram` on the command line is `degree_histogram` here.

Every query takes `epsilon`, the `method` to use instead of the default, and a `request_id` under which the stored
answer comes back without spending again. The same question without an id gives the stored answer too, unless it is to
be `fresh`; `accept_noise` answers even where the forecast says that it is mostly noise.
Queries under node privacy also take a public degree bound, `max_degree`, and a public number of people,
`declared_people`, for their forecast.
"""

from __future__ import annotations

from typing import Unpack

from graphveil.mechanisms.release import Release
from graphveil.privacy.loss import Number
from graphveil.release.questions.answers import Answers, Asking, BoundedAsking, show_keywords


@show_keywords
class NumberQueries(Answers):
    """One method for each query that is answered by a number."""

    def edges(self, *, epsilon: Number, **asking: Unpack[BoundedAsking]) -> Release:
        """Number of edges; under node privacy, of the graph truncated at a degree bound."""
        return self.release("edges", epsilon=epsilon, **asking)

    def nodes(self, *, epsilon: Number, **asking: Unpack[Asking]) -> Release:
        """Number of people (node privacy; under edge privacy it is public)."""
        return self.release("nodes", epsilon=epsilon, **asking)

    def max_degree(self, *, epsilon: Number, **asking: Unpack[Asking]) -> Release:
        """Largest degree (edge privacy only)."""
        return self.release("max-degree", epsilon=epsilon, **asking)

    def triangles(self, *, epsilon: Number, **asking: Unpack[BoundedAsking]) -> Release:
        """Number of triangles, three people who are all connected."""
        return self.release("triangles", epsilon=epsilon, **asking)

    def two_stars(self, *, epsilon: Number, **asking: Unpack[BoundedAsking]) -> Release:
        """Number of 2-stars: people with a pair of their friends."""
        return self.release("2-stars", epsilon=epsilon, **asking)

    def three_stars(self, *, epsilon: Number, **asking: Unpack[BoundedAsking]) -> Release:
        """Number of 3-stars: people with three of their friends."""
        return self.release("3-stars", epsilon=epsilon, **asking)

    def transitivity(self, *, epsilon: Number, **asking: Unpack[BoundedAsking]) -> Release:
        """Share of all 2-stars that are closed to a triangle."""
        return self.release("transitivity", epsilon=epsilon, **asking)

    def average_clustering(self, *, epsilon: Number, **asking: Unpack[Asking]) -> Release:
        """Average of everybody's local clustering coefficient (edge privacy only)."""
        return self.release("average-clustering", epsilon=epsilon, **asking)

    def assortativity(self, *, epsilon: Number, **asking: Unpack[Asking]) -> Release:
        """Whether the well connected know each other (edge privacy only)."""
        return self.release("assortativity", epsilon=epsilon, **asking)

    def components(self, *, epsilon: Number, **asking: Unpack[Asking]) -> Release:
        """Number of connected components (edge privacy only)."""
        return self.release("components", epsilon=epsilon, **asking)

    def degeneracy(self, *, epsilon: Number, **asking: Unpack[Asking]) -> Release:
        """The largest k for which a k-core exists."""
        return self.release("degeneracy", epsilon=epsilon, **asking)

    def h_index(self, *, epsilon: Number, weight: Number | None = None, **asking: Unpack[Asking]) -> Release:
        """The largest h for which h people (`weight` times h) have at least h friends (node privacy)."""
        return self.release("h-index", epsilon=epsilon, options={"weight": weight}, **asking)

    def reciprocity(self, *, epsilon: Number, **asking: Unpack[Asking]) -> Release:
        """Share of directed relationships that are returned (of a directed graph; edge privacy only)."""
        return self.release("reciprocity", epsilon=epsilon, **asking)

    def weighted_total(
        self,
        *,
        epsilon: Number,
        max_weight: int | None = None,
        max_strength: int | None = None,
        **asking: Unpack[Asking],
    ) -> Release:
        """Total weight of a weighted graph: edges cut at a weight, or under node privacy people at a strength."""
        return self.release(
            "weighted-total",
            epsilon=epsilon,
            options={"max_weight": max_weight, "max_strength": max_strength},
            **asking,
        )

    def k_stars(self, *, epsilon: Number, k: int = 4, **asking: Unpack[Asking]) -> Release:
        """Number of groups of `k` friends of one person, from 2 on (edge privacy only)."""
        return self.release("k-stars", epsilon=epsilon, options={"k": k}, **asking)

    def four_cliques(self, *, epsilon: Number, **asking: Unpack[Asking]) -> Release:
        """Number of groups of four people who all know each other (edge privacy only)."""
        return self.release("4-cliques", epsilon=epsilon, **asking)

    def five_cliques(self, *, epsilon: Number, **asking: Unpack[Asking]) -> Release:
        """Number of groups of five people who all know each other (edge privacy only)."""
        return self.release("5-cliques", epsilon=epsilon, **asking)

    def four_cycles(self, *, epsilon: Number, **asking: Unpack[Asking]) -> Release:
        """Number of cycles of four people (edge privacy only)."""
        return self.release("4-cycles", epsilon=epsilon, **asking)

    def transitive_triples(self, *, epsilon: Number, **asking: Unpack[Asking]) -> Release:
        """How often a -> b -> c comes with a -> c (of a directed graph)."""
        return self.release("transitive-triples", epsilon=epsilon, **asking)

    def cyclic_triples(self, *, epsilon: Number, **asking: Unpack[Asking]) -> Release:
        """How many triples of people point at each other in a circle (of a directed graph)."""
        return self.release("cyclic-triples", epsilon=epsilon, **asking)

    def mutual_triangles(self, *, epsilon: Number, **asking: Unpack[Asking]) -> Release:
        """How many triples of people all point at each other (of a directed graph)."""
        return self.release("mutual-triangles", epsilon=epsilon, **asking)

    def two_paths(self, *, epsilon: Number, **asking: Unpack[Asking]) -> Release:
        """How often one person points at a second, who points at a third (of a directed graph)."""
        return self.release("2-paths", epsilon=epsilon, **asking)
