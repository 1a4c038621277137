"""Fast hands and late answers: what is done while something else is still on its way, and answers in another order."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from playwright.sync_api import Page, Route, expect

from tests.e2e.hands import Line, Player
from tests.e2e.scenes import middle, open_sheet
from tests.e2e.views import Visit, until

#: Resolves once the page has drawn what it did until now.
_DRAWN = "new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => done(null))))"


class _Held:
    """The first request of an address, kept back until it may go."""

    def __init__(self, page: Page, address: str) -> None:
        self._page = page
        self._address = re.compile(address)
        self._routes: list[Route] = []
        page.route(self._address, self._asked)

    def _asked(self, route: Route) -> None:
        if self._routes:
            route.continue_()
        else:
            self._routes.append(route)

    def wait(self) -> None:
        """Wait until it is asked for."""
        until(self._page, lambda: bool(self._routes), f"{self._address.pattern} is not asked for")

    def release(self) -> None:
        """Let it go, and wait until the page has shown what it makes of the answer."""
        with self._page.expect_response(self._address) as answer:
            self._routes[0].continue_()
        answer.value.finished()
        self._page.evaluate(_DRAWN)


def _release(line: Line, page: Page) -> None:
    """Let a held message of the socket go, and wait until the page has shown what it makes of the reply."""
    name = line.held(page)["id"]
    line.release()
    until(page, lambda: any(frame.get("id") == name for frame in line.heard), "there is no reply")
    page.evaluate(_DRAWN)


def _at_table(visit: Callable[..., Visit]) -> tuple[Visit, Line]:
    guest = visit("D")
    line = Line(guest.page)
    guest.stage(middle())
    return guest, line


def test_a_sheet_that_was_opened_meanwhile_stays_when_the_answer_to_another_comes(visit: Callable[..., Visit]) -> None:
    guest, line = _at_table(visit)
    page = guest.page
    open_sheet(page, "match")
    page.locator("[data-confirm=leave] button").click()
    line.hold("leave")
    page.locator("[data-confirm=leave] button").last.click()
    line.held(page)
    page.keyboard.press("Escape")
    open_sheet(page, "score")
    _release(line, page)
    expect(page.locator("dialog[open] [data-panel=score]")).to_be_visible()


def test_the_focus_stays_where_the_player_put_it_while_a_line_of_chat_was_on_its_way(
    visit: Callable[..., Visit],
) -> None:
    guest, line = _at_table(visit)
    page = guest.page
    page.locator("[data-tab=chat]").click()
    field = page.locator("[data-panel=chat] form input")
    field.fill("One moment")
    line.hold("chat")
    page.locator("[data-panel=chat] form button[type=submit]").click()
    expect(field).to_be_focused()
    line.held(page)
    card = guest.hand().nth(2)
    card.focus()
    _release(line, page)
    expect(field).to_have_value("")
    expect(card).to_be_focused()


def test_house_rules_begin_from_the_rule_set_that_was_chosen_last(visit: Callable[..., Visit]) -> None:
    guest = visit("D")
    page = guest.page
    guest.open("/house#aberto")
    page.locator("[data-state=good][data-of=aberto]").wait_for()
    base = page.locator("select.input").first
    held = _Held(page, r"/api/rule-sets/fechado\b")
    base.select_option("fechado")
    held.wait()
    base.select_option("burraco")
    page.locator("[data-state=good][data-of=burraco]").wait_for()
    held.release()
    expect(base).to_have_value("burraco")
    expect(page).to_have_url(re.compile("#burraco$"))


def test_house_rules_are_judged_as_they_were_written_last(visit: Callable[..., Visit]) -> None:
    guest = visit("D")
    page = guest.page
    guest.open("/create")
    page.get_by_label("Rules", exact=True).select_option("")
    rules, report = page.locator("textarea"), page.locator("form [role=status]")
    held = _Held(page, r"/api/rules/check\b")
    rules.fill('base = "aberto"\n[fields]\nhand_size = 90\n')
    page.get_by_role("button", name="Check", exact=True).click()
    held.wait()
    rules.fill('base = "aberto"\n[fields]\nhand_size = 9\n')
    held.release()
    expect(report.locator(".reasons")).to_have_count(0)
    page.get_by_role("button", name="Check", exact=True).click()
    expect(report.locator(".good")).to_be_visible()


def test_a_question_about_another_bot_stays_when_the_answer_about_the_first_comes(visit: Callable[..., Visit]) -> None:
    guest = visit("D")
    page = guest.page
    guest.post("/api/accounts", {"login": "two-bots", "password": "a long password"})
    for name in ("Robinho", "Zico"):
        guest.post("/api/me/bots", {"name": name})
    guest.open("/account")

    def ask(bot: str, button: str) -> None:
        page.locator(f"[data-bot={bot}]").get_by_role("button", name=re.compile(f"^{button}")).click()
        expect(page.locator("dialog[open] h2")).to_contain_text(bot)

    held = _Held(page, r"/api/me/bots/[^/]+/token\b")
    ask("Robinho", "New token")
    page.locator("dialog[open] footer button").last.click()
    held.wait()
    page.keyboard.press("Escape")
    ask("Zico", "Delete")
    held.release()
    expect(page.locator(".toasts p")).to_contain_text("Robinho")
    expect(page.locator("dialog[open] h2")).to_contain_text("Zico")


#: How many cards of the hand and piles that may be pressed lie under messages.
_CARDS_UNDER_MESSAGES = """() => {
    const over = [...document.querySelectorAll('.toasts p')].map(one => one.getBoundingClientRect());
    return [...document.querySelectorAll('[data-zone=hand] [data-card], [data-zone=stock], [data-zone=pile]')]
        .map(one => one.getBoundingClientRect())
        .filter(card => over.some(one => one.left < card.right && card.left < one.right
            && one.top < card.bottom && card.top < one.bottom)).length;
}"""
_KEPT = "JSON.parse(localStorage.getItem('buraco.settings')).language"


def test_the_language_that_was_chosen_last_is_kept(visit: Callable[..., Visit]) -> None:
    guest = visit("D")
    page = guest.page
    guest.open("/settings")
    choice = page.locator("select.input").first
    held = _Held(page, r"/assets/ru-[\w-]+\.js$")
    choice.select_option("ru")
    held.wait()
    choice.select_option("it")
    expect(page.locator("html")).to_have_attribute("lang", "it")
    held.release()
    assert page.evaluate(_KEPT) == "it"
    expect(page.locator("html")).to_have_attribute("lang", "it")


def ask_for_words_that_do_not_come(visit: Callable[..., Visit]) -> Page:
    """Choose a language in the menu of a table whose words never arrive; return the page, the menu still open."""
    guest = visit("P", expected=("ERR_FAILED", "Failed to fetch dynamically"))
    guest.stage(middle())
    guest.page.route(re.compile(r"/assets/ru-[\w-]+\.js$"), lambda route: route.abort())
    guest.page.locator("[data-action=menu]").click()
    guest.page.locator("dialog[open] select").select_option("ru")
    return guest.page


def test_a_language_that_does_not_come_is_said_at_the_table_too(visit: Callable[..., Visit]) -> None:
    page = ask_for_words_that_do_not_come(visit)
    expect(page.locator(".toasts .error")).to_be_visible()
    expect(page.locator("dialog[open] select")).to_have_value("en")
    assert page.evaluate(_KEPT) == "en"
    page.locator(".toasts .error button").click()
    expect(page.locator(".toasts p")).to_have_count(0)
    expect(page.locator("dialog[open]")).to_be_visible()


def test_a_message_moves_with_the_dialog_it_came_over_and_is_read_out_once(visit: Callable[..., Visit]) -> None:
    """What lies under a dialog is neither seen well, nor pressed, nor read out."""
    page = ask_for_words_that_do_not_come(visit)
    expect(page.locator("dialog[open] [role=status] .error")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.locator("dialog[open]")).to_have_count(0)
    expect(page.locator(".toasts .error")).to_be_visible()
    expect(page.locator("[role=status] .error")).to_have_count(0)
    assert page.evaluate(_CARDS_UNDER_MESSAGES) == 0


def test_a_tap_beside_a_question_closes_it_and_presses_nothing_under_it(visit: Callable[..., Visit]) -> None:
    guest = visit("P", settings={"confirmDiscards": True})
    player = Player(guest, "touch")
    guest.stage(middle())
    page = guest.page
    player.select("Kh")
    box: Any = guest.zone("pile").bounding_box()
    player.press(guest.zone("pile"))
    page.locator("dialog[open] [data-question]").wait_for()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    assert page.evaluate("([x, y]) => document.elementFromPoint(x, y).matches('dialog')", [x, y]), "it is the shade"
    page.touchscreen.tap(x, y)
    # A card can be tapped only where nothing lies over the table.
    player.select("Qh")
    expect(page.locator("dialog[open]")).to_have_count(0)
    assert player.commands() == []
