"""Predictions on generated graphs: `python -m benchmarks.learn.families [family … epsilon …]`.

Graphs with and without homophily, with edges between classes, hubs, few edges, few people, many classes or one large
one. Mean over ten graphs of each kind, in per cent of the people to predict: features alone, then for each epsilon what
the graph adds to features, and in brackets how much too high the forecast of the accuracy was.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from graphveil.graph.core import Graph
from graphveil.learn.people import LabelledPeople
from graphveil.learn.roles import prior_of
from graphveil.mechanisms.noise.source import SeededNoise
from graphveil.release.session import Session

SEEDS = 10
SHARES = (0.75, 0.1)
EPSILONS = ("0.1", "0.5", "1", "4")


@dataclass(frozen=True)
class Family:
    """Graphs whose edges join a person to one of the same class (of the next class) with some probability."""

    people: int = 600
    classes: int = 4
    degree: float = 20
    same: float = 0.0
    next: float = 0.0
    hubs: bool = False
    largest: float = 0.0  # share of the first class beside its equal share
    telling: float = 0.5  # share of people whose feature tells their class

    def draw(self, seed: int) -> tuple[Graph, list[str], list[str]]:
        """A graph, everybody's class and everybody's feature."""
        rng = np.random.default_rng(seed)
        classes = rng.integers(self.classes, size=self.people)
        classes[rng.random(self.people) < self.largest] = 0
        weights = rng.pareto(1.5, self.people) + 0.1 if self.hubs else np.ones(self.people)
        weights = np.minimum(weights, weights.sum() / 20)
        first = rng.choice(self.people, size=int(self.people * self.degree / 2), p=weights / weights.sum())
        luck = rng.random(len(first))
        wanted = np.where(luck < self.same, classes[first], (classes[first] + 1) % self.classes)
        second = rng.choice(self.people, size=len(first), p=weights / weights.sum())
        for each in range(self.classes):
            chosen = np.flatnonzero((wanted == each) & (luck < self.same + self.next))
            members = np.flatnonzero(classes == each)
            if len(members):
                own = weights[members] / weights[members].sum()
                second[chosen] = rng.choice(members, size=len(chosen), p=own)
        tells = rng.random(self.people) < self.telling
        shown = np.where(tells, classes, rng.integers(self.classes, size=self.people))
        pairs = np.column_stack((first, second))[first != second]
        graph = Graph.from_edges(pairs, n_nodes=self.people, labels=np.arange(self.people))
        return graph, [f"k{each}" for each in classes], [f"f{each}" for each in shown]


FAMILIES = {
    "homophily": Family(same=0.6),
    "no homophily": Family(),
    "heterophily": Family(next=0.7),
    "hubs": Family(hubs=True, same=0.6),
    "hubs, no homophily": Family(hubs=True),
    "dense": Family(degree=120, same=0.3),
    "sparse": Family(degree=3, same=0.6),
    "40 people": Family(people=40, degree=8, same=0.6),
    "40 people, no homophily": Family(people=40, degree=8),
    "30 classes": Family(classes=30, same=0.6),
    "30 classes, no homophily": Family(classes=30),
    "one large class": Family(largest=0.85, same=0.6),
    "no features": Family(same=0.6, telling=0.0),
    "strong features": Family(same=0.6, telling=0.95),
    "strong features, no homophily": Family(telling=0.95),
}


def measure(family: Family, share: float, epsilon: str, seed: int) -> tuple[float, float, float]:
    """Accuracy of features alone, of features and graph, and the forecast, of one graph."""
    graph, classes, shown = family.draw(seed)
    rng = np.random.default_rng(seed + 1000)
    hidden = rng.permutation(family.people) >= share * family.people
    hidden[[classes.index(each) for each in sorted(set(classes))[:2]]] = False
    kept = ["" if hide else each for each, hide in zip(classes, hidden, strict=True)]
    table = {"person": list(range(family.people)), "class": kept, "feature": shown}
    session = Session(graph, unit="edge", budget=1000, noise=SeededNoise(seed + 1))
    model = session.learn(table, label="class", epsilon=Fraction(epsilon))
    people = LabelledPeople.from_columns(table, label="class")
    unknown = np.flatnonzero(hidden)
    truth = np.array(classes)[unknown]
    alone = np.array(people.classes)[prior_of(people)[unknown].argmax(axis=1)]
    return float((alone == truth).mean()), model.score(unknown, truth), model.accuracy()[0]


def main() -> None:
    asked = sys.argv[1:]
    names = [name for name in FAMILIES if name in asked] or list(FAMILIES)
    epsilons = [word for word in asked if word not in FAMILIES] or list(EPSILONS)
    print(f"| graphs | labelled | features alone | {' | '.join(epsilons)} |")
    print("|---" * (3 + len(epsilons)) + "|")
    for name in names:
        for share in SHARES:
            cells = []
            for epsilon in epsilons:
                runs = [measure(FAMILIES[name], share, epsilon, seed) for seed in range(SEEDS)]
                floor, reached, forecast = 100 * np.array(runs).T
                gain = reached - floor
                error = gain.std(ddof=1) / np.sqrt(SEEDS)
                cells.append(f"{gain.mean():+.1f} ± {error:.1f} ({(forecast - reached).mean():+.0f})")
            print(
                f"| {name} | {share:.0%} | {floor.mean():.1f} ± {floor.std(ddof=1):.1f} | {' | '.join(cells)} |",
                flush=True,
            )


if __name__ == "__main__":
    main()
