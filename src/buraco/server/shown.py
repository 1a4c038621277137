"""What people see of a table: its state, its deal, its people, as parts of the messages."""

from __future__ import annotations

from typing import Any, Literal

from msgspec import Struct

from buraco.server import game_events
from buraco.server.options import ClockOptions

__all__ = [
    "AddOption",
    "ChatLine",
    "ClockState",
    "DealSummary",
    "DiscardOption",
    "Duty",
    "FairState",
    "Legal",
    "LessonState",
    "Member",
    "Morto",
    "Offers",
    "PileEntry",
    "Result",
    "SeatState",
    "TableMeld",
    "TableState",
    "View",
    "You",
]


class Member(Struct, frozen=True, kw_only=True):
    """A person at the table: a number that means them here, and their name. ``bot_of`` marks a bot account: it is the
    name of its owner, None for people."""

    member: int
    name: str
    bot_of: str | None = None


class SeatState(Struct, frozen=True, kw_only=True):
    """A seat: who holds it and who plays it.

    ``kind``: ``empty``, ``person`` or ``bot``. ``member`` and ``name`` are the person's, ``level`` is that of a bot,
    also of one that plays for a person. ``played_by_bot`` says why a bot plays a person's seat: ``away``,
    ``timeouts``, ``left``, or empty. A bot account holds a seat as a person does; ``bot_of`` is then the name of its
    owner, else None.
    """

    seat: int
    kind: Literal["empty", "person", "bot"]
    member: int | None = None
    name: str = ""
    level: str = ""
    ready: bool = False
    played_by_bot: str = ""
    bot_of: str | None = None


class Offers(Struct, frozen=True, kw_only=True):
    """The seats whose people agree: to give up, to a draw, to another match; and those whose word counts.

    ``resign_asked`` has those of each side, since a side gives up by itself. Nobody is asked for what cannot be agreed
    in this phase.
    """

    resign: tuple[int, ...] = ()
    draw: tuple[int, ...] = ()
    rematch: tuple[int, ...] = ()
    resign_asked: tuple[tuple[int, ...], tuple[int, ...]] = ((), ())
    draw_asked: tuple[int, ...] = ()
    rematch_asked: tuple[int, ...] = ()


class Result(Struct, frozen=True, kw_only=True):
    """The end of a match: ``played``, ``resigned``, ``forfeited``, ``agreed`` (a draw) or ``abandoned``; the side that
    won, None for a draw or where nobody wins; the totals."""

    match: int
    kind: str
    winner: int | None
    totals: tuple[int, int]


class FairState(Struct, frozen=True, kw_only=True):
    """The shuffle of the coming or running deal: its commitment, the seats whose seeds are in, and until when they may
    come (None once dealt); the seat that may say how many cards it cuts (None: nobody)."""

    deal: int
    commitment: str
    seeds_from: tuple[int, ...]
    until_ms: int | None = None
    cutter: int | None = None


class ClockState(Struct, frozen=True, kw_only=True):
    """The clocks: ``deadline_ms`` is when the turn's time is up (None: no clock runs), ``banks_ms`` what each seat has
    left beside the running turn (None without a bank)."""

    seat: int | None = None
    deadline_ms: int | None = None
    banks_ms: tuple[int, ...] | None = None


class LessonState(Struct, frozen=True, kw_only=True):
    """How far a lesson has come, in the reader's language.

    ``step`` of ``steps`` is the one that ``text`` tells of; it is to be taken now if there are ``actions``: the ids
    that do it, one after the other. They use ``cards`` of the hand and ``zones``: ``stock``, ``pile``, ``new-meld``,
    ``meld-N``, or ``keep`` for a choice. ``over``: it has come to its end. ``lost``: the deal went another way, and
    is played without it.
    """

    name: str
    step: int
    steps: int
    text: str
    actions: tuple[int, ...] = ()
    cards: tuple[str, ...] = ()
    zones: tuple[str, ...] = ()
    over: bool = False
    lost: bool = False


class TableState(Struct, frozen=True, kw_only=True):
    """The table itself, the same for everyone.

    ``phase``: ``open``, ``shuffling``, ``playing``, ``between`` (deals), ``finished`` (the match) or ``closed``.
    ``rules`` has every field of the rule set. The times say what the disconnection contract states: a bot plays for who
    is away after ``away_ms``, a side may claim the match after ``forfeit_ms``, the next deal begins by ready or after
    ``next_deal_ms``. ``next_deal_at_ms`` is that moment while it waits. ``cut_max`` is how many cards whoever cuts may
    try to lift at most, None where the rules pay for no cut. ``open_hands``: spectators who never had a seat see every
    hand, a deal once it is over at the table. ``lesson`` is there at the table of a lesson.
    """

    table: str
    code: str
    phase: str
    match: int
    owner: int
    rules_name: str
    rules_title: str
    rules: dict[str, Any]
    players: int
    clock: ClockOptions
    bot_level: str
    fill_with_bots: bool
    public: bool
    spectators: bool
    spectator_delay_ms: int
    spectator_chat: bool
    open_hands: bool
    chat: bool
    undo: bool
    hints: bool | None
    away_ms: int
    forfeit_ms: int
    next_deal_ms: int
    timeouts_max: int
    seats: tuple[SeatState, ...]
    offers: Offers = Offers()
    cut_max: int | None = None
    fair: FairState | None = None
    clocks: ClockState = ClockState()
    next_deal_at_ms: int | None = None
    result: Result | None = None
    lesson: LessonState | None = None


# The deal.


class TableMeld(Struct, frozen=True, kw_only=True):
    """A meld as it lies: its number from 1, its cards in order, the lowest slot of a run (1 the low ace, None for a
    set), the index of its wild or None; its category, the values of its cards and the bonus of a canasta, in points."""

    meld: int
    kind: Literal["run", "set"]
    cards: tuple[str, ...]
    words: tuple[str, ...]
    low: int | None
    wild: int | None
    category: str
    clean: bool
    points: int
    bonus: int


class PileEntry(Struct, frozen=True, kw_only=True):
    """A card of the pile that everyone may see, who discarded it (None: nobody) and in which turn (None: none)."""

    card: str
    seat: int | None
    turn: int | None


class Morto(Struct, frozen=True, kw_only=True):
    """A morto: ``waiting``, ``side`` (``side`` took it) or ``stock`` (it became the stock)."""

    state: Literal["waiting", "side", "stock"]
    side: int | None = None


class DiscardOption(Struct, frozen=True, kw_only=True):
    """A card that may be discarded now, and whether the seat goes out with it, so that the deal ends."""

    card: str
    action: int
    ends_deal: bool


class AddOption(Struct, frozen=True, kw_only=True):
    """A card that may be added to a meld of the own side now: at the ``high`` end (aces only), and where the wild lies
    afterwards: ``low``, ``high`` or empty."""

    meld: int
    card: str
    high: bool
    wild: str
    action: int


class Duty(Struct, frozen=True, kw_only=True):
    """What the seat to act has to do, or may not do: a stable code, a sentence, and the card, meld or points meant."""

    code: str
    text: str
    card: str | None = None
    meld: int | None = None
    points: int | None = None


class Legal(Struct, frozen=True, kw_only=True):
    """What the own seat may do now: every action id, ascending, and the same by kinds. ``melds`` counts the new melds
    that may be laid; `Probe` tells which cards are one."""

    actions: tuple[int, ...]
    draw: bool
    pile: bool
    keep: bool
    reject: bool
    discards: tuple[DiscardOption, ...]
    adds: tuple[AddOption, ...]
    melds: int
    duties: tuple[Duty, ...]


class View(Struct, frozen=True, kw_only=True):
    """The deal in play or just finished, as its receiver may see it.

    ``seat`` is the receiver's, None for a spectator; ``turn_seat`` is to act, None when the deal is over. ``hands`` are
    None where hidden (spectators see them at a table with ``open_hands``), ``known`` the cards of each hand that
    everyone knows. Of a closed pile ``pile`` holds the top only (all of what is face up), ``pile_count`` always holds.
    ``totals`` are the match points before this deal, the cut bonus included. ``legal`` is there when the receiver is to
    act.
    """

    deal: int
    state_number: int
    seat: int | None
    dealer: int
    turn_seat: int | None
    phase: str
    turn_count: int
    totals: tuple[int, int]
    hands: tuple[tuple[str, ...] | None, ...]
    hand_counts: tuple[int, ...]
    known: tuple[tuple[str, ...], ...]
    melds: tuple[tuple[TableMeld, ...], tuple[TableMeld, ...]]
    pile: tuple[PileEntry, ...]
    pile_count: int
    pile_closed: bool
    stock_count: int
    mortos: tuple[Morto, ...]
    unplayed: tuple[bool, ...]
    opening_need: tuple[int, int]
    opened: tuple[bool, bool]
    laid_points: int
    top_card: str | None
    top_meld: int | None
    rest_waits: bool
    barred_card: str | None
    drawn_card: str | None
    quiet_turns: int
    end_kind: str
    out_seat: int | None
    can_undo: int
    legal: Legal | None


class DealSummary(Struct, frozen=True, kw_only=True):
    """A finished deal: how it ended, who went out, the score sheets, the scores, the points for the cut, the totals."""

    deal: int
    dealer: int
    end_kind: str
    out_seat: int | None
    sheets: tuple[game_events.ScoreSheet, ...]
    scores: tuple[int, int]
    cut_points: tuple[int, int]
    totals: tuple[int, int]


class ChatLine(Struct, frozen=True, kw_only=True):
    """A line of chat: what a member said, or the code of a preset phrase; ``apart``: said while a match was on by
    somebody without a seat, and heard by nobody with one."""

    version: int
    at_ms: int
    member: int
    name: str
    text: str = ""
    phrase: str = ""
    apart: bool = False


class You(Struct, frozen=True, kw_only=True):
    """Who the receiver is at this table: their member number and seat (None: none), whether they own the table, whom
    they have muted, whether they may chat and ask for hints now."""

    member: int | None
    seat: int | None
    owner: bool
    muted: tuple[int, ...] = ()
    may_chat: bool = False
    may_hint: bool = False
