"""An episode: the deals of a match one after the other, what each brings, and what is illegal."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Final, SupportsIndex

from buraco.engine.arguments import whole_number
from buraco.engine.codes import code_name
from buraco.engine.deal import Deal
from buraco.engine.host import Refusal
from buraco.engine.match import DealResult, Match
from buraco.env.arguments import reward_number, rules_of
from buraco.errors import IllegalAction, RulesError
from buraco.rules import RuleSet
from buraco.texts import message

__all__ = ["Episode", "Settings", "deal_info", "refusal_info"]

_SEED_BITS: Final = 62

# What an illegal action costs by default, by the kind of reward.
_ILLEGAL: Final[Mapping[str, float]] = MappingProxyType({"deal": -1000.0, "match": -1.0})


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """What all episodes of an environment have in common: the arguments of `buraco.env.aec`, checked.

    ``reward`` is ``deal`` or ``match``; ``strict`` says that an illegal action raises an error.
    """

    rules: RuleSet
    players: int
    deals: int | None
    reward: str
    reward_scale: float
    illegal_reward: float
    strict: bool
    flat: bool

    @classmethod
    def of(
        cls,
        rules: str | RuleSet,
        players: int | None,
        deals: int | None,
        *,
        reward: str,
        reward_scale: float,
        illegal: str,
        illegal_reward: float | None,
        flat: bool,
    ) -> Settings:
        """Return the settings that the arguments say. Raises RulesError, ValueError, TypeError."""
        found = rules_of(rules)
        count = max(found.player_counts) if players is None else whole_number("players", players)
        if count not in found.player_counts:
            raise RulesError("players", message("error.players", rules=found.name, players=count))
        if reward not in _ILLEGAL:
            raise ValueError(f"a reward is per deal or per match, not {reward!r}")
        if illegal not in ("terminate", "error"):
            raise ValueError(f"an illegal action can terminate the episode or be an error, not {illegal!r}")
        scale = reward_number("reward_scale", reward_scale)
        if illegal_reward is None:
            penalty = scale * _ILLEGAL[reward]
        else:
            penalty = reward_number("illegal_reward", illegal_reward)
        return cls(
            rules=found,
            players=count,
            deals=None if deals is None else whole_number("deals", deals, 1),
            reward=reward,
            reward_scale=scale,
            illegal_reward=penalty,
            strict=illegal == "error",
            flat=flat,
        )


class Episode:
    """One episode. ``seed`` (its low 62 bits) decides every card.

    It belongs to whoever runs the environment and knows every card.
    """

    def __init__(self, settings: Settings, seed: int) -> None:
        self._settings = settings
        self._match = Match(settings.rules, settings.players, seed=seed & ((1 << _SEED_BITS) - 1))
        self._deal = self._next()

    @property
    def deal(self) -> Deal:
        """The deal in play, or the last one when the episode is over."""
        return self._deal

    @property
    def over(self) -> bool:
        """Whether the episode has ended."""
        return self._match.start is None

    @property
    def totals(self) -> tuple[int, int]:
        """The points of the sides."""
        return self._match.totals

    @property
    def deal_number(self) -> int:
        """The number of the deal in play, or of the last one, from 1."""
        return len(self._match.results) + (0 if self.over else 1)

    @property
    def ahead(self) -> int:
        """1 where side 0 has won or has more points, -1 where side 1, else 0."""
        winner = self._match.winner
        if winner is not None:
            return 1 - 2 * winner
        own, other = self._match.totals
        return (own > other) - (own < other)

    def gain(self, result: DealResult) -> float:
        """Return what the end of the last deal brings to side 0, by the settings; side 1 gets as much less."""
        if self._settings.reward == "match":
            return self._settings.reward_scale * self.ahead if self.over else 0.0
        own, other = (score + cut for score, cut in zip(result.scores, result.cut_points, strict=True))
        return self._settings.reward_scale * (own - other)

    def refusal(self, action: SupportsIndex) -> str:
        """Return the code of the refusal of an action, empty if it is legal. Raises TypeError for what is no number."""
        return code_name(self._deal.check(whole_number("an action", action)))

    def act(self, action: SupportsIndex) -> DealResult | None:
        """Take an action of the seat to act; return the result if it ended the deal. Then the next one has begun.

        Raises IllegalAction for what is not legal, with the reason in words, TypeError for what is no whole number;
        nothing has changed then.
        """
        code = self.refusal(action)
        if code:
            refusal = Refusal.of(self._match.rules, code)
            raise IllegalAction(code, f"action {action} of seat {self._deal.seat}: {refusal.text}")
        self._deal.apply_unchecked(whole_number("an action", action))
        if not self._deal.over:
            return None
        result = self._match.end_deal(self._deal)
        if not self._match.over and result.number != self._settings.deals:
            self._deal = self._next()
        return result

    def _next(self) -> Deal:
        self._match.begin_deal()
        return self._match.deal()


def refusal_info(rules: RuleSet, action: SupportsIndex, code: str) -> dict[str, Any]:
    """Return what an info says of an illegal action: the action, the code, the reason, the rule."""
    refusal = Refusal.of(rules, code)
    return {
        "action": whole_number("an action", action),
        "code": code,
        "text": str(refusal.text),
        "rule": str(refusal.citation),
    }


def deal_info(result: DealResult) -> dict[str, Any]:
    """Return what an info says of a finished deal."""
    return {
        "number": result.number,
        "end_kind": result.end_kind,
        "out_seat": result.out_seat,
        "scores": result.scores,
        "totals": result.totals,
    }
