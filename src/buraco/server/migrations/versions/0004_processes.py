"""The processes that serve the tables of one database together."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

__all__ = ["branch_labels", "depends_on", "down_revision", "downgrade", "revision", "upgrade"]

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Make the table in which each process says that it lives."""
    op.create_table(
        "server_process",
        sa.Column("process_id", sa.String(32), primary_key=True),
        sa.Column("key_mark", sa.String(32), nullable=False),
        sa.Column("seen_ms", sa.BigInteger, nullable=False),
    )


def downgrade() -> None:
    """Remove it."""
    op.drop_table("server_process")
