"""What happened, in words: the turns of the others, and what a seat's own step brought."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from rich.text import Text

from buraco.cli.faces import Faces
from buraco.cli.words import sentence
from buraco.engine import Event
from buraco.engine import events as happened
from buraco.texts import DEFAULT_LANGUAGE

__all__ = ["Teller"]


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
    language: str = DEFAULT_LANGUAGE

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
                return self._say("drew")
            case happened.FirstCardRejected():
                return self._say("rejected", card=faces.card(event.card))
            case happened.PileTaken():
                return self._pile("pile", event)
            case happened.MeldLaid():
                return self._say("laid", meld=faces.meld(event.packed))
            case happened.CardAdded():
                return self._say("added", card=faces.card(event.card), meld=event.meld + 1)
            case happened.Discarded():
                return self._say("discarded", card=faces.card(event.card))
            case happened.MortoTaken():
                return self._say("morto_direct" if event.direct else "morto", "bold")
            case happened.OpeningFailed():
                return self._say("opening_failed", cards=faces.cards(event.cards), points=event.need)
            case happened.StockRefilled():
                return self._say("stock_refilled", "bold")
        return None

    def _say(self, key: str, style: str = "", **parts: Text | str | int) -> Text:
        return sentence(f"story.{key}", self.language, style, **parts)

    def _pile(self, key: str, event: happened.PileTaken) -> Text:
        cards = self.faces.cards(entry.card for entry in event.pile if entry.card is not None)
        closed = "" if len(event.pile) == event.count else "_closed"
        return self._say(f"{key}{closed}", cards=cards, count=event.count)

    def _own(self, event: Event) -> Text | None:
        faces = self.faces
        match event:
            case happened.CardDrawn():
                return self._say("me.drew", card=faces.card(event.card))
            case happened.FirstCardRejected():
                return self._say("me.rejected", card=faces.card(event.card))
            case happened.PileTaken():
                return self._pile("me.pile", event)
            case happened.PileRestSeen():
                rest = faces.cards(entry.card for entry in event.pile if entry.card is not None)
                return self._say("me.pile_rest", cards=rest)
            case happened.MeldLaid():
                return self._say("me.meld", meld=event.meld + 1, cards=faces.meld(event.packed))
            case happened.CardAdded():
                told = self._say("me.meld", meld=event.meld + 1, cards=faces.meld(event.packed))
                moved = event.wild_from != event.wild_to and event.wild_from
                return Text.assemble(told, " ", self._say("me.wild_moved")) if moved else told
            case happened.MortoSeen():
                return self._say("me.morto", cards=faces.cards(event.cards))
            case happened.OpeningFailed():
                return self._say("me.opening_failed", "bold yellow", points=event.need)
            case happened.Undone():
                return self._say("me.undone", n=event.count)
        return None
