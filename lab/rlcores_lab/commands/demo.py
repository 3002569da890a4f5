"""`rlcores demo`: the advantages of a live CartPole rollout, computed by the RTL."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from rich.table import Table
from typer import Option

from rlcores.base import paths, report
from rlcores.commands._options import JsonOption
from rlcores.engine import configs
from rlcores.errors import RunFailed
from rlcores_lab import shown

if TYPE_CHECKING:
    from rlcores_lab.demo.gae import Comparison


def command(
    config: Annotated[str, Option("--config", metavar="NAME", help="configuration of configs.yaml")] = "demo",
    json_file: JsonOption = None,
    seed: Annotated[int, Option("--seed", min=0, help="seed of environments, policies and critic")] = 1,
    output: Annotated[
        Path | None,
        Option("--output", metavar="PNG", help="where the picture goes (default: build/demo/gae.png)"),
    ] = None,
) -> None:
    """A PPO-shaped rollout of CartPole-v1 through the RTL: clocks, error, memory, and a picture."""
    parameters = configs.load("gae", config)
    console = shown.console(json_file)
    from rlcores_lab.demo import gae, picture

    with shown.bar(console, f"stepping {gae.ENVIRONMENTS} CartPole environments", gae.WARM_UP + gae.STEPS) as bar:
        rollout = gae.collect(seed, bar)
        # The first time this compiles the simulator, which says nothing about how far it is.
        bar.say(f"RTL, {parameters['ROWS']} rows: building and running")
        found = gae.compare(rollout, config)
        bar.say("drawing")
        path = output or paths.build() / "demo" / "gae.png"
        picture.draw(found, path)
    figures = gae.figures(found)
    report.write(json_file, "demo", "gae", config, None, figures, seed=seed, picture=str(path))
    console.print(_table(found, {f.name: f.value for f in figures}, config))
    console.print(f"picture: {path}")
    if not found.model_equal:
        raise RunFailed("the RTL's advantages differ from the integer model's")


def _table(found: "Comparison", figure: dict[str, float], config: str) -> Table:
    p, seen = found.parameters, found.rollout.seen
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
        "equals the integer model": "bit for bit" if found.model_equal else "NO",
        "advantages": f"rms {figure['gae.advantage_rms']:.2f}, largest {figure['gae.advantage_largest']:.1f}",
        "error, float64 of same inputs": f"largest {figure['gae.error_arithmetic']:.4f}{bound}",
        "error, inputs not quantised": total,
        "stack memory": f"{figure['gae.stack_kib']:.0f} KiB, float32 takes {figure['gae.memory_saved']:.2f} x as much",
        "with the results": f"float32 takes {figure['gae.memory_saved_with_results']:.2f} x as much",
        "beyond the clip range": f"{figure['gae.clipped_rewards']} rewards, {figure['gae.clipped_values']} values",
        "flags": ", ".join(sorted(found.rtl.flags)) or "none",
    }
    title = f"Generalised advantages by the RTL, configuration {config}"
    return shown.table(title, [("what", "figure"), *rows.items()], left=("figure",))
