"""Matches with fair shuffles for tests: a server, honest unless a test makes it cheat, and clients that keep notes."""

from __future__ import annotations

import functools
import random
from dataclasses import dataclass, field, replace
from hashlib import sha256
from typing import Any

from buraco.engine import DealSeeds, Host, Match, shuffled_pack
from buraco.notation import DealWitness, Record, SeatRecord, Witness, parse_action, record_of
from buraco.rules import get_rules

__all__ = ["BOT_SEAT", "SILENT_SEAT", "FairTable", "fair_record", "secret", "with_deal"]

BOT_SEAT = 1
SILENT_SEAT = 3
_LAST_DISCARD = parse_action("discard X")


def secret(*parts: object) -> bytes:
    """Return 32 bytes that stand for random ones."""
    return sha256(repr(parts).encode()).digest()


@dataclass
class FairTable:
    """A table of 2 or 4 seats: seat 1 is a bot, seat 3 a person whose client stays silent, the others give seeds.

    Every method is one duty of the server, so that a test can override the one with which it cheats.
    """

    rules: str
    players: int = 4
    deals: int = 2
    name: str = "k7-31"
    seats: list[SeatRecord] = field(default_factory=list)

    def server_seed(self, deal: int) -> bytes:
        """Draw the seed of the server for a deal."""
        return secret("server", deal)

    def client_seed(self, deal: int, seat: int) -> bytes | None:
        """Return what a client gives."""
        return None if seat in (BOT_SEAT, SILENT_SEAT) else secret("client", deal, seat)

    def seeds(self, deal: int) -> DealSeeds:
        """Return the seeds of a deal once all clients had their say."""
        found = DealSeeds(self.name, deal, self.server_seed(deal), (None,) * self.players)
        for seat in range(self.players):
            own = self.client_seed(deal, seat)
            found = found if own is None else found.with_player_seed(seat, own)
        return found

    def dealt_seed(self, deal: int) -> bytes:
        """Return the seed from which a deal is drawn."""
        return self.seeds(deal).deal_seed

    def pack(self, deal: int) -> tuple[int, ...]:
        """Return the pack that is dealt."""
        return shuffled_pack(get_rules(self.rules), self.dealt_seed(deal), self.name, deal)

    def match(self) -> Match:
        """Return the match before its first deal."""
        rules = get_rules(self.rules).replace(target_points=0, deal_count=self.deals)
        return Match(rules, self.players, seed=self.dealt_seed(1), name=self.name, own_seeds=True)

    def cut_aim(self, deal: int) -> int | None:
        """Return how many cards the cutter tries to lift."""
        return 20 + deal if get_rules(self.rules).cut_bonus else None

    def play(self, *, with_packs: bool = False, last: int = 10**6) -> Record:
        """Play the match, the last deal for so many actions at most, and return its record."""
        host = Host(self.match())
        starts = []
        for deal in range(1, self.deals + 1):
            aim, pack = self.cut_aim(deal), self.pack(deal)
            starts.append(host.next_deal(seed=self.dealt_seed(deal), pack=pack, cut_aim=aim))
            _play_deal(host, random.Random(deal), last if deal == self.deals else 10**6)
        bots = {BOT_SEAT: "greedy"}
        seats = [SeatRecord(f"Seat {seat}", bots.get(seat, "")) for seat in range(self.players)]
        seeds = [self.seeds(deal) for deal in range(1, self.deals + 1)]
        return record_of(host, starts, seats, seeds=seeds, with_packs=with_packs)

    def witness(self, seat: int, record: Record) -> Witness:
        """Return what the client of a seat kept at an honest table, whose cards were those of the record."""
        seen = []
        for deal in record.deals:
            honest = FairTable.seeds(self, deal.number)
            own = self.client_seed(deal.number, seat) if seat >= 0 else None
            given = tuple("" if one is None else one.hex() for one in honest.player_seeds)
            told = DealWitness(number=deal.number, commitment=honest.commitment.hex(), player_seeds=given)
            aim = deal.cut.aim if deal.cut is not None and deal.cut.seat == seat else -1
            seen.append(replace(told, player_seed="" if own is None else own.hex(), cut_aim=aim))
        return Witness(self.name, seat, tuple(seen))


def _play_deal(host: Host, source: random.Random, actions: int) -> None:
    for _ in range(actions):
        seat = host.seat
        if seat is None:
            return
        legal = host.view(seat).legal
        host.act(seat, source.choice([action for action in legal if action > _LAST_DISCARD] or legal))


@functools.cache
def fair_record(rules: str = "aberto", players: int = 4, *, with_packs: bool = False, last: int = 10**6) -> Record:
    """Return the record of a match at an honest table."""
    return FairTable(rules, players).play(with_packs=with_packs, last=last)


def with_deal(record: Record, number: int, **changes: Any) -> Record:
    """Return a record with a deal changed."""
    deals = list(record.deals)
    deals[number - 1] = replace(deals[number - 1], **changes)
    return replace(record, deals=tuple(deals))
