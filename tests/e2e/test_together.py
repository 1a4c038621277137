"""Several people at one table, each with a browser of their own: criteria 35 and 37, and what people do together."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Sequence
from typing import Any, Final

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.e2e.company import Company, choose
from tests.e2e.hands import Player
from tests.e2e.house import House
from tests.e2e.views import Visit

#: A match of one short deal: two suits of one pack, few cards in hand.
_SHORT: Final = """
base = "aberto-104"
name = "short"
title = "Short game"
[fields]
pack_copies = 1
pack_suits = "hs"
joker_count = 2
aces_both_ends = false
bonus_clean_14 = "none"
canasta_size = 4
hand_size = 3
morto_size = 3
deal_count = 1
"""
_ACTIONS_MAX: Final = 400


def _say(guest: Visit, text: str) -> None:
    """Write a line of chat."""
    chat = _chat(guest)
    chat.locator("form input").fill(text)
    chat.locator("form button[type=submit]").click()
    expect(chat.locator("form input")).to_have_value("")


def _chat(guest: Visit) -> Locator:
    """Open the chat where it is not open, and return it."""
    chat = guest.page.locator("[data-panel=chat]")
    if chat.count() == 0:
        guest.page.locator(".top [data-action=chat]").click()
    chat.wait_for()
    return chat


def _close(guest: Visit) -> None:
    """Close whatever lies over the table."""
    if guest.page.locator("dialog[open]").count() > 0:
        guest.page.keyboard.press("Escape")
    expect(guest.page.locator("dialog[open]")).to_have_count(0)


def _match_sheet(guest: Visit) -> Locator:
    """Open what the menu offers about the match."""
    guest.page.locator(".top [data-action=menu]").click()
    guest.page.locator("[data-open=match]").click()
    sheet = guest.page.locator("[data-panel=offers]")
    sheet.wait_for()
    return sheet


def _confirm(sheet: Locator, name: str) -> None:
    """Press a button that asks whether one is sure, and be sure."""
    sheet.locator(f"[data-confirm={name}] button").click()
    asked = sheet.locator(f"[data-confirm={name}] p")
    expect(asked).to_have_text(re.compile(r"\w+ \w+ \w+"))
    sheet.locator(f"[data-confirm={name}] button").last.click()


def _sit_down(friends: Sequence[Visit]) -> None:
    """Make a table by "Play with friends", come by code and by link, choose seats, be ready, begin."""
    ana = friends[0]
    ana.open("/")
    ana.page.locator("a[href='/create']").first.click()
    rules = ana.page.locator("form select").first
    rules.select_option("")
    ana.page.locator("form textarea").fill(_SHORT)
    ana.page.locator("form button[type=submit]").click()
    room = ana.page.locator("[data-panel=room]")
    room.wait_for()
    code = str(ana.page.locator("[data-table]").get_attribute("data-table"))
    expect(ana.page.locator(".invitation .code strong")).to_have_text(code)
    link = ana.page.locator(".invitation input").input_value()
    assert link.endswith(f"/t/{code}")
    for number, friend in enumerate(friends):
        friend.code = code
        if number == 0:
            continue
        if number == 1:
            friend.open("/")
            field = friend.page.locator("form:has(input[autocapitalize=characters])")
            field.locator("input").fill(code.lower())
            field.locator("button").click()
        else:
            friend.open(link)
        seat = friend.page.locator(f"[data-panel=seats] [data-seat='{number}']")
        seat.locator("[data-action=sit]").click()
        expect(seat).to_have_attribute("data-kind", "person")
        friend.page.locator("[data-panel=room] [data-action=ready]").click()
    ana.page.locator("[data-panel=room] [data-action=start]").click()
    for friend in friends:
        friend.hand().first.wait_for()


def _play_to_the_end(friends: Sequence[Visit], by: Sequence[Player], seed: int) -> set[int]:
    """Each plays their turns on their own page, until the deal is over; return the seats that played."""
    rng = random.Random(seed)
    acted: set[int] = set()
    for _ in range(_ACTIONS_MAX):
        snapshot = friends[0].snapshot()
        if snapshot["table"]["phase"] != "playing":
            return acted
        seat = snapshot["view"]["turn_seat"]
        # The snapshot may be newer than the page.
        by[seat].shown(snapshot["version"])
        legal = friends[seat].snapshot()["view"]["legal"]
        by[seat].perform(choose(legal, rng))
        acted.add(seat)
    raise AssertionError("the deal does not end")


def test_37_four_friends_play_a_deal_together_and_talk(visit: Callable[..., Visit], patient: House) -> None:
    """37. By link and code, in four languages: seats, talk, a deal to its end on four pages, another match, its end."""
    ana = visit("D", name="Ana", at=patient)
    bia = visit("P", name="Bia", language="pt-BR", at=patient)
    carlo = visit("P", name="Carlo", language="it", at=patient)
    dora = visit("D", name="Dora", language="ru", at=patient)
    friends = (ana, bia, carlo, dora)
    by = [Player(friend, "touch" if friend in (bia, carlo) else "mouse") for friend in friends]
    _sit_down(friends)
    _talk(ana, bia, carlo, dora)
    for friend in friends:
        _close(friend)
    assert _play_to_the_end(friends, by, seed=11) == {0, 1, 2, 3}
    totals = ana.snapshot()["table"]["result"]["totals"]
    for seat, friend in enumerate(friends):
        result = friend.page.locator("[data-stage=result]")
        result.wait_for()
        own = seat % 2
        shown = result.locator(".totals [data-total]").evaluate_all("all => all.map(one => Number(one.dataset.total))")
        assert shown == [totals[own], totals[1 - own]], "the own side stands first"
    _rematch(friends)
    _resign_together(ana, carlo, (bia, dora))


def _talk(ana: Visit, bia: Visit, carlo: Visit, dora: Visit) -> None:
    """37. Text is text, told politely; phrases come in the reader's language; whom one muted one does not hear."""
    _say(ana, "<b>bold</b> & <img src=x>")
    _chat(ana).locator("[data-phrase=well_played]").click()
    for friend, words in ((bia, "Boa jogada!"), (carlo, None), (dora, None), (ana, None)):
        lines = _chat(friend).locator("[data-chat]")
        expect(lines).to_have_count(2)
        expect(lines.first.locator(".said")).to_have_text("<b>bold</b> & <img src=x>")
        assert lines.locator(".said b, .said img").count() == 0
        if words is not None:
            expect(lines.last.locator(".said")).to_have_text(words)
    said = [
        _chat(friend).locator("[data-chat]").last.locator(".said").inner_text() for friend in (ana, bia, carlo, dora)
    ]
    assert len(set(said)) == 4, said
    expect(bia.page.locator("[data-live=polite]")).to_contain_text("<b>bold</b>")
    chat = _chat(dora)
    chat.locator("summary").click()
    chat.locator("details li", has_text="Ana").get_by_role("button").click()
    expect(chat.locator("[data-chat]")).to_have_count(0)
    _say(ana, "Can you hear me?")
    _say(bia, "I can")
    expect(chat.locator("[data-chat]")).to_have_count(1)
    expect(chat.locator("[data-chat] .said")).to_have_text("I can")
    expect(dora.page.locator("[data-live=polite]")).to_contain_text("I can")
    expect(dora.page.locator("[data-live=polite]")).not_to_contain_text("hear me")
    expect(_chat(carlo).locator("[data-chat]")).to_have_count(4)


def _rematch(friends: Sequence[Visit]) -> None:
    """All agree to another match, which begins."""
    for friend in friends:
        friend.page.locator("[data-stage=result] [data-action=rematch]").click()
    for friend in friends:
        friend.hand().first.wait_for()
    assert friends[0].snapshot()["table"]["match"] == 2


def _resign_together(first: Visit, partner: Visit, others: Sequence[Visit]) -> None:
    """One gives up, the partner agrees: their side has lost."""
    _confirm(_match_sheet(first), "resign")
    offer = partner.page.locator("[data-offer=resign]")
    offer.locator("[data-action=agree]").click()
    offer.locator("[data-action=agree]").click()
    for one in others:
        assert one.page.locator("[data-offer=resign]").count() == 0, "it is a matter of the side"
    for one in (first, partner):
        expect(one.page.locator("[data-stage=result] header.won")).to_have_count(0)
    for one in (first, partner, *others):
        _close(one)
        one.page.locator("[data-stage=result]").wait_for()
    for one in others:
        expect(one.page.locator("[data-stage=result] header.won")).to_have_count(1)


def test_two_agree_on_a_draw(visit: Callable[..., Visit]) -> None:
    """A draw is offered from the menu and taken in the bar, after being told what it does."""
    ana, ben = visit("D", name="Ana"), visit("P", name="Ben")
    Company(ana, ben, rules="burraco")
    _confirm(_match_sheet(ana), "draw")
    offer = ben.page.locator("[data-offer=draw]")
    expect(offer).to_contain_text("Ana")
    offer.locator("[data-action=agree]").click()
    assert ana.snapshot()["table"]["phase"] == "playing", "the last word is asked for twice"
    offer.locator("[data-action=agree]").click()
    _close(ana)
    for one in (ana, ben):
        expect(one.page.locator("[data-stage=result] header.drawn")).to_have_count(1)


def test_a_bot_plays_for_who_is_away_or_left_until_they_are_back(visit: Callable[..., Visit], patient: House) -> None:
    """Everybody sees who is away and that a bot plays; whoever comes back plays on; who left takes the seat back."""
    ana, ben = visit("D", name="Ana", at=patient), visit("P", name="Ben", at=patient)
    Company(ana, ben, rules="burraco", deal_count=20)
    seat = ana.page.locator(".seats [data-seat='1']")
    expect(seat).to_have_attribute("data-presence", "here")
    ben.page.goto("about:blank")
    expect(seat).to_have_attribute("data-presence", "away")
    expect(seat.locator(".stand-in")).to_have_count(1)
    ben.open()
    expect(seat).to_have_attribute("data-presence", "here")
    expect(seat.locator(".stand-in")).to_have_count(0)
    ben.hand().first.wait_for()
    _confirm(_match_sheet(ben), "leave")
    expect(seat.locator(".stand-in")).to_have_count(1)
    _close(ben)
    back = ben.page.locator("[data-panel=take-back] [data-action=take_back]").first
    expect(ben.page.locator(".act[data-action=draw], .act[data-action=discard]")).to_have_count(0)
    back.click()
    expect(ben.page.locator("[data-panel=take-back]")).to_have_count(0)
    expect(seat.locator(".stand-in")).to_have_count(0)
    assert ben.snapshot()["table"]["seats"][1]["played_by_bot"] == ""


#: The faces that a page shows, wherever it names a card.
_SHOWN: Final = "() => [...document.querySelectorAll('[data-card]')].map(one => one.dataset.card)"
_FACE: Final = re.compile(r'"((?:[A2-9TJQK][shcd])|X)(?:=[^"]*)?"')


def _public(company: Company) -> set[str]:
    """The faces that lie open now."""
    view: Any = company.snapshot()["view"]
    faces = {entry["card"] for entry in (view["pile"][-1:] if view["pile_closed"] else view["pile"])}
    return faces | {card for melds in view["melds"] for meld in melds for card in meld["cards"]}


@pytest.mark.parametrize("rules", ["aberto-104", "fechado"])
def test_35_a_spectator_sees_no_hidden_card(visit: Callable[..., Visit], rules: str) -> None:
    """35. No face that never lay open is in the spectator's page or in any frame of their socket."""
    ana, ben, watcher = visit("D", name="Ana"), visit("P", name="Ben"), visit("D", name="Wanda")
    company = Company(ana, ben, rules=rules)
    frames: list[str] = []
    watcher.page.on("websocket", lambda socket: socket.on("framereceived", lambda frame: frames.append(str(frame))))
    watcher.code = company.code
    watcher.open()
    watcher.page.locator("[data-zone=stock]").wait_for()
    public, shown = _public(company), _faces(watcher.page)
    rng = random.Random(4)
    for _ in range(8):
        assert company.hasty_turn(rng, after=lambda: public.update(_public(company)))
        shown |= _faces(watcher.page)
    Player(watcher).shown(company.snapshot()["version"])
    shown |= _faces(watcher.page)
    expect(watcher.zone("hand")).to_have_count(0)
    told = {face for frame in frames for face in _FACE.findall(frame)}
    hidden = {card for one in (ana, ben) for hand in one.snapshot()["view"]["hands"] for card in hand or ()} - public
    assert len(frames) > 16
    assert hidden
    assert shown, "what lies open is shown"
    assert shown <= public
    assert told <= public
    for private in ("hand_dealt", "card_drawn", "pile_rest_seen", "morto_seen"):
        assert not any(private in frame for frame in frames)


def _faces(page: Page) -> set[str]:
    return set(page.evaluate(_SHOWN))
