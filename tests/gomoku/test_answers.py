"""The answers: one function for commands, batches, the API and Python, and types that say what they hold."""

from __future__ import annotations

import html
import json
import re
from collections.abc import Callable, Iterator
from typing import Any

import jsonschema
import pytest
from starlette.testclient import TestClient

from gomoku import answers
from gomoku.answers import types
from gomoku.web.app import create_app
from gomoku.web.bounds import ServerBounds
from gomoku.web.schema import Schemas
from gomoku_patterns import Board
from gomoku_patterns.notation import json_position
from puzzles.practice import Done, Practice

Json = dict[str, Any]
THREE = Board(9, black=["c5", "d5", "e5"], white=["a5", "d4", "f8"], turn="black")
WON = Board(5, black=["a1", "b1", "c1", "d1", "e1"], white=["a3", "b3"], turn="white")
RENJU = Board(9, black=["d5", "f5", "e4", "e6"], white=["a1", "a3", "a5", "a7"], turn="black", rule="renju")


def opened(moves: str) -> Board:
    board = Board()
    for move in re.findall("[a-z][0-9]+", moves):
        board.push(move)
    return board


ANSWERS: list[tuple[Any, Callable[[], Any]]] = [
    *((types.RulesAnswer, lambda board=board: answers.rules(board)) for board in (THREE, WON, RENJU)),
    *((types.ScoreAnswer, lambda p=p: answers.score(THREE, "level", points=p)) for p in (True, False)),
    *((types.ExplainAnswer, lambda name=name: answers.explain(THREE, name)) for name in ("grade_dict", "level")),
    *((types.ExplainCellAnswer, lambda name=name: answers.explain(THREE, name, "f5")) for name in ("wins", "money")),
    (types.MoveAnswer, lambda: answers.move(THREE, "minmax:depth=2")),
    (types.MoveAnswer, lambda: answers.move(THREE, "engine:lines=2")),
    (types.MoveAnswer, lambda: answers.move(THREE, "mcts:rollouts=20")),
    (types.SolveAnswer, lambda: answers.solve(THREE, with_proof=True)),
    (types.SolveAnswer, lambda: answers.solve(Board(9), mode="vcf")),
    (types.VerifyAnswer, lambda: answers.verify(answers.solve(THREE, with_proof=True)["proof"], THREE)),
    (types.VerifyAnswer, lambda: answers.verify({}, THREE)),
    (types.FollowAnswer, lambda: answers.follow(answers.solve(THREE, with_proof=True)["proof"], "a1")),
    *((types.BookAnswer, lambda m=m: answers.book(opened(m), count=True)) for m in ("", "h8h9i9", "h8h9i9e12", "a1")),
    (types.WhyAnswer, lambda: answers.why(THREE, "f5")),
    (types.ConvertAnswer, lambda: answers.convert("h8h9i9", "sgf", moves=["j7"])),
    (types.ConvertAnswer, lambda: answers.convert(answers.convert(THREE)["tree"], "psq")),
    (types.TablesAnswer, answers.tables),
    *((types.TableAnswer, lambda name=name: answers.table(name)) for name in ("grade_dict", "level", "engine")),
    (types.PlayersAnswer, answers.players),
    (types.FormatsAnswer, lambda: answers.formats(suites=True)),
    (types.SuiteAnswer, answers.suite),
    (types.SuitesAnswer, answers.suites),
    (types.PracticeAnswer, lambda: answers.practice(Practice(done={"huanle/1": Done(False, 1, 0, 5)}), 9)),
    (types.FeedbackAnswer, lambda: answers.feedback(THREE, "a1")),
    (types.SolveAnswer, lambda: answers.solve(THREE, with_line=True)),
]


def validate(value: Any, schema: Json, components: Json) -> None:
    jsonschema.Draft202012Validator({**schema, "components": {"schemas": components}}).validate(value)


@pytest.mark.parametrize(("kind", "answer"), ANSWERS)
def test_every_answer_is_what_its_type_says(kind: Any, answer: Callable[[], Any]) -> None:
    schemas = Schemas()
    schema = schemas.of(kind)
    value = answer()
    assert json.loads(json.dumps(value)) == value
    validate(value, schema, schemas.components)


@pytest.fixture(scope="module")
def client() -> Iterator[TestClient]:
    with TestClient(create_app(ServerBounds(searches=1)), base_url="http://127.0.0.1:8015") as started:
        yield started


@pytest.fixture(scope="module")
def document(client: TestClient) -> Json:
    described: Json = client.get("/api/openapi.json").json()
    return described


PROOF = answers.solve(THREE, with_proof=True)["proof"]
REQUESTS: dict[str, Json] = {
    "rules": {"position": json_position(RENJU)},
    "score": {"position": json_position(THREE), "points": True},
    "explain": {"position": json_position(THREE), "cell": "f5"},
    "convert": {"text": "(;GM[4]SZ[15];B[hh]C[so]TR[hh](;W[ii])(;W[gg]LB[gg:A]))", "to": "sgf"},
    "why": {"position": json_position(THREE), "cell": "f5"},
    "proof/verify": {"proof": PROOF},
    "proof/answer": {"proof": PROOF, "replies": ["a1"]},
    "move": {"position": json_position(THREE), "player": "engine", "nodes": 1000},
    "swap2": {"position": json_position(Board()), "seconds": 0.2},
    "solve": {"position": json_position(THREE), "seconds": 2},
    "book": {"position": json_position(Board()), "moves": ["h8", "h9", "i9", [3, 4]], "count": True, "seconds": 9},
    "review": {"position": json_position(Board(9)), "moves": ["e5", "a1", "e6", "a2", "e7"], "nodes": 500},
    "feedback": {"position": json_position(THREE), "move": "a1"},
    "stop": {"token": "0123456789abcdef"},
}


def test_the_openapi_document_describes_requests_and_answers_as_they_are(client: TestClient, document: Json) -> None:
    components = document["components"]["schemas"]
    posted = {path.removeprefix("/api/") for path, item in document["paths"].items() if "post" in item}
    assert posted == REQUESTS.keys()
    for path, item in document["paths"].items():
        ((method, operation),) = item.items()
        body = REQUESTS.get(path.removeprefix("/api/"))
        if body is not None:
            validate(body, operation["requestBody"]["content"]["application/json"]["schema"], components)
        response = client.request(method, path, json=body)
        assert response.status_code == 200, path
        validate(response.json(), operation["responses"]["200"]["content"]["application/json"]["schema"], components)


def test_each_line_of_a_streamed_search_is_described(client: TestClient, document: Json) -> None:
    schema = document["paths"]["/api/move"]["post"]["responses"]["200"]["content"]["application/x-ndjson"]["schema"]
    body = {**REQUESTS["move"], "nodes": 100_000_000, "seconds": 0.5, "stream": True, "position": json_position(WIDE)}
    lines = client.post("/api/move", json=body).text.splitlines()
    assert len(lines) > 1
    for line in lines:
        validate(json.loads(line), schema, document["components"]["schemas"])


WIDE = Board(black=["h8"], white=["h9"], turn="black")


def test_a_request_that_is_refused_says_why(client: TestClient, document: Json) -> None:
    refused = client.post("/api/rules", json={})
    schema = document["paths"]["/api/rules"]["post"]["responses"]["4XX"]["content"]["application/json"]["schema"]
    assert refused.status_code == 422
    validate(refused.json(), schema, document["components"]["schemas"])


@pytest.mark.parametrize("rule", ["freestyle", "renju"])
def test_the_api_and_the_command_say_the_same(client: TestClient, gomoku: Callable[..., Any], rule: str) -> None:
    position = {**json_position(RENJU), "rule": rule}
    told = gomoku("rules", "a.json", "--json", a_json=json.dumps(position)).value
    assert {"id": None, **client.post("/api/rules", json={"position": position}).json()} == told


def test_the_page_of_documentation_has_every_endpoint_and_type_and_asks_nobody_else(
    client: TestClient, document: Json
) -> None:
    page = client.get("/api/")
    assert page.headers["content-type"].startswith("text/html")
    for path, item in document["paths"].items():
        for method, operation in item.items():
            assert f"{method.upper()} {path}</code></h2>" in page.text
            assert operation["summary"] in html.unescape(page.text)
    named, links = set(re.findall(r' id="([^"]+)"', page.text)), re.findall(r'(?:href|src)="([^"]+)"', page.text)
    assert {f"type-{name}" for name in document["components"]["schemas"]} <= named
    assert {link.removeprefix("#") for link in links if link.startswith("#")} <= named
    assert all(client.get(link).status_code == 200 for link in set(links) if not link.startswith("#"))
    assert "<script" not in page.text and "style=" not in page.text


def test_the_examples_of_the_page_can_be_typed(client: TestClient) -> None:
    page = html.unescape(client.get("/api/").text)
    examples = re.findall(
        r"curl -s http://127\.0\.0\.1:8015(\S+) -H 'Content-Type: application/json' -d '([^']+)'", page
    )
    assert len(examples) > 5
    for path, body in examples:
        assert client.post(path, json=json.loads(body)).status_code == 200, path
