"""The OpenAPI document: requests from the declarations that check them, answers from their types."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.metadata import PackageNotFoundError, version
from typing import Annotated, Any, NotRequired, TypedDict

from gomoku.answers.types import ProgressReport
from gomoku.web.endpoints import Endpoint
from gomoku.web.schema import Schemas, request_schema

Json = dict[str, Any]


class Failure(TypedDict):
    """Why a request was refused."""

    error: Annotated[str, "the reason, in English"]
    code: Annotated[str, "what kind of error it is; it stays the same when the reason is worded better"]
    status: Annotated[int, "the status of the answer; a stream that has begun can give it nowhere else"]
    reason: NotRequired[Annotated[str, "what is wrong with a text, without its place"]]
    line: NotRequired[int | None]
    column: NotRequired[int | None]


ABOUT = (
    "Stateless: a request carries its position. A cell is [row, col] from the top left or a name such as h9. Every "
    'error is {"error": reason, "code": code}; with 503 the same request may do better a little later. POST takes '
    "application/json."
)


def document(lists: Sequence[Endpoint], quick: Sequence[Endpoint], searches: Sequence[Endpoint]) -> Json:
    """OpenAPI 3.1 of the whole API."""
    writer = _Writer()
    paths: Json = {f"/api/{endpoint.name}": {"get": writer.listed(endpoint)} for endpoint in lists}
    paths |= {f"/api/{endpoint.name}": {"post": writer.posted(endpoint)} for endpoint in quick}
    paths |= {f"/api/{endpoint.name}": {"post": writer.search(endpoint)} for endpoint in searches}
    return {
        "openapi": "3.1.0",
        "info": {"title": "gomoku-patterns", "version": _version(), "description": ABOUT},
        "paths": paths,
        "components": {"schemas": writer.schemas.components},
    }


def _version() -> str:
    try:
        return version("gomoku-patterns")
    except PackageNotFoundError:
        return "0"


class _Writer:
    """Operations of one document, which share its schemas."""

    def __init__(self) -> None:
        self.schemas = Schemas()
        self.failure = {"description": "refused, with the reason", "content": self._json(Failure)}

    def _json(self, kind: Any) -> Json:
        return {"application/json": {"schema": self.schemas.of(kind)}}

    def operation(self, endpoint: Endpoint) -> Json:
        return {
            "operationId": endpoint.name.replace("/", "_"),
            "summary": endpoint.summary,
            "responses": {
                "200": {"description": "the answer", "content": self._json(endpoint.returns)},
                "4XX": self.failure,
            },
        }

    def listed(self, endpoint: Endpoint) -> Json:
        """A list is asked for with GET; what it takes stands in the query."""
        parameters = [
            {"name": name, "in": "query", "required": field.required, "schema": field.openapi()}
            for name, field in endpoint.fields.items()
        ]
        return self.operation(endpoint) | ({"parameters": parameters} if parameters else {})

    def posted(self, endpoint: Endpoint) -> Json:
        body = {"required": True, "content": {"application/json": {"schema": request_schema(endpoint.fields)}}}
        return self.operation(endpoint) | {"requestBody": body}

    def search(self, endpoint: Endpoint) -> Json:
        """A search answers once, or with ``stream`` line by line."""
        operation = self.posted(endpoint)
        lines = [("progress", ProgressReport), ("result", endpoint.returns)]
        events = [
            {"type": "object", "required": [key], "properties": {key: self.schemas.of(kind)}} for key, kind in lines
        ]
        streamed = {"schema": {"anyOf": [*events, self.schemas.of(Failure)], "description": "on each line"}}
        content = self._json(endpoint.returns) | {"application/x-ndjson": streamed}
        told = {"description": "the answer, or with 'stream' its progress line by line", "content": content}
        operation["responses"] = operation["responses"] | {"200": told, "503": self.failure}
        return operation
