"""The page at ``/api/``: the OpenAPI document for people, without a script and without requests to anybody else."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from html import escape
from typing import Any

Json = dict[str, Any]

PAGE = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title} API</title>
<link rel="icon" href="/static/icon.svg">
<link rel="stylesheet" href="/static/colours.css">
<link rel="stylesheet" href="/static/api.css">
</head>
<body>
<header><a href="/"><img src="/static/icon.svg" alt="" width="28" height="28"> Gomoku</a></header>
<main>
<h1>{title} API</h1>
<p>{about}</p>
<p>The same as a document for programs: <a href="/api/openapi.json">openapi.json</a>. The board: <a href="/">/</a>.</p>
<nav aria-label="Endpoints"><ul>{contents}</ul></nav>
{operations}
<h2 id="types">Types</h2>
{types}
</main>
</body>
</html>
"""


def api_page(document: Json, address: str) -> str:
    """The page for an OpenAPI document of a server at an address such as ``http://localhost:8015``."""
    operations = [
        (method, path, operation) for path, item in document["paths"].items() for method, operation in item.items()
    ]
    info = document["info"]
    return PAGE.format(
        title=escape(info["title"]),
        about=escape(info["description"]),
        contents="".join(_entry(*each) for each in operations),
        operations="\n".join(_operation(*each, address) for each in operations),
        types="\n".join(_type(name, schema) for name, schema in sorted(document["components"]["schemas"].items())),
    )


def _entry(method: str, path: str, operation: Json) -> str:
    link = f'<a href="#{operation["operationId"]}"><code>{method.upper()} {escape(path)}</code></a>'
    return f"<li>{link} {escape(operation['summary'])}</li>"


def _operation(method: str, path: str, operation: Json, address: str) -> str:
    body = operation.get("requestBody", {}).get("content", {}).get("application/json", {}).get("schema")
    answers = operation["responses"]["200"]["content"]
    parts = [
        f'<section id="{operation["operationId"]}">',
        f"<h2><code>{method.upper()} {escape(path)}</code></h2>",
        f"<p>{escape(operation['summary'])}</p>",
        *([f"<h3>Request</h3>{_members(body)}", _example(path, body, address)] if body else []),
        *(
            f"<h3>Answer, <code>{kind}</code></h3><p>{_kind(content['schema'])}</p>"
            for kind, content in answers.items()
        ),
        "</section>",
    ]
    return "\n".join(parts)


def _example(path: str, body: Json, address: str) -> str:
    """A line that can be typed, with the members that a request must have."""
    needed = _EXAMPLES.get(path) or {name: _SAMPLES.get(name, "...") for name in body.get("required", ())}
    if "proof" in needed:
        return ""
    words = f"curl -s {address}{path} -H 'Content-Type: application/json' -d '{json.dumps(needed)}'"
    return f"<pre>{escape(words)}</pre>"


_EXAMPLES: Json = {
    "/api/convert": {"text": "h8h9i9", "to": "sgf"},
    "/api/swap2": {"position": {"rows": 15, "cols": 15}},
}
_SAMPLES: Json = {
    "position": {"black": ["h8", "i9"], "white": ["h9"], "to_move": "white"},
    "cell": "g7",
    "moves": ["g7", "g8"],
    "move": "g7",
    "token": "0123456789abcdef",
}


def _type(name: str, schema: Json) -> str:
    about = f"<p>{escape(schema['description'])}</p>" if "description" in schema else ""
    shape = _members(schema) if "properties" in schema else f"<p>{_kind({**schema, 'description': ''})}</p>"
    return f'<section id="type-{name}"><h3>{name}</h3>{about}{shape}</section>'


def _members(schema: Json) -> str:
    required = schema.get("required", ())
    rows = "".join(_row(name, member, name in required) for name, member in schema["properties"].items())
    heads = "".join(f'<th scope="col">{head}</th>' for head in ("key", "type", "what it is"))
    return f"<table><tr>{heads}</tr>{rows}</table>"


def _row(name: str, schema: Json, is_required: bool) -> str:
    mark = "" if is_required else " <small>optional</small>"
    notes = "; ".join(_notes(schema))
    about = escape("; ".join(filter(None, (schema.get("description", ""), notes))))
    return f'<tr><th scope="row"><code>{escape(name)}</code>{mark}</th><td>{_kind(schema)}</td><td>{about}</td></tr>'


def _notes(schema: Json) -> Iterator[str]:
    if "default" in schema:
        yield f"default {json.dumps(schema['default'])}"
    for low, high, unit in (
        ("minimum", "maximum", ""),
        ("minLength", "maxLength", " characters"),
        ("minItems", "maxItems", " items"),
    ):
        if low in schema and high in schema:
            yield f"{schema[low]:,} to {schema[high]:,}{unit}"
        elif low in schema or high in schema:
            yield f"{'from' if low in schema else 'up to'} {schema.get(low, schema.get(high)):,}{unit}"


def _kind(schema: Json) -> str:
    """The type of a value in a few words, names of types as links."""
    for key, spell in _SPELLINGS.items():
        if schema.get(key):
            return spell(schema[key])
    return escape(schema.get("type", "anything"))


def _reference(path: str) -> str:
    name = path.rpartition("/")[2]
    return f'<a href="#type-{name}">{name}</a>'


def _object(members: Json) -> str:
    return "{" + ", ".join(f"<code>{escape(key)}</code>: {_kind(each)}" for key, each in members.items()) + "}"


def _listed(values: Iterable[Any]) -> str:
    return " or ".join(f"<code>{escape(json.dumps(value))}</code>" for value in values)


_SPELLINGS: dict[str, Callable[[Any], str]] = {
    "$ref": _reference,
    "anyOf": lambda kinds: " or ".join(map(_kind, kinds)),
    "enum": _listed,
    "const": lambda value: _listed([value]),
    "items": lambda kind: f"list of {_kind(kind)}",
    "properties": _object,
    "additionalProperties": lambda kind: "object" if kind is True else f"object of {_kind(kind)}",
}
"""How the first of these keys that a schema has is spelled."""
