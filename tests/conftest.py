"""Profiles for Hypothesis, and what every test may ask for."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Iterator
from pathlib import Path
from unittest.mock import patch

import pytest
from hypothesis import HealthCheck, settings

from search import players
from tests.long import LONG
from tests.program import gomoku, serve  # noqa: F401  (fixtures)

settings.register_profile(
    "house",
    deadline=None,
    max_examples=int(os.environ.get("HYPOTHESIS_MAX_EXAMPLES", "100")),
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
settings.load_profile("house")

# A shell starts background jobs deaf to Ctrl-C, and so would be every process that the tests start and interrupt.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

LONGEST_SECONDS = 3000 if os.environ.get("GOMOKU_SANITIZED") else 1500 if LONG else 300


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """A test that hangs fails. Said here: as a setting it would stop those who have pytest without the plugin."""
    if config.pluginmanager.hasplugin("timeout"):
        for item in items:
            item.add_marker(pytest.mark.timeout(LONGEST_SECONDS))


@pytest.fixture(autouse=True)
def as_it_was(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """What a test leaves in this process is taken back, so that no test depends on those before it.

    Documents register players, commands do so too when they are given an import path, which they look for in the folder
    of the test, and a command that was run here listens to signals.
    """
    path, modules, folder = list(sys.path), set(sys.modules), Path.cwd()
    handlers = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}
    with patch.dict(os.environ), patch.dict(players._registered):
        yield
    sys.path[:] = path
    for name in sys.modules.keys() - modules:
        if lies_in(tmp_path_factory.getbasetemp(), name):
            del sys.modules[name]
    os.chdir(folder)
    for number, handler in handlers.items():
        signal.signal(number, handler)


def lies_in(folder: Path, module: str) -> bool:
    """Whether a module was imported from a folder or from below it."""
    imported = sys.modules[module]
    places = [getattr(imported, "__file__", None), *getattr(imported, "__path__", [])]
    return any(Path(place).is_relative_to(folder) for place in places if isinstance(place, str))
