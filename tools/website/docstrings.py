"""Docstrings as Markdown: examples become code blocks, and columns of names and meanings become tables."""

import re
from typing import Any

import griffe


class Readable(griffe.Extension):
    """Rewrites every docstring that the site shows."""

    def on_object(self, *, obj: griffe.Object, **_: Any) -> None:
        """One object that griffe has loaded."""
        if obj.docstring:
            obj.docstring.value = markdown(obj.docstring.value)


def markdown(text: str) -> str:
    """A docstring of ours as Markdown."""
    return "\n\n".join(_paragraph(part) for part in text.split("\n\n"))


def _paragraph(text: str) -> str:
    lines = text.split("\n")
    if lines[0].startswith(">>>"):
        return f"```pycon\n{text}\n```"
    if re.match(r"^\S.*?\S {2,}\S", lines[0]) and not lines[0].startswith("- "):
        return _table(lines)
    return text


def _table(lines: list[str]) -> str:
    """Names and meanings in columns; an indented line goes on with the meaning above it."""
    rows: list[tuple[str, str]] = []
    for line in lines:
        match = re.match(r"^(\S.*?) {2,}(\S.*)$", line) or re.match(r"^(\S[^:]*): (.*)$", line)
        if match:
            rows.append((match[1], match[2]))
        elif line.startswith(" ") and rows:
            rows[-1] = rows[-1][0], f"{rows[-1][1]} {line.strip()}".strip()
        else:
            rows.append((line.strip(), ""))
    cells = [(name.replace("|", "\\|"), meaning.replace("|", "\\|")) for name, meaning in rows]
    return "\n".join(["| argument | meaning |", "|---|---|", *(f"| `{n}` | {m} |" for n, m in cells)])
