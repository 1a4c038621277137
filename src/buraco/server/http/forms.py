"""The bodies and answers of the HTTP API about people, bots, the server and its tables."""

from __future__ import annotations

from typing import Annotated, Any

from msgspec import Meta, Struct

from buraco.server.limits import PASSWORD_MAX
from buraco.server.messages import TableOptions, TableSummary

__all__ = [
    "ActionForm",
    "BotAccount",
    "BotAccounts",
    "BotForm",
    "BotMade",
    "CreateForm",
    "Export",
    "GuestForm",
    "Invitation",
    "JoinForm",
    "LessonForm",
    "LessonInfo",
    "Lessons",
    "Lobby",
    "NameForm",
    "PasswordForm",
    "PersonInfo",
    "PlayNowForm",
    "PositionInfo",
    "RecoverForm",
    "RegisterForm",
    "Registered",
    "ResultInfo",
    "Results",
    "ServerInfo",
    "Session",
    "SignInForm",
    "Tallies",
    "TallyInfo",
]

ShownName = Annotated[str, Meta(min_length=1, max_length=96, description="1 to 24 printable characters.")]
Password = Annotated[str, Meta(min_length=1, max_length=PASSWORD_MAX, description="8 to 200 characters.")]


# People.


class GuestForm(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A guest's name; ``bearer``: answer with the token itself instead of a cookie, for programs."""

    name: ShownName
    bearer: bool = False


class NameForm(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Another name to be shown."""

    name: ShownName


class RegisterForm(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The name and password of a new account."""

    login: ShownName
    password: Password


class SignInForm(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The name and password of an account; ``bearer`` as for a guest."""

    login: ShownName
    password: Password
    bearer: bool = False


class RecoverForm(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The name of an account, its recovery code, and the new password."""

    login: ShownName
    code: Annotated[str, Meta(min_length=1, max_length=80)]
    password: Password


class PasswordForm(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The old password and the new one."""

    old: Password
    new: Password


class PersonInfo(Struct, frozen=True, kw_only=True):
    """Somebody: ``login`` is the name of the account, null for a guest. ``bot_of`` is the name of the owner of a bot
    account, null for people."""

    person: str
    name: str
    login: str | None
    created_ms: int
    bot_of: str | None = None


class Session(Struct, frozen=True, kw_only=True):
    """Who is signed in (null: nobody); ``token`` is there only where it was asked for."""

    person: PersonInfo | None
    token: str | None = None


class Registered(Struct, frozen=True, kw_only=True):
    """A new account, or a new password: ``recovery_code`` is shown this once and kept nowhere."""

    person: PersonInfo
    recovery_code: str


# Bot accounts.


class BotForm(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The name of a new bot account."""

    name: ShownName


class BotAccount(Struct, frozen=True, kw_only=True):
    """A bot account: the ``person`` that it is at tables, its name, when it was made and last there, whether it has a
    token."""

    person: str
    name: str
    created_ms: int
    seen_ms: int
    has_token: bool


class BotAccounts(Struct, frozen=True, kw_only=True):
    """The bot accounts of somebody, the oldest first, and the most that there may be."""

    bots: tuple[BotAccount, ...]
    most: int


class BotMade(Struct, frozen=True, kw_only=True):
    """A bot account with its new ``token``, which is shown this once and kept nowhere."""

    bot: BotAccount
    token: str


# The server and tables.


class ServerInfo(Struct, frozen=True, kw_only=True):
    """What runs here: versions, and how others reach it.

    ``local_only``: nobody but this computer can open ``address``; ``hint`` says how to change that, else it is empty.
    """

    version: str
    engine: str
    protocol: int
    address: str
    local_only: bool
    hint: str


class CreateForm(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The options of a table, and the seat of the one who makes it (null: none)."""

    options: TableOptions = TableOptions()
    seat: Annotated[int, Meta(ge=0, le=3)] | None = 0


class PlayNowForm(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The options of a table at which bots take all other seats at once."""

    options: TableOptions = TableOptions()


class LessonForm(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The name of the lesson to begin: that of its rules."""

    lesson: Annotated[str, Meta(min_length=1, max_length=40)]


class LessonInfo(Struct, frozen=True, kw_only=True):
    """A lesson: its name and title, those of its rules; what it is ``about``; how many ``steps`` it has.

    ``code`` is that of the table at which the one who asks is in it (null: none), ``step`` is the one that they have
    come to there (0: none), ``over``: they have come to the end.
    """

    name: str
    title: str
    about: str
    steps: int
    code: str | None = None
    step: int = 0
    over: bool = False


class Lessons(Struct, frozen=True, kw_only=True):
    """The lessons."""

    lessons: tuple[LessonInfo, ...]


class JoinForm(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The seat to take; null takes the first free one."""

    seat: Annotated[int, Meta(ge=0, le=3)] | None = None


class Invitation(Struct, frozen=True, kw_only=True):
    """A table and how others come to it: the short ``code``, and the ``link``, which gives nobody a seat by itself.

    ``local_only`` and ``hint`` as in the server's information.
    """

    table: str
    code: str
    link: str
    local_only: bool
    hint: str


class ActionForm(Struct, frozen=True, kw_only=True):
    """An action: its id, and how it is written."""

    id: int
    text: str


class PositionInfo(Struct, frozen=True, kw_only=True):
    """The deal in play or just finished as its receiver may see it: the ``version`` of the table, the receiver's
    ``seat`` (null: none), the ``position`` in its JSON form (docs/notation.md) and as ``text``, and the receiver's
    ``legal`` actions, none while it is not their turn."""

    version: int
    seat: int | None
    position: dict[str, Any]
    text: str
    legal: tuple[ActionForm, ...]


class Lobby(Struct, frozen=True, kw_only=True):
    """Tables, the newest first."""

    tables: tuple[TableSummary, ...]


class ResultInfo(Struct, frozen=True, kw_only=True):
    """A finished match: the table, the match there (from 1), when it ended, by which rules, how, who won, who played.

    ``names`` are those of the seats; ``bots`` the levels of the bots, empty where a person sat. ``own_seat`` is the
    seat of the person whose history it is, null elsewhere.
    """

    table: str
    match: int
    ended_ms: int
    rules_name: str
    rules_title: str
    kind: str
    winner: int | None
    totals: tuple[int, int]
    names: tuple[str, ...]
    bots: tuple[str, ...]
    own_seat: int | None = None


class Results(Struct, frozen=True, kw_only=True):
    """Finished matches, the newest first."""

    results: tuple[ResultInfo, ...]


class TallyInfo(Struct, frozen=True, kw_only=True):
    """What somebody has done under the rules of a name: how many matches, how many of them won and lost (the others
    have no winner), the points of the own side and of the other one."""

    rules_name: str
    rules_title: str
    played: int
    won: int
    lost: int
    points: int
    points_against: int


class Tallies(Struct, frozen=True, kw_only=True):
    """Results by rules, those of the most matches first."""

    tallies: tuple[TallyInfo, ...]


class Export(Struct, frozen=True, kw_only=True):
    """Everything that the server keeps about a person."""

    person: PersonInfo
    bots: tuple[BotAccount, ...]
    tables: tuple[TableSummary, ...]
    results: tuple[ResultInfo, ...]
    said: tuple[str, ...]
