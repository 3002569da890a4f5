"""`rlcores list`: cores, configurations, targets."""

from typing import Annotated

from typer import Argument

from rlcores.base import paths, report
from rlcores.commands._options import ConfigOption, JsonOption
from rlcores.eda import configs
from rlcores.errors import UserError

SECTION = "Cores"

OneCore = Annotated[str | None, Argument(metavar="[CORE]", help="show this core's configurations and targets")]


def command(core: OneCore = None, config: ConfigOption = None, json_file: JsonOption = None) -> None:
    """List the cores and their configurations, or the parameters and targets of one core."""
    cores = [configs.core(core)] if core else list(configs.cores().values())
    chosen = {one.name: [n for n in configs.names(one.name) if config in (None, n)] for one in cores}
    if config and not any(chosen.values()):
        known = sorted({n for one in cores for n in configs.names(one.name)})
        raise UserError(f"no core has a configuration '{config}'; configurations: {', '.join(known) or 'none'}")
    if json_file != "-":
        if core or config:
            _print_parameters(chosen)
        else:
            _print_cores(cores)
        _print_end(cores[0] if core else None)
    listing = [
        {
            "name": one.name,
            "vlnv": one.vlnv,
            "description": one.description,
            "targets": list(one.targets),
            "configs": {name: configs.load(one.name, name) for name in chosen[one.name]},
        }
        for one in cores
    ]
    report.write(json_file, "list", core or "", config, None, [], cores=listing, library=str(paths.root()))


def _print_cores(cores: list[configs.Core]) -> None:
    rows = [(one.name, one.vlnv, ", ".join(configs.names(one.name)) or "-") for one in cores]
    header = ("core", "VLNV", "configurations")
    report.console(None).print(report.table("Cores", [header, *rows], left=header, whole=("VLNV",)))


def _print_parameters(chosen: dict[str, list[str]]) -> None:
    console = report.console(None)
    for core, names in chosen.items():
        if names:
            parameters = {name: configs.load(core, name).items() for name in names}
            rows = [(n, ", ".join(f"{p}\N{NO-BREAK SPACE}{v}" for p, v in parameters[n])) for n in names]
            header = ("name", "parameters")
            console.print(report.table(f"Configurations of {core}", [header, *rows], left=header))


def _print_end(core: configs.Core | None) -> None:
    if core:
        print(f"{core.vlnv}: {core.description}", f"targets: {', '.join(core.targets)}", sep="\n")
    else:
        print("parameters and targets of one core: rlcores list CORE")
    print(f"FuseSoC library: {paths.root()}")
