"""Replay, the check of shuffles, reports: recorded matches move by move, held against their seeds, and files that say
what is wrong without telling what is hidden."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Final

import pytest
from playwright.sync_api import Page, expect

from buraco.notation import Record, SeatRecord, format_record, parse_position, record_json_text
from tests.e2e.axe import violations
from tests.e2e.measures import ROOM
from tests.e2e.scenes import at_between, at_finished, middle, open_sheet
from tests.e2e.views import LANGUAGES, Visit
from tests.unit.fair_match import FairTable, fair_record, with_deal

#: The moves of the second deal of the record of these tests.
_MOVES: Final = 24
#: Everything of a replay as it stands in the page; in which order classes were set is no part of it.
_SEEN: Final = """() => {
    const told = one => {
        if (one.nodeType === Node.TEXT_NODE) return one.data;
        if (one.nodeType !== Node.ELEMENT_NODE) return '';
        const attributes = [...one.attributes].map(({ name, value }) =>
            `${name}=${name === 'class' ? value.split(/\\s+/).sort().join(' ') : value}`).sort();
        return [one.tagName, attributes, [...one.childNodes].map(told).filter(part => part !== '')];
    };
    return JSON.stringify(told(document.querySelector('[data-replay]')), null, 1);
}"""
_OVERFLOWS: Final = """() => [...document.querySelectorAll('[data-replay] :is(button, h1, h3, p, label, span), main *')]
    .filter(one => one.checkVisibility() && one.getBoundingClientRect().right > innerWidth + 1)
    .map(one => one.outerHTML.slice(0, 120))"""


def short() -> Record:
    """Return a match of two deals at an honest table, the second broken off after some moves."""
    return fair_record("aberto", 4, last=_MOVES)


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str, str], Path]:
    """Write a record file, for a page to read."""
    folder = tmp_path_factory.mktemp("records")

    def write(name: str, text: str) -> Path:
        path = folder / name
        path.write_text(text, encoding="utf-8")
        return path

    return write


def show(guest: Visit, path: Path, query: str = "") -> Page:
    """Open a record file on the page of replays."""
    page = guest.page
    if page.url.startswith("http"):
        # The last file stays as long as the tab.
        page.evaluate("sessionStorage.clear()")
    guest.open(f"/replay{query}")
    page.locator("[data-action=record-file]").set_input_files(path)
    page.locator("[data-replay][data-move]").wait_for()
    return page


def at(page: Page, deal: int, move: int) -> None:
    """Wait until a move of a deal is shown."""
    page.locator(f"[data-replay][data-deal='{deal}'][data-move='{move}']").wait_for()


Files = Callable[[str, str], Path]


def test_36_stepping_to_the_end_and_back_gives_the_same_page_as_stepping_straight(
    visit: Callable[..., Visit], files: Files
) -> None:
    """36. The same DOM on every way; the address keeps deal and move; keys, deals and seats."""
    guest, path = visit("D"), files("short.txt", format_record(short()))
    page = show(guest, path, "?deal=2&move=12")
    at(page, 2, 12)
    straight = page.evaluate(_SEEN)
    page.keyboard.press("End")
    at(page, 2, _MOVES)
    page.keyboard.press("Home")
    at(page, 2, 0)
    for _ in range(_MOVES + 2):
        page.keyboard.press("ArrowRight")
    at(page, 2, _MOVES)
    for _ in range(_MOVES - 12):
        page.keyboard.press("ArrowLeft")
    at(page, 2, 12)
    assert page.evaluate(_SEEN) == straight
    page.wait_for_url("**/replay?deal=2&move=12")
    page.locator("[data-action=replay-deal]").select_option("1")
    at(page, 1, 0)
    # A deal that has ended has its score, and no way to a match that the server does not know.
    page.keyboard.press("End")
    page.locator("[data-panel=score] [data-sheet='1']").wait_for(state="attached")
    assert page.locator("[data-shuffle]").count() == 0
    page.keyboard.press("PageDown")
    at(page, 2, 0)
    page.keyboard.press("ArrowLeft")
    page.locator("[data-replay][data-deal='1']").wait_for()
    page.keyboard.press("ArrowRight")
    at(page, 2, 0)
    # As one seat saw it: no card of another hand is in the page.
    page.locator("[data-action=replay-eyes]").select_option("2")
    expect(page.locator("[data-zone=hand-0] [data-card]")).to_have_count(0)
    expect(page.locator("[data-zone=hand-2] [data-card]")).to_have_count(11)
    page.wait_for_url("**/replay?deal=2&move=0&seat=2")
    page.reload()
    at(page, 2, 0)
    expect(page.locator("[data-zone=hand-2] [data-card]")).to_have_count(11)
    # It plays by itself to the end, and stops there.
    for _ in range(2):
        page.locator("[data-action=replay-speed]").click()
    page.locator("[data-action=replay-move]").fill(str(_MOVES - 2))
    page.evaluate("document.activeElement.blur()")
    page.keyboard.press("Space")
    at(page, 2, _MOVES)
    page.locator("[data-action=replay-play]").wait_for()


def test_a_changed_action_is_refused_at_its_place_with_the_reason_and_the_rule(
    visit: Callable[..., Visit], files: Files
) -> None:
    lines = format_record(short()).splitlines()
    place = next(index for index, line in enumerate(lines) if line.startswith("turn 3 "))
    lines[place] = re.sub(r"discard \w+", "discard X", lines[place])
    before = sum(line.count(";") + 1 for line in lines[:place] if line.startswith("turn "))
    wrong = before + lines[place].split("; ").index("discard X" if "; " in lines[place] else "") + 1
    guest = visit("P", expected=("422",))
    page = show(guest, files("changed.txt", "\n".join(lines)))
    fault = page.locator("[data-fault]")
    fault.wait_for()
    assert fault.get_attribute("data-fault") == "card_not_held"
    assert (fault.get_attribute("data-fault-deal"), fault.get_attribute("data-fault-move")) == ("1", str(wrong))
    expect(fault).to_contain_text("Discard Joker")
    expect(fault).not_to_contain_text("discard X")
    fault.locator("[data-rule]", has_text="section 3. A turn").click()
    expect(page.locator("dialog[open] .here")).to_be_in_viewport()
    page.keyboard.press("Escape")
    at(page, 1, wrong - 1)
    page.locator("[data-action=replay-first]").click()
    at(page, 1, 0)
    expect(fault).to_have_count(0)
    # A card that was never dealt, a wrong score, and what is no record at all.
    deal = short().deals[0]
    outcome = deal.outcome
    assert outcome is not None
    scored = replace(deal, outcome=replace(outcome, scores=(outcome.scores[0] + 5, outcome.scores[1])))
    for name, text, code in (
        ("scored.txt", format_record(replace(short(), deals=(scored, *short().deals[1:]))), "record_outcome"),
        ("dealer.txt", format_record(with_deal(short(), 2, dealer=(short().deals[1].dealer + 1) % 4)), "record_deal"),
    ):
        page = show(guest, files(name, text))
        expect(page.locator(f"[data-fault={code}]")).to_be_visible()
    guest.open("/replay")
    page.locator("[data-action=menu]").click()
    page.locator("[data-open=other]").click()
    page.locator("[data-action=record-file]").set_input_files(files("large.txt", "x" * 4_000_001))
    expect(page.get_by_role("alert")).to_contain_text("too large")
    page.locator("[data-action=record-file]").set_input_files(files("none.txt", "nothing"))
    expect(page.get_by_role("alert")).to_contain_text("line 1")


class _Swapped(FairTable):
    """A server that exchanges two cards of the first pack after it has seen them."""

    def pack(self, deal: int) -> tuple[int, ...]:
        pack = list(super().pack(deal))
        if deal == 1:
            other = next(index for index, card in enumerate(pack) if card != pack[0])
            pack[0], pack[other] = pack[other], pack[0]
        return tuple(pack)


def test_a_good_shuffle_holds_without_webcrypto_and_a_cheat_is_named(visit: Callable[..., Visit], files: Files) -> None:
    guest = visit("P")
    guest.page.add_init_script("Object.defineProperty(crypto, 'subtle', { value: undefined })")
    page = guest.page

    def check(name: str, text: str, verdict: str) -> None:
        guest.open("/fair")
        page.locator("[data-action=record-file]").set_input_files(files(name, text))
        page.locator(f"[data-fair={verdict}]").wait_for()

    check("good.txt", format_record(short()), "holds")
    expect(page.locator("[data-fair]")).to_have_attribute("data-fair-deals", "2")
    check("good.json", record_json_text(fair_record("burraco", 2, last=_MOVES)), "holds")
    check("seed.txt", format_record(with_deal(short(), 2, revealed_seed="ab" * 32)), "broken")
    page.locator("[data-finding=commitment_broken]").wait_for()
    swapped = _Swapped("aberto").play(last=_MOVES, with_packs=True)
    check("swapped.txt", format_record(swapped), "broken")
    expect(page.locator("[data-finding=pack]")).to_contain_text("card 1 of the pack")
    # Without its packs the record is played with what the seeds give: cards that nobody was dealt are found then.
    bare = replace(swapped, deals=tuple(replace(deal, pack=None) for deal in swapped.deals))
    check("bare.txt", format_record(bare), "broken")
    expect(page.locator("[data-finding=replay]")).to_have_text(re.compile(r"[^.]\.$"))


def test_a_finished_match_is_watched_again_and_its_shuffle_checked_from_the_result(
    visit: Callable[..., Visit],
) -> None:
    guest = visit("D", expected=("404",))
    at_finished(guest)
    page = guest.page
    fair = page.locator("a[href^='/fair/']").get_attribute("href")
    page.locator("a[href^='/replay/']").click()
    page.locator("[data-replay][data-move]").wait_for()
    assert re.search(r"/replay/[\w-]+/1", page.url)
    page.locator("[data-action=menu]").click()
    link = page.locator("[data-action=replay-link]").input_value()
    assert link.endswith(f"deal=1&move={page.locator('[data-replay]').get_attribute('data-move')}")
    page.locator("[data-open=report]").click()
    report = page.locator("[data-report]")
    expect(report).to_contain_text(re.compile(r"\nshuffle: [0-9a-f]{64}\n"))
    table = guest.snapshot()["table"]
    assert table["table"] in page.url
    assert [name for name in (table["table"], table["code"]) if name in (report.text_content() or "")] == []
    assert fair is not None
    guest.open(fair)
    page.locator("[data-fair]:not([data-fair=going])").wait_for()
    guest.open(f"{fair[:-1]}9")
    expect(page.get_by_role("alert")).to_contain_text("no record")


def test_the_shuffles_of_deals_that_ended_are_checked_beside_their_score(visit: Callable[..., Visit]) -> None:
    """Between two deals, where a score stands; before a deal has ended there is nothing to check."""
    guest = visit("P")
    guest.stage(middle())
    page = guest.page
    open_sheet(page, "score")
    assert page.locator("[data-shuffle]").count() == 0
    at_between(guest)
    page.locator("[data-stage=between] [data-action=fair]").click()
    # A deal that a test has put on the table is not the one that was shuffled: that is said as well.
    page.locator("[data-fair=broken][data-fair-deals='1'] [data-finding=replay]").wait_for()
    assert page.evaluate("document.scrollingElement.scrollWidth <= innerWidth")


def test_a_report_of_a_running_match_holds_nothing_hidden_and_is_only_saved(visit: Callable[..., Visit]) -> None:
    guest = visit("D")
    guest.stage(middle())
    page = guest.page
    asked: list[str] = []
    table = guest.house.table(guest.code).fold.options.table
    open_sheet(page, "report")
    page.locator("[data-report]").wait_for(state="attached")
    page.on("request", lambda request: asked.append(request.method))
    page.locator("[data-panel=report] textarea").fill("The <b>pile</b> is wrong\nhere.")
    with page.expect_download() as download:
        page.locator("[data-action=save-report]").click()
    text = Path(str(download.value.path())).read_text("utf-8")
    assert asked == []
    assert "The <b>pile</b> is wrong\nhere." in text
    assert "version: " in text
    # Both would let whoever reads the file in.
    assert [name for name in (guest.code, table) if name in text + download.value.suggested_filename] == []
    position = parse_position(text.split("[position]\n")[1].split("\n")[0])
    host = guest.house.table(guest.code).fold.host
    assert host is not None
    assert position == host.view(0).position
    assert [hand is None for hand in position.hands] == [False, True, True, True]


def test_a_report_of_a_replay_holds_what_the_chosen_seat_saw(visit: Callable[..., Visit], files: Files) -> None:
    guest = visit("P")
    page = show(guest, files("report.txt", format_record(short())), "?deal=2&move=5&seat=1")
    at(page, 2, 5)
    page.locator("[data-action=menu]").click()
    page.locator("[data-open=report]").click()
    report = page.locator("[data-report]")
    expect(report).to_contain_text("deal 2, move 5, seat 1")
    text = report.text_content() or ""
    position = parse_position(text.split("[position]\n")[1].split("\n")[0])
    assert [hand is None for hand in position.hands] == [True, False, True, True]
    assert "asked again" not in text
    # With all hands open the bot that took the step is asked again; the record keeps no reasons.
    played = replace(short(), seats=tuple(SeatRecord("club", "club") for _ in range(4)))
    page = show(guest, files("bots.txt", format_record(played)), "?deal=2&move=5")
    at(page, 2, 5)
    page.locator("[data-action=menu]").click()
    page.locator("[data-open=report]").click()
    expect(report).to_contain_text(re.compile(r"\[reasons\]\nasked again, seat \d \(club\) \w+"))


def test_on_a_phone_the_names_of_all_four_are_whole_beside_their_seats_and_the_score(
    visit: Callable[..., Visit], files: Files
) -> None:
    page = show(visit("P"), files("names.txt", format_record(short())))
    names = page.locator(".seats b, .top .score small")
    expect(names).to_have_text(["Seat 0 and Seat 2", "Seat 1 and Seat 3", *(f"Seat {seat}" for seat in range(4))])
    assert names.evaluate_all("all => all.filter(one => one.scrollWidth > one.clientWidth).length") == 0


def test_the_pages_are_accessible_and_fit_in_every_language(visit: Callable[..., Visit], files: Files) -> None:
    guest, path = visit("XS", bypass_csp=True), files("fits.txt", format_record(short()))
    page = show(guest, path, "?deal=1&move=9")
    at(page, 1, 9)
    for language in (*LANGUAGES, "ar-x"):
        guest.open(f"/replay?lang={language}&deal=1&move=9")
        at(page, 1, 9)
        assert page.evaluate("document.scrollingElement.scrollWidth <= innerWidth")
        assert page.evaluate(_OVERFLOWS) == [], language
    assert violations(page) == []
    page.locator("[data-action=menu]").click()
    page.locator("[data-open=fair]").click()
    page.locator("[data-fair=holds]").wait_for()
    assert violations(page) == []


@pytest.mark.parametrize("view", ["P", "XS"])
def test_on_a_phone_the_melds_share_their_room_and_the_choices_are_read(
    visit: Callable[..., Visit], files: Callable[[str, str], Path], view: str
) -> None:
    page = show(visit(view), files("ends.txt", format_record(short())), "?deal=1&move=0")
    page.locator("[data-action=replay-last]").click()
    page.locator("[data-action=replay-last][aria-disabled=true]").wait_for()
    (their_scroll, their_spare), (our_scroll, our_spare) = page.evaluate(ROOM)
    assert our_scroll <= 1 or their_spare < 60
    assert their_scroll <= 1 or our_spare < 60
    for choice in ("replay-deal", "replay-eyes"):
        box = page.locator(f"[data-action={choice}]").bounding_box()
        assert box is not None
        assert box["width"] >= 70, choice
    place = page.locator("output[data-move]").bounding_box()
    assert place is not None
    assert place["height"] < 30, "it is one line"


def test_a_record_that_cannot_be_read_is_told_in_the_readers_language(
    visit: Callable[..., Visit], files: Callable[[str, str], Path]
) -> None:
    guest = visit("P", language="ru", expected=("422",))
    guest.open("/replay")
    lines = format_record(short()).splitlines()
    place = next(index for index, line in enumerate(lines) if line.startswith("dealer:"))
    broken = "\n".join((*lines[: place + 1], *lines[place:]))
    for name, text, told in (
        ("twice.txt", broken, f"строка {place + 2}: dealer указано дважды"),
        ("empty.json", "{}", "запись начинается с format buraco-record и version 1"),
        ("comma.json", '{"format": 1,}', "это не JSON"),
    ):
        guest.page.locator("[data-action=record-file]").set_input_files(files(name, text))
        expect(guest.page.get_by_role("alert")).to_contain_text(told)
        guest.open("/")
        guest.page.evaluate("sessionStorage.clear()")
        guest.open("/replay")
