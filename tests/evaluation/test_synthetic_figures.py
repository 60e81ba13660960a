"""PGB's benchmark counts wins as it says; BCPA's figures leave out what is too large to draw."""

import math
from dataclasses import dataclass
from types import SimpleNamespace

import pytest

from graphveil.evaluation.experiment import Cell, Point
from graphveil.graph.core import Graph
from graphveil.mechanisms.algorithm import PublicFacts
from graphveil.mechanisms.laplace import NoisyInteger
from graphveil.mechanisms.measurement import Outcomes
from graphveil.papers.bcpa import figures as bcpa
from graphveil.papers.peers import pgb
from graphveil.papers.peers.pgb import EPSILONS, QUERIES, best_of_six, is_known
from graphveil.synthetic.synthesizer import Fit, Synthesizer


def test_the_reference_has_every_query_and_epsilon():
    for graph in ("ego-Facebook", "wiki-Vote"):
        for epsilon in EPSILONS:
            assert set(best_of_six(graph, epsilon)) == set(QUERIES)
    assert best_of_six("ego-Facebook", 1.0)["triangles"] == 0.108
    assert best_of_six("wiki-Vote", 10.0)["modularity"] == 0.0497
    assert not is_known("clustered-1k", 1.0)


def test_wins_ties_and_losses_are_counted_per_query():
    reference = best_of_six("ego-Facebook", 1.0)
    own = {**reference, "triangles": 0.01, "edges": 0.5}  # one better, one worse, the rest the same
    other = {query: error + 1 for query, error in reference.items()}
    rows = {"ours": own, "theirs": other, pgb.REFERENCE: reference}
    points = [Point("ego-Facebook", s, 1.0, q, e, 0.0, 1) for s, errors in rows.items() for q, e in errors.items()]
    counted = {(p.series, p.metric): p.mean for p in pgb.count_wins(points)}
    assert (counted["ours", "won"], counted["ours", "tied"], counted["ours", "lost"]) == (1, 13, 1)
    assert counted["ours", "best here"] == 15
    assert counted["theirs", "won or tied"] == 0
    columns, lines = pgb.table(points)
    assert ("ego-Facebook", "1", "ours", "1", "15", "1 / 13 / 1") in lines
    assert len(columns) == 6


def test_people_come_in_random_order_before_anything_is_synthesised():
    values = pgb.measure(Cell("clustered-1k", "tmf", 500.0, 0))
    assert values["community_ami"] < 0.3  # at such an epsilon the graph itself comes back, person by person
    assert values["nodes"] == 0
    assert set(QUERIES) <= set(values)
    assert pgb.measure(Cell("ego-Facebook", pgb.REFERENCE, 1.0, 0))["triangles"] == 0.108


def test_a_generator_that_keeps_the_order_of_the_file_learns_no_communities(monkeypatch: pytest.MonkeyPatch):
    """A sample and the original must not be put in random order by the same permutation."""
    circles = Graph.from_edges([(u, v) for u in range(200) for v in range(u) if u // 20 == v // 20], n_nodes=200)
    monkeypatch.setattr(pgb, "experiment_graph", lambda _name: circles)

    @dataclass(frozen=True, slots=True, kw_only=True)
    class Constant(Synthesizer):
        def measure(self, graph: Graph) -> tuple[NoisyInteger]:
            return (NoisyInteger(what="nothing", exact=0, sensitivity=1, epsilon=self.epsilon),)

        def conclude(self, outcomes: Outcomes, facts: PublicFacts) -> Fit:
            return Fit(facts.n_nodes, {})

        def generate(self, fit: Fit, *, seed: int) -> Graph:
            return circles

    monkeypatch.setattr(
        pgb, "find_synthesizer", lambda _name: SimpleNamespace(build=lambda epsilon: Constant(epsilon=epsilon))
    )
    errors = pgb.measure(Cell("circles", "constant", 1.0, 7))
    assert errors["modularity"] == 0
    assert errors["community_ami"] > 0.8


def test_graphs_too_large_to_draw_leave_a_gap_and_say_how_large(monkeypatch: pytest.MonkeyPatch):
    cell = Cell("clustered-1k", "drc", 5.0, 3)
    bcpa.drawn.cache_clear()
    monkeypatch.setattr(bcpa, "DRAWABLE", 10)
    gap = bcpa.FIGURE_3.measure(cell)
    assert math.isnan(gap["average clustering"])
    assert gap["edges"] > 2
    bcpa.drawn.cache_clear()
    monkeypatch.setattr(bcpa, "DRAWABLE", 4_000_000)
    assert 0 < bcpa.FIGURE_3.measure(cell)["average clustering"] < 1
    original = bcpa.FIGURE_2.measure(Cell("clustered-1k", "original", 5.0, 3))
    assert original == {"distortion": 0.0, "edges": 1.0}
    shares = bcpa.FIGURE_5.measure(Cell("clustered-1k", "dk2-soft", 1.0, 0))
    assert shares["epsilon=10"] > 0.95


def test_the_error_of_sampled_betweenness_is_told_with_every_point(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("graphveil.papers.bcpa.betweenness_order.STEPS", 100)
    bcpa._ordered.cache_clear()
    values = bcpa.FIGURE_3.measure(Cell("clustered-1k", "bcpa", 100.0, 0))
    bcpa._ordered.cache_clear()
    assert values["betweenness_sources"] == 256
    assert 0 < values["betweenness_error"] < 1
    assert "betweenness_error" not in bcpa.FIGURE_3.measure(Cell("clustered-1k", "drc", 100.0, 0))
