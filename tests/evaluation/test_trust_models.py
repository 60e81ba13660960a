"""Who is trusted more answers better, at the same epsilon for a relationship."""

from graphveil.evaluation.trust_models import MOST_PEOPLE, compare_trust_models

GUESSES = {"mean_degree": 16, "clustering": 0.6}


def test_errors_fall_as_more_trust_is_given():
    found = compare_trust_models("triangles", epsilon=1, n_people=600, **GUESSES)
    assert [each.trust.value for each in found] == ["local", "two-servers", "central"]
    local, shared, central = (each.relative_error for each in found)
    assert local > 1.3 * shared
    assert shared > central


def test_what_not_all_answer_is_not_compared():
    assert compare_trust_models("clustering", epsilon=1, n_people=600, **GUESSES) == []
    assert compare_trust_models("triangles", epsilon=1, n_people=MOST_PEOPLE + 1, **GUESSES) == []


def test_the_closer_local_protocol_stands_for_all():
    """Few people at a large epsilon: one end of each friendship answers, and nobody counts."""
    found = compare_trust_models("triangles", epsilon=4, n_people=100, mean_degree=6, clustering=0.5)
    assert found[0].by == "rnl, epsilon 8"
