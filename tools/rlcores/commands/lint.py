"""`rlcores lint [CORE]`: all warnings of Verilator, none allowed, in every configuration."""

from typing import Annotated

import typer
from rich.console import Console

from rlcores import configs, lint, report
from rlcores.commands import _options
from rlcores.commands._options import JsonOption
from rlcores.errors import RunFailed


def command(
    core: Annotated[str | None, typer.Argument(metavar="[CORE]", help="core (default: all)")] = None,
    json_file: JsonOption = None,
) -> None:
    """Lint the RTL of a core, or of all cores, in every configuration."""
    everything = [*configs.cores().values(), *(c for c in configs.systems().values() if "lint" in c.targets)]
    cores = [configs.core(core)] if core else everything
    console = Console(stderr=json_file == "-", soft_wrap=True, markup=False, highlight=False)
    failed = []
    for item in cores:
        _options.target(item, "lint")
        for config in [None, *configs.names(item.name)]:
            clean, text = lint.run(item.vlnv, configs.load(item.name, config) if config else None)
            console.print(f"{'PASS' if clean else 'FAIL'}  {item.vlnv}{f' {config}' if config else ''}")
            if not clean:
                console.print(text)
                failed.append(item.name)
    figures = [report.Figure(f"{c.name}.lint_clean", int(c.name not in failed), "bool", "measured") for c in cores]
    report.write(json_file, "lint", core or "all", None, None, figures)
    if failed:
        raise RunFailed(f"lint found warnings or errors in: {', '.join(dict.fromkeys(failed))}")
