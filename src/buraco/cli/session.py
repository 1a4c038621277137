"""A match between a person and bots: it asks for lines, plays them, and keeps the record."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from types import MappingProxyType
from typing import Final

from rich.text import Text

from buraco.bots import HINT_LEVEL, Bot, Limit, make_bot
from buraco.cli import manual
from buraco.cli.common import CommandError
from buraco.cli.faces import HandOrder, fill_rows, plain_input
from buraco.cli.lines import LINE_MAX, Lines, Signals
from buraco.cli.moves import actions_meant, refusal_of, short_text, single_additions
from buraco.cli.saves import save_copy
from buraco.cli.screen import Moment, Screen
from buraco.cli.table import prompt_text
from buraco.engine import DealStart, Host, Refusal
from buraco.engine import events as happened
from buraco.errors import BuracoError, IllegalAction, ParseError
from buraco.notation import Record, SeatRecord, record_of
from buraco.rules import pack_size
from buraco.rules.near import near_matches
from buraco.texts import in_language, text

__all__ = ["Session", "Stopped", "Table", "bot_seed"]

# A limit of nodes and not of time: the same match gives the same hints on every machine.
HINT_LIMIT: Final = Limit(nodes=1_000)

LEGAL_SHOWN_MAX: Final = 60
"""How many legal actions are listed at most."""

NUMBER_MAX: Final = 9
"""The longest number that is read, in digits."""


class Stopped(Exception):
    """The player stops before the match is over: ``how`` is ``quit`` or ``end`` (of the input)."""

    def __init__(self, how: str) -> None:
        super().__init__(how)
        self.how = how


@dataclass(slots=True)
class Table:
    """Who plays: the host, the deals begun so far, the seats, and which of them is the person's."""

    host: Host
    starts: list[DealStart]
    seats: tuple[SeatRecord, ...]
    me: int
    tags: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    dealer_drawn: bool = True
    with_packs: bool = False

    def bots(self) -> dict[int, Bot]:
        """Return a bot for every seat that has one. Raises BuracoError (code ``unknown_bot``)."""
        seed = self.host.match.seed
        return {
            number: make_bot(seat.bot, bot_seed(seed, number)) for number, seat in enumerate(self.seats) if seat.bot
        }

    def record(self) -> Record:
        """Return the record of the match so far."""
        return record_of(
            self.host,
            self.starts,
            self.seats,
            tags=self.tags,
            dealer_drawn=self.dealer_drawn,
            with_packs=self.with_packs,
        )


def bot_seed(seed: bytes, seat: int) -> int:
    """Return the seed of the bot at a seat: it follows from the match's seed and tells nothing about the cards."""
    return int.from_bytes(sha256(b"buraco-bot\n%d\n" % seat + seed).digest()[:4], "big")


class Session:
    """Plays a match to its end, or until the player stops. ``save`` is called with the record whenever it has grown and
    the player is asked for a line."""

    def __init__(
        self, table: Table, screen: Screen, lines: Lines, signals: Signals, save: Callable[[Record], None]
    ) -> None:
        self._table = table
        self._host = table.host
        self._me = table.me
        self._bots = table.bots()
        self._screen = screen
        self._lines = lines
        self._signals = signals
        self._save = save
        self._saved_number = -1
        self._order: HandOrder = "suit"
        self._told = 0
        self._refusal: Refusal | None = None

    def play(self) -> None:
        """Play the match to its end.

        Raises Stopped when the player quits or the input ends, Signalled after a signal; the match is saved then.
        """
        self._begin()
        while not self._host.over:
            if self._host.seat is None:
                self._next_deal()
            self._play_deal()
        self.save()
        self._screen.match_ended(self._host.winner, self._host.totals)

    @property
    def saved(self) -> bool:
        """Whether the match is saved as it stands; there is nothing to save before its first deal."""
        return not self._table.starts or self._saved_number == self._host.state_number

    def save(self) -> None:
        """Save the match if it has changed since it was saved last; tell the player if that fails."""
        if self.saved:
            return
        try:
            self._save(self._table.record())
        except CommandError as error:
            # A full disk is no reason to end a match; it is tried again after the next step.
            self._complain(error)
        else:
            self._saved_number = self._host.state_number

    # The course of the match.

    def _begin(self) -> None:
        """Take up the match where it stands: of a resumed one only the present deal is told."""
        if not self._table.starts:
            self._note("welcome")
            return
        for event in self._events(0):
            own_turn = isinstance(event, happened.TurnEnded) and event.seat == self._me
            if own_turn or isinstance(event, (happened.DealStarted, happened.DealEnded)):
                self._told = event.number + 1
        self._note("resumed", deal=len(self._table.starts))

    def _next_deal(self) -> None:
        aim = self._cut_aim() if self._host.match.rules.cut_bonus and self._host.cutter == self._me else None
        self._table.starts.append(self._host.next_deal(cut_aim=aim))
        self._screen.deal_started(self._news())

    def _cut_aim(self) -> int:
        """Ask how many cards the player tries to lift."""
        rules = self._host.match.rules
        wanted = rules.cut_bonus_count
        self._note("cut", count=wanted, points=rules.cut_bonus)
        while True:
            line = self._read(self._words("cut_prompt", count=wanted))
            if line in ("", "hint"):
                return wanted
            if 1 <= _number(line) < pack_size(rules):
                return _number(line)
            self._meta(line, self._words("cut_wanted"))

    def _play_deal(self) -> None:
        while (seat := self._host.seat) is not None:
            if seat == self._me:
                self._own_turn()
            else:
                decision = self._bots[seat].choose(self._host.view(seat), Limit())
                self._host.act(seat, decision.action)
        self.save()
        self._screen.deal_ended(self._host.view(self._me), self._host.results[-1], self._news())
        if self._lines.typed and not self._host.over:
            while line := self._read(self._words("next_deal")):
                self._meta(line, self._words("next_deal_wanted"))

    def _own_turn(self) -> None:
        self._screen.table(self._moment())
        self._refusal = None
        while self._host.seat == self._me:
            line = self._read(prompt_text(self._host.view(self._me).position, self._screen.language))
            if line:
                self._command(line)

    # Lines.

    def _read(self, prompt: str) -> str:
        self.save()
        line = self._signals.wait(self._lines.read, prompt)
        if line is None:
            raise Stopped("end")
        if len(line) > LINE_MAX:
            self._note("line_too_long", most=LINE_MAX)
            return ""
        return plain_input(line).strip()

    def _command(self, line: str) -> None:
        """Carry out a line in the player's turn: an action, or any other command."""
        word = line.split()[0].lower()
        if word in manual.ACTION_WORDS:
            for one in single_additions(line):
                if not self._action(one):
                    return
        elif word in ("u", "undo"):
            self._undo(line.split()[1:])
        elif word in ("h", "hint"):
            view = self._host.view(self._me)
            self._screen.hint(view, make_bot(HINT_LEVEL).choose(view, HINT_LIMIT))
        elif word in ("l", "legal"):
            self._legal()
        elif word in ("t", "table"):
            self._screen.table(self._moment(news=False))
        elif word in ("o", "order"):
            self._order = "rank" if self._order == "suit" else "suit"
            writer = self._screen.writer()
            self._screen.rows("hand", writer.hand(self._host.view(self._me), self._order))
        else:
            self._meta(line)

    def _meta(self, line: str, otherwise: str = "") -> None:
        """Carry out a command that is possible at any time; say what is possible for anything else."""
        word, *rest = line.split() or [""]
        word = word.lower()
        if word in ("q", "quit", "exit"):
            raise Stopped("quit")
        if word in ("?", "help"):
            writer = self._screen.writer()
            self._screen.rows("help", manual.help_rows(self._host.match.rules, writer.width, writer.language))
        elif word == "why":
            self._why()
        elif word in ("s", "score"):
            self._score()
        elif word == "look":
            self._look()
        elif word == "rules":
            writer = self._screen.writer()
            found = manual.rules_rows(self._host.match.rules, " ".join(rest), writer.width, writer.language)
            self._screen.rows("rules", found)
        elif word == "save":
            self._save_as(" ".join(rest))
        else:
            near = near_matches(word, manual.WORDS)
            meant = self._words("meant", word=near[0]) if near else ""
            self._screen.note(
                "unknown_command", otherwise or self._words("unknown_command", word=repr(word[:40]), meant=meant)
            )

    # Commands.

    def _action(self, line: str) -> bool:
        """Do what a line asks for; return whether it was done."""
        view = self._host.view(self._me)
        try:
            actions = actions_meant(line, view)
            if not actions:
                self._refusal = refusal_of(line, view, self._host)
                self._screen.refused(self._refusal)
                return False
        except ParseError as error:
            self._refusal = Refusal(error.code, self._sentence(error.message))
            self._screen.refused(self._refusal)
            return False
        action = actions[0] if len(actions) == 1 else self._choice(actions)
        if action is None:
            return False
        self._host.act(self._me, action)
        self._refusal = None
        self._screen.stepped(self._moment())
        return True

    def _choice(self, actions: Sequence[int]) -> int | None:
        """Ask which of several actions is meant; None if none of them is."""
        self._screen.choices(self._host.view(self._me), actions)
        line = self._read(self._words("which", most=len(actions)))
        if 1 <= _number(line) <= len(actions):
            return actions[_number(line) - 1]
        if line:
            self._command(line)
        return None

    def _undo(self, words: Sequence[str]) -> None:
        told = " ".join(words).lower()
        count = self._host.can_undo(self._me) if told == "all" else _number(told or "1")
        if count < 0:
            self._note("undo_words")
            return
        try:
            self._host.undo(self._me, count=count)
        except IllegalAction as error:
            self._screen.refused(Refusal(error.code, error.message))
            return
        self._screen.stepped(self._moment())

    def _why(self) -> None:
        if self._refusal is None:
            self._note("nothing_refused")
        else:
            self._screen.refused(self._refusal, full=True)

    def _legal(self) -> None:
        view = self._host.view(self._me)
        words = [short_text(view, action) for action in view.legal[:LEGAL_SHOWN_MAX]]
        rows = fill_rows([[Text(word)] for word in words], self._screen.writer().width)
        if len(view.legal) > len(words):
            rows.append(Text(self._words("more_legal", n=len(view.legal) - len(words))))
        self._screen.rows("legal", rows)

    def _look(self) -> None:
        try:
            position = self._host.view(self._me).position
        except BuracoError as error:
            # Before the first deal, when the player is asked to cut.
            self._complain(error)
            return
        self._screen.rows("pile", self._screen.writer().discarders(position))

    def _score(self) -> None:
        writer, own = self._screen.writer(), self._me & 1
        rows = [writer.totals(self._host.totals, own)]
        for result in self._host.results:
            scores = f"{result.scores[own]:+6d} {result.scores[1 - own]:+6d}"
            rows.append(Text(f"  {self._words('deal_scores', deal=f'{result.number:>2}', scores=scores)}"))
        self._screen.rows("score", rows)

    def _save_as(self, name: str) -> None:
        self.save()
        if not name:
            self._screen.note("saved", self._words("saved" if self.saved else "not_saved"))
            return
        try:
            save_copy(Path(name), self._table.record())
        except CommandError as error:
            self._complain(error)
            return
        self._screen.note("saved", self._words("saved_in", name=name))

    def _complain(self, error: BuracoError) -> None:
        self._screen.note(error.code, self._sentence(error.message))

    # Words.

    def _words(self, key: str, **values: object) -> str:
        return text(f"cli.play.{key}", self._screen.language, **values)

    def _note(self, key: str, **values: object) -> None:
        self._screen.note(key, self._words(key, **values))

    def _sentence(self, message: str) -> str:
        """Return an error's message as a sentence."""
        told = in_language(message, self._screen.language)
        return f"{told[:1].upper()}{told[1:]}" + ("" if told.endswith((".", "?")) else ".")

    # What the player may know.

    def _events(self, since: int) -> tuple[happened.Event, ...]:
        return self._host.events(self._me, since)

    def _news(self) -> tuple[happened.Event, ...]:
        """Return the events that the player has not been told yet."""
        events = self._events(self._told)
        if events:
            self._told = events[-1].number + 1
        return events

    def _moment(self, *, news: bool = True) -> Moment:
        return Moment(
            view=self._host.view(self._me),
            deal_number=len(self._table.starts),
            totals=self._host.totals,
            order=self._order,
            events=self._news() if news else (),
        )


def _number(word: str) -> int:
    """Return the number that a word writes, -1 for any other word, and for numbers that no question here asks for."""
    return int(word) if word.isdecimal() and len(word) <= NUMBER_MAX else -1
