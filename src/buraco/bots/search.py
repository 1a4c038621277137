"""`expert` and `master`: search over hidden cards. Every candidate action is played on in the same possible worlds.

The guiding policy (`club`) orders the candidates and plays the rest of the turn, a faster policy the turns after it;
after some turns the learned evaluation judges. Round by round the weaker half of the candidates drops out, and an
action that the policy would not have chosen is played only when the worlds speak for it (`comparing`).

**The budget is one of a turn**, in nodes (actions applied to a state while thinking) and in milliseconds. A decision
has a share of it, as `SHARES` says; one with a single action to choose from takes nothing of it. The limit of a call
stands in for the turn's budget where it is lower, and the same share of it is used. Under a limit of nodes alone no
clock is looked at: the same view and seed give the same choice everywhere, with any number of threads.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from buraco.bots.basic import view_seed
from buraco.bots.club_reasons import club_reasons
from buraco.bots.comparing import Comparison
from buraco.bots.evaluation import evaluation_weights
from buraco.bots.protocol import ALTERNATIVES_MAX, REASONS_MAX, Alternative, Decision, Limit, Reason
from buraco.engine.constants import POLICY_CLUB, POLICY_GREEDY
from buraco.engine.deal import Deal
from buraco.engine.determinize import determinize
from buraco.engine.evaluate import Evaluation, evaluation_of
from buraco.engine.search import Futures, Plan, futures_of, play_futures
from buraco.engine.view import SeatView
from buraco.errors import BuracoError
from buraco.texts import message

__all__ = ["EXPERT", "MASTER", "SHARES", "SearchBot", "SearchSettings", "turn_share"]

CHUNK: Final = 8
"""How many worlds are played at most before the limits are looked at again."""

SHARES: Final = MappingProxyType({"draw": 0.3, "play": 0.4, "later": 0.1})
"""What part of a turn's budget a decision may use: the draw (and the first-turn option); the first play or discard of
the turn; every one after something was tabled. Most turns have no more than three of those that are worth a thought."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Horizon:
    """How far a future is played: for ``depth`` turns, and for ``node_cap`` nodes at most, before it is judged.

    ``trust``: how sure the policy's own opinion counts against that, in points.
    """

    depth: int
    node_cap: int
    trust: float


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchSettings:
    """How a level searches.

    ``turn_ms``, ``turn_nodes``: its budget for a turn. ``candidates``: how many actions are compared at most;
    ``margin``: what the policy thinks so many points less of than of its own choice is not tried. ``open_pile``,
    ``closed_pile``: how far it looks. ``near_turns``: for so many turns the guiding policy plays, then a faster one.
    ``sweeps``: how often the belief goes over the hidden cards.
    """

    turn_ms: int
    turn_nodes: int
    candidates: int
    margin: int = 500
    open_pile: Horizon = Horizon(depth=8, node_cap=60, trust=20.0)
    closed_pile: Horizon = Horizon(depth=4, node_cap=40, trust=60.0)
    near_turns: int = 1000
    sweeps: int = 1


EXPERT: Final = SearchSettings(turn_ms=300, turn_nodes=100_000, candidates=6)
MASTER: Final = SearchSettings(
    turn_ms=1500,
    turn_nodes=500_000,
    candidates=10,
    # Enough worlds for what is further away, and so less certain, to tell something.
    closed_pile=Horizon(depth=8, node_cap=60, trust=40.0),
)

# Reasons that compare by the policy's own values.
_OF_THE_POLICY: Final = frozenset({"costs_least", "least_use", "feeds_least", "pile_of_no_use", "pile_helps"})

Clock = Callable[[], float]
"""Returns seconds, as `time.monotonic` does."""


class SearchBot:
    """A bot that searches. ``threads``: how many play worlds at the same time; the choice does not depend on it.
    ``judged``: a future that has not ended is judged by the learned evaluation, else by the score so far.

    Raises BuracoError (codes ``weights_missing``, ``weights_damaged``, ``weights_wrong``) without the evaluation.
    """

    def __init__(
        self,
        level: str,
        settings: SearchSettings,
        seed: int = 0,
        *,
        threads: int = 1,
        clock: Clock = time.monotonic,
        judged: bool = True,
    ) -> None:
        self._level = level
        self._settings = settings
        self._seed = seed
        self._threads = threads
        self._clock = clock
        weights = evaluation_weights()
        # The evaluation holds scratch memory: each thread has its own.
        self._evaluations = [evaluation_of(weights) if judged else Evaluation() for _ in range(threads)]

    @property
    def level(self) -> str:
        """The name of its level in the registry."""
        return self._level

    def choose(self, view: SeatView, limit: Limit) -> Decision:
        """Choose the action that does best in the worlds. Raises BuracoError (code ``not_your_turn``)."""
        return self.think(view, limit)[0]

    def think(self, view: SeatView, limit: Limit) -> tuple[Decision, int]:
        """Return the decision and the nodes that it took. Raises BuracoError (code ``not_your_turn``)."""
        if not view.to_act or view.seat is None:
            raise BuracoError("not_your_turn", message("host.not_your_turn"))
        if len(view.legal) == 1:
            return Decision(view.legal[0], (Reason("only_action"),)), 0
        budget = _Budget(self._settings, view, limit, self._clock)
        seed = view_seed(view, self._seed)
        deal = determinize(view, seed)
        actions, priors = candidates_of(deal, self._settings)
        horizon = self._settings.closed_pile if view.position.rules.pile_closed else self._settings.open_pile
        comparison = Comparison(priors, horizon.trust)
        nodes = self._search(deal, actions, seed, comparison, budget, horizon)
        return _decision(view, deal, actions, comparison), nodes

    def _search(
        self,
        deal: Deal,
        actions: Sequence[int],
        seed: int,
        comparison: Comparison,
        budget: _Budget,
        horizon: Horizon,
    ) -> int:
        """Play worlds until the budget is used, halving the candidates in between; return the nodes."""
        settings = self._settings
        # With next to no nodes a future is shorter, and only the best candidates are tried: each twice at least.
        node_cap = max(1, min(horizon.node_cap, budget.nodes // 4))
        plan = Plan(horizon.depth, settings.near_turns, POLICY_CLUB, POLICY_GREEDY, settings.sweeps, node_cap)
        workers = [(futures_of(deal, list(actions), seed, plan), evaluation) for evaluation in self._evaluations]
        active = list(range(max(1, min(len(actions), budget.nodes // (2 * node_cap)))))
        if len(active) == 1:
            return 0
        rounds = (len(active) - 1).bit_length()
        used, world, chunk = 0, 0, 1
        with ThreadPoolExecutor(max(1, self._threads)) as pool:
            for number in range(rounds):
                goal = budget.nodes * (number + 1) // rounds
                while used < goal:
                    dearest = len(active) * node_cap
                    count = min(chunk, (budget.nodes - used) // dearest)
                    if count < 1 or budget.time_is_up(count):
                        return used
                    used += self._play(pool, workers, comparison, world, count, active)
                    world, chunk = world + count, min(CHUNK, 2 * chunk)
                active = comparison.better_half(active)
        return used

    def _play(
        self,
        pool: ThreadPoolExecutor,
        workers: list[tuple[Futures, Evaluation]],
        comparison: Comparison,
        world: int,
        count: int,
        active: list[int],
    ) -> int:
        """Play some worlds, spread over the threads, and add their values in the worlds' order; return the nodes."""
        mask = sum(1 << index for index in active)
        threads = len(workers)
        bounds = [world + count * index // threads for index in range(threads + 1)]
        if threads == 1:
            results = [play_futures(*workers[0], world, count, mask)]
        else:
            jobs = [
                pool.submit(play_futures, *worker, first, last - first, mask)
                for worker, first, last in zip(workers, bounds, bounds[1:], strict=False)
            ]
            results = [job.result() for job in jobs]
        for _, values in results:
            for row in values:
                comparison.add(row, active)
        return sum(nodes for nodes, _ in results)


class _Budget:
    """What a decision may use of its turn's budget: ``nodes``, and the time until it has to end."""

    def __init__(self, settings: SearchSettings, view: SeatView, limit: Limit, clock: Clock) -> None:
        share = turn_share(view)
        nodes = settings.turn_nodes if limit.nodes is None else min(limit.nodes, settings.turn_nodes)
        self.nodes = int(max(0, nodes) * share)
        self._clock = clock
        self._end: float | None = None
        if limit.ms is not None or limit.nodes is None:
            turn_ms = settings.turn_ms if limit.ms is None else min(limit.ms, settings.turn_ms)
            self._end = clock() + turn_ms * share / 1000
        self._last = 0.0
        self._last_count = 0

    def time_is_up(self, count: int) -> bool:
        """Say whether so many more worlds would end after the time, going by how long the last ones took."""
        if self._end is None:
            return False
        now = self._clock()
        took = (now - self._last) / self._last_count * count if self._last_count else 0.0
        self._last, self._last_count = now, count
        return now + took > self._end


def turn_share(view: SeatView) -> float:
    """Return what part of a turn's budget the decision of a view may use."""
    position = view.position
    if position.phase in ("draw", "choice"):
        return SHARES["draw"]
    return SHARES["later" if position.tabled else "play"]


def candidates_of(deal: Deal, settings: SearchSettings) -> tuple[list[int], list[float]]:
    """Return the best actions by the guiding policy, its own choice first, and how much less it thinks of each.

    What it thinks more than the settings' ``margin`` less of than of its own choice is no candidate.
    """
    scored = sorted(deal.scored(POLICY_CLUB), key=lambda entry: (-entry[1], entry[0]))[: settings.candidates]
    best = scored[0][1]
    kept = [(action, float(value - best)) for action, value in scored if best - value <= settings.margin]
    return [action for action, _ in kept], [prior for _, prior in kept]


def _decision(view: SeatView, deal: Deal, actions: Sequence[int], comparison: Comparison) -> Decision:
    """Return the best candidate with its reasons, and the others with their values."""
    order = comparison.ranking()
    best = order[0]
    reasons = _facts(view, deal, actions[best])
    if comparison.worlds:
        reasons = [*reasons[: REASONS_MAX - 1], _evidence(comparison, order)]
        alternatives = tuple(
            Alternative(actions[index], round(comparison.value(index), 1)) for index in order[1 : ALTERNATIVES_MAX + 1]
        )
        return Decision(actions[best], tuple(reasons), round(comparison.value(best), 1), alternatives)
    return Decision(actions[best], tuple(reasons[:REASONS_MAX]))


def _facts(view: SeatView, deal: Deal, action: int) -> list[Reason]:
    """Return the facts that speak for an action, as the guiding policy names them."""
    after = deal.copy()
    after.apply(action)
    scored = deal.scored(POLICY_CLUB)
    best = max(value for _, value in scored)
    # Told as if the policy agreed, less what would then be untrue.
    agreed = [(other, best + 1 if other == action else value) for other, value in scored]
    overruled = dict(scored)[action] < best
    reasons = club_reasons(view, deal, after, action, agreed)
    return [reason for reason in reasons if not overruled or reason.code not in _OF_THE_POLICY]


def _evidence(comparison: Comparison, order: Sequence[int]) -> Reason:
    """Say how many points more than of the next best candidate are expected, and how many futures were tried.

    The points weigh what the futures gave against what the policy thought before, as the evaluations beside them do.
    """
    ahead = round(comparison.gain(order[0]) - comparison.gain(order[1]))
    return Reason("futures", (("points", max(0, ahead)), ("count", comparison.worlds)))
