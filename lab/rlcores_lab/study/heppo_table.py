"""The HEPPO study's runs side by side: table, JSON, picture, and what of the paper's claims they bear out."""

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np

from rlcores.base import report
from rlcores_lab import shown
from rlcores_lab.study import heppo
from rlcores_lab.study.heppo import EXPERIMENTS, PAPER_BITS, SCENES, Run

# A difference of means counts from this many standard errors on; with five seeds less than that is luck.
_ERRORS = 2.0


@dataclass(frozen=True)
class Line:
    """One experiment in one environment, over its seeds. Scores: 0 nothing learned, 1 the task learned."""

    environment: str
    experiment: str
    bits: int | None
    seeds: int
    final: float  # mean over the seeds of the last fifth's return
    deviation: float  # of that between seeds
    least: float
    mean: float  # mean over the whole of training
    mean_deviation: float
    score: float  # of `final`
    error: float  # its standard error
    mean_score: float  # of `mean`: how fast it was learned
    mean_error: float


def line(runs: Sequence[Run], environment: str, experiment: str, bits: int | None) -> Line | None:
    """None where there is no run."""
    key = environment, experiment, bits
    own = [r for r in runs if (r.environment, r.experiment, r.bits) == key]
    if not own:
        return None
    scene = SCENES[environment]

    def over(returns: np.ndarray) -> tuple[float, float, float, float]:
        """Mean and deviation of returns, and the mean as a score with its standard error."""
        mean, spread = float(returns.mean()), float(returns.std(ddof=1)) if len(own) > 1 else 0.0
        span = scene.most - scene.least
        return mean, spread, (mean - scene.least) / span, spread / span / len(own) ** 0.5

    finals = np.array([r.final for r in own])
    final, deviation, score, error = over(finals)
    mean, mean_deviation, mean_score, mean_error = over(np.array([r.mean for r in own]))
    both = final, deviation, float(finals.min()), mean, mean_deviation
    return Line(*key, len(own), *both, score, error, mean_score, mean_error)


def lines(runs: Sequence[Run]) -> list[Line]:
    """The experiments, in the order of the table."""
    listed = [
        line(runs, environment, e.name, PAPER_BITS if e.quantised else None)
        for environment in SCENES
        for e in EXPERIMENTS.values()
    ]
    return [x for x in listed if x]


def bits_lines(runs: Sequence[Run]) -> list[Line]:
    """Experiment 5 at every number of bits, where more than one was run."""
    result = []
    for environment in SCENES:
        swept = [line(runs, environment, "5", bits) for bits in heppo.BITS]
        if sum(x is not None for x in swept) > 1:
            result += [x for x in swept if x]
    return result


def better(one: Line, other: Line, of: str = "final") -> int:
    """1 where `one` is better than `other`, -1 where it is worse, 0 where the seeds differ as much. of: or "mean"."""
    name = "" if of == "final" else "mean_"
    (a, ea), (b, eb) = ((getattr(x, f"{name}score"), getattr(x, f"{name}error")) for x in (one, other))
    # Two lines without any spread still differ when they differ visibly.
    return int(np.sign(a - b)) if abs(a - b) > max(_ERRORS * float(np.hypot(ea, eb)), 0.02) else 0


@dataclass(frozen=True)
class Claim:
    """Something the paper says: experiment `one` against experiment `other`."""

    text: str
    one: str
    other: str
    wanted: str  # "better", "worse" or "no worse"


CLAIMS = tuple(Claim(**fields) for fields in heppo.GIVEN["claims"])
_SAID = {
    "better": {1: "holds", 0: "not shown", -1: "the opposite"},
    "worse": {1: "the opposite", 0: "not shown", -1: "holds"},
    "no worse": {1: "holds: better", 0: "holds: no difference seen", -1: "does not hold"},
}


@dataclass(frozen=True)
class Verdict:
    """A claim in an environment: judged by the last fifth of training, and by the whole of it."""

    claim: str
    environment: str
    final: str
    mean: str
    why: str  # the returns


def verdicts(runs: Sequence[Run]) -> list[Verdict]:
    """Every claim in every environment that has the runs for it."""
    result = []
    for environment in SCENES:
        at = {x.experiment: x for x in lines(runs) if x.environment == environment}
        for claim in CLAIMS:
            if claim.one in at and claim.other in at:
                one, other = at[claim.one], at[claim.other]
                texts = {of: _SAID[claim.wanted][better(one, other, of)] for of in ("final", "mean")}
                why = "; ".join(
                    f"{x.experiment}: {x.final:.0f} ± {x.deviation:.0f}, {x.mean:.0f} ± {x.mean_deviation:.0f}"
                    for x in (one, other)
                )
                result.append(Verdict(claim.text, environment, texts["final"], texts["mean"], why))
        swept = {x.bits: x for x in bits_lines(runs) if x.environment == environment}
        if len(swept) == len(heppo.BITS):
            result += _of_bits(environment, swept)
    return result


def _of_bits(environment: str, swept: dict[int | None, Line]) -> list[Verdict]:
    eight = swept[PAPER_BITS]
    few = [b for b in heppo.BITS if b < PAPER_BITS]
    worse = {of: [b for b in few if better(swept[b], eight, of) < 0] for of in ("final", "mean")}
    more = {of: [b for b in heppo.BITS if b > PAPER_BITS and better(swept[b], eight, of)] for of in ("final", "mean")}

    def holds(bits: list[int]) -> str:
        return "holds" if bits == few else f"for {', '.join(map(str, bits))} only" if bits else "not shown"

    def enough(bits: list[int]) -> str:
        return f"differ: {', '.join(map(str, bits))}" if bits else "holds: no difference seen"

    texts = "fewer than 8 bits are worse than 8", "8 bits are enough: 9 and 10 do not differ"
    why = "see the bits above"
    return [
        Verdict(texts[0], environment, holds(worse["final"]), holds(worse["mean"]), why),
        Verdict(texts[1], environment, enough(more["final"]), enough(more["mean"]), why),
    ]


def markdown(runs: Sequence[Run]) -> str:
    """Tables of the experiments, of the bits, and of the claims."""

    def returns(x: Line) -> tuple[str, str]:
        return f"{x.final:.0f} ± {x.deviation:.0f}", f"{x.mean:.0f} ± {x.mean_deviation:.0f}"

    parts = ("last fifth", "all of training")
    rows = [("environment", "experiment", "", "bits", f"return, {parts[0]}", "worst seed", f"return, {parts[1]}")]
    for x in lines(runs):
        final, mean = returns(x)
        title = EXPERIMENTS[x.experiment].title
        rows.append((x.environment, x.experiment, title, str(x.bits or "float"), final, f"{x.least:.0f}", mean))
    tables = [shown.markdown(rows)]
    swept = bits_lines(runs)
    for environment in SCENES:
        group = [x for x in swept if x.environment == environment]
        if group:
            header = (f"{environment}, experiment 5, bits", *(str(x.bits) for x in group))
            cells = zip(*(returns(x) for x in group), strict=True)
            tables.append(shown.markdown([header, *((part, *line) for part, line in zip(parts, cells, strict=True))]))
    by_claim: dict[str, dict[str, str]] = {}
    for v in verdicts(runs):
        final, mean = (said.replace("holds: no difference seen", "holds") for said in (v.final, v.mean))
        by_claim.setdefault(v.claim, {})[v.environment] = final if final == mean else f"{final}; {parts[1]}: {mean}"
    seen = [environment for environment in SCENES if any(environment in of for of in by_claim.values())]
    claims = [(claim, *(of.get(environment, "") for environment in seen)) for claim, of in by_claim.items()]
    tables.append(shown.markdown([("the paper says", *seen), *claims]))
    return "\n".join(tables)


def write(runs: Sequence[Run], folder: Path) -> list[Path]:
    """heppo_study_table.md, heppo_study.json and heppo_study.png in a folder."""
    table, data, image = (folder / f"heppo_study{end}" for end in ("_table.md", ".json", ".png"))
    document = {
        "lines": [asdict(x) for x in [*lines(runs), *(y for y in bits_lines(runs) if y.bits != PAPER_BITS)]],
        "verdicts": [asdict(v) for v in verdicts(runs)],
        "runs": [asdict(r) for r in runs],
    }
    report.put(table, markdown(runs))
    report.put(data, json.dumps(_short(document)) + "\n")
    picture(runs, image)
    return [table, data, image]


def _short(x):
    if isinstance(x, dict):
        return {k: _short(v) for k, v in x.items()}
    if isinstance(x, list):
        return [_short(v) for v in x]
    return float(f"{x:.6g}") if isinstance(x, float) else x


def picture(runs: Sequence[Run], path: Path) -> None:
    """Above the experiments, a panel an environment: median of the seeds, their range shaded; below the bits."""
    present = [e for e in SCENES if any(r.environment == e for r in runs)]
    with shown.picture(path, 5 * len(present), 7, dpi=100) as figure:
        axes = figure.subplots(2, len(present), squeeze=False)
        for above, below, environment in zip(*axes, present, strict=True):
            _curves(above, runs, environment)
            _bits(below, runs, environment)
        axes[0][0].set_ylabel("return of training episodes")
        # Where there is an empty panel the names of the lines have it for themselves.
        free = [axis for axis in axes[1] if not axis.axison] or [axes[0][0]]
        free[0].legend(*axes[0][0].get_legend_handles_labels(), fontsize=9, frameon=False, loc="upper left")
        for axis in [axis for axis in axes[1] if axis.axison][:1]:
            axis.set_ylabel("return, last fifth of training")


def _curves(axis, runs: Sequence[Run], environment: str) -> None:
    colours = ("black", "tab:blue", "tab:green", "tab:red", "tab:orange", "tab:grey")
    for e, colour in zip(EXPERIMENTS.values(), colours, strict=True):
        key = environment, e.name, PAPER_BITS if e.quantised else None
        own = [r for r in runs if (r.environment, r.experiment, r.bits) == key]
        if own:
            steps = [x / 1000 for x, _ in max((r.curve for r in own), key=len)]
            # The first episodes end late in some runs: those curves begin with their first value.
            held = np.array([[r.curve[0][1]] * (len(steps) - len(r.curve)) + [y for _, y in r.curve] for r in own])
            axis.plot(steps, np.median(held, 0), color=colour, label=f"{e.name}: {e.title}", linewidth=1.8)
            axis.fill_between(steps, held.min(0), held.max(0), color=colour, alpha=0.08, linewidth=0)
    axis.set(title=environment, xlabel="thousand environment steps")


def _bits(axis, runs: Sequence[Run], environment: str) -> None:
    own = [x for x in bits_lines(runs) if x.environment == environment]
    if not own:
        axis.set_axis_off()
        return
    seeds = [(r.bits, r.final) for r in runs if (r.environment, r.experiment) == (environment, "5")]
    axis.plot(*zip(*seeds, strict=True), ".", color="tab:orange", alpha=0.7, label="5, a seed")
    axis.plot([x.bits for x in own], [x.final for x in own], color="tab:orange", label="5, mean")
    if base := line(runs, environment, "2", None):
        axis.axhline(base.final, color="tab:blue", linestyle=":", label="2, mean, not quantised")
    axis.set(xlabel="bits of a code")
    axis.legend(fontsize=8, frameon=False)
