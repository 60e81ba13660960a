"""Which algorithm answers a query under a unit; where none does, why, and what to ask instead: public reasons only.

Under node privacy the noise of an answer must hide what one person can change in any graph of n people; where that is
everything, no epsilon that still protects anybody gives a useful answer.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from graphveil.errors import ParameterError, unknown_name
from graphveil.privacy.unit import Kind, Unit
from graphveil.registry import Job, Row, rows

_NAMES_PEOPLE = (
    "its answer names people, and whether somebody is in the data is what node privacy hides: a name could be right "
    "only with a probability near e^epsilon / n"
)
_CLUSTERING = (
    "one person can raise the clustering of all their friends from 0 to 1: noise of n / epsilon on a sum of at most n, "
    "useful only from an epsilon of 10 on"
)

REASONS: dict[tuple[str, Kind], tuple[str, str]] = {
    ("max-degree", Kind.NODE): (
        "one person can know everybody: noise of n / epsilon on a number below n",
        "h-index (noise of 1 / epsilon) or degree-distribution",
    ),
    ("degree-sequence", Kind.NODE): (
        "its length is the private number of people, and one person changes n ranks",
        "degree-histogram",
    ),
    ("joint-degrees", Kind.NODE): (
        "one person moves all edges of their friends to other cells: noise of D^2 / epsilon with degrees cut at D",
        "degree-histogram or edges",
    ),
    ("average-clustering", Kind.NODE): (_CLUSTERING, "transitivity"),
    ("clustering-by-degree", Kind.NODE): (_CLUSTERING, "transitivity"),
    ("assortativity", Kind.NODE): (
        "one person moves the sum of degree products by 3 D^3 with degrees cut at D: noise of 8e7 / epsilon for D 300",
        "edges and 2-stars",
    ),
    ("components", Kind.NODE): (
        "one person can join everybody: noise of n / epsilon on a number of at most n",
        "degeneracy (noise of 1 / epsilon)",
    ),
    ("most-connected", Kind.NODE): (_NAMES_PEOPLE, "h-index"),
    ("top-people", Kind.NODE): (_NAMES_PEOPLE, "h-index"),
    ("adjacency", Kind.NODE): (_NAMES_PEOPLE, "degree-histogram"),
    ("best-partition", Kind.NODE): (
        "one person can bring edges into any group, as many as n: noise of n / epsilon on the score",
        "transitivity",
    ),
    ("nodes", Kind.EDGE): ("the set of people is public there: count them", "edges"),
    ("h-index", Kind.EDGE): ("sharper answers exist there", "max-degree, degeneracy or degree-sequence"),
}


def refusal(query: str, kind: Kind) -> str:
    """One line: the reason with a forecast, and what to ask instead."""
    other = Kind.EDGE if kind is Kind.NODE else Kind.NODE
    if (query, kind) not in REASONS:  # a plug-in's
        return f"{query} is offered under {other} privacy only, not under {kind} privacy"
    reason, instead = REASONS[query, kind]
    return f"{query} is not offered under {kind} privacy: {reason}; ask for {instead}, or for it under {other} privacy"


def choose_query(query: str, unit: Unit, options: Mapping[str, Any], method: str | None = None) -> Row:
    """The algorithm that answers a query under a unit: the one named, or the first whose needs are met."""
    by_query = [a for a in rows(Job.RELEASE) if a.query == query]
    if not by_query:
        raise unknown_name("query", query, (a.query for a in rows(Job.RELEASE)))
    by_unit = [a for a in by_query if a.unit == unit.kind]
    if not by_unit:
        raise ParameterError(refusal(query, unit.kind))
    if method is not None:
        named = [a for a in by_unit if a.name == method]
        if not named:
            raise unknown_name("method", method, (a.name for a in by_unit), where=f"for {query}")
        return named[0]
    for algorithm in by_unit:
        if all(option in options for option in algorithm.needs):
            return algorithm
    needs = ", ".join(f"{name}= (--{name} FILE)" for name in by_unit[0].needs)
    raise ParameterError(f"{query} under {unit.kind} privacy needs {needs}")
