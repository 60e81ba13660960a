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
        """Number of edges. Under node privacy: of the graph with degrees cut at `max_degree`."""
        return self.release("edges", epsilon=epsilon, **options)

    def max_degree(self, *, epsilon: Number, **options: Any) -> Release:
        """Largest degree (edge privacy only)."""
        return self.release("max-degree", epsilon=epsilon, **options)

    def degree_histogram(self, *, epsilon: Number, **options: Any) -> Release:
        """How many people have each degree, from 0 up."""
        return self.release("degree-histogram", epsilon=epsilon, **options)

    def degree_sequence(self, *, epsilon: Number, **options: Any) -> Release:
        """All degrees in falling order, without names."""
        return self.release("degree-sequence", epsilon=epsilon, **options)
