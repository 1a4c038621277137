"""The OpenAPI document: what FastAPI knows of the paths, with the schemas of the structs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Any, Final

import msgspec
from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi

import buraco
from buraco.server.http import forms, referee_forms
from buraco.server.http.bridge import Operation
from buraco.server.identity import cookie_name
from buraco.server.language import LANGUAGE_PARAMETER
from buraco.server.messages import Ack, ClientMessage, Refused, Snapshot
from buraco.server.problems import Problem
from buraco.texts import DEFAULT_LANGUAGE, languages

__all__ = ["all_forms", "install_openapi", "openapi_document"]

_DESCRIPTION: Final = """Tables of the Buraco family of card games for people and bots: guests and accounts, making and
joining tables, results and records, and the referee. The play itself goes over a WebSocket,
`/api/tables/{name}/socket`, whose messages `docs/protocol.md` describes.

Errors have one shape, `application/problem+json` (RFC 9457), with a stable `code`.

What people read comes in the reader's language: that of the parameter `language`, else of the header `Accept-Language`,
else English. Codes, names and numbers are the same in every language."""

_TAGS: Final = (
    {"name": "people", "description": "Guests, accounts, and what is kept about somebody."},
    {"name": "bots", "description": "Bot accounts: programs of the owner of an account that play at tables."},
    {"name": "tables", "description": "Tables, results and records."},
    {"name": "referee", "description": "Rules, positions and records, without a table."},
    {"name": "server", "description": "For whoever runs the server."},
)

_LANGUAGE: Final[Mapping[str, Any]] = MappingProxyType(
    {
        "name": LANGUAGE_PARAMETER,
        "in": "query",
        "required": False,
        "description": "The language of what people read, as a tag (RFC 5646): the nearest of "
        + ", ".join(f"`{language}`" for language in languages())
        + ". Without it the header `Accept-Language` counts.",
        "schema": {"type": "string", "maxLength": 100},
        "example": DEFAULT_LANGUAGE,
    }
)


def all_forms() -> dict[str, type]:
    """Return every body and answer of the API by its name, in the order of the names."""
    found = {name: getattr(module, name) for module in (forms, referee_forms) for name in module.__all__}
    return dict(sorted(found.items()))


def _components() -> dict[str, Any]:
    kinds: list[Any] = [*all_forms().values(), Snapshot, Ack, Refused, ClientMessage]
    _, components = msgspec.json.schema_components(kinds, ref_template="#/components/schemas/{name}")
    return components


def _names(schema: Any) -> Iterable[str]:
    """Yield the names of the components that a part of the document refers to."""
    waiting = [schema]
    while waiting:
        one = waiting.pop()
        if isinstance(one, dict):
            reference = one.get("$ref")
            if isinstance(reference, str):
                yield reference.rpartition("/")[2]
            waiting += one.values()
        elif isinstance(one, list):
            waiting += one


def _used(paths: Any, components: dict[str, Any]) -> dict[str, Any]:
    """Return the components that the paths need, directly or through others."""
    found: dict[str, Any] = {}
    waiting = list(_names(paths))
    while waiting:
        name = waiting.pop()
        if name not in found:
            found[name] = components[name]
            waiting += _names(components[name])
    return dict(sorted(found.items()))


def _set_examples(operation: dict[str, Any], described: Operation) -> None:
    """Write the examples once more: FastAPI leaves out every member that is null."""
    for holder, example in (
        (operation.get("requestBody"), described.body),
        (operation["responses"][str(described.status)], described.answer),
    ):
        for content in (holder or {}).get("content", {}).values():
            if "example" in content:
                content["example"] = msgspec.to_builtins(example)


def openapi_document(app: FastAPI, described: Mapping[str, Operation], *, secure: bool) -> dict[str, Any]:
    """Return the OpenAPI document of the application; ``described``: its operations by name."""
    document = get_openapi(
        title="buraco", version=buraco.__version__, description=_DESCRIPTION, routes=app.routes, tags=list(_TAGS)
    )
    components = _components()
    components["Problem"] = Problem.model_json_schema()
    for path, operations in document["paths"].items():
        for operation in operations.values():
            _set_examples(operation, described[operation["operationId"]])
            if path.startswith("/api/"):
                operation.setdefault("parameters", []).append(dict(_LANGUAGE))
    document["components"] = {
        "schemas": _used(document["paths"], components),
        "securitySchemes": {
            "cookie": {"type": "apiKey", "in": "cookie", "name": cookie_name(secure=secure)},
            "bearer": {"type": "http", "scheme": "bearer"},
        },
    }
    return document


def install_openapi(app: FastAPI, described: Mapping[str, Operation], *, secure: bool) -> None:
    """Make the application serve its document."""
    document: dict[str, Any] = {}

    def openapi() -> dict[str, Any]:
        if not document:
            document.update(openapi_document(app, described, secure=secure))
        return document

    app.openapi = openapi  # type: ignore[method-assign]
