"""Hostile messages to a table without network: of every kind, by anybody, stale, early, replayed, with odd fields.

``python -m tests.server.core.fuzzing --count 200000 --seed 1`` sends many more than the tests do.
"""

from __future__ import annotations

import argparse
import asyncio
import random
import sys
import tempfile
from collections import Counter
from pathlib import Path
from typing import Any, Final

import msgspec

from buraco.cards import card_text
from buraco.engine import ACTION_COUNT
from buraco.rules import RULE_SETS
from buraco.server import messages as msg
from buraco.server.deciding import PHRASES
from buraco.server.options import ClockOptions
from buraco.server.table import Table
from buraco.server.terms import SubscriptionClosed
from tests.server.core.playing import Club, Player, club, some_action
from tests.server.progress import GoOn, Progress, add_minutes, always

__all__ = ["fuzz"]

ROUND: Final = 500
"""So many messages are sent to one table, then a new one is made."""

_QUESTIONS: Final = (msg.Probe, msg.Why, msg.Hint, msg.Explain, msg.Resume)
_KINDS: Final[tuple[type[Any], ...]] = msg.CLIENT_MESSAGES
_ENDING: Final = (msg.Resign, msg.Draw, msg.CloseTable, msg.Leave)
"""What soon ends a match, and is therefore sent more seldom than the rest."""
_NEED_SEAT: Final = (msg.Act, msg.Undo, msg.Seed, msg.Resign, msg.Draw, msg.ClaimForfeit, msg.TakeBack, msg.Leave)


def _card(source: random.Random) -> str:
    return source.choice([card_text(source.randrange(53)), "X", "zz", "7", "10h"])


def _value(name: str, source: random.Random) -> Any:
    """Return a value for a member of a message, likely or not."""
    number = source.choice(
        [0, 1, 2, 3, 7, 57, ACTION_COUNT - 1, ACTION_COUNT, source.randrange(ACTION_COUNT), 2**53 - 1]
    )
    match name:
        case "seat":
            return source.randrange(4)
        case "level":
            return source.choice([None, "greedy", "random", "genius"])
        case "seed":
            return source.choice(["ab" * 32, source.randbytes(32).hex()])
        case "deal" | "member":
            return max(1, number)
        case "count" | "meld" | "cut_aim":
            return source.choice([None, max(1, number % 40)])
        case "cards":
            return [_card(source) for _ in range(source.randint(1, 14))]
        case "text":
            return source.choice(["hello", " ", "a\nb", "\u202e", "x" * 300, "ok\u0000"])
        case "phrase":
            return source.choice([*PHRASES, "nothing"])
        case "ready" | "agree" | "muted":
            return source.random() < 0.5
    return number


def _message(table: Table, source: random.Random, used: list[msg.ClientMessage], number: int) -> msg.ClientMessage:
    """Return a message: an old one again, or a new one of any kind."""
    if used and source.random() < 0.15:
        return source.choice(used)
    kind = source.choice(_KINDS)
    if kind in _ENDING and source.random() < 0.9:
        kind = msg.Act
    names = [name for name in kind.__struct_fields__ if name not in ("id", "version")]
    version = table.version
    seen = source.choice([version, version, version, max(0, version - source.randrange(9)), version + 1, 0])
    fields = {name: _value(name, source) for name in names}
    made = kind(id=f"f{number}", version=seen, **fields)
    # What the reader of messages would not let through never comes to a table.
    try:
        return msg.decode_client(msg.encode(made))
    except msgspec.ValidationError:
        return msg.Ready(id=f"f{number}", version=seen)


def _news(player: Player) -> list[msg.ServerMessage]:
    """Return what has come, also from a subscription that has ended with it."""
    found: list[msg.ServerMessage] = []
    try:
        while (message := player.subscription.next_now()) is not None:
            found.append(message)
    except SubscriptionClosed:
        assert player.table.closed
    return found


class Judge:
    """Holds every reply to what it promises."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.replies: dict[tuple[str, str], msg.Reply] = {}
        self.tally: Counter[str] = Counter()

    async def send(self, player: Player, message: msg.ClientMessage) -> None:
        """Send a message and judge what comes of it. Raises AssertionError."""
        table, fold = self.table, self.table.fold
        await table.settled()
        version, seat, turn = table.version, player.seat, None if fold.host is None else fold.host.seat
        _news(player)
        reply = await table.handle(player.principal, message, player.subscription)
        assert [one for one in _news(player) if isinstance(one, msg.Ack | msg.Refused)] == [reply]
        assert reply.id == message.id
        key = (player.principal.token_id, message.id)
        known = self.replies.get(key)
        if known is not None:
            assert reply == known, "the same id has another reply"
        if isinstance(reply, msg.Refused):
            self.tally[reply.code] += 1
            assert reply.text
        else:
            self.tally["ack"] += 1
            self._judge_ack(message, reply, version, seat, turn, known is not None)
        self.replies[key] = reply
        if isinstance(reply, msg.Refused) or known is not None or isinstance(message, _QUESTIONS):
            assert table.version == version, "a message without effect changed the table"

    def _judge_ack(
        self, message: msg.ClientMessage, reply: msg.Ack, version: int, seat: int | None, turn: int | None, known: bool
    ) -> None:
        if known or isinstance(message, _QUESTIONS):
            return
        assert reply.version == version + 1
        assert message.version <= version
        if isinstance(message, _NEED_SEAT):
            assert seat is not None, "somebody without a seat was obeyed"
        if isinstance(message, msg.Act | msg.Undo):
            assert seat == turn, "somebody acted out of turn"


async def _round(here: Club, source: random.Random, count: int) -> Counter[str]:
    """Send messages to a new table. Raises AssertionError."""
    rules = source.choice(sorted(name for name, one in RULE_SETS.items() if 4 in one.player_counts))
    clock = ClockOptions(kind=source.choice(["none", "turn", "bank"]))
    table, people = await here.table_of("ana", "bob", "cid", rules=rules, clock=clock, deal_count=2, hints=True)
    if source.random() < 0.8:
        for player in people[1:]:
            await player.done(msg.Ready)
        await people[0].done(msg.Start)
    everyone = [*people, here.join(table, "eve")]
    judge, used = Judge(table), list[msg.ClientMessage]()
    for number in range(count):
        if table.closed:
            break
        await table.settled()
        player = source.choice(everyone)
        host = table.fold.host
        if host is not None and host.seat is not None and player.seat == host.seat and source.random() < 0.5:
            action = some_action(host.view(host.seat).legal, source)
            message: msg.ClientMessage = msg.Act(id=f"f{number}", version=table.version, action=action)
        else:
            message = _message(table, source, used, number)
        await judge.send(player, message)
        used.append(message)
        if source.random() < 0.02:
            await here.turn(source.choice([100, 20_000, 90_000]), table)
    await table.settled()
    return judge.tally


async def fuzz(count: int, seed: int, path: Path, go_on: GoOn = always) -> Counter[str]:
    """Send so many messages to tables in a folder; return the replies by their codes. Raises AssertionError."""
    source, tally, left = random.Random(seed), Counter[str](), count
    async with club(path, seed=seed) as here:
        while left > 0 and go_on(count - left):
            tally += await _round(here, source, min(ROUND, left))
            left = count - tally.total()
            for table in here.service.tables:
                await table.admin_close()
    return tally


def main() -> None:
    """Read the command line and fuzz."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=200_000, help="how many messages")
    parser.add_argument("--seed", type=int, default=1)
    add_minutes(parser, 60)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        go_on = Progress("messages", arguments.count, arguments.minutes)
        tally = asyncio.run(fuzz(arguments.count, arguments.seed, Path(folder), go_on))
    for code, count in tally.most_common():
        sys.stdout.write(f"{count:9} {code}\n")


if __name__ == "__main__":
    main()
