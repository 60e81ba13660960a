"""`graphveil audit`: measure from outputs whether a claimed epsilon holds; `check-statement`: what a file promises."""

from __future__ import annotations

from pathlib import Path
from textwrap import fill
from typing import TYPE_CHECKING, Annotated, Any

import typer

from graphveil.cli.options import AsJson, Force
from graphveil.cli.output import (
    STATEMENT_SUFFIX,
    leave_unless,
    print_json,
    print_line,
    print_table,
    progress_bar,
    result_file,
)
from graphveil.errors import ParameterError

if TYPE_CHECKING:
    from graphveil.audit.engine.result import AuditResult

UNSIGNED = "nobody: whoever made the file can have written the statement"
LISTED = ("name", "kind", "expected", "summary", "package")


def audit(
    names: Annotated[list[str] | None, typer.Argument(metavar="NAME…", help="What to audit.")] = None,
    everything: Annotated[
        bool, typer.Option("--all", help="Audit all that is registered: more than 260, each for seconds or longer.")
    ] = False,
    epsilon: Annotated[str, typer.Option(metavar="E", help="The claim to test.")] = "1",
    samples: Annotated[
        int, typer.Option(metavar="N", help="Outputs drawn from each of the two inputs; at most 1000000.")
    ] = 40_000,
    confidence: Annotated[float, typer.Option(metavar="C", help="Confidence of the whole run.")] = 0.99,
    seed: Annotated[int | None, typer.Option(metavar="N", help="Draw the same outputs as every run with it.")] = None,
    out: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write a report (.html) or the results (.json, .csv, .parquet).")
    ] = None,
    force: Force = False,
    as_json: AsJson = False,
) -> None:
    """Test a claimed epsilon from outputs alone, by a guessing game; a lower bound above the claim refutes it.

    A pass is not a proof. Ends with status 1 if a claim is refuted; --all contains claims that are known to be false.
    Without a name, the names are listed.
    Examples: graphveil audit edge-count discrete-laplace; graphveil audit --all --out audit.html
    """
    from graphveil.audit.engine.result import AuditVerdict
    from graphveil.audit.registry import find_subject, subjects
    from graphveil.audit.runner import run_audits
    from graphveil.evaluation.exports import columns_of_rows
    from graphveil.evaluation.reports.results import audit_report

    if everything and names:
        raise ParameterError("give names or --all, not both")
    if not everything and not names:
        listed = [(s.name, s.kind.value, s.expected.value, s.summary, s.package or None) for s in subjects()]
        if as_json:
            print_json({"audits": [], "subjects": [dict(zip(LISTED, row, strict=True)) for row in listed]})
        else:
            _print_names(listed)
        return
    with result_file(out, force=force) as write:
        with progress_bar("auditing") as progress:
            results = run_audits(
                None if everything else names,
                epsilon=epsilon,
                samples=samples,
                confidence=confidence,
                seed=seed,
                progress=progress,
            )
        document = _document(results)
        write(
            document=document, columns=lambda: columns_of_rows(document["audits"]), report=lambda: audit_report(results)
        )
    packages = {result.name: find_subject(result.name).package for result in results}
    if as_json:
        print_json(document)
    else:
        _print(results, packages)
    leave_unless(all(result.verdict is not AuditVerdict.REFUTED for result in results))


def check_statement(
    *,
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A synthetic graph that was handed out.")],
    statement: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help=f"Its privacy statement; FILE{STATEMENT_SUFFIX} if not given."),
    ] = None,
    ledger: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Also look whether this ledger holds what the statement says.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Check whether a privacy statement is about a file, and say what it promises.

    Ends with status 1 where it is about another file, or where the ledger holds no such entry. A statement that fits
    proves little: nobody signs it, and the keeper of a ledger can replace that too.
    Example: graphveil check-statement public.txt.gz --ledger friends.ledger
    """
    from graphveil.release.statement import entry_of, read_statement

    if not file.is_file():
        raise ParameterError(f"there is no file {file}")
    found = read_statement(statement or Path(f"{file}{STATEMENT_SUFFIX}"), file)
    entry = None if ledger is None else entry_of(found, ledger)
    holds = found.is_about_it and (ledger is None or entry is not None)
    if as_json:
        document = {"file": str(file), "statement": str(found.path), "holds": holds, "is_about_it": found.is_about_it}
        document |= {"guarantee": found.document["guarantee"], "ledger_entry": entry, "signed": False}
        print_json(document)
    else:
        print_line(f"about this file: {'yes' if found.is_about_it else 'no, no SHA-256 in it is that of the file'}")
        print_line(f"promise:         {found.guarantee}")
        print_line(f"meaning:         {found.meaning}")
        if ledger is not None:
            print_line(f"in the ledger:   {f'yes, entry {entry}' if entry else 'no entry has what it says'}")
        print_line(f"signed by:       {UNSIGNED}")
    leave_unless(holds)


def _print_names(listed: list[tuple[Any, ...]]) -> None:
    """All names by kind: a table of 250 rows would be too long to read."""
    for kind in dict.fromkeys(kind for _, kind, *_ in listed):
        names = [name + ("*" if package else "") for name, its_kind, *_, package in listed if its_kind == kind]
        print_line(f"{kind} ({len(names)}):")
        print_line(
            fill(", ".join(names), width=110, initial_indent="  ", subsequent_indent="  ", break_on_hyphens=False)
        )
    if any(row[-1] for row in listed):
        print_line("* of another package, unreviewed")
    print_line("audit one or several: graphveil audit NAME …; what each is: graphveil audit --json")


def _document(results: list[AuditResult]) -> dict[str, Any]:
    from graphveil.audit.registry import find_subject

    return {"audits": [r.to_json() | {"package": find_subject(r.name).package or None} for r in results]}


def _print(results: list[AuditResult], packages: dict[str, str]) -> None:
    from graphveil.audit.registry import find_subject

    rows = [_row(result) for result in results]
    print_table("audits", ("name", "claimed", "at least", "confidence", "samples", "verdict", "worst pair"), rows)
    surprises = [r.name for r in results if r.verdict != find_subject(r.name).expected]
    if surprises:
        print_line(f"not as theory says: {', '.join(surprises)}")
    for name, package in packages.items():
        if package:
            print_line(f"{name}: unreviewed (package {package})")


def _row(result: AuditResult) -> tuple[str, ...]:
    bound, confidence = f"{result.epsilon_lower_bound:.3f}", f"{100 * result.confidence:.4g} %"
    found = confidence, f"{result.samples:,}", result.verdict.value, result.worst_pair
    return result.name, f"{result.claimed_epsilon:g}", bound, *found
