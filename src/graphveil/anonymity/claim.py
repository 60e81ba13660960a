"""What an anonymised graph claims, and what it does not.

Each notion says: against this adversary, everybody looks like at least k - 1 others. It is a property of one published
graph. It says nothing about an adversary who knows more, does not add up over several publications, and is not
differential privacy, so a claim carries no loss and never becomes a guarantee.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from graphveil.errors import ParameterError, unknown_name


@dataclass(frozen=True, slots=True)
class Notion:
    """One sense in which people can look alike. `implies` names the notions that follow from it."""

    name: str
    adversary: str
    implies: tuple[str, ...]


NOTIONS = {
    notion.name: notion
    for notion in (
        Notion("k-degree", "knows how many friends a person has", ()),
        Notion(
            "k-neighbourhood", "knows a person's friends and which of them are friends of each other", ("k-degree",)
        ),
        Notion(
            "k-refinement",
            "knows how many friends a person has, how many friends each of those has, and so on to any depth",
            ("k-degree",),
        ),
        Notion(
            "k-automorphism",
            "knows any part of the graph around a person, without names",
            ("k-refinement", "k-neighbourhood", "k-degree"),
        ),
        Notion(
            "k-seed",
            "knows any part of the graph around a person, and where everybody else is in it",
            ("k-automorphism", "k-refinement", "k-neighbourhood", "k-degree"),
        ),
    )
}
NOT_PROTECTED = (
    "links: all candidates for two people may be joined, or none",
    "what all k candidates have in common, such as an attribute or a community",
    "against anybody who knows more than this adversary, or sees a second publication of the same people",
)


# Names under which texts have notions of ours. k-self-equivalence asks that k - 1 others have an equivalent set of
# neighbours, and calls two sets equivalent if there is a bijection between them. Any bijection would do for sets of one
# size, which is k-degree; as it is to ask for more than that, one that keeps who knows whom is meant.
OTHER_NAMES = {
    "k-neighborhood": "k-neighbourhood",
    "k-self-equivalence": "k-neighbourhood",
    "k-equivalent-seed": "k-seed",
}


def notion_named(name: str) -> str:
    """The notion of that name, in any spelling, or the one that the method of that name is for.

    >>> notion_named("k-self-equivalence"), notion_named("k-degree-supergraph")
    ('k-neighbourhood', 'k-degree')
    """
    given = OTHER_NAMES.get(name, name)
    for notion in NOTIONS:
        if given == notion or given.startswith(f"{notion}-"):
            return notion
    raise unknown_name("notion", name, (*NOTIONS, *OTHER_NAMES))


@dataclass(frozen=True, slots=True)
class AnonymityClaim:
    """Against this adversary everybody looks like at least k - 1 others: a property of a graph, not of a mechanism.

    `asked` is the notion that was asked for; it differs from `notion` only where a weaker one was allowed. `names` says
    whether people carry new pseudonyms or the names they came with.
    """

    notion: str
    k: int
    adversary: str
    asked: str
    names: str = "new"
    not_protected: tuple[str, ...] = NOT_PROTECTED

    def __post_init__(self) -> None:
        if self.notion not in NOTIONS:
            raise unknown_name("notion", self.notion, NOTIONS)
        if self.k < 1:
            raise ParameterError(f"k is {self.k}; give at least 1")
        if self.names not in ("new", "kept"):
            raise ParameterError(f"names is {self.names!r}; choose new or kept")

    def to_json(self) -> dict[str, Any]:
        """The claim by name of field; says in JSON, too, that it is not differential privacy."""
        return {**asdict(self), "not_protected": list(self.not_protected), "differential_privacy": False}

    def __str__(self) -> str:
        weaker = "" if self.asked == self.notion else f" (weaker than {self.asked}, which was asked for)"
        names = " Names were kept: they must tell nothing by themselves." if self.names == "kept" else ""
        return (
            f"{self.notion}, k = {self.k}{weaker}: somebody who {self.adversary} finds at least {self.k} people "
            f"who fit. This is not differential privacy.{names}"
        )


def claim_of(notion: str, k: int, *, asked: str, names: str) -> AnonymityClaim:
    """The claim of a notion, with the notion's own adversary."""
    return AnonymityClaim(notion, k, NOTIONS[notion].adversary, asked, names)
