"""What is packaged is what is in the tree: the wheel's files, the sdist's files, and what both say of the project."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).parent.parent

WHEEL = """
from setuptools import Distribution
made = Distribution({"script_name": "setup.py"})
made.parse_config_files()
command = made.get_command_obj("build_py")
command.build_lib = "."
command.ensure_finalized()
print(*command.get_outputs(include_bytecode=False), sep="\\n")
"""

SDIST = """
from setuptools import setup
setup(script_args=["-q", "egg_info", "--egg-base", ".."])
"""

WITHOUT_EXTRAS = """
import runpy, sys
class Absent:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in ABSENT:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)
ABSENT = set(sys.argv.pop().split(","))
sys.meta_path.insert(0, Absent())
sys.argv = [sys.argv.pop(), "modules"]
runpy.run_path(sys.argv[0], run_name="__main__")
"""
OF_EXTRAS = "hypothesis,pytest,_pytest,resvg_py,svg2pdf_py,psutil,starlette,uvicorn,scipy,pyarrow,pandas,distributed"


def script(name: str) -> ModuleType:
    """A module of ``.ci``."""
    found = importlib.util.spec_from_file_location(name, ROOT / ".ci" / f"{name}.py")
    assert found is not None and found.loader is not None
    module = importlib.util.module_from_spec(found)
    found.loader.exec_module(module)
    return module


contents = script("contents")


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The working tree without what a build leaves behind."""
    if not (ROOT / ".git").exists():
        pytest.skip("an unpacked sdist is compared with nothing")
    folder = tmp_path_factory.mktemp("packaging") / "tree"
    subprocess.run([ROOT / ".ci" / "copy", folder], check=True)
    return folder


def run(program: str, folder: Path) -> str:
    command = [sys.executable, "-W", "ignore", "-c", program]
    return subprocess.run(command, cwd=folder, check=True, capture_output=True, text=True).stdout


def native_files(tree: Path) -> list[str]:
    return [f"{name.replace('.', '/')}.cpython-311-x86_64-linux-gnu.so" for name in contents.native_modules(tree)]


def test_the_wheel_holds_every_file_of_the_packages(tree: Path) -> None:
    names = [str(Path(line)) for line in run(WHEEL, tree).splitlines()]
    assert contents.wheel_faults(tree, names + native_files(tree)) == []
    assert len(names) > 300 and {"gomoku/brain/__init__.py", "gomoku/web/static/index.html"} <= set(names)


def test_the_sdist_holds_every_file_of_the_tree(tree: Path) -> None:
    run(SDIST, tree)
    names = (tree.parent / "gomoku_patterns.egg-info" / "SOURCES.txt").read_text(encoding="utf-8").splitlines()
    assert contents.sdist_faults(tree, [f"gomoku_patterns-1/{name}" for name in names]) == []
    assert {"tests/test_packaging.py", "docs/tables.md", "README.zh-CN.md", "search/verifier.c"} <= set(names)


def test_a_file_too_few_or_too_many_is_named(tree: Path) -> None:
    names = [*contents.installed_files(tree), *native_files(tree)]
    lost, added = "gomoku/web/static/main.js", "tests/long.py"
    assert contents.wheel_faults(tree, [name for name in names if name != lost] + [added]) == [
        f"the wheel lacks {lost}",
        f"the wheel holds {added}",
    ]
    assert contents.wheel_faults(tree, [name for name in names if not name.startswith("search/_engine.cpython")]) == [
        "the wheel lacks the native module search._engine"
    ]
    assert contents.sdist_faults(tree, ["x-1/nothing"])[-1] == "the sdist holds nothing"


def test_every_native_source_is_built(tree: Path) -> None:
    sources = {str(path.relative_to(tree)) for room in contents.rooms(tree) for path in (tree / room).rglob("*.pyx")}
    assert sources == {name.replace(".", "/") + ".pyx" for name in contents.native_modules(tree)}


def test_every_module_works_without_extras_or_names_the_one_it_needs() -> None:
    command = [sys.executable, "-c", WITHOUT_EXTRAS, str(ROOT / ".ci" / "installed.py"), OF_EXTRAS]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=ROOT)
    assert done.returncode == 0 and "0 faults" in done.stdout, done.stdout + done.stderr
