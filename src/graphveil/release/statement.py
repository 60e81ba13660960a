"""Documents that people and programs read: a ledger, and the privacy statement beside a synthetic graph.

Nobody signs a statement. It names its files by SHA-256, so one can tell which files it is about, and that is all.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

from graphveil.errors import GraphveilError, ParameterError
from graphveil.mechanisms.release import Release
from graphveil.privacy.guarantee import Guarantee, Status
from graphveil.privacy.ledger.ledger import Ledger
from graphveil.privacy.ledger.rows import Entry
from graphveil.privacy.loss import Concentrated, Pure, exact
from graphveil.privacy.odds import odds_sentence, weak_warning
from graphveil.privacy.rounding import round_down, round_up
from graphveil.privacy.unit import Trust, Unit
from graphveil.release.over_time.spec import COMES_AND_GOES
from graphveil.release.records import load_releases


@dataclass(frozen=True, slots=True)
class StoredEntry:
    """An entry of a ledger as a document, and its releases; none where a graph was synthesized by an older version."""

    document: dict[str, Any]
    releases: list[Release]


def open_ledger(path: Path) -> Ledger:
    """The ledger of a file that exists; reading makes none."""
    if not path.exists():
        raise ParameterError(f"there is no ledger at {path}")
    return Ledger.open(path)


def entry_number(path: Path, named: str) -> int:
    """The number of an entry that is named by it or by its request id."""
    known = next((entry.id for entry in open_ledger(path).entries() if entry.request_id == named), None)
    if known is not None:
        return known
    if named.isascii() and named.isdecimal() and 0 < int(named) < 2**63:
        return int(named)
    raise ParameterError(f"{path} has no request id {named!r}; `graphveil ledger show` lists entries and ids")


def stored_entry(path: Path, number: int) -> StoredEntry:
    """The stored releases of one entry, or a refusal that says which entries there are."""
    ledger = open_ledger(path)
    found = ledger.release_of(number)
    if found is None:
        if (whole := ledger.part_of(number)) is not None:
            raise ParameterError(f"{path} has no entry {number}; it is a part of entry {whole}: ask for {whole}")
        known = ", ".join(str(entry.id) for entry in ledger.entries() if entry.settled) or "none"
        raise ParameterError(f"{path} has no entry {number}; entries with a release: {known}")
    entry, text = found
    if text is None:
        raise ParameterError(
            f"entry {number} of {path} was paid and never finished: ask the same again, which costs nothing"
        )
    return _stored(entry, text)


def stored_entries(path: Path) -> list[StoredEntry]:
    """All entries that have stored releases, in order."""
    ledger = open_ledger(path)
    found = [ledger.release_of(entry.id) for entry in ledger.entries()]
    return [_stored(entry, text) for entry, text in filter(None, found) if text is not None]


def _stored(entry: Entry, text: str) -> StoredEntry:
    stored = json.loads(text)
    known = "releases" in stored
    releases = load_releases(text) if known else []
    document = {
        **_entry_document(entry),
        "dataset": entry.dataset,
        "releases": [release.to_json() for release in releases],
        "statement": stored.get("statement") if known else stored,
    }
    return StoredEntry(document, releases)


def release_rows(entries: Sequence[StoredEntry]) -> list[tuple[Any, ...]]:
    """All released numbers as a table with a heading: a line for each entry of a list, with its 95 % interval."""
    rows: list[tuple[Any, ...]] = [
        ("entry", "time", "dataset", "request_id", "query", "group", "epsilon", "label", "value", "low95", "high95")
    ]
    for found in entries:
        about = tuple(found.document[name] for name in ("entry", "time", "dataset", "request_id"))
        for release in found.releases:
            shown = release.to_json()
            group = release.provenance.parameters.get("group", "")
            which = (*about, release.query, group, shown["guarantee"]["epsilon"])
            low, high = shown["accuracy"]["interval95"] or (None, None)
            if not isinstance(shown["value"], list):
                rows.append((*which, "", shown["value"], low, high))
                continue
            places = shown["provenance"]["derived"].get("labels") or range(len(shown["value"]))
            for place, name, value in zip(range(len(shown["value"])), places, shown["value"], strict=True):
                ends = (low[place], high[place]) if isinstance(low, list) and high is not None else (None, None)
                text = " ".join(map(str, value)) if isinstance(value, list) else value
                rows.append((*which, name, text, *ends))
    return rows


def ledger_statement(path: Path) -> dict[str, Any]:
    """Every dataset with its budget, what was spent on what, and what is left; and what each set of people lost.

    Datasets that were not declared to be of other people are of one set of people: their losses add up.
    """
    ledger = open_ledger(path)
    datasets = []
    people: dict[str | None, list[str]] = {}
    for dataset in ledger.datasets():
        left_epsilon, left_delta = ledger.left(dataset.name)
        datasets.append(
            {
                "dataset": dataset.name,
                "separate_people": dataset.separate,
                "unit": str(dataset.unit),
                "trust": dataset.trust.value,
                "budget": {"epsilon": float(dataset.epsilon), "delta": float(dataset.delta)},
                "spent": _spent(ledger, dataset.name),
                "friendship_epsilon": _lost_over_time(ledger.entries(dataset.name)),
                "left": {"epsilon": round_down(left_epsilon), "delta": round_down(left_delta)},
                "entries": [_entry_document(entry) for entry in ledger.entries(dataset.name)],
            }
        )
        people.setdefault(dataset.name if dataset.separate else None, []).append(dataset.name)
    sums = [
        {"datasets": names, "separate": own is not None, "spent": _spent(ledger, names[0])}
        for own, names in people.items()
    ]
    return {"ledger": str(path), "datasets": datasets, "people": sums}


def _spent(ledger: Ledger, dataset: str) -> dict[str, float]:
    epsilon, delta = ledger.spent(dataset)
    return {"epsilon": round_up(epsilon), "delta": round_up(delta)}


def _lost_over_time(entries: Sequence[Entry]) -> float | None:
    """What all entries cost a friendship that comes and goes in a stream; None where none costs it more than once."""
    found = [re.search(rf"{COMES_AND_GOES} ([\d.]+) times", entry.what) for entry in entries]
    if not any(found):
        return None
    times = [Fraction(match[1]) if match else Fraction(1) for match in found]
    spent = (
        n * loss.epsilon
        for n, entry in zip(times, entries, strict=True)
        for loss in entry.losses
        if not isinstance(loss, Concentrated)
    )
    return round_up(sum(spent, Fraction(0)))


def _entry_document(entry: Entry) -> dict[str, Any]:
    return {
        "entry": entry.id,
        "time": entry.time,
        "what": _readable(entry.what),
        **_loss_document(entry),
        "request_id": entry.request_id,
        "released": entry.settled,
    }


def _loss_document(entry: Entry) -> dict[str, Any]:
    """One loss, or the sum of several that were paid together and, as `parts`, each of them."""
    loss, *others = entry.losses
    if isinstance(loss, Concentrated):
        return {"epsilon": None, "delta": None, "rho": round_up(loss.rho), "parts": []}
    delta = 0.0 if isinstance(loss, Pure) else round_up(loss.delta)
    epsilons = [each.epsilon for each in entry.losses if not isinstance(each, Concentrated)]
    parts = [round_up(epsilon) for epsilon in epsilons] if others else []
    return {"epsilon": round_up(sum(epsilons, Fraction(0))), "delta": delta, "rho": None, "parts": parts}


def _readable(what: str) -> str:
    """The queries of a session's entry; other entries speak for themselves."""
    try:
        return ", ".join(request["query"] for request in json.loads(what))
    except (ValueError, TypeError, KeyError):
        return what


@dataclass(frozen=True, slots=True)
class Statement:
    """What a statement says of a file; `is_about_it` says whether it names the SHA-256 of that file."""

    path: Path
    document: dict[str, Any]
    guarantee: Guarantee
    is_about_it: bool

    @property
    def meaning(self) -> str:
        """The guarantee with the odds of an attacker, and whether that is weak."""
        epsilon, delta = self.guarantee.epsilon, self.guarantee.delta
        return weak_warning(epsilon) or odds_sentence(epsilon, delta=delta)

    def refusal(self, path: Path, why: str) -> ParameterError:
        """What to raise where nothing can be said of the file if its statement is true."""
        return ParameterError(
            f"{path}: its statement says that it is a synthetic graph ({self.path}, which nobody signed), so none of "
            f"its nodes is a person and {why}; what protects people is the guarantee it states: {self.guarantee} "
            f"({self.meaning})"
        )


def sha256_of(path: Path) -> str:
    """The SHA-256 of a file, by which a privacy statement names it."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def read_statement(path: Path, file: Path) -> Statement:
    """The statement at this path as one about that file; whoever wrote it may have written anything."""
    try:
        document = json.loads(path.read_text(encoding="utf-8"))
        said = document["guarantee"]
        guarantee = Guarantee(
            Unit.parse(said["unit"]),
            Trust(said["trust"]),
            exact(said["epsilon"], "epsilon"),
            exact(said["delta"], "delta"),
            exact(said["relationship_epsilon"], "epsilon"),
            status=Status(said["status"]),
            package=said["package"] or "",
        )
        named = [graph["sha256"] for graph in document["graphs"]]
        named += [graph["attributes"]["sha256"] for graph in document["graphs"] if "attributes" in graph]
    except OSError as error:
        raise ParameterError(f"{path}: the statement cannot be read: {error.strerror}") from None
    except (GraphveilError, ValueError, TypeError, LookupError, AttributeError, RecursionError):
        raise ParameterError(f"{path} is no privacy statement") from None
    return Statement(path, document, guarantee, sha256_of(file) in named)


def entry_of(statement: Statement, ledger: Path) -> int | None:
    """The entry of a ledger that paid for what a statement says was measured, at the price that it states."""
    for entry in stored_entries(ledger):
        stored = entry.document["statement"] or {}
        if all(
            name in stored and stored[name] == statement.document.get(name)
            for name in ("method", "guarantee", "provenance")
        ):
            number: int = entry.document["entry"]
            return number
    return None
