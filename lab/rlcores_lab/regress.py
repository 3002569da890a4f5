"""The UVM regression: every simulated configuration, both simulators, several seeds, one report."""

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from rlcores.base import report
from rlcores.eda import configs, sim
from rlcores_lab import shown, structural


@dataclass(frozen=True)
class Job:
    """One simulation of the regression."""

    core: str
    vlnv: str
    config: str  # 'default' for a core without configurations: the RTL's own parameters
    parameters: dict[str, int]
    simulator: str
    seed: int
    netlist: str | None = None  # the family for which yosys mapped it; None is the RTL
    structural: bool = False  # whether Verilator counts lines, branches and toggles


@dataclass(frozen=True)
class Coverage:
    """The functional coverage of one core, merged over its runs."""

    core: str
    bins: dict[str, int]  # bin -> hits

    @property
    def holes(self) -> list[str]:
        """Bins that no run hit."""
        return [name for name, hits in self.bins.items() if not hits]

    @property
    def percent(self) -> float:
        """Bins hit, of all bins that a run knows; 100 only when there is no hole."""
        return 100.0 * (1 - len(self.holes) / len(self.bins)) if self.bins else 0.0


def plan(
    cores: Iterable[configs.Core],
    simulators: Iterable[str],
    seeds: Iterable[int],
    config: str | None,
    netlist: str | None = None,
    structural: bool = False,
) -> list[Job]:
    """The runs of a regression; config None means every configuration that configs.yaml marks `sim: true`.

    Seeds change slowest, so that runs at the same time use different models and seldom wait for each other.
    Cores without a simulation target have no runs.
    """
    shapes = []
    for core in cores:
        if config:
            chosen = [configs.get(core.name, config)] if config in configs.names(core.name) else []
        else:
            chosen = configs.simulated(core.name)
        named = [(c.name, c.parameters) for c in chosen]
        if not named and not config and not configs.names(core.name):
            named = [("default", {})]
        shapes += [
            (core, name, parameters, simulator)
            for name, parameters in named
            for simulator in simulators
            if sim.TARGETS[simulator] in core.targets
        ]
    return [
        Job(c.name, c.vlnv, name, values, simulator, seed, netlist, structural and simulator == "verilator")
        for seed in seeds
        for c, name, values, simulator in shapes
    ]


def run_job(job: Job) -> tuple[Job, sim.SimResult]:
    """Run one simulation; a failing one comes back as a result, not as an exception."""
    target = sim.TARGETS[job.simulator]
    options = {"seed": job.seed, "netlist": job.netlist, "structural": job.structural}
    return job, sim.run(job.vlnv, target, job.parameters, check=False, **options)


def coverage(results: Iterable[tuple[Job, sim.SimResult]]) -> list[Coverage]:
    """Merge the coverage that the runs left: hits add up, a bin known to one run counts for the core."""
    merged: dict[str, dict[str, int]] = {}
    for job, result in results:
        bins = merged.setdefault(job.core, {})
        for name, hits in result.coverage.items():
            bins[name] = bins.get(name, 0) + int(hits)
    return [Coverage(core, bins) for core, bins in merged.items() if bins]


def structure(results: Iterable[tuple[Job, sim.SimResult]]) -> list[structural.Structural]:
    """The structural coverage of the runs that counted it, by folder of rtl/, without what is waived."""
    files = [result.folder / "structural.dat" for job, result in results if job.structural]
    return structural.merged((structural.read(file) for file in files if file.exists()), structural.waivers())


def write_html(path: Path, results: list[tuple[Job, sim.SimResult]]) -> None:
    """Write one self-contained page: totals, coverage, every run, and for each failure how to repeat it."""
    context = {"commit": report.commit(), "results": results, "coverage": coverage(results)}
    context |= {"structure": structure(results), "kinds": structural.KINDS.values(), "goal": structural.GOAL}
    context["failed"] = [(job, result) for job, result in results if not result.passed]
    report.put(path, shown.rendered("regress.html.j2", **context))
