"""What a stream published, to look at: pictures of its numbers over time, and a report."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path

from graphveil.evaluation.plots import BAND, RELEASED, STYLE
from graphveil.evaluation.reports.page import Report
from graphveil.evaluation.reports.releases import add_budget, add_list, add_promise, sentence
from graphveil.mechanisms.entries import needed
from graphveil.mechanisms.release import interval_cell
from graphveil.privacy.odds import odds_sentence
from graphveil.release.over_time.published import PeriodAnswers, time_series
from graphveil.release.over_time.spec import StreamSpec


def plot_over_time(published: Sequence[PeriodAnswers], path: Path, kind: str) -> None:
    """Draw every number that was published, a panel for each query, as png or svg."""
    mpl, figures = needed("matplotlib"), needed("matplotlib.figure")
    drawn = time_series(published)
    with mpl.rc_context(STYLE):
        figure = figures.Figure(figsize=(7.0, 2.6 * max(1, len(drawn))), layout="constrained")
        panels = figure.subplots(max(1, len(drawn)), 1, squeeze=False)[:, 0]
        for panel, series in zip(panels, drawn, strict=False):
            series.draw(panel, line=RELEASED, band=BAND)
        figure.savefig(path, format=kind)


def stream_report(spec: StreamSpec, published: Sequence[PeriodAnswers], left: Fraction, budget: Fraction) -> Report:
    """A page about all periods so far: numbers over time, the lists of the last period, and what is promised."""
    names, (epsilon, delta) = ", ".join(query.name for query in spec.queries), spec.spent
    asked = "whether two given people were ever connected"
    lost, about = (spec.friendship_epsilon, f", when guessing {asked},") if spec.by_event else (epsilon, "")
    report = Report(f"Released over time: {names}", spec.dataset)
    last = published[-1] if published else None
    shown = " to ".join(dict.fromkeys(answers.period for answers in (*published[:1], *published[-1:])))
    report.summary.append(f"Published periods: {len(published)} of {spec.horizon}{f' ({shown})' if shown else ''}.")
    for item in last.releases if last else ():
        report.summary.append(sentence(item))
    report.summary.append(
        f"All periods together cost {spec.loss_words}. It was spent when the stream was opened. With all of it"
        f"{about} {odds_sentence(lost, delta=delta)}."
    )
    report.heading("Over time")
    for series in time_series(published):
        report.figure(series.svg, f"{series.title}, with 95 % intervals.")
    rows = [
        (answers.period, item.title, item.shown, interval_cell(item.accuracy) or "none is known")
        for answers in published
        for item in answers.releases
    ]
    report.table(("period", "statistic", "value", "95 % interval"), rows, "Everything that was published")
    if last is not None:
        report.heading(f"The last period, {last.period}")
        for item in last.releases:
            add_list(report, item)
            report.code(item.explain())
        for item in last.releases:
            add_promise(report, item.guarantee, of=item.title)
    add_budget(report, [(f"stream {spec.id}", float(epsilon))], left, budget)
    if spec.by_event:
        report.text(f"The stream costs {spec.loss_words}. The budget counts one change.")
    return report
