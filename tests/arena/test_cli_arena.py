"""``buraco arena``: results kept and gone on with, settings compared, errors with their way out, pictures."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
import xml.etree.ElementTree as ET
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

from buraco.arena import Rating, plan
from buraco.arena.executors import open_pool
from buraco.arena.results import load_result
from buraco.arena.running import Outcome as Run
from buraco.arena.running import play_block, run
from buraco.arena.tally import Tally
from buraco.arena.words import tally_cells
from buraco.cli import holding
from buraco.cli.arena_show import show_ratings
from buraco.cli.columns import show_table
from buraco.cli.common import EXIT_INPUT, EXIT_INTERRUPTED, EXIT_NO, EXIT_OK, EXIT_USAGE, console
from buraco.rules import to_toml
from tests.arena.test_running import without_times
from tests.toy import TOY_OPEN
from tests.unit.terminal import Outcome, call, command

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def toy(tmp_path: Path) -> Path:
    path = tmp_path / "toy.toml"
    path.write_text(to_toml(TOY_OPEN), encoding="utf-8")
    return path


class Arena:
    """The command with small house rules."""

    def __init__(self, toy: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
        self._toy, self._capsys, self._monkeypatch = toy, capsys, monkeypatch

    def __call__(self, kind: str, *arguments: str | Path) -> Outcome:
        return call(self._capsys, self._monkeypatch, ["arena", kind, *arguments, "--rules", self._toy])

    def plain(self, *arguments: str | Path) -> Outcome:
        return call(self._capsys, self._monkeypatch, ["arena", *arguments])


@pytest.fixture
def arena(toy: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Arena:
    return Arena(toy, capsys, monkeypatch)


def form_of(text: str) -> Any:
    return without_times(load_result(text).outcome)


def test_a_run_is_shown_as_a_table(arena: Arena) -> None:
    shown = arena("run", "greedy", "random", "--deals", "60")
    assert (shown.code, shown.err) == (EXIT_OK, "")
    assert "greedy - random" in shown.out
    assert "Toy with an open pile: 2 players, paired deals, seed 0" in shown.out
    assert " up" in shown.out


@pytest.mark.parametrize("width", [200, 80, 60, 24])
def test_on_a_terminal_of_any_width_no_figure_and_no_name_is_cut(width: int) -> None:
    name, other = "exec:python3 my_bots/layer.py --quick", "greedy:nodes=2000"
    rows = [(f"{name} - {other}", "30", "-524.8 ± 97.6", "4/0/56", "7 % (3-16)", "< 0.0001", "leans down")]
    written = io.StringIO()
    out = Console(file=written, force_terminal=True, width=width, color_system=None, highlight=False, markup=False)
    show_table(out, ("A - B", "pairs", "points", "+/=/-", "wins", "p", "A"), rows)
    lines = [line for line in written.getvalue().splitlines() if name not in line]
    assert all(len(line) <= width for line in lines)
    flat = " ".join(written.getvalue().split())
    for cell in (*rows[0], "pairs", "points", "wins"):
        assert cell in flat
    assert not any(line.endswith(" ") for line in lines)


def test_texts_of_a_table_begin_below_one_another() -> None:
    written = io.StringIO()
    out = Console(file=written, force_terminal=True, width=40, color_system=None, highlight=False, markup=False)
    show_table(out, ("person", "name", ""), [("u_cE", "Ana", ""), ("nheH6q", "Bo", "barred")], figures=False)
    assert written.getvalue().splitlines() == ["person  name", "u_cE    Ana", "nheH6q  Bo    barred"]


def test_into_a_pipe_a_row_is_a_line(arena: Arena, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "40")
    shown = arena("round", "greedy:nodes=1000000", "random:nodes=1000000", "club:nodes=1000000", "--deals", "3")
    lines = [line for line in shown.out.splitlines() if line.startswith("greedy:nodes=1000000 - random:nodes=1000000 ")]
    assert [len(line.split()) > 10 for line in lines] == [True]


def test_faults_of_one_kind_are_told_once(arena: Arena) -> None:
    shown = arena("run", f"exec:{sys.executable} -c 'import sys; sys.exit(sys.maxsize[0])'", "random", "--deals", "3")
    told = [line for line in shown.out.splitlines() if "TypeError" in line]
    assert [" lost game 1 of pair 1 and 5 more in the same way by a fault (crash): " in line for line in told] == [True]
    assert "Faults: 6;" in shown.out


def test_a_time_of_a_second_or_more_is_told_in_milliseconds() -> None:
    tally = Tally.empty()
    tally.timed(1_172_400_000)
    median, most, worst = tally_cells(tally)[3:]
    assert (worst, median.isdecimal(), most.isdecimal()) == ("1172", True, True)
    tally = Tally.empty()
    tally.timed(45_310_000)
    assert tally_cells(tally)[5] == "45.3"


def test_a_rating_a_little_below_nothing_is_no_minus_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    show_ratings(console(), [Rating("one", -0.2, -0.4, 12.5, 3)])
    assert capsys.readouterr().out.split()[-5:] == ["+0", "+0", "to", "+12", "3"]


def test_a_run_as_json_is_what_its_file_holds(arena: Arena, tmp_path: Path) -> None:
    file = tmp_path / "new folder" / "result.json"
    shown = arena("run", "greedy", "random", "--matches", "3", "--json", "--out", file)
    assert shown.code == EXIT_OK
    assert json.loads(shown.out) == json.loads(file.read_text(encoding="utf-8"))
    form = json.loads(shown.out)
    assert form["command"].startswith("buraco arena run greedy random --rules ")
    assert form["command"].endswith(" --players 2 --matches 3 --seed 0")
    assert form["summary"]["games"]["unit"] == "matches"


def test_the_command_of_a_result_repeats_it(
    arena: Arena, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    first = json.loads(
        arena("run", "greedy:nodes=7", "random", "--deals", "40", "--seed", "-3", "--json", "--stop", "sprt:0:5").out
    )
    again = call(capsys, monkeypatch, [*first["command"].split()[1:], "--json"])
    assert again.code == EXIT_OK
    assert form_of(again.out) == form_of(json.dumps(first))
    assert json.loads(again.out)["command"] == first["command"]


def test_an_interrupted_run_is_kept_and_goes_on(arena: Arena, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    words = ("run", "greedy", "random", "--deals", "90")
    whole = arena(*words, "--json")
    done: list[int] = []

    def interrupted(*arguments: Any) -> Any:
        if len(done) == 2:
            raise KeyboardInterrupt
        done.append(arguments[1])
        return play_block(*arguments)

    file = tmp_path / "result.json"
    with monkeypatch.context() as patched:
        patched.setattr(
            "buraco.arena.running.run.__kwdefaults__", {"start": None, "timed_pairs": 2, "work": interrupted}
        )
        stopped = arena(*words, "--out", file)
    assert stopped.code == EXIT_INTERRUPTED
    kept = json.loads(file.read_text(encoding="utf-8"))
    assert (kept["state"], len(kept["pairs"]["points"]), done) == ("running", 50, [0, 25])
    assert arena(*words, "--out", file).code == EXIT_OK
    assert form_of(file.read_text(encoding="utf-8")) == form_of(whole.out)


def test_a_killed_run_goes_on_from_its_last_block(toy: Path, tmp_path: Path) -> None:
    file = tmp_path / "result.json"
    words: list[str | Path] = ["arena", "run", "greedy", "random", "--deals", "30000", "--out", file, "--rules", toy]
    process = subprocess.Popen(command(words), stdout=subprocess.DEVNULL)
    try:
        while process.poll() is None and not (file.exists() and kept_in(file).pairs):
            os.sched_yield()
        assert process.poll() is None
    finally:
        process.kill()
        process.wait()
    kept = kept_in(file)
    assert not kept.finished
    assert list(kept.pairs[:25]) == list(play_block(kept.plan, 0, 25).pairs)
    with open_pool("local", 1) as pool:
        more = next(run(kept.plan, pool, start=kept))
    assert more.pairs[: len(kept.pairs)] == kept.pairs
    assert more.pairs[len(kept.pairs) :] == play_block(kept.plan, len(kept.pairs), 25).pairs


def test_a_second_run_on_a_file_is_refused_and_leaves_it_alone_until_the_first_has_ended(
    arena: Arena, toy: Path, tmp_path: Path
) -> None:
    folder = tmp_path / "results"
    file = folder / "result.json"
    words = ("run", "greedy", "random", "--deals", "30000", "--out", str(file))
    process = subprocess.Popen(command(["arena", *words, "--rules", toy]), stdout=subprocess.DEVNULL)
    try:
        while process.poll() is None and not file.exists():
            os.sched_yield()
        shown = arena(*words)
        assert process.poll() is None
    finally:
        process.kill()
        process.wait()
    told = f"buraco: another run writes {file}; wait until it has ended, or name another file\n"
    assert (shown.code, shown.err) == (EXIT_INPUT, told)
    assert json.loads(file.read_text(encoding="utf-8"))["state"] == "running"
    # What the killed run left beside its file holds nobody back, and goes with the next run.
    assert len(list(folder.iterdir())) > 1
    file.unlink()
    assert arena("run", "greedy", "random", "--deals", "3", "--out", file).code == EXIT_OK
    assert [path for path in folder.iterdir() if path.suffix != ".part"] == [file]


def test_a_run_that_waited_for_the_file_while_another_finished_shows_what_that_came_to(
    arena: Arena, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    words = ("run", "greedy", "random", "--deals", "5", "--out", tmp_path / "result.json")
    lock, shown = holding._lock, list[Outcome]()

    def late(opened: int) -> None:
        monkeypatch.setattr(holding, "_lock", lock)
        shown.append(arena(*words))
        monkeypatch.setattr("buraco.cli.arena_runs.run", None)
        lock(opened)

    monkeypatch.setattr(holding, "_lock", late)
    assert arena(*words).out == shown[0].out


@pytest.mark.parametrize("kind", ["round", "ladder"])
def test_a_folder_whose_file_another_run_writes_is_refused(arena: Arena, tmp_path: Path, kind: str) -> None:
    words = {"round": ("round", "greedy", "random", "--deals", "2"), "ladder": ("ladder", "--levels", "random,greedy")}
    assert arena(*words[kind], "--out", tmp_path / "first").code == EXIT_OK
    (name,) = (path.name for path in (tmp_path / "first").iterdir())
    with holding.held_file(tmp_path / "second" / name):
        shown = arena(*words[kind], "--out", tmp_path / "second")
    assert shown.code == EXIT_INPUT
    assert shown.err.startswith(f"buraco: another run writes {tmp_path / 'second' / name}; ")
    assert list((tmp_path / "second").iterdir()) == []


def kept_in(file: Path) -> Run:
    return load_result(file.read_text(encoding="utf-8")).outcome


def test_other_settings_are_refused_and_named(arena: Arena, tmp_path: Path) -> None:
    file = tmp_path / "result.json"
    assert arena("run", "greedy", "random", "--deals", "3", "--out", file).code == EXIT_OK
    before = file.read_bytes()
    shown = arena("run", "random:nodes=9", "random", "--deals", "4", "--seed", "1", "--out", file)
    assert shown.code == EXIT_USAGE
    for said in (
        'a.player was "greedy" and is now "random:nodes=9"',
        "pairs was 3 and is now 4",
        "seed was 0",
        "name another",
    ):
        assert said in shown.err
    assert file.read_bytes() == before


def test_another_software_is_refused_and_named_unless_all_is_played_again(
    arena: Arena, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "result.json"
    words = ("run", "greedy", "random", "--deals", "3", "--out", file)
    assert arena(*words).code == EXIT_OK
    monkeypatch.setattr(plan, "_digest", lambda: "0123456789ab")
    shown = arena(*words)
    assert shown.code == EXIT_USAGE
    assert 'software.digest was "' in shown.err
    assert shown.err.endswith("; --again plays it anew, or name another file\n")
    assert arena(*words, "--again").code == EXIT_OK
    assert json.loads(file.read_text(encoding="utf-8"))["software"]["digest"] == "0123456789ab"


def test_a_finished_run_is_shown_again_without_being_played(
    arena: Arena, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    words = ("run", "greedy", "random", "--deals", "5", "--out", tmp_path / "result.json")
    first = arena(*words)
    monkeypatch.setattr("buraco.cli.arena_runs.run", None)
    assert arena(*words).out == first.out


def test_a_file_that_cannot_be_written_is_an_error_before_anything_is_played(
    arena: Arena, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("buraco.cli.arena_runs.run", None)
    (tmp_path / "file").write_text("", encoding="utf-8")
    shown = arena("run", "greedy", "random", "--out", tmp_path / "file" / "result.json")
    assert (shown.code, shown.out) == (EXIT_INPUT, "")
    assert "cannot" in shown.err


def test_a_file_that_is_no_result_is_left_alone(arena: Arena, tmp_path: Path) -> None:
    file = tmp_path / "mine.json"
    file.write_text('{"mine": true}', encoding="utf-8")
    shown = arena("run", "greedy", "random", "--out", file)
    assert shown.code == EXIT_INPUT
    assert "no result of an arena" in shown.err
    assert file.read_text(encoding="utf-8") == '{"mine": true}'


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["run", "gready", "random"], "Did you mean: greedy?"),
        (["run", "greedy"], "B"),
        (["run", "greedy", "random", "--deals", "0"], "--deals"),
        (["run", "greedy", "random", "--deals", "3", "--matches", "3"], "not both"),
        (["run", "greedy", "random", "--workers", "0"], "--workers"),
        (["run", "greedy", "random", "--workers", "many"], "--workers"),
        (["run", "greedy", "random", "--nodes", "0"], "--nodes"),
        (["run", "greedy", "random", "--players", "3"], "players"),
        (["run", "greedy", "random", "--engine", "dask"], "local, ray"),
        (["run", "greedy", "random", "--stop", "sprt:2:1"], "LOW below HIGH"),
        (["run", "greedy:depth=2", "random"], "nodes and ms"),
        (["round", "greedy"], "two players or more"),
        (["round", "greedy", "greedy"], "each named once"),
        (["ladder", "--size", "smal"], "Did you mean: small?"),
        (["ladder", "--levels", "random,greedi"], "Did you mean: greedy?"),
        (["ladder", "--levels", "greedy,novice"], "no step of the ladder"),
    ],
)
def test_a_wrong_word_is_one_line_that_says_so(words: list[str], says: str, arena: Arena) -> None:
    shown = arena(*words)
    assert (shown.code, shown.out) == (EXIT_USAGE, "")
    assert says in shown.err
    assert shown.err.count("\n") == 1


def test_a_round_rates_its_players_and_keeps_each_pairing(arena: Arena, tmp_path: Path) -> None:
    out, picture = tmp_path / "round", tmp_path / "round.svg"
    words = ("round", "random", "greedy", "random:nodes=5", "--deals", "40", "--out", out, "--picture", picture)
    shown = arena(*words, "--json")
    assert shown.code == EXIT_OK
    assert sorted(path.name for path in out.iterdir()) == [
        "greedy-random-nodes-5-deals.json",
        "random-greedy-deals.json",
        "random-random-nodes-5-deals.json",
    ]
    form = json.loads(shown.out)
    assert [(run["settings"]["a"]["player"], run["settings"]["b"]["player"]) for run in form["runs"]] == [
        ("random", "greedy"),
        ("random", "random:nodes=5"),
        ("greedy", "random:nodes=5"),
    ]
    assert form["ratings"][0]["player"] == "greedy"
    drawn = ET.parse(picture).getroot()
    assert drawn.tag == "{http://www.w3.org/2000/svg}svg"
    assert len(drawn.findall("{http://www.w3.org/2000/svg}circle")) == 3
    rated = arena.plain("ratings", out, "--json")
    assert json.loads(rated.out)["ratings"] == form["ratings"]
    table = arena.plain("ratings", out)
    assert table.code == EXIT_OK
    assert "greedy" in table.out


def test_ratings_need_results(arena: Arena, tmp_path: Path) -> None:
    for path in (tmp_path / "nothing.json", tmp_path):
        shown = arena.plain("ratings", path)
        assert (shown.code, shown.out) == (EXIT_INPUT, "")
        assert str(path) in shown.err.replace("\n", "")


def test_a_file_without_end_is_read_to_a_bound_and_a_pipe_in_a_folder_is_no_result(
    arena: Arena, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("buraco.cli.arena_runs.TEXT_MAX", 1000)
    endless = arena.plain("ratings", "/dev/zero")
    assert (endless.code, endless.out) == (EXIT_INPUT, "")
    assert "/dev/zero is too long: at most 1000 bytes are read" in endless.err
    # Nobody writes into it: whoever opened it would wait for ever.
    os.mkfifo(tmp_path / "pipe.json")
    (tmp_path / "endless.json").symlink_to("/dev/zero")
    (tmp_path / "folder.json").mkdir()
    shown = arena.plain("ratings", tmp_path)
    assert shown.code == EXIT_INPUT
    assert f"there is no result in {tmp_path}" in shown.err
    kept = arena("run", "greedy", "random", "--deals", "60", "--out", tmp_path / "pipe.json")
    assert kept.code == EXIT_INPUT
    assert "is no plain file; name another file" in kept.err
    assert (tmp_path / "pipe.json").is_fifo()


def test_a_program_that_gives_up_loses_by_the_stated_points(arena: Arena) -> None:
    shown = arena("run", "exec:false", "greedy", "--deals", "2", "--json")
    form = json.loads(shown.out)
    assert shown.code == EXIT_OK
    assert form["pairs"]["points"] == [[-1000, -1000]] * 2
    assert form["summary"]["faults"] == {"a": 4, "b": 0}
    assert {fault["code"] for fault in form["faults"]} == {"crash"}
    table = arena("run", "exec:false", "greedy", "--deals", "2")
    assert "Faults: 4; each counts as a game lost by 1000 points." in table.out


def test_a_program_plays_the_same_for_any_number_of_workers(arena: Arena) -> None:
    bot = ROOT / "examples" / "highest_meld.py"
    words = ("run", f"exec:{sys.executable} {bot}", "greedy", "--deals", "12", "--ms", "20000", "--json")
    alone = arena(*words)
    assert alone.code == EXIT_OK
    assert json.loads(alone.out)["faults"] == []
    assert form_of(arena(*words, "--workers", "2").out) == form_of(alone.out)


def test_a_ladder_plays_each_step_and_a_report_tells_it(arena: Arena, tmp_path: Path) -> None:
    out = tmp_path / "ladder"
    shown = arena("ladder", "--out", out, "--seed", "3")
    assert shown.code in (EXIT_OK, EXIT_NO)
    assert (out / "greedy-random-deals.json").exists()
    page, pictures = tmp_path / "page.md", tmp_path / "pictures"
    assert arena.plain("report", out, "--out", page, "--pictures", pictures).code == EXIT_OK
    written = page.read_text(encoding="utf-8")
    assert "`greedy` - `random`" in written
    assert f"Generated by `buraco arena report {out} --out {page} --pictures {pictures}`" in written
    assert "(pictures/toy-open-2.svg)" in written
    assert [path.name for path in pictures.iterdir()] == ["toy-open-2.svg"]
    shown_here = arena.plain("report", out).out
    assert f"Generated by `buraco arena report {out}`" in shown_here
    assert "![" not in shown_here
    assert shown_here.splitlines()[-20:] == written.splitlines()[-20:]


def test_a_ladder_of_some_levels_has_the_steps_between_them_alone(arena: Arena, tmp_path: Path) -> None:
    assert arena("ladder", "--levels", "random, novice,greedy", "--out", tmp_path).code in (EXIT_OK, EXIT_NO)
    assert sorted(path.name for path in tmp_path.glob("*.json")) == [
        "greedy-random-deals.json",
        "novice-random-deals.json",
    ]


def test_a_ladder_that_leads_down_answers_no(arena: Arena, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("buraco.arena.ladder._STEPS", (("random", "greedy"),))
    assert arena("ladder").code == EXIT_NO
