"""What an attack achieved, next to what guessing achieves."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from graphveil.errors import ParameterError

Need = Literal["node", "link", "community"]
CONFIDENCE = 0.95


@dataclass(frozen=True, slots=True)
class AttackOutcome:
    """How often an attack was right in so many tries, against the rate of a stated guess that ignores the publication.

    `need` is the privacy need it strikes: who somebody is (node), who knows whom (link), who belongs together
    (community). `knows` says what the adversary has besides the published data. `details` holds further rates.
    """

    attack: str
    need: Need
    knows: str
    tries: int
    successes: int
    baseline: str
    baseline_rate: float
    details: Mapping[str, float] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if not 0 <= self.successes <= self.tries or self.tries == 0:
            raise ParameterError(f"{self.successes} of {self.tries} tries cannot have succeeded")

    @property
    def rate(self) -> float:
        """The share of tries that succeeded."""
        return self.successes / self.tries

    @property
    def interval(self) -> tuple[float, float]:
        """The rate at 95 % confidence (Clopper and Pearson 1934)."""
        return clopper_pearson(self.successes, self.tries)

    @property
    def beats_baseline(self) -> bool:
        """Whether the attack is certainly better than the guess."""
        return self.interval[0] > self.baseline_rate

    def to_json(self) -> dict[str, Any]:
        """The outcome as `graphveil attack --json` prints it."""
        return {
            "attack": self.attack,
            "need": self.need,
            "knows": self.knows,
            "tries": self.tries,
            "successes": self.successes,
            "rate": self.rate,
            "interval95": list(self.interval),
            "baseline": self.baseline,
            "baseline_rate": self.baseline_rate,
            "beats_baseline": self.beats_baseline,
            "details": dict(self.details),
        }

    def __str__(self) -> str:
        low, high = self.interval
        return (
            f"{self.attack}: right in {self.rate:.2%} of {self.tries:,} tries ({low:.2%} to {high:.2%}); "
            f"{self.baseline} is right in {self.baseline_rate:.2%}"
        )


def clopper_pearson(successes: int, tries: int, confidence: float = CONFIDENCE) -> tuple[float, float]:
    """Bounds on a probability, each missed with at most half of 1 - confidence.

    >>> [round(bound, 4) for bound in clopper_pearson(5, 10)]
    [0.1871, 0.8129]
    """
    from scipy.special import betaincinv

    tail = (1 - confidence) / 2
    low = float(betaincinv(successes, tries - successes + 1, tail)) if successes else 0.0
    high = float(betaincinv(successes + 1, tries - successes, 1 - tail)) if successes < tries else 1.0
    return low, high


def verdict(outcomes: Sequence[AttackOutcome], published: str) -> str:
    """Whether what was published is safe against the attacks that were tried, in one sentence."""
    beaten = [outcome.attack for outcome in outcomes if outcome.beats_baseline]
    if beaten:
        return f"{published} is not safe against {', '.join(beaten)}: more is found than by guessing"
    return (
        f"{published} withstood {', '.join(outcome.attack for outcome in outcomes)}: no better than guessing. This "
        "proves nothing about other attacks"
    )
