"""What the one who makes a table chooses, as it comes from clients."""

from __future__ import annotations

from typing import Annotated, Any, Final, Literal

from msgspec import Meta, Struct

__all__ = ["OPEN_HANDS_DELAY_MS", "ClockOptions", "TableOptions"]

OPEN_HANDS_DELAY_MS: Final = 300_000
"""The least delay of spectators who see the hands, in milliseconds.

No delay alone makes a hand harmless to tell: cards are held for most of a deal, and without a clock a player can wait
any time out. So the deal has to be over as well (`buraco.server.spectating.Delayed`); the delay keeps what is told of a
deal apart from its end and from the talk about it at the table.
"""


class ClockOptions(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The clock: none; ``turn_ms`` for every turn; or ``bank_ms`` for a deal with ``increment_ms`` after each turn."""

    kind: Literal["none", "turn", "bank"] = "none"
    turn_ms: Annotated[int, Meta(ge=5_000, le=3_600_000)] = 60_000
    bank_ms: Annotated[int, Meta(ge=10_000, le=7_200_000)] = 300_000
    increment_ms: Annotated[int, Meta(ge=0, le=600_000)] = 5_000


class TableOptions(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What the one who makes a table chooses.

    - ``rules``: the name of a rule set, or the JSON form of house rules (docs/notation.md); or ``rules_toml``.
    - ``players``; ``target_points`` (0: no target) and ``deal_count`` (0: to the target) replace those of the rules.
    - ``clock``; ``bot_level``: of the bots that fill seats and play for whoever is away (None: the server's usual one);
      ``fill_with_bots``: the owner's start puts bots in the empty seats.
    - ``public``: listed in the lobby (else by link or code only); ``spectators`` may watch, by ``spectator_delay_ms``
      later; ``spectator_chat``: they may chat; ``open_hands``: they see every hand, a deal when it is over at the table
      and at least ``OPEN_HANDS_DELAY_MS`` later.
    - ``chat``; ``undo`` inside the turn; ``hints``: None allows them while all other seats are bots.
    """

    rules: str | dict[str, Any] | None = None
    rules_toml: Annotated[str, Meta(max_length=16_384)] | None = None
    players: Literal[2, 4] = 4
    target_points: Annotated[int, Meta(ge=0, le=100_000)] | None = None
    deal_count: Annotated[int, Meta(ge=0, le=100)] | None = None
    clock: ClockOptions = ClockOptions()
    bot_level: Annotated[str, Meta(min_length=1, max_length=40)] | None = None
    fill_with_bots: bool = True
    public: bool = False
    spectators: bool = True
    spectator_delay_ms: Annotated[int, Meta(ge=0, le=600_000)] = 0
    spectator_chat: bool = False
    open_hands: bool = False
    chat: bool = True
    undo: bool = True
    hints: bool | None = None
