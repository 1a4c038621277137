"""Simulated deals: the same for any number of workers, each reproducible from its record, the figures right."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from buraco.cli.common import EXIT_OK
from buraco.cli.holding import held_folder
from buraco.cli.simulation import CHUNK, Plan, PlayedDeal, deal_record, play_deal, simulate, summary
from buraco.notation import parse_record, replay
from buraco.rules import RULE_SETS, get_rules, to_toml
from tests.toy import TOY_OPEN, TOYS
from tests.unit.making import game_sets
from tests.unit.terminal import Terminal, call


def plan_of(name: str = "aberto", bots: tuple[str, ...] = ("greedy",) * 4, deals: int = 4, seed: int = 1) -> Plan:
    return Plan(rules=get_rules(name), bots=bots, deals=deals, seed=seed)


def played(index: int, scores: tuple[int, int], turns: int = 40, **more: object) -> PlayedDeal:
    fields: dict[str, object] = {
        "actions": 100,
        "end_kind": "closed",
        "out_seat": 0,
        "mortos": (1, 0),
        "canastas": (("clean",), ()),
    }
    return PlayedDeal(index=index, scores=scores, turns=turns, **(fields | more))  # type: ignore[arg-type]


@pytest.mark.parametrize(("name", "players"), game_sets())
def test_the_same_deal_inside_the_engine_and_through_views(
    name: str, players: int, compiled: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    plan = plan_of(name, ("greedy",) * players)
    numbers = range(2 if compiled else 1)
    inside = [play_deal(plan, number, keep_acts=True) for number in numbers]
    monkeypatch.setattr("buraco.cli.simulation.policy_of", lambda _: None)
    assert [play_deal(plan, number, keep_acts=True) for number in numbers] == inside


def test_workers_change_nothing() -> None:
    plan = Plan(rules=TOY_OPEN, bots=("greedy", "random"), deals=3 * CHUNK + 7, seed=9)
    alone = list(simulate(plan))
    assert [deal.index for deal in alone] == list(range(plan.deals))
    assert list(simulate(plan, workers=2)) == alone


def test_workers_end_when_nobody_wants_more_deals() -> None:
    plan = Plan(rules=TOY_OPEN, bots=("random", "random"), deals=100 * CHUNK, seed=9)
    deals = simulate(plan, workers=2)
    assert next(iter(deals)).index == 0
    deals.close()
    assert list(deals) == []


def test_a_deal_depends_on_the_seed_and_its_number_alone() -> None:
    few, many = plan_of(deals=2), plan_of(deals=40)
    assert play_deal(few, 1) == play_deal(many, 1)
    assert play_deal(few, 0) != play_deal(few, 1)
    assert play_deal(plan_of(seed=2), 0) != play_deal(few, 0)


@pytest.mark.parametrize("name", sorted(RULE_SETS))
def test_the_record_of_a_deal_holds(name: str) -> None:
    plan = plan_of(
        name, ("greedy", "random", "greedy", "random") if 4 in get_rules(name).player_counts else ("greedy",) * 2
    )
    deal = play_deal(plan, 1, keep_acts=True)
    steps = list(replay(deal_record(plan, deal)))
    assert sum(step.kind == "action" for step in steps) == deal.actions
    result = steps[-1].result
    assert result is not None
    assert (result.scores, result.end_kind, result.out_seat) == (deal.scores, deal.end_kind, deal.out_seat)


def test_the_figures_of_three_deals_by_hand() -> None:
    deals = [
        played(0, (300, 100)),
        played(1, (100, 100), 50, end_kind="stock", out_seat=-1, canastas=((), ())),
        played(2, (200, 400), 60, out_seat=3, mortos=(1, 1), canastas=(("clean", "dirty"), ("dirty",))),
    ]
    found = summary(iter(deals))
    assert found.deals == 3
    assert found.score[0].mean == 200
    # Variance 10,000, so the standard error is 100 / sqrt(3); Student's t of three values is 4.30 (of many 1.96).
    assert found.score[0].half_width == pytest.approx(4.302653 * 57.735027, abs=1e-3)
    assert found.difference.mean == 0
    assert found.wins == (1, 1, 1)
    assert (found.turns.mean, found.turns_max) == (50, 60)
    assert found.ends == (("closed", 2), ("stock", 1))
    assert found.out == (1, 1)
    assert list(found.mortos) == pytest.approx([1, 1 / 3])
    assert dict(found.canastas[0]) == pytest.approx({"clean": 2 / 3, "dirty": 1 / 3})


def test_one_deal_is_told_as_one_and_without_intervals(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    told = call(capsys, monkeypatch, ["simulate", "--deals", "1", "--seed", "3"])
    assert ": 1 deal, 4 players" in told.out
    assert "±" not in told.out
    form = json.loads(call(capsys, monkeypatch, ["simulate", "--deals", "1", "--seed", "3", "--json"]).out)
    assert form["turns"]["half_width"] is None


def test_one_deal_has_no_interval_and_none_no_summary() -> None:
    assert summary(iter([played(0, (300, 100))])).score[0].half_width is None
    with pytest.raises(ValueError, match="no deals"):
        summary(iter(()))


def test_the_command_writes_the_same_json_for_any_number_of_workers(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    rules = tmp_path / "toy.toml"
    rules.write_text(to_toml(TOYS["toy-sets"]), encoding="utf-8")
    arguments: list[str | Path] = ["simulate", "--deals", str(2 * CHUNK + 1), "--rules", rules, "--seed", "4", "--json"]
    one = call(capsys, monkeypatch, arguments)
    two = call(capsys, monkeypatch, [*arguments, "--workers", "2"])
    assert (one.code, one.err) == (EXIT_OK, "")
    assert one.out == two.out
    told = json.loads(one.out)
    assert told["deals"] == sum(told["ends"].values()) == sum(told["wins"].values()) == 2 * CHUNK + 1
    assert "results" not in told


def test_as_many_workers_play_as_are_asked_for(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = []

    def alone(plan: Plan, *, workers: int, keep_acts: bool) -> Iterator[PlayedDeal]:
        asked.append((workers, keep_acts))
        yield play_deal(plan, 0)

    monkeypatch.setattr("buraco.cli.simulate.simulate", alone)
    assert call(capsys, monkeypatch, ["simulate", "--deals", "1", "--workers", "7"]).code == EXIT_OK
    assert asked == [(7, False)]


def test_the_command_shows_figures_and_each_deal_and_writes_records(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    arguments: list[str | Path] = [
        "simulate",
        "--deals",
        "3",
        "--bots",
        "greedy,random",
        "--each",
        "--records",
        tmp_path / "records",
    ]
    shown = call(capsys, monkeypatch, arguments)
    assert shown.code == EXIT_OK
    assert "3 deals, 4 players, seed 0" in shown.out
    assert "side 0 (greedy)" in shown.out
    assert "side 1 (random)" in shown.out
    files = sorted((tmp_path / "records").iterdir())
    assert [file.name for file in files] == ["deal-1.txt", "deal-2.txt", "deal-3.txt"]
    for file in files:
        record = parse_record(file.read_text(encoding="utf-8"))
        outcome = record.deals[0].outcome
        assert outcome is not None
        assert [step.kind for step in replay(record)][-1] == "end"
        assert f"{outcome.scores[0]}" in shown.out


def test_each_result_is_in_the_json_when_asked_for(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    shown = call(capsys, monkeypatch, ["simulate", "--deals", "2", "--each", "--json", "--players", "4"])
    results = json.loads(shown.out)["results"]
    assert [result["deal"] for result in results] == [1, 2]
    assert results[0]["scores"] == list(play_deal(plan_of(seed=0), 0).scores)


def test_a_record_that_cannot_be_written_ends_the_command_in_one_line(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    shown = call(capsys, monkeypatch, ["simulate", "--deals", "2", "--records", tmp_path / "file"])
    assert shown.code == 3
    assert shown.err.startswith("buraco: cannot write")
    assert shown.err.count("\n") == 1


def test_a_terminal_gets_a_progress_bar_that_leaves_no_trace() -> None:
    with Terminal(["simulate", "--deals", "30", "--bots", "random"]) as terminal:
        assert terminal.exit_code() == 0
    assert "30/30" in terminal.text
    last = terminal.text.rpartition("\x1b[2K")[2]
    assert "mean score" in last
    assert "30/30" not in last


def test_a_second_run_into_a_folder_of_records_is_refused_before_anything_is_played(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    folder = tmp_path / "records"
    words = ["simulate", "--deals", "2", "--bots", "random", "--records", str(folder)]
    with held_folder(folder):
        shown = call(capsys, monkeypatch, words)
    told = f"buraco: another run writes {folder}; wait until it has ended, or name another folder\n"
    assert (shown.code, shown.err, list(folder.iterdir())) == (3, told, [])
    assert call(capsys, monkeypatch, words).code == EXIT_OK
    assert sorted(path.name for path in folder.iterdir()) == ["deal-1.txt", "deal-2.txt"]
