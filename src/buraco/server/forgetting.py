"""Deletes a person from everything: seats, open sockets, what is kept of matches, the account, and themselves."""

from __future__ import annotations

import secrets

from buraco.server.accounts import Person
from buraco.server.archive import DELETED
from buraco.server.messages import CloseTable, Leave
from buraco.server.parts import Parts
from buraco.server.replaying import Person as Member
from buraco.server.terms import CLOSE_NOT_ALLOWED, Principal

__all__ = ["forget_person", "principal_of"]


def principal_of(person: Person) -> Principal:
    """Return a person as the tables know them."""
    return Principal(person.person_id, person.name, person.person_id if person.login is not None else None)


async def forget_person(parts: Parts, person: Person) -> None:
    """Delete a person. Bots play their seats on; matches stay, with nobody's name at the seat."""
    principal = principal_of(person)
    for line in parts.service.tables_of(principal):
        table = await parts.service.get(line.table)
        for message in (Leave, CloseTable):
            # A table that does not let them, such as a match that is over, is left as it is.
            await table.handle(principal, message(id=f"forget-{secrets.token_hex(8)}", version=table.version))
    parts.sockets.close_person(person.person_id, CLOSE_NOT_ALLOWED, "the person was deleted")
    await parts.archive.forget(person.person_id)
    for table in parts.service.tables:
        member = table.fold.person_of(principal)
        if member is not None:
            table.fold.add_person(Member(member.number, "", None, DELETED, member.seen_ms))
    await parts.people.delete(person.person_id)
    parts.log.info("person_deleted", person=person.person_id)
