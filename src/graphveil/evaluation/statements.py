"""What a paper's text states about a figure, beside what the figure gives here: computed from the points of a run.

A claim is tried on the graphs that the paper names, as far as the run has them, else on the generated graphs of the
run, which the words then say. Where the run measured several readings of what the paper leaves open, it is tried under
each.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from functools import wraps
from typing import Concatenate, ParamSpec

from graphveil.evaluation.experiment import Point, split_panel
from graphveil.evaluation.readings import Reading
from graphveil.graph.datasets import DATASETS

REPRODUCED, NOT_REPRODUCED, DEPENDS = "reproduced", "not reproduced", "depends on a reading"
NOT_TESTED = "not tested here"  # what a paper states of its own graphs may fail on others


@dataclass(frozen=True, slots=True)
class Statement:
    """What the paper says, what we get, and the verdict."""

    paper: str
    ours: str
    verdict: str

    def to_json(self) -> dict[str, str]:
        """The statement as `graphveil reproduce --json` prints it."""
        return asdict(self)


@dataclass(frozen=True, slots=True)
class Finding:
    """Whether something holds, and the numbers that say so."""

    holds: bool
    text: str


@dataclass(frozen=True, slots=True)
class View:
    """The points of one graph under one reading, looked up by the names that the figure gives its series."""

    points: dict[tuple[str, str, float, str], float]
    graph: str
    rename: Callable[[str], str]

    def value(self, series: str, x: float, metric: str) -> float | None:
        """The mean of a metric; None where the run has none."""
        under = self.points.get((self.graph, self.rename(series), x, metric))
        return self.points.get((self.graph, series, x, metric)) if under is None else under

    def xs(self, series: str, metric: str) -> list[float]:
        """Where a series was measured."""
        name = self.rename(series)
        return sorted(
            {x for graph, s, x, m in self.points if graph == self.graph and s in (series, name) and m == metric}
        )


Check = Callable[[View], Finding | None]
Terms = ParamSpec("Terms")


def makes_checks(find: Callable[Concatenate[View, Terms], Finding | None]) -> Callable[Terms, Check]:
    """The function without its first parameter: it returns a check, which tries the same terms on any view."""

    @wraps(find)
    def make(*terms: Terms.args, **named: Terms.kwargs) -> Check:
        return lambda view: find(view, *terms, **named)

    return make


@dataclass(frozen=True, slots=True)
class Claim:
    """A sentence of a paper and how it is tried on one graph; a check that lacks numbers returns None."""

    paper: str
    check: Check
    graphs: tuple[str, ...] = ()


def judge(claims: Sequence[Claim], points: Sequence[Point], readings: Sequence[Reading]) -> list[Statement]:
    """A statement for each claim that the run has the numbers for."""
    table = {(point.graph, point.series, point.x, point.metric): point.mean for point in points}
    judged = (_judge(claim, table, readings) for claim in claims)
    return [statement for statement in judged if statement is not None]


def _judge(
    claim: Claim, table: dict[tuple[str, str, float, str], float], readings: Sequence[Reading]
) -> Statement | None:
    present = list(dict.fromkeys(graph for graph, *_ in table))
    named = [graph for graph in claim.graphs if graph in present]
    kinds = {_panel(graph) for graph in claim.graphs}
    elsewhere = bool(claim.graphs) and not named
    graphs = named or [graph for graph in present if not kinds or (_panel(graph) in kinds and not _is_public(graph))]

    def under(option: str, value: str) -> Finding | None:
        def rename(series: str) -> str:
            for reading in readings:
                series = reading.rename(series, value if reading.option == option else reading.value)
            return series

        views = [View(table, graph, rename) for graph in graphs]
        return _over_graphs(claim.check, views, elsewhere=elsewhere, of=len(claim.graphs))

    ours = under("", "")
    if ours is None:
        return None
    others = {f"{r.option}={value}": under(r.option, value) for r in readings for value in r.others}
    differing = {name: found for name, found in others.items() if found is not None and found.text != ours.text}
    verdicts = {ours.holds, *(found.holds for found in differing.values())}
    words = [ours.text, *(f"with {name}: {found.text}" for name, found in differing.items())]
    verdict = DEPENDS if len(verdicts) == 2 else REPRODUCED if ours.holds else NOT_REPRODUCED
    if elsewhere and verdict != REPRODUCED:
        verdict = NOT_TESTED
    return Statement(claim.paper, "; ".join(words), verdict)


def _panel(graph: str) -> str:
    return split_panel(graph)[1]


def _is_public(graph: str) -> bool:
    return split_panel(graph)[0] in DATASETS


def _over_graphs(check: Check, views: Sequence[View], *, elsewhere: bool, of: int) -> Finding | None:
    """Whether it holds on every graph; the words say where that is not every graph that the paper names."""
    found = [(view.graph, finding) for view in views if (finding := check(view)) is not None]
    if not found:
        return None
    in_part = not elsewhere and len(found) < of
    name = len(found) > 1 or elsewhere or in_part
    words = [f"{graph}: {finding.text}" if name else finding.text for graph, finding in found]
    note = "not a graph of the paper, " if elsewhere else f"on {len(found)} of {of} graphs, " if in_part else ""
    return Finding(all(finding.holds for _, finding in found), note + "; ".join(words))
