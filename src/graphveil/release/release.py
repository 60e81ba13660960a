"""What leaves a session: a value with its guarantee, its accuracy and where it came from."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from graphveil.central.query import Stage
from graphveil.mechanisms.accuracy import Accuracy, Value
from graphveil.privacy.guarantee import Guarantee
from graphveil.release.explain import lower_end, nearest, upper_end

SHOWN = 10  # longer vectors are counted, not printed


@dataclass(frozen=True, slots=True)
class Provenance:
    """How a release came about. There is no fingerprint of the graph in it: that would be a leak."""

    algorithm: str
    version: str
    parameters: Mapping[str, Any]
    dataset: str
    entry: int | None
    noise: str
    created: str
    derived: Mapping[str, Value] = field(default_factory=dict)

    def to_json(self) -> dict[str, Any]:
        """All of it; vectors become lists."""
        return {
            "algorithm": self.algorithm,
            "version": self.version,
            "parameters": dict(self.parameters),
            "dataset": self.dataset,
            "ledger_entry": self.entry,
            "noise": self.noise,
            "created": self.created,
            "derived": {name: plain(value) for name, value in self.derived.items()},
        }


@dataclass(frozen=True, slots=True)
class Release:
    """One published answer: its value, guarantee, accuracy, provenance and stages."""

    query: str
    value: Value
    guarantee: Guarantee
    accuracy: Accuracy
    provenance: Provenance
    stages: tuple[Stage, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """The document of the command line's JSON contract."""
        return {
            "query": self.query,
            "value": plain(self.value),
            "guarantee": self.guarantee.to_json(),
            "accuracy": self.accuracy.to_json(),
            "provenance": self.provenance.to_json(),
        }

    @property
    def title(self) -> str:
        """The query, and of which group of people where it was asked for several."""
        group = self.provenance.parameters.get("group")
        return self.query if group is None else f"{self.query}, {group}"

    def explain(self) -> str:
        """Stage by stage what was done, and what an attacker can and cannot conclude, in plain words."""
        from graphveil.release.explain import explain

        return explain(self)

    def __str__(self) -> str:
        from graphveil.release.policy import says_nothing

        lines = [f"{self.title}: {self.shown}{self._interval_text()}", str(self.guarantee), says_nothing(self.accuracy)]
        return "\n  ".join(line for line in lines if line)

    @property
    def shown(self) -> str:
        """The value in few words; people and candidates are named, whatever their names look like."""
        return describe(self.value if self.accuracy.center is None else _names(self.value))

    def _interval_text(self) -> str:
        accuracy = self.accuracy
        if accuracy.bands and accuracy.center is not None:
            from graphveil.release.explain import interval_words

            return f" (95 %: {interval_words(accuracy)})"
        if isinstance(self.value, tuple | str) or not accuracy.bands:
            return ""
        low, high = (float(end) for end in accuracy.interval(0.95))  # type: ignore[arg-type]
        if math.isinf(high):
            return f" (95 %: at least {lower_end(low)})"
        return f" (95 % between {lower_end(low)} and {upper_end(high)})"


def plain(value: Value) -> Any:
    """A value as JSON has it."""
    return [plain(entry) for entry in value] if isinstance(value, tuple) else value


def _names(value: Value) -> Value:
    return tuple(_names(entry) for entry in value) if isinstance(value, tuple) else str(value)


def describe(value: Value) -> str:
    """A value in few words: long vectors are only counted."""
    if isinstance(value, tuple):
        rows = bool(value) and isinstance(value[0], tuple)
        if len(value) > SHOWN:
            return f"{len(value):,} {'rows' if rows else 'names' if isinstance(value[0], str) else 'numbers'}"
        return ", ".join(f"({describe(entry)})" if rows else describe(entry) for entry in value) or "none"
    if isinstance(value, str):
        return value
    return nearest(value)
