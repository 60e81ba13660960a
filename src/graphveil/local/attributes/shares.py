"""How many people give each answer to one question, by randomised response.

Paper      Warner 1965 (two answers); Kairouz, Bonawitz and Ramage 2016 (several); Wang, Blocki, Li and Jha 2017 (OUE)
Unit       node; one person's answer, whatever it is
Trust      local
Guarantee  pure epsilon for an answer
Estimator  counts are unbiased; norm-sub then projects them on the distributions, which biases small shares upwards
Cost       one number, or one bit for each answer, up; nothing down

The question has a public list of answers. A person's list of this campaign stands for the answer: its length is the
number of the answer, counted from 0, and who is on it does not matter. So any two lists give two answers, and the worst
ratio of the channel, computed from its exact probabilities, bounds the loss (tests/local/test_exact_loss.py).

Either the answer is sent with some probability and else another one, or a bit for each answer. Which of the two has the
smaller variance follows from epsilon and the number of answers, which are public, and is chosen by it.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from graphveil.arrays import Integers
from graphveil.errors import ParameterError
from graphveil.local.degrees.frequency import BinBits, BinNumber
from graphveil.local.lists import Lists
from graphveil.local.losses import Message, Messages
from graphveil.local.protocol import PUBLIC_ROSTER, Cost, Estimate, LocalProtocol, Received, RoundContext, Transcript
from graphveil.mechanisms.response import KaryResponse, norm_sub
from graphveil.mechanisms.unary import OptimalUnary
from graphveil.privacy.unit import Kind

MOST_ANSWERS = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class AttributeShares(LocalProtocol):
    """Public parameter: the answers that are offered, in their order.

    >>> protocol = AttributeShares(epsilon=1, n_people=500, values=("red", "green", "blue"))
    >>> type(protocol.channel).__name__, protocol.cost().upload_bits_per_user
    ('BinNumber', 2)
    """

    statistic: ClassVar[str] = "attribute-shares"
    name: ClassVar[str] = "veil"
    unit: ClassVar[str] = "node"
    of_answer: ClassVar[bool] = True

    values: tuple[str, ...] = ("no", "yes")

    def __post_init__(self) -> None:
        LocalProtocol.__post_init__(self)
        check_values(self.values)
        if len(self.values) > self.n_people:
            raise ParameterError(f"{len(self.values)} answers need as many people or more, not {self.n_people}")

    @property
    def channel(self) -> BinNumber | BinBits:
        """How an answer is sent: as one number or as bits, whichever has the smaller variance."""
        number = KaryResponse(epsilon=self.epsilon, n_values=len(self.values))
        bits = OptimalUnary(epsilon=self.epsilon, n_values=len(self.values))
        spread = (response.variance(self.n_people) for response in (number, bits))
        return BinNumber(number) if next(spread) <= next(spread) else BinBits(bits)

    def messages(self, context: RoundContext, choice: int = 0) -> Messages:
        """One answer, which depends on the whole list."""
        return Messages(Kind.NODE, (Message("answer", self.channel),))

    def exact(self, context: RoundContext, lists: Lists) -> dict[str, Any]:
        """The number of everybody's answer; a list that is too long stands for the last one."""
        return {"answer": np.minimum(lists.degrees, len(self.values) - 1)}

    def assumes(self, choice: int = 0) -> tuple[str, ...]:
        """That everybody knows who is asked."""
        return (PUBLIC_ROSTER,)

    def pack(self, context: RoundContext, people: Integers, batch: Any) -> list[bytes]:
        """Each answer as the channel writes it."""
        return self.channel.pack(batch)

    def unpack(self, context: RoundContext, people: Integers, payloads: Sequence[bytes]) -> Any:
        """The answers behind payloads; any that the channel can draw is accepted."""
        return self.channel.unpack(payloads)

    def report_counts(self, received: Received) -> Integers:
        """How many reports speak for each answer."""
        return self.channel.count(received.batch)

    def conclude(self, counts: Integers, n_reports: int) -> Estimate:
        """The share of each answer, made a distribution by norm-sub, with the deviation of the unbiased share."""
        response = self.channel.response
        shares = norm_sub(response.estimate(counts, n_reports) / n_reports)
        std = [math.sqrt(response.variance(n_reports, round(share * n_reports))) / n_reports for share in shares]
        return Estimate(shares, np.array(std), {"answers": ", ".join(self.values)})

    def estimate(self, transcript: Transcript) -> Estimate:
        """From the counts of all reports."""
        (received,) = transcript.received
        return self.conclude(self.report_counts(received), len(received.people))

    def cost(self) -> Cost:
        """As many bits up as a report has, nothing down."""
        return Cost(self.channel.bits)


def list_of_answer(protocol: LocalProtocol, person: int, answer: str | None) -> list[int] | None:
    """The list that stands for somebody's answer; None where a campaign asks for friends and no answer is given.

    >>> list_of_answer(AttributeShares(epsilon=1, n_people=9), 0, "yes")
    [1]
    """
    if not isinstance(protocol, AttributeShares):
        if answer is not None:
            raise ParameterError(f"this campaign asks for a friend list ({protocol.statistic}), not for an answer")
        return None
    place = place_of_answer(protocol.values, answer)
    others = [other for other in range(len(protocol.values)) if other != person]
    return others[:place]


def check_values(values: tuple[str, ...]) -> None:
    """Refuse answers that people cannot tell apart or read, and too many of them."""
    known = all(value.strip() and value.isprintable() for value in values)
    if not 2 <= len(values) <= MOST_ANSWERS or len(set(values)) < len(values) or not known:
        raise ParameterError(
            f"values must be 2 to {MOST_ANSWERS} different answers, each a name in one line, not "
            f"{', '.join(values) or 'none'}"
        )


def place_of_answer(values: tuple[str, ...], answer: str | None) -> int:
    """Where an answer stands among those that are offered."""
    if answer not in values:
        given = "no answer was given" if answer is None else f"{answer!r} is none of its answers"
        raise ParameterError(f"this campaign asks a question, and {given}: give one of {', '.join(values)}")
    return values.index(answer)
