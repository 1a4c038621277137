"""Write the picture of the terminal table in docs/tutorial/play.md: one turn of a real match, played by hints.

python -m scripts.terminal_table           print the picture
python -m scripts.terminal_table --write   put it into the page, between its two marks
"""

from __future__ import annotations

import io
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Final

from rich.console import Console

from buraco.bots import Limit, make_bot
from buraco.cli.lines import Signals
from buraco.cli.moves import short_text
from buraco.cli.screen import TextScreen
from buraco.cli.session import Session, Stopped, Table
from buraco.engine import Host, Match
from buraco.notation import SeatRecord
from buraco.rules import DEFAULT_RULES, RULE_SETS
from scripts.marked import with_part

PAGE: Final = Path(__file__).resolve().parent.parent / "docs" / "tutorial" / "play.md"
MARKS: Final = ("<!-- terminal-table: start -->", "<!-- terminal-table: end -->")
SEED: Final = 24
TURN: Final = 10
"""Which of the player's turns is shown."""
WIDTH: Final = 80


class Hinted:
    """Plays what the hint would be; in the turn that is shown it asks for the hint first.

    ``first`` and ``last`` are where that turn begins and ends in what is shown.
    """

    typed = False

    def __init__(self, host: Host, shown: io.StringIO) -> None:
        self._host = host
        self._shown = shown
        self._turns: list[tuple[int, int]] = []
        self._asked = False
        self.first = self.last = 0

    def read(self, prompt: str) -> str | None:
        """Answer a prompt; None once the turn that is shown has ended."""
        view = self._host.view(0)
        turn = (len(self._host.results), view.position.turn_count)
        if turn not in self._turns:
            self._turns.append(turn)
        if len(self._turns) > TURN:
            return None
        line = short_text(view, make_bot("greedy").choose(view, Limit()).action)
        self._asked = not self._asked and len(self._turns) == TURN
        line = "hint" if self._asked else line
        self._shown.write(f"{prompt}{line}\n")
        if len(self._turns) < TURN:
            self.first = self._shown.tell()
        self.last = self._shown.tell()
        return line


def picture(seed: int = SEED) -> str:
    """Return the turn that is shown: what the others did, the table, the hints and the steps."""
    host = Host(Match(RULE_SETS[DEFAULT_RULES], 4, seed=seed))
    seats = (SeatRecord("You"), *(SeatRecord(name, "greedy") for name in ("Left", "Partner", "Right")))
    shown = io.StringIO()
    screen = TextScreen(Console(file=shown, width=WIDTH, force_terminal=False, highlight=False, markup=False), 4, 0)
    lines = Hinted(host, shown)
    try:
        Session(Table(host, [], seats, 0), screen, lines, Signals(), lambda _: None).play()
    except Stopped:
        told = shown.getvalue()[lines.first : lines.last].strip("\n")
        return "\n".join(line.rstrip() for line in told.splitlines())
    raise SystemExit(f"with seed {seed} the match has no turn {TURN} of the player")


def with_picture(page: str) -> str:
    """Return a page with the picture between its marks. Raises ValueError where a mark is missing."""
    return with_part(page, MARKS, f"```text\n{picture()}\n```")


def main(arguments: list[str], show: Callable[[str], object] = print) -> None:
    """Show the picture, or write it into the page; an argument that is a number is another seed."""
    if arguments == ["--write"]:
        PAGE.write_text(with_picture(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
    else:
        show(picture(*map(int, arguments)))


if __name__ == "__main__":
    main(sys.argv[1:])
