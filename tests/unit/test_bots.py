"""Bots: they choose legal actions from a view alone, say why, and never depend on what their seat cannot see."""

from __future__ import annotations

import random
import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import buraco.bots
from buraco.bots import DEFAULT_LEVEL, REASONS_MAX, Limit, bot_levels, check_level, make_bot, policy_of
from buraco.bots.explain import joins_a_meld
from buraco.cards import is_wild_card, parse_card
from buraco.engine import POLICIES, Deal, SeatView, determinize, view_of
from buraco.engine.constants import ACTION_DISCARD
from buraco.errors import BuracoError
from buraco.notation import parse_action
from buraco.rules import RULE_SETS, get_rules
from buraco.texts import texts
from tests.unit.making import DISCARDS, game_sets, run, table
from tests.unit.walking import deal_states, host_of

NO_LIMIT = Limit()
#: So that a level that searches is soon done; the others use no nodes.
FEW_NODES = Limit(nodes=120)
SEARCHING = ("expert", "master")


def acting_view(deal: Deal) -> SeatView:
    return view_of(deal, deal.position().seat)


@pytest.mark.parametrize(("name", "players"), game_sets())
@pytest.mark.parametrize("level", bot_levels())
def test_a_deal_among_bots_ends_with_legal_actions_only(name: str, players: int, level: str, compiled: bool) -> None:
    host = host_of(name, players, seed=11)
    bot = make_bot(level, seed=5)
    steps = (3000 if level not in SEARCHING else 120) if compiled else 60 if level not in SEARCHING else 4
    while host.seat is not None and steps:
        view = host.view(host.seat)
        decision = bot.choose(view, FEW_NODES)
        assert decision.action in view.legal
        assert 1 <= len(decision.reasons) <= REASONS_MAX
        assert all(reason.text().endswith(".") for reason in decision.reasons)
        host.act(host.seat, decision.action)
        steps -= 1
    assert host.seat is None or not compiled or level in SEARCHING


@pytest.mark.parametrize(("name", "players"), game_sets())
def test_greedy_at_a_seat_plays_as_the_engine_does_inside(name: str, players: int, compiled: bool) -> None:
    bot = make_bot("greedy")
    deal = Deal(get_rules(name), players, seed=23)
    for _ in range(400 if compiled else 25):
        if deal.over:
            break
        action = bot.choose(acting_view(deal), NO_LIMIT).action
        assert action == deal.choose(POLICIES.index("greedy"))
        deal.apply(action)


@pytest.mark.parametrize(("name", "players"), game_sets())
@pytest.mark.parametrize("level", bot_levels())
def test_permuting_the_hidden_cards_never_changes_the_choice(
    name: str, players: int, level: str, compiled: bool
) -> None:
    bot = make_bot(level, seed=1)
    source = random.Random(7)
    states = [deal for deal in deal_states(name, players, seed=3) if not deal.over]
    for deal in source.sample(states, min(len(states), 12 if compiled else 3)):
        view = acting_view(deal)
        other = acting_view(determinize(view, source.randrange(2**30)))
        assert other == view
        assert bot.choose(other, FEW_NODES) == bot.choose(view, FEW_NODES)


def test_the_greedy_choice_is_the_same_in_every_state_that_fits_the_view(compiled: bool) -> None:
    greedy = POLICIES.index("greedy")
    for deal in list(deal_states("fechado", 4, seed=9))[: 80 if compiled else 12]:
        if deal.over:
            break
        view = acting_view(deal)
        assert {determinize(view, seed).choose(greedy, seed) for seed in range(4)} == {deal.choose(greedy)}


def test_a_choice_leaves_the_deal_alone() -> None:
    deal = Deal(get_rules("aberto"), seed=2)
    before = deal.dump()
    for level in bot_levels():
        make_bot(level).choose(acting_view(deal), FEW_NODES)
    assert deal.dump() == before


def test_the_random_bot_follows_its_seed_and_spreads_over_the_actions() -> None:
    deal = Deal(get_rules("aberto"), seed=2)
    deal.apply(parse_action("draw"))
    deal.apply(parse_action("keep"))
    view = acting_view(deal)
    choices = [make_bot("random", seed).choose(view, NO_LIMIT).action for seed in range(60)]
    assert choices == [make_bot("random", seed).choose(view, NO_LIMIT).action for seed in range(60)]
    assert len(set(choices)) > 5


@given(st.integers(0, 10_000), st.sampled_from(game_sets()))
def test_greedy_throws_no_wild_while_another_discard_is_legal(seed: int, game: tuple[str, int]) -> None:
    deal = Deal(get_rules(game[0]), game[1], seed=seed)
    for _ in range(60):
        if deal.over:
            return
        action = deal.choose(POLICIES.index("greedy"))
        if action in DISCARDS and is_wild_card(action - ACTION_DISCARD):
            assert all(is_wild_card(other - ACTION_DISCARD) for other in deal.legal() if other in DISCARDS)
        deal.apply(action)


def test_greedy_discards_what_the_next_player_cannot_use() -> None:
    position = table(
        "aberto",
        "7h Kc 3d",
        "3c 4c 9s",
        "5c 6c 9c",
        "8c Jd Qd",
        melds=((), (run("h", 4, 6),)),
        phase="play",
        drew_stock=True,
    )
    decision = make_bot("greedy").choose(view_of(Deal.from_position(position), 0), NO_LIMIT)
    assert decision.action != parse_action("discard 7h")
    assert "safe_discard" in [reason.code for reason in decision.reasons]


def test_greedy_says_that_it_makes_a_canasta_and_what_it_gains() -> None:
    position = table(
        "aberto",
        "9h Kc 3d Qs",
        "3c 4c 9s",
        "5c 6c 9c",
        "8c Jd Qd",
        melds=((run("h", 3, 8),), ()),
        phase="play",
        drew_stock=True,
    )
    decision = make_bot("greedy").choose(view_of(Deal.from_position(position), 0), NO_LIMIT)
    assert decision.action == parse_action("add 1 9h")
    assert [reason.code for reason in decision.reasons] == ["makes_canasta", "gains_points"]
    assert decision.evaluation == 210
    assert decision.reasons[1].text() == "It gains points on the table: 210."


def test_joining_a_meld_looks_at_both_ends_of_an_ace() -> None:
    position = table("aberto", "Ah 3c 4d", "3d 4s 9s", "5c 6c 9c", "8c Jd Qd", melds=((run("h", 11, 13),), ()))
    assert joins_a_meld(position, 0, parse_card("Ah"))
    assert not joins_a_meld(position, 0, parse_card("Ac"))
    assert not joins_a_meld(position, 1, parse_card("Ah"))


def test_a_bot_that_is_not_to_act_refuses_to_choose() -> None:
    deal = Deal(get_rules("aberto"), seed=2)
    waiting = view_of(deal, (deal.position().seat + 1) % 4)
    with pytest.raises(BuracoError) as caught:
        make_bot("greedy").choose(waiting, NO_LIMIT)
    assert caught.value.code == "not_your_turn"


def test_an_unknown_level_is_refused_with_the_names_and_the_nearest() -> None:
    with pytest.raises(BuracoError) as caught:
        make_bot("greedi")
    assert caught.value.code == "unknown_bot"
    assert "random, greedy" in caught.value.message
    assert "Did you mean: greedy?" in caught.value.message
    with pytest.raises(BuracoError):
        policy_of("grandmaster")


def test_levels_name_themselves_and_their_policies() -> None:
    levels = ("random", "greedy", "novice", "club")
    assert bot_levels()[:4] == levels
    assert tuple(make_bot(level).level for level in bot_levels()) == bot_levels()
    assert [policy_of(level) for level in levels] == [POLICIES.index(level) for level in levels]
    assert DEFAULT_LEVEL in bot_levels()
    assert check_level("greedy") == "greedy"


def test_every_reason_has_a_text_and_every_text_a_reason() -> None:
    folder = Path(buraco.bots.__file__).parent
    source = "".join(file.read_text(encoding="utf-8") for file in sorted(folder.glob("*.py")))
    codes = {key.removeprefix("reason.") for key in texts() if key.startswith("reason.")}
    assert {code for code in codes if f'"{code}"' not in source} == set()
    given = {code for made in re.findall(r"Reason\(([^(]*?)[,)]", source) for code in re.findall(r'"(\w+)"', made)}
    assert len(given) > 10
    assert given <= codes


@pytest.mark.parametrize("name", [name for name, rules in RULE_SETS.items() if rules.opening == "over_turn"])
def test_greedy_never_begins_an_opening_that_it_cannot_finish(name: str, compiled: bool) -> None:
    greedy = POLICIES.index("greedy")
    for seed in range(40 if compiled else 3):
        deal = Deal(get_rules(name), totals=(1600, 0), seed=seed)
        needs = deal.position().opening_need
        while not deal.over:
            deal.apply(deal.choose(greedy))
            before, needs = needs, deal.position().opening_need
            assert max(after - now for now, after in zip(before, needs, strict=True)) <= 0
        assert 0 in needs
