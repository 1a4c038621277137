"""A program that begins like a bot of the line protocol and then misbehaves in the way that its first argument names.

Run by test_external.py; standard library only. Where a file is named too, it writes the numbers of its processes there.
"""

from __future__ import annotations

import json
import os
import signal
import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path


def say(**members: object) -> None:
    print(json.dumps(members), flush=True)


def read() -> dict[str, object]:
    found: dict[str, object] = json.loads(sys.stdin.readline() or '{"type": "end"}')
    return found


def asked() -> dict[str, object]:
    """Return the next question."""
    while (found := read())["type"] not in ("choose", "end"):
        pass
    return found


def forever() -> None:
    while True:
        time.sleep(3600)


def answer(question: dict[str, object], **changes: object) -> None:
    legal = question["legal"]
    assert isinstance(legal, list)
    say(**({"type": "action", "id": question["id"], "action": legal[0]} | changes))


def wrong(**changes: object) -> None:
    answer(asked(), **changes)


def play() -> None:
    while (question := asked())["type"] == "choose":
        answer(question)


def write_on(descriptor: int, chunk: bytes) -> None:
    while True:
        os.write(descriptor, chunk)


def raw(text: bytes) -> None:
    asked()
    os.write(1, text)
    forever()


def fall() -> None:
    asked()
    raise ValueError("no idea")


def close_output() -> None:
    asked()
    os.close(1)
    forever()


def stubborn() -> None:
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    play()
    forever()


def fork_and(then: Callable[[], None]) -> None:
    if os.fork() == 0:
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        note()
        forever()
    then()


def then(*acts: Callable[[], object]) -> Callable[[], None]:
    def do() -> None:
        for act in acts:
            act()

    return do


def note() -> None:
    if len(sys.argv) > 2:
        with Path(sys.argv[2]).open("a", encoding="ascii") as file:
            file.write(f"{os.getpid()}\n")


def asked_twice() -> None:
    question = asked()
    answer(question)
    answer(question)


WAYS: dict[str, Callable[[], object]] = {
    "plays": play,
    "late": then(asked, forever),
    "half": partial(raw, b'{"type": "action", "id": 1, "act'),
    "half_and_end": then(asked, partial(os.write, 1, b'{"type": "acti')),
    "no_json": partial(raw, b"draw\n"),
    "no_object": partial(raw, b"[1]\n"),
    "no_utf8": partial(raw, b"\xff\xfe\n"),
    "deep": partial(raw, b"[" * 60_000 + b"\n"),
    "huge_number": partial(raw, b'{"type":"action","id":' + b"9" * 60_000 + b"}\n"),
    "nan": then(partial(wrong, evaluation=float("nan")), forever),
    "no_type": partial(raw, b"{}\n"),
    "other_id": then(partial(wrong, id=77), forever),
    "twice": then(asked_twice, forever),
    "not_held": then(partial(wrong, action="discard Ks"), forever),
    "no_action": then(partial(wrong, action="win"), forever),
    "gives_up": then(asked, partial(say, type="error", text="I cannot"), forever),
    "crash": fall,
    "exits": then(asked, partial(sys.exit, 3)),
    "flood": then(asked, partial(write_on, 1, b"x" * 65_536)),
    "flood_lines": then(asked, partial(write_on, 1, b"{}\n" * 20_000)),
    "flood_errors": then(asked, partial(write_on, 2, b"x" * 65_536)),
    "closes_output": close_output,
    "closes_input": forever,
    "ignores_input": forever,
    "stubborn": stubborn,
    "forks": partial(fork_and, play),
    "forks_and_falls": partial(fork_and, fall),
    "forks_and_is_late": partial(fork_and, partial(raw, b"")),
}


def main() -> None:
    note()
    way = sys.argv[1]
    if way == "silent":
        forever()
    greeting = read()
    assert greeting["type"] == "hello"
    if way == "version":
        say(type="hello", protocol=2)
        forever()
    if way == "closes_input":
        os.close(0)
    say(type="hello", protocol=1, name=f"rogue\x07 {way}")
    WAYS[way]()


if __name__ == "__main__":
    main()
