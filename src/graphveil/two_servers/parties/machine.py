"""In which order a party acts: a state, and a function from the state to what is to be done now.

Nothing here reads a clock, a disk or a network. A state holds names of messages only: what is written down durably,
what the receiver has confirmed, what has arrived whole. So a party that is killed and started again finds its state on
disk and does the same as before.

A server    degrees, page, set, answers, root, bind, spent, noise, deal-key, bits, both, numbers, total, result
The dealer  corrections

`degrees` are the noisy degrees that a server holds, and `page` is the hash of what follows from them; `answers` are
those of hubs about each other. Campaigns that do not ask for them have none, and only triangles have what is between
`noise` and `total`. `set` names the people whose shares a server holds; the intersection counts. `root` is the hash of
what was sent by these people, `bind` the hash of campaign, page, people, answers and both roots. From then on a server
works on this very input or not at all. `spent` is the ledger's entry and `noise` the noise, both before anything is
opened. Whoever gets another message than before in the same place stops for good, and so does who would have to send
one.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from graphveil.two_servers.parties.names import DEALER, HELPER, LEADER

PRIVATE = ("spent", "noise")  # written down, never sent


class Stage(StrEnum):
    """Where a campaign stands at one party."""

    ASKING = "asking"  # for noisy degrees
    COLLECTING = "collecting"
    FROZEN = "frozen"  # no more shares; the servers agree on whose count
    BOUND = "bound"  # both signed the same input
    NOISED = "noised"  # the noise is drawn and stored
    PUBLISHED = "published"  # both signed the same result
    DISPUTED = "disputed"  # the two servers signed different results; nothing is erased before the operators looked
    STOPPED = "stopped"  # for good, without a result

    @property
    def outlook(self) -> str:
        """What somebody who waits for the result should do."""
        if self in (Stage.ASKING, Stage.COLLECTING):
            return "people are still asked"
        return f"the servers are computing it ({self} here); try again in a few seconds"


@dataclass(frozen=True, slots=True)
class Action:
    """What to do now: `write` a message down, `send` one that is written, or `erase` all secrets."""

    verb: str
    step: str = ""


@dataclass(frozen=True, slots=True)
class State:
    """What one party has on disk about one campaign."""

    role: str
    has_dealer: bool
    asks_degrees: bool = False
    asks_hubs: bool = False
    degrees_closed: bool = False
    closed: bool = False
    written: frozenset[str] = frozenset()
    delivered: frozenset[str] = frozenset()
    received: frozenset[str] = frozenset()
    erased: bool = False
    disputed: bool = False
    stopped: str = ""

    @property
    def stage(self) -> Stage:
        """The stage, from what is there."""
        if self.stopped:
            return Stage.STOPPED
        if self.role == DEALER:
            return Stage.PUBLISHED if self.erased else Stage.COLLECTING
        if {"result"} <= self.written & self.received:
            return Stage.DISPUTED if self.disputed else Stage.PUBLISHED
        if "noise" in self.written:
            return Stage.NOISED
        if {"bind"} <= self.written & self.received:
            return Stage.BOUND
        if self.closed:
            return Stage.FROZEN
        return Stage.COLLECTING if self.has_page else Stage.ASKING

    @property
    def has_page(self) -> bool:
        """Whether shares may come: both servers signed a page, or there is none."""
        return not self.asks_degrees or {"page"} <= self.written & self.received


def actions(state: State) -> list[Action]:
    """All that a party in this state has to do."""
    if state.erased:
        return []
    if state.stopped:  # also a dispute that lasted too long
        return [Action("erase")]
    sending = [Action("send", step) for step in order(state) if step in _unsent(state)]
    for step, needed in order(state).items():
        if step in state.written:
            continue
        if needed <= state.received:
            return [*sending, Action("write", step)]
        break
    if not sending and _is_over(state) and not state.disputed:
        return [Action("erase")]
    return sending


def order(state: State) -> dict[str, set[str]]:
    """The steps of a party in order, and what has to be there before each; from others."""
    if state.role == DEALER:
        return {"corrections": {f"deal-key/{LEADER}", f"deal-key/{HELPER}"}}
    steps: dict[str, set[str]] = {}
    if state.asks_degrees and state.degrees_closed:
        steps |= {"degrees": set(), "page": {"degrees"}}
    if not (state.closed and state.has_page):
        return steps
    steps |= {"set": set()} | ({"answers": set(), "root": {"set", "answers"}} if state.asks_hubs else {"root": {"set"}})
    steps |= {"bind": {"root"}, "spent": {"bind"}, "noise": set()}
    if state.has_dealer:
        steps |= {"deal-key": set(), "bits": {"corrections"} if state.role == LEADER else set()}
        steps |= {"both": {"bits"}, "numbers": {"both"}, "total": {"numbers"}}
    return steps | ({} if state.has_dealer else {"total": set()}) | {"result": {"total"}}


def _unsent(state: State) -> set[str]:
    return set(state.written - state.delivered) - set(PRIVATE)


def _is_over(state: State) -> bool:
    """The dealer when its corrections have arrived; a server when both hold the result that both signed."""
    if state.role == DEALER:
        return "corrections" in state.delivered
    return "result" in state.delivered and "result" in state.received
