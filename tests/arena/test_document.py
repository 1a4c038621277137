"""docs/strength.md and its pictures are what the recorded results say, and the results are what their pairs say."""

from __future__ import annotations

import json
import re
import shlex
import xml.etree.ElementTree as ET
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from buraco.arena.document import strength_page
from buraco.arena.ladder import P_CLEAR, direction
from buraco.arena.picture import ladder_svg
from buraco.arena.ratings import Rating
from buraco.arena.results import load_result, result_schema, summary_form
from buraco.arena.running import Outcome
from buraco.arena.stopping import parse_stop
from buraco.errors import BuracoError
from buraco.rules import RULE_SETS, get_rules

DOCS = Path(__file__).resolve().parents[2] / "docs"
FILES = sorted((DOCS / "strength").rglob("*.json"))
RESULTS = [load_result(file.read_text(encoding="utf-8")) for file in FILES]
SHOWN = {("aberto", 4), ("fechado", 4), ("burraco", 4), ("fechado-50", 2)}
STEPS = {("novice", "random"), ("club", "novice"), ("greedy", "random"), ("club", "greedy")}
NAMES = [file.relative_to(DOCS).as_posix() for file in FILES]


def test_the_page_and_its_pictures_are_those_of_the_results() -> None:
    command = "buraco arena report docs/strength --out docs/strength.md --pictures docs/strength"
    page, pictures = strength_page(RESULTS, command, "strength")
    assert (DOCS / "strength.md").read_text(encoding="utf-8") == page
    assert {path.name for path in (DOCS / "strength").glob("*.svg")} == set(pictures)
    for name, picture in pictures.items():
        assert (DOCS / "strength" / name).read_text(encoding="utf-8") == picture


@pytest.mark.parametrize("file", FILES, ids=NAMES)
def test_a_recorded_result_is_whole_and_its_figures_follow_from_its_pairs(file: Path) -> None:
    form: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
    jsonschema.Draft202012Validator(result_schema()).validate(form)
    outcome = load_result(json.dumps(form)).outcome
    assert form["state"] == "finished"
    assert outcome.finished
    assert form["summary"] == json.loads(json.dumps(summary_form(outcome)), parse_float=float)
    assert [player["illegal"] for player in form["players"].values()] == [0, 0]
    assert form["faults"] == []


@pytest.mark.parametrize("result", RESULTS, ids=NAMES)
def test_the_command_of_a_result_names_its_settings(result: Any) -> None:
    plan = result.outcome.plan
    words = shlex.split(result.command)
    assert words[:5] == ["buraco", "arena", "run", plan.a.text, plan.b.text]
    options = dict(zip(words[5::2], words[6::2], strict=True))
    stop = options.pop("--stop", None)
    assert (None if stop is None else parse_stop(stop, plan.unit)) == plan.stop
    assert options == {
        "--rules": plan.rules.name,
        "--players": str(plan.players),
        f"--{plan.unit}": str(plan.pairs),
        "--seed": str(plan.seed),
    }
    assert plan.rules == get_rules(plan.rules.name)


def test_every_step_of_the_cheap_levels_is_recorded_and_leads_up() -> None:
    cheap = {}
    for result in RESULTS:
        plan = result.outcome.plan
        names = (plan.a.text, plan.b.text)
        if names in STEPS and plan.unit == "deals":
            cheap[plan.rules.name, plan.players, names] = result.outcome
    wanted = {(name, max(rules.player_counts)) for name, rules in RULE_SETS.items()} | SHOWN
    assert {(name, players) for name, players, _ in cheap} == wanted
    assert len(cheap) == len(wanted) * len(STEPS)
    for (name, players, _), outcome in cheap.items():
        assert direction(outcome) == "up" or (
            (name, players) not in SHOWN and direction(outcome) == "leans up" and len(outcome.pairs) >= 100
        )


def test_a_step_in_the_page_is_up_only_beyond_doubt() -> None:
    page = (DOCS / "strength.md").read_text(encoding="utf-8")
    rows = re.findall(
        r"^\| `\S+` - `\S+` \|.*deals \| \S+ ± \S+ \| (.*?) \| .*? \| .*? \| (.*?) \| \d+ \|$", page, re.MULTILINE
    )
    assert len(rows) == sum(result.outcome.plan.unit == "deals" for result in RESULTS)
    for p, leads in rows:
        assert (float(p.removeprefix("< ")) < P_CLEAR) == (leads in ("up", "down"))


def test_the_page_says_of_each_sequential_test_what_it_came_to() -> None:
    page = (DOCS / "strength.md").read_text(encoding="utf-8")
    told = re.findall(r"^- `(\S+)` - `(\S+)`: (.*) \(log ratio ", page, re.MULTILINE)
    tested = [result.outcome for result in RESULTS if result.outcome.plan.stop]
    assert [(outcome.plan.a.text, outcome.plan.b.text) for outcome in tested] == [(a, b) for a, b, _ in told]

    def said(outcome: Outcome) -> str:
        assert outcome.plan.stop
        assert outcome.verdict
        high = f"the mean is {outcome.plan.stop.high:g} or more rather than 0"
        return {"high": high, "open": "undecided after all pairs"}[outcome.verdict.state]

    assert [said(outcome) for outcome in tested] == [text for _, _, text in told]


@pytest.mark.parametrize("left_out", sorted(STEPS))
def test_the_page_names_each_step_of_the_ladder_that_nobody_played(left_out: tuple[str, str]) -> None:
    plans = [(result, result.outcome.plan) for result in RESULTS]
    table = [(result, plan) for result, plan in plans if (plan.rules.name, plan.players) == ("aberto", 4)]
    step = f"`{left_out[0]}` - `{left_out[1]}`"

    def told(results: list[Any]) -> str:
        return "".join(re.findall("^Not measured: (.*)$", strength_page(results, "", None)[0], re.MULTILINE))

    assert step not in told([result for result, _ in table])
    assert step in told([result for result, plan in table if (plan.a.level, plan.b.level) != left_out])


def changed(**parts: Any) -> str:
    """Return a recorded result in which something else stands."""
    form = json.loads(FILES[0].read_text(encoding="utf-8"))
    for name, part in parts.items():
        form[name] = form[name] | part if isinstance(part, dict) else part
    return json.dumps(form)


@pytest.mark.parametrize(
    "parts",
    [
        {"machine": {"processor": "fast\n# Heading"}},
        {"machine": {"system": "\x1b]0;title\x07"}},
        {"machine": {"cores": ["\x1b[2J"]}},
        {"software": {"version": "1\u202e"}},
        {"command": "buraco arena run\n```\n"},
        {"command": 3},
    ],
    ids=repr,
)
def test_a_result_with_a_text_that_is_more_than_a_line_is_refused(parts: dict[str, Any]) -> None:
    with pytest.raises(BuracoError, match="is not one line of printable characters") as caught:
        load_result(changed(**parts))
    assert caught.value.code == "arena_file"


def test_what_a_program_said_is_shown_without_what_a_terminal_would_obey() -> None:
    fault = {"pair": 0, "game": 0, "player": "a", "code": "crash", "text": "it said: \x1b[31m\u202e"}
    read = load_result(changed(faults=[fault]))
    assert [one.text for one in read.outcome.faults] == ["it said: ?[31m?"]


def test_no_text_of_a_result_marks_anything_in_the_page() -> None:
    form = json.loads(changed(machine={"processor": "<script>alert(1)</script> *8* [x](y)"}))
    form["settings"]["rules"] |= {"name": "mine", "title": "Mine <b>|</b>"}
    form["settings"]["a"]["player"] = "exec:sh -c 'echo `a` | b'"
    page, _ = strength_page([load_result(json.dumps(form))], "buraco arena report", "pictures")
    assert "<script" not in page
    assert "<b>" not in page
    assert "&#60;script&#62;alert(1)&#60;/script&#62; &#42;8&#42; &#91;x&#93;(y)" in page
    tables = [line for line in page.splitlines() if line.startswith("|")]
    assert {line.count("|") for line in tables} <= {5, 8, 9}
    assert any("<code>exec:sh -c 'echo &#96;a&#96; &#124; b'</code>" in line for line in tables)


def test_a_picture_is_sound_whatever_the_names_are() -> None:
    odd = Rating('<b>&"' + "x" * 90, 0.0, 0.0, 0.0, 1)
    root = ET.fromstring(ladder_svg([odd], "<&>"))
    texts = ["".join(text.itertext()) for text in root.iter("{http://www.w3.org/2000/svg}text")]
    assert '<b>&"' + "x" * 16 + "…" in texts
    assert "<&>" in texts


def test_a_rating_stands_where_the_scale_says() -> None:
    found = [Rating("a", 100.0, 50.0, 150.0, 9), Rating("b", -100.0, -150.0, -50.0, 9)]
    root = ET.fromstring(ladder_svg(found, "two"))
    best, other = (float(dot.get("cx", "")) for dot in root.iter("{http://www.w3.org/2000/svg}circle"))
    ticks = {
        "".join(text.itertext()): float(text.get("x", ""))
        for text in root.iter("{http://www.w3.org/2000/svg}text")
        if text.get("class") == "tick"
    }
    assert (best, other) == pytest.approx((ticks["100"], ticks["-100"]))


def test_the_page_warns_of_runs_with_few_pairs_and_of_no_others() -> None:
    page = (DOCS / "strength.md").read_text(encoding="utf-8")
    told = re.findall(r"`(\S+)` - `(\S+)` \((\d+)\)", "".join(re.findall("^Too few pairs .*$", page, re.MULTILINE)))
    outcomes = [result.outcome for result in RESULTS]
    short = [(one.plan.a.text, one.plan.b.text, str(len(one.pairs))) for one in outcomes if len(one.pairs) < 30]
    assert told == short
    assert short


def test_the_page_says_which_software_played_which_run() -> None:
    sections = strength_page(RESULTS, "", None)[0].split("\n## ")[1:]
    assert sections
    for section in (part.partition("\n")[2] for part in sections):
        runs = re.findall(r"^\| (`\S+` - `\S+`) \|", section, re.MULTILINE)
        lines = re.findall(r"^- (.*): played by buraco .* sources ([0-9a-f]{12})\)", section, re.MULTILINE)
        assert len(lines) != 1
        assert sorted(one for names, _ in lines for one in names.split(", ")) == (sorted(runs) if lines else [])
        assert lines or re.search(r"^Played by buraco .*\.$", section, re.MULTILINE)


def test_no_time_of_the_page_is_written_with_a_power_of_ten() -> None:
    assert re.findall(r"\de[+-]\d", (DOCS / "strength.md").read_text(encoding="utf-8")) == []


def test_a_picture_leaves_out_who_played_a_handful_of_games_but_never_everybody() -> None:
    drawn = (DOCS / "strength" / "aberto-4.svg").read_text(encoding="utf-8")
    assert ">master:nodes=50000<" in drawn
    assert ">master<" not in drawn
    short = [result for result in RESULTS if len(result.outcome.pairs) < 30]
    (alone,) = strength_page(short, "", None)[1].values()
    assert ">master<" in alone


def test_no_row_of_a_picture_is_wider_than_the_picture() -> None:
    for result in RESULTS:
        assert len(result.outcome.plan.rules.title) <= 50
    pictures = list((DOCS / "strength").glob("*.svg"))
    assert pictures
    for file in pictures:
        root = ET.fromstring(file.read_text(encoding="utf-8"))
        width = float(root.get("viewBox", "").split()[2])
        for text in root.iter("{http://www.w3.org/2000/svg}text"):
            # A letter of these sizes is about half as wide as high.
            size = {"title": 15, "small": 11, "tick": 11}.get(text.get("class", ""), 13)
            wide = 0.58 * size * len("".join(text.itertext()))
            ends = text.get("class") == "name"
            left = float(text.get("x", "")) - (wide if ends else wide / 2 if text.get("class") == "tick" else 0)
            assert left >= 0, (file.name, "".join(text.itertext()))
            assert left + wide <= width, (file.name, "".join(text.itertext()))
