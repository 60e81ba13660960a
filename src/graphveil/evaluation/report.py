"""One self-contained HTML file: text, tables and plots in the order they were added.

`audit_report` shows audits: a table of verdicts, and for each the two distributions that the guesses were made from.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from importlib.resources import files
from typing import Any

from graphveil.audit.engine.result import AuditResult, AuditVerdict
from graphveil.evaluation.plots import BAND, REFUSED, RELEASED, TRUTH, drawing


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


def audit_report(results: Sequence[AuditResult]) -> Report:
    """A report with the verdict of every audit and a plot of the outputs that decided it."""
    refuted = sum(result.verdict is AuditVerdict.REFUTED for result in results)
    report = Report(
        "graphveil: audits",
        f"{len(results)} audited, {refuted} refuted. Consistent is not a proof: a leak rarer than a few in a sample is "
        "not seen.",
    )
    report.table(
        ("name", "verdict", "claimed", "at least", "confidence", "samples", "worst pair"),
        [
            (
                result.name,
                result.verdict.value,
                f"{result.claimed_epsilon:g}",
                f"{result.epsilon_lower_bound:.3f}",
                f"{100 * result.confidence:.4g} %",
                f"{result.samples:,}",
                result.worst_pair,
            )
            for result in results
        ],
    )
    for result in results:
        report.heading(result.name)
        report.text(f"{result}. {result.event}")
        report.figure(two_distributions(result), f"The distinguishing score under either input: {result.worst_pair}.")
    return report


def two_distributions(result: AuditResult) -> str:
    """How the score falls under both inputs; shaded where the player names one of them."""
    histogram = result.histogram
    edges = histogram.edges
    with drawing(title=result.name, x="distinguishing score", y="outputs") as plot:
        sides = ((histogram.first, RELEASED, "first input"), (histogram.second, REFUSED, "second input"))
        for counts, colour, name in sides:
            plot.axes.stairs(counts, edges, color=colour, label=name, linewidth=1.5)
        for start, end in ((edges[0], histogram.names_first_up_to), (histogram.names_second_from, edges[-1])):
            if end > start:
                plot.axes.axvspan(max(start, edges[0]), min(end, edges[-1]), color=BAND, alpha=0.2)
        plot.axes.set_yscale("symlog", linthresh=1)
        plot.axes.legend(frameon=False, labelcolor=TRUTH)
    return plot.svg
