"""The JSON form of a game record, and the one place where a record is built from what somebody wrote."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Final, TypeAlias, TypeVar

from buraco.cards import card_text, parse_card
from buraco.engine.match import Cut
from buraco.engine.position import END_KINDS
from buraco.errors import ParseError
from buraco.notation.actions import format_action, parse_action
from buraco.notation.house import rules_from_form
from buraco.notation.limits import shown
from buraco.notation.record import UNDO, DealRecord, Entry, Outcome, Record, SeatRecord, TurnRecord
from buraco.rules import RuleSet, to_json
from buraco.texts import Message, joined, message

__all__ = ["FORMAT", "VERSION", "WINNERS", "FormFault", "Path", "record_form", "record_from_form"]

FORMAT: Final = "buraco-record"
VERSION: Final = 1
WINNERS: Final = ("side 0", "side 1", "draw")

TEXT_MAX: Final = 2_000
"""The longest name, tag or comment, in characters."""

_SEED: Final = re.compile(r"[0-9a-f]{64}")
_TAG: Final = re.compile(r"[a-z][a-z0-9_-]{0,39}")
_TIME_MAX_MS: Final = 10**12
_T = TypeVar("_T")
Path: TypeAlias = tuple[str | int, ...]


class FormFault(ParseError):
    """A fault of a form, with the ``path`` of members and indices to its place."""

    def __init__(self, path: Path, told: str) -> None:
        self.path = path
        place = "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in path).removeprefix(".")
        super().__init__("record_form", joined(": ", (place, told)) if place else told)


def _told(key: str, **values: object) -> Message:
    return message(f"record.form.{key}", **values)


def record_form(record: Record) -> dict[str, object]:
    """Return the JSON form of a record (``schema/record.json``); members that say nothing are left out."""
    form: dict[str, object] = {
        "format": FORMAT,
        "version": VERSION,
        "name": record.name,
        "rules": to_json(record.rules),
        "players": record.players,
        "seats": [{"name": seat.name} | ({"bot": seat.bot} if seat.bot else {}) for seat in record.seats],
        "seed": record.seed,
        "first_dealer": record.first_dealer,
        "dealer_drawn": record.dealer_drawn,
        "dealer_rounds": [
            [{"seat": seat, "card": card_text(card)} for seat, card in drawn] for drawn in record.dealer_rounds
        ],
        "tags": dict(record.tags),
        "comments": list(record.comments),
        "deals": [_deal_form(deal) for deal in record.deals],
        "winner": record.winner,
    }
    kept = ("name", "first_dealer", "deals")
    return {name: value for name, value in form.items() if value or name in kept}


def _deal_form(deal: DealRecord) -> dict[str, object]:
    form: dict[str, object] = {"number": deal.number, "dealer": deal.dealer, "totals": list(deal.totals)}
    if deal.cut is not None:
        cut = {"seat": deal.cut.seat, "count": deal.cut.count, "points": deal.cut.points}
        form["cut"] = cut | ({"aim": deal.cut.aim} if deal.cut.aim >= 0 else {})
    if deal.pack is not None:
        form["pack"] = [card_text(card) for card in deal.pack]
    texts = {"commitment": deal.commitment, "revealed_seed": deal.revealed_seed}
    form |= {name: text for name, text in texts.items() if text}
    form |= {"player_seeds": list(deal.player_seeds)} if deal.player_seeds else {}
    form |= {"comments": list(deal.comments)} if deal.comments else {}
    form["turns"] = [_turn_form(turn) for turn in deal.turns]
    if deal.outcome is not None:
        form["outcome"] = _outcome_form(deal.outcome)
    return form


def _turn_form(turn: TurnRecord) -> dict[str, object]:
    entries = [_entry_form(entry) for entry in turn.entries]
    form: dict[str, object] = {"number": turn.number, "seat": turn.seat, "entries": entries}
    return form | ({"comments": list(turn.comments)} if turn.comments else {})


def _entry_form(entry: Entry) -> dict[str, object]:
    form: dict[str, object] = (
        {"undo": entry.undone} if entry.action == UNDO else {"action": format_action(entry.action)}
    )
    return form | ({"time_ms": entry.time_ms} if entry.time_ms >= 0 else {})


def _outcome_form(outcome: Outcome) -> dict[str, object]:
    form: dict[str, object] = {"end_kind": outcome.end_kind}
    form |= {"out_seat": outcome.out_seat} if outcome.out_seat >= 0 else {}
    form |= {"scores": list(outcome.scores), "totals": list(outcome.totals)}
    return form | ({"comments": list(outcome.comments)} if outcome.comments else {})


class _Form:
    """An object of the form at its path; it hands out members and refuses those that nobody asked for."""

    def __init__(self, value: object, path: Path, members: str) -> None:
        if not isinstance(value, Mapping):
            raise FormFault(path, _told("object"))
        self.value = value
        self.path = path
        for name in value:
            if name not in members.split():
                raise FormFault(path, _told("no_member", name=str(name)[:40]))

    def take(self, name: str, read: Callable[[object, Path], _T], *default: _T) -> _T:
        if name in self.value:
            return read(self.value[name], (*self.path, name))
        if default:
            return default[0]
        raise FormFault(self.path, _told("missing", name=name))


def record_from_form(form: object) -> Record:
    """Return the record of a JSON form; whether its actions are legal is for the replay to say.

    Raises ParseError (code ``record_form``), which names the place of the first fault.
    """
    members = "format version name rules players seats seed first_dealer dealer_drawn dealer_rounds tags comments deals"
    reader = _Form(form, (), f"{members} winner")
    if reader.value.get("format") != FORMAT or reader.take("version", _integer) != VERSION:
        raise FormFault((), _told("version", format=FORMAT, version=VERSION))
    rules = reader.take("rules", _rules)
    players = reader.take("players", _integer)
    if players not in rules.player_counts:
        raise FormFault(("players",), message("error.players", rules=rules.name, players=players))
    seats = reader.take("seats", _each(_seat_record))
    if len(seats) != players:
        raise FormFault(("seats",), _told("seats", wanted=players, count=len(seats)))
    record = Record(
        name=reader.take("name", _text),
        rules=rules,
        players=players,
        seats=seats,
        seed=reader.take("seed", _seed, ""),
        first_dealer=reader.take("first_dealer", _seat_of(players)),
        dealer_drawn=reader.take("dealer_drawn", _flag, False),
        dealer_rounds=reader.take("dealer_rounds", _each(_each(_drawn_of(players))), ()),
        tags=reader.take("tags", _tags, ()),
        comments=reader.take("comments", _each(_text), ()),
        deals=reader.take("deals", _each(_deal_of(players))),
        winner=reader.take("winner", _word_of(WINNERS), ""),
    )
    _check_whole(record)
    return record


def _check_whole(record: Record) -> None:
    """Refuse what no single member shows: deals out of order, a pack that is neither told nor drawn."""
    for index, deal in enumerate(record.deals):
        path: Path = ("deals", index)
        if deal.number != index + 1:
            raise FormFault(path, _told("deal_order", wanted=index + 1, found=deal.number))
        if deal.outcome is None and index + 1 < len(record.deals):
            raise FormFault(path, _told("open_deal"))
        if deal.pack is None and not record.seed and not deal.revealed_seed:
            raise FormFault(path, _told("no_pack"))
    if record.dealer_drawn and not record.seed and not (record.deals and record.deals[0].revealed_seed):
        raise FormFault(("dealer_drawn",), _told("no_draw"))
    if record.winner and (not record.deals or record.deals[-1].outcome is None):
        raise FormFault(("winner",), _told("early_winner"))


def _deal_of(players: int) -> Callable[[object, Path], DealRecord]:
    members = "number dealer totals cut pack commitment revealed_seed player_seeds comments turns outcome"

    def read(value: object, path: Path) -> DealRecord:
        form = _Form(value, path, members)
        none: tuple[str, ...] = ()
        seeds = form.take("player_seeds", _each(_seed_or_none), none)
        if seeds and len(seeds) != players:
            raise FormFault((*path, "player_seeds"), _told("seeds", wanted=players, count=len(seeds)))
        return DealRecord(
            number=form.take("number", _count),
            dealer=form.take("dealer", _seat_of(players)),
            totals=form.take("totals", _pair),
            cut=form.take("cut", _cut_of(players), None),
            pack=form.take("pack", _each(_card), None),
            commitment=form.take("commitment", _seed, ""),
            revealed_seed=form.take("revealed_seed", _seed, ""),
            player_seeds=seeds if any(seeds) else (),
            comments=form.take("comments", _each(_text), ()),
            turns=form.take("turns", _each(_turn_of(players))),
            outcome=form.take("outcome", _outcome_of(players), None),
        )

    return read


def _turn_of(players: int) -> Callable[[object, Path], TurnRecord]:
    def read(value: object, path: Path) -> TurnRecord:
        form = _Form(value, path, "number seat entries comments")
        entries = form.take("entries", _each(_entry))
        if not entries:
            raise FormFault(path, _told("empty_turn"))
        number, seat = form.take("number", _count), form.take("seat", _seat_of(players))
        return TurnRecord(number, seat, entries, form.take("comments", _each(_text), ()))

    return read


def _entry(value: object, path: Path) -> Entry:
    form = _Form(value, path, "action undo time_ms")
    time_ms = form.take("time_ms", _time, -1)
    if ("action" in form.value) == ("undo" in form.value):
        raise FormFault(path, _told("entry"))
    if "undo" in form.value:
        undone = form.take("undo", _count)
        if not undone:
            raise FormFault(path, _told("undo"))
        return Entry(UNDO, undone, time_ms)
    text = form.take("action", _text)
    try:
        return Entry(parse_action(text), 0, time_ms)
    except ParseError as error:
        raise FormFault((*path, "action"), error.message) from None


def _outcome_of(players: int) -> Callable[[object, Path], Outcome]:
    def read(value: object, path: Path) -> Outcome:
        form = _Form(value, path, "end_kind out_seat scores totals comments")
        return Outcome(
            form.take("end_kind", _word_of(END_KINDS[1:])),
            form.take("out_seat", _seat_of(players), -1),
            form.take("scores", _pair),
            form.take("totals", _pair),
            form.take("comments", _each(_text), ()),
        )

    return read


def _cut_of(players: int) -> Callable[[object, Path], Cut | None]:
    def read(value: object, path: Path) -> Cut:
        form = _Form(value, path, "seat count points aim")
        seat, count, points = (
            form.take("seat", _seat_of(players)),
            form.take("count", _count),
            form.take("points", _count),
        )
        return Cut(seat, count, points, form.take("aim", _count, -1))

    return read


def _drawn_of(players: int) -> Callable[[object, Path], tuple[int, int]]:
    def read(value: object, path: Path) -> tuple[int, int]:
        form = _Form(value, path, "seat card")
        return form.take("seat", _seat_of(players)), form.take("card", _card)

    return read


def _seat_record(value: object, path: Path) -> SeatRecord:
    form = _Form(value, path, "name bot")
    for name in ("name", "bot"):
        if form.value.get(name, "x") == "":
            raise FormFault((*path, name), _told("seat_text"))
    # In the text form a bar parts name and bot.
    if "|" in str(form.value.get("bot", "")):
        raise FormFault((*path, "bot"), _told("bot_bar"))
    return SeatRecord(form.take("name", _text), form.take("bot", _text, ""))


def _tags(value: object, path: Path) -> tuple[tuple[str, str], ...]:
    if not isinstance(value, Mapping):
        raise FormFault(path, _told("object"))
    for name in value:
        if not isinstance(name, str) or not _TAG.fullmatch(name):
            raise FormFault(path, _told("tag", name=str(name)[:40]))
    return tuple((name, _text(text, (*path, name))) for name, text in value.items())


def _rules(value: object, path: Path) -> RuleSet:
    try:
        return rules_from_form(value)
    except ParseError as error:
        raise FormFault(path, error.message) from None


def _each(read: Callable[[object, Path], _T]) -> Callable[[object, Path], tuple[_T, ...]]:
    def read_all(value: object, path: Path) -> tuple[_T, ...]:
        if not isinstance(value, list):
            raise FormFault(path, _told("list"))
        return tuple(read(entry, (*path, index)) for index, entry in enumerate(value))

    return read_all


def _integer(value: object, path: Path) -> int:
    if type(value) is not int:
        raise FormFault(path, _told("integer", value=shown(value)))
    return value


def _count(value: object, path: Path) -> int:
    number = _integer(value, path)
    if number < 0:
        raise FormFault(path, _told("negative", value=number))
    return number


def _time(value: object, path: Path) -> int:
    number = _count(value, path)
    if number > _TIME_MAX_MS:
        raise FormFault(path, _told("time", value=number))
    return number


def _seat_of(players: int) -> Callable[[object, Path], int]:
    def read(value: object, path: Path) -> int:
        number = _integer(value, path)
        if not 0 <= number < players:
            raise FormFault(path, _told("seat", seat=number, most=players - 1))
        return number

    return read


def _pair(value: object, path: Path) -> tuple[int, int]:
    numbers = _each(_integer)(value, path)
    if len(numbers) != 2:
        raise FormFault(path, _told("pair", count=len(numbers)))
    return numbers[0], numbers[1]


def _flag(value: object, path: Path) -> bool:
    if not isinstance(value, bool):
        raise FormFault(path, _told("flag"))
    return value


def _text(value: object, path: Path) -> str:
    if not isinstance(value, str) or len(value) > TEXT_MAX or not value.isprintable() or value != value.strip():
        raise FormFault(path, _told("text", value=shown(value), most=TEXT_MAX))
    return value


def _word_of(words: tuple[str, ...]) -> Callable[[object, Path], str]:
    def read(value: object, path: Path) -> str:
        if not isinstance(value, str) or value not in words:
            raise FormFault(path, _told("word", value=shown(value), words=", ".join(words)))
        return value

    return read


def _card(value: object, path: Path) -> int:
    try:
        card = parse_card(value) if isinstance(value, str) else -1
    except ParseError as error:
        raise FormFault(path, error.message) from None
    if card < 0 or card_text(card) != value:
        raise FormFault(path, _told("card", value=shown(value)))
    return card


def _seed(value: object, path: Path) -> str:
    if not isinstance(value, str) or not _SEED.fullmatch(value):
        raise FormFault(path, _told("seed"))
    return value


def _seed_or_none(value: object, path: Path) -> str:
    return "" if value == "" else _seed(value, path)
