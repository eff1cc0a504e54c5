"""The program as tests run it: commands in this process, web servers beside it."""

from __future__ import annotations

import itertools
import json
import os
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from gomoku.cli import main


@dataclass(frozen=True)
class Done:
    """What a command printed and how it ended."""

    status: int
    out: str
    err: str

    @property
    def value(self) -> Any:
        """The JSON it printed."""
        return json.loads(self.out)


@pytest.fixture
def gomoku(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Callable[..., Done]:
    """Runs ``gomoku ARGS...`` in an empty folder; keywords are files to write there first: ``a_txt=...`` is a.txt."""
    monkeypatch.chdir(tmp_path)

    def run(*args: str, **files: str) -> Done:
        for name, text in files.items():
            Path(name.replace("_", ".")).write_text(text, encoding="utf-8")
        with pytest.raises(SystemExit) as ended:
            main(list(args))
        printed = capsys.readouterr()
        return Done(int(ended.value.code or 0), printed.out, printed.err)

    return run


def free_ports() -> Iterator[int]:
    """Ports on which nobody listens, in an order of this process; the system gives them only to those who name them."""
    for number in itertools.count(97 * os.getpid()):
        port = 10_000 + number % 20_000
        with socket.socket() as probe:
            try:
                probe.bind(("127.0.0.1", port))
            except OSError:
                continue
        yield port


_ports = free_ports()


class Server:
    """A ``gomoku serve`` of our own that can be killed and started again on its port."""

    def __init__(self, *options: str) -> None:
        self.port = next(_ports)
        self.options = options
        self.url = f"http://127.0.0.1:{self.port}/"
        self.start()

    def start(self) -> None:
        command = [sys.executable, "-m", "gomoku", "serve", "--port", str(self.port), *self.options]
        self.process = subprocess.Popen(command, stderr=subprocess.DEVNULL)
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline and self.process.poll() is None:
            try:
                urllib.request.urlopen(self.url + "api/health", timeout=1).read()
                return
            except OSError:
                time.sleep(0.1)
        raise TimeoutError(f"the server did not start; its status is {self.process.poll()}")

    def stop(self) -> None:
        self.process.terminate()
        self.process.wait(timeout=20)


@pytest.fixture(scope="module")
def serve() -> Iterator[Callable[..., Server]]:
    """Starts web servers with these options; they end with the tests of the file."""
    started: list[Server] = []

    def start(*options: str) -> Server:
        started.append(Server(*options))
        return started[-1]

    yield start
    for server in started:
        server.stop()
