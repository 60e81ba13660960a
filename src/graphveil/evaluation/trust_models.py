"""The same statistic under three trust models, on an invented network: local, two servers, central.

All three protect a relationship with the same epsilon. In the first two it stands in two lists, so an entry of a list
has half of it. Where one end of a friendship answers and the other end stays silent, an entry has all of it: of such
local protocols the one with the smaller forecast stands for all.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from graphveil.graph.core import Graph
from graphveil.local.forecast import forecast_on, invented_network
from graphveil.mechanisms.noise.source import SeededNoise
from graphveil.privacy.loss import Number, exact_epsilon
from graphveil.privacy.unit import Trust
from graphveil.registry import build_protocol
from graphveil.release.session import Session
from graphveil.two_servers.experiment import run_two_servers, two_server_statistic

COMPARED = ("degree-distribution", "triangles", "transitivity")  # what all three answer under edge privacy
LOCAL = {"triangles": (("veil", 1), ("rnl", 2))}  # and the epsilon of an entry, over that with which two ends answer
RUNS = 5
MOST_PEOPLE = 10_000  # beyond, the local protocol would take minutes


@dataclass(frozen=True, slots=True)
class TrustForecast:
    """The mean relative error of a statistic, who must be trusted for it, and by which algorithm at which epsilon."""

    trust: Trust
    relative_error: float
    trusted: str
    by: str


def compare_trust_models(
    statistic: str, *, epsilon: Number, n_people: int, mean_degree: float, clustering: float, seed: int = 1
) -> list[TrustForecast]:
    """Forecast a statistic under each trust model; `epsilon` is that of an entry of a list.

    Empty where not all three answer it, or where there are too many people to try it on.
    """
    if statistic not in COMPARED or n_people > MOST_PEOPLE:
        return []
    network = invented_network(n_people, mean_degree, clustering, seed)
    entry = exact_epsilon(epsilon)
    local = {}
    for protocol, times in LOCAL.get(statistic, (("veil", 1),)):
        page = build_protocol(statistic, protocol, unit="edge", epsilon=times * entry, n_people=n_people)
        local[f"{protocol}, epsilon {float(times * entry):g}"] = forecast_on(page, network, clustering, seed=seed)[
            statistic
        ].metrics["relative_error"]
    best = min(local, key=lambda by: local[by])
    shared = run_two_servers(
        network, statistic=statistic, unit="edge", epsilon=entry, runs=RUNS, seed=seed, shares=False
    )["metrics"]["relative_error"]
    central = float(np.mean(central_errors(network, statistic, 2 * entry, seed)))
    servers, curator = "two servers, not to put shares together", "a curator, who sees the whole graph"
    return [
        TrustForecast(Trust.LOCAL, local[best], "nobody", best),
        TrustForecast(Trust.TWO_SERVERS, shared, servers, f"two servers, epsilon {float(entry):g}"),
        TrustForecast(Trust.CENTRAL, central, curator, f"release, epsilon {float(2 * entry):g}"),
    ]


def central_errors(
    network: Graph, statistic: str, epsilon: Fraction, seed: int, *, runs: int = RUNS, metric: str = "relative_error"
) -> list[float]:
    """How far a trusted curator's releases are off; `epsilon` is that of a relationship."""
    asked = two_server_statistic(statistic)
    truth = asked.exact(network)
    errors = []
    for run in range(runs):
        session = Session(network, unit="edge", budget=epsilon, noise=SeededNoise(seed + run))
        release = session.release(statistic, epsilon=epsilon, accept_noise=True)
        errors.append(asked.metrics(release.value, truth)[metric])
    return errors
