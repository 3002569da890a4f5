"""`rlcores sim CORE`: build and run a core's cocotb tests."""

from typing import Annotated

from typer import Option

from rlcores.base import report
from rlcores.commands import _options
from rlcores.commands._options import ConfigOption, CoreArgument, JsonOption, NetlistOption, SeedOption, SimulatorOption
from rlcores.eda import configs, sim
from rlcores.errors import RunFailed

SECTION = "Cores"


def command(
    core: CoreArgument,
    config: ConfigOption = None,
    simulator: SimulatorOption = None,
    seed: SeedOption = None,
    netlist: NetlistOption = None,
    test: Annotated[str | None, Option("--test", metavar="NAME", help="run this one test")] = None,
    json_file: JsonOption = None,
) -> None:
    """Simulate a core with its cocotb tests."""
    core_file = configs.core(core)
    simulator = _options.netlist_simulator(netlist, simulator) or "verilator"
    target = _options.target(core_file, sim.TARGETS[_options.simulator(simulator)])
    parameters = _options.parameters(core_file.name, config)
    console = report.console(json_file)
    with console.status(f"simulating {core_file.vlnv} ({config or 'default parameters'}, {target})"):
        result = sim.run(core_file.vlnv, target, parameters, testcase=test, seed=seed, netlist=netlist, check=False)
    for item in result.tests:
        if not item.skipped:
            console.print(f"{'PASS' if item.passed else 'FAIL'}  {item.module}.{item.name}  {item.seconds:.1f} s")
    done = [t for t in result.tests if not t.skipped]
    figures = [
        report.Figure(f"{core_file.name}.tests", len(done), "tests", "measured"),
        report.Figure(f"{core_file.name}.tests_failed", sum(not t.passed for t in done), "tests", "measured"),
    ]
    report.write(
        json_file, "sim", core_file.name, config, None, figures, seed=result.seed, netlist=netlist, passed=result.passed
    )
    if not result.passed:
        raise RunFailed(sim.explain(result))
    console.print(f"{len(done)} tests passed, seed {result.seed}")
