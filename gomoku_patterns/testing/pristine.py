"""Answers of an evaluator that has seen nothing yet: a copy of this process from before it was asked anything.

A copied process waits. Each question is answered by a copy of that copy, which ends with its answer: caches of the
object, its class, its module and its native code are all as they were. This needs ``os.fork``, as on Linux and macOS.
"""

from __future__ import annotations

import os
import pickle
import random
import select
import signal
import struct
import sys
import warnings
from collections.abc import Callable
from contextlib import suppress
from time import monotonic
from typing import Any

_LENGTH = struct.Struct("<q")


class PristineError(Exception):
    """There was no answer: the copy ended, took too long, or cannot say what it found."""


class Pristine:
    """A copy of this process that answers questions with ``answer``, each of them as if it were the first."""

    def __init__(self, answer: Callable[[Any], Any]) -> None:
        questions, self._questions = os.pipe()
        self._answers, answers = os.pipe()
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DeprecationWarning)  # of threads: the copy does not use theirs
            self._pid = os.fork()
        if not self._pid:
            try:
                os.setpgid(0, 0)
                os.close(self._questions)
                os.close(self._answers)
                _serve(questions, answers, answer)
            finally:
                os._exit(0)
        with suppress(OSError):
            os.setpgid(self._pid, self._pid)
        os.close(questions)
        os.close(answers)

    def ask(self, question: Any, seconds: float) -> Any:
        """Return the answer to a question, which takes at most ``seconds``."""
        try:
            _write(self._questions, pickle.dumps(question))
            packed = _read(self._answers, monotonic() + seconds)
        except (OSError, EOFError) as error:
            self.close()
            raise PristineError("no answer") from error
        if not packed:
            raise PristineError("it ended without an answer")
        return pickle.loads(packed)

    def close(self) -> None:
        """End the copy."""
        if self._pid:
            os.close(self._questions)
            os.close(self._answers)
            with suppress(OSError):
                os.killpg(self._pid, signal.SIGKILL)
            with suppress(OSError):
                os.waitpid(self._pid, 0)
            self._pid = 0


def can_copy() -> bool:
    """Whether this system can copy a process."""
    return hasattr(os, "fork")


def _serve(questions: int, answers: int, answer: Callable[[Any], Any]) -> None:
    while True:
        try:
            question = _read(questions, None)
        except (OSError, EOFError):
            return
        child = os.fork()
        if not child:
            try:
                random.seed()
                if "numpy" in sys.modules:
                    sys.modules["numpy"].random.seed()
                _write(answers, pickle.dumps(answer(pickle.loads(question))))
            except BaseException:
                os._exit(1)
            os._exit(0)
        if os.waitpid(child, 0)[1]:
            _write(answers, b"")


def _write(file: int, data: bytes) -> None:
    data = _LENGTH.pack(len(data)) + data
    while data:
        data = data[os.write(file, data) :]


def _read(file: int, until: float | None) -> bytes:
    return _exactly(file, _LENGTH.unpack(_exactly(file, _LENGTH.size, until))[0], until)


def _exactly(file: int, size: int, until: float | None) -> bytes:
    data = b""
    while len(data) < size:
        if until is not None and not select.select([file], [], [], max(0.0, until - monotonic()))[0]:
            raise EOFError("it takes too long")
        more = os.read(file, size - len(data))
        if not more:
            raise EOFError("it has ended")
        data += more
    return data
