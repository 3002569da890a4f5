"""The HEPPO study's runs side by side: table, JSON, picture, and what of the paper's claims they bear out."""

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np

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
    span = scene.most - scene.least
    values = {name: np.array([getattr(r, name) for r in own]) for name in ("final", "mean")}
    middle = {name: float(x.mean()) for name, x in values.items()}
    spread = {name: float(x.std(ddof=1)) if len(own) > 1 else 0.0 for name, x in values.items()}
    score = {name: (x - scene.least) / span for name, x in middle.items()}
    error = {name: x / span / len(own) ** 0.5 for name, x in spread.items()}
    return Line(
        *key,
        seeds=len(own),
        final=middle["final"],
        deviation=spread["final"],
        least=float(values["final"].min()),
        mean=middle["mean"],
        mean_deviation=spread["mean"],
        score=score["final"],
        error=error["final"],
        mean_score=score["mean"],
        mean_error=error["mean"],
    )


def lines(runs: Sequence[Run]) -> list[Line]:
    """The experiments, in the order of the table."""
    found = [
        line(runs, environment, e.name, PAPER_BITS if e.quantised else None)
        for environment in SCENES
        for e in EXPERIMENTS.values()
    ]
    return [x for x in found if x]


def bits_lines(runs: Sequence[Run]) -> list[Line]:
    """Experiment 5 at every number of bits, where more than one was run."""
    found = []
    for environment in SCENES:
        own = [line(runs, environment, "5", bits) for bits in heppo.BITS]
        if sum(x is not None for x in own) > 1:
            found += [x for x in own if x]
    return found


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


CLAIMS = (
    Claim("dynamic standardisation (2) learns better than the baseline (1)", "2", "1", "better"),
    Claim("dynamic rewards in 8-bit codes (5) learn better than the baseline (1)", "5", "1", "better"),
    Claim("quantising (5) costs nothing against dynamic standardisation alone (2)", "5", "2", "no worse"),
    Claim("rewards standardised by block and kept so (4) learn worse than the baseline (1)", "4", "1", "worse"),
    Claim("experiment 5 is better than 3", "5", "3", "better"),
    Claim("experiment 5 is better than 4", "5", "4", "better"),
)
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
    found = []
    for environment in SCENES:
        at = {x.experiment: x for x in lines(runs) if x.environment == environment}
        for claim in CLAIMS:
            if claim.one in at and claim.other in at:
                one, other = at[claim.one], at[claim.other]
                said = {of: _SAID[claim.wanted][better(one, other, of)] for of in ("final", "mean")}
                why = "; ".join(
                    f"{x.experiment}: {x.final:.0f} ± {x.deviation:.0f}, {x.mean:.0f} ± {x.mean_deviation:.0f}"
                    for x in (one, other)
                )
                found.append(Verdict(claim.text, environment, said["final"], said["mean"], why))
        swept = {x.bits: x for x in bits_lines(runs) if x.environment == environment}
        if len(swept) == len(heppo.BITS):
            found += _of_bits(environment, swept)
    return found


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
    text = "| environment | experiment | | bits | return, last fifth | worst seed | return, all of training |\n"
    text += "|---|---|---|---|---|---|---|\n"
    for x in lines(runs):
        text += (
            f"| {x.environment} | {x.experiment} | {EXPERIMENTS[x.experiment].title} | {x.bits or 'float'} "
            f"| {x.final:.0f} ± {x.deviation:.0f} | {x.least:.0f} | {x.mean:.0f} ± {x.mean_deviation:.0f} |\n"
        )
    swept = bits_lines(runs)
    for environment in SCENES:
        own = [x for x in swept if x.environment == environment]
        if own:
            text += f"\n| {environment}, experiment 5, bits | " + " | ".join(str(x.bits) for x in own) + " |\n"
            text += "|---" * (len(own) + 1) + "|\n"
            text += "| last fifth | " + " | ".join(f"{x.final:.0f} ± {x.deviation:.0f}" for x in own) + " |\n"
            text += "| all of training | " + " | ".join(f"{x.mean:.0f} ± {x.mean_deviation:.0f}" for x in own) + " |\n"
    text += "\n| the paper says | environment | last fifth | all of training | returns: last fifth, all of training |\n"
    text += "|---|---|---|---|---|\n"
    for v in verdicts(runs):
        text += f"| {v.claim} | {v.environment} | {v.final} | {v.mean} | {v.why} |\n"
    return text


def write(runs: Sequence[Run], folder: Path) -> list[Path]:
    """heppo_study_table.md, heppo_study.json and heppo_study.png in a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    table, data, image = (folder / f"heppo_study{end}" for end in ("_table.md", ".json", ".png"))
    table.write_text(markdown(runs))
    document = {
        "lines": [asdict(x) for x in [*lines(runs), *(y for y in bits_lines(runs) if y.bits != PAPER_BITS)]],
        "verdicts": [asdict(v) for v in verdicts(runs)],
        "runs": [asdict(r) for r in runs],
    }
    data.write_text(json.dumps(_short(document)) + "\n")
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
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    present = [e for e in SCENES if any(r.environment == e for r in runs)]
    figure, axes = pyplot.subplots(2, len(present), figsize=(5 * len(present), 7), squeeze=False)
    colours = dict(
        zip(EXPERIMENTS, ("black", "tab:blue", "tab:green", "tab:red", "tab:orange", "tab:grey"), strict=True)
    )
    for column, environment in enumerate(present):
        axis = axes[0][column]
        for e in EXPERIMENTS.values():
            own = [r for r in runs if (r.environment, r.experiment) == (environment, e.name)]
            own = [r for r in own if r.bits == (PAPER_BITS if e.quantised else None)]
            if own:
                steps = [x / 1000 for x, _ in max((r.curve for r in own), key=len)]
                # The first episodes end late in some runs: those curves begin with their first value.
                held = np.array([[r.curve[0][1]] * (len(steps) - len(r.curve)) + [y for _, y in r.curve] for r in own])
                axis.plot(steps, np.median(held, 0), color=colours[e.name], label=f"{e.name}: {e.title}", linewidth=1.8)
                axis.fill_between(steps, held.min(0), held.max(0), color=colours[e.name], alpha=0.08, linewidth=0)
        axis.set(title=environment, xlabel="thousand environment steps")
        axis = axes[1][column]
        own = [x for x in bits_lines(runs) if x.environment == environment]
        if own:
            seeds = [(r.bits, r.final) for r in runs if (r.environment, r.experiment) == (environment, "5")]
            axis.plot(*zip(*seeds, strict=True), ".", color="tab:orange", alpha=0.7, label="5, a seed")
            axis.plot([x.bits for x in own], [x.final for x in own], color="tab:orange", label="5, mean")
            base = line(runs, environment, "2", None)
            if base:
                axis.axhline(base.final, color="tab:blue", linestyle=":", label="2, mean, not quantised")
            axis.set(xlabel="bits of a code")
            axis.legend(fontsize=8, frameon=False)
        else:
            axis.set_axis_off()
    axes[0][0].set_ylabel("return of training episodes")
    shown = [a for a in axes[1] if a.axison]
    # Where there is an empty panel the names of the lines have it for themselves.
    free = [a for a in axes[1] if not a.axison] or [axes[0][0]]
    free[0].legend(*axes[0][0].get_legend_handles_labels(), fontsize=9, frameon=False, loc="upper left")
    if shown:
        shown[0].set_ylabel("return, last fifth of training")
    figure.tight_layout()
    figure.savefig(path, dpi=100)
    pyplot.close(figure)
