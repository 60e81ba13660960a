"""Repeatable noise for a crowd: every person draws from a stream of their own.

A simulation perturbs everybody in one call; a deployed client perturbs one person. For both to give the same numbers
under one seed, a person's words must not depend on who else is in the call. Here word s of person u is a fixed function
of (seed, turn, u, s), so any part of the crowd, down to one person, reads exactly its own words.

What makes this work is a rule for vectorised mechanisms: a request is laid out person by person, everybody draws the
same number of words in the same order, and a rejected word is replaced through `words_again`, from a side stream of the
same person. The function is a public mixing function (Steele, Lea and Flood 2014): good enough to simulate with, no
secret. Clients in production draw from `SystemNoise`.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike

from graphveil.arrays import Bits, Integers, Words
from graphveil.errors import ParameterError
from graphveil.graph.mix import mix
from graphveil.kernels import kernel
from graphveil.mechanisms.noise.source import Noise

MOST_WORDS = 2**20  # of one request; samplers cut longer ones, which would split persons


class CrowdNoise:
    """One repeatable stream for each of the given people, in turn `turn` of a protocol.

    >>> everybody = CrowdNoise(7, range(5)).words(10).reshape(5, 2)
    >>> bool((CrowdNoise(7, [3]).words(2) == everybody[3]).all())
    True
    """

    __slots__ = ("_asked", "_attempt", "_seed", "_step", "_turn", "people")

    def __init__(self, seed: int, people: ArrayLike, *, turn: int = 0) -> None:
        self.people = np.asarray(people, dtype=np.int64)
        self._seed = seed
        self._turn = turn
        self._step = 0  # words every person has drawn
        self._asked = 0  # words a person drew in the last request
        self._attempt = 0

    @property
    def kind(self) -> Literal["seeded"]:
        """Always `seeded`: the draws repeat, so they protect nobody."""
        return "seeded"

    def words(self, count: int) -> Words:
        """The next count / (number of people) words of every person, person by person."""
        width, rest = divmod(count, max(1, len(self.people)))
        if rest:
            raise ParameterError(f"{count} words cannot be dealt evenly to {len(self.people)} people")
        words: Words = _deal(self.key("stream"), self.people, np.uint64(self._step), width)
        self._step += width
        self._asked = width
        self._attempt = 0
        return words

    def words_again(self, places: Integers) -> Words:
        """Fresh words for the given places of the last request, each from its person's side stream."""
        self._attempt += 1
        slots = (self._step - self._asked + places % self._asked) * 256 + self._attempt
        again: Words = _look_up(self.key("again"), self.people[places // self._asked], slots.astype(np.uint64))
        return again

    def words_at(self, people: ArrayLike, slots: ArrayLike) -> Words:
        """Words by address, for draws that are only made when needed (one for each pair of people, say)."""
        owners, places = np.broadcast_arrays(np.asarray(people, dtype=np.int64), np.asarray(slots, dtype=np.uint64))
        found: Words = _look_up(self.key("address"), np.ascontiguousarray(owners), np.ascontiguousarray(places))
        return found

    def bits(self, count: int) -> int:
        """A uniform integer of that many bits; for a crowd of one."""
        self._alone()
        n_words = (count + 63) // 64
        return int.from_bytes(self.words(n_words).astype("<u8").tobytes(), "little") >> (64 * n_words - count)

    def below(self, bound: int) -> int:
        """A uniform integer in 0..bound-1; for a crowd of one."""
        while (draw := self.bits((bound - 1).bit_length())) >= bound:
            pass
        return draw

    def key(self, lane: str) -> np.uint64:
        """The public key of one of the unrelated streams; `word_at` makes words of it inside a kernel."""
        text = f"graphveil-crowd:{self._seed}:{self._turn}:{lane}"
        return np.uint64(int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "little"))

    def among(self, part: slice | Bits) -> CrowdNoise:
        """The same streams, at the same place, for a part of the crowd."""
        fewer = CrowdNoise(self._seed, self.people[part], turn=self._turn)
        fewer._step = self._step
        return fewer

    def pass_over(self, other: CrowdNoise) -> None:
        """Go on where another part of the crowd has stopped."""
        self._step = other._step

    def _alone(self) -> None:
        if len(self.people) != 1:
            raise ParameterError(f"a crowd of {len(self.people)} draws in arrays; only one person draws single numbers")


def noise_among(noise: Noise, part: Bits) -> Noise:
    """Noise for a part of the people it is for; one stream for all needs no cutting."""
    return noise.among(part) if isinstance(noise, CrowdNoise) else noise


def public_words(label: str, people: ArrayLike) -> Words:
    """A word for each person that anybody can compute: roles that depend on nothing but numbers on the roster."""
    crowd = CrowdNoise(0, people)
    words: Words = _look_up(crowd.key(f"public:{label}"), crowd.people, np.zeros(len(crowd.people), dtype=np.uint64))
    return words


def in_parts(noise: Noise, people: int, width: int) -> Iterator[tuple[slice, Noise]]:
    """The crowd cut into parts that draw at most `MOST_WORDS` words at once when everybody draws `width` of them.

    Every part must make the same requests. Memory stays bounded, and no sampler has to cut a request itself.
    """
    size = max(1, MOST_WORDS // max(1, width))
    part_noise = noise
    for start in range(0, people, size):
        part = slice(start, min(start + size, people))
        if isinstance(noise, CrowdNoise):
            part_noise = noise.among(part)
        yield part, part_noise
    if isinstance(noise, CrowdNoise) and isinstance(part_noise, CrowdNoise):
        noise.pass_over(part_noise)


@kernel
def word_at(key: Any, person: Any, slot: Any) -> Any:
    """Word `slot` of a person's stream under a key; all three are 64-bit words."""
    return mix(mix(key ^ mix(person)) ^ mix(slot))


@kernel
def _deal(key: Any, people: Any, first: Any, width: Any) -> Any:
    words = np.empty(len(people) * width, dtype=np.uint64)
    for i in range(len(people)):
        for s in range(width):
            words[i * width + s] = word_at(key, np.uint64(people[i]), first + np.uint64(s))
    return words


@kernel
def _look_up(key: Any, people: Any, slots: Any) -> Any:
    words = np.empty(len(people), dtype=np.uint64)
    for i in range(len(people)):
        words[i] = word_at(key, np.uint64(people[i]), slots[i])
    return words
