"""``pytest --gomoku-laws my_module:Mine``: an evaluator put through the laws, one test for each.

pytest loads this module in every run, so nothing is imported before somebody asks for laws.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

try:
    import pytest
except ImportError as error:
    raise ImportError("pytest --gomoku-laws needs pytest: pip install 'gomoku-patterns[testing]' pytest") from error

if TYPE_CHECKING:
    from gomoku_patterns.testing import Law, LawBrokenError

SECONDS = 20.0
CALL_SECONDS = 5.0


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("gomoku", "laws of evaluators")
    group.addoption(
        "--gomoku-laws",
        action="append",
        default=[],
        metavar="EVALUATOR",
        help="Hold an evaluator to the laws, one test for each: my_module:Mine, a table's name, or a TOML file. "
        "Without files to test, nothing else is run.",
    )
    group.addoption("--gomoku-boards", type=int, default=100, metavar="N", help="Boards for each law (100).")
    group.addoption("--gomoku-max-side", type=int, default=22, metavar="N", help="The largest side of a board (22).")
    group.addoption(
        "--gomoku-seconds",
        type=float,
        default=SECONDS,
        metavar="S",
        help=f"A slow evaluator is tried on fewer boards, to take about so long for all its laws ({SECONDS:g}).",
    )
    group.addoption(
        "--gomoku-call-seconds",
        type=float,
        default=CALL_SECONDS,
        metavar="S",
        help=f"A call of the evaluator that takes longer is ended, and its law fails ({CALL_SECONDS:g}).",
    )
    group.addoption(
        "--gomoku-pictures",
        type=Path,
        metavar="FOLDER",
        help="Write an SVG picture of the smallest board of each law that fails into this folder.",
    )


def pytest_configure(config: pytest.Config) -> None:
    if config.getoption("--gomoku-laws") and config.args_source is not pytest.Config.ArgsSource.ARGS:
        config.args = []


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(session: pytest.Session, config: pytest.Config, items: list[pytest.Item]) -> None:
    for name in config.getoption("--gomoku-laws"):
        items += _Subject.from_parent(session, name=name, path=Path(config.rootpath)).collect()


def pytest_terminal_summary(terminalreporter: Any, config: pytest.Config) -> None:
    reports = [
        report
        for outcome in ("passed", "failed", "skipped")
        for report in terminalreporter.stats.get(outcome, [])
        if any(name == "gomoku law" for name, _ in report.user_properties)
    ]
    if not reports:
        return
    terminalreporter.section("gomoku laws")
    for report in reports:
        terminalreporter.write_line(dict(report.user_properties)["gomoku law"])


class _Subject(pytest.Collector):
    """An evaluator on trial."""

    def collect(self) -> list[pytest.Item]:
        from gomoku_patterns.testing import LAWS

        evaluator = _evaluator(self.name)
        return [_Trial.from_parent(self, name=law.name, law=law, evaluator=evaluator) for law in LAWS]


class _Trial(pytest.Item):
    """One law asked of one evaluator."""

    def __init__(self, *, law: Law, evaluator: Any, **options: Any) -> None:
        super().__init__(**options)
        self.law, self.evaluator = law, evaluator

    def runtest(self) -> None:
        import warnings

        from gomoku_patterns.testing import LAWS, LawNotAskedWarning, check_evaluator

        if why := self.law.exempts(self.evaluator):
            self._say(f"not asked: {why}")
            pytest.skip(why)
        asked = sum(not law.exempts(self.evaluator) for law in LAWS)
        option = self.config.getoption
        self._say("does not hold")
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", LawNotAskedWarning)
            report = check_evaluator(
                self.subject(),
                laws=[self.law],
                max_examples=option("--gomoku-boards"),
                max_side=option("--gomoku-max-side"),
                seconds=option("--gomoku-seconds") / asked,
                call_seconds=option("--gomoku-call-seconds"),
            )
        self._say(report.line(self.law))

    def subject(self) -> object:
        """What the user wrote, so that the line that repeats a failure imports it."""
        return getattr(self.evaluator, "subject", None) or self.evaluator

    def _say(self, what: str) -> None:
        self.user_properties[:] = [("gomoku law", f"{self.evaluator.name:16} {self.name:32} {what}")]

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        from gomoku_patterns.testing import LawBrokenError

        if not isinstance(excinfo.value, LawBrokenError):
            return super().repr_failure(excinfo, style)
        folder = self.config.getoption("--gomoku-pictures")
        return str(excinfo.value) + (f"\npicture: {self._draw(excinfo.value, folder)}" if folder else "")

    def _draw(self, error: LawBrokenError, folder: Path) -> Path:
        folder.mkdir(parents=True, exist_ok=True)
        file = folder / (re.sub(r"\W+", "-", f"{self.evaluator.name} {self.name}") + ".svg")
        file.write_text(error.picture(), encoding="utf-8")
        return file

    def reportinfo(self) -> tuple[Path, None, str]:
        return self.path, None, f"{self.evaluator.name}: {self.name}"


def _evaluator(text: str) -> Any:
    """The evaluator that a user names."""
    import pkgutil

    from gomoku_patterns.errors import GomokuError
    from gomoku_patterns.evaluator import as_evaluator

    if str(Path.cwd()) not in sys.path:
        sys.path.append(str(Path.cwd()))
    try:
        if ":" not in text:
            return as_evaluator(text)
        found = pkgutil.resolve_name(text)
        return as_evaluator(found() if isinstance(found, type) else found)
    except ImportError as error:
        if error.name and error.name.startswith(("hypothesis", "gomoku_patterns")):
            raise
        raise pytest.UsageError(f"--gomoku-laws {text}: cannot be imported: {error}") from None
    except (GomokuError, AttributeError, ValueError, TypeError) as error:
        raise pytest.UsageError(f"--gomoku-laws {text}: {error}") from None
