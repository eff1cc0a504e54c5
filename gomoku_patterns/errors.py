"""The one error tree of the project.

::

    GomokuError (ValueError)
    ├── BoardError          a size, cell or colour that no board has
    │   └── IllegalMoveError    a move that cannot be played here
    ├── NotationError       text that is not what its format says; knows source, line and column
    ├── TableError          a pattern table that cannot be used
    ├── SuiteError          a puzzle suite that cannot be used
    ├── LimitError          a limit that limits nothing, or makes no sense
    ├── PlayerError         an unknown player or a bad option of one
    ├── ProofError          a proof that is not one
    └── ArenaError          a match, engine or server that cannot go on
        └── EngineError         an external engine that did wrong; knows the reason

Every error has a ``code``, which stays the same when its message is worded better: that of its class, or a finer one of
:data:`CODES`. Translations go by it.

A message is lower case and says what is wrong and what to do about it; :func:`shown`,
:func:`did_you_mean` and :func:`unknown` help to write it. The text of an error is one printable line of at most
:data:`LONGEST_MESSAGE` characters, whatever input it quotes.
"""

from __future__ import annotations

from collections.abc import Iterable

CODES = frozenset(
    {
        "another-game",
        "bad-cell",
        "bad-json",
        "bad-size",
        "cell-taken",
        "game-over",
        "no-position",
        "several-positions",
        "too-long",
        "unknown-format",
        "unknown-rule",
    }
)
"""The codes of what can be wrong with a text or a request, finer than those of the classes."""
LONGEST_SHOWN = 60
"""How many characters of a value a message shows."""
LONGEST_MESSAGE = 1000
"""The longest text of an error; of a longer one the middle is left out."""


def printable(text: str, most: int = LONGEST_MESSAGE) -> str:
    """Return the text on one line for a terminal: control characters escaped, the middle left out if it is long.

    >>> print(printable("no file a\\x1b[2J.pos"), printable("h8" * 1000, most=11))
    no file a\\x1b[2J.pos h8h ... 8h8
    """
    if len(text) > most:
        half = (most - 5) // 2
        text = f"{text[:half]} ... {text[-half:]}"
    if text.isprintable():
        return text
    escaped = "".join(symbol if symbol.isprintable() else repr(symbol)[1:-1] for symbol in text)
    return escaped if len(escaped) <= most else printable(escaped, most)


def shown(value: object) -> str:
    """A value as messages show it: its repr, cut when it is long.

    >>> shown("h8"), len(shown("h8" * 1000))
    ("'h8'", 60)
    """
    try:
        text = repr(value[: LONGEST_SHOWN + 1]) if isinstance(value, (str, bytes)) else repr(value)
    except (ValueError, RecursionError):
        return "a value too large to show"
    return text if len(text) <= LONGEST_SHOWN else text[: LONGEST_SHOWN - 3] + "..."


def did_you_mean(word: object, known: Iterable[str]) -> str:
    """The end of a message about an unknown word: a guess at what was meant, or nothing if no known word is like it.

    >>> did_you_mean("grade-dict", ["grade_dict", "level"]), did_you_mean("xyz", ["grade_dict", "level"])
    ("; did you mean 'grade_dict'?", '')
    """
    if not isinstance(word, str) or len(word) > LONGEST_SHOWN:
        return ""
    from difflib import get_close_matches

    near = get_close_matches(word.lower(), known, n=1)
    return f"; did you mean {near[0]!r}?" if near else ""


def unknown(kind: str, word: object, known: Iterable[str]) -> str:
    """The message about a name that nothing of a kind has: a guess, or all that there are.

    >>> unknown("table", "levle", ["grade_dict", "level"])
    "unknown table 'levle'; did you mean 'level'?"
    >>> unknown("table", "xyz", ["grade_dict", "level"])
    "unknown table 'xyz'; the tables are grade_dict, level"
    """
    names = list(known)
    return f"unknown {kind} {shown(word)}" + (did_you_mean(word, names) or f"; the {kind}s are {', '.join(names)}")


class GomokuError(ValueError):
    """Root of every error this project raises for what a user gave.

    >>> GomokuError("no").code, BoardError("no").code, BoardError("no such size", code="bad-size").code
    ('refused', 'board', 'bad-size')
    """

    code: str = "refused"

    def __init__(self, *args: object, code: str | None = None) -> None:
        super().__init__(*args)
        if code is not None:
            self.code = code

    def __str__(self) -> str:
        return printable(super().__str__())


class BoardError(GomokuError):
    """A size, cell or colour that no board has."""

    code = "board"


class IllegalMoveError(BoardError):
    """A move that cannot be played on this board."""

    code = "illegal-move"


class NotationError(GomokuError):
    """Text that is not what its format says.

    >>> str(NotationError("expected a row number, found 'q'", source="a.txt", line=3, column=7))
    "a.txt:3:7: expected a row number, found 'q'"
    """

    code = "notation"

    def __init__(
        self,
        message: str,
        *,
        source: str | None = None,
        line: int | None = None,
        column: int | None = None,
        code: str | None = None,
    ) -> None:
        self.message = printable(message)
        self.source = source
        self.line = line
        self.column = column
        super().__init__(message, code=code)

    def __str__(self) -> str:
        place = ":".join(str(part) for part in (self.source, self.line, self.column) if part is not None)
        return printable(f"{place}: {self.message}") if place else self.message

    def located(self, source: str) -> NotationError:
        """The same error, said of the named source."""
        return NotationError(self.message, source=source, line=self.line, column=self.column, code=self.code)


class TableError(GomokuError):
    """A pattern table that cannot be used."""

    code = "table"


class SuiteError(GomokuError):
    """A puzzle suite that cannot be used."""

    code = "suite"


class LimitError(GomokuError):
    """A limit that limits nothing, or makes no sense."""

    code = "limit"


class PlayerError(GomokuError):
    """An unknown player, or a bad option of one."""

    code = "player"


class ProofError(GomokuError):
    """A proof that is not one."""

    code = "proof"


class ArenaError(GomokuError):
    """A match, engine or server that cannot go on."""

    code = "arena"


class EngineError(ArenaError):
    """An external engine that did wrong: ``reason`` is one word, ``detail`` a sentence."""

    code = "engine"

    def __init__(self, reason: str, detail: str) -> None:
        super().__init__(f"{reason}: {detail}")
        self.reason = reason
        self.detail = detail

    def __reduce__(self) -> tuple[type[EngineError], tuple[str, str]]:
        return type(self), (self.reason, self.detail)
