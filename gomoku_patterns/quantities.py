"""Durations and large numbers, written for people.

>>> duration(0.0018), clock(3909), short_number(1_234_567)
('1.8 ms', '1:05:09', '1.23 M')
"""

from __future__ import annotations

import math


def amount(number: int, noun: str, plural: str | None = None) -> str:
    """A number of things, with the noun in the right form.

    >>> amount(1, "ply", "plies"), amount(0, "puzzle"), amount(2017, "puzzle")
    ('1 ply', '0 puzzles', '2,017 puzzles')
    """
    return f"{number:,} {noun if number == 1 else plural or noun + 's'}"


def plies(number: int) -> str:
    """A number of plies.

    >>> plies(1), plies(3)
    ('1 ply', '3 plies')
    """
    return amount(number, "ply", "plies")


def duration(seconds: float) -> str:
    """A time with its unit, to three figures.

    >>> duration(4.81e-5), duration(0.25), duration(90), duration(2.5e-7)
    ('48.1 µs', '250 ms', '90 s', '250 ns')
    """
    if seconds <= 0:
        return "0 s"
    for unit, size in (("s", 1.0), ("ms", 1e-3), ("µs", 1e-6)):
        if seconds >= size:
            value = seconds / size
            return f"{value:.3g} {unit}" if value < 100 else f"{value:.0f} {unit}"
    return f"{seconds * 1e9:.3g} ns"


def clock(seconds: float) -> str:
    """A time as a clock shows it, for waiting: ``1:05:09``, ``2:30``; ``?`` if it is not known.

    >>> clock(150), clock(math.inf)
    ('2:30', '?')
    """
    if not math.isfinite(seconds):
        return "?"
    minutes, second = divmod(round(seconds), 60)
    hours, minute = divmod(minutes, 60)
    return f"{hours}:{minute:02}:{second:02}" if hours else f"{minute}:{second:02}"


def short_number(value: float) -> str:
    """A number to three figures.

    >>> short_number(0.25), short_number(350), short_number(2.5e9)
    ('0.25', '350', '2.5 G')
    """
    for size, unit in ((1e9, " G"), (1e6, " M"), (1e3, " k")):
        if abs(value) >= size:
            return f"{value / size:.3g}{unit}"
    return f"{value:.3g}"
