"""The operations about tables: making, finding, joining, watching, results, records."""

from __future__ import annotations

import asyncio
import secrets
from typing import Annotated, Final

import msgspec
from fastapi import Path, Query, Request
from starlette.responses import Response

import buraco
from buraco.errors import BuracoError
from buraco.notation import (
    Record,
    format_action,
    format_position,
    format_record,
    parse_record,
    position_json,
    record_json_text,
)
from buraco.rules import DEFAULT_RULES
from buraco.server.accounts import Person
from buraco.server.addresses import invitation_hint, invitation_link
from buraco.server.forgetting import principal_of
from buraco.server.house_rules import rule_set_page
from buraco.server.http import examples
from buraco.server.http.bridge import (
    FinishedTable,
    LimitQuery,
    Operation,
    Operations,
    TableName,
    add,
    as_problem,
    caller,
    known,
    parts_of,
    read_body,
    read_content,
    reply,
)
from buraco.server.http.forms import (
    ActionForm,
    CreateForm,
    Invitation,
    JoinForm,
    Lobby,
    PlayNowForm,
    PositionInfo,
    Results,
    ServerInfo,
)
from buraco.server.http.people import results_of
from buraco.server.http.referee_forms import BotLevel, BotLevels
from buraco.server.language import language_of
from buraco.server.messages import PROTOCOL_VERSION, Refused, Reply, Sit, TableOptions
from buraco.server.parts import Parts
from buraco.server.problems import ProblemError
from buraco.server.reading import NoMessage, NotJson, read_client
from buraco.server.records import ended_deals
from buraco.server.table import Table
from buraco.server.terms import Principal, ServerError
from buraco.server.thinking import offered_levels, usual_level
from buraco.texts import in_language
from buraco.texts import message as text_of

__all__ = ["check_number", "invitation", "tables_router"]

_TAG: Final = "tables"
tables_router: Final = Operations()

MatchNumber = Annotated[int, Path(ge=1, le=1_000_000, description="A match of the table, from 1.")]


def invitation(request: Request, table: Table) -> Invitation:
    """Return a table with how others come to it."""
    parts = parts_of(request)
    return Invitation(
        table=table.table_id,
        code=table.code,
        link=invitation_link(parts.address, table.code),
        local_only=parts.settings.local_only,
        hint=in_language(invitation_hint(parts.settings), language_of(request.scope)),
    )


async def _table(parts: Parts, name: str) -> Table:
    try:
        return await parts.service.get(name)
    except ServerError as error:
        raise as_problem(error) from None


async def check_number(parts: Parts, person: Person) -> None:
    """Raise ProblemError (codes ``tables_limit``, ``server_full``) if there are enough tables."""
    await parts.service.refresh()
    if parts.service.count_owned(principal_of(person)) >= parts.settings.tables_per_person:
        raise ProblemError("tables_limit", text_of("http.tables_limit"))
    if parts.service.count() >= parts.settings.tables_max:
        raise ProblemError("server_full", text_of("http.server_full"), headers={"Retry-After": "60"})


def _with_rules(options: TableOptions) -> TableOptions:
    """Return the options with the usual rules where they name none."""
    if options.rules is None and options.rules_toml is None:
        return msgspec.structs.replace(options, rules=DEFAULT_RULES)
    return options


@add(
    tables_router,
    "GET",
    "/api/server",
    Operation(name="server", tag=_TAG, summary="What runs here", answer=examples.SERVER),
)
async def server(request: Request) -> Response:
    """Return versions, the address, and whether others can open it."""
    parts = parts_of(request)
    return reply(
        ServerInfo(
            version=buraco.__version__,
            engine=buraco.build_kind(),
            protocol=PROTOCOL_VERSION,
            address=parts.address,
            local_only=parts.settings.local_only,
            hint=in_language(invitation_hint(parts.settings), language_of(request.scope)),
        )
    )


@add(
    tables_router,
    "GET",
    "/api/bots",
    Operation(name="bots", tag=_TAG, summary="The levels of bots", answer=examples.BOTS),
)
async def bots(request: Request) -> Response:
    """Return the levels of bots, the weakest first."""
    own = parts_of(request).settings
    levels = offered_levels(own.bot_levels)
    usual = own.bot_level or usual_level(levels)
    return reply(BotLevels(levels=tuple(BotLevel(name=name) for name in levels), usual=usual))


@add(
    tables_router,
    "GET",
    "/api/tables",
    Operation(name="lobby", tag=_TAG, summary="The lobby", answer=examples.LOBBY),
)
async def lobby(request: Request, limit: LimitQuery = 200) -> Response:
    """Return the public tables that wait for players, and those that may be watched, the newest first."""
    service = parts_of(request).service
    await service.refresh()
    return reply(Lobby(tables=tuple(service.lobby(language_of(request.scope))[:limit])))


@add(
    tables_router,
    "POST",
    "/api/tables",
    Operation(
        name="createTable",
        tag=_TAG,
        summary="Make a table",
        body=examples.CREATE,
        answer=examples.INVITATION,
        status=201,
        signed_in=True,
    ),
)
async def create_table(request: Request) -> Response:
    """Make a table and sit down at it. The answer has the code and the link by which others come; neither gives a seat
    that is taken. What the options may be is in docs/protocol.md."""
    person, parts = await caller(request), parts_of(request)
    form = await read_body(request, CreateForm)
    await check_number(parts, person)
    try:
        table = await parts.service.create(principal_of(person), _with_rules(form.options), seat=form.seat)
    except BuracoError as error:
        raise as_problem(error) from None
    parts.log.info("table_made", table=table.table_id, person=person.person_id, players=form.options.players)
    return reply(invitation(request, table), 201)


@add(
    tables_router,
    "POST",
    "/api/play-now",
    Operation(
        name="playNow",
        tag=_TAG,
        summary="Play now against bots",
        body=examples.PLAY_NOW,
        answer=examples.INVITATION,
        status=201,
        signed_in=True,
    ),
)
async def play_now(request: Request) -> Response:
    """Make a table with bots in all other seats and begin the match: one request, and the cards are dealt."""
    person, parts = await caller(request), parts_of(request)
    form = await read_body(request, PlayNowForm)
    await check_number(parts, person)
    try:
        table = await parts.service.play_now(principal_of(person), _with_rules(form.options))
    except BuracoError as error:
        raise as_problem(error) from None
    parts.log.info("table_made", table=table.table_id, person=person.person_id, players=form.options.players)
    return reply(invitation(request, table), 201)


@add(
    tables_router,
    "GET",
    "/api/tables/{name}",
    Operation(
        name="table",
        tag=_TAG,
        summary="A table as I may see it",
        answer=examples.SNAPSHOT,
        statuses=(403, 404, 410),
        signed_in=True,
    ),
)
async def table_snapshot(request: Request, name: TableName) -> Response:
    """Return what the person may see of a table now; the socket tells the rest (docs/protocol.md)."""
    person = await caller(request)
    table = await _table(parts_of(request), name)
    try:
        return reply(table.snapshot(principal_of(person, language_of(request.scope))))
    except ServerError as error:
        raise as_problem(error) from None


@add(
    tables_router,
    "GET",
    "/api/tables/{name}/position",
    Operation(
        name="tablePosition",
        tag=_TAG,
        summary="The deal as a position",
        answer=examples.POSITION,
        statuses=(403, 404, 409, 410),
        signed_in=True,
    ),
)
async def table_position(request: Request, name: TableName) -> Response:
    """Return the deal as the person may see it now in the form that the referee and the bot protocol read, with the
    person's legal actions as texts and ids: all that a program needs to choose one."""
    person = await caller(request)
    table = await _table(parts_of(request), name)
    try:
        version, view = table.view_of(principal_of(person))
    except BuracoError as error:
        raise as_problem(error) from None
    return reply(
        PositionInfo(
            version=version,
            seat=view.seat,
            position=position_json(view.position),
            text=format_position(view.position),
            legal=tuple(ActionForm(id=action, text=format_action(action)) for action in view.legal),
        )
    )


@add(
    tables_router,
    "GET",
    "/api/tables/{name}/rules",
    Operation(
        name="tableRules",
        tag=_TAG,
        summary="The rules of a table",
        answer=examples.RULE_SET,
        statuses=(403, 404, 410),
        signed_in=True,
    ),
)
async def table_rules(request: Request, name: TableName) -> Response:
    """Return the rules that are played at a table, house rules and a changed target included, to whoever may see it."""
    person = await caller(request)
    table = await _table(parts_of(request), name)
    language = language_of(request.scope)
    try:
        table.check_may_see(principal_of(person, language))
    except ServerError as error:
        raise as_problem(error) from None
    return reply(await asyncio.to_thread(rule_set_page, table.fold.rules, language))


@add(
    tables_router,
    "POST",
    "/api/tables/{name}/join",
    Operation(
        name="join",
        tag=_TAG,
        summary="Take a seat",
        body=examples.JOIN,
        answer=examples.INVITATION,
        statuses=(404, 409, 410),
        signed_in=True,
    ),
)
async def join(request: Request, name: TableName) -> Response:
    """Take a seat by the code or identifier of a table. Of two who take one seat at once, one gets it."""
    person, parts = await caller(request), parts_of(request)
    form = await read_body(request, JoinForm)
    table = await _table(parts, name)
    principal = principal_of(person, language_of(request.scope))
    try:
        seen = table.snapshot(principal)
    except ServerError as error:
        raise as_problem(error) from None
    free = [one.seat for one in seen.table.seats if one.kind == "empty"]
    seat = form.seat if form.seat is not None else free[0] if free else None
    if seat is None:
        raise ProblemError("table_full", text_of("http.no_seat_free"))
    message = Sit(id=f"join-{secrets.token_hex(8)}", version=seen.version, seat=seat)
    answer = await table.handle(principal, message)
    if isinstance(answer, Refused):
        code = "taken" if answer.code == "seat_taken" else answer.code
        raise ProblemError(code, answer.text)
    return reply(invitation(request, table))


@add(
    tables_router,
    "POST",
    "/api/tables/{name}/messages",
    Operation(
        name="send",
        tag=_TAG,
        summary="Send a message without a socket",
        body=examples.MESSAGE,
        answer=examples.ACK,
        statuses=(404, 410),
        signed_in=True,
    ),
)
async def send(request: Request, name: TableName) -> Response:
    """Send one message of the socket's protocol, for programs that would rather ask than listen. The answer is the
    reply: an ``ack``, or a ``refused`` with its code. What has no id to answer to is a problem."""
    person, parts = await caller(request), parts_of(request)
    content = await read_content(request)
    if len(content) > parts.settings.message_bytes_max:
        raise ProblemError("too_long", text_of("http.too_long", limit=parts.settings.message_bytes_max))
    if not parts.limiters.messages.allow(person.person_id):
        raise ProblemError("rate", text_of("http.too_many_messages"), headers={"Retry-After": "1"})
    table, principal = await _table(parts, name), principal_of(person, language_of(request.scope))
    answer = await _answered(parts, table, principal, content)
    if isinstance(answer, Refused):
        parts.metrics.refusals.labels(answer.code).inc()
    return reply(answer)


async def _answered(parts: Parts, table: Table, principal: Principal, content: bytes) -> Reply:
    """Return the reply to a message. Raises ProblemError: ``forbidden``, ``bad_json``, ``invalid``."""
    try:
        table.check_may_see(principal)
        message = read_client(content)
    except ServerError as error:
        raise as_problem(error) from None
    except NotJson:
        raise ProblemError("bad_json", text_of("http.bad_json")) from None
    except NoMessage as error:
        if not error.message_id:
            raise ProblemError("invalid", error.reason) from None
        return table.bad_message(principal, error.message_id, error.reason)
    parts.metrics.messages.labels(str(type(message).__struct_config__.tag)).inc()
    return await table.handle(principal, message)


@add(
    tables_router,
    "GET",
    "/api/tables/{name}/results",
    Operation(name="tableResults", tag=_TAG, summary="The results of a table", answer=examples.RESULTS),
)
async def table_results(request: Request, name: FinishedTable) -> Response:
    """Return the finished matches of a table by its identifier, the newest first; none if there is no such table."""
    found = await parts_of(request).archive.results_of_table(name)
    return reply(Results(results=results_of(request, found)))


@add(
    tables_router,
    "GET",
    "/api/tables/{name}/records/{match}",
    Operation(
        name="record",
        tag=_TAG,
        summary="The record of a match",
        answer=examples.RECORD_TEXT,
        media_type="text/plain",
        more_types={"application/json": {"schema": {"type": "object"}}},
        statuses=(404,),
    ),
)
async def record(
    request: Request,
    name: FinishedTable,
    match: MatchNumber,
    form: Annotated[str, Query(pattern="^(text|json)$", description="`text` or `json`.")] = "text",
) -> Response:
    """Return the record of a finished match, seeds and all (docs/notation.md). Before the end it would hold cards that
    are in play: who has a seat gets the deals that have ended, whose seeds are revealed, and nobody else anything."""
    stored = await parts_of(request).archive.record(name, match)
    read = parse_record(stored) if stored is not None else await _so_far(request, name, match)
    if read is None:
        raise ProblemError("no_record", text_of("http.no_record"))
    if form == "json":
        return Response(record_json_text(read), media_type="application/json")
    return Response(format_record(read), media_type="text/plain")


async def _so_far(request: Request, name: str, match: int) -> Record | None:
    """Return the deals that have ended of a match that is on, if who asks has a seat in it."""
    person, service = await known(request), parts_of(request).service
    try:
        table = await service.get(name)
    except ServerError:
        return None
    fold = table.fold
    seated = person is not None and not person.banned and fold.seat_of(principal_of(person)) is not None
    return ended_deals(fold) if seated and fold.match == match else None


@add(
    tables_router,
    "GET",
    "/api/results",
    Operation(name="results", tag=_TAG, summary="The last results", answer=examples.RESULTS),
)
async def results(request: Request, limit: LimitQuery = 50) -> Response:
    """Return the last finished matches of public tables."""
    found = await parts_of(request).archive.results(limit)
    return reply(Results(results=results_of(request, found)))
