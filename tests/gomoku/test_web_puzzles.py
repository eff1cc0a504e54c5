"""Puzzles on the page: levels with boards of their own, solved ones remembered, and proofs that answer any defence."""

from __future__ import annotations

import datetime
import json
import re
from typing import TYPE_CHECKING, Any

import pytest

from gomoku import answers
from gomoku_patterns import Cell
from puzzles.practice import Practice, daily
from puzzles.rating import Rating
from search import Limit, solve
from tests.gomoku.browser import click, holds, import_text, opened, put, ready, screenshot, shown, stones

pytest.importorskip("playwright")
from playwright.sync_api import expect

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page, Route

LEVEL_1 = answers.suite()["levels"][0]["position"]


def open_level(page: Page, number: int) -> None:
    page.click('nav [data-mode-link="puzzles"]')
    page.click(f'[data-level="{number}"]')
    expect(page.locator(f'[data-level="{number}"]')).to_have_attribute("aria-current", "true")


def show_the_win(page: Page) -> None:
    page.click("#puzzle-prove")
    expect(page.locator("#panel-proof")).to_be_visible(timeout=60_000)


def test_a_level_is_solved_and_remembered(page: Page) -> None:
    open_level(page, 16)
    holds(page, "k9", "white")
    for _ in range(12):
        expect(page.locator("#status")).to_have_text(re.compile("Black to move|Solved"), timeout=60_000)
        if "Solved" in page.locator("#status").inner_text():
            break
        board = shown(page)
        board.turn = "black"
        move = solve(board, Limit(seconds=5)).move
        assert isinstance(move, Cell)
        put(page, board.name(move))
    expect(page.locator("#puzzle-text")).to_have_text("Level 16 solved!")
    screenshot(page, "puzzle")
    page.reload()
    ready(page)
    expect(page.locator('[data-level="16"]')).to_have_text("✓ 16")
    expect(page.locator("#puzzle-progress")).to_have_text("1 of 20 solved")
    page.click("#puzzle-next")
    expect(page.locator('[data-level="17"]')).to_have_attribute("aria-current", "true")


def test_each_level_keeps_its_own_board(page: Page) -> None:
    open_level(page, 1)
    click(page, "a1")
    holds(page, "a1", "black")
    open_level(page, 2)
    holds(page, "a1", "empty")
    open_level(page, 1)
    holds(page, "a1", "black")
    page.click("#puzzle-again")
    holds(page, "a1", "empty")
    page.click("#redo")
    holds(page, "a1", "black")


def test_puzzles_play_and_analysis_have_boards_of_their_own(page: Page) -> None:
    put(page, "c3")
    open_level(page, 5)
    before = shown(page)
    page.click('nav [data-mode-link="analysis"]')
    assert len(shown(page)) == 0
    put(page, "d4")
    page.click('nav [data-mode-link="puzzles"]')
    assert shown(page) == before
    page.click('nav [data-mode-link="play"]')
    holds(page, "c3", "black")
    page.reload()
    ready(page)
    page.click('nav [data-mode-link="analysis"]')
    holds(page, "d4", "black")
    assert stones(page, "white") == []


def test_the_keyboard_stays_on_the_level_it_chose(page: Page) -> None:
    page.click('nav [data-mode-link="puzzles"]')
    page.locator('[data-level="3"]').focus()
    page.keyboard.press("Enter")
    expect(page.locator('[data-level="3"]')).to_have_attribute("aria-current", "true")
    page.wait_for_timeout(300)
    expect(page.locator('[data-level="3"]')).to_be_focused()


# ---------------------------------------------------------------------- what a move is worth


def test_a_move_that_still_wins_is_said_to_and_answered(page: Page) -> None:
    open_level(page, 16)
    put(page, "h9")
    expect(page.locator("#puzzle-text")).to_have_text("Still winning: Black wins in 5 moves.", timeout=60_000)
    holds(page, "h10", "white")
    expect(page.locator("#status")).to_have_text("Black to move")


def test_another_winning_move_is_accepted_and_said_to_be_one(page: Page) -> None:
    open_level(page, 16)
    put(page, "g9")
    expect(page.locator("#puzzle-text")).to_have_text(
        re.compile(r"That wins too: Black wins in (at most )?\d+ moves; the shortest win takes 5\."), timeout=60_000
    )
    assert len(stones(page, "white")) == 7


def test_a_move_that_wins_no_more_is_refuted_on_the_board(page: Page) -> None:
    open_level(page, 9)
    put(page, "a1")
    expect(page.locator("#puzzle-text")).to_have_text("a1 loses: White answers g8 and wins in 3 moves.", timeout=60_000)
    expect(page.locator("#status")).to_have_text("No longer winning")
    expect(page.locator(".line-stone")).to_have_count(3)
    screenshot(page, "refutation")
    assert len(stones(page, "white")) == 5
    page.click("#puzzle-retry")
    holds(page, "a1", "empty")
    expect(page.locator(".line-stone")).to_have_count(0)
    expect(page.locator("#puzzle-text")).to_have_text("Black to move and win")


def test_one_can_play_on_after_a_slip_and_lose(page: Page) -> None:
    open_level(page, 9)
    put(page, "a1")
    page.click("#puzzle-on")
    holds(page, "g8", "white")
    put(page, "b1")
    expect(page.locator("#status")).to_have_text("No longer winning", timeout=60_000)
    page.click("#puzzle-on")
    expect(page.locator("#status")).to_have_text("White wins")
    expect(page.locator("#puzzle-text")).to_have_text("White has won. Take back or start over.")
    page.click("#undo")
    expect(page.locator("#status")).to_have_text("Black to move")


def test_a_verdict_comes_again_after_a_reload(page: Page) -> None:
    open_level(page, 9)
    put(page, "a1")
    expect(page.locator("#status")).to_have_text("No longer winning", timeout=60_000)
    page.reload()
    ready(page)
    expect(page.locator("#puzzle-text")).to_have_text("a1 loses: White answers g8 and wins in 3 moves.", timeout=60_000)


def test_a_move_that_could_not_be_judged_is_judged_again_when_asked(page: Page) -> None:
    open_level(page, 9)
    late = {"error": "the search did not keep its time limit and was ended"}
    page.route("**/api/feedback", lambda route: route.fulfill(status=422, json=late))
    put(page, "a1")
    expect(page.locator("#notice-text")).to_contain_text("did not keep its time limit")
    page.unroute("**/api/feedback")
    page.click("#notice-act")
    expect(page.locator("#puzzle-text")).to_have_text("a1 loses: White answers g8 and wins in 3 moves.", timeout=60_000)


def answers_feedback(page: Page, **answer: Any) -> None:
    """From now on the server says this of every move in a puzzle."""
    blank = {"plies": None, "reply": None, "reply_name": None, "line": [], "line_names": [], "loses_in": None}
    event = json.dumps({"result": {**blank, **answer}}) + "\n"
    page.route("**/api/feedback", lambda route: route.fulfill(body=event))


def test_a_move_that_could_not_be_settled_costs_nothing_and_the_game_goes_on(page: Page) -> None:
    open_level(page, 9)
    answers_feedback(page, name="a1", status="unknown", reply=[14, 14], reply_name="o1")
    put(page, "a1")
    said = "Whether a1 wins is not settled. It costs no rating: White answers o1, and you go on."
    expect(page.locator("#puzzle-text")).to_have_text(said)
    holds(page, "o1", "white")
    expect(page.locator("#status")).to_have_text("Black to move")
    expect(page.locator("#puzzle-card")).to_have_class("end ")
    assert record(page).get("done", {}) == {}
    put(page, "b1")


def test_a_length_that_may_not_be_the_least_is_said_to_be_one(page: Page) -> None:
    open_level(page, 16)
    answers_feedback(page, name="h9", status="proven", plies=16, exact=False, reply=[5, 7], reply_name="h10")
    put(page, "h9")
    said = "That wins too: Black wins in at most 15 moves; the shortest win takes 5."
    expect(page.locator("#puzzle-text")).to_have_text(said)


def test_without_the_server_a_move_is_not_called_a_failure(page: Page) -> None:
    open_level(page, 1)
    page.route("**/api/feedback", lambda route: route.abort())
    put(page, "i12")
    expect(page.locator("#offline")).to_be_visible()
    expect(page.locator("#puzzle-text")).to_have_text("This move has not been judged yet.")
    assert record(page).get("done", {}) == {}
    page.unroute("**/api/feedback")
    expect(page.locator("#puzzle-text")).to_contain_text("Still winning")


def test_a_first_visit_begins_with_an_easy_puzzle(page: Page) -> None:
    page.click('nav [data-mode-link="puzzles"]')
    expect(page.locator("#puzzle-about")).to_have_text("Band 1 of 10")
    expect(page.locator("#puzzle-next")).to_have_text("Next puzzle")


def test_the_first_puzzles_of_practice_are_easy(page: Page) -> None:
    """A rating that says little yet is not taken at its word."""
    chosen = page.evaluate(
        """async () => {
            const { nextKey } = await import("/static/practice.js");
            const levels = Array.from({ length: 200 }, (_, at) => [`mine/${at}`, { rating: 1000 + 5 * at }]);
            const chosen = nextKey(levels);
            return levels.find(([key]) => key === chosen)[1].rating;
        }"""
    )
    assert 1100 < chosen < 1200


def test_a_rating_that_is_known_says_what_a_puzzle_did_to_it(page: Page, server: Any) -> None:
    rating = {"value": 1500, "deviation": 60, "volatility": 0.06}
    page.evaluate("rating => { localStorage.practice = JSON.stringify({ rating, done: {} }); }", rating)
    page.goto(server.url + "puzzles/1#m=i12i13h13l9")
    ready(page)
    put(page, "g14")
    expect(page.locator("#puzzle-gain")).to_have_text(re.compile(r"^Rating 15\d\d \(\+\d+\)$"))


def test_hints_come_in_stages(page: Page) -> None:
    open_level(page, 16)
    page.click("#hint")
    expect(page.locator("#puzzle-hint")).to_have_text("Hint 1 of 3: the move is in the marked area.")
    expect(page.locator("rect.area")).to_have_count(1)
    screenshot(page, "hint")
    page.click("#hint")
    expect(page.locator("#puzzle-hint")).to_have_text(
        "Hint 2 of 3: look for a live three that also stops White's live three."
    )
    page.click("#hint")
    expect(page.locator("#puzzle-hint")).to_have_text(re.compile(r"Hint 3 of 3: play h9\."))
    expect(page.locator("circle.hint-mark")).to_have_count(1)
    put(page, "h9")
    expect(page.locator("#puzzle-hint")).to_be_hidden()


def test_the_solution_is_stepped_through(page: Page) -> None:
    open_level(page, 16)
    put(page, "g9")
    page.click("#puzzle-solution")
    expect(page.locator("#solution-moves .move")).to_have_count(7, timeout=60_000)
    expect(page.locator("#status")).to_have_text("Solution, move 1 of 7")
    holds(page, "g9", "empty")
    page.keyboard.press("End")
    expect(page.locator(".won-line")).to_have_count(1)
    page.click("#back")
    expect(page.locator("#status")).to_have_text("Solution, move 6 of 7")
    page.click("#solution-close")
    holds(page, "g9", "black")


# ---------------------------------------------------------------------- practice


def record(page: Page) -> Any:
    return page.evaluate("JSON.parse(localStorage.practice ?? '{}')")


def test_a_slip_counts_once_and_comes_again(page: Page) -> None:
    open_level(page, 9)
    put(page, "a1")
    expect(page.locator("#puzzle-gain")).to_contain_text("provisional", timeout=60_000)
    once = record(page)
    assert once["done"]["huanle/9"]["solved"] is False and once["rating"]["value"] < 1500
    page.click("#puzzle-retry")
    put(page, "b1")
    expect(page.locator("#status")).to_have_text("No longer winning", timeout=60_000)
    assert record(page) == once
    page.evaluate(
        """() => { const state = JSON.parse(localStorage.practice); state.done["huanle/9"].due = 5;
            localStorage.practice = JSON.stringify(state); }"""
    )
    open_level(page, 3)
    expect(page.locator("#practice-again")).to_have_text("Repeat: 1")
    page.click("#practice-again")
    expect(page).to_have_url(re.compile("/puzzles/9$"))
    expect(page.locator("#puzzle-level")).to_have_text("Level 9")
    assert record(page)["rating"] == once["rating"]


def test_a_puzzle_solved_alone_raises_the_rating(page: Page, server: Any) -> None:
    page.goto(server.url + "puzzles/1#m=i12i13h13l9")
    ready(page)
    put(page, "g14")
    expect(page.locator("#status")).to_have_text("Solved")
    expect(page.locator("#puzzle-gain")).to_have_text(re.compile("^Rating 16.., provisional:"))
    assert record(page)["done"]["huanle/1"] == {"solved": True, "tries": 1, "box": None, "due": None}
    expect(page.locator("#practice-rating")).to_contain_text("1 of 1 puzzles solved")


def test_help_counts_as_a_slip(page: Page) -> None:
    open_level(page, 5)
    page.click("#hint")
    expect(page.locator("#puzzle-hint")).to_contain_text("Hint 1 of 3")
    assert record(page)["done"]["huanle/5"]["solved"] is False


def test_the_puzzle_of_the_day_has_an_address(page: Page) -> None:
    page.click('nav [data-mode-link="puzzles"]')
    page.click("#practice-daily")
    expect(page).to_have_url(re.compile("/puzzles/daily$"))
    expect(page.locator("#puzzle-level")).to_have_text(re.compile(r"Puzzle of \d{4}-\d\d-\d\d"))
    board = shown(page)
    page.goto(page.url)
    ready(page)
    assert shown(page) == board
    page.go_back()


def test_a_run_against_the_clock_ends_after_three_slips(page: Page) -> None:
    page.click('nav [data-mode-link="puzzles"]')
    page.click("#practice-run")
    expect(page.locator("#run-clock")).to_have_text(re.compile("2:5|3:00"))
    for slips in (1, 2, 3):
        before = shown(page)
        click(page, "a15")
        if slips < 3:
            expect(page.locator("#run-score")).to_have_text(f"0 solved · {slips} of 3 slips", timeout=60_000)
            holds(page, "a15", "empty")
            assert shown(page) != before
    expect(page.locator("#run-clock")).to_have_text("0 solved. Best: 0", timeout=60_000)
    expect(page.locator("#practice-run")).to_be_visible()
    expect(page.locator("#run-shown")).to_be_hidden()
    expect(page.locator("#run-missed button")).to_have_count(3)
    page.locator("#run-missed button").nth(1).click()
    expect(page).to_have_url(re.compile(r"/puzzles/[\w/]+$"))
    expect(page.locator("#puzzle-text")).to_have_text(re.compile("(Black|White) to move and win"))
    assert record(page).get("done", {}) == {}


def test_practice_waits_until_the_puzzles_are_there(page: Page) -> None:
    """A run without puzzles would end as it begins, and there would be no puzzle of the day."""
    held: list[Route] = []
    page.route(re.compile("/api/suites$"), lambda route: held.append(route))  # noqa: PLW0108  (Playwright marks the function)
    page.click('nav [data-mode-link="puzzles"]')
    expect(page.locator("#board")).to_be_visible()
    for name in ("next", "daily", "run"):
        expect(page.locator(f"#practice-{name}")).to_be_disabled()
    held[0].continue_()
    page.click("#practice-run")
    expect(page.locator("#run-clock")).to_have_text(re.compile("2:5|3:00"))


def test_a_run_ends_when_the_time_is_up(browser: Browser, server: Any) -> None:
    with opened(browser, server.url + "puzzles/1") as page:
        page.clock.install()
        page.click("#practice-run")
        expect(page.locator("#run-clock")).to_have_text(re.compile(r"2:5|3:00"))
        page.clock.fast_forward(181_000)
        expect(page.locator("#run-clock")).to_have_text("0 solved. Best: 0")


BANDED = [
    {"number": number, "title": "", "length": 5, "wins": [], "line": [], "band": band, "tags": tags}
    | {"rating": 600 + 200 * band, "deviation": 60, "position": LEVEL_1}
    for number, (band, tags) in enumerate([(2, ["double_three"]), (4, ["edge"]), (4, ["double_three"])], 1)
]


@pytest.fixture
def banded(page: Page) -> Page:
    """A collection of three puzzles beside the twenty, with bands and themes."""

    def suites(route: Route) -> None:
        told = route.fetch().json()
        names = ("huanle", "three")
        route.fulfill(json={**told, "suites": [{"suite": name, "title": name, "count": 3} for name in names]})

    def twenty(route: Route) -> None:
        told = route.fetch().json()
        plain = [{**level, "band": None, "tags": []} for level in told["levels"]]
        route.fulfill(json={**told, "levels": plain})

    page.route(re.compile("/api/suites$"), suites)
    page.route(re.compile(r"/api/puzzles\?suite=huanle$"), twenty)
    page.route(
        re.compile(r"/api/puzzles\?suite=three$"),
        lambda route: route.fulfill(json={"suite": "three", "levels": BANDED}),
    )
    page.goto(page.url.replace("/play", "/puzzles/1"))
    ready(page)
    return page


def test_bands_and_themes_are_chosen_from(banded: Page) -> None:
    assert banded.locator("#band option").all_inner_texts() == ["Near my rating", "Band 2 of 10", "Band 4 of 10"]
    banded.select_option("#band", "4")
    expect(banded.locator("#puzzle-about")).to_have_text("Band 4 of 10")
    banded.select_option("#theme-of", "double_three")
    expect(banded).to_have_url(re.compile("/puzzles/three/3$"))
    put(banded, "a1")
    expect(banded.locator("#puzzle-about")).to_have_text("Band 4 of 10 · double three", timeout=60_000)
    banded.select_option("#band", "")
    banded.select_option("#theme-of", "edge")
    expect(banded).to_have_url(re.compile("/puzzles/three/2$"))
    expect(banded.locator('[data-level][aria-current="true"]')).to_have_count(0)


def test_a_puzzle_has_a_link(banded: Page) -> None:
    banded.goto(banded.url.replace("/puzzles/1", "/puzzles/three/2"))
    ready(banded)
    expect(banded.locator("#puzzle-level")).to_have_text("Puzzle 2")


# ---------------------------------------------------------------------- the same as in Python


def test_the_published_example_of_glicko_2(page: Page) -> None:
    """Mark E. Glickman, "Example of the Glicko-2 system": 1464.06, 151.52, 0.05999."""
    after = page.evaluate(
        """async () => (await import("/static/rating.js")).rated({ value: 1500, deviation: 200, volatility: 0.06 },
            [{ value: 1400, deviation: 30, score: 1 }, { value: 1550, deviation: 100, score: 0 },
             { value: 1700, deviation: 300, score: 0 }])"""
    )
    assert after["value"] == pytest.approx(1464.06, abs=0.02)
    assert after["deviation"] == pytest.approx(151.52, abs=0.005)
    assert after["volatility"] == pytest.approx(0.05999, abs=0.00001)


def test_practice_on_the_page_is_that_of_python(page: Page) -> None:
    results = [(f"mine/{number % 7}", 800 + 90 * number, number % 3 > 0, 1000 * number) for number in range(25)]
    days = [datetime.date(2026, 1, 1) + datetime.timedelta(number) for number in range(40)]
    keys = [(f"mine/{number}", 1 + number % 10) for number in range(100)]
    told = page.evaluate(
        """async ([results, days, keys]) => {
            const { dailyKey, due, practice, record } = await import("/static/practice.js");
            for (const [key, rating, solved, time] of results) record(key, { rating, deviation: 60 }, solved, time);
            const levels = keys.map(([key, band]) => [key, { band }]);
            return { practice: practice(), due: due(20000), daily: days.map((day) => dailyKey(levels, day)) };
        }""",
        [results, [day.isoformat() for day in days], keys],
    )
    ours = Practice()
    for key, rating, solved, time in results:
        ours.record(key, Rating(rating, 60), solved=solved, now=time)
    assert told["practice"]["done"] == ours.to_json()["done"]
    assert told["practice"]["rating"] == pytest.approx(ours.to_json()["rating"])
    assert told["due"] == ours.due(20000)
    assert told["daily"] == [daily(keys, day) for day in days]


# ---------------------------------------------------------------------- proofs


def test_a_wrong_defence_is_refuted(page: Page) -> None:
    open_level(page, 1)
    show_the_win(page)
    expect(page.locator("#proof-about")).to_have_text(re.compile(r"Every legal reply was verified: [\d,]+ replies"))
    screenshot(page, "proof")
    for corner in ("a1", "a15", "o1", "o15", "a8", "h1", "b2", "n2"):
        plies = len(shown(page).empties())
        click(page, corner)
        holds(page, corner, "white")
        assert len(shown(page).empties()) == plies - 2
        if shown(page).winner() is not None:
            break
    expect(page.locator("#status")).to_have_text("Refuted: five in a row.")
    page.click("#proof-back")
    expect(page.locator("#status")).not_to_have_text("Refuted: five in a row.")
    page.click("#proof-close")
    expect(page.locator("#panel-proof")).to_be_hidden()


def test_in_a_proof_you_are_the_defence(page: Page) -> None:
    open_level(page, 1)
    show_the_win(page)
    expect(page.locator("#name-white")).to_have_text("You")
    expect(page.locator("#name-black")).to_have_text("The proof")
    page.evaluate(
        """() => { for (const name of ["a1", "o15"])
            document.querySelector(`[data-cell="${name}"]`).dispatchEvent(new MouseEvent("click")); }"""
    )
    holds(page, "a1", "white")
    page.keyboard.press("ArrowLeft")
    expect(page.locator("#proof-back")).to_be_disabled()


def test_a_proof_is_explored_further_after_a_reload(page: Page) -> None:
    open_level(page, 1)
    show_the_win(page)
    click(page, "a1")
    holds(page, "a1", "white")
    about, line = (page.locator(f"#proof-{part}").inner_text() for part in ("about", "line"))
    page.reload()
    expect(page.locator("#proof-line")).to_have_text(line)
    expect(page.locator("#proof-about")).to_have_text(about)
    page.click("#proof-back")
    holds(page, "a1", "empty")
    page.click("#proof-close")
    page.reload()
    ready(page)
    expect(page).to_have_url(re.compile("/puzzles/1$"))
    expect(page.locator("#panel-proof")).to_be_hidden()


def explore_a_proof(page: Page) -> str:
    """An analysis with a win for Black, and the line of its proof."""
    import_text(page, '{"black": ["h8", "i8", "j8"], "white": ["h9", "i9", "c3"]}')
    page.click("#prove")
    expect(page.locator("#panel-proof")).to_be_visible(timeout=60_000)
    return page.locator("#proof-line").inner_text()


def held(page: Page, path: str) -> list[Route]:
    """Reload the page; its requests for this path wait in the list until they are let go."""
    waiting: list[Route] = []
    page.route(path, lambda route: waiting.append(route))  # noqa: PLW0108  (Playwright marks the function)
    with page.expect_request(path):
        page.reload()
    return waiting


def test_a_proof_that_comes_back_after_a_move_is_not_shown(page: Page) -> None:
    explore_a_proof(page)
    answers = held(page, "**/api/proof/answer")
    click(page, "a1")
    holds(page, "a1", "black")
    with page.expect_response("**/api/proof/answer"):
        answers[0].continue_()
    ready(page)
    expect(page.locator("#panel-proof")).to_be_hidden()
    holds(page, "a1", "black")


def test_a_proof_belongs_to_its_position(page: Page) -> None:
    line = explore_a_proof(page)
    page.reload()
    expect(page.locator("#proof-line")).to_have_text(line)
    page.click('nav [data-mode-link="play"]')
    expect(page.locator("#panel-proof")).to_be_hidden()
    assert len(shown(page)) == 0


def test_no_proof_says_so_in_the_language_of_the_page(page: Page) -> None:
    page.click('nav [data-mode-link="analysis"]')
    page.click("#prove")
    expect(page.locator("#notice-text")).to_have_text("No win by threat upon threat: all of them were tried.")
    page.click("#language")
    expect(page.locator("#notice-text")).to_have_text("没有连续威胁的必胜：均已试过。")
