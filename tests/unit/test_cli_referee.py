"""The referee's commands: judge, score, replay, rules; for people, for programs, and for a pipe."""

from __future__ import annotations

import io
import re
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

import pytest

from buraco.engine.deal import Deal
from buraco.engine.host import Host
from buraco.engine.match import Match
from buraco.notation import (
    Record,
    SeatRecord,
    format_position,
    format_record,
    parse_position,
    position_json_text,
    record_json_text,
    record_of,
)
from buraco.rules import FIELD_NAMES, RULE_SETS, get_rules, load_toml, to_toml
from tests.toy import TOY_OPEN
from tests.unit.terminal import Outcome, json_of

POSITION = "buraco-position 1; rules=aberto; seat=0; phase=play; hand0=5c 6c 7c Kd; morto1=side 0; melds0=9h Th Jh"


@pytest.fixture(scope="module")
def record() -> Record:
    """A finished match of two short deals."""
    rules = get_rules("burraco").replace(target_points=0, deal_count=2)
    host = Host(Match(rules, 2, seed=9))
    starts = []
    while not host.over:
        starts.append(host.next_deal())
        while host.seat is not None:
            legal = host.view(host.seat).legal
            host.act(host.seat, legal[0] if legal[0] == 0 else legal[-1])
    return record_of(host, starts, [SeatRecord("Ana"), SeatRecord("Eva", "random")])


@pytest.fixture
def record_file(record: Record, tmp_path: Path) -> Path:
    path = tmp_path / "match.txt"
    path.write_text(format_record(record), "utf-8")
    return path


def test_judge_lists_what_is_legal(ran: Callable[..., Outcome]) -> None:
    result = ran("judge", POSITION)
    assert result.code == 0
    assert "Seat 0 is to act, phase play: 4 legal actions" in result.out
    assert "  discard Kd\n" in result.out
    legal = json_of(ran("judge", POSITION, "--json"))["legal"]
    assert [one["text"] for one in legal] == ["discard 5c", "discard 6c", "discard 7c", "discard Kd"]


def test_judge_says_that_no_play_leads_to_a_position_in_which_nothing_is_legal(
    ran: Callable[..., Outcome],
) -> None:
    position = "buraco-position 1; rules=aberto-sujo; phase=play; morto1=side 1; hand1=8s; drew_stock=yes; tabled=yes"
    result = ran("judge", position)
    assert result.code == 0
    assert result.out == "Seat 1, phase play: nothing is legal; no play leads to this position.\n"


def test_judge_refuses_with_code_text_and_citation(ran: Callable[..., Outcome]) -> None:
    result = ran("judge", POSITION, "m", "5c", "6c", "7c")
    assert result.code == 1
    assert "not legal: meld 5c 6c 7c" in result.out
    assert "turn_could_not_end; aberto, section" in result.out
    form = json_of(ran("judge", POSITION, "m 5c 6c 7c", "--json"))
    assert form["legal"] is False
    assert form["judgements"][0]["code"] == "turn_could_not_end"
    assert form["judgements"][0]["position"] is None


def test_judge_shows_the_position_after_a_legal_action(ran: Callable[..., Outcome]) -> None:
    result = ran("judge", POSITION, "x", "kd")
    assert result.code == 0
    after = re.search(r"after it: (.*)", result.out)
    assert after
    assert parse_position(after[1]).seat == 1
    form = json_of(ran("judge", POSITION, "x kd", "--json"))
    assert form["judgements"][0]["position"]["seat"] == 1


def test_judge_reads_a_file_a_pipe_and_json(
    ran: Callable[..., Outcome], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    expected = ran("judge", POSITION).out
    path = tmp_path / "position.json"
    path.write_text(position_json_text(parse_position(POSITION)), "utf-8")
    assert ran("judge", str(path)).out == expected
    pipe = SimpleNamespace(buffer=io.BytesIO(POSITION.encode()), isatty=lambda: False)
    monkeypatch.setattr("sys.stdin", pipe)
    assert ran("judge", "-").out == expected


def test_judge_of_a_deal_that_is_over(ran: Callable[..., Outcome]) -> None:
    deal = Deal(get_rules("aberto"), seed=1)
    deal.playout(0, 1)
    text = format_position(deal.position())
    assert "nothing is legal" in ran("judge", text).out
    result = ran("judge", text, "d")
    assert (result.code, "deal_over" in result.out) == (1, True)


@pytest.mark.parametrize(
    ("arguments", "code", "named"),
    [
        (["judge", "/nowhere/at.all"], 3, "file"),
        (["judge", "buraco-position 1; rules=abierto"], 3, "position_text"),
        (["judge", "buraco-position 1; rules=aberto; hand0=3h 3h 3h"], 3, "position"),
        (["judge", "buraco-position 1; rules=aberto; seat=1"], 3, "hidden_hand"),
        (["judge", POSITION, "fly"], 3, "action_text"),
        (["judge"], 2, "usage"),
        (["score", POSITION], 3, "hidden_hand"),
        (["score", "buraco-record 1"], 3, "record_text"),
        (["replay", POSITION], 3, "record_text"),
        (["rules", "abierto"], 2, "unknown_rules"),
        (["rules", "check"], 2, "usage"),
        (["rules", "diff", "aberto"], 2, "usage"),
        (["rules", "a", "b", "c", "d"], 2, "usage"),
    ],
)
def test_an_error_is_one_line_with_its_code_and_never_a_traceback(
    ran: Callable[..., Outcome], arguments: list[str], code: int, named: str
) -> None:
    result = ran(*arguments)
    assert result.code == code
    assert result.err.startswith("buraco: ")
    assert "Traceback" not in result.err + result.out
    error = json_of(ran(*arguments, "--json"))["error"]
    assert (error["code"], error["exit_code"]) == (named, code)


def test_score_adds_up_to_the_engine_s_figure(ran: Callable[..., Outcome]) -> None:
    deal = Deal(get_rules("burraco"), seed=1, totals=(100, -5))
    deal.playout(1, 1)
    text = format_position(deal.position())
    sides = json_of(ran("score", text, "--json"))["sides"]
    assert [side["total"] for side in sides] == [deal.score(0), deal.score(1)]
    assert all(sum(line["points"] for line in side["lines"]) == side["total"] for side in sides)
    out = ran("score", text).out
    assert f"{deal.score(0):+d}" in out
    assert f"side 0 {100 + deal.score(0)}, side 1 {deal.score(1) - 5}" in out


def test_score_of_a_record_has_every_deal(ran: Callable[..., Outcome], record: Record, record_file: Path) -> None:
    deals = json_of(ran("score", str(record_file), "--json"))["deals"]
    assert [deal["totals"] for deal in deals] == [list(deal.outcome.totals) for deal in record.deals if deal.outcome]
    assert ran("score", str(record_file)).out.count("Totals after deal") == 2
    assert json_of(ran("score", record_json_text(record), "--json"))["deals"] == deals


def test_replay_writes_a_line_a_turn_and_says_that_the_record_holds(
    ran: Callable[..., Outcome], record: Record, record_file: Path
) -> None:
    lines = ran("replay", str(record_file)).out.splitlines()
    assert sum(bool(re.match(r" +[0-9]+ (Ana|Eva): ", line)) for line in lines) == sum(
        len(deal.turns) for deal in record.deals
    )
    assert lines[-1].startswith("The record holds: deals 2, actions ")
    assert ran("replay", str(record_file), "--quiet").out.splitlines() == lines[-1:]
    form = json_of(ran("replay", str(record_file), "--json"))
    assert (form["holds"], form["winner"], len(form["deals"])) == (True, record.winner, 2)


def test_replay_says_at_which_action_and_why_it_fails(ran: Callable[..., Outcome], record_file: Path) -> None:
    text = record_file.read_text("utf-8")
    record_file.write_text(text.replace("turn 3 seat 0: draw", "turn 3 seat 0: keep", 1), "utf-8")
    result = ran("replay", str(record_file))
    assert result.code == 1
    assert re.search(r"deal [12], turn 3, seat 0, action 1 \(keep\): ", result.err)
    assert re.search(r"^ +2 ", result.out, re.MULTILINE)
    assert json_of(ran("replay", str(record_file), "--json"))["error"]["code"] == "no_choice"


def test_replay_gives_the_position_before_a_turn_to_the_judge(ran: Callable[..., Outcome], record_file: Path) -> None:
    text = ran("replay", str(record_file), "--at", "2.3").out
    position = parse_position(text)
    assert (position.turn_count, position.phase) == (3, "draw")
    assert "draw" in ran("judge", text).out
    assert json_of(ran("replay", str(record_file), "--at", "2.3", "--json"))["turn_count"] == 3
    given = ran("judge", str(record_file))
    assert given.code == 3
    assert "this is the record of a match, not a position; `buraco replay FILE --at DEAL.TURN`" in given.err
    missing = ran("replay", str(record_file), "--at", "2.999")
    assert missing.code == 1
    assert re.search(r"no turn 999 in deal 2; deal 2 has [0-9]+, counted from 0$", missing.err)
    assert ran("replay", str(record_file), "--at", "9.1").err.endswith("; deals: 2\n")
    assert ran("replay", str(record_file), "--at", "later").code == 2


def test_rules_lists_all_sets_and_writes_each_page(ran: Callable[..., Outcome]) -> None:
    out = ran("rules").out
    assert all(name in out for name in RULE_SETS)
    assert [one["name"] for one in json_of(ran("rules", "--json"))] == list(RULE_SETS)
    for name in RULE_SETS:
        assert ran("rules", name).out.startswith(f"# Rules of {RULE_SETS[name].title} ({name})")
        assert json_of(ran("rules", name, "--json"))["rules"]["name"] == name


def test_rules_written_as_toml_are_read_again(ran: Callable[..., Outcome], tmp_path: Path) -> None:
    out = ran("rules", "fechado", "--toml").out
    path = tmp_path / "mine.toml"
    path.write_text(out, "utf-8")
    assert ran("rules", "check", str(path)).code == 0
    assert json_of(ran("rules", "check", str(path), "--json"))["possible"] is True
    # Every field is there to be changed, and nothing but the name differs yet.
    named = [line.partition(" = ")[0] for line in out.splitlines()]
    assert named == ["base", "", "[fields]", *(name for name in FIELD_NAMES if name not in ("name", "title"))]
    read = load_toml(out)
    assert read.name == "fechado-house"
    assert read.replace(name="fechado", title=get_rules("fechado").title) == get_rules("fechado")


def test_house_rules_written_as_toml_keep_their_name_and_title(ran: Callable[..., Outcome], tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(to_toml(TOY_OPEN), "utf-8")
    assert load_toml(ran("rules", str(path), "--toml").out) == TOY_OPEN


@pytest.mark.parametrize("words", [(), ("diff", "aberto", "burraco"), ("check", "aberto"), ("aberto", "--json")])
def test_toml_is_for_one_rule_set_alone(ran: Callable[..., Outcome], words: tuple[str, ...]) -> None:
    shown = ran("rules", *words, "--toml")
    assert shown.code == 2
    assert "--toml writes one rule set" in shown.out + shown.err


def test_rules_check_names_every_fault_and_has_an_exit_code(ran: Callable[..., Outcome], tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text('base = "aberto"\nname = "mine"\n[fields]\nhand_size = 0\nmorto_size = 0\n', "utf-8")
    result = ran("rules", "check", str(path))
    assert result.code == 1
    first, *reasons = result.err.splitlines()
    assert first == f"buraco: {path}: These rules are impossible."
    assert [reason.split()[:2] for reason in reasons] == [["-", "hand_size"], ["-", "morto_size"]]
    assert len(json_of(ran("rules", "check", str(path), "--json"))["error"]["reasons"]) == 2


def test_rules_diff_names_the_fields_that_differ(ran: Callable[..., Outcome]) -> None:
    rows = json_of(ran("rules", "diff", "burraco", "burraco-fibur", "--json"))["differences"]
    assert {row["field"] for row in rows} >= {"one_set_per_rank", "run_length_max", "bonus_semi_clean"}
    assert "one_set_per_rank" in ran("rules", "diff", "burraco", "burraco-fibur").out
    assert "do not differ" in ran("rules", "diff", "burraco", "burraco").out
