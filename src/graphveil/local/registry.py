"""The table of collection protocols: what exists under which name; plug-ins come after our own."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any

from graphveil.errors import UnitMismatch, unknown_name
from graphveil.local.page import LocalPage
from graphveil.pages import Located, check_options, marked
from graphveil.plugins import Plugin, rows_of
from graphveil.privacy.loss import Number


@dataclass(frozen=True, slots=True)
class Entry(Located[LocalPage]):
    """One row of the table."""

    statistic: str
    name: str
    unit: str
    location: str
    home: str = "graphveil.local"

    @property
    def parameters(self) -> tuple[str, ...]:
        """Names of the public parameters besides epsilon and the number of people."""
        return tuple(entry.name for entry in fields(self.page) if entry.name not in ("epsilon", "n_people"))


DEGREES = "degree-distribution"
TRIANGLES = "triangles"
SEQUENCE = "triangle-sequence"
CLUSTERING = "clustering"
TRANSITIVITY = "transitivity"

PROTOCOLS: tuple[Entry, ...] = (
    Entry(DEGREES, "veil", "node", "protocols.veil_degrees:VeilDegrees"),
    Entry(DEGREES, "veil", "edge", "protocols.noisy_degrees:NoisyDegrees"),
    Entry(DEGREES, "veil-quantiles", "node", "protocols.veil_degrees:VeilQuantiles"),
    Entry(DEGREES, "preference", "edge", "protocols.preference:PreferredDegrees"),
    Entry(DEGREES, "sw-ems", "node", "protocols.sw_ems:SmoothedWave"),
    Entry(DEGREES, "oue", "node", "protocols.frequency:OptimalUnaryDegrees"),
    Entry(DEGREES, "sue", "node", "protocols.frequency:SymmetricUnaryDegrees"),
    Entry(DEGREES, "grr", "node", "protocols.frequency:KaryDegrees"),
    Entry(DEGREES, "two-stage", "node", "protocols.two_stage:TwoStageDegrees"),
    Entry(DEGREES, "node-proj", "node", "published.projected_degrees:NodeProjected"),
    Entry(DEGREES, "edge-proj", "node", "published.projected_degrees:EdgeProjected"),
    Entry(DEGREES, "rj", "node", "published.random_jump:RandomJump"),
    Entry(DEGREES, "gs-ldp", "node", "published.gs_ldp_degrees:GroupedDegreePage"),
    Entry(TRIANGLES, "veil", "edge", "protocols.veil_triangles:VeilTriangles"),
    Entry(TRIANGLES, "veil-two-rounds", "edge", "protocols.veil_triangles:TwoRoundTriangles"),
    Entry(TRIANGLES, "veil-low-download", "edge", "protocols.veil_triangles:LowDownloadTriangles"),
    Entry(TRIANGLES, "preference", "edge", "protocols.preferred_triangles:PreferredTriangles"),
    Entry(TRIANGLES, "one-end", "edge", "protocols.one_end_triangles:OneEndTriangles"),
    Entry(TRIANGLES, "vc", "edge", "published.vc_triangles:VcTriangles"),
    Entry(TRIANGLES, "local2rounds", "edge", "published.local2rounds:Local2Rounds"),
    Entry(TRIANGLES, "local2rounds", "node", "published.local2rounds:NodeLocal2Rounds"),
    Entry(TRIANGLES, "arr-full", "edge", "published.arr_triangles:ArrFull"),
    Entry(TRIANGLES, "arr-one-ns", "edge", "published.arr_triangles:ArrOneNs"),
    Entry(TRIANGLES, "arr-two-ns", "edge", "published.arr_triangles:ArrTwoNs"),
    Entry(TRIANGLES, "gs-ldp", "edge", "published.gs_ldp_triangles:EdgeTotal"),
    Entry(TRIANGLES, "gs-ldp", "node", "published.gs_ldp_triangles:NodeTotal"),
    Entry(TRIANGLES, "rnl", "edge", "published.rnl:RandomisedListsTotal"),
    Entry(SEQUENCE, "veil", "edge", "protocols.veil_sequence:VeilSequence"),
    Entry(SEQUENCE, "preference", "edge", "protocols.preferred_sequence:PreferredSequence"),
    Entry(SEQUENCE, "plain", "edge", "protocols.plain_sequence:PlainSequence"),
    Entry(SEQUENCE, "plain", "node", "protocols.plain_sequence:NodePlainSequence"),
    Entry(SEQUENCE, "rnl", "edge", "published.rnl:RandomisedLists"),
    Entry(SEQUENCE, "local2rounds", "edge", "published.local2rounds_sequence:EdgeTwoRounds"),
    Entry(SEQUENCE, "local2rounds", "node", "published.local2rounds_sequence:NodeTwoRounds"),
    Entry(SEQUENCE, "gs-ldp", "edge", "published.gs_ldp_triangles:EdgeSequence"),
    Entry(SEQUENCE, "gs-ldp", "node", "published.gs_ldp_triangles:NodeSequence"),
    Entry(CLUSTERING, "veil", "edge", "protocols.veil_clustering:VeilClustering"),
    Entry(CLUSTERING, "preference", "edge", "protocols.preferred_clustering:PreferredClustering"),
    Entry(CLUSTERING, "lf-gdpr", "edge", "published.lf_gdpr:LfGdpr"),
    Entry(CLUSTERING, "rnl", "edge", "published.rnl:RandomisedListsClustering"),
    Entry(CLUSTERING, "local2rounds", "edge", "published.local2rounds_sequence:EdgeTwoRoundClustering"),
    Entry(CLUSTERING, "local2rounds", "node", "published.local2rounds_sequence:NodeTwoRoundClustering"),
    Entry(CLUSTERING, "gs-ldp", "edge", "published.gs_ldp_clustering:EdgeClustering"),
    Entry(CLUSTERING, "gs-ldp", "node", "published.gs_ldp_clustering:NodeClustering"),
    Entry(TRANSITIVITY, "veil", "edge", "protocols.veil_transitivity:VeilTransitivity"),
)


def protocols() -> tuple[Entry, ...]:
    """Our own and those of plug-ins."""
    return PROTOCOLS + rows_of("graphveil.local", LocalPage, _plugin_row, PROTOCOLS, _key)


def _plugin_row(plugin: Plugin) -> Entry:
    page: type[LocalPage] = plugin.value
    return Entry(page.statistic, page.name, page.unit, plugin.location, home=plugin.package)


def _key(entry: Entry) -> object:
    return entry.statistic, entry.name, entry.unit


def find(statistic: str, name: str, unit: str) -> Entry:
    """The protocol of that name; says what there is instead."""
    by_statistic = [entry for entry in protocols() if entry.statistic == statistic]
    if not by_statistic:
        raise unknown_name("statistic", statistic, (entry.statistic for entry in protocols()))
    by_name = [entry for entry in by_statistic if entry.name == name]
    if not by_name:
        raise unknown_name("protocol", name, (entry.name for entry in by_statistic), where=f"for {statistic}")
    for entry in by_name:
        if entry.unit == unit:
            return entry
    units = " or ".join(entry.unit for entry in by_name)
    raise UnitMismatch(f"{name} collects {statistic} under the unit {units}, not {unit!r}")


def build(
    statistic: str,
    name: str,
    *,
    unit: str,
    epsilon: Number,
    n_people: int,
    parameters: Mapping[str, Any] | None = None,
) -> LocalPage:
    """A page with its public parameters fixed; unknown ones are refused, and an epsilon too small for any message."""
    entry, given = find(statistic, name, unit), dict(parameters or {})
    check_options(name, given, entry.parameters)
    page = entry.page(epsilon=epsilon, n_people=n_people, **given)  # type: ignore[arg-type]
    page.check_messages()
    return marked(entry, page)
