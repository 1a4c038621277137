"""The operations about lessons: which there are, and beginning one."""

from __future__ import annotations

from typing import Final

from fastapi import Request
from starlette.responses import Response

from buraco.errors import BuracoError
from buraco.rules import title_in
from buraco.server.forgetting import principal_of
from buraco.server.http import examples
from buraco.server.http.bridge import Operation, Operations, add, as_problem, caller, parts_of, read_body, reply
from buraco.server.http.forms import LessonForm, LessonInfo, Lessons
from buraco.server.http.tables import check_number, invitation
from buraco.server.language import language_of
from buraco.server.lessons import all_scripts, script_of
from buraco.server.problems import ProblemError
from buraco.server.terms import Principal
from buraco.texts import message, text

__all__ = ["lessons_router"]

_TAG: Final = "lessons"
lessons_router: Final = Operations()


@add(
    lessons_router,
    "GET",
    "/api/lessons",
    Operation(name="lessons", tag=_TAG, summary="The lessons", answer=examples.LESSONS),
)
async def lessons(request: Request) -> Response:
    """Return the lessons, each with how far the one who asks has come in it; nobody has to be signed in."""
    principal: Principal | None = None
    try:
        principal = principal_of(await caller(request))
    except ProblemError as error:
        if error.code != "no_token":
            raise
    service, language = parts_of(request).service, language_of(request.scope)
    await service.refresh()
    found = []
    for name, script in all_scripts().items():
        table = None if principal is None else service.lesson_of(principal, name)
        progress = None if table is None else table.fold.lesson
        found.append(
            LessonInfo(
                name=name,
                title=title_in(script.rules, language),
                about=text(f"lesson.{name}.about", language),
                steps=script.step_count,
                code=None if table is None else table.code,
                step=0 if progress is None else progress.step,
                over=progress is not None and progress.over,
            )
        )
    return reply(Lessons(lessons=tuple(found)))


@add(
    lessons_router,
    "POST",
    "/api/lessons",
    Operation(
        name="beginLesson",
        tag=_TAG,
        summary="Begin a lesson",
        body=examples.LESSON,
        answer=examples.INVITATION,
        status=201,
        statuses=(404,),
        signed_in=True,
    ),
)
async def begin_lesson(request: Request) -> Response:
    """Make the table of a lesson and deal its cards; an older one of the same lesson is closed. Nobody else comes to
    it, and what is played there is no result."""
    person, parts = await caller(request), parts_of(request)
    form = await read_body(request, LessonForm)
    if script_of(form.lesson) is None:
        raise ProblemError("no_lesson", message("http.no_lesson"))
    principal = principal_of(person)
    try:
        await parts.service.end_lesson(principal, form.lesson)
        await check_number(parts, person)
        table = await parts.service.begin_lesson(principal, form.lesson)
    except BuracoError as error:
        raise as_problem(error) from None
    parts.log.info("lesson_begun", table=table.table_id, person=person.person_id)
    return reply(invitation(request, table), 201)
