"""Most connected person, top people, best partition."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

import numpy as np
import pytest
from every_small_graph import edge_neighbours, least_successes, skewed_graph

from graphveil.central.choices.best_partition import BestPartition, edge_modularity
from graphveil.central.choices.most_connected import MostConnected
from graphveil.central.choices.top_people import SENSITIVITY, TopPeople
from graphveil.central.query import PublicFacts
from graphveil.errors import ParameterError
from graphveil.graph.core import Graph
from graphveil.mechanisms.noise.source import SeededNoise, SystemNoise
from graphveil.mechanisms.release import interval_words
from graphveil.release.draw import run

ONE = Fraction(1)


def groupings(n: int) -> Iterator[tuple[int, ...]]:
    """All partitions of n people, as restricted growth strings."""

    def grow(prefix: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
        if len(prefix) == n:
            yield prefix
            return
        for group in range(max(prefix, default=-1) + 2):
            yield from grow((*prefix, group))

    return grow(())


def named_star() -> Graph:
    people = np.array(["hub"] + [f"leaf {i}" for i in range(60)])
    return Graph.from_edges([(0, i) for i in range(1, 61)], labels=people)


def test_degrees_are_monotone_scores() -> None:
    for less, more in edge_neighbours(5):
        steps = more.degrees - less.degrees
        assert steps.min() >= 0
        assert steps.max() <= 1
        assert steps.sum() == SENSITIVITY


def test_the_most_connected_person_is_named_by_label() -> None:
    answer = run(MostConnected(epsilon=ONE), named_star(), SystemNoise())
    assert answer.value == "hub"
    assert answer.accuracy.to_json()["interval95"] == [0, 7]  # ln(61 / 0.05) = 7.1
    assert answer.accuracy.to_json()["simultaneous"] is False
    assert "fewer than the most connected" in answer.accuracy.scope
    number = run(MostConnected(epsilon=ONE), Graph.from_edges([(0, i) for i in range(1, 60)]), SeededNoise(1)).value
    assert type(number) is int


def test_a_person_k_below_wins_with_odds_e_to_minus_epsilon_k() -> None:
    """Degrees 1, 1 and 0: the last one wins if its coin falls heads, and then as often as each of the others."""
    graph = Graph.from_edges([(0, 1)], n_nodes=3)
    query, noise, runs = MostConnected(epsilon=ONE), SeededNoise(4), 3000
    wins = sum(run(query, graph, noise).value == 2 for _ in range(runs))
    r = np.exp(-1)
    expected = r / 3
    spread = 5 * np.sqrt(runs * expected * (1 - expected))
    assert abs(wins - runs * expected) < spread
    assert abs(wins - runs * np.exp(-0.5) / 3) > spread  # half the rate would be seen


@pytest.mark.parametrize("friends", [33, 26, 20])
def test_the_shortfall_stays_within_its_bound(friends: int) -> None:
    """One person has friends, hundreds have none: a wrong choice falls short by more or by less than the bound."""
    graph, noise, runs = Graph.from_edges([(0, i) for i in range(1, friends + 1)], n_nodes=400), SeededNoise(1), 400
    query = MostConnected(epsilon=Fraction(1, 4))
    answers = [run(query, graph, noise) for _ in range(runs)]
    bound = answers[0].accuracy.interval(0.8)[1]
    assert bound == 30  # ln(400 / 0.2) * 4
    assert answers[0].accuracy.bands == query.forecast(PublicFacts(n_nodes=400)).bands
    shortfalls = np.array([friends - graph.degrees[answer.value] for answer in answers])
    assert np.count_nonzero(shortfalls <= bound) >= least_successes(runs, 0.8)
    if friends == 20:
        assert np.count_nonzero(shortfalls <= bound / 2) < least_successes(runs, 0.8)  # half the bound would be seen


def test_no_shortfall_is_larger_than_there_are_people() -> None:
    few = Graph.from_edges([(0, 1)], n_nodes=3)
    for query in (MostConnected(epsilon=Fraction(1, 100)), TopPeople(epsilon=Fraction(1, 100), k=2)):
        assert run(query, few, SeededNoise(1)).accuracy.interval(0.95) == (0, 2)


def test_nobody_cannot_be_the_most_connected() -> None:
    with pytest.raises(ParameterError, match="no people"):
        run(MostConnected(epsilon=ONE), Graph.from_edges([], n_nodes=0), SeededNoise(1))


def test_top_people_without_noise_are_the_top_people_first_one_first() -> None:
    graph = skewed_graph(100, 700, seed=2)
    answer = run(TopPeople(epsilon=Fraction(10_000), k=5), graph, SeededNoise(2))
    order = np.argsort(-graph.degrees, kind="stable")[:5]
    assert answer.value == tuple(order.tolist())
    assert answer.derived["degrees"] == tuple(graph.degrees[order].tolist())


def test_top_people_fall_short_by_no_more_than_the_bound() -> None:
    graph, noise, runs = skewed_graph(200, 1500, seed=3), SeededNoise(3), 100
    query = TopPeople(epsilon=ONE, k=10)
    tenth = np.sort(graph.degrees)[-10]
    hits = 0
    for _ in range(runs):
        answer = run(query, graph, noise)
        hits += tenth - graph.degrees[list(answer.value)].min() <= answer.accuracy.interval(0.8)[1]
    assert hits >= least_successes(runs, 0.8)


def test_top_people_who_stand_out_are_known_to_be_right() -> None:
    """The gap of noisy degrees counts: here it is 300 or so, and all noises together stay below 100."""
    graph = Graph.from_edges([(c, 10 + c * 300 + i) for c in range(3) for i in range(300)], n_nodes=1000)
    assert run(TopPeople(epsilon=ONE, k=3), graph, SeededNoise(1)).accuracy.interval(0.99) == (0, 0)
    worst = TopPeople(epsilon=ONE, k=3).forecast(PublicFacts(n_nodes=1000)).interval(0.95)[1]
    narrow = run(TopPeople(epsilon=ONE, k=3), Graph.from_edges([], n_nodes=1000), SeededNoise(1))
    noisy_third, most = narrow.derived["degrees"][-1], narrow.accuracy.interval(0.95)[1]
    assert worst - noisy_third < most <= worst


def test_the_words_of_top_people_say_who_is_right_and_what_the_gap_does() -> None:
    graph = Graph.from_edges([(c, 10 + c * 300 + i) for c in range(3) for i in range(300)], n_nodes=1000)
    answer = run(TopPeople(epsilon=ONE, k=3), graph, SeededNoise(1))
    right = "everybody named is right: none of them has fewer neighbours than the person who is truly number 3"
    assert interval_words(answer.accuracy) == right
    last = answer.stages[-1].text
    assert "named the 3 people with the largest results; the next result is by 2" in last  # 290 or so
    assert "smaller, which shortens the interval" in last
    level = run(TopPeople(epsilon=Fraction(10_000), k=2), graph, SeededNoise(1))
    assert "the next result is no smaller" in level.stages[-1].text
    assert "0 to " not in interval_words(level.accuracy)
    wide = run(TopPeople(epsilon=Fraction(1, 100), k=1), graph, SeededNoise(1))
    assert interval_words(wide.accuracy).endswith(f" {wide.accuracy.scope}")
    assert "named the person with the largest result;" in wide.stages[-1].text
    alone = run(MostConnected(epsilon=ONE), Graph.from_edges([], n_nodes=1), SeededNoise(1))
    assert interval_words(alone.accuracy) == "the named person is right: nobody has more neighbours"


def test_where_everybody_is_named_nobody_is_wrong() -> None:
    query = TopPeople(epsilon=Fraction(1, 100), k=5)
    for people in (0, 4, 5):
        answer = run(query, Graph.from_edges([], n_nodes=people), SeededNoise(1))
        assert answer.accuracy.interval(0.999) == (0, 0)
        assert answer.stages[-1].text == "named everybody, those with the largest results first"
        assert query.forecast(PublicFacts(n_nodes=people)).interval(0.999) == (0, 0)
    assert query.forecast(PublicFacts(n_nodes=6)).interval(0.95)[1] > 0


def test_whom_to_name_is_as_hard_as_whom_to_leave_out() -> None:
    """n - k people may be named wrongly, and k left out wrongly; the proof treats both alike."""
    facts = PublicFacts(n_nodes=1000)
    most, few = (TopPeople(epsilon=ONE, k=k).forecast(facts).bands for k in (990, 10))
    assert most == few
    crowds = TopPeople(epsilon=ONE, k=500).forecast(facts).bands
    assert [band.above for band in crowds] > [band.above for band in few]


@pytest.mark.parametrize("beyond", [2, -4])
def test_the_bound_holds_where_few_are_left_out(beyond: int) -> None:
    """Of 300 people two have no neighbours and are to be left out; the others have a little more, or less, than it."""
    n, runs = 300, 150
    query, noise = TopPeople(epsilon=ONE, k=n - 2), SeededNoise(11)
    bound = int(query.forecast(PublicFacts(n_nodes=n)).interval(0.5)[1])
    reach = (bound + 1 + beyond) // 2
    ring = [(i, (i + step) % (n - 2)) for i in range(n - 2) for step in range(1, reach + 1)]
    graph = Graph.from_edges(ring, n_nodes=n)
    answers = [run(query, graph, noise) for _ in range(runs)]
    wrong = [answer for answer in answers if {n - 2, n - 1} & set(answer.value)]
    if beyond > 0:
        beaten = sum(2 * reach > answer.accuracy.interval(0.5)[1] for answer in wrong)
        assert runs - beaten >= least_successes(runs, 0.5)
    else:
        assert len(wrong) > runs / 4  # so the bound of 80 % could not be as low


@pytest.mark.parametrize("distance", [18, 25, 32])
def test_the_gap_is_used_without_harm(distance: int) -> None:
    """Where some are named wrongly, and the gap is often large for that: ends of 50 % hold in half of the draws."""
    n, runs = 400, 400
    graph = Graph.from_edges([(c, 10 + c * 100 + i) for c in range(2) for i in range(distance)], n_nodes=n)
    query, noise = TopPeople(epsilon=Fraction(1, 2), k=2), SeededNoise(7)
    hits = wrong = 0
    for _ in range(runs):
        answer = run(query, graph, noise)
        shortfall = distance - graph.degrees[list(answer.value)].min()
        wrong += shortfall > 0
        hits += shortfall <= answer.accuracy.interval(0.5)[1]
    assert 0.02 < wrong / runs < 0.98
    assert hits >= least_successes(runs, 0.5)


@pytest.mark.parametrize("beyond", [2, -4])
def test_the_bound_of_top_people_holds_and_is_not_idle(beyond: int) -> None:
    """Five people have a little more, or less, than the bound; thousands, all as wrong as can be, next to nothing."""
    n, k, runs = 3000, 5, 150
    query, noise = TopPeople(epsilon=ONE, k=k), SeededNoise(6)
    gap = int(query.forecast(PublicFacts(n_nodes=n)).interval(0.5)[1])
    graph = Graph.from_edges([(c, 10 + c * 50 + i) for c in range(k) for i in range(gap + 1 + beyond)], n_nodes=n)
    wrong = sum(bool(set(run(query, graph, noise).value) - set(range(k))) for _ in range(runs))
    if beyond > 0:  # somebody with at most one neighbour falls short by more than the bound
        assert runs - wrong >= least_successes(runs, 0.5)
    else:
        assert wrong > runs / 20  # so the bound of 95 % could not be as low


def test_top_people_of_a_small_crowd_and_bad_numbers() -> None:
    assert len(run(TopPeople(epsilon=ONE, k=10), named_star(), SystemNoise()).value) == 10
    assert len(run(TopPeople(epsilon=ONE, k=10), Graph.from_edges([(0, 1)]), SeededNoise(1)).value) == 2
    with pytest.raises(ParameterError, match="k must be at least 1, not 0"):
        TopPeople(epsilon=ONE, k=0)


def test_one_edge_moves_every_modularity_score_by_an_amount_in_the_stated_range() -> None:
    candidates = [np.array(groups) for groups in groupings(5)]
    assert len(candidates) == 52
    graphs = {id(graph): graph for pair in edge_neighbours(5) for graph in pair}
    scores = {
        key: np.array([float(edge_modularity(graph, groups)) for groups in candidates]) for key, graph in graphs.items()
    }
    steps = [scores[id(more)] - scores[id(less)] for less, more in edge_neighbours(5)]
    assert np.min(steps) == pytest.approx(-0.5)
    assert 1.4 < np.max(steps) < 2


def test_modularity_agrees_with_networkx() -> None:
    networkx = pytest.importorskip("networkx")
    graph = skewed_graph(30, 80, seed=5)
    groups = np.arange(30) % 4
    theirs = networkx.Graph(graph.edges().tolist())
    theirs.add_nodes_from(range(30))
    communities = [set(np.flatnonzero(groups == group).tolist()) for group in range(4)]
    expected = networkx.community.modularity(theirs, communities)
    assert float(edge_modularity(graph, groups)) / graph.n_edges == pytest.approx(expected)


def test_the_better_partition_is_chosen_and_its_rate_is_epsilon_over_five_halves() -> None:
    cliques = [(first + i, first + j) for first in (0, 12) for i in range(12) for j in range(i)]
    graph = Graph.from_edges([*cliques, (0, 12)])
    right, wrong = (0,) * 12 + (1,) * 12, (0, 1) * 12
    query = BestPartition(epsilon=ONE, partitions=(wrong, right, wrong))
    assert run(query, graph, SystemNoise()).value == 1
    assert query.mechanism.rate == Fraction(2, 5)
    assert "public or come from earlier releases" in query.guarantee.assumes[0]


def test_the_partition_chosen_falls_short_by_no_more_than_its_interval() -> None:
    """One right candidate and 30 that are all equally wrong."""
    cliques = [(first + i, first + j) for first in (0, 8) for i in range(8) for j in range(i)]
    graph = Graph.from_edges(cliques)
    right, wrong = (0,) * 8 + (1,) * 8, (0, 1) * 8
    query = BestPartition(epsilon=Fraction(1, 2), partitions=(right, *([wrong] * 30)))
    gap = float(edge_modularity(graph, np.array(right)) - edge_modularity(graph, np.array(wrong)))
    noise, runs = SeededNoise(8), 300
    answers = [run(query, graph, noise) for _ in range(runs)]
    low, high = answers[0].accuracy.interval(0.8)
    assert low == 0
    hits = sum(gap * (answer.value != 0) <= high for answer in answers)
    assert hits >= least_successes(runs, 0.8)
    assert 0 < sum(answer.value != 0 for answer in answers) < runs


def test_partitions_must_fit_together_and_fit_the_people() -> None:
    with pytest.raises(ParameterError, match="equal length"):
        BestPartition(epsilon=ONE, partitions=((0, 1), (0, 1, 2)))
    with pytest.raises(ParameterError, match="one or more lists"):
        BestPartition(epsilon=ONE, partitions=3)  # type: ignore[arg-type]
    with pytest.raises(ParameterError, match="list 2 people; the graph has 3"):
        run(BestPartition(epsilon=ONE, partitions=((0, 1),)), Graph.from_edges([(0, 2)]), SeededNoise(1))
