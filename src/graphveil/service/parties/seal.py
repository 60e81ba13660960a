"""Shares and messages that only their receiver can open, even if a proxy or a false certificate ends TLS on the way.

The seal is HPKE (RFC 9180), to the X25519 key that the campaign's text names. It is made anew whenever bytes are sent.
What parties and clients store, hash and sign is what is inside, so a repeated message is the same message.
"""

from __future__ import annotations

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey, X25519PublicKey
from cryptography.hazmat.primitives.hpke import AEAD, KDF, KEM, Suite

from graphveil.errors import ParameterError
from graphveil.two_servers.streams import label_bytes

_SUITE = Suite(KEM.X25519, KDF.HKDF_SHA256, AEAD.AES_256_GCM)


def seal(x25519: str, label: tuple[str | int, ...], content: bytes) -> bytes:
    """Content that the holder of a key opens under the same label."""
    key = X25519PublicKey.from_public_bytes(bytes.fromhex(x25519))
    return _SUITE.encrypt(content, key, info=label_bytes(label))


def unseal(key: X25519PrivateKey, label: tuple[str | int, ...], sealed: bytes) -> bytes:
    """What is inside; refuses what was sealed to another key, under another label, or changed."""
    try:
        return _SUITE.decrypt(sealed, key, info=label_bytes(label))
    except (InvalidTag, ValueError):
        raise ParameterError("this is not sealed to the key of this party") from None


def share_seal(campaign: str, role: str, person: int) -> tuple[str | int, ...]:
    """Where a person's share belongs."""
    return ("share", campaign, role, person)


def message_seal(path: str) -> tuple[str | int, ...]:
    """Where a message between parties belongs: the path that it is sent to."""
    return ("exchange", path)
