"""What the queries of a session by name are made of."""

from __future__ import annotations

import inspect
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any, TypedDict, TypeVar, Unpack, get_args, get_type_hints

from graphveil.errors import ParameterError
from graphveil.mechanisms.release import Release
from graphveil.privacy.loss import Number, exact_epsilon
from graphveil.privacy.unit import Unit
from graphveil.release.job import Request


class Asking(TypedDict, total=False):
    """What every query takes, besides epsilon and options of its own."""

    method: str | None
    request_id: str | None
    accept_noise: bool
    fresh: bool


class BoundedAsking(Asking, total=False):
    """What queries take that under node privacy need a public degree bound."""

    max_degree: int | None
    declared_people: int | None


class Answers(ABC):
    """What a method for each query builds on: `release` under its name."""

    unit: Unit

    @abstractmethod
    def release(
        self, query: str, *, epsilon: Number, options: Mapping[str, Any] | None = None, **asking: Unpack[BoundedAsking]
    ) -> Release:
        """Answer a query by its name, as `Session.release` does; an option that is None was not given."""


KEYWORDS = {
    kind: [
        inspect.Parameter(
            name, inspect.Parameter.KEYWORD_ONLY, default=False if hint is bool else None, annotation=hint
        )
        for name, hint in get_type_hints(kind).items()
    ]
    for kind in (Asking, BoundedAsking)
}
Queries = TypeVar("Queries", bound=type[Answers])


def show_keywords(queries: Queries) -> Queries:
    """Write out the keywords of `**asking` in every signature, which is what `help` and notebooks show."""
    for method in filter(inspect.isfunction, vars(queries).values()):
        signature = inspect.signature(method)
        kept = [each for each in signature.parameters.values() if each.name != "asking"]
        if len(kept) < len(signature.parameters):
            (asking,) = get_args(get_type_hints(method)["asking"])
            method.__signature__ = signature.replace(parameters=[*kept, *KEYWORDS[asking]])  # type: ignore[attr-defined]
    return queries


def given_options(named: Mapping[str, Any], further: Mapping[str, Any] | None) -> dict[str, Any]:
    """The options that were given, by their own names or as further ones; None stands for one that was not."""
    return {name: value for name, value in {**named, **(further or {})}.items() if value is not None}


def shared(requests: Sequence[Request | str], epsilon: Number | None) -> Sequence[Request]:
    """The requests; queries given by name share epsilon evenly.

    >>> [request.epsilon for request in shared(["edges", "triangles"], 1)]
    [Fraction(1, 2), Fraction(1, 2)]
    """
    if isinstance(requests, str):
        raise ParameterError(f"give a list of queries: [{requests!r}]")
    if epsilon is None:
        return checked_requests(requests)
    if not all(isinstance(request, str) for request in requests):
        raise ParameterError("epsilon= is shared by queries that are given by name; a Request has its own epsilon")
    each = exact_epsilon(epsilon) / max(1, len(requests))
    return [Request(str(name), each) for name in requests]


def checked_requests(requests: Sequence[Request | str]) -> list[Request]:
    """The requests, if each is one: a name alone would not say how much epsilon it may cost."""
    checked = [request for request in requests if isinstance(request, Request)]
    if len(checked) < len(requests):
        raise ParameterError(
            f"{list(requests)} has no epsilon: give names with epsilon=, which they share, or a Request from "
            "graphveil.release.job for each"
        )
    return checked
