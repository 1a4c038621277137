"""The help of the terminal table, and its rules page by sections."""

from __future__ import annotations

from typing import Final

from rich.text import Text

from buraco.cli.faces import hanging
from buraco.rules import RuleSet, page

__all__ = ["ACTION_WORDS", "WORDS", "help_rows", "rules_rows"]

ACTION_WORDS: Final = frozenset(
    ("d", "draw", "p", "pile", "k", "keep", "r", "reject", "m", "meld", "a", "add", "x", "discard")
)

_OPTION_LINES: Final = (
    ("k", "keep the card you looked at (first turn of a deal)"),
    ("r", "reject it: it starts the pile, and you draw another"),
)

_LINES: Final = (
    ("d", "draw a card from the stock"),
    ("p", "take the whole pile"),
    ("m 3h 4h 5h", "lay a meld; X is a joker; X=5 says what a wild stands for"),
    ("a 2 9h", "add cards to your meld 2 (a 2 9h Th adds two); without the 2, to any meld"),
    ("x Ks", "discard the king of spades; this ends your turn"),
    ("u", "take back your last step (u all: every step), while nothing hidden was shown since"),
    ("hint", "what the bot greedy would do here, and why"),
    ("why", "why your last step was refused: code, reason and rule"),
    ("legal", "every step that is allowed now"),
    ("table", "the whole table again"),
    ("order", "sort the hand by suits, or by ranks"),
    ("look", "the pile, card by card, with who discarded it"),
    ("score", "the match so far"),
    ("rules", "the headings of the rules; rules 6 or rules pile shows one section, rules all everything"),
    ("save FILE", "save the match; with a FILE a copy goes there"),
    ("quit", "leave; the match is saved, and buraco play offers to go on with it"),
)

WORDS: Final = (
    "draw",
    "pile",
    "keep",
    "reject",
    "meld",
    "add",
    "discard",
    "undo",
    "hint",
    "why",
    "legal",
    "table",
    "order",
    "look",
    "score",
    "rules",
    "save",
    "help",
    "quit",
)
"""Every command in full, for near matches."""


def help_rows(rules: RuleSet, width: int) -> list[Text]:
    """Return the commands of the table, in ``width`` columns."""
    lines = [*_LINES[:2], *(_OPTION_LINES if rules.first_turn_option else ()), *_LINES[2:]]
    rows = [Text("Cards are a rank and a suit: 7h, Ts (or 10s), Ac, 2d; suits are c d h s; a joker is X.")]
    rows += [Text.assemble((f"  {word:<12}", "bold"), told) for word, told in lines]
    return [hanging(row, 14 if row.plain.startswith(" ") else 0, width) for row in rows]


def rules_rows(rules: RuleSet, asked: str, width: int) -> list[Text]:
    """Return the headings of the rules page; for ``all`` the whole page, for a number or a word its section."""
    title, *sections = page(rules).split("\n## ")
    headings = [section.partition("\n")[0].strip() for section in sections]
    word = asked.strip().lower()
    if word == "all":
        return [_page_row(line, width) for line in page(rules).splitlines()]
    if word:
        found = [
            section
            for section, heading in zip(sections, headings, strict=True)
            if heading.startswith(f"{word}.") or (not word.isdecimal() and word in heading.lower())
        ]
        if found:
            return [_page_row(line, width) for section in found for line in f"## {section}".rstrip().splitlines()]
    head = Text(title.partition("\n")[0].lstrip("# "), "bold")
    return [
        head,
        *(Text(f"  {heading}") for heading in headings),
        Text("rules 6 shows a section, rules all everything."),
    ]


def _page_row(line: str, width: int) -> Text:
    if line.startswith("#"):
        return Text(line.lstrip("# "), "bold")
    return hanging(Text(line), 2, width)
