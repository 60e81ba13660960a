"""The page of a campaign: where lists are cut and who is a hub, as they follow from noisy degrees.

Everybody first sends a noisy degree to both servers. Each server tells the other which degrees it holds; those that
both hold count. Both compute the page from them and sign its hash, and clients answer nothing but a page that both
servers signed. So nobody can be told a larger limit than the one for which the other server adds noise.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from dataclasses import asdict, dataclass, replace
from functools import cached_property

import numpy as np

from graphveil.arrays import Integers
from graphveil.errors import ParameterError
from graphveil.two_servers.triangle_terms import MOST_HUBS, TriangleTerms
from graphveil.two_servers.triangles import Triangles

DEGREE_BYTES = 4
HASH_BYTES = 32
NO_DEGREE = 2 ** (8 * DEGREE_BYTES) - 1


@dataclass(frozen=True)
class Page:
    """The hash of the noisy degrees, and what follows from them: the limit for lists, and the hubs.

    `without_hubs` is the limit that lists would have without hubs; stars are cut there.
    """

    campaign: str
    degrees: str
    max_degree: int
    hubs: tuple[int, ...]
    without_hubs: int

    @classmethod
    def of_degrees(cls, plan: Triangles, degrees: bytes) -> Page:
        """The page that the plan of a campaign makes of noisy degrees; who told none is counted with degree 0."""
        known = known_degrees(degrees)
        terms, limit = plan.terms(known), replace(plan, hubs=0).terms(known).max_degree
        return cls(plan.campaign, hashlib.sha256(degrees).hexdigest(), terms.max_degree, terms.hubs, limit)

    @classmethod
    def from_json(cls, plan: Triangles, text: str) -> Page:
        """Read a page that another party computed; refuses what a campaign with this plan cannot have."""
        try:
            document = json.loads(text)
            page = cls(**document | {"hubs": tuple(document["hubs"])})
            hubs, n = page.hubs, plan.n_people
            numbers = all(type(each) is int for each in (page.max_degree, page.without_hubs, *hubs))
            fits = (
                numbers
                and 1 <= page.max_degree <= page.without_hubs < n
                and len(hubs) <= (MOST_HUBS if plan.hubs is None else plan.hubs)
            )
            known = fits and list(hubs) == sorted({hub for hub in hubs if 0 <= hub < n})
            if not known or page.campaign != plan.campaign or page.to_json() != text:
                raise ValueError
        except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
            raise ParameterError("this limit for lists does not belong to the campaign") from None
        return page

    def to_json(self) -> str:
        """The text, in the one form that is hashed."""
        return json.dumps(asdict(self), sort_keys=True, separators=(",", ":"))

    @cached_property
    def hash(self) -> bytes:
        """The hash of the text, which both servers sign."""
        return hashlib.sha256(self.to_json().encode()).digest()

    def terms(self, plan: Triangles) -> TriangleTerms:
        """The terms of the count. Masks, cuts and noise belong to this page and to no other of the campaign."""
        label = f"{plan.campaign}/{self.hash.hex()}"
        terms = TriangleTerms(label, plan.n_people, plan.count_epsilon, self.max_degree, self.hubs)
        return plan.checked(terms)


def write_degrees(told: Iterable[int | None]) -> bytes:
    """Everybody's noisy degree in the order of the roster; None for who told none."""
    return np.array([NO_DEGREE if each is None else each for each in told], dtype="<u4").tobytes()


def agreed_degrees(mine: bytes, theirs: bytes) -> bytes:
    """The degrees that both servers hold; who told them different numbers told none."""
    here, there = (np.frombuffer(each, dtype="<u4") for each in (mine, theirs))
    return np.where(here == there, here, NO_DEGREE).astype("<u4").tobytes()


def known_degrees(degrees: bytes) -> Integers:
    """The degrees as numbers, 0 for who told none."""
    told = np.frombuffer(degrees, dtype="<u4").astype(np.int64)
    return np.where(told == NO_DEGREE, 0, told)


def count_degrees(degrees: bytes) -> int:
    """How many people told their degree."""
    return int(np.count_nonzero(np.frombuffer(degrees, dtype="<u4") != NO_DEGREE))
