"""What `graphveil release` shows: its JSON document, and the same in words."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any

from graphveil.cli.output import print_line, print_table

if TYPE_CHECKING:
    from graphveil.release.release import Release


def document_of(releases: list[Release], spent: Fraction, left: tuple[Fraction, Fraction] | None) -> dict[str, Any]:
    """The JSON document of the command."""
    from graphveil.privacy.loss import round_down, round_up

    return {
        "releases": [item.to_json() for item in releases],
        "spent": {"epsilon": round_up(spent), "delta": 0.0},
        "left": None if left is None else {"epsilon": round_down(left[0]), "delta": round_down(left[1])},
    }


def print_releases(releases: list[Release], document: dict[str, Any], *, repeated: bool = False) -> None:
    """A table of the answers, then what holds for all of them; answers that were stored cost nothing again."""
    from graphveil.privacy.loss import exact
    from graphveil.privacy.rounding import text_down, text_up
    from graphveil.release.explain import interval_words

    rows = [(item.title, item.shown, _interval(item), text_up(item.guarantee.epsilon)) for item in releases]
    print_table("released", ("query", "value", "95 % interval", "epsilon"), rows)
    for item in releases:
        if item.accuracy.center is not None:
            whose = f"{item.title}: " if len(releases) > 1 else ""
            print_line(f"accuracy:  {whose}with 95 % confidence {interval_words(item.accuracy)}")
    print_line(f"guarantee: {_whole_guarantee(releases, document)}")
    for assumption in dict.fromkeys(text for item in releases for text in item.guarantee.assumes):
        print_line(f"assumes:   {assumption}")
    if repeated:
        print_line("spent:     nothing now; this is the answer stored under the request id, paid for when it was made")
    if document["left"] is not None:
        print_line(f"left:      epsilon {text_down(exact(document['left']['epsilon'], 'epsilon'))}")


def _interval(item: Release) -> str:
    from graphveil.release.interval_text import lower_end, upper_end

    interval = item.to_json()["accuracy"]["interval95"]
    if interval is None:
        return ""
    low, high = interval
    if isinstance(low, list):
        return "a band for each entry: --json"
    return f"{lower_end(low)} to {upper_end(high)}" if high is not None else f"at least {lower_end(low)}"


def _whole_guarantee(releases: list[Release], document: dict[str, Any]) -> str:
    from graphveil.privacy.loss import exact
    from graphveil.privacy.rounding import text_up

    first = releases[0].guarantee
    if len(releases) == 1:
        return str(first)
    if "group" in releases[0].provenance.parameters:
        return f"{first}, all groups together"
    parts = " + ".join(text_up(item.guarantee.epsilon) for item in releases)
    foreign = ", ".join(dict.fromkeys(item.guarantee.package for item in releases if item.guarantee.package))
    mark = f"; unreviewed (package {foreign})" if foreign else ""
    spent = text_up(exact(document["spent"]["epsilon"], "epsilon"))
    return f"{spent} = {parts}; {first.unit} privacy, {first.trust} model{mark}"
