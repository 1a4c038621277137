"""Positions that every good player answers alike: they are sound, good levels solve most, greedy play few of them."""

from __future__ import annotations

from pathlib import Path

import pytest

from buraco.arena.ladder import SEARCH_NODES
from buraco.bots import Limit, bot_levels, make_bot
from buraco.rules import RULE_SETS
from tests.bots.solving import FOLDER, Task, answers, load_tasks, solved, task_view

TASKS = load_tasks()
COUNT = 30
GREEDY_MOST = 18
NO_LIMIT = Limit()


def by_name(task: Task) -> str:
    return task.name


def test_there_are_thirty_with_names_of_their_own() -> None:
    assert len(TASKS) == COUNT
    assert len({task.name for task in TASKS}) == COUNT


def test_they_spread_over_rule_sets_and_players() -> None:
    assert len({task.position.rules.name for task in TASKS}) >= 7
    assert {task.position.rules.name for task in TASKS} <= RULE_SETS.keys()
    for players in (2, 4):
        assert len([task for task in TASKS if task.position.players == players]) >= 4


@pytest.mark.parametrize("task", TASKS, ids=by_name)
def test_the_seat_sees_its_hand_and_has_right_and_wrong_answers(task: Task) -> None:
    view = task_view(task)
    assert view.to_act
    assert view.hand == task.position.hands[task.position.seat]
    right = [action for action in view.legal if task.right(action)]
    assert 0 < len(right) < len(view.legal)
    assert task.accepted | task.refused <= set(view.legal)
    assert task.sees.endswith(".")
    assert task.why.endswith(".")


@pytest.mark.parametrize("task", TASKS, ids=by_name)
def test_the_view_is_the_same_however_the_hidden_cards_lie(task: Task) -> None:
    assert len({repr(task_view(task, seed)) for seed in range(3)}) == 1


@pytest.mark.parametrize("task", TASKS, ids=by_name)
def test_the_table_can_come_about(task: Task) -> None:
    rules, position = task.position.rules, task.position
    dealt = position.players * rules.hand_size + 2 * rules.morto_size + rules.up_card
    assert 0 <= position.stock_count <= 104 + rules.joker_count - dealt
    turns = [place.turn for place in position.pile]
    assert turns == list(range(position.turn_count - len(turns), position.turn_count))
    assert all(place.turn % position.players == place.seat for place in position.pile)


@pytest.mark.parametrize("level", bot_levels())
def test_a_level_answers_every_task_with_a_legal_action_and_the_same_again(level: str) -> None:
    limit = Limit(nodes=200)
    first = answers(make_bot(level, 3), limit, TASKS)
    assert all(decided.action in task_view(decided.task).legal for decided in first)
    assert first == answers(make_bot(level, 3), limit, TASKS)


def test_greedy_solves_few_of_them() -> None:
    assert len(solved("greedy", NO_LIMIT)) <= GREEDY_MOST


@pytest.mark.parametrize(
    ("level", "limit", "least"), [("club", NO_LIMIT, 24), ("master", Limit(nodes=SEARCH_NODES["master"]), 28)]
)
def test_a_good_level_solves_most_of_them(level: str, limit: Limit, least: int) -> None:
    assert len(solved(level, limit)) >= least


@pytest.mark.parametrize(
    ("old", "new", "fault"),
    [
        ('accepted = ["keep"]', 'accepted = ["draw"]', "names no legal action"),
        ('accepted = ["keep"]', "", "either the accepted or the refused"),
        ('accepted = ["keep"]', 'accepted = ["keep"]\nrefused = ["reject"]', "either the accepted or the refused"),
        ("sees =", 'said = ""\nsees =', "unknown"),
    ],
    ids=["illegal", "no-answer", "two-kinds", "unknown-key"],
)
def test_a_faulty_task_is_refused(tmp_path: Path, old: str, new: str, fault: str) -> None:
    text = (FOLDER / "opening.toml").read_text(encoding="utf-8")
    assert old in text
    (tmp_path / "opening.toml").write_text(text.replace(old, new), encoding="utf-8")
    with pytest.raises(ValueError, match=fault):
        load_tasks(tmp_path)
