"""``buraco arena``: players against each other in paired games, rated, drawn and reported."""

from __future__ import annotations

import os
import shlex
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from typing import Annotated, Final

import typer

from buraco.arena.document import strength_page
from buraco.arena.executors import open_pool
from buraco.arena.ladder import SIZES, direction, ladder_steps, step_name, step_plan
from buraco.arena.picture import ladder_svg
from buraco.arena.plan import PAIRS_MAX, Plan
from buraco.arena.players import LIMIT_MAX, parse_player
from buraco.arena.ratings import ratings, scores_of
from buraco.arena.results import result_form
from buraco.arena.running import Outcome
from buraco.arena.stopping import parse_stop
from buraco.bots import check_level
from buraco.cli.arena_runs import Work, play_plan, results_in
from buraco.cli.arena_show import ratings_form, show_outcomes, show_ratings
from buraco.cli.common import (
    DEFAULT_RULES,
    EXIT_NO,
    JsonFlag,
    RulesOption,
    console,
    fail,
    leave,
    load_rules,
    print_json,
    write_file,
)
from buraco.rules import RuleSet
from buraco.rules.near import near_hint

__all__ = ["register"]

WORKERS_MAX: Final = 256
SEED_MAX: Final = 2**53 - 1
PAIRS_DEFAULT: Final = 100

PlayersOption = Annotated[int | None, typer.Option("--players", help="2 or 4; by default 4 where the rules allow it.")]
DealsOption = Annotated[
    int | None,
    typer.Option(
        "--deals",
        min=1,
        max=PAIRS_MAX,
        help=f"How many deals, else {PAIRS_DEFAULT}; each is played twice, with the sides changed.",
    ),
]
MatchesOption = Annotated[
    int | None,
    typer.Option("--matches", min=1, max=PAIRS_MAX, help="How many matches instead; each is played twice likewise."),
]
SeedOption = Annotated[
    int, typer.Option("--seed", min=-SEED_MAX, max=SEED_MAX, help="The same seed deals the same cards.")
]
WorkersOption = Annotated[
    int, typer.Option("--workers", min=1, max=WORKERS_MAX, help="Workers; the result is the same for any number.")
]
EngineOption = Annotated[
    str,
    typer.Option("--engine", metavar="local|ray", help="Local processes, or Ray (the extra buraco\\[ray])."),
]
StopOption = Annotated[
    str | None,
    typer.Option(
        "--stop", metavar="RULE", help="End sooner by a sequential test: sprt:LOW:HIGH[:ALPHA:BETA], in points or wins."
    ),
]
NodesOption = Annotated[
    int | None, typer.Option("--nodes", min=1, max=LIMIT_MAX, help="The limit of nodes for players that name none.")
]
MsOption = Annotated[
    int | None, typer.Option("--ms", min=1, max=LIMIT_MAX, help="The limit in milliseconds for players that name none.")
]
PictureOption = Annotated[
    Path | None, typer.Option("--picture", metavar="FILE", help="Draw the ratings into this SVG file.")
]
AgainFlag = Annotated[bool, typer.Option("--again", help="Play anew what another version of the software played.")]
_PLAYER_HELP: Final = "A level (club), one with limits (club:nodes=2000,ms=50), or a program (exec:COMMAND)."


def register(app: typer.Typer) -> None:
    """Add the commands to the application."""
    group = typer.Typer(help="Measure players against each other in paired games.", no_args_is_help=True)
    group.command("run")(_run)
    group.command("round")(_round)
    group.command("ladder")(_ladder)
    group.command("ratings")(_ratings)
    group.command("report")(_report)
    app.add_typer(group, name="arena")


@dataclass(frozen=True, slots=True)
class _Table:
    """What all runs of a command share: the rules with the name by which they were asked for, the number of players."""

    name: str
    rules: RuleSet
    players: int

    @classmethod
    def of(cls, name: str, players: int | None) -> _Table:
        rules = load_rules(name)
        return cls(name, rules, max(rules.player_counts) if players is None else players)

    def command(self, plan: Plan) -> str:
        """Return the command that plays a plan."""
        words = ["buraco", "arena", "run", plan.a.text, plan.b.text]
        words += ["--rules", self.name, "--players", str(plan.players)]
        words += [f"--{plan.unit}", str(plan.pairs), "--seed", str(plan.seed)]
        for option in ("nodes", "ms"):
            for player in plan.sides:
                value = getattr(player, option)
                if player.command and value is not None and f"--{option}" not in words:
                    words += [f"--{option}", str(value)]
        if plan.stop is not None:
            stop = plan.stop
            words += ["--stop", f"sprt:{stop.low:g}:{stop.high:g}:{stop.alpha:g}:{stop.beta:g}"]
        return shlex.join(words)


def _plans(
    table: _Table,
    texts: list[str],
    *,
    deals: int | None,
    matches: int | None,
    seed: int,
    stop: str | None,
    nodes: int | None,
    ms: int | None,
) -> list[Plan]:
    """Return the plan of each two of the players."""
    if deals is not None and matches is not None:
        fail("arena_number", "give --deals or --matches, not both")
    unit, pairs = ("deals", deals or PAIRS_DEFAULT) if matches is None else ("matches", matches)
    players = [parse_player(text).with_defaults(nodes, ms) for text in texts]
    test = None if stop is None else parse_stop(stop, unit)
    return [
        Plan(rules=table.rules, players=table.players, a=a, b=b, unit=unit, pairs=pairs, seed=seed, stop=test)
        for a, b in combinations(players, 2)
    ]


def _run(
    a: Annotated[str, typer.Argument(metavar="A", help=_PLAYER_HELP)],
    b: Annotated[str, typer.Argument(metavar="B", help="The other player.")],
    rules: RulesOption = DEFAULT_RULES,
    players: PlayersOption = None,
    deals: DealsOption = None,
    matches: MatchesOption = None,
    seed: SeedOption = 0,
    workers: WorkersOption = 1,
    engine: EngineOption = "local",
    stop: StopOption = None,
    nodes: NodesOption = None,
    ms: MsOption = None,
    out: Annotated[
        Path | None,
        typer.Option("--out", metavar="FILE", help="Keep the result here; a run that stopped goes on."),
    ] = None,
    again: AgainFlag = False,
    as_json: JsonFlag = False,
) -> None:
    """Play paired games of A against B: the same cards twice, with the sides changed.

    Shown is the difference of points a game with its 95 % interval, who won, how sure that is, how long decisions took.
    """
    table = _Table.of(rules, players)
    (plan,) = _plans(table, [a, b], deals=deals, matches=matches, seed=seed, stop=stop, nodes=nodes, ms=ms)
    with open_pool(engine, workers) as pool:
        outcome = play_plan(plan, table.command(plan), out, Work(pool, engine, workers, again))
    if as_json:
        print_json(result_form(outcome, table.command(plan), workers, engine))
        return
    show_outcomes(console(), table.rules, [outcome])


def _round(
    names: Annotated[list[str], typer.Argument(metavar="A B C...", help=_PLAYER_HELP)],
    rules: RulesOption = DEFAULT_RULES,
    players: PlayersOption = None,
    deals: DealsOption = None,
    matches: MatchesOption = None,
    seed: SeedOption = 0,
    workers: WorkersOption = 1,
    engine: EngineOption = "local",
    stop: StopOption = None,
    nodes: NodesOption = None,
    ms: MsOption = None,
    out: Annotated[
        Path | None, typer.Option("--out", metavar="DIR", help="Keep a result for each two players in this folder.")
    ] = None,
    picture: PictureOption = None,
    again: AgainFlag = False,
    as_json: JsonFlag = False,
) -> None:
    """Play each two of the players against each other, and rate them all."""
    if len(names) < 2 or len(set(names)) < len(names):
        fail("arena_player", "a round has two players or more, each named once")
    table = _Table.of(rules, players)
    plans = _plans(table, names, deals=deals, matches=matches, seed=seed, stop=stop, nodes=nodes, ms=ms)
    _play_all(table, plans, out, picture, workers, engine, again=again, as_json=as_json)


def _play_all(
    table: _Table,
    plans: list[Plan],
    out: Path | None,
    picture: Path | None,
    workers: int,
    engine: str,
    *,
    again: bool,
    as_json: bool,
) -> list[Outcome]:
    """Play plans one after the other, each kept in a file of its own, and show them with the ratings."""
    outcomes = []
    with open_pool(engine, workers) as pool:
        for plan in plans:
            file = None if out is None else out / f"{step_name(plan)}.json"
            outcomes.append(play_plan(plan, table.command(plan), file, Work(pool, engine, workers, again)))
    found = ratings(scores_of(outcomes))
    if picture is not None:
        write_file(picture, ladder_svg(found, f"{table.rules.title}, {table.players} players"))
    if as_json:
        runs = [
            result_form(outcome, table.command(plan), workers, engine)
            for plan, outcome in zip(plans, outcomes, strict=True)
        ]
        print_json({"runs": runs, "ratings": ratings_form(found)})
    else:
        show_outcomes(console(), table.rules, outcomes)
        show_ratings(console(), found)
    return outcomes


def _ladder(
    rules: RulesOption = DEFAULT_RULES,
    players: PlayersOption = None,
    size: Annotated[str, typer.Option("--size", metavar="|".join(SIZES), help="How many pairs a step has.")] = "small",
    matches: Annotated[
        int,
        typer.Option("--matches", min=0, max=PAIRS_MAX, help="Matches of the best level against club as well."),
    ] = 0,
    levels: Annotated[
        str, typer.Option("--levels", metavar="LEVELS", help="Only the steps between these: random,greedy,novice,club.")
    ] = "",
    seed: SeedOption = 1,
    workers: WorkersOption = 1,
    engine: EngineOption = "local",
    out: Annotated[
        Path | None, typer.Option("--out", metavar="DIR", help="Keep the result of each step in this folder.")
    ] = None,
    picture: PictureOption = None,
    again: AgainFlag = False,
    as_json: JsonFlag = False,
) -> None:
    """Play the steps of our levels' ladder under one rule set; the exit code is 1 if a step leads down.

    Levels that search play under limits of nodes, so that the result can be repeated.
    """
    if size not in SIZES:
        fail("arena_number", f"there is no size {size[:40]!r}; there are {', '.join(SIZES)}.{near_hint(size, SIZES)}")
    table = _Table.of(rules, players)
    named = tuple(check_level(level.strip()) for level in levels.split(",")) if levels else ()
    steps = ladder_steps(SIZES[size], match_pairs=matches, levels=named)
    if not steps:
        there = ", ".join(f"{step.upper.text} - {step.lower.text}" for step in ladder_steps(SIZES[size]))
        fail("arena_player", f"there is no step of the ladder between {levels[:60]}; its steps are {there}")
    plans = [step_plan(step, table.rules, table.players, seed) for step in steps]
    outcomes = _play_all(table, plans, out, picture, workers, engine, again=again, as_json=as_json)
    if any(direction(outcome).endswith("down") for outcome in outcomes):
        leave(EXIT_NO)


def _ratings(
    paths: Annotated[list[Path], typer.Argument(metavar="FILE|DIR...", help="Results that `buraco arena` wrote.")],
    picture: PictureOption = None,
    as_json: JsonFlag = False,
) -> None:
    """Rate all players of some results by the model of Bradley and Terry, with 95 % intervals."""
    results = results_in(paths)
    found = ratings(scores_of(result.outcome for result in results))
    if picture is not None:
        titles = dict.fromkeys(result.outcome.plan.rules.title for result in results)
        write_file(picture, ladder_svg(found, ", ".join(titles)))
    if as_json:
        print_json({"ratings": ratings_form(found)})
        return
    show_ratings(console(), found)


def _report(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="A folder of results.")],
    out: Annotated[
        Path | None, typer.Option("--out", metavar="FILE", help="Write the page here instead of showing it.")
    ] = None,
    pictures: Annotated[
        Path | None, typer.Option("--pictures", metavar="DIR", help="Draw a ladder for each rule set into this folder.")
    ] = None,
) -> None:
    """Write a page (Markdown) with the tables of all results in a folder."""
    words = ["buraco", "arena", "report", str(folder)]
    words += [] if out is None else ["--out", str(out)]
    words += [] if pictures is None else ["--pictures", str(pictures)]
    shown = None if pictures is None else os.path.relpath(pictures, Path() if out is None else out.parent)
    page, drawn = strength_page(results_in([folder]), shlex.join(words), shown)
    for name, picture in drawn.items():
        if pictures is not None:
            write_file(pictures / name, picture)
    if out is not None:
        write_file(out, page)
    else:
        typer.echo(page, nl=False)
