"""Whatever is fed to a reader, it returns a value or raises the error that its contract names."""

from __future__ import annotations

import contextlib
import functools
import json
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from buraco.cards import parse_card, parse_cards
from buraco.engine.deal import Deal
from buraco.engine.host import Host
from buraco.engine.match import Match
from buraco.engine.position import hide
from buraco.errors import ParseError, PositionError, RecordError
from buraco.notation import (
    Record,
    SeatRecord,
    action_from_json,
    format_action,
    format_position,
    format_record,
    parse_action,
    parse_meld,
    parse_position,
    parse_record,
    position_from_json,
    position_json,
    read_position,
    readings,
    record_from_json,
    record_json,
    record_of,
    replay,
)
from buraco.rules import RULE_SETS, get_rules


def _words(text: str) -> list[str]:
    return text.split()


_WORDS = st.sampled_from(
    _words(
        "draw pile keep reject discard meld add d p k r x m a 3h 4h 5h 10h Th Ah 2h 2s 2d 7c 7h 7s X X=5 "
        "2d=7 1 2 36 37 low high wild = ; # @3 - 0@3 ? , buraco-position buraco-record rules=aberto "
        "hand0=3h seat=1 {"
    )
)
_TYPED = st.lists(_WORDS, max_size=12).map(" ".join)
_STATEMENTS = st.lists(
    st.builds(
        lambda name, value: f"{name}={value}",
        st.sampled_from(
            _words(
                "rules players seat hand0 hand3 known1 melds0 pile stock morto1 unplayed totals opened phase "
                "rule.turn_cap top_card end_kind opening_need rest_waits"
            )
        ),
        st.one_of(_TYPED, st.text(max_size=20), st.integers().map(str)),
    ),
    max_size=8,
).map(lambda parts: "; ".join(["buraco-position 1", "rules=aberto", *parts]))
_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8) | _WORDS,
    lambda inner: st.lists(inner, max_size=5) | st.dictionaries(st.text(max_size=8), inner, max_size=5),
    max_leaves=20,
)
_ACTION_FORMS = st.fixed_dictionaries(
    {"kind": st.sampled_from(["draw", "discard", "meld", "add"]) | _JSON},
    optional={"card": _JSON, "cards": _JSON, "meld_number": _JSON, "end": _JSON, "wild": _JSON},
)
_MEMBERS = _words(
    "rules players dealer totals turn_count seat phase hands known melds pile stock mortos unplayed "
    "barred_card top_card top_meld opening_need opened laid_points rejected end_kind out_seat"
)
_POSITION_FORMS = st.fixed_dictionaries(
    {"format": st.just("buraco-position"), "version": st.just(1), "rules": st.just("aberto") | _JSON},
    optional={name: _JSON for name in _MEMBERS if name != "rules"},
)
_ANY_TEXT = st.one_of(st.text(max_size=60), _TYPED, st.binary(max_size=60).map(lambda raw: raw.decode("latin-1")))


@pytest.mark.parametrize("read", [parse_card, parse_cards, parse_meld, parse_action, readings])
@given(text=_ANY_TEXT)
def test_a_reader_of_short_texts_raises_only_a_parse_error(read: Callable[[str], object], text: str) -> None:
    with contextlib.suppress(ParseError):
        read(text)


@given(text=_ANY_TEXT)
def test_an_action_that_is_read_is_written_the_same(text: str) -> None:
    with contextlib.suppress(ParseError):
        assert format_action(parse_action(text)) == text


@given(form=_JSON | _ACTION_FORMS)
def test_the_reader_of_action_forms_raises_only_a_parse_error(form: object) -> None:
    with contextlib.suppress(ParseError):
        action_from_json(form)


@given(text=_ANY_TEXT | _STATEMENTS | _JSON.map(json.dumps) | _POSITION_FORMS.map(json.dumps))
def test_the_reader_of_positions_raises_only_its_errors(text: str) -> None:
    with contextlib.suppress(ParseError, PositionError):
        parse_position(text)


@given(text=_STATEMENTS)
def test_a_position_that_is_read_comes_back_from_both_forms(text: str) -> None:
    try:
        position = parse_position(text)
    except (ParseError, PositionError):
        return
    assert read_position(format_position(position)) == position
    assert position_from_json(position_json(position)) == position


@functools.cache
def _record() -> Record:
    """Return the record of a short match, stopped in its first deal."""
    host = Host(Match(get_rules("fechado"), 2, seed=5))
    start = host.next_deal()
    for _ in range(30):
        assert host.seat is not None
        host.act(host.seat, host.view(host.seat).legal[-1])
    return record_of(host, [start], [SeatRecord("A", "random")] * host.match.players)


@st.composite
def _mutated_records(draw: st.DrawFn) -> str:
    lines = format_record(_record()).splitlines()
    for _ in range(draw(st.integers(1, 3))):
        place = draw(st.integers(0, len(lines) - 1))
        old = lines[place]
        cut = draw(st.integers(0, len(old)))
        lines[place : place + draw(st.integers(0, 2))] = draw(
            st.sampled_from([[], [old], [old[:cut]], [old[cut:]], [old, old]])
            | st.builds(lambda text, old=old, cut=cut: [old[:cut] + text + old[cut:]], st.text(max_size=4) | _TYPED)
        )
        lines = lines or [""]
    return "\n".join(lines)


@st.composite
def _mutated_forms(draw: st.DrawFn) -> object:
    form: object = json.loads(json.dumps(record_json(_record())))
    node = form
    while True:
        if isinstance(node, dict) and node:
            key: str | int = draw(st.sampled_from(sorted(node)))
        elif isinstance(node, list) and node:
            key = draw(st.integers(0, len(node) - 1))
        else:
            return form
        child = node[key]  # type: ignore[index]
        if not isinstance(child, dict | list) or draw(st.booleans()):
            node[key] = draw(_JSON)  # type: ignore[index]
            return form
        node = child


@given(text=_mutated_records() | _ANY_TEXT | _mutated_forms().map(json.dumps))
def test_the_reader_and_the_replay_of_records_raise_only_their_errors(text: str) -> None:
    try:
        record = parse_record(text)
    except ParseError:
        return
    assert parse_record(format_record(record)) == record
    with contextlib.suppress(RecordError):
        list(replay(record))


@given(form=_mutated_forms() | _JSON)
def test_the_reader_of_record_forms_raises_only_a_parse_error(form: object) -> None:
    with contextlib.suppress(ParseError):
        record = record_from_json(form)
        assert record_from_json(record_json(record)) == record


@pytest.mark.parametrize("name", list(RULE_SETS))
def test_every_position_of_a_walk_and_what_a_seat_sees_of_it_come_back(name: str, compiled: bool) -> None:
    duties = set()
    for seed in range(4):
        # A side on either side of the threshold of a vulnerable opening.
        deal = Deal(get_rules(name), get_rules(name).player_counts[-1], totals=(1500, 0), seed=seed)
        for step in range(120 if compiled else 30):
            if deal.over:
                break
            position = deal.position()
            duties.add(position.phase)
            views = (position, hide(position, position.seat), hide(position, None))
            # Most of a walk is alike; its rare phases are all looked at.
            for shown in views if step % 4 == 0 or position.phase not in ("draw", "play") else ():
                assert read_position(format_position(shown)) == shown
                assert position_from_json(json.loads(json.dumps(position_json(shown)))) == shown
            deal.apply(deal.choose(step % 3, step))
    assert {"draw", "play"} <= duties
