"""Lets a bot of the line protocol (docs/bot-protocol.md) play at a table of a server, under a bot account.

    python examples/bridge.py --server http://127.0.0.1:8321 --table K7MPQ2 -- python examples/highest_meld.py

The token of the account comes from BURACO_BOT_TOKEN, or from --token. It needs buraco[server].
"""

from __future__ import annotations

import argparse
import itertools
import json
import os
import secrets
import shlex
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from typing import Any

from websockets.exceptions import ConnectionClosed, InvalidHandshake
from websockets.sync.client import ClientConnection, connect

from buraco.arena import BotFault, ExternalBot
from buraco.bots import Limit
from buraco.engine import SeatView
from buraco.errors import BuracoError
from buraco.notation import position_from_json

FINAL_CODES = frozenset({4000, 4001, 4003, 4004})  # Coming back would not help (docs/protocol.md).
TOO_LATE = frozenset({"no_seed_wanted", "stale_version"})
FAULTS_MAX = 3
PAUSE_MAX_S = 30


class Stop(Exception):
    """There is nothing left to do; its text says why, ``code`` is the exit code."""

    def __init__(self, told: str, code: int) -> None:
        super().__init__(told)
        self.code = code


class Server:
    """The server, asked as the bot account."""

    def __init__(self, address: str, token: str) -> None:
        self.address = address.rstrip("/")
        self.headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}

    def ask(self, method: str, path: str, body: object = None) -> dict[str, Any]:
        """Send a request; a problem has a ``code`` and a ``detail``."""
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.address + path, data, self.headers, method=method)
        try:
            with urllib.request.urlopen(request, timeout=30) as response:
                found: dict[str, Any] = json.load(response)
        except urllib.error.HTTPError as error:
            found = json.load(error)
        return found

    def connect(self, table: str) -> ClientConnection:
        """Open the socket of a table."""
        address = f"{self.address.replace('http', 'ws', 1)}/api/tables/{table}/socket"
        headers = {"Authorization": self.headers["Authorization"]}
        return connect(address, additional_headers=headers, max_size=None, proxy=None)


class Seat:
    """The seat at the table: takes in what the server tells, and does the next thing that is to be done there."""

    def __init__(self, server: Server, options: argparse.Namespace, bot: ExternalBot) -> None:
        self.server, self.options, self.bot = server, options, bot
        self.ids = (f"bridge-{secrets.token_hex(4)}-{number}" for number in itertools.count())
        self.known: dict[str, Any] = {}
        self.waits_for = ""
        self.sent: tuple[object, ...] = ()

    def play(self, socket: ClientConnection) -> None:
        """Play until the socket closes. Raises Stop, ConnectionClosed."""
        self.waits_for, self.sent = "", ()
        for text in socket:
            message = json.loads(text)
            if message["type"] in ("snapshot", "update"):
                self.known |= {name: value for name, value in message.items() if value is not None}
            elif message["type"] in ("ack", "refused") and message["id"] == self.waits_for:
                self.waits_for = ""
                if message["type"] == "refused" and message["code"] not in TOO_LATE:
                    sys.stderr.write(f"refused: {message['code']}: {message['text']}\n")
            if not self.waits_for and self.known:
                self.send(socket, next(self.wanted(), None))

    def send(self, socket: ClientConnection, wanted: dict[str, Any] | None) -> None:
        """Send what is wanted, unless the same was sent in the same state of the table."""
        version = (wanted or {}).pop("version", self.known["version"])
        if wanted is None or (wanted["type"], version) == self.sent:
            return
        self.sent, self.waits_for = (wanted["type"], version), next(self.ids)
        socket.send(json.dumps({"id": self.waits_for, "version": version, **wanted}))

    def wanted(self) -> Iterator[dict[str, Any]]:
        """Yield what is to be said now, the first thing first. Raises Stop."""
        table, seat = self.known["table"], self.known["you"]["seat"]
        if table["phase"] == "closed" or seat is None:
            raise Stop("the table is closed" if seat is not None else "the bot has no seat here", 0)
        own, offers = table["seats"][seat], table["offers"]
        if own["played_by_bot"]:
            yield {"type": "take_back"}
        if table["phase"] in ("open", "between") and not own["ready"]:
            yield {"type": "ready"}
        if table["phase"] == "finished":
            if not self.options.rematch:
                raise Stop(f"the match is over: {table['result']['totals']}", 0)
            if seat not in offers["rematch"]:
                yield {"type": "rematch"}
        if table["phase"] == "shuffling" and table["fair"] and seat not in table["fair"]["seeds_from"]:
            yield {"type": "seed", "deal": table["fair"]["deal"], "seed": secrets.token_hex(32)}
        for offer, asked in (("resign", offers["resign_asked"][seat % 2]), ("draw", offers["draw_asked"])):
            # It does not hold up what all the others agree to.
            if seat in asked and set(asked) - set(offers[offer]) == {seat} and len(asked) > 1:
                yield {"type": offer}
        if table["phase"] == "playing" and self.known["view"]["turn_seat"] == seat:
            yield from self.action(table)

    def action(self, table: dict[str, Any]) -> Iterator[dict[str, Any]]:
        """Yield the action that the bot chooses. Raises Stop after too many faults in a row."""
        found = self.server.ask("GET", f"/api/tables/{table['table']}/position")
        if not found.get("legal"):
            return
        ids = tuple(one["id"] for one in found["legal"])
        view = SeatView(position_from_json(found["position"]), found["seat"], ids)
        ms, deadline = self.options.ms, table["clocks"]["deadline_ms"]
        if deadline is not None:
            ms = max(1, min(ms, deadline - self.known["at_ms"] - 500))
        for _ in range(FAULTS_MAX):
            try:
                action = self.bot.choose(view, Limit(ms=ms)).action
            except BotFault as fault:
                sys.stderr.write(f"the bot failed ({fault.code}): {fault.message}\n")
            else:
                yield {"type": "act", "action": action, "version": found["version"]}
                return
        raise Stop("the bot failed too often; one of the server's will play its seat", 1)


def play_table(server: Server, options: argparse.Namespace, bot: ExternalBot) -> None:
    """Take a seat and play, coming back after every lost connection. Raises Stop."""
    seat, pause, joined = Seat(server, options, bot), 1, False
    while True:
        try:
            if not joined:
                answer = server.ask("POST", f"/api/tables/{options.table}/join", {"seat": options.seat})
                if "detail" in answer and answer["code"] != "already_seated":
                    raise Stop(f"no seat: {answer['detail']}", 1)
                joined = True
            with server.connect(options.table) as socket:
                sys.stdout.write(f"connected to table {options.table}\n")
                sys.stdout.flush()
                pause = 1
                seat.play(socket)
        except ConnectionClosed as closed:
            if closed.rcvd is not None and closed.rcvd.code in FINAL_CODES:
                raise Stop(f"closed: {closed.rcvd.reason}", 1) from None
        except (OSError, ValueError, InvalidHandshake) as error:
            sys.stderr.write(f"no connection: {error}\n")
        time.sleep(pause)
        pause = min(2 * pause, PAUSE_MAX_S)


def main() -> int:
    """Read the options and play; return the exit code."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--server", default="http://127.0.0.1:8321", help="the address of the server")
    parser.add_argument("--token", default=os.environ.get("BURACO_BOT_TOKEN", ""), help="of the bot account")
    parser.add_argument("--table", required=True, help="the code of the table, from an invitation")
    parser.add_argument("--seat", type=int, help="which seat; without it the first free one")
    parser.add_argument("--ms", type=int, default=2000, help="the most milliseconds for an action")
    parser.add_argument("--rematch", action="store_true", help="stay for another match when one is over")
    parser.add_argument("command", nargs="+", help="the bot's program, after --")
    options = parser.parse_args()
    if options.ms < 1 or not options.server.startswith(("http://", "https://")):
        parser.error("--ms takes a number from 1 on, --server an address such as https://cards.example")
    if not options.token:
        parser.error("the bot account's token is needed: BURACO_BOT_TOKEN, or --token")
    # What this program knows and the bot need not.
    os.environ.pop("BURACO_BOT_TOKEN", None)
    try:
        bot = ExternalBot(shlex.join(options.command))
    except BuracoError as error:
        parser.error(str(error))
    with bot:
        try:
            play_table(Server(options.server, options.token), options, bot)
        except Stop as stop:
            (sys.stderr if stop.code else sys.stdout).write(f"{stop}\n")
            return stop.code
        except KeyboardInterrupt:
            return 130
    return 0


if __name__ == "__main__":
    sys.exit(main())
