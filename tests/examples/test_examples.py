"""Every example runs as its first lines say, with fewer deals, and what comes out is what they promise."""

from __future__ import annotations

import re
import runpy
import subprocess
import sys
from pathlib import Path
from typing import Final
from xml.etree import ElementTree

import pytest

from buraco.rules import load_toml
from tests.toy import TOY_OPEN

ROOT: Final = Path(__file__).resolve().parents[2]
EXAMPLES: Final = ROOT / "examples"
PAGE: Final = ROOT / "docs/examples.md"
PROGRAMS: Final = sorted(EXAMPLES.glob("*.py"))
#: A bot that answers on standard input has no options.
WITHOUT_OPTIONS: Final = {"highest_meld.py"}


def run(name: str, *arguments: str | Path, folder: Path = ROOT) -> str:
    """Run an example and return what it writes; it must end well and complain of nothing."""
    command = [sys.executable, "-W", "error", str(EXAMPLES / name), *map(str, arguments)]
    done = subprocess.run(command, capture_output=True, text=True, cwd=folder, check=False, stdin=subprocess.DEVNULL)
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


def interval(out: str) -> tuple[float, float]:
    """Return the ends of the last 95 % interval that was written."""
    low, high = re.findall(r"95 % interval ([+-][\d.]+) to ([+-][\d.]+)", out)[-1]
    return float(low), float(high)


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda path: path.name)
def test_an_example_says_how_it_is_run_and_the_page_lists_it(program: Path) -> None:
    text = program.read_text(encoding="utf-8")
    assert f"[{program.name}](../examples/{program.name})" in PAGE.read_text(encoding="utf-8")
    if program.name not in WITHOUT_OPTIONS:
        assert f"examples/{program.name}" in text.split('"""')[1]
        assert len(text.splitlines()) <= 120 or program.name == "bridge.py"


@pytest.mark.parametrize(
    "program", [one for one in PROGRAMS if one.name not in WITHOUT_OPTIONS], ids=lambda path: path.name
)
def test_an_example_has_a_help(program: Path) -> None:
    assert run(program.name, "--help").startswith("usage: ")


@pytest.mark.parametrize(
    ("line", "named"),
    [
        ("random_rollout.py --seed -1", "--seed"),
        ("random_rollout.py --deals 0", "--deals"),
        ("policy_gradient.py --seed -1", "--seed"),
        ("policy_gradient.py --deals 1", "--deals"),
        ("policy_gradient.py --test-deals 1", "--test-deals"),
        ("policy_gradient.py --rate nan", "--rate"),
        ("policy_gradient.py --picture missing/curve.svg", "no folder missing"),
        ("imitation.py --seed -1", "--seed"),
        ("imitation.py --deals 9", "--deals"),
        ("imitation.py --level expert", "--level"),
        ("deal_figures.py --deals 0", "--deals"),
        ("deal_figures.py --workers 0", "--workers"),
        ("deal_figures.py --out there.txt", "there.txt"),
        ("openspiel_cfr.py --packs 0", "--packs"),
        ("openspiel_cfr.py --seed -1", "--seed"),
        ("openspiel_cfr.py --seed 2147483648", "2147483647"),
        ("openspiel_cfr.py --picture missing/curve.svg", "no folder missing"),
        ("openspiel_ismcts.py --deals 0", "--deals"),
        ("openspiel_ismcts.py --simulations 0", "--simulations"),
        ("openspiel_ismcts.py --seed -1", "--seed"),
        ("openspiel_ismcts.py --seed 4294967296", "4294967295"),
        ("bridge.py --table K7MPQ2 --token t --server cards.example -- cat", "--server"),
        ("bridge.py --table K7MPQ2 --token t --ms 0 -- cat", "--ms"),
        ("bridge.py --table K7MPQ2 --token= -- cat", "BURACO_BOT_TOKEN"),
        ("bridge.py --table K7MPQ2 --token t -- no-such-program", "no-such-program"),
    ],
)
def test_an_example_tells_an_impossible_option_in_words(
    line: str, named: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    name, *arguments = line.split()
    monkeypatch.chdir(tmp_path)
    (tmp_path / "there.txt").touch()
    monkeypatch.setattr(sys, "argv", [name, *arguments])
    with pytest.raises(SystemExit) as ended:
        runpy.run_path(str(EXAMPLES / name), run_name="__main__")
    out, err = capsys.readouterr()
    assert (ended.value.code, out) == (2, "")
    assert named in err.partition(f"{name}: error: ")[2]
    assert [path.name for path in tmp_path.iterdir()] == ["there.txt"]


def test_the_toy_of_the_examples_is_that_of_the_tests() -> None:
    assert load_toml((EXAMPLES / "toy.toml").read_text(encoding="utf-8")) == TOY_OPEN


def test_random_deals_are_played_and_shown() -> None:
    out = run("random_rollout.py", "--rules", "burraco", "--deals", "2")
    found = re.findall(r"^deal (\d): -?\d+ to -?\d+ points \(\w+\), \d+ actions", out, re.MULTILINE)
    assert found == ["1", "2"]
    watched = run("random_rollout.py", "--rules", "burraco", "--deals", "1", "--watch")
    assert watched.endswith(out.splitlines(keepends=True)[0])
    assert watched.count("seat=") > 10


def test_the_policy_gradient_beats_random_beyond_its_interval(tmp_path: Path) -> None:
    arguments = ("--deals", "1500", "--test-deals", "300", "--picture", tmp_path / "curve.svg")
    out = run("policy_gradient.py", *arguments)
    low, high = interval(out)
    assert 0 < low < high
    leads = [float(lead) for lead in re.findall(r"deals: +([+-][\d.]+) points a deal$", out, re.MULTILINE)]
    assert len(leads) == 10
    assert sum(leads[-3:]) > sum(leads[:3])
    assert ElementTree.parse(tmp_path / "curve.svg").getroot().tag.endswith("svg")
    assert run("policy_gradient.py", *arguments) == out


def test_imitation_finds_the_discards_of_the_club_better_than_chance(tmp_path: Path) -> None:
    path = tmp_path / "club.parquet"
    out = run("imitation.py", "--deals", "20", "--dataset", path)
    same, chance = re.findall(r"the same card in ([\d.]+)%; at random ([\d.]+)%", out)[0]
    assert float(same) > 1.5 * float(chance)
    written = path.read_bytes()
    assert run("imitation.py", "--deals", "20", "--dataset", path) == out
    assert path.read_bytes() == written


def test_figures_of_many_deals_are_drawn(tmp_path: Path) -> None:
    out = run("deal_figures.py", "--deals", "60", "--out", tmp_path / "one")
    assert out.startswith("60 deals of greedy: ")
    assert (
        run("deal_figures.py", "--deals", "60", "--workers", "2", "--out", tmp_path / "two").splitlines()[:3]
        == (out.splitlines()[:3])
    )
    for name in ("turns.svg", "leads.svg"):
        picture = (tmp_path / "one" / name).read_bytes()
        ElementTree.fromstring(picture)
        assert (tmp_path / "two" / name).read_bytes() == picture


def test_a_record_is_read_and_one_that_does_not_hold_is_told(tmp_path: Path) -> None:
    out = run("read_record.py", EXAMPLES / "match.txt", "--actions")
    assert re.search(r"^deal 1: -?\d+ to -?\d+ points", out, re.MULTILINE)
    assert re.search(r"^result: side [01]$", out, re.MULTILINE)
    assert re.search(r"^  \w+: discard ", out, re.MULTILINE)
    changed = tmp_path / "changed.txt"
    text = (EXAMPLES / "match.txt").read_text(encoding="utf-8")
    changed.write_text(re.sub(r"discard \w+", "discard X", text, count=1), encoding="utf-8")
    binary = tmp_path / "binary.txt"
    binary.write_bytes(b"\xff\xfe\x00")
    for wrong in (changed, binary, tmp_path / "missing.txt"):
        command = [sys.executable, str(EXAMPLES / "read_record.py"), str(wrong)]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        assert done.returncode == 1
        assert done.stderr.startswith(f"{wrong}: ")
        assert done.stderr.count("\n") == 1


def test_a_tiny_rule_set_is_solved_so_that_little_can_be_gained_against_it(tmp_path: Path) -> None:
    picture = tmp_path / "curve.svg"
    out = run("openspiel_cfr.py", "--packs", "3", "--rounds", "10", "--samples", "60", "--picture", picture)
    (start,) = re.findall(r"^at random: ([\d.]+)", out, re.MULTILINE)
    (end,) = re.findall(r"^solved: ([\d.]+)", out, re.MULTILINE)
    (sampled,) = re.findall(r"^external sampling, 60 rounds: ([\d.]+)", out, re.MULTILINE)
    assert float(end) < float(start) / 10
    assert float(sampled) < float(start) / 2
    ElementTree.parse(picture)


def test_search_over_information_sets_beats_random_beyond_its_interval() -> None:
    out = run("openspiel_ismcts.py", "--deals", "12", "--simulations", "20")
    assert interval(out)[0] > 0
