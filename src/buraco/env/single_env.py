"""Gymnasium's environment of one seat: the others are bots, who play until it is the agent's turn again."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import gymnasium
from gymnasium import spaces
from gymnasium.envs.registration import EnvSpec
from numpy.typing import NDArray

from buraco.bots import Bot, Limit, check_level, make_bot, policy_of
from buraco.engine.arguments import whole_number
from buraco.engine.constants import ACTION_COUNT
from buraco.engine.view import view_of
from buraco.env.arrays import observation_of, observation_space
from buraco.env.drawing import RENDER_MODES, checked_mode, rendered
from buraco.env.episode import Episode, Settings, deal_info, refusal_info
from buraco.errors import BuracoError
from buraco.texts import message

__all__ = ["SingleEnv"]

_SEED_BELOW: Final = 1 << 62
_BOT_SEED_BELOW: Final = 1 << 31


class SingleEnv(gymnasium.Env[dict[str, Any], Any]):
    """See `buraco.env.single`, which makes one.

    Observations are those of `buraco.env.table_env.TableEnv`. The reward of a step is what all deals brought that ended
    in it, for the agent's side. An info holds ``deals``, one entry for each of them (`episode.deal_info`), and
    ``illegal`` where the action ended the episode that way.
    """

    metadata: dict[str, Any] = {"render_modes": list(RENDER_MODES), "render_fps": 2}  # noqa: RUF012 - as in its base

    def __init__(
        self,
        settings: Settings,
        *,
        seat: int = 0,
        bots: str | Sequence[str] = "club",
        nodes: int = 2000,
        render_mode: str | None = None,
    ) -> None:
        seat, nodes = whole_number("seat", seat), whole_number("nodes", nodes, 1)
        if not 0 <= seat < settings.players:
            raise ValueError(f"there is no seat {seat}; seats are 0 to {settings.players - 1}")
        self._settings = settings
        self._seat = seat
        self._levels = _levels(bots, seat, settings.players)
        self._limit = Limit(nodes=nodes)
        self._searching: dict[int, Bot] = {}
        self._episode: Episode | None = None
        self._ended = True
        self.render_mode = checked_mode(render_mode)
        self.observation_space = observation_space(flat=settings.flat)
        self.action_space: spaces.Space[Any] = spaces.Discrete(ACTION_COUNT)
        self.spec = EnvSpec(
            id="Buraco-v0",
            entry_point="buraco.env.single_env:SingleEnv",
            kwargs={"settings": settings, "seat": seat, "bots": bots, "nodes": nodes, "render_mode": render_mode},
        )

    @property
    def episode(self) -> Episode:
        """The episode in play, which knows every card. Raises BuracoError (code ``no_deal``) before the first reset."""
        if self._episode is None:
            raise BuracoError("no_deal", message("host.no_deal"))
        return self._episode

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Any], dict[str, Any]]:
        """Begin an episode and play the bots until it is the agent's turn.

        The same seed deals the same cards and makes the bots choose alike, and so on for the episodes after it.
        """
        super().reset(seed=seed, options=options)
        self._episode = Episode(self._settings, int(self.np_random.integers(_SEED_BELOW)))
        self._ended = False
        self._searching = {
            other: make_bot(level, int(self.np_random.integers(_BOT_SEED_BELOW)))
            for other, level in self._levels.items()
            if policy_of(level) is None
        }
        self._shuffle_policies()
        info: dict[str, Any] = {"deals": []}
        self._play_bots(info)
        return self._observation(), info

    def step(self, action: Any) -> tuple[dict[str, Any], float, bool, bool, dict[str, Any]]:
        """Take an action of the agent, then those of the bots until it is the agent's turn again or the episode ends.

        Raises BuracoError (code ``no_deal``) before `reset` or when the episode has ended, TypeError for what is no
        whole number and, with ``illegal="error"``, IllegalAction; nothing has changed then.
        """
        episode = self.episode
        if self._ended:
            raise BuracoError("no_deal", message("host.no_deal"))
        code = episode.refusal(action)
        info: dict[str, Any] = {"deals": []}
        if code and not self._settings.strict:
            self._ended = True
            info["illegal"] = refusal_info(self._settings.rules, action, code)
            return self._observation(), self._settings.illegal_reward, True, False, info
        reward = self._act(action, info) + self._play_bots(info)
        self._ended = episode.over
        return self._observation(), reward, self._ended, False, info

    def render(self) -> str | NDArray[Any] | None:
        """Show the whole table, every card in view, as ``render_mode`` says; None without one."""
        return rendered(self.render_mode, self.episode)

    def _observation(self) -> dict[str, Any]:
        return observation_of(self.episode.deal, self._seat, flat=self._settings.flat, over=self._ended)

    def _act(self, action: Any, info: dict[str, Any]) -> float:
        """Take an action of the seat to act and return what it brought to the agent's side."""
        episode = self.episode
        result = episode.act(action)
        if result is None:
            return 0.0
        info["deals"].append(deal_info(result))
        self._shuffle_policies()
        gain = episode.gain(result)
        return -gain if self._seat & 1 else gain

    def _play_bots(self, info: dict[str, Any]) -> float:
        reward, episode = 0.0, self.episode
        while not episode.over and episode.deal.seat != self._seat:
            reward += self._act(self._choice(episode.deal.seat), info)
        return reward

    def _choice(self, seat: int) -> int:
        """Return what the bot at a seat does. The engine's own policies need no view: they look at no more than it."""
        deal = self.episode.deal
        policy = policy_of(self._levels[seat])
        if policy is not None:
            return deal.choose(policy)
        return self._searching[seat].choose(view_of(deal, seat), self._limit).action

    def _shuffle_policies(self) -> None:
        """Begin the draws of the random policies anew for a new deal."""
        self.episode.deal.seed(int(self.np_random.integers(_BOT_SEED_BELOW)))


def _levels(bots: str | Sequence[str], seat: int, players: int) -> dict[int, str]:
    """Return the level at each of the other seats.

    Raises BuracoError (code ``unknown_bot``), ValueError for another number of levels than there are other seats.
    """
    names = [bots] * (players - 1) if isinstance(bots, str) else list(bots)
    if len(names) != players - 1:
        raise ValueError(f"{players - 1} other seats need as many bots, not {len(names)}")
    return {(seat + 1 + turned) % players: check_level(name) for turned, name in enumerate(names)}
