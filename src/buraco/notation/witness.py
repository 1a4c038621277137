"""What a player, or a spectator, kept of a match while it was played, to hold the record against it afterwards.

The record alone cannot show that a commitment came too late, or that a seed which a player sent was left out: whoever
writes the record could write that too. Each client therefore keeps what it saw, in a file of its own:

    {"format": "buraco-witness", "version": 1, "match": "k7-31", "seat": 2,
     "deals": [{"number": 1, "commitment": "64 digits", "player_seed": "64 digits", "cut_aim": 22,
                "player_seeds": ["64 digits", "", ...], "hand": ["3h", ...]}]}

``seat`` is left out for a spectator. In a deal everything but ``number`` may be left out. ``commitment`` is what was
published before the client gave its seed, ``player_seed`` the seed that it gave, ``player_seeds`` those of all seats as
the server told them when it dealt, ``hand`` the cards that it was dealt. A deal that the server began twice is there
twice.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from buraco.cards import card_text, parse_card
from buraco.errors import ParseError
from buraco.notation.limits import load_json

__all__ = ["WITNESS_TEXT_MAX", "DealWitness", "Witness", "parse_witness", "witness_json"]

WITNESS_TEXT_MAX: Final = 1_000_000
"""The longest text of a witness, in characters; that of a deal has about 700."""

_FORMAT: Final = "buraco-witness"
_VERSION: Final = 1
_HEX: Final = re.compile(r"[0-9a-f]{64}")
_NAME_MAX: Final = 2_000


@dataclass(frozen=True, slots=True, kw_only=True)
class DealWitness:
    """What was seen of one deal; seeds and commitments as 64 hexadecimal digits, empty where there was none.

    ``player_seeds`` and ``hand`` are None where they were not kept, ``cut_aim`` is -1 where the seat did not cut.
    """

    number: int
    commitment: str = ""
    player_seed: str = ""
    cut_aim: int = -1
    player_seeds: tuple[str, ...] | None = None
    hand: tuple[int, ...] | None = None


@dataclass(frozen=True, slots=True)
class Witness:
    """What one seat, or a spectator (``seat`` -1), kept of a match."""

    match: str
    seat: int
    deals: tuple[DealWitness, ...]


def witness_json(witness: Witness) -> dict[str, object]:
    """Return the JSON form of a witness."""
    seat = {} if witness.seat < 0 else {"seat": witness.seat}
    deals = [_deal_form(deal) for deal in witness.deals]
    return {"format": _FORMAT, "version": _VERSION, "match": witness.match, **seat, "deals": deals}


def _deal_form(deal: DealWitness) -> dict[str, object]:
    form: dict[str, object] = {"number": deal.number}
    form |= {name: seed for name in ("commitment", "player_seed") if (seed := getattr(deal, name))}
    form |= {} if deal.cut_aim < 0 else {"cut_aim": deal.cut_aim}
    form |= {} if deal.player_seeds is None else {"player_seeds": list(deal.player_seeds)}
    return form | ({} if deal.hand is None else {"hand": [card_text(card) for card in deal.hand]})


def parse_witness(text: str) -> Witness:
    """Return the witness of its JSON text. Raises ParseError (code ``witness_form``)."""
    form = _members(load_json(text, WITNESS_TEXT_MAX, "witness_form"), "format version match seat deals")
    if form.get("format") != _FORMAT or form.get("version") != _VERSION or form.get("version") is True:
        raise _fault(f"a witness begins with format {_FORMAT} and version {_VERSION}")
    match, deals = form.get("match"), form.get("deals")
    if not isinstance(match, str) or len(match) > _NAME_MAX:
        raise _fault("match is the name of the match")
    seat = _number(form.get("seat", 0), "seat", 0, 3) if "seat" in form else -1
    if not isinstance(deals, list):
        raise _fault("deals is a list")
    return Witness(match, seat, tuple(_deal(deal) for deal in deals))


def _deal(value: object) -> DealWitness:
    form = _members(value, "number commitment player_seed cut_aim player_seeds hand")
    return DealWitness(
        number=_number(form.get("number"), "number", 1, 10**9),
        commitment=_seed(form.get("commitment", "")),
        player_seed=_seed(form.get("player_seed", "")),
        cut_aim=_number(form["cut_aim"], "cut_aim", 0, 10**9) if "cut_aim" in form else -1,
        player_seeds=tuple(_seed(seed) for seed in _list(form["player_seeds"])) if "player_seeds" in form else None,
        hand=tuple(_card(card) for card in _list(form["hand"])) if "hand" in form else None,
    )


def _members(value: object, names: str) -> Mapping[str, object]:
    if not isinstance(value, Mapping):
        raise _fault("an object is wanted")
    for name in value:
        if name not in names.split():
            raise _fault(f"there is no member {str(name)[:40]!r}")
    return value


def _list(value: object) -> list[object]:
    if not isinstance(value, list):
        raise _fault("a list is wanted")
    return value


def _number(value: object, name: str, least: int, most: int) -> int:
    if type(value) is not int or not least <= value <= most:
        raise _fault(f"{name} is a whole number from {least} to {most}")
    return value


def _seed(value: object) -> str:
    if not isinstance(value, str) or (value and not _HEX.fullmatch(value)):
        raise _fault("a seed or a commitment is 64 hexadecimal digits in small letters")
    return value


def _card(value: object) -> int:
    try:
        return parse_card(value if isinstance(value, str) else "")
    except ParseError as error:
        raise _fault(error.message) from None


def _fault(message: str) -> ParseError:
    return ParseError("witness_form", message)
