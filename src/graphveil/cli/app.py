"""The commands put together, and what happens when one fails."""

from __future__ import annotations

import io
import os
import sys
import warnings
from collections.abc import Iterable
from typing import Any, NoReturn

import typer
from typer.core import TyperGroup

from graphveil.cli import about, anonymize, attack, audit, curator, learn, ledger, plan, release, showcase, synthesize
from graphveil.cli.collect import app as collect
from graphveil.cli.command import Command
from graphveil.cli.output import Declined, for_shell, say_when_compiling
from graphveil.cli.stream import app as stream
from graphveil.errors import BudgetExceeded, ClaimRefuted, GraphveilError, RefusedByLedger, WeakGuarantee

ANSWER_IS_NO = 1  # the command worked, and what was checked does not hold
WRONG_INPUT = 2
REFUSED_FOR_PRIVACY = 3
INTERRUPTED = 130
READER_LEFT = 141  # as a shell reports it: 128 + SIGPIPE
USAGE_ERROR: type[Exception] = typer.BadParameter.__mro__[2]  # base of all complaints about options


def by_task(commands: Iterable[str]) -> dict[str, tuple[str, ...]]:
    """The names of commands under the tasks they serve; those that no task names come last."""
    named = {name for names in GROUPS.values() for name in names}
    return {**GROUPS, "More": tuple(name for name in commands if name not in named)}


class ByTask(TyperGroup):
    """The commands, listed in the help under the tasks they serve."""

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        """Write one section for each task; a command that no task names comes last."""
        for title, names in by_task(self.list_commands(ctx)).items():
            rows = [(name, self.commands[name].get_short_help_str(limit=80)) for name in names if name in self.commands]
            if rows:
                with formatter.section(title):
                    formatter.write_dl(rows)


COMMANDS = (
    ("demo", showcase.demo, "All jobs on a generated network, in one report"),
    ("stats", curator.stats, "Exact statistics, for your eyes only"),
    ("plan", plan.plan, "Forecast errors, before spending anything"),
    ("release", release.release, "Publish statistics of a graph"),
    ("stream", stream.app, "Publish the same statistics every period"),
    ("collect", collect.app, "Ask people who keep their own friend lists"),
    ("synthesize", synthesize.synthesize, "Make a graph that can be handed out"),
    ("learn", learn.learn, "Predict people's labels from a private graph"),
    ("plan-learning", learn.plan_learning, "How often predictions will be right, before spending"),
    ("evaluate", curator.evaluate, "How close a published graph is to the original"),
    ("anonymize", anonymize.anonymize, "Make a graph k-anonymous"),
    ("certify", anonymize.certify, "Check that a graph is k-anonymous"),
    ("attack", attack.attack, "What an attacker finds in a published graph"),
    ("audit", audit.audit, "Measure whether a claimed epsilon holds"),
    ("check-statement", audit.check_statement, "Whether a privacy statement is about a file"),
    ("ledger", ledger.app, "What was spent, what is left"),
    ("algorithms", about.algorithms, "Every algorithm, its guarantee and status"),
    ("benchmark", curator.benchmark, "All algorithms for one query, side by side"),
    ("reproduce", showcase.reproduce, "Figures of papers, as published and repaired"),
    ("datasets", about.datasets, "Public graphs: counts, where to get them, and --fetch"),
    ("doctor", about.doctor, "What is installed, what is missing, and where"),
)
GROUPS = {
    "Start here": ("demo", "doctor"),
    "Publish from a graph you hold": ("stats", "plan", "release", "stream", "ledger"),
    "Hand out a graph, or learn from it": ("synthesize", "learn", "plan-learning", "anonymize", "certify", "evaluate"),
    "Ask people who keep their own lists": ("collect",),
    "Check a privacy claim": ("attack", "audit", "check-statement"),
    "Compare algorithms": ("algorithms", "benchmark", "reproduce", "datasets"),
}


def options(
    context: typer.Context, version: bool = typer.Option(False, "--version", help="Print the version and leave.")
) -> None:
    """Learn from social graphs without exposing the people in them."""
    if version:
        from importlib.metadata import version as installed

        typer.echo(f"graphveil {installed('graphveil')}")
    elif context.invoked_subcommand is None:
        typer.echo(context.get_help())
    else:
        say_when_compiling()


def build(names: Iterable[str]) -> typer.Typer:
    """The commands of these names; to build the options of all takes a fifth of the time that help takes."""
    built = typer.Typer(
        name="graphveil",
        cls=ByTask,
        help="Learn from social graphs without exposing the people in them.",
        epilog="Start with: graphveil demo",
        invoke_without_command=True,
        rich_markup_mode=None,
        pretty_exceptions_enable=False,
        add_completion=True,
    )
    built.callback()(options)
    for name, command, summary in COMMANDS:
        if name in names and isinstance(command, typer.Typer):
            built.add_typer(command, name=name, short_help=summary)
        elif name in names:
            built.command(name, cls=Command, short_help=summary)(command)
    return built


NAMES = [name for name, _, _ in COMMANDS]
app = build(NAMES)


def run() -> None:
    """Run a command; a failure is one line on stderr and an exit status, never a traceback."""
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:  # closed by the caller, who wants to hear nothing
            setattr(sys, name, io.StringIO())
    warnings.showwarning = _warn
    asked = [name for name in sys.argv[1:2] if name in NAMES]
    try:
        status = (build(asked) if asked else app)(standalone_mode=False)
        if status == INTERRUPTED:  # how typer reports Ctrl-C
            raise KeyboardInterrupt
        sys.stdout.flush()
        if status == ANSWER_IS_NO:
            sys.exit(ANSWER_IS_NO)
    except (BudgetExceeded, ClaimRefuted, RefusedByLedger, WeakGuarantee) as refusal:
        _leave(str(refusal), REFUSED_FOR_PRIVACY)
    except GraphveilError as error:
        _leave(str(error), WRONG_INPUT)
    except USAGE_ERROR as error:
        _leave(_with_usage(error), WRONG_INPUT)
    except Declined as no:
        _leave(f"stopped: {no}", ANSWER_IS_NO)
    except (typer.Abort, KeyboardInterrupt):
        _leave(
            "stopped; what a ledger has on record stays paid, and the same command again does not pay twice",
            INTERRUPTED,
        )
    except BrokenPipeError:  # the reader left
        _drop_output()
        sys.exit(READER_LEFT)
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
    about = str(getattr(getattr(error, "param", None), "help", None) or "")
    text = str(error.format_message())
    return (f"{text.rstrip('.')}: {about.rstrip('.')}" if about and text.startswith("Missing") else text) + hint


def _leave(message: str, status: int) -> NoReturn:
    text = for_shell(" ".join(message.split()))
    line = "".join(letter if letter.isprintable() else "?" for letter in text)
    sys.stderr.write(f"graphveil: {line}\n")
    sys.exit(status)
