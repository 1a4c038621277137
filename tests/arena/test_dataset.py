"""Data sets: a row holds what the seat saw, the same bytes however they came about, nothing doubled, faults told."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pyarrow
import pyarrow.parquet
import pytest

from buraco.arena import DATASET_COLUMNS, view_of_row
from buraco.arena.dataset import arrow_schema, column_table, decision_row
from buraco.bots import Decision, Limit, Reason, make_bot
from buraco.cli import dataset, holding
from buraco.cli.common import CommandError
from buraco.cli.dataset import Dataset, part_deals
from buraco.cli.simulation import Plan, play_deal, simulate
from buraco.engine import SeatView
from buraco.errors import BuracoError
from buraco.notation import parse_record, replay
from buraco.rules import RULE_SETS, RuleSet, to_toml
from tests.toy import TOY_OPEN, TOY_SETS, TOYS
from tests.unit.making import game_sets
from tests.unit.terminal import call

DOCUMENT = Path(__file__).resolve().parents[2] / "docs/dataset.md"
GREEDY = ("greedy", "random")


def plan_of(rules: RuleSet = TOY_OPEN, bots: tuple[str, ...] = GREEDY, deals: int = 60, **more: Any) -> Plan:
    return Plan(rules=rules, bots=bots, deals=deals, **({"seed": 5} | more))


def written(path: Path, plan: Plan, workers: int = 1) -> bytes:
    list(Dataset(plan, path).deals(workers))
    return path.read_bytes()


def rows_of(path: Path) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = pyarrow.parquet.read_table(path).to_pylist()
    return found


def watched(plan: Plan, index: int = 0) -> list[tuple[SeatView, str, Decision]]:
    seen: list[tuple[SeatView, str, Decision]] = []
    play_deal(plan, index, watch=lambda *told: seen.append(told))
    return seen


# What a row holds.


def test_the_table_of_the_document_is_that_of_the_columns() -> None:
    assert column_table() in DOCUMENT.read_text(encoding="utf-8")


@pytest.mark.parametrize(("name", "players"), [*game_sets(), *((name, 2) for name in TOYS)])
def test_a_row_leads_back_to_the_view_of_its_seat(name: str, players: int) -> None:
    rules = {**RULE_SETS, **TOYS}[name]
    seen = watched(plan_of(rules, ("greedy", "random", "club", "random")[:players]), 1)
    outcome: dict[str, object] = {column.name: [] for column in DATASET_COLUMNS if column.type.startswith("list")}
    filled = [
        {column.name: 0 if "int" in column.type else "" for column in DATASET_COLUMNS if not column.optional}
        | outcome
        | decision_row(view, level, decision)
        for view, level, decision in seen
    ]
    back = pyarrow.Table.from_pylist(filled, schema=arrow_schema()).to_pylist()
    assert len(back) > 5
    for row, (view, level, decision) in zip(back, seen, strict=True):
        assert view_of_row(row, rules) == view
        assert (row["seat"], row["bot"], row["action"]) == (view.seat, level, decision.action)
        assert row["action"] in row["legal"]


def test_what_a_seat_cannot_see_is_in_no_row() -> None:
    for view, level, decision in watched(plan_of(RULE_SETS["fechado"], ("club",) * 4)):
        row = decision_row(view, level, decision)
        assert len(row["hand"]) == view.position.hand_counts[view.seat or 0]  # type: ignore[arg-type]
        assert "stock" not in row
        assert "mortos" not in row
        pile = row["pile"]
        assert isinstance(pile, list)
        covered = pile[:-1] if view.position.top_card < 0 and not view.position.rest_waits else pile
        assert set(covered) <= {-1}


def test_a_decision_is_told_with_its_reasons_and_what_else_was_weighed(tmp_path: Path) -> None:
    plan = plan_of(TOY_SETS, ("club", "random"), deals=3)
    written(tmp_path / "set.parquet", plan)
    rows = rows_of(tmp_path / "set.parquet")
    seen = [told for index in range(3) for told in watched(plan, index)]
    for row, (view, _, decision) in zip(rows, seen, strict=True):
        assert row["reasons"] == [reason.code for reason in decision.reasons]
        assert row["evaluation"] == (None if decision.evaluation is None else pytest.approx(decision.evaluation))
        assert row["alternatives"] == [other.action for other in decision.alternatives]
        assert set(row["alternatives"]) < set(view.legal)
        assert len(row["alternatives"]) == len(row["alternative_evaluations"])
    assert {code for row in rows if row["bot"] == "random" for code in row["reasons"]} == {"at_random"}
    assert any(row["alternatives"] for row in rows)
    assert Reason(rows[0]["reasons"][0]).code


def test_a_bot_that_is_asked_with_a_row_decides_as_it_did(tmp_path: Path) -> None:
    plan = plan_of(TOY_SETS, ("club", "greedy"), deals=4)
    written(tmp_path / "set.parquet", plan)
    rows = rows_of(tmp_path / "set.parquet")
    assert rows
    for row in rows:
        assert make_bot(row["bot"]).choose(view_of_row(row, TOY_SETS), Limit()).action == row["action"]


def test_the_deals_are_those_without_a_data_set_and_rows_tell_their_outcome(tmp_path: Path) -> None:
    plan = plan_of(bots=("greedy", "club"), deals=30)
    kept = list(Dataset(plan, tmp_path / "set.parquet", keep_acts=True).deals(1))
    assert kept == list(simulate(plan, keep_acts=True))
    rows = rows_of(tmp_path / "set.parquet")
    assert [(row["deal"], row["decision"]) for row in rows] == [
        (deal.index + 1, number) for deal in kept for number in range(deal.actions)
    ]
    last = [row for row in rows if row["decision"] == row["actions"] - 1]
    assert [(row["score_0"], row["score_1"], row["end_kind"]) for row in last] == [
        (*deal.scores, deal.end_kind) for deal in kept
    ]


# The same however it came about.


def test_workers_and_a_second_time_change_no_byte(tmp_path: Path) -> None:
    plan = plan_of(deals=2 * part_deals(plan_of()) + 3)
    alone = written(tmp_path / "one.parquet", plan)
    assert written(tmp_path / "two.parquet", plan, workers=2) == alone
    assert written(tmp_path / "again.parquet", plan) == alone
    assert written(tmp_path / "other.parquet", replace(plan, seed=6)) != alone
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        f"{n}.parquet" for n in ("again", "one", "other", "two")
    ]


def counting(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Return a list that gets the first deal of each part that is played from now on."""
    played: list[int] = []
    play: Callable[..., Any] = dataset._play_part

    def counted(plan: Plan, path: Path, first: int, *rest: Any) -> Any:
        played.append(first)
        return play(plan, path, first, *rest)

    monkeypatch.setattr(dataset, "_play_part", counted)
    return played


def test_an_interrupted_run_goes_on_and_nothing_is_doubled(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    plan, size = plan_of(deals=60), part_deals(plan_of())
    whole = written(tmp_path / "whole.parquet", plan)
    path, played = tmp_path / "set.parquet", counting(monkeypatch)
    deals = Dataset(plan, path).deals(1)
    first = [next(deals) for _ in range(size + 1)]
    deals.close()
    assert not path.exists()
    # Work that was ended in the middle leaves an unfinished file.
    (tmp_path / "set.parquet.parts" / ".1.part").write_bytes(b"half")
    assert played == [0, size]
    again = list(Dataset(plan, path).deals(1))
    assert played == [0, size, 2 * size]
    assert again[: size + 1] == first
    assert path.read_bytes() == whole
    assert sorted(one.name for one in tmp_path.iterdir()) == ["set.parquet", "whole.parquet"]


def test_a_second_run_on_the_file_is_told_of_the_first_which_goes_on(tmp_path: Path) -> None:
    plan, path = plan_of(deals=60), tmp_path / "set.parquet"
    first = Dataset(plan, path).deals(1)
    begun = next(first)
    error = refused(plan, path)
    assert isinstance(error, CommandError)
    assert (error.code, error.exit_code) == ("dataset_in_use", 3)
    assert error.message == f"another run writes {path}; wait until it has ended, or name another file"
    whole = [begun, *first]
    assert [one.name for one in tmp_path.iterdir()] == ["set.parquet"]
    assert list(Dataset(plan, path).deals(1)) == whole


def test_a_run_that_waited_for_the_folder_while_another_finished_shows_its_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    plan, path = plan_of(deals=30), tmp_path / "set.parquet"
    lock: Callable[[int], None] = holding._lock

    def late(folder: int) -> None:
        # The other run finishes between the opening of the folder and the lock: the folder is removed.
        monkeypatch.setattr(holding, "_lock", lock)
        written(path, plan)
        lock(folder)

    monkeypatch.setattr(holding, "_lock", late)
    deals = list(Dataset(plan, path).deals(1))
    assert deals == list(Dataset(plan, path).deals(1))
    assert [one.name for one in tmp_path.iterdir()] == ["set.parquet"]


def test_until_the_file_is_whole_nothing_but_the_folder_of_the_parts_lies_beside_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    plan, path = plan_of(deals=30), tmp_path / "set.parquet"
    saved, beside = Path.replace, list[list[str]]()

    def watched_replace(source: Path, target: Path) -> Path:
        beside.append([one.name for one in tmp_path.iterdir()])
        return saved(source, target)

    with monkeypatch.context() as patched:
        patched.setattr(Path, "replace", watched_replace)
        written(path, plan)
    # Two parts and the whole: what a process that is killed now would leave.
    assert beside == [["set.parquet.parts"]] * 3
    assert [one.name for one in tmp_path.iterdir()] == ["set.parquet"]


def test_an_error_in_the_middle_leaves_the_parts_that_are_whole(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    plan, path = plan_of(deals=60), tmp_path / "set.parquet"

    def failing(plan: Plan, index: int, **more: Any) -> Any:
        if index == 40:
            raise KeyboardInterrupt
        return play_deal(plan, index, **more)

    with monkeypatch.context() as patched:
        patched.setattr(dataset, "play_deal", failing)
        with pytest.raises(KeyboardInterrupt):
            list(Dataset(plan, path).deals(1))
    assert [one.name for one in (tmp_path / "set.parquet.parts").iterdir()] == ["part-0000000.parquet"]
    assert written(path, plan) == written(tmp_path / "whole.parquet", plan)


def test_a_finished_file_is_shown_and_nothing_is_played(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    plan, path = plan_of(deals=30), tmp_path / "set.parquet"
    first = list(Dataset(plan, path).deals(1))
    before, played = path.read_bytes(), counting(monkeypatch)
    assert list(Dataset(plan, path).deals(2)) == first
    assert (played, path.read_bytes()) == ([], before)


def test_row_groups_are_as_large_as_the_memory_has_to_hold(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    plan, path = plan_of(deals=110), tmp_path / "set.parquet"
    monkeypatch.setattr(dataset, "GROUP_ROWS", 700)
    first = list(Dataset(plan, path).deals(1))
    file = pyarrow.parquet.ParquetFile(path)
    groups = [file.metadata.row_group(index).num_rows for index in range(file.metadata.num_row_groups)]
    assert sum(groups) == sum(deal.actions for deal in first)
    assert len(groups) > 1
    assert all(rows >= 700 for rows in groups[:-1])
    assert max(groups) < 700 + max(sum(deal.actions for deal in first[at : at + 25]) for at in range(0, 110, 25))
    assert list(Dataset(plan, path).deals(1)) == first


def test_levels_that_search_need_a_limit_of_nodes_and_then_repeat_themselves(tmp_path: Path) -> None:
    plan = plan_of(bots=("expert", "greedy"), deals=3)
    with pytest.raises(BuracoError) as caught:
        list(Dataset(plan, tmp_path / "none.parquet").deals(1))
    assert caught.value.code == "dataset_nodes"
    limited = replace(plan, nodes=300)
    assert written(tmp_path / "one.parquet", limited) == written(tmp_path / "two.parquet", limited)


# Faults.


def refused(plan: Plan, path: Path) -> BuracoError:
    before = {one: one.read_bytes() for one in path.parent.rglob("*") if one.is_file()}
    with pytest.raises(BuracoError) as caught:
        list(Dataset(plan, path).deals(1))
    assert {one: one.read_bytes() for one in path.parent.rglob("*") if one.is_file()} == before
    return caught.value


@pytest.mark.parametrize(
    "damage",
    [slice(0), slice(8), slice(0, -100), slice(50, None)],
    ids=["empty", "nonsense", "cut", "headless"],
)
def test_a_damaged_file_is_told_and_left_alone(tmp_path: Path, damage: slice) -> None:
    plan, path = plan_of(deals=30), tmp_path / "set.parquet"
    content = written(path, plan)
    path.write_bytes(content[damage])
    error = refused(plan, path)
    assert error.code == "dataset_file"
    assert str(path) in error.message


def test_a_wrong_byte_of_a_column_that_is_read_is_found(tmp_path: Path) -> None:
    plan, path = plan_of(deals=30), tmp_path / "set.parquet"
    content = written(path, plan)
    column = pyarrow.parquet.ParquetFile(path).metadata.row_group(0).column(1)
    assert column.path_in_schema == "decision"
    at = column.data_page_offset + column.total_compressed_size // 2
    path.write_bytes(content[:at] + bytes([content[at] ^ 255]) + content[at + 1 :])
    assert refused(plan, path).code == "dataset_file"


def test_a_damaged_part_and_one_of_other_deals_are_told(tmp_path: Path) -> None:
    plan, path = plan_of(deals=60), tmp_path / "set.parquet"
    deals = Dataset(plan, path).deals(1)
    for _ in range(26):
        next(deals)
    deals.close()
    first, second = sorted(path.with_name("set.parquet.parts").iterdir())
    whole = first.read_bytes()
    first.write_bytes(whole[: len(whole) // 2])
    assert first.name in refused(plan, path).message
    first.write_bytes(second.read_bytes())
    assert refused(plan, path).code == "dataset_file"
    first.write_bytes(whole)
    assert written(path, plan) == written(tmp_path / "whole.parquet", plan)


def test_a_parquet_file_of_others_is_told(tmp_path: Path) -> None:
    path = tmp_path / "set.parquet"
    pyarrow.parquet.write_table(pyarrow.table({"deal": [1]}), path)
    assert refused(plan_of(), path).code == "dataset_file"


def about(path: Path, form: str) -> None:
    """Write a data set without rows that says this of itself."""
    pyarrow.parquet.write_table(arrow_schema({"buraco": form}).empty_table(), path)


@pytest.mark.parametrize(
    "form",
    [
        "[]",
        "3",
        "[" * 5000 + "]" * 5000,
        '{"format": "buraco-dataset", "settings": [], "software": {}}',
        '{"format": "buraco-dataset", "settings": 3, "software": {}}',
        '{"format": "buraco-dataset", "settings": {}, "software": null}',
        '{"format": "buraco-dataset", "settings": ' + '{"a":' * 5000 + "1" + "}" * 5000 + "}",
    ],
    ids=["list", "number", "deep", "settings a list", "settings a number", "no software", "settings deep"],
)
def test_a_data_set_that_says_nonsense_of_itself_is_told(tmp_path: Path, form: str) -> None:
    about(tmp_path / "set.parquet", form)
    assert refused(plan_of(), tmp_path / "set.parquet").code == "dataset_file"


def test_a_pipe_or_a_device_is_no_data_set_and_nobody_waits_for_it(tmp_path: Path) -> None:
    pipe, device, plan = tmp_path / "pipe", tmp_path / "device", plan_of()
    os.mkfifo(pipe)
    device.symlink_to("/dev/zero")
    for path in (pipe, device):
        error = refused(plan, path)
        assert error.code == "file"
        assert "is no plain file" in error.message
    parts = tmp_path / "set.parquet.parts"
    parts.mkdir()
    os.mkfifo(parts / "part-0000000.parquet")
    assert refused(plan, tmp_path / "set.parquet").code == "file"


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"seed": 6}, "seed was 5 and is now 6"),
        ({"deals": 31}, "deals was 30 and is now 31"),
        ({"bots": ("random", "random")}, 'bots was ["greedy", "random"]'),
        ({"rules": TOY_OPEN.replace(bonus_out=90)}, "rules.bonus_out was 100 and is now 90"),
    ],
    ids=lambda value: next(iter(value)) if isinstance(value, dict) else None,
)
def test_a_file_of_other_settings_is_told_and_left_alone(tmp_path: Path, change: dict[str, Any], told: str) -> None:
    plan, path = plan_of(deals=30), tmp_path / "set.parquet"
    written(path, plan)
    error = refused(replace(plan, **change), path)
    assert error.code == "dataset_settings"
    assert told in error.message


def test_parts_of_another_software_are_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    plan, path = plan_of(deals=60), tmp_path / "set.parquet"
    deals = Dataset(plan, path).deals(1)
    next(deals)
    deals.close()
    monkeypatch.setattr(dataset, "software", lambda: {"version": "9", "engine": "compiled", "digest": "0"})
    error = refused(plan, path)
    assert error.code == "dataset_settings"
    assert 'software.version was "' in error.message
    assert error.message.endswith(f"; remove {path}.parts to have it played anew, or name another file")


def test_a_file_of_somebody_else_among_the_parts_stays(tmp_path: Path) -> None:
    plan, path = plan_of(deals=3), tmp_path / "set.parquet"
    folder = tmp_path / "set.parquet.parts"
    folder.mkdir()
    (folder / "notes.txt").write_text("mine", encoding="utf-8")
    written(path, plan)
    assert [one.name for one in folder.iterdir()] == ["notes.txt"]


def test_a_file_that_cannot_be_written_is_told_before_anything_is_played(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    played = counting(monkeypatch)
    assert refused(plan_of(), tmp_path / "file" / "set.parquet").code == "file"
    assert played == []


@pytest.mark.parametrize(
    "name", ["", "n" * 300, "nul\0", "file/set.parquet"], ids=["folder", "long", "nul", "in a file"]
)
def test_a_name_that_no_file_can_have_is_told_and_nothing_is_made(tmp_path: Path, name: str) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    with pytest.raises(BuracoError) as caught:
        list(Dataset(plan_of(deals=2), tmp_path / name).deals(1))
    assert caught.value.code == "file"
    assert "cannot write" in caught.value.message
    assert [one.name for one in tmp_path.iterdir()] == ["file"]


def test_a_worker_that_cannot_write_tells_why(tmp_path: Path) -> None:
    plan, path = plan_of(deals=60), tmp_path / "set.parquet"
    # A folder where the second part is to be: nothing can take its name.
    part = tmp_path / "set.parquet.parts" / "part-0000001.parquet"
    found = dataset._play_part(plan, part, 25, 25, "{}")
    assert found is not None
    code, told, exit_code = found
    assert (code, exit_code) == ("file", 3)
    assert str(part) in told
    assert not path.exists()


def test_without_pyarrow_the_error_names_the_extra(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    shown = call(capsys, monkeypatch, ["simulate", "--deals", "1", "--dataset", tmp_path / "set.parquet"])
    assert (shown.code, shown.out) == (2, "")
    assert "pip install 'buraco[env]'" in shown.err
    assert list(tmp_path.iterdir()) == []


# The command.


def test_the_command_writes_a_data_set_with_figures_and_records(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    rules, path = tmp_path / "toy.toml", tmp_path / "set.parquet"
    rules.write_text(to_toml(TOY_OPEN), encoding="utf-8")
    arguments: list[str | Path] = ["simulate", "--deals", "30", "--rules", rules, "--bots", "greedy", "--seed", "5"]
    plain = json.loads(call(capsys, monkeypatch, [*arguments, "--json"]).out)
    more: list[str | Path] = [*arguments, "--dataset", path, "--records", tmp_path / "records"]
    first = call(capsys, monkeypatch, [*more, "--json"])
    assert (first.code, first.err) == (0, "")
    told = json.loads(first.out)
    rows = len(rows_of(path))
    assert told == plain | {"dataset": {"file": str(path), "rows": rows}}
    records = {one.name: one.read_bytes() for one in (tmp_path / "records").iterdir()}
    assert len(records) == 30
    assert [step.kind for step in replay(parse_record(records["deal-07.txt"].decode()))][-1] == "end"
    for one in (tmp_path / "records").iterdir():
        one.unlink()
    again = call(capsys, monkeypatch, more)
    assert again.out.endswith(f"{rows:,} rows\n")
    assert {one.name: one.read_bytes() for one in (tmp_path / "records").iterdir()} == records
