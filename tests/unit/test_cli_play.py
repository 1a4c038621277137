"""The match in the terminal, by piped lines: every command, bad input, saving and going on."""

from __future__ import annotations

import json
import os
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from buraco.bots import DEFAULT_LEVEL
from buraco.cli.common import EXIT_INPUT, EXIT_OK, EXIT_USAGE, CommandError
from buraco.cli.holding import held_file
from buraco.cli.lines import LINE_MAX
from buraco.cli.saves import data_folder, kept_comments, load_match, new_match, save_copy, unfinished
from buraco.engine import Host, Match
from buraco.notation import Record, SeatRecord, format_record, parse_record, record_of
from buraco.rules import RULE_SETS, get_rules, to_toml
from buraco.texts import text
from tests.toy import TOYS
from tests.unit.terminal import Outcome, call
from tests.unit.walking import host_of


class Player:
    """Plays by scripts in a data folder of its own."""

    def __init__(self, folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
        self.folder = folder
        self._capsys = capsys
        self._monkeypatch = monkeypatch

    def play(self, script: str, *options: str | Path) -> Outcome:
        # Scripts are written for what these bots do; a resumed match has bots of its own.
        bots = () if {"--bots", "--resume"} & set(options) else ("--bots", "greedy")
        arguments = ["play", "--data", self.folder, *bots, *options]
        return call(self._capsys, self._monkeypatch, arguments, script)

    def files(self) -> list[Path]:
        return sorted((self.folder / "matches").glob("*")) if (self.folder / "matches").exists() else []

    def record(self) -> Record:
        (file,) = self.files()
        return load_match(file).record


@pytest.fixture
def player(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Player:
    # A width of its own, so that the terminal in which the tests run does not matter.
    monkeypatch.setenv("COLUMNS", "80")
    return Player(tmp_path / "data", capsys, monkeypatch)


def seed_option(seed: int) -> tuple[str, str]:
    return ("--seed", str(seed))


# Without commands.


def test_without_any_input_it_ends_at_once_with_a_hint_and_leaves_no_file(player: Player) -> None:
    shown = player.play("")
    assert shown.code == EXIT_OK
    assert shown.out == ""
    assert "no terminal" in shown.err
    assert "buraco play --help" in shown.err
    assert player.files() == []


def test_the_end_of_the_input_saves_the_match_and_says_how_to_go_on(player: Player) -> None:
    shown = player.play("d\n", *seed_option(5))
    (file,) = player.files()
    assert shown.code == EXIT_OK
    assert f"buraco play --resume {file}" in shown.out
    assert not player.record().winner


# Bad input.


@pytest.mark.parametrize(
    "line",
    [
        "foo",
        "x",
        "x 3",
        "x Zz",
        "x Ks Qs",
        "m",
        "m 3h",
        "m 3h 4h 9c",
        "m " + "3h " * 60,
        "a",
        "a 1",
        "a 99 3h",
        "a 1 3h wild sideways",
        "a x 3h",
        "d d",
        "p 3",
        "u 99999999999999999999",
        "u none",
        "u 2.5",
        "u 000000000009",
        "save a\0b",
        "save ~nobody-of-this-name/match.txt",
        "save " + "n" * 900,
        "save /dev/null",
        "save /dev/stdin",
        "save no-such-folder/..",
        "save",
        "rules nowhere",
        "why",
        "Ks",
        "1",
        "-1",
        "\x00\x1b[31m",
        "€ ♥ 7♥",
        "[bold]m[/bold]",
        "y" * (LINE_MAX * 3),
        " ",
    ],
)
def test_bad_input_never_ends_the_match(line: str, player: Player) -> None:
    shown = player.play(f"{line}\ntable\nd\nquit\n", *seed_option(5))
    assert shown.code == EXIT_OK
    assert "Traceback" not in shown.out + shown.err
    assert "You drew 4♦." in shown.out


def test_an_unknown_command_is_answered_with_the_nearest(player: Player) -> None:
    assert "Did you mean hint?" in player.play("hnt\nquit\n", *seed_option(5)).out


def test_a_refusal_says_why_at_once_and_more_when_asked(player: Player) -> None:
    out = player.play("x Qc\nwhy\nd\nwhy\nquit\n", *seed_option(5)).out
    assert "No. You have not drawn yet." in out
    assert "Code: must_draw" in out
    assert "Rule: aberto, section" in out
    assert "Nothing was refused" in out.rpartition("You drew")[2]


def test_a_refusal_is_the_one_of_several_readings_that_tells_most(player: Player) -> None:
    out = player.play("d\nm 7h 8h X\nquit\n", *seed_option(5)).out
    assert "You do not hold all the cards" in out


# Commands.


def test_melds_are_taken_back_one_by_one_or_all_and_played_again(player: Player) -> None:
    script = "p\nm 6s 7s 8s\na 1 7h\nu\na 1 7h\nu all\nu\np\nm 6♠ 7♠ 8♠ 9♠\nquit\n"
    out = player.play(script, *seed_option(5)).out
    assert "Took back 1 step." in out
    assert "Took back 3 steps." in out
    assert "No. " in out.rpartition("Took back 3 steps.")[2]
    assert out.count("Meld 2: ♠ 6 7 8") == 2
    entries = player.record().deals[0].turns[-1].entries
    assert [entry.undone for entry in entries] == [0, 0, 0, 1, 0, 3, 0, 0]


def test_a_draw_cannot_be_taken_back(player: Player) -> None:
    out = player.play("d\nu\nquit\n", *seed_option(5)).out
    assert "Took back" not in out
    assert "No. " in out.rpartition("You drew")[2]


def test_several_cards_are_added_by_one_line_until_one_is_refused(player: Player) -> None:
    out = player.play("p\nm 6s 7s 8s\na 2 9s Qd Js\nquit\n", *seed_option(5)).out
    assert "Meld 2: ♠ 6 7 8 9" in out
    assert out.count("No. ") == 1


def test_of_several_meanings_the_player_chooses_by_number(player: Player) -> None:
    script = "d\nk\nm 6c 7c X\n2\nu\nm 6c 7c X\n\nm 6c 7c X\n9\nm 6c 7c X\nhint\nm 6c 7c X=8\nquit\n"
    out = player.play(script, *seed_option(6)).out
    assert out.count("That may mean several things:") == 4
    assert "  1 ♣ 6 7 X=8   meld 6c 7c X=8\n  2 ♣ X=5 6 7   meld X=5 6c 7c\n" in out
    laid = [line for line in out.splitlines() if line.startswith("Meld ")]
    assert [line.partition(": ")[2] for line in laid] == ["♣ X=5 6 7", "♣ 6 7 X=8"]
    assert "Hint: " in out


@pytest.mark.parametrize("answer", ["0000000019", "0", "3", "99999999999999999999", "-1", "1.0"])
def test_a_number_that_was_not_offered_chooses_nothing(answer: str, player: Player) -> None:
    shown = player.play(f"d\nk\nm 6c 7c X\n{answer}\nquit\n", *seed_option(6))
    assert shown.code == EXIT_OK
    assert "which one? 1-2" in shown.out
    assert "Meld 1" not in shown.out


@pytest.mark.parametrize("words", ["none", "2.5", "-1", "1 2", "000000000001"])
def test_words_that_are_no_number_of_steps_take_nothing_back(words: str, player: Player) -> None:
    out = player.play(f"d\nk\nm 6c 7c X\n1\nu {words}\nu\nquit\n", *seed_option(6)).out
    assert "How many steps are to be taken back?" in out
    assert out.count("Took back") == 1


def test_the_hand_is_sorted_by_suits_or_by_ranks(player: Player) -> None:
    out = player.play("order\norder\nquit\n", *seed_option(5)).out
    by_suit = "  Q♣   J♦   7♥ 7♥ K♥   4♠ 6♠ 6♠ 7♠ 9♠ J♠"
    by_rank = "  4♠   6♠ 6♠   7♥ 7♥ 7♠   9♠   J♦ J♠   Q♣   K♥"
    places = [out.find(by_suit), out.find(by_rank), out.rfind(by_suit)]
    assert places[0] >= 0
    assert places == sorted(set(places))


def test_the_table_tells_what_the_others_did_and_every_count(player: Player) -> None:
    out = player.play("quit\n", *seed_option(5)).out
    assert "Left    drew, rejected 3♦, drew, laid ♥ Q K A, laid ♣ 8 2♥=9 T, discarded K♣\n" in out
    assert "Stock 38     Mortos: 2 waiting     Cards in hand: Left 5, Partner 7, Right 7\n" in out
    assert "Pile (4): 3♦ K♣ Q♦ 8♠\n" in out
    assert "  2 ♣ 2♥=7 8 9 T\n" in out


def test_the_pile_is_shown_with_its_discarders(player: Player) -> None:
    out = player.play("look\nquit\n", *seed_option(5)).out
    assert "3♦ Left  K♣ Left  Q♦ Partner  8♠ Right" in out


def test_a_hint_is_typed_as_it_stands(player: Player) -> None:
    out = player.play("p\nhint\nquit\n", *seed_option(5)).out
    assert "Hint: m 6s 7s 8s 9s\n" in out
    assert "gains points" in out


def test_help_score_rules_and_legal_steps_are_there_at_any_time(player: Player) -> None:
    out = player.play("?\nscore\nrules\nrules 6\nrules all\nlegal\nquit\n", *seed_option(5)).out
    assert "a 2 9h" in out
    assert "Totals: We 0, They 0" in out
    assert "The pile" in out
    assert text("section.fields") in out
    assert "\nd   p\n" in out


def test_a_copy_is_saved_where_the_player_says_but_never_over_another_file(player: Player, tmp_path: Path) -> None:
    other, copy = tmp_path / "letter.txt", tmp_path / "copy.txt"
    other.write_text("Dear Ana", encoding="utf-8")
    out = player.play(f"d\nsave {other}\nsave {copy}\nsave {copy}\nsave {tmp_path}\nquit\n", *seed_option(5)).out
    assert other.read_text(encoding="utf-8") == "Dear Ana"
    assert load_match(copy).record == player.record()
    assert "is no record of a match; name another file" in out
    assert "is a folder" in out


def test_a_copy_is_never_saved_into_a_pipe_which_might_block(player: Player, tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    out = player.play(f"save {pipe}\nquit\n", *seed_option(5)).out
    assert f"{pipe} is no plain file; name another file." in out.replace("\n", " ")


def test_a_copy_may_have_the_longest_name_that_the_system_takes(player: Player, tmp_path: Path) -> None:
    copy = tmp_path / ("n" * os.pathconf(tmp_path, "PC_NAME_MAX"))
    player.play(f"d\nsave {copy}\nquit\n", *seed_option(5))
    assert load_match(copy).record == player.record()


def test_a_match_that_cannot_be_saved_goes_on_and_says_so(player: Player, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(path: Path, content: str) -> None:  # noqa: ARG001 the signature is the real one's
        raise CommandError("file", "cannot write: no space left", EXIT_INPUT)

    monkeypatch.setattr("buraco.cli.play.write_file", full)
    shown = player.play("d\nsave\nquit\n", *seed_option(5))
    assert shown.code == EXIT_INPUT
    assert "Cannot write: no space left." in shown.out
    assert "Not saved." in shown.out
    assert "You drew 4♦." in shown.out
    assert "--resume" not in shown.out


# Rules and their choices.


@pytest.mark.parametrize("name", sorted(RULE_SETS))
def test_every_rule_set_is_played_by_two_or_four(name: str, player: Player) -> None:
    for players in RULE_SETS[name].player_counts:
        shown = player.play("\nquit\n", "--rules", name, "--players", str(players), *seed_option(players))
        assert shown.code == EXIT_OK
        assert ("Opponent" in shown.out) == (players == 2)


def test_house_rules_are_played_from_a_file(player: Player, tmp_path: Path) -> None:
    for rules in TOYS.values():
        file = tmp_path / f"{rules.name}.toml"
        file.write_text(to_toml(rules), encoding="utf-8")
        shown = player.play("d\nquit\n", "--rules", file, *seed_option(1))
        assert rules.title in shown.out


def test_the_draw_for_the_first_dealer_is_shown(player: Player) -> None:
    out = player.play("quit\n", "--rules", "burraco", *seed_option(1)).out
    assert "the lowest card deals" in out
    assert "deals," in out or "deal," in out


def test_whoever_cuts_chooses_how_many_cards_to_lift(player: Player) -> None:
    for seed in range(30):
        script = "0\nmany\n00000000199\nscore\nlook\nwhy\nsave\nrules 1\n?\n21\nquit\n"
        shown = player.play(script, "--rules", "classico", *seed_option(seed))
        if "You cut." in shown.out:
            assert shown.out.count("lift how many cards? [22] > ") == 10
            assert "No deal has begun yet." in shown.out
            assert "Give the number of cards to lift" in shown.out
            assert "You lift" in shown.out
            return
    raise AssertionError("the player never cuts")


def test_the_target_or_the_number_of_deals_ends_the_match(player: Player) -> None:
    assert "to 500 " in player.play("quit\n", "--target", "500", *seed_option(1)).out
    (file,) = player.files()
    record = load_match(file).record
    assert (record.rules.target_points, record.rules.deal_count) == (500, 0)
    assert "2 deals " in player.play("quit\n", "--deals", "2", *seed_option(1)).out


# Going on.


def test_a_match_goes_on_where_it_was_left(player: Player) -> None:
    player.play("p\nm 6s 7s 8s\nquit\n", *seed_option(5))
    (file,) = player.files()
    before = file.read_text(encoding="utf-8")
    out = player.play("u\nm 6s 7s 8s 9s\nquit\n", "--resume", file).out
    assert "Left    drew, rejected 3♦" in out
    assert "Meld 2: ♠ 6 7 8 9" in out
    assert player.files() == [file]
    after = file.read_text(encoding="utf-8")
    assert after.startswith(before.rstrip("\n"))


def test_a_match_in_two_parts_is_the_match_in_one(player: Player, tmp_path: Path) -> None:
    player.play("d\nx Qc\nd\nquit\n", *seed_option(5))
    player.play("d\nx Qc\nquit\n", "--data", tmp_path / "other", *seed_option(5))
    (first,), second = player.files(), next((tmp_path / "other" / "matches").iterdir())
    player.play("d\nquit\n", "--resume", second)
    assert load_match(first).record.deals == load_match(second).record.deals


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (("discard K", "discard A"), "does not hold"),
        (("| greedy", "| clever"), "There is no bot 'clever'"),
        (("| greedy", ""), "seats without a bot"),
        (("seat 0: You", "seat 0: You | greedy"), "0 seats without a bot"),
        (("buraco-record 1", "a letter"), "is no record"),
    ],
)
def test_a_record_that_does_not_hold_is_refused(change: tuple[str, str], told: str, player: Player) -> None:
    player.play("d\nquit\n", *seed_option(5))
    (file,) = player.files()
    file.write_text(file.read_text(encoding="utf-8").replace(*change), encoding="utf-8")
    shown = player.play("quit\n", "--resume", file)
    assert shown.code != EXIT_OK
    assert told in shown.err
    assert shown.err.count("\n") == 1


def test_options_of_a_new_match_are_refused_beside_a_saved_one(player: Player) -> None:
    player.play("d\nquit\n", *seed_option(5))
    (file,) = player.files()
    before = file.read_bytes()
    shown = player.play("d\nquit\n", "--resume", file, "--rules", "fechado", "--deals", "2", "--new")
    assert shown.code == EXIT_USAGE
    assert shown.err == "buraco: --resume goes on with the match as it is; leave out --rules, --new, --deals\n"
    assert (player.files(), file.read_bytes()) == ([file], before)


def test_a_match_that_is_over_is_not_taken_up_again(player: Player) -> None:
    player.play("d\nquit\n", *seed_option(5))
    (file,) = player.files()
    record = host_record(over=True)
    file.write_text(format_record(record), encoding="utf-8")
    shown = player.play("quit\n", "--resume", file)
    assert shown.code == EXIT_INPUT
    assert "buraco replay" in shown.err


def host_record(*, over: bool) -> Record:
    """Return the record of a one-deal match among three bots and a person, over or just begun."""
    rules = get_rules("aberto").replace(target_points=0, deal_count=1)
    host = Host(Match(rules, 4, seed=4))
    start = host.next_deal()
    while over and host.seat is not None:
        host.act(host.seat, host.view(host.seat).legal[-1])
    seats = [SeatRecord("You"), *(SeatRecord(name, "random") for name in ("Left", "Partner", "Right"))]
    return record_of(host, [start], seats)


def test_only_the_last_unfinished_match_is_found_again(tmp_path: Path) -> None:
    warnings: list[str] = []
    assert unfinished(tmp_path, warnings.append) is None
    folder = tmp_path / "matches"
    folder.mkdir()
    for age, (name, content) in enumerate(
        [("new.txt", "junk"), ("over.txt", format_record(host_record(over=True)))]
        + [("mine.txt", format_record(host_record(over=False))), ("old.txt", format_record(host_record(over=False)))]
    ):
        file = folder / name
        file.write_text(content, encoding="utf-8")
        os.utime(file, (1_000_000 - age, 1_000_000 - age))
    found = unfinished(tmp_path, warnings.append)
    assert found is not None
    assert found.path.name == "mine.txt"
    assert len(warnings) == 1
    assert "new.txt" in warnings[0]


def test_the_folder_for_data_is_the_option_else_the_environment_else_the_home() -> None:
    environment = {"BURACO_DATA": "/a", "XDG_DATA_HOME": "/b", "HOME": "/c"}
    assert data_folder(Path("/d"), environment) == Path("/d")
    assert data_folder(None, environment) == Path("/a")
    del environment["BURACO_DATA"]
    assert data_folder(None, environment) == Path("/b/buraco")
    del environment["XDG_DATA_HOME"]
    assert data_folder(None, environment) == Path("/c/.local/share/buraco")


def test_without_a_home_folder_another_one_has_to_be_named(
    player: Player, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def unknown(_: Path) -> Path:
        raise RuntimeError("Could not determine home directory.")

    monkeypatch.setattr(Path, "expanduser", unknown)
    with pytest.raises(CommandError, match="--data or BURACO_DATA"):
        data_folder(None, {})
    assert data_folder(None, {"XDG_DATA_HOME": str(tmp_path)}) == tmp_path / "buraco"
    assert player.play("quit\n").code == EXIT_OK


def test_two_matches_of_one_second_get_files_of_their_own(tmp_path: Path) -> None:
    now = datetime(2025, 3, 4, 5, 6, 7, tzinfo=UTC)
    with new_match(tmp_path, now) as first, new_match(tmp_path, now) as second:
        # The first is not written yet, and yet it is taken.
        assert (first.name, second.name) == ("match-20250304-050607.txt", "match-20250304-050607-2.txt")
        first.write_text("", encoding="utf-8")
    with new_match(tmp_path, now) as third:
        assert third.name == "match-20250304-050607-2.txt"
    assert [path.name for path in (tmp_path / "matches").iterdir()] == [first.name]


def test_a_match_that_is_being_played_elsewhere_is_not_gone_on_with(player: Player) -> None:
    player.play("d\nquit\n", *seed_option(5))
    (file,) = player.files()
    before = file.read_bytes()
    with held_file(file):
        shown = player.play("d\nquit\n", "--resume", file)
    assert (shown.code, file.read_bytes()) == (EXIT_INPUT, before)
    assert shown.err.startswith(f"buraco: the match in {file} is being played elsewhere; go on there, or start another")
    assert player.play("quit\n", "--resume", file).code == EXIT_OK


def test_a_match_in_a_folder_in_which_nothing_can_be_written_is_played_all_the_same(
    player: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    player.play("d\nquit\n", *seed_option(5))
    (file,) = player.files()

    def refused(*_: object) -> int:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("buraco.cli.holding.os.open", refused)
    assert player.play("quit\n", "--resume", file).code == EXIT_OK


def test_a_folder_that_cannot_be_made_is_said_before_the_match(player: Player, tmp_path: Path) -> None:
    (tmp_path / "data").write_text("", encoding="utf-8")
    shown = player.play("d\n")
    assert shown.code == EXIT_INPUT
    assert "--data" in shown.err
    assert shown.out == ""


def test_comments_of_a_saved_match_are_kept(player: Player) -> None:
    player.play("d\nx Qc\nd\nquit\n", *seed_option(5))
    (file,) = player.files()
    record = load_match(file).record
    deal = record.deals[0]
    turns = tuple(replace(turn, comments=(f"on turn {turn.number}",)) for turn in deal.turns)
    save_copy(file, replace(record, comments=("a",), deals=(replace(deal, comments=("b",), turns=turns),)))
    player.play("x 4d\nd\nquit\n", "--resume", file)
    kept = load_match(file).record
    assert (kept.comments, kept.deals[0].comments) == (("a",), ("b",))
    assert [turn.comments for turn in kept.deals[0].turns[: len(turns)]] == [turn.comments for turn in turns]
    assert len(kept.deals[0].turns) > len(turns)
    assert kept_comments(kept, kept) == kept


# JSON.


def test_every_line_of_the_json_form_is_an_object_with_its_kind(player: Player) -> None:
    script = "hint\nd\nm 3h\na 1 9h\nlegal\nscore\n?\nfoo\nx Qc\nsave\nquit\n"
    shown = player.play(script, "--json", *seed_option(5))
    assert shown.code == EXIT_OK
    told: list[dict[str, Any]] = [json.loads(line) for line in shown.out.splitlines()]
    kinds = {one["kind"] for one in told}
    assert kinds == {"event", "state", "hint", "refusal", "rows", "note"}
    states = [one for one in told if one["kind"] == "state"]
    assert [state["position"]["phase"] for state in states[:2]] == ["draw", "play"]
    assert "draw" in states[0]["legal"]
    refusals = [one["code"] for one in told if one["kind"] == "refusal"]
    assert refusals == ["no_meld", "card_not_held"]


def test_the_json_form_tells_a_seat_nothing_that_it_may_not_know(player: Player) -> None:
    shown = player.play("d\nquit\n", "--json", *seed_option(5))
    told: list[dict[str, Any]] = [json.loads(line) for line in shown.out.splitlines()]
    assert {one["audience"] for one in told if one["kind"] == "event"} == {None, 0}
    positions = [one["position"] for one in told if one["kind"] == "state"]
    assert len(positions) == 2
    for position in positions:
        assert [isinstance(hand, list) for hand in position["hands"]] == [True, False, False, False]
        assert isinstance(position["stock"], int)
        assert position["mortos"] == ["hidden", "hidden"]


def test_a_saved_record_has_no_more_than_its_format_says(player: Player) -> None:
    player.play("d\nquit\n", *seed_option(5))
    record = player.record()
    assert parse_record(format_record(record)) == record
    assert [seat.bot for seat in record.seats] == ["", "greedy", "greedy", "greedy"]
    assert host_of("aberto").match.name == record.name


def test_where_nobody_names_a_level_the_usual_one_sits_at_the_table(player: Player) -> None:
    player.play("d\nquit\n", "--bots", DEFAULT_LEVEL, *seed_option(5))
    (named,) = player.files()
    called = load_match(named).record
    named.unlink()
    call(player._capsys, player._monkeypatch, ["play", "--data", player.folder, *seed_option(5)], "d\nquit\n")
    assert [seat.bot for seat in player.record().seats] == ["", *[DEFAULT_LEVEL] * 3]
    assert player.record().seats == called.seats
