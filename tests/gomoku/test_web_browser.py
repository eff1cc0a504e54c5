"""The web board in a real browser: Debian's Chromium, headless, driven by Playwright, against a real server.

With GOMOKU_SCREENSHOTS set to a folder, the pictures of the README are written there.
"""

from __future__ import annotations

import json
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
from playwright.sync_api import Browser, Page, Route, expect, sync_playwright  # noqa: E402  (after the check that it is there)

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
    for name in ("swap", "hint", "resign"):
        expect(page.locator(f"#{name}")).to_be_disabled()
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


def test_the_engines_best_moves_are_told_while_it_searches_until_the_position_changes(page: Page) -> None:
    page.click("#tab-share")
    page.fill("#text", '{"black": ["h8", "g10"], "white": ["i9", "h6"]}')
    page.click("#import")
    expect(page.locator('[data-cell="g10"]')).to_have_attribute("aria-label", "g10, black")
    page.click("#tab-analysis")
    page.click("#best")
    rows = page.locator("#lines tr")
    expect(rows).to_have_count(4)
    expect(page.locator("circle.candidate")).to_have_count(3)
    expect(page.locator("#stop")).to_have_text("Stop")
    expect(rows.nth(1)).to_have_text(re.compile(r"[a-o]\d+ [a-o]\d+"))
    page.click("#stop")
    expect(page.locator("#stop")).to_be_hidden()
    expect(rows).to_have_count(4)
    page.click("#best")
    expect(page.locator("#stop")).to_be_visible()
    click(page, "h9")
    expect(page.locator('[data-cell="h9"]')).to_have_attribute("aria-label", "h9, black")
    expect(rows).to_have_count(0)
    expect(page.locator("circle.candidate")).to_have_count(0)


def test_a_decided_line_says_who_wins_and_when(page: Page) -> None:
    page.click("#tab-share")
    page.fill("#text", '{"black": ["h8", "i8", "j8"], "white": ["h9", "i9", "c3"]}')
    page.click("#import")
    page.click("#tab-analysis")
    expect(page.locator("#best")).to_be_enabled()
    page.click("#best")
    expect(page.locator("#lines tr").nth(1)).to_contain_text("Black wins in 3")


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


# ---------------------------------------------------------------------- what goes wrong, and who cannot see or point


def test_try_again_goes_on_with_the_game_after_a_long_outage(browser: Browser, serve: Callable[..., Any]) -> None:
    own = serve()
    for page in opened(browser, own, {"width": 1280, "height": 900}):
        start(page, "random")
        own.stop()
        click(page, "h8")
        expect(page.locator("#retry")).to_be_visible(timeout=20_000)
        expect(page.locator("#notice-text")).to_have_text(re.compile("does not answer"))
        own.start()
        page.click("#retry")
        expect(page.locator('[aria-label$=", white"]')).to_have_count(1, timeout=20_000)
        expect(page.locator("#notice")).to_be_hidden()


def test_a_busy_server_is_named_and_a_taken_back_move_is_not_taken_back_twice(page: Page) -> None:
    start(page, "random", colour="both")
    for name in ("h8", "h9", "i9"):
        click(page, name)
    expect(page.locator('[aria-label$=", black"]')).to_have_count(2)
    page.route("**/api/rules", lambda route: route.fulfill(status=503, json={"error": "expected a free process"}))
    page.click("#undo")
    expect(page.locator("#notice-text")).to_have_text("The server is busy.", timeout=20_000)
    page.unroute("**/api/rules")
    page.click("#retry")
    expect(page.locator("#notice")).to_be_hidden()
    assert shown(page) == Board(black=["h8"], white=["h9"])


def test_the_opponents_first_move_is_not_taken_back(page: Page) -> None:
    start(page, "random", colour="white")
    expect(page.locator('[aria-label$=", black"]')).to_have_count(1)
    expect(page.locator("#status")).to_have_text("White to move")
    expect(page.locator("#undo")).to_be_disabled()
    click(page, page.locator('[aria-label$=", empty"]').first.get_attribute("data-cell") or "")
    expect(page.locator('[aria-label$=", black"]')).to_have_count(2)
    page.click("#undo")
    expect(page.locator('[aria-label$=", black"]')).to_have_count(1)
    expect(page.locator("#status")).to_have_text("White to move")


def test_a_move_taken_back_during_the_answer_and_brought_again_is_answered(page: Page) -> None:
    start(page, "mcts", strength="4")
    click(page, "h8")
    expect(page.locator("#stop")).to_be_visible()
    page.click("#undo")
    page.click("#redo")
    expect(page.locator('[aria-label$=", white"]')).to_have_count(1, timeout=20_000)


def test_a_tab_chosen_at_once_does_not_silence_the_opponent(page: Page) -> None:
    start(page, "random")
    page.evaluate(
        """() => {
            document.querySelector('[data-cell="h8"]').dispatchEvent(new MouseEvent("click"));
            document.getElementById("tab-analysis").click();
        }"""
    )
    expect(page.locator('[aria-label$=", white"]')).to_have_count(1)


def test_a_link_opened_during_a_search_ends_it(page: Page) -> None:
    start(page, "mcts", strength="5")
    click(page, "h8")
    expect(page.locator("#stop")).to_be_visible()
    page.evaluate("location.hash = '#s=9x10&r=caro-overline&f=black&m=a1b2c3'")
    expect(page.locator("#stop")).to_be_hidden(timeout=2000)
    expect(page.locator('[data-cell="b2"]')).to_have_attribute("aria-label", "b2, white")
    expect(page.locator('[data-cell="h8"]')).to_have_attribute("aria-label", "h8, empty")
    page.click("#tab-play")
    assert page.locator("#rule").input_value() == "caro-overline"
    assert (page.locator("#rows").input_value(), page.locator("#cols").input_value()) == ("9", "10")


@pytest.mark.parametrize("link", ["#s=15x15&r=chess&m=h8", "#s=4x4&m=a1", "#s=15x15&m=h8h8", "#hello"])
def test_a_link_that_cannot_be_read_says_so(page: Page, server: Any, link: str) -> None:
    page.goto("about:blank")
    page.goto(server.url + link)
    expect(page.locator("#notice-text")).to_have_text("The link holds no game that can be read.")
    click(page, "h8")
    expect(page.locator('[data-cell="h8"]')).to_have_attribute("aria-label", "h8, black")


def test_moves_that_do_not_take_turns_keep_their_colours(page: Page) -> None:
    page.click("#tab-share")
    page.fill("#text", "(;GM[4]SZ[15];W[hh];W[ii];B[jj];W[kk])")
    page.click("#import")
    expect(page.locator("#progress")).to_have_text("Position imported")
    assert shown(page) == Board(black=["j6"], white=["h8", "i7", "k5"], turn="black")
    expect(page.locator("#status")).to_have_text("Black to move")
    page.click("#undo")
    expect(page.locator("#status")).to_have_text("White to move")


def test_a_text_that_is_no_position_leaves_the_game_alone(page: Page) -> None:
    start(page, "random", colour="both")
    click(page, "h8")
    page.click("#tab-share")
    for text, reason in (("", "no text"), ("h8h8", "taken already"), ("你好", "你好"), ('{"rows": 99}', "found 99")):
        page.fill("#text", text)
        page.click("#import")
        expect(page.locator("#notice-text")).to_have_text(re.compile(f"^This is no position: .*{reason}"))
        assert stones(page, "black") == ["h8"]


def test_a_server_with_little_time_is_asked_for_no_more(browser: Browser, serve: Callable[..., Any]) -> None:
    for page in opened(browser, serve("--max-seconds", "0.3"), {"width": 1280, "height": 900}):
        start(page, "engine", strength="5")
        click(page, "h8")
        expect(page.locator('[aria-label$=", white"]')).to_have_count(1, timeout=5000)
        page.click("#hint")
        expect(page.locator("#progress")).to_have_text(re.compile("Hint: "))
        page.click("#tab-puzzle")
        page.click('[data-level="1"]')
        page.click("#puzzle-prove")
        expect(page.locator("#panel-proof")).to_be_visible()


def test_each_tab_keeps_its_own_game(page: Page, server: Any) -> None:
    start(page, "random", colour="both")
    click(page, "h8")
    expect(page.locator('[data-cell="h8"]')).to_have_attribute("aria-label", "h8, black")
    second = page.context.new_page()
    second.goto(server.url)
    expect(second.locator('[data-cell="h8"]')).to_have_attribute("aria-label", "h8, black")
    start(second, "random", colour="both")
    click(second, "a1")
    expect(second.locator('[data-cell="a1"]')).to_have_attribute("aria-label", "a1, black")
    page.reload()
    expect(page.locator('[data-cell="h8"]')).to_have_attribute("aria-label", "h8, black")
    expect(page.locator('[data-cell="a1"]')).to_have_attribute("aria-label", "a1, empty")


FORBIDDEN_STORE = """
for (const name of ["localStorage", "sessionStorage"])
  Object.defineProperty(window, name, { get() { throw new DOMException("denied", "SecurityError"); } });
"""
SPOILT_STORE = """
for (const key of ["theme", "language", "solved"]) localStorage.setItem(key, "?");
localStorage.setItem("game", '{"game": {"rows": "x", "moves": 5}, "you": "me", "tab": "attic", "opponent": "nobody"}');
const proof = { proof: { position: { rows: 15, cols: 15 } }, replies: [] };
sessionStorage.setItem("proof", JSON.stringify({ of: "#s=15x15&r=freestyle&f=black", proof }));
"""


@pytest.mark.parametrize("script", [FORBIDDEN_STORE, SPOILT_STORE], ids=["forbidden", "spoilt"])
def test_a_browser_that_keeps_nothing_or_rubbish_plays_all_the_same(page: Page, script: str) -> None:
    page.add_init_script(script)
    page.reload()
    expect(page.locator("#opponent option")).not_to_have_count(0)
    start(page, "random")
    click(page, "h8")
    expect(page.locator('[aria-label$=", white"]')).to_have_count(1)


def test_the_opponents_move_and_what_was_done_are_said(page: Page) -> None:
    start(page, "random")
    click(page, "h8")
    wait_for_turn(page)
    expect(page.locator('#said[aria-live="polite"]')).to_have_text(f"White: {stones(page, 'white')[0]}.")
    page.click("#hint")
    expect(page.locator('#told[aria-live="polite"]')).to_have_text(re.compile("Hint: "))


def test_the_keyboard_stays_on_the_level_it_chose(page: Page) -> None:
    page.click("#tab-puzzle")
    page.locator('[data-level="3"]').focus()
    page.keyboard.press("Enter")
    expect(page.locator('[data-level="3"]')).to_have_attribute("aria-current", "true")
    page.wait_for_timeout(300)
    expect(page.locator('[data-level="3"]')).to_be_focused()


def test_pointing_at_a_stone_asks_nothing_and_a_new_position_forgets_the_old_answer(page: Page) -> None:
    refused: list[str] = []
    page.on("response", lambda response: refused.append(response.url) if response.status >= 400 else None)
    start(page, "random", colour="both")
    click(page, "h8")
    page.click("#tab-analysis")
    page.locator('[data-cell="h8"]').hover()
    page.wait_for_timeout(400)
    page.locator('[data-cell="h9"]').hover()
    expect(page.locator("#explain table").first).to_be_visible()
    page.locator("#undo").focus()
    page.keyboard.press("Enter")
    expect(page.locator("#explain table")).to_have_count(0)
    assert refused == []


def test_copying_works_and_says_so_without_the_clipboard_of_secure_pages_too(page: Page) -> None:
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.click("#tab-share")
    page.click("#copy-link")
    expect(page.locator("#told")).to_have_text("Copied")
    assert page.evaluate("navigator.clipboard.readText()") == page.locator("#link").input_value()
    page.fill("#text", "h8i9")
    page.evaluate("Object.defineProperty(navigator, 'clipboard', { value: undefined, configurable: true })")
    page.click("#copy")
    expect(page.locator("#notice")).to_be_hidden()
    page.evaluate("delete navigator.clipboard")
    assert page.evaluate("navigator.clipboard.readText()") == "h8i9"


def test_what_the_server_names_is_chinese_too(page: Page) -> None:
    page.click("#language")
    chinese = re.compile(r"[一-鿿]")
    for name in page.locator("#opponent option").all_inner_texts():
        page.select_option("#opponent", name)
        expect(page.locator("#opponent-about")).to_have_text(chinese)
    for option in page.locator("#table option, #strength option").all():
        expect(option).to_have_text(chinese)
    page.click("#tab-analysis")
    page.click("#prove")
    expect(page.locator("#notice-text")).to_have_text(re.compile(r"^[^a-z]*均已试过。$"))


def test_a_proof_is_explored_further_after_a_reload(page: Page) -> None:
    page.click("#tab-puzzle")
    page.click('[data-level="1"]')
    page.click("#puzzle-prove")
    expect(page.locator("#panel-proof")).to_be_visible(timeout=20_000)
    click(page, "a1")
    expect(page.locator('[data-cell="a1"]')).to_have_attribute("aria-label", "a1, white")
    about, line = (page.locator(f"#proof-{part}").inner_text() for part in ("about", "line"))
    page.reload()
    expect(page.locator("#proof-line")).to_have_text(line)
    expect(page.locator("#proof-about")).to_have_text(about)
    page.click("#proof-back")
    expect(page.locator('[data-cell="a1"]')).to_have_attribute("aria-label", "a1, empty")
    page.click("#proof-close")
    page.reload()
    expect(page.locator("#tab-puzzle")).to_have_attribute("aria-selected", "true")
    expect(page.locator("#panel-proof")).to_be_hidden()


def explore_a_proof(page: Page) -> str:
    """A game for both hands, and the line of a proof about it."""
    page.click("#tab-share")
    page.fill("#text", '{"black": ["h8", "i8", "j8"], "white": ["h9", "i9", "c3"]}')
    page.click("#import")
    expect(page.locator("#progress")).to_have_text("Position imported")
    page.click("#tab-analysis")
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
    with page.expect_response("**/api/rules"):
        click(page, "a1")
    with page.expect_response("**/api/rules"):
        answers[0].continue_()
    expect(page.locator("#panel-proof")).to_be_hidden()
    expect(page.locator('[data-cell="a1"]')).to_have_attribute("aria-label", "a1, black")


def test_a_tab_chosen_before_all_is_loaded_does_not_lose_the_proof(page: Page) -> None:
    line = explore_a_proof(page)
    answers = held(page, "**/api/players")
    with page.expect_response("**/api/rules"):
        page.click("#tab-play")
    answers[0].continue_()
    expect(page.locator("#proof-line")).to_have_text(line)
    held(page, "**/api/players")
    with page.expect_response("**/api/rules"):
        page.click("#tab-analysis")
    page.unroute("**/api/players")
    page.reload()
    expect(page.locator("#proof-line")).to_have_text(line)


def test_a_game_in_which_black_has_only_forbidden_cells_left_is_a_draw(page: Page) -> None:
    page.click("#tab-share")
    rows = ("XXOOXXO", "OOXXOOX", "XXOOXXO", "XXX.XXX", "OOXXOOX", "XXOOXXO", "OOXXOOX")
    cells = {mark: [[r, c] for r, row in enumerate(rows) for c, one in enumerate(row) if one == mark] for mark in "XO"}
    position = {"rows": 7, "cols": 7, "rule": "renju", "black": cells["X"], "white": cells["O"], "to_move": "black"}
    page.fill("#text", json.dumps(position))
    page.click("#import")
    expect(page.locator("#status")).to_have_text("Every cell left is forbidden to Black: a draw")
    expect(page.locator("#hint")).to_be_disabled()


def test_in_a_proof_you_are_the_defence(page: Page) -> None:
    page.click("#tab-puzzle")
    page.click('[data-level="1"]')
    page.click("#puzzle-prove")
    expect(page.locator("#name-white")).to_have_text("You", timeout=20_000)
    expect(page.locator("#name-black")).to_have_text("The proof")
    page.evaluate(
        """() => { for (const name of ["a1", "o15"])
            document.querySelector(`[data-cell="${name}"]`).dispatchEvent(new MouseEvent("click")); }"""
    )
    expect(page.locator('[data-cell="a1"]')).to_have_attribute("aria-label", "a1, white")
    page.click("#proof-back")
    expect(page.locator("#proof-back")).to_be_disabled()


@pytest.mark.parametrize(("rows", "cols"), [(22, 7), (5, 22), (22, 22)])
def test_boards_of_every_shape_fit_the_screen(page: Page, rows: int, cols: int) -> None:
    page.set_viewport_size({"width": 1280, "height": 800})
    page.fill("#rows", str(rows))
    page.fill("#cols", str(cols))
    start(page, "random", colour="both")
    expect(page.locator("[data-cell]")).to_have_count(rows * cols)
    box = page.locator("#undo").bounding_box()
    assert box is not None and box["y"] + box["height"] < 800
    assert page.evaluate("document.documentElement.scrollWidth") <= 1280


def test_a_refusal_is_seen_on_a_small_screen_and_can_be_put_away(phone: Page) -> None:
    phone.tap("#tab-share")
    phone.fill("#text", "nothing of the kind")
    phone.tap("#import")
    expect(phone.locator("#notice-text")).to_be_in_viewport()
    phone.tap("#dismiss")
    expect(phone.locator("#notice")).to_be_hidden()


def test_the_proof_and_the_board_are_seen_together_on_a_small_screen(phone: Page) -> None:
    phone.tap("#tab-puzzle")
    phone.tap('[data-level="1"]')
    expect(phone.locator("#board")).to_be_in_viewport(ratio=0.99)
    phone.tap("#puzzle-prove")
    expect(phone.locator("#proof-line")).to_be_in_viewport(timeout=20_000)
    expect(phone.locator("#board")).to_be_in_viewport(ratio=0.99)


def test_the_heat_map_leaves_ordinary_cells_alone_and_the_bar_knows_its_table(page: Page) -> None:
    page.click("#tab-puzzle")
    page.click('[data-level="5"]')
    page.click("#tab-analysis")
    page.select_option("#heat", "white")
    for table in ("money", "wins", "engine"):
        page.select_option("#table", table)
        page.wait_for_timeout(400)
        assert 0 < page.locator("circle.heat").count() < 100, table
        width = page.evaluate("parseFloat(document.getElementById('bar-black').style.width)")
        assert 10 < width < 90 and width != 50, table


def test_whose_seat_it_is_can_be_heard(page: Page) -> None:
    start(page, "random")
    for colour in ("Black", "White"):
        expect(page.locator(f"#seat-{colour.lower()}").get_by_role("img", name=colour)).to_be_visible()


def test_the_keyboard_skips_to_the_board_and_walks_the_tabs(page: Page) -> None:
    start(page, "random", colour="both")
    page.locator(".skip").focus()
    page.keyboard.press("Enter")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    expect(page.locator('[data-cell="h7"]')).to_have_attribute("aria-label", "h7, black")
    expect(page.locator("#notice")).to_be_hidden()
    page.locator("#tab-play").focus()
    for key, tab in (("End", "share"), ("ArrowRight", "play"), ("ArrowLeft", "share"), ("Home", "play")):
        page.keyboard.press(key)
        expect(page.locator(f"#tab-{tab}")).to_be_focused()
        expect(page.locator(f"#panel-{tab}")).to_be_visible()


def test_a_stop_that_comes_before_its_search_is_kept(page: Page) -> None:
    start(page, "mcts", strength="5")
    page.evaluate(
        """() => {
            const stop = document.getElementById("stop");
            new MutationObserver(() => stop.hidden || stop.click()).observe(stop, { attributeFilter: ["hidden"] });
        }"""
    )
    click(page, "h8")
    expect(page.locator('[aria-label$=", white"]')).to_have_count(1, timeout=3000)


@pytest.mark.parametrize(
    ("event", "said", "retry"),
    [
        ('{"error": "expected a legal move"}', "expected a legal move", False),
        ('{"error": "the search died", "status": 503}', "The server is busy.", True),
    ],
)
def test_a_search_that_ends_in_an_error_says_which(page: Page, event: str, said: str, retry: bool) -> None:
    start(page, "random")
    page.route("**/api/move", lambda route: route.fulfill(body='{"progress": {}}\n' + event + "\n"))
    click(page, "h8")
    expect(page.locator("#notice-text")).to_have_text(said)
    assert page.locator("#retry").is_visible() == retry
