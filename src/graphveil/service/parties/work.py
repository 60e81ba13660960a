"""What a party does by itself: it does what the machine says, one durable step after the other.

What is computed is stored before it is sent, and what is sent is what is stored. Before a block is sent the receiver is
asked whether it holds one in this place already: if it is another, this party stops without sending.
"""

from __future__ import annotations

import hashlib
import json
import logging
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from graphveil.errors import GraphveilError
from graphveil.service.parties import store
from graphveil.service.parties.desk import Desk, read
from graphveil.service.parties.keys import CannotContinue, message_label
from graphveil.service.parties.party import Party
from graphveil.service.parties.wire import OtherBytes, Wire, exchange_path, receiver_of
from graphveil.two_servers.parties import contents
from graphveil.two_servers.parties.machine import Action, Stage, actions
from graphveil.two_servers.parties.names import DEALER
from graphveil.two_servers.parties.page import Page

_DAY = 86_400.0
_log = logging.getLogger(__name__)


@dataclass(slots=True)
class Worker:
    """Moves the campaigns of one party on; it keeps nothing that is not on disk, so it may be killed at any time."""

    party: Party
    wire: Wire
    _journal_is_clean: bool = field(default=False, init=False)  # of erased secrets; unknown at the start

    def tick(self) -> bool:
        """Do for each campaign what can be done now; whether anything was done."""
        database = self.party.service.database
        with database.read() as connection:
            waiting = store.unfinished(connection)
        done = [self._work(campaign_id) for campaign_id in waiting]
        if not self._journal_is_clean:  # what was erased may still stand in SQLite's log
            self._journal_is_clean = database.checkpoint()
        return any(done)

    def _work(self, campaign_id: str) -> bool:
        done = False
        try:
            done = self._look_at_the_clock(campaign_id)
            for action in actions(self.party.state(campaign_id)):
                done = self._do(campaign_id, action) or done
        except OtherBytes:
            self.party.stop(campaign_id, "another party holds other bytes than this one would send")
        except CannotContinue as error:
            self.party.stop(campaign_id, str(error))
        except (GraphveilError, OSError, MemoryError) as error:  # of the network or machine: the next tick tries again
            _log.warning("campaign %s waits: %s", campaign_id[:12], error)
        return done

    def _look_at_the_clock(self, campaign_id: str) -> bool:
        """At the deadline, or when everybody's share is there, no more are taken; who waits too long gives up.

        A result that both signed stays, though the other party never confirmed it: what is secret is erased (True).
        """
        party, row = self.party, self.party.row(campaign_id)
        now = party.service.watch.believed()
        if now >= row.closes_at + _DAY * party.service.settings.keep_days:
            if party.state(campaign_id).stage is Stage.PUBLISHED:
                self._erase(campaign_id)
                return True
            party.stop(campaign_id, "the other parties did not do their part in time")
        if party.role == DEALER or row.closed_at is not None:
            return False
        campaign = read(row.document)
        asking = campaign.asks_degrees and row.degrees_closed_at is None
        with party.service.database.read() as connection:
            count = len(store.degrees(connection, row.key)) if asking else store.count_shares(connection, row.key)
        if now >= (campaign.degrees_closing_time if asking else row.closes_at) or count == campaign.people:
            party.close(campaign_id, party.round_of(row))
        return False

    def _do(self, campaign_id: str, action: Action) -> bool:
        if action.verb == "send":
            return self._send(campaign_id, action.step)
        if action.verb == "write":
            self._write(campaign_id, action.step)
            return True
        self._erase(campaign_id)
        return True

    def _erase(self, campaign_id: str) -> None:
        self.party.keys.erase(campaign_id)
        is_full, database = True, self.party.service.database
        while is_full:
            with database.write() as connection:
                row = store.find(connection, campaign_id, lock=True)
                is_full = store.erase_blocks(connection, row.key)
        with database.write() as connection:
            store.erase(connection, row.key, self.party.service.clock())
        self._journal_is_clean = False

    def _send(self, campaign_id: str, step: str) -> bool:
        party, row = self.party, self.party.row(campaign_id)
        receiver = receiver_of(party.role, step)
        assert receiver is not None
        to = read(row.document).party(receiver)
        with party.service.database.read() as connection:
            waiting = store.blocks_to_send(connection, row.key, party.role, step)
        for block in waiting:
            with party.service.database.read() as connection:
                kept = store.message(connection, row.key, party.role, step, block)
            path = exchange_path(campaign_id, party.role, step, block)
            asking = message_label(campaign_id, party.role, receiver, step, block, hashlib.sha256(b"").digest())
            there = self.wire.held(to, path, party.keys.sign(asking))
            if there is None:
                self.wire.put(to, path, bytes(kept.content), bytes(kept.signature))
            elif there != bytes(kept.hash):
                raise OtherBytes
            with party.service.database.write() as connection:
                store.mark_delivered(connection, row.key, party.role, step, block)
        return bool(waiting)

    def _write(self, campaign_id: str, step: str) -> None:
        """Compute a step outside of any transaction, and store it block after block, unless another worker has.

        A party that is killed half-way computes it again: what follows from the input is the same.
        """
        party, row = self.party, self.party.row(campaign_id)
        desk, campaign = Desk(party.service, party.role, party.keys), read(row.document)
        values: dict[str, Any] = {}
        content: Iterable[bytes] = ()
        if step == "spent":
            values["spent"] = json.dumps({"epsilon": campaign.epsilon, "bind": desk.said(row, "bind").hex()})
        elif step == "noise":
            values["noise"] = contents.write_words(desk.draw(row, campaign))
        elif step == "page":
            page = Page.of_degrees(campaign.plan, desk.degrees(row, campaign))
            values["page"], content = page.to_json(), [page.hash]
        else:
            content = desk.content(row, campaign, step)
            if step == "result":
                values["result"] = desk.result(row, campaign)
        with party.service.database.write() as connection:
            row = store.find(connection, campaign_id, lock=True)
            if step in store.read_state(connection, row, campaign, party.role).written or row.stopped:
                return
            if values:
                store.change(connection, row.key, **values)
        for block, part in enumerate(_blocks(content)):
            with party.service.database.write() as connection:
                row = store.find(connection, campaign_id, lock=True)
                if row.stopped or row.erased_at is not None:
                    return
                store.keep_own(
                    connection, row.key, party.role, step, block, part, self._signer(campaign_id, step, block)
                )

    def _signer(self, campaign_id: str, step: str, block: int) -> store.Sign:
        """Signs the hash of a block of this party."""
        party = self.party
        receiver = receiver_of(party.role, step) or ""

        def sign(digest: bytes) -> bytes:
            return party.keys.sign(message_label(campaign_id, party.role, receiver, step, block, digest))

        return sign


def _blocks(content: Iterable[bytes]) -> Iterator[bytes]:
    """A content, made part after part, in blocks that are stored and sent."""
    held = b""
    for part in content:
        held += part
        whole = len(held) - len(held) % store.BLOCK_BYTES
        for start in range(0, whole, store.BLOCK_BYTES):
            yield held[start : start + store.BLOCK_BYTES]
        held = held[whole:]
    if held:
        yield held
