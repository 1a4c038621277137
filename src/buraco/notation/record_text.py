"""The text of a game record: header lines, then for each deal its lines and one line a turn."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, Final

from buraco.errors import ParseError
from buraco.notation.house import field_text
from buraco.notation.limits import RECORD_TEXT_MAX, load_json
from buraco.notation.record import Record
from buraco.notation.record_form import FORMAT, VERSION, FormFault, Path, record_form, record_from_form
from buraco.texts import Message, message

__all__ = ["format_record", "parse_record", "record_from_json", "record_json", "record_json_text"]

_HEAD: Final = f"{FORMAT} {VERSION}"
_DEAL: Final = re.compile(r"deal ([0-9]{1,6})")
_TURN: Final = re.compile(r"turn ([0-9]{1,9}) seat ([0-9]): *(.*)")
_TIME: Final = re.compile(r"[0-9]{1,13}")
_UNDO: Final = re.compile(r"undo ([0-9]{1,9})")
_OUTCOME: Final = re.compile(r"([a-z_]+)(?: seat ([0-9]))?; scores (\S+) (\S+); totals (\S+) (\S+)")
_FIRST_DEALER: Final = re.compile(r"([0-9])( drawn)?")
_DRAWN: Final = re.compile(r"([0-9]) (\S+)")


def record_json(record: Record) -> dict[str, object]:
    """Return the JSON form of a record (``schema/record.json``); members that say nothing are left out."""
    return record_form(record)


def record_json_text(record: Record) -> str:
    """Return the JSON form as indented text."""
    return json.dumps(record_form(record), indent=1) + "\n"


def record_from_json(form: object) -> Record:
    """Return the record of a JSON form; whether its actions are legal is for the replay to say.

    Raises ParseError (code ``record_form``), which names the place of the first fault.
    """
    return record_from_form(form)


def format_record(record: Record) -> str:
    """Return the text of a record."""
    form: dict[str, Any] = record_form(record)
    lines = [_HEAD, f"name: {form['name']}".rstrip()]
    lines += [f"rule {name}: {field_text(value)}" for name, value in form["rules"].items()]
    lines.append(f"players: {form['players']}")
    for number, seat in enumerate(form["seats"]):
        bot = f" | {seat['bot']}" if "bot" in seat else ""
        lines.append(f"seat {number}: {_name_text(seat['name'])}{bot}")
    lines += [f"seed: {form['seed']}"] if "seed" in form else []
    lines.append(f"first_dealer: {form['first_dealer']}{' drawn' if form.get('dealer_drawn') else ''}")
    for drawn in form.get("dealer_rounds", []):
        lines.append("dealer_round: " + ", ".join(f"{entry['seat']} {entry['card']}" for entry in drawn))
    lines += [f"tag {name}: {text}".rstrip() for name, text in form.get("tags", {}).items()]
    lines += _comment_lines(form)
    for deal in form["deals"]:
        lines += ["", *_deal_lines(deal)]
    lines += ["", f"winner: {form['winner']}"] if "winner" in form else []
    return "\n".join(lines) + "\n"


def _name_text(name: str) -> str:
    """Return the name of a seat as its line has it: as a JSON string where it would be taken for something else."""
    return json.dumps(name, ensure_ascii=False) if _is_quoted(name) else name


def _is_quoted(name: str) -> bool:
    # A bar parts name and bot, and a quotation mark begins a JSON string.
    return "|" in name or name.startswith('"')


def _comment_lines(form: Mapping[str, Any]) -> list[str]:
    return [f"# {comment}".rstrip() for comment in form.get("comments", [])]


def _deal_lines(deal: Mapping[str, Any]) -> list[str]:
    lines = [f"deal {deal['number']}", f"dealer: {deal['dealer']}", "totals: {} {}".format(*deal["totals"])]
    if "cut" in deal:
        aim = " aim {aim}" if "aim" in deal["cut"] else ""
        lines.append(("cut: {seat} {count} {points}" + aim).format(**deal["cut"]))
    lines += ["pack: " + " ".join(deal["pack"])] if "pack" in deal else []
    lines += [f"{name}: {deal[name]}" for name in ("commitment", "revealed_seed") if name in deal]
    lines += [f"player_seed {seat}: {seed}" for seat, seed in enumerate(deal.get("player_seeds", [])) if seed]
    lines += _comment_lines(deal)
    for turn in deal["turns"]:
        entries = "; ".join(_entry_text(entry) for entry in turn["entries"])
        lines += [f"turn {turn['number']} seat {turn['seat']}: {entries}", *_comment_lines(turn)]
    if "outcome" in deal:
        outcome = deal["outcome"]
        out = f" seat {outcome['out_seat']}" if "out_seat" in outcome else ""
        scores, totals = ("{} {}".format(*outcome[name]) for name in ("scores", "totals"))
        lines += [f"outcome: {outcome['end_kind']}{out}; scores {scores}; totals {totals}", *_comment_lines(outcome)]
    return lines


def _entry_text(entry: Mapping[str, Any]) -> str:
    text = f"undo {entry['undo']}" if "undo" in entry else entry["action"]
    return f"{text} @{entry['time_ms']}" if "time_ms" in entry else text


def parse_record(text: str) -> Record:
    """Return the record of a text, in either form: lines, or JSON if it begins with ``{``.

    Whether its actions are legal is for the replay to say. Raises ParseError: ``record_text`` names the line of the
    first fault of lines, ``record_form`` its place in JSON.
    """
    if text.lstrip()[:1] == "{":
        return record_from_form(load_json(text, RECORD_TEXT_MAX, "record_form"))
    if len(text) > RECORD_TEXT_MAX:
        raise _fault("too_long", most=RECORD_TEXT_MAX, count=len(text))
    reader = _Reader()
    for number, line in enumerate(text.split("\n"), 1):
        try:
            reader.read(number, line.strip())
        except ParseError as error:
            raise ParseError("record_text", _at_line(number, error.message)) from None
    if not reader.form:
        raise ParseError("record_text", _at_line(1, message("record.head", head=_HEAD)))
    try:
        return record_from_form(reader.form)
    except FormFault as fault:
        raise ParseError("record_text", _at_line(reader.line_of(fault.path), fault.message)) from None


class _Reader:
    """Builds the JSON form from lines and remembers which line each part came from."""

    def __init__(self) -> None:
        self.form: dict[str, Any] = {}
        self.deal: dict[str, Any] | None = None
        self.lines: dict[Path, int] = {}
        self.open: dict[str, Any] = {}
        self.ended = False

    def line_of(self, path: Path) -> int:
        """Return the line of a place in the form, or of the closest place around it."""
        while path and path not in self.lines:
            path = path[:-1]
        return self.lines.get(path, 1)

    def read(self, number: int, line: str) -> None:
        """Take one line without blanks at its ends."""
        if not self.form:
            if line.split() != _HEAD.split():
                raise ParseError("record_text", message("record.head", head=_HEAD))
            self.form = {"format": FORMAT, "version": VERSION, "rules": {}, "seats": [], "deals": []}
            self.open = self.form
        elif line.startswith("#"):
            # A comment belongs to what stands above it: the header, a deal, a turn or an outcome.
            self.open.setdefault("comments", []).append(line[1:].strip())
            self.lines[(*self._path(), "comments")] = number
        elif line:
            self._statement(number, line)

    def _path(self) -> Path:
        return ("deals", len(self.form["deals"]) - 1) if self.deal is not None else ()

    def _statement(self, number: int, line: str) -> None:
        if self.ended:
            raise _fault("after_winner")
        deal, turn = _DEAL.fullmatch(line), _TURN.fullmatch(line)
        if deal:
            self.deal = self.open = {"number": int(deal[1]), "turns": []}
            self.form["deals"].append(self.deal)
            self.lines[self._path()] = number
        elif turn:
            self._turn(number, turn)
        else:
            key, colon, value = (part.strip() for part in line.partition(":"))
            if not colon:
                raise _fault("no_line", line=line[:40])
            self._member(number, key, value)

    def _turn(self, number: int, match: re.Match[str]) -> None:
        if self.deal is None or "outcome" in self.deal:
            raise _fault("turn_place")
        entries = [_read_entry(part.strip()) for part in match[3].split(";")]
        self.open = {"number": int(match[1]), "seat": int(match[2]), "entries": entries}
        self.deal["turns"].append(self.open)
        self.lines[(*self._path(), "turns", len(self.deal["turns"]) - 1)] = number

    def _member(self, number: int, key: str, value: str) -> None:
        name, _, index = key.partition(" ")
        if key == "winner":
            self.deal = None
            self.open = self.form
            self.ended = True
        scope = _HEADER if self.deal is None else _DEAL_MEMBERS
        if name not in scope or bool(index) != (name in _INDEXED):
            raise _fault("not_in_header" if self.deal is None else "not_in_deal", name=key[:40])
        if self.deal is not None and self.deal["turns"] and key != "outcome":
            raise _fault("before_turns", name=key[:40])
        target = self.form if self.deal is None else self.deal
        member = _RENAMED.get(name, name)
        self.lines[(*self._path(), member)] = number
        if name == "seat":
            self.lines[("seats", len(target["seats"]))] = number
        elif name in _INDEXED:
            self.lines[(*self._path(), member, index.strip())] = number
        if name in _INDEXED:
            self._indexed(target, name, index.strip(), value)
        elif name == "dealer_round":
            target.setdefault(member, []).append(scope[name](value))
        elif member in target:
            raise _fault("twice", name=key)
        elif name == "first_dealer":
            match = _FIRST_DEALER.fullmatch(value)
            if not match:
                raise _fault("first_dealer")
            target |= {"first_dealer": int(match[1]), "dealer_drawn": bool(match[2])}
        else:
            target[member] = scope[name](value)
            if name == "outcome":
                self.open = target[member]

    def _indexed(self, target: dict[str, Any], name: str, index: str, value: str) -> None:
        if name == "rule":
            self._entry(target["rules"], index, load_json(value, RECORD_TEXT_MAX, "record_text"))
        elif name == "tag":
            self._entry(target.setdefault("tags", {}), index, value)
        elif name == "seat":
            if index != str(len(target["seats"])):
                raise _fault("seat_wanted", seat=len(target["seats"]))
            target["seats"].append(_read_seat(value))
        else:
            seeds = target.setdefault("player_seeds", [""] * len(self.form["seats"]))
            if not re.fullmatch("[0-9]", index) or int(index) >= len(seeds) or seeds[int(index)]:
                raise _fault("seed_seat", seat=index[:10])
            seeds[int(index)] = value

    def _entry(self, entries: dict[str, Any], name: str, value: object) -> None:
        if name in entries:
            raise _fault("twice", name=name[:40])
        entries[name] = value


def _fault(key: str, **values: object) -> ParseError:
    return ParseError("record_text", message(f"record.form.{key}", **values))


def _at_line(number: int, reason: str) -> Message:
    return message("record.line", n=number, reason=reason)


def _read_seat(text: str) -> dict[str, object]:
    name, rest = _quoted_name(text)
    if not rest.startswith("|") and rest:
        name, rest = "", text
    seat, bar, bot = (part.strip() for part in rest.partition("|"))
    found: dict[str, object] = {"name": name or seat}
    return found | ({"bot": bot} if bar else {})


def _quoted_name(text: str) -> tuple[str, str]:
    """Return a name that is written as a JSON string, and what follows it; no name where none is."""
    try:
        name, end = json.JSONDecoder().raw_decode(text) if text.startswith('"') else ("", 0)
    except ValueError:
        name, end = "", 0
    # Others wrote quotation marks as they are.
    return (name, text[end:].strip()) if _is_quoted(name) else ("", text)


def _read_entry(text: str) -> dict[str, object]:
    # No pattern for the whole: before many blanks it would try each place at which the action might end.
    word, sign, time_ms = text.rpartition(" @")
    if not sign or not _TIME.fullmatch(time_ms):
        word, time_ms = text, ""
    word = word.rstrip(" ")
    undo = _UNDO.fullmatch(word)
    entry: dict[str, object] = {"undo": int(undo[1])} if undo else {"action": word}
    return entry | ({"time_ms": int(time_ms)} if time_ms else {})


def _read_integer(text: str) -> int:
    if not re.fullmatch(r"-?[0-9]{1,13}", text):
        raise _fault("integer", value=repr(text[:40]))
    return int(text)


def _read_integers(text: str) -> list[int]:
    return [_read_integer(word) for word in text.split()]


def _read_cut(text: str) -> dict[str, int]:
    told, _, aim = text.partition(" aim ")
    numbers = _read_integers(told)
    if len(numbers) != 3:
        raise _fault("cut")
    cut = dict(zip(("seat", "count", "points"), numbers, strict=True))
    return cut | ({"aim": _read_integer(aim.strip())} if " aim " in text else {})


def _read_round(text: str) -> list[dict[str, object]]:
    found: list[dict[str, object]] = []
    for part in text.split(","):
        match = _DRAWN.fullmatch(part.strip())
        if not match:
            raise _fault("round", text=part.strip()[:40])
        found.append({"seat": int(match[1]), "card": match[2]})
    return found


def _read_outcome(text: str) -> dict[str, object]:
    match = _OUTCOME.fullmatch(text)
    if not match:
        raise _fault("outcome")
    out = {"out_seat": int(match[2])} if match[2] else {}
    scores, totals = ([_read_integer(match[first]), _read_integer(match[first + 1])] for first in (3, 5))
    return {"end_kind": match[1], **out, "scores": scores, "totals": totals}


_Read = Callable[[str], object]
_INDEXED: Final = ("rule", "seat", "tag", "player_seed")
_RENAMED: Final[Mapping[str, str]] = MappingProxyType(
    {
        "rule": "rules",
        "seat": "seats",
        "tag": "tags",
        "player_seed": "player_seeds",
        "dealer_round": "dealer_rounds",
    }
)
_HEADER: Final[Mapping[str, _Read]] = MappingProxyType(
    {
        **dict.fromkeys(("name", "seed", "winner", *_INDEXED[:3], "first_dealer"), str),
        "players": _read_integer,
        "dealer_round": _read_round,
    }
)
_DEAL_MEMBERS: Final[Mapping[str, _Read]] = MappingProxyType(
    {
        **dict.fromkeys(("commitment", "revealed_seed", "player_seed"), str),
        "dealer": _read_integer,
        "totals": _read_integers,
        "cut": _read_cut,
        "pack": str.split,
        "outcome": _read_outcome,
    }
)
