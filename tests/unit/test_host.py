"""The host: one method to act for everyone, refusals that change nothing, undo, events with audiences."""

from __future__ import annotations

import json
import random
import tracemalloc
from collections import Counter
from dataclasses import replace
from typing import Any

import pytest

from buraco.cards import parse_cards
from buraco.engine import events as happened
from buraco.engine.constants import ACTION_ADD, ACTION_DISCARD, ACTION_DRAW, ACTION_PILE, ACTION_RUN
from buraco.engine.deal import Deal
from buraco.engine.happenings import happenings, shows_hidden
from buraco.engine.host import Host
from buraco.engine.match import Match
from buraco.engine.position import Position
from buraco.engine.shuffle import shuffled_pack
from buraco.errors import BuracoError, IllegalAction
from buraco.rules import RULE_SETS
from tests.unit.making import game_sets, run, table
from tests.unit.walking import host_of, play_deal, random_action

PRIVATE = (happened.HandDealt, happened.CardDrawn, happened.PileRestSeen, happened.MortoSeen)


def kinds(found: tuple[happened.Event, ...]) -> list[str]:
    return [type(event).__name__ for event in found]


def position_of(host: Host) -> Position:
    """The full position of a host, as only its owner knows it."""
    return host._current()[1]


def code_of(refused: pytest.ExceptionInfo[Any]) -> str:
    return str(refused.value.code)


def state_of(host: Host) -> tuple[Any, ...]:
    deal, position = host._current()
    return (deal.dump(), position, host.state_number, len(host.acts), host.can_undo(position.seat), len(host._events))


def until_melds(host: Host, source: random.Random) -> list[int]:
    """Play on to a state in which the seat to act may lay a meld; return its actions that table cards and go on."""
    while True:
        seat = host.seat
        assert seat is not None
        legal = host.view(seat).legal
        tabling = [action for action in legal if action >= ACTION_RUN]
        if tabling and position_of(host).phase == "play":
            return tabling
        host.act(seat, random_action(legal, source))


def test_nothing_can_be_seen_or_done_before_the_first_deal() -> None:
    host = Host(Match(RULE_SETS["aberto"], first_dealer=0))
    assert (host.seat, host.between_deals, host.over) == (None, True, False)
    with pytest.raises(BuracoError) as view:
        host.view(0)
    with pytest.raises(IllegalAction) as act:
        host.act(0, ACTION_DRAW)
    assert (code_of(view), code_of(act)) == ("no_deal", "no_deal")
    assert kinds(host.events(0)) == ["MatchStarted", "FirstDealerFound"]


def test_a_deal_begins_with_its_events() -> None:
    host = host_of("burraco")
    public = host.events(None)
    assert kinds(public) == ["MatchStarted", "FirstDealerFound", "DealStarted"]
    started = public[-1]
    assert isinstance(started, happened.DealStarted)
    position = position_of(host)
    assert started.up_card == position.pile[0].card
    assert (started.deal, started.dealer, started.seat, started.stock_count) == (1, 3, 0, 41)
    dealt = [event for event in host.events(2) if isinstance(event, happened.HandDealt)]
    assert [(event.seat, event.cards) for event in dealt] == [(2, position.hands[2])]


def test_the_cut_is_told_before_the_deal() -> None:
    host = Host(Match(RULE_SETS["classico"], first_dealer=3))
    host.next_deal(cut_count=22)
    cut = host.events(None)[2]
    assert isinstance(cut, happened.CutMade)
    assert (cut.seat, cut.count, cut.points) == (2, 22, 100)
    assert host.totals == (100, 0)


def test_another_seat_is_refused_and_nothing_changes() -> None:
    host = host_of("aberto")
    before = state_of(host)
    for seat in (1, 2, 3):
        with pytest.raises(IllegalAction) as refused:
            host.act(seat, ACTION_DRAW)
        assert code_of(refused) == "not_your_turn"
    assert state_of(host) == before


@pytest.mark.parametrize("off", [-1, 1])
def test_case_s12_a_stale_or_repeated_request_is_refused(off: int) -> None:
    host = host_of("aberto")
    before = state_of(host)
    with pytest.raises(IllegalAction) as refused:
        host.act(0, ACTION_DRAW, host.state_number + off)
    assert code_of(refused) == "stale_number"
    assert state_of(host) == before
    number = host.state_number
    assert host.act(0, ACTION_DRAW, number) == number + 1
    with pytest.raises(IllegalAction) as repeated:
        host.act(0, ACTION_DRAW, number)
    assert code_of(repeated) == "stale_number"


@pytest.mark.parametrize("action", [ACTION_PILE, ACTION_DISCARD, -1, 22185, 10**9])
def test_an_illegal_action_is_refused_with_its_reason_and_nothing_changes(action: int) -> None:
    host = host_of("aberto")
    before = state_of(host)
    why = host.why(0, action)
    assert why is not None
    assert why.text
    assert why.citation
    with pytest.raises(IllegalAction) as refused:
        host.act(0, action)
    assert code_of(refused) == why.code
    assert state_of(host) == before


@pytest.mark.parametrize("action", [0.0, "0", None, (0,)])
def test_what_is_no_whole_number_is_refused_and_nothing_changes(action: Any) -> None:
    host = host_of("fechado", 2)
    before = state_of(host)
    with pytest.raises(TypeError):
        host.act(host.match.dealer ^ 1, action)
    assert state_of(host) == before


def test_what_is_as_good_as_a_number_is_kept_as_a_number() -> None:
    host = host_of("fechado", 2)
    host.act(bool(host.seat), False)
    act = host.acts[0]
    assert (type(act.seat), type(act.action)) == (int, int)


def test_a_legal_action_has_no_reason_against_it() -> None:
    assert host_of("aberto").why(0, ACTION_DRAW) is None


def test_another_seat_learns_no_more_than_that_it_is_not_its_turn() -> None:
    host = host_of("fechado")
    codes = {refusal.code for action in range(300) if (refusal := host.why(1, action)) is not None}
    assert codes == {"not_your_turn"}


def test_a_drawn_card_is_told_to_its_seat_only() -> None:
    host = host_of("fechado")
    stock = position_of(host).stock
    assert stock is not None
    since = len(host._events)
    host.act(0, ACTION_DRAW)
    assert kinds(host.events(1, since)) == kinds(host.events(None, since)) == ["Drew"]
    drawn = host.events(0, since)[1]
    assert isinstance(drawn, happened.CardDrawn)
    assert drawn.card == stock[-1]


@pytest.mark.parametrize("seat", [-1, 4])
def test_events_of_a_seat_that_is_not_there_are_refused(seat: int) -> None:
    with pytest.raises(BuracoError) as refused:
        host_of("aberto").events(seat)
    assert code_of(refused) == "no_seat"


@pytest.mark.parametrize(("name", "players"), game_sets())
def test_a_whole_match_is_played_through_one_method(name: str, players: int) -> None:
    rules = RULE_SETS[name].replace(target_points=0, deal_count=1, tie_break="draw")
    host = Host(Match(rules, players, seed=4, first_dealer=0))
    host.next_deal()
    source = random.Random(4)
    play_deal(host, source)
    assert host.over
    assert kinds(host.events(None))[-2:] == ["DealEnded", "MatchEnded"]
    result = host.results[0]
    assert host.totals == result.totals
    assert [sheet.total for sheet in result.sheets] == list(result.scores)
    assert len({event.number for event in host._events}) == len(host._events)
    for seat in (None, *range(players)):
        told = host.events(seat)
        assert [event for event in told if isinstance(event, PRIVATE) and event.seat != seat] == []
        json.dumps([happened.to_json(event) for event in told])


@pytest.mark.parametrize(("name", "players"), game_sets())
def test_public_events_alone_tell_the_public_state(name: str, players: int) -> None:
    host = host_of(name, players, seed=8)
    play_deal(host, random.Random(8))
    counts, stock, pile, melds = [0] * players, 0, 0, [0, 0]
    for event in host.events(None):
        match event:
            case happened.DealStarted():
                counts, stock, pile = list(event.hand_counts), event.stock_count, int(event.up_card >= 0)
            case happened.Drew():
                counts[event.seat] += 1
                stock -= 1
                assert event.stock_count == stock
            case happened.FirstCardRejected() | happened.Discarded():
                counts[event.seat] -= 1
                pile += 1
            case happened.PileTaken():
                assert event.count == pile
                counts[event.seat] += pile
                pile = 0
            case happened.MeldLaid():
                counts[event.seat] -= len(happened.to_json(event)["packed"]["cards"])
                melds[event.seat & 1] += 1
            case happened.CardAdded():
                counts[event.seat] -= 1
            case happened.OpeningFailed():
                counts[event.seat] += len(event.cards)
                melds[event.seat & 1] = 0
            case happened.MortoTaken():
                counts[event.seat] += event.count
            case happened.StockRefilled():
                stock += event.count
    position = position_of(host)
    assert tuple(counts) == position.hand_counts
    assert (stock, pile) == (position.stock_count, len(position.pile))
    assert tuple(melds) == (len(position.melds[0]), len(position.melds[1]))


@pytest.mark.parametrize("name", ["aberto", "classico", "fechado", "burraco"])
def test_hidden_cards_change_no_event_of_another_seat(name: str) -> None:
    """Two deals that differ only in what seat 1 cannot see, and in which seat 0 does the same, look alike to seat 1."""
    rules = RULE_SETS[name]
    pack = list(shuffled_pack(rules, bytes(32), "match", 1))
    hidden = [index for index in range(len(pack)) if not (index < 44 and index % 4 == 1) and index not in (0, 66)]
    mixed = [pack[index] for index in hidden]
    random.Random(3).shuffle(mixed)
    other = list(pack)
    for index, card in zip(hidden, mixed, strict=True):
        other[index] = card
    assert other != pack
    told = []
    for order in (pack, other):
        host = Host(Match(rules, packs=[order], first_dealer=3))
        host.next_deal()
        host.act(0, ACTION_DRAW)
        if position_of(host).phase == "choice":
            host.act(0, 2)
        host.act(0, ACTION_DISCARD + pack[0])
        host.act(1, ACTION_DRAW)
        told.append((host.events(1)[:-1], host.events(None), host.view(None)))
    assert told[0] == told[1]


def test_undo_takes_back_the_melds_of_the_turn() -> None:
    host, source = host_of("fechado-sujo", 2, seed=1), random.Random(1)
    tabling = until_melds(host, source)
    seat = host.seat
    assert seat is not None
    before = position_of(host)
    done = host.can_undo(seat)
    action = next(action for action in tabling if not shows(host, action))
    host.act(seat, action)
    assert host.can_undo(seat) == done + 1
    number = host.state_number
    assert host.undo(seat, number, 1) == 1
    assert replace(position_of(host), known=before.known) == before
    assert host.state_number == number + 1
    assert isinstance(host.events(None)[-1], happened.Undone)
    assert (host.acts[-1].action, host.acts[-1].undone) == (-1, 1)
    assert host.view(seat).legal == tuple(host._current()[0].legal())


def shows(host: Host, action: int) -> bool:
    """Whether an action of the seat to act would show something hidden."""
    deal, before = host._current()
    trial = deal.copy()
    trial.apply(action)
    return shows_hidden(before, trial.position(), action)


def test_case_u7_undo_never_goes_behind_what_showed_something_hidden() -> None:
    seen: Counter[str] = Counter()
    for seed in range(6):
        for name in ("aberto", "classico", "fechado"):
            host, source = host_of(name, seed=seed), random.Random(seed)
            while (seat := host.seat) is not None:
                before = position_of(host)
                action = random_action(host.view(seat).legal, source)
                possible = host.can_undo(seat)
                host.act(seat, action)
                after = position_of(host)
                showed = (
                    after.over
                    or after.seat != seat
                    or after.stock_count != before.stock_count
                    or after.morto_owner != before.morto_owner
                    or (action >= ACTION_RUN and (len(after.pile) != len(before.pile) or not after.melds[seat & 1]))
                )
                assert host.can_undo(seat) == (0 if showed else possible + 1)
                seen["pile taken" if action == ACTION_PILE else "showed" if showed else "free"] += 1
    assert min(seen.values()) > 5
    assert len(seen) == 3


def test_taking_an_open_pile_can_be_undone() -> None:
    host, source = host_of("aberto", seed=2), random.Random(2)
    while True:
        seat = host.seat
        assert seat is not None
        legal = host.view(seat).legal
        if ACTION_PILE in legal:
            break
        host.act(seat, random_action(legal, source))
    before = position_of(host)
    host.act(seat, ACTION_PILE)
    assert host.undo(seat) == 1
    assert position_of(host) == before


def kept_bytes(beside: Deal | None) -> int:
    """What a host keeps in memory that has laid a meld and taken it back."""
    host = Host(Match(RULE_SETS["aberto"], first_dealer=0), beside=beside)
    tracemalloc.start()
    host.next_deal()
    action = until_melds(host, random.Random(5))[0]
    seat = host.seat
    assert seat is not None
    host.act(seat, action)
    known = position_of(host).known
    host.undo(seat)
    assert position_of(host).known != known, "the deal was set up anew"
    kept = tracemalloc.get_traced_memory()[0]
    tracemalloc.stop()
    return kept


def test_a_host_beside_a_deal_keeps_no_scratch_memory_of_its_own_after_an_undo_either() -> None:
    assert kept_bytes(Deal(RULE_SETS["burraco"], 2)) < 150_000
    assert kept_bytes(None) > 300_000


def test_undo_is_refused_where_there_is_nothing_to_undo() -> None:
    host = host_of("aberto")
    before = state_of(host)
    with pytest.raises(IllegalAction) as nothing:
        host.undo(0)
    with pytest.raises(IllegalAction) as other:
        host.undo(1)
    with pytest.raises(IllegalAction) as stale:
        host.undo(0, host.state_number - 1)
    assert [code_of(one) for one in (nothing, other, stale)] == ["nothing_to_undo", "not_your_turn", "stale_number"]
    host.act(0, ACTION_DRAW)
    with pytest.raises(IllegalAction) as drawn:
        host.undo(0)
    assert code_of(drawn) == "nothing_to_undo"
    assert before != state_of(host)


@pytest.mark.parametrize("count", [0, -1, 5])
def test_undo_of_more_than_there_is_is_refused(count: int) -> None:
    host, source = host_of("aberto", seed=2), random.Random(2)
    until_melds(host, source)
    seat = host.seat
    assert seat is not None
    wanted = count if count < 1 else host.can_undo(seat) + count
    before = state_of(host)
    with pytest.raises(IllegalAction) as refused:
        host.undo(seat, count=wanted)
    assert code_of(refused) == "nothing_to_undo"
    assert state_of(host) == before


def test_undo_can_be_switched_off() -> None:
    host = host_of("aberto", seed=2, undo_allowed=False)
    seat = host.seat
    assert seat is not None
    with pytest.raises(IllegalAction) as refused:
        host.undo(seat)
    assert code_of(refused) == "undo_off"
    assert host.can_undo(seat) == 0


def test_case_e9_nobody_acts_after_the_deal_and_the_next_one_begins() -> None:
    host = host_of("aberto", seed=3)
    with pytest.raises(BuracoError) as running:
        host.next_deal()
    assert code_of(running) == "deal_running"
    play_deal(host, random.Random(3))
    with pytest.raises(IllegalAction) as refused:
        host.act(0, ACTION_DRAW)
    assert code_of(refused) == "deal_over"
    assert host.view(0).position.over
    assert host.between_deals
    start = host.next_deal()
    assert (start.number, start.dealer, host.seat) == (2, 0, 1)
    assert {act.deal for act in host.acts} == {1}


def test_acts_replay_the_deal() -> None:
    host = host_of("classico", seed=5)
    play_deal(host, random.Random(5))
    again = Match(RULE_SETS["classico"], seed=0 + 5, first_dealer=3)
    again.begin_deal()
    deal = again.deal()
    for act in host.acts:
        assert deal.seat == act.seat
        assert deal.turn_count == act.turn
        deal.apply(act.action)
    assert (deal.score(0), deal.score(1)) == host.results[0].scores


def test_an_addition_that_empties_the_hand_of_a_short_opening_is_told_before_the_cards_go_back() -> None:
    position = table(
        "classico",
        "6c",
        "7c 7c",
        "8h 9h Td",
        "Qd Ks",
        melds=((run("c", 3, 5, turn=40),), ()),
        phase="play",
        opening_need=(50, 0),
        opened=(False, True),
        laid_points=15,
        tabled=True,
        drew_stock=True,
    )
    deal = Deal.from_position(position)
    (action,) = [action for action in deal.legal() if action >= ACTION_ADD]
    deal.apply(action)
    after = deal.position()
    assert (after.phase, after.melds[0], after.opening_need[0]) == ("discard", (), 65)
    told = [(kind, fields) for kind, _, fields in happenings(position, after, action)]
    assert [kind for kind, _ in told] == [happened.CardAdded, happened.OpeningFailed]
    assert told[0][1]["packed"] == run("c", 3, 6).packed
    assert told[1][1] == {"seat": 0, "cards": parse_cards("3c 4c 5c 6c"), "need": 65}
    assert shows_hidden(position, after, action)


def test_both_mortos_are_told_to_everyone_and_their_cards_to_their_takers() -> None:
    ways: Counter[bool] = Counter()
    for seed in range(8):
        host = host_of("fechado", seed=seed)
        play_deal(host, random.Random(seed))
        taken = [event for event in host.events(None) if isinstance(event, happened.MortoTaken)]
        seen = [event for event in host._events if isinstance(event, happened.MortoSeen)]
        assert [(event.seat, len(event.cards)) for event in seen] == [(event.seat, 11) for event in taken]
        ways.update(event.direct for event in taken)
    assert len(ways) == 2
