"""`rlcores bench CORE`: clocks of the RTL, beside CPU peers timed in the same run."""

from importlib import import_module
from typing import Annotated

import typer
from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

from rlcores.base import report
from rlcores.commands._options import ConfigOption, CoreArgument, JsonOption
from rlcores.engine import boards, configs
from rlcores.errors import UserError

# Core -> its module, with run(), DEFAULT (what is measured without --config) and CORES (whose configurations it knows).
_BENCHES = {
    "gae": "rlcores_lab.bench.gae_tables",
    "sumtree": "rlcores_lab.bench.sumtree_tables",
    "learner": "rlcores_lab.bench.learner_tables",
    "replay_learner": "rlcores_lab.bench.system_tables",
}
_ALSO = {"system": "replay_learner"}  # further names of cores


def command(
    core: CoreArgument,
    config: ConfigOption = None,
    json_file: JsonOption = None,
    board: Annotated[str, typer.Option("--board", metavar="NAME", help="board whose clock times are at")] = "u200",
    clock: Annotated[
        float | None,
        typer.Option("--clock", metavar="MHZ", min=1.0, help="another clock, called assumed (default: the board's)"),
    ] = None,
    seed: Annotated[int, typer.Option("--seed", help="seed of the random traffic")] = 1,
) -> None:
    """Cycles and throughput of the RTL (Verilator), and how long the same takes on this machine's processor."""
    found = configs.core(_ALSO.get(core, core))
    if found.name not in _BENCHES:
        raise UserError(f"core '{found.name}' has no benchmark; cores with one: {', '.join(_BENCHES)}")
    bench = import_module(_BENCHES[found.name])
    names = {name: core for core in reversed(bench.CORES) for name in configs.names(core)}
    if config and config not in names:
        allowed = ", ".join(name for core in bench.CORES for name in configs.names(core))
        raise UserError(f"core '{found.name}' has no configuration '{config}'; configurations: {allowed}")
    at = boards.of(board).clock if clock is None else boards.Clock(clock)
    chosen = {name: configs.load(names[name], name) for name in ([config] if config else bench.DEFAULT)}
    console = Console(stderr=json_file == "-", highlight=False)
    with Progress(
        TextColumn("{task.description}"), BarColumn(), TimeElapsedColumn(), console=console, transient=True
    ) as progress:
        bar = progress.add_task("", total=None)
        outcome = bench.run(chosen, at, seed, lambda what: progress.update(bar, description=what))
    report.write(json_file, "bench", found.name, config, None, outcome.figures, seed=seed)
    for item in outcome.shown:
        console.print(item, soft_wrap=isinstance(item, str))
