"""An engine reads a graph and keeps its edges; `memory` is this process, `spark` a cluster or a few cores of Spark.

Both give a `Graph`. That of Spark is an `EdgeTable`: exact statistics are added up by its workers, and everything
random happens here, on whoever asks: a task that Spark runs twice would draw twice.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Protocol, TypeAlias

from graphveil.errors import ParameterError
from graphveil.graph.files.fold import Read
from graphveil.graph.files.read import Reading, read_with_report

if TYPE_CHECKING:
    from graphveil.local.campaign import Campaign
    from graphveil.local.result import CollectionResult

MEMORY, SPARK = "memory", "spark"
PathLike = str | os.PathLike[str]
PeopleSource: TypeAlias = PathLike | Iterable[int | str]  # a file of names, or the names


class Engine(Protocol):
    """What a command needs of an engine."""

    def read(self, path: PathLike, *, people: PeopleSource | None = None, how: Reading | None = None) -> Read:
        """The graph in a file or folder, with everybody on a list of people, and how it was read."""
        ...

    def outcome(self, campaign: Campaign, reports: PathLike) -> CollectionResult:
        """What a campaign comes to, from a table of reports."""
        ...


class InProcess:
    """The default: rows in this process."""

    def read(self, path: PathLike, *, people: PeopleSource | None = None, how: Reading | None = None) -> Read:
        """Read a file of any format that `graph.files` knows into rows in this process."""
        return read_with_report(path, people=people, how=how)

    def outcome(self, campaign: Campaign, reports: PathLike) -> CollectionResult:
        """Read all reports into memory and let the collector judge them round by round."""
        from graphveil.engines.reports import outcome_of_rounds, read_rounds

        return outcome_of_rounds(campaign, read_rounds(reports, campaign.rounds), str(reports))


@contextmanager
def open_engine(name: str, master: str | None = None) -> Iterator[Engine]:
    """The engine of that name, for as long as its graphs are in use."""
    if name == MEMORY:
        if master is not None:
            raise ParameterError(f"--master {master} names a Spark cluster: it needs --engine spark")
        yield InProcess()
    elif name == SPARK:
        from graphveil.engines.spark.engine import SparkEngine
        from graphveil.engines.spark.start import running_spark

        with running_spark(master) as spark:
            yield SparkEngine(spark)
    else:
        raise ParameterError(f"unknown engine {name!r}; there are: {MEMORY}, {SPARK}")
