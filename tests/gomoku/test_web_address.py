"""Addresses: every mode, level, game and position has one; back and forward work; links are read with care."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import pytest

from gomoku_patterns import Board
from tests.gomoku.browser import count, holds, opened, put, ready, shown, start, stones

pytest.importorskip("playwright")
from playwright.sync_api import expect

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page, Route


def test_back_and_forward_go_through_modes_and_levels(page: Page) -> None:
    page.click('nav [data-mode-link="puzzles"]')
    page.click('[data-level="7"]')
    expect(page).to_have_url(re.compile("/puzzles/7$"))
    page.click('nav [data-mode-link="analysis"]')
    expect(page).to_have_url(re.compile("/analysis$"))
    page.go_back()
    expect(page.locator('[data-level="7"]')).to_have_attribute("aria-current", "true")
    page.go_back()
    expect(page).to_have_url(re.compile("/puzzles/endgames/\\d+$"))
    page.go_back()
    expect(page.locator("#new-game")).to_be_visible()
    page.go_forward()
    page.go_forward()
    expect(page).to_have_url(re.compile("/puzzles/7$"))


def test_back_leads_from_a_new_game_to_the_one_before(page: Page) -> None:
    start(page, "friend")
    put(page, "h8", "h9")
    start(page, "friend", rule="renju")
    put(page, "a1")
    page.go_back()
    assert shown(page) == Board(black=["h8"], white=["h9"])
    page.go_forward()
    assert stones(page, "black") == ["a1"]


def test_an_address_opens_the_same_game_elsewhere(page: Page, browser: Browser) -> None:
    start(page, "mimi", rule="renju")
    put(page, "h8")
    count(page, "white", 1)
    board = shown(page)
    with opened(browser, page.url) as elsewhere:
        assert shown(elsewhere) == board
        expect(elsewhere.locator("#against")).to_contain_text("Mimi")
        expect(elsewhere.locator("#status")).to_have_text("Your move")


def test_an_address_opens_the_same_analysis_and_level(browser: Browser, server: Any) -> None:
    with opened(browser, f"{server.url}analysis#s=9x10&r=caro-overline&f=black&m=a1b2c3") as page:
        holds(page, "b2", "white")
        expect(page.locator("[data-cell]")).to_have_count(90)
        page.keyboard.press("ArrowLeft")
        expect(page).to_have_url(re.compile("m=a1b2$"))
    with opened(browser, f"{server.url}puzzles/3#m=a1") as page:
        holds(page, "a1", "black")
        expect(page.locator('[data-level="3"]')).to_have_attribute("aria-current", "true")


def test_a_link_takes_no_game_away(page: Page, server: Any) -> None:
    start(page, "friend")
    put(page, "h8", "h9", "i9")
    page.goto("about:blank")
    page.goto(f"{server.url}play/pip#s=15x15&m=a1b2&y=black")
    ready(page)
    assert shown(page) == Board(black=["a1"], white=["b2"])
    expect(page.locator("#notice-text")).to_have_text("The game of the link is on the board.")
    page.click("#notice-act")
    holds(page, "i9", "black")


def test_a_link_of_the_root_is_an_analysis(page: Page, server: Any) -> None:
    page.goto("about:blank")
    page.goto(f"{server.url}#s=15x15&m=h8i9")
    ready(page)
    expect(page).to_have_url(re.compile("/analysis#"))
    assert shown(page) == Board(black=["h8"], white=["i9"])


def test_a_link_opened_during_a_search_ends_it(page: Page) -> None:
    page.route("**/api/move", lambda route: None)  # the server does not answer
    start(page, "iron")
    put(page, "h8")
    expect(page.locator("#stop")).to_be_visible()
    with page.expect_navigation():
        page.evaluate("location.href = '/analysis#s=9x9&m=a1'")
    ready(page)
    expect(page.locator("#stop")).to_be_hidden()
    assert stones(page, "black") == ["a1"]


@pytest.mark.parametrize(
    "link",
    [
        "analysis#s=15x15&r=chess&m=h8",
        "analysis#s=4x4&m=a1",
        "analysis#s=15x15&m=h8h8",
        "play/pip#hello",
        "#hello",
        "play/%E0%A4#s=1x1",
    ],
)
def test_a_link_that_cannot_be_read_says_so(page: Page, server: Any, link: str) -> None:
    page.goto("about:blank")
    page.goto(server.url + link)
    ready(page)
    expect(page.locator("#notice-text")).to_have_text("The link holds no game that can be read.")
    put(page, "h8")


@pytest.mark.parametrize(
    ("place", "leads_to"),
    [
        ("play/nobody", "/play"),
        ("puzzles/999", "/puzzles"),
        ("puzzles/abc", "/puzzles"),
        ("puzzles/endgames/0", "/puzzles"),
    ],
)
def test_an_address_that_names_nobody_says_so_and_becomes_that_of_the_board(
    page: Page, server: Any, place: str, leads_to: str
) -> None:
    page.goto(server.url + place)
    ready(page)
    expect(page.locator("#notice-text")).to_have_text(
        "There is no such puzzle or opponent. The board is as you left it."
    )
    expect(page).to_have_url(re.compile(f"{server.url.rstrip('/')}{leads_to}(?!/{place.rpartition('/')[2]})"))


def test_a_game_against_somebody_unknown_is_shown_as_one_of_two_people(page: Page, server: Any) -> None:
    page.goto(server.url + "play/nobody#s=15x15&m=h8&y=me")
    ready(page)
    holds(page, "h8", "black")
    expect(page.locator("#against")).to_contain_text("Two people here")


def test_each_tab_keeps_its_own_game(page: Page, server: Any) -> None:
    start(page, "friend")
    put(page, "h8")
    second = page.context.new_page()
    second.goto(server.url)
    ready(second)
    holds(second, "h8", "black")
    start(second, "friend")
    put(second, "a1")
    page.reload()
    ready(page)
    holds(page, "h8", "black")
    holds(page, "a1", "empty")


def test_a_modified_click_opens_a_mode_elsewhere(page: Page) -> None:
    with page.context.expect_page() as elsewhere:
        page.locator('nav [data-mode-link="puzzles"]').click(modifiers=["Control"])
    elsewhere.value.wait_for_url("**/puzzles**")
    expect(page).not_to_have_url(re.compile("/puzzles"))


def test_a_link_is_copied_with_and_without_the_clipboard_of_secure_pages(page: Page) -> None:
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.click('nav [data-mode-link="analysis"]')
    put(page, "h8")
    page.click("#share > summary")
    page.click("#copy-link")
    expect(page.locator("#told")).to_have_text("Copied")
    assert page.evaluate("navigator.clipboard.readText()") == page.url
    page.fill("#text", "h8i9")
    page.evaluate("Object.defineProperty(navigator, 'clipboard', { value: undefined, configurable: true })")
    page.click("#copy")
    expect(page.locator("#notice")).to_be_hidden()
    page.evaluate("delete navigator.clipboard")
    assert page.evaluate("navigator.clipboard.readText()") == "h8i9"


@pytest.mark.parametrize(
    ("address", "mode"), [("puzzles/5", "Puzzles"), ("analysis#s=15x15&m=h8", "Analysis"), ("play/tom", "Play")]
)
def test_the_mode_of_an_address_is_known_before_any_answer(page: Page, server: Any, address: str, mode: str) -> None:
    start(page, "friend")
    put(page, "c3")
    late = page.context.new_page()
    held: list[Route] = []
    slow = True
    late.route("**/api/**", lambda route: held.append(route) if slow else route.continue_())
    late.goto(server.url + address)
    expect(late.locator('nav [aria-current="page"]')).to_have_text(mode)
    expect(late.locator("#status")).to_have_text("Loading …")
    assert len(shown(late)) == 0
    late.locator('[data-cell="a1"] .hit').dispatch_event("click")
    late.locator('[data-cell="a2"]').click(force=True)
    late.keyboard.press("u")
    assert late.url == server.url + address
    holds(late, "a1", "empty")
    holds(late, "a2", "empty")
    slow = False
    for route in held:
        route.continue_()
    ready(late)
    expect(late.locator("#status")).not_to_have_text("Loading …")
    if mode == "Puzzles":
        expect(late.locator("#puzzle-level")).to_have_text("Level 5")
    if mode == "Analysis":
        holds(late, "h8", "black")
    late.close()
