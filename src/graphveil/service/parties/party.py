"""One party: it takes campaigns from its operator, shares from people and messages from other parties.

What it does by itself, step after step, is in `work`.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import logging
from dataclasses import dataclass
from typing import Any

from graphveil.errors import ParameterError
from graphveil.privacy.loss import exact_epsilon
from graphveil.privacy.odds import refuse_weak
from graphveil.service.auth import Role, Token
from graphveil.service.parties import store
from graphveil.service.parties.desk import read
from graphveil.service.parties.keys import (
    CannotContinue,
    KeyFolder,
    accepted_label,
    is_signed,
    message_label,
    receipt_label,
)
from graphveil.service.parties.wire import is_said, receiver_of
from graphveil.service.problems import Problem, Refusal
from graphveil.service.service import Service, to_text
from graphveil.service.store import blobs
from graphveil.service.terms import write_roster
from graphveil.two_servers.parties import contents
from graphveil.two_servers.parties.campaign import TwoServerCampaign
from graphveil.two_servers.parties.machine import Stage, State
from graphveil.two_servers.parties.names import DEALER, HELPER, LEADER
from graphveil.two_servers.parties.page import Page
from graphveil.two_servers.parties.payload import belongs_to, extra_bytes

_log = logging.getLogger(__name__)


@dataclass(slots=True)
class Party:
    """The service of one role, with a database and a folder of keys of its own."""

    service: Service
    role: str
    keys: KeyFolder

    def __post_init__(self) -> None:
        with self.service.database.write() as connection:
            store.claim_database(connection, self.role, self.keys.public)

    # what operators ask

    def accept_campaign(self, document: str, names: list[str], token_hashes: list[bytes]) -> TwoServerCampaign:
        """Take part in a campaign; its text must name this party, by its own key."""
        campaign = read(document)
        mine = campaign.party(self.role)
        if mine.ed25519 != self.keys.public:
            raise ParameterError(f"the {self.role} of this campaign has another key than this server")
        if campaign.closing_time <= self.service.clock():
            raise ParameterError("this campaign is closed already")
        refuse_weak(exact_epsilon(campaign.epsilon), accepted=False)
        holds_shares = self.role != DEALER
        roster = write_roster(names) if holds_shares else b""
        if holds_shares and hashlib.sha256(roster).hexdigest() != campaign.roster:
            raise ParameterError("this roster is not the one of the campaign")
        if len(token_hashes) != (campaign.people if holds_shares else 0):
            raise ParameterError("a server needs a token for everybody on the roster, a dealer needs none")
        self.keys.begin(campaign.id, mine.x25519)
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

    def round_of(self, row: Any) -> int:
        """The round that is open or was the last: of noisy degrees, where they are asked for, then of shares."""
        return 1 + (read(row.document).asks_degrees and row.degrees_closed_at is not None)

    def close(self, campaign_id: str, number: int) -> None:
        """Take no more answers in the round of this number."""
        self._refuse_dealer()
        self.row(campaign_id)
        with self.service.database.write() as connection:
            row = store.find(connection, campaign_id, lock=True)
            if number > self.round_of(row):
                raise Problem("not-now", "the round of noisy degrees is still open")
            ends = "degrees_closed_at" if number == 1 and read(row.document).asks_degrees else "closed_at"
            if getattr(row, ends) is None:
                store.change(connection, row.key, **{ends: self.service.clock()})

    def stop(self, campaign_id: str, why: str) -> None:
        """End a campaign without a result; a result that both servers signed stays."""
        if self.state(campaign_id).stage is Stage.PUBLISHED:
            return
        with self.service.database.write() as connection:
            row = store.find(connection, campaign_id, lock=True)
            if not row.stopped:
                _log.error("campaign %s stopped: %s", campaign_id[:12], why)
                store.change(connection, row.key, stopped=why)

    def state(self, campaign_id: str) -> State:
        """Where a campaign stands, from what is on disk."""
        row = self.row(campaign_id)
        with self.service.database.read() as connection:
            return store.read_state(connection, row, read(row.document), self.role)

    def progress(self, campaign_id: str) -> dict[str, Any]:
        """Where a campaign stands and how many shares have come, in the form of a collector's progress."""
        row = self.row(campaign_id)
        campaign = read(row.document)
        with self.service.database.read() as connection:
            counts = [len(store.degrees(connection, row.key))] if campaign.asks_degrees else []
            counts.append(store.count_shares(connection, row.key))
        return {
            "id": campaign_id,
            "title": campaign.title,
            "state": str(self.state(campaign_id).stage),
            "why": row.stopped,
            "role": self.role,
            "paused": False,
            "round": self.round_of(row),
            "rounds": len(counts),
            "closes": campaign.closes if self.round_of(row) == len(counts) else campaign.degrees_close,
            "finished": None if row.erased_at is None else to_text(row.erased_at),
            "people": campaign.people,
            "enrolled": max(counts),
            "reports": counts,
            "refusals": {},
        }

    def result(self, campaign_id: str) -> dict[str, Any]:
        """The result with both signatures, once both servers signed the same numbers."""
        row, stage = self.row(campaign_id), self.state(campaign_id).stage
        if stage is Stage.DISPUTED:
            raise Problem("not-now", "the two servers opened different results; their operators have to find out why")
        if stage is Stage.STOPPED:
            raise Problem("not-now", f"the campaign stopped without a result: {row.stopped}")
        if stage is not Stage.PUBLISHED or row.result is None:
            raise Problem("not-now", f"there is no result yet: {stage.outlook}")
        with self.service.database.read() as connection:
            signed = {each: store.message(connection, row.key, each, "result", 0) for each in (LEADER, HELPER)}
        document: dict[str, Any] = json.loads(row.result)
        return document | {"signatures": {role: bytes(each.signature).hex() for role, each in signed.items()}}

    # what people send

    def check_person(self, campaign_id: str, token: Token | None) -> int:
        """The number of the person who is asking."""
        self._refuse_dealer()
        with self.service.database.read() as connection:
            row = store.find(connection, campaign_id)
            known = store.person(connection, row.key, token.holder) if row and token else None
        if token is None or known is None or token.role is not Role.PERSON or not token.matches(known.token_hash):
            raise Problem(Refusal.UNAUTHORISED)
        return token.holder

    def accept_degree(self, campaign_id: str, number: int, degree: int) -> None:
        """Keep a person's noisy degree; the same again changes nothing, another is refused."""
        self._refuse_dealer()
        with self.service.database.write() as connection:
            row = store.find(connection, campaign_id, lock=True)
            campaign = read(row.document)
            if not campaign.asks_degrees:
                raise Problem("forbidden", "this campaign asks for no degrees")
            known = store.person(connection, row.key, number)
            if known.degree is not None and known.degree != degree:
                raise Problem("conflict", "another degree of this person is already held")
            if known.degree is None:
                over = row.stopped or row.degrees_closed_at is not None
                if over or self.service.watch.believed() >= campaign.degrees_closing_time:
                    raise Problem("late", "this campaign takes no more degrees")
                if not 0 <= degree < campaign.people:
                    raise Problem("malformed", "nobody has so many friends here")
                store.keep_degree(connection, row.key, number, degree)

    def page(self, campaign_id: str) -> dict[str, Any]:
        """The limit and the hubs that noisy degrees gave, with both servers' signatures, once both have signed."""
        self._refuse_dealer()
        row, state = self.row(campaign_id), self.state(campaign_id)
        if state.stopped:
            raise Problem("late", f"the campaign stopped without a result: {state.stopped}")
        if not (state.has_page and state.asks_degrees):
            raise Problem("not-now", "the two servers have not both signed a limit for lists yet")
        with self.service.database.read() as connection:
            signed = {each: store.message(connection, row.key, each, "page", 0) for each in (LEADER, HELPER)}
        return {"page": row.page, "signatures": {role: bytes(each.signature).hex() for role, each in signed.items()}}

    def unseal(self, campaign_id: str, label: tuple[str | int, ...], sealed: bytes) -> bytes:
        """What somebody sealed to this party in a campaign; nobody opens it once the campaign is over."""
        self.row(campaign_id)
        try:
            return self.keys.unseal(campaign_id, label, sealed)
        except CannotContinue:
            raise Problem("late", "this campaign has ended here") from None
        except ParameterError as error:
            raise Problem("malformed", str(error)) from None

    def accept_share(self, campaign_id: str, number: int, share: bytes) -> bytes:
        """Keep a person's share and sign for it; the same bytes again change nothing, other bytes are refused."""
        self._refuse_dealer()
        with self.service.database.write() as connection:
            row = store.find(connection, campaign_id, lock=True)
            known = store.person(connection, row.key, number)
            if known.share_hash is None:
                if row.stopped or row.closed_at is not None or self.service.watch.believed() >= row.closes_at:
                    raise Problem("late", "this campaign takes no more shares")
                campaign = read(row.document)
                if len(share) != contents.share_bytes(campaign, self.role) + extra_bytes(campaign):
                    raise Problem("malformed", "a share of this campaign has another length")
                if campaign.asks_degrees:
                    self._check_page(connection, row, campaign, share)
                store.keep_share(connection, row.key, number, share)
            elif not hmac.compare_digest(known.share_hash, hashlib.sha256(share).digest()):
                raise Problem("conflict", "another share of this person is already held")
        return self.keys.sign(receipt_label(campaign_id, self.role, number, share))

    def _check_page(self, connection: Any, row: Any, campaign: TwoServerCampaign, share: bytes) -> None:
        """Refuse an answer to another page than this server's, and any answer before both servers signed the same."""
        mine, theirs = (store.message(connection, row.key, each, "page", 0) for each in (LEADER, HELPER))
        if mine is None or theirs is None or mine.hash != theirs.hash:
            raise Problem("not-now", "the two servers have not both signed a limit for lists yet")
        if not belongs_to(share, Page.from_json(campaign.plan, row.page)):
            raise Problem(
                "conflict", "this is an answer to another limit for lists than the one that both servers signed"
            )

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
        if receiver_of(sender, step) != self.role or not is_said(campaign, step):
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
                    raise Problem("late", "this campaign has ended here")
                start, whole = block * store.BLOCK_BYTES, contents.step_bytes(read(row.document), step)
                if len(content) != min(store.BLOCK_BYTES, whole - start):
                    raise Problem("malformed", "a block of this message has another length")
                store.keep_message(connection, row.key, sender, step, block, content, signature)
                ends = {"degrees": "degrees_closed_at", "set": "closed_at"}.get(step)
                if ends and getattr(row, ends) is None:  # what comes later could not count
                    store.change(connection, row.key, **{ends: self.service.clock()})
        if known is not None and not hmac.compare_digest(bytes(known.hash), digest):
            self.stop(campaign_id, f"the {sender} sent two different messages in the step {step}")
            raise Problem("conflict", "another message was received in this place; the campaign has stopped")
