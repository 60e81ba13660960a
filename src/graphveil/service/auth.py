"""Bearer tokens. A token names its holder and carries a secret; the collector keeps only its hash.

    gvp.17.<43 letters>     p: a person, o: an operator, g: a gateway that relays reports; 17: the row of the holder

The row is looked up by its number and the hashes are compared in constant time, so neither the answer nor the time it
takes tells how much of a guess was right. The secret has 256 bits: guessing is hopeless and a slow hash has no use.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import re
import secrets
import time
from collections.abc import Callable, Sequence
from enum import StrEnum
from typing import NamedTuple

NOBODY = -1  # the row of a holder who cannot be
_LONGEST = 18  # digits of a row's number
_person = re.compile(rf"gvp\.([0-9]{{1,{_LONGEST}}})\..", re.DOTALL).match


class Role(StrEnum):
    """What the holder of a token may do."""

    PERSON = "p"
    OPERATOR = "o"
    GATEWAY = "g"


_ROLES = {f"gv{role.value}": role for role in Role}


class Token(NamedTuple):
    """A token taken apart: what it claims to be, and the hash that has to match."""

    role: Role
    holder: int
    hash: bytes

    @classmethod
    def parse(cls, text: str) -> Token | None:
        """None for anything that is not a token."""
        kind, _, rest = text.partition(".")
        holder, _, secret = rest.partition(".")
        role = _ROLES.get(kind)
        if role is None or not (holder.isascii() and holder.isdigit() and len(holder) <= _LONGEST and secret):
            return None
        return cls(role, int(holder), hash_token(text))

    def matches(self, stored: bytes | None) -> bool:
        """Whether this is the token whose hash was stored; takes as long if nothing was."""
        return hmac.compare_digest(self.hash, stored or bytes(32)) and stored is not None


class Recent:
    """Tokens found right a moment ago: who sends thousands of requests is not looked up for each of them.

    >>> now = [0.0]
    >>> recent, token = Recent(5.0, lambda: now[0]), Token.parse("gvg.1.secret")
    >>> recent.remember(token, "relay")
    >>> recent.recall(token), recent.recall(Token.parse("gvg.1.guess"))
    ('relay', None)
    >>> now[0] = 5.0
    >>> recent.recall(token) is None
    True
    """

    def __init__(self, seconds: float, timer: Callable[[], float] = time.monotonic) -> None:
        self._seconds, self._timer = seconds, timer
        self._known: dict[tuple[Role, int], tuple[bytes, str, float]] = {}

    def remember(self, token: Token, name: str) -> None:
        """Take note that a token was checked, and of the name of its holder."""
        self._known[token.role, token.holder] = (token.hash, name, self._timer() + self._seconds)

    def recall(self, token: Token | None) -> str | None:
        """Whose token it is, if it was checked lately."""
        if token is None or (known := self._known.get((token.role, token.holder))) is None:
            return None
        stored, name, until = known
        return name if token.matches(stored) and self._timer() < until else None


def is_person(token: Token | None, stored: bytes | None) -> bool:
    """Whether a token is that of the person with this hash."""
    return token is not None and token.role is Role.PERSON and token.matches(stored)


def read_persons(texts: Sequence[str]) -> tuple[list[int], list[bytes]]:
    """The rows that many people's tokens name, `NOBODY` for what is no person's token; and the hashes of all texts.

    >>> read_persons(["gvp.17.secret", "gvo.1.secret", "gvp.17."])[0]
    [17, -1, -1]
    """
    return [int(found[1]) if (found := _person(text)) else NOBODY for text in texts], [*map(hash_token, texts)]


def new_token(role: Role, holder: int) -> str:
    """A fresh secret for a holder."""
    return f"gv{role.value}.{holder}.{secrets.token_urlsafe(32)}"


def derived_token(role: Role, holder: int, secret: str) -> str:
    """The token of a holder that follows from a secret of 256 bits: the same request again gets the same token.

    >>> derived_token(Role.PERSON, 7, "s") == derived_token(Role.PERSON, 7, "s") != derived_token(Role.PERSON, 8, "s")
    True
    """
    digest = hmac.digest(secret.encode(), f"graphveil token {role.value} {holder}".encode(), "sha256")
    return f"gv{role.value}.{holder}.{base64.urlsafe_b64encode(digest).decode().rstrip('=')}"


def hash_token(text: str) -> bytes:
    """What is kept of a token."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest()
