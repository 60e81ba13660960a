"""The learners find what there is to find and leave chance alone."""

import numpy as np
import pytest

from graphveil.audit.engine.auditor import suggested_epsilon
from graphveil.audit.engine.scorers import SummedEvidence, learn_scorers
from graphveil.audit.engine.tester import Rule, choose_rules, epsilon_lower_bound
from graphveil.audit.engine.trees import grow_forest, learn_binning

RNG = np.random.default_rng(5)


def test_few_values_are_kept_and_atoms_get_their_own_code():
    rows = np.array([[1.0], [2.0], [np.nan], [2.0]])
    codes = learn_binning(rows).encode(rows)[:, 0]
    assert codes[1] == codes[3]
    assert len(set(codes.tolist())) == 3
    smooth = RNG.normal(size=(5000, 1))
    smooth[:10] = 0.25
    binning = learn_binning(smooth)
    code = binning.encode(np.array([[0.25], [np.nextafter(0.25, 1)], [np.nextafter(0.25, 0)]]))[:, 0]
    assert len(set(code.tolist())) == 3


def test_trees_see_columns_act_together():
    codes = RNG.integers(0, 2, (4000, 6)).astype(np.uint8)
    lean = 0.4 * codes[:, 4] * (2 * codes[:, 1].astype(float) - 1)  # column 1 speaks only where column 4 is set
    labels = RNG.random(4000) < 0.5 + lean
    forest = grow_forest(codes, labels, n_codes=2, depth=3)
    score = forest.score(codes)
    assert set(np.argsort(-forest.gains)[:2].tolist()) == {1, 4}
    assert score[(codes[:, 4] == 1) & (codes[:, 1] == 1)].min() > 1.5
    assert np.abs(score[codes[:, 4] == 0]).max() < 0.3


def test_trees_learn_nothing_from_chance():
    codes = RNG.integers(0, 20, (4000, 30)).astype(np.uint8)
    labels = RNG.random(4000) < 0.5
    assert len(grow_forest(codes, labels, n_codes=20, depth=2).columns) <= 8


@pytest.mark.parametrize("kind", ["rare value", "whole row", "broad shift"])
def test_every_kind_of_leak_has_a_scorer_that_finds_it(kind):
    def rows(side, count=6000):
        columns = RNG.normal(size=(count, 3))
        if kind == "broad shift":
            columns[:, 1] += side
        elif kind == "rare value" and side:
            columns[RNG.random(count) < 0.005, 2] = 0.75
        elif kind == "whole row":
            columns = RNG.integers(0, 9, (count, 3)).astype(float)
            columns[:60] = (7, 7, 7) if side else (8, 7, 7)
        return columns

    scorers = learn_scorers(rows(0), rows(1))
    safe, bold = choose_rules(scorers, rows(0), rows(1), 0.0)
    bounds = [
        rule.bound(rule.scorer.score(rows(0)), rule.scorer.score(rows(1)), confidence=0.99, delta=0.0)
        for rule in (safe, bold)
    ]
    assert max(bounds) > 1.3


def test_little_evidence_in_many_columns_adds_up():
    def rows(side, count=8000):
        return RNG.laplace(scale=1.3 if side else 1.0, size=(count, 80))

    scorers = learn_scorers(rows(0), rows(1))
    summed = next(scorer for scorer in scorers if isinstance(scorer, SummedEvidence))
    others = [scorer for scorer in scorers if scorer is not summed]
    first, second = rows(0), rows(1)

    def power(chosen):
        rule, _ = choose_rules(chosen, first, second, 0.0)
        return rule.bound(rule.scorer.score(rows(0)), rule.scorer.score(rows(1)), confidence=0.99, delta=0.0)

    assert power([summed]) > 1.2 * power(others)


def test_the_search_sees_a_column_that_moves_and_not_one_that_does_not():
    first, same = RNG.normal(size=(200, 5)), RNG.normal(size=(230, 5))
    moved = same + np.eye(5)[2]
    assert suggested_epsilon(first, same) == 0
    assert 0.2 < suggested_epsilon(first, moved) < 1
    assert suggested_epsilon(np.full((200, 1), np.nan), np.zeros((200, 1))) > 2


def test_a_rule_strikes_out_what_delta_excuses_on_the_sides_it_names():
    first, second = np.repeat([0.0, 1.0], [800, 200]), np.repeat([0.0, 1.0], [200, 800])
    two_sided, one_sided = Rule(None, 0.0, 1.0), Rule(None, -np.inf, 1.0)
    assert two_sided.tally(first, second) == (1600, 400)
    assert one_sided.tally(first, second) == (800, 200)
    options = {"runs": 2000, "confidence": 0.99}
    for delta in (0.0, 0.02):
        both = two_sided.bound(first, second, confidence=0.99, delta=delta)
        assert both == epsilon_lower_bound(1600, 400, **options, delta=delta)
        one = one_sided.bound(first, second, confidence=0.99, delta=delta)
        assert one == epsilon_lower_bound(800, 200, **options, delta=delta / 2)
