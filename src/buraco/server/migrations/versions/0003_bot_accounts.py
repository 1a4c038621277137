"""Bot accounts, and who of the members of a table is one."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

__all__ = ["branch_labels", "depends_on", "down_revision", "downgrade", "revision", "upgrade"]

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Make the table of bot accounts, and the column that marks a member as one."""
    op.create_table(
        "bot_account",
        sa.Column("person_id", sa.String(22), sa.ForeignKey("person.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("owner_id", sa.String(22), sa.ForeignKey("person.id", ondelete="CASCADE"), nullable=False),
        sa.Column("token_hash", sa.String(64), nullable=True),
        sa.Column("created_ms", sa.BigInteger, nullable=False),
    )
    op.create_index("ix_bot_account_owner_id", "bot_account", ["owner_id"])
    op.add_column("member", sa.Column("bot_of", sa.String(64), nullable=False, server_default=""))


def downgrade() -> None:
    """Remove them; the bots stay as guests whom nobody can be."""
    op.drop_column("member", "bot_of")
    op.drop_table("bot_account")
