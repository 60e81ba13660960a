"""What a person's device remembers, durably: what it has spent, its role in each campaign, and every answer it drew.

It is a ledger file (`privacy.ledger.ledger`). Round 1 spends the campaign's epsilon, later rounds spend nothing more;
the answer is settled, that is on disk, before it may leave. Of all answers ever drawn for a round exactly one is on
record, and only that one is sent, however often a device crashes or is asked again, and however many commands run at
once: writers take turns. The epsilons of all campaigns add up.
"""

from __future__ import annotations

import hashlib
import json
import os
import secrets
import sys
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

from graphveil.errors import ParameterError
from graphveil.local.campaign import Campaign
from graphveil.local.client import Memory
from graphveil.privacy.ledger.ledger import Ledger
from graphveil.privacy.loss import Number, Pure, exact_epsilon
from graphveil.privacy.unit import EDGE, Trust

_LIST = "my friend list"


@dataclass(frozen=True, slots=True)
class Role:
    """What must stay the same over all rounds: who I am on which roster, and the strength I chose."""

    name: str
    number: int
    roster: str
    choice: int


@dataclass(frozen=True, slots=True)
class Shares:
    """The hash of each server's share, and in hex the shares themselves until both servers hold them."""

    path: Path
    hashes: dict[str, str]
    content: dict[str, str]

    def erase(self) -> None:
        """Overwrite the file and remove it."""
        if self.path.exists():
            with self.path.open("r+b") as file:
                file.write(bytes(self.path.stat().st_size))
                os.fsync(file.fileno())
            self.path.unlink()


def usual_place() -> Path:
    """Where a diary is kept unless said otherwise: in the user's own folder, so that each command finds the same one.

    A diary in the current folder, where 0.1 kept it, is used on: what it has spent stays spent.
    """
    here = Path("my.diary")
    if here.exists():
        return here
    if sys.platform == "win32":
        data = Path(os.environ.get("APPDATA") or Path.home() / "AppData" / "Roaming")
    elif sys.platform == "darwin":
        data = Path.home() / "Library" / "Application Support"
    else:
        data = Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share")
    return data / "graphveil" / "my.diary"


class Diary:
    """One person's, for all campaigns; `budget` is needed the first time and final."""

    def __init__(self, path: Path, budget: Number | None = None) -> None:
        if budget is None and not path.exists():
            raise ParameterError(f"{path} is new: say with --budget how much epsilon your friend list may lose in all")
        path.parent.mkdir(parents=True, exist_ok=True)
        self._path = path
        self._ledger = Ledger.open(path)
        if budget is not None:
            self._ledger.declare(_LIST, unit=EDGE, trust=Trust.LOCAL, epsilon=exact_epsilon(budget, "budget"))

    @property
    def left(self) -> Fraction:
        """What may still be spent."""
        return self._ledger.left(_LIST)[0]

    def device(self, campaign: Campaign) -> str:
        """The name under which this diary answers a campaign, drawn once: the collector lets one device answer."""
        entry = self._ledger.spend(
            _LIST, Pure(Fraction(0)), request_id=f"{campaign.id}/device", what="name of a device"
        )
        return str(json.loads(self._ledger.settle(entry, json.dumps(secrets.token_hex(16)))))

    def has_joined(self, campaign: Campaign) -> bool:
        """Whether this diary is the one that takes part."""
        return self._ledger.stored(f"{campaign.id}/joined") is not None

    def join(self, campaign: Campaign) -> None:
        """Write down that this diary takes part: the collector lets it answer."""
        what = f"joined {campaign.protocol.statistic} by {campaign.protocol.name}"
        entry = self._ledger.spend(_LIST, Pure(Fraction(0)), request_id=f"{campaign.id}/joined", what=what)
        self._ledger.settle(entry, "{}")

    def has_drawn(self, campaign_id: str) -> bool:
        """Whether something was drawn on this device for a campaign with two servers."""
        return any(self._ledger.stored(f"{campaign_id}/{what}") is not None for what in ("degree", "1"))

    def keep_degree(self, campaign_id: str, what: str, epsilon: Fraction, draw: Callable[[], int]) -> int:
        """Spend, draw the noisy degree and store it; returns what is on record, which may have been there before."""
        entry = self._ledger.spend(_LIST, Pure(epsilon), request_id=f"{campaign_id}/degree", what=f"{what}, degree")
        return int(self._ledger.settle(entry, str(draw())))

    def keep_shares(self, campaign_id: str, what: str, epsilon: Fraction, draw: Callable[[], dict[str, str]]) -> Shares:
        """Spend, draw both servers' shares and store them; returns what is on record, which may have been there before.

        Who told a noisy degree has paid already.
        The shares lie in a file beside the diary: put together they are the friend list, so they are erased when both
        servers hold them. Their hashes stay.
        """
        loss = Pure(epsilon if self._ledger.stored(f"{campaign_id}/degree") is None else Fraction(0))
        entry = self._ledger.spend(_LIST, loss, request_id=f"{campaign_id}/1", what=what)
        path = self._path.with_name(f"{self._path.name}.{campaign_id[:16]}.shares")
        recorded = self._ledger.stored(f"{campaign_id}/1")
        if recorded is None and not path.exists():
            _write_once(path, json.dumps(draw()).encode())
        if not path.exists():
            assert recorded is not None
            return Shares(path, json.loads(recorded), {})
        shares: dict[str, str] = json.loads(path.read_bytes())
        hashes = {role: hashlib.sha256(bytes.fromhex(share)).hexdigest() for role, share in shares.items()}
        kept = json.loads(self._ledger.settle(entry, json.dumps(hashes)))
        if kept != hashes:
            raise ParameterError(f"{path} was changed since the shares were drawn; nothing is sent")
        return Shares(path, hashes, shares)

    def receipts(self, campaign_id: str) -> dict[str, str]:
        """The receipts of both servers, if both were given."""
        return dict(json.loads(self._ledger.stored(f"{campaign_id}/receipts") or "{}"))

    def end_shares(self, campaign_id: str, shares: Shares, receipts: dict[str, str]) -> None:
        """Write both receipts down, then erase the shares."""
        entry = self._ledger.spend(
            _LIST, Pure(Fraction(0)), request_id=f"{campaign_id}/receipts", what="receipts of both servers"
        )
        self._ledger.settle(entry, json.dumps(receipts))
        shares.erase()

    def recall(self, campaign: Campaign, role: Role) -> Memory:
        """The answers on record in a campaign; refuses if it was joined in another role."""
        memory = Memory()
        for number in range(1, campaign.rounds + 1):
            text = self._ledger.stored(f"{campaign.id}/{number}")
            if text is None:
                break
            memory = _read(text, role)
        return memory

    def record(
        self, campaign: Campaign, role: Role, number: int, epsilon: Fraction, draw: Callable[[], Memory]
    ) -> Memory:
        """Spend, draw, store; returns what is on record for the round, which may have been there before."""
        what = f"{campaign.protocol.statistic} by {campaign.protocol.name}, round {number}"
        loss = Pure(epsilon if number == 1 else Fraction(0))
        entry = self._ledger.spend(_LIST, loss, request_id=f"{campaign.id}/{number}", what=what)
        drawn = {"role": [role.name, role.number, role.roster, role.choice], "memory": draw().to_json()}
        return _read(self._ledger.settle(entry, json.dumps(drawn)), role)


def _read(text: str, role: Role) -> Memory:
    document = json.loads(text)
    if Role(*document["role"]) != role:
        raise ParameterError("this campaign was joined in another role (name, roster or strength); it must stay so")
    return Memory.from_json(document["memory"])


def _write_once(path: Path, content: bytes) -> None:
    """A whole new file, durable and its owner's alone; one that another command wrote meanwhile stays."""
    new = path.with_name(f"{path.name}.{secrets.token_hex(8)}")
    handle = os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(handle, "wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())
    with suppress(FileExistsError):
        path.hardlink_to(new)
    new.unlink()
