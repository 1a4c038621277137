"""Write docs/rules: the complete rules of every rule set, generated from its fields.

python -m scripts.rules_pages           print the names of the pages that are not up to date
python -m scripts.rules_pages --write   write them
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from buraco.rules import FIELD_NAMES, RULE_SETS, RuleSet, diff, page, plays_a_role, show_field
from buraco.rules.fields import FIELD_SPECS
from buraco.texts import text

__all__ = ["main", "pages"]

FOLDER: Final = Path(__file__).resolve().parent.parent / "docs" / "rules"
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
plays by, every sentence with its source ([which texts these are](../rules-sources.md)). The table in the browser and
`buraco rules NAME --language LANGUAGE` have the same pages in English, Portuguese, Italian, Spanish, Russian and
Bulgarian; the browser draws examples beside them. [Change the rules](../tutorial/change-the-rules.md) tells how to make
your own.

{table}

## Where they differ

Every field in which not all ten are alike; what is the same everywhere stands on the pages alone. A dash: nothing of
the kind, or another rule makes it idle.

{differences}
"""


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
    written = {f"{name}.md": f"{NOTE}{page(rules)}" for name, rules in RULE_SETS.items()}
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
