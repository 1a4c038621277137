"""PettingZoo's environment of a table: every seat is an agent, they act in turn."""

from __future__ import annotations

from typing import Any, ClassVar, Final

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray
from pettingzoo import AECEnv

from buraco.engine.constants import ACTION_COUNT, OBSERVATION_SIZE
from buraco.engine.observation_parts import NUMBER_MAX
from buraco.env.arrays import observation_of, observation_row, observation_space
from buraco.env.drawing import RENDER_MODES, checked_mode, rendered
from buraco.env.episode import Episode, Settings, deal_info, refusal_info
from buraco.errors import BuracoError
from buraco.texts import message

__all__ = ["TableEnv"]

_SEED_BELOW: Final = 1 << 62


class TableEnv(AECEnv):  # type: ignore[misc]
    """See `buraco.env.aec`, which makes one.

    An observation is ``{"observation": {name: array of int16}, "action_mask": array of int8}`` (docs/env.md). A mask is
    all 0 for an agent that is not to act. An agent's info holds ``deal`` from the end of a deal until the agent acts
    (`episode.deal_info`), and ``illegal`` where it ended the episode that way (`episode.refusal_info`).
    """

    metadata: ClassVar[dict[str, Any]] = {
        "name": "buraco_v0",
        "render_modes": list(RENDER_MODES),
        "is_parallelizable": False,
        "render_fps": 2,
    }

    def __init__(self, settings: Settings, *, render_mode: str | None = None) -> None:
        super().__init__()
        self._settings = settings
        self.render_mode = checked_mode(render_mode)
        self._source = np.random.default_rng()
        self._episode: Episode | None = None
        self._ended = False
        self.possible_agents = [f"seat_{seat}" for seat in range(settings.players)]
        self.agents: list[str] = []
        self._seats = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        self._observation_spaces = {agent: observation_space(flat=settings.flat) for agent in self.possible_agents}
        self._action_spaces = {agent: spaces.Discrete(ACTION_COUNT) for agent in self.possible_agents}
        self.state_space = spaces.Box(-NUMBER_MAX, NUMBER_MAX, (settings.players, OBSERVATION_SIZE), np.int16)

    def __str__(self) -> str:
        return str(self.metadata["name"])

    @property
    def episode(self) -> Episode:
        """The episode in play, which knows every card. Raises BuracoError (code ``no_deal``) before the first reset."""
        if self._episode is None:
            raise BuracoError("no_deal", message("host.no_deal"))
        return self._episode

    def observation_space(self, agent: str) -> spaces.Dict:
        """Return the space of an agent's observations. Raises KeyError for an agent that is not there."""
        return self._observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Discrete:
        """Return the numbers of all actions. Raises KeyError for an agent that is not there."""
        return self._action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:  # noqa: ARG002
        """Begin an episode; the same seed deals the same cards, and so on for the episodes after it."""
        if seed is not None:
            self._source = np.random.default_rng(seed)
        self._episode = Episode(self._settings, int(self._source.integers(_SEED_BELOW)))
        self._ended = False
        self.agents = list(self.possible_agents)
        self.rewards: dict[str, float] = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards: dict[str, float] = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.agent_selection = self.possible_agents[self._episode.deal.seat]

    def observe(self, agent: str) -> dict[str, Any]:
        """Return what an agent's seat may see, and its mask. Raises KeyError for an agent that is not there."""
        seat, deal = self._seats[agent], self.episode.deal
        return observation_of(deal, seat, flat=self._settings.flat, over=self._ended)

    def state(self) -> NDArray[np.int16]:
        """Return the observations of all seats as rows, players x `OBSERVATION_SIZE`: more than any of them sees."""
        deal = self.episode.deal
        return np.stack([observation_row(deal, seat) for seat in range(self._settings.players)])

    def step(self, action: Any) -> None:
        """Take an action of the agent whose turn it is (`agent_selection`); None of one whose episode has ended.

        Raises BuracoError (code ``no_deal``) before the first reset and when no agent is left, TypeError for what is no
        whole number and, with ``illegal="error"``, IllegalAction; nothing has changed then.
        """
        episode = self.episode
        if not self.agents:
            raise BuracoError("no_deal", message("host.no_deal"))
        agent = self.agent_selection
        if self.terminations[agent]:
            self._was_dead_step(action)
            return
        code = episode.refusal(action)
        if code and not self._settings.strict:
            self._forget(agent)
            self.rewards[agent] = self._settings.illegal_reward
            self.infos[agent]["illegal"] = refusal_info(self._settings.rules, action, code)
            self._end()
            return
        result = episode.act(action)
        self._forget(agent)
        if result is not None:
            gain = episode.gain(result)
            for one in self.agents:
                self.rewards[one] = -gain if self._seats[one] & 1 else gain
                self.infos[one]["deal"] = deal_info(result)
        if episode.over:
            self._end()
            return
        self._accumulate_rewards()
        self.agent_selection = self.possible_agents[episode.deal.seat]

    def _forget(self, agent: str) -> None:
        """Clear what the step before brought, as the interface has it."""
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        # The others' stay until they act themselves: they have not read them yet.
        self.infos[agent] = {}

    def _end(self) -> None:
        """End the episode for all."""
        self._ended = True
        self.terminations = dict.fromkeys(self.agents, True)
        self._accumulate_rewards()
        self._deads_step_first()

    def render(self) -> str | NDArray[np.uint8] | None:
        """Show the whole table, every card in view, as ``render_mode`` says; None without one."""
        return rendered(self.render_mode, self.episode)

    def close(self) -> None:
        """There is nothing to release."""
