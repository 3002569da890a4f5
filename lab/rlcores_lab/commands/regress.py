"""`rlcores regress`: the UVM regression, and its HTML report; with --long the learning study."""

import os
import random
from typing import Annotated

from typer import Option

from rlcores.base import paths, report, tools
from rlcores.commands import _options
from rlcores.commands._options import ConfigOption, JsonOption, NetlistOption, SeedOption, SimulatorOption
from rlcores.eda import configs, sim
from rlcores.errors import RunFailed, UserError
from rlcores_lab import regress, shown, structural, work
from rlcores_lab.commands.study import learning_command

SECTION = "Cores"


def command(
    seeds: Annotated[
        int | None, Option("--seeds", min=1, help="seeds of each run (default: 2; with --long all)")
    ] = None,
    seed: SeedOption = None,
    simulator: SimulatorOption = None,
    core: Annotated[str | None, Option("--core", metavar="CORE", help="this core only")] = None,
    config: ConfigOption = None,
    netlist: NetlistOption = None,
    structure: Annotated[
        bool, Option("--structural", help="count lines, branches and toggles too, in Verilator")
    ] = False,
    workers: Annotated[int | None, Option("--jobs", min=1, help="simulations at the same time")] = None,
    json_file: JsonOption = None,
    long: Annotated[bool, Option("--long", help="run the study of learning instead: integers against float32")] = False,
) -> None:
    """Run the regression: every configuration, several seeds, both simulators; build/regress/report.html."""
    if long:
        if core not in (None, "learner") or config or simulator or netlist or structure or seed is not None:
            raise UserError("--long is the learning study of the integers; it takes --seeds, --jobs and --json only")
        learning_command(seeds, workers, json_file)
        return
    seeds = seeds or 2
    cores = [configs.core(core)] if core else list(configs.cores().values())
    narrowed = bool(config or simulator or netlist)
    simulator = _options.netlist_simulator(netlist, simulator)
    if netlist and not config:
        # Netlists are slow, and what a map does wrong a small shape shows.
        config = "tiny"
    console = shown.console(json_file)
    simulators = [_options.simulator(simulator)] if simulator else list(sim.TARGETS)
    if simulator is None and not tools.have("iverilog"):
        console.print("iverilog is not on PATH: Verilator only")
        simulators.remove("icarus")
    first = random.randrange(2**30) if seed is None else seed
    jobs = regress.plan(cores, simulators, range(first, first + seeds), config, netlist, structure)
    if not jobs:
        known = sorted({n for c in cores for n in configs.names(c.name)})
        raise UserError(
            f"nothing to simulate with configuration '{config}'; configurations: {', '.join(known) or 'none'}"
            if config
            else "nothing to simulate: no core has a simulation target"
        )
    console.print(f"{len(jobs)} runs, seeds {first} to {first + seeds - 1}")
    with shown.bar(console, "regression", len(jobs)) as bar:
        at_once = workers or min(2, os.cpu_count() or 1)
        results = work.spread(regress.run_job, jobs, at_once, done=lambda done: bar(_failure(*done)))
    page = paths.build() / "regress" / "report.html"
    regress.write_html(page, results)
    merged = regress.coverage(results)
    failed = sum(not result.passed for _, result in results)
    figures = [
        report.Figure("regress.runs", len(results), "runs", "measured"),
        report.Figure("regress.failed", failed, "runs", "measured"),
        *(report.Figure(f"{item.core}.coverage", item.percent, "%", "measured") for item in merged),
    ]
    counted = regress.structure(results)
    figures += [
        report.Figure(f"{item.folder}.coverage_{kind}", item.percent(kind), "%", "measured")
        for item in counted
        for kind in structural.KINDS.values()
    ]
    figures += [
        report.Figure(f"{item.folder}.waived_toggles", sum(item.waived.values()), "toggles", "measured")
        for item in counted
        if item.waived
    ]
    report.write(
        json_file, "regress", core or "all", config, None, figures, first_seed=first, seeds=seeds, netlist=netlist
    )
    for item in merged:
        holes = f", never hit: {', '.join(item.holes)}" if item.holes else ""
        console.print(f"coverage of {item.core}: {item.percent:.1f} % of {len(item.bins)} bins{holes}")
    for item in counted:
        shares = ", ".join(f"{kind} {item.percent(kind):.1f} %" for kind in structural.KINDS.values())
        console.print(f"structure of rtl/{item.folder}: {shares}")
    console.print(f"report: {page}")
    if failed:
        raise RunFailed(f"{failed} of {len(results)} runs failed")
    # One configuration or simulator need not reach every bin; the whole regression must.
    if not narrowed and any(item.holes for item in merged):
        raise RunFailed("the regression leaves coverage bins unhit")
    console.print(f"all {len(results)} runs passed")


def _failure(job: regress.Job, result: sim.SimResult) -> str:
    if result.passed:
        return ""
    name = f"{job.core} {job.config} {job.simulator} seed {job.seed}"
    return f"FAIL  {name}: {result.message}\n      to repeat: {result.repeat}"
