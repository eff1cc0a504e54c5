"""What the documents show is true: their Python sessions and their shell commands are run.

A fence marked ``console`` holds lines that begin with ``$``; each is run by bash in an empty folder where ``gomoku``
is on the path, and must exit 0, or with the status in a trailing ``# exit N``. A line ``# prints: TEXT`` demands that
text in the output of the command above it.
"""

from __future__ import annotations

import doctest
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
DOCUMENTS = [
    ROOT / "README.md",
    ROOT / "README.zh-CN.md",
    ROOT / "CONTRIBUTING.md",
    *sorted((ROOT / "docs").rglob("*.md")),
]
FENCE = re.compile(r"^```(\w*)[^\n]*\n(.*?)^```", re.MULTILINE | re.DOTALL)


LINK = re.compile(r"\]\(([^)\s]+)\)")
ADDRESS = re.compile(r"[a-z]+:")


def name_of(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def fences(path: Path, language: str) -> list[str]:
    return [body for name, body in FENCE.findall(path.read_text(encoding="utf-8")) if name == language]


@pytest.mark.parametrize("path", DOCUMENTS, ids=name_of)
def test_python_sessions(path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(prepared(path, tmp_path))
    parser, runner = doctest.DocTestParser(), doctest.DocTestRunner(optionflags=doctest.ELLIPSIS)
    session = parser.get_doctest("\n".join(fences(path, "python")), {}, path.name, str(path), 0)
    assert runner.run(session).failed == 0


@pytest.mark.parametrize("path", DOCUMENTS, ids=name_of)
def test_shell_commands(path: Path, tmp_path: Path) -> None:
    folder = prepared(path, tmp_path)
    for body in fences(path, "console"):
        output = ""
        for line in body.splitlines():
            if line.startswith("$ ") and not translated(path, line):
                output = run(line[2:], folder)
            elif line.startswith("# prints: "):
                assert line.removeprefix("# prints: ") in output, f"{line!r} not in\n{output}"


@pytest.mark.parametrize("path", DOCUMENTS, ids=name_of)
def test_links_lead_to_files_and_headings_of_this_repository(path: Path) -> None:
    assert [link for link in links(path) if not resolves(path, link)] == []


def test_links_are_found() -> None:
    """The test above would pass without a look if no link were found."""
    assert sum(len(links(path)) for path in DOCUMENTS) > 100


def test_a_link_to_nowhere_is_noticed() -> None:
    page = ROOT / "docs" / "tutorial.md"
    assert resolves(page, "reference/tables.md#all-keys") and resolves(page, "#5-the-laws")
    assert not resolves(page, "reference/tables.md#no-such-heading") and not resolves(page, "reference/none.md")


def test_every_page_is_in_an_index() -> None:
    """The index of all documents, or that of the laboratory records."""
    indices = [ROOT / "docs" / "README.md", ROOT / "docs" / "lab" / "README.md"]
    listed = {(index.parent / link.partition("#")[0]).resolve() for index in indices for link in links(index)}
    pages = set((ROOT / "docs").rglob("*.md")) - {indices[0]}
    assert sorted(name_of(page) for page in pages - listed) == []


def links(path: Path) -> list[str]:
    """Every link of a document into this repository."""
    text = FENCE.sub("", path.read_text(encoding="utf-8"))
    return [link for link in LINK.findall(re.sub(r"`[^`\n]*`", "", text)) if not ADDRESS.match(link)]


def resolves(page: Path, link: str) -> bool:
    name, _, heading = link.partition("#")
    target = page.parent / name if name else page
    return target.exists() and (not heading or heading in headings(target))


def headings(path: Path) -> list[str]:
    """The anchors that GitHub gives to the headings of a document."""
    text = FENCE.sub("", path.read_text(encoding="utf-8"))
    titles = re.findall(r"^#+ (.+)$", text, re.MULTILINE)
    return [re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in titles]


def translated(path: Path, line: str) -> bool:
    """Whether a line shows nothing and only repeats one of the document that this one translates."""
    original = path.with_name(path.name.replace(".zh-CN", ""))
    return original != path and line.endswith("> /dev/null") and line in original.read_text(encoding="utf-8")


def prepared(path: Path, folder: Path) -> Path:
    """Files a document names are written first: a fence that opens with ``# file: NAME``."""
    for body in (body for _, body in FENCE.findall(path.read_text(encoding="utf-8"))):
        head, _, rest = body.partition("\n")
        if head.startswith("# file: "):
            (folder / head.removeprefix("# file: ").strip()).write_text(rest, encoding="utf-8")
    return folder


def run(command: str, folder: Path) -> str:
    command, _, status = command.partition("  # exit ")
    environment = {
        **os.environ,
        "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
        "COLUMNS": "100",
    }
    done = subprocess.run(
        ["bash", "-c", command], cwd=folder, env=environment, capture_output=True, text=True, timeout=300, check=False
    )
    assert done.returncode == int(status or 0), f"$ {command}\n{done.stdout}\n{done.stderr}"
    return done.stdout + done.stderr
