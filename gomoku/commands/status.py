"""One line on the terminal that says how far a command has come; elsewhere nothing is said."""

from __future__ import annotations

import sys

import click


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
