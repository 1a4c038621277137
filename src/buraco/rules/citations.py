"""Where every rule comes from: source number and paragraph, or our own decision with its reason.

``docs/rules-sources.md`` says which text each source number is and how its paragraphs are counted. A *topic* is a field
of the rule set or one of the rules that every rule set shares (``SHARED_TOPICS``).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from buraco.errors import RulesError
from buraco.rules.fields import FIELD_NAMES, RuleFields
from buraco.rules.near import near_hint
from buraco.rules.sets import RULE_SETS
from buraco.texts import DEFAULT_LANGUAGE, Message, has_text, joined, message

__all__ = ["CODE_TOPICS", "SECTIONS", "SHARED_TOPICS", "TOPIC_SECTIONS", "Citation", "basis", "cite", "section_heading"]

#: The source of each rule set; the sections of source 002 that describe a single mode of play.
_SOURCES: Final[Mapping[str, str]] = MappingProxyType(
    {
        "aberto": "000",
        "classico": "001",
        "aberto-104": "002",
        "aberto-sujo": "002",
        "fechado": "002",
        "fechado-stcl": "002",
        "fechado-sujo": "002",
        "burraco": "003",
        "fechado-50": "004",
        "burraco-fibur": "005",
    }
)
_MODES: Final[Mapping[str, str]] = MappingProxyType(
    {
        "aberto-104": "12.1",
        "aberto-sujo": "12.2",
        "fechado": "12.3",
        "fechado-stcl": "12.4",
        "fechado-sujo": "12.5",
    }
)

# Paragraph by source, or by rule set where one differs; ``m`` is the section of the rule set's own mode in source 002;
# a star marks our decision, made beside that paragraph.
_VALUES: Final = "000 7; 001 9*; 002 10; 003 10; 004 3; 005 7"
_PACK: Final = "000 1; 001 2; 002 2; 003 1; 004 1; 005 1"
_OPENING: Final = "000 5; 001 15; 002 5; 003 7; 004 7; 005 5"
_CUT: Final = "000 2; 001 4; 002 4; 003 3; 004 7; 005 2"
_CANASTA: Final = "000 7; 001 8*; 002 10; 003 11; 004 3*; 005 7"
_STALEMATE: Final = "000 3*; 001 17*; 002 m; aberto-104 m*; aberto-sujo m*; 003 9; 004 9; 005 8*"
_OWN: Final = "000 4*; 001 7*; 002 5*; 003 5*; 004 4*; 005 3*"

_PARAGRAPHS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "name": "000 1; 001 1; 002 m; 003 2; 004 1; 005 1",
        "title": "000 1; 001 1; 002 m; 003 2; 004 1; 005 1",
        "player_counts": "000 1; 001 2; 002 3; 003 2*; 004 1; 005 1*",
        "pack_suits": _PACK,
        "pack_ranks": _PACK,
        "pack_copies": _PACK,
        "joker_count": "000 1; 001 2; 002 m; 003 1; 004 1; 005 1",
        "hand_size": "000 2; 001 5; 002 4; 003 3; 004 7; 005 2",
        "morto_size": "000 2; 001 4; 002 4; 003 3; 004 7; 005 2",
        "value_joker": _VALUES,
        "value_two": _VALUES,
        "value_ace": _VALUES,
        "value_high": _VALUES,
        "value_low": _VALUES,
        "sets": "000 4; 001 1; 002 m; 003 5; 004 4; 005 3",
        "one_set_per_rank": "000 4; 001 7*; 002 5*; aberto-104 m; fechado-stcl m; 003 5*; 004 4; 005 3",
        "aces_both_ends": "000 4; 001 19; 002 m; 003 5; 004 5; 005 3",
        "run_length_max": "000 4; 001 19; 002 m; 003 5*; 004 5; 005 3",
        "wild_move": "000 4*; 001 18*; 002 6; 003 5*; 004 6; 005 4",
        "wild_changes_ends": "000 4; 001 18; 002 6; 003 5*; 004 6; 005 4",
        "natural_two_pressed": "000 4; 001 18*; 002 6; 003 5*; 004 6; 005 4",
        "up_card": "000 2; 001 14*; 002 5; 003 3*; 004 7; 005 2",
        "first_turn_option": "000 3; 001 14; 002 5; 003 7; 004 7; 005 2",
        "pile_closed": "000 3; 001 17*; 002 m; 003 7*; 004 9; 005 5",
        "closed_top_wild": "000 3; 001 17; 002 m; 003 7; 004 9; 005 5",
        "single_card_barred": "000 3; 001 17*; 002 m; aberto-104 m*; aberto-sujo m*; 003 9*; 004 9; 005 5",
        "opening": _OPENING,
        "opening_minimum": _OPENING,
        "opening_vulnerable_minimum": _OPENING,
        "opening_vulnerable_from": _OPENING,
        "opening_penalty": _OPENING,
        "cut_bonus": _CUT,
        "cut_bonus_count": _CUT,
        "direct_morto": "000 6; 001 22*; 002 9; 003 8; 004 8*; 005 6",
        "close_morto": "000 6; 001 24; 002 9; 003 9; 004 10; 005 6",
        "close_canasta": "000 6; 001 24; 002 m; 003 9; 004 10; 005 6",
        "close_by_meld": "000 6; 001 24*; 002 m; 003 9; 004 8*; 005 6",
        "closing_discard_wild": "000 6*; 001 24*; 002 9*; 003 9*; 004 10*; 005 6",
        "stock_refill": "000 6; 001 25; 002 7*; 003 8; 004 10; 005 8",
        "stock_end_count": "000 6; 001 26; 002 7*; 003 9*; 004 10; 005 8",
        "stalemate": _STALEMATE,
        "turn_cap": _STALEMATE,
        "canasta_size": "000 4; 001 8; 002 8; 003 6; 004 5; 005 7",
        "bonus_dirty": _CANASTA,
        "bonus_clean": _CANASTA,
        "bonus_semi_clean": "000 7; 001 8; 002 8; 003 11; 004 5; 005 7",
        "bonus_clean_13": "000 7; 001 8; 002 10; 003 11; 004 5; 005 7",
        "bonus_clean_14": "000 7; 001 8; 002 10; 003 11; 004 5; 005 7",
        "clean_13_from_ace": "000 7; 001 8; 002 8*; 003 11; 004 5; 005 7",
        "big_canasta_at_once": "000 7; 001 8; 002 8; 003 11; 004 5*; 005 7",
        "bonus_out": "000 7; 001 13; 002 10; 003 11; 004 3; 005 7",
        "morto_penalty": "000 7; 001 11; 002 10; 003 12; 004 3*; 005 7",
        "morto_penalty_waived": "000 7; 001 11*; 002 10; 003 12; 004 3*; 005 7",
        "unplayed_morto": "000 7*; 001 12*; 002 10*; aberto-sujo 10; 003 10*; 004 3*; 005 7",
        "unplayed_morto_points": "000 7; 001 12*; 002 10; 003 10; 004 3; 005 7",
        "target_points": "000 6; 001 9; 002 1*; 003 10; 004 10*; 005 8",
        "deal_count": "000 6; 001 9; 002 1*; 003 10; 004 10*; 005 8",
        "tie_break": "000 6; 001 9*; 002 11; 003 10*; 004 10*; 005 8",
        "first_dealer": "000 2; 001 3; 002 4*; 003 3; 004 7*; 005 2",
        # Rules that every rule set shares.
        "dealing": "000 2; 001 5; 002 4*; 003 3; 004 7*; 005 2",
        "hidden_cards": "000 2*; 001 4*; 002 4*; 003 3*; 004 9*; 005 5*",
        "turn": "000 3; 001 17; 002 5; 003 7; 004 8; 005 5",
        "side_melds": "000 3; 001 6; 002 5*; 003 7*; 004 7; 005 3",
        "tabled_stays": "000 3; 001 18; 002 5*; 003 7*; 004 8*; 005 3*",
        "turn_can_end": "000 6*; 001 23*; 002 9*; 003 9*; 004 8*; 005 6*",
        "runs": "000 4; 001 7*; 002 5; 003 5; 004 4; 005 3",
        "readings": _OWN,
        "set_shape": "000 4; 001 7*; 002 12.2*; aberto-104 m; fechado-stcl m; 003 5*; 004 4; 005 3",
        "melds_apart": _OWN,
        "one_wild": "000 4; 001 18*; 002 6; 003 5; 004 6*; 005 4",
        "natural_two": "000 4; 001 18*; 002 6; 003 5; 004 6; 005 4",
        "morto": "000 6; 001 22; 002 7; 003 8; 004 7; 005 6",
        "morto_order": "000 2; 001 25*; 002 7*; 003 8*; 004 7*; 005 6*",
        "close_judged": "000 6*; 001 24*; 002 9*; 003 9*; 004 10*; 005 6*",
        "deal_end": "000 6*; 001 26*; 002 7*; 003 8*; 004 10*; 005 8*",
        "score_sum": "000 7; 001 10; 002 10; 003 10*; 004 10*; 005 7",
        "higher_total": "000 6; 001 9*; 002 11*; 003 10*; 004 10; 005 8",
    }
)

_ENTRIES: Final[Mapping[str, Mapping[str, str]]] = MappingProxyType(
    {
        topic: MappingProxyType(dict(entry.split() for entry in entries.split(";")))
        for topic, entries in _PARAGRAPHS.items()
    }
)

SHARED_TOPICS: Final = tuple(topic for topic in _PARAGRAPHS if topic not in FIELD_NAMES)
"""The topics that are no field: the rules that every rule set shares."""

SECTIONS: Final = (
    "pack",
    "deal",
    "turn",
    "melds",
    "wilds",
    "pile",
    "opening",
    "morto",
    "closing",
    "end",
    "score",
    "match",
)
"""The sections of a rules page, in order; the texts ``section.<name>`` are their headings."""

_SECTION_TOPICS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "pack": "name title player_counts pack_suits pack_ranks pack_copies joker_count value_joker value_two "
        "value_ace value_high value_low",
        "deal": "first_dealer hand_size morto_size dealing up_card cut_bonus cut_bonus_count hidden_cards",
        "turn": "turn first_turn_option side_melds tabled_stays turn_can_end",
        "melds": "runs readings aces_both_ends run_length_max sets set_shape one_set_per_rank melds_apart canasta_size",
        "wilds": "one_wild natural_two wild_move wild_changes_ends natural_two_pressed",
        "pile": "pile_closed closed_top_wild single_card_barred",
        "opening": "opening opening_minimum opening_vulnerable_minimum opening_vulnerable_from opening_penalty",
        "morto": "morto direct_morto morto_order",
        "closing": "close_morto close_canasta close_by_meld closing_discard_wild close_judged",
        "end": "deal_end stock_refill stock_end_count stalemate turn_cap",
        "score": "score_sum bonus_dirty bonus_clean bonus_semi_clean bonus_clean_13 bonus_clean_14 clean_13_from_ace "
        "big_canasta_at_once bonus_out morto_penalty morto_penalty_waived unplayed_morto unplayed_morto_points",
        "match": "target_points deal_count tie_break higher_total",
    }
)

TOPIC_SECTIONS: Final[Mapping[str, str]] = MappingProxyType(
    {topic: section for section, topics in _SECTION_TOPICS.items() for topic in topics.split()}
)
"""The section in which each topic stands."""

CODE_TOPICS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "deal_over": "deal_end",
        "unknown_action": "turn",
        "must_draw": "turn",
        "already_drawn": "turn",
        "must_choose": "first_turn_option",
        "no_choice": "first_turn_option",
        "no_stock_to_reject": "first_turn_option",
        "pile_empty": "turn",
        "pile_unusable": "pile_closed",
        "must_use_top": "pile_closed",
        "top_needs_new_meld": "closed_top_wild",
        "top_other_meld": "pile_closed",
        "top_out_of_reach": "pile_closed",
        "top_turn_could_not_end": "turn_can_end",
        "opening_melds_only": "opening",
        "opening_short": "opening",
        "discard_only": "opening",
        "card_not_held": "turn",
        "sets_not_allowed": "sets",
        "rank_has_set": "one_set_per_rank",
        "aces_both_ends": "aces_both_ends",
        "run_too_long": "run_length_max",
        "no_such_meld": "side_melds",
        "too_many_melds": "side_melds",
        "wrong_suit": "runs",
        "wrong_rank": "set_shape",
        "already_in_run": "runs",
        "does_not_fit": "runs",
        "two_wilds": "one_wild",
        "wild_is_natural": "natural_two",
        "wild_may_not_move_there": "wild_move",
        "wild_has_no_place": "wild_move",
        "place_impossible": "readings",
        "card_barred": "single_card_barred",
        "no_direct_morto": "direct_morto",
        "close_needs_morto": "close_morto",
        "close_needs_canasta": "close_canasta",
        "close_needs_clean": "close_canasta",
        "close_needs_discard": "close_by_meld",
        "close_wild_discard": "closing_discard_wild",
        "turn_could_not_end": "turn_can_end",
    }
)
"""The topic that each refusal code enforces."""


@dataclass(frozen=True, kw_only=True)
class Citation:
    """Where a rule is written.

    ``rule_set`` is the name of the rule set, ``section`` the numbered heading on its page, ``topic`` the field or
    shared rule. ``source`` and ``paragraph`` name the text (``docs/rules-sources.md``), both empty for a house rule.
    ``decision`` is the reason of a decision of ours that the text leaves open, else empty. Heading, decision and the
    words of the citation are English; as a `Message` (see `buraco.texts`) they say themselves in any language.
    """

    rule_set: str
    section: str
    topic: str
    source: str
    paragraph: str
    decision: str = ""

    @property
    def section_name(self) -> str:
        """The name of the section, one of ``SECTIONS``: with the rule set it is the place on a rules page."""
        return TOPIC_SECTIONS[self.topic]

    @property
    def section_number(self) -> int:
        """The number of the section on the page, from 1."""
        return SECTIONS.index(self.section_name) + 1

    @property
    def short(self) -> Message:
        """The source alone: ``000 §3``, ``our decision beside 001 §17`` or ``house rule``."""
        if not self.source:
            return message("citation.house")
        key = "citation.decided" if self.decision else "citation.source"
        return message(key, source=self.source, paragraph=self.paragraph)

    @property
    def message(self) -> Message:
        """The whole citation."""
        sentence = message("citation.full", rule_set=self.rule_set, section=self.section, source=self.short)
        return joined(": ", (sentence, self.decision)) if self.decision else sentence

    def text(self, language: str = DEFAULT_LANGUAGE) -> str:
        """Return the whole citation in a language. Raises UnknownText (code ``unknown_language``)."""
        return self.message.text(language)

    def __str__(self) -> str:
        return self.text()


def basis(rules: RuleFields) -> RuleFields:
    """Return the rule set of the ten that house rules rest on: the one of the same name, else the one that shares most
    fields (of several, the first). Its sources hold for every field in which both agree."""
    if rules.name in RULE_SETS:
        return RULE_SETS[rules.name]

    def shared(other: RuleFields) -> int:
        return sum(getattr(rules, name) == getattr(other, name) for name in FIELD_NAMES)

    return max(RULE_SETS.values(), key=shared)


def _paragraph(topic: str, name: str) -> tuple[str, bool]:
    """Return the paragraph of a topic for one of the ten rule sets, and whether we decided it."""
    entries = _ENTRIES[topic]
    entry = entries.get(name) or entries[_SOURCES[name]]
    paragraph = entry.removesuffix("*")
    return _MODES[name] if paragraph == "m" else paragraph, entry.endswith("*")


def _decision(topic: str, source: str) -> Message:
    special = f"decision.{topic}.{source}"
    return message(special if has_text(special) else f"decision.{topic}")


def section_heading(section: str) -> Message:
    """Return the numbered heading of a section of the page, such as ``6. The pile``."""
    return joined(". ", (str(SECTIONS.index(section) + 1), message(f"section.{section}")))


def cite(rules: RuleFields, code_or_field: str) -> Citation:
    """Return where the rule behind a refusal code, a field or a shared topic is written.

    A word that is both a code and a field (``aces_both_ends``) means the same rule either way. Raises RulesError (code
    ``unknown_topic``) for any other word.
    """
    topic = CODE_TOPICS.get(code_or_field, code_or_field)
    if topic not in _PARAGRAPHS:
        known = (*_PARAGRAPHS, *CODE_TOPICS)
        raise RulesError(
            "unknown_topic",
            message("error.unknown_topic", name=str(code_or_field)[:60], near=near_hint(code_or_field, known)),
        )
    base = basis(rules)
    section = section_heading(TOPIC_SECTIONS[topic])
    if topic in FIELD_NAMES and getattr(rules, topic) != getattr(base, topic):
        return Citation(rule_set=rules.name, section=section, topic=topic, source="", paragraph="")
    source = _SOURCES[base.name]
    paragraph, decided = _paragraph(topic, base.name)
    decision = _decision(topic, source) if decided else ""
    return Citation(
        rule_set=rules.name, section=section, topic=topic, source=source, paragraph=paragraph, decision=decision
    )
