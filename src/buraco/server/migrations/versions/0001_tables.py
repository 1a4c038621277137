"""Tables, their logs, their people, their results."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

__all__ = ["branch_labels", "depends_on", "down_revision", "downgrade", "revision", "upgrade"]

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Make the tables that hold matches."""
    op.create_table(
        "game_table",
        sa.Column("table_id", sa.String(32), primary_key=True),
        sa.Column("code", sa.String(12), nullable=False, unique=True),
        sa.Column("created_ms", sa.BigInteger, nullable=False),
        sa.Column("closed_ms", sa.BigInteger, nullable=True),
    )
    op.create_index("ix_game_table_closed_ms", "game_table", ["closed_ms"])
    op.create_table(
        "entry",
        sa.Column(
            "table_id", sa.String(32), sa.ForeignKey("game_table.table_id", ondelete="CASCADE"), primary_key=True
        ),
        sa.Column("seq", sa.BigInteger, primary_key=True, autoincrement=False),
        sa.Column("at_ms", sa.BigInteger, nullable=False),
        sa.Column("body", sa.Text, nullable=False),
    )
    op.create_table(
        "member",
        sa.Column(
            "table_id", sa.String(32), sa.ForeignKey("game_table.table_id", ondelete="CASCADE"), primary_key=True
        ),
        sa.Column("member", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("token_id", sa.String(64), nullable=False),
        sa.Column("account_id", sa.String(64), nullable=True),
        sa.Column("name", sa.String(64), nullable=False),
    )
    op.create_index("ix_member_token_id", "member", ["token_id"])
    op.create_index("ix_member_account_id", "member", ["account_id"])
    _results()


def _results() -> None:
    op.create_table(
        "result",
        sa.Column(
            "table_id", sa.String(32), sa.ForeignKey("game_table.table_id", ondelete="CASCADE"), primary_key=True
        ),
        sa.Column("match", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("ended_ms", sa.BigInteger, nullable=False),
        sa.Column("kind", sa.String(16), nullable=False),
        sa.Column("winner", sa.Integer, nullable=True),
        sa.Column("total_0", sa.Integer, nullable=False),
        sa.Column("total_1", sa.Integer, nullable=False),
        sa.Column("players", sa.Integer, nullable=False),
        sa.Column("rules_name", sa.String(64), nullable=False),
        sa.Column("public", sa.Boolean, nullable=False),
        sa.Column("record", sa.Text, nullable=False),
    )
    op.create_index("ix_result_ended_ms", "result", ["ended_ms"])
    op.create_table(
        "result_seat",
        sa.Column("table_id", sa.String(32), primary_key=True),
        sa.Column("match", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("seat", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("token_id", sa.String(64), nullable=True),
        sa.Column("account_id", sa.String(64), nullable=True),
        sa.Column("name", sa.String(64), nullable=False),
        sa.Column("bot", sa.String(40), nullable=False),
        sa.ForeignKeyConstraint(["table_id", "match"], ["result.table_id", "result.match"], ondelete="CASCADE"),
    )
    op.create_index("ix_result_seat_token_id", "result_seat", ["token_id"])
    op.create_index("ix_result_seat_account_id", "result_seat", ["account_id"])


def downgrade() -> None:
    """Remove them, with everything in them."""
    for name in ("result_seat", "result", "member", "entry", "game_table"):
        op.drop_table(name)
