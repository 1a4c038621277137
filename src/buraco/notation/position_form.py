"""The JSON form of a position, and the one place where a position is built from what somebody wrote."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, Final, TypeAlias, TypeVar

from buraco.cards import card_text, parse_card
from buraco.engine.position import END_KINDS, PHASES, MeldState, PileCard, Position
from buraco.engine.shapes import unpack
from buraco.errors import ParseError
from buraco.notation.house import rules_form, rules_from_form
from buraco.notation.limits import shown
from buraco.notation.melds import meld_from_words, meld_words
from buraco.rules import RuleSet, pack_size

__all__ = ["FLAGS", "FORMAT", "VERSION", "opening_need", "position_form", "position_from_form"]

FORMAT: Final = "buraco-position"
VERSION: Final = 1

FLAGS: Final = ("rest_waits", "drew_stock", "tabled", "took_single", "rejected")
"""Members that are true or false, false where they are left out."""

_CARDS: Final = ("barred_card", "top_card", "drawn_card")
_COUNTS: Final = ("laid_points", "quiet_turns")
_DEAL: Final = ("format", "version", "rules", "players", "dealer", "totals", "turn_count", "seat", "phase")
_PLACES: Final = ("hands", "known", "melds", "pile", "stock", "mortos")
_FACTS: Final = ("unplayed", "top_meld", "opening_need", "opened", "end_kind", "out_seat")
_MEMBERS: Final = frozenset((*_DEAL, *_PLACES, *_FACTS, *FLAGS, *_CARDS, *_COUNTS))
_MORTO_OWNERS: Final[Mapping[str, int]] = MappingProxyType({"side 0": 0, "side 1": 1, "stock": 2})
_CARDS_MAX: Final = 128
_T = TypeVar("_T")
_Melds: TypeAlias = tuple[MeldState, ...]
_Hand: TypeAlias = int | tuple[int, ...] | None


def opening_need(rules: RuleSet, totals: tuple[int, int], melds: tuple[tuple[MeldState, ...], ...]) -> tuple[int, int]:
    """Return the opening minimum of each side where a position does not tell it: none once the side has a meld."""
    need = []
    for total, laid in zip(totals, melds, strict=True):
        vulnerable = total >= rules.opening_vulnerable_from
        minimum = rules.opening_vulnerable_minimum if vulnerable else rules.opening_minimum
        need.append(0 if laid or rules.opening == "none" else minimum)
    return need[0], need[1]


def position_form(position: Position) -> dict[str, object]:
    """Return the JSON form of a position (``schema/position.json``); members at their default are left out."""
    form: dict[str, object] = {
        "format": FORMAT,
        "version": VERSION,
        "rules": rules_form(position.rules),
        "players": position.players,
        "dealer": position.dealer,
        "totals": list(position.totals),
        "turn_count": position.turn_count,
        "seat": position.seat,
        "phase": position.phase,
        "hands": [
            count if hand is None else _texts(hand)
            for hand, count in zip(position.hands, position.hand_counts, strict=True)
        ],
    }
    if any(position.known):
        form["known"] = [_texts(cards) for cards in position.known]
    form["melds"] = [[_meld_form(meld) for meld in melds] for melds in position.melds]
    form["pile"] = [_pile_form(entry) for entry in position.pile]
    form["stock"] = position.stock_count if position.stock is None else _texts(position.stock)
    form["mortos"] = [_morto_form(position, index) for index in (0, 1)]
    if any(position.unplayed):
        form["unplayed"] = [seat for seat, unplayed in enumerate(position.unplayed) if unplayed]
    return form | _duty_form(position)


def _duty_form(position: Position) -> dict[str, object]:
    form: dict[str, object] = {name: card_text(card) for name in _CARDS if (card := getattr(position, name)) >= 0}
    if position.top_slot >= 0:
        form["top_meld"] = position.top_slot + 1
    need = opening_need(position.rules, position.totals, position.melds)
    if position.opening_need != need:
        form["opening_need"] = list(position.opening_need)
    if position.opened != tuple(points == 0 for points in position.opening_need):
        form["opened"] = list(position.opened)
    form |= {name: getattr(position, name) for name in (*_COUNTS, *FLAGS) if getattr(position, name)}
    if position.end_kind != "none":
        form["end_kind"] = position.end_kind
    if position.out_seat >= 0:
        form["out_seat"] = position.out_seat
    return form


def _texts(cards: tuple[int, ...]) -> list[str]:
    return [card_text(card) for card in cards]


def _meld_form(meld: MeldState) -> dict[str, object]:
    form: dict[str, object] = {"cards": list(meld_words(meld.packed))}
    return form if meld.turn < 0 else form | {"turn": meld.turn}


def _pile_form(entry: PileCard) -> dict[str, object]:
    form: dict[str, object] = {"card": None if entry.card is None else card_text(entry.card)}
    form |= {"seat": entry.seat} if entry.seat >= 0 else {}
    return form | ({"turn": entry.turn} if entry.turn >= 0 else {})


def _morto_form(position: Position, index: int) -> object:
    owner, cards = position.morto_owner[index], position.mortos[index]
    if owner == -1:
        return "hidden" if cards is None else _texts(cards)
    return "stock" if owner == 2 else f"side {owner}"


class _EntryFault(ParseError):
    """A fault of one entry of a list."""

    def __init__(self, index: int, error: ParseError) -> None:
        super().__init__(error.code, error.message, error.reasons)
        self.index = index


class _Reader:
    """Takes members out of a form and keeps every fault, each with the name of its member."""

    def __init__(self, form: Mapping[str, object]) -> None:
        self.form = form
        self.faults: list[str] = []

    def take(self, name: str, default: Any, read: Callable[[object], Any]) -> Any:
        if name not in self.form:
            return default
        try:
            return read(self.form[name])
        except ParseError as error:
            place = f"{name}[{error.index}]" if isinstance(error, _EntryFault) else name
            self.faults += [f"{place}: {reason}" for reason in error.reasons]
            return default


def position_from_form(form: object) -> Position:
    """Return the position of a JSON form; it is not validated yet.

    Raises ParseError (code ``position_form``, every fault in ``reasons``).
    """
    if not isinstance(form, Mapping):
        raise _fault("a position is an object")
    if form.get("format") != FORMAT or form.get("version") != VERSION or form.get("version") is True:
        raise _fault(f"a position begins with format {FORMAT} and version {VERSION}")
    reader = _Reader(form)
    reader.faults += [f"there is no member {str(name)[:40]!r}" for name in form if name not in _MEMBERS]
    rules = reader.take("rules", None, rules_from_form)
    if rules is None:
        reader.faults += [] if "rules" in form else ["rules: a position names its rules"]
        raise _faults(reader)
    parts = _parts(reader, rules)
    if reader.faults:
        raise _faults(reader)
    return Position(rules=rules, **parts)


def _parts(reader: _Reader, rules: RuleSet) -> dict[str, Any]:
    """Return the arguments of the position, defaults filled in; faults stay in the reader."""
    players: int = reader.take("players", max(rules.player_counts), _players)
    dealer: int = reader.take("dealer", 0, _seat)
    places = _places(reader, rules, players)
    totals: tuple[int, int] = reader.take("totals", (0, 0), lambda value: _pair(value, _integer))
    return places | {
        "players": players,
        "dealer": dealer,
        "totals": totals,
        "seat": reader.take("seat", (dealer + 1) % players, _seat),
        "phase": reader.take("phase", "draw", lambda value: _word(value, PHASES)),
        "turn_count": reader.take("turn_count", 0, _count),
        **_facts(reader, players, opening_need(rules, totals, places["melds"])),
    }


def _places(reader: _Reader, rules: RuleSet, players: int) -> dict[str, Any]:
    """Return where the cards lie."""
    melds: tuple[_Melds, _Melds] = reader.take("melds", ((), ()), lambda value: _pair(value, _meld_list))
    hands: tuple[_Hand, ...] = reader.take("hands", (None,) * players, lambda value: _per_seat(value, players, _hand))
    known = reader.take("known", ((),) * players, lambda value: _per_seat(value, players, _sorted_cards))
    pile = reader.take("pile", (), lambda value: tuple(_pile_card(entry) for entry in _list(value)))
    mortos = reader.take("mortos", ((-1, None), (-1, None)), lambda value: _pair(value, _morto))
    stock: _Hand = reader.take("stock", None, _hand)
    counts = tuple(rules.hand_size if h is None else h if isinstance(h, int) else len(h) for h in hands)
    if stock is None:
        waiting = sum(owner == -1 for owner, _ in mortos) * rules.morto_size
        laid = sum(unpack(meld.packed).size for side in melds for meld in side)
        rest = pack_size(rules) - sum(counts) - laid - len(pile) - waiting
        if rest < 0:
            size = pack_size(rules)
            reader.faults.append(f"hands, melds, pile and mortos take {size - rest} cards of a pack of {size}")
        stock = rest
    return {
        "hands": tuple(None if hand is None or isinstance(hand, int) else tuple(sorted(hand)) for hand in hands),
        "hand_counts": counts,
        "known": known,
        "melds": melds,
        "pile": pile,
        "stock": None if isinstance(stock, int) else stock,
        "stock_count": stock if isinstance(stock, int) else len(stock),
        "mortos": tuple(cards for _, cards in mortos),
        "morto_owner": tuple(owner for owner, _ in mortos),
        "mortos_gone": sum(owner != -1 for owner, _ in mortos),
    }


def _facts(reader: _Reader, players: int, usual_need: tuple[int, int]) -> dict[str, Any]:
    """Return the duties of the turn, and what else is neither a card nor whose turn it is."""
    need: tuple[int, int] = reader.take("opening_need", usual_need, lambda value: _pair(value, _count))
    unplayed = reader.take("unplayed", (), lambda value: _seats(value, players))
    facts: dict[str, Any] = {name: reader.take(name, -1, _card) for name in _CARDS}
    facts |= {name: reader.take(name, 0, _count) for name in _COUNTS}
    facts |= {name: reader.take(name, False, _flag) for name in FLAGS}
    return facts | {
        "unplayed": tuple(seat in unplayed for seat in range(players)),
        "top_slot": reader.take("top_meld", 0, _count) - 1,
        "opening_need": need,
        "opened": reader.take("opened", (need[0] == 0, need[1] == 0), lambda value: _pair(value, _flag)),
        "end_kind": reader.take("end_kind", "none", lambda value: _word(value, END_KINDS)),
        "out_seat": reader.take("out_seat", -1, _seat),
    }


def _fault(message: str) -> ParseError:
    return ParseError("position_form", message)


def _faults(reader: _Reader) -> ParseError:
    return ParseError("position_form", "; ".join(reader.faults[:3])[:500], reader.faults)


def _list(value: object) -> list[object]:
    if not isinstance(value, list) or len(value) > _CARDS_MAX:
        raise _fault(f"not a list of at most {_CARDS_MAX} entries")
    return value


def _pair(value: object, read: Callable[[object], _T]) -> tuple[_T, _T]:
    entries = _list(value)
    if len(entries) != 2:
        raise _fault(f"two entries are wanted, not {len(entries)}")
    first, second = _each(entries, read)
    return first, second


def _per_seat(value: object, players: int, read: Callable[[object], _T]) -> tuple[_T, ...]:
    entries = _list(value)
    if len(entries) != players:
        raise _fault(f"{players} players need {players} entries, not {len(entries)}")
    return _each(entries, read)


def _each(entries: list[object], read: Callable[[object], _T]) -> tuple[_T, ...]:
    found: list[_T] = []
    for index, entry in enumerate(entries):
        try:
            found.append(read(entry))
        except ParseError as error:
            raise _EntryFault(index, error) from None
    return tuple(found)


def _integer(value: object) -> int:
    if type(value) is not int:
        raise _fault(f"{shown(value)} is no whole number")
    return value


def _count(value: object) -> int:
    number = _integer(value)
    if number < 0:
        raise _fault(f"{number} is less than 0")
    return number


def _players(value: object) -> int:
    number = _integer(value)
    if not 2 <= number <= 4:
        raise _fault(f"{number} players: there are 2 or 4")
    return number


def _seat(value: object) -> int:
    number = _integer(value)
    if not 0 <= number <= 3:
        raise _fault(f"there is no seat {number}; seats are 0 to 3")
    return number


def _seats(value: object, players: int) -> tuple[int, ...]:
    seats = tuple(_seat(seat) for seat in _list(value))
    for seat in seats:
        if seat >= players:
            raise _fault(f"there is no seat {seat}; seats are 0 to {players - 1}")
        if seats.count(seat) > 1:
            raise _fault(f"seat {seat} is there twice")
    return seats


def _flag(value: object) -> bool:
    if not isinstance(value, bool):
        raise _fault(f"{shown(value)} is neither true nor false")
    return value


def _word(value: object, words: tuple[str, ...]) -> str:
    if not isinstance(value, str) or value not in words:
        raise _fault(f"{shown(value)} is none of {', '.join(words)}")
    return value


def _card(value: object) -> int:
    if not isinstance(value, str):
        raise _fault(f"{shown(value)} is no card")
    return parse_card(value)


def _cards(value: object) -> tuple[int, ...]:
    return tuple(_card(card) for card in _list(value))


def _sorted_cards(value: object) -> tuple[int, ...]:
    return tuple(sorted(_cards(value)))


def _hand(value: object) -> _Hand:
    """Read cards, or their number where they are hidden; null leaves even the number to the default."""
    if value is None:
        return None
    return _count(value) if isinstance(value, int) else _cards(value)


def _meld_list(value: object) -> _Melds:
    return tuple(_meld(meld) for meld in _list(value))


def _meld(value: object) -> MeldState:
    if not isinstance(value, Mapping) or not value.keys() <= {"cards", "turn"}:
        raise _fault("a meld is an object of cards and, perhaps, its turn")
    words = _list(value.get("cards"))
    if not all(isinstance(word, str) for word in words):
        raise _fault("the cards of a meld are texts")
    packed = meld_from_words([str(word) for word in words])
    return MeldState(packed, _count(value["turn"]) if "turn" in value else -1)


def _pile_card(value: object) -> PileCard:
    if not isinstance(value, Mapping) or "card" not in value or not value.keys() <= {"card", "seat", "turn"}:
        raise _fault("a card of the pile is an object of card and, perhaps, seat and turn")
    card = None if value["card"] is None else _card(value["card"])
    seat = _seat(value["seat"]) if "seat" in value else -1
    return PileCard(card, seat, _count(value["turn"]) if "turn" in value else -1)


def _morto(value: object) -> tuple[int, tuple[int, ...] | None]:
    """Read a morto as its owner and its cards; one that is gone has no cards."""
    if isinstance(value, list):
        return -1, _cards(value)
    if value == "hidden":
        return -1, None
    if not isinstance(value, str) or value not in _MORTO_OWNERS:
        raise _fault(f"{shown(value)} is no morto: its cards, hidden, side 0, side 1 or stock")
    return _MORTO_OWNERS[value], ()
