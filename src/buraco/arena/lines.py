"""The line protocol between an arena and a bot in a process of its own: one JSON object a line (docs/bot-protocol.md).

The view is the JSON form of a position and an action is its text, both as in docs/notation.md. An arena writes `hello`,
`rules`, `choose` and `end`; a bot answers with `hello`, `action` or `error`.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from typing import Final

import buraco
from buraco.bots import ALTERNATIVES_MAX, Alternative, Decision, Limit
from buraco.engine import SeatView
from buraco.errors import BuracoError, ParseError
from buraco.notation import format_action, judge, parse_action, position_from_json, position_json
from buraco.notation.limits import load_json, shown
from buraco.rules import RuleSet
from buraco.rules.loader import to_json

__all__ = [
    "ANSWER_BYTES_MAX",
    "PROTOCOL",
    "REQUEST_CHARACTERS_MAX",
    "SEED_COUNT",
    "LineError",
    "action_line",
    "choose_line",
    "end_line",
    "error_line",
    "hello_answer",
    "hello_line",
    "read_action",
    "read_hello",
    "read_request",
    "rules_line",
    "view_of_request",
]

PROTOCOL: Final = 1
"""The version of the protocol; it changes when an old bot or arena would misread a line."""

ANSWER_BYTES_MAX: Final = 65_536
"""The longest line of a bot, in bytes."""

REQUEST_CHARACTERS_MAX: Final = 4_000_000
"""The longest line of an arena that our own bots take, in characters."""

SEED_COUNT: Final = 2**31
"""Seeds are below this."""

_NAME_MAX: Final = 60
_TEXT_MAX: Final = 300
_ELSEWHERE: Final = "; standard output is for the protocol alone, whatever else it says goes to standard error"
_NUMBER_MAX: Final = 2**53 - 1


class LineError(BuracoError):
    """A line is not what it should be; ``code`` is one of those that docs/bot-protocol.md lists."""


# What an arena writes.


def _line(**members: object) -> bytes:
    return json.dumps(members, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"


def hello_line(seed: int) -> bytes:
    """Return the first line of an arena: its version of the protocol, and the seed of whatever the bot draws.

    A larger seed is cut to 31 bits, which every language can hold.
    """
    return _line(type="hello", protocol=PROTOCOL, software=f"buraco {buraco.__version__}", seed=seed % SEED_COUNT)


def rules_line(rules: RuleSet, players: int, seat: int) -> bytes:
    """Return the line that says what is played from now on: every field of the rules, the players, the bot's seat."""
    return _line(type="rules", rules=to_json(rules), players=players, seat=seat)


def choose_line(number: int, view: SeatView, limit: Limit) -> bytes:
    """Return the line that asks for an action."""
    return _line(
        type="choose",
        id=number,
        limit={"ms": limit.ms, "nodes": limit.nodes},
        legal=[format_action(action) for action in view.legal],
        view=position_json(view.position),
    )


def end_line() -> bytes:
    """Return the line after which nothing more is asked."""
    return _line(type="end")


# What a bot writes.


def hello_answer(name: str) -> bytes:
    """Return a bot's answer to `hello`."""
    return _line(type="hello", protocol=PROTOCOL, name=name)


def action_line(number: int, decision: Decision) -> bytes:
    """Return a bot's answer to `choose`."""
    return _line(
        type="action",
        id=number,
        action=format_action(decision.action),
        evaluation=decision.evaluation,
        alternatives=[
            {"action": format_action(other.action), "evaluation": other.evaluation} for other in decision.alternatives
        ],
        reasons=[
            {"code": reason.code, "values": dict(reason.values), "text": reason.text()} for reason in decision.reasons
        ],
    )


def error_line(code: str, text: str) -> bytes:
    """Return the line by which a bot says that it cannot answer."""
    return _line(type="error", code=code, text=text)


def _answer(line: bytes, *wanted: str) -> dict[str, object]:
    """Return the members of a bot's line. Raises LineError (codes ``protocol``, ``gave_up``)."""
    try:
        found = json.loads(line)
    except (ValueError, RecursionError):
        raise LineError("protocol", f"the line is no JSON: {_beginning(line)}{_ELSEWHERE}") from None
    if not isinstance(found, dict):
        raise LineError("protocol", f"the line is no JSON object: {_beginning(line)}")
    kind = found.get("type")
    if kind == "error":
        raise LineError("gave_up", f"the bot says: {str(found.get('text', ''))[:_TEXT_MAX]!r}")
    if kind not in wanted:
        raise LineError("protocol", f"a line of type {' or '.join(wanted)} is wanted, not {shown(kind)}")
    return found


def _beginning(line: bytes) -> str:
    return repr(line[:60].decode("utf-8", "replace"))


def read_hello(line: bytes) -> str:
    """Return the name that a bot gives itself in its answer to `hello`, perhaps an empty one.

    Raises LineError (codes ``protocol``, ``gave_up``, ``version``).
    """
    found = _answer(line, "hello")
    protocol, name = found.get("protocol"), found.get("name", "")
    if type(protocol) is not int or protocol != PROTOCOL:
        raise LineError("version", f"the bot speaks protocol {shown(protocol)}; this arena speaks {PROTOCOL}")
    if not isinstance(name, str):
        raise LineError("protocol", f"the name of a bot is a text, not {shown(name)}")
    return "".join(letter for letter in name if letter.isprintable())[:_NAME_MAX]


def read_action(line: bytes, number: int, view: SeatView) -> Decision:
    """Return the decision of a bot's answer to the question with a number, which asked about a view.

    Raises LineError (codes ``protocol``, ``gave_up``, ``illegal``).
    """
    found = _answer(line, "action")
    if type(found.get("id")) is not int or found["id"] != number:
        raise LineError("protocol", f"the answer is to id {shown(found.get('id'))}, but {number} was asked")
    action = _action(found.get("action"), view)
    others = found.get("alternatives", [])
    if not isinstance(others, list):
        raise LineError("protocol", "alternatives are a list")
    alternatives = tuple(_alternative(other, view) for other in others[:ALTERNATIVES_MAX])
    return Decision(action, (), _points(found.get("evaluation"), optional=True), alternatives)


def _action(text: object, view: SeatView) -> int:
    if not isinstance(text, str):
        raise LineError("protocol", f"an action is a text, not {shown(text)}")
    try:
        action = parse_action(text)
    except ParseError as error:
        raise LineError("illegal", f"{shown(text)} is no action: {error.message}"[:_TEXT_MAX]) from None
    if action not in view.legal:
        raise LineError("illegal", f"{shown(text)} is not legal here{_why_not(text, view)}"[:_TEXT_MAX])
    return action


def _why_not(text: str, view: SeatView) -> str:
    """Return the reason and the rule, as the referee tells them."""
    try:
        refusal = judge(view.position, text)[0]
    except BuracoError:
        return ""
    return "" if refusal.legal else f" ({refusal.code}): {refusal.text} {refusal.citation}".rstrip()


def _alternative(form: object, view: SeatView) -> Alternative:
    if not isinstance(form, Mapping):
        raise LineError("protocol", "an alternative is an object")
    points = _points(form.get("evaluation"), optional=False)
    return Alternative(_action(form.get("action"), view), 0.0 if points is None else points)


def _points(value: object, *, optional: bool) -> float | None:
    if value is None and optional:
        return None
    if isinstance(value, int | float) and not isinstance(value, bool) and abs(value) <= _NUMBER_MAX:
        return float(value)
    raise LineError("protocol", f"an evaluation is a number of points, not {shown(_finite(value))}")


def _finite(value: object) -> object:
    # Python reads NaN and Infinity, which are no JSON.
    return str(value) if isinstance(value, float) and not math.isfinite(value) else value


# What a bot reads.


def read_request(line: str) -> dict[str, object]:
    """Return the members of an arena's line. Raises ParseError (code ``bot_line``)."""
    found = load_json(line, REQUEST_CHARACTERS_MAX, "bot_line")
    if not isinstance(found, dict):
        raise ParseError("bot_line", "a line is a JSON object")
    return found


def view_of_request(request: Mapping[str, object]) -> tuple[int, SeatView, Limit]:
    """Return the number, the view and the limit of a `choose`; the view is that of the seat to act.

    Raises ParseError (code ``bot_line`` and those of positions and actions), PositionError (code ``position``).
    """
    number = _whole(request.get("id"), "id")
    legal = request.get("legal")
    if not isinstance(legal, list) or not legal or not all(isinstance(action, str) for action in legal):
        raise ParseError("bot_line", "legal is a list of actions, at least one")
    limit = request.get("limit")
    if limit is not None and not isinstance(limit, Mapping):
        raise ParseError("bot_line", "limit is an object of ms and nodes")
    ms, nodes = (
        None if (limit or {}).get(name) is None else _whole((limit or {})[name], name) for name in ("ms", "nodes")
    )
    position = position_from_json(request.get("view"))
    actions = tuple(sorted({parse_action(str(action)) for action in legal}))
    return number, SeatView(position, position.seat, actions), Limit(ms=ms, nodes=nodes)


def _whole(value: object, name: str) -> int:
    if type(value) is not int or value < 0:
        raise ParseError("bot_line", f"{name} is a whole number from 0, not {shown(value)}")
    return value
