"""Runs: paired, repeatable, the same for any number of workers, going on where they stopped, ended by their rule."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from itertools import count
from typing import Any

import jsonschema
import pytest

from buraco.arena import games
from buraco.arena.executors import open_pool
from buraco.arena.games import PairResult, play_pair
from buraco.arena.plan import FAULT_POINTS, MATCH_DEALS_MAX, Plan
from buraco.arena.players import parse_player
from buraco.arena.results import differences, load_result, result_form, result_schema, summary_form
from buraco.arena.running import Block, Outcome, play_block, run
from buraco.arena.stopping import Sprt
from buraco.arena.tally import Tally, time_of_step, time_step
from buraco.bots import Decision, Limit
from buraco.engine import Match, SeatView, score_sheet, seed_bytes, shuffled_pack
from buraco.engine.deal import Deal
from buraco.errors import BuracoError, RulesError
from buraco.rules import RuleSet
from tests.toy import TOY_CLOSED, TOY_OPEN


def plan_of(
    a: str = "greedy", b: str = "random", pairs: int = 60, unit: str = "deals", rules: RuleSet = TOY_OPEN, **more: Any
) -> Plan:
    fields: dict[str, Any] = {"players": 2, "seed": 5} | more
    return Plan(rules=rules, a=parse_player(a), b=parse_player(b), unit=unit, pairs=pairs, **fields)


def played(plan: Plan, workers: int = 1, start: Outcome | None = None) -> Outcome:
    with open_pool("local", workers) as pool:
        return list(run(plan, pool, start=start))[-1]


def without_times(outcome: Outcome) -> dict[str, Any]:
    """Return the JSON form of a run without what a clock or the number of workers decides."""
    form: dict[str, Any] = json.loads(json.dumps(result_form(outcome, "", 1, "local")))
    for player in form["players"].values():
        del player["times"], player["time_steps"], player["worst_ns"]
    return form


class Rigged:
    """A bot that names an action that is never legal, or one that is no number."""

    level = "rigged"

    def __init__(self, action: Any) -> None:
        self._action = action

    def choose(self, view: SeatView, limit: Limit) -> Decision:  # noqa: ARG002 - the same in every view
        return Decision(self._action)


@pytest.mark.parametrize("unit", ["deals", "matches"])
def test_changing_a_and_b_changes_the_sign_of_every_pair(unit: str) -> None:
    plan = plan_of(pairs=30, unit=unit)
    one, other = played(plan), played(replace(plan, a=plan.b, b=plan.a))
    assert [sum(pair.points) for pair in one.pairs] == [-sum(pair.points) for pair in other.pairs]
    assert [pair.points for pair in one.pairs] == [
        (-second, -first) for first, second in (p.points for p in other.pairs)
    ]
    assert [pair.wins for pair in one.pairs] == [(-second, -first) for first, second in (p.wins for p in other.pairs)]
    assert any(sum(pair.points) for pair in one.pairs)


@pytest.mark.parametrize("level", ["random", "greedy"])
@pytest.mark.parametrize("unit", ["deals", "matches"])
def test_a_player_against_itself_comes_to_nothing(level: str, unit: str) -> None:
    outcome = played(plan_of(level, level, pairs=12, unit=unit))
    assert [sum(pair.points) for pair in outcome.pairs] == [0] * 12
    assert [sum(pair.wins) for pair in outcome.pairs] == [0] * 12
    assert any(pair.points[0] for pair in outcome.pairs)
    assert summary_form(outcome)["points"] == {"count": 12, "mean": 0.0, "low": 0.0, "high": 0.0, "p": 1.0}


def test_both_games_of_a_pair_have_the_cards_of_the_seed() -> None:
    plan = plan_of("greedy", "greedy", pairs=3)
    for index, pair in enumerate(played(plan).pairs):
        pack = shuffled_pack(plan.rules, seed_bytes(plan.seed), "arena", index + 1)
        deal = Deal.from_pack(plan.rules, 2, pack, dealer=index % 2)
        deal.playout(2)
        points = deal.score(0) - deal.score(1)
        assert pair.points == (points, -points)


def test_both_matches_of_a_pair_have_the_same_packs_and_first_dealer(monkeypatch: pytest.MonkeyPatch) -> None:
    begun: list[list[tuple[int, tuple[int, ...]]]] = []

    class Watched(Match):
        def __init__(self, *arguments: Any, **named: Any) -> None:
            super().__init__(*arguments, **named)
            begun.append([])

        def begin_deal(self, **named: Any) -> Any:
            start = super().begin_deal(**named)
            begun[-1].append((start.dealer, start.pack))
            return start

    monkeypatch.setattr(games, "Match", Watched)
    for index in range(6):
        play_pair(
            plan_of(unit="matches", rules=TOY_OPEN.replace(target_points=500)), index, (Tally.empty(), Tally.empty())
        )
    pairs = [list(zip(first, second, strict=False)) for first, second in zip(begun[::2], begun[1::2], strict=True)]
    assert max(len(pair) for pair in pairs) > 1
    assert all(one == other for pair in pairs for one, other in pair)


def test_a_match_counts_its_totals_and_its_winner() -> None:
    outcome = played(plan_of(pairs=10, unit="matches"))
    for pair in outcome.pairs:
        for points, win, deals in zip(pair.points, pair.wins, pair.deals, strict=True):
            assert (points > 0) - (points < 0) == win
            assert 1 <= deals <= MATCH_DEALS_MAX


def test_the_same_seed_plays_the_same_games_and_another_one_others() -> None:
    plan = plan_of("random", "greedy", rules=TOY_CLOSED)
    assert without_times(played(plan)) == without_times(played(plan))
    assert played(plan).pairs != played(plan_of("random", "greedy", rules=TOY_CLOSED, seed=6)).pairs


@pytest.mark.parametrize("unit", ["deals", "matches"])
def test_workers_change_nothing(unit: str) -> None:
    plan = plan_of(unit=unit, stop=Sprt(0.0, 1.0) if unit == "deals" else Sprt(0.4, 0.6))
    assert without_times(played(plan)) == without_times(played(plan, workers=2))


def test_a_run_goes_on_from_its_file_as_if_it_had_never_stopped() -> None:
    plan = plan_of()
    whole = played(plan)
    with open_pool("local", 1) as pool:
        first = next(run(plan, pool))
    assert (len(first.pairs), first.finished) == (plan.block, False)
    read = load_result(json.dumps(result_form(first, "", 1, "local"))).outcome
    assert read == first
    assert without_times(played(plan, start=read)) == without_times(whole)


def test_a_finished_run_plays_nothing_more() -> None:
    whole = played(plan_of(pairs=3))

    def never(*_: object) -> Block:
        raise AssertionError("it plays")

    with open_pool("local", 1) as pool:
        assert list(run(whole.plan, pool, start=whole, work=never)) == [whole]


def blocks_of(points: Iterator[int], size: int) -> Block:
    pairs = tuple(PairResult((value, value), (1, 1), (1, 1), ()) for value, _ in zip(points, range(size), strict=False))
    return Block(pairs, (Tally.empty(), Tally.empty()))


@pytest.mark.parametrize(
    ("values", "state", "pairs"), [((20, 24), "high", 50), ((-2, 2), "low", 50), ((-90, 110), "open", 400)]
)
def test_a_sequential_test_ends_a_run_after_the_block_that_decides(
    values: tuple[int, int], state: str, pairs: int
) -> None:
    plan = plan_of(pairs=400, stop=Sprt(0.0, 20.0))

    def work(_: Plan, first: int, size: int, __: int) -> Block:
        return blocks_of((values[index % 2] for index in count(first)), size)

    with open_pool("local", 1) as pool:
        outcome = list(run(plan, pool, work=work))[-1]
    assert outcome.finished
    assert outcome.verdict is not None
    assert (outcome.verdict.state, len(outcome.pairs)) == (state, pairs)


@pytest.mark.parametrize("action", [99_999, -1, 1_000_000, "draw", None, 0.5, True])
@pytest.mark.parametrize("unit", ["deals", "matches"])
def test_an_illegal_action_is_counted_and_loses_the_game(
    action: object, unit: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(games, "make_bot", lambda level, seed=0: Rigged(action))  # noqa: ARG005 - as make_bot
    monkeypatch.setattr("buraco.arena.players.make_bot", lambda level, seed=0: Rigged(action))  # noqa: ARG005
    monkeypatch.setattr("buraco.arena.players.policy_of", lambda level: None if level == "random" else 2)
    block = play_block(plan_of("greedy", "random", unit=unit), 0, 2, timed_pairs=0)
    assert [pair.points for pair in block.pairs] == [(FAULT_POINTS, FAULT_POINTS)] * 2
    assert [pair.wins for pair in block.pairs] == [(1, 1)] * 2
    assert [(f.pair, f.game, f.player, f.code) for pair in block.pairs for f in pair.faults] == [
        (pair, game, 1, "illegal") for pair in (0, 1) for game in (0, 1)
    ]
    assert [tally.illegal for tally in block.tallies] == [0, 4]


def test_the_time_of_levels_inside_the_engine_is_asked_for_in_the_first_pairs() -> None:
    ticks = count(0, 1000)
    block = play_block(plan_of(), 0, 4, timed_pairs=1, clock=lambda: next(ticks))
    unwatched = play_block(plan_of(), 0, 4, timed_pairs=0)
    assert block.pairs == unwatched.pairs
    for tally, other in zip(block.tallies, unwatched.tallies, strict=True):
        assert 0 < tally.steps.total() < tally.decisions == other.decisions
        assert tally.worst_ns == 1000
        assert other.times() is None


def test_times_are_kept_in_steps_of_two_percent() -> None:
    tally = Tally.empty()
    for milliseconds in range(1, 101):
        tally.timed(milliseconds * 1_000_000)
    times = tally.times()
    assert times is not None
    assert (times.count, times.worst_ms) == (100, 100.0)
    assert times.median_ms == pytest.approx(50, rel=0.02)
    assert times.p99_ms == pytest.approx(99, rel=0.02)
    assert time_of_step(time_step(123_456_789)) == pytest.approx(123.456789, rel=0.011)


def test_a_result_follows_its_schema() -> None:
    for plan in (plan_of(pairs=2), plan_of(pairs=2, unit="matches", stop=Sprt(0.4, 0.6))):
        form = json.loads(json.dumps(result_form(played(plan), "buraco arena run", 1, "local")))
        jsonschema.Draft202012Validator(result_schema()).validate(form)
    empty = json.loads(json.dumps(result_form(Outcome(plan_of()), "", 1, "local")))
    jsonschema.Draft202012Validator(result_schema()).validate(empty)
    assert empty["state"] == "running"


def test_the_settings_that_differ_are_named() -> None:
    old, new = plan_of(), plan_of(seed=6, rules=TOY_OPEN.replace(bonus_out=50))
    assert differences(old.form(), old.form()) == ()
    assert differences(old.form(), new.form()) == ("rules.bonus_out was 100 and is now 50", "seed was 5 and is now 6")


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "no JSON"),
        ("[" * 100_000, "no JSON"),
        ("[]", "format"),
        ('{"format": "other"}', "format"),
        ('{"format": "buraco-arena", "version": 9}', "version 9"),
        ('{"format": "buraco-arena", "version": true}', "version True"),
        ('{"format": "buraco-arena", "version": 1}', "missing"),
    ],
)
def test_what_is_no_result_is_refused_with_its_reason(text: str, says: str) -> None:
    with pytest.raises(BuracoError, match=says) as error:
        load_result(text)
    assert error.value.code == "arena_file"


def columns(points: object, wins: object, deals: object) -> dict[str, object]:
    return {"pairs": {"points": points, "wins": wins, "deals": deals}}


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"settings": []}, "indices"),
        (columns([[1, 2]], [], []), "zip"),
        (columns([[1]], [[0, 0]], [[1, 1]]), "unpack"),
        (columns([[1.5, 0]], [[0, 0]], [[1, 1]]), "1.5"),
        (columns([[1, 0]], [[0, 0]], [[1, 1]]), "whole blocks"),
        (columns([[1, 0]] * 3, [[0, 0]] * 3, [[1, 1]] * 3), "whole blocks"),
        ({"players": {}}, "missing"),
        ({"software": 1}, "objects"),
        ({"faults": [{"pair": 0}]}, "missing"),
    ],
)
def test_a_result_that_is_not_whole_is_refused_with_its_reason(changes: dict[str, object], says: str) -> None:
    form = result_form(played(plan_of(pairs=2)), "", 1, "local")
    assert load_result(json.dumps(form)).outcome.finished
    with pytest.raises(BuracoError, match=says) as error:
        load_result(json.dumps(form | changes))
    assert error.value.code == "arena_file"


def test_a_plan_that_cannot_be_played_is_refused() -> None:
    with pytest.raises(RulesError):
        plan_of(players=4)
    wrongs: tuple[dict[str, Any], ...] = ({"pairs": 0}, {"unit": "rounds"})
    for wrong in wrongs:
        with pytest.raises(BuracoError) as error:
            plan_of(**wrong)
        assert error.value.code == "arena_number"


@pytest.mark.parametrize(
    ("text", "code", "says"),
    [
        ("gready", "unknown_bot", "greedy"),
        ("", "unknown_bot", "levels"),
        ("greedy:depth=3", "arena_player", "nodes and ms"),
        ("greedy:node=3", "arena_player", "nodes[?]"),
        ("greedy:nodes=0", "arena_player", "from 1"),
        ("greedy:nodes=-5", "arena_player", "from 1"),
        ("greedy:nodes=many", "arena_player", "from 1"),
        ("greedy:nodes=²", "arena_player", "from 1"),
        ("greedy:ms=" + "9" * 5000, "arena_player", "from 1"),
        ("exec:/no/such/program", "bot_command", "program"),
        ("exec:", "bot_command", "program"),
        ("bots/mine.py", "unknown_bot", '"exec:bots/mine.py"'),
        ("python mine.py", "unknown_bot", '"exec:python mine.py"'),
        ("./mine", "unknown_bot", '"exec:./mine"'),
        ("greedy bot", "unknown_bot", "levels"),
    ],
)
def test_what_is_no_player_is_refused(text: str, code: str, says: str) -> None:
    with pytest.raises(BuracoError, match=says) as error:
        parse_player(text)
    assert error.value.code == code


def test_a_player_is_told_by_its_text() -> None:
    for text in ("greedy", "random:nodes=20", "greedy:nodes=20,ms=7"):
        assert parse_player(text).text == text
    assert parse_player("greedy:ms=7,nodes=20").limit == Limit(ms=7, nodes=20)
    assert parse_player("greedy:ms=7").with_defaults(20, 30).limit == Limit(ms=7, nodes=20)


def test_the_scores_of_a_game_are_those_of_the_score_sheet() -> None:
    plan = plan_of("greedy", "greedy", pairs=1)
    deal = Deal.from_pack(plan.rules, 2, shuffled_pack(plan.rules, seed_bytes(plan.seed), "arena", 1), dealer=0)
    deal.playout(2)
    sheets = [score_sheet(deal.position(), side) for side in (0, 1)]
    assert played(plan).pairs[0].points[0] == sheets[0].total - sheets[1].total
