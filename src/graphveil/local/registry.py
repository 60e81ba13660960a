"""The table of collection protocols: what exists under which name; plug-ins come after our own."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any

from graphveil.errors import UnitMismatch, unknown_name
from graphveil.local.protocol import LocalPage
from graphveil.plugins import Plugin, rows_of
from graphveil.privacy.loss import Number
from graphveil.registry_base import Located, check_options, marked


@dataclass(frozen=True, slots=True)
class Entry(Located[LocalPage]):
    """One row of the table."""

    statistic: str
    name: str
    unit: str
    location: str
    home: str = "graphveil"

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
    Entry(DEGREES, "veil", "node", "local.degrees.veil:VeilDegrees"),
    Entry(DEGREES, "veil", "edge", "local.degrees.noisy:NoisyDegrees"),
    Entry(DEGREES, "veil-quantiles", "node", "local.degrees.veil:VeilQuantiles"),
    Entry(DEGREES, "preference", "edge", "local.degrees.preference:PreferredDegrees"),
    Entry(DEGREES, "sw-ems", "node", "local.degrees.square_wave:SmoothedWave"),
    Entry(DEGREES, "oue", "node", "local.degrees.frequency:OptimalUnaryDegrees"),
    Entry(DEGREES, "sue", "node", "local.degrees.frequency:SymmetricUnaryDegrees"),
    Entry(DEGREES, "grr", "node", "local.degrees.frequency:KaryDegrees"),
    Entry(DEGREES, "two-stage", "node", "local.degrees.two_stage:TwoStageDegrees"),
    Entry(DEGREES, "node-proj", "node", "papers.gs_ldp.projected_degrees:NodeProjected"),
    Entry(DEGREES, "edge-proj", "node", "papers.gs_ldp.projected_degrees:EdgeProjected"),
    Entry(DEGREES, "rj", "node", "papers.gs_ldp.random_jump:RandomJump"),
    Entry(DEGREES, "gs-ldp", "node", "papers.gs_ldp.degrees:GroupedDegreePage"),
    Entry(TRIANGLES, "veil", "edge", "local.triangles.veil:VeilTriangles"),
    Entry(TRIANGLES, "veil-two-rounds", "edge", "local.triangles.veil:TwoRoundTriangles"),
    Entry(TRIANGLES, "veil-low-download", "edge", "local.triangles.veil:LowDownloadTriangles"),
    Entry(TRIANGLES, "preference", "edge", "local.triangles.preference:PreferredTriangles"),
    Entry(TRIANGLES, "one-end", "edge", "local.triangles.one_end:OneEndTriangles"),
    Entry(TRIANGLES, "vc", "edge", "papers.peers.vc_triangles:VcTriangles"),
    Entry(TRIANGLES, "local2rounds", "edge", "papers.peers.local2rounds:Local2Rounds"),
    Entry(TRIANGLES, "local2rounds", "node", "papers.peers.local2rounds:NodeLocal2Rounds"),
    Entry(TRIANGLES, "arr-full", "edge", "papers.peers.arr_triangles:ArrFull"),
    Entry(TRIANGLES, "arr-one-ns", "edge", "papers.peers.arr_triangles:ArrOneNs"),
    Entry(TRIANGLES, "arr-two-ns", "edge", "papers.peers.arr_triangles:ArrTwoNs"),
    Entry(TRIANGLES, "gs-ldp", "edge", "papers.gs_ldp.triangles:EdgeTotal"),
    Entry(TRIANGLES, "gs-ldp", "node", "papers.gs_ldp.triangles:NodeTotal"),
    Entry(TRIANGLES, "rnl", "edge", "papers.gs_ldp.rnl:RandomisedListsTotal"),
    Entry(SEQUENCE, "veil", "edge", "local.clustering.veil_sequence:VeilSequence"),
    Entry(SEQUENCE, "preference", "edge", "local.clustering.preferred_sequence:PreferredSequence"),
    Entry(SEQUENCE, "plain", "edge", "local.clustering.plain_sequence:PlainSequence"),
    Entry(SEQUENCE, "plain", "node", "local.clustering.plain_sequence:NodePlainSequence"),
    Entry(SEQUENCE, "rnl", "edge", "papers.gs_ldp.rnl:RandomisedLists"),
    Entry(SEQUENCE, "local2rounds", "edge", "papers.peers.local2rounds_sequence:EdgeTwoRounds"),
    Entry(SEQUENCE, "local2rounds", "node", "papers.peers.local2rounds_sequence:NodeTwoRounds"),
    Entry(SEQUENCE, "gs-ldp", "edge", "papers.gs_ldp.triangles:EdgeSequence"),
    Entry(SEQUENCE, "gs-ldp", "node", "papers.gs_ldp.triangles:NodeSequence"),
    Entry(CLUSTERING, "veil", "edge", "local.clustering.veil_clustering:VeilClustering"),
    Entry(CLUSTERING, "preference", "edge", "local.clustering.preferred_clustering:PreferredClustering"),
    Entry(CLUSTERING, "lf-gdpr", "edge", "papers.gs_ldp.lf_gdpr:LfGdpr"),
    Entry(CLUSTERING, "rnl", "edge", "papers.gs_ldp.rnl:RandomisedListsClustering"),
    Entry(CLUSTERING, "local2rounds", "edge", "papers.peers.local2rounds_sequence:EdgeTwoRoundClustering"),
    Entry(CLUSTERING, "local2rounds", "node", "papers.peers.local2rounds_sequence:NodeTwoRoundClustering"),
    Entry(CLUSTERING, "gs-ldp", "edge", "papers.gs_ldp.clustering:EdgeClustering"),
    Entry(CLUSTERING, "gs-ldp", "node", "papers.gs_ldp.clustering:NodeClustering"),
    Entry(TRANSITIVITY, "veil", "edge", "local.clustering.transitivity:VeilTransitivity"),
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
