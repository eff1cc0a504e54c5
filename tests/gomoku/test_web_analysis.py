"""The analysis board: variations, comments and signs, the engine's lines, why a move, setting up, every notation."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import pytest

from gomoku_patterns import Board
from tests.gomoku.browser import cell, click, holds, import_text, opened, put, ready, screenshot, shown, stones, unfold

pytest.importorskip("playwright")
from playwright.sync_api import expect

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page, Route

LEVEL_16 = '{"black": ["h11","f9","i9","l9","h8","k8"], "white": ["g11","j11","g10","e9","k9","i8"]}'
VARIED = "(;GM[4]SZ[15];B[hh]C[The centre]TR[ii](;W[ih];B[hi])(;W[hg]LB[cc:A];B[ig](;W[jj])(;W[ff])))"


@pytest.fixture
def board(page: Page) -> Page:
    """The page, at the analysis board."""
    page.click('nav [data-mode-link="analysis"]')
    return page


def moves(page: Page) -> list[str]:
    return [text.split(".")[-1].strip() for text in page.locator("#tree .move").all_inner_texts()]


# ---------------------------------------------------------------------- the tree


def test_both_sides_move_freely_and_variations_stay(board: Page) -> None:
    put(board, "h8", "h9", "i9")
    for _ in range(2):
        board.keyboard.press("ArrowLeft")
    assert shown(board) == Board(black=["h8"])
    put(board, "i9", "g7")
    assert moves(board) == ["h8", "h9", "i9", "g7", "i9"] or sorted(moves(board)) == sorted(
        ["h8", "h9", "i9", "i9", "g7"]
    )
    expect(board.locator("#tree .variation .move")).to_have_count(2)
    board.click("#promote")
    assert moves(board)[:2] == ["h8", "i9"]
    board.reload()
    ready(board)
    assert moves(board)[:2] == ["h8", "i9"]
    assert shown(board) == Board(black=["h8", "g7"], white=["i9"])


def test_a_click_waits_until_it_is_known_what_may_be_played(board: Page) -> None:
    held: list[Route] = []
    slow = True
    board.route("**/api/rules", lambda route: held.append(route) if slow else route.continue_())
    with board.expect_request("**/api/rules"):
        put(board, "h8")
    click(board, "h9")
    holds(board, "h9", "empty")
    slow = False
    held[0].continue_()
    holds(board, "h9", "white")
    assert moves(board) == ["h8", "h9"]


def test_moves_are_walked_by_keys_buttons_and_clicks(board: Page) -> None:
    put(board, "h8", "h9", "i9", "g7")
    board.keyboard.press("Home")
    assert len(shown(board)) == 0
    board.keyboard.press("ArrowRight")
    assert stones(board, "black") == ["h8"]
    board.click("#last")
    assert len(shown(board)) == 4
    board.click("#back")
    holds(board, "g7", "empty")
    board.locator("#tree .move").nth(1).click()
    assert len(shown(board)) == 2


def test_deleting_can_be_undone(board: Page) -> None:
    put(board, "h8", "h9", "i9")
    board.keyboard.press("ArrowLeft")
    board.click("#delete")
    assert moves(board) == ["h8"]
    expect(board.locator("#notice-text")).to_have_text("2 moves were deleted.")
    board.click("#notice-act")
    assert moves(board) == ["h8", "h9", "i9"]


def test_comments_and_signs_stay_with_their_move(board: Page) -> None:
    put(board, "h8")
    board.fill("#comment", "The centre <b>first</b>")
    for sign, name in (("triangle", "i9"), ("label", "c3"), ("circle", "h8")):
        board.click(f'[data-sign="{sign}"]')
        click(board, name)
    expect(board.locator("path.sign, circle.sign, text.sign-text")).to_have_count(3)
    board.click('[data-sign=""]')
    put(board, "h9")
    expect(board.locator(".sign")).to_have_count(0)
    board.keyboard.press("ArrowLeft")
    expect(board.locator("#comment")).to_have_value("The centre <b>first</b>")
    expect(board.locator("#tree .comment")).to_have_text("The centre <b>first</b>")
    unfold(board, "share")
    board.click("#export")
    expect(board.locator("#text")).to_have_value(re.compile(r"TR\[ig\].*LB\[cm:A\].*C\[The centre"))


def test_sgf_comes_in_and_goes_out_with_its_variations(board: Page) -> None:
    import_text(board, VARIED)
    assert len(moves(board)) == 7
    expect(board.locator("#tree .variation")).to_have_count(2)
    expect(board.locator("#tree .comment")).to_have_text("The centre")
    board.select_option("#format", "sgf")
    board.fill("#text", "")
    board.click("#export")
    expect(board.locator("#text")).to_have_value(
        re.compile(r"\(;FF\[4\].*\(;W\[ih\];B\[hi\]\)\(;W\[hg\]LB\[cc:A\];B\[ig\]\(;W\[jj\]\)")
    )


def test_a_position_goes_out_and_comes_back_in_every_notation(board: Page) -> None:
    put(board, "h8", "h9", "i9", "g7")
    unfold(board, "share")
    expect(board.locator("#format option")).not_to_have_count(0)
    names = board.locator("#format option").evaluate_all("options => options.map(option => option.value)")
    assert len(names) > 5
    for name in names:
        board.select_option("#format", name)
        board.fill("#text", "")
        board.click("#export")
        expect(board.locator("#text")).not_to_have_value("")
        board.click("#import")
        expect(board.locator("#progress")).to_have_text("Imported")
        assert shown(board) == Board(black=["h8", "i9"], white=["h9", "g7"]), name


def test_files_of_text_and_of_bytes_are_opened_and_saved(board: Page) -> None:
    unfold(board, "share")
    board.set_input_files("#file", {"name": "game.sgf", "mimeType": "text/plain", "buffer": VARIED.encode()})
    expect(board.locator("#tree .variation")).to_have_count(2)
    library = bytes([0x78, 0x00, 0x79, 0x40])
    board.set_input_files("#file", {"name": "game.lib", "mimeType": "application/octet-stream", "buffer": library})
    expect(board.locator("#tree .move")).to_have_count(2)
    assert shown(board) == Board(black=["h8"], white=["i8"])
    with board.expect_download() as download:
        board.click("#save")
    assert download.value.suggested_filename == "gomoku.sgf"


def test_thousands_of_variations_are_walked_at_once(board: Page) -> None:
    cells = [f"{chr(97 + col)}{chr(97 + row)}" for row in range(15) for col in range(15)]
    lines = [cells[at : at + 60] for at in range(80)]
    moves = ["".join(f";{'BW'[number % 2]}[{name}]" for number, name in enumerate(line)) for line in lines]
    import_text(board, "(;GM[4]SZ[15]" + "".join(f"({line})" for line in moves) + ")")
    expect(board.locator("#tree .move")).to_have_count(4800)
    took = board.evaluate(
        """async () => {
            const started = performance.now();
            for (let step = 0; step < 5; step += 1) {
                document.getElementById("back").click();
                await new Promise((done) => setTimeout(done));
            }
            return performance.now() - started;
        }"""
    )
    assert took < 3000


def test_another_game_on_the_board_can_be_undone(board: Page) -> None:
    put(board, "h8", "h9")
    import_text(board, VARIED)
    expect(board.locator("#notice-text")).to_have_text("Another game is on the analysis board.")
    board.click("#notice-act")
    assert moves(board) == ["h8", "h9"]


UNREADABLE = [
    ("", "empty", "没有内容"),
    ("h8h8", "line 1, column 3: ", "第 1 行第 3 列，同一个点上有两枚棋子"),
    ("你好", "你好", "不认得这种棋谱格式"),
    ('{"rows": 99}', "99", "第 1 行第 10 列，棋盘大小须在 5 到 22 之间"),
    ('{"black": ["z99"]}', "z99", "第 1 行第 12 列，有坐标无法识别"),
    ('{"black": ["h8"', "JSON", "第 1 行第 16 列，JSON 格式有误"),
    ('{"rule": "chess"}', "chess", "第 1 行第 10 列，规则名称无法识别"),
    ("(;GM[1];B[hh])", "Gomoku", "第 1 行第 6 列，这不是五子棋的棋谱"),
    ('[{"black": ["h8"]}, {"black": ["h8"]}]', "second position", "其中有多个局面，请一次给一个"),
]


def test_a_text_that_is_no_position_leaves_the_game_alone(board: Page) -> None:
    put(board, "h8")
    unfold(board, "share")
    for text, english, chinese in UNREADABLE:
        board.fill("#text", text)
        board.click("#import")
        expect(board.locator("#notice-text")).to_have_text(re.compile(f"^This cannot be read: .*{english}"))
        board.click("#language")
        expect(board.locator("#notice-text")).to_have_text(f"无法读取：{chinese}。")
        board.click("#language")
        assert stones(board, "black") == ["h8"]
        board.click("#dismiss")


def test_moves_that_do_not_take_turns_keep_their_colours(board: Page) -> None:
    import_text(board, "(;GM[4]SZ[15];W[hh];W[ii];B[jj];W[kk])")
    assert shown(board) == Board(black=["j6"], white=["h8", "i7", "k5"], turn="black")
    expect(board.locator("#status")).to_have_text("Black to move")
    board.keyboard.press("ArrowLeft")
    expect(board.locator("#status")).to_have_text("White to move")


# ---------------------------------------------------------------------- setting up


def test_a_position_is_set_up_turned_and_mirrored(board: Page) -> None:
    put(board, "h8")
    board.click("#setup-open")
    click(board, "a1", "b2")
    board.check('[name="setup-tool"][value="white"]')
    click(board, "c3")
    board.check('[name="setup-tool"][value="erase"]')
    click(board, "h8", "b2")
    board.select_option("#setup-turn", "white")
    board.click("#setup-done")
    assert shown(board) == Board(black=["a1"], white=["c3"])
    expect(board.locator("#status")).to_have_text("White to move")
    put(board, "b1")
    board.click("#mirror")
    assert shown(board) == Board(black=["o1"], white=["m3", "n1"])
    board.click("#rotate")
    assert shown(board) == Board(black=["a1"], white=["a2", "c3"])


def test_setting_up_can_be_cancelled_and_another_size_chosen(board: Page) -> None:
    put(board, "h8")
    board.click("#setup-open")
    board.click("#setup-clear")
    board.click("#setup-cancel")
    holds(board, "h8", "black")
    board.click("#setup-open")
    board.fill("#setup-rows", "9")
    board.fill("#setup-cols", "11")
    board.locator("#setup-cols").blur()
    expect(board.locator("[data-cell]")).to_have_count(99)
    board.click("#setup-done")
    expect(board.locator("[data-cell]")).to_have_count(99)


def test_another_size_keeps_the_names_of_stones_and_says_what_is_lost(board: Page) -> None:
    put(board, "h9", "a15")
    board.click("#setup-open")
    board.fill("#setup-rows", "10")
    board.locator("#setup-rows").blur()
    holds(board, "h9", "black")
    assert stones(board, "white") == []
    expect(board.locator("#notice-text")).to_have_text("One stone lay outside of the smaller board.")
    board.click("#notice-act")
    holds(board, "a15", "white")
    holds(board, "h9", "black")


# ---------------------------------------------------------------------- the engine


def test_the_engines_lines_are_shown_looked_at_and_played(board: Page) -> None:
    import_text(board, '{"black": ["h8", "g10"], "white": ["i9", "h6"]}')
    board.click("#engine-switch")
    expect(board.locator("circle.candidate")).to_have_count(3, timeout=60_000)
    rows = board.locator("#engine-lines li")
    expect(rows).to_have_count(3)
    heights = set(rows.evaluate_all("rows => rows.map((row) => row.getBoundingClientRect().height)"))
    assert len(heights) == 1
    first = rows.nth(0).locator(".move").nth(0)
    rows.nth(0).hover()  # which holds the lines
    first.hover()
    expect(board.locator("circle.line-stone")).to_have_count(1)
    expect(board.locator("circle.candidate")).to_have_count(0)
    name = first.inner_text()
    first.click()
    holds(board, name, "black")
    assert moves(board) == [name]


FEED = """() => {
    const [real, text] = [window.fetch, new TextEncoder()];
    let [stream, arrived] = [null, null];
    const await_another = () => { stream = new Promise((arrive) => { arrived = arrive; }); };
    window.fetch = (address, options) => {
        if (!String(address).endsWith("/api/move")) return real(address, options);
        options.signal.addEventListener("abort", await_another);
        return Promise.resolve(new Response(new ReadableStream({ start: arrived })));
    };
    window.tell = async (event) => (await stream).enqueue(text.encode(JSON.stringify(event) + "\\n"));
    await_another();
}"""


def feed(page: Page) -> None:
    """From now on the tests say what the engine finds."""
    page.evaluate(FEED)


def tell(page: Page, depth: int, *lines: str) -> None:
    """The engine has come to this depth and prefers these lines; it is shown before this returns."""
    cells = [[[*Board().cell(name)] for name in line.split()] for line in lines]
    told = {
        "depth": depth,
        "nodes": 1000 * depth,
        "elapsed": depth,
        "values": [{"name": line.split()[0], "value": 10 * depth - rank} for rank, line in enumerate(lines)],
        "lines": [{"name": line.split()[0], "move": of[0], "value": of} for line, of in zip(lines, cells, strict=True)],
    }
    page.evaluate("told => tell({ progress: told })", told)
    expect(page.locator("#engine-about")).to_contain_text(f"depth {depth} ")


def lists(page: Page, *lines: str) -> None:
    """These are the lines on the page, without their values."""
    expect(page.locator("#engine-lines .line")).to_have_text([line.replace(" ", "") for line in lines])


FIRST, NEXT = ["h9 h10 h11", "g9", "i9 i10"], ["j10 k11 l12", "h9", "g7 g6"]


@pytest.fixture
def fed(board: Page) -> Page:
    """The analysis board with the engine's first lines, which come from the test."""
    put(board, "h8", "i8")
    feed(board)
    board.click("#engine-switch")
    tell(board, 1, *FIRST)
    lists(board, *FIRST)
    return board


def test_the_engines_lines_hold_still_under_the_pointer(fed: Page) -> None:
    fed.locator("#engine-lines li").nth(0).hover()
    for depth in range(2, 7):
        tell(fed, depth, *NEXT)
    expect(fed.locator("#bar-value")).to_have_text("+60")
    lists(fed, *FIRST)
    fed.locator("#status").hover()
    lists(fed, *NEXT)
    expect(fed.locator("circle.candidate")).to_have_count(3)
    chosen = fed.locator("#engine-lines .move").nth(1)
    chosen.hover()
    expect(fed.locator("circle.line-stone")).to_have_count(2)
    expect(fed.locator("circle.candidate")).to_have_count(0)
    tell(fed, 7, *FIRST)
    chosen.click()
    holds(fed, "k11", "white")
    assert moves(fed) == ["h8", "i8", "j10", "k11"]


def test_lines_that_come_under_a_pointer_at_rest_are_the_newest(fed: Page) -> None:
    """They are not held by what a browser says when something is drawn under the pointer, nor by a hand that shakes."""
    first = fed.locator("#engine-lines .move").nth(0)
    box = first.bounding_box()
    assert box is not None
    first.click()
    holds(fed, "h9", "black")
    expect(first).to_have_count(0)
    tell(fed, 1, "g9 g10", "i9")
    for depth, lines in enumerate((FIRST[1:], NEXT[:2]), 2):
        fed.wait_for_timeout(200)
        fed.mouse.move(box["x"] + box["width"] / 2 + depth, box["y"] + box["height"] / 2)
        tell(fed, depth, *lines)
        lists(fed, *lines)
    fed.mouse.down()
    tell(fed, 4, *FIRST[1:])
    lists(fed, *NEXT[:2])
    fed.mouse.up()
    holds(fed, "j10", "white")


def test_lines_that_are_held_go_with_their_position_and_their_engine(fed: Page) -> None:
    fed.locator("#engine-lines .move").nth(0).hover()
    tell(fed, 2, *NEXT)
    lists(fed, *FIRST)
    for _ in range(2):
        fed.keyboard.press("e")
    lists(fed, *NEXT)
    fed.locator("#engine-lines .move").nth(1).hover()
    fed.keyboard.press("ArrowLeft")
    lists(fed)
    fed.keyboard.press("ArrowRight")
    lists(fed, *NEXT)


def test_enter_plays_the_move_that_is_shown(fed: Page) -> None:
    first = fed.locator("#engine-lines .move").nth(0)
    first.focus()
    tell(fed, 2, *NEXT)
    lists(fed, *NEXT)
    expect(first).to_be_focused()
    fed.keyboard.press("Enter")
    holds(fed, "j10", "black")


def test_a_finger_plays_the_move_that_it_touched(phone: Page) -> None:
    import_text(phone, "h8 i8")
    feed(phone)
    phone.tap("#engine-switch")
    tell(phone, 1, *FIRST)
    first = phone.locator("#engine-lines .move").nth(0)
    first.scroll_into_view_if_needed()
    box = first.bounding_box()
    assert box is not None
    finger = phone.context.new_cdp_session(phone)
    point = [{"x": box["x"] + box["width"] / 2, "y": box["y"] + box["height"] / 2}]

    def touch(what: str, *points: dict[str, float]) -> None:
        finger.send("Input.dispatchTouchEvent", {"type": what, "touchPoints": points})

    touch("touchStart", *point)
    tell(phone, 2, *NEXT)
    lists(phone, *FIRST)
    touch("touchCancel")
    lists(phone, *NEXT)
    touch("touchStart", *point)
    tell(phone, 3, *FIRST)
    touch("touchEnd")
    holds(phone, "j10", "black")


def test_nothing_below_the_engine_moves_while_it_thinks(board: Page) -> None:
    import_text(board, '{"black": ["h8", "g10"], "white": ["i9", "h6"]}')
    board.click("#engine-switch")
    board.wait_for_timeout(150)
    places = set()
    for _ in range(10):
        board.wait_for_timeout(100)
        box = board.locator("#tree").bounding_box()
        field = board.locator("#board").bounding_box()
        assert box is not None and field is not None
        places.add((box["y"], field["x"], field["y"], field["width"]))
    assert len(places) == 1


def test_the_bar_says_what_the_engine_or_a_proof_says(board: Page) -> None:
    expect(board.locator("#bar")).to_have_attribute("aria-label", "Evaluation: unknown")
    import_text(board, LEVEL_16)
    unfold(board, "patterns")
    expect(board.locator("#pattern-score")).to_have_text(re.compile("^Pattern score -440: Black minus White"))
    expect(board.locator("#bar")).to_have_attribute("aria-label", "Evaluation: unknown")
    board.click("#engine-switch")
    expect(board.locator("#bar")).to_have_attribute("aria-label", re.compile("Black wins in 7 moves"), timeout=60_000)
    expect(board.locator("#engine-lines li").nth(0)).to_contain_text("B in 7")
    screenshot(board, "engine")
    board.click("#engine-switch")
    board.click("#prove")
    expect(board.locator("#panel-proof")).to_be_visible(timeout=60_000)
    expect(board.locator("#bar")).to_have_attribute("aria-label", re.compile("Black wins in"))


def test_the_bar_belongs_to_the_analysis(board: Page) -> None:
    expect(board.locator("#bar")).to_be_visible()
    board.click('nav [data-mode-link="puzzles"]')
    expect(board.locator("#bar")).to_be_hidden()


def test_a_graph_over_the_game_leads_to_its_moves(board: Page) -> None:
    import_text(board, "h8 h9 i9 g7 j10 k11 g8 i10")
    unfold(board, "graph-panel")
    board.click("#graph-make")
    expect(board.locator("#graph-about")).to_have_text("9 of 9 positions", timeout=60_000)
    box = board.locator("#graph").bounding_box()
    assert box is not None
    board.mouse.click(box["x"] + 2, box["y"] + 20)
    assert len(shown(board)) == 0


def test_a_review_names_what_went_wrong(board: Page) -> None:
    import_text(board, '{"black": ["h8", "i8", "j8"], "white": ["h9", "i9", "c3"]}')
    put(board, "a1", "a2")
    unfold(board, "graph-panel")
    board.click("#graph-make")
    expect(board.locator("#graph-about")).to_have_text("3 of 3 positions", timeout=60_000)
    expect(board.locator("#tree .move").nth(0)).to_have_text(re.compile(r"a1\?\?$"))
    missed = re.compile(r"^a1 missed a win in 3 moves\. (g8|k8) was better\.$")
    expect(board.locator("#tree .move").nth(0)).to_have_attribute("title", missed)
    expect(board.locator("#tree .move").nth(1)).to_have_attribute("title", re.compile("^a2 lets Black win"))


def test_a_review_is_the_servers_and_goes_on_where_its_time_ended(board: Page) -> None:
    requests: list[dict[str, Any]] = []

    def with_little_time(route: Route) -> None:
        requests.append(route.request.post_data_json)
        nodes = 1 if len(requests) > 1 else 200_000
        route.continue_(post_data={**requests[-1], "seconds": 2 if nodes > 1 else 10, "nodes": nodes})

    board.route("**/api/review", with_little_time)
    import_text(board, "i13e7h7d5a11j7m12f5m7g13h6d1e12m15h8l13d12o5o7l9c3g7d8n7m4m2d4h2")
    unfold(board, "graph-panel")
    board.click("#graph-make")
    expect(board.locator("#graph-about")).to_have_text("29 of 29 positions", timeout=60_000)
    assert len(requests) == 2
    left = requests[1]["moves"]
    assert left == requests[0]["moves"][-len(left) :] and 0 < len(left) < 28


def test_a_game_with_stones_set_up_in_the_middle_is_reviewed_from_there(board: Page) -> None:
    import_text(board, "(;GM[4]SZ[15];B[hh];W[hg];AB[ii][jj];B[kk];W[aa])")
    unfold(board, "graph-panel")
    with board.expect_request("**/api/review") as asked:
        board.click("#graph-make")
    assert asked.value.post_data_json["moves"] == [[10, 10], [0, 0]]
    assert len(asked.value.post_data_json["position"]["black"]) == 3
    expect(board.locator("#graph-about")).to_have_text("3 of 6 positions", timeout=60_000)


def test_a_search_that_fails_says_so_and_the_board_works_on(board: Page) -> None:
    board.route("**/api/move", lambda route: route.fulfill(status=422, json={"error": "expected a legal move"}))
    board.click("#engine-switch")
    expect(board.locator("#engine-about")).to_have_text("The server does not answer.")
    put(board, "h8")


# ---------------------------------------------------------------------- why this move


def test_why_a_move_is_said_in_words_with_the_proof_a_click_away(board: Page) -> None:
    import_text(board, LEVEL_16)
    put(board, "h9")
    board.click("#why")
    expect(board.locator("#why-title")).to_have_text("Why h9?")
    text = board.locator("#why-text")
    expect(text).to_contain_text("h9 makes a live three along the column")
    expect(text).to_contain_text("It begins a win by force, proven:", timeout=60_000)
    expect(board.locator("circle.shape")).not_to_have_count(0)
    screenshot(board, "why")
    board.click("#language")
    expect(text).to_contain_text("h9 形成竖活三")
    board.click("#why-proof")
    expect(board.locator("#panel-proof")).to_be_visible(timeout=60_000)


def test_questions_do_not_wait_for_the_engine_that_thinks(browser: Browser, serve: Callable[..., Any]) -> None:
    with opened(browser, serve("--max-seconds", "300").url) as page:
        page.click('nav [data-mode-link="analysis"]')
        put(page, "h8", "i9", "h9", "i8", "h10")
        page.click("#engine-switch")
        expect(page.locator("circle.candidate")).to_have_count(3)
        page.click("#why")
        expect(page.locator("#why-text")).to_contain_text("h10 makes a live three")
        expect(page.locator("#why-text")).not_to_contain_text("Looking")
        page.click("#prove")
        expect(page.locator("#notice-text")).to_contain_text("No win")
        expect(page.locator("#engine-about")).to_contain_text("depth")


def test_why_says_what_a_quiet_move_builds(board: Page) -> None:
    put(board, "h8", "a1", "i8")
    board.click("#why")
    expect(board.locator("#why-text")).to_contain_text("i8 makes a live two along the row.", timeout=60_000)


def test_why_says_what_a_move_missed_and_what_it_stops(board: Page) -> None:
    import_text(board, LEVEL_16)
    put(board, "a1")
    board.click("#why")
    expect(board.locator("#why-text")).to_contain_text("There was a win by force: h9 wins in 7 moves.", timeout=60_000)
    import_text(board, '{"black": ["h8", "i8", "j8"], "white": ["h9", "c3"], "to_move": "white"}')
    put(board, "k8")
    board.click("#why")
    expect(board.locator("#why-text")).to_contain_text("It stops Black's live four.")
    board.keyboard.press("ArrowLeft")
    expect(board.locator("#why-panel")).to_be_hidden()


def lengths(text: str) -> list[str]:
    """The lengths of wins that a text names."""
    return re.findall(r"(\d+) moves", text)


def test_a_win_has_one_length_wherever_it_is_said(board: Page) -> None:
    """In the review, the reasons, the proof and on the bar."""
    import_text(board, "h8 i9 i8 h9 j8 a1")
    board.keyboard.press("ArrowLeft")
    put(board, "a2")
    unfold(board, "graph-panel")
    board.click("#graph-make")
    expect(board.locator("#graph-about")).to_have_text("7 of 7 positions", timeout=60_000)
    said = board.locator("#tree .move", has_text="a2").get_attribute("title") or ""
    board.click("#why")
    expect(board.locator("#why-text")).to_contain_text("beginning with", timeout=60_000)
    expect(board.locator("#why-text")).not_to_contain_text("Looking", timeout=60_000)
    said += board.locator("#why-text").inner_text()
    said += board.locator("#bar").get_attribute("aria-label") or ""
    board.click("#why-proof")
    expect(board.locator("#panel-proof")).to_be_visible(timeout=60_000)
    said += board.locator("#proof-about").inner_text()
    said += board.locator("#bar").get_attribute("aria-label") or ""
    assert len(lengths(said)) >= 4 and len(set(lengths(said))) == 1, said
    assert re.search(r"\bplies\b", said) is None


def test_a_losing_move_names_the_length_and_the_move_in_their_places(board: Page) -> None:
    import_text(board, "h8 i9 i8 h9 j8 a1")
    board.click("#why")
    text = board.locator("#why-text")
    expect(text).to_contain_text(re.compile(r"After it, Black wins by force in \d+ moves, beginning with [gk]8\."))
    board.click("#language")
    expect(text).to_contain_text(re.compile(r"此后黑方必胜：从 [gk]8 开始，\d+ 手。"))


@pytest.mark.parametrize("locale", ["en-GB", "zh-CN"])
def test_the_bar_cuts_no_figure(browser: Browser, server: Any, locale: str) -> None:
    with opened(browser, server.url + "analysis", locale=locale) as page:
        figures = page.evaluate(
            """async () => {
                const { learnWin } = await import("/static/engine.js");
                const { position } = await import("/static/analysis.js");
                const bar = document.getElementById("bar-value");
                return [3, 11, 17, 103].reverse().map((length) => {
                    learnWin(position(), { status: "proven", length, name: "h8", move: [7, 7] });
                    for (const _ of [1, 2]) document.getElementById("numbers").click();
                    const cut = bar.scrollWidth > bar.clientWidth || bar.clientWidth > bar.parentElement.clientWidth;
                    return [length, bar.textContent, cut];
                });
            }"""
        )
    side = {"en-GB": "B", "zh-CN": "黑"}[locale]
    assert figures == [[length, f"{side} {length}", False] for length in (103, 17, 11, 3)]


def test_the_engine_says_why_it_stopped_and_goes_deeper(browser: Browser, serve: Callable[..., Any]) -> None:
    with opened(browser, serve("--max-seconds", "0.5").url) as page:
        page.click('nav [data-mode-link="analysis"]')
        put(page, "h8", "i9")
        page.click("#engine-switch")
        expect(page.locator("#engine-about")).to_contain_text("time is up")
        with page.expect_request("**/api/move"):
            page.click("#engine-deeper")
        expect(page.locator("#engine-deeper")).to_be_visible()
        expect(page.locator("#engine-lines .line").nth(0)).not_to_be_empty()


def test_the_engine_looks_beyond_a_forced_move(board: Page) -> None:
    import_text(board, "h8 i9 i8 h9 j8 g8 k8")
    board.click("#engine-switch")
    line = board.locator("#engine-lines li").nth(0).locator(".move")
    expect(line.nth(3)).to_be_visible()
    expect(line.nth(0)).to_have_text("l8")
    expect(board.locator("circle.candidate")).to_have_count(1)


# ---------------------------------------------------------------------- patterns


def test_a_cell_tells_its_patterns_and_the_heat_map_its_worth(board: Page) -> None:
    import_text(board, LEVEL_16)
    unfold(board, "patterns")
    board.select_option("#heat", "black")
    expect(board.locator("circle.heat").first).to_be_attached()
    cell(board, "h9").hover()
    expect(board.locator("#explain table").first).to_be_visible()
    screenshot(board, "analysis")
    click(board, "h9")
    holds(board, "h9", "black")
    expect(board.locator("#explain table")).to_have_count(0)


def test_the_heat_map_leaves_ordinary_cells_alone(board: Page) -> None:
    import_text(board, LEVEL_16)
    unfold(board, "patterns")
    board.select_option("#heat", "white")
    for table in ("money", "wins", "engine", "cell", "learned"):
        expect(board.locator("circle.heat")).not_to_have_count(0)
        board.locator("circle.heat").evaluate_all("all => all.forEach((one) => one.remove())")
        board.select_option("#table", table)
        expect(board.locator("circle.heat")).not_to_have_count(0)
        assert board.locator("circle.heat").count() < 100, table


def test_the_heat_map_has_a_legend_and_the_table_is_kept(board: Page) -> None:
    import_text(board, LEVEL_16)
    unfold(board, "patterns")
    board.select_option("#table", "money")
    board.select_option("#heat", "black")
    expect(board.locator("#heat-best")).to_have_text(re.compile(r"^best \+\d+$"))
    board.reload()
    ready(board)
    unfold(board, "patterns")
    expect(board.locator("#table")).to_have_value("money")


def test_pointing_at_a_stone_asks_nothing(board: Page) -> None:
    refused: list[str] = []
    board.on("response", lambda response: refused.append(response.url) if response.status >= 400 else None)
    put(board, "h8")
    unfold(board, "patterns")
    cell(board, "h8").hover()
    board.wait_for_timeout(400)
    assert refused == []


def sums(page: Page) -> list[tuple[int, int]]:
    """For each table of an explained cell: what its rows add up to, and the sum it names."""
    tables = page.locator("#explain table").evaluate_all(
        "all => all.map((one) => [...one.rows].slice(1).map((row) => Number(row.cells[3].textContent)))"
    )
    return [(sum(rows), total) for *rows, total in tables]


def test_the_rows_of_an_explained_cell_add_up(board: Page) -> None:
    import_text(board, LEVEL_16)
    unfold(board, "patterns")
    for table in ("engine", "grade_dict", "wins"):
        board.select_option("#table", table)
        expect(board.locator("#pattern-score")).not_to_be_empty()
        cell(board, "h9").hover()
        expect(board.locator("#explain table")).to_have_count(2)
        assert all(rows == total for rows, total in sums(board)), (table, sums(board))
        cell(board, "a15").hover()
        if table == "engine":
            expect(board.locator("#explain h3")).to_have_text("a15")
            rows = board.locator("#explain tr", has_text="revalued: the turn passes")
            assert [text[0] for text in rows.all_inner_texts()] == ["±", "±"]


def test_a_pinned_explanation_stays_and_its_rows_ring_their_cells(board: Page) -> None:
    import_text(board, LEVEL_16)
    unfold(board, "patterns")
    expect(board.locator("#pattern-score")).not_to_be_empty()
    cell(board, "h9").click(modifiers=["Shift"])
    expect(board.locator("#unpin")).to_be_visible()
    holds(board, "h9", "empty")
    cell(board, "g9").hover()
    board.wait_for_timeout(400)
    expect(board.locator("#explain h3")).to_contain_text("h9")
    row = board.locator("#explain tr").nth(1)
    ends = row.locator("td").nth(2).inner_text().split(" – ")
    row.hover()
    expect(board.locator("circle.shape")).not_to_have_count(0)
    rings = board.locator("circle.shape").evaluate_all(
        "all => all.map((one) => [one.cy, one.cx].map((at) => at.baseVal.value))"
    )
    assert {Board().name((int(row), int(col))) for row, col in rings} >= set(ends)
    board.locator("#status").hover()
    expect(board.locator("circle.shape")).to_have_count(0)
    board.click("#unpin")
    cell(board, "g9").hover()
    expect(board.locator("#explain h3")).to_have_text("g9")


def test_marks_of_mistakes_stay_inside_variations(board: Page) -> None:
    import_text(board, '{"black": ["h8", "i8", "j8"], "white": ["h9", "i9", "c3"]}')
    put(board, "a1", "a2")
    unfold(board, "graph-panel")
    board.click("#graph-make")
    marked = board.locator("#tree .move", has_text="a1??")
    expect(marked).to_have_count(1, timeout=60_000)
    board.keyboard.press("Home")
    put(board, "b1")
    expect(board.locator("#tree .variation")).to_have_count(1)
    expect(marked).to_have_count(1)


# ---------------------------------------------------------------------- links, numbered moves, dropped files


def test_a_link_carries_variations_comments_signs_and_later_moves(board: Page, browser: Browser) -> None:
    import_text(board, VARIED)
    board.keyboard.press("Home")
    board.keyboard.press("ArrowRight")
    link = board.locator("#link")
    expect(link).to_have_value(re.compile("m=h8&t="))
    with opened(browser, link.input_value()) as elsewhere:
        assert moves(elsewhere) == moves(board)
        expect(elsewhere.locator("#tree .comment")).to_have_text("The centre")
        expect(elsewhere.locator("path.sign")).to_have_count(1)
        assert shown(elsewhere) == Board(black=["h8"])
        assert "&t=" not in elsewhere.url
        elsewhere.reload()
        ready(elsewhere)
        assert moves(elsewhere) == moves(board)


def test_a_link_has_a_bound_and_says_what_it_left_out(board: Page) -> None:
    import_text(board, VARIED)
    text = board.evaluate("Array.from({ length: 9000 }, () => String.fromCharCode(33 + Math.random() * 90)).join('')")
    board.fill("#comment", text)
    board.keyboard.press("Escape")
    put(board, "a1")
    expect(board.locator("#link-dropped")).to_have_text(
        "Left out, because the link would be too long: comments. A file keeps everything."
    )
    assert len(board.locator("#link").input_value()) < 6000


@pytest.mark.parametrize(
    ("text", "black", "white"),
    [
        ("1. h8 i9 2. i8 h9", ["h8", "i8"], ["i9", "h9"]),
        ("1. h8 2. i9 3. i8", ["h8", "i8"], ["i9"]),
        ("1.h82.i73.j12", ["h8", "j12"], ["i7"]),
        ("h8-i9-i8", ["h8", "i8"], ["i9"]),
    ],
)
def test_numbered_and_dashed_moves_are_read(board: Page, text: str, black: list[str], white: list[str]) -> None:
    import_text(board, text)
    assert shown(board) == Board(black=black, white=white)


def test_the_pages_own_links_are_read(board: Page, server: Any) -> None:
    import_text(board, f"{server.url}play/tom#s=15x15&r=renju&f=black&m=h8j10h9&y=black")
    assert shown(board) == Board(black=["h8", "h9"], white=["j10"])
    expect(board.locator("#rule-shown")).to_have_text("Renju")
    import_text(board, f"{server.url}puzzles/16#m=h9h10")
    assert len(shown(board)) == 14
    holds(board, "h10", "white")
    import_text(board, VARIED)
    link = board.locator("#link").input_value()
    import_text(board, "h8i9")
    import_text(board, link)
    assert len(moves(board)) == 7


def test_a_dropped_file_is_opened(page: Page) -> None:
    page.evaluate(
        """text => {
            const dataTransfer = new DataTransfer();
            dataTransfer.items.add(new File([text], "game.sgf"));
            document.body.dispatchEvent(new DragEvent("drop", { dataTransfer, bubbles: true, cancelable: true }));
        }""",
        VARIED,
    )
    expect(page.locator("#tree .variation")).to_have_count(2)
    expect(page.locator('nav [aria-current="page"]')).to_have_text("Analysis")
