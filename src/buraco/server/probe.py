"""What selected cards would be: a new meld, or additions to a meld, and why not. No rule is left to the client.

The answer comes from the view of the seat alone. Where several cards are added one after the other, the order is
searched on a state that fits the view; the search stops where an action would show something hidden.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from buraco.cards import JOKER, parse_card
from buraco.engine import Deal, Host, Refusal, SeatView, add_action, determinize, meld_action, unpack
from buraco.engine.deal import meld_rules_of
from buraco.engine.melds import add_to_meld
from buraco.engine.position import MeldState
from buraco.engine.scoresheet import meld_bonus, meld_category
from buraco.engine.shapes import cards_points
from buraco.errors import BuracoError
from buraco.notation import meld_words
from buraco.notation.melds import MELD_CARDS_MAX, Word, readings
from buraco.rules import Citation
from buraco.server.closing import ends_deal
from buraco.server.messages import ProbeOption, ProbeResult, RulePlace
from buraco.texts import DEFAULT_LANGUAGE, message

__all__ = ["ORDERS_MAX", "probe_cards", "rule_place"]

ORDERS_MAX: Final = 3000
"""The most steps that the search for an order of additions takes."""


@dataclass(frozen=True, slots=True)
class _Found:
    """A way in which the cards lie: the actions in order, the meld that results, and why not (None: legal)."""

    actions: tuple[int, ...]
    packed: int
    refusal: Refusal | None


def rule_place(rule: Citation | None) -> RulePlace | None:
    """Return where a rule is written, as messages say it."""
    if rule is None:
        return None
    return RulePlace(rule_set=rule.rule_set, section=rule.section_name, number=rule.section_number, topic=rule.topic)


def probe_cards(
    host: Host, seat: int, words: list[str], meld: int | None, language: str = DEFAULT_LANGUAGE
) -> ProbeResult:
    """Say what cards of a seat would be, as a new meld (``meld`` None) or added to meld ``meld`` (from 1) of its side.

    Raises BuracoError: ``card_text``, ``not_held`` (the hand has no such cards), ``no_such_meld``, ``no_deal``.
    """
    view = host.view(seat)
    cards = tuple(parse_card(word) for word in words)
    if Counter(cards) - Counter(view.hand):
        raise BuracoError("not_held", message("table.not_held"))
    if meld is None:
        found = _new_melds(host, seat, cards)
    elif not 1 <= meld <= len(view.position.melds[seat & 1]):
        raise BuracoError("no_such_meld", message("code.no_such_meld"))
    else:
        # No meld grows by more, and whoever selects a whole hand shall not make the search long.
        found = list(_additions(host, view, seat, cards, meld - 1)) if len(cards) <= MELD_CARDS_MAX else []
    if not found:
        why = _reason(host, seat, cards, meld).told(language)
        return ProbeResult(options=(), code=why.code, text=why.text, citation=why.citation, rule=rule_place(why.rule))
    found.sort(key=lambda one: one.refusal is not None)
    options = tuple(_option(view, cards, one, language) for one in found)
    if options[0].legal:
        return ProbeResult(options=options)
    first = options[0]
    return ProbeResult(options=options, code=first.code, text=first.text, citation=first.citation, rule=first.rule)


def _option(view: SeatView, cards: tuple[int, ...], found: _Found, language: str) -> ProbeOption:
    rules = view.position.rules
    shape = unpack(found.packed)
    category = meld_category(rules, MeldState(found.packed))
    refusal = None if found.refusal is None else found.refusal.told(language)
    return ProbeOption(
        actions=found.actions,
        kind="run" if shape.is_run else "set",
        words=meld_words(found.packed),
        clean=not shape.has_wild,
        category=category,
        points=cards_points(rules, cards),
        bonus=meld_bonus(rules, category),
        legal=refusal is None,
        ends_deal=refusal is None and ends_deal(view, found.actions, len(cards)),
        code="" if refusal is None else refusal.code,
        text="" if refusal is None else refusal.text,
        citation="" if refusal is None else refusal.citation,
        rule=None if refusal is None else rule_place(refusal.rule),
    )


def _new_melds(host: Host, seat: int, cards: tuple[int, ...]) -> list[_Found]:
    """Return every meld that the cards form, with the wild in each place."""
    found = []
    for packed in readings([Word(card) for card in cards]):
        action = meld_action(packed)
        found.append(_Found((action,), packed, host.why(seat, action)))
    return found


def _hows(card: int) -> Iterator[tuple[int, int]]:
    """Yield how a card may be added: where the wild lies afterwards, and for aces the end."""
    ends = (0, 1) if card != JOKER and card % 13 == 0 else (0,)
    return ((how, high) for high in ends for how in range(3))


def _reason(host: Host, seat: int, cards: tuple[int, ...], meld: int | None) -> Refusal:
    """Return why cards are nothing at all: of a single card the reason that tells most."""
    if meld is None:
        return Refusal("no_meld", message("probe.no_meld"))
    if len(cards) == 1:
        asked = [host.why(seat, add_action(meld - 1, cards[0], how, high)) for how, high in _hows(cards[0])]
        told = [refusal for refusal in asked if refusal is not None]
        telling = [refusal for refusal in told if refusal.code != "place_impossible"]
        if told:
            return (telling or told)[0]
    return Refusal("no_addition", message("probe.no_addition"))


def _additions(host: Host, view: SeatView, seat: int, cards: tuple[int, ...], slot: int) -> Iterator[_Found]:
    if len(cards) == 1:
        yield from _single(host, view, seat, cards[0], slot)
        return
    position = view.position
    refusal = Refusal("out_of_order", message("probe.out_of_order"))
    if position.seat == seat and not position.over:
        orders = _Orders(view, slot)
        orders.search(determinize(view, 0), Counter(cards), ())
        if orders.ends:
            yield from (_Found(actions, packed, None) for packed, actions in orders.ends.items())
            return
        if orders.code:
            refusal = Refusal.of(position.rules, orders.code)
    yield from _shapes(host, view, seat, cards, slot, refusal)


def _single(host: Host, view: SeatView, seat: int, card: int, slot: int) -> Iterator[_Found]:
    packed, rules = view.position.melds[seat & 1][slot].packed, meld_rules_of(view.position.rules)
    for how, high in _hows(card):
        grown = add_to_meld(packed, card, how, high, rules)
        if grown >= 0:
            action = add_action(slot, card, how, high)
            yield _Found((action,), grown, host.why(seat, action))


class _Orders:
    """The search for an order in which the seat to act may add all cards to one meld now.

    ``ends`` are the melds that it found, each with the actions; ``code`` is why the order that came furthest stopped.
    """

    def __init__(self, view: SeatView, slot: int) -> None:
        self.slot = slot
        self.side = view.position.seat & 1
        self.turn = view.position.turn_count
        self.ends: dict[int, tuple[int, ...]] = {}
        self.code = ""
        self._rules = meld_rules_of(view.position.rules)
        self._deepest = -1
        self._seen: set[tuple[int, tuple[int, ...]]] = set()
        self._steps = 0

    def search(self, deal: Deal, rest: Counter[int], actions: tuple[int, ...]) -> None:
        """Add what is left of the cards in every order; note each meld that holds them all."""
        packed = deal.meld_list(self.side)[self.slot]
        key = packed, tuple(sorted(rest.elements()))
        if key in self._seen or self._steps >= ORDERS_MAX:
            return
        self._seen.add(key)
        if not rest:
            self.ends.setdefault(packed, actions)
            return
        for card in sorted(rest):
            for how, high in _hows(card):
                self._steps += 1
                action = add_action(self.slot, card, how, high)
                code = deal.refusal(action)
                if code:
                    if len(actions) > self._deepest and add_to_meld(packed, card, how, high, self._rules) >= 0:
                        self.code, self._deepest = code, len(actions)
                    continue
                after = deal.copy()
                after.apply_unchecked(action)
                left = rest - Counter((card,))
                if not left or self._goes_on(deal, after):
                    self._next(after, left, (*actions, action))

    def _next(self, after: Deal, left: Counter[int], actions: tuple[int, ...]) -> None:
        if len(after.meld_list(self.side)) > self.slot:
            self.search(after, left, actions)

    def _goes_on(self, before: Deal, after: Deal) -> bool:
        """Say whether the turn goes on and nothing hidden was shown."""
        return (
            not after.over
            and after.turn_count == self.turn
            and after.mortos_gone == before.mortos_gone
            and after.pile_count == before.pile_count
        )


def _shapes(
    host: Host, view: SeatView, seat: int, cards: tuple[int, ...], slot: int, refusal: Refusal
) -> Iterator[_Found]:
    """Return the melds that the cards would make by the rules of melds alone, with why they cannot be made now."""
    rules = meld_rules_of(view.position.rules)
    start = view.position.melds[seat & 1][slot].packed
    level: dict[tuple[int, tuple[int, ...]], tuple[int, ...]] = {(start, tuple(sorted(cards))): ()}
    for _ in cards:
        following: dict[tuple[int, tuple[int, ...]], tuple[int, ...]] = {}
        for (packed, rest), actions in level.items():
            for card in sorted(set(rest)):
                index = rest.index(card)
                for how, high in _hows(card):
                    grown = add_to_meld(packed, card, how, high, rules)
                    if grown >= 0 and len(following) < ORDERS_MAX:
                        left = rest[:index] + rest[index + 1 :]
                        following.setdefault((grown, left), (*actions, add_action(slot, card, how, high)))
        level = following
    for (packed, _), actions in level.items():
        yield _Found(actions, packed, host.why(seat, actions[0]) or refusal)
