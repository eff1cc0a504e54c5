"""Holding against the book on the page: what is proven is said with figures, and the proof is walked and taken away."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from gomoku_patterns import Board
from search import Proof, verify
from search.book import great
from tests.gomoku.browser import as_phone, cell, click, count, holds, opened, put, ready, screenshot, shown
from tests.gomoku.test_web_looks import english, serious, serious_in_both_themes

pytest.importorskip("playwright")
from playwright.sync_api import expect

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

ENTERED = "play/book#s=15x15&r=freestyle&f=black&m=h8h9i9&y=white"
PROVEN = "play/book#s=15x15&r=freestyle&f=black&m=h8h9i9k10g7&y=white"
AT_MOST = re.compile(r"Proven: Black wins in at most (\d+) more moves")


def replies(move: str) -> list[Board]:
    """The positions after a first move and any reply."""
    found = []
    for reply in Board(black=[move]).empties():
        board = Board()
        board.push(move)
        board.push(reply)
        found.append(board)
    return found


def at_most(page: Page, where: str = "#book-says") -> int:
    expect(page.locator(where)).to_have_text(AT_MOST, timeout=60_000)
    found = AT_MOST.search(page.inner_text(where))
    assert found is not None
    return int(found[1])


def test_a_visitor_holds_against_the_book(page: Page) -> None:
    page.check("#opponent-book")
    expect(page.locator("#start")).to_have_text("Hold against the book")
    expect(page.locator("#more")).to_be_hidden()
    page.click("#start")
    count(page, "black", 1)
    holds(page, "h8", "black")
    proven = [board.moves[-1].cell for board in replies("h8") if great().find(board.flat)]
    for one in ("h9", "g8", "i8", "h7"):
        assert Board().cell(one) in proven
        expect(page.locator("#book-says")).to_contain_text(re.compile(f"Proven.* {one}|against {len(proven)} of"))
    click(page, "g8")  # an image of h9
    count(page, "black", 2)
    expect(page.locator("#book-says")).to_have_text(re.compile("^Proven: Black wins"), timeout=60_000)
    click(page, "c13")
    count(page, "black", 3)
    before = at_most(page)
    click(page, "c12")
    count(page, "black", 4)
    assert at_most(page) < before
    expect(page.locator("#swap")).to_be_disabled()


def test_outside_of_the_book_it_says_so_and_the_engine_plays(browser: Browser, server: Any) -> None:
    with opened(browser, f"{server.url}play/book#s=15x15&m=h8&y=white") as page:
        click(page, "a1")
        count(page, "black", 2)
        said = re.compile("the engine plays for Black")
        expect(page.locator("#book-says")).to_have_text(said, timeout=60_000)
        expect(page.locator("#book-walk")).to_be_hidden()


def test_the_proof_is_walked_from_there_and_taken_back(browser: Browser, server: Any) -> None:
    with opened(browser, server.url + PROVEN) as page:
        plies = at_most(page)
        page.click("#book-walk")
        assert at_most(page, "#proof-about") == plies
        rows = page.locator("#proof-answers tr")
        assert rows.count() > 3
        reply, answer, lasting = (rows.first.locator("td").nth(column) for column in range(3))
        assert int(lasting.inner_text()) == plies
        expected, hardest = answer.inner_text(), reply.locator("button").first.inner_text()
        cell(page, hardest).hover()
        said = f"{hardest}: Black answers {expected} and wins in at most {plies} moves."
        expect(page.locator("#proof-pointed")).to_have_text(said)
        screenshot(page, "book")
        click(page, hardest)
        count(page, "black", 4)
        holds(page, expected, "black")
        assert at_most(page, "#proof-about") == plies - 2
        page.reload()
        ready(page)
        count(page, "black", 4)
        holds(page, expected, "black")
        page.click("#proof-back")
        holds(page, hardest, "empty")
        assert at_most(page, "#proof-about") == plies
        page.click("#proof-close")
        assert len(shown(page)) == 5


def test_every_defence_ends_with_a_five(browser: Browser, server: Any) -> None:
    with opened(browser, server.url + PROVEN) as page:
        at_most(page)
        page.click("#book-walk")
        about, refuted = page.locator("#proof-about"), "Refuted: five in a row."
        for _ in range(40):
            expect(about).to_have_text(re.compile(f"{AT_MOST.pattern}|{refuted}"), timeout=60_000)
            said = about.inner_text()
            if said == refuted:
                break
            reply = page.locator("#proof-answers button").first
            name = reply.inner_text()
            stones = len(shown(page))
            reply.click()
            count(page, "black", stones // 2 + 2)
            holds(page, name, "white")
            expect(about).not_to_have_text(said, timeout=60_000)
        expect(about).to_have_text(refuted)
        expect(page.locator("line.won-line")).to_have_count(1)


def test_the_proof_that_is_downloaded_is_accepted(browser: Browser, server: Any, tmp_path: Path) -> None:
    with opened(browser, server.url + PROVEN) as page:
        at_most(page)
        page.click("#book-walk")
        at_most(page, "#proof-about")
        with page.expect_download() as download:
            page.click("#proof-save")
        assert re.fullmatch(r"proof-(h8i9|i9h8)-(k10h9|h9k10)\.json", download.value.suggested_filename)
        download.value.save_as(tmp_path / "proof.json")
        at_most(page, "#proof-about")
    proof = Proof.load(tmp_path / "proof.json")
    board = Board(black=["h8", "i9"], white=["h9", "k10"], turn="black")
    assert verify(proof, board, native=True, thorough=False)


LATE = {
    "status": "unknown",
    "stopped_by": "seconds",
    "move": None,
    "name": None,
    "length": None,
    "nodes": 0,
    "elapsed": 10.0,
}
ENDED = {"error": "the search did not keep its time limit and was ended", "status": 422}


@pytest.mark.parametrize("said", [{"result": LATE}, ENDED])
def test_a_proof_that_takes_too_long_is_left_to_the_command_line(browser: Browser, server: Any, said: Any) -> None:
    with opened(browser, server.url + PROVEN) as page:
        page.click("#book-walk")
        at_most(page, "#proof-about")
        body = json.dumps(said) + "\n"
        page.route("**/api/solve", lambda route: route.fulfill(body=body, content_type="application/x-ndjson"))
        page.click("#proof-save")
        expect(page.locator("#notice-text")).to_have_text(
            re.compile(
                "takes longer than the 10 s .* makes it, in parts: gomoku prove "
                "(h8 h9 i9 k10|h8 k10 i9 h9|i9 h9 h8 k10|i9 k10 h8 h9)"
                " --book great --expand proof --parts$"
            )
        )


def test_a_proof_that_was_found_can_be_downloaded_too(page: Page) -> None:
    page.click('nav [data-mode-link="puzzles"]')
    page.click("#puzzle-prove")
    expect(page.locator("#panel-proof")).to_be_visible(timeout=60_000)
    expect(page.locator("#proof-book")).to_be_hidden()
    with page.expect_download() as download:
        page.click("#proof-save")
    assert verify(json.loads(Path(download.value.path()).read_text(encoding="utf-8")))


def test_counting_can_be_stopped_and_asked_for_again(browser: Browser, server: Any) -> None:
    with opened(browser, server.url + ENTERED) as page:
        held: list[Any] = []

        def slow(route: Any) -> None:
            """Counting that never ends by itself, as a slow machine would have it."""
            if not route.request.post_data_json.get("count"):
                return route.continue_()
            held.append(route)
            told = {"progress": {"done": 3, "of": 40, "elapsed": 1.0}}
            result = {"result": {**standing, "stopped_by": "cancelled"}}
            body = "".join(json.dumps(line) + "\n" for line in (told, result))
            return route.fulfill(body=body, content_type="application/x-ndjson")

        blank = {"move": None, "name": None, "plies": None, "replies": [], "open": [], "leads": [], "root": None}
        standing = {"status": "proven", "attacker": "black", **blank}
        page.route("**/api/book", slow)
        click(page, "k10")
        count(page, "black", 3)
        expect(page.locator("#book-says")).to_have_text("Proven: Black wins, whatever you play.")
        expect(page.locator("#book-more")).to_have_text("In how many moves has not been counted.")
        assert held
        page.unroute("**/api/book")
        page.click("#book-count")
        assert at_most(page) > 20
        expect(page.locator("#book-count")).to_be_hidden()


COUNTING_FOR_EVER = """
const before = window.fetch;
window.fetch = (path, options) => {
  if (!String(path).endsWith("/api/book") || !JSON.parse(options.body).count) return before(path, options);
  const told = new TextEncoder().encode('{"progress": {"done": 3, "of": 40, "elapsed": 1.0}}\\n');
  return Promise.resolve(new Response(new ReadableStream({ start: (stream) => stream.enqueue(told) })));
};
"""


def test_counting_shows_how_far_it_is_and_does_not_keep_anybody_waiting(browser: Browser, server: Any) -> None:
    with opened(browser, f"{server.url}play/book#s=15x15&m=h8h9i9k10&y=white") as page:
        count(page, "black", 3)
        page.evaluate(COUNTING_FOR_EVER)
        click(page, "e12")
        count(page, "black", 4)
        expect(page.locator("#book-says")).to_have_text("Proven: Black wins, whatever you play.")
        expect(page.locator("#book-more")).to_have_text("Counting the moves: 3 of 40 positions of the book.")
        assert page.locator("#book-progress").evaluate("bar => [bar.value, bar.max]") == [3, 40]
        with page.expect_request("**/api/stop") as stopped:
            page.click("#book-stop")
        assert re.fullmatch("[0-9a-f]{32}", stopped.value.post_data_json["token"])
        click(page, "a1")
        count(page, "black", 5)


def test_the_stop_reaches_the_server(browser: Browser, server: Any) -> None:
    with opened(browser, server.url + PROVEN) as page:
        page.route("**/api/book", lambda route: None)  # the server does not answer
        with page.expect_request("**/api/stop", timeout=60_000) as stopped:
            click(page, "a1")
            page.click("#stop")
        assert re.fullmatch("[0-9a-f]{32}", stopped.value.post_data_json["token"])


def test_analysis_knows_the_book(browser: Browser, server: Any) -> None:
    for moves in ("h8h9i9k10", "h8h9i9k10g7"):  # black to move, and white
        with opened(browser, f"{server.url}analysis#s=15x15&m={moves}") as page:
            page.click("#prove")
            expect(page.locator("#name-white")).to_have_text("You", timeout=60_000)
            assert at_most(page, "#proof-about") > 20


@pytest.mark.parametrize("place", [ENTERED, PROVEN])
def test_it_looks_well_and_reads_in_chinese(browser: Browser, server: Any, place: str) -> None:
    phone = as_phone() | {"locale": "zh-CN", "reduced_motion": "reduce"}
    with opened(browser, server.url + place, **phone) as page:
        expect(page.locator("#book-says")).to_have_text(re.compile("^已证明"), timeout=60_000)
        assert page.evaluate("document.documentElement.scrollWidth") <= 390
        assert english(page) == []
        assert serious_in_both_themes(page) == []
        if place == PROVEN:
            expect(page.locator("#book-says")).to_contain_text("至多", timeout=60_000)
            page.tap("#book-walk")
            expect(page.locator("#proof-answers tr").first).to_be_visible(timeout=60_000)
            assert page.evaluate("document.documentElement.scrollWidth") <= 390
            assert english(page) == []
            assert serious(page) == []


def test_a_rematch_is_against_the_book_again(browser: Browser, server: Any) -> None:
    with opened(browser, server.url + PROVEN) as page:
        put(page, "a1")
        count(page, "black", 4)
        page.click("#resign")
        expect(page.locator("#resign")).to_have_text("Really resign?")
        page.click("#resign")
        page.click("#rematch")
        count(page, "black", 1)
        expect(page.locator("#name-black")).to_have_text("The book")
