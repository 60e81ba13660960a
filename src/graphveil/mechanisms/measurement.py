"""What an algorithm takes from a private graph: a list of measurements, each of which knows what it costs.

A measurement holds an exact value, its sensitivity and its share of epsilon. The scale of its noise follows from the
two, so a measurement cannot draw less noise than it is charged for. The guarantee of a release is the composition of
the losses of its measurements (`total_loss`); nobody states it by hand.

Making a list of measurements draws nothing. Only `release` and `audit` draw. A release draws one run, an audit draws
many runs of the same list at the speed of the noise.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, Protocol, TypeAlias

import numpy as np

from graphveil.arrays import Integers
from graphveil.errors import GuaranteeMismatch
from graphveil.mechanisms.noise.source import Noise
from graphveil.privacy.loss import Concentrated, Loss, Pure


class Measurement(Protocol):
    """A private value with the noise that its loss needs."""

    @property
    def loss(self) -> Loss:
        """What one draw costs, whatever the graph is."""
        ...

    @property
    def text(self) -> str:
        """What is measured and with which noise, for the explanation of a release; public facts only."""
        ...

    def draws(self, noise: Noise, runs: int) -> Any:
        """The outcomes of that many independent runs: an entry or a row for each."""
        ...


Measurements: TypeAlias = tuple[Measurement, ...]
Outcomes: TypeAlias = list[Any]


@dataclass(frozen=True, slots=True)
class Stage:
    """One step of a computation in plain words, and the epsilon it took (0 for free post-processing)."""

    text: str
    epsilon: Fraction = Fraction(0)


def total_loss(measurements: Iterable[Measurement]) -> Pure:
    """The loss of drawing all of them: pure losses add up."""
    return Pure(sum((_pure(measurement) for measurement in measurements), Fraction(0)))


def draw(measurements: Measurements, noise: Noise) -> Outcomes:
    """The outcomes of one run."""
    return [measurement.draws(noise, 1)[0] for measurement in measurements]


def draw_rows(measurements: Measurements, noise: Noise, runs: int) -> Integers:
    """The outcomes of many runs as numbers, a row each: what an audit looks at."""
    return np.column_stack([_rows(measurement, noise, runs) for measurement in measurements])


def stages_of(measurements: Iterable[Measurement]) -> Iterator[Stage]:
    """What was measured and what each measurement cost; after a draw, with those that followed from its outcomes."""
    for measurement in measurements:
        if isinstance(measurement, Adaptive | Together):
            yield from measurement.stages()
        else:
            yield Stage(measurement.text, _charged(measurement))


def _charged(measurement: Measurement) -> Fraction:
    """The epsilon of a pure loss; a zCDP loss has none by itself, and its text says what it costs."""
    return Fraction(0) if isinstance(measurement.loss, Concentrated) else _pure(measurement)


def _pure(measurement: Measurement) -> Fraction:
    kind = type(measurement)
    if not kind.__module__.startswith("graphveil."):  # its loss is what its author says, not what it draws
        raise GuaranteeMismatch(
            f"{kind.__name__} of {kind.__module__} is not a measurement of graphveil, so its loss is not proved here; "
            "build it from NoisyInteger, NoisyVector, LadderInteger or NoisyChoice"
        )
    loss = measurement.loss
    if not isinstance(loss, Pure):
        raise GuaranteeMismatch(f"only pure losses are added up here, not {loss}")
    return loss.epsilon


def _rows(measurement: Measurement, noise: Noise, runs: int) -> Any:
    """A measurement whose outcomes are no numbers shows them as numbers by `rows`."""
    rows = getattr(measurement, "rows", None)
    return measurement.draws(noise, runs) if rows is None else rows(noise, runs)


def plain_outcome(outcome: Any) -> Any:
    """A number of numpy as one of Python, which holds any size; other outcomes as they are."""
    return outcome.item() if isinstance(outcome, np.generic) else outcome


@dataclass(frozen=True, slots=True, eq=False)
class Together:
    """Several measurements as one, so that what follows can depend on all; its outcome is a tuple of theirs."""

    measurements: Measurements

    @property
    def loss(self) -> Pure:
        """The sum of their losses."""
        return total_loss(self.measurements)

    @property
    def text(self) -> str:
        """What each of them measures."""
        return "; ".join(measurement.text for measurement in self.measurements)

    def draws(self, noise: Noise, runs: int) -> list[tuple[Any, ...]]:
        """A tuple of outcomes for each run."""
        return [tuple(draw(self.measurements, noise)) for _ in range(runs)]

    def rows(self, noise: Noise, runs: int) -> Integers:
        """The outcomes as numbers, a row a run."""
        return draw_rows(self.measurements, noise, runs)

    def stages(self) -> Iterator[Stage]:
        """One for each of them."""
        return stages_of(self.measurements)


@dataclass(frozen=True, slots=True, eq=False)
class Adaptive:
    """A first measurement, and further ones that depend on its outcome.

    `key` brings the first outcome to what the further measurements depend on; `following` makes them from the key. They
    may cost `following_epsilon` together. More is refused before any noise of theirs is drawn, so the loss of the
    whole is known in advance whatever the first outcome will be.

    The outcome of a run is a row: the first outcome, then those that followed. In the numbers of many runs zeros fill
    the shorter rows. Where keys hardly ever repeat, many runs all take `audit_key` instead of their own: what follows
    must cost no more than `following_epsilon` for any key, hence for this one.
    """

    first: Measurement
    key: Callable[[Any], Hashable]
    following: Callable[[Any], Measurements]
    following_epsilon: Fraction
    audit_key: Hashable = None
    _made: dict[Hashable, Measurements] = field(default_factory=dict, init=False, repr=False)

    @property
    def loss(self) -> Pure:
        """The first measurement and all that may follow."""
        return Pure(_pure(self.first) + self.following_epsilon)

    @property
    def text(self) -> str:
        """The first measurement; what followed has a text of its own."""
        return self.first.text

    def draws(self, noise: Noise, runs: int) -> Any:
        """Rows of outcomes; one run may also have outcomes that are no numbers."""
        if runs > 1:
            return self.rows(noise, runs)
        outcome = self.first.draws(noise, 1)[0]
        return [(outcome, *draw(self._follow(self.key(plain_outcome(outcome))), noise))]

    def rows(self, noise: Noise, runs: int) -> Integers:
        """The outcomes of many runs as numbers, a row each."""
        if self.audit_key is not None:
            return draw_rows((self.first, *self._follow(self.audit_key)), noise, runs)
        outcomes = _rows(self.first, noise, runs)
        keys: dict[Hashable, list[int]] = {}
        for place, outcome in enumerate(outcomes):
            keys.setdefault(self.key(plain_outcome(outcome)), []).append(place)
        parts = [draw_rows(self._follow(key), noise, len(places)) for key, places in keys.items()]
        rows = np.zeros((runs, max(part.shape[1] for part in parts)), dtype=np.int64)
        for places, part in zip(keys.values(), parts, strict=True):
            rows[places, : part.shape[1]] = part
        return np.column_stack((outcomes, rows))

    def stages(self) -> Iterator[Stage]:
        """The first measurement, then those that followed in the last run."""
        yield from stages_of((self.first,))
        for measurements in list(self._made.values())[-1:]:
            yield from stages_of(measurements)

    def _follow(self, key: Hashable) -> Measurements:
        if key not in self._made:
            made = self.following(key)
            cost = total_loss(made).epsilon
            if cost > self.following_epsilon:
                raise GuaranteeMismatch(
                    f"measurements that follow may cost epsilon {self.following_epsilon}; these cost {cost}"
                )
            self._made[key] = made
        return self._made[key]
