"""Secret masks: pseudo-random bits and words from a key, one stream for each use.

A mask hides a value only if it is used once. So every use has a label of its own, and no two labels give the same
stream: the parts of a label are written with their lengths before they are hashed with the key. The hash is keyed
BLAKE2b, the stream AES-256 in counter mode, both from libraries.
"""

from __future__ import annotations

import hashlib

import numpy as np

from graphveil.arrays import Bytes, Words

KEY_BYTES = 32


def label_bytes(label: tuple[str | int, ...]) -> bytes:
    """A label as bytes: each part after its length, so that no two labels are written alike."""
    parts = [str(part).encode() for part in label]
    return b"".join(len(part).to_bytes(4, "big") + part for part in parts)


def stream(key: bytes, label: tuple[str | int, ...], size: int) -> bytes:
    """The first `size` bytes of the stream that belongs to a key and a label."""
    from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes

    derived = hashlib.blake2b(label_bytes(label), key=key, digest_size=KEY_BYTES, person=b"two-servers").digest()
    return Cipher(algorithms.AES(derived), modes.CTR(bytes(16))).encryptor().update(bytes(size))


def mask_words(key: bytes, label: tuple[str | int, ...], count: int) -> Words:
    """That many words of 64 bits.

    >>> a, b = (mask_words(bytes(32), ("sum", person), 2) for person in (1, 2))
    >>> bool((a == mask_words(bytes(32), ("sum", 1), 2)).all()), bool((a == b).any())
    (True, False)
    """
    return np.frombuffer(stream(key, label, 8 * count), dtype="<u8").astype(np.uint64)


def mask_bits(key: bytes, label: tuple[str | int, ...], count: int) -> Bytes:
    """That many bits, one in each byte."""
    return np.unpackbits(np.frombuffer(stream(key, label, -(-count // 8)), dtype=np.uint8), count=count)
