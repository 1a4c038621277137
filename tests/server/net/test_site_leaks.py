"""What the sockets of a seat are told by two servers, while they move from one to the other, is what the log of the
table gives that seat and nothing else; that this holds no hidden card `tests.server.core.test_leaks` shows."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import msgspec
import pytest

from buraco.engine import Host
from buraco.server.replaying import Fold
from buraco.server.snapshots import snapshot_of
from buraco.server.store import Store
from buraco.server.terms import Principal
from tests.server.core.leaks import PRIVATE_TAGS, shown_to_all
from tests.server.databases import database_url, only_site
from tests.server.net.clients import Guest, Seat
from tests.server.net.serving import Running, running_server
from tests.server.net.trials import Trial

pytestmark = [pytest.mark.anyio, only_site]

ROUNDS = 6
ACTIONS = 8


async def play_and_move(running: Running, rng: random.Random) -> tuple[Trial, dict[int, list[Seat]]]:
    """Play a match of four people who go to another server again and again, in the midst of their turns as well; return
    every socket that each of them had, the last one being that of somebody who watches."""
    trial = Trial(rng, (4, 4))
    await trial.begin(running)
    had: dict[int, list[Seat]] = {number: [_socket(line.seat)] for number, line in enumerate(trial.lines)}
    watcher = await Guest.make(running, "watcher")
    watching = await watcher.open(trial.table)
    await watching.hear()
    for number in range(ROUNDS):
        await trial.play(ACTIONS)
        for index, line in enumerate(trial.lines):
            before = _socket(line.seat)
            line.guest.running = running.at((index + number) % 2)
            had[index].append(await line.open(trial.table, line.version if rng.random() < 0.8 else None))
            await before.close()
    newest = max(line.version for line in trial.lines)
    await watching.until(lambda: watching.version >= newest)
    await watching.close()
    await trial.leave()
    return trial, {**had, len(trial.lines): [watching]}


def _socket(seat: Seat | None) -> Seat:
    assert seat is not None
    return seat


async def judge(data: Path, trial: Trial, had: dict[int, list[Seat]]) -> int:
    """Hold every message against the log; return how many views were compared. Raises AssertionError."""
    store = await Store.open(database_url(data))
    try:
        people, entries = await store.people_of(trial.table), await store.log_of(trial.table)
    finally:
        await store.close()
    told = [(number, message) for number, seats in had.items() for seat in seats for message in seat.heard]
    for number, message in told:
        for event in message.get("events", ()):
            assert event["event"] not in PRIVATE_TAGS or event["seat"] == number, "an event of another seat was told"
    views: dict[int, list[tuple[int, Any]]] = {}
    for number, message in told:
        if message.get("view") is not None:
            views.setdefault(message["version"], []).append((number, message["view"]))
    fold, compared = Fold(people), 0
    for logged in entries:
        fold.apply(logged)
        for number, view in views.get(logged.seq, ()):
            receiver = (
                Principal(people[number].token_id, people[number].name)
                if number < len(trial.lines)
                else Principal("nobody", "nobody")
            )
            given = snapshot_of(fold, receiver).view
            assert msgspec.json.decode(msgspec.json.encode(given)) == view, "a view shows what the log does not give"
            compared += 1
    return compared


async def test_who_moves_between_two_servers_is_told_what_the_seat_may_know_and_nothing_else(tmp_path: Path) -> None:
    async with running_server(tmp_path) as running:
        trial, had = await play_and_move(running, random.Random(2))
    assert {len(seats) for number, seats in had.items() if number < 4} == {ROUNDS + 1}
    assert await judge(tmp_path, trial, had) > ACTIONS * ROUNDS


async def test_a_server_that_shows_a_hand_to_who_comes_from_the_other_is_found_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as planted:
        planted.setattr(Host, "view", shown_to_all(Host.view))
        async with running_server(tmp_path) as running:
            trial, had = await play_and_move(running, random.Random(2))
    with pytest.raises(AssertionError, match="a view shows"):
        await judge(tmp_path, trial, had)
