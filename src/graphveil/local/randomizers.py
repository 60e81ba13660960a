"""Local randomizers: how the exact value of a message becomes what is sent, and what that costs.

A message of a protocol owns its randomizer (`local.losses.Message`). A randomizer states how far apart two exact values
may be, its `sensitivity`, and what it costs to send either of two such values, its `epsilon`; the scale of its noise
follows from both. So nothing is drawn at another epsilon than the one that is charged. Only randomizers of graphveil
are accepted: their losses are proved here, and in the modules whose mechanisms they use.

Randomizers draw for any number of people at once, one row a person, in the way that `mechanisms.noise.person_streams`
asks for.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar, NamedTuple, Protocol

import numpy as np

from graphveil.arrays import Bits, Floats, Integers
from graphveil.errors import GuaranteeMismatch, ParameterError
from graphveil.local.lists import Lists
from graphveil.mechanisms.laplace import laplace_rate
from graphveil.mechanisms.noise.bulk import LIMIT
from graphveil.mechanisms.noise.person_noise import add_personal_laplace
from graphveil.mechanisms.noise.person_streams import in_parts, noise_among
from graphveil.mechanisms.noise.source import Noise
from graphveil.mechanisms.response import BinaryResponse, Response
from graphveil.mechanisms.square_wave import SquareWave
from graphveil.mechanisms.staircase import add_personal_staircase, staircase_variance
from graphveil.mechanisms.subset import SubsetSelection
from graphveil.mechanisms.unary import UnaryResponse


class Randomizer(Protocol):
    """Draws what is sent from exact values."""

    @property
    def epsilon(self) -> Fraction:
        """The loss between two exact values that are at most `sensitivity` apart."""
        ...

    @property
    def sensitivity(self) -> int:
        """The largest distance between two exact values that epsilon pays for."""
        ...

    def draw(self, people: Integers, exact: Any, noise: Noise) -> Any:
        """What these people send, from the exact value of each; whose turn it is may depend on their numbers."""
        ...

    def distance(self, first: Any, second: Any) -> float:
        """How far apart the exact values of one person are under two lists."""
        ...


def check_own(mechanism: object) -> None:
    """Refuse a randomizer, or a mechanism inside of one, that is not of graphveil: its loss is what its author says."""
    kind = type(mechanism)
    if not kind.__module__.startswith("graphveil."):
        raise GuaranteeMismatch(
            f"{kind.__name__} of {kind.__module__} is not a randomizer of graphveil, so its loss is not proved here; "
            "use one of graphveil.local.randomizers"
        )


def draw_by_strength(randomizers: Sequence[Randomizer], lists: Lists, exact: Any, noise: Noise) -> Any:
    """What everybody sends where all strengths draw alike, else a tuple of what the people of each strength send."""
    if all(randomizer == randomizers[0] for randomizer in randomizers):
        return randomizers[0].draw(lists.people, exact, noise)
    drawn = []
    for choice, randomizer in enumerate(randomizers):
        own = lists.choices == choice
        values = exact.among(own) if isinstance(exact, Scaled) else exact[own]
        drawn.append(randomizer.draw(lists.people[own], values, noise_among(noise, own)))
    return tuple(drawn)


class AnyTwoValues:
    """A randomizer whose epsilon holds between any two values: they lie 1 apart, and so does what one list changes."""

    __slots__ = ()

    sensitivity: ClassVar[int] = 1

    def distance(self, first: Any, second: Any) -> float:
        """0 for equal values and 1 for any two others."""
        return float(not np.array_equal(first, second))


@dataclass(frozen=True, slots=True)
class Answer(AnyTwoValues):
    """One answer of a response, or of Square Wave; its epsilon holds for any two values.

    >>> Answer(BinaryResponse(epsilon=1)).epsilon
    Fraction(1, 1)
    """

    response: Response | SquareWave

    def __post_init__(self) -> None:
        check_own(self.response)

    @property
    def epsilon(self) -> Fraction:
        """The loss of the response."""
        return self.response.epsilon

    def draw(self, people: Integers, exact: Any, noise: Noise) -> Any:
        """One report for each value."""
        return np.concatenate(self.draw_parts(exact, noise))

    def draw_parts(self, exact: Any, noise: Noise) -> list[Any]:
        """The same reports, in parts for which memory suffices."""
        many = isinstance(self.response, UnaryResponse | SubsetSelection)  # words that a person draws at once
        parts = in_parts(noise, len(exact), self.response.n_values if many else 1)
        drawn = [self.response.perturb(exact[part], part_noise) for part, part_noise in parts]
        return drawn or [self.response.perturb(exact, noise)]


@dataclass(frozen=True, slots=True)
class BitAnswers:
    """A row of bits, each sent by randomised response; `sensitivity` of them may change.

    >>> BitAnswers(BinaryResponse(epsilon="1/4"), sensitivity=3).epsilon
    Fraction(3, 4)
    """

    response: BinaryResponse
    sensitivity: int

    def __post_init__(self) -> None:
        check_own(self.response)

    @property
    def epsilon(self) -> Fraction:
        """The loss of as many answers as may change."""
        return self.sensitivity * self.response.epsilon

    def draw(self, people: Integers, exact: Bits, noise: Noise) -> Bits:
        """Every bit, flipped or not."""
        parts = in_parts(noise, len(exact), exact.shape[1])
        flipped = [self.response.perturb(exact[part].ravel(), part_noise) for part, part_noise in parts]
        return np.concatenate(flipped).astype(np.bool_).reshape(exact.shape) if flipped else exact

    def distance(self, first: Bits, second: Bits) -> float:
        """The number of bits that differ between both rows."""
        return float((first != second).sum())


@dataclass(frozen=True, slots=True)
class AddedLaplace:
    """A whole number plus discrete Laplace noise for its sensitivity, cut to `low..high` where these are given.

    Cutting is post-processing. `mechanisms.laplace` has the proof.

    >>> AddedLaplace(Fraction(1), sensitivity=5).rate
    Fraction(1, 5)
    """

    epsilon: Fraction
    sensitivity: int = 1
    low: int | None = None
    high: int | None = None

    @property
    def rate(self) -> Fraction:
        """The rate of the noise: epsilon over the sensitivity."""
        return laplace_rate(self.epsilon, self.sensitivity)

    def draw(self, people: Integers, exact: Integers, noise: Noise) -> Integers:
        """Every number plus noise for the sensitivity."""
        noisy = add_personal_laplace(noise, exact, self.rate)
        return noisy if self.low is None and self.high is None else np.clip(noisy, self.low, self.high)

    def distance(self, first: Integers, second: Integers) -> float:
        """The difference of the two numbers."""
        return float(np.abs(first - second).sum())


@dataclass(frozen=True, slots=True)
class AddedLaplaceRow:
    """A row of whole numbers, of which one moves by one, each plus discrete Laplace noise; cut to -bound..bound."""

    epsilon: Fraction
    bound: int
    sensitivity: ClassVar[int] = 1

    def draw(self, people: Integers, exact: Integers, noise: Noise) -> Integers:
        """Every number of every row plus noise."""
        columns = [add_personal_laplace(noise, column, self.epsilon) for column in exact.T]
        return np.clip(np.stack(columns, axis=1), -self.bound, self.bound)

    def distance(self, first: Integers, second: Integers) -> float:
        """The sum of the differences of all numbers."""
        return float(np.abs(first - second).sum())


class Scaled(NamedTuple):
    """Whole numbers, and by how much each can change; the widths must not depend on the lists."""

    values: Integers
    widths: Integers

    def among(self, part: Bits) -> Scaled:
        """Those of a part of the people."""
        return Scaled(self.values[part], self.widths[part])

    def distance(self, other: Scaled) -> float:
        """The difference in widths, rounded up; without end where the widths differ."""
        if not np.array_equal(self.widths, other.widths):
            return float("inf")
        return float((-(-np.abs(self.values - other.values) // self.widths)).sum())


@dataclass(frozen=True, slots=True)
class ScaledStaircase:
    """A whole number plus staircase noise for a change by its own width (`mechanisms.staircase`)."""

    epsilon: Fraction
    sensitivity: ClassVar[int] = 1

    def draw(self, people: Integers, exact: Scaled, noise: Noise) -> Integers:
        """Every number with noise for its width."""
        return add_personal_staircase(noise, exact.values, self.epsilon, exact.widths)

    def distance(self, first: Scaled, second: Scaled) -> float:
        """The difference of the two numbers in widths."""
        return first.distance(second)

    def variances(self, widths: Integers) -> Floats:
        """The variance of the noise for each width, in closed form."""
        return staircase_variance(self.epsilon, widths)


@dataclass(frozen=True, slots=True)
class ScaledLaplace:
    """A whole number plus discrete Laplace noise of rate epsilon / width, epsilon rounded down to a short fraction."""

    epsilon: Fraction
    sensitivity: ClassVar[int] = 1

    def draw(self, people: Integers, exact: Scaled, noise: Noise) -> Integers:
        """Every number with noise for its width."""
        widest = int(exact.widths.max(initial=1))
        short = short_epsilon(self.epsilon, widest)
        if int(exact.widths.min(initial=1)) < 1 or short.denominator * widest > LIMIT:
            raise ParameterError(f"noise for a change of 1 to {LIMIT // short.denominator} can be drawn, not {widest}")
        rates = (np.full(len(exact.widths), short.numerator), short.denominator * exact.widths)
        return add_personal_laplace(noise, exact.values, rates)

    def distance(self, first: Scaled, second: Scaled) -> float:
        """The difference of the two numbers in widths."""
        return first.distance(second)

    def variances(self, widths: Integers) -> Floats:
        """2 (width / epsilon)^2, up to the grid."""
        return np.asarray(2 * (widths / float(self.epsilon)) ** 2)


def short_epsilon(epsilon: Fraction, widest: int) -> Fraction:
    """Epsilon as a short fraction, rounded down: with a denominator up to 2^10, or what fits beside the widest noise.

    >>> short_epsilon(Fraction(9, 20), 2**16), short_epsilon(Fraction(1, 3000), 2**16)
    (Fraction(9, 20), Fraction(349, 1048576))
    """
    if epsilon.denominator <= 2**10:
        return epsilon
    parts = 2**10 if epsilon >= Fraction(1, 64) else max(2**10, min(2**20, 2**50 // widest))
    short = Fraction(int(epsilon * parts), parts)
    if short == 0:
        raise ParameterError(f"epsilon is too small: {float(epsilon):.3g} of it goes to a count, 1/{parts} is needed")
    return short


def check_draws(kind: Any, base: Any) -> None:
    """Refuse a protocol that replaces `perturb` of its base: what it draws need not be what it charges for."""
    if kind.perturb is not base.perturb:
        raise GuaranteeMismatch(
            f"{kind.__name__} draws by itself, so what it draws need not be what it charges for; remove `perturb`, "
            "return exact values from `exact` and name their randomizers in `messages`"
        )
