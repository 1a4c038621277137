"""The known faults of bots, by their ids, for every level that there is."""

from __future__ import annotations

import random
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType
from typing import Final

import pytest

from buraco.arena.ladder import SEARCH_NODES
from buraco.bots import Decision, Limit, bot_levels, make_bot
from buraco.bots.search import EXPERT, MASTER
from buraco.cards import is_wild_card
from buraco.engine.codes import PHASES
from buraco.engine.constants import ACTION_DISCARD
from buraco.engine.deal import Deal
from buraco.engine.view import SeatView
from buraco.rules import RULE_SETS
from buraco.rules.fields import UnplayedMorto
from tests.bots.situations import GAMES, RULES, STATES, acting_view, states
from tests.bots.solving import Task, answers, load_tasks, task_view
from tests.property.states import shuffled_behind
from tests.unit.making import DISCARDS, game_sets, run, table

#: So few nodes that a search is soon over, and enough for it to begin.
LIMIT: Final = Limit(nodes=120)
#: What a search has at a table. With next to none it does as `club` does, which would show nothing of itself.
WHOLE: Final = MappingProxyType({"expert": Limit(nodes=EXPERT.turn_nodes), "master": Limit(nodes=MASTER.turn_nodes)})
LEVELS: Final = bot_levels()
CASES: Final = load_tasks(Path(__file__).parent / "cases")
#: The levels that have to see what a good player sees.
STRONG: Final = tuple(level for level in LEVELS if level in ("club", "expert", "master"))
PLAYERS: Final = game_sets()


def chosen(level: str, view: SeatView, seed: int = 1) -> Decision:
    return make_bot(level, seed).choose(view, LIMIT)


def natural_discards(deal: Deal) -> list[int]:
    return [action for action in deal.legal() if action in DISCARDS and not is_wild_card(action - ACTION_DISCARD)]


def wild_discards(deal: Deal) -> list[int]:
    return [action for action in deal.legal() if action in DISCARDS and is_wild_card(action - ACTION_DISCARD)]


def of_case(theme: str) -> list[Task]:
    return [task for task in CASES if task.theme == theme]


@pytest.mark.parametrize(("name", "players"), GAMES)
def test_the_states_of_a_game_are_enough_and_differ(name: str, players: int) -> None:
    found = states(name, players)
    assert len(found) == STATES
    assert len({str(deal.dump()) for deal in found}) > STATES // 2


def test_the_states_have_every_phase_in_which_somebody_acts() -> None:
    met = {PHASES[deal.phase] for name, players in GAMES for deal in states(name, players)}
    assert met == set(PHASES) - {"over"}


@pytest.mark.parametrize(("name", "players"), GAMES)
@pytest.mark.parametrize("level", LEVELS)
def test_b05_a_choice_changes_neither_the_deal_nor_the_view(level: str, name: str, players: int) -> None:
    for deal in states(name, players)[::3]:
        before, view = deal.dump(), acting_view(deal)
        shown = repr(view)
        chosen(level, view)
        assert deal.dump() == before
        assert repr(view) == shown
        assert acting_view(deal) == view


@pytest.mark.parametrize(("name", "players"), GAMES)
@pytest.mark.parametrize("level", LEVELS)
def test_b06_permuting_the_hidden_cards_changes_neither_choice_nor_reasons_nor_values(
    level: str, name: str, players: int
) -> None:
    source = random.Random(5)
    moved = 0
    for deal in states(name, players):
        other = Deal.from_position(shuffled_behind(deal.position(), deal.seat, source))
        moved += other.position() != deal.position()
        assert chosen(level, acting_view(other)) == chosen(level, acting_view(deal))
    assert moved > STATES // 2


@pytest.mark.parametrize(("name", "players"), GAMES)
@pytest.mark.parametrize("level", LEVELS)
def test_b07_every_choice_and_every_alternative_is_legal(level: str, name: str, players: int) -> None:
    for deal in states(name, players):
        decision = chosen(level, acting_view(deal))
        assert deal.check(decision.action) == 0
        others = [other.action for other in decision.alternatives]
        assert all(deal.check(action) == 0 for action in others)
        assert len({decision.action, *others}) == 1 + len(others)
        deal.apply(decision.action)


@pytest.mark.parametrize(("name", "players"), PLAYERS)
@pytest.mark.parametrize("level", [level for level in LEVELS if level != "random"])
def test_b08_no_wild_is_thrown_while_another_discard_is_legal_unless_it_closes(
    level: str, name: str, players: int
) -> None:
    thrown = 0
    for number in range(8):
        deal = Deal(RULES[name], players, seed=100 + number)
        for _ in range(60):
            if deal.over:
                break
            # Greedy play brings the deal on; where a wild could be thrown the level is asked until its turn is over.
            if not (wild_discards(deal) and natural_discards(deal)):
                deal.apply(deal.choose(2))
                continue
            action = chosen(level, acting_view(deal)).action
            wild, after = action in wild_discards(deal), deal.copy()
            after.apply(action)
            assert not wild or after.out_seat == deal.seat
            thrown += action in DISCARDS
            deal = after
    assert thrown >= 4


@pytest.mark.parametrize("task", CASES, ids=lambda task: f"{task.theme}-{task.name}")
def test_the_positions_of_the_cases_have_right_and_wrong_answers(task: Task) -> None:
    right = [task.right(action) for action in task_view(task).legal]
    assert any(right)
    assert not all(right)


@pytest.mark.parametrize("level", ["greedy", *STRONG])
def test_b09_no_discard_extends_the_opponents_run_when_a_safe_one_exists(level: str) -> None:
    asked = answers(make_bot(level, 1), WHOLE.get(level, LIMIT), of_case("b09"))
    assert len(asked) >= 5
    assert [str(one) for one in asked if not one.right] == []


@pytest.mark.parametrize("level", ["greedy", *STRONG])
def test_b10_no_own_run_is_broken_for_a_discard(level: str) -> None:
    asked = answers(make_bot(level, 1), WHOLE.get(level, LIMIT), of_case("b10"))
    assert len(asked) >= 5
    assert [str(one) for one in asked if not one.right] == []


def test_b11_greedy_closes_while_the_partners_hand_costs_more_than_the_close_brings() -> None:
    asked = answers(make_bot("greedy"), LIMIT, of_case("b11"))
    assert len(asked) >= 4
    assert not any(one.right for one in asked)


@pytest.mark.parametrize("level", STRONG)
def test_b11_no_close_while_the_partners_hand_costs_more_than_the_close_brings(level: str) -> None:
    limit = Limit(nodes=SEARCH_NODES.get(level, 1))
    asked = answers(make_bot(level, 1), limit, of_case("b11"))
    assert [str(one) for one in asked if not one.right] == []


def at_totals(task: Task, own: int, other: int) -> Task:
    return replace(task, position=replace(task.position, totals=(own, other)))


def with_partner(task: Task, cards: int) -> Task:
    """Return the same with so many cards in the partner's hand; with a few the points speak for closing."""
    place, counts = task.position, task.position.hand_counts
    held = (*counts[:2], cards, *counts[3:])
    return replace(task, position=replace(place, hand_counts=held, stock_count=place.stock_count + counts[2] - cards))


def closes(task: Task) -> bool:
    """Say whether `club` adds the card after which only the close is left."""
    return not answers(make_bot("club", 1), LIMIT, [task])[0].right


TO_A_TARGET: Final = [task for task in of_case("b11") if task.position.rules.target_points]


@pytest.mark.parametrize("task", TO_A_TARGET, ids=lambda task: str(task.name))
def test_club_closes_at_the_cost_of_the_partners_hand_where_that_wins_the_match(task: Task) -> None:
    target = task.position.rules.target_points
    assert not closes(task)
    assert closes(at_totals(task, target + 100, 0))


@pytest.mark.parametrize("task", TO_A_TARGET, ids=lambda task: str(task.name))
def test_club_does_not_close_where_the_match_would_be_lost_by_it(task: Task) -> None:
    target, cheap = task.position.rules.target_points, with_partner(task, 3)
    assert closes(cheap)
    assert not closes(at_totals(cheap, target - 800, target + 900))


@pytest.mark.parametrize(
    ("rule", "closed"),
    [("penalty", False), ("penalty_unless_partner_out", True), ("smaller", True), ("cards", True)],
)
def test_club_counts_a_morto_that_the_partner_has_not_played_by_the_rule(rule: UnplayedMorto, closed: bool) -> None:
    task = with_partner(next(task for task in TO_A_TARGET if task.name == "open-pile"), 11)
    rules = replace(task.position.rules, unplayed_morto=rule, unplayed_morto_points=300)
    place = replace(task.position, rules=rules, unplayed=(False, False, True, False))
    assert closes(replace(task, position=place)) == closed


@pytest.mark.parametrize("owners", [(-1, -1), (0, 1)], ids=["mortos-there", "mortos-taken"])
@pytest.mark.parametrize("hand", ["2c", "2c 2h", "X", "X 2c", "X X 2c 2s", "X X X 2c 2c 2d 2d 2h 2h 2s"])
@pytest.mark.parametrize("level", LEVELS)
def test_b14_a_hand_of_wilds_only_finds_its_legal_moves(level: str, hand: str, owners: tuple[int, int]) -> None:
    for name, players in PLAYERS:
        rules = RULE_SETS[name]
        wilds = hand if rules.joker_count else hand.replace("X", "").replace("  ", " ").strip() or "2s"
        others = ("3c 4c 9s", "5c 6c 9c", "8c Jd Qd")[: players - 1]
        melds = ((run("h", 4, 6), run("s", 3, 10)), (run("d", 5, 9),))
        position = table(rules, wilds, *others, melds=melds, owners=owners, pile="4d Kd")
        assert position.stock
        # The card that is drawn is a wild too: no natural card comes to the rescue.
        rest = sorted(position.stock, key=is_wild_card)
        deal = Deal.from_position(replace(position, stock=tuple(rest)))
        assert is_wild_card(rest[-1])
        while not deal.over and deal.seat == 0:
            assert deal.legal()
            action = chosen(level, acting_view(deal)).action
            assert deal.check(action) == 0
            deal.apply(action)


@pytest.mark.parametrize(("name", "players"), GAMES)
@pytest.mark.parametrize("level", LEVELS)
def test_the_same_seed_makes_the_same_choice_whatever_was_chosen_before(level: str, name: str, players: int) -> None:
    views = [acting_view(deal) for deal in states(name, players)[::3]]
    bot = make_bot(level, 9)
    first = [bot.choose(view, LIMIT) for view in views]
    assert [bot.choose(view, LIMIT) for view in reversed(views)] == first[::-1]
    assert [chosen(level, view, 9) for view in views] == first
