"""Options that several commands share, so that they read and fail alike."""

from typing import Annotated

from typer import Argument, Option

from rlcores.base import report
from rlcores.eda import configs, sim
from rlcores.eda.synth import simulated
from rlcores.errors import UserError

CoreArgument = Annotated[str, Argument(metavar="CORE", help="core, as `rlcores list` names it")]
ConfigOption = Annotated[str | None, Option("--config", metavar="NAME", help="configuration of configs.yaml")]
JsonOption = Annotated[
    str | None,
    Option(
        "--json", metavar="FILE", help="also write the figures as JSON ('-': standard output)", callback=report.ready
    ),
]
SeedOption = Annotated[int | None, Option("--seed", help="seed of the random choices (default: drawn, printed)")]
SimulatorOption = Annotated[
    str | None, Option("--simulator", metavar="NAME", help="verilator or icarus (default: verilator; regress: both)")
]

NetlistOption = Annotated[
    str | None,
    Option("--netlist", metavar="FAMILY", help="simulate the netlist of yosys for ecp5 or xcup, not the RTL"),
]


def parameters(core: str, config: str | None) -> dict[str, int]:
    """The Verilog parameters of a configuration; none (the RTL's own defaults) when config is None."""
    return configs.load(core, config) if config else {}


def numbers(option: str, text: str | None) -> tuple[int, ...] | None:
    """The numbers of N-N-N; None without a text. Raises UserError with the option's name."""
    from rlcores.cores.learner.shape import fields

    try:
        return None if text is None else fields(text)
    except ValueError as error:
        raise UserError(f"{option}: {error}") from None


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
