"""Whole matches in the terminal: played by hints to the end, on a real terminal too; signals, going on, colours."""

from __future__ import annotations

import re
import signal
import subprocess
from collections.abc import Sequence
from pathlib import Path

import pytest
from rich.text import Text

from buraco.bots import Decision
from buraco.cli.lines import Signals
from buraco.cli.moves import short_text
from buraco.cli.saves import load_match
from buraco.cli.screen import JsonScreen
from buraco.cli.session import Session, Table
from buraco.engine import Host, Match, Refusal, SeatView
from buraco.notation import Record, SeatRecord, replay
from buraco.rules import RULE_SETS, RuleSet
from tests.toy import TOYS
from tests.unit.making import game_sets
from tests.unit.terminal import Terminal, command

CODES = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]|[\a\b]")


class FollowingScreen(JsonScreen):
    """Remembers what the player was told, and the last hint."""

    def __init__(self, players: int) -> None:
        self.told: list[object] = []
        self.advice = ""
        super().__init__(players, 0, self.told.append)

    def hint(self, view: SeatView, decision: Decision) -> None:
        super().hint(view, decision)
        self.advice = short_text(view, decision.action)

    def refused(self, refusal: Refusal, *, full: bool = False) -> None:  # noqa: ARG002
        raise AssertionError(f"a hint was refused: {refusal}")

    def choices(self, view: SeatView, actions: Sequence[int]) -> None:  # noqa: ARG002
        raise AssertionError(f"a hint means several things: {self.advice}")

    def rows(self, code: str, rows: Sequence[Text]) -> None:  # noqa: ARG002
        raise AssertionError(f"nobody asked for {code}")


class FollowingLines:
    """Asks for a hint and then does what it says; presses Enter where there is no hint."""

    typed = False

    def __init__(self, screen: FollowingScreen) -> None:
        self._screen = screen

    def read(self, prompt: str) -> str:
        if "lift how many" in prompt:
            return ""
        advice, self._screen.advice = self._screen.advice, ""
        return advice or "hint"


def follow_hints(rules: RuleSet, players: int, seed: int) -> Record:
    """Play a match by hints and return the last record that was saved."""
    host = Host(Match(rules, players, seed=seed))
    seats = (SeatRecord("You"), *(SeatRecord(f"Bot {seat}", "greedy") for seat in range(1, players)))
    screen = FollowingScreen(players)
    saved: list[Record] = []
    Session(Table(host, [], seats, 0), screen, FollowingLines(screen), Signals(), saved.append).play()
    assert host.over
    assert isinstance(screen.told[-1], dict)
    assert screen.told[-1]["kind"] == "result"
    return saved[-1]


@pytest.mark.parametrize(("name", "players"), game_sets())
def test_a_match_played_by_hints_ends_and_its_record_holds(name: str, players: int, compiled: bool) -> None:
    deals = 2 if compiled else 1
    record = follow_hints(RULE_SETS[name].replace(target_points=0, deal_count=deals), players, seed=6)
    assert record.winner
    assert len(record.deals) >= deals
    assert sum(1 for step in replay(record) if step.kind == "end") == len(record.deals)


@pytest.mark.parametrize("name", sorted(TOYS))
@pytest.mark.parametrize("seed", range(5))
def test_a_match_by_toy_rules_played_by_hints_ends(name: str, seed: int) -> None:
    assert follow_hints(TOYS[name], 2, seed).winner


def follow_on(terminal: Terminal) -> str:
    """Answer every prompt as the hints say until the match is over; return all that was shown."""
    while True:
        chunk = plain(terminal.wait_for(" > ", "The match is over"))
        advice = re.search(r"Hint: (.*)\n", chunk)
        if chunk.endswith("The match is over"):
            terminal.exit_code()
            return plain(terminal.text)
        if chunk.endswith("Enter for the next deal (? help) > ") or "lift how many" in chunk:
            terminal.send("")
        else:
            terminal.send(advice[1].strip() if advice else "hint")


def plain(text: str) -> str:
    return CODES.sub("", text)


def test_a_whole_match_on_a_terminal_by_a_player_who_follows_hints(tmp_path: Path, compiled: bool) -> None:
    goal = ("--target", "1200") if compiled else ("--deals", "1")
    with Terminal(["play", "--seed", "3", "--data", tmp_path, *goal]) as terminal:
        shown = follow_on(terminal)
        assert terminal.process.returncode == 0
    assert re.search(r"You have (won|lost) the match, -?\d+ to -?\d+\.", shown)
    assert "No. " not in shown
    assert "Traceback" not in shown
    assert max(len(line) for line in shown.splitlines() if str(tmp_path) not in line) <= 80
    (file,) = (tmp_path / "matches").iterdir()
    record = load_match(file).record
    assert record.winner
    assert [step.kind for step in replay(record)][-1] == "end"
    for deal in record.deals:
        assert deal.outcome is not None
        assert re.search(rf"this deal +{re.escape(format(deal.outcome.scores[0], '+d'))} ", shown)
        assert f"Totals: We {deal.outcome.totals[0]}, They {deal.outcome.totals[1]}" in shown
    assert f"The record of the match: {file}" in shown


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 0), (signal.SIGTERM, 143), (signal.SIGHUP, 129)])
def test_a_signal_saves_the_match_and_says_how_to_go_on(number: signal.Signals, code: int, tmp_path: Path) -> None:
    with Terminal(["play", "--seed", "5", "--data", tmp_path]) as terminal:
        terminal.wait_for(" > ")
        terminal.send("d")
        terminal.wait_for(" > ")
        terminal.signal(number)
        assert terminal.exit_code() == code
    (file,) = (tmp_path / "matches").iterdir()
    assert f"buraco play --resume {file}" in plain(terminal.text)
    assert len(load_match(file).record.deals[0].turns) == 4


def test_the_end_of_typing_saves_the_match_which_is_offered_at_the_next_start(tmp_path: Path) -> None:
    arguments: list[str | Path] = ["play", "--seed", "5", "--data", tmp_path]
    with Terminal(arguments) as terminal:
        terminal.wait_for(" > ")
        terminal.send("d")
        terminal.wait_for(" > ")
        terminal.end()
        assert terminal.exit_code() == 0
        assert "start it again" in plain(terminal.text)
    with Terminal(arguments) as terminal:
        terminal.wait_for("[Y/n] > ")
        terminal.signal(signal.SIGINT)
        assert terminal.exit_code() == 0
    with Terminal(arguments) as terminal:
        assert "unfinished match: Buraco Aberto, deal 1" in plain(terminal.wait_for("[Y/n] > "))
        terminal.send("")
        assert "m meld, a add, x discard" in plain(terminal.wait_for("? help) > "))
        terminal.send("quit")
        assert terminal.exit_code() == 0
    assert len(list((tmp_path / "matches").iterdir())) == 1
    with Terminal(arguments) as terminal:
        terminal.wait_for("[Y/n] > ")
        terminal.send("n")
        assert "d draw, p take the pile" in plain(terminal.wait_for("? help) > "))
        terminal.send("quit")
        assert terminal.exit_code() == 0
    assert len(list((tmp_path / "matches").iterdir())) == 2
    with Terminal([*arguments, "--new"]) as terminal:
        assert "unfinished" not in terminal.wait_for(" > ")
        terminal.send("quit")
        assert terminal.exit_code() == 0


def test_suits_have_colours_unless_no_color_is_set(tmp_path: Path) -> None:
    shown = []
    for environment in ({}, {"NO_COLOR": "1"}):
        with Terminal(["play", "--seed", "5", "--data", tmp_path, "--new"], environment=environment) as terminal:
            terminal.wait_for("? help) > ")
            terminal.send("quit")
            assert terminal.exit_code() == 0
            shown.append(terminal.text)
    assert re.search(r"\x1b\[[0-9;]*91m", shown[0])
    # Bold letters stay; 30 to 37, 90 to 97 and 38 are the colours.
    assert not re.search(r"\x1b\[([0-9]+;)*(3[0-8]|9[0-7])", shown[1])


@pytest.mark.parametrize(("columns", "rows"), [(80, 24), (120, 40)])
def test_the_first_table_fits_the_screen(columns: int, rows: int, tmp_path: Path) -> None:
    with Terminal(["play", "--seed", "5", "--data", tmp_path], columns=columns, rows=rows) as terminal:
        shown = plain(terminal.wait_for("? help) > ")).splitlines()
        terminal.send("quit")
        assert terminal.exit_code() == 0
    assert max(map(len, shown)) <= columns
    assert len(shown) <= rows


def test_an_interrupt_of_a_script_has_the_exit_code_of_the_signal(tmp_path: Path) -> None:
    process = subprocess.Popen(
        command(["play", "--seed", "5", "--data", tmp_path]), stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    assert process.stdin is not None
    assert process.stdout is not None
    with process.stdin, process.stdout:
        process.stdin.write(b"d\n")
        process.stdin.flush()
        while b"You drew" not in process.stdout.readline():
            pass
        process.send_signal(signal.SIGINT)
        assert b"--resume" in process.stdout.read()
    assert process.wait(120) == 130
