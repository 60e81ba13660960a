"""What Coq checked about clustering, degree products, pairs of degrees and communities is what the code computes."""

import json
from fractions import Fraction

import numpy as np
import pytest
from check_proofs import POINTS, RECORD

from graphveil.central.edge import average_clustering
from graphveil.graph.core import Graph
from graphveil.papers.peers import privgraph
from graphveil.papers.peers.dp_2k import DpJointDegrees
from graphveil.statistics.degrees import degree_classes
from graphveil.statistics.joint_degrees.tuple_noise import all_pairs
from graphveil.statistics.ladder.functions import product_ladder
from graphveil.statistics.ladder.ladder import Ladder

CONSTANTS = json.loads(RECORD.read_text(encoding="utf-8"))["constants"]
STEPS = range(1, POINTS + 1)
TWO_CLIQUES = Graph.from_edges([(i, j) for i in range(8) for j in range(i) if i // 4 == j // 4 or i == j + 4])


def step(ladder: Ladder, t: int) -> int:
    return int(ladder.first(t + 1)[t])


@pytest.mark.parametrize("t", STEPS)
def test_the_ladder_of_degree_products_is_that_of_the_theorem(t: int):
    """For seven people, two largest degrees of 0 to 3, and sums of 0, 5 and 10."""
    for d, table in enumerate(CONSTANTS["product_ladder_constant"][t - 1]):
        for e, row in enumerate(table):
            assert row == [step(product_ladder((d, e), (5 * s, 0), 7), t) for s in range(3)]


@pytest.mark.parametrize("half", STEPS)
def test_what_an_edge_changes_in_clusterings_is_that_of_the_theorem(monkeypatch: pytest.MonkeyPatch, half: int):
    monkeypatch.setattr(average_clustering, "Q", 2 * half)
    weights = average_clustering.change_weights(5)
    assert np.stack(weights, axis=1).tolist() == CONSTANTS["clustering_weights_constant"][half - 1]
    bound = average_clustering.AverageClustering(epsilon=Fraction(1)).measure(TWO_CLIQUES)[1]
    assert bound.sensitivity == CONSTANTS["clustering_change_constant"][half - 1]


@pytest.mark.parametrize("t", STEPS)
def test_the_ladder_of_clusterings_is_that_of_the_theorem(monkeypatch: pytest.MonkeyPatch, t: int):
    """In 8 parts, from 16 up, among three to six people."""
    monkeypatch.setattr(average_clustering, "Q", 8)
    ladders = [average_clustering.clustering_ladder(16, people) for people in range(3, 7)]
    assert [step(ladder, t) for ladder in ladders] == CONSTANTS["clustering_ladder_constant"][t - 1]


def test_two_people_need_no_noise_for_their_clustering():
    assert average_clustering.clustering_ladder(16, 2).first(3).tolist() == [0, 0, 0]


def test_sums_of_classes_have_noise_for_what_an_edge_and_two_ends_change(monkeypatch: pytest.MonkeyPatch):
    """With clusterings in 64 parts, among eight people, whose ends have one to six friends."""
    monkeypatch.setattr(degree_classes, "Q", 64)
    classes = degree_classes.DegreeClasses(8)
    noise, kept = classes.noise_weights[1:], range(classes.count - 1)
    caps = np.array([CONSTANTS["class_cap_constant"][k] for k in kept])
    ends = np.array([CONSTANTS["class_end_constant"][k] for k in kept])
    assert classes.caps[1 : classes.count].tolist() == caps.tolist()
    assert classes.clustering_sensitivity() == noise @ caps + CONSTANTS["class_ends_constant"] * (noise @ ends).max()


def test_noise_on_pairs_of_degrees_has_the_divisors_of_the_theorem():
    (counts,) = DpJointDegrees(epsilon=Fraction(1), max_degree=POINTS).measure(TWO_CLIQUES)
    largest = all_pairs(min(POINTS, TWO_CLIQUES.n_nodes - 1))[:, 1]
    assert counts.weights.tolist() == [Fraction(1, CONSTANTS["noise_divisor_constant"][y - 1]) for y in largest]


def test_an_edge_pays_for_the_choices_of_as_many_people_as_the_theorem_says():
    people = np.array([0, 0, 0, 0, 1, 1, 1, 1])
    choices = privgraph.CommunityChoices(TWO_CLIQUES, people, Fraction(1))
    assert choices.loss.epsilon == CONSTANTS["choosers_constant"] * choices.mechanism.epsilon
    assert choices.mechanism.monotone
    assert choices.epsilon / choices.mechanism.epsilon == CONSTANTS["choosers_constant"]
