"""HEPPO's experiments on robots side by side: means of the seeds with 95 % intervals, and a picture."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

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
        """'1,234 ± 56', or the number alone where there is one seed; '4.9 ± 0.3' of a game with few points."""
        x = self.finals if of == "final" else self.means
        half, digits = statistics.half(x), 0 if max(x) >= 10 else 1
        return f"{np.mean(x):,.{digits}f}" + ("" if half == float("inf") else f" ± {half:,.{digits}f}")


def line(runs: Sequence[Run], environment: str, experiment: str, bits: int | None, steps: int) -> Line | None:
    """None where there is no run."""
    key = environment, experiment, bits, steps
    group = [r for r in runs if (r.environment, r.experiment, r.bits, r.steps) == key]
    return Line(*key, tuple(r.final for r in group), tuple(r.mean for r in group)) if group else None


def lines(runs: Sequence[Run]) -> list[Line]:
    """The experiments at the study's steps, robot by robot."""
    all_of = (
        line(runs, environment, e, PAPER_BITS if EXPERIMENTS[e].quantised else None, steps)
        for environment, steps in ENVIRONMENTS.items()
        for e in PAPER
    )
    return [x for x in all_of if x]


def swept(runs: Sequence[Run]) -> list[Line]:
    """Experiment 5 at each number of bits."""
    all_of = (line(runs, environment, "5", bits, steps) for environment, steps in SWEPT.items() for bits in BITS)
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


def sentence(runs: Sequence[Run], environment: str) -> str:
    """'Hopper-v5, 1,000,000 steps: 1 2,100 ± 300 (5 seeds), 2 …': what there is of a robot; '' when nothing is.

    As an account of the papers has it; the half of a 95 % interval is there from two seeds on.
    """
    group = [x for x in lines(runs) if x.environment == environment]
    if not group:
        return ""
    each = ", ".join(f"{x.experiment}: {x.text()} ({_seeds(len(x.finals))})" for x in group)
    return f"{environment}, {group[0].steps:,} steps, {each}"


def bits_sentence(runs: Sequence[Run], few: Sequence[int]) -> str:
    """'Hopper-v5, 300,000 steps, 3 bits: 900 (1 seed), …' of these numbers of bits; '' when nothing is there."""
    group = [x for x in swept(runs) if x.bits in few]
    if not group:
        return ""
    each = ", ".join(f"{x.bits} bits: {x.text()} ({_seeds(len(x.finals))})" for x in group)
    return f"{group[0].environment}, {group[0].steps:,} steps, {each}"


def _seeds(count: int) -> str:
    return f"{count} seed{'s' * (count > 1)}"


def trajectories(runs: Sequence[Run]) -> list[tuple[str, ...]]:
    """Values over trajectories, HEPPO's Figure 2: a line a look at the first run that has them, baseline first."""
    rows = [("robot", "step", "least median", "greatest median", "quartiles' distance", "medians' deviation")]
    for environment in ENVIRONMENTS:
        group = sorted((r for r in runs if r.environment == environment and r.values), key=lambda r: r.experiment)
        for step, quantiles in group[0].values if group else ():
            q = np.array(quantiles)
            medians, apart_ = q[:, 2], float((q[:, 3] - q[:, 1]).mean())
            numbers = medians.min(), medians.max(), apart_, medians.std()
            rows.append((environment, f"{step:,}", *(f"{x:.2f}" for x in numbers)))
    return rows


def reading(runs: Sequence[Run]) -> str:
    """What the values over trajectories are, in words."""
    rows = trajectories(runs)[1:]
    if not rows:
        return "No run has them yet."
    medians = [float(x) for row in rows for x in row[2:4]]
    between = max(float(row[3]) - float(row[2]) for row in rows)
    inside = max(float(row[4]) for row in rows)
    differs = "wider than" if max(medians) - min(medians) > inside else "no wider than"
    ranges = f"{round(min(medians))} and {round(max(medians))}"
    return (
        f"Medians lie between {ranges} over the runs, at one moment up to {between:.0f} apart. The quartiles of a "
        f"trajectory are at most {inside:.0f} apart. So the range over a run is {differs} that of a trajectory."
    )


def markdown(runs: Sequence[Run]) -> str:
    """Tables of the experiments and of the bits."""
    rows = [("task", "experiment", "", "bits", "steps", "seeds", "return, last fifth", "return, all of training")]
    for x in lines(runs):
        title = EXPERIMENTS[x.experiment].title
        about = x.environment, x.experiment, title, str(x.bits or "float"), f"{x.steps:,}", str(len(x.finals))
        rows.append((*about, x.text(), x.text("mean")))
    tables = [shown.markdown(rows)] if len(rows) > 1 else []
    for environment, steps in SWEPT.items():
        if group := [x for x in swept(runs) if x.environment == environment]:
            header = (f"{environment}, experiment 5, {steps:,} steps, bits", *(str(x.bits) for x in group))
            body = [("seeds", *(str(len(x.finals)) for x in group))]
            body += [("last fifth", *(x.text() for x in group)), ("all of training", *(x.text("mean") for x in group))]
            if eight := next((x for x in group if x.bits == PAPER_BITS), None):
                said = {1: "better", 0: "no difference", -1: "worse"}
                body.append((f"against {PAPER_BITS}", *("" if x is eight else said[apart(x, eight)] for x in group)))
            tables.append(shown.markdown([header, *body]))
    return "\n".join(tables)


def figures(runs: Sequence[Run]) -> list[Figure]:
    """In the house's form: heppo.hopper.1.final, .final_half, .seeds; heppo.hopper.bits3.final."""
    result = []
    for x in [*lines(runs), *swept(runs)]:
        name = x.environment.rpartition("/")[2].partition("-")[0].lower()
        at = f"heppo.{name}.bits{x.bits}" if x.steps != ENVIRONMENTS[x.environment] else f"heppo.{name}.{x.experiment}"
        result.append(Figure(f"{at}.seeds", len(x.finals), "seeds", "measured"))
        for of, values in (("final", x.finals), ("mean", x.means)):
            result.append(Figure(f"{at}.{of}", round(float(np.mean(values)), 1), "return", "measured"))
            if len(values) > 1:
                result.append(Figure(f"{at}.{of}_half", round(statistics.half(values), 1), "return", "measured"))
    return result


def write(runs: Sequence[Run], folder: Path) -> Path:
    """heppo_robots.png in a folder."""
    image = folder / "heppo_robots.png"
    picture(runs, image)
    return image


def picture(runs: Sequence[Run], path: Path) -> None:
    """The experiments of each robot, mean of the seeds and their range; beside them the bits."""
    present = [e for e in ENVIRONMENTS if any(x.environment == e for x in lines(runs))]
    looks = next((r for r in runs if r.values), None)
    panels = len(present) + bool(swept(runs)) + bool(looks)
    with shown.picture(path, 5 * max(panels, 1), 3.8, dpi=100) as figure:
        axes = list(figure.subplots(1, max(panels, 1), squeeze=False)[0])
        for axis, environment in zip(axes, present, strict=False):
            _curves(axis, runs, environment)
        if looks:
            _values(axes[len(present)], looks)
        if swept(runs):
            points = swept(runs)
            axis = axes[-1]
            axis.set(title=f"{points[0].environment}, experiment 5, {points[0].steps:,} steps", xlabel="bits of a code")
            seeds = [(x.bits, y) for x in points for y in x.finals]
            axis.plot(*zip(*seeds, strict=True), ".", color="tab:orange", alpha=0.7, label="a seed")
            axis.plot([x.bits for x in points], [x.final for x in points], color="tab:orange", label="mean")
            axis.legend(fontsize=8, frameon=False)


def _curves(axis, runs: Sequence[Run], environment: str) -> None:
    colours = ("black", "tab:blue", "tab:green", "tab:red", "tab:orange")
    for x, colour in zip(PAPER, colours, strict=True):
        bits = PAPER_BITS if EXPERIMENTS[x].quantised else None
        key = environment, x, bits, ENVIRONMENTS[environment]
        if group := [r for r in runs if (r.environment, r.experiment, r.bits, r.steps) == key]:
            steps = np.array([at for at, _ in max((r.curve for r in group), key=len)]) / 1000
            # The first episodes end late in some runs: those curves begin with their first value.
            held = np.array([[r.curve[0][1]] * (len(steps) - len(r.curve)) + [y for _, y in r.curve] for r in group])
            axis.plot(steps, held.mean(0), color=colour, label=f"{x}: {EXPERIMENTS[x].title}", linewidth=1.5)
            axis.fill_between(steps, held.min(0), held.max(0), color=colour, alpha=0.1, linewidth=0)
    axis.set(title=environment, xlabel="thousand environment steps", ylabel="return of training episodes")
    axis.legend(fontsize=7, frameon=False)


def _values(axis, one: Run) -> None:
    """HEPPO's Figure 2: at each look a mark for each trajectory, its median, and a line between its quartiles."""
    for number, (_, quantiles) in enumerate(one.values):
        q = np.array(quantiles)
        at = number + np.linspace(-0.3, 0.3, len(q))
        axis.errorbar(at, q[:, 2], [q[:, 2] - q[:, 1], q[:, 3] - q[:, 2]], fmt="o", markersize=3, color="tab:blue")
    axis.set_xticks(range(len(one.values)), [f"{step / 1000:,.0f}" for step, _ in one.values])
    title = f"values of {len(one.values[0][1])} trajectories, {one.environment}, experiment {one.experiment}"
    axis.set(title=title, xlabel="thousand environment steps", ylabel="V, median and quartiles")
    axis.title.set_fontsize(10)
