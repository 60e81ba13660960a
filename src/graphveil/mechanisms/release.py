"""What is published: a value with its accuracy, its guarantee and its provenance; as JSON, and in plain words.

There is one `Release`. A session makes one for each answer; a synthetic release and the result of a campaign hold one.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import cache
from importlib.metadata import version
from typing import Any

from graphveil.display.html import card
from graphveil.mechanisms.accuracy import Accuracy, Value
from graphveil.mechanisms.entries import columns_of, draw_release, needed, picture
from graphveil.mechanisms.measurement import Stage
from graphveil.privacy.guarantee import Guarantee, Status
from graphveil.privacy.odds import central_meaning, local_meaning
from graphveil.privacy.rounding import lower_end, nearest, text_up, upper_end
from graphveil.privacy.unit import Kind, Trust

SHOWN = 10  # longer vectors are counted, not printed
SCALARS = (float, int, str)

_version = cache(version)


@dataclass(frozen=True, slots=True)
class Provenance:
    """How a release came about. There is no fingerprint of the graph in it: that would be a leak.

    `entry` is the entry of the ledger that paid, where there is a ledger. `derived` holds other noisy values that were
    paid for on the way, and public facts that the value is read with.
    """

    algorithm: str
    version: str
    parameters: Mapping[str, Any]
    dataset: str
    entry: int | None
    noise: str
    created: str
    derived: Mapping[str, Any] = field(default_factory=dict)

    @classmethod
    def now(
        cls,
        algorithm: str,
        parameters: Mapping[str, Any],
        dataset: str,
        *,
        noise: str,
        entry: int | None = None,
        derived: Mapping[str, Any] | None = None,
    ) -> Provenance:
        """The provenance of something that this version of the package makes at this moment."""
        created = datetime.now(UTC).isoformat(timespec="seconds")
        return cls(algorithm, _version("graphveil"), parameters, dataset, entry, noise, created, derived or {})

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
    """One published answer: its value, accuracy, guarantee and provenance.

    `stages` say step by step what was done and what it cost; `warnings` say why the answer may be of little use.
    """

    query: str
    value: Value
    guarantee: Guarantee
    accuracy: Accuracy
    provenance: Provenance
    stages: tuple[Stage, ...] = ()
    warnings: tuple[str, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """The document of the command line's JSON contract; `labels` name the entries of a list of groups."""
        labels = self.provenance.derived.get("labels")
        return {
            "query": self.query,
            "value": plain(self.value),
            **({} if labels is None else {"labels": list(labels)}),
            "guarantee": self.guarantee.to_json(),
            "accuracy": self.accuracy.to_json(),
            "provenance": self.provenance.to_json(),
            "warnings": list(self.warnings),
        }

    @property
    def title(self) -> str:
        """The query, by which attribute, of which group of people where there are several, and of which friendships."""
        parameters = self.provenance.parameters
        column, group = parameters.get("column"), parameters.get("group")
        by = f" by {column['attribute']}" if isinstance(column, Mapping) else ""
        return ", ".join(filter(None, (f"{self.query}{by}", group, parameters.get("counted"))))

    @property
    def shown(self) -> str:
        """The value in few words; people and candidates are named, whatever their names look like."""
        return describe(self.value if self.accuracy.center is None else _names(self.value))

    def explain(self) -> str:
        """Stage by stage what was done, and what an attacker can and cannot conclude, in plain words."""
        return "\n".join(
            [
                f"{self.title}: how this answer was made",
                *_stage_lines(self.stages, self.guarantee),
                "How accurate it is",
                *(f"  {line}" for line in (*_accuracy_lines(self.accuracy), *self._warning_lines())),
                *_promise_lines(self.guarantee),
            ]
        )

    def to_pandas(self) -> Any:
        """A pandas table with a row for each entry: its label, its value and the ends of its 95 % interval."""
        return needed("pandas").DataFrame(columns_of(self))

    def to_polars(self) -> Any:
        """A polars table with a row for each entry, as `to_pandas` gives one."""
        return needed("polars").DataFrame(columns_of(self), strict=False)

    def plot(self, ax: Any = None) -> Any:
        """Draw the value with its 95 % intervals on axes of matplotlib and return them; `.figure.savefig` saves."""
        return draw_release(self, ax)

    def __repr__(self) -> str:
        return f"Release({self.title}: {self.shown}{self._interval_text()}; {self.guarantee})"

    def _repr_html_(self) -> str:
        facts = [("value", f"{self.shown}{self._interval_text()}"), ("promise", str(self.guarantee))]
        facts += [("warning", warning) for warning in self.warnings]
        facts += [("data set", self.provenance.dataset), ("made", f"{self.provenance.created}, {self._made_by()}")]
        return card(self.title, facts, figure=picture(self))

    def _made_by(self) -> str:
        return f"{self.provenance.algorithm}, graphveil {self.provenance.version}"

    def __str__(self) -> str:
        lines = [f"{self.title}: {self.shown}{self._interval_text()}", str(self.guarantee), *self._warning_lines()]
        return "\n  ".join(lines)

    def _warning_lines(self) -> list[str]:
        return [f"warning: {warning}" for warning in self.warnings]

    def _interval_text(self) -> str:
        accuracy = self.accuracy
        if accuracy.bands and accuracy.center is not None:
            return f" (95 %: {interval_words(accuracy)})"
        if isinstance(self.value, tuple | str) or not accuracy.bands:
            return ""
        low, high = (float(end) for end in accuracy.interval(0.95))  # type: ignore[arg-type]
        if math.isinf(high):
            return f" (95 %: at least {lower_end(low)})"
        return f" (95 % between {lower_end(low)} and {upper_end(high)})"


def plain(value: Any) -> Any:
    """A value as JSON has it: tuples become lists."""
    return [plain(entry) for entry in value] if isinstance(value, tuple) else value


def frozen(value: Any) -> Any:
    """A value of a release made from what JSON has: lists become tuples, mappings become tuples of pairs."""
    if isinstance(value, SCALARS):  # nearly all entries of a long list
        return value
    if isinstance(value, Mapping):
        return tuple((name, frozen(entry)) for name, entry in value.items())
    return tuple(map(frozen, value)) if isinstance(value, list | tuple) else value


def _names(value: Value) -> Value:
    return tuple(_names(entry) for entry in value) if isinstance(value, tuple) else str(value)


def describe(value: Value) -> str:
    """A value in few words: long vectors are only counted."""
    if isinstance(value, tuple):
        rows = bool(value) and isinstance(value[0], tuple)
        if len(value) > SHOWN:
            return f"{len(value):,} {'rows' if rows else 'names' if isinstance(value[0], str) else 'numbers'}"
        texts = [f"({describe(entry)})" if rows else describe(entry) for entry in value]
        return ("; " if not rows and any("," in text for text in texts) else ", ").join(texts) or "none"
    if isinstance(value, str):
        return value
    return nearest(value)


def short(value: Any) -> str:
    """An entry of a list in a table for people: three digits of a broken number, since noise hides the others.

    >>> short(39.875), short(1182), short(1234.5)
    ('39.9', '1,182', '1,234.5')
    """
    return f"{value:.3g}" if isinstance(value, float) and abs(value) < 100 else describe(value)


def _stage_lines(stages: Iterable[Stage], guarantee: Guarantee) -> list[str]:
    """A numbered line for each stage; a stage knows what it costs for one edge, a guarantee may be for several."""
    lines = []
    for number, stage in enumerate(stages, 1):
        cost = f" [epsilon {text_up(guarantee.unit.edges * stage.epsilon)}]" if stage.epsilon else ""
        lines.append(f"  {number}. {stage.text}{cost}")
    return lines


def _accuracy_lines(accuracy: Accuracy) -> list[str]:
    if not accuracy.bands:
        return [accuracy.scope or "no interval is known"]
    lines = [f"with 95 % confidence {interval_words(accuracy)}"]
    if accuracy.bias != "none":
        lines.append(f"bias: {accuracy.bias}")
    if accuracy.scope and accuracy.center is None:
        lines.append(accuracy.scope)
    return lines


def interval_words(accuracy: Accuracy) -> str:
    """The 95 % interval as the end of a sentence."""
    low, high = accuracy.interval(0.95)
    if isinstance(low, tuple) or isinstance(high, tuple):
        if not accuracy.simultaneous:
            return "each entry, taken by itself, lies within its interval"
        return "all entries lie within their intervals at once"
    if accuracy.center is not None:
        if accuracy.faultless and high == 0:
            return accuracy.faultless
        return f"{lower_end(low)} to {upper_end(high)} {accuracy.scope}"
    if math.isinf(high):
        return f"the truth is at least {lower_end(low)}"
    return f"the truth lies between {lower_end(low)} and {upper_end(high)}"


def interval_cell(accuracy: Accuracy) -> str:
    """The 95 % interval as the cell of a table: both ends, the lower one alone, or nothing where none is known."""
    if not accuracy.bands:
        return ""
    low, high = accuracy.interval(0.95)
    if isinstance(low, tuple) or isinstance(high, tuple):
        return "one for each entry"
    return f"at least {lower_end(low)}" if math.isinf(high) else f"{lower_end(low)} to {upper_end(high)}"


def promise(guarantee: Guarantee) -> list[tuple[str, str]]:
    """What a guarantee says, what it protects and what not, and what it assumes, each with a word for what it is."""
    facts = [("promise", str(guarantee))]
    if guarantee.status in (Status.PROVED, Status.UNREVIEWED):
        what, not_covered = _coverage(guarantee)
        local = guarantee.trust is Trust.LOCAL
        meaning = local_meaning(guarantee, whose="a person's") if local else central_meaning(guarantee)
        facts += [("protected", what), *(("meaning", line) for line in meaning), ("not protected", not_covered)]
        facts += [("assumes", assumption) for assumption in guarantee.assumes]
    return facts


def _promise_lines(guarantee: Guarantee) -> list[str]:
    """What a guarantee says, as lines of text under a heading."""
    plain_words = ("promise", "meaning")
    lines = [text if name in plain_words else f"{name}: {text}" for name, text in promise(guarantee)]
    return ["What it promises", *(f"  {line}" for line in lines)]


def _coverage(guarantee: Guarantee) -> tuple[str, str]:
    """What an attacker hardly learns, and what the promise does not speak of."""
    if guarantee.of_answer:
        return "what one person answers", "what is known about that person from elsewhere"
    if guarantee.trust is Trust.LOCAL:
        what = "anything in" if guarantee.unit.kind is Kind.NODE else "whether somebody stands in"
        return f"{what} one person's own list", "what the lists of others say of that person"
    if guarantee.unit.kind is Kind.NODE:
        what = "whether a given person is in the data, and whom they know"
        return what, "what is true of people in general, which would be learnt without this person too"
    k = guarantee.unit.edges
    if guarantee.by_event:
        what = "that a friendship began or ended in a given period" + (
            f", and {k} such facts together" if k > 1 else ""
        )
        return (
            what,
            "what many changes show together; whether two given people were ever connected loses the larger epsilon",
        )
    what = "whether two given people are connected" + (f", and {k} such facts together" if k > 1 else "")
    return what, "that somebody is in the data, or what many edges of one person show together"
