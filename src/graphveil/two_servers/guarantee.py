"""What a campaign with two servers promises, against whom, and what it assumes."""

from __future__ import annotations

from fractions import Fraction

from graphveil.errors import ParameterError
from graphveil.privacy.guarantee import Guarantee
from graphveil.privacy.unit import Kind, Trust, Unit

ASSUMES = (
    "AES-256 and HMAC-SHA-256 cannot be told from random functions, and connections are encrypted",
    "the roster is public, and so is who took part",
)
BOTH_CLIENTS = "a relationship is protected if the clients of both ends follow the protocol"
HUB_ENTRY = "an entry of a hub's list is protected if the other end's client cuts its list"
SERVER_COULD = "a server or dealer that departs from the protocol can read chosen friendships unnoticed"

ANYTHING = "one person who lies can move the answer to anything"
SUM_PROOF = "two_servers.sums"
TRIANGLE_PROOF = "two_servers.triangle_terms"

QUESTION = "attribute-shares"
WITH_DEALER = ("triangles", "transitivity")


def epsilon_of_unit(statistic: str, epsilon: Fraction, unit: Unit) -> Fraction:
    """What one entry of a list may cost, a k-th of epsilon under k-edge privacy; for a question one person's answer."""
    if statistic == QUESTION:
        if unit.kind is not Kind.NODE:
            raise ParameterError(f"{QUESTION} protects the answer of a person: --unit node, not {unit}")
        return epsilon
    if unit.kind is not Kind.EDGE:
        raise ParameterError(
            f"two servers promise privacy for entries of a list: --unit edge or K-edge, not {unit}; "
            "for whole lists use a local protocol (--trust local)"
        )
    return epsilon / unit.edges


def promise(epsilon: Fraction, unit: Unit, proof: str, *, has_dealer: bool, more: tuple[str, ...] = ()) -> Guarantee:
    """Epsilon for an entry of one person's list, and twice as much for a relationship, which stands in two lists.

    With the unit node, epsilon is for a person's answer to a question; two people's answers cost twice as much.
    """
    one_of, all_of = (
        ("leader, helper or dealer", "leader, helper and dealer follow the protocol, and no two of them")
        if has_dealer
        else ("leader or helper", "leader and helper follow the protocol, and do not")
    )
    return Guarantee(
        unit=unit,
        trust=Trust.TWO_SERVERS,
        epsilon=epsilon,
        relationship_epsilon=2 * epsilon,
        assumes=(f"{all_of} share what they know", *ASSUMES, *more),
        against=f"the public, and one of the parties ({one_of}) together with any number of participants",
        proof=proof,
        of_answer=unit.kind is Kind.NODE,
    )


def promise_of(statistic: str, epsilon: Fraction, unit: Unit, *, has_hubs: bool) -> Guarantee:
    """The promise of a campaign for a statistic, with what is particular to it."""
    if statistic not in WITH_DEALER:
        return promise(epsilon, unit, SUM_PROOF, has_dealer=False, more=(ANYTHING,))
    more = [BOTH_CLIENTS, SERVER_COULD]
    if has_hubs:
        more.insert(1, HUB_ENTRY)
    if statistic == "transitivity":  # the stars are a sum
        more.append(ANYTHING)
    return promise(epsilon, unit, TRIANGLE_PROOF, has_dealer=True, more=tuple(more))
