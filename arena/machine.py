"""Where figures were measured: what a reader needs to judge them, and to measure them again.

>>> sorted(machine())[:4]
['commit', 'compiler', 'cores', 'date']
"""

from __future__ import annotations

import os
import platform
import subprocess
from datetime import date
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

Json = dict[str, Any]

_PATIENCE = 5.0


def machine() -> Json:
    """The program, what it was built with, and the computer."""
    from gomoku_patterns._geometry import COMPILER

    return {
        "gomoku_patterns": _release("gomoku-patterns"),
        "commit": commit(),
        "compiler": COMPILER,
        "python": platform.python_version(),
        "numpy": _release("numpy"),
        "pyahocorasick": _release("pyahocorasick"),
        "system": f"{platform.system()} {platform.release()} {platform.machine()}",
        "processor": _processor(),
        "cores": _cores(),
        "date": date.today().isoformat(),
    }


def _release(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return "unknown"


def commit() -> str | None:
    """The commit of the source tree the program runs from, with ``+`` where files were changed; None if installed."""
    folder = Path(__file__).resolve().parents[1]
    if not (folder / ".git").exists():
        return None
    found = _git(folder, "rev-parse", "HEAD")
    if not found:
        return None
    return found[:12] + ("+" if _git(folder, "status", "--porcelain", "--untracked-files=no") else "")


def _git(folder: Path, *words: str) -> str:
    try:
        done = subprocess.run(
            ["git", "-C", str(folder), *words], capture_output=True, text=True, timeout=_PATIENCE, check=False
        )
    except (OSError, subprocess.SubprocessError):
        return ""
    return done.stdout.strip() if done.returncode == 0 else ""


def _cores() -> int:
    """How many cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _processor() -> str:
    try:
        with Path("/proc/cpuinfo").open(encoding="utf-8") as lines:
            names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    except OSError:
        names = []
    return names[0] if names else platform.processor() or "unknown"
