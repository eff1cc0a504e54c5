"""Where a browser for the tests is: prints its path, or exits with 1. It needs nothing but Python.

    python3 tests/gomoku/browsers.py

Any Chromium will do; GOMOKU_BROWSER names one that is found under none of its usual names.
"""

from __future__ import annotations

import os
import shutil
import sys

NAMES = (
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
    "chrome",
    "microsoft-edge",
    "brave-browser",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/snap/bin/chromium",
)


def find() -> str | None:
    """Return the path of a browser, None if none is installed."""
    named = os.environ.get("GOMOKU_BROWSER")
    return next(filter(None, map(shutil.which, [named] if named else NAMES)), None)


if __name__ == "__main__":
    if (path := find()) is None:
        sys.exit(1)
    print(path)
