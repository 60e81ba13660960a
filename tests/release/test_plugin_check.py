"""An algorithm of another package that does not draw what it claims is refused before its first run."""

from __future__ import annotations

import random
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import lru_cache

import pytest

from graphveil.central.edge.edges import EdgeCount
from graphveil.errors import GuaranteeMismatch
from graphveil.mechanisms.algorithm import Algorithm
from graphveil.mechanisms.laplace import NoisyInteger
from graphveil.registry import QUERIES, Job, Row
from graphveil.release import plugin_check
from graphveil.release.plugin_check import check_algorithm, check_plugin

MEASURED = []


@dataclass(frozen=True, slots=True)
class Honest(EdgeCount):
    """Nothing is changed."""


@dataclass(frozen=True, slots=True)
class TripleEpsilon(EdgeCount):
    """Draws at three times the epsilon it claims."""

    def measure(self, graph):
        return (replace(EdgeCount.measure(self, graph)[0], epsilon=3 * self.epsilon),)


@dataclass(frozen=True)
class KeptOnSelf(EdgeCount):
    """`measure` keeps the graph in an attribute for `conclude`."""

    def measure(self, graph):
        object.__setattr__(self, "graph", graph)
        return EdgeCount.measure(self, graph)

    def conclude(self, outcomes, facts):
        return EdgeCount.conclude(self, [self.graph.n_edges], facts)


@dataclass(frozen=True, slots=True)
class KeptInAField(EdgeCount):
    """`measure` keeps the graph in a field that copies of the algorithm share."""

    kept: dict = field(default_factory=dict)

    def measure(self, graph):
        self.kept["edges"] = graph.n_edges
        return EdgeCount.measure(self, graph)

    def conclude(self, outcomes, facts):
        return EdgeCount.conclude(self, [self.kept["edges"]], facts)


@dataclass(frozen=True, slots=True)
class KeptInAGlobal(EdgeCount):
    """`measure` keeps the graph in a variable of the module."""

    def measure(self, graph):
        MEASURED.append(graph)
        return EdgeCount.measure(self, graph)

    def conclude(self, outcomes, facts):
        return EdgeCount.conclude(self, [outcomes[0] + MEASURED[-1].n_edges], facts)


@lru_cache(maxsize=1)
def _last(_key: str) -> list:
    return []


@dataclass(frozen=True, slots=True)
class KeptInACache(EdgeCount):
    """`measure` keeps the graph in a cached function's value."""

    def measure(self, graph):
        _last("graph")[:] = [graph.n_edges]
        return EdgeCount.measure(self, graph)

    def conclude(self, outcomes, facts):
        return EdgeCount.conclude(self, _last("graph"), facts)


def _with_closure():
    seen = {}

    def measure(self, graph):
        seen["graph"] = graph
        return EdgeCount.measure(self, graph)

    def conclude(self, outcomes, facts):
        return EdgeCount.conclude(self, [seen["graph"].n_edges], facts)

    return dataclass(frozen=True, slots=True)(
        type("KeptInAClosure", (EdgeCount,), {"measure": measure, "conclude": conclude, "__module__": __name__})
    )


@dataclass(frozen=True, slots=True)
class Random(EdgeCount):
    """Draws in `conclude`, where no noise of ours can be checked."""

    def conclude(self, outcomes, facts):
        return EdgeCount.conclude(self, [outcomes[0] + random.getrandbits(5)], facts)


@dataclass(frozen=True, slots=True)
class TellingText(EdgeCount):
    """Its explanation holds the exact count."""

    def measure(self, graph):
        return (NoisyInteger(what=f"{graph.n_edges} edges", exact=0, sensitivity=1, epsilon=self.epsilon),)


@dataclass(frozen=True, slots=True)
class OwnGuarantee(EdgeCount):
    """Claims a third of what it draws."""

    @property
    def guarantee(self):
        return replace(EdgeCount.guarantee.fget(self), epsilon=self.epsilon / 3)


@pytest.mark.parametrize(
    ("made", "words"),
    [
        (TripleEpsilon, "claims epsilon 1, but its measurements cost epsilon 3"),
        (KeptOnSelf, "fails on a copy of the algorithm that has measured nothing"),
        (KeptInAField, "different results for the same outcomes"),
        (KeptInAGlobal, "different results for the same outcomes"),
        (KeptInACache, "different results for the same outcomes"),
        (_with_closure(), "different results for the same outcomes"),
        (Random, "different results for the same outcomes"),
        (TellingText, "differ between graphs"),
        (OwnGuarantee, "states a guarantee of its own"),
    ],
)
def test_what_is_not_as_it_claims_is_refused_in_one_line(made, words):
    with pytest.raises(GuaranteeMismatch, match=words) as refusal:
        check_plugin(made(epsilon=Fraction(1)))
    assert "\n" not in str(refusal.value)


def test_an_honest_algorithm_passes_and_is_checked_once(monkeypatch):
    check_plugin(Honest(epsilon=Fraction(1)))
    monkeypatch.setattr(plugin_check, "check_algorithm", lambda _: pytest.fail("checked again"))
    check_plugin(Honest(epsilon=Fraction(2)))


def test_the_registry_refuses_to_build_it():
    row = Row(Job.RELEASE, "mine", "edges", "edge", ":TripleEpsilon", home=__name__)
    with pytest.raises(GuaranteeMismatch, match="cost epsilon 3"):
        row.build(Fraction(1))


@pytest.mark.parametrize("row", QUERIES, ids=lambda row: row.name)
def test_our_own_algorithms_pass(row):
    if row.needs:
        return
    algorithm = row.build(Fraction(1), {})
    if isinstance(algorithm, Algorithm):
        check_algorithm(algorithm)
