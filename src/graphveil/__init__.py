"""graphveil: learn from social graphs without exposing the people in them.

    import graphveil as gv
    graph = gv.read_graph("friends.txt.gz")
    session = gv.Session(graph, unit="edge", budget=2.0, ledger="friends.ledger")
    release = session.edges(epsilon=0.5)
    print(release.value, release.guarantee, release.accuracy.interval(0.95))

Public names are loaded when first used, so importing the package costs nothing.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from graphveil.anonymity.anonymize import AnonymizedGraph, anonymize
    from graphveil.anonymity.certify import certify
    from graphveil.audit.attacks.attack import run_attack
    from graphveil.audit.runner import run_audits
    from graphveil.errors import (
        BudgetExceeded,
        ClaimRefuted,
        GraphFormatError,
        GraphveilError,
        LedgerError,
        ParameterError,
        ReportRefused,
        UnitMismatch,
        UnsupportedByEngine,
        WeakGuarantee,
    )
    from graphveil.evaluation.benchmark import benchmark
    from graphveil.evaluation.metrics.compare import Evaluation, evaluate
    from graphveil.graph.convert import as_graph, from_pairs, from_table
    from graphveil.graph.core import Graph
    from graphveil.graph.datasets import load_dataset
    from graphveil.graph.directed import DirectedGraph
    from graphveil.graph.files.read import read_graph
    from graphveil.graph.files.write import write_graph
    from graphveil.graph.generate.degrees import configuration
    from graphveil.graph.generate.joint_degrees import joint_degree_graph
    from graphveil.graph.generate.random import barabasi_albert, erdos_renyi, power_law_cluster
    from graphveil.graph.interop import from_igraph, from_networkx, from_scipy, to_igraph, to_networkx, to_scipy
    from graphveil.graph.statistics.summary import summarize
    from graphveil.graph.weighted import WeightedGraph
    from graphveil.learn.estimator import GraphClassifier
    from graphveil.learn.people import LabelledPeople
    from graphveil.local.campaign import Campaign
    from graphveil.local.client import Client
    from graphveil.local.collector import Collector
    from graphveil.local.experiment import run_experiment
    from graphveil.mechanisms.accuracy import Accuracy
    from graphveil.mechanisms.algorithm import PublicFacts
    from graphveil.mechanisms.noise.source import SeededNoise
    from graphveil.mechanisms.release import Release
    from graphveil.privacy.guarantee import Guarantee, PublishedClaim
    from graphveil.privacy.ledger.ledger import Ledger
    from graphveil.privacy.unit import Trust, Unit
    from graphveil.release.comparison import Comparison, plan
    from graphveil.release.job import Request
    from graphveil.release.over_time.stream import Stream
    from graphveil.release.plan import Plan, forecast, smallest_epsilon
    from graphveil.release.session import Session
    from graphveil.release.synthesis import SyntheticRelease

    __version__: str

_HOME = {
    "anonymity.anonymize": ("AnonymizedGraph", "anonymize"),
    "anonymity.certify": ("certify",),
    "audit.attacks.attack": ("run_attack",),
    "audit.runner": ("run_audits",),
    "mechanisms.algorithm": ("PublicFacts",),
    "errors": (
        "BudgetExceeded",
        "ClaimRefuted",
        "GraphFormatError",
        "GraphveilError",
        "LedgerError",
        "ParameterError",
        "ReportRefused",
        "UnitMismatch",
        "UnsupportedByEngine",
        "WeakGuarantee",
    ),
    "evaluation.benchmark": ("benchmark",),
    "evaluation.metrics.compare": ("Evaluation", "evaluate"),
    "graph.convert": ("as_graph", "from_pairs", "from_table"),
    "graph.core": ("Graph",),
    "graph.directed": ("DirectedGraph",),
    "release.over_time.stream": ("Stream",),
    "graph.weighted": ("WeightedGraph",),
    "graph.datasets": ("load_dataset",),
    "graph.generate.random": ("barabasi_albert", "erdos_renyi", "power_law_cluster"),
    "graph.generate.degrees": ("configuration",),
    "graph.generate.joint_degrees": ("joint_degree_graph",),
    "graph.files.read": ("read_graph",),
    "graph.interop": ("from_igraph", "from_networkx", "from_scipy", "to_igraph", "to_networkx", "to_scipy"),
    "graph.statistics.summary": ("summarize",),
    "graph.files.write": ("write_graph",),
    "learn.estimator": ("GraphClassifier",),
    "learn.people": ("LabelledPeople",),
    "local.campaign": ("Campaign",),
    "local.client": ("Client",),
    "local.collector": ("Collector",),
    "local.experiment": ("run_experiment",),
    "mechanisms.accuracy": ("Accuracy",),
    "mechanisms.noise.source": ("SeededNoise",),
    "mechanisms.release": ("Release",),
    "privacy.guarantee": ("Guarantee", "PublishedClaim"),
    "privacy.ledger.ledger": ("Ledger",),
    "privacy.unit": ("Trust", "Unit"),
    "release.comparison": ("Comparison", "plan"),
    "release.plan": ("Plan", "forecast", "smallest_epsilon"),
    "release.job": ("Request",),
    "release.session": ("Session",),
    "release.synthesis": ("SyntheticRelease",),
}
_MODULE_OF = {name: module for module, names in _HOME.items() for name in names}

__all__ = [
    "Accuracy",
    "AnonymizedGraph",
    "BudgetExceeded",
    "Campaign",
    "ClaimRefuted",
    "Client",
    "Collector",
    "Comparison",
    "DirectedGraph",
    "Evaluation",
    "Graph",
    "GraphClassifier",
    "GraphFormatError",
    "GraphveilError",
    "Guarantee",
    "LabelledPeople",
    "Ledger",
    "LedgerError",
    "ParameterError",
    "Plan",
    "PublicFacts",
    "PublishedClaim",
    "Release",
    "ReportRefused",
    "Request",
    "SeededNoise",
    "Session",
    "Stream",
    "SyntheticRelease",
    "Trust",
    "Unit",
    "UnitMismatch",
    "UnsupportedByEngine",
    "WeakGuarantee",
    "WeightedGraph",
    "__version__",
    "anonymize",
    "as_graph",
    "barabasi_albert",
    "benchmark",
    "certify",
    "configuration",
    "erdos_renyi",
    "evaluate",
    "forecast",
    "from_igraph",
    "from_networkx",
    "from_pairs",
    "from_scipy",
    "from_table",
    "joint_degree_graph",
    "load_dataset",
    "plan",
    "power_law_cluster",
    "read_graph",
    "run_attack",
    "run_audits",
    "run_experiment",
    "smallest_epsilon",
    "summarize",
    "to_igraph",
    "to_networkx",
    "to_scipy",
    "write_graph",
]


def __getattr__(name: str) -> Any:
    if name == "__version__":
        from importlib.metadata import version

        return version("graphveil")
    module = _MODULE_OF.get(name)
    if module is None:
        raise AttributeError(f"graphveil has no {name!r}")
    return globals().setdefault(name, getattr(import_module(f"graphveil.{module}"), name))


def __dir__() -> list[str]:
    return __all__
