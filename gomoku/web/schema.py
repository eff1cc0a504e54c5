"""What requests and answers hold, as JSON schemas: requests are declared and checked here, answers have their types."""

from __future__ import annotations

import json
import types
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import (
    Annotated,
    Any,
    Literal,
    NotRequired,
    Union,
    get_args,
    get_origin,
    get_type_hints,
    is_typeddict,
)

from gomoku.answers.types import COMPONENTS, Component
from gomoku_patterns.errors import GomokuError, NotationError, shown

Json = dict[str, Any]

_KINDS: dict[str, tuple[type, ...]] = {
    "string": (str,),
    "integer": (int,),
    "number": (int, float),
    "boolean": (bool,),
    "array": (list,),
    "cell": (str, list),
    "cells": (list,),
    "position": (dict,),
    "proof": (dict,),
    "tree": (dict,),
}
_SCHEMAS: dict[str, Json] = {
    "cell": {"$ref": "#/components/schemas/CellLike"},
    "cells": {"type": "array", "items": {"$ref": "#/components/schemas/CellLike"}},
    "position": {"$ref": "#/components/schemas/Position"},
    "proof": {"$ref": "#/components/schemas/Proof"},
    "tree": {"$ref": "#/components/schemas/Tree"},
}
_WORDS = {
    "cell": "a cell such as 'h9' or [row, col]",
    "cells": "an array of cells",
    "position": "an object, a position",
    "proof": "an object, a proof",
    "tree": "an object, a game",
}


class RequestError(GomokuError):
    """A request that is not what its endpoint takes."""

    code = "request"
    status = 422


class MalformedError(RequestError):
    """A body that is no JSON object."""

    code = "bad-json"
    status = 400


def error_json(error: GomokuError) -> dict[str, Any]:
    """An error as clients get it, with its status; what is wrong with a text has its place there beside its reason."""
    told = {"error": str(error), "code": error.code, "status": getattr(error, "status", 422)}
    if isinstance(error, NotationError):
        told |= {"reason": error.message, "line": error.line, "column": error.column}
    return told


def parse_request(body: bytes) -> Json:
    """The JSON object in the body of a request."""
    try:
        value = json.loads(body, parse_constant=_no_constant)
    except (ValueError, RecursionError) as error:
        raise MalformedError(f"the body is no JSON: {error or 'nested too deep'}"[:200]) from None
    if not isinstance(value, dict):
        raise MalformedError(f"the body has to be a JSON object, not {shown(value)}")
    return value


def _no_constant(name: str) -> float:
    raise ValueError(f"it has the constant {name}")


@dataclass(frozen=True)
class Field:
    """One member of a request's JSON object."""

    kind: str
    about: str
    required: bool = False
    default: Any = None
    least: float | None = None
    most: float | None = None
    choices: tuple[str, ...] = ()

    def check(self, name: str, value: Any) -> Any:
        if not isinstance(value, _KINDS[self.kind]) or (isinstance(value, bool) and self.kind != "boolean"):
            raise RequestError(f"{name!r} must be {_worded(self.kind)}, not {value!r:.60}")
        self._check_bounds(name, value)
        if self.choices and value not in self.choices:
            raise RequestError(f"{name!r} must be one of {', '.join(self.choices)}, not {value!r:.60}")
        return value

    def _check_bounds(self, name: str, value: Any) -> None:
        size = len(value) if isinstance(value, (str, list)) else value
        if self.least is not None and not size >= self.least:
            raise RequestError(f"{name!r} must be at least {self.least:g}, not {size!r}")
        if self.most is not None and not size <= self.most:
            code = "too-long" if isinstance(value, (str, list)) else None
            raise RequestError(f"{name!r} must be at most {self.most:g}, not {size!r}", code=code)

    def openapi(self) -> Json:
        bounds = {"string": ("minLength", "maxLength"), "cells": ("minItems", "maxItems")}
        low, high = bounds.get(self.kind, ("minimum", "maximum"))
        schema = {**_SCHEMAS.get(self.kind, {"type": self.kind}), "description": self.about}
        extras = {low: self.least, high: self.most, "enum": list(self.choices) or None, "default": self.default}
        return schema | {key: value for key, value in extras.items() if value is not None}


Fields = Mapping[str, Field]


def check(fields: Fields, request: object) -> Json:
    """The request with its defaults filled in, or a RequestError that names the member."""
    if not isinstance(request, dict):
        raise RequestError(f"a request is a JSON object, not {request!r:.60}")
    unknown = sorted(str(key) for key in set(request) - set(fields))
    if unknown:
        raise RequestError(f"there is no {unknown[0]!r:.60} here, only {', '.join(sorted(fields))}")
    missing = [name for name, field in fields.items() if field.required and request.get(name) is None]
    if missing:
        raise RequestError(f"{missing[0]!r} is missing")
    return {
        name: field.default if request.get(name) is None else field.check(name, request[name])
        for name, field in fields.items()
    }


def _worded(kind: str) -> str:
    return _WORDS.get(kind) or (f"an {kind}" if kind[0] in "aeio" else f"a {kind}")


# ---------------------------------------------------------------------- schemas


def request_schema(fields: Fields) -> Json:
    """The JSON schema of a request with these members."""
    required = [name for name, field in fields.items() if field.required]
    schema: Json = {
        "type": "object",
        "properties": {name: field.openapi() for name, field in fields.items()},
        "additionalProperties": False,
    }
    return schema | ({"required": required} if required else {})


class Schemas:
    """JSON schemas of types; those of typed dicts stand once, under their names, in ``components``."""

    def __init__(self) -> None:
        self.components: dict[str, Json] = {each.name: each.schema for each in COMPONENTS}

    def of(self, kind: Any) -> Json:
        """The schema of a type."""
        if kind in _PLAIN:
            return dict(_PLAIN[kind])
        return self._object(kind) if is_typeddict(kind) else self._generic(kind, get_origin(kind), get_args(kind))

    def _generic(self, kind: Any, origin: Any, inner: tuple[Any, ...]) -> Json:
        makers: dict[Any, Callable[[], Json]] = {
            Annotated: lambda: self._annotated(inner[0], inner[1]),
            NotRequired: lambda: self.of(inner[0]),
            Literal: lambda: {"type": "string", "enum": list(inner)},
            list: lambda: {"type": "array", "items": self.of(inner[0])},
            dict: lambda: self._mapping(inner[1]),
            Union: lambda: {"anyOf": [self.of(each) for each in inner]},
            types.UnionType: lambda: {"anyOf": [self.of(each) for each in inner]},
        }
        if origin not in makers:
            raise TypeError(f"no JSON schema for {kind!r}")
        return makers[origin]()

    def _mapping(self, values: Any) -> Json:
        return {"type": "object"} | ({} if values is Any else {"additionalProperties": self.of(values)})

    def _annotated(self, kind: Any, note: str | Component) -> Json:
        if isinstance(note, Component):
            return {"$ref": f"#/components/schemas/{note.name}"}
        return self.of(kind) | {"description": note}

    def _object(self, kind: Any) -> Json:
        name = kind.__name__
        if name not in self.components:
            self.components[name] = {}  # it may hold itself
            hints = get_type_hints(kind, include_extras=True)
            schema: Json = {
                "type": "object",
                "properties": {key: self.of(each) for key, each in hints.items()},
                "required": [
                    key for key, each in hints.items() if kind.__total__ and get_origin(each) is not NotRequired
                ],
                "additionalProperties": not kind.__total__,
            }
            self.components[name] = schema | ({"description": kind.__doc__} if kind.__doc__ else {})
        return {"$ref": f"#/components/schemas/{name}"}


_PLAIN: dict[Any, Json] = {
    str: {"type": "string"},
    int: {"type": "integer"},
    float: {"type": "number"},
    bool: {"type": "boolean"},
    type(None): {"type": "null"},
    Any: {},
}
