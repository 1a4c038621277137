"""``buraco play``: a match against bots in the terminal."""

from __future__ import annotations

import os
import secrets
import signal
import sys
from collections.abc import Callable, Mapping
from datetime import datetime
from functools import partial
from pathlib import Path
from types import MappingProxyType
from typing import Annotated, Final

import typer

from buraco.bots import DEFAULT_LEVEL, check_level
from buraco.cli.common import (
    DEFAULT_RULES,
    EXIT_INPUT,
    EXIT_OK,
    CommandError,
    JsonFlag,
    LanguageOption,
    RulesOption,
    console,
    fail,
    language_of,
    leave,
    load_rules,
    program,
    write_file,
)
from buraco.cli.lines import Lines, PipedLines, Signalled, Signals, TypedLines, stdin_is_terminal
from buraco.cli.saves import SavedMatch, data_folder, kept_comments, load_match, new_match, played_on, unfinished
from buraco.cli.screen import JsonScreen, Screen, TextScreen
from buraco.cli.session import Session, Stopped, Table
from buraco.cli.sheets import seat_names
from buraco.engine import Host, Match
from buraco.errors import RecordError
from buraco.notation import Record, SeatRecord, format_record, restore
from buraco.rules import FIELD_SPECS, RuleSet, title_in
from buraco.texts import text

__all__ = ["play", "register"]

TARGET_MAX: Final = FIELD_SPECS["target_points"].high
DEALS_MAX: Final = FIELD_SPECS["deal_count"].high
NOTHING_TO_READ: Final = (
    "There is no terminal to play at and no commands on standard input. Run `{program} play` in a terminal, or pipe"
    " commands into it, one a line; `{program} play --help` shows the options."
)


def register(app: typer.Typer) -> None:
    """Add the command to the application."""
    app.command(name="play")(play)


def play(
    rules: RulesOption = DEFAULT_RULES,
    bots: Annotated[
        str, typer.Option("--bots", metavar="LEVELS", help="The bots' level, or one a seat: greedy,random,greedy.")
    ] = DEFAULT_LEVEL,
    players: Annotated[
        int | None, typer.Option("--players", help="2 or 4; by default 4 where the rules allow it.")
    ] = None,
    target: Annotated[
        int | None, typer.Option("--target", min=1, max=TARGET_MAX, help="Points that end the match.")
    ] = None,
    deals: Annotated[
        int | None, typer.Option("--deals", min=1, max=DEALS_MAX, help="A fixed number of deals instead.")
    ] = None,
    seed: Annotated[
        int | None, typer.Option("--seed", help="Repeat a match: the same seed deals the same cards.")
    ] = None,
    resume: Annotated[Path | None, typer.Option("--resume", metavar="FILE", help="Go on with a saved match.")] = None,
    new: Annotated[bool, typer.Option("--new", help="Do not offer the last unfinished match.")] = False,
    data: Annotated[Path | None, typer.Option("--data", metavar="DIR", help="Folder for saved matches.")] = None,
    language: LanguageOption = "",
    as_json: JsonFlag = False,
) -> None:
    """Play a match in the terminal against bots.

    You sit opposite your partner, or opposite your opponent when two play. Type ? at the table for the commands. The
    match is saved as you play; leave it at any time and go on later. Commands may also be piped in, one a line.
    """
    spoken = language_of(language)
    lines = _lines_of(as_json)
    saved = None
    if resume is not None:
        given = {"--rules": rules != DEFAULT_RULES, "--bots": bots != DEFAULT_LEVEL, "--new": new}
        numbers = {"--players": players, "--target": target, "--deals": deals, "--seed": seed}
        _only_resumes(given | {name: number is not None for name, number in numbers.items()})
        saved = load_match(resume)
    # What is wrong with the options is said before anything is asked or read.
    table = _new_table(_with_end(load_rules(rules), target, deals), players, bots, seed)
    folder = data_folder(data, os.environ)
    if isinstance(lines, PipedLines) and lines.empty():
        # Nothing was asked for, so nothing has failed.
        sys.stderr.write(NOTHING_TO_READ.format(program=program()) + "\n")
        leave(EXIT_OK)
    if saved is None and isinstance(lines, TypedLines) and not new:
        saved = _offered(folder, lines, spoken)
    if saved is None:
        with new_match(folder, datetime.now().astimezone()) as path:
            _run(table, _screen_of(table, spoken, as_json), lines, _saver(path, None), path)
    else:
        with played_on(saved.path) as again:
            table = _resumed_table(again)
            _run(table, _screen_of(table, spoken, as_json), lines, _saver(again.path, again), again.path)


def _lines_of(as_json: bool) -> Lines:
    """Return where the commands come from: a terminal, or whatever is piped in."""
    return TypedLines() if stdin_is_terminal() and not as_json else PipedLines(sys.stdin, _echo(as_json))


def _screen_of(table: Table, language: str, as_json: bool) -> Screen:
    count = table.host.match.players
    if as_json:
        return JsonScreen(count, table.me, language=language)
    return TextScreen(console(), count, table.me, language)


def _only_resumes(given: Mapping[str, bool]) -> None:
    """Refuse the options of a new match beside --resume, which would have no effect."""
    others = [name for name, there in given.items() if there]
    if others:
        fail("usage", f"--resume goes on with the match as it is; leave out {', '.join(others)}")


def _echo(as_json: bool) -> Callable[[str], None]:
    def echo(words: str) -> None:
        if not as_json:
            sys.stdout.write(words)
            sys.stdout.flush()

    return echo


def _with_end(rules: RuleSet, target: int | None, deals: int | None) -> RuleSet:
    """Return the rules with another end of the match: a target, a number of deals, or whichever comes first."""
    if target is not None:
        rules = rules.replace(target_points=target, deal_count=deals or 0)
    elif deals is not None:
        rules = rules.replace(target_points=0, deal_count=deals)
    return rules


def _new_table(rules: RuleSet, asked_players: int | None, bots: str, seed: int | None) -> Table:
    """Return the table of a new match, of as many players as the rules allow unless told; the person sits at seat 0."""
    players = max(rules.player_counts) if asked_players is None else asked_players
    levels = [check_level(level.strip()) for level in bots.split(",")]
    match = Match(rules, players, seed=secrets.token_bytes(32) if seed is None else seed)
    if len(levels) == 1:
        levels *= players - 1
    if len(levels) != players - 1:
        fail(
            "bots",
            f"--bots names {len(levels)} bots for {players - 1} seats; give one level, or one for each seat",
        )
    seats = tuple(
        SeatRecord(name, "" if seat == 0 else levels[seat - 1]) for seat, name in enumerate(seat_names(players, 0))
    )
    tags = MappingProxyType({"date": datetime.now().astimezone().isoformat(timespec="seconds")})
    return Table(Host(match), [], seats, 0, tags)


def _resumed_table(saved: SavedMatch) -> Table:
    """Return the table of a saved match, every action and score of it checked."""
    record, path = saved.record, saved.path
    if record.winner:
        fail("match_over", f"the match in {path} is over; `{program()} replay {path}` steps through it", EXIT_INPUT)
    people = [number for number, seat in enumerate(record.seats) if not seat.bot]
    if len(people) != 1:
        fail("seats", f"the match in {path} has {len(people)} seats without a bot; one person plays here", EXIT_INPUT)
    if not record.seed:
        fail(
            "no_seed",
            f"the match in {path} has no seed, so its next deals cannot be dealt; start a new one",
            EXIT_INPUT,
        )
    try:
        restored = restore(record)
    except RecordError as error:
        raise CommandError(error.code, f"the match in {path} does not hold: {error.message}", EXIT_INPUT) from None
    return Table(
        restored.host,
        list(restored.starts),
        record.seats,
        people[0],
        MappingProxyType(dict(record.tags)),
        dealer_drawn=record.dealer_drawn,
        with_packs=any(deal.pack is not None for deal in record.deals),
    )


def _offered(folder: Path, lines: Lines, language: str) -> SavedMatch | None:
    """Offer the last unfinished match; None if there is none or the person starts a new one."""
    saved = unfinished(folder, lambda message: console(stderr=True).print(f"({message})"))
    if saved is None:
        return None
    record = saved.record
    totals = next((deal.outcome.totals for deal in reversed(record.deals) if deal.outcome is not None), (0, 0))
    say = partial(text, language=language)
    title, deal = title_in(record.rules, language), len(record.deals)
    sys.stdout.write(say("cli.play.unfinished", title=title, deal=deal, first=totals[0], second=totals[1]) + "\n")
    try:
        with Signals() as signals:
            answer = signals.wait(lines.read, say("cli.play.go_on"))
    except Signalled as stop:
        sys.stdout.write("\n")
        # Ctrl-C leaves the offer as it leaves the table.
        leave(EXIT_OK if stop.number == signal.SIGINT else 128 + stop.number)
    if answer is None:
        leave(EXIT_OK)
    return saved if answer.strip().lower() in ("", *say("cli.play.yes").split()) else None


def _saver(path: Path, saved: SavedMatch | None) -> Callable[[Record], None]:
    def save(record: Record) -> None:
        write_file(path, format_record(record if saved is None else kept_comments(saved.record, record)))

    return save


def _run(table: Table, screen: Screen, lines: Lines, save: Callable[[Record], None], path: Path) -> None:
    """Play, and say where the match is when it stops."""
    with Signals() as signals:
        session = Session(table, screen, lines, signals, save)
        try:
            session.play()
            exit_code = EXIT_OK
        except Stopped:
            exit_code = EXIT_OK
        except Signalled as stop:
            exit_code = 128 + stop.number
            if stop.number == signal.SIGINT and lines.typed:
                # At the table Ctrl-C is a way to leave like any other.
                sys.stdout.write("\n")
                exit_code = EXIT_OK
        finally:
            # Also when the terminal has gone or a fault ends the program.
            session.save()
    if session.saved and table.host.over:
        screen.note("record", text("cli.play.record", screen.language, path=path))
    elif session.saved and table.starts:
        told = text(f"cli.play.{'saved_again' if lines.typed else 'saved_run'}", screen.language)
        screen.note("saved", f"{told}\n  {program()} play --resume {path}")
    leave(exit_code if session.saved or exit_code else EXIT_INPUT)
