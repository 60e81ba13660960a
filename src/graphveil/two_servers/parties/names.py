"""Who the parties of a campaign are: operators, addresses and keys, which must differ."""

from __future__ import annotations

import ipaddress
import re
from dataclasses import dataclass
from urllib.parse import urlsplit

from graphveil.errors import ParameterError

LEADER, HELPER, DEALER = ROLES = ("leader", "helper", "dealer")
_ADDRESS = re.compile(r"https?://(?:[A-Za-z0-9.-]{1,253}|\[[0-9A-Fa-f:.]{2,45}\])(?::[0-9]{1,5})?", re.ASCII)


@dataclass(frozen=True, slots=True)
class PartyName:
    """Who runs a server, where it is reached, the key of its signatures, and the one that seals what is sent to it."""

    role: str
    operator: str
    url: str
    ed25519: str
    x25519: str

    def __post_init__(self) -> None:
        if self.role not in ROLES:
            raise ParameterError(f"a party is a {', '.join(ROLES)}, not {self.role!r}")
        if not (0 < len(self.operator) <= 200 and self.operator.isprintable()):
            raise ParameterError(f"the {self.role} needs the name of its operator, in one line of at most 200 letters")
        if not _ADDRESS.fullmatch(self.url):
            raise ParameterError(f"the address of the {self.role} looks like https://host or https://host:port")
        if urlsplit(self.url).scheme != "https" and not _is_this_machine(self.url):
            raise ParameterError(f"the {self.role} is at {self.url}: shares travel over https only")
        for key in (self.ed25519, self.x25519):
            if len(key) != 64 or set(key) - set("0123456789abcdef"):
                raise ParameterError(f"a key of the {self.role} is 64 hexadecimal digits")

    @property
    def origin(self) -> str:
        """The address as browsers write it, without the usual port."""
        return self.url.lower().removesuffix(":443" if self.url.startswith("https") else ":80")

    @property
    def host(self) -> str:
        """The name of the machine in its address; for a trial on one machine with the port."""
        parts = urlsplit(self.url)
        return parts.netloc if _is_this_machine(self.url) else (parts.hostname or "").lower().rstrip(".")


def refuse_one_operator(parties: tuple[PartyName, ...]) -> None:
    """Two parties of one operator, host or key are one party, and could put the shares together."""
    for what, values in (
        ("operator", [" ".join(each.operator.casefold().split()) for each in parties]),
        ("host", [each.host for each in parties]),
        ("key", [each.ed25519 for each in parties]),
        ("key", [each.x25519 for each in parties]),
    ):
        if len(set(values)) != len(values):
            raise ParameterError(f"two parties have the same {what}; each needs its own, or nothing is hidden")


def _is_this_machine(url: str) -> bool:
    host = urlsplit(url).hostname or ""
    try:
        return host == "localhost" or ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False
