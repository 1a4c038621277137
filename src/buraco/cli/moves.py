"""What a player types, read as an action of the seat to act, and actions written as they are typed."""

from __future__ import annotations

from typing import Final

from buraco.engine import Host, Refusal, SeatView, action_meld
from buraco.engine.constants import ACTION_ADD, ACTION_DISCARD, ACTION_RUN
from buraco.errors import ParseError
from buraco.notation import (
    candidates,
    format_action,
    format_meld,
    most_telling,
    no_reading,
    parse_action,
    readings,
)

__all__ = ["actions_meant", "refusal_of", "short_text", "single_additions"]

_SHORT: Final = ("d", "p", "k", "r")


def single_additions(line: str) -> list[str]:
    """Return the lines of an addition of several cards (``a 2 9h Th``) one by one, any other line as it is."""
    words = line.split()
    if len(words) < 4 or words[0].lower() not in ("a", "add") or not words[1].isdecimal():
        return [line]
    cards = words[2:]
    if any(word.lower() in ("low", "high", "wild") for word in cards):
        return [line]
    return [" ".join((*words[:2], card)) for card in cards]


def actions_meant(line: str, view: SeatView) -> list[int]:
    """Return the legal actions that a line may mean, the likeliest first; a canonical text means that action alone.

    Raises ParseError (codes ``action_text``, ``card_text``) for a line that is no action.
    """
    try:
        exact = parse_action(line)
    except ParseError:
        exact = -1
    if exact in view.legal:
        return [exact]
    return candidates(line, view.legal, view.position)


def refusal_of(line: str, view: SeatView, host: Host) -> Refusal:
    """Say why no reading of a line is legal: of several refusals the one that tells most.

    Raises ParseError as `actions_meant` does.
    """
    found = [refusal for action in readings(line, view.position) if (refusal := host.why(view.seat or 0, action))]
    if found:
        return found[most_telling([refusal.code for refusal in found])]
    none = no_reading(line, view.position.rules)
    return Refusal(none.code, none.text, none.citation)


def short_text(view: SeatView, action: int) -> str:
    """Return the shortest line that means a legal action without a question."""
    if action < ACTION_DISCARD:
        return _SHORT[action]
    canonical = format_action(action)
    short = f"m {format_meld(action_meld(action))}" if ACTION_RUN <= action < ACTION_ADD else ""
    if action >= ACTION_ADD:
        words = canonical.split()
        short = f"a {words[1]} {words[2]}"
    elif action < ACTION_RUN:
        short = canonical.replace("discard", "x")
    return short if actions_meant(short, view) == [action] else canonical
