from __future__ import annotations

import itertools
import json
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphveil.errors import ParameterError
from graphveil.graph.core import Graph
from graphveil.graph.generate.degrees import is_graphical
from graphveil.graph.generate.families import FAMILIES, family
from graphveil.graph.statistics.degrees import exact_assortativity
from graphveil.graph.statistics.triangles import exact_triangles
from graphveil.mechanisms.algorithm import PublicFacts
from graphveil.mechanisms.measurement import draw
from graphveil.mechanisms.noise.source import SeededNoise, SystemNoise
from graphveil.release.draw import run
from graphveil.synthetic.degrees import whole_degrees
from graphveil.synthetic.synthesizer import Fit, missed_targets
from graphveil.synthetic.veil import swaps
from graphveil.synthetic.veil.blocks import plan_blocks
from graphveil.synthetic.veil.draw import wire
from graphveil.synthetic.veil.goals import Goals, goals_from
from graphveil.synthetic.veil.response import edge_chances
from graphveil.synthetic.veil.scores import misses, scores_of
from graphveil.synthetic.veil.sorted_rows import in_both, knows, rename
from graphveil.synthetic.veil.swaps import improve
from graphveil.synthetic.veil.veil import Veil
from graphveil.synthetic.veil.wiring import as_graph


def circles(n_nodes: int = 300, size: int = 10, seed: int = 1) -> Graph:
    """Cliques of `size` people in a row, a hub that knows a third of everybody, and some chance acquaintances."""
    rng = np.random.default_rng(seed)
    cliques = [(u, v) for u in range(n_nodes) for v in range(u + 1, n_nodes) if u // size == v // size]
    hub = [(0, v) for v in range(1, n_nodes, 3)]
    return Graph.from_edges([*cliques, *hub, *rng.integers(0, n_nodes, (n_nodes, 2)).tolist()], n_nodes=n_nodes)


GRAPH = circles()
EXACT = Veil(epsilon=Fraction(5000), way="measured")  # noise of all but no size
FAMILY_SIZES = {name: 50 if name == "tiny" else 300 for name in FAMILIES}


def goals_of(veil: Veil, graph: Graph = GRAPH, seed: int = 1) -> Goals:
    return goals_from(run(veil, graph, SeededNoise(seed)).parameters["measured"])


def test_without_noise_a_graph_has_the_degrees_exactly_and_the_rest_nearly() -> None:
    fit = run(EXACT, GRAPH, SeededNoise(1))
    drawn = EXACT.sample(fit, seed=1)
    assert sorted(drawn.degrees) == sorted(GRAPH.degrees)
    report = EXACT.report(fit, drawn)
    assert report["edges"] == {"target": GRAPH.n_edges, "reached": GRAPH.n_edges}
    assert report["triangles"]["target"] == exact_triangles(GRAPH)
    for name, tolerance in {"triangles": 0.03, "average_clustering": 0.1}.items():
        assert report[name]["reached"] == pytest.approx(report[name]["target"], rel=tolerance), name
    assert report["assortativity"]["reached"] == pytest.approx(report["assortativity"]["target"], abs=0.02)


@pytest.mark.parametrize(("name", "n"), [*FAMILY_SIZES.items(), ("tiny", 2), ("tiny", 3), ("tiny", 12)])
def test_without_noise_every_family_is_reached(name: str, n: int) -> None:
    graph = family(name, n, seed=1)
    fit = run(EXACT, graph, SeededNoise(1))
    drawn = EXACT.sample(fit, seed=1)
    assert sorted(drawn.degrees) == sorted(graph.degrees)
    report = EXACT.report(fit, drawn)
    close = 0.03 if n == 12 else 0.02  # among 12 people one swap moves it by about 0.02
    assert exact_assortativity(drawn) == pytest.approx(exact_assortativity(graph), abs=close)
    near = 0.04 if name == "components" else 0.02  # there the mean miss is 2.2 %, over 40 seeds
    assert exact_triangles(drawn) == pytest.approx(exact_triangles(graph), rel=near, abs=1)
    people = n * report["average_clustering"]["target"]
    assert report["clustering_by_degree_l1"]["reached"] * people < max(0.06 * people, 1)


def test_a_collaboration_network_is_reached_without_noise(real_graph: Callable[[str], Graph]) -> None:
    """Assortativity +.66 and cliques: where people of large degree know each other, none of them may head a group."""
    graph = real_graph("ca-GrQc")
    fit = run(EXACT, graph, SeededNoise(1))
    drawn = EXACT.sample(fit, seed=1)
    assert exact_assortativity(drawn) == pytest.approx(exact_assortativity(graph), abs=0.02)
    assert exact_triangles(drawn) == pytest.approx(exact_triangles(graph), rel=0.02)


def test_one_hub_who_knows_everybody_is_kept() -> None:
    """Nobody else has two friends, so the height at the second level is lost in noise; the first rank is not."""
    star = Graph.from_edges([(0, friend) for friend in range(1, 300)])
    for epsilon in (1, 4):
        for seed in range(4):
            assert goals_of(Veil(epsilon=Fraction(epsilon), way="measured"), star, seed).degrees[0] > 200


@pytest.mark.parametrize("epsilon", [1, 20])
def test_goals_lie_within_what_the_degrees_allow(epsilon: int) -> None:
    """Noise says 0 or thousands of triangles and products where all have one degree."""
    ring = Graph.from_edges([(person, (person + 1) % 60) for person in range(60)])
    for seed in range(4):
        goals = goals_of(Veil(epsilon=Fraction(epsilon), way="measured"), ring, seed)
        wedges = float((goals.degrees * (goals.degrees - 1)).sum()) / 2
        assert goals.triangles <= wedges / 3
        assert -1 <= goals.assortativity <= 1


@pytest.mark.parametrize(("n_people", "edges"), [(30, list(itertools.combinations(range(30), 2))), (20, [(0, 1)])])
def test_nothing_is_said_of_a_degree_correlation_where_all_degrees_are_alike(n_people: int, edges: list) -> None:
    """Of a clique, or a single friendship, noise once said 1 or .3, which no graph of these degrees has."""
    fit = run(EXACT, Graph.from_edges(edges, n_nodes=n_people), SeededNoise(1))
    assert EXACT.report(fit, EXACT.sample(fit, seed=1))["assortativity"] == {"target": 0, "reached": 0}


def test_targets_that_are_missed_are_named() -> None:
    hurried = replace(EXACT, rounds=0)
    fit = run(hurried, GRAPH, SeededNoise(1))
    report = hurried.report(fit, hurried.sample(fit, seed=3))
    missed = missed_targets(report)
    assert any(sentence.startswith("clustering by degree: ") for sentence in missed)
    assert not [sentence for sentence in missed if sentence.startswith(("edges", "largest degree"))]


def test_with_noise_the_measured_degrees_are_still_met_exactly() -> None:
    veil = Veil(epsilon=Fraction(1), rounds=1)
    fit = run(veil, GRAPH, SeededNoise(4))
    drawn = veil.sample(fit, seed=2)
    assert np.array_equal(np.sort(drawn.degrees)[::-1], goals_of(veil, seed=4).degrees)
    assert drawn.n_edges == fit.targets["edges"] != GRAPH.n_edges


def test_one_fit_gives_many_graphs_and_a_seed_gives_the_same_again() -> None:
    veil = Veil(epsilon=Fraction(2), rounds=1)
    fit = run(veil, GRAPH, SystemNoise())
    first, again, other = (veil.sample(fit, seed=seed) for seed in (1, 1, 2))
    assert first == again != other


def test_a_fit_holds_plain_numbers() -> None:
    fit = run(EXACT, GRAPH, SeededNoise(1))
    assert json.loads(json.dumps(dict(fit.targets))) == fit.targets


@pytest.mark.parametrize("epsilon", ["0.1", "1", "3"])
@pytest.mark.parametrize("way", ["measured", "response"])
def test_shares_add_up_to_epsilon(epsilon: str, way: str) -> None:
    veil = Veil(epsilon=Fraction(epsilon))
    assert sum(veil.shares(way).values()) == veil.epsilon == veil.guarantee.epsilon


def test_a_large_epsilon_goes_to_what_a_graph_meets_exactly() -> None:
    """No statistic gets less from more epsilon; edges and degrees have 58 % of it up to 2 and 78 % of 5."""
    small, large, larger = (Veil(epsilon=Fraction(epsilon)).shares("measured") for epsilon in (2, 5, 10))
    assert all(small[part] < large[part] < larger[part] for part in small)
    for shares, share in ((small, 0.58), (large, 0.78)):
        assert float(shares["edges"] + shares["degrees"]) == pytest.approx(
            share * float(sum(shares.values())), rel=0.01
        )


@pytest.mark.parametrize(
    ("n_nodes", "edges"), [(0, []), (1, []), (2, [(0, 1)]), (3, []), (4, [(0, 1), (1, 2), (2, 0)])]
)
@pytest.mark.parametrize("epsilon", ["1/20", "100"])
@pytest.mark.parametrize("way", ["measured", "response"])
def test_tiny_graphs_come_out_as_graphs(n_nodes: int, edges: list[tuple[int, int]], epsilon: str, way: str) -> None:
    veil = Veil(epsilon=Fraction(epsilon), way=way)
    fit = run(veil, Graph.from_edges(edges, n_nodes=n_nodes), SeededNoise(3))
    drawn = veil.sample(fit, seed=1)
    assert drawn.n_nodes == n_nodes
    veil.report(fit, drawn)
    if way == "measured":
        assert drawn.n_edges == fit.targets["edges"]


@pytest.mark.parametrize("options", [{"epsilon": 0}, {"rounds": -1}, {"rounds": 1001}, {"way": "guess"}])
def test_wrong_parameters_are_refused(options: dict[str, Any]) -> None:
    with pytest.raises(ParameterError):
        Veil(**{"epsilon": Fraction(1), **options})


def charged(fit: Fit) -> float:
    return float(sum(fit.targets["epsilons"].values()))


def test_the_way_is_chosen_by_epsilon_and_a_first_look_that_is_paid_for() -> None:
    ways = {}
    for epsilon in (2, 4, 12):
        fit = run(Veil(epsilon=Fraction(epsilon)), GRAPH, SeededNoise(1))
        ways[epsilon] = fit.follows_people
        look = 0.03 * epsilon if epsilon >= 3 else 0
        assert charged(fit) + look == pytest.approx(epsilon)
    assert ways == {2: False, 4: False, 12: True}


def test_the_first_look_at_the_edges_is_not_thrown_away() -> None:
    """At epsilon 4 the look has .12 and the second number .04 of it: together they err less than the second alone."""
    veil = Veil(epsilon=Fraction(4))
    (adaptive,) = veil.measure(GRAPH)
    (outcome,) = draw((adaptive,), SeededNoise(1))
    fits = [veil.conclude(((look, *outcome[1:]),), PublicFacts.of(GRAPH, "edge")) for look in (1000, 2000)]
    assert fits[1].targets["edges"] > fits[0].targets["edges"]


def test_with_a_large_epsilon_people_keep_their_friends() -> None:
    veil = Veil(epsilon=Fraction(9))
    named = Graph.from_edges(GRAPH.edges(), n_nodes=300, labels=np.array([f"p{i}" for i in range(300)]))
    fit = run(veil, named, SeededNoise(2))
    drawn = veil.sample(fit, seed=1)
    true = {tuple(edge) for edge in named.edges().tolist()}
    kept = {tuple(edge) for edge in drawn.edges().tolist()}
    assert drawn.labels is not None
    assert drawn.labels.tolist() == named.labels.tolist()  # type: ignore[union-attr]
    assert drawn.n_edges == fit.targets["edges"]
    assert len(true & kept) > 0.97 * len(true)


def test_denoising_tells_false_pairs_from_edges() -> None:
    false_each = 0.02
    rng = np.random.default_rng(1)
    chance_pairs = np.argwhere(np.triu(rng.random((300, 300)) < false_each, 1))
    noisy = Graph.from_edges(np.concatenate((GRAPH.edges(), chance_pairs)), n_nodes=300)
    chance = edge_chances(noisy, false_each, np.random.default_rng(2))
    is_true = np.array([GRAPH.has_edge(u, v) for u, v in noisy.edges().tolist()])
    in_circle = noisy.edges()[:, 0] // 10 == noisy.edges()[:, 1] // 10
    assert chance[is_true & in_circle].mean() > 0.9
    assert chance[~is_true].mean() < 0.4
    assert chance.sum() == pytest.approx(np.count_nonzero(is_true), rel=0.1)


def test_swaps_keep_degrees_and_the_score_up_to_date_and_never_raise_it() -> None:
    goals = goals_of(EXACT)
    rng = np.random.default_rng(1)
    blocks = plan_blocks(goals.degrees, goals.scale.at(goals.clustering, goals.degrees), rng, alike=False)
    wiring = wire(goals, blocks, np.full(len(goals.scale.knots), 0.5), 0.5, rng)
    scores = scores_of(as_graph(wiring), goals)
    before = misses(scores).sum()
    improve(wiring, scores, blocks, 0.5, 14, rng)
    drawn = as_graph(wiring)
    assert Graph.from_edges(drawn.edges(), n_nodes=300) == drawn  # simple, symmetric, rows sorted
    assert np.array_equal(drawn.degrees, blocks.degrees)
    assert misses(scores).sum() < 0.7 * before
    recounted = scores_of(drawn, goals)
    for kept, fresh in ((s, getattr(recounted, name)) for name, s in scores._asdict().items()):
        assert np.allclose(kept, fresh, atol=1e-6)


def test_the_number_of_threads_does_not_change_the_graph(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(swaps, "PART", 16)  # so that threads share the batches of a small graph
    goals = goals_of(EXACT)
    rows = []
    for threads in (1, 2):
        rng = np.random.default_rng(1)
        blocks = plan_blocks(goals.degrees, goals.scale.at(goals.clustering, goals.degrees), rng, alike=False)
        wiring = wire(goals, blocks, np.full(len(goals.scale.knots), 0.5), 0.5, rng)
        start = wiring.rows.copy()
        improve(wiring, scores_of(as_graph(wiring), goals), blocks, 0.5, 5, rng, threads)
        rows.append(wiring.rows)
    assert np.array_equal(*rows)
    assert not np.array_equal(rows[0], start)


@pytest.mark.parametrize("degrees", [[5, 4, 3, 3, 2, 1, 0, 0], [1, 1, 0, 0, 0], [3] * 4, [1] * 6, [9, *[2] * 40]])
@pytest.mark.parametrize("alike", [False, True])
def test_groups_and_blocks_number_everybody_once(degrees: list[int], alike: bool) -> None:
    rng, people = np.random.default_rng(2), len(degrees)
    blocks = plan_blocks(np.array(degrees), np.full(people, 0.3), rng, alike=alike)
    assert sorted(blocks.degrees.tolist(), reverse=True) == degrees
    assert blocks.starts[0] == blocks.first[0] == 0
    assert blocks.starts[-1] == blocks.first[-1]
    assert not blocks.degrees[blocks.first[-1] :].any()  # the friendless come last
    assert set(blocks.first) <= set(blocks.starts)  # no block lies in two groups
    for group, (first, end) in enumerate(zip(blocks.first, blocks.first[1:], strict=False)):
        assert (blocks.group[first:end] == group).all()


@given(st.sets(st.integers(0, 60)), st.sets(st.integers(0, 60), max_size=3), st.integers(0, 60))
def test_sorted_rows_answer_like_sets_and_stay_sorted(first: set[int], second: set[int], new: int) -> None:
    indptr = np.array([0, len(first), len(first) + len(second)])
    rows = np.array(sorted(first) + sorted(second), dtype=np.int32)
    found = np.empty(62, dtype=np.int32)
    for u, v in ((0, 1), (1, 0)):
        assert set(found[: in_both(indptr, rows, u, v, found)].tolist()) == first & second
    assert knows(indptr, rows, 0, new) == (new in first)
    if first and new not in first:
        old = min(first, key=lambda x: (x * 7) % 61)
        rename(indptr, rows, 0, old, new)
        assert rows[: len(first)].tolist() == sorted(first - {old} | {new})
        assert rows[len(first) :].tolist() == sorted(second)


@given(st.lists(st.floats(0, 40), min_size=1, max_size=30), st.integers(0, 200))
def test_whole_degrees_belong_to_some_graph_with_that_many_edges(degrees: list[float], n_edges: int) -> None:
    whole = whole_degrees(np.array(degrees), n_edges)
    most = len(degrees) * (len(degrees) - 1) // 2
    assert whole.sum() == 2 * min(n_edges, most)
    assert is_graphical(whole)


def test_degrees_that_fit_are_left_alone() -> None:
    degrees = np.sort(GRAPH.degrees)[::-1]
    assert np.array_equal(whole_degrees(degrees.astype(np.float64), GRAPH.n_edges), degrees)
