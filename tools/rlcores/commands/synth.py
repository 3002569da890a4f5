"""`rlcores synth CORE --config NAME --device NAME`: what a core takes of a board's device."""

from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table

from rlcores.base import report
from rlcores.commands._options import CoreArgument, JsonOption
from rlcores.engine import configs
from rlcores.errors import UserError


def command(
    core: CoreArgument,
    config: Annotated[str, typer.Option("--config", metavar="NAME", help="configuration of configs.yaml")],
    device: Annotated[str, typer.Option("--device", metavar="NAME", help="a board, such as zcu106, or ecp5")],
    seeds: Annotated[int, typer.Option("--seeds", metavar="N", help="runs of place and route (of an ECP5)", min=1)] = 2,
    json_file: JsonOption = None,
) -> None:
    """Synthesise a core with yosys and count its cells; on an ECP5 also place, route and pack it."""
    from rlcores.engine.synth import area, placed, tables

    found = configs.core(core)
    parameters = configs.load(found.name, config)
    chosen = tables.device(device)
    console = Console(stderr=json_file == "-", soft_wrap=True, highlight=False)
    if chosen.family == "ecp5":
        with console.status(f"placing and routing {found.name} {config}, {seeds} times"):
            routed = placed.place(found.name, found.vlnv, config, parameters, chosen, range(1, seeds + 1))
        _print_placed(console, routed)
        report.write(json_file, "synth", found.name, config, device, routed.figures(), slowest_path=routed.best.slowest)
        return
    if seeds != 2:
        raise UserError(f"--seeds is for place and route; device '{device}' is only synthesised")
    with console.status(f"synthesising {found.name} {config}"):
        result = area.synthesise(found.name, found.vlnv, config, parameters, chosen)
    _print_area(console, result)
    paper = tables.paper(found.name, config)
    report.write(json_file, "synth", found.name, config, device, result.figures(), paper=paper)


def _print_area(console: Console, result) -> None:
    from rlcores.engine.synth import area, tables

    title = f"{result.core} {result.config} on {result.device.name} ({result.device.part}): yosys, not Vivado"
    table = Table(title=title, title_justify="left")
    per_unit = result.per_unit()
    paper = tables.paper(result.core, result.config)
    table.add_column("")
    table.add_column("whole core", justify="right")
    table.add_column("of device", justify="right")
    if per_unit:
        table.add_column("array", justify="right")
        table.add_column(f"a {result.unit_name}", justify="right")
        if paper:
            table.add_column(f"paper's {result.unit_name}", justify="right")
            table.add_column("paper's array", justify="right")
    elif paper:
        table.add_column("paper's", justify="right")
    for resource in area.RESOURCES:
        share = 100 * result.total[resource] / result.device.resources[resource]
        cells = [resource.upper(), f"{result.total[resource]:,g}", f"{share:.1f} %"]
        if per_unit:
            cells += [f"{result.array[resource]:,g}", f"{per_unit[resource]:,.2f}"]
            theirs = paper["array"].get(resource) if paper else None
            if theirs is not None:
                cells += [f"{theirs / paper['units']:,.2f}", f"{theirs:,}"]
        elif paper and resource in paper["total"]:
            cells.append(f"{paper['total'][resource]:,}")
        table.add_row(*cells)
    console.print(table)
    if paper:
        console.print(f"Paper: {paper['source']}. {paper['note']}", markup=False)
    if result.parts:
        parts = Table(title="Units (with sub-modules)", title_justify="left")
        for column in ("unit", *(r.upper() for r in area.RESOURCES)):
            parts.add_column(column, justify="left" if column == "unit" else "right")
        for name, counts in result.parts.items():
            parts.add_row(name, *(f"{counts[r]:,g}" for r in area.RESOURCES))
        console.print(parts)
    where = Table(title="Where (without sub-modules)", title_justify="left")
    for column, justify in (
        ("module", "left"),
        ("instances", "right"),
        *((r.upper(), "right") for r in area.RESOURCES),
    ):
        where.add_column(column, justify=justify)
    for name, instances, counts in result.by_module():
        if any(counts[r] for r in area.RESOURCES):
            where.add_row(name, f"{instances:,}", *(f"{counts[r]:,g}" for r in area.RESOURCES))
    console.print(where)


def _print_placed(console: Console, routed) -> None:
    figures = routed.figures()
    title = f"{routed.core} {routed.config}: {routed.module} on {routed.device.part}, placed and routed"
    console.print(report.table(title, figures))
    console.print(f"Slowest path of the best run: {routed.best.slowest}", markup=False)
    console.print(
        f"All ports are registered; {routed.pin_registers} FF that stand in for pins are not counted as FF.",
        markup=False,
    )
