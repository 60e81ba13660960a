"""Every release carries an interval and every plan a forecast, whatever kind of answer it is."""

from __future__ import annotations

import json
import math
from fractions import Fraction

import numpy as np
import pytest

from graphveil.central.attributes.toy import toy_column
from graphveil.central.query import PublicFacts
from graphveil.graph.core import Graph
from graphveil.graph.generate.random import power_law_cluster
from graphveil.learn.toy import toy_people
from graphveil.mechanisms.noise.source import SeededNoise
from graphveil.registry import QUERIES, Row
from graphveil.release.draw import run
from graphveil.release.plan import forecast
from graphveil.release.records import dump_releases, load_releases
from graphveil.release.session import Session

PEOPLE = 200
NETWORK = power_law_cluster(PEOPLE, 4, 0.5, seed=3)
OPTIONS = {"partitions": ((0,) * PEOPLE, tuple(range(PEOPLE))), "people": toy_people(PEOPLE), "lower": 0, "upper": 5}
COLUMNS = {unit: toy_column(PEOPLE, public=unit == "edge") for unit in ("edge", "node")}
NAMES = [algorithm.name for algorithm in QUERIES]


def needed(algorithm: Row) -> dict[str, object]:
    options = OPTIONS | {"column": COLUMNS[algorithm.unit]}
    return {name: options[name] for name in algorithm.needs}


def flat(end: object) -> list[float]:
    return [value for entry in end for value in flat(entry)] if isinstance(end, tuple) else [float(end)]  # type: ignore[arg-type]


@pytest.mark.parametrize("algorithm", QUERIES, ids=NAMES)
@pytest.mark.parametrize("graph", [NETWORK, Graph.from_edges([], n_nodes=PEOPLE)], ids=["network", "no edges"])
def test_an_answer_has_an_interval_at_every_level_that_is_promised(algorithm: Row, graph: Graph) -> None:
    options = needed(algorithm)
    accuracy = run(algorithm.build(Fraction(1), options), graph, SeededNoise(1)).accuracy
    ends = [accuracy.interval(level) for level in (0.5, 0.95, 0.999)]
    for low, high in ends:
        assert np.all(np.array(flat(low)) <= np.array(flat(high)))
        assert any(np.all(np.isfinite(flat(end))) for end in (low, high))
    lows, highs = (np.array([flat(pair[side]) for pair in ends]) for side in (0, 1))
    assert np.all(lows[1:] <= lows[:-1])  # more confidence, more room
    assert np.all(highs[1:] >= highs[:-1])
    assert accuracy.to_json()["interval95"] is not None


@pytest.mark.parametrize("algorithm", QUERIES, ids=NAMES)
def test_a_plan_forecasts_what_a_release_will_have(algorithm: Row) -> None:
    plan = forecast(
        algorithm.query,
        unit=algorithm.unit,
        epsilon=1,
        facts=PublicFacts(n_nodes=PEOPLE),
        method=algorithm.name,
        options=needed(algorithm),
    )
    assert 0 <= plan.error(0.95) < math.inf


def test_names_and_published_edges_say_what_their_interval_is_about() -> None:
    session = Session(NETWORK, unit="edge", budget=10)
    named, listed, published = (
        session.most_connected(epsilon=1),
        session.top_people(epsilon=1, k=3),
        session.adjacency(epsilon=4),
    )
    for release, about in ((named, "fewer than"), (listed, "fewer than"), (published, "invented ones among")):
        low, high = release.to_json()["accuracy"]["interval95"]
        assert 0 <= low <= high
        words = f"{low:,g} to {high:,g} {release.accuracy.scope}"
        assert about in words
        assert words in str(release)
        assert f"with 95 % confidence {words}" in release.explain()
        assert json.dumps(release.to_json())
    kept = [named, listed, published]
    assert load_releases(dump_releases(kept)) == kept
