"""Campaigns of two servers and a dealer: shares of people, and messages between the parties."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    """Create the tables of a party."""
    key = sa.BigInteger().with_variant(sa.Integer, "sqlite")
    moment = sa.Float(53)
    op.create_table(
        "party",
        sa.Column("id", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("role", sa.String(20), nullable=False),
        sa.Column("ed25519", sa.String(64), nullable=False),
    )
    op.create_table(
        "party_campaigns",
        sa.Column("key", key, primary_key=True),
        sa.Column("id", sa.String(64), nullable=False, unique=True),
        sa.Column("document", sa.Text, nullable=False),
        sa.Column("roster_id", sa.String(64), sa.ForeignKey("blobs.id")),
        sa.Column("created_at", moment, nullable=False),
        sa.Column("closes_at", moment, nullable=False),
        sa.Column("degrees_closed_at", moment),
        sa.Column("page", sa.Text),
        sa.Column("closed_at", moment),
        sa.Column("spent", sa.Text),
        sa.Column("noise", sa.LargeBinary),
        sa.Column("result", sa.Text),
        sa.Column("stopped", sa.Text),
        sa.Column("erased_at", moment),
    )
    op.create_table(
        "party_people",
        sa.Column("campaign", key, sa.ForeignKey("party_campaigns.key", ondelete="CASCADE"), primary_key=True),
        sa.Column("number", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("token_hash", sa.LargeBinary(32), nullable=False),
        sa.Column("degree", sa.Integer),
        sa.Column("share_hash", sa.LargeBinary(32)),
        sa.Column("share", sa.LargeBinary),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "party_messages",
        sa.Column("campaign", key, sa.ForeignKey("party_campaigns.key", ondelete="CASCADE"), primary_key=True),
        sa.Column("sender", sa.String(20), primary_key=True),
        sa.Column("step", sa.String(20), primary_key=True),
        sa.Column("block", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("hash", sa.LargeBinary(32), nullable=False),
        sa.Column("signature", sa.LargeBinary(64), nullable=False),
        sa.Column("delivered", sa.Integer, nullable=False, server_default="0"),
        sa.Column("content", sa.LargeBinary),
    )
