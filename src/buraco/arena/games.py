"""Games between two players: deals and matches in pairs, with the same cards and the sides changed.

What is drawn depends on the seed of the plan and the number of the pair alone. A bot's seed goes by its seat, not by
its player, so that a player against itself plays the same game twice.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final, Protocol, runtime_checkable

from buraco.arena.external import BotFault, ExternalBot
from buraco.arena.plan import FAULT_POINTS, MATCH_DEALS_MAX, Plan
from buraco.arena.statistics import sign
from buraco.arena.tally import Fault, Tally, printable
from buraco.bots import Bot, Decision, Limit, make_bot
from buraco.engine import Deal, Match, SeatView, seed_bytes, shuffled_pack, view_of
from buraco.rules import RuleSet

__all__ = ["Clock", "Lost", "PairResult", "Seat", "draws_of", "numbered_deal", "play_deal", "play_pair"]

Clock = Callable[[], int]
"""What counts nanoseconds."""

NAME: Final = "arena"
NO_LIMIT: Final = Limit()

# The draws of two deals of a match begin this far apart, so that those of neighbouring pairs do not meet them.
_NEXT_DEAL: Final = 7919


@dataclass(frozen=True, slots=True)
class Seat:
    """Who sits at a seat: the ``player`` (0: A, 1: B), as a policy of the engine or as a ``bot``, and its limit.

    ``watched`` is the bot of a policy's level, which is asked too only for its time.
    """

    player: int
    policy: int | None = None
    bot: Bot | ExternalBot | None = None
    limit: Limit = NO_LIMIT
    watched: Bot | None = None


@dataclass(frozen=True, slots=True)
class PairResult:
    """Both games of a pair as A sees them: the differences of points; who won (1: A, 0: nobody, -1: B); the deals."""

    points: tuple[int, int]
    wins: tuple[int, int]
    deals: tuple[int, int]
    faults: tuple[Fault, ...]


@runtime_checkable
class _Thinking(Protocol):
    """A bot that says how many nodes a decision took."""

    def think(self, view: SeatView, limit: Limit) -> tuple[Decision, int]: ...


class Lost(Exception):
    """A player lost the game by a fault."""

    def __init__(self, player: int, code: str, text: str) -> None:
        super().__init__(code)
        self.player, self.code, self.text = player, code, text


def play_deal(deal: Deal, seats: Sequence[Seat], tallies: tuple[Tally, Tally], clock: Clock) -> None:
    """Play a deal to its end. Raises Lost at a fault."""
    while not deal.over:
        seat = seats[deal.seat]
        tally = tallies[seat.player]
        tally.decisions += 1
        action = _chosen(deal, seat, tally, clock)
        if type(action) is not int or deal.check(action):
            tally.illegal += 1
            raise Lost(seat.player, "illegal", f"{str(action)[:40]} is not legal")
        deal.apply_unchecked(action)


def _chosen(deal: Deal, seat: Seat, tally: Tally, clock: Clock) -> int:
    if seat.policy is not None:
        if seat.watched is not None:
            _ask(deal, seat.watched, seat.limit, tally, clock)
        return deal.choose(seat.policy)
    assert seat.bot is not None
    try:
        return _ask(deal, seat.bot, seat.limit, tally, clock)
    except BotFault as fault:
        tally.illegal += fault.code == "illegal"
        raise Lost(seat.player, fault.code, fault.message) from None


def _ask(deal: Deal, bot: Bot | ExternalBot, limit: Limit, tally: Tally, clock: Clock) -> int:
    view = view_of(deal, deal.seat)
    began = clock()
    if isinstance(bot, _Thinking):
        decision, nodes = bot.think(view, limit)
        tally.nodes += nodes
    else:
        decision = bot.choose(view, limit)
    tally.timed(clock() - began)
    return decision.action


def play_pair(
    plan: Plan,
    index: int,
    tallies: tuple[Tally, Tally],
    *,
    given: Mapping[tuple[int, int], Bot | ExternalBot] | None = None,
    watch: bool = False,
    clock: Clock = time.perf_counter_ns,
) -> PairResult:
    """Play both games of pair number ``index``.

    ``given`` has bots by player and seat: the programs, and what plays in place of a level; ``watch``: whether to ask
    bots for their time where the engine plays. What the players do is added to ``tallies``.
    """
    games = [_game(plan, index, game, tallies, dict(given or {}), watch, clock) for game in (0, 1)]
    (first, second) = games
    faults = tuple(fault for _, _, _, fault in games if fault is not None)
    return PairResult((first[0], second[0]), (first[1], second[1]), (first[2], second[2]), faults)


def draws_of(seed: int, number: int) -> int:
    """Return the 31 bits that whoever plays game number ``number`` of a seed draws from."""
    return (seed * 1_000_003 + number) & 0x7FFFFFFF


def numbered_deal(rules: RuleSet, players: int, seed: int, index: int, name: str) -> Deal:
    """Return deal number ``index`` of a seed, from 0 points; ``name`` tells shuffles of the same seed apart.

    The deal goes round, and what a policy of the engine draws goes by `draws_of`.
    """
    pack = shuffled_pack(rules, seed_bytes(seed), name, index + 1)
    deal = Deal.from_pack(rules, players, pack, dealer=index % players)
    deal.seed(draws_of(seed, index))
    return deal


def _game(
    plan: Plan,
    index: int,
    game: int,
    tallies: tuple[Tally, Tally],
    given: Mapping[tuple[int, int], Bot | ExternalBot],
    watch: bool,
    clock: Clock,
) -> tuple[int, int, int, Fault | None]:
    """Return A's points, A's win and the deals of one game. In game 0 A has side 0, in game 1 side 1."""
    seats = [_seat(plan, index, (seat + game) & 1, seat, given, watch) for seat in range(plan.players)]
    play = _match if plan.unit == "matches" else _deal
    try:
        points, win, deals = play(plan, index, seats, tallies, clock)
    except Lost as lost:
        win = -1 if lost.player == 0 else 1
        return win * FAULT_POINTS, win, 1, Fault(index, game, lost.player, lost.code, printable(lost.text))
    return (-points, -win, deals, None) if game else (points, win, deals, None)


def _seat(
    plan: Plan,
    index: int,
    player: int,
    seat: int,
    given: Mapping[tuple[int, int], Bot | ExternalBot],
    watch: bool,
) -> Seat:
    who, seed = plan.sides[player], draws_of(plan.seed, index) + seat
    if (player, seat) in given:
        return Seat(player, bot=given[player, seat], limit=who.limit)
    if who.policy is not None:
        return Seat(player, policy=who.policy, limit=who.limit, watched=make_bot(who.level, seed) if watch else None)
    return Seat(player, bot=who.bot(seed), limit=who.limit)


def _deal(
    plan: Plan, index: int, seats: Sequence[Seat], tallies: tuple[Tally, Tally], clock: Clock
) -> tuple[int, int, int]:
    """Play a deal from 0 points; return the difference of the sides, which one won, and 1."""
    deal = numbered_deal(plan.rules, plan.players, plan.seed, index, NAME)
    play_deal(deal, seats, tallies, clock)
    points = deal.score(0) - deal.score(1)
    return points, sign(points), 1


def _match(
    plan: Plan, index: int, seats: Sequence[Seat], tallies: tuple[Tally, Tally], clock: Clock
) -> tuple[int, int, int]:
    """Play a match; return the difference of the totals, which side won, and the number of deals."""
    match = Match(plan.rules, plan.players, seed=plan.seed, name=f"{NAME} {index + 1}")
    while not match.over and len(match.results) < MATCH_DEALS_MAX:
        match.begin_deal()
        deal = match.deal()
        deal.seed(draws_of(plan.seed, index) + len(match.results) * _NEXT_DEAL)
        # One deal tells how long decisions take as well as all of them.
        play_deal(deal, seats if not match.results else [replace(s, watched=None) for s in seats], tallies, clock)
        match.end_deal(deal)
    points = match.totals[0] - match.totals[1]
    win = sign(points)
    if match.over and win == 0 and match.winner is not None:
        win = 1 if match.winner == 0 else -1
    return points, win, len(match.results)
