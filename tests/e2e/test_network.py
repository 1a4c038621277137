"""Lost connections, in mid-turn: nothing is lost, nothing is done twice, no reload is needed (criterion 30)."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from typing import Any, Final

import pytest
from playwright.sync_api import Page, WebSocketRoute, expect

from buraco.texts import text
from tests.e2e.hands import Line, Player
from tests.e2e.house import House
from tests.e2e.tables import full_table
from tests.e2e.views import Visit, until
from tests.rules.positions import position_of

#: What a browser says on its console of a connection that is not there.
_LOST: Final = ("WebSocket connection to", "ERR_CONNECTION_REFUSED", "ERR_INTERNET_DISCONNECTED")
_POSITION: Final = position_of("aberto", "3s 4s 5s 9h Kd Kc 7d")


def _sit(guest: Visit, line: Line) -> Player:
    """Sit down in the position by a line in the test's hand, on a page that must never be loaded again."""
    player = Player(guest, line=line)
    player.sit(_POSITION)
    guest.page.evaluate("window.kept = true")
    return player


def _banner(page: Page, line: str) -> None:
    """The banner is there within the time of a wait, says something, and no command can be given."""
    banner = page.locator(f".banner[data-line={line}]")
    expect(banner).to_be_visible()
    expect(banner).to_have_text(re.compile(r"\w+ \w+"))
    for one in page.locator(".act:not([data-action=sort], [data-action=move])").all():
        expect(one).to_be_disabled()


def _equals_snapshot(player: Player) -> None:
    """The table is open again, without a reload, and shows what the server shows."""
    page = player.page
    expect(player.table).to_have_attribute("data-line", "open")
    expect(page.locator(".banner")).to_have_count(0)
    assert page.evaluate("window.kept") is True, "the page was not loaded anew"
    snapshot = player.visit.snapshot()
    player.shown(snapshot["version"])
    view = snapshot["view"]
    assert sorted(player.faces()) == sorted(view["hands"][0])
    expect(player.visit.zone("stock")).to_have_attribute("data-count", str(view["stock_count"]))
    expect(player.visit.zone("pile")).to_have_attribute("data-count", str(view["pile_count"]))
    expect(page.locator("[data-zone^=meld-]")).to_have_count(len(view["melds"][0]))


def _finish_turn(player: Player) -> None:
    """The turn goes on where it was."""
    player.select("9h")
    player.page.keyboard.press("x")
    _turn_ended(player)


def _turn_ended(player: Player) -> None:
    """The own discard has come back from the server, once, and the game goes on."""
    until(player.page, lambda: _discard_count(player) > 0, "the discard is not told")
    # The bots may end the deal; else the turn comes round.
    player.my_turn()
    assert _discard_count(player) == 1


def _discard_count(player: Player) -> int:
    return sum(_is_own(event) for frame in player.heard for event in frame.get("events", ()))


def _is_own(event: dict[str, Any]) -> bool:
    return bool(event["event"] == "discarded" and event["seat"] == 0)


@pytest.mark.parametrize("when", ["before", "after"])
def test_30_a_command_whose_reply_is_lost_is_done_once(visit: Callable[..., Visit], when: str) -> None:
    """30. The socket closes with a command on its way, before or after the server has had it."""
    guest = visit("D", expected=_LOST)
    cutter = _Cutter(guest.page, when)
    player = _sit(guest, cutter)
    cutter.armed = True
    player.select("3s", "4s", "5s")
    guest.page.keyboard.press("m")
    _equals_meld(player)
    _equals_snapshot(player)
    until(guest.page, lambda: len(cutter.acts()) >= 2, "it is not sent again")
    acts = cutter.acts()
    assert len(acts) == 2, "it was sent again, once"
    assert len({frame["id"] for frame in acts}) == 1, "as the same message"
    assert len(cutter.opened) == 2
    until(guest.page, lambda: guest.snapshot()["view"]["can_undo"] > 0, "it is not done")
    assert guest.snapshot()["view"]["can_undo"] == 1, "it was done once"
    _finish_turn(player)


def _equals_meld(player: Player) -> None:
    expect(player.visit.hand()).to_have_count(4)
    expect(player.visit.zone("meld-1").locator("[data-key]")).to_have_count(3)
    expect(player.button("undo")).to_be_enabled()


class _Cutter(Line):
    """A line that closes on the first action, before it reaches the server or with the reply to it."""

    def __init__(self, page: Page, when: str) -> None:
        self.armed = False
        self.opened: list[str] = []
        self._when = when
        self._dead: WebSocketRoute | None = None
        super().__init__(page)

    def acts(self) -> list[dict[str, Any]]:
        """The actions that the page has sent."""
        return [frame for frame in self.sent if frame["type"] == "act"]

    def _opened(self, route: WebSocketRoute) -> None:
        self.opened.append(route.url)
        server = route.connect_to_server()

        def said(message: str | bytes) -> None:
            frame = json.loads(message)
            self.sent.append(frame)
            if self.armed and frame["type"] == "act" and self._when == "before":
                self.armed = False
                route.close(code=3000)
                server.close()
            else:
                server.send(message)

        def told(message: str | bytes) -> None:
            frame = json.loads(message)
            if self.armed and frame["type"] == "ack" and self.sent[-1]["type"] == "act":
                self.armed = False
                self._dead = route
                route.close(code=3000)
                server.close()
            elif self._dead is not route:
                self.heard.append(frame)
                route.send(message)

        route.on_message(said)
        server.on_message(told)


def test_30_a_closed_socket_shows_the_banner_and_comes_back(visit: Callable[..., Visit]) -> None:
    """30. Banner, disabled commands, selecting goes on; then the picture of the server again, the selection kept."""
    guest = visit("P", expected=_LOST)
    line = _Gate(guest.page)
    player = _sit(guest, line)
    player.select("9h")
    line.shut()
    _banner(guest.page, "lost")
    player.select("7d")
    assert player.commands() == []
    line.admit = True
    guest.page.locator(".banner [data-action=retry]").click()
    _equals_snapshot(player)
    assert sorted(player.chosen()) == ["7d", "9h"]
    player.toggle(player.card("7d"))
    player.page.keyboard.press("x")
    _turn_ended(player)


class _Gate(Line):
    """A line that can be shut, and admits nobody until it may."""

    def __init__(self, page: Page) -> None:
        self.admit = True
        self.tries = 0
        super().__init__(page)

    def _opened(self, route: WebSocketRoute) -> None:
        self.tries += 1
        if self.admit:
            super()._opened(route)
        else:
            route.close(code=3000)

    def shut(self) -> None:
        """Close the line, and keep it closed."""
        self.admit = False
        self.cut()


def test_30_the_page_comes_back_by_itself_ever_more_slowly(visit: Callable[..., Visit]) -> None:
    """30. By the page's own clock: tries again by itself, and is back when the server is."""
    guest = visit("D", expected=_LOST)
    guest.page.clock.install()
    line = _Gate(guest.page)
    player = _sit(guest, line)
    line.shut()
    _banner(guest.page, "lost")
    tries = line.tries
    for _ in range(3):
        guest.page.clock.fast_forward(8_000)
        _banner(guest.page, "lost")
    until(guest.page, lambda: line.tries > tries, "it does not try again")
    line.admit = True
    guest.page.clock.fast_forward(8_000)
    _equals_snapshot(player)


def test_30_an_offline_page_comes_back_at_once_when_it_is_online(visit: Callable[..., Visit]) -> None:
    """30. The network goes without a word and comes back: the page has the line proved, and knocks when it may."""
    guest = visit("P", expected=_LOST)
    guest.page.clock.install()
    line = _Deaf(guest.page)
    player = _sit(guest, line)
    line.deaf = True
    guest.context.set_offline(True)
    expect(player.table).to_have_attribute("data-line", "open")
    guest.page.clock.fast_forward(4_000)
    _banner(guest.page, "lost")
    line.deaf = False
    guest.context.set_offline(False)
    _equals_snapshot(player)
    _finish_turn(player)


def test_30_a_page_that_slept_has_its_socket_proved(visit: Callable[..., Visit]) -> None:
    """30. Hidden for long, the socket dead without a word: shown again, the page asks, gives it up, and comes back."""
    guest = visit("D", expected=_LOST)
    guest.page.clock.install()
    line = _Deaf(guest.page)
    player = _sit(guest, line)
    line.deaf = True
    _show(guest.page, "hidden")
    guest.page.clock.fast_forward(3_600_000)
    guest.post(f"/api/tables/{guest.code}/messages", _chat(guest, "While you slept"))
    _show(guest.page, "visible")
    expect(player.table).to_have_attribute("data-line", "open")
    line.deaf = False
    guest.page.clock.fast_forward(4_000)
    _equals_snapshot(player)
    assert line.count == 2
    assert [line for line in player.heard if line["type"] == "update"], "what happened meanwhile was told"
    _finish_turn(player)


def _chat(guest: Visit, text: str) -> dict[str, Any]:
    return {"type": "chat", "id": "asleep", "version": guest.snapshot()["version"], "text": text}


class _Deaf(Line):
    """A line that can be dead without being closed."""

    def __init__(self, page: Page) -> None:
        self.deaf = False
        self.count = 0
        super().__init__(page)

    def _opened(self, route: WebSocketRoute) -> None:
        self.count += 1
        dead = self.count == 1
        server = route.connect_to_server()

        def said(message: str | bytes) -> None:
            if not (dead and self.deaf):
                self.sent.append(json.loads(message))
                server.send(message)

        def told(message: str | bytes) -> None:
            if not (dead and self.deaf):
                self.heard.append(json.loads(message))
                route.send(message)

        route.on_message(said)
        server.on_message(told)


def _show(page: Page, state: str) -> None:
    """Hide the page, or show it again, as far as the page can tell."""
    page.evaluate(
        """state => {
            Object.defineProperty(document, 'visibilityState', { configurable: true, get: () => state });
            document.dispatchEvent(new Event('visibilitychange'));
        }""",
        state,
    )


@pytest.fixture
def own_house(house: House) -> Iterator[House]:
    """The server of this worker, given back as it was: running."""
    yield house
    if not house.runs:
        house.start()


def test_30_a_server_that_stops_in_mid_turn_comes_back_with_the_turn(
    own_house: House, visit: Callable[..., Visit]
) -> None:
    """30. Stopped and started with the turn half done: the banner says so, then the turn goes on as it was."""
    guest = visit("D", expected=_LOST)
    player = Player(guest)
    guest.play_now(rules="aberto-104", players=2, deal_count=50, target_points=None)
    guest.open()
    guest.hand().first.wait_for()
    guest.page.evaluate("window.kept = true")
    assert player.my_turn()
    player.page.keyboard.press("d")
    first = player.page.locator(".act[data-action=discard], .act[data-action=keep]").first
    expect(first).to_be_visible()
    if guest.snapshot()["view"]["phase"] == "choice":
        player.page.keyboard.press("k")
        expect(player.button("discard")).to_be_visible()
    before = guest.snapshot()
    drawn = guest.page.locator("[data-zone=hand] [data-fresh]")
    expect(drawn).to_have_count(1)
    own_house.stop()
    _banner(guest.page, "lost")
    player.select(player.faces()[0])
    own_house.start()
    guest.page.locator(".banner [data-action=retry]").or_(guest.page.locator("[data-line=open]")).first.wait_for()
    _equals_snapshot(player)
    after = guest.snapshot()
    assert after["view"]["hands"] == before["view"]["hands"]
    assert after["view"]["turn_count"] == before["view"]["turn_count"]
    assert len(player.chosen()) == 1
    player.page.keyboard.press("x")
    expect(player.visit.hand()).to_have_count(len(before["view"]["hands"][0]) - 1)
    until(
        guest.page,
        lambda: guest.snapshot()["view"]["turn_count"] > before["view"]["turn_count"],
        "the discard that the page shows came to the server",
    )


@pytest.mark.parametrize(
    ("code", "words", "way"),
    [
        (1003, "do not understand", "[data-action=reload]"),
        (1007, "do not understand", "[data-action=reload]"),
        (1009, "do not understand", "[data-action=reload]"),
        (4000, "do not understand", "[data-action=reload]"),
        (4001, "not signed in", "a[href='/account']"),
        (4003, "may not be at this table", "a[href='/']"),
        (4004, "no such table", "a[href='/']"),
        (4028, "Too many tables", "[data-action=retry]"),
    ],
)
def test_30_a_close_for_good_says_why_and_shows_a_way_out(
    visit: Callable[..., Visit], code: int, words: str, way: str
) -> None:
    """30. The page does not knock again by itself, says what happened, and offers what helps."""
    guest = visit("P", expected=_LOST)
    guest.page.clock.install()
    line = _Closer(guest.page)
    guest.stage(full_table(14))
    line.close(code)
    banner = guest.page.locator(f".banner[data-line=ended][data-close-code='{code}']")
    expect(banner).to_contain_text(words)
    expect(banner.locator(way)).to_be_visible()
    expect(banner.locator("a[href='/']")).to_be_visible()
    expect(guest.page.locator(".act[data-action=discard]")).to_be_disabled()
    guest.page.clock.fast_forward(60_000)
    assert line.count == 1
    if way == "[data-action=retry]":
        banner.locator(way).click()
        expect(guest.page.locator("[data-version]")).to_have_attribute("data-line", "open")
        expect(banner).to_have_count(0)


class _Closer(Line):
    """A line that the server seems to close with a code."""

    def __init__(self, page: Page) -> None:
        self.count = 0
        super().__init__(page)

    def _opened(self, route: WebSocketRoute) -> None:
        self.count += 1
        super()._opened(route)

    def close(self, code: int) -> None:
        """Close with a code."""
        self._routes[-1].close(code=code)


def test_30_a_table_that_is_not_there_says_so(visit: Callable[..., Visit]) -> None:
    """30. An address of no table ends in words and a way home, not in an empty page."""
    guest = visit("P", expected=_LOST)
    guest.open("/t/ZZZZZZ")
    away = guest.page.locator("[data-no-table=ZZZZZZ]")
    expect(away).to_contain_text(text("web.no_table.text"))
    expect(guest.page.locator("h1")).to_have_text(text("web.no_table.title", code="ZZZZZZ"))
    away.locator("a[href='/']").click()
    expect(guest.page).to_have_url(re.compile(r"/$"))
