"""Damaged files for tests: seeded changes of bytes and texts, and what every refusal of one has to be like."""

from __future__ import annotations

import random
import tracemalloc
from collections.abc import Callable, Iterator
from time import process_time
from typing import TypeVar

from gomoku_patterns.errors import GomokuError

_Read = TypeVar("_Read")

MOST_SECONDS = 5.0
MOST_MEMORY = 100 << 20
MOST_MESSAGE = 2000


def damaged(content: bytes, seed: int, number: int) -> Iterator[bytes]:
    """Yield so many damaged copies: bytes changed, cut, repeated and moved, numbers made as large as they go."""
    chance = random.Random(seed)
    for _ in range(number):
        changed = bytearray(content)
        for _ in range(chance.choice((1, 1, 1, 2, 5, 20))):
            _damage(changed, chance)
        yield bytes(changed)


def _damage(content: bytearray, chance: random.Random) -> None:
    at = chance.randrange(len(content) + 1)
    size = chance.choice((1, 1, 2, 4, 9, 50))
    kind = chance.randrange(8)
    if kind == 0:
        del content[at:]
    elif kind == 1:
        del content[at : at + size]
    elif kind == 2:
        content[at:at] = chance.randbytes(size)
    elif kind == 3:
        content[at : at + size] = chance.choice((b"\x00", b"\xff", b"\x7f", b"\x80", b"9")) * size
    elif kind == 4:
        content[at : at + size] = content[: chance.randrange(len(content) + 1)][-size:]
    elif kind == 5 and at < len(content):
        content[at] ^= 1 << chance.randrange(8)
    elif kind == 6 and at < len(content):
        content[at] = (content[at] + chance.choice((1, -1, 4, -4))) % 256
    elif at < len(content):
        content[at] = chance.randrange(256)


def outcome(read: Callable[[], _Read], *, measured: bool = True) -> _Read | GomokuError:
    """Return what reading gives, or the project's own error with a message that can be printed.

    Any other exception, more than a hundred megabytes and more than five seconds of processor time are failures.
    """
    began = process_time()
    if measured:
        tracemalloc.start()
    try:
        found: _Read | GomokuError = read()
    except GomokuError as error:
        found = error
        check_message(str(error))
    finally:
        most = tracemalloc.get_traced_memory()[1] if measured else 0
        tracemalloc.stop()
    assert process_time() - began < MOST_SECONDS
    assert most < MOST_MEMORY
    return found


def check_message(message: str) -> None:
    """Check that a message is not empty, of a bounded length, and has no characters that a terminal acts on."""
    assert message.strip()
    assert len(message) < MOST_MESSAGE
    assert message.isprintable(), ascii(message)
