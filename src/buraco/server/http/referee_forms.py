"""The bodies and answers of the HTTP API about rules, positions and records."""

from __future__ import annotations

from typing import Annotated, Any

from msgspec import Meta, Struct

from buraco.server.game_events import GameEvent
from buraco.server.http.forms import ActionForm
from buraco.server.messages import ExplainResult, RulePlace
from buraco.server.shown import DealSummary, View

__all__ = [
    "BotLevel",
    "BotLevels",
    "DealForm",
    "ExampleCards",
    "JudgeForm",
    "Judged",
    "JudgementForm",
    "PositionText",
    "RecordFault",
    "RecordForm",
    "ReplayForm",
    "ReplayPositionForm",
    "ReplaySeat",
    "ReplayStep",
    "Replayed",
    "ReplayedDeal",
    "RuleChoice",
    "RuleDifference",
    "RuleExample",
    "RuleFault",
    "RuleField",
    "RuleFieldGroup",
    "RuleFieldSpec",
    "RuleFieldSpecs",
    "RuleNote",
    "RuleSection",
    "RuleSetInfo",
    "RuleSetPage",
    "RuleSets",
    "RuleStatement",
    "RulesDocument",
    "RulesForm",
    "RulesReport",
    "Verified",
    "VerifyForm",
]


class RuleSetInfo(Struct, frozen=True, kw_only=True):
    """A rule set: its name, what people call it, for how many."""

    name: str
    title: str
    players: tuple[int, ...]


class RuleSets(Struct, frozen=True, kw_only=True):
    """The rule sets."""

    rule_sets: tuple[RuleSetInfo, ...]


class ExampleCards(Struct, frozen=True, kw_only=True):
    """Cards of an example that lie together, as the protocol writes them; ``wild`` is the place of the wild, or -1.

    ``role``: ``meld`` (on the table before), ``pile`` (bottom first), ``hand`` (the rest of the hand), ``played``,
    ``after`` (what lies then; several where the player may choose), ``worth`` (cards, and what each is worth).
    ``category`` and its words are those of a canasta, else empty; ``points`` those of it or of the cards, else null.
    """

    role: str
    cards: tuple[str, ...]
    wild: int
    category: str
    words: str
    points: int | None


class RuleExample(Struct, frozen=True, kw_only=True):
    """An example of a rule as the engine judged it: ``caption`` says what is seen.

    ``verdict``: ``legal``, ``refused`` (then ``code`` and ``text`` say why, ``citation`` and ``rule`` where that is
    written), ``returned`` (legal, but the cards come back), or ``none`` where nothing is played.
    """

    name: str
    topic: str
    caption: str
    groups: tuple[ExampleCards, ...]
    verdict: str
    code: str
    text: str
    citation: str
    rule: RulePlace | None


class RuleStatement(Struct, frozen=True, kw_only=True):
    """A statement of a rules page: the topics (fields or shared rules) that it states, their sources in words."""

    text: str
    topics: tuple[str, ...]
    sources: str
    examples: tuple[RuleExample, ...]


class RuleSection(Struct, frozen=True, kw_only=True):
    """A section of a rules page; ``name`` and ``number`` are those of a citation."""

    name: str
    number: int
    heading: str
    statements: tuple[RuleStatement, ...]


class RuleField(Struct, frozen=True, kw_only=True):
    """A field on a rules page: its value in words, and where that comes from."""

    field: str
    label: str
    value: str
    source: str


class RuleNote(Struct, frozen=True, kw_only=True):
    """What a rules page says at its end: of a decision what it concerns and its reason, of a source its number and
    what it is."""

    topic: str
    text: str


class RulesDocument(Struct, frozen=True, kw_only=True):
    """A rules page in its parts, in the reader's language. ``base`` is the rule set that house rules rest on, else
    empty; ``headings`` are those of ``fields``, ``decisions`` and ``sources``."""

    title: str
    base: str
    notes: tuple[str, ...]
    sections: tuple[RuleSection, ...]
    headings: dict[str, str]
    fields: tuple[RuleField, ...]
    decisions: tuple[RuleNote, ...]
    sources: tuple[RuleNote, ...]


class RuleSetPage(Struct, frozen=True, kw_only=True):
    """A rule set in full: every field, the page for people (Markdown, and in its parts), TOML to begin house rules
    with."""

    name: str
    title: str
    players: tuple[int, ...]
    rules: dict[str, Any]
    page: str
    toml: str
    document: RulesDocument


class RuleChoice(Struct, frozen=True, kw_only=True):
    """A value that a field may have, with its words."""

    value: Any
    text: str


class RuleFieldSpec(Struct, frozen=True, kw_only=True):
    """What a field of house rules may be, and what it means.

    ``kind``: ``text``, ``suits``, ``ranks``, ``counts``, ``integer``, ``optional_integer`` (may be null), ``boolean``,
    ``choice``. ``low`` and ``high`` bound a number, or the length of a text; ``unit`` is what a number counts, or
    empty. ``absent`` says null in words.
    """

    field: str
    section: str
    kind: str
    label: str
    text: str
    unit: str
    low: int
    high: int
    choices: tuple[RuleChoice, ...]
    absent: str


class RuleFieldGroup(Struct, frozen=True, kw_only=True):
    """The fields of a section of the rules page."""

    section: str
    heading: str
    fields: tuple[RuleFieldSpec, ...]


class RuleFieldSpecs(Struct, frozen=True, kw_only=True):
    """Every field of house rules, by section."""

    groups: tuple[RuleFieldGroup, ...]


class RulesForm(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """House rules: as TOML, or as JSON (docs/notation.md); ``document``: their page in its parts is wanted too."""

    toml: Annotated[str, Meta(max_length=16_384)] | None = None
    rules: str | dict[str, Any] | None = None
    document: bool = False


class RuleFault(Struct, frozen=True, kw_only=True):
    """Why rules cannot be: the fields concerned, the sentence with their labels, and where the first of these fields is
    written in the rule set that the rules rest on (none where there is no such rule set)."""

    code: str
    fields: tuple[str, ...]
    text: str
    citation: str
    rule: RulePlace | None


class RuleDifference(Struct, frozen=True, kw_only=True):
    """A field in which two rule sets differ, its value in each in words."""

    field: str
    label: str
    left: str
    right: str


class RulesReport(Struct, frozen=True, kw_only=True):
    """Whether rules can be played: every field of them and their page for people, or every fault.

    ``reasons`` are all of it as sentences; ``faults`` those that concern fields. Of possible rules: their title,
    the rule set ``base`` that they rest on, what ``differences`` there are from it, and TOML that makes them again;
    ``document`` where it was asked for.
    """

    possible: bool
    rules: dict[str, Any] | None
    reasons: tuple[str, ...]
    page: str = ""
    title: str = ""
    base: str = ""
    toml: str = ""
    faults: tuple[RuleFault, ...] = ()
    differences: tuple[RuleDifference, ...] = ()
    document: RulesDocument | None = None


class BotLevel(Struct, frozen=True, kw_only=True):
    """A level of bots."""

    name: str


class BotLevels(Struct, frozen=True, kw_only=True):
    """The levels of bots, the weakest first, and the one of a table that names none."""

    levels: tuple[BotLevel, ...]
    usual: str


class JudgeForm(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A position as text or JSON (docs/notation.md), and an action as text to be judged; without it, what is legal."""

    position: str | dict[str, Any]
    action: Annotated[str, Meta(min_length=1, max_length=200)] | None = None


class JudgementForm(Struct, frozen=True, kw_only=True):
    """What the referee says of an action: of a refusal the code, a sentence and the rule; of a legal action the
    position after it (null where even its public part depends on hidden cards)."""

    action: ActionForm | None
    legal: bool
    code: str
    text: str
    citation: str
    position: dict[str, Any] | None
    rule: RulePlace | None = None


class Judged(Struct, frozen=True, kw_only=True):
    """The seat to act, its phase; all legal actions, or the judgements of the action asked about."""

    seat: int
    phase: str
    legal: tuple[ActionForm, ...] | None
    judgements: tuple[JudgementForm, ...] | None


class RecordForm(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A game record, as text or JSON (docs/notation.md)."""

    record: str | dict[str, Any]


class DealForm(Struct, frozen=True, kw_only=True):
    """A finished deal of a record."""

    deal: int
    end_kind: str
    out_seat: int | None
    scores: tuple[int, int]
    totals: tuple[int, int]


class Replayed(Struct, frozen=True, kw_only=True):
    """A record that holds: its deals, how many actions it has, who won (empty while the match goes on)."""

    deals: tuple[DealForm, ...]
    actions: int
    winner: str


class ReplayForm(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A game record, as text or JSON (docs/notation.md), and which of its deals is to be seen step by step; ``seat``:
    as that seat saw it, null: with every hand open."""

    record: str | dict[str, Any]
    deal: Annotated[int, Meta(ge=1, le=1_000_000)] = 1
    seat: Annotated[int, Meta(ge=0, le=3)] | None = None


class ReplaySeat(Struct, frozen=True, kw_only=True):
    """Who sat at a seat of a recorded match: a name, and the level of the bot that had it, else empty."""

    name: str
    bot: str


class ReplayStep(Struct, frozen=True, kw_only=True):
    """A step of a deal: its beginning, an action or an undo. ``action`` is how it is written, empty for the beginning;
    ``at_ms`` the time since the deal began, where it is known. Then what happened and how the deal stood after it."""

    turn: int | None
    seat: int | None
    action: str
    at_ms: int | None
    events: tuple[GameEvent, ...]
    view: View


class RecordFault(Struct, frozen=True, kw_only=True):
    """Where a record stops to hold: ``deal`` (null: before the first, or after the last), ``step`` counted from 0 as in
    the list of steps, the turn, the seat and the action there, as it is written (empty: none) and by its number (null:
    none, or an undo, of the last ``undone`` actions); and why."""

    deal: int | None
    step: int
    turn: int | None
    seat: int | None
    action: str
    number: int | None
    undone: int
    code: str
    text: str
    citation: str
    rule: RulePlace | None


class ReplayedDeal(Struct, frozen=True, kw_only=True):
    """A recorded match and the steps of one of its deals, up to the first thing that does not hold, the ``fault``.

    ``deals`` are those that ended, ``deal_count`` is how many the record has; ``winner`` as in a record.
    """

    name: str
    rules_name: str
    rules_title: str
    rules: dict[str, Any]
    players: int
    seats: tuple[ReplaySeat, ...]
    tags: dict[str, str]
    winner: str
    deals: tuple[DealSummary, ...]
    deal_count: int
    deal: int
    steps: tuple[ReplayStep, ...]
    fault: RecordFault | None


class ReplayPositionForm(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A game record and a moment in it: after which step of which deal (0: when it was dealt). ``seat``: as that seat
    saw it, null: every card."""

    record: str | dict[str, Any]
    deal: Annotated[int, Meta(ge=1, le=1_000_000)] = 1
    step: Annotated[int, Meta(ge=0, le=1_000_000)] = 0
    seat: Annotated[int, Meta(ge=0, le=3)] | None = None


class PositionText(Struct, frozen=True, kw_only=True):
    """A position as text (docs/notation.md), ready for the referee; ``asked``: what the bot that took the step, asked
    again, would do there and why. It need not be what it did: a record keeps no reasons. Null where no bot took it, or
    where its hand is not seen."""

    position: str
    asked: ExplainResult | None = None


class VerifyForm(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A game record whose shuffles are to be verified, as text or JSON (docs/notation.md), and what players kept of the
    match (docs/fair-shuffle.md), if anything."""

    record: str | dict[str, Any]
    witnesses: Annotated[tuple[str | dict[str, Any], ...], Meta(max_length=8)] = ()


class Verified(Struct, frozen=True, kw_only=True):
    """Whether the shuffles of a record hold, its number of deals, and each finding as `buraco verify --json` writes it:
    ``code``, ``deal``, ``seat``, ``card``, whether it is a ``fault``, the ``text``, and values by the code."""

    holds: bool
    deals: int
    findings: tuple[dict[str, Any], ...]
