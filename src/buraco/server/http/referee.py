"""The operations about rules, positions and records: what the referee says without a table."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Annotated, Any, Final, TypeVar

from fastapi import Path, Request
from starlette.responses import Response

from buraco.errors import BuracoError, RulesError
from buraco.rules import RULE_SETS, get_rules, title_in
from buraco.server.house_rules import field_specs, report, rule_set_page
from buraco.server.http import examples
from buraco.server.http.bridge import Operation, Operations, add, as_problem, parts_of, read_body, reply, takes_gzip
from buraco.server.http.referee_forms import (
    JudgeForm,
    RecordForm,
    ReplayForm,
    ReplayPositionForm,
    RuleSetInfo,
    RuleSets,
    RulesForm,
    VerifyForm,
)
from buraco.server.language import language_of
from buraco.server.problems import ProblemError
from buraco.server.record_steps import replay_position, replayed_deal
from buraco.server.refereeing import judged, replayed, verified
from buraco.texts import message

__all__ = ["referee_router"]

_TAG: Final = "referee"
referee_router: Final = Operations()

_T = TypeVar("_T")
RulesName = Annotated[
    str, Path(pattern=r"^[a-z0-9-]{1,64}$", description="The name of a rule set.", examples=list(RULE_SETS)[:1])
]


@add(
    referee_router,
    "GET",
    "/api/rule-sets",
    Operation(name="ruleSets", tag=_TAG, summary="The rule sets", answer=examples.RULE_SETS_EXAMPLE),
)
async def rule_sets(request: Request) -> Response:
    """Return every rule set, the usual one first."""
    language = language_of(request.scope)
    sets = (
        RuleSetInfo(name=one.name, title=title_in(one, language), players=one.player_counts)
        for one in RULE_SETS.values()
    )
    return reply(RuleSets(rule_sets=tuple(sets)))


@add(
    referee_router,
    "GET",
    "/api/rule-sets/{name}",
    Operation(name="ruleSet", tag=_TAG, summary="A rule set in full", answer=examples.RULE_SET, statuses=(404,)),
)
async def rule_set(request: Request, name: RulesName) -> Response:
    """Return every field of a rule set, its page for people, and TOML to begin house rules with."""
    language = language_of(request.scope)
    try:
        rules = get_rules(name)
    except RulesError as error:
        raise as_problem(error) from None
    # Examples are judged the first time that they are asked for.
    return reply(await asyncio.to_thread(rule_set_page, rules, language))


@add(
    referee_router,
    "GET",
    "/api/rules/fields",
    Operation(name="ruleFields", tag=_TAG, summary="The fields of house rules", answer=examples.RULE_FIELDS),
)
async def rule_fields(request: Request) -> Response:
    """Return what each field of house rules means and may be, by the sections of the rules page."""
    return reply(field_specs(language_of(request.scope)))


@add(
    referee_router,
    "POST",
    "/api/rules/check",
    Operation(
        name="checkRules", tag=_TAG, summary="Check house rules", body=examples.RULES, answer=examples.RULES_REPORT
    ),
)
async def check_rules(request: Request) -> Response:
    """Say whether house rules can be played; else every fault at once. Here a fault is the answer, not a problem."""
    form = await read_body(request, RulesForm)
    if (form.toml is None) == (form.rules is None):
        raise ProblemError("invalid", message("http.rules_twice"))
    language = language_of(request.scope)
    return reply(await _run(request, report, form, language) if form.document else report(form, language))


@add(
    referee_router,
    "POST",
    "/api/judge",
    Operation(name="judge", tag=_TAG, summary="Judge a position", body=examples.JUDGE, answer=examples.JUDGED),
)
async def judge_position(request: Request) -> Response:
    """Say what is legal in a position; or, with an action, whether it is, why not by which rule, and what follows."""
    form = await read_body(request, JudgeForm)
    return reply(await _run(request, judged, form, language_of(request.scope)))


@add(
    referee_router,
    "POST",
    "/api/replay",
    Operation(name="replay", tag=_TAG, summary="Replay a record", body=examples.RECORD, answer=examples.REPLAYED),
)
async def replay_record(request: Request) -> Response:
    """Play a record again and check every action, score and total. What does not hold is a problem that names the deal,
    the turn and the reason."""
    form = await read_body(request, RecordForm)
    return reply(await _run(request, replayed, form))


@add(
    referee_router,
    "POST",
    "/api/replay/deal",
    Operation(
        name="replayDeal",
        tag=_TAG,
        summary="A recorded deal step by step",
        body=examples.REPLAY_DEAL,
        answer=examples.REPLAYED_DEAL,
    ),
)
async def replay_deal(request: Request) -> Response:
    """Play a record again and return every step of one deal with what happened and how the deal stood, for a page that
    shows it. The steps end where the record does not hold: here that is part of the answer, not a problem."""
    form = await read_body(request, ReplayForm)
    packed = takes_gzip(request.headers.get("accept-encoding", ""))
    found = await _run(request, replayed_deal, form, language_of(request.scope), packed)
    headers = {"Vary": "Accept-Encoding", **({"Content-Encoding": "gzip"} if packed else {})}
    return Response(found, headers=headers, media_type="application/json")


@add(
    referee_router,
    "POST",
    "/api/replay/position",
    Operation(
        name="replayPosition",
        tag=_TAG,
        summary="A position of a record",
        body=examples.REPLAY_POSITION,
        answer=examples.POSITION_TEXT,
    ),
)
async def position_of_record(request: Request) -> Response:
    """Return the position after a step of a recorded deal as text, ready for the referee; if a bot took the step, it is
    asked again and says why it would do what there, where its hand is seen."""
    form = await read_body(request, ReplayPositionForm)
    return reply(await _run(request, replay_position, form, language_of(request.scope)))


@add(
    referee_router,
    "POST",
    "/api/verify",
    Operation(name="verify", tag=_TAG, summary="Verify a shuffle", body=examples.VERIFY, answer=examples.VERIFIED),
)
async def verify_record(request: Request) -> Response:
    """Draw every card, cut and dealer of a record again from the seeds that it reveals, and play it again; hold what
    players kept of the match against it (docs/fair-shuffle.md). Here a fault of the record is the answer, not a
    problem."""
    form = await read_body(request, VerifyForm)
    return reply(await _run(request, verified, form, language_of(request.scope)))


async def _run(request: Request, work: Callable[..., _T], *arguments: Any) -> _T:
    """Run work beside the event loop; an error of the package becomes a problem."""
    try:
        return await parts_of(request).referee.run(work, *arguments)
    except BuracoError as error:
        raise as_problem(error) from None
