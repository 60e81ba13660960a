"""The one table of algorithms: what exists under which name and where it is; plug-ins come after our own.

A row names its class as `module:Class`. The class is imported when it is first used, so looking one algorithm up loads
one algorithm, and listing names loads none. Algorithms of papers stand here like any other; nothing imports them.
"""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from importlib import import_module
from typing import Any

from graphveil import registry_table as table
from graphveil.errors import GuaranteeMismatch, ParameterError, UnitMismatch, unknown_name
from graphveil.plugins import Plugin, foreign_package, rows_of
from graphveil.privacy.guarantee import PublishedClaim, Verdict
from graphveil.privacy.loss import Number
from graphveil.privacy.parameter import parameter_types, read_parameters

TOY_PEOPLE = 1_000
HEADER_KEYS = ("Paper", "Unit", "Trust", "Guarantee", "Estimator", "Cost", "Differs")


class Job(StrEnum):
    """What an algorithm is for."""

    RELEASE = "release"
    COLLECT = "collect"
    SYNTHESIZE = "synthesize"


# job -> group of entry points, and the class that a plug-in's algorithm must derive from
_PLUGINS = {
    Job.RELEASE: ("graphveil.central", "graphveil.central.query:Query"),
    Job.COLLECT: ("graphveil.local", "graphveil.local.protocol:LocalProtocol"),
    Job.SYNTHESIZE: ("graphveil.synthetic", "graphveil.synthetic.synthesizer:Synthesizer"),
}
# job -> what refuses a plug-in's algorithm whose guarantee is not the one it draws
_PLUGIN_CHECKS = {
    Job.RELEASE: "graphveil.release.plugin_check:check_plugin",
    Job.COLLECT: "graphveil.local.protocol_check:check_protocol",
    Job.SYNTHESIZE: "graphveil.release.plugin_check:check_plugin",
}


@dataclass(frozen=True, slots=True)
class Row:
    """One algorithm. `query` is what it answers: a release's query, a campaign's statistic, or "graph".

    The first row for a query and unit whose `needs` (options without a default) are given is the default.
    """

    job: Job
    name: str
    query: str
    unit: str
    location: str
    needs: tuple[str, ...] = ()
    home: str = "graphveil"

    @property
    def module(self) -> str:
        """The module that holds the algorithm."""
        return ".".join(filter(None, (self.home, self.location.partition(":")[0])))

    @property
    def cls(self) -> type[Any]:
        """The class of the algorithm, imported on first use."""
        cls: type[Any] = _load(f"{self.module}:{self.location.partition(':')[2]}")
        return cls

    @property
    def package(self) -> str:
        """The other package that brought this row; empty for our own."""
        return foreign_package(self.module)

    @property
    def document(self) -> str:
        """The docstring of the algorithm's module, with its keyed head."""
        return inspect.getdoc(inspect.getmodule(self.cls)) or ""

    @property
    def header(self) -> dict[str, str]:
        """The keyed lines of that docstring."""
        return parse_header(self.document)

    @property
    def claim(self) -> PublishedClaim | None:
        """What a paper claims for this algorithm, and what we found; None for our own."""
        claim = getattr(self.cls, "claim", None)
        if isinstance(claim, property):  # a protocol wants numbers before it can say what was claimed of it
            claim = self.build(1, n_people=TOY_PEOPLE).claim
        return claim

    @property
    def refuted(self) -> bool:
        """Whether the algorithm is kept as published, for study only."""
        return self.claim is not None and self.claim.verdict is Verdict.REFUTED

    @property
    def options(self) -> dict[str, Any]:
        """Names and types of the public parameters besides epsilon and the number of people."""
        shown = {field: option for option, field in self.option_fields.items()}
        known = parameter_types(self.cls).items()
        return {shown.get(name, name): kind for name, kind in known if name not in ("epsilon", "n_people")}

    @property
    def option_fields(self) -> Mapping[str, str]:
        """Options whose field has another name, since a method of the algorithm already has theirs."""
        fields: Mapping[str, str] = getattr(self.cls, "option_fields", {})
        return fields

    def build(self, epsilon: Number, options: Mapping[str, Any] | None = None, **sizes: int) -> Any:
        """The algorithm with its public parameters fixed; unknown or unsuitable ones are refused."""
        given = dict(options or {})
        renamed = {field: option for option, field in self.option_fields.items()}
        given = {renamed.get(name, name): value for name, value in given.items()}  # a stored campaign names fields
        missing = [option for option in self.needs if option not in given]
        if missing:
            raise ParameterError(f"{self.name} needs {', '.join(missing)}")
        if unknown := sorted(set(given) - set(self.options)):
            raise unknown_name("option", unknown[0], self.options, where=f"of {self.name}")
        by_field = {self.option_fields.get(name, name): value for name, value in given.items()}
        read = read_parameters(self.cls, by_field | {"epsilon": epsilon} | sizes)
        algorithm = self.cls(**read)
        if algorithm.epsilon != read["epsilon"]:
            raise GuaranteeMismatch(
                f"{self.name} was built for epsilon {read['epsilon']} and makes it {algorithm.epsilon}"
            )
        if self.package and self.job in _PLUGIN_CHECKS:
            _load(_PLUGIN_CHECKS[self.job])(algorithm)
        if algorithm.guarantee.package != self.package:
            raise ParameterError(
                f"the guarantee of {self.location} hides that it came with package {self.package}: write it as "
                f"`replace(super().guarantee, …)`, or give it package={self.package!r}"
            )
        return algorithm


QUERIES: tuple[Row, ...] = (
    *(Row(Job.RELEASE, name, query, "edge", location) for name, query, location in table.EDGE_QUERIES),
    *(Row(Job.RELEASE, name, query, "node", location) for name, query, location in table.NODE_QUERIES),
    Row(Job.RELEASE, "best-partition", "best-partition", "edge", "central.choices.best_partition:BestPartition",
        needs=("partitions",)),
    *(Row(Job.RELEASE, *row) for row in table.ATTRIBUTE_QUERIES),
    Row(Job.RELEASE, "class-rows", "class-rows", "edge", "central.edge.class_rows:ClassRows", needs=("people",)),
)  # fmt: skip
PROTOCOLS: tuple[Row, ...] = tuple(Row(Job.COLLECT, *row) for row in table.PROTOCOLS)
SYNTHESIZERS: tuple[Row, ...] = tuple(
    Row(Job.SYNTHESIZE, name, "graph", "edge", location) for name, location in table.SYNTHESIZERS
)
_OWN = {Job.RELEASE: QUERIES, Job.COLLECT: PROTOCOLS, Job.SYNTHESIZE: SYNTHESIZERS}


def rows(job: Job) -> tuple[Row, ...]:
    """Our own algorithms for a job, then those of plug-ins, which are never chosen before ours."""
    group, base = _PLUGINS[job]
    key = _protocol_key if job is Job.COLLECT else _name
    return _OWN[job] + rows_of(group, lambda: _load(base), lambda plugin: _plugin_row(job, plugin), _OWN[job], key)


def find_query(name: str) -> Row:
    """The central query of that name."""
    return _find(Job.RELEASE, name, "algorithm")


def find_synthesizer(name: str) -> Row:
    """The synthesizer of that name."""
    return _find(Job.SYNTHESIZE, name, "method")


def find_protocol(statistic: str, name: str, unit: str) -> Row:
    """The collection protocol of that name for a statistic and unit; says what there is instead.

    Several statistics stand between commas, in any order; a protocol that collects more at once collects these too.
    """
    protocols = rows(Job.COLLECT)
    by_statistic = [row for row in protocols if row.query == statistic] or _for_all(protocols, statistic)
    if not by_statistic:
        raise unknown_name("statistic", statistic, (row.query for row in protocols))
    by_name = [row for row in by_statistic if row.name == name]
    if not by_name:
        raise unknown_name("protocol", name, (row.name for row in by_statistic), where=f"for {statistic}")
    for row in by_name:
        if row.unit == unit:
            return row
    units = " or ".join(row.unit for row in by_name)
    raise UnitMismatch(f"{name} collects {statistic} under the unit {units}, not {unit!r}")


def build_protocol(
    statistic: str, name: str, *, unit: str, epsilon: Number, n_people: int, parameters: Mapping[str, Any] | None = None
) -> Any:
    """A protocol with its public parameters fixed; an epsilon too small for any message is refused."""
    row, given = find_protocol(statistic, name, unit), dict(parameters or {})
    if "," in row.query:
        if "statistics" in given:
            raise ParameterError("leave the option statistics out: --statistic says what a joint campaign asks for")
        given["statistics"] = statistic
    protocol = row.build(epsilon, given, n_people=n_people)
    protocol.check_messages()
    return protocol


def parse_header(docstring: str) -> dict[str, str]:
    """Keyed lines (`Paper  …`) of an algorithm's module; indented lines continue the one before."""
    header: dict[str, str] = {}
    key = None
    for line in docstring.splitlines():
        word, _, rest = line.partition(" ")
        if word in HEADER_KEYS:
            key = word
            header[key] = rest.strip()
        elif key and line.startswith(" "):
            header[key] += " " + line.strip()
        else:
            key = None
    return header


def _for_all(protocols: tuple[Row, ...], statistic: str) -> list[Row]:
    """The protocols that collect all of several statistics at once; says which one of them has none such."""
    joint = [row for row in protocols if "," in row.query]
    wanted = [name.strip() for name in statistic.split(",")]
    if len(wanted) < 2:
        return []
    together = dict.fromkeys(name for row in joint for name in row.query.split(","))
    for name in wanted:
        if name not in together:
            raise unknown_name("statistic", name, together, where="of those that are collected together")
    return [row for row in joint if set(wanted) <= set(row.query.split(","))]


def _load(location: str) -> Any:
    module, _, name = location.partition(":")
    return getattr(import_module(module), name)


def _find(job: Job, name: str, what: str) -> Row:
    for row in rows(job):
        if row.name == name:
            return row
    raise unknown_name(what, name, (row.name for row in rows(job)))


def _plugin_row(job: Job, plugin: Plugin) -> Row:
    cls = plugin.value
    if job is Job.COLLECT:
        return Row(job, cls.name, cls.statistic, cls.unit, plugin.location, home=plugin.package)
    query = cls.query if job is Job.RELEASE else "graph"
    return Row(job, plugin.name, query, getattr(cls, "unit", "edge"), plugin.location, home=plugin.package)


def _name(row: Row) -> object:
    return row.name


def _protocol_key(row: Row) -> object:
    return row.query, row.name, row.unit
