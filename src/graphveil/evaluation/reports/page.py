"""One self-contained HTML page: title, data set, date and version, a summary in plain words, then parts in order."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from importlib.metadata import version
from importlib.resources import files
from typing import Any


@dataclass(slots=True)
class Report:
    """A page in the making; it needs nothing from outside the file. All text is escaped."""

    title: str
    dataset: str = ""
    summary: list[str] = field(default_factory=list)
    parts: list[dict[str, Any]] = field(default_factory=list)
    made: str = ""

    def heading(self, text: str) -> None:
        """Start a section under this heading."""
        self.parts.append({"kind": "heading", "text": text})

    def text(self, text: str) -> None:
        """Add a paragraph of plain text."""
        self.parts.append({"kind": "text", "text": text})

    def code(self, text: str) -> None:
        """Text in the form it was printed."""
        self.parts.append({"kind": "code", "text": text})

    def facts(self, facts: Sequence[tuple[str, str]]) -> None:
        """A list of names and what is to say of each."""
        self.parts.append({"kind": "facts", "facts": list(facts)})

    def figure(self, svg: str, caption: str) -> None:
        """A chart made by this package (SVG text) and what it shows; an empty one is left out."""
        if svg:
            self.parts.append({"kind": "figure", "svg": svg, "caption": caption})

    def table(self, columns: Sequence[str], rows: Sequence[Sequence[str]], caption: str = "Results") -> None:
        """Add a table with these column names and rows of text."""
        self.parts.append({"kind": "table", "columns": columns, "rows": rows, "caption": caption})

    def html(self) -> str:
        """The whole page as HTML, with style and charts inside."""
        from jinja2 import Environment

        page = files("graphveil.evaluation.reports").joinpath("report.html.jinja").read_text(encoding="utf-8")
        style = files("graphveil.display").joinpath("static", "style.css").read_text(encoding="utf-8")
        return (
            Environment(autoescape=True)
            .from_string(page)
            .render(
                title=self.title,
                dataset=self.dataset,
                summary=self.summary,
                parts=self.parts,
                made=self.made or datetime.now(UTC).isoformat(timespec="seconds"),
                date=_date(self.made),
                version=version("graphveil"),
                style=style,
                explain_epsilon="epsilon" in f"{self.summary} {self.parts}",
            )
        )


def _date(made: str) -> str:
    """A moment for people to read, or now.

    >>> _date("2026-11-16T18:28:52+00:00")
    '16 November 2026, 18:28 UTC'
    """
    moment = datetime.fromisoformat(made).astimezone(UTC) if made else datetime.now(UTC)
    return f"{moment.day} {moment:%B %Y, %H:%M} UTC"
