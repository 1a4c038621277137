"""A deal as a game of OpenSpiel, ``python_buraco``; importing this module registers it.

``load_game`` gives the game of a rule set, as ``pyspiel.load_game("python_buraco", {...})`` does. docs/openspiel.md has
the parameters, and what players see. A player gets the points of its side in the deal less those of the other side.
"""

from __future__ import annotations

import base64
import binascii
import json
import random
from array import array
from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from types import MappingProxyType
from typing import Any, Final

try:
    import numpy as np
    import pyspiel
except ImportError as missing:
    raise ImportError(f"{missing}; the game for OpenSpiel needs: pip install 'buraco[openspiel]'") from None

from buraco.cards import CARD_COUNT, card_text
from buraco.engine import (
    ACTION_COUNT,
    Deal,
    action_meld,
    decode_add,
    determinize,
    ordered_pack,
    seed_bytes,
    shuffled_pack,
    view_of,
)
from buraco.engine.constants import ACTION_ADD, ACTION_DISCARD, ACTION_KEEP, ACTION_RUN, OBSERVATION_SIZE
from buraco.engine.observation import observe
from buraco.engine.observation_parts import PARTS
from buraco.engine.position import hide
from buraco.engine.shapes import meld_cards
from buraco.env.recall import RECALL_SIZE_MAX, Recall, RecallLayout, steps_max
from buraco.errors import BuracoError, IllegalAction
from buraco.notation import format_action, format_position
from buraco.rules import DEFAULT_RULES, RULE_SETS, RuleSet, from_json, get_rules, pack_points, pack_size, to_json

__all__ = ["GAME_NAME", "BuracoGame", "BuracoState", "load_game", "resampler", "rules_text"]

GAME_NAME: Final = "python_buraco"
"""The name under which OpenSpiel knows the game."""

_DEFAULTS: Final[Mapping[str, Any]] = MappingProxyType(
    {"rules": DEFAULT_RULES, "players": 0, "dealer": 0, "packs": 0, "seed": 0, "compact": False}
)
_HOUSE: Final = "house."
# OpenSpiel keeps numbers among parameters in 32 bits with a sign.
_NUMBERS: Final = range(-(1 << 31), 1 << 31)


def rules_text(rules: RuleSet) -> str:
    """Return a rule set as a parameter of the game: its name, or all of it in letters that the parameter may have."""
    if RULE_SETS.get(rules.name) == rules:
        return rules.name
    content = json.dumps(to_json(rules), separators=(",", ":")).encode()
    return _HOUSE + base64.urlsafe_b64encode(content).decode().rstrip("=")


def load_game(rules: RuleSet | str, **parameters: Any) -> BuracoGame:
    """Return the game of a rule set; ``parameters`` as docs/openspiel.md lists them.

    Raises RulesError (unknown rules; code ``players``), BuracoError (code ``openspiel_parameter``).
    """
    given = dict(_DEFAULTS) | parameters | {"rules": rules if isinstance(rules, str) else rules_text(rules)}
    _Settings.of(given)
    game: BuracoGame = pyspiel.load_game(GAME_NAME, given)
    return game


@dataclass(frozen=True, slots=True)
class _Settings:
    """What a game is played by; ``actions`` are the engine's ids in the game's order, or None where they are equal."""

    rules: RuleSet
    players: int
    dealer: int
    packs: int
    seed: int
    actions: tuple[int, ...] | None

    @classmethod
    def of(cls, parameters: Mapping[str, Any]) -> _Settings:
        """Return the settings of parameters. Raises as `load_game` does."""
        if unknown := sorted(set(parameters) - set(_DEFAULTS)):
            raise BuracoError(
                "openspiel_parameter", f"there is no parameter {unknown[0]!r}; there are {', '.join(_DEFAULTS)}"
            )
        given = dict(_DEFAULTS) | dict(parameters)
        for name, usual in _DEFAULTS.items():
            if type(given[name]) is not type(usual) or (type(usual) is int and given[name] not in _NUMBERS):
                raise BuracoError(
                    "openspiel_parameter", f"{name} is of the kind of {usual!r}, a number within 32 bits with a sign"
                )
        rules = _rules_of(given["rules"])
        players = given["players"] or max(rules.player_counts)
        if players not in rules.player_counts:
            raise BuracoError("players", f"{rules.name} is not for {players} players.")
        if not 0 <= given["dealer"] < players or given["packs"] < 0:
            raise BuracoError("openspiel_parameter", "dealer is a seat, and packs is 0 or more")
        actions = _possible_actions(rules) if given["compact"] else None
        return cls(rules, players, given["dealer"], given["packs"], given["seed"], actions)

    def pack(self, number: int) -> tuple[int, ...]:
        """Return pack number ``number``, from 0."""
        return shuffled_pack(self.rules, seed_bytes(self.seed), "openspiel", number + 1)

    def deal(self, pack: tuple[int, ...]) -> Deal:
        """Return the deal of a pack."""
        return Deal.from_pack(self.rules, self.players, pack, dealer=self.dealer)

    def engine_id(self, action: int) -> int:
        """Return the engine's id of an action of the game. Raises IllegalAction for one that it does not have."""
        if self.actions is None:
            return action
        if not 0 <= action < len(self.actions):
            raise IllegalAction("unknown_action", f"there is no action {action}")
        return self.actions[action]

    @property
    def layout(self) -> RecallLayout:
        """How the numbers of information states lie."""
        return RecallLayout(self.rules, self.players, self.actions)

    def legal(self, deal: Deal) -> list[int]:
        """Return the legal actions of a deal in the game's numbering, ascending."""
        found = deal.legal()
        return found if self.actions is None else [bisect_left(self.actions, action) for action in found]


def _rules_of(text: str) -> RuleSet:
    if not text.startswith(_HOUSE):
        return get_rules(text)
    code = text.removeprefix(_HOUSE)
    try:
        content = base64.urlsafe_b64decode(code + "=" * (-len(code) % 4)).decode()
    except (binascii.Error, ValueError):
        raise BuracoError("openspiel_parameter", "these are no house rules as `rules_text` writes them") from None
    return from_json(content)


def _possible_actions(rules: RuleSet) -> tuple[int, ...]:
    """Return the engine's ids of all actions for which the pack of the rules has the cards."""
    pack = Counter(ordered_pack(rules))
    slots = sum(pack.values()) // 3
    return tuple(action for action in range(ACTION_COUNT) if _is_possible(action, rules, pack, slots))


def _is_possible(action: int, rules: RuleSet, pack: Counter[int], slots: int) -> bool:
    if action < ACTION_DISCARD:
        return action < ACTION_KEEP or rules.first_turn_option
    if action < ACTION_RUN:
        return action - ACTION_DISCARD in pack
    if action < ACTION_ADD:
        return Counter(meld_cards(action_meld(action))) <= pack
    slot, card, _, _ = decode_add(action)
    return slot < slots and card in pack


class _Play:
    """A deal on its way: the cards that chance dealt, then the deal, and what each seat has seen, in words."""

    __slots__ = ("deal", "dealt", "recall", "settings")

    def __init__(self, settings: _Settings) -> None:
        self.settings = settings
        self.dealt: tuple[int, ...] = ()
        self.deal: Deal | None = None
        self.recall: Recall | None = None

    def __deepcopy__(self, memo: object) -> _Play:
        copied = _Play(self.settings)
        copied.dealt = self.dealt
        copied.deal = None if self.deal is None else self.deal.copy()
        copied.recall = None if self.recall is None else self.recall.copy()
        return copied

    def chances(self) -> list[tuple[int, float]]:
        """Return what chance may do now, each with its probability."""
        if self.settings.packs:
            return [(number, 1 / self.settings.packs) for number in range(self.settings.packs)]
        left = Counter(ordered_pack(self.settings.rules)) - Counter(self.dealt)
        return [(card, count / left.total()) for card, count in sorted(left.items())]

    def chance(self, outcome: int) -> None:
        """Take what chance did: the number of a pack, or the next card. Raises IllegalAction for anything else."""
        packs = self.settings.packs
        left = (
            packs - outcome if packs else ordered_pack(self.settings.rules).count(outcome) - self.dealt.count(outcome)
        )
        if outcome < 0 or left <= 0:
            raise IllegalAction("unknown_action", f"chance has no outcome {outcome}")
        if packs:
            self.begin(self.settings.pack(outcome))
            return
        self.dealt = (*self.dealt, outcome)
        if len(self.dealt) == pack_size(self.settings.rules):
            self.begin(self.dealt)

    def begin(self, pack: tuple[int, ...]) -> None:
        """Deal a pack."""
        self.deal = self.settings.deal(pack)
        self.recall = Recall(self.deal)

    def act(self, action: int) -> None:
        """Take an action of the seat to act, by the engine's id."""
        assert self.deal is not None
        assert self.recall is not None
        self.recall.apply(self.deal, action)

    def told(self, seat: int) -> str:
        """Return all that a seat has seen since the deal."""
        assert self.recall is not None
        return self.recall.text(seat)


def _game_type(*, recall: bool) -> Any:
    """Return what the game offers, with information states as numbers or without."""
    return pyspiel.GameType(
        short_name=GAME_NAME,
        long_name="Buraco",
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
        information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
        utility=pyspiel.GameType.Utility.ZERO_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=4,
        min_num_players=2,
        provides_information_state_string=True,
        provides_information_state_tensor=recall,
        provides_observation_string=True,
        provides_observation_tensor=True,
        provides_factored_observation_string=False,
        parameter_specification=dict(_DEFAULTS),
    )


def _game_info(settings: _Settings) -> Any:
    rules = settings.rules
    cards, points = pack_size(rules), pack_points(rules)
    bonuses = (rules.bonus_dirty, rules.bonus_clean, rules.bonus_semi_clean, rules.bonus_clean_13, rules.bonus_clean_14)
    best = points + cards // rules.canasta_size * max(bonus or 0 for bonus in bonuses) + rules.bonus_out
    worst = points + 2 * rules.morto_penalty + settings.players * rules.unplayed_morto_points
    return pyspiel.GameInfo(
        num_distinct_actions=ACTION_COUNT if settings.actions is None else len(settings.actions),
        max_chance_outcomes=settings.packs or CARD_COUNT,
        num_players=settings.players,
        min_utility=float(-best - worst),
        max_utility=float(best + worst),
        utility_sum=0.0,
        max_game_length=steps_max(rules, settings.players),
    )


class BuracoGame(pyspiel.Game):  # type: ignore[misc] # OpenSpiel has no types
    """The game of a rule set. Raises as `load_game` does."""

    def __init__(self, params: Mapping[str, Any] | None = None) -> None:
        self.settings = _settings(tuple(sorted((params or {}).items())))
        recall = self.settings.layout.size <= RECALL_SIZE_MAX
        super().__init__(_game_type(recall=recall), _game_info(self.settings), dict(params or {}))

    def new_initial_state(self) -> BuracoState:
        """Return the state before anything is dealt."""
        return BuracoState(self)

    def information_state_tensor_size(self) -> int:
        """Return how many numbers an information state has. Raises BuracoError (``openspiel_numbers``): too many."""
        _need_numbers(self.settings)
        return int(super().information_state_tensor_size())

    def information_state_tensor_shape(self) -> list[int]:
        """Return the shape of those numbers. Raises as `information_state_tensor_size` does."""
        _need_numbers(self.settings)
        return list(super().information_state_tensor_shape())

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> _Observer | _RecallObserver:
        """Return what observes a seat: what it sees now, or with perfect recall all that it has seen.

        Raises BuracoError (code ``openspiel_parameter``) for parameters, and where only a part of what a seat sees is
        wanted, or what others see.
        """
        if params:
            raise BuracoError("openspiel_parameter", "an observer takes no parameters")
        if iig_obs_type is None:
            return _Observer()
        if not iig_obs_type.public_info or iig_obs_type.private_info != pyspiel.PrivateInfoType.SINGLE_PLAYER:
            raise BuracoError("openspiel_parameter", "an observer tells what one player sees: public and its own")
        if not iig_obs_type.perfect_recall:
            return _Observer()
        layout = self.settings.layout
        return _RecallObserver(layout if layout.size <= RECALL_SIZE_MAX else None)


def _need_numbers(settings: _Settings) -> None:
    if settings.layout.size > RECALL_SIZE_MAX:
        raise BuracoError(
            "openspiel_numbers",
            f"an information state of {settings.rules.name} would have {settings.layout.size:,} numbers, and"
            f" {RECALL_SIZE_MAX:,} are the most: take its text, or the observation",
        )


@lru_cache(maxsize=16)
def _settings(parameters: tuple[tuple[str, Any], ...]) -> _Settings:
    return _Settings.of(dict(parameters))


class BuracoState(pyspiel.State):  # type: ignore[misc] # OpenSpiel has no types
    """A state of the game: chance deals, then the seats play until the deal ends. Players are the seats."""

    def __init__(self, game: BuracoGame) -> None:
        super().__init__(game)
        self.play = _Play(game.settings)

    @property
    def deal(self) -> Deal | None:
        """The deal as it is now, None until all is dealt. It knows every card; change a copy only."""
        return self.play.deal

    def current_player(self) -> int:
        """Return the seat to act, or OpenSpiel's number for chance or for the end."""
        deal = self.play.deal
        if deal is None:
            return int(pyspiel.PlayerId.CHANCE)
        return int(pyspiel.PlayerId.TERMINAL) if deal.over else deal.seat

    def _legal_actions(self, player: int) -> list[int]:
        deal = self.play.deal
        return [] if deal is None or deal.over or deal.seat != player else self.play.settings.legal(deal)

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Return the packs, or the cards that may come next, with their probabilities."""
        return self.play.chances()

    def _apply_action(self, action: int) -> None:
        if self.play.deal is None:
            self.play.chance(action)
        else:
            self.play.act(self.play.settings.engine_id(action))

    def _action_to_string(self, player: int, action: int) -> str:
        if player == pyspiel.PlayerId.CHANCE or self.play.deal is None:
            return f"pack {action}" if self.play.settings.packs else f"deal {card_text(action)}"
        return format_action(self.play.settings.engine_id(action))

    def is_terminal(self) -> bool:
        """Say whether the deal has ended."""
        return self.play.deal is not None and self.play.deal.over

    def returns(self) -> list[float]:
        """Return for each seat the points of its side less those of the other; zeros until the deal has ended."""
        deal, players = self.play.deal, self.play.settings.players
        if deal is None or not deal.over:
            return [0.0] * players
        ahead = float(deal.score(0) - deal.score(1))
        return [-ahead if seat & 1 else ahead for seat in range(players)]

    def information_state_tensor(self, *player: int) -> list[float]:
        """Return all that a player, or the one to act, has seen, as numbers.

        Raises BuracoError (code ``openspiel_numbers``) where they are too many.
        """
        _need_numbers(self.play.settings)
        return list(super().information_state_tensor(*player))

    def __str__(self) -> str:
        if self.play.deal is None:
            return "dealt: " + " ".join(map(card_text, self.play.dealt))
        return format_position(self.play.deal.position())


class _Observer:
    """Writes what a seat sees now: the numbers of `buraco.engine.observation`, and a position as a text."""

    def __init__(self) -> None:
        self._buffer = array("h", bytes(2 * OBSERVATION_SIZE))
        self.tensor = np.zeros(OBSERVATION_SIZE, np.float32)
        self.dict = {part.name: self.tensor[part.first : part.first + part.size].reshape(part.shape) for part in PARTS}

    def set_from(self, state: BuracoState, player: int) -> None:
        """Write what a seat sees now into the numbers; all are 0 until all is dealt."""
        if state.play.deal is None:
            self.tensor.fill(0)
            return
        observe(state.play.deal, player, self._buffer)
        self.tensor[:] = self._buffer

    def string_from(self, state: BuracoState, player: int) -> str:
        """Return what a seat sees now as a text."""
        if state.play.deal is None:
            return _before_the_deal(state, player)
        return f"seat {player}: {format_position(hide(state.play.deal.position(), player))}"


class _RecallObserver:
    """Writes all that a seat has seen since the deal, as a text and with a layout as numbers."""

    def __init__(self, layout: RecallLayout | None) -> None:
        self._layout = layout
        self.tensor: np.ndarray[Any, np.dtype[np.float32]] | None = None
        self.dict: dict[str, np.ndarray[Any, np.dtype[np.float32]]] = {}
        if layout is not None:
            self.tensor, self.dict = layout.empty()

    def set_from(self, state: BuracoState, player: int) -> None:
        """Write all that a seat has seen into the numbers, if there are any; all are 0 until all is dealt."""
        if self._layout is None or self.tensor is None:
            return
        self.tensor.fill(0)
        if state.play.recall is not None:
            state.play.recall.write(self._layout, player, self.dict)

    def string_from(self, state: BuracoState, player: int) -> str:
        """Return all that a seat has seen as a text."""
        if state.play.deal is None:
            return _before_the_deal(state, player)
        return f"seat {player}: {state.play.told(player)}"


def _before_the_deal(state: BuracoState, player: int) -> str:
    return f"seat {player}: {len(state.play.dealt)} cards are dealt"


def resampler(seed: int) -> Callable[[BuracoState, int], BuracoState]:
    """Return what gives a state that a player cannot tell from another one, for ``ISMCTSBot.set_resampler``.

    With ``packs`` it is one of those that could have led here, each as likely, with a true history. Else the hidden
    cards are spread anew (`determinize`); such a state can be played on but not serialized, since its history is still
    that of the state before, and what the other seats have seen begins with it.
    """
    source = random.Random(seed)

    def resample(state: BuracoState, player: int) -> BuracoState:
        return (_other_pack if state.play.settings.packs else _other_cards)(state, player, source)

    return resample


def _other_pack(state: BuracoState, player: int, source: random.Random) -> BuracoState:
    history = state.history()
    if not history:
        return state.clone()  # type: ignore[no-any-return]
    numbers = list(range(state.play.settings.packs))
    source.shuffle(numbers)
    for number in numbers:
        found = _replayed(state, player, [number, *history[1:]])
        if found is not None:
            return found
    raise AssertionError("the pack of the state itself leads to it")


def _replayed(state: BuracoState, player: int, history: list[int]) -> BuracoState | None:
    """Return the state of another history, None if it is none or the player could tell it."""
    other: BuracoState = state.get_game().new_initial_state()
    for action in history:
        if not other.is_chance_node() and action not in other.legal_actions():
            return None
        other.apply_action(action)
    return other if other.play.told(player) == state.play.told(player) else None


def _other_cards(state: BuracoState, player: int, source: random.Random) -> BuracoState:
    other: BuracoState = state.clone()
    if other.play.deal is None:
        return other
    assert other.play.recall is not None
    other.play.deal = determinize(view_of(other.play.deal, player), source.getrandbits(31))
    for seat in range(other.play.settings.players):
        if seat != player:
            other.play.recall.forget(other.play.deal, seat)
    return other


pyspiel.register_game(_game_type(recall=True), BuracoGame)
