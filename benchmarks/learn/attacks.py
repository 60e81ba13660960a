"""Attacks on friendships through predictions: `python -m benchmarks.learn.attacks [graph …]`.

Two attackers see a model that predicts the test people, and guess which of them are friends.

- *Similarity* (He and others 2021): friends get similar probabilities. But so do people of one class, and friends often
  are of one class: the column of true labels has the attacker who sees nothing but those.
- *Influence* (Wu and others 2022, LinkTeller): change the features of one person a little and watch whose predictions
  move. It needs a model that reads edges whenever it predicts.

The model without privacy is a softmax regression on features and labels that are averaged twice over friends (simple
graph convolution). Ours is fitted again with the changed features on the stored release. Area under the curve, mean and
standard deviation over three seeds, 75 % labelled: .5 is guessing.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np
from benchmarks.learn._data import Attributed, load
from scipy.sparse import csr_array, hstack
from scipy.stats import rankdata

from graphveil.learn.inference import Setting, replay
from graphveil.learn.people import LabelledPeople
from graphveil.learn.roles import Roles, prior_of
from graphveil.learn.softmax import fit_softmax, log_normalised
from graphveil.mechanisms.noise.source import SeededNoise
from graphveil.release.session import Session

GRAPHS = ("fb100-amherst", "fb100-reed", "cora")
SEEDS, PAIRS, CHANGED = 3, 2000, 12
SCALE = 1.01
COLUMNS = ("true labels alone", "features alone", "ours, epsilon 1", "without privacy")


def area(friends: Any, strangers: Any) -> float:
    """How often a pair of friends has a higher score than a pair of strangers, ties for a half."""
    ranks = rankdata(np.concatenate((friends, strangers)))
    pairs = len(friends) * len(strangers)
    return float((ranks[: len(friends)].sum() - len(friends) * (len(friends) + 1) / 2) / pairs)


def similarity(chances: Any, pairs: Any) -> Any:
    """The correlation of the probabilities of both ends."""
    middle = chances - chances.mean(axis=1, keepdims=True)
    unit = middle / np.maximum(np.linalg.norm(middle, axis=1, keepdims=True), 1e-12)
    return (unit[pairs[:, 0]] * unit[pairs[:, 1]]).sum(axis=1)


class Convolution:
    """The model without privacy."""

    def __init__(self, people: LabelledPeople, friends: Any) -> None:
        known = people.labels >= 0
        given = np.zeros((len(known), len(people.classes)))
        given[np.flatnonzero(known), people.labels[known]] = 1
        self.given, self.known = csr_array(given), known
        loops = csr_array(friends + csr_array((np.ones(len(known)), (range(len(known)), range(len(known))))))
        self.mean = csr_array(loops / loops.sum(axis=1)[:, None])
        averaged = self._averaged(people.features)
        self.weights = fit_softmax(averaged[known], people.labels[known], len(people.classes), ridge=1.0)

    def _averaged(self, features: Any) -> Any:
        return csr_array(self.mean @ (self.mean @ csr_array(hstack((features, self.given)))))

    def probabilities(self, features: Any) -> Any:
        """Of every class, for everybody, from these features and the private edges."""
        scores = np.asarray(self._averaged(features) @ self.weights[:-1]) + self.weights[-1]
        return np.exp(log_normalised(scores))


def influence(predict: Callable[[Any], Any], features: Any, friends: Any, test: Any, rng: Any) -> float:
    """The attack on a few people who have friends in the test set."""
    before, real, other = predict(features), [], []
    among = friends[test][:, test].toarray() > 0
    for place in rng.permutation(np.flatnonzero(among.any(axis=1)))[:CHANGED].tolist():
        factors = np.ones(features.shape[0])
        factors[test[place]] = SCALE
        moved = np.abs(predict(csr_array(features.multiply(factors[:, None]))) - before).sum(axis=1)[test]
        others = np.arange(len(test)) != place
        real.append(moved[among[place]])
        other.append(moved[~among[place] & others])
    return area(np.concatenate(real), np.concatenate(other))


def measure(data: Attributed, seed: int) -> tuple[list[float], list[float]]:
    """Areas of both attacks; those of influence on features alone, ours and the model without privacy."""
    rng = np.random.default_rng(seed)
    table, names = data.hidden(0.75, seed)
    people = LabelledPeople.from_columns(table, label=data.label)
    graph = people.ordered(data.graph)
    edges = graph.edges()
    ones = np.ones(2 * len(edges))
    ends = np.concatenate((edges, edges[:, ::-1]))
    friends = csr_array((ones, (ends[:, 0], ends[:, 1])), (graph.n_nodes, graph.n_nodes))
    place = {name: number for number, name in enumerate(people.names.tolist())}
    test = np.array([place[name] for name in names])
    model = Session(data.graph, unit="edge", budget=1, noise=SeededNoise(seed + 1)).learn(
        table, label=data.label, epsilon=1
    )
    plain = Convolution(people, friends)

    def alone(features: Any) -> Any:
        return np.exp(prior_of(replace(people, features=features)))

    def ours(features: Any) -> Any:
        stored = model.release.provenance.derived
        roles = Roles.parse(str(stored["roles"]), people)
        rate, passes = float(Fraction(str(stored["rate"]))), int(stored["passes"])
        setting = Setting(roles, people.labels, prior_of(replace(people, features=features)), rate, passes)
        return np.exp(replay(setting, np.array(model.release.value)).log_probabilities)

    truth = dict(zip(next(iter(data.table.values())), data.table[data.label], strict=True))
    told = np.eye(len(people.classes))[[people.classes.index(truth[name]) for name in people.names.tolist()]]
    within = edges[np.isin(edges, test).all(axis=1)]
    strangers = rng.choice(test, size=(PAIRS, 2))
    apart = (strangers[:, 0] != strangers[:, 1]) & (friends[strangers[:, 0], strangers[:, 1]] == 0)
    features = people.features
    seen = [told, *(predict(features) for predict in (alone, ours, plain.probabilities))]
    similar = [area(similarity(each, within), similarity(each, strangers[apart])) for each in seen]
    moved = [influence(predict, features, friends, test, rng) for predict in (alone, ours, plain.probabilities)]
    return similar, moved


def main() -> None:
    print(f"| graph | attack | {' | '.join(COLUMNS)} |")
    print("|---" * (2 + len(COLUMNS)) + "|")
    for name in [each for each in GRAPHS if each in sys.argv[1:]] or GRAPHS:
        data = load(name)
        found = [measure(data, seed) for seed in range(SEEDS)]
        for place, attack in enumerate(("similarity", "influence")):
            areas = np.array([each[place] for each in found])
            cells = [f"{mean:.3f} ± {std:.3f}" for mean, std in zip(areas.mean(0), areas.std(0, ddof=1), strict=True)]
            print(f"| {name} | {attack} | {' | '.join(['–'] * (len(COLUMNS) - len(cells)) + cells)} |", flush=True)


if __name__ == "__main__":
    main()
