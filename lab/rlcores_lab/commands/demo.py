"""`rlcores demo`: a chip learns CartPole; `rlcores demo gae`: the advantages of a live rollout, computed by the RTL."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from rich.console import Console
from rich.live import Live
from rich.table import Table
from typer import Argument, Option

from rlcores.base import paths, report
from rlcores.commands._options import JsonOption
from rlcores.eda import configs
from rlcores.errors import RunFailed, UserError
from rlcores_lab import shown

SECTION = "Train, serve, deploy"

if TYPE_CHECKING:
    from rlcores_lab.demo.gae import Comparison
    from rlcores_lab.demo.learns import Learned


def command(
    what: Annotated[str, Argument(metavar="[WHAT]", help="learns: a chip that learns (default); or gae")] = "learns",
    port: Annotated[
        str | None,
        Option("--port", metavar="PORT", help="learns: a ULX3S with its bitstream, instead of the simulation"),
    ] = None,
    config: Annotated[
        str | None, Option("--config", metavar="NAME", help="gae: configuration of configs.yaml (default: demo)")
    ] = None,
    json_file: JsonOption = None,
    seed: Annotated[
        int | None, Option("--seed", min=0, help="gae: seed of environments, policies and critic (default: 1)")
    ] = None,
    output: Annotated[
        Path | None,
        Option(
            "--output",
            metavar="FILE",
            help="where the picture goes; learns: a name with .gif shows it grow (default: build/demo/WHAT.png)",
        ),
    ] = None,
) -> None:
    """Show a chip that learns CartPole from power-on, and judge its policy in Gymnasium.

    It is the top of the ULX3S as Verilator compiles it, or the board itself. gae: a rollout of CartPole through the RTL
    of the GAE core: clocks, error, memory.
    """
    if what not in ("learns", "gae"):
        raise UserError(f"there is no demo '{what}'; demos: learns, gae")
    if what == "learns" and (config is not None or seed is not None):
        raise UserError(
            "the chip that learns has its configuration and its seed inside; --config and --seed are for gae"
        )
    if what == "gae" and port is not None:
        raise UserError("--port is for learns; the GAE core is simulated here")
    console = shown.console(json_file)
    path = output or paths.build() / "demo" / f"{what}.png"
    if what == "learns":
        _learns(console, json_file, port, path)
    else:
        _gae(console, json_file, config or "demo", 1 if seed is None else seed, path)


def _learns(console: Console, json_file: str | None, port: str | None, path: Path) -> None:
    from rlcores.train import learns as declared
    from rlcores_lab.demo import learns, learns_picture

    declaration, clock = declared.declared(), learns.boards.of(learns.BOARD).clock
    # The first time this compiles the simulator, which takes the greater part of the demo.
    line = learns.board(port) if port else learns.simulated()
    with Live(console=console, auto_refresh=False) as live:

        def told(lines: list[declared.Line]) -> None:
            if console.is_terminal:
                live.update(learns_picture.live(declaration, clock, lines), refresh=True)
            elif lines:
                console.print(lines[-1].text())

        if not console.is_terminal:
            console.print(declared.TITLE)
        result = learns.learn(line, told)
    line.close()
    if path.suffix == ".gif":
        learns_picture.film(declaration, clock, result.lines, path)
    else:
        learns_picture.draw(result, path)
    figures = learns.figures(result)
    report.write(json_file, "demo", "learns", None, learns.BOARD, figures, picture=str(path))
    console.print(_learned(result))
    console.print(f"picture: {path}")
    if not (result.same_curve and result.same_weights):
        raise RunFailed("the chip told other numbers than the integer model has")


def _learned(result: "Learned") -> Table:
    solved, last = result.solved, result.lines[-1]
    declaration, steps = result.made, result.made.envs * result.made.steps
    sizes = " and ".join("-".join(map(str, net.sizes)) for net in declaration.shape.networks.values())
    when = "not reached"
    if solved is not None:
        when = (
            f"after {solved.iteration * steps:,} steps, {solved.clocks:,} clocks: {result.milliseconds(solved):.0f} ms"
        )
    rows = {
        "chip": f"{declaration.envs} CartPoles, PPO with {sizes}, first weights in a ROM",
        f"mean return of {declaration.goal:g}": when,
        "all": f"{last.iteration * steps:,} steps, {last.clocks:,} clocks: {result.milliseconds(last):.0f} ms",
        "clocks per step": f"{last.clocks / (last.iteration * steps):.0f}, acting and training included",
        "clock": str(result.clock),
        "equals the integer model": "bit for bit" if result.same_curve and result.same_weights else "NO",
        "its policy in Gymnasium": f"mean return {result.returns.mean():.1f}, least {result.returns.min():.0f}, "
        f"{len(result.returns)} episodes",
    }
    return shown.table("A chip that learns by itself", [("what", "figure"), *rows.items()], left=("figure",))


def _gae(console: Console, json_file: str | None, config: str, seed: int, path: Path) -> None:
    parameters = configs.load("gae", config)
    from rlcores_lab.demo import gae, gae_picture

    with shown.bar(console, f"stepping {gae.ENVIRONMENTS} CartPole environments", gae.WARM_UP + gae.STEPS) as bar:
        rollout = gae.collect(seed, bar)
        # The first time this compiles the simulator, which says nothing about how far it is.
        bar.say(f"RTL, {parameters['ROWS']} rows: building and running")
        comparison = gae.compare(rollout, config)
        bar.say("drawing")
        gae_picture.draw(comparison, path)
    figures = gae.figures(comparison)
    report.write(json_file, "demo", "gae", config, None, figures, seed=seed, picture=str(path))
    console.print(_table(comparison, {f.name: f.value for f in figures}, config))
    console.print(f"picture: {path}")
    if not comparison.model_equal:
        raise RunFailed("the RTL's advantages differ from the integer model's")


def _table(comparison: "Comparison", figure: dict[str, float], config: str) -> Table:
    p, seen = comparison.parameters, comparison.rollout.seen
    steps, count = seen.rewards.shape
    total = f"rms {figure['gae.error_total_rms']:.4f}, largest {figure['gae.error_total']:.3f}"
    bound = f" (bound {figure['gae.error_arithmetic_bound']:.4f})" if p["OUT_BITS"] == 16 else ""
    rows = {
        "rollout": f"CartPole-v1, {count} environments x {steps:,} steps",
        "ends": f"{figure['demo.terminations']} terminations, {figure['demo.truncations']} truncations",
        "array": f"{p['ROWS']} rows, {p['LANES']} lanes, {p['QBITS']}-bit records, {p['OUT_BITS']}-bit results",
        "clocks": f"{figure['gae.cycles']:,}",
        "elements per clock and row": f"{figure['gae.elements_per_cycle_per_row_overall']:.3f}",
        "row-clocks with a record": f"{figure['gae.occupancy']:.1%}",
        "equals the integer model": "bit for bit" if comparison.model_equal else "NO",
        "advantages": f"rms {figure['gae.advantage_rms']:.2f}, largest {figure['gae.advantage_largest']:.1f}",
        "error, float64 of same inputs": f"largest {figure['gae.error_arithmetic']:.4f}{bound}",
        "error, inputs not quantised": total,
        "stack memory": f"{figure['gae.stack_kib']:.0f} KiB, float32 takes {figure['gae.memory_saved']:.2f} x as much",
        "with the results": f"float32 takes {figure['gae.memory_saved_with_results']:.2f} x as much",
        "beyond the clip range": f"{figure['gae.clipped_rewards']} rewards, {figure['gae.clipped_values']} values",
        "flags": ", ".join(sorted(comparison.rtl.flags)) or "none",
    }
    title = f"Generalised advantages by the RTL, configuration {config}"
    return shown.table(title, [("what", "figure"), *rows.items()], left=("figure",))
