"""The web board in a real browser: a Chromium (``browsers.py``), headless, driven by Playwright, against a real server.

With GOMOKU_SCREENSHOTS set to a folder, the pictures of the documents are written there.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from gomoku_patterns import Board
from tests.gomoku.browsers import find

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Locator, Page, Route

CHROMIUM = find()
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"]
FLAGS += ["--renderer-process-limit=1", "--disable-site-isolation-trials"]  # none is started in reserve
FLAGS += ["--disable-background-networking", "--disable-component-update", "--disable-sync"]
DESKTOP = {"width": 1280, "height": 900}
PATIENCE = 60_000
"""In milliseconds: a busy machine needs more than the five seconds that are the custom."""
LONG_SECONDS = 60
PHONE = {"width": 390, "height": 844}


def started_browser() -> Iterator[Browser]:
    """A browser for the tests of a file; on a machine without one they are skipped, in CI they fail."""
    if CHROMIUM is None and not os.environ.get("CI"):
        pytest.skip("the browser tests need Chromium or Chrome; GOMOKU_BROWSER says where")
    from playwright.sync_api import expect, sync_playwright

    expect.set_options(timeout=PATIENCE)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield browser
        browser.close()


@contextmanager
def opened(browser: Browser, address: str, viewport: dict[str, int] | None = None, **options: Any) -> Iterator[Page]:
    """The page at an address, loaded; an error in its scripts fails the test."""
    context = browser.new_context(
        viewport=viewport or DESKTOP,  # type: ignore[arg-type]  # a dictionary is as good as its type
        **{"locale": "en-GB", "service_workers": "block", **options},
    )
    context.set_default_timeout(PATIENCE)
    page = context.new_page()
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.goto(address)
    ready(page)
    yield page
    context.close()
    assert errors == []


def ready(page: Page) -> None:
    """Wait until the page has its lists and knows its position."""
    page.wait_for_selector("html[data-ready]")


def as_phone() -> dict[str, Any]:
    return {"viewport": PHONE, "has_touch": True, "is_mobile": True}


# ---------------------------------------------------------------------- what the page shows


def cell(page: Page, name: str) -> Locator:
    return page.locator(f'[data-cell="{name}"]')


def stones(page: Page, colour: str) -> list[str]:
    labels = page.locator(f'[data-cell][aria-label$=", {colour}"]')
    return [str(name) for name in labels.evaluate_all("cells => cells.map(cell => cell.dataset.cell)")]


def shown(page: Page) -> Board:
    return Board(black=stones(page, "black"), white=stones(page, "white"))


def holds(page: Page, name: str, what: str) -> None:
    """Wait until a cell is said to be black, white or empty."""
    from playwright.sync_api import expect

    expect(cell(page, name)).to_have_attribute("aria-label", re.compile(rf"^{name}, {what}"))


def count(page: Page, colour: str, number: int) -> None:
    from playwright.sync_api import expect

    expect(page.locator(f'[data-cell][aria-label$=", {colour}"]')).to_have_count(number)


def click(page: Page, *names: str) -> None:
    for name in names:
        cell(page, name).click()


def put(page: Page, *names: str) -> None:
    """Play moves one after the other, each waited for."""
    for name in names:
        click(page, name)
        holds(page, name, "(black|white)")


def unfold(page: Page, *ids: str) -> None:
    for one in ids:
        if page.locator(f"#{one}").get_attribute("open") is None:
            page.locator(f"#{one} > summary").click()


def start(page: Page, opponent: str = "friend", colour: str = "black", **choices: str) -> None:
    """A new game; ``system:random`` is a system of the literature."""
    if page.locator("#new-game").is_hidden():
        page.click("#new-again")
    kind, _, system = opponent.partition(":")
    if system:
        unfold(page, "systems")
        page.check("#opponent-system")
        page.select_option("#system", system)
        page.select_option("#nodes", choices.pop("nodes", "300"))
    else:
        page.check(f"#opponent-{kind}")
    unfold(page, "more")
    if opponent != "friend":
        page.select_option("#colour", colour)
    for name, value in choices.items():
        page.fill(f"#{name}", value) if name in ("rows", "cols") else page.select_option(f"#{name}", value)
    page.click("#start")


def thinks_long(page: Page) -> None:
    """From now on a search takes as long as the server lets it, unless it is stopped, however fast the machine is."""

    def longer(route: Route) -> None:
        asked = {name: value for name, value in route.request.post_data_json.items() if name in ("position", "token")}
        route.continue_(post_data={**asked, "player": "mcts", "seconds": LONG_SECONDS, "stream": True})

    page.route("**/api/move", longer)


def import_text(page: Page, text: str) -> None:
    """Bring a text onto the analysis board."""
    from playwright.sync_api import expect

    page.locator('nav [data-mode-link="analysis"]').click()
    unfold(page, "share")
    page.fill("#text", text)
    page.click("#import")
    expect(page.locator("#progress")).to_have_text("Imported")


def screenshot(page: Page, name: str) -> None:
    folder = os.environ.get("GOMOKU_SCREENSHOTS")
    if folder:
        page.evaluate("scrollTo(0, 0)")
        page.wait_for_timeout(400)
        page.screenshot(path=str(Path(folder) / f"{name}.png"))
