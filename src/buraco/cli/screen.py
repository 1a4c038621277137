"""What a match shows: to a person as a table in text, to a program as one JSON object a line."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Protocol

from rich.console import Console
from rich.text import Text

from buraco.bots import Decision
from buraco.cli.common import print_json
from buraco.cli.faces import Faces, HandOrder, hanging
from buraco.cli.moves import short_text
from buraco.cli.sheets import seat_names, sheet_table, side_names
from buraco.cli.story import Teller
from buraco.cli.table import TableWriter, duty_text
from buraco.engine import Event, Refusal, SeatView, result_meld, to_json
from buraco.engine import events as happened
from buraco.notation import format_action, format_meld, position_json
from buraco.texts import text

if TYPE_CHECKING:
    from buraco.engine import DealResult

__all__ = ["JsonScreen", "Moment", "Screen", "TextScreen"]

WIDTH_MIN: Final = 40
WIDTH_MAX: Final = 120

_NAMES_PATHS: Final = frozenset({"saved", "record", "file", "file_exists"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Moment:
    """A match at one moment for its player: the view, the number of the deal, the match points, how the hand is sorted,
    and the events since the player's last turn."""

    view: SeatView
    deal_number: int
    totals: tuple[int, int]
    order: HandOrder
    events: tuple[Event, ...] = ()


class Screen(Protocol):
    """What a match shows to its player."""

    def deal_started(self, events: Sequence[Event]) -> None:
        """Show how a deal began: the draw for the first dealer, the cut, the dealer."""

    def table(self, moment: Moment) -> None:
        """Show the whole table, and what the others did."""

    def stepped(self, moment: Moment) -> None:
        """Show what the player's own step brought: ``moment.events`` are those of the step."""

    def refused(self, refusal: Refusal, *, full: bool = False) -> None:
        """Say that an action is refused, ``full`` with its code and the rule."""

    def choices(self, view: SeatView, actions: Sequence[int]) -> None:
        """Show the numbered actions that a line may mean."""

    def hint(self, view: SeatView, decision: Decision) -> None:
        """Show what a bot would do here."""

    def note(self, code: str, message: str) -> None:
        """Show a sentence; ``code`` says what it is about."""

    def rows(self, code: str, rows: Sequence[Text]) -> None:
        """Show rows of text; ``code`` says what they are."""

    def writer(self) -> TableWriter:
        """Return what writes parts of the table."""

    def deal_ended(self, view: SeatView, result: DealResult, events: Sequence[Event]) -> None:
        """Show how a deal ended, its score sheets and the totals."""

    def match_ended(self, winner: int | None, totals: tuple[int, int]) -> None:
        """Show who won."""


class TextScreen:
    """Shows a match to a person."""

    def __init__(self, console: Console, players: int, me: int) -> None:
        self._console = console
        self._faces = Faces.of(console)
        self._me = me
        self._names = seat_names(players, me)
        self._sides = side_names(players, me)
        self._teller = Teller(self._faces, self._names, me)

    def writer(self) -> TableWriter:
        """Return what writes parts of the table, for the terminal's width at this moment."""
        width = min(max(self._console.width, WIDTH_MIN), WIDTH_MAX)
        return TableWriter(faces=self._faces, names=self._names, sides=self._sides, width=width)

    def deal_started(self, events: Sequence[Event]) -> None:
        """Show how a deal began."""
        self._print(self.writer().head(_deal_title(events)))
        for event in events:
            if isinstance(event, happened.FirstDealerFound):
                self._draw(event)
            elif isinstance(event, happened.CutMade):
                points = f" and wins {event.points} points" if event.points else ""
                self._print(Text(f"{self._lifts(event.seat)} {event.count} cards{points}."))
            elif isinstance(event, happened.DealStarted):
                deal_word = "deal" if event.dealer == self._me else "deals"
                play_word = "begin" if event.seat == self._me else "begins"
                who = f"{self._names[event.dealer]} {deal_word}, {self._names[event.seat]} {play_word}."
                self._print(Text(who))

    def _lifts(self, seat: int) -> str:
        return "You lift" if seat == self._me else f"{self._names[seat]} lifts"

    def _draw(self, event: happened.FirstDealerFound) -> None:
        for drawn in event.rounds:
            parts = [Text.assemble(f"{self._names[seat]} ", self._faces.card(card)) for seat, card in drawn]
            self._print(Text.assemble("Drawn for the first deal, the lowest card deals: ", Text(", ").join(parts)))

    def table(self, moment: Moment) -> None:
        """Show the whole table, and what the others did."""
        turns = self._teller.turns(moment.events)
        if turns:
            self._print(Text())
            width = max(len(name) for name, _ in turns)
            for name, told in turns:
                self._print(hanging(Text.assemble((f"{name:<{width}} ", "bold"), told), width + 1, self.writer().width))
        self._print(Text())
        for row in self.writer().rows(moment.view, moment.deal_number, moment.totals, moment.order):
            self._print(row)
        self._duty(moment.view)

    def stepped(self, moment: Moment) -> None:
        """Show what the player's own step brought, and the hand if the turn goes on."""
        for told in self._teller.own(moment.events):
            self._print(told)
        if moment.view.to_act:
            for row in self.writer().hand(moment.view, moment.order):
                self._print(row)
            self._duty(moment.view)

    def _duty(self, view: SeatView) -> None:
        duty = duty_text(view.position) if view.to_act else ""
        if duty:
            self._print(Text(duty, "yellow"))

    def refused(self, refusal: Refusal, *, full: bool = False) -> None:
        """Say that an action is refused, ``full`` with its code and the rule."""
        self._print(Text.assemble(("No. ", "bold red"), refusal.text))
        if full:
            self._print(Text(f"Code: {refusal.code}", "dim"))
            if refusal.citation:
                self._print(Text(f"Rule: {refusal.citation}", "dim"))

    def choices(self, view: SeatView, actions: Sequence[int]) -> None:
        """Show the numbered actions that a line may mean."""
        self._print(Text("That may mean several things:"))
        for number, action in enumerate(actions, 1):
            made = self._faces.meld(result_meld(view.position, action))
            self._print(Text.assemble((f"{number:>3} ", "bold"), made, (f"   {format_action(action)}", "dim")))

    def hint(self, view: SeatView, decision: Decision) -> None:
        """Show what a bot would do here, as it is typed, and why."""
        self._print(Text.assemble(("Hint: ", "bold cyan"), (short_text(view, decision.action), "bold")))
        for reason in decision.reasons:
            self._print(Text(f"  {reason.text()}"))

    def note(self, code: str, message: str) -> None:
        """Show a sentence; one that names a file is never broken, so that the name can be copied."""
        self._console.print(Text(message), soft_wrap=code in _NAMES_PATHS)

    def rows(self, code: str, rows: Sequence[Text]) -> None:  # noqa: ARG002 the code is for programs
        """Show rows of text."""
        for row in rows:
            self._print(row)

    def deal_ended(self, view: SeatView, result: DealResult, events: Sequence[Event]) -> None:
        """Show what the others did last, how the deal ended, its score sheets and the totals."""
        for name, told in self._teller.turns(events):
            self._print(Text.assemble((f"{name} ", "bold"), told))
        out = f" {self._names[result.out_seat]} went out." if result.out_seat >= 0 else ""
        self._print(Text())
        self._print(self.writer().head(f"Deal {result.number} is over"))
        self._print(Text(text(f"end_kind.{result.end_kind}") + out, "bold"))
        own = self._me & 1
        sheets = (result.sheets[own], result.sheets[1 - own])
        self._console.print(sheet_table(sheets, view.position, self._names, self._sides, self._faces))
        for side in (own, 1 - own):
            if result.cut_points[side]:
                self._print(Text(f"{self._sides[side]} had {result.cut_points[side]} points for the cut."))
        totals = f"Totals: {self._sides[own]} {result.totals[own]}, {self._sides[1 - own]} {result.totals[1 - own]}"
        self._print(Text(totals, "bold"))

    def match_ended(self, winner: int | None, totals: tuple[int, int]) -> None:
        """Show who won."""
        own = self._me & 1
        figures = f"{totals[own]} to {totals[1 - own]}"
        if winner is None:
            told = Text(f"The match is a draw, {figures}.", "bold")
        elif winner == own:
            told = Text(f"You have won the match, {figures}.", "bold green")
        else:
            told = Text(f"You have lost the match, {figures}.", "bold red")
        self._print(self.writer().head("The match is over"))
        self._print(told)

    def _print(self, row: Text) -> None:
        self._console.print(row)


def _deal_title(events: Sequence[Event]) -> str:
    numbers = [event.deal for event in events if isinstance(event, happened.DealStarted)]
    return f"Deal {numbers[0]}" if numbers else "Deal"


class JsonScreen:
    """Shows a match to a program: every object has a ``kind``; cards, actions and positions are in their JSON forms."""

    def __init__(self, players: int, me: int, show: Callable[[object], None] = print_json) -> None:
        self._players = players
        self._me = me
        self._show = show

    def writer(self) -> TableWriter:
        """Return what writes parts of the table, in letters and a fixed width."""
        names, sides = seat_names(self._players, self._me), side_names(self._players, self._me)
        return TableWriter(faces=Faces(symbols=False), names=names, sides=sides, width=WIDTH_MAX)

    def _events(self, events: Sequence[Event]) -> None:
        for event in events:
            self._show({"kind": "event", **to_json(event)})

    def _state(self, view: SeatView) -> None:
        self._show(
            {
                "kind": "state",
                "seat": view.seat,
                "state_number": view.state_number,
                "to_act": view.to_act,
                "position": position_json(view.position),
                "legal": [format_action(action) for action in view.legal],
            }
        )

    def deal_started(self, events: Sequence[Event]) -> None:
        """Write the events of the beginning."""
        self._events(events)

    def table(self, moment: Moment) -> None:
        """Write the events since the player's last turn, then the state."""
        self._events(moment.events)
        self._state(moment.view)

    def stepped(self, moment: Moment) -> None:
        """Write the events of the step, then the state if the turn goes on."""
        self._events(moment.events)
        if moment.view.to_act:
            self._state(moment.view)

    def refused(self, refusal: Refusal, *, full: bool = False) -> None:  # noqa: ARG002 a program gets all of it
        """Write the refusal with its code and citation."""
        self._show({"kind": "refusal", "code": refusal.code, "text": refusal.text, "citation": refusal.citation})

    def choices(self, view: SeatView, actions: Sequence[int]) -> None:
        """Write the numbered actions, each with the meld that it makes."""
        options = [
            {
                "number": number,
                "action": format_action(action),
                "meld": format_meld(result_meld(view.position, action)),
            }
            for number, action in enumerate(actions, 1)
        ]
        self._show({"kind": "choices", "choices": options})

    def hint(self, view: SeatView, decision: Decision) -> None:  # noqa: ARG002 the canonical text needs no view
        """Write the action and its reasons."""
        reasons = [{"code": reason.code, "text": reason.text()} for reason in decision.reasons]
        self._show(
            {
                "kind": "hint",
                "action": format_action(decision.action),
                "reasons": reasons,
                "evaluation": decision.evaluation,
            }
        )

    def note(self, code: str, message: str) -> None:
        """Write the sentence with its code."""
        self._show({"kind": "note", "code": code, "text": message})

    def rows(self, code: str, rows: Sequence[Text]) -> None:
        """Write the rows without colours."""
        self._show({"kind": "rows", "code": code, "rows": [row.plain for row in rows]})

    def deal_ended(self, view: SeatView, result: DealResult, events: Sequence[Event]) -> None:  # noqa: ARG002
        """Write the last events, the score sheets among them."""
        self._events(events)

    def match_ended(self, winner: int | None, totals: tuple[int, int]) -> None:
        """Write the result."""
        self._show({"kind": "result", "winner": winner, "totals": list(totals)})
