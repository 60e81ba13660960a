"""Which device of a person answers a campaign."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    """Add a column for the name that the device has chosen."""
    op.add_column("members", sa.Column("device", sa.String(32)))
