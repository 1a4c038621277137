"""The operations about bot accounts: programs of the owner of an account that play at tables under their own names."""

from __future__ import annotations

from typing import Final

from fastapi import Request
from starlette.responses import Response

from buraco.errors import BuracoError
from buraco.server.accounts import Person
from buraco.server.forgetting import forget_person
from buraco.server.http import examples
from buraco.server.http.bridge import (
    Operation,
    Operations,
    PersonPath,
    account_holder,
    add,
    as_problem,
    parts_of,
    read_body,
    reply,
)
from buraco.server.http.forms import BotAccount, BotAccounts, BotForm, BotMade
from buraco.server.problems import ProblemError
from buraco.server.terms import CLOSE_NOT_ALLOWED
from buraco.texts import message

__all__ = ["bot_info", "bots_router"]

_TAG: Final = "bots"
bots_router: Final = Operations()


def bot_info(bot: Person) -> BotAccount:
    """Return what its owner is told about a bot account."""
    return BotAccount(
        person=bot.person_id,
        name=bot.name,
        created_ms=bot.created_ms,
        seen_ms=bot.seen_ms,
        has_token=bot.has_token,
    )


async def _own_bot(request: Request, person_id: str) -> Person:
    """Return a bot account of whoever asks. Raises ProblemError (codes of `account_holder`, ``no_bot``)."""
    owner = await account_holder(request)
    try:
        return await parts_of(request).people.bot_of(owner, person_id)
    except BuracoError as error:
        raise as_problem(error) from None


@add(
    bots_router,
    "GET",
    "/api/me/bots",
    Operation(
        name="myBots",
        tag=_TAG,
        summary="My bot accounts",
        answer=examples.BOT_ACCOUNTS,
        statuses=(403,),
        signed_in=True,
    ),
)
async def my_bots(request: Request) -> Response:
    """Return the bot accounts of the person, and how many there may be."""
    owner, parts = await account_holder(request), parts_of(request)
    bots = tuple(bot_info(bot) for bot in await parts.people.bots_of(owner.person_id))
    return reply(BotAccounts(bots=bots, most=parts.settings.bots_per_account))


@add(
    bots_router,
    "POST",
    "/api/me/bots",
    Operation(
        name="makeBot",
        tag=_TAG,
        summary="Make a bot account",
        body=examples.BOT_FORM,
        answer=examples.BOT_MADE,
        status=201,
        signed_in=True,
    ),
)
async def make_bot(request: Request) -> Response:
    """Make a bot account, and give it a token, which is shown this once: a program sends it as
    ``Authorization: Bearer`` with every request and socket. At tables it is a member like any other, but everybody sees
    that it is a bot, and whose. It cannot change accounts."""
    owner, parts = await account_holder(request), parts_of(request)
    form = await read_body(request, BotForm)
    if not await parts.limiters.guests.allow(request.scope["buraco.network"]):
        raise ProblemError("rate", message("http.too_many_guests"), headers={"Retry-After": "600"})
    try:
        bot, token = await parts.people.make_bot(owner, form.name, parts.settings.bots_per_account)
    except BuracoError as error:
        raise as_problem(error) from None
    parts.log.info("bot_made", person=bot.person_id)
    return reply(BotMade(bot=bot_info(bot), token=token), 201)


@add(
    bots_router,
    "DELETE",
    "/api/me/bots/{person}",
    Operation(name="deleteBot", tag=_TAG, summary="Delete a bot account", status=204, statuses=(404,), signed_in=True),
)
async def delete_bot(request: Request, person: PersonPath) -> Response:
    """Delete a bot account: its token ends, other bots play its seats on, its name goes from what is kept."""
    await forget_person(parts_of(request), await _own_bot(request, person))
    return Response(status_code=204)


@add(
    bots_router,
    "POST",
    "/api/me/bots/{person}/token",
    Operation(
        name="renewBotToken",
        tag=_TAG,
        summary="Give a bot account another token",
        answer=examples.BOT_MADE,
        statuses=(404,),
        signed_in=True,
    ),
)
async def renew_token(request: Request, person: PersonPath) -> Response:
    """Give a bot account another token. The earlier one ends, and so do the sockets that were opened with it."""
    bot, parts = await _own_bot(request, person), parts_of(request)
    token = await parts.people.new_token(bot)
    parts.sockets.close_person(bot.person_id, CLOSE_NOT_ALLOWED, "the token was renewed")
    made = await parts.people.find(person)
    return reply(BotMade(bot=bot_info(made or bot), token=token))


@add(
    bots_router,
    "DELETE",
    "/api/me/bots/{person}/token",
    Operation(
        name="revokeBotToken",
        tag=_TAG,
        summary="End the token of a bot account",
        status=204,
        statuses=(404,),
        signed_in=True,
    ),
)
async def revoke_token(request: Request, person: PersonPath) -> Response:
    """End the token of a bot account, and its open sockets. The account stays; it can get another token."""
    bot, parts = await _own_bot(request, person), parts_of(request)
    await parts.people.revoke_token(bot.person_id)
    parts.sockets.close_person(bot.person_id, CLOSE_NOT_ALLOWED, "the token was revoked")
    return Response(status_code=204)
