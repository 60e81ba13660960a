"""Options that several commands share: one spelling, one help text.

How every command reads its options: one that takes a single value may stand once.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypeAlias

import typer

from graphveil.cli.output import ledger_files, note_recording
from graphveil.cli.values import note_new_ledger
from graphveil.errors import ParameterError

if TYPE_CHECKING:
    from graphveil.graph.core import Graph
    from graphveil.graph.files.read import Reading
    from graphveil.release.session import Session

GraphFile: TypeAlias = Annotated[
    Path,
    typer.Argument(
        metavar="GRAPH",
        help="Graph file: edge list (.txt .csv .tsv), .graphml, .gml, .mtx (also .gz or .zst of these), .npz or "
        ".parquet; - is the standard input.",
    ),
]
Header: TypeAlias = Annotated[
    bool | None,
    typer.Option(
        "--header/--no-header",
        help="Whether the first line of an edge list is a header. "
        "Without this option it counts as one if it holds names such as source,target.",
    ),
]
Columns: TypeAlias = Annotated[
    str | None,
    typer.Option("--columns", metavar="A,B", help="The columns with the ends of edges, by name or counted from 1."),
]
Separator: TypeAlias = Annotated[
    str | None,
    typer.Option("--sep", metavar="CHAR", help="What separates the columns of an edge list: a character, or tab."),
]
FileFormat: TypeAlias = Annotated[
    str | None,
    typer.Option("--format", metavar="NAME", help="Format of the graph file, such as csv, if its name does not say."),
]
Directed: TypeAlias = Annotated[
    bool, typer.Option("--directed", help="Keep directions: the first name of a line points at the second.")
]
Weighted: TypeAlias = Annotated[
    str | None,
    typer.Option("--weighted", metavar="COLUMN", help="Read weights from this column, by name or counted from 1."),
]
MaxWeight: TypeAlias = Annotated[
    int | None,
    typer.Option(
        metavar="W",
        help="A public cap on the weight of one edge. If not given, a tenth of epsilon is spent to choose one.",
    ),
]
MaxStrength: TypeAlias = Annotated[
    int | None, typer.Option(metavar="S", help="A public cap on the total weight of one person's edges.")
]
UnitName: TypeAlias = Annotated[
    str, typer.Option("--unit", metavar="edge|node", help="What is protected: edge, node, or K-edge such as 5-edge.")
]
MaxDegree: TypeAlias = Annotated[
    int | None, typer.Option(metavar="D", help="A public bound on degrees; never the measured maximum.")
]
MethodOption: TypeAlias = Annotated[
    list[str] | None,
    typer.Option("--option", metavar="NAME=VALUE", help="A public parameter of the method; may be repeated."),
]
EngineName: TypeAlias = Annotated[
    str,
    typer.Option(
        "--engine", metavar="memory|spark", help="Where edges are kept and counted; spark needs the extra of that name."
    ),
]
Master: TypeAlias = Annotated[
    str | None, typer.Option(metavar="URL", help="Spark's master, such as local[2] or spark://host:7077.")
]
LedgerOption: TypeAlias = Annotated[
    Path | None,
    typer.Option("--ledger", metavar="FILE", help="File that records what was spent, made if it does not exist."),
]
BudgetOption: TypeAlias = Annotated[
    str | None,
    typer.Option(
        "--budget", metavar="B", help="Total epsilon that may ever be spent on these people. Give it the first time."
    ),
]
Dataset: TypeAlias = Annotated[
    str | None,
    typer.Option("--dataset", metavar="NAME", help="Name of the data set in the ledger; the file's name if not given."),
]
SeparatePeople: TypeAlias = Annotated[
    bool,
    typer.Option(
        "--separate-people", help="Declare that nobody in this data set is in any other data set of the ledger."
    ),
]
RequestId: TypeAlias = Annotated[
    str | None,
    typer.Option(
        "--request-id",
        metavar="ID",
        help="A name for this request. The same id returns the stored answer; a new one pays. "
        "Without an id, only answers bought without one are found again.",
    ),
]
Fresh: TypeAlias = Annotated[
    bool, typer.Option("--fresh", help="Pay for a new answer even if the same was asked before.")
]
AcceptNoise: TypeAlias = Annotated[
    bool, typer.Option("--accept-noise", help="Answer although the forecast says that the answer will be mostly noise.")
]
AcceptWeak: TypeAlias = Annotated[
    bool, typer.Option("--accept-weak", help="Allow an epsilon above 20, which protects hardly anybody.")
]
ChangedPeople: TypeAlias = Annotated[
    bool,
    typer.Option("--accept-changed-people", help="Answer although the people are not those of the release before."),
]
Force: TypeAlias = Annotated[bool, typer.Option("--force", help="Replace files that exist already.")]
AsJson: TypeAlias = Annotated[bool, typer.Option("--json", help="Print one JSON document and nothing else.")]

# public parameters of queries that are options of the command itself
FLAGS = ("max_degree", "max_weight", "max_strength", "partitions", "column")


@dataclass(frozen=True, slots=True)
class FileOptions:
    """How the file of a graph is written."""

    header: Header = None
    columns: Columns = None
    sep: Separator = None
    file_format: FileFormat = None

    def reading(self, *, directed: bool = False, weighted: str | None = None) -> Reading:
        """What these options say about how a graph file is to be read."""
        from graphveil.graph.files.read import Reading

        names = None if self.columns is None else self.columns.split(",")
        how: dict[str, Any] = {"header": self.header, "columns": names, "sep": self.sep, "format": self.file_format}
        return Reading.of(**how, directed=directed, weighted=weighted)


@dataclass(frozen=True, slots=True)
class LedgerOptions:
    """Where what is spent is recorded, and which request this is."""

    ledger: LedgerOption = None
    budget: BudgetOption = None
    dataset: Dataset = None
    separate_people: SeparatePeople = False
    request_id: RequestId = None
    fresh: Fresh = False
    accept_changed_people: ChangedPeople = False

    def check(self) -> None:
        """Refuse options that need a ledger where there is none."""
        reasons = {
            "request_id": "without one nothing is stored to return",
            "budget": "a budget that nothing records limits nothing",
            "fresh": "without one every answer is fresh",
            "separate_people": "without one there is no other data",
        }
        for name, reason in reasons.items():
            if self.ledger is None and getattr(self, name):
                raise ParameterError(f"--{name.replace('_', '-')} needs --ledger: {reason}")

    @property
    def files(self) -> tuple[Path, ...]:
        """The files of the ledger, which no output may replace."""
        return ledger_files(self.ledger)

    @property
    def request(self) -> dict[str, Any]:
        """Which request this is, as keywords of a session's methods."""
        return {"request_id": self.request_id, "fresh": self.fresh}

    def session(self, private: Graph, path: Path, *, epsilon: Fraction, **promise: Any) -> Session:
        """A session on the graph read from this path; its budget is this command's epsilon where no ledger is given."""
        from graphveil.release.session import Session

        own = "stdin" if str(path) == "-" else path.name
        name, budget = own if self.dataset is None else self.dataset, epsilon if self.ledger is None else self.budget
        promise |= {"separate_people": self.separate_people, "accept_changed_people": self.accept_changed_people}
        session = Session(private, budget=budget, ledger=self.ledger, dataset=name, **promise)
        note_new_ledger(self.ledger)
        return session

    def note(self, *, recorded: bool = False) -> None:
        """Say on stderr what is not recorded, or what was declared."""
        note_recording(recorded=recorded or self.ledger is not None, separate=self.separate_people)


def refuse_beside(what: str, **given: object) -> None:
    """Refuse options that would have no effect beside another one; names are those of the options."""
    for name, value in given.items():
        if value is not None:
            raise ParameterError(f"--{name.replace('_', '-')} has no effect beside {what}: leave out one of them")


def split_names(text: str | None) -> list[str]:
    """`age,zip` as a list of names; nothing is no name."""
    return [name.strip() for name in (text or "").split(",") if name.strip()]


def parse_queries(text: str) -> list[str]:
    """`edges,degree-histogram` as a list; a query may stand in it once."""
    queries = split_names(text)
    if not queries:
        raise ParameterError("no query was given; `graphveil algorithms` lists them")
    twice = next((name for name in queries if queries.count(name) > 1), None)
    if twice:
        raise ParameterError(
            f"query {twice} is named twice; asking twice costs twice, so run the command again for that"
        )
    return queries


def parse_shares(text: str | None, queries: list[str]) -> dict[str, Fraction]:
    """`edges=1,triangles=3` as parts of 1; without it all queries get the same."""
    from graphveil.privacy.loss import exact

    if text is None:
        return {query: Fraction(1, len(queries)) for query in queries}
    weights: dict[str, Fraction] = {}
    for part in text.split(","):
        name, separator, weight = part.partition("=")
        name = name.strip()
        if not separator or name not in queries or name in weights:
            raise ParameterError(f"--share wants QUERY=WEIGHT once for each of {', '.join(queries)}, not {part!r}")
        weights[name] = exact(weight.strip(), f"the share of {name}")
        if weights[name] <= 0:
            raise ParameterError(f"the share of {name} must be above 0, not {weight}")
    missing = [query for query in queries if query not in weights]
    if missing:
        raise ParameterError(f"--share leaves out {', '.join(missing)}")
    total = sum(weights.values())
    return {query: weights[query] / total for query in queries}


def parse_options(given: list[str] | None, *, flags: tuple[str, ...] = FLAGS) -> dict[str, Any]:
    """`name=value` pairs; whole numbers become integers. Names in `flags` are refused: they are commands' options."""
    options: dict[str, Any] = {}
    for text in given or []:
        name, separator, value = (part.strip() for part in text.partition("="))
        if not separator or not name:
            raise ParameterError(f"--option wants NAME=VALUE, not {text!r}")
        key = name.replace("-", "_")
        if key in flags:
            raise ParameterError(f"{name} is no --option: give it as {_flag(key)}")
        if key in options:
            raise ParameterError(f"--option {name} was given twice; it takes one value")
        whole = re.fullmatch(r"-?[0-9]{1,4000}", value)  # plain digits (² is none), no more than Python reads
        options[key] = int(value) if whole else value
    return options


def options_of_all(
    queries: list[str], unit: str, given: Mapping[str, Any], *, where_useful: Mapping[str, Any] | None = None
) -> dict[str, dict[str, Any]]:
    """For every query the options that an algorithm for it has; each of those given must serve some query."""
    from graphveil.privacy.unit import Unit
    from graphveil.registry import Job, rows
    from graphveil.release.job import choose_query

    kind = Unit.parse(unit).kind
    offered = [row for row in rows(Job.RELEASE) if row.unit == kind]
    for query in (query for query in queries if all(row.query != query for row in offered)):
        choose_query(query, Unit.parse(unit), {})  # says why nothing answers it, whatever the options
    known = {query: {name for row in offered if row.query == query for name in row.options} for query in queries}
    wanted = {name: value for name, value in given.items() if value is not None}
    useless, asked = sorted(set(wanted) - set().union(*known.values())), ", ".join(queries)
    if useless:
        takes = "take" if len(queries) > 1 else "takes"
        raise ParameterError(f"leave out {_flag(useless[0])}: under {unit} privacy {asked} {takes} no such option")
    wanted |= {name: value for name, value in (where_useful or {}).items() if value is not None}
    return {query: {name: value for name, value in wanted.items() if name in names} for query, names in known.items()}


def _flag(name: str) -> str:
    if name == "column":
        return "--attribute"
    return f"--{name.replace('_', '-')}" if name in FLAGS else f"--option {name}"
