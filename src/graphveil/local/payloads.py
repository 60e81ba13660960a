"""Batches as bytes, one payload for each person, and back; whatever an honest client could not send is refused."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from graphveil.arrays import Bits, Bytes, Integers
from graphveil.errors import ReportRefused
from graphveil.local.messages import Reason


def pack_numbers(numbers: Integers, bound: int) -> list[bytes]:
    """Each number of 0..bound-1 in as few whole bytes as all of them fit in."""
    width = number_bytes(bound)
    return [int(number).to_bytes(width, "big") for number in numbers]


def unpack_numbers(payloads: Sequence[bytes], bound: int) -> Integers:
    """The numbers behind payloads; refuses other lengths and numbers outside 0..bound-1."""
    width = number_bytes(bound)
    check_lengths(payloads, width)
    digits = np.frombuffer(b"".join(payloads), dtype=np.uint8).reshape(len(payloads), width)
    numbers: Integers = digits @ (1 << 8 * np.arange(width - 1, -1, -1, dtype=np.int64))
    if len(numbers) and numbers.max() >= bound:
        raise ReportRefused(Reason.MALFORMED, f"the number in a payload must lie in 0..{bound - 1}")
    return numbers


def pack_bits(rows: Bits) -> list[bytes]:
    """Each row of bits in whole bytes."""
    return [row.tobytes() for row in np.packbits(rows, axis=1)]


def unpack_bits(payloads: Sequence[bytes], width: int) -> Bits:
    """Rows of `width` bits; what is left over of the last byte must be zero."""
    return np.unpackbits(packed_rows(payloads, width), axis=1, count=width).view(np.bool_)


def packed_rows(payloads: Sequence[bytes], width: int) -> Bytes:
    """The same rows, eight bits to a byte."""
    check_lengths(payloads, (width + 7) // 8)
    packed = np.frombuffer(b"".join(payloads), dtype=np.uint8).reshape(len(payloads), (width + 7) // 8)
    if width % 8 and (packed[:, -1] & (255 >> width % 8)).any():
        raise ReportRefused(Reason.MALFORMED, "the unused bits of a payload must be zero")
    return packed


def check_lengths(payloads: Sequence[bytes], length: int) -> None:
    """Every payload has exactly that many bytes."""
    if not set(map(len, payloads)) <= {length}:
        raise ReportRefused(Reason.MALFORMED, f"a payload of this campaign has {length} bytes")


def number_bits(bound: int) -> int:
    """Bits that tell apart the numbers 0..bound-1."""
    return (bound - 1).bit_length()


def number_bytes(bound: int) -> int:
    """Whole bytes that tell them apart."""
    return max(1, (number_bits(bound) + 7) // 8)
