"""`rlcores list`: cores, configurations, targets."""

from rlcores.base import paths, report
from rlcores.commands._options import ConfigOption, JsonOption
from rlcores.eda import configs
from rlcores.errors import UserError

SECTION = "Cores"


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
    console = report.console(None)
    rows = [(name, core.vlnv, core.description, ", ".join(core.targets)) for name, core in configs.cores().items()]
    header = ("core", "VLNV", "what it does", "targets")
    console.print(report.table("Cores", [header, *rows], left=header))
    for core, names in chosen.items():
        found = {name: configs.load(core, name) for name in names}
        if not names:
            continue
        header = tuple(found[names[0]])
        if len(header) > _COLUMNS:
            rows = [(n, ", ".join(f"{p}\N{NO-BREAK SPACE}{v}" for p, v in found[n].items())) for n in names]
            header = ("parameters",)
        else:
            rows = [(n, *(str(found[n].get(p, "")) for p in header)) for n in names]
        console.print(report.table(f"Configurations of {core}", [("name", *header), *rows], left=("parameters",)))
    console.print(f"FuseSoC library: {paths.root()}")
