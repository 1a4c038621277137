"""The tables of the database that hold matches: their logs, the people at them, and the results.

`entry` is the truth: the changes of every table in order, ``(table_id, seq)`` unique. `member` holds the people of a
table by the numbers that the log uses, so that the log itself names nobody. All else can be made again from these.
"""

from __future__ import annotations

from typing import Final

import sqlalchemy as sa

__all__ = ["entry_table", "game_table", "member_table", "metadata", "result_seat_table", "result_table"]

metadata: Final = sa.MetaData()

game_table: Final = sa.Table(
    "game_table",
    metadata,
    sa.Column("table_id", sa.String(32), primary_key=True),
    sa.Column("code", sa.String(12), nullable=False, unique=True),
    sa.Column("created_ms", sa.BigInteger, nullable=False),
    sa.Column("closed_ms", sa.BigInteger, nullable=True, index=True),
)

entry_table: Final = sa.Table(
    "entry",
    metadata,
    sa.Column("table_id", sa.String(32), sa.ForeignKey("game_table.table_id", ondelete="CASCADE"), primary_key=True),
    sa.Column("seq", sa.BigInteger, primary_key=True, autoincrement=False),
    sa.Column("at_ms", sa.BigInteger, nullable=False),
    sa.Column("body", sa.Text, nullable=False),
)

member_table: Final = sa.Table(
    "member",
    metadata,
    sa.Column("table_id", sa.String(32), sa.ForeignKey("game_table.table_id", ondelete="CASCADE"), primary_key=True),
    sa.Column("member", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("token_id", sa.String(64), nullable=False, index=True),
    sa.Column("account_id", sa.String(64), nullable=True, index=True),
    sa.Column("name", sa.String(64), nullable=False),
    # The name of the owner of a bot account; empty for a person.
    sa.Column("bot_of", sa.String(64), nullable=False, server_default=""),
)

result_table: Final = sa.Table(
    "result",
    metadata,
    sa.Column("table_id", sa.String(32), sa.ForeignKey("game_table.table_id", ondelete="CASCADE"), primary_key=True),
    sa.Column("match", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("ended_ms", sa.BigInteger, nullable=False, index=True),
    sa.Column("kind", sa.String(16), nullable=False),
    sa.Column("winner", sa.Integer, nullable=True),
    sa.Column("total_0", sa.Integer, nullable=False),
    sa.Column("total_1", sa.Integer, nullable=False),
    sa.Column("players", sa.Integer, nullable=False),
    sa.Column("rules_name", sa.String(64), nullable=False),
    sa.Column("public", sa.Boolean, nullable=False),
    sa.Column("record", sa.Text, nullable=False),
)

result_seat_table: Final = sa.Table(
    "result_seat",
    metadata,
    sa.Column("table_id", sa.String(32), primary_key=True),
    sa.Column("match", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("seat", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("token_id", sa.String(64), nullable=True, index=True),
    sa.Column("account_id", sa.String(64), nullable=True, index=True),
    sa.Column("name", sa.String(64), nullable=False),
    sa.Column("bot", sa.String(40), nullable=False),
    sa.ForeignKeyConstraint(["table_id", "match"], ["result.table_id", "result.match"], ondelete="CASCADE"),
)
