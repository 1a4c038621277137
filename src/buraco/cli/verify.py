"""``buraco verify``: the shuffles of a game record, every card drawn again from the seeds that it reveals."""

from __future__ import annotations

from typing import Annotated

import typer
from rich.console import Console
from rich.text import Text

from buraco.cli.common import EXIT_NO, JsonFlag, console, leave, print_json, read_input
from buraco.cli.judge import FileArgument, read_text
from buraco.notation import DealRecord, Finding, finding_json, parse_record, parse_witness, verify

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


def _verify(file: FileArgument, witness: WitnessOption = None, as_json: JsonFlag = False) -> None:
    """Verify the shuffles of a game record: draw again every card, cut and dealer from the seeds that it reveals.

    If something does not hold, the message says at which deal and which card.

    The exit code is then 1.
    """
    record = parse_record(read_text(file))
    found = verify(record, [parse_witness(read_input(name)) for name in witness or ()])
    fault_count = sum(finding.fault for finding in found)
    if as_json:
        findings = [finding_json(finding) for finding in found]
        print_json({"holds": fault_count == 0, "deals": len(record.deals), "findings": findings})
    else:
        _show(console(), record.deals, found, fault_count)
    if fault_count:
        leave(EXIT_NO)


def _show(out: Console, deals: tuple[DealRecord, ...], found: tuple[Finding, ...], fault_count: int) -> None:
    for finding in found:
        mark = ("fault: ", "bold red") if finding.fault else ("note: ", "bold")
        out.print(Text.assemble(mark, finding.text()), soft_wrap=True)
    faulty = {finding.deal for finding in found if finding.fault}
    for deal in deals:
        if 0 not in faulty and deal.number not in faulty:
            out.print(f"Deal {deal.number}: every card follows from {_whose(deal)}.", soft_wrap=True)
    if fault_count:
        out.print(f"The shuffles do not hold: {_counted(fault_count, 'fault')}.", soft_wrap=True)
    else:
        out.print(f"The shuffles hold: {_counted(len(deals), 'deal')}.", soft_wrap=True)


def _whose(deal: DealRecord) -> str:
    seats = [str(seat) for seat, seed in enumerate(deal.player_seeds) if seed]
    if not seats:
        return "the seed that the server committed to"
    whose = f"those of seats {', '.join(seats[:-1])} and {seats[-1]}" if len(seats) > 1 else f"that of seat {seats[0]}"
    return f"the seed that the server committed to and {whose}"


def _counted(count: int, thing: str) -> str:
    return f"{count} {thing}" if count == 1 else f"{count} {thing}s"
