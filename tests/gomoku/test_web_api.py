"""The JSON API: what it answers, what it refuses, and that no request can bring it down."""

from __future__ import annotations

import asyncio
import base64
import contextlib
import html
import http.client
import itertools
import json
import os
import re
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from collections import OrderedDict
from collections.abc import AsyncGenerator, Callable, Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest
import uvicorn
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from starlette.testclient import TestClient

import gomoku_patterns
from benchmarks import attacks
from gomoku import answers
from gomoku.web import endpoints, jobs
from gomoku.web import pool as pool_module
from gomoku.web.app import create_app
from gomoku.web.bounds import ServerBounds
from gomoku.web.guard import CODES as STATUS_CODES
from gomoku.web.guard import HEADERS
from gomoku.web.pool import Job, Pool, PoolBusyError, ProcessDiedError, Worker
from gomoku_patterns.errors import CODES
from search import Cancel
from tests.timing import slowness

Json = dict[str, Any]
JSON: dict[str | bytes, Any] = {b"content-type": b"application/json"}

EMPTY: Json = {"rows": 15, "cols": 15, "rule": "freestyle", "black": [], "white": [], "to_move": "black"}
LEVEL_1: Json = {
    "rows": 15,
    "cols": 15,
    "black": [[4, 8], [4, 9], [5, 8], [5, 9], [5, 10], [6, 7], [6, 8], [6, 10], [7, 7], [8, 6]],
    "white": [[3, 7], [3, 10], [4, 10], [5, 7], [6, 9], [7, 8], [8, 7], [8, 8], [9, 5], [9, 7]],
    "to_move": "black",
}


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    folder = tmp_path_factory.mktemp("stops")
    with TestClient(
        create_app(ServerBounds(host="127.0.0.1", searches=1, queue=0, max_seconds=10, stop_folder=str(folder))),
        base_url="http://127.0.0.1:8015",
    ) as started:
        yield started


def post(client: TestClient, path: str, body: Any) -> Any:
    return client.post(f"/api/{path}", json=body)


# ---------------------------------------------------------------------- answers


def test_a_game_is_reviewed(client: TestClient) -> None:
    moves = ["h8", "a1", "i8", "b2", "j8", "c3", "a15"]  # with k8 black had won
    answer = post(client, "review", {"position": EMPTY, "moves": moves, "seconds": 10, "nodes": 2000}).json()
    assert answer["complete"]
    assert len(answer["moves"]) == answer["plies"] == 7
    assert answer["moves"][-1]["slip"] == "missed win"
    assert answer["moves"][-1]["better_name"] in ("g8", "k8")


def test_a_review_ends_with_its_time_and_says_that_it_is_not_complete(client: TestClient) -> None:
    random = Random(1)
    moves = [[row, col] for row in range(15) for col in range(0, 15, 2)][:60]
    random.shuffle(moves)
    post(client, "review", {"position": EMPTY, "moves": moves[:1], "seconds": 10, "nodes": 1})  # loads what it needs
    asked = {"position": EMPTY, "moves": moves, "seconds": 0.5, "nodes": 1_000_000, "stream": True}
    lines = [json.loads(line) for line in client.post("/api/review", json=asked).text.splitlines()]
    assert lines[-2]["progress"]["of"] == 61
    result = lines[-1]["result"]
    assert not result["complete"]
    assert len(result["moves"]) < 60
    told = [line["progress"] for line in lines[:-1]]
    assert [progress["done"] for progress in told] == list(range(1, len(told) + 1))
    assert [progress["worth"] for progress in told[1:]] == [move["worth"] for move in result["moves"]]
    assert [progress["reviewed"] for progress in told] == [None, *result["moves"]][: len(told)]
    assert told[0]["worth"]["winner"] is None


def test_a_review_of_threats_under_renju_keeps_its_time(client: TestClient) -> None:
    """Whether a move saves the game is asked of every legal move there, and each is a question with a million nodes."""
    stones = {"black": ["f11", "h11", "g10", "e9"], "white": ["h12", "j11", "i10", "e8"]}
    position = {**EMPTY, **stones, "rule": "renju", "to_move": "white"}
    asked = {"position": position, "moves": ["o1", "a1"], "seconds": 0.5, "nodes": 1_000_000}
    began = time.monotonic()
    answer = post(client, "review", asked)
    assert answer.status_code == 200, answer.text
    assert not answer.json()["complete"]
    assert time.monotonic() - began < 2 * slowness()


@pytest.mark.parametrize(
    ("asked", "reason"),
    [
        ({"moves": []}, "'moves' must be at least 1"),
        ({"moves": ["h8", "h8"]}, "h8"),
        ({"moves": ["h8"], "nodes": 10_000_000}, "at most 1e.06|at most 1000000"),
        ({}, "'moves' is missing"),
    ],
)
def test_a_game_that_cannot_be_reviewed_is_refused(client: TestClient, asked: Json, reason: str) -> None:
    refused = post(client, "review", {"position": EMPTY, **asked})
    assert refused.status_code == 422
    assert re.search(reason, refused.json()["error"])


def test_rules_say_who_has_won_and_where(client: TestClient) -> None:
    won = {**EMPTY, "black": ["a1", "b1", "c1", "d1", "e1"], "white": ["a3", "b3", "c3", "d3"], "to_move": "white"}
    answer = post(client, "rules", {"position": won}).json()
    assert answer["winner"] == "black" and answer["over"]
    assert answer["line"] == [[14, col] for col in range(5)]


def test_rules_list_forbidden_points_under_renju(client: TestClient) -> None:
    crossing = {**EMPTY, "rule": "renju", "black": ["g8", "i8", "h7", "h9"], "white": ["a1", "c1", "e1", "g1"]}
    answer = post(client, "rules", {"position": crossing}).json()
    assert (answer["forbidden"], answer["fouls"]) == ([[7, 7]], ["three-three"])


def test_a_score_with_the_value_of_every_cell(client: TestClient) -> None:
    answer = post(client, "score", {"position": LEVEL_1, "table": "grade_dict", "points": True}).json()
    assert answer["score"] == -360
    assert answer["points"]["black"][4][8] is None and len(answer["points"]["white"]) == 15


def test_the_patterns_of_a_cell_add_up(client: TestClient) -> None:
    answer = post(client, "explain", {"position": LEVEL_1, "table": "grade_dict", "cell": "h8"})
    assert answer.status_code == 422  # a black stone stands there
    answer = post(client, "explain", {"position": LEVEL_1, "table": "grade_dict", "cell": [3, 8]}).json()
    for colour in ("black", "white"):
        assert sum(item["worth"] for item in answer[colour]["items"]) == answer[colour]["gain"] != 0


def test_a_player_moves(client: TestClient) -> None:
    answer = post(client, "move", {"position": LEVEL_1, "player": "minmax:depth=4", "seconds": 2, "depth": 4}).json()
    assert (answer["move"], answer["score"], answer["nodes"]) == ([3, 8], -20, 506)


def test_a_win_comes_with_a_proof_that_can_be_checked_and_followed(client: TestClient) -> None:
    solution = post(client, "solve", {"position": LEVEL_1, "seconds": 2}).json()
    assert solution["status"] == "proven"
    verdict = post(client, "proof/verify", {"proof": solution["proof"], "position": LEVEL_1}).json()
    assert verdict["accepted"]
    first = post(client, "proof/answer", {"proof": solution["proof"]}).json()
    assert first["line_names"] == [solution["name"]]
    after = post(client, "proof/answer", {"proof": solution["proof"], "replies": ["a1"]}).json()
    assert after["line_names"][:2] == [solution["name"], "a1"] and len(after["line_names"]) == 3


def test_a_proof_of_another_position_is_refused(client: TestClient) -> None:
    solution = post(client, "solve", {"position": LEVEL_1, "seconds": 2}).json()
    verdict = post(client, "proof/verify", {"proof": solution["proof"], "position": EMPTY}).json()
    assert not verdict["accepted"] and "another" in verdict["reason"]


def test_notations_are_converted(client: TestClient) -> None:
    answer = post(client, "convert", {"text": "h8h9i9", "to": "sgf"}).json()
    assert [move[:2] for move in answer["position"]["moves"]] == [[7, 7], [6, 7], [6, 8]]
    assert answer["text"].startswith("(;")
    again = post(client, "convert", {"text": answer["text"]}).json()
    assert again["position"] == answer["position"]


VARIED = r"(;GM[4]SZ[15]AB[aa]PL[B];B[hh]C[so: [a\]]TR[hh](;W[ii];B[jj])(;W[gg]LB[cc:A];B[]))"


def test_a_game_keeps_its_variations_comments_and_signs(client: TestClient) -> None:
    answer = post(client, "convert", {"text": VARIED, "to": "sgf"}).json()
    nodes = answer["tree"]["nodes"]
    assert [node.get("parent") for node in nodes] == [None, 0, 1, 2, 1, 4]
    assert (nodes[1]["comment"], nodes[1]["marks"]) == ("so: [a]", [[7, 7, "triangle"]])
    assert (nodes[4]["labels"], nodes[5]["pass"]) == ([[2, 2, "A"]], "black")
    again = post(client, "convert", {"tree": answer["tree"], "to": "sgf"}).json()
    assert (again["text"], again["tree"]) == (answer["text"], answer["tree"])


def test_a_library_of_bytes_is_read(client: TestClient) -> None:
    library = base64.b64encode(bytes([0x78, 0x00, 0x79, 0x40])).decode()
    answer = post(client, "convert", {"base64": library}).json()
    assert [node.get("move") for node in answer["tree"]["nodes"]][-2:] == [[7, 7, "black"], [7, 8, "white"]]
    for wrong in ("?", base64.b64encode(bytes([255, 0, 1])).decode()):
        assert post(client, "convert", {"base64": wrong}).status_code == 422


@pytest.mark.parametrize(
    ("tree", "reason"),
    [
        ({}, "'nodes'"),
        ({"nodes": []}, "'nodes'"),
        ({"nodes": [{}, {"parent": 1}]}, "node 1"),
        ({"nodes": [{}, {"parent": 0, "move": [15, 0, "black"]}]}, "no cell"),
        ({"nodes": [{}, {"parent": 0, "move": [1, 0, "green"]}]}, "node 1"),
        ({"nodes": [{}, {"parent": 0, "marks": [[1, 1, "star"]]}]}, "node 1"),
        ({"nodes": [{"setup": [[1, 1, "black"]]}, {"parent": 0, "move": [1, 1, "white"]}]}, "taken"),
        ({"nodes": [[]]}, "node 0"),
        ({"rows": 3, "nodes": [{}]}, "rows"),
    ],
)
def test_a_game_that_cannot_be_one_is_refused(client: TestClient, tree: Json, reason: str) -> None:
    answer = post(client, "convert", {"tree": tree})
    assert answer.status_code == 422 and reason in answer.json()["error"]


def test_a_move_says_what_it_makes_and_stops(client: TestClient) -> None:
    position = {**EMPTY, "black": ["h8", "i8", "j8"], "white": ["k7", "k6", "c3"]}
    answer = post(client, "why", {"position": position, "cell": "k8"}).json()
    assert [(shape["kind"], shape["names"]) for shape in answer["makes"]] == [("live-four", ["h8", "i8", "j8", "k8"])]
    assert [shape["kind"] for shape in answer["stops"]] == ["live-three"]
    assert answer["forbidden"] is None


def test_people_play_and_the_same_request_has_the_same_answer(client: TestClient) -> None:
    people = client.get("/api/opponents").json()["opponents"]
    assert [one["level"] for one in people] == list(range(1, len(people) + 1))
    assert all(one["names"].keys() == one["about"].keys() == {"en", "zh"} for one in people)
    position = {**EMPTY, "black": ["h8", "i9"], "white": ["h9"], "to_move": "white"}
    for name in ("pip", "chen"):
        body = {"position": position, "opponent": name, "seed": 3, "last": "i9"}
        first, second = (post(client, "move", body).json() for _ in range(2))
        assert (first["player"], first["move"]) == (name, second["move"])
    assert post(client, "move", {"position": position, "opponent": "nobody"}).status_code == 422


def test_swap2_is_proposed_and_answered(client: TestClient) -> None:
    proposed = [post(client, "swap2", {"position": EMPTY, "nodes": 2000, "seed": seed}).json() for seed in range(8)]
    assert all(len(each["stones"]) == 3 and not each["swap"] for each in proposed)
    assert len({tuple(each["names"]) for each in proposed}) > 2
    again = post(client, "swap2", {"position": EMPTY, "nodes": 2000, "seed": 3}).json()
    assert again == proposed[3]
    # Three black stones in a row against one white: whoever may choose takes Black, who does not move next.
    lopsided = {**EMPTY, "black": ["h8", "i8", "j8"], "white": ["a1", "a2"], "to_move": "white"}
    answer = post(client, "swap2", {"position": lopsided, "seconds": 0.5}).json()
    assert answer == {"stones": [], "names": [], "swap": True}
    assert post(client, "swap2", {"position": LEVEL_1}).status_code == 422


@pytest.mark.parametrize("path", ["/play", "/play/mimi", "/puzzles", "/puzzles/16", "/analysis"])
def test_every_mode_has_an_address(client: TestClient, path: str) -> None:
    assert client.get(path).text == client.get("/").text


def test_a_text_of_moves_says_whose_turn_it_is(client: TestClient) -> None:
    answer = post(client, "convert", {"text": "(;GM[4]SZ[15];W[hh];W[ii])"}).json()
    assert answer["position"]["moves"] == [[7, 7, "white"], [8, 8, "white"]]
    assert answer["position"]["to_move"] == "black"


def test_the_longest_search_is_told(client: TestClient) -> None:
    assert client.get("/api/health").json()["max_seconds"] == 10


def test_every_table_in_the_list_scores_and_explains() -> None:
    tables = [table["name"] for table in answers.tables()["tables"]]
    assert {"engine", "cell", "learned"} <= set(tables)
    for table in tables:
        judge, board = endpoints.evaluator(table), endpoints.board_of(LEVEL_1)
        told = answers.explain(board, judge, (3, 8))
        points = answers.score(board, judge, points=True)["points"]
        assert told["black"]["gain"] == sum(item["worth"] for item in told["black"]["items"]) == points["black"][3][8]


@pytest.mark.parametrize("path", ["players", "opponents", "tables", "puzzles", "formats", "health", "openapi.json"])
def test_lists(client: TestClient, path: str) -> None:
    assert client.get(f"/api/{path}").status_code == 200


def test_the_openapi_document_names_every_endpoint(client: TestClient) -> None:
    document = client.get("/api/openapi.json").json()
    assert {"/api/move", "/api/solve", "/api/rules", "/api/score", "/api/explain"} <= set(document["paths"])
    assert document["paths"]["/api/move"]["post"]["requestBody"]["content"]["application/json"]["schema"]["properties"]


def read(path: Path) -> str:
    return path.read_text(encoding="utf-8")


def test_the_page_and_all_it_loads_is_there(client: TestClient) -> None:
    page = client.get("/")
    assert page.headers["content-type"].startswith("text/html")
    static = Path(__file__).parents[2] / "gomoku" / "web" / "static"
    named = re.findall(
        r'(?:from|import|src=|href=)\(?\s*"(?:\./|/static/)([\w.-]+)"', "".join(map(read, static.glob("*.[jh]*")))
    )
    assert {"main.js", "tree.js", "style.css", "icon.svg"} <= set(named)
    for name in set(named):
        assert client.get(f"/static/{name}").status_code == 200, name
    worker = client.get("/service-worker.js")
    assert worker.headers["content-type"].startswith("text/javascript")


def test_the_page_asks_nobody_else(client: TestClient) -> None:
    static = Path(__file__).parents[2] / "gomoku" / "web" / "static"
    for path in static.iterdir():
        if path.suffix == ".png":
            continue
        text = path.read_text(encoding="utf-8").replace("http://www.w3.org/2000/svg", "")
        assert "http://" not in text and "https://" not in text, path.name
        assert " onclick=" not in text and "<style" not in text


# ---------------------------------------------------------------------- refusals


@pytest.mark.parametrize("path", ["/nope", "/play/tom/again", "/<b>", "/puzzles/a/b/c"])
def test_an_address_where_nothing_is_has_a_page_that_says_so(client: TestClient, path: str) -> None:
    page = client.get(path)
    assert page.status_code == 404
    assert page.headers["content-type"].startswith("text/html")
    assert f"There is nothing at <code>{html.escape(path)}</code>" in page.text
    assert 'href="/play"' in page.text and "<b>" not in page.text


@pytest.mark.parametrize("path", ["/api/nothing", "/static/nothing.js"])
def test_a_program_is_told_in_json_that_nothing_is_there(client: TestClient, path: str) -> None:
    assert client.get(path).json()["code"] == "no-such-address"


@pytest.mark.parametrize(
    ("path", "leads_to"), [("/play/", "/play"), ("/puzzles/16/", "/puzzles/16"), ("/api", "/api/")]
)
def test_a_slash_too_many_or_too_few_leads_on_without_believing_the_host(path: str, leads_to: str) -> None:
    with TestClient(create_app(ServerBounds(host="0.0.0.0", searches=1, checks=1))) as client:
        moved = client.get(path, headers={"host": "evil.example"}, follow_redirects=False)
    assert (moved.status_code, moved.headers["location"]) == (307, leads_to)


def test_the_lines_of_the_api_page_lead_to_this_server(client: TestClient) -> None:
    for host in ("127.0.0.1:8091", "[::1]:8091", "localhost"):
        page = client.get("/api/", headers={"host": host}).text
        assert f"curl -s http://{host}/api/rules" in page


@pytest.mark.parametrize("path", ["/", "/api/health", "/api/nothing", "/static/main.js", "/nope"])
def test_security_headers_are_on_every_response(client: TestClient, path: str) -> None:
    response = client.get(path)
    assert {name: response.headers[name] for name in HEADERS if name != "cache-control"} == {
        name: value for name, value in HEADERS.items() if name != "cache-control"
    }
    assert "set-cookie" not in response.headers


@pytest.mark.parametrize(
    ("path", "body", "reason"),
    [
        ("rules", {}, "'position'"),
        ("rules", {"position": 3}, "object"),
        ("rules", {"position": {**EMPTY, "rows": 4}}, "rows"),
        ("rules", {"position": {**EMPTY, "rows": 10**9}}, "rows"),
        ("rules", {"position": {**EMPTY, "black": ["z99"]}}, "z99"),
        ("rules", {"position": EMPTY, "extra": 1}, "extra"),
        ("score", {"position": EMPTY, "table": "/etc/passwd"}, "table"),
        ("score", {"position": EMPTY, "table": 7}, "table"),
        ("move", {"position": EMPTY, "player": "nobody"}, "nobody"),
        ("move", {"position": EMPTY, "player": "minmax:table=/etc/passwd"}, "grade_dict"),
        ("move", {"position": EMPTY, "player": "minmax:table=mine.toml"}, "grade_dict"),
        ("move", {"position": EMPTY, "player": "stubborn:proof=proof.json"}, "may not open files"),
        ("move", {"position": EMPTY, "player": "book:file=a.book"}, "may not open files"),
        ("move", {"position": EMPTY, "player": "engine:book=a.book"}, "may not open files"),
        (
            "move",
            {"position": EMPTY, "player": "stubborn:otherwise=engine:hash=65536"},
            "hash of a player may be at most",
        ),
        ("move", {"position": EMPTY, "player": "engine:threads=64"}, "threads of a player may be at most"),
        ("move", {"position": EMPTY, "seconds": 1e9}, "seconds"),
        ("move", {"position": EMPTY, "seconds": 0}, "seconds"),
        ("move", {"position": EMPTY, "depth": 10_000}, "depth"),
        ("move", {"position": EMPTY, "token": "../../../../etc/x"}, "token"),
        ("solve", {"position": EMPTY, "mode": "magic"}, "mode"),
        ("proof/verify", {"proof": {}}, None),
        ("proof/answer", {"proof": {"version": 1}}, "expected"),
        ("convert", {}, "text"),
        ("convert", {"text": "h8", "to": "nothing"}, "nothing"),
        ("stop", {"token": "../x"}, "token"),
    ],
)
def test_what_is_refused_and_why(client: TestClient, path: str, body: Json, reason: str | None) -> None:
    response = post(client, path, body)
    if reason is None:
        assert response.json()["accepted"] is False
        return
    assert 400 <= response.status_code < 500
    assert reason in response.json()["error"]


@pytest.mark.parametrize(
    ("path", "body", "code"),
    [
        ("convert", {"text": " "}, "no-position"),
        ("convert", {"text": "what is this"}, "unknown-format"),
        ("convert", {"text": "(;GM[1]SZ[19];B[aa])"}, "another-game"),
        ("convert", {"text": "(;GM[4]SZ[40];B[aa])"}, "bad-size"),
        ("convert", {"text": '{"rows": 15'}, "bad-json"),
        ("convert", {"text": '{"rows": 3, "cols": 3}'}, "bad-size"),
        ("convert", {"text": '{"black": ["h8"], "white": ["h8"]}'}, "cell-taken"),
        ("convert", {"text": '{"black": ["z99"]}'}, "bad-cell"),
        ("convert", {"text": '{"rule": "chess"}'}, "unknown-rule"),
        ("convert", {"text": "h8 h8"}, "cell-taken"),
        ("convert", {"text": "h8 z99"}, "bad-cell"),
        ("convert", {"text": "h8 h9\nh8"}, "several-positions"),
        ("convert", {"text": "x" * 200_001}, "too-long"),
        ("convert", {"tree": {"nodes": [{}, {"parent": 0, "move": [15, 0, "black"]}]}}, "bad-cell"),
        ("rules", {"position": {**EMPTY, "rows": 4}}, "bad-size"),
        ("rules", {"position": {**EMPTY, "black": ["h8", "h8"]}}, "cell-taken"),
        ("rules", {"position": 3}, "request"),
        ("move", {"position": EMPTY, "player": "nobody"}, "player"),
        ("why", {"position": {**EMPTY, "black": ["h8"], "to_move": "white"}, "cell": "h8"}, "cell-taken"),
    ],
)
def test_errors_have_codes(client: TestClient, path: str, body: Json, code: str) -> None:
    refused = post(client, path, body)
    assert (refused.status_code, refused.json()["code"]) == (422, code), refused.json()


def test_an_error_in_a_text_has_its_place_beside_the_reason(client: TestClient) -> None:
    told = post(client, "convert", {"text": "h8 h9 h8"}).json()
    assert (told["reason"], told["line"], told["column"]) == ("there is a stone on 'h8' already", 1, 7)
    assert told["error"].endswith("1:7: there is a stone on 'h8' already")


def sources() -> list[str]:
    root = Path(gomoku_patterns.__file__).parents[1]
    rooms = ("gomoku_patterns", "search", "puzzles", "arena", "gomoku")
    return [read(path) for room in rooms for path in (root / room).rglob("*.py")]


def test_every_code_has_its_words_in_chinese() -> None:
    """The page translates codes and never the English words, which may be worded better at any time."""
    of_classes = {
        code for text in sources() for code in re.findall(r'^    code(?:, \w+)?(?:: str)? = "(\S+)"', text, re.M)
    }
    assert {"refused", "notation", "busy", "book"} <= of_classes
    static = Path(__file__).parents[2] / "gomoku" / "web" / "static"
    table = re.findall(r'^  "([a-z-]+)": ".+",$', read(static / "errors.js"), re.MULTILINE)
    assert len(table) == len(set(table))
    assert of_classes | CODES | set(STATUS_CODES.values()) == set(table)


def test_every_code_of_a_single_error_is_declared() -> None:
    used = {code for text in sources() for code in re.findall(r'code="([a-z-]+)"', text)}
    assert {"cell-taken", "no-position", "game-over"} <= used <= CODES


def test_a_game_that_is_over_is_not_searched(client: TestClient) -> None:
    over = {**EMPTY, "black": ["a1", "b1", "c1", "d1", "e1"], "white": ["a3", "b3", "c3", "d3"], "to_move": "white"}
    assert "over" in post(client, "move", {"position": over, "player": "random"}).json()["error"]


def test_a_stream_that_breaks_off_says_that_it_may_be_tried_again(
    client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def dies(*_: object) -> AsyncGenerator[bytes, None]:
        yield b'{"progress": {}}\n'
        raise ProcessDiedError("expected an answer")

    monkeypatch.setattr(Pool, "run", dies)
    lines = post(client, "move", {"position": EMPTY, "stream": True}).text.splitlines()
    assert json.loads(lines[-1]) == {"error": "expected an answer", "code": "process-died", "status": 503}


def test_a_pool_whose_process_cannot_be_restarted_says_so_and_recovers(monkeypatch: pytest.MonkeyPatch) -> None:
    """It does not shrink for good: the next process is tried again, and meanwhile nobody waits for ever."""
    monkeypatch.setattr("gomoku.web.pool.RESTART_SECONDS", 0.2)
    starts = itertools.count()
    start = Worker.start.__func__

    async def fails_twice(kind: type[Worker]) -> Worker:
        if next(starts) in (1, 2):
            raise BlockingIOError(11, "Resource temporarily unavailable")
        return await start(kind)

    monkeypatch.setattr(Worker, "start", classmethod(fails_twice))

    async def lose_the_only_process() -> None:
        pool = Pool(1, 0)
        await pool.start()
        worker = await pool._take("somebody", retry=False)
        worker.process.kill()
        await worker.process.wait()
        pool._give_back("somebody", worker)
        await asyncio.sleep(0.1)
        with pytest.raises(PoolBusyError, match="no process can be started"):
            await pool._take("somebody", retry=False)
        async with asyncio.timeout(10):
            while not pool._idle:
                await asyncio.sleep(0.02)
        assert next(starts) == 4 and len(pool._all) == 1
        await pool.close()

    asyncio.run(lose_the_only_process())


@pytest.mark.parametrize(("turns", "given"), [("a a", "a"), ("a b a", "a"), ("a b", "b"), ("a", "")])
def test_a_turn_that_was_given_up_passes_to_the_next(turns: str, given: str) -> None:
    """The first turn is cancelled in the moment in which the process becomes free; the others are waited for."""

    async def give_up() -> None:
        pool = Pool(1, 8)
        await pool.start()
        worker = await pool._take("a", retry=False)
        waiting = [asyncio.create_task(pool._take(client, retry=False)) for client in turns.split()]
        await asyncio.sleep(0)
        waiting[0].cancel()
        pool._give_back("a", worker)
        done, pending = await asyncio.wait(waiting, timeout=0.5)
        clients = [client for client, task in zip(turns.split(), waiting, strict=True) if task in done]
        assert clients[1:] == given.split() and len(pending) == len(waiting) - len(clients)
        assert pool.busy == len(given.split())
        await pool.close()
        await asyncio.gather(*waiting, return_exceptions=True)

    asyncio.run(give_up())


def test_the_memory_of_kept_players_is_bounded_together(monkeypatch: pytest.MonkeyPatch) -> None:
    """A process that was asked for many large players keeps as much as one of them may have."""
    monkeypatch.setattr(jobs, "_players", OrderedDict())
    body = {"position": EMPTY, "opponent": None, "seed": 0, "last": None, "nodes": 1, "seconds": 5.0}
    most = 0
    for spec in (*(f"engine:hash=128,lines={lines}" for lines in (1, 2, 3, 4)), "mcts:memory=256", "engine", "wins"):
        jobs.run({"kind": "move", **body, "player": spec}, b"", Cancel(), lambda _: None)
        most = max(most, jobs.kept_megabytes())
        assert sum(map(jobs.megabytes, jobs._players)) == jobs.kept_megabytes() <= 256
    assert most == 256 and len(jobs._players) <= 4
    assert jobs.megabytes("stubborn:otherwise=engine:hash=200") == 200
    kept = jobs._kept_player("wins")
    assert jobs._kept_player("wins") is kept


def test_the_start_of_a_process_is_no_part_of_its_first_job(monkeypatch: pytest.MonkeyPatch) -> None:
    slow = pool_module.BEGINNING.replace("import os, signal", "import os, signal, time; time.sleep(1.5)")
    assert slow != pool_module.BEGINNING
    monkeypatch.setattr(pool_module, "BEGINNING", slow)

    async def answer() -> bytes:
        pool = Pool(1, 0)
        await pool.start()
        body = json.dumps({"position": QUIET}).encode()
        try:
            return [line async for line in pool.run(Job({"endpoint": "rules"}, 1.0 * slowness(), body=body))][-1]
        finally:
            await pool.close()

    assert json.loads(asyncio.run(answer()))["result"]["winner"] is None


def test_a_stop_that_comes_while_the_process_starts_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    slow = pool_module.BEGINNING.replace("import os, signal", "import os, signal, time; time.sleep(1)")
    monkeypatch.setattr(pool_module, "BEGINNING", slow)
    about = {"kind": "move", **THINK, "opponent": None, "seed": 0, "last": None, "nodes": None, "seconds": 20.0}

    async def stopped() -> Json:
        pool, stop = Pool(1, 0), asyncio.Event()
        stop.set()
        await pool.start()
        try:
            lines = [line async for line in pool.run(Job(about, 30.0), stop)]
        finally:
            await pool.close()
        result: Json = json.loads(lines[-1])["result"]
        return result

    result = asyncio.run(stopped())
    assert result["stopped_by"] == "cancelled" and result["elapsed"] < 10


def test_bodies_are_bounded(client: TestClient) -> None:
    assert client.post("/api/rules", content=b"x" * 300_000, headers=JSON).status_code == 413
    assert client.post("/api/rules", content=(b"x" * 1000 for _ in range(300)), headers=JSON).status_code == 413


def test_foreign_host_names_are_refused(client: TestClient) -> None:
    assert client.get("/api/health", headers={"host": "evil.example"}).status_code == 421


@pytest.mark.parametrize("origin", ["http://evil.example", "https://localhost.evil.example:8015", "null"])
def test_pages_of_others_are_refused(client: TestClient, origin: str) -> None:
    assert client.post("/api/rules", json={"position": EMPTY}, headers={"origin": origin}).status_code == 403


@pytest.mark.parametrize("host", ["127.0.0.1:8015", "localhost:8015", "[::1]:8015"])
def test_its_own_page_is_answered(client: TestClient, host: str) -> None:
    headers = {"host": host, "origin": f"http://{host}", "sec-fetch-site": "same-origin", "sec-fetch-mode": "cors"}
    assert client.post("/api/rules", json={"position": EMPTY}, headers=headers).status_code == 200


@pytest.mark.parametrize(
    "headers",
    [
        {"origin": "http://localhost:9999"},
        {"origin": "http://127.0.0.1"},
        {"origin": "http://localhost:8015"},  # another name of this machine may be another server
        {"sec-fetch-site": "same-site", "sec-fetch-mode": "cors"},
        {"sec-fetch-site": "cross-site", "sec-fetch-mode": "no-cors"},
    ],
)
def test_another_site_of_this_machine_is_refused(client: TestClient, headers: dict[str, str]) -> None:
    assert client.post("/api/rules", json={"position": EMPTY}, headers=headers).status_code == 403


def test_a_link_from_elsewhere_opens_the_page(client: TestClient) -> None:
    headers = {"sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate"}
    assert client.get("/", headers=headers).status_code == 200


@pytest.mark.parametrize("kind", ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data", ""])
def test_what_a_form_could_send_is_refused(client: TestClient, kind: str) -> None:
    content = json.dumps({"position": EMPTY}).encode()
    refused = client.post("/api/rules", content=content, headers={"content-type": kind} if kind else {})
    assert refused.status_code == 415 and "application/json" in refused.json()["error"]


def test_a_length_that_is_no_number_is_refused(client: TestClient) -> None:
    for length in ("²".encode("latin-1"), b"9" * 5000):
        assert client.post("/api/rules", content=b"{}", headers={**JSON, b"content-length": length}).status_code == 413


def test_stopping_what_does_not_run_leaves_nothing_behind(tmp_path: Path) -> None:
    app = create_app(ServerBounds(searches=1, stop_folder=str(tmp_path)))
    with TestClient(app, base_url="http://127.0.0.1:8015") as client:
        stopped = post(client, "stop", {"token": "0123456789abcdef"})
        assert (stopped.status_code, stopped.json()) == (200, {"stopping": False})
    assert list(tmp_path.iterdir()) == []


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    path=st.sampled_from(
        ["rules", "score", "explain", "convert", "proof/verify", "proof/answer", "stop", "move", "solve"]
    ),
    body=st.one_of(
        st.binary(max_size=60),
        st.recursive(
            st.none() | st.booleans() | st.floats() | st.integers() | st.text(max_size=8),
            lambda inner: (
                st.lists(inner, max_size=3)
                | st.dictionaries(
                    st.sampled_from(["position", "proof", "text", "token", "black", "rows"]), inner, max_size=3
                )
            ),
            max_leaves=6,
        ).map(lambda value: json.dumps(value).encode()),
    ),
)
def test_malformed_requests_get_a_reason(client: TestClient, path: str, body: bytes) -> None:
    response = client.post(f"/api/{path}", content=body, headers=JSON)
    assert response.status_code < 500
    if response.status_code >= 400:
        assert response.json()["error"]


# ---------------------------------------------------------------------- a real server


class Answer:
    """An answer that is read line by line, over a connection of its own."""

    def __init__(self, server: Any, path: str, body: Json) -> None:
        self.connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=20)
        self.connection.request("POST", f"/api/{path}", json.dumps(body), {"Content-Type": "application/json"})
        self.response = self.connection.getresponse()
        self.status = self.response.status

    def event(self) -> Json:
        event: Json = json.loads(self.response.readline())
        return event

    def rest(self) -> list[Json]:
        return [json.loads(line) for line in self.response.read().splitlines()]

    def close(self) -> None:
        self.response.close()
        self.connection.close()


@pytest.fixture(scope="module")
def server(serve: Callable[..., Any]) -> Any:
    return serve("--searches", "1", "--queue", "0", "--max-seconds", "5")


@pytest.fixture
def ask(server: Any) -> Iterator[Callable[[str, Json], Answer]]:
    answers: list[Answer] = []

    def asked(path: str, body: Json) -> Answer:
        answers.append(Answer(server, path, body))
        return answers[-1]

    wait_until_free(server)
    yield asked
    for answer in answers:
        answer.close()


def wait_until_free(server: Any) -> None:
    """A search process that was interrupted takes a moment to be replaced."""
    deadline = time.monotonic() + 10
    while json.loads(urllib.request.urlopen(server.url + "api/health", timeout=5).read())["searching"]:
        assert time.monotonic() < deadline
        time.sleep(0.05)


Ask = Callable[[str, Json], Answer]
QUIET: Json = {**EMPTY, "black": ["h8"], "to_move": "white"}
THINK: Json = {"position": QUIET, "player": "mcts", "seconds": 5, "stream": True}


def test_a_streamed_search_reports_progress_and_stops_when_asked(ask: Ask) -> None:
    token = "0123456789abcdef-stop"
    search = ask("move", {**THINK, "token": token})
    assert "progress" in search.event()
    assert ask("stop", {"token": token}).event() == {"stopping": True}
    result = search.rest()[-1]["result"]
    assert result["stopped_by"] == "cancelled" and result["elapsed"] < 4


def test_lines_are_streamed_while_they_are_searched(ask: Ask) -> None:
    search = ask("move", {"position": QUIET, "player": "engine:lines=3,solver=no", "seconds": 2, "stream": True})
    *progress, last = search.rest()
    result = last["result"]
    for stats in (progress[-1]["progress"], result["stats"]):
        assert len(stats["lines"]) == len(stats["values"]) == 3 and stats["ends_in"] == []
        assert all(line["value"][0] == line["move"] for line in stats["lines"])
    assert result["stats"]["lines"][0]["value"] == result["pv"]


def test_a_full_queue_is_a_503_at_once(ask: Ask) -> None:
    first = ask("move", THINK)
    assert "progress" in first.event()
    begun = time.monotonic()
    second = ask("move", THINK)
    assert second.status == 503 and second.response.headers["retry-after"]
    assert "try again" in second.event()["error"]
    assert time.monotonic() - begun < 3


def test_a_client_that_goes_away_frees_its_place(server: Any, ask: Ask) -> None:
    first = ask("move", THINK)
    assert "progress" in first.event()
    first.close()
    begun = time.monotonic()
    wait_until_free(server)
    assert time.monotonic() - begun < 4
    assert ask("move", {**THINK, "seconds": 0.1}).status == 200


def test_a_search_process_that_dies_is_replaced_and_its_search_tried_again(server: Any, ask: Ask) -> None:
    search = ask("move", {**THINK, "seconds": 1.5})
    assert "progress" in search.event()
    subprocess.run(["pkill", "-KILL", "-P", str(server.process.pid), "-f", "gomoku.web.worker"], check=True)
    assert "result" in search.rest()[-1]


@pytest.mark.skipif(not hasattr(os, "nice"), reason="nobody gives way here")
@pytest.mark.parametrize("asked", ["", "3"])
def test_searches_give_way_to_the_server(
    serve: Callable[..., Any], monkeypatch: pytest.MonkeyPatch, asked: str
) -> None:
    psutil = pytest.importorskip("psutil")
    monkeypatch.setenv("GOMOKU_NICE", asked)
    server = psutil.Process(serve("--searches", "1", "--workers", "1").process.pid)
    wanted, end = min(19, server.nice() + int(asked or 10)), time.monotonic() + 30
    while wanted not in (given := [child.nice() for child in server.children()]) and time.monotonic() < end:
        time.sleep(0.05)
    assert wanted in given


def test_a_niceness_that_is_no_number_is_one_clear_line() -> None:
    command = [sys.executable, "-m", "gomoku", "serve", "--port", "0"]
    done = subprocess.run(
        command, env={**os.environ, "GOMOKU_NICE": "low"}, capture_output=True, text=True, timeout=60, check=False
    )
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "gomoku: GOMOKU_NICE: expected a whole number, found 'low'\n"


@pytest.mark.parametrize("workers", ["1", "2"])
def test_answers_are_not_held_back_for_an_acknowledgement(serve: Callable[..., Any], workers: str) -> None:
    """That would take forty milliseconds each time, however quick the machine."""
    server = serve("--searches", "1", "--workers", workers)
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=20)
    taken = []
    for _ in range(40):
        began = time.perf_counter()
        connection.request("POST", "/api/rules", json.dumps({"position": QUIET}), {"Content-Type": "application/json"})
        assert json.loads(connection.getresponse().read())["winner"] is None
        taken.append(time.perf_counter() - began)
    connection.close()
    assert min(taken[10:]) < 0.035 * slowness()


# ---------------------------------------------------------------------- hostile clients


def test_a_client_cannot_choose_its_own_address(serve: Callable[..., Any]) -> None:
    """One client holds half of the queue at most, whatever its requests say of where they come from."""
    server = serve("--searches", "1", "--queue", "2", "--max-seconds", "5")
    held = [socket.create_connection(("127.0.0.1", server.port), timeout=20) for _ in range(2)]
    body = json.dumps({"position": QUIET, "player": "mcts", "seconds": 5}).encode()
    for number, connection in enumerate(held):
        connection.sendall(request_bytes("move", body, f"X-Forwarded-For: 10.0.0.{number}", "Forwarded: for=10.0.0.9"))
        wait_for_searching(server)
    asked = http.client.HTTPConnection("127.0.0.1", server.port, timeout=20)
    asked.request("POST", "/api/move", body, {"Content-Type": "application/json", "X-Forwarded-For": "10.0.0.7"})
    assert asked.getresponse().status == 503
    for each in (*held, asked):
        each.close()


def request_bytes(path: str, body: bytes, *headers: str) -> bytes:
    """A request as it goes over the wire."""
    lines = [f"POST /api/{path} HTTP/1.1", "Host: 127.0.0.1", "Content-Type: application/json", *headers]
    return "\r\n".join([*lines, f"Content-Length: {len(body)}", "", ""]).encode() + body


def wait_for_searching(server: Any) -> None:
    deadline = time.monotonic() + 20
    while not json.loads(urllib.request.urlopen(server.url + "api/health", timeout=5).read())["searching"]:
        assert time.monotonic() < deadline
        time.sleep(0.02)
    time.sleep(0.2)  # a search that waits is not shown anywhere


def test_the_server_runs_with_settings_that_trust_nobody(
    monkeypatch: pytest.MonkeyPatch, gomoku: Callable[..., Any]
) -> None:
    given: Json = {}
    monkeypatch.setattr("uvicorn.run", lambda app, **settings: given.update(settings, app=app))
    monkeypatch.setenv("FORWARDED_ALLOW_IPS", "*")
    assert gomoku("serve", "--port", "0").status == 0
    config = uvicorn.Config(**{name: value for name, value in given.items() if name != "fd"})
    config.load()
    assert (config.proxy_headers, config.ws, config.loop, config.lifespan) == (False, "none", "asyncio", "on")
    assert config.ws_protocol_class is None
    assert config.h11_max_incomplete_event_size == 16 * 1024


def test_a_module_in_the_current_folder_is_not_imported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("queue", "signal", "json"):
        (tmp_path / f"{name}.py").write_text("raise SystemExit('a stranger wrote this')\n", encoding="utf-8")
    monkeypatch.chdir(tmp_path)

    async def answer() -> bytes:
        pool = Pool(1, 0)
        await pool.start()
        body = json.dumps({"position": QUIET}).encode()
        try:
            return [line async for line in pool.run(Job({"endpoint": "rules"}, 20.0, body=body))][-1]
        finally:
            await pool.close()

    assert json.loads(asyncio.run(answer()))["result"]["winner"] is None


def test_a_connection_that_sends_requests_before_their_answers_gets_one(server: Any) -> None:
    body = json.dumps({"position": QUIET}).encode()
    one = request_bytes("rules", body)
    for pieces in ([one * 3], [one + one[:20], one[20:] + one]):
        with socket.create_connection(("127.0.0.1", server.port), timeout=20) as connection:
            for piece in pieces:
                connection.sendall(piece)
            answered = b"".join(iter(lambda: connection.recv(65536), b""))
        assert answered.count(b"HTTP/1.1 200 OK") == 1


def test_a_connection_that_waits_for_its_answers_is_kept(server: Any) -> None:
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=20)
    connection.connect()
    kept = connection.sock
    for path, method in (("/api/rules", "POST"), ("/api/health", "GET"), ("/nothing", "GET"), ("/api/rules", "POST")):
        body = json.dumps({"position": QUIET}) if method == "POST" else None
        connection.request(method, path, body, {"Content-Type": "application/json"})
        connection.getresponse().read()
        assert connection.sock is kept
    connection.close()


@pytest.fixture(scope="module")
def fortress(serve: Callable[..., Any]) -> Any:
    return serve("--max-seconds", "5")


def slowest(server: Any, seconds: float) -> float:
    """The longest that a quick request took while others were at it, all of them answered."""
    took, end = 0.0, time.monotonic() + seconds
    while time.monotonic() < end:
        began = time.perf_counter()
        status, _ = attacks.post(server.port, "rules", json.dumps({"position": QUIET}).encode())
        took = max(took, time.perf_counter() - began)
        assert status == 200
        time.sleep(0.02)
    return took


@pytest.mark.slow
@pytest.mark.parametrize("name", ["slow proofs", "half-open connections", "abandoned requests", "answers never read"])
def test_the_server_answers_while_it_is_attacked(fortress: Any, name: str) -> None:
    once, threads = attacks.ATTACKS[name]
    with attacks.Attack(fortress.port, once, threads):
        assert slowest(fortress, 2) < 2 * slowness()  # the benchmark has a sharper bound


@pytest.mark.slow
def test_a_proof_that_takes_too_long_is_refused_and_its_process_replaced(fortress: Any) -> None:
    status, body = attacks.post(fortress.port, "proof/verify", attacks.PROOF)
    assert status == 422 and "takes longer than" in json.loads(body)["error"]
    solution = json.loads(attacks.post(fortress.port, "solve", json.dumps({"position": LEVEL_1}).encode())[1])
    status, body = attacks.post(fortress.port, "proof/verify", json.dumps({"proof": solution["proof"]}).encode())
    assert status == 200 and json.loads(body)["accepted"]


@pytest.mark.slow
@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="needs a second address of the loopback interface")
def test_one_client_cannot_take_every_search_slot(fortress: Any) -> None:
    with attacks.Attack(fortress.port, attacks.take_search_slots, 20):
        time.sleep(1)
        began = time.monotonic()
        request = json.dumps({"position": QUIET, "player": "mcts", "seconds": 0.1}).encode()
        status, _ = attacks.post(fortress.port, "move", request)
        assert status == 200 and time.monotonic() - began < 3 * slowness()


@pytest.mark.slow
def test_half_open_connections_are_cut(fortress: Any) -> None:
    held = [socket.create_connection(("127.0.0.1", fortress.port), timeout=30) for _ in range(3)]
    held[1].sendall(b"POST /api/rules HTTP/1.1\r\nHost: 127")
    held[2].sendall(b"GET /api/health HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
    began = time.monotonic()
    for connection in held:
        with contextlib.suppress(ConnectionResetError):
            while connection.recv(65536):
                pass
        connection.close()
    assert time.monotonic() - began < 20  # they are cut after ten seconds


@pytest.mark.slow
@pytest.mark.parametrize("workers", ["1", "2"])
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_the_server_ends_within_two_seconds_whatever_it_is_at(
    serve: Callable[..., Any], number: signal.Signals, workers: str
) -> None:
    server = serve("--workers", workers)
    with (
        attacks.Attack(server.port, attacks.check_slow_proof, 8),
        attacks.Attack(server.port, attacks.take_search_slots, 8),
        attacks.Attack(server.port, attacks.hold_half_open, 1),
    ):
        time.sleep(1)
        children = subprocess.run(
            ["pgrep", "-P", str(server.process.pid)], capture_output=True, text=True, check=True
        ).stdout.split()
        began = time.monotonic()
        server.process.send_signal(number)
        server.process.wait(timeout=10)
        took = time.monotonic() - began
    assert took < 2 * slowness()
    time.sleep(0.5)
    assert [child for child in children if Path(f"/proc/{child}").exists()] == []
