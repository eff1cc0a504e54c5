#!/usr/bin/env python3
"""Write the address of the repository into the tree before it is packaged: project URLs, absolute links, git clone.

    python .ci/address.py https://host/owner/gomoku-patterns v0.1.0

A package index shows README.md, where relative links and pictures lead nowhere. The repository itself does not know
where it is published, so the workflow that builds the wheels calls this in its own checkout.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
LINK = re.compile(r"(?P<image>!?)\[(?P<text>[^\]\n]*)\]\((?P<target>[^)\s]+)\)")
CLONE = re.compile(r"^git clone ADDRESS ([\w-]+).*$", re.MULTILINE)
PAGES = {
    "Repository": "",
    "Documentation": "/tree/{ref}/docs",
    "Changelog": "/blob/{ref}/CHANGELOG.md",
    "Issues": "/issues",
}


def absolute(text: str, address: str, ref: str) -> str:
    """Return the text of README.md with absolute links and the address to clone; links within the page stay."""

    def changed(link: re.Match[str]) -> str:
        target = link["target"]
        if target.startswith("#") or "://" in target:
            return link[0]
        return f"{link['image']}[{link['text']}]({address}/{'raw' if link['image'] else 'blob'}/{ref}/{target})"

    return CLONE.sub(rf"git clone {address} \1", LINK.sub(changed, text))


def with_urls(settings: str, address: str, ref: str) -> str:
    """Return the text of pyproject.toml with project URLs."""
    urls = "".join(f'{name} = "{address}{page.format(ref=ref)}"\n' for name, page in PAGES.items())
    head, mark, rest = settings.partition("[project.optional-dependencies]\n")
    if not mark or "\n[project.urls]\n" in head:
        raise SystemExit("address: pyproject.toml has no place for [project.urls], or has URLs already")
    return f"{head}[project.urls]\n{urls}\n{mark}{rest}"


def main() -> None:
    address, ref = sys.argv[1].rstrip("/"), sys.argv[2]
    if not re.fullmatch(r"https://[\w.-]+(/[\w.-]+)+", address):
        raise SystemExit(f"address: {address!r} is not the address of a repository, such as https://host/owner/name")
    for name, change in (("README.md", absolute), ("pyproject.toml", with_urls)):
        path = ROOT / name
        path.write_text(change(path.read_text(encoding="utf-8"), address, ref), encoding="utf-8")


if __name__ == "__main__":
    main()
