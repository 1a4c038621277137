"""My games, bot accounts, and matches of others: the pages about what was played and what is being played."""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any, Final

from playwright.sync_api import Page, expect

from buraco.cards import card_text
from buraco.notation import parse_record
from buraco.server.entries import Dealt, Logged
from buraco.server.schema import result_seat_table, result_table
from tests.e2e.axe import violations
from tests.e2e.company import Company, Teller
from tests.e2e.hands import Player
from tests.e2e.house import House
from tests.e2e.measures import OVERFLOW
from tests.e2e.scenes import at_finished
from tests.e2e.views import Visit

_MORE: Final = 24
"""Copies of a finished match: with the first it is more than a page of the history shows."""
_TWINS: Final = range(17, 23)
"""Those that ended in the same moment, over the edge of the first page."""


def _copies(house: House, table: str) -> None:
    """Write earlier matches like the first of a table, lost instead of won."""

    async def write() -> None:
        assert house._serving is not None, "it runs"
        async with house._serving.parts.service.store.engine.begin() as connection:
            for kept in (result_table, result_seat_table):
                rows = (await connection.execute(kept.select().where(kept.c.table_id == table))).all()
                for number in range(1, _MORE + 1):
                    for row in rows:
                        changed: dict[str, Any] = {**row._mapping, "match": 1 + number}
                        if "ended_ms" in changed:
                            moment = _TWINS[0] if number in _TWINS else number
                            changed |= {"ended_ms": changed["ended_ms"] - 1000 * moment, "winner": 1}
                        await connection.execute(kept.insert().values(changed))

    house.do(write())


def test_my_games_show_results_by_rules_records_and_older_matches(visit: Callable[..., Visit]) -> None:
    """What was played, its record, what may be gone on with; each finished match once, page after page."""
    guest = visit("P", guest=False)
    page = guest.page
    guest.open("/games")
    expect(page.locator("main a[href='/account']")).to_be_visible()
    guest.post("/api/guests", {"name": "Ana"})
    at_finished(guest)
    finished = guest.snapshot()["table"]
    running = guest.play_now(rules="burraco", players=2)
    _copies(guest.house, finished["table"])
    guest.open("/")
    page.get_by_role("link", name="My games").click()
    row = page.locator("[data-tally=aberto]")
    expect(row.locator("td").first).to_have_text(str(1 + _MORE))
    expect(row.locator("td").nth(1)).to_have_text("1 4 %")
    own, others = finished["result"]["totals"]
    expect(row.locator("td").last).to_have_text(f"{own * (1 + _MORE):,} {(own - others) * (1 + _MORE):+,}")
    matches = page.locator("[data-match]")
    expect(matches).to_have_count(20)
    expect(matches.first).to_have_attribute("data-result", "won")
    expect(matches.nth(1)).to_have_attribute("data-result", "lost")
    expect(matches.first).to_contain_text(re.compile(r"You and a bot \(\w+\) against 2 bots"))
    expect(matches.first.locator(".score")).to_have_text(re.compile(rf"{own:,}\s*:\s*{others:,}"))
    with page.expect_download() as waiting:
        matches.first.get_by_role("link", name=re.compile("^Record")).click()
    record = parse_record(waiting.value.path().read_text(encoding="utf-8"))
    assert record.seats[0].name == "Ana"
    again = matches.first.get_by_role("link", name=re.compile("^Replay"))
    expect(again).to_have_attribute("href", f"/replay/{finished['table']}/1")
    page.get_by_role("button", name="Older matches").click()
    expect(matches).to_have_count(1 + _MORE)
    expect(matches.nth(20).locator("a").first).to_be_focused()
    numbers = matches.evaluate_all("all => all.map(one => one.dataset.match.split('/')[1])")
    assert sorted(map(int, numbers)) == list(range(1, 2 + _MORE))
    expect(page.get_by_role("button", name="Older matches")).to_have_count(0)
    page.get_by_role("link", name=re.compile("^Continue")).click()
    expect(page).to_have_url(re.compile(f"/t/{running}$"))


def _sign_up(guest: Visit, login: str) -> None:
    guest.post("/api/accounts", {"login": login, "password": "a long password"})


def _who(guest: Visit, token: str) -> int:
    """Return with which status the server answers a program with a token."""
    # Without the cookies of the visitor, who is somebody too.
    found = guest.page.evaluate(
        "async token => (await fetch('/api/me', { credentials: 'omit',"
        " headers: { Authorization: `Bearer ${token}` } })).status",
        token,
    )
    return int(found)


def _confirm(page: Page, button: str) -> None:
    page.locator("[data-bot=Robinho]").get_by_role("button", name=re.compile(f"^{button}")).click()
    page.locator("dialog[open] footer button").last.click()
    expect(page.locator("dialog[open]")).to_have_count(0)


def test_bot_accounts_from_their_making_to_their_end(visit: Callable[..., Visit]) -> None:
    """A token is shown once and lets a program in; a new one ends it, and so does its owner."""
    guest = visit("D", expected=("401",))
    page = guest.page
    guest.open("/account")
    expect(page.get_by_label("Name of the bot")).to_have_count(0)
    _sign_up(guest, "bot-owner")
    page.reload()
    page.get_by_label("Name of the bot").fill("Robinho")
    page.get_by_role("button", name="Make a bot account").click()
    first = page.locator("output").inner_text()
    assert _who(guest, first) == 200
    # The example for a program is wider than a phone: it alone scrolls.
    page.get_by_text("How a program plays with it").click()
    page.set_viewport_size({"width": 390, "height": 844})
    assert page.evaluate(OVERFLOW)[0] == 0
    page.get_by_role("button", name="I have kept it").click()
    expect(page.locator("output")).to_have_count(0)
    _confirm(page, "New token")
    second = page.locator("output").inner_text()
    assert second != first
    assert (_who(guest, first), _who(guest, second)) == (401, 200)
    page.reload()
    page.locator("[data-bot=Robinho]").wait_for()
    expect(page.locator("main")).not_to_contain_text(second)
    _confirm(page, "End the token")
    expect(page.locator("[data-bot=Robinho]")).to_contain_text("no token")
    assert _who(guest, second) == 401
    _confirm(page, "Delete")
    expect(page.locator("[data-bot]")).to_have_count(0)
    for number in range(5):
        guest.post("/api/me/bots", {"name": f"Bot {number}"})
    page.reload()
    expect(page.locator("[data-bot]")).to_have_count(5)
    expect(page.get_by_label("Name of the bot")).to_have_count(0)


def test_who_was_signed_out_elsewhere_signs_in_again(visit: Callable[..., Visit]) -> None:
    """An action on a page whose token ended meanwhile leads to the form; the password may be looked at."""
    guest = visit("P", expected=("401",))
    _sign_up(guest, "two-devices")
    page = guest.page
    guest.open("/account")
    page.get_by_role("button", name="Export my data").wait_for()
    other = visit("D", guest=False)
    other.post("/api/accounts/login", {"login": "two-devices", "password": "a long password"})
    other.post("/api/me/logout-everywhere")
    page.get_by_role("button", name="Export my data").click()
    expect(page.get_by_role("radio", name="Sign in")).to_be_visible()
    page.locator("input[autocomplete=username]").fill("two-devices")
    password = page.get_by_label("Password", exact=True)
    password.fill("a long password")
    page.get_by_role("button", name="Show the password").click()
    expect(password).to_have_attribute("type", "text")
    password.press("Enter")
    expect(page.locator("main")).to_contain_text("Signed in as two-devices")


def _faces(page: Page) -> set[str]:
    return set(page.evaluate("() => [...document.querySelectorAll('[data-card]')].map(one => one.dataset.card)"))


def test_a_match_of_others_is_found_and_watched_with_hands_as_backs_and_talk_apart(visit: Callable[..., Visit]) -> None:
    """From the page of matches to the table: no card of a hand is there, and what spectators say no player is told."""
    ana, ben = visit("D", name="Ana"), visit("P", name="Ben")
    company = Company(ana, ben, rules="burraco", public=True, spectator_chat=True)
    wanda, hugo = visit("P", name="Wanda"), visit("D", name="Hugo")
    wanda.open("/watch")
    row = wanda.page.locator(f'li:has(a[href="/t/{company.code}"])')
    expect(row).to_contain_text("shown at once")
    row.get_by_role("link", name=re.compile("^Watch")).click()
    hands = wanda.page.locator("[data-hand]")
    expect(hands).to_have_count(2)
    counts = company.snapshot()["view"]["hand_counts"]
    for seat, count in enumerate(counts):
        expect(hands.nth(seat).locator(".card.back")).to_have_count(count)
    hugo.code = company.code
    hugo.open()
    expect(hugo.page.locator("[data-hand]")).to_have_count(2)
    assert company.hasty_turn(random.Random(4))
    view = company.snapshot()["view"]
    for seat, count in enumerate(view["hand_counts"]):
        expect(hands.nth(seat).locator(".card.back")).to_have_count(count)
    Player(wanda).shown(company.snapshot()["version"])
    public = {one["card"] for one in view["pile"]} | {
        card for melds in view["melds"] for meld in melds for card in meld["cards"]
    }
    assert _faces(wanda.page) <= public
    expect(wanda.page.locator("[data-later]")).to_have_count(0)
    hugo.page.locator("[data-tab=chat]").click()
    expect(hugo.page.locator("[data-apart]")).to_be_visible()
    hugo.page.get_by_label("Message", exact=True).fill("Ben has the jokers")
    hugo.page.keyboard.press("Enter")
    wanda.page.locator("[data-action=chat]").click()
    expect(wanda.page.locator("[data-panel=chat]")).to_contain_text("Ben has the jokers")
    Teller(ben).tell("chat", text="hello all")
    ana.page.locator("[data-tab=chat]").click()
    expect(ana.page.locator("[data-panel=chat]")).to_contain_text("hello all")
    expect(ana.page.locator("[data-panel=chat]")).not_to_contain_text("jokers")
    assert "jokers" not in str(ana.snapshot()["chat"])


def test_a_table_that_shows_itself_later_says_so(visit: Callable[..., Visit]) -> None:
    """In the list and at the table, in every phase; nothing of the deal is there before its time."""
    ana, ben, wanda = visit("D", name="Ana"), visit("D", name="Ben"), visit("P", name="Wanda")
    company = Company(ana, ben, rules="burraco", public=True, spectator_delay_ms=600_000)
    wanda.open("/watch")
    row = wanda.page.locator(f'li:has(a[href="/t/{company.code}"])')
    expect(row).to_contain_text("shown 10 min later")
    row.get_by_role("link", name=re.compile("^Watch")).click()
    expect(wanda.page.locator("[data-later]")).to_contain_text("10 min later")
    expect(wanda.page.locator(".wait")).to_contain_text("10 min later")
    title = wanda.page.locator("h1")
    expect(title).to_have_text(re.compile(r"^Burraco \(Italian\)"))
    assert title.evaluate("one => one.scrollWidth <= one.clientWidth"), "the title is whole on a phone"
    assert company.hasty_turn(random.Random(4))
    assert _faces(wanda.page) == set()
    expect(ana.page.locator("[data-later]")).to_have_count(0)


#: A deal of few turns.
_SHORT: Final = """
base = "aberto-104"
name = "short"
[fields]
turn_cap = 2
stalemate = "turn_cap"
deal_count = 1
target_points = 0
"""


def test_whoever_saw_a_match_later_is_led_to_its_last_deal(visit: Callable[..., Visit]) -> None:
    """When the match ends they see the end at once, and what they had not seen yet move by move where they like."""
    ana, ben, wanda = visit("D", name="Ana"), visit("D", name="Ben"), visit("P", name="Wanda")
    company = Company(ana, ben, rules_toml=_SHORT, public=True, spectator_delay_ms=600_000)
    wanda.code = company.code
    wanda.open()
    expect(wanda.page.locator("[data-later]")).to_contain_text("10 min later")
    rng = random.Random(3)
    while company.hasty_turn(rng):
        pass
    last = wanda.page.locator("[data-action=last-deal]")
    expect(last).to_be_visible()
    expect(ana.page.locator("[data-stage=result]")).to_be_visible()
    expect(ana.page.locator("[data-action=last-deal]")).to_have_count(0)
    assert re.search(r"/replay/[^/]+/1\?deal=1&move=0$", last.get_attribute("href") or "")


def _tell_late(company: Company, count: int) -> None:
    """Have those who watch later be told the next changes of the table, as when their time has come."""

    table = company.house.table(company.code)

    async def tell() -> None:
        delayed = table._audience.delayed
        assert delayed is not None, "they see it later"
        for _ in range(count):
            delayed._tell(delayed._late.popleft().told)

    company.house.do(tell())


def test_open_hands_are_announced_before_and_shown_when_their_time_has_come(
    visit: Callable[..., Visit], patient: House, pictures: Path
) -> None:
    """In the list, in the waiting room and at the table it is said; whoever watches sees each hand on the board, in
    the text and in the log, and no card of a hand before."""
    ana, ben = visit("D", name="Ana", at=patient), visit("D", name="Ben", at=patient)
    wanda, hugo = (visit(size, name="Wanda", at=patient, bypass_csp=True) for size in "PD")
    options = {"rules": "burraco", "public": True, "open_hands": True, "spectator_delay_ms": 300_000}
    made = wanda.post("/api/tables", {"options": {"players": 2, **options}, "seat": None})
    wanda.code = str(made["code"])
    wanda.open("/")
    expect(wanda.page.locator(f'li:has(a[href="/t/{wanda.code}"]) [data-open-hands]').first).to_contain_text("5 min")
    wanda.open()
    expect(wanda.page.locator("[data-panel=room] [data-open-hands]")).to_contain_text("Open hands")
    company = Company(ana, ben, **options)
    expect(ana.page.locator("header [data-open-hands]")).to_contain_text("hands open")
    for one in (wanda, hugo):
        one.code = company.code
        one.open("/watch")
        row = one.page.locator(f'li:has(a[href="/t/{company.code}"])')
        expect(row.locator("[data-open-hands]")).to_contain_text("Open hands")
        row.get_by_role("link", name=re.compile("^Watch")).click()
        expect(one.page.locator("[data-later]")).to_contain_text("5 min later")
    host = company.house.table(company.code).fold.host
    assert host is not None, "a deal is on"
    hands = host.position().hands
    rng = random.Random(4)
    for _ in range(3):
        assert company.hasty_turn(rng)
    assert _faces(wanda.page) == set()
    delayed = company.house.table(company.code)._audience.delayed
    assert delayed is not None, "they see it later"
    begun = next(
        index
        for index, late in enumerate(delayed._late)
        if isinstance(late.told, Logged) and isinstance(late.told.entry, Dealt)
    )
    _tell_late(company, begun + 1)
    for one in (wanda, hugo):
        for seat, cards in enumerate(hands):
            shown = one.page.locator(f"[data-open] [data-hand='{seat}'] [data-card]")
            expect(shown).to_have_count(len(cards or ()))
            faces = shown.evaluate_all("all => all.map(one => one.dataset.card)")
            assert sorted(faces) == sorted(card_text(card) for card in cards or ())
            lefts = shown.evaluate_all("all => all.map(one => Math.round(one.getBoundingClientRect().left))")
            assert all(b - a >= 14 for a, b in pairwise(lefts) if b > a), "every index can be read"
        expect(one.page.locator("[data-open] section").first).to_have_attribute("aria-label", re.compile("11 cards"))
        assert one.page.evaluate(OVERFLOW)[0] == 0
        assert violations(one.page) == []
        one.page.screenshot(path=pictures / f"open-hands-{one.page.viewport_size['width']}.png")  # type: ignore[index]
    hugo.page.locator("[data-tab=log]").click()
    expect(hugo.page.locator("[data-panel=log]")).to_contain_text("Ben is dealt")
    wanda.page.evaluate(
        "() => localStorage.setItem('buraco.settings',"
        " JSON.stringify({...JSON.parse(localStorage.getItem('buraco.settings')), textTable: true}))"
    )
    wanda.page.reload()
    expect(wanda.page.locator("[data-panel=text] [data-open-hands]")).to_contain_text("Open hands")
    expect(wanda.page.locator("[data-panel=text] [data-hand]")).to_have_count(2)
    assert violations(wanda.page) == []
