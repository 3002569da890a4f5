"""The `rlcores` command: collects its commands and turns errors and warnings into one line each."""

import contextlib
import difflib
import importlib
import os
import pkgutil
import re
import sys
import warnings
from collections.abc import Callable, Collection, Iterator, Sequence
from functools import cache
from importlib.metadata import entry_points
from typing import Annotated, Any

import typer

import rlcores
from rlcores import commands
from rlcores.base import paths, tools
from rlcores.errors import CoreWarning, RunFailed, UserError

# typer carries its own click; its usage error is found through the class that typer exports.
_UsageError = typer.BadParameter.__mro__[1]

_RENAMED = {"docs": "generate"}
SECTIONS = ("Train, serve, deploy", "Cores", "Measure", "Write")


def _first_sentence(text: str | None) -> str:
    return re.split(r"\.(?: (?=[A-Z])|$)", " ".join((text or "").split()), maxsplit=1)[0]


class _Commands(typer.core.TyperGroup):
    """The commands in sections, each with its whole first sentence."""

    def format_commands(self, ctx, formatter) -> None:
        for section in SECTIONS:
            self._section(section, [n for n in self.list_commands(ctx) if _sections.get(n) == section], formatter)

    def _section(self, title: str, names: list[str], formatter) -> None:
        if names:
            with formatter.section(title):
                formatter.write_dl([(name, _first_sentence(self.commands[name].help)) for name in names])


class _Group(_Commands):
    """A command with commands of its own, in one section."""

    def format_commands(self, ctx, formatter) -> None:
        self._section("Commands", self.list_commands(ctx), formatter)


class _Command(typer.core.TyperCommand):
    """A command whose options are given once: of two values one would go unheard."""

    def parse_args(self, ctx, args: list[str]) -> list[str]:
        once = {
            name: option
            for option in self.params
            if isinstance(option, typer.core.TyperOption) and not option.multiple and not option.count
            for name in (*option.opts, *option.secondary_opts)
        }
        seen, words = set(), iter(args)
        for word in words:
            name, _, value = word.partition("=")
            if word == "--":
                break
            if option := once.get(name):
                if option.name in seen:
                    raise UserError(f"{name} is given twice")
                seen.add(option.name)
                for _ in range(0 if option.is_flag or value else option.nargs):
                    next(words, None)
        return super().parse_args(ctx, args)


def _version(wanted: bool) -> None:
    if wanted:
        engine = "" if tools.have_package("_rlcores_native") else ", without the native engine"
        print(f"rlcores {rlcores.__version__}{engine}")
        raise typer.Exit


_ANYTHING = {"allow_extra_args": True, "ignore_unknown_options": True}


def _absent(error: ModuleNotFoundError) -> Callable[[], None]:
    """What stands for a command whose packages are not installed."""
    if (error.name or "").partition(".")[0] == "rlcores":
        raise error

    def say() -> None:
        raise error

    return say


# Ours, and those of other distributions: the laboratory's.
_modules = {m.name: f"{commands.__name__}.{m.name}" for m in pkgutil.iter_modules(commands.__path__)}
_modules |= {point.name: point.value for point in entry_points(group=commands.__name__)}
_commands = sorted(name for name in _modules if not name.startswith("_"))
_sections: dict[str, str] = {}  # of the commands that were imported


def _root(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version and exit.")
    ] = False,
) -> None:
    # A callback keeps `rlcores list` a sub-command however many commands there are.
    pass


@cache
def application(names: tuple[str, ...] = tuple(_commands)) -> typer.Typer:
    """The command line with these commands alone: to import all takes longer than most of them run."""
    app = typer.Typer(
        cls=_Commands,
        help="Verilog cores for reinforcement learning: build, verify, measure and drive them.",
        add_completion=False,
        rich_markup_mode=None,
        pretty_exceptions_enable=False,
    )
    app.callback()(_root)
    for name in names:
        try:
            module = importlib.import_module(_modules[name])
        except ModuleNotFoundError as error:
            app.command(name, context_settings=_ANYTHING, help="Needs more packages.")(_absent(error))
            _sections[name] = SECTIONS[-1]
            continue
        _sections[name] = getattr(module, "SECTION", SECTIONS[-1])
        if hasattr(module, "group"):
            for info in module.group.registered_commands:
                info.cls = _Command
            app.add_typer(module.group, name=name, cls=_Group)
        else:
            app.command(name, cls=_Command)(module.command)
    return app


def run(arguments: Sequence[str] | None = None) -> int:
    """Run one command line and return its exit code: 0 done, 1 the work failed, 2 a wrong argument.

    Codes 1 and 2 come with a sentence on standard error.
    """
    try:
        command_line = list(sys.argv[1:] if arguments is None else arguments) or ["--help"]
        first = next((word for word in command_line if not word.startswith("-")), "")
        app = application((first,) if first in _commands else tuple(_commands))
        with _worded_warnings():
            code = app(args=command_line, prog_name="rlcores", standalone_mode=False)
        return code if isinstance(code, int) else 0
    except UserError as error:
        return _say(str(error), 2)
    except _UsageError as error:
        message = " ".join(error.format_message().split()).rstrip(".")
        if message.startswith("No such command"):
            message = message.partition("'. ")[0].rstrip("'") + "'"  # without what typer takes for the nearest one
            there = getattr(error.ctx and error.ctx.command, "commands", None)
            if near := _nearest(message.split("'")[1], there or _commands):
                message += f"; did you mean '{near}'"
            message += f"; commands: {', '.join(sorted(there or _commands))}"
            if set(there or _commands) == set(_commands) and not tools.have_package("rlcores_lab"):
                message += "; pip install ./lab in a clone of rlcores brings more"
        return _say(message, 2)
    except ModuleNotFoundError as error:
        hint = "pip install 'rlcores[eda,train]' brings all"
        return _say(f"the Python package '{error.name}' is not installed; {hint}", 2)
    except RunFailed as error:
        full = paths.full()
        return _say(full, 2) if full else _say(str(error), 1)
    except (KeyboardInterrupt, typer.Abort):
        return _say("stopped", 130)
    except BrokenPipeError:
        # Whoever read our output has gone. Nothing more may be written to it, at the interpreter's end either.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    except OSError as error:
        # A full disk, a folder that may not be written: where it is known what was tried, it was said already.
        name = error.filename2 or error.filename  # the second is where something was copied to
        where = f"'{name}': " if name else ""
        return _say(f"{where}{error.strerror or ' '.join(str(error).split()) or type(error).__name__}", 2)


@contextlib.contextmanager
def _worded_warnings() -> Iterator[None]:
    """Our warnings are a sentence, as errors are, without the line of a program that the user did not write."""
    usual = warnings.formatwarning

    def worded(message: Warning | str, category: type[Warning], *where: Any, **more: Any) -> str:
        if issubclass(category, CoreWarning):
            return f"rlcores: {message}\n"
        return usual(message, category, *where, **more)

    warnings.formatwarning = worded
    try:
        yield
    finally:
        warnings.formatwarning = usual


def _nearest(name: str, known: Collection[str]) -> str | None:
    """The command that is meant: what one that had this name is called now, or the one most like it."""
    now = _RENAMED.get(name)
    return now if now in known else next(iter(difflib.get_close_matches(name, known, 1)), None)


def _say(message: str, code: int) -> int:
    print(f"rlcores: {message}", file=sys.stderr)
    return code
