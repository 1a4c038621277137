"""``buraco simulate``: many deals among bots, and what they come to."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import nullcontext
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Final

import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table

from buraco.arena.players import LIMIT_MAX
from buraco.bots import check_level
from buraco.cli.common import DEFAULT_RULES, JsonFlag, RulesOption, console, fail, load_rules, print_json, write_file
from buraco.cli.dataset import Dataset
from buraco.cli.holding import only_run
from buraco.cli.simulation import Confidence, Plan, PlayedDeal, Summary, deal_record, simulate, summary
from buraco.errors import RulesError
from buraco.notation import format_record
from buraco.texts import text

__all__ = ["register"]

DEALS_MAX: Final = 10_000_000
WORKERS_MAX: Final = 256


def register(app: typer.Typer) -> None:
    """Add the command to the application."""
    app.command("simulate")(_simulate)


def _simulate(
    deals: Annotated[int, typer.Option("--deals", min=1, max=DEALS_MAX, help="How many deals.")] = 100,
    rules: RulesOption = DEFAULT_RULES,
    bots: Annotated[
        str, typer.Option("--bots", metavar="LEVELS", help="One level, one a side (greedy,random), or one a seat.")
    ] = "greedy",
    players: Annotated[
        int | None, typer.Option("--players", help="2 or 4; by default 4 where the rules allow it.")
    ] = None,
    seed: Annotated[int, typer.Option("--seed", help="The same seed plays the same deals.")] = 0,
    workers: Annotated[
        int, typer.Option("--workers", min=1, max=WORKERS_MAX, help="Processes; the result is the same for any number.")
    ] = 1,
    records: Annotated[
        Path | None, typer.Option("--records", metavar="DIR", help="Write a record of every deal into this folder.")
    ] = None,
    dataset: Annotated[
        Path | None,
        typer.Option(
            "--dataset", metavar="FILE", help="Write every decision into this Parquet file; run again, it goes on."
        ),
    ] = None,
    nodes: Annotated[
        int | None, typer.Option("--nodes", min=1, max=LIMIT_MAX, help="At most N nodes a turn for levels that search.")
    ] = None,
    each: Annotated[bool, typer.Option("--each", help="Show the result of each deal too.")] = False,
    as_json: JsonFlag = False,
) -> None:
    """Let bots play many deals and show the figures: scores, turns, ends, mortos, canastas.

    Every deal starts at 0 points, and the deal goes round. Intervals are 95 % confidence intervals of the mean.
    """
    chosen = load_rules(rules)
    count = max(chosen.player_counts) if players is None else players
    if count not in chosen.player_counts:
        raise RulesError("players", f"{chosen.name} is not for {count} players.")
    plan = Plan(rules=chosen, bots=_levels(bots, count), deals=deals, seed=seed, nodes=nodes)
    data = None if dataset is None else Dataset(plan, dataset, keep_acts=records is not None)
    if data is None:
        played = simulate(plan, workers=workers, keep_acts=records is not None)
    else:
        played = data.deals(workers)
    shown: list[PlayedDeal] = []
    found = summary(_kept(_watched(played, deals), plan, records, shown if each else None))
    if as_json:
        form = _form(plan, found, shown if each else None)
        print_json(form if data is None else form | {"dataset": {"file": str(data.path), "rows": data.rows()}})
    else:
        _show_all(plan, found, shown, records, data)


def _show_all(plan: Plan, found: Summary, shown: list[PlayedDeal], records: Path | None, data: Dataset | None) -> None:
    """Show the deals that are to be shown one by one, the figures, and where what was written lies."""
    out = console()
    if shown:
        _show_deals(out, shown)
    _show(out, plan, found)
    if records is not None:
        out.print(f"Records: {records}", soft_wrap=True)
    if data is not None:
        out.print(f"Data set: {data.path}, {data.rows():,} rows", soft_wrap=True)


def _levels(bots: str, players: int) -> tuple[str, ...]:
    """Return the level of every seat from the option: one for all, one a side, or one a seat."""
    levels = tuple(check_level(level.strip()) for level in bots.split(","))
    if len(levels) not in (1, 2, players):
        fail("bots", f"--bots names {len(levels)} bots for {players} seats; give one level, one a side, or one a seat")
    return tuple(levels[seat % len(levels)] for seat in range(players))


def _watched(played: Iterator[PlayedDeal], deals: int) -> Iterator[PlayedDeal]:
    """Show a progress bar on standard error while the deals are played, if that is a terminal."""
    err = console(stderr=True)
    if not err.is_terminal:
        yield from played
        return
    columns = (TextColumn("deals"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=err, transient=True) as progress:
        yield from progress.track(played, total=deals)


def _kept(
    played: Iterator[PlayedDeal], plan: Plan, records: Path | None, shown: list[PlayedDeal] | None
) -> Iterator[PlayedDeal]:
    """Write the record of each deal on the way, and keep its result if it is to be shown.

    Raises CommandError: ``file``, ``records_in_use`` if another run writes into the folder of the records.
    """
    digits = len(str(plan.deals))
    alone = nullcontext() if records is None else only_run(records, "records_in_use", folder=records, kind="folder")
    with alone:
        for deal in played:
            if records is not None:
                write_file(records / f"deal-{deal.index + 1:0{digits}}.txt", format_record(deal_record(plan, deal)))
            if shown is not None:
                shown.append(deal)
            yield deal


def _deal_form(deal: PlayedDeal) -> dict[str, object]:
    return {
        "deal": deal.index + 1,
        "scores": list(deal.scores),
        "turns": deal.turns,
        "end_kind": deal.end_kind,
        "out_seat": deal.out_seat,
        "mortos": list(deal.mortos),
        "canastas": [list(names) for names in deal.canastas],
    }


def _form(plan: Plan, found: Summary, shown: list[PlayedDeal] | None) -> dict[str, object]:
    form: dict[str, object] = {"rules": plan.rules.name, "players": plan.players, "bots": list(plan.bots)}
    form |= {"seed": plan.seed} | asdict(found)
    form["ends"] = dict(found.ends)
    form["canastas"] = [dict(side) for side in found.canastas]
    form["wins"] = {"side_0": found.wins[0], "equal": found.wins[1], "side_1": found.wins[2]}
    if shown is not None:
        form["results"] = [_deal_form(deal) for deal in shown]
    return form


def _show_deals(out: Console, shown: list[PlayedDeal]) -> None:
    table = Table(box=None, padding=(0, 2, 0, 0))
    for name in ("deal", "side 0", "side 1", "turns"):
        table.add_column(name, justify="right")
    table.add_column("end")
    for deal in shown:
        out_seat = f" (seat {deal.out_seat})" if deal.out_seat >= 0 else ""
        figures = [str(value) for value in (deal.index + 1, *deal.scores, deal.turns)]
        table.add_row(*figures, deal.end_kind + out_seat)
    out.print(table)
    out.print()


def _interval(figure: Confidence) -> str:
    return f"{figure.mean:.1f}" if figure.half_width is None else f"{figure.mean:.1f} ± {figure.half_width:.1f}"


def _show(out: Console, plan: Plan, found: Summary) -> None:
    sides = [", ".join(dict.fromkeys(plan.bots[side::2])) for side in (0, 1)]
    out.print(
        f"{plan.rules.title}: {found.deals} deal{'s' * (found.deals > 1)}, {plan.players} players, seed {plan.seed}"
    )
    table = Table(box=None, padding=(0, 2, 0, 0))
    table.add_column("")
    for side in (0, 1):
        table.add_column(f"side {side} ({sides[side]})", justify="right")
    table.add_row("mean score", _interval(found.score[0]), _interval(found.score[1]))
    table.add_row("deals won", str(found.wins[0]), str(found.wins[2]))
    table.add_row("went out", str(found.out[0]), str(found.out[1]))
    table.add_row("mortos a deal", *(f"{value:.2f}" for value in found.mortos))
    names = sorted({name for side in found.canastas for name, _ in side})
    for name in names:
        figures = [f"{dict(side).get(name, 0.0):.2f}" for side in found.canastas]
        table.add_row(f"{text(f'category.{name}')}, a deal", *figures)
    out.print(table)
    out.print(f"side 0 - side 1: {_interval(found.difference)} points a deal; equal deals: {found.wins[1]}")
    out.print(f"turns a deal: {_interval(found.turns)}, at most {found.turns_max}; actions a deal: {found.actions:.1f}")
    out.print("ends: " + ", ".join(f"{name} {number}" for name, number in found.ends))
