"""Legibility and the look of the cards: criteria 6 to 10, 25 and 41."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import pytest
from playwright.sync_api import Page, expect

from buraco.engine import Position
from tests.e2e.hands import Player, key_of
from tests.e2e.measures import OVERFLOW, STRIPS
from tests.e2e.scenes import at_room, middle, open_sheet
from tests.e2e.tables import full_table
from tests.e2e.views import Visit
from tests.rules.positions import position_of

MOTION: Final = "reduce"
_FONTS: Final = """async () => {
    await document.fonts.ready;
    return [document.fonts.check("700 20px 'Buraco Index'", '10'),
        [...document.fonts].filter(font => font.status === 'loaded').map(font => font.family.replaceAll('"', ''))];
}"""
#: Indices that are wider inside than out, or hang over the edge of their card.
_CLIPPED: Final = """() => [...document.querySelectorAll('.card .index')].filter(one => {
    const box = one.getBoundingClientRect(), card = one.closest('.card').getBoundingClientRect();
    return one.scrollWidth > one.clientWidth || box.left < card.left || box.right > card.right;
}).map(one => `${one.textContent} ${one.scrollWidth} > ${one.clientWidth}`)"""
#: The colour of the cards of each suit in the hand, and the colours of the paper under them.
_COLOURS: Final = """() => Object.fromEntries([...'shcd'].map(suit => {
    const card = document.querySelector(`[data-zone=hand] [data-card$="${suit}"]`);
    return [suit, getComputedStyle(card).color];
}))"""
_PAPERS: Final = """() => [...document.querySelectorAll('[data-zone=hand] [data-card]')].flatMap(card => {
    const style = getComputedStyle(card);
    return [style.backgroundColor, ...(style.backgroundImage.match(/rgb\\([^)]*\\)/g) ?? [])];
}).filter(one => !one.startsWith('rgba'))"""
_LEFT_TO_RIGHT: Final = """zones => zones.flatMap(zone => {
    const found = [...document.querySelectorAll(`[data-zone=${zone}]`)];
    if (found.length === 0) return [`no ${zone}`];
    return found.flatMap(one => {
        const cards = [...one.querySelectorAll('[data-card]')];
        const rows = Map.groupBy(cards, card => Math.round(card.getBoundingClientRect().top / 24));
        const order = [...rows.values()].every(row => row.every((card, at) =>
            at === 0 || card.getBoundingClientRect().left > row[at - 1].getBoundingClientRect().left));
        const edge = cards.every(card => {
            const index = card.querySelector('.index, .word').getBoundingClientRect();
            const box = card.getBoundingClientRect();
            return index.left - box.left < box.width / 4;
        });
        return [...(order ? [] : [`order of ${zone}`]), ...(edge ? [] : [`index in ${zone}`]),
            ...(getComputedStyle(one).direction === 'ltr' ? [] : [`direction of ${zone}`])];
    });
})"""


def _set(page: Page, **settings: object) -> None:
    """Choose settings as the page keeps them, and load it anew."""
    page.evaluate(
        """change => localStorage.setItem('buraco.settings',
        JSON.stringify({ ...JSON.parse(localStorage.getItem('buraco.settings')), ...change }))""",
        settings,
    )
    page.reload()


def test_6_the_index_font_is_ours_and_there_before_the_first_deal(visit: Callable[..., Visit]) -> None:
    """6. In the waiting room the font is loaded, from our own origin."""
    guest = visit("P")
    fonts: list[str] = []
    guest.page.on("response", lambda answer: fonts.append(answer.url) if answer.url.endswith(".woff2") else None)
    at_room(guest)
    ready, families = guest.page.evaluate(_FONTS)
    assert ready
    assert "Buraco Index" in families
    assert fonts
    assert all(url.startswith(guest.house.address) for url in fonts)


def test_6_no_index_is_clipped(visit: Callable[..., Visit]) -> None:
    """6. "10" and every letter, at every size of cards, with each of the index letters."""
    guest = visit("P")
    guest.stage(middle())
    faults = []
    for size in ("normal", "big"):
        for letters in ("int", "ru", "it", "bg", "fr", "de"):
            _set(guest.page, indexLetters=letters, cardSize=size)
            guest.hand().first.wait_for()
            assert guest.page.evaluate(_FONTS)[0]
            assert guest.page.locator("[data-zone=hand] .index", has_text="10").count() > 0
            faults += [f"{letters} {size}: {one}" for one in guest.page.evaluate(_CLIPPED)]
    assert faults == []


def _light(colour: str) -> float:
    """Return the relative luminance of a colour as the page writes it."""
    parts = [int(part) / 255 for part in colour[colour.index("(") + 1 : colour.index(")")].split(",")[:3]]
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def _contrast(one: str, other: str) -> float:
    low, high = sorted((_light(one), _light(other)))
    return (high + 0.05) / (low + 0.05)


def test_7_suits_have_four_colours_or_two_that_stand_out(visit: Callable[..., Visit]) -> None:
    """7. Four or two computed colours, each with 4.5 : 1 on the paper of every card; the choice survives a reload."""
    guest = visit("P")
    guest.stage(middle())
    page = guest.page
    for count in (4, 2):
        if count == 2:
            open_sheet(page, "settings")
            page.get_by_role("switch", name="Four colours").uncheck()
            page.keyboard.press("Escape")
        for _ in range(2):
            colours: dict[str, str] = page.evaluate(_COLOURS)
            assert len(set(colours.values())) == count
            papers = set(page.evaluate(_PAPERS))
            assert len(papers) >= 2, "plain cards and court cards"
            for colour in colours.values():
                assert min(_contrast(colour, paper) for paper in papers) >= 4.5, (colour, papers)
            page.reload()
            guest.hand().first.wait_for()


def test_8_big_cards_are_bigger_and_still_fit(visit: Callable[..., Visit]) -> None:
    """8. A quarter wider at least on a phone, with few cards and many, every card with its strip, no scrolling."""
    player = Player(visit("P"))
    counts = (11, 22, 30, 40)
    positions = [full_table(count, melds=2, other_melds=2) for count in counts]
    player.sit(positions[0])
    before = [_first_width(player, position) for position in positions]
    _set(player.page, cardSize="big")
    player.visit.hand().first.wait_for()
    for count, position, width in zip(counts, positions, before, strict=True):
        assert _first_width(player, position) >= 1.25 * width, count
        strips = player.page.evaluate(STRIPS, "[data-zone=hand]")
        assert len(strips) == count
        assert min(strips) >= 24, (count, strips)
        assert player.page.evaluate(OVERFLOW) == [0, 0], count


def _first_width(player: Player, position: Position) -> float:
    """Put a position on the table; return how wide the first card of the hand is."""
    player.put(position)
    box = player.visit.hand().first.bounding_box()
    assert box is not None, "it is on the page"
    return box["width"]


@pytest.mark.parametrize("view", ["P", "D"])
def test_9_from_right_to_left_the_cards_stay(visit: Callable[..., Visit], view: str) -> None:
    """9. With a right-to-left language the chrome is mirrored; hand, melds and piles go from left to right."""
    guest = visit(view, language="ar-x")
    guest.stage(middle())
    page = guest.page
    assert page.evaluate("[document.documentElement.dir, document.documentElement.lang]") == ["rtl", "ar"]
    menu, chat = (page.locator(f"[data-action={name}]").bounding_box() for name in ("menu", "chat"))
    assert menu is not None
    assert chat is not None
    assert menu["x"] > chat["x"]
    width = page.viewport_size
    assert width is not None
    assert menu["x"] + menu["width"] > width["width"] - (16 if view == "P" else 24)
    assert page.evaluate(_LEFT_TO_RIGHT, ["hand", "pile", "meld-1", "meld-2"]) == []
    stock, pile = guest.zone("stock").bounding_box(), guest.zone("pile").bounding_box()
    assert stock is not None
    assert pile is not None
    assert stock["x"] < pile["x"]
    assert page.evaluate(OVERFLOW) == [0, 0]


@pytest.mark.parametrize(("locale", "letters", "jack"), [("ru-RU", "ru", "В"), ("it-IT", "int", "J")])
def test_10_index_letters_are_preset_once(visit: Callable[..., Visit], locale: str, letters: str, jack: str) -> None:
    """10. By the language at the first visit; a later change of language leaves them."""
    guest = visit("D", language="", locale=locale)
    page = guest.page
    guest.open("/settings")
    language = page.locator("select.input").first
    expect(language).to_have_value(locale.split("-")[0])
    select = page.locator("select.input").nth(1)
    expect(select).to_have_value(letters)
    language.select_option("es")
    expect(page.locator("html")).to_have_attribute("lang", "es")
    expect(select).to_have_value(letters)
    guest.stage(position_of("aberto", "3h 4h Jh Qh Kh Ah Td"))
    shown = page.locator("[data-zone=hand] .index")
    assert jack in shown.all_inner_texts()
    if letters == "ru":
        assert {"Т", "К", "Д", "В"} <= set(shown.all_inner_texts())
    _set(page, indexLetters="fr")
    guest.hand().first.wait_for()
    assert "V" in shown.all_inner_texts()


_KINDS: Final = {
    "aberto": {
        "As 2s 3s 4s 5s 6s 7s 8s 9s Ts Js Qs Ks": "Clean 13",
        "Ah 2h 3h 4h 5h 6h 7h 8h 9h Th Jh Qh Kh Ah": "Clean 14",
        "3c 4c 5c 6c 7c 8c 9c": "Clean",
        "5d 6d X=7 8d 9d Td Jd": "Dirty",
    },
    "burraco-fibur": {
        "3c 4c 5c 6c 7c 8c 9c": "Clean",
        "5d 6d X=7 8d 9d Td Jd": "Dirty",
        "3s 4s 5s 6s 7s 8s 9s X=T": "Semi-clean",
    },
}


@pytest.mark.parametrize("rules", sorted(_KINDS))
def test_25_a_canasta_says_its_kind_and_its_wild_is_marked(visit: Callable[..., Visit], rules: str) -> None:
    """25. As text, with what it is worth; the wild is marked by an outline, and in words for those who do not see."""
    guest = visit("D")
    kinds = _KINDS[rules]
    guest.stage(position_of(rules, "4h 5h Kd", melds=list(kinds), mortos="mine theirs"))
    for number, (meld, kind) in enumerate(kinds.items(), 1):
        zone = guest.zone(f"meld-{number}")
        expect(zone.locator("em")).to_contain_text(kind)
        assert zone.locator("em").inner_text().split(" · ")[0] == kind
        wild = zone.locator("[data-wild]")
        assert wild.count() == ("=" in meld)
        if "=" in meld:
            assert wild.get_attribute("data-card") == "X"
            assert "Joker as wild" in str(zone.get_attribute("aria-label"))
            assert _ring(wild) != _ring(zone.locator("[data-card]").first)


def _ring(card: Any) -> str:
    return str(
        card.evaluate("""card => ['', '::after', '::before'].map(part => {
            const style = getComputedStyle(card, part || null);
            return [style.boxShadow, style.outline, style.borderColor, style.borderWidth].join();
        }).join(';')""")
    )


def test_41_the_focus_stays_on_its_card(visit: Callable[..., Visit]) -> None:
    """41. After a sort, a reorder and a meld of other cards the focus is on the same card, and is seen."""
    guest = visit("D")
    player = Player(guest, "keyboard")
    guest.stage(middle())
    page = guest.page
    card = player.card("Kh")
    player.walk(card)
    key = key_of(card)
    same = page.locator(f'[data-zone=hand] [data-key="{key}"]')
    for press in ("s", "s", "Control+ArrowLeft", "Control+ArrowLeft", "Control+ArrowRight"):
        page.keyboard.press(press)
        expect(same).to_be_focused()
        assert same.evaluate("card => getComputedStyle(card).outlineStyle") != "none"
    player.select("Td", "Jd", "Qd")
    player.walk(same)
    page.keyboard.press("m")
    expect(guest.zone("meld-5")).to_be_visible()
    expect(guest.hand()).to_have_count(10)
    expect(same).to_be_focused()


def test_41_dialogs_take_the_focus_and_give_it_back(visit: Callable[..., Visit]) -> None:
    """41. It goes into the dialog, stays within it, and comes back to what opened it."""
    guest = visit("D")
    guest.stage(middle())
    page = guest.page
    openers = {"[data-action=menu]": "Enter", "[data-zone=pile]": "Enter"}
    for opener, press in openers.items():
        page.locator(opener).focus()
        page.keyboard.press(press)
        page.locator("dialog[open]").wait_for()
        for _ in range(25):
            inside = page.evaluate("document.activeElement.closest('dialog[open]') !== null")
            outside = page.evaluate("document.activeElement === document.body")
            assert inside or outside, "the focus left the dialog for the page under it"
            page.keyboard.press("Tab")
        page.keyboard.press("Escape")
        expect(page.locator("dialog[open]")).to_have_count(0)
        expect(page.locator(opener)).to_be_focused()
    guest.hand().nth(3).focus()
    page.keyboard.press("?")
    expect(page.locator("dialog[open]")).to_be_visible()
    page.keyboard.press("Escape")
    expect(guest.hand().nth(3)).to_be_focused()


@pytest.mark.parametrize("closing", ["Escape", "the button", "the shade"])
def test_41_a_key_right_after_a_dialog_is_closed_is_obeyed(visit: Callable[..., Visit], closing: str) -> None:
    """A browser tells in a later task that a dialog is closed; here, as from fast hands, the key comes before it."""
    guest = visit("D")
    guest.stage(middle())
    page = guest.page
    page.locator("[data-zone=pile]").click()
    expect(page.locator("dialog[open]")).to_contain_text("Pile")
    page.evaluate(
        """async (closing) => {
            const dialog = document.querySelector("dialog[open]");
            const press = (where, key) =>
                where.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
            if (closing === "Escape") press(document.activeElement, "Escape");
            else if (closing === "the button") dialog.querySelector(".close").click();
            else
                for (const kind of ["pointerdown", "click"])
                    dialog.dispatchEvent(new PointerEvent(kind, { bubbles: true }));
            for (let turns = 0; turns < 20; turns += 1) await null;
            press(document.body, "?");
        }""",
        closing,
    )
    expect(page.locator("dialog[open] h2").first).to_have_text("Keys")
    page.evaluate("new Promise((done) => setTimeout(() => requestAnimationFrame(() => requestAnimationFrame(done))))")
    expect(page.locator("dialog[open] h2").first).to_have_text("Keys")


@pytest.mark.parametrize(("large", "least"), [(False, 80), (True, 70)])
def test_the_title_of_a_table_is_read_on_the_smallest_phone(
    visit: Callable[..., Visit], large: bool, least: int
) -> None:
    """Beside a score of four digits so many pixels at least are left for it, in every language."""
    player = Player(visit("XS", settings={"largePrint": large}))
    player.sit(position_of("burraco-fibur", "4c 9d Ks Qh", totals=(1285, 1940)))
    faults: list[str] = []
    for language in ("en", "pt-BR", "it", "es", "ru", "bg"):
        player.speak(language)
        title, score = player.page.evaluate(
            """() => [document.querySelector('h1').clientWidth,
                [...document.querySelectorAll('[data-action=score] *')].some(one => one.scrollWidth > one.clientWidth
                    && getComputedStyle(one).display !== 'inline' && getComputedStyle(one).display !== 'contents')]"""
        )
        if title < least or score:
            faults.append(f"{language}: {title} px, score cut: {score}")
    assert faults == []
