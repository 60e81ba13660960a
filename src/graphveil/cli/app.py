"""The commands put together, and what happens when one fails."""

from __future__ import annotations

import io
import os
import sys
import warnings
from typing import Any, NoReturn

import typer

from graphveil.cli import (
    algorithms,
    anonymize,
    attack,
    audit,
    benchmark,
    collect,
    demo,
    doctor,
    evaluate,
    ledger,
    plan,
    release,
    reproduce,
    stats,
    synthesize,
)
from graphveil.errors import BudgetExceeded, ClaimRefuted, GraphveilError

WRONG_INPUT = 2
REFUSED_FOR_PRIVACY = 3
INTERRUPTED = 130
USAGE_ERROR: type[Exception] = typer.BadParameter.__mro__[2]  # base of all complaints about options

app = typer.Typer(
    name="graphveil",
    help="Learn from social graphs without exposing the people in them.",
    epilog="Start with: graphveil demo",
    invoke_without_command=True,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    add_completion=True,
)
app.command("demo")(demo.demo)
app.command("stats")(stats.stats)
app.command("plan")(plan.plan)
app.command("release")(release.release)
app.command("synthesize")(synthesize.synthesize)
app.command("evaluate")(evaluate.evaluate)
app.command("benchmark")(benchmark.benchmark)
app.add_typer(ledger.app, name="ledger")
app.add_typer(collect.app, name="collect")
app.command("anonymize")(anonymize.anonymize)
app.command("certify")(anonymize.certify)
app.command("attack")(attack.attack)
app.command("audit")(audit.audit)
app.command("reproduce")(reproduce.reproduce)
app.command("algorithms")(algorithms.algorithms)
app.command("doctor")(doctor.doctor)


@app.callback()
def options(
    context: typer.Context,
    version: bool = typer.Option(False, "--version", help="Print the version and leave."),
) -> None:
    """Learn from social graphs without exposing the people in them."""
    if version:
        from importlib.metadata import version as installed

        typer.echo(f"graphveil {installed('graphveil')}")
    elif context.invoked_subcommand is None:
        typer.echo(context.get_help())


def run() -> None:
    """Run a command; a failure is one line on stderr and an exit status, never a traceback."""
    for stream in ("stdout", "stderr"):
        if getattr(sys, stream) is None:  # closed by the caller, who wants to hear nothing
            setattr(sys, stream, io.StringIO())
    warnings.showwarning = _warn
    try:
        if app(standalone_mode=False) == INTERRUPTED:  # how typer reports Ctrl-C
            raise KeyboardInterrupt
        sys.stdout.flush()
    except (BudgetExceeded, ClaimRefuted) as refusal:
        _leave(str(refusal), REFUSED_FOR_PRIVACY)
    except GraphveilError as error:
        _leave(str(error), WRONG_INPUT)
    except USAGE_ERROR as error:
        _leave(_with_usage(error), WRONG_INPUT)
    except (typer.Abort, KeyboardInterrupt):
        _leave("stopped", INTERRUPTED)
    except BrokenPipeError:  # the reader left
        _drop_output()
        sys.exit(1)
    except OSError as error:  # a full disk under the output, a report's file in use
        _drop_output()
        _leave(f"the output cannot be written: {error.strerror or error}", WRONG_INPUT)
    except MemoryError:
        _leave("this needs more memory than there is; a smaller degree bound or graph may do", WRONG_INPUT)


def _warn(message: Warning | str, *_where: Any, **_more: Any) -> None:
    """A warning, such as of a plug-in that cannot be used, is one line too."""
    sys.stderr.write(f"graphveil: {' '.join(str(message).split())}\n")


def _drop_output() -> None:
    """Keep the interpreter from complaining at exit that the rest of the output went nowhere."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _with_usage(error: Any) -> str:
    context = getattr(error, "ctx", None)
    hint = f" (see {context.command_path} --help)" if context else ""
    return str(error.format_message()) + hint


def _leave(message: str, status: int) -> NoReturn:
    line = " ".join(message.split())
    sys.stderr.write(f"graphveil: {line}\n")
    sys.exit(status)
