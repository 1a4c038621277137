"""A table without database and without time: its log is made on the spot, for tests that look at every state."""

from __future__ import annotations

import random
from collections.abc import Iterator

from buraco.bots import Limit, make_bot
from buraco.rules import to_json
from buraco.server import entries as log
from buraco.server import messages as msg
from buraco.server.deciding import decide
from buraco.server.due import BotTurn, Wait, due
from buraco.server.replaying import Fold, Person
from buraco.server.service import rules_of
from buraco.server.terms import Principal
from tests.server.core.playing import START_MS, seeded_entropy, some_action, someone

__all__ = ["AllHere", "created", "dry_log", "dry_people", "next_entry"]


class AllHere:
    """Everybody is here."""

    def away_since_ms(self, member: int) -> int | None:  # noqa: ARG002
        """Nobody is away."""
        return None

    def empty_since_ms(self) -> int | None:
        """The table is not empty."""
        return None


def dry_people(count: int) -> list[Person]:
    """Return the members of a dry table, named after their numbers."""
    people = [someone(f"p{number}") for number in range(1, count + 1)]
    return [Person(number, one.token_id, None, one.name) for number, one in enumerate(people, 1)]


def principal_of(person: Person) -> Principal:
    """Return the principal that a member is."""
    return Principal(person.token_id, person.name)


def created(options: msg.TableOptions) -> log.Created:
    """Return the first entry of a table with these options, with times that bore nobody."""
    return log.Created(
        by=1,
        format=log.LOG_FORMAT,
        table="dry",
        code="DRYDRY",
        rules=to_json(rules_of(options)),
        players=options.players,
        clock=options.clock,
        bot_level="greedy",
        fill_with_bots=True,
        public=options.public,
        spectators=options.spectators,
        spectator_delay_ms=options.spectator_delay_ms,
        spectator_chat=options.spectator_chat,
        open_hands=options.open_hands,
        chat=options.chat,
        undo=options.undo,
        hints=options.hints,
        away_ms=30_000,
        seed_wait_ms=0,
        next_deal_ms=0,
        forfeit_ms=300_000,
        timeouts_max=2,
        abandon_open_ms=10**9,
        abandon_ms=10**9,
        bot_pause_ms=0,
    )


def next_entry(fold: Fold, source: random.Random, entropy_seed: int) -> log.Entry | None:
    """Return what happens next at a table whose match is on: by itself, or by whoever is to act; None at its end."""
    entropy = seeded_entropy(entropy_seed + fold.version)
    step = due(fold, AllHere(), fold.now_ms, entropy)
    if isinstance(step, BotTurn):
        assert fold.host is not None
        decision = make_bot("greedy", entropy_seed).choose(fold.host.view(step.seat), Limit())
        return log.Acted(seat=step.seat, action=decision.action)
    if not isinstance(step, Wait):
        return step
    if fold.phase != "playing" or fold.host is None or fold.host.seat is None:
        return None
    seat = fold.host.seat
    principal = principal_of(fold.people[fold.seats[seat].member])
    undo = fold.host.can_undo(seat)
    message: msg.ClientMessage
    if undo and source.random() < 0.1:
        message = msg.Undo(id=f"m{fold.version}", version=fold.version, count=source.randint(1, undo))
    else:
        action = some_action(fold.host.view(seat).legal, source)
        message = msg.Act(id=f"m{fold.version}", version=fold.version, action=action)
    return decide(fold, principal, message, fold.now_ms)


def dry_log(options: msg.TableOptions, people_count: int, seed: int) -> Iterator[tuple[Fold, log.Logged]]:
    """Yield every entry of a whole match, each with the fold that it is about to be applied to.

    The people sit at the first seats, bots at the others. Whoever gets a pair may look, and has to leave the fold as it
    is: it is applied here.
    """
    source = random.Random(seed)
    fold = Fold(dry_people(people_count))
    first: list[log.Entry] = [created(options)]
    first += [log.Sat(by=number, seat=number - 1) for number in range(1, people_count + 1)]
    first.append(log.MatchOpened(by=1, bots=tuple(range(people_count, options.players))))
    while True:
        entry = first.pop(0) if first else next_entry(fold, source, seed)
        if entry is None:
            return
        logged = log.Logged(fold.version + 1, START_MS + fold.version, entry)
        yield fold, logged
        fold.apply(logged)
