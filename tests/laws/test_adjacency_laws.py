"""The top-m filter in linear time against the noisy matrix written out: the same law, and its exact loss."""

import math
from fractions import Fraction

import numpy as np
import pytest
from full_matrix import draw_masks, exact_law, mask_of
from goodness_of_fit import Law, fits, same_law

from graphveil.central.choices.noisy_adjacency import NoisyAdjacency
from graphveil.central.choices.top_m_filter import TopMFilter
from graphveil.graph.core import Graph
from graphveil.graph.pairs import pairs_by_number
from graphveil.mechanisms.measurement import draw, draw_rows
from graphveil.mechanisms.noise.bernoulli import flip_odds
from graphveil.mechanisms.noise.source import SeededNoise

DRAWS = 2000
FILTER = TopMFilter(epsilon=Fraction(4), count_share=Fraction(1, 2))  # both noises are seen
WRONG = TopMFilter(epsilon=Fraction(52, 10), count_share=Fraction(1, 2))
PATH = Graph.from_edges([(0, 1), (1, 2)], n_nodes=3)


@pytest.mark.parametrize("epsilon", [Fraction(3, 2), Fraction(4)])
def test_the_exact_loss_on_three_people_is_epsilon_and_no_more(epsilon):
    query = TopMFilter(epsilon=epsilon)
    laws = np.log([exact_law(query, mask) for mask in range(8)])
    loss = max(np.abs(laws[mask] - laws[mask ^ bit]).max() for mask in range(8) for bit in (1, 2, 4))
    assert loss <= float(epsilon) * (1 + 1e-9)
    assert loss > 0.6 * float(epsilon)  # half the noise would be seen


@pytest.mark.parametrize("epsilon", [Fraction(3, 2), Fraction(4)])
def test_randomised_response_has_the_law_of_the_whole_matrix(epsilon):
    """What the query draws, by its docstring: the bits of every pair, then an even choice within or around them."""
    query = TopMFilter(epsilon=epsilon)
    flip = 1 / (1 + math.exp(query.matrix_rate))
    for mask in range(8):
        law = np.zeros(8)
        full = exact_law(query, mask)
        sizes = [full[[s for s in range(8) if s.bit_count() == size]].sum() for size in range(4)]
        for bits in range(8):
            flipped = (bits ^ mask).bit_count()
            chance = flip**flipped * (1 - flip) ** (3 - flipped)
            for size, weight in enumerate(sizes):
                near = [s for s in range(8) if s.bit_count() == size and (s & bits == s or s & bits == bits)]
                law[near] += chance * weight / len(near)
        assert np.allclose(law, full, rtol=1e-9, atol=0)


@pytest.mark.parametrize(
    "graph",
    [Graph.from_edges([], n_nodes=3), PATH, Graph.from_edges([(0, 1), (1, 2), (0, 2)])],
    ids=["empty", "path", "complete"],
)
def test_the_draws_on_three_people_follow_the_exact_law(graph):
    noise = SeededNoise(60)
    sample = [mask_of(publish(FILTER, graph, noise)) for _ in range(DRAWS)]
    assert fits(sample, Law.of(exact_law(FILTER, mask_of(graph))))
    assert not fits(sample, Law.of(exact_law(WRONG, mask_of(graph))))


def publish(query, graph, noise):
    """The published graph of one run."""
    (outcome,) = draw(query.measure(graph), noise)
    return outcome[0] if isinstance(outcome[0], Graph) else outcome[1][0]


def masks_of_many(query, graph, noise, runs):
    """The published graphs of many runs at once, as masks."""
    n = graph.n_nodes
    bits = draw_rows(query.measure(graph), noise, runs)[:, -math.comb(n, 2) :]
    places = [mask_of(Graph.from_edges([pair], n_nodes=n)) for pair in pairs_by_number(np.arange(math.comb(n, 2)), n)]
    return bits @ np.array(places)


@pytest.mark.parametrize("edges", [[], [(0, 1), (1, 2)], [(0, 2)], [(0, 1), (1, 2), (0, 2)]], ids=str)
def test_many_graphs_drawn_at_once_follow_the_exact_law(edges):
    graph = Graph.from_edges(edges, n_nodes=3)
    sample = masks_of_many(FILTER, graph, SeededNoise(62), 20_000)
    assert fits(sample, Law.of(exact_law(FILTER, mask_of(graph))))
    assert not fits(sample, Law.of(exact_law(WRONG, mask_of(graph))))


@pytest.mark.parametrize("projection", ["threshold", "most-likely"])
def test_many_noisy_adjacencies_at_once_are_like_single_ones(projection):
    graph = Graph.from_edges([(0, 1), (1, 2), (2, 3), (0, 2)], n_nodes=4)
    query = NoisyAdjacency(epsilon=Fraction(2), projection=projection)
    wrong = NoisyAdjacency(epsilon=Fraction(26, 10), projection=projection)
    noise = SeededNoise(63)
    sample = [mask_of(publish(query, graph, noise)) for _ in range(DRAWS)]
    assert same_law(sample, masks_of_many(query, graph, noise, DRAWS))
    assert not same_law(sample, masks_of_many(wrong, graph, noise, DRAWS))


@pytest.mark.parametrize("rate", [Fraction(1, 3), Fraction(2)])
def test_coins_of_given_odds(rate):
    heads = flip_odds(SeededNoise(64), rate, 40_000)
    chance = 1 / (1 + math.exp(rate))
    assert fits(heads, Law.of([1 - chance, chance]))
    assert not fits(heads, Law.of([1 - 1.1 * chance, 1.1 * chance]))


@pytest.mark.parametrize("edges", [[(0, 1), (2, 3)], [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3)]], ids=["sparse", "dense"])
def test_the_draws_on_four_people_follow_those_from_the_whole_matrix(edges):
    graph = Graph.from_edges(edges, n_nodes=4)
    noise = SeededNoise(61)
    sample = [mask_of(publish(FILTER, graph, noise)) for _ in range(DRAWS)]
    assert same_law(sample, draw_masks(FILTER, mask_of(graph), 6, DRAWS, noise))
    assert not same_law(sample, draw_masks(WRONG, mask_of(graph), 6, DRAWS, noise))


def test_the_mask_of_a_graph_lists_its_pairs():
    assert mask_of(Graph.from_edges([(0, 1), (1, 2)], n_nodes=3)) == 0b101
