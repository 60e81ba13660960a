"""Three statistics of GS-LDP at once (Algorithms 5 and 6), as published, as protocols that can be simulated.

Paper      Fu, Ding, Liu, Jiang, Tang, Yu 2024, Algorithms 5 and 6 with the F' and T' that they compute on the way
Unit       edge (Algorithm 6) or node (Algorithm 5); one entry of a list, or the whole list
Trust      local
Guarantee  claimed epsilon for all three, refuted: no epsilon holds (`grouped_degrees`, `pruned_lists`)
Estimator  those of `degrees`, `triangles` and `clustering`
Cost       that of `clustering`: the other two come from the same messages
Differs    our readings: those of `clustering`; the number of triangles, a third of the sum of T', is added

Algorithm 5 calls Algorithm 3, which calls Algorithm 1: the degree distribution F' of round 1 sets the threshold, the
triangle counts T' of round 3 are divided by noisy degrees to give the coefficients CC'. So one run with one epsilon,
divided in four, returns F', T' and CC'. That is the paper's headline. Its listings return CC' alone, its text and its
figure of the whole procedure all three. F' gets the first share only, a tenth of epsilon unless `shares` says more.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, ClassVar

from graphveil.local.joint.names import check_names
from graphveil.local.protocol import Estimate, LocalProtocol, Transcript
from graphveil.papers.gs_ldp.clustering import PublishedCoefficients
from graphveil.papers.gs_ldp.triangles import DEFAULT_SHARES, PublishedCounts
from graphveil.registry_table import TOGETHER


class PublishedTogether(PublishedCoefficients):
    """What both algorithms share: all statistics from the messages of the clustering coefficients."""

    __slots__ = ()

    def __post_init__(self: Any) -> None:
        PublishedCounts.__post_init__(self)
        object.__setattr__(self, "statistics", check_names(self.statistics, TOGETHER.split(",")))

    @property
    def statistic(self: Any) -> str:  # type: ignore[override]
        """All that is asked for, in one text."""
        return ",".join(self.statistics)

    def parameters(self: Any) -> dict[str, Any]:
        """Without the statistics, which are named by themselves."""
        return {name: value for name, value in LocalProtocol.parameters(self).items() if name != "statistics"}

    def estimate(self: Any, transcript: Transcript) -> Estimate:
        """The first of the statistics that are asked for; the others are in its `also`."""
        counts = self.sequence(transcript)
        made = {
            "degree-distribution": Estimate(self.degrees.estimate(transcript.received[0].batch)),
            "triangle-sequence": Estimate(counts, facts=self.facts(transcript)),
            "clustering": PublishedCoefficients.estimate(self, transcript),
            "triangles": Estimate(float(counts.sum()) / 3, facts=self.facts(transcript)),
        }
        first, *others = self.statistics
        return replace(made[first], also={name: made[name] for name in others})


@dataclass(frozen=True, slots=True, kw_only=True)
class EdgeTogether(PublishedTogether, PublishedCounts):  # type: ignore[override]
    """Algorithm 6 of the paper, with all that it computes."""

    unit: ClassVar[str] = "edge"

    shares: tuple[str, ...] = DEFAULT_SHARES[4]
    statistics: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class NodeTogether(PublishedTogether, PublishedCounts):  # type: ignore[override]
    """Algorithm 5 of the paper, with all that it computes; its experiments take Level .5."""

    unit: ClassVar[str] = "node"

    level: Fraction = Fraction(1, 2)
    shares: tuple[str, ...] = DEFAULT_SHARES[4]
    statistics: tuple[str, ...] = ()
