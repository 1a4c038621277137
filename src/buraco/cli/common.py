"""What all commands share: exit codes, output for people and for programs, errors, and the reading of arguments.

Exit codes (``docs/cli.md``): 0 done; 1 the answer is no; 2 wrong usage; 3 a file cannot be read, written or understood;
128 + the signal's number after a signal (130: interrupted).
"""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import stat
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Annotated, Final, NoReturn

import typer
from rich.console import Console
from rich.text import Text

from buraco.errors import BuracoError, IllegalAction, ParseError, PositionError, RecordError, RulesError
from buraco.rules import DEFAULT_RULES, RULE_SETS, RuleSet, from_json, get_rules, load_toml
from buraco.texts import in_language, joined, languages, match_language, message, text
from buraco.texts.matching import nearest_language

__all__ = [
    "DEFAULT_RULES",
    "EXIT_INPUT",
    "EXIT_INTERRUPTED",
    "EXIT_NO",
    "EXIT_OK",
    "EXIT_USAGE",
    "STDIN",
    "CommandError",
    "JsonFlag",
    "LanguageOption",
    "RulesOption",
    "console",
    "exit_code_of",
    "fail",
    "language_of",
    "leave",
    "load_rules",
    "naming",
    "no_record",
    "os_reason",
    "print_json",
    "program",
    "read_input",
    "refuse_special",
    "show_error",
    "write_file",
]

EXIT_OK: Final = 0
EXIT_NO: Final = 1
"""The answer is no: an action is refused, a record does not hold, house rules have faults."""
EXIT_USAGE: Final = 2
EXIT_INPUT: Final = 3
EXIT_INTERRUPTED: Final = 130

STDIN: Final = "-"

_LOCALE: Final = ("LC_ALL", "LC_MESSAGES", "LANG")

# Errors of the package that mean that a command was asked for something that does not exist.
_USAGE_CODES: Final = frozenset(
    {"unknown_language", "unknown_rules", "unknown_bot", "bot_command", "players", "no_seat", "seed_length"}
    | {"arena_player", "arena_number", "arena_stop", "arena_engine", "ray_missing", "dataset_missing"}
)

# What to do about an error whose own message does not say it.
_WAYS_OUT: Final[Mapping[str, str]] = MappingProxyType(
    {
        "unknown_rules": "cli.way_out.unknown_rules",
        "players": "cli.way_out.players",
    }
)

JsonFlag = Annotated[bool, typer.Option("--json", help="Write JSON for programs, errors too.")]
LanguageOption = Annotated[
    str,
    typer.Option(
        "--language",
        metavar="TAG",
        show_default=False,
        help="The language of what is told, such as it or pt-BR; else BURACO_LANGUAGE, else that of the locale.",
    ),
]
RulesOption = Annotated[
    str, typer.Option("--rules", metavar="NAME|FILE", help="A rule set (buraco rules), or house rules in a TOML file.")
]


class CommandError(BuracoError):
    """A command cannot do what it is asked: ``message`` names the cause and the way out, ``exit_code`` is its code."""

    def __init__(self, code: str, message: str, exit_code: int, reasons: tuple[str, ...] = ()) -> None:
        super().__init__(code, message, reasons)
        self.exit_code = exit_code


def fail(code: str, told: str, exit_code: int = EXIT_USAGE) -> NoReturn:
    """End the command with an error: raises CommandError."""
    raise CommandError(code, told, exit_code)


def language_of(option: str = "", environment: Mapping[str, str] = os.environ) -> str:
    """Return the language of what is told: of the option, else of BURACO_LANGUAGE, else of the locale, else ``en``.

    Raises CommandError (code ``unknown_language``) for an option that no language of ours is near to.
    """
    if option:
        found = nearest_language(option, languages())
        if found is None:
            names = ", ".join(languages())
            fail("unknown_language", message("error.unknown_language", name=option[:40], names=names))
        return found
    # As the C library reads them: the first that is set says it, whether anybody knows it or not.
    locale = next((value for name in _LOCALE if (value := environment.get(name))), None)
    return match_language(environment.get("BURACO_LANGUAGE"), locale)


def leave(exit_code: int) -> NoReturn:
    """End the command without an error message: raises typer.Exit."""
    raise typer.Exit(exit_code)


def no_record(name: str, error: BuracoError) -> str:
    """Return the sentence about a text of this name that cannot be read as the record of a match."""
    return f"{name} is no record of a match: {error.message}"


def exit_code_of(error: BuracoError) -> int:
    """Return the exit code with which an error ends a command."""
    if isinstance(error, CommandError):
        return error.exit_code
    if error.code in _USAGE_CODES:
        return EXIT_USAGE
    return EXIT_NO if isinstance(error, (IllegalAction, RecordError)) else EXIT_INPUT


class _Console(Console):
    def on_broken_pipe(self) -> None:
        """Leave it to the caller, who has more to do than to end the program as Rich would."""
        raise BrokenPipeError


def console(*, stderr: bool = False, width: int | None = None) -> Console:
    """Return a console for people. It obeys ``NO_COLOR`` and writes no colours into a pipe or file."""
    return _Console(stderr=stderr, width=width, highlight=False, markup=False, emoji=False, soft_wrap=False)


def program() -> str:
    """Return how this program is started again: ``buraco`` where the shell finds it, else the path it was started by.

    `make play` starts the one in ``.venv``, which no shell knows by its name.
    """
    started = Path(sys.argv[0])
    return str(started) if started.name == "buraco" and shutil.which("buraco") is None else "buraco"


def print_json(value: object) -> None:
    """Write a value as one JSON document on a line of its own."""
    sys.stdout.write(json.dumps(value, ensure_ascii=False) + "\n")
    sys.stdout.flush()


def show_error(error: BuracoError, exit_code: int, *, as_json: bool, language: str) -> None:
    """Write an error in a language.

    For people it is one line on standard error, and one for each reason if there are several; as JSON an object
    ``error`` with ``code``, ``message``, ``reasons`` and ``exit_code`` on standard output.
    """
    line = in_language(error.message, language)
    reasons = [in_language(reason, language) for reason in error.reasons]
    if as_json:
        print_json({"error": {"code": error.code, "message": line, "reasons": reasons, "exit_code": exit_code}})
        return
    err = console(stderr=True)
    told, way_out = " ".join(reasons), _WAYS_OUT.get(error.code, "")
    if len(reasons) > 1 and line.endswith(told):
        # A message that ends with all its reasons would be one long line: they follow on lines of their own.
        line = line.removesuffix(told).rstrip()
    if way_out:
        line = f"{line}{'' if line.endswith(('.', '?')) else '.'} {text(way_out, language)}"
    err.print(Text.assemble(("buraco: ", "bold red"), line), soft_wrap=True)
    if len(reasons) > 1 and not all(reason in line for reason in reasons):
        for reason in reasons:
            err.print(Text(f"  - {reason}"), soft_wrap=True)


def load_rules(name: str) -> RuleSet:
    """Return the rule set of a name, or the house rules of a file (``.toml`` or ``.json``).

    Raises RulesError and ParseError as `get_rules`, `load_toml` and `from_json` do, with the name of the file,
    CommandError (code ``file``).
    """
    path = Path(name)
    if name in RULE_SETS or path.suffix.lower() not in (".toml", ".json"):
        return get_rules(name)
    content = read_input(name)
    with naming(name):
        return load_toml(content) if path.suffix.lower() == ".toml" else from_json(content)


@contextlib.contextmanager
def naming(name: str) -> Iterator[None]:
    """Let errors about the content of a file say which file it is: its name (``-``: standard input), then the message.

    An empty name stands for a text that is on the command line itself; nothing is added to what is said of that.
    """
    try:
        yield
    except (ParseError, PositionError, RecordError, RulesError) as error:
        if not name:
            raise
        told = joined(": ", ("standard input" if name == STDIN else name, error.message))
        reasons = () if error.reasons == (error.message,) else error.reasons
        raise type(error)(error.code, told, reasons) from None


def read_input(name: str) -> str:
    """Return the text of a file, or of standard input for ``-``. Raises CommandError (code ``file``)."""
    # Here and not above: it comes with the engine, and this module also tells that the engine is missing.
    from buraco.notation.limits import RECORD_TEXT_MAX

    if name == STDIN and sys.stdin.isatty():
        fail("file", "- reads standard input, which is a terminal; pipe a text in or name a file", EXIT_USAGE)
    try:
        with contextlib.nullcontext(sys.stdin.buffer) if name == STDIN else Path(name).open("rb") as source:
            content = source.read(RECORD_TEXT_MAX + 1)
    except (OSError, ValueError) as error:
        fail("file", f"cannot read {name}: {os_reason(error)}; give the path of a text file", EXIT_INPUT)
    if len(content) > RECORD_TEXT_MAX:
        fail("file", f"{name} is too long: at most {RECORD_TEXT_MAX} bytes are read", EXIT_INPUT)
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError:
        fail("file", f"{name} is no text in UTF-8; give a file that this program or an editor wrote", EXIT_INPUT)


def write_file(path: Path, content: str) -> None:
    """Write a text to a file in one piece: an interruption leaves the old file or the new one, never half of it.

    Missing folders are made. Raises CommandError (code ``file``), also for a pipe or a device.
    """
    refuse_special(path)
    # A short name, since the file's own may be as long as names can be.
    part = path.with_name(f".{os.getpid()}.part")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        part.write_text(content, encoding="utf-8")
        part.replace(path)
    except (OSError, ValueError) as error:
        with contextlib.suppress(OSError, ValueError):
            part.unlink()
        fail("file", f"cannot write {path}: {os_reason(error)}; name another file or folder", EXIT_INPUT)


def refuse_special(path: Path) -> None:
    """Raise CommandError (code ``file``) if a pipe, a device or a socket has this name.

    Whoever opens it to look into it might wait for ever, and a file that takes its name puts it away.
    """
    try:
        mode = path.stat().st_mode
    except (OSError, ValueError):
        # Whoever uses the path finds out what is wrong with it.
        return
    if not (stat.S_ISREG(mode) or stat.S_ISDIR(mode)):
        fail("file", f"{path} is no plain file; name another file", EXIT_INPUT)


def os_reason(error: OSError | ValueError) -> str:
    """Return the reason of an error of the operating system, or of a path that is none (a ValueError), in words."""
    if isinstance(error, OSError):
        return error.strerror or type(error).__name__
    return "such a name is not possible"
