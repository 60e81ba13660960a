"""Queries of a party: its campaigns, people's shares, and messages. Whoever writes locks the campaign's row first."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from typing import Any

from sqlalchemy import Connection, func, insert, select, text, update

from graphveil.errors import ParameterError
from graphveil.service.parties.keys import CannotContinue
from graphveil.service.store.tables import party, party_campaigns, party_messages, party_people
from graphveil.two_servers.parties.campaign import TwoServerCampaign
from graphveil.two_servers.parties.contents import step_bytes
from graphveil.two_servers.parties.machine import State
from graphveil.two_servers.parties.names import ROLES

BLOCK_BYTES = 2**20  # of one message between parties; longer contents travel in several
ERASED_AT_ONCE = 256  # blocks

# A signature of a block, from its hash.
Sign = Callable[[bytes], bytes]


def claim_database(connection: Connection, role: str, ed25519: str) -> None:
    """Make a database that of one party; leader and helper in one database would hide nothing from its owner."""
    connection.execute(
        text("INSERT INTO party (id, role, ed25519) VALUES (1, :role, :key) ON CONFLICT DO NOTHING"),
        {"role": role, "key": ed25519},
    )
    owner = connection.execute(select(party)).one()
    if (owner.role, owner.ed25519) != (role, ed25519):
        raise ParameterError(
            f"this database is that of a {owner.role} with the key {owner.ed25519[:12]}…; "
            "each party needs a database and a folder of keys of its own (--database, --keys)"
        )


def find(connection: Connection, campaign_id: str, *, lock: bool = False) -> Any:
    """The row of a campaign, or None."""
    query = select(party_campaigns).where(party_campaigns.c.id == campaign_id)
    return connection.execute(query.with_for_update() if lock else query).one_or_none()


def all_campaigns(connection: Connection) -> list[Any]:
    """The rows of all campaigns, the oldest first."""
    return list(connection.execute(select(party_campaigns).order_by(party_campaigns.c.key)))


def unfinished(connection: Connection) -> list[str]:
    """The ids of campaigns that still have something to do."""
    query = select(party_campaigns.c.id).where(party_campaigns.c.erased_at.is_(None))
    return list(connection.scalars(query.order_by(party_campaigns.c.key)))


def add(connection: Connection, hashes: list[bytes], **values: Any) -> None:
    """A new campaign and the tokens of its people."""
    key = connection.execute(insert(party_campaigns).values(**values).returning(party_campaigns.c.key)).scalar_one()
    rows = [{"campaign": key, "number": number, "token_hash": each} for number, each in enumerate(hashes)]
    if rows:
        connection.execute(insert(party_people), rows)


def change(connection: Connection, key: int, **values: Any) -> None:
    """Change facts about a campaign."""
    connection.execute(update(party_campaigns).where(party_campaigns.c.key == key).values(**values))


def person(connection: Connection, key: int, number: int) -> Any:
    """The row of a person, or None."""
    here = (party_people.c.campaign == key) & (party_people.c.number == number)
    return connection.execute(select(party_people).where(here)).one_or_none()


def has_told(connection: Connection, key: int, number: int) -> bool:
    """Whether a person's noisy degree or share is or was held."""
    known = person(connection, key, number)
    return known.degree is not None or known.share_hash is not None


def keep_degree(connection: Connection, key: int, number: int, degree: int) -> None:
    """Keep the noisy degree of a person who told none."""
    here = (party_people.c.campaign == key) & (party_people.c.number == number)
    connection.execute(update(party_people).where(here).values(degree=degree))


def degrees(connection: Connection, key: int) -> dict[int, int]:
    """All noisy degrees that were told, by the number of the person."""
    query = select(party_people.c.number, party_people.c.degree)
    here = (party_people.c.campaign == key) & party_people.c.degree.is_not(None)
    return {row.number: row.degree for row in connection.execute(query.where(here))}


def keep_share(connection: Connection, key: int, number: int, share: bytes) -> None:
    """Keep the share of a person who had none."""
    here = (party_people.c.campaign == key) & (party_people.c.number == number)
    connection.execute(update(party_people).where(here).values(share=share, share_hash=hashlib.sha256(share).digest()))


def shares(connection: Connection, key: int) -> dict[int, bytes]:
    """All shares that are held, by the number of the person."""
    query = select(party_people.c.number, party_people.c.share)
    here = (party_people.c.campaign == key) & party_people.c.share.is_not(None)
    return {number: bytes(share) for number, share in connection.execute(query.where(here))}


def count_shares(connection: Connection, key: int) -> int:
    """From how many people a share has come; erased ones count."""
    here = (party_people.c.campaign == key) & party_people.c.share_hash.is_not(None)
    return int(connection.scalar(select(func.count()).select_from(party_people).where(here)) or 0)


def _place(key: int, sender: str, step: str, block: int | None = None) -> Any:
    here = (party_messages.c.campaign == key) & (party_messages.c.sender == sender) & (party_messages.c.step == step)
    return here if block is None else here & (party_messages.c.block == block)


def message(connection: Connection, key: int, sender: str, step: str, block: int) -> Any:
    """One block of a message, or None."""
    return connection.execute(select(party_messages).where(_place(key, sender, step, block))).one_or_none()


def keep_message(
    connection: Connection, key: int, sender: str, step: str, block: int, content: bytes, signature: bytes
) -> None:
    """Keep one block of a message, which must be new."""
    connection.execute(
        insert(party_messages).values(
            campaign=key,
            sender=sender,
            step=step,
            block=block,
            hash=hashlib.sha256(content).digest(),
            signature=signature,
            content=content,
        )
    )


def mark_delivered(connection: Connection, key: int, sender: str, step: str, block: int) -> None:
    """Take note that the receiver has a block."""
    connection.execute(update(party_messages).where(_place(key, sender, step, block)).values(delivered=1))


def content(connection: Connection, key: int, sender: str, step: str) -> bytes:
    """The whole content of a message, all blocks together."""
    query = select(party_messages.c.content).where(_place(key, sender, step)).order_by(party_messages.c.block)
    return b"".join(connection.scalars(query))


def content_between(connection: Connection, key: int, sender: str, step: str, start: int, stop: int) -> bytes:
    """The bytes of a message from one place to another."""
    first, last = start // BLOCK_BYTES, -(-stop // BLOCK_BYTES)
    query = select(party_messages.c.content).where(_place(key, sender, step), party_messages.c.block >= first)
    blocks = connection.scalars(query.where(party_messages.c.block < last).order_by(party_messages.c.block))
    return b"".join(blocks)[start - first * BLOCK_BYTES : stop - first * BLOCK_BYTES]


def keep_own(connection: Connection, key: int, sender: str, step: str, block: int, content: bytes, sign: Sign) -> None:
    """Keep one block of this party's own message, unless it is kept already; refuses another than before."""
    digest = hashlib.sha256(content).digest()
    known = connection.scalar(select(party_messages.c.hash).where(_place(key, sender, step, block)))
    if known is None:
        keep_message(connection, key, sender, step, block, content, sign(digest))
    elif bytes(known) != digest:
        raise CannotContinue(f"the step {step} came out otherwise than before; was the database set back?")


def blocks_to_send(connection: Connection, key: int, sender: str, step: str) -> list[int]:
    """The numbers of the blocks that the receiver has not confirmed."""
    here = _place(key, sender, step) & (party_messages.c.delivered == 0)
    return list(connection.scalars(select(party_messages.c.block).where(here).order_by(party_messages.c.block)))


def count_blocks(campaign: TwoServerCampaign, step: str) -> int:
    """In how many blocks a message travels."""
    return -(-step_bytes(campaign, step) // BLOCK_BYTES)


def read_state(connection: Connection, row: Any, campaign: TwoServerCampaign, role: str) -> State:
    """What is on disk about a campaign, as the machine sees it."""
    columns = party_messages.c
    counted = select(columns.sender, columns.step, func.count(), func.sum(columns.delivered))
    here = counted.where(columns.campaign == row.key).group_by(columns.sender, columns.step)
    written, delivered, received = set(), set(), set()
    for sender, step, blocks, confirmed in connection.execute(here):
        whole = count_blocks(campaign, step)
        if sender == role:
            written |= {step} if blocks == whole else set()
            delivered |= {step} if confirmed == whole else set()
        elif blocks == whole:
            received.add(f"{step}/{sender}" if step == "deal-key" else step)
    written |= {name for name in ("spent", "noise") if getattr(row, name) is not None}
    if row.erased_at is not None:  # noise is erased, that it was drawn is not forgotten
        written |= {"noise"} if row.spent is not None else set()
    results = {each.hash for each in (message(connection, row.key, who, "result", 0) for who in ROLES[:2]) if each}
    return State(
        role,
        campaign.has_dealer,
        campaign.asks_degrees,
        campaign.asks_hubs,
        degrees_closed=row.degrees_closed_at is not None,
        closed=row.closed_at is not None,
        written=frozenset(written),
        delivered=frozenset(delivered),
        received=frozenset(received),
        erased=row.erased_at is not None,
        disputed=len(results) > 1,
        stopped=row.stopped or "",
    )


def erase_blocks(connection: Connection, key: int) -> bool:
    """Empty some blocks of messages, and whether there were any: all at once would fill the log of the database."""
    full = (party_messages.c.campaign == key) & party_messages.c.content.is_not(None)
    columns = party_messages.c.sender, party_messages.c.step, party_messages.c.block
    some = connection.execute(select(*columns).where(full).limit(ERASED_AT_ONCE)).all()
    for place in some:
        connection.execute(update(party_messages).where(_place(key, *place)).values(content=None))
    return bool(some)


def erase(connection: Connection, key: int, at: float) -> None:
    """Empty degrees, shares and noise, after the messages; hashes stay and go on refusing others."""
    connection.execute(update(party_people).where(party_people.c.campaign == key).values(degree=None, share=None))
    change(connection, key, noise=None, erased_at=at)
