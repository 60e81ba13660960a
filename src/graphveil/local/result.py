"""What a campaign, or a simulation of one, ends with: estimate, error bars, guarantee, participation; and its JSON."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from graphveil.local.protocol import NORMAL95, Estimate, LocalProtocol
from graphveil.privacy.guarantee import Guarantee, Status, Verdict


@dataclass(frozen=True, slots=True, eq=False)
class CollectionResult:
    """The estimate, what it promises, and how many people reported in each round.

    `guarantee` holds for everybody; `strengths` has one entry for each strength that people could choose. Where the
    estimate has no standard deviation, `why_no_interval` says why.
    """

    statistic: str
    protocol: str
    estimate: Estimate
    guarantee: Guarantee
    strengths: tuple[Guarantee, ...]
    n_people: int
    reports: tuple[int, ...]
    why_no_interval: str | None = None
    reach95: float = NORMAL95

    @classmethod
    def of(
        cls, protocol: LocalProtocol, estimate: Estimate, reports: tuple[int, ...], *, seeded: bool = False
    ) -> CollectionResult:
        """Put together what belongs together; a refuted claim and repeatable noise are written on the guarantee."""
        stated, *each = stated_guarantees(protocol, seeded=seeded)
        why = protocol.why_no_interval if estimate.std is None else None
        return cls(
            protocol.statistic,
            protocol.name,
            estimate,
            stated,
            tuple(each),
            protocol.n_people,
            reports,
            why,
            protocol.reach95,
        )

    @property
    def value(self) -> Any:
        """The number or array that was asked for."""
        return self.estimate.value

    @property
    def interval95(self) -> tuple[Any, Any] | None:
        """Ends of a 95 % interval for each entry, from public and noisy values alone; None where no deviation is known.

        Entries of which nothing is known have no number for ends.
        """
        if self.estimate.std is None:
            return None
        value, std = (np.asarray(given, dtype=np.float64) for given in (self.value, self.estimate.std))
        reach = self.reach95 * std
        return value - reach, value + reach

    def to_json(self) -> dict[str, Any]:
        """All of it, for a result page or a file."""
        std = self.estimate.std
        return {
            "statistic": self.statistic,
            "protocol": self.protocol,
            "value": np.asarray(self.value, dtype=np.float64).tolist(),
            "std": None if std is None else np.asarray(std, dtype=np.float64).tolist(),
            "why_no_interval": self.why_no_interval,
            "facts": dict(self.estimate.facts),
            "guarantee": self.guarantee.to_json(),
            "strengths": [guarantee.to_json() for guarantee in self.strengths],
            "participation": {"people": self.n_people, "reports": list(self.reports)},
        }


def stated_guarantees(protocol: LocalProtocol, *, seeded: bool = False) -> tuple[Guarantee, ...]:
    """What holds for everybody, then what each strength promises, with what stands behind it."""
    status = Status.SEEDED if seeded else Status.PROVED
    if protocol.claim is not None and protocol.claim.verdict is Verdict.REFUTED:
        status = Status.CLAIM_REFUTED
    return tuple(replace(guarantee, status=status) for guarantee in (protocol.guarantee, *protocol.guarantees))


def result_document(outcome: CollectionResult) -> dict[str, Any]:
    """What the estimator says, with a 95 % interval for each entry where its standard deviation is known."""
    document, ends = _finite(outcome.to_json()), outcome.interval95
    return {**document, "interval95": None if ends is None else _finite([end.tolist() for end in ends])}


def _finite(value: Any) -> Any:
    """JSON has no infinities: what is not a number becomes null; numpy's numbers become plain."""
    if isinstance(value, dict):
        return {str(key): _finite(entry) for key, entry in value.items()}
    if isinstance(value, list | tuple | np.ndarray):
        return [_finite(entry) for entry in value]
    if isinstance(value, np.generic):
        value = value.item()
    return None if isinstance(value, float) and not math.isfinite(value) else value
