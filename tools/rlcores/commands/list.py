"""`rlcores list`: cores, configurations, targets."""

from rich.console import Console
from rich.table import Table

from rlcores.base import paths, report
from rlcores.commands._options import ConfigOption, JsonOption
from rlcores.engine import configs
from rlcores.errors import UserError


def command(config: ConfigOption = None, json_file: JsonOption = None) -> None:
    """Cores, their configurations and their targets."""
    cores = configs.cores().values()
    chosen = {core.name: [n for n in configs.names(core.name) if config in (None, n)] for core in cores}
    if config and not any(chosen.values()):
        known = sorted({n for core in cores for n in configs.names(core.name)})
        raise UserError(f"no core has a configuration '{config}'; configurations: {', '.join(known) or 'none'}")
    if json_file != "-":
        _print(chosen)
    listing = [
        {
            "name": core.name,
            "vlnv": core.vlnv,
            "description": core.description,
            "targets": list(core.targets),
            "configs": {name: configs.load(core.name, name) for name in chosen[core.name]},
        }
        for core in cores
    ]
    report.write(json_file, "list", "", config, None, [], cores=listing, library=str(paths.root()))


_COLUMNS = 12  # more parameters do not fit beside one another


def _print(chosen: dict[str, list[str]]) -> None:
    console = Console()
    table = Table(title="Cores", title_justify="left")
    for column in ("core", "VLNV", "what it does", "targets"):
        table.add_column(column)
    for name, core in configs.cores().items():
        table.add_row(name, core.vlnv, core.description, ", ".join(core.targets))
    console.print(table)
    for core, names in chosen.items():
        if not names:
            continue
        table = Table(title=f"Configurations of {core}", title_justify="left")
        parameters = list(configs.load(core, names[0]))
        table.add_column("name", no_wrap=True)
        wide = len(parameters) > _COLUMNS
        if wide:
            table.add_column("parameters")
        for parameter in [] if wide else parameters:
            table.add_column(parameter, justify="right")
        for name in names:
            values = configs.load(core, name)
            if wide:
                table.add_row(name, ", ".join(f"{p}\N{NO-BREAK SPACE}{values[p]}" for p in parameters))
            else:
                table.add_row(name, *(str(values.get(p, "")) for p in parameters))
        console.print(table)
    console.print(f"FuseSoC library: {paths.root()}", soft_wrap=True, highlight=False)
