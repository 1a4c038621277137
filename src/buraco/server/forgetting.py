"""Deletes a person from everything: seats, open sockets, what is kept of matches, the account, and themselves."""

from __future__ import annotations

import secrets

from buraco.server.accounts import Person
from buraco.server.messages import CloseTable
from buraco.server.parts import Parts
from buraco.server.terms import CLOSE_NOT_ALLOWED, Principal
from buraco.texts import DEFAULT_LANGUAGE

__all__ = ["forget_person", "forget_strays", "principal_of"]


def principal_of(person: Person, language: str = DEFAULT_LANGUAGE) -> Principal:
    """Return a person as the tables know them, who reads in this language."""
    account = person.person_id if person.login is not None else None
    return Principal(person.person_id, person.name, account, language=language, bot_of=person.owner_name)


async def forget_person(parts: Parts, person: Person) -> None:
    """Delete a person, and the bot accounts that they made. Bots play their seats on; matches stay, with nobody's name
    at the seat.

    Raises StorageError, sqlalchemy.exc.SQLAlchemyError; then it is to be done once more.
    """
    for bot in await parts.people.bots_of(person.person_id):
        await forget_person(parts, bot)
    await _forget(parts, principal_of(person))
    parts.log.info("person_deleted", person=person.person_id)


async def forget_strays(parts: Parts) -> int:
    """Delete what came of people while they were deleted, such as a table that somebody was just making; return of how
    many there was something. Raises as `forget_person` does."""
    strays = await parts.archive.strays()
    for person_id in strays:
        await _forget(parts, Principal(person_id, ""))
    return len(strays)


async def _forget(parts: Parts, principal: Principal) -> None:
    person_id = principal.token_id
    await parts.service.refresh()
    for line in parts.service.tables_of(principal):
        table = await parts.service.get(line.table)
        # A table that is not theirs, or that has a match on, stays for the others.
        seen = table.seen_fold(principal).version
        await table.handle(principal, CloseTable(id=f"forget-{secrets.token_hex(8)}", version=seen))
    await parts.service.forget(person_id)
    parts.sockets.close_person(person_id, CLOSE_NOT_ALLOWED, "the person was deleted")
    await parts.archive.forget(person_id)
    await parts.people.delete(person_id)
    parts.peers.forgotten(person_id)
