"""The table of synthesizers: what exists under which name; plug-ins come after our own."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from fractions import Fraction
from typing import Any

from graphveil.errors import unknown_name
from graphveil.plugins import Plugin, rows_of
from graphveil.privacy.guarantee import Verdict
from graphveil.privacy.parameter import public_parameter
from graphveil.registry_base import Located, check_options, marked
from graphveil.synthetic.synthesizer import Synthesizer


@dataclass(frozen=True, slots=True)
class Method(Located[Synthesizer]):
    """One row of the table."""

    name: str
    location: str
    home: str = "graphveil"

    @property
    def refuted(self) -> bool:
        """Whether the method is kept for study only."""
        claim = self.page.claim
        return claim is not None and claim.verdict is Verdict.REFUTED

    @property
    def options(self) -> dict[str, str]:
        """Names and types of the public parameters besides epsilon."""
        return {entry.name: str(entry.type) for entry in fields(self.page) if entry.init and entry.name != "epsilon"}

    def build(self, epsilon: Fraction, options: Mapping[str, Any] | None = None) -> Synthesizer:
        """The page with its parameters fixed; unknown or unsuitable ones are refused."""
        given, known = options or {}, self.options
        check_options(self.name, given, known)
        checked = {name: public_parameter(name, value, known[name]) for name, value in given.items()}
        return marked(self, self.page(epsilon=epsilon, **checked))


METHODS: tuple[Method, ...] = (
    Method("veil", "synthetic.veil.veil:Veil"),
    Method("dk2-soft", "synthetic.dk2.soft:SoftDk2"),
    Method("bcpa-private", "papers.bcpa.private:PrivateBcpa"),
    Method("tmf", "papers.peers.tmf:TopMFilter"),
    Method("dp-1k", "papers.peers.dp_1k:DpDegrees"),
    Method("dp-2k", "papers.peers.dp_2k:DpJointDegrees"),
    Method("dgg", "papers.peers.dgg:DegreeBlocks"),
    Method("privgraph", "papers.peers.privgraph:PrivGraph"),
    Method("privskg", "papers.peers.privskg:PrivSkg"),
    Method("dk-pa", "papers.bcpa.dk_pa:DkPa"),
    Method("drc", "papers.bcpa.drc:Drc"),
    Method("bcpa", "papers.bcpa.bcpa:Bcpa"),
)  # fmt: skip


def methods() -> tuple[Method, ...]:
    """Our own and those of plug-ins."""
    return METHODS + rows_of("graphveil.synthetic", Synthesizer, _plugin_row, METHODS, lambda row: row.name)


def _plugin_row(plugin: Plugin) -> Method:
    return Method(plugin.name, plugin.location, home=plugin.package)


def find(name: str) -> Method:
    """The method of that name; says what there is instead."""
    for method in methods():
        if method.name == name:
            return method
    raise unknown_name("method", name, (method.name for method in methods()))
