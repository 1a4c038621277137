"""What a player types, read as an action of the seat to act, and actions written as they are typed."""

from __future__ import annotations

from typing import Final

from buraco.engine import Position, Refusal, SeatView, action_meld, decode_add
from buraco.engine.constants import ACTION_ADD, ACTION_DISCARD, ACTION_RUN
from buraco.engine.deal import meld_rules_of
from buraco.engine.host import Host
from buraco.engine.melds import add_to_meld
from buraco.errors import ParseError
from buraco.notation import candidates, format_action, format_meld, parse_action, readings
from buraco.rules import cite
from buraco.texts import text

__all__ = ["actions_meant", "refusal_of", "result_meld", "short_text", "single_additions"]

_SHORT: Final = ("d", "p", "k", "r")
# A refusal that says only that the cards do not lie so; another reading mostly tells more.
_SAYS_LITTLE: Final = frozenset(
    {"place_impossible", "wild_is_natural", "wild_may_not_move_there", "does_not_fit", "wrong_suit", "no_such_meld"}
)


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
    telling = [refusal for refusal in found if refusal.code not in _SAYS_LITTLE]
    if telling or found:
        return (telling or found)[0]
    if line.split()[0].lower() in ("a", "add"):
        return Refusal("no_such_meld", text("code.no_such_meld"), str(cite(view.position.rules, "no_such_meld")))
    return Refusal("no_meld", text("error.no_meld"), str(cite(view.position.rules, "runs")))


def result_meld(position: Position, action: int) -> int:
    """Return the packed meld that a new meld or an addition makes, -1 for any other action."""
    if action < ACTION_RUN:
        return -1
    if action < ACTION_ADD:
        return action_meld(action)
    number, card, how, high = decode_add(action)
    old = position.melds[position.side][number].packed
    return add_to_meld(old, card, how, high, meld_rules_of(position.rules))


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
