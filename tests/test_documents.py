"""Run the Python sessions and shell commands of the documents, fence by fence, and compare what they show.

Python fences (``python``, with ``>>>``) are doctests. Shell fences (``console``) hold commands behind ``$``, each
followed by its output:

* ``...`` on a line of its own stands for any lines, and within a line for any text.
* A duration in the document stands for any duration. Runs of spaces are one space, and rulers have any length.
* ``# prints: TEXT`` below a command only asks for that text somewhere in its output; a command with nothing below it
  only has to succeed.
* A command exits 0, or with the status that ``# exit N`` behind it names.
* In a fence marked ``console varying`` boards, cells and numbers may differ, since Hypothesis finds another
  example each time.

A fence that opens with ``# file: NAME`` is a file, written before anything runs. The fences of a document run in order
and share their names and a folder, which has a copy of ``examples``.

Documents show the commands that a person types, so the command line runs here with the smaller defaults of
``tests/document_defaults.toml`` and pytest tries 25 boards a law; what a document writes itself is left alone.
"""

from __future__ import annotations

import difflib
import doctest
import importlib.util
import os
import re
import shutil
import subprocess
import sys
import tomllib
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any

import click
import pytest

from gomoku.cli import COMMANDS, cli
from gomoku_patterns import pytest_plugin
from gomoku_patterns.automaton import Automaton
from gomoku_patterns.testing import LAWS

ROOT = Path(__file__).parent.parent
DOCUMENTS = [
    ROOT / "README.md",
    ROOT / "README.zh-CN.md",
    ROOT / "CONTRIBUTING.md",
    *sorted((ROOT / "docs").rglob("*.md")),
]
DEFAULTS = ROOT / "tests" / "document_defaults.toml"
FENCE = re.compile(r"^```(?P<language>\w*)(?P<mark>[^\n]*)\n(?P<body>.*?)^```", re.MULTILINE | re.DOTALL)
PROGRAM = """#!{python}
import tomllib
from gomoku.cli import cli, main
if __name__ == "__main__":  # processes that it starts import it again
    with open({defaults!r}, "rb") as file:
        cli.context_settings["default_map"] = tomllib.load(file)
    main()
"""


def name_of(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


@dataclass(frozen=True)
class Fence:
    """A fenced block of a document."""

    path: Path
    line: int
    language: str
    mark: str
    body: str

    def __str__(self) -> str:
        return f"{name_of(self.path)}:{self.line}"

    @property
    def file(self) -> str:
        """The name of the file that this is, or nothing."""
        head = self.body.partition("\n")[0]
        return head.removeprefix("# file: ").strip() if head.startswith("# file: ") else ""

    @property
    def runs(self) -> bool:
        """Tell whether there is something to run."""
        prompt = {"python": ">>> ", "console": "$ "}.get(self.language)
        return prompt is not None and any(line.startswith(prompt) for line in self.body.splitlines())


def fences(path: Path) -> list[Fence]:
    text = path.read_text(encoding="utf-8")
    return [
        Fence(path, text.count("\n", 0, found.start()) + 1, found["language"], found["mark"].strip(), found["body"])
        for found in FENCE.finditer(text)
    ]


def original(path: Path) -> Path:
    """The English document that one is a translation of, or the document itself."""
    return path.with_name(path.name.replace(".zh-CN", ""))


def to_run() -> list[Fence]:
    """All fences but the shell fences of translations, which are compared with the original instead."""
    found = [fence for path in DOCUMENTS for fence in fences(path) if fence.runs]
    return [fence for fence in found if fence.language == "python" or original(fence.path) == fence.path]


# ---------------------------------------------------------------------- running a document


@pytest.fixture(scope="module")
def folders(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Make the folder in which documents run, with ``bin``: the command line and its smaller defaults."""
    folder = tmp_path_factory.mktemp("documents")
    program = folder / "bin" / "gomoku"
    program.parent.mkdir()
    program.write_text(PROGRAM.format(python=sys.executable, defaults=str(DEFAULTS)), encoding="utf-8")
    program.chmod(0o755)
    return folder


_faults: dict[Path, dict[Fence, str]] = {}


def faults(path: Path, folders: Path) -> dict[Fence, str]:
    """Run a document once, in order, and return what is wrong with each fence, which may be nothing."""
    if path in _faults:
        return _faults[path]
    folder = folders / name_of(path).replace("/", "-")
    shutil.copytree(ROOT / "examples", folder / "examples")
    for fence in fences(path):
        if fence.file:
            (folder / fence.file).write_text(fence.body.partition("\n")[2], encoding="utf-8")
    ours = [fence for fence in to_run() if fence.path == path]
    found = _faults[path] = dict.fromkeys(ours, "was not run, since a fence before it did not end")
    names: dict[str, Any] = {}
    home = Path.cwd()
    os.chdir(folder)
    try:
        for fence in ours:
            found[fence] = session_fault(fence, names) if fence.language == "python" else shell_fault(fence)
    finally:
        os.chdir(home)
    return found


@pytest.mark.parametrize("fence", to_run(), ids=str)
def test_a_fence_shows_what_happens(fence: Fence, folders: Path) -> None:
    fault = faults(fence.path, folders)[fence]
    assert not fault, f"{fence}\n{fault}"


def session_fault(fence: Fence, names: dict[str, Any]) -> str:
    said: list[str] = []
    session = doctest.DocTestParser().get_doctest(fence.body, names, str(fence), str(fence.path), fence.line)
    session.globs = names  # the parser copies the names; the next session needs those of this one
    doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(session, out=said.append, clear_globs=False)
    return "".join(said)


def shell_fault(fence: Fence) -> str:
    for command, shown in commands(fence.body):
        output, fault = run(command)
        fault = fault or difference(shown, output, varying=fence.mark == "varying")
        if fault:
            return f"$ {command}\n{fault}"
    return ""


def commands(body: str) -> list[tuple[str, list[str]]]:
    """Each command of a shell fence, with the lines below it; a backslash continues a command."""
    found: list[tuple[str, list[str]]] = []
    continued = False
    for line in body.splitlines():
        if continued:
            found[-1] = (f"{found[-1][0][:-1]}{line.strip()}", [])
        elif line.startswith("$ "):
            found.append((line[2:], []))
        elif found:
            found[-1][1].append(line)
        continued = found != [] and not found[-1][1] and found[-1][0].endswith("\\")
    return found


def run(command: str) -> tuple[str, str]:
    """Run a command; return its output, and what is wrong with its exit status."""
    command, _, status = command.partition("  # exit ")
    path = [str(Path.cwd().parent / "bin"), str(Path(sys.executable).parent), os.environ["PATH"]]
    environment = {**os.environ, "PATH": os.pathsep.join(path), "COLUMNS": "100", "PYTHONDONTWRITEBYTECODE": "1"}
    environment["PYTEST_ADDOPTS"] = "-p no:cacheprovider --gomoku-boards=25"
    done = subprocess.run(
        ["bash", "-c", command],
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=300,
        check=False,
    )
    right = done.returncode == int(status or 0)
    return done.stdout, "" if right else f"exits with {done.returncode}:\n{done.stdout}"


# ---------------------------------------------------------------------- comparing

DURATION = re.compile(r"\b\d[\d.,]*\s?(?:ns|us|µs|ms|s|min|h)\b")
RULER = re.compile(r"={4,}|_{4,}")
VARYING = re.compile(r"\b[a-v]\d{1,2}\b|\b[XO]\b|(?<= )\.(?= )|\b(?:black|white)\b|-?\b\d[\d.,]*\b")


def difference(shown: list[str], output: str, *, varying: bool = False) -> str:
    """Return the difference between the lines that a document shows and the output, or an empty text."""
    texts = [line.removeprefix("# prints: ") for line in shown if line.startswith("# prints: ")]
    if texts or not shown:
        missing = [text for text in texts if text not in output]
        return f"{missing} not in\n{output}" if missing else ""
    wanted, found = comparable("\n".join(shown), varying), comparable(output, varying)
    if re.fullmatch(pattern(wanted), found):
        return ""
    return "\n".join(difflib.unified_diff(wanted.split("\n"), found.split("\n"), "document", "output", lineterm=""))


def comparable(text: str, varying: bool) -> str:
    """The text without what may differ from run to run."""
    text = RULER.sub("====", DURATION.sub("TIME", text))
    if varying:
        text = VARYING.sub("*", f" {text} ".replace("\n", " \n "))
    return "\n".join(" ".join(line.split()) for line in text.split("\n")).strip("\n")


def pattern(wanted: str) -> str:
    """A regular expression for the lines that a document shows."""
    lines = [
        "(?:.*\n)*?" if line == "..." else f"{'.*'.join(map(re.escape, line.split('...')))}\n"
        for line in wanted.split("\n")
    ]
    if wanted.endswith("\n..."):
        return "".join(lines[:-1])[:-1] + "(?:\n.*)*"
    return "".join(lines)[:-1]


@pytest.mark.parametrize(
    ("shown", "output", "equal"),
    [
        ("one\ntwo", "one\ntwo\n", True),
        ("one\nthree", "one\ntwo\n", False),
        ("one", "one\ntwo\n", False),
        ("one\n...", "one\ntwo\nthree\n", True),
        ("one\n...\nthree", "one\ntwo\nthree\n", True),
        ("one\n...\nfour", "one\ntwo\nthree\n", False),
        ("...\nthree", "one\ntwo\nthree\n", True),
        ("nodes: 8  time: 0.041 ms", "nodes: 8   time: 1.3 s\n", True),
        ("nodes: 8  time: 0.041 ms", "nodes: 9   time: 0.041 ms\n", False),
        ("level ... solved", "level 16 solved\n", True),
        ("a (b)", "a (b)", True),
        ("# prints: two", "one\ntwo\n", True),
        ("# prints: three", "one\ntwo\n", False),
        ("", "anything", True),
    ],
)
def test_the_comparison_itself(shown: str, output: str, equal: bool) -> None:
    assert (difference(shown.splitlines(), output) == "") is equal


def test_examples_of_hypothesis_may_differ_but_not_their_words() -> None:
    shown = ["the score is 0, but as the board stands it is -1", " 2 .  X  .", " 1 .  .  .", "   a  b  c"]
    other = "the score is 3, but as the board stands it is 12\n 2 .  .  .\n 1 .  .  O\n   a  b  c\n"
    assert difference(shown, other, varying=True) == ""
    assert difference(shown, other) != ""
    assert difference(shown, other.replace("stands", "lies"), varying=True) != ""
    assert difference(shown, other.replace(" 1 .  .  O\n", ""), varying=True) != ""


def test_commands_and_what_they_show() -> None:
    body = "$ one \\\n      two\nshown\n\n$ three\n"
    assert commands(body) == [("one two", ["shown", ""]), ("three", [])]


# ---------------------------------------------------------------------- what holds for all documents


def test_smaller_defaults_are_options_of_commands() -> None:
    """A default under a name that no option has would be ignored, and the documents would run at full size."""
    settings = tomllib.loads(DEFAULTS.read_text(encoding="utf-8"))
    context = click.Context(cli)
    assert settings and set(settings) <= set(COMMANDS)
    for name, options in settings.items():
        command = cli.get_command(context, name)
        assert command is not None and options
        assert set(options) <= {parameter.name for parameter in command.params}, name


def test_a_file_of_the_examples_is_shown_as_it_is() -> None:
    shown = {fence.file: fence.body.partition("\n")[2] for path in DOCUMENTS for fence in fences(path)}
    shown = {name: text for name, text in shown.items() if name.startswith("examples/")}
    assert shown == {name: (ROOT / name).read_text(encoding="utf-8") for name in shown}


@pytest.mark.parametrize("path", [path for path in DOCUMENTS if original(path) != path], ids=lambda path: path.name)
def test_a_translation_shows_the_same_commands_and_output(path: Path) -> None:
    ours, theirs = (
        [fence.body for fence in fences(one) if fence.language in ("console", "sh")] for one in (path, original(path))
    )
    assert ours == theirs


def test_the_reference_of_the_commands_is_their_help() -> None:
    made = subprocess.run(
        [sys.executable, ROOT / "docs" / "commands.py"], capture_output=True, encoding="utf-8", check=True
    )
    page = (ROOT / "docs" / "reference" / "commands.md").read_text(encoding="utf-8")
    assert page == made.stdout, "write the page again: python docs/commands.py > docs/reference/commands.md"


# ---------------------------------------------------------------------- links

LINK = re.compile(r"\]\(([^)\s]+)\)")
ADDRESS = re.compile(r"[a-z]+:")


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


# ---------------------------------------------------------------------- what scripts of docs write


def script(name: str) -> ModuleType:
    """A module of ``docs``."""
    found = importlib.util.spec_from_file_location(f"docs_{name}", ROOT / "docs" / f"{name}.py")
    assert found is not None and found.loader is not None
    module = importlib.util.module_from_spec(found)
    found.loader.exec_module(module)
    return module


def test_the_pictures_are_those_that_their_script_draws() -> None:
    drawn = script("pictures").pictures()
    images = ROOT / "docs" / "images"
    assert {path.name for path in images.glob("*.svg")} == set(drawn)
    stale = [name for name, svg in drawn.items() if (images / name).read_text(encoding="utf-8") != svg + "\n"]
    assert stale == [], "draw them again: python docs/pictures.py"


def test_the_table_of_transitions_is_that_of_the_automaton() -> None:
    """Each row of the page names a state by its text, and the states that the four symbols lead to."""
    page = (ROOT / "docs" / "explanation" / "how-it-works.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| (start|`[.o]+`) \| (.*) \| (.*) \| (.*) \| (.*) \|(.*)\|$", page, re.MULTILINE)
    names = ["" if row[0] == "start" else row[0].strip("`") for row in rows]
    words = script("pictures").WORDS
    automaton = Automaton(words)
    assert len(rows) == len(automaton) == 10
    for row, name in zip(rows, names, strict=True):
        [state] = [state for state in range(len(automaton)) if spelled(automaton, state) == name]
        leads_to = [spelled(automaton, int(target)) or "start" for target in automaton.transitions[state, :4]]
        assert [cell.strip("`") for cell in row[1:5]] == leads_to
        assert row[5].strip(" `") == "".join(words[word] for word in automaton.outputs[state])


def spelled(automaton: Automaton, state: int) -> str:
    """The text that a state stands for: the shortest way to it."""
    texts = {0: ""}
    queue = [0]
    for at in queue:
        for code, target in enumerate(automaton.transitions[at]):
            if int(target) not in texts:
                texts[int(target)] = texts[at] + automaton.alphabet[code]
                queue.append(int(target))
    return texts[state]


# ---------------------------------------------------------------------- the testing kit


def first_cells(page: str, heading: str) -> list[str]:
    """The first cell of each row of the tables below a heading."""
    text = (ROOT / "docs" / page).read_text(encoding="utf-8").split(f"\n## {heading}\n", 1)[1].split("\n## ", 1)[0]
    return re.findall(r"^\| (?!---|laws? \||option \||attribute \|)(.+?) \|", text, re.MULTILINE)


def test_every_law_is_in_a_group_of_the_how_to() -> None:
    cells = first_cells("how-to/property-test.md", "What your evaluator claims")
    grouped = [name for cell in cells if not cell.startswith("`") for name in cell.split(", ")]
    assert sorted(grouped) == sorted(law.name for law in LAWS)


def test_every_option_of_the_plugin_is_in_the_how_to() -> None:
    listed = [cell.strip("`").split()[0] for cell in first_cells("how-to/property-test.md", "In one command")]
    declared = re.findall(r'"(--gomoku-[\w-]+)",', Path(pytest_plugin.__file__).read_text(encoding="utf-8"))
    assert len(declared) > 4 and set(listed) == set(declared)
