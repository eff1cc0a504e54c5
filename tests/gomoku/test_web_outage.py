"""What goes wrong: a server that restarts, is busy or slow; a network that is gone; a browser that keeps nothing."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import pytest

from gomoku_patterns import Board
from tests.gomoku.browser import cell, click, count, holds, opened, put, ready, shown, start

pytest.importorskip("playwright")
from playwright.sync_api import expect

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page


def test_a_server_that_restarts_in_the_middle_of_a_game_loses_nothing(
    browser: Browser, serve: Callable[..., Any]
) -> None:
    own = serve()
    with opened(browser, own.url) as page:
        start(page, "system:random")
        click(page, "h8")
        count(page, "white", 1)
        kept = shown(page)
        own.stop()
        own.start()
        page.reload()
        ready(page)
        assert shown(page) == kept
        own.stop()
        page.clock.install(time=0)
        page.clock.pause_at(1000)  # the page tries again when the server is there, however long that takes
        with page.expect_event("requestfailed"):
            click(page, kept.name(kept.legal_moves()[0]))
        own.start()
        page.clock.resume()
        count(page, "white", 2)


@pytest.mark.parametrize("opponent", ["system:random", "pip"])
def test_a_server_that_is_gone_is_said_at_once_and_the_game_goes_on_by_itself(
    browser: Browser, serve: Callable[..., Any], opponent: str
) -> None:
    own = serve()
    with opened(browser, own.url) as page:
        start(page, opponent)
        own.stop()
        page.evaluate(SAID_BY_THE_PAGE)
        click(page, "h8")
        page.wait_for_function("window.gone")
        assert page.evaluate("window.tries") == 1  # it was said when the first request had failed
        expect(page.locator("#offline")).to_have_text(re.compile("^The server does not answer."))
        page.click("#language")
        expect(page.locator("#offline")).to_have_text(re.compile("^服务器没有响应。"))
        page.click("#language")
        assert shown(page) == Board(black=["h8"])  # nobody else plays in the place of the opponent
        own.start()
        count(page, "white", 1)
        expect(page.locator("#offline")).to_be_hidden()


SAID_BY_THE_PAGE = """() => {
    const [banner, real] = [document.getElementById("offline"), window.fetch];
    Object.assign(window, { gone: false, tries: 0 });
    window.fetch = (...request) => {
        if (!window.gone) window.tries += 1;
        return real(...request);
    };
    new MutationObserver(() => { window.gone ||= !banner.hidden; }).observe(banner, { attributeFilter: ["hidden"] });
}"""


def test_a_browser_without_a_network_plays_on_with_a_server_that_is_there(page: Page) -> None:
    """A laptop without Wi-Fi still has the server that runs on it."""
    page.evaluate("Object.defineProperty(navigator, 'onLine', { get: () => false })")
    page.evaluate("dispatchEvent(new Event('offline'))")
    start(page, "pip")
    with page.expect_request("**/api/move") as asked:
        click(page, "h8")
    assert asked.value.post_data_json["opponent"] == "pip"
    count(page, "white", 1)
    expect(page.locator("#offline")).to_be_hidden()


def test_what_is_forbidden_is_not_guessed_without_the_server(browser: Browser, serve: Callable[..., Any]) -> None:
    own = serve()
    with opened(browser, f"{own.url}play/friend#s=15x15&r=renju&m=g8a1i8c1h7e1h9&y=both") as page:
        own.stop()
        put(page, "g1")
        expect(page.locator("#offline")).to_be_visible()
        click(page, "h8")  # would be a three-three
        holds(page, "h8", "empty")
        own.start()
        expect(cell(page, "h8")).to_have_attribute("aria-label", "h8, forbidden to Black: three-three")


def test_a_busy_server_is_named_and_a_taken_back_move_is_not_taken_back_twice(page: Page) -> None:
    start(page, "friend")
    put(page, "h8", "h9", "i9", "a1")
    page.route("**/api/rules", lambda route: route.fulfill(status=503, json={"error": "expected a free process"}))
    click(page, "b2")
    expect(page.locator("#notice-text")).to_have_text("The server is busy.", timeout=60_000)
    page.unroute("**/api/rules")
    page.click("#notice-act")
    expect(page.locator("#notice")).to_be_hidden()
    assert shown(page) == Board(black=["h8", "i9", "b2"], white=["h9", "a1"])


@pytest.mark.parametrize(
    ("event", "said", "retry"),
    [
        ('{"error": "expected a legal move"}', "expected a legal move", False),
        ('{"error": "the search died", "status": 503}', "The server is busy.", True),
    ],
)
def test_a_search_that_ends_in_an_error_says_which(page: Page, event: str, said: str, retry: bool) -> None:
    start(page, "system:random")
    page.route("**/api/move", lambda route: route.fulfill(body='{"progress": {}}\n' + event + "\n"))
    click(page, "h8")
    expect(page.locator("#notice-text")).to_have_text(said)
    assert page.locator("#notice-act").is_visible() == retry


def test_a_server_with_little_time_is_asked_for_no_more(browser: Browser, serve: Callable[..., Any]) -> None:
    with opened(browser, serve("--max-seconds", "1").url) as page:
        start(page, "iron")
        click(page, "h8")
        expect(page.locator('[aria-label$=", white"]')).to_have_count(1, timeout=60_000)
        page.click("#hint")
        expect(page.locator("#progress")).to_have_text(re.compile("Hint: "))
        page.click('nav [data-mode-link="puzzles"]')
        page.click("#puzzle-prove")
        expect(page.locator("#panel-proof")).to_be_visible(timeout=60_000)


def test_without_a_network_the_page_opens_and_games_go_on(browser: Browser, server: Any) -> None:
    with opened(browser, server.url, service_workers="allow") as page:
        page.evaluate("navigator.serviceWorker.ready.then(() => true)")
        assert page.evaluate("caches.keys()")
        page.reload()
        ready(page)
        start(page, "friend")
        put(page, "a1", "a3")
        page.context.set_offline(True)
        page.goto(page.url)
        ready(page)
        holds(page, "a3", "white")
        put(page, "b1")
        expect(page.locator("#offline")).to_be_visible()
        put(page, "b3", "c1", "c3", "d1", "d3", "e1")
        expect(page.locator("#end-title")).to_have_text("Black wins")
        page.click('nav [data-mode-link="puzzles"]')
        expect(page.locator("[data-level]")).to_have_count(20)
        page.click('nav [data-mode-link="play"]')
        start(page, "pip")
        put(page, "h8")
        page.context.set_offline(False)
        count(page, "white", 1)
        expect(page.locator("#offline")).to_be_hidden()


def test_a_text_that_was_being_written_is_there_after_a_reload(page: Page) -> None:
    page.click('nav [data-mode-link="analysis"]')
    page.click("#share > summary")
    page.fill("#text", "h8 i9")
    page.reload()
    ready(page)
    page.click("#share > summary")
    expect(page.locator("#text")).to_have_value("h8 i9")


FORBIDDEN_STORE = """
for (const name of ["localStorage", "sessionStorage"])
  Object.defineProperty(window, name, { get() { throw new DOMException("denied", "SecurityError"); } });
"""
SPOILT_STORE = """
for (const key of ["theme", "language", "solved"]) localStorage.setItem(key, "?");
localStorage.setItem("play", '{"game": {"rows": "x", "moves": 5}, "you": "me", "opponent": "nobody", "clock": 7}');
localStorage.setItem("puzzles", '{"games": {"1": {"rows": 15, "moves": "x"}, "2": 5}, "level": "x"}');
const nodes = [{}, { parent: 9 }];
localStorage.setItem("analysis", JSON.stringify({ tree: { rows: 15, cols: 15, rule: "freestyle", nodes } }));
localStorage.setItem("mode", "attic");
sessionStorage.setItem("proof", JSON.stringify({ mode: "play", of: "x", proof: { proof: { position: 1 } } }));
"""


@pytest.mark.parametrize("script", [FORBIDDEN_STORE, SPOILT_STORE], ids=["forbidden", "spoilt"])
def test_a_browser_that_keeps_nothing_or_rubbish_plays_all_the_same(page: Page, script: str) -> None:
    page.add_init_script(script)
    page.reload()
    ready(page)
    start(page, "system:random")
    click(page, "h8")
    count(page, "white", 1)
    for mode in ("puzzles", "analysis"):
        page.click(f'nav [data-mode-link="{mode}"]')
        expect(page.locator("#status")).to_have_text(re.compile("(Black|White) to move"))
