"""What Huang et al. 2019 state about their figures 2 to 5, in our words, each with the way it is tried."""

from __future__ import annotations

from graphveil.evaluation.checks import higher, nearer, rises, within
from graphveil.evaluation.experiment import PUBLISHED_AS_GRAPHS
from graphveil.evaluation.readings import Reading
from graphveil.evaluation.statements import Claim, Finding, View, makes_checks

READINGS = (Reading("betweenness", "bcpa", ("equation-2",)),)
THREE = ("dk-pa", "drc", "bcpa")
CLOSE = 0.05  # what we take for "hardly any difference" between shares
ORIGINAL = "original"


@makes_checks
def _alike(view: View, metric: str, x: float) -> Finding | None:
    """The three schemes differ by at most `CLOSE` at this x."""
    values = [value for name in THREE if (value := view.value(name, x, metric)) is not None]
    if len(values) < len(THREE):
        return None
    return Finding(max(values) - min(values) <= CLOSE, f"between {min(values):.3g} and {max(values):.3g}")


def _about_six(view: View) -> Finding | None:
    lengths = [value for x in view.xs(ORIGINAL, "average path") if (value := view.value(ORIGINAL, x, "average path"))]
    return Finding(5 <= lengths[0] <= 7, f"{lengths[0]:.3g}") if lengths else None


def _distance(view: View, series: str, metric: str) -> float | None:
    """The largest difference between the shares of people with at least x friends, in a graph and the original."""
    gaps = []
    for x in view.xs(ORIGINAL, metric):
        own, goal = view.value(series, x, metric), view.value(ORIGINAL, x, metric)
        if own is not None and goal is not None:
            gaps.append(abs(own - goal))
    return max(gaps) if gaps else None


@makes_checks
def _distances(view: View, metric: str, *, holds: str) -> Finding | None:
    """Distances of the three schemes' degrees from the original's, at the epsilon that a metric names."""
    found = {name: gap for name in THREE if (gap := _distance(view, name, metric)) is not None}
    if len(found) < len(THREE):
        return None
    rules = {
        "near": max(found["drc"], found["bcpa"]) <= 2 * CLOSE,
        "far": min(found.values()) > 2 * CLOSE,
        "grouped first": max(found["drc"], found["bcpa"]) < found["dk-pa"],
        "drc first": found["drc"] < found["bcpa"],
    }
    return Finding(rules[holds], ", ".join(f"{name} {gap:.3g}" for name, gap in found.items()))


def _claims_of_distances(metric: str, words: str) -> tuple[Claim, ...]:
    return (
        Claim(f"Section 4.2.3, figure 5: at {words} DRC and BCPA are nearer to the original's degrees than dK-PA",
              _distances(metric, holds="grouped first"), PUBLISHED_AS_GRAPHS),
        Claim(f"Section 4.2.3, figure 5: at {words} DRC is slightly nearer than BCPA",
              _distances(metric, holds="drc first"), PUBLISHED_AS_GRAPHS),
    )  # fmt: skip


FIGURE_2 = (
    *(Claim(f"Section 4.1, figure 2: {scheme.upper()} changes more neighbours' degrees than dK-PA (\"privacy\")",
            higher(scheme, ("dk-pa",), ("distortion",)), PUBLISHED_AS_GRAPHS) for scheme in ("bcpa", "drc")),
    Claim("Section 4.1: up to epsilon 40 BCPA's score is above DRC's",
          higher("bcpa", ("drc",), ("distortion",), (5.0, 10.0, 20.0, 40.0)), PUBLISHED_AS_GRAPHS),
    Claim("Section 4.1: from epsilon 50 on DRC's score is above BCPA's",
          higher("drc", ("bcpa",), ("distortion",), (60.0, 80.0, 100.0)), PUBLISHED_AS_GRAPHS),
    Claim("Section 4.1: above epsilon 90 the three scores hardly differ (we take: by .05 at most)",
          _alike("distortion", 100.0), PUBLISHED_AS_GRAPHS),
    Claim("Figure 2: the scores fall as epsilon rises",
          rises(THREE, "distortion", falls=True), PUBLISHED_AS_GRAPHS),
)  # fmt: skip
CLUSTERING, PATH = "average clustering", "average path"
FIGURE_3 = (
    Claim("Section 4.2.1, figure 3: at the same epsilon BCPA's average clustering is nearest to the original's",
          nearer("bcpa", ("dk-pa", "drc"), ORIGINAL, CLUSTERING), PUBLISHED_AS_GRAPHS),
    Claim("Section 4.2.1: the smaller epsilon is, the larger is the average clustering of the synthetic graphs",
          rises(THREE, CLUSTERING, falls=True), PUBLISHED_AS_GRAPHS),
    Claim("Section 4.2.1: even at epsilon 5 BCPA's average clustering is within 20 % of the original's",
          within("bcpa", ORIGINAL, CLUSTERING, 0.2, (5.0,)), PUBLISHED_AS_GRAPHS),
)  # fmt: skip
FIGURE_4 = (
    Claim("Section 4.2.2: the average path of the two graphs is about 6 (we take: 5 to 7)", _about_six,
          PUBLISHED_AS_GRAPHS),
    Claim("Section 4.2.2, figure 4: the smaller epsilon is, the shorter is the average path",
          rises(THREE, PATH), PUBLISHED_AS_GRAPHS),
    Claim("Section 4.2.2, figure 4: BCPA's average path is nearest to the original's",
          nearer("bcpa", ("dk-pa", "drc"), ORIGINAL, PATH), PUBLISHED_AS_GRAPHS),
)  # fmt: skip
FIGURE_5 = (
    Claim("Section 4.2.3, figure 5(c)(f): at epsilon 100 degrees of BCPA and DRC are near the original's (within .1)",
          _distances("epsilon=100", holds="near"), PUBLISHED_AS_GRAPHS),
    Claim("Section 4.2.3, figure 5: at epsilon 5 all three are far from the original (we take: above .1)",
          _distances("epsilon=5", holds="far"), PUBLISHED_AS_GRAPHS),
    Claim("Section 4.2.3, figure 5: at epsilon 10 all three are far from the original (we take: above .1)",
          _distances("epsilon=10", holds="far"), PUBLISHED_AS_GRAPHS),
    *_claims_of_distances("epsilon=10", "epsilon 10"),
    *_claims_of_distances("epsilon=100", "epsilon 100"),
)  # fmt: skip
CLAIMS = {2: FIGURE_2, 3: FIGURE_3, 4: FIGURE_4, 5: FIGURE_5}
