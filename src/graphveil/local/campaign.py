"""A campaign: what clients and the collector agree on before anybody answers.

It is immutable; its id is the hash of its full text, and every report carries the id. Both sides compute scales,
probabilities and the guarantee from it, so neither can be talked into others.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from graphveil.errors import ClaimRefuted, ParameterError
from graphveil.local.protocol import LocalProtocol, check_guarantee
from graphveil.privacy.guarantee import Guarantee, Verdict
from graphveil.privacy.loss import Number
from graphveil.registry import build_protocol

FORMAT = 1
LONGEST_TITLE, LONGEST_TERM = 200, 2_000
_KEYS = {
    "format",
    "title",
    "statistic",
    "protocol",
    "unit",
    "epsilon",
    "people",
    "rounds",
    "minimum_reports",
    "parameters",
    "terms",
}


@dataclass(frozen=True)
class Campaign:
    """A protocol with its parameters, a title that tells it from any other run, and the fewest reports that suffice.

    `terms` holds whatever else the two sides agree on, such as the hash of the roster and the deadlines.

    >>> campaign = Campaign.create("degree-distribution", "grr", unit="node", epsilon="1/2", n_people=100, title="May")
    >>> campaign.guarantee.epsilon, campaign.guarantee.relationship_epsilon
    (Fraction(1, 2), Fraction(1, 1))
    >>> Campaign.from_json(campaign.to_json()) == campaign
    True
    """

    protocol: LocalProtocol
    title: str
    minimum_reports: int
    terms: tuple[tuple[str, str], ...] = ()

    def __post_init__(self) -> None:
        claim = self.protocol.claim
        if claim is not None and claim.verdict is Verdict.REFUTED:
            raise ClaimRefuted(f"{self.protocol.name} may not be deployed: {claim.reason}; simulate it instead")
        check_guarantee(self.protocol)
        if not (_is_a_line(self.title, LONGEST_TITLE) and self.title):
            raise ParameterError(f"a campaign needs a title of 1 to {LONGEST_TITLE} printable characters, in one line")
        if type(self.minimum_reports) is not int or not 1 <= self.minimum_reports <= self.protocol.n_people:
            raise ParameterError(f"minimum_reports must lie in 1..{self.protocol.n_people}, not {self.minimum_reports}")
        if not all(_is_a_line(text, LONGEST_TERM) for term in self.terms for text in term):
            raise ParameterError(
                f"the terms of a campaign are texts of at most {LONGEST_TERM} printable characters, in one line"
            )
        object.__setattr__(self, "terms", tuple(sorted(self.terms)))

    @classmethod
    def create(
        cls,
        statistic: str,
        protocol: str,
        *,
        unit: str,
        epsilon: Number,
        n_people: int,
        title: str,
        minimum_reports: int | None = None,
        terms: Mapping[str, str] | None = None,
        **parameters: Any,
    ) -> Campaign:
        """Look the protocol up and fix its parameters; by default half of the people must report."""
        built = build_protocol(
            statistic, protocol, unit=unit, epsilon=epsilon, n_people=n_people, parameters=parameters
        )
        minimum = (n_people + 1) // 2 if minimum_reports is None else minimum_reports
        return cls(built, title, minimum, tuple((terms or {}).items()))

    @property
    def n_people(self) -> int:
        """How many people are on the roster, numbered from 0."""
        return self.protocol.n_people

    @property
    def rounds(self) -> int:
        """How many times everybody is asked."""
        return self.protocol.rounds

    @property
    def guarantee(self) -> Guarantee:
        """What each person is promised."""
        return self.protocol.guarantee

    def to_json(self) -> str:
        """The full text, in the one form that is hashed."""
        built = self.protocol
        document = {
            "format": FORMAT,
            "title": self.title,
            "statistic": built.statistic,
            "protocol": built.name,
            "unit": built.unit,
            "epsilon": str(built.epsilon),
            "people": built.n_people,
            "rounds": built.rounds,
            "minimum_reports": self.minimum_reports,
            "parameters": built.parameters(),
            "terms": dict(self.terms),
        }
        return json.dumps(document, sort_keys=True, separators=(",", ":"), ensure_ascii=True)

    @cached_property
    def id(self) -> str:
        """The hash of the full text, in hex."""
        return hashlib.sha256(self.to_json().encode()).hexdigest()

    @classmethod
    def from_json(cls, text: str | bytes) -> Campaign:
        """Read a campaign; anything that would not be written back letter for letter is refused."""
        try:
            document: Any = json.loads(text)
        except (ValueError, RecursionError):
            raise ParameterError("a campaign is a JSON document; this text is none") from None
        if not isinstance(document, dict) or set(document) != _KEYS or document["format"] != FORMAT:
            raise ParameterError(f"a campaign has format {FORMAT} and the keys {', '.join(sorted(_KEYS))}")
        if not (isinstance(document["parameters"], dict) and isinstance(document["terms"], dict)):
            raise ParameterError("the parameters and the terms of a campaign are JSON objects")
        if not all(isinstance(document[name], str) for name in ("statistic", "protocol", "unit", "epsilon")):
            raise ParameterError("statistic, protocol, unit and epsilon of a campaign are texts")
        built = build_protocol(
            document["statistic"],
            document["protocol"],
            unit=document["unit"],
            epsilon=document["epsilon"],
            n_people=document["people"],
            parameters=document["parameters"],
        )
        campaign = cls(built, document["title"], document["minimum_reports"], tuple(document["terms"].items()))
        written = text.decode() if isinstance(text, bytes) else text
        if campaign.to_json() != written:
            raise ParameterError("this campaign is not in canonical form; write it with Campaign.to_json")
        return campaign


def _is_a_line(text: object, longest: int) -> bool:
    """Whether a text can be shown as it is: an operator's words must not look like lines that the program prints."""
    return isinstance(text, str) and len(text) <= longest and text.isprintable()
