"""What is packaged is what is in the tree: the wheel's files, the sdist's files, and what both say of the project."""

from __future__ import annotations

import importlib.util
import re
import subprocess
import sys
import tomllib
from pathlib import Path
from types import ModuleType
from typing import Any

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


contents, address = script("contents"), script("address")


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
    assert {"tests/test_packaging.py", "docs/reference/tables.md", "README.zh-CN.md", "search/verifier.c"} <= set(names)


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


# ---------------------------------------------------------------------- what the metadata say

ADDRESS = "https://host.example/owner/gomoku-patterns"


def project() -> dict[str, Any]:
    found: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    return found


def test_every_relative_link_of_the_readme_has_a_file() -> None:
    links = address.LINK.findall((ROOT / "README.md").read_text(encoding="utf-8"))
    files = {target.partition("#")[0] for _, _, target in links if "://" not in target and not target.startswith("#")}
    assert len(files) > 15 and [name for name in files if not (ROOT / name).is_file()] == []


def test_on_a_package_index_every_link_is_absolute() -> None:
    text = address.absolute((ROOT / "README.md").read_text(encoding="utf-8"), ADDRESS, "v9")
    targets = [target for _, _, target in address.LINK.findall(text)]
    assert all(target.startswith(("https://", "#")) for target in targets)
    assert f"{ADDRESS}/raw/v9/docs/images/analysis.png" in targets
    assert f"{ADDRESS}/blob/v9/docs/reference/tables.md" in targets


def test_on_a_package_index_the_readme_names_what_to_clone() -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    assert text.count("ADDRESS") == 2 and "\ngit clone ADDRESS gomoku-patterns " in text
    written = address.absolute(text, ADDRESS, "v9")
    assert f"\ngit clone {ADDRESS} gomoku-patterns\n" in written and "ADDRESS" not in written


def test_project_urls_are_written_where_wheels_are_built() -> None:
    text = address.with_urls((ROOT / "pyproject.toml").read_text(encoding="utf-8"), ADDRESS, "v9")
    changed = tomllib.loads(text)["project"]
    assert changed["urls"]["Repository"] == ADDRESS and changed["urls"]["Changelog"].endswith("/v9/CHANGELOG.md")
    assert {name: value for name, value in changed.items() if name != "urls"} == project()
    with pytest.raises(SystemExit, match="URLs already"):
        address.with_urls(text, ADDRESS, "v9")


def test_the_python_versions_are_those_that_are_built_and_tested() -> None:
    """The classifiers, the wheels and the test matrix name the same versions, the first of which is the lowest."""
    named = [line.rpartition(" ")[2] for line in project()["classifiers"] if re.search(r":: 3\.\d+$", line)]
    workflows = ROOT / ".github" / "workflows"
    built = re.findall(r"cp3(\d+)-", (workflows / "wheels.yml").read_text())
    tested = re.search(r"python: \[(.*)\]", (workflows / "check.yml").read_text())
    assert tested is not None and re.findall(r"3\.\d+", tested[1]) == named == [f"3.{minor}" for minor in built]
    assert project()["requires-python"] == f">={named[0]}"


def test_the_changelog_has_the_version() -> None:
    version = re.escape(project()["version"])
    assert re.search(rf"^## {version}\b", (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), re.MULTILINE)


def test_no_test_is_skipped_for_a_package_that_no_extra_brings() -> None:
    """What ``importorskip`` names is installed with the extra ``test``."""
    brought = {re.split(r"[\[><=~! ]", line)[0].lower() for lines in extras().values() for line in lines}
    wanted = {
        name.partition(".")[0]
        for path in (ROOT / "tests").rglob("*.py")
        for name in re.findall(r'importorskip\("([\w.]+)"\)', path.read_text(encoding="utf-8"))
    }
    names = {"resvg_py": "resvg-py", "svg2pdf_py": "svg2pdf-py", "sklearn": "scikit-learn", "fcntl": None}
    missing = {name for name in wanted if (package := names.get(name, name)) and package not in brought}
    assert len(wanted) > 8 and missing == set()


def extras() -> dict[str, list[str]]:
    found: dict[str, list[str]] = project()["optional-dependencies"]
    return {name: lines for name, lines in found.items() if name not in ("dev", "docs")}
