"""The text of a campaign with two servers: the question, the promise, and who runs which server under which key.

It is immutable. Its id is the hash of the text, and stands in every mask, message and signature. Clients and servers
compute masks, noise and the guarantee from it, so nobody can be talked into others.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from datetime import datetime
from functools import cached_property
from typing import Any

from graphveil.errors import ParameterError
from graphveil.mechanisms.laplace import laplace_rate
from graphveil.privacy.guarantee import Guarantee
from graphveil.privacy.loss import exact_epsilon
from graphveil.privacy.unit import Unit
from graphveil.two_servers.cost import MOST_PEOPLE
from graphveil.two_servers.guarantee import QUESTION, WITH_DEALER, epsilon_of_unit, promise_of
from graphveil.two_servers.parties.names import ROLES, PartyName, refuse_one_operator
from graphveil.two_servers.parties.page import Page
from graphveil.two_servers.sum_statistics import OF_DEGREES, AttributeShares, Stars, SumStatistic
from graphveil.two_servers.sums import SumTerms
from graphveil.two_servers.transitivity import Transitivity
from graphveil.two_servers.triangle_terms import TriangleTerms
from graphveil.two_servers.triangles import Triangles

FORMAT = "two-servers-1"
STATISTICS = ("edges", "degree-distribution", "degree-histogram", "k-stars", "triangles", "transitivity", QUESTION)
CUT = ("k-stars", *WITH_DEALER)  # lists are cut, at a public max_degree or one from a round of noisy degrees
MOST_TEXT = 100_000  # characters
STATEMENTS = ("controller", "contact", "purpose", "retention")  # what people are told


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
    hubs: int | None = 0  # None: noisy degrees decide how many
    values: tuple[str, ...] = ()  # the answers that a question offers
    degrees_close: str | None = None  # the end of the round of noisy degrees, where there is one

    def __post_init__(self) -> None:
        self._check_numbers()
        self._check_parties()
        if not (1 <= len(self.title) <= 200 and self.title.isprintable()):
            raise ParameterError("a campaign needs a title of 1 to 200 printable characters, in one line")
        if not all(k in STATEMENTS and v.isprintable() and len(v) <= 1_000 for k, v in self.statements):
            raise ParameterError(
                f"an operator states {', '.join(STATEMENTS)}, each in one line of at most 1,000 letters"
            )
        if self.asks_degrees != (self.degrees_close is not None):
            raise ParameterError("a round of noisy degrees needs a time when it closes; other campaigns have none")
        if self.degrees_closing_time >= self.closing_time:
            raise ParameterError("the round of noisy degrees closes before the campaign does")
        self.guarantee  # noqa: B018 - refuses what cannot be promised
        self._largest_terms()

    def _check_numbers(self) -> None:
        for name in ("people", "minimum_reports", "max_degree", "k", "hubs"):
            value = getattr(self, name)
            if type(value) is not int and (value is not None or name in ("people", "minimum_reports")):
                raise ParameterError(f"{name} must be a whole number")
        if not 2 <= self.people < 2**31:
            raise ParameterError("a campaign needs 2 to 2^31 - 1 people")
        if not 2 <= self.minimum_reports <= self.people:
            raise ParameterError(f"minimum_reports must lie in 2..{self.people}, not {self.minimum_reports}")
        if self.statistic not in STATISTICS:
            raise ParameterError(f"two servers answer {', '.join(STATISTICS)}, not {self.statistic}")
        if self.max_degree is not None and self.statistic not in CUT:
            raise ParameterError(f"only {' and '.join(CUT)} have a max_degree")
        if (self.statistic == "k-stars") != (self.k is not None):
            raise ParameterError("k-stars need a number of leaves (--option k=2); other statistics have none")
        if (self.statistic == QUESTION) != bool(self.values):
            raise ParameterError(
                f"{QUESTION} need answers to offer (--option values=no,yes); other statistics have none"
            )
        if self.hubs != 0 and not self.has_dealer:
            raise ParameterError("only triangles and transitivity have hubs")
        if self.has_dealer and self.people > MOST_PEOPLE:
            raise ParameterError(
                f"triangles are counted for at most {MOST_PEOPLE:,} people here, not {self.people:,}; "
                "ask for edges or degree-distribution, or use a local protocol"
            )

    def _check_parties(self) -> None:
        if tuple(each.role for each in self.parties) != (ROLES if self.has_dealer else ROLES[:2]):
            needed = (
                "a leader, a helper and a dealer (--dealer URL)" if self.has_dealer else "a leader and a helper only"
            )
            raise ParameterError(f"{self.statistic} takes {needed}")
        refuse_one_operator(self.parties)

    @property
    def has_dealer(self) -> bool:
        """Whether a third party deals random numbers: products of secrets need it, sums do not."""
        return self.statistic in WITH_DEALER

    @property
    def asks_degrees(self) -> bool:
        """Whether a round of noisy degrees comes first."""
        return self.statistic in CUT and self.max_degree is None

    @property
    def asks_hubs(self) -> bool:
        """Whether the best connected people may be asked about each other."""
        return self.asks_degrees and self.hubs != 0

    @property
    def closing_time(self) -> float:
        """When shares are no longer taken, in seconds since 1970."""
        return _seconds(self.closes)

    @property
    def degrees_closing_time(self) -> float:
        """When noisy degrees are no longer taken; long ago where there are none."""
        return 0.0 if self.degrees_close is None else _seconds(self.degrees_close)

    @cached_property
    def guarantee(self) -> Guarantee:
        """What an entry of a list and a relationship lose, against whom, and what is assumed."""
        epsilon, unit = exact_epsilon(self.epsilon), Unit.parse(self.unit)
        epsilon_of_unit(self.statistic, epsilon, unit)
        return promise_of(self.statistic, epsilon, unit, has_hubs=self.asks_hubs)

    @cached_property
    def transitivity(self) -> Transitivity:
        """How epsilon is shared between triangles and stars, where both are asked for."""
        return Transitivity(self._whole_plan)

    @cached_property
    def plan(self) -> Triangles:
        """How epsilon is shared between noisy degrees and the count, of triangles or of stars."""
        return self.transitivity.triangles if self.statistic == "transitivity" else self._whole_plan

    @property
    def _whole_plan(self) -> Triangles:
        epsilon = epsilon_of_unit(self.statistic, exact_epsilon(self.epsilon), Unit.parse(self.unit))
        return Triangles(self.id, self.people, epsilon, self.max_degree, self.hubs)

    def stars_beside(self, page: Page | None) -> Stars:
        """The stars with two leaves that transitivity needs beside the triangles: cut where no hub is."""
        limit = self.max_degree if page is None else page.without_hubs
        assert limit is not None
        return Stars(self.people, limit)

    def triangle_terms(self, page: Page | None) -> TriangleTerms:
        """Where lists are cut, and who is a hub; from the text alone if there is no round of noisy degrees."""
        if self.asks_degrees != (page is not None):
            raise ParameterError("this campaign needs the page of its noisy degrees, and only such a campaign does")
        return self.plan.terms(None) if page is None else page.terms(self.plan)

    def summed(self, page: Page | None) -> SumStatistic:
        """The statistic of a campaign that adds up numbers."""
        if self.statistic == "k-stars":
            assert self.k is not None
            return Stars(self.people, self.triangle_terms(page).max_degree, self.k)
        if self.statistic == QUESTION:
            return AttributeShares(self.people, self.values)
        return OF_DEGREES[self.statistic](self.people)

    def terms(self, page: Page | None = None) -> TriangleTerms | SumTerms:
        """How a person's answer is split, and the rate of each server's noise."""
        if self.has_dealer:
            return self.triangle_terms(page)
        statistic = self.summed(page)
        rate = laplace_rate(
            self.plan.count_epsilon if self.statistic in CUT else self.plan.epsilon, statistic.sensitivity
        )
        return SumTerms(self._label(page), self.statistic, statistic.length, rate)

    def terms_beside(self, page: Page | None) -> SumTerms | None:
        """The same for a sum that is collected beside a count of triangles."""
        if self.statistic != "transitivity":
            return None
        stars = self.stars_beside(page)
        return SumTerms(self._label(page), "2-stars", stars.length, self.transitivity.star_rate(stars))

    def _label(self, page: Page | None) -> str:
        return self.id if page is None else f"{self.id}/{page.hash.hex()}"

    def _largest_terms(self) -> None:
        """Refuse what might not fit into 64 bits, and hubs whose answers would be noise alone."""
        hubs = range(min(self.hubs or 0, self.people - 1))
        most = self.people - 1
        widest = Page(self.id, "", most, tuple(hubs), without_hubs=most) if self.asks_degrees else None
        self.terms(widest)
        self.terms_beside(widest)

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
            if len(text) > MOST_TEXT:
                raise ParameterError(f"the text of a campaign has at most {MOST_TEXT:,} characters")
            document: Any = json.loads(text)
            if not is_two_server_text(document) or set(document) != {"format", *(each.name for each in fields(cls))}:
                raise ParameterError(f"a campaign with two servers has the format {FORMAT}, with all of its keys")
            del document["format"]
            parties = tuple(PartyName(**each) for each in document.pop("parties"))
            statements, values = tuple(sorted(document.pop("statements").items())), tuple(document.pop("values"))
            campaign = cls(**document, parties=parties, statements=statements, values=values)
        except ParameterError:
            raise
        except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
            raise ParameterError("this is not the text of a campaign with two servers") from None
        if campaign.to_json() != (text.decode() if isinstance(text, bytes) else text):
            raise ParameterError("this campaign is not in canonical form; write it with TwoServerCampaign.to_json")
        return campaign


def _seconds(moment: str) -> float:
    try:
        read = datetime.fromisoformat(moment)
        if read.tzinfo is None:
            raise ValueError
        return read.timestamp()
    except (ValueError, OverflowError):
        raise ParameterError(f"a time looks like 2026-05-01T12:00:00Z, not like {moment[:40]!r}") from None


def is_two_server_text(document: Any) -> bool:
    """Whether a JSON document is the text of a campaign with two servers."""
    return isinstance(document, Mapping) and document.get("format") == FORMAT
