"""Someone who plays at the page's table, by mouse, by touch or by keyboard, and what their page sent and heard."""

from __future__ import annotations

import json
from collections import Counter
from typing import Any, Final, Literal

from playwright.sync_api import FloatRect, Locator, Page, WebSocket, WebSocketRoute, expect

from buraco.cards import card_text
from buraco.engine import Position, unpack
from buraco.notation import decode_action
from tests.e2e.views import WAIT_MS, Visit, shows_hand, until

__all__ = ["By", "Line", "Player", "key_of"]

By = Literal["mouse", "touch", "keyboard"]
#: Where a card is hit: near its index, which its neighbours leave free.
_CORNER: Final = {"x": 10, "y": 14}
_TABS_MAX: Final = 150
#: Resolves once the page shows a version of the table.
_SHOWN: Final = """least => new Promise((done, failed) => {
    const table = document.querySelector('[data-version]');
    const look = () => {
        if (Number(table.dataset.version) < least) return;
        watch.disconnect();
        clearTimeout(timer);
        done();
    };
    const watch = new MutationObserver(look);
    const timer = setTimeout(() => failed(new Error(`version ${least} is not shown`)), WAIT_MS);
    watch.observe(table, { attributes: true });
    look();
})""".replace("WAIT_MS", str(WAIT_MS))
#: Notes the next click, and says whether it has come: a browser makes one of a tap only some time after it.
_NOTE_CLICK: Final = """() => {
    window.clickCame = false;
    window.addEventListener('click', () => { window.clickCame = true; }, { capture: true, once: true });
}"""
_CLICK_CAME: Final = "() => window.clickCame"
_FOCUSED: Final = "selector => document.activeElement?.matches(selector) ?? false"
_INDEX: Final = (
    """() => [...document.querySelectorAll('[data-zone=hand] [data-key]')].indexOf(document.activeElement)"""
)
_FRAME: Final = "() => new Promise(done => requestAnimationFrame(() => done(null)))"
_MOVES: Final = {0: "draw", 1: "pile", 2: "keep", 3: "reject"}
_KEYS: Final = {"draw": "d", "pile": "p", "keep": "k", "reject": "r"}


def key_of(card: Locator) -> str:
    """Return the page's own name of a card."""
    found = card.get_attribute("data-key")
    assert found is not None, "a card has a key"
    return found


class Line:
    """The page's line to the server, in the test's hand: to be cut; what the page says can be held and changed."""

    def __init__(self, page: Page) -> None:
        self.sent: list[dict[str, Any]] = []
        self.heard: list[dict[str, Any]] = []
        self._hold = ""
        self._held: list[tuple[WebSocketRoute, dict[str, Any]]] = []
        self._routes: list[WebSocketRoute] = []
        page.route_web_socket("**/socket*", self._opened)

    def _opened(self, route: WebSocketRoute) -> None:
        server = route.connect_to_server()
        self._routes.append(route)
        route.on_message(lambda message: self._said(server, message))
        server.on_message(lambda message: self._told(route, message))

    def _said(self, server: WebSocketRoute, message: str | bytes) -> None:
        frame = json.loads(message)
        self.sent.append(frame)
        if frame["type"] == self._hold:
            self._held.append((server, frame))
        else:
            server.send(message)

    def _told(self, route: WebSocketRoute, message: str | bytes) -> None:
        self.heard.append(json.loads(message))
        route.send(message)

    def hold(self, kind: str) -> None:
        """Hold messages of a kind from now on."""
        self._hold = kind

    def held(self, page: Page) -> dict[str, Any]:
        """Wait for a message that is held, and return it."""
        until(page, lambda: bool(self._held), f"the page does not say {self._hold!r}")
        return self._held[0][1]

    def release(self, **changes: Any) -> None:
        """Let what is held go, with changed members, and hold nothing more."""
        self._hold = ""
        for server, frame in self._held:
            server.send(json.dumps({**frame, **changes}))
        self._held.clear()

    def cut(self) -> None:
        """Take the connection away."""
        self._routes[-1].close(code=3000)

    def cut_and_found(self, page: Page) -> None:
        """Take the connection away, and wait until the page has another, which may be at once."""
        count = len(self._routes)
        self.cut()
        until(page, lambda: len(self._routes) > count, "the page does not come back")
        expect(page.locator("[data-version]")).to_have_attribute("data-line", "open")


class Player:
    """A visitor at a table; made before the page is opened, so that nothing is missed."""

    def __init__(self, visit: Visit, by: By = "mouse", line: Line | None = None) -> None:
        self.visit = visit
        self.page = visit.page
        self.by = by
        self.sent: list[dict[str, Any]] = line.sent if line else []
        self.heard: list[dict[str, Any]] = line.heard if line else []
        if line is None:
            self.page.on("websocket", self._listen)

    def _listen(self, socket: WebSocket) -> None:
        socket.on("framesent", lambda frame: self.sent.append(json.loads(frame)))
        socket.on("framereceived", lambda frame: self.heard.append(json.loads(frame)))

    # What is seen.

    @property
    def table(self) -> Locator:
        """The whole table."""
        return self.page.locator("[data-version]")

    def faces(self) -> list[str]:
        """The cards of the hand in the order in which they are shown."""
        found = self.visit.hand().evaluate_all("cards => cards.map(card => card.dataset.card)")
        return [str(face) for face in found]

    def chosen(self) -> list[str]:
        """The selected cards in the order in which they are shown."""
        found = self.page.locator("[data-zone=hand] [aria-selected=true]")
        return [str(face) for face in found.evaluate_all("cards => cards.map(card => card.dataset.card)")]

    def acts(self) -> list[int]:
        """The actions that the page has sent."""
        return [frame["action"] for frame in self.sent if frame["type"] == "act"]

    def commands(self) -> list[str]:
        """The kinds of all messages that the page has sent and that change a game."""
        return [frame["type"] for frame in self.sent if frame["type"] in ("act", "undo")]

    def button(self, name: str) -> Locator:
        """A button of the action bar."""
        return self.page.locator(f".act[data-action={name}]")

    @property
    def notice(self) -> Locator:
        """Why something was not done."""
        return self.page.locator("[data-notice] .notice p")

    def card(self, face: str, at: int = 0) -> Locator:
        """A card of the hand, of twins one by its place."""
        return self.page.locator(f'[data-zone=hand] [data-card="{face}"]').nth(at)

    # What is done.

    def sit(self, position: Position, **options: Any) -> None:
        """Sit down in a position against bots, as seat 0, at a table of a match that does not end soon."""
        options = {"deal_count": 50, "target_points": None, **options}
        self.visit.play_now(rules=position.rules.name, players=position.players, **options)
        self.visit.open()
        self.visit.hand().first.wait_for()
        self.put(position)

    def put(self, position: Position) -> None:
        """Put a position on the table that the page shows already, and wait until it is seen."""
        count = self._snapshots()
        self.visit.house.stage(self.visit.code, position)
        self._told_after(count)
        hand = position.hands[0]
        assert hand is not None, "the hand of seat 0 is known"
        shows_hand(self.page, hand)
        self.page.keyboard.press("Escape")
        expect(self.page.locator("[data-zone=hand] [aria-selected=true]")).to_have_count(0)

    def speak(self, language: str) -> None:
        """Choose another language in the menu of the table, which stays open; wait until the table is told in it."""
        root, choice = self.page.locator("html"), self.page.locator("dialog[open] select")
        if choice.count() == 0:
            self.page.locator("[data-action=menu]").click()
        if root.get_attribute("lang") == language:
            return
        count = self._snapshots()
        choice.select_option(language)
        self._told_after(count)
        expect(root).to_have_attribute("lang", language)

    def _told_after(self, count: int) -> None:
        """Wait for a snapshot after so many, and until it is shown."""
        until(self.page, lambda: self._snapshots() > count, "the page is not told the table anew")
        self.page.evaluate(_FRAME)

    def _snapshots(self) -> int:
        return sum(frame["type"] == "snapshot" for frame in self.heard)

    def press(self, target: Locator, *, able: bool = True) -> None:
        """Click or tap something; with ``able`` false a button that is marked as disabled and says why when pressed."""
        if not able:
            expect(target).to_have_attribute("aria-disabled", "true")
        if self.by == "touch":
            self.page.evaluate(_NOTE_CLICK)
            target.tap(force=not able)
            self.page.wait_for_function(_CLICK_CAME)
        else:
            target.click(force=not able)

    def go(self, selector: str) -> None:
        """Move the focus with the tabulator until it is on something."""
        for _ in range(_TABS_MAX):
            if self.page.evaluate(_FOCUSED, selector):
                return
            self.page.keyboard.press("Tab")
        raise AssertionError(f"the tabulator never comes to {selector}")

    def push(self, selector: str) -> None:
        """Press a button in the player's own way."""
        if self.by == "keyboard":
            self.go(selector)
            self.page.keyboard.press("Enter")
        else:
            self.press(self.page.locator(selector))

    def select(self, *faces: str) -> None:
        """Select cards of the hand that are not selected yet."""
        for face, count in Counter(faces).items():
            for _ in range(count):
                one = self.page.locator(f'[data-zone=hand] [data-card="{face}"][aria-selected=false]').first
                key = key_of(one)
                self.toggle(one)
                expect(self.page.locator(f'[data-zone=hand] [data-key="{key}"]')).to_have_attribute(
                    "aria-selected", "true"
                )

    def toggle(self, card: Locator) -> None:
        """Select a card of the hand, or no longer."""
        if self.by == "touch":
            card.tap(position={"x": _CORNER["x"], "y": _CORNER["y"]})
        elif self.by == "mouse":
            card.click(position={"x": _CORNER["x"], "y": _CORNER["y"]})
        else:
            self.walk(card)
            self.page.keyboard.press("Space")

    def walk(self, card: Locator) -> None:
        """Move the focus to a card of the hand with the keys."""
        if self.page.evaluate(_INDEX) < 0:
            self.go("[data-zone=hand] [data-key]")
        to = int(card.evaluate("card => [...card.parentElement.querySelectorAll('[data-key]')].indexOf(card)"))
        at = int(self.page.evaluate(_INDEX))
        for _ in range(abs(to - at)):
            self.page.keyboard.press("ArrowRight" if to > at else "ArrowLeft")
        expect(card).to_be_focused()

    def hold(self, card: Locator) -> None:
        """Take hold of a card with the mouse, and move it a little: a drag begins."""
        box = _box(card)
        self.page.mouse.move(box["x"] + _CORNER["x"], box["y"] + _CORNER["y"])
        self.page.mouse.down()
        self.page.mouse.move(box["x"] + _CORNER["x"] + 4, box["y"] + _CORNER["y"] - 8, steps=2)
        expect(self.page.locator(".layer .ghost")).to_be_visible()

    def over(self, target: Locator) -> None:
        """Move what is held over something."""
        box = _box(target)
        self.page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2, steps=3)

    def drag(self, card: Locator, target: Locator) -> None:
        """Drag a card of the hand to something."""
        target.scroll_into_view_if_needed()
        self.hold(card)
        self.over(target)
        self.page.mouse.up()
        expect(self.page.locator(".layer .ghost")).to_have_count(0)

    # Actions.

    def perform(self, action: int) -> None:
        """Take an action of the game with the controls of the page, and wait until it is shown."""
        version = self.table.get_attribute("data-version")
        count = len(self.acts())
        self._begin(action)
        changed = self.page.locator(f"[data-version]:not([data-version='{version}'])")
        question = self.page.locator("[data-question]")
        choices = self.page.locator("[data-choices]")
        outcome = changed.or_(question).or_(choices).or_(self.notice)
        while True:
            outcome.first.wait_for(state="attached")
            if question.count() > 0:
                self.push("[data-action=confirm]")
                expect(question).to_have_count(0)
            elif choices.count() > 0:
                self.push(f'[data-actions="{action}"]')
                expect(choices).to_have_count(0)
            elif changed.count() > 0:
                break
            else:
                raise AssertionError(f"{decode_action(action)}: {self.notice.first.inner_text()}")
        assert self.acts()[count:] == [action], decode_action(action)
        expect(self.page.locator("[aria-busy]")).to_have_count(0)

    def _begin(self, action: int) -> None:
        name = _MOVES.get(action)
        if name is not None:
            self._move(name)
            return
        move = decode_action(action)
        if move.kind == "discard":
            self._send([card_text(move.card)], "pile", "x")
        elif move.kind == "add":
            key = str(move.meld_number) if move.meld_number < 10 else ""
            self._send([card_text(move.card)], f"meld-{move.meld_number}", key)
        else:
            self._send([card_text(card) for card in unpack(move.meld).cards], "new-meld", "m")

    def _move(self, name: str) -> None:
        if self.by == "keyboard":
            self.page.keyboard.press(_KEYS[name])
        elif name == "draw":
            self.press(self.visit.zone("stock"))
        else:
            self.press(self.button(name))

    def _send(self, faces: list[str], zone: str, key: str) -> None:
        """Bring cards of the hand to a place."""
        self.select(*faces)
        target = self.visit.zone(zone)
        if self.by == "mouse":
            self.drag(self.page.locator("[data-zone=hand] [aria-selected=true]").first, target)
        elif self.by == "touch":
            self.press(target)
        elif key:
            self.page.keyboard.press(key)
        else:
            self.go(f"[data-zone={zone}]")
            self.page.keyboard.press("Enter")

    def shown(self, version: int) -> None:
        """Wait until the page shows a version of the table."""
        self.page.evaluate(_SHOWN, version)

    def my_turn(self) -> bool:
        """Wait until it is the player's turn, or the deal is over; say whether it is the turn."""
        self.rest()
        over = self.page.locator("[data-phase=between], [data-phase=finished]")
        self.page.locator("[data-mine]").or_(over).first.wait_for(state="attached")
        return over.count() == 0

    def rest(self) -> None:
        """Wait until no command is under way."""
        expect(self.page.locator("[aria-busy=true]")).to_have_count(0)


def _box(one: Locator) -> FloatRect:
    box = one.bounding_box()
    assert box is not None, "it is on the page"
    return box
