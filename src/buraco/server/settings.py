"""The settings of a server: defaults, environment variables ``BURACO_*``, flags of ``buraco serve``.

A flag wins over the environment, the environment over the default. The names are one: the field ``public_url`` is the
variable ``BURACO_PUBLIC_URL`` and the flag ``--public-url``.
"""

from __future__ import annotations

import ipaddress
import os
import re
from collections.abc import Callable, Mapping
from dataclasses import Field, dataclass, field, fields
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final
from urllib.parse import urlsplit

from buraco.bots import bot_levels
from buraco.errors import BuracoError
from buraco.server.terms import TableSettings
from buraco.texts import message as text_of

__all__ = [
    "FIRST_PORT",
    "SECRETS",
    "Settings",
    "flag_of",
    "load_settings",
    "setting_fields",
    "user_data",
    "variable_of",
]

FIRST_PORT: Final = 8321
"""The port that a server takes when it may choose: this one, or the first free one after it."""

SECRETS: Final = ("database_url", "redis")
"""The settings that may hold a password: their values may also lie in files (``BURACO_REDIS_FILE``)."""

_DAY_S: Final = 86_400
_DATABASES: Final = ("postgresql", "postgres", "postgresql+asyncpg", "sqlite+aiosqlite")
_YES: Final = ("1", "true", "yes", "on")
_NO: Final = ("0", "false", "no", "off")
_SHOWN_MAX: Final = 60


def _setting(default: Any, text: str, low: int | None = None, high: int | None = None) -> Any:
    return field(default=default, metadata=_about(text, low, high))


def _about(text: str, low: int | None = None, high: int | None = None) -> dict[str, Any]:
    return {"help": text, "low": low, "high": high}


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """Everything that may be set, with its unit in its name or its help.

    Raises BuracoError (code ``setting``, every fault in ``reasons``) when it is constructed with impossible values.
    """

    # Where it runs.
    data: Path = field(
        default=Path(), metadata=_about("Folder of the database, the key that signs tokens, and backups.")
    )
    host: str = _setting("127.0.0.1", "Address to listen on; 0.0.0.0 lets the local network in.")
    port: int = _setting(0, f"Port; 0 takes the first free one from {FIRST_PORT}.", 0, 65535)
    public_url: str = _setting("", "Address under which others reach the server, such as https://cards.example.")
    database_url: str = field(
        default="",
        # It may hold a password.
        repr=False,
        metadata=_about("Address of a PostgreSQL database; empty: SQLite in the data folder."),
    )
    redis: str = field(
        default="",
        # It may hold a password.
        repr=False,
        metadata=_about("Address of Redis or Valkey, with which several processes serve one PostgreSQL database."),
    )
    trusted_proxies: tuple[str, ...] = _setting((), "Proxies whose X-Forwarded-For counts, by commas.")
    allowed_origins: tuple[str, ...] = _setting((), "Further origins whose pages may use the server, by commas.")

    # What a message, a person, an address may do.
    message_bytes_max: int = _setting(16_384, "Longest message over a socket, in bytes.", 1024, 1_000_000)
    body_bytes_max: int = _setting(262_144, "Longest body of a request, in bytes.", 1024, 20_000_000)
    record_bytes_max: int = _setting(
        1_000_000, "Longest record sent to be replayed or verified, in bytes.", 1024, 20_000_000
    )
    messages_per_s: int = _setting(20, "Messages a second over a socket, lasting.", 1, 10_000)
    messages_burst: int = _setting(
        60, "Messages over a socket at once; of a person over all sockets, four times.", 1, 100_000
    )
    requests_per_s: int = _setting(20, "Requests a second from an address, lasting; no files.", 1, 10_000)
    requests_burst: int = _setting(400, "Requests from an address at once, sockets opened among them.", 1, 100_000)
    files_per_s: int = _setting(200, "Files of the page a second to an address, lasting.", 1, 100_000)
    files_burst: int = _setting(2000, "Files of the page to an address at once.", 1, 1_000_000)
    guests_per_hour: int = _setting(60, "New guests an hour from one address.", 1, 1_000_000)
    logins_per_hour: int = _setting(20, "Wrong passwords or codes an hour, per address and per account.", 1, 10_000)
    bots_per_account: int = _setting(5, "Bot accounts that one account may have; 0: none.", 0, 1000)
    tables_per_person: int = _setting(10, "Unfinished tables that one person may have made.", 1, 10_000)
    tables_max: int = _setting(2000, "Unfinished tables of the server.", 1, 1_000_000)
    send_s: int = _setting(20, "A socket whose client takes nothing for this time is dropped, in seconds.", 1, 600)
    header_s: int = _setting(10, "A request whose head has not come after this time is dropped, in seconds.", 1, 600)
    body_s: int = _setting(30, "A request whose body has not come after this time is refused, in seconds.", 1, 3600)
    http_connections_max: int = _setting(1000, "Open connections of the server that are no sockets.", 1, 1_000_000)
    http_connections_per_address: int = _setting(300, "Open connections from one address, no sockets.", 1, 1_000_000)
    connections_max: int = _setting(2000, "Open sockets of the server.", 1, 1_000_000)
    connections_per_address: int = _setting(100, "Open sockets from one address.", 1, 1_000_000)
    connections_per_person: int = _setting(12, "Open sockets of one person.", 1, 10_000)
    judge_workers: int = _setting(2, "Positions and replays that are worked on at once.", 1, 64)
    judge_s: int = _setting(20, "A position or record that takes longer is given up, in seconds.", 1, 3600)

    # Tables.
    bot_workers: int = _setting(2, "Bots that may think at once.", 1, 256)
    bot_levels: tuple[str, ...] = _setting((), "Levels of bots that tables may have, by commas; empty: all.")
    bot_level: str = _setting("", "Level of bots where a table names none; empty: club, else the strongest offered.")
    bot_ms: int = _setting(1500, "How long a bot may think about its turn at most, in milliseconds.", 1, 600_000)
    bot_pause_ms: int = _setting(400, "How long a bot waits before it acts, in milliseconds.", 0, 60_000)
    bot_after_s: int = _setting(30, "A bot plays for somebody who is away after this time, in seconds.", 1, _DAY_S)
    timeouts_max: int = _setting(2, "Turns in a row out of time after which a bot plays the seat.", 1, 1000)
    forfeit_s: int = _setting(300, "A side that is gone for this time may lose the match, in seconds.", 1, 30 * _DAY_S)
    next_deal_s: int = _setting(30, "The next deal begins by itself after this time, in seconds.", 1, _DAY_S)
    seed_wait_ms: int = _setting(2000, "How long a deal waits for the players' seeds, in milliseconds.", 0, 60_000)
    abandon_open_s: int = _setting(
        1800, "A table that all left with no match on ends after this time, in seconds.", 1, 30 * _DAY_S
    )
    abandon_s: int = _setting(_DAY_S, "A match that all left ends after this time, in seconds.", 1, 365 * _DAY_S)
    spectator_delay_ms: int = _setting(0, "Least delay of what spectators see, in milliseconds.", 0, 3_600_000)
    queue_max: int = _setting(256, "Messages that may wait for one slow reader.", 16, 100_000)
    history_max: int = _setting(400, "Changes of a table that are at hand for whoever comes back.", 0, 100_000)

    # What is kept.
    keep_tables_days: int = _setting(90, "Days for which logs of closed tables, chat included, are kept.", 1, 36_500)
    keep_results_days: int = _setting(
        0, "Days for which results and records are kept; 0: as long as an account or guest that played.", 0, 36_500
    )
    keep_guests_days: int = _setting(90, "Days for which guests who did not come back are kept.", 1, 36_500)
    keep_log_files: int = _setting(14, "Log files that are kept, one a day.", 1, 3650)

    # What it tells.
    log_level: str = _setting("info", "Least important log line: debug, info, warning or error.")
    log_file: str = _setting("", "Log file, a new one each day; empty: standard error.")
    metrics: bool = _setting(True, "Serve /metrics to this computer and to the addresses of --metrics-allow.")
    metrics_allow: tuple[str, ...] = _setting((), "Further addresses or networks that may read /metrics, by commas.")
    stop_s: int = _setting(10, "How long a stop waits for what is under way, in seconds.", 1, 600)

    def __post_init__(self) -> None:
        """Check every value."""
        reasons = _faults({one.name: getattr(self, one.name) for one in fields(self)}, {})
        if reasons:
            raise BuracoError("setting", reasons[0], reasons)

    @property
    def storage_url(self) -> str:
        """The address of the database as SQLAlchemy reads it."""
        return self.database_url or f"sqlite+aiosqlite:///{self.data / 'buraco.db'}"

    @property
    def tables(self) -> TableSettings:
        """What of them concerns the tables."""
        return TableSettings(
            away_ms=1000 * self.bot_after_s,
            seed_wait_ms=self.seed_wait_ms,
            next_deal_ms=1000 * self.next_deal_s,
            forfeit_ms=1000 * self.forfeit_s,
            timeouts_max=self.timeouts_max,
            abandon_open_ms=1000 * self.abandon_open_s,
            abandon_ms=1000 * self.abandon_s,
            bot_pause_ms=self.bot_pause_ms,
            bot_ms=self.bot_ms,
            queue_max=self.queue_max,
            history_max=self.history_max,
            spectator_delay_ms=self.spectator_delay_ms,
            bot_level=self.bot_level,
            bot_levels=self.bot_levels,
        )

    @property
    def proxies(self) -> tuple[str, ...]:
        """The proxies whose word about the client counts; behind a public address at least those on this computer."""
        return self.trusted_proxies or (("127.0.0.0/8", "::1/128") if self.public_url else ())

    @property
    def secure(self) -> bool:
        """Whether people reach the server by https, so that cookies may be kept to it."""
        return self.public_url.startswith("https://")

    @property
    def local_only(self) -> bool:
        """Whether nobody but this computer can open the server's address."""
        return not self.public_url and _is_loopback(self.host)


def _is_loopback(host: str) -> bool:
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def _faults(values: Mapping[str, Any], told: Mapping[str, str]) -> list[str]:
    """Say all that is wrong with the values of all settings; ``told`` are the names that they were told by."""

    def name(setting: str) -> str:
        return told.get(setting, setting)

    reasons = [reason for one in fields(Settings) if (reason := _fault(one, name(one.name), values[one.name]))]
    level, levels = values["bot_level"], values["bot_levels"]
    if level and levels and level not in levels:
        others = ", ".join(levels)
        reasons.append(
            text_of("server.not_offered", name=name("bot_level"), level=level, others=name("bot_levels"), levels=others)
        )
    if values["redis"] and not values["database_url"].lower().startswith("postgres"):
        reasons.append(text_of("server.redis_database", name=name("redis")))
    return reasons


def _fault(one: Field[Any], name: str, value: object) -> str:
    """Say what is wrong with a value, or nothing."""
    low, high = one.metadata["low"], one.metadata["high"]
    if low is not None and (not isinstance(value, int) or not low <= value <= high):
        return text_of("server.whole", name=name, low=low, high=high, value=value)
    check = _CHECKS.get(one.name)
    return "" if check is None else check(name, value)


def _url_fault(name: str, value: object) -> str:
    if value == "":
        return ""
    parts = urlsplit(str(value))
    plain = parts.scheme in ("http", "https") and parts.hostname and not (parts.query or parts.fragment)
    if plain and parts.path in ("", "/"):
        return ""
    return text_of("server.url", name=name, value=value)


def _database_fault(name: str, value: object) -> str:
    # The value may hold a password, so no text repeats it.
    kind, mark, _ = str(value).partition("://")
    if value == "" or (mark and kind.lower() in _DATABASES):
        return ""
    return text_of("server.database_setting", name=name, forms=text_of("server.database_forms"))


def _redis_fault(name: str, value: object) -> str:
    # As above.
    try:
        parts = urlsplit(str(value))
        fits = parts.scheme in ("redis", "rediss") and parts.hostname and (parts.port or 1) > 0
    except ValueError:
        fits = False
    return "" if value == "" or fits else text_of("server.redis_url", name=name)


def _origins_fault(name: str, value: object) -> str:
    if "" in _texts(value):
        return text_of("server.url", name=name, value="")
    return next((fault for one in _texts(value) if (fault := _url_fault(name, one))), "")


def _networks_fault(name: str, value: object) -> str:
    for one in _texts(value):
        try:
            ipaddress.ip_network(one, strict=False)
        except ValueError:
            return text_of("server.networks", name=name, value=one)
    return ""


def _host_fault(name: str, value: object) -> str:
    if re.fullmatch(r"[0-9A-Za-z:.\-]{1,253}", str(value)):
        return ""
    return text_of("server.host", name=name, value=value)


def _bot_fault(name: str, value: object) -> str:
    return "" if value == "" else _choice_fault(name, value, bot_levels())


def _bots_fault(name: str, value: object) -> str:
    levels = bot_levels()
    odd = next((one for one in _texts(value) if one not in levels), None)
    return "" if odd is None else text_of("server.some_of", name=name, choices=", ".join(levels), value=odd)


def _level_fault(name: str, value: object) -> str:
    return _choice_fault(name, value, ("debug", "info", "warning", "error"))


def _choice_fault(name: str, value: object, choices: tuple[str, ...]) -> str:
    return "" if value in choices else text_of("server.one_of", name=name, choices=", ".join(choices), value=value)


def _texts(value: object) -> tuple[str, ...]:
    return value if isinstance(value, tuple) else ()


_CHECKS: Final[Mapping[str, Callable[[str, object], str]]] = MappingProxyType(
    {
        "host": _host_fault,
        "public_url": _url_fault,
        "database_url": _database_fault,
        "redis": _redis_fault,
        "allowed_origins": _origins_fault,
        "trusted_proxies": _networks_fault,
        "metrics_allow": _networks_fault,
        "bot_level": _bot_fault,
        "bot_levels": _bots_fault,
        "log_level": _level_fault,
    }
)


def setting_fields() -> tuple[Field[Any], ...]:
    """Return the fields of `Settings`, in order."""
    return fields(Settings)


def variable_of(name: str) -> str:
    """Return the environment variable of a setting."""
    return f"BURACO_{name.upper()}"


def flag_of(name: str) -> str:
    """Return the flag of a setting."""
    return f"--{name.replace('_', '-')}"


def user_data(environment: Mapping[str, str] | None = None) -> Path:
    """Return the user's data folder for this program, which need not exist yet.

    Raises BuracoError (code ``setting``) where the system knows no home folder of the user.
    """
    env = os.environ if environment is None else environment
    base = env.get("XDG_DATA_HOME", "")
    try:
        return (Path(base) if base else Path(env.get("HOME", "~")).expanduser() / ".local" / "share") / "buraco"
    except RuntimeError:
        raise BuracoError("setting", text_of("server.no_home")) from None


def load_settings(environment: Mapping[str, str], flags: Mapping[str, object]) -> Settings:
    """Return the settings of an environment and of flags (by field name; None: not given).

    What holds a password may lie in a file: of ``BURACO_DATABASE_URL_FILE`` the first line is ``BURACO_DATABASE_URL``.

    Raises BuracoError (code ``setting``): every value that cannot be.
    """
    kinds = {one.name: one for one in fields(Settings)}
    values: dict[str, Any] = {one.name: one.default for one in kinds.values()}
    told: dict[str, str] = {}
    reasons: list[str] = []
    variables = {variable_of(name): name for name in kinds}
    given: list[tuple[str, str, object]] = [
        (variables[variable], variable, text) for variable, text in environment.items() if variable in variables
    ]
    given += _from_files(environment, reasons)
    given += [(name, flag_of(name), value) for name, value in flags.items() if value is not None]
    for name, shown, value in given:
        told[name] = shown
        try:
            values[name] = _read(kinds[name], str(value)) if isinstance(value, str | Path) else value
        except (ValueError, RuntimeError):  # the latter: a home folder that is not there
            reasons.append(_unreadable(kinds[name], shown, str(value)))
    if "data" not in told:
        values["data"] = user_data(environment)
    reasons += _faults(values, told)
    if reasons:
        raise BuracoError("setting", reasons[0], reasons)
    return Settings(**values)


def _unreadable(one: Field[Any], shown: str, value: str) -> str:
    """Say what a setting may be instead of a text that stands for no value at all."""
    value = value[:_SHOWN_MAX]
    if one.name == "data":
        return text_of("server.no_home_of", name=shown, value=value)
    if isinstance(one.default, bool):
        return _choice_fault(shown, value, (*_YES, *_NO))
    low, high = one.metadata["low"], one.metadata["high"]
    return text_of("server.whole", name=shown, low=low, high=high, value=value)


def _from_files(environment: Mapping[str, str], reasons: list[str]) -> list[tuple[str, str, str]]:
    """Return the settings whose values lie in files, as containers are given secrets, each with the variable that names
    the file; and add what is wrong."""
    found = []
    for name in SECRETS:
        variable = variable_of(name)
        file = environment.get(f"{variable}_FILE", "")
        if not file or variable in environment:
            continue
        told = {"variable": f"{variable}_FILE", "file": file[:200]}
        try:
            value = Path(file).read_text(encoding="utf-8").partition("\n")[0].strip()
        except (OSError, ValueError) as error:
            reason = getattr(error, "strerror", None) or type(error).__name__
            reasons.append(text_of("server.secret_file", **told, reason=reason))
            continue
        if value:
            found.append((name, told["variable"], value))
        else:
            # Without its address a server would keep what it is told in a database of its own, beside the site.
            reasons.append(text_of("server.secret_empty", **told))
    return found


def _split(text: str) -> list[str]:
    return [part.strip() for part in text.split(",") if part.strip()]


def _read(one: Field[Any], text: str) -> object:
    """Return the value that a text stands for. Raises ValueError."""
    if one.name == "data":
        return Path(text).expanduser() if text.startswith("~") else Path(text)
    if isinstance(one.default, tuple):
        return tuple(_split(text))
    if isinstance(one.default, bool):
        word = text.strip().lower()
        if word not in (*_YES, *_NO):
            raise ValueError(word)
        return word in _YES
    if isinstance(one.default, int):
        return int(text)
    return text
