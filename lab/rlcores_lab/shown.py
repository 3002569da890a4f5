"""What the commands of the laboratory show: a console, a bar, tables on a terminal and in Markdown, pictures."""

from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined, select_autoescape
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from rlcores.base.report import cell, console, table

__all__ = ["bar", "console", "markdown", "number", "picture", "rendered", "table"]
Rows = Sequence[Sequence[object]]  # a header, then lines of texts and whole numbers
_TEMPLATES = Environment(
    loader=FileSystemLoader(Path(__file__).resolve().parent), autoescape=select_autoescape(("html.j2", "xml.j2")),
    undefined=StrictUndefined, trim_blocks=True, keep_trailing_newline=True,
)  # fmt: skip


def rendered(template: str, **context: object) -> str:
    """The text of a template of the laboratory: its path from this file's folder, such as 'qor/qor.html.j2'."""
    return _TEMPLATES.get_template(template).render(**context)


class Bar:
    """How far something is. Called once for each thing that is done, perhaps with a line that stays above the bar."""

    def __init__(self, progress: Progress, what: str, total: int | None) -> None:
        self._progress = progress
        self._task = progress.add_task(what, total=total)

    def __call__(self, line: str = "") -> None:
        self._progress.advance(self._task)
        if line:
            self._progress.console.print(line)

    def say(self, what: str) -> None:
        """What is being done."""
        self._progress.update(self._task, description=what)


@contextmanager
def bar(console: Console, what: str = "", total: int | None = None) -> Iterator[Bar]:
    """A bar on a terminal; elsewhere only the lines."""
    counted = [MofNCompleteColumn()] if total else []
    columns = TextColumn("{task.description}"), BarColumn(), *counted, TimeElapsedColumn()
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as progress:
        yield Bar(progress, what, total)


def hinted(words: str, hint: str) -> str:
    """Words in Markdown that show a hint under the pointer."""
    return f'<span title="{hint}">{words}</span>'


def markdown(rows: Rows, left: Collection[str] | None = None) -> str:
    """Rows as Markdown. left: as in table(); without it no column says how it stands."""
    header, *lines = rows
    right = [number and left is not None and name not in left for number, name in enumerate(header)]
    rule = "|".join("---:" if r else "---" for r in right)
    return "".join(f"| {' | '.join(map(cell, line))} |\n" for line in (header, *lines)).replace(
        "|\n", f"|\n|{rule}|\n", 1
    )


def number(value: float) -> str:
    """With commas, and one digit behind the point where it is not whole."""
    return f"{value:,.1f}" if value != int(value) else f"{int(value):,}"


@contextmanager
def picture(path: Path, width: float, height: float, dpi: int = 110):
    """A figure of matplotlib, inches wide and high, that is a file when all is drawn."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(width, height), layout="constrained")
    yield figure
    path.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(path, dpi=dpi)
