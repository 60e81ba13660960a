"""Noisy counts of the classes among people's friends, from which classes are predicted; each person sends one row.

Paper      ours: the ordered reading of central.edge.class_rows where nobody holds the graph
Unit       edge; one entry of one person's friend list; who has which label is public
Trust      local
Guarantee  pure epsilon for an entry and, since one end of each pair counts the other, for a friendship
Estimator  every count is unbiased with integer Laplace noise; predictions: graphveil.learn
Cost       four bytes for each class up, nothing down

Every person has a public role (`learn.roles`, one block): 0 anchors and 1 readers have a label, 2 is to be predicted. A
person counts the classes of friends of lower roles; of two anchors the owner of the pair counts the other
(`pairs.pair_owners`). Two readers, and two people to be predicted, do not count each other.

Loss. An entry of a list moves one count of the row by one, or none; the noise on each count has the rate epsilon. Of
two friends the roles and numbers, which the campaign's text fixes, let one at most count the other: so a friendship
costs epsilon too.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Any, ClassVar

import numpy as np

from graphveil.arrays import Bits, Integers
from graphveil.errors import ParameterError, ReportRefused
from graphveil.graph.core import Graph
from graphveil.learn.affinity import laplace_variance
from graphveil.learn.estimator import share_interval
from graphveil.learn.inference import Setting, replay
from graphveil.learn.people import MOST_CLASSES, LabelledPeople
from graphveil.learn.roles import ANCHORS, READER_SHARE, Roles, public_order
from graphveil.local.lists import Lists
from graphveil.local.losses import COUNTED_ROLES, Message, Messages, Role, RolePairs
from graphveil.local.messages import Reason
from graphveil.local.payloads import check_lengths
from graphveil.local.protocol import PUBLIC_ROSTER, Cost, Estimate, LocalProtocol, RoundContext, Transcript
from graphveil.local.randomizers import AddedLaplaceRow
from graphveil.privacy.unit import Kind

UNKNOWN = "-"
LABELS_PUBLIC = "who has which label is public, and no label was made by looking at the friend lists"


@dataclass(frozen=True, slots=True, kw_only=True)
class LocalClassRows(LocalProtocol):
    """Public parameters: the classes; for everybody the number of the class or "-", and the role; the digest of both.

    >>> protocol = LocalClassRows(epsilon=1, n_people=6)
    >>> protocol.labels, protocol.roles, protocol.guarantee.relationship_epsilon
    ('0 1 - 1 0 -', '102012', Fraction(1, 1))
    """

    statistic: ClassVar[str] = "class-rows"
    name: ClassVar[str] = "veil"
    unit: ClassVar[str] = "edge"

    classes: tuple[str, ...] = ("a", "b")
    labels: str = ""
    roles: str = ""
    table: str = ""

    def __post_init__(self) -> None:
        LocalProtocol.__post_init__(self)
        if not self.labels and not self.roles:  # a campaign for tries
            made = [UNKNOWN if person % 3 == 2 else str(person % 2) for person in range(self.n_people)]
            roles = ["2" if label == UNKNOWN else "10"[person % 2] for person, label in enumerate(made)]
            object.__setattr__(self, "labels", " ".join(made))
            object.__setattr__(self, "roles", "".join(roles))
        if not 2 <= len(self.classes) <= MOST_CLASSES:
            raise ParameterError(f"2 to {MOST_CLASSES} classes are needed, not {len(self.classes)}")
        if not all(name.strip() and name.isprintable() for name in self.classes):
            raise ParameterError("the name of a class must be readable, in one line")
        known = {UNKNOWN, *map(str, range(len(self.classes)))}
        given = self.labels.split(" ")
        fits = all((label == UNKNOWN) == (role == "2") for label, role in zip(given, self.roles, strict=False))
        if not (
            len(given) == len(self.roles) == self.n_people and set(given) <= known and set(self.roles) <= set("012")
        ):
            raise ParameterError(
                f"labels and roles must have a class or - and a role 0, 1 or 2 for {self.n_people} people"
            )
        if not fits or "0" not in self.roles or "2" not in self.roles:
            raise ParameterError(
                "anchors and readers (0, 1) need a label, others (2) have none, and both must be there"
            )

    @property
    def facts(self) -> tuple[Integers, Integers]:
        """Everybody's class, -1 where it is to be predicted, and role."""
        return _numbers(self.labels, self.roles)

    @property
    def row(self) -> AddedLaplaceRow:
        """How a row is sent: noise for one count that moves by one, cut to as many people as there are."""
        return AddedLaplaceRow(self.epsilon, bound=self.n_people)

    def messages(self, context: RoundContext, choice: int = 0) -> Messages:
        """One row, which depends on the entries that a person counts."""
        return Messages(Kind.EDGE, (Message("row", self.row, COUNTED_ROLES),))

    @property
    def role_pairs(self) -> RolePairs:
        """One end counts the other, or neither does."""
        return frozenset({(Role.COUNTED, Role.NEITHER)})

    def assumes(self, choice: int = 0) -> tuple[str, ...]:
        """That roster and labels are public."""
        return (PUBLIC_ROSTER, LABELS_PUBLIC)

    def counts_entries(self, people: Integers, friends: Integers) -> Bits:
        """Whether each of these people counts that friend."""
        _, roles = self.facts
        low, high = np.minimum(people, friends), np.maximum(people, friends)
        owns = np.where((low + high) % 2 == 0, low, high) == people
        counted: Bits = (roles[friends] < roles[people]) | (
            owns & (roles[people] == ANCHORS) & (roles[friends] == ANCHORS)
        )
        return counted

    def exact(self, context: RoundContext, lists: Lists) -> dict[str, Any]:
        """The classes of the friends whom everybody counts."""
        labels, _ = self.facts
        places = np.repeat(np.arange(len(lists)), lists.degrees)
        kept = self.counts_entries(lists.people[places], lists.indices)
        rows = np.zeros((len(lists), len(self.classes)), dtype=np.int64)
        np.add.at(rows, (places[kept], labels[lists.indices[kept]]), 1)
        return {"row": rows}

    def pack(self, context: RoundContext, people: Integers, batch: Integers) -> list[bytes]:
        """Each row as four bytes for each class."""
        return [row.tobytes() for row in batch.astype(">i4")]

    def unpack(self, context: RoundContext, people: Integers, payloads: Sequence[bytes]) -> Integers:
        """Rows whose counts lie within the bound to which clients cut them."""
        check_lengths(payloads, 4 * len(self.classes))
        rows = np.frombuffer(b"".join(payloads), dtype=">i4").astype(np.int64).reshape(len(payloads), len(self.classes))
        if np.abs(rows).max(initial=0) > self.n_people:
            raise ReportRefused(Reason.MALFORMED, f"the counts of a row lie in -{self.n_people}..{self.n_people}")
        return rows

    def cells(self, people: Integers, rows: Integers) -> Integers:
        """The counts in the order of the plan of `learn.roles`: a table of anchors, rows of readers and of the others.

        The row of somebody who did not report is empty.
        """
        labels, roles = self.facts
        everybody = np.zeros((self.n_people, len(self.classes)), dtype=np.int64)
        everybody[people] = rows
        table = np.zeros((len(self.classes), len(self.classes)), dtype=np.int64)
        anchors = roles == ANCHORS
        np.add.at(table, labels[anchors], everybody[anchors])
        both = table + table.T - np.diag(np.diag(table))
        return np.concatenate(
            [both[np.triu_indices(len(self.classes))], *(everybody[roles == role].ravel() for role in (1, 2))]
        )

    def estimate(self, transcript: Transcript) -> Estimate:
        """All counts with the deviation of their noise, and how many readers labels alone predict right."""
        (received,) = transcript.received
        cells = self.cells(received.people, received.batch)
        labels, roles = self.facts
        shares = np.bincount(labels[labels >= 0], minlength=len(self.classes)) + 1.0
        prior = np.tile(np.log(shares / shares.sum()), (self.n_people, 1))
        found = replay(Setting(Roles(roles, 1), labels, prior, float(self.epsilon), 1), cells)
        share, low, high = share_interval(found.right, found.tried)
        facts = {
            "table": self.table,
            "passes": 1,
            "rate": str(self.epsilon),
            "roles": self.roles,
            "accuracy without features": f"{share:.3f} of {found.tried} readers (95 %: {low:.3f} to {high:.3f})",
            "most common class": f"{(shares - 1).max() / (shares - 1).sum():.3f}",
        }
        size, anchors = len(self.classes), np.bincount(labels[roles == ANCHORS], minlength=len(self.classes))
        first, second = np.triu_indices(size)
        summed = anchors[first] + np.where(first == second, 0, anchors[second])
        times = np.concatenate([summed, np.ones(len(cells) - len(summed))])
        return Estimate(cells, np.sqrt(times * laplace_variance(float(self.epsilon))), facts)

    def cost(self) -> Cost:
        """One row up, nothing down."""
        return Cost(32 * len(self.classes))


@lru_cache(maxsize=8)
def _numbers(labels: str, roles: str) -> tuple[Integers, Integers]:
    classes = [-1 if label == UNKNOWN else int(label) for label in labels.split(" ")]
    return np.array(classes, dtype=np.int64), np.array([int(role) for role in roles], dtype=np.int64)


def parameters_of(people: LabelledPeople) -> dict[str, Any]:
    """The public parameters of a campaign among the people of a table, whose roster has their names in its order."""
    labelled = public_order(people, np.flatnonzero(people.labels >= 0), 1)
    roles = np.where(people.labels < 0, 2, ANCHORS)
    roles[labelled[: int(READER_SHARE * len(labelled))]] = 1
    labels = [UNKNOWN if label < 0 else str(label) for label in people.labels.tolist()]
    return {
        "classes": people.classes,
        "labels": " ".join(labels),
        "roles": "".join(map(str, roles.tolist())),
        "table": people.without_features().digest,
    }


def exact_cells(graph: Graph, protocol: LocalClassRows | None = None) -> Integers:
    """The counts of a campaign without their noise, for experiments on a graph one holds."""
    built = protocol or LocalClassRows(epsilon=Fraction(1), n_people=graph.n_nodes)
    lists = Lists.of_graph(graph)
    return built.cells(lists.people, built.exact(RoundContext(), lists)["row"])
