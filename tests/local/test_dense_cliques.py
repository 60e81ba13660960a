"""In dense cliques among others of the same degree caps leave room, errors fall with epsilon and intervals hold."""

from fractions import Fraction
from itertools import combinations

import numpy as np
import pytest

from graphveil.graph.core import Graph
from graphveil.graph.generate.families import family
from graphveil.graph.statistics.clustering import exact_local_clustering
from graphveil.graph.statistics.triangles import exact_triangles_per_node
from graphveil.local.clustering.veil import VeilClustering, VeilSequence
from graphveil.local.degrees.noisy import NoisyDegrees
from graphveil.local.pairs.response import PairResponse
from graphveil.local.simulate import simulate
from graphveil.local.triangles.counts import SizeLimits
from graphveil.mechanisms.noise.person_streams import CrowdNoise
from graphveil.mechanisms.staircase import add_personal_staircase, staircase_reach, staircase_variance

GRAPH = family("cliques", 1500, seed=3)
TRUTH = exact_triangles_per_node(GRAPH)
DENSE = (exact_local_clustering(GRAPH) > 0.85) & (GRAPH.degrees >= 10)


@pytest.fixture(scope="module")
def results() -> dict[int, object]:
    return {e: simulate(VeilSequence(epsilon=e, n_people=1500), GRAPH, seed=1) for e in (1, 4, 8)}


def test_the_error_falls_with_epsilon(results):
    errors = [np.abs(results[e].value - TRUTH)[DENSE].mean() for e in (1, 4, 8)]
    assert errors[0] > 3 * errors[1] > 6 * errors[2]


@pytest.mark.parametrize("epsilon", [1, 4, 8])
def test_intervals_hold_in_cliques(results, epsilon):
    """Members of one clique share answers, so that this is no count of independent people; caps at .7 give .1 to .6."""
    low, high = results[epsilon].interval95
    assert ((low <= TRUTH) & (high >= TRUTH))[DENSE].mean() > 0.85
    assert ((low <= TRUTH) & (high >= TRUTH)).mean() > 0.93


def test_intervals_hold_in_cliques_at_a_small_epsilon():
    """Of components of all sizes; counts without their own error give .75 and .67."""
    graph = family("components", 1500, seed=3)
    truth, protocol = exact_triangles_per_node(graph), VeilSequence(epsilon=Fraction(1, 2), n_people=1500)
    dense = (exact_local_clustering(graph) > 0.85) & (graph.degrees >= 10)
    for seed in (1, 3):
        low, high = simulate(protocol, graph, seed=seed).interval95
        assert ((low <= truth) & (high >= truth))[dense].mean() > 0.88


@pytest.mark.parametrize(("n_people", "epsilon"), [(30, Fraction(1, 2)), (50, Fraction(1, 4))])
def test_a_small_group_in_which_all_know_each_other_is_not_taken_for_a_sparse_one(n_people, epsilon):
    """Degrees above twice the root of n were taken for unlikely: half of the friends, intervals held in .72 and .47."""
    graph = Graph.from_edges(list(combinations(range(n_people), 2)), n_nodes=n_people)
    degrees = NoisyDegrees(epsilon=epsilon, n_people=n_people)
    means, held = [], []
    for seed in range(6):
        means.append(simulate(degrees, graph, seed=seed).value @ np.arange(n_people))
        low, high = simulate(VeilSequence(epsilon=epsilon, n_people=n_people), graph, seed=seed).interval95
        truth = (n_people - 1) * (n_people - 2) // 2
        held.append(((low <= truth) & (truth <= high)).mean())
    assert np.mean(means) > 0.8 * (n_people - 1)
    assert np.mean(held) > 0.9


def test_results_say_whether_caps_bind(results, monkeypatch):
    roomy = results[8].estimate.facts
    assert roomy["people_whose_cap_binds"] == 0
    assert "hide nothing" in roomy["caps"]
    caps = SizeLimits.caps
    monkeypatch.setattr(SizeLimits, "caps", lambda self, *about: np.maximum(1, (0.8 * caps(self, *about)).astype(int)))
    tight = simulate(VeilSequence(epsilon=8, n_people=1500), GRAPH, seed=1).estimate.facts
    assert tight["people_whose_cap_binds"] > 0.3 * np.count_nonzero(DENSE)
    assert f"{tight['people_whose_cap_binds']:,} of the people may be estimated too low" in tight["caps"]
    assert tight["triangles_hidden_by_caps"] > 10 * roomy["triangles_hidden_by_caps"]


def test_class_means_lie_within_four_stated_deviations():
    clustering = exact_local_clustering(GRAPH)
    for seed in range(2):
        facts = simulate(VeilClustering(epsilon=4, n_people=1500), GRAPH, seed=seed).estimate.facts
        stated = [row for row in facts["by_degree"] if row["mean"] is not None and row["to"] is not None]
        assert stated
        for row in stated:
            inside = (GRAPH.degrees >= row["from"]) & (GRAPH.degrees <= row["to"])
            assert abs(row["mean"] - clustering[inside].mean()) < 4 * row["std"]


def test_caps_have_room_for_everything_in_long_lists_and_never_pass_the_bound():
    bounds, response = np.array([2, 5, 20, 100, 1000]), PairResponse(Fraction(11, 25))
    narrow, wide = (SizeLimits(0.7, widens=widens).caps(bounds, response, 1) for widens in (None, Fraction(11, 25)))
    p = float(response.friend_probability)
    assert (wide >= narrow).all()
    assert (wide <= bounds - 1).all()
    assert wide[0] == narrow[0]
    assert (wide[3:] >= bounds[3:] * p).all()
    assert not (narrow[3:] >= bounds[3:] * p).all()


@pytest.mark.parametrize("epsilon", ["1/2", "3.52", "4", "6"])
def test_95_percent_of_staircase_noise_lies_within_its_reach(epsilon):
    """Fails by chance with a probability below 1e-6 (5 deviations of a binomial share); 2.12 is refuted at 3.52."""
    runs, e = 20_000, Fraction(epsilon)
    drawn = add_personal_staircase(CrowdNoise(1, range(runs)), np.zeros(runs, int), e, np.full(runs, 10**6))
    std = float(np.sqrt(staircase_variance(e, [10**6])[0]))
    off = 5 * np.sqrt(0.05 * 0.95 / runs)
    assert abs((np.abs(drawn) <= staircase_reach(e) * std).mean() - 0.95) < off
    if epsilon == "3.52":
        assert (np.abs(drawn) <= 2.12 * std).mean() < 0.95 - off
