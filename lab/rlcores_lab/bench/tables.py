"""What the benchmarks of all cores show alike: an outcome, its tables, and ratios in words."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from rich import box
from rich.table import Table

from rlcores.base.report import Figure

Step = Callable[[str], None]  # hears what comes next


@dataclass(frozen=True)
class Outcome:
    """What a benchmark found: figures for --json, and tables and sentences for a person, in order."""

    figures: list[Figure]
    shown: list[Table | str]


def table(title: str, columns: Sequence[str]) -> Table:
    """An empty table; the first column is text, the others are numbers."""
    found = Table(title=title, title_justify="left", box=box.SIMPLE_HEAD, padding=(0, 0, 0, 1))
    found.add_column(columns[0], no_wrap=True)
    for name in columns[1:]:
        found.add_column(name, justify="right", no_wrap=True)
    return found


def times(ratio: float) -> str:
    """A ratio with three digits."""
    return f"{ratio:,.0f}" if ratio >= 100 else f"{ratio:.3g}"


def against(ratio: float) -> str:
    """How much time something takes that is `ratio` times faster: '1/8 of the' or '2 times the'."""
    return f"1/{ratio:.3g} of the" if ratio >= 1 else f"{1 / ratio:.3g} times the"
