"""The slow, independent definition of the rules, for tests that compare with it."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from types import ModuleType

import pytest


@pytest.fixture(scope="session")
def slow_rules() -> ModuleType:
    spec = importlib.util.spec_from_file_location("slow_rules", Path(__file__).parent / "slow_rules.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
