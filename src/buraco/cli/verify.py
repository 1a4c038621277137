"""``buraco verify``: the shuffles of a game record, every card drawn again from the seeds that it reveals."""

from __future__ import annotations

from typing import Annotated

import typer
from rich.console import Console
from rich.text import Text

from buraco.cli.common import (
    EXIT_INPUT,
    EXIT_NO,
    CommandError,
    JsonFlag,
    LanguageOption,
    console,
    language_of,
    leave,
    print_json,
    read_input,
)
from buraco.cli.judge import FileArgument, read_text, record_of_text
from buraco.errors import ParseError
from buraco.notation import DealRecord, Finding, Witness, finding_json, parse_witness, verify
from buraco.texts import text

__all__ = ["register"]

WitnessOption = Annotated[
    list[str] | None,
    typer.Option(
        "--witness", metavar="FILE", help="What a player kept of the match (docs/fair-shuffle.md); repeatable."
    ),
]


def register(app: typer.Typer) -> None:
    """Add the command to the application."""
    app.command("verify")(_verify)


def _verify(
    file: FileArgument, witness: WitnessOption = None, language: LanguageOption = "", as_json: JsonFlag = False
) -> None:
    """Verify the shuffles of a game record: draw again every card, cut and dealer from the seeds that it reveals.

    If something does not hold, the message says at which deal and which card.

    The exit code is then 1, also where the record holds no evidence to check.
    """
    told = language_of(language)
    record = record_of_text(*read_text(file))
    found = verify(record, [_read_witness(name) for name in witness or ()])
    fault_count = sum(finding.fault for finding in found)
    if as_json:
        findings = [finding_json(finding, told) for finding in found]
        print_json({"holds": fault_count == 0, "deals": len(record.deals), "findings": findings})
    else:
        _show(console(), record.deals, found, told)
    if fault_count:
        leave(EXIT_NO)


def _read_witness(name: str) -> Witness:
    content = read_input(name)
    try:
        return parse_witness(content)
    except ParseError as error:
        raise CommandError(error.code, f"{name} is no witness of a match: {error.message}", EXIT_INPUT) from None


def _show(out: Console, deals: tuple[DealRecord, ...], found: tuple[Finding, ...], language: str) -> None:
    if [finding.code for finding in found if finding.fault] == ["no_evidence"]:
        # Nobody is accused: such a record was not made to be checked.
        out.print(text("cli.verify.none", language), soft_wrap=True)
        return
    for finding in found:
        mark = ("fault", "bold red") if finding.fault else ("note", "bold")
        head = (text(f"cli.verify.{mark[0]}", language), mark[1])
        out.print(Text.assemble(head, finding.text(language)), soft_wrap=True)
    faulty = {finding.deal for finding in found if finding.fault}
    for deal in deals:
        if 0 not in faulty and deal.number not in faulty:
            out.print(_holds(deal, language), soft_wrap=True)
    fault_count = sum(finding.fault for finding in found)
    if fault_count:
        out.print(text("cli.verify.broken", language, n=fault_count), soft_wrap=True)
    else:
        out.print(text("cli.verify.holds", language, n=len(deals)), soft_wrap=True)


def _holds(deal: DealRecord, language: str) -> str:
    """Say from whose seeds the cards of a deal follow."""
    seats = [str(seat) for seat, seed in enumerate(deal.player_seeds) if seed]
    told = ", ".join(seats)
    if len(seats) > 1:
        told = text("cli.verify.and", language, some=", ".join(seats[:-1]), last=seats[-1])
    kind = ("server", "seat", "seats")[min(len(seats), 2)]
    return text(f"cli.verify.{kind}", language, deal=deal.number, seats=told)
