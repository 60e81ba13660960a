"""Secret masks: pseudo-random bits and words from a key, one stream for each use.

A mask hides a value only if it is used once. So every use has a label of its own, and no two labels give the same
stream: the parts of a label are written with their lengths before they are hashed with the key. The hash is
HMAC-SHA-256, the stream AES-256 in counter mode: both are in libraries, and in every browser. Any piece of a stream
can be made without what is before it.
"""

from __future__ import annotations

import hmac

import numpy as np

from graphveil.arrays import Bytes, Words

KEY_BYTES = 32
_AES_BLOCK = 16


def label_bytes(label: tuple[str | int, ...]) -> bytes:
    """A label as bytes: each part after its length, so that no two labels are written alike."""
    parts = [str(part).encode() for part in label]
    return b"".join(len(part).to_bytes(4, "big") + part for part in parts)


def derive(key: bytes, label: tuple[str | int, ...]) -> bytes:
    """The key that belongs to a key and a label."""
    return hmac.digest(key, label_bytes(label), "sha256")


def stream(key: bytes, label: tuple[str | int, ...], size: int, start: int = 0) -> bytes:
    """That many bytes, from a place on, of the stream that belongs to a key and a label."""
    from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes

    block, before = divmod(start, _AES_BLOCK)
    counter = modes.CTR(block.to_bytes(_AES_BLOCK, "big"))
    return Cipher(algorithms.AES(derive(key, label)), counter).encryptor().update(bytes(before + size))[before:]


def mask_words(key: bytes, label: tuple[str | int, ...], count: int, start: int = 0) -> Words:
    """That many words of 64 bits, from a place on.

    >>> a, b = (mask_words(bytes(32), ("sum", person), 2) for person in (1, 2))
    >>> bool((a == mask_words(bytes(32), ("sum", 1), 2)).all()), bool((a == b).any())
    (True, False)
    """
    return np.frombuffer(stream(key, label, 8 * count, 8 * start), dtype="<u8").astype(np.uint64)


def mask_bits(key: bytes, label: tuple[str | int, ...], count: int, start: int = 0) -> Bytes:
    """That many bits, from a place on, one in each byte."""
    first, before = divmod(start, 8)
    return np.unpackbits(
        np.frombuffer(stream(key, label, -(-(before + count) // 8), first), dtype=np.uint8), count=before + count
    )[before:]
