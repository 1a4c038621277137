"""What is wrong with a file is told with the file's name and, where a line can be named, with the line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from buraco.texts import text
from tests.unit.terminal import Outcome, call

POSITION = "buraco-position 1; rules=aberto; seat=0; phase=play; hand0=5c 6c 7c Kd"
RECORD = Path(__file__).parents[2] / "examples" / "match.txt"

RULES_DOORS = (
    ("rules", "FILE"),
    ("rules", "check", "FILE"),
    ("rules", "diff", "aberto", "FILE"),
    ("rules", "diff", "FILE", "aberto"),
    ("simulate", "--deals", "1", "--rules", "FILE"),
    ("play", "--rules", "FILE"),
    ("arena", "run", "random", "greedy", "--deals", "1", "--rules", "FILE"),
    ("arena", "round", "random", "greedy", "--deals", "1", "--rules", "FILE"),
    ("arena", "ladder", "--rules", "FILE"),
)
BROKEN_RULES = (
    ("house.toml", 'base = "aberto"\n[fields]\nhand_size = = 3\n', "Invalid value (line 3, column 13)"),
    ("house.toml", 'base = "aberto"\ntitle = "', "Unterminated string (line 2, column 10)"),
    ("house.toml", 'base = "aberto"\n[fields]\nturn_cap = 3\nturn_cap = 4\n', "(line 4, column 13)"),
    ("house.json", '{"name": "x",\n "title": }\n', "Expecting value (line 2, column 11)"),
    ("house.toml", 'base = "aberto"\n[fields]\nhand_sizes = 3\n', "no field 'hand_sizes'"),
    ("house.json", "[]", "a JSON object"),
)


@pytest.fixture
def ran(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> _Ran:
    return _Ran(capsys, monkeypatch, tmp_path)


class _Ran:
    """Runs command lines in which FILE stands for a file of some content."""

    def __init__(self, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, folder: Path) -> None:
        self.capsys, self.monkeypatch, self.folder = capsys, monkeypatch, folder

    def __call__(self, line: tuple[str, ...], name: str, content: str) -> tuple[Path, Outcome]:
        path = self.folder / name
        path.write_text(content, encoding="utf-8")
        words = [str(path) if word == "FILE" else word for word in line]
        return path, call(self.capsys, self.monkeypatch, words, content)


@pytest.mark.parametrize(("name", "content", "told"), BROKEN_RULES)
@pytest.mark.parametrize("line", RULES_DOORS, ids=" ".join)
def test_every_command_that_reads_house_rules_names_their_file_and_what_is_wrong_where(
    ran: _Ran, line: tuple[str, ...], name: str, content: str, told: str
) -> None:
    path, outcome = ran(line, name, content)
    assert outcome.code in (1, 3)
    assert outcome.err.startswith(f"buraco: {path}: ")
    assert told in outcome.err
    assert "Traceback" not in outcome.err


def test_the_file_is_named_to_programs_too_and_the_reasons_stay_what_they_are(ran: _Ran) -> None:
    content = 'base = "aberto"\n[fields]\nhand_sizes = 3\nturn_cap = "x"\n'
    path, outcome = ran(("rules", "check", "FILE", "--json"), "house.toml", content)
    error = json.loads(outcome.out)["error"]
    assert (error["code"], error["exit_code"]) == ("impossible_rules", 1)
    assert error["message"].startswith(f"{path}: ")
    assert [reason.split(".")[0] for reason in error["reasons"]] == [
        "The rules have no field 'hand_sizes'",
        "turn_cap must be a whole number, not 'x'",
    ]


def test_where_a_text_is_no_toml_is_told_in_the_reader_s_language(ran: _Ran) -> None:
    path, outcome = ran(("rules", "FILE", "--language", "it"), "house.toml", "[fields\n")
    place = text("error.placed", "it", detail="Expected ']' at the end of a table declaration", line=1, column=8)
    assert outcome.err == f"buraco: {path}: {text('error.toml_syntax', 'it', detail=place)}\n"


@pytest.mark.parametrize("command", ["judge", "score"])
@pytest.mark.parametrize(
    ("content", "told"),
    [
        ('{"format": "buraco-position",\n "version": }', "line 2, column 13: this is not JSON"),
        ("buraco-position 1\nrules=aberto\n# mine\nhand0=3h 9x; phase=play\n", "line 4: hand0: '9x' is no card"),
        ("buraco-position 1\nrules=aberto\nhand0=3h\nhand1=4h\nhand2=9x\n", "line 5: hand2: '9x' is no card"),
        ("buraco-position 1\nrules=aberto\nmelds0=3h 4h 5h\nmelds1=3h 5h 9h\n", "line 4: melds1: "),
        ("buraco-position 1\nrules=aberto\nmorto1=side 0\nmorto2=zz\n", "line 4: morto2: "),
        ("buraco-position 1\nrules=aberto\ntotals=1\nseat=0\n", "line 3: totals: two entries"),
        ("buraco-position 1\nrules=aberto\nopened=yes yes\nopening_need=3 -1\n", "line 4: opening_need[1]: "),
        ("buraco-position 1\nrules=aberto\n\nhand0", "line 4: 'hand0' is no statement"),
        ("buraco-position 1\nrules=aberto\nphase=lunch\n", "line 3: phase: "),
        ("buraco-position 1\nrules=aberto\nseat=1\nseat=1\n", "line 4: seat is there twice"),
        ("buraco-position 1\nrules=aberto\nrule.turn_cap=x\n", "line 3: rule.turn_cap: "),
        ("buraco-position 1\nrules=aberto\ncolour=red\n", "line 3: there is no statement 'colour'"),
        ("\nhello\n", "a position begins with 'buraco-position 1'"),
        ("buraco-position 1; rules=aberto; hand0=3h 3h 3h", "3h"),
    ],
)
def test_a_position_that_cannot_be_read_is_told_with_its_file_and_line(
    ran: _Ran, command: str, content: str, told: str
) -> None:
    path, outcome = ran((command, "FILE"), "position.txt", content)
    assert outcome.code == 3
    assert outcome.err.startswith(f"buraco: {path}: ")
    assert told in outcome.err


def test_a_position_of_one_line_is_told_without_a_line(ran: _Ran) -> None:
    _, outcome = ran(("judge", "FILE"), "position.txt", POSITION + "; phase=play\n")
    assert outcome.err.endswith("position.txt: phase is there twice\n")


def test_a_position_that_no_file_holds_is_told_by_where_it_came_from(ran: _Ran) -> None:
    _, outcome = ran(("judge", "-"), "position.txt", "buraco-position 1")
    assert outcome.err == "buraco: standard input: rules: a position names its rules\n"
    _, outcome = ran(("judge", "buraco-position 1"), "position.txt", "")
    assert outcome.err == "buraco: rules: a position names its rules\n"


def test_what_is_wrong_with_a_typed_action_is_not_laid_to_the_file(ran: _Ran) -> None:
    path, outcome = ran(("judge", "FILE", "fly"), "position.txt", POSITION)
    assert outcome.code == 3
    assert str(path) not in outcome.err


@pytest.mark.parametrize("line", [("replay", "FILE"), ("score", "FILE"), ("verify", "FILE")], ids=" ".join)
@pytest.mark.parametrize(
    ("content", "told"),
    [
        ("buraco-record 1\nfoo bar\n", "line 2: "),
        ('{"format": "buraco-record",\n "name": }', "line 2, column 10: this is not JSON"),
    ],
)
def test_a_record_that_cannot_be_read_is_told_with_its_file_and_line(
    ran: _Ran, line: tuple[str, ...], content: str, told: str
) -> None:
    if line[0] == "score" and content.startswith("{"):
        told = "line 2, column 10"
    path, outcome = ran(line, "match.txt", content)
    assert outcome.code == 3
    assert outcome.err.startswith(f"buraco: {path}")
    assert told in outcome.err


@pytest.mark.parametrize("command", ["replay", "score"])
def test_a_record_that_does_not_hold_is_told_with_its_file(ran: _Ran, command: str) -> None:
    lines = RECORD.read_text(encoding="utf-8").splitlines()
    at = next(number for number, line in enumerate(lines) if line.startswith("turn 1 "))
    lines[at] = lines[at].replace(": draw", ": keep").replace(": take", ": keep")
    path, outcome = ran((command, "FILE"), "match.txt", "\n".join(lines))
    assert outcome.code == 1
    assert outcome.err.startswith(f"buraco: {path}: deal 1, turn 1, ")


def test_a_result_of_the_arena_that_is_no_json_is_told_with_its_file_and_line(ran: _Ran) -> None:
    path, outcome = ran(("arena", "ratings", "FILE"), "result.json", '{"format": "buraco-arena",\n "version": }')
    assert outcome.code == 3
    assert outcome.err.startswith(f"buraco: {path}: ")
    assert "line 2, column 13" in outcome.err
