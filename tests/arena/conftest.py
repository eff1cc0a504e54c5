"""What tests of commands share."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from arena.cli import main


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
