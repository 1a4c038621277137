"""Taking back what a turn did, while nothing hidden was shown (case U7)."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import pytest

from buraco.cards import parse_cards
from buraco.engine import Host, Match, determinize, ordered_pack
from buraco.errors import IllegalAction
from buraco.notation import parse_action
from buraco.rules import RULE_SETS, RuleSet
from tests.rules.positions import ALL, CLOSED, OPEN, each, rules_of

#: Seat 0 can lay three runs and has two cards over; seat 2 can lay a run with the king that seat 1 may discard.
HANDS = ("3c 4c 5c 6d 7d 8d Ts Js Qs Kh 9h", "Kc 9s", "Jc Qc 4h")


def host_of(
    rules: RuleSet | str,
    hands: tuple[str, ...] = HANDS,
    *,
    stock: str = "7h 4s Kd",
    morto: str = "Qd",
    undo_allowed: bool = True,
) -> Host:
    """Return a host whose first deal gives these cards to the first seats, the stock and the first morto."""
    rules = rules_of(rules)
    players = max(rules.player_counts)
    fixed = {seat: list(parse_cards(hand)) for seat, hand in enumerate(hands)}
    drawn, first = list(parse_cards(stock)), list(parse_cards(morto))
    rest = Counter(ordered_pack(rules))
    rest.subtract([*(card for hand in fixed.values() for card in hand), *drawn, *first])
    filler = sorted(rest.elements(), reverse=True)
    dealt = [fixed.get(seat, []) for seat in range(players)]
    for hand in dealt:
        hand += [filler.pop() for _ in range(11 - len(hand))]
    pack = [dealt[seat][index] for index in range(11) for seat in range(players)]
    pack += first + [filler.pop() for _ in range(22 - len(first))]
    pack += [filler.pop()] if rules.up_card else []
    match = Match(rules, players, packs=[[*pack, *drawn, *reversed(filler)]], first_dealer=players - 1)
    host = Host(match, undo_allowed=undo_allowed)
    host.next_deal()
    return host


def play(host: Host, *actions: str) -> None:
    """Let the seat to act do this, and whoever is to act after it."""
    for action in actions:
        assert host.seat is not None
        host.act(host.seat, parse_action(action))


def draw(host: Host) -> Host:
    """Let the seat to act draw, and keep the card where it is asked."""
    play(host, "draw")
    if parse_action("keep") in host.view(host.seat).legal:
        play(host, "keep")
    return host


def drawn(name: str) -> Host:
    """Return a host in which seat 0 has drawn."""
    return draw(host_of(name))


def refusal(host: Host, seat: int) -> str:
    """Return the code with which an undo is refused; nothing may change by it."""
    before = (host.state_number, host.acts, host.events(None), host.view(seat))
    with pytest.raises(IllegalAction) as caught:
        host.undo(seat)
    assert (host.state_number, host.acts, host.events(None), host.view(seat)) == before
    return caught.value.code


@each("U7", ALL)
def test_a_draw_cannot_be_taken_back(name: str) -> None:
    host = host_of(name)
    play(host, "draw")
    assert host.can_undo(0) == 0
    assert refusal(host, 0) == "nothing_to_undo"


@each("U7", ALL)
def test_melds_and_additions_are_taken_back_one_by_one_or_all(name: str) -> None:
    host = drawn(name)
    kept = host.can_undo(0)
    start = host.view(0).position
    play(host, "meld 3c 4c 5c", "meld 6d 7d 8d")
    assert host.can_undo(0) == kept + 2
    assert host.undo(0, count=1) == 1
    assert len(host.view(0).position.melds[0]) == 1
    play(host, "meld Ts Js Qs")
    assert host.undo(0, count=2) == 2
    # Everything is as it was, but what the others have seen they know.
    shown = tuple(sorted(parse_cards("3c 4c 5c 6d 7d 8d Ts Js Qs")))
    assert host.view(0).position == replace(start, known=(shown, *start.known[1:]))
    play(host, "meld 3c 4c 5c")


@each("U7", ALL)
def test_an_undo_is_told_to_everyone_and_kept_in_the_record(name: str) -> None:
    host = drawn(name)
    play(host, "meld 3c 4c 5c")
    number, count = host.state_number, len(host.events(3 % host.match.players))
    host.undo(0, count=1)
    assert host.state_number == number + 1
    last = host.acts[-1]
    assert (last.seat, last.action, last.undone) == (0, -1, 1)
    told = host.events(3 % host.match.players)[count - len(host.events(3 % host.match.players)) :]
    assert [type(event).__name__ for event in told] == ["Undone"]


@each("U7", ALL)
def test_only_the_seat_to_act_takes_back(name: str) -> None:
    host = drawn(name)
    play(host, "meld 3c 4c 5c")
    assert host.can_undo(1) == 0
    assert refusal(host, 1) == "not_your_turn"


@each("U7", ALL)
def test_a_finished_turn_cannot_be_taken_back(name: str) -> None:
    host = drawn(name)
    play(host, "discard 9h")
    assert (host.can_undo(0), host.can_undo(1)) == (0, 0)
    assert refusal(host, 0) == "not_your_turn"
    assert refusal(host, 1) == "nothing_to_undo"


@each("U7-off", ALL)
def test_a_table_may_allow_no_undo(name: str) -> None:
    host = draw(host_of(name, undo_allowed=False))
    play(host, "meld 3c 4c 5c")
    assert host.can_undo(0) == 0
    assert refusal(host, 0) == "undo_off"


@each("U7-pile", OPEN)
def test_taking_an_open_pile_shows_nothing_and_is_taken_back(name: str) -> None:
    host = drawn(name)
    play(host, "discard 9h")
    before = host.view(1).position
    play(host, "pile")
    assert host.can_undo(1) == 1
    host.undo(1)
    assert host.view(1).position == before


@each("U7-pile", CLOSED)
def test_a_closed_pile_is_put_back_until_its_hidden_cards_are_seen(name: str) -> None:
    host = drawn(name)
    play(host, "discard 9h", "draw", "discard Kc")
    before = host.view(2).position
    play(host, "pile")
    assert host.can_undo(2) == 1
    host.undo(2)
    assert host.view(2).position == before
    play(host, "pile", "meld Jc Qc Kc")
    # The nine below the king has come to the hand.
    assert host.can_undo(2) == 0
    assert refusal(host, 2) == "nothing_to_undo"


@each("U7-pile-one", CLOSED)
def test_a_closed_pile_of_one_card_hides_nothing(name: str) -> None:
    host = host_of(name, (HANDS[0], "7h 8h 9s"), stock="2c 4s Kd")
    play(host, "draw", "discard 9h")
    before = host.view(1).position
    play(host, "pile", "meld 7h 8h 9h")
    assert host.can_undo(1) == 2
    host.undo(1)
    # The nine lies in the pile again; the others were seen in the meld.
    known = (before.known[0], parse_cards("7h 8h"), *before.known[2:])
    assert host.view(1).position == replace(before, known=known)


@each("U7-morto", "aberto classico aberto-104 fechado fechado-stcl fechado-sujo burraco fechado-50 burraco-fibur")
def test_a_morto_seen_cannot_be_taken_back(name: str) -> None:
    host = draw(host_of(name, ("3c 4c 5c 6d 7d 8d Ts Js Qs Ks 9s",), stock="8s 4s Kd"))
    play(host, "meld 3c 4c 5c", "meld 6d 7d 8d")
    assert host.can_undo(0) >= 2
    play(host, "meld 8s 9s Ts Js Qs Ks")
    assert len(host.view(0).position.hands[0] or ()) == 11
    assert host.can_undo(0) == 0
    assert refusal(host, 0) == "nothing_to_undo"


@each("U7-opening", "classico")
def test_a_failed_opening_cannot_be_taken_back(name: str) -> None:
    # Twelve cards worth 60 empty the hand; where 75 are asked they all return, and only the discard is left.
    hand = "3c 4c 5c 6c 3d 4d 5d 6d 3h 4h 5h"
    host = draw(host_of(RULE_SETS[name].replace(opening_minimum=75), (hand,), stock="6h 4s Kd"))
    play(host, "meld 3c 4c 5c 6c", "meld 3d 4d 5d 6d")
    assert host.can_undo(0) >= 2
    play(host, "meld 3h 4h 5h 6h")
    assert (host.seat, host.view(0).position.phase, host.can_undo(0)) == (0, "discard", 0)
    assert refusal(host, 0) == "nothing_to_undo"


@each("U7-seen", ALL)
def test_what_was_laid_and_taken_back_stays_in_the_hand_for_everyone(name: str) -> None:
    host = drawn(name)
    play(host, "meld 3c 4c 5c", "meld Ts Js Qs")
    host.undo(0, count=1)
    host.undo(0, count=1)
    shown = Counter(parse_cards("3c 4c 5c Ts Js Qs"))
    other = host.view(1)
    assert Counter(other.position.known[0]) == shown
    assert all(not shown - Counter(determinize(other, seed).hand(0)) for seed in range(20))


@each("U7-seen-pile", OPEN)
def test_a_card_that_went_back_to_the_pile_is_known_to_lie_there_only(name: str) -> None:
    host = host_of(name, (HANDS[0], "7h 8h 9s"), stock="2c 4s Kd")
    draw(host)
    play(host, "discard 9h")
    pile = host.view(1).position.pile
    play(host, "pile", "meld 7h 8h 9h")
    host.undo(1, count=1)
    assert Counter(host.view(0).position.known[1]) >= Counter(parse_cards("7h 8h 9h"))
    host.undo(1, count=1)
    assert host.view(0).position.known[1] == parse_cards("7h 8h")
    assert host.view(0).position.pile == pile
