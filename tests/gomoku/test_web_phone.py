"""The page on a phone: what happens is in sight, small cells ask twice, a finger can analyse."""

from __future__ import annotations

import itertools
import re
from typing import TYPE_CHECKING, Any

import pytest

from tests.gomoku.browser import as_phone, cell, count, holds, import_text, opened, screenshot, start, stones, unfold

pytest.importorskip("playwright")
from playwright.sync_api import expect

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page


def twice(page: Page, name: str) -> None:
    cell(page, name).tap()
    cell(page, name).tap()


def in_sight(page: Page, selector: str) -> None:
    expect(page.locator(selector)).to_be_in_viewport(ratio=0.99)


def test_the_board_is_wide_and_stays_in_sight(phone: Page) -> None:
    assert phone.evaluate("document.documentElement.scrollWidth") <= 390
    box = phone.locator("#board").bounding_box()
    assert box is not None and box["width"] > 370
    start(phone, "pip")
    in_sight(phone, "#board")
    twice(phone, "h8")
    count(phone, "white", 1)
    in_sight(phone, "#board")
    in_sight(phone, "#status")
    screenshot(phone, "phone")


def test_a_small_cell_asks_twice(phone: Page) -> None:
    cell(phone, "h8").tap()
    holds(phone, "h8", "empty")
    expect(phone.locator("#choice-text")).to_have_text("Tap again to play h8")
    cell(phone, "i9").tap()
    holds(phone, "i9", "empty")
    expect(phone.locator("line.sight")).to_have_count(2)
    phone.tap("#choice-play")
    holds(phone, "i9", "black")
    expect(phone.locator("#choice")).to_be_hidden()


def test_larger_cells_and_who_wants_it_play_at_once(phone: Page) -> None:
    start(phone, "friend", rows="9", cols="9")
    cell(phone, "e5").tap()
    holds(phone, "e5", "black")
    phone.check("#confirm")
    phone.evaluate("scrollTo(0, 0)")
    cell(phone, "e6").tap()
    holds(phone, "e6", "empty")
    cell(phone, "e6").tap()
    holds(phone, "e6", "white")


def test_a_finger_analyses_and_swipes_through_the_game(phone: Page) -> None:
    phone.tap('nav [data-mode-link="analysis"]')
    for name in ("h8", "h9", "i9"):
        twice(phone, name)
        holds(phone, name, "(black|white)")
    swipe(phone, 120)
    holds(phone, "i9", "empty")
    swipe(phone, -120)
    holds(phone, "i9", "black")
    screenshot(phone, "phone-analysis")


def swipe(page: Page, across: int) -> None:
    box = page.locator("#board").bounding_box()
    assert box is not None
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    session = page.context.new_cdp_session(page)

    def touch(kind: str, *points: tuple[float, float]) -> None:
        told: dict[str, Any] = {"type": kind, "touchPoints": [{"x": one[0], "y": one[1]} for one in points]}
        session.send("Input.dispatchTouchEvent", told)

    touch("touchStart", (x, y))
    for step in range(1, 5):
        touch("touchMove", (x + across * step / 4, y))
    touch("touchEnd")


def test_the_explanation_lies_over_the_board_not_below_it(phone: Page) -> None:
    phone.tap('nav [data-mode-link="analysis"]')
    twice(phone, "h8")
    phone.tap("#why")
    expect(phone.locator("#why-text")).to_contain_text("takes room", timeout=60_000)
    in_sight(phone, "#why-panel")
    phone.tap("#why-close")
    expect(phone.locator("#why-panel")).to_be_hidden()


def test_the_proof_and_the_board_are_seen_together(phone: Page) -> None:
    phone.tap('nav [data-mode-link="puzzles"]')
    phone.tap("#puzzle-prove")
    expect(phone.locator("#proof-line")).to_be_in_viewport(timeout=60_000)
    in_sight(phone, "#board")


def test_a_tap_shows_the_patterns_of_a_cell(phone: Page) -> None:
    phone.tap('nav [data-mode-link="puzzles"]')
    phone.tap('[data-level="1"]')
    phone.tap("#puzzle-analyse")
    unfold(phone, "patterns")
    expect(phone.locator("#pattern-score")).not_to_be_empty()
    cell(phone, "i12").tap()
    expect(phone.locator("#explain table").first).to_be_visible()
    holds(phone, "i12", "empty")


def test_a_refusal_is_seen_and_can_be_put_away(phone: Page) -> None:
    phone.tap('nav [data-mode-link="analysis"]')
    unfold(phone, "share")
    phone.fill("#text", "nothing of the kind")
    phone.tap("#import")
    expect(phone.locator("#notice-text")).to_be_in_viewport()
    phone.tap("#dismiss")
    expect(phone.locator("#notice")).to_be_hidden()


def test_a_move_of_the_opponent_is_said_where_one_looks(phone: Page) -> None:
    start(phone, "pip", colour="white")
    count(phone, "black", 1)
    expect(phone.locator("#status")).to_have_text(re.compile("Your move"))
    assert len(stones(phone, "black")) == 1
    in_sight(phone, "#status")


def test_the_bar_has_its_figure_on_a_phone(phone: Page) -> None:
    import_text(phone, '{"black": ["h8", "i8", "j8"], "white": ["h9", "i9", "c3"]}')
    phone.tap("#engine-switch")
    phone.evaluate("scrollTo(0, 0)")
    expect(phone.locator("#bar-words")).to_have_text(re.compile(r"^Black wins in \d+ moves$"))
    in_sight(phone, "#bar-words")


def test_a_run_on_a_phone_has_its_clock_and_slips_above_the_board(phone: Page) -> None:
    phone.tap('nav [data-mode-link="puzzles"]')
    phone.tap("#practice-run")
    expect(phone.locator("#run-time")).to_have_text(re.compile("2:5|3:00"))
    in_sight(phone, "#run-time")
    twice(phone, "a15")
    expect(phone.locator("#run-count")).to_have_text("✓ 0 · ✗ 1/3")
    in_sight(phone, "#run-count")
    phone.evaluate("scrollTo(0, 0)")
    in_sight(phone, "#run-count")
    phone.tap('nav [data-mode-link="analysis"]')
    expect(phone.locator("#run-time")).to_be_hidden()


def test_a_long_status_covers_no_name(browser: Browser, server: Any) -> None:
    with opened(browser, server.url + "puzzles/9#m=a1", **as_phone()) as page:
        expect(page.locator("#status")).to_have_text("No longer winning")
        boxes = [page.locator(one).bounding_box() for one in ("#seat-black", "#status", "#seat-white")]
        for left, right in itertools.pairwise(boxes):
            assert left is not None and right is not None
            assert left["x"] + left["width"] <= right["x"]
