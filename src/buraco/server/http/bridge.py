"""What the operations of the HTTP API share: reading bodies, answering, and saying both in the OpenAPI document.

Bodies and answers are msgspec structs, as the messages over the socket are; FastAPI routes, reads paths and queries,
and writes the document.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Annotated, Any, Final, TypeVar

import msgspec
from fastapi import APIRouter, Path, Query, Request
from starlette.responses import Response

from buraco.errors import BuracoError
from buraco.server.accounts import Person
from buraco.server.identity import token_of
from buraco.server.invalid import told_of_body
from buraco.server.parts import Parts
from buraco.server.problems import ProblemError, responses
from buraco.server.terms import ServerError
from buraco.texts import message

__all__ = [
    "SECURITY",
    "BeforeQuery",
    "FinishedTable",
    "LimitQuery",
    "Operation",
    "Operations",
    "PersonPath",
    "TableName",
    "account_holder",
    "add",
    "as_problem",
    "caller",
    "known",
    "parts_of",
    "read_body",
    "read_content",
    "reply",
    "takes_gzip",
]

SECURITY: Final[tuple[dict[str, list[str]], ...]] = ({"cookie": []}, {"bearer": []})
"""Where an operation wants to know who asks, a cookie or a header tells it."""

_T = TypeVar("_T")

TableName = Annotated[
    str,
    Path(pattern=r"^[A-Za-z0-9_-]{1,40}$", description="The identifier or the code of a table.", examples=["K7MPQ2"]),
]
FinishedTable = Annotated[
    str,
    Path(
        pattern=r"^[A-Za-z0-9_-]{1,40}$",
        description="The identifier of a table. A code is only for who comes to the table while it is open.",
        examples=["4fJ0cQm2sVb8xTzL"],
    ),
]
PersonPath = Annotated[
    str, Path(pattern=r"^[A-Za-z0-9_-]{22}$", description="A person.", examples=["u0Vt5gq3Zl9sYb2xWcD4aA"])
]
BeforeQuery = Annotated[
    int | None, Query(ge=0, le=2**53 - 1, description="Only matches that ended before this moment, for the next page.")
]
LimitQuery = Annotated[int, Query(ge=1, le=200, description="How many at most, the newest first.")]


@dataclass(frozen=True, slots=True, kw_only=True)
class Operation:
    """An operation of the API as the document tells it.

    ``body`` and ``answer`` are examples: values of the structs that are taken and given. ``statuses`` are those of its
    problems beside the ones that every operation may have. ``signed_in``: it asks for a token.
    """

    name: str
    tag: str
    summary: str
    answer: Any = None
    body: Any = None
    status: int = 200
    statuses: tuple[int, ...] = ()
    signed_in: bool = False
    media_type: str = "application/json"
    more_types: Mapping[str, Any] | None = None


class Operations(APIRouter):
    """Routes with what the document tells of them, by the names of the operations."""

    def __init__(self) -> None:
        super().__init__()
        self.described: dict[str, Operation] = {}


def add(router: Operations, method: str, path: str, operation: Operation) -> Callable[[_T], _T]:
    """Return a decorator that makes a function, whose docstring describes it, the operation of a path."""
    extra: dict[str, Any] = {}
    statuses = operation.statuses
    if operation.body is not None:
        extra["requestBody"] = {"required": True, "content": {"application/json": _content(operation.body)}}
        statuses += (400, 408, 415)
    if operation.signed_in:
        extra["security"] = list(SECURITY)
        statuses += (401, 403)
    elif method != "GET":
        statuses += (403,)
    documented = responses(*statuses)
    if operation.answer is None:
        documented[operation.status] = {"description": "Done."}
    else:
        content = {operation.media_type: _content(operation.answer), **(operation.more_types or {})}
        documented[operation.status] = {"description": operation.summary, "content": content}

    router.described[operation.name] = operation

    def decorate(function: _T) -> _T:
        router.add_api_route(
            path,
            function,  # type: ignore[arg-type]
            methods=[method],
            status_code=operation.status,
            summary=operation.summary,
            operation_id=operation.name,
            tags=[operation.tag],
            responses=documented,
            response_class=Response,
            response_model=None,
            openapi_extra=extra,
        )
        return function

    return decorate


def _content(example: Any) -> dict[str, Any]:
    if isinstance(example, str):
        return {"schema": {"type": "string"}, "example": example}
    reference = {"$ref": f"#/components/schemas/{type(example).__name__}"}
    return {"schema": reference, "example": msgspec.to_builtins(example)}


def parts_of(request: Request) -> Parts:
    """Return the parts of the server that a request came to."""
    parts: Parts = request.app.state.parts
    return parts


async def read_content(request: Request) -> bytes:
    """Return the body of a request as it came.

    Raises ProblemError (code ``media_type``) unless it is ``application/json``, so that no plain form of a foreign page
    can send it, and not packed, so that a short one cannot become a long one.
    """
    if request.headers.get("content-encoding", "identity").strip().lower() != "identity":
        raise ProblemError("media_type", message("http.packed"))
    kind_given = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind_given != "application/json":
        raise ProblemError("media_type", message("http.not_json_type"))
    return await request.body()


async def read_body(request: Request, kind: type[_T]) -> _T:
    """Return the body of a request as a struct.

    Raises ProblemError: ``media_type``, ``bad_json``, ``invalid``.
    """
    content = await read_content(request)
    try:
        return msgspec.json.decode(content, type=kind)
    except msgspec.ValidationError as error:
        raise ProblemError("invalid", told_of_body(error)) from None
    except RecursionError:
        raise ProblemError("invalid", message("http.too_deep")) from None
    except (msgspec.DecodeError, UnicodeDecodeError):
        raise ProblemError("bad_json", message("http.bad_json")) from None


def reply(value: Any, status: int = 200) -> Response:
    """Return a struct as the response."""
    return Response(msgspec.json.encode(value), status, media_type="application/json")


def as_problem(error: BuracoError) -> ProblemError:
    """Return an error of the package as a problem: the same code, sentence and reasons."""
    code = "forbidden" if isinstance(error, ServerError) and error.code == "not_allowed" else error.code
    return ProblemError(code, error.message, error.reasons)


async def known(request: Request) -> Person | None:
    """Return who sends a request; None without a token that holds."""
    parts = parts_of(request)
    # A body may take its time, and meanwhile who sends it is deleted, barred or logged out.
    await request.body()
    token, _ = token_of(request.headers, request.cookies, secure=parts.settings.secure)
    return await parts.people.of_token(token) if token else None


async def caller(request: Request) -> Person:
    """Return who sends a request.

    Raises ProblemError: ``no_token`` without a token that holds, ``banned``.
    """
    person = await known(request)
    if person is None:
        raise ProblemError("no_token", message("http.no_token"), headers={"WWW-Authenticate": "Bearer"})
    if person.banned:
        raise ProblemError("banned", message("http.banned"))
    return person


async def account_holder(request: Request) -> Person:
    """Return who sends a request that no bot account may send.

    Raises ProblemError as `caller` does, and ``bot_account``.
    """
    person = await caller(request)
    if person.is_bot:
        raise ProblemError("bot_account", message("account.bot_may_not"))
    return person


def takes_gzip(accepted: str) -> bool:
    """Say whether an Accept-Encoding names gzip and does not refuse it."""
    for one in accepted.lower().split(","):
        name, _, quality = one.strip().partition(";")
        if name.strip() == "gzip":
            return not re.fullmatch(r"q=0(\.0*)?", quality.strip())
    return False
