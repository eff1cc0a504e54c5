"""Playing on the page: opponents, clocks, openings, the end of a game, and that nothing is lost."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

import pytest

from gomoku_patterns import Board
from search import Limit, player
from tests.gomoku.browser import (
    LONG_SECONDS,
    cell,
    click,
    count,
    holds,
    opened,
    put,
    ready,
    screenshot,
    shown,
    start,
    stones,
    thinks_long,
    unfold,
)

pytest.importorskip("playwright")
from playwright.sync_api import expect

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page, Route

HALF = LONG_SECONDS * 1000 / 2
"""Half the time that a search would take that was not stopped."""


def wait_for_turn(page: Page) -> None:
    expect(page.locator("#status")).to_have_text(re.compile("Your move|won|draw"), timeout=60_000)


def test_the_page_opens_ready_to_play(page: Page) -> None:
    expect(page.locator("#status")).to_have_text("Your move")
    expect(page.locator("#people .card")).to_have_count(9)
    expect(page.locator("#start")).to_have_text("Play Tom")
    click(page, "h8")
    count(page, "white", 1)
    expect(page.locator("#against")).to_contain_text("Tom")


def test_a_game_is_won_and_what_next(page: Page) -> None:
    start(page, "pip")
    me = player("engine")
    for _ in range(60):
        wait_for_turn(page)
        if page.locator("#end").is_visible():
            break
        board = shown(page)
        move = me.search(board, Limit(nodes=20_000)).move
        assert move is not None
        put(page, board.name(move))
    expect(page.locator("#end-title")).to_have_text("You won")
    expect(page.locator("#end-how")).to_have_text(re.compile(r"Five in a row after \d+ moves\."))
    expect(page.locator("line.won-line")).to_have_count(1)
    expect(page.locator("circle.won")).to_have_count(5)
    for name in ("hint", "resign"):
        expect(page.locator(f"#{name}")).to_be_disabled()
    screenshot(page, "game")
    played = shown(page)
    page.click("#review")
    expect(page).to_have_url(re.compile("/analysis#"))
    assert shown(page) == played
    expect(page.locator("#graph .graph-black")).to_have_attribute("d", re.compile("^M"), timeout=60_000)
    page.go_back()
    expect(page.locator("#next-person")).to_have_text("Play Mimi next")
    page.click("#next-person")
    expect(page.locator("#against")).to_contain_text("Mimi")
    assert len(shown(page)) == 0


def test_a_rematch_changes_sides(page: Page) -> None:
    start(page, "pip")
    click(page, "h8")
    count(page, "white", 1)
    page.click("#resign")
    expect(page.locator("#resign")).to_have_text("Really resign?")
    expect(page.locator("#end")).to_be_hidden()
    page.click("#resign")
    expect(page.locator("#end-title")).to_have_text("Pip won")
    expect(page.locator(".seat.turn")).to_have_count(0)
    expect(page.locator("#end-how")).to_have_text("You resigned after 2 moves.")
    page.click("#rematch")
    count(page, "black", 1)
    expect(page.locator("#name-white")).to_have_text("You")


def test_a_new_game_takes_nothing_away(page: Page) -> None:
    start(page, "friend")
    put(page, "h8", "h9", "i9")
    start(page, "friend", rows="9", cols="9")
    expect(page.locator("[data-cell]")).to_have_count(81)
    expect(page.locator("#notice-text")).to_have_text("A new game has begun.")
    page.click("#notice-act")
    holds(page, "i9", "black")
    assert shown(page) == Board(black=["h8", "i9"], white=["h9"])


def test_a_board_that_cannot_be_is_refused_and_the_game_stays(page: Page) -> None:
    start(page, "friend")
    put(page, "h8")
    for rows in ("", "0", "4", "23", "9.5", "-3"):
        page.click("#new-again")
        unfold(page, "more")
        page.fill("#rows", rows)
        page.evaluate("document.getElementById('new-game').noValidate = true")
        page.click("#start")
        expect(page.locator("#notice-text")).to_have_text("A board has 5 to 22 rows and columns.")
        page.reload()
        ready(page)
        holds(page, "h8", "black")


def test_undo_takes_back_both_moves_and_redo_brings_them_again(page: Page) -> None:
    start(page, "system:random")
    click(page, "h8")
    count(page, "white", 1)
    wait_for_turn(page)
    page.click("#undo")
    count(page, "black", 0)
    count(page, "white", 0)
    page.click("#redo")
    count(page, "black", 1)
    count(page, "white", 1)


def test_the_opponents_first_move_is_not_taken_back(page: Page) -> None:
    start(page, "system:random", colour="white")
    count(page, "black", 1)
    expect(page.locator("#status")).to_have_text("Your move")
    expect(page.locator("#undo")).to_be_disabled()
    click(page, page.locator('[aria-label$=", empty"]').first.get_attribute("data-cell") or "")
    count(page, "black", 2)
    page.click("#undo")
    count(page, "black", 1)
    expect(page.locator("#status")).to_have_text("Your move")


@pytest.fixture(scope="module")
def patient_server(serve: Callable[..., Any]) -> Any:
    return serve("--max-seconds", str(LONG_SECONDS))


@pytest.fixture
def patient(browser: Browser, patient_server: Any) -> Iterator[Page]:
    """A page whose opponent thinks for a minute, unless it is stopped."""
    with opened(browser, patient_server.url) as page:
        thinks_long(page)
        yield page


def test_a_move_taken_back_during_the_answer_and_brought_again_is_answered(patient: Page) -> None:
    page = patient
    start(page, "iron")
    put(page, "h8")
    expect(page.locator("#stop")).to_be_visible()
    page.click("#undo")
    expect(page.locator("#stop")).to_be_hidden()
    page.click("#redo")
    page.click("#stop")
    expect(page.locator('[aria-label$=", white"]')).to_have_count(1, timeout=HALF)


def test_a_search_can_be_told_to_move_now(patient: Page) -> None:
    start(patient, "system:mcts")
    click(patient, "h8")
    expect(patient.locator("#stop")).to_have_text("Move now")
    patient.click("#stop")
    expect(patient.locator('[aria-label$=", white"]')).to_have_count(1, timeout=HALF)


def test_a_stop_that_comes_before_its_search_is_kept(patient: Page) -> None:
    start(patient, "system:mcts")
    patient.evaluate(
        """() => {
            const stop = document.getElementById("stop");
            new MutationObserver(() => stop.hidden || stop.click()).observe(stop, { attributeFilter: ["hidden"] });
        }"""
    )
    click(patient, "h8")
    expect(patient.locator('[aria-label$=", white"]')).to_have_count(1, timeout=HALF)


def test_another_mode_chosen_at_once_does_not_silence_the_opponent(page: Page) -> None:
    start(page, "pip")
    page.evaluate(
        """() => {
            document.querySelector('[data-cell="h8"]').dispatchEvent(new MouseEvent("click"));
            document.querySelector('nav [data-mode-link="analysis"]').click();
        }"""
    )
    expect(page).to_have_url(re.compile("/analysis"))
    assert stones(page, "black") == []
    page.click('nav [data-mode-link="play"]')
    count(page, "white", 1)


def test_sides_can_be_swapped(page: Page) -> None:
    start(page, "pip")
    put(page, "h8")
    count(page, "white", 1)
    wait_for_turn(page)
    page.click("#swap")
    count(page, "black", 2)
    expect(page.locator("#name-white")).to_have_text("You")


def test_moves_can_be_looked_back_at(page: Page) -> None:
    start(page, "friend")
    put(page, "h8", "h9", "i9")
    page.click('#moves button:text-is("h9")')
    assert shown(page) == Board(black=["h8"], white=["h9"])
    expect(page.locator("#status")).to_have_text("Looking back at move 2")
    page.keyboard.press("ArrowLeft")
    assert stones(page, "white") == []
    page.keyboard.press("End")
    holds(page, "i9", "black")


def test_the_keyboard_is_enough(page: Page) -> None:
    start(page, "friend")
    cell(page, "h8").focus()
    for key in ("ArrowUp", "ArrowRight", "Enter"):
        page.keyboard.press(key)
    holds(page, "i9", "black")
    page.keyboard.press("u")
    holds(page, "i9", "empty")


def test_systems_of_the_literature_have_their_own_heading(page: Page) -> None:
    unfold(page, "systems")
    names = page.locator("#system option").all_inner_texts()
    assert {"minmax", "mcts", "two_ply", "wins"} <= set(names)
    page.check("#opponent-system")
    page.select_option("#system", "mcts")
    expect(page.locator("#system-about")).to_contain_text("Monte Carlo")


# ---------------------------------------------------------------------- clocks, openings, handicap


def test_a_clock_runs_and_gives_seconds_back(page: Page) -> None:
    page.clock.install(time=0)
    page.clock.pause_at(1000)  # from now on time passes only when it is told to
    start(page, "friend", clock="1+2")
    put(page, "h8", "h9")
    expect(page.locator("#clock-black")).to_have_text("1:02")
    page.clock.run_for(5000)
    expect(page.locator("#clock-black")).to_have_text("0:57")
    put(page, "i9")
    expect(page.locator("#clock-black")).to_have_text("0:59")
    page.clock.run_for(70_000)
    expect(page.locator("#end-title")).to_have_text("Black wins")
    expect(page.locator("#end-how")).to_have_text("White ran out of time.")


def test_who_has_moved_does_not_pay_for_a_slow_server(page: Page) -> None:
    page.clock.install(time=0)
    page.clock.pause_at(1000)
    start(page, "friend", clock="1+2")
    put(page, "h8", "h9")
    page.route("**/api/rules", lambda route: None)  # the server does not answer
    put(page, "i9")
    page.clock.run_for(5000)
    expect(page.locator("#clock-white")).to_have_text("0:57")
    expect(page.locator("#clock-black")).to_have_text("1:04")


def test_a_clock_is_not_filled_by_taking_moves_back(page: Page) -> None:
    page.clock.install(time=0)
    page.clock.pause_at(1000)
    start(page, "friend", clock="5+3")
    put(page, "h8", "h9")
    expect(page.locator("#clock-black")).to_have_text("5:03")
    for _ in range(3):
        page.click("#undo")
        holds(page, "h9", "empty")
        put(page, "h9")
    expect(page.locator("#clock-white")).to_have_text("5:03")
    page.click("#undo")
    expect(page.locator("#clock-white")).to_have_text("5:00")
    page.click("#redo")
    expect(page.locator("#clock-white")).to_have_text("5:03")


def test_a_game_lost_on_time_is_not_taken_back(page: Page) -> None:
    page.clock.install(time=0)
    page.clock.pause_at(1000)
    start(page, "friend", clock="1+2")
    put(page, "h8", "h9")
    page.clock.run_for(70_000)
    expect(page.locator("#end-how")).to_have_text("Black ran out of time.")
    expect(page.locator("#undo")).to_be_disabled()
    expect(page.locator("#redo")).to_be_disabled()


def test_a_clock_survives_a_reload(page: Page) -> None:
    start(page, "friend", clock="5+3")
    put(page, "h8", "h9")
    page.reload()
    ready(page)
    expect(page.locator("#clock-white")).to_have_text("5:03")


def test_extra_stones_are_a_handicap(page: Page) -> None:
    start(page, "friend", opening="handicap-3")
    count(page, "black", 3)
    expect(page.locator("#status")).to_have_text("White to move")


def test_an_opening_of_renju_is_on_the_board(page: Page) -> None:
    start(page, "friend", rule="renju", opening="4D")
    assert shown(page) == Board(black=["h8", "i9"], white=["h9"])
    expect(page.locator("#status")).to_have_text("White to move")


def test_swap2_when_you_propose(page: Page) -> None:
    start(page, "wei", opening="swap2")
    expect(page.locator("#swap2-text")).to_contain_text("Put three stones")
    put(page, "a1", "o15", "a15")
    expect(page.locator("#notice-text")).to_have_text(re.compile("Wei takes"), timeout=60_000)
    expect(page.locator("#swap2")).to_be_hidden()
    wait_for_turn(page)


def test_swap2_when_they_propose(page: Page) -> None:
    start(page, "wei", colour="white", opening="swap2")
    expect(page.locator("#swap2-two")).to_be_visible(timeout=60_000)
    assert (len(stones(page, "black")), len(stones(page, "white"))) == (2, 1)
    page.click("#swap2-black")
    count(page, "white", 2)
    expect(page.locator("#name-black")).to_have_text("You")


def test_swap2_between_two_people_with_two_more_stones(page: Page) -> None:
    start(page, "friend", opening="swap2")
    put(page, "h8", "h9", "a1")
    page.click("#swap2-two")
    put(page, "b2", "o15")
    expect(page.locator("#swap2-choices button")).to_have_count(2)
    page.click("#swap2-white")
    expect(page.locator("#status")).to_have_text("White to move")


# ---------------------------------------------------------------------- forbidden points, sound, what is said


def test_a_forbidden_point_says_why(page: Page, server: Any) -> None:
    page.goto(f"{server.url}play/friend#s=15x15&r=renju&m=g8a1i8c1h7e1h9g1&y=both")
    ready(page)
    expect(page.locator("line.forbidden")).to_have_count(2)
    expect(cell(page, "h8")).to_have_attribute("aria-label", "h8, forbidden to Black: three-three")
    click(page, "h8")
    said = "h8 is forbidden to Black: it would make two live threes at once."
    expect(page.locator("#notice-text")).to_have_text(said)
    page.click("#language")
    expect(page.locator("#notice-text")).to_have_text("h8 是黑方禁手：会同时形成两个活三（三三）。")


def ghosts(page: Page) -> int:
    """How many see-through stones show under the pointer, which rests on an empty cell."""
    cell(page, "c3").hover()
    shown = "ghosts => ghosts.filter(ghost => getComputedStyle(ghost).opacity !== '0').length"
    return int(page.locator(".ghost").evaluate_all(shown))


def test_no_stone_is_promised_where_none_can_be_played(patient: Page) -> None:
    page = patient
    start(page, "friend")
    holds(page, "c3", "empty")
    assert ghosts(page) == 1
    start(page, "iron", colour="white")
    expect(page.locator("#stop")).to_be_visible()
    assert ghosts(page) == 0
    expect(page.locator("#moves")).to_have_text("No moves yet. Your opponent begins.")
    page.click('nav [data-mode-link="analysis"]')
    click(page, "h8")
    holds(page, "h8", "black")
    assert ghosts(page) == 1
    page.click('#signs button[data-sign="circle"]')
    assert ghosts(page) == 0


class SlowRules:
    """The rules of the positions that a page asks for; from now on none is answered until they are let through."""

    def __init__(self, page: Page) -> None:
        self.held: list[Route] = []
        self.holds_back = True
        page.route("**/api/rules", self.handle)

    def handle(self, route: Route) -> None:
        if self.holds_back:
            self.held.append(route)
        else:
            route.continue_()

    def let_through(self) -> None:
        self.holds_back = False
        for route in self.held:
            route.continue_()


@pytest.mark.parametrize("fast", [False, True])
def test_no_move_is_taken_before_it_is_known_who_has_won(page: Page, fast: bool) -> None:
    start(page, "friend")
    put(page, "a1", "a3", "b1", "b3", "c1", "c3", "d1", "d3")
    rules = SlowRules(page)
    put(page, "e1")
    click(page, "e3")
    if fast:
        cell(page, "e3").focus()
        page.keyboard.press("Enter")
    holds(page, "e3", "empty")
    rules.let_through()
    expect(page.locator("#end-title")).to_have_text("Black wins")
    holds(page, "e3", "empty")


def test_no_move_is_taken_before_it_is_known_what_is_forbidden(page: Page, server: Any) -> None:
    page.goto(f"{server.url}play/friend#s=15x15&r=renju&m=g8a1i8c1h7e1h9&y=both")
    ready(page)
    rules = SlowRules(page)
    put(page, "g1")
    click(page, "h8")  # would be a three-three
    assert rules.held
    holds(page, "h8", "empty")
    rules.let_through()
    expect(cell(page, "h8")).to_have_attribute("aria-label", "h8, forbidden to Black: three-three")
    put(page, "o15")


def test_no_move_is_taken_in_an_analysis_before_it_is_known_who_has_won(page: Page) -> None:
    page.click('nav [data-mode-link="analysis"]')
    put(page, "a1", "a3", "b1", "b3", "c1", "c3", "d1", "d3")
    rules = SlowRules(page)
    put(page, "e1")
    click(page, "e3")
    holds(page, "e3", "empty")
    rules.let_through()
    expect(page.locator("#status")).to_have_text("Black wins")
    holds(page, "e3", "empty")


def test_the_sound_can_be_turned_off_and_stays_off(page: Page) -> None:
    page.add_init_script(
        """window.knocks = 0;
        const start = OscillatorNode.prototype.start;
        OscillatorNode.prototype.start = function (...args) { window.knocks += 1; return start.apply(this, args); };"""
    )
    page.reload()
    ready(page)
    start(page, "friend")
    put(page, "h8")
    assert page.evaluate("window.knocks") == 1
    page.click("#sound")
    expect(page.locator("#sound")).to_have_attribute("aria-pressed", "false")
    put(page, "h9")
    assert page.evaluate("window.knocks") == 1
    page.reload()
    ready(page)
    expect(page.locator("#sound")).to_have_attribute("aria-pressed", "false")


def test_the_last_stone_lands_and_the_others_lie_still(page: Page) -> None:
    start(page, "friend")
    put(page, "h8", "h9")
    page.evaluate("window.first = document.querySelector('.layer-stoneLayer g')")
    put(page, "i9")
    assert page.evaluate("window.first.isConnected")
    expect(page.locator(".lands")).to_have_count(3)


def test_the_opponents_move_and_what_was_done_are_said(page: Page) -> None:
    start(page, "system:random")
    click(page, "h8")
    count(page, "white", 1)
    wait_for_turn(page)
    expect(page.locator('#said[aria-live="polite"]')).to_have_text(f"White: {stones(page, 'white')[0]}.")
    page.click("#hint")
    expect(page.locator('#told[aria-live="polite"]')).to_have_text(re.compile("Hint: "))


def test_a_full_board_and_one_with_only_forbidden_cells_are_draws(page: Page, server: Any) -> None:
    rows = ("XXOOXXO", "OOXXOOX", "XXOOXXO", "XXX.XXX", "OOXXOOX", "XXOOXXO", "OOXXOOX")
    cells = {
        mark: [f"{'abcdefg'[c]}{7 - r}" for r in range(7) for c in range(7) if rows[r][c] == mark] for mark in "XO"
    }
    page.goto(f"{server.url}play/friend#s=7x7&r=renju&b={''.join(cells['X'])}&w={''.join(cells['O'])}&y=both")
    ready(page)
    expect(page.locator("#end-title")).to_have_text("A draw")
    expect(page.locator("#end-how")).to_have_text("Every cell left is forbidden to Black.")
    expect(page.locator("#hint")).to_be_disabled()
