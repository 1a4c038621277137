"""The scripts of the lessons, as data: the files ``*.toml`` beside this module, one for each rule set that is taught.

- ``rules``: the rule set; ``dealer``: who deals; ``hands``, ``mortos``, ``up_card`` and the first cards of the
  ``stock``, as texts. The rest of the stock is the rest of the pack, in its order.
- ``part``: what happens, one after the other. With ``text`` it is a step of the learner, seat 0: the key of its words
  under ``lesson.`` and the actions that do it, which are one draw, take, keep or discard, or any number of cards
  tabled. Without it, it is what the others do, in turn.
"""

from __future__ import annotations

import tomllib
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from types import MappingProxyType
from typing import Any, Final

from buraco.cards import parse_card
from buraco.engine import ordered_pack
from buraco.rules import RuleSet, get_rules

__all__ = ["OWN_SEAT", "PLAYERS", "Part", "Script", "all_scripts", "read_script", "script_of"]

OWN_SEAT: Final = 0
"""The seat of the one who learns."""
PLAYERS: Final = 4


@dataclass(frozen=True, slots=True)
class Part:
    """A step of the learner (``text`` is the key of its words), or what the others do (``text`` is empty)."""

    text: str
    actions: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Script:
    """A lesson: the rules, whose deal it is, the pack in its order, and what happens."""

    rules: RuleSet
    dealer: int
    pack: tuple[int, ...]
    parts: tuple[Part, ...]

    @property
    def name(self) -> str:
        """Its name: that of its rules."""
        return self.rules.name

    @property
    def step_count(self) -> int:
        """How many steps the learner takes."""
        return sum(bool(part.text) for part in self.parts)


def read_script(text: str) -> Script:
    """Return the script of a file's text. Raises ValueError for cards that are no pack of the rules."""
    form = tomllib.loads(text)
    rules = get_rules(form["rules"]).replace(deal_count=1)
    parts = tuple(Part(one.get("text", ""), tuple(one["actions"])) for one in form["part"])
    return Script(rules, int(form["dealer"]), _pack(rules, form), parts)


def _pack(rules: RuleSet, form: Mapping[str, Any]) -> tuple[int, ...]:
    """Return the order of the pack in which everyone gets the cards that are meant for them."""
    hands = [_cards(hand) for hand in form["hands"]]
    mortos = [_cards(morto) for morto in form["mortos"]]
    sizes = [len(hand) for hand in hands] + [len(morto) for morto in mortos]
    if sizes != [rules.hand_size] * PLAYERS + [rules.morto_size] * 2:
        raise ValueError(f"a lesson of {rules.name} has hands and mortos of another size")
    first = int(form["dealer"]) + 1
    order = [hands[(first + turn) % PLAYERS][number] for number in range(rules.hand_size) for turn in range(PLAYERS)]
    order += mortos[0] + mortos[1] + _cards(form.get("up_card", "")) + _cards(form["stock"])
    left = Counter(ordered_pack(rules))
    left.subtract(order)
    if any(count < 0 for count in left.values()):
        raise ValueError(f"a lesson of {rules.name} has more cards than its pack")
    return (*order, *sorted(left.elements()))


def _cards(text: str) -> list[int]:
    return [parse_card(word) for word in text.split()]


@cache
def all_scripts() -> Mapping[str, Script]:
    """Return the lessons that there are, by name."""
    found: Sequence[Script] = [
        read_script(one.read_text(encoding="utf-8"))
        for one in files("buraco.server.lessons").iterdir()
        if one.name.endswith(".toml")
    ]
    return MappingProxyType({script.name: script for script in sorted(found, key=lambda script: script.name)})


def script_of(name: str) -> Script | None:
    """Return the lesson of a name, None if there is none."""
    return all_scripts().get(name)
