"""Counts of stars with any number of leaves, of patterns of four and five people, and of directed patterns of three.

They are methods of a session; options as in `queries`.
"""

from __future__ import annotations

from graphveil.mechanisms.release import Release
from graphveil.privacy.loss import Number
from graphveil.release.questions.answers import Answers


class PatternQueries(Answers):
    """One method for each of these patterns."""

    def k_stars(
        self,
        *,
        epsilon: Number,
        k: int = 4,
        method: str | None = None,
        request_id: str | None = None,
        accept_noise: bool = False,
        fresh: bool = False,
    ) -> Release:
        """Number of groups of `k` friends of one person, from 2 on (edge privacy only)."""
        return self._release("k-stars", epsilon, method, request_id, accept_noise, fresh, k=k)

    def four_cliques(
        self,
        *,
        epsilon: Number,
        method: str | None = None,
        request_id: str | None = None,
        accept_noise: bool = False,
        fresh: bool = False,
    ) -> Release:
        """Number of groups of four people who all know each other (edge privacy only)."""
        return self._release("4-cliques", epsilon, method, request_id, accept_noise, fresh)

    def five_cliques(
        self,
        *,
        epsilon: Number,
        method: str | None = None,
        request_id: str | None = None,
        accept_noise: bool = False,
        fresh: bool = False,
    ) -> Release:
        """Number of groups of five people who all know each other (edge privacy only)."""
        return self._release("5-cliques", epsilon, method, request_id, accept_noise, fresh)

    def four_cycles(
        self,
        *,
        epsilon: Number,
        method: str | None = None,
        request_id: str | None = None,
        accept_noise: bool = False,
        fresh: bool = False,
    ) -> Release:
        """Number of cycles of four people (edge privacy only)."""
        return self._release("4-cycles", epsilon, method, request_id, accept_noise, fresh)

    def transitive_triples(
        self,
        *,
        epsilon: Number,
        method: str | None = None,
        request_id: str | None = None,
        accept_noise: bool = False,
        fresh: bool = False,
    ) -> Release:
        """How often a -> b -> c comes with a -> c (of a directed graph)."""
        return self._release("transitive-triples", epsilon, method, request_id, accept_noise, fresh)

    def cyclic_triples(
        self,
        *,
        epsilon: Number,
        method: str | None = None,
        request_id: str | None = None,
        accept_noise: bool = False,
        fresh: bool = False,
    ) -> Release:
        """How many triples of people point at each other in a circle (of a directed graph)."""
        return self._release("cyclic-triples", epsilon, method, request_id, accept_noise, fresh)

    def mutual_triangles(
        self,
        *,
        epsilon: Number,
        method: str | None = None,
        request_id: str | None = None,
        accept_noise: bool = False,
        fresh: bool = False,
    ) -> Release:
        """How many triples of people all point at each other (of a directed graph)."""
        return self._release("mutual-triangles", epsilon, method, request_id, accept_noise, fresh)

    def two_paths(
        self,
        *,
        epsilon: Number,
        method: str | None = None,
        request_id: str | None = None,
        accept_noise: bool = False,
        fresh: bool = False,
    ) -> Release:
        """How often one person points at a second, who points at a third (of a directed graph)."""
        return self._release("2-paths", epsilon, method, request_id, accept_noise, fresh)
