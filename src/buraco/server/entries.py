"""The log of a table: one entry for each change, with everything random or timed in it, so that replaying it is exact.

``by`` is the number of the member who acted, ``id`` that of their message, so that a message which comes again after a
restart is known. Entries name members by number only; the people are kept beside the log.
"""

from __future__ import annotations

from typing import Any, Final, Literal, TypeAlias

import msgspec
from msgspec import Struct

from buraco.server.options import ClockOptions

__all__ = [
    "LOG_FORMAT",
    "Acted",
    "Agreed",
    "BotPlaced",
    "Chatted",
    "Closed",
    "Committed",
    "Created",
    "Dealt",
    "Entry",
    "Forfeited",
    "LeftSeat",
    "LessonDeal",
    "Logged",
    "MatchOpened",
    "Muted",
    "Readied",
    "Returned",
    "Sat",
    "SeatCleared",
    "SeedAdded",
    "Slept",
    "Stood",
    "TookOver",
    "UndoneActs",
    "Woke",
    "decode_entry",
    "encode_entry",
]

LOG_FORMAT: Final = 1
"""The version of the log; a later release reads the logs of the same version."""


class _Entry(Struct, frozen=True, kw_only=True, tag_field="kind", forbid_unknown_fields=True, omit_defaults=True):
    by: int = 0
    id: str = ""


class LessonDeal(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The deal of a lesson: its name, who deals, and the order of the pack, which is the same each time."""

    name: str
    dealer: int
    pack: tuple[int, ...]


class Created(_Entry, frozen=True, kw_only=True, tag="created"):
    """The table was made, with every option and time as it holds for good; ``lesson``: its deal is taught."""

    format: int
    table: str
    code: str
    rules: dict[str, Any]
    players: int
    clock: ClockOptions
    bot_level: str
    fill_with_bots: bool
    public: bool
    spectators: bool
    spectator_delay_ms: int
    spectator_chat: bool
    chat: bool
    undo: bool
    hints: bool | None
    away_ms: int
    seed_wait_ms: int
    next_deal_ms: int
    forfeit_ms: int
    timeouts_max: int
    abandon_open_ms: int
    abandon_ms: int
    bot_pause_ms: int
    lesson: LessonDeal | None = None
    open_hands: bool = False


class Sat(_Entry, frozen=True, kw_only=True, tag="sat"):
    """A member took a free seat."""

    seat: int


class Stood(_Entry, frozen=True, kw_only=True, tag="stood"):
    """A member gave their seat up before a match."""

    seat: int


class BotPlaced(_Entry, frozen=True, kw_only=True, tag="bot_placed"):
    """A bot was put in an empty seat."""

    seat: int
    level: str


class SeatCleared(_Entry, frozen=True, kw_only=True, tag="seat_cleared"):
    """The owner removed the player or bot of a seat."""

    seat: int


class Readied(_Entry, frozen=True, kw_only=True, tag="readied"):
    """A seat is ready, or no longer, for the match or the next deal."""

    seat: int
    ready: bool


class MatchOpened(_Entry, frozen=True, kw_only=True, tag="match_opened"):
    """A match begins; ``bots`` are the seats that get a bot with it."""

    bots: tuple[int, ...] = ()


class Committed(_Entry, frozen=True, kw_only=True, tag="committed"):
    """The server drew its seed for a deal: a secret until the deal has ended."""

    deal: int
    seed: str


class SeedAdded(_Entry, frozen=True, kw_only=True, tag="seed_added"):
    """A seat gave its seed for the coming deal, and the cutter how many cards to lift."""

    seat: int
    seed: str
    cut_aim: int | None = None


class Dealt(_Entry, frozen=True, kw_only=True, tag="dealt"):
    """The cards were dealt from the seeds that were in."""


class Acted(_Entry, frozen=True, kw_only=True, tag="acted"):
    """A seat's action: a person's (``by``), a bot's, or with ``timed_out`` the table's since the time was up."""

    seat: int
    action: int
    timed_out: bool = False


class UndoneActs(_Entry, frozen=True, kw_only=True, tag="undone"):
    """A seat took back its last ``count`` actions."""

    seat: int
    count: int


class TookOver(_Entry, frozen=True, kw_only=True, tag="took_over"):
    """A bot plays a person's seat: they are ``away``, or their time was up too often (``timeouts``)."""

    seat: int
    cause: str


class LeftSeat(_Entry, frozen=True, kw_only=True, tag="left"):
    """A person left their seat during a match; a bot plays it on."""

    seat: int


class Returned(_Entry, frozen=True, kw_only=True, tag="returned"):
    """A person plays their seat again."""

    seat: int


class Agreed(_Entry, frozen=True, kw_only=True, tag="agreed"):
    """A seat agrees, or no longer, to ``resign``, ``draw`` or ``rematch``."""

    seat: int
    offer: Literal["resign", "draw", "rematch"]
    agree: bool


class Forfeited(_Entry, frozen=True, kw_only=True, tag="forfeited"):
    """A seat claimed the match, since the other side's people are gone."""

    seat: int


class Slept(_Entry, frozen=True, kw_only=True, tag="slept"):
    """Nobody at the seats is there: the match waits, its clocks stand."""


class Woke(_Entry, frozen=True, kw_only=True, tag="woke"):
    """Somebody is back: the match goes on, its clocks run."""


class Chatted(_Entry, frozen=True, kw_only=True, tag="chatted"):
    """A member said something, or a preset phrase."""

    text: str = ""
    phrase: str = ""


class Muted(_Entry, frozen=True, kw_only=True, tag="muted"):
    """A member hears another one no longer, or again."""

    member: int
    muted: bool


class Closed(_Entry, frozen=True, kw_only=True, tag="closed"):
    """The table is closed: by its ``owner``, by an ``admin``, or ``abandoned``."""

    cause: str


Entry: TypeAlias = (
    Created
    | Sat
    | Stood
    | BotPlaced
    | SeatCleared
    | Readied
    | MatchOpened
    | Committed
    | SeedAdded
    | Dealt
    | Acted
    | UndoneActs
    | TookOver
    | LeftSeat
    | Returned
    | Agreed
    | Forfeited
    | Slept
    | Woke
    | Chatted
    | Muted
    | Closed
)


class Logged(Struct, frozen=True):
    """An entry in its place: its number in the table's log from 1, and when it was written."""

    seq: int
    at_ms: int
    entry: Entry


_ENCODER: Final = msgspec.json.Encoder()
_DECODER: Final[msgspec.json.Decoder[Entry]] = msgspec.json.Decoder(Entry)


def encode_entry(entry: Entry) -> str:
    """Return an entry as JSON text."""
    return _ENCODER.encode(entry).decode()


def decode_entry(body: str) -> Entry:
    """Return the entry of a JSON text. Raises msgspec.DecodeError for anything else."""
    return _DECODER.decode(body)
