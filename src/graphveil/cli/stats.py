"""`graphveil stats`: exact statistics, for the curator's eyes."""

from __future__ import annotations

from graphveil.cli.options import AsJson, EngineName, GraphFile, Master, People
from graphveil.cli.output import note, number, print_json, print_table, working


def stats(
    graph: GraphFile,
    people: People = None,
    engine: EngineName = "memory",
    master: Master = None,
    as_json: AsJson = False,
) -> None:
    """Exact statistics of a graph. They are NOT private: for the curator's eyes only.

    Example: graphveil stats friends.txt.gz
    """
    from graphveil.engines.engine import open_engine
    from graphveil.graph.statistics.summary import summarize

    with open_engine(engine, master) as chosen:
        with working(f"reading {graph}"):
            read = chosen.read(graph, people=people)
        with working("counting"):
            summary = summarize(read.graph)
    if as_json:
        print_json({"private": False, "statistics": summary.to_json(), "read": read.report.to_json()})
        return
    rows = [(name.replace("_", " "), number(value)) for name, value in summary.to_json().items() if _is_number(value)]
    print_table(f"{graph} (exact, not private)", ("statistic", "value"), rows)
    note(str(read.report))
    for remark in summary.remarks:
        note(remark)


def _is_number(value: object) -> bool:
    return value is None or isinstance(value, int | float)
