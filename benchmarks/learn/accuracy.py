"""How often predictions are right on graphs with attributes: `python -m benchmarks.learn.accuracy [graph … epsilon …]`.

Class year on three Facebook graphs (people of the six largest years), topic on two graphs of citations. The same splits
for all columns: 75 % or 10 % of the people keep their label, 15 % are the test set. `floor` is features alone,
`ceiling` the same method without noise worth mentioning (epsilon 1,000); mean and standard deviation over five seeds,
in per cent. The data are in the folder `attributed` of GRAPHVEIL_DATA. With OPENBLAS_NUM_THREADS=1 it is faster.
"""

from __future__ import annotations

import sys
import time
from fractions import Fraction

import numpy as np
from benchmarks.learn._data import GRAPHS, load

from graphveil.learn.people import LabelledPeople
from graphveil.learn.roles import prior_of
from graphveil.mechanisms.noise.source import SeededNoise
from graphveil.release.session import Session

SEEDS = 5
SHARES = ("0.75", "0.1")
EPSILONS = ("0.1", "0.5", "1", "4")
CEILING = "1000"


def measure(name: str, share: str, epsilons: list[str]) -> tuple[dict[str, list[float]], float]:
    """Accuracies in per cent by column, and the mean seconds of a run."""
    data = load(name)
    truth = dict(zip(next(iter(data.table.values())), data.table[data.label], strict=True))
    found: dict[str, list[float]] = {"floor": []}
    times: list[float] = []
    for seed in range(SEEDS):
        table, test = data.hidden(float(share), seed)
        wanted = np.array([truth[person] for person in test])
        people = LabelledPeople.from_columns(table, label=data.label)
        place = {person: number for number, person in enumerate(people.names.tolist())}
        alone = prior_of(people)[[place[person] for person in test]].argmax(axis=1)
        found["floor"].append(100 * float((np.array(people.classes)[alone] == wanted).mean()))
        for epsilon in [*epsilons, CEILING]:
            session = Session(data.graph, unit="edge", budget=1000, noise=SeededNoise(seed + 1))
            start = time.perf_counter()
            model = session.learn(table, label=data.label, epsilon=Fraction(epsilon))
            times.append(time.perf_counter() - start)
            found.setdefault(epsilon, []).append(100 * model.score(test, wanted))
    return found, float(np.mean(times))


def main() -> None:
    asked = sys.argv[1:]
    names = [name for name in GRAPHS if name in asked] or list(GRAPHS)
    shares = [share for share in SHARES if share in asked] or list(SHARES)
    rest = [word for word in asked if word not in GRAPHS and word not in SHARES]
    epsilons = rest or list(EPSILONS)
    print(f"| graph | labelled | floor | {' | '.join(epsilons)} | ceiling | seconds |")
    print("|---" * (5 + len(epsilons)) + "|")
    for share in shares:
        for name in names:
            found, seconds = measure(name, share, epsilons)
            cells = [f"{np.mean(each):.1f} ± {np.std(each, ddof=1):.1f}" for each in found.values()]
            print(f"| {name} | {float(share):.0%} | {' | '.join(cells)} | {seconds:.1f} |", flush=True)


if __name__ == "__main__":
    main()
