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
from buraco.cli.words import sentence
from buraco.engine import Event, Refusal, SeatView, result_meld, to_json
from buraco.engine import events as happened
from buraco.notation import format_action, format_meld, position_json
from buraco.texts import DEFAULT_LANGUAGE, in_language, text

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
    """What a match shows to its player, in one language."""

    @property
    def language(self) -> str:
        """The language of the player."""

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

    def __init__(self, console: Console, players: int, me: int, language: str = DEFAULT_LANGUAGE) -> None:
        self.language = language
        self._console = console
        self._faces = Faces.of(console)
        self._me = me
        self._names = seat_names(players, me, language)
        self._sides = side_names(players, me, language)
        self._teller = Teller(self._faces, self._names, me, language)

    def writer(self) -> TableWriter:
        """Return what writes parts of the table, for the terminal's width at this moment."""
        width = min(max(self._console.width, WIDTH_MIN), WIDTH_MAX)
        return TableWriter(faces=self._faces, names=self._names, sides=self._sides, width=width, language=self.language)

    def _say(self, key: str, style: str = "", **parts: Text | str | int) -> Text:
        return sentence(f"play.{key}", self.language, style, **parts)

    def deal_started(self, events: Sequence[Event]) -> None:
        """Show how a deal began."""
        self._print(self.writer().head(self._deal_title(events)))
        for event in events:
            if isinstance(event, happened.FirstDealerFound):
                self._draw(event)
            elif isinstance(event, happened.CutMade):
                self._print(self._cut(event))
            elif isinstance(event, happened.DealStarted):
                kind = "deals_me" if event.dealer == self._me else "deals"
                kind = "deals_begin_me" if event.seat == self._me else kind
                self._print(self._say(kind, dealer=self._names[event.dealer], starter=self._names[event.seat]))

    def _deal_title(self, events: Sequence[Event]) -> str:
        numbers = [event.deal for event in events if isinstance(event, happened.DealStarted)]
        return (self._say("deal", deal=numbers[0]) if numbers else self._say("deal_unnumbered")).plain

    def _cut(self, event: happened.CutMade) -> Text:
        kind = "lifts_points" if event.points else "lifts"
        kind = f"{kind}_me" if event.seat == self._me else kind
        return self._say(kind, name=self._names[event.seat], n=event.count, points=event.points)

    def _draw(self, event: happened.FirstDealerFound) -> None:
        for drawn in event.rounds:
            parts = [Text.assemble(f"{self._names[seat]} ", self._faces.card(card)) for seat, card in drawn]
            self._print(self._say("drawn", cards=Text(", ").join(parts)))

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
        duty = duty_text(view.position, self.language) if view.to_act else ""
        if duty:
            self._print(Text(duty, "yellow"))

    def refused(self, refusal: Refusal, *, full: bool = False) -> None:
        """Say that an action is refused, ``full`` with its code and the rule."""
        told = refusal.told(self.language)
        self._print(Text.assemble(self._say("no", "bold red"), " ", told.text))
        if full:
            self._print(self._say("code", "dim", code=told.code))
            if told.citation:
                self._print(self._say("rule", "dim", citation=told.citation))

    def choices(self, view: SeatView, actions: Sequence[int]) -> None:
        """Show the numbered actions that a line may mean."""
        self._print(self._say("several"))
        for number, action in enumerate(actions, 1):
            made = self._faces.meld(result_meld(view.position, action))
            self._print(Text.assemble((f"{number:>3} ", "bold"), made, (f"   {format_action(action)}", "dim")))

    def hint(self, view: SeatView, decision: Decision) -> None:
        """Show what a bot would do here, as it is typed, and why."""
        self._print(Text.assemble(self._say("hint", "bold cyan"), " ", (short_text(view, decision.action), "bold")))
        for reason in decision.reasons:
            self._print(Text(f"  {reason.text(self.language)}"))

    def note(self, code: str, message: str) -> None:
        """Show a sentence; one that names a file is never broken, so that the name can be copied."""
        self._console.print(Text(in_language(message, self.language)), soft_wrap=code in _NAMES_PATHS)

    def rows(self, code: str, rows: Sequence[Text]) -> None:  # noqa: ARG002 the code is for programs
        """Show rows of text."""
        for row in rows:
            self._print(row)

    def deal_ended(self, view: SeatView, result: DealResult, events: Sequence[Event]) -> None:
        """Show what the others did last, how the deal ended, its score sheets and the totals."""
        for name, told in self._teller.turns(events):
            self._print(Text.assemble((f"{name} ", "bold"), told))
        self._print(Text())
        self._print(self.writer().head(self._say("deal_over", deal=result.number).plain))
        end = Text(text(f"end_kind.{result.end_kind}", self.language), "bold")
        if result.out_seat >= 0:
            kind = "out_me" if result.out_seat == self._me else "out"
            end = Text.assemble(end, " ", self._say(kind, name=self._names[result.out_seat]), style="bold")
        self._print(end)
        own = self._me & 1
        sheets = (result.sheets[own], result.sheets[1 - own])
        shown = sheet_table(
            sheets, view.position, self._names, self._sides, self._faces, me=self._me, language=self.language
        )
        self._console.print(shown)
        for side in (own, 1 - own):
            if result.cut_points[side]:
                self._print(self._say("cut_points", side=self._sides[side], points=result.cut_points[side]))
        self._print(self.writer().totals(result.totals, own))

    def match_ended(self, winner: int | None, totals: tuple[int, int]) -> None:
        """Show who won."""
        own = self._me & 1
        kind, style = ("draw", "bold") if winner is None else ("lost", "bold red")
        if winner == own:
            kind, style = "won", "bold green"
        self._print(self.writer().head(self._say("match_over").plain))
        self._print(self._say(kind, style, own=totals[own], other=totals[1 - own]))

    def _print(self, row: Text) -> None:
        self._console.print(row)


class JsonScreen:
    """Shows a match to a program: every object has a ``kind``; cards, actions and positions are in their JSON forms."""

    def __init__(
        self,
        players: int,
        me: int,
        show: Callable[[object], None] = print_json,
        language: str = DEFAULT_LANGUAGE,
    ) -> None:
        self.language = language
        self._players = players
        self._me = me
        self._show = show

    def writer(self) -> TableWriter:
        """Return what writes parts of the table, in letters and a fixed width."""
        names = seat_names(self._players, self._me, self.language)
        sides = side_names(self._players, self._me, self.language)
        return TableWriter(
            faces=Faces(symbols=False), names=names, sides=sides, width=WIDTH_MAX, language=self.language
        )

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
        told = refusal.told(self.language)
        self._show({"kind": "refusal", "code": told.code, "text": told.text, "citation": told.citation})

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
        reasons = [{"code": reason.code, "text": reason.text(self.language)} for reason in decision.reasons]
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
        self._show({"kind": "note", "code": code, "text": in_language(message, self.language)})

    def rows(self, code: str, rows: Sequence[Text]) -> None:
        """Write the rows without colours."""
        self._show({"kind": "rows", "code": code, "rows": [row.plain for row in rows]})

    def deal_ended(self, view: SeatView, result: DealResult, events: Sequence[Event]) -> None:  # noqa: ARG002
        """Write the last events, the score sheets among them."""
        self._events(events)

    def match_ended(self, winner: int | None, totals: tuple[int, int]) -> None:
        """Write the result."""
        self._show({"kind": "result", "winner": winner, "totals": list(totals)})
