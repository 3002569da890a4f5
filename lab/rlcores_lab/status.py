"""The page docs/verification_status.md: how far the verification of each core is, by stages like OpenTitan's.

The facts are counted: benches and configurations from the declarations, proofs from verif/<core>/formal, mutants from
what was accepted, bins, lines, branches and toggles from the runs of the regression that are kept in verif/regression.
"""

import itertools
import json
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from rlcores.base import paths
from rlcores.eda import configs, formal
from rlcores_lab import shown, structural
from rlcores_lab.mutation import table

PAGE = Path("docs") / "verification_status.md"
KEPT = Path("verif") / "regression"  # a file for each `rlcores regress --core CORE --structural --json FILE`
MUTANTS = 0.97  # share killed of those that are not equal

# Stages in their order, and what each asks for beyond the one before.
STAGES = {
    "V0": "it has no simulation target; benches of its modules, or of cores that contain it, verify it",
    "V1": "a bench compares it with its integer model in Verilator and in Icarus, under random traffic",
    "V2": "the kept run of the regression hits every functional bin and 90 % of the lines",
    "V3": "the run also hits 90 % of the branches and toggles, and tests kill "
    f"{100 * MUTANTS:.0f} % of the mutants that change something",
}


@dataclass(frozen=True)
class Facts:
    """Of one core. None: not measured."""

    core: str
    simulators: int
    configurations: int
    proofs: int
    bins: float | None  # percent of the functional bins
    structure: dict[str, float]  # kind -> percent of lines, branches, toggles
    mutants: float | None  # share killed

    @property
    def stage(self) -> str:
        """The furthest stage whose conditions all hold."""
        if self.simulators < 2:
            return "V0"
        if self.bins != 100 or self.structure.get("line", 0) < structural.GOAL:
            return "V1"
        whole = all(self.structure.get(kind, 0) >= structural.GOAL for kind in structural.KINDS.values())
        return "V3" if whole and self.mutants is not None and self.mutants >= MUTANTS else "V2"


def kept() -> list[dict]:
    """Runs of the regression, as their commands wrote them."""
    return [json.loads(file.read_text()) for file in sorted((paths.root() / KEPT).glob("*.json"))]


def measured(runs: Iterable[dict]) -> dict[str, float]:
    """Figures by name, the greatest of each.

    What a run says of a folder of another core is left out where that has a bench of its own: it uses a few modules.
    """
    cores = configs.cores()
    benched = {core.file.parent.name for core in cores.values() if "sim" in core.targets}
    figures: dict[str, float] = {}
    for run in runs:
        home = cores[run["core"]].file.parent.name
        for name, value in ((figure["name"], figure["value"]) for figure in run["figures"]):
            folder = name.partition(".")[0]
            if folder == home or folder not in benched:
                figures[name] = max(value, figures.get(name, 0))
    return figures


def facts() -> list[Facts]:
    """Of all cores, as they are listed."""
    figures = measured(kept())
    proofs = Counter(core for core, _ in {(proof.core, proof.name) for proof in formal.proofs()})
    mutants = table.results()
    rows = []
    for name, core in configs.cores().items():
        counts = mutants.get(name)
        real = counts["count"] - counts["equal"] - counts["stillborn"] if counts else 0
        names = {kind: f"{core.file.parent.name}.coverage_{kind}" for kind in structural.KINDS.values()}
        rows.append(
            Facts(
                name,
                sum(target in core.targets for target in ("sim", "sim_icarus")),
                len(configs.simulated(name)),
                proofs[name],
                figures.get(f"{name}.coverage"),
                {kind: figures[name] for kind, name in names.items() if name in figures},
                counts["killed"] / real if counts and real else None,
            )
        )
    return rows


def outputs() -> dict[Path, str]:
    """The page, from the root, and its text."""
    kinds = tuple(structural.KINDS.values())
    heads = ("configurations simulated", "proofs", "functional bins", "lines", "branches", "toggles", "mutants killed")
    rows = [("core", "stage", *heads)]
    for one in facts():
        shares = [one.bins, *(one.structure.get(kind) for kind in kinds)]
        killed = "-" if one.mutants is None else f"{100 * one.mutants:.1f}\u00a0%"
        rows.append(
            (
                f"`{one.core}`",
                one.stage,
                str(one.configurations or "-"),
                str(one.proofs or "-"),
                *("-" if x is None else f"{x:.1f}\u00a0%" for x in shares),
                killed,
            )
        )
    lines = shown.markdown(rows, left=("core", "stage"))
    waived = [
        ("; ".join(map(_signals, some)), reason)
        for (_, reason), some in itertools.groupby(structural.waivers(), lambda one: (one.folder, one.reason))
    ]
    heads = ("signals, by module", "why no run reaches them")
    return {
        PAGE: shown.rendered(
            "status.md.j2",
            stages=STAGES,
            table=lines,
            kept=kept(),
            goal=structural.GOAL,
            below=below(),
            waivers=shown.markdown([heads, *waived], left=heads),
        )
    }


def _signals(waiver: structural.Waiver) -> str:
    """Of its module, as the page has them."""
    places = f" from place {waiver.first} on" if waiver.first else ""
    return f"`{waiver.module}`: {', '.join(f'`{each}`' for each in waiver.signals)}{places}"


def below() -> list[str]:
    """Of each measured core that does not reach the goal, what does not."""
    short = []
    for one in facts():
        kinds = [f"{structural.MANY[kind]} {x:.1f} %" for kind, x in one.structure.items() if x < structural.GOAL]
        if kinds:
            short.append(f"`{one.core}`: {', '.join(kinds)}")
    return short
