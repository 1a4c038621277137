"""Bots in processes of their own: they play, and whatever else they do, nothing hangs, floods or is left behind."""

from __future__ import annotations

import json
import os
import random
import re
import select
import shlex
import subprocess
import sys
import tracemalloc
from pathlib import Path

import pytest

from buraco.arena.external import FAULT_CODES, BotFault, ExternalBot, check_command
from buraco.arena.lines import PROTOCOL, choose_line, hello_line, read_request, rules_line, view_of_request
from buraco.bots import Alternative, Limit, bot_levels, make_bot
from buraco.engine import Deal, SeatView, view_of
from buraco.errors import BuracoError
from buraco.notation import format_action, legal_actions, parse_position
from buraco.rules import RULE_SETS, get_rules
from tests.toy import TOY_CLOSED
from tests.unit.making import game_sets
from tests.unit.walking import deal_states

ROOT = Path(__file__).resolve().parents[2]
ROGUE = Path(__file__).with_name("rogue.py")
EXAMPLE_FILE = ROOT / "examples" / "highest_meld.py"
EXAMPLE = f"{shlex.quote(sys.executable)} {shlex.quote(str(EXAMPLE_FILE))}"
DOCUMENT = (ROOT / "docs" / "bot-protocol.md").read_text(encoding="utf-8")
SHORT = Limit(ms=1)
LONG = Limit(ms=60_000)


def rogue(way: str, noted: Path | None = None) -> str:
    words = [sys.executable, "-I", str(ROGUE), way] + ([] if noted is None else [str(noted)])
    return shlex.join(words)


def start_view(name: str = "aberto") -> SeatView:
    deal = Deal(get_rules(name), 4, seed=3)
    return view_of(deal, deal.seat)


def fault_of(way: str, limit: Limit, noted: Path | None = None) -> BotFault:
    with ExternalBot(rogue(way, noted)) as bot, pytest.raises(BotFault) as found:
        bot.choose(start_view(), limit)
    assert found.value.code in FAULT_CODES
    return found.value


# It plays.


@pytest.mark.parametrize(("name", "players"), game_sets())
def test_a_line_says_the_whole_view(name: str, players: int, compiled: bool) -> None:
    states = [deal for deal in deal_states(name, players, seed=8) if not deal.over]
    for number, deal in enumerate(random.Random(1).sample(states, min(len(states), 40 if compiled else 4))):
        view, limit = view_of(deal, deal.seat), Limit(ms=number, nodes=None)
        request = read_request(choose_line(number, view, limit).decode())
        assert view_of_request(request) == (number, view, limit)


def test_a_line_says_house_rules() -> None:
    deal = Deal(TOY_CLOSED, 2, seed=1)
    view = view_of(deal, deal.seat)
    assert view_of_request(read_request(choose_line(5, view, Limit()).decode()))[1] == view


@pytest.mark.parametrize("name", RULE_SETS)
def test_the_example_bot_plays_a_deal_to_its_end(name: str) -> None:
    deal = Deal(RULE_SETS[name], max(RULE_SETS[name].player_counts), seed=5)
    with ExternalBot(EXAMPLE) as bot:
        while not deal.over:
            deal.apply(bot.choose(view_of(deal, deal.seat), LONG).action)
        assert bot.name == "highest meld"
    assert deal.end_kind > 0


@pytest.mark.parametrize("level", bot_levels())
def test_a_level_behind_the_protocol_chooses_as_it_does_here(level: str) -> None:
    limit = Limit(nodes=50)
    command = shlex.join([sys.executable, "-c", "from buraco.cli import main; main()", "bot", level])
    states = [deal for deal in deal_states("fechado", 4, seed=2) if not deal.over]
    here = make_bot(level, seed=9)
    with ExternalBot(command, seed=9, patience_ms=120_000) as bot:
        for deal in random.Random(4).sample(states, 8):
            view = view_of(deal, deal.seat)
            there, own = bot.choose(view, limit), here.choose(view, limit)
            assert (there.action, there.evaluation, there.alternatives) == (
                own.action,
                own.evaluation,
                own.alternatives,
            )
        assert bot.name == f"buraco {level}"
        assert bot.level == f"exec:{command}"


def test_an_evaluation_and_alternatives_are_taken_over(tmp_path: Path) -> None:
    view = start_view()
    texts = [format_action(action) for action in view.legal]
    answer = {"type": "action", "id": 1, "action": texts[0], "evaluation": 12.5}
    answer["alternatives"] = [{"action": text, "evaluation": 3} for text in texts]
    script = tmp_path / "bot.py"
    script.write_text(
        f"print('{json.dumps({'type': 'hello', 'protocol': PROTOCOL})}', flush=True)\n"
        f"print({json.dumps(answer)!r}, flush=True)\ninput(), input(), input()\n"
    )
    with ExternalBot(shlex.join([sys.executable, "-I", str(script)])) as bot:
        decision = bot.choose(view, LONG)
    assert (decision.evaluation, decision.alternatives[0]) == (12.5, Alternative(view.legal[0], 3.0))


def test_a_bot_that_is_not_to_act_is_not_asked() -> None:
    deal = Deal(get_rules("aberto"), 4, seed=3)
    with ExternalBot(rogue("plays")) as bot, pytest.raises(BuracoError) as found:
        bot.choose(view_of(deal, (deal.seat + 1) % 4), LONG)
    assert found.value.code == "not_your_turn"


# It misbehaves.


@pytest.mark.parametrize(
    ("way", "code", "limit"),
    [
        ("late", "late", SHORT),
        ("half", "late", SHORT),
        ("ignores_input", "late", SHORT),
        ("half_and_end", "crash", LONG),
        ("no_json", "protocol", LONG),
        ("no_object", "protocol", LONG),
        ("no_utf8", "protocol", LONG),
        ("deep", "protocol", LONG),
        ("huge_number", "protocol", LONG),
        ("nan", "protocol", LONG),
        ("no_type", "protocol", LONG),
        ("other_id", "protocol", LONG),
        ("version", "version", LONG),
        ("not_held", "illegal", LONG),
        ("no_action", "illegal", LONG),
        ("gives_up", "gave_up", LONG),
        ("crash", "crash", LONG),
        ("exits", "crash", LONG),
        ("flood", "flood", LONG),
        ("flood_lines", "protocol", LONG),
        ("flood_errors", "flood", LONG),
        ("closes_output", "crash", LONG),
        ("closes_input", "crash", LONG),
    ],
)
def test_a_bot_that_misbehaves_is_at_fault_and_leaves_no_process(
    way: str, code: str, limit: Limit, tmp_path: Path
) -> None:
    noted = tmp_path / "pids"
    tracemalloc.start()
    try:
        assert fault_of(way, limit, noted).code == code
        # The referee, who says why an action is illegal, needs more than all that a bot can make us keep.
        assert tracemalloc.get_traced_memory()[1] < (20_000_000 if way == "not_held" else 3_000_000)
    finally:
        tracemalloc.stop()
    for pid in pids(noted):
        with pytest.raises(ProcessLookupError):
            os.kill(pid, 0)


def test_a_bot_that_never_says_hello_is_late() -> None:
    with ExternalBot(rogue("silent"), start_ms=1) as bot, pytest.raises(BotFault) as found:
        bot.start()
    assert found.value.code == "late"
    assert found.value.message.startswith("no hello within 1 ms")


def test_without_a_limit_of_time_patience_ends() -> None:
    with ExternalBot(rogue("late"), patience_ms=1) as bot, pytest.raises(BotFault) as found:
        bot.choose(start_view(), Limit(nodes=10))
    assert found.value.code == "late"


def test_a_second_answer_spoils_the_next_question() -> None:
    with ExternalBot(rogue("twice")) as bot:
        assert bot.choose(start_view(), LONG).action == start_view().legal[0]
        with pytest.raises(BotFault) as found:
            bot.choose(start_view(), LONG)
    assert found.value.code == "protocol"


def test_a_crash_tells_how_it_ended_and_what_it_said() -> None:
    told = fault_of("crash", LONG).message
    assert "exit code 1" in told
    assert "ValueError: no idea" in told
    assert "^" not in told
    assert "exit code 3" in fault_of("exits", LONG).message


def test_what_is_printed_beside_the_protocol_is_told_where_it_may_go() -> None:
    assert "goes to standard error" in fault_of("no_json", LONG).message


def test_an_illegal_action_is_told_with_the_reason_and_the_rule() -> None:
    told = fault_of("not_held", LONG).message
    assert re.search(r"is not legal here \(\w+\): .*\. aberto, section \d", told), told


def test_a_file_that_cannot_be_run_is_not_called_missing(tmp_path: Path) -> None:
    script = tmp_path / "bot.py"
    script.write_text("print()")
    with pytest.raises(BuracoError, match="make it executable") as caught:
        ExternalBot(shlex.join([str(script)]))
    assert caught.value.code == "bot_command"


def test_the_name_that_a_bot_gives_itself_is_printable() -> None:
    with ExternalBot(rogue("plays")) as bot:
        bot.start()
        assert bot.name == "rogue plays"


def test_after_a_fault_the_bot_starts_anew() -> None:
    with ExternalBot(rogue("exits")) as bot:
        for _ in range(2):
            with pytest.raises(BotFault, match="exit code 3"):
                bot.choose(start_view(), LONG)


# It ends.


def pids(noted: Path) -> tuple[int, ...]:
    return tuple(int(line) for line in noted.read_text(encoding="ascii").split())


@pytest.mark.parametrize(("way", "count"), [("plays", 1), ("stubborn", 1), ("forks", 2)])
def test_a_bot_ends_with_all_that_it_started(way: str, count: int, tmp_path: Path) -> None:
    noted = tmp_path / "pids"
    with ExternalBot(rogue(way, noted), grace_ms=100) as bot:
        view = start_view()
        # Its child may begin late.
        while not noted.exists() or len(pids(noted)) < count:
            assert bot.choose(view, LONG).action in view.legal
    assert not any(runs(pid) for pid in pids(noted))


@pytest.mark.parametrize("way", ["forks_and_falls", "forks_and_is_late"])
def test_a_fault_ends_all_that_the_bot_started(way: str, tmp_path: Path) -> None:
    noted = tmp_path / "pids"
    late = way.endswith("late")
    assert fault_of(way, SHORT if late else LONG, noted).code == ("late" if late else "crash")
    assert not any(runs(pid) for pid in pids(noted))


def runs(pid: int) -> bool:
    """Say whether a process runs; one that was killed may still wait for whoever has to take note of it."""
    try:
        descriptor = os.pidfd_open(pid)
    except ProcessLookupError:
        return False
    ended = bool(select.select([descriptor], [], [], 60)[0])
    os.close(descriptor)
    return not ended


def test_closing_twice_or_before_the_start_is_nothing(tmp_path: Path) -> None:
    noted = tmp_path / "pids"
    bot = ExternalBot(rogue("plays", noted))
    bot.close()
    assert not noted.exists()
    bot.start()
    bot.close()
    bot.close()
    (pid,) = pids(noted)
    assert not runs(pid)


def test_a_bot_that_nobody_closes_ends_with_the_arena(tmp_path: Path) -> None:
    noted = tmp_path / "pids"
    code = (
        f"from buraco.arena.external import ExternalBot\nbot = ExternalBot({rogue('stubborn', noted)!r})\nbot.start()\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
    assert not any(runs(pid) for pid in pids(noted))


# Commands.


@pytest.mark.parametrize("command", ["", "  ", "no-such-program-here --fast", "python 'half"])
def test_a_command_that_cannot_be_run_is_refused_at_once(command: str) -> None:
    with pytest.raises(BuracoError) as found:
        ExternalBot(command)
    assert found.value.code == "bot_command"


def test_a_command_is_split_as_a_shell_would() -> None:
    assert check_command(f"{shlex.quote(sys.executable)} 'a b' c") == (sys.executable, "a b", "c")


def test_a_file_that_is_no_program_is_a_fault(tmp_path: Path) -> None:
    script = tmp_path / "bot"
    script.write_bytes(b"\x00\x01")
    script.chmod(0o755)
    with pytest.raises(BotFault) as found:
        ExternalBot(shlex.quote(str(script))).start()
    assert found.value.code == "start"


# The document.


def session() -> list[tuple[str, str]]:
    (block,) = re.findall(r"```session\n(.*?)```", DOCUMENT, re.DOTALL)
    return [(line[0], line[2:]) for line in block.splitlines()]


def test_the_session_of_the_document_is_what_the_example_says() -> None:
    lines = session()
    done = subprocess.run(
        shlex.split(EXAMPLE),
        input="".join(f"{text}\n" for way, text in lines if way == ">"),
        capture_output=True,
        check=True,
        text=True,
    )
    assert done.stdout.splitlines() == [text for way, text in lines if way == "<"]
    assert done.stderr == ""


def test_the_example_has_as_many_lines_as_the_document_says() -> None:
    assert "a bot in thirty lines of plain Python" in DOCUMENT
    assert len(EXAMPLE_FILE.read_text(encoding="utf-8").splitlines()) == 30


def test_the_session_of_the_document_is_what_the_arena_says() -> None:
    asked = [text for way, text in session() if way == ">"]
    assert json.loads(asked[0]) == json.loads(hello_line(7))
    shown = json.loads(asked[1])
    whole = json.loads(rules_line(get_rules("burraco"), 2, 1))
    assert shown["rules"].items() <= whole["rules"].items()
    assert shown.keys() == whole.keys()
    for text in asked[2:-1]:
        number, view, limit = view_of_request(read_request(text))
        assert json.loads(text) == json.loads(choose_line(number, view, limit))
        assert legal_actions(view.position) == view.legal
    assert json.loads(asked[-1]) == {"type": "end"}


def test_the_document_names_each_fault() -> None:
    named = re.findall(r"^\| `(\w+)` \| [A-Za-z]", DOCUMENT.split("## Faults")[1].split("##")[0], re.MULTILINE)
    assert tuple(named) == FAULT_CODES


def test_the_view_of_the_document_is_a_position_of_the_notation() -> None:
    text = next(text for way, text in session() if '"choose"' in text)
    assert parse_position(json.dumps(json.loads(text)["view"])).seat == 1
