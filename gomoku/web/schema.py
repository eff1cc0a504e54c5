"""What a request may hold: declared once, checked on every request, and printed as OpenAPI."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from gomoku_patterns.errors import GomokuError

Json = dict[str, Any]

_KINDS: dict[str, tuple[type, ...]] = {
    "string": (str,),
    "integer": (int,),
    "number": (int, float),
    "boolean": (bool,),
    "object": (dict,),
    "array": (list,),
    "cell": (str, list),
}


class RequestError(GomokuError):
    """A request that is not what its endpoint takes."""


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
            raise RequestError(f"expected {name!r} to be {_article(self.kind)}, found {value!r:.60}")
        self._check_bounds(name, value)
        if self.choices and value not in self.choices:
            raise RequestError(f"expected {name!r} to be one of {', '.join(self.choices)}, found {value!r:.60}")
        return value

    def _check_bounds(self, name: str, value: Any) -> None:
        size = len(value) if isinstance(value, (str, list)) else value
        if self.least is not None and not size >= self.least:
            raise RequestError(f"expected {name!r} from {self.least:g}, found {size!r}")
        if self.most is not None and not size <= self.most:
            raise RequestError(f"expected {name!r} up to {self.most:g}, found {size!r}")

    def openapi(self) -> Json:
        if self.kind == "cell":
            schema: Json = {"description": f"{self.about}: a name such as 'h9' or [row, col]"}
            return schema
        bounds = {"string": ("minLength", "maxLength"), "array": ("minItems", "maxItems")}
        low, high = bounds.get(self.kind, ("minimum", "maximum"))
        schema = {"type": self.kind, "description": self.about}
        extras = {low: self.least, high: self.most, "enum": list(self.choices) or None, "default": self.default}
        if self.kind == "array":
            schema["items"] = {}
        return schema | {key: value for key, value in extras.items() if value is not None}


Fields = Mapping[str, Field]


def check(fields: Fields, request: object) -> Json:
    """The request with its defaults filled in, or a RequestError that names the member."""
    if not isinstance(request, dict):
        raise RequestError(f"expected a JSON object, found {request!r:.60}")
    unknown = sorted(str(key) for key in set(request) - set(fields))
    if unknown:
        raise RequestError(f"expected only {', '.join(sorted(fields))}; found {unknown[0]!r:.60}")
    missing = [name for name, field in fields.items() if field.required and request.get(name) is None]
    if missing:
        raise RequestError(f"expected {missing[0]!r}, found a request without it")
    return {
        name: field.default if request.get(name) is None else field.check(name, request[name])
        for name, field in fields.items()
    }


def openapi_object(fields: Fields) -> Json:
    """The JSON schema of a request with these members."""
    required = [name for name, field in fields.items() if field.required]
    schema: Json = {
        "type": "object",
        "properties": {name: field.openapi() for name, field in fields.items()},
        "additionalProperties": False,
    }
    return schema | ({"required": required} if required else {})


def _article(kind: str) -> str:
    if kind == "cell":
        return "a cell such as 'h9' or [row, col]"
    return f"an {kind}" if kind[0] in "aeio" else f"a {kind}"
