"""Choosing epsilon: what several queries would be worth at several epsilons, and what each lets an attacker learn."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from typing import Any

from graphveil.central.attributes.column import PeopleColumn
from graphveil.display.html import table
from graphveil.display.svg import Line, lines
from graphveil.errors import ParameterError
from graphveil.learn.people import cell_text
from graphveil.mechanisms.algorithm import PublicFacts
from graphveil.mechanisms.entries import needed
from graphveil.privacy.loss import Number, exact_epsilon
from graphveil.privacy.odds import odds_sentence
from graphveil.privacy.rounding import nearest, text_up
from graphveil.privacy.unit import Kind, Unit
from graphveil.registry import Job, rows
from graphveil.release.plan import Plan, forecast
from graphveil.release.policy import OF_ALL_ENTRIES, expected_size, rough

BAR = 40  # letters of the longest bar in a terminal
LEAST, MOST = 0.01, 100.0  # percent at both ends of a bar, on a logarithmic scale


@dataclass(frozen=True, slots=True)
class Comparison:
    """Forecasts of some queries, each at every one of some epsilons; `epsilons` are totals that the queries share."""

    unit: Unit
    facts: PublicFacts
    confidence: float
    epsilons: tuple[Fraction, ...]
    plans: tuple[tuple[Plan, ...], ...]  # for each epsilon, one for each query

    def expected(self, plan: Plan) -> float | None:
        """How large an answer is guessed to be, from public facts alone; None where there is no guess."""
        size = expected_size(plan.query, self.facts, plan.options.get("k"))
        return size if size and size > 0 else None

    def percent(self, plan: Plan) -> float | None:
        """The error as a share of the guessed answer, in percent; None where one of the two is not known.

        There is none for an entry of a histogram: how large an entry is follows from the graph.
        """
        size, error = self.expected(plan), plan.error(self.confidence)
        known = size is not None and plan.query not in OF_ALL_ENTRIES and not math.isinf(error)
        return 100 * error / size if known and size is not None else None

    def meanings(self) -> list[str]:
        """For each epsilon what it lets an attacker learn, in words."""
        return [f"epsilon {text_up(epsilon)}: {odds_sentence(epsilon)}" for epsilon in self.epsilons]

    def remarks(self) -> list[str]:
        """What to know when reading the numbers: what percentages are of, and that queries share an epsilon."""
        sizes = {plan.query: self.expected(plan) for plan in self.plans[0]}
        known = {query: rough(size) for query, size in sizes.items() if size is not None}
        assumed = ", ".join(f"{query} {size}" for query, size in known.items() if query not in OF_ALL_ENTRIES)
        people = f"{self.facts.n_nodes:,} people"
        typical = f"percentages are of typical answers for {people} ({assumed}); your graph may differ"
        entries = [
            f"the error of {query} is that of one entry; all its entries together are about {known[query]}"
            for query in known
            if query in OF_ALL_ENTRIES
        ]
        shared = "each epsilon is a total, which the queries share"
        return [typical] * bool(assumed) + entries + [shared] * (len(sizes) > 1)

    def rows(self) -> list[dict[str, Any]]:
        """A row for each query and epsilon: the share of epsilon it gets, its error, and that in percent."""
        return [
            {
                "epsilon": float(epsilon),
                "query": plan.query,
                "share": float(plan.epsilon),
                "error": None if math.isinf(plan.error(self.confidence)) else plan.error(self.confidence),
                "percent": self.percent(plan),
                "expected": self.expected(plan),
            }
            for epsilon, plans in zip(self.epsilons, self.plans, strict=True)
            for plan in plans
        ]

    def cell(self, plan: Plan) -> str:
        """The error of one forecast as text, with its percent where an answer can be guessed."""
        error, percent = plan.error(self.confidence), self.percent(plan)
        told = "unknown" if math.isinf(error) else f"{error:,.0f}" if error >= 100 else f"{error:.3g}"
        if plan.query in OF_ALL_ENTRIES:
            return f"{told} an entry"
        return told if percent is None else f"{told} ({percent_text(percent)})"

    def table(self) -> tuple[list[str], list[list[str]]]:
        """Columns and rows of text: a row for each query, a column for each epsilon."""
        columns = ["query", *(f"epsilon {text_up(epsilon)}" for epsilon in self.epsilons)]
        queries = range(len(self.plans[0]))
        return columns, [[self.plans[0][q].query, *(self.cell(row[q]) for row in self.plans)] for q in queries]

    def bars(self) -> list[str]:
        """The errors in percent, where there are any, as bars of text on a logarithmic scale from 0.01 % to 100 %."""
        width = max(len(text_up(epsilon)) for epsilon in self.epsilons)
        drawn = []
        for place, plan in enumerate(self.plans[0]):
            if plan.query in OF_ALL_ENTRIES:
                continue
            drawn.append(f"{plan.query}, error in percent of the answer ({LEAST:g} % to {MOST:g} %, logarithmic)")
            for epsilon, plans in zip(self.epsilons, self.plans, strict=True):
                percent = self.percent(plans[place])
                known = "unknown" if percent is None else percent_text(percent)
                drawn.append(f"  {text_up(epsilon):>{width}} {_bar(percent)} {known}")
        return drawn

    def picture(self) -> str:
        """The errors in percent over epsilon, a line for each query, as SVG text; empty if no answer can be guessed."""
        drawn = [Line(name, x, y) for name, x, y in self._curves()]
        if not drawn:
            return ""
        title = f"error in percent of the answer, {100 * self.confidence:g} % confidence"
        return lines(drawn, title=title, x="epsilon", y="error, %", log_x=True, log_y=True)

    def to_pandas(self) -> Any:
        """A pandas table with a row for each query and epsilon."""
        return needed("pandas").DataFrame(self.rows())

    def to_polars(self) -> Any:
        """A polars table with a row for each query and epsilon."""
        return needed("polars").DataFrame(self.rows())

    def plot(self, ax: Any = None) -> Any:
        """Draw the errors in percent over epsilon on axes of matplotlib, and return the axes."""
        axes = needed("matplotlib.pyplot").subplots(layout="constrained")[1] if ax is None else ax
        for name, x, y in self._curves():
            axes.plot(x, y, marker="o", label=name)
        axes.set(xlabel="epsilon", ylabel="error, % of the answer", xscale="log", yscale="log")
        axes.legend()
        return axes

    def __str__(self) -> str:
        columns, rows = self.table()
        widths = [max(map(len, column)) for column in zip(columns, *rows, strict=True)]
        listed = [
            "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
            for row in (columns, *rows)
        ]
        return "\n".join([*listed, *self.meanings(), *self.remarks()])

    __repr__ = __str__

    def _repr_html_(self) -> str:
        meaning = "".join(f"<li>{line}</li>" for line in (*self.meanings(), *self.remarks()))
        return f"<div>{table(*self.table())}{self.picture()}<ul>{meaning}</ul></div>"

    def _curves(self) -> list[tuple[str, list[float], list[float]]]:
        curves = []
        for place, plan in enumerate(self.plans[0]):
            points = [(float(e), self.percent(row[place])) for e, row in zip(self.epsilons, self.plans, strict=True)]
            known = [(x, y) for x, y in points if y is not None and y > 0]
            if known:
                curves.append((plan.query, [x for x, _ in known], [y for _, y in known]))
        return curves


def plan(
    queries: str | Sequence[str],
    *,
    unit: str | Unit,
    epsilons: Number | Sequence[Number],
    n_nodes: int,
    max_degree: int | None = None,
    confidence: float = 0.95,
    shares: Mapping[str, Number] | None = None,
    method: str | None = None,
    options: Mapping[str, Mapping[str, Any]] | None = None,
    values: Sequence[Any] | None = None,
) -> Comparison:
    """Forecast queries at several epsilons, before anything is spent and without looking at a graph.

    Each epsilon is a total that the queries share, evenly or by the weights of `shares`. `n_nodes` is the number of
    people (a guess will do under node privacy), `options` are those of each query by its name. `values` are those of
    the attribute that `mixing`, `homophily` and others about groups of people ask for.

    >>> plan("edges", unit="edge", epsilons=[0.1, 1], n_nodes=4000).table()
    (['query', 'epsilon 0.1', 'epsilon 1'], [['edges', '30 (0.075 %)', '3 (0.0075 %)']])
    """
    names = [queries] if isinstance(queries, str) else list(queries)
    totals = [epsilons] if isinstance(epsilons, int | float | str | Decimal | Fraction) else list(epsilons)
    if not names or not totals:
        raise ParameterError("give at least one query and one epsilon")
    weights = {name: Fraction(1) for name in names} if shares is None else {n: exact_epsilon(shares[n]) for n in names}
    parts = {name: weight / sum(weights.values()) for name, weight in weights.items()}
    exact = tuple(sorted({exact_epsilon(total) for total in totals}))
    facts = PublicFacts(n_nodes=n_nodes, max_degree=max_degree)
    protected = Unit.parse(unit)
    given = {name: {**_groups(name, protected, values), **(options or {}).get(name, {})} for name in names}
    return Comparison(
        protected,
        facts,
        confidence,
        exact,
        tuple(
            tuple(
                forecast(name, unit=unit, epsilon=total * parts[name], facts=facts, method=method, options=given[name])
                for name in names
            )
            for total in exact
        ),
    )


def _groups(query: str, unit: Unit, values: Sequence[Any] | None) -> dict[str, PeopleColumn]:
    """An attribute with these values, for a query that needs one."""
    if values is None or not any(row.query == query and "column" in row.needs for row in rows(Job.RELEASE)):
        return {}
    return {"column": PeopleColumn("attribute", tuple(map(cell_text, values)), unit.kind is Kind.EDGE, {})}


def percent_text(percent: float) -> str:
    """Two digits, or whole percents from ten on.

    >>> percent_text(0.0725), percent_text(12.34), percent_text(123456.0)
    ('0.072 %', '12 %', 'over 1,000 %')
    """
    if percent > 1000:
        return "over 1,000 %"
    return f"{nearest(round(percent))} %" if percent >= 10 else f"{percent:.2g} %"


def _bar(percent: float | None) -> str:
    if percent is None:
        return ""
    share = math.log(max(percent, LEAST) / LEAST) / math.log(MOST / LEAST)
    return "█" * max(1, round(BAR * min(share, 1)))
