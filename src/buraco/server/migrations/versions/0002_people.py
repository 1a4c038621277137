"""People, their accounts, and what an administrator asks of a running server."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

__all__ = ["branch_labels", "depends_on", "down_revision", "downgrade", "revision", "upgrade"]

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Make the tables of people."""
    op.create_table(
        "person",
        sa.Column("id", sa.String(22), primary_key=True),
        sa.Column("name", sa.String(24), nullable=False),
        sa.Column("epoch", sa.Integer, nullable=False),
        sa.Column("created_ms", sa.BigInteger, nullable=False),
        sa.Column("seen_ms", sa.BigInteger, nullable=False),
        sa.Column("banned_ms", sa.BigInteger, nullable=True),
    )
    op.create_index("ix_person_seen_ms", "person", ["seen_ms"])
    op.create_table(
        "account",
        sa.Column("person_id", sa.String(22), sa.ForeignKey("person.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("login", sa.String(24), nullable=False),
        sa.Column("login_key", sa.Text, nullable=False, unique=True),
        sa.Column("password_hash", sa.String(200), nullable=False),
        sa.Column("recovery_hash", sa.String(64), nullable=False),
        sa.Column("created_ms", sa.BigInteger, nullable=False),
    )
    op.create_table(
        "admin_order",
        sa.Column("id", sa.Integer, primary_key=True, autoincrement=True),
        sa.Column("kind", sa.String(16), nullable=False),
        sa.Column("target", sa.String(40), nullable=False),
        sa.Column("created_ms", sa.BigInteger, nullable=False),
        sa.Column("done_ms", sa.BigInteger, nullable=True),
        sa.Column("outcome", sa.String(40), nullable=True),
    )
    op.create_index("ix_admin_order_done_ms", "admin_order", ["done_ms"])


def downgrade() -> None:
    """Remove them, with everybody in them."""
    for name in ("admin_order", "account", "person"):
        op.drop_table(name)
