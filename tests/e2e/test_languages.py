"""The languages of the pages: what criterion 39 asks of them, and the case of every rule set in each."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping
from importlib.resources import files
from typing import Any, Final

import pytest
from playwright.sync_api import Page, expect

from buraco.cards import parse_card
from buraco.engine import Deal, ordered_pack
from buraco.notation import parse_action
from buraco.rules import RULE_SETS
from tests.e2e.hands import Player
from tests.e2e.measures import CUT, INSIDE, OVERFLOW
from tests.e2e.scenes import at_room, middle, open_sheet
from tests.e2e.tour import MORE_SHEETS, SHEETS, tour_pages, tour_table
from tests.e2e.views import LANGUAGES, Visit
from tests.rules.positions import position_of

MOTION: Final = "reduce"
_COUNTS: Final = (1, 2, 5, 21, 104)
#: Sheets whose words come from the catalogue alone.
_SHEETS: Final = ("score", "log", "chat", "about", "match", "invite", "shortcuts", "settings")
#: What is read or heard on the page, piece by piece, with its element; words of people and of the server aside.
_WORDS: Final = """() => {
    const out = [];
    const seen = one => one.checkVisibility({ visibilityProperty: true });
    const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = walk.nextNode(); node; node = walk.nextNode()) {
        const parent = node.parentElement;
        if (parent.closest('script, style, .rules, [data-untranslated], code, kbd, .card')) continue;
        if (parent.matches('option[lang]')) continue;
        if (node.data.trim() !== '' && (seen(parent) || parent.tagName === 'OPTION')) out.push(node.data.trim());
    }
    for (const one of document.querySelectorAll('[aria-label], [title], [placeholder], [alt]'))
        for (const name of ['aria-label', 'title', 'placeholder', 'alt'])
            if (one.hasAttribute(name) && one.getAttribute(name) !== '') out.push(one.getAttribute(name));
    return [...new Set([...out, document.title])];
}"""


def _flat(texts: Mapping[str, Any], before: str = "") -> Iterator[tuple[str, str | Mapping[str, str]]]:
    """Return every text of a catalogue by its key, one with plural forms whole."""
    for key, value in texts.items():
        path = f"{before}{key}"
        if isinstance(value, str) or set(value) <= {"zero", "one", "two", "few", "many", "other"} and "other" in value:
            yield path, value
        else:
            yield from _flat(value, f"{path}.")


def _catalogue(language: str) -> dict[str, str | Mapping[str, str]]:
    text = files("buraco.texts").joinpath(f"{language}.json").read_text(encoding="utf-8")
    return dict(_flat(json.loads(text)))


def test_39_every_key_is_in_every_catalogue_with_the_plural_forms_that_the_browser_asks_for(
    visit: Callable[..., Visit],
) -> None:
    """39. The browser itself says which form goes with 1, 2, 5, 21 and 104; each is there in each language."""
    guest = visit("P")
    guest.open("/settings")
    english = _catalogue("en")
    for language in LANGUAGES:
        texts = _catalogue(language)
        assert set(texts) == set(english), language
        forms = guest.page.evaluate(
            "([code, counts]) => counts.map(n => new Intl.PluralRules(code).select(n))", [language, _COUNTS]
        )
        counted = {key: text for key, text in texts.items() if not isinstance(text, str)}
        assert counted
        for key, text in counted.items():
            assert set(forms) <= set(text), (language, key)
    assert len(set(forms)) == 2, "Bulgarian parts one from many"


@pytest.mark.parametrize(
    ("language", "words"),
    [
        ("en", {1: "1 card", 2: "2 cards", 5: "5 cards", 21: "21 cards"}),
        ("ru", {1: "1 карта", 2: "2 карты", 5: "5 карт", 21: "21 карта"}),
        ("it", {1: "1 carta", 2: "2 carte", 5: "5 carte", 21: "21 carte"}),
    ],
)
def test_39_counts_are_said_in_the_right_form(
    visit: Callable[..., Visit], language: str, words: dict[int, str]
) -> None:
    """39. The hand says how many cards it has, in the form that the number needs."""
    guest = visit("P", language=language)
    for count, said in words.items():
        hand = " ".join(f"{rank}{suit}" for suit in "hcs" for rank in "3456789TJQK")
        guest.stage(position_of("aberto", " ".join(hand.split()[:count])))
        expect(guest.zone("hand")).to_have_attribute("aria-label", re.compile(rf"(^|\D){said}$"))


@pytest.mark.parametrize(("language", "spoken"), [("qps", "en"), ("ar-x", "ar")])
def test_39_nothing_overflows_in_languages_that_are_made_to_try_it(
    visit: Callable[..., Visit], language: str, spoken: str
) -> None:
    """39. Pages, table, sheets and score, with long words and from right to left; the real ones stand beside axe."""
    guest = visit("P", language=language, expected=("404",))
    guest.moves = True
    page = guest.page
    faults: list[str] = []

    def look(where: str) -> None:
        faults.extend(f"{where}: {one}" for one in page.evaluate(CUT))
        wide, high = page.evaluate(OVERFLOW)
        if wide or (high and where == "own turn"):
            faults.append(f"{where}: scrolls by {wide}, {high}")

    tour_pages(guest, look)
    expect(page.locator("html")).to_have_attribute("lang", spoken)
    tour_table(guest, look, (*SHEETS, *MORE_SHEETS))
    assert faults == []


_PACK: Final = ordered_pack(RULE_SETS["aberto"])
#: What there may be to do, the longest texts among it: a position, what is done in it first, and the code of the duty.
_DUTIES: Final = (
    (Deal.from_pack(RULE_SETS["aberto"], 4, _PACK, dealer=3).position(), "draw", "must_choose"),
    (
        position_of("aberto", "Ah 2h 3h 8s 9s Ts Js Qs 4h 6d", opening_need=(75, 0), opened=(False, True)),
        "meld Ah 2h 3h",
        "opening",
    ),
    (position_of("burraco", "4c 9d Ks Qh"), "", "discard"),
    (position_of("burraco", "4c 9d Ks Qh", barred_card=parse_card("4c"), took_single=True), "", "barred"),
    (position_of("fechado", "6h 7h Ks Qd", phase="draw", pile="4c 9s 8h", melds=["8s 9s Ts"]), "pile", "use_top"),
)
#: The line of duties: how many lines it has, and whether something of it is cut.
_LINES: Final = """() => {
    const line = document.querySelector('[data-duties]').parentElement;
    const range = document.createRange();
    range.selectNodeContents(line);
    const tops = new Set([...range.getClientRects()].filter(box => box.width > 1).map(box => Math.round(box.top / 6)));
    return [tops.size, line.scrollHeight - line.clientHeight, line.scrollWidth - line.clientWidth];
}"""


def _duty_faults(page: Page, language: str, code: str, most: int) -> list[str]:
    """Return what is wrong with a duty that is to be read in a language, in so many lines at most."""
    line = page.locator("[data-duties]")
    text = str(_catalogue(language)[f"duty.{code}"])
    expect(line).to_contain_text(text.split("{")[0].strip())
    faults = [str(one) for one in page.evaluate(CUT)]
    lines, high, wide = page.evaluate(_LINES)
    if lines > most or high > 1 or wide > 1:
        faults.append(f"{lines} lines, cut by {high} and {wide}")
    if page.evaluate(OVERFLOW) != [0, 0] or not page.evaluate(INSIDE, "[data-zone=hand] [data-card]"):
        faults.append("pushed out")
    return faults


@pytest.mark.parametrize(("view", "large", "most"), [("P", False, 2), ("XS", True, 4)])
def test_39_the_longest_duties_are_read_whole(visit: Callable[..., Visit], view: str, large: bool, most: int) -> None:
    """39. On a phone in two lines, in large print on the smallest in four; nothing around them is pushed out."""
    guest = visit(view, settings={"largePrint": large})
    player, rules = Player(guest), ""
    faults: list[str] = []
    for position, action, code in _DUTIES:
        if position.rules.name == rules:
            player.put(position)
        else:
            player.sit(position)
        rules = position.rules.name
        if action:
            player.perform(parse_action(action))
        for language in LANGUAGES:
            player.speak(language)
            faults += [f"{language}, {code}: {one}" for one in _duty_faults(guest.page, language, code, most)]
    assert faults == [], "\n".join(faults)


@pytest.mark.parametrize("language", LANGUAGES)
def test_39_the_rules_of_each_set_are_told_in_each_language(visit: Callable[..., Visit], language: str) -> None:
    """39. The ten pages of rules at the width of a phone: each has its title, and is written in the language."""
    guest = visit("P", language=language)
    page = guest.page
    guest.open("/rules")
    choice = page.locator("select.input").first
    titles = set()
    for name in RULE_SETS:
        choice.select_option(name)
        expect(page).to_have_url(re.compile(rf"/rules/{name}$"))
        title = choice.locator("option:checked").inner_text()
        expect(page.locator(".rules h1, .rules h2").first).to_contain_text(title)
        titles.add(title)
        assert page.evaluate(OVERFLOW)[0] == 0, name
        text = page.locator(".rules").inner_text()
        assert len(text) > 1500, name
        assert len(re.findall("[а-яА-Я]", text)) > 1000 if language in ("ru", "bg") else "а" not in text
    assert len(titles) == len(RULE_SETS)


#: Words that stand as they are in every language: names of people, rule sets and programs, codes, addresses, keys.
_KEPT: Final = re.compile(
    r"https?://\S+|Buraco(?: [A-Z][\w()]*)*|Burraco|Canasta|Ana\b|"
    r", and \[|\b[AP]M\b|\bQR\b|\b[A-Z0-9]{6}\b|JOKER|Ctrl|Esc|Enter|Home|End|Space"
)


def _said(told: object) -> list[str]:
    """Return the sentences of what the server told; it has no made-up language and says them in English."""
    if isinstance(told, str):
        return [told] if " " in told else []
    parts = told.values() if isinstance(told, dict) else told if isinstance(told, list) else ()
    return [text for part in parts for text in _said(part)]


def _foreign(page: Page, kept: list[str]) -> list[str]:
    """Return what is shown or heard and is not from the catalogue: its vowels have no accent."""
    found = []
    for text in page.evaluate(_WORDS):
        rest = text
        for one in sorted(kept, key=len, reverse=True):
            rest = rest.replace(one, "")
        rest = _KEPT.sub("", rest)
        if re.search(r"[A-Za-z]*[aeiouAEIOU][A-Za-z]+|[A-Za-z]+[aeiouAEIOU]", rest):
            found.append(text)
    return found


def test_39_every_visible_text_is_from_the_catalogue(visit: Callable[..., Visit]) -> None:
    """39. In the made-up language no text is left as it was, on the pages and at the table."""
    guest = visit("D", language="qps")
    page = guest.page
    offered = guest.context.request.get("/api/rule-sets").json()
    sets = offered["rule_sets"] if isinstance(offered, dict) else offered
    # The page sets the commands in what the server says off from its words.
    hint = re.split(
        r"--[a-z-]+(?: [\d.]+)?|make play [A-Z]+=[\d.]+", guest.context.request.get("/api/server").json()["hint"]
    )
    kept = [str(one["title"]) for one in sets] + [piece.strip() for piece in hint]
    # The tables of other tests on this server have people with names in them.
    page.route(re.compile(r"/api/tables(\?|$)"), lambda route: route.fulfill(json={"tables": []}))
    found: list[str] = []
    for path in ("/", "/create", "/rules", "/settings", "/account"):
        guest.open(path)
        page.locator("main h1").first.wait_for()
        found += [f"{path}: {one}" for one in _foreign(page, kept)]
    at_room(guest)
    found += [f"room: {one}" for one in _foreign(page, kept)]
    guest.stage(middle(phase="draw"))
    kept += _said(guest.snapshot())
    found += [f"draw: {one}" for one in _foreign(page, kept)]
    guest.house.stage(guest.code, middle())
    page.locator("[data-action=lay]").wait_for()
    kept += _said(guest.snapshot())
    for sheet in _SHEETS:
        open_sheet(page, sheet)
        found += [f"{sheet}: {one}" for one in _foreign(page, kept)]
        page.keyboard.press("Escape")
        expect(page.locator("dialog[open]")).to_have_count(0)
    assert found == [], "\n".join(found)


def test_39_a_text_outside_the_catalogue_is_found(visit: Callable[..., Visit]) -> None:
    """39. A planted text is found: the test above looks at something."""
    guest = visit("D", language="qps")
    guest.open("/settings")
    guest.page.locator("main h1").wait_for()
    guest.page.evaluate("document.querySelector('main h1').append('planted words')")
    assert any("planted words" in one for one in _foreign(guest.page, []))
