"""Audits as one HTML page: a table of verdicts, and for each the two distributions the guesses were made from."""

from __future__ import annotations

from collections.abc import Sequence

from graphveil.audit.engine.result import AuditResult, AuditVerdict
from graphveil.evaluation.plots import BAND, REFUSED, RELEASED, TRUTH, drawing
from graphveil.evaluation.report import Report


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
