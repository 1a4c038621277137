"""The complete rules of a rule set for people, generated from its fields, and the difference of two."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Final, NamedTuple

from buraco.rules.citations import SECTIONS, basis, cite, section_heading
from buraco.rules.fields import FIELD_NAMES, FIELD_SPECS, RuleFields
from buraco.rules.problems import pack_points, pack_size
from buraco.rules.titles import title_in
from buraco.texts import DEFAULT_LANGUAGE, in_language, text

__all__ = [
    "Decision",
    "Difference",
    "Outline",
    "PageField",
    "PageSection",
    "Statement",
    "diff",
    "outline",
    "page",
    "show_field",
    "statements",
]

_PACK: Final = ("pack_suits", "pack_ranks", "pack_copies", "joker_count")
_VALUES: Final = ("value_joker", "value_two", "value_ace", "value_high", "value_low")


@dataclass(frozen=True)
class Statement:
    """One sentence or more of a rules page, the topics (fields or shared rules) that it states, and where they come
    from in words (in an `Outline`)."""

    text: str
    topics: tuple[str, ...]
    sources: str = ""


@dataclass(frozen=True)
class PageSection:
    """A numbered section of a rules page: its name (one of ``SECTIONS``), its heading, what it states."""

    name: str
    heading: str
    statements: tuple[Statement, ...]


@dataclass(frozen=True)
class PageField:
    """A field on a rules page: what it is called, its value in words, where that comes from."""

    field: str
    label: str
    value: str
    source: str


@dataclass(frozen=True)
class Decision:
    """A decision of ours on a rules page: the fields that it concerns, by their labels (empty: what all rule sets
    share), and the reason."""

    topic: str
    reason: str


@dataclass(frozen=True)
class Outline:
    """A rules page in its parts.

    ``base`` is the name of the rule set that house rules rest on, empty for one of the ten; ``notes`` are what stands
    before the sections; ``sources`` are the numbers of the sources with what each is.
    """

    title: str
    base: str
    notes: tuple[str, ...]
    sections: tuple[PageSection, ...]
    fields: tuple[PageField, ...]
    decisions: tuple[Decision, ...]
    sources: tuple[tuple[str, str], ...]


class Difference(NamedTuple):
    """A field in which two rule sets differ, with the text of its value in each."""

    field: str
    left: str
    right: str


def show_field(rules: RuleFields, field: str, language: str = DEFAULT_LANGUAGE) -> str:
    """Return the value of a field in words, with its unit. Raises KeyError for a name that is no field."""
    spec = FIELD_SPECS[field]
    value = getattr(rules, field)
    if value is None:
        return text("value.none", language)
    if spec.kind == "boolean":
        return text("value.yes" if value else "value.no", language)
    if spec.kind == "choice":
        return text(f"value.{field}.{value}", language)
    if spec.kind == "counts":
        return text(f"value.{field}.{_counts_key(value)}", language)
    return text(f"unit.{spec.unit}", language, n=value) if spec.unit else str(value)


def _counts_key(counts: tuple[int, ...]) -> str:
    return "-".join(str(count) for count in counts)


class _Writer:
    """Fills the texts of one rule set in one language: every field is a placeholder."""

    def __init__(self, rules: RuleFields, language: str) -> None:
        self.rules = rules
        self.language = language
        self.values: dict[str, Any] = {name: getattr(rules, name) for name in FIELD_NAMES if name != "name"}

    def __call__(self, key: str, *topics: str, **more: Any) -> Statement:
        return Statement(text(f"rule.{key}", self.language, **self.values, **more), topics)

    def words(self, key: str, **values: Any) -> str:
        """Return words that a statement needs."""
        return text(key, self.language, **values)


def _pack_section(rules: RuleFields, say: _Writer) -> Iterator[Statement]:
    yield say(f"pack.players_{_counts_key(rules.player_counts)}", "player_counts")
    jokers = rules.joker_count
    yield say(
        "pack.cards",
        *_PACK,
        count=pack_size(rules),
        copies=say.words(f"page.copies_{rules.pack_copies}"),
        suit_count=len(rules.pack_suits),
        suits=", ".join(say.words(f"suit.{suit}") for suit in rules.pack_suits),
        # People write 10 where the notation has T.
        ranks=" ".join("10" if rank == "T" else rank for rank in rules.pack_ranks),
        jokers=say.words(f"page.jokers_{jokers}") if jokers < 2 else say.words("page.jokers_n", n=jokers),
        points=pack_points(rules),
    )
    yield say("pack.values", *_VALUES)


def _stock_counts(rules: RuleFields, say: _Writer) -> str:
    rest = pack_size(rules) - 2 * rules.morto_size - int(rules.up_card)
    parts = (
        say.words("rule.deal.stock_count", stock=rest - players * rules.hand_size, players=players)
        for players in rules.player_counts
    )
    return say.words("rule.deal.stock_joint").join(parts)


def _deal_section(rules: RuleFields, say: _Writer) -> Iterator[Statement]:
    yield say(f"deal.dealer_{rules.first_dealer}", "first_dealer")
    if rules.cut_bonus:
        yield say("deal.cut_bonus", "cut_bonus", "cut_bonus_count")
    else:
        yield say("deal.no_cut_bonus", "cut_bonus")
    yield say("deal.hands", "hand_size", "dealing")
    yield say("deal.mortos", "morto_size")
    yield say("deal.up_card" if rules.up_card else "deal.no_up_card", "up_card")
    yield say("deal.stock", "hand_size", "morto_size", "up_card", counts=_stock_counts(rules, say))
    yield say("deal.hidden", "hidden_cards")


def _turn_section(rules: RuleFields, say: _Writer) -> Iterator[Statement]:
    yield say("turn.turn", "turn")
    yield say("turn.option" if rules.first_turn_option else "turn.no_option", "first_turn_option")
    yield say("turn.side_melds", "side_melds")
    yield say("turn.tabled_returns" if rules.opening == "over_turn" else "turn.tabled_stays", "tabled_stays")
    yield say("turn.can_end", "turn_can_end")


def _melds_section(rules: RuleFields, say: _Writer) -> Iterator[Statement]:
    yield say("melds.runs", "runs")
    if rules.aces_both_ends:
        yield say("melds.aces_both", "aces_both_ends")
    else:
        yield say("melds.aces_one" if rules.run_length_max == 14 else "melds.aces_one_13", "aces_both_ends")
    yield say("melds.length", "run_length_max")
    if not rules.sets:
        yield say("melds.no_sets", "sets")
        yield say("melds.several_runs", "one_set_per_rank")
    else:
        yield say("melds.sets", "sets", "set_shape")
        yield say("melds.one_set" if rules.one_set_per_rank else "melds.several_sets", "one_set_per_rank")
    yield say("melds.readings", "readings")
    yield say("melds.apart", "melds_apart")
    yield say("melds.canasta", "canasta_size")


def _wilds_section(rules: RuleFields, say: _Writer) -> Iterator[Statement]:
    yield say("wilds.one_wild" if rules.joker_count else "wilds.one_wild_two", "one_wild")
    yield say("wilds.natural_two", "natural_two")
    yield say(f"wilds.move_{rules.wild_move}", "wild_move")
    yield say("wilds.others_stay", "wild_move")
    if rules.wild_changes_ends:
        yield say("wilds.changes_ends", "wild_changes_ends")
    else:
        yield say("wilds.keeps_end_free" if rules.wild_move == "free" else "wilds.keeps_end", "wild_changes_ends")
    yield say("wilds.pressed" if rules.natural_two_pressed else "wilds.not_pressed", "natural_two_pressed")


def _pile_section(rules: RuleFields, say: _Writer) -> Iterator[Statement]:
    if rules.pile_closed:
        yield say("pile.closed", "pile_closed")
        yield say(f"pile.top_{rules.closed_top_wild}", "closed_top_wild")
        yield say("pile.single_closed", "single_card_barred")
    else:
        yield say("pile.open", "pile_closed")
        yield say("pile.single_barred" if rules.single_card_barred else "pile.single_free", "single_card_barred")


def _opening_section(rules: RuleFields, say: _Writer) -> Iterator[Statement]:
    yield say(f"opening.{rules.opening}", "opening")
    if rules.opening == "none":
        return
    low = "opening.minimum" if rules.opening_minimum else "opening.no_minimum"
    yield say(low, "opening_minimum", "opening_vulnerable_from")
    high = "opening.vulnerable" if rules.opening_vulnerable_minimum else "opening.no_vulnerable"
    yield say(high, "opening_vulnerable_minimum", "opening_vulnerable_from")
    if rules.opening == "over_turn":
        yield say("opening.penalty" if rules.opening_penalty else "opening.no_penalty", "opening_penalty")


def _morto_section(rules: RuleFields, say: _Writer) -> Iterator[Statement]:
    yield say("morto.morto", "morto")
    yield say("morto.direct" if rules.direct_morto else "morto.no_direct", "direct_morto")
    yield say("morto.indirect", "morto")
    yield say("morto.order", "morto_order")


def _closing_section(rules: RuleFields, say: _Writer) -> Iterator[Statement]:
    yield say(f"closing.{rules.close_morto}", "close_morto")
    yield say(f"closing.{rules.close_canasta}", "close_canasta")
    yield say("closing.by_meld" if rules.close_by_meld else "closing.by_discard", "close_by_meld")
    yield say("closing.wild_ok" if rules.closing_discard_wild else "closing.no_wild", "closing_discard_wild")
    yield say("closing.judged", "close_judged")


def _end_section(rules: RuleFields, say: _Writer) -> Iterator[Statement]:
    yield say("end.end", "deal_end")
    yield say("end.refill" if rules.stock_refill else "end.no_refill", "stock_refill")
    yield say(
        "end.stock_left" if rules.stock_end_count else "end.stock_empty", "stock_end_count", n=rules.stock_end_count
    )
    if rules.stalemate == "none":
        yield say("end.no_stalemate", "stalemate")
    else:
        yield say(f"end.{rules.stalemate}", "stalemate", "turn_cap")


def _canastas(rules: RuleFields, say: _Writer) -> Iterator[Statement]:
    yield say("score.dirty", "bonus_dirty")
    yield say("score.clean", "bonus_clean")
    yield say("score.no_semi_clean" if rules.bonus_semi_clean is None else "score.semi_clean", "bonus_semi_clean")
    if rules.bonus_clean_13 is None:
        yield say("score.no_clean_13", "bonus_clean_13")
    else:
        from_ace = "score.clean_13_from_ace" if rules.clean_13_from_ace else "score.clean_13"
        yield say(from_ace, "bonus_clean_13", "clean_13_from_ace")
    if rules.bonus_clean_14 is not None:
        yield say("score.clean_14", "bonus_clean_14")
    else:
        yield say("score.no_clean_14" if rules.aces_both_ends else "score.never_clean_14", "bonus_clean_14")
    if rules.big_canasta_at_once:
        yield say("score.at_once", "big_canasta_at_once")
    else:
        yield say("score.any_time", "big_canasta_at_once")


def _score_section(rules: RuleFields, say: _Writer) -> Iterator[Statement]:
    yield say("score.sum", "score_sum")
    yield from _canastas(rules, say)
    yield say("score.out", "bonus_out")
    yield say("score.morto_penalty", "morto_penalty")
    yield say("score.waived" if rules.morto_penalty_waived else "score.not_waived", "morto_penalty_waived")
    points = () if rules.unplayed_morto == "cards" else ("unplayed_morto_points",)
    yield say(f"score.unplayed_{rules.unplayed_morto}", "unplayed_morto", *points)


def _match_section(rules: RuleFields, say: _Writer) -> Iterator[Statement]:
    if rules.deal_count == 0:
        yield say("match.target", "target_points")
    elif rules.target_points == 0:
        yield say("match.deals", "deal_count", n=rules.deal_count)
    else:
        yield say("match.target_or_deals", "target_points", "deal_count", n=rules.deal_count)
    yield say("match.higher", "higher_total")
    yield say(f"match.tie_{rules.tie_break}", "tie_break")


_WRITERS: Final[Mapping[str, Callable[[RuleFields, _Writer], Iterator[Statement]]]] = MappingProxyType(
    {
        "pack": _pack_section,
        "deal": _deal_section,
        "turn": _turn_section,
        "melds": _melds_section,
        "wilds": _wilds_section,
        "pile": _pile_section,
        "opening": _opening_section,
        "morto": _morto_section,
        "closing": _closing_section,
        "end": _end_section,
        "score": _score_section,
        "match": _match_section,
    }
)


def statements(rules: RuleFields, language: str = DEFAULT_LANGUAGE) -> Mapping[str, tuple[Statement, ...]]:
    """Return what a rules page states, by section in the order of ``SECTIONS``."""
    say = _Writer(rules, language)
    return MappingProxyType({section: tuple(_WRITERS[section](rules, say)) for section in SECTIONS})


def _sources(rules: RuleFields, topics: tuple[str, ...], language: str) -> str:
    return ", ".join(dict.fromkeys(cite(rules, topic).short.text(language) for topic in topics))


def _decisions(rules: RuleFields, topics: list[str], language: str) -> Iterator[Decision]:
    """Give the reason of each decision once, with all topics that it concerns."""
    by_reason: dict[str, list[str]] = {}
    for topic in dict.fromkeys(topics):
        reason = cite(rules, topic).decision
        if reason:
            by_reason.setdefault(reason, []).append(topic)
    for reason, together in by_reason.items():
        labels = [text(f"field.{topic}.label", language) for topic in together if topic in FIELD_SPECS]
        yield Decision(topic=", ".join(labels), reason=in_language(reason, language))


def _sections(rules: RuleFields, language: str) -> Iterator[PageSection]:
    for name, said in statements(rules, language).items():
        sourced = tuple(
            Statement(text=one.text, topics=one.topics, sources=_sources(rules, one.topics, language)) for one in said
        )
        yield PageSection(name=name, heading=section_heading(name).text(language), statements=sourced)


def _fields(rules: RuleFields, language: str) -> Iterator[PageField]:
    for field in FIELD_NAMES:
        yield PageField(
            field=field,
            label=text(f"field.{field}.label", language),
            value=title_in(rules, language) if field == "title" else show_field(rules, field, language),
            source=cite(rules, field).short.text(language),
        )


def outline(rules: RuleFields, language: str = DEFAULT_LANGUAGE) -> Outline:
    """Return what a rules page says, in its parts. Raises UnknownText (code ``unknown_language``)."""
    base = basis(rules)
    house = any(getattr(rules, name) != getattr(base, name) for name in FIELD_NAMES)
    sections = tuple(_sections(rules, language))
    topics = [topic for section in sections for one in section.statements for topic in one.topics]
    topics += FIELD_NAMES
    numbers = sorted({cite(rules, topic).source for topic in topics} - {""})
    return Outline(
        title=text("page.title", language, title=title_in(rules, language), name=rules.name),
        base=base.name if house else "",
        notes=(
            *((text("page.house", language, base=base.name),) if house else ()),
            text("page.sources", language),
        ),
        sections=sections,
        fields=tuple(_fields(rules, language)),
        decisions=tuple(_decisions(rules, topics, language)),
        sources=tuple((number, text(f"source.{number}", language)) for number in numbers),
    )


def page(rules: RuleFields, language: str = DEFAULT_LANGUAGE) -> str:
    """Return the complete rules as Markdown that reads well as plain text; it ends with a newline.

    Twelve numbered sections of statements, each with its source; then every field with its value and source; then the
    reasons of our decisions and what the sources are. Changing any field changes the page. Raises UnknownText (code
    ``unknown_language``).
    """
    say = functools.partial(text, language=language)
    parts = outline(rules, language)
    lines = [f"# {parts.title}", "", *parts.notes, ""]
    for section in parts.sections:
        lines += [say("page.heading", heading=section.heading), ""]
        lines += [say("page.statement", text=one.text, sources=one.sources) for one in section.statements]
        lines.append("")
    lines += [say("page.heading", heading=say("section.fields")), ""]
    for one in parts.fields:
        lines.append(say("page.field", label=one.label, field=one.field, value=one.value, source=one.source))
    if parts.decisions:
        lines += ["", say("page.heading", heading=say("section.decisions")), ""]
        # What all rule sets share is no field, and has no label: its reason says enough.
        lines += [
            say("page.decision", topic=one.topic, reason=one.reason) if one.topic else f"- {one.reason}"
            for one in parts.decisions
        ]
    lines += ["", say("page.heading", heading=say("section.sources")), ""]
    lines += [say("page.source", number=number, text=said) for number, said in parts.sources]
    return "\n".join(lines) + "\n"


def diff(left: RuleFields, right: RuleFields, language: str = DEFAULT_LANGUAGE) -> tuple[Difference, ...]:
    """Return the fields in which two rule sets differ, in the order of the fields; empty if they are equal."""
    return tuple(
        Difference(field, show_field(left, field, language), show_field(right, field, language))
        for field in FIELD_NAMES
        if getattr(left, field) != getattr(right, field)
    )
