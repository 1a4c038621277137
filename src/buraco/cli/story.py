"""What happened, in words: the turns of the others, and what a seat's own step brought."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from rich.text import Text

from buraco.cli.faces import Faces
from buraco.engine import Event
from buraco.engine import events as happened

__all__ = ["Teller", "count_text"]


def count_text(number: int, noun: str) -> str:
    """Return a number with its noun, such as ``1 card`` or ``3 cards``."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


@dataclass
class _Turn:
    seat: int
    parts: list[Text] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Teller:
    """Tells events to a seat: ``names`` are the seats' names, ``me`` the seat that is told."""

    faces: Faces
    names: Sequence[str]
    me: int

    def turns(self, events: Iterable[Event]) -> list[tuple[str, Text]]:
        """Return (name, what was done) for each turn of another seat, in order; what is no turn's has no name."""
        turns: list[_Turn] = []
        for event in events:
            seat = getattr(event, "seat", -1)
            part = self._other(event)
            if part is None or seat == self.me:
                continue
            if not turns or turns[-1].seat != seat or isinstance(event, happened.StockRefilled):
                turns.append(_Turn(seat))
            turns[-1].parts.append(part)
        return [(self.names[turn.seat] if turn.seat >= 0 else "", Text(", ").join(turn.parts)) for turn in turns]

    def own(self, events: Iterable[Event]) -> list[Text]:
        """Return a sentence for each thing that a step of the seat itself brought."""
        told = (self._own(event) for event in events if getattr(event, "seat", self.me) == self.me)
        return [sentence for sentence in told if sentence is not None]

    def _other(self, event: Event) -> Text | None:
        faces = self.faces
        match event:
            case happened.Drew():
                return Text("drew")
            case happened.FirstCardRejected():
                return Text.assemble("rejected ", faces.card(event.card))
            case happened.PileTaken():
                return self._pile(event)
            case happened.MeldLaid():
                return Text.assemble("laid ", faces.meld(event.packed))
            case happened.CardAdded():
                return Text.assemble("added ", faces.card(event.card), f" to {event.meld + 1}")
            case happened.Discarded():
                return Text.assemble("discarded ", faces.card(event.card))
            case happened.MortoTaken():
                return Text("took the morto" + (" at once" if event.direct else ""), "bold")
            case happened.OpeningFailed():
                back = faces.cards(event.cards)
                return Text.assemble("failed to open (back: ", back, f"; now {event.need} needed)")
            case happened.StockRefilled():
                return Text("The stock is empty: a morto became the stock.", "bold")
        return None

    def _pile(self, event: happened.PileTaken) -> Text:
        cards = self.faces.cards(entry.card for entry in event.pile if entry.card is not None)
        if len(event.pile) == event.count:
            return Text.assemble("took the pile: ", cards)
        return Text.assemble(f"took the pile of {event.count}, top ", cards)

    def _own(self, event: Event) -> Text | None:
        faces = self.faces
        match event:
            case happened.CardDrawn():
                return Text.assemble("You drew ", faces.card(event.card), ".")
            case happened.FirstCardRejected():
                return Text.assemble("You rejected ", faces.card(event.card), ", and it starts the pile.")
            case happened.PileTaken():
                return Text.assemble("You ", self._pile(event), ".")
            case happened.PileRestSeen():
                rest = faces.cards(entry.card for entry in event.pile if entry.card is not None)
                return Text.assemble("The rest of the pile is yours: ", rest, ".")
            case happened.MeldLaid():
                return Text.assemble(f"Meld {event.meld + 1}: ", faces.meld(event.packed))
            case happened.CardAdded():
                moved = " (the wild moved)" if event.wild_from != event.wild_to and event.wild_from else ""
                return Text.assemble(f"Meld {event.meld + 1}: ", faces.meld(event.packed), moved)
            case happened.MortoSeen():
                return Text.assemble("Your hand was empty: you take the morto, ", faces.cards(event.cards), ".")
            case happened.OpeningFailed():
                need = f"Your opening failed, and your cards came back; the minimum is now {event.need} points."
                return Text(need, "bold yellow")
            case happened.Undone():
                return Text(f"Took back {count_text(event.count, 'step')}.")
        return None
