"""How often predictions are right on graphs with attributes: `python -m benchmarks.learn.accuracy [graph … epsilon …]`.

Class year on three Facebook graphs (people of the six largest years), topic on two graphs of citations. The same splits
for all columns: 75 % or 10 % of the people keep their label, 15 % are the test set. `floor` is features alone,
`ceiling` the same method without noise worth mentioning (epsilon 1,000); mean and standard deviation over five seeds,
in per cent. `held` says in how many of the runs with noise the forecast's interval held the share of all people to
predict that were predicted right. The data are in the folder `attributed` of GRAPHVEIL_DATA. With
OPENBLAS_NUM_THREADS=1 it is faster.
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


def measure(name: str, share: str, epsilons: list[str]) -> tuple[dict[str, list[float]], str, float]:
    """Accuracies in per cent by column, how often intervals held, and the mean seconds of processor time of a run."""
    data = load(name)
    truth = dict(zip(next(iter(data.table.values())), data.table[data.label], strict=True))
    found: dict[str, list[float]] = {"floor": []}
    times: list[float] = []
    held: list[bool] = []
    for seed in range(SEEDS):
        table, test = data.hidden(float(share), seed)
        wanted = np.array([truth[person] for person in test])
        people = LabelledPeople.from_columns(table, label=data.label)
        unknown = people.names[people.labels < 0].tolist()
        place = {person: number for number, person in enumerate(people.names.tolist())}
        alone = prior_of(people)[[place[person] for person in test]].argmax(axis=1)
        found["floor"].append(100 * float((np.array(people.classes)[alone] == wanted).mean()))
        for epsilon in [*epsilons, CEILING]:
            session = Session(data.graph, unit="edge", budget=1000, noise=SeededNoise(seed + 1))
            start = time.process_time()
            model = session.learn(table, label=data.label, epsilon=Fraction(epsilon))
            times.append(time.process_time() - start)
            found.setdefault(epsilon, []).append(100 * model.score(test, wanted))
            if epsilon != CEILING:
                reached = model.score(unknown, [truth[person] for person in unknown])
                _, low, high = model.accuracy()
                held.append(low <= reached <= high)
    return found, f"{sum(held)} of {len(held)}", float(np.mean(times))


def main() -> None:
    asked = sys.argv[1:]
    names = [name for name in GRAPHS if name in asked] or list(GRAPHS)
    shares = [share for share in SHARES if share in asked] or list(SHARES)
    rest = [word for word in asked if word not in GRAPHS and word not in SHARES]
    epsilons = rest or list(EPSILONS)
    print(f"| graph | labelled | floor | {' | '.join(epsilons)} | ceiling | held | seconds |")
    print("|---" * (6 + len(epsilons)) + "|")
    for share in shares:
        for name in names:
            found, held, seconds = measure(name, share, epsilons)
            cells = [f"{np.mean(each):.1f} ± {np.std(each, ddof=1):.1f}" for each in found.values()]
            print(f"| {name} | {float(share):.0%} | {' | '.join(cells)} | {held} | {seconds:.1f} |", flush=True)


if __name__ == "__main__":
    main()
