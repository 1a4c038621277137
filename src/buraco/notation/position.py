"""Positions as one-line text and as JSON.

The text is statements ``name=value``; one line parts them by ``;``, a file may have one a line and comments after
``#``. It begins ``buraco-position 1``. ``docs/notation.md`` has every name, its default and examples.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Final

from buraco.engine.position import Position, validate
from buraco.errors import ParseError, PositionError
from buraco.notation.house import field_text
from buraco.notation.limits import POSITION_TEXT_MAX, load_json
from buraco.notation.position_form import FLAGS, FORMAT, VERSION, position_form, position_from_form
from buraco.rules import FIELD_NAMES

__all__ = [
    "format_position",
    "parse_position",
    "position_from_json",
    "position_json",
    "position_json_text",
    "read_position",
]

_HEAD: Final = f"{FORMAT} {VERSION}"
_EMPTY: Final = "-"
_HIDDEN: Final = "?"
# How a fault of the JSON form begins: with a member, perhaps an entry of it.
_ENTRY: Final = re.compile(r"([a-z_]+)(?:\[([0-9]+)\])?:")
_PILE_CARD: Final = re.compile(r"(\S+?)(?: ?([0-9])?(?:@([0-9]{1,9}))?)?")


def position_json(position: Position) -> dict[str, object]:
    """Return the JSON form of a position (``schema/position.json``); members at their default are left out."""
    return position_form(position)


def position_from_json(form: object) -> Position:
    """Return the valid position of a JSON form.

    Raises ParseError (code ``position_form``) for a form that is none, PositionError (code ``position``) for a position
    that cannot be; both name every fault in ``reasons``.
    """
    return _valid(position_from_form(form))


def parse_position(text: str) -> Position:
    """Return the valid position of a text, in either form: statements, or JSON if it begins with ``{``.

    Raises ParseError (codes ``position_text``, ``position_form``) for a text that is none, PositionError (code
    ``position``) for a position that cannot be; both name every fault in ``reasons``.
    """
    return _valid(read_position(text))


def read_position(text: str) -> Position:
    """Return the position of a text as ``parse_position`` does, but without asking whether it can be.

    Raises ParseError (codes ``position_text``, ``position_form``).
    """
    if text.lstrip()[:1] == "{":
        return position_from_form(load_json(text, POSITION_TEXT_MAX, "position_text"))
    form, faults, lines = _form(text)
    try:
        position = position_from_form(form)
    except ParseError as error:
        faults += [_of_statement(reason, lines) for reason in error.reasons]
    if faults:
        raise ParseError("position_text", "; ".join(faults[:3])[:500], faults)
    return position


def _valid(position: Position) -> Position:
    faults = validate(position)
    if faults:
        raise PositionError("position", "; ".join(faults)[:500], faults)
    return position


@dataclass(frozen=True, slots=True)
class _Codec:
    """How a member's JSON value is written in a statement and read back."""

    write: Callable[[Any], str]
    read: Callable[[str], object]


def format_position(position: Position) -> str:
    """Return the one-line text of a position; statements at their default are left out."""
    form = position_form(position)
    statements = [_HEAD, *_rules_statements(form["rules"])]
    for name, (member, index) in _STATEMENTS.items():
        if member not in form:
            continue
        value: Any = form[member]
        if index is not None:
            if index >= len(value):
                continue
            value = value[index]
        # An empty pile, no melds, no known cards and a hidden morto are what goes without saying.
        if member in ("pile", "melds", "known", "mortos") and value in ([], "hidden"):
            continue
        statements.append(f"{name}={_CODECS[member].write(value)}")
    return "; ".join(statements)


def _rules_statements(rules: object) -> list[str]:
    if not isinstance(rules, Mapping):
        return [f"rules={rules}"]
    base = rules.get("base", _EMPTY)
    return [f"rules={base}", *(f"rule.{name}={field_text(rules[name])}" for name in FIELD_NAMES if name in rules)]


def _form(text: str) -> tuple[dict[str, object], list[str], Mapping[str, int]]:
    """Return the JSON form of statements, the faults of those that were left out of it, and the line of each by name.

    A line is 0 where all statements stand on one: then nobody needs its number.
    Raises ParseError (code ``position_text``) for a text that is no statements at all.
    """
    if len(text) > POSITION_TEXT_MAX:
        raise _fault(f"a position has at most {POSITION_TEXT_MAX} characters, not {len(text)}")
    lines = enumerate((line.split("#", 1)[0] for line in text.splitlines()), 1)
    statements = [(number, part.strip()) for number, line in lines for part in line.split(";") if part.strip()]
    if not statements or statements[0][1].split() != _HEAD.split():
        raise _fault(f"a position begins with {_HEAD!r}")
    several = statements[0][0] != statements[-1][0]
    faults: list[str] = []
    values: dict[str, str] = {}
    places: dict[str, int] = {}
    for number, statement in statements[1:]:
        name, equals, value = (part.strip() for part in statement.partition("="))
        place = number if several else 0
        if not equals:
            faults.append(_at(place, f"{statement[:40]!r} is no statement: name=value"))
        elif name in values:
            faults.append(_at(place, f"{name} is there twice"))
        elif name not in _STATEMENTS and name != "rules" and not name.startswith("rule."):
            faults.append(_at(place, f"there is no statement {name[:40]!r}"))
        else:
            values[name], places[name] = value, place
    return _members(values, places, faults), faults, places


def _at(line: int, fault: str) -> str:
    return f"line {line}: {fault}" if line else fault


def _of_statement(reason: str, lines: Mapping[str, int]) -> str:
    """Return a fault of the JSON form as one of the statement that gave the member, with its line."""
    place = _ENTRY.match(reason)
    if place is None:
        return reason
    member, index = place[1], place[2]
    if index is not None:
        name = next((n for n, where in _STATEMENTS.items() if where == (member, int(index))), None)
        if name is not None:
            return _at(lines.get(name, 0), f"{name}:{reason[place.end() :]}")
    found = {line for name, line in lines.items() if _member_of(name) == member}
    return _at(found.pop() if len(found) == 1 else 0, reason)


def _member_of(name: str) -> str:
    return _STATEMENTS[name][0] if name in _STATEMENTS else "rules"


def _members(values: Mapping[str, str], lines: Mapping[str, int], faults: list[str]) -> dict[str, object]:
    form: dict[str, object] = {"format": FORMAT, "version": VERSION}
    for name, text in values.items():
        try:
            if name == "rules" or name.startswith("rule."):
                continue
            member, index = _STATEMENTS[name]
            value = _CODECS[member].read(text)
            if index is None:
                form[member] = value
            else:
                _listed(form, member, values)[index] = value
        except ParseError as error:
            faults += [_at(lines[name], f"{name}: {reason}") for reason in error.reasons]
    fields = {name: text for name, text in values.items() if name.startswith("rule.")}
    if "rules" in values:
        form["rules"] = _read_rules(values["rules"], fields, lines, faults)
    elif fields:
        faults.append(f"{', '.join(fields)[:80]}: the statement rules=NAME is missing")
    return form


def _listed(form: dict[str, object], member: str, values: Mapping[str, str]) -> list[object]:
    """Return the list of a member that several statements fill, made with its defaults when the first of them comes."""
    empty: dict[str, object] = {"hands": None, "known": [], "melds": [], "mortos": "hidden"}
    named = [index for name in values if name in _STATEMENTS for m, index in [_STATEMENTS[name]] if m == member]
    length = 2
    if member in ("hands", "known"):
        players = values.get("players", "")
        length = int(players) if players in ("2", "3", "4") else max(4, *(index or 0 for index in named))
    found = form.setdefault(member, [empty[member]] * length)
    if not isinstance(found, list) or any(index is not None and index >= len(found) for index in named):
        raise _fault(f"there are {length} of {member}")
    return found


def _read_rules(base: str, fields: Mapping[str, str], lines: Mapping[str, int], faults: list[str]) -> object:
    found: dict[str, object] = {}
    for name, text in fields.items():
        try:
            found[name.removeprefix("rule.")] = load_json(text, POSITION_TEXT_MAX, "position_text")
        except ParseError as error:
            faults.append(_at(lines[name], f"{name}: {error.message}"))
    if base != _EMPTY:
        return {"base": base} | found if found else base
    return found


def _fault(message: str) -> ParseError:
    return ParseError("position_text", message)


def _read_integer(text: str) -> object:
    if not re.fullmatch(r"-?[0-9]{1,13}", text):
        raise _fault(f"{text[:40]!r} is no whole number")
    return int(text)


def _read_integers(text: str) -> object:
    return [_read_integer(word) for word in text.split()]


def _write_flag(flag: bool) -> str:
    return "yes" if flag else "no"


def _read_flag(text: str) -> object:
    if text not in ("yes", "no"):
        raise _fault(f"{text[:40]!r} is neither yes nor no")
    return text == "yes"


def _write_cards(cards: list[str]) -> str:
    return " ".join(cards) or _EMPTY


def _read_cards(text: str) -> object:
    return [] if text == _EMPTY else text.split()


def _write_hand(hand: list[str] | int) -> str:
    return str(hand) if isinstance(hand, int) else _write_cards(hand)


def _read_hand(text: str) -> object:
    return _read_integer(text) if text.lstrip("-").isdigit() else _read_cards(text)


def _write_morto(morto: list[str] | str) -> str:
    return morto if isinstance(morto, str) else _write_cards(morto)


def _read_morto(text: str) -> object:
    return text if text in ("hidden", "side 0", "side 1", "stock") else _read_cards(text)


def _write_melds(melds: list[dict[str, Any]]) -> str:
    return ", ".join(" ".join(m["cards"]) + (f" @{m['turn']}" if "turn" in m else "") for m in melds)


def _read_melds(text: str) -> object:
    melds = []
    for part in text.split(","):
        words = part.split()
        form: dict[str, object] = {}
        if words and words[-1].startswith("@"):
            form["turn"] = _read_integer(words.pop()[1:])
        melds.append({"cards": words} | form)
    return melds


def _write_pile(pile: list[dict[str, Any]]) -> str:
    entries = []
    for entry in pile:
        seat, turn = entry.get("seat", ""), f"@{entry['turn']}" if "turn" in entry else ""
        entries.append(f"{entry['card'] or _HIDDEN} {seat}{turn}".rstrip())
    return ", ".join(entries)


def _read_pile(text: str) -> object:
    entries = []
    for part in text.split(","):
        match = _PILE_CARD.fullmatch(" ".join(part.split()))
        if not match:
            raise _fault(f"{part.strip()[:40]!r} is no card of the pile, such as 7c 2@5")
        card, seat, turn = match.groups()
        entry: dict[str, object] = {"card": None if card == _HIDDEN else card}
        entry |= {"seat": int(seat)} if seat else {}
        entries.append(entry | ({"turn": int(turn)} if turn else {}))
    return entries


_INTEGER: Final = _Codec(str, _read_integer)
_INTEGERS: Final = _Codec(lambda numbers: " ".join(str(number) for number in numbers), _read_integers)
_FLAG: Final = _Codec(_write_flag, _read_flag)
_WORD: Final = _Codec(str, str)
_CODECS: Final[Mapping[str, _Codec]] = MappingProxyType(
    {
        **dict.fromkeys(("players", "dealer", "turn_count", "seat", "top_meld", "laid_points"), _INTEGER),
        **dict.fromkeys(("quiet_turns", "out_seat"), _INTEGER),
        **dict.fromkeys(("totals", "unplayed", "opening_need"), _INTEGERS),
        **dict.fromkeys(("phase", "end_kind", "barred_card", "top_card", "drawn_card"), _WORD),
        **dict.fromkeys(FLAGS, _FLAG),
        "opened": _Codec(
            lambda flags: " ".join(map(_write_flag, flags)), lambda text: [_read_flag(word) for word in text.split()]
        ),
        "hands": _Codec(_write_hand, _read_hand),
        "stock": _Codec(_write_hand, _read_hand),
        "known": _Codec(_write_cards, _read_cards),
        "mortos": _Codec(_write_morto, _read_morto),
        "melds": _Codec(_write_melds, _read_melds),
        "pile": _Codec(_write_pile, _read_pile),
    }
)
# The statements in the order in which they are written, each with its member and its place in it.
_STATEMENTS: Final[Mapping[str, tuple[str, int | None]]] = MappingProxyType(
    {
        **{name: (name, None) for name in ("players", "dealer", "totals", "turn_count", "seat", "phase")},
        **{f"hand{seat}": ("hands", seat) for seat in range(4)},
        **{f"known{seat}": ("known", seat) for seat in range(4)},
        **{f"melds{side}": ("melds", side) for side in range(2)},
        "pile": ("pile", None),
        "stock": ("stock", None),
        **{f"morto{index + 1}": ("mortos", index) for index in range(2)},
        **{name: (name, None) for name in ("unplayed", "barred_card", "top_card", "top_meld", "drawn_card")},
        **{name: (name, None) for name in ("opening_need", "opened", "laid_points", "quiet_turns")},
        **{name: (name, None) for name in (*FLAGS, "end_kind", "out_seat")},
    }
)


def position_json_text(position: Position) -> str:
    """Return the JSON form as text, with one line for each member."""
    members = (f"  {json.dumps(name)}: {json.dumps(value)}" for name, value in position_form(position).items())
    return "{\n" + ",\n".join(members) + "\n}\n"


STATEMENT_NAMES: Final = ("rules", *_STATEMENTS)
"""The names of the statements of a position, in the order in which they are written."""
