"""Printing: one JSON document, or tables; progress on stderr; files that appear whole or not at all."""

from __future__ import annotations

import json
import os
import re
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from graphveil.errors import ParameterError

if TYPE_CHECKING:
    from graphveil.release.statement import Statement

NAME_WIDTH = 28  # a first column up to here is a name that must not be broken

STATEMENT_SUFFIX = ".privacy.json"  # beside a synthetic graph


def print_json(document: Any) -> None:
    """One JSON document on stdout and nothing else."""
    sys.stdout.write(json.dumps(document, allow_nan=False) + "\n")


def readable_json(document: Any, margin: str = "") -> str:
    """A line for each name, and for all that it stands for unless this has names too: lists may have a million entries.

    >>> print(readable_json({"fit": {"edges": 3}, "degrees": [2, 2, 1, 1]}))
    {
     "fit": {
      "edges": 3
     },
     "degrees": [2, 2, 1, 1]
    }
    """
    if not isinstance(document, dict) or not document:
        return json.dumps(document, allow_nan=False)
    inner = margin + " "
    lines = [f"{inner}{json.dumps(str(name))}: {readable_json(value, inner)}" for name, value in document.items()]
    return "{\n" + ",\n".join(lines) + f"\n{margin}}}"


def print_table(title: str, columns: Sequence[str], rows: Sequence[Sequence[str]], *, width: int = 120) -> None:
    """A readable table on stdout, as wide as the terminal, or so many letters where there is none."""
    from rich.console import Console
    from rich.table import Table

    table = Table(title=title, title_justify="left", title_style="bold", header_style="bold")
    for place, name in enumerate(columns):
        longest = max((len(row[place]) for row in rows), default=0)
        table.add_column(name, overflow="fold", no_wrap=place == 0 and longest <= NAME_WIDTH)
    for row in rows:
        table.add_row(*row)
    console = Console(
        width=None if sys.stdout.isatty() else width, soft_wrap=False, markup=False
    )  # a name may hold brackets
    console.print(table)


def print_line(text: str = "") -> None:
    """Print one line of a result on stdout, where pipes read it."""
    sys.stdout.write(text + "\n")


def print_result(document: Mapping[str, Any], line: str, *, as_json: bool) -> None:
    """Print what a command did, as one JSON document or as one line."""
    if as_json:
        print_json(document)
    else:
        print_line(line)


def leave_unless(holds: bool) -> None:
    """End the command with status 1 where what was checked does not hold, so that `certify f && publish f` stops."""
    if not holds:
        raise typer.Exit(1)


def note(text: str) -> None:
    """One line for the person at the terminal, on stderr."""
    sys.stderr.write(for_shell(text) + "\n")


NOT_RECORDED = (
    "warning: nothing is recorded: without --ledger FILE the same question can be asked again and again, and nobody "
    "knows what these people have lost"
)
SEPARATE = (
    "--separate-people: you declare that nobody in this data is in other data of this ledger; a person who is in both "
    "loses the sum of both budgets"
)


def note_recording(*, recorded: bool, separate: bool) -> None:
    """Say on stderr what is not recorded, or what was declared."""
    if not recorded:
        note(NOT_RECORDED)
    if separate:
        note(SEPARATE)


COMPILING = "graphveil: compiling for this machine, which takes up to half a minute, once; later runs need not wait"


def say_when_compiling() -> None:
    """Say on a terminal why the first run after an installation takes long."""
    if sys.stderr.isatty():
        from graphveil.kernels import Kernel

        Kernel.waiting.append(lambda: note(COMPILING))


class Declined(Exception):
    """The person at the terminal said no; the text says what that means."""


def confirm(question: str, otherwise: str) -> None:
    """Ask, and end the command where the answer is no, saying what was and was not done."""
    if not typer.confirm(question):
        raise Declined(otherwise)


_BOTH = re.compile(r"(?:\w+= and )?\w+=\S* \((--[^()]*)\)")
_BOTH_IN_BRACKETS = re.compile(r"\(\w+=[^(),;]*, (--[^()]*)\)")


def for_shell(text: str) -> str:
    """A message with the options of a command, without the arguments of Python beside them.

    >>> for_shell("name the columns (columns=, --columns A,B) with values= (--attribute-values A,B,…)")
    'name the columns (--columns A,B) with --attribute-values A,B,…'
    """
    return _BOTH.sub(r"\1", _BOTH_IN_BRACKETS.sub(r"(\1)", text))


@contextmanager
def working(text: str) -> Iterator[Callable[[str], None]]:
    """Show on a terminal that something is going on, and what, where the work tells."""
    if not sys.stderr.isatty():
        yield lambda _now: None
        return
    from rich.console import Console

    with Console(stderr=True).status(text) as status:
        yield lambda now: status.update(now)


@contextmanager
def progress_bar(text: str) -> Iterator[Callable[[int, int, str], None]]:
    """A progress bar on a terminal, called with (done, total, what comes next); elsewhere nothing is shown."""
    if not sys.stderr.isatty():
        yield lambda _done, _total, _next: None
        return
    from rich.console import Console
    from rich.progress import Progress

    with Progress(console=Console(stderr=True), transient=True) as bars:
        task = bars.add_task(text, total=None)

        def update(done: int, total: int, coming: str) -> None:
            bars.update(task, completed=done, total=total, description=f"{text} {coming}")

        yield update


@contextmanager
def pending_file(path: Path, *, force: bool, mode: int = 0o666) -> Iterator[Path]:
    """A place to write to that becomes `path` only if all goes well.

    A file that exists is replaced only if `force` says so. The place is made first, so that an unwritable one is found
    before any budget is spent. Its name ends as that of `path` does, since formats go by names.
    """
    from graphveil.graph.files.streams import place_of

    place = place_of(path)
    if _is_printed_to(place):
        raise ParameterError(f"{path}: cannot be written: this command prints there already; give another name")
    if not force and place.exists():
        raise ParameterError(f"{path} exists already: give another name, or --force to replace it")
    try:
        handle, name = tempfile.mkstemp(dir=place.parent, prefix=".", suffix=f"-{path.name}")
    except OSError as error:
        raise ParameterError(f"{path}: cannot be written: {error.strerror}") from None
    os.close(handle)
    temporary = Path(name)
    try:
        yield temporary
        temporary.chmod(mode & ~_umask())
        temporary.replace(place)
    finally:
        temporary.unlink(missing_ok=True)


@contextmanager
def optional_file(path: Path | None, *, force: bool, mode: int = 0o666) -> Iterator[Path | None]:
    """A pending file, or None where no name is given."""
    if path is None:
        yield None
        return
    with pending_file(path, force=force, mode=mode) as place:
        yield place


@contextmanager
def result_file(
    out: Path | None, *, force: bool, suffixes: Sequence[str] | None = None
) -> Iterator[Callable[..., None]]:
    """Check the name of a file of results before the work; the block calls what it is given with the results.

    That is `evaluation.exports.write_result` to this file, or nothing where no file is named.
    """
    from graphveil.evaluation.exports import SUFFIXES, check_suffix, write_result

    check_suffix(out, suffixes or SUFFIXES)
    if out is None:
        yield lambda **_results: None
        return
    with pending_file(out, force=force) as target:
        yield partial(write_result, target, out)
    note(f"written: {out}")


def claim_of_synthetic(path: Path) -> Statement | None:
    """The statement beside a graph, if it says that none of this graph's nodes is a person.

    A statement about other files says nothing of this one: it is named and ignored.
    """
    from graphveil.release.statement import read_statement

    beside = Path(f"{path}{STATEMENT_SUFFIX}")
    if not beside.exists():
        return None
    try:
        found = read_statement(beside, path)
    except ParameterError as error:
        note(f"warning: {error}, and is ignored")
        return None
    if found.document.get("follows_people") is not False:
        return None
    if found.is_about_it:
        return found
    note(f"warning: {beside} is ignored: it is about another file (no SHA-256 in it is that of {path})")
    return None


def ledger_files(ledger: Path | None) -> tuple[Path, ...]:
    """The files of a ledger, which no output may replace."""
    from graphveil.privacy.ledger.fingerprint import key_path

    return () if ledger is None else (ledger, key_path(ledger))


def refuse_to_replace(inputs: Sequence[Path | None], outputs: Sequence[Path | None]) -> None:
    """What a command reads must not be what it writes: perhaps a graph has no copy. Two outputs are two files."""
    given = [path for path in outputs if path is not None]
    written = {os.path.realpath(path) for path in given}
    if len(written) < len(given):
        raise ParameterError(f"{given[0]} is given for two outputs, and one would replace the other; name two files")
    for path in inputs:
        if path is not None and os.path.realpath(path) in written:
            raise ParameterError(f"{path} is read by this command and would be replaced; write to another name")


def _is_printed_to(place: Path) -> bool:
    """Whether stdout or stderr goes into this file: taking its place would lose what is printed."""
    for handle in (1, 2):
        with suppress(OSError):  # closed, or a place where nothing is yet
            if os.path.samestat(place.stat(), os.fstat(handle)):
                return True
    return False


def _umask() -> int:
    current = os.umask(0)
    os.umask(current)
    return current


def number(value: float | None) -> str:
    """A number for people: thousands apart, few digits."""
    if value is None:
        return "-"
    if isinstance(value, int) or float(value).is_integer():
        return f"{int(value):,}"
    return f"{value:,.4g}" if abs(value) < 1000 else f"{value:,.0f}"


def status_text(guarantee: Mapping[str, Any]) -> str:
    """What stands behind a guarantee; of a plug-in's, who says so."""
    package = guarantee.get("package")
    return f"{guarantee['status']} (package {package})" if package else str(guarantee["status"])
