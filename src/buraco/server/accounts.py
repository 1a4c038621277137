"""People: guests, accounts, passwords and recovery codes, and what the database keeps of them.

A guest is a person with a name and nothing else; an account is a name and password on top of the same person, so
seats and history stay when a guest makes one, and every device that signs in is the same person.
"""

from __future__ import annotations

import asyncio
import hashlib
import hmac
import secrets
import unicodedata
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Final

import sqlalchemy as sa
from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError
from sqlalchemy.exc import IntegrityError, SQLAlchemyError
from sqlalchemy.ext.asyncio import AsyncEngine

from buraco.errors import BuracoError
from buraco.server.identity import Claim, TokenSigner, new_bot_token, new_id, read_bot_token
from buraco.server.limits import PASSWORD_MAX, PASSWORD_MIN, clean_name
from buraco.server.terms import CODE_LETTERS
from buraco.texts import message

__all__ = [
    "PASSWORD_MAX",
    "PASSWORD_MIN",
    "SEEN_STEP_MS",
    "People",
    "Person",
    "account_table",
    "bot_table",
    "login_key",
    "people_metadata",
    "person_table",
]

SEEN_STEP_MS: Final = 3_600_000
"""When somebody was last there is kept to this step, so that not every request writes."""

_CODE_LENGTH: Final = 24
_HASHES_AT_ONCE: Final = 2

people_metadata: Final = sa.MetaData()
person_table: Final = sa.Table(
    "person",
    people_metadata,
    sa.Column("id", sa.String(22), primary_key=True),
    sa.Column("name", sa.String(24), nullable=False),
    sa.Column("epoch", sa.Integer, nullable=False),
    sa.Column("created_ms", sa.BigInteger, nullable=False),
    sa.Column("seen_ms", sa.BigInteger, nullable=False, index=True),
    sa.Column("banned_ms", sa.BigInteger, nullable=True),
)
account_table: Final = sa.Table(
    "account",
    people_metadata,
    sa.Column("person_id", sa.String(22), sa.ForeignKey("person.id", ondelete="CASCADE"), primary_key=True),
    sa.Column("login", sa.String(24), nullable=False),
    sa.Column("login_key", sa.Text, nullable=False, unique=True),
    sa.Column("password_hash", sa.String(200), nullable=False),
    sa.Column("recovery_hash", sa.String(64), nullable=False),
    sa.Column("created_ms", sa.BigInteger, nullable=False),
)
bot_table: Final = sa.Table(
    "bot_account",
    people_metadata,
    sa.Column("person_id", sa.String(22), sa.ForeignKey("person.id", ondelete="CASCADE"), primary_key=True),
    sa.Column("owner_id", sa.String(22), sa.ForeignKey("person.id", ondelete="CASCADE"), nullable=False, index=True),
    sa.Column("token_hash", sa.String(64), nullable=True),
    sa.Column("created_ms", sa.BigInteger, nullable=False),
)
_owner_table: Final = person_table.alias("owner")


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody who plays: ``login`` is the name of the account, None for a guest.

    A bot account is a person without a login; ``owner_id`` is who made it, None for people, and ``owner_name`` their
    name. It is ``banned`` if its owner is. ``has_token``: it can come in.
    """

    person_id: str
    name: str
    epoch: int
    created_ms: int
    seen_ms: int
    banned: bool = False
    login: str | None = None
    owner_id: str | None = None
    owner_name: str = ""
    has_token: bool = False

    @property
    def is_bot(self) -> bool:
        """Whether this is a bot account."""
        return self.owner_id is not None


def login_key(login: str) -> str:
    """Return what two names of accounts have in common when people would take them for the same."""
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", login).casefold())


def _check_password(password: str, login: str) -> None:
    if not PASSWORD_MIN <= len(password) <= PASSWORD_MAX:
        raise BuracoError("password", message("account.password_length", low=PASSWORD_MIN, high=PASSWORD_MAX))
    if login_key(password) == login_key(login):
        raise BuracoError("password", message("account.password_is_name"))


def _new_code() -> str:
    letters = "".join(secrets.choice(CODE_LETTERS) for _ in range(_CODE_LENGTH))
    return "-".join(letters[i : i + 6] for i in range(0, _CODE_LENGTH, 6))


def _code_hash(code: str) -> str:
    # The code has 118 random bits, so a fast hash is as good as a slow one.
    plain = "".join(letter for letter in code.upper() if letter in CODE_LETTERS)
    return hashlib.sha256(plain.encode()).hexdigest()


class People:
    """Everybody whom the server knows, bot accounts too.

    ``now_ms`` gives the milliseconds since 1970. Errors are BuracoError: ``name``, ``password``, ``taken`` (the name of
    an account), ``bad_credentials``, ``has_account``, ``no_account``, ``no_person``.
    """

    def __init__(
        self,
        engine: AsyncEngine,
        signer: TokenSigner,
        now_ms: Callable[[], int],
        hasher: PasswordHasher | None = None,
    ) -> None:
        self._engine = engine
        self._signer = signer
        self._now_ms = now_ms
        self._hasher = hasher or PasswordHasher()
        self._hashing = asyncio.Semaphore(_HASHES_AT_ONCE)
        # Somebody without an account is answered after the same work, so that the time does not tell who has one.
        self._nobody = self._hasher.hash(secrets.token_hex(16))

    def token(self, person: Person) -> str:
        """Return a token for a person."""
        return self._signer.issue(person.person_id, person.epoch, self._now_ms() // 1000)

    async def guest(self, name: str) -> Person:
        """Make a guest."""
        now = self._now_ms()
        person = Person(new_id(), clean_name(name), 0, now, now)
        values = {"id": person.person_id, "name": person.name, "epoch": 0, "created_ms": now, "seen_ms": now}
        async with self._engine.begin() as connection:
            await connection.execute(person_table.insert().values(values))
        return person

    async def of_token(self, token: str) -> Person | None:
        """Return whose token it is, a person's or a bot's; None for a false or outdated one."""
        bot = read_bot_token(token)
        if bot is not None:
            return await self._of_bot(bot.person_id, bot.token_hash)
        claim = self._signer.read(token)
        return None if claim is None else await self.of_claim(claim)

    async def of_claim(self, claim: Claim) -> Person | None:
        """Return the person of a claim; None if there is no such person, or they have logged out everywhere since."""
        person = await self.find(claim.person_id)
        if person is None or person.epoch != claim.epoch or person.is_bot:
            return None
        return await self._seen(person)

    async def _of_bot(self, person_id: str, token_hash: str) -> Person | None:
        query = sa.select(bot_table.c.token_hash).where(bot_table.c.person_id == person_id)
        async with self._engine.connect() as connection:
            stored = (await connection.execute(query)).scalar_one_or_none()
        if not hmac.compare_digest((stored or "").encode(), token_hash.encode()):
            return None
        person = await self.find(person_id)
        return None if person is None else await self._seen(person)

    async def _seen(self, person: Person) -> Person:
        """Note that a person is there."""
        now = self._now_ms()
        if now - person.seen_ms > SEEN_STEP_MS:
            # While nothing can be written, people still may read; the next request tries again.
            with suppress(SQLAlchemyError):
                await self._update(person.person_id, seen_ms=now)
        return person

    async def find(self, person_id: str) -> Person | None:
        """Return a person by identifier."""
        return await self._one(person_table.c.id == person_id)

    async def find_login(self, login: str) -> Person | None:
        """Return the person of an account by its name."""
        return await self._one(_has_login(login))

    async def rename(self, person: Person, name: str) -> Person:
        """Give a person another name to be shown."""
        await self._update(person.person_id, name=clean_name(name))
        return await self._again(person)

    async def register(self, person: Person, login: str, password: str) -> tuple[Person, str]:
        """Make an account of a guest; return the person and the recovery code, which is nowhere else.

        The name that is shown stays what the person chose; ``login`` is only for signing in.
        """
        login = clean_name(login)
        _check_password(password, login)
        if person.login is not None:
            raise BuracoError("has_account", message("account.has_account"))
        hashed, code = await self._hash(password), _new_code()
        values = {
            "person_id": person.person_id,
            "login": login,
            "login_key": login_key(login),
            "password_hash": hashed,
            "recovery_hash": _code_hash(code),
            "created_ms": self._now_ms(),
        }
        try:
            async with self._engine.begin() as connection:
                await connection.execute(account_table.insert().values(values))
        except IntegrityError:
            raise BuracoError("taken", message("account.taken")) from None
        return await self._again(person), code

    async def sign_in(self, login: str, password: str) -> Person:
        """Return the person of an account whose password is right."""
        row = await self._secrets(login)
        stored = self._nobody if row is None else row.password_hash
        right = await self._verify(stored, password)
        if row is None or not right:
            raise BuracoError("bad_credentials", message("account.bad_credentials"))
        if self._hasher.check_needs_rehash(stored):
            await self._set_account(row.person_id, password_hash=await self._hash(password))
        return await self._person(row.person_id)

    async def recover(self, login: str, code: str, password: str) -> tuple[Person, str]:
        """Set a new password with the recovery code; every earlier token ends. Return the person and a new code."""
        _check_password(password, login)
        row = await self._secrets(login)
        stored = "" if row is None else row.recovery_hash
        if not hmac.compare_digest(stored.encode(), _code_hash(code).encode()) or row is None:
            raise BuracoError("bad_credentials", message("account.bad_recovery"))
        new_code = await self.reset_password(row.person_id, login, password)
        return await self._person(row.person_id), new_code

    async def reset_password(self, person_id: str, login: str, password: str) -> str:
        """Set the password of an account without asking for the old one; every earlier token ends.

        Return a new recovery code.
        """
        _check_password(password, login)
        code, hashed = _new_code(), await self._hash(password)
        async with self._engine.begin() as connection:
            await connection.execute(
                account_table.update()
                .where(account_table.c.person_id == person_id)
                .values(password_hash=hashed, recovery_hash=_code_hash(code))
            )
            await self._set(connection, person_id, epoch=person_table.c.epoch + 1)
        return code

    async def change_password(self, person: Person, old: str, new: str) -> Person:
        """Change the password of an account; every earlier token ends."""
        if person.login is None:
            raise BuracoError("no_account", message("account.guest_password"))
        await self.sign_in(person.login, old)
        _check_password(new, person.login)
        await self._set_account(person.person_id, password_hash=await self._hash(new))
        return await self.log_out_everywhere(person)

    async def log_out_everywhere(self, person: Person) -> Person:
        """End every token of a person that was issued before."""
        await self._update(person.person_id, epoch=person_table.c.epoch + 1)
        return await self._again(person)

    async def set_banned(self, person_id: str, banned: bool) -> None:
        """Bar a person from the server, or let them in again."""
        if await self.find(person_id) is None:
            raise BuracoError("no_person", message("account.no_person"))
        await self._update(person_id, banned_ms=self._now_ms() if banned else None)

    async def delete(self, person_id: str) -> None:
        """Delete a person with everything that these tables keep of them."""
        async with self._engine.begin() as connection:
            await connection.execute(account_table.delete().where(account_table.c.person_id == person_id))
            await connection.execute(bot_table.delete().where(bot_table.c.person_id == person_id))
            await connection.execute(person_table.delete().where(person_table.c.id == person_id))

    async def old_guests(self, before_ms: int, limit: int = 500) -> list[str]:
        """Return the identifiers of guests without an account who were last there before a moment."""
        query = (
            sa.select(person_table.c.id)
            .outerjoin(account_table, account_table.c.person_id == person_table.c.id)
            .outerjoin(bot_table, bot_table.c.person_id == person_table.c.id)
            .where(person_table.c.seen_ms < before_ms, account_table.c.person_id.is_(None))
            # Bots belong to an account.
            .where(bot_table.c.person_id.is_(None))
            .where(person_table.c.banned_ms.is_(None))
            .order_by(person_table.c.seen_ms)
            .limit(limit)
        )
        async with self._engine.connect() as connection:
            return [str(row.id) for row in await connection.execute(query)]

    async def listed(self, limit: int = 500) -> list[Person]:
        """Return the people who were there last."""
        query = _person_query().order_by(person_table.c.seen_ms.desc()).limit(limit)
        async with self._engine.connect() as connection:
            return [_person(row) for row in await connection.execute(query)]

    # Bot accounts.

    async def make_bot(self, owner: Person, name: str, most: int) -> tuple[Person, str]:
        """Make a bot account for the person of an account; return it and its token, which is nowhere else.

        Raises BuracoError: ``no_account`` for a guest, ``bot_account`` for a bot, ``bots_limit`` beyond ``most``,
        ``name``.
        """
        if owner.is_bot:
            raise BuracoError("bot_account", message("account.bot_may_not"))
        if owner.login is None:
            raise BuracoError("no_account", message("account.bots_need_account"))
        now, person_id, shown = self._now_ms(), new_id(), clean_name(name)
        token = new_bot_token(person_id)
        person = {"id": person_id, "name": shown, "epoch": 0, "created_ms": now, "seen_ms": now}
        bot = {"person_id": person_id, "owner_id": owner.person_id, "token_hash": _token_hash(token), "created_ms": now}
        async with self._engine.begin() as connection:
            # The row of the owner is written first, so that two who come at once are counted one after the other.
            await self._set(connection, owner.person_id, epoch=person_table.c.epoch)
            count = sa.select(sa.func.count()).where(bot_table.c.owner_id == owner.person_id)
            if (await connection.execute(count)).scalar_one() >= most:
                raise BuracoError("bots_limit", message("account.bots_limit", most=most))
            await connection.execute(person_table.insert().values(person))
            await connection.execute(bot_table.insert().values(bot))
        return await self._person(person_id), token

    async def bots_of(self, owner_id: str) -> list[Person]:
        """Return the bot accounts of a person, the oldest first."""
        query = _person_query().where(bot_table.c.owner_id == owner_id)
        query = query.order_by(bot_table.c.created_ms, bot_table.c.person_id)
        async with self._engine.connect() as connection:
            return [_person(row) for row in await connection.execute(query)]

    async def bot_of(self, owner: Person, person_id: str) -> Person:
        """Return a bot account of a person. Raises BuracoError (code ``no_bot``)."""
        bot = await self.find(person_id)
        if bot is None or bot.owner_id != owner.person_id:
            raise BuracoError("no_bot", message("account.no_bot"))
        return bot

    async def new_token(self, bot: Person) -> str:
        """Give a bot account another token; the earlier one ends."""
        token = new_bot_token(bot.person_id)
        await self._set_token(bot.person_id, _token_hash(token))
        return token

    async def revoke_token(self, person_id: str) -> None:
        """End the token of a bot account, which then has none."""
        await self._set_token(person_id, None)

    async def _set_token(self, person_id: str, token_hash: str | None) -> None:
        change = bot_table.update().where(bot_table.c.person_id == person_id).values(token_hash=token_hash)
        async with self._engine.begin() as connection:
            await connection.execute(change)

    # Inside.

    async def _one(self, condition: sa.ColumnElement[bool]) -> Person | None:
        async with self._engine.connect() as connection:
            row = (await connection.execute(_person_query().where(condition))).first()
        return None if row is None else _person(row)

    async def _person(self, person_id: str) -> Person:
        person = await self.find(person_id)
        if person is None:
            raise BuracoError("no_person", message("account.no_person"))
        return person

    async def _again(self, person: Person) -> Person:
        return await self._person(person.person_id)

    async def _update(self, person_id: str, **values: Any) -> None:
        async with self._engine.begin() as connection:
            await self._set(connection, person_id, **values)

    async def _set(self, connection: Any, person_id: str, **values: Any) -> None:
        await connection.execute(person_table.update().where(person_table.c.id == person_id).values(**values))

    async def _set_account(self, person_id: str, **values: Any) -> None:
        async with self._engine.begin() as connection:
            await connection.execute(
                account_table.update().where(account_table.c.person_id == person_id).values(**values)
            )

    async def _secrets(self, login: str) -> Any:
        query = sa.select(account_table).where(_has_login(login))
        async with self._engine.connect() as connection:
            return (await connection.execute(query)).first()

    async def _hash(self, password: str) -> str:
        async with self._hashing:
            return await asyncio.to_thread(self._hasher.hash, password)

    async def _verify(self, stored: str, password: str) -> bool:
        def verify() -> bool:
            try:
                return self._hasher.verify(stored, password)
            except (VerificationError, InvalidHashError):
                return False

        async with self._hashing:
            return await asyncio.to_thread(verify)


def _token_hash(token: str) -> str:
    read = read_bot_token(token)
    assert read is not None, "only called for a token that was just made"
    return read.token_hash


def _has_login(login: str) -> sa.ColumnElement[bool]:
    # No name has this character, and PostgreSQL takes no text that does, not even to look for it.
    return sa.false() if "\0" in login else account_table.c.login_key == login_key(login)


def _person_query() -> sa.Select[Any]:
    return (
        sa.select(
            person_table,
            account_table.c.login,
            bot_table.c.owner_id,
            bot_table.c.token_hash.is_not(None).label("has_token"),
            _owner_table.c.name.label("owner_name"),
            _owner_table.c.banned_ms.label("owner_banned_ms"),
        )
        .outerjoin(account_table, account_table.c.person_id == person_table.c.id)
        .outerjoin(bot_table, bot_table.c.person_id == person_table.c.id)
        .outerjoin(_owner_table, _owner_table.c.id == bot_table.c.owner_id)
    )


def _person(row: Any) -> Person:
    return Person(
        row.id,
        row.name,
        row.epoch,
        row.created_ms,
        row.seen_ms,
        banned=row.banned_ms is not None or row.owner_banned_ms is not None,
        login=row.login,
        owner_id=row.owner_id,
        owner_name=row.owner_name or "",
        has_token=bool(row.has_token),
    )
