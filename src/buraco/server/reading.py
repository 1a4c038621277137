"""Reads what a client says: the message, or what is to be answered where it is none.

A text may be JSON and still too much for a decoder: a number without bounds, lists within lists thousands deep. Such a
text has an id to answer to like any other, so the last look at it goes by the grammar alone (RFC 8259) and builds
nothing.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Final

import msgspec

from buraco.server.invalid import told_of_body
from buraco.server.messages import ClientMessage, decode_client
from buraco.texts import message

__all__ = ["NoMessage", "NotJson", "read_client"]

_ID: Final = re.compile(r"[!-~]{1,40}")
_SPACE: Final = " \t\n\r"
_TOKEN: Final = re.compile(
    r"""[ \t\n\r]*(?:([{}\[\],:])"""
    r"""|("(?:[^"\\\x00-\x1f]|\\["\\/bfnrt]|\\u[0-9a-fA-F]{4})*+")"""
    r"""|(-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?|true|false|null))"""
)


class NotJson(Exception):
    """A text that is no JSON, or bytes that are no UTF-8."""


class NoMessage(Exception):
    """JSON that is no client message: ``message_id`` is what a reply could name, or empty; ``reason`` says why."""

    def __init__(self, message_id: str, reason: str) -> None:
        self.message_id = message_id
        self.reason = reason
        super().__init__(reason)


def read_client(content: str | bytes) -> ClientMessage:
    """Return the client message of a text. Raises NotJson, NoMessage."""
    try:
        text = content if isinstance(content, str) else content.decode()
    except UnicodeDecodeError:
        raise NotJson from None
    try:
        return decode_client(text)
    except msgspec.ValidationError as error:
        reason: str = told_of_body(error)
    except (msgspec.DecodeError, RecursionError, UnicodeEncodeError):
        reason = message("error.unreadable")
    raise NoMessage(_id_of(text), message("table.bad_message", reason=reason))


def _id_of(text: str) -> str:
    """Return the usable id of a JSON text, or nothing. Raises NotJson."""
    token = _member(text, "id")
    if token[:1] != '"':
        return ""
    found = json.loads(token)
    return found if isinstance(found, str) and _ID.fullmatch(found) else ""


def _member(text: str, name: str) -> str:
    """Return the last member of that name of a JSON object as it is written, or nothing. Raises NotJson."""
    open_: list[str] = []
    key, value, found = "", False, ""
    want = "value"
    for token in _tokens(text):
        first = token[0]
        value = want == "value" or (want == "first" and first != "]")
        if value and first not in "}],:":
            if len(open_) == 1 and open_[0] == "{" and key == name:
                found = token
            if first in "{[":
                open_.append(first)
                want = "name" if first == "{" else "first"
                continue
        elif want in ("name", "another") and first == '"':
            if len(open_) == 1:
                key = json.loads(token)
            want = "colon"
            continue
        elif want == "colon" and first == ":":
            want = "value"
            continue
        elif want == "next" and first == "," and open_:
            want = "another" if open_[-1] == "{" else "value"
            continue
        elif _closes(open_, first) and want in ("next", "name", "first"):
            open_.pop()
        else:
            raise NotJson
        want = "next"
    if open_ or want != "next":
        raise NotJson
    return found


def _closes(open_: list[str], first: str) -> bool:
    return bool(open_) and {"{": "}", "[": "]"}[open_[-1]] == first


def _tokens(text: str) -> Iterator[str]:
    """Yield the words of a JSON text. Raises NotJson where there is none."""
    position, end = 0, len(text.rstrip(_SPACE))
    while position < end:
        match = _TOKEN.match(text, position)
        if match is None:
            raise NotJson
        position = match.end()
        yield match[match.lastindex or 0]
