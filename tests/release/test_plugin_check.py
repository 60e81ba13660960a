"""An algorithm of another package that does not draw what it claims is refused before its first run."""

from __future__ import annotations

import random
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import lru_cache

import numpy as np
import pytest

from graphveil.central.edge.edges import EdgeCount
from graphveil.errors import GuaranteeMismatch
from graphveil.mechanisms.algorithm import Algorithm
from graphveil.mechanisms.laplace import NoisyInteger, NoisyVector
from graphveil.mechanisms.measurement import Adaptive
from graphveil.registry import QUERIES, Job, Row
from graphveil.release import plugin_check
from graphveil.release.plugin_check import check_algorithm, check_plugin
from graphveil.synthetic.synthesizer import Fit, Synthesizer

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
        if graph.n_nodes > 300:  # larger than any graph that is tried
            self.kept["edges"] = graph.n_edges
        return EdgeCount.measure(self, graph)

    def conclude(self, outcomes, facts):
        return EdgeCount.conclude(self, [self.kept.get("edges", outcomes[0])], facts)


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


@dataclass(frozen=True, slots=True, kw_only=True)
class SharperInteger(NoisyInteger):
    """Draws a third of the noise that its loss pays for."""

    @property
    def rate(self):
        return 3 * self.epsilon / self.sensitivity


@dataclass(frozen=True, slots=True)
class OwnMeasurement(EdgeCount):
    """Lists a measurement whose loss is only what its author says."""

    def measure(self, graph):
        return (SharperInteger(what="edges", exact=graph.n_edges, sensitivity=1, epsilon=self.epsilon),)


@dataclass(frozen=True, slots=True)
class TellingFollower(EdgeCount):
    """What follows the first measurement tells the number of edges by how many numbers there are."""

    def measure(self, graph):
        half = self.epsilon / 2

        def following(_):
            numbers = np.zeros(graph.n_edges + 1, dtype=np.int64)
            return (NoisyVector(what="numbers", exact=numbers, sensitivity=1, epsilon=half),)

        first = NoisyInteger(what="edges", exact=graph.n_edges, sensitivity=1, epsilon=half)
        return (Adaptive(first, lambda _: 0, following, half),)

    def conclude(self, outcomes, facts):
        return EdgeCount.conclude(self, [outcomes[0][0]], facts)


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundedMean(EdgeCount):
    """Adds noise to a number that is not whole, for a sensitivity below 1."""

    def measure(self, graph):
        mean = 2 * graph.n_edges / graph.n_nodes
        return (NoisyInteger(what="mean degree", exact=mean, sensitivity=Fraction(1, 10), epsilon=self.epsilon),)


@dataclass(frozen=True, slots=True, kw_only=True)
class KeepsForDrawing(Synthesizer):
    """`generate` returns the graph that was measured last."""

    def measure(self, graph):
        MEASURED.append(graph)
        return (NoisyInteger(what="edges", exact=graph.n_edges, sensitivity=1, epsilon=self.epsilon),)

    def conclude(self, outcomes, facts):
        return Fit(facts.n_nodes, {"edges": int(outcomes[0])})

    def generate(self, fit, *, seed):
        return MEASURED[-1]


@dataclass(frozen=True, slots=True)
class RaisesEpsilon(EdgeCount):
    """Makes its epsilon larger than it was asked for."""

    def __post_init__(self):
        object.__setattr__(self, "epsilon", 3 * self.epsilon)


@dataclass(frozen=True, slots=True)
class TellsWithAnOption(EdgeCount):
    """Tells the number of edges only if an option is given."""

    loud: int = 0

    def measure(self, graph):
        what = f"{graph.n_edges} edges" if self.loud else "edges"
        return (NoisyInteger(what=what, exact=graph.n_edges, sensitivity=1, epsilon=self.epsilon),)


@pytest.mark.parametrize(
    ("made", "words"),
    [
        (TripleEpsilon, "claims epsilon 1, but its measurements cost epsilon 3"),
        (KeptOnSelf, "fails on a copy of the algorithm that has measured nothing"),
        (KeptInAField, "has a public parameter that can change"),
        (KeptInAGlobal, "different results for the same outcomes"),
        (KeptInACache, "different results for the same outcomes"),
        (_with_closure(), "different results for the same outcomes"),
        (Random, "different results for the same outcomes"),
        (TellingText, "differ between graphs"),
        (OwnGuarantee, "states a guarantee of its own"),
        (OwnMeasurement, "is not a measurement of graphveil"),
        (TellingFollower, "differ between graphs"),
        (RoundedMean, "needs a whole number and a sensitivity of 1 or more"),
        (KeepsForDrawing, "draws different graphs from the same fit"),
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


def test_an_epsilon_that_was_not_asked_for_is_refused():
    row = Row(Job.RELEASE, "mine", "edges", "edge", ":RaisesEpsilon", home=__name__)
    with pytest.raises(GuaranteeMismatch, match="built for epsilon 1 and makes it 3"):
        row.build(1)


def test_every_set_of_options_is_checked():
    check_plugin(TellsWithAnOption(epsilon=Fraction(1)))
    with pytest.raises(GuaranteeMismatch, match="differ between graphs"):
        check_plugin(TellsWithAnOption(epsilon=Fraction(1), loud=1))


@pytest.mark.parametrize("row", QUERIES, ids=lambda row: row.name)
def test_our_own_algorithms_pass(row):
    if row.needs:
        return
    algorithm = row.build(Fraction(1), {})
    if isinstance(algorithm, Algorithm):
        check_algorithm(algorithm)
