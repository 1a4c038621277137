"""Environments in which agents are trained: PettingZoo's for all seats, Gymnasium's for one seat among bots.

They need NumPy, PettingZoo and Gymnasium: ``pip install 'buraco[env]'``. docs/env.md is their manual.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final, Literal

from buraco.engine.observation_parts import PARTS, Column, Part, part
from buraco.env.episode import Settings
from buraco.rules import DEFAULT_RULES

if TYPE_CHECKING:
    from buraco.env.single_env import SingleEnv
    from buraco.env.table_env import TableEnv
    from buraco.rules import RuleSet

__all__ = ["PARTS", "Column", "Part", "aec", "part", "single"]

_NEEDS: Final = "{}; the environments need: pip install 'buraco[env]'"


def aec(
    rules: str | RuleSet = DEFAULT_RULES,
    players: int | None = None,
    deals: int | None = 1,
    *,
    reward: Literal["deal", "match"] = "deal",
    reward_scale: float = 1.0,
    illegal: Literal["terminate", "error"] = "terminate",
    illegal_reward: float | None = None,
    flat: bool = False,
    render_mode: str | None = None,
) -> TableEnv:
    """Return PettingZoo's environment of a table: the agents ``seat_0`` to ``seat_3`` act in turn.

    - ``rules``: a rule set or the name of one; ``players``: 2 or 4, None for as many as the rules allow.
    - ``deals``: an episode has so many deals, whose totals run on, or fewer where the match ends before; None: the
      match to its end.
    - ``reward``: ``deal`` gives each agent at the end of a deal by how many points its side was ahead in it (the bonus
      for the cut included); ``match`` gives 1, -1 or 0 at the end of the episode for winning, losing, or neither. Both
      times ``reward_scale``.
    - ``illegal``: an action that is not legal ends the episode for all, with ``illegal_reward`` for its agent (None:
      the scale times -1,000 for ``deal``, -1 for ``match``) and the reason in its info; or, with ``error``, it raises
      IllegalAction and changes nothing.
    - ``flat``: the observation as one row instead of named arrays.
    - ``render_mode``: ``ansi``, ``human`` (the same text, printed), ``rgb_array`` or None.

    Raises BuracoError (RulesError among them) for rules, players or a bot that are not there, ValueError for any other
    argument that cannot be, TypeError for one of another kind, ImportError where the packages of the extra are missing.
    """
    try:
        from buraco.env.table_env import TableEnv
    except ModuleNotFoundError as missing:
        raise ImportError(_NEEDS.format(missing)) from None
    settings = Settings.of(
        rules,
        players,
        deals,
        reward=reward,
        reward_scale=reward_scale,
        illegal=illegal,
        illegal_reward=illegal_reward,
        flat=flat,
    )
    return TableEnv(settings, render_mode=render_mode)


def single(
    rules: str | RuleSet = DEFAULT_RULES,
    players: int | None = None,
    deals: int | None = 1,
    *,
    seat: int = 0,
    bots: str | Sequence[str] = "club",
    nodes: int = 2000,
    reward: Literal["deal", "match"] = "deal",
    reward_scale: float = 1.0,
    illegal: Literal["terminate", "error"] = "terminate",
    illegal_reward: float | None = None,
    flat: bool = False,
    render_mode: str | None = None,
) -> SingleEnv:
    """Return Gymnasium's environment of one seat, the others being bots.

    ``bots`` is the level of all of them, or a level for each other seat, clockwise from the agent's left (its partner
    is then the second). A level that searches looks at ``nodes`` positions a turn, never at a clock. Everything else is
    as in `aec`.
    """
    try:
        from buraco.env.single_env import SingleEnv
    except ModuleNotFoundError as missing:
        raise ImportError(_NEEDS.format(missing)) from None
    settings = Settings.of(
        rules,
        players,
        deals,
        reward=reward,
        reward_scale=reward_scale,
        illegal=illegal,
        illegal_reward=illegal_reward,
        flat=flat,
    )
    return SingleEnv(settings, seat=seat, bots=bots, nodes=nodes, render_mode=render_mode)
