"""Write docs/rules: the complete rules of every rule set, generated from its fields, with examples of the engine.

python -m scripts.rules_pages           print the names of the pages that are not up to date
python -m scripts.rules_pages --write   write them

The pages in docs/rules are English; the site has them in the other languages too (``scripts/site_hooks.py``).
"""

from __future__ import annotations

import re
import sys
from collections.abc import Collection, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Final

from buraco.cards import card_text, parse_cards
from buraco.engine import MeldState, Position, score_sheet
from buraco.notation import Example, ExampleGroup, examples, meld_from_words, meld_words, placed_examples
from buraco.notation.melds import parse_word
from buraco.rules import FIELD_NAMES, RULE_SETS, RuleSet, diff, outline, page, plays_a_role, show_field
from buraco.rules.fields import FIELD_SPECS
from buraco.texts import DEFAULT_LANGUAGE, in_language, text

__all__ = ["language_names", "main", "pages", "rules_page"]

ROOT: Final = Path(__file__).resolve().parent.parent
FOLDER: Final = ROOT / "docs" / "rules"
NOTE: Final = "<!-- Written by `python -m scripts.rules_pages --write`; change nothing by hand. -->\n"
TOLD: Final = (
    "player_counts",
    "joker_count",
    "sets",
    "pile_closed",
    "opening_vulnerable_minimum",
    "close_canasta",
    "target_points",
    "deal_count",
)
"""The fields by which people tell rule sets apart first."""

_INDEX: Final = """# The rules

Ten rule sets come with the package. Each has a page here, written by the program from the very fields that the engine
plays by, every sentence with its source ([which texts these are](../rules-sources.md)), and with examples that the
engine itself judged. The site has every page in English, Portuguese, Italian, Spanish, Russian and Bulgarian; the table
in the browser draws the examples, and `buraco rules NAME --language LANGUAGE` prints the rules without them.
[Change the rules](../tutorial/change-the-rules.md) tells how to make your own.

{table}

## Where they differ

Every field in which not all ten are alike; what is the same everywhere stands on the pages alone. A dash: nothing of
the kind, or another rule makes it idle.

{differences}
"""

_SYMBOLS: Final = {"c": "♣", "d": "♦", "h": "♥", "s": "♠"}


# The examples.


def _card(word: str, language: str) -> str:
    """Return a card as people write it; for a wild, which card it stands for too."""
    parsed = parse_word(word)
    name = card_text(parsed.card)
    rank, _, stands = name[0], *word.partition("=")[1:]
    shown = text("term.joker", language) if name == "X" else _rank(rank) + _SYMBOLS[name[1]]
    return f"{shown}={_rank(stands)}" if stands else shown


def _rank(rank: str) -> str:
    return "10" if rank == "T" else rank


def _cards(words: tuple[str, ...], language: str) -> str:
    return f"`{' '.join(_card(word, language) for word in words)}`"


def _groups(example: Example, language: str) -> Iterator[str]:
    several = len(example.groups) > 1
    for group in example.groups:
        role = f"{text(f'web.rules.{group.role}', language)}: " if several else ""
        yield f"{role}{_cards(group.words, language)}{_worth(group, language)}"


def _worth(group: ExampleGroup, language: str) -> str:
    if group.points < 0:
        return ""
    points = text("web.rules.worth", language, n=group.points)
    if group.category:
        words = text(f"category.{group.category}", language)
        points = text("web.rules.canasta", language, words=words, points=points)
    return f" ({points})"


def _example(example: Example, language: str, known: Collection[str]) -> str:
    """Return the line of an example; a reason that is known already is not told again."""
    caption = text(f"example.{example.name}", language)
    line = f"    - {caption} {'; '.join(_groups(example, language))}"
    judged = example.judgement
    if judged is None:
        return line
    if judged.legal:
        return f"{line} – {text('web.rules.returned' if example.returned else 'web.rules.legal', language)}"
    reason = in_language(judged.text, language)
    return f"{line} – {text('web.rules.refused', language)}{'' if reason in known else f': {reason}'}"


def _examples(placed: Iterable[Example], language: str) -> Iterator[str]:
    known: set[str] = set()
    for example in placed:
        yield _example(example, language, known)
        if example.judgement is not None:
            known.add(in_language(example.judgement.text, language))


def _with_examples(rules: RuleSet, language: str) -> str:
    """Return the page of rules with each example below the statement that it shows."""
    shown = [example for example in examples(rules) if example.name != "values"]
    lines = page(rules, language).splitlines()
    written: list[str] = []
    for section in outline(rules, language).sections:
        for one, placed in zip(section.statements, placed_examples(section, shown), strict=True):
            statement = text("page.statement", language, text=one.text, sources=one.sources)
            place = lines.index(statement)
            written += [*lines[: place + 1], *_examples(placed, language)]
            del lines[: place + 1]
    return "\n".join((*written, *lines)) + "\n"


# A score.


def _example_deal(rules: RuleSet) -> Position:
    """Return the end of a deal that shows the lines of a score sheet; its third meld is a set where there are sets."""
    melds = ("3h 4h 5h 6h 7h 8h 9h", "6s 2c=7 8s 9s Ts Js Qs", "7c 7d 7s" if rules.sets else "Tc Jc Qc")
    hands = ("", "Jh 8d 3d", "Kd 5c", "Kd Qc 9s 9h 7d 6c 5s 4h 3d 3c As")
    cards = tuple(parse_cards(hand) for hand in hands)
    return Position(
        rules=rules,
        players=4,
        dealer=3,
        seat=0,
        phase="over",
        hands=cards,
        hand_counts=tuple(map(len, cards)),
        known=((),) * 4,
        melds=(tuple(map(_meld, melds)), (_meld("4c 5c 6c"),)),
        stock_count=12,
        morto_owner=(0, 1),
        mortos_gone=2,
        unplayed=(False, False, False, True),
        out_seat=0,
    )


def _meld(words: str) -> MeldState:
    return MeldState(meld_from_words(words.split()))


def _score_table(rules: RuleSet, side: int, language: str) -> Iterator[str]:
    name = text("web.panel.side_of", language, letter="AB"[side])
    yield from ("", f"| {name} | | |", "| --- | --- | ---: |")
    deal = _example_deal(rules)
    sheet = score_sheet(deal, side)
    for line in sheet.lines:
        label = text(f"web.panel.score.line.{line.kind}", language)
        told = text(f"category.{line.category}", language) if line.category else ""
        if line.cards:
            lies = meld_words(deal.melds[side][line.meld].packed) if line.kind == "meld" else map(card_text, line.cards)
            told = _cards(tuple(lies), language)
        yield f"| {label} | {told} | {_signed(line.points)} |"
    yield f"| **{text('web.panel.score.this_deal', language)}** | | **{_signed(sheet.total)}** |"


def _signed(points: int) -> str:
    return f"{points:+}".replace("-", "−")


def _score(rules: RuleSet, language: str) -> str:
    heading = text("page.heading", language, heading=text("section.example", language))
    tables = (line for side in (0, 1) for line in _score_table(rules, side, language))
    return "\n".join((heading, *tables)) + "\n\n"


def rules_page(rules: RuleSet, language: str = DEFAULT_LANGUAGE) -> str:
    """Return the page of a rule set with examples and a score, as Markdown.

    Raises UnknownText (code ``unknown_language``).
    """
    told = _with_examples(rules, language)
    fields = text("page.heading", language, heading=text("section.fields", language))
    before, found, after = told.partition(f"{fields}\n")
    return f"{before}{_score(rules, language)}{found}{after}"


def language_names() -> Mapping[str, str]:
    """Return the languages of the pages, each by its own name, in the order in which the table offers them."""
    source = (ROOT / "web" / "src" / "early" / "languages.ts").read_text(encoding="utf-8")
    block = source.partition("export const LANGUAGES")[2].partition("};")[0]
    return dict(re.findall(r'"?([\w-]+)"?: "([^"]+)",', block))


# The overview.


def _cell(rules: RuleSet, field: str) -> str:
    # What plays no part in the rules is not there, nor a bonus or a minimum of nothing.
    nothing = FIELD_SPECS[field].unit == "points" and not getattr(rules, field)
    if nothing or not plays_a_role(rules, field):
        return "–"
    return show_field(rules, field).replace("|", "\\|")


def _row(*cells: str) -> str:
    return f"| {' | '.join(cells)} |"


def _label(field: str) -> str:
    return text(f"field.{field}.label")


def _table() -> str:
    lines = [_row("rule set", "name", *(_label(field) for field in TOLD)), _row(*["---"] * (len(TOLD) + 2))]
    for name, rules in RULE_SETS.items():
        lines.append(_row(f"[{rules.title}]({name}.md)", f"`{name}`", *(_cell(rules, field) for field in TOLD)))
    return "\n".join(lines)


def _differences() -> str:
    sets = tuple(RULE_SETS.values())
    differing = {one.field for rules in sets[1:] for one in diff(sets[0], rules)} - {"name", "title"}
    lines = [_row("field", *(f"`{name}`" for name in RULE_SETS)), _row(*["---"] * (len(sets) + 1))]
    for field in (field for field in FIELD_NAMES if field in differing and field in FIELD_SPECS):
        lines.append(_row(_label(field), *(_cell(rules, field) for rules in sets)))
    return "\n".join(lines)


def pages() -> Mapping[str, str]:
    """Return every page of docs/rules by its file name."""
    written = {f"{name}.md": f"{NOTE}{rules_page(rules)}" for name, rules in RULE_SETS.items()}
    return {"index.md": NOTE + _INDEX.format(table=_table(), differences=_differences()), **written}


def main(arguments: list[str]) -> None:
    """Write the pages, or name those that are not up to date."""
    for name, text_of_page in pages().items():
        path = FOLDER / name
        if path.exists() and path.read_text(encoding="utf-8") == text_of_page:
            continue
        if arguments == ["--write"]:
            FOLDER.mkdir(exist_ok=True)
            path.write_text(text_of_page, encoding="utf-8")
        else:
            print(name)


if __name__ == "__main__":
    main(sys.argv[1:])
