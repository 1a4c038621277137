"""What holds in every state that play can reach, under every rule set, with two and with four players."""

from __future__ import annotations

import json
import random
from collections import Counter

import pytest

from buraco.engine.codes import CODES, PHASES
from buraco.engine.constants import PHASE_CHOICE, PHASE_DISCARD, PHASE_OPENING, PHASE_OVER, PHASE_TOP
from buraco.engine.deal import Deal
from buraco.engine.determinize import determinize
from buraco.engine.position import Position, hide, sees_everything, validate
from buraco.engine.scoresheet import score_sheet
from buraco.engine.shuffle import ordered_pack
from buraco.engine.view import view_of
from buraco.errors import IllegalAction
from buraco.notation import (
    action_from_json,
    action_json,
    decode_action,
    encode_action,
    format_action,
    format_position,
    parse_action,
    parse_position,
    position_from_json,
    position_json,
)
from buraco.rules import RULE_SETS
from tests.property.states import GAMES, STATE_COUNT, reachable, shuffled_behind, without_generator
from tests.property.walks import ALL_ACTIONS, all_codes, cards_of

pytestmark = pytest.mark.parametrize(("name", "players"), GAMES)

#: The most legal actions of a state that are carried out one by one.
TRIED_ACTIONS = 20
#: All refusals are compared with those behind other cards in every so many states.
BETRAYAL_STEP = 3


def onlooker(number: int, players: int) -> int | None:
    """Each seat and a spectator (None) in turn."""
    seat = number % (players + 1)
    return seat if seat < players else None


def test_the_sample_holds_every_duty_of_the_rules(name: str, players: int, compiled: bool) -> None:
    rules, states = RULE_SETS[name], reachable(name, players)
    assert len(states) == STATE_COUNT
    wanted = {PHASE_OVER}
    if compiled:
        wanted |= {PHASE_TOP} if rules.pile_closed else set()
        wanted |= {PHASE_CHOICE} if rules.first_turn_option else set()
        wanted |= {PHASE_OPENING} if rules.opening == "at_once" else set()
        wanted |= {PHASE_DISCARD} if rules.opening == "over_turn" else set()
        if rules.opening != "none":
            assert any(max(deal.totals) >= rules.opening_vulnerable_from for deal in states)
            assert any(deal.laid_points for deal in states)
        if rules.opening_penalty:
            highest = rules.opening_vulnerable_minimum
            assert any(max(deal.position().opening_need) > highest for deal in states), "after a failed opening"
    missing = wanted - {deal.phase for deal in states}
    assert not missing, [PHASES[phase] for phase in missing]


def test_legal_lists_what_check_accepts_and_every_refusal_changes_nothing(name: str, players: int) -> None:
    for deal in reachable(name, players):
        before, codes = deal.dump(), all_codes(deal)
        accepted = [action for action, code in zip(ALL_ACTIONS, codes, strict=True) if code == 0]
        assert deal.legal() == accepted, format_position(deal.position())
        for code in set(codes) - {0}:
            action = codes.index(code)
            with pytest.raises(IllegalAction) as refused:
                deal.apply(action)
            assert refused.value.code == CODES[code] == deal.refusal(action)
        assert deal.dump() == before


def test_something_is_legal_until_the_deal_is_over(name: str, players: int) -> None:
    for deal in reachable(name, players):
        assert bool(deal.legal()) != deal.over


def test_every_legal_action_leads_to_a_sound_state(name: str, players: int) -> None:
    pack = Counter(ordered_pack(RULE_SETS[name]))
    for number, deal in enumerate(reachable(name, players)):
        legal = deal.legal()
        for action in random.Random(number).sample(legal, min(TRIED_ACTIONS, len(legal))):
            after = deal.copy()
            after.apply(action)
            said = f"{format_action(action)} in {format_position(deal.position())}"
            assert cards_of(after) == pack, said
            assert bool(after.legal()) != after.over, said
            assert validate(after.position()) == (), said


def test_a_copy_is_independent(name: str, players: int) -> None:
    for number, deal in enumerate(reachable(name, players)):
        before = deal.dump()
        other, third = deal.copy(), deal.copy()
        assert other.dump() == third.dump() == before
        other.playout(number % 3, number)
        assert (deal.dump(), third.dump()) == (before, before)
        third.playout(number % 3, number)
        assert third.dump() == other.dump()
        deal.playout(number % 3, number)
        assert deal.dump() == other.dump()


def test_a_position_sets_up_the_same_deal(name: str, players: int) -> None:
    for deal in reachable(name, players):
        position = deal.position()
        assert validate(position) == ()
        again = Deal.from_position(position)
        assert without_generator(again) == without_generator(deal)
        assert again.legal() == deal.legal()
        assert again.position() == position


def test_every_legal_action_is_read_back(name: str, players: int) -> None:
    for deal in reachable(name, players):
        for action in deal.legal():
            assert encode_action(decode_action(action)) == action
            assert parse_action(format_action(action)) == action
            assert action_from_json(json.loads(json.dumps(action_json(action)))) == action


def read_back(position: Position) -> None:
    """Assert that both forms of a position, and the JSON form as text, are read back as the same position."""
    text = format_position(position)
    assert "\n" not in text
    assert parse_position(text) == position
    assert position_from_json(json.loads(json.dumps(position_json(position)))) == position


def test_positions_and_views_are_read_back(name: str, players: int) -> None:
    for number, deal in enumerate(reachable(name, players)):
        position = deal.position()
        read_back(position if number % 2 else hide(position, onlooker(number, players)))


def test_the_score_is_the_sum_of_its_lines(name: str, players: int) -> None:
    for deal in reachable(name, players):
        for side in (0, 1):
            sheet = score_sheet(deal, side)
            assert deal.score(side) == sheet.total == sum(line.points for line in sheet.lines)


def test_what_a_seat_cannot_see_changes_nothing_it_is_told(name: str, players: int) -> None:
    for number, deal in enumerate(reachable(name, players)):
        position = deal.position()
        for seat in {deal.seat, onlooker(number, players)}:
            other = Deal.from_position(shuffled_behind(position, seat, random.Random(number)))
            view, same = view_of(deal, seat), view_of(other, seat)
            assert view == same
            assert json.dumps(position_json(view.position)) == json.dumps(position_json(same.position))


def test_no_refusal_betrays_a_hidden_card(name: str, players: int) -> None:
    for number, deal in enumerate(reachable(name, players)[::BETRAYAL_STEP]):
        other = Deal.from_position(shuffled_behind(deal.position(), deal.seat, random.Random(number)))
        assert all_codes(other) == all_codes(deal), format_position(deal.position())


def test_a_determinized_view_is_a_full_state_with_that_view(name: str, players: int) -> None:
    for number, deal in enumerate(reachable(name, players)):
        for seat in {deal.seat, onlooker(number, players)}:
            view = view_of(deal, seat)
            full = determinize(view, number)
            assert view_of(full, seat) == view
            assert sees_everything(full.position())
            assert bool(full.legal()) != full.over
