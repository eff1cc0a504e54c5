"""What the tests of the web board share: a server for each file, and pages of desktop and phone size."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

import pytest

from tests.gomoku.browser import as_phone, opened, started_browser

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page


@pytest.fixture(scope="module")
def server(serve: Callable[..., Any]) -> Any:
    return serve("--searches", "2")


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    yield from started_browser()


@pytest.fixture
def page(browser: Browser, server: Any) -> Iterator[Page]:
    with opened(browser, server.url) as page:
        yield page


@pytest.fixture
def phone(browser: Browser, server: Any) -> Iterator[Page]:
    with opened(browser, server.url, **as_phone()) as page:
        yield page
