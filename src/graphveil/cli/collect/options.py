"""Options that the commands of a collector share, and how they find the collector and its token."""

from __future__ import annotations

import csv
import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TextIO, TypeAlias

import typer

from graphveil.cli.output import note
from graphveil.errors import ParameterError

if TYPE_CHECKING:
    from graphveil.learn.people import LabelledPeople
    from graphveil.local.protocol import LocalProtocol
    from graphveil.service.client.operator import OperatorClient

Server: TypeAlias = Annotated[
    str, typer.Option(metavar="URL", envvar="GRAPHVEIL_SERVER", help="Address of the collector.")
]
OperatorToken: TypeAlias = Annotated[
    Path, typer.Option(metavar="FILE", envvar="GRAPHVEIL_TOKEN_FILE", help="File with the operator's token.")
]
WhichCampaign: TypeAlias = Annotated[
    str | None, typer.Option("--campaign", metavar="ID", help="Beginning of its id; needed if there are several.")
]
ProtocolParameter: TypeAlias = Annotated[
    list[str] | None,
    typer.Option(
        "--option", "--parameter", metavar="NAME=VALUE", help="A public parameter of the protocol; may be repeated."
    ),
]
Statistics: TypeAlias = Annotated[
    str,
    typer.Option(
        "--statistic",
        metavar="S",
        help="What is collected, such as degree-distribution; several at once with commas between them.",
    ),
]
LabelColumn: TypeAlias = Annotated[
    str | None,
    typer.Option(
        "--attribute", metavar="COLUMN", help="For class-rows: the column of labels. PEOPLE is then a table (.csv)."
    ),
]
DEFAULT_SERVER = "http://127.0.0.1:8137"
DEFAULT_TOKEN = Path("graphveil-operator.token")
_MUCH = 50_000_000  # bytes


def refuse_without_local(statistic: str) -> None:
    """Say where a statistic is collected that no protocol without trust answers."""
    from graphveil.two_servers.experiment import WITHOUT_LOCAL

    if statistic in WITHOUT_LOCAL:
        raise ParameterError(
            f"{statistic} is collected by two servers only: `collect simulate` and `collect create` with "
            "--trust two-servers"
        )


@contextmanager
def service_extra() -> Iterator[None]:
    """Importing what only the extra `service` installs; says so where it is missing."""
    try:
        yield
    except ModuleNotFoundError as missing:
        raise ParameterError(f"this needs {missing.name}: pip install '.[service]' (in its source)") from None


@dataclass(frozen=True, slots=True)
class OperatorOptions:
    """Which collector, and as whom."""

    server: Server = DEFAULT_SERVER
    token: OperatorToken = DEFAULT_TOKEN

    @contextmanager
    def connect(self) -> Iterator[OperatorClient]:
        """The collector at the address, run with the token in the file."""
        with service_extra():
            from graphveil.service.client.api import Api
            from graphveil.service.client.operator import OperatorClient

        if self.token != DEFAULT_TOKEN and not self.token.exists():  # it may be the token, which no log should hold
            raise ParameterError(
                "there is no such file: --token takes the name of a file that holds the operator's token"
            )
        with Api(self.server, read_lines(self.token, "operator's token")[0], tries=3) as api:  # a person waits
            yield OperatorClient(api)


@dataclass(frozen=True, slots=True)
class CampaignOptions:
    """Which campaign, on which collector, and as whom."""

    campaign: WhichCampaign = None
    server: Server = DEFAULT_SERVER
    token: OperatorToken = DEFAULT_TOKEN

    @contextmanager
    def connect(self) -> Iterator[tuple[OperatorClient, str]]:
        """The collector, and the whole id of the campaign."""
        with OperatorOptions(self.server, self.token).connect() as client:
            yield client, client.find(self.campaign)


def labelled_people(table: Path | None, column: str | None, features: list[str] | None = None) -> LabelledPeople:
    """The people of a table with the public labels of a column, for a campaign of class rows and its predictions."""
    from graphveil.cli.person_table import read_table
    from graphveil.learn.people import LabelledPeople

    if table is None or column is None:
        raise ParameterError("class-rows needs public labels: give --people TABLE.csv --attribute COLUMN")
    return LabelledPeople.from_columns(read_table(table), label=column, features=features)


def spreadsheet_safe(cell: str) -> str:
    """A cell of a CSV file that no spreadsheet takes for a formula.

    >>> spreadsheet_safe("=1+1"), spreadsheet_safe("ann")
    ("'=1+1", 'ann')
    """
    return f"'{cell}" if cell[:1] in "=+-@\t\r" and cell else cell


@contextmanager
def secret_file(path: Path, *, keep: bool = False) -> Iterator[TextIO]:
    """A new file that only its owner can read; gone again if what follows fails, unless what is in it has to stay."""
    try:
        handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        raise ParameterError(f"{path} exists and may still be needed; choose another name") from None
    except OSError as error:
        raise ParameterError(f"cannot write {path}: {error.strerror}") from None
    try:
        with os.fdopen(handle, "w", newline="", encoding="utf-8") as file:
            yield file
    except BaseException:
        if not keep or path.stat().st_size == 0:
            path.unlink(missing_ok=True)
        raise


def write_links(file: TextIO, links: Iterable[tuple[str, str]]) -> None:
    """Write the link of each person on a line, at once: an old one may have ended with it."""
    table = csv.writer(file)
    table.writerow(("name", "link"))
    for name, link in links:
        table.writerow((spreadsheet_safe(name), link))
        file.flush()


def say_memory(page: LocalProtocol) -> None:
    """What the collector will need to close the campaign, where that is much."""
    from graphveil.local.memory import in_megabytes

    if page.memory_bytes >= _MUCH:
        note(f"to close this campaign takes about {in_megabytes(page.memory_bytes)} of memory")


def read_lines(path: Path, what: str, *, may_be_empty: bool = False) -> list[str]:
    """The lines of a file that have something on them."""
    try:
        text = path.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise ParameterError(f"cannot read the {what} from {path}: {error.strerror}") from None
    except ValueError:
        raise ParameterError(f"cannot read the {what} from {path}: it is not text in UTF-8") from None
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    if not lines and not may_be_empty:
        raise ParameterError(f"cannot read the {what} from {path}: it is empty")
    return lines
