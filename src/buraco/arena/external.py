"""Bots in processes of their own: a program that speaks the line protocol plays a seat, and can do no harm by it.

Whatever the program does, a call ends: with a decision, or with a `BotFault`. Of what it writes a bounded part is kept.
Its process group ends with it. It is no sandbox: whoever runs a program lets it do what programs may.
"""

from __future__ import annotations

import contextlib
import os
import selectors
import shlex
import shutil
import signal
import subprocess
import time
import weakref
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import IO, Final

from buraco.arena.lines import (
    ANSWER_BYTES_MAX,
    LineError,
    choose_line,
    end_line,
    hello_line,
    read_action,
    read_hello,
    rules_line,
)
from buraco.arena.tally import printable
from buraco.bots import Decision, Limit
from buraco.engine import SeatView
from buraco.errors import BuracoError
from buraco.rules import RuleSet
from buraco.texts import message

__all__ = ["FAULT_CODES", "SLACK_MS", "STDERR_BYTES_MAX", "BotFault", "ExternalBot", "check_command"]

FAULT_CODES: Final = ("start", "version", "late", "illegal", "crash", "flood", "protocol", "gave_up")
"""What a bot can do wrong, each a code of `BotFault`."""

SLACK_MS: Final = 250
"""How much later than its limit a bot's answer may come, for the pipe and a busy machine."""

STDERR_BYTES_MAX: Final = 4_194_304
"""The most that a bot may write to standard error for one answer, in bytes."""

_PATIENCE_MS: Final = 10_000
_START_MS: Final = 20_000
_GRACE_MS: Final = 500
_CHUNK: Final = 65_536
_TAIL: Final = 400
_STEP_S: Final = 0.02
_LOOK_S: Final = 0.1


class BotFault(BuracoError):
    """A bot did not answer as it has to; ``code`` is one of `FAULT_CODES`. Its process has been ended."""


def check_command(command: str) -> tuple[str, ...]:
    """Return the words of a command, whose program is there to be run. Raises BuracoError (code ``bot_command``)."""
    try:
        words = tuple(shlex.split(command))
    except ValueError as error:
        raise BuracoError("bot_command", message("error.bot_command_text", command=command[:80], why=error)) from None
    if not words or shutil.which(words[0]) is None:
        named = words[0][:80] if words else ""
        code = "error.bot_command_run" if words and Path(words[0]).is_file() else "error.bot_command"
        raise BuracoError("bot_command", message(code, command=named))
    return words


class ExternalBot:
    """A bot that is a program, for one seat: it is never asked for another seat of the same deal.

    ``command`` is split into words as a shell would, without a shell. The program starts with the first choice, and
    again with the next one after a fault or `close`. ``seed`` is told to it. Where a limit has no ``ms`` it has
    ``patience_ms`` for each answer, for its first line ``start_ms``; before it is ended by force it has ``grace_ms`` to
    end by itself. ``clock`` counts seconds.

    Raises BuracoError (code ``bot_command``) if there is no such program.
    """

    def __init__(
        self,
        command: str,
        *,
        seed: int = 0,
        patience_ms: int = _PATIENCE_MS,
        start_ms: int = _START_MS,
        grace_ms: int = _GRACE_MS,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._command = command
        self._words = check_command(command)
        self._seed = seed
        self._patience_ms = patience_ms
        self._start_ms = start_ms
        self._grace_ms = grace_ms
        self._clock = clock
        self._name = ""
        self._asked = 0
        self._told: tuple[RuleSet, int, int | None] | None = None
        self._process: _Process | None = None

    @property
    def level(self) -> str:
        """What stands for a level: ``exec:`` and the command."""
        return f"exec:{self._command}"

    @property
    def name(self) -> str:
        """The name that the program gave itself, empty before it did."""
        return self._name

    def __enter__(self) -> ExternalBot:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def start(self) -> None:
        """Start the program unless it runs, and greet it. Raises BotFault."""
        if self._process is not None:
            return
        try:
            self._process = _Process(self._words, self._clock)
        except OSError as error:
            raise BotFault("start", f"cannot run {self._words[0]!r}: {error.strerror or error}") from None
        self._told = None
        with _Judged(self):
            self._name = read_hello(self._process.ask(hello_line(self._seed), self._start_ms, "no hello"))

    def choose(self, view: SeatView, limit: Limit) -> Decision:
        """Ask the program for an action of the view's seat; the decision's action is legal.

        Raises BotFault, after which the program has ended, and BuracoError (code ``not_your_turn``) if the seat is not
        to act.
        """
        if not view.to_act:
            raise BuracoError("not_your_turn", message("host.not_your_turn"))
        self.start()
        process, position = self._process, view.position
        assert process is not None
        said, told = b"", (position.rules, position.players, view.seat)
        if told != self._told:
            said, self._told = rules_line(position.rules, position.players, position.seat), told
        self._asked += 1
        ms = self._patience_ms if limit.ms is None else limit.ms + SLACK_MS
        with _Judged(self):
            answer = process.ask(said + choose_line(self._asked, view, limit), ms)
            return read_action(answer, self._asked, view)

    def close(self) -> None:
        """End the program: politely at first, then by force, with every process of its group. Never fails."""
        process, self._process = self._process, None
        if process is not None:
            process.end(self._grace_ms)

    def abandon(self) -> None:
        """End the program at once."""
        process, self._process = self._process, None
        if process is not None:
            process.end(0)


class _Judged:
    """Makes a fault of what is wrong with an answer, and ends the program that gave it."""

    def __init__(self, bot: ExternalBot) -> None:
        self._bot = bot

    def __enter__(self) -> None:
        return None

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        if error is None:
            return
        self._bot.abandon()
        if isinstance(error, LineError):
            raise BotFault(error.code, error.message) from None


class _Process:
    """A running program, its pipes, and what it has written but nobody read yet.

    Nothing is read but while an answer is awaited, so what waits is bounded by the pipes; nobody but this thread waits
    for it.
    """

    def __init__(self, words: Sequence[str], clock: Callable[[], float]) -> None:
        self._clock = clock
        # A group of its own, so that what it starts ends with it, and Ctrl-C at the terminal is for the arena alone.
        self._popen = subprocess.Popen(
            words,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            bufsize=0,
            start_new_session=True,
        )
        self._stop = weakref.finalize(self, _kill, self._popen, os.getpid())
        assert self._popen.stdin is not None
        assert self._popen.stdout is not None
        assert self._popen.stderr is not None
        self._input, self._output, self._errors = self._popen.stdin, self._popen.stdout, self._popen.stderr
        for pipe in (self._input, self._output, self._errors):
            os.set_blocking(pipe.fileno(), False)
        self._waiting = bytearray()
        self._complaint = bytearray()

    def ask(self, said: bytes, ms: int, missing: str = "no answer") -> bytes:
        """Write something and return the next line, without its end; ``missing`` is what is said if none comes.

        Raises LineError (codes ``late``, ``crash``, ``flood``).
        """
        deadline = self._clock() + ms / 1000
        rest, complained = memoryview(said), 0
        with selectors.DefaultSelector() as selector:
            selector.register(self._output, selectors.EVENT_READ)
            selector.register(self._errors, selectors.EVENT_READ)
            selector.register(self._input, selectors.EVENT_WRITE)
            while (end := self._waiting.find(b"\n")) < 0 or rest:
                if (left := deadline - self._clock()) <= 0:
                    raise LineError("late", f"{missing} within {ms} ms{self._said()}")
                ready = selector.select(min(left, _LOOK_S))
                if not ready and _status(self._popen.pid) is not None:
                    self._read_last()
                for key, _ in ready:
                    if key.fileobj is self._input:
                        rest = rest[self._write(rest) :]
                        if not rest:
                            selector.unregister(self._input)
                    elif key.fileobj is self._output:
                        self._read_output()
                    elif (count := self._read_errors()) is None:
                        selector.unregister(self._errors)
                    else:
                        complained += count
                if len(self._waiting) > ANSWER_BYTES_MAX and b"\n" not in self._waiting[:ANSWER_BYTES_MAX]:
                    raise LineError("flood", f"a line of more than {ANSWER_BYTES_MAX} bytes")
                if len(self._waiting) > 2 * ANSWER_BYTES_MAX:
                    raise LineError("flood", f"more than {2 * ANSWER_BYTES_MAX} bytes that nobody asked for")
                if complained > STDERR_BYTES_MAX:
                    raise LineError("flood", f"more than {STDERR_BYTES_MAX} bytes on standard error")
        line = bytes(self._waiting[:end])
        del self._waiting[: end + 1]
        return line

    def _write(self, rest: memoryview) -> int:
        try:
            return self._input.write(rest[:_CHUNK]) or 0
        except OSError:
            raise LineError("crash", f"it does not read,{self._ended() or ' but runs'}{self._said()}") from None

    def _read_output(self) -> None:
        found = self._output.read(_CHUNK)
        if found == b"":
            raise LineError("crash", f"it closed its output,{self._ended() or ' but runs'}{self._said()}")
        self._waiting += found or b""

    def _read_last(self) -> None:
        """Read what it wrote before it ended: its output may still be open, since another process holds it."""
        before = len(self._waiting)
        self._read_output()
        if len(self._waiting) == before:
            raise LineError("crash", f"it{self._ended()}{self._said()}")

    def _read_errors(self) -> int | None:
        """Take what it complains of, of which only the end is kept; None once it can complain no more."""
        found = self._errors.read(_CHUNK)
        if found == b"":
            return None
        self._complaint = (self._complaint + (found or b""))[-_TAIL:]
        return len(found or b"")

    def _said(self) -> str:
        """Return the last that it wrote to standard error, for people."""
        with contextlib.suppress(OSError):
            self._read_errors()
        words = self._complaint.decode("utf-8", "replace").split()
        # In one line there is nothing that the marks of a traceback could stand under.
        shown = printable(" ".join(word for word in words if word.strip("^~")))
        return f"; it said: {shown}" if shown else ""

    def _ended(self) -> str:
        """Return how it ended, or nothing if it still runs."""
        for _ in range(10):
            if (status := _status(self._popen.pid)) is not None:
                return f" ended with {status}"
            time.sleep(_STEP_S)
        return ""

    def end(self, grace_ms: int) -> None:
        """End it with its whole group: by the protocol, by TERM, by KILL, with a wait before each of the last two."""
        if grace_ms:
            with contextlib.suppress(OSError):
                self._input.write(end_line())
            with contextlib.suppress(OSError):
                self._input.close()
            if not self._gone_within(grace_ms):
                _signal(self._popen.pid, signal.SIGTERM)
                self._gone_within(grace_ms)
        self._stop()

    def _gone_within(self, ms: int) -> bool:
        """Wait for its end; meanwhile its words are thrown away, so that none of them holds it up."""
        deadline = self._clock() + ms / 1000
        with selectors.DefaultSelector() as selector:
            for pipe in (self._output, self._errors):
                selector.register(pipe, selectors.EVENT_READ)
            while _status(self._popen.pid) is None:
                if self._clock() >= deadline:
                    return False
                if not selector.get_map():
                    time.sleep(_STEP_S)
                for key, _ in selector.select(_STEP_S) if selector.get_map() else ():
                    with contextlib.suppress(BlockingIOError):
                        if os.read(key.fd, _CHUNK) == b"":
                            selector.unregister(key.fileobj)
        return True


def _status(pid: int) -> str | None:
    """Return how a child ended, in words, None while it runs; it stays a child that nobody has waited for.

    As long as it does, its number belongs to its group, and no signal to the group can hit anybody else.
    """
    found = os.waitid(os.P_PID, pid, os.WEXITED | os.WNOHANG | os.WNOWAIT)
    if found is None:
        return None
    return f"exit code {found.si_status}" if found.si_code == os.CLD_EXITED else f"signal {found.si_status}"


def _signal(group: int, number: int) -> None:
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(group, number)


def _kill(popen: subprocess.Popen[bytes], owner: int) -> None:
    """End a process group by force, and wait for its leader. Only the process that started it may."""
    if os.getpid() != owner:
        return
    _signal(popen.pid, signal.SIGKILL)
    popen.wait()
    pipes: tuple[IO[bytes] | None, ...] = (popen.stdin, popen.stdout, popen.stderr)
    for pipe in pipes:
        if pipe is not None:
            with contextlib.suppress(OSError):
                pipe.close()
