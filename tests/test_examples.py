"""The examples run as they stand."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).parent.parent / "examples"


@pytest.mark.parametrize("path", sorted(EXAMPLES.glob("*.ipynb")), ids=lambda path: path.name)
def test_notebooks(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    if "to_frame" in text:
        pytest.importorskip("pandas")
        pytest.importorskip("sklearn")
    cells = json.loads(text)["cells"]
    assert len(text) < 20_000 and not any(cell.get("outputs") for cell in cells)
    names: dict[str, object] = {}
    for source in ("".join(cell["source"]) for cell in cells if cell["cell_type"] == "code"):
        *body, last = source.split("\n")
        exec("\n".join(body), names)
        exec(f"shown = {last}" if not last.startswith((" ", "print")) else f"{chr(10).join(body)}\n{last}", names)
        if hasattr(names.get("shown"), "_repr_svg_"):
            picture = names["shown"]._repr_svg_()  # type: ignore[attr-defined]  # hasattr has looked
            assert picture.startswith("<svg") and len(picture) < 60_000


@pytest.mark.parametrize("path", sorted(EXAMPLES.glob("*.py")), ids=lambda path: path.name)
def test_programs(path: Path) -> None:
    tested = path.name.startswith("test_")
    command = (
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", str(path)]
        if tested
        else [sys.executable, str(path)]
    )
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
