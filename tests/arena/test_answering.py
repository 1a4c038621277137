"""`buraco bot`: a level answers the line protocol, and says in the protocol what is wrong with a line."""

from __future__ import annotations

import json
import shlex
import subprocess
import sys
from typing import Any

import pytest

from buraco.arena import BotFault, ExternalBot
from buraco.arena.answering import answer_lines, tighter
from buraco.arena.lines import choose_line, end_line, hello_line, rules_line
from buraco.bots import Bot, Decision, Limit, Reason, make_bot
from buraco.engine import Deal, SeatView, view_of
from buraco.notation import format_action
from buraco.rules import get_rules


def view() -> SeatView:
    deal = Deal(get_rules("burraco"), 4, seed=6)
    return view_of(deal, deal.seat)


def answers(*lines: bytes, limit: Limit | None = None, make: Any = None) -> list[dict[str, Any]]:
    said: list[bytes] = []
    texts = (line.decode("utf-8", "replace") for line in lines)
    answer_lines(texts, said.append, make or (lambda seed: make_bot("greedy", seed)), limit or Limit(), "ours")
    assert all(line.endswith(b"\n") and line.count(b"\n") == 1 for line in said)
    return [json.loads(line) for line in said]


class Noting:
    """A bot that notes its seed and limits."""

    def __init__(self) -> None:
        self.seeds: list[int] = []
        self.limits: list[Limit] = []

    level = "noting"

    def make(self, seed: int) -> Bot:
        self.seeds.append(seed)
        return self

    def choose(self, view: SeatView, limit: Limit) -> Decision:
        self.limits.append(limit)
        return Decision(view.legal[0], (Reason("only_action"),))


def test_it_greets_and_chooses_with_reasons() -> None:
    seen = view()
    position = seen.position
    said = answers(
        hello_line(4), rules_line(position.rules, 4, position.seat), choose_line(1, seen, Limit()), end_line()
    )
    assert said[0] == {"type": "hello", "protocol": 1, "name": "ours"}
    own = make_bot("greedy").choose(seen, Limit())
    assert (said[1]["id"], said[1]["action"]) == (1, format_action(own.action))
    assert [reason["text"] for reason in said[1]["reasons"]] == [reason.text() for reason in own.reasons]


def test_nothing_is_answered_after_the_end() -> None:
    assert answers(end_line(), hello_line(0)) == []


def test_the_seed_of_the_arena_is_taken() -> None:
    noting = Noting()
    answers(hello_line(12345), make=noting.make)
    assert noting.seeds[-1] == 12345


@pytest.mark.parametrize(
    ("one", "other", "both"),
    [
        (Limit(), Limit(), Limit()),
        (Limit(ms=5), Limit(), Limit(ms=5)),
        (Limit(), Limit(nodes=7), Limit(nodes=7)),
        (Limit(ms=5, nodes=9), Limit(ms=6, nodes=8), Limit(ms=5, nodes=8)),
    ],
)
def test_the_tighter_of_two_limits_holds(one: Limit, other: Limit, both: Limit) -> None:
    assert tighter(one, other) == both
    noting = Noting()
    answers(choose_line(1, view(), one), limit=other, make=noting.make)
    assert noting.limits == [both]


@pytest.mark.parametrize(
    ("line", "code"),
    [
        (b"draw\n", "bot_line"),
        (b"[]\n", "bot_line"),
        (b"{}\n", "bot_line"),
        (b"\xff\n", "bot_line"),
        (b"[" * 100_000 + b"\n", "bot_line"),
        (b'{"type":"hello","protocol":2}\n', "bot_line"),
        (b'{"type":"hello","protocol":true}\n', "bot_line"),
        (b'{"type":"hello","protocol":1,"seed":-1}\n', "bot_line"),
        (b'{"type":"choose"}\n', "bot_line"),
        (b'{"type":"choose","id":1,"legal":[]}\n', "bot_line"),
        (b'{"type":"choose","id":1,"legal":["draw"],"limit":3}\n', "bot_line"),
        (b'{"type":"choose","id":1,"legal":["draw"],"limit":{"ms":-3}}\n', "bot_line"),
        (b'{"type":"choose","id":1,"legal":["draw"],"view":{}}\n', "position_form"),
        (b'{"type":"choose","id":1,"legal":["draw"]}\n', "position_form"),
    ],
)
def test_a_line_that_cannot_be_answered_gets_an_error_and_the_next_an_answer(line: bytes, code: str) -> None:
    wrong, right = answers(line, hello_line(1))
    assert (wrong["type"], wrong["code"]) == ("error", code)
    assert wrong["text"]
    assert right["type"] == "hello"


def test_an_action_that_is_none_gets_an_error() -> None:
    request = json.loads(choose_line(1, view(), Limit()))
    request["legal"] = ["win"]
    (said,) = answers(json.dumps(request).encode())
    assert (said["type"], said["code"]) == ("error", "action_text")


def test_a_view_that_cannot_be_gets_an_error() -> None:
    request = json.loads(choose_line(1, view(), Limit()))
    request["view"]["hands"][request["view"]["seat"]] = ["7h"] * 12
    (said,) = answers(json.dumps(request).encode())
    assert (said["type"], said["code"]) == ("error", "position")


def command(*words: str, said: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        [sys.executable, "-c", "from buraco.cli import main; main()", "bot", *words],
        input=said,
        capture_output=True,
        check=False,
    )


def test_the_command_ends_with_its_input_and_takes_its_options() -> None:
    lines = hello_line(1) + choose_line(1, view(), Limit(ms=900))
    done = command("random", "--seed", "3", "--nodes", "5", "--ms", "100", said=lines)
    assert (done.returncode, done.stderr) == (0, b"")
    chosen = make_bot("random", 3).choose(view(), Limit(nodes=5, ms=100)).action
    assert json.loads(done.stdout.splitlines()[1])["action"] == format_action(chosen)


def test_the_command_names_the_levels_when_there_is_no_such() -> None:
    done = command("gredy")
    assert done.returncode == 2
    assert b"greedy" in done.stderr


# A bot of one's own as a program.

OWN = """
import sys
from buraco.arena import answer_arena
from buraco.bots import Decision

class Last:
    level = "last"

    def __init__(self, seed):
        self.seed = seed

    def choose(self, view, limit):
        print("I print, and that does no harm")
        if sys.argv[1:]:
            raise RuntimeError(f"no idea with the seed {self.seed}")
        return Decision(view.legal[-1])

answer_arena(Last, name="the last one")
"""


def own(*arguments: str) -> str:
    return shlex.join([sys.executable, "-c", OWN, *arguments])


def test_a_bot_of_ones_own_plays_as_a_program_and_may_print() -> None:
    seen = view()
    with ExternalBot(own(), seed=3) as bot:
        assert [bot.choose(seen, Limit()).action for _ in range(3)] == [seen.legal[-1]] * 3
        assert bot.name == "the last one"


def test_what_a_bot_of_ones_own_raises_is_told_with_the_seed_that_it_got() -> None:
    with ExternalBot(own("raise"), seed=3) as bot, pytest.raises(BotFault) as caught:
        bot.choose(view(), Limit())
    assert caught.value.code == "crash"
    assert "RuntimeError: no idea with the seed 3" in caught.value.message
