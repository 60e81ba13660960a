"""Every page of the registry, run on small graphs: the outcomes of its measurements.

Of a page of another package that lists none, all that an answer makes public is audited, one run at a time.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterator, Mapping
from fractions import Fraction
from functools import partial
from typing import Any

from graphveil.audit.engine.pairs import Pair, edge_toggles, node_removals, seed_graphs
from graphveil.audit.engine.sampling import Mechanism, measured
from graphveil.audit.subject import Cost, Subject, SubjectKind
from graphveil.central.old_page import Answer, Page
from graphveil.central.query import Query
from graphveil.graph.core import Graph
from graphveil.mechanisms.noise.source import Noise
from graphveil.mechanisms.old_measurement import Measured
from graphveil.registry import Row
from graphveil.release.draw import run

OPTIONS: Mapping[str, Any] = {"max_degree": 4, "partitions": ((0,) * 10, (0, 1) * 5, (0,) * 5 + (1,) * 5)}


def central_subject(algorithm: Row) -> Subject:
    """The subject of one row of the registry of central queries."""

    def build(epsilon: Fraction) -> Mechanism:
        page = algorithm.build(epsilon, {option: OPTIONS[option] for option in algorithm.needs})
        if isinstance(page, Query):
            return measured(page.measure)
        return measured(page.measurements) if isinstance(page, Measured) else partial(_run, page)

    def pairs() -> list[Pair]:
        graphs = {
            name: graph
            for name, graph in seed_graphs().items()
            if "partitions" not in algorithm.needs or graph.n_nodes == len(OPTIONS["partitions"][0])
        }
        return edge_toggles(graphs) if algorithm.unit == "edge" else node_removals(graphs)

    summary = f"{algorithm.query} under {algorithm.unit} privacy"
    cost = Cost.BULK if issubclass(algorithm.cls, (Measured, Query)) else Cost.CALL
    return Subject(algorithm.name, SubjectKind.ALGORITHM, summary, build, pairs, cost=cost, package=algorithm.package)


def _run(page: Page, given: Graph, noise: Noise) -> tuple[float, ...]:
    return answer_numbers(run(page, given, noise))


def answer_numbers(answer: Answer) -> tuple[float, ...]:
    """All that an answer makes public, as numbers: value, derived values, accuracy, and its account in words."""
    accuracy = answer.accuracy
    bands = [spread for band in accuracy.bands[-1:] for spread in (band.below, band.above)]  # one stands for all
    derived = [answer.derived[key] for key in sorted(answer.derived)]
    words = " ".join((accuracy.bias, accuracy.scope, *(stage.text for stage in answer.stages)))
    return tuple(
        _flat((answer.value, *derived, accuracy.std or 0, accuracy.center or 0, accuracy.support, *bands, words))
    )


def _flat(part: Any) -> Iterator[float]:
    if isinstance(part, tuple):
        for entry in part:
            yield from _flat(entry)
    else:
        yield float(zlib.crc32(part.encode()) if isinstance(part, str) else part)
