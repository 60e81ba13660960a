"""The terms that this service writes into a campaign: roster, deadlines, and what the operator tells people.

The hash of the roster, when each round closes at the latest, who asks, why, and for how long answers are kept: all are
part of the text that is hashed into the campaign's id, so neither side can change them later. A roster is a text with
one name a line; the person on line k (from 0) has the number k.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence

from graphveil.errors import ParameterError
from graphveil.local.campaign import Campaign
from graphveil.service.service import to_seconds, to_text

LONGEST_NAME = 200
LONGEST_STATEMENT = 1_000
STATEMENTS = {  # what an operator tells people, and what it answers
    "controller": "who asks",
    "contact": "whom people write to",
    "purpose": "why they are asked",
    "retention": "how long what they send is kept",
}


def write_roster(names: Sequence[str]) -> bytes:
    r"""The text of a roster; every name stands in it once.

    >>> write_roster(["ann", "bob"])
    b'ann\nbob\n'
    """
    first: dict[str, int] = {}
    for place, name in enumerate(names, 1):
        if first.setdefault(name, place) != place:
            raise ParameterError(f"a roster has everybody once, and name {place:,} is name {first[name]:,} again")
    fine = all(name and name == name.strip() and name.isprintable() and len(name) <= LONGEST_NAME for name in names)
    if not fine:
        raise ParameterError(f"a roster has different names, one line each, of 1 to {LONGEST_NAME} characters")
    return "".join(f"{name}\n" for name in names).encode()


def read_roster(campaign: Campaign, content: bytes) -> list[str]:
    """Names in the order of their numbers, if this is the roster the campaign was published with."""
    if hashlib.sha256(content).hexdigest() != dict(campaign.terms).get("roster"):
        raise ParameterError("this roster is not the one that the campaign was published with")
    names = read_names(content)
    if len(names) != campaign.n_people:
        raise ParameterError("the roster and the campaign disagree about the number of people")
    return names


def read_names(content: bytes) -> list[str]:
    """The names in a roster; refuses what `write_roster` would not write."""
    try:
        names = content.decode().splitlines()
    except UnicodeDecodeError:
        raise ParameterError("a roster is a text, and this one is none") from None
    if write_roster(names) != content:
        raise ParameterError("a roster has one name a line, and every line ends")
    return names


def write_terms(
    roster: bytes, deadlines: Sequence[float], statements: Mapping[str, str] | None = None
) -> dict[str, str]:
    """The terms of a campaign, as `Campaign.create` takes them; statements that are empty are left out."""
    closes = " ".join(to_text(moment) for moment in deadlines)
    stated = {name: " ".join(text.split()) for name, text in (statements or {}).items()}
    if not set(stated) <= set(STATEMENTS):
        raise ParameterError(f"an operator states {', '.join(STATEMENTS)} and nothing else")
    if not all(text.isprintable() and len(text) <= LONGEST_STATEMENT for text in stated.values()):
        raise ParameterError(f"{', '.join(STATEMENTS)}: each is a text of at most {LONGEST_STATEMENT} characters")
    return {"roster": hashlib.sha256(roster).hexdigest(), "closes": closes} | {k: v for k, v in stated.items() if v}


def read_statements(campaign: Campaign) -> dict[str, str]:
    """What the operator told people, by its name; empty where nothing was said."""
    return {name: dict(campaign.terms).get(name, "") for name in STATEMENTS}


def unstated(statements: Mapping[str, str]) -> list[str]:
    """The names of what an operator has not told people.

    >>> unstated({"purpose": "a seating plan", "contact": " "})
    ['controller', 'contact', 'retention']
    """
    return [name for name in STATEMENTS if not statements.get(name, "").strip()]


def read_deadlines(campaign: Campaign) -> list[float]:
    """When each round closes at the latest."""
    moments = [to_seconds(text) for text in dict(campaign.terms).get("closes", "").split()]
    if len(moments) != campaign.rounds or sorted(set(moments)) != moments:
        raise ParameterError(f"a campaign of {campaign.rounds} rounds needs as many deadlines, one after the other")
    return moments
