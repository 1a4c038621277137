"""The game record: one match, with everything that is needed to play it again and to check it.

A record has the rule set with all fields, the seats, the seed or the order of every pack, every action and undo, the
result of each deal, and room for times, comments, tags and the evidence of a verified shuffle. ``docs/notation.md``
describes the text and the JSON form; `buraco.notation.replay` plays a record again.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from buraco.notation.actions import format_action
from buraco.rules import RuleSet

if TYPE_CHECKING:
    from buraco.engine.fair import DealSeeds
    from buraco.engine.host import Act, Host
    from buraco.engine.match import Cut, DealResult, DealStart

__all__ = ["UNDO", "DealRecord", "Entry", "Outcome", "Record", "SeatRecord", "TurnRecord", "record_of"]

UNDO: Final = -1


@dataclass(frozen=True, slots=True)
class SeatRecord:
    """Who sits at a seat: a name, and the level of the bot that had it from the start of the match, empty for a person,
    also for one for whom a bot played on."""

    name: str
    bot: str = ""


@dataclass(frozen=True, slots=True)
class Entry:
    """An action id, or an undo (``action`` -1) of the last ``undone`` actions.

    ``time_ms`` is the time since the deal began, in milliseconds, or -1.
    """

    action: int
    undone: int = 0
    time_ms: int = -1

    @property
    def text(self) -> str:
        """What was done as a record writes it, without its time."""
        return f"undo {self.undone}" if self.action == UNDO else format_action(self.action)


@dataclass(frozen=True, slots=True)
class TurnRecord:
    """A turn: its number in the deal from 0, its seat, what was done in order, and comments on it."""

    number: int
    seat: int
    entries: tuple[Entry, ...]
    comments: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a deal ended: the kind of end, who went out (-1: nobody), the sides' scores without a cut bonus, the totals
    after the deal, and comments."""

    end_kind: str
    out_seat: int
    scores: tuple[int, int]
    totals: tuple[int, int]
    comments: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class DealRecord:
    """One deal: its number from 1, its dealer, its cut, the totals it starts from (a cut bonus included), the order of
    its pack (first to be dealt first; None: it follows from the seed of the match or of the deal), its turns and, if it
    has ended, its outcome.

    ``commitment``, ``revealed_seed`` and ``player_seeds`` are the evidence of a fair shuffle (`buraco.engine.fair`), 64
    hexadecimal digits each, empty where there is none. ``player_seeds`` has one a seat, or is empty where no seat gave
    a seed; an empty one means that the public constant stood in for the seat's.
    """

    number: int
    dealer: int
    totals: tuple[int, int] = (0, 0)
    cut: Cut | None = None
    pack: tuple[int, ...] | None = None
    commitment: str = ""
    revealed_seed: str = ""
    player_seeds: tuple[str, ...] = ()
    comments: tuple[str, ...] = ()
    turns: tuple[TurnRecord, ...] = ()
    outcome: Outcome | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Record:
    """A match.

    ``name`` enters every draw from the ``seed`` (64 hexadecimal digits, empty where every deal has its pack or seeds of
    its own; then the first dealer is drawn with those of deal 1).
    ``first_dealer`` deals first; ``dealer_drawn`` says that the draw from the seed found it, ``dealer_rounds`` holds
    the cards drawn for it, (seat, card) by rounds. ``winner`` is ``side 0``, ``side 1``, ``draw``, or empty while it
    goes on. ``tags`` are free (key, text) pairs such as a date or a place.
    """

    name: str
    rules: RuleSet
    players: int
    seats: tuple[SeatRecord, ...]
    seed: str = ""
    first_dealer: int = 0
    dealer_drawn: bool = False
    dealer_rounds: tuple[tuple[tuple[int, int], ...], ...] = ()
    tags: tuple[tuple[str, str], ...] = ()
    comments: tuple[str, ...] = ()
    deals: tuple[DealRecord, ...] = ()
    winner: str = ""


def record_of(
    host: Host,
    starts: Sequence[DealStart],
    seats: Sequence[SeatRecord],
    *,
    tags: Mapping[str, str] | None = None,
    times_ms: Sequence[int] | None = None,
    seeds: Sequence[DealSeeds] = (),
    dealer_drawn: bool = True,
    with_packs: bool = False,
) -> Record:
    """Return the record of a match so far.

    ``starts``: what ``host.next_deal`` returned, one for each deal begun. ``times_ms``: the time of each of
    ``host.acts`` since its deal began. ``seeds``: those of each deal begun, of a match with own seeds, which the record
    reveals. ``dealer_drawn``: the match drew its first dealer (it was not told it). ``with_packs`` writes the order of
    every pack besides the seed; needed where the packs do not come from the seed.
    Raises ValueError if the numbers of seats, starts, times or seeds do not fit the match.
    """
    match = host.match
    _check_counts(host, starts, seats, times_ms, seeds)
    times = times_ms if times_ms is not None else [-1] * len(host.acts)
    acts = list(zip(host.acts, times, strict=True))
    deals = []
    for start in starts:
        own = [(act, time) for act, time in acts if act.deal == start.number]
        result = match.results[start.number - 1] if start.number <= len(match.results) else None
        deal = _deal_record(start, own, result, with_packs)
        deals.append(_with_seeds(deal, seeds[start.number - 1]) if seeds else deal)
    winner = f"side {match.winner}" if match.winner is not None else "draw" if match.over else ""
    return Record(
        name=match.name,
        rules=match.rules,
        players=match.players,
        seats=tuple(seats),
        seed="" if match.own_seeds else match.seed.hex(),
        first_dealer=match.dealer_draw.dealer,
        dealer_drawn=dealer_drawn,
        dealer_rounds=match.dealer_draw.rounds,
        tags=tuple((tags or {}).items()),
        deals=tuple(deals),
        winner=winner,
    )


def _check_counts(
    host: Host,
    starts: Sequence[DealStart],
    seats: Sequence[SeatRecord],
    times_ms: Sequence[int] | None,
    seeds: Sequence[DealSeeds],
) -> None:
    """Raise ValueError if the numbers of seats, starts, times or seeds do not fit the match."""
    match = host.match
    if len(seats) != match.players:
        raise ValueError(f"{match.players} seats are wanted, not {len(seats)}")
    if len(starts) != len(match.results) + (match.start is not None):
        raise ValueError(f"{len(starts)} starts of deals do not fit {len(match.results)} results")
    if times_ms is not None and len(times_ms) != len(host.acts):
        raise ValueError(f"{len(times_ms)} times do not fit {len(host.acts)} actions")
    wanted = [(match.name, start.number) for start in starts] if match.own_seeds else []
    if [(one.match, one.deal) for one in seeds] != wanted:
        raise ValueError("the seeds are not those of the deals begun")


def _deal_record(
    start: DealStart, acts: Sequence[tuple[Act, int]], result: DealResult | None, with_pack: bool
) -> DealRecord:
    turns: list[TurnRecord] = []
    for act, time_ms in acts:
        if not turns or turns[-1].number != act.turn:
            turns.append(TurnRecord(act.turn, act.seat, ()))
        entry = Entry(act.action, act.undone, time_ms)
        turns[-1] = replace(turns[-1], entries=(*turns[-1].entries, entry))
    outcome = None
    if result is not None:
        outcome = Outcome(result.end_kind, result.out_seat, result.scores, result.totals)
    return DealRecord(
        number=start.number,
        dealer=start.dealer,
        totals=start.totals,
        cut=start.cut,
        pack=start.pack if with_pack else None,
        turns=tuple(turns),
        outcome=outcome,
    )


def _with_seeds(deal: DealRecord, seeds: DealSeeds) -> DealRecord:
    own = tuple("" if seed is None else seed.hex() for seed in seeds.player_seeds)
    return replace(
        deal,
        commitment=seeds.commitment.hex(),
        revealed_seed=seeds.seed.hex(),
        player_seeds=own if any(own) else (),
    )
