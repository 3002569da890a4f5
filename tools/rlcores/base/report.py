"""Figures: the one JSON form of every command, and its table for people."""

import errno
import json
import os
import subprocess
import sys
from collections.abc import Collection, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Literal, get_args

from rich import box
from rich.console import Console
from rich.table import Table

from rlcores.base import paths
from rlcores.errors import UserError

How = Literal["measured", "placed", "synthesised", "model", "assumed"]


@dataclass(frozen=True)
class Figure:
    """One number and where it comes from.

    name is dotted and stable ('gae.cycles'); how is 'measured' (counted or timed in this run), 'placed' (place
    and route), 'synthesised' (yosys), 'model' or 'assumed'. Raises UserError for any other `how`.
    """

    name: str
    value: float | int | str | None
    unit: str
    how: How

    def __post_init__(self) -> None:
        if self.how not in get_args(How):
            raise UserError(f"figure '{self.name}' says how='{self.how}'; allowed: {', '.join(get_args(How))}")


def commit(but: str = "") -> str:
    """The commit of the checkout, with '+' when files differ from it; 'unknown' outside a checkout.

    but: a file, from the root, that may differ.
    """

    def git(*args: str) -> str:
        done = subprocess.run(["git", "-C", str(paths.root()), *args], capture_output=True, text=True, check=True)
        return done.stdout.strip()

    try:
        others = ["--", ".", f":(exclude,top){but}"] if but else []
        return git("rev-parse", "--short=12", "HEAD") + ("+" if git("status", "--porcelain", "-uno", *others) else "")
    except (OSError, subprocess.CalledProcessError):
        return "unknown"


def document(
    command: str, core: str, config: str | None, device: str | None, figures: Sequence[Figure], **extra: object
) -> dict:
    """The JSON form as a dictionary: command, commit, core, config, device, figures, and any extra keys."""
    about = {"command": command, "commit": commit(), "core": core, "config": config, "device": device}
    return about | {"figures": [asdict(f) for f in figures], **extra}


def write(
    path: str | Path | None,
    command: str,
    core: str,
    config: str | None,
    device: str | None,
    figures: Sequence[Figure],
    **extra: object,
) -> None:
    """Write the JSON form to a file, or to standard output when path is '-'. Does nothing when path is None.

    Raises UserError when the file cannot be written.
    """
    if path is not None:
        put(path, json.dumps(document(command, core, config, device, figures, **extra), indent=2) + "\n")


def put(path: str | Path, text: str) -> None:
    """Write a text to a file, with its folders, or to standard output when path is '-'.

    Raises UserError when the file cannot be written.
    """
    if str(path) == "-":
        sys.stdout.write(text)
        return
    try:
        Path(path).parent.mkdir(parents=True, exist_ok=True)
        Path(path).write_text(text)
    except OSError as error:
        raise UserError(f"cannot write '{path}': {error.strerror}") from error


def ready(path: str | None) -> str | None:
    """The path, for put(). Raises UserError, before any work is done, when no file can be written there."""
    if path is None or path == "-":
        return path
    place = Path(path).absolute()
    there = next(p for p in (place, *place.parents) if os.path.exists(p))
    wrong = errno.EISDIR if place.is_dir() else 0 if there == place or there.is_dir() else errno.ENOTDIR
    if not wrong and not os.access(there, os.W_OK):
        wrong = errno.EACCES
    if wrong:
        raise UserError(f"cannot write '{path}': {os.strerror(wrong)}")
    return path


def console(json_file: str | Path | None, width: int = 0) -> Console:
    """For what a person reads: standard error when the figures go to standard output. width: letters, at least."""
    made = Console(stderr=json_file == "-", soft_wrap=True, markup=False, highlight=False)
    made.width = max(made.width, width)
    return made


def table(
    title: str, rows: Sequence[Sequence[object]], left: Collection[str] = (), whole: Collection[str] = ()
) -> Table:
    """A header and rows for a terminal.

    The first column and those of `left` are text, the others are numbers. The first column and those of `whole` are
    never wrapped.
    """
    header, *lines = rows
    shown = Table(title=title, title_justify="left", box=box.SIMPLE_HEAD, padding=(0, 0, 0, 1))
    for number, name in enumerate(header):
        shown.add_column(
            name, justify="right" if number and name not in left else "left", no_wrap=not number or name in whole
        )
    for line in lines:
        shown.add_row(*map(cell, line))
    return shown


def cell(value: object) -> str:
    """A number of a table as people read it; texts as they are."""
    if isinstance(value, float):
        return f"{value:,.6g}"
    return f"{value:,}" if isinstance(value, int) else str(value)
