"""graphveil: learn from social graphs without exposing the people in them.

    import graphveil as gv
    graph = gv.read_graph("friends.txt.gz")
    session = gv.Session(graph, unit="edge", budget=2.0)
    release = session.edges(epsilon=0.5)
    print(release.value, release.guarantee, release.accuracy.interval(0.95))

Public names are loaded when first used, so importing the package costs nothing.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from graphveil.central.page import PublicFacts
    from graphveil.errors import (
        BudgetExceeded,
        ClaimRefuted,
        GraphFormatError,
        GraphveilError,
        LedgerError,
        ParameterError,
        UnitMismatch,
    )
    from graphveil.graph.core import Graph
    from graphveil.graph.datasets import load_dataset
    from graphveil.graph.generate import barabasi_albert, erdos_renyi, power_law_cluster
    from graphveil.graph.generate_degrees import configuration
    from graphveil.graph.generate_joint_degree import joint_degree_graph
    from graphveil.graph.read import read_graph
    from graphveil.graph.write import write_graph
    from graphveil.mechanisms.accuracy import Accuracy
    from graphveil.mechanisms.source import SeededNoise
    from graphveil.privacy.guarantee import Guarantee, PublishedClaim
    from graphveil.privacy.ledger import Ledger
    from graphveil.privacy.unit import Trust, Unit
    from graphveil.release.plan import forecast, smallest_epsilon
    from graphveil.release.release import Release
    from graphveil.release.session import Request, Session

_HOME = {
    "central.page": ("PublicFacts",),
    "errors": (
        "BudgetExceeded",
        "ClaimRefuted",
        "GraphFormatError",
        "GraphveilError",
        "LedgerError",
        "ParameterError",
        "UnitMismatch",
    ),
    "graph.core": ("Graph",),
    "graph.datasets": ("load_dataset",),
    "graph.generate": ("barabasi_albert", "erdos_renyi", "power_law_cluster"),
    "graph.generate_degrees": ("configuration",),
    "graph.generate_joint_degree": ("joint_degree_graph",),
    "graph.read": ("read_graph",),
    "graph.write": ("write_graph",),
    "mechanisms.accuracy": ("Accuracy",),
    "mechanisms.source": ("SeededNoise",),
    "privacy.guarantee": ("Guarantee", "PublishedClaim"),
    "privacy.ledger": ("Ledger",),
    "privacy.unit": ("Trust", "Unit"),
    "release.plan": ("forecast", "smallest_epsilon"),
    "release.release": ("Release",),
    "release.session": ("Request", "Session"),
}
_MODULE_OF = {name: module for module, names in _HOME.items() for name in names}

__all__ = [
    "Accuracy",
    "BudgetExceeded",
    "ClaimRefuted",
    "Graph",
    "GraphFormatError",
    "GraphveilError",
    "Guarantee",
    "Ledger",
    "LedgerError",
    "ParameterError",
    "PublicFacts",
    "PublishedClaim",
    "Release",
    "Request",
    "SeededNoise",
    "Session",
    "Trust",
    "Unit",
    "UnitMismatch",
    "barabasi_albert",
    "configuration",
    "erdos_renyi",
    "forecast",
    "joint_degree_graph",
    "load_dataset",
    "power_law_cluster",
    "read_graph",
    "smallest_epsilon",
    "write_graph",
]


def __getattr__(name: str) -> Any:
    module = _MODULE_OF.get(name)
    if module is None:
        raise AttributeError(f"graphveil has no {name!r}")
    return getattr(import_module(f"graphveil.{module}"), name)


def __dir__() -> list[str]:
    return __all__
