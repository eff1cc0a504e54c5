"""Tables: what the TOML may say, what it means, and which line a mistake is on."""

from __future__ import annotations

import re
import tracemalloc
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gomoku_patterns.errors import LONGEST_MESSAGE, TableError
from gomoku_patterns.table import Combination, Pattern, Table, load_table, parse_table, table_names
from gomoku_patterns.testing import tables

HEAD = 'name = "mine"\n'
FOUR = '[[pattern]]\nshape = "live_four"\ntext = ".oooo."\nscore = 4320\n'
PAIR = FOUR + "[[combination]]\nscore = 1\nneeds = "
POINT = 'name = "mine"\nscan = "point"\nreach = 4\n'


def texts(table: Table, shape: str) -> list[str]:
    return [pattern.text for pattern in table.patterns if pattern.shape == shape]


class TestMeaning:
    def test_a_pattern_has_a_shape_a_text_and_a_worth(self) -> None:
        assert parse_table(HEAD + FOUR).patterns == (Pattern("live_four", ".oooo.", (4320, 4320)),)

    def test_worth_may_depend_on_the_turn(self) -> None:
        table = parse_table(HEAD + FOUR.replace("4320", "[600, 800]"))
        assert table.patterns[0].score == (600, 800)
        assert table.uses_turn

    def test_several_texts_share_a_shape(self) -> None:
        table = parse_table(HEAD + '[[pattern]]\nshape = "four"\ntexts = ["oooo.", ".oooo"]\nscore = 1\n')
        assert texts(table, "four") == ["oooo.", ".oooo"]

    def test_a_window_stands_for_all_places_of_its_stones(self) -> None:
        table = parse_table(HEAD + "[[window]]\nlength = 3\nown = 2\nscore = [6000, 8000]\n")
        assert [(pattern.text, pattern.score) for pattern in table.patterns] == [
            ("oo.", (6000, 8000)),
            ("o.o", (6000, 8000)),
            (".oo", (6000, 8000)),
        ]

    def test_where_mirror_images_count_a_window_writes_one_of_two(self) -> None:
        table = parse_table(HEAD + "mirror = true\n[[window]]\nlength = 3\nown = 2\nscore = 1\n")
        assert [pattern.text for pattern in table.patterns] == ["oo.", "o.o"]

    def test_anything_but_own_is_opposing_empty_or_at_the_ends_the_edge(self) -> None:
        table = Table("t", (Pattern("two", "~oo", (1, 1)), Pattern("gap", "o~o", (1, 1))))
        assert table.texts == (("xoo", ".oo", "|oo"), ("oxo", "o.o"))

    def test_a_mirror_image_is_written_once(self) -> None:
        table = Table("t", (Pattern("two", "xoo.", (1, 1)), Pattern("three", ".ooo.", (1, 1))), mirror=True)
        assert table.texts == (("xoo.", ".oox"), (".ooo.",))

    def test_in_a_point_table_any_own_stone_may_be_the_one_being_played(self) -> None:
        table = Table("t", (Pattern("two", ".oo", (1, 1)), Pattern("tied", "xO", (1, 1))), scan="point", reach=4)
        assert table.texts == ((".oo", ".Oo", ".oO"), ("xO",))

    def test_shapes_have_chinese_names(self) -> None:
        table = parse_table(HEAD + FOUR + '[[pattern]]\nshape = "odd_one"\ntext = "oxo"\nscore = 1\n')
        assert table.shape_name("live_four") == ("live four", "活四")
        assert table.shape_name("odd_one") == ("odd one", "odd one")
        assert parse_table(f'{HEAD}shapes = {{ live_four = "大四" }}\n{FOUR}').shape_name("live_four").zh == "大四"

    def test_scores_decide_the_digest_and_remarks_do_not(self) -> None:
        table = parse_table(HEAD + FOUR)
        assert table.digest == parse_table(HEAD + 'title = "A title"\n' + FOUR).digest
        assert table.digest == parse_table(HEAD.replace("mine", "yours") + FOUR).digest
        assert table.digest != parse_table(HEAD + FOUR.replace("4320", "4321")).digest
        assert table.digest != parse_table(HEAD + "mirror = true\n" + FOUR).digest


class TestBuiltIn:
    def test_the_five_systems_have_theirs(self) -> None:
        assert {"grade_dict", "level", "money", "outcome", "wins"} <= set(table_names())

    def test_grade_dict(self) -> None:
        table = load_table("grade_dict")
        worth = {pattern.text: pattern.score[0] for pattern in table.patterns}
        assert worth == {
            "ooooo": 50000, ".oooo.": 4320,
            ".ooo..": 720, "..ooo.": 720, ".oo.o.": 720, ".o.oo.": 720,
            "oooo.": 720, ".oooo": 720, "oo.oo": 720, "o.ooo": 720, "ooo.o": 720,
            "..oo..": 120, "..o.o.": 120, ".o.o..": 120, "...o..": 20, "..o...": 20,
        }  # fmt: skip
        assert (table.scan, table.count, table.mirror, table.decided) == ("line", "once", False, 35000)

    def test_level(self) -> None:
        table = load_table("level")
        worth = {pattern.shape: pattern.score[0] for pattern in table.patterns}
        assert list(worth.items()) == [
            ("con_five", 100000), ("live_four", 10000), ("rush_four", 500), ("dead_four", -5), ("live_three", 200),
            ("sleep_three", 50), ("dead_three", -5), ("live_two", 5), ("sleep_two", 3), ("dead_two", -5),
        ]  # fmt: skip
        assert texts(table, "sleep_three") == ["..ooox", ".o.oox", ".oo.ox", "o..oo", "o.o.o", "x.ooo.x"]
        assert texts(table, "sleep_two") == ["...oox", "..o.ox", ".o..ox", "o...o", "x.o.o.x", "x.oo..x"]
        assert [combination.score[0] for combination in table.combinations] == [10000, 10000, 5000, 1000, 100, 10]
        assert (table.reach, table.ring, table.opposing, table.board) == (5, True, "none", "best")
        assert table.shape_name("con_five").zh == "长连"

    def test_wins_counts_thirty_windows(self) -> None:
        table = load_table("wins")
        worth = {pattern.text.count("o"): pattern.score for pattern in table.patterns}
        assert worth == {1: (100, 120), 2: (2330, 2800), 3: (6000, 8000), 4: (30000, 1000000)}
        assert len(table.patterns) == 5 + 10 + 10 + 5
        assert (table.count, table.decided) == ("every", None)

    def test_money(self) -> None:
        table = load_table("money")
        worth = {pattern.shape: pattern.score for pattern in table.patterns}
        assert worth == {
            "five": (99999, 50000), "live_four": (10000, 6500), "rush_four": (800, 600), "live_three": (1000, 750),
            "rush_three": (200, 150), "live_two": (100, 30), "rush_two": (50, 10),
        }  # fmt: skip
        assert [combination.score for combination in table.combinations] == [
            (10000, 6500), (7000, 6000), (5000, 4000), (500, 300), (125, 110), (70, 30),
        ]  # fmt: skip
        assert (table.reach, table.occupied, table.board, table.opposing) == (4, -1, "sum", "subtract")

    def test_outcome(self) -> None:
        table = load_table("outcome")
        assert table.patterns == (Pattern("five", "ooooo", (1, 1)),)
        assert table.decided == 0


@given(tables())
def test_what_is_written_is_read_again(table: Table) -> None:
    again = parse_table(table.to_toml())
    assert again == table
    assert again.digest == table.digest


@pytest.mark.parametrize("name", table_names())
def test_built_in_tables_survive_writing(name: str) -> None:
    table = load_table(name)
    again = parse_table(table.to_toml())
    assert (again, again.title, again.source, again.notes) == (table, table.title, table.source, table.notes)


BAD = [
    ("", "the key 'name' is missing"),
    ("name = ", "mine.toml:1: not valid TOML: invalid value"),
    ("name = 3\n" + FOUR, "name: expected text, found 3"),
    ('name = "a,b"\n' + FOUR, "expected a name of letters, digits, '_', '-' and '.', found 'a,b'"),
    (HEAD, "the table is empty: write at least one [[pattern]]"),
    (HEAD + "colour = 1\n" + FOUR, "unknown key 'colour'; the keys are name, title"),
    (HEAD + 'scan = "dots"\n' + FOUR, "scan: expected 'line' or 'point' or 'cell' or 'code', found 'dots'"),
    (HEAD + 'count = "twice"\n' + FOUR, "count: expected 'once' or 'every', found 'twice'"),
    (HEAD + "reach = 4\n" + FOUR, "reach belongs to point tables; remove it or set scan = \"point\""),
    (POINT + 'count = "once"\n' + FOUR, "count belongs to line tables"),
    (POINT.replace("4", "9") + FOUR, "expected reach from 1 to 6, found 9"),
    (HEAD + "mirror = 1\n" + FOUR, "mirror: expected true or false, found 1"),
    (HEAD + "decided = true\n" + FOUR, "decided: expected a whole number, found True"),
    (HEAD + "decided = -1\n" + FOUR, "expected decided of at least 0, found -1"),
    (HEAD + "pattern = 3\n", "pattern: expected a list, found 3"),
    (HEAD + "pattern = [3]\n", "[[pattern]] number 1: expected a table, found 3"),
    (HEAD + "[[pattern]]\nshape = 'a'\nscore = 1\n", "mine.toml:2: [[pattern]] number 1: expected either text"),
    (HEAD + FOUR + "texts = ['o']\n", "expected either text = \"...\" or texts"),
    (HEAD + FOUR + "worth = 3\n", "unknown key 'worth'; the keys are shape, text, texts, score, decisive"),
    (HEAD + FOUR.replace("4320", "4.5"), "score: expected a whole number or a list of two, found 4.5"),
    (HEAD + FOUR.replace("4320", "[1, 2, 3]"), "score: expected a whole number or a list of two, found [1, 2, 3]"),
    (HEAD + FOUR.replace("4320", "true"), "score: expected a whole number or a list of two, found True"),
    (HEAD + FOUR.replace("4320", "9999999999"), "expected a score from -100000000 to 100000000, found 9999999999"),
    (HEAD + FOUR.replace("4320", "99999999"), "divide all scores by the same number"),
    (HEAD + FOUR.replace(".oooo.", ".oQo."), "mine.toml:4: pattern '.oQo.' (live_four): expected the symbols o x . |"),
    (HEAD + FOUR.replace(".oooo.", ".ooOo."), "expected the symbols o x . | ~, found 'O'"),
    (HEAD + FOUR.replace(".oooo.", "...x.."), "a text needs at least one own stone 'o'"),
    (HEAD + FOUR.replace(".oooo.", ""), "expected a text of 1 to 22 symbols, found 0; shorten it"),
    (HEAD + FOUR.replace(".oooo.", "o" * 23), "expected a text of 1 to 22 symbols, found 23; shorten it"),
    (HEAD + FOUR.replace(".oooo.", "o|o"), "expected the edge '|' as first or last symbol only"),
    (HEAD + FOUR.replace(".oooo.", "~" * 20 + "o"), "expected at most 4096 texts"),
    (HEAD + FOUR.replace("live_four", "live four"), "expected a shape of letters, digits, '_' and '-'"),
    (HEAD + FOUR + FOUR, "mine.toml:8: pattern '.oooo.' (live_four): written twice, first as live_four; remove one"),
    (HEAD + "decisive = true\n" + FOUR, "unknown key 'decisive'"),
    (HEAD + FOUR + "decisive = true\n", "decisive belongs to point tables"),
    (HEAD + PAIR + "{ live_four = 2 }", "combination belongs to point tables"),
    (POINT + FOUR.replace(".oooo.", "o" * 10), "a text of 1 to 9 symbols, found 10; shorten it or raise reach"),
    (POINT + FOUR.replace(".oooo.", "OO"), "expected at most one 'O', the stone being played, found 2"),
    (POINT + "occupied = 999999999\n" + FOUR, "expected occupied from"),
    (POINT + PAIR + "{ dead = 2 }", "expected a shape of this table, one of live_four"),
    (POINT + PAIR + "{ live_four = 5 }", "expected 1 to 4 lines of live_four, found 5"),
    (POINT + PAIR + "{}", "expected needs of 1 to 4 lines in all"),
    (POINT + PAIR + "{ live_four = 'x' }", "needs.live_four: expected a whole number"),
    (HEAD + "[[window]]\nlength = 30\nown = 1\nscore = 1\n", "length: expected 1 to 22, found 30"),
    (HEAD + "[[window]]\nlength = 5\nown = 6\nscore = 1\n", "own: expected 1 to 5, the length, found 6"),
    (HEAD + "[[window]]\nlength = 22\nown = 11\nscore = 1\n", "expected at most 4096 texts, found 705432; shorten"),
    (HEAD + FOUR.replace("4320", "1" * 5000), "not valid TOML: a number has too many digits"),
    (HEAD + FOUR.replace("4320", "0x" + "f" * 5000), "number or a list of two, found a value too large to show"),
    (HEAD + "decided = 0x" + "f" * 5000, "decided: expected a whole number, found a value too large to show"),
    (HEAD + "a = " + "[" * 5000, "not valid TOML: nested too deep"),
    (HEAD + "shapes = { a = 3 }\n" + FOUR, "shapes.a: expected text, found 3"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "message"), BAD)
def test_a_mistake_is_named_with_its_file_and_its_remedy(text: str, message: str) -> None:
    with pytest.raises(TableError) as caught:
        parse_table(text, "mine.toml")
    assert str(caught.value).startswith("mine.toml")
    assert message in str(caught.value)


def test_a_mirror_image_is_a_duplicate_where_mirrors_count() -> None:
    patterns = (Pattern("a", "xoo.", (1, 1)), Pattern("b", ".oox", (1, 1)))
    assert Table("t", patterns)
    with pytest.raises(TableError, match=re.escape("written twice, the mirror image of 'xoo.', first as a")):
        Table("t", patterns, mirror=True)


def test_combinations_count_lines_only_in_point_tables() -> None:
    with pytest.raises(TableError, match="combinations belong to point tables"):
        Table("t", (Pattern("a", "oo", (1, 1)),), (Combination((("a", 2),), (1, 1)),))


class TestLoading:
    def test_by_name_by_path_and_as_it_is(self, tmp_path: Path) -> None:
        path = tmp_path / "mine.toml"
        path.write_text(HEAD + FOUR, encoding="utf-8")
        assert load_table(path) == load_table(str(path)) == parse_table(HEAD + FOUR)
        assert load_table(load_table("wins")) is load_table("wins")

    def test_an_unknown_name_says_what_is_known(self) -> None:
        with pytest.raises(TableError, match=r"unknown table 'gr'; the tables are .*, grade_dict, level, money, "):
            load_table("gr")
        with pytest.raises(TableError, match=r"unknown table 'gradedict'; did you mean 'grade_dict'\?"):
            load_table("gradedict")

    def test_a_missing_file(self, tmp_path: Path) -> None:
        with pytest.raises(TableError, match="cannot be read: no such file or directory"):
            load_table(str(tmp_path / "none.toml"))

    def test_bytes_that_are_no_text(self, tmp_path: Path) -> None:
        path = tmp_path / "mine.toml"
        path.write_bytes(b"name = \xff")
        with pytest.raises(TableError, match="expected UTF-8 text, found byte 0xff"):
            load_table(path)

    def test_a_nul_in_a_path(self) -> None:
        with pytest.raises(TableError):
            load_table("a\0b.toml")


@given(st.text(max_size=200) | st.text("[]=\"{}.,\n oxname123pattern'#", max_size=200))
def test_no_text_breaks_the_reader(text: str) -> None:
    with pytest.raises(TableError):
        parse_table(text)


_VALUES = st.recursive(
    st.integers() | st.booleans() | st.text("ox.|~O", max_size=8) | st.floats(allow_nan=False),
    lambda inner: st.lists(inner, max_size=3),
    max_leaves=4,
)


@given(st.dictionaries(st.sampled_from(["shape", "text", "texts", "score", "decisive"]), _VALUES), st.booleans())
def test_no_entry_breaks_the_reader(entry: dict[str, object], point: bool) -> None:
    from gomoku_patterns.table import _table  # the reader behind the TOML syntax

    data = {"name": "mine", "scan": "point" if point else "line", "pattern": [entry]}
    try:
        table = _table(data, None)
    except TableError:
        return
    assert parse_table(table.to_toml()) == table


def test_windows_are_not_written_out_beyond_what_a_table_may_have() -> None:
    windows = "[[window]]\nlength = 15\nown = 5\nscore = 1\n" * 5_000
    tracemalloc.start()
    try:
        with pytest.raises(TableError, match="expected at most 4096 patterns, found more"):
            parse_table('name = "t"\n' + windows)
        assert tracemalloc.get_traced_memory()[1] < 40 * 2**20
    finally:
        tracemalloc.stop()


def test_a_message_names_no_more_shapes_than_fit_it() -> None:
    patterns = "".join(
        f'[[pattern]]\nshape = "s{number}"\ntext = "{number:011b}o"\nscore = 1\n' for number in range(2000)
    )
    text = 'name = "t"\nscan = "point"\nreach = 6\nmirror = false\n' + patterns.replace("0", "x").replace("1", "o")
    with pytest.raises(TableError) as caught:
        parse_table(text + "[[combination]]\nneeds = { none = 2 }\nscore = 1\n")
    assert len(str(caught.value)) <= LONGEST_MESSAGE
