"""Profiles for Hypothesis, and what every test may ask for."""

from __future__ import annotations

import os
import signal

import pytest
from hypothesis import HealthCheck, settings

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

LONGEST_SECONDS = 3000 if os.environ.get("GOMOKU_SANITIZED") else 300


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """A test that hangs fails. Said here: as a setting it would stop those who have pytest without the plugin."""
    if config.pluginmanager.hasplugin("timeout"):
        for item in items:
            item.add_marker(pytest.mark.timeout(LONGEST_SECONDS))
