"""The tables, as this version of the program expects them; `migrations` builds them.

Epsilons are whole numbers of trillionths, the smallest loss there is, so that sums are exact in every database.
A token is never stored, only its hash. `reports` keeps a row for every report ever counted: scrubbing empties its
payload, and the row goes on refusing replays.
"""

from __future__ import annotations

from sqlalchemy import (
    BigInteger,
    Column,
    Float,
    ForeignKey,
    Integer,
    LargeBinary,
    MetaData,
    String,
    Table,
    Text,
    UniqueConstraint,
)

metadata = MetaData()
Key = BigInteger().with_variant(Integer, "sqlite")  # SQLite counts up by itself only in a plain INTEGER

staff = Table(
    "staff",
    metadata,
    Column("id", Key, primary_key=True),
    Column("name", String(200), nullable=False, unique=True),
    Column("role", String(20), nullable=False),
    Column("token_hash", LargeBinary(32), nullable=False),
)

people = Table(
    "people",
    metadata,
    Column("id", Key, primary_key=True),
    Column("name", String(200), nullable=False, unique=True),
    Column("token_hash", LargeBinary(32), nullable=False),
    Column("limit_trillionths", BigInteger, nullable=False),
    Column("spent_trillionths", BigInteger, nullable=False),
)

blobs = Table(
    "blobs",
    metadata,
    Column("id", String(64), primary_key=True),  # sha-256 of the content before compression
    Column("gzip", LargeBinary, nullable=False),
)

campaigns = Table(
    "campaigns",
    metadata,
    Column("key", Key, primary_key=True),
    Column("id", String(64), nullable=False, unique=True),
    Column("document", Text, nullable=False),
    Column("roster_id", ForeignKey("blobs.id"), nullable=False),
    Column("state", String(20), nullable=False, index=True),
    Column("round", Integer, nullable=False),
    Column("arrived", Integer, nullable=False),  # reports counted in this round
    Column("eligible", Integer, nullable=False),  # people who may report in this round
    Column("closes_at", Float(53), nullable=False),
    Column("created_at", Float(53), nullable=False),
    Column("finished_at", Float(53)),
    Column("scrubbed_at", Float(53)),
    Column("result", Text),
    Column("paused_at", Float(53)),  # since when it accepts no reports and no deadline acts on it
)

members = Table(
    "members",
    metadata,
    Column("campaign", ForeignKey("campaigns.key", ondelete="CASCADE"), primary_key=True),
    Column("person", ForeignKey("people.id"), primary_key=True, index=True),  # by whom they are looked up
    Column("number", Integer, nullable=False),
    Column("enrolled_at", Float(53)),
    Column("assumed", Integer, nullable=False, server_default="0"),  # `store.people.Assumed`
    Column("device", String(32)),  # the name that the device which answers has chosen
    UniqueConstraint("campaign", "number"),
    sqlite_with_rowid=False,
)

reports = Table(
    "reports",
    metadata,
    Column("campaign", Key, primary_key=True, autoincrement=False),  # no reference: who writes here holds its lock
    Column("round", Integer, primary_key=True, autoincrement=False),
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("payload", LargeBinary),
    Column("received_at", Float(53), nullable=False),
    sqlite_with_rowid=False,  # one tree to write instead of two
)

publications = Table(
    "publications",
    metadata,
    Column("campaign", ForeignKey("campaigns.key", ondelete="CASCADE"), primary_key=True),
    Column("round", Integer, primary_key=True, autoincrement=False),
    Column("blob", ForeignKey("blobs.id"), nullable=False),
)

refusals = Table(
    "refusals",
    metadata,
    Column("campaign", ForeignKey("campaigns.key", ondelete="CASCADE"), primary_key=True),
    Column("reason", String(40), primary_key=True),
    Column("count", BigInteger, nullable=False),
)

collector = Table(
    "collector",
    metadata,
    Column("id", Integer, primary_key=True, autoincrement=False),
    Column("last_seen", Float(53)),  # the time that a server believed last
    Column("unknown_trillionths", BigInteger, nullable=False),  # what people may have spent unknown to a restored one
)

audit = Table(
    "audit",
    metadata,
    Column("id", Key, primary_key=True),
    Column("at", Float(53), nullable=False),
    Column("actor", String(200), nullable=False),
    Column("action", String(40), nullable=False),
    Column("campaign", String(64)),
    Column("detail", Text, nullable=False),
)

party = Table(
    "party",
    metadata,
    Column("id", Integer, primary_key=True, autoincrement=False),
    Column("role", String(20), nullable=False),  # of two servers and a dealer; a database is that of one
    Column("ed25519", String(64), nullable=False),
)

party_campaigns = Table(
    "party_campaigns",
    metadata,
    Column("key", Key, primary_key=True),
    Column("id", String(64), nullable=False, unique=True),
    Column("document", Text, nullable=False),
    Column("roster_id", ForeignKey("blobs.id")),
    Column("created_at", Float(53), nullable=False),
    Column("closes_at", Float(53), nullable=False),
    Column("degrees_closed_at", Float(53)),  # the end of the round of noisy degrees
    Column("page", Text),  # what follows from noisy degrees
    Column("closed_at", Float(53)),
    Column("spent", Text),  # the ledger's entry: epsilon and bind, before noise is drawn
    Column("noise", LargeBinary),
    Column("result", Text),
    Column("stopped", Text),
    Column("erased_at", Float(53)),
)

party_people = Table(
    "party_people",
    metadata,
    Column("campaign", ForeignKey("party_campaigns.key", ondelete="CASCADE"), primary_key=True),
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("token_hash", LargeBinary(32), nullable=False),
    Column("degree", Integer),  # noisy
    Column("share_hash", LargeBinary(32)),  # stays when the share is erased
    Column("share", LargeBinary),
    sqlite_with_rowid=False,
)

party_messages = Table(
    "party_messages",
    metadata,
    Column("campaign", ForeignKey("party_campaigns.key", ondelete="CASCADE"), primary_key=True),
    Column("sender", String(20), primary_key=True),
    Column("step", String(20), primary_key=True),
    Column("block", Integer, primary_key=True, autoincrement=False),
    Column("hash", LargeBinary(32), nullable=False),  # stays when the content is erased
    Column("signature", LargeBinary(64), nullable=False),
    Column("delivered", Integer, nullable=False, server_default="0"),
    Column("content", LargeBinary),  # last: SQLite reads what stands before a long column without reading the column
)
