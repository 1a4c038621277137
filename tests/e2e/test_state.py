"""What the table shows of the game, and when: criteria 26 to 29, 31 to 34, 40 and 44."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, Final

import pytest
from playwright.sync_api import Page, expect

from buraco.engine import Deal
from buraco.rules import RULE_SETS
from tests.e2e.company import Company, Teller, count_messages, heard_count, play_alone
from tests.e2e.hands import Player
from tests.e2e.house import House
from tests.e2e.sheets import expect_breakdown
from tests.e2e.tables import full_table
from tests.e2e.views import Visit, until
from tests.rules.positions import position_of

#: A rule set for two.
_TWO: Final = "aberto-104"
#: Keeps, for every version that is shown, what the page shows of it.
_KEEP_SHOWN: Final = """() => {
    const table = document.querySelector('[data-version]');
    const numberOf = one => one === null ? null : Number(one.dataset.count);
    window.shown = [];
    const look = () => window.shown.push({
        version: Number(table.dataset.version),
        stock: numberOf(table.querySelector('[data-zone=stock]')),
        pile: numberOf(table.querySelector('[data-zone=pile]')),
        mortos: [...table.querySelectorAll('[data-morto]')].map(one => one.dataset.morto),
        counts: Object.fromEntries(
            [...table.querySelectorAll('[data-seat][data-count]')].map(one => [one.dataset.seat, numberOf(one)])),
        hand: [...table.querySelectorAll('[data-zone=hand] [data-card]')].map(one => one.dataset.card).sort(),
    });
    new MutationObserver(look).observe(table, { attributes: true, attributeFilter: ['data-version'] });
    look();
}"""


def _expected(view: dict[str, Any]) -> dict[str, Any]:
    hand = view["hands"][view["seat"]]
    return {
        "stock": view["stock_count"],
        "pile": view["pile_count"],
        "mortos": [morto["state"] for morto in view["mortos"]],
        "counts": {str(seat): count for seat, count in enumerate(view["hand_counts"])},
        "hand": sorted(hand),
    }


def _sheet_equals(page: Page, guest: Visit, stage: str) -> None:
    """The score sheet that is shown has the server's lines and totals, for both teams."""
    sheet = page.locator(f"[data-stage={stage}]")
    sheet.wait_for()
    expect_breakdown(sheet, guest.snapshot()["deals"][-1])


#: About to take the morto with the last cards of the hand, and to go out with the morto taken.
_BEFORE_MORTO: Final = position_of("aberto", "3d 4d 5d", melds=["3h 4h 5h 6h 7h 8h 9h"], mortos="waiting waiting")
_BEFORE_OUT: Final = position_of("aberto", "3d 4d 5d 9s", melds=["3h 4h 5h 6h 7h 8h 9h"], mortos="mine theirs")


def _go_out(guest: Visit) -> None:
    guest.house.stage(guest.code, _BEFORE_OUT)
    teller = Teller(guest)
    teller.act("meld 3d 4d 5d")
    teller.act("discard 9s")


def test_26_34_counts_equal_the_snapshot_after_each_event_and_sheets_the_breakdown(
    visit: Callable[..., Visit], patient: House
) -> None:
    """26, 34. Stock, pile, mortos, hands at each version of a deal; the sheet at the end of a deal and of the match."""
    guest = visit("D", at=patient)
    player = Player(guest)
    guest.play_now(rules="aberto", players=4, deal_count=2, target_points=None)
    guest.open()
    guest.hand().first.wait_for()
    guest.page.evaluate(_KEEP_SHOWN)
    # Cards that are the same each time, or the deal might end before the turns are played.
    guest.house.stage(guest.code, Deal(RULE_SETS["aberto"], 4, 3, (0, 0), 5).position())
    play_alone(guest, seed=3, turns=10)
    assert guest.snapshot()["view"]["phase"] != "over"
    guest.house.stage(guest.code, _BEFORE_MORTO)
    Teller(guest).act("meld 3d 4d 5d")
    expect(guest.hand()).to_have_count(11)
    _go_out(guest)
    _sheet_equals(guest.page, guest, "between")
    guest.page.locator("[data-stage=between] [data-action=ready]").click()
    guest.hand().first.wait_for()
    _go_out(guest)
    _sheet_equals(guest.page, guest, "result")
    compared = _compare(player)
    assert compared > 100


def _compare(player: Player) -> int:
    """Compare what was shown with what the server told; return how many versions were shown with cards."""
    views: dict[int, dict[str, Any]] = {}
    for frame in player.heard:
        # A position that is put on the table is a snapshot of the version before; what was shown until then is known.
        if frame["type"] in ("snapshot", "update") and frame.get("view") is not None:
            views.setdefault(frame["version"], frame["view"])
    compared = 0
    for shown in player.page.evaluate("window.shown"):
        version = shown.pop("version")
        if shown["stock"] is None:
            continue
        view = views[max(one for one in views if one <= version)]
        assert shown == _expected(view), version
        compared += 1
    return compared


def test_27_the_ring_belongs_to_the_turn_and_gets_urgent(visit: Callable[..., Visit]) -> None:
    """27. The ring of the player in turn ends with the server's deadline; below ten seconds it is urgent."""
    people = [visit("D", name="Ana"), visit("P", name="Ben")]
    for one in people:
        one.page.clock.install()
    company = Company(*people, rules=_TWO, clock={"kind": "turn", "turn_ms": 60_000})
    for _ in range(2):
        seat = company.turn()
        deadline = company.snapshot()["table"]["clocks"]["deadline_ms"]
        for one in people:
            ring = one.page.locator(f"[data-seat='{seat}'][data-turn]")
            expect(ring).to_have_count(1)
            expect(one.page.locator("[data-turn]")).to_have_count(1)
            shown = float(ring.get_attribute("data-deadline") or 0)
            assert abs(shown - deadline) < 1000
            expect(one.page.locator("[data-urgent]")).to_have_count(0)
        company.act("draw")
        kept = company.snapshot()["view"]["phase"] == "choice"
        if kept:
            company.act("keep")
        hand = next(one for one in company.visits[seat].snapshot()["view"]["hands"] if one is not None)
        company.act(f"discard {hand[0]}")
    seat = company.turn()
    for one in people:
        expect(one.page.locator(f"[data-seat='{seat}'][data-turn]")).to_have_count(1)
        one.page.clock.fast_forward(51_000)
        expect(one.page.locator(f"[data-seat='{seat}'][data-urgent]")).to_have_count(1)
        expect(one.page.locator("[data-urgent]")).to_have_count(1)


@pytest.mark.parametrize("muted", [False, True], ids=["with-sound", "muted"])
def test_28_the_own_turn_is_seen_and_heard(visit: Callable[..., Visit], muted: bool) -> None:
    """28. Title, live region and sound at the start of the own turn; no sound when muted."""
    ana, ben = visit("D", name="Ana"), visit("P", name="Ben", settings={"sound": not muted})
    company = Company(ana, ben, rules=_TWO)
    company.stage(position_of(_TWO, "4s 9h Kd", players=2))
    expect(ben.page.locator("[data-mine]")).to_have_count(0)
    expect(ben.page).not_to_have_title(re.compile("Your turn"))
    urgent = ben.page.locator("[data-live=assertive]")
    expect(urgent).to_have_text("")
    company.act("discard 4s")
    expect(ben.page.locator("[data-mine]")).to_have_count(1)
    expect(ben.page).to_have_title(re.compile("Your turn"))
    expect(urgent).to_have_text(re.compile(r"^It is your turn\. ."))
    asked = (ben.page.locator("html").get_attribute("data-sound") or "").split()
    assert ("turn" in asked) is not muted
    assert muted is (asked == [])


def test_29_the_last_move_is_marked_until_the_next_player_acts(visit: Callable[..., Visit]) -> None:
    """29. What was laid, added and discarded has `data-last`, and loses it when the next player acts."""
    ana, ben = visit("D", name="Ana"), visit("P", name="Ben")
    company = Company(ana, ben, rules=_TWO)
    hand = "3s 4s 5s 6s 9h Kd Kc"
    company.stage(position_of(_TWO, hand, players=2))
    marked = ben.page.locator("[data-last][data-card], [data-last] [data-card]")

    def cards() -> list[str]:
        return sorted(marked.evaluate_all("cards => cards.map(card => card.dataset.card)"))

    company.act("meld 3s 4s 5s")
    expect(marked).to_have_count(3)
    assert cards() == ["3s", "4s", "5s"]
    company.act("add 1 6s")
    expect(marked).to_have_count(4)
    company.act("discard 9h")
    expect(marked).to_have_count(5)
    assert cards() == ["3s", "4s", "5s", "6s", "9h"]
    expect(ben.page.locator("[data-zone=pile] [data-last]")).to_have_count(1)
    company.act("draw")
    expect(marked).to_have_count(0)


def test_31_a_reload_in_mid_turn_keeps_the_order_and_clears_the_selection(visit: Callable[..., Visit]) -> None:
    """31. The same table, the hand in the player's order, nothing selected."""
    guest = visit("D")
    player = Player(guest)
    guest.stage(full_table(22, melds=2, other_melds=2))
    guest.page.keyboard.press("s")
    player.walk(guest.hand().nth(3))
    guest.page.keyboard.press("Control+ArrowRight")
    guest.page.keyboard.press("Control+ArrowRight")
    order = player.faces()
    player.select(order[0], order[7])
    chosen = guest.page.locator("[data-zone=hand] [aria-selected=true]")
    expect(chosen).to_have_count(2)
    guest.page.reload()
    expect(guest.hand()).to_have_count(22)
    assert player.faces() == order
    assert order != sorted(order)
    expect(chosen).to_have_count(0)
    expect(player.table).to_have_attribute("data-table", guest.code)
    expect(guest.page.locator("[data-mine]")).to_have_count(1)
    expect(guest.zone("meld-2")).to_be_visible()


def test_32_a_second_tab_takes_over_and_the_first_says_so(visit: Callable[..., Visit]) -> None:
    """32. The first tab plays no more, says why, and can take the table back."""
    guest = visit("D")
    guest.stage(full_table(14))
    second = guest.context.new_page()
    second.goto(f"/t/{guest.code}")
    second.locator("[data-zone=hand] [data-card]").first.wait_for()
    _elsewhere(guest.page)
    _open(second)
    guest.page.locator("[data-action=play-here]").click()
    _open(guest.page)
    _elsewhere(second)
    second.close()
    guest.page.keyboard.press("s")
    _open(guest.page)


def _open(page: Page) -> None:
    expect(page.locator("[data-version]")).to_have_attribute("data-line", "open")
    expect(page.locator(".banner")).to_have_count(0)


def _elsewhere(page: Page) -> None:
    banner = page.locator(".banner[data-line=elsewhere]")
    expect(banner).to_be_visible()
    expect(banner).to_have_text(re.compile("another tab"))
    expect(page.locator("[data-version]")).to_have_attribute("data-line", "elsewhere")
    expect(page.locator(".act[data-action=discard]")).to_be_disabled()


@pytest.mark.parametrize("pace", ["slow", "normal"])
def test_33_thirty_waiting_events_are_caught_up_with_in_two_seconds(visit: Callable[..., Visit], pace: str) -> None:
    """33. However slow the player's pace: two seconds by the page's clock after the last of thirty events."""
    ana, ben = visit("P", name="Ana"), visit("D", name="Ben", settings={"pace": pace})
    count_messages(ben.page)
    ben.page.clock.install()
    company = Company(ana, ben, rules=_TWO)
    company.stage(position_of(_TWO, "3s 4s 5s 9h Kd", players=2))
    expect(ben.page.locator("[data-seat='0'][data-count='5']")).to_have_count(1)
    ben.page.clock.pause_at(ben.page.evaluate("Date.now() + 5000"))
    before, version = heard_count(ben.page), 0
    for _ in range(15):
        company.act("meld 3s 4s 5s")
        version = company.tellers[0].tell("undo")["version"]
    until(ben.page, lambda: heard_count(ben.page) >= before + 30, "not everything is told")
    table = ben.page.locator("[data-version]")
    assert int(table.get_attribute("data-version") or 0) < version
    ben.page.clock.run_for(2000)
    expect(table).to_have_attribute("data-version", str(version))
    expect(ben.page.locator("[data-seat='0']")).to_have_attribute("data-count", "5")


#: Keeps how long each animation lasts, in milliseconds; those of `held` kinds are held at their start.
_KEEP_ANIMATIONS: Final = """
    window.durations = [];
    const keep = one => {
        const timing = one.effect.getComputedTiming();
        window.durations.push([one.id || one.transitionProperty || one.animationName || '', timing.endTime]);
    };
    const animate = Element.prototype.animate;
    Element.prototype.animate = function (...all) {
        const made = animate.apply(this, all);
        keep(made);
        if (window.held) made.pause();
        return made;
    };
    for (const name of ['transitionrun', 'animationstart'])
        document.addEventListener(name, event => event.target.getAnimations().forEach(keep), true);
"""


def _be_busy(player: Player) -> None:
    """Do one of each thing that may move: select, sort, lay, draw back, open and close a sheet, discard."""
    page = player.page
    player.select("3s", "4s", "5s")
    page.keyboard.press("m")
    expect(player.visit.zone("meld-1")).to_be_visible()
    expect(player.button("undo")).to_be_enabled()
    page.keyboard.press("u")
    expect(player.visit.hand()).to_have_count(7)
    expect(player.button("undo")).to_be_disabled()
    page.keyboard.press("s")
    page.locator("[data-action=menu]").click()
    expect(page.locator("dialog[open]")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.locator("dialog[open]")).to_have_count(0)
    page.keyboard.press("Escape")
    player.select("9h")
    page.keyboard.press("x")
    expect(player.visit.hand()).not_to_have_count(7)
    player.my_turn()


_BUSY: Final = position_of("aberto", "3s 4s 5s 9h Kd Kc 7d")


@pytest.mark.parametrize("by", ["system", "setting"])
def test_40_with_reduced_motion_nothing_moves(visit: Callable[..., Visit], by: str) -> None:
    """40. No animation lasts over 0 ms, whether the system or the player's setting asks for it."""
    asked: dict[str, Any] = {"reduced_motion": "reduce"} if by == "system" else {}
    settings = {"pace": "normal", **({"motion": "reduced"} if by == "setting" else {})}
    guest = visit("D", settings=settings, **asked)
    guest.page.add_init_script(_KEEP_ANIMATIONS)
    player = Player(guest)
    guest.stage(_BUSY)
    _be_busy(player)
    assert [one for one in guest.page.evaluate("window.durations") if one[1] is None or one[1] > 0] == []


def test_40_no_animation_is_long(visit: Callable[..., Visit]) -> None:
    """40. None lasts over 400 ms."""
    guest = visit("D", settings={"pace": "normal"})
    guest.page.add_init_script(_KEEP_ANIMATIONS)
    player = Player(guest)
    guest.stage(_BUSY)
    _be_busy(player)
    durations = guest.page.evaluate("window.durations")
    assert any(name == "flight" for name, _ in durations)
    assert [one for one in durations if one[1] is None or one[1] > 400] == []


def test_40_u4_input_is_accepted_during_animations(visit: Callable[..., Visit]) -> None:
    """40, U4. While cards fly, held in the air by the test, a card is selected and discarded."""
    guest = visit("D", settings={"pace": "normal"})
    guest.page.add_init_script(_KEEP_ANIMATIONS)
    player = Player(guest)
    guest.stage(_BUSY)
    guest.page.evaluate("window.held = true")
    player.select("3s", "4s", "5s")
    guest.page.keyboard.press("m")
    expect(guest.hand()).to_have_count(4)
    flying = "document.getAnimations().filter(one => one.id === 'flight' && one.playState === 'paused').length"
    until(guest.page, lambda: guest.page.evaluate(flying) > 0, "nothing flies")
    player.select("9h")
    assert guest.page.evaluate(flying) > 0
    player.button("discard").click()
    expect(guest.hand()).to_have_count(3)


def test_44_no_inline_script_is_allowed_and_a_foreign_request_is_caught(visit: Callable[..., Visit]) -> None:
    """44. The policy of every page, and that the watch of these tests sees what it is there for."""
    guest = visit("D", bypass_csp=True)
    code = guest.play_now(rules=_TWO, players=2)
    for path in ("/", f"/t/{code}", "/rules", "/settings"):
        answer = guest.page.goto(path)
        assert answer is not None
        policy = dict(
            part.strip().split(" ", 1) for part in answer.headers["content-security-policy"].split(";") if part.strip()
        )
        scripts = policy.get("script-src", policy["default-src"])
        assert "unsafe" not in scripts, policy
        assert "'self'" in scripts or "'none'" in policy["default-src"]
    assert guest.faults == []
    guest.page.evaluate("fetch('http://localhost:9/planted').catch(() => 0)")
    guest.page.evaluate("new Promise(done => { new WebSocket('ws://localhost:9/socket').onerror = () => done(null); })")
    guest.page.evaluate("console.error('planted')")
    # The page is left only when each of these has happened.
    guest.page.evaluate(
        "new Promise(done => { addEventListener('error', () => setTimeout(done)); "
        "setTimeout(() => { throw new Error('planted exception'); }); })"
    )
    guest.page.goto("/")
    planted = ("http://localhost:9/planted", "ws://localhost:9/socket")
    for word in (*(f"request to {one}" for one in planted), "console error: planted", "planted exception"):
        assert any(word in fault for fault in guest.faults), (word, guest.faults)
    guest.faults.clear()


def test_44_the_policy_itself_keeps_a_page_from_asking_others(visit: Callable[..., Visit]) -> None:
    """44. Without the test's help the browser refuses a foreign request and an inline script."""
    guest = visit("D", expected=("Content Security Policy", "localhost:9"))
    guest.open("/")
    assert guest.page.evaluate("fetch('http://localhost:9/').then(() => 'asked', () => 'refused')") == "refused"
    guest.page.evaluate(
        """() => { const made = document.createElement('script');
        made.textContent = 'window.ran = true'; document.head.append(made); }"""
    )
    assert guest.page.evaluate("window.ran === undefined")
