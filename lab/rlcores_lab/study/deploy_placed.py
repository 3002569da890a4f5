"""Deployed networks placed and routed on ECP5 by the open flow (docs/deploy_study.md).

Weights come at run time, so the netlist does not depend on them: the policies are those of `deploy_latency`, with
random weights. A chip's core is placed with a register at each of its pins; a board's is its bitstream, with the
serial line.
"""

import json
from dataclasses import asdict, dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from rlcores.base import files, report
from rlcores.cores.mlp import cycles
from rlcores.deploy import board, folder, formats, sizing
from rlcores.eda.sources import Sources
from rlcores.eda.synth import placed, tables
from rlcores_lab.study import runs
from rlcores_lab.study.deploy_latency import Case, policy

KEPT = Path(__file__).with_name("deploy_placed.json")
SEEDS = (1,)


@dataclass(frozen=True)
class PlacedCase:
    """A network, the chip that it is sized for, and what nextpnr is told of it."""

    case: Case
    device: str  # of sizing
    chip: str
    nextpnr: tuple[str, ...]
    clock_mhz: float  # stated: of the board, or assumed in sizing


PLACES = (
    PlacedCase(
        Case("cartpole", (4, 64, 64, 2), ("tanh", "tanh", "identity"), 0.0, True), "ulx3s",
        "LFE5U-85F, speed grade 6", board.ECP5["ulx3s"].nextpnr, board.ECP5["ulx3s"].mhz,
    ),
    # nextpnr has no die of its own for the LFE5U-12F: it is the 25F's, with fewer LUTs sold.
    PlacedCase(
        Case("walker", (17, 64, 64, 6), ("relu", "relu", "identity"), 0.0), "ecp5-25", "LFE5U-25F, speed grade 6",
        ("--25k", "--package", "CABGA381", "--speed", "6"), 50.0,
    ),
)  # fmt: skip


BY_NAME = {place.case.name: place for place in PLACES}


@dataclass
class Placed:
    """What place and route said of a network."""

    name: str
    network: str
    bits: int
    chip: str
    array: str
    clocks: int
    clock_mhz: float
    fmax_mhz: float  # the mean of the seeds
    seeds: list[float] = field(default_factory=list)
    used: dict[str, int] = field(default_factory=dict)
    commit: str = ""


def run(place: PlacedCase, bits: int = 8) -> Placed:
    """Size, write, synthesise, place and route. Raises RunFailed if a tool fails."""
    x = np.random.default_rng(2).normal(size=(24, place.case.sizes[0]))
    float_policy = policy(place.case)
    widths = {"weight_width": bits, "act_width": bits}
    sized = sizing.size(formats.quantise(float_policy, x, **widths).shape, place.device)
    shape = sized.shape
    quantised = formats.quantise(
        float_policy, x, rows=shape.rows, cols=shape.cols, acts=shape.acts, multiplier=shape.multiplier, **widths
    )
    with TemporaryDirectory() as temporary:
        there = Path(temporary) / "policy"
        folder.write(quantised, sizing.Sized(quantised.shape, sized.clock), x, there)
        if place.device in board.ECP5:
            seeds, used = _bitstream(there, place.device)
        else:
            seeds, used = _core(there, place)
    return Placed(
        place.case.name, "-".join(map(str, place.case.sizes)), bits, place.chip,
        f"{shape.rows}x{shape.cols}/{shape.acts}", cycles.answer(quantised.shape), place.clock_mhz,
        round(sum(seeds) / len(seeds), 2), seeds, used, runs.commit(),
    )  # fmt: skip


def _bitstream(there: Path, name: str) -> tuple[list[float], dict[str, int]]:
    """The board's bitstream, its serial line with it: MHz, and resources."""
    figures_of = {figure.name.removeprefix("deploy.policy."): figure.value for figure in board.build(there, name)}
    return [figures_of.pop("fmax_mhz")], figures_of


def _core(there: Path, place: PlacedCase) -> tuple[list[float], dict[str, int]]:
    """The core alone, with a register at each pin: MHz of each seed, and resources without these registers."""
    device = tables.Device(place.device, place.chip, "ecp5", {}, place.nextpnr)
    rtl = there / "rtl"
    read = Sources(tuple(sorted(rtl.glob("*.v"))), tuple(sorted(rtl.glob("*.vh"))))
    empty = dict.fromkeys(("BIAS_INIT", "NORM_INIT", "WEIGHT_INIT"), "")
    of = placed.place("deploy", place.case.name, read, "policy_core", empty, device, SEEDS)
    used = dict(of.best.used)
    used["ff"] -= of.pin_registers
    return [seed.fmax_mhz for seed in of.seeds], used


def keep(one: Placed, file: Path = KEPT) -> None:
    """Write a result into the repository, in the place of an older one."""
    by = {old.name: old for old in kept(file)} | {one.name: one}
    rows = [asdict(by[place.case.name]) for place in PLACES if place.case.name in by]
    file.write_text(json.dumps({"placed": rows}, indent=1) + "\n")


def kept(file: Path = KEPT) -> list[Placed]:
    """The results that are kept."""
    return [Placed(**one) for one in files.read_json(file, "placed policies")["placed"]] if file.exists() else []


def figures(runs: list[Placed]) -> list[report.Figure]:
    """Frequency and resources of each."""
    result = []
    for one in runs:
        result.append(report.Figure(f"deploy.{one.name}.fmax_mhz", one.fmax_mhz, "MHz", "placed"))
        result += [report.Figure(f"deploy.{one.name}.{n}", value, n, "placed") for n, value in one.used.items()]
    return result


def table(runs: list[Placed]) -> list[tuple[str, ...]]:
    """A header and a row for each."""
    rows = [
        ("network", "bits", "chip", "array", "LUT", "registers", "MULT18X18D", "DP16KD", "MHz", "wanted", "µs at that")
    ]
    for one in runs:
        rows.append((
            one.network, str(one.bits), one.chip, one.array, f"{one.used['lut']:,}", f"{one.used['ff']:,}",
            str(one.used["dsp"]), str(one.used["bram18"]), f"{one.fmax_mhz:.1f}", f"{one.clock_mhz:g}",
            f"{one.clocks / one.clock_mhz:.2f}",
        ))  # fmt: skip
    return rows
