"""Campaigns that are paused, people who may have enrolled before a restore, and what the collector knows of itself."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    """Add two columns and the table of one row."""
    op.add_column("campaigns", sa.Column("paused_at", sa.Float(53)))
    op.add_column("members", sa.Column("assumed", sa.Integer, nullable=False, server_default="0"))
    table = op.create_table(
        "collector",
        sa.Column("id", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("last_seen", sa.Float(53)),
        sa.Column("unknown_trillionths", sa.BigInteger, nullable=False),
    )
    op.bulk_insert(table, [{"id": 1, "last_seen": None, "unknown_trillionths": 0}])
