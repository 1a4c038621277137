"""The examples in the OpenAPI document: values of the structs that the operations take and give."""

from __future__ import annotations

from typing import Final

import buraco
from buraco.notation import Finding, finding_json, format_action, legal_actions, position_json, read_position
from buraco.rules import DEFAULT_RULES, RULE_SETS, cite, to_json, to_toml
from buraco.server.http.forms import (
    ActionForm,
    BotAccount,
    BotAccounts,
    BotForm,
    BotMade,
    CreateForm,
    Export,
    GuestForm,
    Invitation,
    JoinForm,
    LessonForm,
    LessonInfo,
    Lessons,
    Lobby,
    NameForm,
    PasswordForm,
    PersonInfo,
    PlayNowForm,
    PositionInfo,
    RecoverForm,
    Registered,
    RegisterForm,
    ResultInfo,
    Results,
    ServerInfo,
    Session,
    SignInForm,
    Tallies,
    TallyInfo,
)
from buraco.server.http.referee_forms import (
    BotLevel,
    BotLevels,
    DealForm,
    ExampleCards,
    Judged,
    JudgeForm,
    JudgementForm,
    PositionText,
    RecordForm,
    Replayed,
    ReplayedDeal,
    ReplayForm,
    ReplayPositionForm,
    ReplaySeat,
    RuleExample,
    RuleFault,
    RuleField,
    RuleFieldGroup,
    RuleFieldSpec,
    RuleFieldSpecs,
    RuleNote,
    RulesDocument,
    RuleSection,
    RuleSetInfo,
    RuleSetPage,
    RuleSets,
    RulesForm,
    RulesReport,
    RuleStatement,
    Verified,
    VerifyForm,
)
from buraco.server.messages import Ack, Ready, Snapshot, TableSummary
from buraco.server.options import ClockOptions, TableOptions
from buraco.server.probe import rule_place
from buraco.server.shown import Member, SeatState, TableState, You
from buraco.server.thinking import offered_levels, usual_level

__all__ = [
    "ACK",
    "BOTS",
    "BOT_ACCOUNTS",
    "BOT_FORM",
    "BOT_MADE",
    "CREATE",
    "EXPORT",
    "GUEST",
    "INVITATION",
    "JOIN",
    "JUDGE",
    "JUDGED",
    "LOBBY",
    "MESSAGE",
    "NAME",
    "PASSWORD",
    "PERSON",
    "PLAY_NOW",
    "POSITION",
    "POSITION_TEXT",
    "RECORD",
    "RECORD_TEXT",
    "RECOVER",
    "REGISTER",
    "REGISTERED",
    "REPLAYED",
    "REPLAYED_DEAL",
    "REPLAY_DEAL",
    "REPLAY_POSITION",
    "RESULTS",
    "RULES",
    "RULES_REPORT",
    "RULE_FIELDS",
    "RULE_SET",
    "RULE_SETS_EXAMPLE",
    "SERVER",
    "SESSION",
    "SIGN_IN",
    "SNAPSHOT",
    "TALLIES",
    "VERIFIED",
    "VERIFY",
]

_TABLE: Final = "4fJ0cQm2sVb8xTzL"
_CODE: Final = "K7MPQ2"
_NOW_MS: Final = 1_767_225_600_000
_CLOCK: Final = ClockOptions(kind="turn", turn_ms=60_000)
_RULES: Final = RULE_SETS[DEFAULT_RULES]
_HINT: Final = "Only this computer can open this address."

GUEST: Final = GuestForm(name="Ana")
NAME: Final = NameForm(name="Ana Lúcia")
REGISTER: Final = RegisterForm(login="Ana", password="correct horse battery")
SIGN_IN: Final = SignInForm(login="Ana", password="correct horse battery")
RECOVER: Final = RecoverForm(login="Ana", code="7KQ2MX-8PZ4TH-C3VWRN-5JYBD9", password="a new long password")
PASSWORD: Final = PasswordForm(old="correct horse battery", new="a new long password")
PERSON: Final = PersonInfo(person="u0Vt5gq3Zl9sYb2xWcD4aA", name="Ana", login=None, created_ms=_NOW_MS)
SESSION: Final = Session(person=PERSON)
REGISTERED: Final = Registered(
    person=PersonInfo(person="u0Vt5gq3Zl9sYb2xWcD4aA", name="Ana", login="Ana", created_ms=_NOW_MS),
    recovery_code="7KQ2MX-8PZ4TH-C3VWRN-5JYBD9",
)

_BOT: Final = BotAccount(
    person="Vq0mT3xJ8yHc5RkWnZ2dLw", name="Anabot", created_ms=_NOW_MS, seen_ms=_NOW_MS, has_token=True
)
BOT_FORM: Final = BotForm(name="Anabot")
BOT_ACCOUNTS: Final = BotAccounts(bots=(_BOT,), most=5)
BOT_MADE: Final = BotMade(bot=_BOT, token=f"bot1.{_BOT.person}.{'x' * 43}")

SERVER: Final = ServerInfo(
    version=buraco.__version__,
    engine="compiled",
    protocol=1,
    address="http://127.0.0.1:8321",
    local_only=True,
    hint=_HINT,
)
BOTS: Final = BotLevels(
    levels=tuple(BotLevel(name=level) for level in offered_levels()), usual=usual_level(offered_levels())
)
CREATE: Final = CreateForm(options=TableOptions(rules=_RULES.name, clock=_CLOCK, public=True), seat=0)
PLAY_NOW: Final = PlayNowForm(options=TableOptions(rules=_RULES.name, bot_level="greedy"))
JOIN: Final = JoinForm(seat=1)
INVITATION: Final = Invitation(
    table=_TABLE, code=_CODE, link=f"http://127.0.0.1:8321/t/{_CODE}", local_only=True, hint=_HINT
)
_SEATS: Final = (
    SeatState(seat=0, kind="person", member=1, name="Ana", ready=True),
    SeatState(seat=1, kind="bot", level="greedy", ready=True),
    SeatState(seat=2, kind="empty"),
    SeatState(seat=3, kind="empty"),
)
LOBBY: Final = Lobby(
    tables=(
        TableSummary(
            table=_TABLE,
            code=_CODE,
            phase="open",
            rules_name=_RULES.name,
            rules_title=_RULES.title,
            players=4,
            seats=_SEATS,
            clock=_CLOCK,
            spectators=True,
            spectator_delay_ms=0,
            open_hands=False,
            spectator_count=0,
            created_ms=_NOW_MS,
            totals=(0, 0),
        ),
    )
)
RESULTS: Final = Results(
    results=(
        ResultInfo(
            table=_TABLE,
            match=1,
            ended_ms=_NOW_MS,
            rules_name=_RULES.name,
            rules_title=_RULES.title,
            kind="played",
            winner=0,
            totals=(3120, 2455),
            names=("Ana", "greedy", "Bruno", "greedy"),
            bots=("", "greedy", "", "greedy"),
        ),
    )
)
TALLIES: Final = Tallies(
    tallies=(
        TallyInfo(
            rules_name=_RULES.name,
            rules_title=_RULES.title,
            played=12,
            won=7,
            lost=4,
            points=34120,
            points_against=29880,
        ),
    )
)
LESSON: Final = LessonForm(lesson=_RULES.name)
_LESSON: Final = LessonInfo(
    name=_RULES.name, title=_RULES.title, about="The open game of Brazil.", steps=20, code=_CODE, step=3
)
LESSONS: Final = Lessons(lessons=(_LESSON,))
EXPORT: Final = Export(person=PERSON, bots=(_BOT,), tables=LOBBY.tables, results=RESULTS.results, said=("boa!",))
SNAPSHOT: Final = Snapshot(
    protocol=1,
    version=3,
    at_ms=_NOW_MS,
    table=TableState(
        table=_TABLE,
        code=_CODE,
        phase="open",
        match=1,
        owner=1,
        rules_name=_RULES.name,
        rules_title=_RULES.title,
        rules=to_json(_RULES),
        players=4,
        clock=_CLOCK,
        bot_level="greedy",
        fill_with_bots=True,
        public=True,
        spectators=True,
        spectator_delay_ms=0,
        spectator_chat=False,
        open_hands=False,
        chat=True,
        undo=True,
        hints=False,
        away_ms=30_000,
        forfeit_ms=300_000,
        next_deal_ms=30_000,
        timeouts_max=2,
        seats=_SEATS,
    ),
    you=You(member=1, seat=0, owner=True, may_chat=True),
    members=(Member(member=1, name="Ana"),),
    view=None,
    deals=(),
    chat=(),
)
_POSITION_TEXT: Final = (
    f"buraco-position 1; rules={_RULES.name}; seat=0; hand0=3c 4c 5c 7d 8d 9h Jh Qs Ks Ah 2s; pile=7c 3@0; turn_count=1"
)
_POSITION: Final = read_position(_POSITION_TEXT)
POSITION: Final = PositionInfo(
    version=41,
    seat=0,
    position=position_json(_POSITION),
    text=_POSITION_TEXT,
    legal=tuple(ActionForm(id=action, text=format_action(action)) for action in legal_actions(_POSITION)),
)
MESSAGE: Final = Ready(id="m1", version=3)
ACK: Final = Ack(id="m1", version=4)

RULE_SETS_EXAMPLE: Final = RuleSets(
    rule_sets=(RuleSetInfo(name=_RULES.name, title=_RULES.title, players=_RULES.player_counts),)
)
_EXAMPLE: Final = RuleExample(
    name="run",
    topic="runs",
    caption="Three neighbours of one suit.",
    groups=(ExampleCards(role="played", cards=("5h", "6h", "7h"), wild=-1, category="", words="", points=None),),
    verdict="legal",
    code="",
    text="",
    citation="",
    rule=None,
)
_DOCUMENT: Final = RulesDocument(
    title=f"Rules of {_RULES.title} ({_RULES.name})",
    base="",
    notes=("The sources stand in brackets.",),
    sections=(
        RuleSection(
            name="melds",
            number=4,
            heading="4. Melds",
            statements=(
                RuleStatement(
                    text="A run is three or more consecutive cards of one suit.",
                    topics=("runs",),
                    sources="000 §4",
                    examples=(_EXAMPLE,),
                ),
            ),
        ),
    ),
    headings={"fields": "All fields", "decisions": "Our decisions", "sources": "The sources"},
    fields=(RuleField(field="bonus_out", label="Going out", value="100 points", source="000 §7"),),
    decisions=(RuleNote(topic="Move of a wild", text="The source does not say."),),
    sources=(RuleNote(topic="000", text="The rules of a club."),),
)
RULE_FIELDS: Final = RuleFieldSpecs(
    groups=(
        RuleFieldGroup(
            section="score",
            heading="The score",
            fields=(
                RuleFieldSpec(
                    field="bonus_out",
                    section="score",
                    kind="integer",
                    label="Going out",
                    text="What the side that closes the deal gets.",
                    unit="points",
                    low=0,
                    high=10_000,
                    choices=(),
                    absent="",
                ),
            ),
        ),
    )
)
RULE_SET: Final = RuleSetPage(
    name=_RULES.name,
    title=_RULES.title,
    players=_RULES.player_counts,
    rules=to_json(_RULES),
    page=f"# {_RULES.title}\n",
    toml=to_toml(_RULES),
    document=_DOCUMENT,
)
RULES: Final = RulesForm(toml='base = "aberto"\n\n[fields]\nbonus_out = 200\n')
RULES_REPORT: Final = RulesReport(
    possible=False,
    rules=None,
    reasons=("canasta_size has to be at least 4.",),
    faults=(
        RuleFault(
            code="range",
            fields=("canasta_size",),
            text="Canasta has to be at least 4.",
            citation=str(cite(_RULES, "canasta_size")),
            rule=rule_place(cite(_RULES, "canasta_size")),
        ),
    ),
)
JUDGE: Final = JudgeForm(
    position="buraco-position 1; rules=aberto; seat=0; phase=play; hand0=5c 6c 7c Kd", action="m 5c 6c 8c"
)
JUDGED: Final = Judged(
    seat=0,
    phase="play",
    legal=None,
    judgements=(
        JudgementForm(
            action=None,
            legal=False,
            code="no_meld",
            text="These cards form no meld: it takes three or more cards in sequence of one suit,"
            " or of one rank where sets are allowed, with one wild at most.",
            citation=str(cite(_RULES, "runs")),
            rule=rule_place(cite(_RULES, "runs")),
            position=None,
        ),
    ),
)
RECORD: Final = RecordForm(record="buraco-record 1\n...")
RECORD_TEXT: Final = "buraco-record 1\n..."
REPLAYED: Final = Replayed(
    deals=(DealForm(deal=1, end_kind="closed", out_seat=2, scores=(520, 85), totals=(520, 85)),),
    actions=143,
    winner="",
)
REPLAY_DEAL: Final = ReplayForm(record="buraco-record 1\n...", deal=2)
REPLAYED_DEAL: Final = ReplayedDeal(
    name="k7-31",
    rules_name=_RULES.name,
    rules_title=_RULES.title,
    rules=to_json(_RULES),
    players=2,
    seats=(ReplaySeat(name="Ana", bot=""), ReplaySeat(name="club", bot="club")),
    tags={"table": _TABLE},
    winner="side 0",
    deals=(),
    deal_count=1,
    deal=1,
    steps=(),
    fault=None,
)
REPLAY_POSITION: Final = ReplayPositionForm(record="buraco-record 1\n...", deal=2, step=17, seat=0)
POSITION_TEXT: Final = PositionText(position="buraco-position 1; rules=aberto; seat=0; phase=play; hand0=5c 6c 7c Kd")
VERIFY: Final = VerifyForm(record="buraco-record 1\n...")
VERIFIED: Final = Verified(
    holds=True, deals=3, findings=(finding_json(Finding(code="no_player_seed", deal=2, fault=False)),)
)
