"""Attacks succeed where nothing protects, fail where a notion promises so, and never beat guessing on noise."""

from fractions import Fraction

import numpy as np
import pytest
from scipy import stats

from graphveil.anonymity.anonymize import anonymize
from graphveil.anonymity.tables.generalize_table import generalize_table
from graphveil.anonymity.tables.table import Table
from graphveil.audit.attacks import match
from graphveil.audit.attacks.attack import ATTACKS, Knowledge, attack_all, run_attack
from graphveil.audit.attacks.case import ABSENT, case_by_key, case_by_names
from graphveil.audit.attacks.homogeneity import homogeneity_attack
from graphveil.audit.attacks.infer import infer_attribute, infer_links
from graphveil.audit.attacks.membership import infer_membership, publish_half
from graphveil.audit.attacks.outcome import AttackOutcome, clopper_pearson
from graphveil.audit.attacks.propagate import seed_and_propagate
from graphveil.audit.attacks.reidentify import reidentify_by_degree, reidentify_by_neighborhood
from graphveil.errors import ParameterError
from graphveil.graph.core import Graph
from graphveil.graph.generate.random import erdos_renyi, power_law_cluster
from graphveil.graph.statistics.communities import find_communities
from graphveil.papers.gs_ldp.friend_list_attack import reconstruct_friends
from graphveil.papers.gs_ldp.pruned_lists import PrunedLists, Travel
from graphveil.privacy.unit import Kind

GRAPH = power_law_cluster(600, 6, 0.6, seed=3)
SMALL = power_law_cluster(250, 5, 0.5, seed=3)


def pseudonymous(graph, seed=1):
    key = np.random.default_rng(seed).permutation(graph.n_nodes)
    return case_by_key(graph, Graph.from_edges(np.argsort(key)[graph.edges()], n_nodes=graph.n_nodes), key)


def anonymous(graph, method, k):
    made = anonymize(graph, method=method, k=k, seed=1)
    return case_by_key(graph, made.graph, made.key)


def unrelated(graph):
    """A graph that shares nothing with the original but its size."""
    other = erdos_renyi(graph.n_nodes, m=graph.n_edges, seed=8)
    return case_by_key(graph, other, np.arange(graph.n_nodes))


def test_pseudonyms_protect_nobody():
    case = pseudonymous(GRAPH)
    assert seed_and_propagate(case, seeds=5).rate > 0.9
    assert reidentify_by_neighborhood(case).rate > 0.7
    assert reidentify_by_degree(case).beats_baseline
    assert infer_links(case).rate == 1
    assert run_attack(GRAPH, GRAPH, attack="community").rate > 0.95


def test_names_found_are_right_even_from_part_of_the_edges():
    outcome = seed_and_propagate(pseudonymous(GRAPH), seeds=20, known_edges=0.9)
    assert outcome.rate > 0.5
    assert outcome.details["right_of_named"] > 0.9
    assert "90%" in outcome.knows


@pytest.mark.parametrize("k", [2, 10])
def test_the_adversary_of_a_notion_is_stopped(k):
    """Nobody is found with probability above 1/k, up to the luck of the draw."""
    luck = stats.binom.isf(1e-6, GRAPH.n_nodes, 1 / k)
    assert reidentify_by_degree(anonymous(GRAPH, "k-degree", k)).successes <= luck
    assert reidentify_by_neighborhood(anonymous(GRAPH, "k-neighbourhood", k)).successes <= luck
    for method in ("k-automorphism", "k-seed"):
        case = anonymous(GRAPH, method, k)
        assert max(reidentify_by_degree(case).successes, reidentify_by_neighborhood(case).successes) <= luck


def test_a_stronger_adversary_walks_through_a_weak_notion():
    weak, strong = (seed_and_propagate(anonymous(SMALL, method, 10)) for method in ("k-degree", "k-automorphism"))
    assert weak.rate > 0.5
    assert strong.rate < 0.1
    assert strong.details["named"] < 0.1  # who cannot be told apart does not stand out


def test_nothing_is_learnt_from_an_unrelated_graph():
    case = unrelated(SMALL)
    for run in (reidentify_by_degree, reidentify_by_neighborhood, seed_and_propagate):
        assert run(case).successes <= stats.binom.isf(1e-6, SMALL.n_nodes, 3 / SMALL.n_nodes)
    assert abs(infer_links(case).successes - 1000) < 1000 * stats.norm.isf(1e-6) / 15


def test_values_of_friends_tell_those_of_people():
    secret = find_communities(GRAPH)
    outcome = infer_attribute(pseudonymous(GRAPH), secret)
    assert outcome.beats_baseline
    assert not infer_attribute(unrelated(GRAPH), secret).rate > outcome.baseline_rate + 0.1
    with pytest.raises(ParameterError, match="one value for every person"):
        infer_attribute(pseudonymous(GRAPH), secret[1:])


def test_membership_shows_where_everything_is_published_and_not_behind_twins():
    half, chosen = publish_half(GRAPH, seed=4)
    open_case = case_by_key(GRAPH, half, chosen)
    assert infer_membership(open_case).beats_baseline
    made = anonymize(half, method="k-seed", k=20, seed=1)
    hidden = infer_membership(case_by_key(GRAPH, made.graph, chosen[made.key]))
    assert hidden.rate < infer_membership(open_case).rate
    with pytest.raises(ParameterError, match="everybody of the original was published"):
        infer_membership(pseudonymous(GRAPH))


def test_a_k_anonymous_table_can_give_away_everything_and_diversity_helps():
    rng = np.random.default_rng(0)
    age = rng.integers(20, 80, 400)
    table = Table.from_columns({"age": age.tolist(), "ill": np.where(age > 50, "yes", "no").tolist()})
    plain = generalize_table(table, quasi_identifiers=["age"], k=10, sensitive="ill")
    diverse = generalize_table(table, quasi_identifiers=["age"], k=10, sensitive="ill", l_diversity=1.8)
    outcome, after = (homogeneity_attack(t, quasi_identifiers=["age"], sensitive="ill") for t in (plain, diverse))
    assert outcome.likely > 0.95 * 400
    assert outcome.certain > 0.8 * 400
    assert after.certain == 0
    assert not after.likely > after.likely_without + 0.2 * 400


@pytest.mark.parametrize("travel", [Travel.IDS_AND_BITS, Travel.IDS_OF_ONES])
def test_friends_are_read_off_published_lists(travel):
    protocol = PrunedLists(epsilon=Fraction(1, 10), threshold=20, unit=Kind.EDGE, travel=travel)
    assert reconstruct_friends(GRAPH, protocol, people=200).beats_baseline


def test_new_names_cannot_be_judged_without_a_key():
    """The published names are those of other people; with them the attack that finds everybody would find nobody."""
    case = pseudonymous(GRAPH)
    with pytest.raises(ParameterError, match=r"cannot judge: names do not match\. 600 of 600"):
        run_attack(GRAPH, case.published, attack="seed-and-propagate")
    assert not run_attack(GRAPH, case.published, attack="neighbourhood", same_names=True).beats_baseline
    kept = anonymize(GRAPH, method="k-degree", k=10, seed=1, keep_names=True)
    assert run_attack(GRAPH, kept.graph, attack="link").beats_baseline


def test_people_are_matched_by_name_or_by_key():
    original = Graph.from_edges([(0, 1), (1, 2)], labels=np.array([30, 10, 20]))
    published = Graph.from_edges([(0, 1)], labels=np.array([20, 30]))
    assert case_by_names(original, published).published_as.tolist() == [1, ABSENT, 0]
    for key in ([0, 0], [0], [0, 3]):
        with pytest.raises(ParameterError, match="the key must name"):
            case_by_key(original, published, np.array(key))
    with pytest.raises(ParameterError, match=r"cannot judge: names do not match\. Nobody of the original"):
        case_by_names(original, Graph.from_edges([(0, 1)], labels=np.array([7, 8])))


@pytest.mark.parametrize("name", sorted(ATTACKS))
def test_every_attack_repeats_under_its_seed_and_reports_the_same_keys(name):
    graph = power_law_cluster(200, 4, 0.5, seed=2)
    half, chosen = publish_half(graph, seed=1)
    published, key = (half, chosen) if name == "membership" else (graph, None)
    known = Knowledge(values=np.arange(200) % 3)
    once, again = (
        run_attack(graph, published, attack=name, key=key, seed=5, knowledge=known).to_json() for _ in range(2)
    )
    assert once == again
    assert {"attack", "need", "rate", "interval95", "baseline", "baseline_rate", "beats_baseline"} <= set(once)
    assert once["attack"] == name
    assert once["need"] in ("node", "link", "community")


def test_the_three_needs_are_covered():
    graph = power_law_cluster(200, 4, 0.5, seed=2)
    outcomes = attack_all(case_by_names(graph, graph))
    assert {outcome.need for outcome in outcomes} == {"node", "link", "community"}
    assert {outcome.attack for outcome in outcomes} == set(ATTACKS) - {"membership", "attribute", "friend-lists"}


def test_intervals_are_those_of_clopper_and_pearson():
    for right, tries in ((0, 10), (3, 10), (10, 10), (50, 2000)):
        exact = stats.binomtest(right, tries).proportion_ci(0.95, "exact")
        assert clopper_pearson(right, tries) == pytest.approx((exact.low, exact.high))
    with pytest.raises(ParameterError, match="cannot have succeeded"):
        AttackOutcome("x", "node", "", 3, 4, "", 0.5)


def test_unknown_attacks_are_refused():
    with pytest.raises(ParameterError, match="unknown attack"):
        run_attack(GRAPH, GRAPH, attack="guess")
    with pytest.raises(ParameterError, match="at least one seed"):
        seed_and_propagate(pseudonymous(GRAPH), seeds=0)


@pytest.mark.needs_data
def test_three_known_people_give_away_most_of_facebook(real_graph, monkeypatch):
    monkeypatch.setattr(match, "MOST_WALKS", 0)  # refinement is enough
    graph = real_graph("ego-Facebook")
    assert seed_and_propagate(pseudonymous(graph), seeds=3).rate > 0.85
    assert seed_and_propagate(anonymous(graph, "k-degree", 10), seeds=3).rate > 0.8
    assert seed_and_propagate(anonymous(graph, "k-seed", 10), seeds=3).rate < 0.01
