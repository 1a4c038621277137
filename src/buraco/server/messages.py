"""The messages of the table protocol: what clients send and what they get, as msgspec structs (JSON over WebSocket).

``PROTOCOL_VERSION`` is the version of all of them. A client message is one of ``CLIENT_MESSAGES``, a server message one
of ``SERVER_MESSAGES``; the member ``type`` says which, ``event`` does so inside `Update`. Times are whole milliseconds,
points in time since 1970 UTC. Cards are texts such as ``7h`` or ``X``, seats count from 0, melds from 1, sides are 0
(seats 0 and 2) and 1. Unknown members are refused, so a misspelt one is never ignored.

Every client message carries an ``id`` of its own and the table ``version`` that its sender had seen. It gets exactly
one reply, `Ack` or `Refused`, with that id; the same id again gets the same reply and has no other effect.
"""

from __future__ import annotations

from typing import Annotated, Final, Literal, TypeAlias

import msgspec
from msgspec import Meta, Struct

from buraco.server.game_events import GameEvent
from buraco.server.options import ClockOptions, TableOptions
from buraco.server.shown import ChatLine, DealSummary, Member, SeatState, TableState, View, You
from buraco.server.table_events import TableEvent

__all__ = [
    "CHAT_LENGTH_MAX",
    "CLIENT_MESSAGES",
    "PROTOCOL_VERSION",
    "SERVER_MESSAGES",
    "Ack",
    "Act",
    "Chat",
    "ClaimForfeit",
    "ClearSeat",
    "ClientMessage",
    "ClockOptions",
    "CloseTable",
    "Draw",
    "Event",
    "Explain",
    "ExplainResult",
    "Hint",
    "HintResult",
    "Leave",
    "Mute",
    "Phrase",
    "Presence",
    "Probe",
    "ProbeOption",
    "ProbeResult",
    "PutBot",
    "Ready",
    "ReasonText",
    "Refused",
    "Rematch",
    "Reply",
    "Resign",
    "Resume",
    "RulePlace",
    "Seed",
    "ServerMessage",
    "Sit",
    "Snapshot",
    "Stand",
    "Start",
    "Stopping",
    "TableOptions",
    "TableSummary",
    "TakeBack",
    "Undo",
    "Update",
    "Weighed",
    "Why",
    "WhyResult",
    "decode_client",
    "encode",
]

PROTOCOL_VERSION: Final = 1
"""The version of the protocol; it changes when an old client would misread a message."""

CHAT_LENGTH_MAX: Final = 300
"""The longest chat line, in characters."""

_NUMBER_MAX: Final = 2**53 - 1

# A dollar sign alone would also match before a line end.
MessageId: TypeAlias = Annotated[str, Meta(min_length=1, max_length=40, pattern=r"^[!-~]+(?!\n)$")]
Version: TypeAlias = Annotated[int, Meta(ge=0, le=_NUMBER_MAX)]
SeatNumber: TypeAlias = Annotated[int, Meta(ge=0, le=3)]
ActionId: TypeAlias = Annotated[int, Meta(ge=0, le=_NUMBER_MAX)]
CardText: TypeAlias = Annotated[str, Meta(min_length=1, max_length=3)]
Hex64: TypeAlias = Annotated[str, Meta(pattern=r"^[0-9a-f]{64}(?!\n)$")]
MemberNumber: TypeAlias = Annotated[int, Meta(ge=1, le=_NUMBER_MAX)]
Word: TypeAlias = Annotated[str, Meta(min_length=1, max_length=40)]
Event: TypeAlias = TableEvent | GameEvent


# What clients send.


class _Client(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="type"):
    id: MessageId
    version: Version


class Sit(_Client, frozen=True, kw_only=True, tag="sit"):
    """Take a free seat before the match."""

    seat: SeatNumber


class Stand(_Client, frozen=True, kw_only=True, tag="stand"):
    """Give the own seat up before the match."""


class Ready(_Client, frozen=True, kw_only=True, tag="ready"):
    """Be ready, or not, for the match or for the next deal."""

    ready: bool = True


class Start(_Client, frozen=True, kw_only=True, tag="start"):
    """Start the match, with bots in the empty seats where the table has them; the owner's right."""


class PutBot(_Client, frozen=True, kw_only=True, tag="put_bot"):
    """Put a bot of a level in an empty seat before the match; the owner's right."""

    seat: SeatNumber
    level: Word | None = None


class ClearSeat(_Client, frozen=True, kw_only=True, tag="clear_seat"):
    """Remove the player or bot of a seat before the match; the owner's right."""

    seat: SeatNumber


class CloseTable(_Client, frozen=True, kw_only=True, tag="close_table"):
    """Close the table, before the match or after it; the owner's right."""


class Seed(_Client, frozen=True, kw_only=True, tag="seed"):
    """Give the own part of the shuffle of the deal whose commitment was published: 32 random bytes in hexadecimal.

    Where the rules pay for the cut, the seat that cuts may say with ``cut_aim`` how many cards it tries to lift.
    """

    deal: Annotated[int, Meta(ge=1, le=_NUMBER_MAX)]
    seed: Hex64
    cut_aim: Annotated[int, Meta(ge=1, le=200)] | None = None


class Act(_Client, frozen=True, kw_only=True, tag="act"):
    """Take an action of the own seat, by its id (docs/architecture.md)."""

    action: ActionId


class Undo(_Client, frozen=True, kw_only=True, tag="undo"):
    """Take back the last ``count`` actions of the own turn, by default as many as possible."""

    count: Annotated[int, Meta(ge=1, le=_NUMBER_MAX)] | None = None


class Probe(_Client, frozen=True, kw_only=True, tag="probe"):
    """Ask what cards of the own hand would be: a new meld, or additions to meld number ``meld`` of the own side."""

    # As many as a hand may have: more than a meld takes are refused in words like any others.
    cards: Annotated[list[CardText], Meta(min_length=1, max_length=200)]
    meld: Annotated[int, Meta(ge=1, le=_NUMBER_MAX)] | None = None


class Why(_Client, frozen=True, kw_only=True, tag="why"):
    """Ask why an action of the own seat would be refused now."""

    action: ActionId


class Hint(_Client, frozen=True, kw_only=True, tag="hint"):
    """Ask what a bot would do in the own seat."""


class Explain(_Client, frozen=True, kw_only=True, tag="explain"):
    """Ask why a bot took the action that made version ``at`` of the table."""

    at: Version


class Resign(_Client, frozen=True, kw_only=True, tag="resign"):
    """Agree, or no longer, that the own side gives the match up; it counts when all people of the side agree."""

    agree: bool = True


class Draw(_Client, frozen=True, kw_only=True, tag="draw"):
    """Agree, or no longer, to a draw; it counts when all people at the seats agree."""

    agree: bool = True


class ClaimForfeit(_Client, frozen=True, kw_only=True, tag="claim_forfeit"):
    """Claim the match since every person of the other side has been gone for the stated time."""


class Rematch(_Client, frozen=True, kw_only=True, tag="rematch"):
    """Agree, or no longer, to another match at this table."""

    agree: bool = True


class Leave(_Client, frozen=True, kw_only=True, tag="leave"):
    """Leave the seat for good: before the match it is free, during the match a bot plays it on."""


class TakeBack(_Client, frozen=True, kw_only=True, tag="take_back"):
    """Take the own seat back from the bot that plays it."""


class Chat(_Client, frozen=True, kw_only=True, tag="chat"):
    """Say something to the table."""

    text: Annotated[str, Meta(min_length=1, max_length=CHAT_LENGTH_MAX)]


class Phrase(_Client, frozen=True, kw_only=True, tag="phrase"):
    """Say one of the preset phrases, by its code; each reads it in their own language."""

    phrase: Word


class Mute(_Client, frozen=True, kw_only=True, tag="mute"):
    """Hear a member of the table no longer, or again."""

    member: MemberNumber
    muted: bool = True


class Resume(_Client, frozen=True, kw_only=True, tag="resume"):
    """Ask for everything after version ``since``: the updates, or a snapshot where they are no longer at hand."""

    since: Version


ClientMessage: TypeAlias = (
    Sit
    | Stand
    | Ready
    | Start
    | PutBot
    | ClearSeat
    | CloseTable
    | Seed
    | Act
    | Undo
    | Probe
    | Why
    | Hint
    | Explain
    | Resign
    | Draw
    | ClaimForfeit
    | Rematch
    | Leave
    | TakeBack
    | Chat
    | Phrase
    | Mute
    | Resume
)


# What they get: replies and news.


class RulePlace(Struct, frozen=True, kw_only=True):
    """Where a rule is written, for a link: the name of the rule set, the section of its page (``pile``, ``melds`` ...)
    with its number there from 1, and the topic in it, a field or a rule that all share."""

    rule_set: str
    section: str
    number: int
    topic: str


class ProbeOption(Struct, frozen=True, kw_only=True):
    """One way in which the probed cards lie: the actions that bring them there in order, the meld that results.

    ``points`` are the values of the probed cards, ``bonus`` that of the resulting meld; ``legal`` says whether the
    actions may be taken now, else ``code``, ``text``, ``citation`` and ``rule`` say why not; ``ends_deal`` whether the
    seat goes out with them, so that the deal ends.
    """

    actions: tuple[int, ...]
    kind: Literal["run", "set"]
    words: tuple[str, ...]
    clean: bool
    category: str
    points: int
    bonus: int
    legal: bool
    ends_deal: bool = False
    code: str = ""
    text: str = ""
    citation: str = ""
    rule: RulePlace | None = None


class ProbeResult(Struct, frozen=True, kw_only=True, tag_field="result", tag="probe"):
    """What the cards would be: every way, those that are legal now first; none with the reason of the refusal."""

    options: tuple[ProbeOption, ...]
    code: str = ""
    text: str = ""
    citation: str = ""
    rule: RulePlace | None = None


class WhyResult(Struct, frozen=True, kw_only=True, tag_field="result", tag="why"):
    """Why the action would be refused now; ``legal`` with nothing else if it would not."""

    legal: bool
    code: str = ""
    text: str = ""
    citation: str = ""
    rule: RulePlace | None = None


class ReasonText(Struct, frozen=True, kw_only=True):
    """A reason of a bot: its code, the values of its text, and the text in the reader's language."""

    code: str
    values: dict[str, int | str]
    text: str


class Weighed(Struct, frozen=True, kw_only=True):
    """Another action that a bot weighed, and what it expects of it, in points on the scale of its choice."""

    action: int
    text: str
    evaluation: float


class HintResult(Struct, frozen=True, kw_only=True, tag_field="result", tag="hint"):
    """What a bot of this level would do, as an action id and as text, why, and what it expects to gain in points; the
    other actions that it weighed, the best first."""

    action: int
    text: str
    level: str
    reasons: tuple[ReasonText, ...]
    evaluation: float | None
    alternatives: tuple[Weighed, ...]


class ExplainResult(Struct, frozen=True, kw_only=True, tag_field="result", tag="explain"):
    """What the bot of a seat did, why, and what else it weighed, as in `HintResult`."""

    seat: int
    level: str
    action: int
    text: str
    reasons: tuple[ReasonText, ...]
    evaluation: float | None
    alternatives: tuple[Weighed, ...]


class _Server(Struct, frozen=True, kw_only=True, tag_field="type"):
    pass


class Ack(_Server, frozen=True, kw_only=True, tag="ack"):
    """The message was accepted, and is durable; ``version`` is the table's after it. A question has its ``result``."""

    id: str
    version: int
    result: ProbeResult | WhyResult | HintResult | ExplainResult | None = None


class Refused(_Server, frozen=True, kw_only=True, tag="refused"):
    """The message was refused and changed nothing: a stable code, a sentence, and the rule that says so (or empty), as
    words and as the place of a link."""

    id: str
    version: int
    code: str
    text: str
    citation: str = ""
    rule: RulePlace | None = None


class Update(_Server, frozen=True, kw_only=True, tag="update"):
    """What one change of the table made happen, in order: ``version`` is that change, one more than the last.

    ``table`` is there when it differs from the last one sent, ``view`` when the deal changed (in a series of updates
    that are sent again after a resume only with the last), ``you`` when it differs.
    """

    version: int
    at_ms: int
    events: tuple[Event, ...]
    table: TableState | None = None
    view: View | None = None
    you: You | None = None


class Snapshot(_Server, frozen=True, kw_only=True, tag="snapshot"):
    """Everything that the receiver may see at ``version``; updates go on from there."""

    protocol: int
    version: int
    at_ms: int
    table: TableState
    you: You
    members: tuple[Member, ...]
    view: View | None
    deals: tuple[DealSummary, ...]
    chat: tuple[ChatLine, ...]


class Presence(_Server, frozen=True, kw_only=True, tag="presence"):
    """Who is connected now: the members, since when each person at a seat is away (in the order of the seats, None:
    here, or no person), when a bot takes each such seat over, and how many others watch. It has no version."""

    at_ms: int
    here: tuple[int, ...]
    away_since_ms: tuple[int | None, ...]
    bot_at_ms: tuple[int | None, ...]
    spectators: int


class Stopping(_Server, frozen=True, kw_only=True, tag="stopping"):
    """The server stops; the table is safe, and goes on when it is back."""

    code: str
    text: str


Reply: TypeAlias = Ack | Refused
ServerMessage: TypeAlias = Ack | Refused | Update | Snapshot | Presence | Stopping


class TableSummary(Struct, frozen=True, kw_only=True):
    """A line of a list of tables; ``open_hands``: who watches sees the hands; ``lesson``: its deal is taught."""

    table: str
    code: str
    phase: str
    rules_name: str
    rules_title: str
    players: int
    seats: tuple[SeatState, ...]
    clock: ClockOptions
    spectators: bool
    spectator_delay_ms: int
    open_hands: bool
    spectator_count: int
    created_ms: int
    totals: tuple[int, int]
    lesson: bool = False


CLIENT_MESSAGES: Final[tuple[type[Struct], ...]] = ClientMessage.__args__
SERVER_MESSAGES: Final[tuple[type[Struct], ...]] = ServerMessage.__args__

_ENCODER: Final = msgspec.json.Encoder()
_DECODER: Final[msgspec.json.Decoder[ClientMessage]] = msgspec.json.Decoder(ClientMessage)


def encode(message: Struct) -> bytes:
    """Return a message as JSON."""
    return _ENCODER.encode(message)


def decode_client(content: bytes | str) -> ClientMessage:
    """Return the client message of a JSON text.

    Raises msgspec.DecodeError for what is no JSON, msgspec.ValidationError for JSON that is no client message.
    """
    return _DECODER.decode(content)
