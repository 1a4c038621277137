"""Rules pages with their examples, two rule sets side by side, and the editor of house rules."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final
from urllib.parse import quote

from playwright.sync_api import Page, expect

from buraco.rules import FIELD_NAMES, FIELD_SPECS, RULE_SETS, diff
from buraco.texts import text
from tests.e2e.axe import violations
from tests.e2e.hands import Player
from tests.e2e.measures import CUT, OVERFLOW
from tests.e2e.views import Visit
from tests.rules.positions import position_of
from tests.rules.test_ruleset_problems import MIXES

_GOOD: Final = "[data-state=good]"
_SHOWN: Final = "[data-page] [data-shown=good]"


def _value(value: object) -> str:
    """Return a value as a link to house rules has it."""
    if value is None or isinstance(value, bool):
        return {None: "n", True: "t", False: "f"}[value]
    if isinstance(value, int):
        return str(value)
    if isinstance(value, str):
        return quote(f".{value}", safe="")
    assert isinstance(value, tuple)
    return ",".join(map(str, value)) + ("," if len(value) < 2 else "")


def _link(base: str, changes: Mapping[str, object]) -> str:
    return "&".join([base, *(f"{name}={_value(value)}" for name, value in changes.items())])


def _edit(guest: Visit, base: str, changes: Mapping[str, object], wait: str = _GOOD) -> Page:
    """Open the editor at a link, and wait for what the server says of it."""
    link = _link(base, changes)
    guest.open(f"/house#{link}")
    guest.page.locator(f'{wait.partition(" ")[0]}[data-of="{link}"] {wait.partition(" ")[2]}').wait_for()
    return guest.page


def test_examples_are_drawn_as_the_engine_judges_them(visit: Callable[..., Visit]) -> None:
    """The same situation comes out by the rules of the page; an address leads to its rule."""
    guest = visit("P")
    page = guest.page
    guest.open("/rules/fechado#r-closed_top_wild")
    mark = page.locator("li.here")
    expect(mark).to_be_in_viewport()
    expect(mark).to_have_attribute("data-topics", re.compile(r"\bclosed_top_wild\b"))
    unusable = page.locator("[data-example=pile_no_use]")
    expect(unusable).to_have_attribute("data-verdict", "refused")
    expect(unusable).to_contain_text(text("code.pile_unusable"))
    faces = unusable.locator("[data-role=pile] [data-card]").evaluate_all("all => all.map(one => one.dataset.card)")
    assert faces == ["Kc", "4d", "8h"]
    moved = page.locator("[data-example=wild_moves] [data-role=after] [data-card]")
    assert moved.evaluate_all("all => all.map(one => one.dataset.card)") == ["5h", "6h", "7h", "X"]
    page.locator("select.input").select_option("aberto")
    expect(unusable).to_have_attribute("data-verdict", "legal")
    expect(page.locator("[data-example=wild_moves] [data-role=after]")).to_have_count(2)
    page.locator("nav summary").click()
    page.get_by_role("link", name="11. The score").click()
    expect(page.locator("#s11")).to_be_in_viewport()
    assert page.evaluate(OVERFLOW)[0] == 0


def test_a_refusal_at_the_table_leads_to_the_sentence_of_its_rule(visit: Callable[..., Visit]) -> None:
    player = Player(visit("P"))
    player.sit(position_of("fechado", "4s 9d Jc Qs", phase="draw", pile="Kc 4d 8h"))
    page = player.page
    page.keyboard.press("p")
    link = page.locator("[data-rule]").first
    expect(link).to_have_attribute("data-topic", "pile_closed")
    link.click()
    mark = page.locator("dialog[open] .here")
    expect(mark).to_be_in_viewport()
    expect(mark).to_have_attribute("data-topics", re.compile(r"\bpile_closed\b"))
    expect(mark.locator("[data-example=pile_no_use]")).to_have_attribute("data-verdict", "refused")


def test_the_refusal_of_an_example_and_of_a_mix_lead_to_the_sentence_of_their_rule(visit: Callable[..., Visit]) -> None:
    """What another rule refuses on the page of rules, and what cannot be in the editor of house rules."""
    guest = visit("P")
    page = guest.page
    guest.open("/rules/fechado-50")
    page.locator("[data-example=pile_wild] [data-rule]").click()
    mark = page.locator("li.here")
    expect(mark).to_be_in_viewport()
    expect(mark).to_be_focused()
    expect(mark).to_have_attribute("data-topics", re.compile(r"\bpile_closed\b"))
    assert page.locator("[data-example=pile_no_use] [data-rule]").count() == 0, "it stands beside its rule"
    _edit(guest, "aberto", {"sets": True, "pile_closed": True, "hand_size": 90}, "[data-state=bad]")
    page.locator("[data-fault=range] [data-rule]").click()
    expect(page).to_have_url(re.compile("/rules/aberto#r-hand_size,s2$"))
    expect(page.locator("li.here")).to_be_in_viewport()
    expect(page.locator("li.here")).to_have_attribute("data-topics", re.compile(r"\bhand_size\b"))
    page.go_back()
    page.locator("[data-fault=range]").wait_for()


def test_two_rule_sets_stand_side_by_side(visit: Callable[..., Visit]) -> None:
    """Each field in which they differ has a row, with both values; house rules can be one of the two."""
    guest = visit("D")
    page = guest.page
    guest.open("/rules/aberto")
    page.get_by_role("link", name="Compare with another").click()
    page.get_by_label("Those rules").select_option("burraco-fibur")
    expect(page).to_have_url(re.compile("/compare/aberto/burraco-fibur$"))
    differing = [
        one for one in diff(RULE_SETS["aberto"], RULE_SETS["burraco-fibur"]) if one.field not in ("name", "title")
    ]
    expect(page.locator(".sum")).to_have_attribute("data-count", str(len(differing)))
    rows = page.locator("tr[data-differs]")
    for index, one in enumerate(differing):
        expect(rows.nth(index)).to_have_attribute("data-differs", one.field)
        expect(rows.nth(index).locator("td")).to_have_text([one.left, one.right])
    pair = page.locator("[data-pair=set] figure")
    assert [one.get_attribute("data-verdict") for one in pair.all()] == ["refused", "legal"]
    page.get_by_role("button", name="Swap").click()
    expect(page).to_have_url(re.compile("/compare/burraco-fibur/aberto$"))
    expect(rows.first.locator("td").first).to_have_text(differing[0].right)
    guest.open(f"/compare/aberto/house#{_link('aberto', {'hand_size': 9})}")
    expect(page.locator(".sum")).to_have_attribute("data-count", "1")
    expect(rows.locator("td")).to_have_text(["11 cards", "9 cards"])


#: Another value for every field, all of them together possible.
_OTHERS: Final[dict[str, dict[str, object]]] = {
    "aberto": {
        "name": "our-house", "title": "Our <b>house</b>", "player_counts": (2, 4), "joker_count": 2, "hand_size": 9,
        "morto_size": 10, "value_joker": 40, "value_two": 25, "value_ace": 20, "value_high": 11, "value_low": 6,
        "sets": True, "one_set_per_rank": True, "wild_move": "free", "wild_changes_ends": True,
        "natural_two_pressed": True, "up_card": True, "first_turn_option": False, "single_card_barred": False,
        "opening": "over_turn", "opening_minimum": 30, "opening_vulnerable_minimum": 60,
        "opening_vulnerable_from": 1000, "opening_penalty": 10, "cut_bonus": 50, "cut_bonus_count": 21,
        "direct_morto": False, "close_morto": "none_left", "close_canasta": "any", "close_by_meld": True,
        "closing_discard_wild": False, "stock_refill": False, "stock_end_count": 2, "stalemate": "one_card_pile",
        "turn_cap": 30, "canasta_size": 6, "bonus_dirty": 110, "bonus_clean": 210, "bonus_semi_clean": 150,
        "bonus_clean_13": 600, "bonus_clean_14": 1100, "clean_13_from_ace": True, "big_canasta_at_once": True,
        "bonus_out": 120, "morto_penalty": 130, "morto_penalty_waived": False, "unplayed_morto": "smaller",
        "unplayed_morto_points": 90, "target_points": 2500, "deal_count": 4, "tie_break": "draw",
        "first_dealer": "cut",
    },
    "fechado": {
        "pack_suits": "cdh", "pack_ranks": "A23456789TJQ", "pack_copies": 1, "hand_size": 4, "morto_size": 4,
        "aces_both_ends": False, "run_length_max": 13, "closed_top_wild": "new_meld", "bonus_clean_13": None,
        "bonus_clean_14": None, "player_counts": (2,),
    },
    "burraco": {"pile_closed": True, "stalemate": "none", "single_card_barred": False},
}  # fmt: skip


def test_each_field_changes_the_page_of_house_rules(visit: Callable[..., Visit]) -> None:
    """Every field has a control that shows its value, a row in what differs, and a row of another value on the page."""
    guest = visit("D")
    page = guest.page
    seen: set[str] = set()
    for base, others in _OTHERS.items():
        changes = {name: value for name, value in others.items() if getattr(RULE_SETS[base], name) != value}
        _edit(guest, base, changes)
        if not seen:
            page.locator("[data-page] summary").click()
        page.locator(_SHOWN).wait_for()
        expect(page.locator("[data-page] [data-field=hand_size]")).to_be_visible()
        rules = RULE_SETS[base].replace(**changes)
        words = {one.field: one for one in diff(RULE_SETS[base], rules)}
        shown = page.locator("[data-page] dl [data-field]").evaluate_all(
            "all => Object.fromEntries(all.map(one => [one.dataset.field, one.querySelector('dd').innerText]))"
        )
        assert set(shown) == set(FIELD_NAMES)
        told = page.locator("tr[data-differs]").evaluate_all("all => all.map(one => one.dataset.differs)")
        assert set(told) == set(changes) - {"name", "title"}
        for name in changes:
            assert shown[name].startswith(words[name].right), name
            assert page.locator(f".row.changed[data-field={name}]").count() == 1, name
        seen |= set(changes)
    assert seen == set(FIELD_NAMES)
    assert page.locator("main b").count() == 0


def test_controls_of_every_kind_change_their_field(visit: Callable[..., Visit]) -> None:
    """A switch, a number, an absent bonus, a choice, suits, ranks, a text; each goes back; what is wrong is named."""
    guest = visit("P")
    page = _edit(guest, "fechado", {})
    fields = {"sets", "hand_size", "bonus_semi_clean", "wild_move", "pack_suits", "pack_ranks", "player_counts"}
    for section in ("pack", "deal", "melds", "wilds", "score"):
        page.locator(f"[data-section={section}] > summary").click()

    def row(name: str) -> Any:
        return page.locator(f".row[data-field={name}]")

    row("title").locator("input").fill("Rui's rules")
    row("sets").get_by_role("switch").set_checked(not RULE_SETS["fechado"].sets, force=True)
    row("hand_size").locator("input").fill("7")
    row("bonus_semi_clean").get_by_role("switch").set_checked(True, force=True)
    row("bonus_semi_clean").locator("input[type=number]").fill("160")
    row("wild_move").get_by_role("radio").first.check(force=True)
    row("player_counts").get_by_role("radio").first.check(force=True)
    row("pack_suits").get_by_role("checkbox").first.uncheck()
    row("pack_ranks").locator("select").first.select_option("2")
    page.locator("[data-state=bad]").wait_for()
    expect(page.locator("[data-fault=aces_pack_short]")).to_be_visible()
    page.locator("[data-fault=aces_pack_short] [data-jump=pack_ranks]").click()
    expect(row("pack_ranks").locator("select").first).to_be_focused()
    row("pack_ranks").locator("[data-reset]").click()
    page.locator(_GOOD).wait_for()
    told = set(page.locator("tr[data-differs]").evaluate_all("all => all.map(one => one.dataset.differs)"))
    assert told == fields - {"pack_ranks"}, page.url
    expect(page.get_by_role("heading", name=f"{len(told)} changes", exact=True)).to_be_visible()
    expect(page).to_have_url(re.compile(r"#fechado&title=\.Rui's%20rules&"))
    for wrong, code in (("", "type"), ("90", "range")):
        row("hand_size").locator("input").fill(wrong)
        expect(page.locator(f"[data-fault={code}]")).to_contain_text("“Hand” must be")
        expect(row("hand_size").locator("input")).to_have_attribute("aria-invalid", "true")
        expect(page.locator("[data-action=play]")).to_be_disabled()
    assert page.evaluate(OVERFLOW)[0] == 0
    assert page.evaluate(CUT) == []


def test_each_impossible_mix_names_its_reasons(visit: Callable[..., Visit]) -> None:
    """The link of an impossible mix opens with the reason, and with ways to each of its fields."""
    guest = visit("D")
    page = guest.page
    codes: set[str] = set()
    for code, base, changes in MIXES:
        if code in codes:
            continue
        codes.add(code)
        _edit(guest, base, changes, f"[data-state=bad] ~ .reasons [data-fault={code}]")
        fault = page.locator(f"[data-fault={code}]")
        assert fault.locator("[data-jump]").count() >= 2
        assert not re.search(r"\b[a-z]+_[a-z_0-9]+\b|\bnone\b", fault.inner_text()), fault.inner_text()
        expect(page.locator("[data-action=play]")).to_be_disabled()


def test_a_link_reproduces_the_rules_and_a_match_runs_under_them(visit: Callable[..., Visit], tmp_path: Path) -> None:
    """Made here, opened there without an account, kept, saved as a file, read again, and played."""
    guest = visit("D")
    changes = {"title": "Ana & Rui: 100 % #1", "hand_size": 9, "sets": True, "bonus_clean_13": None}
    page = _edit(guest, "aberto", changes)
    with page.expect_download() as waiting:
        page.locator("[data-action=download]").click()
    toml = tmp_path / "ours.toml"
    waiting.value.save_as(toml)
    link = page.get_by_label("Link to these rules").input_value()
    other = visit("P", guest=False)
    there = other.page
    there.goto(link)
    there.locator(_GOOD).wait_for()
    assert there.get_by_label("Link to these rules").input_value() == link
    there.locator("[data-action=keep]").click()
    there.goto("/house")
    there.locator(_GOOD).wait_for()
    there.locator("input[type=file]").set_input_files(toml)
    expect(there.locator("tr[data-differs]")).to_have_count(3)
    bad = tmp_path / "bad.toml"
    bad.write_text('base = "aberto"\ncolour = "red"\n')
    there.locator("input[type=file]").set_input_files(bad)
    expect(there.get_by_role("alert")).to_contain_text("colour")
    there.get_by_role("link", name="Ana & Rui: 100 % #1").click()
    there.locator(_GOOD).wait_for()
    there.locator("[data-action=play]").click()
    expect(there).to_have_url(re.compile("/create#aberto&"))
    expect(there.locator("[data-house=true]")).to_contain_text("9 cards")
    there.locator("form button[type=submit]").click()
    there.locator("[data-stage=room]").wait_for()
    other.code = there.url.rsplit("/", 1)[1]
    there.locator("[data-action=start]").click()
    expect(other.hand()).to_have_count(9)
    rules = other.snapshot()["table"]["rules"]
    assert {name: rules[name] for name in changes} == changes
    expected = RULE_SETS["aberto"].replace(**changes)
    assert all(rules[name] == json.loads(json.dumps(getattr(expected, name))) for name in FIELD_NAMES if name != "name")


def test_a_link_that_holds_no_rules_says_so(visit: Callable[..., Visit]) -> None:
    guest = visit("P")
    for broken in ("nonsense", "aberto&sets=<b>", "%%%"):
        guest.open("/")
        guest.open(f"/house#{broken}")
        expect(guest.page.get_by_role("alert")).to_contain_text("This link holds no house rules")
        guest.page.locator(_GOOD).wait_for()
    guest.open("/")
    guest.open("/house#aberto&hand_size=11&sets=t")
    expect(guest.page.get_by_role("heading", name="1 change", exact=True)).to_be_visible()
    expect(guest.page).to_have_url(re.compile("#aberto&sets=t$"))


def test_editor_and_comparison_fit_a_phone_in_every_language(visit: Callable[..., Visit]) -> None:
    """With all groups open and a mix that cannot be, in each language and from right to left; one page throughout."""
    guest = visit("P")
    page = guest.page
    faults: list[str] = []
    for language in ("en", "pt-BR", "it", "es", "ru", "bg", "ar-x"):
        guest.open(f"/house?lang={language}#{_link('aberto', {'sets': True, 'pile_closed': True, 'hand_size': 12})}")
        page.locator("[data-state=bad]").wait_for()
        # The note at the edge of the screen names the first fault.
        expect(page.locator("[data-fault]").first).to_contain_text(page.locator(".bar").inner_text())
        page.locator("details[data-section]").evaluate_all("all => all.forEach(one => { one.open = true; })")
        page.locator(".row[data-field=tie_break]").wait_for()
        faults += [f"{language}: {one}" for one in page.evaluate(CUT)]
        assert page.evaluate(OVERFLOW)[0] == 0, language
        guest.open(f"/compare/aberto/burraco-fibur?lang={language}")
        page.locator("tr[data-differs]").first.wait_for()
        faults += [f"{language}: {one}" for one in page.evaluate(CUT)]
        assert page.evaluate(OVERFLOW)[0] == 0, language
    small = visit("XS", language="ru", settings={"largePrint": True}).page
    small.goto(f"/house#{_link('aberto', {'sets': True, 'pile_closed': True})}")
    small.locator("[data-state=bad]").wait_for()
    faults += [f"small: {one}" for one in small.evaluate(CUT)]
    assert small.evaluate(OVERFLOW)[0] == 0
    assert faults == [], "\n".join(faults)


def test_axe_finds_no_violation_in_an_open_editor_and_on_a_page_of_rules(visit: Callable[..., Visit]) -> None:
    """With all controls, a mix that cannot be, and its reasons; on a phone, in the light table."""
    guest = visit("P", settings={"theme": "light"}, bypass_csp=True)
    page = guest.page
    _edit(guest, "aberto", {"sets": True, "pile_closed": True, "hand_size": 12}, "[data-state=bad]")
    page.locator("details[data-section]").evaluate_all("all => all.forEach(one => { one.open = true; })")
    page.locator(".row[data-field=tie_break]").wait_for()
    assert violations(page) == []
    guest.open("/rules/fechado#r-pile_closed")
    page.locator("li.here").wait_for()
    assert violations(page) == []


def test_every_field_has_a_control(visit: Callable[..., Visit]) -> None:
    """The groups of the editor hold each field once, with its help text and the control of its kind."""
    guest = visit("D")
    page = _edit(guest, "aberto", {})
    page.locator("details[data-section]").evaluate_all("all => all.forEach(one => { one.open = true; })")
    page.locator(".row[data-field=tie_break]").wait_for()
    kinds = page.locator(".row[data-field]").evaluate_all(
        """all => all.map(one => [one.dataset.field, one.innerText,
            [...one.querySelectorAll('input, select')].map(control => control.getAttribute('role') ?? control.type)])"""
    )
    assert sorted(name for name, _, _ in kinds) == sorted(FIELD_NAMES)
    expected = {
        "boolean": {"switch"}, "integer": {"number"}, "choice": {"radio"}, "counts": {"radio"}, "suits": {"checkbox"},
        "ranks": {"select-one"}, "text": {"text"}, "optional_integer": {"switch", "number"},
    }  # fmt: skip
    for name, words, controls in kinds:
        assert text(f"field.{name}.text") in words, name
        assert set(controls) <= expected[FIELD_SPECS[name].kind], name
        assert controls, name
