"""The events of a table as structs; those of the game are in `buraco.server.game_events`."""

from __future__ import annotations

from typing import Final, Literal, TypeAlias

from msgspec import Struct

from buraco.server.shown import ChatLine, Result

__all__ = [
    "TABLE_EVENTS",
    "BotPut",
    "BotTookOver",
    "ChatSaid",
    "ClockChanged",
    "MatchBegan",
    "MatchResult",
    "MuteChanged",
    "OfferChanged",
    "ReadyChanged",
    "SatDown",
    "SeatTakenBack",
    "SeedCommitted",
    "SeedGiven",
    "SeedRevealed",
    "SeedsClosed",
    "StoodUp",
    "TableClosed",
    "TableEvent",
    "TimedOut",
]


class _Event(Struct, frozen=True, kw_only=True, tag_field="event"):
    pass


class BotPut(_Event, frozen=True, kw_only=True, tag="bot_put"):
    """A bot sits at a seat from now on."""

    seat: int
    level: str


class SatDown(_Event, frozen=True, kw_only=True, tag="sat_down"):
    """A member took a seat; ``bot_of`` is the name of the owner of a bot account, None for people."""

    seat: int
    member: int
    name: str
    bot_of: str | None = None


class StoodUp(_Event, frozen=True, kw_only=True, tag="stood_up"):
    """A seat is free again: its holder stood up, or the owner cleared it."""

    seat: int
    by_owner: bool


class ReadyChanged(_Event, frozen=True, kw_only=True, tag="ready_changed"):
    """A seat is ready, or no longer."""

    seat: int
    ready: bool


class SeedCommitted(_Event, frozen=True, kw_only=True, tag="seed_committed"):
    """The server drew its seed of a deal; players' seeds are taken until ``until_ms``."""

    deal: int
    commitment: str
    until_ms: int


class SeedGiven(_Event, frozen=True, kw_only=True, tag="seed_given"):
    """The seed of a seat is in."""

    deal: int
    seat: int


class SeedsClosed(_Event, frozen=True, kw_only=True, tag="seeds_closed"):
    """The cards are being dealt: the seeds of the seats that the deal is drawn with, empty where a seat gave none, and
    the aim of the cutter where they said one."""

    deal: int
    player_seeds: tuple[str, ...]
    cut_aim: int | None


class SeedRevealed(_Event, frozen=True, kw_only=True, tag="seed_revealed"):
    """The deal is over: the server's seed and the seats' seeds, from which every card follows."""

    deal: int
    commitment: str
    seed: str
    player_seeds: tuple[str, ...]


class TimedOut(_Event, frozen=True, kw_only=True, tag="timed_out"):
    """The time of a seat was up, and the action that follows is the table's."""

    seat: int


class BotTookOver(_Event, frozen=True, kw_only=True, tag="bot_took_over"):
    """A bot plays a person's seat from now on: ``away``, ``timeouts`` or ``left``."""

    seat: int
    cause: str
    level: str


class SeatTakenBack(_Event, frozen=True, kw_only=True, tag="seat_taken_back"):
    """A person plays their seat again."""

    seat: int
    member: int


class OfferChanged(_Event, frozen=True, kw_only=True, tag="offer_changed"):
    """A seat agrees, or no longer, to ``resign``, ``draw`` or ``rematch``."""

    offer: Literal["resign", "draw", "rematch"]
    seat: int
    agree: bool


class MatchResult(_Event, frozen=True, kw_only=True, tag="match_result"):
    """The match is over, for whatever reason."""

    result: Result


class MatchBegan(_Event, frozen=True, kw_only=True, tag="match_began"):
    """A match of this table begins, by number from 1; members with seats and bots stay."""

    match: int


class ClockChanged(_Event, frozen=True, kw_only=True, tag="clock_changed"):
    """The clocks stopped since nobody is there, or run again."""

    running: bool


class ChatSaid(_Event, frozen=True, kw_only=True, tag="chat_said"):
    """Someone said something."""

    line: ChatLine


class MuteChanged(_Event, frozen=True, kw_only=True, tag="mute_changed"):
    """The receiver has muted a member, or hears them again."""

    member: int
    muted: bool


class TableClosed(_Event, frozen=True, kw_only=True, tag="table_closed"):
    """The table is closed: by its ``owner``, ``abandoned``, or by an ``admin``."""

    cause: str


TableEvent: TypeAlias = (
    BotPut
    | SatDown
    | StoodUp
    | ReadyChanged
    | SeedCommitted
    | SeedGiven
    | SeedsClosed
    | SeedRevealed
    | TimedOut
    | BotTookOver
    | SeatTakenBack
    | OfferChanged
    | MatchResult
    | MatchBegan
    | ClockChanged
    | ChatSaid
    | MuteChanged
    | TableClosed
)

TABLE_EVENTS: Final[tuple[type[Struct], ...]] = TableEvent.__args__
