"""Noisy counts of the classes among people's neighbours, from which classes are predicted, under edge privacy.

Paper      ours; label rows as input follow LPGNet (Kolluri, Baluta, Hooi, Saxena 2022), where both ends of an edge
           read it and every hop is paid again
Unit       edge; the people, their features, who has a label and the labels are public
Trust      central
Guarantee  pure epsilon for everything: rows, models, predictions for everybody
Estimator  every count is unbiased with integer Laplace noise; predictions: graphveil.learn
Cost       O(m) a pass, n c noisy numbers for c classes

Every person has a public role (`learn.roles`). A pair of people is read by one end only, into one count, once in each
pass; pairs of anchors are counted in a table of classes. The plan of these readings is data, and its loss is that of
the dearest pair of roles (`mechanisms.readings`). Where few people are labelled, one part in a hundred of epsilon
first measures how many people have at least MANY / epsilon neighbours. One edge changes that number by 2 at most. If
half of the people have so many, there are two passes: the rows of most people then say enough at half the rate.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from typing import Any

import numpy as np

from graphveil.central.query import Answer, PublicFacts, Query, Stage
from graphveil.errors import ParameterError
from graphveil.graph.core import Graph
from graphveil.learn.inference import Setting, predict_in_order
from graphveil.learn.people import LabelledPeople
from graphveil.learn.roles import prior_of, roles_of
from graphveil.mechanisms.accuracy import Accuracy, Value, discrete_laplace_accuracy
from graphveil.mechanisms.laplace import NoisyInteger
from graphveil.mechanisms.measurement import Adaptive, Measurements, Outcomes
from graphveil.mechanisms.readings import Answers, OrderedReadings

ASSUMED = (
    "the people, their features, who has a label and the labels are public, and none of them was made by looking at "
    "the edges"
)
CHOICE_SHARE = Fraction(1, 100)  # of epsilon, for the choice between one pass and two
MANY = 40  # neighbours times epsilon that a person needs for two passes; see docs/learn.md


@dataclass(frozen=True, slots=True)
class ClassRows(Query):
    """All noisy counts in the order of the plan; `learn.estimator` predicts from them."""

    query = "class-rows"
    unit = "edge"
    why_one_unit = (
        "one person's features and label are private there too, and change what everybody is predicted from",
        "degree-distribution",
    )
    assumes = (ASSUMED,)

    people: LabelledPeople

    def __post_init__(self) -> None:
        Query.__post_init__(self)
        given: object = self.people
        if not isinstance(given, LabelledPeople):
            raise ParameterError(f"people must be a table of labelled people, not {type(given).__name__}")
        if not (self.people.labels < 0).any():
            raise ParameterError(
                f"everybody has a label in column {self.people.label}: give no label to those "
                "to predict (an empty cell, or no such attribute of the node)"
            )

    def check_people(self, n_people: int) -> None:
        """Refuse a table that does not list as many people as the graph has."""
        if len(self.people.names) != n_people:
            raise ParameterError(f"the table lists {len(self.people.names):,} people; the graph has {n_people:,}")

    def check_names(self, names: Sequence[Any]) -> None:
        """Refuse a table that does not list the people of the graph."""
        self.people.places(names)

    def chooses(self) -> bool:
        """Whether a noisy number decides between one pass and two, as public facts say."""
        return roles_of(self.people).n_blocks > 1

    def rate(self) -> Fraction:
        """What the readings cost: all of epsilon but the share of the choice."""
        return self.epsilon * (1 - CHOICE_SHARE) if self.chooses() else self.epsilon

    def measure(self, graph: Graph) -> Measurements:
        """The readings of the plan; before them, where it decides, how many people have many neighbours."""
        self.check_people(graph.n_nodes)
        readings = partial(self._readings, self.people.ordered(graph))
        if not self.chooses():
            return (readings(1),)
        least = math.ceil(MANY / self.epsilon)
        many = NoisyInteger(
            what=f"number of people with {least:,} neighbours or more",
            exact=int((graph.degrees >= least).sum()),
            sensitivity=2,
            epsilon=self.epsilon * CHOICE_SHARE,
        )
        half = graph.n_nodes / 2  # the number of people is public

        def passes(outcome: int) -> int:
            return 2 if outcome >= half else 1

        return (Adaptive(many, passes, lambda chosen: (readings(chosen),), self.rate()),)

    def _readings(self, graph: Graph, passes: int) -> OrderedReadings:
        people = self.people
        roles = roles_of(people)
        prior = prior_of(people) if roles.n_blocks > 1 else np.zeros((len(people.names), len(people.classes)))
        setting = Setting(roles, people.labels, prior, float(self.rate() / passes), passes)
        return OrderedReadings(
            what="classes among people's neighbours",
            graph=graph,
            roles=roles.of,
            n_roles=roles.n_roles,
            n_classes=len(people.classes),
            plan=roles.plan(self.rate(), passes),
            program=partial(predict_in_order, setting),
        )

    def conclude(self, outcomes: Outcomes, facts: PublicFacts) -> Answer:  # noqa: ARG002 - the plan has all
        """All counts as one list, with everybody's role, which is public, to say whose counts they are."""
        answers: Answers = outcomes[0][1] if self.chooses() else outcomes[0]
        roles = roles_of(self.people)
        passes = 2 if len(answers) > roles.n_roles else 1
        value = tuple(np.concatenate([answer.ravel() for answer in answers]).tolist())
        accuracy = discrete_laplace_accuracy(value, self.rate() / passes, entries=len(value))
        stages = (Stage("kept all noisy counts; predictions are computed from them and cost nothing more"),)
        derived: dict[str, Value] = {"passes": passes, "rate": str(self.rate() / passes), "roles": roles.text()}
        return Answer(value, accuracy, stages, derived)

    def forecast(self, facts: PublicFacts) -> Accuracy:  # noqa: ARG002 - the error depends on epsilon alone
        """The noise of one count if there is one pass."""
        return discrete_laplace_accuracy(0, self.rate())
