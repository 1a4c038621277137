"""The help of the terminal table, and its rules page by sections."""

from __future__ import annotations

from typing import Final

from rich.text import Text

from buraco.cli.faces import hanging
from buraco.cli.words import sentence
from buraco.rules import SECTIONS, RuleSet, page
from buraco.texts import DEFAULT_LANGUAGE, text

__all__ = ["ACTION_WORDS", "WORDS", "help_rows", "rules_rows"]

ACTION_WORDS: Final = frozenset(
    ("d", "draw", "p", "pile", "k", "keep", "r", "reject", "m", "meld", "a", "add", "x", "discard")
)

_OPTION_LINES: Final = (("k", "keep"), ("r", "reject"))

# How each command is typed, and the text ``cli.help.<word>`` that says what it does.
_LINES: Final = (
    ("d", "draw"),
    ("p", "pile"),
    ("m 3h 4h 5h", "meld"),
    ("a 2 9h", "add"),
    ("x Ks", "discard"),
    ("u", "undo"),
    ("hint", "hint"),
    ("why", "why"),
    ("legal", "legal"),
    ("table", "table"),
    ("order", "order"),
    ("look", "look"),
    ("score", "score"),
    ("rules", "rules"),
    ("save {file}", "save"),
    ("quit", "quit"),
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


def help_rows(rules: RuleSet, width: int, language: str = DEFAULT_LANGUAGE) -> list[Text]:
    """Return the commands of the table, in ``width`` columns."""
    file = text("cli.help.file", language)
    lines = [*_LINES[:2], *(_OPTION_LINES if rules.first_turn_option else ()), *_LINES[2:]]
    typed = [(words.format(file=file), word) for words, word in lines]
    column = max(12, *(len(words) + 1 for words, _ in typed))
    rows = [hanging(sentence("help.cards", language), 0, width)]
    for words, word in typed:
        row = Text.assemble((f"  {words:<{column}}", "bold"), sentence(f"help.{word}", language))
        rows.append(hanging(row, column + 2, width))
    return rows


def rules_rows(rules: RuleSet, asked: str, width: int, language: str = DEFAULT_LANGUAGE) -> list[Text]:
    """Return the headings of the rules page; for ``all`` the whole page, for a number or a word its section."""
    whole = page(rules, language)
    title, *sections = whole.split("\n## ")
    headings = [section.partition("\n")[0].strip() for section in sections]
    word = asked.strip().lower()
    if word == "all":
        return [_page_row(line, width) for line in whole.splitlines()]
    if word:
        found = [
            section
            for section, heading in zip(sections, headings, strict=True)
            if heading.startswith(f"{word}.") or (not word.isdecimal() and word in heading.lower())
        ]
        if not found and word in SECTIONS:
            # The name of a section is the same in every language.
            found = [sections[SECTIONS.index(word)]]
        if found:
            return [_page_row(line, width) for section in found for line in f"## {section}".rstrip().splitlines()]
    head = Text(title.partition("\n")[0].lstrip("# "), "bold")
    return [
        head,
        *(Text(f"  {heading}") for heading in headings),
        sentence("help.sections", language),
    ]


def _page_row(line: str, width: int) -> Text:
    if line.startswith("#"):
        return Text(line.lstrip("# "), "bold")
    return hanging(Text(line), 2, width)
