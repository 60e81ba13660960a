import math
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphveil.errors import ParameterError
from graphveil.privacy.convert import with_failure
from graphveil.privacy.loss import Approximate, Pure
from graphveil.privacy.odds import local_meaning, odds_factor, odds_sentence, posterior_range
from graphveil.privacy.rounding import text_up
from graphveil.registry import PROTOCOLS

EPSILON = st.fractions(min_value=Fraction(1, 1000), max_value=20)
PRIOR = st.fractions(min_value=Fraction(1, 1000), max_value=Fraction(999, 1000))


@given(EPSILON, PRIOR)
def test_posterior_odds_move_by_at_most_the_factor(epsilon: Fraction, prior: Fraction) -> None:
    low, high = posterior_range(prior, epsilon)
    assert 0 < low < prior < high < 1
    odds = prior / (1 - prior)
    assert math.log(high / (1 - high) / odds) == pytest.approx(float(epsilon), rel=1e-9)
    assert math.log(odds / (low / (1 - low))) == pytest.approx(float(epsilon), rel=1e-9)


@given(EPSILON, PRIOR)
def test_the_range_is_attained_by_randomised_response(epsilon: Fraction, prior: Fraction) -> None:
    keep = 1 / (1 + math.exp(-float(epsilon)))
    p = float(prior)
    after_yes = p * keep / (p * keep + (1 - p) * (1 - keep))
    low, high = posterior_range(prior, epsilon)
    assert float(high) == pytest.approx(after_yes, rel=1e-9)
    assert low <= prior <= high


def test_certainty_stays_certain() -> None:
    assert posterior_range(0, 1) == (0, 0)
    assert posterior_range(1, 1) == (1, 1)
    with pytest.raises(ParameterError, match="probability from 0 to 1"):
        posterior_range(1.5, 1)


def test_the_factor_is_rounded_up() -> None:
    assert odds_factor(1) > Fraction("2.71828182845904523536")
    assert float(odds_factor(1)) == pytest.approx(math.e)


def test_the_sentence_never_understates() -> None:
    sentence = odds_sentence(0.5, delta=1e-6, prior=0.1)
    assert "was 10 % sure" in sentence
    assert "between 6.3 % and 15.5 %" in sentence  # 6.31 % and 15.48 %
    assert "failure of probability at most 1e-06" in sentence
    assert "can end up below 0.1 % or above 99.9 % sure" in odds_sentence(10_000)


@given(st.fractions(min_value=0, max_value=1), st.fractions(min_value=0, max_value=1))
def test_a_failing_mechanism_keeps_its_epsilon_and_pays_in_delta(p: Fraction, delta: Fraction) -> None:
    loss = with_failure(Approximate(Fraction(1), delta), p)
    assert loss == Approximate(Fraction(1), p + (1 - p) * delta)
    assert max(p, delta) <= loss.delta <= 1


def test_failure_of_a_pure_mechanism() -> None:
    assert with_failure(Pure(Fraction(2)), "1/1000") == Approximate(Fraction(2), Fraction(1, 1000))
    with pytest.raises(ParameterError, match="from 0 to 1"):
        with_failure(Pure(Fraction(2)), -0.1)


@pytest.mark.parametrize("entry", PROTOCOLS, ids=lambda entry: f"{entry.query}-{entry.name}-{entry.unit}")
def test_what_a_participant_is_told_follows_from_the_unit(entry) -> None:
    """Under the unit edge nothing is said about whole lists, of which a report may tell much."""
    for guarantee in entry.cls(epsilon=1, n_people=80).guarantees:
        told = " ".join(local_meaning(guarantee))
        friendship = f"from the answers of both ends: epsilon {text_up(guarantee.relationship_epsilon)}"
        assert (friendship in told) != (guarantee.of_answer or guarantee.directed)  # whom I follow is in my list alone
        assert ("any answer against any other" in told) == (entry.query == "attribute-shares")
        assert ("any list against any other" in told) == (guarantee.unit.kind == "node" and not guarantee.of_answer)
        assert ("whether one particular person is on your list" in told) == (guarantee.unit.kind == "edge")
        assert ("several people at once" in told) == (guarantee.unit.kind == "edge")
