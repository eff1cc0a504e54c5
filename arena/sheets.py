"""Tables of results as papers need them: text for HTML, CSV, Markdown and LaTeX from one description.

>>> sheet = Sheet("speed", "Speed", ("evaluator", "scores/s"), ((Entry("grade_dict"), Entry("3.3 M", 3.3e6)),))
>>> print(sheet.markdown())
| evaluator | scores/s |
| :--- | ---: |
| grade_dict | 3.3 M |
<BLANKLINE>
**Speed.**
<BLANKLINE>
>>> print(sheet.csv())
evaluator,scores/s
grade_dict,3300000.0
<BLANKLINE>
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from html import escape
from pathlib import Path
from typing import Any

from gomoku_patterns.files import write_file


@dataclass(frozen=True)
class Entry:
    """One cell: what is written, and where it is a figure its value with the ends of its 95 % interval."""

    text: str
    value: float | int | None = None
    low: float | None = None
    high: float | None = None
    note: str = ""
    """A second line, such as the interval in words."""
    best: bool = False


NOTHING = Entry("–")


@dataclass(frozen=True)
class Sheet:
    """A table with a name for its files, a title, its columns and rows, and what a reader has to know."""

    name: str
    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[Entry, ...], ...]
    notes: str = ""
    words: int = 1
    """How many columns at the left hold words."""

    def html(self, number: str = "") -> str:
        """A table of HTML; ``number`` opens its caption."""
        head = "".join(f"<th>{escape(title)}</th>" for title in self.columns)
        body = "".join(f"<tr>{''.join(self._html_cells(row))}</tr>" for row in self.rows)
        caption = f"{number} {escape(self.title)}. {escape(self.notes)}".strip()
        return (
            f'<div class="scroll"><table class="words{self.words}"><thead><tr>{head}</tr></thead>'
            f"<tbody>{body}</tbody></table></div><p class='caption'>{caption}</p>"
        )

    def _html_cells(self, row: Sequence[Entry]) -> Iterable[str]:
        for place, entry in enumerate(row):
            tag = "th" if place == 0 else "td"
            note = f"<br><small>{escape(_minus(entry.note))}</small>" if entry.note else ""
            best = ' class="best"' if entry.best else ""
            yield f"<{tag}{best}>{escape(_minus(entry.text))}{note}</{tag}>"

    def csv(self) -> str:
        """Values as numbers; a figure with an interval has columns of its own for the ends."""
        ended = [any(row[place].low is not None or row[place].high is not None for row in self.rows)
                 for place in range(len(self.columns))]  # fmt: skip
        head: list[Any] = []
        for title, has_ends in zip(self.columns, ended, strict=True):
            head += [title, f"{title} low", f"{title} high"] if has_ends else [title]
        stream = io.StringIO()
        writer = csv.writer(stream, lineterminator="\n")
        writer.writerow(head)
        for row in self.rows:
            line: list[Any] = []
            for entry, has_ends in zip(row, ended, strict=True):
                value = entry.text if entry.value is None else entry.value
                line.append("" if entry is NOTHING else value)
                line += [entry.low, entry.high] if has_ends else []
            writer.writerow(line)
        return stream.getvalue()

    def markdown(self) -> str:
        """A table of GitHub's Markdown; what is best is bold."""
        marks = [":---" if place < self.words else "---:" for place in range(len(self.columns))]
        lines = [self.columns, marks, *(tuple(_marked(entry) for entry in row) for row in self.rows)]
        rows = "\n".join(f"| {' | '.join(cell.replace('|', '&#124;') for cell in line)} |" for line in lines)
        return f"{rows}\n\n**{self.title}.** {self.notes}".rstrip() + "\n"

    def latex(self) -> str:
        """A floating table for the package booktabs; what is best is bold."""
        marks = "l" * self.words + "r" * (len(self.columns) - self.words)
        lines = [
            "% \\usepackage{booktabs}",
            "\\begin{table}[htbp]",
            "  \\centering\\small",
            f"  \\caption{{{tex(self.title)}. {tex(self.notes)}}}",
            f"  \\label{{tab:{self.name}}}",
            f"  \\begin{{tabular}}{{@{{}}{marks}@{{}}}}",
            "    \\toprule",
            f"    {' & '.join(map(tex, self.columns))} \\\\",
            "    \\midrule",
            *(f"    {' & '.join(map(_tex_entry, row))} \\\\" for row in self.rows),
            "    \\bottomrule",
            "  \\end{tabular}",
            "\\end{table}",
        ]
        return "\n".join(lines) + "\n"


def best_marked(rows: Sequence[Sequence[Entry]], columns: Iterable[int]) -> tuple[tuple[Entry, ...], ...]:
    """The rows with the best entry of these columns marked, where its interval lies above all others."""
    marked = [list(row) for row in rows]
    for column in columns:
        known = [(place, row[column]) for place, row in enumerate(marked) if row[column].low is not None]
        if len(known) < 2:
            continue
        at, best = max(known, key=lambda item: item[1].low if item[1].low is not None else 0.0)
        others = [entry.high for place, entry in known if place != at]
        if best.low is not None and all(high is not None and best.low > high for high in others):
            marked[at][column] = replace(best, best=True)
    return tuple(map(tuple, marked))


def _marked(entry: Entry) -> str:
    text = f"**{entry.text}**" if entry.best else entry.text
    return f"{text} ({entry.note})" if entry.note else text


def _tex_entry(entry: Entry) -> str:
    text = f"\\textbf{{{tex(entry.text)}}}" if entry.best else tex(entry.text)
    return f"{text} {{\\footnotesize ({tex(entry.note)})}}" if entry.note else text


def _minus(text: str) -> str:
    """Text with a minus sign where a hyphen stands for one: at the beginning of a number."""
    return re.sub(r"(?<![\w.–-])-(?=[\d∞])", "−", text)


_TEX = {
    **{letter: f"\\{letter}" for letter in "&%$#_{}"},
    "\\": "\\textbackslash{}",
    "~": "\\textasciitilde{}",
    "^": "\\textasciicircum{}",
    "<": "$<$",
    ">": "$>$",
    "–": "--",
    "−": "$-$",
    "†": "\\dag{}",
    "∞": "$\\infty$",
    "½": "\\textonehalf{}",
    "×": "$\\times$",
}


def tex(text: str) -> str:
    """Text as LaTeX prints it.

    >>> print(tex("grade_dict: 5 % of +∞"))
    grade\\_dict: 5 \\% of +$\\infty$
    >>> print(tex("48–89%, -3.1 to +2.0, minmax:depth=1-2"))
    48--89\\%, $-$3.1 to +2.0, minmax:depth=1-2
    """
    return "".join(_TEX.get(letter, letter) for letter in _minus(text))


def save_sheets(sheets: Iterable[Sheet], folder: str | Path) -> list[Path]:
    """Write every sheet as ``NAME.csv``, ``NAME.md`` and ``NAME.tex``."""
    written = []
    for sheet in sheets:
        for kind, text in (("csv", sheet.csv()), ("md", sheet.markdown()), ("tex", sheet.latex())):
            path = Path(folder, f"{sheet.name}.{kind}")
            write_file(path, text, folders=True)
            written.append(path)
    return written
