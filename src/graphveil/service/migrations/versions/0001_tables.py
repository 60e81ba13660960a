"""All tables of the first version."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None

Key = sa.BigInteger().with_variant(sa.Integer, "sqlite")


def upgrade() -> None:
    """Create the tables of the first version."""
    _people()
    _campaigns()
    _reports()
    op.create_table(
        "audit",
        sa.Column("id", Key, primary_key=True),
        sa.Column("at", sa.Float(53), nullable=False),
        sa.Column("actor", sa.String(200), nullable=False),
        sa.Column("action", sa.String(40), nullable=False),
        sa.Column("campaign", sa.String(64)),
        sa.Column("detail", sa.Text, nullable=False),
    )


def _people() -> None:
    op.create_table(
        "staff",
        sa.Column("id", Key, primary_key=True),
        sa.Column("name", sa.String(200), nullable=False, unique=True),
        sa.Column("role", sa.String(20), nullable=False),
        sa.Column("token_hash", sa.LargeBinary(32), nullable=False),
    )
    op.create_table(
        "people",
        sa.Column("id", Key, primary_key=True),
        sa.Column("name", sa.String(200), nullable=False, unique=True),
        sa.Column("token_hash", sa.LargeBinary(32), nullable=False),
        sa.Column("limit_trillionths", sa.BigInteger, nullable=False),
        sa.Column("spent_trillionths", sa.BigInteger, nullable=False),
    )


def _campaigns() -> None:
    op.create_table(
        "blobs", sa.Column("id", sa.String(64), primary_key=True), sa.Column("gzip", sa.LargeBinary, nullable=False)
    )
    op.create_table(
        "campaigns",
        sa.Column("key", Key, primary_key=True),
        sa.Column("id", sa.String(64), nullable=False, unique=True),
        sa.Column("document", sa.Text, nullable=False),
        sa.Column("roster_id", sa.String(64), sa.ForeignKey("blobs.id"), nullable=False),
        sa.Column("state", sa.String(20), nullable=False, index=True),
        sa.Column("round", sa.Integer, nullable=False),
        sa.Column("arrived", sa.Integer, nullable=False),
        sa.Column("eligible", sa.Integer, nullable=False),
        sa.Column("closes_at", sa.Float(53), nullable=False),
        sa.Column("created_at", sa.Float(53), nullable=False),
        sa.Column("finished_at", sa.Float(53)),
        sa.Column("scrubbed_at", sa.Float(53)),
        sa.Column("result", sa.Text),
    )
    op.create_table(
        "members",
        _campaign(),
        sa.Column("person", Key, sa.ForeignKey("people.id"), primary_key=True, index=True),
        sa.Column("number", sa.Integer, nullable=False),
        sa.Column("enrolled_at", sa.Float(53)),
        sa.UniqueConstraint("campaign", "number"),
        sqlite_with_rowid=False,
    )


def _reports() -> None:
    op.create_table(
        "reports",
        sa.Column("campaign", Key, primary_key=True, autoincrement=False),
        sa.Column("round", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("number", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("payload", sa.LargeBinary),
        sa.Column("received_at", sa.Float(53), nullable=False),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "publications",
        _campaign(),
        sa.Column("round", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("blob", sa.String(64), sa.ForeignKey("blobs.id"), nullable=False),
    )
    op.create_table(
        "refusals",
        _campaign(),
        sa.Column("reason", sa.String(40), primary_key=True),
        sa.Column("count", sa.BigInteger, nullable=False),
    )


def _campaign() -> sa.Column[int]:
    return sa.Column("campaign", Key, sa.ForeignKey("campaigns.key", ondelete="CASCADE"), primary_key=True)
