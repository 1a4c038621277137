"""The pages beside the table: home, creating a table, watching, rules, settings, account."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any, Final

from playwright.sync_api import Page, expect

from buraco.rules import RULE_SETS
from tests.e2e.scenes import middle, open_sheet
from tests.e2e.views import Visit

#: What the styles go by; the sounds that were asked for aside.
_ROOT: Final = "() => ({ ...document.documentElement.dataset, sound: '' })"


def _go_home(guest: Visit) -> Page:
    guest.open("/")
    guest.page.locator("main h1").wait_for()
    return guest.page


def _at_table(page: Page) -> str:
    """Wait for a table to be shown; return its code."""
    expect(page).to_have_url(re.compile("/t/[^/]+$"))
    page.locator("[data-table]").wait_for()
    return page.url.rsplit("/", 1)[1]


def test_one_click_leads_from_the_first_visit_to_the_cards(visit: Callable[..., Visit]) -> None:
    """Without an account, a name or a choice; what was chosen is there again at the next visit."""
    guest = visit("P", guest=False)
    page = _go_home(guest)
    page.get_by_role("button", name="Play", exact=True).click()
    _at_table(page)
    guest.hand().first.wait_for()
    page = _go_home(guest)
    page.get_by_label("Rules", exact=True).select_option("burraco")
    page.get_by_role("radio", name="2", exact=True).check(force=True)
    page.get_by_role("radio", name="Beginner").check(force=True)
    page.get_by_role("button", name="Play", exact=True).click()
    guest.code = _at_table(page)
    guest.hand().first.wait_for()
    shown = guest.snapshot()["table"]
    assert (shown["rules"]["name"], shown["players"], shown["bot_level"]) == ("burraco", 2, "novice")
    _go_home(guest)
    expect(page.get_by_label("Rules", exact=True)).to_have_value("burraco")
    expect(page.get_by_role("radio", name="2", exact=True)).to_be_checked()
    expect(page.get_by_role("radio", name="Beginner")).to_be_checked()


def test_a_running_match_is_continued_from_home(visit: Callable[..., Visit]) -> None:
    """One's own matches stand first."""
    guest = visit("P")
    code = guest.play_now(rules="fechado", players=4)
    page = _go_home(guest)
    page.get_by_role("link", name=re.compile("^Continue")).first.click()
    assert _at_table(page) == code
    guest.hand().first.wait_for()


def test_a_table_is_made_with_every_option(visit: Callable[..., Visit]) -> None:
    """What the form says is what the table has."""
    guest = visit("D")
    page = guest.page
    guest.open("/create")
    page.get_by_label("Rules", exact=True).select_option("classico")
    page.locator("details summary").click()
    form = page.locator("form")
    page.get_by_role("radio", name="To points").check(force=True)
    page.get_by_label("Points to win").fill("1500")
    page.get_by_role("radio", name="For each turn").check(force=True)
    page.get_by_label("Seconds for a turn").fill("45")
    form.locator("button[type=submit]").click()
    guest.code = _at_table(page)
    table = guest.snapshot()["table"]
    assert table["rules"]["name"] == "classico"
    assert table["rules"]["target_points"] == 1500
    assert (table["clock"]["kind"], table["clock"]["turn_ms"]) == ("turn", 45_000)
    assert table["phase"] == "open"


def test_house_rules_are_checked_and_played(visit: Callable[..., Visit]) -> None:
    """A rule set is the start of one's own; impossible ones are refused with their reasons."""
    guest = visit("D")
    page = guest.page
    guest.open("/create")
    page.get_by_label("Rules", exact=True).select_option("")
    page.get_by_role("button", name="Start from the chosen rules").click()
    rules = page.locator("textarea")
    expect(rules).to_have_value(re.compile("^base = "))
    good = rules.input_value()
    report = page.locator("form [role=status]")
    page.get_by_role("button", name="Check", exact=True).click()
    expect(report.locator(".good")).to_be_visible()
    rules.fill(f"{good}\n[fields]\nhand_size = 90\n")
    page.get_by_role("button", name="Check", exact=True).click()
    expect(report.locator(".reasons li").first).to_be_visible()
    rules.fill(f"{good}\n[fields]\nhand_size = 9\n")
    page.locator("form button[type=submit]").click()
    guest.code = _at_table(page)
    assert guest.snapshot()["table"]["rules"]["hand_size"] == 9


def test_friends_come_by_link_and_by_code(visit: Callable[..., Visit]) -> None:
    """The waiting room shows link and code; each leads a stranger to the table, by way of their name."""
    host = visit("D")
    made = host.post("/api/tables", {"options": {"rules": "aberto", "players": 4}, "seat": 0})
    host.code = str(made["code"])
    host.open()
    room = host.page.locator("[data-panel=room]")
    link = room.locator("input[readonly]").input_value()
    assert link.endswith(f"/t/{host.code}")
    # Before the match there is no score.
    expect(host.page.locator("header [data-action=score]")).to_have_count(0)
    expect(room.locator(".code")).to_contain_text(host.code)
    stranger = visit("P", guest=False)
    stranger.page.goto(link)
    stranger.page.locator("main input").first.fill("Rui")
    stranger.page.locator("main button[type=submit], main .button").first.click()
    stranger.page.locator("[data-stage=room]").wait_for()
    friend = visit("P", name="Bia")
    page = _go_home(friend)
    field = page.get_by_label("Code or link of a table")
    field.fill("no such / thing")
    field.press("Enter")
    expect(page.get_by_role("alert")).to_be_visible()
    field.fill(f" {host.code.lower()} ")
    field.press("Enter")
    assert _at_table(page).upper() == host.code
    page.locator("[data-stage=room]").wait_for()


def test_open_tables_are_joined_and_running_ones_watched(visit: Callable[..., Visit]) -> None:
    """A public table stands on the home page of others: to join while it waits, to watch once it runs."""
    host = visit("D", name="Zeca")
    made = host.post(
        "/api/tables",
        {"options": {"rules": "aberto", "players": 4, "public": True, "spectators": True}, "seat": 0},
    )
    host.code = str(made["code"])
    host.open()
    guest = visit("P", name="Bia")
    page = _go_home(guest)
    row = page.locator(f'li:has(a[href="/t/{host.code}"])')
    row.get_by_role("link", name=re.compile("^Join")).click()
    assert _at_table(page) == host.code
    page.locator("[data-stage=room]").wait_for()
    host.page.locator("[data-action=start]").click()
    host.hand().first.wait_for()
    _go_home(guest)
    row.get_by_role("link", name=re.compile("^Watch")).click()
    assert _at_table(page) == host.code
    page.locator("[data-zone=pile]").wait_for()
    expect(guest.hand()).to_have_count(0)


def test_the_rules_of_every_set_are_read(visit: Callable[..., Visit]) -> None:
    """From the home page to the rules; each set by its name, and by its address."""
    guest = visit("D")
    page = _go_home(guest)
    page.get_by_role("navigation").get_by_role("link", name="Rules").click()
    for name in RULE_SETS:
        page.locator("select.input").select_option(name)
        expect(page).to_have_url(re.compile(f"/rules/{name}$"))
        title = page.locator("select.input option:checked").inner_text()
        expect(page.locator(".rules h1, .rules h2").first).to_contain_text(title)
        expect(page).to_have_title(f"{title} · Buraco")


def test_u3_the_rules_at_a_table_are_those_that_it_plays(visit: Callable[..., Visit]) -> None:
    """U3. The page is made from the rule set: a house rule changed in one field stands on it, and on no other page."""
    guest = visit("D")
    for bonus in (100, 137):
        guest.play_now(rules_toml=f'base = "aberto"\nname = "house"\n[fields]\nbonus_out = {bonus}\n', players=4)
        guest.open()
        guest.hand().first.wait_for()
        open_sheet(guest.page, "rules")
        sheet = guest.page.locator("dialog[open] .rules")
        expect(sheet).to_contain_text(re.compile(r"\b11 cards\b"))
        changed = sheet.get_by_text(re.compile(r"\b137\b"))
        expect(changed.first if bonus == 137 else changed).to_be_visible(visible=bonus == 137)


#: What each setting changes on the root element, in the browser's store, or both.
_SWITCHES: Final = {
    "Large print": ("print", "normal", "large", "largePrint"),
    "Four colours": ("colours", "4", "2", "fourColours"),
    "Left-handed": ("hands", "right", "left", "leftHanded"),
}


def _kept(page: Page) -> dict[str, Any]:
    return dict(json.loads(page.evaluate("localStorage.getItem('buraco.settings')")))


def test_every_setting_does_what_it_says_and_survives_a_reload(visit: Callable[..., Visit]) -> None:
    """Each control of the page of settings is used once; the change is there, and still there after a reload."""
    guest = visit("D")
    page = guest.page
    guest.open("/settings")
    page.locator("main h1").wait_for()
    for label, (name, before, after, _) in _SWITCHES.items():
        assert page.evaluate(_ROOT)[name] == before
        switch = page.get_by_role("switch", name=re.compile(f"^{label}"))
        switch.set_checked(not switch.is_checked(), force=True)
        assert page.evaluate(_ROOT)[name] == after
    page.get_by_role("radio", name="Light").check(force=True)
    page.get_by_role("radio", name="Big").check(force=True)
    root = page.evaluate(_ROOT)
    assert (root["theme"], root["cards"]) == ("light", "big")
    switches = page.get_by_role("switch")
    names = {"largePrint", "fourColours", "leftHanded"}
    for at in range(switches.count()):
        old = _kept(page)
        switches.nth(at).set_checked(not switches.nth(at).is_checked(), force=True)
        changed = {name for name, value in _kept(page).items() if old.get(name) != value}
        assert len(changed) == 1
        names |= changed
        if changed <= {"largePrint", "fourColours", "leftHanded", "sound"}:
            switches.nth(at).set_checked(not switches.nth(at).is_checked(), force=True)
    assert names >= {"textTable", "autoSort", "confirmDiscards", "motion", "sound", "vibration"}
    page.locator("input[type=range]").fill("20")
    page.locator("select.input").nth(1).select_option("fr")
    page.get_by_role("radio", name="Slow").check(force=True)
    chosen, shown = _kept(page), page.evaluate(_ROOT)
    assert (chosen["volume"], chosen["indexLetters"], chosen["pace"]) == (0.2, "fr", "slow")
    assert "V" in page.locator(".preview .index").all_inner_texts()
    page.reload()
    page.locator("main h1").wait_for()
    assert page.evaluate(_ROOT) == shown
    assert _kept(page) == chosen
    expect(page.locator("input[type=range]")).to_have_value("20")


def test_settings_change_the_table_that_is_played(visit: Callable[..., Visit]) -> None:
    """Auto-sort, confirmed discards, left hands and the text table are seen at the table."""
    guest = visit("D", settings={"autoSort": True, "confirmDiscards": True, "leftHanded": True})
    guest.stage(middle())
    page = guest.page
    sort, discard = (
        page.locator("[data-action=sort]").bounding_box(),
        page.locator("[data-action=discard]").bounding_box(),
    )
    assert sort is not None
    assert discard is not None
    assert sort["x"] > discard["x"]
    guest.hand().first.click(position={"x": 8, "y": 10})
    page.locator("[data-action=discard]").click()
    expect(page.locator("[data-question]")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.locator("[data-question]")).to_have_count(0)
    page.locator("[data-action=menu]").click()
    page.locator("[data-open=text]").click()
    expect(page.locator("main.text")).to_be_visible()
    page.reload()
    expect(page.locator("main.text")).to_be_visible()


def _fill_account(page: Page, what: str, login: str, password: str) -> None:
    page.get_by_role("radio", name=what).check(force=True)
    page.locator("input[autocomplete=username]:visible").last.fill(login)
    page.locator("form:has(input[autocomplete=username]) input[type=password]:visible").last.fill(password)
    page.locator("form:has(input[autocomplete=username]) button[type=submit]:visible").last.click()


def test_an_account_from_its_making_to_its_end(visit: Callable[..., Visit]) -> None:
    """Sign up, keep the recovery code, sign in elsewhere, take the data along, sign out everywhere, delete."""
    guest = visit("D", expected=("401", "422", "403"))
    page = guest.page
    guest.open("/account")
    _fill_account(page, "New account", "ana-maria", "a long password")
    code = page.locator("output").inner_text()
    assert len(code) >= 12
    page.get_by_role("button", name=re.compile("kept|noted|written", re.IGNORECASE)).click()
    expect(page.locator("output")).to_have_count(0)
    expect(page.locator("main")).to_contain_text("ana-maria")
    other = visit("P", guest=False, expected=("401", "422", "403"))
    other.open("/account")
    _fill_account(other.page, "Sign in", "ana-maria", "a wrong password")
    expect(other.page.get_by_role("alert")).to_be_visible()
    _fill_account(other.page, "Sign in", "ana-maria", "a long password")
    expect(other.page.locator("main")).to_contain_text("Signed in as ana-maria")
    with page.expect_download() as waiting:
        page.get_by_role("button", name=re.compile("(Export|Download)")).click()
    exported = json.loads(waiting.value.path().read_text(encoding="utf-8"))
    assert "ana-maria" in json.dumps(exported)
    page.get_by_role("button", name=re.compile("everywhere")).first.click()
    page.locator("dialog[open] footer button").last.click()
    expect(page.get_by_role("radio", name="Sign in")).to_be_visible()
    other.page.reload()
    expect(other.page.get_by_role("radio", name="Sign in")).to_be_visible()
    expect(other.page.locator("main")).not_to_contain_text("Signed in as")
    _fill_account(other.page, "Sign in", "ana-maria", "a long password")
    expect(other.page.locator("main")).to_contain_text("Signed in as ana-maria")
    other.page.get_by_role("button", name=re.compile("^Delete")).click()
    other.page.locator("dialog[open] footer button").last.click()
    expect(other.page.get_by_role("radio", name="Sign in")).to_be_visible()
    _fill_account(page, "Sign in", "ana-maria", "a long password")
    expect(page.get_by_role("alert")).to_be_visible()


def test_a_forgotten_password_is_replaced_with_the_recovery_code(visit: Callable[..., Visit]) -> None:
    """The code that was shown once lets its owner in again, with a new password."""
    guest = visit("D", guest=False)
    guest.open("/account")
    _fill_account(guest.page, "New account", "bia-costa", "a long password")
    code = guest.page.locator("output").inner_text()
    other = visit("D", guest=False)
    page = other.page
    other.open("/account")
    page.get_by_role("radio").nth(2).check(force=True)
    page.locator("input[autocomplete=username]").fill("bia-costa")
    page.locator("input[autocomplete=off]").fill(code)
    page.locator("input[type=password]").fill("another long password")
    page.locator("form button[type=submit]").last.click()
    expect(page.locator("output")).not_to_have_text(code)
    expect(page.locator("main")).to_contain_text("bia-costa")


def test_an_address_without_a_page_leads_home(visit: Callable[..., Visit]) -> None:
    """A wrong address says so; where another try would be in vain, none is offered."""
    guest = visit("P", expected=("404",))
    guest.open("/rules/no-such")
    expect(guest.page.get_by_role("alert").get_by_role("link")).to_have_attribute("href", "/rules")
    expect(guest.page.get_by_role("alert").get_by_role("button")).to_have_count(0)
    guest.open("/no/such/page")
    guest.page.locator("main a[href='/']").click()
    guest.page.locator("main h1").wait_for()
    expect(guest.page).to_have_url(re.compile("/$"))
