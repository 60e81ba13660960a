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

from graphveil.errors import BudgetExceeded, ParameterError
from graphveil.local.campaign import Campaign
from graphveil.local.client import Memory
from graphveil.privacy.ledger.ledger import Ledger
from graphveil.privacy.loss import Number, Pure, exact_epsilon
from graphveil.privacy.rounding import text_down, text_up
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
    """One person's, for all campaigns; `budget`, their limit, is needed the first time. The file is made when used."""

    def __init__(self, path: Path, budget: Number | None = None) -> None:
        self._path = path.absolute()
        self._wanted = None if budget is None else exact_epsilon(budget, "budget")
        self._opened: Ledger | None = None

    @property
    def limit(self) -> Fraction | None:
        """The most that may be spent in all campaigns; None before it is on file."""
        file = self._file
        known = None if file is None else file.budget(_LIST)
        return None if known is None else known.epsilon

    @property
    def left(self) -> Fraction:
        """What may still be spent."""
        return self._ledger.left(_LIST)[0]

    @property
    def asks_for_more(self) -> bool:
        """Whether the limit that was given is above the one on file."""
        return self._wanted is not None and self.limit is not None and self._wanted > self.limit

    def check_limit(self, cost: Fraction) -> None:
        """Refuse a campaign that would pass the limit, before anything is on file."""
        known, needed = self.limit, text_up(cost)
        if known is None and self._wanted is None:
            raise ParameterError(
                f"{self._path} is new: say with --budget how much epsilon you will spend in all campaigns; this one "
                f"needs {needed} (--budget {needed}); nothing was sent"
            )
        spent = Fraction(0) if known is None or self._file is None else self._file.spent(_LIST)[0]
        limit = self._wanted if self._wanted is not None and (known is None or self.asks_for_more) else known
        if limit is not None and limit - spent < cost:
            enough = f"--budget {text_up(spent + cost)}" + ("" if known is None else " --raise-budget")
            raise BudgetExceeded(
                f"this campaign costs epsilon {needed}; your limit of {text_up(limit)} in all campaigns has "
                f"{text_down(limit - spent)} left; nothing was sent or charged; {enough} would be enough"
            )

    def raise_limit(self) -> None:
        """Put the higher limit that was given on file; what was spent stays counted."""
        if self._wanted is not None and self._file is not None:
            self._file.raise_limit(_LIST, self._wanted)

    @property
    def _ledger(self) -> Ledger:
        """The ledger with a limit on file."""
        known = self.limit
        if known is None and self._wanted is None:
            raise ParameterError(
                f"{self._path} is new: say with budget= (--budget) how much epsilon may be spent in all"
            )
        if known is not None and self._wanted not in (None, known):
            raise ParameterError(
                f"your limit is epsilon {text_up(known)} in all campaigns: it can be raised (--raise-budget) and not "
                "lowered; leave out --budget to keep it"
            )
        file = self._file
        if file is None:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            file = self._opened = Ledger.open(self._path)
        if known is None and self._wanted is not None:
            file.declare(_LIST, unit=EDGE, trust=Trust.LOCAL, epsilon=self._wanted)
        return file

    def _stored(self, request_id: str) -> str | None:
        """What is on record under an id; nothing in a diary that is not made yet."""
        return None if self._file is None else self._file.stored(request_id)

    @property
    def _file(self) -> Ledger | None:
        """The ledger as soon as there is one, perhaps made by another command meanwhile."""
        if self._opened is None and self._path.exists():
            self._opened = Ledger.open(self._path)
        return self._opened

    def device(self, campaign: Campaign) -> str:
        """The name under which this diary answers a campaign, drawn once: the collector lets one device answer."""
        entry = self._ledger.spend(
            _LIST, Pure(Fraction(0)), request_id=f"{campaign.id}/device", what="name of a device"
        )
        return str(json.loads(self._ledger.settle(entry, json.dumps(secrets.token_hex(16)))))

    def has_joined(self, campaign: Campaign) -> bool:
        """Whether this diary is the one that takes part."""
        return self._stored(f"{campaign.id}/joined") is not None

    def join(self, campaign: Campaign) -> None:
        """Write down that this diary takes part: the collector lets it answer."""
        what = f"joined {campaign.protocol.statistic} by {campaign.protocol.name}"
        entry = self._ledger.spend(_LIST, Pure(Fraction(0)), request_id=f"{campaign.id}/joined", what=what)
        self._ledger.settle(entry, "{}")

    def has_drawn(self, campaign_id: str) -> bool:
        """Whether something was drawn on this device for a campaign with two servers."""
        return any(self._stored(f"{campaign_id}/{what}") is not None for what in ("degree", "1"))

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
        return dict(json.loads(self._stored(f"{campaign_id}/receipts") or "{}"))

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
            text = self._stored(f"{campaign.id}/{number}")
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
