"""Options that several commands share, so that they read and fail alike."""

from typing import Annotated

import typer

from rlcores.engine import configs, sim
from rlcores.engine.synth import simulated
from rlcores.errors import UserError

CoreArgument = Annotated[str, typer.Argument(metavar="CORE", help="core, as `rlcores list` names it")]
ConfigOption = Annotated[str | None, typer.Option("--config", metavar="NAME", help="configuration of configs.yaml")]
JsonOption = Annotated[
    str | None, typer.Option("--json", metavar="FILE", help="also write the figures as JSON ('-': standard output)")
]
SeedOption = Annotated[int | None, typer.Option("--seed", help="seed of the random choices (default: drawn, printed)")]
SimulatorOption = Annotated[
    str | None, typer.Option("--simulator", metavar="NAME", help="verilator or icarus (default: see the command)")
]

NetlistOption = Annotated[
    str | None,
    typer.Option("--netlist", metavar="FAMILY", help="instead of the RTL what yosys makes of it for ecp5 or xcup"),
]


def parameters(core: str, config: str | None) -> dict[str, int]:
    """The Verilog parameters of a configuration; none (the RTL's own defaults) when config is None."""
    return configs.load(core, config) if config else {}


def simulator(name: str) -> str:
    """Check a simulator's name. Raises UserError listing what there is."""
    if name not in sim.TARGETS:
        raise UserError(f"there is no simulator '{name}'; simulators: {', '.join(sim.TARGETS)}")
    return name


def netlist_simulator(family: str | None, name: str | None) -> str | None:
    """The simulator to use: netlists know only Verilator. Raises UserError for another one, or an unknown family."""
    if family is None:
        return name
    simulated.family(family)
    if name not in (None, "verilator"):
        raise UserError(f"netlists are simulated by verilator, not by {name}")
    return "verilator"


def target(core: configs.Core, name: str) -> str:
    """Check that a core has a target. Raises UserError listing its targets."""
    if name not in core.targets:
        raise UserError(f"core '{core.name}' has no target '{name}'; targets: {', '.join(core.targets)}")
    return name
