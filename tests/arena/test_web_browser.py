"""The web board in a real browser: Debian's Chromium, headless, driven by Playwright, against a real server.

With GOMOKU_SCREENSHOTS set to a folder, the pictures of the README are written there.
"""

from __future__ import annotations

import os
import re
import shutil
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from gomoku_patterns import Board, Cell
from search import Limit, player, solve

CHROMIUM = shutil.which("chromium")
if CHROMIUM is None and not os.environ.get("CI"):
    pytest.skip("the browser tests need Debian's chromium", allow_module_level=True)

sync_api = pytest.importorskip("playwright.sync_api") if not os.environ.get("CI") else None
from playwright.sync_api import Browser, Page, expect, sync_playwright  # noqa: E402  (after the check that it is there)

FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"]
FLAGS += ["--disable-background-networking", "--disable-component-update", "--disable-sync"]


@pytest.fixture(scope="module")
def server(serve: Callable[..., Any]) -> Any:
    return serve("--searches", "2")


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield started
        started.close()


@pytest.fixture
def page(browser: Browser, server: Any) -> Iterator[Page]:
    yield from opened(browser, server, {"width": 1280, "height": 900})


@pytest.fixture
def phone(browser: Browser, server: Any) -> Iterator[Page]:
    yield from opened(browser, server, {"width": 390, "height": 844}, has_touch=True, is_mobile=True)


def opened(browser: Browser, server: Any, viewport: dict[str, int], **options: bool) -> Iterator[Page]:
    context = browser.new_context(viewport=viewport, locale="en-GB", **options)  # type: ignore[arg-type]  # whatever a test asks
    page = context.new_page()
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.goto(server.url)
    expect(page.locator("#opponent option")).not_to_have_count(0)
    yield page
    context.close()
    assert errors == []


# ---------------------------------------------------------------------- what the page shows


def stones(page: Page, colour: str) -> list[str]:
    labels = page.locator(f'[data-cell][aria-label$=", {colour}"]')
    return [str(name) for name in labels.evaluate_all("cells => cells.map(cell => cell.dataset.cell)")]


def shown(page: Page) -> Board:
    return Board(black=stones(page, "black"), white=stones(page, "white"))


def click(page: Page, name: str) -> None:
    page.locator(f'[data-cell="{name}"]').click()


def start(page: Page, opponent: str, colour: str = "black", strength: str = "1") -> None:
    page.select_option("#opponent", opponent)
    page.select_option("#colour", colour)
    page.select_option("#strength", strength)
    page.click("#start")


def wait_for_turn(page: Page) -> None:
    expect(page.locator("#status")).to_have_text(re.compile("Black to move|won|solved|draw"), timeout=20_000)


def screenshot(page: Page, name: str) -> None:
    folder = os.environ.get("GOMOKU_SCREENSHOTS")
    if folder:
        page.screenshot(path=str(Path(folder) / f"{name}.png"))


# ---------------------------------------------------------------------- promises


def test_a_game_is_played_to_its_end(page: Page) -> None:
    start(page, "random")
    me = player("engine")
    for _ in range(60):
        wait_for_turn(page)
        if "won" in page.locator("#status").inner_text():
            break
        board = shown(page)
        move = me.search(board, Limit(seconds=0.2)).move
        assert move is not None
        click(page, board.name(move))
        expect(page.locator(f'[data-cell="{board.name(move)}"]')).to_have_attribute("aria-label", re.compile("black"))
    expect(page.locator("#status")).to_have_text("Black has won")
    assert shown(page).winner() is not None
    screenshot(page, "game")


def test_a_level_is_solved_and_remembered(page: Page) -> None:
    page.click("#tab-puzzle")
    page.click('[data-level="16"]')
    expect(page.locator('[data-level="16"]')).to_have_attribute("aria-current", "true")
    expect(page.locator('[data-cell="k9"]')).to_have_attribute("aria-label", "k9, white")
    for _ in range(12):
        wait_for_turn(page)
        if "solved" in page.locator("#status").inner_text():
            break
        board = shown(page)
        board.turn = "black"
        move = solve(board, Limit(seconds=5)).move
        assert isinstance(move, Cell)
        click(page, board.name(move))
        expect(page.locator(f'[data-cell="{board.name(move)}"]')).to_have_attribute("aria-label", re.compile("black"))
    expect(page.locator("#status")).to_have_text("Level 16 solved!")
    screenshot(page, "puzzle")
    page.reload()
    page.click("#tab-puzzle")
    expect(page.locator('[data-level="16"]')).to_have_text("✓ 16")


def test_a_wrong_defence_is_refuted(page: Page) -> None:
    page.click("#tab-puzzle")
    page.click('[data-level="1"]')
    expect(page.locator("#puzzle-prove")).to_be_enabled()
    page.click("#puzzle-prove")
    expect(page.locator("#panel-proof")).to_be_visible(timeout=20_000)
    expect(page.locator("#proof-about")).to_have_text(re.compile(r"every legal reply was checked: \d+ replies"))
    screenshot(page, "proof")
    for corner in ("a1", "a15", "o1", "o15", "a8", "h1", "b2", "n2"):
        if "Refuted" in page.locator("#status").inner_text():
            break
        plies = len(shown(page).empties())
        click(page, corner)
        expect(page.locator(f'[data-cell="{corner}"]')).to_have_attribute("aria-label", f"{corner}, white")
        assert len(shown(page).empties()) == plies - 2
        page.wait_for_timeout(300)
    expect(page.locator("#status")).to_have_text("Refuted: five in a row.")
    page.click("#proof-back")
    expect(page.locator("#status")).not_to_have_text("Refuted: five in a row.")
    page.click("#proof-close")
    expect(page.locator("#panel-proof")).to_be_hidden()


def test_undo_takes_back_both_moves_and_redo_brings_them_again(page: Page) -> None:
    start(page, "random")
    click(page, "h8")
    wait_for_turn(page)
    expect(page.locator('[aria-label$=", white"]')).to_have_count(1)
    page.click("#undo")
    expect(page.locator('[aria-label$=", black"]')).to_have_count(0)
    expect(page.locator('[aria-label$=", white"]')).to_have_count(0)
    page.click("#redo")
    expect(page.locator('[aria-label$=", black"]')).to_have_count(1)
    expect(page.locator('[aria-label$=", white"]')).to_have_count(1)


def test_the_keyboard_is_enough(page: Page) -> None:
    start(page, "random", colour="both")
    page.locator('[data-cell="h8"]').focus()
    page.keyboard.press("ArrowUp")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    expect(page.locator('[data-cell="i9"]')).to_have_attribute("aria-label", "i9, black")
    page.keyboard.press("u")
    expect(page.locator('[data-cell="i9"]')).to_have_attribute("aria-label", "i9, empty")


def test_a_cell_tells_its_patterns_and_the_heat_map_its_worth(page: Page) -> None:
    page.click("#tab-puzzle")
    page.click('[data-level="16"]')
    page.click("#tab-analysis")
    page.select_option("#heat", "black")
    expect(page.locator("circle.heat").first).to_be_attached()
    page.locator('[data-cell="h9"]').hover()
    expect(page.locator("#explain table").first).to_be_visible()
    expect(page.locator("#bar-value")).to_have_text("-440")
    screenshot(page, "analysis")


def test_forbidden_points_are_shown_and_refused_under_renju(page: Page) -> None:
    page.click("#tab-share")
    page.fill("#text", '{"rule": "renju", "black": ["g8", "i8", "h7", "h9"], "white": ["a1", "c1", "e1", "g1"]}')
    page.click("#import")
    expect(page.locator("line.forbidden")).to_have_count(2)
    click(page, "h8")
    expect(page.locator("#notice-text")).to_have_text("h8 is forbidden to black")


def test_a_position_goes_out_and_comes_back_in_every_notation(page: Page) -> None:
    start(page, "random", colour="both")
    for name in ("h8", "h9", "i9", "g7"):
        click(page, name)
        expect(page.locator(f'[data-cell="{name}"]')).not_to_have_attribute("aria-label", f"{name}, empty")
    page.click("#tab-share")
    names = page.locator("#format option").evaluate_all("options => options.map(option => option.value)")
    assert len(names) > 5
    for name in names:
        page.select_option("#format", name)
        page.fill("#text", "")
        page.click("#export")
        expect(page.locator("#text")).not_to_have_value("")
        page.click("#import")
        expect(page.locator("#progress")).to_have_text("Position imported")
        assert shown(page) == Board(black=["h8", "i9"], white=["h9", "g7"]), name


def test_a_link_opens_the_same_position(page: Page, server: Any) -> None:
    start(page, "random", colour="both")
    click(page, "h8")
    expect(page.locator('[data-cell="h8"]')).to_have_attribute("aria-label", "h8, black")
    link = page.locator("#link").input_value()
    assert link.startswith(server.url)
    page.evaluate("localStorage.clear()")
    page.goto("about:blank")
    page.goto(link)
    expect(page.locator('[data-cell="h8"]')).to_have_attribute("aria-label", "h8, black")


def test_chinese_and_the_dark_theme(page: Page) -> None:
    page.click("#language")
    expect(page.locator("#tab-puzzle")).to_have_text("残局")
    page.click("#theme")
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")
    screenshot(page, "chinese-dark")


def test_a_phone_sized_screen(phone: Page) -> None:
    assert phone.evaluate("document.documentElement.scrollWidth") <= 390
    start(phone, "random")
    box = phone.locator("#board").bounding_box()
    assert box is not None and box["width"] > 340
    phone.evaluate("scrollTo(0, 0)")
    phone.locator('[data-cell="h8"]').tap()
    expect(phone.locator('[aria-label$=", white"]')).to_have_count(1, timeout=20_000)
    assert phone.evaluate("scrollY") < 200
    screenshot(phone, "phone")


def test_a_tap_in_the_analysis_shows_patterns_and_plays_nothing(phone: Page) -> None:
    phone.tap("#tab-puzzle")
    phone.tap('[data-level="16"]')
    expect(phone.locator('[data-cell="h11"]')).to_have_attribute("aria-label", "h11, black")
    phone.tap("#tab-analysis")
    phone.locator('[data-cell="h9"]').tap()
    expect(phone.locator("#explain table").first).to_be_visible()
    expect(phone.locator('[data-cell="h9"]')).to_have_attribute("aria-label", "h9, empty")


def test_a_search_can_be_told_to_move_now(page: Page) -> None:
    start(page, "mcts", strength="5")
    click(page, "h8")
    expect(page.locator("#stop")).to_be_visible()
    before = time.monotonic()
    page.click("#stop")
    expect(page.locator('[aria-label$=", white"]')).to_have_count(1, timeout=3000)
    assert time.monotonic() - before < 3


def test_a_server_that_restarts_in_the_middle_of_a_game_loses_nothing(
    browser: Browser, serve: Callable[..., Any]
) -> None:
    own = serve()
    context = browser.new_context(locale="en-GB")
    page = context.new_page()
    page.goto(own.url)
    expect(page.locator("#opponent option")).not_to_have_count(0)
    start(page, "random")
    click(page, "h8")
    expect(page.locator('[aria-label$=", white"]')).to_have_count(1, timeout=20_000)
    kept = shown(page)
    own.stop()
    own.start()
    page.reload()
    expect(page.locator('[aria-label$=", white"]')).to_have_count(1)
    assert shown(page) == kept
    own.stop()
    click(page, kept.name(kept.legal_moves()[0]))
    own.start()
    expect(page.locator('[aria-label$=", white"]')).to_have_count(2, timeout=20_000)
    context.close()
