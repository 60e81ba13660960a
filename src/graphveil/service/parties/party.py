"""One party at work: it takes shares and messages, and does what the machine says, one durable step after the other.

What is computed is stored before it is sent, and what is sent is what is stored. Before a block is sent the receiver is
asked whether it holds one in this place already: if it is another, this party stops without sending.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import logging
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from graphveil.errors import ParameterError
from graphveil.mechanisms.noise.source import Noise
from graphveil.service.auth import Token
from graphveil.service.parties import store
from graphveil.service.parties.desk import Desk, read
from graphveil.service.parties.keys import KeyFolder, KeysGone, accepted_label, is_signed, message_label
from graphveil.service.parties.wire import OtherBytes, Wire, receiver_of
from graphveil.service.problems import Problem, Refusal
from graphveil.service.service import Service
from graphveil.service.store import blobs
from graphveil.service.terms import write_roster
from graphveil.two_servers.parties import contents
from graphveil.two_servers.parties.campaign import DEALER, HELPER, LEADER, TwoServerCampaign
from graphveil.two_servers.parties.machine import Action, Stage, State, actions

_log = logging.getLogger(__name__)


@dataclass(slots=True)
class Party:
    """The service of one role; `noise_of` is replaced in tests only."""

    service: Service
    role: str
    keys: KeyFolder
    noise_of: Callable[[TwoServerCampaign, bytes, bytes], Noise] = field(default=contents.server_noise)

    @property
    def _desk(self) -> Desk:
        return Desk(self.service, self.role, self.keys, self.noise_of)

    def __post_init__(self) -> None:
        with self.service.database.write() as connection:
            store.claim_database(connection, self.role, self.keys.public)

    # what people and operators ask

    def accept_campaign(self, document: str, names: list[str], token_hashes: list[bytes]) -> TwoServerCampaign:
        """Take part in a campaign; its text must name this party, by its own key."""
        campaign = read(document)
        if campaign.party(self.role).ed25519 != self.keys.public:
            raise ParameterError(f"the {self.role} of this campaign has another key than this server")
        if campaign.closing_time <= self.service.clock():
            raise ParameterError("this campaign is closed already")
        holds_shares = self.role != DEALER
        roster = write_roster(names) if holds_shares else b""
        if holds_shares and hashlib.sha256(roster).hexdigest() != campaign.roster:
            raise ParameterError("this roster is not the one of the campaign")
        if len(token_hashes) != (campaign.people if holds_shares else 0):
            raise ParameterError("a server needs a token for everybody on the roster, a dealer needs none")
        self.keys.begin(campaign.id)
        with self.service.database.write() as connection:
            if store.find(connection, campaign.id) is None:
                store.add(
                    connection,
                    token_hashes,
                    id=campaign.id,
                    document=document,
                    roster_id=blobs.put(connection, roster) if holds_shares else None,
                    created_at=self.service.clock(),
                    closes_at=campaign.closing_time,
                )
        return campaign

    def accepted(self, campaign_id: str) -> bytes:
        """The signature that says: this party takes part in this campaign."""
        self.row(campaign_id)
        return self.keys.sign(accepted_label(campaign_id, self.role))

    def row(self, campaign_id: str) -> Any:
        """The row of a campaign, or the problem that there is none."""
        with self.service.database.read() as connection:
            row = store.find(connection, campaign_id)
        if row is None:
            raise Problem("not-found", "there is no campaign of this id")
        return row

    def check_person(self, campaign_id: str, token: Token | None) -> int:
        """The number of the person who is asking."""
        self._refuse_dealer()
        with self.service.database.read() as connection:
            row = store.find(connection, campaign_id)
            known = store.person(connection, row.key, token.holder) if row and token else None
        if token is None or known is None or not token.matches(known.token_hash):
            raise Problem(Refusal.UNAUTHORISED)
        return token.holder

    def accept_share(self, campaign_id: str, number: int, share: bytes) -> None:
        """Keep a person's share; the same bytes again change nothing, other bytes are refused."""
        self._refuse_dealer()
        with self.service.database.write() as connection:
            row = store.find(connection, campaign_id, lock=True)
            known = store.person(connection, row.key, number)
            if known.share_hash is not None:
                if not hmac.compare_digest(known.share_hash, hashlib.sha256(share).digest()):
                    raise Problem("conflict", "another share of this person is already held")
                return
            if row.stopped or row.closed_at is not None or self.service.watch.believed() >= row.closes_at:
                raise Problem("late", "this campaign takes no more shares")
            if len(share) != contents.share_bytes(read(row.document), self.role):
                raise Problem("malformed", "a share of this campaign has another length")
            store.keep_share(connection, row.key, number, share)

    def close(self, campaign_id: str) -> None:
        """Take no more shares in this campaign."""
        self._refuse_dealer()
        with self.service.database.write() as connection:
            row = store.find(connection, campaign_id, lock=True)
            if row.closed_at is None:
                store.change(connection, row.key, closed_at=self.service.clock())

    def stop(self, campaign_id: str, why: str) -> None:
        """End a campaign without a result; a result that is there stays."""
        with self.service.database.write() as connection:
            row = store.find(connection, campaign_id, lock=True)
            if row.result is None and not row.stopped:
                _log.error("campaign %s stopped: %s", campaign_id[:12], why)
                store.change(connection, row.key, stopped=why)

    def state(self, campaign_id: str) -> State:
        """Where a campaign stands, from what is on disk."""
        with self.service.database.read() as connection:
            row = store.find(connection, campaign_id)
            return store.read_state(connection, row, read(row.document), self.role)

    def _refuse_dealer(self) -> None:
        if self.role == DEALER:
            raise Problem("forbidden", "a dealer holds no shares")

    # what other parties say

    def check_message(
        self, campaign_id: str, sender: str, step: str, block: int, digest: bytes, signature: bytes
    ) -> Any:
        """The campaign's row, if a message of this kind may come from this sender and is signed by it."""
        row = self.row(campaign_id)
        campaign = read(row.document)
        if receiver_of(sender, step) != self.role or (step in ("deal-key", "corrections") and not campaign.has_dealer):
            raise Problem("forbidden", f"a {self.role} takes no such message from a {sender}")
        if not 0 <= block < store.count_blocks(campaign, step):
            raise Problem("malformed", "a message has no such block")
        label = message_label(campaign_id, sender, self.role, step, block, digest)
        if not is_signed(campaign.party(sender).ed25519, label, signature):
            raise Problem("forbidden", "the signature is not that of the party in the campaign")
        return row

    def held(self, campaign_id: str, sender: str, step: str, block: int, signature: bytes) -> bytes | None:
        """The hash of the block that was received in a place, told to its sender."""
        asked = hashlib.sha256(b"").digest()
        row = self.check_message(campaign_id, sender, step, block, asked, signature)
        with self.service.database.read() as connection:
            known = store.message(connection, row.key, sender, step, block)
        return None if known is None else bytes(known.hash)

    def receive(self, campaign_id: str, sender: str, step: str, block: int, content: bytes, signature: bytes) -> None:
        """Keep a block of a message; other bytes than before stop the campaign."""
        digest = hashlib.sha256(content).digest()
        self.check_message(campaign_id, sender, step, block, digest, signature)
        with self.service.database.write() as connection:
            row = store.find(connection, campaign_id, lock=True)
            known = store.message(connection, row.key, sender, step, block)
            if known is None:
                if row.stopped or row.erased_at is not None:
                    raise Problem("not-now", "this campaign has ended here")
                start, whole = block * store.BLOCK_BYTES, contents.step_bytes(read(row.document), step)
                if len(content) != min(store.BLOCK_BYTES, whole - start):
                    raise Problem("malformed", "a block of this message has another length")
                store.keep_message(connection, row.key, sender, step, block, content, signature)
                if step == "set" and row.closed_at is None:  # a share that comes later could not count
                    store.change(connection, row.key, closed_at=self.service.clock())
        if known is not None and not hmac.compare_digest(bytes(known.hash), digest):
            self.stop(campaign_id, f"the {sender} sent two different messages in the step {step}")
            raise Problem("conflict", "another message was received in this place; the campaign has stopped")

    # what this party does

    def tick(self, wire: Wire) -> bool:
        """Do for each campaign what can be done now; whether anything was done."""
        with self.service.database.read() as connection:
            waiting = store.unfinished(connection)
        done = [self._work(campaign_id, wire) for campaign_id in waiting]
        return any(done)

    def _work(self, campaign_id: str, wire: Wire) -> bool:
        self._close_in_time(campaign_id)
        state, done = self.state(campaign_id), False
        try:
            for action in actions(state):
                done = self._do(campaign_id, action, wire) or done
        except OtherBytes:
            self.stop(campaign_id, "another party holds other bytes than this one would send")
        except KeysGone as error:
            self.stop(campaign_id, str(error))
        return done

    def _close_in_time(self, campaign_id: str) -> None:
        """At the deadline, or when everybody's share is there, no more are taken; a dealer that waits too long ends."""
        row = self.row(campaign_id)
        late = self.service.watch.believed() >= row.closes_at
        if self.role == DEALER:
            if self.service.watch.believed() >= row.closes_at + 86_400 * self.service.settings.keep_days:
                self.stop(campaign_id, "the servers did not fetch the deal in time")
            return
        with self.service.database.read() as connection:
            count = store.count_shares(connection, row.key)
        if row.closed_at is None and (late or count == read(row.document).people):
            self.close(campaign_id)

    def _do(self, campaign_id: str, action: Action, wire: Wire) -> bool:
        if action.verb == "send":
            return self._send(campaign_id, action.step, wire)
        if action.verb == "write":
            return self._write(campaign_id, action.step)
        self.keys.erase(campaign_id)
        with self.service.database.write() as connection:
            row = store.find(connection, campaign_id, lock=True)
            store.erase(connection, row.key, self.service.clock())
        self.service.database.checkpoint()
        return True

    def _send(self, campaign_id: str, step: str, wire: Wire) -> bool:
        row = self.row(campaign_id)
        receiver = receiver_of(self.role, step)
        assert receiver is not None
        to = read(row.document).party(receiver)
        with self.service.database.read() as connection:
            waiting = store.blocks_to_send(connection, row.key, self.role, step)
        for block in waiting:
            with self.service.database.read() as connection:
                kept = store.message(connection, row.key, self.role, step, block)
            path = f"/api/v1/campaigns/{campaign_id}/exchange/{self.role}/{step}/{block}"
            asking = message_label(campaign_id, self.role, receiver, step, block, hashlib.sha256(b"").digest())
            there = wire.held(to, path, self.keys.sign(asking))
            if there is None:
                wire.put(to, path, bytes(kept.content), bytes(kept.signature))
            elif there != bytes(kept.hash):
                raise OtherBytes
            with self.service.database.write() as connection:
                store.mark_delivered(connection, row.key, self.role, step, block)
        return bool(waiting)

    def _write(self, campaign_id: str, step: str) -> bool:
        """Compute a step outside of any transaction, then store it unless another worker has."""
        row = self.row(campaign_id)
        campaign = read(row.document)
        values: dict[str, Any] = {}
        content = b""
        if step == "spent":
            values["spent"] = json.dumps({"epsilon": campaign.epsilon, "bind": self._desk.said(row, "bind").hex()})
        elif step == "noise":
            values["noise"] = contents.write_words(self._desk.draw(row, campaign))
        else:
            content = self._desk.content(row, campaign, step)
            if step == "result":
                values["result"] = self._desk.result(row, campaign)
        with self.service.database.write() as connection:
            row = store.find(connection, campaign_id, lock=True)
            if step in store.read_state(connection, row, campaign, self.role).written or row.stopped:
                return True
            if values:
                store.change(connection, row.key, **values)
            for block, start in enumerate(range(0, len(content), store.BLOCK_BYTES)):
                part = content[start : start + store.BLOCK_BYTES]
                receiver = receiver_of(self.role, step) or ""
                digest = hashlib.sha256(part).digest()
                signature = self.keys.sign(message_label(campaign_id, self.role, receiver, step, block, digest))
                store.keep_message(connection, row.key, self.role, step, block, part, signature)
        return True

    def result(self, campaign_id: str) -> dict[str, Any]:
        """The result with both signatures, once both servers signed the same numbers."""
        row = self.row(campaign_id)
        if self.state(campaign_id).stage is not Stage.PUBLISHED or row.result is None:
            raise Problem("not-now", "the campaign has no result")
        with self.service.database.read() as connection:
            signed = {each: store.message(connection, row.key, each, "result", 0) for each in (LEADER, HELPER)}
        if len({bytes(each.hash) for each in signed.values()}) != 1:
            raise Problem("not-now", "the servers did not open the same result")
        document: dict[str, Any] = json.loads(row.result)
        return document | {"signatures": {role: bytes(each.signature).hex() for role, each in signed.items()}}
