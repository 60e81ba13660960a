"""Mistakes that are easily made in such protocols, each with what it would cost; ours do not make them."""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import combinations

import numpy as np
import pytest

from graphveil.graph.generate.random import erdos_renyi
from graphveil.local.clustering.plain import NodePlainSequence
from graphveil.local.degrees.veil import VeilDegrees
from graphveil.local.lists import Lists
from graphveil.local.pairs.noisy_graph import PairBits
from graphveil.local.pairs.pair_owners import PairOwners
from graphveil.local.pairs.replies import LazyReplies, reply
from graphveil.local.pairs.response import PARTS, PairResponse
from graphveil.local.protocol import RoundContext
from graphveil.local.simulate import secret
from graphveil.local.triangles.counts import capped_pairs, clique_caps
from graphveil.local.triangles.reports import Publication
from graphveil.local.triangles.veil import VeilTriangles
from graphveil.mechanisms.subset import SubsetSelection
from graphveil.registry import build_protocol


def largest_change(*, cut: bool, bound: int = 3, cap: int = 2, people: int = 6) -> float:
    """By how much one entry moves 2^16 F over the width it gets noise for: all graphs and lists of a few people."""
    response, rng, worst = PairResponse(Fraction(1)), np.random.default_rng(1), 0.0
    width = max((PARTS - response.flip_parts) * cap, response.flip_parts * (bound - 1))
    others = range(people - 1)
    chosen = [list(friends) for size in range(people) for friends in combinations(others, size)]
    for _ in range(60):
        graph = PairBits(people, np.packbits(rng.random((people, 8)) < rng.random(), axis=1, bitorder="little"))
        values = {}
        for friends in chosen:
            counted = friends[:bound] if cut else friends
            lists = Lists.of_person(people, people - 1, np.array(counted, dtype=np.int64))
            edges = int(graph.count(lists, np.array([cap]))[0])
            pairs = int(capped_pairs(np.array([len(counted)]), np.array([bound]))[0])
            values[tuple(friends)] = PARTS * edges - response.flip_parts * pairs
        for friends, value in values.items():
            for extra in set(others) - set(friends):
                worst = max(worst, abs(values[tuple(sorted((*friends, extra)))] - value) / width)
    return worst


def test_a_list_that_is_cut_needs_more_noise_than_one_that_is_not() -> None:
    """One more entry pushes another one out, and both change the count."""
    assert largest_change(cut=False) <= 1 < largest_change(cut=True)


def test_caps_are_whole_numbers_from_one_to_one_less_than_the_bound() -> None:
    bounds = np.arange(2, 500)
    for chance in (0.01, 0.5, 0.73, 0.999):
        caps = clique_caps(bounds, chance)
        assert caps.dtype == np.int64
        assert ((caps >= 1) & (caps <= bounds - 1)).all()


def test_counts_lie_on_one_public_grid_whatever_the_list() -> None:
    """The flip probability of answers is that of the correction, a fraction of 2^16: no rounding gives a list away."""
    protocol = VeilTriangles(epsilon="1/3", n_people=6)
    classes, publication = (
        np.arange(6, dtype=np.uint8),
        Publication(PairBits(6, np.full((6, 1), 255, np.uint8)), np.uint64(0)),
    )
    context = RoundContext(3, (classes, publication))
    response = protocol.response(context)
    assert response.flip_probability == Fraction(response.flip_parts, PARTS)
    for friends in combinations(range(1, 6), 3):
        value = protocol.corrected_counts(context, Lists.of_person(6, 0, np.array(friends)), np.array([5]))
        assert value.dtype == np.int64
        assert value[0] == PARTS * 3 - response.flip_parts * 3


def test_clients_flip_coins_of_their_own_and_never_a_public_hash() -> None:
    """Answers on demand, which follow from a key, are for whole crowds in simulations."""
    network, response = erdos_renyi(40, m=200, seed=1), PairResponse(Fraction(1))
    owners, everybody = PairOwners(40, Fraction(1)), Lists.of_graph(network)
    assert isinstance(reply(everybody, owners, response, secret(1, everybody.people)), LazyReplies)
    one = Lists.of_person(40, 3, network.neighbors(3))
    first, again = (reply(one, owners, response, secret(1, one.people)) for _ in range(2))
    assert not isinstance(first, LazyReplies)
    assert not np.array_equal(first.bits, again.bits)  # 20 answers, each wrong with probability 1/4


@pytest.mark.parametrize("epsilon", ["1/2", "1", "3"])
def test_no_guess_from_ones_own_messages_beats_the_floor_and_one_answer_reaches_it(epsilon: str) -> None:
    """Of two lists whose counts differ by C, the mean error of the better guess is at least C / (1 + e^epsilon)."""
    flip = float(PairResponse(Fraction(epsilon)).flip_probability)
    floor = 1 / (1 + math.exp(Fraction(epsilon)))
    assert floor <= flip <= floor + 1 / PARTS
    protocol = NodePlainSequence(epsilon=epsilon, n_people=400)
    assert (
        math.sqrt(protocol.variance()) > 100 * protocol.threshold**2 / 2 * floor
    )  # the measured protocol is far above it


def test_degrees_above_the_bound_are_reported_as_the_bound_and_sets_are_never_empty() -> None:
    lists, protocol = (
        Lists.of_degrees(np.array([5, 40, 99, 99])),
        build_protocol(
            "degree-distribution", "veil", unit="node", epsilon=3, n_people=100, parameters={"max_degree": 40}
        ),
    )
    assert isinstance(protocol, VeilDegrees)
    assert protocol.clamped_degrees(lists).tolist() == [5, 40, 40, 40]
    assert (
        len(protocol.perturb(RoundContext(), Lists.of_degrees(np.full(100, 99)), secret(1, np.arange(100))).in_sets)
        == 100
    )
    for epsilon in ("1/10", "1", "8", "40"):
        assert SubsetSelection(epsilon=Fraction(epsilon), n_values=12).size >= 1


def test_a_promise_for_a_list_says_what_it_leaves_out() -> None:
    protocol = build_protocol("degree-distribution", "veil", unit="node", epsilon=1, n_people=50)
    assert protocol.guarantee.relationship_epsilon == 2
    assert any("(1 + d) epsilon" in words for words in protocol.guarantee.assumes)
