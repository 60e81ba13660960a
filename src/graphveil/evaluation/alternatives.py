"""Whether answers about pairs alone would tell more than the protocol of a campaign, at the same loss of a friendship.

In a small network, or at a large epsilon, a graph of randomised answers (`rnl`) says more than counts with noise: one
end answers for each pair, so that answers get all of what a friendship may lose. Both are tried on invented people.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from graphveil.evaluation.contenders import build_fairly, friendship_epsilon
from graphveil.local.forecast import forecast_errors
from graphveil.local.protocol import LocalProtocol
from graphveil.registry import find_protocol

ERRORS = {"triangles": "relative_error", "triangle-sequence": "mae"}  # of the statistics that have both
ANSWERS, UNBIASED = "rnl", {"estimate": "unbiased"}
MOST_PEOPLE = 2_000  # beyond, trying takes long and answers alone are hardly ever closer
WORTH_SAYING = 0.7  # of the error


@dataclass(frozen=True, slots=True)
class Alternative:
    """Another protocol that is forecast closer, its epsilon for an entry, and by which part of the error."""

    protocol: str
    epsilon: Fraction
    options: dict[str, str]
    ratio: float

    @property
    def advice(self) -> str:
        """The options of a campaign by it, and what they are worth."""
        options = "".join(f" --option {name}={value}" for name, value in self.options.items())
        asked = f"--protocol {self.protocol} --epsilon {float(self.epsilon):g}{options}"
        times = f"{1 / self.ratio:.2g} times as close"
        return f"answers about pairs alone are forecast {times} at the same loss of a friendship: {asked}"

    def to_json(self) -> dict[str, Any]:
        """The protocol, its epsilon and options, and by which part of the error it is forecast."""
        about = {"protocol": self.protocol, "epsilon": float(self.epsilon), "options": self.options}
        return {**about, "error_ratio": self.ratio}


def closer_alternative(protocol: LocalProtocol, *, mean_degree: float, clustering: float) -> Alternative | None:
    """Answers alone at the same epsilon for a friendship, if forecast clearly closer, and closer than a guess."""
    error = ERRORS.get(protocol.statistic)
    if error is None or protocol.unit != "edge" or protocol.name == ANSWERS or protocol.n_people > MOST_PEOPLE:
        return None
    row = find_protocol(protocol.statistic, ANSWERS, protocol.unit)
    answers = build_fairly(row, friendship_epsilon(protocol), "friendship", protocol.n_people, UNBIASED)
    own, others = (
        forecast_errors(each, mean_degree=mean_degree, clustering=clustering) for each in (protocol, answers)
    )
    ratio = others.metrics[error] / max(own.metrics[error], 1e-12)
    if ratio >= WORTH_SAYING or others.metrics[error] >= others.guess[error]:
        return None
    return Alternative(ANSWERS, answers.epsilon, UNBIASED, ratio)
