"""A terminal as a screen: drawn anew in place, keys one by one, and clicks where the terminal reports them."""

from __future__ import annotations

import os
import re
import shutil
import sys
from collections.abc import Sequence
from types import TracebackType
from typing import Any

ENTER_SCREEN = "\x1b[?1049h\x1b[?1000h\x1b[?1006h"
LEAVE_SCREEN = "\x1b[?1006l\x1b[?1000l\x1b[?1049l"
HOME, REST_OF_LINE, REST_OF_SCREEN = "\x1b[H", "\x1b[K", "\x1b[J"

NAMED = {
    "\x1b[A": "up",
    "\x1b[B": "down",
    "\x1b[C": "right",
    "\x1b[D": "left",
    "\x1bOA": "up",
    "\x1bOB": "down",
    "\x1bOC": "right",
    "\x1bOD": "left",
    "\r": "enter",
    "\n": "enter",
    "\x7f": "backspace",
    "\x08": "backspace",
    "\x04": "end",
    "\x1b": "escape",
}
_KEY = re.compile(r"\x1b\[<(?P<mouse>\d+;\d+;\d+[Mm])|\x1b\[[\d;]*[A-Za-z~]|\x1bO[A-Z]|.", re.DOTALL)
PRESSED = 0
"""The button of a mouse report that stands for the left one going down."""


class Click(tuple[int, int]):
    """Where somebody clicked: line and column of the screen, from 0."""

    __slots__ = ()


Key = str | Click
"""A key by its name (``up``, ``enter``, ...), or the letter it types, or a click."""


def keys_of(text: str) -> list[Key]:
    """The keys and clicks that what a terminal sent stands for.

    >>> keys_of("h8\\r"), keys_of("\\x1b[A"), keys_of("\\x1b[<0;6;3M")
    (['h', '8', 'enter'], ['up'], [(2, 5)])
    """
    keys: list[Key] = []
    for found in _KEY.finditer(text):
        if found["mouse"]:
            button, column, line = (int(part) for part in found["mouse"][:-1].split(";"))
            if button == PRESSED and found["mouse"].endswith("M"):
                keys.append(Click((line - 1, column - 1)))
        elif found[0] in NAMED:
            keys.append(NAMED[found[0]])
        elif found[0].isprintable():
            keys.append(found[0])
    return keys


def is_screen(lines: int, columns: int) -> bool:
    """Whether there is a terminal at both ends, large enough to draw on."""
    try:
        both = sys.stdin.isatty() and sys.stdout.isatty()
    except (AttributeError, ValueError):
        return False
    size = shutil.get_terminal_size()
    known = os.environ.get("TERM", "dumb") != "dumb"
    return both and known and os.name == "posix" and size.lines >= lines and size.columns >= columns


class Screen:
    """The terminal while a program has it to itself; it is given back as it was, whatever happens."""

    def __enter__(self) -> Screen:
        import termios
        import tty

        self._kept: list[Any] = termios.tcgetattr(sys.stdin.fileno())
        tty.setcbreak(sys.stdin.fileno())
        self._waiting: list[Key] = []
        self._write(ENTER_SCREEN)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        import termios

        self._write(LEAVE_SCREEN)
        termios.tcsetattr(sys.stdin.fileno(), termios.TCSADRAIN, self._kept)

    def draw(self, lines: Sequence[str]) -> None:
        """Put these lines on the screen, over what was there."""
        size = shutil.get_terminal_size()
        shown = [line[: size.columns - 1] + REST_OF_LINE for line in lines[: size.lines]]
        self._write(HOME + "\r\n".join(shown) + REST_OF_SCREEN)

    def key(self) -> Key:
        """The next key or click; ``end`` when nobody types any more."""
        while not self._waiting:
            data = os.read(sys.stdin.fileno(), 1024)
            if not data:
                return "end"
            self._waiting = keys_of(data.decode(errors="ignore"))
        return self._waiting.pop(0)

    def _write(self, text: str) -> None:
        sys.stdout.write(text)
        sys.stdout.flush()
