"""One self-contained HTML file: text, tables and plots in the order they were added."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from importlib.resources import files
from typing import Any


@dataclass(slots=True)
class Report:
    """An HTML page in the making; it needs nothing from outside the file."""

    title: str
    subtitle: str = ""
    parts: list[dict[str, Any]] = field(default_factory=list)

    def heading(self, text: str) -> None:
        """Start a section under this heading."""
        self.parts.append({"kind": "heading", "text": text})

    def text(self, text: str) -> None:
        """Add a paragraph of plain text, which is escaped."""
        self.parts.append({"kind": "text", "text": text})

    def code(self, text: str) -> None:
        """Text in the form it was printed."""
        self.parts.append({"kind": "code", "text": text})

    def figure(self, svg: str, caption: str) -> None:
        """A plot made by this package (SVG text) and what it shows."""
        self.parts.append({"kind": "figure", "svg": svg, "caption": caption})

    def table(self, columns: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
        """Add a table with these column names and rows of text."""
        self.parts.append({"kind": "table", "columns": columns, "rows": rows})

    def html(self) -> str:
        """The whole page as HTML, with style and plots inside."""
        from jinja2 import Environment

        page = files("graphveil.evaluation").joinpath("report.html.jinja").read_text(encoding="utf-8")
        template = Environment(autoescape=True).from_string(page)
        return template.render(title=self.title, subtitle=self.subtitle, parts=self.parts)
