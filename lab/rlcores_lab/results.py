"""The page docs/results.md and README's ten figures: sentences of *.md.in with the figures in force.

In braces stands what is filled in: 'gae.paper64.clocks' from the baseline of `rlcores qor`; 'gae.tiny.lut%zcu106', a
share of a board; 'clock u200', its clock; 'ns u200 CLOCKS' and 'us u200 CLOCKS', a time at it, with '/N' of one of N
things; 'ratio u200 CLOCKS US', how often that goes into so many microseconds of a peer; and 'commits', where the line's
figures were accepted. CLOCKS is a figure's name or a number. What is not in braces was measured at the commit that the
line says.
"""

import re
from pathlib import Path

from rlcores.base import files, paths
from rlcores.engine import boards
from rlcores.errors import RunFailed
from rlcores_lab.qor.baseline import Baseline

PAGE = Path("docs") / "results.md"
README = Path("README.md")
_HERE = Path(__file__).resolve().parent
_BRACES = re.compile(r"\{([^{}]+)\}")
_TEN = re.compile(r"(<!-- ten figures:[^\n]*-->\n).*?(<!-- end -->\n)", re.S)


def outputs() -> dict[Path, str]:
    """Both files, from the root, and their text."""
    page = filled(files.read_text(_HERE / "results.md.in", "a page with braces"))
    ten = filled(files.read_text(_HERE / "figures.md.in", "a table with braces"))
    readme = (paths.root() / README).read_text()
    return {PAGE: page, README: _TEN.sub(lambda found: found[1] + ten.rstrip("\n") + "\n" + found[2], readme)}


def filled(text: str, baseline: Baseline | None = None) -> str:
    """A text with its braces filled. Raises RunFailed at what no baseline and no board knows."""
    baseline = baseline or Baseline()
    figures = baseline.figures()

    def number(name: str) -> float:
        if name not in figures and not name.isdigit():
            raise RunFailed(f"the baseline of `rlcores qor` has no figure '{name}'")
        return figures[name] if name in figures else float(name)

    def one(words: str, line: str) -> str:
        if words == "commits":
            names = [n for other in _BRACES.findall(line) for n in re.findall(r"[a-z]\w*\.\w+\.\w+", other)]
            return ", ".join(dict.fromkeys(baseline.history(n)[-1][0].split()[1] for n in names))
        what, _, rest = words.partition(" ")
        name, _, after = rest.partition(" ")
        if what == "clock":
            return str(boards.of(name).clock)
        if what in ("ns", "us", "ratio"):
            clocks, _, last = after.partition(" ")
            mhz = boards.of(name).clock.mhz
            if what == "ratio":
                return f"{float(last) * mhz / number(clocks):.2g}"
            each = number(clocks) / float(last.removeprefix("/") or 1) / mhz
            return f"{1e3 * each:.2g} ns" if what == "ns" else f"{each:.3g} µs"
        figure, _, board = words.partition("%")
        if board:
            return f"{100 * number(figure) / boards.of(board).resources[figure.rpartition('.')[2]]:.0f} %"
        value = number(figure)
        return f"{value:,.1f}" if value != int(value) else f"{int(value):,}"

    return "".join(
        _BRACES.sub(lambda found, line=line: one(found[1], line), line) for line in text.splitlines(keepends=True)
    )
