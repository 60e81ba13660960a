"""Counts of patterns under node privacy: programs, proofs of their optimum and losses, by brute force."""

import math
from fractions import Fraction
from itertools import combinations

import numpy as np
import pytest
from every_small_graph import node_neighbours

from graphveil.central.node.patterns import optimum
from graphveil.central.node.patterns.exact_simplex import solve_simplex
from graphveil.central.node.patterns.optimum import ETA, find_optimum, prove
from graphveil.central.node.patterns.programs import EDGES, TRIANGLES, TWO_STARS, Pattern, Program, count_patterns
from graphveil.central.node.patterns.queries import BoundedEdges, BoundedTriangles, BoundedTwoStars
from graphveil.central.query import PublicFacts
from graphveil.graph.core import Graph
from graphveil.graph.generate.families import family
from graphveil.graph.project import project_bounded_degree
from graphveil.mechanisms.measurement import draw, total_loss
from graphveil.mechanisms.noise.source import SeededNoise

PATTERNS = (EDGES, TWO_STARS, TRIANGLES)
QUERIES = (BoundedEdges, BoundedTwoStars, BoundedTriangles)


def patterns_of(graph: Graph, pattern: Pattern) -> list[tuple[int, ...]]:
    """All patterns, listed one by one."""
    edges = {tuple(sorted(edge)) for edge in graph.edges().tolist()}
    if pattern is EDGES:
        return sorted(edges)
    triples = list(combinations(range(graph.n_nodes), 3))
    joined = [[pair for pair in combinations(triple, 2) if pair in edges] for triple in triples]
    if pattern is TRIANGLES:
        return [triple for triple, pairs in zip(triples, joined, strict=True) if len(pairs) == 3]
    return [triple for triple, pairs in zip(triples, joined, strict=True) for _ in range(math.comb(len(pairs), 2))]


def optimum_without_collapse(graph: Graph, pattern: Pattern, tau: int) -> Fraction:
    """F_tau with a row for every person and a column for every pattern, in fractions."""
    listed = patterns_of(graph, pattern)
    members = np.array([[0] * (3 - len(p)) + [v + 1 for v in p] for p in listed], dtype=np.int32).reshape(-1, 3)
    program = Program(tau, graph.n_nodes, members, np.ones(len(listed), dtype=np.int64), 0)
    return Fraction(sum(solve_simplex(program)[0].tolist())) if listed else Fraction(0)


def random_graphs(count: int, seed: int) -> list[Graph]:
    rng = np.random.default_rng(seed)
    graphs = []
    for _ in range(count):
        n, share = int(rng.integers(3, 8)), rng.random()
        edges = [pair for pair in combinations(range(n), 2) if rng.random() < share]
        graphs.append(Graph.from_edges(np.array(edges, dtype=np.int64).reshape(-1, 2), n_nodes=n))
    return graphs


@pytest.mark.parametrize("pattern", PATTERNS, ids=lambda pattern: pattern.name)
def test_every_solver_proves_the_optimum_of_the_program_that_lists_every_pattern(pattern):
    for graph in random_graphs(12, seed=3):
        loads = pattern.loads(graph)
        assert loads.tolist() == [sum(v in p for p in patterns_of(graph, pattern)) for v in range(graph.n_nodes)]
        for tau in (1, 3, 8):
            program, truth = pattern.program(graph, loads, tau), optimum_without_collapse(graph, pattern, tau)
            assert program.total == len(patterns_of(graph, pattern))
            assert truth <= find_optimum(program) <= truth + ETA * tau
            for solve in optimum.SOLVERS if program.n_heavy else ():
                assert truth <= prove(program, *solve(program)) <= truth + ETA * tau


def heavy_program() -> Program:
    complete = Graph.from_edges(list(combinations(range(7), 2)))
    return TRIANGLES.program(complete, TRIANGLES.loads(complete), 8)


@pytest.mark.parametrize("wrong", [math.nan, math.inf, -math.inf, 1e300, -1.0, 2.0])
def test_numbers_that_prove_nothing_are_refused_or_made_harmless(wrong):
    """F = 7 * 8 / 3; whatever stands in x or z, a proof that is accepted holds."""
    program, truth = heavy_program(), Fraction(56, 3)
    x, z = (np.array(part, dtype=float) for part in solve_simplex(program))
    for place in range(len(x)):
        found = prove(program, np.where(np.arange(len(x)) == place, wrong, x), z)
        assert found is None or truth <= found <= truth + ETA * 8
    for place in range(len(z)):
        found = prove(program, x, np.where(np.arange(len(z)) == place, wrong, z))
        assert found is None or truth <= found <= truth + ETA * 8
    if not math.isfinite(wrong):
        assert prove(program, np.full_like(x, wrong), z) is None
        assert prove(program, x, np.full_like(z, wrong)) is None
    assert prove(program, 0.9 * x, z) is None
    assert prove(program, x, 0.9 * z + 0.2) is None


@pytest.mark.parametrize("failing", [1, 2])
def test_a_solver_that_fails_leads_to_the_next(monkeypatch, failing):
    def fails(_: Program) -> tuple[np.ndarray, np.ndarray]:
        raise np.linalg.LinAlgError("not positive definite")

    monkeypatch.setattr(optimum, "SOLVERS", [fails] * failing + optimum.SOLVERS[failing:])
    assert Fraction(56, 3) <= find_optimum(heavy_program()) <= Fraction(56, 3) + ETA * 8


@pytest.fixture(scope="module")
def pairs() -> list[tuple[Graph, Graph]]:
    """Every 800th pair of a graph of five people and the same without one of them, every eighth pair of four."""
    return list(node_neighbours(4))[::8] + list(node_neighbours(5))[::800]


@pytest.mark.parametrize("pattern", PATTERNS, ids=lambda pattern: pattern.name)
def test_one_person_moves_what_is_kept_by_at_most_the_bound(pattern, pairs):
    moves = []
    for one, other in pairs:
        smaller, larger = sorted((one, other), key=lambda graph: graph.n_nodes)
        for tau in (1, 2, 3, 5):
            before, after = (
                find_optimum(pattern.program(graph, pattern.loads(graph), tau)) for graph in (smaller, larger)
            )
            moves.append((after - before) / tau)
    assert min(moves) >= -ETA
    assert 1 <= max(moves) <= 1 + ETA  # 1 is reached, so the test can see a bound that is too small


@pytest.mark.parametrize("query", QUERIES)
def test_no_less_is_kept_than_by_truncating_degrees(query):
    """What is left of a graph of degrees up to D is one of the choices that the program has."""
    graph, counted = family("hubs", 200, seed=1), query.counted
    for degree in (4, 9, 20):
        tau = counted.load(degree)
        kept = find_optimum(counted.pattern.program(graph, counted.pattern.loads(graph), tau))
        cut = project_bounded_degree(graph, degree)
        assert (
            count_patterns(counted.pattern, counted.pattern.loads(cut))
            <= kept
            <= find_optimum(counted.pattern.program(graph, counted.pattern.loads(graph), 10**6))
        )


def hubs(count: int, triangles: int) -> Graph:
    """People who share no triangle, each of them in so many."""
    edges, following = [], count
    for hub in range(count):
        for _ in range(triangles):
            edges += [(hub, following), (hub, following + 1), (following, following + 1)]
            following += 2
    return Graph.from_edges(np.array(edges, dtype=np.int64), n_nodes=count + 2 * count * triangles)


@pytest.mark.parametrize(
    ("name", "query", "most"),
    [("bipartite", BoundedEdges, 0.25), ("cliques", BoundedTwoStars, 0.6), ("communities", BoundedTriangles, 0.4)],
)
def test_two_hundred_people_get_a_useful_answer(name, query, most):
    """Half of the answers at epsilon 2 are closer than this; a fixed seed, so no false alarms."""
    graph = family(name, 200, seed=1)
    algorithm, pattern = query(epsilon=Fraction(2)), query.counted.pattern
    measurements, truth = algorithm.measure(graph), count_patterns(pattern, pattern.loads(graph))
    errors = [
        abs(algorithm.conclude(draw(measurements, SeededNoise(seed)), PublicFacts(0)).value / truth - 1)
        for seed in range(31)
    ]
    assert np.median(errors) < most


@pytest.mark.parametrize("query", QUERIES)
def test_the_shares_add_up_and_answers_come_with_a_lower_end(query):
    graph = hubs(30, 4)
    for epsilon in (Fraction(1, 4), Fraction(3)):
        algorithm = query(epsilon=epsilon)
        measurements = algorithm.measure(graph)
        assert total_loss(measurements).epsilon == epsilon
        answer = algorithm.conclude(draw(measurements, SeededNoise(1)), PublicFacts(0))
        low, high = answer.accuracy.interval(0.95)
        assert 0 <= low <= answer.value
        assert high == math.inf


@pytest.mark.parametrize("query", QUERIES)
def test_a_public_degree_bound_that_holds_takes_nothing_away(query):
    graph = Graph.from_edges(list(combinations(range(9), 2)))
    algorithm = query(epsilon=Fraction(2000), max_degree=8)
    answer = algorithm.conclude(draw(algorithm.measure(graph), SeededNoise(1)), PublicFacts(0))
    assert answer.value == {"edges": 36, "2-stars": 252, "triangles": 84}[query.query]


@pytest.mark.parametrize("query", [BoundedEdges])
def test_the_lower_end_fails_at_most_as_often_as_stated(query):
    """40 draws of a 95 % end: a correct program fails with probability below 1e-6 beyond 13 misses."""
    graph = hubs(40, 5)
    algorithm = query(epsilon=Fraction(20))
    measurements = algorithm.measure(graph)
    truth = len(patterns_of_hubs(graph, query.query))
    misses = 0
    for seed in range(40):
        answer = algorithm.conclude(draw(measurements, SeededNoise(seed)), PublicFacts(0))
        misses += answer.accuracy.interval(0.95)[0] > truth
    assert misses <= 13


def patterns_of_hubs(graph: Graph, name: str) -> range:
    degrees = graph.degrees.tolist()
    return range({"edges": graph.n_edges, "triangles": 200, "2-stars": sum(math.comb(d, 2) for d in degrees)}[name])


@pytest.mark.parametrize("query", QUERIES)
def test_a_bound_is_a_larger_multiple_of_the_h_index_in_larger_graphs_and_at_larger_epsilons(query):
    """Where noise is small beside the count, it pays to cut nobody; 5 h cost small graphs twice the error."""
    few, many, louder = (
        query(epsilon=epsilon).count.bound.value(h_index) / h_index
        for epsilon, h_index in ((Fraction(1), 20), (Fraction(1), 200), (Fraction(1, 4), 200))
    )
    assert many > 1.1 * few
    assert many > 1.05 * louder
    assert few < 2.5
    assert query(epsilon=Fraction(1)).count.bound.value(1000) <= 5 * 1000


def test_small_graphs_of_like_degrees_lose_little_to_the_bound():
    """Errors of 0.024 and 0.154 of the count over 200 draws; means of 40 lie 4 deviations below what is asserted."""
    graph = family("near-regular", 200, seed=1)
    for query, most in ((BoundedEdges, 0.045), (BoundedTwoStars, 0.26)):
        algorithm, truth = (
            query(epsilon=Fraction(1)),
            count_patterns(query.counted.pattern, query.counted.pattern.loads(graph)),
        )
        measurements = algorithm.measure(graph)
        values = [algorithm.conclude(draw(measurements, SeededNoise(seed)), PublicFacts(0)).value for seed in range(40)]
        assert np.mean(np.abs(np.array(values) - truth)) < most * truth
