"""Playing at the table: criteria 11 to 17 and 20 to 26, and the cases U2, U6 and U7."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any, Final

import pytest
from playwright.sync_api import expect

from buraco.engine import Position
from buraco.notation import parse_action
from tests.e2e.hands import By, Line, Player, key_of
from tests.e2e.views import Visit
from tests.rules.positions import position_of

_HAND: Final = "5h 6h 7h 8d Ks Qd 3c"
_IN_VIEW: Final = """card => {
    const box = card.getBoundingClientRect();
    const hit = document.elementFromPoint(box.left + 10, box.top + 14);
    return box.top >= 0 && box.left >= 0 && box.bottom <= innerHeight && box.right <= innerWidth && card.contains(hit);
}"""
#: Notes what is counted on the table whenever a version of it is shown.
_NOTE: Final = """() => {
    const table = document.querySelector('[data-version]');
    const counts = () => ({
        stock: Number(table.querySelector('[data-zone=stock]').dataset.count),
        pile: Number(table.querySelector('[data-zone=pile]').dataset.count),
        mortos: table.querySelectorAll('[data-morto=waiting]').length,
        hand: table.querySelectorAll('[data-zone=hand] [data-key]').length,
        hands: Object.fromEntries(
            [...table.querySelectorAll('.seats [data-seat]')].map(one => [one.dataset.seat, Number(one.dataset.count)]),
        ),
    });
    window.noted = {};
    const note = () => {
        if (table.querySelector('[data-zone=stock]')) window.noted[table.dataset.version] = counts();
    };
    new MutationObserver(note).observe(table, { attributes: true, attributeFilter: ['data-version'] });
    note();
}"""


def _sit(visit: Callable[..., Visit], position: Position, view: str = "D", by: By = "mouse", **more: Any) -> Player:
    """Sit down in a position."""
    player = Player(visit(view, **more), by)
    player.visit.stage(position)
    return player


@pytest.mark.parametrize(("view", "by"), [("D", "mouse"), ("P", "touch"), ("D", "keyboard")])
def test_11_a_tap_selects_and_a_second_one_unselects(visit: Callable[..., Visit], view: str, by: By) -> None:
    """11. Any number of cards may be selected, twins each for itself."""
    player = _sit(visit, position_of("aberto", "5h 5h 6h 7h Ks 2c X X"), view, by)
    first = player.card("5h")
    player.toggle(first)
    expect(first).to_have_attribute("aria-selected", "true")
    assert player.chosen() == ["5h"]
    player.toggle(first)
    expect(first).to_have_attribute("aria-selected", "false")
    player.select(*player.faces())
    assert player.chosen() == player.faces()
    assert player.commands() == []


@pytest.mark.parametrize(("view", "by"), [("D", "mouse"), ("P", "touch")])
def test_12_13_a_tap_on_a_target_lays_and_adds_by_one_command(visit: Callable[..., Visit], view: str, by: By) -> None:
    """12, 13. Three cards and a tap are one meld command, and they leave the hand; then one of addition."""
    player = _sit(visit, position_of("aberto", _HAND, melds=["5d 6d 7d"]), view, by)
    player.select("5h", "6h", "7h")
    player.press(player.visit.zone("new-meld"))
    expect(player.visit.zone("meld-2").locator("[data-card]")).to_have_count(3)
    expect(player.visit.hand()).to_have_count(4)
    assert player.acts() == [parse_action("meld 5h 6h 7h")]
    player.select("8d")
    player.press(player.visit.zone("meld-1"))
    expect(player.visit.zone("meld-1").locator("[data-card]")).to_have_count(4)
    expect(player.visit.hand()).to_have_count(3)
    assert player.acts()[1:] == [parse_action("add 1 8d")]
    assert sorted(player.faces()) == ["3c", "Ks", "Qd"]


def test_14_a_drag_of_one_selected_card_drops_all_of_them(visit: Callable[..., Visit]) -> None:
    """14. Escape during the drag restores the order and sends nothing; without it three cards are dropped."""
    player = _sit(visit, position_of("aberto", _HAND))
    before = player.faces()
    player.select("5h", "6h", "7h")
    player.hold(player.card("6h"))
    player.over(player.card("8d"))
    player.over(player.visit.zone("new-meld"))
    player.page.keyboard.press("Escape")
    expect(player.page.locator(".layer .ghost")).to_have_count(0)
    player.page.mouse.up()
    assert player.faces() == before
    assert sorted(player.chosen()) == ["5h", "6h", "7h"]
    assert player.commands() == []
    player.drag(player.card("6h"), player.visit.zone("new-meld"))
    expect(player.visit.zone("meld-1").locator("[data-card]")).to_have_count(3)
    assert player.acts() == [parse_action("meld 5h 6h 7h")]
    assert Counter(player.faces()) == Counter(["8d", "Ks", "Qd", "3c"])


def test_15_a_drag_within_the_hand_reorders_it_for_good(visit: Callable[..., Visit]) -> None:
    """15. No game command is sent, and the order survives a reconnect and a reload."""
    guest = visit("D")
    line = Line(guest.page)
    player = Player(guest, line=line)
    guest.stage(position_of("aberto", _HAND))
    before = player.faces()
    player.drag(player.card(before[-1]), player.card(before[0]))
    moved = player.faces()
    assert sorted(moved) == sorted(before)
    assert moved.index(before[-1]) < 2
    assert player.commands() == []
    line.cut_and_found(player.page)
    assert player.faces() == moved
    guest.page.reload()
    expect(guest.hand()).to_have_count(len(moved))
    assert player.faces() == moved
    assert player.commands() == []


def test_16_only_melds_that_would_take_the_selection_light_up(visit: Callable[..., Visit]) -> None:
    """16. For one card and for several; a rejected drop returns the cards and names the reason."""
    player = _sit(visit, position_of("aberto", "8d 9d Ks 3c 4h", melds=["5d 6d 7d", "5h 6h 7h", "8s 9s Ts"]))
    lit = player.page.locator("[data-zone^=meld-][data-can]")
    player.select("8d")
    expect(lit).to_have_count(1)
    expect(lit).to_have_attribute("data-zone", "meld-1")
    player.select("9d")
    expect(lit).to_have_count(1)
    expect(lit).to_have_attribute("data-zone", "meld-1")
    player.select("3c")
    expect(lit).to_have_count(0)
    player.page.keyboard.press("Escape")
    player.select("4h")
    expect(lit).to_have_attribute("data-zone", "meld-2")
    before = player.faces()
    player.page.keyboard.press("Escape")
    player.drag(player.card("Ks"), player.visit.zone("meld-2"))
    expect(player.notice).to_be_visible()
    reason = [frame["result"] for frame in player.heard if (frame.get("result") or {}).get("result") == "probe"][-1]
    assert not any(option["legal"] for option in reason["options"])
    assert reason["text"] in player.notice.inner_text()
    assert player.faces() == before
    assert player.commands() == []


def test_17_a_refused_meld_is_rolled_back_with_its_reason(visit: Callable[..., Visit]) -> None:
    """17. What the server refuses was shown at once, and is taken back when its refusal comes, which says why."""
    guest = visit("D")
    line = Line(guest.page)
    player = Player(guest, line=line)
    guest.stage(position_of("aberto", _HAND))
    before = player.faces()
    player.select("5h", "6h", "7h")
    line.hold("act")
    player.press(guest.zone("new-meld"))
    line.held(guest.page)
    expect(guest.hand()).to_have_count(len(before) - 3)
    expect(guest.zone("meld-1").locator("[data-card]")).to_have_count(3)
    line.release(action=parse_action("meld As 2s 3s"))
    expect(guest.hand()).to_have_count(len(before))
    expect(guest.zone("meld-1")).to_have_count(0)
    refusal = [frame for frame in player.heard if frame["type"] == "refused"][-1]
    expect(player.notice).to_contain_text(refusal["text"])
    assert player.faces() == before


def test_19_a_whole_turn_by_keyboard_alone(visit: Callable[..., Visit]) -> None:
    """19. Draw, meld, add and discard, a look at the pile, with the focus on the hand after each of them."""
    lying: dict[str, Any] = {"melds": ["5d 6d 7d"], "pile": "4c", "stock": "9d", "mortos": "mine theirs"}
    player = _sit(visit, position_of("aberto", _HAND, phase="draw", **lying), by="keyboard")
    focused = player.page.locator("[data-zone=hand] :focus")
    player.go("[data-zone=pile]")
    player.page.keyboard.press("Enter")
    expect(player.page.locator("[data-panel=pile] [data-card]")).to_have_count(1)
    player.page.keyboard.press("Escape")
    expect(player.page.locator("[data-panel=pile]")).to_have_count(0)
    expect(player.visit.zone("pile")).to_be_focused()
    player.perform(parse_action("draw"))
    player.select("5h", "6h", "7h")
    player.page.keyboard.press("Enter")
    expect(player.visit.zone("meld-2").locator("[data-card]")).to_have_count(3)
    expect(focused).to_have_count(1)
    player.select("8d", "9d")
    player.page.keyboard.press("1")
    expect(player.visit.zone("meld-1").locator("[data-card]")).to_have_count(5)
    expect(focused).to_have_count(1)
    player.select("3c")
    player.page.keyboard.press("x")
    assert player.my_turn()
    expect(focused).to_have_count(1)
    actions = ["draw", "meld 5h 6h 7h", "add 1 8d", "add 1 9d", "discard 3c"]
    assert player.acts() == [parse_action(action) for action in actions]


def test_20_out_of_turn_only_selecting_and_sorting_work(visit: Callable[..., Visit]) -> None:
    """20. Draw, meld and discard are disabled, by button and by key."""
    player = _sit(visit, position_of("aberto", _HAND, melds=["5d 6d 7d"], pile="4c", seat=1))
    player.drag(player.card("Ks"), player.card("3c"))
    expect(player.table).not_to_have_attribute("data-mine", "")
    for name in ("lay", "discard", "undo"):
        expect(player.button(name)).to_have_attribute("aria-disabled", "true")
    expect(player.visit.zone("stock")).to_have_attribute("aria-disabled", "true")
    player.select("5h", "6h", "7h")
    player.press(player.button("lay"), able=False)
    expect(player.notice).to_contain_text("another player's turn")
    for key in ("d", "p", "x", "m", "u", "1"):
        player.page.keyboard.press(key)
    player.press(player.visit.zone("new-meld"))
    for by_what in ("suit", "rank"):
        expect(player.button("sort")).to_have_attribute("data-sort", by_what)
        player.press(player.button("sort"))
    expect(player.button("sort")).to_have_attribute("data-sort", "suit")
    assert player.faces() == ["3c", "5h", "6h", "7h", "8d", "Qd", "Ks"]
    assert sorted(player.chosen()) == ["5h", "6h", "7h"]
    assert player.commands() == []


@pytest.mark.parametrize(("view", "by"), [("D", "mouse"), ("P", "touch")])
def test_21_the_open_pile_is_looked_at_and_taken(visit: Callable[..., Visit], view: str, by: By) -> None:
    """21. A tap shows all its cards in order; taking it puts exactly these in the hand, marked as new."""
    pile = "4c 9s Kh 3d 7c 7c Jd"
    player = _sit(visit, position_of("aberto", _HAND, pile=pile, phase="draw"), view, by)
    before = player.faces()
    player.press(player.visit.zone("pile"))
    cards = player.page.locator("[data-panel=pile] [data-card]")
    expect(cards).to_have_count(7)
    assert " ".join(cards.evaluate_all("cards => cards.map(card => card.dataset.card)")) == pile
    player.press(player.page.locator("[data-panel=pile] [data-action=pile]"))
    expect(player.visit.hand()).to_have_count(len(before) + 7)
    fresh = player.page.locator("[data-zone=hand] [data-fresh]")
    assert Counter(fresh.evaluate_all("cards => cards.map(card => card.dataset.card)")) == Counter(pile.split())
    assert player.acts() == [parse_action("pile")]
    expect(player.visit.zone("pile")).to_have_attribute("data-count", "0")


@pytest.mark.parametrize(("view", "by"), [("D", "mouse"), ("P", "touch")])
def test_22_a_drawn_card_is_marked_and_in_view(visit: Callable[..., Visit], view: str, by: By) -> None:
    """22. It is marked until the next own action."""
    hand = _HAND + " As 3s 4s 8s 9s Jc Qc Kc 2c 4d 9d Ah Jh Qh Th"
    player = _sit(visit, position_of("aberto", hand, stock="Jd", phase="draw"), view, by)
    player.press(player.visit.zone("stock"))
    fresh = player.page.locator("[data-zone=hand] [data-fresh]")
    expect(fresh).to_have_count(1)
    expect(fresh).to_have_attribute("data-card", "Jd")
    assert fresh.evaluate(_IN_VIEW)
    player.select("5h", "6h", "7h")
    expect(fresh).to_have_count(1)
    player.press(player.visit.zone("new-meld"))
    expect(player.visit.zone("meld-1")).to_be_visible()
    expect(fresh).to_have_count(0)


def test_23_sorting_gives_the_two_orders_and_keeps_the_selection(visit: Callable[..., Visit]) -> None:
    """23. By suit ♠ ♥ ♣ ♦ with the ace low and jokers last; by rank, in each by suit."""
    player = _sit(visit, position_of("aberto", "Kc 2d As Th X 3c 9s Ah Kd 2s 5h Ks"))
    for _ in range(2):
        if player.button("sort").get_attribute("data-sort") != "rank":
            player.press(player.button("sort"))
    # Sorted by suit, but for the first card, which goes to the end.
    player.drag(player.card("As"), player.card("X"))
    player.select("2s", "X", "Kd")
    chosen = {key_of(player.card(face)) for face in ("2s", "X", "Kd")}
    by_suit = ["As", "2s", "9s", "Ks", "Ah", "5h", "Th", "3c", "Kc", "2d", "Kd", "X"]
    by_rank = ["As", "Ah", "2s", "2d", "3c", "5h", "9s", "Th", "Ks", "Kc", "Kd", "X"]
    assert player.faces() not in (by_suit, by_rank)
    for expected in (by_suit, by_rank, by_suit):
        player.press(player.button("sort"))
        expect(player.button("sort")).to_have_attribute("data-sort", "suit" if expected == by_rank else "rank")
        assert player.faces() == expected
        selected = player.page.locator("[data-zone=hand] [aria-selected=true]")
        assert {key_of(one) for one in selected.all()} == chosen
    assert player.commands() == []


def test_24_undo_takes_back_the_last_meld_of_the_turn(visit: Callable[..., Visit]) -> None:
    """24. One at a time, from the last; it is disabled once the turn has passed and after a draw."""
    player = _sit(visit, position_of("aberto", _HAND, melds=["5d 6d 7d"], mortos="mine theirs"))
    undo = player.button("undo")
    expect(undo).to_have_attribute("aria-disabled", "true")
    player.perform(parse_action("meld 5h 6h 7h"))
    player.perform(parse_action("add 1 8d"))
    expect(undo).not_to_have_attribute("aria-disabled", "true")
    player.press(undo)
    expect(player.visit.zone("meld-1").locator("[data-card]")).to_have_count(3)
    expect(player.visit.zone("meld-2").locator("[data-card]")).to_have_count(3)
    assert "8d" in player.faces()
    player.press(undo)
    expect(player.visit.zone("meld-2")).to_have_count(0)
    assert sorted(player.faces()) == sorted(_HAND.split())
    expect(undo).to_have_attribute("aria-disabled", "true")
    player.perform(parse_action("meld 5h 6h 7h"))
    player.perform(parse_action("discard 3c"))
    assert player.my_turn()
    expect(undo).to_have_attribute("aria-disabled", "true")
    player.perform(parse_action("draw"))
    expect(undo).to_have_attribute("aria-disabled", "true")
    assert player.commands() == ["act", "act", "undo", "undo", "act", "act", "act"]


@pytest.mark.parametrize(
    ("rules", "melds"),
    [
        (
            "aberto",
            {
                "4h 5h X=6 7h 8h 9h Th": ("dirty", "Dirty · 100", True),
                "3s 4s 5s 6s 7s 8s 9s": ("clean", "Clean · 200", False),
                "2d 3d 4d 5d 6d 7d 8d 9d Td Jd Qd Kd Ad": ("clean_13", "Clean 13 · 500", False),
                "Ac 2c 3c 4c 5c 6c 7c 8c 9c Tc Jc Qc Kc Ac": ("clean_14", "Clean 14 · 1,000", False),
            },
        ),
        (
            "burraco-fibur",
            {
                "4h 5h X=6 7h 8h 9h Th": ("dirty", "Dirty · 100", True),
                "3s 4s 5s 6s 7s 8s 9s Ts X=J": ("semi_clean", "Semi-clean · 150", True),
                "3d 4d 5d 6d 7d 8d 9d": ("clean", "Clean · 200", False),
            },
        ),
    ],
)
def test_25_a_canasta_says_its_kind_and_marks_its_wild(
    visit: Callable[..., Visit], rules: str, melds: dict[str, tuple[str, str, bool]]
) -> None:
    """25. In words, as the rule set names it, and not by colour alone."""
    player = _sit(visit, position_of(rules, "Qh Kc 6c", melds=[*melds, "Jh Qh Kh"], mortos="mine theirs"))
    for number, (category, text, dirty) in enumerate(melds.values(), 1):
        meld = player.visit.zone(f"meld-{number}")
        expect(meld).to_have_attribute("data-category", category)
        expect(meld.locator("em")).to_have_text(text)
        expect(meld.locator("em")).to_be_visible()
        expect(meld.locator("[data-wild]")).to_have_count(1 if dirty else 0)
    plain = player.visit.zone(f"meld-{len(melds) + 1}")
    expect(plain).to_have_attribute("data-category", "plain")
    expect(plain.locator("em")).to_have_count(0)


def test_26_every_count_is_the_servers_after_each_event(visit: Callable[..., Visit]) -> None:
    """26. Stock, pile, mortos and hands, at each version that the page shows while a few turns are played."""
    player = _sit(visit, position_of("aberto", _HAND + " 4c 9s", pile="4c", phase="draw"))
    player.page.evaluate(_NOTE)
    for turn in range(4):
        player.perform(parse_action("draw"))
        if turn == 0:
            player.perform(parse_action("meld 5h 6h 7h"))
        player.perform(parse_action(f"discard {player.faces()[0]}"))
        assert player.my_turn()
    noted: dict[str, dict[str, Any]] = player.page.evaluate("() => window.noted")
    compared = 0
    views = {frame["version"]: frame["view"] for frame in player.heard if frame.get("view")}
    for version, shown in noted.items():
        view = views.get(int(version))
        if view is None:
            continue
        compared += 1
        assert shown == {
            "stock": view["stock_count"],
            "pile": view["pile_count"],
            "mortos": sum(morto["state"] == "waiting" for morto in view["mortos"]),
            "hand": view["hand_counts"][0],
            "hands": {str(seat): view["hand_counts"][seat] for seat in (1, 2, 3)},
        }
    assert compared >= 9


def test_u2_a_target_that_changed_during_a_drag_is_checked_again(visit: Callable[..., Visit]) -> None:
    """U2. The server is asked at the drop; what changed in between is said; a lost turn ends the drag."""
    guest = visit("D")
    line = Line(guest.page)
    player = Player(guest, line=line)
    takes = position_of("aberto", _HAND, melds=["5d 6d 7d"])
    changed = position_of("aberto", _HAND, melds=["5s 6s 7s"])
    guest.stage(takes)
    before = player.faces()
    # The meld under the drag becomes another one.
    player.hold(player.card("8d"))
    guest.house.stage(guest.code, changed)
    expect(guest.zone("meld-1").locator("[data-card='5s']")).to_have_count(1)
    player.over(guest.zone("meld-1"))
    player.page.mouse.up()
    expect(player.notice).to_be_visible()
    assert player.faces() == before
    # It changes while the server is asked.
    player.put(takes)
    line.hold("probe")
    player.drag(player.card("8d"), guest.zone("meld-1"))
    line.held(guest.page)
    guest.house.stage(guest.code, changed)
    expect(guest.zone("meld-1").locator("[data-card='5s']")).to_have_count(1)
    line.release()
    expect(player.notice).to_contain_text("The table changed in the meantime")
    # The turn is lost.
    player.put(takes)
    player.hold(player.card("8d"))
    guest.house.stage(guest.code, position_of("aberto", _HAND, melds=["5d 6d 7d"], seat=1))
    expect(player.page.locator(".layer .ghost")).to_have_count(0)
    player.page.mouse.up()
    assert player.faces() == before
    assert player.commands() == []


@pytest.mark.parametrize("view", ["D", "P"])
def test_u6_the_player_sees_why_the_pile_cannot_be_taken(visit: Callable[..., Visit], view: str) -> None:
    """U6. At the button and in the look at the pile: the reason in words, and the rule."""
    by: By = "touch" if view == "P" else "mouse"
    player = _sit(visit, position_of("fechado", _HAND, pile="4c 9s Jc", phase="draw"), view, by)
    player.press(player.button("pile"), able=False)
    expect(player.notice).to_be_visible()
    why = next(frame["result"] for frame in player.heard if (frame.get("result") or {}).get("result") == "why")
    assert why["text"]
    assert why["citation"]
    expect(player.notice).to_contain_text(why["text"])
    expect(player.notice).to_contain_text(why["citation"])
    player.press(player.visit.zone("pile"))
    player.press(player.page.locator("[data-action=why-pile]"))
    expect(player.page.locator("[data-panel=pile] [role=alert]")).to_contain_text(why["text"])
    assert player.commands() == []


def test_u7_no_undo_is_offered_once_something_hidden_was_shown(visit: Callable[..., Visit]) -> None:
    """U7. After the rest of a closed pile was seen, and after a morto taken in the turn."""
    guest = visit("D")
    player = Player(guest)
    guest.stage(position_of("fechado", "5h 6h 7h 8d Ks", pile="4c 9s 8h", phase="draw", mortos="mine theirs"))
    player.perform(parse_action("pile"))
    player.perform(parse_action("meld 6h 7h 8h"))
    assert {"4c", "9s"} <= set(player.faces())
    expect(player.button("undo")).to_have_attribute("aria-disabled", "true")
    player.put(position_of("fechado", "5h 6h 7h"))
    player.perform(parse_action("meld 5h 6h 7h"))
    expect(guest.hand()).to_have_count(11)
    expect(player.button("undo")).to_have_attribute("aria-disabled", "true")
    sent = player.commands()
    player.page.keyboard.press("u")
    expect(player.notice).to_contain_text("nothing to take back")
    assert player.commands() == sent
    assert guest.snapshot()["view"]["can_undo"] == 0
