"""Answers about what there is: pattern tables, players, notations, puzzles."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from gomoku.answers.cells import names

if TYPE_CHECKING:
    from pathlib import Path

    from gomoku.answers.types import (
        FormatInfo,
        FormatsAnswer,
        LevelInfo,
        PatternInfo,
        PlayerDescription,
        PlayersAnswer,
        PracticeAnswer,
        SuiteAnswer,
        SuitesAnswer,
        TableAnswer,
        TableHead,
        TableInfo,
        TablesAnswer,
    )
    from gomoku_patterns.table import Pattern, Table
    from puzzles import Level
    from puzzles.practice import Practice
    from search.players import PlayerInfo

TABLE_OPTIONS = {
    "line": ("count", "mirror", "decided"),
    "point": ("mirror", "reach", "ring", "opposing", "board", "occupied", "decided"),
    "cell": ("mirror", "reach", "weights_file", "decided"),
    "code": ("weights_file", "scale", "decided"),
}
"""What decides, beside the patterns, how a table scores."""


def tables() -> TablesAnswer:
    """The built-in pattern tables."""
    from gomoku_patterns.table import built_in_names, load_table

    return {"tables": [_summary(load_table(name)) for name in built_in_names()]}


def _head(table: Table) -> TableHead:
    return {"name": table.name, "title": table.title, "source": table.source, "scan": table.scan}


def _summary(table: Table) -> TableInfo:
    return {**_head(table), "patterns": len(table.patterns), "combinations": len(table.combinations)}


def table(wanted: str | Path | Table) -> TableAnswer:
    """One pattern table, built in or a file, with its patterns."""
    from gomoku_patterns.table import load_table

    found = load_table(wanted)
    options = {key: getattr(found, key) for key in ("notes", *TABLE_OPTIONS[found.scan])}
    combined = [{"needs": dict(each.needs), "score": [*each.score]} for each in found.combinations]
    patterns = [_pattern(found, pattern) for pattern in found.patterns]
    parts = {"patterns": patterns, "combinations": combined, "digest": found.digest}
    if found.scan == "cell":
        facts = [{"name": one.name, "needs": [dict(needs) for needs in one.needs], "score": [*one.score]}
                 for one in found.facts]  # fmt: skip
        parts |= {"facts": facts}
    return cast("TableAnswer", {**_head(found), **options, **parts})


def _pattern(table: Table, pattern: Pattern) -> PatternInfo:
    name = table.shape_name(pattern.shape)
    return {
        "shape": pattern.shape,
        "name": {"en": name.en, "zh": name.zh},
        "text": pattern.text,
        "score": [*pattern.score],
        "decisive": pattern.decisive,
    }


def players() -> PlayersAnswer:
    """The players and their options."""
    from search.players import describe_players

    return {"players": [_player(info) for info in describe_players()]}


def _player(info: PlayerInfo) -> PlayerDescription:
    return {
        "name": info.name,
        "summary": info.summary,
        "options": [
            {
                "name": option.name,
                "expected": option.expected,
                "default": option.spell(option.default),
                "help": option.help,
            }
            for option in info.options
        ],
    }


def formats(*, suites: bool = False) -> FormatsAnswer:
    """The notations of positions; with ``suites`` also puzzle suites, logs and tables of moves, which are files."""
    from gomoku_patterns.notation.formats import describe

    return {"formats": [*cast("list[FormatInfo]", describe()), *(_FILES if suites else [])]}


_FILES: list[FormatInfo] = [
    {
        "name": "suite",
        "title": "puzzle suite",
        "suffixes": [".toml"],
        "origin": "bottom",
        "reads": True,
        "writes": True,
        "collections": True,
    },
    {
        "name": "log",
        "title": "log of a match or a ladder",
        "suffixes": [".jsonl"],
        "origin": "bottom",
        "reads": True,
        "writes": False,
        "collections": True,
    },
    {
        "name": "csv",
        "title": "table with a row for each move of games",
        "suffixes": [".csv"],
        "origin": "top",
        "reads": False,
        "writes": True,
        "collections": True,
    },
]


def suite(name: str = "huanle") -> SuiteAnswer:
    """The levels of a puzzle suite."""
    import puzzles

    found = puzzles.load(name)
    return {"suite": found.name, "levels": [_level(level) for level in found]}


def _level(level: Level) -> LevelInfo:
    from gomoku_patterns.notation import json_position
    from puzzles.practice import puzzle_rating

    board, rating = level.board, puzzle_rating(level)
    return {
        "number": level.number,
        "title": level.title,
        "position": json_position(board),
        "length": level.length,
        "wins": names(level.wins, board),
        "line": names(level.line, board),
        "band": level.band,
        "tags": [*level.tags],
        "rating": rating.value,
        "deviation": rating.deviation,
    }


def practice(record: Practice, now: int) -> PracticeAnswer:
    """A record of practice, and what is to be repeated."""
    return cast("PracticeAnswer", {**record.to_json(), "due": record.due(now)})


def suites() -> SuitesAnswer:
    """The built-in puzzle suites, and the tags of their levels."""
    import puzzles
    from puzzles.tags import TAGS

    found = [puzzles.load(name) for name in puzzles.suite_names()]
    return {
        "suites": [{"suite": one.name, "title": one.title, "count": len(one)} for one in found],
        "tags": [
            {"name": tag.name, "names": {"en": tag.english, "zh": tag.chinese}, "meaning": tag.meaning}
            for tag in TAGS.values()
        ],
    }
