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
    ├── ProofError          a certificate that is not one
    └── ArenaError          a match, engine or server that cannot go on

Messages are lower case, say what was expected, and show the value found by its ``repr``.
"""

from __future__ import annotations


class GomokuError(ValueError):
    """Root of every error this project raises for what a user gave."""


class BoardError(GomokuError):
    """A size, cell or colour that no board has."""


class IllegalMoveError(BoardError):
    """A move that cannot be played on this board."""


class NotationError(GomokuError):
    """Text that is not what its format says.

    >>> str(NotationError("expected a row number, found 'q'", source="a.txt", line=3, column=7))
    "a.txt:3:7: expected a row number, found 'q'"
    """

    def __init__(
        self, message: str, *, source: str | None = None, line: int | None = None, column: int | None = None
    ) -> None:
        self.message = message
        self.source = source
        self.line = line
        self.column = column
        super().__init__(message)

    def __str__(self) -> str:
        place = ":".join(str(part) for part in (self.source, self.line, self.column) if part is not None)
        return f"{place}: {self.message}" if place else self.message

    def located(self, source: str) -> NotationError:
        """The same error, said of the named source."""
        return NotationError(self.message, source=source, line=self.line, column=self.column)


class TableError(GomokuError):
    """A pattern table that cannot be used."""


class SuiteError(GomokuError):
    """A puzzle suite that cannot be used."""


class LimitError(GomokuError):
    """A limit that limits nothing, or makes no sense."""


class PlayerError(GomokuError):
    """An unknown player, or a bad option of one."""


class ProofError(GomokuError):
    """A certificate that is not one."""


class ArenaError(GomokuError):
    """A match, engine or server that cannot go on."""
