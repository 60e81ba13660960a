"""Counts of stars with any number of leaves and of patterns of four and five people.

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
