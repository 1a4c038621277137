"""Logs: one JSON object a line, with neither secrets nor cards.

Only the fields of `FIELDS` are written; whatever else somebody hands over is left out and its name is told, so that a
careless line cannot tell a card or a token. Of an exception its kind and its places in the code are written, never its
message, which may hold anything.
"""

from __future__ import annotations

import json
import logging
import logging.handlers
import re
import sys
import traceback
from collections.abc import Mapping, MutableMapping
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final, TextIO

import structlog

__all__ = ["FIELDS", "Log", "make_log", "set_up_logging", "shorten"]

FIELDS: Final = frozenset(
    {
        "address",
        "bot",
        "bytes",
        "certain",
        "close_code",
        "code",
        "connections",
        "count",
        "error",
        "event",
        "guests",
        "level",
        "logger",
        "method",
        "ms",
        "person",
        "places",
        "players",
        "port",
        "public",
        "removed",
        "results",
        "route",
        "rules",
        "seat",
        "seq",
        "signal",
        "status",
        "table",
        "time",
        "url",
        "version",
    }
)
"""What a line may hold."""

_OF_CLIENTS: Final = MappingProxyType(
    {
        "Invalid HTTP request received.": "bad_request",
        "Invalid UTF-8 sequence received from client.": "bad_utf8",
        "Unsupported upgrade request.": "bad_upgrade",
    }
)
"""What the HTTP library tells of its clients, and the lines that we write of it: no fault of the server."""

# A token of a person (``b1.``) or of a bot account (``bot1.``).
_TOKEN: Final = re.compile(r"b(?:ot)?1\.[A-Za-z0-9_-]{8,}[A-Za-z0-9_.-]*")
_TEXT_MAX: Final = 300
_PLACES_MAX: Final = 12

Log = structlog.typing.FilteringBoundLogger


def shorten(text: str) -> str:
    """Return a text without anything that looks like a token, on one line and not too long."""
    return _TOKEN.sub("[token]", text)[:_TEXT_MAX]


def _only_fields(event: Mapping[str, Any]) -> Mapping[str, Any]:
    """Keep the known fields, and of them only short plain values."""
    kept: dict[str, Any] = {}
    removed = [name for name in event if name not in FIELDS]
    for name, value in event.items():
        if name not in FIELDS:
            continue
        if value is None or isinstance(value, (bool, int, float)):
            kept[name] = value
        elif isinstance(value, str):
            kept[name] = shorten(value)
        elif name == "places" and isinstance(value, list):
            kept[name] = [shorten(str(place)) for place in value[:_PLACES_MAX]]
        else:
            removed.append(name)
    if removed:
        kept["removed"] = ",".join(sorted(shorten(name) for name in removed))
    return kept


def _without_message(_: Any, __: str, event: MutableMapping[str, Any]) -> Mapping[str, Any]:
    """Replace an exception by its kind and by the places that it came through."""
    info = event.pop("exc_info", None)
    if info is True:
        info = sys.exc_info()
    error = info[1] if isinstance(info, tuple) else info
    if isinstance(error, BaseException):
        event["error"] = type(error).__name__
        frames = traceback.extract_tb(error.__traceback__)[-_PLACES_MAX:]
        event["places"] = [f"{Path(frame.filename).name}:{frame.lineno} {frame.name}" for frame in frames]
    return event


def _processors() -> list[Any]:
    return [
        structlog.stdlib.add_log_level,
        structlog.stdlib.add_logger_name,
        structlog.processors.TimeStamper(fmt="iso", utc=True, key="time"),
        _without_message,
    ]


def _own_processors() -> list[Any]:
    wrap = structlog.stdlib.ProcessorFormatter.wrap_for_formatter
    return [structlog.stdlib.filter_by_level, *_processors(), wrap]


class _JsonLines(logging.Formatter):
    """The last gate of every line, our own and those of libraries; of the latter only the kind is written, since
    nobody of us has looked at their texts."""

    def format(self, record: logging.LogRecord) -> str:
        if isinstance(record.msg, dict):
            return json.dumps(_only_fields(record.msg), ensure_ascii=False)
        known = _OF_CLIENTS.get(str(record.msg))
        event: MutableMapping[str, Any] = {"event": known} if known else {"event": "library"}
        if not known:
            event["exc_info"] = record.exc_info
        level = "warning" if known else record.levelname.lower()
        for processor in _processors():
            event = dict(processor(logging.getLogger(record.name), level, event))
        return json.dumps(_only_fields(event), ensure_ascii=False)


def set_up_logging(level: str, *, file: str = "", keep_files: int = 14, stream: TextIO | None = None) -> None:
    """Send every line of this process to a stream (standard error unless told) or to a file, as JSON.

    A file gets a successor each day at midnight UTC, and ``keep_files`` of them are kept. Raises OSError.
    """
    handler: logging.Handler
    if file:
        Path(file).parent.mkdir(parents=True, exist_ok=True)
        handler = logging.handlers.TimedRotatingFileHandler(
            file, when="midnight", backupCount=keep_files, utc=True, encoding="utf-8"
        )
    else:
        handler = logging.StreamHandler(stream if stream is not None else sys.stderr)
    handler.setFormatter(_JsonLines())
    root = logging.getLogger()
    for old in list(root.handlers):
        root.removeHandler(old)
        old.close()
    root.addHandler(handler)
    root.setLevel(logging.WARNING)
    logging.getLogger("buraco").setLevel(level.upper())
    structlog.configure(
        processors=_own_processors(),
        logger_factory=lambda *names: logging.getLogger(".".join(("buraco", *names))),
        wrapper_class=structlog.stdlib.BoundLogger,
        cache_logger_on_first_use=False,
    )


def make_log(name: str = "buraco") -> Log:
    """Return a log; its lines go where `set_up_logging` says."""
    log: Log = structlog.wrap_logger(
        logging.getLogger(name),
        processors=_own_processors(),
        wrapper_class=structlog.stdlib.BoundLogger,
        cache_logger_on_first_use=False,
    )
    return log
