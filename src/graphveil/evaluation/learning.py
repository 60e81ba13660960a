"""What predictions will be worth, before anything is spent: learning on made-up graphs among the people of a table.

Under edge privacy the table is public, so the forecast may use it: its labels, who has one, and its features. Edges are
made up from two guesses: the mean number of friends, and the share of them who are of one's own class. Nobody's true
class is needed; people without a label get one by the probabilities that features alone give, scaled to be right as
often as they say where labels are known.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from graphveil.arrays import Floats, Integers
from graphveil.display.svg import Line, lines
from graphveil.errors import ParameterError
from graphveil.graph.core import Graph
from graphveil.learn.combine import apply_scales, fit_scales
from graphveil.learn.estimator import GraphClassifier
from graphveil.learn.people import LabelledPeople
from graphveil.learn.roles import prior_of
from graphveil.mechanisms.noise.source import SeededNoise
from graphveil.privacy.loss import Number, exact_epsilon
from graphveil.release.job import Request
from graphveil.release.session import Session

CEILING = Fraction(1000)  # at which noise is not worth mentioning
MOST_PEOPLE = 200_000


@dataclass(frozen=True, slots=True)
class LearningForecast:
    """Shares of right predictions: for each epsilon the mean over made-up graphs and its spread."""

    epsilons: tuple[float, ...]
    reached: tuple[float, ...]
    spread: tuple[float, ...]
    floor: float
    ceiling: float

    def chart(self) -> str:
        """Accuracy against epsilon, between that of features alone and that without noise."""
        level = [1.0] * len(self.epsilons)
        near = [(100 * (mean - std), 100 * (mean + std)) for mean, std in zip(self.reached, self.spread, strict=True)]
        drawn = [
            Line("graph and features", self.epsilons, [100 * each for each in self.reached], *zip(*near, strict=True)),
            Line("features alone", self.epsilons, [100 * self.floor * each for each in level]),
            Line("without noise", self.epsilons, [100 * self.ceiling * each for each in level]),
        ]
        return lines(drawn, title="accuracy against epsilon", x="epsilon", y="right, %", log_x=True)

    def _repr_html_(self) -> str:
        return self.chart()

    def to_json(self) -> dict[str, Any]:
        """The floor, the ceiling and the forecast for each epsilon."""
        rows = zip(self.epsilons, self.reached, self.spread, strict=True)
        told = [{"epsilon": epsilon, "accuracy": mean, "spread": std} for epsilon, mean, std in rows]
        return {"floor": self.floor, "ceiling": self.ceiling, "forecasts": told}


def forecast_learning(
    people: LabelledPeople, *, epsilons: Sequence[Number], mean_degree: float, same: float, graphs: int = 3
) -> LearningForecast:
    """Forecast predictions under edge privacy; `same` is the share of friends who are of one's own class.

    >>> from graphveil.learn.toy import toy_people
    >>> found = forecast_learning(toy_people(90), epsilons=[4], mean_degree=20, same=0.9)
    >>> found.floor < found.reached[0] <= found.ceiling
    True
    """
    wanted = [exact_epsilon(epsilon) for epsilon in epsilons]
    unknown = np.flatnonzero(people.labels < 0)
    n_people = len(people.names)
    if not 0 < mean_degree < n_people:
        raise ParameterError(f"the mean degree must lie between 0 and {n_people}, not {mean_degree:g}")
    if not 0 <= same <= 1:
        raise ParameterError(f"the share of friends of one's own class must lie between 0 and 1, not {same:g}")
    if graphs < 1:
        raise ParameterError(f"at least one graph must be made up, not {graphs}")
    if n_people > MOST_PEOPLE:
        raise ParameterError(f"a forecast tries {MOST_PEOPLE:,} people at most: give a sample of the table")
    if not len(unknown):
        raise ParameterError(
            f"everybody has a label in column {people.label}: give no label to those "
            "to predict (an empty cell, or no such attribute of the node)"
        )
    prior, known = prior_of(people), people.labels >= 0
    scales, _ = fit_scales([prior[known]], people.labels[known])
    chances = np.exp(apply_scales([prior], scales))
    shares = np.empty((graphs, len(wanted) + 1))
    for number in range(graphs):
        rng = np.random.default_rng(number)
        classes = _drawn(people.labels, chances, rng)
        graph = _made_up(people, classes, mean_degree, same, rng)
        shares[number] = [_share_right(people, classes, graph, epsilon, number) for epsilon in (*wanted, CEILING)]
    reached, ceiling = shares[:, :-1], float(shares[:, -1].mean())
    spread = reached.std(axis=0, ddof=1) if graphs > 1 else np.zeros(len(wanted))
    return LearningForecast(
        tuple(map(float, wanted)),
        tuple(reached.mean(axis=0).tolist()),
        tuple(spread.tolist()),
        float(chances[unknown].max(axis=1).mean()),
        ceiling,
    )


def _share_right(people: LabelledPeople, classes: Integers, graph: Graph, epsilon: Fraction, seed: int) -> float:
    """The share of people without a label who are predicted right from a release of a made-up graph."""
    session = Session(graph, unit="edge", budget=epsilon, noise=SeededNoise(seed))
    job = session.prepare([Request("class-rows", epsilon, options={"people": people})])
    (release,) = session.execute(job).releases
    unknown = np.flatnonzero(people.labels < 0)
    truth = [people.classes[place] for place in classes[unknown]]
    return GraphClassifier(release, people).fit().score(people.names[unknown].tolist(), truth)


def _drawn(labels: Integers, chances: Floats, rng: np.random.Generator) -> Integers:
    """Everybody's class: the label, or one drawn by the chances."""
    drawn = (chances.cumsum(axis=1) < rng.random(len(labels))[:, None]).sum(axis=1)
    return np.where(labels >= 0, labels, np.minimum(drawn, chances.shape[1] - 1))


def _made_up(
    people: LabelledPeople, classes: Integers, mean_degree: float, same: float, rng: np.random.Generator
) -> Graph:
    """A graph in which so many ends of edges are of one class; some people have many friends and some few."""
    n_people = len(classes)
    weights = rng.exponential(size=n_people) + 0.2
    count = int(n_people * mean_degree / 2)
    first, second = (rng.choice(n_people, size=count, p=weights / weights.sum()) for _ in range(2))
    within = rng.random(count) < same
    for each in np.unique(classes):
        chosen, members = np.flatnonzero(within & (classes[first] == each)), np.flatnonzero(classes == each)
        second[chosen] = rng.choice(members, size=len(chosen), p=weights[members] / weights[members].sum())
    pairs = np.column_stack((first, second))[first != second]
    return Graph.from_edges(pairs, n_nodes=n_people, labels=people.names)
