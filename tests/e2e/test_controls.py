"""A control for every choice that a rule set leaves to the player, in each of the ten rule sets.

What each rule set offers is written down here by hand, from the rules. A walk through chance positions then shows that
no legal action is without a control.
"""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Callable
from typing import Any, Final

import pytest
from playwright.sync_api import expect

from buraco.cards import card_text
from buraco.engine import Deal, Position, ordered_pack, unpack
from buraco.notation import decode_action, format_action, parse_action
from buraco.rules import RULE_SETS
from buraco.server.probe import probe_cards
from tests.e2e.hands import By, Player
from tests.e2e.views import Visit
from tests.rules.positions import ALL, CLEAN, CLOSED, OPEN, position_of

_FIRST_TURN: Final = "aberto classico"
_BARRED: Final = "aberto burraco burraco-fibur"
_PRESSED_TWO: Final = "classico burraco burraco-fibur"
_PLAYER_MOVES_WILD: Final = "aberto classico"
_SETS: Final = "classico aberto-sujo fechado fechado-sujo burraco burraco-fibur"
_NO_DIRECT_MORTO: Final = "aberto-sujo"
_CLOSE_BY_MELD: Final = "classico aberto-104 fechado fechado-stcl fechado-sujo fechado-50"
#: Each rule set is played in one of the three ways, so that each way meets several.
_WAYS: Final[tuple[tuple[str, By], ...]] = (("D", "mouse"), ("P", "touch"), ("D", "keyboard"))
_STATES: Final = 24
_PLAYED_EVERY: Final = 3
MOTION: Final = "reduce"


def _sitting(visit: Callable[..., Visit], name: str, position: Position) -> Player:
    view, by = _WAYS[ALL.split().index(name) % len(_WAYS)]
    player = Player(visit(view), by)
    player.sit(position)
    return player


def _do(player: Player, *actions: str) -> None:
    for action in actions:
        player.perform(parse_action(action))


def _says_no(player: Player, face: str, zone: str) -> None:
    """Trying to bring a card somewhere is answered with a reason, and sends no action."""
    sent = player.acts()
    player.select(face)
    if player.by == "keyboard" and zone == "pile":
        player.page.keyboard.press("x")
    else:
        player.press(player.visit.zone(zone))
    expect(player.notice).to_be_visible()
    assert player.acts() == sent
    player.page.keyboard.press("Escape")
    expect(player.notice).to_have_count(0)


def _first_card(player: Player, name: str) -> None:
    rules = RULE_SETS[name]
    players = max(rules.player_counts)
    start = Deal.from_pack(rules, players, ordered_pack(rules), dealer=players - 1).position()
    for choice in ("keep", "reject"):
        player.put(start)
        _do(player, "draw")
        expect(player.button(choice)).to_have_count(1 if name in _FIRST_TURN.split() else 0)
        if name not in _FIRST_TURN.split():
            return
        _do(player, choice)
        expect(player.visit.hand()).to_have_count(12)
        expect(player.visit.zone("pile")).to_have_attribute("data-count", "0" if choice == "keep" else "1")


def _open_pile(player: Player, name: str) -> None:
    player.put(position_of(name, "9d Ks Qh", phase="draw", pile="4c 5d Jh"))
    _do(player, "pile")
    assert sorted(player.faces()) == sorted(["9d", "Ks", "Qh", "4c", "5d", "Jh"])
    player.put(position_of(name, "9d Ks Qd", phase="draw", pile="4c"))
    _do(player, "pile")
    if name in _BARRED.split():
        _says_no(player, "4c", "pile")
        _do(player, "discard Ks")
    else:
        _do(player, "discard 4c")


def _closed_pile(player: Player, name: str) -> None:
    player.put(position_of(name, "6h 7h Ks Qd", phase="draw", pile="4c 9s 8h", melds=["8s 9s Ts"]))
    _do(player, "pile")
    expect(player.page.locator("[data-duties]")).to_contain_text("Use the top card")
    expect(player.card("8h")).to_have_accessible_name(re.compile("Use the top card"))
    expect(player.card("Ks")).not_to_have_accessible_name(re.compile("Use the top card"))
    _says_no(player, "Ks", "pile")
    _do(player, "meld 6h 7h 8h")
    assert {"4c", "9s"} <= set(player.faces())
    player.put(position_of(name, "3d Ks Qd", phase="draw", pile="4c 9s 8h", melds=["5h 6h 7h", "9h Th Jh"]))
    _do(player, "pile")
    _do(player, "add 2 8h")
    assert {"4c", "9s"} <= set(player.faces())
    expect(player.visit.zone("meld-2").locator("[data-card]")).to_have_count(4)


def _which_meld(player: Player, name: str) -> None:
    """Which run a card joins: both light up, and each can be the one."""
    for number in (1, 2):
        player.put(position_of(name, "6h Ks Qd 3c", melds=["3h 4h 5h", "7h 8h 9h"], mortos="mine theirs"))
        player.select("6h")
        expect(player.page.locator("[data-zone^=meld-][data-can]")).to_have_count(2)
        player.page.keyboard.press("Escape")
        _do(player, f"add {number} 6h")
        expect(player.visit.zone(f"meld-{number}").locator("[data-card]")).to_have_count(4)


def _which_end(player: Player, name: str) -> None:
    """Which end a wild goes to, the reading of an ambiguous meld, a natural 2 as wild, an ace low or high."""
    wild = "2c" if name == "aberto-104" else "X"
    hand = f"5h 6h 7h {wild} 2s 3s 4s Ks Qd"
    for laid in (
        f"{wild}=4 5h 6h 7h",
        f"5h 6h 7h {wild}=8",
        "2s 3s 4s",
        "3s 4s 2s=5",
    ):
        player.put(position_of(name, hand, mortos="mine theirs"))
        _do(player, f"meld {laid}")
        meld = player.visit.zone("meld-1")
        shown = meld.locator("[data-card]").evaluate_all("cards => cards.map(card => card.dataset.card)")
        assert shown == [word.split("=")[0] for word in laid.split()]
        expect(meld.locator("[data-wild]")).to_have_count(1 if "=" in laid else 0)
    run = "2s 3s 4s 5s 6s 7s 8s 9s Ts Js Qs Ks"
    for how, at in (("", 0), (" high", 12)):
        player.put(position_of(name, "As Ks Qd 3c", melds=[run], mortos="mine theirs"))
        _do(player, f"add 1 As{how}")
        assert player.visit.zone("meld-1").locator("[data-card]").nth(at).get_attribute("data-card") == "As"


def _moving_wild(player: Player, name: str) -> None:
    """Where a replaced wild goes, where the rules let the player say it; a 2 pressed into service."""
    wild = "2c" if name == "aberto-104" else "X"
    if name in _PLAYER_MOVES_WILD.split():
        for end, at in (("low", 0), ("high", 3)):
            player.put(position_of(name, "6h Ks Qd 3c", melds=[f"5h {wild}=6 7h"], mortos="mine theirs"))
            _do(player, f"add 1 6h wild {end}")
            expect(player.visit.zone("meld-1").locator("[data-card]").nth(at)).to_have_attribute("data-wild", "")
    player.put(position_of(name, "6h Ks Qd 3c", melds=["2h 3h 4h"], mortos="mine theirs"))
    if name in _PRESSED_TWO.split():
        _do(player, "add 1 6h")
        expect(player.visit.zone("meld-1").locator("[data-wild]")).to_have_count(1)
    else:
        _says_no(player, "6h", "meld-1")


def _sets(player: Player, name: str) -> None:
    player.put(position_of(name, "7h 7d 7c Ks Qd 3c", mortos="mine theirs"))
    if name in _SETS.split():
        _do(player, "meld 7c 7d 7h")
        expect(player.visit.zone("meld-1").locator("[data-card]")).to_have_count(3)
    else:
        player.select("7h", "7d", "7c")
        player.page.keyboard.press("m")
        expect(player.notice).to_be_visible()


def _direct_morto(player: Player, name: str) -> None:
    player.put(position_of(name, "5h 6h 7h"))
    if name in _NO_DIRECT_MORTO.split():
        player.select("5h", "6h", "7h")
        player.page.keyboard.press("m")
        expect(player.notice).to_be_visible()
    else:
        _do(player, "meld 5h 6h 7h")
        expect(player.visit.hand()).to_have_count(11)
        expect(player.page.locator("[data-morto=waiting]")).to_have_count(1)


def _closing(player: Player, name: str) -> None:
    """Going out by the discard is confirmed first, and ends the deal."""
    player.put(position_of(name, "Kc", melds=[CLEAN], mortos="mine theirs"))
    player.select("Kc")
    if player.by == "keyboard":
        player.page.keyboard.press("x")
    else:
        player.press(player.visit.zone("pile"))
    question = player.page.locator("[data-question=out]")
    expect(question).to_be_visible()
    player.page.keyboard.press("Escape")
    expect(question).to_have_count(0)
    expect(player.visit.hand()).to_have_count(1)
    player.page.keyboard.press("Escape")
    _do(player, "discard Kc")
    deal = player.visit.snapshot()["deals"][-1]
    assert (deal["end_kind"], deal["out_seat"]) == ("closed", 0)


@pytest.mark.parametrize("name", ALL.split())
def test_each_choice_of_a_rule_set_has_its_control(visit: Callable[..., Visit], name: str) -> None:
    """Keep or reject, the pile and its use, the run, the end, the reading, the morto, the close."""
    player = _sitting(visit, name, position_of(name, "5h 6h 7h Ks Qd"))
    _first_card(player, name)
    if name in OPEN.split():
        _open_pile(player, name)
    if name in CLOSED.split():
        _closed_pile(player, name)
    for check in (_which_meld, _which_end, _moving_wild, _sets, _direct_morto, _closing):
        check(player, name)


@pytest.mark.parametrize("name", ALL.split())
def test_a_close_by_melding_is_confirmed_or_refused_with_its_reason(visit: Callable[..., Visit], name: str) -> None:
    """Where the last card may be melded the deal ends with it; elsewhere the player reads why not."""
    player = _sitting(visit, name, position_of(name, "5s 6s 7s", melds=[CLEAN], mortos="mine theirs"))
    player.select("5s", "6s", "7s")
    player.page.keyboard.press("m")
    if name in _CLOSE_BY_MELD.split():
        question = player.page.locator("[data-question=out_lay]")
        expect(question).to_be_visible()
        player.page.keyboard.press("Escape")
        expect(question).to_have_count(0)
        assert player.acts() == []
        player.page.keyboard.press("Escape")
        _do(player, "meld 5s 6s 7s")
        deal = player.visit.snapshot()["deals"][-1]
        assert (deal["end_kind"], deal["out_seat"]) == ("closed", 0)
    else:
        expect(player.notice).to_be_visible()
        assert player.acts() == []


_EIGHTY: Final = "Ah 2h 3h 8s 9s Ts Js Qs"


def test_an_opening_at_once_shows_its_points_and_asks_for_the_rest(visit: Callable[..., Visit]) -> None:
    """`aberto`: until the minimum lies on the table nothing but its melds goes."""
    unopened: dict[str, Any] = {"opening_need": (75, 0), "opened": (False, True)}
    player = _sitting(visit, "aberto", position_of("aberto", f"{_EIGHTY} 4h 6d", **unopened))
    opening = player.page.locator(".us .opening")
    expect(opening).to_have_text("Opening: 75")
    _do(player, "meld Ah 2h 3h")
    expect(opening).to_have_text("Opening: 30 of 75")
    expect(player.page.locator("[data-duties]")).to_contain_text("30 are on the table")
    _says_no(player, "6d", "pile")
    _says_no(player, "4h", "meld-1")
    _do(player, "meld 8s 9s Ts Js Qs")
    expect(opening).to_have_count(0)
    _do(player, "add 1 4h", "discard 6d")


def test_an_opening_over_the_turn_counts_on_and_may_fail(visit: Callable[..., Visit]) -> None:
    """`classico`: melds and additions count together; a short one returns to the hand and asks for more."""
    unopened: dict[str, Any] = {"opening_need": (50, 0), "opened": (False, True)}
    hand = "Jh Qh Kh Th Ah 4c 6d"
    player = _sitting(visit, "classico", position_of("classico", hand, **unopened))
    opening = player.page.locator(".us .opening")
    expect(opening).to_have_text("Opening: 50")
    _do(player, "meld Jh Qh Kh")
    expect(opening).to_have_text("Opening: 30 of 50")
    _do(player, "add 1 Th")
    expect(opening).to_have_text("Opening: 40 of 50")
    _do(player, "add 1 Ah high")
    expect(opening).to_have_count(0)
    player.put(position_of("classico", hand, **unopened))
    _do(player, "meld Jh Qh Kh", "discard 4c")
    assert player.my_turn()
    expect(opening).to_have_text("Opening: 65")
    assert {"Jh", "Qh", "Kh"} <= set(player.faces())
    expect(player.visit.zone("meld-1")).to_have_count(0)


# Every action of chance positions.


def _walk(name: str) -> list[Position]:
    """Positions of chance deals in which seat 0 is to act."""
    rng = random.Random(name)
    rules = RULE_SETS[name]
    players = max(rules.player_counts)
    found: list[Position] = []
    seed = 0
    while len(found) < _STATES:
        seed += 1
        deal = Deal(rules, players, players - 1, (0, 0), seed)
        while not deal.over and len(found) < _STATES:
            if deal.seat == 0 and rng.random() < 0.3:
                found.append(deal.position())
            by_kind: dict[str, list[int]] = {}
            for action in deal.legal():
                by_kind.setdefault(decode_action(action).kind, []).append(action)
            kinds = [kind for kind in by_kind if kind != "discard" or rng.random() < 0.5] or list(by_kind)
            deal.apply(rng.choice(by_kind[rng.choice(kinds)]))
    return found


def _offered(player: Player, legal: dict[str, Any]) -> set[int]:
    """The actions that the controls of the page lead to: its buttons, the places that light up, the ways it shows."""
    host = player.visit.house.table(player.visit.code).fold.host
    assert host is not None, "a deal is being played"
    found = {action for action, name in enumerate(("draw", "pile", "keep", "reject")) if legal[name]}
    found |= {one["action"] for one in legal["discards"]}
    asked: set[tuple[tuple[str, ...], int | None]] = {((one["card"],), one["meld"]) for one in legal["adds"]}
    for action in legal["actions"]:
        move = decode_action(action)
        if move.kind == "meld":
            asked.add((tuple(sorted(card_text(card) for card in unpack(move.meld).cards)), None))
    for cards, meld in asked:
        options = [option for option in probe_cards(host, 0, list(cards), meld).options if option.legal]
        assert options, f"{cards} go to {meld}"
        found |= {option.actions[0] for option in options}
    return found


@pytest.mark.parametrize("name", ALL.split())
def test_no_legal_action_is_without_a_control(visit: Callable[..., Visit], name: str) -> None:
    """In chance positions the controls offer the legal actions and no others; every few positions one is taken."""
    positions = _walk(name)
    player = _sitting(visit, name, positions[0])
    taken: Counter[str] = Counter()
    rng = random.Random(7)
    for number, position in enumerate(positions):
        player.put(position)
        legal = player.visit.snapshot()["view"]["legal"]
        assert _offered(player, legal) == set(legal["actions"]), [format_action(one) for one in legal["actions"]]
        _buttons_agree(player, legal)
        if number % _PLAYED_EVERY == 0:
            kinds = {decode_action(action).kind for action in legal["actions"]}
            rarest = min(sorted(kinds), key=lambda kind: taken[kind])
            taken[rarest] += 1
            player.perform(rng.choice([one for one in legal["actions"] if decode_action(one).kind == rarest]))
    assert len(taken) >= 3


def _buttons_agree(player: Player, legal: dict[str, Any]) -> None:
    """A button is able exactly where what it does is legal."""
    able: dict[str, bool] = player.page.evaluate(
        """() => Object.fromEntries([...document.querySelectorAll('.act[data-action]')]
            .map(one => [one.dataset.action, one.getAttribute('aria-disabled') !== 'true']))"""
    )
    for name in ("draw", "pile", "keep", "reject"):
        assert able.get(name, False) is legal[name], name
