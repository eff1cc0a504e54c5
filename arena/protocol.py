"""The Gomocup protocol as text: how its lines are read."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from typing import IO

LONGEST_LINE = 4096


def lines_of(stream: IO[bytes]) -> Iterator[bytes]:
    """Lines ended by CR LF, LF or CR, as soon as they come; empty ones are left out, too long ones cut."""
    rest = b""
    while data := os.read(stream.fileno(), 65536):
        *whole, rest = re.split(rb"[\r\n]", rest + data)
        yield from (line[:LONGEST_LINE] for line in whole if line)
        rest = rest[:LONGEST_LINE]
    if rest:
        yield rest
