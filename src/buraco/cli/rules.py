"""``buraco rules``: the rule sets, their pages, their differences, and the check of house rules."""

from __future__ import annotations

import json
import sys
from typing import Annotated

import typer
from rich.table import Table

from buraco.cli.common import (
    EXIT_NO,
    EXIT_USAGE,
    CommandError,
    JsonFlag,
    LanguageOption,
    console,
    exit_code_of,
    fail,
    language_of,
    load_rules,
    print_json,
)
from buraco.errors import RulesError
from buraco.rules import RULE_SETS, RuleSet, diff, page, title_in, to_json, to_toml
from buraco.texts import text

__all__ = ["register"]

WordsArgument = Annotated[
    list[str] | None,
    typer.Argument(metavar="NAME|FILE | check FILE | diff A B", help="Nothing: the list.", show_default=False),
]
TomlFlag = Annotated[
    bool, typer.Option("--toml", help="Write a rule set as TOML with every field, to begin house rules.")
]


def register(app: typer.Typer) -> None:
    """Add the command to the application."""
    app.command("rules")(_rules)


def _rules(
    words: WordsArgument = None, as_toml: TomlFlag = False, language: LanguageOption = "", as_json: JsonFlag = False
) -> None:
    """List the rule sets, write the complete rules of one, compare two, or check house rules.

    A rule set is a name, or house rules in a TOML (or JSON) file.

    `check` names every fault of the rules; the exit code is 1 if they have any.
    """
    told = language_of(language)
    if as_toml and (len(words or []) != 1 or as_json):
        fail("usage", "--toml writes one rule set: buraco rules NAME --toml, without --json")
    match words or []:
        case []:
            _list(told, as_json)
        case ["check", name]:
            _check(name, told, as_json)
        case ["diff", left, right]:
            _diff(load_rules(left), load_rules(right), told, as_json)
        case [name] if name not in ("check", "diff"):
            _page(load_rules(name), told, as_toml, as_json)
        case _:
            fail("usage", "buraco rules takes nothing, a rule set, check FILE, or diff A B")


def _list(language: str, as_json: bool) -> None:
    if as_json:
        sets = [
            {"name": one.name, "title": title_in(one, language), "players": list(one.player_counts)}
            for one in RULE_SETS.values()
        ]
        print_json(sets)
        return
    table = Table(box=None, pad_edge=False)
    for heading in ("name", "title", "players"):
        table.add_column(text(f"cli.rules.{heading}", language))
    either = text("cli.rules.or", language)
    for one in RULE_SETS.values():
        table.add_row(one.name, title_in(one, language), either.join(str(count) for count in one.player_counts))
    console().print(table)


def _page(rules: RuleSet, language: str, as_toml: bool, as_json: bool) -> None:
    if as_json:
        print_json({"rules": to_json(rules), "page": page(rules, language)})
    else:
        sys.stdout.write(_whole_toml(rules) if as_toml else page(rules, language))


def _whole_toml(rules: RuleSet) -> str:
    """Return house rules that name every field, to begin one's own with; those of a rule set of ours have a name of
    their own as soon as they are read."""
    built_in = rules.name in RULE_SETS and rules == RULE_SETS[rules.name]
    head = f'base = "{rules.name}"\n' if built_in else to_toml(rules).partition("[fields]")[0]
    # A value in JSON is one in TOML too, but for null.
    values = {name: "none" if value is None else value for name, value in to_json(rules).items()}
    written = {name: json.dumps(value, ensure_ascii=False) for name, value in values.items()}
    lines = [f"{name} = {value}" for name, value in written.items() if name not in ("name", "title")]
    return "\n".join([head.rstrip("\n"), "", "[fields]", *lines, ""])


def _check(name: str, language: str, as_json: bool) -> None:
    try:
        rules = load_rules(name)
    except RulesError as error:
        if exit_code_of(error) == EXIT_USAGE:
            raise
        # Here the faults are the answer, not a failure to answer.
        raise CommandError(error.code, error.message, EXIT_NO, error.reasons) from None
    if as_json:
        print_json({"possible": True, "rules": to_json(rules)})
    else:
        console().print(text("cli.rules.possible", language, name=rules.name), soft_wrap=True)


def _diff(left: RuleSet, right: RuleSet, language: str, as_json: bool) -> None:
    found = diff(left, right, language)
    if as_json:
        rows = [{"field": one.field, "left": one.left, "right": one.right} for one in found]
        print_json({"left": left.name, "right": right.name, "differences": rows})
    elif not found:
        console().print(text("cli.rules.same", language))
    else:
        table = Table(box=None, pad_edge=False)
        for heading in (text("cli.rules.field", language), left.name, right.name):
            table.add_column(heading, overflow="fold")
        for one in found:
            table.add_row(one.field, one.left, one.right)
        console().print(table)
