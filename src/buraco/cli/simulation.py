"""Deals played by bots, in one process or several, and what they come to.

Deal number i (from 0) has the pack, the dealer and the bots' draws that follow from the seed and i alone, and deals are
counted in whole numbers, so the result does not depend on how the deals are shared out.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Generator, Iterator
from dataclasses import dataclass
from typing import Final

from buraco.arena.executors import in_order, open_pool
from buraco.arena.games import draws_of, numbered_deal
from buraco.arena.statistics import student_quantile
from buraco.bots import Bot, Decision, Limit, make_bot, policy_of
from buraco.engine import Deal, SeatView, seed_bytes, shuffled_pack, view_of
from buraco.engine.scoresheet import meld_category
from buraco.notation import DealRecord, Entry, Outcome, Record, SeatRecord, TurnRecord
from buraco.rules import RuleSet

__all__ = [
    "CHUNK",
    "Confidence",
    "Plan",
    "PlayedDeal",
    "Summary",
    "Watcher",
    "deal_record",
    "play_deal",
    "simulate",
    "summary",
]

CHUNK: Final = 50
"""How many deals a worker plays at a time."""

NAME: Final = "simulation"

Watcher = Callable[[SeatView, str, Decision], None]
"""What is told of each decision: the view of the seat, its level, what it decided."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """What to play: ``deals`` deals under the rules, ``bots`` the levels of the seats, everything from ``seed``.

    ``nodes``: the most nodes of a turn for levels that search, None for their own budgets, of which time is one.
    """

    rules: RuleSet
    bots: tuple[str, ...]
    deals: int
    seed: int
    nodes: int | None = None

    @property
    def players(self) -> int:
        """The number of players."""
        return len(self.bots)

    @property
    def searches(self) -> bool:
        """Whether a level searches, so that without ``nodes`` its choices go by the clock too."""
        return None in [policy_of(level) for level in self.bots]


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayedDeal:
    """A deal that was played: its number from 0, the scores of the sides, turns and actions, how it ended and who went
    out (-1: nobody), how many mortos each side took, each side's canastas by category, and the actions with their turn
    and seat if they were to be kept."""

    index: int
    scores: tuple[int, int]
    turns: int
    actions: int
    end_kind: str
    out_seat: int
    mortos: tuple[int, int]
    canastas: tuple[tuple[str, ...], tuple[str, ...]]
    acts: tuple[tuple[int, int, int], ...] = ()


def play_deal(plan: Plan, index: int, *, keep_acts: bool = False, watch: Watcher | None = None) -> PlayedDeal:
    """Play deal number ``index``: inside the engine where every bot is one of its policies, else through views.

    With ``watch``, which is told every decision, always through views.
    """
    deal = numbered_deal(plan.rules, plan.players, plan.seed, index, NAME)
    policies = [policy_of(level) for level in plan.bots]
    acts: list[tuple[int, int, int]] = []
    actions = 0
    draws = draws_of(plan.seed, index)
    inside = None not in policies and watch is None
    bots: list[Bot] = [] if inside else [make_bot(level, draws + i) for i, level in enumerate(plan.bots)]
    limit = Limit(nodes=plan.nodes)
    while not deal.over:
        seat, turn = deal.seat, deal.turn_count
        policy = policies[seat]
        if policy is not None and not bots:
            action = deal.choose(policy)
            deal.apply_unchecked(action)
        else:
            view = view_of(deal, seat)
            decision = bots[seat].choose(view, limit)
            action = decision.action
            deal.apply(action)
            if watch is not None:
                watch(view, bots[seat].level, decision)
        actions += 1
        if keep_acts:
            acts.append((turn, seat, action))
    return _played(deal, index, actions, tuple(acts))


def _played(deal: Deal, index: int, actions: int, acts: tuple[tuple[int, int, int], ...]) -> PlayedDeal:
    position = deal.position()
    categories = [
        tuple(sorted(c for meld in melds if (c := meld_category(position.rules, meld)) != "plain"))
        for melds in position.melds
    ]
    return PlayedDeal(
        index=index,
        scores=(deal.score(0), deal.score(1)),
        turns=position.turn_count,
        actions=actions,
        end_kind=position.end_kind,
        out_seat=position.out_seat,
        mortos=(position.morto_owner.count(0), position.morto_owner.count(1)),
        canastas=(categories[0], categories[1]),
        acts=acts,
    )


def deal_record(plan: Plan, played: PlayedDeal) -> Record:
    """Return the record of a deal whose acts were kept, as a match of one deal."""
    rules = plan.rules.replace(target_points=0, deal_count=1, tie_break="draw", cut_bonus=0)
    turns: list[TurnRecord] = []
    for number, seat, action in played.acts:
        if turns and turns[-1].number == number:
            turns[-1] = TurnRecord(number, seat, (*turns[-1].entries, Entry(action)))
        else:
            turns.append(TurnRecord(number, seat, (Entry(action),)))
    left, right = played.scores
    dealer = played.index % plan.players
    deal = DealRecord(
        number=1,
        dealer=dealer,
        pack=shuffled_pack(plan.rules, seed_bytes(plan.seed), NAME, played.index + 1),
        turns=tuple(turns),
        outcome=Outcome(played.end_kind, played.out_seat, played.scores, played.scores),
    )
    return Record(
        name=NAME,
        rules=rules,
        players=plan.players,
        seats=tuple(SeatRecord(f"Seat {seat}", level) for seat, level in enumerate(plan.bots)),
        first_dealer=dealer,
        tags=(("seed", str(plan.seed)), ("deal", str(played.index + 1))),
        deals=(deal,),
        winner="draw" if left == right else "side 0" if left > right else "side 1",
    )


def _play_chunk(plan: Plan, first: int, count: int, keep_acts: bool) -> list[PlayedDeal]:
    return [play_deal(plan, index, keep_acts=keep_acts) for index in range(first, first + count)]


def simulate(plan: Plan, *, workers: int = 1, keep_acts: bool = False) -> Generator[PlayedDeal, None, None]:
    """Yield every deal of a plan in order; several workers are processes of their own.

    Closing the generator ends the workers after the deals that they are at.
    """
    chunks = [(first, min(CHUNK, plan.deals - first)) for first in range(0, plan.deals, CHUNK)]
    if workers == 1 or len(chunks) <= 1:
        for index in range(plan.deals):
            yield play_deal(plan, index, keep_acts=keep_acts)
        return
    with open_pool("local", min(workers, len(chunks))) as pool:
        for deals in in_order(pool, ((plan, first, count, keep_acts) for first, count in chunks), _play_chunk):
            yield from deals


@dataclass(frozen=True, slots=True)
class Confidence:
    """A mean with the half-width of its 95 % confidence interval (Student's, which few values need; None for one)."""

    mean: float
    half_width: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Summary:
    """What deals came to, most of it a deal.

    ``score``, ``mortos``, ``canastas``: of each side; ``difference``: side 0 minus side 1; ``wins``: deals that side 0
    won, that were equal, that side 1 won; ``ends``: deals by kind of end; ``out``: deals that each side closed.
    """

    deals: int
    score: tuple[Confidence, Confidence]
    difference: Confidence
    wins: tuple[int, int, int]
    turns: Confidence
    turns_max: int
    actions: float
    ends: tuple[tuple[str, int], ...]
    out: tuple[int, int]
    mortos: tuple[float, float]
    canastas: tuple[tuple[tuple[str, float], ...], tuple[tuple[str, float], ...]]


class _Figure:
    """Adds up whole numbers, so that the order does not matter."""

    def __init__(self) -> None:
        self.count = 0
        self.total = 0
        self.squares = 0

    def add(self, value: int) -> None:
        self.count += 1
        self.total += value
        self.squares += value * value

    def confidence(self) -> Confidence:
        mean = self.total / self.count
        if self.count < 2:
            return Confidence(mean, None)
        variance = (self.squares * self.count - self.total * self.total) / (self.count * (self.count - 1))
        return Confidence(mean, student_quantile(self.count - 1) * math.sqrt(variance / self.count))


def summary(deals: Iterator[PlayedDeal]) -> Summary:
    """Return what deals came to. Raises ValueError for no deals."""
    scores, difference, turns = (_Figure(), _Figure()), _Figure(), _Figure()
    wins, ends, out = Counter[int](), Counter[str](), Counter[int]()
    mortos, canastas = [0, 0], (Counter[str](), Counter[str]())
    actions = turns_max = 0
    for deal in deals:
        left, right = deal.scores
        difference.add(left - right)
        wins[(left < right) - (left > right)] += 1
        turns.add(deal.turns)
        turns_max = max(turns_max, deal.turns)
        actions += deal.actions
        ends[deal.end_kind] += 1
        if deal.out_seat >= 0:
            out[deal.out_seat & 1] += 1
        for side in (0, 1):
            scores[side].add(deal.scores[side])
            mortos[side] += deal.mortos[side]
            canastas[side].update(deal.canastas[side])
    count = difference.count
    if not count:
        raise ValueError("there are no deals to sum up")
    per_side = [tuple((name, number / count) for name, number in sorted(side.items())) for side in canastas]
    return Summary(
        deals=count,
        score=(scores[0].confidence(), scores[1].confidence()),
        difference=difference.confidence(),
        wins=(wins[-1], wins[0], wins[1]),
        turns=turns.confidence(),
        turns_max=turns_max,
        actions=actions / count,
        ends=tuple(sorted(ends.items())),
        out=(out[0], out[1]),
        mortos=(mortos[0] / count, mortos[1] / count),
        canastas=(per_side[0], per_side[1]),
    )
