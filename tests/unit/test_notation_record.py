"""Game records: a match written down comes back whole, plays again, and every lie in it is found and named."""

from __future__ import annotations

import functools
import json
import random
from dataclasses import replace

import pytest
from jsonschema import Draft202012Validator

from buraco.engine.host import Host
from buraco.engine.match import DealStart, Match
from buraco.engine.shuffle import shuffled_pack
from buraco.errors import ParseError, RecordError
from buraco.notation import (
    Entry,
    Record,
    SeatRecord,
    format_action,
    format_record,
    parse_action,
    parse_record,
    record_from_json,
    record_json,
    record_json_text,
    record_of,
    replay,
    restore,
    schema,
)
from buraco.notation.limits import RECORD_TEXT_MAX
from buraco.rules import RULE_SETS, get_rules
from buraco.texts import in_language, languages

TABLES = [(name, players) for name in RULE_SETS for players in RULE_SETS[name].player_counts]


def play_on(host: Host, source: random.Random, actions: int) -> None:
    """Let everyone meld where possible, take something back now and then, for so many actions of the deal at most."""
    for _ in range(actions):
        seat = host.seat
        if seat is None:
            return
        if host.can_undo(seat) and source.random() < 0.1:
            host.undo(seat, count=1)
            continue
        legal = host.view(seat).legal
        host.act(seat, source.choice([action for action in legal if action > parse_action("discard X")] or legal))


@functools.cache
def played(name: str, players: int = 4, seed: int = 3, deals: int = 2, last: int = 10**6) -> Record:
    """Return the record of a match of so many deals, the last one stopped after so many actions."""
    rules = get_rules(name).replace(target_points=0, deal_count=deals)
    host = Host(Match(rules, players, seed=seed, name="test"))
    source = random.Random(seed)
    starts: list[DealStart] = []
    for number in range(1, deals + 1):
        starts.append(host.next_deal())
        play_on(host, source, last if number == deals else 10**6)
    seats = [SeatRecord("Ana"), *(SeatRecord(f"Bot {seat}", "greedy") for seat in range(1, players))]
    times = [40 * index for index in range(len(host.acts))]
    return record_of(host, starts, seats, tags={"date": "2026-02-01", "place": "Bom Jesus"}, times_ms=times)


def with_comments(record: Record) -> Record:
    first = record.deals[0]
    turns = (replace(first.turns[0], comments=("Good.", "")), *first.turns[1:])
    outcome = None if first.outcome is None else replace(first.outcome, comments=("Well played; both.",))
    deal = replace(
        first,
        comments=("A deal # with a sign",),
        turns=turns,
        outcome=outcome,
        commitment="ab" * 32,
        revealed_seed="cd" * 32,
        player_seeds=("", "01" * 32, "", "")[: record.players],
    )
    return replace(record, comments=("Of the match",), deals=(deal, *record.deals[1:]))


@pytest.mark.parametrize(("name", "players"), TABLES)
def test_a_match_comes_back_from_both_forms_and_plays_again(name: str, players: int) -> None:
    record = played(name, players)
    assert parse_record(format_record(record)) == record
    form = json.loads(json.dumps(record_json(record)))
    Draft202012Validator(schema("record")).validate(form)
    assert record_from_json(form) == record
    steps = list(replay(record))
    assert [step.kind for step in steps].count("end") == 2
    assert any(step.kind == "undo" for step in steps)
    assert record.deals[-1].outcome is not None
    assert steps[-1].position.over


def test_comments_and_the_evidence_of_a_shuffle_come_back() -> None:
    record = with_comments(played("aberto"))
    text = format_record(record)
    assert parse_record(text) == record
    assert parse_record(record_json_text(record)) == record
    Draft202012Validator(schema("record")).validate(record_json(record))
    assert list(replay(record))


@pytest.mark.parametrize("bot", ["", "greedy"])
@pytest.mark.parametrize(
    "name", ["A|B", "|", "A | greedy", '"', '"A"', '"A|B"', '"A" | "B', "\\", "# A", "seat 1: B", ";"]
)
def test_any_name_of_a_seat_comes_back_from_both_forms(name: str, bot: str) -> None:
    record = played("burraco", 2)
    record = replace(record, seats=(SeatRecord(name, bot), *record.seats[1:]))
    assert parse_record(format_record(record)) == record
    form = json.loads(record_json_text(record))
    Draft202012Validator(schema("record")).validate(form)
    assert record_from_json(form) == record


def test_quotation_marks_that_are_written_as_they_are_belong_to_the_name() -> None:
    text = format_record(played("burraco", 2)).replace("seat 0: Ana", 'seat 0: "Ana" B. | greedy')
    assert parse_record(text).seats[0] == SeatRecord('"Ana" B.', "greedy")
    assert parse_record(text.replace('"Ana" B.', '"Ana"')).seats[0] == SeatRecord('"Ana"', "greedy")


def test_the_text_has_a_line_a_turn_so_that_a_change_shows_as_one_line() -> None:
    record = played("aberto")
    lines = format_record(record).splitlines()
    turns = [line for line in lines if line.startswith("turn ")]
    assert len(turns) == sum(len(deal.turns) for deal in record.deals)
    assert lines[0] == "buraco-record 1"


def test_blank_lines_and_windows_line_ends_change_nothing() -> None:
    record = played("aberto")
    text = format_record(record)
    assert parse_record(text.replace("\n", "\r\n")) == record
    assert parse_record(text.replace("\n", "\n\n")) == record


def test_a_record_with_packs_needs_no_seed() -> None:
    record = played("aberto-sujo", 2)
    seed = bytes.fromhex(record.seed)
    deals = tuple(
        replace(deal, pack=shuffled_pack(record.rules, seed, record.name, deal.number)) for deal in record.deals
    )
    bare = replace(record, seed="", dealer_drawn=False, deals=deals)
    assert parse_record(format_record(bare)) == bare
    assert len(list(replay(bare))) == len(list(replay(record)))


def test_a_match_stopped_in_a_turn_is_restored_and_played_on() -> None:
    record = played("classico", deals=2, last=20)
    restored = restore(parse_record(format_record(record)))
    host = restored.host
    assert host.seat is not None
    assert record_of(host, restored.starts, record.seats).deals[-1].number == 2
    play_on(host, random.Random(1), 10**6)
    again = record_of(host, restored.starts, record.seats)
    assert again.winner == f"side {host.winner}"
    assert list(replay(again))


def test_undos_are_not_restored_where_they_are_not_allowed() -> None:
    record = played("aberto")
    with pytest.raises(RecordError) as caught:
        restore(record, undo_allowed=False)
    assert caught.value.code == "record_undo"


def changed_entry(record: Record, deal: int, turn: int, entry: int, new: Entry) -> Record:
    old_deal = record.deals[deal]
    old_turn = old_deal.turns[turn]
    entries = (*old_turn.entries[:entry], new, *old_turn.entries[entry + 1 :])
    turns = (*old_deal.turns[:turn], replace(old_turn, entries=entries), *old_deal.turns[turn + 1 :])
    return replace(record, deals=(*record.deals[:deal], replace(old_deal, turns=turns), *record.deals[deal + 1 :]))


def test_an_illegal_action_is_named_with_its_place_and_reason() -> None:
    record = changed_entry(played("aberto-104"), 1, 3, 0, Entry(parse_action("keep")))
    seat = record.deals[1].turns[3].seat
    with pytest.raises(RecordError) as caught:
        list(replay(record))
    assert caught.value.code == "no_choice"
    assert caught.value.message.startswith(f"deal 2, turn 3, seat {seat}, action 1 (keep): ")


def test_the_steps_before_a_fault_are_given() -> None:
    record = changed_entry(played("aberto-104"), 0, 2, 0, Entry(parse_action("keep")))
    steps = replay(record)
    done = sum(len(turn.entries) for turn in record.deals[0].turns[:2])
    kinds = [next(steps).kind for _ in range(done + 1)]
    assert kinds[0] == "deal"
    with pytest.raises(RecordError):
        next(steps)


def test_an_undo_of_nothing_is_refused() -> None:
    record = changed_entry(played("aberto-104"), 0, 0, 0, Entry(-1, 1))
    with pytest.raises(RecordError) as caught:
        list(replay(record))
    assert caught.value.code == "nothing_to_undo"


def lies(record: Record) -> dict[str, Record]:
    first = record.deals[0]
    outcome = first.outcome
    assert outcome is not None
    last_turn = first.turns[-1]

    def deal(**changes: object) -> Record:
        return replace(record, deals=(replace(first, **changes), *record.deals[1:]))  # type: ignore[arg-type]

    return {
        "record_deal": deal(dealer=(first.dealer + 1) % record.players),
        "record_deal ": deal(totals=(5, 0)),
        "record_turn": deal(turns=(replace(first.turns[0], number=1), *first.turns[1:])),
        "record_turn ": deal(turns=(replace(first.turns[0], seat=first.dealer), *first.turns[1:])),
        "record_turn  ": deal(turns=(*first.turns, last_turn)),
        "record_outcome": deal(outcome=replace(outcome, scores=(outcome.scores[0] + 5, outcome.scores[1]))),
        "record_outcome ": deal(outcome=replace(outcome, totals=(0, 1))),
        "record_outcome  ": deal(turns=first.turns[:-1]),
        "record_winner": replace(record, winner="draw"),
        "record_match": replace(record, seed="00" * 32, first_dealer=(record.first_dealer + 1) % 4),
    }


@pytest.mark.parametrize("lie", list(lies(played("aberto"))))
def test_every_lie_of_a_record_is_found(lie: str) -> None:
    with pytest.raises(RecordError) as caught:
        list(replay(lies(played("aberto"))[lie]))
    assert caught.value.code == lie.strip()


def test_a_deal_that_ended_without_an_outcome_is_found() -> None:
    record = played("aberto", deals=1)
    record = replace(record, winner="", deals=(replace(record.deals[0], outcome=None),))
    with pytest.raises(RecordError) as caught:
        list(replay(record))
    assert caught.value.code == "record_outcome"


def test_another_cut_than_the_recorded_one_is_found() -> None:
    record = played("classico")
    cut = record.deals[0].cut
    assert cut is not None
    lie = replace(record, deals=(replace(record.deals[0], cut=replace(cut, points=100 - cut.points)), record.deals[1]))
    with pytest.raises(
        RecordError,
        match=f"the cut is {cut.seat} {cut.count} {cut.points} aim {cut.aim}, "
        f"not {cut.seat} {cut.count} {100 - cut.points} aim {cut.aim}",
    ):
        list(replay(lie))


def line_of(text: str, start: str) -> int:
    return next(number for number, line in enumerate(text.splitlines(), 1) if line.startswith(start))


@pytest.mark.parametrize(
    ("start", "new", "reason"),
    [
        ("name", "colour: red", "there is no 'colour' in the header"),
        ("players", "players: 3", "not for 3 players"),
        ("players", "players: four", "no whole number"),
        ("seed", "seed: 12", "64 hexadecimal digits"),
        ("seat 1", "seat 2: Eva", "seat 1 is wanted here"),
        ("seat 1", "seat 1: | greedy", "not empty"),
        ("first_dealer", "first_dealer: 9", "there is no seat 9"),
        ("first_dealer", "first_dealer: me", "is a seat"),
        ("rule turn_cap", "rule turn_cap: x", "not JSON"),
        ("tag date", "tag date:\ntag date: 1", "date is there twice"),
        ("dealer:", "dealer: 1\ndealer: 1", "dealer is there twice"),
        ("totals", "totals: 1", "two numbers are wanted"),
        ("deal 2", "deal 3", "deal 2 is wanted here"),
        ("turn 1 ", "turn 1 seat 7: draw", "there is no seat 7"),
        ("turn 1 ", "turn 1 seat 1: drow", "is no action"),
        ("turn 1 ", "turn 1 seat 1: draw; discard 10h", "write 'discard Th'"),
        ("turn 1 ", "turn 1 seat 1: ", "is no action"),
        ("turn 1 ", "turn 1 seat 1: undo 0", "one action at least"),
        ("turn 1 ", "turn one", "is no line of a record"),
        ("turn 1 ", "dealer: 1", "stands before the turns"),
        ("outcome", "outcome: won", "an outcome is"),
        ("outcome", "outcome: nobody; scores 1 2; totals 1 2", "is none of"),
        ("winner", "winner: Ana", "is none of"),
        ("winner", "winner: side 0\nturn 1 seat 1: draw", "nothing but comments"),
    ],
)
def test_a_faulty_line_is_named_by_its_number(start: str, new: str, reason: str) -> None:
    text = format_record(played("aberto"))
    number = line_of(text, start)
    lines = text.splitlines()
    lines[number - 1 : number] = new.splitlines()
    with pytest.raises(ParseError) as caught:
        parse_record("\n".join(lines))
    assert caught.value.code == "record_text"
    assert reason in caught.value.message
    assert caught.value.message.startswith(f"line {number + new.count(chr(10))}: ")
    reasons = {language: in_language(caught.value.message, language).partition(": ")[2] for language in languages()}
    assert all(reasons.values())
    assert len(set(reasons.values())) == len(reasons), "each language says it in words of its own"


@pytest.mark.parametrize("start", ["name", "players", "seat 3", "first_dealer", "rule title", "totals", "dealer:"])
def test_a_missing_line_is_missed(start: str) -> None:
    lines = format_record(played("aberto")).splitlines()
    lines = [line for line in lines if not line.startswith(start)]
    with pytest.raises(ParseError):
        parse_record("\n".join(lines))


@pytest.mark.parametrize(
    "text",
    [
        "",
        "buraco-record 2",
        "buraco-position 1",
        "# hello",
        "x" * (RECORD_TEXT_MAX + 1),
        '{"deals":' * 9000,
        "{}",
        "\x00",
        # What would take hours if a reader looked at it again for each of its parts.
        "buraco-record 1\ndeal 1\nturn 0 seat 0: draw" + " " * 2_000_000 + "x",
        "{" + ",".join(f'"k{number}":0' for number in range(300_000)) + ',"k299999":0}',
    ],
    ids=lambda text: text[:40],
)
def test_a_text_that_is_no_record_is_refused_with_a_code(text: str) -> None:
    with pytest.raises(ParseError) as caught:
        parse_record(text)
    assert caught.value.code in ("record_text", "record_form")


def test_the_text_of_an_action_in_a_record_is_that_of_the_notation() -> None:
    record = played("aberto")
    entry = record.deals[0].turns[0].entries[0]
    assert f": {format_action(entry.action)} @{entry.time_ms};" in format_record(record)


def test_a_record_of_the_wrong_match_is_refused() -> None:
    host = Host(Match(get_rules("aberto"), seed=1))
    start = host.next_deal()
    seats = [SeatRecord("a")] * 4
    with pytest.raises(ValueError, match="seats"):
        record_of(host, [start], seats[:2])
    with pytest.raises(ValueError, match="starts"):
        record_of(host, [], seats)
    with pytest.raises(ValueError, match="times"):
        record_of(host, [start], seats, times_ms=[1])
