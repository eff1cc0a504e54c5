"""How the page looks and reads: axe-core, both themes and languages, boards of every shape, print."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tests.gomoku.browser import as_phone, click, count, opened, put, ready, screenshot, start, unfold

pytest.importorskip("playwright")
from playwright.sync_api import expect

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

VIEWS = {
    "play": "",
    "game": "play/mimi#s=15x15&m=h8h9i9&y=white",
    "end": "play/mimi#s=15x15&m=h8a1i8a2j8a3k8a4l8&y=black",
    "forbidden": "play/friend#s=15x15&r=renju&m=g8a1i8c1h7e1h9g1&y=both",
    "puzzles": "puzzles/16",
    "slip": "puzzles/9#m=a1",
    "analysis": "analysis#s=15x15&m=h8h9i9",
}


def serious(page: Page) -> list[str]:
    """What axe-core finds that would keep somebody from using the page."""
    import axe_playwright_python

    page.evaluate((Path(axe_playwright_python.__file__).parent / "axe.min.js").read_text(encoding="utf-8"))
    found = page.evaluate("axe.run({ resultTypes: ['violations'] })")["violations"]
    return [
        f"{one['id']}: {node['html']} {node.get('failureSummary', '')}"
        for one in found
        if one["impact"] in ("serious", "critical")
        for node in one["nodes"][:2]
    ]


def serious_in_both_themes(page: Page) -> list[str]:
    found = []
    for theme in ("light", "dark"):
        page.emulate_media(color_scheme=theme, reduced_motion="reduce")
        found += [f"{theme}: {fault}" for fault in serious(page)]
    return found


@pytest.mark.parametrize("view", VIEWS)
def test_axe_finds_no_serious_fault(browser: Browser, server: Any, view: str) -> None:
    with opened(browser, server.url + VIEWS[view], reduced_motion="reduce") as page:
        if view == "play":
            unfold(page, "systems", "more")
        if view == "puzzles":
            page.click("#hint")
            expect(page.locator("rect.area")).to_have_count(1, timeout=60_000)
            assert serious_in_both_themes(page) == []
            page.click("#puzzle-solution")
            expect(page.locator("#solution")).to_be_visible(timeout=60_000)
        if view == "slip":
            expect(page.locator("#puzzle-retry")).to_be_visible(timeout=60_000)
        if view == "analysis":
            unfold(page, "graph-panel", "patterns", "share")
            page.click("#why")
            page.click("#engine-switch")
            page.wait_for_timeout(1500)
        assert serious_in_both_themes(page) == []
        if view == "analysis":
            page.click("#setup-open")
            assert serious_in_both_themes(page) == []


@pytest.mark.parametrize("view", ["play", "game", "puzzles", "analysis"])
def test_axe_finds_no_serious_fault_on_a_phone_in_chinese(browser: Browser, server: Any, view: str) -> None:
    with opened(browser, server.url + VIEWS[view], reduced_motion="reduce", **as_phone() | {"locale": "zh-CN"}) as page:
        expect(page.locator("html")).to_have_attribute("lang", "zh-CN")
        assert serious(page) == []


def test_a_proof_has_no_serious_fault(page: Page) -> None:
    page.click('nav [data-mode-link="puzzles"]')
    page.click("#puzzle-prove")
    expect(page.locator("#panel-proof")).to_be_visible(timeout=60_000)
    assert serious(page) == []


def test_the_page_of_the_api_has_no_serious_fault(page: Page, server: Any) -> None:
    page.goto(server.url + "api/")
    assert serious_in_both_themes(page) == []


# ---------------------------------------------------------------------- themes and languages


def test_the_theme_is_chosen_and_kept(page: Page) -> None:
    page.click("#theme")
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")
    page.reload()
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")


LATIN = re.compile(r"[A-Za-z]{3,}")
NAMES = re.compile(
    r"English|Caro|Swap2|SGF|JSON|RenLib|Gomocup|Piskvork|LFZ|Alpha-beta|BOARD|API|minmax|level_tree|level|wins|two_ply|mcts|random|engine|book|stubborn|solver|Home|End|Tab"
)

FORMAT = re.compile("^[a-z-]+ — ")
"""A notation's own name, as commands take it, before its description."""


def english(page: Page) -> list[str]:
    """The lines a reader of Chinese would find in English."""
    lines = page.evaluate("document.body.innerText").splitlines()
    return [line for line in lines if LATIN.search(NAMES.sub("", FORMAT.sub("", line)))]


@pytest.mark.parametrize("view", VIEWS)
def test_chinese_throughout(browser: Browser, server: Any, view: str) -> None:
    with opened(browser, server.url + VIEWS[view], locale="zh-CN") as page:
        unfold(page, *{"play": ["systems", "more"], "analysis": ["graph-panel", "patterns", "share"]}.get(view, []))
        page.locator(".keys summary").click()
        if view == "slip":
            expect(page.locator("#puzzle-retry")).to_be_visible(timeout=60_000)
        page.wait_for_timeout(300)
        assert english(page) == []
        text = page.evaluate("document.body.innerText")
        assert re.findall(r"[一-鿿][,:;!?()]|[,:;!?()][一-鿿]", text) == []
        labels = page.locator("[aria-label]").evaluate_all("all => all.map((one) => one.getAttribute('aria-label'))")
        assert [label for label in labels if LATIN.search(NAMES.sub("", label))] == []


def test_every_option_is_chinese_too(browser: Browser, server: Any) -> None:
    with opened(browser, server.url + "analysis", locale="zh-CN") as page:
        options = page.locator("option").all_text_contents()
        assert [option for option in options if LATIN.search(NAMES.sub("", FORMAT.sub("", option)))] == []


def test_all_words_are_there_in_both_languages(page: Page) -> None:
    missing = page.evaluate(
        """async () => {
            const { WORDS } = await import("/static/words.js");
            return Object.entries(WORDS).filter(([, [en, zh]]) => !zh || (en !== null && !en)).map(([key]) => key);
        }"""
    )
    assert missing == []


def test_every_word_the_scripts_ask_for_is_there() -> None:
    static = Path(__file__).parents[2] / "gomoku" / "web" / "static"
    words = set(re.findall(r'"([\w.-]+)": \[', (static / "words.js").read_text(encoding="utf-8")))
    asked = set()
    for path in [*static.glob("*.js"), static / "index.html"]:
        text = path.read_text(encoding="utf-8")
        asked |= set(re.findall(r'\b(?:t|tell|notice|offerBack)\("([\w.-]+)"', text))
        asked |= set(re.findall(r'data-t(?:-label|-title|-placeholder)?="([\w.-]+)"', text))
    assert asked - words == set()


def test_chinese_in_the_dark(browser: Browser, server: Any) -> None:
    with opened(browser, server.url + "analysis#s=15x15&m=h8h9i9g7j10k11", locale="zh-CN", color_scheme="dark") as page:
        page.click("#engine-switch")
        expect(page.locator("circle.candidate")).to_have_count(3, timeout=60_000)
        page.click("#why")
        expect(page.locator("#why-text")).to_contain_text("这手", timeout=60_000)
        screenshot(page, "chinese-dark")


# ---------------------------------------------------------------------- sizes


@pytest.mark.parametrize(("rows", "cols"), [(22, 7), (5, 22), (22, 22), (5, 5)])
def test_boards_of_every_shape_fit_the_screen(page: Page, rows: int, cols: int) -> None:
    page.set_viewport_size({"width": 1280, "height": 800})
    start(page, "friend", rows=str(rows), cols=str(cols))
    expect(page.locator("[data-cell]")).to_have_count(rows * cols)
    box = page.locator("#undo").bounding_box()
    assert box is not None and box["y"] + box["height"] < 800
    assert page.evaluate("document.documentElement.scrollWidth") <= 1280


SCREENS = [(1280, 680), (1280, 800), (1440, 900), (1920, 1080)]


@pytest.mark.parametrize("view", ["play", "game", "puzzles", "analysis"])
def test_no_window_is_too_tall(browser: Browser, server: Any, view: str) -> None:
    with opened(browser, server.url + VIEWS[view]) as page:
        if view == "analysis":
            unfold(page, "graph-panel", "patterns", "share")
        for width, height in SCREENS:
            page.set_viewport_size({"width": width, "height": height})
            assert page.evaluate("document.documentElement.scrollHeight") <= height
            box = page.locator("#progress").bounding_box()
            assert box is not None and box["height"] > 15 and box["y"] + box["height"] <= height, (width, height)


@pytest.mark.parametrize(("width", "height"), [*SCREENS, (390, 844)])
def test_a_notice_covers_no_control_and_goes(browser: Browser, server: Any, width: int, height: int) -> None:
    options = as_phone() if width < 400 else {"viewport": {"width": width, "height": height}}
    with opened(browser, server.url + "analysis#s=15x15&m=h8h9i9", **options) as page:
        page.clock.install()
        page.click("#analysis-new")
        expect(page.locator("#notice-text")).to_have_text("Another game is on the analysis board.")
        table, notice = (page.locator(one).bounding_box() for one in (".table", "#notice"))
        assert table is not None and notice is not None
        beside = notice["x"] >= table["x"] + table["width"] or notice["y"] >= table["y"] + table["height"]
        assert beside, (table, notice)
        page.clock.fast_forward(9_000)
        expect(page.locator("#notice")).to_be_visible()
        page.clock.fast_forward(12_000)
        expect(page.locator("#notice")).to_be_hidden()
        page.click("#prove")
        expect(page.locator("#notice-text")).to_contain_text("No win")
        page.mouse.move(5, 5)
        page.clock.fast_forward(9_000)
        expect(page.locator("#notice")).to_be_hidden()


def test_no_stone_follows_the_pointer_where_none_can_be_played(page: Page, server: Any) -> None:
    page.goto(server.url + VIEWS["end"])
    ready(page)
    page.hover('[data-cell="c3"]')
    assert page.locator('[data-cell="c3"] .ghost').evaluate("one => getComputedStyle(one).opacity") == "0"
    page.goto(server.url + VIEWS["game"])
    ready(page)
    page.hover('[data-cell="c3"]')
    assert page.locator('[data-cell="c3"] .ghost').evaluate("one => getComputedStyle(one).opacity") != "0"


@pytest.mark.parametrize(
    ("view", "rule"), [("forbidden", "Renju"), ("puzzles", "Freestyle"), ("analysis", "Freestyle")]
)
def test_the_rule_in_force_is_shown(browser: Browser, server: Any, view: str, rule: str) -> None:
    with opened(browser, server.url + VIEWS[view], **as_phone()) as page:
        expect(page.locator("#rule-shown")).to_have_text(rule)
        expect(page.locator("#rule-shown")).to_be_in_viewport(ratio=0.99)
        if view == "forbidden":
            expect(page.locator("#setting")).to_have_text("Renju (forbidden points) · 15×15")


def test_coordinates_are_evenly_placed(page: Page) -> None:
    places = page.evaluate(
        """() => {
            const svg = document.querySelector("#board svg").getBoundingClientRect();
            const text = [...document.querySelectorAll(".coord")].map((one) => one.getBoundingClientRect());
            const stones = document.querySelector('[data-cell="a1"] .hit').getBoundingClientRect();
            const digit = text.find((box) => box.right < stones.left + stones.width / 2);
            const letter = text.at(-1);
            const cut = text.some((box) => box.left < svg.left || box.bottom > svg.bottom);
            return { left: digit.left - svg.left, bottom: svg.bottom - letter.bottom, cut };
        }"""
    )
    assert not places["cut"]
    assert places["left"] > 0 and places["bottom"] > 0


def test_coordinates_of_a_small_board_are_small(page: Page) -> None:
    start(page, "friend", rows="5", cols="5")
    expect(page.locator("[data-cell]")).to_have_count(25)
    heights = page.locator(".coord").evaluate_all("all => all.map((one) => one.getBoundingClientRect().height)")
    stone = page.locator('[data-cell="a1"] .hit').bounding_box()
    assert stone is not None and max(heights) < stone["height"] / 5


CUT = """() => [...document.querySelectorAll("button, nav a, h2, label > span, .seat")]
    .filter((one) => one.checkVisibility() && !one.closest(".engine-lines, .moves, .tree"))
    .filter((one) => one.scrollWidth > one.clientWidth + 1 && getComputedStyle(one).display !== "inline")
    .map((one) => one.outerHTML.slice(0, 80))"""


@pytest.mark.parametrize("locale", ["en-GB", "zh-CN"])
@pytest.mark.parametrize("view", VIEWS)
def test_nothing_is_wider_than_the_screen(browser: Browser, server: Any, view: str, locale: str) -> None:
    with opened(browser, server.url + VIEWS[view], locale=locale) as page:
        for width in (320, 390, 768, 1024, 1920):
            page.set_viewport_size({"width": width, "height": 844})
            assert page.evaluate("document.documentElement.scrollWidth") <= width
            assert page.evaluate(CUT) == [], width


def test_a_game_can_be_printed(page: Page) -> None:
    put(page, "h8")
    count(page, "white", 1)
    page.emulate_media(media="print")
    expect(page.locator("header")).to_be_hidden()
    expect(page.locator("#board svg")).to_be_visible()
    expect(page.locator("#moves")).to_be_visible()


def test_whose_seat_it_is_can_be_heard(page: Page) -> None:
    for colour in ("Black", "White"):
        expect(page.locator(f"#seat-{colour.lower()}").get_by_role("img", name=colour)).to_be_visible()


def test_the_keyboard_skips_to_the_board(page: Page) -> None:
    page.keyboard.press("Tab")
    expect(page.locator(".skip")).to_be_focused()
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    expect(page.locator('[data-cell="h8"]')).to_be_focused()


def test_the_page_can_be_installed(page: Page) -> None:
    manifest = page.evaluate("fetch('/static/manifest.webmanifest').then((answer) => answer.json())")
    assert manifest["display"] == "standalone"
    for icon in manifest["icons"]:
        assert page.evaluate("(source) => fetch(source).then((answer) => answer.status)", icon["src"]) == 200


def test_the_service_worker_knows_every_part() -> None:
    static = Path(__file__).parents[2] / "gomoku" / "web" / "static"
    text = (static / "service-worker.js").read_text(encoding="utf-8")
    parts = {path.stem for path in static.glob("*.js")} - {"service-worker"}
    assert {name for name in parts if f'"{name}"' not in text} == set()


def test_the_first_view_for_the_documents(page: Page) -> None:
    screenshot(page, "play")
    click(page, "h8")
    ready(page)
