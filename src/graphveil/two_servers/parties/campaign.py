"""The text of a campaign with two servers: the question, the promise, and who runs which server under which key.

It is immutable. Its id is the hash of the text, and stands in every mask, message and signature. Clients and servers
compute masks, noise and the guarantee from it, so nobody can be talked into others.
"""

from __future__ import annotations

import hashlib
import ipaddress
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from datetime import datetime
from fractions import Fraction
from functools import cached_property
from typing import Any
from urllib.parse import urlsplit

from graphveil.errors import ParameterError
from graphveil.mechanisms.laplace import laplace_rate
from graphveil.privacy.guarantee import Guarantee
from graphveil.privacy.loss import exact_epsilon
from graphveil.privacy.unit import Unit
from graphveil.two_servers.guarantee import BOTH_CLIENTS, SERVER_COULD, entry_epsilon, promise
from graphveil.two_servers.sum_statistics import DegreeDistribution, DegreeHistogram, Edges, Stars, SumStatistic
from graphveil.two_servers.sums import SumTerms
from graphveil.two_servers.triangle_terms import TriangleTerms
from graphveil.two_servers.triangles import Triangles

FORMAT = "two-servers-1"
LEADER, HELPER, DEALER = ROLES = ("leader", "helper", "dealer")
STATISTICS = ("edges", "degree-distribution", "degree-histogram", "k-stars", "triangles")
CUT = ("k-stars", "triangles")  # lists are cut at a public max_degree
STATEMENTS = ("controller", "contact", "purpose", "retention")  # what people are told
MOST_PEOPLE_FOR_TRIANGLES = 10_000  # servers hold about 40 bytes for each pair of people while they count


@dataclass(frozen=True, slots=True)
class PartyName:
    """Who runs a server, where it is reached, and the key that its signatures are checked with."""

    role: str
    operator: str
    url: str
    ed25519: str

    def __post_init__(self) -> None:
        if self.role not in ROLES:
            raise ParameterError(f"a party is a {', '.join(ROLES)}, not {self.role!r}")
        if not (0 < len(self.operator) <= 200 and self.operator.isprintable()):
            raise ParameterError(f"the {self.role} needs the name of its operator, in one line of at most 200 letters")
        if urlsplit(self.url).scheme != "https" and not _is_this_machine(self.host):
            raise ParameterError(f"the {self.role} is at {self.url}: shares travel over https only")
        if len(self.ed25519) != 64 or set(self.ed25519) - set("0123456789abcdef"):
            raise ParameterError(f"the key of the {self.role} is 64 hexadecimal digits")

    @property
    def host(self) -> str:
        """The name of the machine in its address."""
        return (urlsplit(self.url).hostname or "").lower()


@dataclass(frozen=True)
class TwoServerCampaign:
    """What all parties and everybody who takes part agree on before a share is sent."""

    title: str
    statistic: str
    unit: str
    epsilon: str
    people: int
    minimum_reports: int
    closes: str
    roster: str
    parties: tuple[PartyName, ...]
    max_degree: int | None = None
    k: int | None = None
    statements: tuple[tuple[str, str], ...] = ()

    def __post_init__(self) -> None:
        if not (1 <= len(self.title) <= 200 and self.title.isprintable()):
            raise ParameterError("a campaign needs a title of 1 to 200 printable characters, in one line")
        for name in (
            "people",
            "minimum_reports",
            *(each for each in ("max_degree", "k") if getattr(self, each) is not None),
        ):
            if type(getattr(self, name)) is not int:
                raise ParameterError(f"{name} must be a whole number")
        if self.people < 2 or not 2 <= self.minimum_reports <= self.people:
            raise ParameterError(f"minimum_reports must lie in 2..{self.people}, not {self.minimum_reports}")
        if self.statistic not in STATISTICS:
            raise ParameterError(f"two servers answer {', '.join(STATISTICS)}, not {self.statistic}")
        if (self.statistic in CUT) != (self.max_degree is not None):
            raise ParameterError(
                f"{' and '.join(CUT)} need a public max_degree (--option max_degree=D); other statistics have none"
            )
        if (self.statistic == "k-stars") != (self.k is not None):
            raise ParameterError("k-stars need a number of leaves (--option k=2); other statistics have none")
        if self.has_dealer and self.people > MOST_PEOPLE_FOR_TRIANGLES:
            raise ParameterError(
                f"triangles are counted for at most {MOST_PEOPLE_FOR_TRIANGLES:,} people here, not {self.people:,}; "
                "ask for edges or degree-distribution, or use a local protocol"
            )
        if tuple(each.role for each in self.parties) != (ROLES if self.has_dealer else ROLES[:2]):
            raise ParameterError(f"{self.statistic} needs a leader and a helper{', and a dealer' * self.has_dealer}")
        _refuse_one_operator(self.parties)
        if not all(k in STATEMENTS and v.isprintable() and len(v) <= 1_000 for k, v in self.statements):
            raise ParameterError(
                f"an operator states {', '.join(STATEMENTS)}, each in one line of at most 1,000 letters"
            )
        self.closing_time  # noqa: B018 - refuses a text that is no time
        self.guarantee, self.rate  # noqa: B018 - refuses what cannot be promised

    @property
    def has_dealer(self) -> bool:
        """Whether a third party deals random numbers: products of secrets need it, sums do not."""
        return self.statistic == "triangles"

    @property
    def closing_time(self) -> float:
        """When shares are no longer taken, in seconds since 1970."""
        try:
            moment = datetime.fromisoformat(self.closes)
            if moment.tzinfo is None:
                raise ValueError
            return moment.timestamp()
        except (ValueError, OverflowError):
            raise ParameterError(f"a time looks like 2026-05-01T12:00:00Z, not like {self.closes[:40]!r}") from None

    @cached_property
    def rate(self) -> Fraction:
        """Of the noise that each server adds to each number."""
        if self.has_dealer:
            return self.triangle_terms.rate
        return laplace_rate(self._entry_epsilon, self.summed.sensitivity)

    @property
    def _entry_epsilon(self) -> Fraction:
        return entry_epsilon(exact_epsilon(self.epsilon), Unit.parse(self.unit))

    @cached_property
    def guarantee(self) -> Guarantee:
        """What an entry of a list and a relationship lose, against whom, and what is assumed."""
        epsilon, unit = exact_epsilon(self.epsilon), Unit.parse(self.unit)
        entry_epsilon(epsilon, unit)
        if self.has_dealer:
            more: tuple[str, ...] = (BOTH_CLIENTS, SERVER_COULD)
            return promise(epsilon, unit, "two_servers.triangle_terms", has_dealer=True, more=more)
        more = ("one person who lies can move the answer to anything",)
        return promise(epsilon, unit, "two_servers.sums", has_dealer=False, more=more)

    @property
    def summed(self) -> SumStatistic:
        """The statistic of a campaign that adds up numbers."""
        if self.statistic == "k-stars":
            assert self.max_degree is not None
            assert self.k is not None
            return Stars(self.people, self.max_degree, self.k)
        if self.statistic == "degree-distribution":
            return DegreeDistribution(self.people)
        return DegreeHistogram(self.people) if self.statistic == "degree-histogram" else Edges(self.people)

    @cached_property
    def sum_terms(self) -> SumTerms:
        """How a person's numbers are split."""
        return SumTerms(self.id, self.statistic, self.summed.length, self.rate)

    @cached_property
    def triangles(self) -> Triangles:
        """The plan of a campaign for triangles."""
        return Triangles(self.id, self.people, self._entry_epsilon, self.max_degree, 0)

    @cached_property
    def triangle_terms(self) -> TriangleTerms:
        """How a person's row is cut and split."""
        return self.triangles.terms(None)

    def party(self, role: str) -> PartyName:
        """The party of a role; refuses a role that the campaign does not have."""
        for each in self.parties:
            if each.role == role:
                return each
        raise ParameterError(f"this campaign has no {role}")

    def to_json(self) -> str:
        """The full text, in the one form that is hashed."""
        document = asdict(self) | {"format": FORMAT, "statements": dict(self.statements)}
        return json.dumps(document, sort_keys=True, separators=(",", ":"), ensure_ascii=True)

    @cached_property
    def id(self) -> str:
        """The hash of the full text, in hex."""
        return hashlib.sha256(self.to_json().encode()).hexdigest()

    @classmethod
    def from_json(cls, text: str | bytes) -> TwoServerCampaign:
        """Read a campaign; anything that would not be written back letter for letter is refused."""
        try:
            document: Any = json.loads(text)
            if not is_two_server_text(document) or set(document) != {"format", *(each.name for each in fields(cls))}:
                raise ParameterError(f"a campaign with two servers has the format {FORMAT}, with all of its keys")
            del document["format"]
            parties = tuple(PartyName(**each) for each in document.pop("parties"))
            statements = tuple(sorted(document.pop("statements").items()))
            campaign = cls(**document, parties=parties, statements=statements)
        except ParameterError:
            raise
        except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
            raise ParameterError("this is not the text of a campaign with two servers") from None
        if campaign.to_json() != (text.decode() if isinstance(text, bytes) else text):
            raise ParameterError("this campaign is not in canonical form; write it with TwoServerCampaign.to_json")
        return campaign


def is_two_server_text(document: Any) -> bool:
    """Whether a JSON document is the text of a campaign with two servers."""
    return isinstance(document, Mapping) and document.get("format") == FORMAT


def _refuse_one_operator(parties: tuple[PartyName, ...]) -> None:
    """Two parties of one operator, host or key are one party, and could put the shares together."""
    for what, values in (
        ("operator", [" ".join(each.operator.casefold().split()) for each in parties]),
        ("host", [each.host for each in parties]),
        ("key", [each.ed25519 for each in parties]),
    ):
        if len(set(values)) != len(values):
            raise ParameterError(f"two parties have the same {what}; each needs its own, or nothing is hidden")


def _is_this_machine(host: str) -> bool:
    try:
        return host == "localhost" or ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False
