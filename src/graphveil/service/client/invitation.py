"""An invitation: one link that holds all a person needs to join. What stands after the # never reaches a server log.

    https://collector.example/join/<id of the campaign>#<name>:<token>

The id is the hash of the campaign's text, so a client that trusts the link need not trust the collector about it.
"""

from __future__ import annotations

import re
import secrets
from dataclasses import dataclass
from typing import Self
from urllib.parse import quote, unquote

from graphveil.errors import ParameterError
from graphveil.service.auth import Role, derived_token

PAIR = "gv2."  # begins a secret for two servers
_FORM = re.compile(r"(https?://[^#\s]+)/join/([0-9a-f]{64})#([^:\s]+):?(\S*)", re.ASCII)


@dataclass(frozen=True, slots=True)
class Invitation:
    """Where, what, who, and the secret that proves it; people who joined before have their token already.

    >>> invitation = Invitation("http://localhost:8137", "ab" * 32, "Ann B", "gvp.1.x")
    >>> invitation.link[-20:], Invitation.parse(invitation.link) == invitation
    ('abab#Ann%20B:gvp.1.x', True)
    """

    url: str
    campaign_id: str
    name: str
    token: str = ""

    @property
    def link(self) -> str:
        """The invitation as one line: an address that a browser opens too."""
        return f"{self.url}/join/{self.campaign_id}#{quote(self.name, safe='')}:{self.token}"

    @property
    def is_for_two_servers(self) -> bool:
        """Whether the secret is one from which the tokens of two servers follow; it is shown to neither."""
        return self.token.startswith(PAIR)

    @classmethod
    def parse(cls, link: str) -> Self:
        """The invitation behind one line; refuses what is none."""
        match = _FORM.fullmatch(link.strip())
        if match is None:
            raise ParameterError("an invitation looks like http://host:port/join/ID#NAME:TOKEN")
        url, campaign_id, name, token = match.groups()
        return cls(url, campaign_id, unquote(name), token)


def new_pair(number: int) -> str:
    """A fresh secret for the person of a number, from which their token for each of two servers follows."""
    return f"{PAIR}{number}.{secrets.token_urlsafe(32)}"


def token_of_pair(pair: str, role: str, number: int) -> str:
    """The token of a person for the server of a role: the other server's cannot be computed from it."""
    return derived_token(Role.PERSON, number, f"{pair}/{role}")
