"""`graphveil synthesize`: a graph that can be handed out, with its privacy statement."""

from __future__ import annotations

import csv
from contextlib import ExitStack
from fractions import Fraction
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from graphveil.cli.command import group_options
from graphveil.cli.options import (
    AcceptWeak,
    AsJson,
    EngineName,
    FileOptions,
    Force,
    GraphFile,
    LedgerOptions,
    Master,
    MethodOption,
    parse_options,
)
from graphveil.cli.output import (
    STATEMENT_SUFFIX,
    note,
    optional_file,
    pending_file,
    print_json,
    print_line,
    print_table,
    readable_json,
    refuse_to_replace,
    working,
)
from graphveil.cli.person_table import Attribute, People

if TYPE_CHECKING:
    from graphveil.graph.core import Graph
    from graphveil.release.synthesis import SyntheticRelease


KEPT = "names: every node is the person of that name"
DROPPED = "names: left out, and the nodes stand in random order, though each is a person (--keep-names writes names)"
NOBODY = "names: none to keep, since no node stands for a person"


@group_options
def synthesize(
    graph: GraphFile,
    *,
    unit: Annotated[str, typer.Option(metavar="edge|K-edge", help="How many edges are protected at once.")] = "edge",
    epsilon: Annotated[str, typer.Option(metavar="E", help="Total epsilon, however many graphs are drawn.")],
    out: Annotated[Path, typer.Option(metavar="FILE", help="Where the graph goes; FILE.privacy.json goes with it.")],
    method: Annotated[str, typer.Option(metavar="M", help="veil, dk2-soft, tmf, dp-1k, privgraph …")] = "veil",
    samples: Annotated[int, typer.Option(metavar="K", help="Draw K graphs: FILE, FILE-2 … FILE-K. Costs no more.")] = 1,
    option: MethodOption = None,
    people: People = None,
    attribute: Attribute = None,
    keep_names: Annotated[
        bool,
        typer.Option(
            "--keep-names",
            help="Write people's names where the method follows people. Without it nodes are numbers in random order.",
        ),
    ] = False,
    file: FileOptions,
    record: LedgerOptions,
    accept_weak: AcceptWeak = False,
    report_file: Annotated[
        Path | None, typer.Option("--report", metavar="FILE", help="Also write an HTML report for people to read.")
    ] = None,
    force: Force = False,
    engine: EngineName = "memory",
    master: Master = None,
    as_json: AsJson = False,
) -> None:
    """Make a synthetic graph under edge privacy, with a JSON privacy statement beside it; directions are left out.

    Example: graphveil synthesize friends.txt.gz --method veil --epsilon 1 --out public.txt.gz
    """
    from graphveil.cli.person_table import category_of_everybody, read_column
    from graphveil.cli.release import OTHER_GRAPH
    from graphveil.engines.engine import open_engine
    from graphveil.graph.files.formats import kind_of
    from graphveil.graph.files.write import write_graph
    from graphveil.privacy.loss import exact_epsilon
    from graphveil.privacy.rounding import round_up
    from graphveil.privacy.unit import Unit
    from graphveil.release.draw import run
    from graphveil.release.engine_check import check_method
    from graphveil.release.statement import sha256_of
    from graphveil.release.synthesis import fresh_seed, prepare
    from graphveil.synthetic.attributes import read_categories

    record.check()
    how = file.reading()
    total, options = exact_epsilon(epsilon), parse_options(option)
    page = prepare(method, total, Unit.parse(unit), options)
    kind_of(out)
    column, names = read_column(people, attribute, None, None, "edge")
    paths, statement_path = _numbered(out, samples), Path(f"{out}{STATEMENT_SUFFIX}")
    table_paths = [None if column is None else _attribute_file(path) for path in paths]
    written = [path for path in (*paths, *table_paths, statement_path, report_file) if path is not None]
    refuse_to_replace((graph, people, *record.files), written)
    with ExitStack() as files:
        targets = [files.enter_context(pending_file(path, force=force)) for path in paths]
        tables = [files.enter_context(optional_file(path, force=force)) for path in table_paths]
        report_target = files.enter_context(optional_file(report_file, force=force))
        statement_file = files.enter_context(pending_file(statement_path, force=force))
        chosen = files.enter_context(open_engine(engine, master))
        with working(f"reading {graph}"):
            private, report = chosen.read(graph, people=people if names is None else names, how=how)
        check_method(private, method, partial(run, page))
        categories = None if column is None else category_of_everybody(column, private)
        if categories is not None:
            read_categories(private, categories)  # refused before anything is spent
        session = record.session(private, graph, epsilon=total, unit=unit, accept_weak=accept_weak)
        with working("measuring"):
            release = session.synthesize(
                method, epsilon=total, attributes=categories, keep_names=keep_names, options=options, **record.request
            )
        drawn = []
        for place, (path, target, table) in enumerate(zip(paths, targets, tables, strict=True), 1):
            seed = fresh_seed()
            with working(f"drawing graph {place} of {samples}"):
                sample = release.sample(seed)
            write_graph(sample, target)
            digest = sha256_of(target)
            # with the seed the random order of people could be undone
            known: dict[str, Any] = {"file": path.name, "sha256": digest}
            known["seed"] = None if release.fit.follows_people and not keep_names else seed
            if table is not None:
                assert column is not None
                _write_attributes(table, column.attribute, sample, release.attributes())
                known["attributes"] = {"file": _attribute_file(path).name, "sha256": sha256_of(table)}
            drawn.append((known, sample))
        statement = release.statement(drawn)
        statement_file.write_text(readable_json(statement) + "\n", encoding="utf-8")
        if report_target is not None:
            from graphveil.evaluation.reports.results import synthesis_report

            account = {"left": session.left[0], "budget": session.budget} if record.ledger else {}
            report_target.write_text(synthesis_report(release, statement, **account).html(), encoding="utf-8")
    note(report.without_counts())
    record.note()
    if release.other_graph:
        note(f"warning: {OTHER_GRAPH}")
    if as_json:
        left = None if record.ledger is None else {"epsilon": float(session.left[0]), "delta": float(session.left[1])}
        spent = 0.0 if release.repeated else round_up(total)
        spending = {"repeated": release.repeated, "spent": {"epsilon": spent, "delta": 0.0}, "left": left}
        print_json({**statement, "warnings": _warnings(release, statement), **spending})
        return
    _print(release, statement, None if record.ledger is None else session.left[0])
    if release.fit.follows_people:
        note(KEPT if keep_names else DROPPED)
    elif keep_names:
        note(NOBODY)
    note(f"written: {', '.join(map(str, written))}")
    if out.suffix == ".csv":
        in_r = f'read.csv("{out}", header = FALSE, comment.char = "#")'
        note(f"lines that start with # are comments, and there is no header; in R: {in_r}")


def _numbered(out: Path, samples: int) -> list[Path]:
    """FILE, then FILE-2 up to FILE-K before the suffixes."""
    from graphveil.errors import ParameterError

    if samples < 1:
        raise ParameterError(f"--samples must be at least 1, not {samples}")
    stem = out.name.removesuffix("".join(out.suffixes))
    later = [out.with_name(f"{stem}-{place}{''.join(out.suffixes)}") for place in range(2, samples + 1)]
    return [out, *later]


def _attribute_file(path: Path) -> Path:
    return path.with_name(f"{path.name.removesuffix(''.join(path.suffixes))}-attributes.csv")


def _write_attributes(path: Path, attribute: str, graph: Graph, categories: tuple[str, ...]) -> None:
    from graphveil.synthetic.attributes import NO_CATEGORY

    with path.open("w", encoding="utf-8", newline="") as file:
        table = csv.writer(file, lineterminator="\n")
        table.writerow(("person", attribute))
        cells = ("" if category == NO_CATEGORY else category for category in categories)  # read as no value again
        table.writerows((graph.label_of(node), cell) for node, cell in enumerate(cells))


def _warnings(release: SyntheticRelease, statement: dict[str, Any]) -> list[str]:
    """Those of the release, and every target that a drawn graph misses."""
    missed = [f"{graph['file']} misses {sentence}" for graph in statement["graphs"] for sentence in graph["missed"]]
    return [*release.release.warnings, *missed]


def _print(release: SyntheticRelease, statement: dict[str, Any], left: Fraction | None) -> None:
    from graphveil.privacy.rounding import text_down
    from graphveil.synthetic.synthesizer import target_cells

    rows = [
        (graph["file"], *target_cells(name, row)) for graph in statement["graphs"] for name, row in graph["fit"].items()
    ]
    print_table(f"drawn by {release.method}", ("file", "statistic", "measured", "drawn graph"), rows)
    print_line("off:       from what was measured with noise; `graphveil evaluate` compares with the original")
    for warning in _warnings(release, statement):
        print_line(f"warning: {warning}")
    print_line(f"guarantee: {release.guarantee}")
    for assumption in release.guarantee.assumes:
        print_line(f"assumes:   {assumption}")
    if release.repeated:
        print_line(
            f"spent:     nothing: drawn from what entry {release.provenance.entry} measured (--fresh pays again)"
        )
    if left is not None:
        print_line(f"left:      epsilon {text_down(left)}")
