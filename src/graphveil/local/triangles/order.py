"""Orders that give roles: who ranks above whom, and so which end of a pair answers for it.

The end of the higher rank owns a pair. An order that the campaign's text fixes (a public hash, numbers on the roster,
whether they add up to an even number) is the same for everybody, whatever the collector does. An order that the
collector publishes may differ from one person to the next: `fixed` says so, and losses are computed accordingly.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar

import numpy as np

from graphveil.arrays import AnyArray, Bytes, Integers, Words
from graphveil.errors import ParameterError
from graphveil.mechanisms.noise.person_streams import public_words

CLASSES_PER_DOUBLING = 4
DEGREE_CLASSES = 31 * CLASSES_PER_DOUBLING  # for degrees below 2^31
LEAST_SHARE = 0.1  # of people above, for a size to tell how long the whole list is


class Order(ABC):
    """How everybody is ranked; `fixed` if the campaign's text alone decides."""

    fixed: ClassVar[bool] = True

    @abstractmethod
    def ranks(self, n_people: int, published: Sequence[Any]) -> Integers:
        """Everybody's rank; an empty array where the numbers of a pair decide who owns it (`PairOwners`)."""

    def publish(self, n_people: int, people: Integers, values: Integers) -> Bytes:
        """A byte for each person that makes the order, from what these people sent in the first round."""
        raise AssertionError(f"{type(self).__name__} is fixed by the campaign and is not published")

    def read(self, n_people: int, data: bytes) -> Bytes:
        """What `publish` made, from bytes; refuses what no honest collector publishes."""
        made = np.frombuffer(data, dtype=np.uint8)
        if len(made) != n_people:
            raise ParameterError(f"the published order has {len(made)} bytes; {n_people} people need as many")
        if made.max(initial=0) > self.largest_byte:
            raise ParameterError(f"the published order has a byte {made.max()}, above {self.largest_byte}")
        return made

    @property
    def largest_byte(self) -> int:
        """The largest byte that `publish` gives anybody."""
        raise ParameterError(f"{type(self).__name__} is fixed by the campaign and is not published")

    def best_connected(self, ranks: Integers, people: Integers, sizes: Integers, number: int) -> Integers:
        """So many people with long lists, as far as is known, in an order where all count among those that follow.

        A size is divided by the share of people above; near the top of the order it says little.
        """
        own = ranks[people]
        above = np.maximum(1 - own / len(ranks), LEAST_SHARE)
        chosen = np.argsort(sizes / above)[-number:]
        return people[chosen[np.argsort(own[chosen])]]


class NumberParity(Order):
    """The numbers of a pair decide: half of the pairs of each person."""

    def ranks(self, n_people: int, published: Sequence[Any]) -> Integers:
        """No ranks."""
        return np.empty(0, dtype=np.int64)


class NumberOrder(Order):
    """The higher number on the roster ranks higher."""

    def ranks(self, n_people: int, published: Sequence[Any]) -> Integers:
        """The numbers themselves."""
        return np.arange(n_people)


class HashOrder(Order):
    """A public hash of the number on the roster."""

    def ranks(self, n_people: int, published: Sequence[Any]) -> Integers:
        """Places in the order of the hash."""
        return ranks_of(order_words(n_people))


@dataclass(frozen=True, slots=True)
class DegreeOrder(Order):
    """By classes of noisy degrees, which are published; `falling` puts people of high degree at the bottom."""

    fixed: ClassVar[bool] = False

    falling: bool = False

    def ranks(self, n_people: int, published: Sequence[Any]) -> Integers:
        """Places by published class, then by number."""
        classes = published[0].astype(np.int64)
        return ranks_of(-classes if self.falling else classes)

    def publish(self, n_people: int, people: Integers, values: Integers) -> Bytes:
        """Everybody's class; people who did not answer are in the lowest, where they have nothing to report."""
        classes = np.zeros(n_people, dtype=np.uint8)
        classes[people] = degree_classes(values)
        return classes

    @property
    def largest_byte(self) -> int:
        """The class of the highest degrees."""
        return DEGREE_CLASSES

    def best_connected(self, ranks: Integers, people: Integers, sizes: Integers, number: int) -> Integers:
        """The end of the order where degrees are high; in the falling one people count among those below."""
        return np.argsort(-ranks if self.falling else ranks)[-number:]


@dataclass(frozen=True, slots=True)
class StrengthOrder(Order):
    """By published strengths: whoever chose a larger epsilon ranks lower; among equals a public hash decides."""

    fixed: ClassVar[bool] = False

    epsilons: tuple[Fraction, ...]

    def ranks(self, n_people: int, published: Sequence[Any]) -> Integers:
        """Places by published strength, then by hash."""
        return ranks_of(order_words(n_people), published[0])

    def publish(self, n_people: int, people: Integers, values: Integers) -> Bytes:
        """1 for the largest epsilon, and so on; people who did not answer get 0, where they have nothing to report."""
        falling = sorted(set(self.epsilons), reverse=True)
        place_of = np.array([1 + falling.index(epsilon) for epsilon in self.epsilons], dtype=np.uint8)
        places = np.zeros(n_people, dtype=np.uint8)
        places[people] = place_of[values]
        return places

    @property
    def largest_byte(self) -> int:
        """The place of the smallest epsilon."""
        return len(set(self.epsilons))


def degree_classes(noisy_degrees: Integers) -> Bytes:
    """Four classes for each doubling of a degree: as good an order as the numbers themselves, in a byte.

    >>> degree_classes(np.array([-3, 1, 2, 3, 4, 100])).tolist()
    [0, 1, 5, 7, 9, 27]
    """
    edges = 2 ** (np.arange(DEGREE_CLASSES) / CLASSES_PER_DOUBLING)
    return np.searchsorted(edges, noisy_degrees, side="right").astype(np.uint8)


def order_words(n_people: int) -> Words:
    """A public hash that orders everybody."""
    return public_words("triangle-order", np.arange(n_people))


def ranks_of(*keys: AnyArray) -> Integers:
    """Everybody's place in the order of the last key, then of those before it, then of numbers.

    >>> ranks_of(np.array([5, 3, 4]), np.array([1, 1, 0])).tolist()
    [2, 1, 0]
    """
    ranks = np.empty(len(keys[0]), dtype=np.int64)
    ranks[np.lexsort(keys)] = np.arange(len(keys[0]))
    return ranks
