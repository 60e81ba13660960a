"""What a campaign, or a simulation of one, ends with: a release, what each strength promises, who took part; its JSON.

The intervals are the estimate plus and minus the protocol's own multiple of its standard deviation. Each holds for its
entry by itself, unlike those of a session, which hold for all entries at once.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from graphveil.arrays import Floats
from graphveil.display.html import card
from graphveil.local.protocol import Estimate, LocalProtocol
from graphveil.local.statistics import support_of
from graphveil.mechanisms.accuracy import Accuracy, Band
from graphveil.mechanisms.entries import picture
from graphveil.mechanisms.measurement import Stage
from graphveil.mechanisms.release import Provenance, Release
from graphveil.privacy.guarantee import Guarantee, Status

SCOPE = "the interval follows from the estimated standard deviation"


@dataclass(frozen=True, slots=True, eq=False)
class CollectionResult:
    """The released estimate, and how many people reported in each round.

    The guarantee of `release` holds for everybody; `strengths` has one entry for each strength that people could
    choose. The provenance names the protocol and its parameters. Where one campaign collected several statistics,
    `more` has the releases of all but the first; one guarantee covers all of them together.
    """

    release: Release
    strengths: tuple[Guarantee, ...]
    n_people: int
    reports: tuple[int, ...]
    more: tuple[Release, ...] = ()

    @classmethod
    def of(
        cls, protocol: LocalProtocol, estimate: Estimate, reports: tuple[int, ...], *, seeded: bool = False
    ) -> CollectionResult:
        """Put together what belongs together; a refuted claim and repeatable noise are written on the guarantee."""
        stated, *each = stated_guarantees(protocol, seeded=seeded)
        first = protocol.statistic.partition(",")[0] if estimate.also else protocol.statistic
        stages = tuple(
            Stage(f"round {number}: {sent:,} of {protocol.n_people:,} people sent a noisy report")
            for number, sent in enumerate(reports, 1)
        )
        noise = "seeded" if seeded else "system"
        release, *more = (
            _release(protocol, statistic, made, (stated, noise), stages)
            for statistic, made in {first: estimate, **estimate.also}.items()
        )
        return cls(release, tuple(each), protocol.n_people, reports, tuple(more))

    @property
    def sections(self) -> dict[str, CollectionResult]:
        """The result of each statistic by itself, by its name."""
        return {release.query: replace(self, release=release, more=()) for release in (self.release, *self.more)}

    @property
    def statistic(self) -> str:
        """The name of what was estimated; several stand between commas."""
        return ",".join(release.query for release in (self.release, *self.more))

    @property
    def protocol(self) -> str:
        """The name of the protocol that collected the reports."""
        return self.release.provenance.algorithm

    @property
    def guarantee(self) -> Guarantee:
        """What everybody is promised, whatever strength they chose."""
        return self.release.guarantee

    @property
    def value(self) -> Any:
        """The estimate: a number or an array."""
        return _array(self.release.value)

    @property
    def std(self) -> Any:
        """The standard deviation of the estimate, a number or an array; None where it is not known."""
        return _array(self.release.accuracy.std)

    @property
    def estimate(self) -> Estimate:
        """Value, standard deviation and further facts, as the protocol's estimator gave them."""
        return Estimate(self.value, self.std, dict(self.release.provenance.derived))

    @property
    def why_no_interval(self) -> str | None:
        """Why there is no interval, where there is none."""
        accuracy = self.release.accuracy
        return accuracy.scope if accuracy.std is None else None

    @property
    def interval95(self) -> tuple[Any, Any] | None:
        """Ends of a 95 % interval for each entry, from public and noisy values alone; None where no deviation is known.

        Entries of which nothing is known have no number for ends.
        """
        accuracy = self.release.accuracy
        if accuracy.std is None:
            return None
        low, high = (np.asarray(end, dtype=np.float64) for end in accuracy.interval(0.95))
        known = ~np.isnan(np.asarray(accuracy.std))
        return np.where(known, low, np.nan), np.where(known, high, np.nan)

    def to_pandas(self) -> Any:
        """The estimate, of several the first, as a pandas table; see `Release.to_pandas`."""
        return self.release.to_pandas()

    def to_polars(self) -> Any:
        """The estimate, of several the first, as a polars table; see `Release.to_polars`."""
        return self.release.to_polars()

    def plot(self, ax: Any = None) -> Any:
        """Draw the estimate, of several the first, with its intervals; see `Release.plot`."""
        return self.release.plot(ax)

    def __repr__(self) -> str:
        return f"CollectionResult({self.statistic} by {self.protocol}: {self.release.shown}; {self.guarantee})"

    def _repr_html_(self) -> str:
        sent = " and ".join(f"{count:,}" for count in self.reports)
        facts = [
            *((each.query if self.more else "estimate", each.shown) for each in (self.release, *self.more)),
            ("protocol", self.protocol),
            ("promise", str(self.guarantee)),
            (
                "took part",
                f"{sent} of {self.n_people:,} people" + (" in these rounds" if len(self.reports) > 1 else ""),
            ),
        ]
        return card(f"{self.statistic}, collected", facts, figure=picture(self.release))

    def answer(self) -> dict[str, Any]:
        """The estimate of the first statistic, its deviation or why there is none, and its facts."""
        std = self.release.accuracy.std
        return {
            "value": np.asarray(self.value).tolist(),
            "std": None if std is None else np.asarray(std).tolist(),
            "why_no_interval": self.why_no_interval,
            "facts": dict(self.release.provenance.derived),
        }

    def to_json(self) -> dict[str, Any]:
        """All of it, for a result page or a file; of several statistics, `results` holds each by its name."""
        each = {name: part.answer() for name, part in self.sections.items()}
        return {
            "statistic": self.statistic,
            "protocol": self.protocol,
            **({"results": each} if self.more else self.answer()),
            "guarantee": self.guarantee.to_json(),
            "strengths": [guarantee.to_json() for guarantee in self.strengths],
            "participation": {"people": self.n_people, "reports": list(self.reports)},
        }


def _release(
    protocol: LocalProtocol, statistic: str, estimate: Estimate, drawn: tuple[Guarantee, str], stages: tuple[Stage, ...]
) -> Release:
    """The estimate of one statistic as a release, under the guarantee and the kind of noise with which it was drawn."""
    accuracy, (stated, noise) = accuracy_of(protocol, estimate, statistic), drawn
    provenance = Provenance.now(
        protocol.name,
        {"epsilon": str(protocol.epsilon)} | protocol.parameters(),
        f"the lists of {protocol.n_people:,} participants",
        noise=noise,
        derived=estimate.facts,
    )
    return Release(statistic, accuracy.value, stated, accuracy, provenance, stages)


def accuracy_of(protocol: LocalProtocol, estimate: Estimate, statistic: str) -> Accuracy:
    """The standard deviation of an estimate and its 95 % band; where none is known, the protocol says why.

    Of an entry whose standard deviation is no number nothing is known: its band is infinite. Bands of shares are cut to
    0..1, where the truth lies.
    """
    value = _in_tuples(np.asarray(estimate.value, dtype=np.float64))
    std = np.asarray(np.nan if estimate.std is None else estimate.std, dtype=np.float64)
    if np.isnan(std).all():
        scope = protocol.why_no_interval if estimate.std is None else "nothing is known about any entry"
        return Accuracy(value, None, (), bias="not stated", scope=scope, simultaneous=False)
    reach = _in_tuples(np.where(np.isnan(std), np.inf, protocol.reach95 * std))
    bands = (Band(0.95, reach, reach),)
    support = support_of(statistic)
    return Accuracy(value, _in_tuples(std), bands, "not stated", support, SCOPE, simultaneous=False)


def _in_tuples(values: Floats) -> Any:
    """A number, or the rows of an array as tuples."""
    if values.ndim > 1:
        return tuple(map(_in_tuples, values))
    return tuple(values.tolist()) if values.ndim else values.item()


def stated_guarantees(protocol: LocalProtocol, *, seeded: bool = False) -> tuple[Guarantee, ...]:
    """What holds for everybody, then what each strength promises, with what stands behind it."""
    status = Status.SEEDED if seeded else Status.PROVED
    if protocol.refuted:
        status = Status.CLAIM_REFUTED
    return tuple(replace(guarantee, status=status) for guarantee in (protocol.guarantee, *protocol.guarantees))


def result_document(outcome: CollectionResult) -> dict[str, Any]:
    """What the estimator says, with a 95 % interval for each entry where its standard deviation is known."""
    document = _finite(outcome.to_json())
    if not outcome.more:
        return {**document, "interval95": _ends(outcome)}
    for name, part in outcome.sections.items():
        document["results"][name]["interval95"] = _ends(part)
    return dict(document)


def section_documents(document: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    """The document of each statistic by itself, by name, from a result's document of one or of several."""
    if "results" not in document:
        return {document["statistic"]: dict(document)}
    common = {name: value for name, value in document.items() if name != "results"}
    return {name: {**common, "statistic": name, **own} for name, own in document["results"].items()}


def entry_names(section: Mapping[str, Any]) -> list[int | str]:
    """What the entries of one statistic are called: the answers to a question, else numbers from 0 up.

    >>> entry_names({"value": [0.3, 0.7], "facts": {"answers": "no, yes"}}), entry_names({"value": 7.0})
    (['no', 'yes'], [0])
    """
    size = len(section["value"]) if isinstance(section["value"], list) else 1
    answers: list[int | str] = list(str(section.get("facts", {}).get("answers", "")).split(", "))
    return answers if len(answers) == size and answers != [""] else list(range(size))


def entry_rows(section: Mapping[str, Any]) -> list[tuple[Any, ...]]:
    """Of each entry of one statistic the name, the value, its deviation and the ends of its interval, as far as known.

    >>> entry_rows({"value": 7.0, "std": None, "interval95": None})
    [(0, 7.0, None, None, None)]
    """
    columns = [section["value"], section["std"], *(section["interval95"] or (None, None))]
    length = len(columns[0]) if isinstance(columns[0], list) else 1
    listed = [column if isinstance(column, list) else [column] * length for column in columns]
    return list(zip(entry_names(section), *listed, strict=True))


def _ends(outcome: CollectionResult) -> Any:
    """The ends of the intervals of one statistic, for JSON."""
    ends = outcome.interval95
    return None if ends is None else _finite([end.tolist() for end in ends])


def _array(value: Any) -> Any:
    """A vector as an array, so that one can calculate with it; a number stays one."""
    return np.array(value, dtype=np.float64) if isinstance(value, tuple) else value


def _finite(value: Any) -> Any:
    """JSON has no infinities: what is not a number becomes null; numpy's numbers become plain."""
    if isinstance(value, dict):
        return {str(key): _finite(entry) for key, entry in value.items()}
    if isinstance(value, list | tuple | np.ndarray):
        return [_finite(entry) for entry in value]
    if isinstance(value, np.generic):
        value = value.item()
    return None if isinstance(value, float) and not math.isfinite(value) else value
