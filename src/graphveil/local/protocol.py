"""What every collection protocol offers: to clients, to the collector, to a simulation, to a plan.

A protocol runs in rounds. In round r everybody perturbs their own list, given what was published after the rounds
before; the collector gathers the reports and publishes what the next round needs; after the last round it estimates.

    perturb   client      lists, noise -> batch      the only step that sees a list
    pack      client      batch -> bytes             one payload for each person
    unpack    collector   bytes -> batch             refuses whatever no honest client could have sent
    publish   collector   transcript -> publication  between rounds; public from then on
    estimate  collector   transcript -> Estimate     post-processing

A batch holds the reports of any number of people in whatever form suits the protocol. `perturb` is written for many
people at once and is used as it stands for one, so what is simulated is what is deployed. It draws in the way that
`mechanisms.noise.person_streams` asks for: everybody the same number of words in the same order.

Public parameters of a protocol: what a campaign's document may hold, read and written exactly.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, field, fields
from fractions import Fraction
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from graphveil.errors import ParameterError
from graphveil.local.lists import Integers, Lists
from graphveil.mechanisms.noise.source import Noise
from graphveil.plugins import foreign_package, proof_of
from graphveil.privacy.guarantee import Guarantee, PublishedClaim
from graphveil.privacy.loss import exact, exact_epsilon
from graphveil.privacy.unit import Trust, Unit


def check_parameters(page: Any) -> None:
    """Make every field of a page what it is declared as; a campaign read from a file may hold anything."""
    for entry in fields(page):
        object.__setattr__(page, entry.name, _checked(entry.name, str(entry.type), getattr(page, entry.name)))


def plain_parameters(page: Any) -> dict[str, Any]:
    """All of them by name, as they appear in JSON."""
    return {entry.name: _plain(getattr(page, entry.name)) for entry in fields(page)}


def _checked(name: str, kind: str, value: Any) -> Any:
    if kind == "Fraction":
        return exact(value, name)
    if kind == "tuple[str, ...]":
        return _texts(name, value)
    if kind != {int: "int", str: "str"}.get(type(value)):
        raise ParameterError(f"{name} must be of type {kind}, not {value!r}")
    return value


def _texts(name: str, value: Any) -> tuple[str, ...]:
    """A list of texts; one text, as on a command line, may hold several between commas."""
    given = str(value).split(",") if isinstance(value, str | int) else value
    if not isinstance(given, list | tuple) or not all(isinstance(text, str) for text in given):
        raise ParameterError(f"{name} must be a list of texts, or one text with commas, not {value!r}")
    return tuple(text.strip() for text in given)


def _plain(value: Any) -> Any:
    if isinstance(value, Fraction):
        return str(value)
    return list(value) if isinstance(value, tuple) else value


Floats = NDArray[np.float64]

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


@dataclass(frozen=True, slots=True, kw_only=True)
class LocalProtocol(ABC):
    """A protocol with its public parameters fixed; every further field of a page is a public parameter.

    Parameters are integers, fractions, texts or tuples of texts, so that a campaign can be written down exactly.
    """

    statistic: ClassVar[str]
    name: ClassVar[str]
    unit: ClassVar[str]  # "edge" (one entry of a list) or "node" (a whole list)
    rounds: ClassVar[int] = 1
    why_no_interval: ClassVar[str] = ""  # said where estimates have no standard deviation
    reach95: ClassVar[float] = NORMAL95  # deviations to either side of a 95 % interval

    epsilon: Fraction
    n_people: int

    def __post_init__(self) -> None:
        check_parameters(self)
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
    @abstractmethod
    def guarantee(self) -> Guarantee:
        """What one person's list and one relationship are promised, from the public parameters alone."""

    def promise(self, relationship_epsilon: Fraction, *assumes: str) -> Guarantee:
        """Epsilon for what the unit protects, so much for a friendship, proved in the page's own module."""
        return Guarantee(
            Unit.parse(self.unit),
            Trust.LOCAL,
            self.epsilon,
            relationship_epsilon=relationship_epsilon,
            assumes=assumes,
            proof=proof_of(type(self)),
            package=foreign_package(type(self).__module__),
        )

    @property
    def guarantees(self) -> tuple[Guarantee, ...]:
        """One for each strength a person may choose."""
        return (self.guarantee,)

    def check_messages(self) -> None:
        """Refuse parameters with which some message, or the promise, could not be made, before anybody is asked."""
        _ = self.guarantees

    @property
    def memory_bytes(self) -> int:
        """What a simulation or a collector keeps that grows with the square of the number of people."""
        return 0

    @abstractmethod
    def perturb(self, context: RoundContext, lists: Lists, noise: Noise) -> Any:
        """The batch of these people's reports in this round."""

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
        """A publication as bytes."""
        raise ParameterError(f"{self.name} publishes nothing after round {round_number}")

    def read_publication(self, round_number: int, data: bytes) -> Any:
        """A publication from bytes."""
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

    def variance(self) -> float | None:
        """Of one entry of the answer that is zero in truth, where a closed form exists."""
        return None
