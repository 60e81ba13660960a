"""The top-m filter in linear time against the noisy matrix written out: the same law, and its exact loss."""

import math
from fractions import Fraction

import numpy as np
import pytest
from full_matrix import draw_masks, exact_law, mask_of
from goodness_of_fit import Law, fits, same_law

from graphveil.central.top_m_filter import TopMFilter
from graphveil.graph.core import Graph
from graphveil.mechanisms.source import SeededNoise

DRAWS = 2000
PAGE = TopMFilter(epsilon=Fraction(4), count_share=Fraction(1, 2))  # both noises are seen
WRONG = TopMFilter(epsilon=Fraction(52, 10), count_share=Fraction(1, 2))
PATH = Graph.from_edges([(0, 1), (1, 2)], n_nodes=3)


@pytest.mark.parametrize("epsilon", [Fraction(3, 2), Fraction(4)])
def test_the_exact_loss_on_three_people_is_epsilon_and_no_more(epsilon):
    page = TopMFilter(epsilon=epsilon)
    laws = np.log([exact_law(page, mask) for mask in range(8)])
    loss = max(np.abs(laws[mask] - laws[mask ^ bit]).max() for mask in range(8) for bit in (1, 2, 4))
    assert loss <= float(epsilon) * (1 + 1e-9)
    assert loss > 0.6 * float(epsilon)  # half the noise would be seen


@pytest.mark.parametrize("epsilon", [Fraction(3, 2), Fraction(4)])
def test_randomised_response_has_the_law_of_the_whole_matrix(epsilon):
    """What the page draws, by its docstring: the bits of every pair, then an even choice within or around them."""
    page = TopMFilter(epsilon=epsilon)
    flip = 1 / (1 + math.exp(page.matrix_rate))
    for mask in range(8):
        law = np.zeros(8)
        full = exact_law(page, mask)
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
    sample = [mask_of(PAGE.publish(graph, noise)) for _ in range(DRAWS)]
    assert fits(sample, Law.of(exact_law(PAGE, mask_of(graph))))
    assert not fits(sample, Law.of(exact_law(WRONG, mask_of(graph))))


@pytest.mark.parametrize("edges", [[(0, 1), (2, 3)], [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3)]], ids=["sparse", "dense"])
def test_the_draws_on_four_people_follow_those_from_the_whole_matrix(edges):
    graph = Graph.from_edges(edges, n_nodes=4)
    noise = SeededNoise(61)
    sample = [mask_of(PAGE.publish(graph, noise)) for _ in range(DRAWS)]
    assert same_law(sample, draw_masks(PAGE, mask_of(graph), 6, DRAWS, noise))
    assert not same_law(sample, draw_masks(WRONG, mask_of(graph), 6, DRAWS, noise))


def test_the_mask_of_a_graph_lists_its_pairs():
    assert mask_of(Graph.from_edges([(0, 1), (1, 2)], n_nodes=3)) == 0b101
