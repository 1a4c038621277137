"""Actions as text and as JSON.

One text for each of the 22,185 action ids (``docs/notation.md`` has the table):

=============================  ==========================================================================
``draw`` ``pile``              draw a stock card, take the pile
``keep`` ``reject``            the first-turn option
``discard Ks``                 discard a card
``meld 3h 4h X=5 6h``          lay a run in slot order, the wild with the rank it stands for
``meld 7c 7h 7s 2d=7``         lay a set, its natural cards in the order of the card numbers, then its wild
``add 2 9h``                   add a card to the side's second meld; afterwards it has no wild or one inside
``add 2 9h wild low|high``     the same; afterwards the wild is the lowest, or the highest, card
``add 2 Ah high [wild ...]``   an ace added at the high end (without ``high``: at the low end, or to a set)
=============================  ==========================================================================

Melds are numbered from 1 in text and JSON, as people count them, and from 0 in action ids.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from buraco.cards import CARD_COUNT, card_text, parse_card
from buraco.engine import constants as numbers
from buraco.engine.arguments import whole_number
from buraco.engine.door import action_meld, add_action, decode_add, meld_action
from buraco.errors import ParseError
from buraco.notation.melds import format_meld, meld_words, parse_meld, parse_word
from buraco.notation.melds import readings as meld_readings
from buraco.texts import message

if TYPE_CHECKING:
    from buraco.engine.position import Position

__all__ = [
    "ACTION_TEXT_MAX",
    "Action",
    "action_from_json",
    "action_json",
    "candidates",
    "decode_action",
    "encode_action",
    "format_action",
    "parse_action",
    "readings",
]

ACTION_TEXT_MAX: Final = 200
"""The longest text, in characters, that is read as an action."""

# In the order of their ids, 0 to 3.
_PLAIN_NAMES: Final = ("draw", "pile", "keep", "reject")
_SHORT: Final[Mapping[str, str]] = MappingProxyType(
    {"d": "draw", "p": "pile", "k": "keep", "r": "reject", "x": "discard", "m": "meld", "a": "add"}
)
_KINDS: Final = (*_PLAIN_NAMES, "discard", "meld", "add")
_WILD: Final = ("", "low", "high")
_ACE: Final = 0


@dataclass(frozen=True, slots=True)
class Action:
    """An action in parts.

    ``kind`` is draw, pile, keep, reject, discard, meld or add; ``card`` the card discarded or added, else -1; ``meld``
    the packed meld laid, else -1; ``meld_number`` the meld added to, counted from 1, else 0; ``high``: an ace is added
    at the high end; ``wild``: where the wild lies after an addition, ``low``, ``high`` or empty.
    """

    kind: str
    card: int = -1
    meld: int = -1
    meld_number: int = 0
    high: bool = False
    wild: str = ""


def decode_action(action: int) -> Action:
    """Return the parts of an action id. Raises ValueError for a number outside 0 ... 22,184, TypeError for what is no
    whole number."""
    action = whole_number("an action", action)
    if not 0 <= action < numbers.ACTION_COUNT:
        raise ValueError(f"{action} is no action; actions are 0 to {numbers.ACTION_COUNT - 1}")
    if action < numbers.ACTION_DISCARD:
        return Action(_PLAIN_NAMES[action])
    if action < numbers.ACTION_RUN:
        return Action("discard", card=action - numbers.ACTION_DISCARD)
    if action < numbers.ACTION_ADD:
        return Action("meld", meld=action_meld(action))
    slot, card, how, high = decode_add(action)
    return Action("add", card=card, meld_number=slot + 1, high=bool(high), wild=_WILD[how])


def encode_action(action: Action) -> int:
    """Return the id of an action in parts, as ``decode_action`` gives them."""
    if action.kind in _PLAIN_NAMES:
        return _PLAIN_NAMES.index(action.kind)
    if action.kind == "discard":
        return numbers.ACTION_DISCARD + action.card
    if action.kind == "meld":
        return meld_action(action.meld)
    return add_action(action.meld_number - 1, action.card, _WILD.index(action.wild), int(action.high))


def format_action(action: int) -> str:
    """Return the canonical text of an action id. Raises ValueError and TypeError as ``decode_action`` does."""
    parts = decode_action(action)
    if parts.kind == "discard":
        return f"discard {card_text(parts.card)}"
    if parts.kind == "meld":
        return f"meld {format_meld(parts.meld)}"
    if parts.kind == "add":
        high = " high" if parts.high else ""
        wild = f" wild {parts.wild}" if parts.wild else ""
        return f"add {parts.meld_number} {card_text(parts.card)}{high}{wild}"
    return parts.kind


def parse_action(text: str) -> int:
    """Return the id of the canonical text of an action; nothing but that text is taken.

    Raises ParseError: ``action_text`` for a text that is not canonical (with the canonical one where it is clear),
    ``card_text`` for a word that is no card, ``meld_text`` for cards that form no meld in that order.
    """
    words = _words(text)
    if not words or words[0] not in _KINDS:
        raise ParseError("action_text", message("typed.action", text=text[:40], kinds=", ".join(_KINDS)))
    if words[0] == "meld":
        action = meld_action(parse_meld(" ".join(words[1:])))
    else:
        found = _add_readings(words[1:], range(1), exact=True) if words[0] == "add" else readings(text)
        action = found[0]
    canonical = format_action(action)
    if text != canonical:
        raise ParseError("action_text", message("typed.canonical", text=text[:80], canonical=canonical))
    return action


def _words(text: str) -> list[str]:
    if len(text) > ACTION_TEXT_MAX:
        raise ParseError("action_text", message("typed.too_long", most=ACTION_TEXT_MAX, count=len(text)))
    return text.split()


def readings(text: str, position: Position | None = None) -> list[int]:
    """Return every action that a person may mean by a text, legal or not, the likeliest first.

    Letters in either case; short kinds ``d p k r x m a``; cards in any order; a wild bare or with what it stands for;
    an addition with or without the number of the meld, ``low``, ``high`` and ``wild low|high``. Without a number every
    meld of the side to act in ``position`` is tried. The list is empty where the cards of a meld form none.
    Raises ParseError: ``action_text`` for a text that is no action, ``card_text`` for a word that is no card.
    """
    words = _words(text.lower())
    kind = _SHORT.get(words[0], words[0]) if words else ""
    rest = words[1:]
    if kind not in _KINDS:
        raise ParseError("action_text", message("typed.action", text=text[:40], kinds=", ".join(_KINDS)))
    if kind in _PLAIN_NAMES:
        if rest:
            raise ParseError("action_text", message("typed.nothing_follows", kind=kind))
        return [_PLAIN_NAMES.index(kind)]
    if kind == "discard":
        if len(rest) != 1:
            raise ParseError("action_text", message("typed.discard"))
        return [numbers.ACTION_DISCARD + parse_card(rest[0])]
    if kind == "meld":
        if not rest:
            raise ParseError("action_text", message("typed.meld"))
        return [meld_action(meld) for meld in meld_readings([parse_word(word) for word in rest])]
    melds = range(len(position.melds[position.side])) if position else range(numbers.MELD_SLOTS)
    return _add_readings(rest, melds)


def _add_readings(rest: Sequence[str], melds: Iterable[int], exact: bool = False) -> list[int]:
    """Return the additions that the words after ``add`` mean; ``exact`` takes what is not said as said to be absent."""
    words = list(rest)
    if words and words[0].isascii() and words[0].isdigit():
        melds = (_meld_slot(words.pop(0)),)
    elif exact:
        raise ParseError("action_text", message("typed.add_number"))
    if not words:
        raise ParseError("action_text", message("typed.add"))
    card = parse_card(words.pop(0))
    wild = None
    if len(words) >= 2 and words[-2] == "wild" and words[-1] in _WILD:
        wild = words[-1]
        words = words[:-2]
    end = words.pop(0) if words and words[0] in ("low", "high") else None
    ace = card < CARD_COUNT - 1 and card % 13 == _ACE
    if words or (end and not ace):
        raise ParseError("action_text", message("typed.after_card"))
    hows = range(3) if wild is None and not exact else (_WILD.index(wild or ""),)
    ends = (0, 1) if ace and end is None and not exact else (int(end == "high"),)
    return [add_action(slot, card, how, high) for slot in melds for high in ends for how in hows]


def _meld_slot(word: str) -> int:
    number = int(word) if len(word) <= 4 else 0
    if not 1 <= number <= numbers.MELD_SLOTS:
        raise ParseError("action_text", message("typed.meld_number", most=numbers.MELD_SLOTS, word=word[:10]))
    return number - 1


def candidates(text: str, legal: Iterable[int], position: Position | None = None) -> list[int]:
    """Return the legal actions that a person may mean by a text (see ``readings``), the likeliest first.

    One candidate needs no question; several are for the person to choose from; none means that what the text says is
    not legal. Raises ParseError (codes ``action_text``, ``card_text``).
    """
    allowed = frozenset(legal)
    return [action for action in readings(text, position) if action in allowed]


def action_json(action: int) -> dict[str, object]:
    """Return the JSON form of an action id (``schema/action.json``).

    Raises ValueError and TypeError as ``decode_action`` does.
    """
    parts = decode_action(action)
    if parts.kind == "discard":
        return {"kind": "discard", "card": card_text(parts.card)}
    if parts.kind == "meld":
        return {"kind": "meld", "cards": list(meld_words(parts.meld))}
    if parts.kind == "add":
        form: dict[str, object] = {"kind": "add", "meld_number": parts.meld_number, "card": card_text(parts.card)}
        if parts.high:
            form["end"] = "high"
        if parts.wild:
            form["wild"] = parts.wild
        return form
    return {"kind": parts.kind}


def action_from_json(form: object) -> int:
    """Return the id of the JSON form of an action; nothing but the form that ``action_json`` gives is taken.

    Raises ParseError (codes ``action_json``, ``action_text``, ``card_text``, ``meld_text``).
    """
    if not isinstance(form, Mapping) or not all(isinstance(key, str) for key in form):
        raise ParseError("action_json", "an action is an object with a kind")
    words: list[object] = [form.get("kind")]
    if words[0] == "meld":
        cards = form.get("cards")
        words += cards if isinstance(cards, list) else [None]
    elif words[0] == "add":
        number = form.get("meld_number")
        words += [str(number) if type(number) is int else None, form.get("card")]
        words += [form["end"]] if "end" in form else []
        words += ["wild", form["wild"]] if "wild" in form else []
    elif "card" in form:
        words.append(form["card"])
    texts = [word for word in words if isinstance(word, str)]
    if len(texts) != len(words):
        raise ParseError("action_json", "the members of an action are strings, meld_number a whole number")
    action = parse_action(" ".join(texts))
    if action_json(action) != dict(form):
        raise ParseError("action_json", f"an action has no other members: {sorted(form)[:10]}"[:200])
    return action
