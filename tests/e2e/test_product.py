"""What annoyed players: being hurried, sent astray, or told nothing."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from tests.e2e.hands import Player
from tests.e2e.house import House
from tests.e2e.scenes import at_between, at_room, middle, select
from tests.e2e.views import Visit

_ORDER = "cards => cards.map(card => card.dataset.key)"
_SHIFTED = "cards => cards.filter(card => new DOMMatrix(getComputedStyle(card).transform).e !== 0).length"


def test_whoever_plays_with_bots_alone_is_not_hurried_to_the_next_deal(visit: Callable[..., Visit]) -> None:
    guest = visit("P")
    at_between(guest)
    expect(guest.page.locator("[data-next-deal] [role=timer]")).to_have_count(0)
    guest.page.locator("[data-next-deal] [data-action=ready]").click()
    guest.hand().first.wait_for()


@pytest.mark.parametrize("guest", [True, False], ids=["somebody", "nobody yet"])
def test_an_unknown_code_says_at_once_that_there_is_no_such_table(visit: Callable[..., Visit], guest: bool) -> None:
    visitor = visit("P", guest=guest)
    visitor.open("/t/ZZZZZZ")
    page = visitor.page
    expect(page.get_by_role("heading", name=re.compile("ZZZZZZ"))).to_be_visible()
    expect(page.locator("[data-no-table]")).to_be_visible()
    other = visit("P", name="Bo")
    at_room(other)
    page.get_by_label("Code or link of a table").fill(other.code)
    page.get_by_role("button", name="Go to the table").click()
    if guest:
        page.locator("[data-stage=room]").wait_for()
    else:
        expect(page.get_by_role("heading", name=re.compile(other.code))).to_be_visible()
        expect(page.get_by_label("Your name")).to_be_visible()


def test_whoever_is_taken_off_a_seat_is_told(visit: Callable[..., Visit]) -> None:
    owner = visit("D")
    at_room(owner)
    friend = visit("P", name="Bo")
    friend.code = owner.code
    friend.post(f"/api/tables/{owner.code}/join", {"seat": 1})
    friend.open()
    friend.page.locator("[data-stage=room]").wait_for()
    expect(friend.page.locator("[data-removed]")).to_have_count(0)
    owner.page.get_by_role("button", name=re.compile("^Remove")).first.click()
    expect(friend.page.locator("[data-removed]")).to_be_visible()
    friend.page.get_by_role("button", name=re.compile("Sit here")).first.click()
    expect(friend.page.locator("[data-removed]")).to_have_count(0)
    friend.page.locator("[data-action=stand]").click()
    expect(friend.page.get_by_role("button", name=re.compile("Sit here")).first).to_be_visible()
    expect(friend.page.locator("[data-removed]")).to_have_count(0)


@pytest.mark.parametrize("view", ["P", "D"])
def test_a_host_with_free_seats_is_offered_the_invitation_first(visit: Callable[..., Visit], view: str) -> None:
    host = visit(view)
    at_room(host)
    main = host.page.locator("[data-stage=room] .button.primary")
    expect(main).to_have_count(1)
    expect(main).to_have_attribute("data-action", "copy-link")
    if view == "P":
        copy, start = main.bounding_box(), host.page.locator("[data-action=start]").bounding_box()
        assert copy is not None
        assert start is not None
        assert copy["y"] < start["y"]
    for left in (2, 1, 0):
        host.page.get_by_role("button", name="Add a bot").first.click()
        expect(host.page.get_by_role("button", name="Add a bot")).to_have_count(left)
    expect(main).to_have_attribute("data-action", "start")


def test_rules_for_four_say_why_there_are_no_two(visit: Callable[..., Visit]) -> None:
    guest = visit("P")
    guest.open("/")
    note = guest.page.get_by_text("These rules are for four players, in pairs.")
    guest.page.get_by_label("Rules", exact=True).select_option("aberto")
    expect(note).to_be_visible()
    expect(guest.page.get_by_role("radio", name="2", exact=True)).to_be_disabled()
    guest.page.get_by_label("Rules", exact=True).select_option("burraco")
    expect(guest.page.get_by_role("radio", name="2", exact=True)).to_be_enabled()
    expect(note).to_have_count(0)


def test_the_rule_of_a_refusal_opens_at_its_section_without_leaving_the_table(visit: Callable[..., Visit]) -> None:
    guest = visit("P")
    guest.stage(middle())
    player = Player(guest)
    select(guest.page, "Td")
    guest.page.keyboard.press("d")
    link = guest.page.locator("[data-notice] [data-rule]")
    number = link.get_attribute("data-rule")
    link.click()
    dialog = guest.page.locator("dialog[open]")
    heading = dialog.locator(f"#s{number}")
    expect(heading).to_be_in_viewport()
    expect(heading).to_have_text(re.compile(rf"^{number}\."))
    assert guest.page.url.endswith(f"/t/{guest.code}")
    guest.page.keyboard.press("Escape")
    expect(dialog).to_have_count(0)
    expect(guest.page.locator("[data-zone=hand] [aria-selected=true]")).to_have_count(1)
    assert player.page is guest.page


def test_shift_and_an_arrow_select_more_cards_while_cards_are_moved(visit: Callable[..., Visit]) -> None:
    guest = visit("D")
    guest.stage(middle())
    page = guest.page
    first = guest.hand().first
    first.focus()
    page.keyboard.press("Space")
    page.locator("[data-action=move]").click()
    before = guest.hand().evaluate_all(_ORDER)
    guest.hand().first.focus()
    page.keyboard.press("Shift+ArrowRight")
    page.keyboard.press("Shift+ArrowRight")
    expect(page.locator("[data-zone=hand] [aria-selected=true]")).to_have_count(3)
    expect(page.locator("[data-moving]")).to_have_count(1)
    page.locator("[data-action=move-end]").click()
    assert guest.hand().evaluate_all(_ORDER) == before[3:] + before[:3]


def test_a_drag_over_the_hand_only_seems_to_make_room_until_the_drop(visit: Callable[..., Visit]) -> None:
    guest = visit("D")
    guest.stage(middle())
    before = guest.hand().evaluate_all(_ORDER)
    first, last = guest.hand().first.bounding_box(), guest.hand().last.bounding_box()
    assert first is not None
    assert last is not None
    mouse = guest.page.mouse

    def lift() -> None:
        mouse.move(first["x"] + 8, first["y"] + 12)
        mouse.down()
        mouse.move(first["x"] + 30, first["y"] + 12)
        mouse.move(last["x"] + last["width"] - 4, last["y"] + 20, steps=4)
        guest.page.wait_for_function(
            f"() => ({_SHIFTED})([...document.querySelectorAll('[data-zone=hand] [data-card]')]) > 2"
        )
        assert guest.hand().evaluate_all(_ORDER) == before

    lift()
    guest.page.keyboard.press("Escape")
    mouse.up()
    assert guest.hand().evaluate_all(_ORDER) == before
    assert guest.hand().evaluate_all(_SHIFTED) == 0
    lift()
    mouse.up()
    expect(guest.hand().last).to_have_attribute("data-key", before[0])
    assert guest.hand().evaluate_all(_ORDER) == before[1:] + before[:1]
    assert guest.hand().evaluate_all(_SHIFTED) == 0


def test_a_wild_that_was_laid_last_shows_both_marks(visit: Callable[..., Visit]) -> None:
    guest = visit("D")
    guest.stage(middle())
    colours = guest.page.evaluate(
        """() => {
            const card = document.querySelector('.card.meld.wild');
            card.dataset.last = '';
            const shadow = getComputedStyle(card).boxShadow;
            const of = name => {
                const probe = document.createElement('i');
                probe.style.color = `var(${name})`;
                card.append(probe);
                const colour = getComputedStyle(probe).color;
                probe.remove();
                return shadow.includes(colour);
            };
            return [of('--card-last'), of('--card-wild')];
        }"""
    )
    assert colours == [True, True]


def test_a_table_begins_by_one_socket_that_was_opened_before_the_page(
    visit: Callable[..., Visit], house: House
) -> None:
    guest = visit("P")
    guest.play_now(rules="aberto")
    opened: list[str] = []
    guest.page.on("websocket", lambda socket: opened.append(socket.url))
    guest.open()
    guest.hand().first.wait_for()
    assert opened == [f"{house.address.replace('http', 'ws')}/api/tables/{guest.code}/socket?language=en"]
    # The browser notes what it fetched once it has all of it.
    asked = "performance.getEntriesByType('resource').filter(one => one.name.includes('/api/session')).length"
    guest.page.wait_for_function(f"() => {asked} > 0")
    assert guest.page.evaluate(asked) == 1


#: Keeps the contexts of sound that the page makes, and says on the console when it waits for a key to make one.
_SOUNDING = """
    window.sounding = [];
    window.AudioContext = class extends AudioContext {
        constructor(...all) {
            super(...all);
            window.sounding.push(this);
        }
    };
    const add = EventTarget.prototype.addEventListener;
    document.addEventListener = (kind, run, how) => {
        add.call(document, kind, run, how);
        if (kind === 'keydown' && how === true) console.debug('hears keys');
    };
"""


def test_sounds_wait_for_a_key_that_allows_them(visit: Callable[..., Visit]) -> None:
    """Escape does not; what is evaluated in a page does, so that nothing is before the keys."""
    guest = visit("D")
    page = guest.page
    page.add_init_script(_SOUNDING)
    with page.expect_console_message(lambda message: message.text == "hears keys"):
        guest.open("/")
    page.keyboard.press("Escape")
    page.keyboard.press("a")
    page.wait_for_function("() => window.sounding.length === 1 && window.sounding[0].state === 'running'")
