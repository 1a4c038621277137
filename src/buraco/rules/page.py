"""The complete rules of a rule set for people, generated from its fields, and the difference of two."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Final, NamedTuple

from buraco.cards import RANKS
from buraco.rules.citations import SECTIONS, basis, cite, section_heading
from buraco.rules.fields import FIELD_NAMES, FIELD_SPECS, RuleFields
from buraco.rules.problems import pack_points, pack_size
from buraco.rules.titles import title_in
from buraco.rules.victory_points import VICTORY_DEALS, victory_steps
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
    "plays_a_role",
    "show_field",
    "statements",
]

_PACK: Final = ("pack_suits", "pack_ranks", "pack_copies", "joker_count")
_VALUES: Final = ("value_joker", "value_two", "value_ace", "value_high", "value_low")
#: The source with rules for tournaments.
_TOURNAMENTS: Final = "005"
_HIGH: Final = "89TJQK"
_LOW: Final = "34567"


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
    """A field on a rules page: what it is called, its value in words, where that comes from, and whether it can make a
    difference (`plays_a_role`)."""

    field: str
    label: str
    value: str
    source: str
    alive: bool


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


def plays_a_role(rules: RuleFields, field: str) -> bool:
    """Say whether a field can make a difference under these rules, as the value of a joker cannot without jokers; no
    other name can."""
    rule = _ROLES.get(field)
    return field in FIELD_SPECS if rule is None else rule(rules)


def _has_twos(rules: RuleFields) -> bool:
    return "2" in rules.pack_ranks


def _has_wilds(rules: RuleFields) -> bool:
    return rules.joker_count > 0 or _has_twos(rules)


def _has_whole_suits(rules: RuleFields) -> bool:
    return rules.pack_ranks == RANKS


#: When a field makes a difference; one that is not named always does.
_ROLES: Final[Mapping[str, Callable[[RuleFields], bool]]] = MappingProxyType(
    {
        "value_joker": lambda r: r.joker_count > 0,
        "value_two": _has_twos,
        "value_ace": lambda r: "A" in r.pack_ranks,
        "value_high": lambda r: any(rank in r.pack_ranks for rank in _HIGH),
        "value_low": lambda r: any(rank in r.pack_ranks for rank in _LOW),
        "one_set_per_rank": lambda r: r.sets,
        "aces_both_ends": lambda r: "A" in r.pack_ranks,
        "wild_move": _has_wilds,
        "wild_changes_ends": lambda r: _has_wilds(r) and r.wild_move != "free",
        "natural_two_pressed": _has_twos,
        "closed_top_wild": lambda r: r.pile_closed and _has_wilds(r),
        "single_card_barred": lambda r: not r.pile_closed,
        "opening_minimum": lambda r: r.opening != "none",
        "opening_vulnerable_minimum": lambda r: r.opening != "none",
        "opening_vulnerable_from": lambda r: r.opening != "none" and r.opening_minimum != r.opening_vulnerable_minimum,
        "opening_penalty": lambda r: r.opening == "over_turn",
        "cut_bonus_count": lambda r: r.cut_bonus > 0,
        "closing_discard_wild": _has_wilds,
        "turn_cap": lambda r: r.stalemate != "none",
        "bonus_dirty": _has_wilds,
        "bonus_semi_clean": _has_wilds,
        "bonus_clean_13": _has_whole_suits,
        "bonus_clean_14": lambda r: _has_whole_suits(r) and r.aces_both_ends,
        "clean_13_from_ace": lambda r: r.bonus_clean_13 is not None,
        "big_canasta_at_once": lambda r: r.bonus_clean_13 is not None or r.bonus_clean_14 is not None,
        "morto_penalty_waived": lambda r: r.morto_penalty > 0,
        "unplayed_morto_points": lambda r: r.unplayed_morto != "cards",
        "target_points": lambda r: r.target_points > 0,
        "deal_count": lambda r: r.deal_count > 0,
    }
)


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
        suits=", ".join(say.words(f"suit.{suit}") for suit in rules.pack_suits),
        ranks=" ".join(map(_rank_name, rules.pack_ranks)),
        jokers=say.words(f"page.jokers_{jokers}") if jokers < 2 else say.words("page.jokers_n", n=jokers),
        points=pack_points(rules),
    )
    yield say("pack.values", *_VALUES, values=say.words("page.worth_joint").join(_worths(rules, say)))
    if _has_wilds(rules):
        yield say("pack.keeps_value", *_VALUES)


def _rank_name(rank: str) -> str:
    # People write 10 where the notation has T.
    return "10" if rank == "T" else rank


def _worths(rules: RuleFields, say: _Writer) -> Iterator[str]:
    """Say what the cards of the pack are worth: jokers, twos, aces, then the ranks that have one value."""
    if rules.joker_count:
        yield say.words("page.worth_joker", points=rules.value_joker)
    if _has_twos(rules):
        yield say.words("page.worth_two", points=rules.value_two)
    if "A" in rules.pack_ranks:
        yield say.words("page.worth_ace", points=rules.value_ace)
    for ranks, points in ((_HIGH, rules.value_high), (_LOW, rules.value_low)):
        held = [_rank_name(rank) for rank in ranks if rank in rules.pack_ranks]
        if held:
            key = "page.worth_ranks" if len(held) > 1 else "page.worth_rank"
            yield say.words(key, first=held[0], last=held[-1], points=points)


def _draw_order(rules: RuleFields, say: _Writer) -> str:
    """Return the cards of the pack from low to high, as they count where cards are drawn for the first deal."""
    track = "23456789TJQKA" if rules.first_dealer == "cut" else "3456789TJQKA2"
    ranks = " ".join(_rank_name(rank) for rank in track if rank in rules.pack_ranks)
    return f"{ranks}, {say.words('term.joker')}" if rules.joker_count else ranks


def _stock_counts(rules: RuleFields, say: _Writer) -> str:
    rest = pack_size(rules) - 2 * rules.morto_size - int(rules.up_card)
    parts = (
        say.words("rule.deal.stock_count", stock=rest - players * rules.hand_size, players=players)
        for players in rules.player_counts
    )
    return say.words("rule.deal.stock_joint").join(parts)


def _deal_section(rules: RuleFields, say: _Writer) -> Iterator[Statement]:
    yield say(f"deal.dealer_{rules.first_dealer}", "first_dealer", order=_draw_order(rules, say))
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
    yield say("turn.own_melds" if rules.player_counts == (2,) else "turn.side_melds", "side_melds")
    yield say("turn.tabled_returns" if rules.opening == "over_turn" else "turn.tabled_stays", "tabled_stays")
    yield say("turn.can_end", "turn_can_end")


def _longest_run(rules: RuleFields) -> int:
    # A wild may stand for a rank that the pack does not have.
    return min(rules.run_length_max, len(rules.pack_ranks) + int(rules.aces_both_ends) + int(_has_wilds(rules)))


def _by_wilds(rules: RuleFields, key: str) -> str:
    """Return the form of a text for the wild cards that the pack has: both kinds, one of them, none."""
    if not _has_wilds(rules):
        return f"{key}_natural"
    if not rules.joker_count:
        return f"{key}_two"
    return key if _has_twos(rules) else f"{key}_joker"


def _melds_section(rules: RuleFields, say: _Writer) -> Iterator[Statement]:
    longest = _longest_run(rules)
    yield say("melds.runs", "runs")
    if rules.aces_both_ends:
        yield say("melds.aces_both", "aces_both_ends")
    elif "A" in rules.pack_ranks:
        yield say("melds.aces_one" if longest == 14 else "melds.aces_one_13", "aces_both_ends")
    yield say("melds.length", "run_length_max", longest=longest)
    if not rules.sets:
        yield say("melds.no_sets", "sets")
        yield say("melds.several_runs", "one_set_per_rank")
    else:
        yield say("melds.sets" if rules.pack_copies == 2 else "melds.sets_one_copy", "sets")
        naturals = len(rules.pack_suits) * rules.pack_copies
        yield say(_by_wilds(rules, "melds.set_shape"), "set_shape", naturals=naturals)
        yield say("melds.one_set" if rules.one_set_per_rank else "melds.several_sets", "one_set_per_rank")
    whole = _has_twos(rules) and "A" in rules.pack_ranks
    yield say("melds.readings" if whole else "melds.readings_plain", "readings")
    yield say("melds.apart", "melds_apart")
    yield say(_by_canastas(rules, "melds.canasta"), "canasta_size")


def _by_canastas(rules: RuleFields, key: str) -> str:
    """Return the form of a text for the kinds of canastas that there are: clean and dirty, semi-clean too, clean."""
    if not _has_wilds(rules):
        return f"{key}_natural"
    return key if rules.bonus_semi_clean is None else f"{key}_semi_clean"


def _wilds_section(rules: RuleFields, say: _Writer) -> Iterator[Statement]:
    if not _has_wilds(rules):
        yield say("wilds.none", "one_wild", "natural_two", "wild_move", "wild_changes_ends", "natural_two_pressed")
        return
    twos = _has_twos(rules)
    yield say(_by_wilds(rules, "wilds.one_wild"), "one_wild")
    if twos:
        yield say("wilds.natural_two" if rules.joker_count else "wilds.natural_two_alone", "natural_two")
    home = say.words("page.home_two" if twos else "page.home_joker")
    also = say.words("page.also_two") if twos else ""
    yield say(f"wilds.move_{rules.wild_move}", "wild_move", home=home, also=also)
    yield say("wilds.others_stay" if rules.joker_count else "wilds.others_stay_two", "wild_move")
    if rules.wild_move == "free":
        yield say("wilds.keeps_end_free", "wild_changes_ends")
    else:
        yield say("wilds.changes_ends" if rules.wild_changes_ends else "wilds.keeps_end", "wild_changes_ends")
    if twos:
        yield say("wilds.pressed" if rules.natural_two_pressed else "wilds.not_pressed", "natural_two_pressed")


def _pile_section(rules: RuleFields, say: _Writer) -> Iterator[Statement]:
    if rules.pile_closed:
        yield say("pile.closed", "pile_closed")
        if _has_wilds(rules):
            yield say(_by_wilds(rules, f"pile.top_{rules.closed_top_wild}"), "closed_top_wild")
        yield say("pile.single_closed", "single_card_barred")
    else:
        yield say("pile.open", "pile_closed")
        barred = "pile.single_barred" if rules.pack_copies == 2 else "pile.single_barred_one_copy"
        yield say(barred if rules.single_card_barred else "pile.single_free", "single_card_barred")


def _opening_section(rules: RuleFields, say: _Writer) -> Iterator[Statement]:
    if rules.opening != "none":
        low = "opening.minimum" if rules.opening_minimum else "opening.no_minimum"
        yield say(low, "opening_minimum", "opening_vulnerable_from")
        if rules.opening_vulnerable_minimum != rules.opening_minimum:
            high = "opening.vulnerable" if rules.opening_vulnerable_minimum else "opening.no_vulnerable"
            yield say(high, "opening_vulnerable_minimum", "opening_vulnerable_from")
    yield say(f"opening.{rules.opening}", "opening")
    if rules.opening == "over_turn":
        yield say("opening.penalty" if rules.opening_penalty else "opening.no_penalty", "opening_penalty")


def _morto_section(rules: RuleFields, say: _Writer) -> Iterator[Statement]:
    yield say("morto.morto", "morto")
    yield say("morto.direct" if rules.direct_morto else "morto.no_direct", "direct_morto")
    yield say("morto.indirect", "morto")
    yield say("morto.order", "morto_order")


def _closing_section(rules: RuleFields, say: _Writer) -> Iterator[Statement]:
    yield say(f"closing.{rules.close_morto}", "close_morto")
    if rules.close_morto == "taken" and rules.stock_refill:
        yield say("closing.never", "close_morto")
    any_canasta = _by_canastas(rules, "closing.any")
    yield say("closing.clean" if rules.close_canasta == "clean" else any_canasta, "close_canasta")
    yield say("closing.by_meld" if rules.close_by_meld else "closing.by_discard", "close_by_meld")
    no_wild = _by_wilds(rules, "closing.no_wild")
    yield say("closing.wild_ok" if rules.closing_discard_wild else no_wild, "closing_discard_wild")
    yield say("closing.judged", "close_judged")


def _end_section(rules: RuleFields, say: _Writer) -> Iterator[Statement]:
    yield say("end.end", "deal_end")
    yield say("end.refill" if rules.stock_refill else "end.no_refill", "stock_refill")
    left = "end.stock_left" if rules.stock_end_count else "end.stock_empty"
    yield say(left if rules.stock_refill else f"{left}_only", "stock_end_count", n=rules.stock_end_count)
    if rules.stalemate == "none":
        yield say("end.no_stalemate", "stalemate")
    else:
        yield say(f"end.{rules.stalemate}", "stalemate", "turn_cap", n=rules.turn_cap)


def _canastas(rules: RuleFields, say: _Writer) -> Iterator[Statement]:
    if _has_wilds(rules):
        yield say("score.dirty", "bonus_dirty")
    yield say("score.clean", "bonus_clean")
    if _has_wilds(rules):
        semi_clean = "score.semi_clean" if rules.sets else "score.semi_clean_runs"
        yield say("score.no_semi_clean" if rules.bonus_semi_clean is None else semi_clean, "bonus_semi_clean")
    if _has_whole_suits(rules):
        yield from _long_runs(rules, say)
    if rules.big_canasta_at_once:
        yield say("score.at_once", "big_canasta_at_once")
    else:
        yield say("score.any_time", "big_canasta_at_once")


def _long_runs(rules: RuleFields, say: _Writer) -> Iterator[Statement]:
    """Say what runs of thirteen and fourteen cards bring, where they can be."""
    longest = _longest_run(rules)
    if rules.bonus_clean_13 is not None:
        from_ace = "score.clean_13_from_ace" if rules.clean_13_from_ace else "score.clean_13"
        yield say(from_ace, "bonus_clean_13", "clean_13_from_ace")
    elif rules.canasta_size <= 13:
        # A run that can have no fourteenth card needs no rule for it.
        shorter = ("bonus_clean_14",) if longest < 14 else ()
        yield say("score.no_clean_13", "bonus_clean_13", "clean_13_from_ace", *shorter)
    if rules.bonus_clean_14 is not None:
        yield say("score.clean_14", "bonus_clean_14")
    elif longest == 14:
        yield say("score.no_clean_14" if rules.aces_both_ends else "score.never_clean_14", "bonus_clean_14")


def _score_section(rules: RuleFields, say: _Writer) -> Iterator[Statement]:
    yield say("score.sum", "score_sum")
    yield from _canastas(rules, say)
    yield say("score.out" if rules.bonus_out else "score.no_out", "bonus_out")
    if rules.morto_penalty:
        yield say("score.morto_penalty", "morto_penalty")
        both = "score.not_waived_stock" if rules.stock_refill else "score.not_waived"
        yield say("score.waived" if rules.morto_penalty_waived else both, "morto_penalty_waived")
    else:
        yield say("score.no_morto_penalty", "morto_penalty", "morto_penalty_waived")
    points = () if rules.unplayed_morto == "cards" else ("unplayed_morto_points",)
    # Where two play, nobody has a partner who might go out.
    alone = rules.player_counts == (2,) and rules.unplayed_morto == "penalty_unless_partner_out"
    unplayed = "penalty" if alone else rules.unplayed_morto
    yield say(f"score.unplayed_{unplayed}", "unplayed_morto", *points)


def _match_section(rules: RuleFields, say: _Writer) -> Iterator[Statement]:
    if rules.deal_count == 0:
        yield say("match.target", "target_points")
    elif rules.target_points == 0:
        yield say("match.deals", "deal_count", n=rules.deal_count)
    else:
        yield say("match.target_or_deals", "target_points", "deal_count", n=rules.deal_count)
    if rules.deal_count != 1:
        yield say("match.sum", "higher_total")
    yield say("match.higher", "higher_total")
    tie = f"match.tie_{rules.tie_break}"
    if rules.tie_break == "draw":
        tie = _drawn(rules)
    yield say(tie, "tie_break")
    if cite(rules, "higher_total").source == _TOURNAMENTS:
        for deals in VICTORY_DEALS:
            yield say("match.victory", "higher_total", deals=deals, steps=_steps(deals))


def _drawn(rules: RuleFields) -> str:
    """Return how equal totals end where a match may be drawn: only an agreed number of deals leads to that."""
    if rules.deal_count == 0:
        return "match.tie_another_deal"
    return "match.tie_drawn" if rules.target_points == 0 or rules.deal_count == 1 else "match.tie_draw"


def _steps(deals: int) -> str:
    steps = victory_steps(deals)
    parts = [f"{low}–{high} {more}:{less}" for low, high, (more, less) in steps[:-1]]
    low, _, (more, less) = steps[-1]
    return ", ".join((*parts, f">{low} {more}:{less}"))


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
            alive=plays_a_role(rules, field),
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
            text(
                "page.aim",
                language,
                kinds=text("page.kinds_both" if rules.sets else "page.kinds_runs", language),
                canasta_size=rules.canasta_size,
            ),
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
    lines = [f"# {parts.title}", "", *(line for note in parts.notes for line in (note, ""))]
    for section in parts.sections:
        lines += [say("page.heading", heading=section.heading), ""]
        lines += [say("page.statement", text=one.text, sources=one.sources) for one in section.statements]
        lines.append("")
    lines += [say("page.heading", heading=say("section.fields")), ""]
    for one in parts.fields:
        value = one.value if one.alive else say("page.no_role", value=one.value)
        lines.append(say("page.field", label=one.label, field=one.field, value=value, source=one.source))
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
