"""`graphveil ledger`: what has been spent, and what was bought."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import Annotated, Any, TypeAlias

import typer

from graphveil.cli.command import Command
from graphveil.cli.options import AsJson, Force
from graphveil.cli.output import (
    ledger_files,
    note,
    pending_file,
    print_json,
    print_line,
    print_table,
    readable_json,
    refuse_to_replace,
)

app = typer.Typer(help="What has been spent, and what is left.", no_args_is_help=True, rich_markup_mode=None)
LedgerFile: TypeAlias = Annotated[Path, typer.Argument(metavar="FILE", help="A ledger file.")]


@app.callback()
def ledger() -> None:
    """What has been spent, and what is left."""


@app.command("show", cls=Command, short_help="Budgets, spendings, and what is left")
def show(
    file: LedgerFile,
    out: Annotated[
        Path | None, typer.Option(metavar="FILE.csv", help="Write a line for each spending to a table.")
    ] = None,
    force: Force = False,
    as_json: AsJson = False,
) -> None:
    """Show every dataset of a ledger, its budget, each spending, and what they come to for one set of people.

    Examples: graphveil ledger show friends.ledger; graphveil ledger show friends.ledger --out spent.csv
    """
    from graphveil.privacy.loss import exact
    from graphveil.privacy.rounding import text_down
    from graphveil.release.statement import ledger_statement

    statement = ledger_statement(file)
    if out is not None:
        _write_spendings(file, statement, out, force=force)
    if as_json:
        print_json(statement)
        return
    if not statement["datasets"]:
        print_line(f"{file}: no dataset has been declared yet")
    for d in statement["datasets"]:
        left = text_down(exact(d["left"]["epsilon"], "epsilon"))
        title = f"{d['dataset']}: {d['unit']} privacy, budget {d['budget']['epsilon']:g}, left {left}"
        rows = [
            (
                str(e["entry"]),
                e["time"][:16].replace("T", " "),
                e["what"],
                _loss(e),
                e["request_id"] or "",
                "yes" if e["released"] else "" if e["what"].startswith("stream ") else "no",
            )
            for e in d["entries"]
        ]
        print_table(title, ("entry", "time (UTC)", "what", "loss", "request id", "released"), rows)
        if any(e["parts"] for e in d["entries"]):
            print_line("an entry of several losses takes a number for each, so numbers may be missing")
        if d["friendship_epsilon"] is not None:
            over_time = _up(d["friendship_epsilon"])
            print_line(
                "budget and losses are for one change of a friendship, that it begins or that it ends; whether two"
            )
            print_line(f"given people were ever connected has cost up to epsilon {over_time}")
    for people in statement["people"]:
        apart = " (declared to be other people)" if people["separate"] else ""
        whose = f"{', '.join(people['datasets'])}{apart}"
        print_line(f"spent on the people of {whose}: epsilon {_up(people['spent']['epsilon'])}")


@app.command("get", cls=Command, short_help="The stored answers of an entry; costs nothing")
def get(
    file: LedgerFile,
    entry: Annotated[
        str, typer.Argument(metavar="ENTRY", help="Number or request id of an entry, as `ledger show` lists them.")
    ],
    as_json: AsJson = False,
) -> None:
    """Print the stored answers of an entry. This costs nothing.

    Example: graphveil ledger get friends.ledger 1
    """
    from graphveil.cli.values import print_lists
    from graphveil.mechanisms.release import interval_words
    from graphveil.release.statement import entry_number, stored_entry

    found = stored_entry(file, entry_number(file, entry))
    if as_json:
        print_json(found.document)
        return
    print_line(f"entry {found.document['entry']} of {file}: {found.document['what']}, {found.document['time']}")
    if found.document["statement"] is not None:
        print_line(readable_json(found.document["statement"]))
        return
    for item in found.releases:
        known = f" ({interval_words(item.accuracy)}, 95 % confidence)" if item.accuracy.bands else ""
        print_line(f"{item.title}: {item.shown}{known}; {item.guarantee}")
    print_lists(found.releases, rest=None)


@app.command("export", cls=Command, short_help="All stored answers as a file; costs nothing")
def export(
    file: LedgerFile,
    out: Annotated[Path, typer.Option(metavar="FILE.json|.csv", help="Where all stored releases go.")],
    force: Force = False,
    as_json: AsJson = False,
) -> None:
    """Write every stored release of a ledger: as JSON, or as a table with a line for each number.

    Example: graphveil ledger export friends.ledger --out releases.csv
    """
    from graphveil.errors import ParameterError
    from graphveil.release.statement import release_rows, stored_entries

    if out.suffix not in (".json", ".csv"):
        raise ParameterError(f"{out}: releases are exported to a file that ends in .json or .csv")
    refuse_to_replace(ledger_files(file), (out,))
    entries = stored_entries(file)
    with pending_file(out, force=force) as target:
        if out.suffix == ".json":
            document = {"ledger": str(file), "entries": [found.document for found in entries]}
            target.write_text(readable_json(document) + "\n", encoding="utf-8")
        else:
            with target.open("w", encoding="utf-8", newline="") as table:
                csv.writer(table, lineterminator="\n").writerows(release_rows(entries))
    if as_json:
        print_json({"ledger": str(file), "entries": len(entries), "file": str(out)})
        return
    note(f"written: {out}")


SPENDING = ("entry", "time", "what", "epsilon", "rho", "delta", "request_id", "released")


def _write_spendings(file: Path, statement: dict[str, Any], out: Path, *, force: bool) -> None:
    """A line for each spending, with its data set and the unit."""
    from graphveil.errors import ParameterError

    if out.suffix != ".csv":
        raise ParameterError(f"{out}: spendings are written to a file that ends in .csv")
    refuse_to_replace(ledger_files(file), (out,))
    with pending_file(out, force=force) as target, target.open("w", encoding="utf-8", newline="") as table:
        lines = csv.writer(table, lineterminator="\n")
        lines.writerow(("dataset", "unit", *SPENDING))
        for d in statement["datasets"]:
            lines.writerows((d["dataset"], d["unit"], *(e[name] for name in SPENDING)) for e in d["entries"])
    note(f"written: {out}")


def _loss(entry: dict[str, Any]) -> str:
    if entry["rho"] is not None:
        return f"rho {entry['rho']:g}"
    parts, text = entry["parts"], _up(entry["epsilon"])
    if parts:
        text += f" in {len(parts)} equal parts" if len(set(parts)) == 1 else f" = {' + '.join(map(_up, parts))}"
    return text + (f", delta {entry['delta']:g}" if entry["delta"] else "")


def _up(epsilon: float) -> str:
    from graphveil.privacy.loss import exact
    from graphveil.privacy.rounding import text_up

    return text_up(exact(epsilon, "epsilon"))
