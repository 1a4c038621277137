"""No card reaches anybody who may not know it; and each of these tests fails where a leak is planted."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import Any

import pytest

from buraco.engine import Host, Refusal, SeatView
from buraco.engine.events import CardDrawn, HandDealt, MortoSeen, PileRestSeen
from buraco.server import entries as log
from buraco.server import messages as msg
from buraco.server import probe, spectating
from buraco.server.matchplay import Heard
from buraco.server.replaying import Fold, Person
from buraco.server.snapshots import snapshot_of
from buraco.server.spectating import Teller
from buraco.server.subscriptions import Subscription
from tests.server.core import leaks
from tests.server.core.dry import dry_log
from tests.server.core.leaks import PRIVATE_TAGS, check_state, check_step, receiver, shown_to_all
from tests.unit.making import game_sets

CASES = game_sets()


def options_of(rules: str, players: int) -> msg.TableOptions:
    return msg.TableOptions(rules=rules, players=2 if players == 2 else 4, deal_count=1)


@pytest.mark.parametrize(("rules", "players"), CASES)
def test_nothing_told_in_a_match_depends_on_hidden_cards(rules: str, players: int) -> None:
    source = random.Random(f"{rules} {players}")
    states = 0
    everyone = [*range(players), None]
    for fold, logged in dry_log(options_of(rules, players), players, seed=players):
        if fold.phase != "playing":
            continue
        states += 1
        if source.random() < 0.35:
            check_state(fold, source.choice(everyone), source)
        if source.random() < 0.5:
            check_step(fold, logged, source.choice(everyone), source)
    assert states > 15


@pytest.mark.parametrize("rules", ["aberto", "fechado", "burraco"])
def test_no_message_holds_a_seed_before_it_is_revealed(rules: str) -> None:
    fold: Fold | None = None
    for fold, logged in dry_log(options_of(rules, 4), 2, seed=3):
        play = fold.play
        if play is None or not play.seeds or fold.phase not in ("shuffling", "playing"):
            continue
        secrets = (play.seeds[-1].seed.hex(), play.seeds[-1].deal_seed.hex())
        for seat in (0, 1, None):
            text = msg.encode(snapshot_of(fold, receiver(fold, seat))).decode()
            assert not any(secret in text for secret in secrets)
        assert logged.seq
    assert fold is not None


@pytest.mark.parametrize("rules", ["aberto", "fechado"])
def test_private_events_go_to_their_seat_only(rules: str, monkeypatch: pytest.MonkeyPatch) -> None:
    heard: list[Heard] = []
    honest = Fold.apply

    def spy(self: Fold, logged: log.Logged) -> list[Heard]:
        found = honest(self, logged)
        heard.extend(found)
        return found

    monkeypatch.setattr(Fold, "apply", spy)
    for _ in dry_log(options_of(rules, 4), 2, seed=4):
        pass
    for one in heard:
        if isinstance(one.event, CardDrawn | HandDealt | MortoSeen | PileRestSeen):
            assert one.seat == one.event.seat
        else:
            assert one.seat is None
    assert {"CardDrawn", "HandDealt", "MortoSeen"} <= {type(one.event).__name__ for one in heard}


@pytest.mark.parametrize("rules", ["aberto", "fechado"])
def test_a_resume_tells_each_seat_its_own_events_only(rules: str) -> None:
    entries = []
    people: list[Person] = []
    for fold, logged in dry_log(options_of(rules, 4), 4, seed=2):
        people = [replace(one) for one in fold.people.values()]
        entries.append(logged)
    teller = Teller(people, 10_000)
    ended = max(one.seq for one in entries if isinstance(one.entry, log.MatchOpened))
    for one in entries[:-1]:
        teller.apply(one)
    for seat in (0, 1, 2, 3, None):
        to = Subscription(receiver(teller.fold, seat), 10_000, snapshot=teller.snapshot, on_close=lambda _: None)
        teller.resume(to, ended)
        seen = set()
        while (message := to.next_now()) is not None:
            assert isinstance(message, msg.Update)
            for event in message.events:
                tag = str(event.__struct_config__.tag)
                if tag in PRIVATE_TAGS:
                    assert event.seat == seat  # type: ignore[union-attr]
                    seen.add(tag)
        assert bool(seen) == (seat is not None)


# Planted leaks: each check has to find its own.


def look_everywhere(rules: str) -> None:
    source = random.Random(1)
    for fold, logged in dry_log(options_of(rules, 4), 2, seed=1):
        if fold.phase == "playing":
            for seat in (0, 1, None):
                check_state(fold, seat, source)
                check_step(fold, logged, seat, source)


def test_a_snapshot_that_shows_another_hand_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Host, "view", shown_to_all(Host.view))
    with pytest.raises(AssertionError, match="snapshot"):
        look_everywhere("aberto")


def test_a_snapshot_that_depends_on_the_stock_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    honest = Host.can_undo

    def leaky(self: Host, seat: int) -> int:
        stock = self.position().stock or (0,)
        return honest(self, seat) + stock[0] % 2

    monkeypatch.setattr(Host, "can_undo", leaky)
    with pytest.raises(AssertionError, match="snapshot"):
        look_everywhere("aberto")


def test_an_update_that_tells_everyone_the_drawn_card_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    def leaky(change: spectating.Change, _: Any, *, hands_open: bool) -> tuple[Any, ...]:  # noqa: ARG001
        return tuple(spectating._message(one.event if isinstance(one, Heard) else one) for one in change.happened)

    monkeypatch.setattr(spectating.Change, "events_for", leaky)
    with pytest.raises(AssertionError, match="told of an act"):
        look_everywhere("aberto")


def test_a_refusal_that_depends_on_the_stock_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    honest = Host.why

    def leaky(self: Host, seat: int, action: int) -> Refusal | None:
        found = honest(self, seat, action)
        if found is None:
            return None
        return Refusal(found.code, found.text, str((self.position().stock or (0,))[0]))

    monkeypatch.setattr(Host, "why", leaky)
    with pytest.raises(AssertionError, match=r"refusal|probe"):
        look_everywhere("aberto")


def test_a_probe_that_searches_the_real_state_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    honest = probe.probe_cards

    def leaky(host: Host, seat: int, words: list[str], meld: int | None) -> msg.ProbeResult:
        found = honest(host, seat, words, meld)
        stock = host.position().stock or (0,)
        return msg.ProbeResult(options=found.options, code=found.code, text=f"{found.text}{stock[0]}")

    monkeypatch.setattr(leaks, "probe_cards", leaky)
    with pytest.raises(AssertionError, match="probe"):
        look_everywhere("aberto")


def test_a_hint_that_looks_at_the_real_state_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    class Cheat:
        def __init__(self) -> None:
            self.count = 0

        def choose(self, view: SeatView, limit: Any) -> int:  # noqa: ARG002
            self.count += 1
            return self.count

    cheat = Cheat()
    monkeypatch.setattr(leaks, "make_bot", lambda *_: cheat)
    with pytest.raises(AssertionError, match="hint"):
        look_everywhere("aberto")
