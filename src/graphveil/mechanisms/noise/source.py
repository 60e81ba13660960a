"""Where randomness enters: one interface, three sources.

`SystemNoise` is a ChaCha20 keystream keyed by the operating system's entropy. `SeededNoise` is the same keystream
under a key derived from a seed: for tests and experiments, never for a release. `KeyedNoise` is the same keystream
under a secret key, for a server that may have to draw the same noise again after a crash. Everything random in this
package is computed from one of them, so a run under a seed repeats exactly and a production run cannot be seeded.
"""

from __future__ import annotations

import hashlib
import os
from threading import Lock
from typing import Literal, Protocol

import numpy as np

from graphveil.arrays import Integers, Words
from graphveil.errors import ParameterError


class Noise(Protocol):
    """A stream of uniform random bits."""

    @property
    def kind(self) -> Literal["system", "seeded", "keyed"]:
        """Whether draws are secret (`system`), repeatable (`seeded`), or both for who holds a key (`keyed`)."""
        ...

    def words(self, count: int) -> Words:
        """That many uniform 64-bit words."""
        ...

    def words_again(self, places: Integers) -> Words:
        """Fresh words for the given places of the last call of `words`, whose own were rejected."""
        ...

    def bits(self, count: int) -> int:
        """A uniform integer of that many bits."""
        ...

    def below(self, bound: int) -> int:
        """A uniform integer in 0..bound-1."""
        ...


class _Keystream:
    """ChaCha20 under one key, read front to back and never twice; scalars are served from a small buffer.

    One nonce gives 2^38 bytes (its block counter has 32 bits), so every 2^37 bytes the next nonce takes over. The lock
    keeps two threads from being handed the same bytes.
    """

    __slots__ = ("_buffer", "_encryptor", "_key", "_left", "_lock", "_nonce", "_position")
    _BUFFER_BYTES = 4096
    _BYTES_PER_NONCE = 2**37

    def __init__(self, key: bytes) -> None:
        self._key = key
        self._nonce = 0
        self._left = 0
        self._buffer = b""
        self._position = 0
        self._lock = Lock()

    def read(self, count: int) -> bytes:
        with self._lock:
            if count > self._BUFFER_BYTES:
                return self._fresh(count)
            if self._position + count > len(self._buffer):
                self._buffer = self._fresh(self._BUFFER_BYTES)
                self._position = 0
            start = self._position
            self._position += count
            return self._buffer[start : self._position]

    def _fresh(self, count: int) -> bytes:
        if count > self._left:
            from cryptography.hazmat.primitives.ciphers import Cipher, algorithms

            nonce = bytes(4) + self._nonce.to_bytes(12, "little")  # the block counter, then the nonce itself
            self._encryptor = Cipher(algorithms.ChaCha20(self._key, nonce), mode=None).encryptor()
            self._nonce += 1
            self._left = self._BYTES_PER_NONCE
        self._left -= count
        return self._encryptor.update(bytes(count))


class _StreamNoise:
    """What both sources share: integers and words cut from a byte stream."""

    __slots__ = ("_stream",)
    _stream: _Keystream

    def _read(self, count: int) -> bytes:
        return self._stream.read(count)

    def words(self, count: int) -> Words:
        """That many uniform 64-bit words."""
        return np.frombuffer(self._read(8 * count), dtype="<u8").astype(np.uint64, copy=False)

    def words_again(self, places: Integers) -> Words:
        """Fresh words for the given places."""
        return self.words(len(places))

    def bits(self, count: int) -> int:
        """A uniform integer of that many bits."""
        n_bytes = (count + 7) // 8
        return int.from_bytes(self._read(n_bytes), "little") >> (8 * n_bytes - count)

    def below(self, bound: int) -> int:
        """A uniform integer in 0..bound-1, by rejection."""
        if bound < 1:
            raise ParameterError(f"there is no integer in 0..{bound - 1}")
        width = (bound - 1).bit_length()
        while True:
            draw = self.bits(width)
            if draw < bound:
                return draw


_forks = 0  # from the first process of this program down to this one


def _count_fork() -> None:
    global _forks
    _forks += 1


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_count_fork)


def _this_process() -> tuple[int, int]:
    """No child has the same as its parent: ids are used again and repeat between containers, the count does not."""
    return os.getpid(), _forks


class SystemNoise(_StreamNoise):
    """Production noise: secret, unrepeatable, safe across forks and threads."""

    __slots__ = ("_process",)

    def __init__(self) -> None:
        self._process: tuple[int, int] | None = None

    @property
    def kind(self) -> Literal["system"]:
        """Always `system`: the draws are secret and cannot be repeated."""
        return "system"

    def _read(self, count: int) -> bytes:
        if self._process != (process := _this_process()):  # a forked child must not replay its parent's stream
            self._stream = _Keystream(os.urandom(32))
            self._process = process
        return self._stream.read(count)


class SeededNoise(_StreamNoise):
    """Repeatable noise for tests and experiments; whatever is drawn with it carries no guarantee.

    >>> SeededNoise(7).below(1000) == SeededNoise(7).below(1000)
    True
    """

    __slots__ = ()

    def __init__(self, seed: int) -> None:
        self._stream = _Keystream(hashlib.sha256(b"graphveil-seed:%d" % seed).digest())

    @property
    def kind(self) -> Literal["seeded"]:
        """Always `seeded`: the draws repeat, so they protect nobody."""
        return "seeded"


class KeyedNoise(_StreamNoise):
    """Secret noise under a secret key of 32 bytes: who draws again after a crash draws the same.

    The key must be secret, and used for one draw of one release.

    >>> KeyedNoise(bytes(32)).below(1000) == KeyedNoise(bytes(32)).below(1000)
    True
    """

    __slots__ = ()

    def __init__(self, key: bytes) -> None:
        if len(key) != 32:
            raise ParameterError(f"a key of noise has 32 bytes, not {len(key)}")
        self._stream = _Keystream(key)

    @property
    def kind(self) -> Literal["keyed"]:
        """Always `keyed`: the draws repeat for who has the key, and for nobody else."""
        return "keyed"
