"""The learning chip in pictures: bars on the terminal while it learns, a PNG of the whole run, a GIF of its growth."""

from pathlib import Path

from rich.console import Group
from rich.panel import Panel
from rich.text import Text

from rlcores.eda.boards import Clock
from rlcores.train.learns import Learns, Line
from rlcores_lab import shown
from rlcores_lab.demo.learns import EPISODES, Learned

_ROWS = 10
_BLOCKS = " ▁▂▃▄▅▆▇█"
_LAMPS = 8
_FRAMES, _STANDS = 5, 15  # frames a second; how many the last one stands
_MEAN, _GOAL = "#0072b2", "#d55e00"


def live(made: Learns, clock: Clock, lines: list[Line]) -> Panel:
    """The curve so far: a column an iteration, as high as its mean return; below it numbers and the board's lamps."""
    text = Text(no_wrap=True)
    highest = made.goal * 20 / 19  # 500 for CartPole
    for row in reversed(range(_ROWS)):
        text.append(f"{highest * (row + 1) / _ROWS:5.0f} │ ", style="dim")
        for line in lines[-made.iterations :]:
            part = line.mean * _ROWS / highest - row
            block = _BLOCKS[round(8 * min(max(part, 0), 1))]
            text.append(block, style="green" if line.mean >= made.goal else "cyan")
        text.append("\n")
    last = lines[-1] if lines else Line(0, 0, 0, 0)
    lit = _lit(made, last)
    steps = last.iteration * made.envs * made.steps
    lamps = Text.assemble(
        "LEDs ", ("●" * lit, "red"), ("○" * (_LAMPS - lit), "dim"),
        f"  iteration {last.iteration} of {made.iterations}, mean return {last.mean}, {steps:,} steps, ",
        f"{last.clocks:,} clocks: {last.clocks / clock.mhz / 1e3:.0f} ms at {clock}",
    )  # fmt: skip
    return Panel(Group(text, lamps), title="a chip learns CartPole", expand=False)


def _lit(made: Learns, line: Line) -> int:
    """How many of the board's LEDs are on."""
    return sum(line.mean >= made.goal * (k + 1) / _LAMPS for k in range(_LAMPS))


def film(made: Learns, clock: Clock, lines: list[Line], path: Path) -> None:
    """Write the run as a GIF, a frame an iteration: the curve, the numbers that the chip says, the board's LEDs."""
    from matplotlib.animation import PillowWriter
    from matplotlib.figure import Figure

    path.parent.mkdir(parents=True, exist_ok=True)
    figure, writer = Figure(figsize=(7, 3.4), layout="constrained"), PillowWriter(fps=_FRAMES)
    with writer.saving(figure, str(path), dpi=100):
        for count in [*range(1, len(lines) + 1), *[len(lines)] * _STANDS]:
            figure.clear()
            said, last = lines[:count], lines[count - 1]
            axis = figure.add_subplot()
            axis.bar(range(1, count + 1), [line.mean for line in said], color=_MEAN)
            axis.axhline(made.goal, color=_GOAL, linestyle="--", linewidth=1, label=f"goal, {made.goal:g}")
            axis.set(xlim=(0, len(lines) + 1), ylim=(0, 1.2 * made.goal), xlabel="iteration", ylabel="mean return")
            axis.spines[["top", "right"]].set_visible(False)
            axis.legend(loc="upper left", frameon=False)
            for lamp in range(_LAMPS):
                on = lamp < _lit(made, last)
                place = (len(lines) - _LAMPS + lamp + 1, 1.12 * made.goal)
                axis.plot(*place, "o", color="red" if on else "lightgrey", markersize=9)
            time = f"{last.clocks:,} clocks, {last.clocks / clock.mhz / 1e3:.0f} ms at {clock}"
            axis.set_title(f"a chip learns CartPole: {time}", fontsize=11, loc="left")
            writer.grab_frame()


def draw(result: Learned, path: Path) -> None:
    """Write the picture as a PNG."""
    declaration, lines, solved = result.made, result.lines, result.solved
    with shown.picture(path, 9, 5, dpi=130) as figure:
        axes = figure.add_subplot()
        clocks = [line.clocks / 1e6 for line in lines]
        axes.plot(clocks, [line.mean for line in lines], "o-", color=_MEAN, markersize=3.5, linewidth=1.2)
        axes.axhline(declaration.goal, color=_GOAL, linestyle="--", linewidth=1, label=f"goal, {declaration.goal:g}")
        axes.set(
            xlabel="clocks since power-on's first step, millions", ylabel="mean return of the iteration's episodes"
        )
        axes.set(ylim=(0, None), xlim=(0, None))
        axes.spines[["top", "right"]].set_visible(False)
        mhz = result.clock.mhz
        above = axes.secondary_xaxis("top", functions=(lambda c: c * 1e3 / mhz, lambda ms: ms * mhz / 1e3))
        above.set_xlabel(f"ms at {result.clock}")
        if solved is not None:
            place = solved.clocks / 1e6, solved.mean
            steps = solved.iteration * declaration.envs * declaration.steps
            note = f"{result.milliseconds(solved):.0f} ms,\n{steps:,} steps"
            axes.annotate(note, place, (8, -40), textcoords="offset points", fontsize=9)
        axes.legend(loc="lower right", frameon=False)
        shape = "-".join(map(str, declaration.shape.actor.sizes))
        axes.set_title(
            f"PPO on one chip, actor {shape}: {result.returns.mean():.1f} in Gymnasium, mean of {EPISODES} episodes",
            fontsize=11,
        )
