"""Names where they stand in a text, and numbers in place of them.

A name is a range of bytes; only the first of its kind is ever copied. Names are told apart by a 64-bit hash with a
secret key, so that no file can be made up whose names clash. Then each is compared with the first of its number: if two
names share a hash after all, another key is drawn.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from graphveil.graph.files.content import IntArray
from graphveil.graph.files.integers import number_as_seen, translate
from graphveil.graph.mix import finalise
from graphveil.kernels import kernel

if TYPE_CHECKING:
    import polars as pl

Bytes = NDArray[np.uint8]
Numbers = NDArray[np.int32]
BLOCK = 2**14
U = np.uint64


class Names(NamedTuple):
    """Name i is `text[starts[i]:ends[i]]`, in UTF-8."""

    text: Bytes
    starts: IntArray
    ends: IntArray


def names_of(column: pl.Series) -> Names:
    """The names in a column of text."""
    import polars as pl

    array: Any = column.rechunk().to_arrow(compat_level=pl.CompatLevel.oldest())
    _, offsets, text = array.buffers()
    borders = np.frombuffer(offsets, dtype=np.int64)[array.offset :][: len(array) + 1]
    return Names(np.frombuffer(text or b"", dtype=np.uint8), borders[:-1], borders[1:])


def series_of(names: Names) -> pl.Series:
    """A column of names that stand one after the other."""
    import polars as pl
    import pyarrow as pa

    borders = np.append(names.starts, len(names.text))
    buffers = [None, pa.py_buffer(borders), pa.py_buffer(names.text)]
    return pl.Series(pa.Array.from_buffers(pa.large_string(), len(names.starts), buffers))


def intern(pieces: Sequence[Names]) -> tuple[list[Numbers], Names]:
    """Numbers in place of names, in order of first sight, and the distinct names, one after the other."""
    with ThreadPoolExecutor(2) as pool:
        numbers, distinct = zip(*pool.map(_number_names, pieces), strict=True)
        dictionary, everybody = _number_names(_join(distinct))
        borders = np.cumsum([len(names.starts) for names in distinct])[:-1]
        list(pool.map(translate, numbers, np.split(dictionary, borders)))
    return list(numbers), everybody


def _join(pieces: Sequence[Names]) -> Names:
    shifts = np.cumsum([0, *(len(piece.text) for piece in pieces)])[:-1]
    return Names(
        np.concatenate([piece.text for piece in pieces]),
        np.concatenate([piece.starts + shift for piece, shift in zip(pieces, shifts, strict=True)]),
        np.concatenate([piece.ends + shift for piece, shift in zip(pieces, shifts, strict=True)]),
    )


def _number_names(names: Names) -> tuple[Numbers, Names]:
    equal = False
    while not equal:
        numbers, hashes = number_as_seen(_hashes(names, U(secrets.randbits(64))), len(names.starts))
        text, borders = _copy_firsts(*names, numbers, len(hashes))
        equal = _all_equal(*names, numbers, text, borders)
    return numbers, Names(text, borders[:-1], borders[1:])


def _hashes(names: Names, key: np.uint64) -> Iterator[NDArray[np.int64]]:
    """Block by block in the same place, which stays in the processor's cache."""
    buffer = np.empty(BLOCK, dtype=np.int64)
    for begin in range(0, len(names.starts), BLOCK):
        starts, ends = names.starts[begin : begin + BLOCK], names.ends[begin : begin + BLOCK]
        _hash(names.text, starts, ends, key, buffer)
        yield buffer[: len(starts)]


@kernel
def _hash(text: Any, starts: Any, ends: Any, key: Any, hashes: Any) -> None:
    """The last word of a name overlaps the one before where its length is no multiple of eight."""
    for i in range(len(starts)):
        length = ends[i] - starts[i]
        state = _mix(key, U(length))
        if length < 8:
            word = U(0)
            for at in range(starts[i], ends[i]):
                word = word << U(8) | U(text[at])
            state = _mix(state, word)
        else:
            for at in range(starts[i], ends[i] - 8, 8):
                state = _mix(state, _word(text, at))
            state = _mix(state, _word(text, ends[i] - 8))
        hashes[i] = np.int64(state)


@kernel
def _mix(state: Any, word: Any) -> Any:
    """A permutation of the states, another for each word."""
    return finalise(state ^ word)


@kernel
def _word(text: Any, at: Any) -> Any:
    """Eight bytes as one number; compiles to one instruction."""
    i = U(at)
    low = U(text[i]) | U(text[i + U(1)]) << U(8) | U(text[i + U(2)]) << U(16) | U(text[i + U(3)]) << U(24)
    i += U(4)
    high = U(text[i]) | U(text[i + U(1)]) << U(8) | U(text[i + U(2)]) << U(16) | U(text[i + U(3)]) << U(24)
    return low | high << U(32)


@kernel
def _copy_firsts(text: Any, starts: Any, ends: Any, numbers: Any, count: Any) -> Any:
    """The first name with each number, one after the other, and the borders between them."""
    firsts = np.empty(count, dtype=np.int64)
    borders = np.zeros(count + 1, dtype=np.int64)
    seen = 0
    for i in range(len(numbers)):
        if numbers[i] == seen:
            firsts[seen] = i
            borders[seen + 1] = borders[seen] + ends[i] - starts[i]
            seen += 1
    copy = np.empty(borders[count], dtype=np.uint8)
    for number in range(count):
        start = starts[firsts[number]]
        for k in range(borders[number + 1] - borders[number]):
            copy[borders[number] + k] = text[start + k]
    return copy, borders


@kernel
def _all_equal(text: Any, starts: Any, ends: Any, numbers: Any, other: Any, borders: Any) -> Any:
    """Whether every name is the one that stands for its number."""
    for i in range(len(numbers)):
        begin = borders[numbers[i]]
        length = ends[i] - starts[i]
        if borders[numbers[i] + 1] - begin != length:
            return False
        if length < 8:
            for k in range(length):
                if text[starts[i] + k] != other[begin + k]:
                    return False
        else:
            for k in range(0, length - 8, 8):
                if _word(text, starts[i] + k) != _word(other, begin + k):
                    return False
            if _word(text, ends[i] - 8) != _word(other, begin + length - 8):
                return False
    return True
