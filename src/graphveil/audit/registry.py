"""What can be audited, as rows of data: a name, and where the subject of that name is made.

A lookup stops at the first row of that name and imports what this one subject is made of. Rows of central queries,
protocols and synthesizers follow from the registries of these; published steps of papers are named by their location.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, Any

from graphveil.errors import ParameterError, unknown_name
from graphveil.plugins import Plugin, rows_of
from graphveil.registry import Job
from graphveil.registry import rows as algorithms

if TYPE_CHECKING:
    from graphveil.audit.subject import Subject


@dataclass(frozen=True, slots=True)
class Row:
    """A name with the location of a tuple of subjects, or of a function that makes one subject from `arguments`."""

    name: str
    location: str  # module:attribute
    arguments: tuple[Any, ...] = ()

    def subject(self) -> Subject:
        """Import the location and return the subject of this name."""
        module, _, attribute = self.location.partition(":")
        found = getattr(import_module(f"graphveil.{module}"), attribute)
        subject: Subject = (
            found(*self.arguments) if callable(found) else next(one for one in found if one.name == self.name)
        )
        return subject


_MECHANISMS = {
    "audit.subjects.streams:STREAM_SUBJECTS": (
        "stream-edges",
        "stream-two-stars",
        "stream-triangles",
        "stream-degrees",
        "stream-new-edges",
        "stream-people",
        "stream-person-edges",
        "stream-of-several",
    ),
    "audit.subjects.mechanisms:MECHANISM_SUBJECTS": (
        "discrete-laplace",
        "discrete-gaussian",
        "exponential-mechanism",
        "exponential-mechanism-monotone",
        "permute-and-flip",
        "permute-and-flip-monotone",
        "report-noisy-max",
        "report-noisy-max-monotone",
        "clipped-sum",
        "clipped-mean",
        "known-size-mean",
        "binary-response",
        "kary-response",
        "symmetric-unary",
        "optimal-unary",
        "square-wave",
        "subset-selection",
    ),
}
_TWO_SERVERS = {
    "audit.subjects.two_servers:TWO_SERVER_SUBJECTS": (
        "two-servers-edges",
        "two-servers-degree-distribution",
        "two-servers-degree-histogram",
        "two-servers-k-stars",
        "two-servers-triangles",
        "two-servers-triangles-public-limit",
        "two-servers-transitivity",
        "two-servers-attribute-shares",
        "two-servers-edges-relationship",
        "two-servers-triangles-relationship",
        "two-servers-triangles-public-limit-relationship",
    )
}
_PUBLISHED_STEPS = {
    "papers.repairs:REPAIR_SUBJECTS": (
        "two-stage-degrees",
        "public-pairs-response",
        "asymmetric-response",
        "second-round-count",
        "triangle-transcript",
        "per-tuple-noise",
    ),
    "papers.gs_ldp.audit_subjects:GS_LDP_SUBJECTS": (
        "gs-ldp-degrees",
        "gs-ldp-degrees-within-a-group",
        "gs-ldp-prune-edge-ids-and-bits",
        "gs-ldp-prune-edge-ids-of-ones",
        "gs-ldp-prune-edge-bits-only",
        "gs-ldp-prune-node-ids-and-bits",
        "gs-ldp-prune-node-ids-of-ones",
        "gs-ldp-prune-node-bits-only",
        "gs-ldp-second-round-edge",
        "gs-ldp-second-round-node",
        "gs-ldp-both-rounds-edge",
        "gs-ldp-both-rounds-node",
    ),
    "papers.bcpa.audit_subjects:TUPLE_SUBJECTS": ("dk-pa", "drc", "bcpa", "dk-pa-padded", "drc-padded", "bcpa-padded"),
    "papers.gap.audit_subjects:GAP_SUBJECTS": (
        "gap-entry",
        "gap-friendship",
        "gap-both-entries",
        "lpgnet-entry",
        "lpgnet-friendship",
        "lpgnet-both-entries",
        "gap-node",
    ),
}
_CONTROLS = {
    "audit.subjects.two_servers:TWO_SERVER_SUBJECTS": ("control-half-noise-each",),
    "audit.subjects.controls:CONTROLS": (
        "control-half-scale-laplace",
        "control-fails-once-in-1000",
        "control-seeded",
        "control-float-laplace",
        "control-off-by-one-unary",
        "control-relationship-counted-once",
    ),
    "papers.repairs:PUBLISHED_CONTROLS": ("control-quarter-scale-count", "control-third-scale-tuples"),
}


def _listed(table: Mapping[str, tuple[str, ...]]) -> Iterator[Row]:
    for location, names in table.items():
        for name in names:
            yield Row(name, location)


def _central_rows() -> Iterator[Row]:
    for algorithm in algorithms(Job.RELEASE):
        yield Row(algorithm.name, "audit.subjects.central:central_subject", (algorithm,))


def _local_rows() -> Iterator[Row]:
    """For every protocol its claim for a list and its claim for a relationship.

    A public coin decides in one protocol which of two questions a person answers, and in others a person may protect
    the whole list while others protect single entries: these have two rows for a list.
    """
    roles = {
        "degree-distribution-veil-node": ("-sets", "-places"),
        "out-degree-distribution-veil-node": ("-sets", "-places"),
        "triangle-sequence-preference-edge": ("", "-whole-list"),
        "clustering-preference-edge": ("", "-whole-list"),
    }
    for entry in algorithms(Job.COLLECT):
        name = f"{entry.query}-{entry.name}-{entry.unit}"
        for role in roles.get(name, ("",)):
            yield Row(name + role, "audit.subjects.local:local_subject", (entry, role))
        yield Row(f"{name}-relationship", "audit.subjects.local:relationship_subject", (entry,))


def _synthetic_rows() -> Iterator[Row]:
    for method in algorithms(Job.SYNTHESIZE):
        yield Row(f"synthesize-{method.name}", "audit.subjects.synthetic:synthetic_subject", (method,))
    yield Row("synthesize-attributes", "audit.subjects.synthetic:MIXING_SUBJECTS")


def _own_rows() -> Iterator[Row]:
    yield from _listed(_MECHANISMS)
    yield from _central_rows()
    yield from _local_rows()
    yield from _synthetic_rows()
    yield from _listed(_TWO_SERVERS)
    yield from _listed(_PUBLISHED_STEPS)
    yield from _listed(_CONTROLS)


def _plugin_rows() -> tuple[Row, ...]:
    def base() -> type[Subject]:
        from graphveil.audit.subject import Subject

        return Subject

    return rows_of("graphveil.audit", base, _plugin_row, list(_own_rows()), lambda row: row.name)


def _plugin_row(plugin: Plugin) -> Row:
    subject = replace(plugin.value, name=plugin.name, package=plugin.package)
    return Row(plugin.name, "audit.registry:_given", (subject,))


def _given(subject: Subject) -> Subject:
    return subject


def rows() -> Iterator[Row]:
    """Our own subjects by kind, then those of plug-ins; a registry is imported when the rows before it are used up."""
    yield from _own_rows()
    yield from _plugin_rows()


def subjects() -> tuple[Subject, ...]:
    """Every subject, which imports every algorithm."""
    return tuple(row.subject() for row in rows())


@cache
def find_subject(name: str) -> Subject:
    """The subject of that name; an unknown name is refused with a suggestion."""
    for row in rows():
        if row.name == name:
            return row.subject()
    answering = [row.name for row in algorithms(Job.RELEASE) if row.query == name]
    if answering:
        raise ParameterError(f"{name} is a query; audit the algorithms that answer it: {', '.join(answering)}")
    names = [row.name for row in rows()]
    raise unknown_name("subject", name, names, listed=f"`graphveil audit` lists all {len(names)} names")
