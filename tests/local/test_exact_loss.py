"""Node-LDP of every protocol, exactly: the law of what one person sends, for every degree, from its own code."""

from __future__ import annotations

from fractions import Fraction
from functools import cache

import numpy as np
import pytest
from enumeration import exact_law, worst_ratio

from graphveil.errors import ParameterError
from graphveil.local.attributes.shares import AttributeShares
from graphveil.local.degrees.channels import LaplaceChannel
from graphveil.local.degrees.frequency import BinBits, KaryDegrees, OptimalUnaryDegrees, SymmetricUnaryDegrees
from graphveil.local.degrees.noisy import NoisyDegrees
from graphveil.local.degrees.preference import PreferredDegrees
from graphveil.local.degrees.protocol import DegreeProtocol
from graphveil.local.degrees.square_wave import SmoothedWave
from graphveil.local.degrees.two_stage import TwoStageDegrees, left_for_group
from graphveil.local.degrees.veil import VeilDegrees, VeilQuantiles
from graphveil.local.lists import Lists
from graphveil.local.protocol import LocalProtocol, RoundContext
from graphveil.mechanisms.noise.source import SeededNoise
from graphveil.mechanisms.unary import OptimalUnary
from graphveil.papers.gs_ldp.degrees import GroupedDegreeProtocol
from graphveil.papers.gs_ldp.projected_degrees import EdgeProjected, NodeProjected
from graphveil.papers.gs_ldp.random_jump import RandomJump
from graphveil.privacy.rounding import exp_bounds

N = 7


class BitShares(AttributeShares):
    """The channel that is chosen where there are many answers."""

    __slots__ = ()

    @property
    def channel(self) -> BinBits:
        return BinBits(OptimalUnary(epsilon=self.epsilon, n_values=len(self.values)))


EPSILONS = [Fraction(1, 2), Fraction(1), Fraction(3)]
PROTOCOLS = {
    "oue": lambda epsilon: OptimalUnaryDegrees(epsilon=epsilon, n_people=N, max_degree=4),
    "sue": lambda epsilon: SymmetricUnaryDegrees(epsilon=epsilon, n_people=N, max_degree=4),
    "grr": lambda epsilon: KaryDegrees(epsilon=epsilon, n_people=N),
    "grr in bins": lambda epsilon: KaryDegrees(epsilon=epsilon, n_people=N, singles=1, ratio=2),
    "attribute-shares, number": lambda epsilon: AttributeShares(epsilon=epsilon, n_people=N, values=("a", "b", "c")),
    "attribute-shares, bits": lambda epsilon: BitShares(epsilon=epsilon, n_people=N, values=("a", "b", "c", "d")),
    "sw-ems": lambda epsilon: SmoothedWave(epsilon=epsilon, n_people=N, places=6),
    "two-stage": lambda epsilon: TwoStageDegrees(epsilon=epsilon, n_people=N, max_degree=6, group_width=3),
    "veil, sets": lambda epsilon: VeilDegrees(epsilon=epsilon, n_people=N, set_share=1, singles=2, ratio=2),
    "veil, waves": lambda epsilon: VeilQuantiles(epsilon=epsilon, n_people=N, singles=2, ratio=2, places=6),
}


@cache
def laws_of(name: str, epsilon: Fraction) -> list[dict]:
    protocol = PROTOCOLS[name](epsilon)
    return [law_of(protocol, degree) for degree in range(N)]


def law_of(protocol: DegreeProtocol, degree: int, user: int = 0) -> dict:
    lists = Lists.of_person(N, user, [other for other in range(N) if other != user][:degree])
    return exact_law(lambda: sent(protocol, lists))


def sent(protocol: LocalProtocol, lists: Lists) -> bytes:
    return protocol.pack(RoundContext(), lists.people, protocol.perturb(RoundContext(), lists, SeededNoise(0)))[0]


@pytest.mark.parametrize("epsilon", EPSILONS, ids=str)
@pytest.mark.parametrize("name", PROTOCOLS)
def test_no_report_tells_two_lists_apart_by_more_than_epsilon(name: str, epsilon: Fraction) -> None:
    laws = laws_of(name, epsilon)
    assert all(sum(law.values()) == 1 for law in laws)
    low, _ = exp_bounds(epsilon, bits=80)
    worst = worst_ratio(laws)
    assert worst <= low
    assert float(worst) == pytest.approx(float(low), rel=1e-9)  # and epsilon is used up


def test_the_default_mix_gives_every_person_one_of_two_channels_chosen_in_public() -> None:
    protocol = VeilDegrees(epsilon=1, n_people=N, singles=2, ratio=2, places=6)
    roles = protocol.in_sets(np.arange(N))
    assert 0 < roles.sum() < N
    for user in (int(np.argmax(roles)), int(np.argmin(roles))):
        assert float(worst_ratio([law_of(protocol, degree, user) for degree in range(N)])) <= np.exp(1)


@pytest.mark.parametrize("epsilon", EPSILONS, ids=str)
def test_the_two_stages_cost_less_than_their_sum(epsilon: Fraction) -> None:
    protocol = PROTOCOLS["two-stage"](epsilon)
    worst = worst_ratio(laws_of("two-stage", epsilon))
    assert worst == protocol.randomizer.worst_ratio
    group, place = float(protocol.group_epsilon), float(protocol.place_epsilon)
    assert np.log(float(worst)) == pytest.approx(max(place, group + np.log((1 + np.exp(place)) / 2)), abs=1e-9)
    assert np.log(float(worst)) < group + place


def test_a_group_gets_what_is_left_and_never_more() -> None:
    for epsilon, place in ((Fraction(1, 1000), Fraction(1, 1000)), (Fraction(1), Fraction(1, 3)), (Fraction(300),) * 2):
        left = left_for_group(epsilon, place)
        low, _ = exp_bounds(place, bits=200)
        spent, _ = exp_bounds(left, bits=200)
        _, most = exp_bounds(epsilon, bits=200)
        assert spent * (1 + low) / 2 <= most
        assert float(left) == pytest.approx(float(epsilon) - np.logaddexp(0, float(place)) + np.log(2), rel=1e-6)
    with pytest.raises(ParameterError, match="too small"):
        left_for_group(Fraction(1, 10**12), Fraction(1, 10**12))


def test_algorithm_1_as_published_tells_groups_apart_for_certain() -> None:
    protocol = GroupedDegreeProtocol(epsilon=1, n_people=N, group_width=3)

    def law(degree: int) -> dict:
        lists = Lists.of_person(N, 6, range(degree))
        return exact_law(lambda: tuple(protocol.perturb(RoundContext(), lists, SeededNoise(0))[0].tolist()))

    within, across = [law(d) for d in (0, 1, 2)], [law(2), law(3)]
    assert float(worst_ratio(within)) == pytest.approx(np.exp(1), rel=1e-9)
    assert worst_ratio(across) == float("inf")


def test_a_jump_anywhere_is_node_private_and_a_jump_nearby_is_not() -> None:
    protocol = RandomJump(epsilon=1, n_people=N, jump="anywhere")
    laws = []
    for degree in range(N):
        lists = Lists.of_person(N, 6, range(degree))
        laws.append(exact_law(lambda lists=lists: int(protocol.perturb(RoundContext(), lists, SeededNoise(0))[0])))
    assert float(worst_ratio(laws)) == pytest.approx(np.exp(1), rel=1e-9)
    assert RandomJump(epsilon=1, n_people=N).claim.true_epsilon == N - 1


@pytest.mark.parametrize("epsilon", EPSILONS, ids=str)
def test_noisy_degrees_cost_epsilon_for_one_entry_and_the_likelihood_is_their_law(epsilon: Fraction) -> None:
    bins = NoisyDegrees(epsilon=epsilon, n_people=12, singles=11).bins
    law = LaplaceChannel(epsilon, bins).likelihood(np.arange(12))  # one degree in each bin
    assert np.allclose(law.sum(axis=0), 1)
    ratios = np.log(law[:, 1:] / law[:, :-1])
    assert np.abs(ratios).max() == pytest.approx(float(epsilon))


@pytest.mark.parametrize("kind", [NodeProjected, EdgeProjected])
@pytest.mark.parametrize("bound", [2, 4, 6])
def test_projected_degrees_cost_half_in_each_round(kind: type, bound: int) -> None:
    protocol = kind(epsilon=Fraction(1), n_people=N)
    laws = []
    for degree in range(N):
        lists = Lists.of_person(N, 6, range(degree))
        laws.append(exact_law(lambda lists=lists: protocol.perturb(RoundContext(), lists, SeededNoise(0)).tobytes()))
    assert np.log(float(worst_ratio(laws))) <= 0.5
    projected = protocol.project(np.arange(N), bound)
    assert projected.min() >= 0
    assert np.ptp(projected) * protocol.epsilon / (2 * bound) <= Fraction(1, 2)


def test_a_chosen_strength_is_the_loss_of_the_reports_under_it() -> None:
    protocol = PreferredDegrees(epsilon=2, n_people=N, strengths=("node:1/2", "node:2"))
    for choice, epsilon in enumerate((Fraction(1, 2), Fraction(2))):
        laws = []
        for degree in (0, 2, 6):
            lists = Lists.of_person(N, 6, range(degree), choice)
            laws.append(exact_law(lambda lists=lists: sent(protocol, lists)))
        assert np.log(float(worst_ratio(laws))) == pytest.approx(float(epsilon), abs=1e-9)
        assert protocol.guarantees[choice].epsilon == epsilon
