"""`rlcores lint [CORE]`: all warnings of slang and Verilator, none allowed; slang reads every configuration."""

import os
from concurrent.futures import ThreadPoolExecutor
from typing import Annotated

from typer import Argument, Option

from rlcores.base import report
from rlcores.commands import _options
from rlcores.commands._options import JsonOption
from rlcores.eda import configs, lint
from rlcores.errors import RunFailed

SECTION = "Cores"


def command(
    core: Annotated[str | None, Argument(metavar="[CORE]", help="core (default: all)")] = None,
    whole: Annotated[
        bool, Option("--whole", help="run all of Verilator's passes in every configuration (minutes)")
    ] = False,
    json_file: JsonOption = None,
) -> None:
    """Lint the RTL of a core, or of all cores, in every configuration.

    Without --whole, Verilator runs all passes on a core's first configuration, elaborates its defaults and the
    configurations that are simulated, and leaves those of boards to slang.
    """
    everything = [*configs.cores().values(), *(c for c in configs.systems().values() if "lint" in c.targets)]
    cores = [configs.core(core)] if core else everything
    console = report.console(json_file)
    for item in cores:
        _options.target(item, "lint")
    runs = [(item, config) for item in cores for config in (None, *configs.names(item.name))]
    failed = []

    def lint_one(run: tuple[configs.Core, str | None]) -> tuple[bool, str]:
        item, config = run
        parameters = configs.load(item.name, config) if config else None
        first = config == next(iter(configs.names(item.name)), None)
        elaborated = whole or first or config is None or configs.get(item.name, config).sim
        thorough = first or (whole and config is None)
        return lint.run(item.vlnv, parameters, thorough=thorough, whole=whole or first, verilator=elaborated)

    for item in cores:
        lint.of_core(item.vlnv)  # kept; FuseSoC reads one core at a time
    # A linter is one thread, and takes up to a gigabyte for the largest cores.
    with ThreadPoolExecutor(min(4, os.cpu_count() or 1)) as pool:
        for (item, config), (clean, text) in zip(runs, pool.map(lint_one, runs), strict=True):
            console.print(f"{'PASS' if clean else 'FAIL'}  {item.vlnv}{f' {config}' if config else ''}")
            if not clean:
                console.print(text)
                failed.append(item.name)
    figures = [report.Figure(f"{c.name}.lint_clean", int(c.name not in failed), "bool", "measured") for c in cores]
    report.write(json_file, "lint", core or "all", None, None, figures)
    if failed:
        raise RunFailed(f"lint found warnings or errors in: {', '.join(dict.fromkeys(failed))}")
