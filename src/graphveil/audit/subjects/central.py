"""Every central query of the registry: the outcomes of its measurements on small graphs.

Whatever else an answer says is concluded from these outcomes, so they are all there is to audit.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from graphveil.audit.engine.pairs import Pair, edge_toggles, node_removals, seed_graphs
from graphveil.audit.engine.sampling import Mechanism, measured
from graphveil.audit.subject import Subject, SubjectKind
from graphveil.central.attributes.toy import toy_column
from graphveil.learn.toy import toy_people
from graphveil.registry import Row

LISTED = 10  # people of whom options say something
OPTIONS: Mapping[str, Any] = {
    "max_degree": 4,
    "partitions": ((0,) * LISTED, (0, 1) * 5, (0,) * 5 + (1,) * 5),
    "people": toy_people(LISTED),
    "lower": 0,
    "upper": 5,
}


def central_subject(algorithm: Row) -> Subject:
    """The subject of one row of the registry of central queries."""

    def build(epsilon: Fraction) -> Mechanism:
        options = {**OPTIONS, "column": toy_column(LISTED, public=algorithm.unit == "edge")}
        query = algorithm.build(epsilon, {option: options[option] for option in algorithm.needs})
        return measured(query.measure)

    def pairs() -> list[Pair]:
        graphs = {
            name: graph
            for name, graph in seed_graphs().items()
            if not {"partitions", "people", "column"} & set(algorithm.needs) or graph.n_nodes == LISTED
        }
        return edge_toggles(graphs) if algorithm.unit == "edge" else node_removals(graphs)

    summary = f"{algorithm.query} under {algorithm.unit} privacy"
    return Subject(algorithm.name, SubjectKind.ALGORITHM, summary, build, pairs, package=algorithm.package)
