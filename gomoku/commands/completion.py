"""What a shell may offer for the words of a command, told by what its help calls them: FILE, TABLE, SPEC, ..."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial

import click
from click.shell_completion import CompletionItem

_FILE = CompletionItem("", type="file")


def with_completion(command: click.Command) -> click.Command:
    """The command, its parameters ready to be completed."""
    for parameter in command.params:
        offers = _OFFERS.get((parameter.metavar or parameter.name or "").strip("[]"))
        if offers is not None:
            setattr(parameter, "shell_complete", partial(_complete, offers))  # noqa: B010  (it is a method there)
    if isinstance(command, click.Group):
        for inner in command.commands.values():
            with_completion(inner)
    return command


def _complete(offers: Callable[[], Iterable[str | CompletionItem]], _ctx: object, begun: str) -> list[CompletionItem]:
    """Files come first: where bash sees them it forgets what it was offered before."""
    items = [CompletionItem(begun, type="file") if offer is _FILE else offer for offer in offers()]
    kept = [item if isinstance(item, CompletionItem) else CompletionItem(item) for item in items]
    return [item for item in kept if item.type == "file" or item.value.startswith(begun)]


def _files() -> Iterable[str | CompletionItem]:
    return [_FILE]


def _tables() -> Iterable[str | CompletionItem]:
    from gomoku_patterns.table import built_in_names

    return [_FILE, *built_in_names()]


def _players() -> Iterable[str | CompletionItem]:
    from search.players import player_names

    return player_names()


def _suites() -> Iterable[str | CompletionItem]:
    from puzzles.suite import suite_names

    return [_FILE, *suite_names()]


def _rules() -> Iterable[str | CompletionItem]:
    from gomoku_patterns.rules import Rule

    return [rule.value for rule in Rule]


def _notations() -> Iterable[str | CompletionItem]:
    from gomoku_patterns.notation import formats

    return [*(notation.name for notation in formats()), "suite"]


_FILES = ("FILE", "A", "B", "POSITION", "PROOF", "OUT", "LOG", "FOLDER", "FILE.jsonl", "FILE.html", "FILE.toml", "CMD")
_OFFERS: dict[str, Callable[[], Iterable[str | CompletionItem]]] = {
    **dict.fromkeys(_FILES, _files),
    **dict.fromkeys(("T", "TABLE", "EVALUATOR ..."), _tables),
    **dict.fromkeys(("SPEC", "PLAYER", "PLAYER PLAYER ...", "P"), _players),
    **dict.fromkeys(("R", "RULE"), _rules),
    "SUITE": _suites,
    "NOTATION": _notations,
}
