"""Errors over HTTP, in the one shape of RFC 9457 (``application/problem+json``)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any, Final

from pydantic import BaseModel, ConfigDict, Field
from starlette.responses import JSONResponse

from buraco.texts import DEFAULT_LANGUAGE, in_language, text

__all__ = ["PROBLEM_TYPE", "STATUS_OF", "Problem", "ProblemError", "problem_response", "responses"]

PROBLEM_TYPE: Final = "application/problem+json"
_TYPE_PREFIX: Final = "urn:buraco:problem:"

STATUS_OF: Final[Mapping[str, int]] = MappingProxyType(
    {
        "bad_json": 400,
        "no_token": 401,
        "bad_credentials": 401,
        "banned": 403,
        "bot_account": 403,
        "cross_site": 403,
        "forbidden": 403,
        "not_found": 404,
        "no_table": 404,
        "no_lesson": 404,
        "no_bot": 404,
        "no_person": 404,
        "no_record": 404,
        "unknown_rules": 404,
        "method": 405,
        "too_slow": 408,
        "table_closed": 410,
        "taken": 409,
        "already_seated": 409,
        "no_deal": 409,
        "match_running": 409,
        "stale_version": 409,
        "table_full": 409,
        "too_long": 413,
        "media_type": 415,
        "host": 421,
        "bots_limit": 429,
        "tables_limit": 429,
        "rate": 429,
        "server_full": 503,
        "table_broken": 503,
        "stopping": 503,
        "storage": 503,
        "fault": 500,
    }
)
"""The status of a code; every other code is 422: the request says something that cannot be."""


class Problem(BaseModel):
    """What went wrong: every error of the HTTP API has this shape."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [
                {
                    "type": "urn:buraco:problem:no_table",
                    "title": "Not there",
                    "status": 404,
                    "detail": "There is no such table.",
                    "code": "no_table",
                    "reasons": ["There is no such table."],
                }
            ]
        }
    )

    type: str = Field(description="`urn:buraco:problem:` and the code.")
    title: str = Field(description="The kind of problem in a few words.")
    status: int = Field(description="The status of the response.", ge=400, le=599)
    detail: str = Field(description="A sentence for people.")
    code: str = Field(description="A stable word for programs.")
    reasons: list[str] = Field(description="Every fault that was found, at least the detail.")


class ProblemError(Exception):
    """A request cannot be answered as asked: a stable ``code``, a sentence, every reason.

    Sentence and reasons are English; as a `Message` (see `buraco.texts`) they say themselves in the reader's language.
    """

    def __init__(
        self, code: str, detail: str, reasons: Sequence[str] = (), headers: Mapping[str, str] | None = None
    ) -> None:
        self.code = code
        self.detail = detail
        self.reasons = tuple(reasons) or (detail,)
        self.headers = dict(headers or {})
        super().__init__(detail)

    @property
    def status(self) -> int:
        """The status of the response."""
        return STATUS_OF.get(self.code, 422)


def _title(status: int, language: str = DEFAULT_LANGUAGE) -> str:
    return text(f"http.title.{status}", language)


def problem_response(error: ProblemError, language: str = DEFAULT_LANGUAGE) -> JSONResponse:
    """Return the response for a problem, in a language."""
    body = {
        "type": _TYPE_PREFIX + error.code,
        "title": _title(error.status, language),
        "status": error.status,
        "detail": in_language(error.detail, language),
        "code": error.code,
        "reasons": [in_language(reason, language) for reason in error.reasons],
    }
    headers = {"Content-Language": language, **error.headers}
    if error.status == 503:
        headers.setdefault("Retry-After", "5")
    return JSONResponse(body, error.status, headers, media_type=PROBLEM_TYPE)


def responses(*statuses: int) -> dict[int | str, dict[str, Any]]:
    """Return what an operation documents about its problems, for FastAPI.

    Those that every operation may answer are added: too long, too many, wrong address, a value that cannot be.
    """
    every = sorted({*statuses, 413, 421, 422, 429, 500, 503})
    schema = {"schema": {"$ref": "#/components/schemas/Problem"}}
    return {status: {"description": _title(status), "content": {PROBLEM_TYPE: schema}} for status in every}
