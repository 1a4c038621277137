"""The course of a deal: what each action does to the hands, the table, the pile, the stock and the mortos.

It is told what is done and never asks whether that is legal. Cards are texts, places are lists of them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from buraco.rules import RuleSet
from tests.oracle.model import Meld
from tests.oracle.points import card_points
from tests.oracle.scores import DealEnd, SideEnd, deal_score

__all__ = ["Course", "Discarded", "Turn"]


@dataclass(frozen=True)
class Discarded:
    """A card of the pile, who discarded it and in which turn; -1 and -1 for the up-card."""

    card: str
    seat: int = -1
    turn: int = -1


@dataclass
class Turn:
    """What only concerns the turn: the card that may be rejected, what was drawn, taken and tabled.

    ``top`` is the top card of a closed pile while it must be used, ``rest`` what waits below it.
    """

    first_card: str = ""
    drew: bool = False
    took_one_card: bool = False
    tabled: list[str] = field(default_factory=list)
    top: str = ""
    rest: list[Discarded] = field(default_factory=list)


class Course:
    """A deal from its first draw on; ``pack`` in the order of dealing, ``totals`` before the deal."""

    def __init__(
        self, rules: RuleSet, players: int, dealer: int, pack: Sequence[str], totals: tuple[int, int] = (0, 0)
    ) -> None:
        self.rules, self.players = rules, players
        cards = iter(pack)
        self.hands: list[Counter[str]] = [Counter() for _ in range(players)]
        for index in range(players * rules.hand_size):
            self.hands[(dealer + 1 + index) % players][next(cards)] += 1
        self.mortos = [[next(cards) for _ in range(rules.morto_size)] for _ in range(2)]
        self.pile = [Discarded(next(cards))] if rules.up_card else []
        #: First to be drawn first.
        self.stock = list(cards)
        self.melds: tuple[list[Meld], list[Meld]] = ([], [])
        #: For each meld the turn in which all of its cards were tabled, -1 where there were several.
        self.meld_turns: tuple[list[int], list[int]] = ([], [])
        self.took_morto = [False, False]
        self.needs = [self._minimum(total) for total in totals]
        self.unplayed = [False] * players
        self.seat, self.turn_number, self.quiet_turns = (dealer + 1) % players, 0, 0
        self.end, self.out_seat = "none", -1
        self.turn = Turn()

    def _minimum(self, total: int) -> int:
        rules = self.rules
        if rules.opening == "none":
            return 0
        return rules.opening_vulnerable_minimum if total >= rules.opening_vulnerable_from else rules.opening_minimum

    @property
    def side(self) -> int:
        """The side to act."""
        return self.seat % 2

    @property
    def hand(self) -> Counter[str]:
        """The hand of the seat to act."""
        return self.hands[self.seat]

    @property
    def lying(self) -> list[Discarded]:
        """The cards that lie as the pile: all of it, or what waits below the top card that was taken."""
        return self.pile or self.turn.rest

    # Drawing.

    def draw(self) -> None:
        """Draw a stock card; the first one of a deal may be looked at, where the rules have the option."""
        card = self.stock.pop(0)
        self.hand[card] += 1
        self.turn.drew = True
        self.turn.first_card = card if self.rules.first_turn_option and self.turn_number == 0 else ""

    def keep(self) -> None:
        """Keep the first card."""
        self.turn.first_card = ""

    def reject(self) -> None:
        """Lay the first card face up on the pile and draw another."""
        self._to_pile(self.turn.first_card)
        self.hand[self.stock.pop(0)] += 1
        self.turn.first_card = ""

    def take_pile(self) -> None:
        """Take the open pile, or the top card of the closed one."""
        self.turn.took_one_card = len(self.pile) == 1
        if self.rules.pile_closed:
            self.turn.top = self.pile.pop().card
            self.hand[self.turn.top] += 1
            self.turn.rest, self.pile = self.pile, []
        else:
            self._take(self.pile)
            self.pile = []

    def _take(self, cards: Iterable[Discarded]) -> None:
        self.hand.update(one.card for one in cards)

    def _to_pile(self, card: str) -> None:
        self.hand[card] -= 1
        self.pile.append(Discarded(card, self.seat, self.turn_number))

    # Melding.

    def lay(self, meld: Meld) -> None:
        """Lay a new meld."""
        self.melds[self.side].append(meld)
        self.meld_turns[self.side].append(self.turn_number)
        self._tabled(meld.cards)

    def add(self, index: int, card: str, grown: Meld) -> None:
        """Add a card to the meld of an index, which then lies as stated."""
        self.melds[self.side][index] = grown
        if self.meld_turns[self.side][index] != self.turn_number:
            self.meld_turns[self.side][index] = -1
        self._tabled((card,))

    def _tabled(self, cards: Sequence[str]) -> None:
        turn, side = self.turn, self.side
        self.hand.subtract(cards)
        turn.tabled += cards
        if card_points(turn.tabled, self.rules) >= self.needs[side]:
            self.needs[side] = 0
        if turn.top in cards:
            turn.top = ""
        if turn.top or (self.needs[side] and self.rules.opening == "at_once"):
            return  # a duty is on: nothing else happens before it is done
        self._take(turn.rest)
        turn.rest = []
        if not self.hand.total():
            if self.needs[side]:
                self._opening_fails()
            else:
                self._emptied(by_discard=False)

    def _opening_fails(self) -> None:
        """All cards of this turn go back, and the minimum rises."""
        self.hand.update(self.turn.tabled)
        self.turn.tabled.clear()
        self.melds[self.side].clear()
        self.meld_turns[self.side].clear()
        self.needs[self.side] += self.rules.opening_penalty

    def _emptied(self, *, by_discard: bool) -> None:
        """Take a morto if the side has none and one waits; else the deal is closed."""
        if self.took_morto[self.side] or not self.mortos:
            self.end, self.out_seat = "closed", self.seat
            return
        self.hand.update(self.mortos.pop(0))
        self.took_morto[self.side] = True
        self.unplayed[self.seat] = by_discard

    # The end of a turn.

    def discard(self, card: str) -> None:
        """Discard a card; the melds of an opening that is still short go back before."""
        if self.needs[self.side] and self.turn.tabled:
            self._opening_fails()
        self._to_pile(card)
        if not self.hand.total():
            self._emptied(by_discard=True)
        if self.end == "none":
            self._end_turn()

    def _end_turn(self) -> None:
        rules, turn = self.rules, self.turn
        quiet = not turn.tabled and not turn.drew and (rules.stalemate != "one_card_pile" or turn.took_one_card)
        self.quiet_turns = self.quiet_turns + 1 if quiet else 0
        self.turn_number += 1
        refill = rules.stock_refill and bool(self.mortos)
        if refill and not self.stock:
            self.stock = self.mortos.pop(0)
        elif not refill and len(self.stock) <= rules.stock_end_count:
            self.end = "stock"
            return
        if rules.stalemate != "none" and self.quiet_turns >= rules.turn_cap:
            self.end = "stalemate"
            return
        self.seat = (self.seat + 1) % self.players
        self.unplayed[self.seat] = False
        self.turn = Turn()

    def score(self, side: int) -> int:
        """Return what a side scores, as if the deal ended now."""
        return deal_score(DealEnd((self._side_end(0), self._side_end(1))), side, self.rules)

    def _side_end(self, side: int) -> SideEnd:
        seats = range(side, self.players, 2)
        return SideEnd(
            melds=tuple((meld, turn >= 0) for meld, turn in zip(self.melds[side], self.meld_turns[side], strict=True)),
            hands=tuple(tuple(self.hands[seat].elements()) for seat in seats),
            unplayed=tuple(self.unplayed[seat] for seat in seats),
            took_morto=self.took_morto[side],
            went_out=self.out_seat >= 0 and self.out_seat % 2 == side,
        )
