"""What every collection protocol offers: to clients, to the collector, to a simulation, to a plan.

A protocol runs in rounds. In round r everybody perturbs their own list, given what was published after the rounds
before; the collector gathers the reports and publishes what the next round needs; after the last round it estimates.

    messages  both        context -> messages        what is sent, with the randomizers that draw it
    exact     client      lists -> exact values      of this round's messages; the only step that sees a list
    batch     client      drawn messages -> batch    post-processing
    pack      client      batch -> bytes             one payload for each person
    unpack    collector   bytes -> batch             refuses whatever no honest client could have sent
    publish   collector   transcript -> publication  between rounds, or at the end; public from then on
    estimate  collector   transcript -> Estimate     post-processing

A batch holds any number of reports, so what is simulated is what is deployed. Promises are computed from the
`messages`: each has a randomizer and the entries that it reads (`local.losses`). Only `perturb` draws from them.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any, ClassVar, final

from graphveil.arrays import Integers
from graphveil.errors import GuaranteeMismatch, ParameterError
from graphveil.graph.core import Graph
from graphveil.local.lists import Lists
from graphveil.local.losses import EVERY_ROLE_PAIR, IN_ONE_LIST, Messages, Role, RolePairs, relationship_epsilon
from graphveil.local.memory import report_bytes
from graphveil.local.randomizers import check_draws, draw_by_strength
from graphveil.mechanisms.noise.source import Noise
from graphveil.plugins import foreign_package, proof_of
from graphveil.privacy.guarantee import Guarantee, PublishedClaim, Verdict
from graphveil.privacy.loss import exact_epsilon
from graphveil.privacy.parameter import parameter_types, plain_parameters, read_parameters
from graphveil.privacy.unit import Kind, Trust, Unit

NORMAL95 = 1.959964  # of sums of many errors
LAPLACE95 = 2.118307  # ln(20) / sqrt(2): of one person's own noise
PUBLIC_ROSTER = "the roster and its numbering are public"


@dataclass(frozen=True, slots=True, eq=False)
class RoundContext:
    """Where a client stands: the round, what was published after earlier ones, and its own earlier batches."""

    round: int = 1
    published: tuple[Any, ...] = ()
    sent: tuple[Any, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class Received:
    """The reports of one round: who sent them, and the batch, in the same order."""

    people: Integers
    batch: Any


@dataclass(frozen=True, slots=True, eq=False)
class Transcript:
    """All that a collector has seen and said so far, round by round."""

    received: tuple[Received, ...]
    published: tuple[Any, ...] = ()


@dataclass(frozen=True, slots=True)
class Cost:
    """Mean number of bits a person sends and fetches."""

    upload_bits_per_user: float
    download_bits_per_user: float = 0.0


@dataclass(frozen=True, slots=True, eq=False)
class Estimate:
    """An answer: a number, or an array of them; its standard deviation where it is known; facts worth telling."""

    value: Any
    std: Any = None
    facts: dict[str, Any] = field(default_factory=dict)
    also: dict[str, Estimate] = field(default_factory=dict)  # of further statistics, from the same reports


@dataclass(frozen=True, slots=True, kw_only=True)
class LocalProtocol(ABC):
    """A protocol; its fields are public: integers, fractions, texts or tuples of texts, which are written exactly."""

    statistic: ClassVar[str]
    name: ClassVar[str]
    unit: ClassVar[str]  # "edge" (one entry of a list) or "node" (a whole list)
    rounds: ClassVar[int] = 1
    why_no_interval: ClassVar[str] = ""  # said where estimates have no standard deviation
    reach95: ClassVar[float] = NORMAL95  # deviations to either side of a 95 % interval
    of_answer: ClassVar[bool] = False  # people answer a question; a list stands for the answer
    directed: ClassVar[bool] = False  # a list says whom a person points at, so a pair (u, v) is an entry of one list
    publishes_at_end: ClassVar[bool] = False  # also after the last round, for devices to make something of it

    epsilon: Fraction
    n_people: int

    def __init_subclass__(cls) -> None:
        check_draws(cls, LocalProtocol)

    def __post_init__(self) -> None:
        given = {name: getattr(self, name) for name in parameter_types(type(self))}
        for name, value in read_parameters(type(self), given).items():
            object.__setattr__(self, name, value)
        object.__setattr__(self, "epsilon", exact_epsilon(self.epsilon))
        if not 2 <= self.n_people < 2**31:
            raise ParameterError(f"a campaign needs 2 to 2^31 - 1 people, not {self.n_people}")

    def parameters(self) -> dict[str, Any]:
        """The public parameters besides epsilon and the number of people, as they appear in JSON."""
        return {name: value for name, value in plain_parameters(self).items() if name not in ("epsilon", "n_people")}

    @property
    def claim(self) -> PublishedClaim | None:
        """What a paper claims for this protocol, and what we found; None for our own."""
        return None

    @property
    def refuted(self) -> bool:
        """Whether that claim is refuted: the protocol is then kept for study."""
        return self.claim is not None and self.claim.verdict is Verdict.REFUTED

    @abstractmethod
    def messages(self, context: RoundContext, choice: int = 0) -> Messages:
        """All messages of a person who picked this strength, in all rounds, given what was published so far.

        Where a publication decides how epsilon is divided, the messages before it are those of the worst division.
        """

    @property
    def role_pairs(self) -> RolePairs:
        """For a friendship {u, v}: every role of v in u's list with a role of u in v's list; all, unless proved."""
        return IN_ONE_LIST if self.directed else EVERY_ROLE_PAIR

    @property
    def n_strengths(self) -> int:
        """How many strengths of protection a person may choose from."""
        return 1

    def assumes(self, choice: int = 0) -> tuple[str, ...]:
        """The public facts that the proof relies on."""
        return (PUBLIC_ROSTER,)

    @final
    @property
    def guarantees(self) -> tuple[Guarantee, ...]:
        """What each strength promises a person, and their friendships with people of any strength."""
        return composed_guarantees(self)

    @final
    @property
    def guarantee(self) -> Guarantee:
        """What everybody is promised, whatever strength they pick: the weakest, under the protocol's own unit."""
        return weakest_guarantee(self)

    def check_messages(self) -> None:
        """Refuse parameters with which a message cannot be made or costs more than epsilon, before anybody sends."""
        check_guarantee(self)

    @property
    def memory_bytes(self) -> int:
        """What a collector needs to close a round of the campaign, in bytes (`local.memory`)."""
        return report_bytes(self.n_people, self.rounds, self.cost().upload_bits_per_user)

    @abstractmethod
    def exact(self, context: RoundContext, lists: Lists) -> dict[str, Any]:
        """The exact values of the messages of this round, by name, a row for each person."""

    def batch(self, context: RoundContext, people: Integers, choices: Integers, drawn: dict[str, Any]) -> Any:
        """The drawn messages in the form that suits the protocol; a message that is sent alone stands for itself.

        Where the strengths of people have different randomizers, a message is a tuple, one part for each strength.
        """
        return drawn if len(drawn) > 1 else next(iter(drawn.values()), None)

    @final
    def perturb(self, context: RoundContext, lists: Lists, noise: Noise) -> Any:
        """The batch of these people's reports in this round: the only place where a protocol's noise is drawn."""
        offered = [self.messages(context, choice) for choice in range(self.n_strengths)]
        for choice, now in enumerate(offered):
            now.check_unit(self.messages(RoundContext(), choice))
        sent = [message.what for message in offered[0].in_round(context.round)]
        exact = self.exact(context, lists)
        if sorted(exact) != sorted(sent):
            made, listed = ", ".join(exact) or "nothing", ", ".join(sent) or "none"
            raise GuaranteeMismatch(f"{self.name} sends {made} in round {context.round}, but its messages are {listed}")
        laws = {what: [own[what].randomizer for own in offered] for what in sent}
        drawn = {what: draw_by_strength(laws[what], lists, exact[what], noise) for what in sent}
        return self.batch(context, lists.people, lists.choices, drawn)

    @abstractmethod
    def pack(self, context: RoundContext, people: Integers, batch: Any) -> list[bytes]:
        """One payload for each person of a batch."""

    @abstractmethod
    def unpack(self, context: RoundContext, people: Integers, payloads: Sequence[bytes]) -> Any:
        """The batch behind payloads; raises `ReportRefused` if any of them could not come from an honest client."""

    def publish(self, transcript: Transcript) -> Any:
        """What goes out after the last round received."""
        raise ParameterError(f"{self.name} has one round and publishes nothing in between")

    def write_publication(self, round_number: int, publication: Any) -> bytes:
        """What `publish` gave after a round, as the bytes that clients fetch."""
        raise ParameterError(f"{self.name} publishes nothing after round {round_number}")

    def read_publication(self, round_number: int, data: bytes) -> Any:
        """What `write_publication` wrote; refuses bytes that no honest collector publishes."""
        raise ParameterError(f"{self.name} publishes nothing after round {round_number}")

    @property
    def in_parts(self) -> bool:
        """Whether a client needs a part of the last publication only; which one follows from public values."""
        return False

    def write_part(self, context: RoundContext, person: int) -> bytes:
        """What a person needs of the last of the publications in a context."""
        raise ParameterError(f"{self.name} publishes nothing in parts")

    def read_part(self, context: RoundContext, person: int, data: bytes) -> Any:
        """The last publication as far as a person needs it, from its part and the publications before it."""
        raise ParameterError(f"{self.name} publishes nothing in parts")

    @abstractmethod
    def estimate(self, transcript: Transcript) -> Estimate:
        """The statistic, from the reports of all rounds."""

    @abstractmethod
    def cost(self) -> Cost:
        """Bits up and down for each person, all rounds together."""

    def cost_among(self, graph: Graph) -> Cost:
        """The cost in this network, where it depends on who is friends with whom."""
        return self.cost()

    def variance(self) -> float | None:
        """Of one entry of the answer that is zero in truth, where a closed form exists."""
        return None


def composed_guarantees(protocol: LocalProtocol) -> tuple[Guarantee, ...]:
    """For each strength, what the messages of a person who picks it compose to."""
    offered = [protocol.messages(RoundContext(), choice) for choice in range(protocol.n_strengths)]
    return tuple(
        Guarantee(
            Unit(own.unit),
            Trust.LOCAL,
            own.epsilon(protocol.role_pairs),
            relationship_epsilon=relationship_epsilon(own, offered, protocol.role_pairs),
            assumes=protocol.assumes(choice),
            proof=proof_of(type(protocol)),
            package=foreign_package(type(protocol).__module__),
            of_answer=protocol.of_answer,
            directed=protocol.directed,
        )
        for choice, own in enumerate(offered)
    )


def weakest_guarantee(protocol: LocalProtocol) -> Guarantee:
    """What holds for every strength, under the unit of the protocol."""
    each = composed_guarantees(protocol)
    return replace(
        each[0],
        unit=Unit.parse(protocol.unit),
        epsilon=max(guarantee.epsilon for guarantee in each),
        relationship_epsilon=max(filter(None, (guarantee.relationship_epsilon for guarantee in each))),
        assumes=tuple(dict.fromkeys(fact for guarantee in each for fact in guarantee.assumes)),
    )


def check_guarantee(protocol: LocalProtocol) -> None:
    """Refuse a protocol that draws by itself, or that states another guarantee than its messages compose to."""
    check_draws(type(protocol), LocalProtocol)
    name = type(protocol).__name__
    for choice in range(protocol.n_strengths):
        own = protocol.messages(RoundContext(), choice)
        if protocol.unit == Kind.NODE and own.unit is not Kind.NODE:
            raise GuaranteeMismatch(f"{name} promises a whole list, but its messages cost what they say for one entry")
        if not {part.round for part in own.parts} <= set(range(1, protocol.rounds + 1)):
            raise GuaranteeMismatch(f"{name} has {protocol.rounds} rounds, and a message of another round")
    if not protocol.directed and any(Role.ABSENT in pair for pair in protocol.role_pairs):
        raise GuaranteeMismatch(f"{name} says that a friendship stands in one list alone; only directed lists are so")
    weakest = weakest_guarantee(protocol)
    if (protocol.guarantees, protocol.guarantee) != (composed_guarantees(protocol), weakest):
        raise GuaranteeMismatch(
            f"{name} states a guarantee of its own; it is computed from the messages, which compose to epsilon "
            f"{weakest.epsilon} and {weakest.relationship_epsilon} for a relationship: remove `guarantee`"
        )
    if weakest.epsilon != protocol.epsilon:
        raise GuaranteeMismatch(
            f"{name} claims epsilon {protocol.epsilon}, but its messages cost epsilon {weakest.epsilon} together"
        )
