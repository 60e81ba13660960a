"""How far one entry, and one relationship, move the count: over all systems of four lists, and where it is attained."""

import math
from fractions import Fraction
from itertools import combinations, product

import numpy as np
import pytest

from graphveil.errors import ParameterError
from graphveil.local.lists import Lists
from graphveil.privacy.rounding import exp_down
from graphveil.two_servers.ideal import weighted_count
from graphveil.two_servers.triangle_terms import ANSWER_GRID, TriangleTerms, choose_terms
from graphveil.two_servers.triangles import Triangles, three_hubs

CELLS = [(i, j) for i in range(4) for j in range(4) if i != j]
PLACE = {cell: place for place, cell in enumerate(CELLS)}
SYSTEMS = np.arange(2**12)


def kept_tables(terms):
    """For every person and every list (bits over the four people): the list that is kept."""
    tables = []
    for person in range(4):
        kept = []
        for mask in range(16):
            friends = np.array([j for j in range(4) if mask >> j & 1 and j != person], dtype=np.int64)
            kept.append(sum(1 << j for j in terms.kept_friends(person, friends).tolist()))
        tables.append(kept)
    return tables


def all_counts(terms, answers, honest=range(4)):
    """The weighted count of each of the 4,096 systems of lists, written out pair by pair; others do not cut."""
    tables, kept = kept_tables(terms), []
    for i in range(4):
        rows = sum((SYSTEMS >> PLACE[i, j] & 1) << j for j in range(4) if j != i)
        kept.append(np.array(tables[i])[rows] if i in honest else rows)

    def both(i, j):
        return 0 if {i, j} <= set(terms.hubs) else kept[i] >> j & kept[j] >> i & 1

    counts = terms.weight * sum(both(i, j) * both(i, k) * both(j, k) for i, j, k in combinations(range(4), 3))
    for i, j in combinations(sorted(terms.hubs), 2):
        told = [answers[pair] for pair in ((i, j), (j, i)) if pair in answers]
        common = sum(both(i, k) * both(j, k) for k in range(4) if k not in (i, j))
        for answer in told:
            counts = counts + (ANSWER_GRID * answer - terms.flip) * common * 2 // len(told)
    return counts + np.zeros(2**12, dtype=np.int64)


def both_ends(terms, values):
    """Answers in which both ends of each pair of hubs say the same; None: one says yes and the other no."""
    told = zip(terms.hub_pairs, values, strict=True)
    return {pair: value for (i, j), said in told for pair, value in (((i, j), said or 0), ((j, i), said in (1, None)))}


@pytest.mark.parametrize("hubs", [(), (0,), (0, 1), (1, 2, 3)])
@pytest.mark.parametrize("max_degree", [1, 2, 3])
def test_one_entry_moves_the_count_by_at_most_its_sensitivity(hubs, max_degree):
    """Entries of people who are no hubs: whatever all others send. Hubs' entries: all cut as they promise."""
    terms = TriangleTerms("c", 4, Fraction(1), max_degree, hubs)
    for values in product((0, 1, None), repeat=len(terms.hub_pairs)):
        counts = all_counts(terms, both_ends(terms, values))
        for place, (i, j) in enumerate(CELLS):
            moved = np.abs(counts - counts[SYSTEMS ^ (1 << place)]).max()
            assert moved <= terms.sensitivity
            without = (SYSTEMS >> place & 1 == 0) & (SYSTEMS >> PLACE[j, i] & 1 == 0)
            pair = np.abs(counts - counts[SYSTEMS ^ (1 << place) ^ (1 << PLACE[j, i])])[without].max()
            assert pair <= 2 * terms.sensitivity


@pytest.mark.parametrize("hubs", [(), (0,), (0, 1), (1, 2, 3)])
@pytest.mark.parametrize("max_degree", [1, 2])
def test_people_who_do_not_cut_harm_themselves_only(hubs, max_degree):
    """An entry of somebody who is no hub, whatever all others send; other promises, whatever third people send."""
    terms = TriangleTerms("c", 4, Fraction(1), max_degree, hubs)
    answers = both_ends(terms, [1] * len(terms.hub_pairs))
    for i, j in combinations(range(4), 2):
        entries = 1 << PLACE[i, j], 1 << PLACE[j, i]
        counts = all_counts(terms, answers, honest=(i, j))
        for entry in entries:
            assert np.abs(counts - counts[SYSTEMS ^ entry]).max() <= terms.sensitivity
        strangers = SYSTEMS[SYSTEMS & sum(entries) == 0]
        assert np.abs(counts[strangers] - counts[strangers | sum(entries)]).max() <= 2 * terms.sensitivity
        if i not in hubs:
            alone = all_counts(terms, answers, honest=(i,))
            assert np.abs(alone - alone[SYSTEMS ^ entries[0]]).max() <= terms.sensitivity


def test_the_code_counts_what_the_enumeration_counts():
    terms = TriangleTerms("c", 4, Fraction(1), 2, (0, 1))
    answers = {(0, 1): 1}
    counts = all_counts(terms, answers)
    for system in range(0, 2**12, 7):
        rows = [[j for j in range(4) if j != i and system >> PLACE[i, j] & 1] for i in range(4)]
        indptr = np.concatenate(([0], np.cumsum([len(row) for row in rows])))
        flat = np.array([j for row in rows for j in row], dtype=np.int64)
        assert (
            weighted_count(terms, Lists(4, np.arange(4), indptr, flat, np.zeros(4, np.int64)), answers)
            == counts[system]
        )


def test_two_full_lists_attain_twice_the_sensitivity():
    """Two cliques of full lists: a friendship between them makes both ends drop a friend, each in D - 1 triangles."""
    for limit in (2, 3):
        n = 2 * (limit + 1)
        worst = 0
        for campaign in range(20):
            terms = TriangleTerms(str(campaign), n, Fraction(1), limit)
            first, second = list(range(limit + 1)), list(range(limit + 1, n))
            edges = {pair for group in (first, second) for pair in combinations(group, 2)}
            before, after = (_graph_count(terms, n, edges | extra) for extra in (set(), {(first[0], second[0])}))
            worst = max(worst, abs(after - before))
        assert worst == 2 * (limit - 1)


def test_hubs_attain_the_sensitivity():
    """Person 5 knows two of three hubs; the third comes in place of a friend, or beside the others."""
    terms = TriangleTerms("c", 6, Fraction(1), 3, (0, 1, 2))
    rows = [[5], [5], [5], [], [], [0, 1, 2]]
    fewer = [*rows[:5], [0, 1]]
    moved = [
        abs(weighted_count(terms, lists_of(rows), answers) - weighted_count(terms, lists_of(fewer), answers))
        for values in product((0, 1), repeat=3)
        for answers in [both_ends(terms, values)]
    ]
    assert max(moved) == terms.sensitivity == 2 * terms.weight + 4 * terms.flip


def lists_of(rows):
    indptr = np.concatenate(([0], np.cumsum([len(row) for row in rows])))
    flat = np.array([j for row in rows for j in row], dtype=np.int64)
    return Lists(len(rows), np.arange(len(rows)), indptr, flat, np.zeros(len(rows), np.int64))


def _graph_count(terms, n, edges):
    rows = [sorted({b for a, b in edges if a == i} | {a for a, b in edges if b == i}) for i in range(n)]
    indptr = np.concatenate(([0], np.cumsum([len(row) for row in rows])))
    flat = np.array([j for row in rows for j in row], dtype=np.int64)
    return weighted_count(terms, Lists(n, np.arange(n), indptr, flat, np.zeros(n, np.int64)), {})


@pytest.mark.parametrize("epsilon", ["0.01", "0.5", "1", "3", "8"])
def test_the_loss_of_an_entry_never_passes_epsilon(epsilon):
    noisy = np.array([50, 40, 9, 8, 7, 7, 3, 2, 1, 0])
    for hubs in (None, 0, 1, 3):
        plan = Triangles("c", 10, Fraction(epsilon), hubs=hubs)
        terms = plan.terms(noisy)
        assert plan.degree_epsilon + terms.loss <= plan.epsilon
        if terms.hubs:
            assert Fraction(terms.keep, terms.flip) <= exp_down(terms.epsilon)
    with pytest.raises(ParameterError, match="too small"):
        Triangles("c", 10, Fraction(1, 10_000), hubs=2).terms(noisy)
    assert choose_terms("c", noisy, Fraction(1), Fraction(1, 10), 3).hubs == (0, 1, 2)


def test_answers_about_hubs_leave_the_estimate_unbiased():
    """The mean over all answers, weighted by their probabilities, is the number of triangles."""
    terms = TriangleTerms("c", 5, Fraction(1), 4, (0, 1, 2))
    edges = {(0, 1), (0, 2), (1, 2), (0, 3), (1, 3), (2, 4), (1, 4)}
    rows = [sorted({b for a, b in edges if a == i} | {a for a, b in edges if b == i}) for i in range(5)]
    indptr = np.concatenate(([0], np.cumsum([len(row) for row in rows])))
    lists = Lists(5, np.arange(5), indptr, np.array([j for row in rows for j in row]), np.zeros(5, np.int64))
    mean, asked = 0.0, [(0, 1), (1, 0), (2, 0), (1, 2), (2, 1)]  # 0 told nothing about 2
    for values in product((0, 1), repeat=5):
        answers = dict(zip(asked, values, strict=True))
        chance = math.prod(
            (terms.keep if answer == (tuple(sorted(pair)) in edges) else terms.flip) / ANSWER_GRID
            for pair, answer in answers.items()
        )
        mean += chance * (weighted_count(terms, lists, answers) / terms.weight + three_hubs(terms, answers))
    assert mean == pytest.approx(3)


def test_a_hub_whose_friend_does_not_cut_is_not_protected():
    """The documented exception: j has more friends than max_degree and keeps them all."""
    n, limit = 42, 10
    terms = TriangleTerms("c", n, Fraction(1), limit, (0,))
    uncut = TriangleTerms("c", n, Fraction(1), n, (0,))
    rest = range(2, n)
    edges = {(0, k) for k in rest} | {(1, k) for k in rest}
    before, after = (_graph_count(uncut, n, edges | extra) for extra in (set(), {(0, 1)}))
    assert (after - before) / uncut.weight == 40
    assert terms.sensitivity / terms.weight < 40
