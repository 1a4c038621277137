"""What somebody may see of a table, as parts of messages. Hidden cards are removed by the engine's view, never here."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Final

from msgspec.structs import replace

from buraco.cards import card_text
from buraco.engine import Host, ScoreSheet, SeatView, decode_add, unpack
from buraco.engine.constants import (
    ACTION_ADD,
    ACTION_DISCARD,
    ACTION_DRAW,
    ACTION_KEEP,
    ACTION_PILE,
    ACTION_REJECT,
    ACTION_RUN,
)
from buraco.engine.position import MeldState, Position
from buraco.engine.scoresheet import meld_bonus, meld_category
from buraco.engine.shapes import cards_points
from buraco.notation import meld_words
from buraco.rules import RuleSet, title_in
from buraco.server import game_events
from buraco.server import shown as show
from buraco.server.closing import ends_deal
from buraco.server.lessons.telling import lesson_state
from buraco.server.messages import PROTOCOL_VERSION, Snapshot
from buraco.server.replaying import Fold
from buraco.server.terms import Principal
from buraco.texts import DEFAULT_LANGUAGE, text

__all__ = [
    "MeldBook",
    "build_view",
    "deal_summaries",
    "members_of",
    "own_view",
    "public_view",
    "seat_states",
    "snapshot_of",
    "table_state",
    "view_form",
    "you_are",
]

_MELDS_KEPT: Final = 48


def _card(card: int) -> str | None:
    return None if card < 0 else card_text(card)


def _cards(cards: tuple[int, ...]) -> tuple[str, ...]:
    return tuple(card_text(card) for card in cards)


def _number(value: int) -> int | None:
    return None if value < 0 else value


# The deal.


class MeldBook:
    """The melds of a table as they are shown, each made once: from one change to the next most stay as they are."""

    def __init__(self) -> None:
        self._made: dict[tuple[int, MeldState], show.TableMeld] = {}

    def melds(self, position: Position, side: int) -> tuple[show.TableMeld, ...]:
        """Return the melds of a side. All positions are of one rule set."""
        return tuple(self._meld(position.rules, number, meld) for number, meld in enumerate(position.melds[side], 1))

    def _meld(self, rules: RuleSet, number: int, meld: MeldState) -> show.TableMeld:
        made = self._made.get((number, meld))
        if made is None:
            if len(self._made) >= _MELDS_KEPT:
                self._made.clear()
            made = self._made[number, meld] = _meld(rules, number, meld)
        return made


def build_view(
    host: Host, seat: int | None, language: str = DEFAULT_LANGUAGE, *, hands_open: bool = False
) -> show.View:
    """Return the deal in play or just finished as a seat, or a spectator (None), may see it, in words of a language;
    ``hands_open``: a spectator sees every hand.

    Raises BuracoError (codes ``no_deal``, ``no_seat``).
    """
    if hands_open and seat is None:
        return view_form(host, host.open_view(), MeldBook())
    return own_view(public_view(host, MeldBook()), host, seat, language)


def own_view(public: show.View, host: Host, seat: int | None, language: str) -> show.View:
    """Return what `build_view` does where ``public``, what everyone may see now, is at hand already."""
    if seat is None:
        return public
    view = host.view(seat)
    position = view.position
    return replace(
        public,
        seat=seat,
        hands=tuple(None if hand is None else _cards(hand) for hand in position.hands),
        barred_card=_card(position.barred_card),
        drawn_card=_card(position.drawn_card),
        can_undo=host.can_undo(seat),
        legal=_legal(view, language) if view.legal else None,
    )


def public_view(host: Host, book: MeldBook) -> show.View:
    """Return the deal in play or just finished as everyone may see it. Raises BuracoError (code ``no_deal``)."""
    return view_form(host, host.view(None), book)


def view_form(host: Host, view: SeatView, book: MeldBook) -> show.View:
    """Return a view of the deal in play or just finished as a part of messages, without what its seat may do."""
    position = view.position
    return show.View(
        deal=len(host.results) + (not position.over),
        state_number=view.state_number,
        seat=view.seat,
        dealer=position.dealer,
        turn_seat=None if position.over else position.seat,
        phase=position.phase,
        turn_count=position.turn_count,
        totals=position.totals,
        hands=tuple(None if hand is None else _cards(hand) for hand in position.hands),
        hand_counts=position.hand_counts,
        known=tuple(_cards(known) for known in position.known),
        melds=(book.melds(position, 0), book.melds(position, 1)),
        pile=_pile(position),
        pile_count=len(position.pile),
        pile_closed=position.rules.pile_closed,
        stock_count=position.stock_count,
        mortos=tuple(_morto(owner) for owner in position.morto_owner),
        unplayed=position.unplayed,
        opening_need=position.opening_need,
        opened=position.opened,
        laid_points=position.laid_points,
        top_card=_card(position.top_card),
        top_meld=None if position.top_slot < 0 else position.top_slot + 1,
        rest_waits=position.rest_waits,
        barred_card=_card(position.barred_card),
        drawn_card=_card(position.drawn_card),
        quiet_turns=position.quiet_turns,
        end_kind=position.end_kind,
        out_seat=_number(position.out_seat),
        can_undo=0,
        legal=None,
    )


def _pile(position: Position) -> tuple[show.PileEntry, ...]:
    return tuple(
        show.PileEntry(card=card_text(entry.card), seat=_number(entry.seat), turn=_number(entry.turn))
        for entry in position.pile
        if entry.card is not None
    )


def _morto(owner: int) -> show.Morto:
    if owner == -1:
        return show.Morto(state="waiting")
    return show.Morto(state="stock") if owner == 2 else show.Morto(state="side", side=owner)


def _meld(rules: RuleSet, number: int, meld: MeldState) -> show.TableMeld:
    shape = unpack(meld.packed)
    category = meld_category(rules, meld)
    wild = shape.wild_slot - shape.low if shape.is_run else len(shape.cards) - 1
    return show.TableMeld(
        meld=number,
        kind="run" if shape.is_run else "set",
        cards=_cards(shape.cards),
        words=meld_words(meld.packed),
        low=shape.low if shape.is_run else None,
        wild=wild if shape.has_wild else None,
        category=category,
        clean=not shape.has_wild,
        points=cards_points(rules, shape.cards),
        bonus=meld_bonus(rules, category),
    )


def _first(view: SeatView) -> tuple[int, ...]:
    """Return where the legal actions below `ACTION_DISCARD` are found, without a look through all of them."""
    return view.legal[:ACTION_DISCARD]


def _legal(view: SeatView, language: str) -> show.Legal:
    legal, first = view.legal, _first(view)
    discards = (action for action in legal if ACTION_DISCARD <= action < ACTION_RUN)
    return show.Legal(
        actions=legal,
        draw=ACTION_DRAW in first,
        pile=ACTION_PILE in first,
        keep=ACTION_KEEP in first,
        reject=ACTION_REJECT in first,
        discards=tuple(
            show.DiscardOption(
                card=card_text(action - ACTION_DISCARD), action=action, ends_deal=ends_deal(view, (action,), 1)
            )
            for action in discards
        ),
        adds=tuple(_addition(action) for action in legal if action >= ACTION_ADD),
        melds=sum(ACTION_RUN <= action < ACTION_ADD for action in legal),
        duties=tuple(_duties(view, language)),
    )


def _addition(action: int) -> show.AddOption:
    slot, card, how, high = decode_add(action)
    wild = ("", "low", "high")[how]
    return show.AddOption(meld=slot + 1, card=card_text(card), high=bool(high), wild=wild, action=action)


def _duties(view: SeatView, language: str) -> Iterator[show.Duty]:
    """Yield what the seat to act has to do, or may not do."""
    position, duty = view.position, partial(_duty, language)
    if position.phase == "draw":
        # A pile that may not be taken is not offered in words either.
        yield duty("must_draw" if ACTION_PILE in _first(view) else "must_draw_stock")
    elif position.phase == "choice":
        yield duty("must_choose", card=position.drawn_card)
    if position.top_card >= 0:
        slot = position.top_slot
        yield duty("use_top" if slot < 0 else "use_top_meld", card=position.top_card, slot=slot)
    if position.phase == "opening":
        yield duty("opening", points=position.opening_need[position.side], laid=position.laid_points)
    if position.rest_waits:
        yield duty("rest_waits")
    if position.phase == "discard":
        yield duty("opening_failed")
    if position.phase == "play":
        yield duty("discard")
    if position.barred_card >= 0:
        yield duty("barred", card=position.barred_card)


def _duty(language: str, code: str, *, card: int = -1, slot: int = -1, points: int = -1, laid: int = 0) -> show.Duty:
    told = text(f"duty.{code}", language, points=str(points), laid=str(laid))
    meld = None if slot < 0 else slot + 1
    return show.Duty(code=code, text=told, card=_card(card), meld=meld, points=_number(points))


def deal_summaries(host: Host) -> tuple[show.DealSummary, ...]:
    """Return the score sheets of the finished deals of a match."""
    return tuple(
        show.DealSummary(
            deal=result.number,
            dealer=result.dealer,
            end_kind=result.end_kind,
            out_seat=_number(result.out_seat),
            sheets=tuple(_sheet(sheet) for sheet in result.sheets),
            scores=result.scores,
            cut_points=result.cut_points,
            totals=result.totals,
        )
        for result in host.results
    )


def _sheet(sheet: ScoreSheet) -> game_events.ScoreSheet:
    lines = tuple(
        game_events.ScoreLine(
            kind=line.kind,
            points=line.points,
            cards=_cards(line.cards),
            seat=line.seat,
            meld=line.meld,
            category=line.category,
        )
        for line in sheet.lines
    )
    return game_events.ScoreSheet(side=sheet.side, total=sheet.total, lines=lines)


# The table.


def table_state(fold: Fold, language: str = DEFAULT_LANGUAGE) -> show.TableState:
    """Return the table itself, in a language the same for everyone."""
    options = fold.options
    return show.TableState(
        table=options.table,
        code=options.code,
        phase=fold.phase,
        match=fold.match,
        owner=fold.owner,
        rules_name=fold.rules.name,
        rules_title=title_in(fold.rules, language),
        rules=options.rules,
        players=options.players,
        clock=options.clock,
        bot_level=fold.played(options.bot_level),
        fill_with_bots=options.fill_with_bots,
        public=options.public,
        spectators=options.spectators,
        spectator_delay_ms=options.spectator_delay_ms,
        spectator_chat=options.spectator_chat,
        open_hands=options.open_hands,
        chat=options.chat,
        undo=options.undo,
        hints=options.hints,
        away_ms=options.away_ms,
        forfeit_ms=options.forfeit_ms,
        next_deal_ms=options.next_deal_ms,
        timeouts_max=options.timeouts_max,
        seats=seat_states(fold),
        offers=_offers(fold),
        cut_max=fold.cut_max,
        fair=_fair(fold),
        clocks=_clocks(fold),
        next_deal_at_ms=fold.next_deal_at_ms,
        result=fold.result,
        lesson=lesson_state(fold, language),
    )


def seat_states(fold: Fold) -> tuple[show.SeatState, ...]:
    """Return the seats with who holds and who plays them."""
    return tuple(_seat(fold, seat) for seat in range(len(fold.seats)))


def _seat(fold: Fold, seat: int) -> show.SeatState:
    seating = fold.seats[seat]
    if seating.kind == "person":
        return show.SeatState(
            seat=seat,
            kind="person",
            member=seating.member,
            name=fold.people[seating.member].name,
            bot_of=fold.people[seating.member].bot_of or None,
            level=fold.bot_level(seat) if seating.cause else "",
            ready=seating.ready,
            played_by_bot=seating.cause,
        )
    if seating.kind == "bot":
        return show.SeatState(seat=seat, kind="bot", level=fold.bot_level(seat), ready=True)
    return show.SeatState(seat=seat, kind="empty")


def _offers(fold: Fold) -> show.Offers:
    rematch = [seat for seat, one in enumerate(fold.seats) if one.kind == "person" and one.ready]
    running, finished = fold.running, fold.phase == "finished"
    return show.Offers(
        resign=tuple(sorted(fold.offers["resign"])),
        draw=tuple(sorted(fold.offers["draw"])),
        rematch=tuple(rematch) if finished else (),
        resign_asked=(fold.asked("resign", 0), fold.asked("resign", 1)) if running else ((), ()),
        draw_asked=fold.asked("draw") if running else (),
        rematch_asked=fold.asked("rematch") if finished else (),
    )


def _fair(fold: Fold) -> show.FairState | None:
    play = fold.play
    if play is None or not play.seeds or fold.phase not in ("shuffling", "playing"):
        return None
    seeds = play.seeds[-1]
    given = tuple(seat for seat in range(play.players) if seat not in seeds.waiting)
    shuffling = play.deal_number > len(play.starts)
    return show.FairState(
        deal=seeds.deal,
        commitment=seeds.commitment.hex(),
        seeds_from=given,
        until_ms=fold.phase_due_ms if shuffling else None,
        cutter=play.cutter if shuffling else None,
    )


def _clocks(fold: Fold) -> show.ClockState:
    play = fold.play
    if play is None or fold.options.clock.kind == "none" or fold.phase != "playing":
        return show.ClockState()
    return show.ClockState(
        seat=play.seat if play.ledger.running else None,
        deadline_ms=play.ledger.deadline_ms,
        banks_ms=play.ledger.banks_ms,
    )


def members_of(fold: Fold) -> tuple[show.Member, ...]:
    """Return the people who have taken part in the table."""
    return tuple(
        show.Member(member=number, name=person.name, bot_of=person.bot_of or None)
        for number, person in sorted(fold.people.items())
    )


def you_are(fold: Fold, principal: Principal) -> show.You:
    """Return who somebody is at the table."""
    person = fold.person_of(principal)
    seat = None if person is None else fold.seat_of_member(person.number)
    options = fold.options
    return show.You(
        member=None if person is None else person.number,
        seat=seat,
        owner=person is not None and person.number == fold.owner,
        muted=() if person is None else tuple(sorted(fold.muted.get(person.number, ()))),
        may_chat=options.chat and (seat is not None or options.spectator_chat),
        may_hint=seat is not None and fold.hints_allowed(seat),
    )


def snapshot_of(fold: Fold, principal: Principal, *, hands_open: bool = False) -> Snapshot:
    """Return everything that somebody may see of the table, in their language; ``hands_open``: without a seat they see
    every hand."""
    you = you_are(fold, principal)
    host = fold.host
    started = host is not None and bool(fold.play and fold.play.starts)
    return Snapshot(
        protocol=PROTOCOL_VERSION,
        version=fold.version,
        at_ms=fold.now_ms,
        table=table_state(fold, principal.language),
        you=you,
        members=members_of(fold),
        view=(
            build_view(host, you.seat, principal.language, hands_open=hands_open)
            if host is not None and started
            else None
        ),
        deals=() if host is None else deal_summaries(host),
        chat=tuple(
            line for line in fold.chat if line.member not in you.muted and not (line.apart and you.seat is not None)
        ),
    )
