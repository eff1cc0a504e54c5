"""The scripts of ``.ci`` check the working tree, and say what failed, what was repeated and what they need."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent

FLAKY = """
from pathlib import Path

def test_steady():
    pass

def test_flaky():
    seen = Path("seen")
    first = not seen.exists()
    seen.touch()
    assert not first
"""


def check(folder: Path, script: str, *arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run a script of ``.ci`` in a folder, with the Python of these tests first on the path."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("PYTEST_", "GITHUB_", "GOMOKU_"))}
    path = f"{Path(sys.executable).parent}{os.pathsep}{kept['PATH']}"
    kept |= {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "PYTEST_ADDOPTS": "-p xdist.plugin", "GOMOKU_TEST_PROCESSES": "1"}
    return subprocess.run(
        ["bash", str(ROOT / ".ci" / script), *arguments],
        cwd=folder,
        env={**kept, "PATH": path, **environment},
        capture_output=True,
        text=True,
        check=False,
    )


def test_tests_that_pass_are_not_repeated(tmp_path: Path) -> None:
    (tmp_path / "test_good.py").write_text("def test_good():\n    pass\n")
    done = check(tmp_path, "tests", "test_good.py")
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.splitlines()[-1] == "tests: all passed at the first attempt"


def test_a_test_that_fails_once_is_named_and_counted(tmp_path: Path) -> None:
    (tmp_path / "test_some.py").write_text(FLAKY)
    done = check(tmp_path, "tests", "test_some.py", GOMOKU_CI_REPORT=str(tmp_path / "report"))
    assert done.returncode == 0, done.stdout + done.stderr
    line = "tests: 1 failed once and passed when repeated alone: test_some.py::test_flaky"
    assert done.stdout.splitlines()[-1] == line == (tmp_path / "report").read_text().strip()


def test_a_test_that_fails_twice_fails_the_run(tmp_path: Path) -> None:
    (tmp_path / "test_bad.py").write_text(FLAKY + "\n\ndef test_bad():\n    assert False\n")
    done = check(tmp_path, "tests", "test_bad.py", GOMOKU_CI_REPORT=str(tmp_path / "report"))
    assert done.returncode == 1 and "tests: failed twice" in done.stderr
    assert not (tmp_path / "report").exists()


def test_a_file_that_every_process_collects_differently_is_not_repeated(tmp_path: Path) -> None:
    text = (
        "import os, pathlib, pytest\n"
        "@pytest.mark.parametrize('one', [os.getpid()])\n"
        "def test_one(one):\n    pathlib.Path('ran').touch()\n"
    )
    (tmp_path / "test_some.py").write_text(text)
    done = check(tmp_path, "tests", "test_some.py", GOMOKU_TEST_PROCESSES="2")
    assert done.returncode == 1 and "tests: failed, not repeated" in done.stderr, done.stdout + done.stderr
    assert not (tmp_path / "ran").exists()


def test_a_crash_of_a_test_process_is_not_repeated(tmp_path: Path) -> None:
    crash = (
        "from pathlib import Path\ndef test_crash():\n    Path('ran').open('a').write('x')\n    import os; os.abort()\n"
    )
    (tmp_path / "test_crash.py").write_text(crash)
    done = check(tmp_path, "tests", "test_crash.py")
    assert done.returncode == 1 and "tests: failed, not repeated" in done.stderr, done.stdout + done.stderr


def test_the_working_tree_is_copied_as_it_is_now(tmp_path: Path) -> None:
    """Changed and new files are in the copy; deleted ones and those that git ignores are not."""
    tree = tmp_path / "tree"
    (tree / ".ci").mkdir(parents=True)
    (tree / ".ci" / "copy").write_text((ROOT / ".ci" / "copy").read_text())
    for name in ("kept", "changed", "deleted", "with space"):
        (tree / name).write_text("old")
    (tree / ".gitignore").write_text("*.o\n")
    for command in ("init --quiet", "add --all", "-c user.name=a -c user.email=b commit --quiet -m c"):
        subprocess.run(["git", *command.split()], cwd=tree, check=True)
    (tree / "changed").write_text("new")
    (tree / "deleted").unlink()
    (tree / "added").write_text("new")
    (tree / "made.o").write_text("")
    subprocess.run(["bash", tree / ".ci" / "copy", tmp_path / "copy"], check=True)
    found = {path.name: path.read_text() for path in (tmp_path / "copy").iterdir() if path.is_file()}
    assert found.keys() == {"kept", "changed", "with space", "added", ".gitignore"}
    assert found["changed"] == "new"


def test_without_a_browser_an_ordinary_user_is_told_what_to_install(tmp_path: Path) -> None:
    """``id`` says that the user is not root; apt-get is never asked."""
    for name, text in (("id", "echo 1000"), ("apt-get", "echo asked; exit 1")):
        (tmp_path / name).write_text(f"#!/bin/sh\n{text}\n")
        (tmp_path / name).chmod(0o755)
    path = f"{tmp_path}{os.pathsep}{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    done = check(tmp_path, "run", PATH=path, GOMOKU_BROWSER="no-such-browser")
    assert done.returncode == 1 and "install Chromium or Chrome" in done.stderr, done.stdout + done.stderr
    assert "asked" not in done.stdout


def test_a_weekly_step_that_fails_is_named_and_the_others_run(tmp_path: Path) -> None:
    for name, text in (("podman", "exit 1"), ("python", 'echo "ran $@"')):
        (tmp_path / name).write_text(f"#!/bin/sh\n{text}\n")
        (tmp_path / name).chmod(0o755)
    done = check(tmp_path, "weekly", "container", "docs", PATH=f"{tmp_path}{os.pathsep}{os.environ['PATH']}")
    assert done.returncode == 1 and done.stderr.splitlines()[-1] == "weekly: failed: container"
    assert "ran docs/build.py" in done.stdout


def test_an_unknown_weekly_step_fails(tmp_path: Path) -> None:
    done = check(tmp_path, "weekly", "nonsense")
    assert done.returncode == 1 and "failed: nonsense" in done.stderr


@pytest.mark.parametrize("name", ["chromium-browser", "google-chrome"])
def test_a_browser_is_found_under_its_other_names(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_text("#!/bin/sh\n")
    (tmp_path / name).chmod(0o755)
    command = [sys.executable, str(ROOT / "tests" / "gomoku" / "browsers.py")]
    done = subprocess.run(command, env={"PATH": str(tmp_path)}, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout.strip()) == (0, str(tmp_path / name))
