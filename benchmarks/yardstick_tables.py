"""Matches of the yardstick (``yardstick/server.cjs``) with four scripted clients each, who take random legal steps."""

from __future__ import annotations

import random
from collections.abc import Sequence
from functools import partial
from typing import Any, Final

import httpx
import msgspec

from benchmarks.load import SEATS, Table
from benchmarks.wire import Wire, connect

__all__ = ["YardstickTable", "sit_down"]

_GAME: Final = "yardstick"


class _View(msgspec.Struct):
    legal: list[list[Any]]


class _State(msgspec.Struct):
    G: _View
    state_id: int = msgspec.field(name="_stateID")


class _Sync(msgspec.Struct):
    state: _State


_update: Final = msgspec.json.Decoder(tuple[str, str, _State, Any])
_sync: Final = msgspec.json.Decoder(tuple[str, str, _Sync])


class YardstickTable(Table):
    """A match of the yardstick in play."""

    def __init__(self, seed: int, match: str, credentials: list[str]) -> None:
        super().__init__()
        self._rng = random.Random(seed)
        self._match = match
        self._credentials = credentials
        self.wires: dict[int, Wire] = {}
        self._legal: list[list[list[Any]]] = [[] for _ in range(SEATS)]
        self._state = 0

    def hear(self, seat: int, wire: Wire, data: bytes) -> None:
        """Take in a packet to a seat: those of Engine.IO begin with a digit, those of Socket.IO with two."""
        self.wires[seat] = wire
        if data == b"2":
            self.wires[seat].say(b"3")
        elif data.startswith(b"0"):
            self.wires[seat].say(f"40/{_GAME},".encode())
        elif data.startswith(b"40"):
            self._emit(seat, ["sync", self._match, str(seat), self._credentials[seat], SEATS])
        elif data.startswith(b"42"):
            self._event(seat, data[data.index(b"[") :])

    def _event(self, seat: int, data: bytes) -> None:
        if data.startswith(b'["update"'):
            state = _update.decode(data)[2]
        elif data.startswith(b'["sync"'):
            state = _sync.decode(data)[2].state
        else:
            return
        self._state = max(self._state, state.state_id)
        self.arrived(state.state_id)
        self._legal[seat] = state.G.legal
        if state.G.legal:
            self.look()

    def _emit(self, seat: int, event: list[Any]) -> None:
        self.wires[seat].say(f"42/{_GAME},".encode() + msgspec.json.encode(event))

    def act(self) -> int | None:
        """Send a random legal move of the player to act, and return the number of the state that it makes."""
        for seat in range(SEATS):
            legal = self._legal[seat]
            if not legal:
                continue
            self._legal[seat] = []
            kind, *values = self._rng.choice(legal)
            payload = {"type": kind, "args": values, "playerID": str(seat), "credentials": self._credentials[seat]}
            action = {"type": "MAKE_MOVE", "payload": payload}
            self._emit(seat, ["update", action, self._state, self._match, str(seat)])
            return self._state + 1
        return None

    def close(self) -> None:
        """Close every socket."""
        for wire in self.wires.values():
            wire.close()


async def sit_down(client: httpx.AsyncClient, addresses: Sequence[str], seed: int) -> YardstickTable:
    """Make a match with four players at the first address, and open their sockets."""
    address = addresses[0]
    made = await client.post(f"{address}/games/{_GAME}/create", json={"numPlayers": SEATS})
    match = made.raise_for_status().json()["matchID"]
    credentials = []
    for seat in range(SEATS):
        body = {"playerID": str(seat), "playerName": "Ana"}
        joined = await client.post(f"{address}/games/{_GAME}/{match}/join", json=body)
        credentials.append(joined.raise_for_status().json()["playerCredentials"])
    table = YardstickTable(seed, match, credentials)
    where = f"{address.replace('http', 'ws', 1)}/socket.io/?EIO=4&transport=websocket"
    for seat in range(SEATS):
        await connect(where, {}, partial(table.hear, seat))
    return table
