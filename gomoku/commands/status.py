"""How far a command has come: one line on a terminal that changes; elsewhere a line now and then, for a file."""

from __future__ import annotations

import sys
import time

import click

PULSE_SECONDS = 30.0
"""How often a long run says where it stands when standard error is no terminal."""


def is_watched() -> bool:
    """Whether somebody sees the line."""
    return sys.stderr.isatty()


def show_status(text: str) -> None:
    """Put this in the place of what the line said."""
    if is_watched():
        click.echo(f"\r\033[K{text}", nl=False, err=True)


def clear_status() -> None:
    """Leave the line empty for what is printed next."""
    show_status("")


class Pulse:
    """Lines on standard error, one each :data:`PULSE_SECONDS`, that say where a long run stands."""

    def __init__(self, what: str) -> None:
        self.what = what
        self._next = time.monotonic() + PULSE_SECONDS

    def is_due(self) -> bool:
        """Whether it is time for a line."""
        return time.monotonic() >= self._next

    def say(self, text: str) -> None:
        """Write a line, and wait until the next is due."""
        self._next = time.monotonic() + PULSE_SECONDS
        click.echo(f"{self.what}: {text}", err=True)
