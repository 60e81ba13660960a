"""What the queries of a session by name are made of."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import Any

from graphveil.mechanisms.release import Release
from graphveil.privacy.loss import Number
from graphveil.privacy.unit import Unit


class Answers(ABC):
    """What a method for each query builds on: `release` under its name."""

    unit: Unit

    @abstractmethod
    def release(
        self,
        query: str,
        *,
        epsilon: Number,
        method: str | None = None,
        request_id: str | None = None,
        accept_noise: bool = False,
        fresh: bool = False,
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
        fresh: bool,  # noqa: FBT001
        **options: Any,
    ) -> Release:
        """Answer a query with its options; None stands for one that was not given."""
        return self.release(
            query,
            epsilon=epsilon,
            method=method,
            request_id=request_id,
            accept_noise=accept_noise,
            fresh=fresh,
            options=options,
        )


def given_options(named: Mapping[str, Any], further: Mapping[str, Any] | None) -> dict[str, Any]:
    """The options that were given, by their own names or as further ones; None stands for one that was not."""
    return {name: value for name, value in {**named, **(further or {})}.items() if value is not None}
