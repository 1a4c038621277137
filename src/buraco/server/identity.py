"""Who somebody is: signed tokens, the key that signs them, and where a request carries its token.

A token says which person it is for and how often that person has logged out everywhere; the signature is an
HMAC-SHA-256 with a key that never leaves the server. It is a secret: it is never in an address, a log or a page.
"""

from __future__ import annotations

import hashlib
import hmac
import os
import re
import secrets
from base64 import urlsafe_b64encode
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from buraco.errors import BuracoError
from buraco.texts import message as text_of

__all__ = [
    "KEY_BYTES",
    "TOKEN_MAX",
    "BotToken",
    "Claim",
    "TokenSigner",
    "cookie_name",
    "load_key",
    "new_bot_token",
    "new_id",
    "read_bot_token",
    "token_of",
]

KEY_BYTES: Final = 32
TOKEN_MAX: Final = 200
"""The longest text that is looked at as a token, in characters."""

_PATTERN: Final = re.compile(r"b1\.([A-Za-z0-9_-]{22})\.(\d{1,9})\.(\d{1,12})\.([A-Za-z0-9_-]{43})")
_BOT_HEAD: Final = "bot1."
_BOT_PATTERN: Final = re.compile(r"bot1\.([A-Za-z0-9_-]{22})\.[A-Za-z0-9_-]{43}")
_LABEL: Final = b"buraco token 1\n"
_KEY_VARIABLE: Final = "BURACO_TOKEN_KEY"
_KEY_FILE: Final = "token.key"


@dataclass(frozen=True, slots=True)
class Claim:
    """What a token with a right signature says: the ``person_id``, the ``epoch`` (how often the person had logged out
    everywhere), and the second since 1970 when it was issued."""

    person_id: str
    epoch: int
    issued_s: int


class TokenSigner:
    """Issues and reads tokens with one key of at least 32 bytes."""

    def __init__(self, key: bytes) -> None:
        if len(key) < KEY_BYTES:
            raise BuracoError("token_key", text_of("server.key_length", bytes=KEY_BYTES))
        self._key = key

    def issue(self, person_id: str, epoch: int, issued_s: int) -> str:
        """Return a token."""
        head = f"b1.{person_id}.{epoch}.{issued_s}"
        return f"{head}.{self._sign(head)}"

    def read(self, token: str) -> Claim | None:
        """Return what a token says, or None unless its signature is right; the comparison takes constant time."""
        if len(token) > TOKEN_MAX:
            return None
        found = _PATTERN.fullmatch(token)
        if found is None:
            return None
        head, _, given = token.rpartition(".")
        if not hmac.compare_digest(self._sign(head).encode(), given.encode()):
            return None
        return Claim(found[1], int(found[2]), int(found[3]))

    def _sign(self, head: str) -> str:
        digest = hmac.new(self._key, _LABEL + head.encode(), hashlib.sha256).digest()
        return urlsafe_b64encode(digest).decode().rstrip("=")


@dataclass(frozen=True, slots=True)
class BotToken:
    """What a token of a bot account says: the ``person_id`` that the bot is, and the ``token_hash`` to compare."""

    person_id: str
    token_hash: str


def new_bot_token(person_id: str) -> str:
    """Return a fresh token for a bot account. It has 256 random bits and is kept as a hash only."""
    return f"{_BOT_HEAD}{person_id}.{secrets.token_urlsafe(32)}"


def read_bot_token(token: str) -> BotToken | None:
    """Return what a token says, or None for one that is no bot's; whether it holds, only its hash tells."""
    found = _BOT_PATTERN.fullmatch(token) if len(token) <= TOKEN_MAX else None
    # With this many random bits a fast hash is as good as a slow one.
    return None if found is None else BotToken(found[1], hashlib.sha256(token.encode()).hexdigest())


def new_id() -> str:
    """Return a fresh identifier of 22 letters that nobody can guess; none begins like an option of a command."""
    while (made := secrets.token_urlsafe(16)).startswith("-"):
        pass
    return made


def load_key(data: Path, environment: Mapping[str, str]) -> bytes:
    """Return the key of the variable BURACO_TOKEN_KEY (64 hexadecimal digits), else of the file ``token.key`` in the
    data folder, which is made with a fresh key, readable for its owner only, when it is missing.

    Raises BuracoError (code ``token_key``).
    """
    given = environment.get(_KEY_VARIABLE, "")
    path = data / _KEY_FILE
    try:
        text = given or _key_text(path)
        key = bytes.fromhex(text.strip())
    except ValueError:
        key = b""
    except OSError as error:
        told = text_of("server.key_file", file=path, reason=error.strerror)
        raise BuracoError("token_key", told) from None
    if len(key) < KEY_BYTES:
        where = _KEY_VARIABLE if given else str(path)
        raise BuracoError("token_key", text_of("server.key_digits", where=where, digits=2 * KEY_BYTES))
    return key


def _key_text(path: Path) -> str:
    """Return the text of the key file; several servers that start at once agree on the one that was there first."""
    part = path.with_name(f".{path.name}.{os.getpid()}")
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        descriptor = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with os.fdopen(descriptor, "w", encoding="ascii") as file:
            file.write(secrets.token_hex(KEY_BYTES) + "\n")
            file.flush()
            os.fsync(file.fileno())
        try:
            os.link(part, path)
        except FileExistsError:
            pass
        finally:
            part.unlink()
    return path.read_text(encoding="ascii")


def cookie_name(*, secure: bool) -> str:
    """Return the name of the cookie; its prefix makes browsers keep it to this host by https."""
    return "__Host-buraco" if secure else "buraco"


def token_of(headers: Mapping[str, str], cookies: Mapping[str, str], *, secure: bool) -> tuple[str, bool]:
    """Return the token that a request carries and whether a cookie brought it; an empty text if there is none.

    A header ``Authorization: Bearer`` wins over the cookie. The token of a bot counts in the header only: no browser is
    a bot.
    """
    scheme, _, value = headers.get("authorization", "").partition(" ")
    if scheme.lower() == "bearer":
        return value.strip(), False
    cookie = cookies.get(cookie_name(secure=secure), "")
    if cookie.startswith(_BOT_HEAD):
        return "", False
    return cookie, bool(cookie)
