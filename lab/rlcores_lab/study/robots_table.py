"""HEPPO's experiments on robots side by side: means of the seeds with 95 % intervals, and a picture."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from rlcores.base import report
from rlcores.base.report import Figure
from rlcores_lab import shown
from rlcores_lab.study import statistics
from rlcores_lab.study.heppo import BITS, EXPERIMENTS, PAPER_BITS
from rlcores_lab.study.robots import ENVIRONMENTS, PAPER, SWEPT, Run


@dataclass(frozen=True)
class Line:
    """An experiment on a robot over its seeds; halves are those of 95 % intervals."""

    environment: str
    experiment: str
    bits: int | None
    steps: int
    finals: tuple[float, ...]  # of each seed: mean return of the last fifth of the steps
    means: tuple[float, ...]  # of the whole training

    @property
    def final(self) -> float:
        """Mean over the seeds."""
        return float(np.mean(self.finals))

    @property
    def mean(self) -> float:
        """Mean over the seeds."""
        return float(np.mean(self.means))

    def text(self, of: str = "final") -> str:
        """'1,234 ± 56', or the number alone where there is one seed."""
        x = self.finals if of == "final" else self.means
        half = statistics.half(x)
        return f"{np.mean(x):,.0f}" + ("" if half == float("inf") else f" ± {half:,.0f}")


def line(found: Sequence[Run], environment: str, experiment: str, bits: int | None, steps: int) -> Line | None:
    """None where there is no run."""
    key = environment, experiment, bits, steps
    own = [r for r in found if (r.environment, r.experiment, r.bits, r.steps) == key]
    return Line(*key, tuple(r.final for r in own), tuple(r.mean for r in own)) if own else None


def lines(found: Sequence[Run]) -> list[Line]:
    """The experiments at the study's steps, robot by robot."""
    all_of = (
        line(found, environment, e, PAPER_BITS if EXPERIMENTS[e].quantised else None, steps)
        for environment, steps in ENVIRONMENTS.items()
        for e in PAPER
    )
    return [x for x in all_of if x]


def swept(found: Sequence[Run]) -> list[Line]:
    """Experiment 5 at each number of bits."""
    all_of = (line(found, environment, "5", bits, steps) for environment, steps in SWEPT.items() for bits in BITS)
    return [x for x in all_of if x]


def apart(one: Line, other: Line) -> int:
    """1 where `one` is better with 95 % confidence, -1 where worse, else 0: Welch's interval of the difference."""
    a, b = (np.array(x.finals) for x in (one, other))
    if min(len(a), len(b)) < 2:
        return 0
    own = a.var(ddof=1) / len(a), b.var(ddof=1) / len(b)
    both = sum(own)
    if not both:
        return int(np.sign(a.mean() - b.mean()))
    freedom = both**2 / sum(v**2 / (n - 1) for v, n in zip(own, (len(a), len(b)), strict=True))
    half = statistics.student(freedom) * both**0.5
    difference = a.mean() - b.mean()
    return int(np.sign(difference)) if abs(difference) > half else 0


def markdown(found: Sequence[Run]) -> str:
    """Tables of the experiments and of the bits."""
    rows = [("robot", "experiment", "", "bits", "steps", "seeds", "return, last fifth", "return, all of training")]
    for x in lines(found):
        title = EXPERIMENTS[x.experiment].title
        about = x.environment, x.experiment, title, str(x.bits or "float"), f"{x.steps:,}", str(len(x.finals))
        rows.append((*about, x.text(), x.text("mean")))
    tables = [shown.markdown(rows)] if len(rows) > 1 else []
    for environment, steps in SWEPT.items():
        if own := [x for x in swept(found) if x.environment == environment]:
            header = (f"{environment}, experiment 5, {steps:,} steps, bits", *(str(x.bits) for x in own))
            body = [("seeds", *(str(len(x.finals)) for x in own))]
            body += [("last fifth", *(x.text() for x in own)), ("all of training", *(x.text("mean") for x in own))]
            tables.append(shown.markdown([header, *body]))
    return "\n".join(tables)


def figures(found: Sequence[Run]) -> list[Figure]:
    """In the house's form: heppo.hopper.1.final, .final_half, .seeds; heppo.hopper.bits3.final."""
    result = []
    for x in [*lines(found), *swept(found)]:
        name = x.environment.partition("-")[0].lower()
        at = f"heppo.{name}.bits{x.bits}" if x.steps != ENVIRONMENTS[x.environment] else f"heppo.{name}.{x.experiment}"
        result.append(Figure(f"{at}.seeds", len(x.finals), "seeds", "measured"))
        for of, given in (("final", x.finals), ("mean", x.means)):
            result.append(Figure(f"{at}.{of}", round(float(np.mean(given)), 1), "return", "measured"))
            if len(given) > 1:
                result.append(Figure(f"{at}.{of}_half", round(statistics.half(given), 1), "return", "measured"))
    return result


def write(found: Sequence[Run], folder: Path) -> list[Path]:
    """heppo_robots_table.md and heppo_robots.png in a folder."""
    table, image = folder / "heppo_robots_table.md", folder / "heppo_robots.png"
    report.put(table, markdown(found))
    picture(found, image)
    return [table, image]


def picture(found: Sequence[Run], path: Path) -> None:
    """The experiments of each robot, mean of the seeds and their range; beside them the bits."""
    present = [e for e in ENVIRONMENTS if any(x.environment == e for x in lines(found))]
    panels = len(present) + bool(swept(found))
    with shown.picture(path, 5 * max(panels, 1), 3.8, dpi=100) as figure:
        axes = list(figure.subplots(1, max(panels, 1), squeeze=False)[0])
        for axis, environment in zip(axes, present, strict=False):
            _curves(axis, found, environment)
        if swept(found):
            own = swept(found)
            axis = axes[-1]
            axis.set(title=f"{own[0].environment}, experiment 5, {own[0].steps:,} steps", xlabel="bits of a code")
            seeds = [(x.bits, y) for x in own for y in x.finals]
            axis.plot(*zip(*seeds, strict=True), ".", color="tab:orange", alpha=0.7, label="a seed")
            axis.plot([x.bits for x in own], [x.final for x in own], color="tab:orange", label="mean")
            axis.legend(fontsize=8, frameon=False)


def _curves(axis, found: Sequence[Run], environment: str) -> None:
    colours = ("black", "tab:blue", "tab:green", "tab:red", "tab:orange")
    for x, colour in zip(PAPER, colours, strict=True):
        bits = PAPER_BITS if EXPERIMENTS[x].quantised else None
        key = environment, x, bits, ENVIRONMENTS[environment]
        if own := [r for r in found if (r.environment, r.experiment, r.bits, r.steps) == key]:
            steps = np.array([at for at, _ in max((r.curve for r in own), key=len)]) / 1000
            # The first episodes end late in some runs: those curves begin with their first value.
            held = np.array([[r.curve[0][1]] * (len(steps) - len(r.curve)) + [y for _, y in r.curve] for r in own])
            axis.plot(steps, held.mean(0), color=colour, label=f"{x}: {EXPERIMENTS[x].title}", linewidth=1.5)
            axis.fill_between(steps, held.min(0), held.max(0), color=colour, alpha=0.1, linewidth=0)
    axis.set(title=environment, xlabel="thousand environment steps", ylabel="return of training episodes")
    axis.legend(fontsize=7, frameon=False)
