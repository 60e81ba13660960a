"""Triangle protocols: noisy pairs, then noisy counts of them.

Everybody answers for some pairs by randomised response; the noisy graph is published; everybody counts the noisy edges
within a part of the own list, corrects the count for the pairs that noise alone makes, adds noise and sends it. Of
which parts a protocol is made, and what it costs, says its `design`; `counts` has the count and its sensitivity.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar

import numpy as np

from graphveil.arrays import Bits, Integers
from graphveil.errors import ParameterError
from graphveil.local.degrees.preference import IN_THE_CLEAR
from graphveil.local.degrees.protocol import WHOLE_LIST
from graphveil.local.estimation.noisy_total import MOST_PEOPLE
from graphveil.local.estimation.overlap import MEASURED
from graphveil.local.lists import Lists
from graphveil.local.losses import Messages, RolePairs
from graphveil.local.memory import report_bytes
from graphveil.local.pairs.count import Looks, one_pair_in
from graphveil.local.pairs.graph_part import read_part, write_part
from graphveil.local.pairs.noisy_graph import PairBits, join_replies
from graphveil.local.pairs.pair_owners import PairOwners
from graphveil.local.pairs.replies import OwnPairs, unpack_replies
from graphveil.local.pairs.response import PARTS, PairResponse
from graphveil.local.protocol import PUBLIC_ROSTER, Cost, Estimate, LocalProtocol, Received, RoundContext, Transcript
from graphveil.local.randomizers import Scaled
from graphveil.local.triangles.counts import Budget, Counted, Schedule, capped_pairs
from graphveil.local.triangles.design import Design, design_of
from graphveil.local.triangles.ranges import range_of
from graphveil.local.triangles.reports import (
    HEAD_BYTES,
    NUMBER_BYTES,
    Batch,
    Publication,
    count_choices,
    merge_numbers,
    merge_strengths,
    numbers_of,
    pack_batch,
    public_key,
    read_head,
    unpack_numbers,
)
from graphveil.privacy.unit import Kind


@dataclass(frozen=True, slots=True, kw_only=True)
class TriangleProtocol(LocalProtocol):
    """The rounds, the messages and their losses; a protocol says in which round what is sent, and its design."""

    statistic: ClassVar[str] = "triangles"
    unit: ClassVar[str] = "edge"
    schedule: ClassVar[Schedule]

    def __init_subclass__(cls) -> None:
        super(TriangleProtocol, cls).__init_subclass__()
        cls.rounds = len(cls.schedule)

    @abstractmethod
    def make_design(self) -> Design:
        """The parts, from the public parameters."""

    @property
    def design(self) -> Design:
        """The parts, made once for each protocol."""
        return design_of(self)

    def budget(self, context: RoundContext, choice: int = 0) -> Budget:
        """The epsilon of each message at one strength, given what was published."""
        return self.design.strengths[choice].budget

    def response(self, context: RoundContext) -> PairResponse:
        """How a pair is reported: alike at every strength."""
        return PairResponse(self.budget(context).pairs, self.design.kept)

    def check_messages(self) -> None:
        """Refuse parameters with which an answer about a pair says nothing."""
        LocalProtocol.check_messages(self)
        self.response(RoundContext())

    def messages(self, context: RoundContext, choice: int = 0) -> Messages:
        """A degree, a size, answers and a count, each drawn at the epsilon of the budget."""
        return self.design.strengths[choice].messages(self.budget_messages(self.budget(context, choice)))

    def budget_messages(self, budget: Budget) -> Messages:
        """All messages under one division of epsilon."""
        design = self.design
        return budget.messages(Kind(self.unit), self.n_people, self.schedule, design.noise, design.kept)

    @property
    def role_pairs(self) -> RolePairs:
        """The roles that the order and the counted entries allow."""
        return self.design.role_pairs

    @property
    def n_strengths(self) -> int:
        """As many as the design offers."""
        return len(self.design.strengths)

    def assumes(self, choice: int = 0) -> tuple[str, ...]:
        """The public roster; that a whole list means the person's own; that the choice of a strength is public."""
        facts = (PUBLIC_ROSTER,) if self.unit == "edge" else WHOLE_LIST
        return (*facts, IN_THE_CLEAR) if self.design.strengths[choice].name else facts

    def pair_owners(self, context: RoundContext) -> PairOwners:
        """Who answers for which pair."""
        design = self.design
        ranks = design.order.ranks(self.n_people, context.published)
        return PairOwners(self.n_people, Fraction(1, design.owned_one_in), design.salt, ranks)

    def counted_lists(self, context: RoundContext, lists: Lists) -> Lists:
        """The part of each list that its person counts in."""
        counted = self.design.counted
        if counted is Counted.ALL:
            return lists
        owners = self.pair_owners(context)
        return owners.only_owned(lists) if counted is Counted.OWNED else owners.without_owned(lists)

    def most_counted(self, context: RoundContext, people: Integers) -> Integers:
        """How many entries each of these people can count at most: all below or above in the order, or everybody."""
        ranks, others, counted = self.pair_owners(context).ranks, self.n_people - 1, self.design.counted
        if not len(ranks) or counted is Counted.ALL:
            return np.full(len(people), others)
        return ranks[people] if counted is Counted.OWNED else others - ranks[people]

    def bounds(self, context: RoundContext, people: Integers, numbers: Batch, choice: int = 0) -> Integers:
        """Up to which size of a counted list nothing is lost, from the numbers that these people released."""
        most = self.most_counted(context, people)
        last = context.published[-1] if context.published else None
        notice = last.notice if isinstance(last, Publication) else 0
        return self.design.strengths[choice].limits.bounds(numbers, most, self.budget(context, choice), notice)

    def contribution_caps(self, context: RoundContext, bounds: Integers, choice: int = 0) -> Integers:
        """Most noisy edges accepted at one person on a counted list."""
        design = self.design
        return design.strengths[choice].limits.caps(bounds, self.response(context), design.weight)

    def widths(self, context: RoundContext, bounds: Integers, choice: int = 0) -> Integers:
        """By how much one entry (unit node: one list) can change 2^16 F."""
        design = self.design
        return design.strengths[choice].limits.widths(bounds, self.response(context), design.weight)

    def exact(self, context: RoundContext, lists: Lists) -> dict[str, Any]:
        """What this round's schedule lists, part by part."""
        released = merge_numbers(context.sent)
        if not np.array_equal(released.get("choice", lists.choices), lists.choices):
            raise ParameterError("a strength is picked once, in the first round; go on with that one")
        made: dict[str, Callable[[], Any]] = {
            "degree": lambda: lists.degrees,
            "size": lambda: self.counted_lists(context, lists).degrees,
            "pairs": lambda: OwnPairs.unless(self.design.closed(lists.choices), lists, self.pair_owners(context)),
            "count": lambda: self._counts(context, lists.cleared(self.design.closed(lists.choices)), released),
        }
        return {part: made[part]() for part in self.schedule[context.round - 1] if part in made}

    def _counts(self, context: RoundContext, lists: Lists, released: Batch) -> Scaled:
        """2^16 F for each list, and by how much that can change, which follows from released numbers."""
        values, widths = np.zeros((2, len(lists)), dtype=np.int64)
        for choice, own in self._split(lists.choices):
            among = lists if own.all() else lists.among(own)
            bounds = self.bounds(
                context, among.people, {name: numbers[own] for name, numbers in released.items()}, choice
            )
            values[own] = self.corrected_counts(context, among, bounds, choice)
            widths[own] = self.widths(context, bounds, choice)
        return Scaled(values, widths)

    def batch(self, context: RoundContext, people: Integers, choices: Integers, drawn: dict[str, Any]) -> Batch:
        """The drawn parts by name, and the choice of a strength in the round that sends it."""
        parts = self.schedule[context.round - 1]
        return {part: merge_strengths(choices, drawn.get(part, choices)) for part in parts}

    def corrected_counts(self, context: RoundContext, lists: Lists, bounds: Integers, choice: int = 0) -> Integers:
        """2^16 F for each list."""
        publication: Publication = context.published[-1]
        counted, design = self.counted_lists(context, lists), self.design
        looks = one_pair_in(counted, design.looks_one_in, publication.key)
        edges = publication.graph.count(counted, self.contribution_caps(context, bounds, choice), looks)
        pairs = capped_pairs(counted.degrees, bounds)
        corrected: Integers = PARTS * design.weight * edges - self.response(context).flip_parts * pairs
        return corrected

    def pack(self, context: RoundContext, people: Integers, batch: Batch) -> list[bytes]:
        """Numbers of eight bytes, then the answers about pairs."""
        return pack_batch(self.schedule[context.round - 1], batch, len(people))

    def unpack(self, context: RoundContext, people: Integers, payloads: Sequence[bytes]) -> Batch:
        """Numbers that can be, and as many answers as the person owns pairs."""
        parts = self.schedule[context.round - 1]
        batch, rest = unpack_numbers(parts, payloads, lambda part: range_of(self, part, context))
        if "pairs" in parts:
            batch["pairs"] = unpack_replies(rest, people, self.pair_owners(context))
        return batch

    def publish(self, transcript: Transcript) -> Any:
        """After the answers about pairs, the noisy graph; before them, what makes the order."""
        people, batch = transcript.received[-1].people, transcript.received[-1].batch
        numbers = {part: batch[part] for part in sorted(batch) if part != "pairs"}
        if "pairs" not in batch:
            (values,) = numbers.values()
            return self.design.order.publish(self.n_people, people, values)
        context = RoundContext(len(transcript.received), transcript.published)
        graph = join_replies(Received(people, batch["pairs"]), self.pair_owners(context), self.response(context))
        return Publication(graph, public_key(*numbers.values()), self.design.strengths[0].limits.announce(numbers))

    def write_publication(self, round_number: int, publication: Any) -> bytes:
        """A byte for each person that makes the order; key, notice and the noisy graph."""
        if round_number < self.rounds - 1:
            order: bytes = publication.tobytes()
            return order
        written: bytes = publication.head() + publication.graph.write(self._published_pairs)
        return written

    def read_publication(self, round_number: int, data: bytes) -> Any:
        """Read the publication of a round as `write_publication` wrote it."""
        if round_number < self.rounds - 1:
            return self.design.order.read(self.n_people, data)
        key, notice = read_head(data, self.design.notices)
        return Publication(PairBits.read(data[HEAD_BYTES:], self._published_pairs), key, notice)

    @property
    def _published_pairs(self) -> PairOwners:
        """All pairs that have an owner, whoever that is."""
        return PairOwners(self.n_people, Fraction(1, self.design.owned_one_in), self.design.salt)

    @property
    def in_parts(self) -> bool:
        """Whether everybody needs the pairs of the people they could count, and no others."""
        return self.design.in_parts

    def write_part(self, context: RoundContext, person: int) -> bytes:
        """Key and notice, then the answers about those pairs."""
        publication: Publication = context.published[-1]
        assert isinstance(publication.graph, PairBits)
        return publication.head() + write_part(publication.graph, *self._own_part(context, person, publication.key))

    def read_part(self, context: RoundContext, person: int, data: bytes) -> Publication:
        """As it was written; all other pairs are empty, and are not looked at."""
        key, notice = read_head(data, self.design.notices)
        return Publication(read_part(data[HEAD_BYTES:], *self._own_part(context, person, key)), key, notice)

    def _own_part(self, context: RoundContext, person: int, key: np.uint64) -> tuple[Lists, Looks]:
        """Everybody whom a person could count, and the numbers that say which pairs are looked at."""
        others = np.delete(np.arange(self.n_people), person)
        counted = self.counted_lists(context, Lists.of_person(self.n_people, person, others))
        return counted, one_pair_in(counted, self.design.looks_one_in, key)

    def cost(self) -> Cost:
        """Numbers and the owned pairs up; down, what a person needs of all that is published."""
        numbers, pairs = sum(part != "pairs" for parts in self.schedule for part in parts), (self.n_people - 1) / 2
        return Cost(8 * NUMBER_BYTES * numbers + pairs / self.design.owned_one_in, self.download_bits())

    @property
    def memory_bytes(self) -> int:
        """Reports, a bit for each pair, three times the publication.

        A total also takes a table of few people's pairs and, where `noisy_total` may help, all answers a second time.
        """
        reports = report_bytes(self.n_people, self.rounds, self.cost().upload_bits_per_user)
        bits, measured = self.n_people**2, min(self.n_people, MEASURED[0])
        total = {"triangles", "transitivity"} & set(self.statistic.split(","))
        again = bits // 8 if self.n_people <= MOST_PEOPLE else 0
        table = again + 5 * measured**2 // 2 if total else 0
        return reports + bits // 8 + 3 * bits // (16 * self.design.owned_one_in) + table

    def download_bits(self) -> float:
        """A byte for each person that makes the order; the pairs of a third of all people on average, or all pairs."""
        n, design = self.n_people, self.design
        if not design.in_parts:
            return 8 * HEAD_BYTES + n * (n - 1) / 2 / design.owned_one_in
        return (0 if design.order.fixed else 8 * n) + (n - 1) * (n - 2) / 6 / design.looks_one_in

    def estimate(self, transcript: Transcript) -> Estimate:
        """The estimate of the target from the reports of all rounds."""
        return self.design.target(self, transcript)

    def gain(self, context: RoundContext) -> float:
        """What one triangle adds to the sum of all 2^16 F."""
        return float(PARTS * self.response(context).gain * self.design.times_counted)

    def groups(self, transcript: Transcript, people: Integers) -> Iterator[tuple[int, Bits]]:
        """Each strength, and which of these people chose it in the first round."""
        return self._split(numbers_of(people, transcript.received[0]).get("choice", people * 0))

    def _split(self, choices: Integers) -> Iterator[tuple[int, Bits]]:
        return ((choice, choices == choice) for choice in range(self.n_strengths))

    def mix(self, transcript: Transcript) -> dict[str, Any]:
        """How many chose each strength, as a fact of an estimate; nothing where there is no choice."""
        return count_choices([strength.name for strength in self.design.strengths if strength.name], transcript)
