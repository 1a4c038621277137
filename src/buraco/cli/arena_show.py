"""How results of the arena are shown to people, and ratings to programs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import Final

from rich.console import Console
from rich.table import Table

from buraco.arena.ladder import direction
from buraco.arena.plan import FAULT_POINTS
from buraco.arena.ratings import Rating
from buraco.arena.running import Outcome
from buraco.arena.statistics import binomial_p, estimate, wilson
from buraco.arena.tally import Tally
from buraco.arena.words import p_text, points_text, share_text, stop_text, tally_cells
from buraco.rules import RuleSet

__all__ = ["ratings_form", "show_outcomes", "show_ratings"]

_FAULTS_SHOWN: Final = 5


def ratings_form(found: Sequence[Rating]) -> list[dict[str, object]]:
    """Return ratings as plain JSON values, the best first."""
    return [asdict(rating) for rating in found]


def _table(*columns: str) -> Table:
    table = Table(box=None, padding=(0, 2, 0, 0))
    for number, name in enumerate(columns):
        # The names of players may need several lines, figures stay whole.
        table.add_column(name, justify="right" if number else "left", overflow="fold", no_wrap=number > 0)
    return table


def show_outcomes(out: Console, rules: RuleSet, outcomes: Sequence[Outcome]) -> None:
    """Show what runs under one rule set came to."""
    plan = outcomes[0].plan
    units = ", ".join(dict.fromkeys(outcome.plan.unit for outcome in outcomes))
    out.print(f"{rules.title}: {plan.players} players, paired {units}, seed {plan.seed}", soft_wrap=True)
    told = "Points are A's lead a game, wins A's games won, equal, lost; intervals are 95 %, p is that of the "
    out.print(told + ("points." if plan.unit == "deals" else "wins."), soft_wrap=True)
    table = _table("A - B", "pairs", "points", "+/=/-", "wins", "p", "A")
    for outcome in outcomes:
        values = [win for pair in outcome.pairs for win in pair.wins]
        points = estimate((sum(pair.points) for pair in outcome.pairs), 2)
        table.add_row(
            f"{outcome.plan.a.text} - {outcome.plan.b.text}",
            str(len(outcome.pairs)),
            points_text(points),
            "/".join(str(values.count(win)) for win in (1, 0, -1)),
            share_text((values.count(1) + values.count(0) / 2) / len(values), *_wilson_of(values)),
            p_text(points.p if outcome.plan.unit == "deals" else _p_of(values)),
            direction(outcome),
        )
    out.print(table)
    _show_players(out, outcomes)
    for outcome in outcomes:
        _show_stop(out, outcome)
        _show_faults(out, outcome)


def _wilson_of(wins: Sequence[int]) -> tuple[float, float]:
    return wilson(wins.count(1) + wins.count(0) / 2, len(wins))


def _p_of(wins: Sequence[int]) -> float:
    return binomial_p(wins.count(1), wins.count(-1))


def _show_players(out: Console, outcomes: Sequence[Outcome]) -> None:
    found: dict[str, Tally] = {}
    for outcome in outcomes:
        for player, tally in zip(outcome.plan.sides, outcome.tallies or (), strict=False):
            found[player.text] = found.get(player.text, Tally.empty()).plus(tally)
    table = _table("player", "decisions", "nodes", "illegal", "median ms", "99 % ms", "worst ms")
    for name, tally in found.items():
        table.add_row(name, *tally_cells(tally))
    out.print()
    out.print(table)


def _show_stop(out: Console, outcome: Outcome) -> None:
    told = stop_text(outcome)
    if told:
        out.print(
            f"Sequential test: {told}. Intervals and p are those of a run of fixed length.",
            soft_wrap=True,
        )


def _show_faults(out: Console, outcome: Outcome) -> None:
    faults = outcome.faults
    for fault in faults[:_FAULTS_SHOWN]:
        player = outcome.plan.sides[fault.player]
        out.print(
            f"{player.text} lost game {fault.game + 1} of pair {fault.pair + 1} by a fault "
            f"({fault.code}): {fault.text}",
            soft_wrap=True,
        )
    if faults:
        out.print(f"Faults: {len(faults)}; each counts as a game lost by {FAULT_POINTS} points.")


def show_ratings(out: Console, found: Sequence[Rating]) -> None:
    """Show ratings, the best first."""
    table = _table("player", "rating", "95 % interval", "games")
    for rating in found:
        interval = f"{rating.low:+.0f} to {rating.high:+.0f}"
        table.add_row(rating.player, f"{rating.rating:+.0f}", interval, str(rating.count))
    out.print()
    out.print(table)
