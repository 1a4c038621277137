"""The operations about people: guests, accounts, their data."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from fastapi import Request
from starlette.responses import Response

from buraco.errors import BuracoError
from buraco.rules import title_of_name
from buraco.server.accounts import Person, login_key
from buraco.server.archive import StoredResult, Tally
from buraco.server.forgetting import forget_person, principal_of
from buraco.server.http import examples
from buraco.server.http.bots import bot_info
from buraco.server.http.bridge import (
    BeforeQuery,
    LimitQuery,
    Operation,
    Operations,
    PersonPath,
    account_holder,
    add,
    as_problem,
    caller,
    parts_of,
    read_body,
    reply,
)
from buraco.server.http.forms import (
    Export,
    GuestForm,
    Lobby,
    NameForm,
    PasswordForm,
    PersonInfo,
    RecoverForm,
    Registered,
    RegisterForm,
    ResultInfo,
    Results,
    Session,
    SignInForm,
    Tallies,
    TallyInfo,
)
from buraco.server.identity import cookie_name
from buraco.server.language import language_of
from buraco.server.problems import ProblemError
from buraco.server.terms import CLOSE_NOT_ALLOWED
from buraco.texts import message

__all__ = ["COOKIE_AGE_S", "people_router", "results_of"]

COOKIE_AGE_S: Final = 400 * 86_400
"""How long browsers keep a token; none keeps one longer."""

_TAG: Final = "people"
people_router: Final = Operations()


def person_info(person: Person) -> PersonInfo:
    """Return what is told about a person."""
    return PersonInfo(
        person=person.person_id,
        name=person.name,
        login=person.login,
        created_ms=person.created_ms,
        bot_of=person.owner_name or None,
    )


def _result_info(result: StoredResult, language: str) -> ResultInfo:
    """Return what is told about a finished match, in a language."""
    return ResultInfo(
        table=result.table,
        match=result.match,
        ended_ms=result.ended_ms,
        rules_name=result.rules_name,
        rules_title=title_of_name(result.rules_name, language),
        kind=result.kind,
        winner=result.winner,
        totals=result.totals,
        names=result.names,
        bots=result.bots,
        own_seat=result.own_seat,
    )


def results_of(request: Request, found: Iterable[StoredResult]) -> tuple[ResultInfo, ...]:
    """Return what is told about finished matches to whoever asks, in their language."""
    language = language_of(request.scope)
    return tuple(_result_info(one, language) for one in found)


def _tally_info(tally: Tally, language: str) -> TallyInfo:
    return TallyInfo(
        rules_name=tally.rules_name,
        rules_title=title_of_name(tally.rules_name, language),
        played=tally.played,
        won=tally.won,
        lost=tally.lost,
        points=tally.points,
        points_against=tally.points_against,
    )


def _with_cookie(request: Request, response: Response, token: str) -> Response:
    secure = parts_of(request).settings.secure
    response.set_cookie(
        cookie_name(secure=secure), token, max_age=COOKIE_AGE_S, path="/", httponly=True, samesite="lax", secure=secure
    )
    return response


def _session(request: Request, person: Person, *, bearer: bool, status: int = 200) -> Response:
    """Answer with a token: in the body where it was asked for, else in a cookie that scripts cannot read."""
    token = parts_of(request).people.token(person)
    if bearer:
        return reply(Session(person=person_info(person), token=token), status)
    return _with_cookie(request, reply(Session(person=person_info(person)), status), token)


async def _check_logins(request: Request, login: str) -> None:
    """Count a try to get into an account. Raises ProblemError (code ``rate``)."""
    logins = parts_of(request).limiters.logins
    network = request.scope["buraco.network"]
    # By account and address, so that nobody can lock others out of their accounts.
    allowed = [await logins.allow(key) for key in (f"address {network}", f"login {network} {login_key(login)}")]
    if not all(allowed):
        raise ProblemError("rate", message("http.too_many_tries"), headers={"Retry-After": "180"})


@add(
    people_router,
    "POST",
    "/api/guests",
    Operation(
        name="makeGuest",
        tag=_TAG,
        summary="Play as a guest",
        body=examples.GUEST,
        answer=examples.SESSION,
        status=201,
    ),
)
async def make_guest(request: Request) -> Response:
    """Make a guest with a name of 1 to 24 printable characters, and give it a token: a cookie, or with ``bearer`` the
    token itself, to be sent as ``Authorization: Bearer``."""
    form = await read_body(request, GuestForm)
    parts = parts_of(request)
    if not await parts.limiters.guests.allow(request.scope["buraco.network"]):
        raise ProblemError("rate", message("http.too_many_guests"), headers={"Retry-After": "600"})
    try:
        person = await parts.people.guest(form.name)
    except BuracoError as error:
        raise as_problem(error) from None
    parts.log.info("guest_made", person=person.person_id)
    return _session(request, person, bearer=form.bearer, status=201)


@add(
    people_router,
    "GET",
    "/api/session",
    Operation(name="session", tag=_TAG, summary="Is anybody signed in", answer=examples.SESSION),
)
async def session(request: Request) -> Response:
    """Return the person of the token, or null; a page asks so before anybody has a token."""
    try:
        person = await caller(request)
    except ProblemError:
        return reply(Session(person=None))
    return reply(Session(person=person_info(person)))


@add(
    people_router,
    "GET",
    "/api/me",
    Operation(name="whoAmI", tag=_TAG, summary="Who am I", answer=examples.PERSON, signed_in=True),
)
async def who_am_i(request: Request) -> Response:
    """Return the person of the token."""
    return reply(person_info(await caller(request)))


@add(
    people_router,
    "PATCH",
    "/api/me",
    Operation(
        name="rename", tag=_TAG, summary="Change my name", body=examples.NAME, answer=examples.PERSON, signed_in=True
    ),
)
async def rename(request: Request) -> Response:
    """Change the name that others see; seats and history stay, since they belong to the token and not to the name."""
    person = await account_holder(request)
    form = await read_body(request, NameForm)
    try:
        return reply(person_info(await parts_of(request).people.rename(person, form.name)))
    except BuracoError as error:
        raise as_problem(error) from None


@add(
    people_router,
    "DELETE",
    "/api/me",
    Operation(name="deleteMe", tag=_TAG, summary="Delete my data", status=204, signed_in=True),
)
async def delete_me(request: Request) -> Response:
    """Delete the person, the account, and the name and words in everything that is kept. Seats in unfinished matches go
    to bots; finished matches stay, with nobody's name at the seat."""
    await forget_person(parts_of(request), await account_holder(request))
    return _without_cookie(request)


def _without_cookie(request: Request) -> Response:
    response = Response(status_code=204)
    secure = parts_of(request).settings.secure
    response.delete_cookie(cookie_name(secure=secure), path="/", httponly=True, samesite="lax", secure=secure)
    return response


@add(
    people_router,
    "GET",
    "/api/me/export",
    Operation(name="exportMe", tag=_TAG, summary="Export my data", answer=examples.EXPORT, signed_in=True),
)
async def export_me(request: Request) -> Response:
    """Return everything that the server keeps about the person, but for the hash of the password."""
    person, parts = await caller(request), parts_of(request)
    await parts.service.refresh()
    history = await parts.archive.history(person.person_id, None, public_only=False)
    return reply(
        Export(
            person=person_info(person),
            bots=tuple(bot_info(bot) for bot in await parts.people.bots_of(person.person_id)),
            tables=tuple(parts.service.tables_of(principal_of(person, language_of(request.scope)))),
            results=results_of(request, history),
            said=tuple(await parts.archive.said(person.person_id)),
        )
    )


@add(
    people_router,
    "GET",
    "/api/me/tables",
    Operation(name="myTables", tag=_TAG, summary="My unfinished tables", answer=examples.LOBBY, signed_in=True),
)
async def my_tables(request: Request) -> Response:
    """Return the unfinished tables at which the person sits, or that the person made."""
    person, service = await caller(request), parts_of(request).service
    await service.refresh()
    return reply(Lobby(tables=tuple(service.tables_of(principal_of(person, language_of(request.scope))))))


@add(
    people_router,
    "GET",
    "/api/me/history",
    Operation(name="myHistory", tag=_TAG, summary="My finished matches", answer=examples.RESULTS, signed_in=True),
)
async def my_history(request: Request, limit: LimitQuery = 50, before_ms: BeforeQuery = None) -> Response:
    """Return the finished matches of the person, those of private tables too."""
    person = await caller(request)
    found = await parts_of(request).archive.history(person.person_id, limit, public_only=False, before_ms=before_ms)
    return reply(Results(results=results_of(request, found)))


@add(
    people_router,
    "GET",
    "/api/me/tallies",
    Operation(name="myTallies", tag=_TAG, summary="My results by rules", answer=examples.TALLIES, signed_in=True),
)
async def my_tallies(request: Request) -> Response:
    """Return how many matches the person played under each rule set, and how they went."""
    person, language = await caller(request), language_of(request.scope)
    found = await parts_of(request).archive.tallies(person.person_id)
    return reply(Tallies(tallies=tuple(_tally_info(one, language) for one in found)))


@add(
    people_router,
    "GET",
    "/api/people/{person}/history",
    Operation(name="history", tag=_TAG, summary="Somebody's finished matches", answer=examples.RESULTS),
)
async def history(
    request: Request, person: PersonPath, limit: LimitQuery = 50, before_ms: BeforeQuery = None
) -> Response:
    """Return the finished matches of a person at public tables; nobody of that identifier has none."""
    found = await parts_of(request).archive.history(person, limit, public_only=True, before_ms=before_ms)
    return reply(Results(results=results_of(request, found)))


@add(
    people_router,
    "POST",
    "/api/me/logout",
    Operation(name="logOut", tag=_TAG, summary="Log out here", status=204),
)
async def log_out(request: Request) -> Response:
    """Take the cookie back. A guest who logs out is gone: nothing but the token leads back to its seats."""
    return _without_cookie(request)


@add(
    people_router,
    "POST",
    "/api/me/logout-everywhere",
    Operation(name="logOutEverywhere", tag=_TAG, summary="Log out everywhere", status=204, signed_in=True),
)
async def log_out_everywhere(request: Request) -> Response:
    """End every token of the person, also on other devices, and close the open sockets."""
    person, parts = await account_holder(request), parts_of(request)
    await parts.people.log_out_everywhere(person)
    parts.sockets.close_person(person.person_id, CLOSE_NOT_ALLOWED, "logged out everywhere")
    return _without_cookie(request)


@add(
    people_router,
    "POST",
    "/api/accounts",
    Operation(
        name="register",
        tag=_TAG,
        summary="Make an account",
        body=examples.REGISTER,
        answer=examples.REGISTERED,
        status=201,
        statuses=(409,),
        signed_in=True,
    ),
)
async def register(request: Request) -> Response:
    """Make an account of a guest, who keeps seats and history. The recovery code is shown this once; there is no mail,
    so nothing else helps whoever forgets the password."""
    person, parts = await account_holder(request), parts_of(request)
    form = await read_body(request, RegisterForm)
    await _check_logins(request, form.login)
    try:
        made, code = await parts.people.register(person, form.login, form.password)
    except BuracoError as error:
        raise as_problem(error) from None
    parts.log.info("account_made", person=made.person_id)
    return reply(Registered(person=person_info(made), recovery_code=code), 201)


@add(
    people_router,
    "POST",
    "/api/accounts/login",
    Operation(
        name="signIn",
        tag=_TAG,
        summary="Sign in",
        body=examples.SIGN_IN,
        answer=examples.SESSION,
        statuses=(401,),
    ),
)
async def sign_in(request: Request) -> Response:
    """Sign in on this device. A guest's seats stay the guest's."""
    form = await read_body(request, SignInForm)
    await _check_logins(request, form.login)
    try:
        person = await parts_of(request).people.sign_in(form.login, form.password)
    except BuracoError as error:
        raise as_problem(error) from None
    if person.banned:
        raise ProblemError("banned", message("http.banned"))
    return _session(request, person, bearer=form.bearer)


@add(
    people_router,
    "POST",
    "/api/accounts/recover",
    Operation(
        name="recover",
        tag=_TAG,
        summary="Set a new password with the recovery code",
        body=examples.RECOVER,
        answer=examples.REGISTERED,
        statuses=(401,),
    ),
)
async def recover(request: Request) -> Response:
    """Set a new password with the recovery code. Every earlier token ends; the answer has a new code."""
    form = await read_body(request, RecoverForm)
    await _check_logins(request, form.login)
    parts = parts_of(request)
    try:
        person, code = await parts.people.recover(form.login, form.code, form.password)
    except BuracoError as error:
        raise as_problem(error) from None
    parts.sockets.close_person(person.person_id, CLOSE_NOT_ALLOWED, "the password was changed")
    answer = reply(Registered(person=person_info(person), recovery_code=code))
    return _with_cookie(request, answer, parts.people.token(person))


@add(
    people_router,
    "POST",
    "/api/me/password",
    Operation(
        name="changePassword",
        tag=_TAG,
        summary="Change my password",
        body=examples.PASSWORD,
        answer=examples.SESSION,
        signed_in=True,
    ),
)
async def change_password(request: Request) -> Response:
    """Change the password of an account. Every earlier token ends; this device gets a new one as a cookie."""
    person, parts = await account_holder(request), parts_of(request)
    form = await read_body(request, PasswordForm)
    if person.login is not None:
        await _check_logins(request, person.login)
    try:
        changed = await parts.people.change_password(person, form.old, form.new)
    except BuracoError as error:
        raise as_problem(error) from None
    parts.sockets.close_person(person.person_id, CLOSE_NOT_ALLOWED, "the password was changed")
    return _session(request, changed, bearer=False)
