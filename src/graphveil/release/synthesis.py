"""A synthetic release: what was measured once, from which graphs can be drawn for nothing.

A request for synthetic graphs with its method chosen and checked, and what it measures once it is paid for.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial
from typing import Any

import numpy as np

from graphveil.arrays import Integers
from graphveil.display.html import card
from graphveil.errors import ClaimRefuted, GuaranteeMismatch, ParameterError, UnitMismatch
from graphveil.graph.core import Graph
from graphveil.graph.subgraph import shuffle_people
from graphveil.mechanisms.accuracy import Accuracy
from graphveil.mechanisms.algorithm import PublicFacts, measured
from graphveil.mechanisms.measurement import Measurements, Stage, draw, stages_of, total_loss
from graphveil.mechanisms.noise.source import Noise, SystemNoise
from graphveil.mechanisms.release import Provenance, Release, describe, frozen
from graphveil.privacy.guarantee import Guarantee
from graphveil.privacy.ledger.rows import Entry
from graphveil.privacy.loss import Pure
from graphveil.privacy.odds import weak_warning
from graphveil.privacy.unit import Kind, Unit
from graphveil.registry import find_synthesizer
from graphveil.release.draw import draw_and_conclude, fresh_copy, run
from graphveil.release.engine_check import check_method
from graphveil.release.job import Request, canonical, members_digest
from graphveil.release.records import SessionFacts, dump_releases, load_releases
from graphveil.release.stored_fit import from_plain, to_plain
from graphveil.synthetic.attributes import (
    Categories,
    Mixing,
    conclude_mixing,
    mixing_distance,
    mixing_measurements,
    read_categories,
)
from graphveil.synthetic.mixed_graph import mixed_graph
from graphveil.synthetic.synthesizer import Fit, Synthesizer, missed_targets

LEAST_EPSILON = Fraction(1, 1000)  # below it no method was of use, and some cannot draw their noise
FITTED = "fitted a model to these noisy numbers; any number of graphs is drawn from it"
SEED_BITS = 53  # seeds are shown in JSON, whose numbers are exact up to here


@dataclass(frozen=True, slots=True)
class SyntheticRelease:
    """A release of the statistics that a graph is made from; `sample` draws graphs from it, each at no further cost.

    The value of `release` are the measured targets of the fit, by name. `repeated` says that it was paid for before;
    `other_graph` that it was stored under the request id for another graph than this one. Drawn graphs come without
    people's names and in random order, unless `keep_names` was asked for and the method follows people.
    """

    release: Release
    synthesizer: Synthesizer
    fit: Fit
    mixing: Mixing | None = None
    repeated: bool = False
    other_graph: bool = False
    keep_names: bool = False

    @property
    def has_names(self) -> bool:
        """Whether node u of a drawn graph is person u, under that name."""
        return self.keep_names and self.fit.follows_people

    @property
    def method(self) -> str:
        """The name of the synthesizer."""
        return self.provenance.algorithm

    @property
    def guarantee(self) -> Guarantee:
        """What is promised, whatever number of graphs is drawn."""
        return self.release.guarantee

    @property
    def provenance(self) -> Provenance:
        """How the measured statistics came about."""
        return self.release.provenance

    def explain(self) -> str:
        """What was measured and what it cost, and what an attacker can and cannot conclude, in plain words."""
        return self.release.explain()

    def __repr__(self) -> str:
        return f"SyntheticRelease({self.method}; {self.guarantee})"

    def _repr_html_(self) -> str:
        shown = [(name, value) for name, value in self.fit.targets.items() if name != "epsilons"][:12]
        targets = [(f"measured {name.replace('_', ' ')}", describe(frozen(value))) for name, value in shown]
        facts = [("promise", str(self.guarantee)), *targets, ("data set", self.provenance.dataset)]
        further = "missed(graph) says which targets it misses"
        further += "" if self.mixing is None else "; attributes() gives the categories of its nodes, in order"
        notes = [further, *(f"warning: {warning}" for warning in self.release.warnings)]
        return card(
            f"Synthetic graphs by {self.method}",
            facts,
            notes=["sample() draws a graph at no further cost; gv.to_networkx(graph) converts it", *notes],
        )

    def sample(self, seed: int | None = None) -> Graph:
        """One more graph; the same seed gives the same graph.

        Keep your seed to yourself where a method follows people: it gives their order away.
        """
        seed = fresh_seed() if seed is None else seed
        graph = self.synthesizer.sample(self.fit, seed=seed)
        if self.fit.follows_people and not self.keep_names:
            graph = shuffle_people(graph, seed=seed, group=None if self.mixing is None else self._categories.of)
        elif self.mixing is not None and not self.fit.follows_people:
            graph = mixed_graph(graph, self.mixing, seed=seed)
        return replace(graph, public=True)

    def attributes(self) -> tuple[str, ...]:
        """The category of every node of any drawn graph: people's own where their names are kept, else in order."""
        return tuple(self._categories.names[category] for category in self._own())

    def report(self, graph: Graph) -> dict[str, dict[str, float]]:
        """What a drawn graph has of each measured target."""
        found = self.synthesizer.report(self.fit, graph)
        if self.mixing is None:
            return dict(found)
        return {**found, "mixing_l1": {"target": 0.0, "reached": mixing_distance(graph, self.mixing, self._own())}}

    def missed(self, graph: Graph) -> list[str]:
        """A sentence for each target that a drawn graph misses, with how far off it is."""
        return missed_targets(self.report(graph))

    @property
    def _categories(self) -> Categories:
        if self.mixing is None:
            raise ParameterError("no attributes were given to synthesize, so drawn graphs have none")
        return self.mixing.categories

    def _own(self) -> Integers:
        of = self._categories.of
        return of if self.has_names else np.sort(of)

    def statement(self, graphs: Sequence[tuple[Mapping[str, Any], Graph]] = ()) -> dict[str, Any]:
        """The privacy statement that goes with drawn graphs, each given with what is known of it (file, seed, fit)."""
        return {
            "method": self.method,
            "guarantee": self.guarantee.to_json(),
            "provenance": self.provenance.to_json(),
            "follows_people": self.fit.follows_people,
            "names_kept": self.has_names,
            "expected_true_edges": self.fit.true_share,
            "targets": dict(self.fit.targets if self.has_names else self.fit.nameless_targets),
            **({} if self.mixing is None else {"attributes": self.mixing.to_json()}),
            "graphs": [self._described(known, graph) for known, graph in graphs],
        }

    def _described(self, known: Mapping[str, Any], graph: Graph) -> dict[str, Any]:
        """What is known of a drawn graph, what it has of each target, and a sentence for each that it misses."""
        fit = self.report(graph)
        counts = {"nodes": graph.n_nodes, "edges": graph.n_edges}
        return {**known, **counts, "fit": fit, "missed": missed_targets(fit)}


def fresh_seed() -> int:
    """A seed that nobody chose. It needs no secrecy: sampling sees released numbers only."""
    return SystemNoise().bits(SEED_BITS)


def prepare(method: str, epsilon: Fraction, unit: Unit, options: Mapping[str, Any]) -> Synthesizer:
    """The synthesizer of a method that may make a release under this unit; k edges at once share its epsilon."""
    row = find_synthesizer(method)
    claim = row.claim
    if row.refuted and claim is not None:
        raise ClaimRefuted(
            f"{method} is kept as published, and its privacy claim is refuted: {claim.reason}; it runs in "
            "`graphveil reproduce` and `graphveil audit` only"
        )
    if unit.kind is not Kind.EDGE:
        raise UnitMismatch(f"{method} protects edges: synthetic graphs are made under edge privacy, not {unit.kind}")
    if epsilon < unit.edges * LEAST_EPSILON:
        least, given = float(LEAST_EPSILON), float(epsilon / unit.edges)
        raise ParameterError(
            f"a synthetic graph needs an epsilon of {least:g} or more for one edge, not {given:g}: it would be noise"
        )
    synthesizer: Synthesizer = row.build(epsilon / unit.edges, options)
    return synthesizer


ATTRIBUTE_SHARE = Fraction(1, 10)  # of epsilon, for how categories of people mix


@dataclass(frozen=True, slots=True)
class SynthesisJob:
    """A synthesizer, and the categories of people whose mixing is measured beside it."""

    what: str  # the canonical text of the request
    method: str
    synthesizer: Synthesizer
    attributes: Mapping[Any, str] | None
    mixing_epsilon: Fraction
    categories: Categories | None = None  # those of the graph's people, once the job is checked

    @classmethod
    def prepare(
        cls,
        unit: Unit,
        method: str,
        epsilon: Fraction,
        attributes: Mapping[Any, str] | None,
        options: Mapping[str, Any],
    ) -> SynthesisJob:
        """Check all that can be checked without the graph."""
        mixing_epsilon = epsilon * ATTRIBUTE_SHARE / unit.edges if attributes is not None else Fraction(0)
        synthesizer = prepare(method, epsilon - mixing_epsilon * unit.edges, unit, options)
        further = {} if attributes is None else {"attributes": members_digest(attributes)}
        request = Request(f"synthetic graph ({method})", epsilon, method, options)
        what = canonical((request, synthesizer), **further)
        return cls(what, method, synthesizer, attributes, mixing_epsilon)

    def checked(self, graph: Graph) -> SynthesisJob:
        """The same job, if it can be measured for this graph.

        A stored answer is found without these checks: what was paid for is never refused.
        """
        check_method(graph, self.method, partial(run, self.synthesizer))
        if self.attributes is None:
            return self
        check_method(graph, f"{self.method} with attributes", lambda toy, _: toy.edges())
        return replace(self, categories=read_categories(graph, self.attributes))

    def measure(self, graph: Graph, noise: Noise, facts: SessionFacts, entry: Entry) -> SyntheticRelease:
        """Draw all measurements once; the entry of the ledger has paid for them, and their losses are the guarantee."""
        measurements, mixing_counts = measured(self.synthesizer, graph), self._mixing_measurements(graph)
        everything = (*measurements, *mixing_counts)
        loss = total_loss(everything)
        _check_paid(loss, entry, facts.unit)
        fit = draw_and_conclude(self.synthesizer, measurements, PublicFacts.of(graph, self.synthesizer.unit), noise)
        mixing = None
        if self.categories is not None:
            (noisy,) = draw(mixing_counts, noise)
            mixing = conclude_mixing(noisy, self.categories, self.mixing_epsilon)
        options = find_synthesizer(self.method).options
        parameters = {"epsilon": str(self.synthesizer.epsilon)} | {
            name: str(getattr(self.synthesizer, name)) for name in options
        }
        provenance = facts.provenance(self.method, parameters, entry)
        targets = frozen(fit.nameless_targets)
        guarantee = facts.guarantee(self._guarantee(loss))
        release = Release(
            query=f"synthetic graphs by {self.method}",
            value=targets,
            guarantee=guarantee,
            accuracy=Accuracy(targets, None, (), scope="no interval is known; a drawn graph reports what it reached"),
            provenance=provenance,
            stages=(*stages_of(everything), Stage(FITTED)),
            warnings=tuple(filter(None, (weak_warning(guarantee.epsilon), fit.warning, fit.hidden))),
        )
        return SyntheticRelease(release, fresh_copy(self.synthesizer), fit, mixing)

    def dump(self, made: SyntheticRelease) -> str:
        """What the ledger keeps: the release, what graphs are drawn from, and the statement for people to read."""
        kept = {"fit": to_plain(made.fit), "mixing": to_plain(made.mixing), "statement": made.statement()}
        return dump_releases([made.release], **kept)

    def load(self, stored: str, *, repeated: bool, other_graph: bool, keep_names: bool) -> SyntheticRelease:
        """The synthetic release that was stored for this request."""
        (release,), document = load_releases(stored), json.loads(stored)
        fit, mixing = from_plain(document["fit"]), from_plain(document["mixing"])
        return SyntheticRelease(release, fresh_copy(self.synthesizer), fit, mixing, repeated, other_graph, keep_names)

    def _mixing_measurements(self, graph: Graph) -> Measurements:
        if self.categories is None:
            return ()
        return mixing_measurements(graph, self.categories, self.mixing_epsilon)

    def _guarantee(self, loss: Pure) -> Guarantee:
        """That of the method, for the loss of all measurements."""
        guarantee = replace(self.synthesizer.guarantee, epsilon=loss.epsilon, relationship_epsilon=loss.epsilon)
        if self.categories is None:
            return guarantee
        return replace(guarantee, assumes=(*guarantee.assumes, "people's categories are public"))


def _check_paid(loss: Pure, entry: Entry, unit: Unit) -> None:
    """Refuse to draw what costs another loss than the entry of the ledger paid for."""
    cost = Pure(loss.epsilon * unit.edges)
    if entry.losses != (cost,):
        paid = ", ".join(map(str, entry.losses))
        raise GuaranteeMismatch(f"all measurements together cost {cost}, and {paid} was paid; nothing was drawn")
