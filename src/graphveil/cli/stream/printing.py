"""What `graphveil stream` prints and writes: terms, answers over time, JSON documents, tables and pictures."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from graphveil.cli.output import note, number, print_line, print_table

if TYPE_CHECKING:
    from graphveil.release.over_time.published import PeriodAnswers
    from graphveil.release.over_time.spec import StreamQuery, StreamSpec
    from graphveil.release.over_time.stream import Stream

PICTURES = (".png", ".svg")
ERROR = "root mean square; of a list, that of its middle entry (the median)"


def document(spec: StreamSpec, answers: PeriodAnswers) -> dict[str, Any]:
    """The JSON document of one period; nothing is spent when it is published."""
    from graphveil.privacy.rounding import round_down

    return {
        "stream": spec.id,
        "period": answers.period,
        "step": answers.step,
        "horizon": answers.horizon,
        "repeated": answers.repeated,
        "releases": [item.to_json() for item in answers.releases],
        "spent": {"epsilon": 0.0, "delta": 0.0},
        "left": {"epsilon": round_down(answers.left[0]), "delta": round_down(answers.left[1])},
    }


def terms_document(spec: StreamSpec) -> dict[str, Any]:
    """The terms as JSON has them, and what whether two people were ever connected costs; None for persons."""
    from graphveil.privacy.rounding import round_up
    from graphveil.privacy.unit import Kind

    friendship = round_up(spec.friendship_epsilon) if spec.unit.kind is Kind.EDGE else None
    return {**spec.to_json(), "friendship_epsilon": friendship}


def all_documents(spec: StreamSpec, published: list[PeriodAnswers]) -> dict[str, Any]:
    """The JSON document of the whole stream."""
    periods = [document(spec, answers) for answers in published]
    return {"stream": terms_document(spec), "published": len(published), "periods": periods}


def print_terms(spec: StreamSpec) -> None:
    """A table of the queries, how each is answered and why, and its error beside that of fresh noise."""
    from graphveil.release.over_time.forecast import forecasts
    from graphveil.release.over_time.spec import SUMS

    forecast = forecasts(spec)
    rows = [
        (query.name, _loss(query), told["method"], number(told["rms"]), number(told["fresh"]))
        for query, told in zip(spec.queries, forecast, strict=True)
    ]
    columns = ("query", "loses, all periods", "answered by", "error", "error if fresh")
    print_table(f"stream {spec.id}: {spec.horizon} periods, {spec.unit} privacy", columns, rows)
    print_line(f"error:     {ERROR}; a forecast for {spec.people:,} people (--nodes)")
    for told in forecast:
        print_line(f"{told['query']} by {told['method']}: {told['why']}")
    if spec.spent[1] or spec.by_event:
        print_line(f"loses:     all queries together {spec.loss_words}")
    if any(query.method in SUMS for query in spec.queries):
        print_line(f"assumes:   {spec.unit_words}")
    for query in spec.queries:
        for words in spec.trusted(query) if query.method in SUMS else ():
            print_line(f"assumes:   {words}")


def _loss(query: StreamQuery) -> str:
    from graphveil.privacy.rounding import text_up

    return f"epsilon {text_up(query.epsilon)}" if query.rho is None else f"rho {text_up(query.rho)}"


def print_answers(published: list[PeriodAnswers]) -> None:
    """A table of what was published, period by period."""
    from graphveil.mechanisms.release import interval_cell

    rows = [
        (str(answers.step), answers.period, item.title, item.shown, interval_cell(item.accuracy))
        for answers in published
        for item in answers.releases
    ]
    print_table("published", ("step", "period", "query", "value", "95 % interval"), rows)


def write_published(stream: Stream, published: list[PeriodAnswers], target: Path, named: Path) -> None:
    """Write all that was published as a table, a JSON document, a report or a picture, as the suffix says."""
    from graphveil.evaluation.exports import write_result
    from graphveil.evaluation.over_time import plot_over_time, stream_report
    from graphveil.release.over_time.published import columns_over_time

    suffix = named.suffix.lower()
    if suffix in PICTURES:
        plot_over_time(published, target, suffix.removeprefix("."))
        lists = {item.title for each in published for item in each.releases if isinstance(item.value, tuple)}
        if lists:
            note(f"not in the picture, since they are lists: {', '.join(sorted(lists))} (a report, .html, has them)")
        return
    write_result(
        target,
        named,
        document=all_documents(stream.spec, published),
        columns=lambda: columns_over_time(published),
        report=lambda: stream_report(stream.spec, published, stream.left[0], stream.budget),
    )
