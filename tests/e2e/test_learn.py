"""Learning: both guided deals are played to their end, wrong steps are refused and explained, and a lesson can be left,
gone on with, skipped and repeated."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import expect

from buraco.notation import parse_action
from buraco.server.lessons import all_scripts
from buraco.texts import text
from tests.e2e.axe import violations
from tests.e2e.hands import Player
from tests.e2e.measures import CUT
from tests.e2e.views import Visit

_Visit = Callable[..., Visit]


def _begin(visit: Visit, name: str) -> Player:
    """Begin a lesson from the page of the lessons."""
    player = Player(visit, "touch" if visit.page.viewport_size == {"width": 390, "height": 844} else "mouse")
    visit.open("/learn")
    visit.page.locator(f"[data-lesson={name}] [data-action=begin]").click()
    visit.page.locator("[data-coach='1']").wait_for()
    visit.code = visit.page.url.rpartition("/")[2]
    return player


def _lesson(visit: Visit) -> Any:
    return visit.snapshot()["table"]["lesson"]


def _follow(player: Player, until: int) -> None:
    """Take the steps of a lesson with the controls of the table, up to one or to the end."""
    coach = player.page.locator("[data-coach]")
    while True:
        player.page.locator("[data-coach=over]").or_(player.page.locator("[data-action=show]")).wait_for()
        step = coach.get_attribute("data-coach")
        if step == "over" or step == str(until):
            return
        (action, *_) = _lesson(player.visit)["actions"]
        player.perform(action)


@pytest.mark.parametrize(("name", "view"), [("aberto", "P"), ("burraco", "D")])
def test_a_guided_deal_to_its_end_with_the_controls_of_the_table(visit: _Visit, name: str, view: str) -> None:
    steps = all_scripts()[name].step_count
    player = _begin(visit(view), name)
    page = player.page
    first = next(part.text for part in all_scripts()[name].parts)
    expect(page.locator("[data-coach-text]")).to_contain_text(text(f"lesson.{first}"))
    # What the step needs is marked.
    for zone in _lesson(player.visit)["zones"]:
        expect(player.visit.zone(zone)).to_have_css("outline-width", "4px")
    _follow(player, 0)
    expect(page.locator("[data-coach=over] [data-coach-text]")).to_contain_text(text("lesson.over"))
    expect(page.locator("[data-stage=result] [data-panel=score]")).to_be_visible()
    assert page.locator("progress").evaluate("one => one.value") == steps
    assert player.visit.context.request.get("/api/me/history").json()["results"] == []
    page.locator("[data-action=repeat]").click()
    page.locator("[data-coach='1']").wait_for()


def test_a_wrong_step_is_refused_and_explained_and_the_lesson_stands_still(visit: _Visit) -> None:
    player = _begin(visit("P"), "aberto")
    page, notice = player.page, player.notice
    _follow(player, 2)
    # By the lesson: what the rules allow, but not here.
    player.push(".act[data-action=reject]")
    expect(notice).to_contain_text(text("table.lesson_step"))
    expect(page.locator("[data-coach]")).to_have_attribute("data-coach", "2")
    _follow(player, 3)
    # By the engine: the reason, and the rule.
    player.select("9s", "Ts", "Kd")
    player.press(player.button("lay"), able=False)
    expect(notice).to_be_visible()
    reason = [frame["result"] for frame in player.heard if (frame.get("result") or {}).get("result") == "probe"][-1]
    expect(notice).to_contain_text(reason["text"])
    expect(notice).to_contain_text(reason["citation"])
    page.keyboard.press("Escape")
    _follow(player, 4)
    player.select("X")
    player.push("[data-zone=pile]")
    expect(notice).to_contain_text(text("table.lesson_step"))
    # Any way that leads to the same cards.
    expect(page.locator("[data-coach]")).to_have_attribute("data-coach", "4")
    page.keyboard.press("Escape")
    refused = player.visit.post(
        f"/api/tables/{player.visit.code}/messages",
        {"type": "act", "id": "w1", "version": player.visit.snapshot()["version"], "action": parse_action("draw")},
    )
    assert (refused["type"], refused["code"]) == ("refused", "already_drawn")
    assert refused["citation"]


def test_a_lesson_is_done_in_another_way_left_gone_on_with_skipped_through_and_begun_anew(visit: _Visit) -> None:
    visitor = visit("D")
    player = _begin(visitor, "aberto")
    page, coach = player.page, player.page.locator("[data-coach]")
    _follow(player, 3)
    # The five hearts, in two goes.
    player.perform(parse_action("meld 6h 7h 8h"))
    expect(coach).to_have_attribute("data-coach", "3")
    player.perform(parse_action("add 1 9h"))
    player.perform(parse_action("add 1 5h"))
    expect(coach).to_have_attribute("data-coach", "4")
    # Left, and gone on with from the page of the lessons.
    page.locator("[data-coach] [data-action=lessons]").click()
    page.get_by_role("link", name=text("web.learn.go_on", step=4)).click()
    expect(coach).to_have_attribute("data-coach", "4")
    # Steps are done for who wants that, those of several actions whole.
    for step in range(4, 7):
        expect(coach).to_have_attribute("data-coach", str(step))
        page.locator("[data-action=show]").click()
    expect(coach).to_have_attribute("data-coach", "7")
    # From home it is one of the own tables; anew it begins with other controls, and the old table is gone.
    visitor.open("/")
    expect(page.get_by_role("listitem").filter(has_text=text("web.home.lesson"))).to_have_count(1)
    page.get_by_role("link", name=text("web.home.learn")).click()
    page.locator("[data-lesson=aberto] [data-action=begin]").click()
    page.locator("[data-coach='1']").wait_for()
    assert page.url.rpartition("/")[2] != visitor.code


def test_the_page_of_the_lessons_and_the_coach_in_every_language(visit: _Visit) -> None:
    visitor = visit("XS", bypass_csp=True)
    page = visitor.page
    found = {}
    visitor.open("/learn")
    for language in ("bg", "es", "it", "pt-BR", "ru", "en"):
        page.goto(f"/learn?lang={language}")
        page.locator("[data-lesson]").first.wait_for()
        assert page.evaluate("() => document.documentElement.scrollWidth <= innerWidth"), language
        found[language] = page.locator("main p").first.inner_text()
    assert len(set(found.values())) == 6
    _begin(visitor, "burraco")
    assert page.evaluate(CUT) == []
    assert violations(page) == []
    page.goto(f"/t/{visitor.code}?lang=ar-x")
    page.locator("[data-coach='1']").wait_for()
    assert page.evaluate("() => document.documentElement.scrollWidth <= innerWidth")
    assert page.evaluate(CUT) == []
    assert violations(page) == []
