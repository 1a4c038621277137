"""The language of the command line: the option, else BURACO_LANGUAGE, else the locale, else English."""

from __future__ import annotations

import functools
import io
import json
from pathlib import Path
from types import MappingProxyType
from typing import Any

import pytest
from rich.console import Console
from rich.text import Text

from buraco.bots import Decision
from buraco.cli import run
from buraco.cli.common import CommandError, language_of
from buraco.cli.lines import Signals
from buraco.cli.manual import help_rows, rules_rows
from buraco.cli.moves import short_text
from buraco.cli.screen import TextScreen
from buraco.cli.session import Session, Table
from buraco.cli.sheets import seat_names, side_names
from buraco.cli.words import sentence
from buraco.engine import Host, Match, SeatView
from buraco.notation import SeatRecord
from buraco.rules import RULE_SETS, SECTIONS, cite, diff, get_rules, page, title_in
from buraco.texts import languages, text
from tests.unit.terminal import call
from tests.unit.test_cli_referee import POSITION

OTHERS = [language for language in languages() if language != "en"]
NOTHING: dict[str, str] = {}


@pytest.mark.parametrize(
    ("option", "environment", "found"),
    [
        ("it", NOTHING, "it"),
        ("pt_PT.UTF-8", NOTHING, "pt-BR"),
        ("it", {"BURACO_LANGUAGE": "ru", "LC_ALL": "es_ES"}, "it"),
        ("", NOTHING, "en"),
        ("", {"BURACO_LANGUAGE": "ru"}, "ru"),
        ("", {"BURACO_LANGUAGE": "ru", "LC_ALL": "es_ES.UTF-8"}, "ru"),
        ("", {"BURACO_LANGUAGE": "xx", "LANG": "es_ES.UTF-8"}, "es"),
        ("", {"LC_ALL": "bg_BG.UTF-8", "LC_MESSAGES": "it_IT", "LANG": "ru_RU"}, "bg"),
        ("", {"LC_ALL": "", "LC_MESSAGES": "it_IT", "LANG": "ru_RU"}, "it"),
        ("", {"LANG": "ru_RU"}, "ru"),
        ("", {"LC_ALL": "C", "LANG": "ru_RU"}, "en"),
        ("", {"LC_MESSAGES": "POSIX", "LANG": "ru_RU"}, "en"),
        ("", {"LANG": "C.UTF-8"}, "en"),
        ("", {"LANG": "de_DE.UTF-8"}, "en"),
    ],
)
def test_the_option_wins_over_the_variable_and_the_variable_over_the_locale(
    option: str, environment: dict[str, str], found: str
) -> None:
    assert language_of(option, MappingProxyType(environment)) == found


def test_a_language_that_is_not_there_is_wrong_usage_and_those_that_are_are_named(
    capsys: pytest.CaptureFixture[str],
) -> None:
    with pytest.raises(CommandError):
        language_of("xx")
    assert run(["rules", "--language", "xx", "--json"]) == 2
    error = json.loads(capsys.readouterr().out)["error"]
    assert error["code"] == "unknown_language"
    assert all(language in error["message"] for language in languages())


@pytest.fixture
def told(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Any:
    """Run a command line; return its exit code and both outputs."""
    monkeypatch.setenv("COLUMNS", "120")

    def do(*arguments: str) -> tuple[int, str, str]:
        code = run(arguments)
        written = capsys.readouterr()
        return code, written.out, written.err

    return do


@pytest.mark.parametrize("language", languages())
def test_rules_are_told_in_the_language(language: str, told: Any) -> None:
    assert told("rules", "aberto", "--language", language)[1] == page(get_rules("aberto"), language)
    assert json.loads(told("rules", "aberto", f"--language={language}", "--json")[1])["page"] == page(
        get_rules("aberto"), language
    )
    listed = json.loads(told("rules", "--language", language, "--json")[1])
    assert [one["title"] for one in listed] == [title_in(one, language) for one in RULE_SETS.values()]
    rows = json.loads(told("rules", "diff", "aberto", "fechado", "--language", language, "--json")[1])["differences"]
    found = diff(get_rules("aberto"), get_rules("fechado"), language)
    assert [(row["field"], row["left"], row["right"]) for row in rows] == [tuple(one) for one in found]
    assert text("cli.rules.same", language) in told("rules", "diff", "aberto", "aberto", "--language", language)[1]
    assert text("cli.rules.title", language) in told("rules", "--language", language)[1]


@pytest.mark.parametrize("language", languages())
def test_the_variable_speaks_for_all_commands(language: str, told: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BURACO_LANGUAGE", language)
    assert told("rules", "aberto")[1] == page(get_rules("aberto"), language)


@pytest.mark.parametrize("language", languages())
def test_the_faults_of_house_rules_are_told_in_the_language(language: str, told: Any, tmp_path: Path) -> None:
    path = tmp_path / "house.toml"
    path.write_text('base = "aberto"\n[fields]\ntarget_points = 0\ndeal_count = 0\ncanasta_size = 99\n')
    code, out, _ = told("rules", "check", str(path), "--language", language, "--json")
    error = json.loads(out)["error"]
    assert (code, error["code"]) == (1, "impossible_rules")
    assert text("problem.match_without_end", language) in error["reasons"]
    told_of_rules = text("error.impossible_rules", language, reasons=" ".join(error["reasons"]))
    assert error["message"] == f"{path}: {told_of_rules}"
    assert text("problem.match_without_end", language) in told("rules", "check", str(path), "--language", language)[2]


@pytest.mark.parametrize("language", languages())
def test_an_unknown_rule_set_is_told_with_the_way_out_in_the_language(language: str, told: Any) -> None:
    code, _, err = told("rules", "abertoo", "--language", language)
    assert code == 2
    assert text("cli.way_out.unknown_rules", language) in err


@pytest.mark.parametrize("language", languages())
def test_a_judgement_is_told_in_the_language(language: str, told: Any) -> None:
    code, out, _ = told("judge", POSITION, "d", "--language", language)
    rule = cite(get_rules("aberto"), "already_drawn").text(language)
    assert code == 1
    assert text("code.already_drawn", language) in out
    assert text("cli.judge.code", language, code="already_drawn", citation=rule) in out
    form = json.loads(told("judge", POSITION, "d", "--language", language, "--json")[1])["judgements"][0]
    assert (form["reason"], form["citation"]) == (text("code.already_drawn", language), rule)
    legal = told("judge", POSITION, "m", "5c", "6c", "7c", "--language", language)[1]
    assert text("cli.judge.legal", language) in legal
    count = len(json.loads(told("judge", POSITION, "--json")[1])["legal"])
    head = text("cli.judge.actions", language, seat=0, phase="play", n=count)
    assert told("judge", POSITION, "--language", language)[1].startswith(head)


ASKED = ("?", "rules", "rules 6", "why", "legal", "look", "score", "order", "table", "nonsens", "u 0")


class ByHints:
    """Plays by hints at a screen, asking for everything that can be asked for on the way."""

    typed = False

    def __init__(self, screen: HintScreen) -> None:
        self._screen = screen
        self._asked = iter(ASKED)
        self.prompts: set[str] = set()

    def read(self, prompt: str) -> str:
        self.prompts.add(prompt)
        advice, self._screen.advice = self._screen.advice, ""
        return advice or next(self._asked, "") or "hint"


class HintScreen(TextScreen):
    """Remembers the last hint."""

    advice = ""

    def hint(self, view: SeatView, decision: Decision) -> None:
        super().hint(view, decision)
        self.advice = short_text(view, decision.action)


@functools.cache
def played(language: str, name: str, players: int) -> tuple[str, set[str]]:
    """Play a deal by hints; return what was written, and the prompts."""
    out = io.StringIO()
    host = Host(Match(RULE_SETS[name].replace(target_points=0, deal_count=1), players, seed=4))
    seats = (SeatRecord("You"), *(SeatRecord(f"Bot {seat}", "greedy") for seat in range(1, players)))
    screen = HintScreen(Console(file=out, width=100, highlight=False, markup=False, emoji=False), players, 0, language)
    lines = ByHints(screen)
    Session(Table(host, [], seats, 0), screen, lines, Signals(), lambda _: None).play()
    return out.getvalue(), lines.prompts


MATCHES = [
    *((language, "burraco", 2) for language in languages()),
    (languages()[0], "classico", 4),
    (languages()[-1], "fechado", 2),
]


@pytest.mark.parametrize(("language", "name", "players"), MATCHES)
def test_a_match_is_told_in_the_language(language: str, name: str, players: int) -> None:
    out, prompts = played(language, name, players)
    assert "{" not in out
    assert "\0" not in out
    assert text("cli.play.match_over", language) in out
    assert text("cli.play.hint", language) in out
    assert text("cli.play.deal_over", language, deal=1) in out
    assert text("cli.prompt.play", language) in prompts
    assert help_rows(RULE_SETS[name], 100, language)[0].plain in out


@pytest.mark.parametrize("language", OTHERS)
def test_no_prompt_of_a_match_is_left_in_english(language: str) -> None:
    assert played(language, "burraco", 2)[1] & played("en", "burraco", 2)[1] == set()


@pytest.mark.parametrize("language", languages())
def test_a_piped_match_as_json_has_its_words_in_the_language(
    language: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    arguments: list[str | Path] = ["play", "--data", tmp_path, "--seed", "3", "--json", "--language", language]
    outcome = call(capsys, monkeypatch, arguments, "x Ks\nhint\nq\n")
    told = [json.loads(line) for line in outcome.out.splitlines()]
    assert told[0] == {"kind": "note", "code": "welcome", "text": text("cli.play.welcome", language)}
    refusal = next(one for one in told if one["kind"] == "refusal")
    assert refusal["text"] == text(f"code.{refusal['code']}", language)
    hint = next(one for one in told if one["kind"] == "hint")
    assert all(one["text"].strip() for one in hint["reasons"])


@pytest.mark.parametrize("language", languages())
def test_the_sections_of_the_rules_are_found_by_number_and_by_their_names(language: str) -> None:
    rules = get_rules("fechado")
    for number, section in enumerate(SECTIONS, 1):
        by_number = [row.plain for row in rules_rows(rules, str(number), 100, language)]
        by_name = [row.plain for row in rules_rows(rules, section, 100, language)]
        assert by_number[0] == f"{number}. {text(f'section.{section}', language)}"
        assert by_number[0] in by_name
    assert rules_rows(rules, "", 100, language)[-1].plain == text("cli.help.sections", language)


@pytest.mark.parametrize("language", languages())
def test_no_two_seats_or_sides_have_one_name(language: str) -> None:
    for players in (2, 4):
        for me in (None, *range(players)):
            assert len(set(seat_names(players, me, language))) == players
            assert len(set(side_names(players, me, language))) == 2


def test_the_parts_of_a_sentence_keep_their_styles() -> None:
    card = Text("7h", "red")
    told = sentence("story.me.drew", "en", "bold", card=card)
    assert told.plain == "You drew 7h."
    assert str(told.style) == "bold"
    assert [(span.start, span.end, str(span.style)) for span in told.spans] == [(9, 11, "red")]


@pytest.mark.parametrize("language", languages())
def test_in_the_help_a_blank_parts_every_command_from_what_it_does(language: str) -> None:
    rows = [row.plain for row in help_rows(get_rules("aberto"), 100, language)]
    for word in ("draw", "meld", "save", "quit"):
        told = text(f"cli.help.{word}", language)
        assert any(f" {told}" in " ".join(row.split()) for row in rows), word
