"""The host: it alone owns the state of a match; seats get views and events, and act through one method.

People and bots are treated alike. Every accepted request gives the state a new number; a request may name the number
that it was made for, and a stale or repeated one is refused.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from buraco.engine import events as happened
from buraco.engine.arguments import whole_number
from buraco.engine.constants import ACTION_COUNT
from buraco.engine.deal import Deal
from buraco.engine.happenings import happenings, shows_hidden
from buraco.engine.shapes import meld_cards
from buraco.engine.view import SeatView, seen_in
from buraco.errors import BuracoError, IllegalAction
from buraco.rules import Citation, cite
from buraco.texts import in_language, message

if TYPE_CHECKING:
    from buraco.engine.match import DealResult, DealStart, Match
    from buraco.engine.position import Position
    from buraco.rules import RuleSet

__all__ = ["Act", "Host", "Refusal"]


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why an action is refused: the stable ``code``, a sentence for people, and the rule that says so (or empty).

    Sentence and citation are English; as a `Message` (see `buraco.texts`) they say themselves in any language.
    ``rule`` is where the rule is written, as data.
    """

    code: str
    text: str
    citation: str = ""
    rule: Citation | None = None

    @classmethod
    def of(cls, rules: RuleSet, code: str) -> Refusal:
        """Return the refusal of one of the engine's codes under a rule set."""
        rule = cite(rules, code)
        return cls(code, message(f"code.{code}"), rule.message, rule)

    def told(self, language: str) -> Refusal:
        """Return it in a language, in plain strings. Raises UnknownText (code ``unknown_language``)."""
        return replace(self, text=in_language(self.text, language), citation=in_language(self.citation, language))


@dataclass(frozen=True, slots=True)
class Act:
    """An accepted action, or an undo (``action`` -1) that took back the last ``undone`` actions, for a game record."""

    deal: int
    turn: int
    seat: int
    action: int
    undone: int = 0


@dataclass(frozen=True, slots=True)
class Step:
    """A point to which an undo may return."""

    deal: Deal
    position: Position


class Host:
    """The owner of a match.

    ``undo_allowed``: whether a seat may take back what it did in its turn while nothing hidden was shown since.
    ``beside``: a deal whose scratch memory the deals of this host use, so that many hosts of one thread share it;
    without it every deal has a megabyte of its own. The match belongs to the host from now on; nobody else may change
    it.

    Every method raises TypeError for a seat, an action or another number that is no whole number; nothing has changed
    then.
    """

    def __init__(self, match: Match, *, undo_allowed: bool = True, beside: Deal | None = None) -> None:
        self._match = match
        self._undo_allowed = undo_allowed
        self._beside = beside
        self._deal: Deal | None = None
        self._position: Position | None = None
        self._steps: list[Step] = []
        self._events: list[happened.Event] = []
        self._acts: list[Act] = []
        self._state_number = 0
        rules, draw = match.rules, match.dealer_draw
        self._tell(
            happened.MatchStarted,
            rules_name=rules.name,
            players=match.players,
            target_points=rules.target_points,
            deal_count=rules.deal_count,
        )
        self._tell(happened.FirstDealerFound, rounds=draw.rounds, dealer=draw.dealer)

    # What anyone may ask.

    @property
    def state_number(self) -> int:
        """The number of the state: it grows by one with every accepted request."""
        return self._state_number

    @property
    def seat(self) -> int | None:
        """The seat to act, or None between deals and after the match."""
        return None if self._position is None or self._position.over else self._position.seat

    @property
    def between_deals(self) -> bool:
        """Whether the next deal may begin."""
        return self._match.start is None and not self._match.over

    @property
    def over(self) -> bool:
        """Whether the match has ended."""
        return self._match.over

    @property
    def winner(self) -> int | None:
        """The side that won the match; None for a draw, or while it is on."""
        return self._match.winner

    @property
    def totals(self) -> tuple[int, int]:
        """The points of the sides, the bonus for the cut of the deal in play included."""
        return self._match.totals

    @property
    def results(self) -> tuple[DealResult, ...]:
        """The finished deals."""
        return self._match.results

    @property
    def cutter(self) -> int:
        """The seat that cuts before the next deal."""
        return self._match.cutter

    def view(self, seat: int | None) -> SeatView:
        """Return what a seat, or a spectator (None), may see of the deal in play or just finished.

        Raises BuracoError (code ``no_deal``) before the first deal, PositionError (code ``no_seat``).
        """
        deal, position = self._current()
        return seen_in(position, deal, seat, self._state_number)

    def open_view(self) -> SeatView:
        """Return what a spectator may see where the hands lie open: every hand as its own seat sees it, nothing else
        that is hidden (see `hide`). Raises BuracoError (code ``no_deal``) before the first deal."""
        deal, position = self._current()
        return seen_in(position, deal, None, self._state_number, hands_open=True)

    def events(self, seat: int | None, since: int = 0) -> tuple[happened.Event, ...]:
        """Return the events that a seat, or a spectator (None), may know, from number ``since`` on, in order.

        Raises BuracoError (code ``no_seat``).
        """
        seat, since = self._check_seat(seat), whole_number("since", since)
        return tuple(event for event in self._events[max(since, 0) :] if event.audience in (None, seat))

    def why(self, seat: int, action: int) -> Refusal | None:
        """Say why an action of a seat would be refused now; None if it is legal.

        To a seat that is not to act nothing else is said than that.
        """
        code = self._code(seat, action)
        if not code:
            return None
        if code in _OWN_CODES:
            return Refusal(code, message(f"host.{code}"))
        return Refusal.of(self._match.rules, code)

    # What the seat to act may ask.

    def act(self, seat: int, action: int, number: int | None = None) -> int:
        """Take an action of a seat, of a person or a bot alike, and return the number of the new state.

        ``number``: the number of the state that the action was chosen for. Raises IllegalAction with the code of the
        refusal, ``not_your_turn``, ``stale_number`` or ``no_deal`` among them; then nothing has changed.
        """
        self._check_number(number)
        refusal = self.why(seat, action)
        if refusal is not None:
            raise IllegalAction(refusal.code, refusal.text)
        deal, before = self._current()
        # What is as good as a number (a bool, one of NumPy) goes into events and records as a number.
        seat, action = before.seat, whole_number("an action", action)
        step = Step(deal.copy(), before)
        deal.apply(action)
        after = deal.position()
        self._acts.append(Act(self._deal_number, before.turn_count, seat, action))
        self._steps.append(step)
        if shows_hidden(before, after, action):
            self._steps.clear()
        self._position = after
        self._state_number += 1
        for kind, audience, fields in happenings(before, after, action):
            self._tell(kind, audience, **fields)
        if after.over:
            self._end_deal(deal, after)
        return self._state_number

    def can_undo(self, seat: int) -> int:
        """Return how many actions a seat may take back now."""
        seat = whole_number("a seat", seat)
        return len(self._steps) if self._undo_allowed and seat == self.seat else 0

    def undo(self, seat: int, number: int | None = None, count: int | None = None) -> int:
        """Take back the last ``count`` actions of the seat to act (by default as many as possible); return how many.

        Possible back to the turn's start or to the last point since which nothing hidden was shown: never past a stock
        draw, a morto, the rest of a closed pile, a failed opening or a turn's end. The cards that come back to the hand
        have been seen: from now on everyone knows them to be there. Raises IllegalAction: ``stale_number``,
        ``no_deal``, ``not_your_turn``, ``undo_off``, ``nothing_to_undo``; then nothing has changed.
        """
        self._check_number(number)
        code = self._turn_code(seat)
        wanted = len(self._steps) if count is None else whole_number("a count", count)
        if not code and not self._undo_allowed:
            code = "undo_off"
        if not code and not 1 <= wanted <= len(self._steps):
            code = "nothing_to_undo"
        if code:
            raise self._refused(code)
        step = self._steps[-wanted]
        del self._steps[-wanted:]
        deal, self._position = _taken_back(step, self._current()[1])
        self._deal = self._beside_others(deal)
        seat = step.position.seat
        self._acts.append(Act(self._deal_number, step.position.turn_count, seat, -1, wanted))
        self._state_number += 1
        self._tell(happened.Undone, seat=seat, count=wanted)
        return wanted

    # What only whoever runs the table may ask.

    @property
    def match(self) -> Match:
        """The match, which knows every card: for records, never for a seat."""
        return self._match

    @property
    def acts(self) -> tuple[Act, ...]:
        """Every accepted action and undo of the match, in order."""
        return tuple(self._acts)

    def position(self) -> Position:
        """Return the deal in play or just finished with every card in view. Raises BuracoError (code ``no_deal``)."""
        return self._current()[1]

    def next_deal(
        self,
        *,
        cut_aim: int | None = None,
        cut_count: int | None = None,
        seed: bytes | None = None,
        pack: Sequence[int] | None = None,
    ) -> DealStart:
        """Begin the first or the next deal (see `Match.begin_deal`, whose errors it raises)."""
        start = self._match.begin_deal(cut_aim=cut_aim, cut_count=cut_count, seed=seed, pack=pack)
        self._deal = self._beside_others(self._match.deal())
        self._position = position = self._deal.position()
        self._steps.clear()
        self._state_number += 1
        if start.cut is not None:
            self._tell(happened.CutMade, seat=start.cut.seat, count=start.cut.count, points=start.cut.points)
        up_card = position.pile[0].card if position.pile else None
        self._tell(
            happened.DealStarted,
            deal=start.number,
            dealer=start.dealer,
            seat=position.seat,
            totals=start.totals,
            up_card=-1 if up_card is None else up_card,
            hand_counts=position.hand_counts,
            stock_count=position.stock_count,
        )
        for seat, hand in enumerate(position.hands):
            self._tell(happened.HandDealt, seat, seat=seat, cards=hand)
        return start

    # Inside.

    @property
    def _deal_number(self) -> int:
        return len(self._match.results) + 1

    def _beside_others(self, deal: Deal) -> Deal:
        if self._beside is not None:
            deal.share_scratch(self._beside)
        return deal

    def _current(self) -> tuple[Deal, Position]:
        if self._deal is None or self._position is None:
            raise BuracoError("no_deal", message("host.no_deal"))
        return self._deal, self._position

    def _check_seat(self, seat: int | None) -> int | None:
        seat = None if seat is None else whole_number("a seat", seat)
        if seat is not None and not 0 <= seat < self._match.players:
            raise BuracoError("no_seat", f"there is no seat {seat}; seats are 0 to {self._match.players - 1}")
        return seat

    def _check_number(self, number: int | None) -> None:
        if number is not None and whole_number("the number of a state", number) != self._state_number:
            raise self._refused("stale_number")

    def _refused(self, code: str) -> IllegalAction:
        return IllegalAction(code, message(f"host.{code}" if code in _OWN_CODES else f"code.{code}"))

    def _turn_code(self, seat: int) -> str:
        seat = whole_number("a seat", seat)
        if self._position is None:
            return "no_deal"
        if self._position.over:
            return "deal_over"
        return "" if seat == self._position.seat else "not_your_turn"

    def _code(self, seat: int, action: int) -> str:
        code, action = self._turn_code(seat), whole_number("an action", action)
        if code:
            return code
        if not 0 <= action < ACTION_COUNT:
            return "unknown_action"
        return self._current()[0].refusal(action)

    def _end_deal(self, deal: Deal, position: Position) -> None:
        result = self._match.end_deal(deal)
        self._tell(
            happened.DealEnded,
            deal=result.number,
            end_kind=result.end_kind,
            out_seat=result.out_seat,
            hands=position.hands,
            sheets=result.sheets,
            scores=result.scores,
            totals=result.totals,
        )
        if self._match.over:
            self._tell(happened.MatchEnded, winner=self._match.winner, totals=self._match.totals)

    def _tell(self, kind: type[happened.Event], audience: int | None = None, **fields: Any) -> None:
        self._events.append(kind(number=len(self._events), audience=audience, **fields))


def _taken_back(step: Step, now: Position) -> tuple[Deal, Position]:
    """Return the deal and position of an earlier step of the turn, with what everyone has learnt about the hand since.

    Cards that lie on the table now lay in the hand, unless they were taken from the pile since.
    """
    before, seat, side = step.position, now.seat, now.side
    seen = Counter(now.known[seat])
    seen.update(card for meld in now.melds[side] for card in meld_cards(meld.packed))
    seen.subtract(card for meld in before.melds[side] for card in meld_cards(meld.packed))
    seen.subtract(entry.card for entry in before.pile[len(now.pile) :] if entry.card is not None)
    known = tuple(sorted((Counter(before.known[seat]) | seen).elements()))
    if known == before.known[seat]:
        return step.deal, before
    position = replace(before, known=tuple(known if index == seat else one for index, one in enumerate(before.known)))
    return Deal.from_position(position), position


_OWN_CODES = frozenset({"no_deal", "not_your_turn", "stale_number", "undo_off", "nothing_to_undo"})
