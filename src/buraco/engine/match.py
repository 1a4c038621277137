"""A match: the first dealer, the deals and their packs, the cut, the totals, the end.

`Match` knows everything, the seed included; it belongs to whoever runs the table (`buraco.engine.host.Host`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from buraco.cards import JOKER
from buraco.engine.arguments import whole_number
from buraco.engine.deal import Deal
from buraco.engine.scoresheet import ScoreSheet, score_sheet
from buraco.engine.shuffle import Draws, draw_label, ordered_pack, seed_bytes, shuffled_pack
from buraco.errors import BuracoError, RulesError
from buraco.texts import message

if TYPE_CHECKING:
    from buraco.rules import RuleSet

__all__ = ["CUT_SPREAD", "Cut", "DealResult", "DealStart", "DealerDraw", "Match", "draw_dealer", "lifted_count"]

CUT_SPREAD: Final = 8
"""How far, at most, the lifted packet misses the cutter's aim, in cards."""

_CUT_THROWS: Final = 4
_CUT_FACES: Final = 5


@dataclass(frozen=True, slots=True)
class DealerDraw:
    """How the first dealer was found: ``rounds`` of (seat, card) drawn, none at random; and the ``dealer``."""

    rounds: tuple[tuple[tuple[int, int], ...], ...]
    dealer: int


@dataclass(frozen=True, slots=True)
class Cut:
    """The cut before a deal: who lifted ``count`` cards, the ``points`` that this brought the seat's side, and how many
    cards it aimed at (-1: not told)."""

    seat: int
    count: int
    points: int
    aim: int = -1


@dataclass(frozen=True, slots=True)
class DealStart:
    """A deal about to be played: its number from 1, its dealer, its pack (first to be dealt first), its cut, and the
    totals of the sides, the bonus for the cut included."""

    number: int
    dealer: int
    pack: tuple[int, ...]
    cut: Cut | None
    totals: tuple[int, int]


@dataclass(frozen=True, slots=True)
class DealResult:
    """A finished deal: its number from 1, how it ended, who went out (-1: nobody), the sides' score sheets and scores
    (without the bonus for the cut), that bonus per side, and the totals after the deal."""

    number: int
    dealer: int
    end_kind: str
    out_seat: int
    sheets: tuple[ScoreSheet, ScoreSheet]
    scores: tuple[int, int]
    cut_points: tuple[int, int]
    totals: tuple[int, int]


class Match:
    """A match under one rule set: to the target or over a number of deals, as the fields of the rules say.

    ``seed`` (32 bytes, or a number) decides the packs, the draw for the first dealer and the cuts; ``name`` enters
    every draw, so that matches with one seed differ. ``packs`` gives the order of the first packs instead, one per
    deal, ``first_dealer`` the seat that deals first instead of a draw. ``own_seeds`` says that every deal brings a seed
    of its own (`buraco.engine.fair`); the seed of the match then only finds the first dealer and is that of deal 1.

    Raises RulesError (code ``players``) for a number of players that the rules do not allow, BuracoError (codes
    ``seed_length``, ``draw_label``, ``no_seat``, ``pack``); here and in `begin_deal` TypeError for what is no whole
    number.
    """

    def __init__(
        self,
        rules: RuleSet,
        players: int = 4,
        *,
        seed: int | bytes = 0,
        name: str = "match",
        first_dealer: int | None = None,
        packs: Sequence[Sequence[int]] = (),
        own_seeds: bool = False,
    ) -> None:
        players = whole_number("the number of players", players)
        first_dealer = None if first_dealer is None else whole_number("the first dealer", first_dealer)
        if players not in rules.player_counts:
            raise RulesError("players", message("error.players", rules=rules.name, players=players))
        if first_dealer is not None and not 0 <= first_dealer < players:
            raise BuracoError("no_seat", f"there is no seat {first_dealer}; seats are 0 to {players - 1}")
        self._rules = rules
        self._players = players
        self._seed = seed_bytes(seed)
        self._name = name
        self._packs = tuple(_checked_pack(rules, pack) for pack in packs)
        self._own_seeds = own_seeds
        drawn = first_dealer is None
        self._draw = draw_dealer(rules, players, self._seed, name) if drawn else DealerDraw((), first_dealer or 0)
        self._start: DealStart | None = None
        self._results: tuple[DealResult, ...] = ()
        self._totals = (0, 0)
        self._decider = False

    @property
    def rules(self) -> RuleSet:
        """The rule set."""
        return self._rules

    @property
    def players(self) -> int:
        """The number of players, 2 or 4."""
        return self._players

    @property
    def name(self) -> str:
        """The name that enters every draw."""
        return self._name

    @property
    def seed(self) -> bytes:
        """The seed, 32 bytes: whoever knows it knows every card."""
        return self._seed

    @property
    def own_seeds(self) -> bool:
        """Whether every deal brings a seed of its own."""
        return self._own_seeds

    @property
    def dealer_draw(self) -> DealerDraw:
        """How the first dealer was found."""
        return self._draw

    @property
    def starting_side(self) -> int:
        """The side of the player who makes the first move of the match: left of the first dealer."""
        return (self._draw.dealer + 1) % self._players & 1

    @property
    def dealer(self) -> int:
        """The dealer of the deal in play, or else of the next one: the deal goes round clockwise."""
        return (self._draw.dealer + len(self._results)) % self._players

    @property
    def cutter(self) -> int:
        """The dealer's right, who cuts."""
        return (self.dealer - 1) % self._players

    @property
    def results(self) -> tuple[DealResult, ...]:
        """The finished deals."""
        return self._results

    @property
    def totals(self) -> tuple[int, int]:
        """The points of the sides, the bonus for the cut of the deal in play included."""
        return self._totals

    @property
    def start(self) -> DealStart | None:
        """The deal in play, or None between deals."""
        return self._start

    @property
    def over(self) -> bool:
        """Whether the match has ended."""
        return self._start is None and _is_end(self) and (self._totals[0] != self._totals[1] or not _plays_on(self))

    @property
    def winner(self) -> int | None:
        """The side that won; None for a draw, or while the match is on."""
        if not self.over:
            return None
        if self._totals[0] != self._totals[1]:
            return int(self._totals[1] > self._totals[0])
        return self.starting_side if self._rules.tie_break == "starter" else None

    def begin_deal(
        self,
        *,
        cut_aim: int | None = None,
        cut_count: int | None = None,
        seed: bytes | None = None,
        pack: Sequence[int] | None = None,
    ) -> DealStart:
        """Begin the next deal: make the cut, if the rules have one, and order the pack.

        ``cut_aim`` is how many cards the cutter tries to lift (by default the number that pays): the packet misses it
        by up to `CUT_SPREAD` cards, most often by few. ``cut_count`` says besides how many were lifted, as when a
        record is replayed. The bonus counts at once, before the opening minimum is fixed (001 §4). ``seed`` is the
        deal's own instead of the match's, ``pack`` the order of the pack instead of one from a seed.

        Raises BuracoError: ``match_over``, ``deal_running``, ``no_cut`` (the rules have none), ``cut_range``, ``pack``,
        ``seed_length``, ``seed_missing`` (a match with own seeds has something to draw, but no seed for this deal).
        """
        if self._start is not None:
            raise BuracoError("deal_running", "this deal has to end before the next one begins")
        if self.over:
            raise BuracoError("match_over", "the match is over")
        number = len(self._results) + 1
        told = self._packs[number - 1] if number <= len(self._packs) else None
        told = told if pack is None else _checked_pack(self._rules, pack)
        draws = told is None or (self._rules.cut_bonus > 0 and cut_count is None)
        if self._own_seeds and seed is None and draws:
            raise BuracoError("seed_missing", "every deal of this match brings a seed of its own")
        own_seed = self._seed if seed is None else seed_bytes(seed)
        cut_aim = None if cut_aim is None else whole_number("the aim of a cut", cut_aim)
        cut_count = None if cut_count is None else whole_number("the count of a cut", cut_count)
        cut = self._cut(number, own_seed, cut_aim, cut_count)
        totals = self._totals
        if cut is not None and cut.points:
            totals = _plus(totals, _for_side(cut.seat & 1, cut.points))
        order = shuffled_pack(self._rules, own_seed, self._name, number) if told is None else told
        self._totals = totals
        self._start = DealStart(number, self.dealer, order, cut, totals)
        return self._start

    def deal(self) -> Deal:
        """Return the deal in play as it was dealt. Raises BuracoError (code ``no_deal``)."""
        if self._start is None:
            raise BuracoError("no_deal", "no deal has begun")
        start = self._start
        return Deal.from_pack(self._rules, self._players, start.pack, dealer=start.dealer, totals=start.totals)

    def end_deal(self, deal: Deal) -> DealResult:
        """Score a finished deal and add it to the totals.

        Raises BuracoError: ``no_deal``, ``deal_running`` (it has not ended).
        """
        if self._start is None:
            raise BuracoError("no_deal", "no deal has begun")
        position = deal.position()
        if not position.over:
            raise BuracoError("deal_running", "the deal has not ended")
        sheets = (score_sheet(position, 0), score_sheet(position, 1))
        scores = (deal.score(0), deal.score(1))
        cut = self._start.cut
        result = DealResult(
            number=self._start.number,
            dealer=self._start.dealer,
            end_kind=position.end_kind,
            out_seat=position.out_seat,
            sheets=sheets,
            scores=scores,
            cut_points=(0, 0) if cut is None else _for_side(cut.seat & 1, cut.points),
            totals=_plus(self._totals, scores),
        )
        self._results += (result,)
        self._totals = result.totals
        self._start = None
        self._decider = self._decider or _is_end(self)
        return result

    def _cut(self, number: int, seed: bytes, aim: int | None, count: int | None) -> Cut | None:
        rules = self._rules
        if rules.cut_bonus == 0:
            if aim is not None or count is not None:
                raise BuracoError("no_cut", "these rules pay nothing for the cut")
            return None
        if count is None:
            aim = rules.cut_bonus_count if aim is None else aim
            count = lifted_count(rules, seed, self._name, number, aim)
        for wanted in (count, count if aim is None else aim):
            _check_cut(rules, wanted)
        points = rules.cut_bonus if count == rules.cut_bonus_count else 0
        return Cut(self.cutter, count, points, -1 if aim is None else aim)


def lifted_count(rules: RuleSet, seed: bytes, match: str, deal: int, aim: int) -> int:
    """Return how many cards the cutter of a deal lifts who aims at so many, by the seed of the deal.

    The packet misses the aim by the sum of four draws below 5 (purpose ``cut``), less 8, and leaves a card at least on
    either side. Raises BuracoError: ``cut_range``, ``seed_length``, ``draw_label``; TypeError for what is no whole
    number.
    """
    aim = whole_number("the aim of a cut", aim)
    _check_cut(rules, aim)
    draws = Draws(seed, draw_label(match, deal, "cut"))
    missed = sum(draws.below(_CUT_FACES) for _ in range(_CUT_THROWS)) - CUT_SPREAD
    return min(max(aim + missed, 1), len(ordered_pack(rules)) - 1)


def draw_dealer(rules: RuleSet, players: int, seed: bytes, match: str) -> DealerDraw:
    """Draw the first dealer of a match as its rules say, from a seed (purposes ``dealer``, ``dealer 1``, ...).

    Raises BuracoError: ``seed_length``, ``draw_label``.
    """
    if rules.first_dealer == "random":
        return DealerDraw((), Draws(seed, draw_label(match, 0, "dealer")).below(players))
    # "cut": one player of each side cuts; "lowest_card": everyone draws.
    seats = tuple(range(2 if rules.first_dealer == "cut" else players))
    low_rank = 1 if rules.first_dealer == "cut" else 2
    rounds: list[tuple[tuple[int, int], ...]] = []
    while len(seats) > 1:
        draws = Draws(seed, draw_label(match, 0, f"dealer {len(rounds) + 1}"))
        drawn = tuple(zip(seats, draws.shuffled(ordered_pack(rules)), strict=False))
        rounds.append(drawn)
        lowest = min(_draw_height(card, low_rank) for _, card in drawn)
        # Equal lowest cards are drawn again, by the seats that hold them.
        seats = tuple(seat for seat, card in drawn if _draw_height(card, low_rank) == lowest)
    return DealerDraw(tuple(rounds), seats[0])


def _is_end(match: Match) -> bool:
    """Say whether the match ends after its last deal unless the totals are equal.

    Once the target is reached and the totals are equal, the next deal decides, wherever it leaves the sides.
    """
    rules, played = match.rules, len(match.results)
    if match._decider:
        return True
    reached = rules.target_points > 0 and max(match.totals) >= rules.target_points
    return played > 0 and (reached or 0 < rules.deal_count <= played)


def _plays_on(match: Match) -> bool:
    """Say whether equal totals at the end lead to another deal."""
    rules = match.rules
    if rules.tie_break == "starter":
        return False
    return not (rules.tie_break == "draw" and 0 < rules.deal_count <= len(match.results))


def _for_side(side: int, points: int) -> tuple[int, int]:
    return (points, 0) if side == 0 else (0, points)


def _plus(left: tuple[int, int], right: tuple[int, int]) -> tuple[int, int]:
    return (left[0] + right[0], left[1] + right[1])


def _checked_pack(rules: RuleSet, pack: Sequence[int]) -> tuple[int, ...]:
    if sorted(pack) != sorted(ordered_pack(rules)):
        raise BuracoError("pack", f"the order of a pack of {rules.name} must name each of its cards")
    return tuple(pack)


def _check_cut(rules: RuleSet, count: int) -> None:
    largest = len(ordered_pack(rules)) - 1
    if not 1 <= count <= largest:
        raise BuracoError("cut_range", f"a cut lifts 1 to {largest} cards, not {count}")


def _draw_height(card: int, low_rank: int) -> int:
    """Return how high a card counts in the draw: ``low_rank`` is the lowest rank, the joker stands above all.

    From 2 the ranks go 2 3 ... K A (001 §3), from 3 they go 3 4 ... K A 2 (003 §11).
    """
    return 13 if card == JOKER else (card % 13 - low_rank) % 13
