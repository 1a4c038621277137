"""How large an input the readers take, and JSON read with care."""

from __future__ import annotations

import json
import re
from collections import Counter
from typing import Final, NoReturn

from buraco.errors import ParseError
from buraco.texts import message

__all__ = ["POSITION_TEXT_MAX", "RECORD_TEXT_MAX", "load_json", "shown"]

POSITION_TEXT_MAX: Final = 50_000
"""The longest text of a position, in characters."""

RECORD_TEXT_MAX: Final = 20_000_000
"""The longest text of a game record, in characters; a match of 20 deals has about 60,000."""

_INT_MAX: Final = 10**15
_SHOWN_MAX: Final = 40
#: Half of a character of UTF-16. JSON can write one, and Python holds it; no output takes it.
_HALF: Final = re.compile(r"[\ud800-\udfff]")
_HALF_WRITTEN: Final = re.compile(r"[\ud800-\udfff]|\\u[dD][89a-fA-F]")


def load_json(text: str, limit: int, code: str) -> object:
    """Return the value of a JSON text of at most ``limit`` characters.

    Raises ParseError with the given code: too long, no JSON, nested too deeply, a member named twice, a number that is
    not whole or has more than 15 digits, half of a character.
    """
    if len(text) > limit:
        raise ParseError(code, message("error.text_too_long", count=len(text), most=limit))
    try:
        found: object = json.loads(
            text,
            object_pairs_hook=lambda pairs: _object(pairs, code),
            parse_constant=lambda word: _refuse(code, message("error.no_json_number", word=word)),
            parse_float=lambda word: _refuse(code, message("record.form.integer", value=word[:20])),
            parse_int=lambda word: _integer(word, code),
        )
        halved = _HALF_WRITTEN.search(text) and _HALF.search(json.dumps(found, ensure_ascii=False))
    except json.JSONDecodeError as error:
        told = message("record.form.not_json", line=error.lineno, column=error.colno)
        raise ParseError(code, told) from None
    except RecursionError:
        raise ParseError(code, message("error.too_nested")) from None
    if halved:
        _refuse(code, message("error.half_character"))
    return found


def shown(value: object) -> str:
    """Return the beginning of a value as the JSON that somebody wrote, not as Python holds it."""
    try:
        text = json.dumps(value, ensure_ascii=False, default=repr)
    except (RecursionError, ValueError):
        return message("record.form.nested_value")
    text = _HALF.sub(lambda half: f"\\u{ord(half[0]):04x}", text)
    return text if len(text) <= _SHOWN_MAX else f"{text[:_SHOWN_MAX]}..."


def _object(pairs: list[tuple[str, object]], code: str) -> dict[str, object]:
    found = dict(pairs)
    if len(found) != len(pairs):
        counts = Counter(name for name, _ in pairs)
        twice = next(name for name, count in counts.items() if count > 1)
        _refuse(code, message("error.member_twice", name=repr(twice[:40])))
    return found


def _integer(word: str, code: str) -> int:
    if len(word) > 16 or abs(int(word)) > _INT_MAX:
        _refuse(code, message("record.form.too_large", value=word[:20]))
    return int(word)


def _refuse(code: str, told: str) -> NoReturn:
    raise ParseError(code, told)
