"""What people call a rule set, in their language: a title of ours has a text, one of somebody's house rules stays."""

from __future__ import annotations

from typing import Final

from buraco.rules.fields import RuleFields
from buraco.rules.sets import RULE_SETS
from buraco.texts import DEFAULT_LANGUAGE, text

__all__ = ["HOUSE_SUFFIX", "title_in", "title_of_name"]

HOUSE_SUFFIX: Final = "-house"
"""The end of the name that house rules have unless they bring one of their own."""


def title_in(rules: RuleFields, language: str = DEFAULT_LANGUAGE) -> str:
    """Return the title of a rule set in a language: that of one of the ten, or the one that house rules on one of them
    get by themselves; any other as it is. Raises UnknownText (code ``unknown_language``)."""
    base = RULE_SETS.get(rules.name.removesuffix(HOUSE_SUFFIX))
    if base is None:
        return rules.title
    if rules.title == base.title:
        return text(f"rule_set.{base.name}", language)
    if rules.title == text("page.house_title", title=base.title):
        return text("page.house_title", language, title=text(f"rule_set.{base.name}", language))
    return rules.title


def title_of_name(name: str, language: str = DEFAULT_LANGUAGE) -> str:
    """Return what to call a rule set of which only the name is left, in a language; a name that is none of ours stays.
    Raises UnknownText (code ``unknown_language``)."""
    base = RULE_SETS.get(name.removesuffix(HOUSE_SUFFIX))
    if base is None:
        return name
    title = text(f"rule_set.{base.name}", language)
    return title if name == base.name else text("page.house_title", language, title=title)
