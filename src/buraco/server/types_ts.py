"""TypeScript types of every message and of the bodies of the HTTP API, from the Python definitions.

``python -m buraco.server.types_ts FILE`` writes them, with ``--check`` it says whether the file is what it would write
(exit code 1 if not).
"""

from __future__ import annotations

import argparse
import inspect
import json
import sys
from pathlib import Path
from typing import Any, Final

import msgspec
from msgspec import inspect as kinds

from buraco.server import messages
from buraco.server.deciding import PHRASES
from buraco.server.http.openapi import all_forms
from buraco.server.options import OPEN_HANDS_DELAY_MS
from buraco.server.ws import CLOSE_CODES, SUBPROTOCOL

__all__ = ["main", "typescript"]

_HEAD: Final = """// Written by `python -m buraco.server.types_ts`; do not change it by hand.
// docs/protocol.md describes the messages.
"""


class _Writer:
    """Collects the declarations of structs and of all structs that they mention."""

    def __init__(self, sent: tuple[type, ...]) -> None:
        self._sent = sent
        self._classes: dict[str, type] = {}
        self._done: dict[str, str] = {}

    def declare(self, kind: Any) -> str:
        """Return the TypeScript type of a Python type, declaring every struct in it."""
        return self._text(kinds.type_info(kind))

    def declarations(self) -> list[str]:
        """Return every declaration, by name."""
        return [self._done[name] for name in sorted(self._done)]

    def _text(self, info: kinds.Type) -> str:
        match info:
            case kinds.StructType():
                return self._struct(info)
            case kinds.UnionType():
                return " | ".join(dict.fromkeys(self._text(one) for one in info.types))
            case kinds.LiteralType():
                return " | ".join(json.dumps(value) for value in info.values)
            case kinds.ListType() | kinds.VarTupleType():
                return f"ReadonlyArray<{self._text(info.item_type)}>"
            case kinds.TupleType():
                return f"readonly [{', '.join(self._text(one) for one in info.item_types)}]"
            case kinds.DictType():
                return f"Readonly<Record<{self._text(info.key_type)}, {self._text(info.value_type)}>>"
            case kinds.IntType() | kinds.FloatType():
                return "number"
            case kinds.StrType():
                return "string"
            case kinds.BoolType():
                return "boolean"
            case kinds.NoneType():
                return "null"
            case kinds.AnyType():
                return "unknown"
            case kinds.Metadata():
                return self._text(info.type)
            case _:
                raise TypeError(f"no TypeScript type is known for {info}")

    def _struct(self, info: kinds.StructType) -> str:
        name = info.cls.__name__
        known = self._classes.setdefault(name, info.cls)
        if known is not info.cls:
            raise TypeError(f"two structs are called {name}")
        if name in self._done:
            return name
        self._done[name] = ""
        lines = [f"export interface {name} {{"]
        if info.tag_field is not None:
            lines.append(f"  readonly {info.tag_field}: {json.dumps(info.tag)};")
        for one in info.fields:
            # Whoever sends may leave out what has a default; whoever gets a message finds every member in it.
            mark = "?" if not one.required and issubclass(info.cls, self._sent) else ""
            lines.append(f"  readonly {one.encode_name}{mark}: {self._text(one.type)};")
        self._done[name] = "\n".join([*_comment(info.cls), *lines, "}"])
        return name


def _comment(kind: type) -> list[str]:
    text = inspect.cleandoc(kind.__doc__ or "").replace("*/", "* /")
    if not text:
        return []
    lines = text.splitlines()
    if len(lines) == 1:
        return [f"/** {text} */"]
    return ["/**", *(f" * {line}".rstrip() for line in lines), " */"]


def _codes(codes: tuple[str, ...]) -> str:
    return "[\n" + "".join(f"  {json.dumps(code)},\n" for code in codes) + "]"


def _sent_structs() -> tuple[type, ...]:
    """Return the structs that clients send."""
    bodies = [kind for name, kind in all_forms().items() if name.endswith("Form")]
    return (
        *messages.CLIENT_MESSAGES,
        *(one for one in bodies if issubclass(one, msgspec.Struct)),
        messages.TableOptions,
        *_mentioned(messages.TableOptions),
    )


def _mentioned(kind: type[msgspec.Struct]) -> tuple[type, ...]:
    info = kinds.type_info(kind)
    assert isinstance(info, kinds.StructType)
    return tuple(one.type.cls for one in info.fields if isinstance(one.type, kinds.StructType))


def typescript() -> str:
    """Return the file."""
    writer = _Writer(_sent_structs())
    unions = [
        f"export type {name} =\n  | " + "\n  | ".join(sorted(writer.declare(one) for one in members)) + ";"
        for name, members in (
            ("ClientMessage", messages.CLIENT_MESSAGES),
            ("ServerMessage", messages.SERVER_MESSAGES),
        )
    ]
    events = writer.declare(messages.Event).split(" | ")
    unions.append("export type Event =\n  | " + "\n  | ".join(sorted(events)) + ";")
    for kind in all_forms().values():
        writer.declare(kind)
    codes = "\n".join(f"  {code}: {json.dumps(text)}," for code, text in sorted(CLOSE_CODES.items()))
    parts = [
        _HEAD.rstrip(),
        f"export const PROTOCOL_VERSION = {messages.PROTOCOL_VERSION};",
        f"export const SUBPROTOCOL = {json.dumps(SUBPROTOCOL)};",
        "/** The longest line of chat, in characters (code points). */\n"
        f"export const CHAT_LENGTH_MAX = {messages.CHAT_LENGTH_MAX};",
        "/** The least delay of spectators who see the hands, in milliseconds. */\n"
        f"export const OPEN_HANDS_DELAY_MS = {OPEN_HANDS_DELAY_MS};",
        f"/** The preset phrases of the chat, by code. */\nexport const PHRASES = {_codes(PHRASES)} as const;",
        "/** Every code with which the server closes a socket, and why. */\n"
        f"export const CLOSE_CODES: Readonly<Record<number, string>> = {{\n{codes}\n}};",
        *unions,
        *writer.declarations(),
    ]
    return "\n\n".join(parts) + "\n"


def main(arguments: list[str]) -> int:
    """Write the file, or check it; return the exit code."""
    parser = argparse.ArgumentParser(prog="python -m buraco.server.types_ts", description=__doc__)
    parser.add_argument("file", type=Path)
    parser.add_argument("--check", action="store_true")
    options = parser.parse_args(arguments)
    text = typescript()
    if options.check:
        same = options.file.is_file() and options.file.read_text(encoding="utf-8") == text
        if not same:
            sys.stderr.write(f"{options.file} is stale; write it with: {parser.prog} {options.file}\n")
        return 0 if same else 1
    options.file.parent.mkdir(parents=True, exist_ok=True)
    options.file.write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
