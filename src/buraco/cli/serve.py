"""``buraco serve``: the table server."""

from __future__ import annotations

import asyncio
import os
import sys
import webbrowser
from collections.abc import Callable, Mapping
from importlib.util import find_spec
from inspect import Parameter, Signature
from pathlib import Path
from typing import Annotated, Any, Final

import typer
from rich.markup import escape

from buraco.cli.common import EXIT_INPUT, EXIT_OK, EXIT_USAGE, CommandError, console, fail, language_of, leave
from buraco.texts import in_language, message, text

__all__ = ["has_display", "register", "require_server", "settings_from"]

_HELP: Final = """Run the table server: matches for people and bots in the browser.

It needs no other service; its data lies in one folder. Ctrl-C stops it: clients are told, and every table goes on
at the next start.

Each setting is a flag here, or a variable of the environment: BURACO_BOT_MS is that of --bot-ms. A flag wins. The
addresses that may hold a password may also lie in files, which BURACO_DATABASE_URL_FILE and BURACO_REDIS_FILE name.
BURACO_TOKEN_KEY is the key that signs tokens, instead of the file token.key in the data folder.

With --host 0.0.0.0 the local network can come in; behind a proxy give the address that others open as --public-url."""


FLAG: Final = "flag"
"""What the help says of an option without a value, in few letters: the names beside it are long."""


def register(app: typer.Typer) -> None:
    """Add the command to the application. Without the extra ``server`` it says how to get it."""
    if find_spec("uvicorn"):
        # With an option for the help of its own, whose row is as narrow as the others.
        app.command("serve", help=_HELP, epilog=_variables(), add_help_option=False)(_command())
    else:
        app.command("serve", help=_HELP)(_missing)


def require_server() -> None:
    """Raise CommandError (code ``no_server``) unless what the server needs is installed, on a system that it knows."""
    if sys.platform == "win32":
        # Its locks and signals are those of POSIX.
        fail("no_server", message("server.no_windows"), EXIT_USAGE)
    if find_spec("uvicorn") is None:
        fail("no_server", message("server.not_installed"), EXIT_USAGE)


def _missing() -> None:
    require_server()


def has_display() -> bool:
    """Say whether a browser could show itself here."""
    if sys.platform in ("darwin", "win32"):
        return True
    return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))


def settings_from(flags: dict[str, object], environment: Mapping[str, str] = os.environ) -> Any:
    """Return the settings of an environment and of flags. Raises CommandError (code ``setting``) with every fault."""
    require_server()
    from buraco.errors import BuracoError
    from buraco.server.settings import load_settings

    try:
        return load_settings(environment, flags)
    except BuracoError as error:
        raise CommandError(error.code, error.message, EXIT_USAGE, error.reasons) from None


def _variables() -> str:
    """Name every variable of the environment: beside its option the longest would be cut at 80 columns."""
    from buraco.server.settings import SECRETS, setting_fields, variable_of

    names = [variable_of(one.name) for one in setting_fields()]
    files = [f"{variable_of(name)}_FILE" for name in SECRETS]
    return f"Variables: {', '.join([*names, *files])}, BURACO_TOKEN_KEY."


def _command() -> Callable[..., None]:
    """Return the command with one option for each setting."""
    from buraco.server.settings import flag_of, setting_fields

    def command(**flags: Any) -> None:
        opens = bool(flags.pop("open"))
        flags.pop("help")
        for one in setting_fields():
            if one.type == "bool" and flags.pop(f"no_{one.name}"):
                flags[one.name] = False
        _serve(flags, opens)

    # Numbers are read with the other settings, so that all that is wrong is told at once, and in the same words.
    kinds: dict[str, Any] = {"bool": bool | None, "Path": Path | None}
    parameters = [
        Parameter(
            "open",
            Parameter.KEYWORD_ONLY,
            default=False,
            annotation=Annotated[
                bool, typer.Option("--open", metavar=FLAG, help="Open the page in a browser, where one can show.")
            ],
        )
    ]
    for one in setting_fields():
        flag, usual = flag_of(one.name), "the user's data folder" if one.name == "data" else _shown(one.default)
        about = escape(f"{one.metadata['help']} [{usual}]")
        metavar = {"int": "N", "Path": "DIR", "bool": FLAG}.get(str(one.type), "TEXT")
        option = typer.Option(flag, metavar=metavar, help=about, show_default=False)
        kind = kinds.get(str(one.type), str | None)
        parameters.append(Parameter(one.name, Parameter.KEYWORD_ONLY, default=None, annotation=Annotated[kind, option]))
        if one.type == "bool":
            # An option of its own: as the other side of the same one it would take a column of the help from all.
            off = typer.Option(f"--no-{flag[2:]}", metavar=FLAG, help=f"Without {flag}.")
            name = f"no_{one.name}"
            parameters.append(Parameter(name, Parameter.KEYWORD_ONLY, default=False, annotation=Annotated[bool, off]))
    about_help = typer.Option(
        "--help", "-h", metavar=FLAG, is_eager=True, callback=_show_help, help="Show this message and exit."
    )
    annotation = Annotated[bool, about_help]
    parameters.append(Parameter("help", Parameter.KEYWORD_ONLY, default=False, annotation=annotation))
    command.__signature__ = Signature(parameters)  # type: ignore[attr-defined]
    command.__annotations__ = {one.name: one.annotation for one in parameters}
    return command


def _show_help(context: typer.Context, wanted: bool) -> None:
    if wanted:
        typer.echo(context.get_help())
        leave(EXIT_OK)


def _shown(value: object) -> str:
    if isinstance(value, bool):
        return "on" if value else "off"
    return str(value) if value not in ("", ()) else "empty"


def _serve(flags: dict[str, object], opens: bool) -> None:
    settings = settings_from(flags)
    import uvloop

    from buraco.server.logs import make_log, set_up_logging
    from buraco.server.serving import Serving, serve

    try:
        set_up_logging(settings.log_level, file=settings.log_file, keep_files=settings.keep_log_files)
    except OSError as error:
        fail("log_file", message("server.log_file", file=settings.log_file, reason=error.strerror), EXIT_INPUT)

    def ready(serving: Serving) -> None:
        out, language = console(), language_of()
        out.print(text("server.serves", language, address=serving.address), soft_wrap=True)
        if serving.hint:
            out.print(in_language(serving.hint, language), soft_wrap=True)
        sys.stdout.flush()
        if opens and has_display():
            webbrowser.open(serving.address)

    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        runner.run(serve(settings, make_log(), on_ready=ready))
