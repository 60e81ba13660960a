import itertools
import math
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from graphveil.errors import ParameterError, UnitMismatch
from graphveil.privacy.compose import (
    Rule,
    Split,
    bounds,
    kov_epsilon,
    optimal_epsilon,
    parallel,
    pld_epsilon,
    sequential,
    tightest,
)
from graphveil.privacy.convert import concentrated_to_approximate, group, simple_conversion
from graphveil.privacy.guarantee import Guarantee, Status
from graphveil.privacy.loss import Approximate, Concentrated, Loss, Pure
from graphveil.privacy.unit import EDGE, NODE, Adjacency, Trust, Unit

MILLIONTH = Fraction(1, 10**6)
EPSILON = st.integers(1, 40).map(lambda k: Fraction(k, 20))


def _exact_tail(epsilons: list[float], epsilon: float) -> float:
    """P(L > epsilon) weighted as delta is, over all outcomes of the randomised responses."""
    tail = 0.0
    for signs in itertools.product((1, -1), repeat=len(epsilons)):
        loss = sum(s * e for s, e in zip(signs, epsilons, strict=True))
        probability = math.prod(1 / (1 + math.exp(-s * e)) for s, e in zip(signs, epsilons, strict=True))
        tail += probability * max(0.0, -math.expm1(epsilon - loss))
    return tail


@pytest.mark.parametrize(
    ("epsilon", "times", "kov", "zcdp"),
    [("0.1", 100, 5.76, 5.76), ("1", 10, 21.2, 21.6), ("1", 100, 98.8, 102.6)],
)
def test_reference_numbers(epsilon: str, times: int, kov: float, zcdp: float) -> None:
    losses = [Fraction(epsilon)] * times
    digits = 2 if kov < 10 else 1
    assert round(float(kov_epsilon(losses, MILLIONTH)), digits) == kov
    rho = Concentrated(times * Fraction(epsilon) ** 2 / 2)
    assert round(float(simple_conversion(rho, MILLIONTH).epsilon), digits) == zcdp
    found = {bound.rule: bound.epsilon for bound in bounds([Pure(e) for e in losses], MILLIONTH)}
    assert found[Rule.BASIC] == times * Fraction(epsilon)
    assert found[Rule.ZCDP] == concentrated_to_approximate(rho, MILLIONTH).epsilon


@pytest.mark.parametrize(
    ("epsilon", "times"), [("0.1", 100), ("0.5", 30), ("1", 10), ("2", 3), ("0.5", 1), ("0.01", 1000)]
)
def test_optimal_composition_is_the_exact_tail(epsilon: str, times: int) -> None:
    e = float(epsilon)

    def tail(at: float) -> float:  # the binomial sum of theorem 3.3, term by term
        return math.fsum(
            math.exp(math.lgamma(times + 1) - math.lgamma(k + 1) - math.lgamma(times - k + 1))
            * math.exp((times - k) * e - times * math.log1p(math.exp(e)))
            * -math.expm1(min(at - (times - 2 * k) * e, 0))
            for k in range(times + 1)
        )

    found = float(optimal_epsilon(Fraction(epsilon), times, MILLIONTH))
    assert tail(found) <= 1e-6 * (1 + 1e-9)
    assert tail(found * (1 - 1e-6)) > 1e-6


@pytest.mark.parametrize(("epsilon", "times"), [("0.1", 100), ("1", 100), ("0.25", 40)])
def test_optimal_composition_agrees_with_dp_accounting(epsilon: str, times: int) -> None:
    ours = optimal_epsilon(Fraction(epsilon), times, MILLIONTH)
    theirs = pld_epsilon([Fraction(epsilon)] * times, MILLIONTH)
    assert theirs >= ours
    assert float(theirs) == pytest.approx(float(ours), rel=1e-4)


@settings(max_examples=15, deadline=None)
@given(st.lists(EPSILON, min_size=2, max_size=9), st.sampled_from([Fraction(1, 10), Fraction(1, 1000), MILLIONTH]))
def test_pld_of_unequal_losses_is_proved_and_tight(epsilons: list[Fraction], tail: Fraction) -> None:
    floats = [float(e) for e in epsilons]
    found = float(pld_epsilon(epsilons, tail))
    assert _exact_tail(floats, found) <= tail
    if found > 1e-3:
        assert _exact_tail(floats, found * (1 - 1e-3)) > tail * Fraction(998, 1000)


def test_pld_rounds_incommensurable_losses_up() -> None:
    times = 50
    small, large = 1 / 7, math.sqrt(2) / 10  # no grid holds both
    found = float(pld_epsilon([Fraction(small)] * times + [Fraction(large)] * times, MILLIONTH))

    def law(epsilon: float) -> list[tuple[float, float]]:
        up = 1 / (1 + math.exp(-epsilon))
        counts = range(times + 1)
        return [((2 * k - times) * epsilon, math.comb(times, k) * up**k * (1 - up) ** (times - k)) for k in counts]

    tail = math.fsum(
        p * q * max(0.0, -math.expm1(found - a - b)) for (a, p), (b, q) in itertools.product(law(small), law(large))
    )
    assert 0.97e-6 < tail <= 1e-6


@pytest.mark.parametrize(
    ("losses", "rule"),
    [
        ([Pure(Fraction(1, 10))] * 100, Rule.OPTIMAL),
        ([Pure(Fraction(1, 10))] * 60 + [Pure(Fraction(1, 5))] * 40, Rule.PLD),
        ([Concentrated(Fraction(1, 10))] * 10, Rule.BASIC),  # the same number as zCDP, and simpler
        ([Concentrated(Fraction(1, 10)), *[Pure(Fraction(1, 20))] * 200], Rule.ZCDP),
        ([Pure(2 + Fraction(k, 10_000)) for k in range(1000)], Rule.KOV),  # too many kinds for the grid
        ([Approximate(Fraction(1), MILLIONTH)], Rule.BASIC),  # nothing of delta is left for a tail
    ],
)
def test_the_winner_is_named(losses: list[Loss], rule: Rule) -> None:
    found = bounds(losses, MILLIONTH)
    winner = tightest(losses, MILLIONTH)
    assert winner.rule is rule
    assert winner.epsilon == min(b.epsilon for b in found)
    assert winner.delta == MILLIONTH


LOSS = st.one_of(
    EPSILON.map(Pure),
    st.builds(Approximate, EPSILON, st.just(Fraction(1, 10**8))),
    st.integers(1, 10).map(lambda k: Concentrated(Fraction(k, 20))),
)


@settings(max_examples=25, deadline=None)
@given(st.lists(LOSS, min_size=1, max_size=8), LOSS, st.randoms(use_true_random=False))
def test_composition_is_commutative_monotone_and_above_every_single_loss(losses, more, random) -> None:
    joint = tightest(losses, MILLIONTH)
    shuffled = random.sample(losses, len(losses))
    assert float(tightest(shuffled, MILLIONTH).epsilon) == pytest.approx(float(joint.epsilon), rel=1e-12)
    assert tightest([*losses, more], MILLIONTH).epsilon >= joint.epsilon * Fraction(999_998, 10**6)
    assert tightest(losses, 10 * MILLIONTH).epsilon <= joint.epsilon
    for loss in losses:
        if isinstance(loss, Pure):
            assert joint.epsilon >= optimal_epsilon(loss.epsilon, 1, MILLIONTH)


@given(st.lists(EPSILON, min_size=1, max_size=30), st.sampled_from([MILLIONTH, Fraction(1, 10)]))
def test_kov_is_never_above_the_bound_of_dwork_rothblum_and_vadhan(epsilons: list[Fraction], tail: Fraction) -> None:
    mean = sum(float(e) * math.expm1(e) for e in epsilons)
    root = math.sqrt(2 * math.log(1 / tail) * sum(float(e) ** 2 for e in epsilons))
    assert kov_epsilon(epsilons, tail) <= (mean + root) * (1 + 1e-9)


def test_nothing_and_zero_losses_cost_nothing() -> None:
    assert tightest([], MILLIONTH).epsilon == 0
    assert tightest([Pure(Fraction(0))] * 3, MILLIONTH).epsilon == 0
    assert tightest([Pure(Fraction(1))] * 3, Fraction(0)).epsilon == 3


@pytest.mark.parametrize(
    ("losses", "delta"),
    [
        ([Approximate(Fraction(1), Fraction(1, 10))] * 2, Fraction(1, 10)),
        ([Concentrated(Fraction(1))], Fraction(0)),
        ([Pure(Fraction(1))], Fraction(1)),
    ],
)
def test_a_delta_that_cannot_hold_is_refused(losses: list[Loss], delta: Fraction) -> None:
    with pytest.raises(ParameterError, match="delta must be below 1 and cover"):
        tightest(losses, delta)


def _guarantee(epsilon: str, unit: Unit = EDGE, trust: Trust = Trust.CENTRAL, **more) -> Guarantee:
    if trust is Trust.LOCAL:
        more.setdefault("relationship_epsilon", 2 * Fraction(epsilon))
    return Guarantee(unit, trust, Fraction(epsilon), **more)


def test_sequential_adds_exactly_and_keeps_what_is_assumed() -> None:
    parts = [
        _guarantee("0.1", assumes=("n",), delta=MILLIONTH, proof="a"),
        _guarantee("0.2", assumes=("n", "max_degree"), proof="b"),
    ]
    joint = sequential(parts)
    assert (joint.epsilon, joint.delta, joint.relationship_epsilon) == (Fraction(3, 10), MILLIONTH, Fraction(3, 10))
    assert joint.assumes == ("n", "max_degree")
    assert joint.proof == "a + b"


def test_sequential_at_a_delta_takes_the_tightest_bound() -> None:
    parts = [_guarantee("0.1", trust=Trust.LOCAL)] * 100
    joint = sequential(parts, delta=MILLIONTH)
    assert round(float(joint.epsilon), 2) == 4.77
    assert joint.relationship_epsilon == tightest([Pure(Fraction(1, 5))] * 100, MILLIONTH).epsilon


@pytest.mark.parametrize("compose", [sequential, lambda parts: parallel(parts, split=Split.PEOPLE)])
def test_mixed_units_and_trust_models_do_not_compose(compose) -> None:
    for other in (_guarantee("1", NODE), _guarantee("1", trust=Trust.LOCAL), _guarantee("1", Unit.parse("2-edge"))):
        with pytest.raises(UnitMismatch, match="do not compose"):
            compose([_guarantee("1"), other])
    with pytest.raises(ParameterError, match="nothing to compose"):
        compose([])


@pytest.mark.parametrize("compose", [sequential, lambda parts: parallel(parts, split=Split.PEOPLE)])
def test_one_guarantee_alone_stays_what_it_is(compose) -> None:
    alone = _guarantee("0.1", trust=Trust.LOCAL, assumes=("n",), delta=MILLIONTH, proof="a")
    assert compose([alone]) == alone


def test_one_worthless_part_makes_the_whole_worthless() -> None:
    assert sequential([_guarantee("1"), _guarantee("1").seeded()]).status is Status.SEEDED


def test_parallel_charges_the_parts_one_change_can_touch() -> None:
    parts = [_guarantee("0.5"), _guarantee("1", delta=MILLIONTH), _guarantee("0.25")]
    assert parallel(parts, split=Split.PAIRS).epsilon == 1
    assert parallel(parts, split=Split.PAIRS).delta == MILLIONTH
    two = [_guarantee(e, Unit.parse("2-edge")) for e in ("0.5", "1", "0.25")]
    assert parallel(two, split=Split.PAIRS).epsilon == Fraction(3, 2)
    assert parallel([_guarantee("1", NODE), _guarantee("2", NODE)], split=Split.PEOPLE).epsilon == 2


def test_parallel_under_replace_one_costs_twice() -> None:
    parts = [_guarantee("0.5"), _guarantee("1", delta=MILLIONTH)]
    joint = parallel(parts, split=Split.PAIRS, adjacency=Adjacency.REPLACE_ONE)
    assert Approximate(joint.epsilon, joint.delta) == group(Approximate(Fraction(1), MILLIONTH), 2)
    assert joint.epsilon == 2


def test_parallel_is_refused_where_one_change_touches_every_part() -> None:
    with pytest.raises(ParameterError, match="split fixed without the graph"):
        parallel([_guarantee("1")] * 2, split=Split.FROM_DATA)
    with pytest.raises(ParameterError, match="split the people"):
        parallel([_guarantee("1", NODE)] * 2, split=Split.PAIRS)


def test_long_compositions_stay_exact() -> None:
    bound = tightest([Pure(Fraction(1, 1000))] * 20_000, MILLIONTH)
    assert bound.rule is Rule.OPTIMAL
    # so many small losses act as one Gaussian of mu^2 = 20,000 / 1000^2, whose exact epsilon is known
    from dp_accounting.gaussian_mechanism import get_epsilon_gaussian

    assert float(bound.epsilon) == pytest.approx(get_epsilon_gaussian(1 / math.sqrt(0.02), 1e-6), rel=1e-3)
