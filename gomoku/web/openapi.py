"""The OpenAPI document, made from the same declarations that check the requests."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from gomoku.web.endpoints import Endpoint
from gomoku.web.schema import openapi_object

Json = dict[str, Any]

ERROR = {
    "description": "refused, with the reason",
    "content": {
        "application/json": {
            "schema": {"type": "object", "required": ["error"], "properties": {"error": {"type": "string"}}}
        }
    },
}
OBJECT = {"application/json": {"schema": {"type": "object"}}}


def document(lists: Sequence[Endpoint], quick: Sequence[Endpoint], searches: Sequence[Endpoint]) -> Json:
    """OpenAPI 3.1 of the whole API."""
    paths: Json = {f"/api/{endpoint.name}": {"get": _get(endpoint)} for endpoint in lists}
    paths |= {f"/api/{endpoint.name}": {"post": _post(endpoint)} for endpoint in quick}
    paths |= {f"/api/{endpoint.name}": {"post": _search(endpoint)} for endpoint in searches}
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "gomoku-patterns",
            "version": "1",
            "description": "Stateless: a request carries its position. Errors are {'error': reason}.",
        },
        "paths": paths,
    }


def _operation(endpoint: Endpoint) -> Json:
    return {
        "operationId": endpoint.name.replace("/", "_"),
        "summary": endpoint.summary,
        "responses": {"200": {"description": "the answer", "content": OBJECT}, "4XX": ERROR},
    }


def _get(endpoint: Endpoint) -> Json:
    return _operation(endpoint)


def _post(endpoint: Endpoint) -> Json:
    body = {"required": True, "content": {"application/json": {"schema": openapi_object(endpoint.fields)}}}
    return _operation(endpoint) | {"requestBody": body}


def _search(endpoint: Endpoint) -> Json:
    operation = _post(endpoint)
    answer = {
        "description": "the answer, or with 'stream' its progress",
        "content": OBJECT | {"application/x-ndjson": {}},
    }
    operation["responses"] = operation["responses"] | {"200": answer, "503": ERROR}
    return operation
