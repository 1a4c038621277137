"""The door to the engine: how a deal is made, asked, played, copied, and what it refuses."""

from __future__ import annotations

import copy
import pickle
import random
import threading
from array import array
from collections.abc import Callable
from dataclasses import replace
from typing import Any, Final

import pytest

from buraco.engine import Deal, play_many
from buraco.engine.codes import CODES
from buraco.engine.constants import ACTION_DISCARD, ACTION_DRAW, ACTION_PILE, PHASE_PLAY
from buraco.engine.position import hide
from buraco.engine.shuffle import ordered_pack
from buraco.errors import IllegalAction, PositionError
from buraco.rules import RULE_SETS
from tests.build import COMPILED
from tests.unit.making import fresh, game_sets

POLICIES = [0, 1, 2, 3, 4]
DEALS: Final = 40 if COMPILED else 3
MASK_32 = 0xFFFFFFFF


@pytest.mark.parametrize(
    ("players", "dealer"),
    [(3, 0), (0, 0), (4, 4), (4, -1), (2, 2)],
    ids=["3 players", "none", "after", "before", "two"],
)
def test_a_deal_for_a_table_that_is_not_there_is_refused(players: int, dealer: int) -> None:
    with pytest.raises(ValueError, match=r"is for|no seat"):
        Deal(RULE_SETS["fechado"], players, dealer)


def test_a_deal_for_two_is_refused_where_the_rules_need_four() -> None:
    with pytest.raises(ValueError, match="4 players, not 2"):
        Deal(RULE_SETS["aberto"], 2)


@pytest.mark.parametrize("totals", [(0,), (0, 0, 0), (10**13, 0), (0, -(10**30)), ()])
def test_totals_that_are_not_two_in_range_are_refused(totals: Any) -> None:
    with pytest.raises(ValueError, match="one number a side"):
        Deal(RULE_SETS["aberto"], totals=totals)


def test_totals_are_whole_numbers() -> None:
    with pytest.raises(TypeError):
        Deal(RULE_SETS["aberto"], totals=(1.5, 0))  # type: ignore[arg-type]


def test_the_totals_of_the_longest_match_are_no_fault_of_a_position() -> None:
    deal = Deal(RULE_SETS["aberto"], totals=(10**11, -(10**11)))
    assert Deal.from_position(deal.position()).legal() == deal.legal()


@pytest.mark.parametrize("action", [1.0, 1.5, "1", None, b"1", (1,)])
def test_what_is_no_whole_number_is_no_action(action: Any) -> None:
    deal = Deal(RULE_SETS["aberto"], seed=7)
    before = deal.dump()
    for ask in (deal.check, deal.refusal, deal.apply):
        with pytest.raises(TypeError):
            ask(action)
    assert deal.dump() == before


@pytest.mark.parametrize("action", [-1, 22_185, 2**31, 2**63, -(2**63), 10**30])
def test_a_number_that_is_no_action_is_refused(action: int) -> None:
    deal = Deal(RULE_SETS["aberto"], seed=7)
    assert deal.refusal(action) == "unknown_action"
    with pytest.raises(IllegalAction):
        deal.apply(action)


@pytest.mark.parametrize("again", [copy.copy, copy.deepcopy, lambda deal: pickle.loads(pickle.dumps(deal))])
@pytest.mark.parametrize(("name", "players"), game_sets())
def test_a_copied_or_pickled_deal_is_the_same_deal(name: str, players: int, again: Callable[[Deal], Deal]) -> None:
    deal = Deal(RULE_SETS[name], players, seed=9)
    for _ in range(60):
        other = again(deal)
        assert other.dump() == deal.dump()
        assert other.legal() == deal.legal()
        if deal.over:
            break
        deal.apply(deal.choose(0))
    other.playout(0)
    deal.playout(0)
    assert other.dump() == deal.dump()


@pytest.mark.parametrize(("name", "players"), game_sets())
def test_a_pack_is_dealt_in_its_order(name: str, players: int) -> None:
    rules, dealer = RULE_SETS[name], players - 1
    pack = list(ordered_pack(rules))
    random.Random(5).shuffle(pack)
    deal = Deal.from_pack(rules, players, pack, dealer)
    size, dealt = rules.hand_size, players * rules.hand_size
    for seat in range(players):
        # From the dealer's left, one card at a time.
        assert deal.hand(seat) == tuple(sorted(pack[seat:dealt:players]))
    assert deal.morto_cards(0) == tuple(pack[dealt : dealt + size])
    assert deal.morto_cards(1) == tuple(pack[dealt + size : dealt + 2 * size])
    rest = pack[dealt + 2 * size :]
    if rules.up_card:
        assert deal.pile_cards() == ((rest[0], -1, -1),)
        rest = rest[1:]
    else:
        assert deal.pile_count == 0
    assert deal.stock_cards() == tuple(reversed(rest))
    assert (deal.seat, deal.dealer, deal.turn_count, deal.out_seat) == (0, dealer, 0, -1)
    deal.apply(ACTION_DRAW)
    assert rest[0] in deal.hand(0)


def test_the_sizes_of_the_stock_are_those_of_the_rules() -> None:
    # Rules §2 item 1.
    expected = {("aberto", 4): 42, ("burraco", 4): 41, ("aberto-104", 4): 38, ("fechado", 2): 64, ("burraco", 2): 63}
    expected |= {("aberto-104", 2): 60, ("classico", 4): 42, ("burraco-fibur", 2): 63}
    assert {game: Deal(RULE_SETS[game[0]], game[1]).stock_count for game in expected} == expected


@pytest.mark.parametrize(
    "change", [lambda pack: pack[1:], lambda pack: [*pack, 52], lambda pack: [*pack[:-1], pack[0]]]
)
def test_another_pack_is_refused(change: Callable[[list[int]], list[int]]) -> None:
    rules = RULE_SETS["aberto"]
    with pytest.raises(ValueError, match="not the pack"):
        Deal.from_pack(rules, 4, change(list(ordered_pack(rules))))


def test_the_same_seed_deals_the_same_cards_and_another_one_others() -> None:
    rules = RULE_SETS["burraco"]
    assert Deal(rules, seed=11).dump() == Deal(rules, seed=11).dump()
    assert Deal(rules, seed=11).hand(0) != Deal(rules, seed=12).hand(0)


@pytest.mark.parametrize(
    ("name", "totals", "needs"),
    [
        ("aberto", (0, 0), (0, 0)),
        ("aberto", (1495, 1500), (0, 75)),
        ("classico", (1500, 1495), (75, 50)),
        ("classico", (-200, 3000), (50, 75)),
        ("fechado", (1500, 1500), (0, 0)),
    ],
)
def test_the_opening_minimum_goes_by_the_total(name: str, totals: tuple[int, int], needs: tuple[int, int]) -> None:
    assert Deal(RULE_SETS[name], totals=totals).position().opening_need == needs


def test_a_refused_action_raises_its_code() -> None:
    deal = Deal(RULE_SETS["aberto"])
    before = deal.dump()
    with pytest.raises(IllegalAction) as refused:
        deal.apply(ACTION_PILE)
    assert refused.value.code == "pile_empty" == CODES[deal.check(ACTION_PILE)]
    assert deal.dump() == before


@pytest.mark.parametrize("make", [lambda size: [0] * size, lambda size: array("i", bytes(4 * size))])
def test_the_legal_actions_are_written_into_a_buffer(make: Callable[[int], Any]) -> None:
    deal = Deal(RULE_SETS["aberto"], seed=4)
    deal.apply(ACTION_DRAW)
    deal.apply(deal.legal()[0])
    legal = deal.legal()
    buffer = make(len(legal) + 3)
    assert deal.legal_into(buffer) == len(legal)
    assert list(buffer) == [*legal, 0, 0, 0]
    short = make(len(legal) - 1)
    with pytest.raises(ValueError, match="are needed"):
        deal.legal_into(short)
    assert not any(short)


def test_what_is_not_there_is_refused() -> None:
    deal = Deal(RULE_SETS["burraco"], 2)
    for ask in (deal.hand, deal.hand_count, deal.known):
        with pytest.raises(IndexError):
            ask(2)
    for of_side in (deal.meld_list, deal.meld_turns, deal.morto_cards):
        with pytest.raises(IndexError):
            of_side(2)
    for side in (-1, 2):
        with pytest.raises(ValueError, match="sides"):
            deal.score(side)


@pytest.mark.parametrize("policy", [-1, 5, 100])
def test_an_unknown_policy_is_refused(policy: int) -> None:
    deal = Deal(RULE_SETS["aberto"])
    for play in (lambda: deal.choose(policy), lambda: deal.playout(policy), lambda: play_many(deal, policy, 0, 1)):
        with pytest.raises(ValueError, match="policy"):
            play()


def test_fewer_deals_than_none_are_refused() -> None:
    with pytest.raises(ValueError, match="not negative"):
        play_many(Deal(RULE_SETS["aberto"]), 0, 0, -1)


def test_nobody_acts_when_the_deal_is_over() -> None:
    deal = Deal(RULE_SETS["fechado"], seed=1)
    deal.playout(2, 1)
    assert deal.over
    assert deal.legal() == []
    assert {deal.refusal(action) for action in (ACTION_DRAW, ACTION_PILE, ACTION_DISCARD, 20_000)} == {"deal_over"}
    with pytest.raises(ValueError, match="over"):
        deal.choose(0)
    before = deal.dump()
    deal.playout(0)
    assert deal.dump() == before


@pytest.mark.parametrize("policy", POLICIES)
@pytest.mark.parametrize("name", RULE_SETS)
def test_the_same_seed_plays_the_same_deal(name: str, policy: int) -> None:
    ends = []
    for seed in (5, 5, 6):
        deal = Deal(RULE_SETS[name], seed=1)
        deal.playout(policy, seed)
        ends.append(deal.dump())
    assert ends[0] == ends[1]
    if policy != 2:  # greedy play draws nothing at random
        assert ends[0] != ends[2]


@pytest.mark.parametrize("policy", POLICIES)
@pytest.mark.parametrize("name", RULE_SETS)
def test_a_policy_chooses_legal_actions_and_plays_them_out(name: str, policy: int) -> None:
    deal = Deal(RULE_SETS[name], seed=2)
    other = deal.copy()
    while not deal.over:
        deal.apply(deal.choose(policy))
    other.playout(policy)
    assert other.dump() == deal.dump()


@pytest.mark.parametrize("policy", POLICIES)
@pytest.mark.parametrize(("name", "players"), game_sets())
def test_many_deals_are_the_single_deals_together(name: str, players: int, policy: int) -> None:
    rules, totals = RULE_SETS[name], (1500, 0)
    scores, actions, turns, checksum = [0, 0], 0, 0, 0
    for seed in range(100, 100 + DEALS):
        deal = Deal(rules, players, 1, totals, seed)
        while not deal.over:
            action = deal.choose(policy)
            checksum = (checksum ^ action) * 1000003 & MASK_32
            deal.apply(action)
            actions += 1
        scores = [scores[side] + deal.score(side) for side in (0, 1)]
        turns += deal.turn_count
    table = Deal(rules, players, 1, totals, 77)
    before = table.dump()
    assert play_many(table, policy, 100, DEALS) == (scores[0], scores[1], actions, turns, checksum)
    assert table.dump() == before


def test_many_deals_come_out_alike_on_several_threads() -> None:
    table = Deal(RULE_SETS["classico"])
    expected = [play_many(table, 0, seed, DEALS) for seed in (0, 1000)]
    found: dict[int, tuple[int, ...]] = {}

    def play(index: int, seed: int) -> None:
        found[index] = play_many(Deal(RULE_SETS["classico"]), 0, seed, DEALS)

    threads = [threading.Thread(target=play, args=(index, seed)) for index, seed in enumerate((0, 1000))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [found[0], found[1]] == expected


def test_a_position_with_hidden_cards_is_not_set_up() -> None:
    with pytest.raises(PositionError) as hidden:
        Deal.from_position(hide(fresh("aberto"), 1))
    assert hidden.value.code == "hidden_cards"


def test_an_impossible_position_is_refused_with_every_fault() -> None:
    position = replace(fresh("aberto"), stock_count=3, dealer=0, phase="top")
    with pytest.raises(PositionError) as refused:
        Deal.from_position(position)
    assert refused.value.code == "position"
    assert len(refused.value.reasons) >= 2


def test_a_card_of_the_pile_knows_who_discarded_it_and_when() -> None:
    # Case P12.
    deal = Deal(RULE_SETS["burraco"], 4, dealer=0, seed=9)
    expected = list(deal.pile_cards())
    for turn in range(6):
        deal.apply(ACTION_DRAW)
        assert deal.phase == PHASE_PLAY
        seat, action = deal.seat, deal.legal()[0]
        deal.apply(action)
        expected.append((action - ACTION_DISCARD, seat, turn))
    assert list(deal.pile_cards()) == expected


def test_deals_that_share_their_scratch_memory_play_as_alone() -> None:
    first, second = (Deal(RULE_SETS["burraco"], 2, seed=seed) for seed in (1, 2))
    alone = [Deal(RULE_SETS["burraco"], 2, seed=seed) for seed in (1, 2)]
    second.share_scratch(first)
    for _ in range(300):
        for deal, other in zip((first, second), alone, strict=True):
            assert deal.legal() == other.legal()
            if deal.over:
                continue
            action = other.choose(3)
            assert deal.choose(3) == action
            deal.apply(action)
            other.apply(action)
    assert [deal.dump() for deal in (first, second)] == [deal.dump() for deal in alone]


@pytest.mark.parametrize("other", [None, "deal"])
def test_only_a_deal_lends_its_scratch_memory(other: Any) -> None:
    with pytest.raises(TypeError):
        Deal(RULE_SETS["burraco"], 2).share_scratch(other)
