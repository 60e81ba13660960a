"""What several statistics in one campaign may be expected to yield, beside one campaign for each at a part of epsilon.

Both are rehearsed on the same invented network, so that what differs is what is sent, and not the people.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from graphveil.errors import ParameterError, UnitMismatch
from graphveil.local.forecast import Forecast, forecast_on, invented_network
from graphveil.local.protocol import Cost, LocalProtocol
from graphveil.registry import build_protocol


@dataclass(frozen=True, slots=True)
class JointForecast:
    """Errors of each statistic together and apart, and what a person sends and fetches apart.

    `separate` is empty where the protocol does not collect each of them alone under the same unit.
    """

    sections: dict[str, Forecast]
    separate: dict[str, Forecast]
    epsilon_each: Fraction
    separate_cost: Cost


def forecast_together(protocol: LocalProtocol, *, mean_degree: float, clustering: float = 0.5) -> JointForecast:
    """Forecast one campaign for all statistics, and one for each by the same protocol at an equal part of epsilon."""
    network = invented_network(protocol.n_people, mean_degree, clustering)
    names = protocol.statistic.split(",")
    each = protocol.epsilon / len(names)
    alone = _apart(protocol, names, each)
    costs = [other.cost() for other in alone]
    separate = {name: forecast for other in alone for name, forecast in forecast_on(other, network, clustering).items()}
    cost = Cost(sum(cost.upload_bits_per_user for cost in costs), sum(cost.download_bits_per_user for cost in costs))
    return JointForecast(forecast_on(protocol, network, clustering), separate, each, cost)


def _apart(protocol: LocalProtocol, names: list[str], epsilon: Fraction) -> list[LocalProtocol]:
    """The protocol of the same name for each statistic; none where one of them is missing under this unit."""
    try:
        return [
            build_protocol(name, protocol.name, unit=protocol.unit, epsilon=epsilon, n_people=protocol.n_people)
            for name in names
        ]
    except (ParameterError, UnitMismatch):
        return []
