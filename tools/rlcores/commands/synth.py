"""`rlcores synth CORE --config NAME --device NAME`: what a core takes of a board's device."""

from typing import Annotated

from rich.console import Console
from typer import Option

from rlcores.base import report
from rlcores.commands._options import CoreArgument, JsonOption
from rlcores.eda import configs
from rlcores.errors import RunFailed, UserError

SECTION = "Cores"


def command(
    core: CoreArgument,
    config: Annotated[str, Option("--config", metavar="NAME", help="configuration of configs.yaml")],
    device: Annotated[
        str,
        Option(
            "--device",
            metavar="NAME",
            help="a board, such as zcu106, or ecp5; a family, such as ice40, or `families` for all of them",
        ),
    ],
    seeds: Annotated[
        int | None, Option("--seeds", metavar="N", help="runs of place and route of an ECP5 (default: 4)", min=1)
    ] = None,
    json_file: JsonOption = None,
) -> None:
    """Synthesise a core with yosys and count its cells; on an ECP5 also place, route and pack it."""
    from rlcores.eda import sources
    from rlcores.eda.synth import area, families, placed, tables

    core_file = configs.core(core)
    parameters = configs.load(core_file.name, config)
    if device in families.FAMILIES or device == "families":
        names = list(families.FAMILIES) if device == "families" else [device]
        _families(core_file, config, parameters, names, json_file)
        return
    chosen = tables.device(device)
    console = report.console(json_file)
    if chosen.family == "ecp5":
        read, entry = sources.of_core(core_file.vlnv), tables.core(core_file.name)
        module, effort = entry["placed"], entry.get("effort")
        runs = seeds or placed.SEEDS
        with console.status(f"placing and routing {core_file.name} {config}, {runs} times"):
            routed = placed.place(core_file.name, config, read, module, parameters, chosen, range(1, runs + 1), effort)
        _print_placed(console, routed)
        report.write(
            json_file, "synth", core_file.name, config, device, routed.figures(), slowest_path=routed.best.slowest
        )
        return
    if seeds is not None:
        raise UserError(f"--seeds is for place and route; device '{device}' is only synthesised")
    with console.status(f"synthesising {core_file.name} {config}"):
        result = area.synthesise(core_file.name, core_file.vlnv, config, parameters, chosen)
    _print_area(console, result)
    paper = tables.paper(core_file.name, config)
    report.write(json_file, "synth", core_file.name, config, device, result.figures(), paper=paper)


def _families(core_file, config: str, parameters: dict, names: list[str], json_file) -> None:
    """A line a family: what yosys makes of the core's top, or why it makes nothing."""
    from rlcores.eda import sources
    from rlcores.eda.synth import families, tables

    read, top = sources.of_core(core_file.vlnv), tables.core(core_file.name)["top"]
    console, rows, figures, failed = report.console(json_file), [], [], []
    for name in names:
        try:
            with console.status(f"synthesising {core_file.name} {config} for {name}"):
                cells = families.cells(read, top, parameters, name)
        except RunFailed as error:
            failed.append(f"{name}: {error}")
            continue
        rows.append((name, *(f"{count:,}" for count in cells.values())))
        figures += [
            report.Figure(f"{core_file.name}.{name}.{kind}", count, "cells", "synthesised")
            for kind, count in cells.items()
        ]
    if rows:
        kinds = ("FF", "LUT RAM", "block RAM", "multipliers", "LUT or gates")
        console.print(report.table(f"{core_file.name} {config}, {top}: yosys, not placed", [("family", *kinds), *rows]))
    report.write(json_file, "synth", core_file.name, config, "families", figures)
    if failed:
        raise RunFailed("; ".join(failed))


def _print_area(console: Console, result) -> None:
    from rlcores.eda.synth import area, tables

    per_unit, paper = result.per_unit(), tables.paper(result.core, result.config)
    header = ["", "whole core", "of device"]
    if per_unit:
        header += ["array", f"a {result.unit_name}"]
        header += [f"paper's {result.unit_name}", "paper's array"] if paper else []
    elif paper:
        header.append("paper's")
    rows = [header]
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
        rows.append(cells)
    title = f"{result.core} {result.config} on {result.device.name} ({result.device.part}): yosys, not Vivado"
    console.print(report.table(title, rows))
    if paper:
        console.print(f"Paper: {paper['source']}. {paper['note']}")
    resources = [r.upper() for r in area.RESOURCES]
    if result.parts:
        rows = [(name, *(f"{counts[r]:,g}" for r in area.RESOURCES)) for name, counts in result.parts.items()]
        console.print(report.table("Units (with sub-modules)", [("unit", *resources), *rows]))
    rows = [
        (name, instances, *(f"{counts[r]:,g}" for r in area.RESOURCES))
        for name, instances, counts in result.by_module()
        if any(counts[r] for r in area.RESOURCES)
    ]
    console.print(report.table("Where (without sub-modules)", [("module", "instances", *resources), *rows]))


def _print_placed(console: Console, routed) -> None:
    figures = routed.figures()
    title = f"{routed.core} {routed.config}: {routed.module} on {routed.device.part}, placed and routed"
    rows = [("figure", "value", "unit", "how"), *((f.name, f.value, f.unit, f.how) for f in figures)]
    console.print(report.table(title, rows, left=("unit", "how")))
    console.print(f"Slowest path of the best run: {routed.best.slowest}")
    console.print(
        f"All ports are registered; {routed.pin_registers} FF that stand in for pins are not counted as FF.",
    )
