"""Options that several commands share: one spelling, one help text."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from pathlib import Path
from typing import Annotated, Any, TypeAlias

import typer

from graphveil.errors import ParameterError

GraphFile: TypeAlias = Annotated[
    Path,
    typer.Argument(
        metavar="GRAPH",
        help="Graph file: edge list (.txt .csv .tsv, also .gz or .zst of these), .graphml, .gml, .npz or .parquet.",
    ),
]
People: TypeAlias = Annotated[
    Path | None,
    typer.Option(metavar="FILE", help="Everybody, one a line, also people without edges. Node privacy needs it."),
]
UnitName: TypeAlias = Annotated[
    str, typer.Option("--unit", metavar="edge|node", help="What is protected: edge, node, or K-edge such as 5-edge.")
]
MaxDegree: TypeAlias = Annotated[
    int | None, typer.Option(metavar="D", help="A public bound on degrees (node privacy); never the measured maximum.")
]
EngineName: TypeAlias = Annotated[
    str, typer.Option("--engine", metavar="memory|spark", help="Where edges are kept and counted; spark: an extra.")
]
Master: TypeAlias = Annotated[
    str | None, typer.Option(metavar="URL", help="Spark's master, such as local[2] or spark://host:7077.")
]
AsJson: TypeAlias = Annotated[bool, typer.Option("--json", help="Print one JSON document and nothing else.")]


def parse_queries(text: str) -> list[str]:
    """`edges,degree-histogram` as a list; a query may stand in it once."""
    queries = [name.strip() for name in text.split(",") if name.strip()]
    if not queries:
        raise ParameterError("no query was given; `graphveil algorithms` lists them")
    twice = next((name for name in queries if queries.count(name) > 1), None)
    if twice:
        raise ParameterError(
            f"query {twice} is named twice; asking twice costs twice, so run the command again for that"
        )
    return queries


def parse_shares(text: str | None, queries: list[str]) -> dict[str, Fraction]:
    """`edges=1,triangles=3` as parts of 1; without it all queries get the same."""
    from graphveil.privacy.loss import exact

    if text is None:
        return {query: Fraction(1, len(queries)) for query in queries}
    weights: dict[str, Fraction] = {}
    for part in text.split(","):
        name, separator, weight = part.partition("=")
        name = name.strip()
        if not separator or name not in queries or name in weights:
            raise ParameterError(f"--share wants QUERY=WEIGHT once for each of {', '.join(queries)}, not {part!r}")
        weights[name] = exact(weight.strip(), f"the share of {name}")
        if weights[name] <= 0:
            raise ParameterError(f"the share of {name} must be above 0, not {weight}")
    missing = [query for query in queries if query not in weights]
    if missing:
        raise ParameterError(f"--share leaves out {', '.join(missing)}")
    total = sum(weights.values())
    return {query: weights[query] / total for query in queries}


def page_options(query: str, unit: str, given: Mapping[str, Any]) -> dict[str, Any]:
    """Of the options given, those that an algorithm for this query can use."""
    from graphveil.privacy.unit import Unit
    from graphveil.release.registry import algorithms

    kind = Unit.parse(unit).kind
    known = {name for a in algorithms() if a.query == query and a.unit == kind for name in a.options}
    return {name: value for name, value in given.items() if value is not None and name in known}
