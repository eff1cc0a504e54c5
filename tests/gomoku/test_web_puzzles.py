"""Puzzles on the page: levels with boards of their own, solved ones remembered, and proofs that answer any defence."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from gomoku_patterns import Cell
from search import Limit, solve
from tests.gomoku.browser import click, holds, import_text, put, ready, screenshot, shown, stones

pytest.importorskip("playwright")
from playwright.sync_api import expect

if TYPE_CHECKING:
    from playwright.sync_api import Page, Route


def open_level(page: Page, number: int) -> None:
    page.click('nav [data-mode-link="puzzles"]')
    page.click(f'[data-level="{number}"]')
    expect(page.locator(f'[data-level="{number}"]')).to_have_attribute("aria-current", "true")


def show_the_win(page: Page) -> None:
    page.click("#puzzle-prove")
    expect(page.locator("#panel-proof")).to_be_visible(timeout=20_000)


def test_a_level_is_solved_and_remembered(page: Page) -> None:
    open_level(page, 16)
    holds(page, "k9", "white")
    for _ in range(12):
        expect(page.locator("#status")).to_have_text(re.compile("Black to move|solved"), timeout=20_000)
        if "solved" in page.locator("#status").inner_text():
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


# ---------------------------------------------------------------------- proofs


def test_a_wrong_defence_is_refuted(page: Page) -> None:
    open_level(page, 1)
    show_the_win(page)
    expect(page.locator("#proof-about")).to_have_text(re.compile(r"Every legal reply was verified: [\d,]+ replies"))
    screenshot(page, "proof")
    for corner in ("a1", "a15", "o1", "o15", "a8", "h1", "b2", "n2"):
        if "Refuted" in page.locator("#status").inner_text():
            break
        plies = len(shown(page).empties())
        click(page, corner)
        holds(page, corner, "white")
        assert len(shown(page).empties()) == plies - 2
        page.wait_for_timeout(300)
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
    page.click("#proof-back")
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
    expect(page.locator("#panel-proof")).to_be_visible(timeout=20_000)
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
